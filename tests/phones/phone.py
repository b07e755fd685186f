"""A phone without a screen, and a server for it: what goes over the wire, byte for byte."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPConnection, HTTPResponse
from typing import Any

from turnwright.phones.admission import Limits
from turnwright.phones.server import PhoneServer, page_files
from turnwright.storage.resources import read_text
from turnwright.storage.word_catalogue import WordCatalogue

PATIENCE = 60  # seconds before a test gives up; nothing is measured by it
WORDS = WordCatalogue.load()


class Clock:
    """Seconds that pass when a test says so."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@contextmanager
def serving(limits: Limits | None = None, clock: Clock | None = None) -> Iterator[PhoneServer]:
    """Serve the page to this computer for a while."""
    server = PhoneServer("127.0.0.1", page_files(read_text, WORDS), limits, *([clock] if clock else []))
    server.start()
    try:
        yield server
    finally:
        server.stop()


class TestPhone:
    """A phone of one server. It joins by the code that is open now unless it is given another."""

    __test__ = False

    def __init__(self, server: PhoneServer) -> None:
        self.server = server
        self.cookie = ""
        self.stream: HTTPResponse | None = None

    def ask(
        self, path: str, method: str = "GET", body: str | None = None, **headers: str | None
    ) -> tuple[int, dict[str, str], bytes]:
        """Send a request; return its status, headers and body. A header given as None is left out."""
        host, port = self.server.host.split(":")
        sent = {"Host": self.server.host, "Cookie": self.cookie, **headers}
        connection = HTTPConnection(host, int(port), timeout=PATIENCE)
        try:
            connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
            for name, value in sent.items():
                if value:
                    connection.putheader(name.replace("_", "-"), value)
            if body is not None and "Content_Length" not in headers:
                connection.putheader("Content-Length", str(len(body)))
            connection.endheaders(body.encode() if body is not None else None)
            answer = connection.getresponse()
            return answer.status, dict(answer.getheaders()), answer.read()
        finally:
            connection.close()

    def join(self, code: str | None = None, **headers: str | None) -> int:
        """Give a code and keep the cookie; return the status."""
        origin = {"Origin": f"http://{self.server.host}", **headers}
        given = self.server.admission.code if code is None else code
        status, answered, _ = self.ask("/join", "POST", given, **origin)
        self.cookie = answered.get("Set-Cookie", self.cookie).partition(";")[0]
        return status

    def listen(self) -> int:
        """Open the stream; return the status."""
        host, port = self.server.host.split(":")
        connection = HTTPConnection(host, int(port), timeout=PATIENCE)
        connection.request("GET", "/events", headers={"Host": self.server.host, "Cookie": self.cookie})
        self.stream = connection.getresponse()
        return self.stream.status

    def next_event(self) -> tuple[str, str]:
        """Return the next event's kind and data, ("", "") at the end of the stream."""
        assert self.stream is not None
        kind = "message"
        while line := self.stream.readline():
            name, _, value = line.decode().rstrip("\n").partition(": ")
            if name == "event":
                kind = value
            elif name == "data":
                return kind, value
        return "", ""

    def next_message(self) -> dict[str, Any]:
        """Return the next message, beats left out."""
        while (event := self.next_event())[0] == "beat":
            pass
        assert event[0] == "message"
        return json.loads(event[1])

    def close(self) -> None:
        """Close the stream."""
        if self.stream is not None:
            self.stream.close()


def raw(server: PhoneServer, request: bytes) -> bytes:
    """Send bytes as they are; return all that comes back."""
    host, port = server.host.split(":")
    with socket.create_connection((host, int(port)), timeout=PATIENCE) as connection:
        connection.sendall(request)
        with suppress(OSError):  # it may have been closed at the other end
            connection.shutdown(socket.SHUT_WR)
        return b"".join(iter(lambda: connection.recv(4096), b""))
