"""Ratings and amounts of encounter budgets as text, with typographic fractions."""

from __future__ import annotations

from fractions import Fraction
from types import MappingProxyType
from typing import Final

_FRACTIONS: Final = MappingProxyType({"1/8": "⅛", "1/4": "¼", "1/3": "⅓", "1/2": "½", "2/3": "⅔", "3/4": "¾"})
_THOUSANDS: Final = 1000  # larger amounts are shown without fractions


def rating_text(rating: str) -> str:
    """Return a challenge rating as text, with a fraction character such as ¼."""
    return _FRACTIONS.get(rating, rating)


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
