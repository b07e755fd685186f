"""The active turn: who acts and with what, the prompts that wait, what may be done, and the damage box.

Between turns, at the world's step, it shows the world; during set-up what comes next; before it the first step. What an
act still has to be told is asked on a card in the place of the list of acts, so that nothing above it moves.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QDockWidget, QFrame, QScrollArea, QStackedWidget, QWidget

from turnwright.encounter.running import Clock, Combatant
from turnwright.encounter.state import Key
from turnwright.play.commands import ApplyDamage, Command, GrantTemporary, Heal, Share, StartEncounter
from turnwright.play.inquiries import active_combatants, clock, open_prompts
from turnwright.rules.parts.control import is_follower
from turnwright.ui.bridge import Bridge
from turnwright.ui.docks.turn.act_desk import ActDesk
from turnwright.ui.docks.turn.actions import TurnActions
from turnwright.ui.docks.turn.attack_targets import combatants_in_order
from turnwright.ui.docks.turn.head import TurnHead
from turnwright.ui.docks.turn.pending_list import PendingList
from turnwright.ui.docks.turn.prompts import PromptArea
from turnwright.ui.docks.turn.reactions_strip import ReactionsStrip
from turnwright.ui.docks.turn.step import StepHead, TurnColumn
from turnwright.ui.docks.world_row import is_worlds_step
from turnwright.ui.fonts import GROUP_GAP, px
from turnwright.ui.icons import icon
from turnwright.ui.theme import ThemeSource
from turnwright.ui.widgets.action_bar import ActionBar
from turnwright.ui.widgets.amount_text import Amount, shared
from turnwright.ui.widgets.ask_view import height_of
from turnwright.ui.widgets.cards import EmptyState
from turnwright.ui.widgets.damage_box import DamageBox
from turnwright.ui.widgets.prompt_card import holds_focus


class TurnDock(QDockWidget):
    """The dock of the active turn."""

    def __init__(self, bridge: Bridge, theme: ThemeSource, parent: QWidget | None = None) -> None:
        super().__init__(bridge.words("ui.turn.title"), parent)
        self.setObjectName("turn-dock")
        self.setAccessibleName(bridge.words("ui.turn.title"))
        self._bridge = bridge
        self._theme = theme
        self._who = ""
        self._actions: TurnActions | None = None
        self.empty = EmptyState("play-circle-outline", "", bridge.words("ui.turn.start"))
        if self.empty.button is not None:
            self.empty.button.setIcon(icon("play"))
        self.empty.clicked.connect(lambda: self._do(StartEncounter()))
        self.head = TurnHead(bridge)
        self.step_head = StepHead()
        self.prompts = PromptArea(bridge)
        self.pending = PendingList(bridge)
        self.live = QWidget()
        self.action_bar = ActionBar(self.live)
        self.desk = ActDesk(bridge)
        self.strip = ReactionsStrip(bridge)
        self._room = QWidget()  # what is left over, above the damage box
        self.damage = DamageBox(self._damage_kinds())
        self._lay_out(self.live)
        self._stack = QStackedWidget()
        self._stack.addWidget(self.empty)
        self._scroll = QScrollArea()
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._scroll.setWidget(self.live)
        self._scroll.viewport().installEventFilter(self)
        self._stack.addWidget(self._scroll)
        self.setWidget(self._stack)
        self.action_bar.is_held = self.prompts.has_focus  # a result typed at a question is no act
        self.action_bar.chosen.connect(self._chosen)
        self.action_bar.left.connect(self._leave_prompts)
        self.desk.left.connect(self._leave_prompts)
        self.desk.changed.connect(self._make_room)
        self.strip.chosen.connect(lambda meaning: self.desk.follow("", meaning))
        self.head.turned_to.connect(self._turn_to)
        self.head.movement.unfolded.connect(self._make_room)
        self.damage.submitted.connect(self._apply)
        self.prompts.left.connect(self._leave_prompts)
        self.prompts.resized.connect(self._make_room)
        bridge.changed.connect(lambda _changed: self._refresh())
        bridge.replaced.connect(self._start_over)
        bridge.selected.connect(self._on_selected)
        self._refresh()

    def _lay_out(self, live: QWidget) -> None:
        column = TurnColumn(live, self.step_head)
        column.setContentsMargins(px(GROUP_GAP), px(10), px(GROUP_GAP), px(10))
        column.setSpacing(px(6))
        column.addWidget(self.head)
        column.addWidget(self.step_head)
        column.addWidget(self.pending)
        column.addWidget(self.prompts)
        column.addWidget(self.strip)
        column.addWidget(self.action_bar)
        column.addWidget(self.desk)
        column.addWidget(self._room, 1)
        column.addWidget(self.damage)
        self._column = column

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and not self.live.hasFocus():
            self.live.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            super().keyPressEvent(event)

    # For the window ------------------------------------------------------------------------------------------------

    def fill_damage(self, text: str) -> None:
        """Write an amount into the damage box, such as a roll clicked in a stat block."""
        self.damage.fill(text)

    def explain(self) -> bool:
        """Explain whoever acts; False where nobody does."""
        if self.desk.is_open and self.desk.explain():
            return True
        return bool(self._who) and self.head.isVisible() and self.head.explain()

    def focus_prompt(self) -> bool:
        """Put the focus on the most urgent prompt; False where nothing waits."""
        return self.prompts.take_focus()

    # Keeping up ----------------------------------------------------------------------------------------------------

    def _start_over(self) -> None:
        self._who = ""
        self.desk.close_card()
        self.damage.set_kinds(self._damage_kinds())
        self._refresh()

    def _damage_kinds(self) -> tuple[str, ...]:
        return tuple(kind.id for kind in self._bridge.rules.catalogue.damage_types)

    def _refresh(self) -> None:
        now = clock(self._bridge.encounter)
        running = now.phase in ("set-up", "rounds")
        started = running and holds_focus(self.empty)
        self._stack.setCurrentIndex(1 if running else 0)
        if started:  # the button that began it has gone
            self._leave_prompts()
        if not running:
            self._show_empty(now)
            return
        company = self._company()
        combatant = self._looked_at(company)
        self.head.show_company(company, combatant.id if combatant is not None else "")
        if now.phase == "set-up" or combatant is None or is_worlds_step(self._bridge):
            self._show_step()
        else:
            self._show_turn(combatant)
        self._offer_targets()
        self.prompts.refresh()
        self._make_room()

    def _company(self) -> list[Combatant]:
        """Return who shares the turn: whoever commands before those who follow."""
        encounter = self._bridge.encounter
        return sorted(active_combatants(encounter), key=lambda one: is_follower(encounter, one.id))

    def _looked_at(self, company: list[Combatant]) -> Combatant | None:
        """Return whose part of the turn is shown: who is selected, who was shown before, else the first on their feet."""
        chosen = self._bridge.selection
        selected = next((one for one in company if chosen == (Combatant.table, one.id)), None)
        before = next((one for one in company if one.id == self._who), None)
        return selected or before or next(iter(company), None)

    def _turn_to(self, who: str) -> None:
        self._bridge.select((Combatant.table, who))
        self._refresh()

    def _leave_prompts(self) -> None:
        """Go from the prompts to where number keys act: on no button, lest one Enter too many should press it."""
        self.live.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_empty(self, now: Clock) -> None:
        words = self._bridge.words
        self.empty.set_sentence(words("ui.turn.over" if now.phase == "ended" else "ui.turn.empty"))
        if self.empty.button is not None:
            self.empty.button.setText(words("ui.turn.start-again" if now.phase == "ended" else "ui.turn.start"))

    def _show_head(self, head: QWidget) -> None:
        """Show one of the two heads."""
        for each in (self.head, self.step_head):
            each.setVisible(each is head)

    def _show_step(self) -> None:
        self.step_head.show_where(self._bridge)
        self._who = ""
        self._show_head(self.step_head)
        self._show_actions(None)

    def _show_turn(self, combatant: Combatant) -> None:
        if combatant.id != self._who:
            self._who = combatant.id
            self.desk.close_card()
            if not set(self.damage.targets.chosen()) - {combatant.id}:
                self.damage.targets.choose(())
        self._show_head(self.head)
        self.head.show_who(combatant)
        self._show_actions(combatant)

    # What may be done ------------------------------------------------------------------------------------------------

    def _show_actions(self, combatant: Combatant | None) -> None:
        """List what somebody may do now, and keep an open card up to date."""
        self._actions = TurnActions(self._bridge, combatant.id) if combatant is not None else None
        self.action_bar.set_actions(self._actions.views if self._actions is not None else ())
        self.desk.refresh()
        self.strip.refresh()
        self._make_room()

    def _chosen(self, id: str) -> None:
        meaning = self._actions.meaning(id) if self._actions is not None else None
        if meaning is not None:
            self.desk.follow(self._who, meaning)

    def open_attack(self) -> bool:
        """Make an attack of whoever acts ready; False where nobody does."""
        if not self._who or not self.head.isVisible():
            return False
        self.desk.open_attack(self._who)
        return True

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._scroll.viewport() and event.type() == QEvent.Type.Resize:
            self._make_room()
        return super().eventFilter(watched, event)

    def _make_room(self) -> None:
        """Give the prompts what they need: while one waits, what may be done is shown as far as there is room left.

        An open card stands where the list was.
        """
        asked = bool(open_prompts(self._bridge.encounter))
        unfolded = self.head.isVisible() and self.head.movement.more.isChecked()
        self.pending.refresh()
        self.prompts.setVisible(asked or not (self.desk.is_open or unfolded))
        self.desk.setVisible(self.desk.is_open)
        room = self._left_over(self.desk, self.damage)
        self.prompts.keep_to(room)
        room -= self.prompts.needed()
        for part, needed, least in (
            (self.strip, self.strip.is_needed(), self._height(self.strip)),
            (self.action_bar, self._actions is not None, self.action_bar.least()),
        ):
            cost = least + self._column.spacing()
            fits = not asked or cost <= room
            part.setVisible(needed and not self.desk.is_open and fits)
            room -= cost if needed and fits else 0
        if self.desk.is_open and not asked:
            QTimer.singleShot(0, self.desk, lambda: self._scroll.ensureWidgetVisible(self.desk, 0, 0))

    def _left_over(self, *below: QWidget) -> int:
        """Return the height that the head and these leave in the dock, in pixels."""
        parts = [part for part in (self.head, self.step_head, self.pending, *below) if not part.isHidden()]
        margins = self._column.contentsMargins()
        taken = sum(self._height(part) for part in parts) + self._column.spacing() * (len(parts) + 1)
        return self._scroll.viewport().height() - margins.top() - margins.bottom() - taken

    def _height(self, part: QWidget) -> int:
        margins = self._column.contentsMargins()
        return height_of(part, self._scroll.viewport().width() - margins.left() - margins.right())

    # Damage --------------------------------------------------------------------------------------------------------

    def _offer_targets(self) -> None:
        people = combatants_in_order(self._bridge)
        self.damage.targets.set_people([(one.id, one.label) for one in people])

    def _on_selected(self, key: Key | None) -> None:
        if key is not None and key[0] == Combatant.table and key[1] != self._who:
            self.damage.targets.choose((key[1],))
            self.desk.aim_at(key[1])

    def _apply(self, targets: object, amount: object, share: Share) -> None:
        if not isinstance(targets, tuple) or not isinstance(amount, Amount):
            return
        if self.damage.amount.line.hasFocus():  # number keys and N act again
            self.live.setFocus(Qt.FocusReason.OtherFocusReason)
        combatant = self._bridge.encounter.get(Combatant, self._who) if self._who else None
        source = combatant.label if combatant else ""
        if amount.purpose == "heal":
            self._do(Heal(targets, shared(amount.number, share), source))
        elif amount.purpose == "temporary":
            self._do(GrantTemporary(targets, shared(amount.number, share), source))
        else:
            self._do(ApplyDamage(targets, amount.expression, source, share=share))

    def _do(self, command: Command) -> bool:
        return self._bridge.do(command, initiator="turn")
