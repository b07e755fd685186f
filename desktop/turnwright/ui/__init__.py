"""The window: all widgets. Docks show the encounter; changes go through the document model as commands.

No rule is decided here, and no text of a game stands here: numbers come from `workspace`, words from the word
catalogue.
"""

from __future__ import annotations

import importlib
from contextlib import suppress

import shiboken6  # noqa: F401 (it brings `shibokensupport`)

with suppress(ImportError):
    # PySide reads the source of each module imported after it, to see whether it asks for `__feature__`. None does.
    vars(importlib.import_module("shibokensupport.feature"))["_mod_uses_pyside"] = lambda _module: False
