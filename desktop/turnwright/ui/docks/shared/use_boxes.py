"""A combatant's remaining limited uses: a box for each use, or a number if there are too many."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from turnwright.encounter.prepared import Creature
from turnwright.encounter.running import Track
from turnwright.ui.docks.shared.why_stat_block import uses_name
from turnwright.ui.look.style import SPACE, tr
from turnwright.ui.widgets.fields import NumberField
from turnwright.ui.widgets.layout import FlowRow, fill, holds_focus, horizontal, vertical
from turnwright.ui.widgets.records.resource_pips import PipGroup, ResourcePip, ResourcePips
from turnwright.ui.widgets.text import named, plain_label

MAX_BOXES = 10
MAX_NAME_LENGTH = 28


class UseBoxes(QWidget):
    """The limited uses of one combatant. Emits `changeRequested(track, left)` when the user changes the number left."""

    changeRequested = Signal(str, int)

    def __init__(self) -> None:
        super().__init__()
        self._pips = ResourcePips(self)
        self._pips.changeRequested.connect(self.changeRequested)
        self._row = FlowRow(self)
        self._numbers: dict[str, NumberField] = {}
        fill(vertical(self, spacing=SPACE), self._pips, self._row)

    def show_uses(
        self, creature: Creature, tracks: Sequence[Track], names: Mapping[str, str] = MappingProxyType({})
    ) -> None:
        """Show the boxes for these tracks. If the focused track is still shown, it keeps the focus.

        `names` are those of tracks that don't belong to the stat block.
        """
        boxes = [track for track in tracks if track.maximum <= MAX_BOXES]
        many = [track for track in tracks if track.maximum > MAX_BOXES]
        labels = [_short(names.get(box.name) or uses_name(creature, box.name)) for box in boxes]
        pips = zip(boxes, labels, strict=True)
        self._pips.set_pips([ResourcePip(box.name, label, box.value, box.maximum) for box, label in pips])
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
        """Return the boxes, or the number field, of a track."""
        return self._numbers[name] if name in self._numbers else self._pips.group(name)

    def focused_name(self) -> str:
        """Return the name of the track with the focus, or an empty string if there is none."""
        return self._pips.focused() or next((id for id, field in self._numbers.items() if holds_focus(field)), "")

    def _number(self, creature: Creature, track: Track) -> NumberField:
        name = uses_name(creature, track.name)
        field = named(NumberField(0, track.maximum), tr("ui.stat-block.left", what=name))
        field.valueEdited.connect(lambda value: self.changeRequested.emit(track.name, value))
        holder = QWidget()
        fill(horizontal(holder, spacing=SPACE), field, plain_label(_short(name)))
        self._row.add(holder)
        return field


def _short(name: str) -> str:
    return name if len(name) <= MAX_NAME_LENGTH else f"{name[: MAX_NAME_LENGTH - 1].rstrip()}…"
