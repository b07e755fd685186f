"""Reactions in view: what those whose turn it isn't could do now, in a quiet line; readied responses with their trigger."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QMenu, QWidget

from turnwright.encounter.running import Combatant
from turnwright.play.inquiries import active_combatants, clock
from turnwright.play.procedures.readied import readied, response_name
from turnwright.play.supplies import lacks
from turnwright.rules.catalogue.actions import ActionOption
from turnwright.rules.parts.actions import refusals
from turnwright.rules.parts.opportunity import may_react
from turnwright.rules.parts.positions import hostile
from turnwright.rules.system import creature_of
from turnwright.ui.bridge import Bridge
from turnwright.ui.docks.explain import explainer
from turnwright.ui.docks.turn.actions import AttackWith, Meaning, meaning_of, use_of
from turnwright.ui.docks.turn.acts import RELEASE
from turnwright.ui.fonts import SPACE
from turnwright.ui.say import say
from turnwright.ui.widgets.glyph import Glyph
from turnwright.ui.widgets.layout import FlowRow
from turnwright.ui.widgets.text import PushButton, literal_tip
from turnwright.ui.widgets.why import WhyLabel


@dataclass(frozen=True)
class Reaction:
    """What somebody could do with the reaction: its words and what a click on it means.

    `shared` is the id of an action that anybody may take: those who can take it stand together on one button.
    """

    id: str
    who: str
    name: str
    tip: str
    meaning: Meaning
    shared: str = ""

    @property
    def text(self) -> str:
        """Who, and what."""
        return f"{self.who}: {self.name}" if self.who else self.name


class ReactionsStrip(FlowRow):
    """`chosen(meaning)` when a person has somebody react.

    Opportunity attacks come as prompts where the engine knows of them; the menu at the end is for those it can't know of.
    """

    chosen = Signal(object)

    def __init__(self, bridge: Bridge, parent: QWidget | None = None) -> None:
        super().__init__(parent, gap=SPACE, roomy=True)
        self._bridge = bridge
        self._shown: list[tuple[str, str, str]] = []
        self.strikers = QMenu(self)
        self._buttons: dict[str, PushButton] = {}
        self.setAccessibleName(say("ui.turn.reactions"))
        self.hide()

    def refresh(self) -> None:
        """Show who could react now, and how; nothing where nobody can."""
        running = clock(self._bridge.encounter).phase == "rounds" and bool(active_combatants(self._bridge.encounter))
        able = self._able() if running else []
        found = list(self._reactions(able))
        shown = [*((one.id, one.text, one.tip) for one in found), *((one.id, one.label, "") for one in able)]
        if shown != self._shown:
            self._shown = shown
            self._fill(found, able)
        self.setVisible(bool(able))
        self.keep_room()

    def button(self, id: str) -> PushButton:
        """Return the button of a reaction, `who/feature`, or of a shared one by its id; KeyError where there is none."""
        return self._buttons[id]

    def shown(self) -> list[str]:
        """Return the ids of the reactions shown."""
        return list(self._buttons)

    def is_needed(self) -> bool:
        """Return whether anybody can react."""
        return bool(self._shown)

    def _fill(self, found: list[Reaction], able: list[Combatant]) -> None:
        self.clear()
        self.strikers.clear()
        self._buttons = {}
        self.add(Glyph("flash", "muted", 14))
        heading = WhyLabel(say("ui.turn.reactions"), "caption", "muted")
        explain = explainer(self._bridge)
        rule = explain.rule_on("offturn.reaction")
        heading.set_why((lambda: explain.of_rule(rule, say("ui.turn.reactions"))) if rule else None)
        self.add(heading)
        together: dict[str, list[Reaction]] = {}
        for one in sorted(found, key=lambda one: bool(one.shared)):
            together.setdefault(one.shared or one.id, []).append(one)
        for id, those in together.items():
            alone = those[0] if len(those) == 1 else None
            self._buttons[alone.id if alone else id] = self._button(alone) if alone else self._shared_button(those)
        for button in self._buttons.values():
            self.add(button)
        active = next(iter(active_combatants(self._bridge.encounter)), None)
        foes = [one for one in able if active is not None and hostile(self._bridge.encounter, one.id, active.id)]
        if active is not None and foes and self._bridge.rules.catalogue.movement.opportunity:
            self.add(self._menu_button(foes, active.id))
        for place in range(self._flow.count()):
            item = self._flow.itemAt(place)
            widget = item.widget() if item is not None else None
            if widget is not None:
                widget.show()

    def _button(self, one: Reaction) -> PushButton:
        button = _plain(one.text, one.tip)
        button.clicked.connect(lambda _on=False, meaning=one.meaning: self.chosen.emit(meaning))
        return button

    def _shared_button(self, those: Sequence[Reaction]) -> PushButton:
        """Return the button of an action that several could take, with a menu of who does."""
        button = _plain(those[0].name, those[0].tip)
        menu = QMenu(button)
        for one in those:
            action = menu.addAction(one.who.replace("&", "&&"))
            action.triggered.connect(lambda _on=False, meaning=one.meaning: self.chosen.emit(meaning))
        button.setProperty("menu", True)
        button.setMenu(menu)
        return button

    def _menu_button(self, foes: list[Combatant], active: str) -> PushButton:
        """Return the button whose menu has a foe strike out of turn, at whoever acts."""
        for one in foes:
            meaning = AttackWith("", "opportunity", one.id, active)
            action = self.strikers.addAction(one.label.replace("&", "&&"))
            action.triggered.connect(lambda _on=False, meaning=meaning: self.chosen.emit(meaning))
        button = _plain(say("ui.turn.strike"), say("ui.turn.strike-tip"))
        button.setProperty("menu", True)
        button.setMenu(self.strikers)
        return button

    def _able(self) -> list[Combatant]:
        """Return who may react now, of those whose turn it isn't."""
        encounter, rules = self._bridge.encounter, self._bridge.rules
        acting = {one.id for one in active_combatants(encounter)}
        return [one for one in encounter.all(Combatant) if one.id not in acting and may_react(encounter, rules, one.id)]

    def _reactions(self, able: list[Combatant]) -> Iterator[Reaction]:
        encounter, rules = self._bridge.encounter, self._bridge.rules
        letting_go = next((one for one in rules.catalogue.actions if one.done == RELEASE), None)
        others = [one for one in rules.catalogue.actions if one.group == "reaction" and one.done != RELEASE]
        for one in able:
            if letting_go is not None:
                yield from self._readied(one, letting_go)
            yield from self._own(one)
            for option in others:
                if not refusals(encounter, rules, one.id, option):
                    meaning = meaning_of(self._bridge, one.id, option)
                    yield Reaction(f"{one.id}/{option.id}", one.label, option.name, option.text, meaning, option.id)

    def _readied(self, one: Combatant, option: ActionOption) -> Iterator[Reaction]:
        effect = readied(self._bridge.encounter, one.id)
        if effect is None:
            return
        response = response_name(self._bridge.encounter, self._bridge.rules, effect)
        text = say("ui.turn.readied", who=one.label, response=response, trigger=effect.until)
        meaning = meaning_of(self._bridge, one.id, option)
        yield Reaction(f"{one.id}/{option.id}", "", text, say("ui.turn.release-tip"), meaning)

    def _own(self, one: Combatant) -> Iterator[Reaction]:
        encounter, rules, explain = self._bridge.encounter, self._bridge.rules, explainer(self._bridge)
        for feature in creature_of(encounter, one).features:
            if feature.cost == "reaction" and not lacks(encounter, rules, one.id, feature):
                meaning = use_of(self._bridge, one.id, feature)
                yield Reaction(f"{one.id}/{feature.id}", one.label, feature.name, explain.name(feature.text), meaning)


def _plain(text: str, tip: str) -> PushButton:
    button = PushButton(text.replace("&", "&&"))
    button.setAutoDefault(False)
    button.setProperty("kind", "act")
    button.setToolTip(literal_tip(tip))
    button.setAccessibleName(text)
    button.setAccessibleDescription(tip)
    return button
