"""The state of an encounter: its records by type and id, the changes between two states, and common lookups.

A key is a pair (table, id), so ids only need to be unique within their table. Tables keep the order chosen by the user.
A change that adds or removes a record therefore has its index. Snapshots store the running state packed into a text.
"""

from __future__ import annotations

import re
import zlib
from base64 import b85decode, b85encode
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from itertools import chain, count, product, repeat
from operator import itemgetter
from string import ascii_lowercase, ascii_uppercase
from typing import Any, Final, Protocol, TypeVar, cast, get_args

import msgspec

from turnwright.encounter import prepared, running
from turnwright.encounter.procedure_state import Declaration, Procedure
from turnwright.encounter.procedure_state.asks import Prompt

Key = tuple[str, str]
Prepared = (
    prepared.Scene
    | prepared.Creature
    | prepared.RosterEntry
    | prepared.Environment
    | prepared.Countdown
    | prepared.Wave
    | prepared.Map
    | prepared.Handout
    | prepared.Reminder
    | prepared.Treasure
)
Running = (
    running.Clock | running.Dice | running.IdCounter | running.GuestCreature | running.Combatant | running.Slot | running.Track | running.Effect | running.Relation | running.CountdownPool
    | running.ArrivedWave | running.EntryState | running.ObstacleState | running.DoorState | running.Fog | running.LastingArea | running.KnownName | running.GivenNumber | running.SeenDoor | running.Award | running.ReminderShown
    | running.ShapeChange | running.Snapshot | running.InitialForecast | Procedure | Declaration | Prompt
)  # fmt: skip
Record = Prepared | Running
PREPARED: tuple[type[Record], ...] = get_args(Prepared)
RUNNING: tuple[type[Record], ...] = get_args(Running)
RECORD_TYPES: Mapping[str, type[Record]] = {kind.table: kind for kind in (*PREPARED, *RUNNING)}
PREPARED_TABLES = frozenset(kind.table for kind in PREPARED)

R = TypeVar("R", bound="Record")
T = TypeVar("T")
Owned = TypeVar("Owned", running.Track, running.Effect, running.Slot)
K = TypeVar("K")
V = TypeVar("V")
_EMPTY: Mapping[str, Record] = {}


def grouped(pairs: Iterable[tuple[K, V]]) -> dict[K, list[V]]:
    """Return the values of each key, in the order of their first pairs."""
    groups: dict[K, list[V]] = {}
    for key, value in pairs:
        groups.setdefault(key, []).append(value)
    return groups


def key_of(record: Record) -> Key:
    """Return the key of a record: its table and id."""
    return (record.table, record.id)


class Change(msgspec.Struct, frozen=True):
    """A record before and after a change. `index` is its place in its table if it was added or removed, or else -1."""

    key: Key
    before: Record | None
    after: Record | None
    index: int = -1

    def reversed(self) -> Change:
        """Return the change that undoes this one."""
        return Change(self.key, self.after, self.before, self.index)


def owners_of(record: running.Track | running.Effect | running.Slot) -> tuple[str, ...]:
    """Return the ids of the combatants that own a track, have an effect or act in a slot."""
    if isinstance(record, running.Slot):
        return record.members
    return (record.owner if isinstance(record, running.Track) else record.target,)


class Lookup(Protocol):
    """A source of records: an encounter, or a transaction over one."""

    def get(self, kind: type[R], id: str) -> R | None:
        """Return the record with this type and id, or None."""

    def need(self, kind: type[R], id: str) -> R:
        """Return the record with this type and id. Raise LookupError if it doesn't exist."""

    def all(self, kind: type[R]) -> Iterable[R]:
        """Return all records of a type, in table order."""

    def of(self, kind: type[Owned], who: str) -> list[Owned]:
        """Return a combatant's tracks, effects or slots, in table order."""


def remembered(lookup: Lookup, key: Any, find: Callable[[], T]) -> T:
    """Return the result of `find`. A transaction remembers it under a key until something is written."""
    memory: dict[Any, Any] | None = getattr(lookup, "memory", None)
    if memory is None:
        return find()
    if key not in memory:
        memory[key] = find()
    return cast("T", memory[key])


class Encounter:
    """An immutable mapping `(table, id) → record`. Encounters are equal if their records and their order are equal."""

    __slots__ = ("_ids_by_owner", "_tables")

    def __init__(self, records: Iterable[Record] = ()) -> None:
        tables: dict[str, dict[str, Record]] = {}
        for record in records:
            table = tables.setdefault(record.table, {})
            if record.id in table:
                raise ValueError(f"{record.table}.{record.id} appears twice")
            table[record.id] = record
        self._tables: Mapping[str, Mapping[str, Record]] = tables
        self._ids_by_owner: dict[str, Mapping[str, list[str]]] = {}  # keyed by table, built when first needed

    def get(self, kind: type[R], id: str) -> R | None:
        """Return the record with this type and id, or None."""
        record: Any = self._tables.get(kind.table, _EMPTY).get(id)  # no cast(), because this is the most frequent call
        return record  # type: ignore[no-any-return]

    def need(self, kind: type[R], id: str) -> R:
        """Return the record with this type and id. Raise LookupError if it doesn't exist."""
        record = self.get(kind, id)
        if record is None:
            raise LookupError(f"{kind.table}.{id}")
        return record

    def all(self, kind: type[R]) -> Iterable[R]:
        """Return all records of a type, in table order."""
        return cast("Iterable[R]", self._tables.get(kind.table, _EMPTY).values())

    def table(self, kind: type[R]) -> Mapping[str, R]:
        """Return all records of a type by their ids, in table order."""
        return cast("Mapping[str, R]", self._tables.get(kind.table, _EMPTY))

    def of(self, kind: type[Owned], who: str) -> list[Owned]:
        """Return a combatant's tracks, effects or slots, in table order."""
        ids = self._ids_by_owner.get(kind.table)
        if ids is None:
            ids = self._ids_by_owner[kind.table] = _ids_by_owner(self.all(kind))
        table = self._tables.get(kind.table, _EMPTY)
        return [cast("Owned", table[id]) for id in ids.get(who, ())]

    def ids(self, kind: type[Record]) -> tuple[str, ...]:
        """Return the ids of all records of a type, in table order."""
        return tuple(self._tables.get(kind.table, _EMPTY))

    def record(self, key: Key) -> Record | None:
        """Return the record with a key, or None."""
        return self._tables.get(key[0], _EMPTY).get(key[1])

    def __iter__(self) -> Iterator[Record]:
        for kind in RECORD_TYPES.values():
            yield from self._tables.get(kind.table, _EMPTY).values()

    def __len__(self) -> int:
        return sum(len(table) for table in self._tables.values())

    def __eq__(self, other: object) -> bool:
        return NotImplemented if not isinstance(other, Encounter) else list(self) == list(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def with_changes(self, changes: Iterable[Change]) -> Encounter:
        """Return the encounter after these changes. Only the affected tables are copied."""
        tables = dict(self._tables)
        fresh: dict[str, dict[str, Record]] = {}
        regrouped: set[str] = set()
        placed: list[tuple[int, str, str, Record]] = []
        for change in changes:
            name, id = change.key
            if name not in fresh:
                fresh[name] = dict(tables.get(name, _EMPTY))
            if name in self._ids_by_owner and not _same_owners(change):
                regrouped.add(name)
            if change.after is None:
                fresh[name].pop(id, None)
            elif change.before is None and change.index >= 0:
                placed.append((change.index, name, id, change.after))
            else:
                fresh[name][id] = change.after
        for place, name, id, record in sorted(placed, key=itemgetter(0)):  # ascending, so that the indexes stay correct
            entries = [*fresh[name].items()]
            entries.insert(place, (id, record))
            fresh[name] = dict(entries)
        tables.update(fresh)
        after = Encounter()
        after._tables = {name: table for name, table in tables.items() if table}
        after._ids_by_owner = {name: ids for name, ids in self._ids_by_owner.items() if name not in regrouped}
        return after

    def index_of(self, key: Key) -> int:
        """Return the index of a key in its table, or -1."""
        for index, id in enumerate(self._tables.get(key[0], _EMPTY)):
            if id == key[1]:
                return index
        return -1


def _ids_by_owner(records: Iterable[running.Track | running.Effect | running.Slot]) -> Mapping[str, list[str]]:
    return grouped((who, record.id) for record in records for who in owners_of(record))


def _same_owners(change: Change) -> bool:
    """Whether a track, effect or slot belongs to the same combatants before and after a change."""
    before, after = change.before, change.after
    return (
        isinstance(before, running.Track | running.Effect | running.Slot)
        and isinstance(after, running.Track | running.Effect | running.Slot)
        and owners_of(before) == owners_of(after)
    )


MAX_BYTES = 64_000_000


class UnreadableSnapshot(ValueError):
    """Raised if a snapshot can't be read."""


def packed(records: Iterable[Record]) -> str:
    """Return records as a compressed ASCII text."""
    return _packed([(record.table, record) for record in records])


def repacked(text: str, change: Callable[[str, Any], tuple[str, Any] | None]) -> str:
    """Change the plain records in a packed text, each with its table, or omit them. An invalid text stays unchanged."""
    try:
        changed = (change(*pair) for pair in msgspec.json.decode(_inflated(text), type=list[tuple[str, Any]]))
        return _packed([pair for pair in changed if pair is not None])
    except (ValueError, zlib.error, msgspec.MsgspecError):
        return text


def _packed(tables: list[tuple[str, Any]]) -> str:
    return b85encode(zlib.compress(msgspec.json.encode(tables), 9)).decode("ascii")


def _inflated(text: str) -> bytes:
    inflate = zlib.decompressobj()
    raw = inflate.decompress(b85decode(text), MAX_BYTES)
    if not inflate.eof:
        raise UnreadableSnapshot("truncated or too long")
    return raw


def unpacked(text: str) -> tuple[Record, ...]:
    """Return the records in a packed text. Raise UnreadableSnapshot if it is invalid."""
    try:
        tables = msgspec.json.decode(_inflated(text), type=list[tuple[str, msgspec.Raw]])
        return tuple(msgspec.json.decode(body, type=RECORD_TYPES[table]) for table, body in tables)
    except (ValueError, KeyError, zlib.error, msgspec.MsgspecError) as error:
        raise UnreadableSnapshot(str(error)) from error


def encounter_at(encounter: Encounter, snapshot: running.Snapshot) -> Encounter:
    """Return an encounter with the running state of a snapshot, but without its snapshots.

    Its prepared records are the current ones.
    """
    return Encounter([*[record for record in encounter if record.table in PREPARED_TABLES], *unpacked(snapshot.state)])


def clock_of(lookup: Lookup) -> running.Clock:
    """Return the clock, or a new one if the encounter hasn't started."""
    return lookup.get(running.Clock, "clock") or running.Clock()


def scene_of(lookup: Lookup) -> prepared.Scene:
    """Return the scene, or a default one if none is prepared."""
    return lookup.get(prepared.Scene, "scene") or prepared.Scene()


def is_encounter_running(lookup: Lookup) -> bool:
    """Whether the encounter has started and isn't over."""
    return clock_of(lookup).phase in ("set-up", "rounds")


def is_encounter_empty(encounter: Encounter) -> bool:
    """Whether an encounter contains nothing except a scene without house rules."""
    return not scene_of(encounter).options and not any(
        encounter.ids(kind) for kind in PREPARED if kind is not prepared.Scene
    )


def active_slot(lookup: Lookup) -> running.Slot | None:
    """Return the active slot, or None."""
    return lookup.get(running.Slot, clock_of(lookup).active)


def track_value(lookup: Lookup, who: str, name: str) -> int:
    """Return the value of a combatant's track, or 0 if it has no such track."""
    track = lookup.get(running.Track, running.track_id(who, name))
    return track.value if track is not None else 0


def effect_value(lookup: Lookup, who: str, name: str) -> int:
    """Return the highest value of a combatant's effects with a name, such as its level of exhaustion, or 0."""
    return max((effect.value for effect in effects_named(lookup, who, name)), default=0)


def find_entry(environment: prepared.Environment, entry: str) -> prepared.EnvironmentEntry | None:
    """Return an environment's feature or world action by id, or None."""
    return next((row for row in (*environment.features, *environment.actions) if row.id == entry), None)


def door_of(lookup: Lookup, id: str) -> prepared.Door | None:
    """Return a prepared door by id, or None."""
    battle_map = lookup.get(prepared.Map, prepared.Map.table)
    return next((door for door in battle_map.doors if door.id == id), None) if battle_map else None


def standing_areas(lookup: Lookup) -> Iterator[running.LastingArea]:
    """Yield the lasting areas that are still there."""
    for area in lookup.all(running.LastingArea):
        ended = area.effect and lookup.get(running.Effect, area.effect) is None
        if not ended and not (area.last_round and clock_of(lookup).round > area.last_round):
            yield area


def effects_named(lookup: Lookup, who: str, name: str) -> list[running.Effect]:
    """Return a combatant's effects with this name."""
    return [effect for effect in lookup.of(running.Effect, who) if effect.name == name]


def find_effect(lookup: Lookup, who: str, name: str) -> running.Effect | None:
    """Return a combatant's first effect with this name, or None."""
    return next(iter(effects_named(lookup, who, name)), None)


def slot_sort_key(slot: running.Slot) -> tuple[int, ...]:
    """Return the sort key of a slot: first actors, then higher counts, fixed counts and tie rolls."""
    return (0 if slot.first_actor else 1, -slot.count, 0 if slot.fixed else 1, *(-roll for roll in slot.tie_rolls))


def slots_in_order(lookup: Lookup) -> list[running.Slot]:
    """Return the slots in turn order."""
    return sorted(lookup.all(running.Slot), key=slot_sort_key)


_NUMBER: Final = re.compile(r" \d+$")


def entry_name(lookup: Lookup, entry: prepared.RosterEntry) -> str:
    """Return the name of an entry's members, without a number."""
    creature = lookup.get(prepared.Creature, entry.creature) or lookup.get(running.GuestCreature, entry.creature)
    return entry.name or (creature.name if creature else "") or entry.creature


class NameCounts(msgspec.Struct):
    """Numbers of members by name: in total, and in the entries before each entry, keyed by entry id."""

    total: Counter[str]
    before: dict[str, int]


def name_counts(lookup: Lookup) -> NameCounts:
    """Return the numbers of members in the roster by name."""
    counts = NameCounts(Counter(), {})
    for entry in lookup.all(prepared.RosterEntry):
        name = entry_name(lookup, entry)
        counts.before[entry.id] = counts.total[name]
        counts.total[name] += entry.count
    return counts


def member_labels(
    lookup: Lookup, entry: prepared.RosterEntry, taken: frozenset[str] = frozenset(), counts: NameCounts | None = None
) -> Iterator[str]:
    """Yield labels for an entry's members.

    They aren't in `taken`, and differ from the labels of other entries with the same name. `counts` are the name counts
    of the roster. Pass them if you need labels for many entries.
    """
    used = set(taken)
    for label, ring in zip(_numbered(lookup, entry, taken, counts), chain(entry.rings, repeat("")), strict=False):
        ringed = ringed_label(label, ring, used)
        used.add(ringed)
        yield ringed


def ringed_label(label: str, ring: str, taken: Container[str]) -> str:
    """Return the label of a member with a coloured ring: `Goblin, red` instead of `Goblin 2`, unless it is taken."""
    if not ring:
        return label
    short = f"{_NUMBER.sub('', label)}, {ring}"
    return short if short not in taken else f"{label}, {ring}"


def unringed_label(label: str, ring: str, taken: Container[str]) -> str:
    """Return a label without its ring colour, with the lowest free number if the name is taken."""
    bare = label.removesuffix(f", {ring}") if ring else label
    if bare not in taken:
        return bare
    name = _NUMBER.sub("", bare)
    return next(candidate for number in count(1) if (candidate := f"{name} {number}") not in taken)


def _numbered(
    lookup: Lookup, entry: prepared.RosterEntry, taken: frozenset[str], counts: NameCounts | None
) -> Iterator[str]:
    name, counts = entry_name(lookup, entry), counts or name_counts(lookup)
    total = counts.total[name]
    if total <= 1 and name not in taken:
        yield name
    before = counts.before.get(entry.id, total)
    yield from (label for number in count(before + 1) if (label := f"{name} {number}") not in taken)


def creature_id(name: str) -> str:
    """Convert a name to an id: lower-case letters, digits and hyphens."""
    return re.sub(r"[^a-z0-9]+", "-", name.casefold()).strip("-") or "creature"


def unique_id(text: str, taken: Container[str], fallback: str) -> str:
    """Convert a text to an id that isn't taken. If it contains no letters or digits, use the fallback."""
    return numbered(re.sub(r"[^a-z0-9]+", "-", text.casefold()).strip("-") or fallback, taken)


def numbered(stem: str, taken: Container[str], between: str = "-") -> str:
    """Return a text that isn't taken: the stem, or the stem with the lowest unused number from 2 on."""
    others = (f"{stem}{between}{number}" for number in count(2))
    return next(text for text in chain((stem,), others) if text not in taken)


MAX_NUMBER_SHOWN: Final = 999
_LABEL: Final = re.compile(r"(?P<kind>.*?)(?:,[^,\d]*)?(?:\s+(?P<number>\d{1,9}))?(?:,[^,]*)?", re.DOTALL)
_VOWELS: Final = frozenset("aeiouy")


def monograms(labels: Iterable[str]) -> tuple[str, ...]:
    """Return a monogram for each label. All differ, even if case is ignored.

    Labels that only differ by a number or by text after a comma share their letters (`Goblin 2` is `Go2`). A monogram
    only depends on the preceding labels, so it doesn't change when labels are added.
    """
    letters: dict[str, str] = {}
    taken: set[str] = set()
    used: set[tuple[str, int]] = set()
    result = []
    for label in labels:
        match = _LABEL.fullmatch(label)
        kind, number = (match["kind"].strip(), int(match["number"] or 0)) if match else (label, 0)
        sign = letters.get(kind)
        if sign is None:
            sign = letters[kind] = next(each for each in _candidates(kind) if each.casefold() not in taken)
            taken.add(sign.casefold())
        if number > MAX_NUMBER_SHOWN or (kind, number) in used:
            number = next(free for free in count(1) if (kind, free) not in used)
        used.add((kind, number))
        result.append(f"{sign}{number or ''}")
    return tuple(result)


def _candidates(kind: str) -> Iterator[str]:
    """Yield letters for a kind, the clearest first: initials, the first two letters, consonants, any letters."""
    words = [letters for word in kind.split() if (letters := "".join(filter(str.isalpha, word)))]
    whole = "".join(words)
    if len(words) > 1:
        yield (words[0][0] + words[1][0]).upper()
    if whole:
        first, later = whole[0].upper(), whole[1:].lower()
        yield first + later[:1]
        yield from (first + letter for letter in later if letter not in _VOWELS)
        yield from (first + letter for letter in (*later, *ascii_lowercase))
    yield from ("".join(pair) for pair in product(ascii_uppercase, ascii_lowercase))
    yield from ("".join(three) for size in count(3) for three in product(ascii_uppercase, repeat=size))


_ID = re.compile(r"[a-z0-9]+(?:[-_][a-z0-9]+)*")


def wave_name(wave: str) -> str:
    """Return the display name of a wave: `second-boat` becomes "Second boat". Free text isn't changed."""
    if not _ID.fullmatch(wave):
        return wave
    words = wave.replace("-", " ").replace("_", " ")
    return words[:1].upper() + words[1:]


MOST = 500
_PER = re.compile(r"(\d{1,3})\s+per\s+(?:(\d{1,2})\s+)?characters?", re.IGNORECASE)
_STEP = re.compile(r"(\d{1,2})\s*:\s*(\d{1,3})")


def count_for(counts: str, characters: int) -> int | None:
    """Return the count for a number of characters (at least 1), or None if the text is invalid.

    `2 per character` and `1 per 2 characters` multiply and round up. `3: 2, 4: 3, 6: 5` is a table: the last step
    reached applies, or the first if none is reached.
    """
    per = _PER.fullmatch(counts.strip())
    if per is not None:
        share, group_size = int(per[1]), int(per[2] or 1)
        return min(MOST, max(1, -(-share * characters // group_size))) if share and group_size else None
    matches = [_STEP.fullmatch(piece.strip()) for piece in counts.split(",")]
    steps = {int(match[1]): int(match[2]) for match in matches if match is not None}
    if len(steps) < len(matches) or not all(1 <= number <= MOST for number in steps.values()):
        return None
    return steps[max((size for size in steps if size <= characters), default=min(steps))]


def slot_of(lookup: Lookup, who: str) -> running.Slot | None:
    """Return the slot in which a combatant acts, alone or with others, or None."""
    return next(iter(lookup.of(running.Slot, who)), None)


def is_out_of_play(lookup: Lookup, who: str) -> bool:
    """Return whether a combatant is dead or removed, and so gets no prompts."""
    combatant = lookup.get(running.Combatant, who)
    return combatant is None or combatant.dead
