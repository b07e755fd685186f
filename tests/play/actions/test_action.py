"""What an action may be spent on: the options there are, why one can't be taken now, and what each does."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import msgspec
import pytest

from tests.play.attack_table import AXE, SHORTBOW, STRONG, Fray
from tests.table import Table, a5e, creature, environment
from turnwright.encounter.data_rules import DataRule
from turnwright.encounter.prepared import Feature, Scene
from turnwright.encounter.running import Effect
from turnwright.play.actions.action import ActionDisallowed, TakeAction
from turnwright.play.actions.action_effects import ManeuverResolved
from turnwright.play.actions.use_feature import UseFeature
from turnwright.play.damage.damage_roll import ApplyDamage
from turnwright.play.damage.manual_hit_points import SetTrack
from turnwright.play.effects.conditions import ApplyCondition
from turnwright.play.environment.environment_effect import UseEntry
from turnwright.play.movement.commanded_move import MoveFeet, MovePath
from turnwright.play.movement.forced_movement import Pushed
from turnwright.play.queries import queries
from turnwright.play.queries.queries import ActionOffer
from turnwright.play.state.action_economy import SpendResource
from turnwright.play.state.events import ActionTaken, Rolled
from turnwright.play.state.position_changes import SetRelation
from turnwright.play.turn_order.surprise import CallForChecks

BITE = Feature("bite", "Bite", "action", attack=4, reach=5, damage="1d6+2 piercing")
BREATH = Feature("breath", "Breath", "action", save="dex", dc=12, damage="3d6 fire", recharge=5)
CUNNING = Feature("cunning", "Cunning Action", "bonus", text="Dash, Disengage or Hide.")


def duel(a: dict[str, Any] | None = None, b: dict[str, Any] | None = None, **more: Any) -> Table:
    """A and foe T, with B on A's side; A's turn."""
    table = Table(creature("a", **(a or {})), creature("b", **(b or {})), creature("t", **more), foes=("t",))
    table.start(a=20, b=15, t=10)
    return table


def left(table: Table, who: str) -> dict[str, int]:
    """How much of each resource somebody has."""
    return {one.resource.id: one.left for one in queries.resources_of(table.encounter, table.rules, who)}


def feet(table: Table, who: str) -> int:
    """How far somebody may still walk."""
    return next(one.left for one in queries.movement_of(table.encounter, table.rules, who) if one.mode == "walk")


def offers(table: Table, who: str) -> dict[str, ActionOffer]:
    """What is offered to somebody, by id."""
    return {offer.action.id: offer for offer in queries.actions_for(table.encounter, table.rules, who)}


# The list ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("a5e.action.list")
def test_the_chapter_has_fifteen_entries_and_a_reaction() -> None:
    listed = [one.id for one in a5e().data.actions if one.group == "listed"]
    assert sorted(listed) == [
        "attack",
        "basic-maneuver",
        "cast-spell",
        "combat-maneuver",
        "dash",
        "disengage",
        "dodge",
        "help",
        "hide",
        "press-the-attack",
        "ready",
        "search",
        "sprint",
        "tumble",
        "use-object",
    ]
    actions = a5e().actions
    assert (actions["fall-back"].group, actions["fall-back"].payable) == ("reaction", ("reaction",))
    assert actions["press-the-attack"].payable == ("bonus",)
    assert actions["tumble"].payable == ("action", "bonus")
    assert {len(actions[id].payable) for id in ("cast-spell", "combat-maneuver")} == {5, 4}
    assert all(actions[id].payable == ("action",) for id in ("dash", "disengage", "dodge", "help", "hide", "search"))


@pytest.mark.rule("a5e.action.options")
def test_the_action_goes_to_an_option_of_the_list_one_of_ones_own_or_an_improvised_one() -> None:
    granted = Feature("lay-on-hands", "Lay on Hands", "action", text="Heals.")
    found = offers(duel({"features": (granted,)}), "a")
    assert {one.id for one in a5e().data.actions} | {"lay-on-hands"} == set(found)
    assert not found["improvise"].refused
    for action, choice in (("lay-on-hands", ""), ("improvise", "automatic"), ("dodge", ""), ("juggle", "")):
        table = duel({"features": (granted,)})
        table.does(TakeAction("a", action, choice=choice))
        assert left(table, "a")["action"] == 0
        again = table.refuses(TakeAction("a", action, choice=choice))
        assert (again.key, again.rule) == ("refused.none_left", "a5e.turn.one-action")
        assert offers(table, "a")["lay-on-hands"].rule == "a5e.turn.one-action"


@pytest.mark.rule("a5e.action.options")
def test_what_a_character_was_granted_is_theirs_by_another_rule_than_a_monster_s() -> None:
    table = duel({"features": (BITE,), "tags": ("player character",)})
    table.does(TakeAction("a", "bite"))
    assert table.happened(ActionTaken)[-1].rule == "a5e.action.options"


@pytest.mark.rule("a5e.action.monster-options")
@pytest.mark.parametrize("used", ["bite", "breath"])
def test_the_actions_of_a_stat_block_stand_beside_the_others(used: str) -> None:
    table = duel({"features": (BITE, BREATH, CUNNING)})
    found = offers(table, "a")
    assert [one.feature for one in found.values() if one.feature] == [BITE, BREATH, CUNNING]
    assert found[used].action.payable == ("action",)
    table.does(TakeAction("a", used))
    assert left(table, "a") == {"action": 0, "bonus": 1, "reaction": 1}
    assert table.happened(ActionTaken)[-1].rule == "a5e.action.monster-options"
    assert offers(table, "a")["bite"].rule == "a5e.turn.one-action"
    assert not offers(table, "a")["cunning"].refused


def test_a_feature_that_has_not_recharged_is_refused_as_the_list_says() -> None:
    table = duel({"features": (BITE, BREATH)})
    table.does(TakeAction("a", "breath"))
    table.ends_turn(2)
    table.dice(1)
    table.ends_turn()
    assert (table.active, left(table, "a")["action"]) == ("a", 1)
    refused = table.refuses(TakeAction("a", "breath"))
    assert (refused.key, offers(table, "a")["breath"].refused) == ("refused.no_recharge", "refused.no_recharge")


def test_what_the_list_says_is_what_the_command_says() -> None:
    table = duel({"abilities": (("dex", 14),)})
    table.does(ApplyCondition(("a",), "restrained"))
    table.does(SetTrack("a", "fatigue", 1))
    table.does(SpendResource("a", "bonus"))
    for action, offer in offers(table, "a").items():
        if offer.refused:
            refused = table.refuses(TakeAction("a", action, targets=("t",)))
            assert refused.rule == offer.rule, action
            assert refused.key == offer.refused, action


@pytest.mark.rule("a5e.action.improvise")
def test_the_narrator_says_what_becomes_of_an_improvised_action() -> None:
    for answer, spent in (("impossible", 0), ("automatic", 1), ("roll", 1)):
        table = duel({"abilities": (("dex", 14),)})
        table.does(TakeAction("a", "improvise", "swings on the banner"))
        table.answers(choice=answer)
        if answer == "roll":
            assert left(table, "a")["action"] == 1
            table.answers(check="dex", dc=13)
            assert table.prompt.asks[0].dc == 13
            table.dice()
            table.answers(roll=11)
            (rolled,) = table.happened(Rolled)
            assert (rolled.detail, rolled.roll.total, rolled.dc, rolled.passed) == ("<check.dex>", 11, 13, False)
        assert left(table, "a")["action"] == 1 - spent
        said = table.happened(ActionDisallowed) if answer == "impossible" else table.happened(ActionTaken)
        assert said[-1].rule == "a5e.action.improvise"


def test_a_card_put_aside_costs_nothing() -> None:
    table = duel()
    table.does(TakeAction("a", "help"))
    table.skips()
    assert (left(table, "a")["action"], table.prompts) == (1, [])
    table.does(TakeAction("a", "help", "lifts the gate"))
    table.ends_turn()
    assert table.active == "b"


def test_what_is_forbidden_may_be_done_anyway_with_what_it_asks() -> None:
    table = duel()
    table.refuses(TakeAction("b", "help"))
    table.does(TakeAction("b", "help"), anyway=True)
    table.answers(choice="check", targets=("a",))
    assert (left(table, "b")["action"], table.effects("a")) == (0, {"helped-check"})


# Casting, maneuvers, objects --------------------------------------------------------------------------------------


@pytest.mark.rule("a5e.action.cast.times")
def test_a_spell_takes_the_time_it_takes() -> None:
    table = duel()
    table.does(TakeAction("a", "cast-spell", "a quick word", cost="bonus"))
    assert left(table, "a") == {"action": 1, "bonus": 0, "reaction": 1}
    for cost, seconds in (("minute", 60), ("hour", 3600)):
        refused = table.refuses(TakeAction("a", "cast-spell", "a ritual", cost=cost))
        assert (refused.key, refused.rule) == ("refused.takes_longer", "a5e.action.cast.times")
        assert refused.params["seconds"] == seconds
    table.does(TakeAction("t", "cast-spell", "a ward", cost="reaction"))
    assert left(table, "t")["reaction"] == 0
    slow = Table("a", "t", foes=("t",), scene=Scene(strictness="enforce", round_seconds=60))
    slow.start(a=20, t=10)
    slow.does(TakeAction("a", "cast-spell", "a ritual", cost="minute"))
    assert left(slow, "a")["action"] == 0
    assert slow.happened(ActionTaken)[-1].rule == "a5e.action.cast.times"


@pytest.mark.rule("a5e.action.basic-maneuver")
def test_five_basic_maneuvers_in_place_of_an_attack() -> None:
    assert [one.id for one in a5e().actions["basic-maneuver"].choices] == [
        "disarm",
        "grapple",
        "knockdown",
        "overrun",
        "shove",
    ]
    table = duel({"attacks": 2})
    table.does(TakeAction("a", "basic-maneuver", targets=("t",), choice="shove"))
    table.answers(t="nothing")
    assert (left(table, "a")["action"], table.track("a", "attacks")) == (0, 1)
    table.does(TakeAction("a", "basic-maneuver", targets=("t",), choice="disarm"))
    table.answers(t="disarmed")
    assert table.track("a", "attacks") == 0
    assert table.refuses(TakeAction("a", "basic-maneuver", targets=("t",))).rule == "a5e.turn.one-action"
    assert table.happened(ManeuverResolved)[-1].rule == "a5e.action.basic-maneuver"


@pytest.mark.rule("a5e.external.basic-maneuvers")
def test_what_comes_of_a_maneuver_is_the_narrators_to_say() -> None:
    table = duel({"attacks": 2})
    table.does(TakeAction("a", "basic-maneuver", targets=("t",), choice="grapple"))
    (asked,) = table.prompt.asks
    assert (asked.suggested, asked.rule) == (("grappled",), "a5e.external.basic-maneuvers")
    assert {option.id for option in asked.options} == {"nothing", "disarmed", "grappled", "prone", "pushed"}
    table.answers(t="grappled")
    (held,) = [one for one in table.encounter.all(Effect) if one.name == "grappled"]
    assert (held.target, held.by, table.track("a", "attacks")) == ("t", "a", 1)
    table.does(TakeAction("a", "basic-maneuver", targets=("t",), choice="shove"))
    table.answers(t="pushed")
    assert [one.feet for one in table.happened(Pushed)] == [5]


@pytest.mark.rule("a5e.action.combat-maneuver")
def test_a_combat_maneuver_costs_what_its_entry_says() -> None:
    table = duel()
    table.does(TakeAction("a", "combat-maneuver", "Rushing Blow", cost="bonus"))
    assert left(table, "a") == {"action": 1, "bonus": 0, "reaction": 1}
    table.does(TakeAction("a", "combat-maneuver", "Heavy Stance", cost="none"))
    assert left(table, "a") == {"action": 1, "bonus": 0, "reaction": 1}
    assert {one.rule for one in table.happened(ActionTaken)} == {"a5e.action.combat-maneuver"}
    fresh = duel()
    fresh.does(TakeAction("a", "combat-maneuver", "Heavy Stance", cost="none"))
    assert left(fresh, "a") == {"action": 1, "bonus": 1, "reaction": 1}


@pytest.mark.rule("a5e.external.combat-maneuvers")
@pytest.mark.parametrize("cost", ["action", "bonus", "reaction", "none"])
def test_a_maneuver_is_free_text_with_one_of_four_costs(cost: str) -> None:
    table = duel()
    table.does(TakeAction("a", "combat-maneuver", "Twist the Blade"))
    (asked,) = table.prompt.asks
    assert [option.id for option in asked.options] == ["action", "bonus", "reaction", "none"]
    table.answers(cost=cost)
    assert table.happened(ActionTaken)[-1].note == "Twist the Blade"
    assert [name for name, have in left(table, "a").items() if not have] == ([cost] if cost != "none" else [])


@pytest.mark.rule("a5e.action.object.free", "a5e.action.object.second")
def test_one_object_is_free_and_a_second_takes_the_action() -> None:
    table = duel()
    table.does(TakeAction("a", "interact-object", "opens the door"))
    assert left(table, "a")["action"] == 1
    assert table.happened(ActionTaken)[-1].rule == "a5e.action.object.free"
    refused = table.refuses(TakeAction("a", "interact-object", "pulls the lever"))
    assert (refused.key, refused.rule) == ("refused.second_object", "a5e.action.object.second")
    assert offers(table, "a")["interact-object"].rule == "a5e.action.object.second"
    table.does(TakeAction("a", "use-object", "pulls the lever"))
    assert left(table, "a")["action"] == 0
    assert table.happened(ActionTaken)[-1].rule == "a5e.action.object.second"
    assert table.refuses(TakeAction("a", "use-object")).rule == "a5e.turn.one-action"
    table.ends_turn(3)
    table.does(TakeAction("a", "interact-object", "opens the next"))


@pytest.mark.rule("a5e.action.object.complex")
def test_what_takes_some_doing_takes_the_action_at_once() -> None:
    table = duel()
    table.does(TakeAction("a", "use-object", "sets a snare"))
    assert left(table, "a")["action"] == 0
    assert "a5e.action.object.complex" in a5e().actions["use-object"].ledger
    table.does(TakeAction("a", "interact-object", "kicks a stool"))
    easy = duel()
    easy.does(TakeAction("a", "interact-object", "sets a snare"))
    assert left(easy, "a")["action"] == 1


@pytest.mark.rule("a5e.action.object.within-action")
def test_an_arrow_is_drawn_as_part_of_the_shot() -> None:
    table = Fray(creature("a", features=(SHORTBOW,)), creature("t"), foes=("t",)).puts(a=(1, 1), t=(9, 1))
    table.strikes("a", "t", "shortbow", 2)
    assert left(table, "a")["action"] == 0
    assert not offers(table, "a")["interact-object"].refused
    table.does(TakeAction("a", "interact-object", "closes the shutter"))


@pytest.mark.rule("a5e.external.spells-named")
def test_dismissing_thaumaturgy_is_free() -> None:
    table = duel()
    table.does(TakeAction("a", "dismiss-thaumaturgy"))
    assert left(table, "a") == {"action": 1, "bonus": 1, "reaction": 1}
    assert "a5e.external.spells-named" in a5e().actions["dismiss-thaumaturgy"].ledger
    assert not offers(table, "a")["dismiss-thaumaturgy"].refused


@pytest.mark.rule("a5e.variant.free-action-examples")
def test_the_same_three_free_actions_whatever_the_table_chooses() -> None:
    free = ["communicate", "dismiss-thaumaturgy", "interact-object"]
    assert [one.id for one in a5e().data.actions if one.group == "free"] == free
    options = [one for one in a5e().data.options if "a5e.variant.free-action-examples" in one.ledger]
    for chosen in ((), *((one.id,) for one in options)):
        table = Table("a", "t", foes=("t",), scene=Scene(strictness="enforce", options=chosen))
        table.start(a=20, t=10)
        assert [id for id, one in offers(table, "a").items() if one.action.free and not one.refused] == free


@pytest.mark.rule("a5e.variant.boulder-action")
@pytest.mark.parametrize("free", [False, True])
def test_dislodging_the_boulder_costs_an_action_unless_the_table_says_otherwise(free: bool) -> None:
    scene = Scene(strictness="enforce", options=("boulder-cost-entered",) if free else ())
    table = Table("a", "t", foes=("t",), surroundings=[environment("rocky")], scene=scene)
    table.start(a=20, t=10)
    table.skips()  # what the world might do
    table.does(SpendResource("a", "action"))
    roll = UseEntry("rocky", "boulder", actor="a", targets=("t",))
    if free:
        table.dice(1)
        table.does(roll)
        assert left(table, "a") == {"action": 0, "bonus": 1, "reaction": 1}
    else:
        assert table.refuses(roll).rule == "a5e.turn.one-action"


# Dash, Disengage, Dodge ---------------------------------------------------------------------------------------------


@pytest.mark.rule("a5e.action.dash.double")
def test_dash_doubles_the_speed_for_this_turn() -> None:
    table = duel()
    table.does(MoveFeet("a", 10))
    table.does(TakeAction("a", "dash"))
    assert feet(table, "a") == 50
    assert table.happened(ActionTaken)[-1].rule == "a5e.action.dash.double"
    table.ends_turn(3)
    assert feet(table, "a") == 30


@pytest.mark.rule("a5e.action.dash.after-modifiers")
def test_dash_doubles_after_all_that_changes_the_speed() -> None:
    slowed = msgspec.structs.replace(
        a5e().conditions["poisoned"], id="slowed", rules=(slower(),), ledger=("a5e.action.dash.after-modifiers",)
    )
    catalogue = msgspec.structs.replace(a5e().data, conditions=(*a5e().data.conditions, slowed))
    table = Table("a", "t", foes=("t",), rules=replace(a5e(), data=catalogue))
    table.start(a=20, t=10)
    table.does(ApplyCondition(("a",), "slowed"))
    assert feet(table, "a") == 20
    table.does(TakeAction("a", "dash"))
    assert feet(table, "a") == 40
    rules = a5e().conditions["dashing"].ledger
    assert "a5e.action.dash.after-modifiers" in rules


def slower() -> Any:
    """A data rule that takes 10 ft from a speed."""
    return DataRule("modifier", "speed", add=-10)


@pytest.mark.rule("a5e.action.dash.fatigue")
@pytest.mark.parametrize("track", ["fatigue", "fatigue-sprint"])
def test_the_fatigued_can_not_dash(track: str) -> None:
    table = duel()
    assert not offers(table, "a")["dash"].refused
    fatigue(table, track)
    refused = table.refuses(TakeAction("a", "dash"))
    assert (refused.key, refused.rule) == ("refused.fatigued", "a5e.action.dash.fatigue")
    assert offers(table, "a")["dash"].rule == "a5e.action.dash.fatigue"


def fatigue(table: Table, track: str) -> None:
    """Give A one level of a kind of fatigue."""
    if track == "fatigue":
        table.does(SetTrack("a", "fatigue", 1))
    else:
        tired(table)


def tired(table: Table) -> None:
    """Let A sprint until it has cost a level of fatigue."""
    table.dice(1)
    table.does(TakeAction("a", "sprint", choice="unburdened"))
    table.ends_turn(3)
    assert table.track("a", "fatigue-sprint") == 1


@pytest.mark.rule("a5e.action.disengage")
def test_disengaging_provokes_nobody_for_this_turn() -> None:
    foes = [creature(one, features=(AXE,), abilities=STRONG) for one in ("t", "u")]
    for disengages in (True, False):
        table = Fray("a", *foes, foes=("t", "u")).puts(a=(2, 2), t=(2, 1), u=(2, 3))
        if disengages:
            table.does(TakeAction("a", "disengage"))
            assert table.happened(ActionTaken)[-1].rule == "a5e.action.disengage"
        table.does(MovePath("a", ((3, 2), (4, 2), (5, 2))))
        assert bool(table.prompts) is not disengages
        if disengages:
            table.ends_turn()
            assert "disengaging" not in table.effects("a")  # with the turn, not only when the next one starts


@pytest.mark.rule("a5e.action.dodge.attacks")
def test_dodging_hinders_attackers_in_view() -> None:
    table = Fray(
        "a", creature("b", features=(AXE,), abilities=STRONG), creature("c", features=(AXE,), abilities=STRONG),
        foes=("b", "c"),
    ).puts(a=(2, 2), b=(2, 1), c=(3, 1))  # fmt: skip
    table.does(TakeAction("a", "dodge"))
    table.does(SetRelation("a", "c", seen=False))
    assert ("disadvantage", "a5e.action.dodge.attacks") in table.edges("b", "a", "axe")
    assert "a5e.action.dodge.attacks" not in [rule for _, rule in table.edges("c", "a", "axe")]
    table.ends_turn()
    struck = table.strikes("b", "a", "axe", 16, 7)
    assert struck is not None
    assert struck.roll is not None
    assert struck.roll.natural == 7


@pytest.mark.rule("a5e.action.dodge.attacks")
def test_dodging_hinders_nobody_who_is_hidden() -> None:
    table = Fray("a", creature("b", features=(AXE,), abilities=STRONG), foes=("b",)).puts(a=(2, 2), b=(2, 1))
    table.does(TakeAction("a", "dodge"))
    table.does(ApplyCondition(("b",), "hidden"))
    assert "a5e.action.dodge.attacks" not in [rule for _, rule in table.edges("b", "a", "axe")]


@pytest.mark.rule("a5e.action.dodge.dex-saves")
def test_dodging_helps_dexterity_saves() -> None:
    burst = Feature("burst", "Burst", "action", save="dex", dc=15, damage="1d4 fire")
    table = duel({"saves": (("dex", 2),)}, features=(burst,))
    table.does(TakeAction("a", "dodge"))
    table.ends_turn(2)
    table.dice(5, 14)
    table.does(UseFeature("t", "burst", targets=("a",)))
    (rolled,) = table.happened(Rolled)
    assert (rolled.roll.total, rolled.passed) == (16, True)
    assert [edge.rule for edge in rolled.roll.edges] == ["a5e.action.dodge.dex-saves"]
    pang = Feature("pang", "Pang", "free", save="con", dc=15, damage="1d4 poison")
    table.dice(5)
    table.does(UseFeature("t", given=pang, targets=("a",)))
    assert table.happened(Rolled)[-1].roll.edges == ()


@pytest.mark.rule("a5e.action.dodge.duration")
def test_dodging_lasts_until_ones_next_turn() -> None:
    table = Fray("a", creature("b", features=(AXE,)), foes=("b",)).puts(a=(2, 2), b=(2, 1))
    table.does(TakeAction("a", "dodge"))
    table.ends_turn()
    assert [kind for kind, _ in table.edges("b", "a", "axe")] == ["disadvantage"]
    table.ends_turn()
    assert (table.active, table.effects("a"), table.edges("b", "a", "axe")) == ("a", set(), [])


@pytest.mark.rule("a5e.action.dodge.speed-zero")
def test_nobody_dodges_at_speed_zero() -> None:
    table = duel()
    table.does(ApplyCondition(("a",), "grappled"))
    refused = table.refuses(TakeAction("a", "dodge"))
    assert (refused.key, refused.rule) == ("refused.speed_zero", "a5e.action.dodge.speed-zero")
    assert offers(table, "a")["dodge"].rule == "a5e.action.dodge.speed-zero"


# Who can do what ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("a5e.external.skills")
def test_skills_and_the_tumbling_specialty_are_figures_of_a_stat_block() -> None:
    names = ("acrobatics", "athletics", "deception", "insight", "investigation", "medicine", "perception", "stealth")
    wanted = (*names, "land-vehicles")
    table = duel({"skills": tuple((name, 3 + at) for at, name in enumerate(wanted)), "specialties": ("tumbling",)})
    usual = {skill.id: skill.ability for skill in table.rules.data.skills}
    for at, name in enumerate(wanted):
        table.dice(10)
        table.does(CallForChecks(("a",), f"{usual[name]}:{name}"))
        assert table.happened(Rolled)[-1].roll.total == 13 + at
    table.dice(9, 5)
    table.does(TakeAction("a", "tumble", targets=("t",), cost="bonus", choice="resist"))
    table.answers(figure__t=13)
    assert [die.sides for die in table.happened(Rolled)[-1].roll.dice] == [20, 6]


@pytest.mark.rule("a5e.external.class-features")
def test_attacks_and_rage_are_figures_that_the_rules_read() -> None:
    many = Feature("many", "Multiattack", "action", attacks=3)
    for fields, expected in (({"attacks": 2, "extra_attack": True}, 2), ({"features": (many,)}, 3), ({}, 1)):
        table = duel(fields)
        table.does(TakeAction("a", "attack"))
        assert (table.track("a", "attacks"), left(table, "a")["action"]) == (expected, 0)
    table = duel()
    table.does(ApplyCondition(("t",), "raging"))
    assert table.effects("t") == {"raging"}
    table.does(TakeAction("a", "press-the-attack", targets=("t",)))
    assert table.prompts == []


@pytest.mark.rule("a5e.stable.aid")
@pytest.mark.parametrize(("face", "stable"), [(7, True), (6, False)])
def test_first_aid_takes_an_action_and_a_check(face: int, stable: bool) -> None:
    table = Table(creature("b", skills=(("medicine", 3),)), creature("a", level=3), "t", foes=("t",))
    table.start(b=20, a=15, t=10)
    table.does(ApplyDamage(("a",), "20"))
    assert "dying" in table.effects("a")
    refused = table.refuses(TakeAction("b", "aid", targets=("t",)))
    assert (refused.key, refused.rule) == ("refused.not_down", "a5e.stable.aid")
    table.dice(face)
    table.does(TakeAction("b", "aid", targets=("a",)))
    assert ("stable" in table.effects("a"), "dying" in table.effects("a")) == (stable, not stable)
    assert left(table, "b")["action"] == 0
    rolled = table.happened(Rolled)[-1]
    assert (rolled.detail, rolled.dc, rolled.rule) == ("<check.wis:medicine>", 10, "a5e.stable.aid")


@pytest.mark.rule("a5e.tactic.back-to-back.start")
def test_back_to_back_takes_the_bonus_action_and_an_ally_close_by() -> None:
    table = duel()
    table.does(SetRelation("a", "b", distance=10))
    refused = table.refuses(TakeAction("a", "back-to-back", targets=("b",)))
    assert (refused.key, refused.rule) == ("refused.too_far_from_ally", "a5e.tactic.back-to-back.start")
    table.does(SetRelation("a", "t", distance=5))
    assert table.refuses(TakeAction("a", "back-to-back", targets=("t",))).key == "refused.not_friendly"
    table.does(SetRelation("a", "b", distance=5))
    table.does(TakeAction("a", "back-to-back", targets=("b",)))
    pairs = {(one.target, one.by) for one in table.encounter.all(Effect) if one.name == "back-to-back"}
    assert pairs == {("a", "b"), ("b", "a")}
    assert left(table, "a") == {"action": 1, "bonus": 0, "reaction": 1}
