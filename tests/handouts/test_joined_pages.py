"""Joined documents: tags, bookmarks and metadata are those of all parts, and nothing is claimed that isn't true."""

from __future__ import annotations

from functools import cache
from io import BytesIO

import pytest
import typst
from pypdf import PdfReader

from tests.handouts.pdf_pages import bookmarks_of, read_pages, tags
from turnwright.handouts.joined_pages import joined_pdf, page_count

TABLE = "#heading[{0}]\n#table(columns: 2, table.header([{0} a], [{0} b]), [1], [2])\n#pagebreak()\nSecond page of {0}."
TEXTS = ("One", "Two", "Three")


@cache
def part(text: str, standard: str = "a-2b") -> bytes:
    """Return a document of two pages with a heading and a table; the empty text gives one empty page."""
    body = TABLE.format(text) if text else ""
    source = f'#set document(title: "A ford")\n#set page(width: 90mm, height: 60mm)\n{body}'
    return typst.compile(source.encode(), pdf_standards=[standard] if standard else [])


def joined(*parts: bytes) -> PdfReader:
    return PdfReader(BytesIO(joined_pdf(parts)))


def kinds(reader: PdfReader) -> list[str]:
    return [tag["/S"] for tag in tags(reader)]


def test_the_tags_are_those_of_all_parts_in_order():
    made = joined(*map(part, ("One", "", "Two")))
    assert kinds(made) == [kind for text in ("One", "", "Two") for kind in kinds(PdfReader(BytesIO(part(text))))]
    assert made.root_object["/MarkInfo"]["/Marked"].value
    root = made.root_object.raw_get("/StructTreeRoot")
    assert all(document.get_object().raw_get("/P") == root for document in root.get_object()["/K"])


def test_each_page_leads_to_its_tags_and_each_tag_to_its_page():
    made = joined(*map(part, ("One", "", "Two")))
    numbered = made.root_object["/StructTreeRoot"]["/ParentTree"]["/Nums"]
    by_number = dict(zip(numbered[::2], numbered[1::2], strict=True))
    shown = [number for page in made.pages if (number := page.get("/StructParents")) is not None]
    assert shown == list(by_number) == list(range(made.root_object["/StructTreeRoot"]["/ParentTreeNextKey"]))
    for page in made.pages:
        for tag in by_number[page["/StructParents"]].get_object() if "/StructParents" in page else ():
            assert tag.get_object().raw_get("/Pg") == page.indirect_reference


def test_cells_of_tables_find_the_heads_of_their_own_table():
    made = joined(*map(part, TEXTS))
    named = made.root_object["/StructTreeRoot"]["/IDTree"]["/Names"]
    heads = dict(zip(named[::2], (each.get_object() for each in named[1::2]), strict=True))
    assert (len(heads), list(heads)) == (2 * len(TEXTS), sorted(heads))
    cells = [tag for tag in tags(made) if tag["/S"] == "/TD"]
    found = [heads[id] for tag in cells for each in tag["/A"] for id in each.get("/Headers", ())]
    assert [tag["/Pg"].indirect_reference for tag in found] == [tag["/Pg"].indirect_reference for tag in cells]
    assert {id for id, head in heads.items() if head["/ID"] == id} == heads.keys()


def test_pages_bookmarks_and_metadata_are_those_of_the_whole():
    parts = [part(text) for text in TEXTS]
    whole = joined_pdf(parts)
    made = PdfReader(BytesIO(whole))
    assert [page.text for page in read_pages(whole)] == [page.text for each in parts for page in read_pages(each)]
    assert bookmarks_of(whole) == [(1, "One"), (3, "Two"), (5, "Three")]
    assert (page_count(whole), made.metadata.title, made.root_object["/Lang"]) == (6, "A ford", "en")
    assert b"<xmpTPg:NPages>6<" in made.root_object["/Metadata"].get_data()


@pytest.mark.parametrize("lacking", [0, 2])
def test_a_document_is_only_said_to_meet_a_standard_that_all_parts_meet(lacking):
    parts = [part(text, "" if number == lacking else "a-2b") for number, text in enumerate(TEXTS)]
    made = joined(*parts)
    assert b"pdfaid:part" not in made.root_object["/Metadata"].get_data()
    assert "/OutputIntents" not in made.root_object
    assert b"<pdfaid:part>2<" in joined(*map(part, TEXTS)).root_object["/Metadata"].get_data()
