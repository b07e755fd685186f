"""Popovers over the map: an obstacle, and the size of the map. Edits apply while typing; Esc closes them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from turnwright.encounter.prepared import Map
from turnwright.rules.parts.positions import default_cover
from turnwright.ui.docks.editing.bindings import ChildBinding, RecordBinding
from turnwright.ui.docks.editing.fields import CheckBoxField, ChoiceField, NumberInput, TextField
from turnwright.ui.docks.editing.form import Form
from turnwright.ui.docks.map.map_canvas import NAME
from turnwright.ui.document_model import DocumentModel
from turnwright.ui.fonts import GAP, scaled
from turnwright.ui.translations import tr
from turnwright.ui.widgets.text import plain_label, push_button

COVERS = ("none", "half", "three-quarters", "total")
MAX_SQUARES = 200
WIDTH = 280


class Popover(QFrame):
    """A framed form that floats beside an object of the map and closes when a person clicks elsewhere."""

    def __init__(self, title: str, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setProperty("floating", True)
        self.setAccessibleName(title)
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(scaled(12), scaled(10), scaled(12), scaled(12))
        self.column.setSpacing(scaled(GAP))
        self.column.addWidget(plain_label(title, "strong"))
        self.setFixedWidth(scaled(WIDTH))

    def open_at(self, place: QPoint) -> None:
        """Open below a point of the screen, entirely on the screen."""
        self.adjustSize()
        screen = QGuiApplication.screenAt(place) or self.screen()
        room, size = screen.availableGeometry(), self.sizeHint().expandedTo(QSize(scaled(WIDTH), 0))
        x = max(room.left(), min(place.x() + scaled(8), room.right() - size.width()))
        y = max(room.top(), min(place.y() + scaled(8), room.bottom() - size.height()))
        self.move(x, y)
        self.show()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.close()
        else:
            super().keyPressEvent(event)


class ObstaclePopover(Popover):
    """Edits an obstacle: name, cover, size, AC and hit points."""

    def __init__(self, bridge: DocumentModel, remove: Callable[[str], object], parent: QWidget) -> None:
        super().__init__(tr("ui.map.obstacle"), parent)
        self._remove = remove
        self.binding = _ObstacleBinding(bridge)
        self.form = Form(self.binding, self)
        self.form.add_row(("name", "ui.map.name", TextField()))
        self.form.add_row(
            ("cover", "ui.map.cover", ChoiceField([(one, tr(f"ui.map.cover-{one}")) for one in COVERS])),
            (
                "height",
                "ui.map.height",
                NumberInput(0, 500, tr("ui.map.unit-ft"), tr("ui.map.ceiling"), zero_is_blank=True),
            ),
        )
        self.form.add_row(
            ("ac", "ui.map.ac", NumberInput(0, 40, "", "–", zero_is_blank=True)),
            ("hp", "ui.map.hp", NumberInput(0, 999, "", "–", zero_is_blank=True)),
        )
        self.form.add_row(
            (
                "blocks",
                "ui.map.blocks",
                ChoiceField([(one, tr(f"ui.map.blocks-{one}")) for one in ("movement", "nothing")]),
            ),
        )
        self.size_form = Form(_SizeSubject(self.binding), self)
        self.size_form.add_row(
            ("wide", "ui.map.wide", NumberInput(1, MAX_SQUARES)),
            ("high", "ui.map.long", NumberInput(1, MAX_SQUARES)),
        )
        self.form.add_row(("flammable", "", CheckBoxField(tr("ui.map.flammable"))))
        self.form.add_row(("item", "", CheckBoxField(tr("ui.map.item"))))
        self.column.addWidget(self.form)
        self.column.addWidget(self.size_form)
        self.column.addWidget(push_button(tr("ui.map.remove-obstacle"), self._take_away, "quiet", "trash-can-outline"))
        bridge.changed.connect(lambda _changed: self.refresh() if self.isVisible() else None)

    def open_for(self, id: str, place: QPoint) -> None:
        """Open for an obstacle of the map."""
        self.binding.commit()
        self.binding.id = id
        self.refresh()
        self.open_at(place)
        self.form.focus_first()

    def refresh(self) -> None:
        """Show the obstacle as it now stands; close where it no longer exists."""
        if self.binding.value() is None:
            self.close()
            return
        self.form.refresh()
        self.size_form.refresh()

    def _take_away(self) -> None:
        self.close()
        self._remove(self.binding.id)


class SizePopover(Popover):
    """Edits the size of the map: columns, rows, the side of a square, and the counting of diagonals."""

    def __init__(self, bridge: DocumentModel, parent: QWidget) -> None:
        super().__init__(tr("ui.map.map-size"), parent)
        self.binding = RecordBinding(bridge, Map, NAME, Map.table)
        self.form = Form(self.binding, self)
        self.form.add_row(
            ("columns", "ui.map.columns", NumberInput(1, MAX_SQUARES)),
            ("rows", "ui.map.rows", NumberInput(1, MAX_SQUARES)),
        )
        diagonals = [(one, tr(f"ui.map.diagonals-{one}")) for one in ("equal", "alternating")]
        self.form.add_row(("cell", "ui.map.cell", NumberInput(1, 100, tr("ui.map.unit-ft"))))
        self.form.add_row(("diagonals", "ui.map.diagonals", ChoiceField(diagonals)))
        self.column.addWidget(self.form)
        bridge.changed.connect(lambda _changed: self.form.refresh() if self.isVisible() else None)

    def open_for(self, place: QPoint) -> None:
        """Open for the map as it now stands."""
        self.binding.commit()
        self.form.refresh()
        self.open_at(place)
        self.form.focus_first()


class _ObstacleBinding(ChildBinding):
    """Binding of an obstacle: a name that the game knows brings its cover."""

    def __init__(self, bridge: DocumentModel) -> None:
        super().__init__(RecordBinding(bridge, Map, NAME, Map.table), "obstacles")
        self._bridge = bridge

    def write(self, value: Any, field: str) -> None:
        """Write the edited obstacle; with its name, its default cover."""
        cover = default_cover(self._bridge.encounter, self._bridge.rules, value.name) if field == "name" else "none"
        super().write(value if cover == "none" else msgspec.structs.replace(value, cover=cover), field)


class _Size(msgspec.Struct, frozen=True):
    wide: int
    high: int


class _SizeSubject:
    """Binding of an obstacle's size as two numbers."""

    def __init__(self, part: ChildBinding) -> None:
        self._part = part

    @property
    def identity(self) -> str:
        """The obstacle's identity with the name of the field."""
        return f"{self._part.identity}.size"

    def value(self) -> Any:
        """Return the size, None where the obstacle no longer exists."""
        part = self._part.value()
        return _Size(*part.size) if part is not None else None

    def write(self, value: Any, field: str) -> None:
        """Write the size of the obstacle."""
        part = self._part.value()
        if part is not None:
            self._part.write(msgspec.structs.replace(part, size=(value.wide, value.high)), f"size.{field}")

    def commit(self) -> None:
        """End the current undo step: the next edit begins a new one."""
        self._part.commit()
