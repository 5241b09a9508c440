"""The limits under which a user's code is tried: no network, no processes, no writes but to a scratch folder.

This guards against accidents, not against an attacker: code that goes around the interpreter (ctypes) meets
only the resource limits.  References: PEP 578 (audit hooks), setrlimit(2).
"""

from __future__ import annotations

import os
import resource
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any

_WRITE_FLAGS = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_NETWORK = ("socket.connect", "socket.bind", "socket.sendto", "socket.getaddrinfo", "socket.gethostby")
_PROCESSES = (
    "os.fork",
    "os.posix_spawn",
    "os.exec",
    "os.spawn",
    "os.system",
    "os.startfile",
    "subprocess.",
    "pty.",
)
_SIGNALS = ("os.kill", "os.killpg", "signal.pthread_kill")
_CHANGES = (
    "os.remove",
    "os.rename",
    "os.mkdir",
    "os.rmdir",
    "os.link",
    "os.symlink",
    "os.truncate",
    "os.chmod",
    "os.chown",
    "os.utime",
    "os.setxattr",
    "os.removexattr",
    "shutil.rmtree",
)
_BUILTIN_PREFIX = ("socket.", "os.", "subprocess.", "pty.", "signal.", "shutil.")


class Blocked(PermissionError):
    """Raised in user code for what verification does not allow."""


class TimeLimit(BaseException):
    """Raised in user code when its time is over; no `except Exception` catches it."""


def confine(scratch: str, memory: int, cpu_seconds: int) -> None:
    """Limit this process for good: `memory` bytes more than it maps now, `cpu_seconds` of processor time."""
    _limit(resource.RLIMIT_AS, _mapped_bytes() + memory)
    _limit(resource.RLIMIT_CPU, cpu_seconds)
    _limit(resource.RLIMIT_CORE, 0)
    _limit(resource.RLIMIT_FSIZE, 256 * 2**20)
    with suppress(ImportError):
        import _posixsubprocess

        _posixsubprocess.fork_exec = _refuse_processes  # multiprocessing calls it without an audit event
    roots = (os.path.realpath(scratch) + os.sep,)

    def audit(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open":
            _check_open(arguments, roots)
        elif event.startswith(_BUILTIN_PREFIX):
            _check_event(event, arguments, roots)
        elif event == "sqlite3.connect":
            _check_path(arguments[0], roots, "opens a database")

    sys.addaudithook(audit)


def _limit(kind: int, value: int) -> None:
    _, hard = resource.getrlimit(kind)
    if hard != resource.RLIM_INFINITY:
        value = min(value, hard)
    with suppress(ValueError, OSError):
        resource.setrlimit(kind, (value, value))


def _mapped_bytes() -> int:
    try:
        with open("/proc/self/statm", encoding="ascii") as statm:
            return int(statm.read().split()[0]) * resource.getpagesize()
    except OSError:
        return 8 * 2**30


def _refuse_processes(*_arguments: object) -> int:
    raise Blocked("verification starts no other process")


def _check_open(arguments: tuple[Any, ...], roots: tuple[str, ...]) -> None:
    path, mode, flags = arguments
    writes = bool(flags & _WRITE_FLAGS) if isinstance(flags, int) else False
    if writes or (isinstance(mode, str) and any(letter in mode for letter in "wax+")):
        _check_path(path, roots, "writes a file")


def _check_event(event: str, arguments: tuple[Any, ...], roots: tuple[str, ...]) -> None:
    if event.startswith(_NETWORK):
        raise Blocked(f"verification uses no network ({event})")
    if event.startswith(_PROCESSES):
        raise Blocked(f"verification starts no other process ({event})")
    if event.startswith(_SIGNALS):
        raise Blocked(f"verification sends no signals ({event})")
    if event.startswith(_CHANGES):
        for path in arguments[:2]:
            if isinstance(path, (str, bytes, os.PathLike)):
                _check_path(path, roots, "changes files")


def _check_path(path: Any, roots: tuple[str, ...], act: str) -> None:
    if isinstance(path, int):
        return
    name = os.fsdecode(path)
    if name in (os.devnull, ":memory:") or (os.path.realpath(name) + os.sep).startswith(roots):
        return
    raise Blocked(f"the code {act} outside the scratch folder: {name}")


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise `TimeLimit` in the main thread when the block takes longer than `seconds`."""

    def expire(_signal: int, _frame: FrameType | None) -> None:
        # Code that swallows the first alarm meets the next ones.
        signal.setitimer(signal.ITIMER_REAL, 0.5)
        raise TimeLimit(f"did not end within {seconds:g} s")

    previous = signal.signal(signal.SIGALRM, expire)
    signal.setitimer(signal.ITIMER_REAL, max(seconds, 0.001))
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)
