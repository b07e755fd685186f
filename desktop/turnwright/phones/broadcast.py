"""The state sent to all phones. A new state replaces older ones that slow phones haven't read yet."""

from __future__ import annotations

import secrets
import threading

import msgspec

from turnwright.phones.message import PhoneWords, message_bytes
from turnwright.players.view import PlayersView


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
        self._published = Published()
        self._is_closed = False

    @property
    def is_closed(self) -> bool:
        """Whether the broadcast has ended."""
        return self._is_closed

    @property
    def published(self) -> Published:
        """The current state."""
        return self._published

    def publish(self, view: PlayersView, words: PhoneWords, picture: bytes = b"") -> None:
        """Publish a view. An unchanged view isn't sent again, since sending it would reveal that something happened."""
        before = self._published
        path = before.picture_path
        if picture != before.picture:
            path = f"/picture/{secrets.token_urlsafe(16)}" if picture else ""
        message = message_bytes(view, words, path)
        with self._changed:
            if message != before.message:
                self._published = Published(before.serial + 1, message, picture, path)
                self._changed.notify_all()

    def wait_for_next(self, serial: int, seconds: float) -> Published:
        """Wait for a state newer than `serial`, closing, waking or a timeout, and return the current state."""
        with self._changed:
            if self._published.serial == serial and not self._is_closed:
                self._changed.wait(seconds)
            return self._published

    def wake(self) -> None:
        """Wake all waiting threads to check whether their phones are still joined."""
        with self._changed:
            self._changed.notify_all()

    def close(self) -> None:
        """End the broadcast."""
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()
