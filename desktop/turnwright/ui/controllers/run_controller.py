"""The Run menu: starts and resets the fight, handles prompts, damage and healing, and lists turns and checks."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import Qt

from turnwright.dice.expression import DiceError, parse
from turnwright.encounter.running import Combatant, Slot
from turnwright.encounter.state import entry_name, slots_in_order
from turnwright.play.asking.answer import DismissPrompt
from turnwright.play.queries.queries import can_offer_end_encounter, open_prompts
from turnwright.play.setup.encounter_course import ResetToPrepared, StartEncounter
from turnwright.play.setup.prepared_changes import TakeOverPrepared, edited_in_fight
from turnwright.play.turn_order.surprise import ActBeforeInitiative, CallForChecks, SetFirstActor, joinable_slot
from turnwright.play.turns.turns import EndTurn, GoToTurn, JoinTurn, TurnStarted
from turnwright.ui.dialogs.message_bar import confirm
from turnwright.ui.look.style import tr
from turnwright.ui.models.run_status import waiting_text
from turnwright.ui.services.document_model import DocumentModel
from turnwright.ui.services.services import Controller, Services

if TYPE_CHECKING:
    from turnwright.battlemap.paths import ShapeKind
    from turnwright.ui.docks.map.dock import MapDock
    from turnwright.ui.docks.stat_block.dock import StatBlockDock
    from turnwright.ui.docks.turn.dock import TurnDock
    from turnwright.ui.docks.turn_order.dock import TurnOrderDock


D20 = re.compile(r"1?d20\b")  # a check, a save or an attack; other dice in a stat block are damage


class RunController(Controller):
    """Runs the encounter from set-up to its end."""

    def __init__(self, services: Services) -> None:
        super().__init__(services)
        self._status = services.status

    def start(self) -> None:
        """Start set-up in the run arrangement. After a fight, ask for confirmation first."""
        again = self._status.phase == "ended"
        if again and not confirm(self._window, tr("ui.again.question"), tr("ui.again.detail"), tr("ui.again.yes")):
            return
        if self._document.execute(StartEncounter()):
            self._services.layout.arrange("run")
            self.go_home()

    def offer_prepared(self) -> None:
        """While running, list the edits in preparation since the first round, and offer to apply them."""
        history, encounter = self._document.source.session.history, self._document.encounter
        edits = list(edited_in_fight(encounter, history.applied))
        if not edits or self._services.layout.arrangement != "run":
            return
        names = (entry_name(encounter, entry) for entry, _ in edits)
        fields = (", ".join(tr(f"ui.prepared.{field}") for field in changed) for _, changed in edits)
        what = "; ".join(f"{name} ({which})" for name, which in zip(names, fields, strict=True))
        command = TakeOverPrepared(tuple(entry for entry, _ in edits))
        steps = [(tr("ui.prepared.take-over"), partial(self._document.execute, command))]
        self._messages.notify(tr("ui.prepared.differs", what=what), "accent", steps)

    def begin(self) -> None:
        """Start the first round, unless a prompt must be answered before."""
        self._services.layout.arrange("run")
        if self._status.phase == "set-up" and not self._status.is_blocked:
            self._show_turn_dock().begin()

    def reset(self) -> None:
        """Ask for confirmation, then reset the fight to the prepared encounter."""
        if confirm(self._window, tr("ui.reset.question"), tr("ui.reset.detail"), tr("ui.reset.yes")):
            self._document.execute(ResetToPrepared())

    def answer(self) -> None:
        """Go to the most urgent prompt, to the end of a one-sided fight, or after it to the next award.

        Otherwise, open the attack form of the active combatant.
        """
        self._services.layout.arrange("run")
        is_over = self._status.phase == "ended" or can_offer_end_encounter(self._document.encounter)
        if self._status.has_prompts or is_over:
            self._docks.focus_dock("turn")
        else:
            self._show_turn_dock().open_attack()

    def withdraw_prompt(self) -> None:
        """Dismiss the most urgent prompt with all of its questions."""
        for prompt in list(open_prompts(self._document.encounter))[:1]:
            self._document.execute(DismissPrompt(prompt.id))

    def end_turn(self) -> None:
        """End the turn. If prompts are open, go to the most urgent one instead.

        If that one already has the focus and doesn't block the turn order, end the turn anyway. A prompt that
        then blocks it takes the focus.
        """
        prompts = open_prompts(self._document.encounter)
        turn = self._show_turn_dock()
        if prompts and (self._status.is_blocked or not turn.prompts.has_focus()):
            turn.focus_prompt()
            self._messages.notify(tr("ui.run.turn-waits", what=waiting_text(prompts[0])))
        elif self._document.execute(EndTurn()) and self._status.is_blocked:
            turn.focus_prompt()

    def undo_turn(self) -> None:
        """Undo the current turn, including its start."""
        for step in reversed(self._document.source.session.history.applied):
            if any(isinstance(event, TurnStarted) for event in step.events):
                self._document.undo_to(step.serial)
                self._messages.notify(tr("ui.run.turn-undone"))
                return

    def use(self, path: str) -> None:
        """Show a panel while running, and call one of its methods, such as `turn.open_checks`."""
        self._services.layout.arrange("run")
        panel, _, method = path.partition(".")
        attrgetter(method)(self._docks.show(panel))()

    def write_amount(self, start: str = "", *, heals: bool = False) -> None:
        """Insert `start` into the damage box of the turn panel and place the cursor after it."""
        self._services.layout.arrange("run")
        self._show_turn_dock().fill_damage(start, heals=heals)

    def write_healing(self) -> None:
        """Place the cursor in the damage box of the turn panel, to heal."""
        self.write_amount("", heals=True)

    def go_home(self) -> None:
        """Move the focus to the turn order. Only the shortcuts of its rows and of the window work there."""
        if (order := self._docks.built("order")) is not None and order.isVisible():
            cast("TurnOrderDock", order).view.setFocus(Qt.FocusReason.OtherFocusReason)

    def toggle_map(self) -> None:
        """Switch between the map and the actions. If the map is already visible, only move the focus to it or back."""
        map_dock, turn = cast("MapDock", self._docks.dock("map")), self._show_turn_dock()
        if turn.is_stage_lent:
            turn.take_stage_back()
            self.go_home()
        elif self._docks.is_raised("map") and not map_dock.view.hasFocus():
            map_dock.focus_prompt()
        elif self._docks.is_raised("map"):
            self.go_home()
        else:
            turn.lend_stage(map_dock.lend_content())
            map_dock.focus_prompt()

    def lay_area(self, kind: ShapeKind | None = None) -> None:
        """Place the area of the open form, or an area of this kind, on the map. Creatures in it become targets."""
        map_dock, turn = cast("MapDock", self._docks.dock("map")), self._show_turn_dock()
        act = turn.form_host.form_with_area if kind is None else None
        lends = not (turn.is_stage_lent or self._docks.is_raised("map"))
        if lends:
            turn.lend_stage(map_dock.lend_content())

        def finished(inside: tuple[str, ...] | None) -> None:
            turn.take_area(inside, map_dock.template_tool.origin, gives_back=lends)

        area = act.area() if act is not None else None
        is_placed = (
            map_dock.lay_area(area.text, act.who, finished, is_free=area.is_free)
            if act is not None and area is not None
            else map_dock.lay_area("", turn.combatant, finished, kind=kind)
        )
        if not is_placed:
            self._messages.notify(tr("ui.map.area-later"))

    def toggle_journal(self) -> None:
        """Show the journal. If it is already visible, show the stat block behind it, or only focus the turn order."""
        journal, was_raised = self._docks.dock("journal"), self._docks.is_raised("journal")
        self.go_home()
        if not was_raised:
            self._docks.show("journal")
        elif self._docks.is_folded:
            self._docks.close_right_column()
        elif self._docks.dock("stat-block") in self._window.tabifiedDockWidgets(journal):
            self._docks.show("stat-block")

    def pin(self) -> None:
        """Pin the current stat block, or let it follow the active turn again."""
        cast("StatBlockDock", self._docks.show("stat-block")).toggle_pin()
        self.go_home()

    def toggle_side_column(self) -> None:
        """Hide or show the column of the stat block."""
        self.go_home()  # before toggling: a column over the middle closes when the middle gets the focus
        self._docks.toggle_right_column()

    def use_roll(self, expression: str, label: str, who: str = "", weapon: str = "") -> None:
        """Use a clicked roll: roll it during a fight, or show its mean and range while preparing.

        An attack roll of the active combatant opens the attack card. Damage that doesn't have exactly one target is
        entered in the damage box.
        """
        if self._status.is_running:
            turn = self._show_turn_dock()
            if not D20.match(expression):
                turn.use_damage(expression, label)
            elif not (weapon and turn.open_attack_of(who, weapon)):
                turn.roll(expression, label)
            return
        try:
            dice = parse(expression)
        except DiceError:
            return
        text = tr("ui.window.roll-is", roll=expression, mean=f"{dice.mean:g}", least=dice.minimum, most=dice.maximum)
        self._messages.notify(text)

    def _show_turn_dock(self) -> TurnDock:
        return cast("TurnDock", self._docks.show("turn"))


Choice = tuple[str, str, Callable[[], object]]


def turn_choices(document: DocumentModel) -> list[Choice]:
    """Return all turns to jump to, with their combatants and counts, and the turn that can be joined, if any."""
    joinable = joinable_slot(document.encounter, document.rules)
    joining: list[Choice] = []
    if joinable is not None:
        text = tr("ui.sudden-action.join", who=_names(document, joinable))
        joining.append((text, str(joinable.count), partial(document.execute, JoinTurn(joinable.id))))
    return joining + [
        (_names(document, slot), str(slot.count), partial(document.execute, GoToTurn(slot.id)))
        for slot in slots_in_order(document.encounter)
    ]


def check_choices(document: DocumentModel) -> list[Choice]:
    """Return the ability checks that can be called for, each for all combatants and for one side."""
    data = document.rules.data
    checks = [(skill.name, f"{skill.ability}:{skill.id}") for skill in data.skills]
    checks += [(ability.name, ability.id) for ability in data.abilities]
    return [
        (name, side, partial(document.execute, CallForChecks(who, check)))
        for side, who in _sides(document)
        for name, check in checks
    ]


def sudden_action_choices(document: DocumentModel) -> list[Choice]:
    """Return the sides or the combatants that may act before initiative."""
    choices: list[Choice] = []
    for side, who in _sides(document)[1:]:
        text = tr("ui.sudden-action.side", side=side)
        choices.append((text, "", partial(document.execute, ActBeforeInitiative(who))))
    choices.append((tr("ui.sudden-action.no-advantage"), "", partial(document.execute, ActBeforeInitiative())))
    if document.rules.data.initiative.opener:
        for combatant in document.encounter.all(Combatant):
            text = tr("ui.sudden-action.opener", who=combatant.label)
            choices.append((text, combatant.side, partial(document.execute, SetFirstActor(combatant.id))))
    return choices


def _names(document: DocumentModel, slot: Slot) -> str:
    combatants = (document.encounter.get(Combatant, who) for who in slot.members)
    return ", ".join(combatant.label for combatant in combatants if combatant is not None)


def _sides(document: DocumentModel) -> list[tuple[str, tuple[str, ...]]]:
    """Return the label and the combatant ids of all combatants together, then of each side."""
    combatants = list(document.encounter.all(Combatant))
    sides = dict.fromkeys(combatant.side for combatant in combatants)
    groups = [
        (_side_text(side), tuple(combatant.id for combatant in combatants if combatant.side == side)) for side in sides
    ]
    return [(tr("ui.sides.everyone"), tuple(combatant.id for combatant in combatants)), *groups]


def _side_text(side: str) -> str:
    """Return the name of a side, or its id if it has none."""
    key = f"side.{side}"
    text = tr(key)
    return side if text == key else text


RUN_CHOICES: Mapping[str, Callable[[DocumentModel], list[Choice]]] = {
    "go-to-turn": turn_choices,
    "call-for-checks": check_choices,
    "sudden-action": sudden_action_choices,
}
