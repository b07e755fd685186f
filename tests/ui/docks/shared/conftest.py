"""The fixtures of a running fight, in place of those of an encounter in preparation."""

from tests.ui.docks.running_fight import bridge, fight, show, systems

__all__ = ["bridge", "fight", "show", "systems"]
