"""Monsters attack as their multiattack says: by a table of it, or with one attack."""

from __future__ import annotations

import pytest
from msgspec import structs

from tests.forecast.small_fights import SYSTEMS, fighter, sheet_of_fight, small_fight
from turnwright.encounter.prepared import Creature, Feature
from turnwright.forecast.building.actions import Actions
from turnwright.forecast.building.amounts import Amounts
from turnwright.forecast.building.questions import Questions
from turnwright.forecast.building.sources import Notes, Sources
from turnwright.forecast.sheet import MAIN_POOL, Action
from turnwright.storage.library.entries import read_library_file
from turnwright.storage.resources import resource_path
from turnwright.workspace.fight_forecast import begun_copy

BITE = Feature("bite", "Bite", "action", attack=5, reach=5, damage="2d10 piercing")
CLAW = Feature("claw", "Claw", "action", attack=5, reach=5, damage="1d6 slashing")
TABLE = Feature("multiattack", "Multiattack", "action", attacks=3, multiattack=((("bite", 1), ("claw", 2)),))
EXTRA = Feature("extra-attack", "Extra Attack", "trait", attacks=2)


def counts(who: Creature, system: str) -> dict[str, int]:
    built, legend = sheet_of_fight(small_fight(system, [fighter("ann")], [who]), system)
    return {legend.actions[number][1]: int(row[Action.count]) for number, row in enumerate(built.actions)}


def damage_of(row: Action, actions: Actions, sources: Sources, amounts: Amounts) -> float:
    """Return the average damage of an action if all its attacks hit."""
    strikes = [sources.rows[strike] for strike in actions.routine[row.first : row.first + row.count]]
    parts = [amounts.parts[at] for strike in strikes for at in range(strike.parts, strike.parts + strike.part_count)]
    return sum(least + count / 2 for _, count, least, _, _ in parts)


@pytest.mark.parametrize("system", ["a5e", "dnd5e"])
def test_an_attack_alone_comes_once_beside_a_table_unless_the_creature_itself_has_more(system):
    assert counts(fighter("wyrm", BITE, CLAW, TABLE), system) == {"multiattack": 3, "bite": 1, "claw": 1}
    assert counts(fighter("knight", BITE, TABLE, CLAW, attacks=2), system)["bite"] == 2
    assert counts(fighter("veteran", BITE, TABLE, CLAW, EXTRA), system)["bite"] == 2
    assert counts(fighter("ogre", BITE, structs.replace(TABLE, multiattack=())), system)["bite"] == 3


@pytest.mark.parametrize("system", ["a5e", "dnd5e", "pf2e"])
def test_no_shipped_creature_attacks_better_than_by_its_best_table(system):
    files = sorted((resource_path("library") / system).rglob("*.toml"))
    blocks = [block for file in files if isinstance(block := read_library_file(file)[0], Creature)]
    foes = [block for block in blocks if any(feature.multiattack for feature in block.features)]
    rules = SYSTEMS.get(system)
    copy = begun_copy(small_fight(system, [fighter("ann")], foes), rules)
    questions, notes, amounts = Questions(copy.encounter, rules), Notes(), Amounts()
    sources = Sources(questions, amounts, notes)
    actions = Actions(questions, sources, notes)
    above = []
    for foe in foes:
        first, last = actions.add_all(foe.id)
        rows = [(actions.names[at][1], actions.rows[at]) for at in range(first, last)]
        features = {feature.id: feature for feature in foe.features}
        tables = [row for name, row in rows if features[name].multiattack]
        named = {
            sources.names[actions.routine[n]][1] for row in tables for n in range(row.first, row.first + row.count)
        }
        best = max((damage_of(row, actions, sources, amounts) for row in tables), default=0.0)
        above += [
            (foe.id, name)
            for name, row in rows
            if name in named and row.pool == MAIN_POOL and damage_of(row, actions, sources, amounts) > best
        ]
    assert len(foes) > 30
    assert not above
