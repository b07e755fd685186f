"""Comparison of two stat blocks side by side, with each difference marked."""

from __future__ import annotations

from PySide6.QtWidgets import QScrollBar, QWidget

from turnwright.encounter.prepared import Creature
from turnwright.rules.parts.stat_block.sections import StatSections, stat_sections
from turnwright.rules.system_data import SystemData
from turnwright.ui.dialogs.library.compare_sections import SIGN, compare_sections
from turnwright.ui.look.fonts import GAP, GROUP_GAP, scaled
from turnwright.ui.look.translations import tr
from turnwright.ui.widgets.dialog import StandardDialog
from turnwright.ui.widgets.layout import ElidedLabel, horizontal, vertical
from turnwright.ui.widgets.records.stat_block import StatBlockView
from turnwright.ui.widgets.text import push_button

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
            side = vertical()
            caption = ElidedLabel(place, "caption")
            caption.setProperty("tone", "muted")
            side.addWidget(caption)
            view = SectionsView()
            view.show_sections(sections)
            self.views.append(view)
            side.addWidget(view, 1)
            row.addLayout(side, 1)
        self._couple(*(view.verticalScrollBar() for view in self.views))
        self.add_buttons(push_button(tr("ui.general.close"), self.accept, "primary"))
        self.resize(scaled(900), scaled(640))

    def _couple(self, first: QScrollBar, second: QScrollBar) -> None:
        """Scroll both views together, in proportion to their lengths, since stat blocks are seldom equally long."""
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
