"""What the encounter in preparation is worth to its party, in a line under who is there; nothing in games without figures."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from PySide6.QtWidgets import QWidget

from turnwright.encounter.naming import wave_name
from turnwright.encounter.prepared import RosterEntry
from turnwright.rules.parts.budgets import Budget, Counted, budget_of, figures_of
from turnwright.ui.bridge import Bridge
from turnwright.ui.docks.answers import rule_lines
from turnwright.ui.docks.explain import explainer
from turnwright.ui.models.naming import rating_text
from turnwright.ui.say import say
from turnwright.ui.widgets.reasons import Why, WhyLine
from turnwright.ui.widgets.why import WhyLabel

LEFT_OUT = ("unknown", "outside", "unplaced", "places", "strong", "allies")


class BudgetLine(WhyLabel):
    """The foes' worth and how much of a threat it is; the card adds it up, and says from how much on it would be another."""

    def __init__(self, bridge: Bridge, parent: QWidget | None = None) -> None:
        super().__init__("", parent=parent)
        self._bridge = bridge
        self.refresh()

    def refresh(self) -> None:
        """Show what the roster comes to now."""
        encounter, rules = self._bridge.encounter, self._bridge.rules
        found = budget_of(encounter, rules)
        foes = any(not one.player for one in encounter.all(RosterEntry))
        self.setVisible(figures_of(encounter, rules) is not None and (found is not None or foes))
        if found is None:
            self.set_text(say("ui.budget.nobody"))
            self.set_why(None)
            return
        self.set_text(line_of(found))
        self.set_why(lambda: self._card_of(found))

    def _card_of(self, found: Budget) -> Why:
        lines = (
            *(_part_line(part, found.figures.unit) for part in found.parts),
            *_factor_lines(found),
            *(WhyLine(amount(at), say(f"ui.budget.{found.figures.bound}", threat=name)) for name, at in found.steps),
            *rule_lines(explainer(self._bridge), found.figures.ledger),
        )
        return Why(say("ui.budget.title"), _with_unit(found.total, found), lines, (), tuple(_notes(found)))


def line_of(found: Budget) -> str:
    """Return an encounter's worth in a line."""
    party = say("ui.budget.party", n=found.size, level=_levels(found))
    return say("ui.budget.line", worth=_with_unit(found.total, found), threat=found.threat.capitalize(), party=party)


def amount(value: Fraction) -> str:
    """Return a sum as people write it: whole, with a fraction beside it, with no more than two places otherwise."""
    whole, rest = divmod(value, 1)
    if not rest:
        return str(whole)
    if rest.denominator > 8:
        return f"{float(value):.2f}".rstrip("0").rstrip(".")
    part = rating_text(str(rest))
    return f"{whole}{part}" if whole and part != str(rest) else f"{whole} {part}" if whole else part


def _with_unit(value: Fraction, found: Budget) -> str:
    return say("ui.budget.worth", amount=amount(value), unit=found.figures.unit)


def _levels(found: Budget) -> str:
    low, high = min(found.levels), max(found.levels)
    return str(low) if low == high else say("ui.budget.levels", low=low, high=high)


def _part_line(part: Counted, unit: str) -> WhyLine:
    reason = f"{part.count} × {part.name}" if part.count > 1 else part.name
    marks = [say(f"ui.budget.why-{why}") for why in part.why]
    marks += [wave_name(part.wave)] if part.wave else []
    marks += [say("ui.budget.each", worth=amount(part.each), unit=unit)] if part.count > 1 else []
    return WhyLine(amount(part.worth), f"{reason} ({', '.join(marks)})" if marks else reason)


def _factor_lines(found: Budget) -> Iterator[WhyLine]:
    if found.factor != 1:
        yield WhyLine(f"× {amount(found.factor)}", say("ui.budget.crowd", n=found.size))


def _notes(found: Budget) -> Iterator[str]:
    if found.following is not None:
        name, lacks = found.following
        words = {"more": amount(lacks), "unit": found.figures.unit, "threat": name, "now": found.threat}
        yield say(f"ui.budget.next-{found.figures.bound}", **words)
    if found.later:
        yield say("ui.budget.later", worth=_with_unit(found.later, found))
    for what in LEFT_OUT:
        if getattr(found, what):
            yield say(f"ui.budget.{what}", who=", ".join(getattr(found, what)))
    if found.figures.external:
        yield say("ui.budget.external", name=found.figures.name)
