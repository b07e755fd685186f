"""Fields with buttons for choosing one or more options, including with letters."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec
from PySide6.QtWidgets import QSizePolicy

from turnwright.ui.forms.fields import Field
from turnwright.ui.widgets.pick_row import PickOption, PickRow
from turnwright.ui.widgets.typed.line_chips import Segments

Picks = Callable[[], Sequence[PickOption]]


class PickField(Field):
    """A choice of one option, or of several if `many`. If `optional`, the choice can be cleared.

    The value is an id, or a tuple if `many` or `plural`. Options with a letter get the next letter in `letters`, so
    that letters are unique in a form.
    """

    def __init__(
        self, options: Picks, name: str, *, many: bool = False, plural: bool = False, optional: bool = False
    ) -> None:
        super().__init__()
        self._options = options
        self._plural = many or plural
        self.letters: Iterator[str] = iter(())
        self.row = PickRow(name, many=many)
        self.row.optional = optional
        self.row.picked.connect(self._pick)
        self.column.addWidget(self.row)

    def show_value(self, value: Any) -> None:
        """Show the current options and select the chosen ones."""
        options = [
            msgspec.structs.replace(option, key=next(self.letters, "") if option.key else "")
            for option in self._options()
        ]
        self.row.set_picks(options, value if self._plural else (value,))

    def set_name(self, name: str) -> None:
        """Set the row's accessible name."""
        self.row.setAccessibleName(name)

    def take_focus(self) -> None:
        """Focus the chosen button, or the first one if none is chosen."""
        self.row.take_focus()

    def _pick(self) -> None:
        chosen = self.row.chosen()
        self.edited.emit(chosen if self._plural else next(iter(chosen), ""))


class SegmentsField(Field):
    """A choice of one option with adjoining buttons. `options` returns pairs of value and text."""

    def __init__(self, options: Callable[[], Sequence[tuple[str, str]]], name: str = "") -> None:
        super().__init__()
        self._options = options
        self.segments = Segments(name)
        self.segments.picked.connect(self.edited.emit)
        self.column.addWidget(self.segments)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def show_value(self, value: Any) -> None:
        """Show the current options and select the chosen one."""
        self.segments.set_options(self._options())
        self.segments.choose(value)

    def set_name(self, name: str) -> None:
        """Set the accessible name of the buttons."""
        self.segments.setAccessibleName(name)
