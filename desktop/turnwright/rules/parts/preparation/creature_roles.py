"""A sketch of a creature's numbers, and its role in a fight, derived from them.

Both depend only on the stat block and the usual numbers of its rating, so that a list of thousands of creatures can
include them. Damage is the average of hits and failed saves, without their chance.
"""

import re
from functools import lru_cache
from typing import Final

import msgspec

from turnwright.encounter.prepared import ANY_ATTACKS, ELITE, Creature, CreatureRole, Feature
from turnwright.rules.system_data.preparation import ScalingFigures

_TERM = re.compile(r"(-?)\s*(?:(\d{0,3})d(\d{1,4})|(\d{1,6}))")
_ROUNDS: Final = 3  # rounds for the average damage
_IN_AREA: Final = 2  # targets in an area
_CROWDS: Final = frozenset({"swarm", "troop"})
_SMALL: Final = frozenset({"tiny", "small"})
_HUGE: Final = frozenset({"huge", "gargantuan", "titanic"})
_FAST, _FLYING = 50, 30  # feet


class Sketch(msgspec.Struct, frozen=True, array_like=True):
    """The numbers of a creature that suggestions compare.

    `damage` is per round, with two targets in an area. `largest` is that of its strongest action against one target.
    """

    hp: int = 0
    ac: int = 0
    damage: float = 0.0
    largest: float = 0.0


@lru_cache(maxsize=4096)  # many creatures have the same dice
def average_damage(text: str) -> float:
    """Return the average of a damage expression, of all types together."""
    return sum(
        (-1 if minus else 1) * (float(flat) if flat else int(count or 1) * (int(sides) + 1) / 2)
        for minus, count, sides, flat in _TERM.findall(text)
    )


class ActionFigures:
    """The damage of a creature's actions. `points` is the number of actions in a turn, unless the stat block has a pool."""

    def __init__(self, creature: Creature, points: int = 1) -> None:
        self._creature = creature
        self._points = dict(creature.pools).get("action", points)
        self._hits = {row.id: average_damage(row.damage) + average_damage(row.save_damage) for row in creature.features}
        attacks = [row for row in creature.features if row.cost == "action" and row.attack is not None]
        self._best = max((self._hits[row.id] for row in attacks), default=0.0)
        self._shots = {row.id for row in attacks if row.range and not row.reach and not row.is_spell}

    def sketch(self) -> Sketch:
        """Return the creature's sketch."""
        creature, limited = self._creature, list[float]()
        usual = largest = 0.0
        for row in creature.features:
            if row.cost not in ("action", "bonus"):
                continue
            damage = self._of_action(row)
            largest = max(largest, damage)
            damage *= _IN_AREA if row.area else min(_IN_AREA, max(1, self._points // max(1, row.price)))
            if row.uses or row.recharge or row.rests or row.level:
                limited.append(damage)
            elif row.cost == "action":
                usual = max(usual, damage)
        rounds = sorted([*limited, *[usual] * _ROUNDS])[-_ROUNDS:]
        legendary = [self._of_action(row) / max(1, row.price) for row in creature.features if row.cost == "legendary"]
        damage = sum(rounds) / _ROUNDS + max(legendary, default=0.0) * creature.legendary
        return Sketch(creature.hp, creature.ac, round(damage, 1), round(largest, 1))

    def best_shots(self) -> tuple[float, float]:
        """Return the damage of its best action with ranged weapons, and of its best action with other attacks."""
        shots, others = 0.0, 0.0
        for row in self._creature.features:
            ways = list(row.multiattack)
            if row.attack is not None and not row.is_spell:
                ways.append(((row.id, 1),))
            for way in ways:
                damage = sum(self._hits.get(id, 0.0) * count for id, count in way)
                if self._shots.issuperset(id for id, _ in way):
                    shots = max(shots, damage)
                else:
                    others = max(others, damage)
        return shots, others

    def _of_action(self, row: Feature) -> float:
        """Return the damage of an action against one target, including the attacks that belong to it."""
        ways = [sum(self._hits.get(id, 0.0) * count for id, count in way) for way in row.multiattack]
        total = max(self._hits[row.id], *(ways or (row.attacks * self._best, 0.0)))
        last = 0.0
        counted = {id for way in row.multiattack for id, _ in way}
        for step in row.does:
            if step.use in counted:
                continue
            damage = self._best if step.use in ANY_ATTACKS else self._hits.get(step.use, 0.0)
            total += max(0.0, damage - last) if step.alternative else damage
            last = max(damage, last) if step.alternative else damage
        return total


def derived_role(creature: Creature, usual: ScalingFigures) -> CreatureRole:
    """Return a creature's role. If its stat block has none, derive it from the numbers."""
    if creature.role:
        return creature.role
    words = {creature.type, *creature.tags, *creature.name.lower().split()}
    if words & _CROWDS:
        return "swarm"
    if creature.legendary or creature.phases or ELITE in words or any(row.cost == "lair" for row in creature.features):
        return "boss"
    spells = [row.level for row in creature.features if row.is_spell]
    if len(spells) > 5 or sum(level != 0 for level in spells) > 1:
        return "caster"
    return _role_of_attacker(creature, usual)


def _role_of_attacker(creature: Creature, usual: ScalingFigures) -> CreatureRole:
    row = usual.benchmark(creature.rating or str(creature.level))
    armour = creature.ac - row.ac if row is not None else 0
    shots, others = ActionFigures(creature).best_shots()
    speeds, stealth = dict(creature.speeds), dict(creature.skills).get("stealth", 0)
    flies, runs = speeds.get("fly", 0), max(speeds.get("walk", 0), speeds.get("climb", 0))
    is_quick = flies >= _FLYING or (runs >= _FAST and creature.size not in _HUGE)
    if shots and shots >= others and armour < 3:
        return "artillery"
    if armour > 2:
        return "soldier"
    controls = any(
        inflicted.condition in usual.controlling for feature in creature.features for inflicted in feature.afflictions
    )
    expert = row is not None and stealth > row.skill + 2
    if stealth and (expert or not (is_quick or controls)):
        return "lurker"
    if controls:
        return "controller"
    if is_quick:
        return "skirmisher"
    if armour >= next((role.ac for role in usual.roles if role.id == "soldier"), 1):
        return "soldier"
    return "skirmisher" if creature.size in _SMALL or armour > 0 else "brute"
