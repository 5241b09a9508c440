"""The child process of `tracetrap check --verify`: `python -m tracetrap.runtime.trial.worker`.

Requests and answers are JSON objects, one a line, over two pipes that only the worker knows (user code prints
to /dev/null).  The process imports the tracer once and then forks: each fork tries one file, so that whatever
that file breaks ends with it.  While a fork lives it alone reads the requests.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import os
import select
import signal
import sys
import warnings
from collections.abc import Iterator
from typing import Any

from .seam import transforms_of
from .session import Session, Settings

_DONE = object()


class Pipe:
    """JSON lines over file descriptors, unbuffered, so that a fork never steals half a line."""

    def __init__(self, requests: int, answers: int) -> None:
        self.requests, self.answers = requests, answers

    def read(self) -> dict[str, Any] | None:
        """The next request, or None at the end."""
        line = bytearray()
        while not line.endswith(b"\n"):
            chunk = os.read(self.requests, 1 << 16)
            if not chunk:
                return None
            line += chunk
        message: dict[str, Any] = json.loads(line)
        return message

    def is_waiting(self) -> bool:
        """True if a request has come already."""
        return bool(select.select([self.requests], [], [], 0)[0])

    def write(self, message: dict[str, Any]) -> None:
        """Send one answer."""
        data = json.dumps(message, default=str).encode() + b"\n"
        while data:
            data = data[os.write(self.answers, data) :]


def import_tracer(runtime: str) -> str | None:
    """Make `import jax` mean the chosen runtime; the reason if it cannot be imported."""
    try:
        if runtime == "bundled":
            from ..shim import install

            install()
        importlib.import_module("jax.numpy")
    except ImportError as error:
        return f"{error}"
    return None


def warm_up() -> Iterator[None]:
    """Have the bundled runtime load, step by step, what almost every file needs, so that no fork has to.

    An installed JAX is left alone: it starts threads, which no fork survives, when it first computes.
    """
    jax, jnp = sys.modules["jax"], sys.modules["jax.numpy"]
    for _ in transforms_of(jax):
        yield
    ones = jnp.ones(2)
    yield
    function = jax.jit(lambda x: jnp.where(x > 0, x, -x).sum() + x @ x)
    function.trace(ones)
    yield
    function(ones)
    yield
    jax.grad(lambda x: jnp.sum(x**2))(ones)
    jax.lax.scan(lambda carry, x: (carry + x, x), 0.0, ones)
    yield
    jax.random.normal(jax.random.PRNGKey(0), (2,))


def serve(pipe: Pipe, settings: Settings) -> None:
    """Until the pipe closes: each `fork` request makes a process that answers the next ones."""
    wake_read, wake_write = os.pipe()
    os.set_blocking(wake_write, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wake_write)
    steps = warm_up() if settings.runtime == "bundled" else iter(())
    forks = 0
    while True:
        # What the runtime cannot do yet will show in the forks; it must not end them all.
        with contextlib.suppress(Exception):
            while (forks or not pipe.is_waiting()) and next(steps, _DONE) is not _DONE:
                pass
        request = pipe.read()
        if request is None:
            return
        if request.get("op") != "fork":
            continue
        forks += 1
        gc.freeze()  # a fork looks for garbage in what it makes, and shares the rest unwritten
        child = os.fork()
        if child == 0:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            _fork_main(pipe, settings)
        pipe.write({"pid": child})
        status = _wait(child, pipe.requests, wake_read)
        if status is None:
            return
        pipe.write({"ended": status})


def _wait(child: int, requests: int, wake: int) -> str | None:
    """How the fork ended; None when the parent went away, in which case the fork is killed."""
    poller = select.poll()
    poller.register(wake, select.POLLIN)
    poller.register(requests, 0)  # reports only that the other end has closed
    while True:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            code = os.waitstatus_to_exitcode(status)
            return f"died of {signal.Signals(-code).name}" if code < 0 else f"exited with code {code}"
        for descriptor, event in poller.poll():
            if descriptor == wake:
                os.read(wake, 512)
            elif event & (select.POLLHUP | select.POLLERR):
                os.kill(child, signal.SIGKILL)
                return None


def _fork_main(pipe: Pipe, settings: Settings) -> None:
    os.setsid()
    sys.dont_write_bytecode = True
    code = 1
    try:
        session = Session(settings)
        while (request := pipe.read()) is not None and request["op"] != "exit":
            pipe.write(session.answer(request))
        code = 0
    finally:
        os._exit(code)


def main() -> None:
    """Entry point: `worker REQUEST_FD ANSWER_FD JSON_SETTINGS`."""
    pipe = Pipe(int(sys.argv[1]), int(sys.argv[2]))
    settings = Settings(**json.loads(sys.argv[3]))
    warnings.simplefilter("ignore")
    problem = import_tracer(settings.runtime)
    pipe.write({"ready": problem is None, "problem": problem})
    if problem is None:
        serve(pipe, settings)


if __name__ == "__main__":
    main()
