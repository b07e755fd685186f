"""The turn dock: the acting combatant, pending prompts, its actions, and the damage box.

Between turns it shows the world's step, during set-up the present step, before it the button to start. The card
of an action stands in the place of the list, so that nothing above it moves.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QKeyEvent, QShowEvent
from PySide6.QtWidgets import QDockWidget, QFrame, QScrollArea, QStackedWidget, QWidget

from turnwright.encounter.lookups import clock_of
from turnwright.encounter.running import Clock, Combatant
from turnwright.encounter.state import Key
from turnwright.play.damage.commands.apply_damage import ApplyDamage, DamageShare
from turnwright.play.damage.commands.grant_temp_hp import GrantTempHp
from turnwright.play.damage.commands.heal import Heal
from turnwright.play.kernel.commands import Command
from turnwright.play.queries.queries import active_combatants, open_prompts
from turnwright.play.setup.commands.start_encounter import StartEncounter
from turnwright.rules.parts.combatants.controlled_creatures import is_follower
from turnwright.ui.docks.turn.action_form_host import ActionFormHost
from turnwright.ui.docks.turn.attack_targets import combatants_in_order
from turnwright.ui.docks.turn.combatant_header import CombatantHeader
from turnwright.ui.docks.turn.pending_list import PendingList
from turnwright.ui.docks.turn.prompt_area import PromptArea
from turnwright.ui.docks.turn.reactions_strip import ReactionsStrip
from turnwright.ui.docks.turn.setup_banner import SetupBanner, TurnColumn
from turnwright.ui.docks.turn.turn_actions import TurnActions
from turnwright.ui.docks.turn_order.world_row import is_world_step
from turnwright.ui.document_model import DocumentModel
from turnwright.ui.fonts import GROUP_GAP, scaled
from turnwright.ui.icons import icon
from turnwright.ui.theme import ThemeSource
from turnwright.ui.widgets.action_bar import ActionBar
from turnwright.ui.widgets.amount_text import EnteredAmount, apply_share
from turnwright.ui.widgets.cards import EmptyState
from turnwright.ui.widgets.damage_box import DamageBox
from turnwright.ui.widgets.prompt_card import holds_focus
from turnwright.ui.widgets.prompt_input import height_for


class TurnDock(QDockWidget):
    """The dock of the active turn."""

    def __init__(self, bridge: DocumentModel, theme: ThemeSource, parent: QWidget | None = None) -> None:
        super().__init__(bridge.words("ui.turn.title"), parent)
        self.setObjectName("turn-dock")
        self.setAccessibleName(bridge.words("ui.turn.title"))
        self._bridge = bridge
        self._theme = theme
        self._who = ""
        self._is_stale = True  # something changed while the dock was hidden
        self._actions: TurnActions | None = None
        self.empty = EmptyState("play-circle-outline", "", bridge.words("ui.turn.start"))
        if self.empty.button is not None:
            self.empty.button.setIcon(icon("play"))
        self.empty.clicked.connect(lambda: self._do(StartEncounter()))
        self.header = CombatantHeader(bridge)
        self.setup_banner = SetupBanner()
        self.prompts = PromptArea(bridge)
        self.pending = PendingList(bridge)
        self.live = QWidget()
        self.action_bar = ActionBar(self.live)
        self.form_host = ActionFormHost(bridge)
        self.strip = ReactionsStrip(bridge)
        self._room = QWidget()  # the remaining height, above the damage box
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
        self.action_bar.are_numbers_taken = self.prompts.has_focus  # a result typed into a prompt chooses no action
        self.action_bar.chosen.connect(self._chosen)
        self.action_bar.focusReleased.connect(self._leave_prompts)
        self.form_host.focusReleased.connect(self._leave_prompts)
        self.form_host.changed.connect(self._make_room)
        self.strip.chosen.connect(lambda meaning: self.form_host.open_request("", meaning))
        self.header.combatantChosen.connect(self._turn_to)
        self.header.movement.detailsToggled.connect(self._make_room)
        self.damage.submitted.connect(self._apply)
        self.prompts.focusReleased.connect(self._leave_prompts)
        self.prompts.resized.connect(self._make_room)
        bridge.changed.connect(lambda _changed: self._refresh_if_seen())
        bridge.documentChanged.connect(self._start_over)
        bridge.selected.connect(self._on_selected)
        bridge.combatantsSelected.connect(self._on_combatants)

    def _lay_out(self, live: QWidget) -> None:
        column = TurnColumn(live, self.setup_banner)
        column.setContentsMargins(scaled(GROUP_GAP), scaled(10), scaled(GROUP_GAP), scaled(10))
        column.setSpacing(scaled(6))
        column.addWidget(self.header)
        column.addWidget(self.setup_banner)
        column.addWidget(self.pending)
        column.addWidget(self.prompts)
        column.addWidget(self.strip)
        column.addWidget(self.action_bar)
        column.addWidget(self.form_host)
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
        """Put an amount into the damage box, for example a roll clicked in a stat block."""
        self.damage.fill(text)

    def explain(self) -> bool:
        """Explain the open card or the acting combatant; False where there is neither."""
        if self.form_host.is_open and self.form_host.explain():
            return True
        return bool(self._who) and self.header.isVisible() and self.header.explain()

    def focus_prompt(self) -> bool:
        """Focus the most urgent prompt; False where none is pending."""
        return self.prompts.take_focus()

    # Keeping up ----------------------------------------------------------------------------------------------------

    def _start_over(self) -> None:
        self._who = ""
        self.form_host.close_card()
        self.damage.start_over(self._damage_kinds())
        self._refresh_if_seen()

    def _damage_kinds(self) -> tuple[str, ...]:
        return tuple(kind.id for kind in self._bridge.rules.data.damage_types)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._is_stale:
            self._refresh()

    def _refresh_if_seen(self) -> None:
        self._is_stale = True
        if self.isVisible():
            self._refresh()

    def _refresh(self) -> None:
        self._is_stale = False
        now = clock_of(self._bridge.encounter)
        running = now.phase in ("set-up", "rounds")
        started = running and holds_focus(self.empty)
        self._stack.setCurrentIndex(1 if running else 0)
        if started:  # the button that started the fight is hidden
            self._leave_prompts()
        if not running:
            self._show_empty(now)
            return
        company = self._company()
        combatant = self._looked_at(company)
        self.header.show_turn_sharers(company, combatant.id if combatant is not None else "")
        if now.phase == "set-up" or combatant is None or is_world_step(self._bridge):
            self._show_step()
        else:
            self._show_turn(combatant)
        self._offer_targets()
        self.prompts.refresh()
        self._make_room()

    def _company(self) -> list[Combatant]:
        """Return the combatants that share the turn, controllers before their followers."""
        encounter = self._bridge.encounter
        return sorted(active_combatants(encounter), key=lambda one: is_follower(encounter, one.id))

    def _looked_at(self, company: list[Combatant]) -> Combatant | None:
        """Return the combatant to show: the selected one, else the one shown before, else the first."""
        chosen = self._bridge.selection
        selected = next((one for one in company if chosen == (Combatant.table, one.id)), None)
        before = next((one for one in company if one.id == self._who), None)
        return selected or before or next(iter(company), None)

    def _turn_to(self, who: str) -> None:
        self._bridge.select((Combatant.table, who))
        self._refresh()

    def _leave_prompts(self) -> None:
        """Move the focus from the prompts to the dock, on no button, so that an extra Enter presses nothing."""
        self.live.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_empty(self, now: Clock) -> None:
        words = self._bridge.words
        self.empty.set_sentence(words("ui.turn.over" if now.phase == "ended" else "ui.turn.empty"))
        if self.empty.button is not None:
            self.empty.button.setText(words("ui.turn.start-again" if now.phase == "ended" else "ui.turn.start"))

    def _show_head(self, head: QWidget) -> None:
        """Show the combatant's header or the banner."""
        for each in (self.header, self.setup_banner):
            each.setVisible(each is head)

    def _show_step(self) -> None:
        self.setup_banner.show_current_step(self._bridge)
        self._who = ""
        self._show_head(self.setup_banner)
        self._show_actions(None)

    def _show_turn(self, combatant: Combatant) -> None:
        if combatant.id != self._who:
            self._who = combatant.id
            self.form_host.close_card()
            if not set(self.damage.targets.chosen()) - {combatant.id}:
                self.damage.targets.choose(())
        self._show_head(self.header)
        self.header.show_combatant(combatant)
        self._show_actions(combatant)

    # Actions ------------------------------------------------------------------------------------------------

    def _show_actions(self, combatant: Combatant | None) -> None:
        """List the actions of a combatant, and update an open card."""
        self._actions = TurnActions(self._bridge, combatant.id) if combatant is not None else None
        self.action_bar.set_actions(self._actions.views if self._actions is not None else ())
        self.form_host.refresh()
        self.strip.refresh()

    def _chosen(self, id: str) -> None:
        meaning = self._actions.request_for(id) if self._actions is not None else None
        if meaning is not None:
            self.form_host.open_request(self._who, meaning)

    def open_attack(self) -> bool:
        """Open the attack card of the acting combatant; False where there is none."""
        if not self._who or not self.header.isVisible():
            return False
        self.form_host.open_attack(self._who)
        return True

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._scroll.viewport() and event.type() == QEvent.Type.Resize:
            self._make_room()
        return super().eventFilter(watched, event)

    def _make_room(self) -> None:
        """Give the prompts the height they need; the actions get the rest while a prompt is pending.

        An open card stands in the place of the list.
        """
        asked = bool(open_prompts(self._bridge.encounter))
        unfolded = self.header.isVisible() and self.header.movement.more.isChecked()
        self.pending.refresh()
        self.prompts.setVisible(asked or not (self.form_host.is_open or unfolded))
        self.form_host.setVisible(self.form_host.is_open)
        room = self._left_over(self.form_host, self.damage)
        self.prompts.limit_height(room)
        room -= self.prompts.needed_height()
        for part, needed, least in (
            (self.strip, self.strip.is_needed(), self._height(self.strip)),
            (self.action_bar, self._actions is not None, self.action_bar.least_height()),
        ):
            cost = least + self._column.spacing()
            fits = not asked or cost <= room
            part.setVisible(needed and not self.form_host.is_open and fits)
            room -= cost if needed and fits else 0
        if self.form_host.is_open and not asked:
            QTimer.singleShot(0, self.form_host, lambda: self._scroll.ensureWidgetVisible(self.form_host, 0, 0))

    def _left_over(self, *below: QWidget) -> int:
        """Return the height that head and `below` leave in the dock, in pixels."""
        parts = [part for part in (self.header, self.setup_banner, self.pending, *below) if not part.isHidden()]
        margins = self._column.contentsMargins()
        taken = sum(self._height(part) for part in parts) + self._column.spacing() * (len(parts) + 1)
        return self._scroll.viewport().height() - margins.top() - margins.bottom() - taken

    def _height(self, part: QWidget) -> int:
        margins = self._column.contentsMargins()
        return height_for(part, self._scroll.viewport().width() - margins.left() - margins.right())

    # Damage --------------------------------------------------------------------------------------------------------

    def _offer_targets(self) -> None:
        people = combatants_in_order(self._bridge)
        self.damage.targets.set_combatants([(one.id, one.label) for one in people])

    def _on_selected(self, key: Key | None) -> None:
        if key is not None and key[0] == Combatant.table and key[1] != self._who:
            self.damage.targets.choose((key[1],))
            self.form_host.aim_at(key[1])

    def _on_combatants(self, combatants: tuple[str, ...]) -> None:
        if combatants != (self._who,):
            self.damage.targets.choose(combatants)

    def _apply(self, targets: object, amount: object, share: DamageShare) -> None:
        if not isinstance(targets, tuple) or not isinstance(amount, EnteredAmount):
            return
        if self.damage.amount.line.hasFocus():  # number keys and N choose actions again
            self.live.setFocus(Qt.FocusReason.OtherFocusReason)
        combatant = self._bridge.encounter.get(Combatant, self._who) if self._who else None
        source = combatant.label if combatant else ""
        if amount.purpose == "heal":
            self._do(Heal(targets, apply_share(amount.number, share), source))
        elif amount.purpose == "temporary":
            self._do(GrantTempHp(targets, apply_share(amount.number, share), source))
        else:
            self._do(ApplyDamage(targets, amount.expression, source, share=share))

    def _do(self, command: Command) -> bool:
        return self._bridge.execute(command)
