"""Events of what combatants do: actions, attacks, movement, features, and what they spend on them."""

from __future__ import annotations

from turnwright.play.kernel.events import Event


class ActionDisallowed(Event, frozen=True, tag="RuledOut"):
    """The game master said that something can't be done; nothing was spent on it."""

    who: str
    what: str


class CheckWaived(Event, frozen=True, tag="TrialSpared"):
    """An action needed no roll: somebody let it succeed, or a rule waives it (`why`, a word key)."""

    who: str
    action: str
    by: str
    why: str


class HideResolved(Event, frozen=True, tag="HidFrom"):
    """Somebody who hid stays unseen by an observer, or (not `hidden`) is noticed: a total against a passive score."""

    who: str
    observer: str
    total: int
    score: int
    hidden: bool


class SearchResolved(Event, frozen=True, tag="SearchedFor"):
    """A search was held against what a hider rolled: `found` or not."""

    who: str
    hider: str
    total: int
    score: int
    found: bool


class ManeuverResolved(Event, frozen=True, tag="ManeuverSettled"):
    """What came of a maneuver, by a person's word; `outcome` is a word key."""

    who: str
    target: str
    maneuver: str
    outcome: str


class Withdrew(Event, frozen=True, tag="FellBack", rename={"pursuer": "presser"}):
    """Somebody gave way to whoever presses them, by so many feet."""

    who: str
    pursuer: str
    feet: int


class Pursued(Event, frozen=True, tag="Followed"):
    """Somebody went after one who fell back, by so many feet that cost no movement."""

    who: str
    after: str
    feet: int


class DeviceProgress(Event, frozen=True, tag="WorkedAt"):
    """Somebody had a success at stopping a thing: so many are `done` of those it takes."""

    who: str
    target: str
    done: int
    need: int


class FollowersCommanded(Event, frozen=True, tag="Commanded"):
    """A controller had creatures act."""

    who: str
    creatures: tuple[str, ...]
    action: str
    target: str = ""
