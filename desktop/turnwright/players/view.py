"""The record from which everything that players see is painted. It names nothing by an id of the encounter."""

from __future__ import annotations

from typing import Literal

import msgspec

ViewMode = Literal["order", "map", "picture", "text", "dice", "black"]
HealthWord = Literal["", "unhurt", "hurt", "bloodied", "down"]
SideShape = Literal["party", "foes", "others"]


class ShownHitPoints(msgspec.Struct, frozen=True):
    """Hit points in numbers, for a side whose numbers the players see."""

    now: int
    most: int


class CombatantRow(msgspec.Struct, frozen=True):
    """A combatant in the order. `name` is empty while it is unknown; `number` tells namesakes apart, 0 where none is needed."""

    name: str
    number: int
    side: SideShape
    health: HealthWord = ""
    hit_points: ShownHitPoints | None = None
    conditions: tuple[str, ...] = ()


class CountdownView(msgspec.Struct, frozen=True):
    """A countdown: the dice left, the faces of its last roll, and the lowest face that removes a die."""

    name: str
    dice: int
    faces: tuple[int, ...]
    removes_from: int


class SentHandout(msgspec.Struct, frozen=True):
    """A handout as it was when it was sent; `picture` is the content of its file."""

    title: str = ""
    text: str = ""
    signed: str = ""
    picture: bytes = b""


class PlayersView(msgspec.Struct, frozen=True):
    """What players see. `actor` and `next` are places in `order`; `turn_seconds` is what is left of the turn's time."""

    mode: ViewMode
    title: str = ""
    round: int = 0
    elapsed_seconds: int = 0
    light: str = ""
    actor: int | None = None
    next: int | None = None
    turn_seconds: int | None = None
    order: tuple[CombatantRow, ...] = ()
    countdowns: tuple[CountdownView, ...] = ()
    handout: SentHandout | None = None
    text: str = ""
