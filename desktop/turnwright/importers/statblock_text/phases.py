"""Reads a creature's phases from its traits: new hit points when it falls to 0, and changes while it is bloodied."""

from __future__ import annotations

import re
from typing import Any, Final

import msgspec

from turnwright.encounter.prepared import Creature, CreaturePhase, Feature

MYTHIC: Final = "mythic"
ONLY_MYTHIC: Final = f"phase:{MYTHIC}"  # set by importers for actions in a section of mythic actions
_MAX_LENGTH: Final = 3_000
_BRACKETS: Final = re.compile(r"\s*\([^()]*\)")
_AT_ZERO: Final = re.compile(
    r"\b(?:if|when|the first time)\b[^.;]{1,80}?\b(?:is|would be|are) reduced to 0 hit points[^;]{0,120}?"
    r"\bregains? (?:(?P<hp>[0-9]{1,5})(?: \([^()]{1,20}\))?|(?P<all>all(?: of)?(?: its| his| her| their)?)) hit points",
    re.IGNORECASE,
)
_INSTEAD: Final = re.compile(
    r"\binstead\b|\b(?:doesn't|does not|don't|do not) (?:die|fall unconscious)\b", re.IGNORECASE
)
_ANEW: Final = re.compile(
    r"\bregains? (?:any|all|its|his|her|their)\b[^.;]{0,30}\buses? of ([^.;]{3,60})"
    r"|\b([^.;,]{3,60}?),? (?:immediately )?recharges?(?=[.;,]| and\b|$)",
    re.IGNORECASE,
)
_FIRST_BLOODIED: Final = re.compile(
    r"^when [^.;]{1,60} is first bloodied,? (?:it|he|she|they) (?:immediately )?recharges? (?:its|his|her|their) breath"
    r" weapon\b",
    re.IGNORECASE,
)
_MORE_LEGENDARY: Final = re.compile(
    r"^while bloodied,? [^.;]{1,60} can take ([0-9]{1,2}) legendary actions instead of [0-9]{1,2}\.?$", re.IGNORECASE
)


def with_phases(creature: Creature) -> Creature:
    """Return a creature with the phases described in its traits.

    If there is no mythic phase, mythic actions become ordinary ones.
    """
    if creature.phases:
        return creature
    unsorted = [phase for feature in creature.features if (phase := _phase(feature, creature)) is not None]
    phases = tuple({phase.id: phase for phase in sorted(unsorted, key=lambda candidate: -candidate.at)}.values())
    changes: dict[str, Any] = {}
    if phases:
        changes |= {"phases": phases, "read": (*creature.read, "phases")}
    if all(phase.id != MYTHIC for phase in phases) and any(
        feature.only == ONLY_MYTHIC for feature in creature.features
    ):
        changes["features"] = tuple(
            msgspec.structs.replace(feature, only="") if feature.only == ONLY_MYTHIC else feature
            for feature in creature.features
        )
    return msgspec.structs.replace(creature, **changes) if changes else creature


def _phase(feature: Feature, creature: Creature) -> CreaturePhase | None:
    """Return the phase described in a trait, or None for other features."""
    text = feature.text.replace("’", "'").strip()
    if feature.cost != "trait" or len(text) > _MAX_LENGTH:
        return None
    name = _BRACKETS.sub("", feature.name).strip()
    at_zero = _AT_ZERO.search(text)
    if at_zero is not None and _INSTEAD.search(at_zero[0]) and (at_zero["all"] or int(at_zero["hp"]) > 1):
        own = int(at_zero["hp"] or 0)
        return CreaturePhase(MYTHIC, name, at=0, hp=own, recharges=_ready(text[at_zero.end() :], creature))
    more = _MORE_LEGENDARY.match(text)
    if more is not None:
        return CreaturePhase("bloodied-frenzy", name, legendary=int(more[1]), reverts=True)
    breaths = [other.id for other in creature.features if other.recharge and "breath" in other.name.lower()]
    if breaths and _FIRST_BLOODIED.match(text):
        return CreaturePhase("bloodied", name, recharges=tuple(breaths))
    return None


def _ready(text: str, creature: Creature) -> tuple[str, ...]:
    """Return the ids of the limited features that a text restores."""
    restored = " ".join(match[1] or match[2] for match in _ANEW.finditer(text)).lower()
    limited = (feature for feature in creature.features if feature.uses or feature.recharge)
    return tuple(candidate.id for candidate in limited if _BRACKETS.sub("", candidate.name).strip().lower() in restored)
