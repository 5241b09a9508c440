"""The steps between a jitted function and its results, to be looked at one by one: traced, lowered, compiled."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from .arrays.avals import ShapedArray
from .arrays.cpu import SingleDeviceSharding
from .core import ClosedJaxpr, Tracer, get_aval
from .pytree.definition import PyTreeDef, tree_flatten
from .tracing.inspection import ShapeDtypeStruct

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .jitting.programs import Program


@dataclass(frozen=True)
class ArgInfo:
    """What is known of an argument before it is there."""

    _aval: ShapedArray
    donated: bool

    @property
    def shape(self) -> tuple[int, ...]:
        return self._aval.shape

    @property
    def dtype(self) -> Any:
        return self._aval.dtype


class Stage:
    """What all stages know of a program: the structures and the types of its arguments and its result.

    Structures of arguments are pairs of positional ones and those by keyword, without the static ones.
    """

    _program: Program

    @property
    def _types(self) -> list[ShapedArray]:
        return self._program.closed.in_avals[len(self._program.tracers) :]

    @property
    def in_tree(self) -> PyTreeDef:
        return self._program.in_tree

    @property
    def out_tree(self) -> PyTreeDef:
        return self._program.out_tree

    @property
    def in_avals(self) -> Any:
        return self.in_tree.unflatten(self._types)

    @property
    def args_info(self) -> Any:
        donated = self._program.donated or [False] * len(self._types)
        return self.in_tree.unflatten(map(ArgInfo, self._types, donated))

    @property
    def donate_argnums(self) -> tuple[int, ...]:
        return tuple(number for number, donated in enumerate(self._program.donated) if donated)

    @property
    def out_info(self) -> Any:
        """The result with a `ShapeDtypeStruct` for each array."""
        avals = self._program.closed.out_avals
        return self.out_tree.unflatten([ShapeDtypeStruct.of(a) for a in avals])

    def cost_analysis(self) -> dict[str, float]:
        """How many operations (``flops``) and elementary functions there are, and how many bytes are read and written.

        Counted on the jaxpr, before operations are fused.
        """
        from .jaxprs.costs import costs

        return costs(self._program.closed.jaxpr)


class Traced(Stage):
    """``jax.jit(f).trace(...)``: the jaxpr, and what the result looks like."""

    def __init__(self, program: Program) -> None:
        self._program = program

    @property
    def jaxpr(self) -> ClosedJaxpr:
        return self._program.closed

    @property
    def fun_name(self) -> str:
        return self._program.name

    @property
    def out_avals(self) -> Any:
        return self.out_tree.unflatten(self._program.closed.out_avals)

    def eval_shape(self) -> Any:
        return self.out_info

    def lower(self, *, lowering_platforms: Sequence[str] | None = None) -> Lowered:
        """Raises NotImplementedError for platforms other than the CPU."""
        for platform in lowering_platforms or ():
            if platform != "cpu":
                raise NotImplementedError(
                    f"lowering for {platform!r}: tracetrap.runtime compiles for the CPU only"
                )
        return Lowered(self._program)


class Lowered(Stage):
    """``jax.jit(f).lower(...)``: what will be compiled."""

    def __init__(self, program: Program) -> None:
        self._program = program

    def as_text(self, dialect: str | None = None, *, debug_info: bool = False) -> str:
        """The jaxpr. This runtime goes from jaxprs to LLVM, without StableHLO between them.

        Raises NotImplementedError for a dialect of MLIR and for HLO, ValueError for any other.
        """
        if dialect in ("stablehlo", "mhlo", "hlo"):
            raise NotImplementedError(f"{dialect}: tracetrap.runtime goes from jaxprs to LLVM without it")
        if dialect is not None:
            raise ValueError(f"unknown dialect: {dialect}")
        return str(self._program.closed)

    def compiler_ir(self, dialect: str | None = None) -> None:
        """None: there is no form of the program between its jaxpr and its machine code that can be handed out."""
        if dialect not in (None, "stablehlo", "mhlo", "hlo"):
            raise ValueError(f"unknown dialect: {dialect}")

    def compile(self, compiler_options: Any = None, *, device_assignment: Any = None) -> Compiled:
        return Compiled(self._program)


class Compiled(Stage):
    """``jax.jit(f).lower(...).compile()``: call it with arguments of the same shapes and types."""

    def __init__(self, program: Program) -> None:
        from .jaxprs.execution import executable

        self._program = program
        self._executable = executable(program.closed)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run. Raises TypeError when the arguments are not those that were compiled for."""
        leaves, tree = tree_flatten((args, kwargs))
        if tree != self.in_tree:
            raise TypeError(
                "Function compiled with input pytree does not match the input pytree it was called with: it was "
                f"compiled for {self.in_tree}, and called with {tree}"
            )
        self._check(leaves)
        results = self._executable([*self._program.tracers, *leaves])
        return self.out_tree.unflatten(results)

    def _check(self, leaves: list[Any]) -> None:
        """Raises TypeError for arguments of other types, and for tracers: what is compiled cannot be transformed."""
        info = self._program.closed.jaxpr.debug_info
        names = info.arg_names or map(str, range(len(leaves)))
        wrong = []
        for name, leaf, wanted in zip(names, leaves, self._types):
            if isinstance(leaf, Tracer):
                raise TypeError(
                    "Cannot apply JAX transformations to a function lowered and compiled for a particular signature. "
                    f"Detected argument of Tracer type {type(leaf)}."
                )
            given = get_aval(leaf)
            if (given.shape, given.dtype) != (wanted.shape, wanted.dtype):
                wrong.append(f"Argument '{name}' compiled with {wanted} and called with {given}")
        if wrong:
            raise TypeError(
                "Argument types differ from the types for which this computation was compiled. Perhaps you are calling "
                "the compiled executable with a different enable_x64 mode than when it was AOT compiled? The "
                "mismatches are:\n" + "\n".join(wrong)
            )

    @property
    def out_info(self) -> Any:
        avals = self._program.closed.out_avals
        place = SingleDeviceSharding()
        return self.out_tree.unflatten([ShapeDtypeStruct(a.shape, a.dtype, sharding=place) for a in avals])

    @property
    def input_shardings(self) -> Any:
        return self.in_tree.unflatten([SingleDeviceSharding() for _ in self._types])

    @property
    def output_shardings(self) -> Any:
        return self.out_tree.unflatten([SingleDeviceSharding() for _ in self._program.closed.out_avals])

    @property
    def input_formats(self) -> Any:
        return self.in_tree.unflatten([_format(aval) for aval in self._types])

    @property
    def output_formats(self) -> Any:
        return self.out_tree.unflatten([_format(aval) for aval in self._program.closed.out_avals])

    def as_text(self) -> str:
        return str(self._program.closed)

    def runtime_executable(self) -> None:
        """None: machine code is called by the runtime itself."""

    def memory_analysis(self) -> MemoryAnalysis:
        """How much memory the arguments, the results and what lies between them take."""
        avals = self._types, self._program.closed.out_avals
        given, returned = (sum(aval.size * aval.dtype.itemsize for aval in part) for part in avals)
        return MemoryAnalysis(given, returned, getattr(self._executable.call, "scratch_bytes", 0))


@dataclass(frozen=True)
class MemoryAnalysis:
    """Sizes in bytes. What programs take that NumPy runs is not among the temporary ones."""

    argument_size_in_bytes: int
    output_size_in_bytes: int
    temp_size_in_bytes: int
    alias_size_in_bytes: int = 0
    host_argument_size_in_bytes: int = 0
    host_output_size_in_bytes: int = 0
    host_temp_size_in_bytes: int = 0
    host_alias_size_in_bytes: int = 0

    @property
    def peak_memory_in_bytes(self) -> int:
        return self.argument_size_in_bytes + self.output_size_in_bytes + self.temp_size_in_bytes


def _format(aval: ShapedArray) -> Any:
    from .experimental.layout import Format, Layout

    return Format(Layout.of(aval.ndim), SingleDeviceSharding())


@runtime_checkable
class Wrapped(Protocol):
    """What `jit` returns: it is called, and has `trace`, `lower` and `eval_shape`."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...
    def trace(self, *args: Any, **kwargs: Any) -> Traced: ...
    def lower(self, *args: Any, **kwargs: Any) -> Lowered: ...
    def eval_shape(self, *args: Any, **kwargs: Any) -> Any: ...
