"""Events of changes to single records: rolls, relations, resources, uses, damage, effects, tracks."""

from __future__ import annotations

from turnwright.dice.roll import Roll
from turnwright.play.kernel.events import DamageAdjustment, Event


class Rolled(Event, frozen=True):
    """A combatant (or, with `who` empty, the game master) rolled. `dc` 0: against no difficulty class, `passed` None.

    `degree` is the degree of success, in games that have more than success and failure.
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
    """A fact about how one combatant stands to another was set (`distance`, `seen`, …), with its value as text."""

    who: str
    other: str
    fact: str
    value: str = ""


class RelationCleared(Event, frozen=True, tag="Parted"):
    """A combatant moved: facts entered about how they stand to these others are unknown again."""

    who: str
    others: tuple[str, ...]


class StatSet(Event, frozen=True, tag="Supplied", rename={"stat": "figure"}):
    """A number that a stat block is missing was supplied."""

    who: str
    stat: str
    value: int


class ActionTaken(Event, frozen=True, tag="Acted"):
    """A combatant acted at a cost (empty: none), perhaps on targets, or concerning another combatant (`about`)."""

    who: str
    action: str
    cost: str = ""
    note: str = ""
    targets: tuple[str, ...] = ()
    about: str = ""


class ResourceRestored(Event, frozen=True, tag="Regained"):
    """A resource was restored; by a conversion of points from `before` to `after`."""

    who: str
    resource: str
    before: int = 0
    after: int | None = None


class UsesSpent(Event, frozen=True, tag="SupplySpent", rename={"use_key": "supply", "maximum": "most"}):
    """A limited use was spent: a spell slot, a use, a recharge, a legendary action."""

    who: str
    use_key: str
    what: str
    left: int
    maximum: int


class UsesSet(Event, frozen=True, tag="SupplySet", rename={"use_key": "supply"}):
    """The remaining uses were set by hand; `what` is the feature's name, empty for slots and legendary actions."""

    who: str
    use_key: str
    what: str
    before: int
    left: int


class DamageTaken(Event, frozen=True):
    """A combatant took damage: what was dealt by type, how it was adjusted, and the hit points before and after.

    `critical`: it came from a critical hit.
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
    """A combatant dropped to 0 hit points, or below where the game goes there: `hp`."""

    who: str
    hp: int = 0


class HitPointsSet(Event, frozen=True):
    """Hit points were corrected by hand."""

    who: str
    hp: int
    temp_hp: int
    hp_max: int


class EffectGained(Event, frozen=True):
    """An effect began. `valued`: its value is its strength."""

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
    """A combatant was unaffected, for a reason (a word key)."""

    who: str
    what: str
    reason: str


class TrackSet(Event, frozen=True):
    """A track, such as fatigue, changed."""

    who: str
    track: str
    before: int
    after: int


class Healed(Event, frozen=True):
    """Hit points were restored: `amount` was offered, limited by the maximum."""

    target: str
    amount: int
    hp_before: int
    hp_after: int
    source: str = ""
