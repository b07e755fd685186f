"""Stages of an affliction as a line of text, there and back."""

from __future__ import annotations

import pytest

from turnwright.bootstrap import RuleSystems
from turnwright.encounter.prepared import AfflictionStage, InflictedCondition
from turnwright.rules.system_data.known_ids import known_ids
from turnwright.ui.forms.stage_line import format_stages, parse_stages, stages_error

LINES = {
    "1d6 poison, enfeebled 1; nothing; 2d6 poison, drained 1 lasting, paralyzed": (
        AfflictionStage("1d6 poison", (InflictedCondition("enfeebled", "turn-end", value=1),)),
        AfflictionStage(),
        AfflictionStage(
            "2d6 poison", (InflictedCondition("drained", value=1), InflictedCondition("paralyzed", "turn-end"))
        ),
    ),
    "2d8+1 cold": (AfflictionStage("2d8+1 cold"),),
    "": (),
}


@pytest.mark.parametrize("line", LINES)
def test_a_line_is_read_as_it_is_written(line: str) -> None:
    assert parse_stages(line) == LINES[line]
    assert format_stages(LINES[line]) == line
    assert stages_error(line, known_ids(RuleSystems().get("pf2e").data)) == ""


@pytest.mark.parametrize("line", ["enfebled 1", "1d6 poison; 1d"])
def test_what_is_neither_damage_nor_a_condition_is_told(line: str) -> None:
    assert stages_error(line, known_ids(RuleSystems().get("pf2e").data))
