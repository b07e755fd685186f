"""Commands about who is on the table and where, about prompts and dice, and about the journal."""

from __future__ import annotations

import msgspec

from turnwright.encounter.running import DiceMode
from turnwright.play.commands.base import Command


class Join(Command, frozen=True):
    """Bring a prepared roster entry into the running fight; its members roll initiative, or take the one given."""

    roster: str
    initiative: int | None = None


class RemoveCombatant(Command, frozen=True):
    """Take somebody out of the fight; their prompts are withdrawn."""

    who: str


class Place(Command, frozen=True):
    """Say where somebody stands: in words, on a square, and outside which environments' areas. None: as it was."""

    who: str
    place: str | None = None
    position: tuple[int, int] | None = None
    outside: tuple[str, ...] | None = None
    elevation: int | None = None


class Rename(Command, frozen=True):
    """Give a combatant another label."""

    who: str
    label: str


class Reveal(Command, frozen=True):
    """Hide a combatant from the players' eyes, or show it."""

    who: str
    hidden: bool = False


class SetDice(Command, frozen=True):
    """Say where faces come from: a person, the machine, or a script. None leaves the seed as it is."""

    mode: DiceMode
    seed: int | None = None
    script: tuple[int, ...] = ()


class Reply(msgspec.Struct, frozen=True, omit_defaults=True):
    """An answer to one ask, of which one is given.

    `roll` leaves it to the machine; `typed` is `17`, `20!` or `?`; `chosen` holds option ids; or `number`, or `skip`.
    """

    ask: str
    roll: bool = False
    typed: str = ""
    chosen: tuple[str, ...] | None = None
    number: int | None = None
    skip: bool = False


class Answer(Command, frozen=True):
    """Answer asks of a prompt; those left out stay open. `revision` is the prompt's, as it was read."""

    prompt: str
    replies: tuple[Reply, ...]
    revision: int


class Withdraw(Command, frozen=True):
    """Put a prompt aside with everything that waits for it."""

    prompt: str


class AddNote(Command, frozen=True):
    """Write a line of one's own into the journal."""

    text: str


class Correct(Command, frozen=True):
    """Correct an earlier line of the journal: the step's serial, the line in it, and what it should say."""

    serial: int
    line: int
    text: str
