"""The live page of a grading: read-only, behind a token in its address, on the loopback unless somebody says otherwise.

/TOKEN/            the page
/TOKEN/events      server-sent events: a snapshot as JSON, when something has changed
/TOKEN/report/…    the class report, as `simtlab report` writes it, once the grading has ended
"""

import hmac
import json
import mimetypes
import secrets
import threading
import time
from collections.abc import Callable
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urlsplit

from simtlab.errors import UsageError
from simtlab.live.watch import Snapshot
from simtlab.report.live_page import live_page

LOOPBACK = "127.0.0.1"
_TOKEN_BYTES = 16
_SECONDS_BETWEEN = 1.0
_SILENT_SECONDS = 15.0
"""A comment is sent then, so that a page that has gone is noticed."""


class LivePage:
    """Serves until it is closed. `look` gives the grading's state; `report` writes the finished report and returns its
    folder, and is asked once."""

    def __init__(
        self,
        look: Callable[[], Snapshot],
        report: Callable[[], Path],
        *,
        address: str = LOOPBACK,
        port: int = 0,
        token: str = "",
    ) -> None:
        self._look = look
        self._report = report
        self._folder: Path | None = None
        self._lock = threading.Lock()
        self._snapshot = look()
        self._looked = time.monotonic()
        self._closed = threading.Event()
        self.token = token or secrets.token_urlsafe(_TOKEN_BYTES)
        try:
            self._server = ThreadingHTTPServer((address, port), self._handler())
        except OSError as error:
            raise UsageError(
                f"no page can be served on {address}, port {port}: {error.strerror}; choose another --port"
            ) from error
        self._server.daemon_threads = True

    @property
    def url(self) -> str:
        """What to open."""
        host, port = self._server.server_address[:2]
        return f"http://{host!s}:{port}/{self.token}/"

    def serve(self) -> None:
        """Answers until `close`."""
        self._server.serve_forever(poll_interval=0.2)

    def close(self) -> None:
        """Ends `serve`, and the streams of all pages."""
        self._closed.set()
        self._server.shutdown()
        self._server.server_close()

    def snapshot(self) -> Snapshot:
        """The state of not much more than a second ago, however many pages ask."""
        with self._lock:
            if time.monotonic() - self._looked >= _SECONDS_BETWEEN and not self._snapshot.ended:
                self._snapshot = self._look()
                self._looked = time.monotonic()
            return self._snapshot

    def report_file(self, name: str) -> Path | None:
        """A file of the finished report; None while there is no report, or no such file in it."""
        if not self.snapshot().ended:
            return None
        with self._lock:
            if self._folder is None:
                self._folder = self._report().resolve()
        path = (self._folder / (name or "index.html")).resolve()
        return path if path.is_relative_to(self._folder) and path.is_file() else None

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        page = self

        class Handler(BaseHTTPRequestHandler):
            server_version = "simtlab"
            sys_version = ""
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                token, *rest = urlsplit(self.path).path.removeprefix("/").split("/")
                if not hmac.compare_digest(token.encode(), page.token.encode()):
                    return self._send(HTTPStatus.NOT_FOUND, "text/plain", b"nothing here\n")
                match rest:
                    case [""]:
                        return self._send(HTTPStatus.OK, "text/html", live_page(page.snapshot()).encode())
                    case ["events"]:
                        return self._stream()
                    case ["report", *parts] if path := page.report_file(unquote("/".join(parts))):
                        kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
                        return self._send(HTTPStatus.OK, kind, path.read_bytes())
                return self._send(HTTPStatus.NOT_FOUND, "text/plain", b"nothing here\n")

            def _send(self, status: HTTPStatus, kind: str, content: bytes) -> None:
                self.send_response(status)
                text = kind.startswith("text/")
                self.send_header("Content-Type", f"{kind}; charset=utf-8" if text else kind)
                self.send_header("Content-Length", str(len(content)))
                self.send_header("Cache-Control", "no-store")
                self.send_header("Referrer-Policy", "no-referrer")
                self.send_header("X-Content-Type-Options", "nosniff")
                self.end_headers()
                self.wfile.write(content)

            def _stream(self) -> None:
                self.send_response(HTTPStatus.OK)
                self.send_header("Content-Type", "text/event-stream; charset=utf-8")
                self.send_header("Cache-Control", "no-store")
                self.send_header("Connection", "close")
                self.end_headers()
                self.close_connection = True
                before, spoke = "", time.monotonic()
                try:
                    while not page._closed.is_set():
                        snapshot = page.snapshot()
                        said = json.dumps(snapshot.document())
                        if said != before:
                            self.wfile.write(f"data: {said}\n\n".encode())
                            before, spoke = said, time.monotonic()
                        elif time.monotonic() - spoke > _SILENT_SECONDS:
                            self.wfile.write(b": still here\n\n")
                            spoke = time.monotonic()
                        if snapshot.ended:
                            self.wfile.write(b"event: end\ndata: {}\n\n")
                            return
                        self.wfile.flush()
                        page._closed.wait(_SECONDS_BETWEEN)
                except (BrokenPipeError, ConnectionResetError):
                    return

            def log_message(self, *_: object) -> None:
                """Nothing: the address has the token."""

        return Handler
