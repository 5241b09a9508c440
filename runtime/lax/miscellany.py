"""`jax.lax` functions of other kinds: Fourier transforms, barriers, solvers, sharding, random bits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from ..core import Array
from ..jitting.static import require_hashable
from ..primitives.fourier import FftType, fft_p
from . import types
from .elementwise import as_array, convert_element_type, convert_to, stop_gradient

__all__ = [
    "FftType",
    "RaggedDotDimensionNumbers",
    "custom_root",
    "dce_sink",
    "fft",
    "optimization_barrier",
    "platform_dependent",
    "ragged_dot",
    "rng_bit_generator",
    "rng_uniform",
    "scaled_dot",
    "stage",
    "with_sharding_constraint",
]


def fft(x: Any, fft_type: Any, fft_lengths: Any) -> Array:
    """Transform of the last axes; `fft_type` is a member of `FftType` or its name."""
    from ..numpy.promotion import require_static

    require_static("fft", fft_type=fft_type, fft_lengths=fft_lengths)
    kind = (
        FftType.__members__.get(fft_type.upper() if fft_type.islower() else fft_type)
        if isinstance(fft_type, str)
        else fft_type
    )
    if not isinstance(kind, FftType):
        raise (ValueError if kind is None else TypeError)(f"Unknown FFT type '{fft_type}'")
    lengths = tuple(fft_lengths)
    value = as_array(x)
    if kind == FftType.RFFT:
        if value.dtype.kind == "c":
            raise ValueError("only real valued inputs supported for rfft")
        value = (
            value
            if value.dtype.kind == "f"
            else convert_element_type(value, types.float64 if _wide(value) else types.float32)
        )
    elif value.dtype.kind != "c":
        value = convert_element_type(value, types.complex128 if _wide(value) else types.complex64)
    if not lengths:
        return value
    return _staged_fft(value, kind, lengths)


def _wide(x: Array) -> bool:
    return x.dtype.kind in "iuf" and x.dtype.itemsize == 8


def _staged_fft(x: Array, fft_type: FftType, fft_lengths: tuple[int, ...]) -> Array:
    from ..numpy.promotion import jitted

    global _jitted_fft
    if _jitted_fft is None:

        @jitted("fft_type", "fft_lengths", name="fft")
        def transform(x: Array, fft_type: FftType, fft_lengths: tuple[int, ...]) -> Array:
            return fft_p.bind(x, fft_type=fft_type, fft_lengths=fft_lengths)

        _jitted_fft = transform
    return _jitted_fft(x, fft_type=fft_type, fft_lengths=fft_lengths)


_jitted_fft: Callable[..., Any] | None = None


def optimization_barrier(operand: Any, /) -> Any:
    """The operand: there is nothing here that would reorder across it."""
    from ..tree_util import tree_map

    return tree_map(as_array, operand)


def stage(x: Any, /) -> Any:
    """The operand as values of the current trace."""
    from ..tree_util import tree_map

    return tree_map(as_array, x)


def dce_sink(val: Any, *, prevent_mlir_dce: bool = False) -> None:
    """Keep a value alive: without effect here."""


def with_sharding_constraint(x: Any, shardings: Any) -> Any:
    """The operand: there is one device. Arrays say what they were constrained to."""
    from ..arrays.cpu import Sharding, placed
    from ..tree_util import tree_map

    if shardings is None:
        raise ValueError(
            "with_sharding_constraint got sharding None, which is not allowed: give it a `Sharding`."
        )
    if not isinstance(shardings, Sharding):
        return x
    return tree_map(lambda leaf: placed(leaf, shardings), x)


def platform_dependent(
    *args: Any, default: Callable[..., Any] | None = None, **per_platform: Callable[..., Any]
) -> Any:
    """The function for CPUs, or the default. Raises NotImplementedError when there is neither."""
    chosen = per_platform.get("cpu", default)
    if chosen is None:
        raise NotImplementedError("platform_dependent has no branch for the platform 'cpu' and no default")
    return chosen(*args)


def rng_uniform(a: Any, b: Any, shape: Any) -> Array:
    """Uniform samples from a generator with hidden state: seeded afresh, hence the same at every call."""
    from ..random import key, randint, uniform

    low, high, shape = as_array(a), as_array(b), tuple(shape)
    require_hashable("shape of lax.rng_uniform", shape)
    if low.dtype != high.dtype or low.shape or high.shape:
        raise ValueError(
            f"rng_uniform takes two scalars of one dtype, got {low.aval.str_short()} and {high.aval.str_short()}"
        )
    if low.dtype.kind in "iu":
        sample = randint(key(0), shape, low, high, low.dtype)
    else:
        sample = uniform(key(0), shape, low.dtype, low, high)
    return convert_to(sample, low.dtype, low.weak_type and high.weak_type)


def rng_bit_generator(
    key: Any, shape: Any, dtype: Any = "uint32", algorithm: Any = None, *, out_sharding: Any = None
) -> tuple[Array, Array]:
    """The next state, and random bits from a state of four words (XLA's Philox; its Threefry where that is asked for)."""
    from ..numpy.promotion import canonical_shape
    from ..primitives.random import rng_bit_generator_p
    from .elementwise import bitcast_convert_type

    state, found = as_array(key), types.canonical(dtype)
    if found.kind != "u":
        raise TypeError(f"rng_bit_generator requires an unsigned integer dtype, got {found}")
    # States of two 64-bit words are the same four.
    wide = state.dtype.itemsize == 8 and state.shape == (2,)
    words = bitcast_convert_type(state, "uint32").reshape(4) if wide else state
    following, bits = rng_bit_generator_p.bind(
        words, shape=canonical_shape(shape), dtype=found, algorithm=algorithm or 0
    )
    return bitcast_convert_type(following.reshape(2, 2), state.dtype) if wide else following, bits


def custom_root(
    f: Callable[..., Any],
    initial_guess: Any,
    solve: Callable[..., Any],
    tangent_solve: Callable[..., Any],
    has_aux: bool = False,
) -> Any:
    """The root that `solve` finds, differentiated by the implicit function theorem, to any order."""
    from ..core import get_aval
    from ..jaxprs.replay import jaxpr_as_values
    from ..transforms.custom_jvp import custom_jvp
    from ..transforms.differentiation import jvp
    from ..transforms.functions import trace_function
    from ..tree_util import tree_flatten, tree_map, tree_structure

    guess = tree_map(stop_gradient, initial_guess)
    avals = [get_aval(leaf) for leaf in tree_flatten(guess)[0]]
    traced = trace_function(lambda x: f(x), tree_structure((guess,)), avals, "custom_root", (guess,))

    jaxpr, out_tree = traced.jaxpr, traced.out_tree  # No values: jaxprs hold the rules below.

    def residual(consts: Any, x: Any) -> Any:
        return out_tree.unflatten(jaxpr_as_values(jaxpr, [], *consts, *tree_flatten(x)[0]))

    @custom_jvp
    def root(consts: Any, guess: Any) -> Any:
        return solve(lambda x: residual(consts, x), guess)

    @root.defjvp
    def root_jvp(primals: Any, tangents: Any) -> Any:
        (consts, guess), (changes, _) = primals, tangents
        found = root(consts, guess)
        x = found[0] if has_aux else found
        _, moved = jvp(lambda c: residual(c, x), (consts,), (changes,))
        step = tangent_solve(
            lambda t: jvp(lambda v: residual(consts, v), (x,), (t,))[1], tree_map(lambda v: -v, moved)
        )
        return found, (step, tree_map(_no_tangent, found[1])) if has_aux else step

    return root(list(traced.consts), guess)


def _no_tangent(x: Any) -> Any:
    from ..core import get_aval
    from ..primitives.linear import zeros_like_aval

    return zeros_like_aval(get_aval(x).to_tangent_aval())


def scaled_dot(
    lhs: Any,
    rhs: Any,
    *,
    lhs_scale: Any = None,
    rhs_scale: Any = None,
    dimension_numbers: Any = None,
    preferred_element_type: Any = None,
) -> Array:
    """Product of block-scaled operands, in bfloat16 unless told otherwise; unscaled ones are multiplied as they are."""
    from .contraction import dot_general

    if lhs_scale is not None or rhs_scale is not None:
        raise NotImplementedError("lax.scaled_dot with scales is not available in this runtime")
    x, y = as_array(lhs), as_array(rhs)
    numbers = dimension_numbers or (((x.ndim - 1,), (y.ndim - 2,)), ((), ()))
    product = dot_general(
        x, y, numbers, None, types.float32 if preferred_element_type is None else preferred_element_type
    )
    return convert_element_type(product, types.bfloat16) if preferred_element_type is None else product


class RaggedDotDimensionNumbers(NamedTuple):
    """How the axes of a product with groups are paired. Of such products there is `ragged_dot`."""

    dot_dimension_numbers: Any
    lhs_ragged_dimensions: Sequence[int]
    rhs_group_dimensions: Sequence[int]


def _check_groups(x: Array, y: Array, sizes: Array) -> None:
    """Raises TypeError unless each group of rows has a matrix that takes them."""
    if sizes.dtype.kind not in "iu":
        raise TypeError(f"ragged_dot takes integers as group_sizes, got {sizes.dtype}")
    if x.ndim != 2 or y.ndim != 3 or x.shape[1] != y.shape[1]:
        raise TypeError(f"ragged_dot takes lhs[m, k] and rhs[g, k, n], got shapes {x.shape} and {y.shape}")
    if sizes.shape != y.shape[:1]:
        raise TypeError(f"ragged_dot takes a size for each of {y.shape[0]} groups, got shape {sizes.shape}")


def ragged_dot(
    lhs: Any,
    rhs: Any,
    group_sizes: Any,
    precision: Any = None,
    preferred_element_type: Any = None,
    group_offset: Any = None,
    out_sharding: Any = None,
) -> Array:
    """Rows of `lhs[m, k]`, in groups, each by its group's matrix of `rhs[g, k, n]`."""
    from ..numpy import cumsum, searchsorted, where
    from ..numpy.einstein import einsum

    x, y, sizes = as_array(lhs), as_array(rhs), as_array(group_sizes)
    if group_offset is not None:
        raise NotImplementedError("Unimplemented group_offset support.")
    _check_groups(x, y, sizes)
    from .constructors import iota

    ends = cumsum(sizes)
    group = searchsorted(ends, iota(types.int32, x.shape[0]), side="right")
    live = group < y.shape[0]
    picked = y[where(live, group, 0)]
    out = einsum("mk,mkn->mn", x, picked, precision=precision, preferred_element_type=preferred_element_type)
    return where(live[:, None], out, 0)
