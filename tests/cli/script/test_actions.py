"""The statement `act`: targets, costs, variants and notes."""

from __future__ import annotations

import json

from tests.cli.conftest import Run

BEGIN = """\
start
next
next
initiative mira {mira} raiders-1 10 raiders-2 5
next
skip
dice 15
"""


def acted(play: Run, *lines: str, mira: int = 20) -> list[dict[str, object]]:
    """What was done, as the events of a script say it; Mira is first unless her initiative says otherwise."""
    ran = play(BEGIN.format(mira=mira) + "\n".join(lines) + "\n", "--json")
    assert ran.code == 0, ran.err
    return [event for event in map(json.loads, ran.lines) if event["event"] == "ActionTaken"]


def test_an_act_says_on_whom_about_whom_how_and_for_what(play: Run) -> None:
    (tumble,) = acted(play, 'act mira tumble on "Raider 1" cost bonus how let note under its arm')
    assert (tumble["targets"], tumble["cost"], tumble["note"]) == (["raiders-1"], "bonus", "under its arm")
    (helped,) = acted(play, 'act "Raider 1" help on "Raider 2" about mira', mira=1)
    assert (helped["targets"], helped["about"]) == (["raiders-2"], "mira")
    (shoved,) = acted(play, 'act mira basic-maneuver on "Raider 2" how shove', "choose nothing")
    assert (shoved["action"], shoved["targets"]) == ("Basic Maneuver", ["raiders-2"])


def test_any_other_thing_is_named_as_such(play: Run) -> None:
    (thrown,) = acted(play, "act mira other throw note a turnip on the ice")
    assert (thrown["action"], thrown["note"]) == ("throw", "a turnip on the ice")
    (called,) = acted(play, 'act mira other "calls out" "to the far bank"')
    assert (called["action"], called["note"]) == ("calls out", "to the far bank")


def test_what_is_left_open_is_answered_by_the_next_lines(play: Run) -> None:
    (helped,) = acted(play, "act mira help", "answer choice check", 'targets "Raider 1"')
    assert helped["targets"] == ["raiders-1"]
