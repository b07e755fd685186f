"""The form of a whole environment, and one of its rows in a few words."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QWidget

from turnwright.encounter.prepared import Entry
from turnwright.rules.catalogue import Catalogue
from turnwright.ui.docks.editing.fields import LongTextField, SwitchField, TextField
from turnwright.ui.docks.editing.form import Form
from turnwright.ui.docks.editing.subjects import Subject
from turnwright.ui.say import say


def environment_form(subject: Subject, parent: QWidget, catalogue: Catalogue) -> Form:
    """Return the form of the whole place; how dangerous it is only in games that weigh that."""
    form = Form(subject, parent)
    form.row(
        ("name", "ui.creature.name", TextField(say("ui.environment.name-hint"))),
        ("size", "ui.environment.size", TextField(say("ui.environment.size-hint"))),
        stretch=(3, 2),
    )
    form.row(("description", "ui.environment.description", LongTextField(say("ui.environment.description-hint"), 1)))
    weighed = [one for one in catalogue.budgets if one.places]
    if weighed:
        degrees = [("complex", "", SwitchField(say("ui.environment.complex")))] if weighed[0].complex else []
        hint = say("ui.environment.rating-hint")
        form.row(("rating", "ui.environment.rating", TextField(hint)), *degrees)
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
        parts += [say(f"ui.entry.terrain-{entry.terrain}").lower()] if entry.terrain else []
        parts += [say(f"ui.entry.obscured-{entry.obscured}").lower()] if entry.obscured else []
        parts += [say("ui.entry.cover-short", what=say(f"ui.entry.cover-{entry.cover}").lower())] if entry.cover else []
        parts += [entry.spawn.name] if entry.spawn is not None else []
        return ", ".join(parts)

    return describe
