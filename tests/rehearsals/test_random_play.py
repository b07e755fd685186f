"""Fights played at random in every game: whatever is done, the invariants hold and nothing but a refusal is raised."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.games import WITH_LIBRARY
from tests.rehearsals.eavesdropping import Eavesdropper, marked
from tests.rehearsals.encounters import creatures, game, random_encounter
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


def play(system: str, seed: int, length: Length, bestiary: Sequence[Creature] = ()) -> FuzzReport:
    """Play a fight at random of creatures drawn from a bestiary, or from those that ship. Unfit texts are problems."""
    chance = random.Random(seed)
    drawn = chance.sample(bestiary or creatures(system), chance.randint(3, length.most))
    session = Eavesdropper(random_encounter(seed, system, length.most, marked(drawn)), game(system))
    rehearsal = FuzzRun(session, seed, lambda played: round_trip_problems(played.encounter, (system,)))
    report = rehearsal.play(length.rounds)
    report.problems = (*report.problems, *session.unfit_texts())
    return report


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
    assert report.rounds == length.rounds  # no card goes on for ever


@pytest.mark.soak
@in_every_game
@pytest.mark.parametrize("hundred", range(IN_THE_SOAK // 100))
def test_a_thousand_fights_at_random_hold_every_invariant(system, hundred):
    for seed in range(1000 + hundred * 100, 1100 + hundred * 100):
        report = play(system, seed, LONG)
        assert not report.problems, (seed, report.problems, report.last)


IMPORTED, FIGHTS = 30, 60
REAL_BESTIARIES = {
    "dnd5e": ("5e-bits", "foundry-dnd5e", "open5e/v2-srd-2024", "fantasy-statblocks"),
    "a5e": ("foundry-a5e", "open5e/v2-a5e-mm"),
    "pf2e": ("foundry-pf2e-newest", "foundry-pf2e-2021", "pf2-sqlite-yaml", "pf2e-obsidian-notes"),
    "action_points": (),  # no other program has any
}


def imported(system: str, folder: Path) -> list[Creature]:
    """Up to so many creatures of a game, drawn from the real files of other programs; or from those that ship."""
    paths = [folder / name for name in REAL_BESTIARIES[system]]
    found = [one.record for _, one in read_paths(paths) if isinstance(one, ImportedRecord) and one.system == system]
    every = {one.name: one for one in found or creatures(system) if isinstance(one, Creature)}
    listed = sorted(every.values(), key=lambda one: one.name)
    return random.Random(system).sample(listed, min(IMPORTED, len(listed)))


@pytest.mark.soak
@pytest.mark.parametrize("system", REAL_BESTIARIES)
def test_sixty_fights_of_imported_creatures_hold_every_invariant(system, real_data):
    bestiary = imported(system, real_data)
    for seed in range(FIGHTS):
        report = play(system, seed, LONG, bestiary)
        assert not report.problems, (seed, report.problems, report.last)
        assert report.rounds == LONG.rounds, seed


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
