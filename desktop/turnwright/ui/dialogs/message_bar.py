"""The bar for messages, and the box that asks for confirmation.

The bar for messages that don't interrupt the user: refusals and their rules, file errors, and confirmations.

The bar covers the lower edge of the window or of a widget, so nothing moves when it appears or disappears. Neither
parses names as markup.
"""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt, Signal
from PySide6.QtGui import QHideEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QInputDialog, QLabel, QMessageBox, QWidget

from turnwright.play.kernel.transaction import Command, Refused
from turnwright.ui.look.style import GAP, GROUP_GAP, scaled, tr
from turnwright.ui.services.document_model import DocumentModel
from turnwright.ui.services.rule_texts import rule_texts
from turnwright.ui.services.workers import single_shot_timer
from turnwright.ui.widgets.layout import Banner, holds_focus
from turnwright.ui.widgets.rules.why import Explanation, ExplanationLine, WhyPopup
from turnwright.ui.widgets.text import push_button

MessageActions = list[tuple[str, Callable[[], object]]]
WIDTH, LEAST_WIDTH = 720, 320
SHOWN_SECONDS = 4


class MessageBar(Banner):
    """Shows the latest message. Esc or the close button dismisses it. Messages without actions disappear after a while.

    `place` returns the widget whose lower edge the bar covers, or None for the window. Emits `focusReleased` when the
    focus should leave the bar.
    """

    focusReleased = Signal()

    def __init__(self, window: QWidget, place: Callable[[], QWidget | None] = lambda: None) -> None:
        super().__init__(window)
        self._window = window
        self._place = place
        self._asked = ("", "")
        self._is_verdict = False
        self._why = push_button(tr("ui.refused.why"), self.why, "quiet", "help-circle-outline")
        self._why.hide()
        self._popup = WhyPopup(self._why)
        if isinstance(row := self.layout(), QHBoxLayout):
            row.insertWidget(2, self._why)
        self._leaving = single_shot_timer(self, self.dismiss)
        self._escape = QShortcut(QKeySequence(Qt.Key.Key_Escape), self, self.dismiss)
        self._escape.setContext(Qt.ShortcutContext.WindowShortcut)
        self._escape.setEnabled(False)
        self.dismissed.connect(self._close_card)
        self.close_button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        window.installEventFilter(self)

    def notify(
        self, text: str, tone: str = "", actions: MessageActions | None = None, *, persistent: bool = False
    ) -> None:
        """Show a message. Without actions it disappears after a few seconds, unless it is `persistent`."""
        self._close_card()
        self._why.hide()
        self._is_verdict = False
        self.show_message(text, tone, actions or ())
        self._escape.setEnabled(bool(actions) or persistent)  # in other cases the focused widget handles Esc
        self.settle()
        if actions or persistent:
            self._leaving.stop()
        else:
            self._leaving.start(SHOWN_SECONDS * 1000)

    def show_refusal(self, document: DocumentModel, refused: Refused, command: Command) -> None:
        """Show why a command was refused and by which rule, and offer to override the rule if possible."""
        steps: MessageActions = []
        if refused.can_be_overridden:
            steps.append((tr("ui.refused.anyway"), lambda: document.execute(command, override=True)))
        self.notify(document.phrasebook.refusal_text(refused), "warn", steps)
        self._is_verdict = True
        self._escape.setEnabled(True)
        if refused.rule:
            self._why.show()
            self._asked = (document.rules.id, refused.rule)

    def show_allowed(self, document: DocumentModel, text: str) -> None:
        """Show a message about a command that broke the rules, and offer to undo the command."""
        self.notify(text, "warn", [(tr("ui.refused.undo"), document.undo)])
        self._is_verdict = True

    def dismiss(self) -> None:
        """Hide the bar. Release the focus if a button of the bar has it."""
        had_focus = not self.isHidden() and holds_focus(self)
        super().dismiss()
        if had_focus:
            self.focusReleased.emit()

    def dismiss_verdict(self) -> None:
        """Dismiss a message about a command that was refused or broke the rules, since another command was executed."""
        if self._is_verdict:
            self.dismiss()

    @property
    def rule(self) -> str:
        """The rule that `?` currently explains, or an empty string if there is none."""
        return self._asked[1] if self._why.isVisibleTo(self) and not self.isHidden() else ""

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._escape.setEnabled(False)
        self._leaving.stop()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Move):
            self.settle()
        return super().eventFilter(watched, event)

    def why(self) -> None:
        """Show the ledger text of the rule that refused the command."""
        system, rule = self._asked
        ledger = rule_texts(system)
        line = ExplanationLine("§", ledger.title(rule), rule, ledger.statement(rule))
        self._popup.open(Explanation(ledger.title(rule), "", (line,)))

    def _close_card(self) -> None:
        self._popup.close()

    def settle(self) -> None:
        """Place a shown bar over the lower edge, wide enough for the message if there is room."""
        if self.isHidden():
            return
        self.raise_()
        place, room = self._place(), self._window.contentsRect()
        below = scaled(GROUP_GAP) + scaled(28)
        if place is not None and place.isVisible():
            place.installEventFilter(self)
            room, below = QRect(place.mapTo(self._window, QPoint(0, 0)), place.size()), scaled(GAP)
        width = min(scaled(WIDTH), room.width() - 2 * scaled(GROUP_GAP))
        if place is not None:
            width = min(width, max(scaled(LEAST_WIDTH), self.wanted_width()))
        height = max(self.heightForWidth(width), self.minimumSizeHint().height(), scaled(40))
        self.setGeometry(room.x() + (room.width() - width) // 2, room.bottom() - height - below, width, height)


AGREES = QMessageBox.ButtonRole.AcceptRole
DESTROYS = QMessageBox.ButtonRole.DestructiveRole


def question_box(parent: QWidget, question: str, detail: str) -> QMessageBox:
    """Return a message box without buttons whose texts are never parsed as markup."""
    box = QMessageBox(QMessageBox.Icon.NoIcon, tr("ui.window.name"), "", parent=parent)
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setText(question)
    box.setInformativeText(" ")
    for label in box.findChildren(QLabel):
        label.setTextFormat(Qt.TextFormat.PlainText)
    box.setInformativeText(detail)
    return box


def ask_text(parent: QWidget, title: str, label: str, usual: str = "") -> str:
    """Ask for a text. Return it without the spaces around it, or an empty string if the user cancels."""
    text, agreed = QInputDialog.getText(parent, title, label, text=usual)
    return text.strip() if agreed else ""


def confirm(parent: QWidget, question: str, detail: str, answer: str, role: QMessageBox.ButtonRole = DESTROYS) -> bool:
    """Ask a question. Return whether the user chooses `answer`. Enter and Esc cancel."""
    box = question_box(parent, question, detail)
    agree = box.addButton(answer, role)
    cancel = box.addButton(tr("ui.general.cancel"), QMessageBox.ButtonRole.RejectRole)
    box.setDefaultButton(cancel)
    box.setEscapeButton(cancel)
    box.exec()
    return box.clickedButton() is agree
