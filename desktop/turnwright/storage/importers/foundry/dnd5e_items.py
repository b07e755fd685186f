"""Reads the items of a D&D 5e actor as features of a stat block, with armour and gear beside."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from turnwright.encounter.prepared import Feature, SourceNote
from turnwright.storage.ids import IdAllocator
from turnwright.storage.importers.common import as_mapping, as_text
from turnwright.storage.importers.foundry.actors import nested_value, system_of
from turnwright.storage.importers.foundry.dnd5e_actions import item_numbers
from turnwright.storage.importers.foundry.dnd5e_damage import ItemContext
from turnwright.storage.importers.foundry.inline_commands import expand_inline_commands
from turnwright.storage.importers.foundry.prose_merge import merged_feature, name_spells
from turnwright.storage.importers.foundry.units import refill_period
from turnwright.storage.statblock_text.markup import plain_text
from turnwright.storage.statblock_text.numbers import as_int

Found = Mapping[str, Any]
_COSTS: Final = {
    "action": "action", "bonus": "bonus", "reaction": "reaction", "reactiondamage": "reaction", "reactionmanual": "reaction",
    "legendary": "legendary", "mythic": "legendary", "lair": "lair", "crew": "action", "free": "free",
}  # fmt: skip
_LONG: Final = frozenset({"minute", "hour", "day"})
_GEAR: Final = frozenset({"loot", "consumable", "tool", "container", "backpack"})
_SILENT: Final = frozenset({"class", "subclass", "race", "background", "facility"})


class Dnd5eItems(msgspec.Struct):
    """The result of reading items: features in order, remarks and statements about gear, and spells."""

    features: list[Feature] = []
    remarks: list[SourceNote] = []
    gear: list[str] = []
    spells: list[Found] = []
    casts: bool = False


def read_items(items: list[Found], ids: IdAllocator, context: ItemContext) -> Dnd5eItems:
    """Return the items of a creature as features. Dropped content is reported."""
    found = Dnd5eItems()
    for item in items:
        kind, name = as_text(item.get("type")), " ".join(as_text(item.get("name")).split()) or "Nameless"
        if kind in ("feat", "weapon"):
            found.features.append(_made(item, name, ids, context))
            found.casts = found.casts or "spellcasting" in name.lower()
        elif kind == "spell":
            found.spells.append(item)
        elif kind == "equipment" or kind in _GEAR:
            _gear(item, name, kind, ids, context, found)
        elif kind not in _SILENT:
            context.report.add_note(f"items: {name}", kind, "is of a kind that no stat block has; it isn't kept")
    if found.spells:
        name_spells(found.features, [_spell(one) for one in found.spells], ids, context.report)
    return found


def _made(item: Found, name: str, ids: IdAllocator, making: ItemContext) -> Feature:
    system = system_of(item)
    doing = item_numbers(item, name, making)
    known, activation = doing.known, doing.activation
    shown = {**known, "two_handed": doing.two_handed}
    text = plain_text(expand_inline_commands(_html(system), shown, making.creature, making.formulas))
    condition = as_text(activation.get("condition")).strip()
    if condition and condition.lower().rstrip(".") not in text.lower():
        text = f"{condition.rstrip('.')}. {text}".strip()
    kind = as_text(activation.get("type"))
    if kind in _LONG:
        number = as_int(activation.get("value")) or as_int(activation.get("cost")) or 1
        said = f"{number} {kind}{'s' if number > 1 else ''}"
        text = f"{text}\nTakes {said}.".strip()
        making.report.add_note(f"{name}: activation", said, "is longer than an action; it stays as text only")
    if kind == "mythic":
        making.report.add_note(f"{name}: activation", kind, "is a mythic action; it is kept as a legendary one")
    if doing.two_handed and "two hands" not in text:
        text = f"{text}\nTwo-handed: {doing.two_handed}.".strip()
    cost = _COSTS.get(kind) or (
        "action" if item.get("type") == "weapon" and known.get("attack") is not None else "trait"
    )
    return merged_feature(ids, name, text, cost, making.report, known)


def _html(system: Found) -> str:
    said = system.get("description")
    return as_text(said.get("value")) if isinstance(said, dict) else as_text(said)


def _gear(item: Found, name: str, kind: str, ids: IdAllocator, making: ItemContext, found: Dnd5eItems) -> None:
    system = system_of(item)
    worn = as_text(nested_value(system, "type.value")) or as_text(nested_value(system, "armor.type"))
    if kind == "equipment" and system.get("equipped") is not False:
        if worn == "shield" and "shield" not in found.gear:
            found.gear.append("shield")
        if worn == "heavy" and "heavy-armor" not in found.gear:
            found.gear.append("heavy-armor")
    doing = item_numbers(item, name, making)
    known, activation = doing.known, doing.activation
    if activation.get("type") in _COSTS and (known.get("attack") is not None or known.get("save") or known.get("uses")):
        found.features.append(_made(item, name, ids, making))
        return
    count = as_int(system.get("quantity")) or 1
    text = (
        plain_text(expand_inline_commands(_html(system), known, making.creature, making.formulas))
        if kind != "equipment"
        else ""
    )
    said = f"{name} ({count})" if count > 1 else name
    found.remarks.append(SourceNote("gear", f"{said}: {text}"[:2_000] if text else said))


def _spell(spell: Found) -> tuple[str, str, int]:
    """Return a spell's name, its limit of uses, and its level."""
    system = system_of(spell)
    most = as_text(nested_value(system, "uses.max"))
    recovery = nested_value(system, "uses.recovery")
    first = recovery[0] if isinstance(recovery, list) and recovery else None
    per = refill_period(as_mapping(first).get("period")) or refill_period(nested_value(system, "uses.per"))
    limit = f" ({most}/{per})" if most and most != "0" and per else ""
    return " ".join(as_text(spell.get("name")).split()), limit, as_int(system.get("level")) or 0
