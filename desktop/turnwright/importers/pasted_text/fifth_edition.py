"""Reads pasted stat blocks of the 5e family (2014, 2024 and A5E) with arbitrary line breaks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

import msgspec

from turnwright.importers.common import comma_parts, required_name
from turnwright.importers.pasted_text.reading import (
    LineGroup,
    PastedReading,
    TextLine,
    ends_sentence,
    joined_lines,
    marked_lines,
    stays_apart,
    unread_block,
)
from turnwright.importers.results import ODD_SHAPE
from turnwright.importers.stat_block import PrintedFeature, StatBlock, creature_of
from turnwright.importers.statblock_text.damage import TYPES
from turnwright.importers.statblock_text.features import ONLY_MYTHIC, read_feature_name
from turnwright.importers.statblock_text.header_lines import ABILITIES, legendary_count
from turnwright.storage.atomic import IdAllocator
from turnwright.storage.fights import ConversionReport, UnreadableError

_TYPES: Final = (
    "aberration|beast|celestial|construct|dragon|elemental|fey|fiend|giant|humanoid|monstrosity|ooze|plant|undead|swarm|object"
    "|vehicle|any|npc|shapechanger|monster|spirit|animal"
)
_SIZES: Final = "Tiny|Small|Medium|Large|Huge|Gargantuan|Titanic|Colossal"
_KIND = re.compile(
    rf"^(?P<kind>(?:{_SIZES})(?:\s+(?:or|to|and)\s+(?:{_SIZES}))?\s+(?:[a-z]+\s+){{0,3}}?(?:{_TYPES})\b.{{0,160}})$",
    re.IGNORECASE,
)
_ALIGNED = re.compile(
    rf"^(?:{_SIZES})\s+[A-Za-z' ()/,-]{{2,80}},\s*(?:any|unaligned|typically|lawful|neutral|chaotic|good|evil)\b.{{0,80}}$",
    re.IGNORECASE,
)
_RATED_NAME = re.compile(
    r"^(?P<name>.+?)[\s,(|]+(?:Challenge(?:\s+Rating)?|CR)\s*:?\s*(?P<rating>\d{1,2}(?:/\d{1,2})?)\)?\s*$",
    re.IGNORECASE,
)
_XP_AT_END = re.compile(r"(?:^|[\s,;|]+)(\d{1,3}(?:,\d{3})*)\s*XP\s*$", re.IGNORECASE)
_RATING_AT_END = re.compile(r"[\s,;|]+(?:Challenge(?:\s+Rating)?|CR)\s*:?\s*(\d{1,2}(?:/\d{1,2})?)\s*$", re.IGNORECASE)
_BOOK_AND_PAGE = re.compile(r"[A-Z][\w&:' -]{0,60}[\s,]+(?:p|pg|page)\.?\s?\d{1,4}")
_CAPTIONS: Final = (
    ("armor_class", r"Armou?r\s+Class|A\.?C\.?(?=\s*:?\s*\d)"),
    ("hit_points", r"Hit\s+Points?|H\.?P\.?(?=\s*:?\s*\d)"),
    ("speed", r"Speed(?=\s*:?\s*[\d(]|\s*:?\s*(?:walk|fly|swim|burrow|climb|\u2014|-)\b)"),
    ("initiative", r"Initiative(?=\s*:?\s*[+\-\d])"),
    ("saves", r"Sav(?:ing\s+Throws|es)(?=\s*:?\s*(?:Str|Dex|Con|Int|Wis|Cha|\u2014|-))"),
    ("skills", r"Skills"),
    ("vulnerabilities", r"(?:Damage\s+)?Vulnerabilit(?:ies|y)"),
    ("resistances", r"(?:Damage\s+)?Resistances?"),
    ("condition_immunities", r"Condition\s+Immunit(?:ies|y)"),
    ("immunities", r"Damage\s+Immunit(?:ies|y)"),
    ("mixed_immunities", r"Immunit(?:ies|y)"),
    ("senses", r"Senses"),
    ("languages", r"Languages"),
    ("rating", r"Challenge(?:\s+Rating)?(?=\s*:?\s*[\d\u00bc\u00bd\u215b\u2014-])|CR(?=\s*:?\s*\d)"),
    ("proficiency", r"Proficiency(?:\s+Bonus)?(?=\s*:?\s*\+?\d)"),
    ("maneuver_dc", r"Maneuver\s+DC(?=\s*:?\s*\d)"),
    ("gear", r"Gear|Equipment"),
    ("environments", r"Environments?|Habitats?|Terrain"),
)  # fmt: skip
_CAPTION = re.compile("|".join(rf"(?P<{field}>(?:{words}))" for field, words in _CAPTIONS))
_CAPTION_ANY_CASE = re.compile(_CAPTION.pattern, re.IGNORECASE)
_INSIDE = re.compile(rf"(?<![\w(])(?:{_CAPTION.pattern})\b")
_ABILITY_LINE = re.compile(r"^(?:str(?:ength)?|dex(?:terity)?|con(?:stitution)?|int(?:elligence)?|wis(?:dom)?|cha(?:risma)?)\b[\s:.,|]*(?=$|[\d(+-]|(?:str|dex|con|int|wis|cha|mod|save)\b)|^(?:mod(?:ifier)?\s+|save\s*){2,}$", re.IGNORECASE)  # fmt: skip
_MODIFIER_LINE = re.compile(r"^[\d\s()+\-,/|]*$|^(?:mod(?:ifier)?\s*|save\s*)+$", re.IGNORECASE)
_NAMED_SCORE = re.compile(
    r"\b(str|dex|con|int|wis|cha)(?:ength|terity|stitution|elligence|dom|risma)?\b[\s:.,|]*(\d{1,2})\b"
    r"(?:[\s|]*\(?\s*([+-]\s?\d{1,2})\b(?:\s*\))?)?(?:[\s|]+(?:save\s*)?([+-]\s?\d{1,2})\b)?",
    re.IGNORECASE,
)
_SCORE = re.compile(r"(?<![\d+-])(\d{1,2})\s*\(\s*[+-]?\s?\d{1,2}\s*\)")
_BARE = re.compile(r"(?<![\d+\-(])\d{1,2}(?!\d)")
_SECTIONS: Final = {
    "traits": "trait", "features": "trait", "special traits": "trait", "special abilities": "trait", "abilities": "trait",
    "passives": "trait", "actions": "action", "action": "action", "combat actions": "action", "bonus actions": "bonus", "bonus action": "bonus",
    "reactions": "reaction", "reaction": "reaction", "legendary actions": "legendary", "legendary action": "legendary",
    "mythic actions": "legendary", "epic actions": "legendary", "paragon actions": "legendary", "lair actions": "lair", "lair action": "lair",
    "regional effects": "text", "description": "text", "combat": "text", "tactics": "text", "lore": "text", "ecology": "text",
    "variants": "text", "variant": "text", "notes": "text", "legends and lore": "text", "encounters": "text", "names": "text",
    "elite recharge": "trait", "villain actions": "legendary",
}  # fmt: skip
_SMALL_CAPITALS = re.compile(r"\b([A-Z]) (?=[A-Z]{2,})")  # `A CTIONS`, as copied from PDFs
_NO_NAME = re.compile(
    r"^(?:(?:Melee|Ranged|Melee or Ranged|Ranged or Melee)?\s*(?:Weapon|Spell|Area)?\s*Attack(?: Roll)?s?|Hit|Miss|Hit or Miss|(?:First |Second |Third )?Failure"
    r"|Success|Trigger|Response|Effect|Requirements?|(?:Strength|Dexterity|Constitution|Intelligence|Wisdom|Charisma)(?: Saving Throw| Save)?(?: DC \d+)?|At will|Cantrips?.*|\d(?:st|nd|rd|th).*"
    r"|\d+/(?:day|rest|long rest).*|On a (?:hit|failure|success|failed save).*|Failure or Success|Note|Damage|\d.*)$",
    re.IGNORECASE,
)
_NAME_WORD = r"(?:[A-Z][\w'\u2019/!,&-]*|of|the|and|or|in|to|a|an|with|from|by|for|at|as|on|into|vs|but|\+?\d[\w/-]*|[a-z]{2,3}(?=\s+[A-Z]))"
_NAME = re.compile(rf"^(?P<name>(?:Variant:\s+)?[A-Z\"'][\w'\u2019/!,&-]*(?:\s+{_NAME_WORD}){{0,8}}(?:\s*\([^()]{{1,80}}\)){{0,3}})\s*(?P<end>[.!]|:(?=\s+(?:Melee|Ranged)))(?:\s+|$)(?P<text>.*)$")  # fmt: skip
_OPEN_NAME = re.compile(r"^[A-Z][\w', /-]{1,60}\([^()]{0,60}$")  # a name with brackets that continue in the next line
_CLOSES_NAME = re.compile(r"^[^()]{1,60}\)[.:]")
_STARTERS: Final = frozenset(
    {"If", "When", "While", "The", "On", "Each", "A", "An", "It", "This", "At", "As", "Until", "Hit", "Once", "Any"}
)
_EXPERTISE = re.compile(r"\s*\(\s*(\+?\d?d\d+)\s*\)")
_ANY_WEAPON = re.compile(
    r"\b(?:all\s+)?damage\s+from\s+non-?magical\s+(?:weapons?|attacks?)\b(?!\s*(?:that|,?\s*non))", re.IGNORECASE
)
_WEAPONS: Final = "; bludgeoning, piercing, and slashing from nonmagical weapons;"
_BLOODIED = re.compile(r"[;,]?\s*bloodied\s*:?\s*\d+", re.IGNORECASE)
_NUMBER = re.compile(r"[+-]?\s?\d+")
_CONDITION_WORDS: Final = frozenset({
    "blinded", "charmed", "deafened", "exhaustion", "exhausted", "frightened", "grappled", "incapacitated", "invisible", "paralyzed",
    "petrified", "poisoned", "prone", "restrained", "stunned", "unconscious", "fatigue", "fatigued", "rattled", "slowed", "confused",
    "doomed", "strife", "encumbered", "disease",
})  # fmt: skip


class _Part(msgspec.Struct):
    """A field of the head or a feature, while it is collected: line numbers, and texts without the caption or name."""

    field: str = ""
    name: str = ""
    cost: str = ""
    texts: list[str] = []
    numbers: list[int] = []

    def add(self, number: int, text: str) -> None:
        """Add a line."""
        self.numbers.append(number)
        if text:
            self.texts.append(text)

    def joined(self) -> str:
        """Return the text of all lines."""
        return joined_lines(self.texts)

    def is_open(self) -> bool:
        """Whether the next line must continue this part."""
        text = self.texts[-1] if self.texts else ""
        return not text or text[-1] in ",-(" or text.count("(") > text.count(")") or text.endswith((" and", " or"))


_FOLLOWING = re.compile(r"\bone of the following\b[^.:]{0,60}[.:](?:\s|$)")
_NEAR: Final = 3  # maximum lines between a name and the line with size and type
_SHORT: Final = 0.6  # fraction of the longest line's length; a shorter line ends its paragraph
_MARKED: Final = 2  # after this many marked-up feature names, unmarked lines don't begin a feature
_NO_MORE: Final = frozenset(
    {"rating", "proficiency", "armor_class", "hit_points", "initiative", "maneuver_dc", "abilities", "section"}
)
_NOTED_AS: Final = {
    "armor_class": "ac", "hit_points": "hp", "rating": "cr", "condition_immunities": "condition immunities", "kind": "size",
    "mixed_immunities": "immunities+condition immunities",
}  # fmt: skip


def is_kind_line(line: TextLine) -> bool:
    """Whether a line states size and type, as the line below a creature's name does."""
    text = line.text
    return len(text) < 200 and (_KIND.match(text) is not None or _ALIGNED.match(text) is not None)


def marks_found(lines: Sequence[TextLine]) -> int:
    """Return a score for the similarity of the lines to a 5e stat block."""
    captions = {match.lastgroup for line in lines if (match := _caption_of(line.text))}
    core = {"armor_class", "hit_points", "speed", "senses", "rating", "languages"}
    abilities = sum(1 for line in lines if _ABILITY_LINE.match(line.text))
    return 2 * len(captions & core) + (2 if any(is_kind_line(line) for line in lines) else 0) + min(abilities, 2)


def guessed_system(lines: Sequence[TextLine]) -> str:
    """Return the rule system of the 5e family that a stat block seems to belong to."""
    text = " ".join(line.text for line in lines[:80])
    return "a5e" if re.search(r"\bManeuver DC\b|\bbloodied \d|\bTitanic\b", text) else "dnd5e"


def read_block(lines: Sequence[TextLine], ids: IdAllocator, system: str) -> PastedReading:
    """Return the creature of one stat block, with a mark for each line."""
    gathered = _Gatherer(lines)
    gathered.run()
    name = gathered.name
    report = ConversionReport(name)
    try:
        block, groups, names = _block(required_name(name), gathered.parts, report)
        creature = creature_of(block, ids.allocate(block.name), report)
    except UnreadableError as error:
        return unread_block(lines, system, str(error), report.notes)
    except ODD_SHAPE as error:
        return unread_block(lines, system, f"unexpected data: {error}"[:400], report.notes)
    return PastedReading(system, creature, marked_lines(lines, groups, creature, report.notes, names), report.notes)


def _caption_of(text: str) -> re.Match[str] | None:
    return _CAPTION_ANY_CASE.match(text) if len(text) < 2_000 else None


class _Gatherer:
    """Collects the parts of one stat block line by line; `name` is the creature's name."""

    def __init__(self, lines: Sequence[TextLine]) -> None:
        self._lines = lines
        self.name = ""
        self.parts: list[_Part] = []
        self._part: _Part | None = None
        self._cost = "trait"
        self._in_head = True
        self._gap = True  # whether the previous line was blank or a heading
        self._lair_actions = 0
        lengths = sorted(len(line.text) for line in lines if line.text)
        self._width = _SHORT * lengths[-1 - len(lengths) // 10] if lengths else 0.0
        self._leads = 0  # number of marked-up feature names so far

    def run(self) -> None:
        """Collect all parts."""
        start = self._name_and_kind()
        joined = -1
        for at in range(start, len(self._lines)):
            line = self._lines[at]
            if at == joined:
                if self._part is not None:
                    self._part.numbers.append(line.number)
                continue
            if not line.text:
                self._gap = True
                continue
            if (
                _OPEN_NAME.match(line.text)
                and at + 1 < len(self._lines)
                and _CLOSES_NAME.match(self._lines[at + 1].text)
            ):
                joined = at + 1
                line = msgspec.structs.replace(line, text=f"{line.text} {self._lines[joined].text}")
            self._take(line)
            self._gap = False

    def _begin(self, number: int, text: str, field: str = "", name: str = "", cost: str = "") -> None:
        self._part = _Part(field, name, cost, [], [])
        self._part.add(number, text)
        self.parts.append(self._part)

    def _name_and_kind(self) -> int:
        """Read the name and the line with size and type, and return the index after them."""
        kinds = [at for at, line in enumerate(self._lines) if is_kind_line(line)]
        kind = kinds[0] if kinds else -1
        if len(kinds) > 1 and not any(line.text for line in self._lines[:kind]) and kinds[1] - kind <= _NEAR:
            kind = kinds[1]  # "Titanic Dragon Turtle" looks like size and type
        if kind < 0:
            kind = next((at for at, line in enumerate(self._lines) if _caption_of(line.text)), 0) - 1
        above = range(kind if kinds else kind + 1)
        named = next((at for at in reversed(above) if self._lines[at].heading), -1)
        before = [at for at in range(max(kind + 1, 0)) if self._lines[at].text and not is_kind_line(self._lines[at])]
        if named < 0 and len(before) > 1 and _BOOK_AND_PAGE.fullmatch(self._lines[before[-1]].text):
            line = self._lines[before.pop()]
            self._begin(line.number, line.text, "source")
        at = named if named >= 0 else before[-1] if before else -1
        if at >= 0:
            line = self._lines[at]
            text = line.text.strip(" .:")
            if rated := _RATED_NAME.match(text):
                text = rated["name"].strip(" ,|(-")
                self._begin(line.number, rated["rating"], "rating")
            self.name = _titled(text)[:200]
            self._begin(line.number, text, "name")
        if kind >= 0 and is_kind_line(self._lines[kind]):
            line = self._lines[kind]
            text = line.text
            if points := _XP_AT_END.search(text):
                text = text[: points.start()]
                self._begin(line.number, points[1], "xp")
            if rated := _RATING_AT_END.search(text):
                text = text[: rated.start()]
                self._begin(line.number, rated[1], "rating")
            self._begin(line.number, text, "kind")
        self._part = None
        return max(kind, at) + 1

    def _take(self, line: TextLine) -> None:
        section = _section_of(line)
        if section:
            if section[0] != "traits" or not self._in_head:
                self._in_head = False
            self._in_head = self._in_head and section[1] == "trait"
            self._cost = section[1]
            self._begin(line.number, "", "section")
            self._begin(
                line.number, section[2], "description" if section[1] == "text" else "preamble", section[0], section[1]
            )
            self._gap = True
            return
        if self._in_head and self._take_head(line):
            return
        if self._cost == "text":
            self._go_on(line)
            return
        begun = self._feature_at(line)
        if begun:
            self._in_head = False
            self._begin(line.number, begun[1], "feature", begun[0], self._cost)
        else:
            self._go_on(line)

    def _take_head(self, line: TextLine) -> bool:
        text = line.text
        is_scores = (
            self._part is not None and self._part.field == "abilities" and _MODIFIER_LINE.match(text) is not None
        )
        if _ABILITY_LINE.match(text) or is_scores:
            if self._part is not None and self._part.field == "abilities":
                self._part.add(line.number, text)
            else:
                self._begin(line.number, text, "abilities")
            return True
        if points := _XP_AT_END.fullmatch(text):
            self._begin(line.number, points[1], "xp")
            return True
        caption = _caption_of(text)
        if caption is None:
            return False
        field, at = caption.lastgroup or "", caption.end()
        for inner in _INSIDE.finditer(text, at):
            if inner.lastgroup == field or _within_brackets(text, inner.start()):
                continue
            self._begin(line.number, _value(text[at : inner.start()]), field)
            field, at = inner.lastgroup or "", inner.end()
        self._begin(line.number, _value(text[at:]), field)
        return True

    def _go_on(self, line: TextLine) -> None:
        part = self._part
        if part is None or (part.field in _NO_MORE and not (part.texts and part.is_open())):
            if part is not None and part.field not in _NO_MORE:
                part.add(line.number, line.text)
            return
        if part.cost == "lair" and line.bullet:
            self._lair_actions += 1
            self._begin(line.number, line.text, "feature", f"Lair Action {self._lair_actions}", "lair")
            return
        part.add(
            line.number,
            f"\N{BULLET} {line.text}"
            if line.bullet and part.field in ("feature", "preamble", "description")
            else line.text,
        )

    def _feature_at(self, line: TextLine) -> tuple[str, str] | None:
        """Return the name and first text of the feature that begins in a line, or None if none does."""
        if line.heading and not self._in_head:
            return line.text.rstrip(" .:"), ""
        text = line.text
        if line.lead and text.startswith(line.lead):
            name, rest = line.lead.rstrip(" "), text[len(line.lead) :]
            aside = re.match(r"\s*(\([^()]{1,80}\))\s*[.:]", rest)
            if aside and not name.endswith((".", ":")):
                name, rest = f"{name} {aside[1]}", rest[aside.end() :]
                ended = True
            else:
                ended = name.endswith((".", ":", "!", "?")) or rest.lstrip()[:1] in (".", ":") or not self._in_head
            bare = name.rstrip(" .:")
            if ended and bare and not _NO_NAME.match(bare) and len(bare) < 100 and bare[:1].isupper():
                self._leads += 1
                return bare, rest.lstrip(" .:")
        match = _NAME.match(text) if self._leads < _MARKED else None
        if match is None or self._is_choice(line, match["name"]):
            return None
        name = match["name"].strip()
        words = name.partition("(")[0].split()
        before = self._part.texts[-1] if self._part and self._part.texts else ""
        ended = self._gap or line.bullet or ends_sentence(before) or stays_apart(before) or len(before) < self._width
        if not ended or (self._part is not None and self._part.is_open() and before):
            return None
        if (
            _NO_NAME.match(name.partition("(")[0].strip())
            or len(words) > 9
            or (words[0] in _STARTERS and not _is_title(words))
        ):
            return None
        return name, match["text"]

    def _is_choice(self, line: TextLine, name: str) -> bool:
        """Whether a line is an option of the preceding feature, as after "one of the following breath weapons"."""
        part = self._part
        if part is None or part.field != "feature" or "following" not in (text := part.joined()):
            return False
        return bool(_FOLLOWING.search(text[:400])) and (
            line.bullet or name.rsplit(maxsplit=1)[-1].rstrip("s") in part.name
        )


def _is_title(words: Sequence[str]) -> bool:
    """Whether words form a title: several words, the last one capitalised."""
    return len(words) > 1 and words[-1][:1].isupper()


def _within_brackets(text: str, at: int) -> bool:
    return text.count("(", 0, at) > text.count(")", 0, at)


def _value(text: str) -> str:
    return re.sub(r"^[\s:.]+", "", text).strip(" |")


def _titled(text: str) -> str:
    """Return a name, with names in capitals changed to title case."""
    if not text.isupper() or len(text) < 4:
        return text
    small = {"of", "the", "and", "in", "to", "a"}
    return " ".join(
        word.lower() if at and word.lower() in small else word[:1] + word[1:].lower()
        for at, word in enumerate(text.split())
    )


def _section_of(line: TextLine) -> tuple[str, str, str] | None:
    """Return a section's title, the cost of its features and the rest of its heading, or None if the line isn't a heading."""
    text = line.text.strip(" .:")
    if len(text) > 60:
        return None
    title, bracket, rest = text.partition("(")
    title = _SMALL_CAPITALS.sub(r"\1", title).strip().lower()
    if title not in _SECTIONS or (line.bullet and not line.lead):
        return None
    if line.lead and line.lead.rstrip().endswith(".") and not line.heading:
        return None
    return title, _SECTIONS[title], f"({rest}" if bracket else ""


def _block(
    name: str, parts: Sequence[_Part], report: ConversionReport
) -> tuple[StatBlock, list[LineGroup], dict[int, tuple[str, ...]]]:
    """Return the stat block built from the collected parts, each part's lines, and the feature names used in notes."""
    fields: dict[str, str] = {}
    groups: list[LineGroup] = []
    features: list[PrintedFeature] = []
    names: dict[int, tuple[str, ...]] = {}
    descriptions: list[str] = []
    legendary, only = 0, ""
    for part in parts:
        text = part.joined()
        if part.field == "preamble":
            only = ONLY_MYTHIC if part.name == "mythic actions" else ""
            if not text:
                continue
            legendary = legendary or (_legendary(text) if part.cost == "legendary" else 0)
            part.field, part.name = "feature", part.name.title()
            part.cost = "trait"
        if part.field == "feature":
            names[len(features)] = (part.name, read_feature_name(part.name).name)
            groups.append(LineGroup(tuple(part.numbers), feature=len(features)))
            features.append(PrintedFeature(part.name, text, part.cost, only if part.cost == "legendary" else ""))
            continue
        if part.field == "description":
            descriptions.append(text)
        elif part.field in fields and part.field != "section":
            report.add_remark(part.field, text, "listed twice; the first is used")
        else:
            rows = part.texts if part.field == "abilities" else text.split("\n")
            fields[part.field] = " ".join(rows).strip(" ,;")
        groups.append(LineGroup(tuple(part.numbers), _NOTED_AS.get(part.field, part.field)))
    abilities, table_saves = _abilities(fields.get("abilities", ""))
    damage, conditions = _immunities(fields)
    rating = fields.get("rating", "")
    if fields.get("xp") and "XP" not in rating:
        rating = f"{rating} ({fields['xp']} XP)"
    bonus, maneuver = _NUMBER.search(fields.get("proficiency", "")), _NUMBER.search(fields.get("maneuver_dc", ""))
    initiative = _NUMBER.match(fields.get("initiative", ""))
    block = StatBlock(
        name,
        kind=fields.get("kind", ""),
        ac=fields.get("armor_class", ""),
        hp=_BLOODIED.sub("", fields.get("hit_points", "")).replace("()", "").strip(),
        speeds=fields.get("speed", ""),
        abilities=abilities,
        saves=fields.get("saves", "") or table_saves,
        skills=_skills(fields.get("skills", ""), report),
        vulnerabilities=fields.get("vulnerabilities", ""),
        resistances=_weapons(fields.get("resistances", "")),
        immunities=_weapons(damage),
        condition_immunities=conditions,
        senses=fields.get("senses", ""),
        languages=fields.get("languages", ""),
        challenge=rating,
        proficiency=int(bonus[0]) if bonus else 0,
        maneuver_dc=int(maneuver[0]) if maneuver else 0,
        initiative=int(initiative[0].replace(" ", "")) if initiative else None,
        features=tuple(features),
        legendary=legendary,
        environments=comma_parts(fields.get("environments", "")),
        gear=fields.get("gear", ""),
        description="\n\n".join(text for text in descriptions if text),
        program="Pasted text",
        source=fields.get("source"),
    )
    return block, groups, names


def _legendary(text: str) -> int:
    count = legendary_count(text)
    by_brackets = re.match(r"\((\d)\s*(?:/|per|a)", text)
    return count or (int(by_brackets[1]) if by_brackets else 0)


def _abilities(text: str) -> tuple[dict[str, int], str]:
    """Return the six ability scores of a table with cells in any order, and the saves of 2024 tables."""
    named: dict[str, int] = {}
    saves: list[str] = []
    for match in _NAMED_SCORE.finditer(text):
        ability, score = match[1].lower(), int(match[2])
        if ability in named:
            continue
        named[ability] = score
        if match[4] and int(match[4].replace(" ", "")) != (score - 10) // 2:
            saves.append(f"{ability} {int(match[4].replace(' ', '')):+d}")
    if len(named) == len(ABILITIES):
        return named, ", ".join(saves)
    order = [match[1].lower() for match in re.finditer(r"\b(str|dex|con|int|wis|cha)", text, re.IGNORECASE)]
    scores = [int(match[1]) for match in _SCORE.finditer(text)]
    if len(scores) < len(ABILITIES):
        scores = [int(match[0]) for match in _BARE.finditer(text)]
    if len(order) < len(ABILITIES) or len(scores) < len(ABILITIES):
        return {}, ""
    return dict(zip(order[:6], scores[:6], strict=True)), ""


def _immunities(fields: dict[str, str]) -> tuple[str, str]:
    """Return damage and condition immunities; 2024 stat blocks list both in one line."""
    damage, conditions = fields.get("immunities", ""), fields.get("condition_immunities", "")
    mixed = fields.get("mixed_immunities", "")
    if not mixed:
        return damage, conditions
    parts = [part.strip() for part in re.split(r"[;,]", mixed) if part.strip()]
    others = [part for part in parts if part.lower().removeprefix("and ") in _CONDITION_WORDS]
    kinds = [part for part in parts if part not in others]
    plain = all(part.lower().removeprefix("and ") in TYPES for part in kinds)
    rest = ", ".join(kinds) if plain else re.sub(r"[;,]\s*(?=$|;)", "", mixed if not others else "; ".join(kinds))
    return "; ".join(text for text in (damage, rest) if text), ", ".join(one for one in (conditions, *others) if one)


def _weapons(text: str) -> str:
    """Merge nonmagical weapons and their exceptions into a single clause of a damage type line."""
    return _ANY_WEAPON.sub(_WEAPONS, re.sub(r"(?i)(non-?magical),\s+(?=non-)", r"\1 ", text))


def _skills(text: str, report: ConversionReport) -> str:
    for match in _EXPERTISE.finditer(text):
        name = text[: match.start()].rpartition(",")[2].strip()
        report.add_remark("skills", f"{name} ({match[1]})")
    return _EXPERTISE.sub("", text)
