"""Interface to the window for the controllers of its menus."""

from __future__ import annotations

from typing import Any, Protocol

from turnwright.ui.docks.arrangements import ArrangementName
from turnwright.ui.services.actions import InstalledActions


class WindowPort(Protocol):
    """The arrangement of a window's docks, and the installed actions."""

    arrangement: ArrangementName
    window_actions: InstalledActions[Any]

    def arrange(self, name: ArrangementName) -> None:
        """Switch to an arrangement of the docks."""

    def set_big_type(self, big: bool) -> None:
        """Enlarge text and controls while the encounter is running, or use the normal size."""

    def reset_layout(self) -> None:
        """Restore the default layout of the current arrangement."""
