"""Typst's compiler, which keeps what it laid out for the last document and forgets it for those before.

Typst keeps it for ten compilations, whatever its size: for packets of a hundred pages that is some gigabytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

_EMPTY: Final = 5  # compilations of nothing after each document, so that two documents make up the ten


TYPST_FAILED: Final = "Typst failed on this page: {}"
_PANIC: Final = "PanicException"  # of Rust; not an Exception, so that `except Exception` passes it by


class TypstPanicError(RuntimeError):
    """Raised if Typst itself fails on a document, with Typst's message."""


class TypstCompiler:
    """Compiles documents of a folder with some folders of fonts; `typst.TypstError` for a mistake in a template."""

    def __init__(self, root: Path, fonts: Sequence[Path]) -> None:
        import typst  # a heavy library, loaded with the first printing

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
