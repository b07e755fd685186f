"""Items that a combatant can use: carried ones, and objects on the map within its reach."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from turnwright.encounter.prepared import Feature, Obstacle
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Lookup
from turnwright.rules.parts.attacks.attack_targeting import distance_to_squares
from turnwright.rules.parts.attacks.weapon_kind import is_attack, is_item
from turnwright.rules.parts.environment.areas import current_map
from turnwright.rules.system import RuleSystem, creature_of


class UsableItem(msgspec.Struct, frozen=True):
    """A usable item: its id and name, and its feature if the stat block has one for it."""

    id: str
    name: str
    feature: Feature | None = None


def usable_items(lookup: Lookup, rules: RuleSystem, who: str) -> tuple[UsableItem, ...]:
    """Return the items that a combatant can use now. An object counts as within reach unless it is known not to be."""
    things = (
        UsableItem(map_item.id, map_item.name or map_item.id)
        for map_item in _map_items(lookup)
        if is_within_reach(lookup, rules, who, map_item)
    )
    return (*_carried(lookup, who), *things)


def _carried(lookup: Lookup, who: str) -> Iterator[UsableItem]:
    """Yield the carried items, except those with an attack or save, which have their own entries."""
    combatant = lookup.need(Combatant, who)
    creature = creature_of(lookup, combatant)
    for feature in creature.features:
        if is_item(feature) and not is_attack(feature) and not feature.save:
            yield UsableItem(feature.id, feature.name, feature)
    for name in dict.fromkeys((*combatant.gear, *creature.gear)):
        yield UsableItem(f"gear:{name}", name)


def _map_items(lookup: Lookup) -> tuple[Obstacle, ...]:
    field = current_map(lookup)
    return tuple(obstacle for obstacle in (field.obstacles if field else ()) if obstacle.item)


def is_within_reach(lookup: Lookup, rules: RuleSystem, who: str, obstacle: Obstacle) -> bool:
    """Return whether an object on the map is within a combatant's reach, or at an unknown distance."""
    feet = distance_to_squares(lookup, rules, who, obstacle.at, obstacle.size)
    own = creature_of(lookup, lookup.need(Combatant, who)).reach
    return feet is None or feet <= (own or rules.data.attack.reach)


def item_out_of_reach(lookup: Lookup, rules: RuleSystem, who: str, id: str) -> Obstacle | None:
    """Return the object on the map with this id if it is too far away to be used, else None."""
    thing = next((map_item for map_item in _map_items(lookup) if map_item.id == id), None)
    return thing if thing is not None and not is_within_reach(lookup, rules, who, thing) else None
