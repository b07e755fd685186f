"""Combatants choose what does the most to the enemies that are there, in the forecast as in the engine's fights."""

from __future__ import annotations

import pytest
from msgspec import structs

from tests.for_each import for_each
from tests.forecast.small_fights import GAMES, SYSTEMS, fighter, sheet_of_fight, small_fight
from turnwright.encounter.prepared import Creature, Feature, InflictedCondition
from turnwright.forecast.estimate import packed_sheet
from turnwright.forecast.kernel import begin_condition, set_up, start_turn
from turnwright.forecast.layout import FightTables
from turnwright.forecast.policy import action_for, target_for
from turnwright.forecast.random_stream import begin_stream
from turnwright.forecast.sheet import UNTIL_NEVER, Legend
from turnwright.workspace.engine_fights import engine_fights
from turnwright.workspace.fight_forecast import run_forecast
from turnwright.workspace.kernel_library import await_kernels

FIRE = Feature("fire", "Fire", "action", save="dex", dc=60, damage="30 fire")
COLD = Feature("cold", "Cold", "action", save="dex", dc=60, damage="2 cold")
BLAST = Feature("blast", "Blast", "action", save="dex", dc=60, damage="10 cold", area="20-foot radius", range="60")
BLADE = Feature("blade", "Blade", "action", attack=6, reach=5, damage="15 slashing")
CLAW = Feature("claw", "Claw", "action", attack=20, reach=5, damage="60 slashing")
SCRATCH = Feature("scratch", "Scratch", "action", attack=20, reach=5, damage="1 slashing")
SMITE = structs.replace(FIRE, id="smite", when="target.type:undead")
SHEAR = Feature(
    "shear", "Shear", "action", attack=20, reach=5, damage="30 slashing", when="not target.type:ooze, not target.hurt"
)
SEIZE = structs.replace(
    FIRE, id="seize", save="", dc=0, when="target.up-to:medium, (target.type:beast | target.type:fey)"
)
STUN = Feature("stun", "Stun", "action", save="dex", dc=60, afflictions=(InflictedCondition("stunned"),))


def begun(system: str, party: list[Creature], foes: list[Creature]) -> tuple[FightTables, Legend]:
    """Return a fight in which the first of the party has its turn."""
    built, legend = sheet_of_fight(small_fight(system, party, foes), system)
    fight = packed_sheet(built).plain(1)
    begin_stream(fight, 1, 0)
    set_up(fight)
    start_turn(fight, 0)
    return fight, legend


def choice(fight: FightTables, legend: Legend) -> tuple[str, str]:
    """Return the first combatant's next action and its target, empty if it does nothing."""
    action = action_for(fight, 0, 0)
    if action < 0:
        return "", ""
    return legend.actions[action][1], legend.combatants[target_for(fight, 0, 0, action)]


@for_each("system", GAMES)
@for_each(
    ("features", "foes", "expected"),
    [
        ((FIRE, COLD), {"a": {}}, ("fire", "a")),
        ((FIRE, COLD), {"a": {"immunities": ("fire",)}}, ("cold", "a")),
        ((FIRE, COLD), {"a": {"immunities": ("fire",), "hp": 5}, "b": {}}, ("fire", "b")),
        ((FIRE, COLD), {"a": {"immunities": ("fire",), "hp": 5}, "b": {"immunities": ("fire",)}}, ("cold", "a")),
        ((FIRE,), {"a": {"immunities": ("fire",), "hp": 5}, "b": {}}, ("fire", "b")),
        ((FIRE,), {"a": {"immunities": ("fire",)}}, ("", "")),
        ((SMITE, COLD), {"a": {"type": "undead"}}, ("smite", "a")),
        ((SMITE, COLD), {"a": {"type": "fey"}}, ("cold", "a")),
        ((SMITE,), {"a": {"type": "fey"}}, ("", "")),
        ((SMITE, COLD), {"a": {"type": "fey", "hp": 5}, "b": {"type": "undead"}}, ("smite", "b")),
        ((SHEAR, COLD), {"a": {"type": "ooze"}}, ("cold", "a")),
        ((SHEAR, COLD), {"a": {"type": "fey"}}, ("shear", "a")),
        ((SEIZE, COLD), {"a": {"type": "fey"}}, ("seize", "a")),
        ((SEIZE, COLD), {"a": {"type": "ooze"}}, ("cold", "a")),
        ((SEIZE, COLD), {"a": {"type": "fey", "size": "huge"}}, ("cold", "a")),
        ((BLAST, BLADE), {"a": {}}, ("blade", "a")),
        ((BLAST, BLADE), {"a": {}, "b": {}}, ("blast", "a")),
        ((BLAST, BLADE), {"a": {}, "b": {"immunities": ("cold",)}}, ("blade", "a")),
        ((STUN, BLADE), {"a": {}}, ("blade", "a")),
    ],
)
def test_what_does_the_most_to_those_who_are_there_is_chosen(system, features, foes, expected):
    enemies = [fighter(id, system=system, **{"hp": 40, **fields}) for id, fields in foes.items()]
    assert choice(*begun(system, [fighter("ann", *features, system=system)], enemies)) == expected


@for_each("system", ["a5e", "dnd5e", "pf2e"])
@for_each(
    ("foes", "expected"),
    [
        ({"a": {"features": (CLAW,)}}, ("stun", "a")),
        ({"a": {"features": (CLAW,), "condition_immunities": ("stunned",)}}, ("blade", "a")),
        ({"a": {"features": (SCRATCH,)}}, ("blade", "a")),
        ({"a": {"hp": 5}, "b": {"features": (CLAW,)}}, ("blade", "a")),
        ({"a": {"features": (Feature("bolt", "Bolt", "action", save="dex", dc=60, damage="60 fire"),)}}, ("stun", "a")),
    ],
)
def test_a_condition_is_worth_the_damage_that_it_prevents(system, foes, expected):
    enemies = [fighter(id, **{"hp": 40, **fields}) for id, fields in foes.items()]
    fight, legend = begun(system, [fighter("ann", STUN, structs.replace(BLADE, attack=12))], enemies)
    assert choice(fight, legend) == expected
    begin_condition(fight, 1, legend.conditions.index("stunned"), UNTIL_NEVER, -1)
    assert choice(fight, legend) == ("blade", "a")  # it already has the condition


@pytest.mark.parametrize("system", ["a5e", "dnd5e", "pf2e"])
@pytest.mark.parametrize(("damage", "expected"), [("14", "poison"), ("2", "blade")])
def test_a_condition_is_worth_the_damage_that_it_deals(system, damage, expected):
    poison = Feature("poison", "Poison", "action", save="con", dc=60, ongoing=f"{damage} poison")
    fight, legend = begun(system, [fighter("ann", poison, BLADE)], [fighter("a", hp=90)])
    assert choice(fight, legend) == (expected, "a")


def test_further_attacks_of_a_turn_are_worth_less_by_their_penalty():
    blade = Feature("blade", "Blade", "action", attack=4, reach=5, damage="10 slashing")
    fight, legend = begun(
        "pf2e",
        [fighter("ann", blade, Feature("spark", "Spark", "action", save="dex", dc=60, damage="5 fire"))],
        [fighter("a")],
    )
    chosen = []
    for earlier in range(3):
        fight.now[0].tally = earlier
        chosen.append(choice(fight, legend)[0])
    assert chosen == ["blade", "spark", "spark"]


@pytest.mark.parametrize(("system", "when_prone"), [("a5e", "bow"), ("dnd5e", "spark")])
def test_conditions_of_attacker_and_target_count(system, when_prone):
    """Advantage against those who lie prone makes the blade worth more than the bow, which disadvantage makes worth less."""
    features = (
        Feature("bow", "Bow", "action", attack=4, range="60", damage="10 piercing"),
        Feature("blade", "Blade", "action", attack=4, reach=5, damage="9 slashing"),
        Feature("trip", "Trip", "bonus", save="str", dc=60, afflictions=(InflictedCondition("prone"),)),
        Feature("spark", "Spark", "action", save="dex", dc=60, damage="5 fire"),
    )
    fight, legend = begun(system, [fighter("ann", *features)], [fighter("a")])
    assert choice(fight, legend)[0] == "bow"
    prone = legend.conditions.index("prone")
    begin_condition(fight, 1, prone, UNTIL_NEVER, -1)
    assert choice(fight, legend)[0] == "blade"
    fight.now[1].conditions = 0
    begin_condition(fight, 0, prone, UNTIL_NEVER, -1)
    assert choice(fight, legend)[0] == when_prone


@pytest.mark.parametrize("system", ["dnd5e", "pf2e"])
def test_the_engine_chooses_alike(system):
    """The fire-proof foe is the weaker one: nobody wastes fire on it, and the fight is over as soon as it can be."""
    party = [fighter("ann", FIRE, Feature("cold", "Cold", "action", save="dex", dc=60, damage="10 cold"))]
    foes = [fighter("imp", hp=5, immunities=("fire",)), fighter("ogre", hp=30)]
    encounter = small_fight(system, party, foes)
    fights, refused = engine_fights(encounter, SYSTEMS.get(system), seed=1, count=3)
    assert await_kernels()
    outlook = run_forecast(encounter, SYSTEMS.get(system), 100, seed=1).outlook
    assert (refused, {one.rounds for one in fights}) == (0, set(outlook.rounds))
    assert outlook.won.value == 1


@pytest.mark.parametrize("system", GAMES)
def test_characters_who_do_nothing_are_noted(system):
    """Ann has only hit points, Bo burns the fire-proof imp in vain, Cy heals and Di has a weapon."""
    heal = Feature("heal", "Heal", "action", heals="5", range="30")
    features = {"ann": (), "bo": (FIRE,), "cy": (heal,), "di": (BLADE,)}
    party = [fighter(id, *own, system=system) for id, own in features.items()]
    imp = fighter("imp", BLADE, system=system, immunities=("fire",))
    _, legend = sheet_of_fight(small_fight(system, party, [imp]), system)
    idle = [note.subject for note in legend.notes if note.reason == "forecast.note.idle"]
    assert idle == ["ann", "bo"]


@pytest.mark.parametrize(
    ("game", "condition", "when"),
    [
        ("pf2e", "grabbed", "holds"),
        ("dnd5e", "grappled", "holds"),
        ("a5e", "prone", "target.prone"),
        ("dnd5e", "frightened", "target.frightened"),
    ],
)
def test_an_action_waits_until_its_target_has_the_condition_that_it_needs(game, condition, when):
    """The bite does more than the grip, but only to somebody who is held, or down."""
    grip = Feature(
        "grip", "Grip", "action", save="dex", dc=60, damage="1 cold", afflictions=(InflictedCondition(condition),)
    )
    bite = Feature("bite", "Bite", "action", save="dex", dc=60, damage="30 cold", when=when)
    fight, legend = begun(game, [fighter("bear", grip, bite, hp=99)], [fighter("ann", hp=99)])
    assert choice(fight, legend) == ("grip", "ann")
    begin_condition(fight, 1, legend.conditions.index(condition), UNTIL_NEVER, -1)
    assert choice(fight, legend) == ("bite", "ann")


def test_an_action_whose_condition_nobody_causes_is_left_out():
    bite = Feature("bite", "Bite", "action", save="dex", dc=60, damage="30 cold", when="holds")
    fight, legend = begun("dnd5e", [fighter("bear", bite, hp=99)], [fighter("ann", hp=99)])
    assert choice(fight, legend) == ("", "")
    (note,) = [one for one in legend.notes if one.item == "bite"]
    assert (note.list, note.reason, note.params) == ("left-out", "forecast.note.hangs_on_facts", (("when", "holds"),))
