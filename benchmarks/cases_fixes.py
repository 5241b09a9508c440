"""Rewrites on real bug reports: how many are offered, how many proven, and whether those run under JAX.

    python benchmarks/cases_fixes.py [FOLDER] [--runtime bundled|jax] [--keep FOLDER]

FOLDER holds programs, and perhaps an `index.json` that says which of them raise and what mends them (default:
../shared/cases).  Each raising program is mended with the rewrites that `--fix --verify` proves, run under JAX, and its
numbers are compared with those of the original as plain Python (`jax.disable_jit`).  `--keep` leaves the mended files
in a folder.  Shares are printed of all programs, and of those whose remedy, in the index, is a rewrite.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
from functools import partial
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from fixture_runner import numbers, run, same_numbers
from tracetrap.linter.edits.mending import mend
from tracetrap.linter.run import Sources, check_paths, reported
from tracetrap.linter.settings.files import SettingsFinder
from tracetrap.linter.verify import Worker
from tracetrap.linter.verify.rewriting import fix_proven

# what a remedy that is a rewrite of the marked place speaks of, in the index
REMEDIES = (
    "jnp.", "lax.", "static", "jax.debug.print", ".at[", "mask", "an array", "stack", "tuple", "spelling", "decorators",
)  # fmt: skip


def cases_of(folder: Path) -> list[dict[str, Any]]:
    """The raising programs of a folder; without an index all are taken to raise, and to be mended by a rewrite."""
    index = folder / "index.json"
    if index.exists():
        cases = json.loads(index.read_text(encoding="utf-8"))
        return [case for case in cases if case["raises"]]
    return [{"file": path.name, "kind": "", "fix": REMEDIES[0]} for path in sorted(folder.glob("*.py"))]


def in_order(text: str) -> str:
    """The numbers of a text by size: a transform gives the keys of a dict in another order."""
    return " ".join(map(str, sorted(numbers(text))))


def outcome(path: Path, target: Path, worker: Worker) -> tuple[str, str]:
    """`none`, `unproven`, `proven`, `works`, and what there is to say of it; `target` is the mended copy."""
    shutil.copy(path, target)
    finder, sources = SettingsFinder(options={"cache": False}), Sources()
    findings = [f for f in reported(check_paths([target], finder, 1), finder, sources) if f.error]
    if not any(fix.edits and fix.applicability != "display" for finding in findings for fix in finding.fixes):
        return "none", ", ".join(finding.code for finding in findings) or "no finding"
    mended = mend(
        findings, finder, sources, unsafe=True, to_disk=True, fixer=partial(fix_proven, worker=worker)
    )
    if not mended.applied:
        return "unproven", " / ".join(problem.partition(": ")[2] for problem in mended.problems)
    after, plain = run(target), run(path, jit=False)
    if after.error is not None:
        return "proven", f"under JAX {after.error}: {after.message[:80]}"
    if plain.error is not None:
        return "works", f"plain Python raises {plain.error}"
    same = same_numbers(plain.output, after.output) or same_numbers(
        *map(in_order, (plain.output, after.output))
    )
    return ("works", "") if same else ("proven", "other numbers")


def main() -> None:
    """Print one line a program, then the shares."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT.parent / "shared" / "cases")
    parser.add_argument("--runtime", choices=("bundled", "jax"), default="bundled")
    parser.add_argument("--keep", type=Path)
    arguments = parser.parse_args()
    found: list[tuple[str, bool]] = []
    with tempfile.TemporaryDirectory() as scratch, Worker(arguments.runtime) as worker:
        worker.wait_ready()
        target = arguments.keep or Path(scratch)
        target.mkdir(exist_ok=True)
        for case in cases_of(arguments.folder):
            status, remark = outcome(arguments.folder / case["file"], target / case["file"], worker)
            found.append((status, any(word in case["fix"] for word in REMEDIES)))
            print(f"{case['file']:28}{case['kind']:20}{status:10}{remark}", flush=True)
    for name, statuses in (
        ("all", [status for status, _ in found]),
        ("whose remedy is a rewrite", [status for status, is_rewrite in found if is_rewrite]),
    ):
        offered = [status for status in statuses if status != "none"]
        proven = [status for status in offered if status != "unproven"]
        works = proven.count("works")
        print(
            f"{name}: offered {len(offered)}/{len(statuses)} ({len(offered) / max(len(statuses), 1):.0%}), "
            f"of these proven {len(proven)} ({len(proven) / max(len(offered), 1):.0%}), of these right under JAX {works}"
        )


if __name__ == "__main__":
    main()
