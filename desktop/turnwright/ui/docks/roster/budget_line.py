"""The encounter's budget: what the foes are worth against the party; hidden in rule systems without budgets."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from types import MappingProxyType

from PySide6.QtWidgets import QWidget

from turnwright.encounter.prepared import RosterEntry
from turnwright.encounter.wave_names import wave_name
from turnwright.rules.parts.preparation.encounter_budgets import Budget, BudgetEntry, budget_figures, encounter_budget
from turnwright.ui.docks.shared.explainer import explainer
from turnwright.ui.docks.shared.why_sources import rule_lines
from turnwright.ui.document_model import DocumentModel
from turnwright.ui.models.display_names import rating_text
from turnwright.ui.translations import tr
from turnwright.ui.widgets.explanation import Explanation, ExplanationLine
from turnwright.ui.widgets.why import WhyLabel

UNCOUNTED = MappingProxyType(  # lists of a budget that count for nothing, with the word key of their line
    {
        "unknown": "ui.budget.unknown",
        "off_table": "ui.budget.outside",
        "unplaced": "ui.budget.unplaced",
        "places": "ui.budget.places",
        "too_strong": "ui.budget.strong",
        "allies": "ui.budget.allies",
    }
)


class BudgetLine(WhyLabel):
    """The worth of the foes and their threat; the card adds it up, and lists the worth at which each threat begins."""

    def __init__(self, bridge: DocumentModel, parent: QWidget | None = None) -> None:
        super().__init__("", parent=parent)
        self._bridge = bridge
        self.refresh()

    def refresh(self) -> None:
        """Show the budget of the present roster."""
        encounter, rules = self._bridge.encounter, self._bridge.rules
        found = encounter_budget(encounter, rules)
        foes = any(not one.player for one in encounter.all(RosterEntry))
        self.setVisible(budget_figures(encounter, rules) is not None and (found is not None or foes))
        if found is None:
            self.set_text(tr("ui.budget.no-party"))
            self.set_why(None)
            return
        self.set_text(budget_text(found))
        self.set_why(lambda: self._card_of(found))

    def _card_of(self, found: Budget) -> Explanation:
        lines = (
            *(_part_line(part, found.figures.unit) for part in found.entries),
            *_factor_lines(found),
            *(
                ExplanationLine(amount_text(at), tr(f"ui.budget.{found.figures.bound}", threat=name))
                for name, at in found.steps
            ),
            *rule_lines(explainer(self._bridge), found.figures.ledger),
        )
        return Explanation(tr("ui.budget.title"), _with_unit(found.total, found), lines, (), tuple(_notes(found)))


def budget_text(found: Budget) -> str:
    """Return an encounter's budget in one line."""
    party = tr("ui.budget.party", n=found.size, level=_levels(found))
    return tr("ui.budget.line", worth=_with_unit(found.total, found), threat=found.threat.capitalize(), party=party)


def amount_text(value: Fraction) -> str:
    """Return an amount as text: whole, with a fraction such as ½, or rounded to two places."""
    whole, rest = divmod(value, 1)
    if not rest:
        return str(whole)
    if rest.denominator > 8:
        return f"{float(value):.2f}".rstrip("0").rstrip(".")
    part = rating_text(str(rest))
    return f"{whole}{part}" if whole and part != str(rest) else f"{whole} {part}" if whole else part


def _with_unit(value: Fraction, found: Budget) -> str:
    return tr("ui.budget.worth", amount=amount_text(value), unit=found.figures.unit)


def _levels(found: Budget) -> str:
    low, high = min(found.levels), max(found.levels)
    return str(low) if low == high else tr("ui.budget.levels", low=low, high=high)


def _part_line(part: BudgetEntry, unit: str) -> ExplanationLine:
    reason = f"{part.count} × {part.name}" if part.count > 1 else part.name
    marks = [tr(f"ui.budget.why-{why}") for why in part.why]
    marks += [wave_name(part.wave)] if part.wave else []
    marks += [tr("ui.budget.each", worth=amount_text(part.worth_each), unit=unit)] if part.count > 1 else []
    return ExplanationLine(amount_text(part.worth), f"{reason} ({', '.join(marks)})" if marks else reason)


def _factor_lines(found: Budget) -> Iterator[ExplanationLine]:
    if found.factor != 1:
        yield ExplanationLine(f"× {amount_text(found.factor)}", tr("ui.budget.group-multiplier", n=found.size))


def _notes(found: Budget) -> Iterator[str]:
    if found.next_threat is not None:
        name, lacks = found.next_threat
        words = {"more": amount_text(lacks), "unit": found.figures.unit, "threat": name, "now": found.threat}
        yield tr(f"ui.budget.next-{found.figures.bound}", **words)
    if found.in_waves:
        yield tr("ui.budget.later", worth=_with_unit(found.in_waves, found))
    for field, key in UNCOUNTED.items():
        if getattr(found, field):
            yield tr(key, who=", ".join(getattr(found, field)))
    if found.figures.external:
        yield tr("ui.budget.external", name=found.figures.name)
