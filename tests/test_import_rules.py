"""The arrows between the packages: who may import what."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

# folder that is ruled, what it must not import, the parts of it that may
RULES = [
    ("linter", {"numpy", "llvmlite", "scipy", "jax", "tracetrap.runtime"}, ("linter/verify/",)),
    ("linter/verify", {"numpy", "llvmlite", "scipy", "jax"}, ()),
    ("linter", {"pygls", "lsprotocol"}, ("linter/lsp/",)),
    ("linter", {"flake8"}, ("linter/flake8_plugin.py",)),
    (
        "runtime",
        {"tracetrap.linter", "libcst", "flake8", "jax", "pygls"},
        ("runtime/shim.py", "runtime/trial/"),
    ),
    ("runtime", {"tracetrap.linter", "libcst", "flake8", "pygls"}, ()),
    ("runtime", {"llvmlite"}, ("runtime/llvm/",)),
]


def imports(path: Path) -> Iterator[tuple[int, str]]:
    """The line and absolute name of each module that a file of the packages imports."""
    package = ["tracetrap", *path.relative_to(ROOT).parent.parts]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            name = ".".join([*base, *([node.module] if node.module else [])])
            yield node.lineno, name
            yield from ((node.lineno, f"{name}.{alias.name}") for alias in node.names)


@pytest.mark.parametrize(
    ("folder", "forbidden", "excepted"),
    RULES,
    ids=lambda value: None if isinstance(value, (set, tuple)) else str(value),
)
def test_imports_follow_the_arrows(folder: str, forbidden: set[str], excepted: tuple[str, ...]) -> None:
    wrong = [
        f"{path.relative_to(ROOT)}:{line} imports {name}"
        for path in sorted((ROOT / folder).rglob("*.py"))
        if not path.relative_to(ROOT).as_posix().startswith(excepted or ("/",))
        for line, name in imports(path)
        if any(name == root or name.startswith(f"{root}.") for root in forbidden)
    ]

    assert wrong == []


@pytest.mark.parametrize("package", ["linter", "runtime"])
def test_imports_inside_a_package_are_relative(package: str) -> None:
    wrong = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in sorted((ROOT / package).rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom)
        and not node.level
        and (node.module or "").split(".")[0] in {"linter", "runtime", "tracetrap"}
    ]

    assert wrong == []
