"""Rows that wrap: in the order of their widgets, by groups where rules part them."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QFrame, QWidget

from turnwright.ui.widgets.layout import FlowRow

SIDE = 20


@pytest.fixture
def row(qtbot):
    made = FlowRow(gap=2)
    qtbot.addWidget(made)
    return made


def fill(row: FlowRow, *groups: int) -> tuple[list[QWidget], list[QWidget]]:
    """Add groups of so many squares with a rule before each but the first; return the squares and the rules."""
    squares: list[QWidget] = []
    rules: list[QWidget] = []
    for number, count in enumerate(groups):
        if number:
            rule = QFrame()
            rule.setProperty("rule", True)
            rule.setFixedSize(1, SIDE)
            row.add(rule)
            rules.append(rule)
        for _ in range(count):
            square = QWidget()
            square.setFixedSize(SIDE, SIDE)
            row.add(square)
            squares.append(square)
    return squares, rules


def lines(row: FlowRow, squares: list[QWidget], across: int, rules: int = 0) -> list[int]:
    """How many squares stand on each line where so many squares and rules fit across."""
    width = across * (SIDE + row.gap) + rules * (1 + row.gap) - row.gap
    row.show()
    row.resize(width, row.heightForWidth(width))
    row.layout().setGeometry(row.rect())
    tops = [square.y() for square in squares]
    assert tops == sorted(tops)
    assert row.heightForWidth(width) == max(tops) + SIDE
    return [tops.count(top) for top in dict.fromkeys(tops)]


def seen(row: FlowRow, rules: list[QWidget]) -> list[bool]:
    return [rule.geometry().intersects(row.rect()) for rule in rules]


def test_without_rules_a_line_takes_what_fits(row):
    squares, _ = fill(row, 7)
    assert lines(row, squares, 4) == [4, 3]


def test_a_group_stays_on_one_line_and_no_line_begins_or_ends_with_a_rule(row):
    squares, rules = fill(row, 2, 3, 3)
    assert lines(row, squares, 8, 2) == [8]
    assert seen(row, rules) == [True, True]
    assert lines(row, squares, 7, 1) == [5, 3]
    assert seen(row, rules) == [True, False]
    assert lines(row, squares, 4) == [2, 3, 3]
    assert seen(row, rules) == [False, False]


def test_a_group_wider_than_a_line_is_wrapped(row):
    squares, rules = fill(row, 1, 6)
    assert lines(row, squares, 4, 1) == [4, 3]
    assert seen(row, rules) == [True]


def test_a_group_that_is_hidden_leaves_no_rule(row):
    squares, rules = fill(row, 2, 2, 2)
    row.set_shown(squares[2:4], shown=False)
    assert lines(row, [*squares[:2], *squares[4:]], 10) == [4]
    assert seen(row, rules) == [False, True]
