"""The playground of the site: a page, and Python with symcute as scripts beside it.

Python is Pyodide, from npm, of one version whose files are known by their hash; what was fetched is
kept under build/. Where there is no network the site is not built, and it is said what is missing.
`python -m tools.playground FOLDER` writes the playground alone.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path

from symcute.report.explorer.page import live_page
from symcute.report.templates import resource

__all__ = ["playground"]

ROOT = Path(__file__).resolve().parents[1]
KEPT = ROOT / "build" / "playground"

#: The release of Pyodide, and the hash that npm has of it.
VERSION = "314.0.7"
INTEGRITY = (
    "sha512-0YvXxEhfEdpLfb/XkM2BFAeMROq0iMUX2bzzH9pOttyMcWkw"
    "q+HbE5uyuGD82LN7y2q+SNvi/6V5JEsOlD2R1A=="
)
#: Its files that a page needs.
RUNTIME = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
#: The libraries that pages and verdicts need; both run as Python alone.
LIBRARIES = ("jinja2", "markupsafe")
#: Characters of a script of the page.
PIECE = 1_000_000
#: What the page may do: run what is written in it, load its scripts, and start a worker from them.
POLICY = (
    "script-src 'self' file: blob: 'unsafe-inline' 'wasm-unsafe-eval'; worker-src blob:; "
    "connect-src blob:"
)


class Missing(Exception):
    """Something that the playground is made of could not be had."""


def playground(home: str = "../index.html") -> dict[str, str]:
    """Return the files of the playground by name. Errors: Missing, with what to do."""
    package = _package()
    files = {name: (package / name).read_bytes() for name in RUNTIME}
    files |= _compiled(package, _source())
    lock = json.loads((package / "pyodide-lock.json").read_text("utf-8"))
    packed, places = b"", {}
    for name, data in files.items():
        places[name] = (len(packed), len(packed) + len(data))
        packed += data
    text = base64.b64encode(gzip.compress(packed, 9, mtime=0)).decode("ascii")
    pieces = [text[k : k + PIECE] for k in range(0, len(text), PIECE)]
    found = {f"python-{k}.js": f'python.add("{piece}");\n' for k, piece in enumerate(pieces)}
    python = {
        "pieces": list(found),
        "files": places,
        "version": lock["info"],
        "worker": resource("explorer/worker.js"),
    }
    page = live_page(resource("explorer/python.js"), policy=POLICY, home=home, python=python)
    return {"index.html": page, **found}


def _package() -> Path:
    """Return the folder of Pyodide's package, fetched if it is not there."""
    archive = KEPT / f"pyodide-{VERSION}.tgz"
    if not archive.is_file():
        _fetch(archive)
    digest = base64.b64encode(hashlib.sha512(archive.read_bytes()).digest()).decode("ascii")
    if f"sha512-{digest}" != INTEGRITY:
        raise Missing(f"{archive} is not pyodide {VERSION} as npm has it: remove it, and try again")
    folder = KEPT / f"pyodide-{VERSION}"
    if not folder.is_dir():
        # Python 3.11 has filters of archives from 3.11.4 on.
        filtered = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}
        with tarfile.open(archive) as packed:
            packed.extractall(folder, **filtered)  # noqa: S202
    return folder / "package"


def _fetch(archive: Path) -> None:
    if shutil.which("npm") is None or shutil.which("node") is None:
        raise Missing("the playground is made with npm and node: apt-get install nodejs npm")
    archive.parent.mkdir(parents=True, exist_ok=True)
    command = ["npm", "pack", f"pyodide@{VERSION}", "--pack-destination", str(archive.parent)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        told = next(
            (x for x in done.stderr.splitlines() if "ERR" in x or "error" in x), "no answer"
        )
        raise Missing(
            f"npm did not give pyodide {VERSION} ({told}): the site needs the network once; "
            f"without it, put pyodide-{VERSION}.tgz into {archive.parent}"
        )


def _source() -> dict[str, bytes]:
    """Return the files of symcute and of the libraries it needs in a page, by their place."""
    found = {}
    for name in ("symcute", *LIBRARIES):
        spec = find_spec(name)
        assert spec is not None and spec.origin is not None, name
        folder = Path(spec.origin).parent
        for path in sorted(folder.rglob("*")):
            if path.is_file() and path.suffix not in (".pyc", ".so"):
                found[f"{name}/{path.relative_to(folder).as_posix()}"] = path.read_bytes()
    return found


def _zipped(files: Iterable[tuple[str, bytes]]) -> bytes:
    stream = BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, data in files:
            archive.writestr(zipfile.ZipInfo(name), data)
    return stream.getvalue()


def _compiled(package: Path, source: dict[str, bytes]) -> dict[str, bytes]:
    """Return two archives: the standard library and symcute, what a page loads of them compiled.

    Python compiles them itself, in node: no other has its byte code.
    """
    names = ("python_stdlib.zip", "symcute.zip")
    packed = _zipped(source.items())
    folder = KEPT / "compiled" / hashlib.sha256(packed).hexdigest()
    done = {name: folder / f"compiled-{name}" for name in names}
    if not all(path.is_file() for path in done.values()):
        shutil.rmtree(folder.parent, ignore_errors=True)
        _compile(package, folder, packed)
    return {name: path.read_bytes() for name, path in done.items()}


def _compile(package: Path, folder: Path, packed: bytes) -> None:
    folder.mkdir(parents=True)
    (folder / "symcute.zip").write_bytes(packed)
    script = ROOT / "tools" / "playground.mjs"
    command = ["node", str(script), str(package), str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Missing(f"Pyodide did not run in node: {done.stderr[-2000:]}")


def _written(folder: Path) -> Iterator[str]:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in playground().items():
        (folder / name).write_text(text, encoding="utf-8")
        yield f"{name}: {len(text):,}"


if __name__ == "__main__":
    try:
        print(*_written(Path(sys.argv[1])), sep="\n")
    except Missing as error:
        sys.exit(str(error))
