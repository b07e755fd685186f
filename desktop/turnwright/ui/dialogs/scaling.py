"""A variant of a creature: a name, how strong it shall be, and each figure before and after with how it came about."""

from __future__ import annotations

import msgspec
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDoubleSpinBox,
    QFormLayout,
    QHBoxLayout,
    QHeaderView,
    QLineEdit,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from turnwright.encounter.prepared import Creature
from turnwright.rules.catalogue import Catalogue
from turnwright.rules.parts.scaling import Change, Kept, Scaled, Steps, place_of, scaled, steps_between
from turnwright.ui.fonts import GAP, GROUP_GAP, px
from turnwright.ui.models.naming import rating_text
from turnwright.ui.say import say
from turnwright.ui.widgets.fields import NumberField
from turnwright.ui.widgets.text import literal_tip, plain_label, push_button

FACTORS = ("hp", "damage")
DIFFERENCES = ("ac", "attack", "dc", "save", "skill")
_OWN = ""  # factors that a person gives
_MOST = 30
_END = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class ScalingDialog(QDialog):
    """`made(creature)` when the variant is wanted. Where its game has no usual figures, factors are given by hand."""

    made = Signal(object)

    def __init__(self, creature: Creature, catalogue: Catalogue, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._creature = creature
        self._catalogue = catalogue
        self._figures = catalogue.scaling
        self._start = place_of(creature, self._figures)
        self.setWindowTitle(say("ui.library.vary-title", name=creature.name))
        column = QVBoxLayout(self)
        column.setContentsMargins(px(GROUP_GAP), px(GROUP_GAP), px(GROUP_GAP), px(GROUP_GAP))
        column.setSpacing(px(GAP))
        column.addLayout(self._head())
        self.hand = self._by_hand()
        column.addWidget(self.hand)
        self.formula = plain_label("", tone="muted", wraps=True)
        column.addWidget(self.formula)
        self.table = self._table()
        column.addWidget(self.table, 1)
        self.kept = plain_label("", "caption", "muted", wraps=True)
        column.addWidget(self.kept)
        row = QHBoxLayout()
        row.setSpacing(px(GAP))
        row.addStretch(1)
        row.addWidget(push_button(say("ui.general.cancel"), self.reject))
        self.make_button = push_button(say("ui.library.vary-make"), self._make, "primary", "content-save-outline")
        row.addWidget(self.make_button)
        column.addLayout(row)
        self.resize(px(640), px(620))
        self._show()

    @property
    def goal(self) -> str:
        """The rating or level to come to, empty where factors are given."""
        return str(self.target.currentData())

    def outcome(self) -> Scaled:
        """Return the creature as it would come out now."""
        steps = steps_between(self._figures, self._start, self.goal) if self.goal else None
        return scaled(self._creature, self._figures, steps or self._typed(), self.goal if steps else "")

    def variant(self) -> Creature:
        """Return the variant with its name, and a source that says what it is a variant of."""
        name = self.name.text().strip() or self._creature.name
        source = say("ui.library.variant-source", name=self._creature.name)
        return msgspec.structs.replace(self.outcome().creature, name=name, source=source)

    # Building --------------------------------------------------------------------------------------------------

    def _head(self) -> QFormLayout:
        form = QFormLayout()
        form.setHorizontalSpacing(px(GROUP_GAP))
        form.setVerticalSpacing(px(GAP))
        self.name = QLineEdit(say("ui.library.vary-name", name=self._creature.name))
        self.name.setAccessibleName(say("ui.library.vary-called"))
        self.name.selectAll()
        self.target = QComboBox()
        self.target.setAccessibleName(say("ui.library.vary-to"))
        self.target.setMaxVisibleItems(16)
        if self._start:
            for row in self._figures.rows:
                text = rating_text(row.rating)
                here = row.rating == self._start
                self.target.addItem(say("ui.library.vary-now", rating=text) if here else text, row.rating)
            self.target.setCurrentIndex(self.target.findData(self._start))
        self.target.addItem(say("ui.library.vary-by-hand"), _OWN)
        self.target.currentIndexChanged.connect(lambda _row: self._show())
        self.name.textChanged.connect(lambda _text: self._judge())
        form.addRow(say("ui.library.vary-called"), self.name)
        form.addRow(say("ui.library.vary-to"), self.target)
        return form

    def _by_hand(self) -> QWidget:
        whole = QWidget()
        form = QFormLayout(whole)
        form.setContentsMargins(0, 0, 0, 0)
        form.setHorizontalSpacing(px(GROUP_GAP))
        form.setVerticalSpacing(px(GAP))
        self.factors: dict[str, QDoubleSpinBox] = {}
        times = QHBoxLayout()
        times.setSpacing(px(GAP))
        for about in FACTORS:
            field = QDoubleSpinBox()
            field.setRange(0.05, 20)
            field.setSingleStep(0.25)
            field.setValue(1)
            field.setPrefix("× ")
            field.setAccessibleName(say(f"ui.library.vary-{about}"))
            field.valueChanged.connect(lambda _value: self._show())
            field.setAlignment(Qt.AlignmentFlag.AlignRight)
            self.factors[about] = field
            times.addWidget(plain_label(say(f"ui.library.vary-{about}"), tone="muted"))
            times.addWidget(field, 1)
        form.addRow(say("ui.library.vary-times"), times)
        self.differences: dict[str, NumberField] = {}
        row = QHBoxLayout()
        row.setSpacing(px(GAP))
        for about in DIFFERENCES:
            number = NumberField(-_MOST, _MOST)
            number.setAccessibleName(say(f"ui.library.vary-{about}"))
            number.valueEdited.connect(lambda _value: self._show())
            self.differences[about] = number
            row.addWidget(plain_label(say(f"ui.library.vary-{about}"), tone="muted"))
            row.addWidget(number, 1)
        form.addRow(say("ui.library.vary-added"), row)
        return whole

    def _table(self) -> QTreeWidget:
        table = QTreeWidget()
        table.setRootIsDecorated(False)
        table.setUniformRowHeights(True)
        table.setSelectionMode(QTreeWidget.SelectionMode.NoSelection)
        table.setAccessibleName(say("ui.library.vary-table"))
        table.setHeaderLabels([say(f"ui.library.vary-column-{name}") for name in ("what", "before", "by", "after")])
        for section in (1, 2, 3):
            table.headerItem().setTextAlignment(section, _END)
        head = table.header()
        head.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        for section in (1, 2, 3):
            head.setSectionResizeMode(section, QHeaderView.ResizeMode.ResizeToContents)
        head.setStretchLastSection(False)
        return table

    # Showing ---------------------------------------------------------------------------------------------------

    def _typed(self) -> Steps:
        factor = {about: field.value() for about, field in self.factors.items()}
        added = {about: field.number() or 0 for about, field in self.differences.items()}
        return Steps(
            factor["hp"], factor["damage"], added["ac"], added["attack"], added["dc"], added["save"], added["skill"]
        )

    def _show(self) -> None:
        self.hand.setVisible(not self.goal)
        self.formula.setText(self._explained())
        found = self.outcome()
        self.table.clear()
        for change in found.changes:
            row = QTreeWidgetItem([self._named(change), change.before, change.by, change.after])
            for section in (1, 2, 3):
                row.setTextAlignment(section, _END)
            row.setToolTip(0, literal_tip(row.text(0)))
            self.table.addTopLevelItem(row)
        self.kept.setText(self._said(found.kept))
        self._judge()

    def _judge(self) -> None:
        self.make_button.setEnabled(bool(self.name.text().strip()))

    def _explained(self) -> str:
        """Return the formula: what is usual at either rating, and what follows from it."""
        if not self._start:
            return say("ui.library.vary-no-rows" if not self._figures.rows else "ui.library.vary-no-place")
        if not self.goal:
            return say("ui.library.vary-own")
        before, after = self._figures.row(self._start), self._figures.row(self.goal)
        if before is None or after is None or before is after:
            return say("ui.library.vary-same")
        pairs = [(about, getattr(before, about), getattr(after, about)) for about in (*FACTORS, *DIFFERENCES)]
        usual = "; ".join(f"{say(f'ui.library.vary-{about}')} {old:g} → {new:g}" for about, old, new in pairs)
        return say(
            "ui.library.vary-formula", start=rating_text(before.rating), goal=rating_text(after.rating), usual=usual
        )

    def _named(self, change: Change) -> str:
        what = say(f"ui.library.vary-{change.about}")
        name = self._called(change)
        return f"{what}: {name}" if name else what

    def _called(self, change: Change) -> str:
        """Return the game's word for an ability or a skill, a feature's own name."""
        names = {one.id: one.name for one in self._catalogue.skills}
        names |= {one.id: one.name for one in self._catalogue.abilities}
        if change.about == "save":
            names |= dict(self._catalogue.presentation.saves)
        return names.get(change.name, change.name)

    def _said(self, kept: tuple[Kept, ...]) -> str:
        if not kept:
            return ""
        parts: dict[str, list[str]] = {}
        for one in kept:
            parts.setdefault(one.about, []).append(one.name)
        listed = [
            f"{say(f'ui.library.vary-kept-{about}')}{': ' if any(names) else ''}{', '.join(filter(None, names))}"
            for about, names in parts.items()
        ]
        return say("ui.library.vary-stays", what="; ".join(listed))

    def _make(self) -> None:
        self.accept()
        self.made.emit(self.variant())
