"""Base class of the manual commands: the encounter, the default combatant and common fields."""

from __future__ import annotations

from typing import ClassVar

from turnwright.encounter.running import Combatant, Slot
from turnwright.play.kernel.commands import Command
from turnwright.play.queries.queries import clock_of
from turnwright.play.turn_order.initiative import slots_in_order
from turnwright.ui.dialogs.manual_command_dialog import ManualField, Options, Values
from turnwright.ui.document_model import DocumentModel
from turnwright.ui.translations import tr


class ManualCommandBase:
    """Base class of the manual commands."""

    id: ClassVar[str] = ""

    def __init__(self, bridge: DocumentModel) -> None:
        self._bridge = bridge

    def fields(self, values: Values) -> tuple[ManualField, ...]:
        """Return the fields of the form, given the values entered."""
        raise NotImplementedError

    def command(self, values: Values) -> Command | None:
        """Return the command for the values, None while something is missing."""
        raise NotImplementedError

    # Who ---------------------------------------------------------------------------------------------------------

    def default_combatant(self) -> str:
        """Return the selected combatant, else the active one; empty for none."""
        key = self._bridge.selection
        lookup = self._bridge.encounter
        if key is not None and key[0] == Combatant.table and lookup.get(Combatant, key[1]):
            return key[1]
        now = clock_of(lookup)
        active = lookup.get(Slot, now.active) if now.active else None
        return next((who for who in active.members if lookup.get(Combatant, who)), "") if active else ""

    def combatants(self) -> Options:
        """Return all combatants in turn order, those without a place last."""
        lookup = self._bridge.encounter
        seated = [who for slot in slots_in_order(lookup, self._bridge.rules) for who in slot.members]
        ids = dict.fromkeys((*(who for who in seated if lookup.get(Combatant, who)), *lookup.ids(Combatant)))
        return tuple((who, lookup.need(Combatant, who).label) for who in ids)

    def combatant_field(self) -> ManualField:
        """Return a field for one combatant, by default the selected or active one, else the first."""
        people = self.combatants()
        return ManualField("who", "choice", self.default_combatant() or next(iter(dict(people)), ""), people)

    def combatants_field(self) -> ManualField:
        """Return a field for several combatants, by default the selected or active one."""
        return ManualField(
            "combatants", "combatants", tuple(who for who in (self.default_combatant(),) if who), self.combatants()
        )

    def check_options(self, *, default: bool = False) -> Options:
        """Return the checks of the game as options."""
        data = self._bridge.rules.data
        named = [(f"{skill.ability}:{skill.id}", skill.name) for skill in data.skills]
        named += [(ability.id, ability.name) for ability in data.abilities]
        return (("", tr("ui.roster-entry.usual-check")), *named) if default else tuple(named)

    def named_options(self, prefix: str, values: tuple[str, ...]) -> Options:
        """Return options with their words, `ui.manual.<prefix>-<value>`."""
        return tuple((value, tr(f"ui.manual.{prefix}-{value or 'none'}")) for value in values)


def text_value(values: Values, id: str) -> str:
    """Return the text or chosen id of a field."""
    return str(values.get(id) or "").strip()


def number_value(values: Values, id: str) -> int | None:
    """Return the number in a field, None where it is blank."""
    value = values.get(id)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def combatant_ids(values: Values) -> tuple[str, ...]:
    """Return the chosen combatants' ids."""
    value = values.get("combatants")
    return value if isinstance(value, tuple) else ()
