"""Small windows over the map: what an obstacle is, and how large the map is. They write as one types, and Esc closes them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from turnwright.encounter.prepared import Map
from turnwright.ui.bridge import Bridge
from turnwright.ui.docks.editing.fields import ChoiceField, NumberBox, SwitchField, TextField
from turnwright.ui.docks.editing.form import Form
from turnwright.ui.docks.editing.subjects import PartSubject, RecordSubject
from turnwright.ui.docks.map.stage import NAME
from turnwright.ui.fonts import GAP, px
from turnwright.ui.say import say
from turnwright.ui.widgets.text import plain_label, push_button

COVERS = ("none", "half", "three-quarters", "total")
LARGEST = 200
WIDTH = 280


class Popover(QFrame):
    """A framed form that floats beside what it is about and closes when a person clicks elsewhere."""

    def __init__(self, title: str, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setProperty("floating", True)
        self.setAccessibleName(title)
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(px(12), px(10), px(12), px(12))
        self.column.setSpacing(px(GAP))
        self.column.addWidget(plain_label(title, "strong"))
        self.setFixedWidth(px(WIDTH))

    def open_at(self, place: QPoint) -> None:
        """Open below a point of the screen, wholly on it."""
        self.adjustSize()
        screen = QGuiApplication.screenAt(place) or self.screen()
        room, size = screen.availableGeometry(), self.sizeHint().expandedTo(QSize(px(WIDTH), 0))
        x = max(room.left(), min(place.x() + px(8), room.right() - size.width()))
        y = max(room.top(), min(place.y() + px(8), room.bottom() - size.height()))
        self.move(x, y)
        self.show()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.close()
        else:
            super().keyPressEvent(event)


class ObstaclePopover(Popover):
    """What an obstacle is called, what shelter it gives, and what it takes to break it."""

    def __init__(self, bridge: Bridge, remove: Callable[[str], object], parent: QWidget) -> None:
        super().__init__(say("ui.map.obstacle"), parent)
        self._remove = remove
        self.subject = PartSubject(RecordSubject(bridge, Map, NAME, Map.table), "obstacles")
        self.form = Form(self.subject, self)
        self.form.row(("name", "ui.map.name", TextField()))
        self.form.row(
            ("cover", "ui.map.cover", ChoiceField([(one, say(f"ui.map.cover-{one}")) for one in COVERS])),
            (
                "height",
                "ui.map.height",
                NumberBox(0, 500, say("ui.map.unit-ft"), say("ui.map.ceiling"), zero_is_blank=True),
            ),
        )
        self.form.row(
            ("ac", "ui.map.ac", NumberBox(0, 40, "", "–", zero_is_blank=True)),
            ("hp", "ui.map.hp", NumberBox(0, 999, "", "–", zero_is_blank=True)),
        )
        self.form.row(
            (
                "blocks",
                "ui.map.blocks",
                ChoiceField([(one, say(f"ui.map.blocks-{one}")) for one in ("movement", "nothing")]),
            ),
        )
        self.size_form = Form(_SizeSubject(self.subject), self)
        self.size_form.row(
            ("wide", "ui.map.wide", NumberBox(1, LARGEST)),
            ("high", "ui.map.long", NumberBox(1, LARGEST)),
        )
        self.form.row(("flammable", "", SwitchField(say("ui.map.flammable"))))
        self.form.row(("item", "", SwitchField(say("ui.map.item"))))
        self.column.addWidget(self.form)
        self.column.addWidget(self.size_form)
        self.column.addWidget(push_button(say("ui.map.remove-obstacle"), self._take_away, "quiet", "trash-can-outline"))
        bridge.changed.connect(lambda _changed: self.refresh() if self.isVisible() else None)

    def open_for(self, id: str, place: QPoint) -> None:
        """Open for an obstacle of the map."""
        self.subject.settle()
        self.subject.id = id
        self.refresh()
        self.open_at(place)
        self.form.focus_first()

    def refresh(self) -> None:
        """Show the obstacle as it now stands; without one there is nothing to show."""
        if self.subject.value() is None:
            self.close()
            return
        self.form.refresh()
        self.size_form.refresh()

    def _take_away(self) -> None:
        self.close()
        self._remove(self.subject.id)


class SizePopover(Popover):
    """How many columns and rows, how wide a square is, and how diagonals are counted."""

    def __init__(self, bridge: Bridge, parent: QWidget) -> None:
        super().__init__(say("ui.map.map-size"), parent)
        self.subject = RecordSubject(bridge, Map, NAME, Map.table)
        self.form = Form(self.subject, self)
        self.form.row(
            ("columns", "ui.map.columns", NumberBox(1, LARGEST)),
            ("rows", "ui.map.rows", NumberBox(1, LARGEST)),
        )
        diagonals = [(one, say(f"ui.map.diagonals-{one}")) for one in ("equal", "alternating")]
        self.form.row(("cell", "ui.map.cell", NumberBox(1, 100, say("ui.map.unit-ft"))))
        self.form.row(("diagonals", "ui.map.diagonals", ChoiceField(diagonals)))
        self.column.addWidget(self.form)
        bridge.changed.connect(lambda _changed: self.form.refresh() if self.isVisible() else None)

    def open_for(self, place: QPoint) -> None:
        """Open for the map as it now stands."""
        self.subject.settle()
        self.form.refresh()
        self.open_at(place)
        self.form.focus_first()


class _Size(msgspec.Struct, frozen=True):
    wide: int
    high: int


class _SizeSubject:
    """An obstacle's size as two numbers."""

    def __init__(self, part: PartSubject) -> None:
        self._part = part

    @property
    def identity(self) -> str:
        """The obstacle's, and that it is about its size."""
        return f"{self._part.identity}.size"

    def value(self) -> Any:
        """Return the size, None where the obstacle is gone."""
        part = self._part.value()
        return _Size(*part.size) if part is not None else None

    def put(self, value: Any, field: str) -> None:
        """Give the obstacle another size."""
        part = self._part.value()
        if part is not None:
            self._part.put(msgspec.structs.replace(part, size=(value.wide, value.high)), f"size.{field}")

    def settle(self) -> None:
        """Let the next edit be a step of its own."""
        self._part.settle()
