"""Sources of faces: a counter-based random source, whose n-th face never changes, and a scripted list.

Both can be restored from plain numbers. The dice are therefore part of a fight's state, and redo gives the same faces.
"""

from __future__ import annotations

import struct
from hashlib import blake2b
from itertools import count
from typing import TYPE_CHECKING, ClassVar, Final, Protocol

from turnwright.dice.errors import DiceError, OutOfDice

if TYPE_CHECKING:
    from collections.abc import Sequence

    from turnwright.dice.roll import Origin


_WORDS: Final = struct.Struct("<32H")
_SPAN: Final = 1 << 16
_SEED_BITS: Final = (1 << 64) - 1


class FaceSource(Protocol):
    """A source of faces. `origin` is recorded in the rolls made with it."""

    origin: ClassVar[Origin]

    def face(self, sides: int) -> int:
        """Return the next face, from 1 to `sides`. Raise OutOfDice if there is none."""
        ...


class RandomFaces:
    """Random faces that only depend on `seed` and `counter`. Each face drawn increments `counter`.

    Any whole number can be a seed, but only its lowest 64 bits matter. The faces are the same on all machines.
    """

    __slots__ = ("_block", "_words", "counter", "seed")
    origin: ClassVar[Origin] = "random"

    def __init__(self, seed: int, counter: int = 0) -> None:
        self.seed = seed & _SEED_BITS
        self.counter = counter
        self._block = -1
        self._words: tuple[int, ...] = ()

    def face(self, sides: int) -> int:
        """Return the face at `counter`. All faces have the same probability. `sides` is from 1 to 65,536."""
        at = self.counter
        self.counter = at + 1
        if at >> 5 != self._block:
            self._block = at >> 5
            self._words = _words(self.seed, self._block)
        word = self._words[at & 31]
        face = word % sides
        if word - face > _SPAN - sides:
            return _another(self.seed, at, sides)
        return face + 1


def _words(seed: int, block: int, attempt: int = 0) -> tuple[int, ...]:
    """Return the 32 16-bit words of a block: a hash of its seed, number and attempt."""
    name = b"%d %d %d" % (seed, block, attempt)
    return _WORDS.unpack(blake2b(name).digest())


def _another(seed: int, at: int, sides: int) -> int:
    """Return another face if a word is so high that low faces would be more likely."""
    for attempt in count(1):
        word = _words(seed, at >> 5, attempt)[at & 31]
        face = word % sides
        if word - face <= _SPAN - sides:
            break
    return face + 1


class ScriptedFaces:
    """Prepared faces, which are drawn in order. `used` is the number of faces drawn."""

    __slots__ = ("faces", "used")
    origin: ClassVar[Origin] = "scripted"

    def __init__(self, faces: Sequence[int], used: int = 0) -> None:
        self.faces = faces
        self.used = used

    def face(self, sides: int) -> int:
        """Return the next face.

        Raise OutOfDice if all are used, or DiceError, without drawing the face, if the die has no such face.
        """
        if self.used >= len(self.faces):
            message = "No prepared dice are left."
            raise OutOfDice(message)
        face = self.faces[self.used]
        if not 1 <= face <= sides:
            message = f"The next prepared face is {face}, but the next die is a d{sides}."
            raise DiceError(
                message, " ".join(map(str, self.faces)), sum(len(f"{earlier} ") for earlier in self.faces[: self.used])
            )
        self.used += 1
        return face
