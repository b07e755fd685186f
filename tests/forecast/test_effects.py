"""Effects that last: what they change of rolls, AC and saves, whom they are for, and when they are worth their price."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from msgspec import structs

from tests.forecast.small_fights import GAMES, SYSTEMS, fighter, played_alike, sheet_of_fight, small_fight
from tests.forecast.test_choosing import begun, choice
from tests.forecast.test_exact_cases_in_games import (
    at_each_count,
    attack,
    failure,
    is_chance,
    mixed,
    play,
    spell,
    turn,
    won_in,
)
from turnwright.encounter.data_rules import DataRule
from turnwright.encounter.prepared import Creature, Feature, RosterEntry
from turnwright.encounter.running import Effect
from turnwright.encounter.state import Change, Encounter, key_of
from turnwright.forecast.estimate import packed_sheet
from turnwright.forecast.kernel import set_up, start_turn
from turnwright.forecast.layout import LOST, FightResult
from turnwright.forecast.policy import action_for
from turnwright.forecast.random_stream import begin_stream
from turnwright.forecast.sheet_builder import build_sheet
from turnwright.rules.parts.actions.spell_features import Caster, spell_feature
from turnwright.workspace.fight_forecast import begun_copy
from turnwright.workspace.kernel_library import await_kernels

CERTAIN = 60


@pytest.fixture(scope="module", autouse=True)
def loop() -> None:
    assert await_kernels()


def blessing(game: str, *rules: DataRule, **fields: Any) -> Feature:
    """Return a feature that supports with these rules; it takes the whole turn, once."""
    price = {"pf2e": 3, "action_points": 6}.get(game, 1)
    usual = {"range": "60", "lasts": "1 minute", "uses": 1, "price": price, "effect": rules}
    return Feature("blessing", "Blessing", **({"cost": "action"} | usual | fields))


def sword(game: str, **fields: Any) -> Feature:
    """Return a sword that takes the whole turn."""
    kind, price = ("sharp", 6) if game == "action_points" else ("slashing", 1)
    usual = {"attack": 5, "damage": f"1d8+3 {kind}", "price": price}
    return Feature("sword", "Sword", "action", **(usual | fields))


def support(game: str, *rules: DataRule) -> tuple[list[Creature], list[Creature]]:
    """Ann, who can only bless, acts before Bo, who strikes an orc that acts last and kills Bo with a hit."""
    ann = fighter("ann", blessing(game, *rules, targets=3), hp=99, system=game)
    bo = fighter("bo", sword(game), hp=10, ac=16, system=game)
    orc = fighter("orc", sword(game, damage="40 slashing"), hp=9, ac=16, system=game)
    return [ann, bo], [orc]


def strikes(game: str, bonus: float) -> list[dict[float, float]]:
    """Return the damage of Bo's attacks in the first turn."""
    later = (0, 5, 10) if game == "pf2e" else (0,)
    return [attack(game, int(bonus) - penalty, 16, (8,), 3) for penalty in later]


@at_each_count
@pytest.mark.parametrize("game", GAMES)
def test_a_bonus_to_attack_rolls_counts(game, count):
    party, foes = support(game, DataRule("modifier", "attack", add=4))
    fights = play(sheet_of_fight(small_fight(game, party, foes), game)[0], 5000, count)
    is_chance(won_in(fights, 1), turn(9, strikes(game, 9))[0])


@at_each_count
@pytest.mark.parametrize("game", GAMES)
def test_an_extra_die_is_rolled_for_each_attack(game, count):
    party, foes = support(game, DataRule("extra", "attack", dice="1d4"))
    fights = play(sheet_of_fight(small_fight(game, party, foes), game)[0], 5100, count)
    each = zip(*(strikes(game, 5 + face) for face in (1, 2, 3, 4)), strict=True)
    is_chance(won_in(fights, 1), turn(9, [mixed(*((1 / 4, one) for one in four)) for four in each])[0])


def late(game: str, *rules: DataRule, means: Feature) -> Encounter:
    """Ann blesses all, and the orc attacks Bo with its means; only after that, Carl kills the orc."""
    ann = fighter("ann", blessing(game, *rules, targets=3), hp=199, system=game)
    carl = fighter("carl", spell(game, "99 cold", dc=CERTAIN), hp=199, system=game)
    party = [ann, fighter("bo", hp=10, ac=16, system=game), carl]
    encounter = small_fight(game, party, [fighter("orc", means, system=game)])
    entry = encounter.need(RosterEntry, "carl")
    return encounter.with_changes([Change(key_of(entry), entry, structs.replace(entry, initiative=-90))])


@at_each_count
@pytest.mark.parametrize("game", GAMES)
def test_a_bonus_to_armor_class_counts(game, count):
    missed = 1.0
    for penalty in (0, 5, 10) if game == "pf2e" else (0,):
        missed *= attack(game, 5 - penalty, 20, (), 1).get(0, 0)
    encounter = late(game, DataRule("modifier", "ac", add=4), means=sword(game, damage="40 slashing"))
    fights = play(sheet_of_fight(encounter, game)[0], 5200, count)
    assert np.all(won_in(fights, 1))
    is_chance(fights[:, FightResult.party_down] == 1, 1 - missed)


@at_each_count
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(
    ("rule", "least", "most"), [({"add": 4}, 4, 4), ({"dice": "1d4"}, 1, 4), ({"dice": "-1d4"}, 0, 0)]
)
def test_a_bonus_to_saves_counts(game, rule, least, most, count):
    """A penalty is of no use to an ally: nobody is blessed with it."""
    kind = "extra" if "dice" in rule else "modifier"
    encounter = late(game, DataRule(kind, "save", **rule), means=spell(game, "40 fire", dc=12))
    fights = play(sheet_of_fight(encounter, game)[0], 5300 + most + least, count)
    chances = [failure(game, 12 - more) for more in range(least, most + 1)]
    is_chance(fights[:, FightResult.party_down] == 1, sum(chances) / len(chances))


@at_each_count
@pytest.mark.parametrize("game", GAMES)
def test_an_enemy_that_fails_its_save_has_the_effect(game, count):
    """The orc is easier to hit after it has failed its save against Ann's curse."""
    save = "agi" if game == "action_points" else "wis"
    party, foes = support(game)
    curse = blessing(game, DataRule("modifier", "ac", add=-4), save=save, dc=12, targets=1)
    party[0] = structs.replace(party[0], features=(curse,))
    fights = play(sheet_of_fight(small_fight(game, party, foes), game)[0], 5400, count)
    fails = failure(game, 12)
    won = fails * turn(9, strikes(game, 9))[0] + (1 - fails) * turn(9, strikes(game, 5))[0]
    is_chance(won_in(fights, 1), won)


@at_each_count
@pytest.mark.parametrize("game", ["a5e", "dnd5e"])
def test_an_effect_on_its_own_creature_lasts_until_its_next_turn_ends(game, count):
    """Ann blesses herself with her bonus action before she strikes, and has the bonus in the first two rounds."""
    bonus = blessing(game, DataRule("modifier", "attack", add=4), range="self", until="owner-end", cost="bonus")
    party = [fighter("ann", bonus, sword(game), hp=99)]
    fights = play(sheet_of_fight(small_fight(game, party, [fighter("orc", hp=9, ac=16)]), game)[0], 5500, count)
    first = turn(9, [attack(game, 9, 16, (8,), 3)])
    is_chance(won_in(fights, 1), first[0])
    second = {left: turn(int(left), [attack(game, 9, 16, (8,), 3)]) for left in first if left}
    is_chance(won_in(fights, 2), sum(first[left] * second[left].get(0, 0) for left in second))
    third = sum(
        first[left] * second[left][more] * turn(int(more), [attack(game, 5, 16, (8,), 3)])[0]
        for left in second
        for more in second[left]
        if more
    )
    is_chance(won_in(fights, 3), third)


@at_each_count
@pytest.mark.parametrize("game", GAMES)
def test_an_effect_until_its_creators_turn_protects_in_between(game, count):
    shelter = blessing(game, DataRule("modifier", "ac", add=4), range="self", until="owner-start", uses=0)
    ann = fighter("ann", shelter, hp=10, ac=16, system=game)
    orc = fighter("orc", sword(game, damage="40 slashing", uses=1, per="day"), system=game)
    fights = play(sheet_of_fight(small_fight(game, [ann], [orc]), game)[0], 5600, count)
    hits = 1 - attack(game, 5, 20, (), 1).get(0, 0)
    is_chance((fights[:, FightResult.outcome] == LOST) & (fights[:, FightResult.rounds] == 1), hits)


# Choices --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(
    ("rule", "damage", "expected"),
    [
        (DataRule("modifier", "attack", add=9), 40, "blessing"),
        (DataRule("modifier", "attack", add=1), 1, "sword"),
        (DataRule("modifier", "attack", add=-9), 40, "sword"),
        (DataRule("modifier", "ac", add=9), 1, "blessing"),
        (DataRule("modifier", "ac", add=9, when="bloodied"), 1, "sword"),
    ],
)
def test_a_blessing_is_chosen_for_what_it_adds_or_prevents(game, rule, damage, expected):
    """Bo strikes for much or little; the orc's axe is terrible."""
    ann = fighter("ann", sword(game), blessing(game, rule, targets=1), hp=99, system=game)
    bo = fighter("bo", sword(game, damage=f"{damage} cold"), hp=10, ac=16, system=game)
    orc = fighter("orc", sword(game, attack=9, damage="40 cold"), hp=99, ac=16, system=game)
    assert choice(*begun(game, [ann, bo], [orc]))[0] == expected


def test_an_effect_already_in_force_is_not_given_again():
    rule = DataRule("modifier", "attack", add=9)
    party = [
        fighter("ann", blessing("dnd5e", rule, targets=1), sword("dnd5e")),
        fighter("bo", sword("dnd5e", damage="60 cold")),
    ]
    encounter = small_fight("dnd5e", party, [fighter("orc", hp=99, ac=16)])
    begun_now = begun_copy(encounter, SYSTEMS.get("dnd5e")).encounter
    assert choices_in(begun_now) == "blessing"
    held = [Effect(f"held-{who}", who, "Blessing", rules=(rule,)) for who in ("ann", "bo")]
    assert choices_in(begun_now.with_changes([Change(key_of(each), None, each) for each in held])) == "sword"


def choices_in(encounter: Encounter) -> str:
    """Return Ann's first choice in an encounter that has begun."""
    built, legend = build_sheet(encounter, SYSTEMS.get("dnd5e"))
    fight = packed_sheet(built).plain(1)
    begin_stream(fight, 1, 0)
    set_up(fight)
    start_turn(fight, 0)
    return legend.actions[action_for(fight, 0, 0)][1]


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({}, ("used", "used")),
        (
            {"effect": (DataRule("modifier", "ac", add=1), DataRule("modifier", "speed", add=10))},
            ("assumed", "rolls_only"),
        ),
        ({"effect": (DataRule("modifier", "speed", add=10),)}, ("left-out", "text")),
        ({"effect_uses": 1}, ("left-out", "text")),
        ({"properties": ("stays-in-area",)}, ("left-out", "text")),
    ],
)
def test_notes_name_what_does_not_count(fields, expected):
    means = blessing("dnd5e", DataRule("modifier", "ac", add=1), **fields)
    _, legend = sheet_of_fight(small_fight("dnd5e", [fighter("ann", means)], [fighter("orc")]), "dnd5e")
    notes = [(note.list, note.reason.rpartition(".")[2]) for note in legend.notes if note.item == "blessing"]
    assert notes == [expected]


# The engine -----------------------------------------------------------------------------------------------------------

SPELLS = [
    ("dnd5e", "bless"),
    ("dnd5e", "bane"),
    ("dnd5e", "shield-of-faith"),
    ("dnd5e", "faerie-fire"),
    ("a5e", "bless"),
    ("a5e", "faerie-fire"),
]


@pytest.mark.soak
@pytest.mark.parametrize(("game", "name"), SPELLS)
def test_the_engine_plays_spells_with_effects_alike(game, name):
    """Ann's spell is of use to her and to two friends, against two ogres, for as long as she concentrates."""
    rules = SYSTEMS.get(game)
    listed = next(one for one in rules.data.spells if one.id == name)
    cast = structs.replace(spell_feature(listed, Caster(15, 7, 5, 4)), level=1)
    axe = Feature("axe", "Axe", "action", attack=7, reach=5, damage="1d12+4 slashing")
    party = [fighter("ann", cast, sword(game, attack=3), hp=30, ac=14, slots=(("1", 1),))]
    party += [fighter(id, sword(game, damage="2d8+3 slashing"), hp=30, ac=14) for id in ("bo", "cy")]
    encounter = small_fight(game, party, [fighter(id, axe, hp=50, ac=15) for id in ("ogre", "troll")])
    outlook = played_alike(encounter, game, count=60, seed=5)
    assert next(one.uses for one in outlook.actions if one.item == cast.id) > 0.9
