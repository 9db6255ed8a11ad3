"""The language server: it keeps track of what is open, and has every file decided elsewhere.

Nothing is proved and no file is run in this process, so the editor always gets its answer at once.
What is decided comes in unit by unit; an edit ends the work on a file.
"""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer
from pygls.uris import from_fs_path, to_fs_path

import symcute
from symcute.editor.jobs import Job, Limits
from symcute.editor.remarks import NOTHING, Fix, Remark, marks_theorems
from symcute.frontends import searched
from symcute.kernel.launch.settings import NAME, PROJECT

__all__ = ["serve_editor"]

#: Seconds without an edit after which a theorem file is decided anew.
PAUSE_S = 0.4
#: Files at work at the same time.
AT_ONCE = 2


class Editor:
    """The files that are open, the work on each, and what is shown."""

    def __init__(self, server: LanguageServer) -> None:
        self.server = server
        self.limits = Limits()
        self.theorems = True
        self._jobs: dict[str, Job] = {}
        self._waiting: dict[str, asyncio.TimerHandle] = {}
        self._shown: dict[str, set[str]] = {}
        self._threads = ThreadPoolExecutor(AT_ONCE)

    def initialized(self, params: lsp.InitializeParams) -> None:
        """Take the options that the editor gives."""
        options = params.initialization_options
        options = options if isinstance(options, dict) else {}
        seconds = [options.get(k) for k in ("seconds", "limit")]
        unit, file = (x if isinstance(x, int | float) and 0 < x <= 3600 else None for x in seconds)
        self.limits = Limits(unit or self.limits.unit, file or self.limits.file)
        self.theorems = options.get("theorems", True) is not False

    async def opened(self, params: lsp.DidOpenTextDocumentParams) -> None:
        """Decide what was opened."""
        self._start(params.text_document.uri, 0)

    async def changed(self, params: lsp.DidChangeTextDocumentParams) -> None:
        """End the work on what was edited; a theorem file is decided when no more edits come."""
        uri = params.text_document.uri
        self._cancel(uri)
        if Path(to_fs_path(uri) or "").suffix == ".py":
            self._start(uri, PAUSE_S)

    async def saved(self, params: lsp.DidSaveTextDocumentParams) -> None:
        """Decide what was saved."""
        self._start(params.text_document.uri, 0)

    async def closed(self, params: lsp.DidCloseTextDocumentParams) -> None:
        """End the work on what was closed, and show nothing more of it."""
        uri = params.text_document.uri
        self._cancel(uri)
        self._jobs.pop(uri, None)
        for shown in self._shown.pop(uri, set()):
            self._publish(shown)

    def close(self) -> None:
        """End all work."""
        for uri in [*self._jobs, *self._waiting]:
            self._cancel(uri)
        self._threads.shutdown(wait=False, cancel_futures=True)

    def hover(self, params: lsp.HoverParams) -> list[str]:
        """Return what there is to know of a place, as Markdown."""
        uri = params.text_document.uri
        document = self.server.workspace.get_text_document(uri)
        codec = document.position_codec
        at = codec.position_from_client_units(document.lines, params.position)
        here = [r for r in self._remarks(uri) if r.line == at.line]
        exact = [r for r in here if r.start <= at.character <= r.end]
        return list(dict.fromkeys(r.more or r.text for r in exact or here))

    def actions(self, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        """Return the changes that mend what is shown in a range."""
        uri = params.text_document.uri
        document = self.server.workspace.get_text_document(uri)
        job = self._jobs.get(uri)
        if job is None or job.version is None or job.version != document.version:
            return []  # places have moved since
        low, high = params.range.start.line, params.range.end.line
        found = [r for r in self._remarks(uri) if low <= r.line <= high]
        return [self._action(uri, r, fix) for r in found for fix in r.fixes]

    def _action(self, uri: str, remark: Remark, fix: Fix) -> lsp.CodeAction:
        document = self.server.workspace.get_text_document(uri)
        span = self._range(uri, fix.edit.start, fix.edit.end)
        change = lsp.TextDocumentEdit(
            lsp.OptionalVersionedTextDocumentIdentifier(uri=uri, version=document.version),
            [lsp.TextEdit(span, fix.edit.text)],
        )
        return lsp.CodeAction(
            title=fix.title,
            kind=lsp.CodeActionKind.QuickFix,
            diagnostics=[self._diagnostic(uri, remark)],
            edit=lsp.WorkspaceEdit(document_changes=[change]),
        )

    # --- the work ---------------------------------------------------------------------------

    def _start(self, uri: str, pause: float) -> None:
        self._cancel(uri)
        path = to_fs_path(uri)
        if path is None:
            return
        loop = asyncio.get_running_loop()
        self._waiting[uri] = loop.call_later(pause, self._begin, uri, Path(path), loop)

    def _begin(self, uri: str, path: Path, loop: asyncio.AbstractEventLoop) -> None:
        self._waiting.pop(uri, None)
        document = self.server.workspace.get_text_document(uri)
        text, version = document.source, document.version
        if path.suffix == ".py":
            if not (self.theorems and marks_theorems(text)):
                self._jobs.pop(uri, None)
                self._publish(uri)
                return
        elif not (path.suffix in searched() or path.name in (NAME, PROJECT)):
            return
        elif _on_disk(path) != text:
            version = None  # what is decided is not what the editor has
        job = Job(path, self._root(path), text, version, self.limits)
        quiet = bool(self._shown.get(uri))  # what was shown stays until all is known

        def tell(remarks: list[Remark], done: bool) -> None:
            loop.call_soon_threadsafe(self._told, uri, job, quiet, remarks, done)

        self._jobs[uri] = job
        self._threads.submit(job.run, tell).add_done_callback(partial(_failed, self.server, loop))

    def _cancel(self, uri: str) -> None:
        if waiting := self._waiting.pop(uri, None):
            waiting.cancel()
        if job := self._jobs.get(uri):
            job.cancel()

    def _told(self, uri: str, job: Job, quiet: bool, remarks: list[Remark], done: bool) -> None:
        """Take what a job tells, unless another one has taken its place."""
        if self._jobs.get(uri) is not job:
            return
        job.remarks += remarks
        job.done = done
        if quiet and not done:
            return
        before = self._shown.get(uri, set())
        self._shown[uri] = {uri, *(_uri(r.file) for r in job.remarks if r.file)}
        for shown in before | self._shown[uri]:
            self._publish(shown)

    def _root(self, path: Path) -> Path:
        folders = [Path(to_fs_path(f.uri) or "") for f in self.server.workspace.folders.values()]
        if (root := self.server.workspace.root_path) is not None:
            folders.append(Path(root))
        above = [f for f in folders if path.is_relative_to(f)]
        return max(above, key=lambda f: len(f.parts), default=path.parent)

    # --- what is shown ------------------------------------------------------------------------

    def _remarks(self, uri: str) -> list[Remark]:
        """Return what is to be said of a file: by its own job, else by those of other files."""
        if uri in self._jobs:
            return [r for r in self._jobs[uri].remarks if not r.file or _uri(r.file) == uri]
        every = (r for job in self._jobs.values() for r in job.remarks if r.file)
        return [r for r in every if _uri(r.file) == uri]

    def _publish(self, uri: str) -> None:
        found = [self._diagnostic(uri, r) for r in self._remarks(uri) if r.severity != NOTHING]
        self.server.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, found))

    def _diagnostic(self, uri: str, r: Remark) -> lsp.Diagnostic:
        span = self._range(uri, (r.line, r.start), (r.line, r.end))
        return lsp.Diagnostic(
            span, r.text, severity=lsp.DiagnosticSeverity(r.severity), source="symcute"
        )

    def _range(self, uri: str, start: tuple[int, int], end: tuple[int, int]) -> lsp.Range:
        document = self.server.workspace.get_text_document(uri)
        span = lsp.Range(lsp.Position(*start), lsp.Position(*end))
        return document.position_codec.range_to_client_units(document.lines, span)


def serve_editor() -> None:
    """Serve an editor on standard input and output until it leaves."""
    server = LanguageServer("symcute", symcute.__version__)
    editor = Editor(server)
    for name, take in _features(editor):
        server.feature(name)(partial(take))  # what it is given it marks: no method takes that
    try:
        server.start_io()
    finally:
        editor.close()


def _features(editor: Editor) -> Iterator[tuple[str, Any]]:
    yield lsp.INITIALIZE, editor.initialized
    yield lsp.TEXT_DOCUMENT_DID_OPEN, editor.opened
    yield lsp.TEXT_DOCUMENT_DID_CHANGE, editor.changed
    yield lsp.TEXT_DOCUMENT_DID_SAVE, editor.saved
    yield lsp.TEXT_DOCUMENT_DID_CLOSE, editor.closed

    async def hover(params: lsp.HoverParams) -> lsp.Hover | None:
        found = editor.hover(params)
        document = editor.server.workspace.get_text_document(params.text_document.uri)
        if document.uri.endswith(".py"):
            word = document.word_at_position(params.position)
            found += await asyncio.to_thread(contract, word)
        if not found:
            return None
        return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, "\n\n---\n\n".join(found)))

    yield lsp.TEXT_DOCUMENT_HOVER, hover
    yield lsp.TEXT_DOCUMENT_CODE_ACTION, editor.actions

    def leave(_: Any) -> None:
        editor.close()

    yield lsp.SHUTDOWN, leave


@lru_cache(maxsize=256)
def contract(word: str) -> list[str]:
    """Return the docstring of a public name: its conditions, its errors, an example.

    >>> contract("composition")[0].splitlines()[1][:12], contract("sys")
    ('composition(', [])
    """
    if word not in symcute.__all__:
        return []
    value = getattr(symcute, word)
    doc = inspect.getdoc(value)
    if not doc or not callable(value):
        return []
    try:
        head = f"{word}{inspect.signature(value)}"
    except (TypeError, ValueError):
        head = word
    return [f"```python\n{head}\n```\n\n```text\n{doc}\n```"]


def _uri(file: str) -> str:
    return str(from_fs_path(file))


def _on_disk(path: Path) -> str | None:
    try:
        return path.read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError):
        return None


def _failed(server: LanguageServer, loop: asyncio.AbstractEventLoop, job: Future[None]) -> None:
    """Tell the editor of a fault of ours, and go on."""
    if job.cancelled() or (error := job.exception()) is None:
        return
    message = f"internal error: {type(error).__name__}: {error}; please report it"
    params = lsp.LogMessageParams(lsp.MessageType.Error, message)
    loop.call_soon_threadsafe(server.window_log_message, params)
