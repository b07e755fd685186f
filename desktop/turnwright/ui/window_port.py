"""What the controllers of the menus ask of the window they stand in."""

from __future__ import annotations

from typing import Any, Protocol

from turnwright.ui.actions import Installed
from turnwright.ui.arrangements import Name


class WindowPort(Protocol):
    """The arrangement of a window's docks and the actions installed in it."""

    arrangement: Name
    installed: Installed[Any]

    def arrange(self, name: Name) -> None:
        """Lay the docks out in an arrangement."""

    def lay_out_again(self) -> None:
        """Lay the docks out in the first layout of the present arrangement."""
