"""The treasure inspector: items that the characters can find, printable as a card."""

from __future__ import annotations

from turnwright.encounter.prepared import Treasure
from turnwright.ui.docks.editing.inspector import InspectorDock
from turnwright.ui.forms.encounter_layouts import TREASURE


class TreasureDock(InspectorDock):
    """Edits treasure."""

    kind = Treasure
    name = "treasure"
    form_layout = TREASURE
    icon_name = "treasure-chest-outline"
