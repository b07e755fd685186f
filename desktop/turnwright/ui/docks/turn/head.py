"""Who acts: name, AC and hit points, resources as pips, movement with its field, plan and conditions."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QTabBar, QVBoxLayout, QWidget

from turnwright.encounter.running import Combatant, Effect
from turnwright.play.commands import BreakFree, Command, EndEffect, Regain, SetPlan, SetTrack, Spend
from turnwright.play.inquiries import armor_class, effects_of, hit_point_state, resources_of
from turnwright.play.procedures.escapes import can_be_escaped
from turnwright.play.supplies import supplies
from turnwright.ui.bridge import Bridge
from turnwright.ui.docks.answers import of_hit_points, of_place, of_resource
from turnwright.ui.docks.explain import explainer
from turnwright.ui.docks.turn.moves import MoveRow
from turnwright.ui.fonts import GAP, SPACE, px
from turnwright.ui.widgets.effect_chip import EffectChip, EffectView
from turnwright.ui.widgets.hit_points import HitPointBar
from turnwright.ui.widgets.layout import ElidedLabel, FlowRow
from turnwright.ui.widgets.pips import Pip, Pips
from turnwright.ui.widgets.prompt_card import holds_focus
from turnwright.ui.widgets.tab_order import tab_through
from turnwright.ui.widgets.why import Why, WhyLabel, WhyLine, WhyPopup

MOST_PIPS = 5  # more than these are a figure
IN_HEAD = ("slots", "legendary")  # supplies that belong to no single feature


class TurnHead(QWidget):
    """The head of the active turn. `turned_to(who)` when another of those who share the turn is chosen."""

    turned_to = Signal(str)

    def __init__(self, bridge: Bridge, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._who = ""
        self._chips: tuple[EffectView, ...] | None = None
        words = bridge.words
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(px(6))
        self.company = QTabBar()
        self.company.setAccessibleName(words("ui.turn.company"))
        self.company.setExpanding(False)
        self.company.setDrawBase(False)
        self.company.setUsesScrollButtons(True)
        self.company.currentChanged.connect(self._turn_to)
        self.company.hide()
        column.addWidget(self.company)
        banner = QHBoxLayout()
        banner.setSpacing(px(GAP * 2))
        self.name = ElidedLabel(role="banner")
        self.armor = WhyLabel("", "strong")
        self.points = HitPointBar()
        self.points.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._popup = WhyPopup(self)
        banner.addWidget(self.name, 3)
        banner.addWidget(self.armor)
        banner.addWidget(self.points, 2)
        column.addLayout(banner)
        means = QHBoxLayout()
        means.setSpacing(px(GAP))
        self.pips = Pips()
        self.pips.roomy = True
        self.pips.asked.connect(self._change_resource)
        means.addWidget(self.pips, 4)
        self.supplies = Pips()
        self.supplies.roomy = True
        self.supplies.asked.connect(lambda name, left: self._do(SetTrack(self._who, name, left)))
        self.plan = QLineEdit()
        self.plan.setPlaceholderText(words("ui.turn.plan"))
        self.plan.setAccessibleName(words("ui.turn.plan"))
        self.plan.setMinimumWidth(px(152))
        self.plan.setMaximumWidth(px(280))
        self.plan.editingFinished.connect(self._note_plan)
        means.addWidget(self.plan, 1)
        column.addLayout(means)
        column.addWidget(self.supplies)
        self.movement = MoveRow(bridge)
        column.addWidget(self.movement)
        self.effects = FlowRow(gap=SPACE + 2, roomy=True)
        column.addWidget(self.effects)

    def show_who(self, combatant: Combatant) -> None:
        """Show a combatant as it now stands."""
        self._who = combatant.id
        lookup, rules, words = self._bridge.encounter, self._bridge.rules, self._bridge.words
        self.name.setText(combatant.label)
        figure = armor_class(lookup, rules, combatant.id)
        self.armor.set_text(words("ui.turn.ac", n=figure.total or "?"))
        explain = explainer(self._bridge)
        self.armor.set_why(lambda: explain.of_figure(words("ui.stat.ac"), figure, topic="attack.ac-source"))
        state = hit_point_state(combatant)
        shown = "down" if state == "dead" else "" if state == "up" else state
        self.points.set_hit_points(combatant.hp, combatant.hp_max, combatant.temp_hp, shown)
        self._show_resources(combatant.id)
        if not self.plan.hasFocus():
            self.plan.setText(combatant.plan)
        self._show_supplies(combatant.id)
        self.movement.show_who(combatant.id)
        self._show_effects(combatant.id)

    def show_company(self, company: list[Combatant], who: str) -> None:
        """Show who shares the turn, the one that is looked at chosen; nothing for somebody alone."""
        self.company.blockSignals(True)
        ids = [self.company.tabData(place) for place in range(self.company.count())]
        if ids != [one.id for one in company]:
            while self.company.count():
                self.company.removeTab(0)
            for one in company:
                self.company.setTabData(self.company.addTab(one.label.replace("&", "&&")), one.id)
        for place, one in enumerate(company):
            self.company.setTabText(place, one.label.replace("&", "&&"))
            if one.id == who:
                self.company.setCurrentIndex(place)
        self.company.setVisible(len(company) > 1)
        self.company.blockSignals(False)

    def _turn_to(self, place: int) -> None:
        who = self.company.tabData(place)
        if isinstance(who, str):
            self.turned_to.emit(who)

    def explain(self) -> bool:
        """Explain what has the focus here: hit points, a resource, the movement; else whoever acts."""
        resource = self.pips.focused()
        if resource:
            self._popup.open(of_resource(self._bridge, self._who, resource), beside=self.pips.group(resource))
        elif self.points.hasFocus():
            self._popup.open(of_hit_points(self._bridge, self._who), beside=self.points)
        elif holds_focus(self.movement):
            return self.movement.explain()
        else:
            self._popup.open(of_place(self._bridge, self._who), beside=self.name)
        return True

    def _show_resources(self, who: str) -> None:
        pips, points = [], self._bridge.rules.catalogue.presentation.pools
        for place, one in enumerate(resources_of(self._bridge.encounter, self._bridge.rules, who)):
            denied = f" ({explainer(self._bridge).name(one.denied).lower()})" if one.denied else ""
            name = one.resource.name
            most, id = max(one.maximum, one.left), one.resource.id
            counted = id in points or most > MOST_PIPS
            pips.append(Pip(id, f"{name}{denied}", one.left, most, str(place + 1), counted=counted))
        self.pips.set_pips(pips)
        self.pips.keep_room()
        tab_through(self.armor, [self.points, self.pips, self.supplies])

    def _show_supplies(self, who: str) -> None:
        """Show spell slots and legendary actions; what belongs to one feature stands on its button."""
        words, pips = self._bridge.words, []
        for one in supplies(self._bridge.encounter, who):
            word, _, rest = one.name.partition(".")
            if word in IN_HEAD:
                name = words("ui.turn.slot", level=rest) if rest else words("ui.turn.legendary")
                pips.append(Pip(one.name, name, one.value, max(one.maximum, one.value)))
        self.supplies.set_pips(pips)
        self.supplies.keep_room()
        self.supplies.setVisible(bool(pips))

    def _show_effects(self, who: str) -> None:
        views = tuple(self._effect_view(effect) for effect in effects_of(self._bridge.encounter, who))
        if views == self._chips:
            return
        self._chips = views
        self.effects.clear()
        self.effects.setVisible(bool(views))
        for view in views:
            chip = EffectChip(view)
            chip.ended.connect(lambda id: self._do(EndEffect(id)))
            chip.broken_free.connect(lambda id: self._do(BreakFree(id)))
            self.effects.add(chip)
            chip.show()  # at once, so that the room kept counts it
        self.effects.keep_room()
        tab_through(self.movement.button, [self.effects])

    def _effect_view(self, effect: Effect) -> EffectView:
        explain, words = explainer(self._bridge), self._bridge.words
        condition = self._bridge.rules.conditions.get(effect.name)
        name = explain.name(f"<condition.{effect.name}>")
        ends = ""
        if effect.ends.moment != "never":
            ends = words("ui.turn.until", moment=words(f"ends.{effect.ends.moment}"))
        cost = words("ui.turn.break-free-check") if can_be_escaped(self._bridge.rules, effect) else ""
        cost = explain.name(f"<resource.{effect.break_free}>").lower() if effect.break_free else cost

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
            f"{name} {effect.value}" if effect.value > 1 or (condition and condition.valued and effect.value) else name,
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
