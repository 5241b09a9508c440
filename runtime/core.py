"""The heart of tracing: primitives, the values they are applied to, and who interprets them.

A program is a sequence of primitives applied to values. `Primitive.bind` hands each application to the *current trace*
of the thread: `EvalTrace` computes it, `staging.JaxprTrace` writes it down as an equation, and the traces of ``vmap``
and ``jvp`` turn it into other applications, bound under the trace that was current outside of them. So there is one
interpreter at a time, and no search for it. The names are those of ``jax.core``; the design is that of JAX's own
tutorial, "Autodidax 2".
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from contextvars import ContextVar
from functools import partial
from typing import TYPE_CHECKING, Any

from .arrays.avals import AbstractValue, Shape, ShapedArray, shaped_array
from .dtypes import BOOL, DType, as_dtype, canonical, python_scalar_dtype
from .jaxprs.jaxpr import (
    Atom,
    ClosedJaxpr,
    Jaxpr,
    JaxprEqn,
    Literal,
    Params,
    Source,
    Value,
    Var,
)
from .primitives import load_all
from .rounding import rounded

__all__ = [
    "Array",
    "Atom",
    "ClosedJaxpr",
    "EvalTrace",
    "Jaxpr",
    "JaxprEqn",
    "Literal",
    "Params",
    "Primitive",
    "Shape",
    "ShapedArray",
    "Source",
    "Trace",
    "Tracer",
    "Value",
    "Var",
    "aval_mappings",
    "current_trace",
    "escaped_tracer_error",
    "eval_trace",
    "get_aval",
    "literal",
    "make_current",
    "primitives",
    "set_current_trace",
    "shaped_array",
]


class Array:
    """An array, concrete or traced: ``jax.Array``. Its operators and methods are set by `methods`.

    `aval` says all that is known of it while tracing.
    """

    __slots__ = ()
    __array_priority__ = 100
    __hash__ = None  # type: ignore[assignment]
    aval: ShapedArray

    if TYPE_CHECKING:  # `operators` and `methods` set these.

        def __getattr__(self, name: str) -> Any: ...
        def __getitem__(self, index: Any) -> Any: ...
        def __add__(self, other: Any) -> Any: ...
        def __radd__(self, other: Any) -> Any: ...
        def __sub__(self, other: Any) -> Any: ...
        def __rsub__(self, other: Any) -> Any: ...
        def __mul__(self, other: Any) -> Any: ...
        def __rmul__(self, other: Any) -> Any: ...
        def __truediv__(self, other: Any) -> Any: ...
        def __rtruediv__(self, other: Any) -> Any: ...
        def __floordiv__(self, other: Any) -> Any: ...
        def __rfloordiv__(self, other: Any) -> Any: ...
        def __mod__(self, other: Any) -> Any: ...
        def __rmod__(self, other: Any) -> Any: ...
        def __pow__(self, other: Any) -> Any: ...
        def __rpow__(self, other: Any) -> Any: ...
        def __matmul__(self, other: Any) -> Any: ...
        def __rmatmul__(self, other: Any) -> Any: ...
        def __and__(self, other: Any) -> Any: ...
        def __rand__(self, other: Any) -> Any: ...
        def __or__(self, other: Any) -> Any: ...
        def __ror__(self, other: Any) -> Any: ...
        def __xor__(self, other: Any) -> Any: ...
        def __rxor__(self, other: Any) -> Any: ...
        def __lshift__(self, other: Any) -> Any: ...
        def __rlshift__(self, other: Any) -> Any: ...
        def __rshift__(self, other: Any) -> Any: ...
        def __rrshift__(self, other: Any) -> Any: ...
        def __divmod__(self, other: Any) -> Any: ...
        def __rdivmod__(self, other: Any) -> Any: ...
        def __lt__(self, other: Any) -> Any: ...
        def __le__(self, other: Any) -> Any: ...
        def __gt__(self, other: Any) -> Any: ...
        def __ge__(self, other: Any) -> Any: ...
        def __eq__(self, other: object) -> Any: ...
        def __ne__(self, other: object) -> Any: ...
        def __neg__(self) -> Any: ...
        def __pos__(self) -> Any: ...
        def __abs__(self) -> Any: ...
        def __invert__(self) -> Any: ...

    @property
    def shape(self) -> Shape:
        return self.aval.shape

    @property
    def dtype(self) -> Any:
        return self.aval.dtype

    @property
    def weak_type(self) -> bool:
        return self.aval.weak_type

    @property
    def ndim(self) -> int:
        return len(self.aval.shape)

    @property
    def size(self) -> int:
        return self.aval.size

    @property
    def itemsize(self) -> int:
        return int(self.aval.dtype.itemsize)

    @property
    def nbytes(self) -> int:
        return self.aval.size * int(self.aval.dtype.itemsize)

    def __len__(self) -> int:
        if not self.aval.shape:
            raise TypeError("len() of unsized object")
        return self.aval.shape[0]


# ------------------------------------------------------------------------------------------------ primitives


class _Registry(dict[str, "Primitive"]):
    """Every primitive of the families that have been imported, by name; all families when a name is missing."""

    def __missing__(self, name: str) -> Primitive:
        load_all()
        if name in self:
            return self[name]
        raise KeyError(name)


primitives = _Registry()


class Primitive:
    """An operation that traces understand. All that is known about it stands in this one object.

    `abstract_eval` maps avals and params to the aval of the result, or to a list of them when `multiple_results`, and
    raises TypeError or ValueError as JAX does. `impl` is the reference: NumPy arrays to a NumPy array, or a list.
    `eager`, when there is one, runs an application outside of traces instead of `impl`, on Arrays. `narrow_impl` is
    `impl` for a type that stands in a wider one, where each step is rounded by its first argument.

    `batch(size, args, dims, **params)`, `jvp(primals, tangents, **params)`, `transpose(ct, *args, **params)` and
    `lower` belong to the transforms and the code generator. `partial_eval(trace, unknown, args, **params)`, for those
    that hold jaxprs, computes what does not depend on the tangents of `transforms.linearize` and records the rest.
    `examples` are small applications, as (args, params), from which the tests of all these rules are generated.
    `pretty` turns params into what a printed jaxpr shows.
    """

    def __init__(self, name: str, *, multiple_results: bool = False) -> None:
        self.name = name
        self.multiple_results = multiple_results
        self.abstract_eval: Callable[..., Any] = self._missing("abstract evaluation")
        self.impl: Callable[..., Any] = self._missing("evaluation")
        self.eager: Callable[..., Any] | None = None
        self.narrow_impl: Callable[..., Any] | None = None
        self.batch: Callable[..., Any] | None = None
        self.jvp: Callable[..., Any] | None = None
        self.transpose: Callable[..., Any] | None = None
        self.partial_eval: Callable[..., Any] | None = None
        self.lower: Any = None
        self.examples: Sequence[tuple[Sequence[Any], Params]] | Callable[[], Any] = ()
        self.pretty: Callable[[JaxprEqn], Params] | None = None
        self.show: Callable[[Any, JaxprEqn], Any] | None = None  # How a printed jaxpr shows an equation.
        self.forward: Callable[[ShapedArray, Params], bool] | None = (
            None  # True when the result is the argument.
        )
        self.fold: Callable[[Literal, ShapedArray], Literal] | None = (
            None  # The result for a literal, of type `aval`.
        )
        self.effectful = False
        self.known_avals: dict[
            tuple[ShapedArray, ...], ShapedArray
        ] = {}  # Results of `abstract_eval` without params.
        self.collective = False  # Whether it names mapped axes, in the parameter `axes`.
        # Called with avals and params: raises the error of what can be traced, but neither compiled nor run.
        self.refuse: Callable[..., None] | None = None
        primitives[name] = self

    def _missing(self, rule: str) -> Callable[..., Any]:
        def missing(*args: Any, **params: Any) -> Any:
            raise NotImplementedError(f"{rule} of the primitive {self.name!r} is not implemented")

        return missing

    def bind(self, *args: Value, **params: Any) -> Any:
        """Apply the primitive under the current trace."""
        return current_trace().process_primitive(self, args, params)

    def __repr__(self) -> str:
        return self.name


# ------------------------------------------------------------------------------------------------ traces


class Trace:
    """An interpreter of primitives."""

    __slots__ = ("__weakref__",)

    def process_primitive(self, primitive: Primitive, args: Sequence[Value], params: Params) -> Any:
        """Apply `primitive`: one value, or a list of values when it has multiple results."""
        raise NotImplementedError

    def stage_value(self, value: Value) -> Value:
        """`value` as this trace represents constants that the user makes: a tracer while staging, else an Array."""
        return value

    def check_store(self, operation: str, value: Value, aval: AbstractValue) -> None:
        """Raises if a reference of type `aval`, made outside of this trace, cannot hold `value`."""

    def selects(self, mask: Value, x: Value) -> bool:
        """Whether ``mask * x`` is compiled alone, which makes a selection of it: 0 * inf is 0."""
        return False

    def writes_down(self, tangent: Any) -> bool:
        """Whether a tangent is computed later, when a linear function is applied or transposed."""
        return False

    def selected(self, mask: Value, zeros: Value, product: Value) -> Value:
        """``mask * x`` as a selection."""
        return primitives["select_n"].bind(mask, zeros, product)

    def pull_back(self) -> None:
        """Told when cotangents begin to be pulled back under this trace."""
        parent: Trace | None = getattr(self, "parent", None)
        if parent is not None:
            parent.pull_back()


class EvalTrace(Trace):
    """Computes at once, with the NumPy reference of each primitive."""

    __slots__ = ()

    def selects(self, mask: Value, x: Value) -> bool:
        return True

    def process_primitive(self, primitive: Primitive, args: Sequence[Value], params: Params) -> Any:
        from .jaxprs.evaluate import apply_primitive

        EvalTrace.process_primitive = apply_primitive  # type: ignore[method-assign, assignment]
        return apply_primitive(self, primitive, args, params)

    def stage_value(self, value: Value) -> Value:
        from .arrays.array import asarray

        return asarray(value)


eval_trace = EvalTrace()


_current: ContextVar[Trace] = ContextVar("trace", default=eval_trace)
current_trace = (
    _current.get
)  # The trace of this thread: a context variable is read sooner than an attribute of a thread.
make_current = _current.set


class set_current_trace:
    """Interpret primitives by `trace` while the context is active.

    No generator: one costs several times as much, and leaves frames of its own in tracebacks.
    """

    __slots__ = ("_outer", "_trace")

    def __init__(self, trace: Trace) -> None:
        self._trace = trace

    def __enter__(self) -> None:
        self._outer = current_trace()
        make_current(self._trace)

    def __exit__(self, *_: object) -> None:
        make_current(self._outer)


# ------------------------------------------------------------------------------------------------ tracers


class Tracer(Array):
    """A value that a trace knows only by its aval, or that carries more than an array (a tangent, a batch dimension).

    `to_concrete_value` is the Array behind it, if there is one: Python may then branch on it and index with it.
    """

    __slots__ = ("__weakref__", "_trace", "aval")
    _trace: Trace

    def to_concrete_value(self) -> Array | None:
        return None

    def _error_repr(self) -> str:
        concrete = self.to_concrete_value()
        if concrete is not None:
            return f"concrete value {concrete!r}"
        return f"traced array with shape {self.aval.str_short()}"

    def _origin_msg(self) -> str:
        """Where the value came from, for error messages: empty, or lines that start with a line break."""
        return ""

    def _short_repr(self) -> str:
        return f"{type(self).__name__}({self.aval})"

    def __repr__(self) -> str:
        return self._short_repr()

    def __bool__(self) -> bool:
        return bool(_concrete(self, "bool"))

    def __int__(self) -> int:
        return int(_concrete(self, "int"))

    def __index__(self) -> int:
        return operator.index(_concrete(self, "index"))

    def __float__(self) -> float:
        return float(_abstract(self, "float"))

    def __complex__(self) -> complex:
        return complex(_abstract(self, "complex"))

    def __array__(self, *args: Any, **kwargs: Any) -> Any:
        return _abstract(self, "array")

    def item(self, *args: Any) -> Any:
        return _concrete(self, "item").item(*args)

    def tolist(self) -> Any:
        return _abstract(self, "tolist")

    def __reduce_ex__(self, protocol: Any) -> Any:
        return _abstract(self, "__reduce__")


def _missing_attribute(name: str, tracer: Tracer) -> Any:
    from .tracing.concretization import missing_attribute

    return missing_attribute(tracer, name)


# What needs the memory of an array is an attribute of its own: `__getattr__` would make each attribute of tracers slow.
for _name in (
    "addressable_data addressable_shards block_until_ready committed copy_to_host_async delete devices global_shards "
    "is_deleted is_fully_addressable is_fully_replicated on_device_size_in_bytes sharding tobytes traceback "
    "unsafe_buffer_pointer __dlpack__"
).split():
    setattr(Tracer, _name, property(partial(_missing_attribute, _name)))


def _concrete(tracer: Tracer, conversion: str) -> Any:
    """The Array behind a tracer. Raises what `concretization` says of this conversion when there is none."""
    from .tracing.concretization import concretize

    return concretize(tracer, conversion)


def _abstract(tracer: Tracer, conversion: str) -> Any:
    """Raises what `concretization` says of a conversion that JAX refuses even to tracers with a concrete value."""
    from .tracing.concretization import refuse

    return refuse(tracer, conversion)


def literal(value: bool | complex, dtype: Any, weak_type: bool = False) -> Literal:
    """A scalar constant of type `dtype`, to be bound without making an array of it."""
    exact = as_dtype(dtype)
    return Literal(rounded(value, exact), shaped_array((), exact, weak_type))


_SCALARS = (bool, int, float, complex)
aval_mappings: dict[
    type, Callable[[Any], ShapedArray]
] = {}  # Classes of libraries whose values pass for arrays.


def get_aval(value: Value) -> ShapedArray:
    """The aval of any value that a primitive takes. Raises TypeError for others, as for a string."""
    aval = getattr(value, "aval", None)
    if isinstance(aval, AbstractValue):
        return aval  # type: ignore[return-value]  # A reference has an aval of its own; only few primitives take it.
    if isinstance(value, _SCALARS) and not hasattr(
        value, "dtype"
    ):  # NumPy's float64 is a float of Python too.
        dtype = python_scalar_dtype(value)
        return shaped_array((), dtype, dtype is not BOOL)
    if hasattr(value, "__jax_array__"):
        return get_aval(value.__jax_array__())
    spec, shape = getattr(value, "dtype", None), getattr(value, "shape", None)
    if spec is not None and isinstance(shape, tuple) and not isinstance(value, DType):
        try:
            return shaped_array(shape, canonical(as_dtype(spec)), bool(getattr(value, "weak_type", False)))
        except TypeError:
            pass
    for base in type(value).__mro__:
        if base in aval_mappings:
            return aval_mappings[base](value)
    raise TypeError(f"Value {value!r} with type {type(value)} is not a valid JAX type")


def escaped_tracer_error(tracer: Tracer) -> Exception:
    """The error for a tracer met outside of the transform that made it."""
    from .tracing.concretization import escaped

    return escaped(tracer)
