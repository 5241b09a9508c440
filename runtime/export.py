"""`jax.export`: jitted functions with the types that they were traced for, to be called without their code.

Exported programs are kept as jaxprs. What needs StableHLO - to write them down and read them, and shapes with symbols in
them - is absent.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from .arrays.avals import ShapedArray
from .core import ClosedJaxpr, Value, get_aval
from .jaxprs.jaxpr import Jaxpr, sub_jaxprs
from .jaxprs.replay import jaxpr_as_values
from .jitting.jit import JitFunction, jit
from .pytree.definition import PyTreeDef
from .pytree.keys import keystr
from .pytree.paths import tree_flatten_with_path
from .transforms.batching import BatchTracer

__all__ = [
    "DisabledSafetyCheck",
    "Exported",
    "default_export_platform",
    "export",
    "is_symbolic_dim",
    "maximum_supported_calling_convention_version",
    "minimum_supported_calling_convention_version",
    "register_namedtuple_serialization",
    "register_pytree_node_serialization",
]

minimum_supported_calling_convention_version = 9
maximum_supported_calling_convention_version = 10

_CALLBACKS = frozenset(("debug_callback", "io_callback", "pure_callback"))


class DisabledSafetyCheck:
    """A check of exported programs that is left out; of these there are none here."""

    def __init__(self, name: str) -> None:
        self._name = name

    @classmethod
    def platform(cls) -> DisabledSafetyCheck:
        """That the platform of a call is one of those that the program was exported for."""
        return cls("platform")

    @classmethod
    def custom_call(cls, target_name: str) -> DisabledSafetyCheck:
        """That a call of the platform's own is known to be stable."""
        return cls(f"custom_call:{target_name}")

    def is_custom_call(self) -> str | None:
        """The name of the call, if it is about one."""
        kind, _, name = self._name.partition(":")
        return name if kind == "custom_call" else None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DisabledSafetyCheck) and self._name == other._name

    def __hash__(self) -> int:
        return hash(self._name)

    def __repr__(self) -> str:
        return self._name


@dataclass(frozen=True, eq=False)
class Exported:
    """A program, and what it takes and gives. Static arguments are part of it."""

    fun_name: str
    in_tree: PyTreeDef
    in_avals: tuple[ShapedArray, ...]
    out_tree: PyTreeDef
    out_avals: tuple[ShapedArray, ...]
    platforms: tuple[str, ...]
    disabled_safety_checks: Sequence[DisabledSafetyCheck]
    _closed: ClosedJaxpr
    calling_convention_version: int = maximum_supported_calling_convention_version
    nr_devices: int = 1
    ordered_effects: tuple[Any, ...] = ()
    unordered_effects: tuple[Any, ...] = ()
    uses_global_constants: bool = False

    @property
    def in_shardings_hlo(self) -> tuple[None, ...]:
        return (None,) * len(self.in_avals)

    @property
    def out_shardings_hlo(self) -> tuple[None, ...]:
        return (None,) * len(self.out_avals)

    def in_shardings_jax(self, mesh: Any) -> tuple[None, ...]:
        return self.in_shardings_hlo

    def out_shardings_jax(self, mesh: Any) -> tuple[None, ...]:
        return self.out_shardings_hlo

    @property
    def module_kept_var_idx(self) -> tuple[int, ...]:
        """Which arguments the program reads."""
        jaxpr = self._closed.jaxpr
        read = {*jaxpr.outvars, *(atom for eqn in jaxpr.eqns for atom in eqn.invars)}
        return tuple(i for i, var in enumerate(jaxpr.invars) if var in read)

    def call(self, *args: Any, **kwargs: Any) -> Any:
        """Run the program, under whatever is traced.

        Raises:
            ValueError: for arguments of another structure, shape or type, and for a program of another platform.
            NotImplementedError: under `vmap`.
        """
        leaves = self._checked(args, kwargs)
        if "cpu" not in self.platforms and DisabledSafetyCheck.platform() not in self.disabled_safety_checks:
            raise ValueError(
                f"Function '{self.fun_name}' was exported for platforms '{self.platforms}' but it is used on '('cpu',)'."
            )
        if any(isinstance(leaf, BatchTracer) for leaf in leaves):
            raise NotImplementedError("Batching rule for 'call_exported' not implemented")
        return self.out_tree.unflatten(_run(self._closed)(*leaves))

    def _checked(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Value]:
        """The leaves of the arguments, if the program takes them."""
        paths, tree = tree_flatten_with_path((args, kwargs))
        if tree != self.in_tree:
            raise ValueError(
                "The invocation args and kwargs must have the same pytree structure as when the function "
                f"'{self.fun_name}' was exported, but it is {tree} and was {self.in_tree}"
            )
        for (path, leaf), wanted in zip(paths, self.in_avals):
            name, given = _name(path), get_aval(leaf)
            if given.ndim != wanted.ndim:
                raise ValueError(
                    f"Rank mismatch for {name}: expected {wanted.shape} and called with {given.shape}"
                )
            for axis, (size, length) in enumerate(zip(given.shape, wanted.shape)):
                if size != length:
                    raise ValueError(
                        f"Shape mismatch for {name}.shape[{axis}] (expected same constant): expected {wanted.shape} and "
                        f"called with {given.shape}"
                    )
            if given.dtype != wanted.dtype:
                raise ValueError(
                    f"Dtype mismatch for {name}: expected {wanted.dtype} and called with {given.dtype}"
                )
        return [leaf for _, leaf in paths]

    def has_vjp(self) -> bool:
        return True

    def vjp(self) -> Exported:
        """The program of the cotangents of all arguments, from the arguments and the cotangents of the results."""
        from .transforms.differentiation import vjp

        run, count = _run(self._closed), len(self.in_avals)

        def pulled_back(*primals_and_cotangents: Value) -> Any:
            _, pull = vjp(run, *primals_and_cotangents[:count])
            return pull(list(primals_and_cotangents[count:]))

        cotangents = [aval.to_tangent_aval() for aval in self.out_avals]
        pulled_back.__name__ = f"{self.fun_name}_vjp"
        make = export(jit(pulled_back), platforms=self.platforms, disabled_checks=self.disabled_safety_checks)
        return make(*self.in_avals, *cotangents)

    def serialize(self, vjp_order: int = 0) -> NoReturn:
        """Raises NotImplementedError."""
        raise NotImplementedError(
            "jax.export.Exported.serialize: tracetrap.runtime has no StableHLO, in which programs are written down"
        )

    def mlir_module(self) -> NoReturn:
        """Raises NotImplementedError."""
        raise NotImplementedError(
            "jax.export.Exported.mlir_module: tracetrap.runtime goes from jaxprs to LLVM without StableHLO"
        )

    def __repr__(self) -> str:
        return f"Exported(fun_name={self.fun_name!r}, in_tree={self.in_tree}, in_avals={self.in_avals}, ...)"

    def __str__(self) -> str:
        return f"Exported(fun_name={self.fun_name}, ...)"


def export(
    fun_jit: Any,
    *,
    platforms: Sequence[str] | None = None,
    disabled_checks: Sequence[DisabledSafetyCheck] = (),
    _override_lowering_rules: Any = None,
) -> Callable[..., Exported]:
    """A function that exports `fun_jit` for arguments like those it is called with.

    Raises ValueError for a function that is not jitted. The function that it returns raises NotImplementedError for a
    program that calls back to Python.
    """
    if not isinstance(fun_jit, JitFunction):
        raise ValueError(f"Function to be exported must be the result of `jit` but is: {fun_jit}")

    def exported(*args: Any, **kwargs: Any) -> Exported:
        traced = fun_jit.trace(*args, **kwargs)
        closed = traced.jaxpr
        if _calls_back(closed.jaxpr):
            raise NotImplementedError("serialization of host_callbacks is not yet implemented")
        in_avals = tuple(closed.in_avals[len(closed.in_avals) - traced.in_tree.num_leaves :])
        return Exported(
            traced.fun_name,
            traced.in_tree,
            in_avals,
            traced.out_tree,
            tuple(closed.out_avals),
            tuple(platforms or (default_export_platform(),)),
            tuple(disabled_checks),
            closed,
        )

    return exported


def default_export_platform() -> str:
    return "cpu"


def is_symbolic_dim(p: Any) -> bool:
    """False: no dimension is a symbol."""
    return False


def register_pytree_node_serialization(
    nodetype: Any,
    *,
    serialized_name: str,
    serialize_auxdata: Callable[..., bytes],
    deserialize_auxdata: Callable[..., Any],
    from_children: Callable[..., Any] | None = None,
) -> Any:
    """The type itself: how its nodes are written down makes no difference, as `Exported.serialize` is absent."""
    return nodetype


def register_namedtuple_serialization(nodetype: Any, *, serialized_name: str) -> Any:
    """The type itself, as `register_pytree_node_serialization` has it."""
    return nodetype


def _run(closed: ClosedJaxpr) -> Callable[..., list[Value]]:
    """What runs a program on leaves."""

    def call_exported(*leaves: Value) -> list[Value]:
        return list(jaxpr_as_values(closed.jaxpr, closed.consts, *leaves))

    run: Callable[..., list[Value]] = jit(call_exported)
    return run


def _calls_back(jaxpr: Jaxpr) -> bool:
    return any(
        eqn.primitive.name in _CALLBACKS or any(_calls_back(inner) for inner in sub_jaxprs(eqn))
        for eqn in jaxpr.eqns
    )


def _name(path: tuple[Any, ...]) -> str:
    """What an argument is called: ``args[0]['a']``."""
    return f"{'kwargs' if path[0].idx else 'args'}{keystr(path[1:])}"
