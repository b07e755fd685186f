"""The nine shipped surroundings in every game: each row speaks of what the game has, or asks when it comes up."""

from __future__ import annotations

from functools import cache

import msgspec
import pytest

from tests.games import WITH_LEDGER
from tests.table import Table, creature
from turnwright.bootstrap import RuleSystems
from turnwright.encounter.prepared import (
    Countdown,
    Environment,
    EnvironmentEntry,
    InflictedCondition,
    SavingThrow,
    Scene,
)
from turnwright.encounter.procedure_state.asks import FAILED, Reply
from turnwright.encounter.running import Effect
from turnwright.play.asking.answer import Answer
from turnwright.play.environment.countdown_pools import StartPool
from turnwright.play.environment.entry_readiness import RechargeRolled
from turnwright.play.environment.environment_effect import EntryUsed, UseEntry
from turnwright.play.queries.queries import waiting_asks
from turnwright.play.state.events import DamageTaken
from turnwright.rules.parts.environment.entries import (
    convert_distance,
    damage_types_in,
    unknown_conditions,
    unknown_damage_types,
)
from turnwright.rules.system import RuleSystem

ORIGIN = "a5e"
SYSTEMS = WITH_LEDGER
OTHERS = [id for id in SYSTEMS if id != ORIGIN]
# What a game has no word for: its table says nothing of it, and a person is asked.
ASKED = {
    "dnd5e": {"fatigue", "suffocating"},
    "pf2e": {"fatigue", "suffocating", "poisoned"},
    "action_points": {"con", "fatigue"},
}


@cache
def system(id: str) -> RuleSystem:
    return RuleSystems().get(id)


def rows(rules: RuleSystem) -> list[EnvironmentEntry]:
    return [row for place in rules.data.environments for row in (*place.features, *place.actions)]


def only(rules: RuleSystem, place: str, row: str) -> Environment:
    whole = rules.environments[place]
    return msgspec.structs.replace(whole, features=(), actions=tuple(one for one in whole.actions if one.id == row))


def unknown_in(rules: RuleSystem, row: EnvironmentEntry) -> set[str]:
    """What of a row the game does not have, found without the engine's own way of finding it."""
    abilities = {one.id for one in rules.data.abilities}
    skills = {one.id for one in rules.data.skills} | {""}
    known = {one.id for one in rules.data.damage_types}
    named = {each.condition for each in row.afflictions} | ({"fatigue"} if row.fatigue else set())
    found = named - {one.id for one in rules.data.conditions}
    found |= {row.save.ability} - abilities if row.save else set()
    found |= ({row.check.ability} - abilities) | ({row.check.skill} - skills) if row.check else set()
    dealt = {
        *damage_types_in(row.damage),
        *damage_types_in(row.reduced_damage),
        *([row.per_die] if row.per_die else []),
    }
    spared = {each.partition(":")[2] for each in row.unaffected if each.startswith("resistant:")}
    return found | ((dealt | spared) - known)


@pytest.mark.parametrize("id", OTHERS)
def test_every_row_of_the_nine_is_there_and_loses_nothing(id: str) -> None:
    own, origin = system(id), system(ORIGIN)
    assert [place.id for place in own.data.environments] == [place.id for place in origin.data.environments]
    assert {place.source for place in own.data.environments} == set(origin.environments)
    for row, first in zip(rows(own), rows(origin), strict=True):
        assert (row.id, row.trigger, row.affects, row.recharge, row.once) == (
            first.id,
            first.trigger,
            first.affects,
            first.recharge,
            first.once,
        )
        assert (row.save and row.save.dc) == (first.save and first.save.dc)
        assert len(row.afflictions) == len(first.afflictions)
        assert len(list(damage_types_in(row.damage))) == len(list(damage_types_in(first.damage)))
        assert row.fatigue == first.fatigue
        assert row.rules == ()


@pytest.mark.parametrize("id", SYSTEMS)
def test_what_a_row_speaks_of_is_known_or_said_to_be_asked(id: str) -> None:
    rules = system(id)
    for row in rows(rules):
        unknown = unknown_in(rules, row)
        asked = {*unknown_damage_types(rules, row), *unknown_conditions(rules, row)}
        abilities = {one.id for one in rules.data.abilities}
        asked |= {row.save.ability} - abilities if row.save else set()
        assert unknown <= asked, row.id
        if id in ASKED:
            assert unknown <= ASKED[id] | (
                {each.condition for each in row.afflictions} if id == "action_points" else set()
            )
    assert "hearing-limited" in rules.conditions


@pytest.mark.parametrize("id", OTHERS)
def test_distances_stand_in_the_game_s_own_units(id: str) -> None:
    rules = system(id)
    pushed = next(row for row in rows(rules) if row.id == "forceful-gale")
    thrown = next(row for row in rows(rules) if row.id == "loose-rocks")
    metres = dict(rules.data.terms)["unit"] == "m"
    assert (pushed.push, thrown.range) == ((5, "5/10") if metres else (15, "15/30"))


@pytest.mark.parametrize(("feet", "metres"), [(0, 0), (1, 1), (3, 1), (5, 2), (10, 3), (15, 5), (30, 10)])
def test_three_feet_are_a_metre_and_something_is_never_nothing(feet: int, metres: int) -> None:
    assert convert_distance(msgspec.structs.replace(system(ORIGIN).data.elsewhere, feet=3), feet) == metres


@pytest.mark.parametrize("id", SYSTEMS)
def test_a_world_action_with_a_save_and_damage_is_played(id: str) -> None:
    rules = system(id)
    table = begun(id, only(rules, "fiery", "flame-burst"))
    table.chooses("ada")
    fails_save(table)
    answer(table, "7", "2")
    assert [event.dealt for event in table.happened(DamageTaken)] == [(("fire", 7),)]
    assert [event.entry for event in table.happened(EntryUsed)] == ["flame-burst"]
    assert [(event.face, event.ready) for event in table.happened(RechargeRolled)] == [(2, False)]


@pytest.mark.parametrize("id", OTHERS)
def test_levels_of_fatigue_are_offered_as_what_comes_nearest(id: str) -> None:
    rules = system(id)
    table = begun(id, only(rules, "fiery", "sweltering-heat"))
    table.chooses("ada")
    fails_save(table)
    (asked,) = waiting_asks(table.prompt)
    nearest = dict(rules.data.elsewhere.conditions).get("fatigue", "note:fatigue")
    assert asked.suggested == (nearest,)
    table.chooses("note:fatigue")
    (note,) = [one for one in table.encounter.all(Effect) if one.target == "ada" and one.shown]
    assert (note.name, note.value) == ("fatigue", 1)


@pytest.mark.parametrize("id", SYSTEMS)
def test_what_a_game_lacks_is_asked_and_never_dropped(id: str) -> None:
    own = system(id).data.damage_types[0].id
    row = EnvironmentEntry(
        "roar",
        "Roar",
        affects="one",
        save=SavingThrow("soul", 11),
        damage="1d6 sorrow",
        afflictions=(InflictedCondition("homesick"),),
    )
    table = begun(id, Environment("void", "Void", actions=(row,)))
    table.chooses("ada")
    (asked,) = waiting_asks(table.prompt)
    assert (asked.kind, [option.id for option in asked.options]) == ("choice", ["made", "failed"])
    table.chooses(FAILED)
    answers = {"damage:sorrow": own, "condition:homesick": "note:homesick"}
    assert [ask.id for ask in waiting_asks(table.prompt)] == list(answers)
    for said in answers.values():
        choose_next(table, said)
    answer(table, "4")
    assert [event.dealt for event in table.happened(DamageTaken)] == [((own, 4),)]
    assert "homesick" in table.effects("ada")


@pytest.mark.parametrize("id", SYSTEMS)
def test_a_save_that_was_made_asks_nothing_more(id: str) -> None:
    row = EnvironmentEntry("roar", "Roar", affects="one", save=SavingThrow("soul", 11), damage="1d6 sorrow")
    table = begun(id, Environment("void", "Void", actions=(row,)))
    table.chooses("ada")
    table.chooses("made")
    assert table.happened(DamageTaken) == []
    assert not any(prompt.title == "prompt.unsupported" for prompt in table.prompts)


@pytest.mark.parametrize("id", SYSTEMS)
def test_a_countdown_s_dice_leave_on_the_same_faces(id: str) -> None:
    rules = system(id)
    assert dict(rules.data.countdown_faces) == {"slow": 6, "medium": 5, "fast": 4}
    table = Table(
        creature("ada"), countdowns=[Countdown("flood", "Flood", dice=2, speed="medium", starts=0)], rules=rules,
        scene=Scene(system=id, strictness="enforce"),
    )  # fmt: skip
    table.start(ada=10)
    table.does(StartPool("flood"))
    table.dice(5, 2)
    table.ends_turn()
    assert table.pool("flood").dice == 1


def begun(id: str, place: Environment) -> Table:
    """A fight in round 1 whose world is about to act, on ada."""
    scene = Scene(system=id, strictness="enforce")
    table = Table(creature("ada", hp=40), surroundings=[place], rules=system(id), scene=scene)
    table.start(ada=10)
    if not table.prompts:
        table.does(UseEntry(place.id, place.actions[0].id))
    return table


def fails_save(table: Table) -> None:
    """Let the save that is asked fail, whether the game rolls it or a person says so."""
    (asked,) = waiting_asks(table.prompt)
    if asked.kind == "choice":
        table.chooses(FAILED)
    else:
        answer(table, "1")


def choose_next(table: Table, said: str) -> None:
    """Answer the first thing that is asked by choosing."""
    first = waiting_asks(table.prompt)[0]
    table.does(Answer(table.prompt.id, (Reply(first.id, chosen=(said,)),), table.prompt.revision))


def answer(table: Table, *typed: str) -> None:
    """Type the results of rolls, one after another as they are asked."""
    for text in typed:
        first = waiting_asks(table.prompt)[0]
        table.does(Answer(table.prompt.id, (Reply(first.id, typed=text),), table.prompt.revision))


@pytest.mark.parametrize("id", SYSTEMS)
def test_what_is_new_is_measured_in_the_game_s_own_unit(id: str) -> None:
    rules = system(id)
    usual, made = rules.data.grid, rules.new_creature("imp", "Imp")
    metres = dict(rules.data.terms)["unit"] == "m"
    assert (usual.cell, usual.step) == ((2, 1) if metres else (5, 5))
    assert (made.speeds, made.reach) == (((("walk", 10),), 2) if metres else ((("walk", 30),), 5))
