"""Splits a pasted text into lines without markup, and marks each line after its stat block was read.

It finds headings, emphasised words, list items and decoration.
"""

import re
from collections.abc import Iterable, Mapping
from html import unescape
from typing import Final, Literal

import msgspec

from turnwright.encounter.prepared import Creature, Feature
from turnwright.importers.pasted_text.languages import in_english, language_of
from turnwright.importers.vocabulary import Patterns, terms
from turnwright.storage.fights import ConversionNote

MAX_TEXT: Final = 200_000
MAX_LINES: Final = 5_000
MAX_LINE: Final = 8_000
_SAMPLE: Final = 400  # rows that show whether a text has two columns side by side
_LEAST_WIDTH: Final = 24  # of the left column, in characters
_MOST_WIDTH: Final = 130
_LEAST_ROWS: Final = 6  # that have text in the right column
_LEAST_MEAN: Final = 14  # characters in a column
_RE: Final = Patterns("pasted_text")
_MOST_ODD: Final = 5  # in a hundred rows, those that cross the space between the columns
_LABELS: Final[frozenset[str]] = frozenset(terms("pasted_text", "labels"))
_ODD: Final = str.maketrans(terms("pasted_text", "letters"))
Mark = Literal["", "read", "kept", "left"]


class TextLine(msgspec.Struct, frozen=True):
    """A line without markup, with its number in the source (from 1).

    `heading` is the level of a heading, or 0. `lead` contains the emphasised words at the start of the line. `bullet`
    marks a list item. A line of decoration or spaces has no text. `own` is the text before its labels were changed from
    another `language` to English.
    """

    number: int
    text: str
    heading: int = 0
    lead: str = ""
    bullet: bool = False
    language: str = ""
    own: str = ""


def text_lines(text: str, most: int = MAX_TEXT, most_lines: int = MAX_LINES) -> tuple[TextLine, ...]:
    """Return the lines of a text within limits; each is cut at `MAX_LINE` characters."""
    rows = text[:most].replace("\r\n", "\n").replace("\r", "\n").split("\n")[:most_lines]
    lines = tuple(_line(number, row) for number, row in _one_column([row[:MAX_LINE] for row in rows]))
    language = language_of(text[:most])
    return tuple(_english_line(line, language) for line in lines) if language else lines


def _english_line(line: TextLine, language: str) -> TextLine:
    text, lead = (in_english(part, language) for part in (line.text, line.lead))
    return msgspec.structs.replace(line, text=text, lead=lead, language=language, own=line.text)


def _one_column(rows: list[str]) -> list[tuple[int, str]]:
    """Return the numbered rows. If two columns are side by side, the right one follows the left one."""
    wide = [row.expandtabs(8).rstrip() for row in rows]
    column = _column_of([row for row in wide[:_SAMPLE] if row.strip()])
    if column:
        halves = [(row[:column], row[column:]) for row in wide]
    else:
        gaps = [_RE.gap.fullmatch(row.replace("\t", "   ")) for row in rows]
        found = [gap for gap in gaps[:_SAMPLE] if gap]
        is_wide = all(sum(len(gap[at]) for gap in found) > _LEAST_MEAN * len(found) for at in ("left", "right"))
        if len(found) < _LEAST_ROWS or not is_wide or len(found) * 2 < sum(map(bool, wide[:_SAMPLE])):
            return list(enumerate(rows, 1))
        halves = [(gap["left"], gap["right"]) if gap else (row, "") for gap, row in zip(gaps, rows, strict=True)]
    left = [(number, half) for number, (half, _) in enumerate(halves, 1)]
    return left + [(number, half) for number, (_, half) in enumerate(halves, 1) if half.strip()]


def _column_of(rows: list[str]) -> int:
    """Return the place at which a second column begins in most rows, or 0 if there is only one column."""
    most, column = 0, 0
    for at in range(_LEAST_WIDTH, _MOST_WIDTH):
        wide = [row for row in rows if len(row) > at]
        starts = sum(row[at - 2 : at] == "  " and row[at] != " " for row in wide)
        is_clear = starts * _MOST_ODD >= sum(row[at - 1] != " " for row in wide) * 100
        if is_clear and starts > most and starts * 2 >= len(rows):
            most, column = starts, at
    return column if most >= _LEAST_ROWS else 0


def _whole_words(text: str) -> str:
    """Return a line with the labels whole whose capitals a PDF sets apart: `A RMOR C LASS 15`."""
    for pieces in (_RE.spaced, _RE.split_ability):
        text = pieces.sub(lambda word: word[0].replace(" ", ""), text)
    if _RE.split_name.fullmatch(text):
        return _RE.split.sub(r"\1\2", text)
    return _RE.split.sub(
        lambda word: "".join(word.groups()) if "".join(word.groups()).lower() in _LABELS else word[0], text
    )


def _line(number: int, row: str) -> TextLine:
    text = _RE.quote.sub("", row.translate(_ODD)).strip()
    if not text or _RE.decoration.fullmatch(text) or _RE.opens.match(text):
        return TextLine(number, "")
    text = _RE.link.sub(r"\1", _RE.image.sub("", unescape(_RE.tag.sub(" ", text))))
    text = _RE.marked.sub(r"\1", _whole_words(_RE.inline_block.sub(" ", text)))
    if text.startswith("|") or text.count("|") >= 3:
        text = " ".join(cell.strip(" *_") for cell in text.strip("|").split("|"))
    text = _RE.range_of_numbers.sub("-", _RE.leaders.sub(" ", text))
    heading = _RE.heading.match(text)
    text = (heading[2] if heading else text).strip().removesuffix("\\").removeprefix(": ").strip()
    bullet = _RE.bullet.match(text)
    text = text[bullet.end() :] if bullet else text
    lead = _RE.lead.match(text)
    head = _RE.minus.sub("-", plain_line(lead[2])) if lead else ""
    whole = plain_line(text).replace("::", " ", 1) if "::" in text else plain_line(text)
    whole = " ".join(_RE.minus.sub("-", whole).split())
    return TextLine(number, whole, len(heading[1]) if heading else 0, " ".join(head.split()), bullet is not None)


def plain_line(text: str) -> str:
    """Return a line without emphasis, backquotes and backslashes."""
    for _ in range(3):
        text = _RE.emphasis.sub(r"\2", text)
    text = text.replace("**", "").replace("***", "").replace("`", "")
    return re.sub(r"\\([\\*_{}\[\]()#+\-.!|>~])", r"\1", text).strip()


def titled(name: str) -> str:
    """Return a name, with names in capitals changed to title case."""
    if not name.isupper() or len(name) < 4:
        return name
    small = {"Of", "The", "And", "In", "To", "A"}
    first, *others = (word[:1] + word[1:].lower() for word in name.split())
    return " ".join((first, *(word.lower() if word in small else word for word in others)))


def joined_lines(parts: Iterable[str]) -> str:
    """Join broken lines and split words to one text. List items and spell levels keep their own lines."""
    text = ""
    for part in parts:
        before = text[-2:-1] if text.endswith("-") else ""
        if stays_apart(part) and text:
            text = f"{text}\n{part}"
        elif before.isalpha() and part[:1].islower():
            word = text.rpartition(" ")[2][:-1]
            text = f"{text}{part}" if "-" in word or word.lower() in _PREFIXES else f"{text[:-1]}{part}"
        else:
            text = f"{text}{'' if not text or before.isdigit() else ' '}{part}"
    return text


_PREFIXES: Final = frozenset({"half", "non", "self", "well", "long", "two", "one", "three", "once", "ever", "multi"})


def stays_apart(part: str) -> bool:
    """Whether a line must not be joined to the previous one: a list item, a spell level, a degree of success."""
    return _RE.apart.match(part) is not None


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
        is_feature = group.feature >= 0
        subjects = dict.fromkeys(names.get(group.feature, ())) if is_feature else group.field.split("+")
        about = [why for name in subjects for why in notes_by_subject.get(name.lower() if is_feature else name, ())]
        feature = creature.features[group.feature] if 0 <= group.feature < len(creature.features) else None
        for number in group.numbers:
            if is_feature:
                of_line[number] = _mark_of_feature(texts.get(number, ""), feature, about)
            elif of_line.get(number, ("", ""))[0] != "kept":
                of_line[number] = ("kept", "; ".join(about)) if about else ("read", "")
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
    numbers = list(dict.fromkeys(_RE.number.findall(text)))
    known = figures_of(feature)
    missing = [number for number in numbers if int(number) not in known]
    if missing:
        return "kept", f"{', '.join(missing[:12])}: kept as text only"
    return "read" if numbers or (feature.multiattack and "attack" in text.lower()) else "kept", ""


def figures_of(feature: Feature) -> set[int]:
    """Return every number in a feature's fields, including averages of dice."""
    plain = (feature.attack, feature.reach, feature.dc, feature.recharge, feature.uses, feature.push, feature.attacks)
    numbers = set(filter(None, plain))
    numbers |= set() if feature.attack is None else {abs(feature.attack)}
    numbers |= set() if feature.level is None else {feature.level}
    numbers |= ({feature.price} - {1}) | ({6} if feature.recharge else set())
    for text in (feature.range, feature.area, " ".join(feature.properties)):
        numbers.update(map(int, _RE.number.findall(text)))
    for affliction in feature.afflictions:
        numbers.update(filter(None, (affliction.escape_dc, affliction.value)))
    for table in feature.multiattack:
        numbers.update(count for _id, count in table)
    others = (*(one.damage for one in feature.other_damage), *(stage.damage for stage in feature.stages))
    for dice in (feature.damage, feature.ongoing, feature.save_damage, *others):
        numbers.update(map(int, _RE.number.findall(dice)))
        for count, sides, sign, more in _RE.dice.findall(dice):
            mean = int(count or 1) * (int(sides) + 1) // 2 + (int(more or 0) if sign != "-" else -int(more or 0))
            numbers.update((mean, max(mean, 1)))
    return numbers
