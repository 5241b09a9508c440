"""Comprehensions that pick items by a traced test → every item, and what is left out counts for nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from ..syntax.walk import children
from .booleans import condition
from .draft import Draft, extent
from .names import dotted
from .place import function_of, parents, small, statement_of

if TYPE_CHECKING:
    from ..events import Truth
    from ..findings import Fix

COST = "every item is computed, also those left out"
NEUTRAL = {"sum": "0", "max": "-{inf}", "min": "{inf}"}
TESTED = {"any": ("any", "&"), "all": ("all", "|")}


def reduced(event: Truth) -> Fix | None:
    """`sum(x for x in xs if c)` → `sum(jnp.where(c, x, 0) for x in xs)`; `min`, `max`, `len` likewise."""
    found = _comprehension(event)
    if found is None:
        return None
    comprehension, loop, test = found
    above = parents(event.source)
    call = above.get(above[comprehension]) if comprehension in above else None
    if not isinstance(call, cst.Call) or len(call.args) != 1 or call.args[0].value is not comprehension:
        return None
    draft = Draft(event.source, event.node)
    written = condition(test.test, draft)
    name = dotted(call.func)
    if written is None:
        return None
    if name == "len":
        body = _without_test(comprehension, loop, f"({written})", draft)
        draft.replace(call, f"sum({body})")
    elif name == "sum":
        draft.replace(
            comprehension.elt, f"{draft.jnp('where')}({written}, {draft.text(comprehension.elt)}, 0)"
        )
        draft.cut(extent(event.source, loop.iter).end, event.source.span_of(test).end)
    elif name in NEUTRAL:
        neutral = NEUTRAL[name].format(inf=draft.jnp("inf"))
        item = f"{draft.jnp('where')}({written}, {draft.text(comprehension.elt)}, {neutral})"
        draft.replace(
            call,
            f"{draft.jnp(name)}({draft.jnp('array')}([{_without_test(comprehension, loop, item, draft)}]))",
        )
    elif name in TESTED:
        function, sign = TESTED[name]
        kept = f"({written})" if name == "any" else f"{draft.jnp('logical_not')}({written})"
        item = f"{kept} {sign} ({draft.text(comprehension.elt)})"
        draft.replace(
            call,
            f"{draft.jnp(function)}({draft.jnp('array')}([{_without_test(comprehension, loop, item, draft)}]))",
        )
    else:
        return None
    return draft.fix("Let what is left out count for nothing", cost=COST)


def summed_later(event: Truth) -> Fix | None:
    """A list that is only summed and counted: zeros in it, and a second list that says which items count."""
    found = _comprehension(event)
    function = function_of(event.source, event.node)
    statement = statement_of(event.source, event.node)
    if found is None or not isinstance(function, cst.FunctionDef) or statement is None:
        return None
    comprehension, loop, test = found
    assignment = small(statement)
    if (
        not isinstance(assignment, cst.Assign)
        or assignment.value is not comprehension
        or len(assignment.targets) != 1
    ):
        return None
    if not isinstance(comprehension, cst.ListComp) or not isinstance(assignment.targets[0].target, cst.Name):
        return None
    name = assignment.targets[0].target.value
    draft = Draft(event.source, event.node)
    written = condition(test.test, draft)
    reads = _reads(function, assignment, name, draft)
    if written is None or reads is None:
        return None
    item = f"{draft.jnp('where')}({written}, {draft.text(comprehension.elt)}, 0)"
    draft.replace(comprehension, f"[{_without_test(comprehension, loop, item, draft)}]")
    counted = _without_test(comprehension, loop, f"({written})", draft)
    for call in reads:
        draft.replace(call, f"sum({counted})")
    return draft.fix("Let what is left out count for nothing", cost=COST)


def _comprehension(event: Truth) -> tuple[cst.GeneratorExp | cst.ListComp, cst.CompFor, cst.CompIf] | None:
    above = parents(event.source)
    test = above.get(event.node)
    loop = above.get(test) if test is not None else None
    comprehension = above.get(loop) if loop is not None else None
    if (
        not isinstance(test, cst.CompIf)
        or not isinstance(loop, cst.CompFor)
        or len(loop.ifs) != 1
        or loop.inner_for_in
    ):
        return None
    return (comprehension, loop, test) if isinstance(comprehension, cst.GeneratorExp | cst.ListComp) else None


def _without_test(
    comprehension: cst.GeneratorExp | cst.ListComp, loop: cst.CompFor, item: str, draft: Draft
) -> str:
    """`item for x in xs`."""
    return f"{item} for {draft.text(loop.target)} in {draft.text(loop.iter)}"


def _reads(
    function: cst.FunctionDef, assignment: cst.Assign, name: str, draft: Draft
) -> list[cst.Call] | None:
    """The calls that count the list; None where it is used for anything but `sum` and `len`, or bound twice."""
    counts: list[cst.Call] = []
    above = parents(draft.source)
    pending: list[cst.CSTNode] = [function.body]
    while pending:
        node = pending.pop()
        if isinstance(node, cst.Name) and node.value == name and node is not assignment.targets[0].target:
            call = above.get(above[node])
            if (
                not isinstance(call, cst.Call)
                or len(call.args) != 1
                or dotted(call.func) not in ("sum", "len")
            ):
                return None
            if dotted(call.func) == "len":
                counts.append(call)
        pending.extend(children(node))
    return counts
