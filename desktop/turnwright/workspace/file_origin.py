"""The state of a document's files on disk when they were last seen."""

import msgspec


class FileOrigin(msgspec.Struct, frozen=True, omit_defaults=True):
    """A document's files as last seen: their digests, and the text that saves are based on.

    The digest of a missing file is empty.
    """

    path: str = ""
    digest: str = ""
    fight: str = ""
    text: str = ""
