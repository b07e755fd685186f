"""Data rules as the line in which a person writes them."""

from __future__ import annotations

import pytest

from tests.for_each import for_each
from tests.table import a5e
from turnwright.encounter.data_rules import DataRule
from turnwright.rules.system_data.known_ids import known_ids
from turnwright.ui.forms.data_rule_line import data_rules_error, format_data_rules, parse_data_rules

LINES = {
    "advantage save when spell, not prone": (DataRule("advantage", "save", when="spell, not prone"),),
    "modifier ac +2; deny reaction": (DataRule("modifier", "ac", add=2), DataRule("deny", "reaction")),
    "modifier speed =0; modifier speed -10; modifier speed x1/2": (
        DataRule("modifier", "speed", set=0),
        DataRule("modifier", "speed", add=-10),
        DataRule("modifier", "speed", times=1, over=2),
    ),
    "damage fire x-1": (DataRule("damage", "fire", times=-1),),
    "modifier save +1 text='against odds' type=status": (
        DataRule("modifier", "save", add=1, text="against odds", type="status"),
    ),
}


@pytest.mark.parametrize("line", LINES)
def test_a_line_is_read_and_written_alike(line: str) -> None:
    assert parse_data_rules(line) == LINES[line]
    assert format_data_rules(LINES[line]) == line


@for_each(
    ("line", "told"),
    [
        ("advantage save when spell", ""),
        ("", ""),
        ("advantag save", "did you mean 'advantage'?"),
        ("advantage", "Not a rule: advantage"),
        ("advantage svae", "did you mean 'save'?"),
        ("advantage save.dxe", "did you mean 'dex'?"),
        ("advantage save when prnoe", "did you mean 'prone'?"),
        ("advantage save when (spell", "a closing parenthesis is missing"),
        ("modifier speed x1/0", "from 1 to 1000"),
        ("modifier ac lots", "'lots'"),
        ("grant prone", "does nothing in a feature"),
    ],
)
def test_what_is_wrong_in_a_line_is_told(line: str, told: str) -> None:
    said = data_rules_error(line, known_ids(a5e().data))
    assert told in said if told else said == ""
