"""The user's library, for panels and dialogs."""

from functools import lru_cache
from pathlib import Path

from turnwright.storage.library.entries import Library
from turnwright.workspace.settings import folders


def default_library() -> Library:
    """Return a library of the user's entries and the built-in ones. Its index is in the state folder."""
    usual = folders()
    return _library(usual.library, usual.library_index)


@lru_cache(maxsize=1)
def _library(folder: Path, index: Path) -> Library:
    """Return the library of a folder: the same at each call, so that the index is read only once."""
    return Library.standard(folder, index)
