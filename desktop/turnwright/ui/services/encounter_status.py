"""Status of the open encounter, which determines the actions that are enabled."""

import msgspec

from turnwright.encounter.procedure_state.asks import Prompt
from turnwright.encounter.running import Combatant, Dice, Effect
from turnwright.encounter.state import RECORD_TYPES, clock_of, is_encounter_empty, is_encounter_running
from turnwright.play.kernel.events import Phrase
from turnwright.ui.services.document_model import DocumentModel

ANSWER = "answer"  # the action that goes to the first open question


class RunStatus(msgspec.Struct, frozen=True):
    """Contents of the tool bar: a large headline, muted facts next to it, and the id of the next action.

    `words` replaces the action's name unless it is empty. The button is hidden if `next` is empty.
    """

    headline: str
    facts: str
    next: str
    words: str = ""


class EncounterStatus:
    """Read-only status of the open document."""

    def __init__(self, document: DocumentModel) -> None:
        self._document = document

    @property
    def has_file(self) -> bool:
        """Whether the document has a file."""
        return self._document.source.path is not None

    @property
    def is_unused(self) -> bool:
        """Whether the encounter has no file and no content yet."""
        return not self.has_file and is_encounter_empty(self._document.encounter)

    @property
    def phase(self) -> str:
        """The phase of the encounter: `preparing`, `set-up`, `rounds` or `ended`."""
        return clock_of(self._document.encounter).phase

    @property
    def can_begin(self) -> bool:
        """Whether the first round can begin: no prompt blocks the set-up."""
        return self.phase == "set-up" and not self.is_blocked

    @property
    def may_surprise(self) -> bool:
        """Whether the encounter is in set-up and the rule system has surprise."""
        return self.phase == "set-up" and self._document.rules.has_surprise

    @property
    def is_running(self) -> bool:
        """Whether the encounter is in set-up or in rounds."""
        return is_encounter_running(self._document.encounter)

    @property
    def is_blocked(self) -> bool:
        """Whether a prompt blocks the turn order."""
        return any(prompt.blocks for prompt in self._document.encounter.all(Prompt))

    @property
    def has_prompts(self) -> bool:
        """Whether a prompt is open."""
        return bool(self._document.encounter.ids(Prompt))

    @property
    def has_turn(self) -> bool:
        """Whether there is an active turn that can end now."""
        return self.phase == "rounds" and bool(clock_of(self._document.encounter).active) and not self.is_blocked

    @property
    def is_answerable(self) -> bool:
        """Whether there is a prompt to answer or a turn to end, or the fight has ended."""
        return self.has_prompts or self.has_turn or self.phase == "ended"

    def has(self, table: str) -> bool:
        """Whether the encounter has records in a table, such as `combatants`, in any phase."""
        return bool(self._document.encounter.ids(RECORD_TYPES[table]))

    @property
    def has_effects(self) -> bool:
        """Whether a combatant has an effect that the window shows."""
        return any(effect.shown and effect.target for effect in self._document.encounter.all(Effect))

    @property
    def has_waves(self) -> bool:
        """Whether the encounter is running and a wave hasn't arrived yet."""
        if not self.is_running:
            return False
        from turnwright.play.spawning.spawning import waiting_waves

        return bool(waiting_waves(self._document.encounter))

    @property
    def has_dead(self) -> bool:
        """Whether a combatant is dead."""
        return any(combatant.dead for combatant in self._document.encounter.all(Combatant))

    @property
    def dice_mode(self) -> str:
        """The source of die results: `ask` or `roll`."""
        return (self._document.encounter.get(Dice, "dice") or Dice()).mode

    @property
    def undo_label(self) -> Phrase | None:
        """The name of the next step to undo, or None if there is none."""
        return (self._document.side_history or self._document.source.session).undo_label

    @property
    def redo_label(self) -> Phrase | None:
        """The name of the next step to redo, or None if there is none."""
        return (self._document.side_history or self._document.source.session).redo_label
