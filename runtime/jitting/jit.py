"""``jit``: functions that are traced once for each kind of arguments, compiled, and kept.

A call is looked up by what JAX looks it up by: the function itself, the values of its static arguments (with their
types, so that ``1`` is not ``True``), the tree structure of the others, their avals, and the configuration. Each miss
is recorded with the reason why nothing that was kept would do; see `misses`.
"""

from __future__ import annotations

import functools
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from types import MethodType
from typing import Any
from weakref import WeakKeyDictionary

from ..config import state
from ..core import ClosedJaxpr, Jaxpr, ShapedArray, Tracer, Value, current_trace, eval_trace, get_aval
from ..jaxprs.discharge import check_references_differ, references_as_arguments
from ..pytree.definition import PyTreeDef, tree_flatten
from ..tracing.references import Ref
from ..tracing.staging import DebugInfo, trace_to_jaxpr
from ..transforms.functions import check_result
from ..transforms.signatures import (
    check_function,
    leaf_names,
    name_of,
    normalized,
    resolve,
    source_of,
)
from .call_keys import note
from .misses import CacheMiss, Signature, explain
from .programs import Cache, Program

__all__ = ["JitFunction", "clear_caches", "jit", "miss_log"]

miss_log: deque[CacheMiss] = deque(maxlen=10_000)  # The misses of all jitted functions, oldest first.


_caches: WeakKeyDictionary[Any, dict[Any, Cache]] = WeakKeyDictionary()


def _cache_for(function: Callable[..., Any], options: tuple[Any, ...]) -> Cache:
    """Functions are told apart by identity, or by equality where they define it; wrapping one again finds its cache."""
    try:
        return _caches.setdefault(function, {}).setdefault(options, Cache())
    except TypeError:  # Not hashable, or without weak references.
        return Cache()


class JitFunction:
    """A function that runs compiled. Made by `jit`."""

    def __init__(
        self,
        function: Callable[..., Any],
        static: tuple[tuple[int, ...], tuple[str, ...]],
        donate: tuple[tuple[int, ...], tuple[str, ...]],
        inline: bool,
        keep_unused: bool,
    ) -> None:
        functools.update_wrapper(self, function)
        self._function = function
        self._static_numbers, self._static_names = static
        self._donate_numbers, self._donate_names = donate
        self._inline, self._keep_unused = inline, keep_unused
        self._static_positions: dict[int, tuple[int, ...]] = {}  # By the number of positional arguments.
        self._cache = _cache_for(function, (static, donate, inline, keep_unused))

    # -------------------------------------------------------------------------------------------- calling

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if current_trace() is not eval_trace:
            return self._call(args, kwargs, None)
        cache = self._cache
        if cache.config != state.key:
            cache.forget_shortcuts()
        if not kwargs:
            call, finish = cache.latest
            result = call(*args)
            if result is not NotImplemented:
                return result if finish is None else finish(result)
        leaves: list[Value] = []
        key = self._key(args, kwargs, leaves)
        try:
            program = cache.quick.get(key) if key is not None else None
        except TypeError:  # A static argument or metadata of a tree that is not hashable.
            program = key = None
        if program is None:
            return self._call(args, kwargs, key)
        result = program.call(leaves)
        if program.positional and program.builtin is not None:
            cache.latest = program.builtin, program.finish
        return result

    def _call(self, args: Sequence[Any], kwargs: dict[str, Any], key: tuple[Any, ...] | None) -> Any:
        if state.disable_jit:
            return self._function(*args, **kwargs)
        program, leaves = self._program(args, kwargs)
        if current_trace() is not eval_trace:
            results = program.bind(leaves, self._inline)
        elif program.tracers or program.refers:
            results = program.bind(leaves, False)
        else:
            results = program.apply(leaves)
            if key is not None:
                self._cache.quick[key] = program
        return program.out_tree.unflatten(results)

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else MethodType(self, instance)

    # -------------------------------------------------------------------------------------------- the cache

    def _key(
        self, args: Sequence[Any], kwargs: dict[str, Any], leaves: list[Value]
    ) -> tuple[Any, ...] | None:
        """The cheap key of a call, and its leaves; None if it has none."""
        key: list[Any] = [len(args)]
        dynamic = args
        if self._static_numbers:
            static = self._statics(len(args))
            for i in static:
                key += (type(args[i]), args[i])
            dynamic = [arg for i, arg in enumerate(args) if i not in static]
        if not note(dynamic, key, leaves):
            return None
        for name in sorted(kwargs):
            value = kwargs[name]
            key.append(name)
            if name in self._static_names:
                key += (type(value), value)
            elif not note((value,), key, leaves):
                return None
        return tuple(key)

    def _statics(self, count: int) -> tuple[int, ...]:
        """The static ones among `count` positional arguments."""
        positions = self._static_positions.get(count)
        if positions is None:
            positions = self._static_positions[count] = normalized(self._static_numbers, count)
        return positions

    def _program(self, args: Sequence[Any], kwargs: dict[str, Any]) -> tuple[Program, list[Value]]:
        """The program for a call, traced if it is the first of its kind, and the leaves of the traced arguments."""
        static_numbers = self._statics(len(args)) if self._static_numbers else ()
        static_values = [(i, args[i]) for i in static_numbers]
        dynamic = (
            [arg for i, arg in enumerate(args) if i not in static_numbers] if static_numbers else list(args)
        )
        static_keywords = [(name, kwargs[name]) for name in self._static_names if name in kwargs]
        keywords = {name: value for name, value in kwargs.items() if name not in self._static_names}
        statics: list[tuple[int | str, Any]] = [*static_values, *static_keywords]
        for _, value in statics:
            check_hashable(value)
        leaves, in_tree = tree_flatten((tuple(dynamic), keywords))
        try:
            avals = tuple([get_aval(leaf) for leaf in leaves])
        except TypeError as error:
            raise self._bad_argument(args, kwargs, leaves, static_numbers) from error
        self._check_overflow(args, kwargs, leaves, avals, static_numbers)
        static = tuple([(where, type(value), value) for where, value in statics])
        signature = Signature(static, in_tree, avals, state.key)
        program = self._cache.programs.get(signature)
        if program is not None:
            program.slow_hits += 1
            return program, leaves
        return self._trace(signature, args, kwargs, static_numbers, leaves), leaves

    def _trace(
        self,
        signature: Signature,
        args: Sequence[Any],
        kwargs: dict[str, Any],
        static_numbers: tuple[int, ...],
        leaves: Sequence[Value],
    ) -> Program:
        names = self._leaf_names(args, kwargs, static_numbers)
        info = DebugInfo("jit", source_of(self._function), names)
        out_tree: PyTreeDef | None = None

        def flat(*leaves: Value) -> list[Value]:
            nonlocal out_tree
            positional, keywords = signature.arguments(leaves)
            result = self._function(*positional, **keywords)
            outs, out_tree = tree_flatten(result)
            _check_results(outs, result, info)
            return outs

        hash(self._function)  # Raises TypeError where it is not hashable, as the caches of JAX do.
        check_references_differ(leaves, names, info)
        begin = time.perf_counter()
        jaxpr, consts = trace_to_jaxpr(flat, signature.avals, info)
        check_references_differ(leaves, names, info, consts)
        seconds = time.perf_counter() - begin
        assert out_tree is not None
        closed, operands, lasting = _closed(jaxpr, consts)
        donated = self._donated(args, kwargs, static_numbers)
        name = name_of(self._function)
        program = Program(closed, operands, signature, out_tree, name, donated)
        miss_log.append(
            CacheMiss(
                self._function,
                info.func_src_info,
                names,
                signature,
                seconds,
                program,
                explain(self._function, signature, list(self._cache.programs), names),
            )
        )
        if lasting:
            self._cache.programs[signature] = program
        return program

    def _donated(
        self, args: Sequence[Any], kwargs: dict[str, Any], static_numbers: tuple[int, ...]
    ) -> tuple[bool, ...]:
        """Which leaves of the traced arguments are donated."""
        if not (self._donate_numbers or self._donate_names):
            return ()
        numbers = normalized(self._donate_numbers, len(args))
        marks: list[bool] = []
        for i, arg in enumerate(args):
            if i not in static_numbers:
                marks += [i in numbers] * len(tree_flatten(arg)[0])
        for name in sorted(kwargs):
            if name not in self._static_names:
                marks += [name in self._donate_names] * len(tree_flatten(kwargs[name])[0])
        return tuple(marks)

    def _leaf_names(
        self, args: Sequence[Any], kwargs: dict[str, Any], static_numbers: tuple[int, ...]
    ) -> tuple[str, ...]:
        """What the leaves of the traced arguments are called."""
        keywords = {name: value for name, value in kwargs.items() if name not in self._static_names}
        return leaf_names(self._function, args, keywords, static_numbers)

    def _bad_argument(
        self, args: Sequence[Any], kwargs: dict[str, Any], leaves: list[Any], static_numbers: tuple[int, ...]
    ) -> TypeError:
        for position, leaf in enumerate(leaves):
            try:
                get_aval(leaf)
            except TypeError:
                where = self._leaf_names(args, kwargs, static_numbers)[position]
                return TypeError(
                    f"Error interpreting argument to {self._function} as an abstract array. The problematic value is "
                    f"of type {type(leaf)} and was passed to the function at path {where}.\n"
                    "This typically means that a jit-wrapped function was called with a non-array argument, and this "
                    "argument was not marked as static using the static_argnums or static_argnames parameters of "
                    "jax.jit."
                )
        raise AssertionError("every leaf has an aval")

    def _check_overflow(
        self,
        args: Sequence[Any],
        kwargs: dict[str, Any],
        leaves: list[Any],
        avals: tuple[ShapedArray, ...],
        static_numbers: tuple[int, ...],
    ) -> None:
        for position, (leaf, aval) in enumerate(zip(leaves, avals)):
            if (
                type(leaf) is int
                and leaf.bit_length() >= 8 * aval.dtype.itemsize
                and leaf != -(1 << 8 * aval.dtype.itemsize - 1)
            ):
                where = self._leaf_names(args, kwargs, static_numbers)[position]
                raise OverflowError(
                    "An overflow was encountered while parsing an argument to a jitted computation, whose argument "
                    f"path is {where}. Got {type(leaf)} with value {leaf}"
                )

    # -------------------------------------------------------------------------------------------- looking inside

    def trace(self, *args: Any, **kwargs: Any) -> Any:
        """Trace without running: a `stages.Traced`."""
        from ..stages import Traced

        return Traced(self._program(args, kwargs)[0])

    def lower(self, *args: Any, **kwargs: Any) -> Any:
        """Trace and lower without running: a `stages.Lowered`."""
        return self.trace(*args, **kwargs).lower()

    def eval_shape(self, *args: Any, **kwargs: Any) -> Any:
        """The shapes and types of the result, without running."""
        return self.trace(*args, **kwargs).out_info

    def clear_cache(self) -> None:
        """Forget all programs of the function."""
        self._cache.clear()

    @property
    def __signature__(self) -> Any:
        import inspect  # Which few programs load.

        return inspect.signature(self._function)

    def _cache_size(self) -> int:
        return len(self._cache.programs)

    def __repr__(self) -> str:
        return f"<PjitFunction of {self._function!r}>"


JitFunction.__name__ = JitFunction.__qualname__ = (
    "PjitFunction"  # By which libraries recognise jitted functions.
)


def check_hashable(value: Any) -> None:
    """Raises ValueError for a static argument that cannot be a key."""
    try:
        hash(value)
    except TypeError as error:
        raise ValueError(
            "Non-hashable static arguments are not supported. An error occurred while trying to hash an object of type "
            f"{type(value)}, {value}. The error was:\nTypeError: {error}\n"
        ) from error


def _closed(jaxpr: Jaxpr, consts: list[Any]) -> tuple[ClosedJaxpr, list[Value], bool]:
    """The program, what of the world outside are operands of it, and whether it may be kept for later calls."""
    if any(isinstance(const, Tracer) for const in consts):
        # Values of a trace around this one are operands of the equation; so are, as in JAX, all other constants.
        invars = [*jaxpr.constvars, *jaxpr.invars]
        return ClosedJaxpr(Jaxpr([], invars, jaxpr.outvars, jaxpr.eqns, jaxpr.debug_info)), consts, False
    if any(isinstance(const, Ref) for const in consts):
        jaxpr, consts, refs = references_as_arguments(jaxpr, consts)
        return ClosedJaxpr(jaxpr, consts), refs, all(ref.trace is eval_trace for ref in refs)
    return ClosedJaxpr(jaxpr, consts), [], True


def _check_results(outs: Sequence[Any], result: Any, info: DebugInfo) -> None:
    """Raises TypeError for a returned leaf that is no array, saying where in the result it stands."""
    for out in outs:
        check_result(out, result, info)


#: Stands for the function while `jit` makes a decorator of its options.
_ABSENT: Any = object()


def jit(
    fun: Callable[..., Any] = _ABSENT,
    /,
    *,
    in_shardings: Any = None,
    out_shardings: Any = None,
    static_argnums: int | Sequence[int] | None = None,
    static_argnames: str | Iterable[str] | None = None,
    donate_argnums: int | Sequence[int] | None = None,
    donate_argnames: str | Iterable[str] | None = None,
    keep_unused: bool = False,
    device: Any = None,
    backend: str | None = None,
    inline: bool = False,
    compiler_options: Any = None,
) -> Any:
    """Compile a function for each kind of arguments that it is called with: ``jax.jit``.

    Static arguments are Python values that the trace depends on: they must be hashable, and each new value is traced
    anew. Donated arguments may be overwritten by results and are deleted by the call.

    Raises:
        TypeError: for something that is no plain function.
        ValueError: for static or donated arguments that the function does not have.
    """
    if fun is _ABSENT:
        options = {name: value for name, value in locals().items() if name != "fun"}
        return functools.partial(jit, **options)
    check_function(fun)
    static = resolve(fun, static_argnums, static_argnames, "static")
    donate = resolve(fun, donate_argnums, donate_argnames, "donate")
    if both := set(static[1]) & set(donate[1]):
        raise ValueError(
            f"static_argnames and donate_argnames cannot intersect. Argument names {both} appear in both "
            "static_argnames and donate_argnames"
        )
    return JitFunction(fun, static, donate, inline, keep_unused)


def clear_caches() -> None:
    """Forget every program of every function."""
    for caches in _caches.values():
        for cache in caches.values():
            cache.clear()
