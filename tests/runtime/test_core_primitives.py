"""Every rule of every primitive, tested on the examples that the primitive itself gives.

LLVM against the NumPy reference; JVP against finite differences; transpose against JVP; batching against a loop.
A new primitive with examples is tested without a line being added here.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tracetrap import runtime
from tracetrap.runtime.core import Literal, Primitive, get_aval, primitives
from tracetrap.runtime.dtypes import as_dtype, canonical
from tracetrap.runtime.jaxprs import execution, typecheck
from tracetrap.runtime.jaxprs.evaluate import eval_closed_jaxpr
from tracetrap.runtime.primitives.linear import UndefinedPrimal, Zero, instantiate
from tracetrap.runtime.primitives.references import RefPrimitive

_FAMILIES = Path(runtime.__file__).parent / "primitives"


def _load_families() -> None:
    for path in sorted(_FAMILIES.glob("[a-z]*.py")):
        importlib.import_module(f"tracetrap.runtime.primitives.{path.stem}")


def _array(value: Any) -> Any:
    """An example's operand: nested lists of Python scalars become arrays of JAX's default types."""
    if isinstance(value, np.ndarray):
        return value
    array = np.asarray(value)
    return array.astype(canonical(as_dtype(array.dtype)).storage)


def _examples() -> Iterator[Any]:
    _load_families()
    for name, primitive in sorted(primitives.items()):
        given = primitive.examples() if callable(primitive.examples) else primitive.examples
        for number, (args, params) in enumerate(given):
            yield pytest.param(primitive, [_array(arg) for arg in args], params, id=f"{name}-{number}")


EXAMPLES = list(_examples())
each_example = pytest.mark.parametrize(("primitive", "args", "params"), EXAMPLES)


def _listed(primitive: Primitive, result: Any) -> list[Any]:
    return list(result) if primitive.multiple_results else [result]


def _apply(primitive: Primitive, args: list[Any], params: dict[str, Any]) -> list[np.ndarray[Any, Any]]:
    return [_values(out) for out in _listed(primitive, primitive.bind(*args, **params))]


def _values(array: Any) -> np.ndarray[Any, Any]:
    """The memory of an array; of random keys, the integers that they are."""
    return array._buffer() if array.dtype.kind == "k" else np.asarray(array)


def _smooth(args: list[Any], kinds: str = "f") -> list[int]:
    return [i for i, arg in enumerate(args) if arg.dtype.kind in kinds]


def _direction(rng: np.random.Generator, like: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Random numbers of the shape and type of an array."""
    parts = rng.normal(size=(2, *like.shape))
    return (parts[0] + 1j * parts[1] if like.dtype.kind == "c" else parts[0]).astype(like.dtype)


def _close(actual: Any, wanted: Any, tolerance: float = 2e-5) -> None:
    np.testing.assert_allclose(np.asarray(actual), np.asarray(wanted), rtol=tolerance, atol=tolerance)


@each_example
def test_compiled_code_agrees_with_the_reference(
    primitive: Primitive, args: list[Any], params: dict[str, Any]
) -> None:
    closed = runtime.make_jaxpr(lambda *xs: primitive.bind(*xs, **params))(*args)
    typecheck.typecheck_closed_jaxpr(closed)
    wanted = eval_closed_jaxpr(closed, *args)
    compiled = execution.Executable(closed)
    for actual, expected, aval in zip(compiled(args), wanted, closed.out_avals, strict=True):
        assert (
            actual.aval is aval
            and actual._value.dtype == expected.dtype
            and actual._value.shape == expected.shape
        )
        if expected.dtype.kind in "fc":
            _close(actual._value, expected)
        else:
            np.testing.assert_array_equal(actual._value, expected)


@each_example
def test_jvp_agrees_with_finite_differences(
    primitive: Primitive, args: list[Any], params: dict[str, Any]
) -> None:
    moving = _smooth(args)
    outs = _apply(primitive, args, params)
    if (
        not moving
        or primitive.jvp is None
        or primitive.name in _ROUNDS
        or any(out.dtype.kind != "f" for out in outs)
    ):
        pytest.skip("nothing to differentiate")
    rng = np.random.default_rng(0)
    tangents: list[Any] = [
        rng.normal(size=arg.shape).astype(arg.dtype) if i in moving else Zero(get_aval(arg).to_tangent_aval())
        for i, arg in enumerate(args)
    ]
    try:
        primal_out, tangent_out = primitive.jvp(args, tangents, **params)
    except (TypeError, ValueError, NotImplementedError) as error:
        assert "not implemented" in str(error) or "select cases must have the same shapes" in str(error)
        pytest.skip("says that it has no derivative")
    for out, expected in zip(_listed(primitive, primal_out), outs, strict=True):
        _close(out, expected)
    wide = [arg.astype(np.float64) if i in moving else arg for i, arg in enumerate(args)]
    step = 1e-5

    def moved(sign: int) -> list[Any]:
        values = [
            arg + sign * step * tangents[i].astype(np.float64) if i in moving else arg
            for i, arg in enumerate(wide)
        ]
        with np.errstate(all="ignore"):
            return _listed(primitive, primitive.impl(*values, **_wide_params(params)))

    for tangent, plus, here, minus in zip(
        _listed(primitive, tangent_out), moved(1), moved(0), moved(-1), strict=True
    ):
        right, left = (
            (np.asarray(plus) - np.asarray(here)) / step,
            (np.asarray(here) - np.asarray(minus)) / step,
        )
        # Elsewhere is a kink or a jump.
        smooth = np.isclose(left, right, rtol=1e-2, atol=1e-2) & (np.abs(right) < 1e3)
        assert smooth.any()
        _close(np.asarray(instantiate(tangent), np.float64)[smooth], ((left + right) / 2)[smooth], 2e-3)


# Their results are steps too fine to see, or they are defined to have no derivative.
_ROUNDS = {"reduce_precision", "stop_gradient"}
# JAX does not differentiate these, or not in their first operand.
_ROUNDS |= {"igamma_grad_a", "polygamma", "random_gamma_grad", "zeta"}
# Functions of symmetric matrices, which no single element of a matrix can be moved for.
_ROUNDS |= {"cholesky", "eigh"}


def _wide_params(params: dict[str, Any]) -> dict[str, Any]:
    """The same parameters for operands in double precision."""
    narrow = as_dtype("float32")
    return {
        name: as_dtype("float64")
        if name in ("preferred_element_type", "new_dtype") and value in (narrow, as_dtype("float16"))
        else value
        for name, value in params.items()
    }


@each_example
def test_transpose_agrees_with_jvp(primitive: Primitive, args: list[Any], params: dict[str, Any]) -> None:
    """Re(ct J t) = Re(J^T ct t), as JAX transposes, for each operand in which the primitive is linear."""
    if primitive.transpose is None or primitive.name == "jit":
        pytest.skip("no transpose")
    outs = _apply(primitive, args, params)
    rng = np.random.default_rng(0)
    tested = False
    for i in _smooth(args, "fc"):
        tangent = _direction(rng, args[i])
        operands: list[Any] = list(args)
        operands[i] = UndefinedPrimal(get_aval(args[i]))
        cts = [_direction(rng, out) for out in outs]
        if not _is_linear(primitive, args, params, i):
            continue
        try:
            result = primitive.transpose(cts if primitive.multiple_results else cts[0], *operands, **params)
        except NotImplementedError as error:
            assert "not implemented" in str(error)
            continue
        if result[i] is None:
            continue
        cotangent = np.asarray(instantiate(result[i]), np.complex128)
        assert cotangent.shape == args[i].shape
        tangents = [tangent if j == i else Zero(get_aval(a).to_tangent_aval()) for j, a in enumerate(args)]
        assert primitive.jvp is not None
        pushed = _listed(primitive, primitive.jvp(args, tangents, **params)[1])
        left = sum(
            float(np.sum(ct.astype(np.complex128) * np.asarray(instantiate(p), np.complex128)).real)
            for ct, p in zip(cts, pushed, strict=True)
        )
        _close(left, float(np.sum(cotangent * tangent.astype(np.complex128)).real), 1e-4)
        tested = True
    if not tested:
        pytest.skip("linear in no operand of this example")


def _is_linear(primitive: Primitive, args: list[Any], params: dict[str, Any], i: int) -> bool:
    """Whether the result for twice the operand is twice the result, and the tangent does not depend on the operand."""
    doubled = [2 * arg if j == i else arg for j, arg in enumerate(args)]
    zeroed = [0 * arg if j == i else arg for j, arg in enumerate(args)]
    try:
        once, twice = _apply(primitive, args, params), _apply(primitive, doubled, params)
        none = _apply(primitive, zeroed, params)
    except (TypeError, ValueError):
        return False
    return all(
        o.dtype.kind == "f"
        and np.isfinite(n).all()
        and np.allclose(2 * (o - n), t - n, rtol=1e-4, atol=1e-4)
        and np.any(o != n)
        for o, t, n in zip(once, twice, none, strict=True)
    ) and primitive.name not in (
        "reduce_precision",
        "max",
        "min",
        "abs",
        "reduce_max",
        "reduce_min",
        "clamp",
        "rem",
        "cummax",
        "cummin",
        "sort",
    )


@each_example
def test_batching_agrees_with_a_loop(primitive: Primitive, args: list[Any], params: dict[str, Any]) -> None:
    if primitive.batch is None or not args:
        pytest.skip("nothing to batch")
    size = 3
    for mapped in {tuple(range(len(args))), *[(i,) for i in range(len(args))]}:
        stacked = [
            np.stack([_varied(arg, k) for k in range(size)], axis=-1 if arg.ndim and i % 2 else 0)
            if i in mapped
            else arg
            for i, arg in enumerate(args)
        ]
        axes = [(-1 if args[i].ndim and i % 2 else 0) if i in mapped else None for i in range(len(args))]
        actual = runtime.vmap(lambda *xs: primitive.bind(*xs, **params), in_axes=tuple(axes))(*stacked)
        for k in range(size):
            single = [_varied(arg, k) if i in mapped else arg for i, arg in enumerate(args)]
            for got, wanted in zip(
                _listed(primitive, actual), _apply(primitive, single, params), strict=True
            ):
                np.testing.assert_allclose(_values(got)[k], wanted, rtol=1e-5, atol=1e-5)


@each_example
def test_a_batch_may_be_empty(primitive: Primitive, args: list[Any], params: dict[str, Any]) -> None:
    if primitive.batch is None or not args:
        pytest.skip("nothing to batch")
    whole = _apply(primitive, args, params)
    for mapped in {tuple(range(len(args))), *[(i,) for i in range(len(args))]}:
        empty = [np.zeros((0, *arg.shape), arg.dtype) if i in mapped else arg for i, arg in enumerate(args)]
        axes = tuple(0 if i in mapped else None for i in range(len(args)))
        actual = runtime.vmap(lambda *xs: primitive.bind(*xs, **params), in_axes=axes)(*empty)
        shapes = [_values(got).shape for got in _listed(primitive, actual)]
        assert shapes == [(0, *one.shape) for one in whole]


def _varied(arg: Any, k: int) -> Any:
    """An operand of the k-th example of a batch; integers, which may be indices, keep their range."""
    return np.asarray(arg * (1 + k / 8), arg.dtype) if arg.dtype.kind == "f" else arg


def test_every_primitive_has_examples() -> None:
    calls = {
        "jit",
        "cond",
        "while",
        "scan",
        "remat2",
        "composite",
        "custom_jvp_call",
        "custom_vjp_call",
        "checkpoint",
    }
    without = {
        name for name, p in primitives.items() if not p.examples and not isinstance(p, RefPrimitive)
    } - calls
    assert not {name for name in without if not _has_no_values(name)}, sorted(without)


def _has_no_values(name: str) -> bool:
    """Primitives of named axes, keys, callbacks and checks, whose operands no list of numbers can be."""
    return any(
        word in name
        for word in (
            "axis",
            "random",
            "rng",  # Under vmap, all bits come from the first state.
            "key",
            "callback",
            "check",
            "debug",
            "psum",
            "pmin",
            "pmax",
            "all_",
            "eig",
            "pivots",
            "ppermute",
            "pvary",
            "custom",
            "print",
            "create_token",
            "shard",
        )
    )


def test_literals_are_values() -> None:
    from tracetrap.runtime.core import literal

    assert isinstance(literal(0.1, "float32"), Literal)
    assert float(primitives["add"].bind(literal(0.1, "float32"), literal(0.2, "float32"))) == pytest.approx(
        0.3
    )
