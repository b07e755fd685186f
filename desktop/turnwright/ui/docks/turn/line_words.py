"""The words of the rule system that the input lines of the turn panel understand."""

from __future__ import annotations

from turnwright.rules.parts.damage.dying import level_conditions
from turnwright.ui.forms.choices import offered_conditions
from turnwright.ui.services.document_model import DocumentModel
from turnwright.ui.widgets.typed.line_text import ConditionWord, LineWords


def line_words(document: DocumentModel) -> LineWords:
    """Return the words of the current rule system, except conditions that only the rules apply."""
    rules = document.rules
    counted = set(level_conditions(rules).values())
    conditions = (
        ConditionWord(
            offered_condition.id,
            offered_condition.name,
            offered_condition.icon.removeprefix("mdi6."),
            offered_condition.has_levels or offered_condition.id in counted,
        )
        for offered_condition in offered_conditions(rules.data)
    )
    save_names = dict(rules.data.presentation.saves)
    abilities = [ability for ability in rules.data.abilities if not save_names or ability.id in save_names]
    saves = (
        (
            ability.id,
            (
                save_names.get(ability.id) or ability.name,
                ability.name,
                ability.short,
                save_names.get(ability.id) or ability.short.capitalize(),
            ),
        )
        for ability in abilities
    )
    checks = (
        *((ability.id, (ability.name, ability.short)) for ability in rules.data.abilities),
        *((f"{skill.ability}:{skill.id}", (skill.name,)) for skill in rules.data.skills),
    )
    kinds = tuple(kind.id for kind in rules.data.damage_types)
    return LineWords(kinds, tuple(conditions), tuple(saves), checks)
