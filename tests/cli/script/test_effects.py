"""Effects of any name in scripts: with rules in words, for a time, held by somebody."""

from __future__ import annotations

import json

import pytest

from tests.cli.conftest import Run
from tests.cli.script.test_actions import BEGIN


def gained(play: Run, *lines: str) -> list[dict[str, object]]:
    """What effects began, as the events of a script say it."""
    ran = play(BEGIN.format(mira=20) + "\n".join(lines) + "\n", "--json")
    assert ran.code == 0, ran.err
    return [event for event in map(json.loads, ran.lines) if event["event"] == "EffectGained"]


def test_a_name_in_quotes_is_an_effect_with_rules(play: Run) -> None:
    held, bless = gained(play, 'condition mira "Bless" rules "+1d4 attack, saves" for 10 by mira held by mira')
    assert (held["name"], held["on"]) == ("concentrating", "Bless")
    assert (bless["target"], bless["name"], bless["rounds"]) == ("mira", "Bless", 10)
    (once,) = gained(play, 'condition mira "Inspired" rules "+1d8 checks" until turn-end once')
    assert (once["name"], once["ends"]) == ("Inspired", "turn-end")


def test_a_condition_in_quotes_is_that_condition(play: Run) -> None:
    (prone,) = gained(play, 'condition mira "Prone"')
    assert prone["name"] == "prone"


@pytest.mark.parametrize("name", ["Poison", "Blind", "Fright"])
def test_a_name_in_quotes_that_a_condition_only_begins_with_is_kept(play: Run, name: str) -> None:
    (effect,) = gained(play, f'condition mira "{name}" rules "+1 ac"')
    assert effect["name"] == name


def test_a_name_without_quotes_and_a_rule_that_is_none_stop_the_script(play: Run) -> None:
    ran = play(BEGIN.format(mira=20) + "condition mira blessed\n")
    assert ran.code != 0
    assert "unknown condition 'blessed'" in ran.err
    ran = play(BEGIN.format(mira=20) + 'condition mira "Mark" rules "+1 luck"\n')
    assert ran.code != 0
    assert "“luck” isn't a rule" in ran.err


def test_the_name_of_a_spell_brings_its_rules_and_its_time(play: Run) -> None:
    *_, bless = gained(play, 'condition mira "bless" held by mira')
    assert (bless["name"], bless["rounds"]) == ("Bless", 10)


def test_a_die_that_was_used_is_told(play: Run) -> None:
    lines = 'condition mira "Inspired" rules "+1d8 saves" once\ndice 12 7\nsaves dex mira against 15\n'
    ran = play(BEGIN.format(mira=20) + lines)
    assert ran.code == 0, ran.err
    assert "Mira uses up Inspired (d8: 7)" in " ".join(ran.lines)
