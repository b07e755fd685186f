"""An ally next to the target and the size of an area count alike for both sides."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec import structs

from tests.for_each import for_each
from tests.forecast.small_fights import GAMES, SYSTEMS, fighter, sheet_of_fight, small_fight
from turnwright.encounter.prepared import CharacterState, DataRule, Feature, RosterEntry
from turnwright.encounter.state import Change, key_of
from turnwright.forecast.compiled import fight_loop
from turnwright.forecast.estimate import packed_sheet
from turnwright.forecast.layout import LOST, WON, FightResult
from turnwright.forecast.sheet import TO_ALLY, TO_SELF, Action
from turnwright.workspace.engine_fights import engine_fights
from turnwright.workspace.fight_forecast import run_forecast
from turnwright.workspace.kernel_library import await_kernels

PACK = Feature(
    "pack", "Pack Tactics", "trait", rules=(DataRule(kind="advantage", what="attack", when="ally-at-target:5"),)
)
PRICES = {"pf2e": 3, "action_points": 6}
COUNT = 100_000


@for_each("system", GAMES)
@for_each("allied", [True, False])
@for_each("outcome", [WON, LOST])
def test_an_ally_next_to_the_target_counts_for_both_sides(system, allied, outcome):
    """One attack that hits with 8 or higher, with advantage beside an ally, fells the only enemy."""
    assert await_kernels()
    bite = Feature("bite", "Bite", "action", attack=4, reach=5, price=PRICES.get(system, 1), damage="9 piercing")
    pack = [fighter("wolf", bite, PACK, system=system), *([fighter("pup", system=system)] if allied else ())]
    prey = [fighter("hare", system=system, hp=1)]
    party, foes = (pack, prey) if outcome == WON else (prey, pack)
    encounter = small_fight(system, party, foes)
    built, legend = sheet_of_fight(encounter, system)
    fights, _ = fight_loop().play(packed_sheet(built), 1, 0, COUNT)
    at_once = np.count_nonzero((fights[:, FightResult.rounds] == 1) & (fights[:, FightResult.outcome] == outcome))
    chance = 1 - 0.35**2 if allied else 0.65
    assert abs(at_once - COUNT * chance) < 3 * (COUNT * chance * (1 - chance)) ** 0.5
    assert [note.reason for note in legend.notes if note.item == "pack"] == ["forecast.note.ally_near"]
    if allied and system == "dnd5e":
        played, refused = engine_fights(encounter, SYSTEMS.get(system), seed=2, count=60)
        share = sum(one.rounds == 1 for one in played) / 60
        assert refused == 0
        assert abs(share - chance) < 4 * (chance * (1 - chance) / 60) ** 0.5


@for_each(
    ("system", "where", "edge"),
    [
        *((system, {"range": "60"}, False) for system in GAMES),
        ("dnd5e", {"reach": 5}, True),  # without flanking, which would add to it
        ("action_points", {"reach": 5}, True),
    ],
)
def test_an_ally_that_attacks_from_afar_is_not_next_to_the_target(system, where, edge):
    """The first of the pack stings. The second bites with 8 or higher, and with advantage if the first did so in melee."""
    assert await_kernels()
    bite = Feature("bite", "Bite", "action", attack=4, reach=5, price=PRICES.get(system, 1), damage="9 piercing")
    sting = structs.replace(bite, id="sting", reach=0, damage="1 piercing")
    pack = [
        fighter("wasp", structs.replace(sting, **where), system=system),
        fighter("wolf", bite, PACK, system=system),
    ]
    encounter = small_fight(system, pack, [fighter("hare", system=system, hp=9)])
    fights, _ = fight_loop().play(packed_sheet(sheet_of_fight(encounter, system)[0]), 2, 0, COUNT)
    at_once = np.count_nonzero(fights[:, FightResult.rounds] == 1)
    chance = 1 - 0.35**2 if edge else 0.65
    assert abs(at_once - COUNT * chance) < 3 * (COUNT * chance * (1 - chance)) ** 0.5
    if system == "dnd5e":
        played, refused = engine_fights(encounter, SYSTEMS.get(system), seed=3, count=60)
        assert refused == 0
        assert abs(sum(one.rounds == 1 for one in played) / 60 - chance) < 4 * (chance * (1 - chance) / 60) ** 0.5


@for_each(
    ("area", "caught"),
    [
        ("20-foot radius", 4), ("10-foot radius", 2), ("5-foot radius", 2), ("40-foot radius", 8), ("15-foot cone", 2),
        ("30-foot cone", 3), ("60-foot cone", 6), ("100-foot line, 5 feet wide", 3), ("30-foot line", 2), ("aura", 2),
        ("40-foot cube", 4), ("60-foot emanation", 12),
    ],
)  # fmt: skip
def test_areas_catch_by_size_and_shape(area, caught):
    blast = Feature("blast", "Blast", "action", save="dex", dc=15, damage="9 fire", area=area)
    built, _ = sheet_of_fight(small_fight("dnd5e", [fighter("ann", blast)], [fighter("imp", blast)]), "dnd5e")
    assert built.actions[:, Action.targets].tolist() == [caught, caught]


@for_each("system", GAMES)
@for_each("caught", [1, 5])
def test_the_game_master_sets_how_many_enemies_an_area_catches(system, caught):
    blast = Feature(
        "blast", "Blast", "action", save="dex", dc=15, damage="9 fire", area="20-foot radius", catches=caught
    )
    built, legend = sheet_of_fight(small_fight(system, [fighter("ann", blast)], [fighter("imp")]), system)
    assert built.actions[:, Action.targets].tolist() == [caught]
    assert not [note for note in legend.notes if note.reason == "forecast.note.area"]


@pytest.mark.parametrize("system", ["a5e", "dnd5e"])
@pytest.mark.parametrize(("targets", "healed"), [(1, 5.0), (2, 10.0), (6, 15.0)])
def test_healing_reaches_as_many_hurt_allies_as_it_may(system, targets, healed):
    """Three characters with 5 of 30 hit points, and an enemy that does nothing, until the healer's only use is spent."""
    song = Feature("song", "Song", "action", heals="5", range="60", targets=targets, uses=1, per="day")
    club = Feature("club", "Club", "action", attack=60, reach=5, damage="9 bludgeoning")
    party = [fighter("ann", song, hp=30), fighter("bo", hp=30), fighter("cy", hp=30)]
    encounter = small_fight(system, party, [fighter("imp", club, hp=20)])
    for entry in list(encounter.all(RosterEntry)):
        if entry.id != "imp":
            hurt = structs.replace(entry, state=CharacterState(5))
            encounter = encounter.with_changes([Change(key_of(entry), entry, hurt)])
    await_kernels()
    outlook = run_forecast(encounter, SYSTEMS.get(system), 40, seed=1).outlook
    assert [each.healing for each in outlook.actions if each.item == "song"] == [healed]


@for_each("system", GAMES)
@for_each(("reaches", "to"), [("self", TO_SELF), ("", TO_SELF), ("30", TO_ALLY)])
def test_healing_of_the_caster_alone_goes_to_no_ally(system, reaches, to):
    mend = Feature("mend", "Mend", "action", heals="5", range=reaches)
    built, _ = sheet_of_fight(small_fight(system, [fighter("ann", mend)], [fighter("imp")]), system)
    assert built.actions[:, Action.to].tolist() == [to]
