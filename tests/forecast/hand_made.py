"""Sheets made by hand, of a game in which a d20 and a bonus meet an AC: for cases whose chances can be worked out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from turnwright.forecast import sheet as columns
from turnwright.forecast.sheet import Sheet

SIDES = 20


@dataclass
class Fighter:
    """A combatant: `attack` is margin against everybody, `damage` a list of dice (sides) and a number to add, dealt by so many strikes a turn."""

    side: int
    hp: int
    margin: int = 0
    dice: tuple[int, ...] = (8,)
    adds: int = 0
    initiative: int = 0
    strikes: int = 1
    more: dict[int, int] = field(default_factory=dict)


def alias_of(dice: Sequence[int]) -> list[list[int]]:
    """Return the alias table of a sum of dice, less the least it can be."""
    chances = [1]
    for sides in dice:
        chances = [
            sum(chances[k] for k in range(len(chances)) if 0 <= total - k < sides)
            for total in range(len(chances) + sides - 1)
        ]
    total, count = sum(chances), len(chances)
    scaled = [chance * count / total for chance in chances]
    small = [n for n, one in enumerate(scaled) if one < 1]
    large = [n for n, one in enumerate(scaled) if one >= 1]
    table = [[2**32, n] for n in range(count)]
    while small and large:
        low, high = small.pop(), large.pop()
        table[low] = [round(scaled[low] * 2**32), high]
        scaled[high] -= 1 - scaled[low]
        (small if scaled[high] < 1 else large).append(high)
    return table


def outcomes() -> np.ndarray:
    """Return the outcomes of an attack: 1 misses, 20 is critical, else bonus minus AC and the face decide."""
    rows = range(-columns.MARGIN, columns.MARGIN + 1)
    return np.array(
        [
            [
                columns.MISS if face == 1 else columns.CRITICAL if face == SIDES else int(face + row >= 0)
                for face in range(1, SIDES + 1)
            ]
            for row in rows
        ],
        np.int8,
    )


def degrees() -> np.ndarray:
    """Return the degrees of a save: success or failure."""
    rows = range(-columns.MARGIN, columns.MARGIN + 1)
    made = [[columns.SUCCESS if face + row >= 0 else columns.FAILURE for face in range(1, SIDES + 1)] for row in rows]
    return np.array(made, np.int8)


def sheet_of(fighters: Sequence[Fighter], **changes: object) -> Sheet:
    """Return the sheet of fighters who attack once a turn; the first side is the party's."""
    count = len(fighters)
    combatants = np.zeros((count, columns.FighterRow.width), np.int32)
    actions = np.zeros((count, columns.Action.width), np.int32)
    sources = np.full((count, columns.Source.width), 0, np.int32)
    slots = np.zeros((count, columns.SlotRow.width), np.int32)
    cells = np.zeros((count, count, columns.Cell.width), np.int16)
    parts: list[list[int]] = []
    alias: list[list[int]] = []
    routine: list[int] = []
    for who, one in enumerate(fighters):
        row = combatants[who]
        row[columns.FighterRow.hp] = row[columns.FighterRow.hp_max] = one.hp
        row[columns.FighterRow.side], row[columns.FighterRow.slot], row[columns.FighterRow.wave] = (
            one.side,
            who,
            -1,
        )
        row[columns.FighterRow.state], row[columns.FighterRow.amount], row[columns.FighterRow.party] = (
            -1,
            1,
            one.side == 0,
        )
        row[columns.FighterRow.first_action], row[columns.FighterRow.last_action] = who, who + 1
        row[columns.FighterRow.parry_supply] = -1
        for column, value in one.more.items():
            row[column] = value
        actions[who, [columns.Action.owner, columns.Action.price, columns.Action.supply]] = who, 1, -1
        actions[who, [columns.Action.first, columns.Action.count]] = len(routine), one.strikes
        routine += [who] * one.strikes
        actions[who, [columns.Action.targets, columns.Action.melee, columns.Action.second_supply]] = 1, 1, -1
        for times, dice in ((2, one.dice), (2, one.dice * 2)):
            table = alias_of(dice)
            parts.append([len(alias), len(table), len(dice) + one.adds, 0, times])
            alias += table
        row = sources[who]
        row[[columns.Source.parts, columns.Source.part_count, columns.Source.critical_parts]] = 2 * who, 1, 2 * who + 1
        row[[columns.Source.critical_count, columns.Source.next]] = 1, -1
        cells[who, :, columns.Cell.margin] = one.margin
        slots[who, [columns.SlotRow.bonus, columns.SlotRow.rolled, columns.SlotRow.rank, columns.SlotRow.die]] = (
            one.initiative, 1, count - who, SIDES,
        )  # fmt: skip
    sides = max(one.side for one in fighters) + 1
    enmity = 1 - np.eye(sides, dtype=np.int8)
    tables: dict[str, object] = {
        "die": SIDES, "halves_up": 0, "least_damage": 0, "shifts": 0, "enmity": enmity, "combatants": combatants, "slots": slots, "actions": actions,
        "routine": np.array(routine, np.int32), "supplies": np.zeros((0, columns.Supply.width), np.int32), "sources": sources,
        "cells": cells, "outcomes": outcomes(), "degrees": degrees(), "shares": np.tile(np.array([2, 2, 1, 0], np.int8), (count, count, 1)),
        "tallies": np.zeros((count, 1), np.int16), "parts": np.array(parts, np.int32),
        "alias": np.array(alias, np.int64), "taken_rows": np.full((1, count, 1), -1, np.int32),
        "taken": np.zeros((0, columns.MOST_AMOUNT + 1), np.int16),
        "states": np.array([[columns.DEAD, 0, 0, 0]], np.int32), "deaths": np.zeros((1, SIDES), np.int32),
        "struck": np.zeros((1, 2), np.int32), "drops": np.zeros((1, 2), np.int32),
        "massive_cells": np.zeros((count, columns.Cell.width), np.int16),
        "conditions": np.zeros((0, columns.ConditionRow.width), np.int16),
        "holder_changes": np.zeros((0, count, columns.ChangeRow.width), np.int16),
        "target_changes": np.zeros((0, count, columns.ChangeRow.width), np.int16),
        "immune": np.zeros((count, 0), np.int8), "inflictions": np.zeros((0, columns.Infliction.width), np.int32),
        "ending_cells": np.zeros((0, count, columns.Cell.width), np.int16),
        "rounds_away": np.zeros((count, count), np.int8),
        "world": np.zeros((0, columns.World.width), np.int32), "world_reach": np.zeros((0, count), np.int8),
        "pools": np.zeros((0, columns.Pool.width), np.int32), "waves": np.zeros((0, columns.WaveRow.width), np.int32),
        "watched": np.zeros(0, np.int32), "turn": -1, "round": 0,
    }  # fmt: skip
    return Sheet(**{**tables, **changes})  # type: ignore[arg-type]
