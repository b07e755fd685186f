"""What stands around the pages of every kind: heads and feet, bookmarks, notes beside what is cut out, blank pages."""

from __future__ import annotations

import re
from io import BytesIO
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from pypdf import PdfReader

from tests.handouts import samples
from tests.handouts.pdf_pages import bookmarks_of, grey_pages, read_pages, tags
from tests.handouts.sample_pages import FILES, words_of
from turnwright.encounter.prepared import Creature, Feature, Handout, Map, MapPicture, RosterEntry, Scene
from turnwright.encounter.state import Encounter
from turnwright.handouts.kinds import creature_cards
from turnwright.handouts.page_input import PrintDocument, PrintOptions, print_document, sheets_of_paper
from turnwright.handouts.typesetter import Typesetter
from turnwright.workspace.print_job import fixed_words

SAMPLE = FILES["cold-ford-bridge"]
TITLE = "The bridge at Cold Ford"


def document(*ids: str, options: PrintOptions | None = None) -> PrintDocument:
    """Pages of a sample as they are printed."""
    encounter = samples.sample(SAMPLE)
    rules = samples.rules_of(encounter)
    kinds = tuple(kind for kind in samples.KINDS if kind.id in ids)
    source = samples.source(encounter, options, SAMPLE.parent)
    return print_document(source, kinds, TITLE, fixed_words(samples.words(), rules))


def pages_of(pdf: bytes, order: str = "-layout") -> list[str]:
    """The text of each page."""
    return [page.by_lines() if order == "-layout" else page.text for page in read_pages(pdf)]


def test_each_page_says_of_which_encounter_and_kind_it_is_and_its_number(press):
    pages = pages_of(press.typeset(document("encounter-sheet", "stat-blocks", "tracking-sheets")).pages[0])
    sheets = [page for page in pages if "Encounter sheet" in page[:80]]
    assert len(sheets) > 1
    for kind in ("Encounter sheet", "Stat blocks", "Tracking sheet"):
        mine = [page for page in pages if re.search(rf"{kind}( ·|$|[^a-z])", page[:90])]
        for number, page in enumerate(mine, 1):
            assert TITLE.casefold() in page[:60].casefold()
            if len(mine) > 1:
                assert f"page {number}/{len(mine)}" in page
            assert page.endswith("for the game master")
            assert "A5E" in page[-40:]


@pytest.mark.sampled(1)
@pytest.mark.parametrize("first", [(), ("running-sheet",)])  # a running sheet of a sample takes 400 MB
def test_a_kind_with_margins_of_its_own_counts_none_but_its_own_pages(press, first):
    kinds = (*first, "encounter-sheet", "map-sheets", "player-handouts")
    pages = pages_of(press.typeset(document(*kinds, options=PrintOptions(map="one-page"))).pages[0])
    heads = [
        found[0]
        for page in pages
        if (found := re.search(r"(Running sheet|Encounter sheet|Map)( · page \S+)?", page[:80]))
    ]
    own = ["Running sheet"] if first else []
    assert heads == [*own, "Encounter sheet · page 1/2", "Encounter sheet · page 2/2", "Map"]


def test_the_foot_says_which_edition_it_is(press):
    players = PrintOptions(edition="players")
    (page, *_) = pages_of(press.typeset(document("encounter-sheet", options=players)).pages[0])
    assert page.endswith("for the players")


CARDS = ("creature-cards",)  # their note is at the top


@pytest.mark.parametrize(
    ("kind", "name", "sides"),
    [("creature-cards", "Creature cards", "one side"), ("initiative-tents", "Initiative tents", "one side")],
)
def test_what_is_cut_out_has_no_head_and_says_beside_the_cut_how_to_print_it(press, kind, name, sides):
    pdf = press.typeset(document(kind)).pages[0]
    page = pages_of(pdf)[0]
    assert "for the game master" not in page
    told = " ".join(
        word.text
        for word in sorted(words_of(pdf), key=lambda one: one.left if kind in CARDS else -one.top)
        if word.page == 1 and min(word.right, word.bottom) < 9 * 72 / 25.4
    )
    assert name in told
    assert sides in told
    assert "50 mm" in told


@pytest.mark.parametrize(("words", "sides"), [(5, "one side"), (400, "both sides")])
def test_cards_are_for_both_sides_only_where_there_are_backs(press, words, sides):
    creature = Creature("beast", "Beast", features=(Feature("p", "P", text="pace " * words),))
    source = samples.source(Encounter([Scene(), creature, RosterEntry("a", "beast")]))
    made = print_document(source, (creature_cards.KIND,), TITLE, fixed_words(samples.words(), source.rules))
    pages = pages_of(press.typeset(made).pages[0], "-raw")
    assert len(pages) == (2 if sides == "both sides" else 1)
    assert all(sides in page for page in pages)


def test_handouts_have_nothing_around_them(press):
    (page, *_) = pages_of(press.typeset(document("player-handouts")).pages[0])
    assert TITLE not in page
    assert "game master" not in page


def test_each_kind_is_a_bookmark(press):
    found = bookmarks_of(press.typeset(document("encounter-sheet", "stat-blocks", "creature-cards")).pages[0])
    assert [name for _, name in found if name in ("Encounter sheet", "Stat blocks", "Creature cards")] == [
        "Encounter sheet",
        "Stat blocks",
        "Creature cards",
    ]
    assert found[0][0] == 1


@pytest.mark.parametrize("sides", ["one", "two"])
def test_on_both_sides_what_is_cut_out_begins_on_a_front(press, sides):
    options = PrintOptions(sides=sides, creatures=("river-raider",))
    kinds = ("stat-blocks", "creature-cards", "initiative-tents", "reference")
    pages = pages_of(press.typeset(document(*kinds, options=options)).pages[0], "-raw")
    cards = next(number for number, page in enumerate(pages, 1) if "Creature cards" in page)
    after = next(number for number, page in enumerate(pages, 1) if "Reference" in page)
    assert pages[0].startswith("T")
    if sides == "two":
        assert cards == 3
        assert pages[1] == ""
        assert after % 2 == 1
    else:
        assert cards == 2
        assert "" not in pages


@pytest.mark.parametrize(
    ("pages", "sides", "sheets"),
    [
        ([("page", 3), ("cut-two-sides", 2)], "one", 5),
        ([("page", 3), ("cut-two-sides", 2)], "two", 3),
        ([("page", 1), ("cut-one-side", 1), ("page", 2)], "two", 3),
        ([("page", 1), ("page", 1)], "two", 1),
        ([], "two", 0),
    ],
)
def test_sheets_of_paper_are_counted_with_their_blanks(pages, sides, sheets):
    assert sheets_of_paper(pages, sides) == sheets


def test_the_count_of_sheets_is_that_of_the_pages_set(press):
    options = PrintOptions(sides="two", creatures=("river-raider",))
    made = document("encounter-sheet", "stat-blocks", "creature-cards", "reference", options=options)
    counted = [
        (section.form, len(press.typeset(msgspec.structs.replace(made, sections=(section,)), "png", 10).pages))
        for section in made.sections
    ]
    whole = len(press.typeset(made, "png", 10).pages)
    assert sheets_of_paper(counted, "two") == -(-whole // 2)


def reached(wide: int, high: int, pixels: bytes) -> float:
    """The share of a page's height on which there is ink, between head and foot and beside the note of what is cut out."""
    beside = wide * 9 // 210
    rows = (pixels[row * wide + beside : (row + 1) * wide] for row in range(high * 14 // 297, high * 284 // 297))
    return sum(1 for row in rows if min(row) < 245) / high


# Pages with less ink than a third of their height: rows of cards to cut out, treasure mostly; eight in all would be too many.
FEW = {
    "lantern-climb": 3,
    "third-row": 1,
    "cold-ford-bridge": 1,
    "last-light": 1,
    "unquenched-works": 1,
}


@pytest.mark.soak
@pytest.mark.parametrize("name", FILES)
def test_hardly_a_page_of_a_sample_is_nearly_empty(name, press):
    source = samples.source(samples.sample(FILES[name]), None, FILES[name].parent)
    kinds = tuple(kind for kind in samples.KINDS if kind.id != "map-sheets")
    made = print_document(source, kinds, TITLE, fixed_words(samples.words(), source.rules))
    pages = [page for kind in samples.one_by_one(made) for page in grey_pages(press.typeset(kind).pages[0], 30)]
    few = [number for number, page in enumerate(pages, 1) if reached(*page) < 0.35]
    # One row of cards to cut out is no taller, front and back; a block that has no room on the page before it is alone.
    assert len(few) <= FEW.get(name, 0)


# ---- for screen readers ----


def tags_of(press: Typesetter, folder: Path, *ids: str) -> list[Any]:
    """Return the tags of pages of the sample, with a picture for each creature, the map and two handouts."""
    (folder / "seen.png").write_bytes(samples.png(30, 30))
    posters = (Handout("door", picture="seen.png"), Handout("poster", "Wanted alive", "wanted", picture="seen.png"))
    changes = {Creature: {"portrait": "seen.png"}, Map: {"picture": MapPicture("seen.png")}}
    records = [replace(record, **changes.get(type(record), {})) for record in samples.sample(SAMPLE)]
    made = samples.packet(Encounter([*records, *posters]), *ids, folder=folder)
    return [*tags(PdfReader(BytesIO(press.typeset(made).pages[0])))]


PICTURED = ("encounter-sheet", "stat-blocks", "creature-cards", "initiative-tents", "map-sheets", "running-sheet")


@pytest.mark.sampled(2)
@pytest.mark.parametrize("kind", [*PICTURED, "paper-minis", "player-handouts", "battle-mat"])
def test_each_picture_has_an_alternative_text(press, tmp_path, kind):
    told = [str(tag.get("/Alt", "")) for tag in tags_of(press, tmp_path, kind) if tag["/S"] == "/Figure"]
    assert told
    assert all(told)
    shown = {"battle-mat": "squares", "player-handouts": "Wanted alive", "stat-blocks": "River raider"}
    assert any(shown.get(kind, "Raider").casefold() in text.casefold() for text in told)


def test_the_parts_of_the_running_sheet_are_headings(press):
    foes = [Creature(f"foe-{number}", f"Foe {number}", hp=9) for number in range(3)]
    records = [Scene(title="A ford"), *foes, *(RosterEntry(one.id, one.id) for one in foes)]
    made = samples.packet(Encounter(records), "running-sheet")
    found = [tag["/S"] for tag in tags(PdfReader(BytesIO(press.typeset(made).pages[0])))]
    levels = [tag for tag in found if re.fullmatch("/H[0-9]", tag)]
    assert levels[0] == "/H2"
    assert "/H3" in levels
    assert levels.count("/H4") >= len(foes)
