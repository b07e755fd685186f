"""The options of handouts: kinds of pages with page counts, creatures, print settings, and the user's own presets."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import msgspec
from PySide6.QtCore import QLocale, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QBrush, QFontMetrics
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QInputDialog, QMenu, QTreeWidgetItem, QWidget

from turnwright.handouts.page_input import PrintOptions
from turnwright.ui.dialogs.message_bar import confirm
from turnwright.ui.forms.form import Form, form_layout
from turnwright.ui.forms.kinds import FormContext
from turnwright.ui.forms.record_fields import CommandDraft
from turnwright.ui.look.style import GAP, SPACE, current_theme, escaped_tooltip, scaled, theme_source, tr
from turnwright.ui.look.window_data import window_data
from turnwright.ui.widgets.dialog import TableTree
from turnwright.ui.widgets.layout import fill, horizontal, vertical
from turnwright.ui.widgets.text import PushButton, plain_label, push_button

if TYPE_CHECKING:
    from turnwright.handouts.page_input import Paper
    from turnwright.ui.services.print_worker import Pages


MAX_NAME: Final = 60
MAX_PRESETS: Final = 40
MENU_WIDTH: Final = 260
Choices = Mapping[str, str]


class OwnPresets(PushButton):
    """A menu button with the user's presets.

    Emits `presetsChanged(presets)` when the user saves, renames or deletes a preset, and `chosen(choices)` when the
    user chooses one. `present` returns the current choices for a new preset.
    """

    presetsChanged = Signal(object)
    chosen = Signal(object)

    def __init__(self, present: Callable[[], dict[str, str]]) -> None:
        super().__init__(tr("ui.handouts.preset-own"))
        self.setProperty("kind", "")
        self.setAutoDefault(False)
        self.setToolTip(escaped_tooltip(tr("ui.handouts.preset-own-tip")))
        self._present = present
        self.presets: dict[str, dict[str, str]] = {}
        self._menu = QMenu(self)
        self._menu.aboutToShow.connect(self.fill)
        self.setMenu(self._menu)

    def show_presets(self, presets: Mapping[str, Choices]) -> None:
        """Set the presets, keyed by name."""
        self.presets = {name: dict(choices) for name, choices in presets.items()}

    def fill(self) -> None:
        """Rebuild the menu: all presets, then the commands to save, rename and delete them."""
        self._menu.clear()
        names = sorted(self.presets, key=str.casefold)
        for name in names:
            self._add(self._menu, name, partial(self._choose, name))
        if names:
            self._menu.addSeparator()
        save = self._menu.addAction(tr("ui.handouts.preset-save"))
        save.triggered.connect(lambda _=False: self.ask_name_and_save())
        save.setEnabled(len(names) < MAX_PRESETS)
        for key, slot in (("rename", self.ask_name_and_rename), ("delete", self.ask_and_delete)):
            below = self._menu.addMenu(tr(f"ui.handouts.preset-{key}"))
            below.setEnabled(bool(names))
            for name in names:
                self._add(below, name, partial(slot, name))

    def ask_name_and_save(self) -> None:
        """Ask for a name and save the current choices as a preset. An existing preset of that name is replaced."""
        if name := self._asked_name(tr("ui.handouts.preset-save"), ""):
            self._tell(self.presets | {name: self._present()})

    def ask_name_and_rename(self, name: str) -> None:
        """Ask for a new name and rename a preset. A number is added if the name is taken."""
        if (other := self._asked_name(tr("ui.handouts.preset-rename"), name)) and other != name:
            free = _free_name(other, self.presets)
            self._tell(
                {free if preset_name == name else preset_name: choices for preset_name, choices in self.presets.items()}
            )

    def ask_and_delete(self, name: str) -> None:
        """Delete a preset if the user confirms."""
        question, detail = tr("ui.handouts.preset-delete-question", name=name), tr("ui.handouts.preset-delete-detail")
        if confirm(self.window(), question, detail, tr("ui.handouts.preset-delete-agree")):
            self._tell({preset_name: choices for preset_name, choices in self.presets.items() if preset_name != name})

    def _add(self, menu: QMenu, name: str, slot: Callable[[], object]) -> None:
        text = QFontMetrics(menu.font()).elidedText(name, Qt.TextElideMode.ElideRight, scaled(MENU_WIDTH))
        menu.addAction(text.replace("&", "&&")).triggered.connect(lambda _=False: slot())

    def _choose(self, name: str) -> None:
        self.chosen.emit(self.presets[name])

    def _asked_name(self, title: str, usual: str) -> str:
        name, agreed = QInputDialog.getText(self.window(), title, tr("ui.handouts.preset-name"), text=usual)
        return " ".join(name.split())[:MAX_NAME] if agreed else ""

    def _tell(self, presets: dict[str, dict[str, str]]) -> None:
        self.presets = presets
        self.presetsChanged.emit(presets)


def _free_name(name: str, taken: Mapping[str, object]) -> str:
    """Return the name, with a number added if it is taken."""
    number = 2
    free = name
    while free in taken:
        free, number = f"{name} {number}", number + 1
    return free


DEFAULT_KINDS: Final = window_data("handouts.default", tuple[str, ...])
KINDS_OF_OPTIONS: Final = window_data("handouts.used_by", dict[str, tuple[str, ...]])
MAP_SWITCHES: Final = ("map_tokens", "map_grid", "map_keys", "map_ground")
REMEMBERED: Final = frozenset({
    *("sides", "edition", "ink", "card", "map", "players_map", "bleed", "forecast", "mat"),
    *MAP_SWITCHES,
})  # fmt: skip


class Preset(msgspec.Struct, frozen=True):
    """A set of page kinds that are printed together, with their options."""

    kinds: tuple[str, ...]
    options: Mapping[str, Any]


PRESETS: Final = window_data("handouts.presets", dict[str, Preset])
_LETTER: Final = ("US", "CA", "MX", "PH", "CL", "CO", "VE", "GT", "CR", "PA", "NI", "SV", "DO", "PR", "BO")
_ID = Qt.ItemDataRole.UserRole
_END = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
Named = Sequence[tuple[str, str]]  # pairs of id and name


def default_paper(locale: QLocale) -> Paper:
    """Return the usual paper size in a locale."""
    return "letter" if locale.name().partition("_")[2] in _LETTER else "a4"


class CheckList(TableTree):
    """A checkable list with a note at the end of each row. Disabled rows show the reason.

    Space toggles a row. A click on the text of a row checks it.

    Emits `checkedChanged` when the user checks or clears a row, and `chosen(id)` when the user checks or clicks one.
    """

    checkedChanged = Signal()
    chosen = Signal(str)

    def __init__(self, name: str) -> None:
        super().__init__(name, ("", ""))
        self.setHeaderHidden(True)
        self.setUniformRowHeights(True)
        self.setTabKeyNavigation(False)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._off: set[str] = set()
        self._wanted: dict[str, bool] = {}
        self._pressed = Qt.CheckState.Unchecked
        self.itemChanged.connect(self._hear)
        self.itemPressed.connect(self._press)
        self.itemClicked.connect(self._click)
        theme_source().changed.connect(self._colour)

    def show_rows(self, rows: Named, is_checked: Callable[[str], bool]) -> None:
        """Set the rows. Rows that existed before keep their check marks; `is_checked` returns those of new ids."""
        self.blockSignals(True)
        self.clear()
        self._off.clear()
        self._wanted = {id: self._wanted.get(id, is_checked(id)) for id, _ in rows}
        for id, name in rows:
            row = QTreeWidgetItem([name, ""])
            row.setData(0, _ID, id)
            row.setCheckState(0, Qt.CheckState.Checked if self._wanted[id] else Qt.CheckState.Unchecked)
            row.setToolTip(0, escaped_tooltip(name))
            row.setTextAlignment(1, _END)
            self.addTopLevelItem(row)
        if (first := self.topLevelItem(0)) is not None:
            self.setCurrentItem(first)
        self.blockSignals(False)
        self._colour()

    def clear_choices(self) -> None:
        """Discard the check marks of all rows."""
        self._wanted = {}

    def checked_ids(self) -> tuple[str, ...]:
        """Return the ids of rows that are checked and enabled."""
        return tuple(id for id, wanted in self._wanted.items() if wanted and id not in self._off)

    def wanted_ids(self) -> tuple[str, ...]:
        """Return the ids of all checked rows, including disabled ones."""
        return tuple(id for id, wanted in self._wanted.items() if wanted)

    def ids(self) -> tuple[str, ...]:
        """Return all ids, in the order of the rows."""
        return tuple(self._wanted)

    def row(self, id: str) -> QTreeWidgetItem | None:
        """Return the row with an id, or None if there is none."""
        return next((row for row in self._rows() if row.data(0, _ID) == id), None)

    def set_row_note(self, id: str, note: str, disabled_reason: str = "") -> None:
        """Set the note at the end of a row. A `disabled_reason` disables the row; an empty one enables it."""
        row = self.row(id)
        if row is None:
            return
        self.blockSignals(True)
        (self._off.add if disabled_reason else self._off.discard)(id)
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        row.setFlags(flags if disabled_reason else flags | Qt.ItemFlag.ItemIsUserCheckable)
        is_checked = self._wanted[id] and not disabled_reason
        row.setCheckState(0, Qt.CheckState.Checked if is_checked else Qt.CheckState.Unchecked)
        row.setText(1, disabled_reason or note)
        row.setToolTip(1, escaped_tooltip(disabled_reason))
        row.setData(
            0, Qt.ItemDataRole.AccessibleTextRole, ", ".join(filter(None, (row.text(0), disabled_reason or note)))
        )
        self._paint(row)
        self.blockSignals(False)

    def set_checked(self, ids: Sequence[str], *, on: bool) -> None:
        """Check or clear rows as if the user had clicked them."""
        with QSignalBlocker(self):
            for id in ids:
                if (row := self.row(id)) is not None and id not in self._off:
                    self._wanted[id] = on
                    row.setCheckState(0, Qt.CheckState.Checked if on else Qt.CheckState.Unchecked)
        self.checkedChanged.emit()

    def _rows(self) -> Iterator[QTreeWidgetItem]:
        rows = (self.topLevelItem(number) for number in range(self.topLevelItemCount()))
        return (row for row in rows if row is not None)

    def _press(self, row: QTreeWidgetItem) -> None:
        self._pressed = row.checkState(0)

    def _click(self, row: QTreeWidgetItem) -> None:
        is_off = row.checkState(0) != Qt.CheckState.Checked
        if is_off and self._pressed == row.checkState(0) and row.flags() & Qt.ItemFlag.ItemIsUserCheckable:
            row.setCheckState(0, Qt.CheckState.Checked)  # the text was clicked, rather than the box
        else:
            self.chosen.emit(row.data(0, _ID))

    def _hear(self, row: QTreeWidgetItem, column: int) -> None:
        id, is_on = row.data(0, _ID), row.checkState(0) == Qt.CheckState.Checked
        if column == 0 and id not in self._off and self._wanted.get(id) != is_on:
            self._wanted[id] = is_on
            self.checkedChanged.emit()
            if is_on:
                self.chosen.emit(id)

    def _colour(self) -> None:
        with QSignalBlocker(self):
            for row in self._rows():
                self._paint(row)
        self.viewport().update()

    def _paint(self, row: QTreeWidgetItem) -> None:
        theme = current_theme()
        row.setForeground(0, QBrush(theme.colour("muted" if row.data(0, _ID) in self._off else "text")))
        row.setForeground(1, QBrush(theme.colour("muted")))


class HandoutOptions(QWidget):
    """All options of handouts. Emits `changed` when the user changes an option."""

    changed = Signal()

    def __init__(self, kinds: Sequence[str], paper: Paper, context: FormContext) -> None:
        super().__init__()
        self.setFixedWidth(scaled(312))
        column = vertical(self, spacing=SPACE)
        self.kinds = CheckList(tr("ui.handouts.kinds"))
        self.kinds.show_rows([(id, tr(f"ui.handouts.kind-{id}")) for id in kinds], lambda id: id in DEFAULT_KINDS)
        self.kinds.setFixedHeight(scaled(28) * len(kinds) + scaled(SPACE))
        self.creatures = CheckList(tr("ui.handouts.creatures"))
        self._party: frozenset[str] = frozenset()
        self.creatures.setMinimumHeight(scaled(64))
        fill(column, self._preset_rows(), self._head("ui.handouts.kinds", self.kinds), self.kinds)
        column.addSpacing(scaled(GAP))
        fill(column, self._head("ui.handouts.creatures", self.creatures), (self.creatures, 1))
        column.addSpacing(scaled(GAP))
        self.draft = CommandDraft(PrintOptions(paper), lambda options, _entered: options)
        self.form = self._form(context)
        column.addWidget(self.form)
        self.kinds.checkedChanged.connect(self._tell)
        self.creatures.checkedChanged.connect(self._tell)
        self.form.refresh()

    def options(self) -> PrintOptions:
        """Return the print options."""
        all_ids, checked = set(self.creatures.ids()), self.creatures.checked_ids()
        options: PrintOptions = self.draft.value()
        with_party, usual = set(checked) == all_ids, all_ids - self._party or all_ids
        creatures = () if with_party or set(checked) == usual else checked or ("",)
        return msgspec.structs.replace(options, bleed=float(options.bleed), creatures=creatures, party=with_party)

    def show_creatures(self, creatures: Named, party: Collection[str] = frozenset(), *, reset: bool) -> None:
        """Set the creatures of the encounter. With `reset`, check all except the party."""
        if reset:
            self.creatures.clear_choices()
        self._party = frozenset(party)
        has_others = any(id not in party for id, _ in creatures)
        self.creatures.show_rows(creatures, lambda id: not has_others or id not in party)
        self.creatures.setEnabled(bool(creatures))

    def choose(self, preset: Preset) -> None:
        """Apply the page kinds and options of a preset."""
        with QSignalBlocker(self.kinds):
            for id in self.kinds.ids():
                self.kinds.set_checked([id], on=id in preset.kinds)
        self.draft.write(msgspec.structs.replace(self.draft.value(), **preset.options), "")

    def remembered(self) -> dict[str, str]:
        """Return the current choices as text, to be saved for next time."""
        options = msgspec.to_builtins(self.draft.value())
        return {"kinds": " ".join(self.kinds.wanted_ids())} | {name: str(options[name]) for name in REMEMBERED}

    def remember(self, choices: Mapping[str, str]) -> None:
        """Apply saved choices. Invalid ones are ignored."""
        if kinds := [id for id in choices.get("kinds", "").split() if id in self.kinds.ids()]:
            with QSignalBlocker(self.kinds):
                self.kinds.set_checked(self.kinds.ids(), on=False)
                self.kinds.set_checked(kinds, on=True)
        options: dict[str, Any] = {}
        for name in REMEMBERED & choices.keys():
            with suppress(msgspec.ValidationError):
                options[name] = getattr(msgspec.convert({name: choices[name]}, PrintOptions, strict=False), name)
        self.draft.write(msgspec.structs.replace(self.draft.value(), **options), "")

    def show_page_counts(self, pages: Mapping[str, Pages]) -> None:
        """Show the number of pages of each kind, or the reason why it has none."""
        for id in self.kinds.ids():
            kind_pages = pages.get(id)
            if kind_pages is None:
                continue
            if kind_pages.state == "empty":
                self.kinds.set_row_note(id, "", tr(f"ui.handouts.none-{id}"))
            elif kind_pages.state == "secret":
                self.kinds.set_row_note(id, "", tr("ui.handouts.secret"))
            elif kind_pages.state == "shared":
                self.kinds.set_row_note(id, tr("ui.handouts.shared"))
            elif kind_pages.state == "template-error":
                self.kinds.set_row_note(id, tr("ui.handouts.has-template-error"))
            else:
                self.kinds.set_row_note(id, tr("ui.handouts.pages", n=kind_pages.count))
        self.form.refresh()

    def _preset_rows(self) -> QGridLayout:
        rows = QGridLayout()
        rows.setSpacing(scaled(SPACE))
        self.presets = {}
        for id, preset in PRESETS.items():
            button = push_button(tr(f"ui.handouts.preset-{id}"), partial(self.choose, preset))
            button.setToolTip(escaped_tooltip(tr(f"ui.handouts.preset-{id}-tip")))
            self.presets[id] = button
        self.own_presets = OwnPresets(self.remembered)
        self.own_presets.chosen.connect(self._choose_own)
        for number, button in enumerate((*self.presets.values(), self.own_presets)):
            rows.addWidget(button, number // 2, number % 2)
        return rows

    def _choose_own(self, choices: Mapping[str, str]) -> None:
        self.remember(choices)
        self._tell()

    def _head(self, key: str, rows: CheckList) -> QHBoxLayout:
        line = fill(horizontal(spacing=0), (plain_label(tr(key), "strong"), 1))
        for what, on in (("all", True), ("none", False)):
            button = push_button(tr(f"ui.handouts.{what}"), partial(self._tick_all, rows, on), "quiet")
            button.setAccessibleName(tr(f"ui.handouts.{what}-of", what=tr(key)))
            line.addWidget(button)
        return line

    def _tick_all(self, rows: CheckList, on: bool) -> None:
        rows.set_checked(rows.ids(), on=on)

    def _form(self, context: FormContext) -> Form:
        layout = form_layout(
            "print-options", PrintOptions, words="ui.handouts", enabled=lambda _, id: self._concerns(id), beside=True
        )
        self.draft.changed = self._tell
        form = Form(layout, self.draft, context, self)
        form.fields["bleed"].setToolTip(tr("ui.handouts.bleed-tip"))
        return form

    def _concerns(self, option: str) -> bool:
        """Whether an option affects one of the checked kinds."""
        kinds = KINDS_OF_OPTIONS.get(option, ())
        return not kinds or any(kind in kinds for kind in self.kinds.checked_ids())

    def _tell(self) -> None:
        self.form.refresh()
        self.changed.emit()
