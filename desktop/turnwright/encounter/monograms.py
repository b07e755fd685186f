"""Monograms: a few letters and a number for each name, unique among the names on a map."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import count, product
from string import ascii_lowercase, ascii_uppercase
from typing import Final

MAX_NUMBER_SHOWN: Final = 999
_LABEL: Final = re.compile(r"(?P<kind>.*?)(?:\s+(?P<number>\d{1,9}))?(?:,[^,]*)?", re.DOTALL)
_VOWELS: Final = frozenset("aeiouy")


def monograms(labels: Iterable[str]) -> tuple[str, ...]:
    """Return a monogram for each label. All differ, even if case is ignored.

    Labels that only differ by a number or by text after a comma share their letters (`Goblin 2` is `Go2`). A monogram
    only depends on the preceding labels, so it doesn't change when labels are added.
    """
    letters: dict[str, str] = {}
    taken: set[str] = set()
    used: set[tuple[str, int]] = set()
    result = []
    for label in labels:
        match = _LABEL.fullmatch(label)
        kind, number = (match["kind"].strip(), int(match["number"] or 0)) if match else (label, 0)
        sign = letters.get(kind)
        if sign is None:
            sign = letters[kind] = next(
                candidate for candidate in _candidates(kind) if candidate.casefold() not in taken
            )
            taken.add(sign.casefold())
        if number > MAX_NUMBER_SHOWN or (kind, number) in used:
            number = next(free for free in count(1) if (kind, free) not in used)
        used.add((kind, number))
        result.append(f"{sign}{number or ''}")
    return tuple(result)


def _candidates(kind: str) -> Iterator[str]:
    """Yield letters for a kind, the clearest first: initials, the first two letters, consonants, any letters."""
    words = [letters for word in kind.split() if (letters := "".join(filter(str.isalpha, word)))]
    whole = "".join(words)
    if len(words) > 1:
        yield (words[0][0] + words[1][0]).upper()
    if whole:
        first, later = whole[0].upper(), whole[1:].lower()
        yield first + later[:1]
        yield from (first + letter for letter in later if letter not in _VOWELS)
        yield from (first + letter for letter in (*later, *ascii_lowercase))
    yield from ("".join(pair) for pair in product(ascii_uppercase, ascii_lowercase))
    yield from ("".join(three) for size in count(3) for three in product(ascii_uppercase, repeat=size))
