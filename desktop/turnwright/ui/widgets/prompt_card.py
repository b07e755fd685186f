"""A prompt as a card: what and why in one line, the rule on `?`, and what is asked with its ways to answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QHBoxLayout, QSizePolicy, QWidget

from turnwright.ui.fonts import GAP, SPACE, px
from turnwright.ui.say import say
from turnwright.ui.widgets.ask_view import AskBody, AskView, height_of
from turnwright.ui.widgets.cards import Card
from turnwright.ui.widgets.choice_asks import Choices, Numbers, Targets
from turnwright.ui.widgets.glyph import Glyph
from turnwright.ui.widgets.layout import ElidedLabel, FlowRow
from turnwright.ui.widgets.order_asks import Orders
from turnwright.ui.widgets.roll_asks import ManyRolls, OneRoll
from turnwright.ui.widgets.why import Why, WhyLabel


@dataclass(frozen=True)
class CardView:
    """A prompt as a card shows it: what is still asked, and the revision that its answers name."""

    id: str
    revision: int
    title: str
    asks: tuple[AskView, ...]
    icon: str = "help-circle-outline"
    tone: str = "accent"
    why: Callable[[], Why] | None = field(default=None, compare=False)


class PromptCard(Card):
    """Shows a prompt: its head and its buttons always, its questions as far as there is room.

    `answered(id, replies, revision)` hands in what a person said; `resized` when the card may want another height.
    """

    answered = Signal(str, object, int)
    resized = Signal()

    def __init__(self, view: CardView, parent: QWidget | None = None) -> None:
        super().__init__(view.tone, parent)
        self._view = view
        self._body: AskBody | None = None
        self.body.setContentsMargins(px(16), px(8), px(12), px(8))
        self.body.setSpacing(px(SPACE + 2))
        self._head = QWidget()
        head = QHBoxLayout(self._head)
        head.setContentsMargins(0, 0, 0, 0)
        head.setSpacing(px(GAP))
        self._glyph = Glyph(view.icon, view.tone)
        self._title = ElidedLabel(role="strong")
        self._about = ElidedLabel()
        self._about.setProperty("tone", "muted")
        words = FlowRow()
        for label in (self._title, self._about):
            label.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
            words.add(label)
        self._rule = WhyLabel(say("ui.prompt.rule"), "caption", "muted")
        head.addWidget(self._glyph)
        head.addWidget(words, 1)
        head.addWidget(self._rule)
        self.body.addWidget(self._head)
        self.set_view(view)

    @property
    def view(self) -> CardView:
        """What the card shows."""
        return self._view

    @property
    def asks(self) -> AskBody:
        """The part that asks."""
        if self._body is None:
            raise RuntimeError("the card shows nothing yet")
        return self._body

    def set_view(self, view: CardView) -> None:
        """Show the prompt as it now stands; what was typed stays while it is still asked."""
        self._view = view
        self.set_tone(view.tone)
        self._glyph.set_icon(view.icon, view.tone)
        self._title.setText(view.title)
        self._rule.set_why(view.why)
        self._rule.setVisible(view.why is not None)
        self.setAccessibleName(view.title)
        had_focus = self._body is not None and holds_focus(self._body)
        if self._body is None or not self._fits(view):
            if self._body is not None:
                self._body.hide()
                self._body.deleteLater()
            self._body = body_class(view.asks)()
            self._body.answered.connect(self._answer)
            self._body.changed.connect(self.resized)
            self.body.addWidget(self._body, 1)
            self._body.show_asks(view.asks)
            self._body.show()
            if had_focus:
                self.take_focus()
        else:
            self._body.show_asks(view.asks)
        about = self._body.about()
        self._about.setText(about)
        self._about.setVisible(bool(about))

    def needed(self, width: int) -> int:
        """Return the height at which everything in the card is seen, in pixels."""
        margins = self.body.contentsMargins()
        inner = width - margins.left() - margins.right()
        high = height_of(self._head, inner) + self.body.spacing() + self.asks.needed(inner)
        return high + margins.top() + margins.bottom()

    def explain(self) -> bool:
        """Show the rule behind the prompt; False where it has none."""
        return self._rule.explain()

    def take_focus(self) -> None:
        """Put the focus where Enter gives the likely answer."""
        if self._body is not None:
            self._body.first_field().setFocus(Qt.FocusReason.OtherFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Question and self._view.why is not None:
            self._rule.setFocus()
            self._rule.open_card()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.asks.confirm()
        else:
            super().keyPressEvent(event)

    def _fits(self, view: CardView) -> bool:
        if view.asks[0].kind == "roll" and isinstance(self._body, ManyRolls):
            return True  # rows that are left stay rows: nothing jumps when the last but one is answered
        return type(self._body) is body_class(view.asks)

    def _answer(self, replies: object) -> None:
        self.answered.emit(self._view.id, replies, self._view.revision)


def body_class(asks: Sequence[AskView]) -> type[AskBody]:
    """Return the kind of widget that suits these asks, which are of one kind."""
    kind = asks[0].kind
    if kind == "roll":
        return OneRoll if len(asks) == 1 else ManyRolls
    return {"choice": Choices, "targets": Targets, "number": Numbers, "order": Orders}[kind]


def holds_focus(widget: QWidget) -> bool:
    """Return whether the focus is in a widget or in something inside it."""
    focused = QApplication.focusWidget()
    return focused is not None and (focused is widget or widget.isAncestorOf(focused))
