"""A field for damage types that a creature resists or is weak to, each with an amount."""

from __future__ import annotations

from typing import Any

from turnwright.rules.parts.combatants.facts import split_value
from turnwright.ui.docks.editing.compound_fields import NumberList
from turnwright.ui.docks.editing.fields import Options

DEFAULT_AMOUNT = 5


class DamageAmountsField(NumberList):
    """Damage types with amounts; the value is a tuple of `fire 5`, or of the bare type where there is no amount."""

    def __init__(self, options: Options, add: str) -> None:
        super().__init__(options, 0, lambda _id: DEFAULT_AMOUNT, add)

    def show_value(self, value: Any) -> None:
        """Show each type with its amount."""
        super().show_value(tuple(split_value(one) for one in value))

    def _edit(self, id: str, figure: int | None) -> None:
        amounts = dict(self._value)
        if figure is None:
            amounts.pop(id, None)
        else:
            amounts[id] = figure
        self.edited.emit(tuple(f"{kind} {amount}" if amount else kind for kind, amount in amounts.items()))
