"""The creature inspector: a stat block as a form above, and as players know it below; each key press shows there."""

from __future__ import annotations

import msgspec
from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QSplitter, QVBoxLayout, QWidget

from turnwright.encounter.prepared import Creature, Feature, RosterEntry
from turnwright.encounter.state import Key
from turnwright.play.steps import Changed
from turnwright.ui.bridge import Bridge
from turnwright.ui.dock_connections import WindowSlots
from turnwright.ui.docks.bringing_in import add_creature
from turnwright.ui.docks.editing.creature_form import FurtherForm, defences_form, figures_form, identity_form
from turnwright.ui.docks.editing.feature_form import FeatureForm, describe_feature
from turnwright.ui.docks.editing.inspector import InspectorDock, scrolling
from turnwright.ui.docks.editing.parts_editor import PartsEditor
from turnwright.ui.docks.editing.statements import gear_words, specialty_words
from turnwright.ui.docks.stat_answers import of_stat
from turnwright.ui.fonts import GAP, px
from turnwright.ui.say import say
from turnwright.ui.theme import ThemeSource
from turnwright.ui.widgets.stat_block import StatBlockView
from turnwright.ui.widgets.why import WhyPopup

SETTLE_MS = 60


class CreatureDock(InspectorDock):
    """Edits a creature. `rollClicked(expression, label)` from its stat block."""

    rollClicked = Signal(str, str)

    def __init__(self, bridge: Bridge, theme: ThemeSource, parent: QWidget | None = None) -> None:
        super().__init__(bridge, theme, parent, Creature, "creature", "paw")
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(SETTLE_MS)
        self._popup = WhyPopup(self)
        self._later.timeout.connect(self._show_stat_block)

    def connect_slots(self, slots: WindowSlots) -> None:
        """Connect the dock's signals to the slots of the window."""
        self.rollClicked.connect(lambda expression, _label: slots.use_roll(expression))

    def build(self, parent: QWidget, column: QVBoxLayout) -> None:
        """Build the form above the stat block."""
        catalogue = self.bridge.rules.catalogue
        splitter = QSplitter(Qt.Orientation.Vertical, parent)
        splitter.setChildrenCollapsible(False)
        column.addWidget(splitter, 1)
        area, whole, parts = scrolling(splitter, say("ui.creature.title"), px(GAP))
        self.stat_block = StatBlockView(splitter)
        self.stat_block.rollClicked.connect(self.rollClicked)
        self.identity = identity_form(self.subject, catalogue, whole)
        self.figures = figures_form(self.subject, catalogue, self._usual_skill, whole)
        self.defences = defences_form(
            self.subject, catalogue, lambda: gear_words(self.bridge.encounter, catalogue), whole
        )
        self.further = FurtherForm(
            self.subject, catalogue, lambda: specialty_words(self.bridge.encounter, catalogue), whole
        )
        self.feature_rows = PartsEditor(
            self.subject,
            "features",
            "ui.feature.title",
            "sword",
            lambda id: Feature(id, say("ui.feature.new"), "action"),
            lambda subject, holder: FeatureForm(subject, catalogue, self.subject.value, holder),
            describe_feature,
            whole,
            empty=say("ui.feature.empty"),
        )
        for part in (self.identity, self.figures, self.further, self.feature_rows, self.defences):
            parts.addWidget(part)
        splitter.setStretchFactor(splitter.indexOf(area), 3)
        splitter.setStretchFactor(splitter.indexOf(self.stat_block), 2)
        splitter.setSizes([px(420), px(280)])

    def aim(self, key: Key) -> str:
        """Return the creature of a selected creature or roster entry."""
        if key[0] == RosterEntry.table:
            entry = self.bridge.encounter.get(RosterEntry, key[1])
            return entry.creature if entry and self.bridge.encounter.get(Creature, entry.creature) else ""
        return super().aim(key)

    def refresh(self) -> None:
        """Show everything as it now stands; a roster entry may have another creature than before."""
        if self.bridge.selection is not None:
            self.subject.id = self.aim(self.bridge.selection) or self.subject.id
        super().refresh()

    def touched(self, changed: Changed) -> bool:
        """Tell whether a change may show here."""
        return changed.touches(Creature.table, RosterEntry.table)

    def make(self) -> Key | None:
        """Put a new creature and one of it into the encounter."""
        return add_creature(self.bridge, None, "creature")

    def duplicate(self) -> None:
        """Put a copy of the creature, with one of it, into the encounter, and show it."""
        creature = self.subject.value()
        if creature is not None:
            copied = msgspec.structs.replace(creature, name=say("ui.editing.copy-of", what=creature.name))
            self.go_to(add_creature(self.bridge, copied, "creature"))

    def buttons(self) -> list:
        """Return the buttons beside the choice."""
        add, remove = super().buttons()
        return [add, ("content-duplicate", "ui.creature.duplicate", self.duplicate), remove]

    def refresh_body(self) -> None:
        """Show the creature as it now stands."""
        for form in (self.identity, self.figures, self.further, self.defences, self.feature_rows):
            form.refresh()
        self._later.start()

    def explain(self) -> bool:
        """Explain the roll of the stat block that has the focus, else all its figures; False where there is none."""
        creature = self.subject.value()
        if creature is None:
            return False
        about = self.stat_block.focused() if self.stat_block.hasFocus() else ""
        part = self.stat_block.cursorRect() if about else None
        self._popup.open(of_stat(self.bridge, creature, about), part, self.stat_block.viewport())
        return True

    def focus_first(self) -> None:
        """Put the cursor into the name."""
        self.identity.focus_first()

    def _show_stat_block(self) -> None:
        self.stat_block.set_creature(self.subject.value(), self.bridge.rules.catalogue)

    def _usual_skill(self, skill: str) -> int:
        """Return the bare modifier for a skill: what a person then raises."""
        creature = self.subject.value()
        ability = next((one.ability for one in self.bridge.rules.catalogue.skills if one.id == skill), "dex")
        return self.bridge.rules.modifier_of(creature, ability) if creature else 0
