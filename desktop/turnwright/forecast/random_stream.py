"""A stream of random numbers for each fight, determined by the seed and the fight's number: sfc32 in plain integers.

All intermediate results are below 2⁶³, so compiled and plain Python produce the same numbers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from turnwright.forecast.layout import FightTables

WORD: Final = 0xFFFFFFFF
WARM_UP: Final = 12


def scrambled(word: int) -> int:
    """Mix all bits of a 32-bit number."""
    word = ((word ^ (word >> 16)) * 0x21F0AAAD) & WORD
    word = ((word ^ (word >> 15)) * 0x735A2D97) & WORD
    return word ^ (word >> 15)


def draw(fight: FightTables) -> int:
    """Return the stream's next 32-bit number."""
    stream = fight.random
    a, b, c, count = stream[0], stream[1], stream[2], stream[3]
    word = (a + b + count) & WORD
    stream[0] = b ^ (b >> 9)
    stream[1] = (c + (c << 3)) & WORD
    stream[2] = (((c << 21) & WORD) | (c >> 11)) + word & WORD
    stream[3] = (count + 1) & WORD
    return word


def begin_stream(fight: FightTables, seed: int, number: int) -> None:
    """Initialise the random stream of a fight."""
    fight.random[0] = scrambled(number & WORD)
    fight.random[1] = scrambled((seed + 0x9E3779B9) & WORD)
    fight.random[2] = scrambled(((number >> 32) + 0x85EBCA6B) & WORD)
    fight.random[3] = 1
    for _ in range(WARM_UP):
        draw(fight)


def draw_below(fight: FightTables, limit: int) -> int:
    """Return a random number from 0 to `limit` - 1."""
    return (draw(fight) * limit) >> 32
