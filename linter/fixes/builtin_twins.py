"""`min`, `max`, `any`, `all`, `sorted`, `bool` of tracers → their twins in jax.numpy."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from .booleans import gives_booleans
from .draft import Draft
from .names import dotted
from .place import parents, preceding, small, statement_of

if TYPE_CHECKING:
    from ..events import Truth
    from ..findings import Fix

PAIRWISE = {"min": "minimum", "max": "maximum"}
REDUCTIONS = {"min": "min", "max": "max", "any": "any", "all": "all", "sorted": "sort"}


def twin(event: Truth) -> Fix | None:
    """The call, or the builtin where it is handed to another function."""
    node, name = event.node, event.function.rsplit(".", 1)[-1]
    if not isinstance(node, cst.Call):
        return None
    draft = Draft(event.source, node)
    if dotted(node.func).rsplit(".", 1)[-1] != name:
        handed = [arg.value for arg in node.args if dotted(arg.value) == name]
        if len(handed) != 1 or name not in PAIRWISE:
            return None
        draft.replace(handed[0], draft.jnp(PAIRWISE[name]))
        return draft.fix(f"Use jnp.{PAIRWISE[name]}")
    if any(arg.star for arg in node.args):
        return None
    written = _written(name, node, event, draft)
    if written is None:
        return None
    draft.replace(node, written)
    return draft.fix(f"Use jax.numpy in place of {name}()")


def _written(name: str, node: cst.Call, event: Truth, draft: Draft) -> str | None:
    keywords = {arg.keyword.value: arg.value for arg in node.args if arg.keyword is not None}
    values = [arg.value for arg in node.args if arg.keyword is None]
    if name == "bool" and len(values) == 1 and not keywords:
        boolean = gives_booleans(values[0]) or getattr(event.value, "dtype", None) == "bool"
        alone = isinstance(parents(draft.source).get(node), cst.Arg | cst.Assign | cst.Return)
        written = draft.text(values[0]) if boolean else f"{draft.atom(values[0])} != 0"
        return written if alone or written == draft.atom(values[0]) else f"({written})"
    if name == "sorted" and set(keywords) <= {"reverse"} and len(values) == 1:
        if _holds_rows(values[0], node, draft):
            return None  # the order of rows is that of their first items; `sort` orders each column
        flag = dotted(keywords["reverse"]) if keywords else "False"
        if flag not in ("True", "False"):
            return None
        return f"{draft.jnp('sort')}({_array(values[0], draft)}){'[::-1]' if flag == 'True' else ''}"
    if keywords or name not in REDUCTIONS:
        return None
    if name in PAIRWISE and len(values) > 1:
        written = draft.text(values[0])
        for value in values[1:]:
            written = f"{draft.jnp(PAIRWISE[name])}({written}, {draft.text(value)})"
        return written
    return f"{draft.jnp(REDUCTIONS[name])}({_array(values[0], draft)})" if len(values) == 1 else None


def _holds_rows(node: cst.BaseExpression, call: cst.Call, draft: Draft) -> bool:
    """Whether a display, or the name of one, has sequences for items."""
    statement = statement_of(draft.source, call)
    for earlier in preceding(draft.source, statement) if statement and isinstance(node, cst.Name) else ():
        given = small(earlier)
        if isinstance(given, cst.Assign) and dotted(given.targets[0].target) == dotted(node):
            return _holds_rows(given.value, call, draft)
    items = node.elements if isinstance(node, cst.List | cst.Tuple) else ()
    return any(isinstance(item.value, cst.List | cst.Tuple) for item in items)


def _array(node: cst.BaseExpression, draft: Draft) -> str:
    """What is iterated over, as one array."""
    if isinstance(node, cst.GeneratorExp):
        inner = draft.source.module.code_for_node(node.with_changes(lpar=(), rpar=())).strip()
        return f"{draft.jnp('array')}([{inner}])"
    return f"{draft.jnp('array')}({draft.text(node)})"
