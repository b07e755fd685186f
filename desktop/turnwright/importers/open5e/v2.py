"""Reads Open5e's newer fixtures: creatures, traits, actions and attacks, which are joined by their keys.

A creature is spread over four tables, usually in four files of a folder. A missing table is reported once per file.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final

import msgspec

from turnwright.encounter.prepared import Feature, NamedNumbers
from turnwright.encounter.state import grouped
from turnwright.importers.common import as_list, as_text, named_numbers
from turnwright.importers.documents import ParsedDocument
from turnwright.importers.formats import ImportFormat
from turnwright.importers.open5e import damage
from turnwright.importers.open5e.database import (
    Book,
    FixtureFile,
    fixture_folders,
    is_fixture,
    key_of,
    newer_book,
    rows_of,
)
from turnwright.importers.results import ImportedRecord, SkippedFile, UnreadRecord
from turnwright.importers.stat_block import ABILITIES, Defence, StatBlock, note_unknown_fields, read_block
from turnwright.importers.statblock_text.damage import as_int
from turnwright.importers.statblock_text.features import feature_of
from turnwright.importers.statblock_text.header_lines import MOVES, SKILLS
from turnwright.importers.vocabulary import terms
from turnwright.storage.atomic import IdAllocator
from turnwright.storage.fights import ConversionReport

Record = Mapping[str, Any]
_DATABASE: Final = "api_v2."
_CHILDREN: Final[Mapping[str, str]] = terms("open5e_v2", "children")
Row = Mapping[str, Any]
_ORDER: Final = {cost: at for at, cost in enumerate(("action", "bonus", "reaction", "legendary", "lair", "free"))}
_SENSES: Final = tuple((sense, f"{sense}_range") for sense in ("blindsight", "darkvision", "tremorsense", "truesight"))
SKILL_COLUMNS: Final = tuple((skill, f"skill_bonus_{skill.replace('-', '_')}") for skill in sorted(SKILLS))
SAVE_COLUMNS: Final = tuple((id, f"saving_throw_{name}") for id, name in ABILITIES)
_FLAGS: Final = {"immunities": "nonmagical_attack_immunity", "resistances": "nonmagical_attack_resistance"}
_SIGHT: Final = 10_560  # in feet; the column's default value
_FARTHEST: Final = 1_500  # in feet; 1.5 times the longest printed sense range
_PLAIN_CATEGORIES: Final = frozenset({"", "monsters", "monster", "creatures"})
_ENOUGH: Final = 10  # a value is a default if all records, at least this many, share it
_UNALIGNED: Final = frozenset({"", "unaligned", "any alignment", "any"})
_COLUMNS: Final = (*_SENSES, *SKILL_COLUMNS, *SAVE_COLUMNS, *((id, f"ability_score_{name}") for id, name in ABILITIES))
_KNOWN: Final = frozenset({*(column for _, column in _COLUMNS), *MOVES, *terms("open5e_v2", "fields")})
_ACTION: Final[frozenset[str]] = frozenset(terms("open5e_v2", "action_fields"))
_TRAIT: Final = frozenset({"name", "desc", "parent", "type", "key", "url", "document"})


def claims(document: ParsedDocument) -> bool:
    """Return whether a document is a fixture of Open5e's newer database."""
    return is_fixture(document, _DATABASE)


def read(documents: Iterable[ParsedDocument], system: str) -> Iterator[ImportedRecord | UnreadRecord | SkippedFile]:
    """Yield the creatures of the documents, with each folder's tables joined."""
    folders = fixture_folders(documents, _DATABASE)
    files = [file for together in folders for file in together]
    licences = {_key(row): as_text(row["fields"].get("name")) for row in rows_of(files, "license")}
    books = {_key(row): newer_book(_key(row), row["fields"], licences) for row in rows_of(files, "document")}
    several = any("creature" in file.tables for file in files)
    ids = IdAllocator()
    for together in folders:
        yield from _Folder(together, books, several).results(ids, system)


class _Folder:
    """The joined tables of one folder."""

    def __init__(self, files: Sequence[FixtureFile], books: Mapping[str, Book], several: bool) -> None:
        self._files = files
        self._books = books
        self._several = several
        self._creatures = {_key(row) for row in rows_of(files, "creature")}
        self._traits = _by_parent(rows_of(files, "creaturetrait"))
        self._actions = _by_parent(rows_of(files, "creatureaction"))
        self._attacks = _by_parent(rows_of(files, "creatureactionattack"))
        self._acting = {_key(row) for rows in self._actions.values() for row in rows}
        self._plain = default_alignment([row["fields"] for row in rows_of(files, "creature")])

    def results(self, ids: IdAllocator, system: str) -> Iterator[ImportedRecord | UnreadRecord | SkippedFile]:
        """Yield the records of each document of the folder."""
        for file in self._files:
            rows, name = file.tables.get("creature", []), file.document.file
            for number, row in enumerate(rows, 1):
                called = as_text(row["fields"].get("name")) or _key(row) or f"record {number}"
                notes = self._file_notes() if number == 1 else ()
                block = partial(self._block, notes)
                yield read_block(name, called, row, row["fields"].get("name"), block, ids, system)
            if not rows:
                yield self._without_creatures(file)
            yield from file.odd_entries()
            yield from self._orphans(file)

    def _file_notes(self) -> Iterator[tuple[str, str, str]]:
        """Yield the notes that apply to a whole file of creatures: missing tables, columns with a default value."""
        for name, content in _CHILDREN.items():
            if not any(name in file.tables for file in self._files):
                why = f"table missing; the creatures have no {content}"
                yield f"the whole file: {name}", f"api_v2.{name}", why
        if self._plain:
            yield "alignment", self._plain, "same for every creature of the file; treated as a default and ignored"

    def _block(
        self, notes: Iterable[tuple[str, str, str]], row: Record, name: str, report: ConversionReport
    ) -> StatBlock:
        fields, key = row["fields"], _key(row)
        for note in notes:
            report.add_note(*note)
        document = as_text(fields.get("document"))
        book = self._books.get(document) or newer_book(document, {}, {})
        traits = [trait["fields"] for trait in self._traits.get(key, ())]
        rows = [(action["fields"], self._attacks.get(_key(action), ())) for action in self._actions.get(key, ())]
        actions = [(action, [attack["fields"] for attack in attacks]) for action, attacks in rows]
        if self._plain:
            fields = {**fields, "alignment": ""}
        return block_of(fields, RelatedRows(traits, actions), name, book, report)

    def _without_creatures(self, file: FixtureFile) -> UnreadRecord | SkippedFile:
        parts = [content for model, content in _CHILDREN.items() if model in file.tables]
        if parts and not self._creatures:
            why = f"only {parts[0]}; the file with the creatures isn't in this folder"
            return UnreadRecord(file.document.file, "", why)
        return file.without_creatures("creatures", several=self._several)

    def _orphans(self, file: FixtureFile) -> Iterator[UnreadRecord]:
        """Yield a finding on each table that has rows without an owner, if the folder contains creatures."""
        if not self._creatures:
            return
        owners = dict.fromkeys(_CHILDREN, self._creatures) | {"creatureactionattack": self._acting}
        for model, parents in owners.items():
            rows = file.tables.get(model, ()) if parents else ()
            lost = [row for row in rows if as_text(row["fields"].get("parent")) not in parents]
            if lost:
                why = f"records without an owner in this folder: {len(lost):,}, for example {_key(lost[0])}"
                yield UnreadRecord(file.document.file, "", why)


def _by_parent(rows: Iterable[Record]) -> dict[str, list[Record]]:
    return grouped((as_text(row["fields"].get("parent")), row) for row in rows)


def _key(row: Record) -> str:
    return as_text(row.get("pk"))


class RelatedRows(msgspec.Struct, frozen=True):
    """The rows that belong to a creature, in order: its traits, and its actions with their attack rows."""

    traits: Sequence[Row] = ()
    actions: Sequence[tuple[Row, Sequence[Row]]] = ()


def default_alignment(creatures: Sequence[Row]) -> str:
    """Return the alignment if it is a column default (many creatures, all with the same one), or an empty string."""
    alignments = {as_text(row.get("alignment")).strip().lower() for row in creatures}
    only = alignments.pop() if len(alignments) == 1 and len(creatures) >= _ENOUGH else ""
    return "" if only in _UNALIGNED else only


def block_of(record: Row, related: RelatedRows, name: str, book: Book, report: ConversionReport) -> StatBlock:
    """Return the stat block of a record. Raise UnreadableError if it has no hit points."""
    note_unknown_fields(record, _KNOWN, report)
    features, legendary = _features(related, report)
    fields = damage.shared_fields(record, features, legendary, book, report, "ability_score_")
    subcategory, category = as_text(record.get("subcategory")), as_text(record.get("category"))
    if subcategory or category.lower() not in _PLAIN_CATEGORIES:
        report.add_note("category", subcategory or category, "category in the source; ignored")
    weight = as_text(record.get("weight"))
    if weight.strip("0."):
        report.add_note("weight", f"{weight.rstrip('0').rstrip('.')} lb.", "stat blocks have no weight; ignored")
    passive = as_int(record.get("passive_perception"))
    conditions = record.get("condition_immunities_display") or ", ".join(_words(record.get("condition_immunities")))
    speeds = [(way, _feet(record.get(way), way, report)) for way in MOVES]
    return StatBlock(
        name,
        type=as_text(record.get("type")).replace("-", " ").lower(),
        ac_note=damage.plain(as_text(record.get("armor_detail"))),
        speeds=named_numbers(speeds),
        hovers=record.get("hover") is True,
        saves=_saves(record, fields["abilities"], report),
        skills=_skills(record, report),
        senses=_senses(record, report),
        passives=named_numbers([("perception", passive)]),
        languages=_languages(record),
        initiative=as_int(record.get("initiative_bonus")),
        condition_immunities=damage.conditions_of(conditions, report),
        immunities=_damage(record, "immunities", report),
        resistances=_damage(record, "resistances", report),
        vulnerabilities=_damage(record, "vulnerabilities", report),
        source=book.citation(),
        proficiency=as_int(record.get("proficiency_bonus")) or 0,
        xp=as_int(record.get("experience_points_integer")) or 0,
        environments=tuple(_place(word) for word in _words(record.get("environments"))),
        **fields,
    )


def _features(related: RelatedRows, report: ConversionReport) -> tuple[list[Feature], int]:
    """Return the features in the order of a stat block, and the number of legendary actions per round."""
    ids = IdAllocator()
    features: list[Feature] = []
    for trait in related.traits:
        name, text = damage.split_name(trait.get("name"), trait.get("desc"), report)
        note_unknown_fields(trait, _TRAIT, report, name)
        features.append(feature_of(ids, name, text, "trait", report))
    legendary = 0
    actions: list[tuple[Row, Sequence[Row]]] = []
    taken = {(action.get("action_type"), as_int(action.get("order_in_statblock"))) for action, _ in related.actions}
    for action, rows in sorted(related.actions, key=lambda entry: _place_in_block(entry[0], taken)):
        before = actions[-1] if actions and actions[-1][0].get("action_type") == action.get("action_type") else None
        if before and not rows and (complete := damage.completed(before[0], action, report)):
            actions[-1] = (complete, before[1])
        else:
            actions.append((action, rows))
    for action, rows in actions:
        name = as_text(action.get("name"))
        kind = action.get("action_type")
        cost = _cost(kind)
        if not cost:
            report.add_note(f"{name}: action_type", kind, "unknown kind of action; imported as an action")
        if cost == "legendary" and not legendary and (legendary := damage.preamble_count(name)):
            report.add_remark("legendary", damage.plain(f"{name}. {as_text(action.get('desc'))}".strip()))
        else:
            features.append(_action(action, rows, cost or "action", ids, report))
    return features, legendary


def _cost(kind: Any) -> str:
    """Return the cost of an action type, or an empty string if the type is unknown."""
    return terms("open5e_v2", "costs").get(kind, "") if isinstance(kind, str) else ""


def _place_in_block(action: Row, taken: set[tuple[Any, int | None]]) -> tuple[int, int]:
    """Return an action's place in the stat block. One without a number fills the last gap between the numbers of its type."""
    kind, order = action.get("action_type"), as_int(action.get("order_in_statblock"))
    if order is None:
        own = {number for each, number in taken if each == kind and number is not None}
        order = max(set(range(max(own, default=0))) - own, default=1_000)
    return _ORDER.get(_cost(kind), 0), order


def _action(action: Row, rows: Sequence[Row], cost: str, ids: IdAllocator, report: ConversionReport) -> Feature:
    name, text = damage.split_name(action.get("name"), action.get("desc"), report)
    note_unknown_fields(action, _ACTION, report, name)
    known = _usage(action, name, report)
    if cost == "legendary" and (price := as_int(action.get("legendary_action_cost"))) is not None:
        known["price"] = price
    form = action.get("limited_to_form")
    if form and (form := as_text(form).strip()) and form.lower() not in name.lower():
        name = f"{name} ({form})"
    feature = feature_of(ids, name, text, cost, report, known | damage.attack_numbers(rows, name, report))
    return damage.with_attack_damage(feature, rows, report, name) if rows else feature


def _usage(action: Row, name: str, report: ConversionReport) -> dict[str, Any]:
    if not action.get("uses_type"):
        return {}
    kind, number = as_text(action["uses_type"]), as_int(action.get("uses_param"))
    if kind == "PER_DAY" and number:
        return {"uses": number, "per": "day"}
    if kind in ("RECHARGE_ON_ROLL", "RECHARGE") and number is not None and 2 <= number <= 6:
        return {"recharge": number}
    if kind == "RECHARGE_AFTER_REST":
        return {"uses": number or 1, "per": "rest"}
    if not (kind == "RECHARGE" and number is None and "echarge" in name):
        report.add_note(f"{name}: uses_type", f"{kind} {action.get('uses_param')}", "unknown usage limit; ignored")
    return {}


def _feet(value: Any, field: str, report: ConversionReport) -> int | None:
    feet = as_int(value)
    if feet is None and value is not None:
        report.add_note(field, value, "not a distance in feet; ignored")
    return feet


def _damage(record: Row, kind: str, report: ConversionReport) -> Defence:
    """Return damage types from the displayed line or, if it is missing, from the list and the flag."""
    field, flag = f"damage_{kind}", _FLAGS.get(kind, "")
    line, flagged = record.get(f"{field}_display"), record.get(flag) is True
    if line:
        if flagged and "magical" not in as_text(line):
            report.add_note(flag, "true", f"the displayed line ({line}) is used instead")
        return damage.damage_of(line, field, report)
    words = _words(record.get(field))
    if not flagged:
        return tuple(words), None
    weapons = "bludgeoning, piercing, and slashing from nonmagical attacks"
    return damage.damage_of(", ".join(word for word in words if word not in weapons) + f"; {weapons}", field, report)


def _words(value: Any) -> list[str]:
    """Return the entries of a list, which may be given as keys or as names."""
    return [word for entry in as_list(value) if (word := key_of(entry).lower())]


def _place(word: str) -> str:
    """Return an environment's name without its collection's prefix: `srd_plane-of-fire` is `plane of fire`."""
    return word.partition("_")[2].replace("-", " ") if "_" in word else word.replace("-", " ")


def _saves(record: Row, abilities: NamedNumbers, report: ConversionReport) -> NamedNumbers:
    """Return the saves. If all six are given, return only those that differ from the plain ability modifier."""
    bonuses = damage.bonuses_of(record, SAVE_COLUMNS, report)
    if len(bonuses) < len(SAVE_COLUMNS):
        return tuple(bonuses)
    if not any(bonus for _id, bonus in bonuses):
        report.add_note("saving_throw", "0", "zero for every ability; saving throws ignored")
        return ()
    scores = dict(abilities)
    return tuple((id, bonus) for id, bonus in bonuses if bonus != (scores.get(id, 10) - 10) // 2)


def _skills(record: Row, report: ConversionReport) -> NamedNumbers:
    bonuses = damage.bonuses_of(record, SKILL_COLUMNS, report)
    if len(bonuses) > len(SKILL_COLUMNS) // 2 and not any(bonus for _skill, bonus in bonuses):
        report.add_note("skill_bonus", "0", "zero for every skill; skills ignored")
        return ()
    return tuple(bonuses)


def _senses(record: Row, report: ConversionReport) -> NamedNumbers:
    figures: list[tuple[str, int]] = []
    for sense, column in _SENSES:
        feet = _feet(record.get(column), column, report)
        if feet is not None and feet > _FARTHEST:
            report.add_note(column, feet, "implausible distance for a sense; kept as a remark")
            report.add_remark("senses", f"{sense} {feet}")
        elif feet is not None:
            figures.append((sense, feet))
    sight = as_int(record.get("normal_sight_range"))
    if sight not in (None, _SIGHT):
        report.add_remark("senses", f"normal sight {sight} feet")
    return tuple(figures)


def _languages(record: Row) -> str:
    names = (word.replace("-", " ").title() for word in _words(record.get("languages")))
    text = as_text(record.get("languages_desc")).strip() or ", ".join(names)
    telepathy = as_int(record.get("telepathy_range"))
    if telepathy and "elepathy" not in text:
        return f"{text}, telepathy {telepathy} ft.".removeprefix(", ")
    return text


FORMAT = ImportFormat("open5e_v2", "Open5e, newer database", claims, read)
