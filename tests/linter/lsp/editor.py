"""An editor for tests: it speaks with a real server in a process of its own, by pytest-lsp."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.protocol import default_converter
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities
from pytest_lsp.client import DEFAULT_CLIENT_FEATURES, register_lsp_features

COMMAND = [sys.executable, "-m", "tracetrap.linter", "server"]
SECONDS = 30.0


class Editor:
    """Documents that are typed into, and what the server says of them."""

    def __init__(self, client: LanguageClient, folder: Path) -> None:
        self.client = client
        self.folder = folder
        self.published: list[types.PublishDiagnosticsParams] = []
        self.versions: dict[str, int] = {}

    def uri(self, name: str) -> str:
        return (self.folder / name).as_uri()

    def open(self, name: str, text: str) -> str:
        """Opens a document; returns its URI."""
        uri = self.uri(name)
        self.versions[uri] = 1
        item = types.TextDocumentItem(uri, types.LanguageKind.Python, 1, text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        return uri

    def change(self, uri: str, *changes: types.TextDocumentContentChangeEvent) -> None:
        """Sends edits as one message."""
        self.versions[uri] = self.versions.get(uri, 0) + 1
        document = types.VersionedTextDocumentIdentifier(self.versions[uri], uri)
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(document, list(changes)))

    def replace(self, uri: str, text: str) -> None:
        """Sends a whole new text."""
        self.change(uri, types.TextDocumentContentChangeWholeDocument(text))

    async def diagnostics(self, uri: str) -> Sequence[types.Diagnostic]:
        """What the server publishes for the text that was sent last."""
        version = self.versions[uri]
        for _ in range(int(SECONDS / 0.005)):
            for params in reversed(self.published):
                if params.uri == uri and params.version == version:
                    return params.diagnostics
            await asyncio.sleep(0.005)
        raise TimeoutError(f"no diagnostics for version {version} of {uri}")

    async def actions(
        self, uri: str, range_: types.Range, only: list[types.CodeActionKind | str] | None = None
    ) -> list[types.CodeAction]:
        """The code actions for a selection."""
        context = types.CodeActionContext(diagnostics=[], only=only)
        document = types.TextDocumentIdentifier(uri)
        params = types.CodeActionParams(document, range_, context)
        found = await self.client.text_document_code_action_async(params)
        return list(found or [])  # type: ignore[arg-type]


@asynccontextmanager
async def editor(
    folder: Path,
    options: Any = None,
    *,
    client_name: str = "neovim",
    pulls: bool = False,
    encodings: list[types.PositionEncodingKind | str] | None = None,
    roots: Sequence[Path] = (),
) -> AsyncIterator[Editor]:
    """An editor whose server is started, and ended afterwards; `pulls`: it asks for diagnostics instead of taking them."""
    client = LanguageClient(converter_factory=default_converter)
    session = Editor(client, folder)

    def published(params: types.PublishDiagnosticsParams) -> None:
        session.published.append(params)

    features = {**DEFAULT_CLIENT_FEATURES, types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS: published}
    register_lsp_features(client, features)
    await ClientServerConfig(server_command=COMMAND, client_factory=lambda: client).start()
    capabilities = client_capabilities(client_name)
    assert capabilities.text_document is not None
    capabilities.text_document.diagnostic = types.DiagnosticClientCapabilities() if pulls else None
    if encodings is not None:
        capabilities.general = types.GeneralClientCapabilities(position_encodings=encodings)
    folders = [types.WorkspaceFolder(root.as_uri(), root.name) for root in roots or [folder]]
    await client.initialize_session(
        types.InitializeParams(
            capabilities=capabilities, workspace_folders=folders, initialization_options=options
        )
    )
    try:
        yield session
    finally:
        await client.shutdown_session()
        await client.stop()
