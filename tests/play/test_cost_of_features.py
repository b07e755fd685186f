"""What a command costs among two hundred combatants whose features wait for their moments, in lines of Python run.

The lines are the same on a busy machine. `benchmarks/bench_features.py` measures the same fights by the clock.
"""

from __future__ import annotations

from statistics import median

import pytest

from tests.effort import steps
from tests.play.crowd_table import COMMANDS, FEW, GAMES, MANY, Make, costs, crowd, dismiss
from turnwright.encounter.procedure_state.asks import Prompt
from turnwright.encounter.state import clock_of
from turnwright.play.session import Session
from turnwright.play.turns.turns import EndTurn

GROWTH_BY_FEATURES = 2.0  # of the same command by other creatures: a lion asks for its pack, a lich for its spells
GROWTH_BY_NUMBER = 5.0


def lines(session: Session, make: Make) -> float:
    """The lines run for a command, the median of some turns: a card who is near comes once a round."""
    return median(costs(session, make, steps))


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("name", "on_map"), [*((name, True) for name in COMMANDS), ("EndTurn", False), ("Attack", False)]
)
@pytest.mark.parametrize("game", GAMES)
def test_features_hardly_add_to_what_a_command_costs_among_two_hundred(game: str, name: str, on_map: bool) -> None:
    plain, full = (lines(crowd(game, MANY, features=one, on_map=on_map), COMMANDS[name]) for one in (False, True))
    assert full < GROWTH_BY_FEATURES * plain


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.parametrize("game", GAMES)
def test_on_a_map_a_command_costs_little_more_among_two_hundred_than_among_twenty(game: str, name: str) -> None:
    few, many = (lines(crowd(game, count, features=True, on_map=True), COMMANDS[name]) for count in (FEW, MANY))
    assert many < GROWTH_BY_NUMBER * few


@pytest.mark.parametrize("game", GAMES)
def test_who_is_near_is_asked_once_a_round_where_nobody_says(game: str) -> None:
    session, asked = crowd(game, FEW, features=True, on_map=False), 0
    first = clock_of(session.encounter).round
    while clock_of(session.encounter).round == first:
        session.do(EndTurn(), override=True)
        asked += any(prompt.title == "prompt.feature_near" for prompt in session.encounter.all(Prompt))
        dismiss(session)
    assert asked == 2  # once for each side
