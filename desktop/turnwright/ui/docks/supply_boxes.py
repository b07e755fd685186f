"""What somebody has left of slots, uses and the like: a box for each, or a number where there would be too many boxes."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from turnwright.encounter.prepared import Creature
from turnwright.encounter.running import Track
from turnwright.ui.docks.stat_answers import supply_name
from turnwright.ui.fonts import SPACE, px
from turnwright.ui.say import say
from turnwright.ui.widgets.fields import NumberField
from turnwright.ui.widgets.layout import FlowRow
from turnwright.ui.widgets.pips import Pip, PipGroup, Pips
from turnwright.ui.widgets.prompt_card import holds_focus
from turnwright.ui.widgets.text import plain_label

MOST_BOXES = 10
LONGEST = 28


class SupplyBoxes(QWidget):
    """The supplies of one combatant. `asked(track, left)` when a person wants another number left."""

    asked = Signal(str, int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._pips = Pips(self)
        self._pips.asked.connect(self.asked)
        self._row = FlowRow(self)
        self._numbers: dict[str, NumberField] = {}
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(px(SPACE))
        column.addWidget(self._pips)
        column.addWidget(self._row)

    def show_supplies(self, creature: Creature, tracks: Sequence[Track]) -> None:
        """Show these; one that stays keeps the focus."""
        boxes = [track for track in tracks if track.maximum <= MOST_BOXES]
        many = [track for track in tracks if track.maximum > MOST_BOXES]
        self._pips.set_pips(
            [Pip(one.name, _short(supply_name(creature, one.name)), one.value, one.maximum) for one in boxes]
        )
        self._pips.setVisible(bool(boxes))
        if [track.name for track in many] != list(self._numbers):
            self._row.clear()
            self._numbers = {track.name: self._number(creature, track) for track in many}
        for track in many:
            field = self._numbers[track.name]
            field.setRange(0, track.maximum)
            field.setSuffix(f" / {track.maximum}")
            field.set_number(track.value)
        self._row.setVisible(bool(many))
        self.setVisible(bool(tracks))

    def group(self, name: str) -> PipGroup | NumberField:
        """Return the boxes, or the number, of one supply."""
        return self._numbers[name] if name in self._numbers else self._pips.group(name)

    def focused(self) -> str:
        """Return the supply that has the focus, empty for none."""
        return self._pips.focused() or next((id for id, field in self._numbers.items() if holds_focus(field)), "")

    def _number(self, creature: Creature, track: Track) -> NumberField:
        name = supply_name(creature, track.name)
        field = NumberField(0, track.maximum)
        field.setAccessibleName(say("ui.stat-block.left", what=name))
        field.valueEdited.connect(lambda value: self.asked.emit(track.name, value))
        holder = QWidget()
        row = QHBoxLayout(holder)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(px(SPACE))
        row.addWidget(field)
        row.addWidget(plain_label(_short(name)))
        self._row.add(holder)
        return field


def _short(name: str) -> str:
    return name if len(name) <= LONGEST else f"{name[: LONGEST - 1].rstrip()}…"
