"""The ids that texts of a game's data, and of a person's files for it, may name, by kind."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from turnwright.rules.system_data.roles import CONDITION_ROLES
from turnwright.rules.system_data.statements import BARE

if TYPE_CHECKING:
    from turnwright.rules.system_data import SystemData

KnownIds = Mapping[str, frozenset[str]]
SUSPENSIONS: Final = ("water", "sky", "astral")
# What the engines leave on a combatant, count and look for by themselves.
ENGINE_MARKS: Final = frozenset({
    "blocked-critical", "dragging", "exerted", "exertion-check", "just-mounted", "mount-commanded", "mount-hurried",
    "reacted", "readied-move", "sliding", "struck-with", "struck-with-both-hands",
})  # fmt: skip
ENGINE_TRACKS: Final = frozenset({
    "attacks", "death-failures", "death-successes", "disabling", "fatigue-pending", "moved",
})  # fmt: skip
ENGINE_PROPERTIES: Final = frozenset({
    "dual-wielding", "finesse", "heavy", "legendary-resistance", "magical", "ranged", "reach", "spell", "thrown",
    "two-handed", "unarmed", "weapon",
})  # fmt: skip


def known_ids(data: SystemData) -> KnownIds:
    """Return the ids that a game knows, by kind."""
    conditions = _ids(data.conditions) | _ids(data.standing) | {*CONDITION_ROLES, *data.marks} | ENGINE_MARKS
    damage = _ids(data.damage_types) | {one.group for one in data.damage_types if one.group} | {"all"}
    skills, abilities, gear = _ids(data.skills), _ids(data.abilities), frozenset(data.gear)
    specialties = frozenset(data.specialties)
    tires = {one.exertion.tires for one in data.actions if one.exertion is not None}
    return MappingProxyType(
        {
            "ability": abilities,
            "skill": skills,
            "skill or save": skills | abilities,
            "condition": frozenset(conditions),
            "damage type": damage,
            "damage type or condition": damage | conditions,
            "gear": gear,
            "specialty": specialties,
            BARE: conditions | gear | specialties,
            "weapon word": ENGINE_PROPERTIES | {*data.attack.words},
            "track": conditions | ENGINE_TRACKS | _ids(data.resources) | tires,
            "resource": _ids(data.resources),
            "table rule": _ids(data.options),
            "speed": _ids(data.speeds),
            "size": _ids(data.sizes),
            "sense": _ids(data.senses),
            "cover grade": _ids(data.cover),
            "surrounding": frozenset({"rolling", *SUSPENSIONS, *dict(data.movement.usual_modes)}),
        }
    )


def _ids(entries: Iterable[Any]) -> frozenset[str]:
    return frozenset(one.id for one in entries)
