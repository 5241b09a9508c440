"""What a function's body says of the structure of its parameters: a small inference of types from use.

`for w, b in params["layers"]` says that `params` is a mapping whose "layers" are pairs; `x @ w` that `w` is a
matrix; `a[ids]` that `ids` are integers; `f(x)` that `f` is called.  The module's own functions are followed.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from .syntax_index import FunctionNode
from .usage import Usage

Lookup = Callable[[str], "FunctionNode | None"]
Scope = dict[str, "Usage"]

_MAX_DEPTH = 4
_ARRAY_ATTRIBUTES = [
    "shape",
    "ndim",
    "dtype",
    "size",
    "T",
    "at",
    "astype",
    "reshape",
    "sum",
    "mean",
    "max",
    "min",
    "any",
    "all",
    "dot",
    "ravel",
    "flatten",
    "squeeze",
    "transpose",
    "item",
    "tolist",
    "copy",
    "argmax",
    "argmin",
    "argsort",
    "sort",
    "cumsum",
    "prod",
    "std",
    "var",
    "clip",
    "round",
    "conj",
    "real",
    "imag",
    "take",
    "swapaxes",
    "block_until_ready",
    "repeat",
    "view",
    "nbytes",
    "devices",
    "trace",
    "diagonal",
]
_SHAPED = [
    "zeros",
    "ones",
    "full",
    "empty",
    "normal",
    "uniform",
    "eye",
    "arange",
    "broadcast_to",
    "reshape",
    "truncated_normal",
    "tile",
    "linspace",
]
_SQUARE = [
    "inv",
    "det",
    "cholesky",
    "eigh",
    "eigvalsh",
    "solve",
    "slogdet",
    "matrix_power",
    "cho_solve",
    "solve_triangular",
    "diag_indices",
]
_CALLING = ["grad", "value_and_grad", "jacfwd", "jacrev", "jacobian", "hessian"]
_APPLYING = [
    "jit",
    "vmap",
    "scan",
    "map",
    "while_loop",
    "fori_loop",
    "cond",
    "switch",
    "checkpoint",
    "jvp",
    "vjp",
    "custom_root",
    "reduce",
]
_WRAPPERS = ["enumerate", "zip", "reversed", "list", "tuple", "sorted", "iter"]


def parameter_names(node: FunctionNode) -> list[str]:
    """The names of all parameters that take one argument each."""
    arguments = node.args
    return [argument.arg for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]


def usages(node: FunctionNode, lookup: Lookup) -> Scope:
    """Parameter name to usage; `lookup` gives the syntax of other functions of the module by name."""
    scope = {name: Usage() for name in parameter_names(node)}
    if node.args.kwarg is not None:
        scope[node.args.kwarg.arg] = Usage()
    _Reader(dict(scope), lookup, 0).read(node)
    return scope


class _Reader(ast.NodeVisitor):
    """Walks a body in order; `scope` maps the names that stand for (parts of) parameters."""

    def __init__(self, scope: Scope, lookup: Lookup, depth: int) -> None:
        self.scope, self.lookup, self.depth = scope, lookup, depth
        self.inner: dict[str, FunctionNode] = {}  # functions defined in the body

    def read(self, node: FunctionNode) -> None:
        for statement in node.body if isinstance(node.body, list) else [node.body]:
            self.visit(statement)

    # --- what an expression stands for ----------------------------------------------------------------------

    def of(self, node: ast.AST) -> Usage | None:
        """The usage that an expression stands for, if it is a parameter or a part of one."""
        if isinstance(node, ast.Name):
            return self.scope.get(node.id)
        if isinstance(node, ast.Attribute):
            base = self.of(node.value)
            if base is None or node.attr in (
                *_ARRAY_ATTRIBUTES,
                "items",
                "values",
                "keys",
                "get",
                "_replace",
            ):
                return None
            return base.attributes.setdefault(node.attr, Usage())
        if isinstance(node, ast.Subscript):
            return self._of_subscript(node)
        return None

    def _of_subscript(self, node: ast.Subscript) -> Usage | None:
        base = self.of(node.value)
        if base is None:
            return None
        index = node.slice
        if isinstance(index, ast.Constant) and isinstance(index.value, str):
            return base.items.setdefault(index.value, Usage())
        if isinstance(index, ast.Slice):
            return base if base.element is not None or base.members else None
        return base.element if isinstance(index, (ast.Constant, ast.UnaryOp)) else None

    # --- statements that name parts -------------------------------------------------------------------------

    def visit_Assign(self, node: ast.Assign) -> None:
        target = node.targets[0]
        if isinstance(target, (ast.Tuple, ast.List)):
            self._unpack(target, node.value)
        elif isinstance(target, ast.Name) and (usage := self.of(node.value)) is not None:
            self.scope[target.id] = usage
        elif isinstance(target, ast.Name):
            self.visit(node.value)
            self.scope.pop(target.id, None)
            return
        self.generic_visit(node)

    def _unpack(self, target: ast.Tuple | ast.List, value: ast.expr) -> None:
        count = len(target.elts)
        if isinstance(value, ast.Attribute) and value.attr == "shape":
            if (usage := self.of(value.value)) is not None:
                usage.rank = count
        elif isinstance(value, ast.Call) and (usage := self.of(value.func)) is not None:
            usage.results = count
        elif isinstance(value, ast.Tuple) and len(value.elts) == count:
            for name, part in zip(target.elts, value.elts, strict=True):
                if isinstance(name, ast.Name) and (usage := self.of(part)) is not None:
                    self.scope[name.id] = usage
        elif (usage := self._sequence(value)) is not None:
            self._bind(target, usage)

    def _sequence(self, node: ast.expr) -> Usage | None:
        """The usage of a value that is unpacked; the last of `params[-1]` is an element of `params`."""
        if isinstance(node, ast.Subscript) and isinstance(node.slice, (ast.Constant, ast.UnaryOp)):
            base = self.of(node.value)
            if base is not None and not (
                isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str)
            ):
                base.element = base.element or Usage()
                return base.element
        return self.of(node)

    def _bind(self, target: ast.expr, usage: Usage) -> None:
        """Give the names of a target the usages of the parts of a value."""
        if isinstance(target, ast.Name):
            self.scope[target.id] = usage
        elif isinstance(target, (ast.Tuple, ast.List)) and not any(
            isinstance(t, ast.Starred) for t in target.elts
        ):
            while len(usage.members) < len(target.elts):
                usage.members.append(Usage())
            for name, member in zip(target.elts, usage.members, strict=False):
                self._bind(name, member)

    def visit_For(self, node: ast.For) -> None:
        self._iterate(node.target, node.iter)
        self.generic_visit(node)

    def visit_comprehension(self, node: ast.comprehension) -> None:
        self._iterate(node.target, node.iter)
        self.generic_visit(node)

    def _comprehension(self, node: Any) -> None:
        for generator in node.generators:
            self.visit(generator)
        self.generic_visit(node)

    visit_ListComp = visit_SetComp = visit_GeneratorExp = visit_DictComp = _comprehension

    def _iterate(self, target: ast.expr, iterable: ast.expr) -> None:
        if (
            isinstance(iterable, ast.Call)
            and isinstance(iterable.func, ast.Name)
            and iterable.func.id in _WRAPPERS
        ):
            targets = target.elts if isinstance(target, ast.Tuple) else []
            if iterable.func.id == "zip" and len(targets) == len(iterable.args):
                for part, argument in zip(targets, iterable.args, strict=True):
                    self._iterate(part, argument)
            elif iterable.func.id == "enumerate" and len(targets) == 2 and iterable.args:
                self._iterate(targets[1], iterable.args[0])
            elif iterable.func.id not in ("zip", "enumerate") and iterable.args:
                self._iterate(target, iterable.args[0])
            return
        if isinstance(iterable, ast.Subscript) and isinstance(iterable.slice, ast.Slice):
            iterable = iterable.value
        if (usage := self.of(iterable)) is not None:
            usage.element = usage.element or Usage()
            self._bind(target, usage.element)

    # --- what is done with a value --------------------------------------------------------------------------

    def visit_Call(self, node: ast.Call) -> None:
        if (usage := self.of(node.func)) is not None:
            usage.called = True
        called = ast.unparse(node.func) if isinstance(node.func, (ast.Name, ast.Attribute)) else ""
        last = called.rpartition(".")[2]
        first = self.of(node.args[0]) if node.args else None
        if (
            last == "range"
            or (last in _SHAPED and "np." in called)
            or ("random." in called and last in _SHAPED)
        ):
            self._count(node, skip="random." in called)
        if first is not None:
            first.random_key |= (
                "random." in called or called.startswith("jr.")
            ) and "np.random" not in called
            first.called |= last in _CALLING or (last in _APPLYING and not first.has_structure)
            first.scalar_result |= last in _CALLING
            if last in _SQUARE:
                first.rank = 2
            if last in ("one_hot",):
                first.integer = True
            if last in ("conv", "conv_general_dilated"):
                first.rank = 4
                if len(node.args) > 1 and (kernel := self.of(node.args[1])) is not None:
                    kernel.rank = 4
        if last == "einsum" and node.args and isinstance(node.args[0], ast.Constant):
            self._einsum(str(node.args[0].value), node.args[1:])
        if "tree" in called:
            for argument in node.args:
                if (tree := self.of(argument)) is not None:
                    tree.tree = True
        self._follow(called, node.args, node.keywords)
        if isinstance(node.func, ast.Call) and node.func.args:  # grad(f)(x)
            self._follow(ast.unparse(node.func.args[0]), node.args, node.keywords)
        elif last in ("scan", "fori_loop", "while_loop") and len(node.args) > 1:
            init = node.args[1] if last == "scan" else node.args[-1]
            carried = self.inner.get(ast.unparse(node.args[0 if last == "scan" else -2]))
            if carried is not None and parameter_names(carried):
                names = parameter_names(carried)
                name = names[1] if last == "fori_loop" and len(names) > 1 else names[0]
                self._read_inner(carried, {name: init})
        self.generic_visit(node)

    def _count(self, node: ast.Call, skip: bool) -> None:
        for argument in node.args[1:] if skip else node.args:
            for part in ast.walk(argument):
                if isinstance(part, ast.Name) and (usage := self.of(part)) is not None:
                    usage.counted = True

    def _einsum(self, subscripts: str, operands: list[ast.expr]) -> None:
        terms = subscripts.replace(" ", "").partition("->")[0].split(",")
        for term, operand in zip(terms, operands, strict=False):
            if "." not in term and (usage := self.of(operand)) is not None:
                usage.rank = len(term)

    def _follow(self, called: str, arguments: list[ast.expr], keywords: list[ast.keyword]) -> None:
        callee = (self.inner.get(called) or self.lookup(called)) if called else None
        if callee is None:
            return
        pairs = dict(zip(parameter_names(callee), arguments, strict=False))
        pairs |= {keyword.arg: keyword.value for keyword in keywords if keyword.arg}
        self._read_inner(callee, pairs)

    def _read_inner(self, callee: FunctionNode, passed: dict[str, ast.expr]) -> None:
        """Read a function's body with its parameters standing for what is passed."""
        scope = {name: usage for name, value in passed.items() if (usage := self.of(value)) is not None}
        if scope and self.depth < _MAX_DEPTH:
            _Reader(scope, self.lookup, self.depth + 1).read(callee)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        """A nested function: read with the names around it, and again where it is called."""
        self.inner[node.name] = node
        hidden = {name: self.scope.pop(name) for name in parameter_names(node) if name in self.scope}
        for statement in node.body:
            self.visit(statement)
        self.scope |= hidden

    def visit_Subscript(self, node: ast.Subscript) -> None:
        index = node.slice
        parts = index.elts if isinstance(index, ast.Tuple) else [index]
        if (usage := self.of(node.value)) is not None and not self._is_key(index):
            usage.least_rank = max(usage.least_rank, sum(not _is_new_axis(part) for part in parts))
        for part in parts:
            if (usage := self.of(part)) is not None:
                usage.integer = True
        if (
            isinstance(node.value, ast.Attribute)
            and node.value.attr == "shape"
            and isinstance(index, ast.Constant)
        ):
            if (usage := self.of(node.value.value)) is not None and isinstance(index.value, int):
                usage.least_rank = max(usage.least_rank, index.value + 1)
        self.of(node)
        self.generic_visit(node)

    def _is_key(self, index: ast.expr) -> bool:
        return isinstance(index, ast.Constant) and isinstance(index.value, str)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        if node.attr == "T" and (usage := self.of(node.value)) is not None:
            usage.rank = 2
        self.of(node)
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        if isinstance(node.op, ast.MatMult):
            right = self.of(node.right)
            left = self.of(node.left)
            if right is not None and (left is None or left is not right):
                right.least_rank = max(right.least_rank, 1)
                if left is None or left.rank is None:
                    right.rank = right.rank or (2 if not _looks_like_vector(node.right) else 1)
            if (
                left is not None
                and left is not right
                and isinstance(node.left, ast.Name)
                and node.left.id.isupper()
            ):
                left.rank = left.rank or 2
        self.generic_visit(node)

    def visit_If(self, node: ast.If) -> None:
        self._test(node.test)
        self.generic_visit(node)

    def visit_IfExp(self, node: ast.IfExp) -> None:
        self._test(node.test)
        self.generic_visit(node)

    def _test(self, test: ast.expr) -> None:
        if isinstance(test, ast.UnaryOp):
            test = test.operand
        if (usage := self.of(test)) is not None:
            usage.tested = True

    def visit_Compare(self, node: ast.Compare) -> None:
        sides = [node.left, *node.comparators]
        for side in sides:
            if isinstance(side, ast.Attribute) and (base := self.of(side.value)) is not None:
                for other in sides:
                    _dimensions(side.attr, other, base)
            if (usage := self.of(side)) is not None:
                for other in sides:
                    parts = other.elts if isinstance(other, (ast.Tuple, ast.List, ast.Set)) else [other]
                    usage.strings += [
                        part.value
                        for part in parts
                        if isinstance(part, ast.Constant) and isinstance(part.value, str)
                    ]
        self.generic_visit(node)


def _dimensions(attribute: str, other: ast.expr, usage: Usage) -> None:
    """`x.shape == (2, 3)` and `x.ndim == 2` tell the shape and the rank."""
    if attribute == "ndim" and isinstance(other, ast.Constant) and isinstance(other.value, int):
        usage.rank = other.value
    if attribute == "shape" and isinstance(other, ast.Tuple):
        lengths = [part.value for part in other.elts if isinstance(part, ast.Constant)]
        if len(lengths) == len(other.elts):
            usage.shape = tuple(length for length in lengths if isinstance(length, int))


def _looks_like_vector(node: ast.expr) -> bool:
    name = node.id if isinstance(node, ast.Name) else ""
    return name in ("x", "v", "y", "b", "u", "vec", "mean", "mu", "state")


def _is_new_axis(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value in (None, Ellipsis)
