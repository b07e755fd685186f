"""What the window has to say without stopping anyone: refusals with their rule, troubles with files, small confirmations.

The bar lies over the lower edge of the window, so that nothing jumps when it comes or goes.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QHideEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QWidget

from turnwright.play.commands import Command
from turnwright.play.refusals import Refused
from turnwright.ui.bridge import Bridge
from turnwright.ui.fonts import GROUP_GAP, px
from turnwright.ui.say import say
from turnwright.ui.widgets.cards import Banner
from turnwright.ui.widgets.ledger import LedgerWords
from turnwright.ui.widgets.text import push_button
from turnwright.ui.widgets.why import Why, WhyLine, WhyPopup
from turnwright.workspace.speech import Speech

Steps = list[tuple[str, Callable[[], object]]]
WIDTH = 720
SECONDS = 6


class MessageBar(Banner):
    """One message at a time, the latest. Esc or its button dismisses it; what needs no answer goes by itself."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._asked = ("", "")
        self._is_refusal = False
        self._why = push_button(say("ui.refused.why"), self.why, "quiet", "help-circle-outline")
        self._why.hide()
        self._popup = WhyPopup(self._why)
        row = self.layout()
        if isinstance(row, QHBoxLayout):
            row.insertWidget(2, self._why)
        self._leaving = QTimer(self)
        self._leaving.setSingleShot(True)
        self._leaving.timeout.connect(self.dismiss)
        self._escape = QShortcut(QKeySequence(Qt.Key.Key_Escape), self, self.dismiss)
        self._escape.setContext(Qt.ShortcutContext.WindowShortcut)
        self._escape.setEnabled(False)
        self.dismissed.connect(self._close_card)
        window.installEventFilter(self)

    def tell(self, text: str, tone: str = "", steps: Steps | None = None, *, stays: bool = False) -> None:
        """Say something; without steps to take it goes after a few seconds, unless it `stays`."""
        self._close_card()
        self._why.hide()
        self._is_refusal = False
        self.show_message(text, tone, steps or ())
        self._escape.setEnabled(True)
        self._settle()
        self.raise_()
        if steps or stays:
            self._leaving.stop()
        else:
            self._leaving.start(SECONDS * 1000)

    def refuse(self, bridge: Bridge, refused: Refused, command: Command) -> None:
        """Say why something can't be done, by which rule, and offer to do it anyway where a person may insist."""
        steps: Steps = []
        if refused.can_be_overridden:
            steps.append((say("ui.refused.anyway"), lambda: bridge.do(command, anyway=True)))
        self.tell(Speech(bridge.words, bridge.rules).refusal(refused), "warn", steps)
        self._is_refusal = True
        if refused.rule:
            self._why.show()
            self._asked = (bridge.rules.id, refused.rule)

    def dismiss_refusal(self) -> None:
        """Take back what refused something: something else has been done since."""
        if self._is_refusal:
            self.dismiss()

    @property
    def rule(self) -> str:
        """The rule that `?` explains now, empty where there is none."""
        return self._asked[1] if self._why.isVisibleTo(self) and not self.isHidden() else ""

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._escape.setEnabled(False)
        self._leaving.stop()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and not self.isHidden():
            self._settle()
        return super().eventFilter(watched, event)

    def why(self) -> None:
        """Show the rule that refuses, in the ledger's words."""
        system, rule = self._asked
        ledger = LedgerWords(system)
        line = WhyLine("§", ledger.title(rule), rule, ledger.statement(rule))
        self._popup.open(Why(ledger.title(rule), "", (line,)))

    def _close_card(self) -> None:
        self._popup.close()

    def _settle(self) -> None:
        """Lie over the lower edge, as wide as there is room for."""
        room = self._window.contentsRect()
        width = min(px(WIDTH), room.width() - 2 * px(GROUP_GAP))
        height = max(self.heightForWidth(width), self.sizeHint().height(), px(44))
        below = px(GROUP_GAP) + px(28)
        self.setGeometry(room.x() + (room.width() - width) // 2, room.bottom() - height - below, width, height)
