"""Policies as text, and what they do to a fight."""

from __future__ import annotations

import pytest

from tests.forecast.hand_made import Fighter, sheet_of
from turnwright.forecast.sheet import DEFAULT_POLICY, STRONGEST, Policy, policy_of_text, policy_text
from turnwright.forecast.sheet_builder import wins
from turnwright.workspace.kernel_library import await_kernels

FIGHTERS = (
    Fighter(0, 24, -8, (8,), 3, 2), Fighter(0, 18, -7, (6, 6), 2, 1),
    Fighter(1, 15, -9, (6,), 2, 3), Fighter(1, 15, -9, (6,), 2, 0), Fighter(1, 40, -6, (10,), 4, -1),
)  # fmt: skip


@pytest.mark.parametrize(
    "policy",
    [
        DEFAULT_POLICY,
        Policy(target=4, finishes=True, spends=1, heals_at=0, flees_at=1, moves_up=False),
        Policy(heals_at=100, flees_at=50),
    ],
)
def test_a_policy_comes_back_from_its_text(policy):
    assert policy_of_text(policy_text(policy)) == policy


def test_a_text_names_only_what_is_unusual():
    assert policy_text(DEFAULT_POLICY) == ""
    assert policy_text(Policy(target=STRONGEST, flees_at=50)) == "target=strongest,flees-at=50"


@pytest.mark.parametrize("text", ["target", "target=me", "flees-at=0", "flees-at=101", "heals-at=-1", "x=1"])
def test_what_says_no_policy_is_an_error(text):
    with pytest.raises(ValueError, match=r"unknown setting|must be one of|must be a number from"):
        policy_of_text(text)


def test_foes_that_flee_are_beaten_oftener_and_each_side_has_its_own_policy():
    assert await_kernels()
    sheet = sheet_of(FIGHTERS)
    fleeing, usual = Policy(flees_at=30), DEFAULT_POLICY

    def won(*policies):
        return wins(sheet, seed=3, count=4000, policies=policies).mean()

    assert won(usual, fleeing) > won() + 0.1
    assert won(fleeing, usual) < won() / 2
    assert won(usual) == won() == won(usual, usual)
