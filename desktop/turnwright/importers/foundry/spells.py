"""Builds spells from the numbers of an actor's spell items, for D&D 5e and A5E."""

import re
from collections.abc import Mapping
from typing import Any, Final

from turnwright.importers.common import as_text
from turnwright.importers.foundry.reading import item_name, system_of
from turnwright.importers.statblock_text.damage import as_int
from turnwright.rules.system_data.numbers import Spell
from turnwright.rules.system_data.rounds import length_of_time
from turnwright.storage.atomic import slug

_COSTS: Final = {"bonus": "bonus", "bonusAction": "bonus", "reaction": "reaction"}
_LONG: Final = frozenset({"minute", "hour", "day", "round"})
_DICE: Final = re.compile(r"\d{1,2}d\d{1,2}")
_PARTS: Final = ("damage", "save", "half", "area", "range")


def spell_of(
    item: Mapping[str, Any],
    known: Mapping[str, Any],
    activation: Mapping[str, Any],
    duration: tuple[Any, Any],
    *,
    concentration: bool,
    higher: str = "",
    heals: str = "",
) -> Spell:
    """Return the spell of an item from its numbers, keyed by feature field.

    `duration` is its number and unit, `higher` the damage or healing for each slot level above its own. Damage without
    an attack or a save may be dealt later, and is omitted.
    """
    kind, level, name = as_text(activation.get("type")), as_int(system_of(item).get("level")) or 0, item_name(item)
    fields: dict[str, Any] = {field: known[field] for field in _PARTS if field in known}
    if "attack" in known:
        fields["attack"] = "melee" if known.get("reach") and "range" not in known else "ranged"
    elif "save" not in known:
        fields.pop("damage", None)
    fields["half"] = bool(fields.get("half") and fields.get("damage"))
    if heals and not ("attack" in known or "save" in known):
        fields["heals"] = heals.removesuffix(" healing")
    amount = fields.get("damage") or fields.get("heals")
    grows = bool(amount) and level == 0
    on_targets = "save" in known or ("area" not in fields and (concentration or fields.get("range") == "self"))
    return Spell(
        slug(name),
        name,
        level=level,
        cost=_COSTS.get(kind, "action"),  # type: ignore[arg-type]
        casting_time=_lasts(activation.get("value") or activation.get("cost"), kind) or kind if kind in _LONG else "",
        concentration=concentration,
        lasts=_lasts(*duration) if on_targets and not fields.get("damage") else "",
        grows=grows,
        higher=higher if amount and not grows and _DICE.fullmatch(higher) else "",
        **fields,
    )


def _lasts(number: Any, unit: Any) -> str:
    count = as_int(number)
    return length_of_time(str(count), as_text(unit)) if count and 0 < count <= 100 and as_text(unit) else ""
