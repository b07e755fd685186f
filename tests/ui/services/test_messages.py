"""Matches of typed words, best first."""

import pytest

from turnwright.ui.services.services import best_matches


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("", ["Save", "Save as", "Undo", "End turn"]),
        ("sa", ["Save", "Save as"]),
        ("turn end", ["End turn"]),
        ("sas", ["Save as"]),
        ("xyz", []),
    ],
)
def test_matching(query, found):
    texts = ["Save", "Save as", "Undo", "End turn"]
    assert [texts[index] for index in best_matches(query, texts)] == found


def test_the_beginning_counts_for_more_than_the_middle():
    texts = ["Unturned", "End turn", "Turn order"]
    assert [texts[index] for index in best_matches("turn", texts)] == ["Turn order", "End turn", "Unturned"]
