"""A field of small buttons for one choice or several, which letters may choose."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec

from turnwright.ui.forms.fields import Field
from turnwright.ui.widgets.pick_row import PickOption, PickRow

Picks = Callable[[], Sequence[PickOption]]


class PickField(Field):
    """Chooses one option, or `many`. The value is an id, or `plural`: a tuple. `optional`: a choice can be cleared.

    Options that have a letter take the next one of `letters`, so that letters are unique in a form.
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
        """Show the options as they now stand, and the chosen ones."""
        options = [
            msgspec.structs.replace(one, key=next(self.letters, "") if one.key else "") for one in self._options()
        ]
        self.row.set_picks(options, value if self._plural else (value,))

    def set_name(self, name: str) -> None:
        """Set the row's accessible name."""
        self.row.setAccessibleName(name)

    def take_focus(self) -> None:
        """Set the focus on the chosen button, else on the first."""
        self.row.take_focus()

    def _pick(self) -> None:
        chosen = self.row.chosen()
        self.edited.emit(chosen if self._plural else next(iter(chosen), ""))


def picked(options: Picks, **more: bool) -> Callable[[Any], PickField]:
    """Return the maker of a field that chooses among options."""
    return lambda request: PickField(options, request.words(), **more)
