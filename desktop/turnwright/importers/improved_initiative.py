"""Reads files of Improved Initiative: creature lists, exports of a whole library, saved encounters, player characters.

An export is one flat mapping with keys such as `Creatures.<id>`, `PersistentCharacters.<id>`, `SavedEncounters.<id>`
and `Spells.<id>`, and with lists of ids (`Creatures`) and settings. Files don't state a rule system; D&D 5e is
assumed.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

import msgspec

from turnwright.encounter.field_specs import problem_in
from turnwright.encounter.prepared import Creature, NamedNumbers, RosterEntry, Scene
from turnwright.encounter.state import Encounter
from turnwright.importers.characters import Character, party_of_one
from turnwright.importers.common import (
    as_list,
    as_mapping,
    as_text,
    challenge_rating,
    int_at,
    list_at,
    named_numbers,
    nested_value,
    required_name,
    system_for,
    text_at,
)
from turnwright.importers.documents import ParsedDocument
from turnwright.importers.formats import ImportFormat
from turnwright.importers.results import ImportedRecord, UnreadRecord, convert_record
from turnwright.importers.stat_block import PrintedFeature, StatBlock
from turnwright.importers.stat_block import creature_of as stat_block_creature
from turnwright.importers.statblock_text.damage import as_int
from turnwright.importers.statblock_text.features import ONLY_MYTHIC, read_usage
from turnwright.importers.statblock_text.header_lines import ABILITIES, SKILLS, joined_text, legendary_count, type_line
from turnwright.importers.statblock_text.markup import plain_text
from turnwright.importers.vocabulary import terms
from turnwright.storage.atomic import IdAllocator
from turnwright.storage.fights import ConversionReport, UnreadableError

SYSTEM: Final = "dnd5e"
_KINDS: Final[Mapping[str, str]] = terms("improved_initiative", "kinds")
COSTS: Final[Mapping[str, str]] = terms("improved_initiative", "costs")
PLAYER: Final = "player"
_READ: Final[frozenset[str]] = frozenset({*COSTS, *terms("improved_initiative", "fields")})
_OF_THE_PROGRAM: Final = frozenset({"Id", "Version", "LastUpdateMs", "UpdatedTime"})
_NAMES: Final[Mapping[str, str]] = terms("improved_initiative", "names")
_DICE = re.compile(r"\(?\s*(\d{1,3}d\d{1,3}(?:\s*[+\-\u2212\u2013]\s*-?\d{1,4})*)\s*\)?")
MAX_COMBATANTS = 500
_LISTS = ("Combatants", "Creatures")


class _Entry(NamedTuple):
    """One record of a file: its kind, its key and its data."""

    kind: str
    key: str
    data: Mapping[str, Any]


def claims(document: ParsedDocument) -> bool:
    """Return whether a document contains stat blocks, characters or encounters of Improved Initiative."""
    data = document.data
    if isinstance(data, list):
        return any(_is_record(record) for record in data[:20])
    starts = tuple(_KINDS)
    return _is_record(data) or any(
        isinstance(key, str) and key.startswith(starts) and isinstance(value, dict) and "Name" in value
        for key, value in as_mapping(data).items()
    )


def read(documents: Iterable[ParsedDocument], system: str) -> Iterator[ImportedRecord | UnreadRecord]:
    """Yield creatures, characters and encounters. Other content of an export is reported."""
    rules = system_for(system, SYSTEM)
    library = {
        as_text(record.data.get("Id")) or record.key: record.data
        for document in documents
        for record in _records(document)
        if record.kind == "creature"
    }
    ids = IdAllocator()
    for document in documents:
        for entry in _records(document):
            name = as_text(entry.data.get("Name")).strip()[:200] or entry.key
            yield convert_record(document.file, name, _imported, entry, name, document.file, rules, ids, library)


def _is_record(data: Any) -> bool:
    return is_statblock(data) or is_encounter(data) or _is_character(data)


def _is_character(data: Any) -> bool:
    return isinstance(data, dict) and is_statblock(data.get("StatBlock")) and "Combatants" not in data


def _records(document: ParsedDocument) -> Iterator[_Entry]:
    data = document.data
    if isinstance(data, dict) and not _is_record(data):
        for key, record in data.items():
            if kind := _kind_of(str(key)):
                yield _Entry(kind, str(key), as_mapping(record))
        return
    for number, record in enumerate(data if isinstance(data, list) else [data] if _is_record(data) else [], 1):
        kind = "character" if _is_character(record) else "encounter" if is_encounter(record) else "creature"
        yield _Entry(kind, f"number {number}", as_mapping(record))


def _kind_of(key: str) -> str:
    """Return the type of record for an export's key, or an empty string if the key has a list of ids."""
    kind = next((kind for start, kind in _KINDS.items() if key.startswith(start)), "")
    return kind or ("" if f"{key}." in _KINDS else "unknown")


def _imported(
    source: _Entry, name: str, file: str, system: str, ids: IdAllocator, library: Mapping[str, Any]
) -> ImportedRecord:
    report = ConversionReport(name)
    if source.kind == "encounter":
        record: Any = encounter_of(source.data, library, system, report)
    elif source.kind == "character" or text_at(source.data, "Player"):
        record = _character(source.data, ids, report)
    elif source.kind == "creature":
        record = creature_of(source.data, ids, report)
    else:
        raise UnreadableError(_NO_RECORD.get(source.kind, "not a creature, character or encounter"))
    return ImportedRecord(name, record, system, file, report.notes)


_NO_RECORD: Final[Mapping[str, str]] = terms("improved_initiative", "no_record")


def _character(data: Mapping[str, Any], ids: IdAllocator, report: ConversionReport) -> Any:
    """Return a player character that is kept between encounters as a party of one, with its notes."""
    block = as_mapping(data.get("StatBlock") or data)
    block = {**block, "Name": block.get("Name") or data.get("Name"), "Player": block.get("Player") or "player"}
    creature = creature_of(block, ids, report)
    player = text_at(block, "Player")
    notes, now = plain_text(text_at(data, "Notes")), as_int(data.get("CurrentHP"))
    return party_of_one(creature, Character(player_name="" if player == "player" else player, hp=now, notes=notes))


def is_statblock(data: Any) -> bool:
    """Return whether a mapping is a stat block: it has a name and hit points in this program's form."""
    return isinstance(nested_value(data, "Name"), str) and "Value" in as_mapping(nested_value(data, "HP"))


def creature_of(block: Mapping[str, Any], ids: IdAllocator, report: ConversionReport, notes: str = "") -> Creature:
    """Return the creature of a stat block. Raise UnreadableError if it can't be used in a fight."""
    name = required_name(block.get("Name"))
    id = ids.allocate(name)
    kind, player = text_at(block, "Type"), bool(text_at(block, "Player"))
    challenge = _challenge(block, report, player=player)
    hp, hit_dice = _hit_points(block, report)
    abilities = _abilities(block, report)
    line = {key: joined_text(block.get(key)) for key in ("Speed", "Senses", *_NAMES.values())}
    stat_block = StatBlock(
        name,
        kind=kind if type_line(kind).size else f"medium {kind}",
        tags=(PLAYER,) if player else (),
        ac=_armor(block, report),
        hp=hp,
        hit_dice=hit_dice,
        abilities=abilities,
        speeds=line["Speed"],
        saves=_bonuses(block, "Saves"),
        skills=_bonuses(block, "Skills"),
        senses=line["Senses"],
        immunities=[line["DamageImmunities"]],
        resistances=[line["DamageResistances"]],
        vulnerabilities=[line["DamageVulnerabilities"]],
        condition_immunities=line["ConditionImmunities"],
        languages=", ".join(as_text(language) for language in list_at(block, "Languages")),
        level=challenge if player else None,
        rating=None if player else challenge,
        features=tuple(_features(block, report)),
        legendary=_legendary(block, report),
        initiative=_initiative(block, abilities, report),
        description=plain_text(text_at(block, "Description")),
        notes=notes,
        source=text_at(block, "Source") or "Improved Initiative",
        names=_NAMES,
    )
    _unread(block, report)
    return stat_block_creature(stat_block, id, report)


def _challenge(block: Mapping[str, Any], report: ConversionReport, *, player: bool) -> Any:
    stated = block.get("Challenge")
    rating = (as_int(stated) or 0) if player else challenge_rating(stated)
    if not rating and as_text(stated):
        report.add_note("Challenge", stated, f"not a {'level' if player else 'challenge rating'}; left empty")
    return rating


def _hit_points(block: Mapping[str, Any], report: ConversionReport) -> tuple[int, str]:
    hp, notes = int_at(block, "HP", "Value"), text_at(block, "HP", "Notes").strip()
    if hp is None or hp < 1:
        raise UnreadableError("no hit points")
    if dice := _DICE.fullmatch(notes):
        return hp, "".join(dice[1].split()).replace("+-", "-")
    report.add_remark("hp", notes, "not hit dice; kept as a remark", field="HP")
    return hp, ""


def _armor(block: Mapping[str, Any], report: ConversionReport) -> str | None:
    ac = int_at(block, "AC", "Value")
    if ac is None:
        report.add_note("AC", nested_value(block, "AC", "Value") or "", "no Armor Class given; default used")
        return None
    return f"{ac} {text_at(block, 'AC', 'Notes')}"


def _abilities(block: Mapping[str, Any], report: ConversionReport) -> NamedNumbers:
    stated = {key.lower()[:3]: value for key, value in as_mapping(block.get("Abilities")).items()}
    scores = named_numbers((ability, stated.get(ability)) for ability in ABILITIES)
    if len(scores) < len(ABILITIES):
        why = "fewer than six ability scores; defaults used for the others"
        report.add_note("Abilities", block.get("Abilities") or "", why)
    return scores


def _bonuses(block: Mapping[str, Any], key: str) -> str:
    """Return saves or skills as a line, with the sign that only known ones need."""
    bonuses = []
    for entry in list_at(block, key):
        name, bonus = text_at(entry, "Name"), int_at(entry, "Modifier")
        known = name.strip().lower()[:3] in ABILITIES if key == "Saves" else "-".join(name.lower().split()) in SKILLS
        stated = text_at(entry, "Modifier") if bonus is None or not known else f"{bonus:+d}"
        bonuses.append(f"{name} {stated}".strip() or str(entry))
    return ", ".join(bonuses)


def _features(block: Mapping[str, Any], report: ConversionReport) -> Iterator[PrintedFeature]:
    for key, cost in COSTS.items():
        for entry in list_at(block, key):
            if not isinstance(entry, dict):
                report.add_note(key, entry, "not a feature; ignored")
                continue
            name, usage = text_at(entry, "Name"), read_usage(text_at(entry, "Usage"))
            known: dict[str, Any] = {"recharge": usage.recharge} if usage.recharge else {}
            known |= {"uses": usage.uses, "per": usage.per} if usage.uses else {}
            only = ONLY_MYTHIC if key == "MythicActions" else ""
            if only:
                why = "imported as a legendary action of a second phase, at zero hit points"
                report.add_note(f"{key}: {name}", name, why)
            yield PrintedFeature(f"{name} {usage.name}".strip(), text_at(entry, "Content"), cost, only, known)


def _legendary(block: Mapping[str, Any], report: ConversionReport) -> int:
    if not list_at(block, "LegendaryActions"):
        return 0
    entries = (*list_at(block, "LegendaryActions"), *list_at(block, "Traits"))
    texts = [f"{text_at(entry, 'Name')}. {text_at(entry, 'Content')}" for entry in entries]
    count = next(filter(None, map(legendary_count, (*texts, text_at(block, "Description")))), 0)
    if not count:
        report.add_note("LegendaryActions", "", "the number of legendary actions per round is missing; set it yourself")
    return count


def _initiative(block: Mapping[str, Any], abilities: NamedNumbers, report: ConversionReport) -> int | None:
    usual = "advantage" if block.get("InitiativeAdvantage") is True else ""
    special = text_at(block, "InitiativeSpecialRoll") or usual
    report.add_remark("initiative", special, "kept as a remark", field="InitiativeSpecialRoll")
    modifier = int_at(block, "InitiativeModifier")
    return (dict(abilities).get("dex", 10) - 10) // 2 + modifier if modifier else None


def _unread(block: Mapping[str, Any], report: ConversionReport) -> None:
    """Report the unknown fields of a block, unless they are empty or internal to the program."""
    for key in block.keys() - _READ - _OF_THE_PROGRAM:
        if block[key] not in (None, "", [], {}, False):
            why = "pictures aren't imported" if key == "ImageURL" else "unknown field; ignored"
            report.add_note(key, block[key], why)


def is_encounter(data: Any) -> bool:
    """Return whether a mapping is an encounter: it has combatants that contain or name a stat block."""
    combatants = (combatant for key in _LISTS for combatant in list_at(data, key)[:20])
    return any(is_statblock(one) or _block_in(one) is not None for one in combatants)


def _block_in(combatant: Any) -> Any:
    return next(filter(is_statblock, map(as_mapping(combatant).get, ("StatBlock", "Statblock"))), None)


def encounter_of(
    data: Mapping[str, Any], library: Mapping[str, Any], system: str, report: ConversionReport
) -> Encounter:
    """Return a saved encounter. Raise UnreadableError if it has no readable combatants or too many of them.

    `library` contains stat blocks, keyed by id, for combatants that refer to one.
    """
    combatants = next((as_list(data.get(key)) for key in _LISTS if isinstance(data.get(key), list)), [])
    if len(combatants) > MAX_COMBATANTS:
        raise UnreadableError(f"{len(combatants):,} combatants; the limit is {MAX_COMBATANTS}")
    people = _People(report)
    rolled = any(int_at(combatant, "Initiative") for combatant in combatants)
    for entry in combatants:
        people.take(as_mapping(entry), library, rolled=rolled)
    if not people.roster:
        raise UnreadableError("no readable combatants")
    if int_at(data, "RoundCounter"):
        rounds = text_at(data, "RoundCounter")
        report.add_note("RoundCounter", rounds, "round and turn aren't kept; the fight starts from the beginning")
    if text_at(data, "BackgroundImageUrl"):
        report.add_note("BackgroundImageUrl", data["BackgroundImageUrl"], "pictures aren't imported")
    return Encounter((Scene(title=report.record, system=system), *people.creatures.values(), *people.entries()))


class _People:
    """Collects the creatures, one per stat block, and the roster as combatants are added."""

    def __init__(self, report: ConversionReport) -> None:
        self.report = report
        self.creatures: dict[bytes, Creature] = {}
        self.roster: dict[RosterEntry, int] = {}
        self._ids = IdAllocator()

    def take(self, combatant: Mapping[str, Any], library: Mapping[str, Any], *, rolled: bool) -> None:
        """Add a combatant. An unreadable combatant is reported."""
        known = library.get(text_at(combatant, "Id"))
        own = {key: value for key, value in combatant.items() if key in ("Name", "HP") and value}
        block = _block_in(combatant) or ({**known, **own} if isinstance(known, dict) else dict(combatant))
        try:
            creature = self._creature(block)
        except UnreadableError as why:
            name = text_at(block, "Name") or text_at(combatant, "Alias") or text_at(combatant, "Id")
            self.report.add_note("Combatants", name or repr(combatant)[:80], f"{why}; skipped")
            return
        entry = self._entry(combatant, block, creature, rolled=rolled)
        self.roster[entry] = self.roster.get(entry, 0) + 1

    def entries(self) -> list[RosterEntry]:
        """Return the roster entries, each with an id and a count."""
        ids = IdAllocator()
        return [
            msgspec.structs.replace(entry, id=ids.allocate(entry.name or entry.creature), count=count)
            for entry, count in self.roster.items()
        ]

    def _creature(self, block: Mapping[str, Any]) -> Creature:
        alike = {key: value for key, value in block.items() if key not in ("HP", "Id", "Version", "LastUpdateMs")}
        alike["HP"] = as_mapping(block.get("HP")).get("Notes")
        key = msgspec.json.encode(alike, order="sorted")
        if key not in self.creatures:
            own_report = ConversionReport(text_at(block, "Name"))
            self.creatures[key] = creature_of(block, self._ids, own_report)
            for note in own_report.notes:
                self.report.add_note(f"{note.record}: {note.field}", note.text, note.why)
        return self.creatures[key]

    def _entry(
        self, combatant: Mapping[str, Any], block: Mapping[str, Any], creature: Creature, *, rolled: bool
    ) -> RosterEntry:
        most = int_at(combatant, "MaxHP") or int_at(block, "HP", "Value") or creature.hp
        now = int_at(combatant, "CurrentHP")
        hp = most if now is None else now
        name = text_at(combatant, "Alias").strip()
        who = name or creature.name
        if hp < 1:
            self.report.add_note("CurrentHP", f"{who}: {hp}", "no hit points left; starts with full hit points")
            hp = most
        elif now is not None and now < most:
            self.report.add_note("CurrentHP", f"{who}: {now} of {most}", "current hit points used as the maximum")
        player = text_at(block, "Player")
        entry = RosterEntry(
            id="",
            creature=creature.id,
            name=name,
            side="party" if player else "enemies",
            player="" if player == "player" else player,
            hp=hp if hp != creature.hp else None,
            initiative=int_at(combatant, "Initiative") if rolled else None,
            hidden=combatant.get("Hidden") is True,
            notes=self._notes(combatant, who),
        )
        field, wrong = problem_in(entry)
        if wrong:
            raise UnreadableError(f"{field}: {wrong}")
        return entry

    def _notes(self, combatant: Mapping[str, Any], who: str) -> str:
        """Return the notes on a combatant, and its conditions when the encounter was saved."""
        notes = [plain_text(text_at(combatant, "CurrentNotes"))]
        for tag in as_list(combatant.get("Tags")):
            words = as_text(tag) or as_text(as_mapping(tag).get("Text"))
            if words:
                notes.append(words)
                self.report.add_note("Tags", f"{who}: {words}", "kept as a note")
        if temporary := int_at(combatant, "TemporaryHP"):
            notes.append(f"{temporary} temporary hit points")
            self.report.add_note("TemporaryHP", f"{who}: {temporary}", "kept as a note")
        return "\n".join(filter(None, notes))


FORMAT: Final = ImportFormat("improved_initiative", "Improved Initiative", claims, read)
