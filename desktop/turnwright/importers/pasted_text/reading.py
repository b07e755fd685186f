"""Splits a pasted text into lines without markup, and marks each line after its stat block was read.

It finds headings, emphasised words, list items and decoration.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from html import unescape
from typing import Final, Literal

import msgspec

from turnwright.encounter.prepared import Creature, Feature
from turnwright.storage.fights import ConversionNote

MAX_TEXT: Final = 200_000
MAX_LINES: Final = 5_000
MAX_LINE: Final = 8_000
_QUOTE = re.compile(r"^\s*(?:>\s?)+")
_DECORATION = re.compile(
    r"(?:[\s_*=|:\-\u2013\u2014~+]+|\\?(?:page|pagebreak|pagebreaknum|column|columnbreak)|\}\}|```\w*|:+)\s*"
)
_OPENS = re.compile(r"^\{\{[\w,\-:#%. ]*(?:\{\{)?\s*$|^\}\}$")
_INLINE_BLOCK = re.compile(r"\{\{[\w,\-:#%.]*\s|\}\}|\{[\w,\-:#%.; ]*\}$")
_TAG = re.compile(r"<[^<>]{0,300}>")
_IMAGE = re.compile(r"!\[[^\[\]]{0,300}\]\([^()]{0,600}\)")
_LINK = re.compile(r"\[([^\[\]]{1,300})\]\([^()]{0,600}\)")
_HEADING = re.compile(r"^(#{1,6})\s*(.*?)\s*#*$")
_BULLET = re.compile(r"^(?:[*\u2022\u25cf\u25aa\u25e6\u00b7]\s+(?=\S)|[-+]\s+(?=[^\W\d]|[*_]))")
_LEAD = re.compile(r"^([*_]{1,3})(?=\S)([^*_]{1,120}?(?:[*_]?[^*_]{0,60})?)\1[*_]*(.*)$")
_EMPHASIS = re.compile(r"(?<![\w*])(\*{1,3}|_{1,3})(?=\S)(.{1,400}?)(?<=\S)\1(?![\w*])")
_LEADERS = re.compile(r"\.{4,}|\u2026{2,}")
_ODD: Final = str.maketrans({
    "\u00a0": " ", "\u2007": " ", "\u202f": " ", "\u2009": " ", "\u200a": " ", "\u2002": " ", "\u2003": " ", "\t": " ",
    "\u00ad": None, "\u200b": None, "\u200c": None, "\u200d": None, "\ufeff": None, "\u2060": None,
    "\ufb00": "ff", "\ufb01": "fi", "\ufb02": "fl", "\ufb03": "ffi", "\ufb04": "ffl",
    "\u2212": "-", "\u2012": "-", "\ufe63": "-", "\uff0d": "-", "\u2010": "-", "\u2011": "-",
    "\u2019": "'", "\u2018": "'", "\u201c": '"', "\u201d": '"', "\x0c": " ",
})  # fmt: skip
_RANGE_OF_NUMBERS = re.compile(r"(?<=\d)(\s?)(?:--|[\u2013\u2014])\1(?=\d)")
_MINUS = re.compile(r"(?<![\d\w])\u2013(?=\s?\d)|(?<=\()\u2013(?=\s?\d)|(?<=\d)\s?\u2013\s?(?=\d+\))")
Mark = Literal["", "read", "kept", "left"]
_NUMBER = re.compile(r"\d+")
_DICE = re.compile(r"(\d*)d(\d+)\s*(?:([+-])\s*(\d+))?")


class TextLine(msgspec.Struct, frozen=True):
    """A line without markup, with its number in the source (from 1).

    `heading` is the level of a heading, or 0. `lead` contains the emphasised words at the start of the line. `bullet`
    marks a list item. A line of decoration or spaces has no text.
    """

    number: int
    text: str
    heading: int = 0
    lead: str = ""
    bullet: bool = False


def text_lines(text: str, most: int = MAX_TEXT, most_lines: int = MAX_LINES) -> tuple[TextLine, ...]:
    """Return the lines of a text within limits; each is cut at `MAX_LINE` characters."""
    rows = text[:most].replace("\r\n", "\n").replace("\r", "\n").split("\n")[:most_lines]
    return tuple(_line(number, row[:MAX_LINE]) for number, row in enumerate(rows, 1))


def _line(number: int, row: str) -> TextLine:
    text = _QUOTE.sub("", row.translate(_ODD)).strip()
    if not text or _DECORATION.fullmatch(text) or _OPENS.match(text):
        return TextLine(number, "")
    if "<" in text:
        text = _TAG.sub(" ", text)
    if "&" in text:
        text = unescape(text)
    if "](" in text:
        text = _LINK.sub(r"\1", _IMAGE.sub("", text))
    text = _INLINE_BLOCK.sub(" ", text) if "{" in text or "}" in text else text
    if text.startswith("|") or text.count("|") >= 3:
        text = " ".join(cell.strip(" *_") for cell in text.strip("|").split("|"))
    text = _RANGE_OF_NUMBERS.sub("-", _LEADERS.sub(" ", text))
    heading = _HEADING.match(text)
    if heading:
        text = heading[2]
    text = text.strip().removesuffix("\\").removeprefix(": ").strip()
    bullet = _BULLET.match(text)
    if bullet:
        text = text[bullet.end() :]
    lead = _LEAD.match(text)
    head = _MINUS.sub("-", plain_line(lead[2])) if lead else ""
    whole = plain_line(text).replace("::", " ", 1) if "::" in text else plain_line(text)
    whole = " ".join(_MINUS.sub("-", whole).split())
    return TextLine(number, whole, len(heading[1]) if heading else 0, " ".join(head.split()), bullet is not None)


def plain_line(text: str) -> str:
    """Return a line without emphasis, backquotes and backslashes."""
    for _ in range(3):
        if "*" not in text and "_" not in text:
            break
        text = _EMPHASIS.sub(r"\2", text)
    text = text.replace("**", "").replace("***", "").replace("`", "")
    return re.sub(r"\\([\\*_{}\[\]()#+\-.!|>~])", r"\1", text).strip()


def joined_lines(parts: Iterable[str]) -> str:
    """Join broken lines and split words to one text. List items and spell levels keep their own lines."""
    text = ""
    for part in parts:
        if not text:
            text = part
        elif stays_apart(part):
            text = f"{text}\n{part}"
        elif text.endswith("-") and len(text) > 1 and text[-2].isalpha() and part[:1].islower():
            word = text.rpartition(" ")[2][:-1]
            text = f"{text}{part}" if "-" in word or word.lower() in _PREFIXES else f"{text[:-1]}{part}"
        elif text.endswith("-") and len(text) > 1 and text[-2].isdigit():
            text = f"{text}{part}"
        else:
            text = f"{text} {part}"
    return text


_PREFIXES: Final = frozenset({"half", "non", "self", "well", "long", "two", "one", "three", "once", "ever", "multi"})


_APART = re.compile(
    r"\u2022|(?i:At will|Cantrips?|Constant|Rituals?|\d(?:st|nd|rd|th)(?:[- ]level)?|\d+/(?:day|rest|long rest)(?: each)?)\b[^.:]{0,60}[:(]"
    r"|Stage \d|(?:Critical )?(?:Success|Failure)\b|Trigger\b|Requirements?\b|Effect\b|Frequency\b|Maximum Duration\b|Saving Throw\b"
)


def stays_apart(part: str) -> bool:
    """Whether a line must not be joined to the previous one: a list item, a spell level, a degree of success."""
    return _APART.match(part) is not None


def ends_sentence(text: str) -> bool:
    """Whether a line may end a sentence, so that another feature can begin after it."""
    return not text or text[-1] in ".!?:)]\"';"


class MarkedLine(msgspec.Struct, frozen=True):
    """A line's number in the source and its mark (empty for a line without text); `why` explains the mark."""

    number: int
    mark: Mark
    why: str = ""


class PastedReading(msgspec.Struct, frozen=True):
    """The result of reading one pasted stat block; `problem` is the reason if `creature` is None."""

    system: str
    creature: Creature | None
    lines: tuple[MarkedLine, ...]
    notes: tuple[ConversionNote, ...] = ()
    problem: str = ""


class LineGroup(msgspec.Struct, frozen=True):
    """The lines of one part of a creature: a field of its head, or a feature by its index."""

    numbers: tuple[int, ...]
    field: str = ""
    feature: int = -1


def marked_lines(
    lines: Iterable[TextLine],
    groups: Iterable[LineGroup],
    creature: Creature,
    notes: Iterable[ConversionNote],
    names: Mapping[int, tuple[str, ...]],
) -> tuple[MarkedLine, ...]:
    """Return a mark for every line. `names` maps a feature's index to the names that notes use for it."""
    notes_by_subject: dict[str, list[str]] = {}
    for note in notes:
        subject = (note.field.rpartition(":")[0] or note.field).strip().lower()
        notes_by_subject.setdefault(subject, []).append(f'"{note.text}": {note.why}' if note.text else note.why)
    of_line: dict[int, tuple[Mark, str]] = {}
    texts = {line.number: line.text for line in lines}
    for group in groups:
        if group.feature >= 0:
            about = [
                why
                for name in dict.fromkeys(names.get(group.feature, ()))
                for why in notes_by_subject.get(name.lower(), ())
            ]
            feature = creature.features[group.feature] if group.feature < len(creature.features) else None
            for number in group.numbers:
                of_line[number] = _mark_of_feature(texts.get(number, ""), feature, about)
        else:
            about = [why for field in group.field.split("+") for why in notes_by_subject.get(field, ())]
            for number in group.numbers:
                before = of_line.get(number)
                mark: tuple[Mark, str] = ("kept", "; ".join(about)) if about else ("read", "")
                of_line[number] = before if before and before[0] == "kept" else mark
    return tuple(_marked(number, text, of_line.get(number)) for number, text in texts.items())


def unread_block(
    lines: Iterable[TextLine], system: str, problem: str, notes: tuple[ConversionNote, ...] = ()
) -> PastedReading:
    """Return the reading of lines that don't contain a readable creature."""
    marks = tuple(MarkedLine(line.number, "left" if line.text else "") for line in lines)
    return PastedReading(system, None, marks, notes, problem)


def _marked(number: int, text: str, mark: tuple[Mark, str] | None) -> MarkedLine:
    if not text:
        return MarkedLine(number, "")
    return MarkedLine(number, *mark) if mark else MarkedLine(number, "left")


def _mark_of_feature(text: str, feature: Feature | None, about: list[str]) -> tuple[Mark, str]:
    if about:
        return "kept", "; ".join(dict.fromkeys(about))[:600]
    if feature is None:
        return "kept", ""
    numbers = list(dict.fromkeys(_NUMBER.findall(text)))
    known = figures_of(feature)
    missing = [number for number in numbers if int(number) not in known]
    if missing:
        return "kept", f"{', '.join(missing[:12])}: kept as text only"
    if numbers or (feature.multiattack and "attack" in text.lower()):
        return "read", ""
    return "kept", ""


def figures_of(feature: Feature) -> set[int]:
    """Return every number in a feature's fields, including averages of dice."""
    plain = (feature.attack, feature.reach, feature.dc, feature.recharge, feature.uses, feature.push, feature.attacks)
    numbers = {number for number in plain if number}
    if feature.attack is not None:
        numbers.add(abs(feature.attack))
    if feature.price != 1:
        numbers.add(feature.price)
    if feature.recharge:
        numbers.add(6)
    for text in (feature.range, feature.area, " ".join(feature.properties)):
        numbers.update(map(int, _NUMBER.findall(text)))
    for affliction in feature.afflictions:
        numbers.update(number for number in (affliction.escape_dc, affliction.value) if number)
    for table in feature.multiattack:
        numbers.update(count for _id, count in table)
    others = (*(one.damage for one in feature.other_damage), *(stage.damage for stage in feature.stages))
    for dice in (feature.damage, feature.ongoing, feature.save_damage, *others):
        numbers.update(map(int, _NUMBER.findall(dice)))
        for count, sides, sign, more in _DICE.findall(dice):
            mean = int(count or 1) * (int(sides) + 1) // 2 + (int(more or 0) if sign != "-" else -int(more or 0))
            numbers.update((mean, max(mean, 1)))
    if feature.level is not None:
        numbers.add(feature.level)
    return numbers
