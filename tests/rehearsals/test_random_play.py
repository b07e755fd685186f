"""Fights played at random in every game: whatever is done, the invariants hold and nothing but a refusal is raised."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from tests.rehearsals.encounters import GAMES, game, random_encounter
from turnwright.cli import main
from turnwright.cli.random_play import round_trip_problems
from turnwright.play.fuzz.runner import FuzzReport, FuzzRun
from turnwright.play.session import Session


class Length(NamedTuple):
    """How long a fight at random is: its rounds, and how many kinds of creatures are in it at most."""

    rounds: int = 5
    most: int = 4


IN_THE_SUITE = 4
FIRST_IN_THE_SOAK = 30
IN_THE_SOAK = 1000
LONG = Length(10, 6)
in_every_game = pytest.mark.parametrize("system", GAMES.ids)


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
