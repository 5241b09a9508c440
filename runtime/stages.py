"""The steps between a jitted function and its results, to be looked at one by one: traced, lowered, compiled."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .api import ShapeDtypeStruct
from .core import ClosedJaxpr, Value, get_aval
from .pytree.definition import tree_flatten

if TYPE_CHECKING:
    from .programs import Program


class Traced:
    """``jax.jit(f).trace(...)``: the jaxpr, and what the result looks like."""

    def __init__(self, program: Program, leaves: Sequence[Value]) -> None:
        self._program, self._leaves = program, leaves

    @property
    def jaxpr(self) -> ClosedJaxpr:
        return self._program.closed

    @property
    def fun_name(self) -> str:
        return self._program.name

    @property
    def out_info(self) -> Any:
        """The result with a `ShapeDtypeStruct` for each array."""
        return self._program.out_tree.unflatten([ShapeDtypeStruct.of(a) for a in self.jaxpr.out_avals])

    @property
    def out_tree(self) -> Any:
        return self._program.out_tree

    @property
    def in_avals(self) -> Any:
        return self.jaxpr.in_avals

    def eval_shape(self) -> Any:
        return self.out_info

    def lower(self, **options: Any) -> Lowered:
        return Lowered(self)


class Lowered:
    """``jax.jit(f).lower(...)``: what will be compiled."""

    def __init__(self, traced: Traced) -> None:
        self._traced = traced

    @property
    def out_info(self) -> Any:
        return self._traced.out_info

    @property
    def out_tree(self) -> Any:
        return self._traced.out_tree

    def as_text(self, dialect: str | None = None, **options: Any) -> str:
        """The jaxpr. This runtime goes from jaxprs to LLVM, without StableHLO between them."""
        return str(self._traced.jaxpr)

    def compile(self, *args: Any, **options: Any) -> Compiled:
        return Compiled(self._traced)

    def cost_analysis(self) -> dict[str, float]:
        return {"equations": float(len(self._traced.jaxpr.eqns))}


class Compiled:
    """``jax.jit(f).lower(...).compile()``: call it with arguments of the same shapes and types."""

    def __init__(self, traced: Traced) -> None:
        from .execution import executable

        self._traced = traced
        self._executable = executable(traced.jaxpr)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run. Raises TypeError when the arguments are not those that were compiled for."""
        leaves, _ = tree_flatten((args, kwargs))
        given = [get_aval(leaf) for leaf in leaves]
        wanted = self._traced.jaxpr.in_avals[len(self._traced._program.tracers) :]
        if [(a.shape, a.dtype.name) for a in given] != [(a.shape, a.dtype.name) for a in wanted]:
            raise TypeError(
                "Argument types differ from the types for which this computation was compiled: expected "
                f"{[str(a) for a in wanted]}, got {[str(a) for a in given]}"
            )
        results = self._executable([*self._traced._program.tracers, *leaves])
        return self._traced.out_tree.unflatten(results)

    def as_text(self) -> str:
        return str(self._traced.jaxpr)

    def cost_analysis(self) -> dict[str, float]:
        return {"equations": float(len(self._traced.jaxpr.eqns))}

    @property
    def out_info(self) -> Any:
        return self._traced.out_info


class Wrapped:
    """What `jit` returns, in annotations: it is called, and has `trace`, `lower` and `eval_shape`."""
