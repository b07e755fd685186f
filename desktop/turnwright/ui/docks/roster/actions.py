"""Actions on roster entries: change the count, change the side."""

from functools import partial
from typing import Any

import msgspec
from PySide6.QtCore import QModelIndex, QPoint, Qt
from PySide6.QtWidgets import QMenu

from turnwright.encounter.prepared import Creature, RosterEntry
from turnwright.encounter.roles import characters, is_ours, role_of
from turnwright.encounter.state import entry_name
from turnwright.play.setup.prepared_records import Edit
from turnwright.ui.docks.roster.delegate import RosterView
from turnwright.ui.look.icons import icon
from turnwright.ui.look.style import tr
from turnwright.ui.models.roster import RosterColumn, RosterModel
from turnwright.ui.models.row_list_model import side_name, side_order
from turnwright.ui.services.document_model import DocumentModel
from turnwright.ui.widgets.fields import add_check, pop_up

MAX_COUNT = 500


class RosterActions:
    """Actions on the entry in the current row of a view."""

    def __init__(self, document: DocumentModel, model: RosterModel, view: RosterView) -> None:
        self._document = document
        self._model = model
        self._view = view
        view.countChangeRequested.connect(self.change_count)
        view.sideChangeRequested.connect(self.change_side)
        view.clicked.connect(self.open_side_menu)
        view.clicked.connect(self.edit_count)
        view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        view.customContextMenuRequested.connect(self.open_menu)

    def change_count(self, by: int) -> None:
        """Raise or lower the count of the current entry (at least 1). Consecutive presses are one undo step."""
        if (entry := self._entry()) is not None and 1 <= entry.count + by <= MAX_COUNT:
            change = msgspec.structs.replace(entry, count=entry.count + by)
            self._document.execute(Edit(change, merge=f"roster:{entry.id}:count:keys"))

    def edit_count(self, index: QModelIndex) -> None:
        """Start editing a cell of the count column."""
        if index.column() == RosterColumn.COUNT and self._entry() is not None:
            self._view.edit(index)

    def change_side(self, by: int) -> None:
        """Move the current entry to the next or previous side."""
        entry, sides = self._entry(), self._sides()
        if entry is not None:
            self._put_on(entry, sides[(sides.index(entry.side) + by) % len(sides)])

    def open_side_menu(self, index: QModelIndex) -> QMenu | None:
        """Open the menu of sides at a cell of the side column. Return None for cells of other columns."""
        entry = self._entry()
        if entry is None or index.column() != RosterColumn.SIDE:
            return None
        menu = QMenu(self._view)
        for side in self._sides():
            add_check(menu, side_name(side), partial(self._put_on, entry, side), checked=side == entry.side)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(self._view.viewport().mapToGlobal(self._view.visualRect(index).bottomLeft()))
        return menu

    def open_menu(self, position: QPoint) -> QMenu | None:
        """Open the menu of the current entry: its side, its role, and whether it is absent."""
        entry = self._entry()
        if entry is None:
            return None
        encounter, menu = self._document.encounter, QMenu(self._view)
        sides = menu.addMenu(tr("ui.roster.side"))
        for side in self._sides():
            add_check(sides, side_name(side), partial(self._put_on, entry, side), checked=side == entry.side)
        role = role_of(encounter, entry)
        if is_ours(encounter, entry):
            menu.addSeparator()
            for other in ("character", "guest", "other"):
                change = partial(self._edit, entry, role=other)
                add_check(menu, tr(f"ui.roster-entry.role-{other}"), change, checked=role == other)
            owners = menu.addMenu(tr("ui.roster.companion-of"))
            for owner in characters(encounter):
                name = entry_name(encounter, owner)
                change = partial(self._edit, entry, role="companion", controller=owner.id)
                if owner.id != entry.id:
                    add_check(owners, name, change, checked=role == "companion" and entry.controller == owner.id)
            owners.setEnabled(bool(owners.actions()))
        menu.addSeparator()
        add_check(
            menu,
            tr("ui.roster-entry.absent"),
            partial(self._edit, entry, absent=not entry.absent),
            checked=entry.absent,
        )
        if encounter.get(Creature, entry.creature) is not None:
            print_it = partial(self._view.printRequested.emit, Creature.table, [entry.creature])
            menu.addAction(icon("printer"), tr("ui.handouts.print"), print_it)
        pop_up(menu, self._view.viewport().mapToGlobal(position))
        return menu

    def _edit(self, entry: RosterEntry, _on: bool = True, **changes: Any) -> None:
        self._document.execute(Edit(msgspec.structs.replace(entry, **changes)))

    def _put_on(self, entry: RosterEntry, side: str, _on: bool = True) -> None:
        if entry.side != side:
            self._edit(entry, side=side)
            self._view.go_to(self._model.row_of((RosterEntry.table, entry.id)))

    def _sides(self) -> list[str]:
        return side_order(("enemies", "party", *self._model.sides()))

    def _entry(self) -> RosterEntry | None:
        key = self._model.key_at(self._view.currentIndex())
        return self._document.encounter.get(RosterEntry, key[1]) if key and key[0] == RosterEntry.table else None
