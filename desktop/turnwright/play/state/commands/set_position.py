"""The command that sets where a combatant stands."""

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
from turnwright.rules.system import RuleSystem


@command(script="place {who} {place:rest} | enter {who} {outside:inside} | leave {who} {outside:outside}")
class SetPosition(Command, frozen=True):
    """Set a combatant's place in words, its square or elevation, or the environments that it is outside of.

    None leaves a field unchanged.
    """

    who: CombatantId
    place: str | None = None
    position: tuple[int, int] | None = None
    outside: EnvironmentIds | None = None
    elevation: SignedFeet | None = None


def handle(command: SetPosition, tx: Transaction, rules: RuleSystem) -> None:
    """Set where a combatant stands; on a square of the map it stands on the ground, unless an elevation is given."""
    combatant = tx.need(Combatant, command.who)
    if command.position not in (None, combatant.position):
        end_movement_limited_effects(tx, rules, command.who)
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
    if combatant.position is not None and command.position not in (None, combatant.position):
        report_separated(
            tx, rules, command.who, clear_relations(tx, (command.who,), on_map=current_map(tx) is not None)
        )
