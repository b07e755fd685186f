"""The turn order as a table model with a row for each combatant and the columns of `TurnOrderColumn`.

Dead combatants come last, after those without a place in the order. A change updates only the rows that it may affect.
Rows are moved instead of rebuilt. Tags below names are pending rolls, conditions and mounts.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from enum import IntEnum
from typing import Final

import msgspec
from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QImage

from turnwright.encounter.portraits import portrait_of
from turnwright.encounter.procedure_state.asks import Ask
from turnwright.encounter.roles import is_character
from turnwright.encounter.running import Combatant, Effect, Slot, Track
from turnwright.encounter.state import Encounter, clock_of, grouped, slots_in_order
from turnwright.play.kernel.transaction import Command, copy_fields
from turnwright.play.queries.queries import (
    can_react,
    ends_this_turn,
    hit_point_state,
    next_up,
    open_prompts,
    rounds_left,
    waiting_asks,
)
from turnwright.play.table.game_master import Rename
from turnwright.play.turn_order.surprise import MarkSneaking, SetInitiative, SetSurprised
from turnwright.rules.parts.combatants.facts import phases_in_force
from turnwright.rules.parts.damage.damage_steps import FAILURES, SUCCESSES
from turnwright.rules.system import RuleSystem, creature_of
from turnwright.rules.system_data.roles import ConditionRole
from turnwright.ui.look.style import escaped_tooltip, number_text, role_font
from turnwright.ui.look.window_data import window_data
from turnwright.ui.models.initiative_pending import entered_totals
from turnwright.ui.models.row_list_model import Index, Row, RowListModel
from turnwright.ui.services.document_model import DocumentModel

STATE_ICONS = {"dead": "skull", "down": "heart-broken", "bloodied": "blood-bag"}
# Roles of conditions: those more specific than "down", those implied by them, grave ones, and those shown first.
AT_ZERO: Final[tuple[ConditionRole, ...]] = ("dying", "stable")
IMPLIED_AT_ZERO: Final[tuple[ConditionRole, ...]] = ("unconscious", "incapacitated", "prone")
GRAVE_STATES: Final[tuple[ConditionRole, ...]] = ("dying", "doomed", "wounded")
FIRST_TAGS: Final = window_data("turn-order.first-tags", tuple[ConditionRole, ...])


SAVE = "<save."
FEWEST_COPIES = 5  # equal rows that are folded into one


class StatusTag(msgspec.Struct, frozen=True):
    """A tag with an icon: a condition, a state or a mark. `tone` is a theme token.

    `words` is longer than the `text` of the row, for tooltips and screen readers. If `on_row` is False, the row shows
    the fact in another form; for example, bloodied and down appear next to the hit points.
    """

    text: str
    icon: str
    tone: str = "muted"
    words: str = ""
    on_row: bool = True


class DeathSaveCounts(msgspec.Struct, frozen=True):
    """The numbers of successful and failed death saves, and the numbers needed to decide the outcome."""

    successes: int
    successes_needed: int
    failures: int
    failures_allowed: int


def status_tags(document: DocumentModel, combatant: Combatant, effects: Iterable[Effect]) -> Iterator[StatusTag]:
    """Yield the tags of a combatant's state, conditions and position, most important first."""
    words = document.words
    state = hit_point_state(combatant)
    names = {effect.name for effect in effects}
    if state == "dead" or (state == "down" and not names & _played(document.rules, AT_ZERO)):
        tone = "muted" if state == "dead" else "harm"
        yield StatusTag(words(f"ui.turn-order.{state}"), STATE_ICONS[state], tone, on_row=False)
    if combatant.dead:
        return
    if combatant.hidden:
        yield StatusTag(words("ui.turn-order.hidden"), "eye-off", "muted")
    for phase in (*phases_in_force(document.encounter, combatant.id),)[-1:]:
        yield StatusTag(phase.name or phase.id, "autorenew", "harm", phase.note)
    yield from _conditions(document, effects, names)
    yield from _whereabouts(document, combatant)
    if state == "bloodied":
        yield StatusTag(words("ui.turn-order.bloodied"), STATE_ICONS[state], "harm", on_row=False)


def roll_tag(document: DocumentModel, ask: Ask) -> StatusTag:
    """Return the tag of a roll that a combatant still has to make (`Con save, DC 15`)."""
    ability = ask.detail.removeprefix(SAVE).removesuffix(">") if ask.detail.startswith(SAVE) else ""
    shorts = {ability_data.id: ability_data.short.capitalize() for ability_data in document.rules.data.abilities}
    short = {**shorts, **dict(document.rules.data.presentation.saves)}.get(ability, "")
    what = document.words("ui.turn-order.save-of", ability=short) if short else ""
    speech = document.phrasebook
    spoken = speech.expand_keys(ask.detail) if ask.detail.startswith("<") else ""
    what = what or spoken or speech.text(ask.label, detail=ask.detail)
    what = what[1:-1] if what.startswith("(") and what.endswith(")") else what  # its end may be left out in a row
    text = document.words("ui.turn-order.against", what=what, dc=ask.dc) if ask.dc else what
    return StatusTag(text[:1].upper() + text[1:], "shield-alert-outline", "warn")


def _conditions(document: DocumentModel, effects: Iterable[Effect], names: set[str]) -> Iterator[StatusTag]:
    """Yield a tag for each condition, most important first. Conditions implied by 0 hit points are skipped."""
    rules = document.rules
    plain = _played(rules, IMPLIED_AT_ZERO) if names & _played(rules, AT_ZERO) else set()
    first, grave = [rules.role(role) for role in FIRST_TAGS], _played(rules, GRAVE_STATES)
    visible = grouped((effect.name, effect) for effect in effects if effect.shown and effect.name not in plain)

    def place(name: str) -> int:
        return first.index(name) if name in first else len(first) + (name not in rules.conditions)

    for name in sorted(visible, key=place):
        condition = rules.conditions.get(name)
        icon = condition.icon.removeprefix("mdi6.") if condition and condition.icon else "circle-medium"
        tone = "heal" if name == rules.role("stable") else "harm" if name in grave else "warn"
        value = max(effect.value for effect in visible[name]) if condition is not None and condition.has_levels else 0
        spoken = document.phrasebook.expand_keys(f"<condition.{name}>")
        spoken = spoken.lower() if condition is not None else spoken
        counts = name == rules.data.attack.tally  # shown in the header of the active turn
        tag = StatusTag(f"{spoken} {value}" if value else spoken, icon, tone, on_row=not counts)
        yield _condition(document, tag, visible[name])


def _condition(document: DocumentModel, tag: StatusTag, effects: Sequence[Effect]) -> StatusTag:
    """Add a condition's trigger, its spell, or its remaining rounds to its tag."""
    words, rules, latest = document.words, document.rules, effects[-1]
    if latest.name == rules.role("readied") and latest.end_condition:
        return msgspec.structs.replace(tag, text=words("ui.turn-order.readied-for", trigger=latest.end_condition))
    if latest.name == rules.role("concentrating") and latest.source:
        full = words("ui.turn-order.concentrates-on", what=tag.text, spell=latest.source)
        return msgspec.structs.replace(tag, text=latest.source, words=full)
    if all(ends_this_turn(document.encounter, effect) for effect in effects):
        return msgspec.structs.replace(tag, text=words("ui.turn-order.ends-this-turn", what=tag.text))
    rounds = [rounds_left(document.encounter, effect) for effect in effects]
    if not all(rounds):
        return tag
    text = words("ui.turn-order.rounds-short", what=tag.text, n=max(rounds))
    return msgspec.structs.replace(tag, text=text, words=words("ui.turn-order.rounds", what=tag.text, n=max(rounds)))


def _played(rules: RuleSystem, roles: Iterable[ConditionRole]) -> set[str]:
    """Return the rule system's conditions that have these roles."""
    return {rules.role(role) for role in roles}


def _whereabouts(document: DocumentModel, combatant: Combatant) -> Iterator[StatusTag]:
    """Yield tags for a combatant's mount, its riders and its elevation."""
    words, encounter = document.words, document.encounter
    for other in mount_and_riders(encounter, combatant):
        rides = other.id == combatant.rides
        text = words("ui.turn-order.rides" if rides else "ui.turn-order.carries", what=other.label)
        yield StatusTag(text, "arrow-up-bold" if rides else "paw", "muted")
    if combatant.elevation:
        up = combatant.elevation > 0
        text = words("ui.turn-order.above" if up else "ui.turn-order.below", n=abs(combatant.elevation))
        yield StatusTag(text, "arrow-up" if up else "arrow-down", "muted")


def death_saves(
    rules: RuleSystem, combatant: Combatant, effects: Iterable[Effect], tracks: Iterable[Track]
) -> DeathSaveCounts | None:
    """Return the death saves of a dying combatant. Return None if it isn't dying, and in systems without death saves."""
    figures = rules.data.dying.save
    if not figures.failures or combatant.dead or all(effect.name != rules.role("dying") for effect in effects):
        return None
    values = {track.name: track.value for track in tracks}
    return DeathSaveCounts(values.get(SUCCESSES, 0), figures.successes, values.get(FAILURES, 0), figures.failures)


def mount_and_riders(encounter: Encounter, combatant: Combatant) -> Iterator[Combatant]:
    """Yield a combatant's mount and riders."""
    mount = encounter.get(Combatant, combatant.rides) if combatant.rides else None
    if mount is not None:
        yield mount
    yield from (other for other in encounter.all(Combatant) if other.rides == combatant.id)


TABLES = ("combatants", "slots", "clock", "effects", "tracks", "creatures", "guest_creatures", "prompts", "roster")


class TurnOrderRow(msgspec.Struct, frozen=True):
    """One combatant in the order. `state` is dead, down, bloodied or up.

    - `count`: the initiative total, or None if the combatant has no place yet.
    - `death_saves`: None if the combatant isn't making any.
    - `has_reaction`: the combatant can take reactions, even if its reaction is spent.
    - `delaying`: its turn is delayed. `is_out`: it is dead and not acting. `bystander`: it takes no turns.
    - `note`: its plan for its turn. `portrait`: the file of its portrait.
    """

    id: str
    slot: str = ""
    label: str = ""
    side: str = ""
    count: int | None = None
    hp: int = 0
    hp_max: int = 0
    temp_hp: int = 0
    counts_damage: bool = False
    state: str = "up"
    active: bool = False
    next_up: bool = False
    hidden: bool = False
    sneaking: bool = False
    surprised: bool = False
    can_react: bool = False
    has_reaction: bool = False
    delaying: bool = False
    is_out: bool = False
    bystander: bool = False
    note: str = ""
    position: str = ""
    portrait: str = ""
    tags: tuple[StatusTag, ...] = ()
    death_saves: DeathSaveCounts | None = None


class TurnOrderColumn(IntEnum):
    """The columns of the turn order, from left to right."""

    LEAD = 0
    COUNT = 1
    WHO = 2
    SNEAKING = 3
    SURPRISED = 4


class CellEditor(msgspec.Struct, frozen=True):
    """Makes a cell editable. Contains the key of the editor's name, the value, and a function that creates the command.

    The function returns None if the value is unchanged or invalid.
    """

    name: str
    value: Callable[[TurnOrderRow], object]
    command: Callable[[TurnOrderRow, object], Command | None]


class CellSwitch(msgspec.Struct, frozen=True):
    """Makes a cell checkable during set-up. Contains the key of its accessible name, its state, and a function.

    The function receives all rows, the changed row and its new state, and returns the command.
    """

    name: str
    is_on: Callable[[TurnOrderRow], bool]
    command: Callable[[Sequence[TurnOrderRow], TurnOrderRow, bool], Command]


def _initiative_command(row: TurnOrderRow, value: object) -> Command | None:
    try:
        total = int(str(value))
    except ValueError:
        return None
    return SetInitiative(((row.id, total),)) if total != row.count else None


def _name_command(row: TurnOrderRow, value: object) -> Command | None:
    name = str(value).strip()
    return Rename(row.id, name) if name and name != row.label else None


def _surprised_command(rows: Sequence[TurnOrderRow], row: TurnOrderRow, on: bool) -> Command:
    others = tuple(other.id for other in rows if other.surprised and other.id != row.id)
    return SetSurprised((*others, row.id) if on else others)


TEXTS: Mapping[TurnOrderColumn, Callable[[TurnOrderRow], str]] = {
    TurnOrderColumn.COUNT: lambda row: "" if row.count is None else str(row.count),
    TurnOrderColumn.WHO: lambda row: row.label,
}  # fmt: skip
ALIGNMENT: Mapping[TurnOrderColumn, Qt.AlignmentFlag] = {
    TurnOrderColumn.COUNT: Qt.AlignmentFlag.AlignRight,
    TurnOrderColumn.WHO: Qt.AlignmentFlag.AlignLeft,
}  # fmt: skip
EDITORS: Mapping[TurnOrderColumn, CellEditor] = {
    TurnOrderColumn.COUNT: CellEditor("ui.turn-order.column-count", lambda row: row.count, _initiative_command),
    TurnOrderColumn.WHO: CellEditor("ui.turn-order.rename", lambda row: row.label, _name_command),
}  # fmt: skip
SWITCHES: Mapping[TurnOrderColumn, CellSwitch] = {
    TurnOrderColumn.SNEAKING: CellSwitch("ui.turn-order.sneaking-of", lambda row: row.sneaking, lambda _rows, row, on: MarkSneaking((row.id,), on)),
    TurnOrderColumn.SURPRISED: CellSwitch("ui.turn-order.surprised-of", lambda row: row.surprised, _surprised_command),
}  # fmt: skip


def _alignment(column: TurnOrderColumn) -> int:
    return int(ALIGNMENT.get(column, Qt.AlignmentFlag.AlignHCenter) | Qt.AlignmentFlag.AlignVCenter)


class TurnOrderModel(RowListModel):
    """Combatants in turn order. Those without a place come after them, in their prepared order."""

    def __init__(self, document: DocumentModel, parent: QObject | None = None) -> None:
        super().__init__(len(TurnOrderColumn), parent)
        self._document = document
        self._rules = document.rules
        self._known: dict[str, tuple[tuple[object, ...], TurnOrderRow]] = {}
        document.follow(self.refresh, *TABLES, replaced=self._on_replaced)
        self.refresh()

    # Reading -------------------------------------------------------------------------------------------------------

    def row_at(self, row: int) -> TurnOrderRow:
        """Return the combatant in a row."""
        return self.contents[self.keys[row]]

    def row_of(self, key: Row | str) -> int:
        """Return the row of a combatant's id or key, or -1 if it isn't listed."""
        return super().row_of((Combatant.table, key) if isinstance(key, str) else key)

    def active_row(self) -> int:
        """Return the row of the active combatant, or -1 if there is none."""
        return next((place for place, row in enumerate(self._rows()) if row.active), -1)

    def face(self, row: TurnOrderRow) -> QImage | None:
        """Return the portrait of a row, or None if it has none or it isn't loaded yet."""
        return self._document.portraits.image(row.portrait)

    @property
    def is_setting_up(self) -> bool:
        """Whether the encounter is in set-up."""
        return clock_of(self._document.encounter).phase == "set-up"

    @property
    def has_switches(self) -> bool:
        """Whether combatants can be marked as sneaking or surprised now. This requires a rule system with surprise."""
        return self.is_setting_up and self._document.rules.has_surprise

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if self.key_at(index) is None:
            return None
        row, column = self.row_at(index.row()), TurnOrderColumn(index.column())
        if role == Qt.ItemDataRole.DisplayRole:
            return TEXTS[column](row) if column in TEXTS else None
        if role == Qt.ItemDataRole.EditRole:
            return EDITORS[column].value(row) if column in EDITORS else None
        if role == Qt.ItemDataRole.CheckStateRole and column in SWITCHES and not row.bystander:
            return Qt.CheckState.Checked if SWITCHES[column].is_on(row) else Qt.CheckState.Unchecked
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _alignment(column)
        if role == Qt.ItemDataRole.AccessibleTextRole and column in SWITCHES:
            return self._document.words(SWITCHES[column].name, who=row.label)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return self._described(row)
        if role == Qt.ItemDataRole.ToolTipRole and column not in SWITCHES:
            return escaped_tooltip("\n".join(part for part in (self._described(row), row.note) if part))
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if orientation != Qt.Orientation.Horizontal:
            return None
        column = TurnOrderColumn(section)
        if role == Qt.ItemDataRole.DisplayRole and column != TurnOrderColumn.LEAD:
            return self._document.words(f"ui.turn-order.column-{column.name.lower()}")
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _alignment(column)
        return role_font("caption") if role == Qt.ItemDataRole.FontRole else None

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = super().flags(index)
        if index.column() in EDITORS:
            return flags | Qt.ItemFlag.ItemIsEditable
        switched = index.column() in SWITCHES and self.has_switches and not self.row_at(index.row()).bystander
        return flags | Qt.ItemFlag.ItemIsUserCheckable if switched else flags

    def copies(self, apart: Collection[str]) -> dict[int, int]:
        """Return the first row of each run of equal copies, with the number of rows that follow it.

        The copies have the same total and state. Short runs don't count. The rows in `apart` aren't part of a run.
        """
        runs: dict[int, int] = {}
        start, before = 0, None
        for place, row in enumerate(self._rows()):
            combatant = self._document.encounter.get(Combatant, row.id)
            key = None
            if combatant is not None and not (row.active or row.next_up or row.is_out or row.id in apart):
                alike = msgspec.structs.replace(row, id="", slot="", label="", position="")
                is_own = is_character(self._document.encounter, combatant)
                key = None if is_own else (combatant.roster, combatant.creature, alike)
            if key is None or key != before:
                start = place
            elif row.count is not None:
                runs[start] = place - start
            before = key
        return {first: behind for first, behind in runs.items() if behind + 1 >= FEWEST_COPIES}

    # Writing -------------------------------------------------------------------------------------------------------

    def setData(self, index: Index, value: object, role: int = Qt.ItemDataRole.EditRole) -> bool:
        if not index.isValid():
            return False
        row, column = self.row_at(index.row()), TurnOrderColumn(index.column())
        command: Command | None = None
        if role == Qt.ItemDataRole.EditRole and column in EDITORS:
            command = EDITORS[column].command(row, value)
        elif role == Qt.ItemDataRole.CheckStateRole and self.flags(index) & Qt.ItemFlag.ItemIsUserCheckable:
            command = SWITCHES[column].command(self._rows(), row, Qt.CheckState(value) == Qt.CheckState.Checked)
        return command is not None and self._document.execute(command)

    # Following changes ---------------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Update the rows."""
        if self._document.rules is not self._rules:
            self._rules = self._document.rules
            self._known = {}
        self.show_contents({(Combatant.table, row.id): row for row in self._worked_out()})

    def _rows(self) -> list[TurnOrderRow]:
        return [self.contents[key] for key in self.keys]

    def _on_replaced(self) -> None:
        self._known = {}
        self.refresh()

    def _worked_out(self) -> list[TurnOrderRow]:
        encounter, rules = self._document.encounter, self._document.rules
        now = clock_of(encounter)
        after = next_up(encounter, rules) if now.phase == "rounds" else None
        effects = grouped((effect.target, effect) for effect in encounter.all(Effect))
        tracks = grouped((track.owner, track) for track in encounter.all(Track))
        pending = {
            ask.who: ask for prompt in open_prompts(encounter) for ask in waiting_asks(prompt) if ask.kind == "roll"
        }
        entered = entered_totals(encounter)
        order = slots_in_order(encounter)
        placed = [(who, slot) for slot in order for who in slot.members if encounter.get(Combatant, who)]
        seated = {who for who, _ in placed}
        riders = grouped((rider.rides, rider) for rider in encounter.all(Combatant) if rider.rides)
        unplaced = [(other.id, None) for other in encounter.all(Combatant) if other.id not in seated]
        rows: dict[str, tuple[tuple[object, ...], TurnOrderRow]] = {}
        for who, slot in [*placed, *unplaced]:
            combatant = encounter.need(Combatant, who)
            up_next = after is not None and slot is not None and slot.id == after.id and slot.id != now.active
            on_turn = slot is not None and now.active in (slot.id, slot.joined_to)
            facts = (combatant, slot, now.phase, now.round, on_turn, up_next, creature_of(encounter, combatant))
            portrait = portrait_of(encounter, combatant)
            mount = encounter.get(Combatant, combatant.rides)
            ridden = [*([mount] if mount is not None else []), *riders.get(who, ())]
            partners = tuple((partner.id, partner.label) for partner in ridden)
            held_effects, own_tracks = tuple(effects.get(who, ())), tuple(tracks.get(who, ()))
            awaited = now.active if any(effect.ends.who not in ("", who) for effect in held_effects) else ""
            prompted = (pending.get(who), entered.get(who))
            signature = (*facts, portrait, partners, held_effects, awaited, own_tracks, *prompted)
            if (former := self._known.get(who)) is not None and former[0] == signature:
                rows[who] = former
            else:
                row = self._row(combatant, slot, up_next, held_effects, own_tracks)
                waits = [roll_tag(self._document, pending[who])] if who in pending else []
                row = msgspec.structs.replace(row, tags=(*waits, *row.tags), count=entered.get(who, row.count))
                rows[who] = (signature, row)
        self._known = rows
        return sorted((row for _, row in rows.values()), key=lambda row: row.is_out)

    def _row(
        self, combatant: Combatant, slot: Slot | None, up_next: bool, effects: Sequence[Effect], tracks: Sequence[Track]
    ) -> TurnOrderRow:
        encounter, rules = self._document.encounter, self._document.rules
        now = clock_of(encounter)
        active = slot is not None and now.phase == "rounds" and slot.id == now.active
        waiting = slot is not None and slot.delay == "waiting" and now.phase == "rounds"
        reacts = any(resource.off_turn for resource in rules.data.resources)
        has_reaction = now.phase == "rounds" and reacts and not combatant.bystander
        delays = [StatusTag(self._document.words("ui.turn-order.delays"), "timer-sand", "warn")] if waiting else []
        return copy_fields(
            TurnOrderRow,
            combatant,
            slot=slot.id if slot else "",
            count=slot.count if slot else combatant.initiative,
            state=hit_point_state(combatant),
            active=active,
            next_up=up_next,
            surprised=any(effect.name == rules.role("surprised") for effect in effects),
            can_react=has_reaction and not combatant.dead and can_react(encounter, rules, combatant.id),
            has_reaction=has_reaction,
            delaying=waiting,
            is_out=combatant.dead and not active,
            note=combatant.plan,
            position=combatant.place,
            portrait=portrait_of(encounter, combatant),
            tags=(*delays, *status_tags(self._document, combatant, effects)),
            death_saves=death_saves(rules, combatant, effects, tracks),
        )

    def _described(self, row: TurnOrderRow) -> str:
        words = self._document.words
        taken = words("ui.hp.taken-of", n=max(0, row.hp_max - row.hp), maximum=row.hp_max)
        left = words("ui.hp.points", now=number_text(row.hp), maximum=row.hp_max)
        parts = [row.label, taken if row.counts_damage else left]
        if row.temp_hp:
            parts.append(words("ui.hp.temporary", n=row.temp_hp))
        marks = (("active", row.active), ("next-up", row.next_up), ("reaction", row.can_react))
        parts += [words(f"ui.turn-order.{name}") for name, holds in marks if holds]
        parts += [tag.words or tag.text for tag in row.tags]
        if row.death_saves is not None:
            parts.append(words("ui.turn-order.death", made=row.death_saves.successes, failed=row.death_saves.failures))
        return ", ".join([*parts, row.position] if row.position else parts)
