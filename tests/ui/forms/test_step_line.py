"""Steps of a feature as the line in which a person writes them."""

from __future__ import annotations

from tests.for_each import for_each
from tests.table import dnd5e
from turnwright.encounter.prepared import FeatureStep
from turnwright.rules.system_data.known_ids import known_ids
from turnwright.ui.forms.stage_line import format_steps, parse_steps, steps_error

LINES = {
    "use tail": (FeatureStep(use="tail"),),
    "use tail -2 or use tail +1": (
        FeatureStep(use="tail", bonus=-2),
        FeatureStep(use="tail", alternative=True, bonus=1),
    ),
    "move half fly; move full swim 60; use any-melee": (
        FeatureStep(move="half", mode="fly"),
        FeatureStep(move="full", mode="swim", feet=60),
        FeatureStep(use="any-melee"),
    ),
    "action hide or action dash; roll wis:perception": (
        FeatureStep(action="hide"),
        FeatureStep(action="dash", alternative=True),
        FeatureStep(roll="wis:perception"),
    ),
    "use tail +1 together carrying disrupting; use tail together": (
        FeatureStep(use="tail", bonus=1, together=True, carries=True, disrupts=True),
        FeatureStep(use="tail", together=True),
    ),
    "gains exhaustion 2 turn-end; gains invisible or ends invisible": (
        FeatureStep(gains="exhaustion", value=2, until="turn-end"),
        FeatureStep(gains="invisible"),
        FeatureStep(ends="invisible", alternative=True),
    ),
    "gains invisible as Large or smaller beast or gains invisible as Tiny cat": (
        FeatureStep(gains="invisible", form="Large or smaller beast"),
        FeatureStep(gains="invisible", form="Tiny cat", alternative=True),
    ),
    "teleport 30; use tail": (FeatureStep(teleport=30), FeatureStep(use="tail")),
    "ends frightened; recharges *": (FeatureStep(ends="frightened"), FeatureStep(recharges="*")),
}


@for_each("line", LINES)
def test_a_line_is_read_and_written_alike(line: str) -> None:
    assert parse_steps(line) == LINES[line]
    assert format_steps(LINES[line]) == line
    assert steps_error(line, known_ids(dnd5e().data), frozenset({"tail"})) == ""


@for_each(
    ("line", "told"),
    [
        ("uses tail", "did you mean 'use'?"),
        ("use tial", "did you mean 'tail'?"),
        ("use any-mele", "did you mean 'any-melee'?"),
        ("use", "one word expected after use"),
        ("use tail twice", "one word expected after use"),
        ("move halv", "did you mean 'half'?"),
        ("move half flyy", "did you mean 'fly'?"),
        ("action hied", "did you mean 'hide'?"),
        ("roll wsi:perception", "did you mean 'wis'?"),
        ("gains frightened until-dusk", "one word expected after gains"),
        ("gains frightned", "did you mean 'frightened'?"),
        ("ends frightned", "did you mean 'frightened'?"),
        ("use tail; recharges tial", "did you mean 'tail'?"),
    ],
)
def test_what_is_wrong_in_a_line_is_told(line: str, told: str) -> None:
    assert told in steps_error(line, known_ids(dnd5e().data), frozenset({"tail"}))
