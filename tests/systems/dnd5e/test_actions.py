"""Help, Hide, Search, Ready and first aid by the rules of D&D 5e."""

from __future__ import annotations

import msgspec
import pytest

from tests.play.attack_table import edges
from tests.systems.dnd5e.fights import BOW, STRONG, SWORD, Fight, pair
from tests.table import creature
from turnwright.encounter.prepared import Feature
from turnwright.encounter.running import Effect
from turnwright.play.actions.action import ActionDisallowed, TakeAction
from turnwright.play.actions.contest import SearchResolved
from turnwright.play.actions.use_feature import CommandFollowers
from turnwright.play.asking.checks import GroupCheck
from turnwright.play.attacks import attack_request
from turnwright.play.attacks.attack_request import Attack
from turnwright.play.attacks.group_attack import GroupAttack
from turnwright.play.damage.damage_roll import ApplyDamage
from turnwright.play.damage.manual_hit_points import SetHitPoints, SetTrack
from turnwright.play.effects.conditions import ApplyCondition
from turnwright.play.effects.ready_action import ActionReadied
from turnwright.play.movement.commanded_move import MoveFeet
from turnwright.play.state.events import EffectEnded, Rolled
from turnwright.play.table.game_master import SetDice
from turnwright.play.turn_order.surprise import CallForChecks

SPELL = Feature("ward", "Ward", "action", level=1, properties=("spell",), text="A spell.")
QUICK = Feature("misty", "Misty Step", "bonus", level=1, properties=("spell",), text="A spell.")


def crew() -> Fight:
    """Ana, Bor and Cai against an orc; Ana and Bor stand beside it."""
    bor, cai = (creature(who, features=(SWORD, BOW), abilities=STRONG) for who in ("bor", "cai"))
    table = Fight("ana", bor, cai, creature("orc", hp=90), creature("ogre", hp=90), foes=("orc", "ogre"))
    return table.puts(ana=(1, 1), bor=(2, 2), cai=(3, 2), orc=(2, 1), ogre=(3, 1))  # type: ignore[return-value]


# Help -----------------------------------------------------------------------------------------------------------


def natural(table: Fight, task: str, *faces: int) -> int | None:
    """The face kept when Bor makes a check at a task."""
    table.dice(*faces)
    table.does(CallForChecks(("bor",), "dex:sleight-of-hand", task=task))
    return table.happened(Rolled)[-1].roll.natural


@pytest.mark.rule("dnd5e.action.help_aid.effect")
def test_aid_serves_the_next_check_at_the_task() -> None:
    table = crew()
    table.does(TakeAction("ana", "help-aid", "pick the lock", targets=("bor",)))
    assert natural(table, "climb the wall", 4) == 4
    assert natural(table, "pick the lock", 4, 15) == 15
    (edge,) = table.happened(Rolled)[-1].roll.edges
    assert (edge.kind, edge.rule) == ("advantage", "dnd5e.action.help_aid.effect")
    assert natural(table, "pick the lock", 4) == 4
    late = crew()
    late.does(TakeAction("ana", "help-aid", "pick the lock", targets=("bor",)))
    late.ends_turn(5)
    assert (late.active, natural(late, "pick the lock", 4)) == ("ana", 4)


@pytest.mark.rule("dnd5e.action.help_distract.effect")
def test_distracting_serves_the_next_ally_once() -> None:
    table = crew()
    refused = table.refuses(TakeAction("ana", "help-distract", targets=("ogre",)))
    assert (refused.key, refused.rule) == ("refused.too_far_to_help", "dnd5e.action.help_distract.effect")
    table.does(TakeAction("ana", "help-distract", targets=("orc",)))
    assert table.edges("ana", "orc", SWORD) == []
    assert table.edges("bor", "orc", "longsword") == [("advantage", "dnd5e.action.help_distract.effect")]
    table.ends_turn()
    table.strikes("bor", "orc", "longsword", 4, 3)
    assert table.edges("cai", "orc", "longsword") == []
    late = crew()
    late.does(TakeAction("ana", "help-distract", targets=("orc",)))
    late.ends_turn(5)
    assert late.edges("bor", "orc", "longsword") == []


# Hide and Search ------------------------------------------------------------------------------------------------


@pytest.mark.rule("dnd5e.action.hide.dm_permission")
def test_hiding_needs_leave() -> None:
    table = pair()
    table.dice(15)
    table.does(TakeAction("ann", "hide"))
    (asked,) = table.prompt.asks
    assert (asked.who, [one.id for one in asked.options]) == ("", ["allowed", "refused"])
    table.chooses("refused")
    assert "hidden" not in table.effects("ann")
    assert (table.happened(Rolled), len(table.happened(ActionDisallowed))) == ([], 1)
    assert table.left("ann")["action"] == 1


@pytest.mark.rule("dnd5e.action.hide.effect")
def test_the_roll_to_hide_is_the_dc_for_whoever_searches() -> None:
    table = pair(skills=(("stealth", 5),), orc={"skills": (("perception", 6),)})
    table.dice(12)
    table.does(TakeAction("ann", "hide", choice="allowed"))
    (hidden,) = [one for one in table.encounter.all(Effect) if one.name == "hidden"]
    assert (hidden.target, hidden.value, hidden.by) == ("ann", 17, "")
    for face, found in ((10, False), (11, True)):
        table.ends_turn()
        table.dice(face)
        table.does(TakeAction("orc", "search", choice="perception"))
        assert [one.found for one in table.happened(SearchResolved)][-1] is found
        assert ("hidden" in table.effects("ann")) is not found
        table.ends_turn()
    assert table.happened(SearchResolved)[-1].rule == "dnd5e.action.hide.effect"


@pytest.mark.rule("dnd5e.action.search.check_choice")
def test_the_dungeon_master_names_the_check_of_a_search() -> None:
    table = pair(skills=(("perception", 5), ("investigation", 1)))
    table.does(TakeAction("ann", "search"))
    (asked,) = table.prompt.asks
    assert (asked.who, asked.rule) == ("", "dnd5e.action.search.check_choice")
    table.dice(10)
    table.chooses("check.int:investigation")
    assert table.happened(Rolled)[-1].roll.total == 11


# Ready ----------------------------------------------------------------------------------------------------------


def waiting(table: Fight) -> list[tuple[str, str]]:
    """What is readied: response and trigger."""
    return [(one.source, one.end_condition) for one in table.encounter.all(Effect) if one.name == "readied"]


@pytest.mark.rule("dnd5e.action.ready.declare")
def test_readying_takes_a_trigger_and_a_response() -> None:
    table = pair()
    refused = table.refuses(TakeAction("ann", "ready", choice="attack"))
    assert (refused.key, refused.rule) == ("refused.no_trigger", "dnd5e.action.ready.declare")
    table.does(TakeAction("ann", "ready", "the door opens"))
    assert [one.id for one in table.prompt.asks] == ["choice"]
    table.answers(choice="attack")
    assert waiting(table) == [("attack", "the door opens")]
    (said,) = table.happened(ActionReadied)
    assert (said.response, said.trigger, said.rule) == ("An attack", "the door opens", "dnd5e.action.ready.declare")


@pytest.mark.rule("dnd5e.action.ready.use")
def test_a_readied_response_takes_the_reaction_before_the_next_turn() -> None:
    table = pair(SWORD, BOW, hp=50)
    table.does(TakeAction("ann", "ready", "the orc moves", choice="attack"))
    assert (waiting(table), table.left("ann")["action"]) == ([("attack", "the orc moves")], 0)
    assert table.happened(ActionReadied)[0].rule == "dnd5e.action.ready.declare"
    table.ends_turn()
    went = table.strikes("ann", "orc", "longsword", 3, purpose="readied")
    assert went is not None
    assert (table.left("ann")["reaction"], waiting(table)) == (0, [])
    lapsed = pair()
    lapsed.does(TakeAction("ann", "ready", "the orc moves", choice="attack"))
    lapsed.ends_turn(2)
    assert waiting(lapsed) == []
    assert lapsed.refuses(Attack("ann", "orc", "longsword", purpose="readied")).rule == "dnd5e.action.ready.use"


@pytest.mark.rule("dnd5e.action.ready.may_ignore")
def test_the_trigger_may_go_by() -> None:
    table = pair()
    table.does(TakeAction("ann", "ready", "the orc moves", choice="attack"))
    table.ends_turn()
    table.does(TakeAction("ann", "release-readied", choice="ignore"))
    assert table.left("ann")["reaction"] == 1
    from turnwright.play.effects.ready_action import ReadiedActionLost

    assert [one.rule for one in table.happened(ReadiedActionLost)] == ["dnd5e.action.ready.may_ignore"]


@pytest.mark.rule("dnd5e.action.ready.movement_limit")
def test_a_readied_move_goes_as_far_as_speed() -> None:
    table = pair(speeds=(("walk", 25),))
    table.does(TakeAction("ann", "ready", "the door opens", choice="move"))
    table.ends_turn()
    table.does(TakeAction("ann", "release-readied", choice="respond"))
    assert table.refuses(MoveFeet("ann", 30)).key == "refused.too_far"
    table.does(MoveFeet("ann", 25))
    assert table.track("ann", "moved") == 25


@pytest.mark.rule("dnd5e.action.ready.spell")
def test_a_readied_spell_is_held_by_concentrating() -> None:
    table = pair(SPELL, QUICK, slots=(("1", 2),))
    refused = table.refuses(TakeAction("ann", "ready", "it moves", choice="misty"))
    assert refused.key == "refused.not_to_be_readied"
    table.does(TakeAction("ann", "ready", "it moves", choice="ward"))
    held = [one for one in table.encounter.all(Effect) if one.name == "concentrating"]
    assert [(one.target, one.source) for one in held] == [("ann", "Ward")]


@pytest.mark.rule("dnd5e.external.concentration")
def test_being_hurt_while_concentrating_asks_for_a_save() -> None:
    table = pair(SPELL, slots=(("1", 1),))
    table.does(TakeAction("ann", "ready", "it moves", choice="ward"))
    table.does(ApplyDamage(("ann",), "10"))
    (asked,) = table.prompt.asks
    assert (asked.who, asked.dc, asked.rule) == ("ann", 10, "dnd5e.external.concentration")


# First aid ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("dnd5e.action.stabilize.effect")
def test_first_aid_makes_stable_on_a_ten() -> None:
    for face, stable in ((9, False), (10, True)):
        bob = creature("bob", tags=("player character",), level=3)
        table = Fight("ann", bob, "orc", foes=("orc",))
        table.does(SetHitPoints("bob", hp=0))
        for condition in ("unconscious", "dying"):
            if condition not in table.effects("bob"):
                table.does(ApplyCondition(("bob",), condition))
        table.does(SetTrack("bob", "death-successes", 1))
        table.does(SetTrack("bob", "death-failures", 2))
        table.dice(face)
        table.does(TakeAction("ann", "stabilize", targets=("bob",)))
        assert ("stable" in table.effects("bob")) is stable
        assert table.track("bob", "death-failures") == (0 if stable else 2)
        assert table.happened(Rolled)[-1].rule == "dnd5e.action.stabilize.effect"
    well = Fight("ann", "bob", "orc", foes=("orc",))
    well.does(SetHitPoints("bob", hp=1))
    assert well.refuses(TakeAction("ann", "stabilize", targets=("bob",))).rule == "dnd5e.action.stabilize.effect"


@pytest.mark.rule("dnd5e.external.ability_checks")
def test_a_check_may_be_rolled_at_the_table_and_typed_in() -> None:
    table = pair(abilities=(("wis", 14),))
    table.does(SetDice("ask"))
    table.does(CallForChecks(("ann",), "wis:medicine", dc=10))
    (asked,) = table.prompt.asks
    assert asked.spec is not None
    assert (asked.dc, [one.value for one in asked.spec.modifiers]) == (10, [2])
    table.answers(ann="12")
    assert [(one.roll.total, one.dc, one.passed) for one in table.happened(Rolled)] == [(12, 10, True)]


@pytest.mark.rule("dnd5e.reaction.trigger")
def test_a_reaction_may_answer_on_anybodys_turn() -> None:
    shield = Feature("shield", "Shield", "reaction", level=1, properties=("spell",), text="A spell.")
    for turns in (0, 1):
        table = pair(SWORD, shield, slots=(("1", 1),))
        table.ends_turn(turns)
        offer = table.offers("ann")["shield"]
        assert (offer.action.payable, offer.refused) == (("reaction",), "")
        table.does(TakeAction("ann", "shield"))
        assert table.left("ann")["reaction"] == 0
        assert table.refuses(TakeAction("ann", "shield")).rule == "dnd5e.reaction.one_per_round"


def test_nobody_incapacitated_does_anything() -> None:
    table = pair()
    table.does(ApplyCondition(("ann",), "stunned"))
    assert table.refuses(TakeAction("ann", "dodge")).rule == "dnd5e.external.conditions"
    assert {kind for kind, _ in edges(table.preview("orc", "ann", SWORD).roll)} == {"advantage"}


@pytest.mark.rule("dnd5e.action.dodge.lost")
@pytest.mark.parametrize("state", ["incapacitated", "restrained"])
def test_a_dodge_that_is_lost_does_not_come_back(state: str) -> None:
    table = pair()
    table.does(TakeAction("ann", "dodge"))
    table.does(ApplyCondition(("ann",), state))
    assert table.effects("ann") == {state}
    (ended,) = [one for one in table.happened(EffectEnded) if one.name == "dodging"]
    assert ended.rule == "dnd5e.action.dodge.lost"


def test_nobody_acts_as_a_group_or_on_command() -> None:
    wolf = creature("wolf", features=(SWORD,))
    table = Fight("ann", wolf, "orc", foes=("orc",), field=None)
    for name in ("ann", "wolf"):
        table.has(msgspec.structs.replace(table.one(name), group="pack", controller="ann" if name == "wolf" else ""))
    assert table.refuses(GroupAttack(("ann", "wolf"), "orc", "longsword")).key == "refused.no_groups"
    assert table.refuses(GroupCheck(("ann", "wolf"), "str")).key == "refused.no_groups"
    assert table.refuses(CommandFollowers("ann", ("wolf",), "attack")).key == "refused.no_commands"
    table.ends_turn()
    table.does(TakeAction("wolf", "dodge"))
    assert "dodging" in table.effects("wolf")


def test_bare_hands_are_there_besides_weapons_and_no_second_hand() -> None:
    knife = msgspec.structs.replace(SWORD, id="knife", properties=("weapon", "dual-wielding"))
    table = pair(knife)
    offers = attack_request.available_attacks(table.encounter, table.rules, "ann", "orc")
    assert [(one.weapon.id, one.purpose) for one in offers] == [("knife", ""), ("unarmed", "")]
    hit = table.strikes("ann", "orc", "unarmed", 15)
    assert [one.outcome for one in (hit,) if one is not None] == ["hit"]
    assert table.lost("orc") == 4
