"""The state of a document's files on disk when they were last seen."""

from __future__ import annotations

import msgspec


class FileOrigin(msgspec.Struct, frozen=True, omit_defaults=True):
    """The files of a document as last seen: digests, empty for none, and the person's own text, from which saves start."""

    path: str = ""
    digest: str = ""
    fight: str = ""
    text: str = ""
