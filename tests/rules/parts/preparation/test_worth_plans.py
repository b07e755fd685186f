"""Plans of worths: every plan that brute force finds, and no other."""

from itertools import combinations_with_replacement, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwright.rules.parts.preparation.worth_plans import (
    MOST_LEADERS,
    MOST_SECOND,
    WEAKEST,
    WorthWindow,
    worth_plans,
)

CROWD = (1, 1, 1.5, 2, 2, 2, 2, 2.5, 2.5)


def brute_force(worths, window, factors, foes, kept=(0, 0.0)):
    """Return the slots of all plans: every combination of at most three worths with every number of each."""
    found = set()
    usable = sorted((worth for worth in set(worths) if worth >= window.high / WEAKEST), reverse=True)
    for kinds in range(4):
        for each in combinations_with_replacement(usable, kinds):
            for counts in product(range(1, foes[1] + 1), repeat=kinds):
                number = kept[0] + sum(counts)
                if not foes[0] <= number <= foes[1] or (not kinds and not kept[0]):
                    continue
                total = (kept[1] + sum(worth * n for worth, n in zip(each, counts, strict=True))) * factors[number]
                is_led = (kinds < 2 or counts[0] <= MOST_LEADERS[kinds - 2]) and (kinds < 3 or counts[1] <= MOST_SECOND)
                if is_led and window.holds(total):
                    found.add(tuple(zip(each, counts, strict=True)))
    return found


@given(
    worths=st.lists(st.sampled_from([10, 25, 50, 100, 200, 450, 700, 1100]), min_size=1, max_size=12),
    low=st.integers(50, 3000),
    width=st.integers(1, 1500),
    foes=st.tuples(st.integers(1, 3), st.integers(3, 8)),
    kept=st.sampled_from([(0, 0.0), (1, 450.0), (2, 100.0)]),
    factors=st.sampled_from([CROWD, (1,) * 9]),
)
def test_every_plan_is_found(worths, low, width, foes, kept, factors):
    window = WorthWindow(low, low + width, low + width / 2)
    plans = worth_plans(worths, window, factors, foes, kept)
    assert {plan.slots for plan in plans} == brute_force(worths, window, factors, foes, kept)
    assert len({plan.slots for plan in plans}) == len(plans)
    for plan in plans:
        assert plan.foes == kept[0] + sum(count for _, count in plan.slots)
        assert window.holds(plan.total)


def test_a_plan_has_its_sum_with_the_factor_of_all_foes():
    window = WorthWindow(700, 800, 750)
    (plan,) = worth_plans([100], window, CROWD, (2, 4), kept=(1, 50.0), kinds=1)
    assert plan == (((100, 3),), 4, 700)
    assert window.distance(plan.total) == pytest.approx(1 / 15)
