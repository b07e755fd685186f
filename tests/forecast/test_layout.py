"""The fight by name: rows with named columns, and every table of the sheet, of the state and of the sums in its place."""

from __future__ import annotations

from dataclasses import fields, replace

import numpy as np
import pytest

from tests.forecast.hand_made import Fighter, sheet_of
from turnwright.forecast import sheet as columns
from turnwright.forecast.estimate import packed_sheet
from turnwright.forecast.layout import FIELDS, MOST_SIDES, FightResult, Now, row_of
from turnwright.forecast.sheet import Sheet, SheetRow

FIGHTERS = (Fighter(0, 12), Fighter(0, 9), Fighter(1, 30))
NUMBERS_OF_SHEET = {"die", "turn", "round"}  # these have other names in a fight


def test_a_class_of_rows_has_the_numbers_of_its_columns_and_a_row_their_values():
    class Place(SheetRow):
        """A row of three columns."""

        left, top, side = range(3)

    assert (Place.fields, Place.width, Place.side) == (("left", "top", "side"), 3, 2)
    assert list(Place()) == [0, 0, 0]
    place = Place(4, 5, 6)
    place.top = 9
    assert list(place) == [4, 9, 6]
    with pytest.raises(ValueError, match="shorter"):
        Place(1)


def test_the_columns_of_each_class_are_numbered_in_order():
    for name in FIELDS:
        row = row_of(FIELDS[name])
        if row is not None:
            assert [getattr(row, field) for field in row.fields] == list(range(row.width)), name


def test_a_fight_has_every_table_of_the_sheet():
    fight = packed_sheet(sheet_of(FIGHTERS)).plain(2)
    assert {field.name for field in fields(Sheet)} - NUMBERS_OF_SHEET <= set(FIELDS)
    assert [(one.hp_max, one.side) for one in fight.combatants] == [(12, 0), (9, 0), (30, 1)]
    assert [(span.first, span.last) for span in fight.foe_spans] == [(0, 1), (1, 3)]
    assert (fight.foes, fight.members, fight.party) == ([2, 0, 1], [0, 1, 2], [0, 1])
    assert (fight.check_die, fight.party_hp, fight.party_count) == (20, 21, 2)
    assert (len(fight.now), len(fight.results)) == (3, 2)
    assert (Now.bits, FightResult.bits, columns.FighterRow.bits) == (64, 64, 32)


def test_sums_are_parts_of_one_array():
    packed = packed_sheet(sheet_of(FIGHTERS))
    sums = np.arange(packed.sums_size)
    assert [number for place in packed.sums.values() for number in sums[place]] == sums.tolist()


def test_a_fight_has_a_limit_of_sides():
    sides = MOST_SIDES + 1
    sheet = replace(sheet_of(FIGHTERS), enmity=1 - np.eye(sides, dtype=np.int8))
    with pytest.raises(ValueError, match=f"{sides} sides"):
        packed_sheet(sheet)
