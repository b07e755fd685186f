"""The fixtures of a running fight, in place of those of an encounter in preparation."""

from tests.ui.docks.running_fight import document, fight, show, systems

__all__ = ["document", "fight", "show", "systems"]
