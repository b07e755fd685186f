"""Statements of movement: by feet, by squares, mounted, falling prone and standing up."""

from __future__ import annotations

import json

import pytest

from tests.cli.conftest import TEXT

STABLE = TEXT.replace(
    "[roster.mira]",
    """[creatures.horse]
name = "Horse"
size = "large"
hp = 20
speeds = { walk = 60 }

[roster.horse]
creature = "horse"
side = "players"

[map]
columns = 12
rows = 12

[roster.mira]
positions = [[2, 2]]""",
)
READY = """\
start
next
next
initiative mira 20 horse 15 raiders-1 9 raiders-2 8
dice 1 1 1 1 1 1
next
skip
"""


@pytest.fixture
def went(play, file):
    """The events of some kinds that a script's lines came to."""

    def went(kinds: tuple[str, ...], *lines: str):
        file.write_text(STABLE, encoding="utf-8")
        ran = play(READY + "\n".join(lines) + "\n", "--json")
        assert ran.code == 0, ran.err
        return [one for line in ran.lines if (one := json.loads(line))["event"] in kinds]

    return went


def test_feet_with_all_that_can_be_said_of_them(went):
    up, aside = went(("Moved",), "move mira 10 climb up 10", "move mira 5 sideways")
    assert (up["cost"], up["mode"], aside["cost"]) == (20, "climb", 5)
    assert went(("RuleOverridden",), "move mira 20") == []
    (overridden,) = went(("RuleOverridden",), "move mira 20 squeezing")
    assert overridden["rule"] == "a5e.squeeze.speed"


def test_squares(went):
    (walked,) = went(("Moved",), "travel mira 3,2 4,3")
    assert (walked["feet"], walked["mode"]) == (10, "walk")
    (thrown,) = went(("ForceMoved",), "force move mira 5,5@10 teleport")
    assert (thrown["to"], thrown["how"], thrown["elevation"]) == ([5, 5], "teleport", 10)


def test_the_saddle(went):
    kinds = ("Mounted", "Dismounted", "ActionTaken")
    on, dash = went(kinds, "ride mira horse", "choose carries", "mount mira dash")
    assert (on["mount"], on["cost"], dash["who"]) == ("horse", 15, "horse")
    on, off = went(kinds, "ride mira horse uncontrolled", "choose carries", "!dismount mira")
    assert (on["event"], off["event"]) == ("Mounted", "Dismounted")


def test_down_and_up(went):
    down, up = went(("EffectGained", "StoodUp"), "drop prone mira", "stand mira")
    assert (down["name"], up["cost"]) == ("prone", 15)


@pytest.mark.parametrize(
    "line", ["travel mira", "travel mira here", "travel mira 3,2@5 4,2", "move mira 5 sidling", "force move mira 3"]
)
def test_what_is_not_understood_is_said(play, file, line):
    file.write_text(STABLE, encoding="utf-8")
    ran = play(f"{READY}{line}\n")
    assert ran.code != 0
    assert ran.err
