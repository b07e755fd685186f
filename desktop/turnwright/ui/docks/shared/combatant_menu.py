"""The submenus of a combatant, which the turn order and the map share: conditions, areas, death saves and forms."""

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from turnwright.encounter.prepared import Environment
from turnwright.encounter.running import Combatant, Effect, Track
from turnwright.play.damage.manual_hit_points import SetTrack
from turnwright.play.effects.conditions import ApplyCondition, EndEffect
from turnwright.play.kernel.transaction import Command
from turnwright.play.state.position_changes import SetPosition
from turnwright.rules.parts.damage.damage_steps import FAILURES, SUCCESSES
from turnwright.ui.look.icons import icon
from turnwright.ui.look.style import escaped_tooltip
from turnwright.ui.look.window_data import window_data
from turnwright.ui.models.turn_order import death_saves
from turnwright.ui.services.document_model import DocumentModel
from turnwright.ui.widgets.fields import add_check

MANUAL_COMMANDS = window_data("turn-order.manual", tuple[str, ...])


class CombatantMenu:
    """Adds submenus to a menu for the combatants `ids`. Ticks show the state of the first. `ask` opens a form by its id."""

    def __init__(self, menu: QMenu, document: DocumentModel, ids: Sequence[str], ask: Callable[[str], object]) -> None:
        self._menu, self._document, self._ids = menu, document, tuple(ids)
        combatant = document.encounter.need(Combatant, ids[0])
        self._add_conditions(combatant.id)
        self._add_areas(combatant)
        self._add_death_saves(combatant)
        by_hand = menu.addMenu(document.words("ui.turn-order.manual-menu"))
        for id in (*MANUAL_COMMANDS, *(("revive",) if combatant.dead else ())):
            by_hand.addAction(document.words(f"ui.action.manual-{id}"), partial(self._ask, ask, id))

    def _ask(self, ask: Callable[[str], object], id: str) -> None:
        self._document.select_combatants(self._ids)
        ask(id)

    def _add_switch(self, menu: QMenu, text: str, commands: Sequence[Command], *, is_on: bool) -> QAction:
        return add_check(menu, text, lambda _on: self._document.execute_together(commands), checked=is_on)

    def _add_conditions(self, first: str) -> None:
        menu = self._menu.addMenu(self._document.words("ui.turn-order.conditions"))
        effects = [effect for effect in self._document.encounter.all(Effect) if effect.target in self._ids]
        for condition in self._document.rules.data.conditions:
            ends = [EndEffect(effect.id) for effect in effects if effect.name == condition.id]
            is_on = any((effect.target, effect.name) == (first, condition.id) for effect in effects)
            commands = ends if is_on else [ApplyCondition(self._ids, condition.id)]
            action = self._add_switch(menu, condition.name, commands, is_on=is_on)
            action.setIcon(icon(condition.icon.removeprefix("mdi6.") or "circle-medium"))
            action.setToolTip(escaped_tooltip(condition.text))

    def _add_areas(self, combatant: Combatant) -> None:
        environments = list(self._document.encounter.all(Environment))
        menu = self._menu.addMenu(self._document.words("ui.turn-order.areas")) if environments else self._menu
        for environment in environments:
            inside = environment.id not in combatant.outside
            rest = tuple(id for id in combatant.outside if id != environment.id)
            outside = (*rest, environment.id) if inside else rest
            commands = [SetPosition(who, outside=outside) for who in self._ids]
            self._add_switch(menu, environment.name, commands, is_on=inside)

    def _add_death_saves(self, combatant: Combatant) -> None:
        """Add the death saves of a dying combatant, so that they can be ticked by keyboard."""
        document, who = self._document, combatant.id
        effects, tracks = document.encounter.of(Effect, who), document.encounter.of(Track, who)
        if (death := death_saves(document.rules, combatant, effects, tracks)) is None:
            return
        boxes = self._menu.addMenu(document.words("ui.turn-order.death-saves"))
        for track, word, value, maximum in (
            (SUCCESSES, "death-made", death.successes, death.successes_needed),
            (FAILURES, "death-failed", death.failures, death.failures_allowed),
        ):
            for number in range(maximum + 1):
                text = document.words(f"ui.turn-order.{word}", n=number)
                self._add_switch(boxes, text, [SetTrack(who, track, number)], is_on=number == value)
            boxes.addSeparator()
