"""What the players see, as one record: nothing in it is secret, and nothing of it names a record by its id."""

from __future__ import annotations

from typing import Literal

import msgspec

Mode = Literal["order", "picture", "text", "dice", "black"]
HealthWord = Literal["", "unhurt", "hurt", "bloodied", "down", "dead"]


class PlayersRow(msgspec.Struct, frozen=True):
    """A combatant in the turn order. `number` tells those of one name apart, 0 where there is one; `name` empty: not known.

    `health` is a word, `hit_points` what is left and the maximum where they are shown. `group` are those who share a turn.
    """

    name: str
    number: int = 0
    party: bool = False
    active: bool = False
    next: bool = False
    health: HealthWord = ""
    hit_points: tuple[int, int] | None = None
    initiative: int | None = None
    conditions: tuple[tuple[str, int], ...] = ()


class PlayersCountdown(msgspec.Struct, frozen=True):
    """A countdown: its name, how many dice are left, and the faces rolled last."""

    name: str
    dice: int
    faces: tuple[int, ...] = ()


class PlayersSheet(msgspec.Struct, frozen=True):
    """A handout or a text to read: its title, text and signature, and the file of its picture."""

    title: str = ""
    text: str = ""
    signed: str = ""
    style: str = ""
    picture: str = ""


class PlayersView(msgspec.Struct, frozen=True):
    """What the players see at one moment. `seconds` is game time, `turn_seconds` how long a turn may take, 0 for no timer."""

    mode: Mode
    round: int = 0
    seconds: int = 0
    light: str = ""
    order: tuple[PlayersRow, ...] = ()
    countdowns: tuple[PlayersCountdown, ...] = ()
    sheet: PlayersSheet | None = None
    dice: str = ""
    turn_seconds: int = 0
