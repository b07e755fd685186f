"""How a process asks the window that has a file open to come to the front: by files in a private folder.

A window that holds a file's lock writes its process id into `NAME.window`. Who wants the file in front writes
`NAME.raise`, and has its answer when the window has removed that.
"""

from __future__ import annotations

import os
import sys
import time
from contextlib import suppress
from pathlib import Path

from turnwright.storage.atomic import make_private
from turnwright.workspace.locks import lock_name

if sys.platform == "win32":
    from ctypes import windll

PATIENCE = 1.5  # seconds: a window that is busy for longer does not answer
_STEP = 0.02
_TOKEN = "XDG_ACTIVATION_TOKEN"  # by which a Wayland compositor knows that the person asked for a window


def requests_folder(state_folder: Path) -> Path:
    """Return the folder of requests."""
    return state_folder / "requests"


def ask_window(state_folder: Path, path: Path, patience: float = PATIENCE) -> bool:
    """Ask the window that has a file open to come to the front; return whether one has done so."""
    folder, name = requests_folder(state_folder), lock_name(path)
    if not _is_alive(folder / f"{name}.window"):
        return False
    if sys.platform == "win32":
        windll.user32.AllowSetForegroundWindow(-1)  # the person has turned to this process, so it may pass that on
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
        return True  # answered just now
    return False


def _is_alive(presence: Path) -> bool:
    """Return whether a window is there: its file, and its process where that can be found out."""
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
        """Take the requests for a file, and those for another no more; None for a window without a file of its own."""
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
        """Answer a request; return its token of activation, None where there is no request."""
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
    """Let Qt use a token of activation for the next window that it activates."""
    if token:
        os.environ[_TOKEN] = token
