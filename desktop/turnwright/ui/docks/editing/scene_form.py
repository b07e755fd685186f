"""The forms of the scene: its title and round, its setting, and what is read aloud or kept for oneself."""

from __future__ import annotations

from typing import Any

import msgspec
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from turnwright.encounter.prepared import Scene
from turnwright.rules.system import RuleSystem
from turnwright.ui.docks.editing.fields import ChoiceField, LinesField, LongTextField, Options, TextField
from turnwright.ui.docks.editing.form import Form
from turnwright.ui.docks.editing.subjects import Subject
from turnwright.ui.fonts import set_role
from turnwright.ui.say import say

PURPOSES = ("combat", "competition", "hazard", "chase")
LIGHTS = ("bright", "dim", "dark")
STRICTNESSES = ("off", "warn", "enforce")


class SettingForm(Form):
    """The setting; another purpose brings its usual round, unless the round was chosen by hand."""

    def __init__(self, subject: Subject, rules: RuleSystem, parent: QWidget) -> None:
        super().__init__(subject, parent)
        self._rules = rules

    def _edit(self, name: str, value: Any) -> None:
        scene = self.subject.value()
        if name != "purpose" or not isinstance(scene, Scene):
            super()._edit(name, value)
            return
        changes = {"purpose": value}
        if scene.round_seconds == self._rules.usual_round(scene.purpose):
            changes["round_seconds"] = self._rules.usual_round(value)
        self.subject.put(msgspec.structs.replace(scene, **changes), name)


def title_form(subject: Subject, rules: RuleSystem, games: QMenu, parent: QWidget) -> Form:
    """Return the line with the encounter's title and its rule system; `games` offers the others."""
    form = Form(subject, parent)
    title = TextField(say("ui.scene.title-hint"))
    title.set_name(say("ui.scene.title"))
    set_role(title.line, "strong")
    holder = form.row(("title", "", title))
    title.set_name(say("ui.scene.title"))
    system = QToolButton()
    system.setText(rules.catalogue.name.replace("&", "&&"))
    system.setMenu(games)
    system.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
    system.setAccessibleName(say("ui.scene.system", name=rules.catalogue.name))
    system.setToolTip(say("ui.scene.system-change", name=rules.catalogue.name))
    row = holder.layout()
    if row is not None:
        row.addWidget(system)
        row.setAlignment(system, Qt.AlignmentFlag.AlignVCenter)
    return form


def setting_form(subject: Subject, rules: RuleSystem, parent: QWidget) -> Form:
    """Return the row with purpose, round, light and how strictly rules are held."""
    form = SettingForm(subject, rules, parent)
    rounds = [(length.seconds, length.name) for length in rules.catalogue.round_lengths]
    form.row(
        ("purpose", "ui.scene.purpose", ChoiceField(_choices("purpose", PURPOSES))),
        ("round_seconds", "ui.scene.round", ChoiceField(rounds)),
        ("light", "ui.scene.light", ChoiceField(_choices("light", LIGHTS))),
        ("strictness", "ui.scene.strictness", ChoiceField(_choices("strictness", STRICTNESSES))),
        wraps=(4, 104),
    )
    return form


def notes_form(subject: Subject, rules: RuleSystem, parent: QWidget) -> Form:
    """Return the texts: read aloud, notes, what holds for the whole scene, and treasure where the game knows of it."""
    form = Form(subject, parent)
    form.row(("read_aloud", "ui.scene.read-aloud", LongTextField(say("ui.scene.read-aloud-hint"), 2, 10)))
    form.row(("notes", "ui.scene.notes", LongTextField(say("ui.scene.notes-hint"), 2, 14)))
    form.row(("conditions", "ui.scene.conditions", LongTextField(say("ui.scene.conditions-hint"), 1, 4)))
    if rules.catalogue.awards.treasure:
        form.row(("treasure", "ui.scene.treasure", LinesField(say("ui.scene.treasure-hint"), 1, 6)))
    return form


def _choices(group: str, ids: tuple[str, ...]) -> Options:
    return [(id, say(f"ui.scene.{group}-{id}")) for id in ids]
