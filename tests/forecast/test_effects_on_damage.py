"""Effects that change damage: dealt by whom they help, or taken by whom they shield."""

from __future__ import annotations

import pytest
from msgspec import structs

from tests.forecast.small_fights import GAMES, SYSTEMS, fighter, played_alike, sheet_of_fight, small_fight
from tests.forecast.test_choosing import begun, choice
from tests.forecast.test_effects import blessing, late, support, sword
from tests.forecast.test_exact_cases_in_games import at_each_count, attack, is_chance, play, turn, won_in
from turnwright.encounter.data_rules import DataRule
from turnwright.encounter.prepared import Creature, Feature
from turnwright.forecast.layout import FightResult
from turnwright.importers.traits.powers import character_rules
from turnwright.workspace.kernel_library import await_kernels

FIXED = "action_points"  # where no effect adds to damage
LATER = {"pf2e": (0, 5, 10)}  # the penalties of the attacks in a turn


@pytest.fixture(scope="module", autouse=True)
def loop() -> None:
    assert await_kernels()


@at_each_count
@pytest.mark.parametrize("game", [game for game in GAMES if game != FIXED])
@pytest.mark.parametrize(
    ("rule", "dice", "adds"),
    [
        (DataRule("modifier", "damage", add=2), (8,), 5),
        (DataRule("extra", "damage", dice="1d6"), (8, 6), 3),
        (DataRule("modifier", "damage", add=2, when="ranged"), (8,), 3),
    ],
)
def test_more_damage_counts_for_each_hit(game, rule, dice, adds, count):
    """Bo's sword is blessed before he strikes the orc, which has 10 hit points."""
    party, (orc,) = support(game, rule)
    orc = structs.replace(orc, hp=10)
    fights = play(sheet_of_fight(small_fight(game, party, [orc]), game)[0], 5800 + adds, count)
    struck = [attack(game, 5 - penalty, 16, dice, adds) for penalty in LATER.get(game, (0,))]
    is_chance(won_in(fights, 1), turn(10, struck)[0] if rule.when == "" else won_by_a_bare_sword(game))


def won_by_a_bare_sword(game: str) -> float:
    return turn(10, [attack(game, 5 - penalty, 16, (8,), 3) for penalty in LATER.get(game, (0,))])[0]


@at_each_count
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(("kind", "shielded"), [("slashing", True), ("cold", False)])
def test_resistance_halves_the_damage_of_its_type_alone(game, kind, shielded, count):
    """The orc's hit deals 12: half of it leaves Bo with 4 of 10 hit points. A critical hit may fell him yet."""
    kind = "sharp" if (game, kind) == ("action_points", "slashing") else kind
    axe = sword(game, damage="12 slashing" if kind != "sharp" else "12 sharp", uses=1, per="day")
    halved = DataRule("damage", kind, **({"add": -6} if game == "pf2e" else {"over": 2}))
    rules = (halved, DataRule("modifier", "ac", add=1))
    encounter = late(game, *rules, means=axe)
    fights = play(sheet_of_fight(encounter, game)[0], 5900, count)
    outcomes = attack(game, 5, 17, (), 12)
    left = {0: 0, 12: 6, 24: 18 if game == "pf2e" else 12}
    falls = sum(chance for amount, chance in outcomes.items() if (left[amount] if shielded else amount) >= 10)
    is_chance(fights[:, FightResult.party_down] == 1, falls)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        (DataRule("modifier", "damage", add=30), "blessing"),
        (DataRule("modifier", "damage", add=1), "sword"),
        (DataRule("modifier", "damage", add=-30), "sword"),
        (DataRule("damage", "fire", times=0), "blessing"),
        (DataRule("damage", "poison", times=0), "sword"),
        (DataRule("damage", "fire", times=2), "sword"),
    ],
)
def test_a_blessing_is_chosen_for_the_damage_that_it_adds_or_prevents(game, rule, expected):
    ann = fighter("ann", sword(game), blessing(game, rule, targets=1), hp=99, system=game)
    bo = fighter("bo", sword(game, damage="8 cold"), hp=10, ac=16, system=game)
    orc = fighter("orc", sword(game, attack=9, damage="40 fire"), hp=99, ac=16, system=game)
    expected = "sword" if game == FIXED and rule.kind == "modifier" else expected
    assert choice(*begun(game, [ann, bo], [orc]))[0] == expected


# Rage -----------------------------------------------------------------------------------------------------------------


def raging(game: str, name: str, level: int = 5, **fields: object) -> Creature:
    """Return a barbarian of a game, with the features of its class and an axe."""
    kind, price = "slashing", 1
    axe = Feature(
        "axe", "Axe", "action", attack=6, reach=5, damage=f"1d12+4 {kind}", price=price, properties=("weapon",)
    )
    rules = SYSTEMS.get(game)
    usual = {"hp": 45, "ac": 14, "attacks": 1, "abilities": (("str", 18), ("con", 14)), "level": 0}
    block = fighter("ann", axe, **(usual | fields))
    return character_rules(rules.data).applied(block, {name: level})


@pytest.mark.sampled(1)
@pytest.mark.parametrize(("game", "name"), [("dnd5e", "barbarian"), ("a5e", "berserker"), ("pf2e", "barbarian")])
def test_rage_is_used_once_and_at_once(game, name):
    ogre = fighter("ogre", sword(game, attack=6, damage="2d8+4 slashing"), hp=60, ac=14)
    outlook = played_alike(small_fight(game, [raging(game, name)], [ogre]), game, count=60, seed=7)
    assert 0.95 < next(each.uses for each in outlook.actions if each.item == "rage") < 1.2


@at_each_count
def test_rage_adds_its_damage_and_halves_that_of_weapons(count):
    """A barbarian of 1st level rages and strikes for 2 more; slashing damage of 17 takes 8 of its 12 hit points."""
    ann = raging("dnd5e", "barbarian", 1, hp=12, ac=5)
    orc = fighter("orc", Feature("axe", "Axe", "action", attack=90, reach=5, damage="17 slashing"), hp=15, ac=16)
    fights = play(sheet_of_fight(small_fight("dnd5e", [ann], [orc]), "dnd5e")[0], 5950, count)
    first = turn(15, [attack("dnd5e", 6, 16, (12,), 6)])
    is_chance(won_in(fights, 1), first[0])
    second = sum(
        chance * turn(int(left), [attack("dnd5e", 6, 16, (12,), 6)])[0] for left, chance in first.items() if left
    )
    is_chance(won_in(fights, 2), second)
