"""From keystroke to diagnostics: `tracetrap server` beside `ruff server` and `pylsp` with flake8, on the same file.

    python benchmarks/lsp_speed.py [--lines 1000] [--keystrokes 20]

Servers that are not installed are left out.  Each keystroke inserts a character in the middle of the file and waits for
the diagnostics of that version; the first is not counted.  Prints medians and their ratios to Tracetrap's, the processor
time of a keystroke, which other work on the machine does not blur, and the most memory that the server's process has held.
"""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil

FUNCTION = """

@partial(jax.jit, static_argnames=("steps",))
def update_{n}(params, batch, steps=3):
    weights, bias = params["w"], params["b"]
    hidden = jnp.tanh(batch @ weights + bias)
    for step in range(steps):
        hidden = hidden * (1.0 + step)
    loss = jnp.mean(hidden ** 2)
    grads = jax.grad(lambda w: jnp.sum(jnp.tanh(batch @ w)))(weights)
    {test}
        grads = grads * 2
    return {{"w": weights - 0.1 * grads, "b": bias}}, loss
"""

SERVERS = {
    "tracetrap": [sys.executable, "-m", "tracetrap.linter", "server"],
    "ruff": ["ruff", "server"],
    "pylsp + flake8": [sys.executable, "-m", "pylsp"],
}

PYLSP = {
    "pylsp": {
        "plugins": {
            "flake8": {"enabled": True, "executable": f"{Path(sys.executable).parent / 'flake8'}"},
            "pycodestyle": {"enabled": False},
            "pyflakes": {"enabled": False},
            "mccabe": {"enabled": False},
        }
    }
}


class Client:
    """Speaks just enough of the protocol to type and to wait."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdin is not None and process.stdout is not None
        self._in, self._out = process.stdin, process.stdout
        self.server = psutil.Process(process.pid)

    def seconds(self) -> float:
        """The processor time of the server and of the processes that it has started and waited for."""
        times = self.server.cpu_times()
        return float(times.user + times.system + times.children_user + times.children_system)

    def send(self, method: str, params: Any, number: int | None = None) -> None:
        """One message; with a number it is a request."""
        message = {"jsonrpc": "2.0", "method": method, "params": params}
        self._write(message if number is None else {**message, "id": number})

    def wait_for(self, *, method: str = "", number: int | None = None) -> dict[str, Any]:
        """The next notification of this method, or the answer to this request; requests of the server get null."""
        while True:
            message = self._read()
            if "method" in message and "id" in message:
                self._write({"jsonrpc": "2.0", "id": message["id"], "result": None})
            elif message.get("method", "") == method if method else message.get("id") == number:
                return message

    def _write(self, message: dict[str, Any]) -> None:
        body = json.dumps(message).encode()
        self._in.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self._in.flush()

    def _read(self) -> dict[str, Any]:
        length = 0
        while (line := self._out.readline()).strip():
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        if not length:
            raise EOFError("the server has ended")
        message: dict[str, Any] = json.loads(self._out.read(length))
        return message


@contextmanager
def running(command: list[str], folder: Path) -> Iterator[Client]:
    """A client of a server that is started, and ended afterwards."""
    with subprocess.Popen(
        command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as process:
        client = Client(process)
        root = folder.as_uri()
        client.send(
            "initialize",
            {
                "processId": None,
                "rootUri": root,
                "workspaceFolders": [{"uri": root, "name": "bench"}],
                "capabilities": {"textDocument": {"publishDiagnostics": {"versionSupport": True}}},
            },
            1,
        )
        client.wait_for(number=1)
        client.send("initialized", {})
        client.send("workspace/didChangeConfiguration", {"settings": PYLSP})
        try:
            yield client
        finally:
            process.kill()


@dataclass(frozen=True)
class Measured:
    """What was measured of one server.

    Args:
        keystrokes: seconds from each keystroke to its diagnostics, the first left out.
        processor: seconds of processor time for each of them, on average.
        memory: the most bytes of memory that the process held after a keystroke.
    """

    keystrokes: list[float]
    processor: float
    memory: int


def measure(command: list[str], text: str, keystrokes: int) -> Measured:
    """Types into a file and waits, again and again."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = folder / "model.py"
        path.write_text(text, encoding="utf-8")
        uri = path.as_uri()
        with running(command, folder) as client:
            item = {"uri": uri, "languageId": "python", "version": 1, "text": text}
            client.send("textDocument/didOpen", {"textDocument": item})
            client.wait_for(method="textDocument/publishDiagnostics")
            middle = text.count("\n") // 2
            row = next(n for n, line in enumerate(text.split("\n")) if n > middle and "hidden * (1.0" in line)
            column = text.split("\n")[row].index("1.0") + 3
            times: list[float] = []
            memory, spent = 0, 0.0
            for version in range(2, keystrokes + 3):
                place = {"line": row, "character": column}
                change = {"range": {"start": place, "end": place}, "text": "1"}
                start = time.perf_counter()
                client.send(
                    "textDocument/didChange",
                    {"textDocument": {"uri": uri, "version": version}, "contentChanges": [change]},
                )
                client.wait_for(method="textDocument/publishDiagnostics")
                times.append(time.perf_counter() - start)
                memory = max(memory, client.server.memory_info().rss)
                spent = spent if version > 2 else client.seconds()
            return Measured(times[1:], (client.seconds() - spent) / keystrokes, memory)


def main() -> None:
    """Measure every server that is installed, and compare."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--lines", type=int, default=1000)
    parser.add_argument("--keystrokes", type=int, default=20)
    options = parser.parse_args()
    head = "from functools import partial\n\nimport jax\nimport jax.numpy as jnp\n"
    count = options.lines // FUNCTION.count("\n")
    text = head + "".join(
        FUNCTION.format(n=number, test="if steps > 5:" if number % 10 else "if loss > 0.5:")
        for number in range(count)
    )
    first = 0.0
    for name, command in SERVERS.items():
        if shutil.which(command[0]) is None:
            print(f"{name:16} not installed")
            continue
        try:
            measured = measure(command, text, options.keystrokes)
        except (EOFError, BrokenPipeError):
            print(f"{name:16} not installed")
            continue
        median = statistics.median(measured.keystrokes)
        first = first or median
        print(
            f"{name:16} {median * 1000:8.1f} ms median  {median / first:6.2f} x tracetrap  "
            f"{measured.processor * 1000:8.1f} ms processor  {measured.memory / 2**20:6.0f} MB"
        )


if __name__ == "__main__":
    main()
