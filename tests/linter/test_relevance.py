"""Functions that nobody calls are run only where what they use can matter, and no finding is lost by that."""

from __future__ import annotations

from pathlib import Path

import pytest
from tracetrap.linter.analysis import analyze
from tracetrap.linter.files.project import Project
from tracetrap.linter.files.source import SourceFile
from tracetrap.linter.gate import Gate
from tracetrap.linter.interpreter import Interpreter
from tracetrap.linter.interpreter.machine import Frame
from tracetrap.linter.knowledge import catalogue_for
from tracetrap.linter.modules import Modules
from tracetrap.linter.relevance.search import Relevance
from tracetrap.linter.settings.config import Settings

FIXTURES = sorted((Path(__file__).parents[2] / "fixtures").rglob("*.py"))[::4]


def relevant(text: str, project: Project | None = None, path: Path | None = None) -> list[str]:
    """The names of the functions that are worth running."""
    source, catalogue = SourceFile(text, path=path), catalogue_for(())
    find = Modules(project, catalogue).find if project is not None else None
    interpreter = Interpreter(catalogue, lambda _event: None, find)
    interpreter.enter_frame(Frame(interpreter.new_box("module"), source))
    interpreter.execute(source.module)
    found = Relevance(interpreter, Gate.of({}), source, {})
    return [function.name for function, _ in interpreter.defined.values() if found.of(function)]


@pytest.mark.parametrize(
    ("body", "matters"),
    [
        ("return jax.jit(abs)(x)", True),
        ("return jax.lax.scan(abs, x, x)", True),
        ("return jax.tree.map(abs, x)", False),
        ("return jnp.abs(x)", False),
        ("return jax.random.normal(x)", False),
        ("return jax.random.normal(x) + jax.random.uniform(x)", True),
        ("return [jax.random.normal(x) for _ in range(3)]", True),
        ("y = jnp.abs(x); y[0] = 1", True),
        ("y = jnp.abs(x); x['total'] = y", False),
        ("y = [jnp.abs(x)]; y[0] = 1\n    return y", False),
        ("x[0] = jnp.abs(x[1])", False),
        ("y = jnp.abs(x); y.at[0].set(1)", True),
        ("y = jnp.abs(x); y = y.at[0].set(1)\n    return y", False),
        ("for y in jnp.abs(x):\n        y -= 1", True),
        ("y = jnp.abs(x)\n    y -= 1\n    return y", False),
        ("return fills(jnp.abs(x))", True),
        ("return fills(x)", False),
        ("return jax.tree.map(fills, jnp.abs(x))", True),
        ("return jax.tree.map(fills, x)", False),
        ("return grad(x)", False),
        ('"""As `jax.jit(abs)`."""\n    return x', False),
        ('"""Compiled."""; f = jax.jit(abs)\n    return f(x)', True),
        ("raise ValueError('use jax.jit or ' f'jax.{x}')  # not jax.vmap", False),
        ("return f'{jax.jit(abs)(x)}'", True),
        ("return helper(x)", True),
        ("return plain(x)", False),
        ("import jax as library; return library.jit(abs)(x)", True),
        ("from jax import jit as compiled; return compiled(abs)(x)", True),
        ("out = jnp.abs(x)\n    return out", False),
        ("return jnp.add(x, x, out=x)", True),
        ("y = made(x); y[0] = 1", True),
        ("y = plain(x); y[0] = jnp.abs(x)", False),
        ("y = np.zeros(3); y[0] = 1\n    return jnp.abs(x)", False),
        ("y = np.zeros(3); z = jnp.asarray(y); y[0] = 1\n    return z", True),
        ("rows = []; rows.append(jnp.abs(x)); rows[0] = 1", False),
        ("rows = []; rows.append(jnp.abs(x)); rows[0][0] = 1", True),
        ("def inner(y):\n        y[0] = 1\n    inner(jnp.abs(x))", True),
        ("def inner(y):\n        y[0] = 1\n    inner(x); return jnp.abs(x)", False),
        ("return fills(x) or jnp.abs(x)", False),
        ("y, z = jax.random.split(x)\n    return jax.random.normal(y) + jax.random.normal(z)", False),
        ("y = x\n    return jax.random.normal(x) + jax.random.normal(y)", True),
    ],
)
def test_words_that_matter(body: str, matters: bool) -> None:
    text = f"""\
import jax
import jax.numpy as jnp
import numpy as np

def helper(x):
    return jax.jit(abs)(x)

def made(x):
    return jnp.abs(x)

def plain(x):
    return x + 1

def fills(x):
    x[0] = 1

def asked(x):
    {body}
"""
    assert ("asked" in relevant(text)) is matters


def test_containers_inside_themselves() -> None:
    text = """\
import jax.numpy as jnp

rows = []
rows.append(rows)
table = {"rows": rows}
table["own"] = table

def plain(x):
    table["rows"][0] = x
    return jnp.abs(x)

def stores(x):
    rows.append(jnp.abs(x))
    rows[0][0] = 1
"""
    assert relevant(text) == ["stores"]


def test_names_of_other_files(tmp_path: Path) -> None:
    (tmp_path / "pkg").mkdir()
    (tmp_path / "pkg" / "__init__.py").write_text("from .core import step, plain\n")
    (tmp_path / "pkg" / "core.py").write_text(
        "import jax\n\n@jax.jit\ndef step(x):\n    return x\n\ndef plain(x):\n    return jax.numpy.abs(x)\n"
    )
    text = """\
import pkg
from pkg import step, plain

def first(x):
    return step(x)

def second(x):
    return plain(x)

def third(x):
    return pkg.step(x)

def fourth(x):
    return pkg.plain(x)
"""
    path = tmp_path / "main.py"
    path.write_text(text)
    assert relevant(text, Project(), path) == ["first", "third"]


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_nothing_is_lost(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = Settings()
    found = analyze(SourceFile.read(path), settings, Project())
    monkeypatch.setattr(Relevance, "of", lambda _self, _function: True)
    whole = analyze(SourceFile.read(path), settings, Project())
    assert [(f.code, f.span, f.message) for f in found] == [(f.code, f.span, f.message) for f in whole]


def test_methods_count_where_something_names_them() -> None:
    text = """\
import jax

class Trainer:
    def fit(self, x):
        return self.step(x)

    def step(self, x):
        return jax.grad(abs)(x)

    def describe(self):
        return self.title

class Quiet:
    def step(self, x):
        return x

def trains(x):
    return start(Trainer(), x)

def start(trainer, x):
    return trainer.fit(x)

def shows():
    return Trainer().describe()

def rests(x):
    return Quiet().step(x)
"""
    assert relevant(text) == ["fit", "step", "trains"]


def test_versions_of_one_text_do_not_add_up(tmp_path: Path) -> None:
    (tmp_path / "other.py").write_text("x = 1\n")
    project = Project()
    opened = project.add(SourceFile("x = 'not saved'\n", path=tmp_path / "other.py"))
    for version in range(8):
        text = f"import other\n# {version}\n" + "#" * 500_000
        source = project.add(SourceFile(text, path=tmp_path / "main.py"))
        assert project.locate("other", source) is opened


def test_methods_change_what_they_are_given() -> None:
    text = """\
import dataclasses
import jax.numpy as jnp

@dataclasses.dataclass
class Table:
    rows: dict[int, int] = dataclasses.field(default_factory=dict)
    names: list

    def rename(self, number, name):
        self.names[number] = self.rows[number] = jnp.abs(name)

class Filler:
    def store(self, into, value):
        into[0] = value

    def give(self, value):
        return value

def fills(x):
    return Filler().store(jnp.abs(x), x)

def passes(x):
    return Filler().store(x, jnp.abs(x))

def gives(x):
    return Filler().give(jnp.abs(x))

def asks(x):
    return isinstance(jnp.abs(x), Filler)
"""
    assert relevant(text) == ["fills"]


def test_attributes_count_whoever_names_them() -> None:
    text = """\
import jax

class Trainer:
    def step(self, x):
        return jax.grad(abs)(x)

class Other:
    def rest(self, x):
        return x

def start(trainer, x):
    return trainer.step(x)

def rests(x):
    return start(Other(), x)

def trains(x):
    return start(Trainer(), x)

def makes():
    return Trainer()

def waits(x):
    return makes().rest(x)
"""
    assert relevant(text) == ["step", "trains"]
