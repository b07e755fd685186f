"""Answering a save as failed, where a rule makes it fail whatever the dice show."""

import json

import pytest

from tests.cli.conftest import TEXT
from turnwright.cli.script.answers import _reply
from turnwright.encounter.procedure_state.asks import Ask, Option

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


def test_a_bonus_is_added_to_what_the_machine_rolls(quick, play):
    ran = play(f"{ASKED}answer raiders-1 fail\nanswer raiders-2 +1d4\n", "--json")
    assert ran.code == 0, ran.err
    events = [json.loads(line) for line in ran.lines]
    (rolled,) = [one["roll"] for one in events if one["event"] == "Rolled" and one.get("who") == "raiders-2"][-1:]
    assert [die["sides"] for die in rolled["dice"]] == [20, 4]


def test_a_number_below_0_is_said_to_be_one(quick, play):
    ran = play("start\ndamage mira -3\n")
    assert (ran.code, "expected a combatant or a number from 0; found '-3'" in ran.err) == (1, True)


def test_none_declines_where_a_choice_has_an_option_for_that():
    options = (Option("fall-back", "option.fall_back"), Option("pass", "option.pass"))
    reply = _reply(Ask("mira", "choice", "ask.reaction", options=options), ("none",))
    assert reply.chosen == ("pass",)
