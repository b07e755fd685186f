"""Joins separately typeset documents, since typesetting a large packet in one go takes gigabytes of memory."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from typing import Final

ROOT_ENTRIES: Final = ("/Lang", "/Metadata", "/OutputIntents", "/ViewerPreferences")  # identical in all parts


def joined_pdf(parts: Sequence[bytes]) -> bytes:
    """Join PDFs into one with all bookmarks and the metadata of the first. Accessibility tags are lost."""
    from pypdf import PdfReader, PdfWriter  # a heavy library, only for large documents
    from pypdf.generic import NameObject

    writer = PdfWriter()
    readers = [PdfReader(BytesIO(part)) for part in parts]
    for reader in readers:
        writer.append(reader)
    for page in writer.pages:
        page.pop("/StructParents", None)
    first = readers[0].root_object
    for name in ROOT_ENTRIES:
        if name in first:
            writer.root_object[NameObject(name)] = first.raw_get(name).clone(writer)
    writer.metadata = readers[0].metadata
    writer.generate_file_identifiers()
    out = BytesIO()
    writer.write(out)
    return out.getvalue()


def page_count(pdf: bytes) -> int:
    """Return the number of pages of a PDF."""
    from pypdf import PdfReader

    return len(PdfReader(BytesIO(pdf)).pages)
