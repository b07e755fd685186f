"""Spells of stat blocks that are kept up by sustaining them, and what does not end them."""

from __future__ import annotations

import pytest

from tests.systems.pf2e.encounters import Encounter
from tests.table import creature
from turnwright.encounter.prepared import Feature, InflictedCondition
from turnwright.encounter.running import Effect
from turnwright.play.actions.action import TakeAction
from turnwright.play.actions.use_feature import UseFeature
from turnwright.play.damage.damage_roll import ApplyDamage
from turnwright.play.effects.conditions import ApplyCondition
from turnwright.play.state.events import EffectEnded, EffectGained, TrackSet

PERCEPTION = (("perception", 0),)


def spell(id: str, *afflictions: InflictedCondition) -> Feature:
    return Feature(
        id, id.capitalize(), "action", properties=("spell",), concentration=True, level=0, afflictions=afflictions
    )


def fight() -> Encounter:
    """Mira, who has three spells to keep up, before an ogre; her turn."""
    spells = (spell("dance"), spell("net", InflictedCondition("clumsy")), spell("fog", InflictedCondition("dazzled")))
    mira = creature("mira", hp=30, skills=PERCEPTION, features=spells)
    table = Encounter(mira, "ogre", foes=("ogre",))
    table.start(mira=20, ogre=10)
    return table


def kept(table: Encounter) -> list[str]:
    """What Mira keeps up."""
    return [one.source for one in table.encounter.all(Effect) if one.name == "concentrating"]


@pytest.mark.rule("pf2e.turn.end.sustained_spells")
def test_a_spell_of_a_stat_block_lasts_to_the_end_of_the_next_turn() -> None:
    table = fight()
    table.does(UseFeature("mira", "dance"))
    assert [(one.name, one.ends, one.rule) for one in table.happened(EffectGained)] == [
        ("concentrating", "turn-end", "pf2e.turn.end.sustained_spells")
    ]
    table.ends_turn()
    assert kept(table) == ["Dance"]
    table.ends_turn(2)
    assert (kept(table), table.rule_of(EffectEnded)) == ([], "pf2e.turn.end.sustained_spells")


@pytest.mark.rule("pf2e.turn.end.sustained_spells", "pf2e.external.sustain_a_spell")
def test_of_two_the_one_that_is_sustained_goes_on_with_what_it_does() -> None:
    table = fight()
    table.does(UseFeature("mira", "net", targets=("ogre",)))
    table.does(UseFeature("mira", "fog", targets=("ogre",)))
    assert kept(table) == ["Net", "Fog"]
    table.ends_turn(2)
    table.does(TakeAction("mira", "sustain"))
    table.chooses(table.called("Net").id)
    table.ends_turn()
    assert (kept(table), table.effects("ogre")) == (["Net"], {"clumsy"})


def test_being_hurt_asks_for_nothing_and_ends_nothing() -> None:
    table = fight()
    table.does(UseFeature("mira", "dance"))
    table.does(ApplyDamage(("mira",), "12"))
    assert (table.prompts, kept(table)) == ([], ["Dance"])


@pytest.mark.rule("pf2e.turn.start.cannot_act_no_regain")
def test_the_reaction_that_is_lost_is_told_with_what_there_was() -> None:
    table = fight()
    table.ends_turn()
    table.does(ApplyCondition(("mira",), "unconscious"))
    table.ends_turn()
    told = {one.track: (one.before, one.after) for one in table.happened(TrackSet)}
    assert told["reaction"] == (1, 0)
