"""The turn panel: a header for the acting combatant, the strip of results, the stage, and the line for amounts.

Only the stage changes its content: a prompt, an open card, the actions, or the set-up page. Between turns the header
shows the world's turn. Before the fight the panel shows the roster.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QStackedWidget, QVBoxLayout, QWidget

from turnwright.dice.expression import Roll
from turnwright.encounter.prepared import Point
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import clock_of
from turnwright.play.actions.cast_spell import cast_option
from turnwright.play.asking.checks import CallForSaves
from turnwright.play.damage.damage_roll import ApplyDamage, DamageShare, DealDamageWithSave, GrantTempHp
from turnwright.play.damage.manual_hit_points import Heal
from turnwright.play.queries.queries import active_combatants, open_prompts, presumed_source, waiting_asks
from turnwright.play.setup.encounter_course import AdvanceSetup, StartEncounter
from turnwright.play.table.game_master import DiceRolled, RollDice
from turnwright.play.turn_order.surprise import CallForChecks
from turnwright.rules.parts.actions.condition_words import EnteredCondition, line_words
from turnwright.rules.parts.combatants.facts import is_follower
from turnwright.rules.system import labels_of
from turnwright.ui.docks.dock import Dock
from turnwright.ui.docks.turn.cards.attack_card import combatants_in_order
from turnwright.ui.docks.turn.cards.result_strip import ResultStrip
from turnwright.ui.docks.turn.combatant_header import CombatantHeader
from turnwright.ui.docks.turn.end_page import EndPage
from turnwright.ui.docks.turn.forms.action_forms import READY
from turnwright.ui.docks.turn.forms.host import ActionFormHost
from turnwright.ui.docks.turn.prompt_views import PendingList, PromptArea
from turnwright.ui.docks.turn.setup_page import SetupBanner, SetupPage, StartPage
from turnwright.ui.docks.turn.turn_actions import FEATURE_PREFIX, AttackCardRequest, ReactionsStrip, TurnActions
from turnwright.ui.docks.turn_order.foot import is_world_step
from turnwright.ui.look.style import GAP, ThemeSource, refresh_roles, scaled, tr
from turnwright.ui.services.document_model import DocumentModel
from turnwright.ui.widgets.action_bar import ActionBar
from turnwright.ui.widgets.layout import STRETCH, CoverableRoom, fill, frameless_scroll_area, holds_focus, vertical
from turnwright.ui.widgets.typed.line_text import EnteredAmount, EnteredCheck, apply_share
from turnwright.ui.widgets.typed.typed_lines import CheckLine, DamageBox, DiceLine

LEAST_STAGE = 48
LEAST_WIDTH = 544  # a smaller width would squeeze the contents
ROOMY = (1600, 1000)  # a window of at least this size shows all actions
WHO_REACTS = "ask.who_reacts"  # word key of a prompt that already offers the reactions


class _StageColumn(QVBoxLayout):
    """A column exactly as high as its area, so that a long card scrolls its questions instead of the stage."""

    def hasHeightForWidth(self) -> bool:
        return False


class TurnDock(Dock):
    """The panel of the active turn.

    Emits `homeRequested` when the focus should return to the turn order.
    """

    name = "turn"

    def __init__(self, document: DocumentModel, theme: ThemeSource, parent: QWidget | None = None) -> None:
        super().__init__(document, theme, parent)
        self.combatant = ""  # whose turn is shown, if any
        self._in_stage: tuple[bool, ...] = ()  # flags for the content that was shown last
        self._is_stale = True  # something changed while the dock was hidden
        self._continues = False  # the next prompts follow from input in this panel
        self._actions: TurnActions | None = None
        self._page: QWidget | None = None  # shown instead of the fight
        self.empty = StartPage(document)
        self.empty.clicked.connect(lambda: self._do(StartEncounter()))
        self.end = EndPage(document)
        self.end.focusReleased.connect(self.homeRequested)
        self.header = CombatantHeader(document)
        self.setup_banner = SetupBanner()
        self.setup_page = SetupPage(document)
        self.setup_page.beginRequested.connect(self.begin)
        self.prompts = PromptArea(document)
        self.pending = PendingList(document)
        self.live = QWidget()
        self._stage = QWidget()
        self.results = ResultStrip(document)
        self.action_bar = ActionBar()
        self.form_host = ActionFormHost(document)
        self.strip = ReactionsStrip(document)
        self.damage = DamageBox(line_words(document.rules))
        self.dice = DiceLine()
        self.checks = CheckLine(line_words(document.rules))
        self._lay_out()
        self._stack = QStackedWidget()
        fill(self._stack, self.empty, self.live, self.end)
        self._room = CoverableRoom(self._stack, LEAST_WIDTH)
        self.setWidget(self._room)
        self.action_bar.chosen.connect(self._chosen)
        self.action_bar.attackChosen.connect(self._chosen)
        for part in (self.action_bar, self.form_host, self.prompts):
            part.focusReleased.connect(self._leave)
        self.form_host.changed.connect(self._on_card)
        self.form_host.move_card.refreshed.connect(self._show_movement)
        self.form_host.submitted.connect(self._go_on)
        self.strip.chosen.connect(lambda meaning: self.form_host.open_request("", meaning))
        self.header.combatantChosen.connect(self._turn_to)
        self.header.moveRequested.connect(self.toggle_move)
        self.header.conditionRequested.connect(self.open_condition)
        self.damage.submitted.connect(self._apply)
        self.dice.submitted.connect(self._roll_typed)
        self.checks.submitted.connect(self._call_for)
        for line in (self.dice, self.checks):
            line.hide()
            line.left.connect(self._leave_line)
        self.results.left.connect(self._leave)
        document.follow(self._refresh_if_seen, replaced=self._start_over)
        theme.changed.connect(self.results.refresh)
        document.combatantsSelected.connect(self._on_selected)

    def _lay_out(self) -> None:
        column = _StageColumn(self._stage)
        column.setContentsMargins(scaled(24), scaled(GAP), scaled(24), scaled(GAP))
        column.setSpacing(scaled(GAP))
        fill(column, self.pending, self.prompts, self.setup_page, self.form_host, self.action_bar, STRETCH, self.strip)
        self.stage = QStackedWidget()  # the actions and cards, or a widget shown instead of them
        self._stage_area = frameless_scroll_area(self._stage)
        self.stage.addWidget(self._stage_area)
        self.stage.setMinimumHeight(scaled(LEAST_STAGE))  # so that a map shown here does not make the window higher
        foot = QFrame()
        foot.setProperty("amounts", True)
        fill(vertical(foot, margins=(24, 12, 24, 12)), self.damage, self.dice, self.checks)
        fill(vertical(self.live, spacing=0), self.header, self.setup_banner, self.results, (self.stage, 1), foot)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self._go_back()
        else:
            super().keyPressEvent(event)

    def _go_back(self) -> None:
        """Close anything that replaces the actions. Leave the focused field without clearing its text."""
        self.take_stage_back()
        if self.form_host.move_card.is_open:
            self.form_host.close_card()
        self._leave()

    # Called by the window ----------------------------------------------------------------------------------------

    def set_coverable(self, *, coverable: bool) -> None:
        """Set whether the right column may cover a part of the panel when there isn't enough width for both."""
        self._room.set_coverable(coverable=coverable)

    def fill_damage(self, text: str, *, heals: bool = False) -> None:
        """Enter an amount in the damage box, for example from a roll clicked in a stat block."""
        self._show_line(self.damage)
        self.damage.set_healing(heals=heals)
        self.damage.fill(text)

    def take_area(self, inside: tuple[str, ...] | None, origin: Point | None = None, *, gives_back: bool) -> None:
        """Use the combatants in an area as targets of the open form, or select them for damage, and focus the fields.

        `inside` is None if placing the area was cancelled. `origin` is the square from which it spreads, unless that is
        the acting combatant's space. If `gives_back`, the stage is shown again first.
        """
        if gives_back:
            self.take_stage_back()
        if self.form_host.form_with_area is not None:
            if inside is not None:
                self.form_host.form_with_area.origin = origin
                self.form_host.form_card.choose("targets", inside)
            self.form_host.form_card.take_focus()
        elif inside:
            self._document.select_combatants(inside)
            self._show_line(self.damage)
            self.damage.amount.line.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self._leave()

    def open_dice(self) -> None:
        """Show and focus the line for rolling dice, which replaces the line for amounts."""
        self._show_line(self.dice)
        self.dice.open()

    def open_checks(self) -> None:
        """Show the line for a check or save by the selected combatants, or by the acting ones if none is selected."""
        if who := self._checked():
            self._show_line(self.checks)
            self.checks.open_for(labels_of(self._document.encounter, who), len(who))

    def roll(self, expression: str, label: str = "") -> Roll | None:
        """Roll dice and show them among the results. Return None if they are refused."""
        if not self._do(RollDice(expression, label)):
            return None
        step = self._document.source.session.history.last
        return next((event.roll for event in step.events if isinstance(event, DiceRolled)), None) if step else None

    def use_damage(self, expression: str, label: str) -> None:
        """Roll damage and offer to apply it to the selected combatant.

        Unless exactly one combatant is selected, fill the damage box instead.
        """
        selected = self._document.selected_combatants
        target = self._document.encounter.get(Combatant, selected[0]) if len(selected) == 1 else None
        if target is None:
            self.fill_damage(expression)
            return
        if (rolled := self.roll(expression, label)) is None:
            return
        dealt = " + ".join(f"{part.total} {part.kind}".strip() for part in rolled.parts if part.total > 0)
        command = ApplyDamage(selected, dealt or str(rolled.total or 0), label.partition(":")[0])
        self.results.offer(tr("ui.result.apply", who=target.label), lambda: self._do(command))

    def open_attack_of(self, who: str, weapon: str) -> bool:
        """Open the attack card with a weapon of the acting combatant.

        Return False if another combatant is acting or the weapon isn't an attack.
        """
        actions = self._actions if who == self.combatant else None
        request = actions.request_for(f"{FEATURE_PREFIX}{weapon}") if actions is not None else None
        if not isinstance(request, AttackCardRequest):
            return False
        self.form_host.open_request(who, request)
        return True

    def explain(self) -> bool:
        """Explain the open card or the acting combatant. Return False if there is none."""
        if self.form_host.explain():
            return True
        return bool(self.combatant) and self.header.isVisible() and self.header.explain()

    def focus_prompt(self) -> bool:
        """Focus the most urgent prompt, or after the fight the next award. Return False if there is none."""
        if self._stack.currentWidget() is self.end:
            return self.end.take_focus()
        self.take_stage_back()
        if self.form_host.condition_card.is_open and self.prompts.is_needed():
            self.form_host.close_card()
        if self.form_host.claimed_prompt:
            self.form_host.attack_card.take_focus()
            return True
        return self.prompts.take_focus()

    def begin(self) -> None:
        """Continue from set-up to round 1. A prompt that must be answered first takes the focus."""
        self._do(AdvanceSetup(begins=True))
        if clock_of(self._document.encounter).phase != "set-up" or not self.focus_prompt():
            self._leave()

    def enter_initiatives(self) -> bool:
        """Focus the first player's initiative on the set-up page. Return False if the page isn't shown."""
        return self.setup_page.isVisible() and self.setup_page.players.focus_first()

    def toggle_move(self) -> None:
        """Open the movement card and focus its field, or close it."""
        self.take_stage_back()
        self.form_host.toggle_move(self.combatant)

    def open_condition(self) -> None:
        """Open the card for a condition of the selected combatants, or of the active one."""
        if self._stack.currentWidget() is self.live:
            self.form_host.open_condition()

    def open_more_actions(self) -> None:
        """Open the list of further actions."""
        self.take_stage_back()
        self.action_bar.open_filter()

    def open_ready(self) -> None:
        """Open the form of the Ready action, if the acting combatant has it."""
        option = next((action for action in self._document.rules.data.actions if action.done == READY), None)
        if option is not None:
            self._chosen(option.id)

    def open_cast(self) -> None:
        """Open the card for casting a spell, if the rule system has spells."""
        if (option := cast_option(self._document.rules)) is not None:
            self.take_stage_back()
            self._chosen(option.id)

    def lend_stage(self, guest: QWidget) -> None:
        """Show a widget instead of the stage until the stage is needed or restored."""
        self.stage.setCurrentIndex(self.stage.addWidget(guest))
        refresh_roles(guest.findChildren(QWidget))  # reparenting resets the fonts

    def set_page(self, page: QWidget | None) -> None:
        """Show a page instead of the fight, or the fight again."""
        if page is not None and self._stack.indexOf(page) < 0:
            self._stack.addWidget(page)
            refresh_roles(page.findChildren(QWidget))  # reparenting resets the fonts
        if page is not self._page:
            self._page = page
            self._refresh_if_seen()

    def take_stage_back(self) -> None:
        """Show the stage again."""
        self.stage.setCurrentIndex(0)

    @property
    def is_stage_lent(self) -> bool:
        """Whether another widget is shown instead of the stage."""
        return self.stage.currentIndex() > 0

    # Refreshing --------------------------------------------------------------------------------------------------

    def _start_over(self) -> None:
        self.combatant = ""  # whose turn is shown, if any
        self.form_host.close_card()
        self.damage.start_over(line_words(self._document.rules))
        self.checks.start_over(line_words(self._document.rules))
        self.end.start_over()
        self._refresh_if_seen()

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
        clock = clock_of(self._document.encounter)
        running = clock.phase in ("set-up", "rounds")
        started = running and holds_focus(self.empty)
        page = self.live if running else self.end if clock.phase == "ended" else self.empty
        self._stack.setCurrentWidget(self._page or page)
        if self._page is not None:
            return
        if started:  # the button that started the fight is hidden
            self._leave()
        if isinstance(page, StartPage | EndPage):
            page.refresh()
            return
        self.end.start_over()
        company = self._company()
        combatant = self._looked_at(company)
        self.header.show_turn_sharers(company, combatant.id if combatant is not None else "")
        if clock.phase == "set-up" or combatant is None or is_world_step(self._document):
            self._show_step()
        else:
            self._show_turn(combatant)
        people = combatants_in_order(self._document)
        self.damage.targets.set_combatants([(person.id, person.label) for person in people])
        self.results.refresh()
        if self.is_stage_lent and open_prompts(self._document.encounter) and not self.prompts.is_needed():
            self._continues = True  # a move on the map has led to a prompt
        if self._continues:
            self.take_stage_back()
        was_answering = self.prompts.has_focus()
        self.prompts.refresh(continues=self._continues, without=self.form_host.claimed_prompt)
        self._continues = False
        self._arrange()
        if was_answering and self.form_host.claimed_prompt:
            self.form_host.attack_card.take_focus()

    def _company(self) -> list[Combatant]:
        """Return the combatants that share the turn, controllers before their followers."""
        encounter = self._document.encounter
        return sorted(active_combatants(encounter), key=lambda combatant: is_follower(encounter, combatant.id))

    def _looked_at(self, company: list[Combatant]) -> Combatant | None:
        """Return the combatant to show: the selected one, else the one shown before, else the first."""
        selection = self._document.selection
        selected = next((combatant for combatant in company if selection == (Combatant.table, combatant.id)), None)
        previous = next((combatant for combatant in company if combatant.id == self.combatant), None)
        return selected or previous or next(iter(company), None)

    def _turn_to(self, who: str) -> None:
        self._document.select((Combatant.table, who))
        self._refresh()

    def _leave(self) -> None:
        """Move the focus away from all buttons, so that an extra Enter presses nothing, and emit `homeRequested`."""
        self.live.setFocus(Qt.FocusReason.OtherFocusReason)
        self.homeRequested.emit()

    def _show_line(self, shown: QWidget) -> None:
        """Show one of the lines at the bottom: for amounts, for dice, or for checks."""
        for line in (self.damage, self.dice, self.checks):
            line.setVisible(line is shown)

    def _roll_typed(self, dice: str) -> None:
        self._leave_line()
        self.roll(dice)

    def _checked(self) -> tuple[str, ...]:
        """Return the combatants that make the check: the selected ones, or else the acting one."""
        return self._document.selected_combatants or tuple(combatant.id for combatant in self._company()[:1])

    def _call_for(self, entered: EnteredCheck) -> None:
        who = self._checked()
        self._leave_line()
        self._go_on()
        if entered.save:
            self._do(CallForSaves(who, entered.save, entered.dc, entered.edge))
        else:
            self._do(CallForChecks(who, entered.check, dc=entered.dc, edge=entered.edge))

    def _leave_line(self) -> None:
        self._leave()
        self._show_line(self.damage)

    def _go_on(self) -> None:
        """Move the focus to the next prompts, because they follow from the user's input."""
        self._continues = True

    def _show_head(self, head: QWidget) -> None:
        """Show the header, which is the combatant's header or the banner, and hide the other one."""
        hidden = self.setup_banner if head is self.header else self.header
        hidden.hide()  # before the other is shown, because both may not fit
        head.show()

    def _show_step(self) -> None:
        self.setup_banner.show_current_step(self._document)
        self.combatant = ""
        self._show_head(self.setup_banner)
        self._show_actions(None)

    def _show_turn(self, combatant: Combatant) -> None:
        if combatant.id != self.combatant:
            self.combatant = combatant.id
            self.form_host.close_card()
            self._in_stage = ()
        self._show_head(self.header)
        self.header.show_combatant(combatant, self.form_host.mode_of(combatant.id))
        self._show_actions(combatant)

    # Actions ------------------------------------------------------------------------------------------------

    def _show_actions(self, combatant: Combatant | None) -> None:
        """List the actions of a combatant and update an open card."""
        self._actions = TurnActions(self._document, combatant.id) if combatant is not None else None
        self.action_bar.set_actions(self._actions.views if self._actions is not None else ())
        self.action_bar.setEnabled(combatant is not None)
        self.form_host.refresh()
        self.strip.refresh()

    def choices(self) -> Iterator[tuple[str, Callable[[], object]]]:
        """Yield everything to choose now, with its name: actions, reactions, and effects to break free from."""
        for view in self._actions.views if self._actions is not None else ():
            if not view.refused:
                yield view.name, partial(self._chosen, view.id)
        for button in self.strip.buttons.values() if self.strip.is_needed() else ():
            yield button.accessibleName(), button.showMenu if button.menu() is not None else button.click
        if self._actions is not None:
            yield from self.header.escapes()

    def _chosen(self, id: str, bonus: int = 0) -> None:
        """Take an action. `bonus` is the modifier of an attack by ruling."""
        request = self._actions.request_for(id) if self._actions is not None else None
        if isinstance(request, AttackCardRequest):
            request = replace(request, bonus=bonus)
        if request is not None:
            self.form_host.open_request(self.combatant, request)

    def open_attack(self) -> bool:
        """Open the attack card of the acting combatant. Return False if there is none."""
        if not self.combatant or not self.header.isVisible():
            return False
        self.form_host.open_attack(self.combatant)
        return True

    def _show_movement(self) -> None:
        if self.combatant:
            self.header.show_movement(self.form_host.mode_of(self.combatant))

    def _on_card(self) -> None:
        """Show the prompt that remains after the attack card was closed, and rearrange the stage."""
        self.prompts.refresh(without=self.form_host.claimed_prompt)
        self._arrange()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        wide, high = ROOMY
        window = self.window()
        self.action_bar.keep_open(is_open=window.width() >= scaled(wide) and window.height() >= scaled(high))

    def _arrange(self) -> None:
        """Show one item in the stage: an open condition card, a prompt, another card, or the actions."""
        has_prompt = self.prompts.is_needed() and not self.form_host.condition_card.is_open
        has_card = self.form_host.is_open
        if has_card:
            self.take_stage_back()
        moving = self.form_host.move_card.is_open and bool(self.combatant)
        acting = self._actions is not None and not (has_prompt or has_card or moving)
        self.pending.refresh()
        self.prompts.setVisible(has_prompt)
        self.form_host.setVisible(moving or (has_card and not has_prompt))
        setting_up = clock_of(self._document.encounter).phase == "set-up"
        self.results.setVisible(not setting_up or self.results.result is not None)
        self.setup_page.setVisible(setting_up and not (has_prompt or has_card))
        if setting_up:
            self.setup_page.refresh()
        self.action_bar.setVisible(acting)
        content = (has_prompt, has_card, moving, acting)
        if content != self._in_stage:
            self._in_stage = content
            self._stage_area.verticalScrollBar().setValue(0)
        waiting = [ask.label for prompt in open_prompts(self._document.encounter) for ask in waiting_asks(prompt)]
        self.strip.setVisible(self.strip.is_needed() and not has_card and WHO_REACTS not in waiting)

    # Damage --------------------------------------------------------------------------------------------------------

    def _on_selected(self, chosen: tuple[str, ...]) -> None:
        """Use the selected combatants as targets."""
        self.damage.choose_targets(chosen)
        people = (self._document.encounter.get(Combatant, who) for who in chosen)
        names = [combatant.label for combatant in people if combatant is not None]
        more = tr("ui.turn.and-more", who=names[0], n=len(names) - 1) if len(names) > 2 else ", ".join(names)
        self.action_bar.set_target(more)
        if len(chosen) == 1 and chosen[0] != self.combatant:
            self.form_host.aim_at(chosen[0])
            if not self.form_host.is_open and chosen[0] in {combatant.id for combatant in self._company()}:
                self._refresh_if_seen()  # keys act for the combatant shown

    def _apply(self, targets: tuple[str, ...], amount: EnteredAmount, share: DamageShare) -> None:
        if self.damage.amount.line.hasFocus():
            self._leave()
            self._go_on()
        helps = amount.purpose in ("heal", "temporary")
        source = presumed_source(self._document.encounter, self.combatant, targets, helps=helps)
        if amount.purpose == "heal":
            self._do(Heal(targets, apply_share(amount.number, share), source))
        elif amount.purpose == "temporary":
            self._do(GrantTempHp(targets, apply_share(amount.number, share), source))
        elif amount.is_plain:
            self._do(ApplyDamage(targets, amount.expression, source, share=share))
        else:
            self._do(self._with_save(targets, amount, source))

    def _with_save(self, targets: tuple[str, ...], amount: EnteredAmount, source: str) -> DealDamageWithSave:
        """Return the command for damage with a save or a condition.

        Rounds are counted on the turns of the combatant shown.
        """
        condition = amount.condition or EnteredCondition()
        return DealDamageWithSave(
            targets,
            amount.expression,
            amount.save,
            amount.dc,
            amount.half,
            source,
            condition.condition,
            condition.level,
            condition.turns,
            self.combatant if condition.rounds else "",
            bool(amount.save),
            condition.counted,
            condition.save,
            condition.dc,
        )
