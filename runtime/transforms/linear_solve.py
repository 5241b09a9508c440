"""``custom_linear_solve``: the solution of a linear system by a function of the user's, differentiated implicitly.

Operands are what the four functions close over, and then the right-hand side. The parameters are these functions as
jaxprs of all operands: the solver (`jaxpr`), the operator (`matvec`), and both of the transposed system.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..core import ClosedJaxpr, Primitive, ShapedArray, Value, Var, get_aval
from ..jaxprs.replay import jaxpr_as_values
from ..primitives.apply import sub
from ..primitives.linear import UndefinedPrimal, Zero, instantiate, zero_of
from ..pytree.definition import PyTreeDef, tree_flatten, tree_structure
from .batching import Dim, MappedAxis, batch_jaxpr, to_front
from .functions import Traced, trace_function
from .jvp import jvp_flat
from .running import kernel, run_compiled
from .transpose import transpose_values

linear_solve_p = Primitive("custom_linear_solve", multiple_results=True)


def custom_linear_solve(
    matvec: Callable[..., Any],
    b: Any,
    solve: Callable[..., Any],
    transpose_solve: Callable[..., Any] | None = None,
    symmetric: bool = False,
    has_aux: bool = False,
) -> Any:
    """The x of ``matvec(x) = b`` that ``solve(matvec, b)`` finds, with the derivatives of the exact solution.

    Derivatives in reverse mode need `transpose_solve`, which solves the system of the transposed operator; for
    `symmetric` operators that is the operator itself. With `has_aux`, `solve` returns a pair, whose second part is
    passed on.

    Raises:
        TypeError: if `matvec` or the solvers return something of another structure, or other shapes, than `b`.
    """
    leaves, tree = tree_flatten(b)
    avals = [get_aval(leaf) for leaf in leaves]
    operator = trace_function(lambda x: matvec(x), _of_one(tree), avals, "custom_linear_solve matvec", (b,))
    _check("matvec", operator, tree, avals)

    def checked(x: Any) -> Any:
        if tree_structure(x) != tree:
            raise TypeError(f"matvec() output pytree structure must match {tree}, got {tree_structure(x)}.")
        return matvec(x)

    solver = trace_function(
        lambda y: solve(checked, y), _of_one(tree), avals, "custom_linear_solve solve", (b,)
    )
    out_tree = solver.out_tree
    _check("solve", solver, tree, avals, has_aux)
    transposed = transposed_solver = None
    if symmetric and transpose_solve is None:
        transpose_solve = solve
    if transpose_solve is not None:
        vecmat = checked if symmetric else _transpose_of(operator, tree, avals)
        transposed = trace_function(
            lambda y: vecmat(y), _of_one(tree), avals, "custom_linear_solve transpose", (b,)
        )
        transposed_solver = trace_function(
            lambda y: transpose_solve(vecmat, y),
            _of_one(tree),
            avals,
            "custom_linear_solve transpose_solve",
            (b,),
        )
        _check("transpose_solve", transposed_solver, tree, avals, has_aux)
    parts = [solver, operator, transposed_solver, transposed]
    consts = [const for part in parts if part is not None for const in part.consts]
    jaxprs = _with_all_operands(parts, consts)
    outs = linear_solve_p.bind(
        *consts,
        *leaves,
        jaxpr=jaxprs[0],
        matvec=jaxprs[1],
        transpose_solve=jaxprs[2],
        vecmat=jaxprs[3],
        unknowns=len(leaves),
    )
    return out_tree.unflatten(outs)


def _of_one(tree: PyTreeDef) -> PyTreeDef:
    """The structure of the arguments of a function of one such tree."""
    return tree_structure((tree.unflatten([0] * tree.num_leaves),))


def _check(
    name: str, traced: Traced, tree: PyTreeDef, avals: Sequence[ShapedArray], has_aux: bool = False
) -> None:
    found = traced.out_tree
    if has_aux:
        children = found.children()
        if len(children) != 2:
            raise ValueError(f"{name}() must return a pair when has_aux=True, got {found}.")
        found = children[0]
    if found != tree:
        raise TypeError(f"{name}() output pytree structure must match {tree}, got {found}.")
    for out, aval in zip(traced.out_avals, avals):
        if (out.shape, out.dtype) != (aval.shape, aval.dtype):
            raise TypeError(f"{name}() output shapes must match {aval.str_short()}, got {out.str_short()}.")


def _transpose_of(operator: Traced, tree: PyTreeDef, avals: Sequence[ShapedArray]) -> Callable[[Any], Any]:
    def vecmat(y: Any) -> Any:
        cts, _ = tree_flatten(y)
        found = transpose_values(
            lambda *args: jaxpr_as_values(operator.jaxpr, [], *args),
            [*operator.consts, *map(UndefinedPrimal, avals)],
            cts,
        )[len(operator.consts) :]
        return tree.unflatten([instantiate(ct) for ct in found if ct is not None])

    return vecmat


def _with_all_operands(parts: Sequence[Traced | None], consts: Sequence[Value]) -> list[ClosedJaxpr | None]:
    """The functions as jaxprs that take what all of them close over."""
    jaxprs: list[ClosedJaxpr | None] = []
    start = 0
    for part in parts:
        if part is None:
            jaxprs.append(None)
            continue
        count = len(part.consts)
        before = [Var(get_aval(const)) for const in consts[:start]]
        after = [Var(get_aval(const)) for const in consts[start + count :]]
        own, args = part.jaxpr.invars[:count], part.jaxpr.invars[count:]
        jaxprs.append(ClosedJaxpr(part.jaxpr.replace(invars=[*before, *own, *after, *args])))
        start += count
    return jaxprs


def _abstract_eval(*avals: ShapedArray, jaxpr: ClosedJaxpr, **params: Any) -> list[ShapedArray]:
    return jaxpr.out_avals


def _jvp(
    primals: Sequence[Value], tangents: Sequence[Any], *, unknowns: int, **params: Any
) -> tuple[list[Value], list[Any]]:
    """A dx = db - dA x."""
    outs = linear_solve_p.bind(*primals, unknowns=unknowns, **params)
    x, count = outs[:unknowns], len(primals) - unknowns
    consts, changes = primals[:count], tangents[:count]
    rest: list[Any] = list(tangents[count:])
    if any(type(t) is not Zero for t in changes):
        matvec = params["matvec"]
        _, pushed = jvp_flat(
            lambda *args: jaxpr_as_values(matvec.jaxpr, matvec.consts, *args),
            [*consts, *x],
            [*changes, *map(zero_of, x)],
        )
        rest = [r if type(p) is Zero else sub(instantiate(r), p) for r, p in zip(rest, pushed, strict=True)]
    if all(type(r) is Zero for r in rest):
        return outs, [zero_of(out) for out in outs]
    found = linear_solve_p.bind(*consts, *map(instantiate, rest), unknowns=unknowns, **params)
    return outs, [*found[:unknowns], *map(zero_of, outs[unknowns:])]


def _transpose(
    cts: Sequence[Any],
    *args: Any,
    jaxpr: ClosedJaxpr,
    matvec: ClosedJaxpr,
    transpose_solve: ClosedJaxpr | None,
    vecmat: ClosedJaxpr | None,
    unknowns: int,
) -> list[Any]:
    if transpose_solve is None:
        raise TypeError(
            "transpose_solve required for backwards mode automatic differentiation of custom_linear_solve"
        )
    consts = args[: len(args) - unknowns]
    found = linear_solve_p.bind(
        *consts,
        *map(instantiate, cts[:unknowns]),
        jaxpr=transpose_solve,
        matvec=vecmat,
        transpose_solve=jaxpr,
        vecmat=matvec,
        unknowns=unknowns,
    )
    return [*[None] * len(consts), *found[:unknowns]]


def _batch(
    axis: MappedAxis,
    args: Sequence[Value],
    dims: Sequence[Dim],
    *,
    unknowns: int,
    **params: Any,
) -> tuple[list[Value], list[Dim]]:
    count = len(args) - unknowns
    mask = (*[dim is not None for dim in dims[:count]], *[True] * unknowns)
    fronts = [to_front(arg, dim, axis) if on else arg for arg, dim, on in zip(args, dims, mask, strict=True)]
    mapped = {
        name: part and batch_jaxpr(part, axis, mask, (True,) * len(part.jaxpr.outvars))[0]
        for name, part in params.items()
    }
    outs = linear_solve_p.bind(*fronts, unknowns=unknowns, **mapped)
    return outs, [0] * len(outs)


linear_solve_p.abstract_eval = _abstract_eval
linear_solve_p.impl = kernel("run_call")
linear_solve_p.jvp = _jvp
linear_solve_p.transpose = _transpose
linear_solve_p.batch = _batch
run_compiled(linear_solve_p, lambda params: params["jaxpr"])
