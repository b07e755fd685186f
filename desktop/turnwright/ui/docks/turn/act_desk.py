"""The place where an act is made ready: the attack card, or a form for anything else. One at a time; Esc puts it aside."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from turnwright.encounter.running import Combatant
from turnwright.play.commands import Command
from turnwright.ui.bridge import Bridge
from turnwright.ui.docks.turn.actions import AttackWith, Meaning
from turnwright.ui.docks.turn.acts import Act
from turnwright.ui.docks.turn.attack_card import AttackCard
from turnwright.ui.widgets.form_card import FormCard


class ActDesk(QWidget):
    """`changed` when a card comes or goes, `left` when the focus should go back to where number keys act."""

    changed = Signal()
    left = Signal()

    def __init__(self, bridge: Bridge, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._act: Act | None = None
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        self.attack = AttackCard(bridge)
        self.form = FormCard()
        for card in (self.attack, self.form):
            column.addWidget(card)
            card.hide()
            card.closed.connect(self._put_aside)
        self.attack.attacked.connect(self._put_aside)
        self.attack.ready_again.connect(self._show_attack)
        self.form.changed.connect(self._fill)
        self.form.submitted.connect(self._submit)
        self.hide()

    @property
    def is_open(self) -> bool:
        """Whether an act is being made ready."""
        return bool(self.attack.who) or self._act is not None

    def follow(self, who: str, meaning: Meaning) -> None:
        """Do what an action means: at once, or after its card has been filled in."""
        if isinstance(meaning, Command):
            self._bridge.do(meaning, initiator="turn")
        elif isinstance(meaning, AttackWith):
            self.open_attack(meaning.who or who, meaning.means, meaning.purpose, meaning.target)
        else:
            self._open_form(meaning)

    def open_attack(self, who: str, means: str = "", purpose: str = "", target: str = "") -> None:
        """Make an attack ready."""
        self._clear()
        self.attack.open_for(who, means, target, purpose)
        self._show_attack()

    def aim_at(self, target: str) -> None:
        """Aim an attack that is being made ready at somebody."""
        if self.attack.who and self.attack.who != target:
            self.attack.aim_at(target)

    def refresh(self) -> None:
        """Bring an open card up to date; one whose maker is gone is put aside."""
        who = self.attack.who or (self._act.who if self._act is not None else "")
        if who and self._bridge.encounter.get(Combatant, who) is None:
            self.close_card()
        elif self.attack.who:
            self.attack.refresh()
        elif self._act is not None:
            self._fill(dict(self.form.values()))

    def close_card(self) -> None:
        """Put an open card aside without asking for the focus."""
        if self.is_open:
            self._clear()
            self.changed.emit()

    def explain(self) -> bool:
        """Explain the card that is open."""
        return self.attack.explain() if self.attack.who else self.form.explain()

    def _open_form(self, act: Act) -> None:
        self._clear()
        self._act = act
        self.form.set_view(act.view({}))
        self.form.show()
        self.changed.emit()
        self.form.take_focus()

    def _show_attack(self) -> None:
        self.attack.show()
        self.changed.emit()
        self.attack.take_focus()

    def _fill(self, values: object) -> None:
        if self._act is not None and isinstance(values, dict):
            self.form.set_view(self._act.view(values))

    def _submit(self, values: object, anyway: bool) -> None:
        act = self._act
        if act is None or not isinstance(values, dict):
            return
        self._put_aside()
        if not self._bridge.do(act.command(values), initiator="turn", anyway=anyway):
            self._act = act
            self.form.set_view(act.view(values))
            self.form.show()
            self.changed.emit()
            self.form.take_focus()

    def _put_aside(self) -> None:
        self.left.emit()  # before the card goes, or the focus would wander
        self._clear()
        self.changed.emit()

    def _clear(self) -> None:
        self._act = None
        self.attack.close_card()
        self.attack.hide()
        self.form.hide()
