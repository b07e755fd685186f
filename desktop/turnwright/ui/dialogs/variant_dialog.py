"""The dialog of a creature's variant: name, target rating, and each number before and after with its formula."""

from __future__ import annotations

import msgspec
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QDoubleSpinBox,
    QFormLayout,
    QHeaderView,
    QLineEdit,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from turnwright.encounter.prepared import Creature
from turnwright.rules.parts.preparation.creature_scaling import (
    ScaledCreature,
    ScalingChange,
    ScalingSteps,
    Unscaled,
    benchmark_rating,
    rating_difference,
    scale_creature,
)
from turnwright.rules.system_data import SystemData
from turnwright.ui.fonts import GAP, GROUP_GAP, scaled
from turnwright.ui.models.display_names import rating_text
from turnwright.ui.translations import tr
from turnwright.ui.widgets.fields import NumberField
from turnwright.ui.widgets.layout import horizontal, vertical
from turnwright.ui.widgets.tab_order import ReadingOrderDialog
from turnwright.ui.widgets.text import escaped_tooltip, plain_label, push_button

FACTORS = ("hp", "damage")
DIFFERENCES = ("ac", "attack", "dc", "save", "skill")
_OWN = ""  # factors entered by a person
_MOST = 30
_END = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class VariantDialog(ReadingOrderDialog):
    """`variantMade(creature)` when a person accepts. Where the game has no benchmarks, factors are entered by hand."""

    variantMade = Signal(object)

    def __init__(self, creature: Creature, catalogue: SystemData, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._creature = creature
        self._catalogue = catalogue
        self._figures = catalogue.scaling
        self._start = benchmark_rating(creature, self._figures)
        self.setWindowTitle(tr("ui.library.vary-title", name=creature.name))
        column = vertical(self, margins=GROUP_GAP)
        column.addLayout(self._head())
        self.manual_factors = self._by_hand()
        column.addWidget(self.manual_factors)
        self.formula = plain_label("", tone="muted", wraps=True)
        column.addWidget(self.formula)
        self.table = self._table()
        column.addWidget(self.table, 1)
        self.unscaled = plain_label("", "caption", "muted", wraps=True)
        column.addWidget(self.unscaled)
        row = horizontal()
        row.addStretch(1)
        row.addWidget(push_button(tr("ui.general.cancel"), self.reject))
        self.make_button = push_button(tr("ui.library.vary-make"), self._make, "primary", "content-save-outline")
        row.addWidget(self.make_button)
        column.addLayout(row)
        self.resize(scaled(640), scaled(620))
        self._show()

    @property
    def target_rating(self) -> str:
        """The target rating or level, empty where factors are entered."""
        return str(self.target.currentData())

    def scaled_creature(self) -> ScaledCreature:
        """Return the scaled creature, without the variant's name."""
        steps = rating_difference(self._figures, self._start, self.target_rating) if self.target_rating else None
        return scale_creature(
            self._creature, self._figures, steps or self._typed(), self.target_rating if steps else ""
        )

    def variant(self) -> Creature:
        """Return the variant with its name, and a source that names the original creature."""
        name = self.name.text().strip() or self._creature.name
        source = tr("ui.library.variant-source", name=self._creature.name)
        return msgspec.structs.replace(self.scaled_creature().creature, name=name, source=source)

    # Building --------------------------------------------------------------------------------------------------

    def _head(self) -> QFormLayout:
        form = QFormLayout()
        form.setHorizontalSpacing(scaled(GROUP_GAP))
        form.setVerticalSpacing(scaled(GAP))
        self.name = QLineEdit(tr("ui.library.vary-name", name=self._creature.name))
        self.name.setAccessibleName(tr("ui.library.vary-called"))
        self.name.selectAll()
        self.target = QComboBox()
        self.target.setAccessibleName(tr("ui.library.vary-to"))
        self.target.setMaxVisibleItems(16)
        if self._start:
            for row in self._figures.rows:
                text = rating_text(row.rating)
                here = row.rating == self._start
                self.target.addItem(tr("ui.library.vary-now", rating=text) if here else text, row.rating)
            self.target.setCurrentIndex(self.target.findData(self._start))
        self.target.addItem(tr("ui.library.vary-own-factors"), _OWN)
        self.target.currentIndexChanged.connect(lambda _row: self._show())
        self.name.textChanged.connect(lambda _text: self._judge())
        form.addRow(tr("ui.library.vary-called"), self.name)
        form.addRow(tr("ui.library.vary-to"), self.target)
        return form

    def _by_hand(self) -> QWidget:
        whole = QWidget()
        form = QFormLayout(whole)
        form.setContentsMargins(0, 0, 0, 0)
        form.setHorizontalSpacing(scaled(GROUP_GAP))
        form.setVerticalSpacing(scaled(GAP))
        self.factors: dict[str, QDoubleSpinBox] = {}
        times = horizontal()
        for about in FACTORS:
            field = QDoubleSpinBox()
            field.setRange(0.05, 20)
            field.setSingleStep(0.25)
            field.setValue(1)
            field.setPrefix("× ")
            field.setAccessibleName(tr(f"ui.library.vary-{about}"))
            field.valueChanged.connect(lambda _value: self._show())
            field.setAlignment(Qt.AlignmentFlag.AlignRight)
            self.factors[about] = field
            times.addWidget(plain_label(tr(f"ui.library.vary-{about}"), tone="muted"))
            times.addWidget(field, 1)
        form.addRow(tr("ui.library.vary-times"), times)
        self.differences: dict[str, NumberField] = {}
        row = horizontal()
        for about in DIFFERENCES:
            number = NumberField(-_MOST, _MOST)
            number.setAccessibleName(tr(f"ui.library.vary-{about}"))
            number.valueEdited.connect(lambda _value: self._show())
            self.differences[about] = number
            row.addWidget(plain_label(tr(f"ui.library.vary-{about}"), tone="muted"))
            row.addWidget(number, 1)
        form.addRow(tr("ui.library.vary-added"), row)
        return whole

    def _table(self) -> QTreeWidget:
        table = QTreeWidget()
        table.setRootIsDecorated(False)
        table.setUniformRowHeights(True)
        table.setSelectionMode(QTreeWidget.SelectionMode.NoSelection)
        table.setAccessibleName(tr("ui.library.vary-table"))
        table.setHeaderLabels([tr(f"ui.library.vary-column-{name}") for name in ("what", "before", "by", "after")])
        for section in (1, 2, 3):
            table.headerItem().setTextAlignment(section, _END)
        head = table.header()
        head.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        for section in (1, 2, 3):
            head.setSectionResizeMode(section, QHeaderView.ResizeMode.ResizeToContents)
        head.setStretchLastSection(False)
        return table

    # Showing ---------------------------------------------------------------------------------------------------

    def _typed(self) -> ScalingSteps:
        factor = {about: field.value() for about, field in self.factors.items()}
        added = {about: field.number() or 0 for about, field in self.differences.items()}
        return ScalingSteps(
            factor["hp"], factor["damage"], added["ac"], added["attack"], added["dc"], added["save"], added["skill"]
        )

    def _show(self) -> None:
        self.manual_factors.setVisible(not self.target_rating)
        self.formula.setText(self._explained())
        found = self.scaled_creature()
        self.table.clear()
        for change in found.changes:
            row = QTreeWidgetItem([self._named(change), change.before, change.by, change.after])
            for section in (1, 2, 3):
                row.setTextAlignment(section, _END)
            row.setToolTip(0, escaped_tooltip(row.text(0)))
            self.table.addTopLevelItem(row)
        self.unscaled.setText(self._unscaled_text(found.unscaled))
        self._judge()

    def _judge(self) -> None:
        self.make_button.setEnabled(bool(self.name.text().strip()))

    def _explained(self) -> str:
        """Return the formula: the benchmarks of both ratings, and the factors that follow."""
        if not self._start:
            return tr("ui.library.vary-no-rows" if not self._figures.rows else "ui.library.vary-no-place")
        if not self.target_rating:
            return tr("ui.library.vary-own")
        before, after = self._figures.benchmark(self._start), self._figures.benchmark(self.target_rating)
        if before is None or after is None or before is after:
            return tr("ui.library.vary-same")
        pairs = [(about, getattr(before, about), getattr(after, about)) for about in (*FACTORS, *DIFFERENCES)]
        usual = "; ".join(f"{tr(f'ui.library.vary-{about}')} {old:g} → {new:g}" for about, old, new in pairs)
        return tr(
            "ui.library.vary-formula", start=rating_text(before.rating), goal=rating_text(after.rating), usual=usual
        )

    def _named(self, change: ScalingChange) -> str:
        what = tr(f"ui.library.vary-{change.about}")
        name = self._called(change)
        return f"{what}: {name}" if name else what

    def _called(self, change: ScalingChange) -> str:
        """Return the game's name of an ability or a skill, or a feature's own name."""
        names = {one.id: one.name for one in self._catalogue.skills}
        names |= {one.id: one.name for one in self._catalogue.abilities}
        if change.about == "save":
            names |= dict(self._catalogue.presentation.saves)
        return names.get(change.name, change.name)

    def _unscaled_text(self, kept: tuple[Unscaled, ...]) -> str:
        if not kept:
            return ""
        parts: dict[str, list[str]] = {}
        for one in kept:
            parts.setdefault(one.about, []).append(one.name)
        listed = [
            f"{tr(f'ui.library.vary-kept-{about}')}{': ' if any(names) else ''}{', '.join(filter(None, names))}"
            for about, names in parts.items()
        ]
        return tr("ui.library.vary-stays", what="; ".join(listed))

    def _make(self) -> None:
        self.accept()
        self.variantMade.emit(self.variant())
