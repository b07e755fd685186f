"""What a prompt asks, as plain views, and what every widget that asks has in common."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from turnwright.ui.fonts import GAP, px
from turnwright.ui.widgets.why import Why


@dataclass(frozen=True)
class Choice:
    """One answer to choose: `why` says what speaks for or against it."""

    id: str
    label: str
    why: str = ""


@dataclass(frozen=True)
class AskView:
    """One question as a card shows it: a roll spelled out, `against` what, and a `hint` at what may be typed.

    `problem(text)` says in words what is wrong with a typed result, or nothing.
    """

    id: str
    kind: str
    who: str = ""
    text: str = ""
    roll: str = ""
    against: str = ""
    choices: tuple[Choice, ...] = ()
    suggested: tuple[str, ...] = ()
    most: int = 0
    hint: str = ""
    why: Callable[[], Why] | None = field(default=None, compare=False)
    problem: Callable[[str], str] = field(default=lambda _text: "", compare=False)


class AskBody(QWidget):
    """A part of a card. `answered(replies)` hands in a tuple of `Reply`."""

    answered = Signal(object)

    def show_asks(self, asks: Sequence[AskView]) -> None:
        """Show what is still asked; what stays keeps what was typed into it."""
        raise NotImplementedError

    def confirm(self) -> None:
        """Give the answer that Enter means where no field or button takes Enter for itself."""

    def first_field(self) -> QWidget:
        """Return the widget that takes the focus."""
        raise NotImplementedError


def column_in(widget: QWidget) -> QVBoxLayout:
    """Return a column without margins, laid into a widget."""
    column = QVBoxLayout(widget)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(px(GAP))
    return column
