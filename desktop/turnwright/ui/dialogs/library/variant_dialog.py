"""The dialog that creates a variant of a creature, with its name, target rating, and all numbers before and after."""

import msgspec
from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QDoubleSpinBox, QTreeWidget, QTreeWidgetItem, QWidget

from turnwright.encounter import prepared, state
from turnwright.rules.parts.preparation import creature_scaling
from turnwright.rules.word_keys import rating_text
from turnwright.ui.forms import fields, form, kinds, record_fields
from turnwright.ui.look.style import GAP, escaped_tooltip, scaled, tr
from turnwright.ui.widgets.dialog import StandardDialog, TableTree
from turnwright.ui.widgets.text import plain_label

FACTORS = ("hp", "damage")
DIFFERENCES = ("ac", "attack", "dc", "save", "skill")
_OWN = ""  # factors entered by the user
_MOST = 30
_END = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class VariantOptions(creature_scaling.ScalingSteps, frozen=True):
    """The entered options: the variant's name, rating or level and role, and the factors if no rating is chosen."""

    called: str = ""
    to: str = _OWN
    role: str = ""


class FactorField(fields.Field):
    """A field for a factor, such as `× 1.25`."""

    def __init__(self) -> None:
        super().__init__()
        self.box = QDoubleSpinBox(minimum=0.05, maximum=20, singleStep=0.25, prefix="× ")
        self.box.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.add_control(self.box)
        self.box.valueChanged.connect(self.edited.emit)

    def show_value(self, value: float) -> None:
        """Set the displayed factor."""
        with QSignalBlocker(self.box):
            self.box.setValue(value)


class VariantDialog(StandardDialog):
    """Creates a variant. Emits `variantMade(creature)` when the user accepts.

    If the rule system has no benchmarks for the creature, the factors are entered by hand.
    """

    variantMade = Signal(object)

    def __init__(self, creature: prepared.Creature, context: kinds.FormContext, parent: QWidget | None = None) -> None:
        super().__init__(tr("ui.library.vary-title", name=creature.name), parent, spacing=GAP)
        self._creature = creature
        self._catalogue = context.rules.data
        self._figures = self._catalogue.scaling
        self._start = creature_scaling.benchmark_rating(creature, self._figures)
        options = VariantOptions(
            called=tr("ui.library.vary-name", name=creature.name), to=self._start, role=creature.role
        )
        self.draft = record_fields.CommandDraft(options, lambda value, _entered: value)
        self.draft.changed = self._show
        self.form = form.Form(self._layout(), self.draft, context, self)
        self.formula = plain_label("", tone="muted", wraps=True)
        headings = [tr(f"ui.library.vary-column-{name}") for name in ("what", "before", "by", "after")]
        self.table = TableTree(tr("ui.library.vary-table"), headings)
        self.table.setUniformRowHeights(True)
        self.table.setSelectionMode(QTreeWidget.SelectionMode.NoSelection)
        for section in (1, 2, 3):
            self.table.headerItem().setTextAlignment(section, _END)
        self.unscaled = plain_label("", "caption", "muted", wraps=True)
        for widget in (self.form, self.formula, self.table, self.unscaled):
            self.column.addWidget(widget, int(widget is self.table))
        make = tr("ui.library.vary-make")
        self.make_button = self.add_answer(make, self._make, "content-save-outline", default=False)
        self.resize(scaled(640), scaled(620))
        self._show()
        self.form.focus_first()

    def options(self) -> VariantOptions:
        """Return the entered options."""
        options: VariantOptions = self.draft.value()
        return options

    def scaled_creature(self) -> creature_scaling.ScaledCreature:
        """Return the scaled creature, without the variant's name."""
        options = self.options()
        steps = creature_scaling.rating_difference(self._figures, self._start, options.to) if options.to else None
        goal = options.to if steps else ""
        steps = creature_scaling.with_role(steps or options, self._figures, self._creature.role, options.role)
        return creature_scaling.scale_creature(self._creature, self._figures, steps, goal)

    def variant(self) -> prepared.Creature:
        """Return the variant, including its name and a source that names the original creature."""
        name = self.options().called.strip() or self._creature.name
        source = tr("ui.library.variant-source", name=self._creature.name)
        return msgspec.structs.replace(
            self.scaled_creature().creature, name=name, source=source, role=self.options().role
        )

    def _layout(self) -> form.FormLayout:
        def by_hand(options: VariantOptions, _context: kinds.FormContext) -> bool:
            return options.to == _OWN

        roles = [(role.id, tr(f"ui.creature.role-{role.id}")) for role in self._figures.roles]
        has_role = self._creature.role in dict(roles)
        return form.FormLayout(
            VariantOptions,
            (
                form.Row(("called", "to"), stretch=(3, 2)),
                form.Row(("role",), shown_when=lambda _options, _context: has_role),
                form.Row(FACTORS, shown_when=by_hand),
                form.Row(DIFFERENCES, shown_when=by_hand),
            ),
            captions={name: f"ui.library.vary-{name}" for name in VariantOptions.__struct_fields__},
            fields={
                "to": lambda _request: fields.ChoiceField(self._targets()),
                "role": lambda _request: fields.ChoiceField(roles),
                **dict.fromkeys(FACTORS, lambda _request: FactorField()),
                **dict.fromkeys(DIFFERENCES, lambda _request: fields.NumberInput(-_MOST, _MOST)),
            },
        )

    def _targets(self) -> fields.Options:
        """Return the target options: factors by hand, and the benchmark ratings if they include the creature's own."""
        ratings = [(row.rating, rating_text(row.rating)) for row in self._figures.rows if self._start]
        here = {self._start: tr("ui.library.vary-now", rating=rating_text(self._start))}
        return [
            *((rating, here.get(rating, text)) for rating, text in ratings),
            (_OWN, tr("ui.library.vary-own-factors")),
        ]

    def _show(self) -> None:
        self.form.refresh()
        self.formula.setText(self._explained())
        creature = self.scaled_creature()
        self.table.clear()
        for change in creature.changes:
            row = QTreeWidgetItem([self._named(change), change.before, change.by, change.after])
            for section in (1, 2, 3):
                row.setTextAlignment(section, _END)
            row.setToolTip(0, escaped_tooltip(row.text(0)))
            self.table.addTopLevelItem(row)
        self.unscaled.setText(self._unscaled_text(creature.unscaled))
        self.make_button.setEnabled(bool(self.options().called.strip()))

    def _explained(self) -> str:
        """Explain the scaling: return the benchmark numbers of both ratings, or the reason why there are none."""
        if not self._start:
            return tr("ui.library.vary-no-rows" if not self._figures.rows else "ui.library.vary-no-place")
        target = self.options().to
        if target == _OWN:
            return tr("ui.library.vary-own")
        before, after = self._figures.benchmark(self._start), self._figures.benchmark(target)
        if before is None or after is None or before is after:
            return tr("ui.library.vary-same")
        pairs = [(about, getattr(before, about), getattr(after, about)) for about in (*FACTORS, *DIFFERENCES)]
        usual = "; ".join(f"{tr(f'ui.library.vary-{about}')} {old:g} → {new:g}" for about, old, new in pairs)
        return tr(
            "ui.library.vary-formula", start=rating_text(before.rating), goal=rating_text(after.rating), usual=usual
        )

    def _named(self, change: creature_scaling.ScalingChange) -> str:
        what = tr(f"ui.library.vary-{change.about}")
        name = self._called(change)
        return f"{what}: {name}" if name else what

    def _called(self, change: creature_scaling.ScalingChange) -> str:
        """Return the rule system's name of an ability, save or skill, or the plain name of any other change."""
        names = {skill.id: skill.name for skill in self._catalogue.skills}
        names |= {ability.id: ability.name for ability in self._catalogue.abilities}
        names |= {resource.id: resource.name for resource in self._catalogue.resources}
        if change.about == "save":
            names |= dict(self._catalogue.presentation.saves)
        return names.get(change.name, change.name)

    def _unscaled_text(self, unscaled: tuple[creature_scaling.Unscaled, ...]) -> str:
        if not unscaled:
            return ""
        parts = state.grouped((number.about, number.name) for number in unscaled)
        listed = [
            f"{tr(f'ui.library.vary-kept-{about}')}{': ' if any(names) else ''}{', '.join(filter(None, names))}"
            for about, names in parts.items()
        ]
        return tr("ui.library.vary-stays", what="; ".join(listed))

    def _make(self) -> None:
        self.accept()
        self.variantMade.emit(self.variant())
