"""Bytes that are no messages: the server tells of them and lives on."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path


def framed(body: bytes) -> bytes:
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


def test_malformed_messages_are_answered_and_the_server_lives_on(folder: Path) -> None:
    initialize = {"processId": None, "rootUri": None, "capabilities": {}}
    messages = [
        b"{no json",
        b'{"jsonrpc": "2.0", "method": "textDocument/didChange", "params": {"textDocument": 7}}',
        b'{"jsonrpc": "2.0", "id": 5, "method": "textDocument/hover", "params": {"position": []}}',
        b'{"jsonrpc": "2.0", "method": "no/such/notification", "params": {}}',
        json.dumps({"jsonrpc": "2.0", "id": 6, "method": "initialize", "params": initialize}).encode(),
    ]
    command = [sys.executable, "-m", "tracetrap.linter", "server"]
    data = b"".join(map(framed, messages))

    ran = subprocess.run(command, input=data, capture_output=True, timeout=120, check=False)

    assert b'"id": 5, "error"' in ran.stdout or b'"error": {' in ran.stdout
    assert b'"id": 6' in ran.stdout
    assert b'"inlayHintProvider"' in ran.stdout
