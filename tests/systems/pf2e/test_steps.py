"""The steps of a turn's start and end by the rules of Pathfinder 2e: in which order, and what each of them does."""

from __future__ import annotations

from dataclasses import replace

import msgspec
import pytest

from tests.systems.pf2e.encounters import Encounter, pair
from tests.table import creature, pf2e
from turnwright.encounter.prepared import Feature
from turnwright.encounter.procedure_state.asks import Reply
from turnwright.encounter.running import Duration, Effect
from turnwright.play.actions.action import TakeAction
from turnwright.play.asking.answer import Answer
from turnwright.play.effects.conditions import ApplyCondition, ApplyPersistentDamage, EffectUpdated
from turnwright.play.state.action_economy import SpendResource
from turnwright.play.state.effect_records import HoldEffects, UsualEffectsHeld
from turnwright.play.state.events import ActionTaken, DamageTaken, EffectEnded, Rolled, Skipped, Unaffected
from turnwright.play.table.game_master import NoteAdded
from turnwright.rules.system import RuleSystem

RISE = Feature("rise", "Rise Up", "free", trigger="turn-start")
GUARD = Feature("guard", "Guard", "free", trigger="turn-start")
SNARL = Feature("snarl", "Snarl", "reaction", trigger="turn-end")
SPIT = Feature("spit", "Spit", "reaction", trigger="turn-end")


def flat_dc(dc: int) -> RuleSystem:
    """The game with another DC of the flat check."""
    found = pf2e().data
    return replace(pf2e(), data=msgspec.structs.replace(found, turns=msgspec.structs.replace(found.turns, flat_dc=dc)))


def trio(*people: object, **given: object) -> Encounter:
    """Mira's turn in round 1, then Tor's, then an ogre's."""
    table = Encounter("mira", "tor", "ogre", foes=("ogre",), **given)  # type: ignore[arg-type]
    table.start(mira=20, tor=15, ogre=10)
    return table


def alone(*features: Feature, **given: object) -> Encounter:
    """Mira's turn, with features; an ogre after her."""
    table = Encounter(creature("mira", features=features), "ogre", foes=("ogre",), **given)  # type: ignore[arg-type]
    table.start(mira=20, ogre=10)
    return table


# The start -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("pf2e.turn.start.effects_tick")
def test_an_effect_counts_down_as_its_creators_turn_starts() -> None:
    table = trio()
    table.casts("mira", "tor", "Bless", rounds=2)
    table.ends_turn()
    assert (table.active, table.called("Bless").rounds_left) == ("tor", 2)
    table.ends_turn(2)
    assert (table.active, table.called("Bless").rounds_left) == ("mira", 1)
    counted = table.happened(EffectUpdated)[-1]
    assert (counted.left, counted.rule) == (1, "pf2e.turn.start.effects_tick")
    table.ends_turn(3)
    assert not table.lasts("Bless")
    assert table.rule_of(EffectEnded) == "pf2e.turn.start.effects_tick"


@pytest.mark.rule("pf2e.turn.start.effects_tick_example")
def test_a_spell_of_three_rounds_ends_as_the_fourth_turn_starts() -> None:
    table = pair()
    table.casts("mira", "mira", "Shield", rounds=3)
    seen = []
    for _ in range(3):
        table.ends_turn(2)
        seen.append(table.called("Shield").rounds_left if table.lasts("Shield") else 0)
    assert (seen, table.clock.round) == ([2, 1, 0], 4)


@pytest.mark.rule("pf2e.turn.start.any_order")
def test_the_steps_of_the_start_come_in_any_order_before_actions_are_back() -> None:
    table = alone(RISE)
    table.chooses("pass")
    table.casts("mira", "mira", "Shield", rounds=1)
    table.does(ApplyCondition(("mira",), "reminder", due="turn-start", note="2 damage"))
    table.ends_turn(2)
    ask = table.ask()
    assert ([one.id for one in ask.options], ask.rule) == (
        ["rounds", "notes", "trigger"],
        "pf2e.turn.start.any_order",
    )
    table.chooses("trigger", "notes", "rounds")
    assert (table.prompt.title, table.lasts("Shield"), table.track("mira", "action")) == ("prompt.triggered", True, 0)
    table.chooses("rise")
    assert (table.prompt.title, table.lasts("Shield"), table.track("mira", "action")) == ("prompt.due_note", True, 0)
    table.chooses("waived")
    assert (table.prompts, table.lasts("Shield"), table.track("mira", "action")) == ([], False, 3)


def test_one_step_alone_just_happens_and_enter_takes_all_as_listed() -> None:
    table = pair()
    table.casts("mira", "mira", "Shield", rounds=1)
    table.ends_turn(2)
    assert (table.prompts, table.lasts("Shield")) == ([], False)
    table.casts("mira", "mira", "Shield", rounds=1)
    table.does(ApplyCondition(("mira",), "reminder", due="turn-start", note="2 damage"))
    table.ends_turn(2)
    table.chooses()
    assert (table.prompt.title, table.lasts("Shield")) == ("prompt.due_note", False)


@pytest.mark.rule("pf2e.turn.start.trigger_action")
def test_one_free_action_or_reaction_at_the_start() -> None:
    table = alone(RISE, GUARD)
    ask = table.ask()
    assert ([one.id for one in ask.options], ask.rule) == (["rise", "guard", "pass"], "pf2e.turn.start.trigger_action")
    table.chooses("guard")
    assert ([one.action for one in table.happened(ActionTaken)], table.prompts) == (["Guard"], [])
    table.ends_turn(2)
    assert [one.id for one in table.ask().options] == ["rise", "guard", "pass"]


@pytest.mark.rule("pf2e.turn.start.other")
@pytest.mark.parametrize("said", ["applied", "waived"])
def test_what_else_is_due_at_the_start_is_called_to_mind(said: str) -> None:
    table = pair()
    table.does(ApplyCondition(("ogre",), "reminder", due="turn-start", note="take 2 damage"))
    table.ends_turn()
    ask = table.ask()
    assert (ask.detail, ask.rule, table.track("ogre", "action")) == ("take 2 damage", "pf2e.turn.start.other", 0)
    table.chooses(said)
    assert table.track("ogre", "action") == 3
    assert len(table.happened(NoteAdded)) == (said == "applied")
    assert len(table.happened(Skipped)) == (said == "waived")


@pytest.mark.rule("pf2e.turn.three_steps")
def test_a_turn_has_a_start_a_middle_and_an_end() -> None:
    table = alone(RISE, SNARL)
    seen = [table.prompt.title]
    table.chooses("rise")
    assert table.track("mira", "action") == 3
    table.takes("mira", "interact")
    seen.append(table.happened(ActionTaken)[-1].action)
    table.ends_turn()
    seen.append(table.prompt.title)
    assert (seen, table.active) == (["prompt.triggered", "Interact", "prompt.triggered"], "mira")


# The end ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("pf2e.turn.end.until_end_effects")
def test_what_lasts_until_the_end_of_the_turn_ends_with_it() -> None:
    table = pair()
    table.does(ApplyCondition(("mira",), "concealed", ends=Duration("turn-end", "mira")))
    table.takes("mira", "interact")
    assert table.lasts("concealed")
    table.ends_turn()
    assert (table.lasts("concealed"), table.rule_of(EffectEnded)) == (False, "pf2e.turn.end.until_end_effects")


@pytest.mark.rule("pf2e.turn.end.sustained_spells", "pf2e.external.sustain_a_spell")
def test_a_sustained_spell_ends_unless_it_was_sustained_or_just_cast() -> None:
    table = pair()
    for name in ("Dance", "Wall"):
        table.casts("mira", "mira", name, sustained=True)
    table.ends_turn(2)
    assert table.lasts("Dance")
    table.does(TakeAction("mira", "sustain"))
    table.chooses(table.called("Dance").id)
    assert table.track("mira", "action") == 2
    table.casts("mira", "mira", "Storm", sustained=True)
    table.ends_turn()
    assert [table.lasts(name) for name in ("Dance", "Wall", "Storm")] == [True, False, True]
    assert table.rule_of(EffectEnded) == "pf2e.turn.end.sustained_spells"
    table.ends_turn(2)
    assert [table.lasts(name) for name in ("Dance", "Storm")] == [False, False]


def test_there_must_be_something_to_sustain() -> None:
    table = pair()
    assert table.refuses(TakeAction("mira", "sustain")).key == "refused.nothing_sustained"
    table.casts("mira", "mira", "Dance", sustained=True)
    table.ends_turn(2)
    table.does(TakeAction("mira", "sustain"))
    assert (table.called("Dance").ends.skip, table.prompts) == (1, [])


@pytest.mark.rule("pf2e.turn.end.enemy_effects_tick")
def test_what_a_foe_did_counts_down_as_ones_own_turns_end() -> None:
    table = pair()
    table.casts("ogre", "mira", "Curse", rounds=2, counted="affected")
    table.ends_turn()
    assert table.called("Curse").rounds_left == 1
    assert table.rule_of(EffectUpdated) == "pf2e.turn.end.enemy_effects_tick"
    table.ends_turn()
    assert table.called("Curse").rounds_left == 1
    table.ends_turn()
    assert not table.lasts("Curse")


@pytest.mark.rule("pf2e.turn.end.persistent_damage")
def test_persistent_damage_is_taken_at_the_end() -> None:
    table = pair()
    table.does(ApplyPersistentDamage(("mira", "ogre"), "4"))
    table.ends_turn()  # damage before its flat check: only one order is allowed, so it isn't asked for
    taken = table.happened(DamageTaken)[-1]
    assert (table.one("mira").hp, taken.rule) == (16, "pf2e.turn.end.persistent_damage")
    table.types("1")
    assert (table.active, table.one("ogre").hp) == ("ogre", 20)


@pytest.mark.rule("pf2e.turn.end.persistent_flat_check", "pf2e.external.persistent_damage")
@pytest.mark.parametrize(("face", "dc", "over"), [("15", 15, True), ("14", 15, False), ("14", 14, True)])
def test_then_a_flat_check_may_end_it(face: str, dc: int, over: bool) -> None:
    table = pair(rules=flat_dc(dc)) if dc != 15 else pair()
    table.does(ApplyPersistentDamage(("mira",), "3"))
    table.ends_turn()
    ask = table.ask()
    assert (table.one("mira").hp, ask.label, ask.dc, ask.rule) == (
        17,
        "ask.flat_check",
        dc,
        "pf2e.turn.end.persistent_flat_check",
    )
    table.types(face)
    assert table.lasts("ongoing") is not over
    assert (table.active, table.happened(Rolled)[-1].passed) == ("ogre", over)


@pytest.mark.rule("pf2e.turn.end.affliction_saves")
def test_then_come_saves_against_afflictions() -> None:
    table = pair()
    table.does(ApplyPersistentDamage(("mira",), "2"))
    table.does(ApplyCondition(("mira",), "affliction", source="Venom", save="con", dc=18))
    table.ends_turn()
    seen = [table.ask().label]
    assert table.one("mira").hp == 18
    table.types("3")
    seen.append(table.ask().label)
    assert (seen, table.ask().rule) == (
        ["ask.flat_check", "ask.affliction_save"],
        "pf2e.turn.end.affliction_saves",
    )


@pytest.mark.rule("pf2e.external.afflictions")
@pytest.mark.parametrize(("total", "passed", "said"), [("17", False, "goes-on"), ("18", True, "over")])
def test_how_a_save_went_is_kept_and_what_it_means_is_asked(total: str, passed: bool, said: str) -> None:
    table = pair()
    table.does(ApplyCondition(("mira",), "affliction", source="Venom", save="con", dc=18))
    table.ends_turn()
    assert table.ask().dc == 18
    table.types(total)
    assert table.happened(Rolled)[-1].passed is passed
    assert table.ask().suggested == (said,)
    table.chooses(said)
    assert (table.lasts("Venom"), table.active) == (said == "goes-on", "ogre")


@pytest.mark.rule("pf2e.turn.end.conditions_change")
def test_conditions_change_after_damage_flat_check_and_saves() -> None:
    table = pair()
    table.does(ApplyCondition(("mira",), "frightened", value=2))
    table.does(ApplyCondition(("mira",), "affliction", source="Venom", save="con", dc=18))
    table.does(ApplyPersistentDamage(("mira",), "2"))
    table.ends_turn()  # without other steps, only this order is allowed
    table.types("1")
    table.types("1")
    assert table.called("frightened").value == 2
    table.chooses("goes-on")
    assert table.called("frightened").value == 1


@pytest.mark.rule("pf2e.turn.end.conditions_change", "pf2e.turn.end.any_order")
def test_what_has_a_fixed_order_keeps_it_among_steps_that_have_none() -> None:
    table = pair()
    table.does(ApplyCondition(("mira",), "concealed", ends=Duration("turn-end", "mira")))
    table.does(ApplyCondition(("mira",), "frightened", value=2))
    table.does(ApplyCondition(("mira",), "affliction", source="Venom", save="con", dc=18))
    table.does(ApplyPersistentDamage(("mira",), "2"))
    table.ends_turn()
    assert [one.id for one in table.ask().options] == ["expire", "ongoing", "flat", "afflictions", "conditions"]
    prompt, ask = table.prompt, table.ask()
    early = Answer(prompt.id, (Reply(ask.id, chosen=("conditions", "ongoing")),), prompt.revision)
    assert table.refuses(early).key == "refused.too_early"
    table.chooses()
    assert table.ask().label == "ask.flat_check"


@pytest.mark.rule("pf2e.turn.end.frightened")
def test_frightened_falls_by_one() -> None:
    table = pair()
    table.does(ApplyCondition(("mira",), "frightened", value=2))
    table.ends_turn()
    assert (table.called("frightened").value, table.active) == (1, "ogre")
    assert table.happened(EffectUpdated)[-1].value == 1
    table.ends_turn(2)
    assert not table.lasts("frightened")


@pytest.mark.rule("pf2e.external.frightened")
@pytest.mark.parametrize("value", [2, 1, 3])
def test_the_new_value_is_a_suggestion(value: int) -> None:
    table = pair(strictness="warn")
    table.does(ApplyCondition(("mira",), "frightened", value=3))
    table.ends_turn()
    ask = table.ask()
    assert (ask.label, ask.suggested, ask.rule) == ("ask.falls_to", ("always:2",), "pf2e.external.frightened")
    table.chooses(str(value))
    assert (table.called("frightened").value, table.active) == (value, "ogre")


@pytest.mark.rule("pf2e.external.frightened")
def test_after_always_it_falls_unasked_until_that_is_taken_back() -> None:
    table = pair(strictness="warn")
    table.does(ApplyCondition(("mira",), "frightened", value=3))
    table.ends_turn()
    table.chooses("always:2")
    assert (table.called("frightened").value, [one.asked for one in table.happened(UsualEffectsHeld)]) == (2, [False])
    table.ends_turn(2)
    assert (table.called("frightened").value, table.prompts) == (1, [])
    table.does(HoldEffects("frightened", held=False))
    table.ends_turn(2)
    assert table.ask().label == "ask.falls_to"


@pytest.mark.rule("pf2e.turn.end.trigger_action")
def test_one_free_action_or_reaction_at_the_end() -> None:
    table = alone(SNARL, SPIT)
    table.ends_turn()
    ask = table.ask()
    assert ([one.id for one in ask.options], ask.rule) == (["snarl", "spit", "pass"], "pf2e.turn.end.trigger_action")
    table.chooses("spit")
    assert (table.active, table.track("mira", "reaction"), table.prompts) == ("ogre", 0, [])
    table.ends_turn()
    table.does(SpendResource("mira", "reaction"))
    table.ends_turn()
    assert (table.active, table.prompts) == ("ogre", [])


@pytest.mark.rule("pf2e.turn.end.any_order")
def test_the_steps_of_the_end_come_in_any_order_before_the_next_turn() -> None:
    table = alone(SNARL)
    table.does(ApplyCondition(("mira",), "concealed", ends=Duration("turn-end", "mira")))
    table.does(ApplyPersistentDamage(("mira",), "4"))
    table.ends_turn()
    ask = table.ask()
    assert ([one.id for one in ask.options], ask.rule) == (
        ["expire", "ongoing", "flat", "trigger"],
        "pf2e.turn.end.any_order",
    )
    table.chooses("trigger", "ongoing", "flat", "expire")
    assert (table.ask().label, table.lasts("concealed"), table.one("mira").hp) == ("ask.triggered", True, 20)
    table.chooses("pass")
    assert (table.ask().label, table.lasts("concealed"), table.one("mira").hp) == ("ask.flat_check", True, 16)
    assert table.active == "mira"
    table.types("1")
    assert (table.lasts("concealed"), table.active) == (False, "ogre")


@pytest.mark.rule("pf2e.turn.end.other")
def test_what_else_is_due_at_the_end_is_called_to_mind() -> None:
    table = pair()
    table.does(ApplyCondition(("mira",), "reminder", due="turn-end", note="the tide rises 1 foot"))
    table.ends_turn()
    assert (table.ask().detail, table.ask().rule, table.active) == (
        "the tide rises 1 foot",
        "pf2e.turn.end.other",
        "mira",
    )
    table.chooses("applied")
    assert (table.active, table.rule_of(NoteAdded)) == ("ogre", "pf2e.turn.end.other")


@pytest.mark.rule("pf2e.external.persistent_damage")
@pytest.mark.parametrize(
    ("first", "then", "left"),
    [
        ("1d6 fire", "1d6 fire", ["1d6 fire"]),
        ("1d6 fire", "2d4 fire", ["2d4 fire"]),
        ("2d4 fire", "1d6 fire", ["2d4 fire"]),
        ("1d6 fire", "1d6 bleed", ["1d6 fire", "1d6 bleed"]),
        ("2", "2", ["2", "2"]),
    ],
)
def test_of_persistent_damage_of_one_type_only_the_worst_goes_on(first: str, then: str, left: list[str]) -> None:
    table = pair()
    table.does(ApplyPersistentDamage(("mira",), first))
    table.does(ApplyPersistentDamage(("mira",), then))
    assert [one.damage for one in table.encounter.all(Effect) if one.damage] == left
    said = [one.rule for kind in (EffectEnded, Unaffected) for one in table.happened(kind)]
    assert said == ["pf2e.external.persistent_damage"] * (2 - len(left))
