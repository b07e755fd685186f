"""A feature that an effect gives as one line of text: `hit 2d8 fire when melee, attacker.within:5`."""

import re
from typing import Final, get_args

from turnwright.encounter.field_specs import dice_problem, nearest_hint
from turnwright.encounter.prepared import LeftFeature, TriggerMoment
from turnwright.rules.system_data.known_ids import KnownIds
from turnwright.rules.system_data.references import STATEMENT, problems
from turnwright.ui.look.style import tr

_WHEN: Final = re.compile(r"\s+when\s+")
_GAIN: Final = re.compile(r"\b(heals|temp)\s+([0-9d+-]+)")
_MOMENTS: Final = tuple(moment for moment in get_args(TriggerMoment) if moment)


def parse_left_feature(text: str) -> LeftFeature | None:
    """Parse a line that `left_feature_error` accepts. Return None for an empty line."""
    head, *behind = _WHEN.split(text.strip(), maxsplit=1)
    if not head:
        return None
    gains = dict(_GAIN.findall(head))
    moment, *damage = _GAIN.sub("", head).split()
    return LeftFeature(moment, behind[0] if behind else "", " ".join(damage), **gains)  # type: ignore[arg-type]


def format_left_feature(left: LeftFeature | None) -> str:
    """Return the feature as one line of text."""
    if left is None:
        return ""
    gains = [f"{name} {dice}" for name, dice in (("heals", left.heals), ("temp", left.temp)) if dice]
    words = [left.trigger, *([left.damage] if left.damage else []), *gains]
    return " ".join([*words, *(["when", left.when] if left.when else [])])


def left_feature_error(text: str, known: KnownIds) -> str:
    """Return the first error in a line, or an empty string if it is valid."""
    if (moment := (text.split() or [""])[0]) and moment not in _MOMENTS:
        return tr("ui.feature.not-left", text=f"{moment!r}{nearest_hint(moment, _MOMENTS)}")
    left = parse_left_feature(text)
    if left is None:
        return ""
    for dice in (left.damage, left.heals, left.temp):
        if dice and (problem := dice_problem(dice)):
            return tr("ui.feature.not-left", text=f"{dice}: {problem}")
    return next((message for _, _, message in problems(STATEMENT, left.when, known)), "") if left.when else ""
