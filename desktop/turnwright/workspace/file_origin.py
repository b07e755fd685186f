"""What a document knows of its files on disk."""

from __future__ import annotations

import msgspec


class FileOrigin(msgspec.Struct, frozen=True, omit_defaults=True):
    """What stands on disk for a document, as far as it knows: digests and the person's own text, empty for none."""

    path: str = ""
    digest: str = ""
    fight: str = ""
    text: str = ""
