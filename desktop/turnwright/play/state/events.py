"""Events of the encounter's course: set-up, rounds and turns, rolls, who comes and goes, what people wrote."""

from __future__ import annotations

from turnwright.dice.roll import Roll
from turnwright.play.kernel.events import DamageAdjustment, Event


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


class RelationSet(Event, frozen=True, tag="Related", rename={"who": "one"}):
    """Somebody said how one stands to another: which fact (`distance`, `seen`, …) and its value as text."""

    who: str
    other: str
    fact: str
    value: str = ""


class RelationCleared(Event, frozen=True, tag="Parted"):
    """Somebody moved: how they stand to these others, as far as somebody had said it, is open again."""

    who: str
    others: tuple[str, ...]


class StatSet(Event, frozen=True, tag="Supplied", rename={"stat": "figure"}):
    """A figure that a stat block lacks was given."""

    who: str
    stat: str
    value: int


class ActionTaken(Event, frozen=True, tag="Acted"):
    """Somebody did something for a cost (empty: nothing), perhaps to or for somebody, or about a foe."""

    who: str
    action: str
    cost: str = ""
    note: str = ""
    targets: tuple[str, ...] = ()
    about: str = ""


class ResourceRestored(Event, frozen=True, tag="Regained"):
    """A resource came back, or so many of it: from `before` to `after` where points become others."""

    who: str
    resource: str
    before: int = 0
    after: int | None = None


class UsesSpent(Event, frozen=True, tag="SupplySpent", rename={"use_key": "supply", "maximum": "most"}):
    """Something that lasts longer than a turn was used: a slot, a use, a recharge, legendary actions."""

    who: str
    use_key: str
    what: str
    left: int
    maximum: int


class UsesSet(Event, frozen=True, tag="SupplySet", rename={"use_key": "supply"}):
    """What somebody has left of a supply was set by hand; `what` is the feature's name, empty for slots and legendary actions."""

    who: str
    use_key: str
    what: str
    before: int
    left: int


class DamageTaken(Event, frozen=True):
    """Damage reached somebody: what was dealt by type, what was made of it, and the hit points before and after.

    `critical`: it is that of a critical hit.
    """

    target: str
    dealt: tuple[tuple[str, int], ...]
    taken: int
    hp_before: int
    hp_after: int
    temp_before: int = 0
    temp_after: int = 0
    source: str = ""
    why: tuple[DamageAdjustment, ...] = ()
    roll: Roll | None = None
    critical: bool = False


class DroppedToZero(Event, frozen=True):
    """Somebody came to 0 hit points, or below where the game goes there: `hp`."""

    who: str
    hp: int = 0


class HitPointsSet(Event, frozen=True):
    """Hit points were corrected by hand."""

    who: str
    hp: int
    temp_hp: int
    hp_max: int


class EffectGained(Event, frozen=True):
    """An effect began. `valued`: its value is how strong it is."""

    target: str
    name: str
    value: int = 0
    ends: str = ""
    source: str = ""
    valued: bool = False


class EffectEnded(Event, frozen=True):
    """An effect ended."""

    target: str
    name: str


class Unaffected(Event, frozen=True):
    """Something did not touch somebody, for a reason (a word key)."""

    who: str
    what: str
    reason: str


class TrackSet(Event, frozen=True):
    """A track, such as fatigue, came to a value."""

    who: str
    track: str
    before: int
    after: int


class Healed(Event, frozen=True):
    """Hit points were restored: offered `amount`, of which the maximum let some in."""

    target: str
    amount: int
    hp_before: int
    hp_after: int
    source: str = ""
