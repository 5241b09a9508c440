"""Rules of `custom_vjp` and `custom_jvp`: they run where a derivative is taken, and must give what JAX expects of them.

The forward rule and a JVP rule run where the function is called, a backward rule where the derivative was asked for.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import libcst as cst

from ...domain import (
    UNKNOWN,
    Array,
    Const,
    Entry,
    FunctionValue,
    Level,
    TransformedValue,
    Tree,
    TupleValue,
    Value,
    members,
    roots_of,
)
from ...events import ControlFlow, StaticParameter
from ...records import record
from ..calls import call
from ..closures import captures, names_in
from ..functions import argument_names, parameter_names, underlying
from ..libraries.library import flattened, holds_tracer
from ..python.copies import fresh_copy
from ..python.signatures import refuses
from ..usage import used_as_container
from .boundaries import check_operand, check_result
from .carries import differs
from .differentiation import gradient, no_pair
from .named_arguments import constants
from .reverse import FORWARD, REVERSE, depends_on
from .tangents import integral
from .traces import outward
from .transformed_calls import TransformedCall
from .transforms import shown_module

if TYPE_CHECKING:
    from ...files.source import SourceFile
    from ..machine import Interpreter

_LOWERED = frozenset(("jit", "cond", "switch"))
"""Transforms that keep a strange tracer until they are lowered."""
PUSHED = frozenset(("jvp", "jacfwd", "filter_jvp"))


@record(frozen=True, slots=True)
class Rules:
    """What `defvjp` or `defjvp` was given; `perturbed`: equinox tells its rules which arguments are differentiated."""

    forward: Value | None = None
    backward: Value | None = None
    jvp: Value | None = None
    perturbed: bool = False


def define_rules(
    interp: Interpreter, transformed: TransformedValue, name: str, args: list[Value], kwargs: dict[str, Value]
) -> None:
    """`f.defvjp(fwd, bwd)`, `f.defjvp(rule)`, and equinox's `f.def_fwd` and `f.def_bwd`."""
    known = interp.rules.get(transformed.serial, Rules())
    given = [*args, *(kwargs[key] for key in ("fwd", "bwd", "jvp") if key in kwargs)]
    if kwargs.keys() - {"fwd", "bwd", "jvp"} or not given:
        return  # symbolic zeros: the rules see other things than arrays
    if name == "defvjp" and len(given) == 2:
        known = Rules(given[0], given[1])
    elif name == "defjvp":
        known = Rules(jvp=given[0])
    elif name == "def_fwd":
        known = replace(known, forward=given[0], perturbed=True)
    elif name == "def_bwd":
        known = replace(known, backward=given[0], perturbed=True)
    interp.rules[transformed.serial] = known


def run_custom(called: TransformedCall) -> Value:
    """The function runs as it is, its arguments as traced as they come; under a derivative so do its rules."""
    interp, transformed, node = called.interp, called.transformed, called.node
    args, kwargs, spread = called.args, called.kwargs, called.spread
    if transformed.kind == "custom_vjp" and _refused(interp, transformed, args, node):
        return UNKNOWN
    if _lacks_rule(interp, transformed, node) or _closes_over(interp, transformed):
        return UNKNOWN
    if transformed.kind == "custom_vjp" and _forward_mode(interp, transformed, args, node):
        return UNKNOWN
    apart = set_apart(transformed)
    checked = shown_module(transformed) == "jax" and apart is not None
    if checked and _operand_refused(called, apart or []):
        return UNKNOWN
    trace = interp.trace
    if trace is not None:
        trace = replace(trace, reverse=False, forward=False)  # its own rule is what is differentiated
    with interp.tracing(trace):
        result = call(interp, transformed.function, args, kwargs, node, spread)
        if not kwargs and spread is None:
            _run_rules(interp, transformed, args, node)
    if checked:
        check_result(interp, result, transformed.kind, node)
    return result


def set_apart(transformed: TransformedValue) -> list[int] | None:
    """The positions that `nondiff_argnums` sets apart: JAX counts none from the end, and takes a lone 0 for nothing."""
    chosen = transformed.option("nondiff_argnums")
    numbers = constants(chosen, int) if chosen != Const(0) else []
    if numbers is None or transformed.option("nondiff_argnames") is not None:
        return None
    return [number for number in numbers if number >= 0]


def _operand_refused(called: TransformedCall, apart: list[int]) -> bool:
    """Tells of an argument that is no array and not set apart, or of one set apart that does not exist."""
    interp, node, kind = called.interp, called.node, called.transformed.kind
    known = parameter_names(called.function)
    beyond = [number for number in apart if known and not known[1] and number >= len(known[0])]
    if beyond:
        _tell(
            interp,
            node,
            kind,
            f"nondiff_argnums is {beyond[0]}, beyond the last parameter",
            error="IndexError",
        )
        return True
    return any(
        check_operand(interp, value, kind, node) for k, value in enumerate(called.args) if k not in apart
    )


def _lacks_rule(interp: Interpreter, transformed: TransformedValue, node: cst.CSTNode) -> bool:
    """Tells of a call before any rule was given, which JAX refuses whether or not a derivative is taken."""
    define = "defjvp" if transformed.kind == "custom_jvp" else "defvjp"
    here = transformed.source is interp.source and interp.seen_from_module
    if not here or not str(transformed.option("name")).count("jax.") or define in interp.source.text:
        return False
    name = getattr(underlying(transformed.function), "name", "the function")
    interp.tell(
        ControlFlow, node, function=transformed.kind, problem="no-rule", error="AttributeError",
        detail=f"{name} is called, and {define} never was",
    )  # fmt: skip
    return True


def _closes_over(interp: Interpreter, transformed: TransformedValue) -> bool:
    """Tells of a function that reads what is differentiated around it: its rule speaks of its parameters alone.

    Source: JAX runs the function outside of the derivative, where a tracer of that one is an unexpected one.
    """
    function = transformed.function
    if not isinstance(function, FunctionValue):
        return False
    for place, tracer in captures(function):
        transforms = [root.entry.transform for root in tracer.roots if root.entry is not None]
        derivative = next((name for name in transforms if name in REVERSE | FORWARD), None)
        if derivative is not None:
            detail = (
                f"{place.value} of a scope around it is differentiated by {derivative}, and is no parameter"
            )
            interp.tell(
                ControlFlow, place, tracer.sure, function=transformed.kind, problem="arity", detail=detail,
                error="UnexpectedTracerError", source=function.source,
            )  # fmt: skip
            return True
    return False


def _forward_mode(
    interp: Interpreter, transformed: TransformedValue, args: list[Value], node: cst.CSTNode
) -> bool:
    """Tells of a function with a reverse rule alone under a forward-mode derivative, the innermost one that it depends on."""
    entries = {id(root.entry) for root in roots_of([flattened(interp, value) for value in args])}
    differentiating = (one for one in outward(interp.trace) if one.entry.transform in REVERSE | FORWARD)
    trace = next((one for one in differentiating if id(one.entry) in entries), None)
    if trace is None or trace.entry.transform not in PUSHED:
        return False
    name = getattr(underlying(transformed.function), "name", "the function")
    interp.tell(
        ControlFlow, node, function=trace.entry.transform, problem="forward", error="TypeError",
        detail=f"{name} has a custom_vjp rule, which says nothing of tangents",
    )  # fmt: skip
    return True


def _run_rules(
    interp: Interpreter, transformed: TransformedValue, args: list[Value], node: cst.CSTNode
) -> None:
    """Runs the rules of a function where a derivative asks for them."""
    rules = interp.rules.get(transformed.serial)
    apart = set_apart(transformed)
    if rules is None or apart is None:
        return
    given = [flattened(interp, value) for value in args]
    if rules.jvp is not None and depends_on(given, REVERSE | FORWARD):
        if not _outlived(interp, transformed, rules.jvp, args, apart, node):
            _run_jvp(interp, rules.jvp, args, apart, node)
    elif rules.forward is not None and depends_on(given, REVERSE):
        _run_vjp(interp, rules, args, apart, node)


def _refused(
    interp: Interpreter, transformed: TransformedValue, args: list[Value], node: cst.CSTNode
) -> bool:
    """Whether a tracer is given for an argument that `nondiff_argnums` sets apart, which `custom_vjp` refuses."""
    for position in set_apart(transformed) or []:
        tracer = holds_tracer(args[position]) if position < len(args) else None
        if tracer is not None:
            inner = underlying(transformed.function)
            name = argument_names(transformed.function, len(args))[position]
            # what is asked for its parts may be a pytree of settings alone
            structured = (
                isinstance(tracer, Tree)
                and isinstance(inner, FunctionValue)
                and used_as_container(inner.node, name)
            )
            interp.tell(
                StaticParameter,
                node,
                tracer.sure and len(members(args[position])) == 1 and not structured,
                value=tracer,
                function=getattr(inner, "name", "custom_vjp"),
                parameter=name,
                category="other",
                error="UnexpectedTracerError",
            )
            interp.refusals += 1
            return True
    return False


def _outlived(
    interp: Interpreter,
    transformed: TransformedValue,
    rule: Value,
    args: list[Value],
    apart: list[int],
    node: cst.CSTNode,
) -> bool:
    """Whether an argument set apart is a tracer, kept in what is recorded until a derivative around that runs the rule.

    JAX keeps such arguments as they are: no trace makes values of its own of them.
    """
    known = parameter_names(rule)
    primals = [flattened(interp, value) for k, value in enumerate(args) if k not in apart]
    stage = _recorded_within(interp, primals)
    if stage is None or known is None:
        return False
    for position, given in enumerate(apart):
        tracer = holds_tracer(args[given]) if given < len(args) else None
        if tracer is None or not _mentions(rule, known[0][position]):
            continue
        name = getattr(underlying(transformed.function), "name", "the function")
        parameter = argument_names(transformed.function, len(args))[given]
        detail = (
            f"{parameter} of {name} is set apart by nondiff_argnums, but is a tracer "
            f"inside {stage.transform}, after which the derivative around it runs the rule"
        )
        place, source = next(
            ((call, file) for entry, call, file in interp.entered if entry is stage), (node, interp.source)
        )
        sure = tracer.sure and len(members(args[given])) == 1
        interp.tell(
            ControlFlow, place, sure, function="custom_jvp", problem="outlived", detail=detail,
            error="TypeError" if stage.transform in _LOWERED else "UnexpectedTracerError", source=source,
        )  # fmt: skip
        return True
    return False


def _recorded_within(interp: Interpreter, primals: list[Value]) -> Entry | None:
    """The outermost trace that records operations inside of a derivative of these arguments."""
    recorded = None
    for trace in outward(interp.trace):
        if trace.staging:
            recorded = trace.entry
        if trace.derivative and recorded is not None and depends_on(primals, trace.entry):
            return recorded
    return None


def _mentions(rule: Value, name: str) -> bool:
    """Whether the body of a rule reads one of its parameters."""
    function = underlying(rule)
    return isinstance(function, FunctionValue) and name in names_in(function.node.body)


def _outside(interp: Interpreter, value: Value, node: cst.CSTNode) -> Value:
    """An argument as a rule sees it: as traced as outside of the derivative."""

    def leaf(item: Value) -> Value:
        if isinstance(item, Array) and item.level is Level.DUAL:
            around = tuple(origin for root in item.roots for origin in root.origins)
            return replace(item, level=Level.DUAL if around else Level.CONCRETE, roots=around, trail=None)
        return item

    return fresh_copy(interp, value, leaf, node)


def _run_vjp(
    interp: Interpreter, rules: Rules, args: list[Value], apart: list[int], node: cst.CSTNode
) -> None:
    given = [_outside(interp, value, node) for value in args]
    level = Level.ABSTRACT if interp.staging else Level.CONCRETE
    extra: list[Value] = [Const(True)] if rules.perturbed else []
    forward, backward = rules.forward, rules.backward
    assert forward is not None
    if _misfits(interp, forward, [*extra, *given], node, "custom_vjp", "forward rule"):
        return
    pair = call(interp, forward, [*extra, *given], {}, node)
    if no_pair(pair):
        _tell(interp, node, "custom_vjp", "the forward rule must return a pair (result, residuals)")
        return
    if backward is None or not isinstance(pair, TupleValue) or pair.rest is not None:
        return
    out, residuals = pair.items
    cotangent = gradient(interp, out, level, node)
    chosen = [value for k, value in enumerate(given) if k not in apart]
    if rules.perturbed:
        call(interp, backward, [residuals, cotangent, Const(True), *given], {}, node)
        return
    place, source = interp.differentiating[-1] if interp.differentiating else (node, interp.source)
    taken = [*(given[k] for k in apart), residuals, cotangent]
    if _misfits(interp, backward, taken, place, "custom_vjp", "backward rule", source):
        return
    grads = call(interp, backward, taken, {}, node)
    detail, error = _mismatch(grads, chosen)
    if detail:
        _tell(interp, place, "custom_vjp", f"the backward rule gives {detail}", source, error)


def _misfits(
    interp: Interpreter,
    rule: Value,
    args: list[Value],
    node: cst.CSTNode,
    function: str,
    what: str,
    source: SourceFile | None = None,
) -> bool:
    """Tells of a rule that cannot take the arguments that JAX gives it: those of `nondiff_argnums` come first."""
    detail = refuses(rule, len(args), ())
    if detail:
        _tell(interp, node, function, f"the {what} cannot be called: {detail}", source)
    return bool(detail)


def _mismatch(grads: Value, chosen: list[Value]) -> tuple[str, str]:
    """How what a backward rule gives surely differs from a gradient of each argument, and the exception; or empty."""
    count = len(chosen)
    number = isinstance(grads, Array) and grads.sure
    if number or (isinstance(grads, TupleValue) and grads.rest is None and len(grads.items) != count):
        given = f"{len(grads.items)} gradients" if isinstance(grads, TupleValue) else "no tuple"
        return f"{given} for {count} argument{'s' if count != 1 else ''}", "TypeError"
    if not isinstance(grads, TupleValue) or grads.rest is not None:
        return "", ""
    for position, (value, grad) in enumerate(zip(chosen, grads.items, strict=True)):
        if not isinstance(value, Array) or not isinstance(grad, Array) or not value.sure or not grad.sure:
            continue
        if value.shape is None or grad.shape is None or None in (*value.shape, *grad.shape):
            continue
        if value.shape != grad.shape:
            detail = f"shape {grad.shape} for argument {position} of shape {value.shape}"
            return detail, "ValueError"
    return "", ""


def _run_jvp(
    interp: Interpreter, rule: Value, args: list[Value], apart: list[int], node: cst.CSTNode
) -> None:
    given = [_outside(interp, value, node) for value in args]
    level = Level.ABSTRACT if interp.staging else Level.CONCRETE
    primals = tuple(value for k, value in enumerate(given) if k not in apart)
    tangents = tuple(
        UNKNOWN if integral(value) else gradient(interp, value, level, node)  # float0 has no operations
        for value in primals
    )
    taken = [*(given[k] for k in apart), TupleValue(primals), TupleValue(tangents)]
    if _misfits(interp, rule, taken, node, "custom_jvp", "rule"):
        return
    pair = call(interp, rule, taken, {}, node)
    if no_pair(pair):
        _tell(interp, node, "custom_jvp", "the rule must return a pair (result, its tangent)")
    elif isinstance(pair, TupleValue) and pair.rest is None:
        out, tangent = pair.items
        difference = (
            differs(interp, out, tangent, carry=False)
            if isinstance(out, Array) and isinstance(tangent, Array) and out.shape != tangent.shape
            else ""
        )
        if difference:
            _tell(interp, node, "custom_jvp", f"the result and its tangent differ: {difference}")


def _tell(
    interp: Interpreter,
    node: cst.CSTNode,
    function: str,
    detail: str,
    source: SourceFile | None = None,
    error: str = "TypeError",
) -> None:
    interp.tell(
        ControlFlow, node, function=function, problem="arity", detail=detail, error=error, source=source
    )
