"""The ids, by kind, that a game's data and a user's files may refer to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final, get_args

from turnwright.encounter.prepared import ALL_CONDITIONS, ANY_CONDITION, CountdownSpeed, Creature
from turnwright.encounter.roles import CHARACTER_TAG
from turnwright.rules.system_data.numbers import RATINGS
from turnwright.rules.system_data.roles import CONDITION_ROLES
from turnwright.rules.system_data.rounds import LENGTHS_OF_TIME, ROLLED_LENGTHS
from turnwright.rules.system_data.statements import BARE, FACTS

if TYPE_CHECKING:
    from turnwright.rules.system_data import SystemData

KnownIds = Mapping[str, frozenset[str]]
SUSPENSIONS: Final = ("water", "sky", "astral")


def effect_ids(data: SystemData) -> frozenset[str]:
    """Return the ids of a game's conditions and marks. Effects with other names were named by a person."""
    return _ids(data.conditions) | _ids(data.standing) | {*CONDITION_ROLES, *data.marks} | _engine_ids(data, "mark")


def known_ids(data: SystemData) -> dict[str, frozenset[str]]:
    """Return the ids that a game defines, by kind. Ids of the ledger and of words are not included."""
    conditions = _ids(data.conditions) | _ids(data.standing)
    effects = effect_ids(data)
    damage, abilities, skills = _ids(data.damage_types), _ids(data.abilities), _ids(data.skills)
    groups = damage | {damage_type.group for damage_type in data.damage_types if damage_type.group} | {"all"}
    gear, specialties, resources = frozenset(data.gear), frozenset(data.specialties), _ids(data.resources)
    tags = frozenset(word for word, fact in FACTS.items() if fact.about == "roll" and not fact.argument)
    entries = [row for place in data.environments for row in (*place.features, *place.actions)]
    return {
        **{kind: frozenset(ids) for kind, ids in data.engine_ids},
        "ability": abilities,
        "ability or all": abilities | {"all"},
        "action": _ids(data.actions),
        "adjustment": _ids(data.adjustments),
        "choice": frozenset(choice.id for action in data.actions for choice in action.choices),
        "class": _ids(data.presets.classes),
        "condition": conditions,
        "condition or all": conditions | {ALL_CONDITIONS},
        "condition or any": conditions | {ANY_CONDITION},
        "condition or mark": effects,
        "cost": resources | _engine_ids(data, "cost") | {name for action in data.actions for name, _ in action.takes},
        "cover grade": _ids(data.cover),
        "damage or its type": damage | {"damage"},
        "damage, half of it or its type": damage | {"damage", "half", "half-temporary", "temporary"},
        "damage type": damage,
        "entry of an environment": _ids(entries),
        "environment": _ids(data.environments),
        "feature": _ids(data.spells),  # a spell can be chosen for a roll
        "field of a creature": frozenset(Creature.__struct_fields__),
        "gear": gear,
        "hindrance of sight": conditions | _engine_ids(data, "hindrance of sight"),
        "light source": _ids(data.lights) | {""},
        "length of time": ROLLED_LENGTHS | frozenset(LENGTHS_OF_TIME),
        "kind of ground": _ids(data.terrains) | _engine_ids(data, "kind of ground"),
        "mode or move": _ids(data.speeds) | _engine_ids(data, "mode") | {"move"},
        "mode": _ids(data.speeds) | _engine_ids(data, "mode"),
        "number or roll": _engine_ids(data, "number") | _engine_ids(data, "roll") | tags,
        "order": _ids(data.actions) | _engine_ids(data, "order"),
        "outcome": conditions | _engine_ids(data, "outcome"),
        "rating": frozenset(data.presentation.ratings or RATINGS),
        "property": _engine_ids(data, "property") | {*data.attack.words, *data.attack.adds_die, *data.attack.grows_die},
        "listed damage type": damage | {*data.damage_traits},
        "resistance": (groups if data.presentation.figured else damage) | {*data.damage_traits},
        "resource": resources,
        "sense": _ids(data.senses),
        "size": _ids(data.sizes),
        "skill": skills,
        "spawned creature": _ids(data.spawns),
        "specialty": specialties,
        "speed of a countdown": frozenset(get_args(CountdownSpeed)),
        "speed": _ids(data.speeds),
        "spell": _ids(data.spells),
        "spell level": frozenset(str(level) for level in range(1, 11)),
        "suspension": frozenset(SUSPENSIONS),
        "table rule": _ids(data.options),
        "table rule or always": _ids(data.options) | {"always"},
        "threat to a save": groups | effects | {"concentration", "damage", "dying", "push"},
        "tag": frozenset(
            {
                CHARACTER_TAG,
                *data.dying.devices.tags,
                *data.movement.mount_independent,
                *data.movement.mount_untrained,
                *(word for budget in data.budgets for word in (*budget.twice, budget.hazard, budget.complex)),
            }
        ),
        "tag of a roll": tags,
        "threat": frozenset(
            name
            for budget in (*data.budgets, *filter(None, (data.suggest.instead,)))
            for name in (*budget.names, *dict(budget.threats))
        ),
        "track": effects | _engine_ids(data, "track") | resources,
        "type of bonus": frozenset(data.checks.types),
        "waiving table rule": _ids(data.options),
        "what can be denied": resources | conditions | _ids(data.senses) | _engine_ids(data, "denied"),
        BARE: effects | gear | specialties,
        "damage type or all": damage | {"all"},
        "damage type or group": groups,
        "damage type or condition": groups | effects | {*data.damage_traits},
        "skill or save": skills | abilities,
        "surrounding": frozenset({"rolling", *SUSPENSIONS, *dict(data.movement.usual_modes)}),
    }


def _engine_ids(data: SystemData, kind: str) -> frozenset[str]:
    return frozenset(dict(data.engine_ids).get(kind, ()))


def _ids(entries: Iterable[Any]) -> frozenset[str]:
    return frozenset(entry.id for entry in entries)
