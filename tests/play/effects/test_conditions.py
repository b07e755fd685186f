"""Conditions applied by hand, and those that remain after another."""

from __future__ import annotations

import pytest

from tests.play.dying_table import Wounded, hero, lax
from tests.table import Table, a5e, dnd5e
from turnwright.encounter.running import Duration, Effect
from turnwright.play.damage.manual_hit_points import Heal, SetDead, SetTrack
from turnwright.play.effects.conditions import ApplyCondition, EndEffect
from turnwright.play.movement.forced_movement import DropProne, StandUp
from turnwright.play.queries import queries
from turnwright.play.state.events import EffectGained
from turnwright.play.turns.turns import EndTurn
from turnwright.rules.system import RuleSystem


def test_a_condition_on_the_dead_is_refused_unless_a_person_insists() -> None:
    table = Table("ada", "orc", foes=("orc",))
    table.start(ada=20, orc=10)
    table.does(SetDead("orc"))
    assert table.refuses(ApplyCondition(("orc",), "prone")).key == "refused.target_dead"
    table.does(ApplyCondition(("orc",), "frightened"), anyway=True)
    assert "frightened" in table.effects("orc")


def test_the_line_says_that_the_end_comes_later() -> None:
    table = Table("ada", "orc", foes=("orc",))
    table.start(ada=20, orc=10)
    for skip in (0, 2):
        table.does(ApplyCondition(("orc",), "prone", ends=Duration("turn-start", "ada", skip)))
    keys = [line.phrase.key for line in table.session.journal()]
    assert keys[-2:] == ["journal.effect_gained_until", "journal.effect_gained_until_later"]


@pytest.mark.parametrize(("rules", "condition"), [(a5e(), "fatigue"), (a5e(), "strife"), (dnd5e(), "exhaustion")])
def test_a_condition_of_levels_put_by_hand_sets_its_level(rules: RuleSystem, condition: str) -> None:
    table = Table("ada", "orc", foes=("orc",), rules=rules)
    table.start(ada=20, orc=10)
    for command, level in (
        (ApplyCondition(("orc",), condition, value=2), 2),
        (ApplyCondition(("orc",), condition), 3),
        (SetTrack("orc", condition, 1), 1),
        (SetTrack("orc", condition, 4), 4),
    ):
        table.does(command)
        assert [one.value for one in table.encounter.of(Effect, "orc") if one.name == condition] == [level]
    table.does(SetTrack("orc", condition, 0))
    assert condition not in table.effects("orc")


RULE = "a5e.external.unconscious"


@pytest.mark.rule("a5e.external.unconscious")
def test_by_the_letter_whoever_goes_down_lies_there_and_has_to_get_up_again() -> None:
    table = Wounded()
    table.fells()
    prone = next(event for event in table.happened(EffectGained) if event.name == "prone")
    assert (prone.target, prone.source, prone.rule) == ("ada", "<condition.unconscious>", RULE)
    table.does(Heal(("ada",), 5))
    assert table.effects("ada") == {"prone"}
    table.does(StandUp("ada"))
    assert table.effects("ada") == set()


@pytest.mark.rule("a5e.external.unconscious")
@pytest.mark.parametrize(("chosen", "lies"), [("yes", True), ("no", False)])
def test_elsewhere_it_is_offered_and_nothing_waits_for_it(chosen: str, lies: bool) -> None:
    table = Wounded(scene=lax())
    table.does(ApplyCondition(("brand",), "unconscious"))
    (ask,) = table.asked()
    assert (table.prompt.title, table.prompt.subject, table.prompt.rule) == (
        "prompt.brought",
        "Brand: Unconscious",
        RULE,
    )
    assert (ask.who, ask.detail, ask.suggested) == ("brand", "Falls prone and drops what it holds", ("yes",))
    table.does(EndTurn())
    assert table.active == "brand"
    table.chooses(chosen)
    assert ("prone" in table.effects("brand"), table.prompts) == (lies, [])


@pytest.mark.parametrize("command", [SetDead("brand"), Heal(("brand",), 1)])
def test_an_offer_that_comes_too_late_does_nothing(command: SetDead | Heal) -> None:
    table = Wounded(scene=lax())
    table.fells("brand")
    assert table.prompt.title == "prompt.brought"
    table.does(command)
    assert ("prone" in table.effects("brand"), table.prompts) == (False, [])


def test_an_offer_goes_with_its_condition_and_no_other_does() -> None:
    table = Wounded(scene=lax())
    table.does(ApplyCondition(("brand",), "unconscious"))
    table.does(ApplyCondition(("ada",), "unconscious"))
    table.does(ApplyCondition(("ada",), "blinded"))
    table.does(EndEffect(next(one.id for one in table.encounter.all(Effect) if one.name == "blinded")))
    assert len(table.prompts) == 2
    table.does(EndEffect(next(one.id for one in table.encounter.all(Effect) if one.target == "ada")))
    assert ([one.asks[0].who for one in table.prompts], table.effects("ada")) == (["brand"], set())


@pytest.mark.parametrize("scene", [None, lax()])
def test_who_lies_there_already_or_can_not_be_knocked_down_stays_as_they_are(scene) -> None:
    table = Wounded(ada=hero("ada", condition_immunities=("prone",)), scene=scene)
    table.does(DropProne("ada") if scene is None else ApplyCondition(("brand",), "prone"))
    for who in ("ada", "brand") if scene else ("ada",):
        table.does(ApplyCondition((who,), "unconscious"))
    assert table.prompts == []
    assert "prone" not in table.effects("ada")
    for effect in queries.effects_of(table.encounter, "ada"):
        table.does(EndEffect(effect.id))
    assert table.effects("ada") == set()
