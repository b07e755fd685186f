"""Counts of the actions used in this fight. Creatures often repeat the actions of others of their kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from PySide6.QtCore import QObject

from turnwright.encounter.running import Combatant
from turnwright.play.attacks.events import FeatureUsed
from turnwright.play.kernel.events import Event
from turnwright.play.kernel.steps import Step
from turnwright.play.state.events import ActionTaken
from turnwright.play.turns.events import TurnStarted
from turnwright.ui.services.document_model import DocumentModel


class ActionUses(QObject):
    """Counts the uses of actions before the current turn, so that the list of actions isn't reordered during a turn."""

    def __init__(self, document: DocumentModel) -> None:
        super().__init__(document)
        self._document = document
        self._counted_to: Step | None = None
        self._counts: dict[str, Counter[str]] = {}
        document.documentChanged.connect(self._forget)

    def of(self, who: str) -> Mapping[str, int]:
        """Return how often creatures of a combatant's kind have used each action, keyed by the action's name."""
        steps = self._document.source.session.history.applied
        began = next((at for at in range(len(steps) - 1, -1, -1) if _starts_turn(steps[at])), 0)
        if steps and steps[began] is not self._counted_to:
            self._counted_to = steps[began]
            self._counts = self._counted(steps[:began])
        return self._counts.get(self._kind_of(who), Counter())

    def _counted(self, steps: Sequence[Step]) -> dict[str, Counter[str]]:
        counts: dict[str, Counter[str]] = {}
        for who, action in (used for step in steps for event in step.events for used in _uses(event)):
            counts.setdefault(self._kind_of(who), Counter())[action] += 1
        return counts

    def _kind_of(self, who: str) -> str:
        combatant = self._document.encounter.get(Combatant, who)
        return combatant.creature if combatant is not None else who

    def _forget(self) -> None:
        self._counted_to, self._counts = None, {}


def action_uses(document: DocumentModel) -> ActionUses:
    """Return the action counts of a document model, and create them on the first call."""
    return document.findChild(ActionUses) or ActionUses(document)


def _starts_turn(step: Step) -> bool:
    return any(isinstance(event, TurnStarted) for event in step.events)


def _uses(event: Event) -> Iterator[tuple[str, str]]:
    if isinstance(event, ActionTaken):
        yield event.who, event.action
    elif isinstance(event, FeatureUsed):
        yield from ((who, event.feature) for who in event.who[:1])
