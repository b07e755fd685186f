"""Roll specifications and results, with nothing thrown away.

A `RollSpec` holds what to roll and the reason for each number in it; a `Roll` keeps every die, kept or
dropped, and every modifier, so that any total can be explained. None can hold itself, so the
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
    """An advantage or disadvantage from a single source."""

    kind: EdgeKind
    reason: str
    rule: str = ""


class ExtraDice(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """Further dice added to a roll for a reason, such as an expertise die: an expression like `1d4`."""

    dice: str
    reason: str
    rule: str = ""


class DeclinableModifier(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A rule's share of a roll that a person may decline: its reason and its ledger id.

    `apart`: the rule has several reasons, and each is declined by itself. `is_open`: the roll has it only once a person
    accepts it, as an `edge` or a `value`; `hangs_on` is what nobody knows.
    """

    reason: str
    rule: str
    apart: bool = False
    is_open: bool = False
    edge: Literal["", "advantage", "disadvantage"] = ""
    value: int = 0
    hangs_on: str = ""

    @property
    def id(self) -> str:
        """Return the id of this modifier within its roll: the rule, with the reason where there may be several."""
        if self.is_open:
            return modifier_id("open", f"{self.reason} {self.edge or self.value}")
        return modifier_id(self.rule, self.reason) if self.apart else self.rule


def modifier_id(rule: str, reason: str) -> str:
    """Return the id of a single reason's share in a roll, distinct from the other reasons of its rule."""
    return f"{rule} {reason}"


class RollSpec(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A roll not made yet: the expression and everything that changes it, each with its reason.

    No `dice`: the game names none, and only a person can enter the result. `fails` is what makes the roll fail whatever
    the dice show, empty for nothing. `counted`: advantages add up, each a further die of which the best counts,
    and each disadvantage takes one away. `doubled`: every die is rolled twice, flat numbers count once.
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
        """Return the same roll without the share of the offered modifiers (by id) that were declined."""
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

    def with_accepted(self, accepted: Collection[str]) -> RollSpec:
        """Return the same roll with the open modifiers (by id) that were accepted."""
        taken = [one for one in self.offered if one.is_open and one.id in accepted]
        if not taken:
            return self
        return msgspec.structs.replace(
            self,
            modifiers=(*self.modifiers, *(Modifier(one.value, one.reason, one.rule) for one in taken if not one.edge)),
            edges=(*self.edges, *(Edge(one.edge, one.reason, one.rule) for one in taken if one.edge)),
            offered=tuple(one for one in self.offered if one not in taken),
        )


class Die(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A die as rolled.

    `why` names what dropped or added it (`advantage`, `kh3`, …); a die with `sign` -1 is subtracted.
    """

    sides: int
    face: int
    kept: bool = True
    why: str = ""
    sign: int = 1


class RollPart(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """The share of a total that has a single damage type (`kind` empty for none), dice and flat numbers together.

    `dice` is the number of kept dice in it: some rules count them.
    """

    total: int
    kind: str = ""
    dice: int = 0


class Roll(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """The result of a roll.

    `total` is None where only unknown dice were entered. `natural` is the kept face of
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
