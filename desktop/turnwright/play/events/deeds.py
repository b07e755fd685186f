"""Events of what combatants do: actions, attacks, movement, features, and what they spend on them."""

from __future__ import annotations

from turnwright.dice.roll import Modifier, Roll
from turnwright.play.events.told import Event


class Acted(Event, frozen=True):
    """Somebody did something for a cost (empty: nothing), perhaps to or for somebody, or about a foe."""

    who: str
    action: str
    cost: str = ""
    note: str = ""
    targets: tuple[str, ...] = ()
    about: str = ""


class RuledOut(Event, frozen=True):
    """The game master said that something can't be done; nothing was spent on it."""

    who: str
    what: str


class TrialSpared(Event, frozen=True):
    """An action needed no roll: somebody let it succeed, or a rule waives it (`why`, a word key)."""

    who: str
    action: str
    by: str
    why: str


class HidFrom(Event, frozen=True):
    """Somebody who hid stays unseen by an observer, or (not `hidden`) is noticed: a total against a passive score."""

    who: str
    observer: str
    total: int
    score: int
    hidden: bool


class SearchedFor(Event, frozen=True):
    """A search was held against what a hider rolled: `found` or not."""

    who: str
    hider: str
    total: int
    score: int
    found: bool


class ManeuverSettled(Event, frozen=True):
    """What came of a maneuver, by a person's word; `outcome` is a word key."""

    who: str
    target: str
    maneuver: str
    outcome: str


class FellBack(Event, frozen=True):
    """Somebody gave way to whoever presses them, by so many feet."""

    who: str
    presser: str
    feet: int


class Followed(Event, frozen=True):
    """Somebody went after one who fell back, by so many feet that cost no movement."""

    who: str
    after: str
    feet: int


class Readied(Event, frozen=True):
    """Somebody waits for a trigger, with a response to it."""

    who: str
    response: str
    trigger: str


class ReadiedWasted(Event, frozen=True):
    """What somebody had readied came to nothing (`why`, a word key)."""

    who: str
    response: str
    why: str


class Regained(Event, frozen=True):
    """A resource came back, or so many of it: from `before` to `after` where points become others."""

    who: str
    resource: str
    before: int = 0
    after: int | None = None


class Moved(Event, frozen=True):
    """Somebody moved `feet` at a price of `cost` feet of movement, for the reasons given."""

    who: str
    feet: int
    cost: int
    mode: str
    why: tuple[Modifier, ...] = ()


class Shifted(Event, frozen=True):
    """Somebody was put elsewhere without walking: `forced`, `teleport` or `provoking`; feet above level 0."""

    who: str
    to: tuple[int, int]
    how: str
    elevation: int = 0


class WorkedAt(Event, frozen=True):
    """Somebody had a success at stopping a thing: so many are `done` of those it takes."""

    who: str
    target: str
    done: int
    need: int


class StoodUp(Event, frozen=True):
    """Somebody stood up for so many feet of movement."""

    who: str
    cost: int


class Mounted(Event, frozen=True):
    """Somebody mounted another, for so many feet of movement; `controlled`: it obeys."""

    who: str
    mount: str
    cost: int
    controlled: bool = True


class Dismounted(Event, frozen=True):
    """Somebody is off their mount, for so many feet of movement, or (0) not by their own will."""

    who: str
    mount: str
    cost: int = 0


class Dragged(Event, frozen=True):
    """Somebody takes hold of an ally to pull it along."""

    who: str
    ally: str


class Halted(Event, frozen=True):
    """Something that happened on the way stopped somebody's move."""

    who: str


class ActionAnnounced(Event, frozen=True):
    """Somebody announced an action, perhaps in answer to what another (`of`) has announced."""

    who: str
    action: str
    answers: str = ""
    of: str = ""


class Undone(Event, frozen=True):
    """What somebody had announced is not done; what it was to cost is gone. `reason` is a word key."""

    who: str
    action: str
    reason: str
    params: tuple[tuple[str, str | int], ...] = ()


class Kept(Event, frozen=True):
    """Somebody was interrupted by a feature of another's and kept what they had announced."""

    who: str
    action: str
    source: str


class FallBegan(Event, frozen=True):
    """Somebody drops out of the air from so many feet above the ground."""

    who: str
    feet: int


class Planned(Event, frozen=True):
    """Somebody noted what they mean to do."""

    who: str
    text: str


class SupplySpent(Event, frozen=True):
    """Something that lasts longer than a turn was used: a slot, a use, a recharge, legendary actions."""

    who: str
    supply: str
    what: str
    left: int
    most: int


class SupplySet(Event, frozen=True):
    """What somebody has left of a supply was set by hand; `what` is the feature's name, empty for slots and legendary actions."""

    who: str
    supply: str
    what: str
    before: int
    left: int


class FeatureRecharged(Event, frozen=True):
    """Somebody rolled for a spent feature to come back; `face` is None where a person said how it went."""

    who: str
    feature: str
    back: bool
    face: int | None = None


class FeatureUsed(Event, frozen=True):
    """Somebody, or a group acting as one, used a feature on some, with the DC of the save if there is one."""

    who: tuple[str, ...]
    feature: str
    targets: tuple[str, ...] = ()
    save: str = ""
    dc: int = 0
    numbers: int = 0


class Commanded(Event, frozen=True):
    """A controller had creatures act."""

    who: str
    creatures: tuple[str, ...]
    action: str
    target: str = ""


class GroupChecked(Event, frozen=True):
    """One roll stood for a whole group."""

    who: tuple[str, ...]
    check: str
    total: int
    numbers: int = 0
    passed: bool | None = None


class Attacked(Event, frozen=True):
    """Somebody attacked: `name` is the target's, `ac` what the roll had to meet, both empty where nobody knows them.

    `defence` is what that AC is made of.
    `outcome` is `miss`, `fumble`, `hit` or `critical`. `guessed`: at the place where a hidden target was taken to be.
    """

    who: str
    means: str
    outcome: str
    target: str = ""
    name: str = ""
    roll: Roll | None = None
    ac: int | None = None
    defence: tuple[Modifier, ...] = ()
    guessed: bool = False


class AttackFailed(Event, frozen=True):
    """An attack that was set going came to nothing, for a reason (a word key with its parameters)."""

    who: str
    means: str
    reason: str
    params: tuple[tuple[str, str | int], ...] = ()


class GuessMade(Event, frozen=True):
    """Whether a guess at a hidden target's place was right: for the game master alone."""

    who: str
    right: bool
    target: str = ""
    roll: Roll | None = None


class CriticalBlocked(Event, frozen=True):
    """Somebody turned a critical hit on them into a regular one: `by` is `shield` or `fatigue`."""

    who: str
    by: str
