"""The creature inspector: a form and a stat block that is updated on each key press.

The stat block is below the form or, in a narrow window, on a second page.
"""

from collections.abc import Iterator
from functools import partial

import msgspec
from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QScrollArea, QSplitter, QWidget

from turnwright.encounter import prepared, state
from turnwright.storage.resources import resource_path
from turnwright.ui.docks.arrangements import WIDE
from turnwright.ui.docks.editing import class_features, inspector
from turnwright.ui.docks.shared import library_transfer, why_stat_block
from turnwright.ui.forms.creature_layouts import FEATURE, creature_layouts, describe_feature
from turnwright.ui.forms.form import Form
from turnwright.ui.forms.kinds import FormContext
from turnwright.ui.look.style import ThemeSource, scaled, tr
from turnwright.ui.services import document_model, workers
from turnwright.ui.widgets import layout, text
from turnwright.ui.widgets.records.stat_block import StatBlockView
from turnwright.ui.widgets.rules.why import WhyPopup

DEBOUNCE_MS = 60


class CreatureDock(inspector.InspectorDock):
    """Edits a creature. Emits `rollClicked(expression, label)` when the user clicks a roll in the stat block."""

    rollClicked = Signal(str, str)

    kind = prepared.Creature
    name = "creature"
    icon_name = "paw"
    other_tables = (prepared.RosterEntry.table,)

    def __init__(
        self, document: document_model.DocumentModel, theme: ThemeSource, parent: QWidget | None = None
    ) -> None:
        super().__init__(document, theme, parent)
        self._later = workers.single_shot_timer(self, self._show_stat_block, DEBOUNCE_MS)
        document.portraits.loaded.connect(lambda _file: self._later.start())
        self._popup = WhyPopup(self)
        self._part = "form"
        self._watched: QObject | None = None

    def framed(self, area: QScrollArea) -> QWidget:
        """Return a splitter with the form above the stat block. A narrow window shows only one of them."""
        splitter = QSplitter(Qt.Orientation.Vertical, childrenCollapsible=False)
        self._form = area
        self.stat_block = StatBlockView(splitter)
        self.stat_block.rollClicked.connect(self.rollClicked)
        for index, (part, share) in enumerate(((area, 3), (self.stat_block, 2))):
            splitter.addWidget(part)
            splitter.setStretchFactor(index, share)
        splitter.setSizes([scaled(420), scaled(280)])
        self._show_parts()
        return splitter

    def show_part(self, name: str) -> None:
        """Select the part that a narrow window shows: `form`, or `block` for the stat block."""
        self._part = name
        self._show_parts()

    def edit_record(self, key: state.Key) -> None:
        """Show a creature and focus the first field of its form."""
        self.show_part("form")
        super().edit_record(key)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._watched is not self.window():
            self._watched = self.window()
            self._watched.installEventFilter(self)
        self._show_parts()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._watched and event.type() == QEvent.Type.Resize:
            self._show_parts()
        return super().eventFilter(watched, event)

    def _show_parts(self) -> None:
        """Show the form and the stat block in a wide window, or only the selected part in a narrow one."""
        if self._body is None:
            return
        wide = self.window().width() >= scaled(WIDE)
        self._switch.setVisible(not wide)
        for name, part in (("form", self._form), ("block", self.stat_block)):
            part.setVisible(wide or name == self._part)
            self.switches[name].setChecked(name == self._part)

    def build(self, context: FormContext, parent: QWidget) -> Iterator[Form | inspector.ChildListEditor]:
        """Yield the forms of a creature and the list of its features."""
        identity, stats, additional_stats, defences = creature_layouts(context.rules.data)
        self.identity_form = Form(identity, self.binding, context, parent)
        yield self.identity_form
        self.stats_form = Form(stats, self.binding, context, parent)
        yield self.stats_form
        self.additional_stats_form = Form(additional_stats, self.binding, context, parent)
        yield self.additional_stats_form
        self.feature_rows = inspector.ChildListEditor(
            self.binding,
            "features",
            "ui.feature.title",
            "sword",
            lambda id: prepared.Feature(id, tr("ui.feature.new"), "action"),
            lambda subject, holder: Form(FEATURE, subject, context, holder),
            describe_feature,
            parent,
            empty_text=tr("ui.feature.empty"),
        )
        yield self.feature_rows
        self.defences_form = Form(defences, self.binding, context, parent)
        yield self.defences_form

    def record_id_for(self, key: state.Key) -> str:
        """Return the id of the selected creature, or of the selected roster entry's creature."""
        if key[0] == prepared.RosterEntry.table:
            entry = self._document.encounter.get(prepared.RosterEntry, key[1])
            return entry.creature if entry and self._document.encounter.get(prepared.Creature, entry.creature) else ""
        return super().record_id_for(key)

    def refresh(self) -> None:
        """Update the panel. The selected roster entry may now have a different creature."""
        if self._document.selection is not None:
            self.binding.id = self.record_id_for(self._document.selection) or self.binding.id
        super().refresh()

    def duplicate(self) -> None:
        """Add a copy of the creature, with its own roster entry, to the encounter and show it."""
        if (creature := self.binding.value()) is not None:
            copied = msgspec.structs.replace(creature, name=tr("ui.editing.copy-of", what=creature.name))
            self.show_new(library_transfer.add_creature(self._document, copied))

    def open_class_features(self) -> None:
        """Open the dialog that adds class features to the creature."""
        if (creature := self.binding.value()) is not None:
            self.class_dialog = class_features.ClassFeaturesDialog(self._document, creature, self.window())
            self.class_dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            self.class_dialog.open()

    def add_buttons(self, row: QHBoxLayout) -> None:
        """Add the buttons next to the combo box, and the switch between form and stat block."""
        super().add_buttons(row)
        row.insertWidget(2, text.tool_button("content-duplicate", tr("ui.creature.duplicate"), self.duplicate))
        self.class_button = text.tool_button("account-star", tr("ui.class-features.open"), self.open_class_features)
        row.insertWidget(3, self.class_button)
        self.switches = {
            name: text.push_button(tr(f"ui.creature.part-{name}"), partial(self.show_part, name), "mode")
            for name in ("form", "block")
        }
        self._switch = layout.switch_of(*self.switches.values())
        row.insertWidget(1, self._switch)

    def refresh_body(self) -> None:
        """Update the form, and the stat block after a short delay."""
        super().refresh_body()
        self._later.start()
        system = self._document.rules.id
        self.class_button.setVisible(resource_path(f"systems/{system}/powers.toml").is_file())

    def explain(self) -> bool:
        """Explain the focused roll of the stat block, or all its numbers. Return False if no creature is shown."""
        creature = self.binding.value()
        if creature is None:
            return False
        about = self.stat_block.focused_stat() if self.stat_block.hasFocus() else ""
        part = self.stat_block.cursorRect() if about else None
        shown = self.stat_block if self.stat_block.isVisible() else self._form
        self._popup.open(why_stat_block.explain_stat(self._document, creature, about), part, shown.viewport())
        return True

    def _show_stat_block(self) -> None:
        if self._body is None:  # the form was removed while the timer ran
            return
        creature = self.binding.value()
        self.stat_block.set_creature(creature, self._document.rules.data)
        portrait = creature.portrait if creature is not None else ""
        self.stat_block.set_portrait(self._document.portraits.image(portrait))
