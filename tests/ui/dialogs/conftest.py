"""The fixtures of a running fight, for dialogs over it."""

from tests.ui.docks.running_fight import bridge, fight, show, systems

__all__ = ["bridge", "fight", "show", "systems"]
