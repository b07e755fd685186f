"""The user's library, for panels and dialogs."""

from functools import lru_cache

from turnwright.storage.library.entries import Library
from turnwright.workspace.settings import folders

_library = lru_cache(maxsize=1)(Library.standard)  # the same at each call, so that its index is read only once


def default_library() -> Library:
    """Return a library of the user's entries and the built-in ones. Its index is in the state folder."""
    usual = folders()
    return _library(usual.library, usual.library_index)
