"""Runs rows of the oracle: snippets in contexts, whose outcomes were measured under JAX.

Usage: ``python oracle_rows.py jax|tracetrap ORACLE FIRST LAST`` prints, for each of these rows, its number and what
came of it: ``ok``, or the class of the error that the snippet raised.
"""

from __future__ import annotations

import ast
import contextlib
import functools
import io
import random
import sys
import types
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "linter"))

from oracle_programs import (
    ENVIRONMENT,
    NEEDS_ENVIRONMENT,
    PRELUDE,
    Row,
    arguments_of,
    literal,
    program,
    read_rows,
)

# Where the results of the snippet leave the transformed function, so that they are no dead code.
RETURNING = ("jit", "vmap", "scan_carry")


def text_of(row: Row) -> str | None:
    """The program of a row, with the snippet in a function ``body``; None where there is no template."""
    if row.context != "program":
        return program(row)
    given = [(name, literal(text)) for name, _, text in arguments_of(row.arguments)]
    names = ", ".join(name for name, _ in given)
    return "\n".join([
        PRELUDE, ENVIRONMENT if NEEDS_ENVIRONMENT.search(row.snippet) else "",
        f"def body({names}):", *(f"    {line}" for line in row.snippet.split("\n")),
        f"jax.block_until_ready(body({', '.join(text for _, text in given)}))", "",
    ])  # fmt: skip


def observed(
    raised: list[Exception], context: str, tracer: type
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A decorator for ``body``: it remembers what is raised, and returns tracers only, and only where results leave."""

    def tracers(value: Any, depth: int = 0) -> list[Any]:
        if isinstance(value, tracer):
            return [value]
        if depth < 4 and isinstance(value, (dict, list, tuple)):
            parts = value.values() if isinstance(value, dict) else value
            return [found for part in parts for found in tracers(part, depth + 1)]
        return []

    def decorate(body: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(body)
        def call(*args: Any, **kwargs: Any) -> Any:
            try:
                value = body(*args, **kwargs)
            except Exception as error:
                raised.append(error)
                raise
            if context == "program":
                return value
            return tracers(value) if context in RETURNING else None

        return call

    return decorate


def class_of(error: Exception) -> str:
    """The class of an error; for a name that the runtime lacks, the class that it stands for."""
    return next(kind.__name__ for kind in type(error).__mro__ if not kind.__module__.endswith(".shim"))


def outcome(row: Row) -> str | None:
    """What comes of a row under the library that is ``jax`` in this process; None where there is no template."""
    import jax
    import numpy as np

    try:
        text = text_of(row)
    except KeyError:
        return None
    if text is None:
        return None
    tree = ast.parse(text)
    body = next(s for s in tree.body if isinstance(s, ast.FunctionDef) and s.name == "body")
    last = body.body[-1]
    if isinstance(last, ast.Expr):
        body.body[-1] = ast.copy_location(ast.Return(last.value), last)
    body.decorator_list.append(ast.Name("observed", ast.Load()))
    raised: list[Exception] = []
    module = sys.modules["snippet"] = types.ModuleType("snippet")  # Where dataclasses look their module up.
    module.__dict__["observed"] = observed(raised, row.context, jax.core.Tracer)
    random.seed(0)
    np.random.seed(0)
    hidden = io.StringIO()
    with warnings.catch_warnings(), contextlib.redirect_stdout(hidden), contextlib.redirect_stderr(hidden):
        warnings.simplefilter("always")
        try:
            exec(
                compile(ast.fix_missing_locations(tree), "<row>", "exec", dont_inherit=True), module.__dict__
            )
            if "callback" in row.context:
                jax.effects_barrier()
        except Exception as error:
            return class_of(raised[0] if raised else error)
    return class_of(raised[0]) if raised else "ok"


def main() -> None:
    library, oracle, first, last = sys.argv[1:]
    if library == "tracetrap":
        from tracetrap.runtime import shim

        shim.install()
    rows = list(read_rows(Path(oracle)))
    for number in range(int(first), min(int(last), len(rows))):
        print(number, outcome(rows[number]), flush=True)


if __name__ == "__main__":
    main()
