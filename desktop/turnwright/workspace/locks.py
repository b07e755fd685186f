"""Locks open documents. One process writes to a document and its recovery log; others can only read.

The operating system releases a lock when its process ends, so a log whose lock isn't held means a crash. A window that
holds a file's lock writes its process id to `NAME.window`, in a private folder. Another process requests the window by
writing `NAME.raise`; the window comes to the front and answers by removing that file.
"""

import errno
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import blake2b
from itertools import count
from pathlib import Path

from turnwright.storage.atomic import make_private

if sys.platform == "win32":
    import msvcrt

    def _lock(descriptor: int) -> None:
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _lock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


class DocumentLock:
    """A named lock on a document or log.

    It uses system calls, because loading a lock library would take longer than loading a file.
    """

    def __init__(self, folder: Path, name: str) -> None:
        self.folder = folder
        self.name = name
        self.is_held = False
        self._file = folder / f"{name}.lock"
        self._descriptor: int | None = None

    def acquire(self) -> bool:
        """Acquire the lock unless another process holds it. Return whether it is held now.

        If the file system doesn't support locks, or the folder isn't writable, nothing is locked, but the lock counts
        as held.
        """
        if self.is_held:
            return True
        descriptor = None
        with suppress(OSError):
            make_private(self.folder)
            descriptor = os.open(self._file, os.O_RDWR | os.O_CREAT, 0o600)
        if descriptor is not None:
            try:
                _lock(descriptor)
            except (BlockingIOError, PermissionError):
                os.close(descriptor)
                return False
            except OSError:
                os.close(descriptor)
                descriptor = None
        self.is_held, self._descriptor = True, descriptor
        return True

    def release(self) -> None:
        """Release the lock."""
        self.is_held = False
        if self._descriptor is not None:
            os.close(self._descriptor)  # closing the file releases the lock
            self._descriptor = None


@contextmanager
def hold(lock: DocumentLock | None) -> Iterator[None]:
    """Hold a lock, or nothing. Wait for another process that holds it. Raise BlockingIOError if that takes too long."""
    end = time.monotonic() + PATIENCE
    while lock is not None and not lock.acquire():
        if time.monotonic() > end:
            raise BlockingIOError(errno.EBUSY, os.strerror(errno.EBUSY))
        time.sleep(_STEP)
    try:
        yield
    finally:
        if lock is not None:
            lock.release()


def lock_name(path: Path) -> str:
    """Return the name of a file's lock and log. All spellings of a path have the same name."""
    return blake2b(str(path.resolve()).encode("utf-8", "surrogateescape"), digest_size=12).hexdigest()


def lock_untitled(folder: Path) -> DocumentLock:
    """Acquire and return a lock named `untitled-n` that no other process holds and that has no log."""
    locks = (DocumentLock(folder, f"untitled-{number}") for number in count(1))
    return next(lock for lock in locks if not (folder / f"{lock.name}.log").exists() and lock.acquire())


if sys.platform == "win32":
    from ctypes import windll

PATIENCE = 1.5  # seconds to wait for a busy window
_STEP = 0.02
_TOKEN = "XDG_ACTIVATION_TOKEN"  # tells a Wayland compositor that the user asked for a window


def requests_folder(state_folder: Path) -> Path:
    """Return the folder of requests."""
    return state_folder / "requests"


def ask_window(state_folder: Path, path: Path, patience: float = PATIENCE) -> bool:
    """Ask the window that has a file open to come to the front. Return whether it did."""
    folder, name = requests_folder(state_folder), lock_name(path)
    if not _is_alive(folder / f"{name}.window"):
        return False
    if sys.platform == "win32":
        windll.user32.AllowSetForegroundWindow(-1)  # the user started this process, so it can pass on the focus
    request, part = folder / f"{name}.raise", folder / f"{name}.{os.getpid()}.part"
    try:
        part.write_text(os.environ.get(_TOKEN, ""), encoding="utf-8")
        part.replace(request)
    except OSError:
        return False
    end = time.monotonic() + patience
    while time.monotonic() < end:
        if not request.exists():
            return True
        time.sleep(_STEP)
    try:
        request.unlink()
    except OSError:
        return True  # the request was just answered
    return False


def _is_alive(presence: Path) -> bool:
    """Whether a window exists: its file must exist and, if that can be checked, also its process."""
    try:
        process = int(presence.read_text(encoding="ascii"))
    except (OSError, ValueError):
        return False
    if os.name == "posix":
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            return False
        except OSError:
            pass
    return True


class WindowRequests:
    """The requests to one window."""

    def __init__(self, state_folder: Path) -> None:
        self.folder = requests_folder(state_folder)
        self._name = ""

    def follow(self, path: Path | None) -> None:
        """Accept requests for a file instead of the previous one. None means that the window has no file."""
        name = lock_name(path) if path is not None else ""
        if name == self._name:
            return
        with suppress(OSError):
            if self._name:
                (self.folder / f"{self._name}.window").unlink(missing_ok=True)
        self._name = name
        with suppress(OSError):
            if name:
                make_private(self.folder)
                (self.folder / f"{name}.window").write_text(str(os.getpid()), encoding="ascii")

    def take(self) -> str | None:
        """Answer a request and return its activation token. Return None without a request."""
        if not self._name:
            return None
        request = self.folder / f"{self._name}.raise"
        try:
            token = request.read_text(encoding="utf-8")
            request.unlink()
        except (OSError, ValueError):
            return None
        return token


def pass_on_token(token: str) -> None:
    """Set an activation token, which Qt uses for the next window it activates."""
    if token:
        os.environ[_TOKEN] = token
