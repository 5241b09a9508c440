"""Runs a script with its jitted functions counted: `tracetrap run`.

Unlike verification this is the user's own run: no limits, and the script's output is its own.
"""

from __future__ import annotations

import functools
import inspect
import json
import os
import runpy
import sys
import time
import traceback
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from types import MethodType
from typing import Any

from .describe import describe
from .evidence import RUNTIME, Evidence
from .seam import Seam

Signature = dict[str, str]


@dataclass(slots=True)
class FunctionProfile:
    """What one jitted function did in a run; times in seconds."""

    name: str
    filename: str
    line: int
    calls: int = 0
    traces: int = 0
    hits: int = 0
    compile_seconds: float = 0.0
    run_seconds: float = 0.0
    reasons: list[str] = field(default_factory=list)
    signatures: list[Signature] = field(default_factory=list)
    functions: list[object] = field(default_factory=list)

    def note_trace(self, function: Callable[..., Any], call: tuple[Any, ...], names: dict[str, Any]) -> None:
        """One more trace; keeps why the earlier ones did not serve."""
        signature = _signature(function, call, names)
        if self.signatures:
            self.reasons.append(self._reason(signature, function))
        self.traces += 1
        self.signatures.append(signature)
        self.functions.append(function)

    def _reason(self, signature: Signature, function: object) -> str:
        """What differs from the trace most like this one, the latest if several are."""
        compared = [
            (_differences(known, signature), number) for number, known in enumerate(self.signatures, 1)
        ]
        differences, nearest = min(reversed(compared), key=lambda one: len(one[0]))
        if differences:
            return f"differs from trace {nearest} in {', '.join(differences)}"
        if not any(known is function for known in self.functions):
            return f"the same inputs as trace {nearest}, but a new function object: jit is applied again"
        return f"the same inputs as trace {nearest}, passed in another way (weak type, keyword, or tree structure)"


def _signature(function: Callable[..., Any], call: tuple[Any, ...], names: dict[str, Any]) -> Signature:
    try:
        bound = inspect.signature(function).bind(*call, **names).arguments
    except (TypeError, ValueError):
        bound = {**{str(position): value for position, value in enumerate(call)}, **names}
    return {
        name: ("weak " if getattr(value, "weak_type", False) else "") + describe(value)
        for name, value in bound.items()
    }


def _differences(before: Signature, after: Signature) -> list[str]:
    names = dict.fromkeys([*before, *after])
    return [
        f"{name}: {before.get(name, 'not given')} -> {after.get(name, 'not given')}"
        for name in names
        if before.get(name) != after.get(name)
    ]


class Counted:
    """A jitted function that counts its calls; all else is the jitted function's."""

    def __init__(
        self, made: Callable[..., Any], profile: FunctionProfile, block: Callable[[Any], Any]
    ) -> None:
        self._made, self._profile, self._block = made, profile, block
        functools.update_wrapper(self, made, updated=())

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        profile = self._profile
        before, began = profile.traces, time.perf_counter()
        result = self._made(*arguments, **keywords)
        self._block(result)
        taken = time.perf_counter() - began
        profile.calls += 1
        if profile.traces == before:
            profile.hits += 1
            profile.run_seconds += taken
        else:
            profile.compile_seconds += taken
        return result

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        return self if instance is None else MethodType(self, instance)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._made, name)


class Profiler:
    """Replaces `jax.jit` by one that counts the user's functions."""

    def __init__(self, root: str) -> None:
        self.evidence = Evidence(root=root)
        self.seam = Seam(self.evidence)
        self.profiles: dict[tuple[str, str, int], FunctionProfile] = {}

    def install(self, jax: Any) -> None:
        """Hook `jax.jit`; decorators with options come back through the same door."""
        original = jax.jit

        def block(result: Any) -> None:
            if not self.evidence.stack:
                jax.block_until_ready(result)

        @functools.wraps(original)
        def jit(fun: Any = None, /, **options: Any) -> Any:
            fun = options.pop("fun", fun)
            if fun is None:
                return functools.partial(jit, **options)
            key = self.seam.key_of(fun, "jit")
            if key is None or not callable(fun) or isinstance(fun, Counted):
                return original(fun, **options)
            place = (key.name, key.filename, key.first_line)
            profile = self.profiles.setdefault(place, FunctionProfile(*place))
            return Counted(original(self._reporter(fun, profile), **options), profile, block)

        jax.jit = jit

    def _reporter(self, function: Callable[..., Any], profile: FunctionProfile) -> Callable[..., Any]:
        stack = self.evidence.stack
        key = self.seam.key_of(function, "jit")
        assert key is not None

        @functools.wraps(function)
        def reporting(*arguments: Any, **keywords: Any) -> Any:
            profile.note_trace(function, arguments, keywords)
            stack.append(key)
            try:
                return function(*arguments, **keywords)
            finally:
                stack.pop()

        return reporting


def main() -> None:
    """`profile RUNTIME REPORT_FD SCRIPT [ARGUMENTS]`; the report goes to the descriptor as JSON."""
    from .worker import import_tracer

    runtime, descriptor, script = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    problem = import_tracer(runtime)
    report: dict[str, Any] = {"problem": problem, "error": None, "functions": []}
    if problem is None:
        path = os.path.abspath(script)
        profiler = Profiler(os.path.dirname(path))
        profiler.install(sys.modules["jax"])
        sys.argv = [script, *sys.argv[4:]]
        sys.path.insert(0, os.path.dirname(path))
        try:
            runpy.run_path(path, run_name="__main__")
        except SystemExit as error:
            report["exit"] = error.code
        except BaseException as error:  # noqa: BLE001 (reported like Python would, then the table follows)
            _print_error(error, path)
            report["error"] = f"{type(error).__name__}: {error}".split("\n", 1)[0]
        shown = (
            "name",
            "filename",
            "line",
            "calls",
            "traces",
            "hits",
            "compile_seconds",
            "run_seconds",
            "reasons",
        )
        report["functions"] = [
            {name: value for name, value in asdict(profile).items() if name in shown}
            for profile in profiler.profiles.values()
        ]
    sys.stdout.flush()
    os.write(descriptor, json.dumps(report, default=str).encode())


def _print_error(error: BaseException, path: str) -> None:
    frames = traceback.extract_tb(error.__traceback__)
    start = next((index for index, frame in enumerate(frames) if frame.filename == path), 0)
    own = [frame for frame in frames[start:] if not frame.filename.startswith(RUNTIME)]
    print(
        "Traceback (most recent call last):", *traceback.format_list(own), sep="\n", file=sys.stderr, end=""
    )
    print(*traceback.format_exception_only(error), sep="", file=sys.stderr, end="")
