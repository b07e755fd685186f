"""The message sent to phones for a players' view: JSON with the texts to show, without ids."""

from typing import Protocol

import msgspec

from turnwright.players.view import CombatantRow, CountdownView, PlayersView, ViewMode


class PhoneWords(Protocol):
    """Provides the program's texts by key."""

    def __call__(self, key: str, /, **params: object) -> str:
        """Return a key's text with parameters filled in."""


class PhoneRow(msgspec.Struct, frozen=True):
    """A row of the turn order. `band` is the health that selects a colour; `state` says whether it acts now or next."""

    name: str
    side: str
    side_name: str
    health: str = ""
    band: str = ""
    conditions: tuple[str, ...] = ()
    state: str = ""
    acts: bool = False


class PhoneDie(msgspec.Struct, frozen=True):
    """A die of a countdown's last roll, and whether it was removed."""

    face: str
    removed: bool


class PhoneCountdown(msgspec.Struct, frozen=True):
    """A countdown: the text for the remaining dice, and its last roll."""

    name: str
    dice: str
    faces: tuple[PhoneDie, ...] = ()


class PhoneMessage(msgspec.Struct, frozen=True):
    """Everything that a phone shows, as text. `picture` is a path on the server, or empty if there is no image."""

    mode: ViewMode
    title: str = ""
    facts: str = ""
    rows: tuple[PhoneRow, ...] = ()
    countdowns: tuple[PhoneCountdown, ...] = ()
    heading: str = ""
    text: str = ""
    signed: str = ""
    picture: str = ""
    empty: str = ""


def message_bytes(view: PlayersView, words: PhoneWords, picture: str = "") -> bytes:
    """Return a view's message as one line of JSON. `picture` is the image's path on the server."""
    return msgspec.json.encode(phone_message(view, words, picture))


def phone_message(view: PlayersView, words: PhoneWords, picture: str = "") -> PhoneMessage:
    """Create the message for a view."""
    handout = view.handout
    message = PhoneMessage(
        mode=view.mode,
        title=_title(view, words),
        facts=_facts(view, words),
        rows=tuple(_row(view, place, words) for place in range(len(view.order))),
        countdowns=tuple(_countdown(countdown, words) for countdown in view.countdowns),
        heading=handout.title if handout is not None else "",
        text=handout.text if handout is not None else view.text,
        signed=handout.signed if handout is not None else "",
        picture=picture,
    )
    if view.mode == "black" or any((message.rows, message.countdowns, message.heading, message.text, message.picture)):
        return message
    return msgspec.structs.replace(message, empty=words(f"phones.empty.{view.mode}"))


def _title(view: PlayersView, words: PhoneWords) -> str:
    if not view.order:
        return ""
    return words("phones.round", n=view.round) if view.round else words("phones.before")


def _facts(view: PlayersView, words: PhoneWords) -> str:
    """Return the text next to the round: the encounter's title, the light, and the time left in the turn."""
    light = words(f"ui.light.{view.light}") if view.light else ""
    time_left = words("phones.seconds", n=view.turn_seconds) if view.turn_seconds is not None else ""
    facts = " · ".join(part for part in (view.title, light, time_left) if part)
    return facts[:1].upper() + facts[1:]


def _row(view: PlayersView, place: int, words: PhoneWords) -> PhoneRow:
    row = view.order[place]
    acts = place == view.actor
    state = "acts" if acts else "next" if place == view.next else ""
    return PhoneRow(
        name=_name(row, words),
        side=row.side,
        side_name=words(f"phones.side.{row.side}"),
        health=_health(row, words),
        band=row.health,
        conditions=row.conditions,
        state=words(f"phones.{state}") if state else "",
        acts=acts,
    )


def _name(row: CombatantRow, words: PhoneWords) -> str:
    if not row.name:
        return words("phones.unknown", n=row.number)
    return f"{row.name} {row.number}" if row.number else row.name


def _health(row: CombatantRow, words: PhoneWords) -> str:
    if row.hit_points is not None:
        return words("phones.points", now=row.hit_points.now, most=row.hit_points.most)
    return words(f"phones.health.{row.health}") if row.health else ""


def _countdown(view: CountdownView, words: PhoneWords) -> PhoneCountdown:
    faces = tuple(PhoneDie(str(face), face >= view.removes_from > 0) for face in view.faces)
    return PhoneCountdown(view.name, words("phones.dice", n=view.dice), faces)
