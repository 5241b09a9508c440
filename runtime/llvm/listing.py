"""Plans as text: the loops that a jaxpr becomes, one line an operation."""

from __future__ import annotations

from collections.abc import Iterator

from .control import Branches, Loop, ScanLoop
from .nest import Nest, Stage
from .node import Leaf, Node
from .prefix import Prefix
from .product import Product
from .scope import Copy, Scope


def listing(scope: Scope) -> str:
    """The steps of a scope, those inside of loops and branches indented."""
    return "\n".join(_lines(scope, ""))


def _lines(scope: Scope, indent: str) -> Iterator[str]:
    for step in scope.steps:
        if isinstance(step, Nest):
            yield from (indent + line for line in _nest(step))
        elif isinstance(step, Copy):
            shared = step.target.root is step.source.root
            yield f"{indent}{_name(step.target)} = {step.source.name}{'  (in place)' if shared else ''}"
        elif isinstance(step, Prefix):
            way = "from the end" if step.backwards else "from the start"
            yield f"{indent}{_name(step.target)} = cumulative {step.reducer.name} of {step.source.name} {way}"
        elif isinstance(step, Product):
            operands = f"{_name(step.left.leaf)} and {_name(step.right.leaf)}"
            yield f"{indent}{_name(step.target)} = product of {operands}"
        elif isinstance(step, Loop):
            header = f"scan {step.length} times" if isinstance(step, ScanLoop) else "while"
            yield f"{indent}{header}: {', '.join(_name(r) for r in step.results)}"
            for inner in step.scopes:
                yield f"{indent}  do"
                yield from _lines(inner, indent + "    ")
        elif isinstance(step, Branches):
            yield f"{indent}switch {step.index.name}: {', '.join(_name(r) for r in step.results)}"
            for k, inner in enumerate(step.scopes):
                yield f"{indent}  case {k}"
                yield from _lines(inner, indent + "    ")


def _name(leaf: Leaf) -> str:
    return f"{leaf.name}:{leaf.elem.name}[{','.join(map(str, leaf.shape))}]"


def _nest(nest: Nest) -> Iterator[str]:
    outer = nest.outer or 0
    loops = [f"i{d} < {nest.domain[d]}" for d in nest.order if nest.domain[d] != 1]
    yield f"for {', '.join(loops)}" if loops else "once"
    rows = sum(nest.domain[d] != 1 for d in nest.order[:outer])
    if rows:
        yield f"  ({rows} outer)"
    for level in sorted({s.level for s in nest.stages}):
        if level:
            yield "  then, over the inner loops again"
        shown: set[int] = set()
        for stage in (s for s in nest.stages if s.level == level):
            for node in stage.nodes:
                if node.id not in shown and node.op != "const":
                    shown.add(node.id)
                    yield f"  {_ref(node)} = {_operation(node)}"
            yield f"  {_effect(stage)}"


def _ref(node: Node) -> str:
    return node.elem.literal(node.attr) if node.op == "const" else f"t{node.id}"


def _operation(node: Node) -> str:
    if node.op == "load":
        leaf, affine, offset, mask = node.attr
        at = f"{affine}{f' + {_ref(offset)}' if offset is not None else ''}"
        return f"{leaf.name}[{at}]{f' where {_ref(mask)}' if mask is not None else ''}"
    if node.op == "index":
        return str(node.attr[0])
    if node.op == "inside":
        affine, low, high = node.attr
        return f"{low} <= {affine} < {high}"
    return f"{node.op} {' '.join(_ref(a) for a in node.args)} : {node.elem.name}"


def _effect(stage: Stage) -> str:
    value, leaf = _ref(stage.root), stage.leaf
    if stage.reducer:
        return f"{_name(leaf)}[{stage.target}] = {stage.reducer.name} of {value}"
    if not leaf.stored:
        return f"{leaf.name} is {value}"
    at = f"{stage.target}{f' + {_ref(stage.offset)}' if stage.offset is not None else ''}"
    where = f" where {_ref(stage.mask)}" if stage.mask is not None else ""
    return f"{_name(leaf)}[{at}] {'combines with' if stage.accumulate else '='} {value}{where}"
