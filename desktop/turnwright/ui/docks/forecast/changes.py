"""Possible changes to the encounter and their effect on the forecast, as a chart and as a list with buttons."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Encounter
from turnwright.forecast.sentences import change_name, change_sentence
from turnwright.forecast.sheet_builder import ChangeOutlook
from turnwright.play.kernel.commands import Command
from turnwright.ui.look.translations import tr
from turnwright.ui.plots.bars import Bar, BarPlot
from turnwright.ui.widgets.layout import fill, horizontal, vertical
from turnwright.ui.widgets.text import mute, plain_label, push_button
from turnwright.workspace.fight_tuning import Variable, VariableKind, commands_for, variables_of

MOST_CHANGES = 8
VARIED: dict[str, tuple[VariableKind, ...]] = {
    "combatant": ("count",),
    "pool": ("dice",),
    "wave": ("wave",),
    "world": ("damage", "world"),
}


def distinct(encounter: Encounter, changes: tuple[ChangeOutlook, ...]) -> tuple[ChangeOutlook, ...]:
    """Return the changes with the greatest noticeable effect, counting the members of a roster entry only once."""
    greatest: dict[tuple[str, str, str], ChangeOutlook] = {}
    for change in changes:
        combatant = encounter.get(Combatant, change.subject) if change.kind == "combatant" else None
        subject = combatant.roster if combatant is not None and combatant.roster else change.subject
        if change.difference.seen:
            greatest.setdefault((change.kind, subject, change.item), change)
    return tuple(greatest.values())[:MOST_CHANGES]


def show_changes(plot: BarPlot, encounter: Encounter, changes: tuple[ChangeOutlook, ...]) -> None:
    """Show each change as a bar to the left or right of zero, in percentage points of the chance of victory."""
    bars = []
    for outlook in changes:
        sentence = change_sentence(encounter, outlook)
        text = tr(sentence.key, **dict(sentence.params))
        difference = outlook.difference
        bars.append(Bar(change_name(encounter, outlook), difference.value, difference.low, difference.high, text))
    edges = (edge for change in changes for edge in (change.difference.low, change.difference.high))
    reach = max(map(abs, edges), default=0.1)
    far_left, left, right, far_right = (
        (share * reach, f"{round(100 * share * reach):+}") for share in (-1.0, -0.5, 0.5, 1.0)
    )
    ticks = (far_left, left, (0.0, "0"), right, far_right)
    plot.set_bars(tuple(bars), ticks, summary=tr("ui.forecast.changes"))


def commands_for_change(begun: Encounter, encounter: Encounter, change: ChangeOutlook, merge: str) -> list[Command]:
    """Return the commands that apply a change to the prepared encounter as one undo step.

    If the change can't be applied, the list is empty. `begun` is the encounter with its fight started, on which the
    forecast is based.
    """
    subject = change.subject
    if change.kind == "combatant":
        combatant = begun.get(Combatant, change.subject)
        subject = combatant.roster if combatant is not None else ""

    def is_about(candidate: Variable) -> bool:
        return candidate.kind in VARIED[change.kind] and (candidate.subject, candidate.item) == (subject, change.item)

    variable = next((candidate for candidate in variables_of(encounter) if is_about(candidate)), None)
    if variable is None:
        return []
    value = {"combatant": variable.now - 1, "pool": variable.now + 1}.get(change.kind, 0)
    return commands_for(encounter, {variable: value}, {}, merge)


class ChangeRows(QWidget):
    """A line for each change, with a button to apply it. Emits `requested(row)` when a button is pressed."""

    requested = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.labels: list[QLabel] = []
        self.buttons: list[QPushButton] = []
        self._column = vertical(self, spacing=4)

    def show_changes(
        self, encounter: Encounter, changes: tuple[ChangeOutlook, ...], can_be_made: Callable[[ChangeOutlook], bool]
    ) -> None:
        """List these changes. A change that can't be applied now has no button."""
        sentences = [change_sentence(encounter, change) for change in changes]
        texts = [tr(sentence.key, **dict(sentence.params)) for sentence in sentences]
        names = [change_name(encounter, change) for change in changes]
        self.show_lines(list(zip(texts, names, map(can_be_made, changes), strict=True)))

    def show_lines(self, lines: Sequence[tuple[str, str, bool]]) -> None:
        """Show lines: the text and the name of a change, and whether it has a button."""
        while len(self.labels) < len(lines):
            self._add_row()
        for row, (label, button) in enumerate(zip(self.labels, self.buttons, strict=True)):
            text, name, has_button = lines[row] if row < len(lines) else ("", "", False)
            label.setVisible(row < len(lines))
            button.setVisible(has_button)
            label.setText(text)
            button.setAccessibleName(tr("ui.forecast.make-change-of", name=name))

    def set_stale(self, *, is_stale: bool) -> None:
        """Grey out the lines while they are out of date."""
        mute(self.labels, is_muted=is_stale)

    def _add_row(self) -> None:
        number = len(self.labels)
        self.labels.append(plain_label("", "body", wraps=True))
        button = push_button(tr("ui.forecast.make-change"), lambda: self.requested.emit(number), kind="quiet")
        self.buttons.append(button)
        self._column.addLayout(fill(horizontal(), (self.labels[-1], 1), button))
