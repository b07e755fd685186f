"""The reading of a pasted text: its creature, its game, and a mark for each line.

A mark says whether all numbers of a line are in the creature (`read`), whether the line is kept as text with numbers or
words that nothing was made of (`kept`), or is not in the creature at all (`left`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Literal

import msgspec

from turnwright.encounter.prepared import Creature, Feature
from turnwright.storage.conversion_report import ConversionNote
from turnwright.storage.importers.pasted_text.lines import TextLine

Mark = Literal["", "read", "kept", "left"]
_NUMBER = re.compile(r"\d+")
_DICE = re.compile(r"(\d*)d(\d+)\s*(?:([+-])\s*(\d+))?")


class MarkedLine(msgspec.Struct, frozen=True):
    """A line of the source by its number, with its mark; an empty mark is for a line without words. `why` explains the mark."""

    number: int
    mark: Mark
    why: str = ""


class PastedReading(msgspec.Struct, frozen=True):
    """What was read from one pasted stat block: `problem` says why there is no creature, where there is none."""

    system: str
    creature: Creature | None
    lines: tuple[MarkedLine, ...]
    notes: tuple[ConversionNote, ...] = ()
    problem: str = ""


class LineGroup(msgspec.Struct, frozen=True):
    """The lines that one part of a creature was read from: a field of its head, or a feature by its place."""

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
    """Return a mark for every line: `names` are the names by which notes know a feature, by its place."""
    told: dict[str, list[str]] = {}
    for note in notes:
        subject = (note.field.rpartition(":")[0] or note.field).strip().lower()
        told.setdefault(subject, []).append(f"{note.text} {note.why}".strip())
    of_line: dict[int, tuple[Mark, str]] = {}
    texts = {line.number: line.text for line in lines}
    for group in groups:
        if group.feature >= 0:
            about = [why for name in dict.fromkeys(names.get(group.feature, ())) for why in told.get(name.lower(), ())]
            feature = creature.features[group.feature] if group.feature < len(creature.features) else None
            for number in group.numbers:
                of_line[number] = _mark_of_feature(texts.get(number, ""), feature, about)
        else:
            about = [why for field in group.field.split("+") for why in told.get(field, ())]
            for number in group.numbers:
                before = of_line.get(number)
                mark: tuple[Mark, str] = ("kept", "; ".join(about)) if about else ("read", "")
                of_line[number] = before if before and before[0] == "kept" else mark
    return tuple(_marked(number, text, of_line.get(number)) for number, text in texts.items())


def unread_block(
    lines: Iterable[TextLine], system: str, problem: str, notes: tuple[ConversionNote, ...] = ()
) -> PastedReading:
    """Return the reading of lines that gave no creature."""
    marks = tuple(MarkedLine(line.number, "left" if line.text else "") for line in lines)
    return PastedReading(system, None, marks, notes, problem)


def _marked(number: int, text: str, found: tuple[Mark, str] | None) -> MarkedLine:
    if not text:
        return MarkedLine(number, "")
    return MarkedLine(number, *found) if found else MarkedLine(number, "left")


def _mark_of_feature(text: str, feature: Feature | None, about: list[str]) -> tuple[Mark, str]:
    if about:
        return "kept", "; ".join(dict.fromkeys(about))[:600]
    if feature is None:
        return "kept", ""
    said = list(dict.fromkeys(_NUMBER.findall(text)))
    known = figures_of(feature)
    missing = [number for number in said if int(number) not in known]
    if missing:
        return "kept", f"{', '.join(missing[:12])}: in the text only"
    if said or (feature.multiattack and "attack" in text.lower()):
        return "read", ""
    return "kept", ""


def figures_of(feature: Feature) -> set[int]:
    """Return every number that a feature's fields account for, means of dice included."""
    plain = (feature.attack, feature.reach, feature.dc, feature.recharge, feature.uses, feature.push, feature.attacks)
    found = {number for number in plain if number}
    if feature.attack is not None:
        found.add(abs(feature.attack))
    if feature.price != 1:
        found.add(feature.price)
    if feature.recharge:
        found.add(6)
    for text in (feature.range, feature.area, " ".join(feature.properties)):
        found.update(map(int, _NUMBER.findall(text)))
    for affliction in feature.afflictions:
        found.update(number for number in (affliction.escape_dc, affliction.value) if number)
    for table in feature.multiattack:
        found.update(count for _id, count in table)
    others = (*(one.damage for one in feature.other_damage), *(one.damage for one in feature.stages))
    for dice in (feature.damage, feature.ongoing, feature.save_damage, *others):
        found.update(map(int, _NUMBER.findall(dice)))
        for count, sides, sign, more in _DICE.findall(dice):
            mean = int(count or 1) * (int(sides) + 1) // 2 + (int(more or 0) if sign != "-" else -int(more or 0))
            found.update((mean, max(mean, 1)))
    if feature.level is not None:
        found.add(feature.level)
    return found
