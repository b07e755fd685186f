"""Statements of the action-points game: the opener, joint turns, prices, and walls."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run

TEXT = """\
format = 3
system = "action_points"
title = "Four in a yard"

[scene]
strictness = "enforce"
options = ["reactions-on-call"]

[creatures.one]
name = "One"
hp = 20
speeds = { walk = 4 }
initiative = 1
pools = { action = 6, reaction = 6 }

[roster.bob]
creature = "one"
name = "Bob"
positions = [[1, 1]]
side = "party"

[roster.emily]
creature = "one"
name = "Emily"
positions = [[4, 1]]
side = "party"

[roster.orc]
creature = "one"
name = "Orc"
positions = [[8, 1]]
side = "enemies"

[map]
columns = 12
rows = 8
cell = 2
"""
BEGIN = "start\nnext\nchoose none\nnext\n{opener}\ninitiative bob 12 emily 11 orc 3\nnext\n"


@pytest.fixture
def told(run: Run, tmp_path: Path) -> Callable[..., Any]:
    """The events of a script in which Bob is first, or what is said of a line that doesn't work."""

    def told(*lines: str, opener: str = "acts first nobody", fails: bool = False) -> Any:
        file, script = tmp_path / "yard.toml", tmp_path / "script.txt"
        file.write_text(TEXT, encoding="utf-8")
        script.write_text(BEGIN.format(opener=opener) + "\n".join(lines) + "\n", encoding="utf-8")
        ran = run("play", file, "--script", script, "--json")
        assert ran.code == (1 if fails else 0), ran.err
        return ran.err if fails else [json.loads(line) for line in ran.lines]

    return told


def kinds(events: list[dict[str, Any]], kind: str) -> list[dict[str, Any]]:
    return [one for one in events if one["event"] == kind]


@pytest.mark.parametrize(("opener", "first"), [("acts first orc", "orc"), ("acts first nobody", "bob")])
def test_who_opened_goes_first(told, opener, first):
    (started,) = kinds(told(opener=opener), "TurnStarted")
    assert started["who"] == [first]


def test_allies_who_are_next_take_their_turn_along(told):
    events = told("join turn", "act emily brace", "act bob brace")
    assert [one["who"] for one in kinds(events, "TurnsJoined")] == [["emily"]]
    assert [one["cost"] for one in kinds(events, "ActionTaken")] == ["action", "action"]
    assert kinds(told("join turn emily"), "TurnsJoined")
    assert told("join turn orc", fails=True)


def test_a_price_that_is_open_is_said_with_the_act(told):
    (came,) = kinds(told("act bob convert points 2"), "ResourceRestored")
    assert (came["before"], came["after"]) == (3, 5)
    (lever,) = kinds(told("act bob interact points 1 note the lever"), "ActionTaken")
    assert (lever["note"], lever["cost"]) == ("the lever", "action")


def test_health_may_be_set_below_zero(told):
    assert told("hp bob -3", "show bob hp", "expect bob hp -3")[0] == {"show": "bob", "hp": -3}


def test_a_wall_bars_the_way_until_it_is_gone(told):
    assert "way" in told("wall 2,0 2,8", "travel bob 2,1", fails=True)
    (moved,) = kinds(told("wall 2,0 2,8", "wall 2,0 2,8 removed", "travel bob 2,1"), "Moved")
    assert moved["feet"] == 2


@pytest.mark.parametrize(
    "line", ["wall 2,0", "wall 2,0@3 2,8", "wall 2,0 2,8 removed", "acts first", "act bob convert points"]
)
def test_what_is_not_understood_is_said(told, line):
    assert told(line, fails=True)


def test_a_script_passes_turns_on(run: Run, tmp_path: Path) -> None:
    file, script = tmp_path / "yard.toml", tmp_path / "script.txt"
    options = 'options = ["reactions-on-call", "popcorn-initiative"]'
    file.write_text(TEXT.replace('options = ["reactions-on-call"]', options), encoding="utf-8")
    script.write_text(BEGIN.format(opener="acts first nobody") + "end turn\nchoose orc\n", encoding="utf-8")
    ran = run("play", file, "--script", script, "--json")
    assert ran.code == 0, ran.err
    assert [one["who"] for one in kinds([json.loads(line) for line in ran.lines], "TurnStarted")] == [["bob"], ["orc"]]
