"""Rewrites on real bug reports: how many are offered, and how many of them run under JAX and compute what Python does.

    python benchmarks/cases_fixes.py [FOLDER]

FOLDER holds programs and an `index.json` that says which of them raise (default: ../shared/cases).  Each raising
program is mended with every fix that may be applied, run under JAX, and its numbers are compared with those of the
original as plain Python (`jax.disable_jit`).
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from fixture_runner import run, same_numbers
from tracetrap.linter.analysis import analyze
from tracetrap.linter.apply import fix_text
from tracetrap.linter.config import Settings
from tracetrap.linter.source import SourceFile

# what a remedy that is a rewrite of the marked place speaks of, in the index
REMEDIES = (
    "jnp.", "lax.", "static", "jax.debug.print", ".at[", "mask", "an array", "stack", "tuple", "spelling", "decorators",
)  # fmt: skip


def mended(path: Path) -> tuple[bool, str]:
    """Whether a fix is offered, and the text after all fixes."""
    source = SourceFile.read(path)
    findings = analyze(source, Settings())
    offered = any(fix.edits for finding in findings for fix in finding.fixes)
    return offered, fix_text(source, findings, lambda changed: analyze(changed, Settings()), unsafe=True).text


def main(folder: Path) -> None:
    """Prints one line a program, then the shares."""
    cases = json.loads((folder / "index.json").read_text(encoding="utf-8"))
    raising = [case for case in cases if case["raises"] and any(word in case["fix"] for word in REMEDIES)]
    offered = works = 0
    with tempfile.TemporaryDirectory() as scratch:
        for case in raising:
            path = folder / case["file"]
            found, text = mended(path)
            verdict = "no rewrite"
            if found:
                offered += 1
                after = Path(scratch) / path.name
                after.write_text(text, encoding="utf-8")
                outcome, plain = run(after), run(path, jit=False)
                if outcome.error is not None:
                    verdict = f"{outcome.error}: {outcome.message[:60]}"
                elif plain.error is None and not same_numbers(plain.output, outcome.output):
                    verdict = "other numbers"
                else:
                    verdict = "works" if plain.error is None else "works (plain Python fails)"
                    works += 1
            print(f"{case['file']:28}{case['kind']:18}{verdict}")
    print(f"\noffered {offered}/{len(raising)} ({offered / len(raising):.0%}), of these work {works} ({works / max(offered, 1):.0%})")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT.parent / "shared" / "cases")
