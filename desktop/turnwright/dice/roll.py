"""Roll specifications and results, with all details recorded.

A `RollSpec` contains the dice to roll and the reason for each number. A `Roll` contains every die, kept or dropped, and
every modifier, to explain any total. None of the structs can contain itself, so the garbage collector needn't track
them (`gc=False`).
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal

import msgspec

EdgeKind = Literal["advantage", "disadvantage"]
Origin = Literal["random", "scripted", "typed", "fixed"]


class Modifier(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A flat number in a total, with its reason (a word key or plain text) and the id of its ledger rule.

    `kind` is the type of bonus or penalty, or empty. In some rule systems, bonuses of the same type don't stack.
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
    """Additional dice in a roll, such as an expertise die. They are an expression such as `1d4`, with a reason."""

    dice: str
    reason: str
    rule: str = ""


class DeclinableModifier(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A modifier of a roll that the game master can decline. It has a reason and the id of its ledger rule.

    `apart`: the rule has several reasons, and each is declined separately. `is_open`: it only applies, as an `edge` or
    a `value`, after it is accepted. `hangs_on` is the unknown fact that it depends on.
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
        """The id of this modifier within its roll: the rule, and also the reason if there can be several."""
        if self.is_open:
            return modifier_id("open", f"{self.reason} {self.edge or self.value}")
        return modifier_id(self.rule, self.reason) if self.apart else self.rule


def modifier_id(rule: str, reason: str) -> str:
    """Return the id of one of several modifiers that have the same rule but different reasons."""
    return f"{rule} {reason}"


class RollSpec(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A roll that hasn't been made: the expression and everything that changes it, with reasons.

    If `dice` is empty, the rule system doesn't define any, and the user has to enter the result. `fails` is the reason
    why the roll fails regardless of the dice, or empty. `counted`: advantages stack, each adding a die of which the
    best counts, and each disadvantage cancels one. `doubled`: every die is rolled twice, but flat numbers count once.
    `offered` are the modifiers that can be declined.
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
        """Return this roll without the offered modifiers with these ids."""
        gone = [one for one in self.offered if one.id in declined]
        if not gone:
            return self
        ids = {one.id for one in gone}

        def stays(rule: str, reason: str) -> bool:
            return rule not in ids and modifier_id(rule, reason) not in ids

        return msgspec.structs.replace(
            self,
            modifiers=tuple(modifier for modifier in self.modifiers if stays(modifier.rule, modifier.reason)),
            edges=tuple(edge for edge in self.edges if stays(edge.rule, edge.reason)),
            extra=tuple(one for one in self.extra if stays(one.rule, one.reason)),
            fails="" if self.fails in [one.reason for one in gone] else self.fails,
            offered=tuple(one for one in self.offered if one not in gone),
        )

    def with_accepted(self, accepted: Collection[str]) -> RollSpec:
        """Return this roll with the open modifiers with these ids."""
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
    """A rolled die.

    `why` is the reason why it was dropped or added (`advantage`, `kh3`). A die with `sign` -1 is subtracted.
    """

    sides: int
    face: int
    kept: bool = True
    why: str = ""
    sign: int = 1


class RollPart(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """The part of a total with a single damage type (`kind`, or empty), including dice and flat numbers.

    `dice` is the number of kept dice in it, on which some rules depend.
    """

    total: int
    kind: str = ""
    dice: int = 0


class Roll(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """The result of a roll.

    `total` is None if unknown dice were entered. `natural` is the kept face of a single d20, or None if it is unknown
    or no d20 was rolled. `dice` is empty if only the total was entered.
    """

    dice: tuple[Die, ...] = ()
    modifiers: tuple[Modifier, ...] = ()
    parts: tuple[RollPart, ...] = ()
    edges: tuple[Edge, ...] = ()
    total: int | None = None
    natural: int | None = None
    text: str = ""
    origin: Origin = "random"
