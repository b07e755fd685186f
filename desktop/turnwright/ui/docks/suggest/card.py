"""One suggestion: its kinds of creatures, its difficulty, its forecast, and its pitfalls."""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise

from PySide6.QtCore import QRectF, QSize, QStringListModel, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QCompleter, QFrame, QLineEdit, QSizePolicy, QVBoxLayout, QWidget

from turnwright.rules.parts.preparation.proposals import Challenge, ProposalSlot
from turnwright.rules.word_keys import rating_text
from turnwright.ui.look.style import GAP, current_theme, escaped_tooltip, scaled, tr
from turnwright.ui.models.suggest import ProposalCard, SuggestModel
from turnwright.ui.widgets.fields import KeyButton, KeyCap
from turnwright.ui.widgets.layout import STRETCH, ElidedLabel, HorizontalLine, fill, horizontal, vertical
from turnwright.ui.widgets.text import discard, plain_label, push_button, restyle, set_style, tool_button
from turnwright.workspace.encounter_suggestions import (
    ProposalForecast,
    forecast_texts,
    notes_of,
    steps_text,
    sum_text,
    worth_text,
)

MARK_WIDTH = 3
NEW = -1  # a slot after the last
TONES = ("heal", "accent", "warn", "harm", "line")


class DifficultyBar(QWidget):
    """A bar of the words of difficulty, with a mark at the sum of a suggestion."""

    def __init__(self, challenge: Challenge, total: float) -> None:
        super().__init__()
        ends = [0.0, *(float(at) for _, at in challenge.steps)]
        if challenge.figures.bound == "least":  # each amount is where a word begins
            ends = [*ends, ends[-1] * 1.35]
        self._highest = max(ends[-1], total, 1.0)
        self._parts = [(low / self._highest, high / self._highest) for low, high in pairwise(ends)]
        self._mark = total / self._highest
        self.setFixedHeight(scaled(12))
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(scaled(100), scaled(12))

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, width, height = current_theme(), self.width(), self.height()
        with QPainter(self) as painter:
            painter.setPen(Qt.PenStyle.NoPen)
            for place, (low, high) in enumerate(self._parts):
                tone = TONES[min(place, len(TONES) - 1)]
                painter.setBrush(theme.colour(tone if tone == "line" else f"{tone}_soft"))
                painter.drawRect(QRectF(low * width, height / 6, (high - low) * width, height * 2 / 3))
            painter.setBrush(theme.colour("text"))
            mark = scaled(MARK_WIDTH)
            painter.drawRect(QRectF(min(self._mark * width, width - mark), 0, mark, height))


class NameLine(QLineEdit):
    """A line for the name of a creature, with the library's names. Emits `chosen(key)`, or `cancelled` on Esc."""

    chosen = Signal(str)
    cancelled = Signal()

    def __init__(self, names: dict[str, str]) -> None:
        super().__init__()
        self._names = {name.casefold(): key for name, key in names.items()}
        completer = QCompleter(QStringListModel(sorted(names), self), self)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        self.setCompleter(completer)
        self.setPlaceholderText(tr("ui.suggest.name"))
        self.setAccessibleName(tr("ui.suggest.name"))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._choose()
        elif event.key() == Qt.Key.Key_Escape:
            self.cancelled.emit()
        else:
            super().keyPressEvent(event)

    def _choose(self) -> None:
        """Choose the creature with this name, or else the first that the completer offers."""
        text, completer = self.text().strip().casefold(), self.completer()
        completer.setCompletionPrefix(text)
        offered = completer.currentCompletion() if text else ""
        key = self._names.get(text) or self._names.get(offered.casefold())
        set_style(self, "wrong", key is None)
        if key is not None:
            self.chosen.emit(key)


class CreatureSlot(QFrame):
    """One kind of creature in a suggestion, with buttons for its number, its lock, and another kind."""

    def __init__(self, slot: ProposalSlot, act: Callable[[str], object], *, is_locked: bool) -> None:
        super().__init__()
        each, top = slot.creature, horizontal(spacing=2)
        fewer, count = self._button("minus", "fewer", act), plain_label(f"{slot.count} ×", "strong")
        note = tr(f"ui.creature.role-{each.role}").lower() if each.role else each.type
        words = fill(vertical(spacing=0), ElidedLabel(each.name, lines=2), plain_label(note, "caption", "muted"))
        rating = plain_label(tr("ui.suggest.rating", rating=rating_text(each.rating)), "caption", "muted")
        fill(top, fewer, count, self._button("plus", "more", act), (words, 1), rating)
        lock = self._button("lock" if is_locked else "lock-open-outline", "unlock" if is_locked else "lock", act)
        fill(top, lock, self._button("refresh", "another", act))
        fill(vertical(self, margins=(2, 2, 0, 2)), top)

    def _button(self, icon_name: str, key: str, act: Callable[[str], object]) -> QWidget:
        button = tool_button(icon_name, tr(f"ui.suggest.{key}"), partial(act, key))
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the keys of the card do the same
        return button

    def set_current(self, *, is_current: bool) -> None:
        """Mark the slot that keys change."""
        set_style(self, "sunken", is_current)


class SuggestCard(QFrame):
    """A card with one suggestion.

    Emits `focused` when it becomes the current one, and `wanted(what, slot)` for its buttons: `another`, `lock`, `more`,
    `fewer`, `new`, or `add`. `named(slot, key)` follows when the name of a creature was typed, and
    `lineClosed` when its line is gone.
    """

    focused = Signal()
    wanted = Signal(str, int)
    named = Signal(int, str)
    lineClosed = Signal()

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number, self.place = number, 0
        self.rows: list[CreatureSlot] = []
        self._places: list[int] = []
        self._is_folded = False
        self.line: NameLine | None = None
        self._inside: QWidget | None = None
        self._shown: object = None
        self.setProperty("row", True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._column = vertical(self, margins=2)

    def show_card(self, card: ProposalCard, model: SuggestModel) -> None:
        """Show a suggestion."""
        challenge, locks, there = model.challenge, dict(model.locks), dict(model.there)
        if challenge is None or self.line is not None or self._shown == (card, locks, there):
            return  # a name that is being typed stays
        self._shown = (card, locks, there)
        proposal, slots = card.proposal, list(enumerate(card.proposal.slots))
        new = [(place, slot) for place, slot in slots if slot.creature.path not in there]
        kinds = [tr("suggest.slot", n=slot.count, name=slot.creature.name) for _, slot in new]
        shape = tr(f"suggest.shape.{proposal.shape}").capitalize()
        title = proposal.company or next((slot.creature.name for _, slot in new), shape)
        band = challenge.band(proposal.difficulty)
        said = forecast_texts(card.forecast, band, tr) if card.forecast is not None else ()
        discard(self._inside)
        inside = self._inside = QWidget()
        self._column.addWidget(inside)
        column = vertical(inside, margins=(12, GAP, 12, GAP), spacing=6)
        words = fill(vertical(spacing=0), ElidedLabel(title, "number", lines=2), plain_label(shape, "caption", "muted"))
        self._summary = ElidedLabel(", ".join((*kinds, *said[:1])), "caption", lines=2)
        self.body = QWidget()
        body = vertical(self.body, spacing=6)
        fill(column, fill(horizontal(), KeyCap(str(self.number + 1)), (fill(words, self._summary), 1)), self.body)
        if there:
            names = (tr("suggest.slot", n=slot.count, name=slot.creature.name) for place, slot in slots)
            listed = ", ".join(name for name in names if name not in kinds)
            fill(body, plain_label(tr("ui.suggest.there", names=listed), "caption", "muted", wraps=True))
        self.rows = [
            CreatureSlot(slot, partial(self._act, place), is_locked=slot.creature.path in locks) for place, slot in new
        ]
        self._places = [place for place, _ in new]
        self._end = vertical(spacing=0)
        self._end.addWidget(push_button(tr("ui.suggest.new"), lambda: self.wanted.emit("name", NEW), "quiet", "plus"))
        fill(body, *self.rows, self._end, STRETCH, HorizontalLine())
        amount = tr("ui.budget.worth", amount=worth_text(proposal.total), unit=challenge.figures.unit)
        difficulty = plain_label(proposal.difficulty.capitalize(), "strong")
        fill(body, fill(horizontal(), difficulty, STRETCH, plain_label(amount, "caption", "muted")))
        bar = DifficultyBar(challenge, proposal.total)
        bar.setToolTip(escaped_tooltip(steps_text(challenge, tr)))
        fill(body, bar, plain_label(sum_text(proposal, tr), "caption", "muted", wraps=True))
        self._add_forecast(body, card.forecast, said)
        for note in notes_of(proposal, tr):
            body.addWidget(plain_label(note, "caption", "warn", wraps=True))
        self.add_button = KeyButton(tr("ui.suggest.add"), partial(self._act, 0, "add"), "Enter", role="strong")
        self.add_button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        places = ElidedLabel(", ".join(proposal.habitats), "caption", lines=2, tone="muted")
        fill(body, fill(horizontal(), self.add_button, (places, 1)))
        self.setAccessibleName(", ".join([title, *kinds, sum_text(proposal, tr), steps_text(challenge, tr), *said]))
        self.place = max(0, min(self.place, len(self.rows) - 1))
        self._fold()
        inside.show()  # the layout would show it only later

    def _add_forecast(self, body: QVBoxLayout, forecast: ProposalForecast | None, said: Sequence[str]) -> None:
        banner = QFrame()
        banner.setProperty("banner", True)
        if forecast is not None:
            banner.setProperty("tone", "harm" if forecast.off < 0 else "warn" if forecast.off else "heal")
        lines = [plain_label(line, "caption", wraps=True) for line in said or (tr("ui.suggest.forecasting"),)]
        fill(body, banner)
        fill(vertical(banner, margins=(8, 6, 8, 6), spacing=2), *lines)

    @property
    def slot(self) -> int:
        """The slot that keys change, or the number of slots if the suggestion adds none."""
        return self._places[self.place] if self._places else 0

    def set_folded(self, *, is_folded: bool) -> None:
        """Show only the title and a summary, or everything."""
        if is_folded != self._is_folded:
            self._is_folded = is_folded
            self._fold()

    def _fold(self) -> None:
        self.body.setVisible(not self._is_folded)
        self._summary.setVisible(self._is_folded)

    def show_line(self, slot: int, names: dict[str, str]) -> None:
        """Show the line for the name of a creature in a slot."""
        discard(self.line)
        self.line = NameLine(names)
        self.line.chosen.connect(lambda key: self.named.emit(slot, key))
        self.line.cancelled.connect(self.close_line)
        self._end.addWidget(self.line)
        self.line.show()
        self.line.setFocus(Qt.FocusReason.OtherFocusReason)

    def close_line(self) -> None:
        """Remove the line."""
        discard(self.line)
        self.line = None
        self.lineClosed.emit()
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    def set_current(self, *, is_current: bool) -> None:
        """Mark the card that keys change."""
        set_style(self, "current", is_current)
        self.add_button.set_kind("primary" if is_current else "")
        self._mark()

    def step(self, by: int) -> None:
        """Go to the next or previous slot."""
        self.place = max(0, min(len(self.rows) - 1, self.place + by))
        self._mark()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.focused.emit()

    def _mark(self) -> None:
        for place, row in enumerate(self.rows):
            row.set_current(is_current=bool(self.property("current")) and place == self.place)
        restyle(self)

    def _act(self, slot: int, what: str) -> None:
        self.place = self._places.index(slot) if slot in self._places else self.place
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        self.wanted.emit({"unlock": "lock"}.get(what, what), slot)
