"""Runs a program and says what it raised, where, and what it printed.

As a script it is a child process that runs programs on the bundled runtime instead of JAX: it reads one JSON object a
line, `{"path": ..., "jit": ...}`, and answers with one line each.
"""

from __future__ import annotations

import contextlib
import io
import json
import math
import re
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

_NUMBER = re.compile(
    r"\b(?:weak_type|dtype)=\w+|((?<![\w.])[-+]?(?:\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+|inf|nan)(?!\w)|\bTrue\b|\bFalse\b)"
)


@dataclass(frozen=True)
class Outcome:
    """`error` is the name of the exception's class (None: none), `row` the innermost line of the program itself."""

    error: str | None
    row: int | None
    message: str
    output: str


def run(path: Path, jit: bool = True) -> Outcome:
    """Runs the program; without `jit`, `jax.jit` and the loops of `jax.lax` run as plain Python."""
    import jax

    printed = io.StringIO()
    context: contextlib.AbstractContextManager[Any] = contextlib.nullcontext() if jit else jax.disable_jit()
    code = compile(path.read_text(encoding="utf-8"), str(path), "exec", dont_inherit=True)
    try:
        with contextlib.redirect_stdout(printed), context:
            exec(code, {"__name__": "__main__", "__file__": str(path)})
    except Exception as error:
        return Outcome(
            type(error).__name__, _row(error, str(path)), str(error).split("\n", 1)[0], printed.getvalue()
        )
    return Outcome(None, None, "", printed.getvalue())


def _row(error: Exception, filename: str) -> int | None:
    row, step = None, error.__traceback__
    while step is not None:
        if step.tb_frame.f_code.co_filename == filename:
            row = step.tb_lineno
        step = step.tb_next
    return row


def numbers(output: str) -> list[float]:
    """The numbers and truth values in a printed text, in order."""
    return [float({"True": "1", "False": "0"}.get(text, text)) for text in _NUMBER.findall(output) if text]


def same_numbers(left: str, right: str) -> bool:
    """Whether two printed texts hold the same numbers, up to single precision."""
    a, b = numbers(left), numbers(right)
    return len(a) == len(b) and all(
        (math.isnan(x) and math.isnan(y)) or math.isclose(x, y, rel_tol=2e-5, abs_tol=1e-6)
        for x, y in zip(a, b, strict=True)
    )


def serve() -> None:
    """Answers requests from standard input until it ends."""
    from tracetrap.runtime import shim

    shim.install()
    for line in sys.stdin:
        request = json.loads(line)
        outcome = run(Path(request["path"]), request.get("jit", True))
        sys.__stdout__.write(json.dumps(asdict(outcome)) + "\n")
        sys.__stdout__.flush()


if __name__ == "__main__":
    serve()
