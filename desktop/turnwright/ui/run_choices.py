"""The choices of the Run menu's actions that open a list: turns, ability checks and sudden actions."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from turnwright.encounter.running import Combatant, Slot
from turnwright.play.commands import CallForChecks, GoToTurn, JoinTurn, MarkOpener, SuddenAction
from turnwright.play.joining import may_join
from turnwright.play.procedures.order import turn_order
from turnwright.ui.bridge import Bridge
from turnwright.ui.say import say

Choice = tuple[str, str, Callable[[], object]]


def turn_choices(bridge: Bridge) -> list[Choice]:
    """Return the turns to go to, each as its combatants and its count; first the turn to join, where there is one."""
    along = may_join(bridge.encounter, bridge.rules)
    joining: list[Choice] = []
    if along is not None:
        text = say("ui.sudden.join", who=_names(bridge, along))
        joining.append((text, str(along.count), partial(bridge.do, JoinTurn(along.id))))
    return joining + [
        (_names(bridge, slot), str(slot.count), partial(bridge.do, GoToTurn(slot.id)))
        for slot in turn_order(bridge.encounter, bridge.rules)
    ]


def check_choices(bridge: Bridge) -> list[Choice]:
    """Return the ability checks to call for, of all combatants and of each side."""
    data = bridge.rules.catalogue
    checks = [(skill.name, f"{skill.ability}:{skill.id}") for skill in data.skills]
    checks += [(ability.name, ability.id) for ability in data.abilities]
    return [
        (name, side, partial(bridge.do, CallForChecks(who, check)))
        for side, who in _sides(bridge)
        for name, check in checks
    ]


def sudden_action_choices(bridge: Bridge) -> list[Choice]:
    """Return the sides, or the combatants, that may act before initiative."""
    found: list[Choice] = []
    for side, who in _sides(bridge)[1:]:
        text = say("ui.sudden.side", side=side)
        found.append((text, "", partial(bridge.do, SuddenAction(who))))
    found.append((say("ui.sudden.nobody"), "", partial(bridge.do, SuddenAction())))
    if bridge.rules.catalogue.initiative.opener:
        for combatant in bridge.encounter.all(Combatant):
            text = say("ui.sudden.opener", who=combatant.label)
            found.append((text, combatant.side, partial(bridge.do, MarkOpener(combatant.id))))
    return found


def _names(bridge: Bridge, slot: Slot) -> str:
    found = (bridge.encounter.get(Combatant, who) for who in slot.members)
    return ", ".join(combatant.label for combatant in found if combatant is not None)


def _sides(bridge: Bridge) -> list[tuple[str, tuple[str, ...]]]:
    """Return all combatants, then those of each side, with the words for them."""
    combatants = list(bridge.encounter.all(Combatant))
    sides = dict.fromkeys(combatant.side for combatant in combatants)
    named = [
        (_side_text(side), tuple(combatant.id for combatant in combatants if combatant.side == side)) for side in sides
    ]
    return [(say("ui.sides.everyone"), tuple(combatant.id for combatant in combatants)), *named]


def _side_text(side: str) -> str:
    """Return a side in words; a side that has none stands as it is written."""
    key = f"side.{side}"
    text = say(key)
    return side if text == key else text
