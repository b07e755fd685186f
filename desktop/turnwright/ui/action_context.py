"""What the actions table works on: the encounter's status, and a controller for each menu."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtWidgets import QMainWindow

from turnwright.ui.add_controller import AddController
from turnwright.ui.bridge import Bridge
from turnwright.ui.docking import Docks
from turnwright.ui.encounter_status import EncounterStatus
from turnwright.ui.exporting import Exporting
from turnwright.ui.filing import Filing
from turnwright.ui.help_controller import HelpController
from turnwright.ui.importing import Importing
from turnwright.ui.manual_command_controller import ManualCommandController
from turnwright.ui.palette_controller import PaletteController
from turnwright.ui.printing import Printing
from turnwright.ui.rules_way import RulesWay
from turnwright.ui.run_controller import RunController
from turnwright.ui.view_controller import ViewController


@dataclass(frozen=True)
class ActionContext:
    """The controllers of one window. They decide nothing about the game: commands do."""

    window: QMainWindow
    bridge: Bridge
    docks: Docks
    status: EncounterStatus
    filing: Filing
    importing: Importing
    exporting: Exporting
    printing: Printing
    add: AddController
    run: RunController
    manual: ManualCommandController
    view: ViewController
    palette: PaletteController
    rules_way: RulesWay
    help: HelpController
