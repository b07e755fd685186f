"""Each figure of the fight sheet counts: moved by one, it moves the results of the same fights of a sample encounter."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from random import Random

import numpy as np
import pytest

from turnwright.bootstrap import RuleSystems
from turnwright.encounter.lookups import scene_of
from turnwright.forecast import sheet as columns
from turnwright.forecast.compiled import fight_loop
from turnwright.forecast.estimate import packed_sheet
from turnwright.forecast.sheet import Sheet
from turnwright.forecast.sheet_builder import build_sheet
from turnwright.storage.encounters import read_encounter
from turnwright.storage.resources import sample_encounters
from turnwright.workspace.fight_forecast import begun_copy

SYSTEMS = RuleSystems()
FILES = {file.stem: file for file in sample_encounters()}
FIGHTS, TRIES = 1000, 150

# The figures of each table, by the names of its columns. What is missing here is the number of a row, of a kind or of a
# count of rows, which another number would lead astray; no sample has all that `RARE` names.
FIGURES = {
    "combatants": "HP HP_MAX TEMP_HP FLOOR INSTANT MASSIVE AMOUNT BONUS REACTIONS LEGENDARY REGAINS REGAIN_STOP PARRY "
    "SURPRISED PARTY",
    "slots": "SLOT_BONUS SLOT_EDGE SLOT_COUNT SLOT_ROLLED SLOT_RANK SLOT_DIE SLOT_ROLLS_TIES SLOT_TIE_BONUS "
    "SLOT_SHARED",
    "actions": "PRICE TAKES SECOND_TAKES TARGETS MELEE ONCE",
    "supplies": "SUPPLY_LEFT SUPPLY_MOST SUPPLY_RECHARGE",
    "sources": "TALLY RANGED",
    "cells": "MARGIN_OF EDGE DIE FLAT CERTAIN",
    "parts": "LEAST TIMES",
    "states": "BLEED UP_HP",
    "massive_cells": "MARGIN_OF EDGE DIE CERTAIN",
    "conditions": "TURN_LOSS STOPS_MOVING STOPS_REACTIONS ENDED_FOR ON_WAKING",
    "holder_changes": "CHANGE_EDGES CHANGE_ADDS",
    "target_changes": "CHANGE_EDGES CHANGE_ADDS CHANGE_CERTAIN",
    "inflictions": "ON_RESULTS",
    "ending_cells": "MARGIN_OF EDGE DIE CERTAIN",
    "world": "READY RECHARGE REACHES_EACH",
    "pools": "DICE LOWEST STARTS RUNNING ENDS_FIGHT",
    "waves": "WAVE_ROUND",
    "outcomes": "",
    "degrees": "",
    "shares": "",
    "tallies": "",
    "taken": "",
    "immune": "",
    "rounds_away": "",
    "world_reach": "",
    "enmity": "",
}
RARE = {
    "SLOT_COUNT": "nobody's count is given before the fight",
    "SLOT_RANK": "moved by one, it breaks ties as before or is one of all",
    "SLOT_ROLLED": "the same",
    "REGAIN_STOP": "a mask of types: moved by one, it names some that nobody deals there",
    "STOPS_REACTIONS": "no sample has such a condition against one who parries",
}
NEEDS = {"REACTIONS": "PARRY"}  # a figure that counts only where another isn't 0


@lru_cache
def sheets() -> tuple[Sheet, ...]:
    """The sheets of all sample encounters."""
    found = []
    for file in FILES.values():
        encounter = read_encounter(file, SYSTEMS.ids).encounter
        assert encounter is not None
        rules = SYSTEMS.get(scene_of(encounter).system)
        copy = begun_copy(encounter, rules)
        found.append(build_sheet(copy.encounter, rules, copy.waiting)[0])
    return tuple(found)


@lru_cache
def results(number: int) -> tuple[np.ndarray, np.ndarray]:
    return fight_loop().play(packed_sheet(sheets()[number]), 9, 0, FIGHTS)


def moved(sheet: Sheet, table: str, place: tuple[int, ...], by: int) -> Sheet:
    changed = getattr(sheet, table).copy()
    changed[place] += by
    return replace(sheet, **{table: changed})


def entries(table: str, column: str) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Places of a column in all samples, in a random order: every other one of those that aren't 0."""
    rng, kept = Random(f"{table} {column}"), getattr(columns, column) if column else slice(None)
    for attempt in range(TRIES):
        number = rng.randrange(len(sheets()))
        rows = getattr(sheets()[number], table)
        if column in NEEDS:
            rows = rows * (rows[:, getattr(columns, NEEDS[column])] != 0)[:, np.newaxis]
        figures = rows[..., kept]
        places = np.argwhere(figures if attempt % 2 or column in NEEDS else np.ones_like(figures))
        if len(places):
            place = tuple(int(each) for each in places[rng.randrange(len(places))])
            yield number, (*place, kept) if column else place


@pytest.mark.sampled(8)
@pytest.mark.parametrize(
    ("table", "column"),
    [(table, column) for table, named in FIGURES.items() for column in named.split() or [""] if column not in RARE],
)
def test_a_figure_that_is_moved_by_one_moves_a_result(table: str, column: str):
    assert fight_loop().warm()
    for number, place in entries(table, column):
        for by in (1, -1):
            value = getattr(sheets()[number], table)[place] + by
            if value < 0 and column not in ("SLOT_BONUS", "SLOT_EDGE", "SLOT_TIE_BONUS", "MARGIN_OF", "EDGE", "DIE"):
                continue
            if table in ("outcomes", "degrees", "shares") and value > columns.CRITICAL_SUCCESS:
                continue
            fights, sums = fight_loop().play(packed_sheet(moved(sheets()[number], table, place, by)), 9, 0, FIGHTS)
            if not (np.array_equal(fights, results(number)[0]) and np.array_equal(sums, results(number)[1])):
                return
    pytest.fail(f"nothing moves with {table} {column}")
