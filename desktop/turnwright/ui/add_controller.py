"""The Add menu: new records of the encounter, each opened in its editor, and the quick-add line."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMainWindow

from turnwright.encounter.prepared import Countdown, Creature, Environment, RosterEntry
from turnwright.encounter.state import Record
from turnwright.play.kernel.commands import Command
from turnwright.play.setup.commands.add import Add
from turnwright.play.setup.commands.add_to_encounter import AddToEncounter
from turnwright.ui.docking import Docks
from turnwright.ui.document_model import DocumentModel
from turnwright.ui.file_controller import FileController
from turnwright.ui.translations import tr
from turnwright.ui.window_port import WindowPort


class AddController:
    """Adds records to the encounter."""

    def __init__(
        self,
        window: QMainWindow,
        port: WindowPort,
        bridge: DocumentModel,
        docks: Docks,
        file_controller: FileController,
    ) -> None:
        self._window = window
        self._port = port
        self._bridge = bridge
        self._docks = docks
        self._file_controller = file_controller

    def add_creature(self) -> None:
        """Add a creature with a roster entry of one, and open it in its editor."""
        made = self._bridge.rules.new_creature(self._free_id(Creature, "creature"), tr("ui.new.creature"))
        entry = RosterEntry(id=self._free_id(RosterEntry, made.id), creature=made.id)
        self._add(AddToEncounter(made, entry), made, "creature")

    def add_environment(self) -> None:
        """Add an environment and open it in its editor."""
        made = Environment(id=self._free_id(Environment, "place"), name=tr("ui.new.environment"))
        self._add(Add((made,)), made, "environment")

    def add_countdown(self) -> None:
        """Add a countdown and open it in its editor."""
        made = Countdown(id=self._free_id(Countdown, "countdown"), name=tr("ui.new.countdown"))
        self._add(Add((made,)), made, "countdown")

    def open_quick_add(self) -> None:
        """Open the quick-add line."""
        from turnwright.ui.dialogs.quick_add import QuickAddLine

        line = QuickAddLine(
            self._bridge, self._file_controller.find_creature, self._file_controller.creature_names, self._window
        )
        line.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        line.open_over(self._window)

    def _add(self, command: Command, made: Record, dock: str) -> None:
        if self._bridge.execute(command):
            if self._bridge.encounter.record((made.table, made.id)) is not None:
                self._bridge.select((made.table, made.id))
            if self._port.arrangement == "prepare":
                self._docks.show(dock)

    def _free_id(self, kind: type[Record], stem: str) -> str:
        taken = set(self._bridge.encounter.ids(kind))
        number, id = 1, stem
        while id in taken:
            number += 1
            id = f"{stem}-{number}"
        return id
