"""``jax.Ref``: references to arrays are read, written, traced, transformed and refused as by JAX."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from tracetrap import runtime

jax = pytest.importorskip("jax")


def matrix(j: Any) -> Any:
    return j.new_ref(j.numpy.arange(12.0).reshape(3, 4))


def stored(*writes: Callable[[Any, Any], Any]) -> Callable[[Any], Any]:
    """What is in a matrix after these writes, and what they returned."""

    def use(j: Any) -> Any:
        ref = matrix(j)
        return [write(j, ref) for write in writes], ref[...]

    return use


def lent(use: Callable[[Any, Any], Any]) -> Callable[[Any], Any]:
    """What `use` makes of a library and a matrix."""
    return lambda j: use(j, matrix(j))


def powers(j: Any, x: Any, loop: str) -> Any:
    """The third power of `x`, by way of a reference that a loop writes to."""
    ref = j.new_ref(j.numpy.ones_like(x))

    def times(*args: Any) -> Any:
        ref[...] = ref[...] * x
        return args[-1] + 1

    if loop == "scan":
        j.lax.scan(lambda c, _: (times(c), None), 0, None, length=3)
    elif loop == "fori":
        j.lax.fori_loop(0, 3, times, 0)
    elif loop == "while":
        j.lax.while_loop(lambda i: i < 3, times, 0)
    else:
        for _ in range(3):
            j.lax.cond(x.sum() > 0, times, lambda c: c, 0)
    return j.freeze(ref)


def copied(j: Any) -> Any:
    x = j.numpy.ones(2)
    j.new_ref(x)[0] = 9.0
    return x


def counter(j: Any) -> Any:
    """A jitted function that closes over a reference."""
    total = j.new_ref(j.numpy.float32(0))

    @j.jit
    def add(x: Any) -> Any:
        total[...] += x
        return total[...] * 2

    return [add(1.0), add(2.0), total[...]]


def mapped(axis: int) -> Callable[[Any], Any]:
    def use(j: Any) -> Any:
        ref = matrix(j)
        size = ref.shape[axis]
        j.vmap(lambda r, x: j.ref.addupdate(r, 0, x), in_axes=(axis, 0))(
            ref, 10 * j.numpy.arange(1.0, size + 1)
        )
        j.jit(j.vmap(lambda r: r.__setitem__(slice(1, None), r[1:] * 2), in_axes=axis))(ref)
        return ref[...]

    return use


def scanned(j: Any) -> Any:
    """Over the rows of one reference, with another that is written to and one that is read."""
    rows, total, scale = matrix(j), j.new_ref(j.numpy.zeros(4)), j.new_ref(j.numpy.float32(3))

    def step(carry: Any, both: Any) -> Any:
        row, x = both
        total[...] += row[...] * scale[...]
        row[0] = x
        return carry + x, row[1]

    out = j.lax.scan(step, 0.0, (rows, j.numpy.arange(3.0)))
    return out, rows[...], total[...]


def asked(j: Any, also_body: bool = False) -> Any:
    """What a loop counts whose condition writes down that it was asked, under jit."""

    def run(x: Any) -> Any:
        asks, seen = j.new_ref(0), j.new_ref(x)

        def more(i: Any) -> Any:
            asks[...] += 1
            return i < seen[0]

        def step(i: Any) -> Any:
            seen[1] += 2.0
            if also_body:
                asks[...] *= 2
            return i + 1

        return j.lax.while_loop(more, step, 0), asks[...], seen[...]

    return j.jit(run)(j.numpy.array([3.0, 0.5]))


def with_tangent(j: Any) -> Any:
    """A reference and one to its tangent, written to under `jvp`."""
    refs = j.new_ref(j.numpy.arange(3.0)), j.new_ref(j.numpy.ones(3))

    def f(x: Any, ref: Any) -> Any:
        ref[0] = ref[1] * x
        return j.numpy.sin(ref[...])

    out = j.jit(lambda x, *refs: j.jvp(f, (x, refs[0]), (0.5, refs[1])))(2.0, *refs)
    return out, [ref[...] for ref in refs]


def stashed(transform: Callable[[Any, Any], Any]) -> Callable[[Any], Any]:
    """A gradient that the backward rules of a function write down on its way."""

    def use(j: Any) -> Any:
        @j.custom_vjp
        def stash(ref: Any, x: Any) -> Any:
            return x

        def backward(ref: Any, ct: Any) -> Any:
            ref[...] = ct
            return None, ct

        stash.defvjp(lambda ref, x: (x, ref), backward)
        refs = [j.new_ref(0.0) for _ in range(3)]

        def f(x: Any) -> Any:
            for ref in refs:
                x = j.numpy.sin(stash(ref, x))
            return x

        return transform(j, f)(0.7), [ref[...] for ref in refs]

    return use


X = np.array([0.5, 1.0, 2.0], np.float32)
USES: dict[str, Callable[[Any], Any]] = {
    "subscripts": stored(
        lambda j, r: r[-1, 1:3],
        lambda j, r: r[..., 0],
        lambda j, r: r[j.numpy.array([0, 5]), j.numpy.array([2, 3])],
        lambda j, r: r[1:, j.numpy.array([0, 1])],
        lambda j, r: (r[:, ::2], r[j.numpy.int32(-1)]),
        lambda j, r: (j.jit(lambda r, i: r[i])(r, 7), j.jit(lambda r, i: r[i, 2])(r, -1)),
    ),
    "writes": stored(
        lambda j, r: r.__setitem__(0, j.numpy.ones(4)),
        lambda j, r: r.__setitem__((slice(1, None), 2), np.float32([7, 8])),
        lambda j, r: j.ref.swap(r, (slice(None), 1), j.numpy.zeros(3)),
        lambda j, r: j.ref.addupdate(r, (2, 3), 0.5),
        lambda j, r: r.__setitem__((j.numpy.array([0, 1]), j.numpy.array([2, 3])), j.numpy.ones(2)),
        lambda j, r: j.jit(lambda r, i: r.__setitem__((i, 0), 5.0))(r, 2),
    ),
    "types": lambda j: [
        (r.shape, r.ndim, r.size, str(r.dtype), len(r), str(r), str(j.typeof(r)), isinstance(r, j.Array))
        for r in (matrix(j), j.new_ref(np.arange(3)), j.new_ref(j.numpy.zeros(2, "bfloat16")))
    ],
    "a copy of its own": copied,
    "closed over by jit": counter,
    "argument of nested jit": stored(
        lambda j, r: j.jit(lambda r: j.jit(lambda s: s.__setitem__((1, 1), -1.0))(r))(r)
    ),
    "mapped over axis 0": mapped(0),
    "mapped over axis 1": mapped(1),
    "scanned": scanned,
    "read by the gradient": lent(lambda j, r: j.grad(lambda x: x * r[1, 1])(2.0)),
    "stopped gradient is kept": stored(
        lambda j, r: j.grad(lambda x: (r.__setitem__((0, 0), j.lax.stop_gradient(x)), x * x)[1])(3.0)
    ),
    "argument of the gradient": stored(
        lambda j, r: j.grad(lambda x, r: (r.__setitem__((0, 0), 1.0), x * r[1, 2])[1])(3.0, r)
    ),
    "checkpoint": lent(lambda j, r: j.grad(j.checkpoint(lambda x: j.numpy.sin(x * r[1, 1])))(1.5)),
    "written by a condition": asked,
    "with its tangent": with_tangent,
    "stashed": stashed(lambda j, f: j.grad(f)),
    "stashed: jit": stashed(lambda j, f: j.jit(j.value_and_grad(f))),
    "eval_shape": lent(lambda j, r: j.eval_shape(lambda r: r[0], r).shape),
}
for loop in ("scan", "fori", "while", "cond"):
    USES[f"{loop}: value"] = lambda j, loop=loop: powers(j, X, loop)  # type: ignore[misc]
    USES[f"{loop}: jit"] = lambda j, loop=loop: j.jit(lambda x: powers(j, x, loop))(X)  # type: ignore[misc]
    USES[f"{loop}: jvp"] = lambda j, loop=loop: j.jvp(lambda x: powers(j, x, loop), (X,), (X,))  # type: ignore[misc]
    if loop != "cond":
        USES[f"{loop}: vmap"] = lambda j, loop=loop: j.vmap(lambda x: powers(j, x, loop))(X)  # type: ignore[misc]
    if loop != "while":
        USES[f"{loop}: grad"] = lambda j, loop=loop: j.grad(lambda x: powers(j, x, loop))(1.5)  # type: ignore[misc]


@pytest.mark.parametrize("name", USES)
def test_same_as_jax(name: str) -> None:
    mine, wanted = USES[name](runtime), USES[name](jax)
    leaves, tree = jax.tree.flatten(wanted)
    found, _ = runtime.tree.flatten(mine)
    assert len(found) == len(leaves), tree
    for got, want in zip(found, leaves):
        if isinstance(want, (str, bool)):
            assert got == want
        else:
            np.testing.assert_allclose(np.asarray(got), np.asarray(want), rtol=1e-6)
            assert str(getattr(got, "dtype", "")) == str(getattr(want, "dtype", ""))


def alias(j: Any) -> Any:
    r = matrix(j)
    return j.jit(lambda a, b: a.__setitem__(0, b[1]))(r, r)


def alias_closed_over(j: Any) -> Any:
    r = matrix(j)
    return j.jit(lambda a: a.__setitem__(0, r[1]))(r)


def store(value: Callable[[Any], Any], place: Any = (0, 0)) -> Callable[[Any], Any]:
    return lambda j: matrix(j).__setitem__(place, value(j))


REFUSED: dict[str, Callable[[Any], Any]] = {
    "integer": store(lambda j: 7),
    "other float": store(lambda j: j.numpy.float16(1)),
    "list": store(lambda j: [1.0, 2.0, 3.0, 4.0], 0),
    "shape": store(lambda j: 1.0, ...),
    "out of bounds": lambda j: matrix(j)[3],
    "too many": lambda j: matrix(j)[0, 0, 0],
    "backwards": lambda j: matrix(j)[::-1],
    "mask": lambda j: j.new_ref(X)[j.numpy.array([True, False, True])],
    "no array": lambda j: j.new_ref("a"),
    "arithmetic": lambda j: matrix(j) + 1,
    "no reference": lambda j: j.ref.get(j.numpy.ones(2), 0),
    "returned": lambda j: j.jit(lambda r: {"a": r})(matrix(j)),
    "passed twice": alias,
    "passed and closed over": alias_closed_over,
    "vmapped value": lent(lambda j, r: j.vmap(lambda x: r.__setitem__((0, 0), x))(X)),
    "vmapped addition": lent(lambda j, r: j.vmap(lambda x: j.ref.addupdate(r, (0, 0), x))(X)),
    "differentiated value": lent(lambda j, r: j.grad(lambda x: (r.__setitem__((0, 0), x), x)[1])(1.0)),
    "tangent is an array": lent(lambda j, r: j.jvp(lambda r: r[...], (r,), (j.numpy.ones((3, 4)),))),
    "pulled back to": lent(lambda j, r: j.vjp(lambda r: r[...], r)[1](j.numpy.ones((3, 4)))),
    "argument of grad": lent(lambda j, r: j.grad(lambda r: r[...].sum())(r)),
    "cond of vmap": lambda j: j.vmap(lambda x: powers(j, x, "cond"))(X),
    "written by condition and body": lambda j: asked(j, True),
    "carried": lambda j: j.lax.scan(lambda c, x: (c, x), matrix(j), j.numpy.arange(3.0)),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused_as_by_jax(name: str) -> None:
    with pytest.raises(Exception) as wanted:
        REFUSED[name](jax)
    with pytest.raises(Exception) as mine:
        REFUSED[name](runtime)
    kinds = {kind.__name__ for kind in type(mine.value).__mro__}
    assert type(wanted.value).__name__ in kinds
    assert (
        str(mine.value).partition("Transforms")[0].split("\n")[0]
        == (str(wanted.value).partition("Transforms")[0].split("\n")[0])
    )


def several(j: Any, r: Any, x: Any, i: Any) -> Any:
    r[0, 1] = r[1, 0] * 2
    r[1:, :2] += 1.0
    j.ref.addupdate(r, (2, i), x)
    local = j.new_ref(r[:, 0])
    j.lax.fori_loop(0, 3, lambda k, c: local.__setitem__(k, local[k] * 2) or c, None)
    j.lax.cond(x > 0, lambda: r.__setitem__((0, 0), 1.0), lambda: None)
    return r[...], r[i], j.ref.swap(local, ..., j.numpy.zeros(3)), j.freeze(local)


def test_printed_as_by_jax() -> None:
    shown = [
        str(j.make_jaxpr(lambda r, x, i, j=j: several(j, r, x, i))(matrix(j), 1.0, 2)) for j in (runtime, jax)
    ]
    assert shown[0] == shown[1]


def test_a_reference_does_not_outlive_its_trace() -> None:
    kept: list[Any] = []
    runtime.jit(lambda x: (kept.append(runtime.new_ref(x)), x)[1])(1.0)
    with pytest.raises(runtime.errors.UnexpectedTracerError, match=r"Ref{float32\[\]}"):
        kept[0][...]


def test_closing_over_a_reference_traces_once() -> None:
    ref = runtime.new_ref(0.0)
    traces = []

    @runtime.jit
    def add(x: Any) -> None:
        traces.append(x)
        ref[...] += x

    for _ in range(3):
        add(1.0)
    assert len(traces) == 1
    assert float(ref[...]) == 3.0


def noted(j: Any, wrap: Callable[[Any, Any], Any]) -> Any:
    """What `wrap` makes of a function with a rule of its own that writes to a reference, and what is there in the end."""
    ref = j.new_ref(0.0)

    @j.custom_vjp
    def f(r: Any, x: Any) -> Any:
        r[...] += x
        return j.numpy.sin(x) * 2

    f.defvjp(lambda r, x: (f(r, x), x), lambda x, ct: (None, ct * 7 * x))
    return wrap(j, lambda x: f(ref, x)), ref[...]


WRAPPED: dict[str, Callable[[Any, Any], Any]] = {
    "alone": lambda j, f: f(3.0),
    "jit": lambda j, f: j.jit(f)(3.0),
    "grad": lambda j, f: j.grad(f)(3.0),
    "grad of jit": lambda j, f: j.grad(j.jit(f))(3.0),
    "jit of grad of jit": lambda j, f: j.jit(j.grad(j.jit(f)))(3.0),
    "twice": lambda j, f: j.jit(j.value_and_grad(lambda x: f(x) * f(x * 2)))(3.0),
    "scan": lambda j, f: j.lax.scan(lambda c, _: (c + f(c), None), 3.0, None, length=3)[0],
    "grad of scan": lambda j, f: j.grad(
        lambda x: j.lax.scan(lambda c, _: (c + f(c), None), x, None, length=3)[0]
    )(3.0),
    "cond": lambda j, f: j.jit(lambda x: j.lax.cond(x > 0, f, lambda x: x, x))(3.0),
    "grad of checkpoint": lambda j, f: j.grad(j.checkpoint(f))(3.0),
}


@pytest.mark.parametrize("name", WRAPPED)
def test_rules_of_functions_that_write(name: str) -> None:
    mine, theirs = (noted(j, WRAPPED[name]) for j in (runtime, jax))
    for value, other in zip(runtime.tree.leaves(mine), jax.tree.leaves(theirs), strict=True):
        np.testing.assert_allclose(value, other, rtol=1e-5)


def test_what_was_written_as_a_number_is_an_array() -> None:
    ref = runtime.new_ref(0)
    runtime.ref.swap(ref, ..., 10)

    assert isinstance(ref[...], runtime.Array)
    assert runtime.ref.freeze(runtime.numpy.ones(2)).sum() == 2
