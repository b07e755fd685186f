"""Reads pasted stat blocks of Pathfinder 2e from books, web pages and notes, with arbitrary line breaks."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import Final

import msgspec

from turnwright.encounter.prepared import Creature, NamedNumbers
from turnwright.importers.common import required_name
from turnwright.importers.fields import hit_points, number_and_note
from turnwright.importers.pasted_text.reading import (
    LineGroup,
    PastedReading,
    TextLine,
    ends_sentence,
    joined_lines,
    marked_lines,
    unread_block,
)
from turnwright.importers.pf2e.creatures import creature_of
from turnwright.importers.pf2e.damage import parts_of
from turnwright.importers.pf2e.foundry_actors import split_list
from turnwright.importers.pf2e.hazards import DC_BASE
from turnwright.importers.pf2e.stat_block import (
    SourceAbility,
    SourceNumber,
    SourceSpells,
    SourceStatBlock,
    SourceStrike,
)
from turnwright.importers.pf2e.terms import SAVES, SIZES
from turnwright.importers.results import ODD_SHAPE
from turnwright.importers.statblock_text.header_lines import ABILITIES
from turnwright.storage.conversion_report import ConversionReport, UnreadableError
from turnwright.storage.ids import IdAllocator

SYSTEM: Final = "pf2e"
_TITLE = re.compile(
    r"^(?P<name>.*?)[\s,;:|\-]*\b(?P<kind>Creature|Hazard|CREATURE|HAZARD)\s*(?P<level>[-+]?\s?\d{1,2})\s*$"
)
_FIELDS: Final = (
    ("perception", r"Perception\s*:?\s*(?=[+-]?\d)"),
    ("languages", r"Languages\b\s*:?\s*"),
    ("skills", r"Skills\b\s*:?\s*"),
    ("abilities", r"(?=Str(?:ength)?\s*:?\s*[+-]?\d)"),
    ("items", r"Items\b\s*:?\s*"),
    ("defences", r"(?=AC\s*:?\s*\d)"),
    ("saves", r"(?=Fort(?:itude)?\s*:?\s*[+-]\d)"),
    ("health", r"HP\s*:?\s*(?=\d)|(?=Hardness\s*:?\s*\d+\b.*\bHP\s*:?\s*\d)"),
    ("speed", r"Speeds?\s*:?\s*(?=\d|[a-z]+ \d)"),
    ("immunities", r"Immunities\b\s*:?\s*"),
    ("weaknesses", r"Weaknesses\b\s*:?\s*"),
    ("resistances", r"Resistances\b\s*:?\s*"),
    ("source", r"Source\b\s*:?\s*"),
    ("stealth", r"Stealth\s+(?=(?:DC|\+)\s*\d)"),
)  # fmt: skip
_FIELD = re.compile("|".join(rf"(?P<{field}>{words})" for field, words in _FIELDS))
_STRIKE = re.compile(
    r"^(?P<how>Melee|Ranged)\s*(?P<glyph>\[[^\[\]]{1,20}\]|:a{1,3}:|[\u25c6\u25c7\u2b3b\u2b3a\u2b3d]+|:)?\s*(?P<rest>.*?[+-]\d.*)$"
)
_SPELLS = re.compile(
    r"^(?P<name>[A-Z][\w' ]{2,60}?(?:Spells?|Rituals?|Focus Spells))\b[\s:,]*(?P<rest>(?:DC|attack|\+|\d).*)$"
)
_GLYPHS: Final = (
    (r"\[(?:one-action|1-action|single action|one action|action|1)\]|\u25c6(?!\u25c6)|\u2b3b|\(1 action\)|:a:|(?<=\s)>(?=\s)", "action", 1),
    (r"\[(?:two-actions?|2-actions?|two actions|2)\]|\u25c6\u25c6(?!\u25c6)|\u2b3a|\(2 actions\)|:aa:|(?<=\s)>>(?=\s)", "action", 2),
    (r"\[(?:three-actions?|3-actions?|three actions|3)\]|\u25c6\u25c6\u25c6|\u2b3d|\(3 actions\)|:aaa:|(?<=\s)>>>(?=\s)", "action", 3),
    (r"\[reaction\]|\u2b32|\u27f3|\u293e|\u21ba|\(reaction\)|:r:", "reaction", 1),
    (r"\[(?:free-action|free action|free)\]|\u25c7|\u2b53|\(free action\)|:f:", "free", 1),
)  # fmt: skip
_GLYPH = re.compile(
    "|".join(f"(?P<g{at}>{pattern})" for at, (pattern, _cost, _price) in enumerate(_GLYPHS)), re.IGNORECASE
)
_LABELS: Final = (
    "Trigger|Requirements?|Effect|Frequency|Critical Success|Critical Failure|Success|Failure|Saving Throw|Maximum Duration|Onset"
    "|Stage \\d|Special|Prerequisites?|Cost"
)
_SHORT_END = re.compile(
    r"\b(?:DC|Rupture) \d{1,3}$"
)  # the end of an ability that the rules describe: `2d8+9 bludgeoning, DC 26`
_WITH_TRAITS = re.compile(r"[A-Z][\w' -]{2,60} \([a-z][a-z ,'-]*\)\s+[A-Z]")  # `Mire Fever (disease) Saving Throw`
_LABEL = re.compile(rf"^(?:{_LABELS})\b")
_TITLED = re.compile(r"[A-Z][\w'\u2019/!?-]*$")
_SMALL: Final = frozenset({"of", "the", "and", "to", "in", "for", "from", "with", "a", "on"})
_STARTERS: Final = frozenset({
    "The", "A", "An", "If", "When", "While", "Any", "Each", "On", "As", "This", "At", "Until", "Whenever", "Creature", "Creatures", "Damage", "DC",
    "It", "Its", "Trigger", "Requirement", "Requirements", "Effect", "Frequency", "Critical", "Saving", "Maximum", "Once", "All", "In", "Like",
})  # fmt: skip
_SKILL = re.compile(r"(?P<name>[A-Z][\w' -]*?|Lore[\w' :-]*)\s*:?\s*\+?(?P<bonus>-?\d{1,3})\b\s*(?P<note>\([^)]*\))?")
_HIDDEN = re.compile(r"\s*(?:\+(?P<bonus>\d{1,2})|DC\s*(?P<dc>\d{1,2}))\b(?P<note>.*)", re.DOTALL)
_ABILITY = re.compile(r"\b(Str|Dex|Con|Int|Wis|Cha)\w*\s*:?\s*([+-]?\s?\d{1,2})\b", re.IGNORECASE)
_SAVE = re.compile(r"\b(Fort|Ref|Will)(?:itude|lex)?\s*:?\s*\+?(-?\d{1,3})\b(?P<note>\s*\([^)]*\))?")
_CLAUSE = re.compile(
    r"\b(Immunities|Resistances|Weaknesses|Hardness)\b\s*:?\s*((?:(?!\b(?:Immunities|Resistances|Weaknesses|Hardness)\b)[^;])*)"
)
_AMOUNT = re.compile(r"(.*?)\s+(\d{1,3})\b\s*(\([^)]*\)|[^()]*)?", re.DOTALL)
_SPEED = re.compile(r"(?:([a-z]+)\s+)?(?:Speed\s+)?(\d{1,4})\s*(?:feet|ft\.?)?\s*(\([^)]*\))?", re.IGNORECASE)
_PENALTIES = re.compile(r"\[\s*[+-]\d{1,3}\s*/\s*[+-]\d{1,3}\s*\]")
_BONUS = re.compile(r"\s*([+-]\s?\d{1,3})\b")
_PART = re.compile(r"(?P<formula>\d*d\d+(?:\s*[+-]\s*\d+)?|\d+)\s+(?P<type>.+)", re.DOTALL)
_NUMBER = re.compile(r"DC\s*(\d{1,2})|attack\s*\+?(\d{1,2})|\+(\d{1,2})")
_ALIGNMENTS: Final = {"LG", "NG", "CG", "LN", "N", "CN", "LE", "NE", "CE"}
_RARITIES: Final = {"common", "uncommon", "rare", "unique"}
_BESIDE: Final = re.compile(
    r"^(?:Recall Knowledge|Unspecific Lore|Specific Lore|Legacy|Elite|Normal|Weak|Proficiency without|View|PFS|Remaster|Related|Share|Archives|\d+d\d+)", re.IGNORECASE
)  # fmt: skip
_LISTS: Final = frozenset(
    {"perception", "languages", "skills", "abilities", "items", "traits", "beside", "source", "name"}
)
_DEFENCES: Final = frozenset({"immunities", "weaknesses", "resistances"})
_PROSE: Final = 5  # a line with at least this many words is prose, not the rest of a list
_NOTED_AS: Final = {"health": "hp+immunities+resistances+vulnerabilities", "defences": "ac+saves", "speed": "speeds", "perception": "senses", "weaknesses": "vulnerabilities"}  # fmt: skip


class _Part(msgspec.Struct):
    """A field of the head, a Strike, a list of spells or an ability, with its lines."""

    field: str
    name: str = ""
    cost: str = "trait"
    price: int = 1
    texts: list[str] = []
    numbers: list[int] = []

    def joined(self) -> str:
        """Return the text of all lines."""
        return joined_lines([text for text in self.texts if text])


def marks_found(lines: Sequence[TextLine]) -> int:
    """Return a score for the similarity of the lines to a Pathfinder 2e stat block."""
    text = "\n".join(line.text for line in lines)
    score = 4 * any(_TITLE.match(line.text) for line in lines)
    for pattern in (
        r"(?m)^Perception\s*:?\s*[+-]?\d",
        r"\bFort\w*\s*:?\s*\+?-?\d+,?\s*Ref",
        r"(?m)^(?:Hardness\s*:?\s*\d+;\s*)?HP\s*:?\s*\d",
        r"(?m)^(?:Melee|Ranged)\b.*,\s*Damage\b",
        r"(?m)^Str\s*:?\s*[+-]\d",
        r"(?m)^Stealth\s+(?:DC\s*|\+)\d",
        r"(?m)^Disable\b.*\bDC\s*\d",
    ):
        score += 3 * bool(re.search(pattern, text))
    return score


def is_title(line: TextLine) -> bool:
    """Whether a line contains a creature's name and level."""
    return len(line.text) < 120 and _TITLE.match(line.text) is not None


def read_block(lines: Sequence[TextLine], ids: IdAllocator) -> PastedReading:
    """Return the creature of one stat block, with a mark for each line."""
    parts = list(_gathered(lines))
    name = next((part.name for part in parts if part.field == "name"), "")
    report = ConversionReport(name)
    try:
        block = _block(required_name(name), parts, report)
        creature = creature_of(block, ids.allocate(block.name), report)
    except UnreadableError as error:
        return unread_block(lines, SYSTEM, str(error), report.notes)
    except ODD_SHAPE as error:
        return unread_block(lines, SYSTEM, f"unexpected data: {error}"[:400], report.notes)
    groups, names = _groups(parts, creature)
    groups.append(LineGroup(tuple(line.number for line in lines if is_title(line))[:1], "name"))
    without = [msgspec.structs.replace(line, text=_PENALTIES.sub("", line.text)) for line in lines]
    return PastedReading(SYSTEM, creature, marked_lines(without, groups, creature, report.notes, names), report.notes)


def _gathered(lines: Sequence[TextLine]) -> Iterator[_Part]:
    """Yield the parts of a stat block in order."""
    part: _Part | None = None
    seen: set[str] = set()
    gap = True
    for line in _titled(lines):
        if not line.text:
            gap = True
            continue
        begun = _begun(line, part, seen, gap)
        if begun is not None:
            if part is not None:
                yield part
            part = begun
            seen.add(begun.field)
        elif part is not None:
            part.texts.append(f"\N{BULLET} {line.text}" if line.bullet else line.text)
            part.numbers.append(line.number)
        gap = False
    if part is not None:
        yield part


def _titled(lines: Sequence[TextLine]) -> Iterator[TextLine]:
    """Yield the lines. If the name is above the line with the level, the two are joined."""
    previous: TextLine | None = None
    done = False
    for line in lines:
        if done:
            yield line
        elif is_title(line):
            title = _TITLE.match(line.text)
            done = True
            if title and not title["name"].strip() and previous:
                yield msgspec.structs.replace(previous, text=f"{previous.text} {line.text}")
            else:
                yield line
        elif line.text:
            previous = line
    if not done:
        yield from lines


def _begun(line: TextLine, part: _Part | None, seen: set[str], gap: bool) -> _Part | None:
    """Return the part that begins in a line, or None if the line continues the current part."""
    text, number = line.text, line.number
    title = _TITLE.match(text) if "name" not in seen else None
    if title:
        return _Part("name", " ".join(title["name"].split()).title() if title["name"].isupper() else title["name"].strip(), texts=[f"{title['kind'].title()} {title['level'].replace(' ', '')}"], numbers=[number])  # fmt: skip
    if "name" not in seen:
        return _Part("name", text, texts=[""], numbers=[number]) if not seen else None
    field = _FIELD.match(text)
    group = field.lastgroup if field else ""
    if group in _DEFENCES and part is not None and part.field == "health":
        return None
    if field and group not in seen and not (group == "stealth" and "perception" in seen):
        return _Part(field.lastgroup or "", texts=[text[field.end() :]], numbers=[number])
    if "perception" not in seen and "stealth" not in seen and "defences" not in seen:
        beside = _BESIDE.match(text) is not None
        return _Part("beside" if beside else "traits", texts=[text], numbers=[number])
    if strike := _STRIKE.match(text):
        return _Part("strike", strike["how"], texts=[strike["rest"]], numbers=[number])
    spells = _SPELLS.match(text)
    if spells:
        return _Part("spells", spells["name"], texts=[spells["rest"]], numbers=[number])
    return _ability_begun(line, part, seen, gap)


def _ability_begun(line: TextLine, part: _Part | None, seen: Collection[str], gap: bool) -> _Part | None:
    text = line.text
    if _LABEL.match(text):
        return None
    glyph = _GLYPH.search(text[:90])
    before = part.texts[-1] if part and part.texts else ""
    if glyph:
        name = text[: glyph.start()].strip(" .:")
        if name and name[:1].isupper() and len(name.split()) <= 8 and "." not in name:
            _pattern, cost, price = _GLYPHS[int((glyph.lastgroup or "g0")[1:])]
            return _Part("ability", name, cost, price, [text[glyph.end() :].strip()], [line.number])
    if line.lead and text.startswith(line.lead) and line.lead[:1].isupper():
        return _Part(
            "ability", line.lead.rstrip(" .:"), texts=[text[len(line.lead) :].lstrip(" .:")], numbers=[line.number]
        )
    before_part = part.field if part else ""
    if (
        before_part in _LISTS
        and not gap
        and ("abilities" not in seen or before.endswith(",") or len(text.split()) < _PROSE)
    ):
        return None
    ended = gap or not before or ends_sentence(before) or before_part not in ("ability", "spells")
    if not (ended or _SHORT_END.search(before) or _WITH_TRAITS.match(text)) or before.endswith((",", ";")):
        return None
    name, rest = _plain_name(text)
    return _Part("ability", name, texts=[rest.lstrip(" .:")], numbers=[line.number]) if name else None


def _plain_name(text: str) -> tuple[str, str]:
    """Split the line of an ability into the unmarked name, which may be empty, and the rest."""
    words = text.split(" ")
    at = 0
    while at < min(len(words), 9) and (_TITLED.match(words[at]) or (at and words[at] in _SMALL)):
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


def _block(name: str, parts: Sequence[_Part], report: ConversionReport) -> SourceStatBlock:
    fields: dict[str, str] = {}
    for part in parts:
        if part.field not in ("strike", "spells", "ability"):
            fields[part.field] = " ".join(
                [*([fields[part.field]] if part.field in fields else []), " ".join(part.joined().split("\n"))]
            )
    kind, _, level = fields.get("name", "").partition(" ")
    defences = f"{fields.get('defences', '')}; {fields.get('saves', '')}"
    armour = re.search(r"AC\s*:?\s*(\d{1,3})\b([^;]*)", defences)
    if armour is None and (kind != "Hazard" or fields.get("health")):
        report.add_note("ac", "", "missing; set to 0")
    health = fields.get("health", "")
    points = re.search(r"\bHP\s*:?\s*(?=\d)", health)  # a hazard's Hardness comes before its hit points
    is_hazard = kind == "Hazard"
    hp, note = (
        (0, "")
        if is_hazard and not health
        else hit_points((health[points.end() :] if points else health).partition(";")[0], least=0)
    )
    clauses = {match[1].lower(): match[2].strip() for match in _CLAUSE.finditer(health)}
    hardness = clauses.get("hardness", "")
    report.add_remark("hp", ", ".join(part for part in (note, f"hardness {hardness}" if hardness else "") if part))
    after = re.sub(r"\b(?:Immunities|Resistances|Weaknesses|Hardness|HP)\b[^;]*;?", "", health.partition(";")[2]).strip(
        " ;"
    )
    report.add_remark("hp", after)
    saves, words = _saves(defences)
    report.add_remark("saves", words)
    perception, senses = number_and_note(fields.get("perception", ""))
    traits, size, rarity, alignment = _traits(fields.get("traits", ""))
    for key in ("immunities", "resistances", "weaknesses"):
        clauses.setdefault(key, fields.get(key, ""))
    return SourceStatBlock(
        name,
        _level(level),
        size=size,
        rarity=rarity,
        kind=kind.lower(),
        traits=traits,
        alignment=alignment,
        ac=int(armour[1]) if armour else 0,
        ac_note=armour[2].strip(" ,()") if armour and "Fort" not in armour[2] else "",
        hp=hp,
        abilities=_modifiers(fields.get("abilities", "")),
        saves=saves,
        perception=perception,
        skills=(*_skills(fields.get("skills", "")), *_stealth(fields.get("stealth", ""), report)),
        senses=tuple(split_list(senses.lstrip("; "))),
        languages=tuple(split_list(fields.get("languages", ""))),
        speeds=tuple(_numbers(fields.get("speed", ""), _SPEED, "land")),
        immunities=tuple(split_list(clauses["immunities"])),
        resistances=tuple(_numbers(clauses["resistances"], _AMOUNT)),
        weaknesses=tuple(_numbers(clauses["weaknesses"], _AMOUNT)),
        strikes=tuple(_strike(part) for part in parts if part.field == "strike"),
        actions=tuple(_ability(part) for part in parts if part.field == "ability"),
        spells=tuple(_spells(part) for part in parts if part.field == "spells"),
        items=tuple(split_list(fields.get("items", ""))),
        hazard=is_hazard,
        pools=tuple(("action", part.price) for part in parts if (part.name, part.cost) == ("Routine", "action"))[:1]
        if is_hazard
        else (),
        description=fields.get("beside", ""),
        source=f"Pasted text: {fields['source']}" if fields.get("source") else "Pasted text",
    )


def _level(text: str) -> int | None:
    return int(text) if re.fullmatch(r"[+-]?\d{1,2}", text) else None


def _traits(text: str) -> tuple[tuple[str, ...], str, str, str]:
    """Return the traits, size, rarity and alignment in the lines below a name."""
    words = [word for word in re.split(r"[\s,\[\]|]+", text) if word]
    size = next((word for word in words if word.lower() in SIZES), "")
    rarity = next((word for word in words if word.lower() in _RARITIES), "")
    alignment = next((word for word in words if word.upper() in _ALIGNMENTS), "")
    rest = tuple(word.lower() for word in words if word not in (size, rarity, alignment))
    return rest, size, rarity, alignment


def _modifiers(text: str) -> NamedNumbers:
    modifiers = {match[1].lower(): int(match[2].replace(" ", "")) for match in _ABILITY.finditer(text)}
    return tuple((ability, modifiers[ability]) for ability in ABILITIES if ability in modifiers)


def _saves(text: str) -> tuple[NamedNumbers, str]:
    """Return the saves, keyed by ability, and the notes on them."""
    figures: dict[str, int] = {}
    notes: list[str] = []
    end = 0
    for match in _SAVE.finditer(text):
        figures.setdefault(SAVES[match[1].lower()], int(match[2]))
        notes += [f"{match[1]} {match['note'].strip(' ()')}"] if match["note"] else []
        end = match.end()
    rest = text[end:].strip(" ;,") if end else ""
    return tuple(figures.items()), "; ".join([*notes, *([rest] if rest else [])])


def _skills(text: str) -> Iterator[SourceNumber]:
    for part in split_list(text):
        if match := _SKILL.match(part):
            yield SourceNumber(match["name"].strip(), int(match["bonus"]), (match["note"] or "").strip("()"))


def _stealth(text: str, report: ConversionReport) -> Iterator[SourceNumber]:
    """Yield the Stealth of a hazard, which states either a bonus or a DC."""
    if match := _HIDDEN.match(text):
        report.add_remark("stealth", text if match["note"].strip() else "")
        yield SourceNumber("stealth", int(match["bonus"]) if match["bonus"] else int(match["dc"]) - DC_BASE)


def _numbers(text: str, pattern: re.Pattern[str], usual: str = "") -> Iterator[SourceNumber]:
    """Yield each part of a line with its number. A number without a name gets the name `usual`."""
    for part in split_list(text.replace(";", ",")):
        if match := pattern.fullmatch(part[:500]):
            yield SourceNumber(match[1] or usual, int(match[2]), (match[3] or "").strip("() "))
        elif part:
            yield SourceNumber(part, None)


def _strike(part: _Part) -> SourceStrike:
    text = " ".join(part.joined().split("\n"))
    bonus = next((match for match in _BONUS.finditer(text) if "(" not in text[: match.start()]), None)
    name = text[: bonus.start()].strip(" ,:") if bonus else text[:80]
    rest = _PENALTIES.sub("", text[bonus.end() :] if bonus else "")
    head, _, damage = rest.partition("Damage")
    if not damage and "Effect" in rest:
        head, _, damage = rest.partition("Effect")
    brackets = re.search(r"\(([^()]*)\)", head)
    traits = tuple(" ".join(trait.split()) for trait in split_list(brackets[1])) if brackets else ()
    parts, riders = parts_of(_damage(damage))
    label = f"{name[:1].upper()}{name[1:]}" or "Strike"
    return SourceStrike(
        label[:200], int(bonus[1].replace(" ", "")) if bonus else None, traits, parts, riders, part.name == "Ranged"
    )


def _damage(text: str) -> Iterator[tuple[str, str, str]]:
    for part in re.split(r"\bplus\b|\band\b(?=\s+\d)|,(?=\s*\d*d\d)", text.strip(" ,;:.")):
        match = _PART.fullmatch(part.strip(" ,;."))
        if match:
            yield "".join(match["formula"].split()), " ".join(match["type"].split()), ""
        elif part.strip(" ,;."):
            yield "", " ".join(part.split()).strip(" ,;."), ""


def _ability(part: _Part) -> SourceAbility:
    text = part.joined()
    traits: tuple[str, ...] = ()
    brackets = re.match(r"\(([^()]{1,200})\)\s*", text)
    if brackets and re.fullmatch(r"[\w\s,'-]+", brackets[1]) and not re.search(r"\d", brackets[1]):
        traits = tuple(split_list(brackets[1]))
        text = text[brackets.end() :]
    return SourceAbility(part.name[:200] or "Ability", part.cost, part.price, traits, text.strip())


def _spells(part: _Part) -> SourceSpells:
    text = " ".join(part.joined().split("\n"))
    head, _, rest = text.partition(";")
    dc = next((int(match[1]) for match in _NUMBER.finditer(head) if match[1]), 0)
    attack = next((int(match[2] or match[3]) for match in _NUMBER.finditer(head) if match[2] or match[3]), None)
    tradition = next((word for word in ("arcane", "divine", "occult", "primal") if word in part.name.lower()), "")
    ranks = tuple(rank.strip() for rank in rest.split(";") if rank.strip())
    note = "" if dc or attack is not None else head
    return SourceSpells(part.name, dc, attack, tradition, ranks=ranks, note=note)


def _groups(parts: Sequence[_Part], creature: Creature) -> tuple[list[LineGroup], dict[int, tuple[str, ...]]]:
    """Return the lines of each part with the index of its feature, and the feature names used in notes."""
    groups: list[LineGroup] = []
    names: dict[int, tuple[str, ...]] = {}
    taken: set[int] = set()
    for part in parts:
        if part.field not in ("strike", "spells", "ability"):
            groups.append(LineGroup(tuple(part.numbers), _NOTED_AS.get(part.field, part.field)))
            continue
        name = _strike(part).name if part.field == "strike" else part.name[:200]
        at = next((at for at, feature in enumerate(creature.features) if at not in taken and feature.name == name), -1)
        if at < 0:
            groups.append(LineGroup(tuple(part.numbers), "features"))
            continue
        taken.add(at)
        names[at] = (f"Strike {name}", name)
        groups.append(LineGroup(tuple(part.numbers), feature=at))
    return groups, names
