"""Merges the damage in Open5e's fields with the damage in the text of the same feature, and reads shared head lines.

The fields often lack a bonus or a type, or contain a default value; the text has both. If the two differ, the dice and
bonus of the field are used with the type of the text, and every difference is reported.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

import msgspec

from turnwright.encounter.field_specs import dice_problem
from turnwright.encounter.prepared import Feature
from turnwright.importers import stat_block
from turnwright.importers.common import as_text
from turnwright.importers.open5e.database import Book, key_of
from turnwright.importers.statblock_text import header_lines
from turnwright.importers.statblock_text.damage import PART, as_int, normalised_dice_text, number_in_words
from turnwright.importers.statblock_text.markup import plain_text
from turnwright.importers.vocabulary import Patterns, terms
from turnwright.storage.fights import ConversionReport

MAX_NAME: Final = 60
MAX_BONUS: Final = 40  # a higher bonus is a typing mistake
Row = Mapping[str, Any]
_RE: Final = Patterns("open5e_damage")
senses_in = lru_cache(maxsize=512)(header_lines.senses)
conditions_in = lru_cache(maxsize=256)(header_lines.condition_list)
plain = lru_cache(maxsize=256)(plain_text)


def damage_of(text: Any, field: str, report: ConversionReport) -> stat_block.Defence:
    """Return a line's damage types and clauses, and the exceptions to nonmagical weapons. Clauses are reported."""
    if text is not None and not isinstance(text, str):
        report.add_note(field, text, "not a list of damage types; ignored")
    if not text or not isinstance(text, str):
        return (), None
    return stat_block.damage_types_with_clauses([text], field, report, weapons=field != "damage_vulnerabilities")


def conditions_of(text: Any, report: ConversionReport) -> tuple[str, ...]:
    """Return the conditions of a line. Unknown conditions are reported."""
    if text and not isinstance(text, str):
        report.add_note("condition_immunities", text, "not a list of conditions; ignored")
    conditions = conditions_in(text if isinstance(text, str) else "")
    for clause in conditions.clauses:
        report.add_note("condition_immunities", clause, "not a condition; kept as worded")
    return (*conditions.kinds, *conditions.clauses)


def shared_fields(
    record: Mapping[str, Any],
    features: Sequence[Feature],
    legendary: int,
    book: Book,
    report: ConversionReport,
    scores: str = "",
) -> dict[str, Any]:
    """Return the fields of a creature that both formats share. `scores` is the prefix of ability score columns.

    Raise UnreadableError if it has no hit points.
    """
    ac = as_int(record.get("armor_class"))
    if ac is None:
        report.add_note("armor_class", record.get("armor_class"), "not an Armor Class; set to 10")
    casting, slots = header_lines.spellcasting_and_slots(feature.text for feature in features)
    return stat_block.column_fields(record, report, scores) | {
        "size": as_text(record.get("size")).strip().lower(),
        "ac": ac or 0,
        "hit_dice": as_text(record.get("hit_dice")).replace(" ", ""),
        "features": tuple(features),
        "legendary": legendary,
        "spellcasting": casting,
        "slots": slots,
        "read": tuple(
            field for field, value in (("legendary", legendary), ("spellcasting", casting), ("slots", slots)) if value
        ),
        "licence": book.licence,
        "system": book.system,
    }


def bonuses_of(
    record: Mapping[str, Any], columns: Sequence[tuple[str, str]], report: ConversionReport
) -> list[tuple[str, int]]:
    """Return the ids and bonuses in the given columns. Values that aren't numbers are reported."""
    bonuses: list[tuple[str, int]] = []
    for id, column in columns:
        bonus = as_int(record.get(column))
        if bonus is not None:
            bonuses.append((id, bonus))
        elif record.get(column) is not None:
            report.add_note(column, record[column], "not a bonus; ignored")
    return bonuses


def split_name(name: Any, text: Any, report: ConversionReport) -> tuple[str, str]:
    """Return a feature's name and text. If the name is really a sentence, it is added to the text and reported."""
    name, text = " ".join(as_text(name).split()), as_text(text)
    head = name.partition("(")[0]
    if len(head) <= MAX_NAME and (text or ":" not in name):
        return name or "Nameless", text
    short, colon, _ = name.partition(":")
    if not colon or len(short) > MAX_NAME:
        short = f"{name[:MAX_NAME].rpartition(' ')[0] or name[:MAX_NAME]} \N{HORIZONTAL ELLIPSIS}"
    report.add_note(f"{short}: name", name, "a sentence instead of a name; kept in the text")
    return short, f"{name}. {text}" if text else name


def completed(before: Row, entry: Row, report: ConversionReport) -> Row | None:
    """Return an entry with the text of the entry after it, if that has a sentence instead of a name, or None."""
    name, words = as_text(entry.get("name")), as_text(entry.get("desc"))
    found = _RE.loose.match(name)
    own, text = as_text(before.get("name")), as_text(before.get("desc")).rstrip(". ")
    if found is None or any(about and about[:6].lower() not in f"{own} {text}".lower() for about in found.groups()):
        return None
    report.add_note(f"{own}: desc", name, "a sentence instead of a name; added to the text of this feature")
    return {**before, "desc": f"{text}. {name}. {words}".strip()}


def legendary_count(text: str) -> int:
    """Return the number of legendary actions per round that a preamble states, or 0 if it doesn't state one."""
    if "egendary" not in text:
        return 0
    counted = _RE.counted.search(text)
    return header_lines.legendary_count(text) or (number_in_words(counted[1]) if counted else 0)


def preamble_count(name: str) -> int:
    """Return the number of legendary actions if a feature's name is really a preamble, or 0 for any other name."""
    return legendary_count(name) if "legendary action" in name else 0


_COLUMNS: Final[frozenset[str]] = frozenset(terms("open5e_damage", "columns"))
_MOST: Final = 1_000
_FIRST: Final = ("damage_die_count", "damage_bonus", "damage_die_type")
_EXTRA: Final = ("extra_damage_die_count", "extra_damage_bonus", "extra_damage_die_type")


class DiceTerms(NamedTuple):
    """The dice and the flat sum of an expression without types. Dice are ordered by their faces."""

    dice: tuple[tuple[int, int], ...]
    flat: int


class DamageField(NamedTuple):
    """One damage part from a field. A missing bonus is None, a missing type is empty."""

    number: int
    faces: int
    bonus: int | None
    kind: str

    @property
    def dice(self) -> str:
        """The dice as an expression. A part without faces is a flat number."""
        plain = f"{self.number}d{self.faces}" if self.faces else f"{self.number}"
        return f"{plain}{self.bonus:+d}" if self.bonus else plain

    @property
    def text(self) -> str:
        """The dice with their type."""
        return f"{self.dice} {self.kind}".rstrip()


@lru_cache(maxsize=2048)
def dice_terms(text: str) -> DiceTerms:
    """Return the dice and the sum of the flat numbers of an expression, ignoring types."""
    dice: list[tuple[int, int]] = []
    flat = 0
    for sign, count, faces, number in _RE.term.findall(text.replace("\N{MINUS SIGN}", "-")):
        factor = -1 if sign == "-" else 1
        if faces:
            dice.append((int(faces), factor * int(count or 1)))
        else:
            flat += factor * int(number)
    return DiceTerms(tuple(sorted(dice)), flat)


def with_dice(feature: Feature, text: str, report: ConversionReport, name: str) -> Feature:
    """Merge the untyped dice of a source, such as `2d10+1d8+6`, into a feature's damage."""
    if dice_problem(text):
        report.add_note(f"{name}: damage_dice", text, "not dice; text value used")
        return feature
    data_terms, text_terms = dice_terms(text), dice_terms(feature.damage)
    if data_terms == text_terms:
        return _known(feature, feature.damage)
    together = f"{feature.damage} + {feature.save_damage}"
    if feature.save_damage and data_terms in (dice_terms(together), dice_terms(feature.save_damage)):
        return _known(feature, feature.damage)
    if not feature.damage and not feature.save_damage:
        return _known(feature, _typed(feature.text, data_terms) or text)
    parts = stat_block.split_damage(feature.damage)
    bonuses = sum(dice_terms(part.partition(" ")[0]).flat != 0 for part in parts)  # one bonus can't replace several
    holds = not Counter(data_terms.dice) - Counter(text_terms.dice)
    if bonuses > 1 or (data_terms.dice != text_terms.dice and holds):
        report.add_note(f"{name}: damage", feature.damage, f"data value {text} is incomplete; text value used")
        return feature
    report.add_note(f"{name}: damage", feature.damage, f"data value {text} used; the text says {feature.damage}")
    if data_terms.dice != text_terms.dice:
        return _known(feature, f"{text} {parts[0].partition(' ')[2]}".rstrip() if len(parts) == 1 else text)
    dice, _, kind = parts[0].partition(" ")
    bonus = dice_terms(dice).flat + data_terms.flat - text_terms.flat
    first = f"{re.split('[+-]', dice)[0]}{bonus:+d}" if bonus else re.split("[+-]", dice)[0]
    return _known(feature, " + ".join((f"{first} {kind}".rstrip(), *parts[1:])))


def _known(feature: Feature, damage: str) -> Feature:
    """Set a feature's damage, which then no longer counts as read from the text."""
    if damage and dice_problem(damage):
        return feature
    read = tuple(field for field in feature.read if field != "damage")
    return msgspec.structs.replace(feature, damage=damage, read=read)


def _typed(text: str, terms: DiceTerms) -> str:
    """Return the first damage in a text with the same dice, including its type, or an empty string."""
    for match in PART.finditer(text):
        dice = match["dice"] or match["bare"]
        if dice and dice_terms(normalised_dice_text(dice)) == terms:
            kind = match["words"].split()[0].lower() if match["words"] else ""
            return f"{normalised_dice_text(dice)} {kind}".rstrip()
    return ""


def with_parts(feature: Feature, parts: list[DamageField], report: ConversionReport, name: str) -> Feature:
    """Merge the damage parts of a source with those in the feature's text.

    A part that the text describes as ongoing damage or as damage on a failed save keeps that field. A part that the
    text mentions only for another use of the feature, or under a condition, is kept as text only.
    """
    whole = " + ".join(part.text for part in parts)
    if feature.damage in ("", whole) and not feature.save_damage and not feature.ongoing:
        return _known(feature, whole)
    text_parts = stat_block.prose_parts(feature)
    for part in parts:
        same = [text_part for text_part in text_parts if not text_part.met and _same_dice(text_part.text, part)]
        if same:
            _take(part, same[0], report, name)
        elif part.faces and f"{part.number}d{part.faces}" in feature.text:
            report.add_note(f"{name}: damage", part.text, "conditional damage; kept as text only")
        else:
            _correct(part, text_parts, report, name)
    placed = stat_block.with_damage(feature, text_parts)
    if any(dice_problem(text) for field in stat_block.DAMAGE_FIELDS if (text := getattr(placed, field))):
        return feature
    for text_part in text_parts:
        if text_part.field == "damage" and not text_part.met:
            report.add_note(f"{name}: damage", text_part.text, "missing from the data; read from the text")
    return placed


def _correct(part: DamageField, text_parts: list[stat_block.ProsePart], report: ConversionReport, name: str) -> None:
    """Replace the first unmatched part of the text's damage with a part from the source, or append it."""
    text_part = next((candidate for candidate in text_parts if candidate.field == "damage" and not candidate.met), None)
    text = text_part.text if text_part else "nothing"
    report.add_note(f"{name}: damage", text, f"data value {part.text} used; the text says {text}")
    if text_part is None:
        text_parts.append(stat_block.ProsePart("damage", part.text, met=True, own=True))
        return
    kind = text_part.text.partition(" ")[2]
    text_part.text, text_part.met = f"{part.dice} {kind or part.kind}".rstrip(), True
    text_part.own = part.kind == kind


def _take(part: DamageField, text_part: stat_block.ProsePart, report: ConversionReport, name: str) -> None:
    """Apply the bonus of a source's part to the text part with the same dice, and report each difference."""
    dice, _, kind = text_part.text.partition(" ")
    flat = dice_terms(dice).flat
    if part.bonus is not None and part.faces and flat != part.bonus:
        why = f"data value {part.text} used; the text says {text_part.text}"
        report.add_note(f"{name}: {text_part.field}", text_part.text, why)
        text_part.text = f"{part.dice} {kind}".rstrip()
    if part.kind and part.kind != kind:
        why = f"text value {text_part.text} used; the data says {part.kind}"
        report.add_note(f"{name}: damage_type", part.kind, why)
    is_complete = part.bonus is not None or flat == 0 or not part.faces
    text_part.met, text_part.own = True, is_complete and part.kind == kind


def _same_dice(text: str, part: DamageField) -> bool:
    terms = dice_terms(text.partition(" ")[0])
    if not part.faces:
        return not terms.dice and terms.flat == part.number
    return terms.dice == ((part.faces, part.number),)


def attack_numbers(attacks: Sequence[Row], name: str, report: ConversionReport) -> dict[str, Any]:
    """Return the bonus, reach and range of an action's attacks, keyed by feature field."""
    known: dict[str, Any] = {}
    for row in attacks:
        stat_block.note_unknown_fields(row, _COLUMNS, report, name)
        bonus, reach = as_int(row.get("to_hit_mod")), as_int(row.get("reach"))
        near, far = as_int(row.get("range")), as_int(row.get("long_range"))
        if bonus is None or abs(bonus) > MAX_BONUS:
            report.add_note(f"{name}: to_hit_mod", row.get("to_hit_mod"), "not a plausible attack bonus; ignored")
        elif known.setdefault("attack", bonus) != bonus:
            why = "bonus of an additional attack; only the first attack's bonus is used"
            report.add_note(f"{name}: to_hit_mod", bonus, why)
        if reach:
            known.setdefault("reach", reach)
        if near and far:
            known.setdefault("range", f"{near}/{far}" if far != near else f"{near}")
        if row.get("attack_type") == "SPELL":
            known["properties"] = ("spell",)
    return known


def with_attack_damage(feature: Feature, attacks: Sequence[Row], report: ConversionReport, name: str) -> Feature:
    """Add an attack row's damage to a feature: from the row that its text confirms, or else from the first row."""
    feature = _with_range(feature, attacks, report, name)
    damage_by_row = [_parts(row, name, report) for row in attacks]
    first = damage_by_row[0] if len(damage_by_row) == 1 else _borne(feature, damage_by_row, report, name)
    if first:
        return with_parts(feature, first, report, name)
    kind = key_of(attacks[0].get("damage_type")).lower()
    if kind and kind not in feature.damage:
        why = f"text value {feature.damage} used; the data says {kind}"
        report.add_note(f"{name}: damage_type", kind, why if feature.damage else "no damage given; ignored")
    return feature


def _borne(
    feature: Feature, damage_by_row: Sequence[list[DamageField]], report: ConversionReport, name: str
) -> list[DamageField]:
    """Return the damage of the row that the text confirms, or else of the first row, and report the others."""
    text_dice = dice_terms(f"{feature.damage} + {feature.save_damage} + {feature.ongoing}").dice
    dice = [{(part.faces, part.number) for part in parts if part.faces} for parts in damage_by_row]
    confirmed = [parts for parts, own in zip(damage_by_row, dice, strict=True) if parts and own <= set(text_dice)]
    first = confirmed[0] if confirmed else damage_by_row[0]
    for parts in damage_by_row:
        if parts != first:
            text = " + ".join(part.text for part in parts)
            report.add_note(f"{name}: damage", text, "damage of an additional attack; kept as text only")
    return first


def _with_range(feature: Feature, rows: Sequence[Row], report: ConversionReport, name: str) -> Feature:
    """Set a feature's range from a row without a long range, unless the text also states a long range."""
    near = next((feet for row in rows if (feet := as_int(row.get("range"))) and not row.get("long_range")), None)
    if near is None or feature.range.startswith(f"{near}/"):
        return feature
    if feature.range and feature.range != f"{near}":
        report.add_note(f"{name}: range", feature.range, f"data value {near} used; the text says {feature.range}")
    read = tuple(field for field in feature.read if field != "range")
    return msgspec.structs.replace(feature, range=f"{near}", read=read)


def _parts(row: Row, name: str, report: ConversionReport) -> list[DamageField]:
    """Return the damage parts of a row. Without extra dice, the extra damage type is the default type."""
    kind, extra_kind = (key_of(row.get(column)).lower() for column in ("damage_type", "extra_damage_type"))
    extra = _part(row, _EXTRA, extra_kind, name, report)
    first = _part(row, _FIRST, kind or ("" if extra else extra_kind), name, report)
    return [part for part in (first, extra) if part]


def _part(
    row: Row, columns: tuple[str, str, str], kind: str, name: str, report: ConversionReport
) -> DamageField | None:
    number, added, thrown = columns
    count, bonus = as_int(row.get(number)), as_int(row.get(added))
    if count is None or count <= 0:
        return DamageField(bonus, 0, 0, kind) if bonus else None
    die = as_text(row.get(thrown))
    faces = as_int(die.upper().removeprefix("D"))
    if not faces or faces < 0 or faces > _MOST or count > _MOST:
        report.add_note(f"{name}: {thrown}", f"{count} {die}".rstrip(), "not dice; text value used")
        return None
    return DamageField(count, faces, bonus, kind)
