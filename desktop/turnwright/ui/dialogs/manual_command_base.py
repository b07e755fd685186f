"""What all that is said by hand has in common: an encounter, who is meant unless a person says otherwise, and words."""

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
    """What all these have in common: an encounter, and who is meant unless a person says otherwise."""

    id: ClassVar[str] = ""

    def __init__(self, bridge: DocumentModel) -> None:
        self._bridge = bridge

    def fields(self, values: Values) -> tuple[ManualField, ...]:
        """Return what is asked."""
        raise NotImplementedError

    def command(self, values: Values) -> Command | None:
        """Return what was said as a command."""
        raise NotImplementedError

    # Who ---------------------------------------------------------------------------------------------------------

    def default_combatant(self) -> str:
        """Return who is selected, else who acts; empty for nobody."""
        key = self._bridge.selection
        lookup = self._bridge.encounter
        if key is not None and key[0] == Combatant.table and lookup.get(Combatant, key[1]):
            return key[1]
        now = clock_of(lookup)
        active = lookup.get(Slot, now.active) if now.active else None
        return next((who for who in active.members if lookup.get(Combatant, who)), "") if active else ""

    def combatants(self) -> Options:
        """Return all who are there, in the order in which they act, those without a place last."""
        lookup = self._bridge.encounter
        seated = [who for slot in slots_in_order(lookup, self._bridge.rules) for who in slot.members]
        ids = dict.fromkeys((*(who for who in seated if lookup.get(Combatant, who)), *lookup.ids(Combatant)))
        return tuple((who, lookup.need(Combatant, who).label) for who in ids)

    def combatant_field(self) -> ManualField:
        """Ask for one of those who are there: whoever is meant, or the first, to begin with."""
        people = self.combatants()
        return ManualField("who", "choice", self.default_combatant() or next(iter(dict(people)), ""), people)

    def combatants_field(self) -> ManualField:
        """Ask for some of those who are there: whoever is meant, to begin with."""
        return ManualField(
            "combatants", "combatants", tuple(who for who in (self.default_combatant(),) if who), self.combatants()
        )

    def check_options(self, *, default: bool = False) -> Options:
        """Return the checks that can be asked for."""
        data = self._bridge.rules.data
        named = [(f"{skill.ability}:{skill.id}", skill.name) for skill in data.skills]
        named += [(ability.id, ability.name) for ability in data.abilities]
        return (("", tr("ui.roster-entry.usual-check")), *named) if default else tuple(named)

    def named_options(self, prefix: str, values: tuple[str, ...]) -> Options:
        """Return words for some values, `ui.manual.<prefix>-<value>`."""
        return tuple((value, tr(f"ui.manual.{prefix}-{value or 'none'}")) for value in values)


def text_value(values: Values, id: str) -> str:
    """Return what is written or chosen in a field."""
    return str(values.get(id) or "").strip()


def number_value(values: Values, id: str) -> int | None:
    """Return the number in a field, None where it is blank."""
    value = values.get(id)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def combatant_ids(values: Values) -> tuple[str, ...]:
    """Return those who are chosen."""
    value = values.get("combatants")
    return value if isinstance(value, tuple) else ()
