"""Reads pasted stat blocks of Pathfinder 2e from books, web pages and notes, with arbitrary line breaks."""

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

import msgspec

from turnwright.encounter.prepared import Creature, NamedNumbers
from turnwright.importers import common, results
from turnwright.importers.pasted_text import reading
from turnwright.importers.pf2e import creatures, hazards, markup, strikes
from turnwright.importers.pf2e.stat_block import (
    SourceAbility,
    SourceNumber,
    SourceSpells,
    SourceStatBlock,
    SourceStrike,
)
from turnwright.importers.stat_block import hit_points, number_and_note
from turnwright.importers.statblock_text.header_lines import ABILITIES
from turnwright.importers.vocabulary import Patterns, pattern, terms
from turnwright.storage import atomic, fights

SYSTEM: Final = "pf2e"
_RE: Final = Patterns("pasted_text_pathfinder")
_FOOTER: Final = pattern("pasted_text", "footer")
_FIELDS: Final[tuple[tuple[str, str], ...]] = tuple(terms("pasted_text_pathfinder", "fields").items())
_FIELD = re.compile("|".join(rf"(?P<{field}>{words})" for field, words in _FIELDS))
_GLYPHS: Final[tuple[tuple[str, str, int], ...]] = terms("pasted_text_pathfinder", "glyphs")
_GLYPH = re.compile(
    "|".join(f"(?P<g{at}>{pattern})" for at, (pattern, _cost, _price) in enumerate(_GLYPHS)), re.IGNORECASE
)
# the end of an ability that the rules describe: `2d8+9 bludgeoning, DC 26`
_OPEN_END: Final = (",", ";", " and", " or", " plus", " with")  # of a line whose part continues in the next line
_SMALL: Final = frozenset({"of", "the", "and", "to", "in", "for", "from", "with", "a", "on"})
_STARTERS: Final[frozenset[str]] = frozenset(terms("pasted_text_pathfinder", "starters"))
_CLAUSE = re.compile(rf"\b({markup.DEFENCES})\b\s*:?\s*((?:(?!\b(?:{markup.DEFENCES})\b)[^;])*)")
_DEFENCES: Final = ("immunities", "weaknesses", "resistances")
_FEATURES: Final = ("strike", "spells", "ability")
_PROSE: Final = 5  # a line with at least this many words is prose, not the rest of a list
_NOTED_AS: Final[Mapping[str, str]] = terms("pasted_text_pathfinder", "noted_as")


class _Part(msgspec.Struct):
    """A field of the head, a Strike, a list of spells or an ability, with its lines."""

    field: str
    texts: list[str]
    name: str = ""
    cost: str = "trait"
    price: int = 1
    numbers: list[int] = []

    def is_thing(self) -> bool:
        """Whether it is the title of a hazard or a vehicle."""
        return self.field == "name" and self.texts[0].startswith(("Hazard", "Vehicle"))

    def joined(self) -> str:
        """Return the text of all lines."""
        return reading.joined_lines([text for text in self.texts if text])

    def in_one_line(self) -> str:
        """Return the text of all lines without line breaks."""
        return " ".join(self.joined().split("\n"))


def marks_found(lines: Sequence[reading.TextLine]) -> int:
    """Return a score for the similarity of the lines to a Pathfinder 2e stat block."""
    text = "\n".join(_RE.capitals.sub(_in_small_letters, line.text) for line in lines)
    score = 4 * any(_RE.title.match(line.text) for line in lines)
    return score + 3 * sum(re.search(mark, text) is not None for mark in terms("pasted_text_pathfinder", "marks"))


def _in_small_letters(label: re.Match[str]) -> str:
    return label[0].title()


def is_title(line: reading.TextLine) -> bool:
    """Whether a line contains a creature's name and level."""
    return len(line.text) < 120 and _RE.title.match(line.text) is not None


def read_block(lines: Sequence[reading.TextLine], ids: atomic.IdAllocator) -> reading.PastedReading:
    """Return the creature of one stat block, with a mark for each line."""
    parts = _gathered(lines)
    name = next((part.name for part in parts if part.field == "name"), "")
    report = fights.ConversionReport(name)
    try:
        block = _block(common.required_name(name), parts, report)
        creature = creatures.creature_of(block, ids.allocate(block.name), report)
    except fights.UnreadableError as error:
        return reading.unread_block(lines, SYSTEM, str(error), report.notes)
    except results.ODD_SHAPE as error:
        return reading.unread_block(lines, SYSTEM, f"unexpected data: {error}"[:400], report.notes)
    groups, names = _groups(parts, creature)
    groups.append(reading.LineGroup(tuple(line.number for line in lines if is_title(line))[:1], "name"))
    without = [msgspec.structs.replace(line, text=_RE.penalties.sub("", line.text)) for line in lines]
    return reading.PastedReading(
        SYSTEM, creature, reading.marked_lines(without, groups, creature, report.notes, names), report.notes
    )


def _gathered(lines: Sequence[reading.TextLine]) -> list[_Part]:
    """Return the parts of a stat block in order."""
    parts: list[_Part] = []
    gap = True
    for line in _titled(lines):
        if line.text:
            seen = {part.field for part in parts} | ({"thing"} if parts and parts[0].is_thing() else set())
            begun = _begun(line, parts[-1] if parts else None, seen, gap)
            if begun is not None:
                parts.append(begun)
            elif _FOOTER.fullmatch(line.text):
                continue
            elif parts:
                parts[-1].texts.append(f"\N{BULLET} {line.text}" if line.bullet else line.text)
            if parts:
                parts[-1].numbers.append(line.number)
        gap = not line.text
    return parts


def _titled(lines: Sequence[reading.TextLine]) -> Sequence[reading.TextLine]:
    """Return the lines from the title. If the name is above the line with the level, the two are joined."""
    at = next((at for at, line in enumerate(lines) if is_title(line)), None)
    if at is None:
        return lines
    title, above = lines[at], next((line for line in reversed(lines[:at]) if line.text), None)
    match = _RE.title.match(title.text)
    if above and match and not match["name"].strip():
        title = msgspec.structs.replace(above, text=f"{above.text} {title.text}")
    return [title, *lines[at + 1 :]]


def _begun(line: reading.TextLine, part: _Part | None, seen: set[str], gap: bool) -> _Part | None:
    """Return the part that begins in a line, or None if the line continues the current part."""
    text = _RE.capitals.sub(_in_small_letters, line.text)
    if "name" not in seen:
        title = _RE.title.match(text)
        if not title:
            return None if seen else _Part("name", [""], text)
        name = reading.titled(title["name"].strip())
        return _Part("name", [f"{title['kind'].title()} {title['level'].replace(' ', '')}"], name)
    field = _FIELD.match(text)
    group = field.lastgroup if field else ""
    if group in _DEFENCES and part is not None and part.field == "health":
        return None
    if field and group not in seen and not (group == "stealth" and "perception" in seen):
        return _Part(field.lastgroup or "", [text[field.end() :]])
    if "thing" in seen and (named := _RE.named.match(text)):
        glyph = _GLYPH.match(named["rest"])
        price = _GLYPHS[int((glyph.lastgroup or "g0")[1:])][2] if glyph else 0
        rest = named["rest"]
        if glyph:
            rest = f"({price} action{'s' if price > 1 else ''}) {rest[glyph.end() :].strip()}"
        return _Part("ability", [rest], named["name"])
    if seen.isdisjoint(("perception", "stealth", "defences")):
        return _Part("beside" if _RE.beside.match(text) else "traits", [text])
    if strike := _RE.strike.match(text):
        return _Part("strike", [strike["rest"]], strike["how"])
    if spells := _RE.spells.match(text):
        return _Part("spells", [spells["rest"]], spells["name"])
    return _ability_begun(line, part, seen, gap)


def _ability_begun(line: reading.TextLine, part: _Part | None, seen: Collection[str], gap: bool) -> _Part | None:
    text = line.text
    if _RE.label.match(text) or _FOOTER.fullmatch(text):
        return None
    glyph = _GLYPH.search(text[:90])
    before = part.texts[-1] if part and part.texts else ""
    if glyph:
        name = text[: glyph.start()].strip(" .:")
        if name and name[:1].isupper() and len(name.split()) <= 8 and "." not in name:
            _pattern, cost, price = _GLYPHS[int((glyph.lastgroup or "g0")[1:])]
            return _Part("ability", [text[glyph.end() :].strip()], name, cost, price)
    if line.lead and text.startswith(line.lead) and line.lead[:1].isupper():
        return _Part("ability", [text[len(line.lead) :].lstrip(" .:")], line.lead.rstrip(" .:"))
    before_part = part.field if part else ""
    is_short = "abilities" not in seen or before.endswith(",") or len(text.split()) < _PROSE
    is_complete = before_part == "abilities" and "Cha" in before
    if before_part in terms("pasted_text_pathfinder", "lists") and not gap and is_short and not is_complete:
        return None
    ended = gap or not before or reading.ends_sentence(before) or before_part not in ("ability", "spells")
    if not (ended or _RE.short_end.search(before) or _RE.with_traits.match(text)) or before.endswith(_OPEN_END):
        return None
    name, rest = _plain_name(text)
    return _Part("ability", [rest.lstrip(" .:")], name) if name else None


def _plain_name(text: str) -> tuple[str, str]:
    """Split the line of an ability into the unmarked name, which may be empty, and the rest."""
    words = text.split(" ")
    at = 0
    while at < min(len(words), 9) and (_RE.titled.match(words[at]) or (at and words[at] in _SMALL)):
        if at and words[at] in _STARTERS:
            break
        at += 1
    follows = words[at] if at < len(words) else ""
    if at and follows[:1].islower():
        at -= 1  # the last capitalised word begins the sentence after the name
    while at and words[at - 1] in _SMALL:
        at -= 1
    ended = at < len(words) and re.fullmatch(r"[A-Z][\w'\u2019-]*[.:]", words[at]) is not None
    at += ended
    if not at or words[0] in _STARTERS or (at == len(words) and len(words) > 6):
        return "", text
    return " ".join(words[:at]).rstrip(".:"), " ".join(words[at:])


def _block(name: str, parts: Sequence[_Part], report: fights.ConversionReport) -> SourceStatBlock:
    fields: dict[str, Any] = {}
    for part in parts:
        if part.field not in _FEATURES:
            fields[part.field] = f"{fields.get(part.field, '')} {part.in_one_line()}".strip()
    kind, _, level = fields.get("name", "").partition(" ")
    is_hazard, is_vehicle = kind == "Hazard", kind == "Vehicle"
    defences = f"{fields.get('defences', '')}; {fields.get('saves', '')}"
    armour = re.search(r"AC\s*:?\s*(\d{1,3})\b([^;]*)", defences)
    if armour is None and (not is_hazard or fields.get("health")):
        report.add_note("ac", "", "missing; set to 10")
    health = fields.get("health", "")
    points = re.search(r"\bHP\s*:?\s*(?=\d)", health)  # a hazard's Hardness comes before its hit points
    first = (health[points.end() :] if points else health).partition(";")[0]
    hp, note = (0, "") if is_hazard and not health else hit_points(first, least=0)
    clauses: dict[str, Any] = {match[1].lower(): match[2].strip() for match in _CLAUSE.finditer(health)}
    hazards.add_hardness(number_and_note(clauses.pop("hardness", ""))[0], report)
    report.add_remark("hp", note)
    after = re.sub(rf"(?:\b[A-Z][a-z]+ )?\b(?:{markup.DEFENCES}|HP)\b[^;]*;?", "", health.partition(";")[2])
    report.add_remark("hp", after.strip(" ;"))
    saves, words = _saves(defences)
    report.add_remark("saves", words)
    stealth: list[SourceNumber] = []  # of a hazard, which states either a bonus or a DC
    if hidden := _RE.hidden.match(fields.get("stealth", "")):
        report.add_remark("stealth", fields["stealth"] if hidden["note"].strip() else "")
        stealth.append(SourceNumber("stealth", int(hidden["bonus"] or int(hidden["dc"]) - markup.DC_BASE)))
    traits = list(filter(None, re.split(r"[\s,\[\]|]+", fields.get("traits", ""))))
    if is_hazard and "complex" not in map(str.lower, traits):
        traits.append("simple")
    perception, senses = number_and_note(fields.get("perception", ""))
    text = next((part.joined() for part in parts if part.name == "Routine" and "complex" in map(str.lower, traits)), "")
    routine, pools = hazards.routine_of(text, report) if is_hazard else ((), ())
    apart = ("Description", *(ability.name for ability in routine))
    return SourceStatBlock(
        name,
        int(level) if re.fullmatch(r"[+-]?\d{1,2}", level) else None,
        **markup.trait_fields(traits),
        kind="object" if is_vehicle else kind.lower(),
        ac=int(armour[1]) if armour else 0,
        ac_note=armour[2].strip(" ,()") if armour and "Fort" not in armour[2] else "",
        hp=hp,
        abilities=_modifiers(fields.get("abilities", "")),
        saves=saves,
        perception=perception,
        skills=(*markup.skills_of(fields.get("skills", "")), *stealth),
        senses=senses.lstrip("; "),
        languages=fields.get("languages", ""),
        speeds=fields.get("speed", ""),
        **{key: clauses.get(key, fields.get(key, "")) for key in _DEFENCES},
        strikes=tuple(_strike(part) for part in parts if part.field == "strike"),
        actions=(*routine, *(_ability(part) for part in parts if part.field == "ability" and part.name not in apart)),
        spells=tuple(_spells(part) for part in parts if part.field == "spells"),
        items=fields.get("items", ""),
        hazard=is_hazard,
        pools=pools,
        description=next((part.joined() for part in parts if part.name == "Description"), fields.get("beside", "")),
        source=f"Pasted text: {fields['source']}" if fields.get("source") else "Pasted text",
    )


def _modifiers(text: str) -> NamedNumbers:
    modifiers = {match[1].lower(): int(match[2].replace(" ", "")) for match in _RE.ability.finditer(text)}
    return tuple((ability, modifiers[ability]) for ability in ABILITIES if ability in modifiers)


def _saves(text: str) -> tuple[NamedNumbers, str]:
    """Return the saves, keyed by ability, and the notes on them."""
    matches = list(_RE.save.finditer(text))
    figures = {markup.SAVES[match[1].lower()]: int(match[2]) for match in reversed(matches)}
    notes = [f"{match[1]} {match['note'].strip(' ()')}" for match in matches if match["note"]]
    rest = text[matches[-1].end() :].strip(" ;,") if matches else ""
    return tuple(reversed(figures.items())), "; ".join(filter(None, (*notes, rest)))


def _strike(part: _Part) -> SourceStrike:
    text, is_ranged = part.in_one_line(), part.name == "Ranged"
    return strikes.strike_in(_RE.penalties.sub("", text), ranged=is_ranged) or SourceStrike(
        text[:80], None, ranged=is_ranged
    )


def _ability(part: _Part) -> SourceAbility:
    traits, text = markup.traits_before(part.joined())
    return SourceAbility(part.name, part.cost, part.price, traits, text.strip())


def _spells(part: _Part) -> SourceSpells:
    head, _, rest = part.in_one_line().partition(";")
    dc, attack = markup.casting_numbers(head)
    ranks = tuple(rank.strip() for rank in rest.split(";") if rank.strip())
    note = "" if dc or attack is not None else head
    return SourceSpells(part.name, dc, attack, markup.tradition_in(part.name), ranks=ranks, note=note)


def _groups(parts: Sequence[_Part], creature: Creature) -> tuple[list[reading.LineGroup], dict[int, tuple[str, ...]]]:
    """Return the lines of each part with the index of its feature, and the feature names used in notes."""
    groups: list[reading.LineGroup] = []
    names: dict[int, tuple[str, ...]] = {}
    taken: set[int] = set()
    for part in parts:
        if part.field not in _FEATURES:
            groups.append(reading.LineGroup(tuple(part.numbers), _NOTED_AS.get(part.field, part.field)))
            continue
        name = strikes.name_of(_strike(part)) if part.field == "strike" else part.name[:200]
        at = next((at for at, feature in enumerate(creature.features) if at not in taken and feature.name == name), -1)
        groups.append(reading.LineGroup(tuple(part.numbers), "features" if at < 0 else "", at))
        if at >= 0:
            taken.add(at)
            names[at] = (f"Strike {name}", name)
    return groups, names
