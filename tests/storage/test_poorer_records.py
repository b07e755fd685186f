"""Shipped records hold in fields what their texts state; what they may lack is listed with a reason, or limited."""

from __future__ import annotations

import tomllib
from collections import Counter
from functools import cache

from tests.for_each import for_each
from tests.poorer_records import Finding, findings, findings_of, limits, unexplained, unused_reasons


@cache
def found() -> tuple[Finding, ...]:
    return findings()


def test_no_set_has_more_findings_without_a_reason_than_its_limit() -> None:
    left = unexplained(found())
    numbers = Counter(one.set for one in left)
    over = {name for name, number in numbers.items() if number > limits().get(name, 0)}
    assert [one for one in left if one.set in over] == []
    loose = {name: most for name, most in limits().items() if most > numbers[name]}
    assert loose == {}, "lower the limits: python -m tests.poorer_records --write"


def test_each_reason_is_needed() -> None:
    assert unused_reasons(found()) == []


@for_each(
    ("fields", "kinds"),
    [
        ('text = "The target takes 2d6 fire damage."', ["dice"]),
        ('damage = "2d6 fire"\ntext = "The target takes 2d6 fire damage."', []),
        ('text = "It lasts 1d4 hours."', []),
        ('text = "The tail deals 3d8 extra damage."', []),  # the tail has them
        ('text = "On a failure of a DC 14 save, it is prone."', ["DC"]),
        ('save = "dex"\ndc = 14\ntext = "On a failure of a DC 14 save, it is prone."', []),
        (
            'save = "wis"\nafflictions = [{ condition = "frightened" }]\ntext = "Fear for 1 minute; it saves again each turn."',
            ["saves again", "ends"],
        ),
        (
            'afflictions = [{ condition = "frightened", ends = "saved", lasts = "1 minute" }]\ntext = "It saves again."',
            [],
        ),
        ('cost = "action"\ndamage = "1d6 fire"\ntext = "It regains as much as it dealt."', ["heals"]),
        ('cost = "action"\ntext = "The hit point maximum drops by the damage."', ["maximum"]),
        ('cost = "action"\nattack = 5\ntext = "The target is grappled."', ["holds"]),
        (
            'cost = "action"\nafflictions = [{ condition = "grappled", escape_dc = 12 }]\ntext = "The target is grappled."',
            [],
        ),
        ('cost = "action"\nattack = 5\ntext = "It swallows the target."', ["digests"]),
    ],
)
def test_a_text_that_says_more_than_the_fields_is_found(fields: str, kinds: list[str]) -> None:
    text = f'[features.a]\nname = "A"\n{fields}\n[features.tail]\nname = "Tail"\ndamage = "3d8 bludgeoning"\n'
    assert sorted({one.kind for one in findings_of(tomllib.loads(text))}) == sorted(kinds)
