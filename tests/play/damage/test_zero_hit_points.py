"""At 0 hit points: falling, death saves, blows and other damage there, being stable, and coming round."""

from __future__ import annotations

from dataclasses import replace

import msgspec
import pytest

from tests.for_each import for_each
from tests.play.dying_table import OUT_COLD, ZERO, Wounded, hero, lax
from tests.play.map_table import Field
from tests.play.movement.test_mounting import mounted
from tests.table import Table, a5e, creature, dnd5e, environment
from turnwright.dice.expression import Modifier
from turnwright.encounter.data_rules import DataRule
from turnwright.encounter.prepared import Map, RosterEntry, Scene
from turnwright.play.actions.action import TakeAction
from turnwright.play.asking.answer import DismissPrompt
from turnwright.play.damage.damage_roll import ApplyDamage, GrantTempHp
from turnwright.play.damage.manual_hit_points import Heal, PassTime, SetDead, SetHitPoints, SetTrack, TimePassed
from turnwright.play.damage.zero_hit_points import Died, stabilise
from turnwright.play.effects.conditions import ApplyCondition
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.movement.commanded_move import MoveFeet
from turnwright.play.movement.forced_movement import FallBegan
from turnwright.play.movement.mounting import MountOrDismount
from turnwright.play.state.action_economy import SpendResource
from turnwright.play.state.events import ActionTaken, EffectGained, Healed, Rolled
from turnwright.play.state.position_changes import SetPosition
from turnwright.play.turns.turns import EndEncounter, EndTurn, RemoveCombatant
from turnwright.rules.system import RuleSystem
from turnwright.rules.system_data.dying import Condition


def lying(*others: object, **more: object) -> Wounded:
    """A table where Ada is dying."""
    table = Wounded(*others, **more)  # type: ignore[arg-type]
    table.fells()
    return table


def rules_said(table: Wounded, name: str) -> list[str]:
    return [event.rule for event in table.happened(EffectGained) if event.name == name]


# Falling ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("a5e.zero.unconscious")
def test_damage_to_zero_knocks_a_character_unconscious() -> None:
    table = Wounded(ada=hero("ada", hp=6))
    table.hurts("9")
    assert table.one("ada").hp == 0
    assert "unconscious" in table.effects("ada")
    assert rules_said(table, "unconscious") == ["a5e.zero.unconscious"]
    assert not table.one("ada").dead


@pytest.mark.rule("a5e.death.dying")
def test_who_is_brought_to_zero_is_dying_with_no_save_made() -> None:
    table = lying()
    assert table.effects("ada") == ZERO
    assert rules_said(table, "dying") == ["a5e.death.dying"]
    assert (table.track("ada", "death-successes"), table.track("ada", "death-failures")) == (0, 0)
    assert table.effects("brand") == set()
    assert not table.prompts


@pytest.mark.rule("a5e.zero.wake")
def test_any_hit_point_wakes() -> None:
    table = lying()
    table.does(Heal(("ada",), 1))
    assert table.one("ada").hp == 1
    assert table.effects("ada") == {"prone"}


@pytest.mark.rule("a5e.zero.wake")
def test_hit_points_given_by_hand_wake_too_and_sleep_of_another_kind_goes_on() -> None:
    table = lying()
    table.does(SetHitPoints("ada", hp=3))
    assert table.effects("ada") == {"prone"}
    table.does(ApplyCondition(("ada",), "unconscious"))
    table.does(Heal(("ada",), 3))
    assert table.effects("ada") == {"prone", "unconscious"}


@pytest.mark.rule("a5e.zero.fatigue")
def test_each_fall_in_an_encounter_costs_a_level_of_fatigue_and_none_after_it() -> None:
    table = lying()
    table.does(Heal(("ada",), 5))
    table.hurts("9")
    assert table.gained("a5e.zero.fatigue") == [("fatigue-pending", 1), ("fatigue-pending", 1)]
    table.does(Heal(("ada",), 5))
    table.does(EndEncounter())
    assert table.levels() == (2, 0, 0)
    table.hurts("9")
    assert table.effects("ada") == ZERO | {"fatigue"}
    assert table.levels() == (2, 0, 0)


# Death saves -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("a5e.death.turn-start")
def test_one_death_save_is_asked_as_each_own_turn_begins() -> None:
    table = lying()
    asked = {}
    for _ in range(4):
        table.does(EndTurn())
        asked[table.active] = [(ask.who, ask.dc, ask.rule) for ask in table.asked()]
        while table.prompts:
            table.skips()
    save = ("ada", 10, "a5e.death.turn-start")
    assert asked == {"brand": [], "orc": [], "ada": [save]}


@pytest.mark.rule("a5e.death.turn-start")
def test_the_save_comes_before_what_the_world_does_on_their_turn() -> None:
    table = lying(scene=lax(rolling=True), surroundings=[environment("fiery")])
    for _ in range(20):
        if table.active == "ada" and [ask.label for ask in table.asked()] == ["ask.death_save"]:
            break
        if table.prompts:
            table.skips()
        else:
            table.ends_turn()
    table.answers(ada=12)
    assert table.counts() == (1, 0)
    assert [ask.label for ask in table.asked()] == ["ask.targets_one"]


def test_the_turn_waits_for_the_death_save() -> None:
    table = lying()
    table.comes_to_turn_of("ada")
    assert table.refuses(EndTurn()).key == "refused.prompt_open"
    table.answers(ada="12")
    table.does(EndTurn())
    assert table.active == "brand"


@pytest.mark.rule("a5e.death.no-ability")
def test_a_death_save_adds_what_all_saves_add_and_no_ability() -> None:
    warded = Condition("warded", "Warded", rules=(DataRule("modifier", "save", add=1, ledger="a5e.death.no-ability"),))
    table = lying(ada=hero("ada", abilities=(("con", 18),)), rules=with_condition(warded))
    table.does(ApplyCondition(("ada",), "warded"))
    table.dice(9)
    table.comes_to_turn_of("ada")
    (rolled,) = [event for event in table.happened(Rolled) if event.purpose == "ask.death_save"]
    assert (rolled.roll.total, rolled.passed) == (10, True)
    assert rolled.roll.modifiers == (Modifier(1, "<condition.warded>", "a5e.death.no-ability"),)
    assert table.counts() == (1, 0)


@pytest.mark.rule("a5e.death.no-ability")
@pytest.mark.parametrize(("kind", "total"), [("advantage", 15), ("disadvantage", 4)])
def test_advantage_on_all_saves_holds_for_a_death_save(kind: str, total: int) -> None:
    blessed = Condition("blessed", "Blessed", rules=(DataRule(kind, "save"),))  # type: ignore[arg-type]
    table = lying(rules=with_condition(blessed))
    table.does(ApplyCondition(("ada",), "blessed"))
    table.dice(4, 15)
    table.comes_to_turn_of("ada")
    assert table.happened(Rolled)[-1].roll.total == total


def test_what_changes_constitution_saves_alone_leaves_a_death_save_alone() -> None:
    hardy = Condition("hardy", "Hardy", rules=(DataRule("modifier", "save.con", add=5),))
    table = lying(rules=with_condition(hardy))
    table.does(ApplyCondition(("ada",), "hardy"))
    table.dice(9)
    table.comes_to_turn_of("ada")
    assert table.counts() == (0, 1)


def with_condition(condition: Condition) -> RuleSystem:
    """A5E with one condition more."""
    catalogue = a5e().data
    return replace(a5e(), data=msgspec.structs.replace(catalogue, conditions=(*catalogue.conditions, condition)))


@pytest.mark.rule("a5e.death.target")
@pytest.mark.parametrize(("face", "counts"), [(10, (1, 0)), (9, (0, 1)), (19, (1, 0)), (2, (0, 1))])
def test_ten_or_more_succeeds(face: int, counts: tuple[int, int]) -> None:
    table = lying()
    table.saves(face)
    assert table.counts() == counts
    assert table.happened(Rolled)[-1].rule == "a5e.death.target"


@pytest.mark.rule("a5e.death.count")
def test_counts_are_kept_over_turns_in_any_order() -> None:
    table = lying()
    table.saves(12, 5, 15, 8)
    assert table.counts() == (2, 2)
    assert table.effects("ada") == ZERO
    assert [name for name, _ in table.gained("a5e.death.count")] == [
        "death-successes",
        "death-failures",
        "death-successes",
        "death-failures",
    ]


@pytest.mark.rule("a5e.death.third-success")
def test_the_third_success_makes_stable() -> None:
    table = lying()
    table.saves(12, 5, 15, 8)
    table.saves(11)
    assert table.effects("ada") == OUT_COLD
    assert rules_said(table, "stable") == ["a5e.death.third-success"]


@pytest.mark.rule("a5e.death.third-failure")
def test_the_third_failure_kills() -> None:
    table = lying()
    table.saves(12, 5, 15, 8)
    assert not table.one("ada").dead
    table.saves(7)
    assert table.one("ada").dead
    assert table.effects("ada") == {"prone"}
    assert [event.rule for event in table.happened(Died)] == ["a5e.death.third-failure"]


@pytest.mark.rule("a5e.death.reset")
def test_healing_sets_both_counts_back() -> None:
    table = lying()
    table.saves(12, 5, 8)
    assert table.counts() == (1, 2)
    table.does(Heal(("ada",), 3))
    assert table.counts() == (0, 0)
    table.fells()
    assert table.counts() == (0, 0)


@pytest.mark.rule("a5e.death.reset")
def test_becoming_stable_sets_both_counts_back() -> None:
    table = lying()
    table.saves(12, 5, 15, 8, 11)
    assert table.counts() == (0, 0)
    assert table.gained("a5e.death.reset") == [("death-successes", -3), ("death-failures", -2)]


@pytest.mark.rule("a5e.death.natural-1")
def test_a_natural_1_costs_fatigue_and_strife_and_is_one_failure() -> None:
    table = lying()
    before = table.levels()
    table.saves(1)
    assert table.counts() == (0, 1)
    assert [after - had for had, after in zip(before, table.levels(), strict=True)] == [0, 1, 1]
    assert table.gained("a5e.death.natural-1") == [("fatigue-pending", 1), ("strife", 1)]


@pytest.mark.rule("a5e.death.natural-1")
def test_a_natural_1_fails_whatever_is_added_to_it() -> None:
    table = lying()
    table.comes_to_turn_of("ada")
    table.answers(ada="30 1!")
    assert table.counts() == (0, 1)


def test_a_total_of_1_that_is_no_natural_1_costs_nothing_more() -> None:
    table = lying()
    table.comes_to_turn_of("ada")
    table.answers(ada="1")
    assert (table.counts(), table.levels()[2]) == ((0, 1), 0)


@pytest.mark.rule("a5e.death.natural-20")
def test_a_natural_20_brings_round_at_once_with_the_turn_still_to_use() -> None:
    table = lying()
    table.saves(5, 8)
    table.saves(20)
    assert (table.one("ada").hp, table.effects("ada"), table.counts()) == (1, {"prone"}, (0, 0))
    assert table.happened(Healed)[-1].rule == "a5e.death.natural-20"
    assert table.active == "ada"
    table.does(SpendResource("ada", "action"))
    assert table.track("ada", "action") == 0


def test_a_save_whose_dice_nobody_knows_is_asked_made_or_failed() -> None:
    table = lying()
    table.comes_to_turn_of("ada")
    table.answers(ada="?")
    table.answers(ada="failed")
    assert table.counts() == (0, 1)


def test_a_save_passed_over_counts_nothing() -> None:
    table = lying()
    table.comes_to_turn_of("ada")
    table.does(DismissPrompt(table.prompt.id))
    assert (table.counts(), table.prompts) == ((0, 0), [])


@pytest.mark.parametrize("command", [Heal(("ada",), 4), SetDead("ada"), RemoveCombatant("ada")])
def test_a_save_is_withdrawn_with_its_reason(command: Heal) -> None:
    table = lying()
    table.comes_to_turn_of("ada")
    table.does(command)
    assert table.prompts == []


def test_whoever_is_down_can_do_nothing() -> None:
    table = lying()
    for resource in ("action", "bonus", "reaction"):
        assert table.refuses(SpendResource("ada", resource)).key == "refused.condition"


def test_saves_survive_undo_and_redo() -> None:
    table = lying()
    table.saves(5)
    after = table.encounter
    table.session.undo()
    assert table.counts() == (0, 0)
    table.session.redo()
    assert table.encounter == after


# Hurt at 0 -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("a5e.death.attacked")
@pytest.mark.parametrize(
    ("chosen", "failures", "rise"), [("strife", 1, [0, 0, 1]), ("failure", 2, [0, 0, 0]), ("fatigue", 1, [0, 1, 0])]
)
def test_whoever_hits_one_at_zero_chooses_what_it_costs(chosen: str, failures: int, rise: list[int]) -> None:
    table = lying()
    table.saves(5)
    before = table.levels()
    table.strikes("4", attack="ranged")
    (ask,) = table.asked()
    assert (ask.who, ask.rule) == ("orc", "a5e.death.attacked")
    assert [option.id for option in ask.options] == ["failure", "fatigue", "strife"]
    assert table.counts() == (0, 1)
    table.chooses(chosen)
    assert table.counts() == (0, failures)
    assert [after - had for had, after in zip(before, table.levels(), strict=True)] == rise


@pytest.mark.rule("a5e.fatigue.cause-critical-at-zero")
@pytest.mark.parametrize(("critical", "levels"), [(True, (0, 2, 1)), (False, (0, 1, 1))])
def test_a_critical_hit_at_zero_costs_fatigue_besides(critical: bool, levels: tuple[int, int, int]) -> None:
    table = lying()
    table.strikes("4", critical=critical)
    table.chooses("strife")
    assert table.levels() == levels
    rule = "a5e.fatigue.cause-critical-at-zero"
    assert table.gained(rule) == ([("fatigue-pending", 1)] if critical else [])


@pytest.mark.rule("a5e.death.other-damage")
def test_other_damage_at_zero_is_a_failed_save() -> None:
    table = lying()
    table.saves(5, 8)
    table.hurts("3 fire")
    assert table.one("ada").dead
    assert table.gained("a5e.death.other-damage") == [("death-failures", 1)]
    assert [event.rule for event in table.happened(Died)] == ["a5e.death.third-failure"]


def test_other_damage_at_zero_is_one_failure_however_much_it_is() -> None:
    table = lying()
    table.hurts("300")
    assert table.counts() == (0, 1)
    assert not table.one("ada").dead


@pytest.mark.rule("a5e.death.other-damage-option")
@pytest.mark.parametrize(
    ("chosen", "dead", "pending", "strife"),
    [("fatigue", False, 2, 0), ("strife", False, 1, 1), ("failure", True, 1, 0)],
)
def test_the_narrator_may_soften_other_damage(chosen: str, dead: bool, pending: int, strife: int) -> None:
    table = lying(scene=lax(options=("other-damage-at-zero",)))
    table.saves(5, 8)
    table.hurts("3 fire", source="steam")
    (ask,) = table.asked()
    assert (ask.who, ask.rule, ask.suggested) == ("", "a5e.death.other-damage-option", ("failure",))
    table.chooses(chosen)
    assert table.one("ada").dead is dead
    if not dead:
        assert (table.counts(), table.levels()) == ((0, 2), (0, pending, strife))


@pytest.mark.rule("a5e.temp.not-waking")
def test_temporary_hit_points_wake_nobody() -> None:
    table = lying()
    table.saves(5)
    table.does(GrantTempHp(("ada",), 6))
    assert (table.one("ada").hp, table.one("ada").temp_hp) == (0, 6)
    assert (table.effects("ada"), table.counts()) == (ZERO, (0, 1))


@pytest.mark.rule("a5e.temp.at-zero")
def test_temporary_hit_points_take_damage_at_zero_without_a_failure() -> None:
    table = lying()
    table.saves(5)
    table.does(GrantTempHp(("ada",), 6))
    table.strikes("4")
    assert (table.one("ada").temp_hp, table.counts(), table.prompts) == (2, (0, 1), [])
    table.hurts("3")
    assert (table.one("ada").temp_hp, table.counts()) == (0, (0, 2))


# Stable ----------------------------------------------------------------------------------------------------------


def stable(**more: object) -> Wounded:
    table = lying(**more)
    table.saves(10, 10, 10)
    assert table.effects("ada") == OUT_COLD
    return table


def test_help_makes_stable() -> None:
    table = lying()
    tx = Transaction(table.encounter, table.rules, 0)
    stabilise(tx, "ada")
    (gained,) = [event for event in tx.events if isinstance(event, EffectGained)]
    assert (gained.name, gained.rule) == ("stable", "a5e.stable.aid")


@pytest.mark.rule("a5e.stable.no-saves")
def test_a_stable_creature_makes_no_death_saves() -> None:
    table = stable()
    table.comes_to_turn_of("ada")
    assert table.prompts == []


@pytest.mark.rule("a5e.stable.unconscious")
def test_a_stable_creature_stays_unconscious_and_does_nothing() -> None:
    table = stable()
    assert {"stable", "unconscious"} <= table.effects("ada")
    table.comes_to_turn_of("ada")
    assert table.refuses(SpendResource("ada", "action")).rule.startswith("a5e.")
    table.does(ApplyDamage(("brand",), "1"))
    assert "unconscious" in table.effects("ada")


@pytest.mark.rule("a5e.stable.damaged")
def test_any_damage_makes_a_stable_creature_dying_again() -> None:
    table = stable()
    table.hurts("1")
    assert table.effects("ada") == ZERO
    assert rules_said(table, "dying")[-1] == "a5e.stable.damaged"
    table.comes_to_turn_of("ada")
    assert [ask.who for ask in table.asked()] == ["ada"]


@pytest.mark.rule("a5e.stable.damaged")
def test_damage_that_temporary_hit_points_take_leaves_stable() -> None:
    table = stable()
    table.does(GrantTempHp(("ada",), 2))
    table.hurts("1")
    assert table.effects("ada") == OUT_COLD


@pytest.mark.rule("a5e.stable.recover")
def test_a_stable_creature_comes_round_after_1d4_hours() -> None:
    table = stable()
    table.does(EndEncounter())
    table.dice(3)
    table.does(PassTime(2))
    assert (table.one("ada").hp, table.effects("ada")) == (0, OUT_COLD | {"fatigue"})
    table.does(PassTime(1))
    assert (table.one("ada").hp, table.effects("ada")) == (1, {"prone", "fatigue"})
    assert table.happened(Healed)[-1].rule == "a5e.stable.recover"
    assert [event.hours for event in table.happened(TimePassed)] == [2, 1]


@pytest.mark.rule("a5e.stable.recover")
def test_hours_are_asked_once_and_begin_anew_after_a_disturbance() -> None:
    table = stable()
    table.does(PassTime(2))
    assert (table.asked()[0].spec.dice, table.asked()[0].rule) == ("1d4", "a5e.stable.recover")  # type: ignore[union-attr]
    table.answers(ada=4)
    table.hurts("1")
    table.saves(10, 10, 10)
    table.does(PassTime(2))
    table.answers(ada=3)
    assert table.one("ada").hp == 0
    table.does(PassTime(1))
    assert table.one("ada").hp == 1


def test_hours_do_nothing_for_the_dying_and_need_a_number() -> None:
    table = lying()
    table.does(PassTime(24))
    assert (table.one("ada").hp, table.prompts) == (0, [])
    assert table.refuses(PassTime(0)).key == "refused.hours"


# Monsters and villains -------------------------------------------------------------------------------------------


@pytest.mark.rule("a5e.npc.monster-dies")
def test_a_monster_dies_at_zero() -> None:
    table = Wounded(creature("goblin", hp=5))
    table.hurts("8", "goblin")
    assert table.one("goblin").dead
    assert table.effects("goblin") == set()
    assert (table.levels("goblin"), table.counts("goblin")) == ((0, 0, 0), (0, 0))
    assert [event.rule for event in table.happened(Died)] == ["a5e.npc.monster-dies"]


@for_each(
    ("fields", "entry", "saves"),
    [
        ({}, {}, False),
        ({"tags": ("player character",)}, {}, True),
        ({"tags": ("goblinoid",)}, {}, False),
        ({"level": 1}, {}, True),
        ({}, {"level": 1}, True),
        ({}, {"player": "Kim"}, True),
        ({}, {"dying": "saves"}, True),
        ({"level": 3}, {"dying": "dies", "player": "Kim"}, False),
    ],
)
def test_who_makes_death_saves(fields: dict[str, object], entry: dict[str, object], saves: bool) -> None:
    table = Wounded(creature("xan", hp=5, **fields), roster=[RosterEntry("xan", "xan", **entry)])  # type: ignore[arg-type]
    table.hurts("6", "xan")
    assert table.one("xan").dead is not saves
    assert table.effects("xan") == (ZERO if saves else set())


@pytest.mark.rule("a5e.npc.dying-rules")
def test_a_villain_that_dies_like_a_character_makes_death_saves() -> None:
    table = Wounded(creature("baron", hp=5), roster=[RosterEntry("baron", "baron", dying="saves")])
    table.fells("baron")
    assert (table.effects("baron"), table.counts("baron")) == (ZERO, (0, 0))
    table.comes_to_turn_of("baron")
    assert [ask.who for ask in table.asked()] == ["baron"]


@pytest.mark.rule("a5e.npc.doomed-at-zero")
def test_a_villain_doomed_at_zero_has_one_last_deed() -> None:
    table = Wounded(creature("baron", hp=5), roster=[RosterEntry("baron", "baron", dying="doomed")])
    table.fells("baron")
    assert (table.effects("baron"), table.one("baron").dead) == ({"doomed"}, False)
    assert [(ask.who, ask.rule) for ask in table.asked()] == [("baron", "a5e.npc.doomed-at-zero")]
    table.chooses("act")
    assert [event.who for event in table.happened(ActionTaken)] == ["baron"]
    assert table.one("baron").dead
    assert [event.rule for event in table.happened(Died)] == ["a5e.npc.doomed-at-zero"]
    silent = Wounded(creature("baron", hp=5), roster=[RosterEntry("baron", "baron", dying="doomed")])
    silent.fells("baron")
    silent.chooses("nothing")
    assert (silent.one("baron").dead, silent.happened(ActionTaken)) == (True, [])


def test_one_blow_on_several_fells_them_in_order() -> None:
    table = Wounded(creature("goblin", hp=5), creature("kobold", hp=5))
    table.does(ApplyDamage(("kobold", "orc", "goblin"), "25"))
    assert [event.who for event in table.happened(Died)] == ["kobold", "orc", "goblin"]


def test_the_dead_keep_no_count_of_the_saves_that_killed_them() -> None:
    table = Wounded()
    table.fells()
    table.saves(12, 5, 5, 5)
    assert (table.one("ada").dead, table.counts()) == (True, (0, 0))
    table.does(SetDead("ada", dead=False, hp=1))
    table.hurts("1")
    assert (table.one("ada").dead, table.counts()) == (False, (0, 0))


@pytest.mark.rule("a5e.external.back-from-death")
def test_who_is_restored_to_life_can_be_healed_again() -> None:
    table = Wounded(ada=hero("ada", hp=30))
    table.does(SetDead("ada"))
    assert table.refuses(Heal(("ada",), 5)).rule == "a5e.heal.dead"
    table.does(SetDead("ada", dead=False, hp=1))
    assert (table.one("ada").hp, table.effects("ada")) == (1, set())
    table.does(Heal(("ada",), 5))
    assert table.one("ada").hp == 6


@pytest.mark.parametrize(
    ("track", "dead", "stable"), [("death-failures", True, False), ("death-successes", False, True)]
)
def test_counts_set_by_hand_have_their_end_too(track, dead, stable):
    table = Table(creature("ann", level=3), "orc", foes=("orc",))
    table.start(ann=20, orc=10)
    table.does(ApplyDamage(("ann",), "20"))
    table.does(SetTrack("ann", track, 2))
    assert "dying" in table.effects("ann")
    table.does(SetTrack("ann", track, 3))
    assert (table.one("ann").dead, "stable" in table.effects("ann")) == (dead, stable)


@pytest.mark.parametrize("action", ["combat-maneuver", "communicate", "interact-object", "dismiss-thaumaturgy"])
def test_the_unconscious_do_nothing_that_is_free_either(action):
    table = Table(creature("ann", level=3), "orc", foes=("orc",))
    table.start(ann=20, orc=10)
    table.does(ApplyDamage(("ann",), "20"))
    refused = table.refuses(TakeAction("ann", action, cost="none" if action == "combat-maneuver" else ""))
    assert refused.key == "refused.incapacitated"


def aloft(*, flies: bool = True, ridden: bool = False) -> Field:
    """A griffon 40 ft up, Ada on it or on the ground, and an orc below; Ada's turn."""
    speeds = (("walk", 30), ("fly", 80)) if flies else (("walk", 30),)
    griffon = creature("griffon", hp=30, size="large", speeds=speeds)
    table = Field("ada", griffon, "orc", foes=("orc",), field=Map(columns=16, rows=16))
    table.puts(ada=(3, 3, 40 if ridden else 0), griffon=(3, 3, 40), orc=(12, 12))
    if ridden:
        table.does(MountOrDismount("ada", "griffon"))
        table.chooses("carries")
    return table


def test_a_flyer_that_dies_in_the_air_comes_down() -> None:
    table = aloft()
    table.does(ApplyDamage(("griffon",), "30"))
    assert (table.one("griffon").dead, table.one("griffon").elevation) == (True, 0)
    assert [(one.who, one.feet) for one in table.happened(FallBegan)] == [("griffon", 40)]
    assert table.prompts == []


def test_the_dead_who_stood_on_something_stay_there() -> None:
    table = aloft(flies=False)
    table.does(ApplyDamage(("griffon",), "30"))
    assert (table.one("griffon").elevation, table.happened(FallBegan)) == (40, [])


def test_a_rider_falls_when_what_bears_it_through_the_air_dies() -> None:
    table = aloft(ridden=True)
    table.does(SetDead("griffon"))
    assert [(one.who, one.feet) for one in table.happened(FallBegan)] == [("griffon", 40), ("ada", 40)]
    assert table.one("ada").rides == ""
    table.dice(3, 3, 3, 3)
    table.chooses("usual")
    assert (table.one("ada").elevation, table.one("ada").hp) == (0, 8)


@pytest.mark.parametrize(("answer", "lies"), [("land", False), ("pass", True)])
def test_a_rider_comes_off_a_mount_that_dies_under_it(answer: str, lies: bool) -> None:
    table = mounted()
    table.does(SetDead("horse"))
    table.chooses(answer)
    assert (table.one("ada").rides, "prone" in table.effects("ada")) == ("", lies)


def test_a_dead_rider_comes_off_without_a_word() -> None:
    table = mounted()
    table.does(SetDead("ada"))
    table.does(SetDead("horse"))
    assert table.prompts == []


def test_the_dead_are_not_pulled_along() -> None:
    table = Field("ada", "bo", "orc", foes=("orc",), field=None)
    assert table.does(MoveFeet("ada", 5, drags="bo")) is not None
    table.does(SetDead("bo"))
    refused = table.refuses(MoveFeet("ada", 5, drags="bo"))
    assert (refused.key, refused.rule, refused.can_be_overridden) == (
        "refused.drag_dead",
        "a5e.tactic.drag.start",
        True,
    )


def test_places_are_as_they_were_for_those_who_die_on_the_ground() -> None:
    table = aloft()
    table.does(SetPosition("griffon", position=(3, 3), elevation=0))
    table.does(SetDead("griffon"))
    assert table.happened(FallBegan) == []


@pytest.mark.parametrize(("critical", "failures"), [(True, 2), (False, 1)])
def test_a_critical_hit_typed_by_hand_at_zero_is_two_failures_in_5e(critical: bool, failures: int) -> None:
    table = Table(hero("ada"), creature("orc"), foes=("orc",), rules=dnd5e(), scene=Scene(system="dnd5e"))
    table.start(ada=20, orc=10)
    table.does(ApplyDamage(("ada",), "20"))
    table.does(ApplyDamage(("ada",), "3", critical=critical))
    assert table.track("ada", "death-failures") == failures


def test_a_critical_hit_typed_by_hand_at_zero_is_a_hit_of_an_attack() -> None:
    table = lying()
    table.hurts("4", critical=True)
    assert [option.id for option in table.asked()[0].options] == ["failure", "fatigue", "strife"]
    table.chooses("strife")
    assert table.levels() == (0, 2, 1)
