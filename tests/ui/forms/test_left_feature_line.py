"""A feature that an effect gives as a line of text, there and back."""

from __future__ import annotations

import pytest

from turnwright.bootstrap import RuleSystems
from turnwright.encounter.prepared import LeftFeature
from turnwright.rules.system_data.known_ids import known_ids
from turnwright.ui.forms.left_feature_line import format_left_feature, left_feature_error, parse_left_feature

LINES = {
    "hit 2d8 fire when melee, attacker.within:5": LeftFeature("hit", "melee, attacker.within:5", "2d8 fire"),
    "turn-start heals 1": LeftFeature("turn-start", heals="1"),
    "turn-start temp 1d4+2": LeftFeature("turn-start", temp="1d4+2"),
    "": None,
}


def error(line: str) -> str:
    return left_feature_error(line, known_ids(RuleSystems().get("dnd5e").data))


@pytest.mark.parametrize("line", LINES)
def test_a_line_is_read_as_it_is_written(line: str) -> None:
    assert parse_left_feature(line) == LINES[line]
    assert format_left_feature(LINES[line]) == line
    assert not error(line)


@pytest.mark.parametrize("line", ["hitt 2d8 fire", "2d8 fire", "hit 2dd8 fire", "hit 2d8 fire when meleee"])
def test_a_wrong_line_says_what_is_wrong(line: str) -> None:
    assert error(line)
