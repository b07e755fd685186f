"""Basic actions by the rules of Pathfinder 2e: inside activities, changed by them, and switched off."""

from __future__ import annotations

from dataclasses import replace

import msgspec
import pytest

from tests.systems.pf2e.encounters import Encounter, pair
from tests.systems.pf2e.frays import KNIFE, SWORD, duel
from tests.table import creature, pf2e
from turnwright.encounter.data_rules import DataRule
from turnwright.encounter.prepared import Feature
from turnwright.encounter.running import Effect
from turnwright.encounter.state import clock_of
from turnwright.play.actions.action import TakeAction
from turnwright.play.actions.contest import BreakFree
from turnwright.play.attacks.attack_request import Attack, Attacked
from turnwright.play.effects.conditions import ApplyCondition, EndEffect
from turnwright.play.movement.commanded_move import MoveFeet
from turnwright.rules.system import RuleSystem
from turnwright.rules.system_data.dying import Condition
from turnwright.rules.system_data.numbers import ActionOption

MOST_USED = ("interact", "step", "stride", "strike")
CLEAVE = Feature("cleave", "Cleave", "action", attack=7, damage="2d8+4 slashing", price=2, properties=("weapon",))


def with_long_stride() -> RuleSystem:
    """The game with an activity of a table's own: a Stride of up to double Speed."""
    found = pf2e().data
    long = ActionOption("long-stride", "Long Stride", price=2, effect="hurried", ends="turn", done="stride")
    twice = DataRule("modifier", "speed", times=2)
    hurried = Condition("hurried", "Hurried", rules=(twice,))
    catalogue = msgspec.structs.replace(found, actions=(*found.actions, long), conditions=(*found.conditions, hurried))
    return replace(pf2e(), data=catalogue)


@pytest.mark.rule("pf2e.basic.modified_by_others")
def test_an_activity_with_a_strike_in_it_takes_two_actions_for_one_strike() -> None:
    table = duel(CLEAVE)
    table.strikes("ann", "orc", "cleave", 10, 4, 4)
    assert (table.track("ann", "action"), len(table.happened(Attacked)), table.lost("orc")) == (1, 1, 12)
    refused = table.refuses(Attack("ann", "orc", "cleave"))
    assert refused.key == "refused.too_few_left"


@pytest.mark.rule("pf2e.basic.modified_stride_example")
@pytest.mark.parametrize(("action", "feet"), [("stride", 25), ("long-stride", 50)])
def test_a_stride_covers_speed_and_one_in_an_activity_double(action: str, feet: int) -> None:
    table = Encounter(creature("mira", speeds=(("walk", 25),)), "ogre", foes=("ogre",), rules=with_long_stride())
    table.start(mira=20, ogre=10)
    if action != "stride":
        table.does(TakeAction("mira", action))
    left = table.track("mira", "action") - (action == "stride")
    table.does(MoveFeet("mira", feet))
    assert table.track("mira", "action") == left
    table.does(MoveFeet("mira", 5))
    assert table.track("mira", "action") == left - 1


@pytest.mark.rule("pf2e.basic.extreme_circumstances")
def test_a_basic_action_can_be_switched_off_for_one_creature() -> None:
    table = pair()
    table.does(ApplyCondition(("mira",), "action-disabled", source="strike"))
    refused = table.refuses(TakeAction("mira", "strike"))
    assert (refused.key, refused.rule) == ("refused.action-disabled", "pf2e.basic.extreme_circumstances")
    able = [one for one in MOST_USED if not inquiries_of(table, one)]
    assert able == ["interact", "step", "stride"]
    table.does(EndEffect(table.called("strike").id))
    assert [one for one in MOST_USED if not inquiries_of(table, one)] == list(MOST_USED)


def inquiries_of(table: Encounter, action: str) -> tuple[object, ...]:
    """What forbids Mira an action."""
    from turnwright.rules.parts.actions.action_options import action_option, action_vetoes

    return action_vetoes(
        table.encounter, table.rules, "mira", action_option(table.encounter, table.rules, "mira", action)
    )


@pytest.mark.rule("pf2e.basic.extreme_circumstances")
def test_no_strike_goes_off_either_while_it_is_switched_off() -> None:
    table = duel(SWORD)
    table.does(ApplyCondition(("ann",), "action-disabled", source="strike"))
    assert table.refuses(Attack("ann", "orc", "longsword")).key == "refused.action-disabled"
    table.does(ApplyCondition(("orc",), "action-disabled", source="stride"))
    assert clock_of(table.encounter).round == 1


@pytest.mark.rule("pf2e.external.specialty_basic_actions")
def test_specialty_actions_are_a_tables_own() -> None:
    own = Feature("point-out", "Point Out", "action", price=1)
    table = Encounter(creature("mira", features=(own,)), "ogre", foes=("ogre",))
    table.start(mira=20, ogre=10)
    shipped = [one.id for one in pf2e().data.actions if one.ledger[:1] == ("pf2e.external.specialty_basic_actions",)]
    table.takes("mira", "point-out")
    assert (shipped, table.track("mira", "action")) == ([], 2)


def test_a_readied_strike_is_a_reaction_on_another_turn() -> None:
    table = duel(SWORD)
    unready = table.refuses(Attack("ann", "orc", SWORD.id, purpose="readied"))
    assert unready.key == "refused.nothing_readied"
    table.does(TakeAction("ann", "ready", choice="attack", note="the orc moves"))
    assert (table.track("ann", "action"), "readied" in table.effects("ann")) == (1, True)
    table.ends_turn()
    table.dice(15, 4)
    table.does(Attack("ann", "orc", SWORD.id, purpose="readied"))
    (attacked,) = table.happened(Attacked)
    assert (attacked.who, attacked.outcome, table.track("ann", "reaction")) == ("ann", "hit", 0)
    assert "readied" not in table.effects("ann")


@pytest.mark.parametrize(("weapon", "strikes", "bonus"), [(SWORD, 0, 7), (SWORD, 1, 2), (KNIFE, 1, 3)])
def test_a_readied_strike_has_the_multiple_attack_penalty_from_when_it_was_readied(
    weapon: Feature, strikes: int, bonus: int
) -> None:
    table = duel(weapon)
    for _ in range(strikes):
        table.dice(2)
        table.does(Attack("ann", "orc", weapon.id))
    table.does(TakeAction("ann", "ready", choice="attack", note="the orc moves"))
    table.ends_turn()
    table.dice(10, 4)
    table.does(Attack("ann", "orc", weapon.id, purpose="readied"))
    assert table.happened(Attacked)[-1].roll.total == 10 + bonus


@pytest.mark.parametrize("choice", ["attack", "action"])
def test_what_was_readied_is_lost_when_the_next_turn_starts(choice: str) -> None:
    table = duel(SWORD)
    table.does(TakeAction("ann", "ready", choice=choice, note="the orc moves"))
    while table.clock.round != 2:
        table.ends_turn()
    assert "readied" not in table.effects("ann")
    assert table.track("ann", "reaction") == 1


def test_another_readied_action_is_chosen_when_it_is_released() -> None:
    table = duel(SWORD)
    table.does(TakeAction("ann", "ready", choice="action", note="the orc speaks"))
    table.ends_turn()
    table.does(TakeAction("ann", "release-readied", choice="respond"))
    table.chooses("drop-prone")
    assert ("prone" in table.effects("ann"), table.track("ann", "reaction")) == (True, 0)


@pytest.mark.parametrize(("dc", "face", "free"), [(18, 13, True), (18, 12, False), (0, 12, True), (0, 11, False)])
def test_an_escape_costs_an_action_counts_as_an_attack_and_meets_the_holders_dc(dc: int, face: int, free: bool) -> None:
    table = Encounter(
        creature("mira", skills=(("athletics", 5),)), creature("ogre", skills=(("athletics", 7),)), foes=("ogre",)
    )
    table.start(mira=20, ogre=10)
    table.does(ApplyCondition(("mira",), "grabbed", by="ogre", value=dc))  # without one, 10 + 7
    table.dice(face)
    table.does(TakeAction("mira", "escape"))
    table.chooses("str:athletics")
    assert ("grabbed" in table.effects("mira"), table.track("mira", "action")) == (not free, 2)
    assert "attacks-made" in table.effects("mira")


def test_the_chip_of_a_hold_pays_for_the_escape_as_well() -> None:
    table = Encounter(creature("mira", skills=(("athletics", 5),)), "ogre", foes=("ogre",))
    table.start(mira=20, ogre=10)
    assert table.refuses(TakeAction("mira", "escape")).key == "refused.not_grappled"
    table.does(ApplyCondition(("mira",), "restrained", by="ogre", value=15))
    (hold,) = [effect.id for effect in table.encounter.of(Effect, "mira") if effect.name == "restrained"]
    table.dice(10)
    table.does(BreakFree(hold))
    table.chooses("str:athletics")
    assert ("restrained" in table.effects("mira"), table.track("mira", "action")) == (False, 2)
