"""The window: all widgets. Panels show the encounter; changes go through the document model as commands.

This package makes no rule decisions and contains no game texts. Numbers come from `workspace`, words from the word
catalogue.
"""

from turnwright.ui.pyside_import import import_pyside

import_pyside()
