"""Reads pasted stat blocks of the 5e family (2014, 2024 and A5E) with arbitrary line breaks."""

import re
from collections.abc import Mapping, Sequence
from typing import Final

import msgspec
from msgspec.structs import replace

from turnwright.encounter.prepared import Creature
from turnwright.importers import common, results, stat_block, vocabulary
from turnwright.importers.pasted_text import languages, reading
from turnwright.importers.statblock_text.damage import TYPES
from turnwright.importers.statblock_text.features import ONLY_MYTHIC, read_feature_name
from turnwright.importers.statblock_text.header_lines import ABILITIES, legendary_count
from turnwright.storage import atomic, fights

_RE: Final = vocabulary.Patterns("pasted_text_fifth_edition")
_CAPTIONS: Final[tuple[tuple[str, str], ...]] = tuple(vocabulary.terms("pasted_text_fifth_edition", "captions").items())
_CAPTION = re.compile("|".join(rf"(?P<{field}>(?:{words}))" for field, words in _CAPTIONS))
_CAPTION_ANY_CASE = re.compile(_CAPTION.pattern, re.IGNORECASE)
_INSIDE = re.compile(rf"(?<![\w(])(?:{_CAPTION.pattern})\b")
_SECTIONS: Final[Mapping[str, str]] = vocabulary.terms("pasted_text_fifth_edition", "sections")
_WEAPONS: Final = "; bludgeoning, piercing, and slashing from nonmagical weapons;"
_FOOTER: Final = vocabulary.pattern("pasted_text", "footer")
_CONDITION_WORDS: Final[frozenset[str]] = frozenset(vocabulary.terms("pasted_text_fifth_edition", "condition_words"))


class _Part(msgspec.Struct):
    """A field of the head or a feature, while it is collected: line numbers, and texts without the caption or name."""

    field: str = ""
    name: str = ""
    cost: str = ""
    texts: list[str] = []
    numbers: list[int] = []
    own: list[str] = []
    own_name: str = ""
    is_listed: bool = False  # whether it begins with a bullet
    language: str = ""

    def add(self, number: int, text: str, own: str = "") -> None:
        """Add a line. `own` is its text before it was changed to English."""
        self.numbers.append(number)
        if text:
            self.texts.append(text)
        if own:
            self.own.append(own)

    def joined(self) -> str:
        """Return the text of all lines, in English."""
        return (
            languages.in_english(reading.joined_lines(self.own), self.language)
            if self.own
            else reading.joined_lines(self.texts)
        )

    def is_open(self) -> bool:
        """Whether the next line must continue this part."""
        text = self.texts[-1] if self.texts else ""
        return not text or text[-1] in ",-(" or text.count("(") > text.count(")") or bool(_RE.goes_on.search(text))


_NEAR: Final = 3  # maximum lines between a name and the line with size and type
_SHORT: Final = 0.6  # fraction of the longest line's length; a shorter line ends its paragraph
_MARKED: Final = 2  # after this many marked-up feature names, unmarked lines don't begin a feature
_NO_MORE: Final[frozenset[str]] = frozenset(vocabulary.terms("pasted_text_fifth_edition", "no_more"))
_NOTED_AS: Final[Mapping[str, str]] = vocabulary.terms("pasted_text_fifth_edition", "noted_as")


def is_kind_line(line: reading.TextLine) -> bool:
    """Whether a line states size and type, as the line below a creature's name does."""
    text = line.text
    return len(text) < 200 and (_RE.kind.match(text) is not None or _RE.aligned.match(text) is not None)


def name_line(lines: Sequence[reading.TextLine], kind: int, first: int = 0) -> int:
    """Return the index of the name above a line with size and type, or `kind` if there is none.

    Lines between them may state the habitat, the challenge or the experience points.
    """
    above = [at for at in range(first, kind) if lines[at].text]
    heading = next((at for at in reversed(above) if lines[at].heading), None)
    if heading is not None:
        return heading
    while len(above) > 1 and _is_beside_name(lines[above[-1]].text):
        above.pop()
    while len(above) > 1 and _RE.broken_name.search(f"{lines[above[-2]].text}\n{lines[above[-1]].text}"):
        above.pop()
    return above[-1] if above else kind


def _is_beside_name(text: str) -> bool:
    caption = _caption_of(text)
    is_value = caption is not None and (caption.lastgroup in ("environments", "rating") or re.search(r"[:\d]", text))
    return bool(is_value or _RE.xp_at_end.fullmatch(text) or _RE.book_and_page.fullmatch(text))


def marks_found(lines: Sequence[reading.TextLine]) -> int:
    """Return a score for the similarity of the lines to a 5e stat block."""
    captions = {match.lastgroup for line in lines if (match := _caption_of(line.text))}
    core = {"armor_class", "hit_points", "speed", "senses", "rating", "languages", "capacity"}
    abilities = sum(1 for line in lines if _RE.ability_line.match(line.text))
    return 2 * len(captions & core) + (2 if any(is_kind_line(line) for line in lines) else 0) + min(abilities, 2)


def guessed_system(lines: Sequence[reading.TextLine]) -> str:
    """Return the rule system of the 5e family that a stat block seems to belong to."""
    text = " ".join(line.text for line in lines[:80])
    return "a5e" if re.search(r"\bManeuver DC\b|\bbloodied \d|\bTitanic\b|(?i:\bElite Challenge\b)", text) else "dnd5e"


def read_block(lines: Sequence[reading.TextLine], ids: atomic.IdAllocator, system: str) -> reading.PastedReading:
    """Return the creature of one stat block, with a mark for each line."""
    gathered = _Gatherer(lines)
    gathered.run()
    name = gathered.name
    report = fights.ConversionReport(name)
    try:
        block, groups, names = _block(common.required_name(name), gathered.parts, report)
        creature = _in_own_words(stat_block.creature_of(block, ids.allocate(block.name), report), gathered.parts)
    except fights.UnreadableError as error:
        return reading.unread_block(lines, system, str(error), report.notes)
    except results.ODD_SHAPE as error:
        return reading.unread_block(lines, system, f"unexpected data: {error}"[:400], report.notes)
    return reading.PastedReading(
        system, creature, reading.marked_lines(lines, groups, creature, report.notes, names), report.notes
    )


def _in_own_words(creature: Creature, parts: Sequence[_Part]) -> Creature:
    """Return a creature whose features have the names and texts of a source that isn't in English."""
    printed = [part for part in parts if part.field == "feature"]
    if not any(part.own for part in printed) or len(printed) != len(creature.features):
        return creature
    features = tuple(
        replace(feature, name=_own_name(part, feature.name), text=reading.joined_lines(part.own))
        if part.own
        else feature
        for feature, part in zip(creature.features, printed, strict=True)
    )
    return replace(creature, features=features)


def _own_name(part: _Part, name: str) -> str:
    return part.own_name if "(" in name else part.own_name.partition("(")[0].strip() or name


def _caption_of(text: str) -> re.Match[str] | None:
    return _CAPTION_ANY_CASE.match(text) if len(text) < 2_000 else None


def _is_figure(text: str) -> bool:
    """Return whether a line contains numbers of the stat block, such as Armor Class or ability scores."""
    return bool(_caption_of(text) or _RE.ability_line.match(text))


class _Gatherer:
    """Collects the parts of one stat block line by line; `name` is the creature's name."""

    def __init__(self, lines: Sequence[reading.TextLine]) -> None:
        self._lines = lines
        self.name = ""
        self.parts: list[_Part] = []
        self._part: _Part | None = None
        self._cost = "trait"
        self._in_head = True
        self._gap = True  # whether the previous line was blank or a heading
        self._lair_actions = 0
        self._is_vehicle = False
        self._length = 0  # of the previous line
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
            following = self._lines[at + 1].text if at + 1 < len(self._lines) else ""
            if _RE.open_name.match(line.text) and _RE.closes_name.match(following):
                joined = at + 1
                line = replace(line, text=f"{line.text} {following}")
            self._take(line)
            self._gap, self._length = False, len(line.text)

    def _begin(self, number: int, text: str, field: str = "", name: str = "", cost: str = "") -> _Part:
        part = self._part = _Part(field, name, cost, [], [])
        part.add(number, text)
        self.parts.append(part)
        return part

    def _name_and_kind(self) -> int:
        """Read the name and the line with size and type, and return the index after them."""
        kinds = [at for at, line in enumerate(self._lines) if is_kind_line(line)]
        kind = kinds[0] if kinds else -1
        if len(kinds) > 1 and not any(line.text for line in self._lines[:kind]) and kinds[1] - kind <= _NEAR:
            kind = kinds[1]  # "Titanic Dragon Turtle" looks like size and type
        if kind < 0:
            kind = next((at for at, line in enumerate(self._lines) if _is_figure(line.text)), 0) - 1
            written = [at for at in range(kind + 1) if self._lines[at].text]
            if len(written) > 1 and _RE.sized.match(self._lines[written[-1]].text):
                kind, kinds = written[-1], written[-1:]
        end = kind if kinds else kind + 1
        at = name_line(self._lines, end) if end > 0 else -1
        at = -1 if at == end else at
        if at >= 0:
            line = self._lines[at]
            text = (line.own or line.text).strip(" .:")
            if rated := _RE.rated_name.match(text):
                text = rated["name"].strip(" ,|(-")
                self._begin(line.number, rated["rating"], "rating")
                if "elite" in rated[0][len(rated["name"]) :].lower():
                    self._begin(line.number, "", "elite")
            self.name = reading.titled(self._whole_name(at, text))[:200]
            self._begin(line.number, text, "name")
        for line in self._lines[at + 1 : end]:
            if line.text and _RE.book_and_page.fullmatch(line.text):
                self._begin(line.number, line.text, "source")
            elif _is_beside_name(line.text):
                self._take_head(line)
        if kind in kinds:
            line = self._lines[kind]
            text = line.text
            self._is_vehicle = _RE.vehicle.search(text) is not None
            if points := _RE.xp_at_end.search(text):
                text = text[: points.start()]
                self._begin(line.number, points[1], "xp")
            if rated := _RE.rating_at_end.search(text):
                text = text[: rated.start()]
                self._begin(line.number, rated[1], "rating")
            self._begin(line.number, text, "kind")
            following = next(iter(self._lines[kind + 1 : kind + 2]), None)
            if following and _RE.kind_goes_on.fullmatch(following.text):
                self.parts[-1].add(following.number, following.text)
                kind += 1
        self._part = None
        return max(kind, at) + 1

    def _whole_name(self, at: int, text: str) -> str:
        """Return a name together with its continuation in the lines below, and mark these as part of it."""
        for line in self._lines[at + 1 :]:
            if not line.text or not _RE.broken_name.search(f"{text}\n{line.text}"):
                break
            text = f"{text} {line.own or line.text}"
            self._begin(line.number, "", "name")
        return text

    def _take(self, line: reading.TextLine) -> None:
        if self._is_vehicle and (component := _RE.component.fullmatch(line.text)):
            self._in_head = component["hull"] is not None
            self._cost = "action" if component["weapon"] else "trait"
            self._begin(line.number, "", "section" if self._in_head else "feature", line.text, self._cost)
            return
        if section := _section_of(line):
            title, self._cost, rest = section
            self._in_head = self._in_head and title == "traits"
            self._begin(line.number, "", "section")
            self._begin(line.number, rest, "description" if self._cost == "text" else "preamble", title, self._cost)
            self._gap = True
            return
        if (self._in_head or _RE.below.match(line.text)) and self._take_head(line):
            return
        begun = self._feature_at(line) if self._cost != "text" else None
        if begun:
            self._in_head = False
            part = self._begin(line.number, begun[1], "feature", begun[0], self._cost)
            part.is_listed = line.bullet
            if line.own:
                own_name, *own = re.split(r"[.:!](?:\s+|$)", line.own, maxsplit=1)
                part.own_name, part.own, part.language = own_name, own, line.language
        else:
            self._go_on(line)

    def _take_head(self, line: reading.TextLine) -> bool:
        text = line.text
        if _RE.elite.match(text):
            self._begin(line.number, "", "elite")
            text = text[6:]
        scores = self._part if self._part is not None and self._part.field == "abilities" else None
        if scores and (_RE.ability_line.match(text) or _RE.modifier_line.match(text)):
            scores.add(line.number, text)
            return True
        saves = self._part if self._part is not None and self._part.field == "saves" else None
        if _RE.ability_line.match(text) and not (saves and saves.is_open()):
            self._begin(line.number, text, "abilities")
            return True
        points = _RE.xp_at_end.search(text)
        if points and (not points.start() or text.startswith("(")):  # behind `(equivalent to two CR 4 monsters)`, too
            self._begin(line.number, points[1], "xp")
            return True
        caption = _caption_of(text)
        if caption is None:
            return False
        field, at = caption.lastgroup or "", caption.end()
        for inner in _INSIDE.finditer(text, at):
            is_within_brackets = text.count("(", 0, inner.start()) > text.count(")", 0, inner.start())
            if inner.lastgroup != field and not is_within_brackets:
                self._begin(line.number, _value(text[at : inner.start()]), field)
                field, at = inner.lastgroup or "", inner.end()
        self._begin(line.number, _value(text[at:]), field)
        return True

    def _go_on(self, line: reading.TextLine) -> None:
        part = self._part
        before = part.joined() if part and line.text.isdecimal() else ""
        is_page = before and (not _RE.takes_number.search(before) if self._in_head else reading.ends_sentence(before))
        if is_page or _FOOTER.fullmatch(line.text):
            return
        if part is None or (part.field in _NO_MORE and not (part.texts and part.is_open())):
            return
        if part.cost == "lair" and line.bullet:
            self._lair_actions += 1
            self._begin(line.number, line.text, "feature", f"Lair Action {self._lair_actions}", "lair")
            return
        is_listed = line.bullet and part.field in ("feature", "preamble", "description")
        bullet = "\N{BULLET} " if is_listed else ""
        part.language = line.language
        part.add(line.number, bullet + line.text, bullet + line.own if line.own and part.field == "feature" else "")

    def _feature_at(self, line: reading.TextLine) -> tuple[str, str] | None:
        """Return the name and first text of the feature that begins in a line, or None if none does."""
        if line.heading and not self._in_head:
            return line.text.rstrip(" .:"), ""
        text = line.text
        if line.lead and text.startswith(line.lead):
            name, rest = line.lead.rstrip(" "), text[len(line.lead) :]
            aside = re.match(r"\s*(\([^()]{1,80}\))\s*[.:]", rest)
            ended = name.endswith((".", ":", "!", "?")) or rest.lstrip()[:1] in (".", ":") or not self._in_head
            if aside and not name.endswith((".", ":")):
                name, rest, ended = f"{name} {aside[1]}", rest[aside.end() :], True
            bare = name.rstrip(" .:")
            if ended and bare and not _RE.no_name.match(bare) and len(bare) < 100 and bare[:1].isupper():
                self._leads += 1
                return bare, rest.lstrip(" .:")
        match = _RE.name.match(text) if self._leads < _MARKED else None
        if line.own and not match and self._leads < _MARKED and text[:1].isupper():
            match = _RE.name_abroad.match(text)
        if match is None or self._is_choice(line, match["name"]):
            return None
        name = match["name"].strip()
        words = name.partition("(")[0].split()
        before = self._part.texts[-1] if self._part and self._part.texts else ""
        is_known = any(part.name == name for part in self.parts)  # and so only mentioned, if no sentence ends before it
        is_short = self._length < self._width and not is_known and not _RE.goes_on.search(before)
        ended = self._gap or line.bullet or reading.ends_sentence(before) or reading.stays_apart(before) or is_short
        if not ended or (self._part is not None and self._part.is_open() and before):
            return None
        is_title = len(words) > 1 and words[-1][:1].isupper()
        is_prose = len(words) > 9 or (
            words[0] in vocabulary.terms("pasted_text_fifth_edition", "starters") and not is_title
        )
        return None if is_prose or _RE.no_name.match(name.partition("(")[0].strip()) else (name, match["text"])

    def _is_choice(self, line: reading.TextLine, name: str) -> bool:
        """Whether a line is an option of the preceding feature, as after "one of the following breath weapons"."""
        part = self._part
        if part is None or part.field != "feature" or not _RE.following.search(part.joined()[:400]):
            return False
        return (line.bullet and not part.is_listed) or name.rsplit(maxsplit=1)[-1].rstrip("s") in part.name


def _value(text: str) -> str:
    return re.sub(r"^[\s:.]+", "", text).strip(" |")


def _section_of(line: reading.TextLine) -> tuple[str, str, str] | None:
    """Return a section's title, the cost of its features and the rest of its heading, or None if the line isn't a heading."""
    text = line.text.strip(" .:")
    if len(text) > 60:
        return None
    title, bracket, rest = text.partition("(")
    title = title.strip().lower()
    is_name = line.lead.rstrip().endswith(".") and not line.heading
    if title not in _SECTIONS or (line.bullet and not line.lead and _SECTIONS[title] == "text") or is_name:
        return None
    return title, _SECTIONS[title], f"({rest}" if bracket else ""


def _block(
    name: str, parts: Sequence[_Part], report: fights.ConversionReport
) -> tuple[stat_block.StatBlock, list[reading.LineGroup], dict[int, tuple[str, ...]]]:
    """Return the stat block built from the collected parts, each part's lines, and the feature names used in notes."""
    fields: dict[str, str] = {}
    groups: list[reading.LineGroup] = []
    features: list[stat_block.PrintedFeature] = []
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
            groups.append(reading.LineGroup(tuple(part.numbers), feature=len(features)))
            features.append(
                stat_block.PrintedFeature(part.name, text, part.cost, only if part.cost == "legendary" else "")
            )
            continue
        if part.field == "description":
            descriptions.append(text)
        elif part.field in fields and part.field != "section":
            report.add_remark(part.field, text, "listed twice; the first is used")
        else:
            rows = part.texts if part.field == "abilities" else text.split("\n")
            fields[part.field] = " ".join(rows).strip(" ,;")
        groups.append(reading.LineGroup(tuple(part.numbers), _NOTED_AS.get(part.field, part.field)))
    abilities, table_saves = _abilities(fields.get("abilities", ""))
    damage, conditions = _immunities(fields)
    rating = fields.get("rating", "")
    if fields.get("xp") and "XP" not in rating:
        rating = f"{rating} ({fields['xp']} XP)"
    vehicle = _RE.vehicle.match(fields.get("kind", ""))
    report.add_remark("size", vehicle[2] or "" if vehicle else "")
    for about in ("capacity", "cargo", "pace", "treasure"):
        report.add_remark(about, fields.get(about, ""))
    bonus, maneuver = _RE.number.search(fields.get("proficiency", "")), _RE.number.search(fields.get("maneuver_dc", ""))
    initiative = _RE.number.match(fields.get("initiative", ""))
    block = stat_block.StatBlock(
        name,
        kind=_RE.vehicle.sub(r"\1 object (vehicle)", fields.get("kind", "")),
        tags=("elite",) if "elite" in fields else (),
        ac=fields.get("armor_class", ""),
        hp=_RE.bloodied.sub("", fields.get("hit_points", "")).replace("()", "").strip(),
        speeds=fields.get("speed", () if vehicle else ""),
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
        environments=common.comma_parts(fields.get("environments", "")),
        gear=fields.get("gear", ""),
        description="\n\n".join(filter(None, descriptions)),
        program="Pasted text",
        source=fields.get("source"),
    )
    return block, groups, names


def _legendary(text: str) -> int:
    by_brackets = re.match(r"\((\d)\s*(?:/|per|a)", text)
    return legendary_count(text) or (int(by_brackets[1]) if by_brackets else 0)


def _abilities(text: str) -> tuple[dict[str, int], str]:
    """Return the six ability scores of a table with cells in any order, and the saves of 2024 tables."""
    named: dict[str, int] = {}
    saves: list[str] = []
    for match in _RE.named_score.finditer(text):
        ability, score = match[1].lower(), int(match[2])
        save = _signed(match[4], (score - 10) // 2)
        if ability not in named and save != (score - 10) // 2:
            saves.append(f"{ability} {save:+d}")
        named.setdefault(ability, score)
    if len(named) == len(ABILITIES):
        return named, ", ".join(saves)
    order = [match[1].lower() for match in re.finditer(r"\b(str|dex|con|int|wis|cha)", text, re.IGNORECASE)]
    rows = {match[1][:3].lower(): _RE.signed.findall(match[2]) for match in _RE.row.finditer(text)}
    scores = [int(match[1]) for match in _RE.score.finditer(text)]
    if len(scores) < len(ABILITIES):
        bare = [int(match[0]) for match in _RE.bare.finditer(text)]
        scores = [int(score) for score in rows.get("sco", ())] or (bare if len(bare) % len(ABILITIES) == 0 else [])
    if min(len(order), len(scores)) < len(ABILITIES):
        return {}, ""
    named = dict(zip(order[:6], scores[:6], strict=True))
    bonuses = zip(named, map(int, rows.get("sav", ())), strict=False)
    saves = [f"{ability} {bonus:+d}" for ability, bonus in bonuses if bonus != (named[ability] - 10) // 2]
    return named, ", ".join(saves)


def _signed(save: str | None, modifier: int) -> int:
    """Return a save of an ability table. One whose sign a book forgot has the sign of the modifier."""
    bonus = int(save.replace(" ", "")) if save else modifier
    return modifier if save and save.isdecimal() and bonus == -modifier else bonus


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
    return "; ".join(filter(None, (damage, rest))), ", ".join(filter(None, (conditions, *others)))


def _weapons(text: str) -> str:
    """Merge nonmagical weapons and their exceptions into a single clause of a damage type line."""
    return _RE.any_weapon.sub(_WEAPONS, re.sub(r"(?i)(non-?magical),\s+(?=non-)", r"\1 ", text))


def _skills(text: str, report: fights.ConversionReport) -> str:
    for match in _RE.expertise.finditer(text):
        name = text[: match.start()].rpartition(",")[2].strip()
        report.add_remark("skills", f"{name} ({match[1]})")
    return _RE.expertise.sub("", text)
