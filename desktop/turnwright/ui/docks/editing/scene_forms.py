"""The forms of the scene: title and rule system, setting, and texts."""

from __future__ import annotations

from typing import Any

import msgspec
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from turnwright.encounter.prepared import Scene
from turnwright.rules.system import RuleSystem
from turnwright.ui.docks.editing.bindings import Binding
from turnwright.ui.docks.editing.fields import ChoiceField, LineListField, MultiLineTextField, Options, TextField
from turnwright.ui.docks.editing.form import Form
from turnwright.ui.fonts import set_role
from turnwright.ui.translations import tr

PURPOSES = ("combat", "competition", "hazard", "chase")
LIGHTS = ("bright", "dim", "dark")
STRICTNESSES = ("off", "warn", "enforce")


class SettingForm(Form):
    """The form of the setting; another purpose sets its usual round length, unless the round was set by hand."""

    def __init__(self, binding: Binding, rules: RuleSystem, parent: QWidget) -> None:
        super().__init__(binding, parent)
        self._rules = rules

    def _edit(self, name: str, value: Any) -> None:
        scene = self.binding.value()
        if name != "purpose" or not isinstance(scene, Scene):
            super()._edit(name, value)
            return
        changes = {"purpose": value}
        if scene.round_seconds == self._rules.default_round_seconds(scene.purpose):
            changes["round_seconds"] = self._rules.default_round_seconds(value)
        self.binding.write(msgspec.structs.replace(scene, **changes), name)


def title_form(binding: Binding, rules: RuleSystem, offer_systems: QMenu, parent: QWidget) -> Form:
    """Return the line with the encounter's title and its rule system; `offer_systems` is the menu of the others."""
    form = Form(binding, parent)
    title = TextField(tr("ui.scene.title-hint"))
    title.set_name(tr("ui.scene.title"))
    set_role(title.line, "strong")
    holder = form.add_row(("title", "", title))
    title.set_name(tr("ui.scene.title"))
    system = QToolButton()
    system.setText(rules.data.name.replace("&", "&&"))
    system.setMenu(offer_systems)
    system.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
    system.setAccessibleName(tr("ui.scene.system", name=rules.data.name))
    system.setToolTip(tr("ui.scene.system-change", name=rules.data.name))
    row = holder.layout()
    if row is not None:
        row.addWidget(system)
        row.setAlignment(system, Qt.AlignmentFlag.AlignVCenter)
    return form


def setting_form(binding: Binding, rules: RuleSystem, parent: QWidget) -> Form:
    """Return the row with purpose, round length, light and how strictly rules are enforced."""
    form = SettingForm(binding, rules, parent)
    rounds = [(length.seconds, length.name) for length in rules.data.round_lengths]
    form.add_row(
        ("purpose", "ui.scene.purpose", ChoiceField(_choices("purpose", PURPOSES))),
        ("round_seconds", "ui.scene.round", ChoiceField(rounds)),
        ("light", "ui.scene.light", ChoiceField(_choices("light", LIGHTS))),
        ("strictness", "ui.scene.strictness", ChoiceField(_choices("strictness", STRICTNESSES))),
        wraps=(4, 104),
    )
    return form


def notes_form(binding: Binding, rules: RuleSystem, parent: QWidget) -> Form:
    """Return the texts: read aloud, notes, conditions of the scene, and treasure in systems that award it."""
    form = Form(binding, parent)
    form.add_row(("read_aloud", "ui.scene.read-aloud", MultiLineTextField(tr("ui.scene.read-aloud-hint"), 2, 10)))
    form.add_row(("notes", "ui.scene.notes", MultiLineTextField(tr("ui.scene.notes-hint"), 2, 14)))
    form.add_row(("conditions", "ui.scene.conditions", MultiLineTextField(tr("ui.scene.conditions-hint"), 1, 4)))
    if rules.data.awards.treasure:
        form.add_row(("treasure", "ui.scene.treasure", LineListField(tr("ui.scene.treasure-hint"), 1, 6)))
    return form


def _choices(group: str, ids: tuple[str, ...]) -> Options:
    return [(id, tr(f"ui.scene.{group}-{id}")) for id in ids]
