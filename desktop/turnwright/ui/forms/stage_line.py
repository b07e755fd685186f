"""Stages of an affliction and steps of a feature, each as one line of text.

Stages of an affliction as one line of text: `1d6 poison, enfeebled 1; 2d6 poison, drained 1 lasting`.

Steps of a feature as one line of text: `use bite; move half fly; action hide or action dash`.
"""

import re
from collections.abc import Iterator
from typing import Any, Final

from turnwright.encounter import prepared
from turnwright.encounter.field_specs import dice_problem, nearest_hint, spec_of
from turnwright.rules.system_data.known_ids import KnownIds
from turnwright.rules.system_data.references import own_ids, problems
from turnwright.ui.look.style import tr

_LASTING: Final = "lasting"  # the condition stays after its stage
_NOTHING: Final = "nothing"
_CONDITION: Final = re.compile(rf"(?P<name>[a-z][a-z-]*)(?: (?P<value>[0-9]{{1,4}}))?(?P<lasting> {_LASTING})?")


def parse_stages(text: str) -> tuple[prepared.AfflictionStage, ...]:
    """Parse a line of stages. Malformed parts are skipped."""
    return tuple(_stage(parts) for parts in _stages(text))


def format_stages(stages: tuple[prepared.AfflictionStage, ...]) -> str:
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


def _stage(parts: list[str]) -> prepared.AfflictionStage:
    damage, afflictions = [], []
    for part in parts:
        if (match := _CONDITION.fullmatch(part)) is not None:
            ends: prepared.InflictedConditionEnds = "never" if match["lasting"] else "turn-end"
            afflictions.append(prepared.InflictedCondition(match["name"], ends, value=int(match["value"] or 0)))
        elif not dice_problem(part):
            damage.append(part)
    return prepared.AfflictionStage(" + ".join(damage), tuple(afflictions))


def _words(stage: prepared.AfflictionStage) -> Iterator[str]:
    if stage.damage:
        yield stage.damage
    for affliction in stage.afflictions:
        lasting = _LASTING if affliction.ends == "never" else ""
        yield " ".join(word for word in (affliction.condition, str(affliction.value or ""), lasting) if word)


TOGETHER, CARRYING, DISRUPTING = "together", "carrying", "disrupting"
_MORE: Final = {  # optional words after the first argument, last one first
    "use": (("disrupts", DISRUPTING), ("carries", CARRYING), ("together", TOGETHER), ("bonus", r"[+-][0-9]{1,3}")),
    "move": (("feet", r"[0-9]{1,4}"),),
    "spell": (("value", r"[1-9]|10"),),
    "summons": (("together", TOGETHER),),
    "gains": (("until", r"turn-start|turn-end"), ("value", r"[0-9]{1,3}")),
}
_OR: Final = re.compile(r"\s+or\s+(?!smaller\b|larger\b|[A-Z])")  # forms keep theirs
_AS: Final = re.compile(r"\s+as\s+")  # before a form, which has several words
_MOVES: Final = tuple(option for option in spec_of(prepared.FeatureStep, "move").options if option)


def parse_steps(text: str) -> tuple[prepared.FeatureStep, ...]:
    """Parse a line of steps. Malformed steps are skipped."""
    steps = (_parsed(part, alternative) for part, alternative in _parts(text))
    return tuple(step for step in steps if isinstance(step, prepared.FeatureStep))


def format_steps(steps: tuple[prepared.FeatureStep, ...]) -> str:
    """Return steps as one line of text."""
    line = ""
    for step in steps:
        line += (" or " if step.alternative else "; ") if line else ""
        numbers = (f"{step.bonus:+d}" if step.bonus else "", str(step.value or step.feet or ""))
        form = f"as {step.form}" if step.form else ""
        joined = (
            TOGETHER if step.together else "",
            CARRYING if step.carries else "",
            DISRUPTING if step.disrupts else "",
        )
        more = (step.mode, *numbers, *joined, step.until, form)
        line += " ".join(word for kind in step.kinds for word in (kind, str(getattr(step, kind)), *more) if word)
    return line


def steps_error(text: str, known: KnownIds, features: frozenset[str]) -> str:
    """Return the first error in a line of steps, or an empty string. `features` are the creature's features."""
    for part, alternative in _parts(text):
        step = _parsed(part, alternative)
        problem = step if isinstance(step, str) else _problem(step, known, features)
        if problem:
            return tr("ui.feature.not-step", text=part, problem=problem)
    return ""


def _parts(text: str) -> Iterator[tuple[str, bool]]:
    for group in text.split(";"):
        for at, part in enumerate(_OR.split(group.strip())):
            if part.strip():
                yield part.strip(), at > 0


def _parsed(text: str, alternative: bool) -> prepared.FeatureStep | str:
    """Parse a step. Return an error message if it is malformed."""
    text, *form = _AS.split(text, maxsplit=1)
    kind, *words = text.split()
    if kind not in prepared.STEP_KINDS:
        return f"{kind!r}{nearest_hint(kind, prepared.STEP_KINDS)}"
    more: dict[str, Any] = {"form": form[0]} if form else {}
    for field, pattern in _MORE.get(kind, ()):
        if len(words) > 1 and re.fullmatch(pattern, words[-1]):
            word = words.pop()
            more[field] = word if field == "until" else word in (TOGETHER, CARRYING, DISRUPTING) or int(word)
    if not words or len(words) > (2 if kind == "move" else 1):
        return tr("ui.feature.one-word", kind=kind)
    if kind == "move" and words[0] not in _MOVES:
        return f"{words[0]!r}{nearest_hint(words[0], _MOVES)}"
    if kind == "teleport":
        if not words[0].isdecimal():
            return tr("ui.feature.one-word", kind=kind)
        return prepared.FeatureStep(teleport=int(words[0]), alternative=alternative)
    return prepared.FeatureStep(mode="".join(words[1:]), alternative=alternative, **{kind: words[0], **more})


def _problem(step: prepared.FeatureStep, known: KnownIds, features: frozenset[str]) -> str:
    feature = step.use or step.recharges
    allowed = features | (set(prepared.ANY_ATTACKS) if step.use else {prepared.ALL_FEATURES})
    if feature and feature not in allowed:
        return f"{feature!r}{nearest_hint(feature, allowed)}"
    messages = (message for _, kind, word in own_ids(step) for _, _, message in problems(kind, word, known))
    return next(messages, "")
