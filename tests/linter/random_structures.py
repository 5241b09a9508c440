"""Statements of random programs that bind names in other ways: patterns, handlers, closures, instances, carries."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from random_programs import Scope

LAYER = """
class Layer:
    def __init__(self, scale, size):
        self.scale = scale
        self.size = size

    @property
    def wide(self):
        return self.size > 1

    def __call__(self, x):
        if self.wide:
            return x * self.scale
        return x - self.scale

    def grown(self, by):
        self.scale = self.scale + by
        return self
"""


class Structures:
    """What `Writer` adds to plain statements."""

    choose: random.Random
    lines: list[str]

    if TYPE_CHECKING:

        def fresh(self, stem: str) -> str: ...
        def scalar(self, scope: Scope, depth: int = 2) -> str: ...
        def number(self, scope: Scope) -> str: ...
        def test(self, scope: Scope) -> str: ...

    def _walrus(self, scope: Scope, indent: str, depth: int) -> None:
        name, total = self.fresh("s"), self.fresh("s")
        self.lines.append(f"{indent}{total} = ({name} := {self.scalar(scope, 1)}) * 2 + {name}")
        scope.scalars += [name, total]

    def _match(self, scope: Scope, indent: str, depth: int) -> None:
        name = self.fresh("s")
        pair = self.choose.random() < 0.4
        self.lines.append(
            f"{indent}match {f'({self.number(scope)}, {self.choose.randint(1, 2)})' if pair else self.number(scope)}:"
        )
        for pattern in ("(1, _)", "(2, 1)", "_") if pair else ("1", "2 | 3", "_"):
            self.lines.append(f"{indent}    case {pattern}:")
            self.lines.append(f"{indent}        {name} = {self.scalar(scope, 1)}")
        scope.scalars.append(name)

    def _try(self, scope: Scope, indent: str, depth: int) -> None:
        name = self.fresh("s")
        caught = self.choose.choice(
            ["KeyError", "ValueError", "(ValueError, ZeroDivisionError)", "TypeError", "Exception"]
        )
        self.lines.append(f"{indent}try:")
        self.lines.append(f"{indent}    {name} = {self.scalar(scope, 1)}")
        self.lines.append(f"{indent}except {caught}:")
        self.lines.append(f"{indent}    {name} = 0.5")
        scope.scalars.append(name)

    def _closure(self, scope: Scope, indent: str, depth: int) -> None:
        factory, name = self.fresh("make"), self.fresh("s")
        inner = scope.copy()
        inner.scalars += ["scale", "t"]
        self.lines.append(f"{indent}def {factory}(scale):")
        self.lines.append(f"{indent}    def apply(t):")
        self.lines.append(f"{indent}        return {self.scalar(inner, 1)}")
        self.lines.append(f"{indent}    return apply")
        self.lines.append(f"{indent}{name} = {factory}({self.scalar(scope, 0)})({self.scalar(scope, 0)})")
        scope.scalars.append(name)

    def _instance(self, scope: Scope, indent: str, depth: int) -> None:
        layer, name = self.fresh("o"), self.fresh("s")
        self.lines.append(f"{indent}{layer} = Layer({self.scalar(scope, 1)}, {self.number(scope)})")
        grown = f".grown({self.scalar(scope, 0)})" if self.choose.random() < 0.4 else ""
        self.lines.append(f"{indent}{name} = {layer}{grown}({self.scalar(scope, 0)})")
        scope.scalars.append(name)

    def _carry(self, scope: Scope, indent: str, depth: int) -> None:
        carry, rows = self.fresh("c"), self.fresh("v")
        start = f"jnp.asarray({self.scalar(scope, 0)}, jnp.float32)"
        if self.choose.random() < 0.5:
            body, init, read = "{'t': c['t'] + e, 'k': c['k']}, c['t']", f"{{'t': {start}, 'k': 1}}", "['t']"
        else:
            body, init, read = "(c[0] + e, c[1]), c[0]", f"({start}, 1)", "[0]"
        self.lines.append(
            f"{indent}{carry}, {rows} = lax.scan(lambda c, e: ({body}), {init}, jnp.arange(3.0))"
        )
        name = self.fresh("s")
        self.lines.append(f"{indent}{name} = {carry}{read}")
        scope.scalars.append(name)
        scope.vectors.append(rows)

    def _unpack(self, scope: Scope, indent: str, depth: int) -> None:
        pair, first, second = self.fresh("p"), self.fresh("s"), self.fresh("s")
        self.lines.append(f"{indent}{pair} = ({self.scalar(scope, 1)}, {self.scalar(scope, 1)})")
        self.lines.append(f"{indent}{first}, {second} = {pair}{self.choose.choice(['', '[::-1]'])}")
        scope.scalars += [first, second]

    def _items(self, scope: Scope, indent: str, depth: int) -> None:
        name = self.fresh("s")
        inner = scope.copy()
        inner.scalars.append("e")
        self.lines.append(f"{indent}{name} = 0.0")
        if scope.dicts and self.choose.random() < 0.5:
            self.lines.append(f"{indent}for k, e in {self.choose.choice(scope.dicts)}.items():")
            self.lines.append(f'{indent}    if k == "b":')
            self.lines.append(f"{indent}        break")
        elif scope.lists:
            self.lines.append(f"{indent}for i, e in enumerate({self.choose.choice(scope.lists)}):")
            self.lines.append(f"{indent}    if i > 1 or {self.test(scope)}:")
            self.lines.append(f"{indent}        break")
        else:
            self.lines.append(f"{indent}for e in ({self.scalar(scope, 0)}, {self.scalar(scope, 0)}):")
        self.lines.append(f"{indent}    {name} += {self.scalar(inner, 1)}")
        scope.scalars.append(name)
