"""The fixtures of a running fight, for dialogs over it."""

from tests.ui.docks.running_fight import document, fight, show, systems

__all__ = ["document", "fight", "show", "systems"]
