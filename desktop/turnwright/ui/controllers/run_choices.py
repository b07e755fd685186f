"""Choices for the Run menu actions that open a list: turns, ability checks and sudden actions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType

from turnwright.encounter.running import Combatant, Slot
from turnwright.play.turn_order.called_checks import CallForChecks
from turnwright.play.turn_order.initiative import slots_in_order
from turnwright.play.turn_order.initiative_commands import SetFirstActor
from turnwright.play.turn_order.order_changes import joinable_slot
from turnwright.play.turn_order.surprise import ActBeforeInitiative
from turnwright.play.turns.turns import GoToTurn, JoinTurn
from turnwright.ui.look.translations import tr
from turnwright.ui.services.document_model import DocumentModel

Choice = tuple[str, str, Callable[[], object]]


def turn_choices(document: DocumentModel) -> list[Choice]:
    """Return all turns to jump to, with their combatants and counts, and the turn that can be joined, if any."""
    joinable = joinable_slot(document.encounter, document.rules)
    joining: list[Choice] = []
    if joinable is not None:
        text = tr("ui.sudden-action.join", who=_names(document, joinable))
        joining.append((text, str(joinable.count), partial(document.execute, JoinTurn(joinable.id))))
    return joining + [
        (_names(document, slot), str(slot.count), partial(document.execute, GoToTurn(slot.id)))
        for slot in slots_in_order(document.encounter)
    ]


def check_choices(document: DocumentModel) -> list[Choice]:
    """Return the ability checks that can be called for, each for all combatants and for one side."""
    data = document.rules.data
    checks = [(skill.name, f"{skill.ability}:{skill.id}") for skill in data.skills]
    checks += [(ability.name, ability.id) for ability in data.abilities]
    return [
        (name, side, partial(document.execute, CallForChecks(who, check)))
        for side, who in _sides(document)
        for name, check in checks
    ]


def sudden_action_choices(document: DocumentModel) -> list[Choice]:
    """Return the sides or the combatants that may act before initiative."""
    choices: list[Choice] = []
    for side, who in _sides(document)[1:]:
        text = tr("ui.sudden-action.side", side=side)
        choices.append((text, "", partial(document.execute, ActBeforeInitiative(who))))
    choices.append((tr("ui.sudden-action.no-advantage"), "", partial(document.execute, ActBeforeInitiative())))
    if document.rules.data.initiative.opener:
        for combatant in document.encounter.all(Combatant):
            text = tr("ui.sudden-action.opener", who=combatant.label)
            choices.append((text, combatant.side, partial(document.execute, SetFirstActor(combatant.id))))
    return choices


def _names(document: DocumentModel, slot: Slot) -> str:
    combatants = (document.encounter.get(Combatant, who) for who in slot.members)
    return ", ".join(combatant.label for combatant in combatants if combatant is not None)


def _sides(document: DocumentModel) -> list[tuple[str, tuple[str, ...]]]:
    """Return the label and the combatant ids of all combatants together, then of each side."""
    combatants = list(document.encounter.all(Combatant))
    sides = dict.fromkeys(combatant.side for combatant in combatants)
    groups = [
        (_side_text(side), tuple(combatant.id for combatant in combatants if combatant.side == side)) for side in sides
    ]
    return [(tr("ui.sides.everyone"), tuple(combatant.id for combatant in combatants)), *groups]


def _side_text(side: str) -> str:
    """Return the name of a side, or its id if it has none."""
    key = f"side.{side}"
    text = tr(key)
    return side if text == key else text


RUN_CHOICES: Mapping[str, Callable[[DocumentModel], list[Choice]]] = MappingProxyType(
    {"go-to-turn": turn_choices, "call-for-checks": check_choices, "sudden-action": sudden_action_choices}
)
