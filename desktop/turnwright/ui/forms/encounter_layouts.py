"""The forms of the scene, roster entries, waves, reminders, treasure and handouts as data.

Fields for the players' initiative, one line each, on the set-up page and in the form for all players.

The forms of environments, their features and world actions, and the outcomes of countdowns as data.
"""

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QIntValidator, QKeyEvent
from PySide6.QtWidgets import QWidget

from turnwright.encounter.field_specs import spec_of
from turnwright.encounter.prepared import (
    AddWave,
    Announce,
    Check,
    Countdown,
    Creature,
    DealDamage,
    Environment,
    EnvironmentEntry,
    Handout,
    Outcome,
    Reminder,
    RosterEntry,
    SavingThrow,
    Scene,
    Spawn,
    StartCountdown,
    Treasure,
    TriggerEntry,
    Wave,
)
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Encounter, count_for
from turnwright.rules.parts.economy.limited_uses import is_finite
from turnwright.rules.system_data import SystemData
from turnwright.ui.forms.choices import exemption_choices, named_choices, reminded_choices, watched_choices
from turnwright.ui.forms.compound_fields import MultiChoiceField, NumberList
from turnwright.ui.forms.creature_layouts import afflictions, recharge
from turnwright.ui.forms.fields import ChoiceField, Field, LineListField, Options, ParsedTextField, TextField
from turnwright.ui.forms.form import FormLayout, Row
from turnwright.ui.forms.kinds import NONE, FieldRequest, FormContext, lines
from turnwright.ui.forms.record_fields import StateField, TypedRecordsField, record
from turnwright.ui.look.style import GROUP_GAP, scaled, set_role, tr
from turnwright.ui.models.row_list_model import pending_waves
from turnwright.ui.widgets.fields import RollLine
from turnwright.ui.widgets.layout import ElidedLabel, grid_layout
from turnwright.ui.widgets.text import discard, plain_label

SIDE_BY_SIDE = (3, 128)


def _adjustment(request: FieldRequest) -> Field:
    return ChoiceField([("", request.words("none")), *named_choices(request.context.rules.data.adjustments)])


def _counts_error(text: str) -> str:
    is_malformed = text.strip() and count_for(text, 1) is None
    return tr("ui.roster-entry.counts-unread", what=text.strip()) if is_malformed else ""


def _counts(request: FieldRequest) -> Field:
    return ParsedTextField(_counts_error, str.strip, str, request.words("hint"))


ROSTER_ENTRY = FormLayout(
    RosterEntry,
    (
        Row(
            "creature", "side", "wave", "player", "level", "gear", "initiative", "check", "outside", wraps=SIDE_BY_SIDE
        ),
        Row("adjustment", "counts"),
        Row("state", shown_when=lambda entry, _context: entry.state is not None),
        Row("place", "positions", "elevation", wraps=SIDE_BY_SIDE),
        Row("notes"),
    ),
    {
        "together": (Row("controller", "rides", wraps=(2, 128)), Row("group")),
        "fate": (Row("dying", "bystander", stretch=(3, 2)), Row("counts_damage")),
    },
    fields={"adjustment": _adjustment, "counts": _counts, "notes": lines(1), "state": StateField},
    has=lambda context, name: name != "adjustment" or bool(context.rules.data.adjustments),
)


def _settle_round(context: FormContext, before: Scene, after: Scene, name: str) -> Scene:
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


TITLE = FormLayout(Scene, fields={"title": _title})
SETTING = FormLayout(
    Scene,
    (Row("purpose", "round_seconds", "light", "strictness", wraps=(4, 104)),),
    fields={"round_seconds": _round_seconds},
    settle=_settle_round,
)
SCENE_NOTES = FormLayout(
    Scene,
    (Row("read_aloud"), Row("goal"), Row("turning_points"), Row("notes"), Row("conditions"), Row("treasure")),
    fields={
        "read_aloud": lines(2, 10),
        "goal": lines(1, 4),
        "turning_points": lambda request: LineListField(request.words("hint"), 1, 8),
        "notes": lines(2, 14),
        "conditions": lines(1, 4),
        "treasure": lambda request: LineListField(request.words("hint"), 1, 6),
    },
)


def _watched(request: FieldRequest) -> Field:
    none = ("", request.words("none"))
    return ChoiceField(
        load_options=lambda: [none, *watched_choices(request.context.encounter(), request.binding.value())]
    )


WAVE = FormLayout(Wave, (Row("round", "when", "who", wraps=SIDE_BY_SIDE),), fields={"who": _watched})


def _reminded(request: FieldRequest) -> Field:
    none = ("", request.words("none"))
    return ChoiceField(
        load_options=lambda: [none, *reminded_choices(request.context.encounter(), request.binding.value())]
    )


def at_moment(*moments: str) -> Callable[[Any, FormContext], bool]:
    """Return a function that tests whether a reminder is for one of these moments."""
    return lambda reminder, _context: reminder.at in moments


OF_COMBATANTS = ("turn-start", "turn-end", "half", "drops", "dies")
REMINDER = FormLayout(
    Reminder,
    (
        Row("text"),
        Row("at", "round", wraps=SIDE_BY_SIDE),
        Row("who", shown_when=at_moment(*OF_COMBATANTS)),
        Row("countdown", "dice", wraps=SIDE_BY_SIDE, shown_when=at_moment("countdown")),
        Row("wave", shown_when=at_moment("wave")),
        Row("each_time", captions=False),
    ),
    fields={"who": _reminded, "text": lines(2, 8)},
)


TREASURE = FormLayout(
    Treasure,
    (
        Row("name"),
        Row("rarity", "price", "uses", wraps=(3, 112)),
        Row("text"),
        Row("secret", captions=False),
        Row("looks", shown_when=lambda treasure, _context: treasure.secret),
    ),
    fields={"text": lines(3, 12)},
)


def of_style(*styles: str) -> Callable[[Any, FormContext], bool]:
    """Return a function that tests whether a handout has one of these styles."""
    return lambda handout, _context: handout.style in styles


HANDOUT = FormLayout(
    Handout,
    (
        Row("title", "style", wraps=SIDE_BY_SIDE),
        Row("hand", shown_when=of_style("letter")),
        Row("headline", shown_when=of_style("notice", "page", "wanted", "newspaper")),
        Row("place", "date", wraps=SIDE_BY_SIDE, shown_when=of_style("letter", "newspaper", "telegram")),
        Row("text"),
        Row("reward", shown_when=of_style("wanted")),
        Row("signed"),
        Row("picture", shown_when=lambda handout, _context: handout.style != "telegram" or bool(handout.picture)),
    ),
    captions={"title": "ui.handout.heading"},
    fields={"text": lines(8, 24)},
)


PARTY = "party"


def players_of(encounter: Encounter) -> list[Combatant]:
    """Return the combatants whose players roll: those with a player or a level, otherwise the party, otherwise all."""
    combatants = list(encounter.all(Combatant))
    with_player = [combatant for combatant in combatants if combatant.player or _level(encounter, combatant)]
    return with_player or [combatant for combatant in combatants if combatant.side == PARTY] or combatants


def _level(encounter: Encounter, combatant: Combatant) -> int:
    entry = encounter.get(RosterEntry, combatant.roster) if combatant.roster else None
    return entry.level if entry else 0


class InitiativeFields(QWidget):
    """A line for each player.

    Emits `entered(who, total)` when the user leaves a line with a new total, and `finished` on Enter in the last line.
    Enter and Tab move to the next line. Letters are passed to the window, which uses them as shortcuts. If there are
    several `columns`, the players' names aren't shown, for lack of room.
    """

    entered = Signal(str, int)
    finished = Signal()

    def __init__(self, parent: QWidget | None = None, *, columns: int = 1) -> None:
        super().__init__(parent)
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


DEFAULT_DC = 12


# Parts of an entry ------------------------------------------------------------------------------------------------


def _settle_save(_context: FormContext, before: SavingThrow, after: SavingThrow, _name: str) -> SavingThrow | None:
    """Return the edited save, or None if it has no ability. A new save gets the default DC."""
    if not after.ability:
        return None
    return after if before.ability else msgspec.structs.replace(after, dc=DEFAULT_DC)


def _settle_check(context: FormContext, before: Check, after: Check, name: str) -> Check | None:
    """Return the edited check, or None if it has no ability.

    A new check gets the skill's usual ability and the default DC. It gets no DC if it is against the caster's roll.
    """
    if name == "skill" and not before.ability:
        usual = {skill.id: skill.ability for skill in context.rules.data.skills}
        after = msgspec.structs.replace(after, ability=usual.get(after.skill, "dex"))
    if not after.ability:
        return None
    if before.ability and name != "against":
        return after
    return msgspec.structs.replace(after, dc=0 if after.against else after.dc or DEFAULT_DC)


def _settle_spawn(context: FormContext, before: Spawn, after: Spawn, name: str) -> Spawn | None:
    """Return the edited spawn, or None if it has no creature. A name copied from the creature is updated."""
    if not after.creature:
        return None
    names = dict(_spawned_creatures(context))
    if name != "creature" or before.name not in ("", names.get(before.creature)):
        return after
    return msgspec.structs.replace(after, name=names.get(after.creature, after.creature))


def _spawned_creatures(context: FormContext) -> Options:
    own = {creature.id: creature.name or creature.id for creature in context.encounter().all(Creature)}
    shipped = {id: spawned.name for id, spawned in context.rules.spawns.items() if id not in own}
    return [*own.items(), *shipped.items()]


def _spawned_creature(request: FieldRequest) -> Field:
    none = ("", request.words("absent"))
    return ChoiceField(load_options=lambda: [none, *_spawned_creatures(request.context)])


SAVE = FormLayout(
    SavingThrow,
    (Row("ability", "dc"),),
    settle=_settle_save,
    enabled=lambda save, name: bool(save.ability) or name == "ability",
)
CHECK = FormLayout(
    Check,
    (Row("ability", "skill"), Row("against", "dc"), Row("cost", "free_by")),
    settle=_settle_check,
    enabled=lambda check, name: (
        name in ("ability", "skill") or bool(check.ability and not (name == "dc" and check.against))
    ),
    fields={"against": lambda request: ChoiceField([(id, request.words(id or "dc")) for id in ("", "spellcasting")])},
)
SPAWN = FormLayout(
    Spawn,
    (Row("creature", "name"), Row("side", "initiative"), Row("likeness")),
    settle=_settle_spawn,
    enabled=lambda spawn, name: bool(spawn.creature) or name == "creature",
    fields={"creature": _spawned_creature},
)


# Entries ----------------------------------------------------------------------------------------------------------


def _exemptions(request: FieldRequest) -> Callable[[], Options]:
    context = request.context
    return lambda: exemption_choices(request.binding.value(), context.encounter(), context.rules.data)


def _reduced(request: FieldRequest) -> Field:
    exemptions = _exemptions(request)
    return ChoiceField(load_options=lambda: [("", NONE), *exemptions()])


def _dearer(request: FieldRequest) -> Field:
    data = request.context.rules.data
    limited = [resource.id for resource in data.resources if is_finite(resource)]
    actions = [(action.id, action.name) for action in data.actions if action.cost in limited]
    return NumberList(actions, 1, lambda _action: 1, request.words("add"))


ENTRY_GROUPS = {
    "moment": (Row("kind", "trigger"), Row("recharge", "once"), Row("delay")),
    "check": (Row("check"),),
    "spared": (Row("spared"), Row("reduced", "reduced_damage"), Row("magical")),
    "push": (Row("push", "teleport"),),
    "spawn": (Row("spawn"),),
    "ground": (
        Row("terrain", "obscured"),
        Row("redirect", shown_when=lambda entry, _context: entry.terrain or entry.redirect),
        Row("cover", "cover_when"),
    ),
    "sound": (Row("hearing", "sound"), Row("per_die")),
    "effect": (Row("edge", "edge_on"), Row("dearer"), Row("secret")),
    "thing": (Row("ac", "size"), Row("cost", "range"), Row("reflects", "breaks")),
}


def entry_layout(*first: str) -> FormLayout:
    """Return the form of an environment entry.

    `first` are two fields of the group `moment` that are shown in a row near the top instead.
    """
    return FormLayout(
        EnvironmentEntry,
        (
            Row("name", "enabled", stretch=(3, 1)),
            Row(*first),
            Row("affects", "within"),
            Row("save"),
            Row("damage", "fatigue", stretch=(3, 2)),
            Row("afflictions"),
            Row("text"),
            Row("short"),
        ),
        ENTRY_GROUPS,
        fields={
            "recharge": recharge,
            "save": record(SAVE),
            "afflictions": afflictions,
            "check": record(CHECK),
            "spared": lambda request: MultiChoiceField((), _exemptions(request), own_caption=request.words("own")),
            "reduced": _reduced,
            "spawn": record(SPAWN),
            "dearer": _dearer,
        },
    )


ACTION = entry_layout("recharge", "once")
FEATURE = entry_layout("kind", "trigger")


# Environments -----------------------------------------------------------------------------------------------------


def _place_has(context: FormContext, name: str) -> bool:
    budgets = [budget for budget in context.rules.data.budgets if budget.places]
    return name not in ("rating", "complex") or bool(budgets and (name == "rating" or budgets[0].complex))


ENVIRONMENT = FormLayout(
    Environment,
    (Row("name", "size", stretch=(3, 2)), Row("description"), Row("rating", "complex")),
    fields={"description": lines(1)},
    has=_place_has,
)
ENVIRONMENT_NOTES = FormLayout(Environment, (Row("notes"),))


def describe_entry(catalogue: SystemData) -> Callable[[EnvironmentEntry], str]:
    """Return a function that summarises an environment entry: save, damage, conditions, recharge and terrain."""
    shorts = {ability.id: ability.short.capitalize() for ability in catalogue.abilities}
    conditions = {condition.id: condition.name.lower() for condition in catalogue.conditions}

    def describe(entry: EnvironmentEntry) -> str:
        parts = []
        if entry.recharge:
            parts.append(f"◇ {'6' if entry.recharge == 6 else f'{entry.recharge}–6'}")
        if entry.save is not None:
            parts.append(
                tr("ui.environment-entry.save-short", ability=shorts.get(entry.save.ability, ""), dc=entry.save.dc)
            )
        parts += [entry.damage] if entry.damage else []
        parts += [conditions.get(affliction.condition, affliction.condition) for affliction in entry.afflictions]
        parts += [tr(f"ui.environment-entry.terrain-{entry.terrain}").lower()] if entry.terrain else []
        parts += [tr(f"ui.environment-entry.obscured-{entry.obscured}").lower()] if entry.obscured else []
        parts += (
            [tr("ui.environment-entry.cover-short", what=tr(f"ui.environment-entry.cover-{entry.cover}").lower())]
            if entry.cover
            else []
        )
        parts += [entry.spawn.name] if entry.spawn is not None else []
        return ", ".join(parts)

    return describe


# Outcomes ---------------------------------------------------------------------------------------------------------


def _with_first_entry(context: FormContext, _before: TriggerEntry, after: TriggerEntry, name: str) -> TriggerEntry:
    """Return the edited trigger. If its environment has changed, select the environment's first entry."""
    if name != "environment":
        return after
    place = context.encounter().get(Environment, after.environment)
    rows = (*place.actions, *place.features) if place is not None else ()
    return msgspec.structs.replace(after, entry=rows[0].id if rows else "")


def _outcome(kind: type[Outcome], *names: str, **more: Any) -> FormLayout:
    return FormLayout(kind, tuple(Row(name, captions=False) for name in names), words="ui.outcome-field", **more)


OUTCOMES: dict[type[msgspec.Struct], FormLayout] = {
    Announce: _outcome(Announce, "text", fields={"text": lines(2, 8)}),
    AddWave: _outcome(AddWave, "wave"),
    StartCountdown: _outcome(StartCountdown, "countdown"),
    TriggerEntry: _outcome(TriggerEntry, "environment", "entry", settle=_with_first_entry),
    DealDamage: _outcome(DealDamage, "damage", "side"),
}


def outcomes(request: FieldRequest) -> Field:
    """Return the field for the outcomes of a countdown. A new outcome gets the first available option."""
    context = request.context

    def create(kind: type[Outcome]) -> Outcome:
        encounter = context.encounter()
        if kind is TriggerEntry:
            places = ((place, row) for place in encounter.all(Environment) for row in (*place.actions, *place.features))
            return next((TriggerEntry(place.id, row.id) for place, row in places), TriggerEntry("", ""))
        if kind is AddWave:
            return AddWave(next(iter(dict(pending_waves(encounter))), ""))
        if kind is StartCountdown:
            return StartCountdown(next(iter(encounter.ids(Countdown)), ""))
        return DealDamage("1d6") if kind is DealDamage else Announce("")

    return TypedRecordsField(context, OUTCOMES, "ui.outcome", create)
