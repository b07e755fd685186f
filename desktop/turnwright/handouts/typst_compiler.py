"""Typst's compiler with a smaller cache: it keeps only the layout of the last document.

By default, Typst keeps the layouts of ten compilations of any size: some gigabytes for packets of a hundred pages.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

_EMPTY: Final = 5  # empty compilations after each document, so that two documents fill the ten


TYPST_FAILED: Final = "Typst failed on this page: {}"
_PANIC: Final = "PanicException"  # raised by Rust code; not an Exception, so `except Exception` doesn't catch it


class TypstPanicError(RuntimeError):
    """Raised with Typst's message if Typst itself fails on a document."""


class TypstCompiler:
    """Compiles documents in a folder, with additional font folders. Template errors raise `typst.TypstError`."""

    def __init__(self, root: Path, fonts: Sequence[Path]) -> None:
        import typst  # a heavy library, loaded for the first document

        self._compiler = typst.Compiler(root=root, font_paths=list(fonts))
        self._nothing = typst.Compiler(b"", ignore_system_fonts=True)

    def compile(self, main: Path, **options: Any) -> Any:
        """Return a document as bytes, or its pages as a list of bytes. Raise TypstPanicError if Typst itself fails."""
        try:
            return self._compiler.compile(main, **options)
        except BaseException as panic:
            if type(panic).__name__ != _PANIC:
                raise
            raise TypstPanicError(str(panic)) from None
        finally:
            for _ in range(_EMPTY):
                self._nothing.compile(b"")
