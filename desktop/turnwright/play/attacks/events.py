"""Events of attacks and features: attack rolls, negated criticals, damaged objects, used features."""

from __future__ import annotations

from turnwright.dice.roll import Modifier, Roll
from turnwright.encounter.field_specs import CombatantId, CombatantIds, WordKey
from turnwright.play.kernel.events import Event, journal


@journal("journal.feature_used", what="feature", save="save_word", n="count")
class FeatureUsed(Event, frozen=True):
    """A combatant or a group used a feature on its targets. `dc` is the DC of the save, if there is one."""

    who: CombatantIds
    feature: str
    targets: CombatantIds = ()
    save: str = ""
    dc: int = 0
    numbers: int = 0

    @property
    def journal_key(self) -> str:
        """Return the word key, which depends on whether there are targets and a save."""
        if not self.targets:
            return "journal.feature_used"
        return "journal.feature_used_on" + (("_save" if self.dc else "_open_save") if self.save else "")

    @property
    def count(self) -> int:
        """The number of users."""
        return len(self.who)

    @property
    def save_word(self) -> str:
        """The word key of the save."""
        return f"<save.{self.save}>"


@journal("journal.feature_reminded", kind="warn")
class FeatureReminded(Event, frozen=True):
    """A feature that only the user can apply has been triggered; `text` is the beginning of its text."""

    who: CombatantId
    feature: str
    text: str = ""

    @property
    def journal_key(self) -> str:
        """Return the word key, which depends on whether there is a text."""
        return "journal.feature_reminded" if self.text else "journal.feature_reminded_bare"


@journal("journal.feature_switched_off", kind="warn")
class FeatureSwitchedOff(Event, frozen=True):
    """A triggered feature was switched off for this encounter."""

    who: CombatantId
    feature: str


@journal("journal.feature_switched_on", kind="warn")
class FeatureSwitchedOn(Event, frozen=True):
    """A feature was switched on again."""

    who: CombatantId
    feature: str


@journal("journal.attack_{outcome}", means="weapon", place="target", target="name", total="roll")
class Attacked(Event, frozen=True, rename={"weapon": "means"}):
    """An attack was rolled against the target `name` and its `ac`; both are empty if unknown.

    `defence` lists the parts of that AC. `outcome` is `miss`, `fumble`, `hit` or `critical`. `guessed`: the attacker
    guessed a hidden target's square.
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
        """Return the word key, which depends on the outcome and on whether the target and the numbers are known."""
        if not self.name or (self.guessed and self.outcome == "miss"):
            return "journal.attack_missed_place"
        suffix = "_unsaid" if self.roll is None else "_rolled" if self.ac is None else ""
        return f"journal.attack_{self.outcome}{suffix}"

    @property
    def journal_kind(self) -> str:
        """Return the journal kind `harm` if the attack hit, otherwise `plain`."""
        return "harm" if self.outcome in ("hit", "critical") else "plain"


@journal("journal.attack_failed", attacker="who", means="weapon")
class AttackFailed(Event, frozen=True, rename={"weapon": "means"}):
    """An attack could not be made, for a reason (a word key with its parameters)."""

    who: CombatantId
    weapon: str
    reason: WordKey
    params: tuple[tuple[str, str | int], ...] = ()


@journal("journal.guess_wrong", kind="secret", when={"right": "journal.guess_right"}, total="roll")
class AttackGuessed(Event, frozen=True, tag="GuessMade"):
    """The square of a hidden target was guessed; `right` if correctly. Only the game master sees it."""

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
    """An object on the map took damage without breaking."""

    object_name: str
    amount: int
    left: int


@journal("journal.thing_broken", kind="harm", what="object_name")
class ObjectDestroyed(Event, frozen=True, tag="ThingBroken", rename={"object_name": "thing"}):
    """An object on the map was destroyed."""

    object_name: str
    amount: int


@journal("journal.caught_fire", kind="world", what="object_name")
class CaughtFire(Event, frozen=True, rename={"object_name": "thing"}):
    """An object caught fire."""

    object_name: str
