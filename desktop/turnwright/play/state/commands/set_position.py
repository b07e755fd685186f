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

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Set a combatant's position. On the map it is on the ground, unless an elevation is given.

        Its riders move with it, and so does everyone in an object that is a vehicle.
        """
        combatant = tx.need(Combatant, self.who)
        carried = carried_by(tx, rules, self.who) if self.position not in (None, combatant.position) else ()
        if self.position not in (None, combatant.position):
            end_movement_limited_effects(tx, rules, (self.who, *(rider.id for rider in carried)))
        elevation = self.elevation
        if elevation is None and self.position is not None and current_map(tx) is not None:
            elevation = elevation_under(tx, rules, self.who, self.position)
        tx.update(
            combatant,
            place=combatant.place if self.place is None else self.place,
            position=combatant.position if self.position is None else self.position,
            outside=combatant.outside if self.outside is None else self.outside,
            elevation=combatant.elevation if elevation is None else elevation,
        )
        if combatant.position is None or self.position is None or self.position == combatant.position:
            return
        across = self.position[0] - combatant.position[0], self.position[1] - combatant.position[1]
        raised = 0 if elevation is None else elevation - combatant.elevation
        for rider in carried:
            if rider.position is not None:
                square = rider.position[0] + across[0], rider.position[1] + across[1]
                tx.update(rider, position=square, elevation=rider.elevation + raised)
        movers = (self.who, *(rider.id for rider in carried))
        on_map = current_map(tx) is not None
        report_separated(tx, rules, self.who, clear_relations(tx, movers, on_map=on_map))
