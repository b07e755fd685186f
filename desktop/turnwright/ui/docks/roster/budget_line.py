"""The difficulty beside the title: a bar, the threat, and what the foes are worth; hidden in games without budgets."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from types import MappingProxyType

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from turnwright.encounter.prepared import RosterEntry
from turnwright.encounter.wave_names import wave_name
from turnwright.rules.amount_texts import amount_text
from turnwright.rules.parts.preparation.encounter_budgets import Budget, BudgetEntry, budget_figures, encounter_budget
from turnwright.ui.docks.shared.explainer import explainer
from turnwright.ui.document_model import DocumentModel
from turnwright.ui.fonts import scaled
from turnwright.ui.theme import current_theme
from turnwright.ui.translations import tr
from turnwright.ui.widgets.explanation import Explanation, ExplanationLine
from turnwright.ui.widgets.layout import horizontal
from turnwright.ui.widgets.why import WhyLabel

UNCOUNTED = MappingProxyType(  # lists of a budget that count for nothing, with the word key of their line
    {
        "unknown": "ui.budget.unknown",
        "off_table": "ui.budget.outside",
        "unplaced": "ui.budget.unplaced",
        "places": "ui.budget.places",
        "phases": "ui.budget.phases",
        "too_strong": "ui.budget.strong",
        "allies": "ui.budget.allies",
    }
)


class BudgetBar(QWidget):
    """How much of a threat is used up, in its tone."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.share, self.tone = 0.0, "heal"
        self.setFixedSize(scaled(64), scaled(8))

    def show_share(self, share: float, tone: str) -> None:
        """Show a share from 0 to 1."""
        self.share, self.tone = share, tone
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = QPainter(self), current_theme()
        painter.setPen(Qt.PenStyle.NoPen)  # `fillRect` would make the classes of gradients first
        for token, share in (("line", 1.0), (self.tone, self.share)):
            painter.setBrush(theme.colour(token))
            painter.drawRect(QRectF(0, 0, self.width() * share, self.height()))
        painter.end()


class DifficultyMeter(QWidget):
    """The threat with its bar; the card adds the foes up, and lists the worth at which each threat begins."""

    def __init__(self, document: DocumentModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._is_brief = False
        self.bar = BudgetBar()
        self.label = WhyLabel()
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        row = horizontal(self)
        row.addWidget(self.bar)
        row.addWidget(self.label)
        self.refresh()

    def set_brief(self, *, brief: bool) -> None:
        """Show the threat alone, where the title needs the room, or all."""
        if brief != self._is_brief:
            self._is_brief = brief
            self.refresh()

    def refresh(self) -> None:
        """Show the budget of the present roster."""
        encounter, rules = self._document.encounter, self._document.rules
        found = encounter_budget(encounter, rules)
        foes = any(not roster_entry.player for roster_entry in encounter.all(RosterEntry))
        self.setVisible(budget_figures(encounter, rules) is not None and (found is not None or foes))
        self.bar.setVisible(found is not None and not self._is_brief)
        self.setToolTip(tr("ui.budget.no-party-tip") if found is None else "")
        if found is None:
            self.label.set_text(tr("ui.budget.no-party"))
            self.label.set_why(None)
            return
        limit = found.limit
        self.bar.show_share(float(found.total / limit) if limit else 1.0, _tone(found))
        threat, worth = found.threat.capitalize(), amount_text(found.total)
        words = "ui.budget.short" if limit is None else "ui.budget.short-of"
        told = tr(words, threat=threat, worth=worth, limit=amount_text(limit or Fraction(0)))
        self.label.set_text(threat if self._is_brief else told)
        self.label.set_why(lambda: self._card_of(found))
        row = self.layout()
        if row is not None:
            row.activate()  # at once: the title beside it gives the room
        self.updateGeometry()

    def explain(self) -> bool:
        """Open the card; return False where there is nothing to explain."""
        return self.label.explain()

    def _card_of(self, found: Budget) -> Explanation:
        lines = (
            *(_part_line(part, found.figures.unit) for part in found.entries),
            *_factor_lines(found),
            *(
                ExplanationLine(amount_text(at), tr(f"ui.budget.{found.figures.bound}", threat=name))
                for name, at in found.steps
            ),
            *explainer(self._document).rule_lines(found.figures.ledger),
        )
        title = tr("ui.budget.title", n=found.size, level=_levels(found))
        return Explanation(title, _with_unit(found.total, found), lines, (), tuple(_notes(found)))


def _tone(found: Budget) -> str:
    """Return the tone of a threat: `harm` for the gravest of the game, `warn` for the one before it."""
    graver = found.threats[::-1].index(found.threat) if found.threat in found.threats else 2
    return {0: "harm", 1: "warn"}.get(graver, "heal")


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
