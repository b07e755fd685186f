"""A line for calling for a check or a save: `dex 15`, `wis save 14 dis`. Chips show how the text is read."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from turnwright.ui.look.tooltips import escaped_tooltip
from turnwright.ui.look.translations import tr
from turnwright.ui.widgets.typed.check_text import EnteredCheck, read_check
from turnwright.ui.widgets.typed.condition_text import LineWords
from turnwright.ui.widgets.typed.line_chips import ChipView, LineChips, unknown_chip
from turnwright.ui.widgets.typed.typed_line import TypedLine

SEVERAL = "save "  # the initial text if there are several combatants


class CheckLine(TypedLine):
    """A line for a check or a save. Emits `submitted(entered)` on Enter if the `EnteredCheck` is complete."""

    submitted = Signal(object)

    def __init__(self, words: LineWords, parent: QWidget | None = None) -> None:
        super().__init__("", tr("ui.roll.roll"), tr("ui.check-line.name"), tr("ui.check-line.placeholder"), parent)
        self._words = words
        self.chips = LineChips()
        self.column.insertWidget(0, self.chips)
        self.line.setToolTip(tr("ui.check-line.tip"))
        self.line.textChanged.connect(self._show_chips)
        self._show_chips("")

    def start_over(self, words: LineWords) -> None:
        """Clear the line for another encounter and use the words of its rule system."""
        self._words = words
        self.line.clear()

    def open_for(self, who: str, count: int) -> None:
        """Open the line for one or more combatants. If there are several, the text starts with `save`."""
        self.caption.setText(tr("ui.bulk.selected", n=count) if count > 1 else who)
        self.caption.setToolTip(escaped_tooltip(who) if count > 1 else "")
        self.open(SEVERAL if count > 1 and not self.line.text() else "")

    def hand_in(self, text: str) -> str:
        """Call for the entered check. Return the error message, or an empty string if the text is valid."""
        entered = read_check(text, self._words)
        if entered.unknown:
            near = self._words.nearest_check(entered.unknown)
            key = "ui.condition.unknown-near" if near else "ui.condition.unknown"
            return tr(key, what=entered.unknown, near=near)
        if not entered.is_complete:
            return tr("ui.check-line.missing")
        self.submitted.emit(entered)
        return ""

    def _show_chips(self, text: str) -> None:
        chips = check_chips(read_check(text, self._words), self._words)
        self.chips.show_chips(chips)
        self.chips.setVisible(bool(chips))


def check_name(id: str, words: LineWords) -> str:
    """Return the name of a check, with the ability if it isn't the skill's usual one."""
    names = dict(words.checks)
    ability, _, skill = id.partition(":")
    usual = next((name for name in names if name.partition(":")[2] == skill), id)
    if not skill or usual == id:
        return tr("ui.check-line.check", what=names[id][0])
    return tr("ui.check-line.check", what=f"{names[ability][0]} ({names[usual][0]})")


def check_chips(entered: EnteredCheck, words: LineWords) -> list[ChipView]:
    """Return the chips that show how a check was read. A chip for an unknown word comes last."""
    chips = []
    if entered.save:
        text = tr("ui.check-line.save", ability=words.save_name(entered.save))
        chips.append(ChipView(text, "accent", "shield-outline"))
    elif entered.check:
        chips.append(ChipView(check_name(entered.check, words), "accent", "dice-d20"))
    if entered.dc:
        chips.append(ChipView(tr("ui.check-line.dc", n=entered.dc)))
    if entered.edge:
        chips.append(ChipView(tr(f"ui.check-line.{entered.edge}")))
    if entered.unknown:
        chips.append(unknown_chip(entered.unknown, words.nearest_check(entered.unknown)))
    return chips
