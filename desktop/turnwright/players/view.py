"""The record from which everything that players see is painted. It names nothing by an id of the encounter."""

from __future__ import annotations

from typing import Literal

import msgspec

ViewMode = Literal["order", "map", "picture", "text", "dice", "black"]
HealthWord = Literal["", "unhurt", "hurt", "bloodied", "down"]
LineKind = Literal["wall", "window", "curtain", "rail", "door"]
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


class ShownLine(msgspec.Struct, frozen=True):
    """A wall, a door or the like, from end to end in squares."""

    kind: LineKind
    ends: tuple[float, float, float, float]
    is_open: bool = False


class ShownToken(msgspec.Struct, frozen=True):
    """A token on the map: who it is, the upper left square, and how many squares across.

    `elevation` is in feet, and `portrait` the name by which a picture of its face is handed over: made of its pixels, not of its file.
    """

    row: CombatantRow
    at: tuple[int, int]
    across: int = 1
    acts: bool = False
    elevation: int = 0
    portrait: bytes = b""


class MapCamera(msgspec.Struct, frozen=True):
    """The part of the map that is looked at: its middle in squares, and how many squares fit across; 0 for all there is."""

    centre: tuple[float, float] | None = None
    across: float = 0.0


class ComposedPicture(msgspec.Struct, frozen=True):
    """The name by which the painted part of a map is handed over, and the squares that it covers: no file, nothing hidden."""

    key: bytes
    at: tuple[int, int]
    size: tuple[int, int]


class PlayersMap(msgspec.Struct, frozen=True):
    """The explored part of the map, in squares from a square that stays the same; `feet` is the side of one.

    `at` is the place of the first square of `fog` and `ground`, rows of signs: `+` is seen now, `-` was seen before, `.` is hidden.
    With a picture there is no ground, and of the lines only doors. `areas` are rows beside those of `fog`, with `*` on each square
    seen now on which an area lasts; `darkness` likewise has `:` on dim squares and `#` on dark ones. Empty where there is none.
    """

    feet: int
    at: tuple[int, int] = (0, 0)
    fog: tuple[str, ...] = ()
    ground: tuple[str, ...] = ()
    areas: tuple[str, ...] = ()
    darkness: tuple[str, ...] = ()
    lines: tuple[ShownLine, ...] = ()
    tokens: tuple[ShownToken, ...] = ()
    has_picture: bool = False
    camera: MapCamera = MapCamera()
    picture: ComposedPicture | None = None


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
    map: PlayersMap | None = None
    text: str = ""
