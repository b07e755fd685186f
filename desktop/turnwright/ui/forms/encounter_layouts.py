"""The forms of the scene, roster entries, waves, reminders, treasure, handouts and initiative as data."""

from collections.abc import Callable, Sequence

import msgspec
from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QIntValidator, QKeyEvent
from PySide6.QtWidgets import QWidget

from turnwright.encounter import prepared
from turnwright.encounter.field_specs import spec_of
from turnwright.encounter.roles import is_character, is_ours
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Encounter, count_for
from turnwright.rules.parts.actions.condition_words import line_words
from turnwright.rules.parts.actions.effect_words import completed, split_effects, unread_word
from turnwright.ui.forms.choices import named_choices, reminded_choices, watched_choices
from turnwright.ui.forms.fields import ChoiceField, Field, Options, ParsedTextField, TextField
from turnwright.ui.forms.form import FormLayout, form_layout
from turnwright.ui.forms.kinds import FieldRequest, FormContext
from turnwright.ui.forms.record_fields import StateField
from turnwright.ui.look.style import GROUP_GAP, scaled, set_role, tr
from turnwright.ui.widgets.fields import RollLine
from turnwright.ui.widgets.layout import ElidedLabel, grid_layout
from turnwright.ui.widgets.text import discard, plain_label


def _adjustment(request: FieldRequest) -> Field:
    return ChoiceField([("", request.words("none")), *named_choices(request.context.rules.data.adjustments)])


def _counts_error(text: str) -> str:
    is_malformed = text.strip() and count_for(text, 1) is None
    return tr("ui.roster-entry.counts-unread", what=text.strip()) if is_malformed else ""


def _counts(request: FieldRequest) -> Field:
    return ParsedTextField(_counts_error, str.strip, str, request.words("hint"))


def _effects(request: FieldRequest) -> Field:
    """Create the line for the effects in force from the start."""
    context = request.context

    def problem(text: str) -> str:
        words = line_words(context.rules, context.encounter())
        unread = next((word for each in split_effects(text) if (word := unread_word(each, words, context.rules))), "")
        if not unread:
            return ""
        near = completed(unread, words).strip()
        key = "ui.roster-entry.effects-unread" if near == unread else "ui.roster-entry.effects-unread-near"
        return tr(key, what=unread, near=near)

    return ParsedTextField(problem, split_effects, " with ".join, request.words("hint"))


ROSTER_ENTRY = form_layout(
    "roster-entry",
    prepared.RosterEntry,
    fields={"adjustment": _adjustment, "counts": _counts, "effects": _effects, "state": StateField},
    has=lambda context, name: name != "adjustment" or bool(context.rules.data.adjustments),
)


def _settle_round(context: FormContext, before: prepared.Scene, after: prepared.Scene, name: str) -> prepared.Scene:
    """If the purpose has changed, set the usual round length, unless the user has changed it."""
    usual = context.rules.default_round_seconds
    if name != "purpose" or before.round_seconds != usual(before.purpose):
        return after
    return msgspec.structs.replace(after, round_seconds=usual(after.purpose))


def _title(request: FieldRequest) -> Field:
    field = TextField(request.words("hint"))
    set_role(field.line, "strong")
    return field


def _round_seconds(request: FieldRequest) -> Field:
    return ChoiceField([(length.seconds, length.name) for length in request.context.rules.data.round_lengths])


TITLE = FormLayout(prepared.Scene, fields={"title": _title})
SETTING = form_layout("setting", prepared.Scene, fields={"round_seconds": _round_seconds}, settle=_settle_round)
SCENE_NOTES = form_layout("scene-notes", prepared.Scene)


def _who(request: FieldRequest, choices: Callable[..., Options]) -> Field:
    none = ("", request.words("none"))
    return ChoiceField(load_options=lambda: [none, *choices(request.context.encounter(), request.binding.value())])


WAVE = form_layout("wave", prepared.Wave, fields={"who": lambda request: _who(request, watched_choices)})
REMINDER = form_layout("reminder", prepared.Reminder, fields={"who": lambda request: _who(request, reminded_choices)})
TREASURE = form_layout("treasure", prepared.Treasure)
HANDOUT = form_layout("handout", prepared.Handout, captions={"title": "ui.handout.heading"})


def players_of(encounter: Encounter) -> list[Combatant]:
    """Return the combatants whose players roll: the player characters, otherwise the party, otherwise all."""
    combatants = list(encounter.all(Combatant))
    ours = [combatant for combatant in combatants if is_ours(encounter, combatant)]
    return [combatant for combatant in ours if is_character(encounter, combatant)] or ours or combatants


class InitiativeFields(QWidget):
    """A line for each player.

    Emits `entered(who, total)` when the user leaves a line with a new total, and `finished` on Enter in the last line.
    Enter and Tab move to the next line. Letters are passed to the window, which uses them as shortcuts. If there are
    several `columns`, the players' names aren't shown, for lack of room.
    """

    entered = Signal(str, int)
    finished = Signal()

    def __init__(self, *, columns: int = 1) -> None:
        super().__init__()
        self._columns = columns
        self.lines: list[RollLine] = []
        self._people: tuple[tuple[str, str, str], ...] = ()
        self._totals: dict[str, int | None] = {}
        self._grid = grid_layout(self, across=GROUP_GAP)

    def show_people(self, people: Sequence[Combatant]) -> None:
        """Show the totals of these combatants. Unfinished text is kept."""
        people_shown = tuple((person.id, person.label, person.player) for person in people)
        self._totals = {person.id: person.initiative for person in people}
        if people_shown != self._people:
            self._people = people_shown
            self._build()
        for (who, _, _), line in zip(people_shown, self.lines, strict=True):
            if not (line.hasFocus() and line.isModified()):
                total = self._totals[who]
                line.setText("" if total is None else str(total))

    def totals(self) -> tuple[tuple[str, int], ...]:
        """Return pairs of combatant id and total. Empty lines are omitted."""
        pairs = zip(self._people, self.lines, strict=True)
        return tuple((who, int(line.text())) for (who, _, _), line in pairs if line.hasAcceptableInput())

    def focus_first(self) -> bool:
        """Focus the first line without a total, or else the first line. Return False if there are no lines."""
        empty = next((place for place, line in enumerate(self.lines) if not line.text()), 0)
        if self.lines:
            self._go(empty)
        return bool(self.lines)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress and watched in self.lines:
            place = self.lines.index(watched)
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self._enter(place)
                self._go(place + 1)
                return True
            if event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Up):
                step = self._columns if event.key() == Qt.Key.Key_Down else -self._columns
                self._go(min(len(self.lines) - 1, max(0, place + step)))
                return True
        return super().eventFilter(watched, event)

    def _build(self) -> None:
        while (item := self._grid.takeAt(0)) is not None:
            discard(item.widget())
        self.lines = []
        for place, (_, label, player) in enumerate(self._people):
            line = self._make_line(place, label)
            self.lines.append(line)
            row, column = divmod(place, self._columns)
            self._grid.addWidget(ElidedLabel(label, "strong"), row, 3 * column)
            self._grid.setColumnStretch(3 * column, 1)
            if self._columns == 1:
                self._grid.addWidget(plain_label(player, "caption", "muted"), row, 1)
            self._grid.addWidget(line, row, 3 * column + 2)

    def _make_line(self, place: int, label: str) -> RollLine:
        line = RollLine()
        limits = spec_of(Combatant, "initiative")
        line.setValidator(QIntValidator(limits.least, limits.most, line))
        line.setAlignment(Qt.AlignmentFlag.AlignRight)
        set_role(line, "entry")
        line.setFixedSize(scaled(72), scaled(48))
        line.setToolTip("")
        line.setAccessibleName(tr("ui.initiative.of", name=label))
        line.editingFinished.connect(lambda: self._enter(place))
        line.installEventFilter(self)
        return line

    def _enter(self, place: int) -> None:
        """Emit the total of a line if it is new."""
        who, line = self._people[place][0], self.lines[place]
        if line.hasAcceptableInput() and int(line.text()) != self._totals[who]:
            line.setModified(False)
            self._totals[who] = int(line.text())
            self.entered.emit(who, int(line.text()))

    def _go(self, place: int) -> None:
        if place >= len(self.lines):
            self.finished.emit()
            return
        self.lines[place].setFocus()
        self.lines[place].selectAll()
