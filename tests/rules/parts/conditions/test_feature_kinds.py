"""The kinds of rules that features bring: more damage, spared ones, moves that provoke nothing, sight and easy ground."""

from __future__ import annotations

import pytest

from tests.play.attack_table import Fray
from tests.table import Table, creature, dnd5e, environment
from turnwright.encounter.data_rules import DataRule
from turnwright.encounter.prepared import Area, Creature, Environment, EnvironmentEntry, Feature, Map, Scene
from turnwright.play.actions.use_feature import UseFeature
from turnwright.play.damage.damage_roll import ApplyDamage
from turnwright.play.effects.conditions import ApplyCondition
from turnwright.play.movement.commanded_move import MovePath
from turnwright.play.state.events import DamageTaken, Unaffected, UsesSpent
from turnwright.play.state.position_changes import SetRelation
from turnwright.rules.parts.attacks.attack_rolls import damage_roll
from turnwright.rules.parts.conditions.condition_rules import compiled_rules
from turnwright.rules.parts.movement.move_legs import movement_cost, opportunity_attacks
from turnwright.rules.parts.positions import sight
from turnwright.rules.system import MoveLeg
from turnwright.storage.library.entries import read_library_file
from turnwright.storage.resources import resource_path

AXE = Feature("axe", "Axe", "action", attack=4, reach=5, damage="1d8 slashing", properties=("weapon",))
FIRE = Feature("fire", "Fire", "action", save="dex", dc=12, damage="8d6 fire", half=True)
ROAR = Feature("roar", "Roar", "action", save="dex", dc=12, damage="8d6 thunder")


def trait(name: str, *rules: DataRule, **fields: object) -> Feature:
    """A trait with rules."""
    return Feature(name.lower().replace(" ", "-"), name, rules=rules, **fields)  # type: ignore[arg-type]


def fray(*features: Feature, **given: object) -> Fray:
    """Ann with the features, her wolf, and an orc next to her."""
    ann = creature("ann", features=(AXE, *features), speeds=(("walk", 30), ("fly", 60)))
    orc = creature("orc", features=(AXE, FIRE, ROAR), hp=60)
    field = Fray(ann, "wolf", orc, foes=("orc",), **given)  # type: ignore[arg-type]
    return field.puts(ann=(3, 3), wolf=(9, 9), orc=(4, 3)) if given.get("field", True) else field


# Extra damage -----------------------------------------------------------------------------------------------------

SNEAK = trait("Sneak Attack", DataRule("extra", "damage", dice="2d6", when="rolls-with:advantage"), uses=1, per="turn")


def test_extra_dice_join_the_damage_once_a_turn_and_come_back_with_undo() -> None:
    field = fray(SNEAK)
    field.strikes("ann", "orc", "axe", 15, 14, 3, 5, 6, facts=("advantage",), purpose="free")
    assert field.lost("orc") == 14
    assert [one.what for one in field.happened(UsesSpent)] == ["Sneak Attack"]
    (taken,) = field.happened(DamageTaken)
    assert [die.why for die in taken.roll.dice] == ["", "Sneak Attack", "Sneak Attack"]
    field.strikes("ann", "orc", "axe", 15, 14, 3, facts=("advantage",), purpose="free")
    assert field.lost("orc") == 17
    field.session.undo()
    while field.lost("orc"):
        field.session.undo()
    field.strikes("ann", "orc", "axe", 15, 14, 3, 5, 6, facts=("advantage",), purpose="free")
    assert field.lost("orc") == 14
    field.ends_turn(3)
    field.strikes("ann", "orc", "axe", 15, 14, 3, 5, 6, facts=("advantage",), purpose="free")
    assert field.lost("orc") == 28


def test_extra_dice_wait_for_their_statement() -> None:
    field = fray(SNEAK)
    field.strikes("ann", "orc", "axe", 15, 3, purpose="free")
    assert (field.lost("orc"), field.happened(UsesSpent)) == (3, [])
    both = field.preview("ann", "orc", "axe", facts=("advantage", "disadvantage"))
    assert damage_roll(field.encounter, field.rules, both.attack).extra == ()  # type: ignore[union-attr]
    field.ends_turn(2)
    field.strikes("orc", "ann", "axe", 15, 14, 4, facts=("advantage",), purpose="free")
    assert field.lost("ann") == 4


def test_extra_damage_of_a_type_and_of_critical_hits() -> None:
    field = fray(
        trait("Flaming", DataRule("extra", "damage", dice="1d6 fire", when="melee")),
        trait("Brutal", DataRule("extra", "damage", dice="1d8", when="critical")),
        rules=dnd5e(),
    )
    field.strikes("ann", "orc", "axe", 15, 3, 5, purpose="free")
    assert field.happened(DamageTaken)[-1].dealt == (("slashing", 3), ("fire", 5))
    field.strikes("ann", "orc", "axe", 20, 1, 2, 3, 4, 5, 6, purpose="free")
    assert field.happened(DamageTaken)[-1].dealt == (("slashing", 1 + 2 + 5 + 6), ("fire", 3 + 4))


def test_what_extra_damage_hangs_on_is_asked_before_the_roll() -> None:
    field = fray(trait("Pack Attack", DataRule("extra", "damage", dice="1d4", when="allies-reaching:1")), field=None)
    asked = field.preview("ann", "orc", "axe")
    assert "allies-reaching:1" in [one.fact for one in asked.unknown_facts]
    assert asked.damage is not None
    assert asked.damage.extra == ()
    said = field.preview("ann", "orc", "axe", facts=("allies-reaching:1",))
    assert [one.dice for one in said.damage.extra] == ["1d4"]  # type: ignore[union-attr]


# Spared -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("over", "feature", "face", "lost"),
    [
        (1, "fire", 15, 0),
        (1, "fire", 2, 8),
        (2, "fire", 15, 0),
        (2, "fire", 2, 4),
        (2, "roar", 2, 8),
        (2, "roar", 15, 0),
    ],
)
def test_evasion_takes_nothing_where_others_take_half(over: int, feature: str, face: int, lost: int) -> None:
    field = fray(trait("Evasion", DataRule("evasion", "save.dex", over=over)))
    while field.active != "orc":
        field.ends_turn()
    field.dice(face, 15, *[1] * 8)
    before = field.encounter
    field.does(UseFeature("orc", feature, targets=("ann", "wolf")))
    assert field.lost("ann") == lost
    assert field.lost("wolf") == (4 if feature == "fire" else 0)
    named = [one.reason for one in field.happened(Unaffected) if one.who == "ann"]
    assert named == ["Evasion"] * (feature == "fire" and not lost)
    told = [dict(line.phrase.params) for line in field.session.journal() if line.phrase.key == "journal.unaffected"]
    assert [one["reason"] for one in told] == named  # a name, and no word to look up
    if (over, feature, lost) == (2, "fire", 4):
        (taken,) = [one for one in field.happened(DamageTaken) if one.target == "ann"]
        assert [one.reason for one in taken.why] == ["Evasion"]
    field.session.undo()
    assert field.encounter == before


# Unprovoking ------------------------------------------------------------------------------------------------------


def test_flyby_provokes_nothing_in_the_air_alone() -> None:
    field = fray(trait("Flyby", DataRule("unprovoking", "fly")))
    after = field.puts(ann=(3, 3)).encounter
    moved = fray().puts(ann=(9, 3)).encounter
    for mode, provoked in (("walk", ["orc"]), ("fly", [])):
        found = opportunity_attacks(after, field.rules, "ann", moved, mode=mode)
        assert [one.attacker for one in found] == provoked
    field.does(MovePath("ann", ((2, 3), (1, 3)), mode="fly"))
    assert field.prompts == []
    field.session.undo()
    field.does(MovePath("ann", ((2, 3), (1, 3))))
    assert [one.title for one in field.prompts] == ["prompt.reaction"]


# Sight --------------------------------------------------------------------------------------------------------------


def test_what_does_not_hinder_sight() -> None:
    seer = fray(trait("Devil's Sight", DataRule("senses", "dark")), scene=Scene(light="dark", strictness="enforce"))
    assert sight.sees(seer.encounter, seer.rules, "ann", "orc") is True
    assert sight.sees(seer.encounter, seer.rules, "orc", "ann") is None
    seer.does(ApplyCondition(("orc",), "invisible"))
    assert sight.sees(seer.encounter, seer.rules, "ann", "orc") is False
    seer.does(SetRelation("ann", "orc", seen=True))
    assert sight.sees(seer.encounter, seer.rules, "ann", "orc") is True


@pytest.mark.parametrize(("name", "seen"), [("Thick Smoke", True), ("Fog", False)])
def test_what_obscures_is_known_by_a_word_of_its_name(name: str, seen: bool) -> None:
    around = Environment("kiln", "Kiln", features=(EnvironmentEntry("cloud", name, obscured="heavily"),))
    field = fray(trait("Smoke Vision", DataRule("senses", "smoke")), more=(around,))
    assert sight.sees(field.encounter, field.rules, "ann", "orc") is (True if seen else None)
    assert sight.sees(field.encounter, field.rules, "orc", "ann") is None


def test_a_rule_about_sight_cannot_ask_who_sees() -> None:
    blind = creature("ann", features=(trait("Odd", DataRule("senses", "dark", when="sees")),))
    slow = creature("bob", features=(trait("Slow", DataRule("modifier", "speed", add=5, when="speed-zero")),))
    assert (compiled_rules(blind).rules, compiled_rules(slow).rules) == ((), ())
    field = Fray(blind, "orc", scene=Scene(light="dark"), foes=("orc",))
    assert sight.sees(field.encounter, field.rules, "ann", "orc") is None


@pytest.mark.parametrize(
    ("wolf", "blinded", "frightened"), [((6, 9), False, False), ((12, 9), False, True), ((6, 9), True, True)]
)
def test_an_ally_in_sight_keeps_fear_away(wolf: tuple[int, int], blinded: bool, frightened: bool) -> None:
    field = fray(trait("Steadfast", DataRule("deny", "frightened", when="ally-seen:30"))).puts(wolf=wolf)
    if blinded:
        field.does(ApplyCondition(("ann",), "blinded"))
    field.does(ApplyCondition(("ann",), "frightened", by="orc"))
    assert ("frightened" in field.effects("ann")) is frightened


def test_who_cannot_be_flanked_or_seen_by_a_feature() -> None:
    field = fray()
    field.puts(ann=(3, 3), wolf=(5, 3), orc=(4, 3))
    assert sight.flanks(field.encounter, field.rules, "ann", "orc") is True
    watchful = creature("orc", features=(trait("Watchful", DataRule("deny", "being-flanked")),))
    field.has(watchful)
    assert sight.flanks(field.encounter, field.rules, "ann", "orc") is False
    field.has(creature("orc", features=(trait("Unseen", DataRule("deny", "being-seen")),)))
    assert sight.sees(field.encounter, field.rules, "ann", "orc") is False
    field.has(creature("ann", features=(trait("Truth", DataRule("senses", "invisible")),)))
    assert sight.sees(field.encounter, field.rules, "ann", "orc") is True
    assert sight.sees(field.encounter, field.rules, "wolf", "orc") is False


def test_a_share_of_damage_is_named_after_its_feature() -> None:
    field = fray(trait("Cinder Hide", DataRule("damage", "fire", times=1, over=2, when="not bloodied")))
    for lost, reasons in ((5, ["Cinder Hide"]), (10, ["Cinder Hide"]), (20, [])):
        field.does(ApplyDamage(("ann",), "10 fire"))
        assert (field.lost("ann"), [one.reason for one in field.happened(DamageTaken)[-1].why]) == (lost, reasons)
    field.session.undo()
    assert field.lost("ann") == 10


# Ground -----------------------------------------------------------------------------------------------------------

MIRE = Map(columns=16, rows=16, areas=(Area("mud", feature="deep mud", squares=((2, 0, 2, 16),)),))
HARD = Map(columns=16, rows=16, ground="\n".join(["..,,............"] * 16))


@pytest.mark.parametrize(
    ("ground", "rule", "cost"),
    [(HARD, "", 20), (HARD, "difficult", 10), (MIRE, "", 20), (MIRE, "mud", 10), (MIRE, "ice", 20), (HARD, "mud", 20)],
)
def test_ground_that_costs_nothing_more(ground: Map, rule: str, cost: int) -> None:
    features = (trait("Sure Feet", DataRule("terrain", rule)),) if rule else ()
    field = fray(*features, field=ground).puts(ann=(1, 1), orc=(12, 12))
    field.does(MovePath("ann", ((2, 1), (3, 1))))
    assert field.track("ann", "moved") == cost
    field.session.undo()
    field.puts(wolf=(1, 1), ann=(8, 8))
    while field.active != "wolf":
        field.ends_turn()
    field.does(MovePath("wolf", ((2, 1), (3, 1))))
    assert field.track("wolf", "moved") == 20


@pytest.mark.parametrize(
    ("id", "place", "cost"),
    [
        ("river-raider", "frigid", 10),
        ("bell-goat", "rocky", 10),
        ("mire-witch", "swampy", 10),
        ("mire-witch", "rocky", 20),
    ],
)
def test_shipped_creatures_are_at_home_on_their_ground(id: str, place: str, cost: int) -> None:
    block, findings = read_library_file(resource_path(f"library/a5e/{id}.toml"))
    assert isinstance(block, Creature)
    assert findings == ()
    field = Table(block, creature("guest"), surroundings=[environment(place)])
    field.start(**{id: 9, "guest": 5})
    leg = MoveLeg(10, environment=place, turns_aside=True)
    assert movement_cost(field.encounter, field.rules, id, leg).total == cost
    assert movement_cost(field.encounter, field.rules, "guest", leg).total == 20
