"""Events of attacks and features: attack rolls, criticals negated, objects damaged, features used."""

from __future__ import annotations

from turnwright.dice.roll import Modifier, Roll
from turnwright.play.kernel.events import Event


class FeatureUsed(Event, frozen=True):
    """A combatant or a group used a feature on some targets, with the DC of the save if there is one."""

    who: tuple[str, ...]
    feature: str
    targets: tuple[str, ...] = ()
    save: str = ""
    dc: int = 0
    numbers: int = 0


class Attacked(Event, frozen=True, rename={"weapon": "means"}):
    """An attack was rolled: `name` is the target's, `ac` what the roll had to meet, both empty where unknown.

    `defence` is what that AC is made of.
    `outcome` is `miss`, `fumble`, `hit` or `critical`. `guessed`: at the place where a hidden target was taken to be.
    """

    who: str
    weapon: str
    outcome: str
    target: str = ""
    name: str = ""
    roll: Roll | None = None
    ac: int | None = None
    defence: tuple[Modifier, ...] = ()
    guessed: bool = False


class AttackFailed(Event, frozen=True, rename={"weapon": "means"}):
    """An attack that was set going came to nothing, for a reason (a word key with its parameters)."""

    who: str
    weapon: str
    reason: str
    params: tuple[tuple[str, str | int], ...] = ()


class AttackGuessed(Event, frozen=True, tag="GuessMade"):
    """Whether a guess at a hidden target's place was right: for the game master alone."""

    who: str
    right: bool
    target: str = ""
    roll: Roll | None = None


class CriticalNegated(Event, frozen=True, tag="CriticalBlocked"):
    """A target turned a critical hit into a normal hit: `by` is `shield` or `fatigue`."""

    who: str
    by: str


class ObjectDamaged(Event, frozen=True, tag="ThingDamaged", rename={"object_name": "thing"}):
    """A thing on the map took damage and stands."""

    object_name: str
    amount: int
    left: int


class ObjectDestroyed(Event, frozen=True, tag="ThingBroken", rename={"object_name": "thing"}):
    """A thing on the map was destroyed."""

    object_name: str
    amount: int


class CaughtFire(Event, frozen=True, rename={"object_name": "thing"}):
    """A thing began to burn."""

    object_name: str
