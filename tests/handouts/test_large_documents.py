"""Large documents are typeset kind by kind in a process of its own, joined, and stopped at any moment."""

from __future__ import annotations

import threading
from io import BytesIO
from pathlib import Path

import pytest
from pypdf import PdfReader

from tests.handouts import samples
from turnwright.handouts import typesetter
from turnwright.handouts.page_input import PrintDocument, PrintOptions, Section, print_document
from turnwright.handouts.typesetter import TypesetError, Typesetter, this_program
from turnwright.workspace.print_job import fixed_words

SAMPLE = next(path for path in samples.SAMPLES if path.stem == "cold-ford-bridge")
KINDS = ("stat-blocks", "creature-cards", "initiative-tents", "reference")
ENDLESS = "#for a in range(20000) { for b in range(20000) { let c = calc.sin(a + b) } }\n#let sheet(packet, data) = []"
PATIENCE = 60


@pytest.fixture
def press():
    with Typesetter((samples.TEMPLATES,)) as press:
        yield press


@pytest.fixture
def no_document_is_small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(typesetter, "LARGE", 0)


def document(sides: str, title: str = "A ford") -> PrintDocument:
    options = PrintOptions(sides=sides, creatures=("river-raider",))
    source = samples.source(samples.sample(SAMPLE), options)
    kinds = [kind for kind in samples.KINDS if kind.id in KINDS]
    return print_document(source, kinds, title, fixed_words(samples.words(), source.rules))


def bookmarks(reader: PdfReader) -> list[tuple[str, int]]:
    """Return the bookmarks with their pages, those within others after them."""
    found: list[tuple[str, int]] = []

    def add(entries) -> None:
        for entry in entries:
            if isinstance(entry, list):
                add(entry)
            else:
                found.append((entry.title, reader.get_destination_page_number(entry)))

    add(reader.outline)
    return found


@pytest.mark.sampled(1)
@pytest.mark.parametrize("sides", ["one", "two"])
def test_a_large_document_is_the_same_as_a_small_one(press, monkeypatch, sides):
    whole = PdfReader(BytesIO(press.typeset(document(sides)).pages[0]))
    pictures = press.typeset(document(sides), "png", 20).pages
    monkeypatch.setattr(typesetter, "LARGE", 0)
    joined = PdfReader(BytesIO(press.typeset(document(sides)).pages[0]))
    assert [page.extract_text() for page in joined.pages] == [page.extract_text() for page in whole.pages]
    assert [page.mediabox for page in joined.pages] == [page.mediabox for page in whole.pages]
    assert bookmarks(joined) == bookmarks(whole)
    assert {name for name, _ in bookmarks(joined)} >= {"Stat blocks", "River raider", "Reference"}
    assert press.typeset(document(sides), "png", 20).pages == pictures


@pytest.mark.soak
@pytest.mark.usefixtures("no_document_is_small")
def test_a_large_document_keeps_its_title_its_language_and_its_colours(press):
    made = PdfReader(BytesIO(press.typeset(document("one")).pages[0]))
    assert made.metadata.title == "A ford"
    assert made.root_object["/Lang"] == "en"
    assert made.root_object["/OutputIntents"][0]["/S"] == "/GTS_PDFA1"
    assert b"<dc:title>" in made.root_object["/Metadata"].get_data()


@pytest.mark.soak
@pytest.mark.usefixtures("no_document_is_small")
def test_characters_without_a_font_are_told_of_all_parts_once(press):
    made = press.typeset(document("one", "A \U000f1234 ford"))
    assert made.missing_characters == ("\U000f1234",)


@pytest.mark.soak
@pytest.mark.usefixtures("no_document_is_small")
def test_each_kind_has_a_process_of_its_own_that_the_next_change_of_it_finds(press, monkeypatch):
    started = []
    monkeypatch.setattr(typesetter, "this_program", lambda: started.append(1) or this_program())
    press.typeset(document("one"))
    assert len(started) == len(KINDS)
    (last,) = (section for section in document("one").sections if section.kind == "reference")
    for title in ("One", "Another"):
        press.typeset(PrintDocument(title, (last,), words=document("one").words), "png", 20)
    assert len(started) == len(KINDS)


@pytest.mark.usefixtures("no_document_is_small")
def test_a_stop_between_two_kinds_ends_the_document(press, monkeypatch):
    counted = typesetter.page_count
    monkeypatch.setattr(typesetter, "page_count", lambda pdf: press.stop() or counted(pdf))
    with pytest.raises(TypesetError, match="was stopped"):
        press.typeset(document("one"))


@pytest.mark.soak
@pytest.mark.usefixtures("no_document_is_small")
def test_a_stop_while_the_process_starts_ends_it(press, monkeypatch):
    started = []

    def stopping() -> list[str]:
        if not started:
            press.stop()
        started.append(1)
        return this_program()

    monkeypatch.setattr(typesetter, "this_program", stopping)
    with pytest.raises(TypesetError, match="ended"):
        press.typeset(document("one"))
    assert len(started) == 1
    assert press.typeset(document("one")).pages[0].startswith(b"%PDF")


@pytest.mark.soak
@pytest.mark.usefixtures("no_document_is_small")
def test_a_large_document_is_stopped_at_once_and_the_next_is_typeset(tmp_path: Path):
    folder = tmp_path / "templates"
    folder.mkdir()
    (folder / "endless.typ").write_text(ENDLESS, encoding="utf-8")
    with Typesetter((samples.TEMPLATES, folder)) as press:
        failed: list[TypesetError] = []

        def work() -> None:
            try:
                press.typeset(PrintDocument("t", (Section("endless", {}),)))
            except TypesetError as error:
                failed.append(error)

        worker = threading.Thread(target=work)
        press.stop_large()  # there is nothing to stop
        worker.start()
        while worker.is_alive() and not failed:
            press.stop_large()
            worker.join(0.1)
        worker.join(PATIENCE)
        assert "ended" in str(failed[0])
        assert press.typeset(document("one")).pages[0].startswith(b"%PDF")
