"""Creates a creature from pasted text. The marked text is on the left, the resulting stat block on the right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from turnwright.encounter.prepared import Creature
from turnwright.importers.pasted_text.format import read_text
from turnwright.importers.pasted_text.reading import PastedReading
from turnwright.importers.results import ImportedRecord, postprocessed
from turnwright.rules.parts.preparation.creature_translation import CreatureTranslation, translate_creature
from turnwright.rules.system_data import SystemData
from turnwright.ui.look.fonts import GROUP_GAP, scaled
from turnwright.ui.look.translations import tr
from turnwright.ui.models.roster import translation_text
from turnwright.ui.services.workers import single_shot_timer
from turnwright.ui.widgets.dialog import StandardDialog
from turnwright.ui.widgets.fields import ComboBox
from turnwright.ui.widgets.layout import horizontal, vertical
from turnwright.ui.widgets.records.stat_block import StatBlockView
from turnwright.ui.widgets.text import LOOKS, MarkedTextEdit, plain_label, push_button

READ_AFTER_MS = 150
SystemChoice = tuple[str, str]  # the id of a rule system and its name


class PasteDialog(StandardDialog):
    """Reads pasted stat blocks. Emits `addRequested(creature)` and `saveRequested(creature, system)`, and stays open.

    `systems` are the available rule systems, `data_of` returns a system's data, and `own` is the encounter's system.
    """

    addRequested = Signal(object)
    saveRequested = Signal(object, str)

    def __init__(
        self,
        text: str,
        systems: Sequence[SystemChoice],
        data_of: Callable[[str], SystemData],
        own: str,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(tr("ui.paste.title"), parent, tr("ui.paste.lead"))
        self._names = dict(systems)
        self._data_of = data_of
        self._own = own
        self._readings: tuple[PastedReading, ...] = ()
        self._timer = single_shot_timer(self, self.read, READ_AFTER_MS)
        self.text = MarkedTextEdit(tr("ui.paste.text"), tr("ui.paste.placeholder"))
        self.reason = plain_label("", "caption", "muted", wraps=True)
        self.system = ComboBox()
        self.system.setAccessibleName(tr("ui.paste.system"))
        self.system.addItem(tr("ui.paste.by-the-text"), "")
        for id, name in systems:
            self.system.addItem(name, id)
        self.which = ComboBox()
        self.which.setAccessibleName(tr("ui.paste.which"))
        self.view = StatBlockView()
        self.summary = plain_label("", "body", wraps=True)
        self._lay_out()
        self.text.textChanged.connect(self._timer.start)
        self.text.cursorPositionChanged.connect(self._explain_line)
        self.system.activated.connect(lambda _index: self.read())
        self.which.activated.connect(lambda _index: self._show())
        self.text.setPlainText(text)
        self.read()
        self.text.setFocus()

    def creature(self) -> Creature | None:
        """Return the displayed creature, or None if the text doesn't contain one."""
        reading = self._reading()
        if reading is None or reading.creature is None:
            return None
        imported = ImportedRecord(reading.creature.name, reading.creature, reading.system)
        record = postprocessed(imported).record
        return record if isinstance(record, Creature) else None

    def read(self) -> None:
        """Parse the current text again and show the result."""
        self._timer.stop()
        self._readings = read_text(self.text.toPlainText(), str(self.system.currentData() or ""))
        lines = [line for reading in self._readings for line in reading.lines]
        self.text.set_marks(
            [line.mark for line in lines],
            {at for at, line in enumerate(lines) if line.why or line.mark == "left"},
        )
        with QSignalBlocker(self.which):
            at = min(max(self.which.currentIndex(), 0), len(self._readings) - 1)
            self.which.clear()
            for number, reading in enumerate(self._readings, 1):
                name = reading.creature.name if reading.creature else tr("ui.paste.unread", n=number)
                self.which.addItem(name)
            self.which.setCurrentIndex(at)
        self._which_row.setVisible(len(self._readings) > 1)
        self._show()

    def show_result(self, message: str) -> None:
        """Show the outcome of adding or saving the creature in the summary. An empty message changes nothing."""
        if message:
            self.summary.setText(message)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if enter and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.add_button.click()
            return
        super().keyPressEvent(event)

    def _lay_out(self) -> None:
        row = horizontal(spacing=GROUP_GAP)
        self.column.addLayout(row, 1)
        left, right = vertical(), vertical()
        row.addLayout(left, 1)
        row.addLayout(right, 1)
        left.addWidget(self.text, 1)
        left.addWidget(self.reason)
        legend = "   ".join(f"{look.sign} {tr(f'ui.paste.mark-{mark}')}" for mark, look in LOOKS.items())
        left.addWidget(plain_label(legend, "caption", "muted", wraps=True))
        self._which_row, which_row = QWidget(), horizontal()
        self._which_row.setLayout(which_row)
        for caption, box, line in (
            (tr("ui.paste.system"), self.system, horizontal()),
            (tr("ui.paste.which"), self.which, which_row),
        ):
            label = plain_label(caption)
            label.setBuddy(box)
            line.addWidget(label)
            line.addWidget(box, 1)
            if line is which_row:
                right.addWidget(self._which_row)
            else:
                right.addLayout(line)
        right.addWidget(self.view, 1)
        right.addWidget(self.summary)
        self.add_button = push_button(tr("ui.paste.add"), self._add, "primary", "plus")
        self.save_button = push_button(tr("ui.paste.save"), self._save, icon_name="content-save-outline")
        self.add_buttons(push_button(tr("ui.general.close"), self.reject), self.save_button, self.add_button)
        self.resize(scaled(1080), scaled(700))

    def _reading(self) -> PastedReading | None:
        at = max(self.which.currentIndex(), 0)
        return self._readings[at] if at < len(self._readings) else None

    def _show(self) -> None:
        reading, creature = self._reading(), self.creature()
        system = reading.system if reading else ""
        self.view.set_creature(creature, self._data_of(system) if creature else None)
        self.save_button.setEnabled(creature is not None)
        self.add_button.setEnabled(creature is not None)
        self.summary.setText(self._summary(reading, self._translation()))
        self._explain_line()

    def _translation(self) -> CreatureTranslation | None:
        """Return the creature converted to the encounter's rule system, or None if there is nothing to convert."""
        reading, creature = self._reading(), self.creature()
        if reading is None or creature is None or self._data_of(reading.system).id == self._own:
            return None
        return translate_creature(creature, self._data_of(reading.system), self._data_of(self._own))

    def _summary(self, reading: PastedReading | None, translation: CreatureTranslation | None) -> str:
        if reading is None or not self.text.toPlainText().strip():
            return tr("ui.paste.nothing")
        if reading.creature is None:
            return tr("ui.paste.problem", why=reading.problem)
        counts = Counter(str(line.mark) for line in reading.lines)
        parts = [tr(f"ui.paste.counted-{mark}", n=counts[mark]) for mark in LOOKS if counts[mark]]
        game = self._names.get(reading.system, reading.system)
        text = tr("ui.paste.summary", game=game, lines=", ".join(parts))
        if translation is None:
            return text
        own = dict(self._data_of(self._own).terms).get("system.short", self._own)
        return f"{text} {tr('ui.paste.other-game', game=own)} {translation_text(translation, own)}"

    def _explain_line(self) -> None:
        """Show how the line at the cursor was parsed."""
        line = self.text.current_line()
        lines = [marked_line for reading in self._readings for marked_line in reading.lines]
        mark = lines[line].mark if line < len(lines) else ""
        text = tr("ui.paste.line", n=line + 1, mark=tr(f"ui.paste.mark-{mark}")) if mark else ""
        if mark and lines[line].why:
            text = tr("ui.paste.line-why", said=text, why=lines[line].why)
        self.reason.setText(text)

    def _add(self) -> None:
        translation = self._translation()
        creature = self.creature() if translation is None else translation.creature
        if creature is not None:
            self.addRequested.emit(creature)

    def _save(self) -> None:
        reading, creature = self._reading(), self.creature()
        if reading is not None and creature is not None:
            self.saveRequested.emit(creature, reading.system)
