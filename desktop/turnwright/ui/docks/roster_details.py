"""The strip below the roster for what its cells leave out about the chosen entry. Closed until somebody wants it.

Nothing in it is made before it has been painted once, so that starting costs nothing.
"""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from turnwright.encounter.prepared import Creature, RosterEntry
from turnwright.encounter.state import Encounter, Key
from turnwright.play.steps import Changed
from turnwright.rules.terms import signed
from turnwright.ui.bridge import Bridge
from turnwright.ui.docks.editing.fold import Fold
from turnwright.ui.docks.editing.form import Form
from turnwright.ui.docks.editing.subjects import RecordSubject
from turnwright.ui.models.naming import entry_name, squares_text
from turnwright.ui.say import say
from turnwright.ui.widgets.cards import Card

INITIATOR = "details"


class RosterDetails(Fold):
    """Edits one roster entry: the selected one, else the last selected, else the first there is."""

    def __init__(self, bridge: Bridge, parent: QWidget | None = None) -> None:
        super().__init__(say("ui.place.details"), parent)
        self._bridge = bridge
        self.subject = RecordSubject(bridge, RosterEntry, INITIATOR)
        self.form: Form | None = None
        bridge.changed.connect(self._on_changed)
        bridge.replaced.connect(self._reset)
        bridge.selected.connect(self._on_selected)

    def prepare(self) -> None:
        """Make the line that opens and closes the strip, once."""
        if self.button is None and self._bridge.selection is not None:
            self._aim(self._bridge.selection)
        super().prepare()

    def fill(self, card: Card) -> None:
        """Build the form."""
        from turnwright.ui.docks.editing.roster_form import DetailsForm

        catalogue = self._bridge.rules.catalogue
        self.form = DetailsForm(self.subject, lambda: self._bridge.encounter, catalogue, card)
        card.body.addWidget(self.form)

    def show_inside(self) -> None:
        """Show the entry in the form."""
        if self.form is not None:
            self.form.refresh()

    def refresh(self) -> None:
        """Show the entry as it now stands."""
        if self.subject.value() is None:
            self.subject.id = next(iter(self._bridge.encounter.ids(RosterEntry)), "")
        super().refresh()

    def opening(self) -> str:
        """Return what pressing the line does now."""
        return say(f"ui.place.{'close' if self.is_open() else 'open'}", what=self._name())

    def summary(self) -> str:
        """Return the entry's name and, while the form is closed, what it would show."""
        entry = self.subject.value()
        if entry is None:
            return ""
        parts = () if self.is_open() else summary(entry, self._bridge.encounter)
        return " · ".join(part for part in (self._name(), *parts) if part)

    def _name(self) -> str:
        entry = self.subject.value()
        return entry_name(entry, self._bridge.encounter.get(Creature, entry.creature)) if entry is not None else ""

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


def summary(entry: RosterEntry, encounter: Encounter) -> list[str]:
    """Return what the cells leave out about an entry, in a few words."""
    squares = squares_text(entry.positions)
    creature = encounter.get(Creature, entry.creature)
    return [
        creature.name if creature is not None and entry.name else "",
        entry.player,
        say("ui.roster.level", n=entry.level) if entry.level else "",
        say("ui.place.initiative-is", bonus=signed(entry.initiative)) if entry.initiative is not None else "",
        entry.place,
        say("ui.place.at", squares=squares) if squares else "",
        say("ui.place.at-height", n=entry.elevation) if entry.elevation else "",
        *(
            say(f"ui.place.{link}-is", who=_called(encounter, getattr(entry, link)))
            for link in ("controller", "rides")
            if getattr(entry, link)
        ),
        say("ui.place.group-is") if entry.group else "",
        say(f"ui.place.dying-{entry.dying}").lower() if entry.dying else "",
        say("ui.place.bystander").lower() if entry.bystander else "",
        entry.notes,
    ]


def _called(encounter: Encounter, id: str) -> str:
    entry = encounter.get(RosterEntry, id)
    return entry_name(entry, encounter.get(Creature, entry.creature)) if entry is not None else id
