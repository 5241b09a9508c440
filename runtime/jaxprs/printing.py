"""Jaxprs as text, exactly as JAX prints them.

Variables are named ``a``, ``b``, ... in the order in which they are met; the jaxpr of a ``jit`` equation takes over
the names of the operands and results. A jaxpr that is used twice, or has more than ten equations inside another, is
printed once, before the whole, and referred to by name.
"""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Iterable, Sequence
from itertools import count
from typing import Any

from ..tracing.sources import summarize
from .documents import Break, Document, Group, Nest, joined, render
from .jaxpr import Atom, ClosedJaxpr, Jaxpr, JaxprEqn, Literal, Var, sub_jaxprs


def format_jaxpr(
    jaxpr: Jaxpr, *, source_info: bool = False, print_shapes: bool = True, **ignored: Any
) -> str:
    """The text of a jaxpr; with `source_info`, each equation is followed by the user's line that made it."""
    return render(_Printer(source_info, print_shapes, _unused(jaxpr)).toplevel(jaxpr))


def format_eqn(eqn: JaxprEqn) -> str:
    """The text of one equation."""
    return render(_Printer(False, True, frozenset()).eqn(eqn))


def _alphabetic(number: int) -> str:
    """``a`` ... ``z``, ``ba``, ``bb``, ...: the number in base 26."""
    name = ""
    while not name or number:
        number, digit = divmod(number, 26)
        name = chr(97 + digit) + name
    return name


def _unused(jaxpr: Jaxpr) -> frozenset[Var]:
    """The results of equations that nothing reads, printed as ``_``: those of inner jaxprs keep their names."""
    unused: set[Var] = set()
    used = {v for v in jaxpr.outvars if isinstance(v, Var)}
    for eqn in reversed(jaxpr.eqns):
        unused.update(v for v in eqn.outvars if v not in used)
        used.update(v for v in eqn.invars if isinstance(v, Var))
    return frozenset(unused)


def _vars(texts: Iterable[str], separator: str = "") -> Document:
    return Nest(2, Group(joined([separator, Group(Break())], texts)))


class _Printer:
    """The names that were given so far, and the jaxprs that are referred to by name."""

    def __init__(self, source_info: bool, print_shapes: bool, unused: frozenset[Var]) -> None:
        self.source_info, self.print_shapes = source_info, print_shapes
        self.names: dict[Var, str] = dict.fromkeys(unused, "_")
        self.shared: dict[int, str] = {}
        self.taken: set[str] = set()
        self.fresh = (name for number in count() if (name := _alphabetic(number)) not in self.taken)

    def name(self, atom: Atom) -> str:
        if isinstance(atom, Literal):
            return f"{atom.val}:{atom.aval.str_short(short_dtypes=True)}"
        if atom not in self.names:
            self.names[atom] = next(self.fresh)
        return self.names[atom]

    def binders(self, variables: Sequence[Var]) -> Document:
        if not self.print_shapes:
            return _vars([self.name(v) for v in variables])
        return _vars([f"{self.name(v)}:{v.aval.str_short(short_dtypes=True)}" for v in variables])

    def toplevel(self, root: Jaxpr) -> Document:
        uses: Counter[int] = Counter()
        known: dict[int, Jaxpr] = {}
        titles: dict[int, str] = {}
        pending = deque([root])
        while pending:
            jaxpr = pending.popleft()
            known[id(jaxpr)] = jaxpr
            uses[id(jaxpr)] += 1
            if jaxpr is not root and len(jaxpr.eqns) > 10:
                uses[id(jaxpr)] += 1
            for eqn in jaxpr.eqns:
                title = eqn.params.get("name")
                for inner in sub_jaxprs(eqn):
                    pending.append(inner)
                    if title is not None:
                        titles.setdefault(id(inner), title.strip("<>"))
        numbers: Counter[str] = Counter()
        shared: list[Jaxpr] = []
        for key, times in uses.items():
            if times == 1:
                continue
            title = titles.get(key, "jaxpr")
            number = numbers[title]
            numbers[title] += 1
            if number:
                title = f"{title}{number}"
                numbers[title] += 1
            self.taken.add(title)
            self.shared[key] = title
            shared.append(known[key])
        parts: list[Document] = [
            ["let ", self.shared[id(jaxpr)], " = ", self.skeleton(jaxpr), " in", Break()] for jaxpr in shared
        ]
        return [*parts, self.jaxpr(root)]

    def jaxpr(self, jaxpr: Jaxpr) -> Document:
        return self.shared.get(id(jaxpr)) or self.skeleton(jaxpr)

    def skeleton(self, jaxpr: Jaxpr) -> Document:
        constvars, invars = self.binders(jaxpr.constvars), self.binders(jaxpr.invars)
        eqns = joined(Break("; "), [self.eqn(eqn) for eqn in jaxpr.eqns])
        results = _vars([self.name(v) for v in jaxpr.outvars], ",")
        closing = ")" if len(jaxpr.outvars) != 1 else ",)"
        return Group(
            [
                Nest(
                    2,
                    [
                        "{ ",
                        "lambda ",
                        constvars,
                        "; ",
                        invars,
                        ". ",
                        "let",
                        Nest(2, [Break(), eqns]),
                        Break(),
                        "in ",
                        ["(", results, closing],
                    ],
                ),
                " }",
            ]
        )

    def eqn(self, eqn: JaxprEqn) -> Document:
        if eqn.primitive.show is not None:
            return eqn.primitive.show(self, eqn)
        pretty = eqn.primitive.pretty
        params = eqn.params if pretty is None else pretty(eqn)
        names = sorted(params)
        if pretty is not None and "name" in params:
            names = ["name", *(name for name in names if name != "name")]
        if eqn.primitive.name == "jit" and id(eqn.params["jaxpr"].jaxpr) not in self.shared:
            inner = eqn.params["jaxpr"].jaxpr
            self.suggest(inner.invars, eqn.invars)
            self.suggest(inner.outvars, eqn.outvars)
        left = self.binders(eqn.outvars)
        right: list[Document] = [
            eqn.primitive.name,
            self.params([(name, params[name]) for name in names]),
            " ",
            _vars([self.name(v) for v in eqn.invars]),
        ]
        if self.source_info:
            right.append(f" # {summarize(eqn.source)}")
        return [left, " = ", *right] if eqn.outvars else right

    def params(self, pairs: Sequence[tuple[str, Any]]) -> Document:
        if not pairs:
            return ""
        shown = joined(Break(), [[f"{name}=", self.value(value)] for name, value in pairs])
        return Group([Nest(2, ["[", Break(""), shown]), Break(""), "]"])

    def value(self, value: Any) -> Document:
        if type(value) is tuple and all(isinstance(item, (Jaxpr, ClosedJaxpr)) for item in value):
            inner = [self.jaxpr(item.jaxpr if isinstance(item, ClosedJaxpr) else item) for item in value]
            return Group([Nest(2, ["(", Break(""), joined(Break(), inner)]), Break(""), ")"])
        if isinstance(value, Jaxpr):
            return self.jaxpr(value)
        if isinstance(value, ClosedJaxpr):
            return self.jaxpr(value.jaxpr)
        if isinstance(value, frozenset):
            return f"frozenset({{{', '.join(map(repr, sorted(value)))}}})"
        return re.sub(r" at 0x([0-9a-fA-F]+)", lambda m: " at 0x" + "X" * len(m.group(1)), str(value))

    def suggest(self, inner: Sequence[Atom], outer: Sequence[Atom]) -> None:
        """Give variables of an inner jaxpr the names of the outer ones that they stand for."""
        used: set[Var] = set()
        if len(inner) != len(outer):
            return
        for mine, other in zip(inner, outer):
            if (
                isinstance(other, Var)
                and other not in used
                and isinstance(mine, Var)
                and mine not in self.names
            ):
                used.add(other)
                self.names[mine] = self.name(other)
