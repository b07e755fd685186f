"""The choices of the Run menu's actions that open a list: turns, ability checks and sudden actions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType

from turnwright.encounter.running import Combatant, Slot
from turnwright.play.turn_order.commands.act_before_initiative import ActBeforeInitiative
from turnwright.play.turn_order.commands.call_for_checks import CallForChecks
from turnwright.play.turn_order.commands.set_first_actor import SetFirstActor
from turnwright.play.turn_order.initiative import slots_in_order
from turnwright.play.turn_order.joint_turns import joinable_slot
from turnwright.play.turns.commands.go_to_turn import GoToTurn
from turnwright.play.turns.commands.join_turn import JoinTurn
from turnwright.ui.document_model import DocumentModel
from turnwright.ui.translations import tr

Choice = tuple[str, str, Callable[[], object]]


def turn_choices(bridge: DocumentModel) -> list[Choice]:
    """Return the turns to go to, each with its combatants and count; first the turn to join, if any."""
    along = joinable_slot(bridge.encounter, bridge.rules)
    joining: list[Choice] = []
    if along is not None:
        text = tr("ui.sudden-action.join", who=_names(bridge, along))
        joining.append((text, str(along.count), partial(bridge.execute, JoinTurn(along.id))))
    return joining + [
        (_names(bridge, slot), str(slot.count), partial(bridge.execute, GoToTurn(slot.id)))
        for slot in slots_in_order(bridge.encounter)
    ]


def check_choices(bridge: DocumentModel) -> list[Choice]:
    """Return the ability checks to call for, of all combatants and of each side."""
    data = bridge.rules.data
    checks = [(skill.name, f"{skill.ability}:{skill.id}") for skill in data.skills]
    checks += [(ability.name, ability.id) for ability in data.abilities]
    return [
        (name, side, partial(bridge.execute, CallForChecks(who, check)))
        for side, who in _sides(bridge)
        for name, check in checks
    ]


def sudden_action_choices(bridge: DocumentModel) -> list[Choice]:
    """Return the sides, or the combatants, that may act before initiative."""
    found: list[Choice] = []
    for side, who in _sides(bridge)[1:]:
        text = tr("ui.sudden-action.side", side=side)
        found.append((text, "", partial(bridge.execute, ActBeforeInitiative(who))))
    found.append((tr("ui.sudden-action.no-advantage"), "", partial(bridge.execute, ActBeforeInitiative())))
    if bridge.rules.data.initiative.opener:
        for combatant in bridge.encounter.all(Combatant):
            text = tr("ui.sudden-action.opener", who=combatant.label)
            found.append((text, combatant.side, partial(bridge.execute, SetFirstActor(combatant.id))))
    return found


def _names(bridge: DocumentModel, slot: Slot) -> str:
    found = (bridge.encounter.get(Combatant, who) for who in slot.members)
    return ", ".join(combatant.label for combatant in found if combatant is not None)


def _sides(bridge: DocumentModel) -> list[tuple[str, tuple[str, ...]]]:
    """Return all combatants, then those of each side, with the words for them."""
    combatants = list(bridge.encounter.all(Combatant))
    sides = dict.fromkeys(combatant.side for combatant in combatants)
    named = [
        (_side_text(side), tuple(combatant.id for combatant in combatants if combatant.side == side)) for side in sides
    ]
    return [(tr("ui.sides.everyone"), tuple(combatant.id for combatant in combatants)), *named]


def _side_text(side: str) -> str:
    """Return a side in words; a side that has none stands as it is written."""
    key = f"side.{side}"
    text = tr(key)
    return side if text == key else text


RUN_CHOICES: Mapping[str, Callable[[DocumentModel], list[Choice]]] = MappingProxyType(
    {"go-to-turn": turn_choices, "call-for-checks": check_choices, "sudden-action": sudden_action_choices}
)
