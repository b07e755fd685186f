"""The names that players know: a row for each kind of creature that isn't of the party."""

from __future__ import annotations

from collections import Counter

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableWidget, QTableWidgetItem, QWidget

from turnwright.encounter.prepared import Creature
from turnwright.encounter.running import Combatant, KnownName, kind_id
from turnwright.play.table.commands.set_known_name import SetKnownName
from turnwright.players.showing import PARTY
from turnwright.ui.document_model import DocumentModel
from turnwright.ui.fonts import scaled
from turnwright.ui.translations import tr

NAME, SHOWN_AS = range(2)
MOST_ROWS = 8


class NamesTable(QTableWidget):
    """Whether players know the names of creatures, and by which name they know them; edited in place, undone as all else."""

    def __init__(self, document: DocumentModel, parent: QWidget | None = None) -> None:
        super().__init__(0, 2, parent)
        self._document = document
        self._filling = False
        self._of_row: list[str] = []  # a combatant of each row's kind
        self.setHorizontalHeaderLabels([tr("ui.players.known"), tr("ui.players.shown-as")])
        self.setAccessibleName(tr("ui.players.names"))
        self.verticalHeader().hide()
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setTabKeyNavigation(False)
        header = self.horizontalHeader()
        header.setSectionResizeMode(NAME, QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(SHOWN_AS, QHeaderView.ResizeMode.Stretch)
        self.itemChanged.connect(self._on_edited)
        self.refresh()

    def refresh(self) -> None:
        """Show a row for each kind of the fight."""
        encounter = self._document.encounter
        firsts: dict[str, Combatant] = {}
        counts = Counter[str]()
        for one in encounter.all(Combatant):
            if one.side != PARTY:
                kind = one.creature or one.id
                firsts.setdefault(kind, one)
                counts[kind] += 1
        self._filling = True
        self._of_row = [first.id for first in firsts.values()]
        self.setRowCount(len(firsts))
        for row, (kind, one) in enumerate(firsts.items()):
            self._fill_row(row, one, counts[kind], self._known(one))
        self._filling = False
        self._fit()

    def _known(self, one: Combatant) -> KnownName | None:
        """Return the name by which players know all of a combatant's kind."""
        return self._document.encounter.get(KnownName, kind_id(one.creature) if one.creature else one.id)

    def _has_false_name(self, who: str) -> bool:
        known = self._known(self._document.encounter.need(Combatant, who))
        return known is not None and bool(known.shown_as)

    def _fill_row(self, row: int, one: Combatant, count: int, known: KnownName | None) -> None:
        creature = self._document.encounter.get(Creature, one.creature) if one.creature else None
        own = creature.name if creature is not None else one.label
        name = QTableWidgetItem(tr("ui.players.many", name=own, n=count) if count > 1 else own)
        name.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsUserCheckable | Qt.ItemFlag.ItemIsSelectable)
        name.setCheckState(Qt.CheckState.Checked if known is not None else Qt.CheckState.Unchecked)
        shown_as = QTableWidgetItem(known.shown_as if known is not None else "")
        self.setItem(row, NAME, name)
        self.setItem(row, SHOWN_AS, shown_as)

    def _fit(self) -> None:
        """Give the table the height of its rows, up to a few."""
        height = self.fontMetrics().height() + scaled(8)
        for row in range(self.rowCount()):
            self.setRowHeight(row, height)
        rows = min(MOST_ROWS, self.rowCount()) * height
        self.setFixedHeight(self.horizontalHeader().sizeHint().height() + 2 * self.frameWidth() + rows)

    def _on_edited(self, item: QTableWidgetItem) -> None:
        if self._filling:
            return
        who = self._of_row[item.row()]
        known, shown_as = self.item(item.row(), NAME), self.item(item.row(), SHOWN_AS)
        text = shown_as.text().strip() if shown_as is not None else ""
        is_known = known is not None and known.checkState() == Qt.CheckState.Checked
        if item.column() == NAME and not is_known:
            command = SetKnownName((who,), forget=True)
        elif item.column() == SHOWN_AS and not text:
            if not self._has_false_name(who):
                return
            command = SetKnownName((who,), forget=True)  # without the false name the own one stays unknown
        else:
            command = SetKnownName((who,), text)
        self._document.execute(command)
        self.refresh()
