"""The results of an import: records with the notes on them, and the last steps for creatures of every format.

- A trait that makes weapon attacks magical changes the properties of those attacks.
- Legendary actions without a number per round get the rule system's usual number.
- Conditions get the rule system's own names. Unknown conditions are kept and reported.
- Damage, saves and conditions that apply later than a feature's use are removed from its fields.
- Actions that a feature's text names become its steps.
- The trait catalogue then reads what features do automatically.
"""

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final, Literal, ParamSpec

import msgspec
import rtoml

from turnwright.encounter.prepared import Countdown, Creature, Environment, Feature, Party
from turnwright.encounter.state import Encounter
from turnwright.importers.statblock_text import spell_lists
from turnwright.importers.statblock_text.feature_steps import GameTerms, with_steps
from turnwright.importers.statblock_text.features import with_options, with_phases
from turnwright.importers.statblock_text.timely_figures import with_timely_figures
from turnwright.importers.traits.understand import CatalogueReader, Extent, TraitReaders, has_only_text
from turnwright.rules.system_data.numbers import Spell
from turnwright.storage.fights import ConversionNote, UnreadableError
from turnwright.storage.resources import resource_root, shipped_folders
from turnwright.storage.system_data import tables_of

P = ParamSpec("P")
ODD_SHAPE: Final = (ValueError, TypeError, KeyError, AttributeError, IndexError, ArithmeticError, RecursionError)

Importable = Creature | Environment | Countdown | Party | Encounter


class UnderstoodFeature(msgspec.Struct, frozen=True):
    """A feature of an imported creature that the trait catalogue read, the entries used, and the extent."""

    creature: str
    feature: str
    entries: tuple[str, ...]
    extent: Extent


class ImportedRecord(msgspec.Struct, frozen=True):
    """A record with its rule system and the notes on it. `file` is its source file, `name` the record's name.

    `understood` are the features that the trait catalogue read; `unplayed` counts the others that are text only.
    `spells` are the creature's spells with the numbers that its source states.
    """

    name: str
    record: Importable
    system: str
    file: str = ""
    reports: tuple[ConversionNote, ...] = ()
    understood: tuple[UnderstoodFeature, ...] = ()
    unplayed: int = 0
    spells: tuple[Spell, ...] = ()


class UnreadRecord(msgspec.Struct, frozen=True):
    """A record that could not be read, or a whole file if `record` is empty, with the reason."""

    file: str
    record: str
    why: str


class SkippedFile(msgspec.Struct, frozen=True):
    """A file in a folder that belongs to no format, such as a licence; not an error. `what` describes it."""

    file: str
    what: str = ""


RecordState = Literal["new", "changed", "same", "edited", "removed"]


class ImportedFile(msgspec.Struct, frozen=True):
    """One imported record: its file in the library, its source file and its format.

    `state` compares it with an earlier import of the same source.
    """

    name: str
    id: str
    kind: str
    system: str
    path: str
    file: str
    format: str
    state: RecordState = "new"


class WrittenFiles(msgspec.Struct, frozen=True):
    """The files that an import wrote into an existing folder, and the backup folder of the files they replaced."""

    folder: str
    names: tuple[str, ...]
    aside: str = ""


class RecordCounts(msgspec.Struct, frozen=True):
    """How many of a source's records are new, changed, unchanged, edited or removed since its last import."""

    new: int = 0
    changed: int = 0
    same: int = 0
    edited: int = 0
    removed: int = 0


class ImportOutcome(msgspec.Struct, frozen=True):
    """The result of an import: its folder (empty if nothing was written), its records and the notes.

    `counts` compares the source with its last import, and is None for a new source. `written` are the files written
    into existing folders. `gone` are the names of records that only the last import has. `understood` are the features
    that the trait catalogue read; `unplayed` counts the others that are text only.
    """

    folder: str
    placed: tuple[ImportedFile, ...] = ()
    reports: tuple[ConversionNote, ...] = ()
    unread: tuple[UnreadRecord, ...] = ()
    skipped: tuple[str, ...] = ()
    counts: RecordCounts | None = None
    written: tuple[WrittenFiles, ...] = ()
    gone: tuple[str, ...] = ()
    understood: tuple[UnderstoodFeature, ...] = ()
    unplayed: int = 0


def convert_record(
    file: str, called: str, convert: Callable[P, ImportedRecord | UnreadRecord], *args: P.args, **kwargs: P.kwargs
) -> ImportedRecord | UnreadRecord:
    """Return the result of converting one record, or an `UnreadRecord` with its name if it can't be read."""
    try:
        return convert(*args, **kwargs)
    except UnreadableError as error:
        return UnreadRecord(file, called, str(error))
    except ODD_SHAPE as error:
        return UnreadRecord(file, called, f"unexpected data: {error}"[:400])


_NOT_HERE: Final = "no rules for this condition; kept by name only"
_UNSAID: Final = "the number of legendary actions per round is missing; set it yourself"
_USUAL: Final = "the number of legendary actions per round is missing; the usual number is used"
_LATER: Final = "according to the text, applies later or only on a hit; apply it yourself"
_RANKS_SPELLS: Final = "pf2e"  # the rule system whose stat blocks list spells by rank
_MENTAL: Final = ("int", "wis", "cha")  # the abilities of which a caster uses the best, if its own is unknown
_SHIPPED: Final = TraitReaders()
_OTHER_NAMES: Final[Mapping[str, str]] = MappingProxyType({"exhaustion": "fatigue", "fatigue": "exhaustion"})
_MAGICAL: Final = re.compile(r"\bweapon attacks are magical\b", re.IGNORECASE)


def postprocessed(imported: ImportedRecord, traits: TraitReaders | None = None) -> ImportedRecord:
    """Complete the attacks, conditions and traits of an imported record, and add notes on them.

    `traits` is the catalogue that reads the features; the default is the shipped one.
    """
    reading = _Reading(imported.system, (traits or _SHIPPED).of(imported.system), imported.spells)
    record = imported.record
    if isinstance(record, Creature):
        record = reading.finished(record)
    elif isinstance(record, Party):
        record = msgspec.structs.replace(record, creatures=tuple(map(reading.finished, record.creatures)))
    elif isinstance(record, Encounter):
        record = Encounter([reading.finished(part) if isinstance(part, Creature) else part for part in record])
    told, understood = (*imported.reports, *reading.told), tuple(reading.understood)
    return msgspec.structs.replace(
        imported, record=record, reports=told, understood=understood, unplayed=reading.unplayed
    )


class _Reading:
    """The state while one record is completed."""

    def __init__(self, system: str, traits: CatalogueReader, spells: tuple[Spell, ...]) -> None:
        self.system, self.traits, self.spells = system, traits, spells
        self.told: list[ConversionNote] = []
        self.understood: list[UnderstoodFeature] = []
        self.unplayed = 0

    def finished(self, creature: Creature) -> Creature:
        """Return the completed creature."""
        creature, understood = self.traits.creature(_finished(creature, self.system, self.told, self.spells))
        self.understood += [
            UnderstoodFeature(creature.name, each.feature.name, each.entries, each.extent) for each in understood
        ]
        creature = _with_named_dcs(self.traits.with_further(creature))
        replace = msgspec.structs.replace
        bare = [replace(each, id="", name=each.name.partition(" (")[0], read=()) for each in creature.features]
        kept = (
            each for at, each in enumerate(creature.features) if bare.index(bare[at]) == at
        )  # sources repeat features
        creature = replace(creature, features=tuple(kept))
        read = {each.feature.id for each in understood}
        self.unplayed += sum(has_only_text(each) for each in creature.features if each.id not in read)
        return creature


def _finished(creature: Creature, system: str, notes: list[ConversionNote], own: tuple[Spell, ...]) -> Creature:
    conditions = _conditions(system)
    changes: dict[str, Any] = {}
    if not creature.legendary and any(feature.cost == "legendary" for feature in creature.features):
        usual = max((tables.get("turns", {}).get("legendary", 0) for tables in _tables(system, "[turns]")), default=0)
        changes |= {"legendary": usual, "read": (*creature.read, "legendary")} if usual else {}
        notes.append(ConversionNote(creature.name, "legendary", str(usual or ""), _USUAL if usual else _UNSAID))
    for entry in creature.features:
        if entry.cost == "trait" and "are magical" in entry.text and _MAGICAL.search(entry.text):
            changes["features"] = tuple(map(_magical, creature.features))
        if entry.afflictions and conditions:
            strange = [each.condition for each in entry.afflictions if each.condition not in conditions]
            notes += [ConversionNote(creature.name, f"{entry.name}: afflictions", each, _NOT_HERE) for each in strange]
    features = with_options(changes.get("features", creature.features))
    spells = spell_lists.with_own_spells(game_spells(system), own)
    if system in ("a5e", "dnd5e", "dnd5e-2024"):  # their stat blocks list spells by uses and slots
        features = spell_lists.with_whole_spells(spell_lists.with_spells(features, spells, creature.abilities), spells)
    elif system == _RANKS_SPELLS:
        scores = {id: score for id, score in creature.abilities if id in (creature.spellcasting or _MENTAL)}
        features, slots = spell_lists.with_ranked_spells(
            features, spells, creature.level, max(scores.values(), default=None)
        )
        if slots and not creature.slots:
            changes |= {"slots": tuple(sorted(slots.items())), "read": (*changes.get("read", creature.read), "slots")}
    timely = with_timely_figures(features)
    for before, after in zip(features, timely, strict=True):
        has_less = len(after.afflictions) < len(before.afflictions) or (before.save and not after.save)
        if has_less or (before.damage and not after.damage):
            field, text = f"{before.name}: save, damage and conditions", f"DC {before.dc} {before.damage}"
            notes.append(ConversionNote(creature.name, field, text, _LATER))
    features = with_steps(timely, game_terms(system))
    if features != creature.features:
        changes["features"] = features
    immune = tuple([_called(each, conditions) for each in creature.condition_immunities])
    if immune != creature.condition_immunities:
        changes["condition_immunities"] = immune
    return with_phases(msgspec.structs.replace(creature, **changes) if changes else creature)


def _with_named_dcs(creature: Creature) -> Creature:
    """Return a creature whose saves without a DC have that of the feature that their text names: `against Roar`."""
    features = [*creature.features]
    for at, feature in enumerate(features):
        dc = next((each.dc for each in features if each.dc and f"against {each.name}" in feature.text), 0)
        if feature.save and not feature.dc and dc:
            features[at] = msgspec.structs.replace(feature, dc=dc, read=(*feature.read, "dc"))
    return msgspec.structs.replace(creature, features=tuple(features))


def _magical(feature: Feature) -> Feature:
    """Add the property `magical` to a weapon attack; return any other feature unchanged."""
    words = feature.properties
    if feature.attack is None or feature.level is not None or "spell" in words or "magical" in words:
        return feature
    read = dict.fromkeys((*feature.read, "properties"))
    return msgspec.structs.replace(feature, properties=(*words, "magical"), read=tuple(read))


def _called(condition: str, known: frozenset[str]) -> str:
    """Return the rule system's name for a condition: `fatigued` and `exhaustion` become `fatigue` if that exists."""
    if condition in known:
        return condition
    names = (condition.removesuffix("d"), _OTHER_NAMES.get(condition, ""))
    return next((name for name in names if name in known), condition)


@lru_cache(maxsize=8)
def _conditions(system: str) -> frozenset[str]:
    """Return the conditions of a shipped rule system, or an empty set for any other."""
    conditions: set[str] = set()
    for tables in _tables(system, "[conditions", "[elsewhere"):
        conditions.update(tables.get("conditions", ()), tables.get("elsewhere", {}).get("marks", ()))
    return frozenset(conditions)


@lru_cache(maxsize=8)
def game_spells(system: str) -> Mapping[str, Spell]:
    """Return the spells of a shipped rule system, keyed by lower-case name."""
    rows = (row for tables in _tables(system, "[spells") for row in tables.get("spells", {}).items())
    spells = (msgspec.convert({"id": id, **row, "asks": (), "ledgers": ()}, Spell) for id, row in rows)
    return {spell.name.lower(): spell for spell in spells if spell.level is not None}


@lru_cache(maxsize=8)
def game_terms(system: str) -> GameTerms:
    """Return the terms of a shipped rule system that a feature's steps may use."""
    actions: dict[str, str] = {}
    skills: dict[str, str] = {}
    for tables in _tables(system, "[actions.", "[skills]"):
        actions |= {action["name"].lower(): id for id, action in tables.get("actions", {}).items()}
        skills |= {one["name"].lower(): f"{one['ability']}:{id}" for id, one in tables.get("skills", {}).items()}
    spells = {name: spell.id for name, spell in game_spells(system).items()}
    return GameTerms(actions, skills, strikes="strike" in actions, spells=spells)


@lru_cache(maxsize=32)
def _tables(system: str, *heads: str) -> list[dict[str, Any]]:
    """Return the files of a shipped rule system that have any of these tables; loading all files would be slower."""
    if system and len(shipped_folders(system)) > 1:
        return [tables_of(system, resource_root() / "systems" / system, resource_root())[0]]
    files = (resource_root() / "systems" / system).glob("*.toml") if system else ()
    texts = (file.read_text(encoding="utf-8") for file in files)
    return [rtoml.loads(text) for text in texts if any(head in text for head in heads)]
