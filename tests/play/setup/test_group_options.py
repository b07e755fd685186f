"""Where the older text of the rules differs from the newer: a table's choice, and figures that agree in both."""

from __future__ import annotations

from typing import Any

import pytest

from tests.for_each import for_each
from tests.play.environment_table import Place
from tests.table import Table, a5e, creature, environment
from turnwright.encounter.prepared import Area, Creature, Environment, Map, RosterEntry, Scene
from turnwright.encounter.running import Effect
from turnwright.encounter.state import find_entry
from turnwright.play.actions.contest import BreakFree
from turnwright.play.damage.damage_roll import ApplyDamage
from turnwright.play.environment.environment_check import SpellReflected
from turnwright.play.environment.environment_effect import UseEntry
from turnwright.play.setup.encounter_course import StartEncounter
from turnwright.play.setup.prepared_records import Add
from turnwright.play.spawning.spawning import LookAlikeRolled
from turnwright.play.state.action_economy import SpendResource
from turnwright.play.state.events import DamageTaken, Rolled
from turnwright.play.state.position_changes import SetPosition as Put
from turnwright.play.table.game_master import SetDice
from turnwright.rules.parts.environment.entries import eligible_targets, feature_lists
from turnwright.storage.system_data import read_ledger

OLDER = [option.id for option in a5e().data.options if not option.default]


def place(name: str, *people: str | Creature, older: str = "", **more: Any) -> Place:
    """A place with the newer text, or with one choice of the older."""
    scene = Scene(strictness="enforce", options=(older,) if older else ())
    return Place(name, *people, scene=scene, **more)


def both(option: str) -> pytest.MarkDecorator:
    """Run a test with the newer text and with the older."""
    return pytest.mark.parametrize("older", ["", option], ids=["newer", "older"])


def asked(table: Table) -> list[str]:
    return [option.id for ask in table.prompt.asks for option in ask.options]


@pytest.mark.rule("a5e.variant.world-benefit-term")
def test_what_helps_and_what_hinders_stand_in_two_lists_or_in_one() -> None:
    hall = environment("furnished")
    newer = place("furnished", "ada")
    lists = feature_lists(newer.encounter, newer.rules, hall)
    assert [(key, [row.id for row in rows]) for key, rows in lists] == [
        ("features-help", ["chandelier", "mirror", "tables"]),
        ("features-hinder", ["clutter"]),
    ]
    older = place("furnished", "ada", older="one-list-of-features")
    ((key, rows),) = feature_lists(older.encounter, older.rules, hall)
    assert (key, len(rows)) == ("features-all", 4)


def crowd(name: str, older: str = "") -> Table:
    """Three who take part and one who only looks on."""
    people = ("ada", "bo", "cy", "child")
    roster = [RosterEntry(who, who, bystander=who == "child") for who in people]
    scene = Scene(strictness="enforce", options=(older,) if older else ())
    table = Table(*people, roster=roster, surroundings=[environment(name)], scene=scene)
    table.start(ada=15, bo=14, cy=13)
    while table.prompts:
        table.skips()
    return table


@pytest.mark.rule("a5e.variant.participants-or-creatures")
@pytest.mark.parametrize(("older", "reached"), [("", 4), ("participants-only", 3)])
def test_a_bystander_suffers_the_heat_only_where_creatures_do(older: str, reached: int) -> None:
    table = crowd("fiery", older)
    table.does(UseEntry("fiery", "sweltering-heat"))
    assert len(asked(table)) == reached
    assert ("child" in asked(table)) is (reached == 4)


@pytest.mark.rule("a5e.variant.shadow-puppet")
@pytest.mark.parametrize(
    ("older", "reached"), [("", {"ada", "bo", "cy", "child"}), ("participants-only", {"ada", "bo", "cy"})]
)
def test_a_shadow_looks_like_a_creature_or_like_a_participant(older: str, reached: set[str]) -> None:
    table = crowd("hazy", older)
    row = find_entry(environment("hazy"), "shadow-puppet")
    assert row is not None
    assert row.spawn is not None
    assert (row.recharge, row.spawn.initiative) == (6, 20)
    assert {one.id for one in eligible_targets(table.encounter, environment("hazy"), row, table.rules)} == reached
    drawn = set()
    for _ in range(40):
        table.does(UseEntry("hazy", "shadow-puppet"))
        drawn.add(table.happened(LookAlikeRolled)[-1].like)
        table.session.undo()
        table.session.do(SetDice("script", seed=len(table.events), script=(1,) * 9))
    assert drawn <= reached


def buried(older: str = "") -> Place:
    cave = place("cavernous", creature("ada", skills=(("athletics", 5),)), older=older)
    cave.uses("loose-foundation")
    cave.uses("loose-foundation")
    cave.chooses("ada")
    return cave


@pytest.mark.rule("a5e.variant.loose-foundation")
@both("rubble-ends-suffocation")
def test_the_grapple_of_rubble_has_the_dc(older: str) -> None:
    cave = buried(older)
    held = {effect.name: effect for effect in cave.encounter.all(Effect) if effect.target == "ada"}
    assert (held["grappled"].value, held["suffocating"].since_round) == (12, cave.clock.round)  # the round it began
    cave.dice(7)
    cave.does(BreakFree(held["grappled"].id))
    cave.answers(check="str:athletics")
    assert "grappled" not in cave.effects("ada")
    assert "suffocating" in cave.effects("ada")
    if not older:
        assert not cave.prompts
        return
    assert cave.prompt.rule == "a5e.variant.loose-foundation"
    cave.chooses("ends")
    assert "suffocating" not in cave.effects("ada")


@pytest.mark.rule("a5e.variant.stalactite-targets")
@for_each("older", ["", *OLDER])
def test_a_stalactite_falls_on_whoever_is_beneath_in_any_text(older: str) -> None:
    cave = place("cavernous", "ada", "target", "other", older=older)
    cave.uses("stalactites", 11, 4, 5, actor="ada", attack=12, targets=("target",))
    (saved,) = [event for event in cave.happened(Rolled) if event.purpose == "ask.save"]
    assert (saved.who, saved.dc, saved.passed) == ("target", 12, False)
    assert [(event.target, event.taken) for event in cave.happened(DamageTaken)] == [("target", 9)]


@pytest.mark.rule("a5e.variant.cacophony-duration")
@both("unlimited-animal-noise")
def test_a_din_ends_with_the_worlds_next_turn_or_when_somebody_says(older: str) -> None:
    wood = place("forested", "ada", older=older)
    wood.uses("cacophony", 1, targets=("ada",))
    assert "hearing-limited" in wood.effects("ada")
    wood.comes_to_round(2)
    assert ("hearing-limited" in wood.effects("ada")) is bool(older)


@pytest.mark.rule("a5e.variant.frostbitten-exemption")
@for_each("older", ["", *OLDER])
def test_resistance_is_enough_against_frostbite_in_any_text(older: str) -> None:
    ice = place(
        "frigid", creature("ada", resistances=("cold",)), creature("bo", gear=("skin-covered",)), "cy", older=older
    )
    for who in ("ada", "bo"):
        ice.uses("frostbitten-surface", 6, actor=who)
        ice.passes()
    assert ice.hp("ada", "bo") == [20, 20]
    ice.uses("frostbitten-surface", 6, actor="cy")
    while ice.prompts and older == "ask-about-contact":
        ice.chooses("cy")
    assert ice.hp("cy") == [14]


@pytest.mark.rule("a5e.variant.surface-turn")
@both("ask-about-contact")
def test_a_touch_on_anothers_turn_hurts_again_or_is_asked(older: str) -> None:
    ice = place("frigid", "ada", "bo", older=older)
    ice.uses("frostbitten-surface", 4, actor="ada")
    assert ice.hp("ada") == [16]
    ice.ends_turn()
    assert ice.active == "bo"
    ice.uses("frostbitten-surface", 5, actor="ada")
    if not older:
        assert ice.hp("ada") == [11]
        return
    assert ice.hp("ada") == [16]
    ice.dice(5)
    ice.chooses("ada")
    assert ice.hp("ada") == [11]


@pytest.mark.rule("a5e.variant.chandelier")
@for_each("older", ["", *OLDER])
def test_a_chandelier_comes_down_at_twelve_in_any_text(older: str) -> None:
    hall = place("furnished", "ada", "bo", "cy", older=older)
    hall.uses("chandelier", actor="ada", attack=11, targets=("bo", "cy"))
    assert not hall.prompts
    hall.uses("chandelier", 11, 12, 3, 4, actor="ada", attack=12, targets=("bo", "cy"))
    assert [(event.target, event.taken) for event in hall.happened(DamageTaken)] == [("bo", 7)]
    assert {event.dc for event in hall.happened(Rolled) if event.purpose == "ask.save"} == {12}


@pytest.mark.rule("a5e.variant.chandelier")
def test_the_narrator_may_let_a_chandelier_fall() -> None:
    hall = place("furnished", "ada", "bo", "cy")
    hall.uses("chandelier", 11, 11, 3, 4, targets=("bo", "cy"))
    assert hall.hp("bo", "cy") == [13, 13]


@pytest.mark.rule("a5e.variant.mirror")
@for_each("older", ["", *OLDER])
@for_each(("own", "back"), [(14, True), (12, False)])
def test_a_mirror_breaks_either_way_in_any_text(older: str, own: int, back: bool) -> None:
    hall = place("furnished", "ada", "witch", older=older)
    hall.uses("mirror", own, 12, actor="ada", targets=("witch",), level=1)
    assert [event.to_caster for event in hall.happened(SpellReflected)] == [back]
    assert hall.row("furnished", "mirror").broken


@pytest.mark.rule("a5e.variant.boulder-type")
@pytest.mark.parametrize(("older", "taken"), [("", 7), ("boulder-untyped", 14)])
def test_a_boulder_bludgeons_unless_the_table_says_it_has_no_type(older: str, taken: int) -> None:
    cliff = place("rocky", "ada", creature("target", hp=40, resistances=("bludgeoning",)), older=older)
    cliff.uses("boulder", 20, 1, 7, 7, actor="ada", targets=("target",))
    assert [event.taken for event in cliff.happened(DamageTaken)] == [taken]


@pytest.mark.rule("a5e.variant.falling-rocks")
@for_each("older", ["", *OLDER])
def test_falling_rocks_ask_saves_of_all_near_the_cliff_in_any_text(older: str) -> None:
    cliff = place("rocky", "ada", "bo", older=older)
    cliff.uses("falling-rocks", 14, 15, 3, 4, 1, targets=("ada", "bo"))
    assert [(event.target, event.taken) for event in cliff.happened(DamageTaken)] == [("ada", 7)]
    row = find_entry(cliff.place, "falling-rocks")
    assert row is not None
    assert (row.recharge, row.damage, row.save and row.save.dc) == (5, "2d6 bludgeoning", 15)


def marsh(older: str = "") -> Table:
    """Ada in the mud and Bo on a dry hummock, both in the swamp."""
    field = Map(
        columns=10,
        rows=10,
        areas=(
            Area("swamp", "swampy", squares=((0, 0, 10, 10),)),
            Area("mud", "swampy", "tenacious-mud", squares=((0, 0, 3, 3),)),
        ),
    )
    scene = Scene(strictness="enforce", options=(older,) if older else ())
    table = Table("ada", "bo", surroundings=[environment("swampy")], scene=scene)
    table.does(Add((field,)))
    table.does(StartEncounter())
    table.does(Put("ada", position=(1, 1)))
    table.does(Put("bo", position=(7, 7)))
    return table


@pytest.mark.rule("a5e.variant.swamp-gas-area")
@pytest.mark.parametrize(("older", "reached"), [("", ["ada", "bo"]), ("gas-in-mud", ["ada"])])
def test_swamp_gas_reaches_all_in_the_area_or_only_those_in_mud(older: str, reached: list[str]) -> None:
    table = marsh(older)
    row = find_entry(environment("swampy"), "swamp-gas")
    assert row is not None
    assert (row.save and (row.save.ability, row.save.dc)) == ("con", 10)
    table.does(UseEntry("swampy", "swamp-gas"))
    assert asked(table) == reached


@pytest.mark.rule("a5e.variant.leeches-area")
@both("leeches-in-marsh")
def test_who_stands_in_the_marsh_is_asked_where_only_the_marsh_counts(older: str) -> None:
    table = marsh(older)
    swamp = table.encounter.need(Environment, "swampy")
    row = find_entry(swamp, "leeches")
    assert row is not None
    assert row.recharge == 6
    assert {one.id for one in eligible_targets(table.encounter, swamp, row, table.rules)} == {"ada", "bo"}
    table.does(UseEntry("swampy", "leeches"))
    assert any(ask.detail == "in the marsh" for prompt in table.prompts for ask in prompt.asks) is bool(older)


@pytest.mark.rule("a5e.variant.setup-offturn-wording")
@for_each("older", ["", *OLDER])
def test_a_reaction_on_anothers_turn_is_the_same_in_any_text(older: str) -> None:
    table = Table("ada", "bo", scene=Scene(strictness="enforce", options=(older,) if older else ()))
    table.start(ada=15, bo=10)
    table.does(SpendResource("bo", "reaction"))
    assert table.track("bo", "reaction") == 0
    assert table.refuses(SpendResource("bo", "reaction")).key == "refused.none_left"


@pytest.mark.rule("a5e.variant.coverage")
def test_only_the_newer_text_has_actions_attacks_damage_and_what_else_it_adds() -> None:
    ledger = [rule for rule in read_ledger("a5e") if rule.kind != "game-master"]
    only_newer = {rule.id for rule in ledger if rule.documents == ("000",)}
    chapters = ("action", "attack", "damage", "recovery", "control", "suspended", "rolling", "countdown")
    for chapter in chapters:
        ids = [rule.id for rule in ledger if rule.id.startswith(f"a5e.{chapter}.")]
        assert ids
        assert set(ids) <= only_newer, chapter
    for chapter in ("initiative", "surprise", "setup"):
        assert any(rule.id.startswith(f"a5e.{chapter}.") and rule.id not in only_newer for rule in ledger)


def test_damage_needs_no_choice() -> None:
    table = Table("ada", scene=Scene(options=tuple(OLDER)))
    table.start(ada=10)
    table.does(ApplyDamage(("ada",), "5"))
    assert table.one("ada").hp == 15
