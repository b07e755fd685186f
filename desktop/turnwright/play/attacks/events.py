"""Events of attacks and used features, which several modules emit or read."""

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


@journal("journal.attack_{outcome}", means="weapon", place="target", target="name", total="roll")
class Attacked(Event, frozen=True):
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
class AttackFailed(Event, frozen=True):
    """An attack could not be made, for a reason (a word key with its parameters)."""

    who: CombatantId
    weapon: str
    reason: WordKey
    params: tuple[tuple[str, str | int], ...] = ()
