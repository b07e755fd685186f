"""The user's library, for panels and dialogs."""

from turnwright.storage.library.entries import Library
from turnwright.workspace.settings import folders


def default_library() -> Library:
    """Return a library of the user's entries and the built-in ones. Its index is in the state folder."""
    usual = folders()
    return Library.standard(usual.library, usual.library_index)
