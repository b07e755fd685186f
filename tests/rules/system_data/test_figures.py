"""Figures of tables that no single rule names: what is usual of creatures by rating, and how long countdowns last."""

from __future__ import annotations

from math import floor

import pytest

from turnwright.dice.distributions import countdown_odds
from turnwright.rules.system_data.preparation import Benchmark, ScalingFigures
from turnwright.storage.system_data import read_system_data

GAMES = ("a5e", "dnd5e", "pf2e", "action_points")
FIFTH = ("a5e", "dnd5e")
BELOW_1 = {"0": (3.5, 0.5), "1/8": (21, 2.5), "1/4": (42.5, 4.5), "1/2": (60, 7)}  # hit points and damage
AC = "13 13 13 14 15 15 15 16 16 17 17 17 18 18 18 18 19 19 19 19 19 19 19 19 19 19 19 19 19 19"
ATTACK = "3 3 4 5 6 6 6 7 7 7 8 8 8 8 8 9 10 10 10 10 11 11 11 12 12 12 13 13 13 14"
DC = "13 13 13 14 15 15 15 16 16 16 17 17 18 18 18 18 19 19 19 19 20 20 20 21 21 21 22 22 22 23"
# Pathfinder 2e from level -1 to 24, the moderate figures.
LEVELS = {
    "hp": "7 15 20 30 45 60 75 95 115 135 155 175 195 215 235 255 275 295 315 335 355 375 400 430 460 500",
    "damage": "3 4 5 8 10 12 13 15 17 18 20 22 23 25 27 28 30 31 32 33 35 37 38 40 42 44",
    "ac": "14 15 15 17 18 20 21 23 24 26 27 29 30 32 33 35 36 38 39 41 42 44 45 47 48 50",
    "attack": "6 6 7 9 10 12 13 15 16 18 19 21 22 24 25 27 28 30 31 33 34 36 37 39 40 42",
    "dc": "13 13 14 15 17 18 19 21 22 23 25 26 27 29 30 31 33 34 35 37 38 39 41 42 43 45",
    "save": "5 6 7 8 9 11 12 14 15 16 18 19 21 22 23 25 26 28 29 30 32 33 35 36 37 38",
    "skill": "4 5 6 7 9 10 12 13 15 16 18 19 21 22 24 25 27 28 30 31 33 34 36 37 38 40",
}


def numbers(text: str) -> list[int]:
    return [int(one) for one in text.split()]


def scaling(game: str) -> ScalingFigures:
    return read_system_data(game).scaling


def column(rows: tuple[Benchmark, ...], name: str) -> list[float]:
    return [getattr(row, name) for row in rows]


@pytest.mark.parametrize("game", FIFTH)
def test_below_1_a_challenge_rating_has_the_figures_of_1_but_for_hit_points_and_damage(game: str) -> None:
    rows = scaling(game).rows
    assert {row.rating: (row.hp, row.damage) for row in rows[:4]} == BELOW_1
    usual = [(row.ac, row.attack, row.dc, row.save, row.skill, row.proficiency) for row in rows[:5]]
    assert usual == [(13, 3, 13, 2, 2, 2)] * 5


@pytest.mark.parametrize("game", FIFTH)
def test_from_1_to_30_hit_points_and_damage_rise_evenly_and_more_steeply_from_20(game: str) -> None:
    rows = scaling(game).rows[4:]
    assert column(rows, "rating") == [str(rating) for rating in range(1, 31)]
    to_19, from_20 = [n - 1 for n in range(1, 20)], [n - 20 for n in range(20, 31)]
    assert column(rows, "hp") == [78 + 15 * n for n in to_19] + [378 + 45 * n for n in from_20]
    assert column(rows, "damage") == [11.5 + 6 * n for n in to_19] + [131.5 + 18 * n for n in from_20]


@pytest.mark.parametrize("game", FIFTH)
def test_from_1_to_30_saves_and_skills_follow_the_proficiency_bonus(game: str) -> None:
    rows = scaling(game).rows[4:]
    proficiency = [2 + (rating - 1) // 4 for rating in range(1, 31)]
    assert [column(rows, name) for name in ("proficiency", "save", "skill")] == [proficiency] * 3


@pytest.mark.parametrize("game", FIFTH)
@pytest.mark.parametrize(("name", "figures"), [("ac", AC), ("attack", ATTACK), ("dc", DC)])
def test_from_1_to_30_attack_and_defence_are_the_usual_ones(game: str, name: str, figures: str) -> None:
    assert column(scaling(game).rows[4:], name) == numbers(figures)


@pytest.mark.parametrize(("name", "figures"), list(LEVELS.items()))
def test_each_level_has_its_figures(name: str, figures: str) -> None:
    rows = scaling("pf2e").rows
    assert column(rows, "rating") == [str(level) for level in range(-1, 25)]
    assert column(rows, name) == numbers(figures)


def test_action_points_grow_by_one_step_a_level() -> None:
    rows, levels = scaling("action_points").rows, range(1, 21)
    assert column(rows, "rating") == [str(level) for level in levels]
    assert column(rows, "hp") == [10.5 * level for level in levels]
    assert column(rows, "damage") == pytest.approx([1.9 + 0.6 * level for level in levels])
    assert column(rows, "ac") == [10 + level // 2 for level in levels]
    assert column(rows, "attack") == [6 + level // 2 for level in levels]
    assert column(rows, "dc") == [floor(12.5 + 0.75 * level) for level in levels]
    assert [dict(row.pools) for row in rows] == [
        {"action": 5 + level // 3, "reaction": 4 + level // 2, "willpower": 2 + level} for level in levels
    ]


@pytest.mark.parametrize("game", GAMES)
def test_countdowns_last_as_long_in_every_game_as_their_faces_say(game: str) -> None:
    data = read_system_data(game)
    assert dict(data.countdown_faces) == {"slow": 6, "medium": 5, "fast": 4}
    exact = [[countdown_odds(dice, face).mean for face in (6, 5, 4)] for dice in range(1, 11)]
    table = [(row.dice, row.slow, row.medium, row.fast) for row in data.countdown_table]
    assert table == [(dice, *map(round, means)) for dice, means in enumerate(exact, 1)]
