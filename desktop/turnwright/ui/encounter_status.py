"""Status of the open encounter, from which the table of actions decides which actions are enabled."""

from __future__ import annotations

from turnwright.encounter.lookups import clock_of, is_encounter_running
from turnwright.encounter.procedure_state.asks import Prompt
from turnwright.encounter.running import Combatant, Dice, Effect, ShapeChange, Snapshot
from turnwright.play.kernel.events import Phrase
from turnwright.ui.document_model import DocumentModel


class EncounterStatus:
    """The status of the open document, read only."""

    def __init__(self, bridge: DocumentModel) -> None:
        self._bridge = bridge

    @property
    def phase(self) -> str:
        """The phase of the encounter: `preparing`, `set-up`, `rounds` or `ended`."""
        return clock_of(self._bridge.encounter).phase

    @property
    def may_surprise(self) -> bool:
        """Whether the encounter is in its set-up, in a game that has surprise."""
        return self.phase == "set-up" and self._bridge.rules.has_surprise

    @property
    def is_running(self) -> bool:
        """Whether the encounter is in its set-up or its rounds."""
        return is_encounter_running(self._bridge.encounter)

    @property
    def is_blocked(self) -> bool:
        """Whether a prompt holds up the turn order."""
        return any(prompt.blocks for prompt in self._bridge.encounter.all(Prompt))

    @property
    def has_prompts(self) -> bool:
        """Whether a prompt waits for an answer."""
        return bool(self._bridge.encounter.ids(Prompt))

    @property
    def has_turn(self) -> bool:
        """Whether there is a turn that may end now."""
        return self.phase == "rounds" and bool(clock_of(self._bridge.encounter).active) and not self.is_blocked

    @property
    def has_combatants(self) -> bool:
        """Whether the encounter has combatants, before, in or after the rounds."""
        return bool(self._bridge.encounter.ids(Combatant))

    @property
    def has_snapshots(self) -> bool:
        """Whether a snapshot of the fight was taken."""
        return bool(self._bridge.encounter.ids(Snapshot))

    @property
    def has_effects(self) -> bool:
        """Whether a combatant has an effect that the window shows."""
        return any(effect.shown and effect.target for effect in self._bridge.encounter.all(Effect))

    @property
    def has_waves(self) -> bool:
        """Whether the encounter is running and a wave is still to arrive."""
        if not self.is_running:
            return False
        from turnwright.play.spawning.waves import waiting_waves

        return bool(waiting_waves(self._bridge.encounter))

    @property
    def has_shapes(self) -> bool:
        """Whether a combatant is in a shape with hit points of its own."""
        return bool(self._bridge.encounter.ids(ShapeChange))

    @property
    def has_dead(self) -> bool:
        """Whether a combatant is dead."""
        return any(combatant.dead for combatant in self._bridge.encounter.all(Combatant))

    @property
    def dice_mode(self) -> str:
        """The source of die results: `ask` or `roll`."""
        return (self._bridge.encounter.get(Dice, "dice") or Dice()).mode

    @property
    def undo_label(self) -> Phrase | None:
        """The name of the step that undo would undo, None where there is none."""
        return self._bridge.document.session.undo_label

    @property
    def redo_label(self) -> Phrase | None:
        """The name of the step that redo would redo, None where there is none."""
        return self._bridge.document.session.redo_label
