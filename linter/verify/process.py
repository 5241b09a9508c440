"""The worker as the parent sees it: started once, asked in turn, replaced when it dies."""

from __future__ import annotations

import importlib.util
import json
import os
import select
import shutil
import signal
import site
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import Any, Literal

from ..settings.config import SettingsError

Runtime = Literal["bundled", "jax"]

_KEPT_VARIABLES = (
    "PATH",
    "LANG",
    "LC_ALL",
    "LC_CTYPE",
    "TZ",
    "PYTHONPATH",
    "VIRTUAL_ENV",
    "LD_LIBRARY_PATH",
    "DYLD_LIBRARY_PATH",
    "PYTHONHASHSEED",
    "PYTHONPYCACHEPREFIX",
    "JAX_ENABLE_X64",
    "SYSTEMROOT",
)
# The package is entered without its `__init__`, so that `--runtime jax` does not load the bundled runtime.
# What is imported is no garbage: the collector need not walk through it, then or later.
_BOOTSTRAP = """
import gc, sys, types
gc.disable()
del sys.path[0]
package = types.ModuleType("tracetrap.runtime")
package.__path__ = [sys.argv.pop(1)]
if sys.argv.pop(1) == "jax":
    import tracetrap
    sys.modules["tracetrap.runtime"] = package
import importlib
module = importlib.import_module("tracetrap.runtime." + sys.argv.pop(1))
gc.freeze()
gc.enable()
module.main()
"""


class WorkerError(Exception):
    """The worker died, or did not answer in time; the message says which."""


class RuntimeMissing(SettingsError):
    """The runtime asked for cannot be imported; the message names the extra to install."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What one file may use in a worker; seconds of wall time, bytes beyond what the tracer itself takes."""

    load_seconds: float = 6.0
    trial_seconds: float = 3.0
    search_seconds: float = 5.0
    cpu_seconds: int = 120
    memory: int = 4 * 2**30


class Worker:
    """A worker process; use as a context manager, so that it never outlives the parent's need."""

    def __init__(self, runtime: Runtime = "bundled", limits: Limits | None = None) -> None:
        self.runtime = runtime
        self.limits = limits or Limits()
        self._scratch = tempfile.mkdtemp(prefix="tracetrap-")
        self._fork: int | None = None
        self._ready = False
        self._buffer = bytearray()
        requests_read, self._requests = os.pipe()
        self._answers, answers_write = os.pipe()
        settings = {"runtime": runtime, "scratch": self._scratch, **asdict(self.limits)}
        command = bootstrap(
            "trial.worker", runtime, str(requests_read), str(answers_write), json.dumps(settings)
        )
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            pass_fds=(requests_read, answers_write),
            env=_environment(self._scratch),
            cwd=self._scratch,
            start_new_session=True,
        )
        os.close(requests_read)
        os.close(answers_write)

    def __enter__(self) -> Worker:  # noqa: PYI034 (Self is newer than Python 3.10)
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def close(self) -> None:
        """End the worker and whatever it started, and remove its scratch folder."""
        self._kill_fork()
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        os.close(self._requests)
        os.close(self._answers)
        shutil.rmtree(self._scratch, ignore_errors=True)

    def wait_ready(self) -> None:
        """Block until the tracer is imported; raises RuntimeMissing."""
        if self._ready:
            return
        try:
            answer = self._read(60.0)
        except WorkerError as error:
            raise RuntimeMissing(f"the {self.runtime} runtime does not start: {error}") from error
        if not answer["ready"]:
            extra = "jax" if self.runtime == "jax" else "verify"
            raise RuntimeMissing(
                f"verification needs the {self.runtime} runtime: {answer['problem']}; "
                f"pip install 'tracetrap[{extra}]'"
            )
        self._ready = True

    def fork(self) -> None:
        """Begin a new file: the old fork ends, a fresh one answers the next requests."""
        self.wait_ready()
        self._end_fork()
        self._write({"op": "fork"})
        self._fork = int(self._read(10.0)["pid"])

    def ask(self, request: dict[str, Any], seconds: float) -> dict[str, Any]:
        """The fork's answer; raises WorkerError if it dies or takes longer; then `fork` begins anew."""
        self._write(request)
        try:
            answer = self._read(seconds)
        except WorkerError:
            self._end_fork()
            raise
        if "ended" in answer:
            self._fork = None
            raise WorkerError(f"the process that tried it {answer['ended']}")
        return answer

    def _end_fork(self) -> None:
        if self._fork is None:
            return
        self._kill_fork()
        while "ended" not in self._read(10.0):
            pass
        self._fork = None

    def _kill_fork(self) -> None:
        if self._fork is not None:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(self._fork, signal.SIGKILL)
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._fork, signal.SIGKILL)

    def _write(self, message: dict[str, Any]) -> None:
        data = json.dumps(message).encode() + b"\n"
        try:
            while data:
                data = data[os.write(self._requests, data) :]
        except BrokenPipeError as error:
            raise WorkerError("the worker ended") from error

    def _read(self, seconds: float) -> dict[str, Any]:
        deadline = time.monotonic() + seconds
        while b"\n" not in self._buffer:
            ready, _, _ = select.select([self._answers], [], [], max(0.0, deadline - time.monotonic()))
            if not ready:
                raise WorkerError(f"no answer within {seconds:.0f} s")
            chunk = os.read(self._answers, 1 << 16)
            if not chunk:
                raise WorkerError("the worker ended")
            self._buffer += chunk
        line, _, rest = bytes(self._buffer).partition(b"\n")
        self._buffer = bytearray(rest)
        message: dict[str, Any] = json.loads(line)
        return message


def bootstrap(module: str, runtime: Runtime, *arguments: str) -> list[str]:
    """The command that runs `main` of a module of the runtime package in a new Python.

    The runtime is a word for the bootstrap, and the first argument of any module but the worker.
    """
    spec = importlib.util.find_spec("tracetrap.runtime")
    if spec is None or not spec.submodule_search_locations:
        raise RuntimeMissing("the package tracetrap.runtime is not installed")
    folder = next(iter(spec.submodule_search_locations))
    passed = arguments if module == "trial.worker" else (runtime, *arguments)
    return [sys.executable, "-c", _BOOTSTRAP, folder, runtime, module, *passed]


def _environment(scratch: str) -> dict[str, str]:
    """What the worker may know of the parent's environment: where programs and packages are, no secrets."""
    kept = {name: os.environ[name] for name in _KEPT_VARIABLES if name in os.environ}
    return kept | {
        "HOME": scratch,
        "TMPDIR": scratch,
        "XDG_CACHE_HOME": scratch,
        "PYTHONUSERBASE": site.getuserbase(),
        "JAX_PLATFORMS": "cpu",
        "JAX_TRACEBACK_FILTERING": "off",
        "MPLBACKEND": "Agg",
        "OPENBLAS_NUM_THREADS": "1",
        "OMP_NUM_THREADS": "1",
        "TF_CPP_MIN_LOG_LEVEL": "3",
    }
