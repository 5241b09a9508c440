"""Whatever the client sends, and whatever the machine lacks: a clear message, and the server lives on."""

from __future__ import annotations

from pathlib import Path

import pytest
from pitfall_file import PITFALL
from raw_server import RawServer

CANCELLED = -32800
PULLS = {"textDocument": {"diagnostic": {}}}
SLOW = PITFALL + "".join(
    f"\n\n@jax.jit\ndef f{n}(x):\n    for i in range(20):\n        x = jax.numpy.sin(x) * {n} + jax.numpy.cos(x)\n    return x\n"
    for n in range(150)
)

MALFORMED = [
    b"{no json",
    b"\xff\xfe\x00",
    b"[]",
    b"7",
    b"{}",
    b'{"jsonrpc": "2.0"}',
    b'{"jsonrpc": "2.0", "method": "textDocument/didOpen"}',
    b'{"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument": {"uri": 7}}}',
    b'{"jsonrpc": "2.0", "method": "textDocument/didChange", "params": {"textDocument": 7}}',
    b'{"jsonrpc": "2.0", "method": "no/such/notification", "params": {}}',
    b'{"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": 999}}',
    b'{"jsonrpc": "2.0", "id": 77, "result": null}',
    b'{"jsonrpc": "2.0", "method": "workspace/didChangeConfiguration", "params": {"settings": [1]}}',
]
REQUESTS = [
    ("textDocument/hover", {"position": []}),
    ("textDocument/hover", {"textDocument": {"uri": "file:///gone.py"}, "position": {"line": "x"}}),
    ("no/such/request", {}),
]


def alive(server: RawServer) -> bool:
    """Whether the server still finds what there is to find."""
    return server.codes(server.open("alive.py", PITFALL), 1) == ["TRC101"]


def test_a_malformed_message_changes_nothing(folder: Path) -> None:
    with RawServer(folder) as server:
        for body in MALFORMED:
            server.send(body)
            assert alive(server), body


def test_a_malformed_request_is_answered_with_an_error(folder: Path) -> None:
    with RawServer(folder) as server:
        for method, params in REQUESTS:
            assert server.ask(method, params)["error"]["message"]
            assert alive(server), method


def test_odd_documents_and_places_are_no_hindrance(folder: Path) -> None:
    with RawServer(folder) as server:
        for uri in (
            "untitled:Untitled-1",
            "file:///no/such/folder/x.py",
            "http://example.org/x.py",
            "no uri",
            "",
        ):
            item = {"uri": uri, "languageId": "python", "version": 1, "text": PITFALL}
            server.notify("textDocument/didOpen", {"textDocument": item})
            assert server.codes(uri, 1) == ["TRC101"]
            far = {"textDocument": {"uri": uri}, "position": {"line": 10**6, "character": 10**6}}
            assert "error" not in server.ask("textDocument/hover", far)


def test_edits_out_of_order_are_applied_as_they_come_and_a_whole_text_heals_them(folder: Path) -> None:
    with RawServer(folder) as server:
        uri = server.open("model.py", PITFALL, version=5)
        assert server.codes(uri, 5) == ["TRC101"]
        place = {"line": 900, "character": 3}
        back = {"range": {"start": place, "end": {"line": 0, "character": 0}}, "text": "x = ("}
        server.change(uri, 3, back, {"range": {"start": place, "end": place}, "text": "?"})
        assert server.codes(uri, 3) == ["TRC900"]

        server.change(uri, 6, {"text": PITFALL})
        assert server.codes(uri, 6) == ["TRC101"]


def test_a_request_that_is_cancelled_is_answered_at_once_and_its_work_given_up(folder: Path) -> None:
    with RawServer(folder, PULLS) as server:
        uri = server.open("slow.py", SLOW)
        asked = {"textDocument": {"uri": uri}}
        number = server.request("textDocument/diagnostic", asked)
        server.notify("$/cancelRequest", {"id": number})
        assert server.answer(number)["error"]["code"] == CANCELLED

        found = server.ask("textDocument/diagnostic", asked)["result"]["items"]
        assert [one["code"] for one in found] == ["TRC101"]


def test_of_two_requests_one_may_be_cancelled(folder: Path) -> None:
    with RawServer(folder, PULLS) as server:
        asked = {"textDocument": {"uri": server.open("slow.py", SLOW)}}
        first, second = (server.request("textDocument/diagnostic", asked) for _ in range(2))
        server.notify("$/cancelRequest", {"id": first})

        assert server.answer(first)["error"]["code"] == CANCELLED
        assert [one["code"] for one in server.answer(second)["result"]["items"]] == ["TRC101"]


def test_a_document_of_10_mb_is_checked_and_edited(folder: Path) -> None:
    text = PITFALL + "DATA = '''\n" + ("0.123456789 " * 80 + "\n") * 11_000 + "'''\n"
    assert len(text) > 10 * 2**20
    with RawServer(folder) as server:
        uri = server.open("large.py", text)
        assert server.codes(uri, 1) == ["TRC101"]
        start = {"line": 0, "character": 0}
        server.change(uri, 2, {"range": {"start": start, "end": start}, "text": "\n"})
        assert server.codes(uri, 2) == ["TRC101"]


def test_two_servers_share_a_folder_and_a_cache(folder: Path) -> None:
    with RawServer(folder) as one, RawServer(folder) as other:
        first, second = one.open("model.py", PITFALL), other.open("model.py", PITFALL)

        assert one.codes(first, 1) == other.codes(second, 1) == ["TRC101"]
        other.change(second, 2, {"text": "x = 1\n"})
        assert other.codes(second, 2) == []
        assert alive(one)


def test_a_cache_that_cannot_be_written_is_no_hindrance(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "occupied").write_text("")
    monkeypatch.setenv("TRACETRAP_CACHE_DIR", str(folder / "occupied" / "cache"))

    with RawServer(folder) as server:
        assert alive(server)


def test_broken_settings_are_named_and_the_rest_holds(folder: Path) -> None:
    (folder / "setup.cfg").write_text("[tracetrap]\nselct = TRC1\n")
    with RawServer(folder) as server:
        assert alive(server)
        shown = [m["params"]["message"] for m in server.messages if m.get("method") == "window/showMessage"]
        assert [text.count("'selct'; did you mean 'select'?") for text in shown] == [1]

        (folder / "setup.cfg").write_text("[tracetrap]\nignore = TRC1\n")
        change = {"uri": (folder / "setup.cfg").as_uri(), "type": 2}
        server.notify("workspace/didChangeWatchedFiles", {"changes": [change]})
        assert server.codes((folder / "alive.py").as_uri(), 1) == []


def test_a_client_that_is_gone_ends_the_server(folder: Path) -> None:
    with RawServer(folder) as server:
        server.open("slow.py", SLOW)
        assert server.process.stdin is not None
        server.process.stdin.write(b"Content-Length: 5000\r\n\r\n{")
        server.process.stdin.close()

        assert server.process.wait(60) is not None
