"""The strip below the header: the latest result, with one line in large and one in small letters."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QFrame, QMenu, QSizePolicy, QWidget

from turnwright.encounter.running import Combatant
from turnwright.play.attacks.feature_switch import SwitchFeature
from turnwright.play.damage.manual_hit_points import SetHitPoints
from turnwright.ui.docks.turn.cards.results import LatestResults, Result
from turnwright.ui.look.fonts import scaled, set_role
from turnwright.ui.look.tooltips import escaped_tooltip
from turnwright.ui.look.translations import tr
from turnwright.ui.services.document_model import DocumentModel
from turnwright.ui.widgets.icon_label import IconLabel
from turnwright.ui.widgets.key_button import KeyButton
from turnwright.ui.widgets.layout import ElidedLabel, horizontal, vertical
from turnwright.ui.widgets.text import push_button, restyle

HEIGHT = 72


class ResultStrip(QFrame):
    """Shows the latest result. The mouse wheel, Up and Down show earlier and later ones.

    Emits `clicked` when the user opens the journal, and `left` when the focus should leave the strip.
    """

    clicked = Signal()
    left = Signal()

    def __init__(self, document: DocumentModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._latest = LatestResults(document)
        self._results: list[Result] = []
        self._place = 0
        self._offered_for = 0  # serial number of the result with an offer
        self._offered: Callable[[], object] = self.clicked.emit
        self.setProperty("strip", True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        row = horizontal(self, spacing=16, margins=(24, 4, 16, 4))
        self._icon = IconLabel("history", "muted", 32)
        self.word = ElidedLabel(role="number")
        self.word.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        self.outcome = ElidedLabel(role="number", smaller="body")
        self.detail = ElidedLabel(smaller="caption", lines=2)
        self.take_back = push_button(tr("ui.result.take-back"), self._take_back, icon_name="undo")
        self.take_back.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.acted = push_button(tr("ui.result.take-back"), lambda: None, icon_name="undo")
        self.acted.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        menu = QMenu(self.acted)
        menu.addAction(tr("ui.result.all-of-it"), self._take_back)
        self.not_this_time = menu.addAction("", self._not_this_time)
        self.never_again = menu.addAction("", self._never_again)
        self.acted.setMenu(menu)
        self.offer_button = KeyButton("", self._take_offer, "Enter", "primary", "crosshairs", role="strong")
        self.offer_button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        words = vertical(spacing=0)
        first = horizontal(spacing=10)
        first.addWidget(self.word)
        first.addWidget(self.outcome, 1)
        words.addStretch(1)
        words.addLayout(first)
        words.addWidget(self.detail)
        words.addStretch(1)
        row.addWidget(self._icon)
        row.addLayout(words, 1)
        row.addWidget(self.offer_button)
        row.addWidget(self.acted)
        row.addWidget(self.take_back)
        self.refresh()

    @property
    def result(self) -> Result | None:
        """The result shown, or None if nothing has happened yet."""
        return self._results[self._place] if self._results else None

    def refresh(self) -> None:
        """Show the latest result."""
        results = self._latest.read()
        if results != self._results or self._place:
            self._results, self._place = results, 0
        self._show()

    def offer(self, text: str, slot: Callable[[], object]) -> None:
        """Offer a follow-up to the latest result, with a button and the Enter key, until the next result."""
        if self.result is not None:
            self._offered_for, self._offered = self.result.serial, slot
            self._show()
            self.offer_button.setText(text.replace("&", "&&"))
            self.setFocus(Qt.FocusReason.OtherFocusReason)

    def look_back(self, steps: int) -> None:
        """Show an earlier result, or a later one for a negative number of steps."""
        self._place = max(0, min(self._place + steps, len(self._results) - 1))
        self._show()

    def _show(self) -> None:
        self.setFixedHeight(scaled(HEIGHT))
        result = self.result
        past = result is None or result.is_past or self._place > 0
        tone = "" if past or result is None else result.tone
        self._icon.set_icon("history" if past or result is None else result.icon, tone or "muted")
        self.word.setText("" if result is None else tr("ui.result.before") if past else result.word)
        self.word.setProperty("tone", "muted" if past else tone)
        restyle(self.word)
        set_role(self.word, "caption" if past else "number")
        self.outcome.setText("" if result is None or past else result.headline)
        set_role(self.detail, "strong" if past else "body")
        text = tr("ui.result.nothing") if result is None else result.sentence if past else result.explanation
        self.detail.setText(text)
        self.take_back.setVisible(result is not None and not past and result.acted is None)
        acted = result.acted if result is not None and not past else None
        self.acted.setVisible(acted is not None)
        if acted is not None:
            name = acted.name.replace("&", "&&")
            self.not_this_time.setText(tr("ui.result.not-this-time", what=name))
            self.never_again.setText(tr("ui.result.never-again", what=name))
            self.acted.setToolTip(escaped_tooltip(tr("ui.result.acted-tip", what=acted.name)))
            self.not_this_time.setVisible(bool(acted.healed))
        self.offer_button.setVisible(self._has_offer())
        if self.property("tone") != tone:
            self.setProperty("tone", tone)
            restyle(self)
        self.setAccessibleName(" ".join(part for part in (self.word.text(), self.outcome.text(), text) if part))

    def _has_offer(self) -> bool:
        return self.result is not None and self._place == 0 and self.result.serial == self._offered_for

    def _take_offer(self) -> None:
        self.left.emit()
        self._offered_for = 0
        self._offered()

    def _not_this_time(self) -> None:
        """Undo only the automatic healing by a feature."""
        acted = self.result.acted if self.result is not None else None
        combatant = self._document.encounter.get(Combatant, acted.who) if acted is not None else None
        if acted is not None and combatant is not None:
            self._document.execute(SetHitPoints(acted.who, combatant.hp - acted.healed))

    def _never_again(self) -> None:
        """Switch off a feature that acts automatically."""
        if self.result is not None and self.result.acted is not None:
            self._document.execute(SwitchFeature(self.result.acted.who, self.result.acted.feature))

    def _take_back(self) -> None:
        """Undo the result shown and everything after it."""
        if self.result is not None:
            self._document.undo_to(self.result.serial)

    def wheelEvent(self, event: QWheelEvent) -> None:
        self.look_back(1 if event.angleDelta().y() > 0 else -1)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self.look_back(1 if event.key() == Qt.Key.Key_Up else -1)
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if self._has_offer():
                self._take_offer()
            else:
                self.clicked.emit()
        else:
            super().keyPressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            self.clicked.emit()
