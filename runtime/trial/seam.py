"""Hooks on JAX's transforms: every user function that one of them traces reports when, and with what.

The hook wraps the *traced function*, not the transformed one, so that all else (caches, `lower`, pytrees,
error messages, which unwrap `__wrapped__`) stays as JAX made it.
"""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any

from .describe import describe_call
from .evidence import Evidence, TraceKey
from .sandbox import TimeLimit

# Where the callables stand among the arguments of a transform: positions, and the names they go by.
TRANSFORMS: dict[str, tuple[tuple[int, ...], tuple[str, ...]]] = {
    "jit": ((0,), ("fun",)),
    "pmap": ((0,), ("fun",)),
    "vmap": ((0,), ("fun",)),
    "grad": ((0,), ("fun",)),
    "value_and_grad": ((0,), ("fun",)),
    "jacfwd": ((0,), ("fun",)),
    "jacrev": ((0,), ("fun",)),
    "jacobian": ((0,), ("fun",)),
    "hessian": ((0,), ("fun",)),
    "checkpoint": ((0,), ("fun",)),
    "remat": ((0,), ("fun",)),
    "jvp": ((0,), ("fun",)),
    "vjp": ((0,), ("fun",)),
    "linearize": ((0,), ("fun",)),
    "make_jaxpr": ((0,), ("fun",)),
    "eval_shape": ((0,), ("fun",)),
    "named_call": ((0,), ("fun",)),
    "shard_map": ((0,), ("f",)),
    "lax.scan": ((0,), ("f",)),
    "lax.map": ((0,), ("f",)),
    "lax.associative_scan": ((0,), ("fn",)),
    "lax.while_loop": ((0, 1), ("cond_fun", "body_fun")),
    "lax.fori_loop": ((2,), ("body_fun",)),
    "lax.cond": ((1, 2), ("true_fun", "false_fun")),
    "lax.switch": ((1,), ("branches",)),
    "lax.custom_root": ((0,), ("f",)),
    "lax.reduce": ((2,), ("computation",)),
}
# These return a function to be called; the others trace at once.
MAKERS = {
    "jit",
    "pmap",
    "vmap",
    "grad",
    "value_and_grad",
    "jacfwd",
    "jacrev",
    "jacobian",
    "hessian",
    "checkpoint",
}
MAKERS |= {"remat", "named_call", "shard_map", "make_jaxpr"}
TRANSFORM_NAMES = {path.rpartition(".")[2] for path in TRANSFORMS} - {"map", "reduce"}
_MEMO = "__tracetrap_observed__"
_MAX_RECORDS = 400


@dataclass(slots=True)
class Record:
    """One application of a transform to a user's function, and what it returned."""

    key: TraceKey
    function: Callable[..., Any]
    made: Callable[..., Any]
    arguments: tuple[Any, ...]
    options: dict[str, Any]


def transforms_of(jax: ModuleType) -> Iterator[tuple[str, Any, Callable[..., Any]]]:
    """The transforms that there are, each with its path and the module that it is an attribute of; loads them."""
    for path in TRANSFORMS:
        *parents, name = path.split(".")
        owner: Any = jax
        for parent in parents:
            owner = getattr(owner, parent, None)
        original = getattr(owner, name, None)
        if callable(original):
            yield path, owner, original


class Seam:
    """The hooked transforms of one process."""

    def __init__(self, evidence: Evidence) -> None:
        self.evidence = evidence
        self.records: dict[tuple[CodeType, str], Record] = {}
        self.originals: dict[str, Callable[..., Any]] = {}
        self._hooks: list[tuple[Any, str, Callable[..., Any]]] = []

    def install(self, jax: ModuleType) -> None:
        """Replace the transforms in `jax` and `jax.lax` by hooked ones."""
        if not self._hooks:
            self._make_hooks(jax)
        for owner, name, hook in self._hooks:
            setattr(owner, name, hook)

    def uninstall(self) -> None:
        """Give `jax` and `jax.lax` their own transforms back."""
        for owner, name, _ in self._hooks:
            setattr(owner, name, self.originals[name])

    def _make_hooks(self, jax: ModuleType) -> None:
        for path, owner, original in transforms_of(jax):
            name = path.rpartition(".")[2]
            self.originals[name] = original
            self._hooks.append((owner, name, self._hook(path, original)))

    def remake(self, record: Record) -> Callable[..., Any]:
        """Apply the transform of a record again, to a function that no cache knows."""
        options = {name: value for name, value in record.options.items() if name not in ("fun", "f")}
        observed = self._observer(record.function, record.key)
        made: Callable[..., Any] = self.originals[record.key.transform](
            observed, *record.arguments, **options
        )
        return made

    def _hook(self, path: str, original: Callable[..., Any]) -> Callable[..., Any]:
        positions, names = TRANSFORMS[path]
        transform = path.rpartition(".")[2]
        observe = self.observe
        makes = path in MAKERS

        @functools.wraps(original)
        def hooked(*arguments: Any, **options: Any) -> Any:
            wrapped = list(arguments)
            for position in positions:
                if position < len(wrapped):
                    wrapped[position] = observe(wrapped[position], transform)
            passed = {
                name: observe(value, transform) if name in names else value for name, value in options.items()
            }
            result = original(*wrapped, **passed)
            if makes:
                function = arguments[0] if arguments else options.get(names[0])
                caller = sys._getframe(1)
                site = (caller.f_code.co_filename, caller.f_lineno)
                self._note(function, transform, result, arguments[1:], options, site)
            return result

        return hooked

    def observe(self, function: Any, transform: str) -> Any:
        """The function with a report of each trace; anything that is no user function as it is."""
        if isinstance(function, (list, tuple)):
            return type(function)(self.observe(member, transform) for member in function)
        if not isinstance(function, (FunctionType, MethodType, functools.partial)):
            return function  # among them staticmethod objects, which a transform refuses
        key = self.key_of(function, transform)
        if key is None or inspect.isgeneratorfunction(function) or inspect.iscoroutinefunction(function):
            return function
        memo = getattr(function, _MEMO, None) if isinstance(function, FunctionType) else None
        if memo is not None and memo.__wrapped__ is function and memo.__tracetrap_transform__ == transform:
            return memo
        observed = self._observer(function, key)
        observed.__tracetrap_transform__ = transform  # type: ignore[attr-defined]
        if isinstance(function, FunctionType):
            function.__dict__[_MEMO] = observed
        return observed

    def _observer(self, function: Callable[..., Any], key: TraceKey) -> Callable[..., Any]:
        evidence = self.evidence

        def observed(*arguments: Any, **keywords: Any) -> Any:
            seen = evidence.traced.get(key, 0)
            evidence.traced[key] = seen + 1
            inputs = describe_call(function, arguments, keywords)
            shown = evidence.inputs.setdefault(key, [])
            if len(shown) < 50:
                shown.append(inputs)
            evidence.stack.append(key)
            try:
                return function(*arguments, **keywords)
            except TimeLimit:
                raise
            except BaseException as error:
                evidence.record(error, inputs)
                raise
            finally:
                evidence.stack.pop()

        try:
            functools.update_wrapper(observed, function, updated=())
        except AttributeError:
            observed.__wrapped__ = function  # type: ignore[attr-defined]
        return observed

    def _note(
        self,
        function: Any,
        transform: str,
        made: Any,
        arguments: tuple[Any, ...],
        options: dict[str, Any],
        site: tuple[str, int],
    ) -> None:
        key = self.key_of(function, transform)
        if key is not None and callable(made) and len(self.records) < _MAX_RECORDS:
            code = code_of(function)
            assert code is not None
            self.evidence.applied.setdefault(key, set()).add(site)
            if (
                not self.evidence.stack
            ):  # made inside a trace it closes over tracers, which end with that trace
                self.records[(code, transform)] = Record(key, function, made, arguments, options)

    def key_of(self, function: Any, transform: str) -> TraceKey | None:
        """Name and place of a user's function, or None for anything else."""
        code = code_of(function)
        if code is None or not self.evidence.owns(code.co_filename):
            return None
        name = getattr(inspect.unwrap(_plain(function)), "__qualname__", code.co_name).replace(
            ".<locals>", ""
        )
        lines = [line for _, _, line in code.co_lines() if line]
        last = max([code.co_firstlineno, *lines, *_nested_lines(code)])
        return TraceKey(name, transform, code.co_filename, code.co_firstlineno, last)


def _plain(function: Any) -> Any:
    while isinstance(function, functools.partial):
        function = function.func
    return function.__func__ if isinstance(function, MethodType) else function


def code_of(function: Any) -> CodeType | None:
    """The code object behind functions, methods, partials and `functools.wraps` chains, if any."""
    try:
        plain = inspect.unwrap(_plain(function))
    except (ValueError, AttributeError):
        return None
    code = getattr(_plain(plain), "__code__", None)
    return code if isinstance(code, CodeType) else None


def _nested_lines(code: CodeType) -> Sequence[int]:
    lines: list[int] = []
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            lines += [line for _, _, line in constant.co_lines() if line]
            lines += _nested_lines(constant)
    return lines
