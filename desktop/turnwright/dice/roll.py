"""What is to be rolled and what was rolled, with nothing thrown away.

A `RollSpec` says what to roll and why each figure stands in it; a `Roll` keeps every die, kept or
dropped, and every modifier, so that any total can be asked why. None can hold itself, so the
garbage collector need not track them (`gc=False`).
"""

from __future__ import annotations

from typing import Literal

import msgspec

EdgeKind = Literal["advantage", "disadvantage"]
Origin = Literal["random", "scripted", "typed", "fixed"]


class Modifier(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A flat number in a total, with its reason (a word key or plain text) and ledger rule id."""

    value: int
    reason: str
    rule: str = ""


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


class RollSpec(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A roll that has not been made: the expression and everything that changes it, each with its reason.

    `fails` is what makes it fail whatever the dice show, empty where nothing does.
    """

    dice: str = "1d20"
    modifiers: tuple[Modifier, ...] = ()
    edges: tuple[Edge, ...] = ()
    extra: tuple[ExtraDice, ...] = ()
    fails: str = ""


class Die(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """One die as it fell. `why` names what dropped or added it (`advantage`, `kh3`, …); `sign` -1: it is taken away."""

    sides: int
    face: int
    kept: bool = True
    why: str = ""
    sign: int = 1


class Part(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
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
    parts: tuple[Part, ...] = ()
    edges: tuple[Edge, ...] = ()
    total: int | None = None
    natural: int | None = None
    text: str = ""
    origin: Origin = "random"
