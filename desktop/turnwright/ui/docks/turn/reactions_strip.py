"""Available reactions of combatants whose turn it is not, and readied responses with their trigger."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QMenu, QWidget

from turnwright.encounter.lookups import clock_of
from turnwright.encounter.running import Combatant
from turnwright.play.effects.ready_action import readied_effect, response_name
from turnwright.play.queries.queries import active_combatants
from turnwright.play.state.limited_uses import use_vetoes
from turnwright.rules.parts.actions.action_options import action_vetoes
from turnwright.rules.parts.movement.opportunity_attacks import can_react
from turnwright.rules.parts.positions import are_hostile
from turnwright.rules.system import creature_of
from turnwright.rules.system_data.actions import ActionOption
from turnwright.ui.docks.shared.explainer import explainer
from turnwright.ui.docks.turn.action_forms import RELEASE
from turnwright.ui.docks.turn.turn_actions import ActionRequest, AttackCardRequest, feature_request, option_request
from turnwright.ui.document_model import DocumentModel
from turnwright.ui.fonts import SPACE
from turnwright.ui.translations import tr
from turnwright.ui.widgets.icon_label import IconLabel
from turnwright.ui.widgets.layout import FlowRow
from turnwright.ui.widgets.text import PushButton, escaped_tooltip
from turnwright.ui.widgets.why import WhyLabel


@dataclass(frozen=True)
class ReactionView:
    """A reaction that a combatant can take now: its text and the request that a click opens.

    `shared` is the id of an action that several can take; they share one button with a menu.
    """

    id: str
    who: str
    name: str
    tip: str
    request: ActionRequest
    shared: str = ""

    @property
    def text(self) -> str:
        """Combatant and reaction as text."""
        return f"{self.who}: {self.name}" if self.who else self.name


class ReactionsStrip(FlowRow):
    """The buttons of the available reactions. `chosen(request)` when one is clicked.

    Opportunity attacks come as prompts where the engine knows of them; the menu at the end is for other cases.
    """

    chosen = Signal(object)

    def __init__(self, bridge: DocumentModel, parent: QWidget | None = None) -> None:
        super().__init__(parent, gap=SPACE, roomy=True)
        self._bridge = bridge
        self._shown: list[tuple[str, str, str]] = []
        self.opportunity_menu = QMenu(self)
        self._buttons: dict[str, PushButton] = {}
        self.setAccessibleName(tr("ui.turn.reactions"))
        self.hide()

    def refresh(self) -> None:
        """Show the available reactions; hidden where there are none."""
        running = clock_of(self._bridge.encounter).phase == "rounds" and bool(active_combatants(self._bridge.encounter))
        able = self._able() if running else []
        found = list(self._reactions(able))
        shown = [*((one.id, one.text, one.tip) for one in found), *((one.id, one.label, "") for one in able)]
        if shown != self._shown:
            self._shown = shown
            self._fill(found, able)
        self.setVisible(bool(able))
        self.keep_room()

    def button(self, id: str) -> PushButton:
        """Return the button of a reaction, `who/feature`, or of a shared reaction by its id; else KeyError."""
        return self._buttons[id]

    def shown(self) -> list[str]:
        """Return the ids of the reactions shown."""
        return list(self._buttons)

    def is_needed(self) -> bool:
        """Return whether a combatant can react."""
        return bool(self._shown)

    def _fill(self, found: list[ReactionView], able: list[Combatant]) -> None:
        self.clear()
        self.opportunity_menu.clear()
        self._buttons = {}
        self.add(IconLabel("flash", "muted", 14))
        heading = WhyLabel(tr("ui.turn.reactions"), "caption", "muted")
        explain = explainer(self._bridge)
        rule = explain.rule_on_topic("offturn.reaction")
        heading.set_why((lambda: explain.explain_rule(rule, tr("ui.turn.reactions"))) if rule else None)
        self.add(heading)
        together: dict[str, list[ReactionView]] = {}
        for one in sorted(found, key=lambda one: bool(one.shared)):
            together.setdefault(one.shared or one.id, []).append(one)
        for id, those in together.items():
            alone = those[0] if len(those) == 1 else None
            self._buttons[alone.id if alone else id] = self._button(alone) if alone else self._shared_button(those)
        for button in self._buttons.values():
            self.add(button)
        active = next(iter(active_combatants(self._bridge.encounter)), None)
        foes = [one for one in able if active is not None and are_hostile(self._bridge.encounter, one.id, active.id)]
        if active is not None and foes and self._bridge.rules.data.movement.opportunity:
            self.add(self._menu_button(foes, active.id))
        for place in range(self._flow.count()):
            item = self._flow.itemAt(place)
            widget = item.widget() if item is not None else None
            if widget is not None:
                widget.show()

    def _button(self, one: ReactionView) -> PushButton:
        button = _plain(one.text, one.tip)
        button.clicked.connect(lambda _on=False, meaning=one.request: self.chosen.emit(meaning))
        return button

    def _shared_button(self, those: Sequence[ReactionView]) -> PushButton:
        """Return the button of a reaction that several can take, with a menu of the combatants."""
        button = _plain(those[0].name, those[0].tip)
        menu = QMenu(button)
        for one in those:
            action = menu.addAction(one.who.replace("&", "&&"))
            action.triggered.connect(lambda _on=False, meaning=one.request: self.chosen.emit(meaning))
        button.setProperty("menu", True)
        button.setMenu(menu)
        return button

    def _menu_button(self, foes: list[Combatant], active: str) -> PushButton:
        """Return the button whose menu opens an opportunity attack by a foe against the acting combatant."""
        for one in foes:
            meaning = AttackCardRequest("", "opportunity", one.id, active)
            action = self.opportunity_menu.addAction(one.label.replace("&", "&&"))
            action.triggered.connect(lambda _on=False, meaning=meaning: self.chosen.emit(meaning))
        button = _plain(tr("ui.turn.opportunity-attack"), tr("ui.turn.opportunity-attack-tip"))
        button.setProperty("menu", True)
        button.setMenu(self.opportunity_menu)
        return button

    def _able(self) -> list[Combatant]:
        """Return the combatants that can react now, without those whose turn it is."""
        encounter, rules = self._bridge.encounter, self._bridge.rules
        acting = {one.id for one in active_combatants(encounter)}
        return [one for one in encounter.all(Combatant) if one.id not in acting and can_react(encounter, rules, one.id)]

    def _reactions(self, able: list[Combatant]) -> Iterator[ReactionView]:
        encounter, rules = self._bridge.encounter, self._bridge.rules
        letting_go = next((one for one in rules.data.actions if one.done == RELEASE), None)
        others = [one for one in rules.data.actions if one.group == "reaction" and one.done != RELEASE]
        for one in able:
            if letting_go is not None:
                yield from self._readied(one, letting_go)
            yield from self._own(one)
            for option in others:
                if not action_vetoes(encounter, rules, one.id, option):
                    meaning = option_request(self._bridge, one.id, option)
                    yield ReactionView(f"{one.id}/{option.id}", one.label, option.name, option.text, meaning, option.id)

    def _readied(self, one: Combatant, option: ActionOption) -> Iterator[ReactionView]:
        effect = readied_effect(self._bridge.encounter, self._bridge.rules, one.id)
        if effect is None:
            return
        response = response_name(self._bridge.encounter, self._bridge.rules, effect)
        text = tr("ui.turn.readied", who=one.label, response=response, trigger=effect.end_condition)
        meaning = option_request(self._bridge, one.id, option)
        yield ReactionView(f"{one.id}/{option.id}", "", text, tr("ui.turn.readied-tip"), meaning)

    def _own(self, one: Combatant) -> Iterator[ReactionView]:
        encounter, rules, explain = self._bridge.encounter, self._bridge.rules, explainer(self._bridge)
        for feature in creature_of(encounter, one).features:
            if feature.cost == "reaction" and not use_vetoes(encounter, rules, one.id, feature):
                meaning = feature_request(self._bridge, one.id, feature)
                yield ReactionView(
                    f"{one.id}/{feature.id}", one.label, feature.name, explain.name(feature.text), meaning
                )


def _plain(text: str, tip: str) -> PushButton:
    button = PushButton(text.replace("&", "&&"))
    button.setAutoDefault(False)
    button.setProperty("kind", "pick")
    button.setToolTip(escaped_tooltip(tip))
    button.setAccessibleName(text)
    button.setAccessibleDescription(tip)
    return button
