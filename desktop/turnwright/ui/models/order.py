"""The order of turns as a table of rows with ids of their own: count, who, and during set-up two ticks.

Rows are worked out again only for those whom a change can have touched, and moved, not rebuilt.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from turnwright.encounter.running import Clock, Combatant, Effect, Slot, Track
from turnwright.encounter.state import Encounter
from turnwright.play.commands import MarkSneaking, Rename, SetInitiative, SetSurprised
from turnwright.play.inquiries import can_react, clock, hit_point_state, next_up
from turnwright.play.procedures.order import turn_order
from turnwright.play.steps import Changed
from turnwright.rules.system import RuleSystem, creature_of
from turnwright.ui.bridge import Bridge
from turnwright.ui.fonts import role_font
from turnwright.ui.models.order_tags import STATE_ICONS, DeathBoxes, Tag, death_saves, saddled, tags_of
from turnwright.ui.say import figure_of
from turnwright.workspace.speech import Speech

COUNT, WHO, SNEAKING, SURPRISED = range(4)
ALIGNMENT = (
    Qt.AlignmentFlag.AlignRight,
    Qt.AlignmentFlag.AlignLeft,
    Qt.AlignmentFlag.AlignHCenter,
    Qt.AlignmentFlag.AlignHCenter,
)
TABLES = ("combatants", "slots", "clock", "effects", "tracks", "creatures", "visitors")
__all__ = ["COUNT", "SNEAKING", "STATE_ICONS", "SURPRISED", "WHO", "OrderModel", "OrderRow", "Tag"]

SURPRISED_BY_NAME = "surprised"
Index = QModelIndex | QPersistentModelIndex
NO_INDEX = QModelIndex()


class OrderRow(msgspec.Struct, frozen=True):
    """One combatant as the order shows it. `count` None: no place yet. `state` is dead, down, bloodied or up.

    `death` None: no death saves are being made.
    """

    id: str
    slot: str = ""
    label: str = ""
    side: str = ""
    count: int | None = None
    hp: int = 0
    hp_max: int = 0
    temp_hp: int = 0
    state: str = "up"
    active: bool = False
    next_up: bool = False
    hidden: bool = False
    sneaking: bool = False
    surprised: bool = False
    can_react: bool = False
    place: str = ""
    tags: tuple[Tag, ...] = ()
    death: DeathBoxes | None = None


class OrderModel(QAbstractTableModel):
    """Combatants in the order in which they act; those without a place stand last, as they were prepared."""

    def __init__(self, bridge: Bridge, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._rules = bridge.rules
        self._speech = Speech(bridge.words, self._rules)
        self._rows: list[OrderRow] = []
        self._known: dict[str, tuple[tuple[object, ...], OrderRow]] = {}
        bridge.changed.connect(self._on_changed)
        bridge.replaced.connect(self._on_replaced)
        self.refresh()

    # Reading -------------------------------------------------------------------------------------------------------

    def row_at(self, row: int) -> OrderRow:
        """Return a row's combatant."""
        return self._rows[row]

    def row_of(self, id: str) -> int:
        """Return the row of a combatant, -1 where there is none."""
        return next((row for row, each in enumerate(self._rows) if each.id == id), -1)

    def active_row(self) -> int:
        """Return the row whose turn it is, -1 where it is nobody's."""
        return next((row for row, each in enumerate(self._rows) if each.active), -1)

    @property
    def setting_up(self) -> bool:
        """Whether the ticks can be set now."""
        return clock(self._bridge.encounter).phase == "set-up"

    def rowCount(self, parent: Index = NO_INDEX) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = NO_INDEX) -> int:
        return 0 if parent.isValid() else 4

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid() or index.row() >= len(self._rows):
            return None
        row = self._rows[index.row()]
        column = index.column()
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole):
            if column == COUNT:
                return row.count if role == Qt.ItemDataRole.EditRole else "" if row.count is None else str(row.count)
            return row.label if column == WHO else None
        if role == Qt.ItemDataRole.CheckStateRole and column in (SNEAKING, SURPRISED):
            ticked = row.sneaking if column == SNEAKING else row.surprised
            return Qt.CheckState.Checked if ticked else Qt.CheckState.Unchecked
        if role == Qt.ItemDataRole.TextAlignmentRole and column == COUNT:
            return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole) and column in (COUNT, WHO):
            return self._described(row)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return self._bridge.words(f"ui.order.{'sneaking' if column == SNEAKING else 'surprised'}-of", who=row.label)
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return self._bridge.words(f"ui.order.column-{('count', 'who', 'sneaking', 'surprised')[section]}")
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.TextAlignmentRole:
            return int(ALIGNMENT[section] | Qt.AlignmentFlag.AlignVCenter)
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.FontRole:
            return role_font("caption")
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemNeverHasChildren
        if index.column() in (COUNT, WHO):
            return flags | Qt.ItemFlag.ItemIsEditable
        return flags | Qt.ItemFlag.ItemIsUserCheckable if self.setting_up else flags

    # Writing -------------------------------------------------------------------------------------------------------

    def setData(self, index: Index, value: object, role: int = Qt.ItemDataRole.EditRole) -> bool:
        if not index.isValid():
            return False
        row = self._rows[index.row()]
        if role == Qt.ItemDataRole.EditRole:
            return self._edit(row, index.column(), value)
        if role == Qt.ItemDataRole.CheckStateRole and self.setting_up:
            ticked = Qt.CheckState(value) == Qt.CheckState.Checked
            if index.column() == SNEAKING:
                return self._bridge.do(MarkSneaking((row.id,), ticked), initiator="order")
            if index.column() == SURPRISED:
                others = tuple(each.id for each in self._rows if each.surprised and each.id != row.id)
                return self._bridge.do(SetSurprised((*others, row.id) if ticked else others), initiator="order")
        return False

    def _edit(self, row: OrderRow, column: int, value: object) -> bool:
        if column == WHO:
            text = str(value).strip()
            return text != row.label and bool(text) and self._bridge.do(Rename(row.id, text), initiator="order")
        if column == COUNT:
            try:
                total = int(str(value))
            except ValueError:
                return False
            return total != row.count and self._bridge.do(SetInitiative(((row.id, total),)), initiator="order")
        return False

    # Keeping up ----------------------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Bring the rows up to date."""
        if self._bridge.rules is not self._rules:
            self._rules = self._bridge.rules
            self._speech = Speech(self._bridge.words, self._rules)
            self._known = {}
        self._adopt(self._worked_out())

    def _on_replaced(self) -> None:
        self._known = {}
        self.refresh()

    def _on_changed(self, changed: Changed) -> None:
        if changed.touches(*TABLES):
            self.refresh()

    def _worked_out(self) -> list[OrderRow]:
        encounter, rules = self._bridge.encounter, self._bridge.rules
        now = clock(encounter)
        after = next_up(encounter, rules) if now.phase == "rounds" else None
        effects = _by(encounter.all(Effect), "target")
        tracks = _by(encounter.all(Track), "owner")
        order = turn_order(encounter, rules)
        placed = [(who, slot) for slot in order for who in slot.members if encounter.get(Combatant, who)]
        seated = {who for who, _ in placed}
        unplaced = [(one.id, None) for one in encounter.all(Combatant) if one.id not in seated]
        known: dict[str, tuple[tuple[object, ...], OrderRow]] = {}
        for who, slot in [*placed, *unplaced]:
            combatant = encounter.need(Combatant, who)
            up_next = after is not None and slot is not None and slot.id == after.id and slot.id != now.active
            facts = (combatant, slot, now.phase, now.active, up_next, creature_of(encounter, combatant))
            saddle = tuple((one.id, one.label) for one in saddled(encounter, combatant))
            signature = (*facts, saddle, tuple(effects.get(who, ())), tuple(tracks.get(who, ())))
            had = self._known.get(who)
            if had is not None and had[0] == signature:
                known[who] = had
            else:
                known[who] = (signature, self._row(encounter, rules, combatant, slot, now, up_next, effects, tracks))
        self._known = known
        return [row for _, row in known.values()]

    def _row(
        self,
        encounter: Encounter,
        rules: RuleSystem,
        combatant: Combatant,
        slot: Slot | None,
        now: Clock,
        up_next: bool,
        effects: dict[str, list[Effect]],
        tracks: dict[str, list[Track]],
    ) -> OrderRow:
        mine = effects.get(combatant.id, [])
        active = slot is not None and now.phase == "rounds" and slot.id == now.active
        return OrderRow(
            id=combatant.id,
            slot=slot.id if slot else "",
            label=combatant.label,
            side=combatant.side,
            count=slot.count if slot else combatant.initiative,
            hp=combatant.hp,
            hp_max=combatant.hp_max,
            temp_hp=combatant.temp_hp,
            state=hit_point_state(combatant),
            active=active,
            next_up=up_next,
            hidden=combatant.hidden,
            sneaking=combatant.sneaking,
            surprised=any(effect.name == SURPRISED_BY_NAME for effect in mine),
            can_react=now.phase == "rounds" and not combatant.dead and can_react(encounter, rules, combatant.id),
            place=combatant.place,
            tags=tuple(tags_of(self._bridge, self._speech, combatant, mine, tracks.get(combatant.id, []))),
            death=death_saves(rules, combatant, mine, tracks.get(combatant.id, [])),
        )

    def _described(self, row: OrderRow) -> str:
        words = self._bridge.words
        parts = [row.label, words("ui.hp.points", now=figure_of(row.hp), maximum=row.hp_max)]
        if row.temp_hp:
            parts.append(words("ui.hp.temporary", n=row.temp_hp))
        marks = (("active", row.active), ("next-up", row.next_up), ("reaction", row.can_react))
        parts += [words(f"ui.order.{name}") for name, holds in marks if holds]
        parts += [tag.text for tag in row.tags]
        if row.death is not None:
            parts.append(words("ui.order.death", made=row.death.made, failed=row.death.failed))
        return ", ".join([*parts, row.place] if row.place else parts)

    def _adopt(self, wanted: Sequence[OrderRow]) -> None:
        self._remove({row.id for row in wanted})
        here = {row.id for row in self._rows}
        for place, row in enumerate(wanted):
            if place < len(self._rows) and self._rows[place].id == row.id:
                continue
            if row.id in here:
                self._move(self.row_of(row.id), place)
            else:
                self.beginInsertRows(NO_INDEX, place, place)
                self._rows.insert(place, row)
                self.endInsertRows()
        for place, row in enumerate(wanted):
            if self._rows[place] != row:
                self._rows[place] = row
                self.dataChanged.emit(self.index(place, COUNT), self.index(place, SURPRISED))

    def _remove(self, wanted: set[str]) -> None:
        for place in range(len(self._rows) - 1, -1, -1):
            if self._rows[place].id not in wanted:
                self.beginRemoveRows(NO_INDEX, place, place)
                del self._rows[place]
                self.endRemoveRows()

    def _move(self, before: int, after: int) -> None:
        self.beginMoveRows(NO_INDEX, before, before, NO_INDEX, after)
        self._rows.insert(after, self._rows.pop(before))
        self.endMoveRows()


def _by(records: Iterable[Effect] | Iterable[Track], field: str) -> dict[str, list]:
    found: dict[str, list] = {}
    for record in records:
        found.setdefault(getattr(record, field), []).append(record)
    return found
