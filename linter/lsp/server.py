"""The language server: which message leads to what.  All work is done elsewhere, and what is slow beside the event loop."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Coroutine, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from .. import __version__
from ..edits.apply import applicable
from ..files.source import SourceFile
from ..settings.config import Settings, SettingsError
from ..settings.files import NAMES, SettingsFinder
from .actions import FIX_ALL, KINDS, VERIFY, ActionMaker, all_fixed
from .checking import DEBOUNCE, Checked, Checker
from .diagnostics import diagnostic
from .documents import Document, Documents
from .hover import hover
from .marks import LEGEND, inlay_hints, semantic_tokens
from .notebooks import Notebook
from .options import SECTION, Options, read_options
from .parts import Part, WholeFile
from .positions import Positions
from .protocol import Protocol
from .verification import Verification
from .worker import Worker

_NOTEBOOKS = types.NotebookDocumentSyncOptions(
    [types.NotebookDocumentFilterWithNotebook("*", [types.NotebookCellLanguage("python")])]
)

log = logging.getLogger(__name__)


class Server(LanguageServer):
    """One client's server."""

    def __init__(self) -> None:
        super().__init__("tracetrap", __version__, protocol_cls=Protocol, notebook_document_sync=_NOTEBOOKS)
        self.options = Options()
        self.finder = SettingsFinder()
        self.positions = Positions()
        self.documents = Documents()
        self.notebooks: dict[str, Notebook] = {}
        self.checker = Checker(self.documents, self.settings_for)
        self.fixer = Worker()
        self.verification = Verification()
        self._pushing: set[asyncio.Task[None]] = set()
        self._complaints: set[str] = set()
        self._register()

    def _register(self) -> None:
        def on(method: str, handler: Callable[..., Any], options: Any = None) -> None:
            self.feature(method, options)(partial(handler))  # pygls notes the name on what it registers

        on(types.INITIALIZE, self.on_initialize)
        on(types.INITIALIZED, self.on_initialized)
        on(types.TEXT_DOCUMENT_DID_OPEN, self.on_open)
        on(types.TEXT_DOCUMENT_DID_CHANGE, self.on_change)
        on(types.TEXT_DOCUMENT_DID_CLOSE, self.on_close)
        on(types.TEXT_DOCUMENT_DID_SAVE, self.on_save)
        on(types.NOTEBOOK_DOCUMENT_DID_OPEN, self.on_notebook_open)
        on(types.NOTEBOOK_DOCUMENT_DID_CHANGE, self.on_notebook_change)
        on(types.NOTEBOOK_DOCUMENT_DID_CLOSE, self.on_notebook_close)
        on(types.WORKSPACE_DID_CHANGE_CONFIGURATION, self.on_configuration)
        on(types.WORKSPACE_DID_CHANGE_WATCHED_FILES, self.on_watched)
        on(
            types.TEXT_DOCUMENT_DIAGNOSTIC,
            self.on_diagnostic,
            types.DiagnosticOptions(
                identifier="tracetrap", inter_file_dependencies=True, workspace_diagnostics=False
            ),
        )
        on(
            types.TEXT_DOCUMENT_CODE_ACTION,
            self.on_code_action,
            types.CodeActionOptions(KINDS, resolve_provider=True),
        )
        on(types.CODE_ACTION_RESOLVE, self.on_resolve)
        on(types.TEXT_DOCUMENT_HOVER, self.on_hover)
        on(types.TEXT_DOCUMENT_INLAY_HINT, self.on_inlay_hint)
        on(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, self.on_semantic_tokens, LEGEND)
        self.command(VERIFY)(partial(self.on_verify))

    # --- beginning, settings -----------------------------------------------------------------------------------

    def on_initialize(self, params: types.InitializeParams) -> None:
        """The client says who it is and what it wants."""
        self.positions = Positions(self.workspace.position_encoding or types.PositionEncodingKind.Utf16)
        self.configure(params.initialization_options)

    async def on_initialized(self, params: types.InitializedParams) -> None:
        """Get ready; ask to be told of files that change outside of the editor, if it can do that."""
        warming = asyncio.ensure_future(self.checker.warm_up())
        watching = _get(self.client_capabilities, "workspace.did_change_watched_files.dynamic_registration")
        if watching:
            patterns = ["**/*.py", *(f"**/{name}" for name in NAMES)]
            watchers = [types.FileSystemWatcher(glob_pattern=pattern) for pattern in patterns]
            registration = types.Registration(
                "tracetrap-files",
                types.WORKSPACE_DID_CHANGE_WATCHED_FILES,
                types.DidChangeWatchedFilesRegistrationOptions(watchers),
            )
            with contextlib.suppress(Exception):  # a client that refuses is asked nothing more
                await self.client_register_capability_async(types.RegistrationParams([registration]))
        await warming

    def configure(self, given: object) -> None:
        """Take the editor's settings; what cannot be used is named, and the rest holds."""
        self.options, problems = read_options(given)
        for problem in problems:
            self.complain(f"tracetrap settings of the editor: {problem}")
        self.read_settings()

    def read_settings(self) -> None:
        """Forget what the project's files said, and look again."""
        try:
            self.finder = SettingsFinder(self.options.configuration, self.options.lint)
        except SettingsError as error:
            self.complain(str(error))
            self.finder = SettingsFinder(None, self.options.lint)

    def settings_for(self, document: Document) -> Settings:
        """The settings that hold for a document; the defaults where a file of settings is broken, which is said once."""
        path = document.path
        try:
            return self.finder.for_file(path) if path is not None else self.finder.for_folder(Path.cwd())
        except SettingsError as error:
            self.complain(str(error))
            return Settings().with_options(**self.options.lint)

    def complain(self, problem: str) -> None:
        """Show the user a problem, once."""
        if problem not in self._complaints:
            self._complaints.add(problem)
            self.window_show_message(types.ShowMessageParams(types.MessageType.Warning, problem))

    def report_server_error(self, error: Exception, source: Any) -> None:
        """What went wrong in us or in a message goes to the client's log; it is no reason to disturb the user."""
        text = f"{type(error).__name__}: {error}"
        self.window_log_message(types.LogMessageParams(types.MessageType.Error, text))

    async def on_configuration(self, params: types.DidChangeConfigurationParams) -> None:
        """The editor's settings have changed; where it sends none it is asked for them."""
        given = params.settings
        if not given and _get(self.client_capabilities, "workspace.configuration"):
            item = types.ConfigurationItem(section=SECTION)
            given = (await self.workspace_configuration_async(types.ConfigurationParams([item])))[0]
        self.configure(given)
        self.check_all_again()

    def on_watched(self, params: types.DidChangeWatchedFilesParams) -> None:
        """Files have changed on disk: settings, or modules that open documents import."""
        self.read_settings()
        self.check_all_again()

    # --- documents ---------------------------------------------------------------------------------------------

    def on_open(self, params: types.DidOpenTextDocumentParams) -> None:
        """A document is open."""
        self.push(self.documents.open(params.text_document))

    def on_change(self, params: types.DidChangeTextDocumentParams) -> None:
        """A document has changed."""
        document = self.documents.get(params.text_document.uri)
        if document is None:
            log.warning("a change of %s, which is not open", params.text_document.uri)
            return
        if params.text_document.version <= document.version:
            log.warning(
                "edits of %s arrive out of order; open it again if its findings seem wrong", document.uri
            )
        document.change(params.content_changes, params.text_document.version, self.positions)
        self.push(document, DEBOUNCE)

    def on_save(self, params: types.DidSaveTextDocumentParams) -> None:
        """A document is on disk: whatever imports it may have other findings now."""
        document = self.documents.get(params.text_document.uri)
        if document is not None:
            others = self.checker.dependents(document)
            for other in others:
                self.checker.outdate(other)
                self.push(other)
            if others:
                self.refresh()

    def on_close(self, params: types.DidCloseTextDocumentParams) -> None:
        """A document is closed: its findings go."""
        document = self.documents.get(params.text_document.uri)
        if document is not None:
            self.documents.close(document.uri)
            self.checker.forget(document)
            if not self.pulled:
                self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(document.uri, []))

    def on_notebook_open(self, params: types.DidOpenNotebookDocumentParams) -> None:
        """A notebook is open."""
        notebook = Notebook(params.notebook_document, params.cell_text_documents)
        self.notebooks[notebook.uri] = notebook
        self.push_notebook(notebook)

    def on_notebook_change(self, params: types.DidChangeNotebookDocumentParams) -> None:
        """A notebook has changed: cells, or the text in them."""
        notebook = self.notebooks.get(params.notebook_document.uri)
        if notebook is None:
            log.warning("a change of %s, which is not open", params.notebook_document.uri)
            return
        gone = notebook.change(params.change, params.notebook_document.version, self.positions)
        self.clear(gone)
        self.push_notebook(notebook, DEBOUNCE)

    def on_notebook_close(self, params: types.DidCloseNotebookDocumentParams) -> None:
        """A notebook is closed: the findings of its cells go."""
        notebook = self.notebooks.pop(params.notebook_document.uri, None)
        if notebook is not None:
            self.checker.forget(notebook.whole)
            self.clear([cell.uri for cell in notebook.cells.values()])

    def clear(self, uris: Iterable[str]) -> None:
        """These documents have no findings any more."""
        if not self.pulled:
            for uri in uris:
                self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))

    def check_all_again(self) -> None:
        """Everything that is open, because something else has changed."""
        for document in self.documents:
            self.checker.outdate(document)
            self.push(document)
        for notebook in self.notebooks.values():
            self.checker.outdate(notebook.whole)
            self.push_notebook(notebook)
        self.refresh()

    def refresh(self) -> None:
        """Have the client ask again for what it asks for itself, if it can do that."""
        if self.pulled and _get(self.client_capabilities, "workspace.diagnostics.refresh_support"):
            self.workspace_diagnostic_refresh(None)
        if _get(self.client_capabilities, "workspace.inlay_hint.refresh_support"):
            self.workspace_inlay_hint_refresh(None)
        if _get(self.client_capabilities, "workspace.semantic_tokens.refresh_support"):
            self.workspace_semantic_tokens_refresh(None)

    def part(self, uri: str) -> Part | None:
        """The file or the cell of this name, if it is open and checked."""
        document = self.documents.get(uri)
        parts = (
            [WholeFile(document)] if document is not None else [n.part(uri) for n in self.notebooks.values()]
        )
        return next((part for part in parts if part is not None and self.wants(part.whole)), None)

    def wants(self, document: Document) -> bool:
        """Whether a document is checked at all."""
        if not self.options.enable or not document.is_python:
            return False
        return document.path is None or not self.settings_for(document).excludes(document.path)

    # --- diagnostics -------------------------------------------------------------------------------------------

    @property
    def pulled(self) -> bool:
        """Whether the client asks for diagnostics itself; it is sent none then, or it would show all twice."""
        return _get(self.client_capabilities, "text_document.diagnostic") is not None

    def push(self, document: Document, quiet: float = 0.0) -> None:
        """Send the client a document's diagnostics as soon as they are known."""
        self._start(self._push(document, quiet))

    def push_notebook(self, notebook: Notebook, quiet: float = 0.0) -> None:
        """Send the client the diagnostics of a notebook's cells as soon as they are known."""
        self._start(self._push_notebook(notebook, quiet))

    def _start(self, pushing: Coroutine[Any, Any, None]) -> None:
        if self.pulled:
            pushing.close()
            return
        task = asyncio.ensure_future(pushing)
        self._pushing.add(task)
        task.add_done_callback(self._pushing.discard)

    async def _push_notebook(self, notebook: Notebook, quiet: float) -> None:
        source = notebook.whole.source
        found = await self._of_cells(notebook, quiet)
        if notebook.whole.source is source and self.notebooks.get(notebook.uri) is notebook:
            for cell in notebook.cells.values():
                self.text_document_publish_diagnostics(
                    types.PublishDiagnosticsParams(cell.uri, found.get(cell.uri, []), cell.version)
                )

    async def _of_cells(self, notebook: Notebook, quiet: float = 0.0) -> dict[str, list[types.Diagnostic]]:
        if not self.wants(notebook.whole):
            return {}
        checked = await self.checker.findings(notebook.whole, quiet=quiet)
        return {part.shown.uri: self._diagnostics(part, checked) for part in notebook.parts()}

    def _diagnostics(self, part: Part, checked: Checked) -> list[types.Diagnostic]:
        files, lines = part.files(self.documents), part.shown.lines
        return [diagnostic(told, lines, self.positions, files) for _, told in part.findings(checked)]

    async def _push(self, document: Document, quiet: float) -> None:
        source = document.source
        found: list[types.Diagnostic] = []
        if self.wants(document):
            checked = await self.checker.findings(document, quiet=quiet)
            found = self._diagnostics(WholeFile(document), checked)
        if document.source is source and self.documents.get(document.uri) is document:
            self.text_document_publish_diagnostics(
                types.PublishDiagnosticsParams(document.uri, found, document.version)
            )

    async def on_diagnostic(self, params: types.DocumentDiagnosticParams) -> types.DocumentDiagnosticReport:
        """The client asks for the diagnostics of a document."""
        part = self.part(params.text_document.uri)
        if part is None:
            return types.RelatedFullDocumentDiagnosticReport([])
        checked = await self.checker.findings(part.whole)
        return types.RelatedFullDocumentDiagnosticReport(self._diagnostics(part, checked))

    # --- actions -----------------------------------------------------------------------------------------------

    async def on_code_action(self, params: types.CodeActionParams) -> list[types.CodeAction]:
        """What can be done about the findings in a selection, and about all of a file."""
        part = self.part(params.text_document.uri)
        if part is None:
            return []
        checked = await self.checker.with_fixes(part.whole)
        maker = self._maker(part, checked)
        only = params.context.only
        actions = list(maker.at(params.range)) if _asked(only, types.CodeActionKind.QuickFix) else []
        if self.options.fix_all and _asked(only, FIX_ALL):
            unsafe = checked.settings.unsafe_fixes
            if any(applicable(finding, unsafe=unsafe) for finding in checked.findings):
                if only is None and self._resolves_edits:
                    data = {"uri": part.shown.uri}
                    actions.append(types.CodeAction("Tracetrap: fix all", kind=FIX_ALL, data=data))
                else:
                    actions.append(maker.fix_all(await self._fixed(checked)))
        return actions

    async def on_resolve(self, action: types.CodeAction) -> types.CodeAction:
        """The edit of an action that was offered without one, because it takes a while to work out."""
        uri = action.data.get("uri") if isinstance(action.data, dict) else None
        part = self.part(uri) if isinstance(uri, str) else None
        if part is None:
            return action
        checked = await self.checker.with_fixes(part.whole)
        return self._maker(part, checked).fix_all(await self._fixed(checked))

    async def _fixed(self, checked: Checked) -> str:
        opened = [
            SourceFile(document.source.text, document.name, document.path) for document in self.documents
        ]
        return await self.fixer.run(lambda: all_fixed(checked, opened))

    @property
    def _resolves_edits(self) -> bool:
        resolvable = _get(self.client_capabilities, "text_document.code_action.resolve_support.properties")
        return "edit" in (resolvable or ())

    def _maker(self, part: Part, checked: Checked) -> ActionMaker:
        versioned = bool(_get(self.client_capabilities, "workspace.workspace_edit.document_changes"))
        return ActionMaker(part, checked, self.positions, self.documents, self.options, versioned)

    async def on_verify(self, uri: str, code: str, row: int, column: int) -> str | None:
        """Trace the code of one finding; the answer is shown, and stands in the diagnostic from then on."""
        document = self.documents.get(uri)
        if document is None:
            return None
        if not self.options.trusted:
            self.complain(
                "tracetrap: verification runs the code, and this workspace is not marked as trusted"
            )
            return None
        checked = await self.checker.findings(document)
        answer, verified = await self.verification.verify(checked, code, row, column)
        if verified is not None:
            self.checker.learn(document, verified)
            self.push(document)
            self.refresh()
        self.window_show_message(types.ShowMessageParams(types.MessageType.Info, answer))
        return answer

    # --- what the analysis knows -------------------------------------------------------------------------------

    async def on_hover(self, params: types.HoverParams) -> types.Hover | None:
        """What the cursor rests on."""
        part = self.part(params.text_document.uri)
        if part is None:
            return None
        checked = await self.checker.findings(part.whole)
        known = await self.checker.observations(part.whole)
        findings = [told for _, told in part.findings(checked)] if checked.source is known.source else []
        place = self.positions.location(part.shown.lines, params.position)
        found = part.at(place, known.observations)
        return hover(part.shown.source, place, findings, found, self.positions, part.files(self.documents))

    async def on_inlay_hint(self, params: types.InlayHintParams) -> list[types.InlayHint]:
        """Binding times behind names."""
        part = self.part(params.text_document.uri)
        if part is None or not self.options.inlay_hints:
            return []
        known = await self.checker.observations(part.whole)
        return list(inlay_hints(known, self.positions, params.range, part.rows))

    async def on_semantic_tokens(self, params: types.SemanticTokensParams) -> types.SemanticTokens:
        """Binding times as modifiers of names."""
        part = self.part(params.text_document.uri)
        if part is None or not self.options.semantic_tokens:
            return types.SemanticTokens([])
        known = await self.checker.observations(part.whole)
        return types.SemanticTokens(semantic_tokens(known, self.positions, part.rows))


def _get(value: object, path: str) -> Any:
    """A capability by its path, None where any part of it is missing."""
    for name in path.split("."):
        value = getattr(value, name, None)
    return value


def _asked(only: Sequence[types.CodeActionKind | str] | None, kind: types.CodeActionKind | str) -> bool:
    """Whether a request for some kinds of actions (a kind stands for those below it too) is one for this kind."""
    if only is None:
        return True
    return any(f"{_value(kind)}.".startswith(f"{_value(wanted)}.") for wanted in only)


def _value(kind: types.CodeActionKind | str) -> str:
    return kind.value if isinstance(kind, types.CodeActionKind) else kind
