"""Rows of the first four environments in play, each set off from its own row or by what happens around it."""

from __future__ import annotations

import pytest

from tests.play.environment_table import Place
from tests.table import Table, creature, environment, with_row
from turnwright.encounter.running import Effect, Track
from turnwright.play.damage.damage_roll import ApplyDamage
from turnwright.play.environment.entry_readiness import EntryFailed, RechargeRolled
from turnwright.play.environment.environment_check import EnvironmentCheckPassed
from turnwright.play.environment.environment_effect import EntryUsed, TrapDisturbed, UseEntry
from turnwright.play.movement.commanded_move import MoveFeet
from turnwright.play.movement.move import Moved
from turnwright.play.setup.encounter_course import StartEncounter
from turnwright.play.state.events import DamageTaken, EffectEnded, EffectGained, Rolled, TrackSet, Unaffected
from turnwright.play.state.position_changes import SetPosition as Stand
from turnwright.play.turns.round_start import SceneDescribed
from turnwright.play.turns.turns import EndEncounter, WorldTurnStarted
from turnwright.rules.parts.environment.entries import NO_HEARING_LIMIT, hearing_limit, sound_factor, visibility

# Cavernous -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("a5e.env.cavernous.echo")
def test_echo_makes_thunder_worse_and_sounds_carry_twice_as_far() -> None:
    cave = Place("cavernous", "ada")
    cave.dice(5, 3)
    cave.does(ApplyDamage(("ada",), "2d8 thunder"))
    assert cave.hp("ada") == [10]
    assert sound_factor(cave.encounter, "ada") == 2
    cave.does(Stand("ada", outside=("cavernous",)))
    assert sound_factor(cave.encounter, "ada") == 1
    cave.dice(5, 3)
    cave.does(ApplyDamage(("ada",), "2d8 thunder"))
    assert cave.hp("ada") == [2]


@pytest.mark.rule("a5e.env.cavernous.loose-foundation")
def test_a_cave_disturbed_in_round_3_comes_down_in_round_5_on_those_inside() -> None:
    cave = Place("cavernous", "ada", "brand", "cole")
    cave.comes_to_round(3)
    cave.uses("loose-foundation")
    assert [(event.due, event.rule) for event in cave.happened(TrapDisturbed)] == [
        (5, "a5e.env.cavernous.loose-foundation")
    ]
    assert not cave.effects("ada")

    cave.does(Stand("cole", outside=("cavernous",)))
    cave.comes_to_round(4)
    assert cave.prompt.subject == "Loose Foundation"
    cave.comes_to_round(5)
    assert [option.id for option in cave.prompt.asks[0].options] == ["ada", "brand"]
    assert cave.prompt.asks[0].suggested == ("ada", "brand")
    cave.chooses("ada", "brand")
    for who in ("ada", "brand"):
        assert cave.effects(who) == {"grappled", "suffocating"}
    assert not cave.effects("cole")
    held = [effect for effect in cave.encounter.all(Effect) if effect.name == "grappled"]
    assert [(effect.value, effect.ends.moment) for effect in held] == [(12, "never"), (12, "never")]
    assert cave.row("cavernous", "loose-foundation").due_round == 0
    cave.comes_to_round(6)
    assert not cave.prompts


@pytest.mark.rule("a5e.env.cavernous.loose-foundation")
def test_the_narrator_may_bring_it_down_at_any_time_until_then() -> None:
    cave = Place("cavernous", "ada")
    cave.uses("loose-foundation")
    cave.uses("loose-foundation")
    cave.chooses("ada")
    assert "suffocating" in cave.effects("ada")


@pytest.mark.rule("a5e.env.cavernous.loose-foundation")
def test_a_cave_that_holds_for_two_rounds_holds() -> None:
    cave = Place("cavernous", "ada")
    cave.uses("loose-foundation")
    cave.comes_to_round(3)
    cave.skips()
    assert cave.row("cavernous", "loose-foundation").due_round == 0
    cave.comes_to_round(4)
    assert not cave.prompts


@pytest.mark.rule("a5e.env.cavernous.stalactites")
@pytest.mark.parametrize(("save", "hp"), [(11, 11), (12, 20)])
def test_a_stalactite_that_is_hit_comes_down_on_whoever_is_beneath(save: int, hp: int) -> None:
    cave = Place("cavernous", "ada", "target")
    cave.uses("stalactites", save, 4, 5, actor="ada", attack=12)
    cave.chooses("target")
    assert cave.hp("target") == [hp]
    assert cave.happened(Rolled)[0].dc == 12


@pytest.mark.rule("a5e.env.cavernous.stalactites")
def test_a_stalactite_that_is_missed_stays_up() -> None:
    cave = Place("cavernous", "ada", "target")
    cave.uses("stalactites", 1, 4, 5, actor="ada", attack=11, targets=("target",))
    assert cave.happened(EntryFailed)[0].reason == "why.attack_missed"
    assert (cave.hp("target"), cave.dice_left()) == ([20], 3)


# Fiery ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("a5e.env.fiery.burning-surface")
def test_a_burning_surface_burns_once_a_turn() -> None:
    hall = Place("fiery", "ada", "brand")
    hall.uses("burning-surface", 5, 6, actor="ada")
    hall.uses("burning-surface", 6, actor="ada")
    assert hall.hp("ada") == [15]
    assert hall.happened(DamageTaken)[0].dealt == (("fire", 5),)
    hall.ends_turn()
    hall.uses("burning-surface", 2, actor="ada")
    assert hall.hp("ada") == [13]


@pytest.mark.rule("a5e.env.fiery.floating-ash")
@pytest.mark.parametrize(("save", "blinded"), [(9, True), (10, False)])
def test_ash_blinds_until_the_next_turn_starts(save: int, blinded: bool) -> None:
    hall = Place(environment("fiery", actions=()), "ada", "brand")
    hall.dice(save, 20, 20)
    hall.ends_turn()
    assert ("blinded" in hall.effects("ada")) is blinded
    hall.ends_turn()
    assert (hall.active, hall.effects("ada")) == ("ada", set())
    ended = [event.target for event in hall.happened(EffectEnded)]
    assert ended == (["ada"] if blinded else [])


@pytest.mark.rule("a5e.env.fiery.flame-burst")
@pytest.mark.parametrize(("face", "back"), [(3, False), (4, True), (5, True), (6, True)])
def test_a_flame_burst_burns_one_and_rolls_to_come_back(face: int, back: bool) -> None:
    hall = Place("fiery", "ada", "brand")
    hall.uses("flame-burst")
    assert hall.prompt.asks[0].max_choices == 1
    hall.dice(11, 8, face)
    hall.chooses("ada")
    assert hall.hp("ada", "brand") == [12, 20]
    assert hall.happened(DamageTaken)[0].dealt == (("fire", 8),)
    assert [(die.sides, die.face) for die in hall.happened(Rolled)[-1].roll.dice] == [(12, 8)]
    assert [event.face for event in hall.happened(RechargeRolled)] == [face]
    assert hall.row("fiery", "flame-burst").ready is back


@pytest.mark.rule("a5e.env.fiery.flame-burst")
def test_a_flame_burst_costs_nothing_on_a_save_of_12() -> None:
    hall = Place("fiery", "ada")
    hall.uses("flame-burst", 12, 4, targets=("ada",))
    assert hall.hp("ada") == [20]
    assert hall.happened(RechargeRolled)[0].ready


@pytest.mark.rule("a5e.env.fiery.sweltering-heat")
def test_sweltering_heat_wears_down_those_who_fail() -> None:
    hall = Place("fiery", "ada", "brand", "cole")
    hall.uses("sweltering-heat", 8, 10, 15)
    assert hall.prompt.asks[0].suggested == ("ada", "brand", "cole")
    hall.chooses("ada", "brand", "cole")
    assert [hall.track(who, "fatigue-pending") for who in ("ada", "brand", "cole")] == [1, 0, 0]
    assert [(event.who, event.rule) for event in hall.happened(TrackSet)] == [("ada", "a5e.env.fiery.sweltering-heat")]
    assert not hall.happened(RechargeRolled)

    hall.comes_to_round(2)
    assert ("fiery", "sweltering-heat") in hall.happened(WorldTurnStarted)[-1].offers


# Forested ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("a5e.env.forested.fallen-leaves")
@pytest.mark.parametrize(("face", "found"), [(10, True), (9, False)])
def test_leaves_show_what_they_cover_to_a_keen_eye(face: int, found: bool) -> None:
    wood = Place("forested", creature("ada", skills=(("perception", 2),)))
    wood.uses("fallen-leaves", face, actor="ada")
    assert [event.who for event in wood.happened(EnvironmentCheckPassed)] == (["ada"] if found else [])
    (rolled,) = wood.happened(Rolled)
    assert (rolled.dc, rolled.detail, rolled.passed) == (12, "<check.wis:perception>", found)


@pytest.mark.rule("a5e.env.forested.fallen-leaves")
def test_whoever_is_named_for_the_leaves_looks() -> None:
    wood = Place("forested", "ada", "brand")
    wood.uses("fallen-leaves", 12)
    assert wood.prompt.asks[0].max_choices == 1
    wood.chooses("brand")
    assert [event.who for event in wood.happened(EnvironmentCheckPassed)] == ["brand"]
    wood.uses("fallen-leaves", 12, targets=("ada",))
    assert [event.who for event in wood.happened(EnvironmentCheckPassed)] == ["brand", "ada"]


@pytest.mark.rule("a5e.env.forested.cacophony")
def test_a_cacophony_drowns_out_all_but_the_nearest_sounds() -> None:
    wood = Place("forested", "ada", "brand")
    wood.comes_to_round(2)
    wood.dice(3)
    wood.chooses("ada", "brand")
    assert hearing_limit(wood.encounter, wood.rules, "ada") == 10
    assert not wood.row("forested", "cacophony").ready
    wood.comes_to_round(3)
    assert hearing_limit(wood.encounter, wood.rules, "ada") == NO_HEARING_LIMIT
    assert not wood.effects("ada")


@pytest.mark.rule("a5e.env.forested.cacophony")
@pytest.mark.parametrize(("face", "back"), [(3, False), (4, True)])
def test_a_cacophony_comes_back_on_a_4(face: int, back: bool) -> None:
    wood = Place("forested", "ada")
    wood.uses("cacophony", face, targets=("ada",))
    assert wood.row("forested", "cacophony").ready is back


# Frigid --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("a5e.env.frigid.frostbitten-surface", "a5e.env.rule.frost-exempt")
def test_frost_bites_bare_skin_once_a_turn() -> None:
    ice = Place("frigid", "ada", creature("brand", resistances=("cold",)), creature("cole", gear=("skin-covered",)))
    ice.uses("frostbitten-surface", 4, 4, actor="ada")
    ice.uses("frostbitten-surface", 4, actor="ada")
    assert ice.hp("ada") == [16]
    for who in ("brand", "cole"):
        ice.uses("frostbitten-surface", 4, actor=who)
    assert ice.hp("brand", "cole") == [20, 20]
    assert [event.who for event in ice.happened(Unaffected)] == ["ada", "brand", "cole"]
    assert ice.dice_left() == 1


@pytest.mark.rule("a5e.env.frigid.icy-patch")
def test_turning_on_ice_costs_twice() -> None:
    ice = Place("frigid", "ada")
    ice.does(MoveFeet("ada", 10, through="frigid"))
    ice.does(MoveFeet("ada", 5, through="frigid", turned=True))
    assert [moved.cost for moved in ice.happened(Moved)] == [10, 10]
    assert ice.happened(Moved)[1].rule == "a5e.env.frigid.icy-patch"
    assert ice.encounter.need(Track, "ada.moved").value == 20


@pytest.mark.rule("a5e.env.frigid.snow")
def test_snow_lightly_obscures() -> None:
    ice = Place("frigid", "ada")
    assert visibility(ice.encounter, "ada") == "lightly obscured"
    clear = Place(with_row(environment("frigid"), "snow", enabled=False), "ada")
    assert visibility(clear.encounter, "ada") == "clear"
    ice.does(Stand("ada", outside=("frigid",)))
    assert visibility(ice.encounter, "ada") == "clear"


@pytest.mark.rule("a5e.env.frigid.cold-chill")
def test_a_cold_chill_strikes_all_and_spares_the_well_clad_half_of_it() -> None:
    ice = Place("frigid", "ada", creature("brand", gear=("cold-weather-gear",)))
    ice.uses("cold-chill")
    ice.dice(14, 14, 5, 6, 3, 3)
    ice.chooses("ada", "brand")
    assert ice.hp("ada", "brand") == [9, 17]
    assert [event.dealt for event in ice.happened(DamageTaken)] == [(("cold", 11),), (("cold", 3),)]
    assert not ice.row("frigid", "cold-chill").ready


@pytest.mark.rule("a5e.env.frigid.cold-chill")
@pytest.mark.parametrize(("face", "back"), [(3, False), (4, True)])
def test_a_save_of_15_stands_the_chill_and_a_4_brings_it_back(face: int, back: bool) -> None:
    ice = Place("frigid", "ada", "brand")
    ice.uses("cold-chill", 15, 15, face, targets=("ada", "brand"))
    assert ice.hp("ada", "brand") == [20, 20]
    assert ice.row("frigid", "cold-chill").ready is back
    assert (ice.dice_left(), ice.happened(EffectGained)) == (0, [])


def test_a_new_encounter_has_every_row_whole_again() -> None:
    ice = Place("frigid", "ada")
    ice.uses("cold-chill", 15, 1, targets=("ada",))
    ice.does(EndEncounter())
    ice.does(StartEncounter())
    assert ice.row("frigid", "cold-chill").ready


# What stands there to be used as cover ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("place", "row"),
    [
        pytest.param("cavernous", "stalagmites", marks=pytest.mark.rule("a5e.env.cavernous.stalagmites")),
        pytest.param("forested", "brush", marks=pytest.mark.rule("a5e.env.forested.brush")),
        pytest.param("forested", "trees", marks=pytest.mark.rule("a5e.env.forested.trees")),
    ],
)
def test_a_standing_feature_is_named_in_the_scene_and_harms_nobody(place: str, row: str) -> None:
    table = Place(place, "ada")
    before = table.encounter
    table.does(UseEntry(place, row))
    (used,) = table.happened(EntryUsed)
    assert (used.entry, used.rule) == (row, f"a5e.env.{place}.{row}")
    assert table.happened(SceneDescribed)[0].features == tuple(each.name for each in table.place.features)
    assert not table.prompts
    assert table.one("ada") == before.need(type(table.one("ada")), "ada")


def test_a_row_that_is_switched_off_or_unknown_is_refused() -> None:
    table = Table("ada", surroundings=[with_row(environment("frigid"), "cold-chill", enabled=False)])
    table.start(ada=10)
    assert not table.prompts
    assert table.refuses(UseEntry("frigid", "cold-chill")).key == "refused.no_such_row"
    assert table.refuses(UseEntry("frigid", "nothing")).key == "refused.no_such_row"
    assert table.refuses(UseEntry("nowhere", "cold-chill")).key == "refused.unknown"
