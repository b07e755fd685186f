"""The form of an environment, and the short description of an environment entry."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QWidget

from turnwright.encounter.prepared import EnvironmentEntry
from turnwright.rules.system_data import SystemData
from turnwright.ui.docks.editing.bindings import Binding
from turnwright.ui.docks.editing.fields import CheckBoxField, MultiLineTextField, TextField
from turnwright.ui.docks.editing.form import Form
from turnwright.ui.translations import tr


def environment_form(binding: Binding, parent: QWidget, catalogue: SystemData) -> Form:
    """Return the form of an environment; with a rating only in systems that rate places."""
    form = Form(binding, parent)
    form.add_row(
        ("name", "ui.creature.name", TextField(tr("ui.environment.name-hint"))),
        ("size", "ui.environment.size", TextField(tr("ui.environment.size-hint"))),
        stretch=(3, 2),
    )
    form.add_row(
        ("description", "ui.environment.description", MultiLineTextField(tr("ui.environment.description-hint"), 1))
    )
    weighed = [one for one in catalogue.budgets if one.places]
    if weighed:
        degrees = [("complex", "", CheckBoxField(tr("ui.environment.complex")))] if weighed[0].complex else []
        hint = tr("ui.environment.rating-hint")
        form.add_row(("rating", "ui.environment.rating", TextField(hint)), *degrees)
    return form


def describe_entry(catalogue: SystemData) -> Callable[[EnvironmentEntry], str]:
    """Return a function that describes an environment entry in short: save, damage, conditions, recharge, ground."""
    shorts = {ability.id: ability.short.capitalize() for ability in catalogue.abilities}
    conditions = {condition.id: condition.name.lower() for condition in catalogue.conditions}

    def describe(entry: EnvironmentEntry) -> str:
        parts = []
        if entry.recharge:
            parts.append(f"◇ {'6' if entry.recharge == 6 else f'{entry.recharge}–6'}")
        if entry.save is not None:
            parts.append(
                tr("ui.environment-entry.save-short", ability=shorts.get(entry.save.ability, ""), dc=entry.save.dc)
            )
        parts += [entry.damage] if entry.damage else []
        parts += [conditions.get(one.condition, one.condition) for one in entry.afflictions]
        parts += [tr(f"ui.environment-entry.terrain-{entry.terrain}").lower()] if entry.terrain else []
        parts += [tr(f"ui.environment-entry.obscured-{entry.obscured}").lower()] if entry.obscured else []
        parts += (
            [tr("ui.environment-entry.cover-short", what=tr(f"ui.environment-entry.cover-{entry.cover}").lower())]
            if entry.cover
            else []
        )
        parts += [entry.spawn.name] if entry.spawn is not None else []
        return ", ".join(parts)

    return describe
