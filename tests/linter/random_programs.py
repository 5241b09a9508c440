"""Random small programs that trace functions: what Python and JAX make of them is compared with the linter's answer.

A program defines traced functions with static and traced parameters, helpers, branches, loops and containers, and calls
them with concrete arguments.  It is valid Python that runs without any tracing error where nothing is traced.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field

from random_structures import LAYER, Structures

HEAD = (
    "import functools\n\nimport jax\nimport jax.numpy as jnp\nimport numpy as np\nfrom jax import lax\n"
    + LAYER
)


@dataclass
class Scope:
    """The names in reach, by what they hold."""

    scalars: list[str] = field(default_factory=list)  # floats, perhaps traced
    vectors: list[str] = field(default_factory=list)  # arrays of shape (3,), perhaps traced
    integers: list[str] = field(default_factory=list)  # small ints, perhaps traced
    statics: list[str] = field(default_factory=list)  # small ints that are never traced
    lists: list[str] = field(default_factory=list)  # lists of three scalars
    dicts: list[str] = field(default_factory=list)  # dicts with the keys "a" and "b" of scalars

    def copy(self) -> Scope:
        """The same names, to which a block may add its own."""
        return Scope(*(list(names) for names in vars(self).values()))


class Writer(Structures):
    """Writes one program from a seed."""

    def __init__(self, seed: int) -> None:
        self.choose = random.Random(seed)
        self.lines: list[str] = []
        self.count = 0
        self.helpers: list[str] = []

    def fresh(self, stem: str) -> str:
        """A name that is not used yet."""
        self.count += 1
        return f"{stem}{self.count}"

    def some(self, names: list[str], otherwise: str) -> str:
        """One of the names, or an expression where there is none."""
        return self.choose.choice(names) if names else otherwise

    # --- expressions -------------------------------------------------------------------------------------------

    def scalar(self, scope: Scope, depth: int = 2) -> str:
        """An expression for a number."""
        forms: list[Callable[[], str]] = [
            lambda: self.some(scope.scalars, "1.5"),
            lambda: self.some(scope.statics, "2"),
            lambda: self.choose.choice(["0.5", "2.0", "3"]),
        ]
        if depth:
            forms += [
                lambda: (
                    f"({self.scalar(scope, depth - 1)} {self.choose.choice('+-*')} {self.scalar(scope, depth - 1)})"
                ),
                lambda: f"{self.some(scope.vectors, 'jnp.ones(3)')}.sum()",
                lambda: f"jnp.sin({self.scalar(scope, depth - 1)})",
                lambda: (
                    f"({self.scalar(scope, depth - 1)} if {self.test(scope)} else {self.scalar(scope, depth - 1)})"
                ),
                lambda: f"float({self.some(scope.statics, '2')})",
                lambda: f"len({self.some(scope.vectors, '[1, 2]')})",
                lambda: f"{self.some(scope.vectors, 'jnp.ones(3)')}[{self.choose.randint(0, 2)}]",
            ]
            forms += [lambda: f"{self.choose.choice(scope.lists)}[{self.index(scope)}]"] * bool(scope.lists)
            forms += [lambda: f'{self.choose.choice(scope.dicts)}["{self.choose.choice("ab")}"]'] * bool(
                scope.dicts
            )
            forms += [lambda: f"sum({self.choose.choice(scope.lists)})"] * bool(scope.lists)
            forms += [
                lambda: f"{self.choose.choice(self.helpers)}({self.scalar(scope, 0)}, {self.number(scope)})"
            ] * (2 * bool(self.helpers))
            if self.choose.random() < 0.25:
                forms += [
                    lambda: f"float({self.scalar(scope, 0)})",
                    lambda: f"max({self.scalar(scope, 0)}, {self.scalar(scope, 0)})",
                    lambda: f"np.exp({self.scalar(scope, 0)})",
                    lambda: f"{self.some(scope.vectors, 'jnp.ones(3)')}.sum().item()",
                ]
        return self.choose.choice(forms)()

    def number(self, scope: Scope) -> str:
        """An expression for a small integer, seldom a traced one."""
        traced = scope.integers and self.choose.random() < 0.12
        return (
            self.choose.choice(scope.integers)
            if traced
            else self.some(scope.statics, str(self.choose.randint(1, 3)))
        )

    def index(self, scope: Scope) -> str:
        """An index into a list of three."""
        traced = scope.integers and self.choose.random() < 0.1
        return f"{self.choose.choice(scope.integers)} % 3" if traced else str(self.choose.randint(0, 2))

    def test(self, scope: Scope) -> str:
        """A condition, static four times out of five."""
        if self.choose.random() < 0.2:
            return f"{self.scalar(scope, 1)} > {self.scalar(scope, 0)}"
        static = self.some(scope.statics, "2")
        vector = self.some(scope.vectors, "jnp.ones(3)")
        return self.choose.choice(
            [
                f"{static} > 1",
                f"{static} == 2 and {static} < 5",
                f"{vector}.ndim == 1",
                f"{vector}.shape[0] > 2",
                f"{vector} is not None",
                f"isinstance({static}, int)",
                f"not {static}",
            ]
        )

    # --- statements --------------------------------------------------------------------------------------------

    def block(self, scope: Scope, indent: str, depth: int, size: int) -> None:
        """Some statements; names that a nested block binds stay inside it."""
        for _ in range(size):
            self.statement(scope, indent, depth)

    def statement(self, scope: Scope, indent: str, depth: int) -> None:
        """One statement."""
        kinds = (
            ["scalar"] * 4 + ["vector"] * 3 + ["list", "dict", "augment", "comprehension", "update", "append"]
        )
        kinds += ["walrus", "match", "try", "closure", "instance", "carry", "unpack", "items"]
        kinds += (["if"] * 3 + ["for", "for", "while", "early", "nested"]) if depth else []
        getattr(self, f"_{self.choose.choice(kinds)}")(scope, indent, depth)

    def _scalar(self, scope: Scope, indent: str, depth: int) -> None:
        value = self.scalar(scope)
        name = self.fresh("s")
        self.lines.append(f"{indent}{name} = {value}")
        scope.scalars.append(name)

    def _vector(self, scope: Scope, indent: str, depth: int) -> None:
        base = self.some(scope.vectors, "jnp.ones(3)")
        value = self.choose.choice(
            [
                f"{base} * {self.scalar(scope, 1)}",
                f"jnp.where({base} > 0, {base}, {self.scalar(scope, 0)})",
                f"jnp.stack([{self.scalar(scope, 0)}, {self.scalar(scope, 0)}, {self.scalar(scope, 0)}])",
                f"{base}[::-1]",
                f"lax.fori_loop(0, 3, lambda i, v: v + {self.scalar(scope, 0)}, {base} * 1.0)",
                f"jax.vmap(lambda e: e * {self.scalar(scope, 0)})({base})",
            ]
        )
        name = self.fresh("v")
        self.lines.append(f"{indent}{name} = {value}")
        scope.vectors.append(name)

    def _list(self, scope: Scope, indent: str, depth: int) -> None:
        items = ", ".join(self.scalar(scope, 1) for _ in range(3))
        name = self.fresh("l")
        self.lines.append(f"{indent}{name} = [{items}]")
        scope.lists.append(name)

    def _dict(self, scope: Scope, indent: str, depth: int) -> None:
        first, second = self.scalar(scope, 1), self.scalar(scope, 1)
        name = self.fresh("d")
        self.lines.append(f'{indent}{name} = {{"a": {first}, "b": {second}}}')
        scope.dicts.append(name)

    def _augment(self, scope: Scope, indent: str, depth: int) -> None:
        if scope.scalars:
            self.lines.append(f"{indent}{self.choose.choice(scope.scalars)} += {self.scalar(scope, 1)}")

    def _update(self, scope: Scope, indent: str, depth: int) -> None:
        if scope.dicts:
            self.lines.append(f'{indent}{self.choose.choice(scope.dicts)}["a"] = {self.scalar(scope, 1)}')

    def _append(self, scope: Scope, indent: str, depth: int) -> None:
        if scope.lists:
            self.lines.append(f"{indent}{self.choose.choice(scope.lists)}.append({self.scalar(scope, 1)})")

    def _comprehension(self, scope: Scope, indent: str, depth: int) -> None:
        inner = scope.copy()
        inner.statics.append("i")
        kept = f" if {self.test(inner)}" if self.choose.random() < 0.3 else ""
        name = self.fresh("s")
        self.lines.append(
            f"{indent}{name} = sum([{self.scalar(inner, 1)} for i in range({self.number(scope)}){kept}])"
        )
        scope.scalars.append(name)

    def _if(self, scope: Scope, indent: str, depth: int) -> None:
        target = self.some(scope.scalars, "")
        self.lines.append(f"{indent}if {self.test(scope)}:")
        self.block(scope.copy(), indent + "    ", depth - 1, self.choose.randint(1, 2))
        if target:
            self.lines.append(f"{indent}    {target} = {self.scalar(scope, 1)}")
        if self.choose.random() < 0.5:
            self.lines.append(f"{indent}else:")
            self.block(scope.copy(), indent + "    ", depth - 1, 1)
            self.lines.append(f"{indent}    pass")

    def _for(self, scope: Scope, indent: str, depth: int) -> None:
        inner = scope.copy()
        name = self.fresh("i")
        if scope.vectors and self.choose.random() < 0.3:
            self.lines.append(f"{indent}for {name} in {self.choose.choice(scope.vectors)}:")
            inner.scalars.append(name)
        else:
            self.lines.append(f"{indent}for {name} in range({self.number(scope)}):")
            inner.statics.append(name)
        self.block(inner, indent + "    ", depth - 1, self.choose.randint(1, 2))
        if self.choose.random() < 0.25:
            self.lines.append(f"{indent}    if {self.test(inner)}:")
            self.lines.append(f"{indent}        {self.choose.choice(['break', 'continue'])}")
        if scope.scalars:
            self.lines.append(f"{indent}    {self.choose.choice(scope.scalars)} += {self.scalar(inner, 1)}")
        self.lines.append(f"{indent}    pass")

    def _while(self, scope: Scope, indent: str, depth: int) -> None:
        name = self.fresh("w")
        self.lines.append(f"{indent}{name} = 0")
        self.lines.append(f"{indent}while {name} < {self.number(scope)}:")
        self.lines.append(f"{indent}    {name} += 1")
        self.block(scope.copy(), indent + "    ", 0, 1)

    def _early(self, scope: Scope, indent: str, depth: int) -> None:
        self.lines.append(f"{indent}if {self.test(scope)}:")
        self.lines.append(f"{indent}    return {self.scalar(scope, 1)}")

    def _nested(self, scope: Scope, indent: str, depth: int) -> None:
        name = self.fresh("g")
        inner = scope.copy()
        inner.scalars.append("t")
        self.lines.append(f"{indent}def {name}(t):")
        self._scalar(inner, indent + "    ", 0)
        self.lines.append(f"{indent}    return {self.scalar(inner, 1)}")
        result = self.fresh("s")
        self.lines.append(f"{indent}{result} = {name}({self.scalar(scope, 0)})")
        scope.scalars.append(result)

    # --- programs ----------------------------------------------------------------------------------------------

    def function(self, head: str, scope: Scope, size: int, depth: int) -> None:
        """A function with a body and a result."""
        self.lines.append(head)
        self.block(scope, "    ", depth, size)
        self.lines.append(f"    return {self.scalar(scope, 1)}")
        self.lines.append("")

    def program(self) -> str:
        """The text of a whole program."""
        for _ in range(self.choose.randint(0, 2)):
            name = self.fresh("helper")
            self.lines.append("")
            traced = self.choose.random() < 0.3
            scope = Scope(scalars=["a"], integers=["k"] if traced else [], statics=[] if traced else ["k"])
            self.function(f"def {name}(a, k):", scope, self.choose.randint(1, 2), 1)
            self.helpers.append(name)
        for _ in range(self.choose.randint(1, 2)):
            self._traced()
        return HEAD + "\n" + "\n".join(self.lines) + "\n"

    def _traced(self) -> None:
        name = self.fresh("f")
        static = self.choose.random() < 0.6
        transform = self.choose.choice(["jit", "jit", "jit", "grad", "vmap", "scan"])
        scope = Scope(
            scalars=["x"], vectors=["v"], integers=[] if static else ["n"], statics=["n"] if static else []
        )
        given = f"{self.choose.choice(['1.0', '2.5', 'jnp.float32(0.5)'])}, jnp.array([1.0, -2.0, 3.0]), {self.choose.randint(1, 3)}"
        self.lines.append("")
        if transform == "jit":
            form = self.choose.choice(["names", "numbers"])
            options = (
                {"names": 'static_argnames=("n",)', "numbers": "static_argnums=2"}[form] if static else ""
            )
            self.lines.append(f"@functools.partial(jax.jit, {options})" if options else "@jax.jit")
        self.function(f"def {name}(x, v, n):", scope, self.choose.randint(2, 5), 2)
        calls = {
            "jit": f"{name}({given})",
            "grad": f"jax.grad(lambda x, v, n: {name}(x, v, n) * x)({given})",
            "vmap": f"jax.vmap({name}, in_axes=(0, None, None))(jnp.ones(2), jnp.array([1.0, 2.0, 3.0]), 2)",
            "scan": f"lax.scan(lambda c, e: (c, {name}(e, jnp.ones(3), 2)), 0.0, jnp.arange(2.0))",
        }
        self.lines.append(calls[transform])


def program(seed: int) -> str:
    """The random program of this seed."""
    return Writer(seed).program()
