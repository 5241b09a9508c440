"""Code that nobody meant for a linter: CPython's own test files, and random mutations of real files.

Every file is analysed as if it used JAX.  None may crash the analysis, take long for its length, or take much memory;
what cannot be analysed says so (TRC900).  Ends with 1 if one does not hold.

    python benchmarks/bad_input.py                      the `test` package of this interpreter
    python benchmarks/bad_input.py FOLDER --mutations 3  each file of a folder, and three mutations of it
"""

from __future__ import annotations

import argparse
import random
import re
import resource
import sys
import sysconfig
import time
from collections.abc import Iterator
from pathlib import Path

from tracetrap.linter import deep_stack
from tracetrap.linter.analysis import Gathering, interpret
from tracetrap.linter.files.decoding import DecodingError
from tracetrap.linter.files.project import Project
from tracetrap.linter.files.source import SourceFile
from tracetrap.linter.gate import obstacle
from tracetrap.linter.settings.config import Settings

SECONDS = 5.0  # that a file may take, and as much again for each thousand lines
_TOKEN = re.compile(r"\w+|\s+|[^\w\s]")


def mutated(text: str, chance: random.Random) -> str:
    """The text with a few tokens or lines deleted, repeated or exchanged."""
    parts = text.splitlines(keepends=True) if chance.random() < 0.5 else _TOKEN.findall(text)
    for _ in range(chance.randint(1, 6)):
        if len(parts) < 2:
            break
        place, other = chance.randrange(len(parts)), chance.randrange(len(parts))
        match chance.choice(("delete", "repeat", "exchange", "overwrite")):
            case "delete":
                del parts[place]
            case "repeat":
                parts.insert(place, parts[other])
            case "exchange":
                parts[place], parts[other] = parts[other], parts[place]
            case _:
                parts[place] = parts[other]
    return "".join(parts)


def variants(path: Path, mutations: int, seed: int) -> Iterator[tuple[str, bytes]]:
    """The file as it is, then its mutations, each with its name."""
    data = path.read_bytes()
    yield path.name, data
    chance = random.Random(f"{seed} {path.name}")
    text = data.decode("utf-8", errors="replace")
    for number in range(mutations):
        yield f"{path.name} mutation {number}", mutated(text, chance).encode("utf-8", "replace")


def analysed_whole(source: SourceFile, project: Project) -> str | None:
    """Analyses a file, its functions without JAX included; why not to its end, if so."""
    gathering = Gathering()
    reason = interpret(source, Settings(), project, gathering.hear, lambda node, value, role: None)
    gathering.findings()
    return reason


def outcome(data: bytes) -> tuple[str, str]:
    """What became of a file (`analysed`, `in part`, `not analysed`), and what is wrong with that, if anything."""
    began = time.process_time()
    try:
        source = SourceFile.from_bytes(data, "file.py")
        if obstacle(source) is not None:
            return "not analysed", ""
        reason = deep_stack.call(lambda: analysed_whole(source, Project()), Settings().seconds_per_file)
    except (DecodingError, SyntaxError):
        return "not analysed", ""
    except deep_stack.TimeLimitExceeded:
        return "slow", "stopped by the time limit"
    except Exception as error:  # this is what we look for
        return "crashed", f"{type(error).__name__}: {error}"
    seconds = time.process_time() - began
    if seconds > SECONDS * (1 + len(source.lines) / 1000):
        return "slow", f"{seconds:.1f} s for {len(source.lines)} lines"
    return ("in part" if reason else "analysed"), ""


def main() -> int:
    """Analyses everything and prints how many files came to which end; returns the exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", nargs="?", type=Path, default=Path(sysconfig.get_path("stdlib")) / "test")
    parser.add_argument("--mutations", type=int, default=0, help="mutations of each file (default: none)")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    ends: dict[str, int] = {}
    wrong = 0
    for path in sorted(options.folder.rglob("*.py")):
        for name, data in variants(path, options.mutations, options.seed):
            end, reason = outcome(data)
            ends[end] = ends.get(end, 0) + 1
            if reason:
                wrong += 1
                print(f"{name}: {end}: {reason}", flush=True)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(", ".join(f"{count} {end}" for end, count in sorted(ends.items())), f"; peak memory {memory} MB")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
