"""Monograms of names: telling, all different, and the same when others come."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from turnwright.encounter.state import monograms

NAMES = st.lists(
    st.one_of(
        st.text(max_size=12),
        st.sampled_from(("Goblin", "goblin", "Goblin 1", "Goblin, red", "Goblin 1, blue", "???", "", "ß", "SS", "Ǆ")),
        st.integers(0, 10**12).map(lambda number: f"Ghoul {number}"),
    ),
    max_size=60,
)


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        (("Raider 1", "Raider 2", "Mira", "Sledge driver"), ("Ra1", "Ra2", "Mi", "SD")),
        (("Goblin", "Goblin Boss", "Ghost", "Ghoul", "Ghast"), ("Go", "GB", "Gh", "Gl", "Gs")),
        (("Goblin, red", "Goblin, blue"), ("Go", "Go1")),
        (("Vampire, Bat 1", "Vampire, Bat 2", "Golem, Iron 12"), ("Va1", "Va2", "Go12")),
        (("Goblin 2, red", "Goblin 3, blue"), ("Go2", "Go3")),
        (("Goblin 3", "Goblin 3"), ("Go3", "Go1")),
        (("7", "?!"), ("Aa", "Ab")),
        (("Δρακων 2",), ("Δρ2",)),
    ],
)
def test_monograms_are_telling(labels, expected):
    assert monograms(labels) == expected


@given(NAMES)
@example(["Ghoul 0", "Ghoul"])
@example([f"Ghoul {letter}" for letter in "abcdefghijklmnopqrstuvwxyz"] * 2)
def test_no_two_monograms_are_the_same(labels):
    found = monograms(labels)
    assert len(found) == len(labels)
    assert all(found)
    assert len({one.casefold() for one in found}) == len(found)


@given(NAMES, NAMES)
def test_monograms_stay_when_others_come(labels, others):
    assert monograms([*labels, *others])[: len(labels)] == monograms(labels)


def test_more_kinds_than_pairs_of_letters_have_monograms():
    found = monograms([f"Ghost {chr(0x4E00 + number)}" for number in range(900)])
    assert len(set(found)) == 900
