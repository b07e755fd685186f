"""Available reactions of combatants outside their turn, and readied responses with their trigger."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import islice

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QMenu, QWidget

from turnwright.encounter.lookups import clock_of
from turnwright.encounter.prepared import Feature
from turnwright.encounter.running import Combatant
from turnwright.play.effects.ready_action import readied_effect, response_name
from turnwright.play.queries.queries import active_combatants
from turnwright.play.state.limited_uses import use_vetoes
from turnwright.rules.parts.actions.action_options import action_vetoes
from turnwright.rules.parts.conditions.condition_rules import unmet_requirements
from turnwright.rules.parts.movement.opportunity_attacks import can_react
from turnwright.rules.parts.positions import are_hostile
from turnwright.rules.system import creature_of
from turnwright.rules.system_data.actions import ActionOption
from turnwright.ui.docks.shared.explainer import explainer
from turnwright.ui.docks.turn.cards.attack_facts import put
from turnwright.ui.docks.turn.forms.action_forms import RELEASE
from turnwright.ui.docks.turn.turn_actions import ActionRequest, AttackCardRequest, feature_request, option_request
from turnwright.ui.look.fonts import SPACE
from turnwright.ui.look.theme import escaped_tooltip
from turnwright.ui.look.translations import tr
from turnwright.ui.services.document_model import DocumentModel
from turnwright.ui.widgets.layout import FlowRow
from turnwright.ui.widgets.rules.why import WhyLabel
from turnwright.ui.widgets.text import IconLabel, PushButton

Taker = tuple[Combatant, ActionRequest]
Takers = Callable[[], Iterator[Taker]]


@dataclass(frozen=True)
class ReactionView:
    """A reaction that can be taken now: its text, and the request that a click opens.

    If several combatants can take the reaction, there is no request. The button then opens a menu of the `takers`.
    """

    id: str
    text: str
    tip: str
    request: ActionRequest | None = None
    takers: Takers | None = None


class ReactionsStrip(FlowRow):
    """The buttons of the available reactions. Emits `chosen(request)` when the user clicks one.

    The engine asks about known opportunity attacks in prompts. The menu at the end is for other cases.
    """

    chosen = Signal(object)

    def __init__(self, document: DocumentModel, parent: QWidget | None = None) -> None:
        super().__init__(parent, gap=SPACE, roomy=True)
        self._document = document
        self._others: list[Combatant] = []
        self._can_react: dict[str, bool] = {}
        self._shown: list[tuple[str, str, str, bool]] = []
        self.buttons: dict[str, PushButton] = {}  # by `who/feature`, or by `feature` if several can take the reaction
        self.setAccessibleName(tr("ui.turn.reactions"))
        self.hide()

    def refresh(self) -> None:
        """Show the available reactions, or hide the strip if there are none."""
        self._others = self._other_combatants()
        self._can_react.clear()
        reactions = list(self._reactions())
        shown = [(reaction.id, reaction.text, reaction.tip, reaction.request is None) for reaction in reactions]
        if shown != self._shown:
            self._shown = shown
            self._fill(reactions)
        self.setVisible(bool(reactions))
        self.keep_room()

    def is_needed(self) -> bool:
        """Whether a combatant can react."""
        return bool(self._shown)

    def _fill(self, reactions: list[ReactionView]) -> None:
        self.clear()
        heading = WhyLabel(tr("ui.turn.reactions"), "caption", "muted")
        explain = explainer(self._document)
        rule = explain.rule_on_topic("offturn.reaction")
        heading.set_why((lambda: explain.explain_rule(rule, tr("ui.turn.reactions"))) if rule else None)
        self.buttons = {reaction.id: self._button(reaction) for reaction in reactions}
        for widget in (IconLabel("flash", "muted", 14), heading, *self.buttons.values()):
            put(self, widget)

    def _button(self, reaction: ReactionView) -> PushButton:
        button = _plain(reaction.text, reaction.tip)
        if reaction.takers is not None:
            menu = QMenu(button)
            menu.aboutToShow.connect(lambda takers=reaction.takers: self._name_takers(menu, takers))
            button.setProperty("menu", True)
            button.setMenu(menu)
        else:
            button.clicked.connect(lambda _on=False: self.chosen.emit(reaction.request))
        return button

    def _name_takers(self, menu: QMenu, takers: Takers) -> None:
        """Fill the menu of a shared reaction when it opens. Checking all combatants at each change would be slow."""
        menu.clear()
        for who, request in takers():
            action = menu.addAction(who.label.replace("&", "&&"))
            action.triggered.connect(lambda _on=False, request=request: self.chosen.emit(request))

    # Available reactions -----------------------------------------------------------------------------------------

    def _other_combatants(self) -> list[Combatant]:
        """Return the combatants whose turn it isn't, or an empty list outside of rounds."""
        encounter = self._document.encounter
        acting = {active_combatant.id for active_combatant in active_combatants(encounter)}
        if not acting or clock_of(encounter).phase != "rounds":
            return []
        return [combatant for combatant in encounter.all(Combatant) if combatant.id not in acting]

    def _is_able(self, combatant: Combatant) -> bool:
        """Whether a combatant can react now. This check is slow, so it is made last and its result is cached."""
        if combatant.id not in self._can_react:
            self._can_react[combatant.id] = can_react(self._document.encounter, self._document.rules, combatant.id)
        return self._can_react[combatant.id]

    def _reactions(self) -> Iterator[ReactionView]:
        rules = self._document.rules
        release = next((action for action in rules.data.actions if action.done == RELEASE), None)
        if release is not None:
            for other in self._others:
                yield from self._readied(other, release)
        yield from self._own()
        for option in rules.data.actions:
            if option.group == "reaction" and option.done != RELEASE:
                yield from _offer(
                    option.id, option.name, option.name, option.text, partial(self._option_takers, option)
                )
        if rules.data.movement.opportunity and any(self._opportunities()):
            text, tip = tr("ui.turn.opportunity-attack"), tr("ui.turn.opportunity-attack-tip")
            yield ReactionView("opportunity", text, tip, takers=self._opportunities)

    def _readied(self, combatant: Combatant, option: ActionOption) -> Iterator[ReactionView]:
        effect = readied_effect(self._document.encounter, self._document.rules, combatant.id)
        if effect is None or not self._is_able(combatant):
            return
        response = response_name(self._document.encounter, self._document.rules, effect)
        text = tr("ui.turn.readied", who=combatant.label, response=response, trigger=effect.end_condition)
        request = option_request(self._document, combatant.id, option)
        yield ReactionView(f"{combatant.id}/{option.id}", text, tr("ui.turn.readied-tip"), request)

    def _own(self) -> Iterator[ReactionView]:
        """Yield the reactions in stat blocks. Combatants with the same stat block share a reaction."""
        encounter, explain = self._document.encounter, explainer(self._document)
        creatures = {creature.id: creature for creature in (creature_of(encounter, other) for other in self._others)}
        for creature in creatures.values():
            for feature in creature.features:
                if feature.cost == "reaction":
                    shared = f"{creature.name}: {feature.name}"
                    takers = partial(self._feature_takers, creature.id, feature)
                    yield from _offer(feature.id, feature.name, shared, explain.name(feature.text), takers)

    def _feature_takers(self, creature: str, feature: Feature) -> Iterator[Taker]:
        encounter, rules = self._document.encounter, self._document.rules
        for other in self._others:
            same = creature_of(encounter, other).id == creature
            if same and self._is_able(other) and not use_vetoes(encounter, rules, other.id, feature):
                yield other, feature_request(self._document, other.id, feature)

    def _option_takers(self, option: ActionOption) -> Iterator[Taker]:
        encounter, rules = self._document.encounter, self._document.rules
        for other in self._others:
            # Requirements are cheaper to check than costs, and most combatants do not meet them.
            lacking = any(unmet_requirements(encounter, rules, other.id, option))
            if not lacking and self._is_able(other) and not action_vetoes(encounter, rules, other.id, option):
                yield other, option_request(self._document, other.id, option)

    def _opportunities(self) -> Iterator[Taker]:
        """Yield the acting combatant's enemies, each with the request for its opportunity attack."""
        encounter = self._document.encounter
        active = next(iter(active_combatants(encounter)), None)
        for other in self._others:
            if active is not None and are_hostile(encounter, other.id, active.id) and self._is_able(other):
                yield other, AttackCardRequest("", "opportunity", other.id, active.id)


def _offer(id: str, name: str, shared: str, tip: str, takers: Takers) -> Iterator[ReactionView]:
    """Yield a reaction with its combatant if only one can take it, or a shared reaction if several can."""
    first = list(islice(takers(), 2))
    if len(first) == 1:
        who, request = first[0]
        yield ReactionView(f"{who.id}/{id}", f"{who.label}: {name}", tip, request)
    elif first:
        yield ReactionView(id, shared, tip, takers=takers)


def _plain(text: str, tip: str) -> PushButton:
    button = PushButton(text.replace("&", "&&"))
    button.setAutoDefault(False)
    button.setProperty("kind", "pick")
    button.setToolTip(escaped_tooltip(tip))
    button.setAccessibleName(text)
    button.setAccessibleDescription(tip)
    return button
