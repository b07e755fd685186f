"""The command palette: a filterable list of all actions, which opens over the window and is operated by keyboard."""

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from PySide6.QtCore import QEvent, QObject, QSize, Qt, QTimer
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QWidget

from turnwright.ui.look.style import GAP, scaled, tr
from turnwright.ui.services.actions import InstalledActions, native_keys, without_mnemonic
from turnwright.ui.services.services import best_matches
from turnwright.ui.widgets.dialog import FloatingLine
from turnwright.ui.widgets.layout import ElidedLabel, fill, horizontal
from turnwright.ui.widgets.text import IconLabel, named, plain_label

MAX_SHOWN = 40


class PaletteEntry(msgspec.Struct, frozen=True):
    """An entry: its text, its action, its location (`hint`), and its shortcut in the system's notation.

    If `only_on_search`, it appears only if its text contains every typed word. It is listed after matching actions.
    """

    text: str
    run: Callable[[], object]
    hint: str = ""
    shortcut: str = ""
    icon: str = ""
    only_on_search: bool = False

    @property
    def line(self) -> str:
        """The searchable text: the entry's text and its location."""
        return f"{self.text} {self.hint}".strip()

    def has(self, words: Sequence[str]) -> bool:
        """Whether the entry contains all of these lower-case words."""
        text = (self.text if self.only_on_search else self.line).casefold()
        return all(word in text for word in words)


def palette_entries(installed: InstalledActions[Any]) -> list[PaletteEntry]:
    """Return the enabled actions in menu order."""
    entries = []
    for spec in installed.table.specs:
        action = installed.action(spec.id)
        if not spec.look.in_palette or not action.isEnabled():
            continue
        menu = without_mnemonic(tr(f"ui.menu.{spec.look.menu}")) if spec.look.menu else ""
        keys = native_keys(spec.look.shortcuts[0]) if spec.look.shortcuts else ""
        entries.append(PaletteEntry(without_mnemonic(action.text()), action.trigger, menu, keys, spec.look.icon))
    return entries


class CommandPalette(FloatingLine):
    """A filter line with the best matches below it. Enter runs the current entry, and Esc closes the palette."""

    def __init__(self, parent: QWidget, entries: Callable[[], Sequence[PaletteEntry]]) -> None:
        super().__init__(parent, tr("ui.palette.name"), tr("ui.palette.placeholder"), self._filter, GAP)
        self._source = entries
        self._entries: Sequence[PaletteEntry] = ()
        self.shown: list[PaletteEntry] = []
        self.line.installEventFilter(self)
        self.list = named(QListWidget(), tr("ui.palette.results"))
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.itemClicked.connect(lambda _item: self._run())
        self._nothing = plain_label(tr("ui.palette.nothing"), tone="muted")
        fill(self.column, self.line, self.list, (self._nothing, 1, Qt.AlignmentFlag.AlignTop))

    def open_over(self, widget: QWidget) -> None:
        """Open in the upper middle of a widget, with an empty line."""
        self._entries = self._source()
        self.line.clear()
        self._filter("")
        self.show_over(widget, 560, scaled(400), 64)

    def texts(self) -> list[str]:
        """Return the texts of the visible entries, best match first."""
        return [entry.text for entry in self.shown]

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            steps = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_PageDown: 8, Qt.Key.Key_PageUp: -8}
            if (step := steps.get(Qt.Key(event.key()))) is not None:
                self._move(step)
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self._run()
                return True
        return super().eventFilter(watched, event)

    def _move(self, step: int) -> None:
        count = self.list.count()
        if count == 0:
            return
        row = self.list.currentRow() + step
        self.list.setCurrentRow(row % count if abs(step) == 1 else min(count - 1, max(0, row)))

    def _filter(self, query: str) -> None:
        words = query.casefold().split()
        offered = [entry for entry in self._entries if not entry.only_on_search or (words and entry.has(words))]
        matches = [offered[index] for index in best_matches(query, [entry.line for entry in offered])]
        matches.sort(key=lambda entry: (not entry.has(words), entry.only_on_search))
        self.show_entries(matches[: MAX_SHOWN if words else None])

    def show_entries(self, entries: Sequence[PaletteEntry]) -> None:
        """List entries, with the first as the current one."""
        self.shown = list(entries)
        self.list.clear()
        for entry in self.shown:
            self._add(entry)
        self.list.setCurrentRow(0)
        self.list.setVisible(bool(self.shown))
        self._nothing.setVisible(not self.shown)

    def _add(self, entry: PaletteEntry) -> None:
        item = QListWidgetItem()
        item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{entry.text} {entry.shortcut}".strip())
        item.setSizeHint(QSize(0, scaled(32)))
        self.list.addItem(item)
        self.list.setItemWidget(item, _EntryRow(entry))

    def _run(self) -> None:
        row = self.list.currentRow()
        if not 0 <= row < len(self.shown):
            return
        entry = self.shown[row]
        self.close()
        QTimer.singleShot(0, self, entry.run)


class _EntryRow(QWidget):
    def __init__(self, entry: PaletteEntry) -> None:
        super().__init__()
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        sign = IconLabel(entry.icon or "circle-small", "muted", 16)
        row = fill(horizontal(self, margins=(GAP, 0, GAP, 0)), sign, (ElidedLabel(entry.text), 1))
        if entry.hint:
            row.addWidget(plain_label(entry.hint, "caption", "muted"))
        if entry.shortcut:
            row.addWidget(plain_label(entry.shortcut, "caption"))
