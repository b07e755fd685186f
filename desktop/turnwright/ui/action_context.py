"""Context of the table of actions: the encounter's status, and a controller for each menu."""

from __future__ import annotations

import msgspec
from PySide6.QtWidgets import QMainWindow

from turnwright.ui.add_controller import AddController
from turnwright.ui.docking import Docks
from turnwright.ui.document_model import DocumentModel
from turnwright.ui.encounter_status import EncounterStatus
from turnwright.ui.export_controller import ExportController
from turnwright.ui.file_controller import FileController
from turnwright.ui.help_controller import HelpController
from turnwright.ui.import_controller import ImportController
from turnwright.ui.manual_command_controller import ManualCommandController
from turnwright.ui.palette_controller import PaletteController
from turnwright.ui.paste_controller import PasteController
from turnwright.ui.print_controller import PrintController
from turnwright.ui.rule_navigation import RuleNavigation
from turnwright.ui.run_controller import RunController
from turnwright.ui.version_controller import VersionController
from turnwright.ui.view_controller import ViewController


class ActionContext(msgspec.Struct, frozen=True):
    """The controllers of one window. Rules are decided by commands, not here."""

    window: QMainWindow
    bridge: DocumentModel
    docks: Docks
    status: EncounterStatus
    files: FileController
    imports: ImportController
    versions: VersionController
    paste: PasteController
    exports: ExportController
    printing: PrintController
    add: AddController
    run: RunController
    manual: ManualCommandController
    view: ViewController
    palette: PaletteController
    rule_navigation: RuleNavigation
    help: HelpController
