"""The names that players know: a row for each kind of creature outside the party."""

from collections import Counter

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableWidget, QTableWidgetItem, QWidget

from turnwright.encounter.prepared import Creature
from turnwright.encounter.running import Combatant, KnownName, kind_id
from turnwright.play.table.game_master import SetKnownName
from turnwright.players.secrets import PARTY
from turnwright.ui.look.style import scaled, tr
from turnwright.ui.services.document_model import DocumentModel

NAME, SHOWN_AS = range(2)
MOST_ROWS = 8


class NamesTable(QTableWidget):
    """Creature names that players know, and false names shown instead. Editable in place, with undo."""

    def __init__(self, document: DocumentModel, parent: QWidget | None = None) -> None:
        super().__init__(0, 2, parent)
        self._document = document
        self._filling = False
        self._of_row: list[str] = []  # for each row, the id of a combatant of that kind
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
        """Show a row for each kind of creature in the fight."""
        encounter = self._document.encounter
        firsts: dict[str, Combatant] = {}
        counts = Counter[str]()
        for combatant in encounter.all(Combatant):
            if combatant.side != PARTY:
                kind = combatant.creature or combatant.id
                firsts.setdefault(kind, combatant)
                counts[kind] += 1
        self._filling = True
        self._of_row = [first.id for first in firsts.values()]
        self.setRowCount(len(firsts))
        for row, (kind, combatant) in enumerate(firsts.items()):
            self._fill_row(row, combatant, counts[kind], self._known(combatant))
        self._filling = False
        self._fit()

    def _known(self, combatant: Combatant) -> KnownName | None:
        """Return the name that players know for creatures of a combatant's kind, or None if they don't know it."""
        id = kind_id(combatant.creature) if combatant.creature else combatant.id
        return self._document.encounter.get(KnownName, id)

    def _has_false_name(self, who: str) -> bool:
        known_name = self._known(self._document.encounter.need(Combatant, who))
        return known_name is not None and bool(known_name.shown_as)

    def _fill_row(self, row: int, combatant: Combatant, count: int, known_name: KnownName | None) -> None:
        creature = self._document.encounter.get(Creature, combatant.creature) if combatant.creature else None
        own = creature.name if creature is not None else combatant.label
        name = QTableWidgetItem(tr("ui.players.many", name=own, n=count) if count > 1 else own)
        name.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsUserCheckable | Qt.ItemFlag.ItemIsSelectable)
        name.setCheckState(Qt.CheckState.Checked if known_name is not None else Qt.CheckState.Unchecked)
        shown_as = QTableWidgetItem(known_name.shown_as if known_name is not None else "")
        self.setItem(row, NAME, name)
        self.setItem(row, SHOWN_AS, shown_as)

    def _fit(self) -> None:
        """Fit the table's height to its rows, up to `MOST_ROWS`."""
        height = self.fontMetrics().height() + scaled(8)
        for row in range(self.rowCount()):
            self.setRowHeight(row, height)
        rows = min(MOST_ROWS, self.rowCount()) * height
        self.setFixedHeight(self.horizontalHeader().sizeHint().height() + 2 * self.frameWidth() + rows)

    def _on_edited(self, item: QTableWidgetItem) -> None:
        if self._filling:
            return
        who = self._of_row[item.row()]
        name_item, shown_as_item = self.item(item.row(), NAME), self.item(item.row(), SHOWN_AS)
        text = shown_as_item.text().strip() if shown_as_item is not None else ""
        is_known = name_item is not None and name_item.checkState() == Qt.CheckState.Checked
        if item.column() == NAME and not is_known:
            command = SetKnownName((who,), forget=True)
        elif item.column() == SHOWN_AS and not text:
            if not self._has_false_name(who):
                return
            command = SetKnownName((who,), forget=True)  # the real name stays unknown even if the false one is deleted
        else:
            command = SetKnownName((who,), text)
        self._document.execute(command)
        self.refresh()
