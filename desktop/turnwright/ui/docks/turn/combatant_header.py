"""The header of the turn panel, and the words that the panel's input lines understand.

The header of the turn panel: name and kind, AC, hit points, resources as pips, movement and conditions.

The words of the rule system that the input lines of the turn panel understand.
"""

from collections.abc import Callable, Iterator
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QSizePolicy, QTabBar, QWidget

from turnwright.encounter.running import Combatant, Effect
from turnwright.play.actions.contest import BreakFree, Wake, can_be_escaped
from turnwright.play.damage.manual_hit_points import SetTrack
from turnwright.play.effects.conditions import EndEffect
from turnwright.play.queries import queries
from turnwright.play.state.action_economy import RestoreResource, SpendResource
from turnwright.rules.parts.checks.ability_checks import armor_class
from turnwright.rules.parts.economy.limited_uses import all_uses
from turnwright.rules.parts.movement.move_legs import current_stride, stride_action
from turnwright.rules.parts.positions.geometry import is_within
from turnwright.rules.parts.stat_block.sections import kind_text
from turnwright.rules.system import creature_of, label_of, labels_of
from turnwright.ui.docks.shared.explainer import explainer
from turnwright.ui.docks.shared.why_fight import explain_hit_points, explain_resource, explain_turn_order_row
from turnwright.ui.look.style import GAP, SPACE, tr
from turnwright.ui.services.document_model import DocumentModel
from turnwright.ui.widgets.fields import KeyButton
from turnwright.ui.widgets.layout import ElidedLabel, PartsLabel, fill, horizontal, tab_through, vertical
from turnwright.ui.widgets.records.effect_chip import EffectChip, EffectRow, EffectView
from turnwright.ui.widgets.records.resource_pips import HitPointBar, ResourcePip, ResourcePips
from turnwright.ui.widgets.rules.why import Explanation, ExplanationLine, WhyLabel, WhyPopup
from turnwright.ui.widgets.text import IconLabel

MAX_PIPS = 5  # a larger number is shown as digits
KEYS = "qwtyuio"  # with Alt: letters of no menu; the numbers choose what the players see
DIAMOND_SIGN = "◆"
HEADER_RESOURCES = ("slots", "legendary")  # limited uses shared by several features


class CombatantHeader(QWidget):
    """The acting combatant. Emits `combatantChosen(who)` when the user chooses another combatant that shares the turn.

    Emits `moveRequested` and `conditionRequested` when the user presses their buttons.
    """

    combatantChosen = Signal(str)
    moveRequested = Signal()
    conditionRequested = Signal()

    def __init__(self, document: DocumentModel) -> None:
        super().__init__()
        self._document = document
        self._who = ""
        self._chips: tuple[EffectView, ...] | None = None
        words = document.words
        self.turn_sharers = QTabBar(expanding=False, drawBase=False, usesScrollButtons=True)
        self.turn_sharers.setAccessibleName(words("ui.turn.turn-sharers"))
        self.turn_sharers.currentChanged.connect(self._turn_to)
        self.turn_sharers.hide()
        self.name = ElidedLabel(role="banner", smaller="number")
        self.kind = PartsLabel("", "caption", "muted")
        self.armor = WhyLabel("", "number")
        self.points = HitPointBar(role="number")
        self.points.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._popup = WhyPopup(self)
        self.name.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        self.pips = ResourcePips()
        self.pips.roomy = True
        self.pips.changeRequested.connect(self._change_resource)
        self.movement = WhyLabel("", "strong")
        move_button = KeyButton("", self.moveRequested.emit, "V", "quiet")
        self.use_boxes = ResourcePips()
        self.use_boxes.roomy = True
        self.use_boxes.changeRequested.connect(
            lambda name, left: self._document.execute(SetTrack(self._who, name, left))
        )
        self.effects = EffectRow(gap=SPACE + 2, roomy=True)
        self.add_condition = KeyButton(words("ui.turn.condition"), self.conditionRequested.emit, "C", "quiet", "plus")
        banner = fill(horizontal(spacing=GAP + SPACE), self.name, (self.kind, 1), self.armor, self.points)
        means = fill(horizontal(), (self.pips, 4), IconLabel("run", "text", 20), self.movement, move_button)
        corner = Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignRight
        conditions = fill(horizontal(), (self.effects, 1), (self.add_condition, 0, corner))
        column = vertical(self, spacing=4, margins=(24, 10, 24, 8))
        fill(column, self.turn_sharers, banner, means, self.use_boxes, conditions)
        for button in self.findChildren(KeyButton):
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def show_combatant(self, combatant: Combatant, mode: str = "") -> None:
        """Show a combatant's current state, and the distance left in a mode of movement."""
        self._who = combatant.id
        lookup, rules, words = self._document.encounter, self._document.rules, self._document.words
        self.name.setText(combatant.label)
        self.kind.setText(kind_text(creature_of(lookup, combatant), rules.data, tr))
        ac = armor_class(lookup, rules, combatant.id)
        self.armor.set_text(words("ui.turn.ac", n=ac.total or "?"))
        explain = explainer(self._document)
        self.armor.set_why(lambda: explain.explain_number(words("ui.stat.ac"), ac, topic="attack.ac-source"))
        state = queries.hit_point_state(combatant)
        shown_state = "down" if state == "dead" else "" if state == "up" else state
        points = (combatant.hp, combatant.hp_max, combatant.temp_hp, shown_state)
        self.points.set_hit_points(*points, counts_damage=combatant.counts_damage, base=combatant.hp_base)
        self._show_resources(combatant.id)
        self._show_supplies(combatant.id)
        self.show_movement(mode)
        self._show_effects(combatant.id)

    def show_movement(self, mode: str = "") -> None:
        """Show the distance left in a mode of movement, or in the first one."""
        lookup, rules, words = self._document.encounter, self._document.rules, self._document.words
        movements = queries.movement_of(lookup, rules, self._who)
        movement = next((entry for entry in movements if entry.mode == mode), next(iter(movements), None))
        if movement is None:
            self.movement.set_text("–")
            self.movement.set_why(None)
            return
        left: int | None = movement.left
        if stride_action(rules, movement.mode) is not None:  # movement costs actions: show the rest of the stride
            left = current_stride(lookup, rules, self._who, movement.mode).remaining or None
        key = "ui.turn.movement" if left is not None else "ui.turn.movement-bought"
        self.movement.set_text(words(key, left=left, of=movement.allowance.total))
        explain, unit = explainer(self._document), f" {words('ui.general.feet')}"
        self.movement.set_why(lambda: explain.explain_number(words("ui.turn.speed"), movement.allowance, unit))

    def show_turn_sharers(self, sharers: list[Combatant], who: str) -> None:
        """Show the combatants that share the turn as tabs. The tabs are hidden for a single combatant."""
        self.turn_sharers.blockSignals(True)
        ids = [self.turn_sharers.tabData(place) for place in range(self.turn_sharers.count())]
        if ids != [sharer.id for sharer in sharers]:
            while self.turn_sharers.count():
                self.turn_sharers.removeTab(0)
            for combatant in sharers:
                self.turn_sharers.setTabData(self.turn_sharers.addTab(combatant.label.replace("&", "&&")), combatant.id)
        for place, combatant in enumerate(sharers):
            self.turn_sharers.setTabText(place, combatant.label.replace("&", "&&"))
            if combatant.id == who:
                self.turn_sharers.setCurrentIndex(place)
        self.turn_sharers.setVisible(len(sharers) > 1)
        self.turn_sharers.blockSignals(False)

    def _turn_to(self, place: int) -> None:
        if isinstance(who := self.turn_sharers.tabData(place), str):
            self.combatantChosen.emit(who)

    def explain(self) -> bool:
        """Explain the focused hit points, resource or movement, or else the combatant's row of the turn order."""
        if resource := self.pips.focused():
            self._popup.open(explain_resource(self._document, self._who, resource), next_to=self.pips.group(resource))
        elif self.points.hasFocus():
            self._popup.open(explain_hit_points(self._document, self._who), next_to=self.points)
        else:
            self._popup.open(explain_turn_order_row(self._document, self._who), next_to=self.name)
        return True

    def _show_resources(self, who: str) -> None:
        presentation = self._document.rules.data.presentation
        pips, points, signs = [], presentation.pools, dict(presentation.signs)
        for place, status in enumerate(queries.resources_of(self._document.encounter, self._document.rules, who)):
            if status.resource.characters is not None:
                continue  # shown below, to leave the line to the resources of a turn
            condition = dict(status.denied.params).get("condition") if status.denied is not None else None
            denied = f" ({explainer(self._document).name(str(condition)).lower()})" if condition is not None else ""
            name, id, maximum = status.resource.name, status.resource.id, max(status.maximum, status.left)
            signed = signs.get(id) == DIAMOND_SIGN
            words = f"{tr('ui.turn.left-of', n=status.left, most=maximum, what=name.lower())}{denied}" if signed else ""
            pip = ResourcePip(
                id,
                f"{name}{denied}",
                status.left,
                maximum,
                KEYS[place : place + 1],
                is_counted=id in points or maximum > MAX_PIPS,
                is_diamond=signed,
                words=words,
            )
            pips.append(pip)
        self.pips.set_pips(pips)
        self.pips.keep_room()
        tab_through(self.armor, [self.points, self.pips, self.use_boxes])

    def _show_supplies(self, who: str) -> None:
        """Show spell slots, legendary actions, and points for failed rolls. The uses of a feature are shown on its button instead."""
        words, pips = self._document.words, []
        for all_use in all_uses(self._document.encounter, who):
            word, _, rest = all_use.name.partition(".")
            if word in HEADER_RESOURCES:
                name = words("ui.turn.slot", level=rest) if rest else words("ui.turn.legendary")
                pips.append(ResourcePip(all_use.name, name, all_use.value, max(all_use.maximum, all_use.value)))
        states = queries.resources_of(self._document.encounter, self._document.rules, who)
        points = (state for state in states if state.resource.characters is not None and state.left)
        pips += [ResourcePip(each.resource.id, each.resource.name, each.left, each.maximum) for each in points]
        self.use_boxes.set_pips(pips)
        self.use_boxes.keep_room()
        self.use_boxes.setVisible(bool(pips))

    def _show_effects(self, who: str) -> None:
        encounter, rules = self._document.encounter, self._document.rules
        reach = rules.data.grid.reach
        others = (effect for effect in encounter.all(Effect) if effect.wakes and effect.target != who)
        asleep = [each for each in others if is_within(encounter, rules, who, each.target, reach) is not False]
        views = tuple(map(self._effect_view, (*queries.effects_of(encounter, who), *asleep)))
        if views == self._chips:
            return
        self._chips = views
        self.effects.clear()
        for view in views:
            chip = EffectChip(view)
            chip.endRequested.connect(lambda id: self._document.execute(EndEffect(id)))
            chip.breakFreeRequested.connect(lambda id: self._document.execute(BreakFree(id)))
            by = who if view.of_another else ""
            chip.wakeRequested.connect(lambda id, by=by: self._document.execute(Wake(id, by)))
            self.effects.add(chip)
            chip.show()  # now, because the layout counts only visible chips
        self.effects.fit()
        tab_through(self.use_boxes, [self.effects])

    def escapes(self) -> Iterator[tuple[str, Callable[[], object]]]:
        """Yield the effects from which the combatant can break free, with what to call for it."""
        for view in self._chips or ():
            if view.break_free:
                name = f"{self._document.words('ui.turn.break-free')}: {view.name}"
                yield name, partial(self._document.execute, BreakFree(view.id))

    def _effect_view(self, effect: Effect) -> EffectView:
        explain, words = explainer(self._document), self._document.words
        condition = self._document.rules.conditions.get(effect.name)
        name = explain.name(f"<condition.{effect.name}>")
        has_value = effect.value > 1 or (condition is not None and condition.valued and effect.value)
        label = f"{name} {effect.value}" if has_value else name
        ends, rounds = "", queries.rounds_left(self._document.encounter, effect)
        if effect.name == self._document.rules.data.attack.tally:
            label = words("ui.turn.attacks-made", n=effect.value)
        elif queries.ends_this_turn(self._document.encounter, effect):
            ends = words("ui.turn.ends-this-turn")
        elif rounds:
            ends = words("ui.turn.rounds-short", n=rounds)
        elif effect.ends.moment != "never":
            key = "ui.turn.until-later" if effect.ends.skip else "ui.turn.until"
            ends = words(key, moment=words(f"ends.{effect.ends.moment}"), n=effect.ends.skip)
        cost = words("ui.turn.break-free-check") if can_be_escaped(self._document.rules, effect) else ""
        cost = explain.name(f"<resource.{effect.break_free}>").lower() if effect.break_free else cost

        def why() -> Explanation:
            text = queries.reminder_of(self._document.rules, self._document.encounter.get(Effect, effect.id) or effect)
            lines = [ExplanationLine("·", text)] if text else []
            lines += explain.rule_lines(condition.ledger if condition else ())
            notes = [words("ui.turn.from", source=effect.source)] if effect.source else []
            holder = labels_of(self._document.encounter, (effect.concentrator,)) if effect.concentrator else ""
            notes += [words("ui.condition.holds", who=holder)] if holder else []
            notes += [words("ui.condition.uses-left", n=effect.uses_left)] if effect.uses_left else []
            return Explanation(name, "", tuple(lines), (), tuple(notes))

        icon = condition.icon.removeprefix("mdi6.") if condition and condition.icon else "circle-medium"
        wakes = explain.name(f"<resource.{effect.wakes}>").lower() if effect.wakes else ""
        is_own = effect.target == self._who
        label = label if is_own else f"{label_of(self._document.encounter, effect.target)}: {label}"
        return EffectView(effect.id, label, icon, ends, cost if is_own else "", wakes, of_another=not is_own, why=why)

    def _change_resource(self, resource: str, left: int) -> None:
        states = queries.resources_of(self._document.encounter, self._document.rules, self._who)
        status = next((entry for entry in states if entry.resource.id == resource), None)
        if status is not None:
            spend, restore = SpendResource(self._who, resource), RestoreResource(self._who, resource)
            self._document.execute(spend if left < status.left else restore)
