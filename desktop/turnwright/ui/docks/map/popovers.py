"""Popovers for editing an obstacle or the size of the map. Edits apply while typing; Esc closes the popover."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QWidget

from turnwright.encounter.field_specs import spec_of
from turnwright.encounter.prepared import Map, NamedNumbers, Obstacle, Point
from turnwright.rules.parts.positions import default_cover
from turnwright.ui.forms.bindings import Binding, ChildBinding, RecordBinding
from turnwright.ui.forms.compound_fields import NumbersField
from turnwright.ui.forms.fields import ChoiceField, NumberInput
from turnwright.ui.forms.form import Form, FormLayout, Row, with_caption
from turnwright.ui.forms.kinds import FormContext, number
from turnwright.ui.look.translations import tr
from turnwright.ui.services.document_model import DocumentModel
from turnwright.ui.widgets.layout import horizontal
from turnwright.ui.widgets.popover import Popover
from turnwright.ui.widgets.text import push_button

COVERS = ("none", "half", "three-quarters", "total")
MAX_SQUARES = spec_of(Map, "columns").most


class FormPopover(Popover):
    """A form over a part of the map."""

    def __init__(
        self, title: str, layout: FormLayout, binding: Binding, document: DocumentModel, parent: QWidget
    ) -> None:
        super().__init__(title, parent)
        self.form = Form(layout, binding, FormContext.of(document), self)
        self.column.addWidget(self.form)
        document.changed.connect(lambda _changed: self.refresh() if self.isVisible() else None)

    def open_for(self, place: QPoint) -> None:
        """Show the current values and open at a position."""
        self.form.binding.commit()
        self.refresh()
        self.open_at(place)
        self.form.focus_first()

    def refresh(self) -> None:
        """Show the current values, or close if the edited part no longer exists."""
        if self.form.binding.value() is None:
            self.close()
        else:
            self.form.refresh()


class ObstaclePopover(FormPopover):
    """Edits an obstacle: name, cover, size, AC and hit points."""

    def __init__(self, document: DocumentModel, remove: Callable[[str], object], parent: QWidget) -> None:
        self.obstacle = ChildBinding(RecordBinding(document, Map, Map.table), "obstacles")
        super().__init__(tr("ui.map.obstacle"), OBSTACLE, self.obstacle, document, parent)
        self._remove = remove
        self.column.addWidget(push_button(tr("ui.map.remove-obstacle"), self._take_away, "quiet", "trash-can-outline"))

    def _take_away(self) -> None:
        self.close()
        self._remove(self.obstacle.id)


class SizePopover(FormPopover):
    """Edits the size of the map: columns, rows, the side of a square, and the way in which diagonals are counted."""

    def __init__(self, document: DocumentModel, parent: QWidget) -> None:
        super().__init__(tr("ui.map.map-size"), MAP_SIZE, RecordBinding(document, Map, Map.table), document, parent)


class SizeField(NumbersField):
    """The size of an obstacle: squares across and down."""

    def __init__(self) -> None:
        super().__init__()
        row = horizontal()
        for name in ("wide", "high"):
            box = NumberInput(1, MAX_SQUARES)
            self.add_box(name, tr(f"ui.map.{name}"), box)
            row.addWidget(with_caption(tr(f"ui.map.{name}"), box, self), 1)
        self.column.addLayout(row)

    def show_value(self, value: Point) -> None:
        """Show a size."""
        self._value = tuple(zip(self._boxes, value, strict=True))
        for name, squares in self._value:
            self._boxes[name].show_value(squares)

    def emit_numbers(self, numbers: NamedNumbers) -> None:
        """Emit `edited` with the new size."""
        self.edited.emit(tuple(squares for _, squares in numbers))


def _with_default_cover(context: FormContext, _before: Obstacle, after: Obstacle, name: str) -> Obstacle:
    """Return an edited obstacle. If its new name has a default cover in the rule system, apply that cover."""
    cover = default_cover(context.encounter(), context.rules, after.name) if name == "name" else "none"
    return after if cover == "none" else msgspec.structs.replace(after, cover=cover)


OBSTACLE = FormLayout(
    Obstacle,
    (
        Row("name"),
        Row("cover", "height"),
        Row("ac", "hp"),
        Row("blocks"),
        Row("flammable"),
        Row("item"),
        Row("size", captions=False),
    ),
    words="ui.map",
    settle=_with_default_cover,
    fields={
        "cover": lambda request: ChoiceField([(one, request.words(one)) for one in COVERS]),
        "size": lambda _request: SizeField(),
    },
)
MAP_SIZE = FormLayout(
    Map,
    (Row("columns", "rows"), Row("cell"), Row("diagonals")),
    words="ui.map",
    fields=dict.fromkeys(("columns", "rows"), lambda request: number(request, least=1)),
)
