"""A stream of random numbers for each fight, determined by the seed and the fight's number: sfc32 in plain integers.

All intermediate results are below 2⁶³, so compiled and plain Python produce the same numbers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from turnwright.forecast.layout import RANDOM

if TYPE_CHECKING:
    from turnwright.forecast.array_types import State

WORD: Final = 0xFFFFFFFF
WARM_UP: Final = 12


def scrambled(word: int) -> int:
    """Mix all bits of a 32-bit number."""
    word = ((word ^ (word >> 16)) * 0x21F0AAAD) & WORD
    word = ((word ^ (word >> 15)) * 0x735A2D97) & WORD
    return word ^ (word >> 15)


def draw(state: State) -> int:
    """Return the stream's next 32-bit number."""
    a, b, c, count = state[RANDOM], state[RANDOM + 1], state[RANDOM + 2], state[RANDOM + 3]
    word = (a + b + count) & WORD
    state[RANDOM] = b ^ (b >> 9)
    state[RANDOM + 1] = (c + (c << 3)) & WORD
    state[RANDOM + 2] = (((c << 21) & WORD) | (c >> 11)) + word & WORD
    state[RANDOM + 3] = (count + 1) & WORD
    return word


def begin_stream(state: State, seed: int, number: int) -> None:
    """Initialise the random stream of a fight."""
    state[RANDOM] = scrambled(number & WORD)
    state[RANDOM + 1] = scrambled((seed + 0x9E3779B9) & WORD)
    state[RANDOM + 2] = scrambled(((number >> 32) + 0x85EBCA6B) & WORD)
    state[RANDOM + 3] = 1
    for _ in range(WARM_UP):
        draw(state)


def draw_below(state: State, limit: int) -> int:
    """Return a random number from 0 to `limit` - 1."""
    return (draw(state) * limit) >> 32
