"""A prompt as a card: the title, the consequence on one line, the rule (opened with `?`), and a row per question."""

from collections.abc import Callable
from dataclasses import dataclass, field

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from turnwright.ui.look.style import GAP, scaled, tr
from turnwright.ui.widgets.layout import Card, ElidedLabel, fill, holds_focus, horizontal
from turnwright.ui.widgets.prompts import prompt_input
from turnwright.ui.widgets.prompts.prompt_roll_input import DamageInput, RollInput
from turnwright.ui.widgets.rules.why import Explanation, WhyLabel
from turnwright.ui.widgets.text import IconLabel, claims_key, discard, plain_label, pressed_character
from turnwright.ui.widgets.typed.line_text import ChipView, LineChips

INPUTS: dict[str, type[prompt_input.PromptInput]] = {
    "roll": RollInput,
    "choice": prompt_input.ChoiceInput,
    "targets": prompt_input.TargetsInput,
    "number": prompt_input.NumbersInput,
    "order": prompt_input.OrderInput,
    "saved": DamageInput,
    "share": DamageInput,
}  # the input for each kind of question


@dataclass(frozen=True)
class PromptView:
    """A prompt as shown on a card: its open questions, and the revision that replies refer to.

    `consequence` describes what happens on a failure and on a success. `chips` are shown below the title, and `edge` is
    the tone of the card's edge.
    """

    id: str
    revision: int
    title: str
    asks: tuple[prompt_input.AskView, ...]
    icon: str = "help-circle-outline"
    tone: str = "accent"
    consequence: str = ""
    why: Callable[[], Explanation] | None = field(default=None, compare=False)
    chips: tuple[ChipView, ...] = ()
    edge: str = "warn"


class PromptCard(Card):
    """A card that shows a prompt. The questions scroll if they don't fit, while the title and buttons stay visible.

    Emits `answered(id, replies, revision)` when the user replies, and `hurried` when the prompt that follows should be
    answered as suggested.
    """

    answered = Signal(str, object, int)
    hurried = Signal()

    def __init__(self, view: PromptView, parent: QWidget | None = None) -> None:
        super().__init__(view.edge, parent)
        self.view = view
        self._body: prompt_input.PromptInput | None = None
        self.body.setContentsMargins(scaled(20), scaled(12), scaled(12), scaled(12))
        self.body.setSpacing(scaled(GAP))
        self._head = QWidget()
        head = horizontal(self._head)
        self._glyph = IconLabel(view.icon, view.tone, 24)
        self._title = ElidedLabel(role="strong", smaller="body", lines=2)
        self._about = plain_label("", wraps=True)
        self._rule = WhyLabel(tr("ui.prompt.rule"), "caption", "muted")
        self._place = plain_label("", "caption", "muted")
        self.chips = LineChips()
        fill(head, self._glyph, (self._title, 1), self._place, self._rule)
        fill(self.body, self._head, self.chips, self._about)
        self.set_view(view)

    @property
    def prompt_input(self) -> prompt_input.PromptInput:
        """The input widget of the questions."""
        if self._body is None:
            raise RuntimeError("the card has no questions yet")
        return self._body

    def set_view(self, view: PromptView) -> None:
        """Show a new state of the prompt. Typed text is kept as long as its question is open."""
        self.view = view
        self._glyph.set_icon(view.icon, view.tone)
        self._title.setText(view.title)
        self._rule.set_why(view.why)
        self._rule.setVisible(view.why is not None)
        self.chips.show_chips(view.chips)
        self.chips.setVisible(bool(view.chips))
        self.setAccessibleName(view.title)
        had_focus = self._body is not None and holds_focus(self._body)
        if type(self._body) is not INPUTS[view.asks[0].kind]:
            discard(self._body)
            self._body = INPUTS[view.asks[0].kind]()
            self._body.answered.connect(self._answer)
            self._body.hurried.connect(self.hurried)
            self.body.addWidget(self._body, 1)
            self._body.show_asks(view.asks)
            self._body.show()
            if had_focus:
                self.take_focus()
        else:
            self._body.show_asks(view.asks)
        about = ".  ".join(part for part in (self._body.common_text(), view.consequence) if part)
        self._about.setText(about)
        self._about.setVisible(bool(about))

    def set_place(self, place: int, count: int) -> None:
        """Show the position of the card among several cards."""
        self._place.setText(tr("ui.prompt.place", place=place, count=count) if count > 1 else "")

    def explain(self) -> bool:
        """Show the rule of the prompt. Return False if it has none."""
        return self._rule.explain()

    def take_focus(self) -> None:
        """Focus the widget in which Enter accepts the suggested answer."""
        if self._body is not None:
            self._body.first_field().setFocus(Qt.FocusReason.OtherFocusReason)

    def event(self, event: QEvent) -> bool:
        """Accept the keys of options, which would otherwise be shortcuts of the window."""
        return claims_key(event, self._choice) or super().event(event)

    def _choice(self, event: QKeyEvent) -> str:
        """Return the key of the option that a press chooses, or an empty string if it chooses none."""
        key = pressed_character(event).lower()
        return key if len(key) == 1 and self._body is not None and self._body.has_key(key) else ""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Question and self.view.why is not None:
            self._rule.setFocus()
            self._rule.open_card()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            with_shift = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
            self.prompt_input.submit_all() if with_shift else self.prompt_input.confirm()
        elif choice := self._choice(event):
            self.prompt_input.choose(choice)
        else:
            super().keyPressEvent(event)

    def _answer(self, replies: object) -> None:
        self.answered.emit(self.view.id, replies, self.view.revision)
