"""The prompts that wait, as cards: the most urgent on top, in a place of their own that scrolls, so that nothing jumps."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QApplication,
    QCheckBox,
    QComboBox,
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QPlainTextEdit,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from turnwright.dice.errors import DiceError
from turnwright.dice.expression import parse
from turnwright.dice.roll import RollSpec
from turnwright.dice.typed import read_faces, read_typed
from turnwright.encounter.pending import Ask, Harm, Hazard, Procedure, Prompt
from turnwright.encounter.running import Combatant, Dice
from turnwright.play.commands import Answer, EndEncounter, SetDice
from turnwright.play.inquiries import can_offer_end, open_prompts, waiting_asks
from turnwright.ui.bridge import Bridge
from turnwright.ui.docks.explain import Explainer, explainer, spelled
from turnwright.ui.fonts import GAP, px
from turnwright.ui.say import say
from turnwright.ui.widgets.ask_view import AskView, Choice
from turnwright.ui.widgets.cards import Card
from turnwright.ui.widgets.layout import FlowRow
from turnwright.ui.widgets.prompt_card import CardView, PromptCard, holds_focus
from turnwright.ui.widgets.tab_order import tab_through
from turnwright.ui.widgets.text import plain_label, push_button

FIELDS = (QLineEdit, QPlainTextEdit, QAbstractSpinBox, QComboBox)
FACE_BY_FACE = "ask.countdown"
NAMED_AT_MOST = 4
ICONS = {
    "prompt.world_action": ("earth", "world"),
    "prompt.countdowns": ("timer-sand", "world"),
    "prompt.recharge": ("autorenew", "world"),
    "prompt.save": ("shield-outline", "warn"),
    "prompt.damage": ("sword", "harm"),
    "prompt.temporary": ("heart-plus", "heal"),
    "prompt.initiative": ("dice-d20-outline", "accent"),
    "prompt.tie": ("dice-d20-outline", "accent"),
    "prompt.surprise": ("eye-off", "warn"),
    "prompt.surprise_checks": ("eye-off", "warn"),
}


def card_of(bridge: Bridge, prompt: Prompt) -> CardView:
    """Return a prompt as a card shows it: what it still asks, in words."""
    explain = explainer(bridge)
    icon, tone = ICONS.get(prompt.title, ("dice-d20-outline", "accent"))
    title = explain.say(prompt.title, subject=prompt.subject)
    struck = _struck(bridge, prompt)
    if struck:
        title = explain.say("ui.prompt.damage-to", who=struck)
    why = (lambda: explain.of_rule(prompt.rule, title)) if prompt.rule else None
    asks = tuple(_ask_view(bridge, explain, ask, title) for ask in waiting_asks(prompt))
    return CardView(prompt.id, prompt.revision, title, asks, icon, tone, why)


def _ask_view(bridge: Bridge, explain: Explainer, ask: Ask, title: str) -> AskView:
    who = _label(bridge, ask.who)
    text = _text(explain, ask)
    view = AskView(
        ask.id,
        ask.kind,
        who,
        text,
        choices=tuple(Choice(each.id, explain.name(each.label), explain.name(each.why)) for each in ask.options),
        suggested=ask.suggested,
        most=ask.most,
    )
    spec = ask.spec
    if ask.kind != "roll" or spec is None:
        return view
    roll = spelled(spec, explain)
    needs = "ui.prompt.needs" if ask.label == "ask.recharge" else "ui.prompt.against"
    against = explain.say(needs, dc=ask.dc) if ask.dc else ""
    about = " ".join(part for part in (who, text) if part)

    faces = ask.label == FACE_BY_FACE

    def problem(typed: str) -> str:
        try:
            (read_faces if faces and typed.strip() != "?" else read_typed)(typed, spec)
        except DiceError as error:
            return error.message
        return ""

    return AskView(
        ask.id,
        ask.kind,
        who,
        "" if who and text.lower() in title.lower() else text,
        roll,
        against,
        hint=_hint(spec, faces=faces),
        why=lambda: explain.of_spec(spec, about, ask.dc, ask.rule),
        problem=problem,
    )


def _struck(bridge: Bridge, prompt: Prompt) -> str:
    """Return whom the damage that is asked for strikes, by name; empty for another question or several rolls."""
    procedure = bridge.encounter.get(Procedure, prompt.procedure)
    if prompt.title != "prompt.damage" or procedure is None or len(prompt.asks) != 1:
        return ""
    data = procedure.data
    targets = data.targets if isinstance(data, Harm) else data.failed if isinstance(data, Hazard) else ()
    names = [label for who in targets if (label := _label(bridge, who))]
    if len(names) <= NAMED_AT_MOST:
        return ", ".join(names)
    return say("ui.turn.and-more", who=", ".join(names[: NAMED_AT_MOST - 1]), n=len(names) - NAMED_AT_MOST + 1)


def _hint(spec: RollSpec, *, faces: bool) -> str:
    """Return what may be typed for a roll: the faces of a pool one by one, a natural only where there is a d20."""
    if faces:
        return say("ui.roll.placeholder-faces")
    if "d20" in spec.dice:
        return say("ui.roll.placeholder")
    return say("ui.roll.placeholder-total", n=round(parse(spec.dice).mean))


def _text(explain: Explainer, ask: Ask) -> str:
    """Return what is asked: `Dexterity save`, `Cold Chill: damage`, `Who is affected? (within 30 feet)`."""
    label = explain.name(ask.label)
    detail = explain.name(ask.detail)
    if ask.kind in ("targets", "choice"):
        return f"{label} {detail}".strip() if ask.kind == "choice" else f"{label} ({detail})" if detail else label
    if not detail or detail.lower().endswith(label.lower()):
        return detail or label[:1].upper() + label[1:]
    return f"{detail}: {label}" if not ask.detail.startswith("<") else f"{detail} {label}"


def _label(bridge: Bridge, who: str) -> str:
    one = bridge.encounter.get(Combatant, who) if who else None
    return one.label if one else ""


class _Steady(QScrollArea):
    """Asks for the same room whatever is in it: what stands below never moves."""

    def sizeHint(self) -> QSize:
        return QSize(px(320), px(88))

    def minimumSizeHint(self) -> QSize:
        return QSize(px(160), px(88))


class PromptArea(QWidget):
    """The cards of all open prompts, the switch that rolls by itself, and the offer to end when one side is left.

    `left` when the focus should go elsewhere: Esc was pressed, or the last card has been answered.
    """

    left = Signal()

    def __init__(self, bridge: Bridge, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._cards: dict[str, PromptCard] = {}
        self._offer: Card | None = None
        words = bridge.words
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(px(GAP))
        head = QHBoxLayout()
        self._heading = plain_label("", "strong")
        self.roll_by_itself = QCheckBox(words("ui.prompt.by-itself"))
        self.roll_by_itself.setToolTip(words("ui.prompt.by-itself-tip"))
        self.roll_by_itself.clicked.connect(self._switch)
        head.addWidget(self._heading)
        head.addStretch(1)
        head.addWidget(self.roll_by_itself)
        column.addLayout(head)
        self._scroll = _Steady()
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._inside = QWidget()
        self._column = QVBoxLayout(self._inside)
        self._column.setContentsMargins(0, 0, px(4), 0)
        self._column.setSpacing(px(GAP))
        self._nothing = plain_label(words("ui.prompt.nothing"), tone="muted", wraps=True)
        self._column.addWidget(self._nothing)
        self._column.addStretch(1)
        self._scroll.setWidget(self._inside)
        column.addWidget(self._scroll, 1)
        self.refresh()

    def cards(self) -> list[PromptCard]:
        """Return the cards, the most urgent first."""
        return list(self._cards.values())

    def refresh(self) -> None:
        """Show the prompts that wait now; the focus goes on to the next card when the one that had it is answered."""
        had_focus = any(holds_focus(card) for card in self._cards.values())
        prompts = open_prompts(self._bridge.encounter)
        fresh = self._keep(prompts)
        count = sum(len(waiting_asks(prompt)) for prompt in prompts)
        self._heading.setText(self._bridge.words("ui.prompt.waiting", n=count) if count else "")
        self._nothing.setVisible(not count)
        dice = self._bridge.encounter.get(Dice, "dice") or Dice()
        self.roll_by_itself.setChecked(dice.mode != "ask")
        self._offer_end()
        if fresh:
            self._scroll.verticalScrollBar().setValue(0)
        if had_focus and not self._cards:
            self.left.emit()
        elif had_focus or (fresh and self._may_take_focus()):
            self.take_focus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self._cards:
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def take_focus(self) -> bool:
        """Put the focus on the most urgent card; False where nothing waits."""
        first = next(iter(self._cards.values()), None)
        if first is not None:
            first.take_focus()
        return first is not None

    def _keep(self, prompts: list[Prompt]) -> bool:
        """Bring the cards up to date, in order; return whether one is new."""
        before = self._cards
        wanted = {prompt.id for prompt in prompts}
        for id in [id for id in before if id not in wanted]:
            card = before.pop(id)
            self._column.removeWidget(card)
            card.hide()
            card.deleteLater()
        cards: dict[str, PromptCard] = {}
        for place, prompt in enumerate(prompts):
            view = card_of(self._bridge, prompt)
            card = before.get(prompt.id) or self._new_card(view)
            if card.view != view:
                card.set_view(view)
            if self._column.indexOf(card) != place:
                self._column.insertWidget(place, card)
                card.show()  # at once, so that it can take the focus
            cards[prompt.id] = card
        fresh = any(id not in before for id in cards)
        self._cards = cards
        if fresh:
            tab_through(self.roll_by_itself, cards.values())
        return fresh

    def _new_card(self, view: CardView) -> PromptCard:
        card = PromptCard(view, self._inside)
        card.answered.connect(self._answer)
        return card

    def _may_take_focus(self) -> bool:
        """Only where nobody is writing or choosing elsewhere, and no window stands over this one."""
        focused = QApplication.focusWidget()
        if focused is None:
            return True
        if isinstance(focused, QLineEdit) and focused.text():
            return False
        dock = self.parentWidget()
        if dock is not None and dock.isAncestorOf(focused):
            return True
        return self.isVisible() and focused.window() is self.window() and not isinstance(focused, FIELDS)

    def _offer_end(self) -> None:
        offered = can_offer_end(self._bridge.encounter)
        if offered and self._offer is None:
            words = self._bridge.words
            self._offer = Card("heal")
            self._offer.body.addWidget(plain_label(words("ui.prompt.one-side"), wraps=True))
            row = FlowRow()
            row.add(push_button(words("ui.prompt.end"), lambda: self._bridge.do(EndEncounter(), initiator="turn")))
            self._offer.body.addWidget(row)
            self._column.insertWidget(self._column.count() - 1, self._offer)
            self._offer.show()
        elif not offered and self._offer is not None:
            self._column.removeWidget(self._offer)
            self._offer.hide()
            self._offer.deleteLater()
            self._offer = None

    def _answer(self, prompt: str, replies: object, revision: int) -> None:
        if isinstance(replies, tuple):
            self._bridge.do(Answer(prompt, replies, revision), initiator="turn")

    def _switch(self, on: bool) -> None:
        self._bridge.do(SetDice("roll" if on else "ask"), initiator="turn")
        self.refresh()
