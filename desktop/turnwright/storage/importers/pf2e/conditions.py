"""Reads the conditions that a text imposes on a failed save, by degree of failure."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final, Literal

import msgspec

from turnwright.encounter.prepared import InflictedCondition, InflictedConditionEnds
from turnwright.storage.importers.pf2e.terms import CONDITIONS, RENAMED

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


def conditions_in(text: str, add_note: AddNote) -> tuple[InflictedCondition, ...]:
    """Return the conditions that a text with a save imposes by degree of failure."""
    blocks = degrees_of(text)
    return _of_blocks(blocks, add_note) if blocks else _of_sentences(text, add_note)


def _of_blocks(blocks: dict[Degree, str], tell: AddNote) -> tuple[InflictedCondition, ...]:
    found: list[InflictedCondition] = []
    for degree, what in blocks.items():
        own = list(_conditions(what, degree, tell))
        if _AS_FAILURE.match(what) and "failure" in blocks:
            inherited = _conditions(blocks["failure"], degree, lambda *_: None)
            own = [*(one for one in inherited if one.condition not in {each.condition for each in own}), *own]
        found.extend(own)
    return tuple(found)


def _of_sentences(text: str, tell: AddNote) -> tuple[InflictedCondition, ...]:
    graded: list[InflictedCondition] = []
    for one in _GRADED.finditer(text):
        degree: Degree = "critical-failure" if one["critical"] else "failure"
        graded.append(InflictedCondition(_named(one), value=int(one["value"] or 0), degree=degree))
    rest = _GRADED.sub("", text) if graded else text
    for one in _CRITICAL.finditer(rest):
        graded.extend(_conditions(one["what"], "critical-failure", tell))
    rest = _CRITICAL.sub("", rest)
    plain: list[InflictedCondition] = []
    for pattern in _FAILS:
        for clause in pattern.finditer(rest):
            plain.extend(_conditions(clause["what"], "", tell))
    said = {one.condition for one in graded}
    # where a critical failure imposes it at a value of its own, the other is that of a plain failure
    kept = [msgspec.structs.replace(one, degree="failure") if one.condition in said else one for one in plain]
    first: dict[tuple[str, str], InflictedCondition] = {}
    for each in (*kept, *graded):
        first.setdefault((each.condition, each.degree), each)
    return tuple(first.values())


def unread_conditions(text: str, found: tuple[InflictedCondition, ...]) -> tuple[str, ...]:
    """Return the conditions that a text names and that were not read, with their values."""
    known = {(one.condition, one.value) for one in found} | {(one.condition, 0) for one in found}
    named = ((_named(one), int(one["value"] or 0)) for one in _CONDITION.finditer(text))
    return tuple(
        dict.fromkeys(f"{name} {value}" if value else name for name, value in named if (name, value) not in known)
    )


def degrees_of(text: str) -> dict[Degree, str]:
    """Return a text's part for each degree of success, empty where it has none."""
    return {_DEGREES[found["degree"]]: found["what"].strip() for found in _BLOCK.finditer(text)}


def _named(found: re.Match[str]) -> str:
    name = found["name"].lower().replace(" ", "-")
    return RENAMED.get(name, name)


def _conditions(what: str, degree: Degree, tell: AddNote) -> tuple[InflictedCondition, ...]:
    ends: InflictedConditionEnds = (
        "turn-end" if _TURN_END.search(what) else "turn-start" if _TURN_START.search(what) else "never"
    )
    found: dict[str, InflictedCondition] = {}
    for one in _CONDITION.finditer(what):
        if _NOT_NOW.search(what, max(0, one.start() - 45), one.start()):
            continue
        name = _named(one)
        found.setdefault(name, InflictedCondition(name, ends, value=int(one["value"] or 0), degree=degree))
    lasts = _LASTS.search(what)
    if found and lasts:
        tell("afflictions", f"{', '.join(found)} {lasts[0]}", "is how long it lasts; a person ends it")
    return tuple(found.values())
