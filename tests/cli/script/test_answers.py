"""Answering a save as failed, where a rule makes it fail whatever the dice show."""

import json

import pytest

from tests.cli.conftest import TEXT

ASKED = """\
start
next
next
initiative mira 18 raiders-1 9 raiders-2 3
next
try targets none
dice ask
condition raiders-1 unconscious
use frigid.cold-chill on raiders-1 raiders-2
try answer raiders-1 suggested
"""


@pytest.fixture
def quick(file):
    """The small encounter, with a save that the senseless fail."""
    file.write_text(TEXT.replace('ability = "con"', 'ability = "dex"'), encoding="utf-8", newline="")
    return file


def test_a_save_is_answered_as_failed(quick, play):
    ran = play(f"{ASKED}answer raiders-1 fail\nanswer raiders-2 19\n", "--json")
    assert ran.code == 0, ran.err
    events = [json.loads(line) for line in ran.lines]
    saves = {one["who"]: one["passed"] for one in events if one["event"] == "Rolled" and one["purpose"] == "ask.save"}
    assert saves == {"raiders-1": False, "raiders-2": True}


def test_whoever_may_still_save_can_not_be_said_to_fail(quick, play):
    ran = play(f"{ASKED}answer raiders-2 fail\n")
    assert ran.code == 1
    assert "no rule makes this roll fail" in ran.err
