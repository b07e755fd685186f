"""Each figure of the fight sheet counts: moved by one, it moves the results of the same fights of a sample encounter."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from random import Random

import numpy as np
import pytest

from turnwright.bootstrap import RuleSystems
from turnwright.encounter.state import scene_of
from turnwright.forecast import sheet as columns
from turnwright.forecast.compiled import fight_loop
from turnwright.forecast.estimate import packed_sheet
from turnwright.forecast.layout import FIELDS, row_of
from turnwright.forecast.sheet import Sheet
from turnwright.forecast.sheet_builder import build_sheet
from turnwright.storage.encounters import read_encounter
from turnwright.storage.resources import sample_encounters
from turnwright.workspace.fight_forecast import begun_copy
from turnwright.workspace.kernel_library import await_kernels

SYSTEMS = RuleSystems()
FILES = {file.stem: file for file in sample_encounters()}
FIGHTS, TRIES = 1000, 600

# The figures of each table, by the names of its columns. What is missing here is the number of a row, of a kind or of a
# count of rows, which another number would lead astray; no sample has all that `RARE` names.
FIGURES = {
    "combatants": "hp hp_max temp_hp floor instant massive amount bonus reactions legendary regains regain_stop parry "
    "surprised party uncritical parry_takes parry_lasts parry_price rerolls dodges melee "
    "surprise_die surprise_bonus surprise_edge",
    "slots": "bonus edge count rolled rank die rolls_ties tie_bonus shared",
    "actions": "price takes second_takes targets melee once holds together spell gains waits",
    "supplies": "left most recharge",
    "sources": "tally ranged flank_adds flank_die",
    "cells": "margin edge die flat certain",
    "parts": "least times",
    "states": "bleed up_hp",
    "massive_cells": "margin edge die certain",
    "conditions": "turn_loss stops_moving stops_reactions ended_for on_waking stops_focus",
    "holder_changes": "edges adds die flat",
    "target_changes": "edges adds certain die flat",
    "inflictions": "on_results margin held",
    "ending_cells": "margin edge die certain",
    "world": "ready recharge reaches_each",
    "pools": "dice lowest starts running ends_fight",
    "waves": "round",
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
    "slots.count": "nobody's count is given before the fight",
    "slots.rank": "moved by one, it breaks ties as before or is one of all",
    "slots.rolled": "the same",
    "combatants.regain_stop": "a mask of types: moved by one, it names some that nobody deals there",
    "combatants.rerolls": "no sample has uses that roll a save again",
    "combatants.surprise_bonus": "no sample has surprise by passive scores",
    "combatants.surprise_edge": "the same",
    "combatants.dodges": "no sample has a reaction that halves damage",
    "actions.gains": "no sample has an action that restores the action",
    "actions.waits": "no sample has a spell that hurts on later turns alone",
    "combatants.parry_takes": "no sample has a parry that uses a slot",
    "combatants.parry_price": "no sample has a parry that costs several reactions",
    "combatants.parry_lasts": "no sample has a parry that lasts",
    "actions.together": "no sample has an activity whose attacks count for the penalty together",
    "inflictions.margin": "no sample has a save that must fail by more",
    "conditions.stops_reactions": "no sample has such a condition against one who parries",
}
NEEDS = {"reactions": "parry"}  # a figure that counts only where another isn't 0

ROWS = {name: row for name, kind in FIELDS.items() if (row := row_of(kind)) is not None}


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
    rng, kept = Random(f"{table} {column}"), getattr(ROWS[table], column) if column else slice(None)
    for attempt in range(TRIES):
        number = rng.randrange(len(sheets()))
        rows = getattr(sheets()[number], table)
        if column in NEEDS:
            rows = rows * (rows[:, getattr(ROWS[table], NEEDS[column])] != 0)[:, np.newaxis]
        figures = rows[..., kept]
        places = np.argwhere(figures if attempt % 2 or column in NEEDS else np.ones_like(figures))
        if len(places):
            place = tuple(int(each) for each in places[rng.randrange(len(places))])
            yield number, (*place, kept) if column else place


@pytest.mark.sampled(8)
@pytest.mark.parametrize(
    ("table", "column"),
    [
        (table, column)
        for table, named in FIGURES.items()
        for column in named.split() or [""]
        if f"{table}.{column}" not in RARE
    ],
)
def test_a_figure_that_is_moved_by_one_moves_a_result(table: str, column: str):
    assert await_kernels()
    for number, place in entries(table, column):
        for by in (1, -1):
            value = getattr(sheets()[number], table)[place] + by
            if value < 0 and column not in ("bonus", "edge", "tie_bonus", "margin", "die"):
                continue
            if table in ("outcomes", "degrees", "shares") and value > columns.CRITICAL_SUCCESS:
                continue
            fights, sums = fight_loop().play(packed_sheet(moved(sheets()[number], table, place, by)), 9, 0, FIGHTS)
            if not (np.array_equal(fights, results(number)[0]) and np.array_equal(sums, results(number)[1])):
                return
    pytest.fail(f"nothing moves with {table} {column}")
