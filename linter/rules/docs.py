"""A rule's documentation, read from its docstring: the page, its examples, and the table of all rules.

`python -m tracetrap.linter.rules.docs FOLDER` writes one page a rule and an index.

In *Example* and *Use instead* the first block is a program: it runs after `PRELUDE`.  The example of a rule that
predicts an exception raises it; the rule reports the example and not what to use instead.
"""

from __future__ import annotations

import inspect
import re
import sys
from pathlib import Path

from .registry import Rule, all_rules

HEADS = ("What it does", "Why is this bad", "Example", "Use instead", "Fix safety", "References")

PRELUDE = """\
from functools import partial
import math

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

"""

FAMILIES = {
    "TRC1": "Python control flow on traced values",
    "TRC2": "Python asks a tracer for its value",
    "TRC3": "Shapes and structure that must be static",
    "TRC4": "State and side effects",
    "TRC5": "Arguments of transforms",
    "TRC6": "Recompilation and compile time",
    "TRC7": "Structured control flow and batching",
    "TRC9": "Tracetrap itself",
}

_BLOCK = re.compile(r"```python\n(.*?)```", re.DOTALL)


def summary(rule: Rule) -> str:
    """The first line of a rule's docstring, without its full stop."""
    return _text(rule).split("\n", 1)[0].rstrip(".")


def sections(rule: Rule) -> dict[str, str]:
    """The text under each head of a rule's docstring."""
    parts = re.split(r"^## (.+)$", _text(rule), flags=re.MULTILINE)
    return {head.strip(): body.strip() for head, body in zip(parts[1::2], parts[2::2], strict=True)}


def example(rule: Rule, head: str) -> str | None:
    """The first program under a head (*Example* or *Use instead*), or None where it has none."""
    block = _BLOCK.search(sections(rule).get(head, ""))
    return block[1] if block else None


def page(rule: Rule) -> str:
    """The documentation page of a rule, as Markdown."""
    return f"# {rule.code}: {rule.name}\n\n{_text(rule)}\n"


def table_row(rule: Rule, link: str = "{code}.md") -> str:
    """One row of the table of rules, as Markdown; `link` is the address of a page, with `{code}` in it."""
    return (
        f"| [{rule.code}]({link.format(code=rule.code)}) | {rule.name} | {rule.severity} | {summary(rule)} |"
    )


def table(link: str = "{code}.md") -> str:
    """The table of all rules, by family, as Markdown."""
    lines: list[str] = []
    for prefix, family in FAMILIES.items():
        rows = [table_row(rule, link) for code, rule in all_rules().items() if code.startswith(prefix)]
        if rows:
            lines += [
                f"### {family}",
                "",
                "| code | name | severity | what |",
                "| --- | --- | --- | --- |",
                *rows,
                "",
            ]
    return "\n".join(lines)


def pages() -> dict[str, str]:
    """Every generated file by its name: a page a rule, and `index.md`."""
    index = f"# Rules\n\nGenerated from the docstrings of the rules.\n\n{table()}"
    return {"index.md": index} | {f"{code}.md": page(rule) for code, rule in all_rules().items()}


def _text(rule: Rule) -> str:
    return inspect.cleandoc(type(rule).__doc__ or "")


def main(folder: Path) -> None:
    """Writes every page into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in pages().items():
        (folder / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
