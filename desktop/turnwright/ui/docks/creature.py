"""The creature inspector: a form above, and the stat block below it, which follows each key press."""

from __future__ import annotations

import msgspec
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QScrollArea, QSplitter, QWidget

from turnwright.encounter.prepared import Creature, Feature, RosterEntry
from turnwright.encounter.state import Key
from turnwright.play.kernel.steps import Changed
from turnwright.ui.dock_connections import WindowSlots
from turnwright.ui.docks.editing.child_list_editor import ChildListEditor
from turnwright.ui.docks.editing.inspector import InspectorDock
from turnwright.ui.docks.shared.library_transfer import add_creature
from turnwright.ui.docks.shared.stat_why_sources import explain_stat
from turnwright.ui.document_model import DocumentModel
from turnwright.ui.fonts import scaled
from turnwright.ui.forms.creature_layouts import FEATURE, creature_layouts, describe_feature
from turnwright.ui.forms.form import Form
from turnwright.ui.forms.kinds import FormContext
from turnwright.ui.theme import ThemeSource
from turnwright.ui.timers import single_shot_timer
from turnwright.ui.translations import tr
from turnwright.ui.widgets.stat_block import StatBlockView
from turnwright.ui.widgets.text import tool_button
from turnwright.ui.widgets.why_popup import WhyPopup

DEBOUNCE_MS = 60


class CreatureDock(InspectorDock):
    """Edits a creature. `rollClicked(expression, label)` when a roll in its stat block is clicked."""

    rollClicked = Signal(str, str)

    kind = Creature
    name = "creature"
    icon_name = "paw"

    def __init__(self, bridge: DocumentModel, theme: ThemeSource, parent: QWidget | None = None) -> None:
        super().__init__(bridge, theme, parent)
        self._later = single_shot_timer(self, self._show_stat_block, DEBOUNCE_MS)
        self._popup = WhyPopup(self)

    def connect_slots(self, slots: WindowSlots) -> None:
        """Connect the dock's signals to the slots of the window."""
        self.rollClicked.connect(slots.use_roll)

    def framed(self, area: QScrollArea) -> QWidget:
        """Return the form above the stat block."""
        splitter = QSplitter(Qt.Orientation.Vertical)
        splitter.setChildrenCollapsible(False)
        self.stat_block = StatBlockView(splitter)
        self.stat_block.rollClicked.connect(self.rollClicked)
        for place, (part, share) in enumerate(((area, 3), (self.stat_block, 2))):
            splitter.addWidget(part)
            splitter.setStretchFactor(place, share)
        splitter.setSizes([scaled(420), scaled(280)])
        return splitter

    def build(self, context: FormContext, parent: QWidget) -> tuple[Form | ChildListEditor, ...]:
        """Return the forms of a creature and the list of its features."""
        self.identity_form, self.stats_form, self.additional_stats_form, self.defences_form = (
            Form(layout, self.binding, context, parent) for layout in creature_layouts(context.rules.data)
        )
        self.feature_rows = ChildListEditor(
            self.binding,
            "features",
            "ui.feature.title",
            "sword",
            lambda id: Feature(id, tr("ui.feature.new"), "action"),
            lambda subject, holder: Form(FEATURE, subject, context, holder),
            describe_feature,
            parent,
            empty_text=tr("ui.feature.empty"),
        )
        return (
            self.identity_form,
            self.stats_form,
            self.additional_stats_form,
            self.feature_rows,
            self.defences_form,
        )

    def record_id_for(self, key: Key) -> str:
        """Return the creature of a selected creature or roster entry."""
        if key[0] == RosterEntry.table:
            entry = self.bridge.encounter.get(RosterEntry, key[1])
            return entry.creature if entry and self.bridge.encounter.get(Creature, entry.creature) else ""
        return super().record_id_for(key)

    def refresh(self) -> None:
        """Show everything as it now stands; a roster entry may have changed its creature."""
        if self.bridge.selection is not None:
            self.binding.id = self.record_id_for(self.bridge.selection) or self.binding.id
        super().refresh()

    def is_affected_by(self, changed: Changed) -> bool:
        """Return whether a change may show here."""
        return changed.touches(Creature.table, RosterEntry.table)

    def create_record(self) -> Key | None:
        """Put a new creature and a roster entry of it into the encounter."""
        return add_creature(self.bridge, None)

    def duplicate(self) -> None:
        """Put a copy of the creature, with a roster entry of it, into the encounter, and show it."""
        creature = self.binding.value()
        if creature is not None:
            copied = msgspec.structs.replace(creature, name=tr("ui.editing.copy-of", what=creature.name))
            self.show_new(add_creature(self.bridge, copied))

    def add_buttons(self, row: QHBoxLayout) -> None:
        """Add the buttons beside the combo box."""
        super().add_buttons(row)
        row.insertWidget(2, tool_button("content-duplicate", tr("ui.creature.duplicate"), self.duplicate))

    def refresh_body(self) -> None:
        """Show the creature as it now stands."""
        super().refresh_body()
        self._later.start()

    def explain(self) -> bool:
        """Explain the focused roll of the stat block, else all its numbers; False where no creature is shown."""
        creature = self.binding.value()
        if creature is None:
            return False
        about = self.stat_block.focused_stat() if self.stat_block.hasFocus() else ""
        part = self.stat_block.cursorRect() if about else None
        self._popup.open(explain_stat(self.bridge, creature, about), part, self.stat_block.viewport())
        return True

    def _show_stat_block(self) -> None:
        self.stat_block.set_creature(self.binding.value(), self.bridge.rules.data)
