"""The row of an attack card that says how the two stand to each other, and what a ruling adds for this one attack."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QAbstractSpinBox, QToolButton, QWidget

from turnwright.play.attack_inquiries import AttackPreview
from turnwright.play.commands import Relate
from turnwright.rules.parts import positions
from turnwright.rules.parts.means import MELEE
from turnwright.ui.bridge import Bridge
from turnwright.ui.docks.explain import explainer
from turnwright.ui.docks.turn.pair_facts import (
    DISTANCES,
    HEIGHTS,
    YES,
    is_said,
    left_over,
    matters,
    origin,
    pair_views,
    relate,
)
from turnwright.ui.fonts import SPACE, px
from turnwright.ui.say import say
from turnwright.ui.widgets.cycle_chip import CycleChip, CycleView, chips_in
from turnwright.ui.widgets.fields import NumberField
from turnwright.ui.widgets.layout import FlowRow
from turnwright.ui.widgets.text import restyle, tool_button

FARTHEST = 2000
HIGHEST = 500
RULINGS = ("advantage", "disadvantage")
ONCE = "once:"


class FactRow(FlowRow):
    """`related(command)` when a person says something of the pair; `ruled` when they rule for this attack alone."""

    related = Signal(object)
    ruled = Signal()

    def __init__(self, bridge: Bridge, parent: QWidget | None = None) -> None:
        super().__init__(parent, gap=SPACE + 1, roomy=True)
        self._bridge = bridge
        self._pair = ("", "")
        self._once: dict[str, str] = {}
        self._rulings: set[str] = set()
        self._chips: dict[str, CycleChip] = {}
        self._distance = self._figure("distance", 0, FARTHEST)
        self._height = self._figure("height", -HIGHEST, HIGHEST)
        self._bonus = self._figure("bonus", -99, 99)
        self._bonus.setSuffix("")
        self._forget: QToolButton | None = None
        self._distance.settled.connect(lambda: self._tell("distance", self._distance.number()))
        self._height.settled.connect(lambda: self._tell("height", self._height.number()))
        self._bonus.valueEdited.connect(lambda _n: self.ruled.emit())

    # What was said -------------------------------------------------------------------------------------------------

    def said(self) -> tuple[str, ...]:
        """Return the facts that hold for this attack by a person's word."""
        once = [fact if answer == YES else f"not {fact}" for fact, answer in self._once.items() if answer]
        return (*(one for one in RULINGS if one in self._rulings), *once)

    def bonus(self) -> int:
        """Return what a ruling adds to the roll."""
        return self._bonus.number() or 0

    def forget(self) -> None:
        """Forget the rulings: another attack begins."""
        self._rulings = set()
        self._bonus.set_number(None)
        self.forget_target()

    def forget_target(self) -> None:
        """Forget what was said of this attack at its target."""
        self._once = {}

    def chip(self, id: str) -> CycleChip:
        """Return the chip of a fact; KeyError where there is none."""
        return self._chips[id]

    @property
    def forgets(self) -> QToolButton | None:
        """The button that drops what was said of the two, None while nobody is aimed at."""
        return self._forget

    @property
    def distance(self) -> NumberField:
        """The field of the feet between the two."""
        return self._distance

    # Showing -------------------------------------------------------------------------------------------------------

    def show_facts(self, who: str, target: str, preview: AttackPreview | None) -> None:
        """Show what is known of two; nothing but rulings while nobody is aimed at."""
        self._pair = (who, target)
        unknown = [one.fact for one in preview.unknown] if preview is not None else []
        pair = preview is not None and not preview.assault.thing
        views = self._views(who, target, unknown, preview) if pair else []
        views += [self._ruling(one) for one in RULINGS]
        if not chips_in(self._chips, views):
            self._rebuild(views, pair=pair)
        if pair:
            self._show_figures(who, target, unknown)
        self.keep_room()

    def _views(self, who: str, target: str, unknown: list[str], preview: AttackPreview | None) -> list[CycleView]:
        melee = preview is None or preview.kind == MELEE
        views = pair_views(self._bridge, who, target, unknown, melee=melee)
        explain = explainer(self._bridge)
        labels = {one.fact: explain.phrase(one.label) for one in preview.unknown} if preview is not None else {}
        facts = dict.fromkeys([*self._once, *left_over(unknown)])
        views += [
            CycleView(
                f"{ONCE}{fact}", labels.get(fact) or self._once_label(fact), self._once.get(fact, ""), matters=True
            )
            for fact in facts
        ]
        return views

    def _once_label(self, fact: str) -> str:
        word, _, number = fact.partition(":")
        return say(f"fact.{word.replace('.', '-')}", n=number)

    def _ruling(self, kind: str) -> CycleView:
        state = YES if kind in self._rulings else ""
        return CycleView(kind, say(f"ui.why.{kind}"), state, tip=say("ui.attack.ruling-tip"), switch=True)

    def _rebuild(self, views: list[CycleView], *, pair: bool) -> None:
        for keep in (self._distance, self._height, self._bonus):
            keep.setParent(None)
        self.clear()
        self._chips = {}
        if pair:
            self._put(self._distance)
            self._put(self._height)
        for view in views:
            if view.id == RULINGS[0] and pair:
                self._forget = tool_button("close", say("ui.attack.forget"), self._drop)
                self._put(self._forget)
            chip = CycleChip(view)
            chip.cycled.connect(self._answer)
            self._chips[view.id] = chip
            self._put(chip)
        self._put(self._bonus)

    def _put(self, widget: QWidget) -> None:
        self.add(widget)
        widget.show()

    def _show_figures(self, who: str, target: str, unknown: list[str]) -> None:
        lookup, rules = self._bridge.encounter, self._bridge.rules
        said = is_said(self._bridge, who, target)
        if self._forget is not None:
            self._forget.setVisible(said)
        pairs = (positions.relation(lookup, who, target), positions.relation(lookup, target, who))
        figures = (
            (self._distance, "distance", positions.distance(lookup, rules, who, target), DISTANCES),
            (self._height, "height", positions.height_above(lookup, who, target), HEIGHTS),
        )
        for field, name, value, words in figures:
            if not field.hasFocus():
                field.set_number(value)
            told = any(pair is not None and getattr(pair, name) is not None for pair in pairs)
            where = origin(self._bridge, who, target, said=told) if value is not None else ""
            tip = [say(f"ui.attack.{name}-tip"), where]
            field.setToolTip("\n".join(part for part in tip if part))
            wanted = value is None and matters(unknown, words)
            if bool(field.property("matters")) != wanted:
                field.setProperty("matters", wanted)
                restyle(field)

    def _figure(self, name: str, least: int, most: int) -> NumberField:
        field = NumberField(least, most, say("ui.general.feet"), "?")
        field.setSingleStep(self._bridge.rules.catalogue.grid.step if name != "bonus" else 1)
        field.setPrefix(say(f"ui.attack.{name}"))
        field.setSpecialValueText(f"{say(f'ui.attack.{name}')}?" if name != "bonus" else say("ui.attack.bonus-none"))
        field.setAccessibleName(say(f"ui.attack.{name}-name"))
        field.setToolTip(say(f"ui.attack.{name}-tip"))
        field.setFixedWidth(px(88))
        field.setButtonSymbols(QAbstractSpinBox.ButtonSymbols.NoButtons)
        field.setProperty("compact", True)
        return field

    # Saying --------------------------------------------------------------------------------------------------------

    def _tell(self, name: str, feet: object) -> None:
        lookup, rules = self._bridge.encounter, self._bridge.rules
        if not isinstance(feet, int) or not all(self._pair):
            return
        if name == "distance" and feet != positions.distance(lookup, rules, *self._pair):
            self.related.emit(Relate(*self._pair, distance=feet))
        elif name == "height" and feet != positions.height_above(lookup, *self._pair):
            self.related.emit(Relate(*self._pair, height=feet))

    def _answer(self, id: str, answer: str) -> None:
        if id in RULINGS:
            self._rulings = self._rulings ^ {id}
            self.ruled.emit()
        elif id.startswith(ONCE):
            self._once[id.removeprefix(ONCE)] = answer
            self.ruled.emit()
        else:
            self.related.emit(relate(*self._pair, id, answer))

    def _drop(self) -> None:
        one, other = self._pair
        for pair in ((one, other), (other, one)):
            if positions.relation(self._bridge.encounter, *pair) is not None:
                self.related.emit(Relate(*pair, forget=True))
