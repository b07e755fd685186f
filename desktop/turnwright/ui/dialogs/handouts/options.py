"""The options of handouts: kinds of pages with page counts, creatures, print settings, and the user's own presets."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import msgspec
from PySide6.QtCore import QLocale, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QBrush, QFontMetrics
from PySide6.QtWidgets import QGridLayout, QMenu, QTreeWidgetItem, QWidget

from turnwright.encounter.prepared import Creature
from turnwright.encounter.state import numbered
from turnwright.handouts.page_input import PrintOptions
from turnwright.ui.dialogs.message_bar import ask_text, confirm
from turnwright.ui.forms.form import Form, form_layout
from turnwright.ui.forms.kinds import FormContext
from turnwright.ui.forms.record_fields import CommandDraft
from turnwright.ui.look.style import GAP, SPACE, current_theme, escaped_tooltip, scaled, theme_source, tr
from turnwright.ui.look.window_data import KINDS_OF_RECORDS, window_data
from turnwright.ui.widgets.dialog import TableTree
from turnwright.ui.widgets.layout import fill, frameless_scroll_area, vertical
from turnwright.ui.widgets.text import PushButton, push_button

if TYPE_CHECKING:
    from turnwright.handouts.page_input import Paper
    from turnwright.ui.services.print_worker import Pages


MAX_NAME: Final = 60
MAX_PRESETS: Final = 40
MENU_WIDTH: Final = 260
WIDTH: Final = 424
INDENT: Final = 14
TREE_SHARE, FORM_SHARE = 5, 3  # of the height
MARKS: Final = (Qt.CheckState.Unchecked, Qt.CheckState.PartiallyChecked, Qt.CheckState.Checked)
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
            self._add(self._menu, name, partial(self.chosen.emit, self.presets[name]))
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
            free = numbered(other, self.presets, " ")
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

    def _asked_name(self, title: str, usual: str) -> str:
        return " ".join(ask_text(self.window(), title, tr("ui.handouts.preset-name"), usual).split())[:MAX_NAME]

    def _tell(self, presets: dict[str, dict[str, str]]) -> None:
        self.presets = presets
        self.presetsChanged.emit(presets)


DEFAULT_KINDS: Final = window_data("handouts.default", tuple[str, ...])
KINDS_OF_OPTIONS: Final = window_data("handouts.used_by", dict[str, tuple[str, ...]])
REMEMBERED: Final = window_data("handouts.remembered", frozenset[str])


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


class CheckTree(TableTree):
    """A tree of checkable rows in groups, with a note at the end of each row. Disabled rows show the reason.

    Space toggles a row, and that of a group all of its rows. A click on the text of a row checks it.

    Emits `checkedChanged` when the user checks or clears rows, and `chosen(id)` when the user checks or clicks one.
    """

    checkedChanged = Signal()
    chosen = Signal(str)

    def __init__(self, name: str) -> None:
        super().__init__(name, ("", ""))
        self.setHeaderHidden(True)
        self.setUniformRowHeights(True)
        self.setTabKeyNavigation(False)
        self.setRootIsDecorated(True)
        self.setIndentation(scaled(INDENT))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._off: set[str] = set()
        self._wanted: dict[str, bool] = {}
        self._items: dict[str, QTreeWidgetItem] = {}
        self._pressed = Qt.CheckState.Unchecked
        self.itemChanged.connect(self._hear)
        self.itemPressed.connect(self._press)
        self.itemClicked.connect(self._click)
        theme_source().changed.connect(self._show_marks)

    def show_group(self, title: str, rows: Named, is_checked: Callable[[str], bool]) -> None:
        """Set the rows of a group; without rows it is hidden.

        Rows that existed before keep their check marks; `is_checked` returns those of new ids.
        """
        with QSignalBlocker(self):
            found = self.findItems(title, Qt.MatchFlag.MatchExactly)
            head = found[0] if found else QTreeWidgetItem(self, [title, ""])
            current = self.currentItem() or head
            at = current.data(0, _ID)
            for item in head.takeChildren():
                del self._items[item.data(0, _ID)]
            for id, name in rows:
                row = self._items[id] = QTreeWidgetItem(head, [name, ""])
                self._wanted.setdefault(id, is_checked(id))
                row.setData(0, _ID, id)
                row.setToolTip(0, escaped_tooltip(name))
                row.setTextAlignment(1, _END)
            head.setHidden(not rows)
            head.setExpanded(head.isExpanded() or not found)
            self.setCurrentItem(self._items.get(at, self.currentItem() or head))
        self._show_marks()

    def clear_choices(self, kept: Collection[str]) -> None:
        """Discard the check marks of all rows but some."""
        self._wanted = {id: on for id, on in self._wanted.items() if id in kept}

    def checked_ids(self) -> tuple[str, ...]:
        """Return the ids of rows that are checked and enabled."""
        return tuple(id for id in self.wanted_ids() if id not in self._off)

    def wanted_ids(self) -> tuple[str, ...]:
        """Return the ids of all checked rows, including disabled ones."""
        return tuple(id for id in self._items if self._wanted.get(id))

    def ids(self) -> tuple[str, ...]:
        """Return all ids, in the order of the rows."""
        return tuple(self._items)

    def row(self, id: str) -> QTreeWidgetItem:
        """Return the row with an id."""
        return self._items[id]

    def set_row_note(self, id: str, note: str, disabled_reason: str = "") -> None:
        """Set the note at the end of a row. A `disabled_reason` disables the row; an empty one enables it."""
        row, text = self.row(id), disabled_reason or note
        (self._off.add if disabled_reason else self._off.discard)(id)
        with QSignalBlocker(self):
            row.setText(1, text)
            row.setToolTip(1, escaped_tooltip(disabled_reason))
            row.setData(0, Qt.ItemDataRole.AccessibleTextRole, ", ".join(filter(None, (row.text(0), text))))
        self._show_marks()

    def set_checked(self, ids: Iterable[str], *, on: bool) -> None:
        """Check or clear rows as if the user had clicked them."""
        self._wanted |= {id: on for id in ids if id in self._items and id not in self._off}
        self._show_marks()
        self.checkedChanged.emit()

    def _heads(self) -> Iterator[tuple[QTreeWidgetItem, list[str]]]:
        """Yield the row of each group with the ids below it."""
        for number in range(self.topLevelItemCount()):
            if (head := self.topLevelItem(number)) is not None:
                rows = (head.child(at) for at in range(head.childCount()))
                yield head, [row.data(0, _ID) for row in rows if row is not None]

    def _press(self, row: QTreeWidgetItem) -> None:
        self._pressed = row.checkState(0)

    def _click(self, row: QTreeWidgetItem) -> None:
        if (id := row.data(0, _ID)) is None:
            return
        if not self._wanted[id] and self._pressed == row.checkState(0) and id not in self._off:
            row.setCheckState(0, Qt.CheckState.Checked)  # the text was clicked, rather than the box
        else:
            self.chosen.emit(id)

    def _hear(self, row: QTreeWidgetItem, column: int) -> None:
        id, is_on = row.data(0, _ID), row.checkState(0) == Qt.CheckState.Checked
        if column == 0 and id is None:
            self.set_checked(next(ids for head, ids in self._heads() if head is row), on=is_on)
        elif column == 0 and id not in self._off and self._wanted[id] != is_on:
            self.set_checked([id], on=is_on)
            if is_on:
                self.chosen.emit(id)

    def _show_marks(self) -> None:
        """Show the check marks: those of disabled rows are empty, and that of a group is full, empty or in between."""
        checked = set(self.checked_ids())
        flags, theme = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable, current_theme()
        with QSignalBlocker(self):
            for head, ids in self._heads():
                here, possible = checked.intersection(ids), len(set(ids) - self._off)
                head.setCheckState(0, MARKS[bool(here) + (len(here) == possible and bool(here))])
            for id, row in self._items.items():
                row.setFlags(flags if id in self._off else flags | Qt.ItemFlag.ItemIsUserCheckable)
                row.setCheckState(0, MARKS[2 if id in checked else 0])
                row.setForeground(0, QBrush(theme.colour("muted" if id in self._off else "text")))
                row.setForeground(1, QBrush(theme.colour("muted")))
        self.viewport().update()


class RecordGroup(msgspec.Struct, frozen=True):
    """A group of records of an encounter that can be printed singly: the `title` of the group and its `rows`.

    The ids of rows are those of a table and a record, such as `creatures.raider`. `usual`: they are checked at first.
    """

    title: str
    rows: Named
    usual: bool = True


class HandoutOptions(QWidget):
    """All options of handouts. Emits `changed` when the user changes an option."""

    changed = Signal()

    def __init__(self, kinds: Sequence[str], paper: Paper, context: FormContext) -> None:
        super().__init__()
        self.setFixedWidth(scaled(WIDTH))
        self.kinds = tuple(kinds)
        self._usual: frozenset[str] = frozenset()
        self.tree = CheckTree(tr("ui.handouts.tree"))
        named = [(id, tr(f"ui.handouts.kind-{id}")) for id in kinds]
        self.tree.show_group(tr("ui.handouts.kinds"), named, lambda id: id in DEFAULT_KINDS)
        self.draft = CommandDraft(PrintOptions(paper), lambda options, _entered: options)
        self.form = self._form(context)
        self._area = frameless_scroll_area(self.form)
        fill(vertical(self, spacing=GAP), self._preset_rows(), (self.tree, TREE_SHARE), (self._area, FORM_SHARE))
        self.tree.checkedChanged.connect(self._tell)
        self.form.refresh()

    def options(self) -> PrintOptions:
        """Return the print options."""
        options: PrintOptions = self.draft.value()
        checked, of_table = set(self.tree.wanted_ids()), self._ids_by_table()
        named: dict[str, Any] = {table: _named(ids, checked) for table, ids in of_table.items()}
        creatures = set(of_table.get(Creature.table, ()))
        if creatures and checked & creatures in (creatures, creatures & self._usual):
            named |= {Creature.table: (), "party": creatures <= checked}
        return msgspec.structs.replace(options, bleed=float(options.bleed), **named)

    def show_records(self, groups: Sequence[RecordGroup], *, reset: bool) -> None:
        """Set the records of the encounter. With `reset`, check all except the party."""
        if reset:
            self.tree.clear_choices(self.kinds)
        self._usual = frozenset(id for group in groups for id, _ in group.rows if group.usual)
        for group in groups:
            self.tree.show_group(group.title, group.rows, self._usual.__contains__)

    def choose_records(self, ids: Collection[str]) -> None:
        """Check only these records of one table, and only their usual kind of pages."""
        table = next(iter(ids)).partition(".")[0]
        with QSignalBlocker(self.tree):
            self.tree.set_checked([id for id in self.tree.ids() if id.startswith(f"{table}.")], on=False)
            self.tree.set_checked(ids, on=True)
        self.choose(Preset(KINDS_OF_RECORDS[table][:1], {"edition": "game-master"}))

    def kinds_of(self, id: str) -> tuple[str, ...]:
        """Return the kinds of pages on which a row's records are printed."""
        return KINDS_OF_RECORDS.get(id.partition(".")[0], (id,))

    def chosen_kinds(self) -> tuple[str, ...]:
        """Return the checked kinds of pages, including disabled ones."""
        return tuple(id for id in self.tree.wanted_ids() if id in self.kinds)

    def _ids_by_table(self) -> dict[str, list[str]]:
        """Return the ids of the records in the tree by table."""
        found: dict[str, list[str]] = {}
        for id in self.tree.ids():
            if id not in self.kinds:
                found.setdefault(id.partition(".")[0], []).append(id)
        return found

    def choose(self, preset: Preset) -> None:
        """Apply the page kinds and options of a preset."""
        self._check_kinds(preset.kinds)
        self.draft.write(msgspec.structs.replace(self.draft.value(), **preset.options), "")

    def remembered(self) -> dict[str, str]:
        """Return the current choices as text, to be saved for next time."""
        options = msgspec.to_builtins(self.draft.value())
        return {"kinds": " ".join(self.chosen_kinds())} | {name: str(options[name]) for name in REMEMBERED}

    def remember(self, choices: Mapping[str, str]) -> None:
        """Apply saved choices. Invalid ones are ignored."""
        if kinds := [id for id in choices.get("kinds", "").split() if id in self.kinds]:
            self._check_kinds(kinds)
        options: dict[str, Any] = {}
        for name in REMEMBERED & choices.keys():
            with suppress(msgspec.ValidationError):
                options[name] = getattr(msgspec.convert({name: choices[name]}, PrintOptions, strict=False), name)
        self.draft.write(msgspec.structs.replace(self.draft.value(), **options), "")

    def show_page_counts(self, pages: Mapping[str, Pages]) -> None:
        """Show the number of pages of each kind, or the reason why it has none."""
        for id in pages:
            state, reasons = pages[id].state, {"empty": f"none-{id}", "secret": "secret"}
            reason = tr(f"ui.handouts.{reasons[state]}") if state in reasons else ""
            key = {"template-error": "has-template-error", "shared": "shared"}.get(state, "pages")
            note = tr(f"ui.handouts.{key}", n=pages[id].count)
            self.tree.set_row_note(id, note, reason)
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

    def _check_kinds(self, kinds: Collection[str]) -> None:
        with QSignalBlocker(self.tree):
            self.tree.set_checked(self.kinds, on=False)
            self.tree.set_checked(kinds, on=True)

    def _form(self, context: FormContext) -> Form:
        def show_concerned(form: Form, _options: PrintOptions) -> None:
            for name in form.fields:
                form.show_in_row(name, shown=self._concerns(name))
            self._area.setMaximumHeight(form.sizeHint().height())

        layout = form_layout("print-options", PrintOptions, words="ui.handouts", on_refresh=show_concerned, beside=True)
        self.draft.changed = self._tell
        form = Form(layout, self.draft, context, self)
        form.fields["bleed"].setToolTip(tr("ui.handouts.bleed-tip"))
        return form

    def _concerns(self, option: str) -> bool:
        """Whether an option affects one of the checked kinds."""
        kinds = KINDS_OF_OPTIONS.get(option, ())
        return not kinds or any(kind in kinds for kind in self.tree.checked_ids())

    def _tell(self) -> None:
        self.form.refresh()
        self.changed.emit()


def _named(ids: Sequence[str], checked: Collection[str]) -> tuple[str, ...]:
    """Return the ids of checked records without their table: an empty tuple means all of them, and an empty id none."""
    names = tuple(id.partition(".")[2] for id in ids if id in checked)
    return () if len(names) == len(ids) else names or ("",)
