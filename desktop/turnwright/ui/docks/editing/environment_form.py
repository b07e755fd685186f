"""The forms of an environment and of one of its rows, and a row in a few words."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QWidget

from turnwright.encounter.prepared import Entry
from turnwright.rules.catalogue import Catalogue
from turnwright.ui.docks.editing.compound import AfflictionsField, SaveField
from turnwright.ui.docks.editing.creature_form import named, recharge_field, said_problem
from turnwright.ui.docks.editing.fields import (
    ChoiceField,
    DiceField,
    LongTextField,
    NumberBox,
    Options,
    TextField,
)
from turnwright.ui.docks.editing.form import Form
from turnwright.ui.docks.editing.subjects import Subject
from turnwright.ui.say import say

KINDS = ("object", "obstacle", "area", "field")
AFFECTS = ("each", "one", "beneath", "actor", "nobody")
TRIGGERS = ("used", "touch", "turn-end", "dash", "falls", "disturbed", "rolled", "spell", "standing")
COVERS = ("", "half", "three-quarters", "total")
OBSCURED = ("", "lightly", "heavily")
LIMITS = ("", "turn", "encounter")


def environment_form(subject: Subject, parent: QWidget) -> Form:
    """Return the form of the whole place."""
    form = Form(subject, parent)
    form.row(
        ("name", "ui.creature.name", TextField(say("ui.environment.name-hint"))),
        ("size", "ui.environment.size", TextField(say("ui.environment.size-hint"))),
        stretch=(3, 2),
    )
    form.row(("description", "ui.environment.description", LongTextField(say("ui.environment.description-hint"), 1)))
    return form


def entry_form(subject: Subject, catalogue: Catalogue, parent: QWidget, *, action: bool) -> Form:
    """Return the form of one row: a world action, or a standing feature."""
    form = Form(subject, parent)
    if action:
        form.row(
            ("name", "ui.entry.name", TextField()),
            ("recharge", "ui.feature.recharge", recharge_field()),
            stretch=(3, 2),
        )
    else:
        kinds = [(None, say("ui.entry.no-kind")), *_choices("kind", KINDS)]
        form.row(("name", "ui.entry.name", TextField()), ("kind", "ui.entry.kind", ChoiceField(kinds)), stretch=(3, 2))
        form.row(
            ("trigger", "ui.entry.trigger", ChoiceField(_choices("trigger", TRIGGERS))),
            ("once", "ui.entry.once", ChoiceField(_choices("once", LIMITS))),
        )
    form.row(
        ("affects", "ui.entry.affects", ChoiceField(_choices("affects", AFFECTS))),
        ("within", "ui.entry.within", TextField(say("ui.entry.within-hint"))),
    )
    form.row(("save", "ui.editing.save", SaveField(named(catalogue.abilities))))
    form.row(
        ("damage", "ui.entry.damage", DiceField(said_problem, say("ui.editing.damage-hint"))),
        ("fatigue", "ui.entry.fatigue", NumberBox(0, 10, say("ui.entry.levels"), "–", zero_is_blank=True)),
        stretch=(3, 2),
    )
    form.row(("afflictions", "ui.entry.afflictions", AfflictionsField(named(catalogue.conditions))))
    if not action:
        form.row(
            ("terrain", "ui.entry.terrain", ChoiceField(_choices("terrain", ("", "difficult")))),
            ("obscured", "ui.entry.obscured", ChoiceField(_choices("obscured", OBSCURED))),
        )
        form.row(
            ("cover", "ui.entry.cover", ChoiceField(_choices("cover", COVERS))),
            ("ac", "ui.entry.ac", NumberBox(0, 40, "", "–", zero_is_blank=True)),
        )
    form.row(("text", "ui.feature.text", LongTextField(say("ui.entry.text-hint"))))
    return form


def describe_entry(catalogue: Catalogue) -> Callable[[Entry], str]:
    """Return what says a row in a few words: save, damage, conditions, recharge, what it does to the ground."""
    shorts = {ability.id: ability.short.capitalize() for ability in catalogue.abilities}
    conditions = {condition.id: condition.name.lower() for condition in catalogue.conditions}

    def describe(entry: Entry) -> str:
        parts = []
        if entry.recharge:
            parts.append(f"◇ {'6' if entry.recharge == 6 else f'{entry.recharge}–6'}")
        if entry.save is not None:
            parts.append(say("ui.entry.save-short", ability=shorts.get(entry.save.ability, ""), dc=entry.save.dc))
        parts += [entry.damage] if entry.damage else []
        parts += [conditions.get(one.condition, one.condition) for one in entry.afflictions]
        parts += [say(f"ui.entry.{group}-{value}").lower() for group, value in _ground(entry)]
        return ", ".join(parts)

    return describe


def _ground(entry: Entry) -> list[tuple[str, str]]:
    found = (("terrain", entry.terrain), ("obscured", entry.obscured), ("cover", entry.cover))
    return [(group, value) for group, value in found if value]


def _choices(group: str, ids: tuple[str, ...]) -> Options:
    return [(id, say(f"ui.entry.{group}-{id or 'none'}")) for id in ids]
