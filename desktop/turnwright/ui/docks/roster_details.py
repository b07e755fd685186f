"""The strip below the roster for what its cells leave out about the chosen entry. Closed until somebody wants it.

Nothing in it is made before it has been painted once, so that starting costs nothing.
"""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from turnwright.encounter.prepared import Creature, RosterEntry
from turnwright.encounter.state import Key
from turnwright.play.steps import Changed
from turnwright.ui.bridge import Bridge
from turnwright.ui.docks.editing.form import Form
from turnwright.ui.docks.editing.subjects import RecordSubject
from turnwright.ui.fonts import GAP, SPACE, px
from turnwright.ui.icons import icon
from turnwright.ui.models.naming import entry_name, squares_text
from turnwright.ui.say import say
from turnwright.ui.widgets.cards import Card
from turnwright.ui.widgets.layout import ElidedLabel
from turnwright.ui.widgets.text import ToolButton, literal_tip

INITIATOR = "details"
HEAD_HEIGHT = 28


class RosterDetails(QWidget):
    """Edits one roster entry: the selected one, else the last selected, else the first there is."""

    def __init__(self, bridge: Bridge, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self.subject = RecordSubject(bridge, RosterEntry, INITIATOR)
        self.form: Form | None = None
        self.button: QToolButton | None = None
        self.setMinimumHeight(px(HEAD_HEIGHT))
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        bridge.changed.connect(self._on_changed)
        bridge.replaced.connect(self._reset)
        bridge.selected.connect(self._on_selected)

    def sizeHint(self) -> QSize:
        hint = super().sizeHint()
        return QSize(hint.width(), max(hint.height(), px(HEAD_HEIGHT)))

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.button is None:
            QTimer.singleShot(0, self, self.prepare)

    def prepare(self) -> None:
        """Make the line that opens and closes the strip, once."""
        if self.button is not None:
            return
        self.setMinimumHeight(0)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(px(SPACE))
        self.button = ToolButton(self)
        self.button.setText(say("ui.place.details"))
        self.button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.button.setIconSize(QSize(px(16), px(16)))
        self.button.clicked.connect(lambda _on=False: self.set_open(not self.is_open()))
        self._summary = ElidedLabel("", "caption", self)
        self._summary.setProperty("tone", "muted")
        head = QHBoxLayout()
        head.setSpacing(px(GAP))
        head.addWidget(self.button)
        head.addWidget(self._summary, 1)
        self.button.setMinimumHeight(px(HEAD_HEIGHT))
        self._column.addLayout(head)
        if self._bridge.selection is not None:
            self._aim(self._bridge.selection)
        self.refresh()

    def is_open(self) -> bool:
        """Tell whether the form shows."""
        return self.form is not None and not self._card.isHidden()

    def set_open(self, on: bool) -> None:
        """Show or hide the form; it is made the first time."""
        self.prepare()
        if on and self.form is None:
            from turnwright.ui.docks.editing.roster_form import details_form

            self._card = Card(parent=self)
            catalogue = self._bridge.rules.catalogue
            self.form = details_form(self.subject, lambda: self._bridge.encounter, catalogue, self._card)
            self._card.body.addWidget(self.form)
            self._column.addWidget(self._card)
        if self.form is not None:
            self._card.setVisible(on)
        self.refresh()

    def refresh(self) -> None:
        """Show the entry as it now stands."""
        if self.button is None:
            return
        if self.subject.value() is None:
            self.subject.id = next(iter(self._bridge.encounter.ids(RosterEntry)), "")
        entry = self.subject.value()
        creature = self._bridge.encounter.get(Creature, entry.creature) if entry is not None else None
        name = entry_name(entry, creature) if entry is not None else ""
        self.button.setIcon(icon("chevron-down" if self.is_open() else "chevron-right"))
        self.button.setAccessibleName(say(f"ui.place.{'close' if self.is_open() else 'open'}", what=name))
        self.button.setToolTip(literal_tip(self.button.accessibleName()))
        parts = [name, *(summary(entry, creature) if entry is not None and not self.is_open() else ())]
        self._summary.setText(" · ".join(part for part in parts if part))
        if self.form is not None and self.is_open():
            self.form.refresh()

    def _aim(self, key: Key) -> bool:
        if key[0] != RosterEntry.table or key[1] == self.subject.id:
            return False
        self.subject.settle()
        self.subject.id = key[1]
        return True

    def _reset(self) -> None:
        self.subject.id = ""
        self.refresh()

    def _on_selected(self, key: Key | None) -> None:
        if key is not None and self._aim(key):
            self.refresh()

    def _on_changed(self, changed: Changed) -> None:
        if changed.touches(RosterEntry.table, Creature.table) or self.is_open():
            self.refresh()


def summary(entry: RosterEntry, creature: Creature | None) -> list[str]:
    """Return what the cells leave out about an entry, in a few words."""
    squares = squares_text(entry.positions)
    return [
        creature.name if creature is not None and entry.name else "",
        entry.player,
        say("ui.roster.level", n=entry.level) if entry.level else "",
        say("ui.place.initiative-is", bonus=f"{entry.initiative:+d}".replace("-", "−"))
        if entry.initiative is not None
        else "",
        entry.place,
        say("ui.place.at", squares=squares) if squares else "",
        entry.notes,
    ]
