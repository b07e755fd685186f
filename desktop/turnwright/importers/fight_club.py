"""Reads XML compendiums of Fight Club 5 and Game Master 5, which have numbers in elements and attacks in text."""

import re
from collections.abc import Iterable, Iterator
from typing import Any, Final

from turnwright.encounter.prepared import NamedNumbers
from turnwright.importers.common import as_list, as_mapping, as_text, comma_parts, named_numbers
from turnwright.importers.documents import ParsedDocument
from turnwright.importers.formats import ImportFormat
from turnwright.importers.results import ImportedRecord, SkippedFile, UnreadRecord
from turnwright.importers.stat_block import PrintedFeature, Record, StatBlock, note_unknown_fields, read_blocks
from turnwright.importers.statblock_text.damage import as_int, normalised_dice_text
from turnwright.importers.statblock_text.feature_text import read_prose
from turnwright.importers.statblock_text.header_lines import ABILITIES, legendary_count
from turnwright.importers.statblock_text.markup import plain_text
from turnwright.importers.vocabulary import Patterns, terms
from turnwright.storage.fights import ConversionReport

_SIZES: Final = {"T": "Tiny", "S": "Small", "M": "Medium", "L": "Large", "H": "Huge", "G": "Gargantuan"}
_KNOWN: Final[frozenset[str]] = frozenset({*ABILITIES, *terms("fight_club", "fields")})
_RE: Final = Patterns("fight_club")


def claims(document: ParsedDocument) -> bool:
    """Whether a document is a compendium of these programs."""
    return document.kind == "xml" and as_mapping(document.data).get("root") == "compendium"


def read(documents: Iterable[ParsedDocument], system: str) -> Iterator[ImportedRecord | UnreadRecord | SkippedFile]:
    """Yield the monsters of the documents. A compendium without monsters is reported with its other content."""
    for document in documents:
        data = as_mapping(document.data)
        others = ", ".join(f"{name} ({count})" for name, count in as_mapping(data.get("others")).items())
        if not data.get("records"):
            yield UnreadRecord(document.file, "", f"no monsters; not imported: {others}" if others else "no monsters")
    yield from read_blocks(documents, system, _monsters, _block, name_of=_name)


def _monsters(data: Any) -> list[Any]:
    return as_list(as_mapping(data).get("records"))


def _name(record: Record) -> str:
    return _RE.edition.sub("", _text(record, "name"))


def _texts(record: Record, key: str) -> list[str]:
    """Return the texts of all child elements with this name."""
    elements = as_list(record.get(key))
    texts = (as_text(one.get("#text") if isinstance(one, dict) else one).strip() for one in elements)
    return list(filter(None, texts))


def _text(record: Record, key: str) -> str:
    return "\n".join(_texts(record, key))


def _block(record: Record, name: str, report: ConversionReport) -> StatBlock:
    note_unknown_fields(record, _KNOWN, report)
    kind, _, book = _type(_text(record, "type"))
    features, legendary, proficiency = _features(record, report)
    description = _text(record, "description")
    cited = _RE.source.findall(description) or ([book] if book else _texts(record, "source"))
    size = _text(record, "size")
    lines: dict[str, Any] = {field: _text(record, key) for field, key in terms("fight_club", "lines").items()}
    size = _SIZES.get(size[:1].upper() if len(size) < 3 else "", size)
    return StatBlock(
        name,
        kind=f"{size} {kind}, {_text(record, 'alignment')}".strip(" ,"),
        **lines,
        abilities={id: _text(record, id) for id in ABILITIES},
        senses=_text(record, "senses").rstrip(","),
        passives=named_numbers([("perception", _text(record, "passive"))]),
        proficiency=proficiency,
        initiative=as_int(_text(record, "init")),
        features=features,
        legendary=legendary,
        slots=_slots(_text(record, "slots")) or None,
        environments=comma_parts(_text(record, "environment")),
        description=_RE.source.sub("", description).strip(),
        program="Fight Club 5",
        source="; ".join(cited),
    )


def _type(text: str) -> tuple[str, str, str]:
    """Split a type line: the type with its tags, a comma if a book follows, and the book (in older files)."""
    depth = 0
    for at, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if letter == "," and not depth:
            return text[:at].strip(), ",", text[at + 1 :].strip().title()
    return text.strip(), "", ""


def _slots(text: str) -> NamedNumbers:
    """Return spell slots by level; the list begins with cantrips."""
    counts = [as_int(part) or 0 for part in text.split(",")][1:10] if text else []
    return tuple((str(level), count) for level, count in enumerate(counts, 1) if count)


def _features(record: Record, report: ConversionReport) -> tuple[tuple[PrintedFeature, ...], int, int]:
    """Return features, legendary actions per round, and the proficiency bonus, which newer files store as a trait."""
    features: list[PrintedFeature] = []
    legendary = proficiency = 0
    for section, cost in terms("fight_club", "sections").items():
        for entry in as_list(record.get(section)):
            source = entry if isinstance(entry, dict) else {"text": [entry]}
            name, text = " ".join(_text(source, "name").split()), _text(source, "text")
            if section == "trait" and name == "Proficiency Bonus" and as_int(text) is not None:
                proficiency = as_int(text) or 0
                continue
            lair = as_text(source.get("@category")).lower() == "lair"
            called_so = name.lower().startswith("legendary actions") or (lair and "lair" in name.lower())
            head = section == "legendary" and called_so
            if head and not lair:
                per = _RE.per_day.search(f"{name} {_text(source, 'recharge')}")
                legendary = legendary_count(text) or (int(per[1]) if per else 0)
            own = "trait" if head else "lair" if lair else cost
            if _RE.bonus.search(name):
                name, own = _RE.bonus.sub("", name), "bonus"
            name = "Legendary Actions" if head and not lair else f"{name}{_usage(source, name)}"
            features.append(PrintedFeature(name, _with_roll(source, name, text, report), own))
    return tuple(features), legendary, proficiency


def _usage(source: Record, name: str) -> str:
    """Return a feature's `recharge` in brackets, or an empty string if its name already contains it."""
    recharge = _text(source, "recharge")
    if not recharge or re.search(r"\((?:[^()]*)(?:recharge|/\s*(?:day|rest|turn))", name, re.IGNORECASE):
        return ""
    if die := _RE.die.fullmatch(recharge):
        return " (Recharge 6)" if die[1] == "6" else f" (Recharge {die[1]}-6)"
    if per := _RE.per_day.fullmatch(recharge):
        words = {"day": "Day", "rest": "Rest", "short": "Short Rest", "long": "Long Rest"}.get(per[2].lower(), "")
        return f" ({per[1]}/{words})" if words else ""
    rests = {"SHORT": " (Recharges after a Short or Long Rest)", "LONG": " (Recharges after a Long Rest)"}
    return rests.get(recharge.upper(), f" ({recharge})")


def _with_roll(source: Record, name: str, text: str, report: ConversionReport) -> str:
    """Return a feature's text, preceded by its attack roll unless the text states one. The two are compared."""
    rolls = []
    for entry in as_list(source.get("attack")):
        parts = entry.split("|") if isinstance(entry, str) else ["", _text(entry, "atk"), _text(entry, "dmg")]
        if len(parts) > 1 and (bonus := as_int(parts[1])) is not None:
            rolls.append((bonus, normalised_dice_text("".join(parts[2:3])), "|".join(parts)))
    numbers = read_prose(plain_text(text)).numbers if rolls else {}
    if not rolls or name.startswith("Multiattack") or ("save" in numbers and "attack" not in numbers):
        return text
    bonus, dice, words = rolls[0]
    dealt = [roll for _, roll, _ in rolls if "d" in roll]
    has_dice = not dealt or any(roll in normalised_dice_text(text) for roll in dealt)
    if (stated := numbers.get("attack")) is not None:
        if stated not in [number for number, _, _ in rolls] or not has_dice:
            report.add_note(f"{name}: attack", words, "differs from the text, whose numbers are used")
        return text
    report.add_note(f"{name}: attack", words, "attack roll missing from the text; added to it")
    harm = f" Hit: {dice} damage." if dice and not (dealt and has_dice) else ""
    return f"Weapon Attack: {bonus:+d} to hit. {text}{harm}".strip()


FORMAT: Final = ImportFormat("fight_club", "Fight Club 5 and Game Master 5", claims, read)
