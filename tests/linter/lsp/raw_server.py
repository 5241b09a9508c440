"""A server that is spoken to byte by byte, for messages that no client library would send."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from queue import Empty, Queue
from typing import Any

COMMAND = [sys.executable, "-m", "tracetrap.linter", "server"]
SECONDS = 120.0


class RawServer(AbstractContextManager["RawServer"]):
    """A server's process, what it has said so far, and the means to say anything to it."""

    def __init__(
        self, folder: Path, capabilities: dict[str, Any] | None = None, command: Sequence[str] = COMMAND
    ) -> None:
        self.folder = folder
        self._number = 0
        self._said: Queue[dict[str, Any]] = Queue()
        self.messages: list[dict[str, Any]] = []
        self.process = subprocess.Popen(
            command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        threading.Thread(target=self._listen, daemon=True).start()
        started = {"processId": None, "rootUri": folder.as_uri(), "capabilities": capabilities or {}}
        self.ask("initialize", started)
        self.notify("initialized", {})

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                pipe.close()

    def send(self, body: bytes) -> None:
        """A message with this body, whatever it is."""
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def notify(self, method: str, params: Any) -> None:
        self.send(json.dumps({"jsonrpc": "2.0", "method": method, "params": params}).encode())

    def request(self, method: str, params: Any) -> int:
        """Asks without waiting; returns the number of the request."""
        self._number += 1
        self.send(
            json.dumps({"jsonrpc": "2.0", "id": self._number, "method": method, "params": params}).encode()
        )
        return self._number

    def respond(self, number: Any, result: Any) -> None:
        """The answer to a request of the server."""
        self.send(json.dumps({"jsonrpc": "2.0", "id": number, "result": result}).encode())

    def ask(self, method: str, params: Any) -> dict[str, Any]:
        """The whole answer to a request."""
        return self.answer(self.request(method, params))

    def answer(self, number: int) -> dict[str, Any]:
        return self.wait(lambda message: message.get("id") == number and "method" not in message)

    def open(self, name: str, text: str, version: int = 1) -> str:
        uri = (self.folder / name).as_uri()
        item = {"uri": uri, "languageId": "python", "version": version, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": item})
        return uri

    def change(self, uri: str, version: int, *changes: Any) -> None:
        self.notify(
            "textDocument/didChange",
            {"textDocument": {"uri": uri, "version": version}, "contentChanges": changes},
        )

    def codes(self, uri: str, version: int) -> list[str]:
        """The codes of the diagnostics that are published for a version of a document."""

        def wanted(message: dict[str, Any]) -> bool:
            params = message.get("params") or {}
            return message.get("method") == "textDocument/publishDiagnostics" and (
                (params["uri"], params.get("version")) == (uri, version)
            )

        return [one["code"] for one in self.wait(wanted)["params"]["diagnostics"]]

    def wait(self, wanted: Any) -> dict[str, Any]:
        """The first message from now on that is wanted."""
        end = time.monotonic() + SECONDS
        while True:
            try:
                message = self._said.get(timeout=max(end - time.monotonic(), 0))
            except Empty:
                raise TimeoutError("the server does not say it") from None
            self.messages.append(message)
            if wanted(message):
                return message

    def _listen(self) -> None:
        assert self.process.stdout is not None
        while True:
            length = 0
            while (line := self.process.stdout.readline()).strip():
                if line.lower().startswith(b"content-length:"):
                    length = int(line.split(b":")[1])
            if not length:
                return
            self._said.put(json.loads(self.process.stdout.read(length)))
