"""Reads the items of a D&D 5e actor as features of a stat block, with armour and gear."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from turnwright.encounter.prepared import OtherDamage
from turnwright.importers.common import as_list, as_mapping, as_text
from turnwright.importers.fields import split_damage
from turnwright.importers.foundry.actors import mapping_at, refill_period, system_of
from turnwright.importers.foundry.dnd5e_actions import ItemNumbers, item_numbers
from turnwright.importers.foundry.dnd5e_enrichers import ELSEWHERE, expand_enrichers
from turnwright.importers.foundry.reading import (
    ActorReading,
    add_carried,
    add_feature,
    add_worn,
    armor_kind,
    item_name,
    name_spells,
    spell_entry,
    with_long_activation,
    with_preface,
)
from turnwright.importers.statblock_text.damage import TWO_HANDS, as_int
from turnwright.importers.statblock_text.markup import plain_text
from turnwright.importers.vocabulary import terms

Record = Mapping[str, Any]
_COSTS: Final[Mapping[str, str]] = terms("foundry_dnd5e", "costs")
_GEAR: Final = frozenset({"loot", "consumable", "tool", "container", "backpack"})
_SILENT: Final = frozenset({"class", "subclass", "race", "background", "facility"})


def read_items(reading: ActorReading) -> None:
    """Read the items of a creature as features and gear. Dropped content is reported."""
    for item in reading.items:
        kind, name = as_text(item.get("type")), item_name(item) or "Nameless"
        if kind in ("feat", "weapon"):
            _add(item, name, item_numbers(item, name, reading), reading)
        elif kind == "spell":
            reading.spells.append(_spell(item))
        elif kind == "equipment" or kind in _GEAR:
            _gear(item, name, kind, reading)
        elif kind not in _SILENT:
            reading.report.add_note(f"items: {name}", kind, "unsupported item type; ignored")
    name_spells(reading)


def _add(item: Record, name: str, numbers: ItemNumbers, reading: ActorReading) -> None:
    known, activation = numbers.known, numbers.activation
    text = with_preface(as_text(activation.get("condition")), _prose(item, numbers, reading))
    kind = as_text(activation.get("type"))
    number = as_int(activation.get("value")) or as_int(activation.get("cost"))
    text = with_long_activation(text, number, kind, name, reading.report)
    if kind == "mythic":
        reading.report.add_note(f"{name}: activation", kind, "mythic action; imported as a legendary action")
    if numbers.two_handed and "two hands" not in text:
        _, *more = split_damage(as_text(known.get("damage")))
        known = {**known, "other_damage": (OtherDamage(TWO_HANDS, " + ".join((numbers.two_handed, *more))),)}
    usual = "action" if item.get("type") == "weapon" and "attack" in known else "trait"
    add_feature(name, text, _COSTS.get(kind, usual), known, reading)


def _prose(item: Record, numbers: ItemNumbers, reading: ActorReading) -> str:
    description = system_of(item).get("description")
    html = as_text(description.get("value")) if isinstance(description, dict) else as_text(description)
    return plain_text(expand_enrichers(html, item, numbers, reading))


def described(html: str, reading: ActorReading) -> str:
    """Return an actor's own description without markup. Text from other documents is omitted and reported."""
    expanded = expand_enrichers(html, {"name": "Description"}, ItemNumbers({}, {}), reading)
    text = plain_text(expanded.replace(ELSEWHERE, ""))
    return "" if text.casefold() == reading.name.casefold() else text  # the description is only a heading


def _gear(item: Record, name: str, kind: str, reading: ActorReading) -> None:
    system = system_of(item)
    if kind == "equipment" and system.get("equipped") is not False:
        add_worn(armor_kind(system), reading)
    numbers = item_numbers(item, name, reading)
    if numbers.activation.get("type") in _COSTS and not numbers.known.keys().isdisjoint(("attack", "save", "uses")):
        _add(item, name, numbers, reading)
    else:
        add_carried(item, name, _prose(item, numbers, reading) if kind != "equipment" else "", reading)


def _spell(spell: Record) -> tuple[str, str, int]:
    """Return a spell's name, its use limit and its level."""
    uses = mapping_at(system_of(spell), "uses")
    most, recovery = as_text(uses.get("max")), [*as_list(uses.get("recovery")), None][0]
    per = refill_period(as_mapping(recovery).get("period")) or refill_period(uses.get("per"))
    return spell_entry(spell, most if most != "0" else "", per)
