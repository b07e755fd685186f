"""Joins typeset PDFs into one document that keeps the tags for screen readers, the bookmarks and true metadata.

pypdf copies pages and bookmarks but omits the tags, so their trees are joined here. Typst writes each tree flat: one array
with the tags of each page, and one with the heads of tables, whose ids are unique only in their part.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from io import BytesIO
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from pypdf import PdfReader, PdfWriter

ROOT_ENTRIES: Final = ("/Lang", "/Metadata", "/OutputIntents", "/ViewerPreferences", "/MarkInfo")
_STANDARD: Final = "/OutputIntents"  # only PDF/A documents have them
_LENGTH: Final = re.compile(rb"(?<=<xmpTPg:NPages>)\d+")


def joined_pdf(parts: Sequence[bytes]) -> bytes:
    """Join PDFs. The metadata is the first part's, with the number of all pages.

    If a part isn't PDF/A, its metadata is used instead, so the document doesn't claim this standard.
    """
    from pypdf import PdfReader, PdfWriter  # a heavy library, only for large documents
    from pypdf.generic import NameObject

    writer = PdfWriter()
    readers = [PdfReader(BytesIO(part)) for part in parts]
    for reader in readers:
        writer.append(reader)
    _join_tags(writer, readers)
    chosen = next((reader for reader in readers if _STANDARD not in reader.root_object), readers[0])
    for name in ROOT_ENTRIES:
        if name in chosen.root_object:
            writer.root_object[NameObject(name)] = chosen.root_object.raw_get(name).clone(writer)
    metadata: Any = writer.root_object["/Metadata"]
    metadata.set_data(_LENGTH.sub(str(len(writer.pages)).encode(), metadata.get_data()))
    writer.metadata = chosen.metadata
    writer.generate_file_identifiers()
    out = BytesIO()
    writer.write(out)
    return out.getvalue()


def page_count(pdf: bytes) -> int:
    """Return the number of pages of a PDF."""
    from pypdf import PdfReader

    return len(PdfReader(BytesIO(pdf)).pages)


def _join_tags(writer: PdfWriter, readers: Sequence[PdfReader]) -> None:
    """Add the tags of all parts to the first part's, with new numbers for pages and new ids for the heads of tables."""
    from pypdf.generic import ArrayObject, DictionaryObject, NameObject, NumberObject

    documents, numbers = ArrayObject(), ArrayObject()
    heads: dict[Any, Any] = {}
    pages = iter(writer.pages)
    trees: list[Any] = [reader.root_object["/StructTreeRoot"].clone(writer) for reader in readers]
    whole = trees[0]
    for part, (reader, tree) in enumerate(zip(readers, trees, strict=True)):
        for before, page in zip(reader.pages, pages, strict=False):
            if (place := before.get("/StructParents")) is not None:
                number = NumberObject(len(numbers) // 2)
                page[NameObject("/StructParents")] = number
                numbers.extend((number, tree["/ParentTree"]["/Nums"][2 * place + 1]))
        for document in tree["/K"]:
            document.get_object()[NameObject("/P")] = whole.indirect_reference
            documents.append(document)
            _rename_heads(document, f"{part:04}", heads)
    whole[NameObject("/K")] = documents
    by_id = ArrayObject(each for pair in sorted(heads.items()) for each in pair)
    whole[NameObject("/ParentTree")] = DictionaryObject({NameObject("/Nums"): numbers})
    whole[NameObject("/ParentTreeNextKey")] = NumberObject(len(numbers) // 2)
    whole[NameObject("/IDTree")] = DictionaryObject({NameObject("/Names"): by_id})
    writer.root_object[NameObject("/StructTreeRoot")] = whole.indirect_reference


def _rename_heads(reference: Any, prefix: str, heads: dict[Any, Any]) -> None:
    """Put a prefix in front of the ids of table heads within a tag, and collect the heads by their ids."""
    from pypdf.generic import ArrayObject, NameObject, TextStringObject

    tag = reference.get_object()
    if "/ID" in tag:
        id = tag[NameObject("/ID")] = TextStringObject(prefix + tag["/ID"])
        heads[id] = reference
    for attributes in tag.get("/A", ()):
        if "/Headers" in attributes:
            ids = (TextStringObject(prefix + id) for id in attributes["/Headers"])
            attributes[NameObject("/Headers")] = ArrayObject(ids)
    for kid in tag.get("/K", ()):
        if hasattr(kid.get_object(), "keys"):  # anything else is a number of a page's contents
            _rename_heads(kid, prefix, heads)
