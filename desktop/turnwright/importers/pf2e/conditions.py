"""Reads the conditions that a text imposes on a failed save: by degree of failure, or by stage of an affliction.

The stages of a poison or another affliction are read if each lasts one round: damage, conditions and maximum duration.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final, Literal

import msgspec

from turnwright.encounter.prepared import AfflictionStage, InflictedCondition, InflictedConditionEnds
from turnwright.importers.pf2e.strikes import damage_in
from turnwright.importers.pf2e.terms import CONDITIONS, RENAMED

Degree = Literal["", "critical-failure", "failure", "success", "critical-success"]
AddNote = Callable[[str, str, str], None]
_DEGREES: Final[Mapping[str, Degree]] = {
    "Critical Success": "critical-success",
    "Success": "success",
    "Failure": "failure",
    "Critical Failure": "critical-failure",
}
_NAMES: Final = "|".join(sorted({*CONDITIONS, "flat-footed", "flat footed"}, key=len, reverse=True))
_CONDITION = re.compile(rf"\b(?P<name>{_NAMES})\b(?: (?P<value>\d))?", re.IGNORECASE)
_BLOCK = re.compile(rf"^(?P<degree>{'|'.join(_DEGREES)})\b:? ?(?P<what>[^\n]*)", re.MULTILINE)
_FAILS: Final = (
    re.compile(r"\b(?:save|saving throw)s?(?: against [^.;]{0,40})? or (?P<what>[^.;]*)", re.IGNORECASE),
    re.compile(
        r"\b(?:fails?|failed) (?:its|the|this|that|their|a)? ?(?:[\w']+ ){0,4}(?:save|saving throw)\b(?P<what>[^.;]*)"
    ),
    re.compile(r"\b[Oo]n a failure,? (?P<what>[^.;]*)"),
    re.compile(r"\b[Tt]hose who fail (?P<what>[^.;]*)"),
    re.compile(r"\b(?:save|saving throw)s?, (?:becoming|falling|being) (?P<what>[^.;]*?)(?: on a failure|$)"),
)
_CRITICAL = re.compile(r"\bon a critical failure,? (?P<what>[^.;]*)", re.IGNORECASE)
_GRADED = re.compile(
    rf"\b(?P<name>{_NAMES})\b(?: (?P<value>\d))?(?: for [\w ]{{1,20}}?)? on a (?P<critical>critical )?failure\b",
    re.IGNORECASE,
)
_NOT_NOW = re.compile(
    r"\b(?:immune|immunity|already|not|isn't|no longer|recover from|maximum of|while|whenever|if|until|against|removes?|end)\b[^,]{0,30}$",
    re.IGNORECASE,
)
_TURN_END = re.compile(
    r"until the end of (?:its|their|that creature's|the creature's|the target's) (?:next )?turn", re.IGNORECASE
)
_TURN_START = re.compile(r"until the (?:start|beginning) of (?:its|their) next turn", re.IGNORECASE)
_LASTS = re.compile(r"\bfor (?:\d+d\d+|\d+|an?|one) (?:rounds?|minutes?|hours?|days?)", re.IGNORECASE)
_AS_FAILURE = re.compile(r"^as (?:with )?(?:a )?failure", re.IGNORECASE)
_STAGE: Final = re.compile(r"^Stage (?P<number>\d):? (?P<what>[^\n]*?)[;,.\s]*$", re.MULTILINE)
_ROUND: Final = re.compile(r"\s*\(1 round\)$")
_LONGEST: Final = re.compile(r"Maximum ?Duration:? (?P<count>\d{1,3}) (?P<unit>rounds?|minutes?)\b")
_AND: Final = re.compile(r"(?:,\s*(?:and\s+)?|\s+and\s+)")
_DAMAGE: Final = re.compile(r"\d+(?:d\d+)?(?:[+-]\d+)? [a-z]+(?: damage)?")
_IN_STAGE: Final = re.compile(r"(?P<name>[a-z]+(?:[- ]footed|-guard)?)(?: (?P<value>\d))?")
_AS: Final = re.compile(r"as stage (?P<number>\d)")
_NOTHING: Final = re.compile(r"(?:no (?:ill )?effect|carrier with no ill effect|carrier)")
_ROUNDS_A_MINUTE: Final = 10
_STAYS: Final = ("drained", "doomed")  # conditions that end with rest, not with the affliction


def conditions_in(text: str, add_note: AddNote) -> tuple[InflictedCondition, ...]:
    """Return the conditions that a text with a save imposes, each with its degree of failure."""
    blocks = degrees_of(text)
    return _of_blocks(blocks, add_note) if blocks else _of_sentences(text, add_note)


def _of_blocks(blocks: dict[Degree, str], add_note: AddNote) -> tuple[InflictedCondition, ...]:
    conditions: list[InflictedCondition] = []
    for degree, text in blocks.items():
        own = _conditions(text, degree, add_note)
        if _AS_FAILURE.match(text) and "failure" in blocks:
            names = {condition.condition for condition in own}
            inherited = _conditions(blocks["failure"], degree, lambda *_: None)
            conditions += [condition for condition in inherited if condition.condition not in names]
        conditions += own
    return tuple(conditions)


def _of_sentences(text: str, add_note: AddNote) -> tuple[InflictedCondition, ...]:
    graded = [
        _inflicted(match, "critical-failure" if match["critical"] else "failure") for match in _GRADED.finditer(text)
    ]
    rest = _GRADED.sub("", text)
    for critical in _CRITICAL.finditer(rest):
        graded.extend(_conditions(critical["what"], "critical-failure", add_note))
    rest = _CRITICAL.sub("", rest)
    names = {condition.condition for condition in graded}
    first: dict[tuple[str, str], InflictedCondition] = {}
    clauses = (clause["what"] for pattern in _FAILS for clause in pattern.finditer(rest))
    for plain in (condition for clause in clauses for condition in _conditions(clause, "", add_note)):
        # if a critical failure imposes its own value, the ungraded value is for a plain failure
        degree: Degree = "failure" if plain.condition in names else ""
        first.setdefault((plain.condition, degree), msgspec.structs.replace(plain, degree=degree))
    for inflicted in graded:
        first.setdefault((inflicted.condition, inflicted.degree), inflicted)
    return tuple(first.values())


def unread_conditions(text: str, conditions: tuple[InflictedCondition, ...]) -> tuple[str, ...]:
    """Return the conditions in a text that were not read, with their values."""
    known = {(condition.condition, value) for condition in conditions for value in (condition.value, 0)}
    named = dict.fromkeys((_named(match), int(match["value"] or 0)) for match in _CONDITION.finditer(text))
    return tuple(f"{name} {value}" if value else name for name, value in named if (name, value) not in known)


def degrees_of(text: str) -> dict[Degree, str]:
    """Return the part of a text for each degree of success that it describes."""
    return {_DEGREES[match["degree"]]: match["what"].strip() for match in _BLOCK.finditer(text)}


def _named(match: re.Match[str]) -> str:
    name = match["name"].lower().replace(" ", "-")
    return RENAMED.get(name, name)


def _inflicted(match: re.Match[str], degree: Degree, ends: InflictedConditionEnds = "never") -> InflictedCondition:
    return InflictedCondition(_named(match), ends, value=int(match["value"] or 0), degree=degree)


def _conditions(text: str, degree: Degree, add_note: AddNote) -> tuple[InflictedCondition, ...]:
    ends: InflictedConditionEnds = (
        "turn-end" if _TURN_END.search(text) else "turn-start" if _TURN_START.search(text) else "never"
    )
    conditions: dict[str, InflictedCondition] = {}
    for match in _CONDITION.finditer(text):
        if not _NOT_NOW.search(text, max(0, match.start() - 45), match.start()):
            conditions.setdefault(_named(match), _inflicted(match, degree, ends))
    lasts = _LASTS.search(text)
    if conditions and lasts:
        words = f"{', '.join(conditions)} {lasts[0]}"
        add_note("afflictions", words, "duration isn't tracked; end the condition yourself")
    return tuple(conditions.values())


def stages_in(text: str) -> tuple[AfflictionStage, ...]:
    """Return the stages in a text, or an empty tuple unless each lasts one round and is fully understood."""
    stages: list[AfflictionStage] = []
    for match in _STAGE.finditer(text):
        stage = _stage(match["what"].strip(), stages) if int(match["number"]) == len(stages) + 1 else None
        if stage is None:
            return ()
        stages.append(stage)
    return tuple(stages)


def longest_in(text: str) -> dict[str, int]:
    """Return the field for an affliction's maximum duration in rounds, or an empty dictionary if it is unlimited."""
    duration = _LONGEST.search(text)
    if duration is None:
        return {}
    times = _ROUNDS_A_MINUTE if duration["unit"].startswith("minute") else 1
    return {"stage_rounds": int(duration["count"]) * times}


def _stage(text: str, before: list[AfflictionStage]) -> AfflictionStage | None:
    """Return a stage, or None if any part of it isn't understood. `before` are the lower stages."""
    timed = _ROUND.search(text)
    if timed is None and "(" in text:
        return None
    content = _ROUND.sub("", text).strip().lower()
    same = _AS.fullmatch(content)
    if same is not None:
        number = int(same["number"])
        return before[number - 1] if 0 < number <= len(before) else None
    if _NOTHING.fullmatch(content):
        return AfflictionStage()
    damage: list[str] = []
    afflictions: list[InflictedCondition] = []
    for part in filter(None, map(str.strip, _AND.split(content))):
        if _DAMAGE.fullmatch(part):
            amounts, lasting, remaining = damage_in(f"takes {part.removesuffix(' damage')} damage")
            if len(amounts) != 1 or lasting or remaining:
                return None
            damage += amounts
            continue
        match = _IN_STAGE.fullmatch(part)
        if match is None or (name := _named(match)) not in CONDITIONS:
            return None
        afflictions.append(_inflicted(match, "", "never" if name in _STAYS else "turn-end"))
    return AfflictionStage(" + ".join(damage), tuple(afflictions))
