"""Stages of an affliction as one line of text: `1d6 poison, enfeebled 1; 2d6 poison, drained 1 lasting`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from turnwright.encounter.bounds import dice_problem
from turnwright.encounter.prepared import AfflictionStage, InflictedCondition, InflictedConditionEnds
from turnwright.encounter.suggestions import nearest_hint
from turnwright.rules.system_data.known_ids import KnownIds
from turnwright.ui.look.translations import tr

_LASTING: Final = "lasting"  # the condition stays after its stage
_NOTHING: Final = "nothing"
_CONDITION: Final = re.compile(rf"(?P<name>[a-z][a-z-]*)(?: (?P<value>[0-9]{{1,4}}))?(?P<lasting> {_LASTING})?")


def parse_stages(text: str) -> tuple[AfflictionStage, ...]:
    """Parse a line of stages. Malformed parts are skipped."""
    return tuple(_stage(parts) for parts in _stages(text))


def format_stages(stages: tuple[AfflictionStage, ...]) -> str:
    """Return stages as one line of text."""
    return "; ".join(", ".join(_words(stage)) or _NOTHING for stage in stages)


def stages_error(text: str, known: KnownIds) -> str:
    """Return the first error in a line of stages, or an empty string if it is valid."""
    for parts in _stages(text):
        for part in parts:
            match = _CONDITION.fullmatch(part)
            conditions = known.get("condition", frozenset())
            if match is None and (problem := dice_problem(part)):
                return tr("ui.feature.not-stage", text=part, problem=problem)
            if match is not None and match["name"] not in conditions:
                hint = f"{match['name']!r}{nearest_hint(match['name'], conditions)}"
                return tr("ui.feature.not-stage", text=part, problem=hint)
    return ""


def _stages(text: str) -> Iterator[list[str]]:
    for group in text.split(";"):
        if group.strip():
            yield [part for piece in group.split(",") if (part := " ".join(piece.split())) and part != _NOTHING]


def _stage(parts: list[str]) -> AfflictionStage:
    damage, afflictions = [], []
    for part in parts:
        match = _CONDITION.fullmatch(part)
        if match is not None:
            ends: InflictedConditionEnds = "never" if match["lasting"] else "turn-end"
            afflictions.append(InflictedCondition(match["name"], ends, value=int(match["value"] or 0)))
        elif not dice_problem(part):
            damage.append(part)
    return AfflictionStage(" + ".join(damage), tuple(afflictions))


def _words(stage: AfflictionStage) -> Iterator[str]:
    if stage.damage:
        yield stage.damage
    for affliction in stage.afflictions:
        lasting = _LASTING if affliction.ends == "never" else ""
        yield " ".join(word for word in (affliction.condition, str(affliction.value or ""), lasting) if word)
