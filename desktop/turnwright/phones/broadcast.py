"""The one state that all phones are sent: a newer one takes the place of an older that a slow phone has not read."""

from __future__ import annotations

import secrets
import threading

import msgspec

from turnwright.phones.message import PhoneWords, message_bytes
from turnwright.players.view import PlayersView


class Published(msgspec.Struct, frozen=True):
    """What is shown now: a message with its number, and the picture it names."""

    serial: int = 0
    message: bytes = b""
    picture: bytes = b""
    picture_path: str = ""


class Broadcast:
    """Holds what is shown now and wakes the threads that wait for the next."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._published = Published()
        self._is_closed = False

    @property
    def is_closed(self) -> bool:
        """Whether nothing more will come."""
        return self._is_closed

    @property
    def published(self) -> Published:
        """What is shown now."""
        return self._published

    def publish(self, view: PlayersView, words: PhoneWords, picture: bytes = b"") -> None:
        """Show a view. What looks as before is not sent again: that something is sent would say that something happened."""
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
        """Return what is shown as soon as it is newer than `serial`, it is closed or woken, or so many seconds are over."""
        with self._changed:
            if self._published.serial == serial and not self._is_closed:
                self._changed.wait(seconds)
            return self._published

    def wake(self) -> None:
        """Wake all that wait, so that they see whether they are still joined."""
        with self._changed:
            self._changed.notify_all()

    def close(self) -> None:
        """Send nothing any more."""
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()
