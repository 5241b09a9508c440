"""What a transform learns from the signature of a function: static arguments, and the names of the others."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Iterable, Sequence
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any, TypeAlias

from ..pytree.keys import keystr
from ..pytree.paths import tree_leaves_with_path

if TYPE_CHECKING:
    import inspect

_POSITIONAL = ("POSITIONAL_ONLY", "POSITIONAL_OR_KEYWORD")
_KEYWORD = ("POSITIONAL_OR_KEYWORD", "KEYWORD_ONLY")
_GENERATOR = 0x20  # inspect.CO_GENERATOR

Numbers: TypeAlias = tuple[int, ...]
Names: TypeAlias = tuple[str, ...]


def signature_of(function: Callable[..., Any]) -> inspect.Signature | None:
    """The signature, or None for builtins that have none."""
    import inspect  # Takes a third of the time to the first jaxpr, and most functions do without.

    try:
        return inspect.signature(function)
    except (TypeError, ValueError):
        return None


def check_function(function: Any) -> None:
    """Raises TypeError for what a transform cannot trace."""
    if isinstance(function, staticmethod):
        raise TypeError(f"staticmethod arguments are not supported, got {function}")
    if not callable(function):
        raise TypeError(f"Expected a callable value, got {function}")
    if _is_generator_function(function):
        raise TypeError(f"Expected a function, got a generator function: {function}")


def _is_generator_function(function: Any) -> bool:
    function = getattr(function, "__func__", function)
    while isinstance(function, functools.partial):
        function = function.func
    code = getattr(function, "__code__", None)
    return isinstance(code, CodeType) and bool(code.co_flags & _GENERATOR)


def index_tuple(numbers: Any) -> Numbers:
    """One number or several as a tuple."""
    try:
        return (operator.index(numbers),)
    except TypeError:
        return tuple(map(operator.index, numbers))


def name_tuple(names: Any) -> Names:
    """One name or several as a tuple. Raises TypeError for anything else."""
    if isinstance(names, str):
        return (names,)
    result = tuple(names)
    for name in result:
        if not isinstance(name, str):
            raise TypeError(f"argument is not a string: {name}")
    return result


def resolve(
    function: Callable[..., Any],
    numbers: int | Iterable[int] | None,
    names: str | Iterable[str] | None,
    kind: str,
) -> tuple[Numbers, Names]:
    """The arguments that ``{kind}_argnums`` and ``{kind}_argnames`` choose; each is inferred when only the other is given.

    Raises:
        ValueError: for a number out of range, a name that is no parameter or a positional-only one.
        TypeError: for numbers that are none, or names that are no strings.
    """
    if numbers is None and names is None:
        return (), ()
    signature = signature_of(function)
    if signature is None:
        return index_tuple(numbers) if numbers is not None else (), name_tuple(
            names
        ) if names is not None else ()
    chosen = index_tuple(numbers) if numbers is not None else None
    named = name_tuple(names) if names is not None else None
    parameters = list(signature.parameters.values())
    if chosen is None:
        chosen = tuple(
            i
            for i, p in enumerate(parameters)
            if named is not None and p.kind.name == "POSITIONAL_OR_KEYWORD" and p.name in named
        )
    elif named is None:
        named = tuple(
            p.name for i, p in enumerate(parameters) if p.kind.name == "POSITIONAL_OR_KEYWORD" and i in chosen
        )
    _check_numbers(parameters, chosen, f"{kind}_argnums")
    _check_names(parameters, named or (), f"{kind}_argnames")
    return chosen, named or ()


def _check_numbers(parameters: Sequence[inspect.Parameter], numbers: Numbers, what: str) -> None:
    if any(p.kind.name == "VAR_POSITIONAL" for p in parameters):
        return
    count = sum(p.kind.name in _POSITIONAL for p in parameters)
    if numbers and (-min(numbers) > count or max(numbers) >= count):
        raise ValueError(
            f"Jitted function has {what}={numbers}, but only accepts {count} positional arguments."
        )


def _check_names(parameters: Sequence[inspect.Parameter], names: Names, what: str) -> None:
    valid = {p.name for p in parameters if p.kind.name in _KEYWORD}
    invalid = {p.name for p in parameters if p.kind.name in ("POSITIONAL_ONLY", "VAR_POSITIONAL")}
    if wrong := invalid & set(names):
        raise ValueError(f"Jitted function has invalid argnames {wrong} in {what}. These are positional-only")
    if any(p.kind.name == "VAR_KEYWORD" for p in parameters):
        return
    if unknown := set(names) - valid:
        raise ValueError(
            f"Jitted function has invalid argnames {unknown} in {what}. Function does not take these args."
        )


def normalized(numbers: Numbers, count: int) -> Numbers:
    """The numbers as positions among `count` arguments; those that were not passed are dropped."""
    return tuple(n % count for n in numbers if -count <= n < count)


# ------------------------------------------------------------------------------------------------ names


def wraps(function: Callable[..., Any]) -> Callable[[Callable[..., Any]], Any]:
    """`functools.wraps`, also of callable objects whose name is no string."""

    def wrapped(wrapper: Callable[..., Any]) -> Any:
        if isinstance(getattr(function, "__name__", ""), str):
            return functools.update_wrapper(wrapper, function)
        return functools.update_wrapper(wrapper, function, assigned=("__module__", "__doc__"))

    return wrapped


def name_of(function: Any) -> str:
    """The function's own name, seen through partials."""
    while isinstance(function, functools.partial):
        function = function.func
    name = getattr(function, "__name__", None)
    return name if name and isinstance(name, str) else type(function).__name__


def source_of(function: Any) -> str:
    """``f at FILE:LINE``."""
    while isinstance(function, functools.partial):
        function = function.func
    if hasattr(function, "__wrapped__"):
        import inspect

        function = inspect.unwrap(function)
    code = getattr(function, "__code__", None)
    if code is None:
        return name_of(function)
    return f"{name_of(function)} at {code.co_filename}:{code.co_firstlineno}"


def leaf_names(
    function: Callable[..., Any],
    args: Sequence[Any],
    kwargs: dict[str, Any],
    static: Sequence[int] = (),
) -> tuple[str, ...]:
    """The names of all leaves of the arguments, as ``x`` or ``params['w'][0]``, without the static positions."""
    static_mark = object()
    marked = [static_mark if i in static else arg for i, arg in enumerate(args)]
    ordered = _ordered(function, marked, kwargs)
    return tuple(
        f"{name}{keystr(path)}"
        for name, value in ordered
        for path, leaf in tree_leaves_with_path(value)
        if leaf is not static_mark
    )


def _plain_names(function: Callable[..., Any], count: int) -> tuple[str, ...] | None:
    """The names of the first `count` parameters of a function that can be called with so many arguments.

    None for what is no plain function, or one with a signature of its own.
    """
    if type(function) is not FunctionType or function.__dict__:
        return None
    code = function.__code__
    required = code.co_argcount - len(function.__defaults__ or ())
    if code.co_kwonlyargcount or not required <= count <= code.co_argcount:
        return None
    return code.co_varnames[:count]


def _ordered(
    function: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any]
) -> list[tuple[str, Any]]:
    """Parameters with their arguments in the order of flattening: positional ones, then keywords sorted by name."""
    plain = None if kwargs else _plain_names(function, len(args))
    if plain is not None:
        return list(zip(plain, args))
    signature = signature_of(function)
    try:
        bound = signature.bind(*args, **kwargs) if signature is not None else None
    except TypeError:
        bound = None
    if bound is None or signature is None:
        return [("args", list(args)), *[(f"kwargs['{name}']", kwargs[name]) for name in sorted(kwargs)]]
    variadic = next((p.name for p in signature.parameters.values() if p.kind.name == "VAR_KEYWORD"), None)
    positional = [
        (name, arg) for name, arg in bound.arguments.items() if name not in kwargs and name != variadic
    ]
    keywords = [
        (name if name in bound.arguments else f"{variadic}['{name}']", kwargs[name])
        for name in sorted(kwargs)
    ]
    return [*positional, *keywords]


def inferred(
    signature: inspect.Signature, numbers: int | Iterable[int] | None, names: str | Iterable[str] | None
) -> tuple[Numbers, Names]:
    """The numbers and names of arguments, of which one is inferred where it is not given."""
    places = {
        name: i
        for i, (name, parameter) in enumerate(signature.parameters.items())
        if parameter.kind is parameter.POSITIONAL_OR_KEYWORD
    }
    if numbers is None:
        named = name_tuple(names) if names is not None else ()
        return tuple(i for name, i in places.items() if name in named), named
    chosen = index_tuple(numbers)
    if names is not None:
        return chosen, name_tuple(names)
    return chosen, tuple(name for name, i in places.items() if i in chosen)
