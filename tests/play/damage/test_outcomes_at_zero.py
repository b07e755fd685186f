"""Rules that change what 0 hit points do: down until a turn, dying without dying, and staying up."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from tests.play.any_game import AnyGame
from tests.table import Table, a5e, action_points, creature, dnd5e, pf2e
from turnwright.encounter.data_rules import DataRule
from turnwright.encounter.prepared import Feature, Scene
from turnwright.encounter.running import Effect
from turnwright.encounter.state import Change, key_of
from turnwright.play.attacks.attack_request import Attack, Attacked
from turnwright.play.damage.damage_roll import ApplyDamage
from turnwright.play.damage.manual_hit_points import Heal, SetDead, SetHitPoints
from turnwright.play.effects.conditions import ApplyCondition, EndEffect
from turnwright.play.queries import queries
from turnwright.play.session import Session
from turnwright.play.state.events import Healed
from turnwright.rules.parts.combatants.facts import cannot_act_vetoes
from turnwright.rules.parts.damage.damage_steps import FAILURES
from turnwright.rules.system import RuleSystem

REGENERATION = Feature(
    "regeneration",
    "Regeneration",
    trigger="turn-start",
    when="not suffered:acid, not suffered:fire",
    heals="10",
    rules=(DataRule("at-zero", "down"),),
)
HELD = (DataRule("at-zero", "lives", when="not suffered:acid, not suffered:fire"),)
REGENERATION_2E = msgspec.structs.replace(REGENERATION, rules=HELD)
WARD = Feature("ward", "Ward", uses=1, per="day", rules=(DataRule("at-zero", "stays", set=1),))


def fight(rules: RuleSystem, *features: Feature, strictness: str = "enforce", **troll: Any) -> Table:
    """Ann's turn in round 1, with a troll after her."""
    block = creature("troll", **({"hp": 30, "features": features} | troll))
    scene = Scene(system=rules.id, strictness=strictness)  # type: ignore[arg-type]
    table = AnyGame("ann", block, foes=("troll",), rules=rules, scene=scene)
    table.start(ann=20, troll=10)
    while table.prompts:
        table.skips()
    return table


def hurts(table: Table, damage: str, **how: Any) -> None:
    table.does(ApplyDamage(("troll",), damage, **how))


def state(table: Table) -> tuple[int, bool, bool]:
    """Hit points, unconscious, dead."""
    troll = table.one("troll")
    return troll.hp, "unconscious" in table.effects("troll"), troll.dead


@pytest.mark.parametrize("rules", [dnd5e, a5e])
def test_what_dies_only_unhealed_is_down_until_its_turn(rules: Callable[[], RuleSystem]) -> None:
    table = fight(rules(), REGENERATION)
    before = table.encounter
    hurts(table, "50 slashing")
    assert state(table) == (0, True, False)
    hurts(table, "50 slashing", critical=True)
    assert state(table) == (0, True, False)
    table.ends_turn()
    assert (state(table), table.active) == ((10, False, False), "troll")
    while table.encounter != before:
        table.session.undo()
    assert state(table) == (30, False, False)


@pytest.mark.parametrize("rules", [dnd5e, a5e])
@pytest.mark.parametrize("blows", [("50 fire",), ("50 slashing", "1 acid"), ("1 fire", "50 slashing")])
def test_it_dies_as_its_turn_starts_if_nothing_heals_it(
    rules: Callable[[], RuleSystem], blows: tuple[str, ...]
) -> None:
    table = fight(rules(), REGENERATION)
    for blow in blows:
        hurts(table, blow)
    assert state(table) == (0, True, False)
    table.ends_turn()
    assert table.one("troll").dead


def test_it_dies_if_its_regeneration_is_skipped_and_by_hand() -> None:
    table = fight(dnd5e(), msgspec.structs.replace(REGENERATION, automation="asks"))
    hurts(table, "50 slashing")
    table.ends_turn()
    assert not table.one("troll").dead
    table.skips()
    assert table.one("troll").dead
    table = fight(dnd5e(), REGENERATION)
    table.does(SetDead("troll", dead=True))
    assert table.one("troll").dead


def test_others_die_at_once_and_one_with_death_saves_makes_them() -> None:
    table = fight(dnd5e(), msgspec.structs.replace(REGENERATION, rules=()))
    hurts(table, "50 slashing")
    assert table.one("troll").dead
    table = fight(dnd5e(), REGENERATION, tags=("player character",))
    hurts(table, "35 slashing")
    assert "dying" in table.effects("troll")


def test_who_regenerates_in_pathfinder_is_dying_and_rises() -> None:
    table = fight(pf2e(), REGENERATION_2E)
    hurts(table, "50 slashing")
    assert (state(table), "dying" in table.effects("troll")) == ((0, True, False), True)
    for _ in range(4):
        hurts(table, "50 slashing", critical=True)
    assert (table.one("troll").dead, dying(table)) == (False, 3)
    table.ends_turn()
    table.chooses("trigger")
    assert state(table) == (10, False, False)


def dying(table: Table) -> int:
    return next((effect.value for effect in table.encounter.of(Effect, "troll") if effect.name == "dying"), 0)


def test_it_dies_in_pathfinder_once_fire_has_stopped_its_regeneration() -> None:
    table = fight(pf2e(), REGENERATION_2E)
    hurts(table, "1 fire")
    hurts(table, "50 slashing")
    assert table.one("troll").dead
    table = fight(pf2e(), REGENERATION_2E)
    for blow in ("50 slashing", "1 slashing", "1 slashing", "1 fire"):
        hurts(table, blow)
    assert table.one("troll").dead


def test_doom_brings_no_death_while_it_regenerates() -> None:
    table = fight(pf2e(), REGENERATION_2E)
    table.does(ApplyCondition(("troll",), "doomed", value=2))
    for _ in range(3):
        hurts(table, "50 slashing")
    assert (table.one("troll").dead, dying(table)) == (False, 1)


@pytest.mark.parametrize(("doomed", "shown"), [(0, "3"), (1, "2")])
def test_the_question_shows_no_deadly_value_while_it_regenerates(doomed: int, shown: str) -> None:
    table = fight(pf2e(), REGENERATION_2E, strictness="warn")
    table.does(ApplyCondition(("troll",), "wounded", value=3))
    if doomed:
        table.does(ApplyCondition(("troll",), "doomed", value=doomed))
    for _ in range(2):
        hurts(table, "50 slashing", critical=True)
        assert table.prompts[0].asks[0].detail == f"<condition.dying> {shown}"
        table.chooses("dying")
    assert (table.one("troll").dead, dying(table)) == (False, int(shown))


@pytest.mark.parametrize("rules", [dnd5e, a5e, pf2e])
def test_a_ward_leaves_a_hit_point_once(rules: Callable[[], RuleSystem]) -> None:
    table = fight(rules(), WARD)
    hurts(table, "50 slashing")
    assert state(table) == (1, False, False)
    assert [(event.source, event.hp_after) for event in table.happened(Healed)] == [("Ward", 1)]
    hurts(table, "50 slashing")
    assert table.one("troll").dead


@pytest.mark.parametrize(("wounded", "dead"), [(2, False), (3, True)])
def test_ferocity_is_gone_at_wounded_three(wounded: int, dead: bool) -> None:
    ferocity = Feature("ferocity", "Ferocity", trigger="dropping", when="not track:wounded:3", heals="1")
    table = fight(pf2e(), ferocity)
    table.does(ApplyCondition(("troll",), "wounded", value=wounded))
    hurts(table, "50 slashing")
    assert table.one("troll").dead is dead


# Conscious at 0 hit points ----------------------------------------------------------------------------------------

RAGE = Effect("rage", "troll", "Rage", rules=(DataRule("at-zero", "up"),))


def raging(rules: RuleSystem, *, character: bool = True, **more: Any) -> Table:
    """A troll, a character unless it is said not to be one, that stays conscious at 0 while it rages."""
    tags = ("player character",) if character else ()
    table = fight(rules, WEAPON, tags=tags, **({"ac": 10} | more))
    change = Change(key_of(RAGE), None, RAGE)
    table.session = Session(table.encounter.with_changes([change]), table.rules)
    return table


WEAPON = Feature("claw", "Claw", "action", attack=5, reach=5, damage="1d4+2 slashing", price=1)


def falls(table: Table) -> None:
    table.does(SetHitPoints("troll", hp=1))
    hurts(table, "1 slashing")


def vetoed(table: Table) -> bool:
    return bool(cannot_act_vetoes(table.encounter, table.rules, "troll"))


@pytest.mark.parametrize("rules", [dnd5e, a5e, pf2e, action_points])
def test_one_who_is_kept_up_acts_at_zero_until_the_rule_ends(rules: Callable[[], RuleSystem]) -> None:
    table = raging(rules())
    before = table.encounter
    falls(table)
    assert "unconscious" not in table.effects("troll")
    assert not table.one("troll").dead
    assert not vetoed(table)
    table.does(EndEffect("rage"))
    assert "unconscious" in table.effects("troll")
    assert vetoed(table)
    while table.encounter != before:
        table.session.undo()
    assert table.one("troll").hp == 30


@pytest.mark.parametrize("rules", [dnd5e, a5e])
def test_one_who_is_kept_up_makes_death_saves_and_acts(rules: Callable[[], RuleSystem]) -> None:
    table = raging(rules())
    falls(table)
    assert "dying" in table.effects("troll")
    table.ends_turn()
    assert [ask.label for ask in queries.waiting_asks(table.prompt)] == ["ask.death_save"]
    table.answers(troll="5")
    table.waits_for("troll")
    assert table.track("troll", FAILURES) == 1
    table.dice(15, 2)
    table.does(Attack("troll", "ann", "claw"))
    assert table.happened(Attacked)[-1].outcome == "hit"


@pytest.mark.parametrize("rules", [dnd5e, a5e])
@pytest.mark.parametrize("healed", [False, True])
def test_three_failures_kill_only_after_the_rule_and_only_at_zero(
    rules: Callable[[], RuleSystem], healed: bool
) -> None:
    table = raging(rules(), strictness="warn")
    falls(table)
    for _ in range(3):
        hurts(table, "1 slashing")
        while table.prompts:
            table.skips()
    assert table.track("troll", FAILURES) >= 3
    assert (table.one("troll").dead, vetoed(table)) == (False, False)
    if healed:
        table.does(Heal(("troll",), 5))
    table.does(EndEffect("rage"))
    assert table.one("troll").dead is not healed
    assert vetoed(table) is not healed


@pytest.mark.parametrize("rules", [dnd5e, a5e])
def test_a_monster_that_is_kept_up_dies_when_the_rule_ends(rules: Callable[[], RuleSystem]) -> None:
    table = raging(rules(), character=False)
    falls(table)
    hurts(table, "5 slashing")
    assert (table.one("troll").dead, vetoed(table)) == (False, False)
    table.does(EndEffect("rage"))
    assert table.one("troll").dead


@pytest.mark.parametrize("rules", [dnd5e, a5e])
def test_the_next_fall_without_the_rule_is_a_usual_one(rules: Callable[[], RuleSystem]) -> None:
    table = raging(rules())
    falls(table)
    table.does(Heal(("troll",), 5))
    assert {"dying", "unconscious"}.isdisjoint(table.effects("troll"))
    table.does(EndEffect("rage"))
    hurts(table, "6 slashing")
    assert "unconscious" in table.effects("troll")
    assert vetoed(table)
