"""An encounter's threat as plain data, according to its game's budget: a word, a level and the numbers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from turnwright.encounter.prepared import Scene
from turnwright.handouts.page_input import PageInput
from turnwright.rules.amount_texts import amount_text
from turnwright.rules.parts.preparation.encounter_budgets import Budget, encounter_budget


def threat_data(source: PageInput, scene: Scene) -> dict[str, Any]:
    """Return the encounter's threat: its level among the game's `cells`, its name, and the numbers behind it."""
    budget = encounter_budget(source.encounter, source.rules)
    light = source.text(f"ui.light.{scene.light}").lower()
    if budget is None:
        return {"cells": 0, "filled": 0, "word": "", "facts": [light]}
    at = budget.threats.index(budget.threat) + 1 if budget.threat in budget.threats else 0
    return {
        "cells": len(budget.threats),
        "filled": at,
        "word": budget.threat.capitalize(),
        "facts": [*_worth(source, budget), light],
    }


def _worth(source: PageInput, budget: Budget) -> Iterator[str]:
    say, unit = source.text, budget.figures.unit
    total = say("ui.budget.worth", amount=amount_text(budget.total), unit=unit)
    limit = budget.limit
    yield say("handout.running-sheet.worth-of", worth=total, limit=amount_text(limit)) if limit else total
    low, high = min(budget.levels), max(budget.levels)
    levels = str(low) if low == high else say("ui.budget.levels", low=low, high=high)
    yield say("handout.running-sheet.party-of", n=budget.size, level=levels)
    if budget.factor != 1 and budget.size:
        each = amount_text(budget.unadjusted / budget.size)
        amount = amount_text(budget.unadjusted)
        yield say("handout.running-sheet.award", amount=amount, unit=unit, each=each)
    if budget.in_waves:
        later = say("ui.budget.worth", amount=amount_text(budget.in_waves), unit=unit)
        yield say("handout.running-sheet.in-waves", worth=later)
