"""The words that the lines of the active turn understand in a game."""

from __future__ import annotations

from turnwright.rules.parts.damage.dying import level_conditions
from turnwright.ui.document_model import DocumentModel
from turnwright.ui.forms.choices import offered_conditions
from turnwright.ui.widgets.condition_text import ConditionWord, LineWords


def line_words(document: DocumentModel) -> LineWords:
    """Return the words of the game being played; conditions that only rules put are left out."""
    rules = document.rules
    counted = set(level_conditions(rules).values())
    conditions = (
        ConditionWord(one.id, one.name, one.icon.removeprefix("mdi6."), one.has_levels or one.id in counted)
        for one in offered_conditions(rules.data)
    )
    own = dict(rules.data.presentation.saves)
    abilities = [one for one in rules.data.abilities if not own or one.id in own]
    saves = (
        (one.id, (own.get(one.id) or one.name, one.name, one.short, own.get(one.id) or one.short.capitalize()))
        for one in abilities
    )
    checks = (
        *((one.id, (one.name, one.short)) for one in rules.data.abilities),
        *((f"{one.ability}:{one.id}", (one.name,)) for one in rules.data.skills),
    )
    kinds = tuple(kind.id for kind in rules.data.damage_types)
    return LineWords(kinds, tuple(conditions), tuple(saves), checks)
