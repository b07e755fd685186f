"""Output that does a terminal no harm: control characters of names and files are printed as escape sequences.

What JSON would print as it is becomes an escape sequence of JSON itself, so that printed JSON stays JSON.
"""

from __future__ import annotations

import codecs
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from io import TextIOBase, TextIOWrapper
from typing import Final, TextIO

_HARMLESS: Final = "\t\n"
_CONTROLS: Final = {code: f"\\x{code:02x}" for code in range(0x20) if chr(code) not in _HARMLESS} | {
    code: f"\\u{code:04x}" for code in range(0x7F, 0xA0)
}
_LACKING: Final = (
    "turnwright.lacking"  # the name by which codecs know what is written for letters that a terminal lacks
)


def _escaped(error: UnicodeError) -> tuple[str, int]:
    """Return the escape sequences of the letters that could not be written, and the place behind them."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    units = error.object[error.start : error.end].encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at : at + 2].hex()}" for at in range(0, len(units), 2)), error.end


codecs.register_error(_LACKING, _escaped)


class EscapedStream(TextIOBase):
    """A text stream that writes control characters as escape sequences to another."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors=_LACKING)

    def write(self, text: str, /) -> int:
        """Write a text; return its length."""
        self._stream.write(text.translate(_CONTROLS))
        return len(text)

    def flush(self) -> None:
        """Flush the stream beneath."""
        self._stream.flush()

    def isatty(self) -> bool:
        """Return whether the stream beneath is a terminal."""
        return not self._stream.closed and self._stream.isatty()  # libraries ask when the program ends


@contextmanager
def escaped_output() -> Iterator[None]:
    """Escape control characters in all that is printed meanwhile. Programs without a console print nothing."""
    if sys.stdout is None or sys.stderr is None:
        yield
        return
    with redirect_stdout(EscapedStream(sys.stdout)), redirect_stderr(EscapedStream(sys.stderr)):
        yield
