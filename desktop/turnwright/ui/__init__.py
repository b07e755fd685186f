"""The window: all widgets. Docks show the encounter; changes go through the document model as commands.

No rule is decided here, and no text of a game stands here: numbers come from `workspace`, words from the word
catalogue.
"""

from turnwright.ui.pyside_import import import_pyside

import_pyside()
