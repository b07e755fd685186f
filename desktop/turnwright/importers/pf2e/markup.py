"""Converts the texts of Pathfinder 2e sources: markup to plain text, terms to ids, and lines to values.

`@Check[reflex|dc:21|basic]` becomes `DC 21 basic Reflex`, so that one text reader serves all sources. Marks that only
the source program can evaluate are kept as text. `RENAMED` maps the names used in older books to the newer ones. Other
text in the fields of defences, senses, speeds and skills becomes remarks.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from itertools import groupby
from types import MappingProxyType
from typing import Any, Final

from turnwright.encounter.field_specs import MAX_TEXT
from turnwright.encounter.prepared import NamedNumbers
from turnwright.importers.pf2e.stat_block import Listed, Numbered, RankedSpell, SourceNumber
from turnwright.importers.statblock_text.markup import damage_text, plain_text, replace_marks, shown_mark
from turnwright.importers.vocabulary import Patterns, pattern, terms
from turnwright.storage.fights import ConversionReport, UnreadableError

_RE: Final = Patterns("pf2e_markup")


def unmarked_text(text: str, glossary: Mapping[str, str] | None = None, level: int | None = None) -> str:
    """Return a text without markup. `glossary` contains texts, keyed by id, for marks that refer to them."""
    if not text:
        return ""
    if len(text) > MAX_TEXT:
        raise UnreadableError(f"a text has {len(text):,} characters; the limit is {MAX_TEXT:,}")
    has_links = "@" in text
    if has_links or "[[" in text:
        text = replace_marks(text, partial(_shown, glossary=glossary or {}, level=level))
    if "**" in text or "<b>" in text or "<strong>" in text:
        mark = "\n" if "<" not in text else "<br>"
        text = _RE.secret.sub(lambda match: f"{mark}{_titled(match[1])} ", text)
    plain = _RE.general.sub("", _RE.apart.sub("\n", plain_text(text)))
    return _RE.effect_link.sub("", plain) if has_links else plain


def unresolved_marks(text: str) -> tuple[str, ...]:
    """Return the marks in a text that only the source program could evaluate or look up."""
    return tuple(match[0] for match in _RE.unsolved.finditer(text)) if "@" in text else ()


def glossary_id(name: str) -> str:
    """Return the glossary id of an ability, from `Swarm Mind` or from `PF2E.….Glossary.SwarmMind`."""
    last = _RE.hump.sub("-", name.rpartition(".")[2].strip())
    return re.sub(r"[^a-z0-9]+", "-", last.lower()).strip("-")


def _titled(label: str) -> str:
    return " ".join(part[:1].upper() + part[1:] for part in label.split())


def _shown(name: str, inner: str, label: str, glossary: Mapping[str, str], level: int | None) -> str:
    match name:
        case "damage" if not re.search(r"\d", label):
            if level is not None:
                inner = inner.replace("@actor.level", str(level)).replace("@self.level", str(level))
            return damage_text(inner.replace("@item.level", "level").replace("@actor.level", "level"), " and ")
        case "localize" if definition := glossary.get(glossary_id(inner)):
            return replace_marks(definition, partial(_shown, glossary={}, level=level))
        case "" if not label:
            return _roll(inner)
    return shown_mark(name, inner, label)


def _roll(inner: str) -> str:
    """Return `12d6` for `/r 12d6 # acid damage`, `2d6 fire` for `/r (2d6)[fire]`, and `Trip` for `/act trip dc=15`.

    For a link between notes, return its label, or the heading or note that it leads to.
    """
    if inner.lstrip().startswith("/act"):
        words = [word for word in inner.split()[1:] if "=" not in word]
        return " ".join(words[0].split("-")).title() if words else ""
    if not inner.lstrip().startswith("/") and ("|" in inner or not inner[:1].isdigit()):
        linked = inner.rpartition("|")[2] if "|" in inner else inner.rpartition("#")[2].rpartition("/")[2]
        return linked.strip().removesuffix(".md")
    rolled = _RE.roll.sub("", inner.strip()).split("#")[0].strip()
    return damage_text(rolled.strip("{}"), " and ")


DAMAGE: Final[frozenset[str]] = frozenset(terms("pf2e", "damage"))
# More damage terms: types from older books, and groups used in resistances.
OLDER_DAMAGE: Final[frozenset[str]] = frozenset(terms("pf2e", "older_damage"))
CONDITIONS: Final[frozenset[str]] = frozenset(terms("pf2e", "conditions"))
RENAMED: Final[Mapping[str, str]] = terms("pf2e", "renamed")
SIZES: Final[Mapping[str, str]] = terms("pf2e", "sizes")
DC_BASE: Final = 10  # a DC is this number plus the modifier
RARITIES: Final = frozenset({"common", "uncommon", "rare", "unique"})
ALIGNMENTS: Final = frozenset({"lg", "ng", "cg", "ln", "n", "cn", "le", "ne", "ce"})
# Creature types. If the traits name several, the first in this order is the type, and all are tags.
TYPES: Final[tuple[str, ...]] = terms("pf2e", "types")
SKILLS: Final[Mapping[str, str]] = terms("pf2e", "skills")
SKILL_IDS: Final = frozenset({*SKILLS.values(), "perception", "lore"})
SAVES: Final[Mapping[str, str]] = terms("pf2e", "saves")
MODES: Final[Mapping[str, str]] = terms("pf2e", "modes")


def id_of(text: str) -> str:
    """Convert a name to an id: lower case with hyphens. Older names are replaced by newer ones."""
    word = _RE.not_word.sub("-", text.lower().replace("'", "").replace("\N{RIGHT SINGLE QUOTATION MARK}", "")).strip(
        "-"
    )
    return RENAMED.get(word, word)


def damage_id(text: str) -> str:
    """Return the id of a damage type, or the plain word for an unknown type."""
    word = id_of(text).removesuffix("-damage")
    return RENAMED.get(word, word)


def is_damage(word: str) -> bool:
    """Return whether a word is a damage type (also from older books) or a group of damage types."""
    return word in DAMAGE or word in OLDER_DAMAGE


def creature_type(traits: tuple[str, ...], stated: str) -> str:
    """Return a creature's type, from its traits or as stated in its source, or an empty string if it has none."""
    kind = next((candidate for candidate in TYPES if candidate in traits), "")
    return kind or id_of(stated.partition(",")[0]) or (traits[0] if traits else "")


SPEED: Final = pattern("pf2e_lines", "speed")
AMOUNT: Final = re.compile(r"(?P<name>.*?)\s+(?P<number>\d{1,3})\b\s*(?P<note>.*)", re.DOTALL)
SKILL: Final = pattern("pf2e_lines", "skill")
DEFENCES: Final = "Immunities|Resistances|Weaknesses|Hardness"
_LONGEST: Final = 2_000  # maximum characters in a part of a line with a number


def split_list(text: str) -> tuple[str, ...]:
    """Return the parts of a list in a text, separated by commas and semicolons outside brackets."""
    parts, depth, start = [], 0, 0
    for at, letter in enumerate(text):
        depth = max(0, depth + (letter == "(") - (letter == ")"))
        if letter in ",;" and not depth:
            parts.append(text[start:at])
            start = at + 1
    return tuple(part for piece in (*parts, text[start:]) if (part := piece.strip()))


def entries_of(listed: Listed) -> tuple[str, ...]:
    """Return the entries of a list. In a text, the names after an exception stay together."""
    if not isinstance(listed, str):
        return listed
    entries: list[str] = []
    for part in split_list(listed):
        if entries and _RE.open_exception.search(entries[-1]) and not re.search(r"\d", part):
            entries[-1] = f"{entries[-1]}, {part}"
        else:
            entries.append(part[:_LONGEST])
    return tuple(entries)


def numbers_of(numbered: Numbered, pattern: re.Pattern[str], usual: str = "") -> Iterator[SourceNumber]:
    """Yield the named numbers of a list or a text. A number without a name gets the name `usual`."""
    if not isinstance(numbered, str):
        yield from numbered
        return
    for entry in entries_of(numbered):
        match = pattern.fullmatch(entry)
        yield _number(match, usual) if match else SourceNumber(entry, None)


def skills_of(numbered: Numbered) -> Iterator[SourceNumber]:
    """Yield the skills of a list or a text. A number that is repeated after a skill's name is omitted."""
    if not isinstance(numbered, str):
        yield from numbered
        return
    for match in SKILL.finditer(numbered[:_LONGEST]):
        skill = _number(match, "")
        note = skill.note.removeprefix(f"{skill.name}: ")
        yield SourceNumber(skill.name.removeprefix("Lore: "), skill.number, note)


def _number(match: re.Match[str], usual: str) -> SourceNumber:
    return SourceNumber((match["name"] or usual).strip(), int(match["number"]), (match["note"] or "").strip(" ()"))


def traits_before(text: str) -> tuple[tuple[str, ...], str]:
    """Return the traits in brackets at the start of an ability's text, and the text after them."""
    match = _RE.traits.match(text)
    traits = split_list(match[1]) if match else ()
    if match and traits and all(_RE.trait.fullmatch(trait) for trait in traits):
        return traits, text[match.end() :]
    return (), text


def trait_fields(words: Iterable[str], size: str = "", rarity: str = "", alignment: str = "") -> dict[str, Any]:
    """Return a stat block's traits, and its size, rarity and alignment, which may be among them."""
    traits = [word.lower() for word in words]
    size = size or next((word for word in traits if word in SIZES), "")
    rarity = rarity or next((word for word in traits if word in RARITIES), "")
    alignment = alignment or next((word for word in traits if word in ALIGNMENTS), "")
    others = tuple(word for word in traits if word not in (size, rarity, alignment.lower()))
    return {"traits": others, "size": size, "rarity": rarity, "alignment": alignment.upper()}


def casting_numbers(text: str) -> tuple[int, int | None]:
    """Return the DC (or 0) and the attack bonus (or None) in the head of a spell list: `DC 24, attack +16`."""
    found = {match.lastgroup: int(match[match.lastgroup or 0]) for match in reversed([*_RE.casting.finditer(text)])}
    return found.get("dc", 0), found.get("attack")


def tradition_in(name: str) -> str:
    """Return the magical tradition in the name of a spell list, or an empty string."""
    return next((word for word in ("arcane", "divine", "occult", "primal") if word in name.lower()), "")


def rank_lines(spells: Iterable[RankedSpell]) -> tuple[str, ...]:
    """Return a line for each rank, the highest first, then cantrips, then constant spells."""

    def place(spell: RankedSpell) -> tuple[bool, bool, int]:
        return spell.constant, spell.cantrip, -spell.rank

    lines = []
    for (constant, cantrip, rank), ranked in groupby(sorted(spells, key=place), key=place):
        names = ", ".join(f"{spell.name} ({spell.note})" if spell.note else spell.name for spell in ranked)
        ordinal = f"{-rank}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(-rank, 'th') }" if rank else ""
        head = f"Cantrips ({ordinal})" if cantrip and rank < -1 else "Cantrips" if cantrip else ordinal or "Spells"
        lines.append(f"{f'Constant ({ordinal})' if constant else head}: {names}")
    return tuple(lines)


_NOT_ONE_TYPE: Final = "object-immunities"
_PHYSICAL: Final = ("bludgeoning", "piercing", "slashing")
_EXCEPT = re.compile(
    rf"except (?P<types>(?:{'|'.join(_PHYSICAL)})(?:(?:,| or| and)+ (?:{'|'.join(_PHYSICAL)})){{0,2}})"
)
_NO_SENSE: Final = frozenset({"no-vision", "blind"})
_BETTER: Final[Mapping[str, str]] = MappingProxyType({"greater-darkvision": "darkvision"})


def immunities(listed: Listed, report: ConversionReport) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return immunities to damage, and all other immunities."""
    damage: dict[str, None] = {}
    others: dict[str, None] = {}
    for text in entries_of(listed):
        aside = _RE.aside.search(text)
        word = damage_id(text[: aside.start()] if aside else text)
        if not word:
            continue
        if aside:
            report.add_remark("immunities", text.strip())
            report.add_note("immunities", text, "conditional immunity; condition kept as a remark")
        if word == _NOT_ONE_TYPE:
            report.add_note("immunities", text, "a group of immunities that the file doesn't list")
        (damage if is_damage(word) and word not in CONDITIONS else others)[word] = None
    return tuple(damage), tuple(others)


def with_amounts(numbered: Numbered, field: str, report: ConversionReport) -> tuple[str, ...]:
    """Return resistances or weaknesses in the form `fire 5`."""
    amounts: dict[str, None] = {}
    for entry in numbers_of(numbered, AMOUNT):
        aside = _RE.aside.search(entry.name)
        name = entry.name[: aside.start()] if aside else entry.name
        note = "; ".join(filter(None, (aside[1] if aside else "", entry.note)))
        amount = " ".join(filter(None, (name, "" if entry.number is None else str(entry.number))))
        text = f"{amount} ({note})" if note else amount
        word = damage_id(name)
        if entry.number is None:
            report.add_remark(field, text, "no number given; kept as a remark")
        elif word == "physical" and (but := _EXCEPT.fullmatch(note)):
            amounts.update((f"{kind} {entry.number}", None) for kind in _PHYSICAL if kind not in but["types"])
        else:
            amounts[f"{word} {entry.number}"] = None
            if note:
                report.add_remark(field, f"{name}: {note}")
                report.add_note(field, text, "exception kept as a remark")
            elif not is_damage(word):
                report.add_note(field, text, "not a damage type; apply it yourself")
    return tuple(amounts)


def senses(listed: Listed, report: ConversionReport) -> NamedNumbers:
    """Return senses with their ranges in feet (0 if unlimited)."""
    ranges: dict[str, int] = {}
    for text in (entry.strip(" ;,.") for entry in entries_of(listed)):
        match = _RE.sense.match(text)
        if match is None:
            report.add_remark("senses", text, "not a sense; kept as a remark")
            continue
        word = id_of(match["name"])
        sense = _BETTER.get(word, word)
        if word not in _NO_SENSE:
            ranges[sense] = max(ranges.get(sense, 0), int(match["feet"] or 0))
        if match["acuity"] or match["before"] or match["rest"] or word in _NO_SENSE or sense != word:
            report.add_remark("senses", text)
    return tuple(ranges.items())


def speeds(numbered: Numbered, report: ConversionReport) -> NamedNumbers:
    """Return speeds in feet. Unknown movement modes, and modes with a condition, become remarks."""
    distances: dict[str, int] = {}
    for entry in numbers_of(numbered, SPEED, "land"):
        name = entry.name.strip(" ;,")
        mode = MODES.get(name.lower(), "")
        distance = f"{name} {entry.number} feet" if entry.number is not None else name
        text = f"{distance} ({entry.note})" if entry.note else distance
        if mode and entry.number is not None and mode not in distances:
            distances[mode] = entry.number
            report.add_remark("speeds", text if entry.note else "")
        else:
            why = "" if entry.number is None else "not a movement mode; kept as a remark"
            report.add_remark("speeds", text, why)
    return tuple(distances.items())


def skills(numbered: Numbered, perception: int | None, report: ConversionReport) -> NamedNumbers:
    """Return total skill bonuses, starting with Perception. Lore skills have ids such as `lore-…`."""
    bonuses: dict[str, int] = {} if perception is None else {"perception": perception}
    for entry in skills_of(numbered):
        id, number = skill_id(entry.name), entry.number or 0
        if id in bonuses and bonuses[id] != number:
            less, more = sorted((bonuses[id], number))
            report.add_note("skills", f"{entry.name} {less:+d}", f"listed twice; {more:+d}, the higher value, is used")
            number = more
        bonuses[id] = number
        if entry.note:
            name = entry.name.strip()
            report.add_remark("skills", f"{name[:1].upper()}{name[1:]} {entry.note}")
    return tuple(bonuses.items())


def skill_id(name: str) -> str:
    """Return the id of a skill, or `lore-something` for a lore skill."""
    word = id_of(name)
    if word in SKILL_IDS:
        return word
    about = "-".join(part for part in word.split("-") if part != "lore")
    return f"lore-{about}" if about else "lore"
