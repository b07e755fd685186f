"""Fields for the players' initiative, one line each, on the set-up page and in the form for all players."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QIntValidator, QKeyEvent
from PySide6.QtWidgets import QGridLayout, QWidget

from turnwright.encounter.field_specs import spec_of
from turnwright.encounter.prepared import RosterEntry
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Encounter
from turnwright.ui.look.fonts import GAP, GROUP_GAP, scaled, set_role
from turnwright.ui.look.translations import tr
from turnwright.ui.widgets.fields import RollLine
from turnwright.ui.widgets.layout import ElidedLabel
from turnwright.ui.widgets.text import discard, plain_label

PARTY = "party"


def players_of(encounter: Encounter) -> list[Combatant]:
    """Return the combatants whose players roll: those with a player or a level, otherwise the party, otherwise all."""
    combatants = list(encounter.all(Combatant))
    with_player = [combatant for combatant in combatants if combatant.player or _level(encounter, combatant)]
    return with_player or [combatant for combatant in combatants if combatant.side == PARTY] or combatants


def _level(encounter: Encounter, combatant: Combatant) -> int:
    entry = encounter.get(RosterEntry, combatant.roster) if combatant.roster else None
    return entry.level if entry else 0


class InitiativeFields(QWidget):
    """A line for each player.

    Emits `entered(who, total)` when the user leaves a line with a new total, and `finished` on Enter in the last line.
    Enter and Tab move to the next line. Letters are passed to the window, which uses them as shortcuts. If there are
    several `columns`, the players' names aren't shown, for lack of room.
    """

    entered = Signal(str, int)
    finished = Signal()

    def __init__(self, parent: QWidget | None = None, *, columns: int = 1) -> None:
        super().__init__(parent)
        self._columns = columns
        self.lines: list[RollLine] = []
        self._people: tuple[tuple[str, str, str], ...] = ()
        self._totals: dict[str, int | None] = {}
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(scaled(GROUP_GAP))
        self._grid.setVerticalSpacing(scaled(GAP))

    def show_people(self, people: Sequence[Combatant]) -> None:
        """Show the totals of these combatants. Unfinished text is kept."""
        people_shown = tuple((person.id, person.label, person.player) for person in people)
        self._totals = {person.id: person.initiative for person in people}
        if people_shown != self._people:
            self._people = people_shown
            self._build()
        for (who, _, _), line in zip(people_shown, self.lines, strict=True):
            if not (line.hasFocus() and line.isModified()):
                total = self._totals[who]
                line.setText("" if total is None else str(total))

    def totals(self) -> tuple[tuple[str, int], ...]:
        """Return pairs of combatant id and total. Empty lines are omitted."""
        pairs = zip(self._people, self.lines, strict=True)
        return tuple((who, int(line.text())) for (who, _, _), line in pairs if line.hasAcceptableInput())

    def focus_first(self) -> bool:
        """Focus the first line without a total, or else the first line. Return False if there are no lines."""
        empty = next((place for place, line in enumerate(self.lines) if not line.text()), 0)
        if self.lines:
            self._go(empty)
        return bool(self.lines)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress and watched in self.lines:
            place = self.lines.index(watched)
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self._enter(place)
                self._go(place + 1)
                return True
            if event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Up):
                step = self._columns if event.key() == Qt.Key.Key_Down else -self._columns
                self._go(min(len(self.lines) - 1, max(0, place + step)))
                return True
        return super().eventFilter(watched, event)

    def _build(self) -> None:
        while (item := self._grid.takeAt(0)) is not None:
            discard(item.widget())
        self.lines = []
        for place, (_, label, player) in enumerate(self._people):
            line = self._make_line(place, label)
            self.lines.append(line)
            row, column = divmod(place, self._columns)
            self._grid.addWidget(ElidedLabel(label, "strong"), row, 3 * column)
            self._grid.setColumnStretch(3 * column, 1)
            if self._columns == 1:
                self._grid.addWidget(plain_label(player, "caption", "muted"), row, 1)
            self._grid.addWidget(line, row, 3 * column + 2)

    def _make_line(self, place: int, label: str) -> RollLine:
        line = RollLine()
        limits = spec_of(Combatant, "initiative")
        line.setValidator(QIntValidator(limits.least, limits.most, line))
        line.setAlignment(Qt.AlignmentFlag.AlignRight)
        set_role(line, "entry")
        line.setFixedSize(scaled(72), scaled(48))
        line.setToolTip("")
        line.setAccessibleName(tr("ui.initiative.of", name=label))
        line.editingFinished.connect(lambda: self._enter(place))
        line.installEventFilter(self)
        return line

    def _enter(self, place: int) -> None:
        """Emit the total of a line if it is new."""
        who, line = self._people[place][0], self.lines[place]
        if line.hasAcceptableInput() and int(line.text()) != self._totals[who]:
            line.setModified(False)
            self._totals[who] = int(line.text())
            self.entered.emit(who, int(line.text()))

    def _go(self, place: int) -> None:
        if place >= len(self.lines):
            self.finished.emit()
            return
        self.lines[place].setFocus()
        self.lines[place].selectAll()
