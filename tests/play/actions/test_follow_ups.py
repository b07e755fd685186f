"""Actions that must directly follow a hit, such as Grab, and attacks that only a held target suffers."""

from __future__ import annotations

import pytest

from tests.for_each import for_each
from tests.table import Table, creature, pf2e
from turnwright.encounter.prepared import Feature, FeatureStep, InflictedCondition, Scene
from turnwright.encounter.running import Effect
from turnwright.play.actions.use_feature import UseFeature
from turnwright.play.attacks.attack_request import Attack
from turnwright.play.effects.conditions import ApplyCondition
from turnwright.play.state.action_economy import SpendResource

FIST = Feature("fist", "Fist", "action", attack=7, reach=5, damage="1d6+3 bludgeoning", properties=("unarmed",))
CLAW = Feature("claw", "Claw", "action", attack=7, reach=5, damage="1d6 slashing")
JAWS = Feature("jaws", "Jaws", "action", attack=7, reach=5, damage="1d8 piercing", when="holds")
GRAB = Feature(
    "grab",
    "Grab",
    "action",
    trigger="hits",
    when="with:fist, not target.condition:grabbed",
    afflictions=(InflictedCondition("grabbed", "owner-end", escape_dc=17),),
)


def shambler() -> Table:
    """A zombie's turn, with Ann and Bob in reach."""
    scene = Scene(system="pf2e", strictness="enforce")
    zombie = creature("zombie", features=(FIST, CLAW, JAWS, GRAB))
    people = (zombie, creature("ann", hp=90, ac=10), creature("bob", hp=90, ac=10))
    table = Table(*people, foes=("zombie",), rules=pf2e(), scene=scene)
    table.start(zombie=20, ann=10, bob=5)
    return table


def strikes(table: Table, target: str = "ann", weapon: str = "fist", face: int = 10) -> None:
    table.dice(face, 3)
    table.does(Attack("zombie", target, weapon))
    while table.prompts:
        table.chooses(table.prompt.asks[0].options[0].id)


def grabs(table: Table, target: str = "ann") -> None:
    table.does(UseFeature("zombie", "grab", targets=(target,)))


def refused(table: Table, command: UseFeature | Attack) -> str:
    return table.refuses(command).key


def test_grab_follows_a_hit_at_once_and_ends_with_the_next_turn() -> None:
    table = shambler()
    strikes(table)
    grabs(table)
    assert "grabbed" in table.effects("ann")
    table.ends_turn(3)
    assert (table.active, "grabbed" in table.effects("ann")) == ("zombie", True)
    table.ends_turn()
    assert "grabbed" not in table.effects("ann")


@pytest.mark.parametrize("case", ["nothing", "miss", "other target", "other weapon", "an action between", "next turn"])
def test_grab_follows_nothing_else(case: str) -> None:
    table = shambler()
    if case != "nothing":
        strikes(table, weapon="claw" if case == "other weapon" else "fist", face=1 if case == "miss" else 10)
    if case == "an action between":
        table.does(SpendResource("zombie", "action", "Stride"))
    if case == "next turn":
        table.ends_turn(3)
    target = "bob" if case == "other target" else "ann"
    assert refused(table, UseFeature("zombie", "grab", targets=(target,))) == "refused.no_hit_before"


@for_each(
    ("text", "hp"),
    [
        ("Trigger A creature in the gallery finishes an action.\nEffect A Strike against it.", 87),
        ("Effect A Strike against a creature.", 90),
    ],
)
def test_a_free_action_with_a_trigger_is_used_on_others_turns(text: str, hp: int) -> None:
    scene = Scene(system="pf2e", strictness="enforce")
    barrage = Feature("barrage", "Barrage", "free", does=(FeatureStep(use="dart"),), text=text)
    dart = Feature("dart", "Dart", "action", attack=7, range="60", damage="3 piercing")
    trap = creature("trap", features=(dart, barrage))
    table = Table(creature("ann", hp=90, ac=10), trap, foes=("trap",), rules=pf2e(), scene=scene)
    table.start(ann=20, trap=10)
    if hp == 90:
        assert refused(table, UseFeature("trap", "barrage", targets=("ann",))) == "refused.not_your_turn"
    else:
        table.dice(10)
        table.does(UseFeature("trap", "barrage", targets=("ann",)))
    assert table.one("ann").hp == hp
    table.ends_turn()
    table.dice(10)
    table.does(UseFeature("trap", "barrage", targets=("ann",)))
    assert table.one("ann").hp == hp - 3


@for_each("text", ["", "Trigger A creature stands up.\nEffect It is hurt.", "Effect It is hurt."])
def test_a_free_action_with_a_requirement_is_used_on_others_turns(text: str) -> None:
    scene = Scene(system="pf2e", strictness="enforce")
    hurts = Feature("hurts", "Hurts", "free", damage="3 mental", requires="It stood up.", text=text, targets=1)
    people = (creature("ann", hp=90), creature("archon", features=(hurts,)))
    table = Table(*people, foes=("archon",), rules=pf2e(), scene=scene)
    table.start(ann=20, archon=10)
    if text.startswith("Effect"):
        assert refused(table, UseFeature("archon", "hurts", targets=("ann",))) == "refused.not_your_turn"
    else:
        table.does(UseFeature("archon", "hurts", targets=("ann",)))
        table.chooses("met")
        assert table.one("ann").hp == 87


def test_grab_extends_its_own_hold() -> None:
    table = shambler()
    strikes(table)
    grabs(table)
    table.ends_turn(3)
    grabs(table)
    table.ends_turn(3)
    assert "grabbed" in table.effects("ann")


def test_jaws_are_for_whom_the_zombie_holds() -> None:
    table = shambler()
    assert refused(table, Attack("zombie", "ann", "jaws")) == "refused.target_not_meant"
    table.does(ApplyCondition(("ann",), "grabbed", by="bob"))
    assert refused(table, Attack("zombie", "ann", "jaws")) == "refused.target_not_meant"
    table.does(ApplyCondition(("bob",), "restrained", by="zombie"))
    strikes(table, "bob", "jaws")
    assert table.one("bob").hp == 87


def test_a_hold_of_nobody_known_is_for_the_game_master() -> None:
    table = shambler()
    table.does(ApplyCondition(("ann",), "grabbed"))
    strikes(table, "ann", "jaws")
    assert table.one("ann").hp == 87


def test_the_mark_of_a_hit_is_seen_by_nobody_and_undone_with_it() -> None:
    table = shambler()
    before = table.encounter
    strikes(table)
    assert [(mark.source, mark.shown) for mark in table.encounter.of(Effect, "ann") if mark.name == "just-hit"] == [
        ("fist", False)
    ]
    while table.encounter != before:
        table.session.undo()
    assert not table.effects("ann")
