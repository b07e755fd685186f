"""The word keys of a system's ids, and the texts of ratings and amounts.

Word keys have the form `condition.prone`, `damage.fire`, `skill.stealth` or `check.dex:stealth`.
"""

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Final

from turnwright.rules.system_data import SystemData


def signed_text(value: int) -> str:
    """Return a number with its sign, using a typographic minus."""
    return f"\N{MINUS SIGN}{-value}" if value < 0 else f"+{value}"


def system_words(data: SystemData) -> dict[str, str]:
    """Return the texts of a system's data, keyed by word key."""
    return dict([*_named(data), *data.terms])


def keys_of_ids(data: SystemData) -> frozenset[str]:
    """Return the word keys of a game's ids."""
    return frozenset(key for key, _ in _named(data))


def _named(data: SystemData) -> Iterator[tuple[str, str]]:
    for kind, entries in (
        ("condition", data.conditions),
        ("condition", data.standing),
        ("cover", data.cover),
        ("sense", data.senses),
        ("terrain", data.terrains),
        ("resource", data.resources),
        ("resource-one", data.resources),  # the singular, as in "1 Action", which a game's terms may override
        ("track", tuple(resource for resource in data.resources if resource.characters is not None)),
        ("action", data.actions),
        ("size", data.sizes),
        ("skill", data.skills),
        ("speed", data.speeds),
        ("ability", data.abilities),
        ("round", data.round_lengths),
    ):
        yield from ((f"{kind}.{entry.id}", entry.name) for entry in entries)
    yield from ((f"condition.speed:{speed.id}", speed.name) for speed in data.speeds)
    yield from ((f"damage.{damage.id}", damage.name.lower()) for damage in data.damage_types)
    terms = dict(data.terms)
    for ability in data.abilities:
        bare = terms.get(f"check.{ability.id}", ability.name)
        before, _, after = bare.partition(ability.name)  # the words around the ability, such as "… check"
        yield f"check.{ability.id}", bare
        yield f"save.{ability.id}", ability.name
        for skill in data.skills:
            plain = (
                data.checks.degrees and skill.ability == ability.id
            )  # "Athletics check", not "Strength (Athletics) check"
            name = skill.name if plain else f"{ability.name} ({skill.name})"
            yield f"check.{ability.id}:{skill.id}", f"{before}{name}{after}"


_FRACTIONS: Final[Mapping[str, str]] = {"1/8": "⅛", "1/4": "¼", "1/3": "⅓", "1/2": "½", "2/3": "⅔", "3/4": "¾"}
_THOUSANDS: Final = 1000  # larger amounts are shown without fractions


_RATING = re.compile(r"\+?\d{1,3}(?:/\d{1,3}|\.\d{1,4})?")


def rating_text(rating: str) -> str:
    """Return a challenge rating as text, with a fraction character such as ¼."""
    return _FRACTIONS.get(rating, rating)


@lru_cache(maxsize=256)  # lists of creatures have few different ratings
def rating_number(text: str) -> Fraction | None:
    """Return a rating as a number, which may be negative, or None if it isn't a number."""
    written = text.strip().replace("−", "-")
    sign, digits = -1 if written.startswith("-") else 1, written.lstrip("-")
    return sign * Fraction(digits) if _RATING.fullmatch(digits) and _is_sound(digits) else None


def _is_sound(written: str) -> bool:
    return "/" not in written or int(written.partition("/")[2]) > 0


def amount_text(value: Fraction) -> str:
    """Return an amount as text, with a fraction such as ½ or up to two decimal places.

    Amounts of 1,000 or more are shown without a fraction.
    """
    whole, rest = divmod(value, 1)
    if not rest or whole >= _THOUSANDS:
        return f"{whole:,}"
    if rest.denominator > 8:
        return f"{float(value):,.2f}".rstrip("0").rstrip(".")
    part = rating_text(str(rest))
    return f"{whole:,}{part}" if whole and part != str(rest) else f"{whole:,} {part}" if whole else part
