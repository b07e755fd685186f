"""Events of attacks and features: attack rolls, criticals negated, objects damaged, features used."""

from __future__ import annotations

from turnwright.dice.roll import Modifier, Roll
from turnwright.encounter.field_specs import CombatantId, CombatantIds, WordKey
from turnwright.play.kernel.events import Event, journal


@journal("journal.feature_used", what="feature", save="save_word", n="count")
class FeatureUsed(Event, frozen=True):
    """A combatant or a group used a feature on some targets, with the DC of the save if there is one."""

    who: CombatantIds
    feature: str
    targets: CombatantIds = ()
    save: str = ""
    dc: int = 0
    numbers: int = 0

    @property
    def journal_key(self) -> str:
        """Return the key by whether there were targets and a save."""
        if not self.targets:
            return "journal.feature_used"
        return "journal.feature_used_on" + (("_save" if self.dc else "_open_save") if self.save else "")

    @property
    def count(self) -> int:
        """How many used it."""
        return len(self.who)

    @property
    def save_word(self) -> str:
        """The word key of the save."""
        return f"<save.{self.save}>"


@journal("journal.feature_reminded", kind="warn")
class FeatureReminded(Event, frozen=True):
    """The moment of a feature has come that nothing but a person can play; `text` is the beginning of its text."""

    who: CombatantId
    feature: str
    text: str = ""

    @property
    def journal_key(self) -> str:
        """Return the key by whether there is a text."""
        return "journal.feature_reminded" if self.text else "journal.feature_reminded_bare"


@journal("journal.feature_switched_off", kind="warn")
class FeatureSwitchedOff(Event, frozen=True):
    """A person wants no more of a feature that waits for its moment, in this encounter."""

    who: CombatantId
    feature: str


@journal("journal.feature_switched_on", kind="warn")
class FeatureSwitchedOn(Event, frozen=True):
    """A feature that was switched off plays again."""

    who: CombatantId
    feature: str


@journal("journal.attack_{outcome}", means="weapon", place="target", target="name", total="roll")
class Attacked(Event, frozen=True, rename={"weapon": "means"}):
    """An attack was rolled: `name` is the target's, `ac` what the roll had to meet, both empty where unknown.

    `defence` is what that AC is made of.
    `outcome` is `miss`, `fumble`, `hit` or `critical`. `guessed`: at the place where a hidden target was taken to be.
    """

    who: CombatantId
    weapon: str
    outcome: str
    target: str = ""
    name: str = ""
    roll: Roll | None = None
    ac: int | None = None
    defence: tuple[Modifier, ...] = ()
    guessed: bool = False

    @property
    def journal_key(self) -> str:
        """Return the key by the outcome, and by what is known of the target and the numbers."""
        if not self.name or (self.guessed and self.outcome == "miss"):
            return "journal.attack_missed_place"
        known = "_unsaid" if self.roll is None else "_rolled" if self.ac is None else ""
        return f"journal.attack_{self.outcome}{known}"

    @property
    def journal_kind(self) -> str:
        """Return the kind of a line about harm for a hit."""
        return "harm" if self.outcome in ("hit", "critical") else "plain"


@journal("journal.attack_failed", attacker="who", means="weapon")
class AttackFailed(Event, frozen=True, rename={"weapon": "means"}):
    """An attack that was set going came to nothing, for a reason (a word key with its parameters)."""

    who: CombatantId
    weapon: str
    reason: WordKey
    params: tuple[tuple[str, str | int], ...] = ()


@journal("journal.guess_wrong", kind="secret", when={"right": "journal.guess_right"}, total="roll")
class AttackGuessed(Event, frozen=True, tag="GuessMade"):
    """Whether a guess at a hidden target's place was right: for the game master alone."""

    who: CombatantId
    right: bool
    target: CombatantId = ""
    roll: Roll | None = None


@journal("journal.critical_{by}", kind="warn")
class CriticalNegated(Event, frozen=True, tag="CriticalBlocked"):
    """A target turned a critical hit into a normal hit: `by` is `shield` or `fatigue`."""

    who: CombatantId
    by: str


@journal("journal.thing_damaged", kind="harm", what="object_name")
class ObjectDamaged(Event, frozen=True, tag="ThingDamaged", rename={"object_name": "thing"}):
    """A thing on the map took damage and stands."""

    object_name: str
    amount: int
    left: int


@journal("journal.thing_broken", kind="harm", what="object_name")
class ObjectDestroyed(Event, frozen=True, tag="ThingBroken", rename={"object_name": "thing"}):
    """A thing on the map was destroyed."""

    object_name: str
    amount: int


@journal("journal.caught_fire", kind="world", what="object_name")
class CaughtFire(Event, frozen=True, rename={"object_name": "thing"}):
    """A thing began to burn."""

    object_name: str
