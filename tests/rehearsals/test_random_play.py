"""Fights played at random in every game: whatever is done, the invariants hold and nothing but a refusal is raised."""

from __future__ import annotations

import random
from typing import NamedTuple

import msgspec
import pytest

from tests.games import WITH_LIBRARY
from tests.rehearsals.encounters import game, random_encounter
from turnwright.cli import main
from turnwright.cli.play import round_trip_problems
from turnwright.encounter.prepared import Creature
from turnwright.importers.files.import_files import read_paths
from turnwright.importers.results import ImportedRecord
from turnwright.play.fuzz.runner import FuzzReport, FuzzRun
from turnwright.play.session import Session


class Length(NamedTuple):
    """How long a fight at random is: its rounds, and how many kinds of creatures are in it at most."""

    rounds: int = 5
    most: int = 4


IN_THE_SUITE = 2
FIRST_IN_THE_SOAK = 30
IN_THE_SOAK = 1000
LONG = Length(10, 6)
in_every_game = pytest.mark.parametrize("system", WITH_LIBRARY)


def play(system: str, seed: int, length: Length) -> FuzzReport:
    session = Session(random_encounter(seed, system, length.most), game(system))
    rehearsal = FuzzRun(session, seed, lambda played: round_trip_problems(played.encounter, (system,)))
    return rehearsal.play(length.rounds)


@in_every_game
@pytest.mark.parametrize(
    "seed",
    [pytest.param(seed, marks=() if seed < IN_THE_SUITE else pytest.mark.soak) for seed in range(FIRST_IN_THE_SOAK)],
)
def test_a_fight_at_random_holds_every_invariant(system, seed):
    length = Length() if seed < IN_THE_SUITE else LONG
    report = play(system, seed, length)
    assert not report.problems, (report.problems, report.last)
    assert report.commands > length.rounds
    assert report.rounds <= length.rounds


@pytest.mark.soak
@in_every_game
@pytest.mark.parametrize("hundred", range(IN_THE_SOAK // 100))
def test_a_thousand_fights_at_random_hold_every_invariant(system, hundred):
    for seed in range(1000 + hundred * 100, 1100 + hundred * 100):
        report = play(system, seed, LONG)
        assert not report.problems, (seed, report.problems, report.last)


IMPORTED, ROUNDS = 50, 60
REAL_BESTIARIES = {
    "dnd5e": ("5e-bits", "foundry-dnd5e", "open5e/v2-srd-2024", "fantasy-statblocks"),
    "a5e": ("foundry-a5e", "open5e/v2-a5e-mm"),
    "pf2e": ("foundry-pf2e-newest", "foundry-pf2e-2021", "pf2-sqlite-yaml", "pf2e-obsidian-notes"),
}


@pytest.mark.soak
@pytest.mark.parametrize("system", REAL_BESTIARIES)
def test_sixty_rounds_at_random_of_imported_creatures_hold_every_invariant(system, real_data):
    paths = [real_data / name for name in REAL_BESTIARIES[system]]
    found = [one.record for _, one in read_paths(paths) if isinstance(one, ImportedRecord) and one.system == system]
    every = {one.name: one for one in found if isinstance(one, Creature)}
    chance, rounds, seed = random.Random(system), 0, 0
    drawn = chance.sample(sorted(every.values(), key=lambda one: one.name), IMPORTED)
    drawn = [msgspec.structs.replace(one, id=f"creature-{number}") for number, one in enumerate(drawn)]
    while rounds < ROUNDS or seed * LONG.most < IMPORTED:
        start = seed * LONG.most % IMPORTED
        some = [*drawn, *drawn][start : start + LONG.most]  # all of them in turn
        encounter = random_encounter(seed, system, LONG.most, some)
        session = Session(encounter, game(system))
        report = FuzzRun(session, seed, lambda played: round_trip_problems(played.encounter, (system,))).play(
            LONG.rounds
        )
        assert not report.problems, (seed, report.problems, report.last)
        assert report.rounds
        rounds, seed = rounds + report.rounds, seed + 1


@in_every_game
def test_the_same_seed_plays_the_same_fight(system):
    first, again = (FuzzRun(Session(random_encounter(7, system), game(system)), 7) for _ in range(2))
    first.play(1)
    again.play(1)
    assert first.encounter == again.encounter
    assert [line.phrase for line in first.session.journal()] == [line.phrase for line in again.session.journal()]


def test_the_verb_prints_the_journal_and_says_how_it_went(capsys):
    assert main(["play", "encounters/cold-ford-bridge.toml", "--random", "2", "--seed", "3"]) == 0
    out, err = capsys.readouterr()
    assert "Round 2" in out
    assert "2 rounds" in err
    assert "seed 3" in err


@pytest.mark.parametrize("rounds", ["0", "-3", "many"])
def test_the_verb_wants_a_number_of_rounds(rounds, capsys):
    assert main(["play", "encounters/cold-ford-bridge.toml", "--random", rounds]) == 2
    assert "rounds" in capsys.readouterr().err
