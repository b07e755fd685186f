"""Reads the items of an A5E actor as features of a stat block: traits, weapons, legendary actions, spell lists."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from turnwright.encounter.prepared import Feature
from turnwright.importers.common import as_mapping, as_text
from turnwright.importers.foundry.a5e_actions import (
    ActionNumbers,
    action_numbers,
    description_of,
    usage_of,
)
from turnwright.importers.foundry.actors import mapping_at, value_at, values_of
from turnwright.importers.foundry.damage_rolls import position_in_prose
from turnwright.importers.foundry.prose_merge import add_feature, name_spells
from turnwright.importers.foundry.reading import (
    ActorReading,
    add_carried,
    add_worn,
    item_name,
    spell_entry,
    with_long_activation,
    with_preface,
)
from turnwright.importers.pf2e.ability_text import sentence_around
from turnwright.importers.statblock_text.feature_names import read_feature_name
from turnwright.importers.statblock_text.markup import plain_text
from turnwright.importers.statblock_text.numbers import as_int

Record = Mapping[str, Any]
_COSTS: Final = {
    "action": "action", "bonusAction": "bonus", "reaction": "reaction", "legendaryAction": "legendary", "lairAction": "lair",
    "special": "trait", "none": "trait", "": "", "free": "free",
}  # fmt: skip
_COST_IN_NAME = re.compile(
    r"^legendary action:\s*|\s*\((?:(?P<n>\d)\s+)?(?P<kind>legendary|bonus|re|lair)[ -]?actions?\)\s*$", re.IGNORECASE
)
_PRICE = re.compile(r"\s*\((?:costs?\s+)?(\d)(?:\s+(?:legendary\s+)?actions?)?\)", re.IGNORECASE)
_REACH = re.compile(r"\s*\((?:reach )?\d{1,3}(?:\s*/\s*\d{1,4})? ?(?:ft|feet)\.?\)", re.IGNORECASE)
_LEAD = re.compile(r"<p>\s*<(strong|b|em)>(.{1,80}?)[.:]?\s*</\1>[.:]?\s*(.*?)(?=<p>\s*<(?:strong|b|em)>|$)", re.DOTALL)
_KINDS: Final = {"legendary": "legendary", "bonus": "bonus", "re": "reaction", "lair": "lair"}


def read_items(reading: ActorReading) -> int:
    """Read a creature's items as features, and return the number of its legendary actions, or 0 if it isn't stated.

    Dropped content is reported once per type.
    """
    legendary = 0
    basic: list[str] = []
    named = {
        _bare(_PRICE.sub("", as_text(item.get("name")))).lower(): plain_text(description_of(item))
        for item in reading.items
        if item.get("type") == "feature" and _is_legendary(item)
    }
    for item in reading.items:
        kind, name = item.get("type"), item_name(item) or "Nameless"
        if kind == "feature":
            count = _feature(item, name, reading, named)
            legendary = legendary or count
        elif kind == "object":
            _object(item, name, reading)
        elif kind == "maneuver":
            basic += _maneuver(item, name, reading)
        elif kind == "spell":
            uses = mapping_at(item, "system.uses")
            reading.spells.append(spell_entry(item, as_text(uses.get("max")), as_text(uses.get("per"))))
        else:
            reading.report.add_note(f"items: {name}", as_text(kind), "unsupported item type; ignored")
    if basic:
        reading.report.add_note(
            "items: maneuvers", ", ".join(basic), "basic maneuvers, which every creature can use; not added"
        )
    name_spells(reading)
    return min(legendary, 100)


def _feature(item: Record, name: str, reading: ActorReading, named: Mapping[str, str]) -> int:
    """Read a feature, and return the number of legendary actions that it grants."""
    system = as_mapping(item.get("system"))
    html = description_of(item)
    actions = values_of(system.get("actions"))
    usage = usage_of(as_mapping(system.get("uses")), name, reading)
    legendary = 0
    if (
        name.lower().startswith(("legendary action", "elite legendary action"))
        and ":" not in name
        and not (len(actions) == 1 and values_of(actions[0].get("rolls")))
    ):
        legendary = int(usage.get("uses", 0))
        usage = {}
        if not actions:
            _preamble(name, html, reading, named)
            return legendary
    if len(actions) > 1:
        _several(item, name, html, usage, actions, reading)
    else:
        _add(item, name, plain_text(html), actions[0] if actions else {}, usage, reading)
    return legendary


def _leads(html: str) -> dict[str, tuple[str, str]]:
    """Return the paragraphs that have a heading: pairs of heading and text, keyed by the simplified heading."""
    pairs = ((plain_text(lead[2]).rstrip(".: "), plain_text(lead[3])) for lead in _LEAD.finditer(html))
    return {_bare(_PRICE.sub("", name)).lower(): (name, text) for name, text in pairs if name and text}


def _intro(html: str) -> str:
    """Return the text before the first paragraph with a heading."""
    lead = _LEAD.search(html)
    return plain_text(html[: lead.start()] if lead else html)


def _several(
    item: Record, name: str, html: str, usage: dict[str, Any], actions: list[Record], reading: ActorReading
) -> None:
    """Convert a feature with several actions: one feature for the text, and one for each action."""
    leads = _leads(html)
    names = [item_name(action) or name for action in actions]
    own_texts = [plain_text(as_text(action.get("description"))) for action in actions]
    texts = [
        text or leads.get(_bare(action_name).lower(), ("", ""))[1]
        for action_name, text in zip(names, own_texts, strict=True)
    ]
    intro = _intro(html) if all(texts) else plain_text(html)
    if intro and intro.lower() != name.lower():
        read = read_feature_name(_bare(name))
        parent: dict[str, Any] = {"recharge": read.recharge, "uses": read.uses, "per": read.per, **usage}
        parent["cost"] = _cost(actions[0], item, name)
        reading.features.append(Feature(reading.ids.allocate(read.name), read.name, text=intro, **parent))
    for action, action_name, text in zip(actions, names, texts, strict=True):
        _add(item, action_name, text, action, usage, reading)


def _preamble(name: str, html: str, reading: ActorReading, named: Mapping[str, str]) -> None:
    """Read the text above the legendary actions. Actions described only there become features too."""
    reading.features.append(Feature(reading.ids.allocate(name), name, "trait", text=_intro(html)))
    for key, (title, text) in _leads(html).items():
        if key not in named:
            _add({}, f"{title} (Legendary Action)", text, {}, {}, reading)
        elif "".join(text.split()) != "".join(named[key].split()):
            why = "a feature of this name has a different text; that text is used"
            reading.report.add_note(f"{name}: {title}", text, why)


def _add(item: Record, name: str, text: str, action: Record, usage: dict[str, Any], reading: ActorReading) -> None:
    """Add the feature of one action of an item. `usage` limits all actions of the item together."""
    figures = action_numbers(action, item, text, name, reading) if action else ActionNumbers()
    activation = as_mapping(action.get("activation"))
    text = with_preface(as_text(activation.get("reactionTrigger")), text)
    if figures.extra_rolls:
        text = f"{text}\n{'; '.join(figures.extra_rolls)}.".strip()
    unit = as_text(activation.get("type"))
    text = with_long_activation(text, as_int(activation.get("cost")), unit, name, reading.report)
    cost = _cost(action, item, name)
    price = _price(name, cost)
    if price:
        figures.known["price"] = price
    bare = _bare(_PRICE.sub("", name) if price else name)
    add_feature(bare, text, cost, {**figures.known, **usage}, reading, figures.guessed)
    for part in figures.later:
        called = part.label or f"{bare}: {part.text}"
        sentence = sentence_around(text, position_in_prose(text, part))
        reading.features.append(Feature(reading.ids.allocate(called), called, damage=part.text, text=sentence))


def _is_legendary(item: Record) -> bool:
    actions = values_of(value_at(item, "system.actions"))
    return _cost(actions[0] if actions else {}, item, as_text(item.get("name"))) == "legendary"


def _cost(action: Record, item: Record, name: str) -> str:
    """Return the cost of a feature, from its name, its action or its type."""
    if match := _COST_IN_NAME.search(name):
        return _KINDS[(match["kind"] or "legendary").lower()]
    cost = _COSTS.get(as_text(value_at(action, "activation.type")), "trait")
    if cost:
        return cost
    if value_at(item, "system.featureType") == "legendaryAction":
        return "legendary"
    attacks = any(roll.get("type") == "attack" for roll in values_of(action.get("rolls")))
    return "action" if attacks or name.lower().startswith("multiattack") else "trait"


def _bare(name: str) -> str:
    """Return a name without its cost and reach, which are separate fields of the feature."""
    return _REACH.sub("", _COST_IN_NAME.sub("", name)).strip().rstrip(".:").strip() or name


def _price(name: str, cost: str) -> int:
    match = _PRICE.search(name) if cost == "legendary" else None
    return int(match[1]) if match else 0


def _object(item: Record, name: str, reading: ActorReading) -> None:
    system = as_mapping(item.get("system"))
    kind = as_text(system.get("objectType"))
    actions = values_of(system.get("actions"))
    text = plain_text(description_of(item))
    if kind == "armor":
        add_worn(as_text(system.get("armorCategory")), reading)
    elif kind == "shield" and as_int(system.get("equippedState")) != 0:
        add_worn(kind, reading)
    usage = usage_of(as_mapping(system.get("uses")), name, reading) if actions else {}
    usable = [entry for entry in actions if values_of(entry.get("rolls")) or values_of(entry.get("prompts"))]
    if kind not in ("armor", "shield") and len(actions) == 1:
        usable = actions
    for action in usable:
        called = (item_name(action) if len(usable) > 1 else "") or name
        named = called if name.lower() in called.lower() else f"{name}: {called}"
        _add(item, named, text, action, usage, reading)
    if not usable:
        add_carried(item, name, text if kind not in ("armor", "shield", "ammunition") else "", reading)


def _maneuver(item: Record, name: str, reading: ActorReading) -> list[str]:
    """Read a maneuver as a feature. Skip a basic maneuver (no degree, no exertion), and return its name."""
    system = as_mapping(item.get("system"))
    price = as_int(system.get("exertionCost")) or 0
    if not price and not as_int(system.get("degree")):
        return [name]
    actions = values_of(system.get("actions"))
    spends = {"spends": (("exertion", price),)} if price else {}
    _add(item, name, plain_text(description_of(item)), actions[0] if actions else {}, spends, reading)
    return []
