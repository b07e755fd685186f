"""`turnwright odds`: exact odds of countdowns and rolls."""

from __future__ import annotations

import json

import pytest

# Dice: rolls on average at slow, medium and fast, as the table of the game gives them.
TABLE = {
    1: (6, 3, 2),
    2: (9, 4, 3),
    3: (11, 5, 3),
    4: (12, 6, 4),
    5: (13, 6, 4),
    6: (14, 7, 4),
    7: (15, 7, 4),
    8: (15, 7, 4),
    9: (16, 7, 5),
    10: (17, 8, 5),
}

CELLS = [
    pytest.param(dice, speed, figure, marks=pytest.mark.rule(f"a5e.countdown.table.{dice}d6"))
    for dice, row in TABLE.items()
    for speed, figure in zip(("slow", "medium", "fast"), row, strict=True)
]


@pytest.mark.parametrize(("dice", "speed", "figure"), CELLS)
def test_odds_give_every_figure_of_the_countdown_table(run, dice, speed, figure):
    ran = run("odds", "countdown", "--dice", dice, "--speed", speed, "--json")
    odds = json.loads(ran.out)
    assert ran.code == 0
    assert round(odds["mean"]) == figure


def test_countdown_odds_begin_at_round_1_and_end_where_nothing_remains(run):
    odds = json.loads(run("odds", "countdown", "--dice", 1, "--speed", "slow", "--json").out)
    assert odds["pmf"][:2] == pytest.approx([1 / 6, 5 / 36])
    assert odds["cdf"][1] == pytest.approx(11 / 36)
    assert 1 - 1e-12 < odds["cdf"][-1] <= 1
    assert (5 / 6) ** (len(odds["cdf"]) - 1) > 1e-12
    assert odds["quantiles"]["50"] == 4


def test_a_face_can_be_named_instead_of_a_speed(run):
    by_face = json.loads(run("odds", "countdown", "--dice", 3, "--face", 5, "--json").out)
    assert by_face == json.loads(run("odds", "countdown", "--dice", 3, "--speed", "medium", "--json").out)
    assert "3d6" in run("odds", "countdown", "--dice", 3).out


def test_odds_of_a_roll(run):
    odds = json.loads(run("odds", "roll", "2d6+3", "--json").out)
    assert (odds["mean"], odds["min"], odds["max"]) == (pytest.approx(10), 5, 15)
    assert odds["distribution"]["10"] == pytest.approx(1 / 6)
    assert len(run("odds", "roll", "1d20+5 adv").lines) == 21
