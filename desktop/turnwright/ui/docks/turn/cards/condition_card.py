"""The card for a condition: a line of text (`poi 3`), chips that show its interpretation, and the duration.

Enter applies it to the selected combatants, or to the active one if none is selected. Shift+Enter applies it and keeps
the card open for another. Esc closes the card.
"""

from __future__ import annotations

from typing import Literal

import msgspec
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from turnwright.encounter.lookups import clock_of
from turnwright.encounter.running import Combatant, Duration
from turnwright.play.effects.conditions import ApplyCondition
from turnwright.play.queries.queries import active_combatants
from turnwright.rules.system import labels_of
from turnwright.ui.docks.turn.line_words import line_words
from turnwright.ui.forms.command_drafts import RuleCheck, rule_check, show_reason
from turnwright.ui.look.fonts import scaled, set_role
from turnwright.ui.look.translations import tr
from turnwright.ui.services.document_model import DocumentModel
from turnwright.ui.widgets.cards import Card
from turnwright.ui.widgets.fields import NumberField
from turnwright.ui.widgets.icon_label import IconLabel
from turnwright.ui.widgets.key_button import KeyButton, KeyCap
from turnwright.ui.widgets.layout import ElidedLabel, FlowRow, horizontal
from turnwright.ui.widgets.text import plain_label, tool_button
from turnwright.ui.widgets.typed.condition_text import ConditionWord, EnteredCondition, LineWords, read_condition
from turnwright.ui.widgets.typed.line_chips import LineChips, Segments, condition_chips

LASTING = ("removed", "rounds", "turn", "save")
COMMON = 8
Whose = Literal["active", "bearer"]


class ConditionCard(Card):
    """Applies a condition. Emits `submitted` right before it does, and `closed` when it is done or cancelled."""

    closed = Signal()
    submitted = Signal()

    def __init__(self, document: DocumentModel, parent: QWidget | None = None) -> None:
        super().__init__("", parent)
        self._document = document
        self._words = LineWords()
        self._chosen: dict[str, object] = {}  # values chosen by button or field, which override the line
        self.moment: Literal["turn-start", "turn-end"] = "turn-start"
        self.whose: Whose = "active"
        self._lasts = "removed"  # the duration shown last
        self._check = RuleCheck()
        self.is_open = False
        self._title = ElidedLabel(role="strong", smaller="body", lines=2)
        self.line = QLineEdit()
        self.chips = LineChips()
        self.lasting = Segments(tr("ui.condition.how-long"))
        self.rounds = NumberField(1, 1000)
        self.level = NumberField(1, 100)
        self.moments = Segments(tr("ui.condition.counted-at"))
        self.turns = Segments(tr("ui.condition.turn-of"))
        self.saves = Segments(tr("ui.condition.save"))
        self.dc = NumberField(1, 100)
        self.add_button = KeyButton(tr("ui.condition.add"), self.submit, "Enter", "primary", "check-bold")
        self.another_button = KeyButton(tr("ui.condition.another"), self._submit_and_stay, "⇧Enter", "quiet")
        self._against = plain_label("", "caption", "harm", wraps=True)
        self._lay_out()
        self.line.textEdited.connect(lambda _text: self._edited())
        self.lasting.picked.connect(lambda id: self._choose("lasts", id))
        self.saves.picked.connect(lambda id: self._choose("save", id))
        self.moments.picked.connect(self._set_moment)
        self.turns.picked.connect(self._set_whose)
        for name, field in (("rounds", self.rounds), ("level", self.level), ("dc", self.dc)):
            field.valueEdited.connect(lambda value, name=name: self._choose(name, value))

    def _lay_out(self) -> None:
        self.body.setContentsMargins(scaled(20), scaled(12), scaled(20), scaled(12))
        head = horizontal()
        head.addWidget(IconLabel("alert-circle-outline", "warn", 24))
        head.addWidget(self._title, 1)
        head.addWidget(tool_button("close", tr("ui.turn.close-form"), self.closed.emit))
        head.addWidget(KeyCap("Esc"))
        self.body.addLayout(head)
        set_role(self.line, "strong")
        self.line.setMinimumHeight(scaled(48))
        self.line.setPlaceholderText(tr("ui.condition.placeholder"))
        self.line.setAccessibleName(tr("ui.condition.name"))
        self.body.addWidget(self.line)
        self.body.addWidget(self.chips)
        self.body.addWidget(plain_label(tr("ui.condition.how-long"), "caption", "muted"))
        first = FlowRow(roomy=True)
        for widget in (self.lasting, self.rounds):
            first.add(widget)
        self.body.addWidget(first)
        self._counting = self._row(
            plain_label(tr("ui.condition.counted-at"), "caption", "muted"),
            self.moments,
            plain_label(tr("ui.condition.turn-of"), "caption", "muted"),
            self.turns,
        )
        dc = plain_label(tr("ui.condition.dc"), "caption", "muted")
        self._saving = self._row(self.saves, dc, self.dc)
        self._leveling = self._row(plain_label(tr("ui.condition.level"), "caption", "muted"), self.level)
        foot = horizontal()
        foot.addWidget(self.add_button)
        foot.addWidget(self.another_button)
        foot.addWidget(self._against, 1)
        self.body.addLayout(foot)

    def _row(self, *widgets: QWidget) -> QWidget:
        row = FlowRow(roomy=True)
        for widget in widgets:
            row.add(widget)
        self.body.addWidget(row)
        return row

    # Called by the dock ------------------------------------------------------------------------------------------

    def open(self) -> None:
        """Open the card with an empty line."""
        self.is_open = True
        self._words = line_words(self._document)
        self._set_counting("removed")
        self._start_over()

    def close_card(self) -> None:
        """Close the card."""
        self.is_open = False
        self.hide()

    def take_focus(self) -> None:
        """Focus the line."""
        self.line.setFocus(Qt.FocusReason.OtherFocusReason)

    def targets(self) -> tuple[str, ...]:
        """Return the selected combatants, or the active one if none is selected."""
        encounter = self._document.encounter
        selected = tuple(who for who in self._document.selected_combatants if encounter.get(Combatant, who) is not None)
        active = self._active()
        return selected or ((active,) if active else ())

    def command(self) -> ApplyCondition | None:
        """Return the command for the entered condition, or None if something is missing or wasn't understood."""
        entered, targets, active = self.entered(), self.targets(), self._active()
        if not (entered.condition and targets) or entered.unknown:
            return None
        bare = ApplyCondition(targets, entered.condition, entered.level)
        change = msgspec.structs.replace
        if entered.lasts == "removed":
            return bare
        if entered.lasts == "save":
            return change(bare, save=entered.save, dc=entered.dc) if entered.save and entered.dc else None
        rounds = entered.rounds if entered.lasts == "rounds" else 1
        if self.whose == "bearer" or not active:
            return change(bare, rounds=rounds, counted="affected" if self.moment == "turn-end" else "creator")
        if entered.lasts == "turn":
            return change(bare, ends=Duration(self.moment, active))
        if self.moment == "turn-start":
            return change(bare, rounds=rounds, by=active)
        return change(bare, ends=Duration(self.moment, active, rounds))

    def entered(self) -> EnteredCondition:
        """Return the condition read from the line. Values chosen by button or field take precedence over the line."""
        read = read_condition(self.line.text(), self._words)
        word = self._word(read)
        changed = msgspec.structs.replace(read, **self._chosen)
        if changed.lasts == "rounds" and not changed.rounds:
            changed = msgspec.structs.replace(changed, rounds=1)
        if word is None or not word.has_level:
            return msgspec.structs.replace(changed, level=0)
        return msgspec.structs.replace(changed, level=changed.level or 1)

    def submit(self) -> bool:
        """Apply the condition and close the card. Return False if something is missing or the rules forbid it."""
        command, check = self.command(), self._check
        if command is None or not self.add_button.isEnabled():
            return False
        self.submitted.emit()
        if self._document.execute(command, override=check.can_be_overridden):
            self.closed.emit()
            return True
        return False

    def refresh(self) -> None:
        """Show the entered condition and its targets."""
        if not self.is_open:
            return
        entered, encounter = self.entered(), self._document.encounter
        targets, active = self.targets(), self._active()
        if entered.lasts != self._lasts:
            self._set_counting(entered.lasts)
        names = labels_of(encounter, targets)
        key = (
            "nobody" if not targets else "acting" if targets == (active,) else "on" if len(targets) == 1 else "on-many"
        )
        self._title.setText(tr(f"ui.condition.title-{key}", who=names, n=len(targets)))
        self.setAccessibleName(self._title.text())
        self._show_chips(entered)
        self.lasting.set_options([(id, tr(f"ui.condition.lasts-{id}")) for id in LASTING])
        self.lasting.choose(entered.lasts)
        self.rounds.setVisible(entered.lasts == "rounds")
        self.rounds.set_number(max(1, entered.rounds))
        word = self._word(entered)
        self._leveling.setVisible(word is not None and word.has_level)
        self.level.set_number(max(1, entered.level))
        self._saving.setVisible(entered.lasts == "save")
        self.saves.set_options([(id, names[-1]) for id, names in self._words.saves])
        self.saves.choose(entered.save)
        self.dc.set_number(max(1, entered.dc))
        self._show_counting(entered, names if len(targets) == 1 else tr("ui.condition.each"), active)
        self._show_rules(entered)

    # Parts of the card -------------------------------------------------------------------------------------------

    def _set_counting(self, lasts: str) -> None:
        """Set the default for counting a duration. `turn` means until the end of the affected creature's own turn."""
        self._lasts, active = lasts, self._active()
        by_bearer = not active or (lasts == "turn" and self.targets() != (active,))
        self.whose = "bearer" if by_bearer else "active"
        self.moment = "turn-end" if lasts == "turn" else "turn-start"

    def _active(self) -> str:
        acting = active_combatants(self._document.encounter)
        return acting[0].id if acting else ""

    def _word(self, entered: EnteredCondition) -> ConditionWord | None:
        return next((condition for condition in self._words.conditions if condition.id == entered.condition), None)

    def _show_chips(self, entered: EnteredCondition) -> None:
        if not self.line.text().strip():
            common = self._words.conditions[:COMMON]
            self.chips.offer([(self._words.shortest(condition), condition.name) for condition in common], self._fill)
            return
        self.chips.show_chips(condition_chips(entered, self._words, self._ending(entered)))

    def _ending(self, entered: EnteredCondition) -> str:
        """Return a text about the end of the condition, or an empty string if the end is unknown."""
        active = self._active()
        if entered.lasts not in ("rounds", "turn"):
            return ""
        later = entered.rounds if entered.lasts == "rounds" else int(self.moment == "turn-start")
        if self.whose == "bearer" or not active:
            own = entered.lasts == "turn" and self.moment == "turn-end"
            return tr("ui.condition.ends-own-turn") if own else ""
        who, round = labels_of(self._document.encounter, (active,)), clock_of(self._document.encounter).round + later
        return tr(f"ui.condition.ends-{self.moment}", who=who, n=round)

    def _show_counting(self, entered: EnteredCondition, bearer: str, active: str) -> None:
        self._counting.setVisible(entered.lasts in ("rounds", "turn"))
        self.moments.set_options([(id, tr(f"ui.condition.{id}")) for id in ("turn-start", "turn-end")])
        self.moments.choose(self.moment)
        acting = [("active", labels_of(self._document.encounter, (active,)))] if active else []
        bearers = [("bearer", bearer)] if self.targets() != (active,) or not active else []
        self.turns.set_options([*acting, *bearers])
        self.turns.choose(self.whose)

    def _show_rules(self, entered: EnteredCondition) -> None:
        command = self.command()
        self._check = check = rule_check(self._document, command) if command is not None else RuleCheck()
        missing = ""
        if command is None and self.line.text().strip():
            save = entered.lasts == "save" and not (entered.save and entered.dc) and not entered.unknown
            missing = tr("ui.condition.missing-save") if save else ""
        show_reason(self._against, check.text or missing, check.tone if check.text else "muted")
        self.add_button.setText(tr("ui.refused.anyway") if check.can_be_overridden else tr("ui.condition.add"))
        self.add_button.setEnabled(command is not None and (not check.refused or check.can_be_overridden))

    def _start_over(self) -> None:
        self.line.clear()
        self._chosen.clear()
        self.refresh()

    def _fill(self, letters: str) -> None:
        self.line.setText(f"{letters} ")
        self._edited()
        self.take_focus()

    def _edited(self) -> None:
        self._chosen.clear()
        self.refresh()

    def _choose(self, name: str, value: object) -> None:
        self._chosen[name] = value
        self.refresh()

    def _set_moment(self, id: str) -> None:
        self.moment = "turn-end" if id == "turn-end" else "turn-start"
        self.refresh()

    def _set_whose(self, id: str) -> None:
        self.whose = "bearer" if id == "bearer" else "active"
        self.refresh()

    def _submit_and_stay(self) -> None:
        command = self.command()
        if command is not None and self._document.execute(command, override=self._check.can_be_overridden):
            self._start_over()
            self.take_focus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
                self._submit_and_stay()
            else:
                self.submit()
        else:
            super().keyPressEvent(event)
