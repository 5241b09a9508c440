"""Findings whose cause is in another file than they are."""

from __future__ import annotations

from pathlib import Path

import pytest
from tracetrap.linter.failures import crash
from tracetrap.linter.files.source import SourceFile
from tracetrap.linter.run import check_paths
from tracetrap.linter.settings.files import SettingsFinder

HELPERS = """\
import jax
import jax.numpy as jnp

def share(buffer):
    return jnp.asarray(buffer)

consume = jax.jit(lambda x: x + 1, donate_argnums=0)

def give(x):
    return consume(x)
"""


@pytest.mark.parametrize(
    ("body", "code", "cause"),
    [
        (
            "frame = np.zeros(4, np.float32)\nframes = share(frame)\nframe[0] = 1.0\nprint(frames)\n",
            "TRC407",
            "line 5 of helpers.py",
        ),
        ("x = jnp.ones(4)\ny = jax.jit(give)(give(x))\nprint(x + y)\n", "TRC405", "line 10 of helpers.py"),
    ],
    ids=["shared", "donated"],
)
def test_the_cause_is_named_with_its_file(folder: Path, body: str, code: str, cause: str) -> None:
    (folder / "helpers.py").write_text(HELPERS)
    (folder / "main.py").write_text(
        f"import jax, jax.numpy as jnp\nimport numpy as np\nfrom helpers import give, share\n\n{body}"
    )
    (finding,) = check_paths([Path("main.py")], SettingsFinder(), 1)
    assert (finding.code, finding.span.start.row) == (code, 7)
    assert cause in finding.message
    assert not finding.fixes


def test_a_script_that_names_no_transform_calls_one_of_another_file(folder: Path) -> None:
    (folder / "steps.py").write_text("import jax\n\n@jax.jit\ndef step(x, mode):\n    return x\n")
    (folder / "main.py").write_text(
        "import jax.numpy as jnp\nfrom steps import step\n\nprint(step(jnp.ones(3), 'fast'))\n"
    )
    (finding,) = check_paths([Path("main.py")], SettingsFinder(), 1)
    assert (finding.code, finding.span.start.row) == ("TRC503", 4)


@pytest.mark.parametrize("way", ["from package import step", "from package.steps import step"])
def test_a_script_that_names_no_library_calls_a_transform_of_its_project(folder: Path, way: str) -> None:
    (folder / "package").mkdir()
    (folder / "package" / "__init__.py").write_text("from .steps import step\n")
    (folder / "package" / "steps.py").write_text("import jax\n\n@jax.jit\ndef step(x, mode):\n    return x\n")
    (folder / "main.py").write_text(f"{way}\n\ndef main():\n    print(step(1.0, 'fast'))\n")
    (finding,) = check_paths([Path("main.py")], SettingsFinder(), 1)
    assert (finding.code, finding.span.start.row) == ("TRC503", 4)


def test_what_a_script_imports_may_become_a_program_of_jax(folder: Path) -> None:
    (folder / "steps.py").write_text("def step(x, mode):\n    return x\n")
    (folder / "main.py").write_text("from steps import step\n\nprint(step(1.0, 'fast'))\n")
    assert not check_paths([Path("main.py")], SettingsFinder(), 1)
    (folder / "steps.py").write_text("import jax\n\n@jax.jit\ndef step(x, mode):\n    return x\n")
    (finding,) = check_paths([Path("main.py")], SettingsFinder(), 1)
    assert (finding.code, finding.span.start.row) == ("TRC503", 3)


def test_a_file_that_is_named_from_a_folder_beside_it_is_the_one_that_imports_lead_to(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "helpers.py").write_text("def positive(x):\n    return 1 if x > 0 else 0\n")
    (folder / "main.py").write_text(
        "import jax\nfrom helpers import positive\n\n@jax.jit\ndef f(x):\n    return positive(x)\n"
    )
    here = folder.parent / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    beside = Path("..", folder.name)
    (finding,) = check_paths([beside / "helpers.py", beside / "main.py"], SettingsFinder(), 1)
    assert (finding.code, finding.filename) == ("TRC103", str(folder / "helpers.py"))


def test_a_setting_of_another_module_is_frozen(folder: Path) -> None:
    (folder / "settings.py").write_text("RATE = 0.5\nSTEPS = 3\n")
    (folder / "main.py").write_text(
        "import jax\nimport settings\n\n@jax.jit\ndef decay(x):\n    return x * settings.RATE ** settings.STEPS\n\n"
        "decay(1.0)\nsettings.RATE = 0.1\ndecay(1.0)\n"
    )
    (finding,) = check_paths([Path("main.py")], SettingsFinder(), 1)
    assert (finding.code, finding.span.start.row, finding.span.start.column) == ("TRC404", 6, 16)
    assert "settings.RATE" in finding.message and "line 9 rebinds it" in finding.message


def test_nothing_is_said_of_an_object_whose_constructor_is_too_long_to_follow(folder: Path) -> None:
    sums = "".join(f"        total = total + {k} * len(self.names)\n" for k in range(200))
    (folder / "model.py").write_text(
        f"class Model:\n    def __init__(self, verbose=False):\n        self.names, total = ['a'], 0\n{sums}"
        "        self.verbose = verbose\n\n    def step(self, x):\n        if self.verbose:\n"
        "            print('step')\n        return x * 2\n"
    )
    (folder / "main.py").write_text(
        "import jax\nfrom model import Model\n\ndef run(x):\n    model = Model()\n"
        "    return jax.jit(lambda y: model.step(y))(x)\n"
    )
    assert not check_paths([Path("main.py"), Path("model.py")], SettingsFinder(), 1)


def test_nothing_is_said_of_a_function_whose_maker_is_too_long_to_follow(folder: Path) -> None:
    sums = "".join(f"    total = total + {k} * len(f.__name__)\n" for k in range(200))
    (folder / "helpers.py").write_text(
        "import jax\nimport jax.numpy as jnp\n\ndef reduced(f, reduce=None):\n    if reduce is None:\n"
        "        reduce = jnp.mean\n\n    def inner(*args):\n        return jax.tree.map(reduce, f(*args))\n\n"
        f"    total = 0\n{sums}    return inner, total\n"
    )
    (folder / "main.py").write_text(
        "import jax\nfrom helpers import reduced\n\nmean = reduced(jax.jit(abs))\n"
    )
    assert not check_paths([Path("main.py"), Path("helpers.py")], SettingsFinder(), 1)


def test_nothing_is_said_of_what_a_call_that_is_too_long_to_follow_changes(folder: Path) -> None:
    steps = "        count = count + 1\n" * 150
    (folder / "buffers.py").write_text(
        "import numpy as np\n\nclass Buffer:\n    def __init__(self):\n        self.held = {'x': np.empty(0)}\n\n"
        f"    def put(self, count, value):\n        self.held['x'] = np.empty((3,) + np.shape(value))\n{steps}"
    )
    (folder / "main.py").write_text(
        "import jax\nfrom buffers import Buffer\n\ndef draw(env):\n    first, second = Buffer(), Buffer()\n"
        "    first.put(env.count, env.step())\n    second.put(1, env.step())\n"
        "    return jax.vmap(lambda x: x, in_axes=1)(second.held['x'])\n"
    )
    assert not check_paths([Path("main.py")], SettingsFinder(), 1)


def test_a_star_brings_what_all_lists(folder: Path) -> None:
    (folder / "helpers.py").write_text("from jax import jit, vmap\n\n__all__ = ['vmap', '_one']\n_one = 1\n")
    (folder / "main.py").write_text(
        "import jax\nfrom transforms import *\nfrom helpers import *\n\njit(abs, quick=True)(_one)\n"
        "vmap(abs, quick=True)\n"
    )
    (folder / "transforms.py").write_text("import jax\n\ndef jit(f, quick):\n    return jax.jit(f)\n")
    (finding,) = check_paths([Path("main.py")], SettingsFinder(), 1)
    assert (finding.code, finding.span.start.row) == ("TRC501", 6)


def test_a_failure_about_what_cannot_be_shown_is_told_all_the_same() -> None:
    source = SourceFile("x = f(a)\n")
    node = source.module.body[0]
    with pytest.raises(KeyError) as caught:
        SourceFile("").span_of(node)
    assert "SimpleStatementLine" in crash("a.py", caught.value).message
    assert "KeyError" in crash("a.py", KeyError(node)).message


@pytest.mark.parametrize("way", ["import settings", "from package import parts"])
def test_64_bits_that_an_imported_file_enables_make_a_carry_of_32_bits_change(folder: Path, way: str) -> None:
    enabling = 'import jax\njax.config.update("jax_enable_x64", True)\n'
    (folder / "settings.py").write_text(enabling)
    (folder / "package").mkdir()
    (folder / "package" / "__init__.py").write_text(enabling)
    (folder / "package" / "parts.py").write_text("")
    program = (
        "import jax\nimport jax.numpy as jnp\nxs = jnp.linspace(0.0, 1.0, 4)\n"
        "jax.lax.scan(lambda c, x: (c + x, None), jnp.zeros((), jnp.float32), xs)\n"
    )
    (folder / "narrow.py").write_text(program)
    (folder / "wide.py").write_text(f"{way}\n{program}")
    (finding,) = check_paths([Path("narrow.py"), Path("wide.py")], SettingsFinder(), 1)
    assert (finding.code, finding.filename, finding.span.start.row) == ("TRC702", "wide.py", 5)


REGISTERING = """\
import jax

class Module:
    def __init_subclass__(cls):
        names = [name for base in cls.__mro__[:-1] for name in vars(base).get("__annotations__", {})]

        def unflatten(_, leaves):
            made = object.__new__(cls)
            for name, leaf in zip(names, leaves):
                setattr(made, name, leaf)
            return made

        jax.tree_util.register_pytree_node(
            cls, lambda made: ([getattr(made, name) for name in names], None), unflatten
        )
"""
MODEL = """
def test_{k}():
    class Model(Module):
        weight: jax.Array

        def __init__(self):
            self.weight = jnp.ones(3)

    return jax.grad(lambda model: jnp.sum(model.weight))(Model())
"""


def test_a_base_of_another_file_registers_any_number_of_classes(folder: Path) -> None:
    (folder / "registering.py").write_text(REGISTERING)
    models = "".join(MODEL.format(k=k) for k in range(40))
    (folder / "main.py").write_text(f"import jax, jax.numpy as jnp\nfrom registering import Module\n{models}")
    assert not check_paths([Path("main.py")], SettingsFinder(), 1)
