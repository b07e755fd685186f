"""Rows of the last five environments in play, each set off from its own row or by what happens around it."""

from __future__ import annotations

import pytest

from tests.play.environment_table import Place
from tests.table import creature, environment, with_row
from turnwright.encounter.prepared import Spawn
from turnwright.encounter.running import Combatant, Effect, GuestCreature, Slot, Track
from turnwright.encounter.state import Lookup
from turnwright.play.actions.action import TakeAction
from turnwright.play.actions.contest import BreakFree
from turnwright.play.environment.entry_readiness import EntryFailed, RechargeRolled, SetEntryReady
from turnwright.play.environment.environment_check import EnvironmentCheckPassed, SpellReflected
from turnwright.play.environment.environment_effect import EntryUsed, Teleported, UseEntry
from turnwright.play.movement.commanded_move import MoveFeet
from turnwright.play.movement.forced_movement import Pushed
from turnwright.play.movement.move import Moved
from turnwright.play.setup.encounter_course import StartEncounter
from turnwright.play.spawning.spawning import CombatantAdded, LookAlikeRolled
from turnwright.play.state.events import DamageTaken, Rolled
from turnwright.play.state.position_changes import SetPosition as Stand
from turnwright.play.turn_order.surprise import SetInitiative
from turnwright.play.turns.turns import EndEncounter
from turnwright.rules.parts.checks.ability_checks import check_roll
from turnwright.rules.parts.conditions.predicates import is_true_of
from turnwright.rules.parts.environment.entries import NO_HEARING_LIMIT, hearing_limit, visibility
from turnwright.rules.system import creature_of


def effect_on(lookup: Lookup, who: str, name: str) -> str:
    """The id of an effect on somebody."""
    (effect,) = [effect for effect in lookup.all(Effect) if (effect.target, effect.name) == (who, name)]
    return effect.id


# Furnished -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("a5e.env.furnished.chandelier")
@pytest.mark.parametrize(("total", "works"), [(12, True), (11, False)])
def test_the_nimble_swing_from_a_chandelier(total: int, works: bool) -> None:
    hall = Place("furnished", creature("ada", skills=(("acrobatics", 5),)))
    hall.uses("chandelier", total - 5, actor="ada")
    assert bool(hall.happened(EnvironmentCheckPassed)) is works
    assert bool(hall.happened(EntryFailed)) is not works
    assert hall.happened(Rolled)[0].detail == "<check.dex:acrobatics>"
    assert hall.track("ada", "action") == 1


@pytest.mark.rule("a5e.env.furnished.chandelier")
@pytest.mark.parametrize(("attack", "save", "hp"), [(12, 11, 11), (12, 12, 20), (11, 1, 20)])
def test_a_chandelier_falls_on_whoever_is_beneath(attack: int, save: int, hp: int) -> None:
    hall = Place("furnished", "ada", "target")
    hall.uses("chandelier", save, 3, 6, actor="ada", attack=attack, targets=("target",))
    assert hall.hp("target") == [hp]
    assert [event.dealt for event in hall.happened(DamageTaken)] == ([(("bludgeoning", 9),)] if hp < 20 else [])


@pytest.mark.rule("a5e.env.furnished.clutter")
@pytest.mark.parametrize(("save", "prone"), [(9, True), (10, False)])
def test_dashing_through_clutter_may_trip(save: int, prone: bool) -> None:
    hall = Place("furnished", "ada")
    hall.does(TakeAction("ada", "dash"))
    hall.dice(save)
    hall.does(MoveFeet("ada", 10, through="furnished"))
    assert ("prone" in hall.effects("ada")) is prone
    assert [(moved.feet, moved.cost) for moved in hall.happened(Moved)] == [(10, 20)]
    assert hall.happened(Rolled)[0].dc == 10


@pytest.mark.rule("a5e.env.furnished.clutter")
def test_clutter_is_slow_going_without_a_save_for_those_who_walk() -> None:
    hall = Place("furnished", "ada")
    hall.dice(1)
    hall.does(MoveFeet("ada", 10, through="furnished"))
    assert (hall.happened(Moved)[0].cost, hall.dice_left(), hall.effects("ada")) == (20, 1, set())


@pytest.mark.rule("a5e.env.furnished.mirror")
@pytest.mark.parametrize(("own", "theirs", "back"), [(14, 12, True), (10, 12, False), (12, 12, False)])
def test_a_mirror_sends_a_spell_back_in_a_contest_that_the_caster_wins_on_a_tie(
    own: int, theirs: int, back: bool
) -> None:
    witch = creature("witch", abilities=(("int", 16), ("wis", 12)))
    hall = Place("furnished", "ada", witch)
    hall.ends_turn()
    hall.uses("mirror", own, theirs - 3, actor="ada", targets=("witch",), level=1)
    (event,) = hall.happened(SpellReflected)
    assert (event.who, event.caster, event.to_caster) == ("ada", "witch", back)
    assert [rolled.roll.total for rolled in hall.happened(Rolled)] == [own, theirs]
    assert hall.track("ada", "reaction") == 0
    assert hall.row("furnished", "mirror").broken


@pytest.mark.rule("a5e.env.furnished.mirror")
def test_a_mirror_does_not_send_back_a_2nd_level_spell() -> None:
    hall = Place("furnished", "ada", "witch")
    refused = hall.refuses(UseEntry("furnished", "mirror", "ada", ("witch",), level=2))
    assert (refused.key, refused.rule) == ("refused.spell_level", "a5e.env.furnished.mirror")


@pytest.mark.rule("a5e.env.furnished.mirror")
def test_a_mirror_takes_a_reaction_and_asks_whose_spell_it_is() -> None:
    hall = Place("furnished", "ada", "witch")
    hall.uses("mirror", actor="ada")
    assert [option.id for option in hall.prompt.asks[0].options] == ["witch"]
    assert hall.track("ada", "reaction") == 1
    hall.chooses("witch")
    assert [ask.id for ask in hall.prompt.asks] == ["own", "theirs"]
    assert hall.track("ada", "reaction") == 0
    hall.answers(own="14", theirs="12")
    assert hall.happened(SpellReflected)[0].to_caster

    other = Place("furnished", "ada", "witch")
    other.uses("mirror", actor="ada")
    other.skips()
    assert (other.track("ada", "reaction"), other.happened(EntryUsed)) == (1, [])


@pytest.mark.rule("a5e.env.furnished.tables")
def test_tipping_a_table_takes_an_action() -> None:
    hall = Place("furnished", "ada", "brand")
    hall.uses("tables", actor="ada")
    assert (hall.track("ada", "action"), hall.track("ada", "bonus")) == (0, 1)
    assert hall.happened(EntryUsed)[0].rule == "a5e.env.furnished.tables"
    assert hall.refuses(UseEntry("furnished", "tables", "ada")).rule == "a5e.turn.one-action"
    assert hall.refuses(UseEntry("furnished", "tables", "brand")).rule == "a5e.round.on-turn"


# Hazy ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("a5e.env.hazy.blanketed-ground")
@pytest.mark.parametrize(("face", "found"), [(12, True), (11, False)])
def test_fog_shows_what_it_covers_to_a_keen_eye(face: int, found: bool) -> None:
    moor = Place("hazy", "ada")
    moor.uses("blanketed-ground", face, actor="ada")
    assert [event.who for event in moor.happened(EnvironmentCheckPassed)] == (["ada"] if found else [])
    assert moor.happened(Rolled)[0].detail == "<check.wis:perception>"


@pytest.mark.rule("a5e.env.hazy.thick-fog")
def test_thick_fog_heavily_obscures() -> None:
    moor = Place("hazy", "ada")
    assert visibility(moor.encounter, "ada") == "heavily obscured"
    clear = Place(with_row(environment("hazy"), "thick-fog", enabled=False), "ada")
    assert visibility(clear.encounter, "ada") == "clear"


@pytest.mark.rule("a5e.env.hazy.shadow-puppet")
def test_a_shadow_takes_the_looks_of_somebody_there_and_turns_on_all() -> None:
    moor = Place("hazy", "ada", "brand", "cole", "drya", foes=["cole", "drya"])
    moor.does(Stand("drya", outside=("hazy",)))
    moor.comes_to_round(2)
    assert moor.prompt.subject == "Shadow Puppet"
    moor.dice(5)
    moor.chooses("use")
    shadow = moor.one("shadow")
    assert (shadow.label, shadow.side, shadow.initiative) == ("Shadow", "hostile to all", 20)
    assert (shadow.hp, shadow.hp_max) == (16, 16)
    assert is_true_of(moor.encounter, moor.rules, "shadow", "sees-through-haze")
    assert moor.happened(LookAlikeRolled)[0].like in ("ada", "brand", "cole")
    assert not moor.row("hazy", "shadow-puppet").ready
    assert moor.happened(RechargeRolled)[0].needed == 6


@pytest.mark.rule("a5e.env.hazy.shadow-puppet")
def test_the_likeness_is_drawn_at_random_and_a_6_brings_the_action_back() -> None:
    drawn = set()
    moor = Place("hazy", "ada", "brand")
    for number in range(1, 13):
        moor.uses("shadow-puppet", 6, *([1, 2] if number > 1 else []))
        moor.passes()
        drawn.add(moor.happened(LookAlikeRolled)[-1].like)
        moor.does(SetEntryReady("hazy", "shadow-puppet"))
    assert {"ada", "brand"} <= drawn
    assert len({one.label for one in moor.encounter.all(Combatant)}) == 14
    assert moor.happened(RechargeRolled)[0].ready


@pytest.mark.rule("a5e.env.hazy.twisting-haze")
def test_twisting_haze_moves_everybody_in_it() -> None:
    moor = Place("hazy", "ada", "brand", "cole")
    moor.does(Stand("cole", outside=("hazy",)))
    moor.uses("twisting-haze")
    assert moor.prompt.asks[0].suggested == ("ada", "brand")
    moor.chooses("ada", "brand")
    assert [(event.who, event.feet) for event in moor.happened(Teleported)] == [("ada", 5), ("brand", 5)]
    assert not moor.prompts
    assert not moor.happened(RechargeRolled)
    assert moor.track("ada", "moved") == 0


# Rocky ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("a5e.env.rocky.boulder")
def test_a_boulder_rolls_over_whoever_is_in_its_way() -> None:
    gully = Place("rocky", creature("ada", skills=(("athletics", 4),)), "target")
    gully.uses("boulder", 11, actor="ada")
    assert gully.track("ada", "action") == 0
    assert (gully.prompt.asks[0].label, gully.prompt.asks[0].suggested) == ("ask.targets_below", ())
    gully.dice(11, 7, 6)
    gully.chooses("target")
    assert gully.hp("ada", "target") == [20, 7]
    assert gully.happened(DamageTaken)[0].dealt == (("bludgeoning", 13),)
    assert [(rolled.dc, rolled.passed) for rolled in gully.happened(Rolled)[:2]] == [(15, True), (12, False)]


@pytest.mark.rule("a5e.env.rocky.boulder")
def test_a_boulder_stays_at_14_and_the_action_is_spent() -> None:
    gully = Place("rocky", "ada", "target")
    gully.uses("boulder", 14, 1, actor="ada", targets=("target",))
    assert gully.happened(EntryFailed)[0].actor == "ada"
    assert (gully.track("ada", "action"), gully.hp("target"), gully.dice_left()) == (0, [20], 1)


@pytest.mark.rule("a5e.env.rocky.boulder")
def test_a_save_of_12_gets_out_of_its_way() -> None:
    gully = Place("rocky", "ada", "target")
    gully.uses("boulder", 15, 12, 9, actor="ada", targets=("target",))
    assert (gully.hp("target"), gully.dice_left()) == ([20], 1)


@pytest.mark.rule("a5e.env.rocky.loose-rocks")
def test_a_loose_rock_strikes_one() -> None:
    gully = Place("rocky", "ada", "target")
    gully.uses("loose-rocks", 3, actor="ada")
    assert (gully.prompt.asks[0].max_choices, gully.prompt.asks[0].kind) == (1, "targets")
    gully.chooses("target")
    assert gully.hp("ada", "target") == [20, 17]
    assert gully.happened(DamageTaken)[0].dealt == (("bludgeoning", 3),)


@pytest.mark.parametrize(
    ("place", "row", "feet"),
    [
        pytest.param("rocky", "uneven-footing", 15, marks=pytest.mark.rule("a5e.env.rocky.uneven-footing")),
        pytest.param("stormy", "heavy-precipitation", 10, marks=pytest.mark.rule("a5e.env.stormy.heavy-precipitation")),
        pytest.param("swampy", "thick-trudge", 15, marks=pytest.mark.rule("a5e.env.swampy.thick-trudge")),
    ],
)
def test_difficult_ground_costs_twice(place: str, row: str, feet: int) -> None:
    table = Place(place, "ada")
    table.does(MoveFeet("ada", feet, through=place))
    (moved,) = table.happened(Moved)
    assert (moved.cost, moved.rule) == (2 * feet, f"a5e.env.{place}.{row}")
    assert table.encounter.need(Track, "ada.moved").value == 2 * feet
    easy = Place(with_row(environment(place), row, enabled=False), "ada")
    easy.does(MoveFeet("ada", feet, through=place))
    assert easy.happened(Moved)[0].cost == feet


@pytest.mark.rule("a5e.env.rocky.falling-rocks")
def test_falling_rocks_strike_those_near_the_cliff() -> None:
    gully = Place("rocky", "ada", "brand", "cole", "drya", "elke")
    gully.uses("falling-rocks")
    assert gully.prompt.asks[0].detail == "near the treacherous cliffside"
    gully.dice(14, 15, 3, 4, 5)
    gully.chooses("ada", "brand")
    assert gully.hp("ada", "brand", "cole", "drya", "elke") == [13, 20, 20, 20, 20]
    assert [rolled.who for rolled in gully.happened(Rolled) if rolled.dc == 15] == ["ada", "brand"]
    assert gully.happened(RechargeRolled)[0].ready


@pytest.mark.rule("a5e.env.rocky.falling-rocks")
def test_falling_rocks_need_a_5_to_come_back() -> None:
    gully = Place("rocky", "ada")
    gully.uses("falling-rocks", 15, 4, targets=("ada",))
    assert not gully.row("rocky", "falling-rocks").ready
    refused = gully.refuses(UseEntry("rocky", "falling-rocks", targets=("ada",)))
    assert (refused.key, refused.rule) == ("refused.not_recharged", "a5e.world.recharge.spent")


# Stormy --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("a5e.env.stormy.loud-winds")
def test_loud_winds_swallow_all_but_near_and_loud_sounds() -> None:
    moor = Place("stormy", "ada", "brand")
    assert hearing_limit(moor.encounter, moor.rules, "ada") == 15
    moor.does(Stand("ada", outside=("stormy",)))
    assert hearing_limit(moor.encounter, moor.rules, "ada") == NO_HEARING_LIMIT


@pytest.mark.rule("a5e.env.stormy.forceful-gale")
@pytest.mark.parametrize(("save", "pushed"), [(11, True), (12, False)])
def test_a_gale_pushes_one_at_no_cost_of_movement(save: int, pushed: bool) -> None:
    moor = Place("stormy", "ada", "enemy", foes=["enemy"])
    moor.uses("forceful-gale")
    assert moor.prompt.asks[0].max_choices == 1
    moor.dice(save)
    moor.chooses("ada")
    assert [(event.who, event.feet) for event in moor.happened(Pushed)] == ([("ada", 15)] if pushed else [])
    assert (moor.track("ada", "moved"), moor.track("enemy", "reaction")) == (0, 1)
    assert not moor.happened(RechargeRolled)
    assert not moor.prompts


@pytest.mark.rule("a5e.env.stormy.lightning-strike")
def test_lightning_strikes_one_and_in_this_encounter_never_again() -> None:
    moor = Place("stormy", "ada", "brand")
    moor.uses("lightning-strike", 10, 4, targets=("ada",))
    assert moor.hp("ada") == [20]
    moor.comes_to_round(4)
    moor.passes()
    moor.does(SetEntryReady("stormy", "lightning-strike"))
    moor.uses("lightning-strike")
    assert [option.id for option in moor.prompt.asks[0].options] == ["brand"]
    moor.dice(9, 1, 2, 3, 4, 5)
    moor.chooses("brand")
    assert moor.hp("brand") == [10]
    assert moor.happened(DamageTaken)[0].dealt == (("lightning", 10),)
    assert [(event.face, event.ready) for event in moor.happened(RechargeRolled)] == [(4, False), (5, True)]

    moor.does(EndEncounter())
    moor.does(StartEncounter())
    moor.uses("lightning-strike")
    assert [option.id for option in moor.prompt.asks[0].options] == ["ada", "brand"]


# Swampy --------------------------------------------------------------------------------------------------------


def swamp() -> Place:
    """A swamp whose world does nothing of itself."""
    return Place(environment("swampy", actions=()), "ada", "brand")


def swamp_with_gas() -> Place:
    """A swamp of nothing but its gas."""
    return Place(environment("swampy", features=(), actions=environment("swampy").actions[:1]), "ada", "brand")


@pytest.mark.rule("a5e.env.swampy.tenacious-mud")
def test_mud_holds_until_the_end_of_the_next_turn_and_then_asks_again() -> None:
    mire = swamp()
    mire.dice(11, 20)
    mire.ends_turn(2)
    assert (mire.active, mire.effects("ada")) == ("ada", {"restrained"})
    assert mire.rules.allowance(mire.encounter, mire.rules, "ada", "walk").total == 0  # type: ignore[union-attr]
    mire.dice(12)
    mire.ends_turn()
    assert (mire.dice_left(), mire.effects("ada")) == (0, set())
    assert [(rolled.dc, rolled.passed) for rolled in mire.happened(Rolled) if rolled.who == "ada"] == [
        (12, False),
        (12, True),
    ]


@pytest.mark.rule("a5e.env.swampy.tenacious-mud")
def test_an_action_breaks_free_of_mud() -> None:
    mire = swamp()
    mire.dice(11, 20)
    mire.ends_turn(1)
    effect = effect_on(mire.encounter, "ada", "restrained")
    assert mire.refuses(BreakFree(effect)).rule == "a5e.round.on-turn"
    mire.ends_turn()
    mire.does(BreakFree(effect))
    assert (mire.effects("ada"), mire.track("ada", "action")) == (set(), 0)


@pytest.mark.rule("a5e.env.swampy.swamp-gas")
@pytest.mark.parametrize(("save", "poisoned"), [(9, True), (10, False)])
def test_swamp_gas_poisons_until_the_end_of_the_next_turn(save: int, poisoned: bool) -> None:
    mire = swamp_with_gas()
    mire.comes_to_round(2)
    mire.dice(save, 20)
    mire.chooses("ada", "brand")
    assert (mire.clock.round, mire.active) == (2, "ada")
    assert mire.effects("ada") == ({"poisoned"} if poisoned else set())
    assert bool(check_roll(mire.encounter, mire.rules, "ada", "dex").edges) is poisoned
    mire.ends_turn()
    assert mire.effects("ada") == set()
    mire.comes_to_round(3)
    assert mire.prompt.subject == "Swamp Gas"


@pytest.mark.rule("a5e.env.swampy.swamp-gas")
def test_gas_that_rises_in_ones_own_turn_lasts_through_the_next() -> None:
    mire = swamp_with_gas()
    mire.uses("swamp-gas", 9, targets=("ada",))
    mire.dice()
    mire.ends_turn(2)
    mire.passes()
    assert (mire.active, mire.effects("ada")) == ("ada", {"poisoned"})
    mire.ends_turn()
    assert mire.effects("ada") == set()


@pytest.mark.rule("a5e.env.swampy.leeches")
def test_leeches_come_with_an_initiative_of_their_own() -> None:
    mire = Place("swampy", "ada", "brand")
    mire.uses("leeches")
    assert mire.prompt.title == "prompt.initiative"
    mire.dice(10, 5)
    leeches = mire.one("swarm-of-insects")
    assert (leeches.label, leeches.side, leeches.initiative) == ("Leech swarm", "hostile to all", 11)
    assert (leeches.hp, creature_of(mire.encounter, leeches).tags) == (22, ("swarm",))
    assert mire.order == ["ada", "brand", "swarm-of-insects"]
    assert mire.happened(CombatantAdded)[0].who == "swarm-of-insects"
    assert [(event.needed, event.ready) for event in mire.happened(RechargeRolled)] == [(6, False)]


@pytest.mark.rule("a5e.env.swampy.leeches")
def test_the_narrator_may_enter_their_initiative_and_a_6_brings_more() -> None:
    mire = Place("swampy", "ada")
    mire.uses("leeches")
    mire.does(SetInitiative((("swarm-of-insects", 18),)))
    mire.dice(6)
    assert mire.order == ["swarm-of-insects", "ada"]
    mire.uses("leeches", 3, 1)
    assert [one.label for one in mire.encounter.all(Combatant)] == ["Ada", "Leech swarm", "Leech swarm 2"]


def test_the_encounters_own_creature_comes_before_the_systems() -> None:
    biting = creature("leech-swarm", hp=31)
    place = with_row(environment("swampy"), "leeches", spawn=Spawn("leech-swarm", "Leeches"))
    mire = Place(place, "ada", biting)
    mire.uses("leeches", 10, 1)
    assert mire.one("leech-swarm-2").hp == 31

    own = creature("swarm-of-insects", hp=9)
    mire = Place("swampy", "ada", own)
    mire.uses("leeches", 10, 1)
    assert mire.one("swarm-of-insects-2").hp == 9
    assert not list(mire.encounter.all(GuestCreature))
    assert {slot.id for slot in mire.encounter.all(Slot)} == {"ada", "swarm-of-insects", "swarm-of-insects-2"}
