"""The command that sets a combatant's position."""

from __future__ import annotations

from turnwright.encounter.field_specs import CombatantId, EnvironmentIds, SignedFeet
from turnwright.encounter.running import Combatant
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.state.position_changes import (
    clear_relations,
    elevation_under,
    end_movement_limited_effects,
    report_separated,
)
from turnwright.rules.parts.environment.areas import current_map
from turnwright.rules.parts.movement.riding import carried_by
from turnwright.rules.system import RuleSystem


@command(script="place {who} {place:rest} | enter {who} {outside:inside} | leave {who} {outside:outside}")
class SetPosition(Command, frozen=True):
    """Set a combatant's square, elevation or place in words, or put it inside or outside environments.

    None leaves a field unchanged.
    """

    who: CombatantId
    place: str | None = None
    position: tuple[int, int] | None = None
    outside: EnvironmentIds | None = None
    elevation: SignedFeet | None = None


def handle(command: SetPosition, tx: Transaction, rules: RuleSystem) -> None:
    """Set a combatant's position. On the map it is on the ground, unless an elevation is given.

    Its riders move with it, and so does everyone in an object that is a vehicle.
    """
    combatant = tx.need(Combatant, command.who)
    carried = carried_by(tx, rules, command.who) if command.position not in (None, combatant.position) else ()
    if command.position not in (None, combatant.position):
        end_movement_limited_effects(tx, rules, (command.who, *(rider.id for rider in carried)))
    elevation = command.elevation
    if elevation is None and command.position is not None and current_map(tx) is not None:
        elevation = elevation_under(tx, rules, command.who, command.position)
    tx.update(
        combatant,
        place=combatant.place if command.place is None else command.place,
        position=combatant.position if command.position is None else command.position,
        outside=combatant.outside if command.outside is None else command.outside,
        elevation=combatant.elevation if elevation is None else elevation,
    )
    if combatant.position is None or command.position is None or command.position == combatant.position:
        return
    across = command.position[0] - combatant.position[0], command.position[1] - combatant.position[1]
    raised = 0 if elevation is None else elevation - combatant.elevation
    for rider in carried:
        if rider.position is not None:
            square = rider.position[0] + across[0], rider.position[1] + across[1]
            tx.update(rider, position=square, elevation=rider.elevation + raised)
    movers = (command.who, *(rider.id for rider in carried))
    on_map = current_map(tx) is not None
    report_separated(tx, rules, command.who, clear_relations(tx, movers, on_map=on_map))
