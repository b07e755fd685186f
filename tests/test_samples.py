"""The sample encounters open without a finding, lack no reference, and keep the rules' numbers."""

from __future__ import annotations

import tomllib
from pathlib import Path

import msgspec
import pytest

from tests.for_each import for_each
from tests.games import WITH_LEDGER
from turnwright.bootstrap import RuleSystems
from turnwright.cli import main
from turnwright.encounter.prepared import (
    AddWave,
    Countdown,
    Creature,
    DealDamage,
    Environment,
    EnvironmentEntry,
    Map,
    RosterEntry,
    Scene,
    StartCountdown,
    TriggerEntry,
)
from turnwright.encounter.state import Encounter
from turnwright.storage.encounters import EncounterFile, read_encounter
from turnwright.storage.findings import FindingCollector
from turnwright.storage.resources import read_text, sample_encounters
from turnwright.storage.toml.reader import read_struct

SYSTEMS = RuleSystems()
FILES = {file.stem: file for file in sample_encounters()}
# What a row may change when it is dressed for another place; the figures are the rest.
DRESS = {"name": "", "text": "", "short": "", "within": "", "enabled": True, "spawn": None}
LEFT_OUT = {("works", "sweltering-heat")}  # rows that a sample does without, by its environment
SEEDS = (1, 2)


def opened(name: str) -> Encounter:
    loaded = read_encounter(FILES[name], SYSTEMS.ids)
    assert loaded.encounter is not None, loaded.findings
    return loaded.encounter


def rows(environment: Environment) -> tuple[EnvironmentEntry, ...]:
    return (*environment.features, *environment.actions)


def figures(environment: Environment) -> list[EnvironmentEntry]:
    return sorted((msgspec.structs.replace(row, **DRESS) for row in rows(environment)), key=lambda row: row.id)


@pytest.fixture(params=sorted(FILES))
def sample(request: pytest.FixtureRequest) -> Encounter:
    return opened(request.param)


def system_of(encounter: Encounter) -> str:
    return encounter.need(Scene, "scene").system


def has_map(encounter: Encounter) -> bool:
    return any(grid.columns and grid.rows for grid in encounter.all(Map))


@pytest.mark.parametrize("system", WITH_LEDGER)
def test_every_game_has_a_sample_with_a_map_and_one_without(system: str):
    of_it = [encounter for encounter in map(opened, FILES) if system_of(encounter) == system]
    assert len(of_it) >= 2
    assert {has_map(encounter) for encounter in of_it} == {True, False}


@for_each("name", sorted(FILES))
def test_a_sample_opens_without_a_finding(name: str):
    loaded = read_encounter(FILES[name], SYSTEMS.ids)
    assert [str(finding) for finding in loaded.findings] == []
    assert loaded.encounter is not None


@pytest.mark.parametrize("name", sorted(FILES))
def test_a_sample_checks_clean(name: str, capsys: pytest.CaptureFixture[str]):
    assert main(["check", str(FILES[name])]) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.sampled(4)
@pytest.mark.parametrize("seed", [SEEDS[0], *(pytest.param(seed, marks=pytest.mark.soak) for seed in SEEDS[1:])])
@pytest.mark.parametrize("name", sorted(FILES))
def test_a_sample_can_be_played_for_some_rounds(name: str, seed: int, capsys: pytest.CaptureFixture[str]):
    """Whatever is done, nothing that always holds is broken: `--random` looks after every command."""
    code = main(["play", str(FILES[name]), "--random", "3", "--seed", str(seed)])
    said = capsys.readouterr()
    assert code == 0, said.err


@for_each("name", sorted(FILES))
def test_saving_a_sample_unchanged_leaves_its_text_alone(name: str):
    text = FILES[name].read_text(encoding="utf-8")
    assert EncounterFile(text).render(opened(name)) == text


def test_a_sample_says_what_it_is_and_how_to_run_it(sample: Encounter):
    scene = sample.need(Scene, "scene")
    assert scene.title
    assert len(scene.read_aloud.split()) > 40
    assert len(scene.goal.split()) > 8
    assert len(scene.turning_points) >= 2
    assert scene.notes.strip()


def test_several_environments_and_countdowns_are_in_each(sample: Encounter):
    assert len(list(sample.all(Environment))) >= 2
    assert len(list(sample.all(Countdown))) >= 2


def test_every_creature_is_there_and_is_used(sample: Encounter):
    spawned = {row.spawn.creature for place in sample.all(Environment) for row in rows(place) if row.spawn}
    wanted = {entry.creature for entry in sample.all(RosterEntry)} | spawned
    assert wanted == set(sample.ids(Creature))


def test_outcomes_name_what_is_there(sample: Encounter):
    waves = {entry.wave for entry in sample.all(RosterEntry) if entry.wave}
    brought = set()
    for countdown in sample.all(Countdown):
        for outcome in countdown.outcomes:
            if isinstance(outcome, AddWave):
                brought.add(outcome.wave)
            elif isinstance(outcome, StartCountdown):
                assert sample.need(Countdown, outcome.countdown).starts == 0
            elif isinstance(outcome, TriggerEntry):
                ids = {row.id for row in rows(sample.need(Environment, outcome.environment))}
                assert outcome.entry in ids
    assert brought == waves


def test_nobody_stands_in_anothers_square(sample: Encounter):
    squares = [square for entry in sample.all(RosterEntry) for square in entry.positions]
    assert len(set(squares)) == len(squares)
    for entry in sample.all(RosterEntry):
        assert len(entry.positions) in (0, entry.count), entry.id
        assert set(entry.outside) <= set(sample.ids(Environment)), entry.id


def test_four_players_have_a_character_each(sample: Encounter):
    party = [entry for entry in sample.all(RosterEntry) if entry.player]
    assert [entry.side for entry in party] == ["party"] * 4
    assert len({entry.player for entry in party}) == 4
    assert len({entry.level for entry in party}) == 1
    assert party[0].level > 0
    assert all("player character" in sample.need(Creature, entry.creature).tags for entry in party)


def test_dressed_environments_keep_the_rules_figures(sample: Encounter):
    """Each row is as this game reads it."""
    rules = SYSTEMS.get(system_of(sample))
    shipped = {environment.id: environment for environment in rules.data.environments}
    copied = [environment for environment in sample.all(Environment) if environment.source]
    assert copied
    for environment in copied:
        original = shipped[environment.source]
        kept = {row.id for row in rows(environment)}
        dressed = {row.id: row for row in figures(environment)}
        for row in figures(original):
            if row.id in kept:
                assert dressed.pop(row.id) == row
            else:
                assert (environment.id, row.id) in LEFT_OUT
        assert not dressed


def test_creatures_from_the_library_are_as_they_are_there(sample: Encounter):
    from_library = [creature for creature in sample.all(Creature) if creature.source]
    assert from_library
    for creature in from_library:
        assert creature.source == f"library:{creature.id}"
        assert msgspec.structs.replace(creature, source="") == shipped_creature(system_of(sample), creature.id)


def shipped_creature(system: str, id: str) -> Creature | None:
    table = tomllib.loads(read_text(f"library/{system}/{id}.toml"))
    return read_struct(Creature, table, (), FindingCollector(), foreign_keys=frozenset({"format", "kind", "system"}))


def test_the_ice_brings_a_test_for_all_and_a_second_pool():
    ice = opened("cold-ford-bridge").need(Countdown, "ice-gives-way")
    assert (ice.dice, ice.speed) == (5, "medium")
    assert [type(outcome) for outcome in ice.outcomes[1:]] == [TriggerEntry, StartCountdown]


def test_the_swamp_is_an_ambush_by_all_who_are_there_from_the_start():
    encounter = opened("sinking-causeway")
    foes = [entry for entry in encounter.all(RosterEntry) if entry.side == "enemies" and not entry.wave]
    assert foes
    assert all(entry.sneaking and entry.check for entry in foes)
    assert not any(entry.sneaking for entry in encounter.all(RosterEntry) if entry.side == "party")


def test_the_climb_is_a_race_without_foes():
    encounter = opened("lantern-climb")
    scene = encounter.need(Scene, "scene")
    assert (scene.purpose, scene.round_seconds) == ("competition", 60)
    assert {entry.side for entry in encounter.all(RosterEntry)} == {"party", "rivals"}
    assert {entry.check for entry in encounter.all(RosterEntry)} == {"str:athletics"}
    assert [pool.speed for pool in encounter.all(Countdown)] == ["fast", "slow"]
    assert any(isinstance(outcome, DealDamage) for pool in encounter.all(Countdown) for outcome in pool.outcomes)


def test_the_works_have_a_lair_and_somebody_with_legendary_actions():
    encounter = opened("unquenched-works")
    boss = next(one for one in encounter.all(Creature) if one.legendary)
    assert boss.rating == "7"
    lair = encounter.need(Environment, "lair")
    assert len(lair.actions) == 3
    assert not lair.source


def test_action_points_are_played_in_metres():
    encounter = opened("bell-barge")
    assert [grid.cell for grid in encounter.all(Map)] == [2]
    pools = dict(encounter.need(Creature, "quill").pools)
    assert pools == {"action": 6, "reaction": 6, "willpower": 12}


def test_the_reader_of_the_office_is_there_without_a_turn():
    encounter = opened("last-light")
    assert [entry.id for entry in encounter.all(RosterEntry) if entry.bystander] == ["abbess"]
    assert [grid.diagonals for grid in encounter.all(Map)] == ["alternating"]


@pytest.mark.parametrize(
    ("script", "sample"),
    [
        ("third-round", "cold-ford-bridge"),
        ("dnd5e", "unquenched-works"),
        ("pf2e", "last-light"),
        ("action_points", "bell-barge"),
    ],
)
def test_the_fights_of_the_pictures_are_played_to_their_end(script: str, sample: str):
    path = Path(__file__).parents[1] / "docs" / "pictures" / f"{script}.txt"
    assert main(["play", str(FILES[sample]), "--script", str(path), "--seed", "7"]) == 0
