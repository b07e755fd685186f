"""The difficulty meter of the encounter, and the arrival of a wave.

The difficulty meter next to the encounter's title, for rule systems with encounter budgets.

The arrival of the selected entry's wave: at the top of a round, or when its trigger is met.

It is hidden for entries that are present from the start.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from turnwright.encounter import roles, state
from turnwright.encounter.prepared import AddWave, Countdown, Creature, RosterEntry, Wave
from turnwright.play.setup.prepared_records import Add
from turnwright.rules.parts.preparation.encounter_budgets import Budget, BudgetEntry, budget_figures, encounter_budget
from turnwright.rules.word_keys import amount_text
from turnwright.ui.docks.editing.inspector import CollapsibleSection
from turnwright.ui.docks.shared.explainer import explainer
from turnwright.ui.forms import encounter_layouts, form, kinds
from turnwright.ui.look.style import current_theme, scaled, tr
from turnwright.ui.models.row_list_model import side_name
from turnwright.ui.services.document_model import DocumentModel
from turnwright.ui.widgets.layout import fill, horizontal
from turnwright.ui.widgets.rules.why import Explanation, ExplanationLine, WhyLabel
from turnwright.ui.widgets.text import text_button

UNCOUNTED = ("unknown", "off_table", "unplaced", "places", "phases", "too_strong", "allies")  # in a budget


class BudgetBar(QWidget):
    """A bar that shows the used share of a threat's budget, in the threat's colour."""

    def __init__(self) -> None:
        super().__init__()
        self.share, self.tone = 0.0, "heal"
        self.setFixedSize(scaled(64), scaled(8))

    def show_share(self, share: float, tone: str) -> None:
        """Show a share from 0 to 1."""
        self.share, self.tone = share, tone
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setPen(Qt.PenStyle.NoPen)  # `fillRect` would load the gradient classes first
            for token, share in (("line", 1.0), (self.tone, self.share)):
                painter.setBrush(current_theme().colour(token))
                painter.drawRect(QRectF(0, 0, self.width() * share, self.height()))


class DifficultyMeter(QWidget):
    """Shows the threat and a bar. A card adds up the enemies and lists the worth at which each threat begins.

    If no character has a level, a button offers to add a party. It emits `partyRequested`.
    """

    partyRequested = Signal()

    def __init__(self, document: DocumentModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._is_brief = False
        self.bar = BudgetBar()
        self.label = WhyLabel()
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.add_button = text_button("account-multiple-plus-outline", tr("ui.budget.add-party"))
        self.add_button.clicked.connect(self.partyRequested)
        fill(horizontal(self), self.bar, self.label, self.add_button)
        self.refresh()

    def set_brief(self, *, brief: bool) -> None:
        """Show only the threat, to leave room for the title, or show the bar and the worth as well."""
        if brief != self._is_brief:
            self._is_brief = brief
            self.refresh()

    def refresh(self) -> None:
        """Show the budget of the current roster."""
        encounter, rules = self._document.encounter, self._document.rules
        budget = encounter_budget(encounter, rules)
        foes = any(not roles.is_character(encounter, entry) for entry in encounter.all(RosterEntry))
        self.setVisible(budget_figures(encounter, rules) is not None and (budget is not None or foes))
        self.bar.setVisible(budget is not None and not self._is_brief)
        self.setToolTip(tr("ui.budget.no-party-tip") if budget is None else "")
        self.label.setVisible(budget is not None or not self._is_brief)
        self.add_button.setVisible(budget is None)
        if budget is None:
            self.label.set_text(tr("ui.budget.no-party"))
            self.label.set_why(None)
            self.updateGeometry()
            return
        limit = budget.limit
        self.bar.show_share(float(budget.total / limit) if limit else 1.0, _tone(budget))
        threat, worth = budget.threat.capitalize(), amount_text(budget.total)
        words = "ui.budget.short" if limit is None else "ui.budget.short-of"
        text = tr(words, threat=threat, worth=worth, limit=amount_text(limit or Fraction(0)))
        self.label.set_text(threat if self._is_brief else text)
        self.label.set_why(lambda: self._card_of(budget))
        if (row := self.layout()) is not None:
            row.activate()  # immediately, so that the title next to it makes room
        self.updateGeometry()

    def explain(self) -> bool:
        """Open the card. Return False if there is nothing to explain."""
        return self.label.explain()

    def _card_of(self, budget: Budget) -> Explanation:
        lines = [_part_line(part, budget.figures.unit) for part in budget.entries]
        if budget.factor != 1:
            text = tr("ui.budget.group-multiplier", n=budget.size)
            lines.append(ExplanationLine(f"× {amount_text(budget.factor)}", text))
        for name, at in budget.steps:
            lines.append(ExplanationLine(amount_text(at), tr(f"ui.budget.{budget.figures.bound}", threat=name)))
        lines += explainer(self._document).rule_lines(budget.figures.ledger)
        title = tr("ui.budget.title", n=budget.size, level=_levels(budget))
        return Explanation(title, _with_unit(budget.total, budget), tuple(lines), (), tuple(_notes(budget)))


def _tone(budget: Budget) -> str:
    """Return the tone of a threat: `harm` for the gravest threat of the rule system, `warn` for the second gravest."""
    graver = budget.threats[::-1].index(budget.threat) if budget.threat in budget.threats else 2
    return {0: "harm", 1: "warn"}.get(graver, "heal")


def _with_unit(value: Fraction, budget: Budget) -> str:
    return tr("ui.budget.worth", amount=amount_text(value), unit=budget.figures.unit)


def _levels(budget: Budget) -> str:
    low, high = min(budget.levels), max(budget.levels)
    return str(low) if low == high else tr("ui.budget.levels", low=low, high=high)


def _part_line(part: BudgetEntry, unit: str) -> ExplanationLine:
    reason = f"{part.count} × {part.name}" if part.count > 1 else part.name
    marks = [tr(f"ui.budget.why-{why}") for why in part.why]
    marks += [state.wave_name(part.wave)] if part.wave else []
    marks += [tr("ui.budget.each", worth=amount_text(part.worth_each), unit=unit)] if part.count > 1 else []
    return ExplanationLine(amount_text(part.worth), f"{reason} ({', '.join(marks)})" if marks else reason)


def _notes(budget: Budget) -> Iterator[str]:
    if budget.next_threat is not None:
        name, lacks = budget.next_threat
        words = {"more": amount_text(lacks), "unit": budget.figures.unit, "threat": name, "now": budget.threat}
        yield tr(f"ui.budget.next-{budget.figures.bound}", **words)
    if budget.in_waves:
        yield tr("ui.budget.later", worth=_with_unit(budget.in_waves, budget))
    for field in UNCOUNTED:
        if names := getattr(budget, field):
            yield tr(f"ui.budget.{field}", who=", ".join(names))
    if budget.figures.external:
        yield tr("ui.budget.external", name=budget.figures.name)


class WaveBinding(kinds.RecordBinding):
    """A binding for a wave that may have no record yet. The first edit adds the record."""

    def __init__(self, document: DocumentModel) -> None:
        super().__init__(document, Wave)

    def value(self) -> Wave | None:
        """Return the wave (a default one if it has no record), or None if no wave is selected."""
        return super().value() or (Wave(self.id) if self.id else None)

    def write(self, value: Wave, field: str) -> None:
        """Write the edited wave, and add its record if needed."""
        if self._document.encounter.get(Wave, self.id) is not None:
            super().write(value, field)
        elif value != Wave(self.id):
            self._document.execute(Add((value,)))


class WaveStrip(CollapsibleSection):
    """Edits the arrival of the selected roster entry's wave."""

    def __init__(self, document: DocumentModel, parent: QWidget | None = None) -> None:
        super().__init__(tr("ui.wave.title"), parent)
        self._document = document
        self.binding = WaveBinding(document)
        document.follow(self._aim_again, RosterEntry.table, replaced=self._reset)
        document.follow(self.refresh, Wave.table, RosterEntry.table, Countdown.table, Creature.table)
        document.selected.connect(self._aim)
        self._aim(document.selection)

    def build_form(self, parent: QWidget) -> form.Form:
        """Return the form of the wave."""
        return form.Form(encounter_layouts.WAVE, self.binding, kinds.FormContext.of(self._document), parent)

    def toggle_text(self) -> str:
        """Return the text of the expand/collapse button."""
        return tr(f"ui.wave.{'close' if self.is_open() else 'open'}", what=state.wave_name(self.binding.id))

    def summary(self) -> str:
        """Return a short description of the wave's arrival."""
        wave = self.binding.value()
        if wave is None:
            return ""
        return f"{state.wave_name(wave.id)}: {', '.join(arrival_text(self._document.encounter, wave))}"

    def _aim(self, key: state.Key | None) -> None:
        entry = self._document.encounter.record(key) if key is not None else None
        if isinstance(entry, RosterEntry) or key is None:
            self._turn_to(entry.wave if isinstance(entry, RosterEntry) else "")

    def _reset(self) -> None:
        self._turn_to("")

    def _aim_again(self) -> None:
        self._aim(self._document.selection)

    def _turn_to(self, wave: str) -> None:
        if wave != self.binding.id:
            self.binding.commit()
            self.binding.id = wave
        self.setVisible(bool(wave))
        self.refresh()


def arrival_text(encounter: state.Encounter, wave: Wave) -> Sequence[str]:
    """Return short texts for the triggers of a wave, or "by hand" if it has none."""
    texts = [tr("ui.wave.in-round", n=wave.round)] if wave.round else []
    if wave.when:
        texts.append(tr(f"ui.wave.once-{wave.when}", who=_who(encounter, wave.who)))
    bringing = (countdown for countdown in encounter.all(Countdown) if AddWave(wave.id) in countdown.outcomes)
    texts += [tr("ui.wave.by-countdown", what=countdown.name) for countdown in bringing]
    return texts or [tr("ui.wave.manual")]


def _who(encounter: state.Encounter, who: str) -> str:
    if (entry := encounter.get(RosterEntry, who)) is not None:
        return state.entry_name(encounter, entry)
    return side_name(who) if who else tr("ui.wave.who-enemies")
