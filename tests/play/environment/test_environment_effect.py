"""What surroundings do by rules of their own: once a turn, once an encounter, at a turn's end, for whom, how long.

The rows themselves are played in `test_rows_a_to_f.py` and `test_rows_f_to_s.py`.
"""

from __future__ import annotations

import pytest

from tests.play.environment_table import Place
from tests.table import creature, environment, with_row
from turnwright.encounter.data_rules import DataRule
from turnwright.encounter.prepared import Area, Countdown, Environment, Feature, Map
from turnwright.encounter.procedure_state.asks import Reply
from turnwright.encounter.running import Effect
from turnwright.play.actions.action import TakeAction
from turnwright.play.asking.answer import Answer, DismissPrompt
from turnwright.play.damage.damage_roll import ApplyDamage
from turnwright.play.damage.manual_hit_points import SetDead
from turnwright.play.environment.countdown_pools import PoolRolled
from turnwright.play.environment.entry_readiness import RechargeRolled, SetEntryReady
from turnwright.play.environment.environment_check import SpellReflected
from turnwright.play.environment.environment_effect import EntryUsed, UseEntry
from turnwright.play.movement.commanded_move import MoveFeet
from turnwright.play.setup.prepared_records import Add
from turnwright.play.state.events import DamageTaken, EffectEnded, EffectGained, Rolled, Skipped, Unaffected
from turnwright.play.state.position_changes import SetPosition as Stand
from turnwright.play.table.game_master import SetDice
from turnwright.play.turn_order.surprise import SetInitiative
from turnwright.play.turns.turns import GoToTurn, RemoveCombatant, RoundStarted, WorldTurnStarted
from turnwright.rules.parts.environment.entries import hearing_limit


def quiet(place: str) -> Environment:
    """An environment whose world does nothing of itself."""
    return environment(place, actions=())


# Thunder -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("a5e.env.rule.thunder-per-die")
def test_thunder_gains_a_point_for_each_die() -> None:
    cave = Place("cavernous", creature("ada", hp=100))
    cave.dice(3, 3, 3, 3, 4, 4, 4, 4)
    cave.does(ApplyDamage(("ada",), "8d6 thunder"))
    (taken,) = cave.happened(DamageTaken)
    assert taken.taken == 36
    assert [(why.before, why.after, why.rule) for why in taken.why] == [(28, 36, "a5e.env.rule.thunder-per-die")]


@pytest.mark.rule("a5e.env.rule.thunder-per-die")
@pytest.mark.parametrize(("damage", "taken"), [("5 thunder", 5), ("2d6 fire", 2), ("1d6 thunder + 2d6 fire", 4)])
def test_only_dice_of_thunder_count(damage: str, taken: int) -> None:
    cave = Place("cavernous", "ada")
    cave.dice(1, 1, 1)
    cave.does(ApplyDamage(("ada",), damage))
    assert cave.happened(DamageTaken)[0].taken == taken
    assert len(cave.happened(DamageTaken)[0].why) == ("1d6 thunder" in damage)


@pytest.mark.rule("a5e.env.rule.thunder-per-die")
def test_a_typed_total_still_knows_how_many_dice_fell() -> None:
    cave = Place("cavernous", creature("ada", hp=100))
    cave.does(SetDice("ask"))
    cave.does(ApplyDamage(("ada",), "8d6 thunder"))
    cave.answers(damage="28")
    assert cave.hp("ada") == [64]


# Surfaces ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("a5e.env.rule.first-touch")
@pytest.mark.parametrize(("place", "row"), [("fiery", "burning-surface"), ("frigid", "frostbitten-surface")])
def test_three_touches_in_a_turn_burn_once(place: str, row: str) -> None:
    table = Place(quiet(place), "ada", "brand")
    for _ in range(3):
        table.uses(row, 2, actor="ada")
    assert (table.hp("ada"), len(table.happened(DamageTaken))) == ([18], 1)
    (first, _) = table.happened(Unaffected)
    assert (first.reason, first.rule) == ("why.once_a_turn", "a5e.env.rule.first-touch")
    table.uses(row, 2, actor="brand")
    assert table.hp("brand") == [18]

    table.dice(20, 20)
    table.ends_turn(2)
    assert table.active == "ada"
    table.uses(row, 3, actor="ada")
    assert table.hp("ada") == [15]


@pytest.mark.rule("a5e.env.rule.first-touch")
def test_each_turn_counts_anew_also_those_of_others_and_those_gone_to_by_hand() -> None:
    table = Place(quiet("frigid"), "ada", "brand", "cole")
    table.uses("frostbitten-surface", 2, actor="ada")
    table.ends_turn()
    table.uses("frostbitten-surface", 2, actor="ada")
    table.does(GoToTurn("cole"))
    table.uses("frostbitten-surface", 2, actor="ada")
    assert table.hp("ada") == [14]


def test_marks_of_the_rules_do_not_show() -> None:
    table = Place(quiet("frigid"), "ada")
    table.uses("frostbitten-surface", 2, actor="ada")
    assert table.effects("ada") == set()
    assert not table.happened(EffectGained)
    assert [effect.shown for effect in table.encounter.all(Effect)] == [False]


@pytest.mark.rule("a5e.env.rule.frost-exempt")
def test_resistance_halves_fire_and_cancels_frost() -> None:
    hall = Place(quiet("fiery"), creature("ada", resistances=("fire",)))
    hall.uses("burning-surface", 4, actor="ada")
    assert hall.hp("ada") == [18]

    ice = Place(quiet("frigid"), creature("brand", resistances=("cold",)))
    ice.uses("frostbitten-surface", 4, actor="brand")
    assert (ice.hp("brand"), ice.dice_left(), ice.happened(DamageTaken)) == ([20], 1, [])
    assert ice.happened(Unaffected)[0].rule == "a5e.env.rule.frost-exempt"


# The end of a turn -----------------------------------------------------------------------------------------------


@pytest.mark.rule("a5e.env.rule.end-of-turn-saves")
@pytest.mark.parametrize(
    ("place", "row", "ability", "dc"), [("swampy", "tenacious-mud", "str", 12), ("fiery", "floating-ash", "con", 10)]
)
def test_a_turn_ended_inside_asks_a_save_and_one_ended_outside_does_not(
    place: str, row: str, ability: str, dc: int
) -> None:
    table = Place(quiet(place), "ada", "brand")
    table.does(SetDice("ask"))
    table.does(MoveFeet("ada", 5, through=place))
    assert not table.prompts
    table.does(Stand("ada", outside=(place,)))
    table.ends_turn()
    assert not table.prompts
    assert table.active == "brand"

    table.ends_turn()
    (ask,) = table.prompt.asks
    assert (ask.who, ask.detail, ask.dc) == ("brand", f"<save.{ability}>", dc)
    assert (ask.rule, table.active) == ("a5e.env.rule.end-of-turn-saves", "brand")
    assert table.prompt.subject == next(each.name for each in table.place.features if each.id == row)
    table.answers(brand=str(dc))
    assert (table.active, table.effects("brand")) == ("ada", set())


@pytest.mark.rule("a5e.env.rule.end-of-turn-saves")
def test_the_dead_and_the_gone_are_asked_for_nothing() -> None:
    table = Place(quiet("swampy"), "ada", "brand")
    table.does(SetDice("ask"))
    table.does(SetDead("ada"))
    table.ends_turn()
    assert not table.prompts
    table.does(RemoveCombatant("brand"))
    assert not table.prompts


# Clutter -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("a5e.env.rule.clutter-dash")
def test_only_who_dashes_through_clutter_saves() -> None:
    hall = Place("furnished", "ada", "brand")
    hall.dice()
    hall.does(TakeAction("ada", "dash"))
    hall.does(MoveFeet("ada", 5))
    assert not hall.prompts
    hall.does(MoveFeet("ada", 10, through="furnished"))
    (ask,) = hall.prompt.asks
    assert (ask.who, ask.detail, ask.dc) == ("ada", "<save.dex>", 10)
    hall.dice(9)
    assert hall.effects("ada") == {"dashing", "prone"}
    hall.ends_turn()
    hall.does(MoveFeet("brand", 10, through="furnished"))
    assert not hall.prompts
    assert hall.effects("brand") == set()


# The mirror ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("a5e.env.rule.mirror-breaks")
@pytest.mark.parametrize(("own", "back"), [(15, True), (5, False)])
def test_a_mirror_breaks_either_way(own: int, back: bool) -> None:
    hall = Place("furnished", "ada", "witch")
    hall.uses("mirror", own, 10, actor="ada", targets=("witch",))
    assert [(event.to_caster, event.rule) for event in hall.happened(SpellReflected)] == [
        (back, "a5e.env.rule.mirror-breaks")
    ]
    hall.comes_to_round(2)
    refused = hall.refuses(UseEntry("furnished", "mirror", "ada", ("witch",)))
    assert (refused.key, refused.rule) == ("refused.broken", "a5e.env.rule.mirror-breaks")


# Lightning -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("a5e.env.rule.lightning-no-repeat")
def test_lightning_that_has_struck_all_has_no_target() -> None:
    place = environment("stormy", actions=environment("stormy").actions[1:])
    moor = Place(place, "ada", "brand")
    moor.uses("lightning-strike", 20, 6, targets=("ada",))
    moor.uses("lightning-strike", 1, 1, 1, 1, 1, 6, targets=("brand",))
    assert moor.row("stormy", "lightning-strike").ready
    moor.comes_to_round(2)
    assert moor.happened(WorldTurnStarted)[-1].offers == ()
    assert not moor.prompts
    refused = moor.refuses(UseEntry("stormy", "lightning-strike", targets=("ada",)))
    assert (refused.key, refused.rule) == ("refused.targeted_before", "a5e.env.rule.lightning-no-repeat")


# The shadow ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("a5e.env.rule.shadow-joins")
def test_the_shadow_acts_at_20_in_the_round_it_appears() -> None:
    place = environment("hazy", actions=environment("hazy").actions[:1])
    moor = Place(place, "ada", "brand")
    moor.comes_to_round(2)
    for who, total in (("ada", 23), ("brand", 18)):
        moor.does(SetInitiative(((who, total),)))
    moor.dice(5)
    moor.chooses("use")
    assert moor.order == ["ada", "shadow", "brand"]
    assert moor.one("shadow").initiative == 20
    assert not moor.prompts
    assert (moor.clock.round, moor.active) == (2, "ada")
    moor.ends_turn()
    assert (moor.clock.round, moor.active) == (2, "shadow")


@pytest.mark.rule("a5e.env.rule.shadow-joins")
def test_the_shadow_goes_before_those_who_rolled_a_20() -> None:
    moor = Place("hazy", "ada")
    moor.does(SetInitiative((("ada", 20),)))
    moor.uses("shadow-puppet", 5)
    assert not moor.prompts
    assert moor.order == ["shadow", "ada"]


# The cacophony -------------------------------------------------------------------------------------------------


@pytest.mark.rule("a5e.env.rule.cacophony-timing")
def test_the_cacophony_ends_before_anything_else_of_the_next_top_of_round() -> None:
    wood = Place("forested", "ada", countdowns=[Countdown("fire", "Fire", dice=1, starts=3)])
    wood.comes_to_round(2)
    wood.dice(1)
    wood.chooses("ada")
    assert hearing_limit(wood.encounter, wood.rules, "ada") == 10
    wood.dice(1, 1)
    wood.ends_turn()
    kinds = [type(event) for event in wood.events]
    ended = kinds.index(EffectEnded)
    third = [at for at, event in enumerate(wood.events) if isinstance(event, RoundStarted)][2]
    later = [
        at for at, kind in enumerate(kinds) if kind in (PoolRolled, RechargeRolled, WorldTurnStarted) and at > third
    ]
    assert third < ended < min(later)
    assert len(wood.happened(RechargeRolled)) == 2
    assert hearing_limit(wood.encounter, wood.rules, "ada") > 10


@pytest.mark.rule("a5e.env.rule.cacophony-timing")
def test_the_cacophony_lasts_through_every_turn_of_its_round() -> None:
    wood = Place("forested", "ada", "brand")
    wood.uses("cacophony", 1, targets=("ada", "brand"))
    wood.dice(1)
    wood.ends_turn()
    assert hearing_limit(wood.encounter, wood.rules, "brand") == 10
    wood.ends_turn()
    assert wood.clock.round == 2
    assert hearing_limit(wood.encounter, wood.rules, "brand") > 10


# Whom it reaches, and what is asked ------------------------------------------------------------------------------


def test_the_world_offers_only_the_living_who_stand_there() -> None:
    ice = Place("frigid", "ada", "brand", "cole")
    ice.does(SetDead("brand"))
    ice.does(Stand("cole", outside=("frigid",)))
    ice.uses("cold-chill")
    assert [option.id for option in ice.prompt.asks[0].options] == ["ada"]


def test_choosing_nobody_leaves_a_world_action_ready() -> None:
    ice = Place("frigid", "ada")
    for leave in (ice.skips, ice.chooses):
        ice.uses("cold-chill")
        leave()
        assert ice.row("frigid", "cold-chill").ready
    assert not ice.happened(EntryUsed)

    moor = Place("hazy", "ada")
    moor.comes_to_round(2)
    moor.chooses("leave")
    assert moor.row("hazy", "shadow-puppet").ready
    assert not moor.happened(EntryUsed)


def test_a_spent_action_may_be_used_all_the_same_by_insisting() -> None:
    ice = Place("frigid", "ada")
    ice.does(SetEntryReady("frigid", "cold-chill", ready=False))
    use = UseEntry("frigid", "cold-chill", targets=("ada",))
    assert ice.refuses(use).rule == "a5e.world.recharge.spent"
    ice.dice(20, 1)
    ice.does(use, anyway=True)
    assert ice.happened(EntryUsed)


def test_one_prompt_asks_every_save_and_skipping_one_lets_them_off() -> None:
    ice = Place("frigid", "ada", "brand")
    ice.does(SetDice("ask"))
    ice.does(UseEntry("frigid", "cold-chill", targets=("ada", "brand")))
    assert [(ask.who, ask.dc) for ask in ice.prompt.asks] == [("ada", 15), ("brand", 15)]
    ice.answers(ada="3")
    assert [ask.who for ask in ice.prompt.asks if ask.id not in {done.ask for done in ice.prompt.answers}] == ["brand"]
    ice.answers(brand=None)
    ice.answers(whole="9")
    assert ice.hp("ada", "brand") == [11, 20]
    assert [event.who for event in ice.happened(Skipped) if event.who] == ["brand"]


@pytest.mark.parametrize("magical", [False, True])
def test_whether_a_row_is_magical_decides_about_magic_resistance_unasked(magical: bool) -> None:
    resistance = Feature("magic-resistance", "Magic Resistance", rules=(DataRule("advantage", "save", when="magic"),))
    fiery = quiet("fiery")
    row = next(one for one in (*fiery.actions, *fiery.features) if one.save is not None)
    table = Place(with_row(fiery, row.id, magical=magical), creature("ada", hp=100, features=(resistance,)))
    table.does(SetDice("ask"))
    table.does(UseEntry("fiery", row.id, targets=("ada",)))
    (asked,) = table.prompt.asks
    assert asked.spec is not None
    assert [edge.reason for edge in asked.spec.edges] == (["Magic Resistance"] if magical else [])


def test_a_withdrawn_save_costs_nobody_anything() -> None:
    ice = Place("frigid", "ada", "brand")
    ice.uses("cold-chill", targets=("ada", "brand"))
    ice.does(DismissPrompt(ice.prompt.id))
    ice.passes()
    assert ice.hp("ada", "brand") == [20, 20]


def test_a_row_that_is_switched_off_speaks_at_no_turns_end() -> None:
    mire = Place(with_row(quiet("swampy"), "tenacious-mud", enabled=False), "ada", "brand")
    mire.does(SetDice("ask"))
    mire.ends_turn()
    assert not mire.prompts


# Who is affected -----------------------------------------------------------------------------------------------------


def test_a_row_that_names_a_place_suggests_only_those_whom_the_map_shows_there() -> None:
    moor = Place("hazy", "ada", "brand", "cole")
    moor.uses("twisting-haze")
    assert moor.prompt.asks[0].detail == "in the haze"
    assert moor.prompt.asks[0].suggested == ()
    moor.passes()
    feature = moor.place.features[0].id
    moor.does(Add((Map(columns=10, rows=10, areas=(Area("fog", "hazy", feature, ((0, 5, 8, 2),)),)),)))
    moor.does(Stand("ada", position=(2, 6)))
    moor.does(Stand("brand", position=(2, 1)))
    moor.does(SetEntryReady("hazy", "twisting-haze"))
    moor.uses("twisting-haze")
    assert [option.id for option in moor.prompt.asks[0].options] == ["ada", "brand", "cole"]
    assert moor.prompt.asks[0].suggested == ("ada",)


def test_a_row_without_a_place_suggests_all() -> None:
    ice = Place("frigid", "ada", "brand")
    ice.does(SetEntryReady("frigid", "cold-chill"))
    ice.uses("cold-chill")
    assert ice.prompt.asks[0].suggested == ("ada", "brand")


def test_two_damage_rolls_tell_who_takes_which() -> None:
    ice = Place("frigid", "ada", "brand", creature("cole", gear=("cold-weather-gear",)))
    ice.does(SetDice("ask"))
    ice.does(SetEntryReady("frigid", "cold-chill"))
    ice.does(UseEntry("frigid", "cold-chill"))
    ice.chooses("ada", "brand", "cole")
    ice.answers(ada="1", brand="2", cole="3")
    assert [ask.detail for ask in ice.prompt.asks] == ["Cold Chill (Ada, Brand)", "Cold Chill (Cole)"]
    ice.passes()
    ice.does(SetEntryReady("frigid", "cold-chill"))
    ice.does(UseEntry("frigid", "cold-chill"))
    ice.chooses("ada", "brand")
    ice.answers(ada="1", brand="2")
    assert [ask.detail for ask in ice.prompt.asks] == ["Cold Chill"]


# The table's own dice ----------------------------------------------------------------------------------------


def test_a_small_fight_with_the_tables_own_dice() -> None:
    """Save by total and by a natural, damage by total, recharge by total: as with dice of our own."""
    witch = creature("ada", saves=(("con", 3),))
    ice = Place("frigid", witch, "brand", creature("cole", gear=("cold-weather-gear",)))
    ice.does(SetDice("ask"))
    ice.comes_to_round(2)
    ice.does(SetDice("ask"))
    ice.chooses("ada", "brand", "cole")
    ice.answers(ada="12!", brand="20!", cole="14")
    assert [(rolled.who, rolled.roll.total, rolled.passed) for rolled in ice.happened(Rolled)] == [
        ("ada", 15, True),
        ("brand", 20, True),
        ("cole", 14, False),
    ]
    assert ice.happened(Rolled)[1].roll.natural == 20
    ice.answers(reduced="5")
    assert ice.hp("ada", "brand", "cole") == [20, 20, 15]
    ice.answers(frigid__cold_chill="4")
    assert ice.row("frigid", "cold-chill").ready
    assert ice.active == "ada"


@pytest.mark.parametrize(("said", "key"), [("21!", "refused.dice_expression"), ("abc", "refused.dice_expression")])
def test_what_no_die_shows_is_refused(said: str, key: str) -> None:
    ice = Place("frigid", "ada")
    ice.uses("cold-chill", targets=("ada",))
    prompt = ice.prompt
    assert ice.refuses(Answer(prompt.id, (Reply("ada", typed=said),), prompt.revision)).key == key


def test_a_save_that_is_said_to_fail_and_damage_that_is_passed_over() -> None:
    ice = Place("frigid", "ada")
    ice.does(SetDice("ask"))
    ice.does(UseEntry("frigid", "cold-chill", targets=("ada",)))
    ice.answers(ada="?")
    ice.answers(ada="failed")
    ice.answers(whole=None)
    assert ice.hp("ada") == [20]
    assert not ice.happened(DamageTaken)
    assert [event.purpose for event in ice.happened(Skipped)][-1] == "ask.damage"
    ice.answers(frigid__cold_chill="?")
    ice.answers(frigid__cold_chill="failed")
    assert not ice.row("frigid", "cold-chill").ready


def test_undo_takes_back_a_hazard_answer_by_answer() -> None:
    mire = Place(quiet("swampy"), "ada", "brand")
    before = mire.encounter
    mire.does(SetDice("ask"))
    mire.ends_turn()
    waiting = mire.encounter
    mire.answers(ada="3")
    assert mire.effects("ada") == {"restrained"}
    mire.session.undo()
    assert mire.encounter == waiting
    mire.session.undo()
    mire.session.undo()
    assert mire.encounter == before
