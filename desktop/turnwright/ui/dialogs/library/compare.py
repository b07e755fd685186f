"""Comparison of stat blocks, and the dialogs that save and rest a party.

Comparison of two stat blocks side by side, with each difference marked.

Comparison of two stat blocks as plain data, with each differing line marked.

The dialog that saves the party's state after a fight, with a check box for each member and the party's name.

The dialog that gives a library party a rest, and shows each member's state before and after.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

import msgspec
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QFormLayout, QGridLayout, QLineEdit, QScrollBar, QSpinBox, QWidget

from turnwright.encounter.prepared import Creature, Party, RosterEntry
from turnwright.rules.parts.stat_block.prose import Paragraph
from turnwright.rules.parts.stat_block.sections import StatSections, stat_sections
from turnwright.rules.system_data import SystemData
from turnwright.ui.look.style import GAP, GROUP_GAP, scaled, tr
from turnwright.ui.widgets.dialog import StandardDialog
from turnwright.ui.widgets.fields import with_options
from turnwright.ui.widgets.layout import STRETCH, ElidedLabel, fill, horizontal, vertical
from turnwright.ui.widgets.records.stat_block import StatBlockView
from turnwright.ui.widgets.text import named, plain_label, push_button

SIGN = "≠"
Differences = dict[tuple[str, str], bool]  # whether a line differs, keyed by section and label
Features = tuple[tuple[str, tuple[Paragraph, ...]], ...]


class ComparedSections(NamedTuple):
    """Both stat blocks with marks, the number of differing lines, and the total number of lines."""

    left: StatSections
    right: StatSections
    differing: int
    lines: int


def compare_sections(left: StatSections, right: StatSections) -> ComparedSections:
    """Compare two stat blocks, and mark numbers that differ and lines that only one of them has."""
    seen: Differences = {}
    marked = [_marked(*pair, seen) for pair in ((left, right), (right, left))]
    return ComparedSections(marked[0], marked[1], sum(seen.values()), len(seen))


def _marked(block: StatSections, other_block: StatSections, seen: Differences) -> StatSections:
    differs = (block.kind, block.rating) != (other_block.kind, other_block.rating)
    seen.setdefault(("kind", ""), differs)
    cells = {cell.name: (cell.score, cell.modifier.text) for cell in other_block.abilities}
    abilities = []
    for cell in block.abilities:
        is_different = cells.get(cell.name) != (cell.score, cell.modifier.text)
        seen.setdefault(("ability", cell.name), is_different)
        abilities.append(msgspec.structs.replace(cell, name=f"{SIGN} {cell.name}") if is_different else cell)
    return msgspec.structs.replace(
        block,
        kind=f"{SIGN} {block.kind}" if differs else block.kind,
        vital=_lines("vital", block.vital, other_block.vital, seen),
        abilities=tuple(abilities),
        further=_lines("further", block.further, other_block.further, seen),
        features=_features(block.features, other_block.features, seen),
    )


def _features(features: Features, other_features: Features, seen: Differences) -> Features:
    others = dict(other_features)
    return tuple((heading, _lines(heading, lines, others.get(heading, ()), seen)) for heading, lines in features)


def _lines(
    place: str, lines: Sequence[Paragraph], other_lines: Sequence[Paragraph], seen: Differences
) -> tuple[Paragraph, ...]:
    others = {_key(line): _text(line) for line in other_lines}
    marked = []
    for line in lines:
        differs = others.get(_key(line)) != _text(line)
        seen.setdefault((place, _key(line)), differs)
        marked.append(msgspec.structs.replace(line, lead=f"{SIGN} {line.lead}") if differs else line)
    return tuple(marked)


def _key(line: Paragraph) -> str:
    """Return the key that pairs a line with its counterpart: its name or topic, and its label."""
    return f"{line.name or line.about} {line.lead}".casefold()


def _text(line: Paragraph) -> str:
    return "".join(piece.text for piece in line.runs)


ComparedBlock = tuple[Creature, SystemData, str]  # the stat block, the data of its rule system, its source


class SectionsView(StatBlockView):
    """A view that shows a stat block as sections of lines."""

    def show_sections(self, sections: StatSections) -> None:
        """Show the lines of a stat block."""
        self._sections = sections
        self._write()


class CompareDialog(StandardDialog):
    """Shows two stat blocks side by side, which scroll together. `views` are the left and the right view."""

    def __init__(self, left: ComparedBlock, right: ComparedBlock, parent: QWidget | None = None) -> None:
        comparison = compare_sections(
            *(stat_sections(creature, catalogue, tr) for creature, catalogue, _ in (left, right))
        )
        title = tr("ui.library.compare-title", one=left[0].name, other=right[0].name)
        super().__init__(title, parent, _summary(comparison.differing, comparison.lines), GAP)
        row = horizontal(spacing=GROUP_GAP)
        self.column.addLayout(row, 1)
        self.views: list[SectionsView] = []
        for (_, _, place), sections in ((left, comparison.left), (right, comparison.right)):
            view = SectionsView()
            view.show_sections(sections)
            self.views.append(view)
            fill(row, (fill(vertical(), ElidedLabel(place, "caption", "muted"), (view, 1)), 1))
        self._couple(*(view.verticalScrollBar() for view in self.views))
        self.add_buttons(push_button(tr("ui.general.close"), self.accept, "primary"))
        self.resize(scaled(900), scaled(640))

    def _couple(self, first: QScrollBar, second: QScrollBar) -> None:
        """Scroll both views together, in proportion to their lengths, because their lengths rarely match."""
        first.valueChanged.connect(lambda _value: _follow(second, first))
        second.valueChanged.connect(lambda _value: _follow(first, second))


def _follow(bar: QScrollBar, leader: QScrollBar) -> None:
    goal = round(leader.value() / max(1, leader.maximum()) * bar.maximum())
    if bar.isVisible() and abs(bar.value() - goal) * leader.maximum() > bar.maximum():
        bar.setValue(goal)


def _summary(differing: int, lines: int) -> str:
    if not differing:
        return tr("ui.library.compare-same", n=lines)
    return tr("ui.library.compare-lead", sign=SIGN, n=differing, lines=lines)


class KeepPartyDialog(StandardDialog):
    """Asks which party members to save. Emits `kept(name, ids)` with the party's name and the checked roster entries.

    `members` are roster entries and their names, and `lines` are descriptions of their states, keyed by id.
    """

    kept = Signal(str, object)

    def __init__(
        self, members: Sequence[tuple[RosterEntry, str]], lines: Mapping[str, str], name: str, parent: QWidget
    ) -> None:
        super().__init__(tr("ui.party.keep").rstrip("…"), parent, tr("ui.party.keep-lead"))
        self.ticks: dict[str, QCheckBox] = {}
        form = QFormLayout()
        for entry, label in members:
            tick = self.ticks[entry.id] = QCheckBox(label.replace("&", "&&"))
            tick.setChecked(True)
            form.addRow(tick, plain_label(lines[entry.id], wraps=True))
        self.name = named(QLineEdit(name), tr("ui.party.name"))
        form.addRow(plain_label(tr("ui.party.name")), self.name)
        self.column.addLayout(form)
        self.keep_button = self.add_answer(tr("ui.party.keep-do"), self._keep, "content-save-outline")
        self.name.textChanged.connect(lambda text: self.keep_button.setEnabled(bool(text.strip())))
        self.keep_button.setEnabled(bool(name.strip()))
        self.name.setFocus()
        self.resize(scaled(560), self.sizeHint().height())

    def _keep(self) -> None:
        self.kept.emit(self.name.text().strip(), tuple(id for id, tick in self.ticks.items() if tick.isChecked()))
        self.accept()


RESTS: Final = ("short", "long", "haven", "fresh")
MOST_REGAINED = 999

Regained = Mapping[str, int]


class RestPartyDialog(StandardDialog):
    """Asks how the party rests. Emits `rested(party)` with the rested party when the user accepts.

    `rest` returns the party after one of `RESTS`, including additional hit points. `line` describes a member's state.
    `members` are pairs of id and name.
    """

    rested = Signal(object)

    def __init__(
        self,
        party: Party,
        members: Sequence[tuple[str, str]],
        rest: Callable[[str, Regained], Party],
        line: Callable[[Party, str], str],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(tr("ui.rest.title", name=party.name), parent, tr("ui.rest.lead"))
        self._party, self._rest, self._line = party, rest, line
        rests = ((rest_id, tr(f"ui.rest.{rest_id}")) for rest_id in RESTS)
        self.length = with_options(named(QComboBox(), tr("ui.rest.length")), rests)
        self.column.addWidget(self.length)
        grid = QGridLayout()
        grid.setHorizontalSpacing(scaled(16))
        heads = ("member", "now", "regains", "then")
        for column, head in enumerate(heads):
            grid.addWidget(plain_label(tr(f"ui.rest.{head}"), "caption"), 0, column)
        self.regained: dict[str, QSpinBox] = {}
        self.after = {id: plain_label("", wraps=True) for id, _ in members}
        for row, (id, name) in enumerate(members, 1):
            box = self.regained[id] = QSpinBox()
            box.setRange(0, MOST_REGAINED)
            box.setAccessibleName(tr("ui.rest.regains-of", who=name))
            box.valueChanged.connect(self._show)
            grid.addWidget(plain_label(name, "strong"), row, 0)
            grid.addWidget(plain_label(line(party, id), wraps=True), row, 1)
            grid.addWidget(box, row, 2)
            grid.addWidget(self.after[id], row, 3)
        grid.setColumnStretch(1, 1)
        grid.setColumnStretch(3, 1)
        fill(self.column, grid, STRETCH)
        self.rest_button = self.add_answer(tr("ui.rest.do"), self._keep, "bed")
        self.length.currentIndexChanged.connect(self._show)
        self._show()
        self.resize(scaled(720), self.sizeHint().height())

    def party_after(self) -> Party:
        """Return the party after the chosen rest."""
        return self._rest(self.length.currentData(), {id: box.value() for id, box in self.regained.items()})

    def _show(self) -> None:
        for box in self.regained.values():
            box.setEnabled(self.length.currentData() != "fresh")
        after = self.party_after()
        for id, label in self.after.items():
            label.setText(self._line(after, id))

    def _keep(self) -> None:
        self.rested.emit(self.party_after())
        self.accept()
