"""Effects with rules of their own that are in force when a forecast begins."""

from __future__ import annotations

import pytest

from tests.forecast.small_fights import SYSTEMS, fighter, small_fight
from turnwright.encounter.data_rules import DataRule
from turnwright.encounter.prepared import Feature
from turnwright.encounter.running import Effect
from turnwright.encounter.state import Encounter
from turnwright.forecast.building.questions import KnownAnswers, Questions
from turnwright.forecast.sheet import SEVERAL, Cell, Legend, Part, Sheet
from turnwright.forecast.sheet_builder import build_sheet
from turnwright.workspace.fight_forecast import begun_copy

SWORD = Feature("sword", "Sword", "action", attack=4, reach=5, damage="1d6")


@pytest.mark.parametrize(
    ("rules", "margin", "die"),
    [
        ((), -8, 0),
        ((DataRule("extra", "attack", dice="1d4"),), -8, 4),
        ((DataRule("extra", "attack", dice="-1d4"),), -8, -4),
        ((DataRule("modifier", "attack", add=2),), -6, 0),
    ],
)
def test_dice_and_numbers_of_effects_count(rules, margin, die):
    copy = begun_copy(small_fight("dnd5e", [fighter("ada", SWORD)], [fighter("orc", SWORD)]), SYSTEMS.get("dnd5e"))
    encounter = Encounter((*copy.encounter, Effect("effect-1", "ada", "Bless", rules=rules)))
    assert Questions(encounter, SYSTEMS.get("dnd5e")).attack_cell("ada", SWORD, "orc")[:3] == (margin, 0, die)


def asked(*effects: Effect) -> Questions:
    """Return the questions about a small fight with effects in force."""
    copy = begun_copy(small_fight("dnd5e", [fighter("ada", SWORD)], [fighter("orc", SWORD)]), SYSTEMS.get("dnd5e"))
    return Questions(Encounter((*copy.encounter, *effects)), SYSTEMS.get("dnd5e"), KnownAnswers())


def built(*effects: Effect) -> tuple[Sheet, Legend]:
    """Return the sheet of a small fight with effects in force."""
    return build_sheet(asked(*effects).begun, SYSTEMS.get("dnd5e"))


def test_several_dice_are_a_row_of_their_exact_sums() -> None:
    bless = Effect("effect-1", "ada", "Bless", rules=(DataRule("extra", "attack", dice="1d4"),))
    song = Effect("effect-2", "ada", "Song", rules=(DataRule("extra", "attack", dice="-1d2"),))
    sheet, _legend = built(bless, song)
    die = max(int(cell[Cell.die]) for row in sheet.cells for cell in row)
    part = sheet.parts[die - SEVERAL]
    table, count, least = (int(part[column]) for column in (Part.alias_first, Part.alias_count, Part.least))
    assert (least, count) == (-1, 5)
    chances = [0.0] * count
    for column, (below, other) in enumerate(sheet.alias[table : table + count]):
        kept = min(int(below) / 2**32, 1.0)
        chances[column] += kept / count
        chances[int(other)] += (1 - kept) / count
    assert chances == pytest.approx([1 / 8, 1 / 4, 1 / 4, 1 / 4, 1 / 8])


def test_answers_about_effects_of_one_name_and_different_rules_are_kept_apart() -> None:
    known, margins = KnownAnswers(), []
    for add in (1, 5):
        mark = Effect("effect-1", "ada", "Mark", rules=(DataRule("modifier", "attack", add=add),))
        questions = Questions(asked(mark).begun, SYSTEMS.get("dnd5e"), known)
        margins.append(questions.attack_cell("ada", SWORD, "orc")[0])
    assert margins[1] - margins[0] == 4


def test_effects_that_end_are_told_with_their_figures() -> None:
    attack = (DataRule("extra", "attack", dice="1d4"),)
    effects = (
        Effect("effect-1", "ada", "Bless", rules=attack, rounds_left=3),
        Effect("effect-2", "ada", "Inspired", rules=attack, uses_left=1),
        Effect("effect-3", "orc", "Hex", rules=(DataRule("extra", "damage-against", dice="1d6"),)),
    )
    _sheet, legend = built(*effects)
    found = {
        (note.list, note.item): (note.reason, dict(note.params)) for note in legend.notes if note.table == "combatants"
    }
    assert found == {
        ("assumed", "Bless"): ("forecast.note.rounds_left", {"n": 3}),
        ("left-out", "Inspired"): ("forecast.note.few_uses", {"n": 1}),
        ("left-out", "Hex"): ("forecast.note.from_some", {}),
    }
    assert asked(*effects).attack_cell("ada", SWORD, "orc")[2] == 4
