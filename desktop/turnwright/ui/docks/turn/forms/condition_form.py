"""The form of a condition: a line of text (`poi 3`), chips that show its interpretation, and the duration.

Enter applies it to the selected combatants, or to the active one if none is selected.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from PySide6.QtCore import Qt

from turnwright.encounter.field_specs import AbilityId, FieldSpec
from turnwright.encounter.lookups import clock_of
from turnwright.encounter.running import Combatant, Duration
from turnwright.play.effects.conditions import ApplyCondition
from turnwright.play.queries.queries import active_combatants
from turnwright.rules.system import labels_of
from turnwright.ui.docks.turn.combatant_header import line_words
from turnwright.ui.docks.turn.forms.action_form import NO_CAPTION, ActionForm, Asked
from turnwright.ui.forms.fields import SegmentsField, TextField
from turnwright.ui.forms.kinds import FieldMaker
from turnwright.ui.look.fonts import scaled, set_role
from turnwright.ui.look.translations import tr
from turnwright.ui.services.document_model import DocumentModel
from turnwright.ui.widgets.typed.line_text import (
    ConditionWord,
    EnteredCondition,
    LineChips,
    condition_chips,
    read_condition,
)

LASTING = ("removed", "rounds", "turn", "save")
COUNTED = ("rounds", "turn")
COMMON = 8
Rounds = Annotated[int, FieldSpec(least=1, most=1000, allows_zero=True, zero_is_none=True)]
Level = Annotated[int, FieldSpec(least=1, most=100, allows_zero=True, zero_is_none=True)]


class ConditionDraft(msgspec.Struct, frozen=True):
    """A condition as entered. Values that aren't empty were chosen by button or field, and override the line."""

    line: str = ""
    lasts: Literal["", "removed", "rounds", "turn", "save"] = ""
    rounds: Rounds = 0
    moment: Literal["", "turn-start", "turn-end"] = ""
    whose: Literal["", "active", "bearer"] = ""
    save: AbilityId = ""
    dc: Level = 0
    level: Level = 0


class ConditionLine(TextField):
    """The line of a condition, with chips that show how it is read, or buttons for common conditions."""

    def __init__(self, form: ConditionForm) -> None:
        super().__init__(tr("ui.condition.placeholder"))
        self._form = form
        self.line.setAccessibleName(tr("ui.condition.name"))
        self.line.setMinimumHeight(scaled(48))
        set_role(self.line, "strong")
        self.chips = LineChips()
        self.column.addWidget(self.chips)

    def show_value(self, value: Any) -> None:
        """Show the text and its chips."""
        super().show_value(value)
        if value.strip():
            self.chips.show_chips(self._form.chips())
        else:
            words = self._form.line_words
            self.chips.offer([(words.shortest(word), word.name) for word in words.conditions[:COMMON]], self._fill)

    def _fill(self, letters: str) -> None:
        self.line.setText(f"{letters} ")
        self.edited.emit(self.line.text())
        self.line.setFocus(Qt.FocusReason.OtherFocusReason)


class ConditionForm(ActionForm):
    """Applies a condition to the selected combatants, or to the active one if none is selected."""

    icon, tone, words = "alert-circle-outline", "warn", "ui.condition"
    skipped = ("lasts", "rounds", "moment", "whose", "save", "dc", "level")
    repeats = flows = True

    def __init__(self, document: DocumentModel) -> None:
        self.line_words = line_words(document)
        super().__init__(document, "", "", ConditionDraft())
        self.button_text = tr("ui.condition.add")

    def asked(self) -> list[Asked]:
        """Return the line, the duration with its details, and the level."""
        return [
            Asked("line", caption=NO_CAPTION, maker=lambda _request: ConditionLine(self)),
            Asked("lasts", caption="how-long", maker=_segments(lambda: [(id, f"lasts-{id}") for id in LASTING])),
            Asked("rounds", caption=NO_CAPTION, shown_when=lambda value: value.lasts == "rounds", follows=True),
            Asked(
                "moment",
                caption="counted-at",
                shown_when=lambda value: value.lasts in COUNTED,
                maker=_segments(lambda: [(id, id) for id in ("turn-start", "turn-end")]),
            ),
            Asked("whose", caption="turn-of", maker=lambda _request: SegmentsField(self._bearers), follows=True),
            Asked(
                "save",
                caption=NO_CAPTION,
                shown_when=lambda value: value.lasts == "save",
                maker=lambda _request: SegmentsField(self._saves, tr("ui.condition.save")),
            ),
            Asked("dc", follows=True),
            Asked("level", shown_when=lambda value: value.level),
        ]

    def heading(self) -> str:
        """Return the title with the targets."""
        targets = self.targets()
        acting = targets == (self._active(),)
        key = "nobody" if not targets else "acting" if acting else "on" if len(targets) == 1 else "on-many"
        return tr(f"ui.condition.title-{key}", who=labels_of(self.document.encounter, targets), n=len(targets))

    def targets(self) -> tuple[str, ...]:
        """Return the selected combatants, or the active one if none is selected."""
        encounter, active = self.document.encounter, self._active()
        selected = tuple(who for who in self.document.selected_combatants if encounter.get(Combatant, who) is not None)
        return selected or ((active,) if active else ())

    def fill(self, value: ConditionDraft, entered: object) -> ConditionDraft:
        """Return the draft, completed with the values read from the line and the usual way to count a duration.

        `turn` means until the end of the affected creature's own turn.
        """
        read, active = read_condition(value.line, self.line_words), self._active()
        lasts = value.lasts or read.lasts
        bearer = not active or (lasts == "turn" and self.targets() != (active,))
        word = self._word(read)
        return ConditionDraft(
            value.line,
            lasts,
            value.rounds or read.rounds or int(lasts == "rounds"),
            value.moment or ("turn-end" if lasts == "turn" else "turn-start"),
            value.whose or ("bearer" if bearer else "active"),
            value.save or read.save,
            value.dc or read.dc,
            (value.level or read.level or 1) if word is not None and word.has_level else 0,
        )

    def settle(self, before: ConditionDraft, after: ConditionDraft, name: str) -> ConditionDraft:
        """Return the entered draft. Typing replaces the chosen values, and another duration is counted as usual."""
        if name == "line":
            after = ConditionDraft(after.line, moment=after.moment, whose=after.whose)
        changes = self.fill(after, ()).lasts != before.lasts
        return msgspec.structs.replace(after, moment="", whose="") if changes else after

    def command(self, value: ConditionDraft) -> ApplyCondition | None:
        """Return the command, or None if something is missing or wasn't understood."""
        read, targets, active = read_condition(value.line, self.line_words), self.targets(), self._active()
        if not (read.condition and targets) or read.unknown:
            return None
        bare = ApplyCondition(targets, read.condition, value.level)
        change = msgspec.structs.replace
        if value.lasts == "removed":
            return bare
        if value.lasts == "save":
            return change(bare, save=value.save, dc=value.dc)
        rounds = value.rounds if value.lasts == "rounds" else 1
        if value.whose == "bearer" or not active:
            return change(bare, rounds=rounds, counted="affected" if value.moment == "turn-end" else "creator")
        if value.lasts == "turn":
            return change(bare, ends=Duration(value.moment or "turn-end", active))
        if value.moment == "turn-start":
            return change(bare, rounds=rounds, by=active)
        return change(bare, ends=Duration(value.moment or "turn-end", active, rounds))

    def missing(self, value: ConditionDraft) -> str:
        """Return a message if the save that ends the condition is incomplete, or an empty string."""
        known = value.line.strip() and not read_condition(value.line, self.line_words).unknown
        lacks_save = value.lasts == "save" and not (value.save and value.dc)
        return tr("ui.condition.missing-save") if known and lacks_save else ""

    def chips(self) -> list[Any]:
        """Return the chips that show how the condition was read, with its end if it is known."""
        value = self.draft.value()
        read = read_condition(value.line, self.line_words)
        lasting = (value.level, value.lasts, value.rounds, value.save, value.dc)
        entered = EnteredCondition(read.condition, *lasting, read.unknown)
        return condition_chips(entered, self.line_words, self._ending(value))

    def _active(self) -> str:
        acting = active_combatants(self.document.encounter)
        return acting[0].id if acting else ""

    def _word(self, read: EnteredCondition) -> ConditionWord | None:
        return next((condition for condition in self.line_words.conditions if condition.id == read.condition), None)

    def _saves(self) -> list[tuple[str, str]]:
        return [(id, names[-1]) for id, names in self.line_words.saves]

    def _bearers(self) -> list[tuple[str, str]]:
        """Return the combatants whose turns can be counted: the active one and the affected ones."""
        encounter, targets, active = self.document.encounter, self.targets(), self._active()
        bearer = labels_of(encounter, targets) if len(targets) == 1 else tr("ui.condition.each")
        acting = [("active", labels_of(encounter, (active,)))] if active else []
        return [*acting, *([("bearer", bearer)] if targets != (active,) or not active else [])]

    def _ending(self, value: ConditionDraft) -> str:
        """Return a text about the end of the condition, or an empty string if the end is unknown."""
        active, encounter = self._active(), self.document.encounter
        if value.lasts not in COUNTED:
            return ""
        if value.whose == "bearer" or not active:
            own = value.lasts == "turn" and value.moment == "turn-end"
            return tr("ui.condition.ends-own-turn") if own else ""
        later = value.rounds if value.lasts == "rounds" else int(value.moment == "turn-start")
        who = labels_of(encounter, (active,))
        return tr(f"ui.condition.ends-{value.moment}", who=who, n=clock_of(encounter).round + later)


def _segments(options: Any) -> FieldMaker:
    """Return a function that creates adjoining buttons for options, given as pairs of value and word key."""
    return lambda _request: SegmentsField(lambda: [(id, tr(f"ui.condition.{key}")) for id, key in options()])
