"""The reading of a pasted stat block: its creature, its rule system, and a mark for each line.

A line is marked `read` if all its numbers are in the creature, `kept` if some of its numbers or words were not used
and only its text was kept, and `left` if it isn't in the creature at all.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Literal

import msgspec

from turnwright.encounter.prepared import Creature, Feature
from turnwright.importers.pasted_text.lines import TextLine
from turnwright.storage.conversion_report import ConversionNote

Mark = Literal["", "read", "kept", "left"]
_NUMBER = re.compile(r"\d+")
_DICE = re.compile(r"(\d*)d(\d+)\s*(?:([+-])\s*(\d+))?")


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
