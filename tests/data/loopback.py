"""A server on 127.0.0.1 that breaks connections, lies and redirects as it is told."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass
class Served:
    """How one path is answered."""

    content: bytes = b""
    etag: str = '"v1"'
    cuts: list[int] = field(default_factory=list)  # bytes to send before hanging up, in turn
    ranges: bool = True
    length: bool = True
    redirect: str = ""
    status: int = 0
    wrong_start: bool = False


class Server:
    """The address, what is served, and the headers of every request so far."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.paths: dict[str, Served] = {}
        self.requests: list[dict[str, str]] = []

    def put(self, path: str, content: bytes = b"", **how: object) -> str:
        self.paths[path] = Served(content, **how)  # type: ignore[arg-type]
        return f"{self.address}{path}"

    def asked(self) -> list[str]:
        """The Range of every request, '' where there was none."""
        return [headers.get("Range", "") for headers in self.requests]


class _Handler(BaseHTTPRequestHandler):
    timeout = 5

    def do_GET(self) -> None:
        state: Server = self.server.state  # type: ignore[attr-defined]
        state.requests.append(dict(self.headers))
        served = state.paths.get(self.path)
        if served is None or served.status:
            self.send_error(404 if served is None else served.status)
        elif served.redirect:
            self.send_response(302)
            self.send_header("Location", served.redirect)
            self.send_header("Content-Length", "0")
            self.end_headers()
        else:
            self._send(served)

    def _send(self, served: Served) -> None:
        start, size = self._start(served), len(served.content)
        if start > 0 and start >= size:
            self.send_response(416)
            self.send_header("Content-Range", f"bytes */{size}")
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        self.send_response(206 if start >= 0 else 200)
        begin = max(start, 0)
        if start >= 0:
            shown = begin + 1 if served.wrong_start else begin
            self.send_header("Content-Range", f"bytes {shown}-{size - 1}/{size}")
        if served.etag:
            self.send_header("ETag", served.etag)
        if served.length:
            self.send_header("Content-Length", str(size - begin))
        self.end_headers()
        end = begin + served.cuts.pop(0) if served.cuts else size
        self.wfile.write(served.content[begin:end])
        self.close_connection = True

    def _start(self, served: Served) -> int:
        wanted = self.headers.get("Range", "")
        same = self.headers.get("If-Range", served.etag) == served.etag
        if not wanted or not served.ranges or not same:
            return -1
        return int(wanted.removeprefix("bytes=").rstrip("-"))

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def serving() -> Iterator[Server]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.daemon_threads = True
    server.state = Server(f"http://127.0.0.1:{server.server_port}")  # type: ignore[attr-defined]
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield server.state  # type: ignore[attr-defined]
    finally:
        server.shutdown()
        server.server_close()
        thread.join(5)
