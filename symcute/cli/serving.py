"""A page on this machine that asks this process: `symcute explore --serve`."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

__all__ = ["Server"]

#: The longest question that is read, in bytes.
_LONGEST = 1 << 20
_POLICY = "script-src 'unsafe-inline'; connect-src 'self'"


class Server(HTTPServer):
    """Serves the explorer, one question after the other, at an address that nobody can guess.

    Only this machine reaches it; pages of other origins do not know its address, and may not ask.
    """

    def __init__(self, state: Mapping[str, Any], port: int = 0) -> None:
        """Listen. Errors: OSError where the port is taken."""
        from symcute.report.explorer.page import live_page
        from symcute.report.templates import resource

        super().__init__(("127.0.0.1", port), _Handler)
        self.secret = secrets.token_urlsafe(16)
        self.page = live_page(resource("explorer/server.js"), state, policy=_POLICY).encode()

    @property
    def address(self) -> str:
        """The address to open."""
        return f"http://127.0.0.1:{self.server_port}/{self.secret}/"


class _Handler(BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        self._at("", lambda: self._send("text/html; charset=utf-8", self.server.page))

    def do_POST(self) -> None:
        self._at("ask", self._answer)

    def log_message(self, *_: object) -> None:
        """Say nothing of requests."""

    def _at(self, name: str, work: Callable[[], None]) -> None:
        host = self.headers.get("Host", "")
        if self.path != f"/{self.server.secret}/{name}" or not host.startswith("127.0.0.1:"):
            self.send_error(404)
        else:
            work()

    def _answer(self) -> None:
        from symcute.report.explorer.answers import answer_text

        length = self.headers.get("Content-Length", "")
        if not length.isdigit() or int(length) > _LONGEST:
            self.send_error(413)
            return
        text = self.rfile.read(int(length)).decode("utf-8", "replace")
        self._send("application/json", answer_text(text).encode())

    def _send(self, kind: str, body: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        self.wfile.write(body)
