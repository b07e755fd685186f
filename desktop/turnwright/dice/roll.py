"""What is to be rolled and what was rolled, with nothing thrown away.

A `RollSpec` says what to roll and why each figure stands in it; a `Roll` keeps every die, kept or
dropped, and every modifier, so that any total can be asked why. None can hold itself, so the
garbage collector need not track them (`gc=False`).
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal

import msgspec

EdgeKind = Literal["advantage", "disadvantage"]
Origin = Literal["random", "scripted", "typed", "fixed"]


class Modifier(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A flat number in a total, with its reason (a word key or plain text) and ledger rule id.

    `kind` is the type of bonus or penalty in a game where those of one type don't add up, empty for none.
    """

    value: int
    reason: str
    rule: str = ""
    kind: str = ""


class Edge(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """One source of advantage or disadvantage."""

    kind: EdgeKind
    reason: str
    rule: str = ""


class ExtraDice(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """Further dice added to a roll for a reason, such as an expertise die: an expression like `1d4`."""

    dice: str
    reason: str
    rule: str = ""


class DeclinableModifier(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A rule whose share of a roll a person may decline: the reason that it goes by, and its ledger id.

    `apart`: the rule speaks for several reasons, and each is declined by itself.
    """

    reason: str
    rule: str
    apart: bool = False

    @property
    def id(self) -> str:
        """What tells it from the others of a roll: the rule, with the reason where that may be one of several."""
        return modifier_id(self.rule, self.reason) if self.apart else self.rule


def modifier_id(rule: str, reason: str) -> str:
    """Return what tells one reason's share in a roll from those of the others of its rule."""
    return f"{rule} {reason}"


class RollSpec(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A roll that has not been made: the expression and everything that changes it, each with its reason.

    No `dice`: the game names none, and only a person can say what came of it. `fails` is what makes it fail whatever
    the dice show, empty where nothing does. `counted`: advantages add up, each a further die of which the best counts,
    and each disadvantage takes one away. `doubled`: every die is thrown twice, flat numbers count once.
    `offered` are those of its rules that a person may decline.
    """

    dice: str = "1d20"
    modifiers: tuple[Modifier, ...] = ()
    edges: tuple[Edge, ...] = ()
    extra: tuple[ExtraDice, ...] = ()
    fails: str = ""
    counted: bool = False
    doubled: bool = False
    offered: tuple[DeclinableModifier, ...] = ()

    def without(self, declined: Collection[str]) -> RollSpec:
        """Return the same roll without the share of those offered (by their ids) that a person has declined."""
        gone = [one for one in self.offered if one.id in declined]
        if not gone:
            return self
        ids = {one.id for one in gone}

        def stays(rule: str, reason: str) -> bool:
            return rule not in ids and modifier_id(rule, reason) not in ids

        return msgspec.structs.replace(
            self,
            modifiers=tuple(one for one in self.modifiers if stays(one.rule, one.reason)),
            edges=tuple(one for one in self.edges if stays(one.rule, one.reason)),
            extra=tuple(one for one in self.extra if stays(one.rule, one.reason)),
            fails="" if self.fails in [one.reason for one in gone] else self.fails,
            offered=tuple(one for one in self.offered if one not in gone),
        )


class Die(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """One die as it fell. `why` names what dropped or added it (`advantage`, `kh3`, …); `sign` -1: it is taken away."""

    sides: int
    face: int
    kept: bool = True
    why: str = ""
    sign: int = 1


class RollPart(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """The share of a total that carries one damage type (`kind` empty for none), dice and flat numbers together.

    `dice` is how many dice were kept in it: some rules count them.
    """

    total: int
    kind: str = ""
    dice: int = 0


class Roll(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A roll as it fell.

    `total` is None where a person said only that the dice are unknown. `natural` is the kept face of
    a single d20, None where unknown or where no d20 was rolled. `dice` is empty for a typed total.
    """

    dice: tuple[Die, ...] = ()
    modifiers: tuple[Modifier, ...] = ()
    parts: tuple[RollPart, ...] = ()
    edges: tuple[Edge, ...] = ()
    total: int | None = None
    natural: int | None = None
    text: str = ""
    origin: Origin = "random"
