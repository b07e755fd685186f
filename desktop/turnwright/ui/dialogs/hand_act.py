"""What all that is said by hand has in common: an encounter, who is meant unless a person says otherwise, and words."""

from __future__ import annotations

from typing import ClassVar

from turnwright.encounter.running import Combatant, Slot
from turnwright.play.commands import Command
from turnwright.play.inquiries import clock
from turnwright.play.procedures.order import turn_order
from turnwright.ui.bridge import Bridge
from turnwright.ui.dialogs.hand_form import Item, Options, Values
from turnwright.ui.say import say


class ByHand:
    """What all these have in common: an encounter, and who is meant unless a person says otherwise."""

    id: ClassVar[str] = ""

    def __init__(self, bridge: Bridge) -> None:
        self._bridge = bridge

    def items(self, values: Values) -> tuple[Item, ...]:
        """Return what is asked."""
        raise NotImplementedError

    def command(self, values: Values) -> Command | None:
        """Return what was said as a command."""
        raise NotImplementedError

    # Who ---------------------------------------------------------------------------------------------------------

    def meant(self) -> str:
        """Return who is selected, else who acts; empty for nobody."""
        key = self._bridge.selection
        lookup = self._bridge.encounter
        if key is not None and key[0] == Combatant.table and lookup.get(Combatant, key[1]):
            return key[1]
        now = clock(lookup)
        active = lookup.get(Slot, now.active) if now.active else None
        return next((who for who in active.members if lookup.get(Combatant, who)), "") if active else ""

    def everybody(self) -> Options:
        """Return all who are there, in the order in which they act, those without a place last."""
        lookup = self._bridge.encounter
        seated = [who for slot in turn_order(lookup, self._bridge.rules) for who in slot.members]
        ids = dict.fromkeys((*(who for who in seated if lookup.get(Combatant, who)), *lookup.ids(Combatant)))
        return tuple((who, lookup.need(Combatant, who).label) for who in ids)

    def one(self) -> Item:
        """Ask for one of those who are there: whoever is meant, or the first, to begin with."""
        people = self.everybody()
        return Item("who", "choice", self.meant() or next(iter(dict(people)), ""), people)

    def some(self) -> Item:
        """Ask for some of those who are there: whoever is meant, to begin with."""
        return Item("people", "people", tuple(who for who in (self.meant(),) if who), self.everybody())

    def checks(self, *, usual: bool = False) -> Options:
        """Return the checks that can be asked for."""
        data = self._bridge.rules.catalogue
        named = [(f"{skill.ability}:{skill.id}", skill.name) for skill in data.skills]
        named += [(ability.id, ability.name) for ability in data.abilities]
        return (("", say("ui.place.usual-check")), *named) if usual else tuple(named)

    def named(self, prefix: str, values: tuple[str, ...]) -> Options:
        """Return words for some values, `ui.hand.<prefix>-<value>`."""
        return tuple((value, say(f"ui.hand.{prefix}-{value or 'none'}")) for value in values)


def text_of(values: Values, id: str) -> str:
    """Return what is written or chosen in a field."""
    return str(values.get(id) or "").strip()


def number_of(values: Values, id: str) -> int | None:
    """Return the number in a field, None where it is blank."""
    value = values.get(id)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def people_of(values: Values) -> tuple[str, ...]:
    """Return those who are chosen."""
    value = values.get("people")
    return value if isinstance(value, tuple) else ()
