"""Filter-as-you-type: finds the texts that match the typed words, best matches first."""

from __future__ import annotations

from collections.abc import Sequence


def best_matches(query: str, texts: Sequence[str]) -> list[int]:
    """Return the indexes of the texts that match every word of the query, best matches first.

    An empty query matches all texts and keeps their order.
    """
    words = query.casefold().split()
    scored = []
    for index, text in enumerate(texts):
        scores = [match_score(word, text.casefold()) for word in words]
        if None not in scores:
            scored.append((-sum(score for score in scores if score is not None), index))
    return [index for _, index in sorted(scored)]


def match_score(word: str, text: str) -> int | None:
    """Return the score of a case-folded word in a text, or None if it doesn't match.

    Matches at the start of the text score highest, followed by those at the start of a word, inside a word, and with
    scattered letters.
    """
    place = text.find(word)
    if place == 0:
        return 100
    if f" {word}" in text:
        return 80
    if place > 0:
        return 60
    return _scattered(word, text)


def _scattered(word: str, text: str) -> int | None:
    at = -1
    first = -1
    for letter in word:
        at = text.find(letter, at + 1)
        if at < 0:
            return None
        first = at if first < 0 else first
    stretch = at - first + 1 - len(word)
    starts_a_word = first == 0 or text[first - 1] == " "
    return max(1, 40 - stretch) if starts_a_word and stretch <= 2 * len(word) + 4 else None
