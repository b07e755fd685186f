"""Class features of a stat block: the game master names classes with levels and ticks the features."""

from PySide6.QtWidgets import QLineEdit, QWidget

from turnwright.encounter.prepared import Creature
from turnwright.importers.traits import powers, understand
from turnwright.play.setup.prepared_records import Edit
from turnwright.ui.look.style import scaled, tr
from turnwright.ui.services.document_model import DocumentModel
from turnwright.ui.widgets import dialog, fields, text
from turnwright.workspace.quick_add import class_levels


class ClassFeaturesDialog(dialog.StandardDialog):
    """Adds class features to a stat block. Features that it has without numbers get the numbers."""

    def __init__(self, document: DocumentModel, creature: Creature, parent: QWidget | None = None) -> None:
        super().__init__(tr("ui.class-features.title"), parent, tr("ui.class-features.lead", name=creature.name))
        self._document, self._creature = document, creature
        self._classes: powers.CharacterRules = powers.character_rules(document.rules.data)
        self.line = QLineEdit(self._guess(), placeholderText=tr("ui.class-features.hint"))
        self.line.setAccessibleName(tr("ui.class-features.line"))
        self.picks = fields.PickRow(tr("ui.quick-add.features"), many=True)
        self.note = text.plain_label("", tone="muted", wraps=True)
        for part in (self.line, self.picks, self.note):
            self.column.addWidget(part)
        self.column.addStretch(1)
        self.add_button = self.add_answer(tr("ui.class-features.add"), self.submit, "check-bold", default=False)
        self.setMinimumWidth(scaled(480))
        self.line.textChanged.connect(self._show)
        self._show()

    def submit(self) -> None:
        """Change the stat block in one step and close the dialog."""
        left_out = {button.pick.id for button in self.picks.buttons()} - {*self.picks.chosen()}
        changed = self._classes.applied(self._creature, self._levels()[0], left_out)
        if self._document.execute(Edit(changed)):
            self.accept()

    def _guess(self) -> str:
        """Return the fewest classes that have the features that the stat block names, with its level."""
        found = (self._classes.features.called(feature.name) for feature in self._creature.features)
        names: list[str] = []
        for classes in sorted((power.classes for power in found if power is not None), key=len):
            if not any(name in names for name, _ in classes):
                names.append(classes[0][0])
        return " ".join(f"{name} {max(1, self._creature.level)}" for name in names)

    def _levels(self) -> tuple[dict[str, int], list[str]]:
        """Return the typed levels by class, and the words that name none."""
        levels, rest = class_levels(("", *self.line.text().replace(",", " ").split()), self._classes.names)
        return levels, [*rest][1:]

    def _show(self) -> None:
        levels, unknown = self._levels()
        picks = []
        for feature in self._classes.offered(self._creature, levels):
            held = self._classes.features.held(self._creature, feature)
            if self._classes.features.lacks(self._document.rules.data, self._creature, feature):
                has_numbers = held is not None and not understand.has_only_text(held)
                note = tr(f"ui.class-features.{'other' if has_numbers else 'named'}") if held is not None else ""
                picks.append(fields.PickOption(feature.id, feature.name, tip=feature.text, note=note))
        self.picks.set_picks(picks, [pick.id for pick in picks])
        known = ", ".join(sorted(self._classes.names))
        none = tr("ui.class-features.none") if levels and not picks else ""
        self.note.setText(tr("ui.class-features.unknown", what=" ".join(unknown), names=known) if unknown else none)
        self.add_button.setEnabled(bool(levels) and not unknown)
