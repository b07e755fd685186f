"""The arrival of the selected entry's wave: at the top of a round, or when its trigger is met.

Hidden for entries that are present from the start.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QWidget

from turnwright.encounter.countdown_outcomes import AddWave
from turnwright.encounter.prepared import Countdown, Creature, RosterEntry, Wave
from turnwright.encounter.state import Encounter, Key
from turnwright.encounter.wave_names import wave_name
from turnwright.play.kernel.steps import Changed
from turnwright.play.setup.prepared_records import Add
from turnwright.ui.docks.editing.collapsible import CollapsibleSection
from turnwright.ui.forms.bindings import RecordBinding
from turnwright.ui.forms.encounter_layouts import WAVE
from turnwright.ui.forms.form import Form
from turnwright.ui.forms.kinds import FormContext
from turnwright.ui.look.translations import tr
from turnwright.ui.models.display_names import roster_entry_name, side_name
from turnwright.ui.services.document_model import DocumentModel


class WaveBinding(RecordBinding):
    """A binding for a wave that may have no record yet. The first edit adds the record."""

    def __init__(self, document: DocumentModel) -> None:
        super().__init__(document, Wave)

    def value(self) -> Wave | None:
        """Return the wave (a default one if it has no record), or None if no wave is selected."""
        return super().value() or (Wave(self.id) if self.id else None)

    def write(self, value: Wave, field: str) -> None:
        """Write the edited wave, and add its record if needed."""
        if self._document.encounter.get(Wave, self.id) is not None:
            super().write(value, field)
        elif value != Wave(self.id):
            self._document.execute(Add((value,)))


class WaveStrip(CollapsibleSection):
    """Edits the arrival of the selected roster entry's wave."""

    def __init__(self, document: DocumentModel, parent: QWidget | None = None) -> None:
        super().__init__(tr("ui.wave.title"), parent)
        self._document = document
        self.binding = WaveBinding(document)
        document.changed.connect(self._on_changed)
        document.documentChanged.connect(self._reset)
        document.selected.connect(self._aim)
        self._aim(document.selection)

    def build_form(self, parent: QWidget) -> Form:
        """Return the form of the wave."""
        return Form(WAVE, self.binding, FormContext.of(self._document), parent)

    def toggle_text(self) -> str:
        """Return the text of the expand/collapse button."""
        return tr(f"ui.wave.{'close' if self.is_open() else 'open'}", what=wave_name(self.binding.id))

    def summary(self) -> str:
        """Return a short description of the wave's arrival."""
        wave = self.binding.value()
        if wave is None:
            return ""
        return f"{wave_name(wave.id)}: {', '.join(arrival_text(self._document.encounter, wave))}"

    def _aim(self, key: Key | None) -> None:
        entry = self._document.encounter.record(key) if key is not None else None
        if isinstance(entry, RosterEntry) or key is None:
            self._turn_to(entry.wave if isinstance(entry, RosterEntry) else "")

    def _reset(self) -> None:
        self._turn_to("")

    def _turn_to(self, wave: str) -> None:
        if wave != self.binding.id:
            self.binding.commit()
            self.binding.id = wave
        self.setVisible(bool(wave))
        self.refresh()

    def _on_changed(self, changed: Changed) -> None:
        if changed.touches(RosterEntry.table):
            self._aim(self._document.selection)
        if changed.touches(Wave.table, RosterEntry.table, Countdown.table, Creature.table):
            self.refresh()


def arrival_text(encounter: Encounter, wave: Wave) -> Sequence[str]:
    """Return short texts for the triggers of a wave, or "by hand" if it has none."""
    texts = [tr("ui.wave.in-round", n=wave.round)] if wave.round else []
    if wave.when:
        texts.append(tr(f"ui.wave.once-{wave.when}", who=_who(encounter, wave.who)))
    bringing = (countdown for countdown in encounter.all(Countdown) if AddWave(wave.id) in countdown.outcomes)
    texts += [tr("ui.wave.by-countdown", what=countdown.name) for countdown in bringing]
    return texts or [tr("ui.wave.manual")]


def _who(encounter: Encounter, who: str) -> str:
    entry = encounter.get(RosterEntry, who)
    if entry is not None:
        return roster_entry_name(entry, encounter.get(Creature, entry.creature))
    return side_name(who) if who else tr("ui.wave.who-foes")
