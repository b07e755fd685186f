"""Reads stages of poisons and other afflictions that last one round each: damage, conditions and maximum duration."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from turnwright.encounter.prepared import AfflictionStage, InflictedCondition
from turnwright.importers.pf2e.damage import damage_in
from turnwright.importers.pf2e.terms import CONDITIONS, RENAMED

_STAGE: Final = re.compile(r"^Stage (?P<number>\d):? (?P<what>[^\n]*?)[;,.\s]*$", re.MULTILINE)
_ROUND: Final = re.compile(r"\s*\(1 round\)$")
_LONGEST: Final = re.compile(r"Maximum ?Duration:? (?P<count>\d{1,3}) (?P<unit>rounds?|minutes?)\b")
_AND: Final = re.compile(r"(?:,\s*(?:and\s+)?|\s+and\s+)")
_DAMAGE: Final = re.compile(r"\d+(?:d\d+)?(?:[+-]\d+)? [a-z]+(?: damage)?")
_CONDITION: Final = re.compile(r"(?P<name>[a-z]+(?:[- ]footed|-guard)?)(?: (?P<value>\d))?")
_AS: Final = re.compile(r"as stage (?P<number>\d)")
_NOTHING: Final = re.compile(r"(?:no (?:ill )?effect|carrier with no ill effect|carrier)")
_ROUNDS_A_MINUTE: Final = 10
_STAYS: Final = ("drained", "doomed")  # conditions that end with rest, not with the affliction


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
    for part in _parts(content):
        if _DAMAGE.fullmatch(part):
            amounts, lasting, remaining = damage_in(
                f"takes {part}" if part.endswith("damage") else f"takes {part} damage"
            )
            if len(amounts) != 1 or lasting or remaining:
                return None
            damage += amounts
            continue
        named = _CONDITION.fullmatch(part)
        name = named["name"].replace(" ", "-") if named is not None else ""
        name = RENAMED.get(name, name)
        if named is None or name not in CONDITIONS:
            return None
        value = int(named["value"] or 0)
        afflictions.append(InflictedCondition(name, "never" if name in _STAYS else "turn-end", value=value))
    return AfflictionStage(" + ".join(damage), tuple(afflictions))


def _parts(text: str) -> Iterator[str]:
    return (part.strip() for part in _AND.split(text) if part.strip())
