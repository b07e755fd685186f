"""Checks whether there is a display, because Qt ends the program if it can't open a window."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, MutableMapping

_PLATFORM = "QT_QPA_PLATFORM"
_NEEDED = ("DISPLAY", "WAYLAND_DISPLAY", _PLATFORM)


def has_display(environment: Mapping[str, str] = os.environ, platform: str = sys.platform) -> bool:
    """Return whether a window can be opened."""
    return not platform.startswith(("linux", "freebsd")) or any(environment.get(name) for name in _NEEDED)


def use_offscreen_platform(environment: MutableMapping[str, str] = os.environ, platform: str = sys.platform) -> None:
    """Make Qt draw in memory if there isn't a display."""
    if not has_display(environment, platform):
        environment[_PLATFORM] = "offscreen"
