"""The movement of the acting combatant: distance left, the field that spends it, and a preview of cost and provokes."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QWidget

from turnwright.encounter.prepared import Environment, Scene
from turnwright.encounter.running import Combatant, Relation
from turnwright.play.movement.commands.move_feet import MoveFeet
from turnwright.play.movement.preview import MovePreview, preview_move
from turnwright.play.queries.queries import MovementLeft, movement_of
from turnwright.rules.parts import positions
from turnwright.rules.parts.movement.move_vetoes import drag_vetoes
from turnwright.rules.parts.movement.opportunity_attacks import opportunity_attacks
from turnwright.rules.parts.movement.strides import current_stride, stride_action, stride_action_for
from turnwright.ui.docks.shared.explainer import explainer
from turnwright.ui.docks.turn.attack_targets import combatants_in_order
from turnwright.ui.document_model import DocumentModel
from turnwright.ui.fonts import GAP, SPACE, scaled, set_role
from turnwright.ui.translations import tr
from turnwright.ui.widgets.explanation import Explanation, ExplanationLine
from turnwright.ui.widgets.fields import NumberField
from turnwright.ui.widgets.layout import ElidedLabel, FlowRow, vertical
from turnwright.ui.widgets.pick_row import PickOption, PickRow
from turnwright.ui.widgets.text import plain_label, push_button, tool_button
from turnwright.ui.widgets.why import WhyLabel

MAX_FEET = 1000
HEADINGS = ("forward", "sideways", "back")


class MoveRow(QWidget):
    """Distance, mode and terrain of a move; below them its cost, and on demand height, drag, squeeze and reaches left.

    `detailsToggled` when the optional fields are shown or hidden.
    """

    detailsToggled = Signal()

    def __init__(self, document: DocumentModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._who = ""
        self._left: dict[str, MovementLeft] = {}
        words = document.words
        self.left = WhyLabel("", "strong")
        self.feet = NumberField(0, MAX_FEET)
        self.feet.lineEdit().returnPressed.connect(self.move_now)
        self.feet.valueChanged.connect(lambda _feet: self._tell())
        self.mode = QComboBox()
        self.mode.setAccessibleName(words("ui.turn.mode"))
        self.ground = QComboBox()
        self.ground.setAccessibleName(words("ui.turn.ground"))
        for box in (self.mode, self.ground):
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
            box.currentIndexChanged.connect(lambda _index: self._tell())
        self.ground.setMaximumWidth(scaled(180))
        self.feet.setMaximumWidth(scaled(96))
        self.button = push_button(words("ui.turn.move"), self.move_now)
        self.more = tool_button("dots-horizontal", words("ui.turn.move-more"), self._toggle)
        self.more.setCheckable(True)
        self._lay_out()
        document.documentChanged.connect(self._on_document)
        self._on_document()

    def _on_document(self) -> None:
        """Forget the combatant that was shown, and use the rule system's unit and grid step."""
        self._who = ""
        unit, step = self._document.words("ui.general.feet"), self._document.rules.data.grid.step
        for box, name in ((self.feet, "ui.turn.feet"), (self.up, "ui.turn.climb-name")):
            box.setSuffix(f" {unit}")
            box.setSingleStep(step)
            box.setAccessibleName(self._document.words(name))

    def _lay_out(self) -> None:
        column = vertical(self, spacing=SPACE)
        self._row = FlowRow(roomy=True)
        for widget in (
            self.feet,
            self.mode,
            self.ground,
            self.button,
            self.more,
        ):
            self._row.add(widget)
        column.addWidget(self._row)
        self.cost = WhyLabel("", "caption", "muted")
        self.provoked = ElidedLabel(role="caption")
        self.provoked.setProperty("tone", "warn")
        self._costs = FlowRow(gap=GAP)
        self._costs.add(self.cost)
        column.addWidget(self._costs)
        column.addWidget(self.provoked)
        self.details = QWidget()
        column.addWidget(self.details)
        self._fill_details()
        for hidden in (self._costs, self.provoked, self.details):
            hidden.hide()

    def _fill_details(self) -> None:
        column = vertical(self.details, spacing=SPACE, margins=(24, 0, 0, 0))
        first = FlowRow(roomy=True)
        self.up = NumberField(-MAX_FEET, MAX_FEET)
        self.up.setPrefix(tr("ui.turn.climb"))
        self.up.valueChanged.connect(lambda _feet: self._tell())
        self.squeeze = QCheckBox(tr("ui.turn.squeeze"))
        set_role(self.squeeze, "body")
        self.squeeze.clicked.connect(lambda _on: self._tell())
        self.turned = QCheckBox(tr("ui.turn.turned"))
        set_role(self.turned, "body")
        self.turned.clicked.connect(lambda _on: self._tell())
        self.heading = PickRow(tr("ui.turn.heading"))
        self.heading.picked.connect(self._tell)
        for widget in (self.up, self.squeeze, self.turned, self.heading):
            first.add(widget)
        column.addWidget(first)
        self.drags, self._drag_line = self._picks("ui.turn.drag", many=False)
        self.leaves, self._leave_line = self._picks("ui.turn.leaves-reach", many=True)
        self.keeps, self._keep_line = self._picks("ui.turn.keeps-relation", many=True)
        for line in (self._drag_line, self._leave_line, self._keep_line):
            column.addWidget(line)

    def _picks(self, key: str, *, many: bool) -> tuple[PickRow, QWidget]:
        line = FlowRow(gap=SPACE + 1, roomy=True)
        row = PickRow(tr(key), many=many)
        row.picked.connect(self._tell)
        line.add(plain_label(tr(key), "caption", "muted"))
        line.add(row)
        return row, line

    def show_combatant(self, who: str) -> None:
        """Show the movement of a combatant."""
        fresh = who != self._who
        self._who = who
        explain = explainer(self._document)
        self._left = {one.mode: one for one in movement_of(self._document.encounter, self._document.rules, who)}
        set_items(self.mode, [(mode, explain.name(f"<speed.{mode}>")) for mode in self._left], keep=not fresh)
        grounds = [("", self._document.words("ui.turn.open-ground"))]
        grounds += [
            (place.id, place.name)
            for place in self._document.encounter.all(Environment)
            if any(row.enabled and row.terrain for row in place.features)
        ]
        set_items(self.ground, grounds, keep=not fresh)
        self.ground.setVisible(len(grounds) > 1)
        if fresh:
            self._start_over()
        if self.more.isChecked():
            self._show_details()
        self._tell()

    def command(self) -> MoveFeet:
        """Return the move as it is entered."""
        fine = self.more.isChecked()
        heading = next(iter(self.heading.chosen()), "") if fine else ""
        return MoveFeet(
            self._who,
            self.feet.number() or 0,
            str(self.mode.currentData() or "walk"),
            str(self.ground.currentData() or ""),
            turned=fine and self.turned.isChecked(),
            up=(self.up.number() or 0) if fine else 0,
            leaves=self.leaves.chosen() if fine else (),
            drags=next(iter(self.drags.chosen()), "") if fine else "",
            squeezing=fine and self.squeeze.isChecked(),
            heading=heading,  # type: ignore[arg-type]
            keeps=self.keeps.chosen() if fine else (),
        )

    def move_now(self) -> None:
        """Execute the move."""
        if self.feet.number() and self._document.execute(self.command()):
            self._start_over()

    def explain(self) -> bool:
        """Explain the cost of the move, else the distance left."""
        return self.cost.explain() if self._costs.isVisible() else self.left.explain()

    # Pieces --------------------------------------------------------------------------------------------------------

    def _start_over(self) -> None:
        self.feet.set_number(0)
        self.up.set_number(0)
        for row in (self.leaves, self.keeps, self.drags, self.heading):
            row.choose(())
        for tick in (self.squeeze, self.turned):
            tick.setChecked(False)
        self._tell()

    def _toggle(self) -> None:
        self.details.setVisible(self.more.isChecked())
        self.detailsToggled.emit()
        if self.more.isChecked():
            self._show_details()
        self._tell()

    def _show_details(self) -> None:
        lookup, rules = self._document.encounter, self._document.rules
        known = {one.id: one for one in combatants_in_order(self._document)}
        on_grid = positions.space(lookup, rules, self._who) is not None
        foes = (
            []
            if on_grid
            else [known[one.attacker] for one in opportunity_attacks(lookup, rules, self._who) if one.attacker in known]
        )
        self.leaves.set_picks([PickOption(one.id, one.label) for one in foes], self.leaves.chosen())
        self._leave_line.setVisible(bool(foes))
        pairs = [] if on_grid else [{each.who, each.other} for each in lookup.all(Relation)]
        near = [one for id, one in known.items() if {id, self._who} in pairs]
        self.keeps.set_picks([PickOption(one.id, one.label) for one in near], self.keeps.chosen())
        self._keep_line.setVisible(bool(near))
        friends = [one for one in known.values() if self._may_drag(one)]
        self.drags.set_picks([PickOption(one.id, one.label) for one in friends], self.drags.chosen())
        self._drag_line.setVisible(bool(friends))
        scene = lookup.get(Scene, "scene") or Scene()
        ways = [PickOption(way, tr(f"ui.turn.heading-{way}")) for way in HEADINGS] if scene.rolling else []
        self.heading.set_picks(ways, self.heading.chosen())
        self.heading.setVisible(bool(ways))
        self.turned.setVisible(bool(self.ground.currentData()))

    def _may_drag(self, one: Combatant) -> bool:
        lookup, rules = self._document.encounter, self._document.rules
        return one.id != self._who and not one.dead and not drag_vetoes(lookup, rules, self._who, one.id)

    def _tell(self) -> None:
        one = self._left.get(str(self.mode.currentData()))
        if one is None:
            self.left.set_text("–")
            self.left.set_why(None)
        else:
            words, explain = self._document.words, explainer(self._document)
            left = self._in_hand(one)
            key = "ui.turn.movement" if left is not None else "ui.turn.movement-bought"
            self.left.set_text(words(key, left=left, of=one.allowance.total))
            unit = f" {words('ui.general.feet')}"
            self.left.set_why(lambda: explain.explain_number(words("ui.turn.speed"), one.allowance, unit))
        self._tell_price()

    def _in_hand(self, one: MovementLeft) -> int | None:
        """Return the distance left, or left of a bought stride; None where no stride is under way."""
        lookup, rules = self._document.encounter, self._document.rules
        return (
            one.left
            if stride_action(rules, one.mode) is None
            else current_stride(lookup, rules, self._who, one.mode).remaining or None
        )

    def _name_button(self, found: MovePreview | None) -> None:
        """Show on the button the cost of the move, where movement is bought."""
        lookup, rules = self._document.encounter, self._document.rules
        known = lookup.get(Combatant, self._who) is not None
        mode = str(self.mode.currentData() or "walk")
        option = stride_action_for(lookup, rules, self._who, mode) if known else stride_action(rules, mode)
        if option is None:
            self.button.setText(self._document.words("ui.turn.move"))
            return
        points = found.points if found is not None else 0
        taken = rules.data.presentation.price(option.cost, points) if points else ""
        self.button.setText(f"{option.name}  {taken or (f'({points})' if points else '')}".strip())

    def _tell_price(self) -> None:
        """Show the cost of the move where it differs from its distance, and what vetoes or provokes it."""
        command = self.command()
        asked = bool(command.feet) and self._document.encounter.get(Combatant, self._who) is not None
        found = preview_move(self._document.encounter, self._document.rules, command) if asked else None
        self._name_button(found)
        telling = found is not None and bool(found.vetoes or found.cost.total != command.feet or found.provokes)
        self._costs.setVisible(telling)
        strikers = self._strikers(found)
        self.provoked.setText(strikers)
        self.provoked.setVisible(bool(strikers))
        if found is not None and telling:
            self._show_price(found)
        self._keep_room()

    def _show_price(self, found: MovePreview) -> None:
        explain = explainer(self._document)
        if found.vetoes:
            text = explain.text(found.vetoes[0].reason, **dict(found.vetoes[0].params))
        elif found.points:
            text = tr("ui.turn.costs-bought", feet=found.cost.total)
        else:
            text = tr("ui.turn.costs", feet=found.cost.total, left=found.left_after)
        self.cost.set_text(text)

        def why() -> Explanation:
            unit = f" {tr('ui.general.feet')}"
            card = explain.explain_number(tr("ui.turn.cost"), found.cost, unit)
            against = tuple(
                ExplanationLine(
                    "✕", explain.text(one.reason, **dict(one.params)), one.rule, explain.ledger.statement(one.rule)
                )
                for one in found.vetoes
            )
            return Explanation(card.title, card.total, (*against, *card.lines), card.dice, card.notes)

        self.cost.set_why(why)

    def _strikers(self, found: MovePreview | None) -> str:
        names = [self._document.encounter.need(Combatant, who).label for who in found.provokes] if found else []
        return tr("ui.turn.provokes", who=", ".join(names)) if names else ""

    def _keep_room(self) -> None:
        for row in (self._row, *self.details.findChildren(FlowRow)):
            row.keep_room()


def set_items(box: QComboBox, items: list[tuple[str, str]], *, keep: bool) -> None:
    """Set the items (data, text) of a combo box without emitting signals; `keep` keeps the choice where possible."""
    if [(box.itemData(row), box.itemText(row)) for row in range(box.count())] == items:
        if not keep:
            box.setCurrentIndex(0)
        return
    chosen = box.currentData()
    box.blockSignals(True)
    box.clear()
    for data, text in items:
        box.addItem(text, data)
    box.setCurrentIndex(max(0, box.findData(chosen)) if keep else 0)
    box.blockSignals(False)
