"""Blank battle mats: nothing but a grid, of the size asked for."""

from __future__ import annotations

import pytest

from tests.handouts.samples import SAMPLES, packet, sample, source
from turnwright.encounter.prepared import Map, Scene
from turnwright.encounter.state import Encounter
from turnwright.handouts.kinds.battle_mat import KIND
from turnwright.handouts.page_input import PrintOptions

MAPPED = next(path for path in SAMPLES if (sample(path).get(Map, "map") or Map()).columns)


def made(encounter: Encounter, **options):
    return KIND.make(source(encounter, PrintOptions(**options)))


def squares(pages) -> int:
    return sum(page["columns"] * page["rows"] for page in pages)


@pytest.mark.parametrize(
    ("mat", "sheets", "count"), [("20x14", 4, 280), ("24 × 18", 8, 432), ("1X1", 1, 1), ("", 4, 280)]
)
def test_a_mat_is_as_large_as_asked_for(mat, sheets, count):
    (section,) = made(Encounter([Scene(system="a5e")]), mat=mat).sections
    assert len(section.data["pages"]) == sheets
    assert squares(section.data["pages"]) == count


def test_without_a_size_a_mat_is_as_large_as_the_map_and_shows_nothing_of_it(press):
    encounter = sample(MAPPED)
    (section,) = made(encounter).sections
    field = encounter.need(Map, "map")
    assert squares(section.data["pages"]) == field.columns * field.rows
    other = Encounter([Scene(system="a5e"), Map(columns=field.columns, rows=field.rows, cell=field.cell)])
    (blank,) = made(other).sections
    assert section.data == blank.data
    assert press.typeset(packet(encounter, "battle-mat", options=PrintOptions(ink="saving"))).missing_characters == ()


@pytest.mark.parametrize("mat", ["large", "0x5", "501x3", "5", "x"])
def test_what_is_no_size_is_told(mat):
    content = made(sample(MAPPED), mat=mat)
    assert content.sections == ()
    assert content.problems == (
        f"“{mat}” isn't a valid mat size. Use a size such as 24x18, with at most 500 squares per side.",
    )


def test_a_mat_of_very_many_sheets_is_not_laid_out_unasked():
    content = made(sample(MAPPED), mat="500x500")
    assert content.sections == ()
    assert content.problems[0].startswith("3600 sheets at one inch per square; at most 200")
    assert len(made(sample(MAPPED), mat="500x500", map_part="7").sections[0].data["pages"]) == 1


def test_a_mat_is_bare_paper_whatever_the_ink(press):
    (page,) = press.typeset(
        packet(Encounter([Scene(system="a5e")]), "battle-mat", options=PrintOptions(mat="3x3")), "svg"
    ).pages
    assert b"#fbf7ee" not in page
    map_page = packet(Encounter([Scene(system="a5e"), Map(columns=3, rows=3)]), "map-sheets")
    assert b"#fbf7ee" in press.typeset(map_page, "svg").pages[0]
