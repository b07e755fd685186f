"""The bar of hit points: numbers, words, states and width."""

import pytest

from turnwright.ui.widgets.paint import hit_points
from turnwright.ui.widgets.records.resource_pips import HitPointBar


@pytest.mark.parametrize(
    ("now", "maximum", "temporary", "figures", "said"),
    [
        (21, 21, 0, "21 / 21", "21 of 21 hit points"),
        (12, 21, 5, "12 / 21 +5", "12 of 21 hit points, 5 temporary hit points"),
        (10, 21, 0, "10 / 21", "10 of 21 hit points, Bloodied"),
        (10, 20, 0, "10 / 20", "10 of 20 hit points, Bloodied"),
        (0, 21, 0, "0 / 21", "0 of 21 hit points, Down"),
    ],
)
def test_hit_points_in_figures_and_words(qtbot, now, maximum, temporary, figures, said):
    bar = HitPointBar()
    qtbot.addWidget(bar)
    bar.set_hit_points(now, maximum, temporary)
    assert bar.text() == figures
    assert bar.accessibleName() == said


def test_a_state_that_the_rules_give_is_shown_as_given(qtbot):
    bar = HitPointBar()
    qtbot.addWidget(bar)
    bar.set_hit_points(3, 20, state="")
    assert bar.accessibleName() == "3 of 20 hit points"


def test_the_bar_is_as_full_as_the_hit_points():
    assert [hit_points(now, 20).share for now in (-3, 0, 5, 20, 25)] == [0, 0, 0.25, 1, 1]
