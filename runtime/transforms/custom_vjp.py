"""``custom_vjp``: functions with a reverse-mode rule that the user writes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, NoReturn

from ..arrays.array import asarray
from ..core import (
    ClosedJaxpr,
    JaxprEqn,
    Literal,
    Params,
    Primitive,
    ShapedArray,
    Tracer,
    Value,
    current_trace,
    get_aval,
    set_current_trace,
)
from ..errors import UnexpectedTracerError
from ..jaxprs.discharge import DischargingTrace, Places, discharged, lasts
from ..primitives.linear import UndefinedPrimal, Zero, instantiate
from ..primitives.reductions import reduce_sum
from ..primitives.shape import move_axis
from ..pytree.definition import PyTreeDef, tree_flatten
from ..pytree.mapping import broadcast_prefix, tree_map
from ..tracing.references import Ref
from .batching import Dim, MappedAxis, batch_flat, to_front
from .custom_calls import Arguments, CustomCall, CustomFunction
from .custom_jvp import SymbolicZero
from .signatures import name_of


class Rules(NamedTuple):
    """Flat forms of the two rules.

    `forward(perturbed, *primals)`, told which of them are differentiated, gives the results and the residuals;
    `backward(residuals, cotangents)` gives the cotangents of the primals, `Zero` where nothing flows. The last `still`
    results do not move with the primals, and have no cotangents.
    """

    forward: Callable[..., tuple[list[Value], list[Value]]]
    backward: Callable[[Sequence[Value], Sequence[Value]], list[Value | Zero]]
    still: int = 0


class CustomVJPPrimal:
    """An argument as forward rules defined with ``symbolic_zeros=True`` see it."""

    def __init__(self, value: Any, perturbed: bool) -> None:
        self.value, self.perturbed = value, perturbed


def custom_vjp_primal_tree_values(tree: Any) -> Any:
    """A tree of `CustomVJPPrimal`, with their values in place of them. Raises TypeError for any other leaf."""

    def value(leaf: Any) -> Any:
        if type(leaf) is not CustomVJPPrimal:
            raise TypeError(f"unexpected leaf type {type(leaf)}")
        return leaf.value

    return tree_map(value, tree)


class custom_vjp(CustomFunction):
    """A function whose reverse-mode derivative is given by two rules.

        @jax.custom_vjp
        def f(x, y): ...

        f.defvjp(lambda x, y: (f(x, y), residuals), lambda residuals, ct: (ct_x, ct_y))

    Arguments at `nondiff_argnums` are handed to the backward rule before the residuals.
    """

    traced_for = "custom_vjp fun"

    def __init__(
        self,
        fun: Callable[..., Any],
        nondiff_argnums: Sequence[int] = (),
        nondiff_argnames: Sequence[str] = (),
    ) -> None:
        super().__init__(fun, nondiff_argnums, nondiff_argnames)
        self.fwd: Callable[..., Any] | None = None
        self.bwd: Callable[..., Any] | None = None

    def defvjp(
        self,
        fwd: Callable[..., Any],
        bwd: Callable[..., Any],
        symbolic_zeros: bool = False,
        optimize_remat: bool = False,
    ) -> None:
        """Define the rules: ``fwd(*args)`` gives result and residuals, ``bwd(residuals, ct)`` a cotangent for each arg."""
        self.fwd, self.bwd, self.symbolic_zeros = fwd, bwd, symbolic_zeros

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if self.fwd is None or self.bwd is None:
            raise AttributeError(f"No VJP defined for custom_vjp function {name_of(self.fun)} using defvjp.")
        arguments, leaves, flat, labels = self.flattened(args, kwargs)
        for position, arg in arguments.static.items():
            if any(isinstance(leaf, Tracer) for leaf in tree_flatten(arg)[0]):
                raise UnexpectedTracerError(
                    f"argument {position} of the custom_vjp function {name_of(self.fun)} holds a tracer, but "
                    "nondiff_argnums sets it apart: leave it an ordinary argument, with a cotangent of None"
                )
        rules = self._flat_rules(arguments, list(map(get_aval, leaves)), flat.trees)
        labels |= {"fwd": self.fwd, "bwd": self.bwd}
        outs = custom_vjp_call_p.apply(flat, rules, leaves, flat.info, labels)
        return flat.trees[-1].unflatten(outs)

    def _flat_rules(
        self, arguments: Arguments, avals: Sequence[ShapedArray], trees: list[PyTreeDef]
    ) -> Rules:
        fwd, bwd, names = self.fwd, self.bwd, (name_of(self.fwd), name_of(self.bwd), name_of(self.fun))
        assert fwd is not None and bwd is not None
        residual_trees: list[PyTreeDef] = []

        def forward(perturbed: Sequence[bool], *values: Value) -> tuple[list[Value], list[Value]]:
            stage = current_trace().stage_value  # Integers may be static to what the rule calls.
            values = tuple(v if type(v) in (int, bool) else stage(v) for v in values)
            if self.symbolic_zeros:
                values = tuple(map(CustomVJPPrimal, values, perturbed))
            pair = fwd(*arguments.with_leaves(values))
            if not isinstance(pair, (list, tuple)) or len(pair) != 2:
                raise TypeError(
                    f"Custom VJP fwd rule {names[0]} for function {names[2]} must produce a pair (list or tuple of length "
                    f"two) where the first element represents the primal output and the second one the residuals, but "
                    f"got {pair!r}."
                )
            outs, out_tree = tree_flatten(pair[0])
            residuals, residual_tree = tree_flatten(pair[1])
            if trees and trees[-1] != out_tree:
                raise TypeError(
                    f"Custom VJP fwd rule {names[0]} for function {names[2]} must produce a pair whose first element has "
                    f"the structure of the primal output, {trees[-1]}, but got {out_tree}."
                )
            trees.append(out_tree)
            residual_trees.append(residual_tree)
            return outs, residuals

        def backward(residuals: Sequence[Value], cts: Sequence[Value]) -> list[Value | Zero]:
            stage = current_trace().stage_value

            def seen(ct: Value | Zero) -> Value:
                if type(ct) is Zero and self.symbolic_zeros:
                    return SymbolicZero(ct.aval)
                return stage(instantiate(ct))

            held = residual_trees[-1].unflatten(map(_as_kept, residuals))
            result = bwd(*arguments.static.values(), held, trees[-1].unflatten([seen(ct) for ct in cts]))
            return _checked_cotangents(result, arguments.tree, avals, names[1], names[2])

        return Rules(forward, backward)


def _as_kept(residual: Value) -> Value:
    """A residual as the backward rule sees it: Python's scalars are themselves, whose truth is known."""
    if type(residual) is not Literal:
        return residual
    aval = residual.aval
    return residual.val if aval.weak_type or aval.dtype.kind == "b" else asarray(residual)


def _is_zero(ct: Any) -> bool:
    return ct is None or isinstance(ct, SymbolicZero)


def _checked_cotangents(
    result: Any, in_tree: PyTreeDef, avals: Sequence[ShapedArray], rule: str, function: str
) -> list[Value | Zero]:
    """The flat cotangents. None stands for the zeros of a whole argument."""
    wanted = f"Custom VJP bwd rule {rule} for function {function} must produce an output"
    if isinstance(result, list):
        result = tuple(result)
    if not isinstance(result, tuple) or len(result) != len(in_tree.children()):
        raise TypeError(
            f"{wanted} with the same container (pytree) structure as the args tuple of the primal function, with "
            f"{len(in_tree.children())} elements, but got {result!r}."
        )
    flat: list[Value | Zero] = []
    for ct, tree in zip(result, in_tree.children(), strict=True):
        if ct is None:
            flat += [Zero(aval.to_tangent_aval()) for aval in avals[len(flat) :][: tree.num_leaves]]
            continue
        try:  # None stands for the zeros of any part.
            leaves = broadcast_prefix(ct, tree.unflatten([0] * tree.num_leaves), is_leaf=_is_zero)
        except ValueError:
            raise TypeError(
                f"{wanted} with the same container (pytree) structure as the args tuple of the primal function: "
                f"expected {tree}, got {tree_flatten(ct, is_leaf=_is_zero)[1]}."
            ) from None
        for leaf in leaves:
            expected = avals[len(flat)].to_tangent_aval()
            if isinstance(leaf, SymbolicZero) and leaf.aval.shape != expected.shape:
                raise ValueError(
                    "Custom VJP bwd rule produced a SymbolicZero with a shape/dtype that does not match the corresponding "
                    f"input tangent shape/dtype: at output {len(flat)} of {rule}, got {leaf.aval.str_short()} for an input "
                    f"of type {expected.str_short()}."
                )
            if leaf is None or isinstance(leaf, SymbolicZero) or expected.dtype.kind == "V":
                flat.append(Zero(expected))
                continue
            given = get_aval(leaf)
            if given.shape != expected.shape:  # JAX lets other types pass
                raise ValueError(
                    f"{wanted} with the same shapes as the args tuple of the primal function, but at output "
                    f"{len(flat)} the bwd rule produced an output of type {given.str_short()} corresponding to an input of "
                    f"type {expected.str_short()}."
                )
            flat.append(leaf)
    return flat


# ------------------------------------------------------------------------------------------------ the primitives

custom_lin_p = Primitive("custom_lin", multiple_results=True)


def _linear(
    rules: Rules, primals: Sequence[Value], tangents: Sequence[Value | Zero]
) -> tuple[list[Value], list[Value | Zero]]:
    """The results of the forward rule, and tangents that only a transposition can make sense of."""
    outs, residuals = rules.forward([type(t) is not Zero for t in tangents], *primals)
    tangent_avals = [get_aval(out).to_tangent_aval() for out in outs]
    moving = len(outs) - rules.still
    out_avals = tuple(tangent_avals[:moving])
    live = tuple(i for i, t in enumerate(tangents) if type(t) is not Zero)
    given = [tangents[i] for i in live]
    dots = custom_lin_p.bind(
        *residuals,
        *given,
        num_residuals=len(residuals),
        backward=rules.backward,
        live=live,
        out_avals=out_avals,
    )
    of_moving = [
        Zero(aval) if aval.dtype.kind == "V" else dot for aval, dot in zip(out_avals, dots, strict=True)
    ]
    return outs, of_moving + [Zero(aval) for aval in tangent_avals[moving:]]


def _example(batch: Zero) -> Zero:
    """The zero of one example of a batch, which is in front."""
    return Zero(batch.aval.update(shape=batch.aval.shape[1:]))


def _batched_rules(rules: Rules, axis: MappedAxis, dims: Sequence[Dim]) -> Rules:
    residual_dims: list[list[Dim]] = []

    def forward(perturbed: Sequence[bool], *primals: Value) -> tuple[list[Value], list[Value]]:
        count = 0

        def both(*values: Value) -> list[Value]:
            nonlocal count
            outs, residuals = rules.forward(perturbed, *values)
            count = len(outs)
            return [*outs, *residuals]

        found, out_dims = batch_flat(both, axis, primals, dims)
        residual_dims.append(out_dims[count:])
        outs = [to_front(out, dim, axis) for out, dim in zip(found[:count], out_dims[:count], strict=True)]
        return outs, found[count:]

    def backward(residuals: Sequence[Value], cts: Sequence[Value]) -> list[Value | Zero]:
        avals: list[Zero | None] = []
        live = [ct for ct in cts if type(ct) is not Zero]

        def both(*values: Value) -> list[Value]:
            given = iter(values[len(residuals) :])
            examples = [_example(ct) if type(ct) is Zero else next(given) for ct in cts]
            found = rules.backward(values[: len(residuals)], examples)
            avals.extend(ct if type(ct) is Zero else None for ct in found)
            return [ct for ct in found if type(ct) is not Zero]

        outs, out_dims = batch_flat(both, axis, [*residuals, *live], [*residual_dims[-1], *[0] * len(live)])
        fronts = iter([to_front(out, dim, axis) for out, dim in zip(outs, out_dims, strict=True)])
        result: list[Value | Zero] = []
        for zero, dim in zip(avals, dims, strict=True):
            if zero is not None:
                shape = zero.aval.shape
                result.append(
                    zero if dim is None else Zero(zero.aval.update(shape=(*shape[:dim], axis, *shape[dim:])))
                )
                continue
            ct = next(fronts)
            if dim is None:
                result.append(reduce_sum(ct, (0,)))
            else:
                result.append(move_axis(ct, 0, dim))
        return result

    return Rules(forward, backward, rules.still)


def _pretty(eqn: JaxprEqn) -> Params:
    labels = eqn.params["labels"]
    return {
        "name": labels["name"],
        "bwd": name_of(labels["bwd"]),
        "call_jaxpr": eqn.params["call_jaxpr"],
        "fwd": name_of(labels["fwd"]),
        "symbolic_zeros": labels["symbolic_zeros"],
    }


custom_vjp_call_p = CustomCall("custom_vjp_call", _linear, _batched_rules)
custom_vjp_call_p.pretty = _pretty


def _discharge(
    values: Sequence[Value],
    args: Sequence[Value],
    places: Places,
    *,
    call_jaxpr: ClosedJaxpr,
    rules: Rules,
    num_consts: int,
    labels: Any,
) -> tuple[list[Value], list[Value | None]]:
    """Call the function of the values that references have, whose last values are results more, with rules to match."""
    pure, written = discharged(call_jaxpr, places, list(map(get_aval, values)))
    others = [arg for arg, place in zip(args, places) if place is None]
    count = len(call_jaxpr.jaxpr.outvars)

    def forward(perturbed: Sequence[bool], *primals: Value) -> tuple[list[Value], list[Value]]:
        trace = DischargingTrace(current_trace())
        held = [Ref(trace, value) for value in primals[: len(values)]]
        rest = iter(zip(primals[len(values) :], perturbed[len(values) :]))
        given = [(held[place], False) if place is not None else next(rest) for place in places][num_consts:]
        with set_current_trace(trace):
            outs, residuals = rules.forward([moves for _, moves in given], *[value for value, _ in given])
        if any(isinstance(residual, Ref) for residual in residuals):
            raise NotImplementedError(
                "references as residuals of a custom_vjp function that is jitted are not implemented"
            )
        return [*outs, *[ref._load() for ref, on in zip(held, written) if on]], residuals

    def backward(residuals: Sequence[Value], cts: Sequence[Value]) -> list[Value | Zero]:
        found = rules.backward(residuals, cts)
        zeros = [Zero(get_aval(value).to_tangent_aval()) for value in values]
        of_args = [Zero(get_aval(arg).to_tangent_aval()) for arg in args[:num_consts]]
        of_args += found
        return [*zeros, *[ct for ct, place in zip(of_args, places, strict=True) if place is None]]

    outs = custom_vjp_call_p.bind(
        *values,
        *others,
        call_jaxpr=pure,
        rules=Rules(forward, backward, rules.still + sum(written)),
        num_consts=0,
        labels=labels,
    )
    return outs[:count], lasts(outs[count:], written)


custom_vjp_call_p.discharge = _discharge


def _no_forward_mode(*args: Any, **params: Any) -> NoReturn:
    raise TypeError("can't apply forward-mode autodiff (jvp) to a custom_vjp function.")


def _no_second_derivative(*args: Any, **params: Any) -> NoReturn:
    raise NotImplementedError("Differentiation rule for 'custom_lin' not implemented")


def _transpose(
    cts: Sequence[Any], *args: Any, num_residuals: int, backward: Any, live: Sequence[int], out_avals: Any
) -> list[Any]:
    if any(type(arg) is not UndefinedPrimal for arg in args[num_residuals:]):
        _no_forward_mode()
    found = backward(args[:num_residuals], cts)
    return [None] * num_residuals + [found[i] for i in live]


custom_lin_p.abstract_eval = lambda *avals, out_avals, **params: list(out_avals)
custom_lin_p.impl = _no_forward_mode
custom_lin_p.refuse = _no_forward_mode
custom_lin_p.jvp = _no_second_derivative
custom_lin_p.batch = _no_forward_mode
custom_lin_p.transpose = _transpose
