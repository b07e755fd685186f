"""Reads the items of an A5E actor as features of a stat block: traits, weapons, legendary actions, spell lists."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

import msgspec

from turnwright.encounter.prepared import Feature, SourceNote
from turnwright.storage.ids import IdAllocator
from turnwright.storage.importers.common import as_mapping, as_text
from turnwright.storage.importers.foundry.a5e_actions import A5eActionContext, ActionNumbers, action_numbers, usage_of
from turnwright.storage.importers.foundry.actors import values_of
from turnwright.storage.importers.foundry.prose_merge import merged_feature, name_spells
from turnwright.storage.statblock_text.feature_names import read_feature_name
from turnwright.storage.statblock_text.markup import plain_text
from turnwright.storage.statblock_text.numbers import as_int

Found = Mapping[str, Any]
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
_MULTIATTACK: Final = "multiattack"


class A5eItems(msgspec.Struct):
    """The result of reading items: features in order, remarks on gear, spells, and legendary actions."""

    features: list[Feature] = []
    remarks: list[SourceNote] = []
    gear: list[str] = []
    basic: list[str] = []
    spells: list[Found] = []
    casts: bool = False
    legendary: int = 0


def read_items(items: list[Found], ids: IdAllocator, context: A5eActionContext) -> A5eItems:
    """Return the items of a creature as features. Dropped content is reported, once for each kind."""
    found = A5eItems()
    named = {
        _bare(_PRICE.sub("", as_text(item.get("name")))).lower(): plain_text(_html(as_mapping(item.get("system"))))
        for item in items
        if item.get("type") == "feature" and _legendary(item)
    }
    for item in items:
        kind, name = item.get("type"), " ".join(as_text(item.get("name")).split()) or "Nameless"
        if kind == "feature":
            _feature(item, name, ids, context, found, named)
        elif kind == "object":
            _object(item, name, ids, context, found)
        elif kind == "maneuver":
            _maneuver(item, name, ids, context, found)
        elif kind == "spell":
            found.spells.append(item)
        else:
            context.report.add_note(
                f"items: {name}", as_text(kind), "is of a kind that no stat block has; it isn't kept"
            )
    if found.basic:
        context.report.add_note(
            "items: maneuvers", ", ".join(found.basic), "everybody can use these; they aren't repeated"
        )
    if found.spells:
        name_spells(found.features, [_spell(one) for one in found.spells], ids, context.report)
    return found


def _feature(
    item: Found, name: str, ids: IdAllocator, maker: A5eActionContext, found: A5eItems, named: Mapping[str, str]
) -> None:
    system = as_mapping(item.get("system"))
    html = _html(system)
    text = plain_text(html)
    actions = values_of(system.get("actions"))
    lower = name.lower()
    found.casts = found.casts or "spellcasting" in lower
    usage = usage_of(as_mapping(system.get("uses")), name, maker)
    if (
        lower.startswith(("legendary action", "elite legendary action"))
        and ":" not in lower
        and not _leads_cost(actions)
    ):
        found.legendary = found.legendary or usage.get("uses", 0)
        if not actions:
            _preamble(name, html, ids, maker, found, named)
            return
        usage = {}
    if len(actions) > 1:
        _several(item, name, html, usage, actions, ids, maker, found)
        return
    action = actions[0] if actions else {}
    found.features.append(_made(item, name, text, action, usage, ids, maker))


def _leads_cost(actions: list[Found]) -> bool:
    return len(actions) == 1 and bool(values_of(actions[0].get("rolls")))


def _leads(html: str) -> dict[str, tuple[str, str]]:
    """Return the paragraphs of a text with a heading of their own: by that name, the name and the text after it."""
    found = ((plain_text(lead[2]).rstrip(".: "), plain_text(lead[3])) for lead in _LEAD.finditer(html))
    return {_bare(_PRICE.sub("", name)).lower(): (name, text) for name, text in found if name and text}


def _intro(html: str) -> str:
    """Return the text before the first paragraph with a heading of its own."""
    lead = _LEAD.search(html)
    return plain_text(html[: lead.start()] if lead else html)


def _several(
    item: Found, name: str, html: str, usage: dict[str, Any], actions: list[Found], ids: IdAllocator, maker: A5eActionContext, found: A5eItems
) -> None:  # fmt: skip
    """Read a feature with several actions: one feature with the prose, and one for each action."""
    leads = _leads(html)
    called = [" ".join(as_text(action.get("name")).split()) or name for action in actions]
    own = [plain_text(as_text(action.get("description"))) for action in actions]
    texts = [text or leads.get(_bare(each).lower(), ("", ""))[1] for each, text in zip(called, own, strict=True)]
    intro = _intro(html) if all(texts) else plain_text(html)
    if intro and intro.lower() != name.lower():
        read = read_feature_name(_bare(name))
        parent: dict[str, Any] = {"recharge": read.recharge, "uses": read.uses, "per": read.per, **usage}
        parent["cost"] = _cost(actions[0], item, name)
        found.features.append(Feature(ids.allocate(read.name), read.name, text=intro, **parent))
    for action, each, text in zip(actions, called, texts, strict=True):
        found.features.append(_made(item, each, text, action, usage, ids, maker))


def _preamble(
    name: str, html: str, ids: IdAllocator, maker: A5eActionContext, found: A5eItems, named: Mapping[str, str]
) -> None:
    """Read the text above the legendary actions; actions described only there become features too."""
    found.features.append(Feature(ids.allocate(name), name, "trait", text=_intro(html)))
    for key, (title, text) in _leads(html).items():
        if key not in named:
            found.features.append(_made({}, f"{title} (Legendary Action)", text, {}, {}, ids, maker))
        elif "".join(text.split()) != "".join(named[key].split()):
            why = "is a feature of its own as well, in other words; those are kept"
            maker.report.add_note(f"{name}: {title}", text, why)


def _made(
    item: Found, name: str, text: str, action: Found, usage: dict[str, Any], ids: IdAllocator, maker: A5eActionContext
) -> Feature:
    figures = action_numbers(action, item, text, name, maker) if action else ActionNumbers()
    trigger = as_text(as_mapping(action.get("activation")).get("reactionTrigger")).strip()
    if trigger and trigger.lower().rstrip(".") not in text.lower():
        text = f"{trigger.rstrip('.')}. {text}".strip()
    if figures.extra_rolls:
        text = f"{text}\n{'; '.join(figures.extra_rolls)}.".strip()
    cost = _cost(action, item, name)
    if activation := _long(action):
        text = f"{text}\nTakes {activation}.".strip()
        maker.report.add_note(f"{name}: activation", activation, "is longer than an action; it stays as text only")
    price = _price(name, cost)
    bare = _bare(_PRICE.sub("", name) if price else name)
    if price:
        figures.known["price"] = price
    return merged_feature(ids, bare, text, cost, maker.report, {**figures.known, **usage}, figures.guessed)


def _legendary(item: Found) -> bool:
    actions = values_of(as_mapping(item.get("system")).get("actions"))
    return _cost(actions[0] if actions else {}, item, as_text(item.get("name"))) == "legendary"


def _html(system: Found) -> str:
    said = system.get("description")
    secret = system.get("secretDescription")
    if isinstance(secret, str) and secret.strip():
        return f"{as_text(said)}\n{secret}"
    return as_text(said) if not isinstance(said, dict) else as_text(said.get("value"))


def _cost(action: Found, item: Found, name: str) -> str:
    """Return the cost of a feature: from its action, its name, or its type."""
    kind = as_text(as_mapping(action.get("activation")).get("type"))
    said = _COSTS.get(kind, "trait")
    if (found := _COST_IN_NAME.search(name)) is not None:
        return _KINDS.get((found["kind"] or "legendary").lower(), "legendary")
    if said:
        return said
    system = as_mapping(item.get("system"))
    if system.get("featureType") == "legendaryAction":
        return "legendary"
    attacks = any(roll.get("type") == "attack" for roll in values_of(action.get("rolls")))
    return "action" if attacks or name.lower().startswith(_MULTIATTACK) else "trait"


def _long(action: Found) -> str:
    """Return the activation time of an action longer than a turn, empty for any other."""
    activation = as_mapping(action.get("activation"))
    kind, number = as_text(activation.get("type")), as_int(activation.get("cost"))
    if kind in ("minute", "hour", "day"):
        return f"{number or 1} {kind}{'s' if (number or 1) > 1 else ''}"
    return ""


def _bare(name: str) -> str:
    """Return a name without its cost and reach, which are fields of the feature."""
    return _REACH.sub("", _COST_IN_NAME.sub("", name)).strip().rstrip(".:").strip() or name


def _price(name: str, cost: str) -> int:
    found = _PRICE.search(name) if cost == "legendary" else None
    return int(found[1]) if found else 0


def _object(item: Found, name: str, ids: IdAllocator, maker: A5eActionContext, found: A5eItems) -> None:
    system = as_mapping(item.get("system"))
    kind = as_text(system.get("objectType"))
    actions = values_of(system.get("actions"))
    text = plain_text(_html(system))
    if kind == "shield" and "shield" not in found.gear and as_int(system.get("equippedState")) != 0:
        found.gear.append("shield")
    if kind == "armor" and system.get("armorCategory") == "heavy" and "heavy-armor" not in found.gear:
        found.gear.append("heavy-armor")
    usage = usage_of(as_mapping(system.get("uses")), name, maker) if actions else {}
    made = [one for one in actions if values_of(one.get("rolls")) or values_of(one.get("prompts"))]
    if kind not in ("armor", "shield") and len(actions) == 1:
        made = actions
    for action in made:
        called = " ".join(as_text(action.get("name")).split())
        named = (
            name if len(made) == 1 or not called else called if name.lower() in called.lower() else f"{name}: {called}"
        )
        found.features.append(_made(item, named, text, action, usage, ids, maker))
    if made:
        return
    count = as_int(system.get("quantity")) or 1
    said = f"{name} ({count})" if count > 1 else name
    line = f"{said}: {text}" if text and kind not in ("armor", "shield", "ammunition") else said
    found.remarks.append(SourceNote("gear", line[:2_000]))


def _maneuver(item: Found, name: str, ids: IdAllocator, maker: A5eActionContext, found: A5eItems) -> None:
    """Leave out the basic maneuvers (of no degree, for no exertion); any other becomes a feature."""
    system = as_mapping(item.get("system"))
    price = as_int(system.get("exertionCost")) or 0
    if not price and not as_int(system.get("degree")):
        found.basic.append(name)
        return
    text = plain_text(_html(system))
    actions = values_of(system.get("actions"))
    feature = _made(item, name, text, actions[0] if actions else {}, {}, ids, maker)
    found.features.append(msgspec.structs.replace(feature, spends=(("exertion", price),) if price else ()))


def _spell(spell: Found) -> tuple[str, str, int]:
    """Return a spell's name, its limit of uses, and its level."""
    system = as_mapping(spell.get("system"))
    uses = as_mapping(system.get("uses"))
    limit = f" ({as_text(uses.get('max'))}/{as_text(uses.get('per'))})" if uses.get("max") and uses.get("per") else ""
    return " ".join(as_text(spell.get("name")).split()), limit, as_int(system.get("level")) or 0
