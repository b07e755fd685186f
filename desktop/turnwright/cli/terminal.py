"""Safe output for terminals, the check for a display, and exit codes.

Makes output safe for terminals: control characters in names and files are printed as escape sequences.

Control characters in names and files are printed as escape sequences. Characters that JSON would print unchanged become
JSON escape sequences, so printed JSON stays valid. Qt ends the program if it can't open a window, so the display is
checked first.
"""

import codecs
import os
import sys
from collections.abc import Iterable, Iterator, Mapping, MutableMapping
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from io import TextIOBase, TextIOWrapper
from typing import Final, TextIO

from turnwright.storage.findings import Finding

FINDING: Final = 1
USAGE: Final = 2
INTERRUPTED: Final = 130
_HARMLESS: Final = "\t\n"
_CONTROLS: Final = {code: f"\\x{code:02x}" for code in range(0x20) if chr(code) not in _HARMLESS} | {
    code: f"\\u{code:04x}" for code in range(0x7F, 0xA0)
}
# The name of the codec error handler for characters missing in the terminal's encoding.
_LACKING: Final = "turnwright.lacking"


def _escaped(error: UnicodeError) -> tuple[str, int]:
    """Return escape sequences for characters that can't be encoded, and the position after them."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    units = error.object[error.start : error.end].encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at : at + 2].hex()}" for at in range(0, len(units), 2)), error.end


codecs.register_error(_LACKING, _escaped)


class EscapedStream(TextIOBase):
    """A text stream that writes to another stream, and escapes control characters."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors=_LACKING)

    def write(self, text: str, /) -> int:
        """Write a text; return its length."""
        self._stream.write(text.translate(_CONTROLS))
        return len(text)

    def flush(self) -> None:
        """Flush the other stream."""
        self._stream.flush()

    def isatty(self) -> bool:
        """Return whether the other stream is a terminal."""
        return not self._stream.closed and self._stream.isatty()  # libraries call this when the program exits


@contextmanager
def escaped_output() -> Iterator[None]:
    """Escape control characters in all output in a `with` block. Do nothing if the program has no console."""
    if sys.stdout is None or sys.stderr is None:
        yield
        return
    with redirect_stdout(EscapedStream(sys.stdout)), redirect_stderr(EscapedStream(sys.stderr)):
        yield


class Failed(Exception):
    """Raised if a verb can't be completed. Its message goes to standard error."""

    def __init__(self, message: object, code: int = FINDING) -> None:
        super().__init__(message)
        self.code = code


@contextmanager
def failing(subject: str, errors: tuple[type[Exception], ...] = (OSError,)) -> Iterator[None]:
    """Raise Failed with the subject and the reason if a file can't be read or written, or after other `errors`."""
    try:
        yield
    except errors as error:
        raise Failed(f"{subject}: {getattr(error, 'strerror', None) or error}") from error


def print_findings(findings: Iterable[Finding]) -> None:
    """Print findings to standard error."""
    for finding in findings:
        print(finding, file=sys.stderr)


_PLATFORM = "QT_QPA_PLATFORM"
_NEEDED = ("DISPLAY", "WAYLAND_DISPLAY", _PLATFORM)


def has_display(environment: Mapping[str, str] = os.environ, platform: str = sys.platform) -> bool:
    """Return whether a window can be opened."""
    return not platform.startswith(("linux", "freebsd")) or any(environment.get(name) for name in _NEEDED)


def use_offscreen_platform(environment: MutableMapping[str, str] = os.environ, platform: str = sys.platform) -> None:
    """Make Qt draw in memory if there isn't a display."""
    if not has_display(environment, platform):
        environment[_PLATFORM] = "offscreen"
