"""Context passed to the window's actions: the encounter's status, and a controller for each menu."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from turnwright.ui.controllers.file_controller import FileController
from turnwright.ui.controllers.import_controller import ImportController
from turnwright.ui.controllers.rule_navigation import RuleNavigation
from turnwright.ui.controllers.run_controller import RunController
from turnwright.ui.controllers.version_controller import VersionController
from turnwright.ui.controllers.view_controller import ViewController
from turnwright.ui.controllers.window_port import WindowPort
from turnwright.ui.docks.docking import Docks
from turnwright.ui.look.theme import ThemeSource
from turnwright.ui.services.encounter_status import EncounterStatus
from turnwright.ui.services.window_parts import WindowParts

if TYPE_CHECKING:
    from turnwright.ui.controllers.add_controller import AddController
    from turnwright.ui.controllers.export_controller import ExportController
    from turnwright.ui.controllers.help_controller import HelpController
    from turnwright.ui.controllers.library_controller import LibraryController
    from turnwright.ui.controllers.manual_command_controller import ManualCommandController
    from turnwright.ui.controllers.map_controller import MapController
    from turnwright.ui.controllers.palette_controller import PaletteController
    from turnwright.ui.controllers.paste_controller import PasteController
    from turnwright.ui.controllers.phones_controller import PhonesController
    from turnwright.ui.controllers.players_controller import PlayersController
    from turnwright.ui.controllers.portrait_controller import PortraitController
    from turnwright.ui.controllers.print_controller import PrintController
    from turnwright.ui.controllers.snapshot_controller import SnapshotController


class ActionContext:
    """The controllers of one window. Commands apply the rules; controllers don't.

    Controllers that aren't needed to show the window are imported and created on first use. The conditions that enable
    actions must therefore not use them.
    """

    def __init__(self, parts: WindowParts, port: WindowPort, docks: Docks, theme: ThemeSource) -> None:
        self._parts = parts
        self._port = port
        self.window = window = parts.window
        self.document = document = parts.document
        self.docks = docks
        self.status = EncounterStatus(document)
        self.files = FileController(parts)
        self.versions = VersionController(parts, self.files)
        self.imports = ImportController(window, parts.workspace, docks, parts.messages, self.files.open_all)
        self.run = RunController(window, port, document, docks, self.status, parts.messages)
        self.view = ViewController(port, document, docks, parts.settings_store, theme)
        self.rule_navigation = RuleNavigation(window, docks)

    @cached_property
    def add(self) -> AddController:
        """The Add menu."""
        from turnwright.ui.controllers.add_controller import AddController

        return AddController(self.window, self._port, self.document, self.view, self.files)

    @cached_property
    def exports(self) -> ExportController:
        """The controller of exports and backups."""
        from turnwright.ui.controllers.export_controller import ExportController

        return ExportController(self.window, self.document, self._parts.workspace, self.imports)

    @cached_property
    def help(self) -> HelpController:
        """The Help menu."""
        from turnwright.ui.controllers.help_controller import HelpController

        return HelpController(self.window, self._port, self._parts.workspace.folders, self._parts.messages)

    @cached_property
    def maps(self) -> MapController:
        """The Map menu."""
        from turnwright.ui.controllers.map_controller import MapController

        return MapController(self.window, self.document, self.imports)

    @cached_property
    def portraits(self) -> PortraitController:
        """The controller of creature portraits."""
        from turnwright.ui.controllers.portrait_controller import PortraitController

        return PortraitController(self.window, self.document, self.imports)

    @cached_property
    def library(self) -> LibraryController:
        """The dialogs of the library panel."""
        from turnwright.ui.controllers.library_controller import LibraryController

        return LibraryController(self.window, self.document, self.imports)

    @cached_property
    def manual(self) -> ManualCommandController:
        """The forms of manual commands."""
        from turnwright.ui.controllers.manual_command_controller import ManualCommandController

        return ManualCommandController(self.window, self.document, self.docks)

    @cached_property
    def palette(self) -> PaletteController:
        """The command palette and other lists of choices."""
        from turnwright.ui.controllers.palette_controller import PaletteController

        return PaletteController(
            self.window,
            self._port,
            self.document,
            self.status,
            self.files,
            self.exports,
            self.view,
            self.rule_navigation,
            self.add,
        )

    @cached_property
    def paste(self) -> PasteController:
        """The dialog that reads a creature from text."""
        from turnwright.ui.controllers.paste_controller import PasteController

        return PasteController(self.window, self.document, self._parts.workspace, self.imports)

    @cached_property
    def phones(self) -> PhonesController:
        """The web page for the players' phones."""
        from turnwright.ui.controllers.phones_controller import PhonesController

        return PhonesController(self.window, self.document, self.players)

    @cached_property
    def players(self) -> PlayersController:
        """The Players menu and the players' screen."""
        from turnwright.ui.controllers.players_controller import PlayersController

        return PlayersController(self.window, self.document, self._parts.settings_store)

    def close_players(self) -> None:
        """Destroy the players' window and stop serving phones."""
        if "phones" in self.__dict__:
            self.phones.switch_off()
        if "players" in self.__dict__:
            self.players.dispose()

    @cached_property
    def printing(self) -> PrintController:
        """The controller of handouts."""
        from turnwright.ui.controllers.print_controller import PrintController

        return PrintController(self._parts)

    @cached_property
    def snapshots(self) -> SnapshotController:
        """The controller of the fight's snapshots."""
        from turnwright.ui.controllers.snapshot_controller import SnapshotController

        return SnapshotController(self._parts)
