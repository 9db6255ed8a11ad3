"""`symcute lsp`, spoken to by a real client over standard input and output."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types as lsp
from pygls.lsp.client import LanguageClient

#: Seconds within which an answer must be there; ten times what it takes on an idle machine.
WAIT_S = 60.0
THEOREMS = '''"""Tiles."""

from symcute import theorem


@theorem()
def rows():
    """Rows of é `(M,N):(LD,1)` do not meet."""
    return "injective((M,N):(LD,1))"


@theorem(given=["M >= 2"])
def columns():
    """Columns do not meet."""
    return "injective((M,N):(1,LD))"


@theorem()
def whole():
    """A compact layout is onto."""
    return "bijective((M,N):(1,M))"


@theorem(expect="refuted")
def known():
    """Known to be wrong."""
    return "injective((M,N):(1,1))"
'''
KERNEL = """// symcute: launch grid=(ceil_div(N,256)) block=(256)
// symcute: arg n = N
// symcute: extent x = N
__global__ void fill(int n, float *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n) x[i] = 0;
}
"""


class Session:
    """A client, the server it talks to, and what the server published."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.client = LanguageClient("test", "1")
        self.published: dict[str, list[lsp.Diagnostic]] = {}
        self.messages: list[str] = []
        self.news = asyncio.Event()
        self.client.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(partial(self._take))
        self.client.feature(lsp.WINDOW_LOG_MESSAGE)(lambda p: self.messages.append(p.message))

    def _take(self, params: lsp.PublishDiagnosticsParams) -> None:
        self.published[params.uri] = list(params.diagnostics)
        self.news.set()

    async def begin(self, **options: Any) -> None:
        await self.client.start_io(sys.executable, "-m", "symcute", "lsp")
        await self.client.initialize_async(
            lsp.InitializeParams(
                capabilities=lsp.ClientCapabilities(),
                root_uri=self.root.as_uri(),
                initialization_options=options or None,
            )
        )
        self.client.initialized(lsp.InitializedParams())

    async def end(self) -> None:
        await asyncio.wait_for(self.client.shutdown_async(None), WAIT_S)
        self.client.exit(None)
        await asyncio.wait_for(self.client.stop(), WAIT_S)
        assert not [m for m in self.messages if "internal error" in m], self.messages

    def open(self, name: str, text: str, on_disk: bool = True) -> str:
        path = self.root / name
        path.parent.mkdir(exist_ok=True, parents=True)
        if on_disk:
            path.write_text(text, encoding="utf-8")
        item = lsp.TextDocumentItem(path.as_uri(), "x", 1, text)
        self.client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))
        return path.as_uri()

    def change(self, uri: str, version: int, text: str) -> None:
        document = lsp.VersionedTextDocumentIdentifier(version, uri)
        whole = lsp.TextDocumentContentChangeWholeDocument(text)
        self.client.text_document_did_change(lsp.DidChangeTextDocumentParams(document, [whole]))

    def save(self, uri: str) -> None:
        document = lsp.TextDocumentIdentifier(uri)
        self.client.text_document_did_save(lsp.DidSaveTextDocumentParams(document))

    async def until(self, uri: str, right: Callable[[list[lsp.Diagnostic]], bool]) -> list[Any]:
        """Return the diagnostics of a file as soon as they are right."""
        end = time.monotonic() + WAIT_S
        while not (uri in self.published and right(self.published[uri])):
            self.news.clear()
            left = end - time.monotonic()
            assert left > 0, (self.published, self.messages)
            await asyncio.wait_for(self.news.wait(), left)
        return self.published[uri]

    async def hover(self, uri: str, line: int, column: int) -> str:
        where = lsp.HoverParams(lsp.TextDocumentIdentifier(uri), lsp.Position(line, column))
        found = await asyncio.wait_for(self.client.text_document_hover_async(where), WAIT_S)
        return found.contents.value if found is not None else ""

    async def told(self, uri: str, line: int, column: int, words: str) -> str:
        """Return what is shown of a place as soon as it has the words."""
        end = time.monotonic() + WAIT_S
        while words not in (found := await self.hover(uri, line, column)):
            assert time.monotonic() < end, found
            await asyncio.sleep(0.05)
        return found

    async def actions(self, uri: str, at: lsp.Range) -> list[Any]:
        context = lsp.CodeActionContext([])
        params = lsp.CodeActionParams(lsp.TextDocumentIdentifier(uri), at, context)
        return list(
            await asyncio.wait_for(self.client.text_document_code_action_async(params), WAIT_S)
            or []
        )


def spoken(root: Path, talk: Callable[[Session], Awaitable[None]], **options: Any) -> None:
    """Hold a session with a server of its own."""

    async def held() -> None:
        session = Session(root)
        await session.begin(**options)
        try:
            await talk(session)
        finally:
            await session.end()

    asyncio.run(asyncio.wait_for(held(), 4 * WAIT_S))


def applied(text: str, action: lsp.CodeAction) -> str:
    """Return a text after a change, where its lines have no characters outside of the BMP."""
    (change,) = action.edit.document_changes
    (edit,) = change.edits
    lines = text.split("\n")
    starts = [sum(len(x) + 1 for x in lines[:k]) for k in range(len(lines) + 1)]
    low, high = (starts[p.line] + p.character for p in (edit.range.start, edit.range.end))
    return text[:low] + edit.new_text + text[high:]


def numbered(count: int) -> Callable[[list[lsp.Diagnostic]], bool]:
    return lambda found: len(found) == count


def test_a_theorem_file_is_mended_by_its_quick_fixes(tmp_path: Path) -> None:
    async def talk(session: Session) -> None:
        uri = session.open("tiles.py", THEOREMS)
        rows, columns = await session.until(uri, numbered(2))
        assert rows.range == lsp.Range(lsp.Position(6, 4), lsp.Position(6, 8))
        assert rows.severity == lsp.DiagnosticSeverity.Error
        assert rows.message.startswith("refuted, expected proved: LD=1, M=2, N=2: L(1,0) = L(0,1)")
        assert rows.message.endswith("holds if LD >= N")
        assert columns.range.start == lsp.Position(12, 4)
        told = await session.hover(uri, 6, 5)
        assert "counterexample `LD=1, M=2, N=2: " in told and "holds if `LD >= N`" in told
        await session.told(uri, 18, 5, "**proved** A compact layout is onto.")
        await session.told(uri, 24, 4, "**refuted** Known to be wrong.")
        text = THEOREMS
        for version, diagnostic in enumerate((columns, rows), 2):
            (action,) = await session.actions(uri, diagnostic.range)
            assert action.kind == lsp.CodeActionKind.QuickFix
            text = applied(text, action)
            session.change(uri, version, text)
            await session.until(uri, numbered(3 - version))
        assert '@theorem(given=["LD >= N"])\ndef rows' in text
        assert '@theorem(given=["M >= 2", "LD >= M"])\ndef columns' in text

    spoken(tmp_path, talk)


def test_a_kernel_its_notes_and_its_fix(tmp_path: Path) -> None:
    async def talk(session: Session) -> None:
        uri = session.open("k.cu", KERNEL)
        (bad,) = await session.until(uri, numbered(1))
        assert bad.range.start == lsp.Position(5, KERNEL.split("\n")[5].index("x[i]"))
        assert bad.message.startswith("in_bounds refuted: write to x: ")
        told = await session.hover(uri, 5, bad.range.start.character)
        assert "counterexample `N=1, block 0 thread 1: " in told
        assert "`launch grid=(ceil_div(N,256)) block=(256)`" in told and "`extent x = N`" in told
        await session.told(uri, 3, 17, "- proved `aligned`")
        # Nothing happens on an edit; when it is saved the file is read again.
        good = KERNEL.replace("i <= n", "i < n")
        session.change(uri, 2, good)
        (session.root / "k.cu").write_text(good)
        session.save(uri)
        await session.until(uri, numbered(0))
        # A note that cannot be read is marked where it stands.
        wrong = good.replace("(ceil_div(N,256))", "(ceil_div(N,,256))")
        session.change(uri, 3, wrong)
        (session.root / "k.cu").write_text(wrong)
        session.save(uri)
        (bad,) = await session.until(uri, numbered(1))
        assert bad.range.start == lsp.Position(0, wrong.index(",,") + 1)
        assert "found ','" in bad.message

    spoken(tmp_path, talk)


@pytest.mark.full
def test_what_a_kernel_needs_is_written_above_it(tmp_path: Path) -> None:
    source = (
        "int before;\n\n"
        "// symcute: launch grid=(P) block=(256)\n"
        "// symcute: extent x = P*256\n"
        "// symcute: assume P <= 2**31 - 1\n"
        "__global__ void\n"
        "tile(float *x) {\n"
        "  x[blockIdx.x * 256 + threadIdx.x] = 1;\n"
        "}\n"
    )

    async def talk(session: Session) -> None:
        uri = session.open("t.cu", source)
        found = await session.until(uri, lambda x: any("holds if" in d.message for d in x))
        bad = next(d for d in found if "holds if" in d.message)
        action = next(iter(await session.actions(uri, bad.range)))
        assert bad.message.endswith("holds if P <= 16777216")
        text = applied(source, action)
        assert "// symcute: assume P <= 16777216\n__global__ void\ntile" in text
        session.change(uri, 2, text)
        (session.root / "t.cu").write_text(text)
        session.save(uri)
        await session.until(uri, numbered(0))

    spoken(tmp_path, talk, seconds=WAIT_S, limit=2 * WAIT_S)


@pytest.mark.full
def test_settings_of_a_folder(tmp_path: Path) -> None:
    settings = (
        'given = ["n <= 2**20"]\n\n[kernel.fill]\nlaunch = "grid=(ceil_div(n,256) block=256"\n'
    )

    async def talk(session: Session) -> None:
        plain = "\n".join(KERNEL.split("\n")[3:])
        (session.root / "k.cu").write_text(plain)
        uri = session.open("symcute.toml", settings.replace("kernel.fill", "kernel.gone"))
        found = await session.until(uri, lambda x: any("no kernel gone" in d.message for d in x))
        (bad,) = (d for d in found if "no kernel gone" in d.message)
        assert bad.range == lsp.Range(lsp.Position(2, 8), lsp.Position(2, 12))
        for version, (wrong, line, words) in enumerate(
            (
                (settings.replace("launch", "lunch"), 3, "unknown key kernel.fill.lunch"),
                (settings.replace("[kernel", "[[[kernel"), 2, "cannot read"),
            ),
            2,
        ):
            session.change(uri, version, wrong)
            (session.root / "symcute.toml").write_text(wrong)
            session.save(uri)
            (bad,) = await session.until(uri, lambda x, w=words: len(x) == 1 and w in x[0].message)
            assert bad.range.start.line == line
        (session.root / "symcute.toml").write_text(settings)
        kernel = session.open("k.cu", plain)
        (bad,) = await session.until(kernel, lambda x: len(x) == 1)
        assert "close the '(' of column 6" in bad.message

    spoken(tmp_path, talk)


BAD = {
    "half": "from symcute import theorem\n@theorem(\n",
    "raises": "from symcute import theorem\n1 / 0\n@theorem()\ndef a():\n    '''A.'''\n",
    "no claim": (
        "from symcute import theorem\n\n@theorem()\ndef a():\n    '''A.'''\n"
        "    return 'injective((4,8:(1,4))'\n"
    ),
    "wrong value": (
        "from symcute import theorem\n@theorem()\ndef a():\n    '''A.'''\n    return 3\n"
    ),
    "dies": (
        "from symcute import theorem\n@theorem()\ndef a():\n    '''A.'''\n"
        "    import os\n    os._exit(3)\n"
        "@theorem()\ndef b():\n    '''B.'''\n    return 'injective((4,8):(1,1))'\n"
    ),
    "prints": (
        "from symcute import theorem\nprint('{}')\n@theorem()\ndef a():\n    '''A.'''\n"
        "    import sys\n    sys.stdout.write('Content-Length: 3')\n"
        "    return 'injective((4,8):(1,1))'\n"
    ),
    "exits": "from symcute import theorem\nimport sys\nsys.exit()\n@theorem()\ndef a(): pass\n",
    "deep": "from symcute import theorem\n@theorem()\ndef a():\n  '''A.'''\n  return '"
    + "(" * 9999,
    "nothing": "from symcute import theorem\n@theorem()\n\x00\n",
    "twice": (
        "from symcute import theorem\n@theorem()\ndef a():\n    '''A.'''\n    return 'M <= N'\n"
    )
    * 2,
}
PLACES = {
    "half": (1, None),
    "raises": (1, "ZeroDivisionError"),
    "no claim": (5, "close the '(' of column 10"),
    "wrong value": (2, "returned 3"),
    "dies": (1, "not decided: the process died (exit code 3)"),
    "prints": (3, "refuted"),
    "exits": (2, "SystemExit"),
    "deep": (4, None),
    "nothing": (0, None),
    "twice": (None, None),
}


@pytest.mark.full
def test_what_others_write_wrongly_ends_in_a_remark(tmp_path: Path) -> None:
    async def talk(session: Session) -> None:
        for name, text in BAD.items():
            uri = session.open(f"{name.replace(' ', '_')}.py", text)
            line, words = PLACES[name]
            found = await session.until(uri, lambda x: len(x) >= 1)
            assert line is None or found[0].range.start.line == line, (name, found)
            assert words is None or words in found[0].message, (name, found)
        # The theorem behind the one that killed its process is decided all the same.
        dies = (session.root / "dies.py").as_uri()
        await session.until(dies, lambda x: any("refuted" in d.message for d in x))

    spoken(tmp_path, talk)


@pytest.mark.full
def test_only_a_file_that_marks_theorems_is_run(tmp_path: Path) -> None:
    trap = "open('ran', 'w').close()\n"

    async def talk(session: Session) -> None:
        session.open("script.py", "import symcute\n" + trap)
        session.open("notes.txt", "@theorem()\nfrom symcute import theorem\n" + trap)
        uri = session.open("tiles.py", THEOREMS)
        await session.until(uri, numbered(2))
        assert not (session.root / "ran").exists()
        # The contract of a public name, in any Python file.
        other = session.open("other.py", "composition\n")
        assert "Post-conditions:" in await session.hover(other, 0, 3)

    async def off(session: Session) -> None:
        uri = session.open("trap.py", trap + THEOREMS)
        kernel = session.open("k.cu", KERNEL)
        await session.until(kernel, numbered(1))
        assert session.published.get(uri, []) == [] and not (session.root / "ran").exists()

    spoken(tmp_path, talk)
    spoken(tmp_path, off, theorems=False)


SLOW = '''from symcute import theorem
from pathlib import Path
import os, time


@theorem()
def endless():
    """It never ends."""
    Path("pid").write_text(str(os.getpid()))
    while True:
        time.sleep(1)
'''


@pytest.mark.full
def test_an_edit_ends_the_work_and_the_editor_never_waits(tmp_path: Path) -> None:
    async def talk(session: Session) -> None:
        uri = session.open("slow.py", SLOW)
        mark = session.root / "pid"
        while not mark.exists() or not mark.read_text():
            await asyncio.sleep(0.05)
        pid = int(mark.read_text())
        await session.hover(uri, 5, 5)
        session.change(uri, 2, THEOREMS)
        assert len(await session.until(uri, numbered(2))) == 2
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)

    spoken(tmp_path, talk)


@pytest.mark.full
def test_a_file_that_takes_too_long_is_given_up(tmp_path: Path) -> None:
    async def late(session: Session) -> None:
        uri = session.open("slow.py", SLOW)
        (found,) = await session.until(uri, lambda x: len(x) == 1)
        assert found.severity == lsp.DiagnosticSeverity.Information
        # On a machine that is busy the file has not even been read by then.
        assert found.message.removeprefix("endless: ") == "not decided: 6 s for the file are over"

    spoken(tmp_path, late, limit=6)


@pytest.mark.full
def test_columns_are_those_of_the_editor(tmp_path: Path) -> None:
    """Characters outside of the BMP are two of the units that an editor counts in."""
    text = THEOREMS.replace("@theorem()\ndef rows", '@theorem(source="𝕊𝕊")\ndef rows')

    async def talk(session: Session) -> None:
        uri = session.open("tiles.py", text)
        rows, _ = await session.until(uri, numbered(2))
        (action,) = await session.actions(uri, rows.range)
        (edit,) = action.edit.document_changes[0].edits
        line = text.split("\n")[5]
        assert edit.range.start.character == len(line[:-1].encode("utf-16-le")) // 2
        assert edit.new_text == ', given=["LD >= N"]'

    spoken(tmp_path, talk)
