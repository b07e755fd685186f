"""Fights played at random: whatever is done, the invariants hold and nothing but a refusal is raised."""

from __future__ import annotations

import pytest

from tests.rehearsals.encounters import random_encounter
from tests.table import a5e
from turnwright.cli import main
from turnwright.cli.rehearsing import saved_and_read
from turnwright.play.rehearsal import Rehearsal, Report
from turnwright.play.session import Session

IN_THE_SUITE = 30
IN_THE_SOAK = 1000
ROUNDS = 10


def play(seed: int) -> Report:
    session = Session(random_encounter(seed), a5e())
    return Rehearsal(session, seed, lambda played: saved_and_read(played.encounter, ("a5e",))).play(ROUNDS)


@pytest.mark.parametrize("seed", range(IN_THE_SUITE))
def test_a_fight_at_random_holds_every_invariant(seed):
    report = play(seed)
    assert not report.problems, (report.problems, report.last)
    assert report.commands > ROUNDS


@pytest.mark.soak
@pytest.mark.parametrize("hundred", range(IN_THE_SOAK // 100))
def test_a_thousand_fights_at_random_hold_every_invariant(hundred):
    for seed in range(1000 + hundred * 100, 1100 + hundred * 100):
        report = play(seed)
        assert not report.problems, (seed, report.problems, report.last)


def test_the_same_seed_plays_the_same_fight():
    first, again = (Rehearsal(Session(random_encounter(7), a5e()), 7) for _ in range(2))
    first.play(2)
    again.play(2)
    assert first.encounter == again.encounter
    assert [line.phrase for line in first.session.journal()] == [line.phrase for line in again.session.journal()]


def test_the_verb_prints_the_journal_and_says_how_it_went(capsys):
    assert main(["play", "encounters/cold-ford-bridge.toml", "--random", "1", "--seed", "3"]) == 0
    out, err = capsys.readouterr()
    assert "Round 1" in out
    assert "seed 3" in err


@pytest.mark.parametrize("rounds", ["0", "-3", "many"])
def test_the_verb_wants_a_number_of_rounds(rounds, capsys):
    assert main(["play", "encounters/cold-ford-bridge.toml", "--random", rounds]) == 2
    assert "rounds" in capsys.readouterr().err
