"""The roster as a table model: entries below a heading for each side, edited in place.

The contents of the cells are computed when the encounter changes, so reading them is fast. Creatures from other rule
systems are converted to that of the encounter.
"""

from collections.abc import Mapping
from enum import IntEnum
from typing import Any

import msgspec
from PySide6.QtCore import QMimeData, QModelIndex, QObject, Qt, Signal

from turnwright.encounter.prepared import Creature, RosterEntry, Wave
from turnwright.encounter.roles import role_of
from turnwright.encounter.state import Encounter, entry_name, wave_name
from turnwright.play.setup.prepared_records import Edit
from turnwright.rules.parts.preparation.creature_translation import CreatureTranslation, translate_creature
from turnwright.rules.word_keys import rating_text
from turnwright.ui.look.style import tr
from turnwright.ui.models import row_list_model
from turnwright.ui.services.document_model import DocumentModel

INHERITED_ROLE = Qt.ItemDataRole.UserRole + 11
LIBRARY_MIME = "application/x-turnwright-library"


class RosterColumn(IntEnum):
    """The roster's columns, from left to right."""

    COUNT = 0
    NAME = 1
    AC = 2
    HP = 3
    RATING = 4
    SIDE = 5
    WAVE = 6
    SNEAKING = 7
    HIDDEN = 8


FIELDS: Mapping[RosterColumn, str] = {
    column: column.name.lower() for column in RosterColumn if column is not RosterColumn.RATING
}
SWITCHES = frozenset({RosterColumn.SNEAKING, RosterColumn.HIDDEN})
NUMBERS = frozenset({RosterColumn.COUNT, RosterColumn.AC, RosterColumn.HP, RosterColumn.RATING})
CAPTIONS: Mapping[RosterColumn, str] = {
    column: f"ui.roster.{column.name.lower()}" for column in RosterColumn if column > RosterColumn.NAME
}
AT_LEFT, AT_RIGHT = (
    side | Qt.AlignmentFlag.AlignVCenter for side in (Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignRight)
)
HEADING_FLAGS = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsDropEnabled
ROW_FLAGS = HEADING_FLAGS | Qt.ItemFlag.ItemIsSelectable
SWITCH_FLAGS = ROW_FLAGS | Qt.ItemFlag.ItemIsUserCheckable
EDITABLE_FLAGS = ROW_FLAGS | Qt.ItemFlag.ItemIsEditable


class RowCells(msgspec.Struct, frozen=True):
    """The contents of one row, by column: texts, editable values, and muted columns.

    `detail` is muted text after the name. `inherited` are the creature's AC and HP, shown in brackets.
    """

    texts: tuple[str, ...]
    values: tuple[object, ...]
    muted: frozenset[int]
    detail: str = ""
    missing: bool = False
    inherited: tuple[str, str] = ("–", "–")


class RosterModel(row_list_model.RowListModel):
    """Rows of roster entries, grouped by side.

    Emits `dropped(bytes, side)` when a library record is dropped. The side is empty if there is no row at that place.
    """

    dropped = Signal(bytes, str)

    def __init__(self, document: DocumentModel, parent: QObject | None = None) -> None:
        super().__init__(len(RosterColumn), parent)
        self._document = document
        document.follow(self.refresh, RosterEntry.table, Creature.table, Wave.table)
        self.refresh()

    def refresh(self) -> None:
        """Read everything again."""
        encounter = self._document.encounter
        entries = tuple(encounter.all(RosterEntry))
        rows: dict[row_list_model.Row, RowCells] = {}
        for side in row_list_model.side_order(entry.side for entry in entries):
            members = [entry for entry in entries if entry.side == side]
            rows[row_list_model.HEADING, side] = _heading(side, members)
            for entry in members:
                creature, wave = encounter.get(Creature, entry.creature), encounter.get(Wave, entry.wave)
                rows[RosterEntry.table, entry.id] = _cells(encounter, entry, creature, wave)
        self.show_contents(rows)

    def text_of(self, key: row_list_model.Row, column: int) -> str:
        return self.contents[key].texts[column]

    def spoken(self, key: row_list_model.Row, column: int) -> str:
        return _spoken(self.contents[key], column)

    def further_roles(self, key: row_list_model.Row, column: int) -> dict[int, Any]:
        cells: RowCells = self.contents[key]
        inherited = {RosterColumn.AC: cells.inherited[0], RosterColumn.HP: cells.inherited[1]}
        is_switch = column in SWITCHES and key[0] != row_list_model.HEADING
        state = Qt.CheckState.Checked if cells.values[column] else Qt.CheckState.Unchecked
        return {
            Qt.ItemDataRole.CheckStateRole: state if is_switch else None,
            Qt.ItemDataRole.EditRole: cells.values[column],
            Qt.ItemDataRole.TextAlignmentRole: AT_RIGHT if column in NUMBERS else AT_LEFT,
            row_list_model.KEY_ROLE: key,
            row_list_model.QUIET_ROLE: column in cells.muted,
            row_list_model.DETAIL_ROLE: cells.detail if column == RosterColumn.NAME else "",
            INHERITED_ROLE: inherited.get(RosterColumn(column), ""),
            row_list_model.TONE_ROLE: "warn" if cells.missing and column == RosterColumn.NAME else "",
        }

    def setData(self, index: row_list_model.Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        key = self.key_at(index)
        column = RosterColumn(index.column()) if index.isValid() else RosterColumn.RATING
        if key is None or key[0] == row_list_model.HEADING or column not in FIELDS:
            return False
        entry = self._document.encounter.get(RosterEntry, key[1])
        if entry is None:
            return False
        if column in SWITCHES:
            value = Qt.CheckState(value) == Qt.CheckState.Checked
        elif isinstance(value, str):
            value = value.strip() or ("enemies" if column == RosterColumn.SIDE else "")
            value = (
                row_list_model.wave_by_name(self._document.encounter, value) if column == RosterColumn.WAVE else value
            )
        changed = msgspec.structs.replace(entry, **{FIELDS[column]: value})
        return changed == entry or self._document.execute(Edit(changed))

    def flags(self, index: row_list_model.Index) -> Qt.ItemFlag:
        key = self.key_at(index)
        if key is None:
            return Qt.ItemFlag.ItemIsDropEnabled
        if key[0] == row_list_model.HEADING:
            return HEADING_FLAGS
        if index.column() in SWITCHES:
            return SWITCH_FLAGS
        return EDITABLE_FLAGS if index.column() in FIELDS else ROW_FLAGS

    def mimeTypes(self) -> list[str]:
        return [LIBRARY_MIME]

    def canDropMimeData(
        self, data: QMimeData, action: Qt.DropAction, row: int, column: int, parent: row_list_model.Index
    ) -> bool:
        return data.hasFormat(LIBRARY_MIME)

    def dropMimeData(
        self, data: QMimeData, action: Qt.DropAction, row: int, column: int, parent: row_list_model.Index
    ) -> bool:
        if not data.hasFormat(LIBRARY_MIME):
            return False
        place = parent if parent.isValid() else (self.index(row - 1, 0) if row > 0 else QModelIndex())
        self.dropped.emit(data.data(LIBRARY_MIME).data(), self.side_at(place))
        return True

    def side_at(self, index: row_list_model.Index) -> str:
        """Return the side of a row or heading, or an empty string for an invalid index."""
        key = self.key_at(index) if index.isValid() else None
        if key is None or key[0] == row_list_model.HEADING:
            return key[1] if key is not None else ""
        entry = self._document.encounter.get(RosterEntry, key[1])
        return entry.side if entry is not None else ""

    def supportedDropActions(self) -> Qt.DropAction:
        return Qt.DropAction.CopyAction

    def index_of(self, id: str, column: int = RosterColumn.NAME) -> QModelIndex:
        """Return the index of a roster entry, or an invalid index if it isn't listed."""
        row = self.row_of((RosterEntry.table, id))
        return self.index(row, column) if row >= 0 else QModelIndex()

    def sides(self) -> list[str]:
        """Return the sides of the roster in display order."""
        return [id for table, id in self.keys if table == row_list_model.HEADING]

    def texts(self, column: int) -> set[str]:
        """Return the distinct texts in a column."""
        return {cells.texts[column] for key, cells in self.contents.items() if key[0] != row_list_model.HEADING}

    def waves(self) -> list[tuple[str, str]]:
        """Return the ids and names of the waves in roster order."""
        return row_list_model.pending_waves(self._document.encounter)


def _heading(side: str, members: list[RosterEntry]) -> RowCells:
    texts = [""] * len(RosterColumn)
    for column, caption in CAPTIONS.items():
        texts[column] = tr(caption)
    texts[RosterColumn.NAME] = row_list_model.side_name(side)
    members = [entry for entry in members if not entry.absent]
    waiting = sum(entry.count for entry in members if entry.wave)
    detail = tr("ui.roster.members", n=sum(entry.count for entry in members))
    if waiting:
        detail = f"{detail}, {tr('ui.roster.waiting', n=waiting)}"
    return RowCells(tuple(texts), (None,) * len(RosterColumn), frozenset(), detail)


def _wave_text(name: str, wave: Wave | None) -> str:
    text = wave_name(name)
    return tr("ui.roster.wave-in", wave=text, n=wave.round) if wave is not None and wave.round else text


def _cells(encounter: Encounter, entry: RosterEntry, creature: Creature | None, wave: Wave | None) -> RowCells:
    ac = entry.ac if entry.ac is not None else creature.ac if creature else None
    hp = entry.hp if entry.hp is not None else creature.hp if creature else None
    left = hp if entry.state is None else entry.state.hp
    texts = (
        f"{entry.count} ×",
        entry_name(encounter, entry),
        "" if ac is None else str(ac),
        "" if hp is None else str(hp) if left == hp else f"{left}/{hp}",
        rating_text(creature.rating) if creature else "",
        row_list_model.side_name(entry.side),
        _wave_text(entry.wave, wave),
        tr("ui.roster.sneaking") if entry.sneaking else "",
        tr("ui.roster.hidden") if entry.hidden else "",
    )
    values = (entry.count, entry.name, entry.ac, entry.hp, "", entry.side, entry.wave, entry.sneaking, entry.hidden)
    quiet = {int(RosterColumn.RATING), int(RosterColumn.SIDE), int(RosterColumn.WAVE)}
    quiet |= set(range(len(RosterColumn))) if entry.absent else set()
    own = ((RosterColumn.AC, entry.ac), (RosterColumn.HP, entry.hp if left == hp else left))
    quiet |= {int(column) for column, value in own if value is None}
    inherited = (f"({creature.ac})", f"({creature.hp})") if creature else ("–", "–")
    return RowCells(texts, values, frozenset(quiet), _detail(encounter, entry, creature), creature is None, inherited)


def _detail(encounter: Encounter, entry: RosterEntry, creature: Creature | None) -> str:
    if creature is None:
        return tr("ui.roster.missing")
    parts = [creature.name] if entry.name and entry.name != creature.name else []
    role = role_of(encounter, entry)
    parts += [tr("ui.roster-entry.absent").lower()] if entry.absent else []
    parts += [tr(f"ui.roster-entry.role-{role}").lower()] if role in ("companion", "guest") else []
    parts += [entry.player] if entry.player else []
    parts += [tr("ui.roster.level", n=entry.level)] if entry.level else []
    parts += [entry.counts] if entry.counts else []
    return ", ".join(parts)


def _spoken(cells: RowCells, column: int) -> str:
    text = cells.texts[column]
    if column == RosterColumn.NAME:
        return f"{text} ({cells.detail})" if cells.detail else text
    caption = CAPTIONS.get(RosterColumn(column))
    if column in SWITCHES:
        return tr("ui.roster.is", what=tr(caption or ""), state=tr(f"ui.general.{'yes' if text else 'no'}"))
    return f"{tr(caption)} {text}".strip() if caption and text else text


def creature_here(document: DocumentModel, creature: Creature, system: str) -> CreatureTranslation:
    """Convert a creature from another rule system to the encounter's."""
    return translate_creature(creature, document.source.systems.get(system).data, document.rules.data)


def translation_text(translation: CreatureTranslation, game: str) -> str:
    """Return a text about a converted creature: its new system, the renamed terms, and the unknown ones."""
    texts = [tr("ui.library.brought", what=translation.creature.name, name=game)]
    if translation.renamed:
        texts.append(tr("ui.library.brought-renamed", terms=", ".join(f"{a} → {b}" for a, b in translation.renamed)))
    if translation.unknown:
        texts.append(tr("ui.library.brought-unknown", terms=", ".join(translation.unknown)))
    return " ".join(texts)
