"""Events of the encounter's course: set-up, rounds and turns, rolls, who comes and goes, what people wrote."""

from __future__ import annotations

from turnwright.dice.roll import Roll
from turnwright.play.events.told import Event


class EncounterStarted(Event, frozen=True):
    """Set-up began, for a reason a person gave or none."""

    reason: str = ""


class SetupReached(Event, frozen=True):
    """Set-up came to its next step."""

    step: str


class SceneSet(Event, frozen=True):
    """The scene as round 1 begins: places and standing features, in words."""

    places: tuple[tuple[str, str], ...] = ()
    features: tuple[str, ...] = ()
    round_seconds: int = 6


class RoundStarted(Event, frozen=True):
    """A round began; `elapsed` is game time in seconds so far."""

    round: int
    elapsed: int


class WorldTurnStarted(Event, frozen=True):
    """The world took its turn; `offers` are the rows (environment, entry) that were ready."""

    offers: tuple[tuple[str, str], ...] = ()


class RoundEnded(Event, frozen=True):
    """A round ended; `elapsed` includes it."""

    round: int
    elapsed: int


class TurnStarted(Event, frozen=True):
    """Somebody's turn began."""

    who: tuple[str, ...]


class TurnEnded(Event, frozen=True):
    """Somebody's turn ended."""

    who: tuple[str, ...]


class EncounterEnded(Event, frozen=True):
    """Turn-based play was closed."""

    round: int


class Awarded(Event, frozen=True):
    """So much experience was awarded to the party, 0 for none."""

    xp: int = 0


class TreasureFound(Event, frozen=True):
    """Some treasure came to light; `who` takes it, nobody yet where that is empty."""

    what: str
    who: str = ""


class WentBackToPrepared(Event, frozen=True):
    """Everything that running had made was thrown away."""


class Rested(Event, frozen=True):
    """A rest was finished."""

    length: str


class Rolled(Event, frozen=True):
    """Somebody (or, with `who` empty, the game master) rolled. `dc` 0: held against nothing; `passed` None then.

    `degree` is how well it went, where the game tells more than made or failed.
    """

    purpose: str
    roll: Roll
    who: str = ""
    detail: str = ""
    dc: int = 0
    passed: bool | None = None
    degree: str = ""


class Skipped(Event, frozen=True):
    """A roll or choice was passed over."""

    purpose: str
    who: str = ""
    detail: str = ""


class SneakingMarked(Event, frozen=True):
    """Somebody means to act before the others are aware, or no longer."""

    who: str
    sneaking: bool


class Surprised(Event, frozen=True):
    """Somebody starts the encounter surprised."""

    who: str


class NobodySurprised(Event, frozen=True):
    """Nobody is surprised."""


class OpenerMarked(Event, frozen=True):
    """Somebody opened hostilities, and so goes first; empty: nobody did."""

    who: str = ""


class TurnsJoined(Event, frozen=True):
    """Some take their turn together with the one under way."""

    who: tuple[str, ...]


class InitiativeSet(Event, frozen=True):
    """A place in the order: `how` is `rolled`, `kept`, `entered`, `fixed`, `mounted` or `shifted`."""

    who: str
    total: int
    how: str


class OrderSettled(Event, frozen=True):
    """The order stands, highest first."""

    who: tuple[str, ...]


class TimePassed(Event, frozen=True):
    """Hours went by."""

    hours: int


class Joined(Event, frozen=True):
    """Somebody came into the fight."""

    who: str
    side: str


class Left(Event, frozen=True):
    """Somebody was taken out of the fight."""

    label: str


class Noted(Event, frozen=True):
    """A person wrote a line."""

    text: str


class Corrected(Event, frozen=True):
    """An earlier line should read otherwise."""

    serial: int
    line: int
    text: str


class DoneAnyway(Event, frozen=True):
    """A rule forbade it, for a reason (a word key with its parameters), and a person did it all the same."""

    reason: str
    params: tuple[tuple[str, str | int], ...] = ()


class Related(Event, frozen=True):
    """Somebody said how one stands to another: which fact (`distance`, `seen`, …) and its value as text."""

    one: str
    other: str
    fact: str
    value: str = ""


class Parted(Event, frozen=True):
    """Somebody moved: how they stand to these others, as far as somebody had said it, is open again."""

    who: str
    others: tuple[str, ...]


class Supplied(Event, frozen=True):
    """A figure that a stat block lacks was given."""

    who: str
    figure: str
    value: int
