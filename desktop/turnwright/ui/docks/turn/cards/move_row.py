"""The movement of the acting combatant: distance left, a field to spend it, and a preview of costs and reactions."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QWidget

from turnwright.encounter.prepared import Environment, Scene
from turnwright.encounter.running import Combatant, Relation
from turnwright.play.movement.commanded_move import MoveFeet
from turnwright.play.movement.preview import MovePreview, preview_move
from turnwright.play.queries.queries import MovementLeft, movement_of
from turnwright.rules.parts import positions
from turnwright.rules.parts.movement.move_vetoes import drag_vetoes
from turnwright.rules.parts.movement.opportunity_attacks import opportunity_attacks
from turnwright.rules.parts.movement.strides import current_stride, stride_action, stride_action_for
from turnwright.ui.docks.shared.explainer import explainer
from turnwright.ui.docks.turn.cards.attack_targets import combatants_in_order
from turnwright.ui.look.fonts import GAP, SPACE, scaled, set_role
from turnwright.ui.look.translations import tr
from turnwright.ui.services.document_model import DocumentModel
from turnwright.ui.widgets.fields import NumberField
from turnwright.ui.widgets.layout import ElidedLabel, FlowRow, vertical
from turnwright.ui.widgets.pick_row import PickOption, PickRow
from turnwright.ui.widgets.rules.explanation import Explanation, ExplanationLine
from turnwright.ui.widgets.rules.why import WhyLabel
from turnwright.ui.widgets.text import plain_label, push_button, tool_button

MAX_FEET = 1000
HEADINGS = ("forward", "sideways", "back")


class MoveRow(QWidget):
    """Distance, mode and terrain of a move, its cost, and optional details.

    The details are height, dragging, squeezing, heading, and the enemies whose reach is left. Emits `detailsToggled`
    when the details are shown or hidden.
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
        """Forget the combatant shown, and use the rule system's unit and grid step."""
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
        self._left = {
            movement.mode: movement for movement in movement_of(self._document.encounter, self._document.rules, who)
        }
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
        """Return the command for the entered move."""
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
        """Explain the cost of the move, or the distance left if no cost is shown."""
        return self.cost.explain() if self._costs.isVisible() else self.left.explain()

    # Parts of the row --------------------------------------------------------------------------------------------

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
        combatants = {combatant.id: combatant for combatant in combatants_in_order(self._document)}
        on_grid = positions.space(lookup, rules, self._who) is not None
        foes = (
            []
            if on_grid
            else [
                combatants[opportunity_attack.attacker]
                for opportunity_attack in opportunity_attacks(lookup, rules, self._who)
                if opportunity_attack.attacker in combatants
            ]
        )
        self.leaves.set_picks([PickOption(foe.id, foe.label) for foe in foes], self.leaves.chosen())
        self._leave_line.setVisible(bool(foes))
        pairs = [] if on_grid else [{relation.who, relation.other} for relation in lookup.all(Relation)]
        near = [combatant for id, combatant in combatants.items() if {id, self._who} in pairs]
        self.keeps.set_picks([PickOption(combatant.id, combatant.label) for combatant in near], self.keeps.chosen())
        self._keep_line.setVisible(bool(near))
        friends = [combatant for combatant in combatants.values() if self._may_drag(combatant)]
        self.drags.set_picks([PickOption(friend.id, friend.label) for friend in friends], self.drags.chosen())
        self._drag_line.setVisible(bool(friends))
        scene = lookup.get(Scene, "scene") or Scene()
        ways = [PickOption(way, tr(f"ui.turn.heading-{way}")) for way in HEADINGS] if scene.rolling else []
        self.heading.set_picks(ways, self.heading.chosen())
        self.heading.setVisible(bool(ways))
        self.turned.setVisible(bool(self.ground.currentData()))

    def _may_drag(self, combatant: Combatant) -> bool:
        lookup, rules = self._document.encounter, self._document.rules
        return (
            combatant.id != self._who and not combatant.dead and not drag_vetoes(lookup, rules, self._who, combatant.id)
        )

    def _tell(self) -> None:
        movement = self._left.get(str(self.mode.currentData()))
        if movement is None:
            self.left.set_text("–")
            self.left.set_why(None)
        else:
            words, explain = self._document.words, explainer(self._document)
            left = self._in_hand(movement)
            key = "ui.turn.movement" if left is not None else "ui.turn.movement-bought"
            self.left.set_text(words(key, left=left, of=movement.allowance.total))
            unit = f" {words('ui.general.feet')}"
            self.left.set_why(lambda: explain.explain_number(words("ui.turn.speed"), movement.allowance, unit))
        self._tell_price()

    def _in_hand(self, movement: MovementLeft) -> int | None:
        """Return the distance left or, if movement costs actions, that of the current stride (None between strides)."""
        lookup, rules = self._document.encounter, self._document.rules
        return (
            movement.left
            if stride_action(rules, movement.mode) is None
            else current_stride(lookup, rules, self._who, movement.mode).remaining or None
        )

    def _name_button(self, preview: MovePreview | None) -> None:
        """Show the cost of the move on the button, if movement costs actions."""
        lookup, rules = self._document.encounter, self._document.rules
        exists = lookup.get(Combatant, self._who) is not None
        mode = str(self.mode.currentData() or "walk")
        option = stride_action_for(lookup, rules, self._who, mode) if exists else stride_action(rules, mode)
        if option is None:
            self.button.setText(self._document.words("ui.turn.move"))
            return
        points = preview.points if preview is not None else 0
        price = rules.data.presentation.price(option.cost, points) if points else ""
        self.button.setText(f"{option.name}  {price or (f'({points})' if points else '')}".strip())

    def _tell_price(self) -> None:
        """Show the cost of the move if it differs from the distance, and the vetoes and opportunity attacks."""
        command = self.command()
        can_preview = bool(command.feet) and self._document.encounter.get(Combatant, self._who) is not None
        preview = preview_move(self._document.encounter, self._document.rules, command) if can_preview else None
        self._name_button(preview)
        telling = preview is not None and bool(preview.vetoes or preview.cost.total != command.feet or preview.provokes)
        self._costs.setVisible(telling)
        strikers = self._strikers(preview)
        self.provoked.setText(strikers)
        self.provoked.setVisible(bool(strikers))
        if preview is not None and telling:
            self._show_price(preview)
        self._keep_room()

    def _show_price(self, preview: MovePreview) -> None:
        explain = explainer(self._document)
        if preview.vetoes:
            text = explain.text(preview.vetoes[0].reason, **dict(preview.vetoes[0].params))
        elif preview.points:
            text = tr("ui.turn.costs-bought", feet=preview.cost.total)
        else:
            text = tr("ui.turn.costs", feet=preview.cost.total, left=preview.left_after)
        self.cost.set_text(text)

        def why() -> Explanation:
            unit = f" {tr('ui.general.feet')}"
            card = explain.explain_number(tr("ui.turn.cost"), preview.cost, unit)
            against = tuple(
                ExplanationLine(
                    "✕", explain.text(veto.reason, **dict(veto.params)), veto.rule, explain.ledger.statement(veto.rule)
                )
                for veto in preview.vetoes
            )
            return Explanation(card.title, card.total, (*against, *card.lines), card.dice, card.notes)

        self.cost.set_why(why)

    def _strikers(self, preview: MovePreview | None) -> str:
        names = [self._document.encounter.need(Combatant, who).label for who in preview.provokes] if preview else []
        return tr("ui.turn.provokes", who=", ".join(names)) if names else ""

    def _keep_room(self) -> None:
        for row in (self._row, *self.details.findChildren(FlowRow)):
            row.keep_room()


def set_items(box: QComboBox, items: list[tuple[str, str]], *, keep: bool) -> None:
    """Set the items (data, text) of a combo box without emitting signals. `keep` keeps the choice if possible."""
    if [(box.itemData(row), box.itemText(row)) for row in range(box.count())] == items:
        if not keep:
            box.setCurrentIndex(0)
        return
    current = box.currentData()
    box.blockSignals(True)
    box.clear()
    for data, text in items:
        box.addItem(text, data)
    box.setCurrentIndex(max(0, box.findData(current)) if keep else 0)
    box.blockSignals(False)
