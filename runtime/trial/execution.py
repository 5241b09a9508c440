"""Executes a user's module statement by statement: one that fails is recorded, and the next goes on.

So a script whose first call raises still shows what its other calls do.
"""

from __future__ import annotations
import __future__

import ast
import builtins
import importlib.machinery
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

from .coverage import Coverage
from .evidence import MOST_PASSES, Evidence, Raised
from .instrument import CAUGHT, MEND, PASSED, Place, instrument
from .mending import mender
from .sandbox import TimeLimit, time_limit
from .selection import definitions
from .stores import allow_stores, publish_store
from .syntax_index import SyntaxIndex


@dataclass(slots=True)
class Execution:
    """A module as far as it could be executed."""

    module: ModuleType
    tree: ast.Module
    source: str
    failures: list[tuple[int, str]] = field(default_factory=list)  # line, reason
    timed_out: bool = False
    _index: SyntaxIndex | None = None

    @property
    def path(self) -> str:
        """The file that it is the module of."""
        return self.module.__file__ or ""

    @property
    def index(self) -> SyntaxIndex:
        """Where its functions and calls stand."""
        if self._index is None:
            self._index = SyntaxIndex.of(self.tree)
        return self._index

    def reason_for(self, name: str) -> str | None:
        """Why `name` is missing from the module: the first failure, or None if the name is there."""
        if name in self.module.__dict__:
            return None
        return self.failures[0][1] if self.failures else None


def execute(
    path: str,
    name: str,
    package: str,
    evidence: Evidence,
    places: Sequence[Place],
    names: Sequence[str] | None,
    seconds: float,
    mended: Mapping[int, str | None],
    choice: bool,
    text: str | None = None,
    coverage: Coverage | None = None,
) -> Execution:
    """Execute the file at `path` as `__main__`: wholly, or only what `names` need (names is not None).

    The places numbered in `mended` are made to pass (see `mending`).  `text` stands in for that of the file;
    `coverage` hears of the branches that are taken; then arrays may be assigned to, too (see `stores`).

    Raises SyntaxError for a file that Python cannot compile, OSError for one that cannot be read.
    """
    source = importlib.machinery.SourceFileLoader(name, path).get_source(name) if text is None else text
    assert source is not None
    tree = ast.parse(source, path)
    features = _future_flags(tree)
    module = _prepare_module(path, name, package, tree)
    module.__dict__[PASSED] = _passed(evidence)
    module.__dict__[CAUGHT] = _caught(evidence)
    execution = Execution(module, ast.parse(source, path), source)
    if mended:
        module.__dict__[MEND] = mender(evidence, mended, choice)
    instrument(tree, source, places, mended)
    if coverage is not None:
        allow_stores(tree)
        publish_store(module)
        coverage.instrument(tree)
        coverage.publish(module)
    statements = tree.body if names is None else definitions(tree, names)
    only_definitions = set(map(id, definitions(tree, ())))
    clean_builtins = dict(builtins.__dict__)
    deadline = time.monotonic() + seconds
    for statement in statements:
        left = deadline - time.monotonic()
        if left <= 0:
            if id(statement) not in only_definitions:
                continue
            left = 1.0
        _run(statement, execution, evidence, features, left)
        if builtins.__dict__ != clean_builtins:
            builtins.__dict__.update(clean_builtins)
    return execution


def _run(
    statement: ast.stmt, execution: Execution, evidence: Evidence, features: int, seconds: float
) -> None:
    module = execution.module
    try:
        code = compile(
            ast.Module([statement], []), module.__file__ or "", "exec", features, dont_inherit=True
        )
        with time_limit(seconds):
            exec(code, module.__dict__)  # noqa: S102 (running the user's code is the purpose)
    except TimeLimit:
        execution.timed_out = True
        execution.failures.append(
            (statement.lineno, f"line {statement.lineno} did not end within {seconds:.0f} s")
        )
    except SystemExit:
        execution.failures.append((statement.lineno, f"the module exits at line {statement.lineno}"))
    except BaseException as error:  # noqa: BLE001 (whatever user code raises is recorded)
        raised = evidence.record(error)
        execution.failures.append((statement.lineno, _reason(error, raised, statement, execution, evidence)))
        error.__traceback__ = None if not raised.tracing_error else error.__traceback__


def _reason(
    error: BaseException, raised: Raised, statement: ast.stmt, execution: Execution, evidence: Evidence
) -> str:
    line = statement.lineno
    if isinstance(error, ModuleNotFoundError) and error.name:
        return f"needs the package {error.name.partition('.')[0]}, which is not installed (line {line})"
    place = raised.place
    where = evidence.where(place, execution.path) if place else f"line {line}"
    return f"{where} raises {raised.brief()}"


def _prepare_module(path: str, name: str, package: str, tree: ast.Module) -> ModuleType:
    module = ModuleType("__main__", ast.get_docstring(tree))
    module.__file__ = path
    module.__package__ = package or None
    module.__spec__ = None
    module.__dict__.update(__builtins__=builtins, __annotations__={})
    sys.modules["__main__"] = module
    sys.modules[name] = module
    return module


def _passed(evidence: Evidence) -> Any:
    passed, stack, sizes = evidence.passed, evidence.stack, evidence.sizes
    tracer: Any = sys.modules["jax"].core.Tracer

    def mark(number: int, value: Any) -> Any:
        if stack and hasattr(value, "dtype") and not isinstance(value, tracer):
            sizes[number] = max(sizes.get(number, 0), getattr(value, "size", 0))
        seen = passed.setdefault(number, [])
        if len(seen) < MOST_PASSES:
            seen.append(tuple(stack))
        return value

    return mark


def _caught(evidence: Evidence) -> Any:
    def caught() -> None:
        error = sys.exc_info()[1]
        if error is not None and not isinstance(error, TimeLimit):
            raised = evidence.record(error)
            raised.caught = True

    return caught


def _future_flags(tree: ast.Module) -> int:
    flags = 0
    for statement in tree.body:
        if isinstance(statement, ast.ImportFrom) and statement.module == "__future__":
            for alias in statement.names:
                feature = getattr(__future__, alias.name, None)
                if feature is not None:
                    flags |= feature.compiler_flag
    return flags
