"""Who acts: name, AC and hit points, resources as pips, movement with its field, plan and conditions."""

from __future__ import annotations

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from turnwright.encounter.prepared import Environment
from turnwright.encounter.running import Combatant, Effect
from turnwright.play.commands import BreakFree, Command, EndEffect, Move, Regain, SetPlan, Spend
from turnwright.play.inquiries import (
    MovementLeft,
    armor_class,
    effects_of,
    hit_point_state,
    movement_of,
    resources_of,
)
from turnwright.ui.bridge import Bridge
from turnwright.ui.docks.explain import explainer
from turnwright.ui.fonts import GAP, SPACE, px
from turnwright.ui.widgets.effect_chip import EffectChip, EffectView
from turnwright.ui.widgets.fields import NumberField
from turnwright.ui.widgets.glyph import Glyph
from turnwright.ui.widgets.hit_points import HitPointBar
from turnwright.ui.widgets.layout import ElidedLabel, FlowRow
from turnwright.ui.widgets.pips import Pip, Pips
from turnwright.ui.widgets.tab_order import tab_through
from turnwright.ui.widgets.text import plain_label, push_button
from turnwright.ui.widgets.why import Why, WhyLabel, WhyLine

FARTHEST = 1000


class MoveRow(FlowRow):
    """Feet left, and the field that spends them: how far, in which way, over which ground."""

    def __init__(self, bridge: Bridge, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._who = ""
        self._left: dict[str, MovementLeft] = {}
        words = bridge.words
        self.left = WhyLabel("", "strong")
        self.feet = NumberField(0, FARTHEST, words("ui.general.feet"))
        self.feet.setSingleStep(5)
        self.feet.setAccessibleName(words("ui.turn.feet"))
        self.feet.lineEdit().returnPressed.connect(self.move_now)
        self.mode = QComboBox()
        self.mode.setAccessibleName(words("ui.turn.mode"))
        self.mode.currentIndexChanged.connect(lambda _index: self._tell())
        self.ground = QComboBox()
        self.ground.setAccessibleName(words("ui.turn.ground"))
        for box in (self.mode, self.ground):
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.ground.setMaximumWidth(px(180))
        self.feet.setMaximumWidth(px(96))
        self.button = push_button(words("ui.turn.move"), self.move_now)
        for widget in (Glyph("walk", "muted"), self.left, self.feet, self.mode, self.ground, self.button):
            self.add(widget)

    def show_who(self, who: str) -> None:
        """Show the movement of a combatant."""
        fresh = who != self._who
        self._who = who
        explain = explainer(self._bridge)
        self._left = {one.mode: one for one in movement_of(self._bridge.encounter, self._bridge.rules, who)}
        _offer(self.mode, [(mode, explain.name(f"<speed.{mode}>")) for mode in self._left], keep=not fresh)
        grounds = [("", self._bridge.words("ui.turn.open-ground"))]
        grounds += [
            (place.id, place.name)
            for place in self._bridge.encounter.all(Environment)
            if any(row.enabled and row.terrain for row in place.features)
        ]
        _offer(self.ground, grounds, keep=not fresh)
        self.ground.setVisible(len(grounds) > 1)
        if fresh:
            self.feet.set_number(0)
        self._tell()

    def move_now(self) -> None:
        """Spend what the field says."""
        feet = self.feet.number() or 0
        mode = str(self.mode.currentData() or "walk")
        ground = str(self.ground.currentData() or "")
        if feet and self._bridge.do(Move(self._who, feet, mode, ground), initiator="turn"):
            self.feet.set_number(0)

    def _tell(self) -> None:
        one = self._left.get(str(self.mode.currentData()))
        if one is None:
            self.left.set_text("–")
            self.left.set_why(None)
            return
        words = self._bridge.words
        self.left.set_text(words("ui.turn.movement", left=one.left, of=one.allowance.total))
        explain = explainer(self._bridge)
        unit = f" {words('ui.general.feet')}"
        self.left.set_why(lambda: explain.of_figure(words("ui.turn.speed"), one.allowance, unit))


class TurnHead(QWidget):
    """The head of the active turn."""

    def __init__(self, bridge: Bridge, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._who = ""
        self._chips: tuple[EffectView, ...] | None = None
        words = bridge.words
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(px(GAP))
        banner = QHBoxLayout()
        banner.setSpacing(px(GAP * 2))
        self.name = ElidedLabel(role="banner")
        self.armor = WhyLabel("", "strong")
        self.points = HitPointBar()
        banner.addWidget(self.name, 3)
        banner.addWidget(self.armor)
        banner.addWidget(self.points, 2)
        column.addLayout(banner)
        means = QHBoxLayout()
        means.setSpacing(px(GAP))
        self.pips = Pips()
        self.pips.asked.connect(self._change_resource)
        means.addWidget(self.pips, 3)
        self.plan = QLineEdit()
        self.plan.setPlaceholderText(words("ui.turn.plan"))
        self.plan.setAccessibleName(words("ui.turn.plan"))
        self.plan.setMinimumWidth(px(120))
        self.plan.setMaximumWidth(px(280))
        self.plan.editingFinished.connect(self._note_plan)
        means.addWidget(self.plan, 2)
        column.addLayout(means)
        self.movement = MoveRow(bridge)
        column.addWidget(self.movement)
        self.effects = FlowRow(gap=SPACE + 2)
        column.addWidget(self.effects)

    def show_who(self, combatant: Combatant) -> None:
        """Show a combatant as it now stands."""
        self._who = combatant.id
        lookup, rules, words = self._bridge.encounter, self._bridge.rules, self._bridge.words
        self.name.setText(combatant.label)
        figure = armor_class(lookup, rules, combatant.id)
        self.armor.set_text(words("ui.turn.ac", n=figure.total))
        explain = explainer(self._bridge)
        self.armor.set_why(lambda: explain.of_figure(words("ui.stat.ac"), figure))
        state = hit_point_state(combatant)
        shown = "down" if state == "dead" else "" if state == "up" else state
        self.points.set_hit_points(combatant.hp, combatant.hp_max, combatant.temp_hp, shown)
        self._show_resources(combatant.id)
        if not self.plan.hasFocus():
            self.plan.setText(combatant.plan)
        self.movement.show_who(combatant.id)
        self._show_effects(combatant.id)

    def _show_resources(self, who: str) -> None:
        pips = []
        for place, one in enumerate(resources_of(self._bridge.encounter, self._bridge.rules, who)):
            denied = f" ({explainer(self._bridge).name(one.denied).lower()})" if one.denied else ""
            name = one.resource.name
            pips.append(Pip(one.resource.id, f"{name}{denied}", one.left, max(one.maximum, one.left), str(place + 1)))
        self.pips.set_pips(pips)
        tab_through(self.armor, [self.pips])

    def _show_effects(self, who: str) -> None:
        views = tuple(self._effect_view(effect) for effect in effects_of(self._bridge.encounter, who))
        if views == self._chips:
            return
        self._chips = views
        self.effects.clear()
        if not views:
            self.effects.add(plain_label(self._bridge.words("ui.turn.no-conditions"), "caption", "muted"))
        for view in views:
            chip = EffectChip(view)
            chip.ended.connect(lambda id: self._do(EndEffect(id)))
            chip.broken_free.connect(lambda id: self._do(BreakFree(id)))
            self.effects.add(chip)
            chip.show()  # at once, so that the room kept counts it
        self._keep_room()
        tab_through(self.movement.button, [self.effects])

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._keep_room()

    def _keep_room(self) -> None:
        """Ask for as many lines as the conditions need at this width, one at least."""
        self.effects.setMinimumHeight(max(px(30), self.effects.heightForWidth(max(1, self.width()))))

    def _effect_view(self, effect: Effect) -> EffectView:
        explain, words = explainer(self._bridge), self._bridge.words
        condition = self._bridge.rules.conditions.get(effect.name)
        name = explain.name(f"<condition.{effect.name}>")
        ends = ""
        if effect.ends.moment != "never":
            ends = words("ui.turn.until", moment=words(f"ends.{effect.ends.moment}"))
        cost = explain.name(f"<resource.{effect.break_free}>").lower() if effect.break_free else ""

        def why() -> Why:
            text = condition.text if condition else ""
            lines = [WhyLine("·", text)] if text else []
            rules = [rule for rule in (condition.ledger if condition else ()) if explain.is_known(rule)]
            lines += [
                WhyLine("§", explain.ledger.title(rule), rule, explain.ledger.statement(rule)) for rule in rules[:4]
            ]
            notes = (words("ui.turn.from", source=effect.source),) if effect.source else ()
            return Why(name, "", tuple(lines), (), notes)

        return EffectView(
            effect.id,
            name if not effect.value or effect.value < 2 else f"{name} {effect.value}",
            condition.icon.removeprefix("mdi6.") if condition and condition.icon else "circle-medium",
            ends,
            cost,
            why,
        )

    def _do(self, command: Command) -> None:
        self._bridge.do(command, initiator="turn")

    def _change_resource(self, resource: str, left: int) -> None:
        have = next(
            (
                one
                for one in resources_of(self._bridge.encounter, self._bridge.rules, self._who)
                if one.resource.id == resource
            ),
            None,
        )
        if have is not None:
            self._do(Spend(self._who, resource) if left < have.left else Regain(self._who, resource))

    def _note_plan(self) -> None:
        combatant = self._bridge.encounter.get(Combatant, self._who)
        if combatant is not None and combatant.plan != self.plan.text().strip():
            self._do(SetPlan(self._who, self.plan.text().strip()))


def _offer(box: QComboBox, entries: list[tuple[str, str]], *, keep: bool) -> None:
    """Offer these (data, text) in a box, without saying that anyone chose; what was chosen stays where it may."""
    if [(box.itemData(row), box.itemText(row)) for row in range(box.count())] == entries:
        if not keep:
            box.setCurrentIndex(0)
        return
    chosen = box.currentData()
    box.blockSignals(True)
    box.clear()
    for data, text in entries:
        box.addItem(text, data)
    box.setCurrentIndex(max(0, box.findData(chosen)) if keep else 0)
    box.blockSignals(False)
