"""Health below 0: falling, bleeding, death, and the three ways back."""

from __future__ import annotations

import pytest

from tests.systems.action_points.fights import Fight, before_rounds, person
from tests.table import action_points
from turnwright.encounter.prepared import Feature, RosterEntry, Scene
from turnwright.encounter.procedure_state.asks import Reply
from turnwright.encounter.running import Clock, Combatant
from turnwright.play.actions.action import TakeAction
from turnwright.play.actions.use_feature import UseFeature
from turnwright.play.asking.answer import Answer
from turnwright.play.damage.damage_roll import ApplyDamage, GrantTempHp
from turnwright.play.damage.manual_hit_points import Heal, Rest, SetDead, SetHitPoints
from turnwright.play.movement.commanded_move import MoveFeet
from turnwright.play.queries import queries
from turnwright.play.setup.encounter_course import AdvanceSetup, StartEncounter
from turnwright.play.setup.prepared_records import Add
from turnwright.play.spawning.spawning import AddCombatants
from turnwright.play.state.events import Rolled, Skipped
from turnwright.play.table.game_master import SetDice
from turnwright.play.turns.turns import EndTurn, TurnStarted
from turnwright.rules.parts.checks.ability_checks import save_roll
from turnwright.storage.word_catalogue import WordCatalogue


def fight(scene: Scene | None = None, **bob: object) -> Fight:
    """Ann's turn, then Bob's (20 health unless said otherwise), then the orc's."""
    return Fight("ann", person("bob", **({"level": 3} | bob)), "orc", foes=("orc",), scene=scene)


def hurts(table: Fight, damage: str, who: str = "bob") -> int:
    """Deal damage and return the health it leaves."""
    table.does(ApplyDamage((who,), damage))
    return table.one(who).hp


@pytest.mark.rule("ap.health.meaning")
def test_damage_and_healing_change_health() -> None:
    table = fight()
    table.does(SetHitPoints("bob", hp=15))
    assert hurts(table, "4 sharp") == 11
    table.does(Heal(("bob",), 2))
    assert table.one("bob").hp == 13


@pytest.mark.rule("ap.health.max_cap", "ap.healing.cap")
@pytest.mark.parametrize(("before", "healed"), [(18, 7), (17, 6)])
def test_healing_stops_at_the_maximum(before: int, healed: int) -> None:
    table = fight()
    table.does(SetHitPoints("bob", hp=before))
    table.does(Heal(("bob",), healed))
    assert table.one("bob").hp == 20


@pytest.mark.rule("ap.health.unconscious_at_zero", "ap.health.overflow_negative")
def test_no_health_is_unconscious_and_the_rest_goes_below() -> None:
    for damage, left in (("5 sharp", 0), ("9 sharp", -4)):
        table = fight()
        table.does(SetHitPoints("bob", hp=5))
        assert hurts(table, damage) == left
        assert table.effects("bob") == {"unconscious", "dying"}
        assert not table.prompts


@pytest.mark.rule("ap.health.unconscious_still_damaged")
def test_the_unconscious_can_be_hurt_further() -> None:
    table = fight()
    hurts(table, "24 sharp")
    assert hurts(table, "6 sharp") == -10
    table.does(TakeAction("ann", "stabilize", targets=("bob",)))
    assert "stable" in table.effects("bob")
    hurts(table, "1 sharp")
    assert table.effects("bob") == {"unconscious", "dying"}


def test_who_falls_lets_go_of_whom_they_hold_and_the_line_says_the_figure() -> None:
    table = Fight("bob", "orc", foes=("orc",)).puts(bob=(1, 1), orc=(2, 1))
    table.does(TakeAction("bob", "grapple", targets=("orc",)))
    assert "grappled" in table.effects("orc")
    left = hurts(table, f"{table.one('bob').hp + 4} sharp")
    assert (left, "grappled" in table.effects("orc")) == (-4, False)
    (line,) = [
        one for step in table.session.history.applied for one in step.lines if one.phrase.key == "journal.dropped"
    ]
    assert ("hp", -4) in line.phrase.params


@pytest.mark.rule("ap.health.unconscious_cannot_act")
def test_the_unconscious_do_nothing() -> None:
    table = fight()
    hurts(table, "20 sharp")
    assert all(offer.refused for offer in table.offers("bob").values())
    assert not queries.can_react(table.encounter, table.rules, "bob")
    refused = table.refuses(MoveFeet("bob", 1))
    assert (refused.key, refused.rule) == ("refused.down", "ap.health.unconscious_cannot_act")
    table.does(SetHitPoints("bob", hp=1))
    assert not table.offers("bob")["brace"].refused  # three Reaction Points are enough for it


@pytest.mark.rule("ap.health.unconscious_fail_saves")
def test_the_unconscious_fail_their_saves() -> None:
    table = fight()
    assert save_roll(table.encounter, table.rules, "bob", "agi").fails == ""
    hurts(table, "20 sharp")
    assert save_roll(table.encounter, table.rules, "bob", "agi").fails == "<condition.unconscious>"


@pytest.mark.rule("ap.health.unconscious_fail_saves")
@pytest.mark.parametrize("mode", ["roll", "ask"])
def test_dice_that_roll_by_themselves_fail_the_saves_of_the_unconscious_and_a_person_may_roll_them(mode) -> None:
    table = fight(scene=Scene(strictness="warn", options=("check-d10",)))
    hurts(table, "21 sharp")
    table.does(SetDice(mode, seed=1))
    blast = Feature("blast", "Blast", "action", price=2, save="agi", dc=1, damage="4 heat", half=True)
    table.does(UseFeature("ann", given=blast, targets=("bob",)))
    if mode == "ask":
        (roll,) = [ask for ask in table.prompt.asks if ask.kind == "roll"]
        assert roll.spec.fails == "<condition.unconscious>"
        table.answers(**{roll.id: 1})
    assert table.one("bob").hp == (-5 if mode == "roll" else -3)


@pytest.mark.rule("ap.health.death_at_negative_max")
def test_death_is_at_minus_the_maximum() -> None:
    for before, damage, dead in ((-12, "8 sharp", True), (-12, "7 sharp", False), (5, "25 sharp", True)):
        table = fight()
        hurts(table, f"{20 - before} sharp")
        hurts(table, damage)
        assert table.one("bob").dead is dead
    assert table.one("bob").hp == -20


@pytest.mark.rule("ap.health.bleed_out", "ap.health.skip_turn")
def test_the_unconscious_bleed_and_their_turn_is_skipped() -> None:
    table = fight()
    table.does(GrantTempHp(("bob",), 5))
    hurts(table, "27 sharp")
    assert table.one("bob").hp == -2
    table.does(GrantTempHp(("bob",), 5))
    table.does(EndTurn())
    assert (table.one("bob").hp, table.one("bob").temp_hp) == (-8, 5)
    assert table.active == "orc"
    assert [one.who for one in table.happened(TurnStarted)][-2:] == [("bob",), ("orc",)]


@pytest.mark.parametrize(("damage", "skipped"), [("22 sharp", ["bob"]), ("38 sharp", [])])
def test_who_bleeds_to_death_has_no_turn_to_skip(damage: str, skipped: list[str]) -> None:
    table = fight()
    hurts(table, damage)
    table.does(EndTurn())  # 3 levels: 6 more, of 20 below 0
    assert ([one.who for one in table.happened(Skipped)], table.active) == (skipped, "orc")
    assert table.one("bob").dead is not bool(skipped)


@pytest.mark.rule("ap.external.level")
def test_a_level_that_nobody_knows_is_asked_for() -> None:
    table = fight(level=0)
    hurts(table, "22 sharp")
    table.does(EndTurn())
    assert table.prompt.title == "prompt.bleeding"
    table.answers(bob=2)
    assert (table.one("bob").hp, table.active) == (-6, "orc")
    table.ends_turn(2)
    assert (table.one("bob").hp, table.active) == (-10, "orc")


@pytest.mark.rule("ap.health.stabilize_stops_bleeding", "ap.action.stabilize.effect", "ap.action.stabilize.row")
def test_the_stabilized_bleed_no_more() -> None:
    table = fight(level=4, hp=40)
    hurts(table, "43 sharp")
    table.dice()
    table.does(TakeAction("ann", "stabilize", targets=("bob",)))
    assert (table.points("ann")[0], table.happened(Rolled)) == (4, [])
    assert table.refuses(TakeAction("ann", "stabilize", targets=("orc",))).rule == "ap.action.stabilize.effect"
    for _ in range(3):
        table.does(EndTurn())
        assert (table.one("bob").hp, table.active) == (-3, "orc")
        table.does(EndTurn())


@pytest.mark.rule("ap.revive.short_rest", "ap.external.rests", "ap.revive.three_ways")
def test_a_short_rest_wakes_with_one() -> None:
    table = fight()
    hurts(table, "26 sharp")
    hurts(table, "3 sharp", "ann")
    table.does(GrantTempHp(("ann",), 3))
    table.does(Rest("short"))
    assert (table.one("bob").hp, table.effects("bob")) == (1, set())
    assert (table.one("ann").hp, table.one("ann").temp_hp) == (17, 3)


@pytest.mark.rule("ap.revive.long_rest")
def test_a_long_rest_wakes_with_half() -> None:
    table = fight()
    hurts(table, "26 sharp")
    table.does(Rest("long"))
    assert (table.one("bob").hp, table.effects("bob")) == (10, set())


@pytest.mark.rule("ap.revive.healing", "ap.healing.through_negative")
def test_healing_wakes_only_above_zero() -> None:
    for damage, healed, left, awake in (
        ("24 sharp", 5, 1, True),
        ("24 sharp", 4, 0, False),
        ("31 sharp", 10, -1, False),
    ):
        table = fight()
        hurts(table, damage)
        table.does(Heal(("bob",), healed))
        assert table.one("bob").hp == left
        assert ("unconscious" not in table.effects("bob")) is awake


@pytest.mark.rule("ap.revive.half_action_points")
def test_the_turn_after_waking_has_half_of_the_points() -> None:
    table = fight(pools=(("action", 4),))
    hurts(table, "24 sharp")
    table.does(Heal(("bob",), 5))
    table.does(EndTurn())
    assert table.track("bob", "action") == 2
    table.ends_turn(3)
    assert (table.active, table.track("bob", "action")) == ("bob", 4)


@pytest.mark.rule("ap.death.soul_departs", "ap.death.resurrection")
def test_the_dead_are_out_of_the_turns_until_somebody_says_otherwise() -> None:
    table = fight()
    hurts(table, "40 sharp")
    table.does(EndTurn())
    assert table.active == "orc"
    assert table.refuses(Heal(("bob",), 10)).rule == "ap.death.resurrection"
    assert table.one("bob").dead
    table.does(SetDead("bob", dead=False, hp=7))
    assert (table.one("bob").dead, table.one("bob").hp) == (False, 7)


@pytest.mark.rule("ap.shield.spent_first")
def test_shield_points_go_first() -> None:
    table = fight()
    table.does(GrantTempHp(("bob",), 6))
    hurts(table, "9 sharp")
    assert (table.one("bob").hp, table.one("bob").temp_hp) == (17, 0)


def test_a_lower_maximum_leaves_no_more_shield_points_than_go_with_it() -> None:
    table = fight()
    table.does(GrantTempHp(("bob",), 10))
    table.does(SetHitPoints("bob", hp_max=12))
    assert (table.one("bob").hp, table.one("bob").temp_hp) == (12, 6)


@pytest.mark.rule("ap.shield.cap")
def test_shield_points_add_up_to_half_of_the_maximum() -> None:
    table = fight()
    table.does(GrantTempHp(("bob",), 7))
    table.does(GrantTempHp(("bob",), 6))
    assert table.one("bob").temp_hp == 10


def test_the_round_goes_on_where_all_of_a_turn_bleed() -> None:
    table = fight()
    hurts(table, "22 sharp")
    table.ends_turn(2)
    assert (table.active, table.encounter.need(Clock, "clock").round) == ("ann", 2)


def test_lines_and_tooltips_call_shield_points_so() -> None:
    words = WordCatalogue.load().with_terms(dict(action_points().data.terms))
    told = words("journal.damage_absorbed", who="Bob", taken=6, dealt="6", absorbed=4, before=9, after=7)
    assert "4 of it absorbed by shield points" in told
    assert words("ui.hp.temporary", n=4) == "4 shield points"


def test_a_roll_that_the_game_names_no_die_for_is_typed() -> None:
    blast = Feature("blast", "Blast", "action", price=1, save="agi", dc=12, damage="1d6 fire")
    table = fight(features=(blast,))
    table.ends_turn()
    table.does(UseFeature("bob", "blast", targets=("orc",)))
    (asked,) = table.prompt.asks
    rolled = Answer(table.prompt.id, (Reply(asked.id, roll=True),), table.prompt.revision)
    assert table.refuses(rolled).key == "refused.no_die"


@pytest.mark.rule("ap.external.max_health")
def test_a_maximum_that_no_stat_block_gives_is_asked_for_before_anything_else() -> None:
    table = before_rounds(person("bob"), person("imp", hp=1), roster=(RosterEntry("imps", "imp", count=2),))
    table.does(StartEncounter())
    (ask,) = table.prompt.asks
    assert (ask.kind, ask.who, ask.rule) == ("number", "imps-1", "ap.external.max_health")
    assert table.refuses(AdvanceSetup()) is not None
    table.answers(health=20)
    found = {one.id: (one.hp, one.hp_max) for one in table.encounter.all(Combatant)}
    assert found == {"bob": (20, 20), "imps-1": (20, 20), "imps-2": (20, 20)}
    assert table.prompts == []


@pytest.mark.rule("ap.external.max_health")
def test_whoever_comes_later_without_a_maximum_is_asked_about_too() -> None:
    late = RosterEntry("late", "imp", wave="late")
    table = before_rounds(person("bob"), roster=(late,))
    table.does(StartEncounter())
    assert table.prompts == []
    table.does(Add((person("imp", hp=1),)))
    table.does(AddCombatants("late"))
    table.answers(health=7)
    assert table.one("late").hp_max == 7
