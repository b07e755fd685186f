"""The Add menu, which creates records and opens them in their editors, the quick-add line, and creatures from text.

Forms for commands that the game master enters manually: the *Combatants* menu, and the players' initiatives.
"""

import time
from typing import TYPE_CHECKING, Final, cast

import msgspec
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QMenu

from turnwright.encounter import prepared, state
from turnwright.importers.pasted_text.format import SYSTEMS
from turnwright.importers.traits.powers import character_rules
from turnwright.play.setup import prepared_records, roster
from turnwright.storage.library import entries, parties
from turnwright.ui.controllers import file_controller, import_controller, library_controller, view_controller
from turnwright.ui.dialogs.imports.import_dialogs import PasteDialog
from turnwright.ui.dialogs.manual_commands import ManualCommandDialog, manual_commands
from turnwright.ui.dialogs.party_table import PartyTableDialog
from turnwright.ui.dialogs.quick_add import InitiativeDialog, QuickAddLine
from turnwright.ui.docks.editing.inspector import change_system
from turnwright.ui.docks.shared.library_transfer import add_from_library, add_new
from turnwright.ui.look.style import tr
from turnwright.ui.services.services import Controller, show_dialog
from turnwright.workspace.party_table import PartyReader, PartyRow

if TYPE_CHECKING:
    from turnwright.ui.docks.turn.dock import TurnDock


MOST_CHARACTERS: Final = 200_000  # of a pasted text


class AddController(Controller):
    """Adds records to the encounter."""

    _left: tuple[object, tuple[PartyRow, ...]] = (None, ())  # the table of a party left with Esc, and its document

    def add(self, kind: str) -> None:
        """Add a new record and open it in its editor. A creature gets a roster entry (count 1)."""
        key = add_new(self._document, kind)
        if key is None:
            return
        if self._services.layout.arrangement == "prepare":
            self._services.controller(view_controller.ViewController).open_record(key)
        else:
            self._document.select(key)

    def start_encounter(self) -> None:
        """Start a new encounter, and open the quick-add line for its first creatures."""
        if self._services.controller(file_controller.FileController).new():
            self.open_quick_add()

    def open_quick_add(self) -> None:
        """Open the quick-add line."""
        files = self._services.controller(file_controller.FileController)
        line = QuickAddLine(
            self._document,
            files.find_creature,
            files.creature_names,
            self._window,
            files.find_creature_elsewhere,
            lambda system: change_system(self._document, system, self._window),
        )
        line.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        line.open_over(self._window)

    def open_party(self) -> None:
        """Open the table that adds a party."""
        rules, files = self._document.rules, self._services.controller(file_controller.FileController)
        reader = PartyReader(rules, character_rules(rules.data), files.find_creature, tr)
        dialog = PartyTableDialog(self._document, reader, self._window)
        document = self._document.source
        dialog.show_rows(self._left[1] if self._left[0] is document else ())
        dialog.rejected.connect(lambda: setattr(self, "_left", (document, dialog.typed())))
        dialog.added.connect(self._bring_party)
        dialog.importRequested.connect(
            lambda: self._services.controller(import_controller.ImportController).ask_characters(dialog)
        )
        dialog.open_once()

    def _bring_party(self, party: prepared.Party, keeps: bool) -> None:
        """Add a party to the encounter, and keep it in the library with the same step."""
        if self._document.execute(roster.BringParty(party)):
            self._left = (None, ())
            ids = self._document.encounter.ids(prepared.RosterEntry)
            added = next((entry.id for entry in party.roster if entry.id in ids), "")
            self._document.select((prepared.RosterEntry.table, added) if added else None)
            if keeps:
                self._services.controller(library_controller.LibraryController).keep_added(party)

    def edit_party(self) -> None:
        """Open the table of the encounter's party, or the empty table if there is none."""
        encounter, members = self._document.encounter, parties.party_members(self._document.encounter)
        if not members:
            self.open_party()
            return
        blocks = dict.fromkeys(encounter.need(prepared.Creature, member.creature) for member in members)
        party = prepared.Party("party", "", tuple(blocks), members)

        def save(change: library_controller.Change) -> None:
            changed, merge = change(party), f"party:{time.monotonic()}"
            records: list[prepared.Creature | prepared.RosterEntry] = [*changed.creatures, *changed.roster]
            for record in records:
                if record not in (*party.creatures, *party.roster):
                    self._document.execute(prepared_records.Edit(record, merge))

        self._services.controller(library_controller.LibraryController).edit_party(party, self._document.rules, save)

    def add_from_library(self, entry: entries.LibraryEntry) -> None:
        """Add a creature from the library to the encounter, or to the running fight."""
        if (creature := self._services.controller(file_controller.FileController).load_creature(entry)) is not None:
            add_from_library(self._document, creature)

    # Creatures from text -------------------------------------------------------------------------------------------

    def open_paste(self) -> None:
        """Open the dialog that reads creatures from text, with the text of the clipboard."""
        systems = self._document.source.systems
        choices = [(id, systems.get(id).word("system.short")) for id in SYSTEMS if id in systems.ids]
        text = QApplication.clipboard().text()[:MOST_CHARACTERS]
        dialog = PasteDialog(text, choices, lambda id: systems.get(id).data, self._document.rules.id, self._window)
        dialog.addRequested.connect(lambda creature: dialog.show_result(self.add_pasted(creature)))
        dialog.saveRequested.connect(lambda creature, system: dialog.show_result(self.save_pasted(creature, system)))
        dialog.open_once()

    def add_pasted(self, creature: prepared.Creature) -> str:
        """Add a creature to the encounter or the fight. Return a message, or an empty string if it was refused."""
        if not add_from_library(self._document, creature):
            return ""
        return self._report(tr("ui.paste.added", name=creature.name))

    def save_pasted(self, creature: prepared.Creature, system: str) -> str:
        """Save a creature as a new file in the user's library. Return a message."""
        used_ids = {entry.id for entry in self._workspace.library.entries_for(system) if entry.kind == "creature"}
        record = msgspec.structs.replace(creature, id=state.unique_id(creature.name, used_ids, "creature"))
        try:
            path = self._workspace.library.save(record, system)
        except OSError as error:
            return self._report(tr("ui.library.not-saved", what=creature.name, why=error.strerror or ""), "harm")
        self._services.controller(library_controller.LibraryController).reload()
        return self._report(tr("ui.library.saved", what=creature.name, file=path.name), "heal")

    def _report(self, message: str, tone: str = "") -> str:
        """Show a message in the window's message bar, which is behind the dialog. Return the message."""
        self._messages.notify(message, tone)
        return message


class ManualCommandController(Controller):
    """Opens the forms. They don't block the window."""

    def open_form(self, id: str) -> None:
        """Open the form of a manual command."""
        show_dialog(ManualCommandDialog(self._document, manual_commands()[id], self._window))

    def complete_menu(self, menu: QMenu) -> None:
        """Add the forms that have no window action to a menu that is about to open."""
        for id in manual_commands():
            if self._window.findChild(QAction, f"manual-{id}") is None:
                action = QAction(tr(f"ui.manual.{id}") + "…", self._window)
                action.setObjectName(f"manual-{id}")
                action.triggered.connect(lambda _checked=False, id=id: self.open_form(id))
                menu.addAction(action)

    def open_initiatives(self) -> None:
        """Go to the players' initiatives on the set-up page, or open their form if the page isn't shown."""
        if (turn := self._docks.built("turn")) is not None and cast("TurnDock", turn).enter_initiatives():
            return

        show_dialog(InitiativeDialog(self._document, self._window))
