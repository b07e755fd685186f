"""Events of actions: checks waived, hiding and searching, maneuvers, devices, followers."""

from __future__ import annotations

from turnwright.play.kernel.events import Event


class ActionDisallowed(Event, frozen=True, tag="RuledOut"):
    """The game master ruled an action out; nothing was spent on it."""

    who: str
    what: str


class CheckWaived(Event, frozen=True, tag="TrialSpared"):
    """An action needed no roll: its target let it succeed, or a rule waives it (`why`, a word key)."""

    who: str
    action: str
    by: str
    why: str


class HideResolved(Event, frozen=True, tag="HidFrom"):
    """A hider stays unseen by an observer, or (not `hidden`) is noticed: a total against a passive score."""

    who: str
    observer: str
    total: int
    score: int
    hidden: bool


class SearchResolved(Event, frozen=True, tag="SearchedFor"):
    """A search was compared with a hider's roll: `found` or not."""

    who: str
    hider: str
    total: int
    score: int
    found: bool


class ManeuverResolved(Event, frozen=True, tag="ManeuverSettled"):
    """The outcome of a maneuver, entered by the game master; `outcome` is a word key."""

    who: str
    target: str
    maneuver: str
    outcome: str


class Withdrew(Event, frozen=True, tag="FellBack", rename={"pursuer": "presser"}):
    """A combatant withdrew from its pursuer, by some feet."""

    who: str
    pursuer: str
    feet: int


class Pursued(Event, frozen=True, tag="Followed"):
    """A combatant followed one that withdrew, by some feet that cost no movement."""

    who: str
    after: str
    feet: int


class DeviceProgress(Event, frozen=True, tag="WorkedAt"):
    """A combatant had a success at disabling a device: `done` successes of those it needs."""

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
