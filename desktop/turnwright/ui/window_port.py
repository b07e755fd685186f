"""The window as the controllers of its menus see it."""

from __future__ import annotations

from typing import Any, Protocol

from turnwright.ui.actions import InstalledActions
from turnwright.ui.arrangements import ArrangementName


class WindowPort(Protocol):
    """The arrangement of a window's docks and the actions installed in it."""

    arrangement: ArrangementName
    window_actions: InstalledActions[Any]

    def arrange(self, name: ArrangementName) -> None:
        """Lay the docks out in an arrangement."""

    def set_big_type(self, big: bool) -> None:
        """Make text and controls larger while running, or as large as elsewhere."""

    def reset_layout(self) -> None:
        """Lay the docks out in the first layout of the present arrangement."""
