"""The web server for the players' phones. It parses nothing but requests, and serves only published content.

It listens on one address, in its own threads. Paths are looked up in a table, so no request opens a file, and each
connection handles one request. Requests from another page, for another host name or without a token get no content. The
files of the page contain nothing about the fight, which is sent in messages. A new state replaces older ones that slow
phones haven't read yet.
"""

import secrets
import threading
import time
from collections.abc import Callable, Mapping
from html import escape
from http import HTTPStatus
from http.cookies import CookieError, SimpleCookie
from http.server import BaseHTTPRequestHandler
from socket import SHUT_RDWR, socket
from socketserver import ThreadingTCPServer
from string import Template
from typing import Any, BinaryIO, cast

import msgspec

from turnwright.phones.admission import CODE_LENGTH, Admission, JoinRefusal, JoinRefused, Limits
from turnwright.phones.message import PhoneWords, message_bytes
from turnwright.players.view import PlayersView

HTML, SCRIPT, STYLE = "page.html", "page.js", "page.css"
_WORDS = (
    "title", "join", "code", "code-hint", "wrong", "closed", "full", "lost", "ended", "removed", "order", "picture",
)  # fmt: skip


class PageFile(msgspec.Struct, frozen=True):
    """The response for a path: its content and media type."""

    type: str
    content: bytes


def page_files(read_text: Callable[[str], str], words: PhoneWords) -> Mapping[str, PageFile]:
    """Return the files that are served without a token, keyed by path.

    `read_text` reads a shipped file, given its path in the resources folder.
    """
    filled_in = {key.replace("-", "_"): escape(words(f"phones.page.{key}")) for key in _WORDS}
    html = Template(read_text(f"phones/{HTML}")).substitute(filled_in)
    return {
        "/": PageFile("text/html; charset=utf-8", html.encode()),
        f"/{SCRIPT}": PageFile("text/javascript; charset=utf-8", read_text(f"phones/{SCRIPT}").encode()),
        f"/{STYLE}": PageFile("text/css; charset=utf-8", read_text(f"phones/{STYLE}").encode()),
    }


class Published(msgspec.Struct, frozen=True):
    """The current state: a message and its number, and the image it refers to."""

    serial: int = 0
    message: bytes = b""
    picture: bytes = b""
    picture_path: str = ""


class Broadcast:
    """Keeps the current state, and wakes threads that wait for the next one."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self.published = Published()  # the current state
        self.is_closed = False  # whether the broadcast has ended

    def publish(self, view: PlayersView, words: PhoneWords, picture: bytes = b"") -> None:
        """Publish a view. An unchanged view isn't sent again, since sending it would reveal that something happened."""
        before = self.published
        path = before.picture_path
        if picture != before.picture:
            path = f"/picture/{secrets.token_urlsafe(16)}" if picture else ""
        message = message_bytes(view, words, path)
        with self._changed:
            if message != before.message:
                self.published = Published(before.serial + 1, message, picture, path)
                self._changed.notify_all()

    def wait_for_next(self, serial: int, seconds: float) -> Published:
        """Wait for a state newer than `serial`, closing, waking or a timeout, and return the current state."""
        with self._changed:
            if self.published.serial == serial and not self.is_closed:
                self._changed.wait(seconds)
            return self.published

    def wake(self) -> None:
        """Wake all waiting threads to check whether their phones are still joined."""
        with self._changed:
            self._changed.notify_all()

    def close(self) -> None:
        """End the broadcast."""
        with self._changed:
            self.is_closed = True
            self._changed.notify_all()


POLL_SECONDS = 0.5
GRACE_SECONDS = 2.0
MOST_CODE_BYTES = 4 * CODE_LENGTH
_HEADERS = (
    (
        "Content-Security-Policy",
        (
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
            "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        ),
    ),
    ("Cache-Control", "no-store"),
    ("X-Content-Type-Options", "nosniff"),
    ("X-Frame-Options", "DENY"),
    ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
)
_REFUSALS: Mapping[JoinRefusal, HTTPStatus] = {
    "closed": HTTPStatus.GONE,
    "wrong": HTTPStatus.FORBIDDEN,
    "full": HTTPStatus.SERVICE_UNAVAILABLE,
}
_KINDS = ("iPhone", "iPad", "Android", "Windows", "Macintosh", "Linux")


class PhoneServer(ThreadingTCPServer):
    """Serves the page. It can be started and stopped once. Raise OSError if the address can't be used.

    `files` are the paths that anyone can read. `start` and `stop` return immediately. `clock` returns seconds.
    """

    daemon_threads = True
    request_queue_size = 64
    timeout = POLL_SECONDS

    def __init__(
        self,
        address: str,
        files: Mapping[str, PageFile],
        limits: Limits | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.limits = limits or Limits()
        self.files = files
        self.broadcast = Broadcast()
        self.admission = Admission(self.limits, clock)
        self._clock = clock
        self._lock = threading.Lock()
        self._connections: dict[socket, tuple[str, float | None]] = {}  # address and request deadline
        super().__init__((address, 0), _RequestHandler)
        self.host = f"{address}:{self.server_address[1]}"
        self.cookie = f"turnwright-{self.server_address[1]}"  # browsers keep cookies by address, not by port

    @property
    def url(self) -> str:
        """The address to type into a browser."""
        return f"http://{self.host}/"

    @property
    def connections(self) -> int:
        """The number of open connections."""
        with self._lock:
            return len(self._connections)

    def start(self) -> None:
        """Start answering requests in a thread."""
        threading.Thread(target=self._serve, name=f"phones {self.host}", daemon=True).start()

    def stop(self) -> None:
        """Stop answering requests; the thread ends soon after. Phones are notified that the session has ended."""
        self.admission.close()
        self.broadcast.close()

    def remove(self, number: int) -> None:
        """Remove a phone and end its event stream."""
        self.admission.remove(number)
        self.broadcast.wake()

    def _serve(self) -> None:
        while not self.broadcast.is_closed:
            self.handle_request()
            self.close_late(self._clock())
        self.server_close()
        ends = self._clock() + GRACE_SECONDS
        while self.connections and self._clock() < ends:
            time.sleep(0.02)
        self.close_late(float("inf"), streams=True)

    # Connections -----------------------------------------------------------------------------------------------------

    def verify_request(self, request: Any, client_address: Any) -> bool:
        """Return whether to accept another connection."""
        if self.broadcast.is_closed:
            return False
        with self._lock:
            of_address = sum(address == client_address[0] for address, _ in self._connections.values())
            if len(self._connections) >= self.limits.connections or of_address >= self.limits.per_address:
                return False
            self._connections[request] = (client_address[0], self._clock() + self.limits.request_seconds)
        return True

    def shutdown_request(self, request: Any) -> None:
        """Close a connection and stop counting it."""
        with self._lock:
            self._connections.pop(request, None)
        super().shutdown_request(request)

    def begin_stream(self, connection: socket) -> None:
        """Remove a connection's time limit once its request has been read."""
        with self._lock:
            if connection in self._connections:
                self._connections[connection] = (self._connections[connection][0], None)

    def close_late(self, now: float, *, streams: bool = False) -> None:
        """Close connections whose requests take too long, and all event streams if `streams` is set."""
        with self._lock:
            late = [
                connection
                for connection, (_, ends) in self._connections.items()
                if (streams if ends is None else now >= ends)
            ]
        for connection in late:
            try:
                connection.shutdown(SHUT_RDWR)  # its thread, which is reading or writing, then closes it
            except OSError:
                continue

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore connection errors: bad requests aren't errors of the program and must not fill a log."""


class _TooLargeError(Exception):
    """Raised if a request is too large."""


class _LimitedReader:
    """Reads a request up to a maximum size."""

    def __init__(self, file: BinaryIO, most: int) -> None:
        self._file = file
        self._left = most

    def readline(self, most: int = -1) -> bytes:
        return self._count(self._file.readline(self._left + 1 if most < 0 else min(most, self._left + 1)))

    def read(self, size: int) -> bytes:
        return self._count(self._file.read(min(size, self._left + 1)))

    def close(self) -> None:
        self._file.close()

    def _count(self, content: bytes) -> bytes:
        self._left -= len(content)
        if self._left < 0:
            raise _TooLargeError
        return content


class _RequestHandler(BaseHTTPRequestHandler):
    """Answers a connection's only request."""

    server: PhoneServer
    protocol_version = "HTTP/1.0"  # one request per connection
    request_version = "HTTP/1.0"  # until a request has been read

    def setup(self) -> None:
        super().setup()
        # time limit for each read and write; `close_late` limits the whole request
        self.connection.settimeout(self.server.limits.request_seconds)
        self.rfile = cast("Any", _LimitedReader(cast("BinaryIO", self.rfile), self.server.limits.request_bytes))

    def handle(self) -> None:
        try:
            super().handle()
        except _TooLargeError:
            self._answer(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)
        except OSError:
            return  # the phone has disconnected

    def do_GET(self) -> None:
        if not self._is_ours():
            return
        published = self.server.broadcast.published
        file = self.server.files.get(self.path)
        if file is not None:
            self._answer(HTTPStatus.OK, file)
        elif not self.server.admission.is_joined(self._token()):
            self._answer(HTTPStatus.FORBIDDEN)
        elif self.path == "/events":
            self._stream(self._token())
        elif self.path == published.picture_path:
            self._answer(HTTPStatus.OK, PageFile(picture_type(published.picture), published.picture))
        else:
            self._answer(HTTPStatus.NOT_FOUND)

    def do_POST(self) -> None:
        if not self._is_ours(has_origin=True):
            return
        if self.path != "/join":
            self._answer(HTTPStatus.NOT_FOUND)
            return
        length = self.headers.get("Content-Length", "")
        if not (length.isascii() and length.isdecimal() and len(length) < 4 and int(length) <= MOST_CODE_BYTES):
            self._answer(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
            return
        code = "".join(self.rfile.read(int(length)).decode("ascii", "replace").split()).upper()
        if self.server.admission.is_joined(self._token()):
            self._answer(HTTPStatus.NO_CONTENT)
            return
        try:
            token = self.server.admission.join(code, self.client_address[0], self._kind())
        except JoinRefused as refused:
            self._answer(_REFUSALS[refused.reason])
            return
        self._answer(HTTPStatus.NO_CONTENT, cookie=f"{self.server.cookie}={token}; Path=/; HttpOnly; SameSite=Strict")

    def _is_ours(self, *, has_origin: bool = False) -> bool:
        """Return whether a request is for this server and comes from its page; refuse it otherwise."""
        if self.headers.get_all("Host") != [self.server.host]:
            self._answer(HTTPStatus.MISDIRECTED_REQUEST)
            return False
        origins = self.headers.get_all("Origin", [])
        if (has_origin or origins) and origins != [f"http://{self.server.host}"]:
            self._answer(HTTPStatus.FORBIDDEN)
            return False
        return True

    def _token(self) -> str:
        try:
            cookie = SimpleCookie(self.headers.get("Cookie", "")).get(self.server.cookie)
        except CookieError:
            return ""
        return cookie.value if cookie is not None else ""

    def _kind(self) -> str:
        """Return the browser's device type if it is one of `_KINDS`, or an empty string."""
        agent = self.headers.get("User-Agent", "")
        return next((kind for kind in _KINDS if kind in agent), "")

    def _stream(self, token: str) -> None:
        """Send the current state and each change until the session ends or the phone is removed."""
        server = self.server
        server.begin_stream(self.connection)
        self._send_head(HTTPStatus.OK, "text/event-stream")
        self.wfile.write(b"retry: 2000\n\n")
        serial = 0
        while True:
            published = server.broadcast.wait_for_next(serial, server.limits.beat_seconds)
            if server.broadcast.is_closed:
                self.wfile.write(b"event: ended\ndata: .\n\n")
                return
            if not server.admission.is_joined(token):
                self.wfile.write(b"event: removed\ndata: .\n\n")
                return
            if published.serial > serial:
                serial = published.serial
                self.wfile.write(b"data: " + published.message + b"\n\n")
            else:
                self.wfile.write(b"event: beat\ndata: .\n\n")

    # Answering -------------------------------------------------------------------------------------------------------

    def _answer(self, status: HTTPStatus, file: PageFile | None = None, cookie: str = "") -> None:
        self.close_connection = True
        if self.server.broadcast.is_closed:
            return
        content = file.content if file is not None else b""
        self._send_head(status, file.type if file is not None else "", len(content), cookie)
        self.wfile.write(content)

    def _send_head(self, status: HTTPStatus, type: str, length: int | None = None, cookie: str = "") -> None:
        self.send_response_only(status)
        if type:
            self.send_header("Content-Type", type)
        if length is not None:
            self.send_header("Content-Length", str(length))
        if cookie:
            self.send_header("Set-Cookie", cookie)
        for name, value in _HEADERS:
            self.send_header(name, value)
        self.send_header("Connection", "close")
        self.end_headers()

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:  # noqa: ARG002
        """Answer unreadable requests and unsupported methods with only a status, without echoing the request."""
        self._answer(HTTPStatus.METHOD_NOT_ALLOWED if code == HTTPStatus.NOT_IMPLEMENTED else HTTPStatus(code))

    def log_message(self, format: str, *args: Any) -> None:
        """Log nothing, so that there is no record of who reads the page."""


def picture_type(content: bytes) -> str:
    """Return the media type of an image written by the window, PNG or JPEG."""
    return "image/png" if content.startswith(b"\x89PNG\r\n\x1a\n") else "image/jpeg"
