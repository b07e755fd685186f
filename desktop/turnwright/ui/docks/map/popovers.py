"""Popovers, explanations and descriptions of the map.

Popovers edit an obstacle or the size of the map. Edits apply while typing; Esc closes the popover.

Descriptions name squares by a letter and a number.
"""

from collections.abc import Callable
from typing import Any

import msgspec
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QWidget

from turnwright.battlemap.segments import square_name
from turnwright.encounter.field_specs import spec_of
from turnwright.encounter.prepared import Environment, Map, MapLight, NamedNumbers, Obstacle, Point
from turnwright.encounter.running import Combatant
from turnwright.rules.parts.positions.sight import default_cover
from turnwright.ui.docks.map.drawing.drawing import feet_at, mark_at, obstacle_at, squares_of
from turnwright.ui.docks.map.drawing.token_pixmaps import RINGS, Token
from turnwright.ui.docks.map.tools.drag_preview import DragPreview
from turnwright.ui.docks.map.tools.line_of_sight_info import Sightline
from turnwright.ui.docks.shared.explainer import explainer
from turnwright.ui.docks.shared.why_fight import explain_turn_order_row
from turnwright.ui.forms.compound_fields import NumbersField
from turnwright.ui.forms.fields import ChoiceField, NumberInput
from turnwright.ui.forms.form import Form, FormLayout, form_layout, with_caption
from turnwright.ui.forms.kinds import Binding, ChildBinding, FormContext, RecordBinding, number
from turnwright.ui.look.style import tr
from turnwright.ui.services.document_model import DocumentModel
from turnwright.ui.services.map_floors import put_own_map
from turnwright.ui.widgets.dialog import Popover
from turnwright.ui.widgets.layout import horizontal
from turnwright.ui.widgets.rules.why import Explanation
from turnwright.ui.widgets.text import push_button

COVERS = ("none", "half", "three-quarters", "total")
MAX_SQUARES = spec_of(Map, "columns").most


class FloorBinding(RecordBinding):
    """A binding to the floor that is shown, as a separate map."""

    def value(self) -> Any:
        """Return the floor's map, or None without a map."""
        return self._document.own_map

    def write(self, value: Any, field: str) -> None:
        """Replace the floor with an edited one, and move all later floors."""
        if value != self.value():
            put_own_map(self._document, value, f"map:{field}:{self._run}" if field else "")


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


class PartPopover(FormPopover):
    """Edits or removes an obstacle or a light of the map, `part`, from the `collection` of them."""

    def __init__(
        self, collection: str, document: DocumentModel, remove: Callable[[str], object], parent: QWidget
    ) -> None:
        self.part = ChildBinding(RecordBinding(document, Map, Map.table), collection)
        word = collection.removesuffix("s")
        layout = OBSTACLE if collection == "obstacles" else MAP_LIGHT
        super().__init__(tr(f"ui.map.{word}"), layout, self.part, document, parent)
        self._remove = remove
        self.column.addWidget(push_button(tr(f"ui.map.remove-{word}"), self._take_away, "quiet", "trash-can-outline"))

    def _take_away(self) -> None:
        self.close()
        self._remove(self.part.id)


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


OBSTACLE = form_layout(
    "obstacle",
    Obstacle,
    words="ui.map",
    settle=_with_default_cover,
    fields={
        "cover": lambda request: ChoiceField([(one, request.words(one)) for one in COVERS]),
        "size": lambda _request: SizeField(),
    },
)
MAP_LIGHT = form_layout("map-light", MapLight, words="ui.map")
MAP_SIZE = form_layout(
    "map-size",
    Map,
    words="ui.map",
    fields={
        **dict.fromkeys(("columns", "rows"), lambda request: number(request, least=1)),
        "grid_colour": lambda request: ChoiceField(
            [("", request.words("none")), *((colour, tr(f"ui.portrait.ring-{name}")) for name, colour in RINGS.items())]
        ),
    },
)


def explain_route(document: DocumentModel, drag: DragPreview) -> Explanation | None:
    """Explain the cost of a route and any rule against it. Return None if moves are free."""
    route, explain = drag.route, explainer(document)
    if route.cost is None:
        return None
    why = explain.explain_number(tr("ui.map.route-of", who=drag.token.label), route.cost, f" {tr('ui.map.unit-ft')}")
    if not route.refusal:
        return why
    return msgspec.structs.replace(why, lines=(explain.line_with_rule("✕", route.refusal, route.rule), *why.lines))


def explain_cover(document: DocumentModel, target: Token, line: Sightline) -> Explanation:
    """Explain a target's cover: each source with its rule, and the other flanking ally."""
    explain = explainer(document)
    graded = ((tr(f"ui.map.cover-{source.grade}"), source) for source in line.sources)
    lines = [explain.line_with_rule(grade, explain.name(source.reason), source.rule) for grade, source in graded]
    notes = (tr("ui.map.flanks-with", who=line.partner),) if line.partner else ()
    return Explanation(target.label, tr(f"ui.map.cover-{line.grade or 'none'}"), tuple(lines), notes=notes)


def explain_token(document: DocumentModel, token: Token) -> Explanation | None:
    """Explain a combatant's initiative, hit points, AC and conditions. Return None before the fight."""
    if token.key[0] != Combatant.table or document.encounter.get(Combatant, token.key[1]) is None:
        return None
    return explain_turn_order_row(document, token.key[1])


GROUNDS = {",": "difficult", "#": "wall", "~": "water", "^": "climb"}
SHADES = {":": "dim", "#": "dark"}
LIGHTS = {":": "lightly", "%": "heavily"}


def describe_map(field: Map) -> str:
    """Return the size of the map."""
    return tr("ui.map.size", columns=field.columns, rows=field.rows, feet=field.cell)


def describe_token(document: DocumentModel, token: Token) -> str:
    """Return a token's name, square, elevation and state."""
    look, combatant = token.look, document.encounter.record(token.key)
    return joined(
        token.label,
        square_name(token.square) if token.square is not None else tr("ui.map.off"),
        height_text(token.elevation) if token.elevation else "",
        tr("ui.hp.points", now=combatant.hp, maximum=combatant.hp_max) if isinstance(combatant, Combatant) else "",
        tr(f"ui.map.state-{look.state}") if look.state else "",
        tr(f"ui.map.{look.veil}") if look.veil else "",
        tr("ui.map.active") if token.active else "",
    )


def describe_square(
    document: DocumentModel, field: Map, square: Point, token: Token | None = None, shade: str = " "
) -> str:
    """Describe a square: name, terrain, light, obstacle, areas and token. `shade` is the character of its darkness."""
    ground, light = GROUNDS.get(mark_at(field, "ground", square)), LIGHTS.get(mark_at(field, "light", square))
    obstacle, cover = obstacle_at(field, square), ""
    if obstacle is not None:
        parts = (obstacle.name or tr("ui.map.obstacle"), tr(f"ui.map.cover-{obstacle.cover or 'none'}"))
        cover = ", ".join(filter(None, parts))
    areas = [area_name(document, area.environment, area.feature) for area in field.areas if square in squares_of(area)]
    return joined(
        square_name(square),
        tr(f"ui.map.ground-{ground}") if ground else "",
        height_text(feet) if (feet := feet_at(field, square)) else "",
        tr(f"ui.map.shade-{SHADES[shade]}") if shade in SHADES else "",
        tr(f"ui.map.light-{light}") if light else "",
        cover,
        *areas,
        token.label if token is not None else "",
    )


def area_name(document: DocumentModel, environment: str, feature: str) -> str:
    """Return the name of an area, which is the name of its feature, its environment or its terrain."""
    place = document.encounter.get(Environment, environment) if environment else None
    if place is None:
        kind = next((terrain.name for terrain in document.rules.data.terrains if terrain.id == feature), "")
        return kind or feature.replace("-", " ") or environment
    return next((row.name for row in (*place.features, *place.actions) if row.id == feature), "") or place.name


def describe_drag(document: DocumentModel, drag: DragPreview) -> str:
    """Return a dragged token's destination, cost and opportunity attacks, or the reason why it can't move there."""
    route, has_cost = drag.route, drag.route.feet is not None and not drag.route.refusal
    return joined(
        drag.token.label,
        square_name(drag.square) if drag.square is not None else "",
        tr("ui.map.costs", feet=route.feet, left=route.feet_left or 0) if has_cost else "",
        document.phrasebook.expand_keys(f"<speed.{drag.mode}>") if drag.mode != "walk" else "",
        height_text(drag.elevation) if drag.elevation is not None else "",
        route.refusal,
        tr("ui.map.provokes", who=", ".join(dict.fromkeys(who for _, who in route.provokes))) if route.provokes else "",
    )


def describe_sightline(attacker: Token, target: Token, line: Sightline, attack: str, stretch: str = "") -> str:
    """Describe an attack: attacker and target, distance, height, cover with its causes, flanking, visibility.

    `stretch` is the word key for long range or out of range.
    """
    height, why = line.height or 0, f" ({', '.join(line.reasons)})" if line.reasons else ""
    sight = {True: "", False: tr("ui.map.unseen"), None: tr("ui.map.sight-unknown")}
    return joined(
        tr("ui.map.aims", one=attacker.label, other=target.label),
        attack,
        tr("ui.map.feet", n=line.distance) if line.distance is not None else "",
        tr(stretch) if stretch else "",
        tr("ui.map.above" if height > 0 else "ui.map.below", n=abs(height)) if height else "",
        tr(f"ui.map.cover-{line.grade or 'none'}") + why,
        tr("ui.map.flanks-with" if line.partner else "ui.map.flanks", who=line.partner) if line.flanked else "",
        sight[line.sees],
    )


def height_text(feet: int) -> str:
    """Return a height as text."""
    return tr("ui.map.up" if feet > 0 else "ui.map.down", n=abs(feet))


def joined(*parts: str) -> str:
    """Join the parts of a description. Empty parts are left out."""
    return " · ".join(filter(None, parts))
