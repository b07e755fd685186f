"""Events of declared actions, group checks and checks against the environment."""

from __future__ import annotations

from turnwright.dice.roll import Roll
from turnwright.encounter.field_specs import CheckId, CombatantId, CombatantIds, EntryId, EnvironmentId, WordKey
from turnwright.play.kernel.events import Event, journal


@journal("journal.action_announced", when={"of": "journal.announced_answer"})
class ActionDeclared(Event, frozen=True, tag="ActionAnnounced"):
    """A combatant declared an action, perhaps as a reaction to the declared action of another combatant (`of`)."""

    who: CombatantId
    action: str
    answers: str = ""
    of: CombatantId = ""

    @property
    def is_bookkeeping(self) -> bool:
        """Whether this is the first declaration. Its result and each reaction have separate journal lines."""
        return self.bookkeeping or not self.of


@journal("journal.undone", why="reason")
class ActionCancelled(Event, frozen=True, tag="Undone"):
    """A declared action was cancelled and its cost spent. `reason` is a word key."""

    who: CombatantId
    action: str
    reason: WordKey
    params: tuple[tuple[str, str | int], ...] = ()


@journal("journal.kept")
class ActionKept(Event, frozen=True, tag="Kept"):
    """A combatant kept the declared action that a feature disrupted."""

    who: CombatantId
    action: str
    source: str


@journal("journal.group_checked", when={"numbers": "journal.group_checked_numbers"}, result="result")
class GroupChecked(Event, frozen=True):
    """One roll counted for a whole group; `numbers` is the bonus for the group's size, included in the total."""

    who: CombatantIds
    check: CheckId
    total: int
    numbers: int = 0
    passed: bool | None = None
    dc: int = 0
    roll: Roll | None = None

    @property
    def result(self) -> str:
        """The word key of the result against a DC, or an empty string without a DC."""
        return "" if self.passed is None else f"<journal.group_{'passed' if self.passed else 'failed'}>"


@journal("journal.entry_failed", kind="world", what="entry")
class EntryFailed(Event, frozen=True):
    """An attempt to use a feature or action of an environment failed. `reason` is a word key."""

    environment: EnvironmentId
    entry: EntryId
    reason: WordKey
    actor: CombatantId = ""


@journal("journal.found", kind="world", when={"secret": "journal.found_secret"}, what="entry")
class EnvironmentCheckPassed(Event, frozen=True, tag="Found"):
    """A check on an environment entry succeeded. `secret`: the entry was hidden until now."""

    environment: EnvironmentId
    entry: EntryId
    who: CombatantId
    secret: bool = False


@journal("journal.reflected_astray", kind="world", when={"to_caster": "journal.reflected"}, what="entry")
class SpellReflected(Event, frozen=True, tag="Reflected", rename={"to_caster": "back"}):
    """A mirror reflected a spell at its caster or, if not `to_caster`, into an empty square. The mirror broke."""

    environment: EnvironmentId
    entry: EntryId
    who: CombatantId
    caster: CombatantId
    to_caster: bool
