"""Features of 5e-bits' records: what is nested in an action becomes figures, and its prose says where they belong."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from turnwright.encounter.prepared import Feature
from turnwright.storage.importers.drafting import Ids, listed, mapping, text_of, whole
from turnwright.storage.importers.placing import dice_of, passed_on, placed
from turnwright.storage.importers.prose.features import feature_of
from turnwright.storage.importers.prose.lines import ABILITIES
from turnwright.storage.importers.results import Account

SECTIONS: Final = (
    ("special_abilities", "trait"),
    ("actions", "action"),
    ("bonus_actions", "bonus"),
    ("reactions", "reaction"),
    ("legendary_actions", "legendary"),
    ("mythic_actions", "legendary"),
    ("lair_actions", "lair"),
)
_KNOWN: Final = frozenset({
    *("name", "desc", "attack_bonus", "damage", "dc", "usage", "spellcasting", "options", "attacks"),
    *("multiattack_type", "actions", "action_options"),
})  # fmt: skip
_PERIODS: Final[Mapping[str, str]] = {
    "per day": "day", "per rest": "rest", "per long rest": "long-rest", "per hour": "hour", "per week": "week",
}  # fmt: skip
_ROLLS = re.compile(r"to hit|Attack Roll", re.IGNORECASE)


def features_of(record: Mapping[str, Any], account: Account) -> list[tuple[Feature, Mapping[str, Any]]]:
    """Return each feature with the source's own of it, in the order of a stat block."""
    ids = Ids()
    found: list[tuple[Feature, Mapping[str, Any]]] = []
    for section, cost in SECTIONS:
        if record.get(section) and not isinstance(record[section], list):
            account.tell(section, record[section], "is no list of features, and not kept")
        for number, source in enumerate(listed(record.get(section)), 1):
            if isinstance(source, dict) and (source.get("name") or source.get("desc")):
                found.append((_feature(source, cost, ids, account), source))
            else:
                account.tell(f"{section} {number}", source, "is no feature, and not kept")
    return found


def _feature(source: Mapping[str, Any], cost: str, ids: Ids, account: Account) -> Feature:
    name = text_of(source.get("name")).strip() or "Nameless"
    text = _text(source.get("desc"))
    for key in source.keys() - _KNOWN:
        if source[key] not in (None, "", [], {}):
            account.tell(f"{name}: {key}", source[key], "is not known in these records, and not kept")
    parts = _one_of(source, name, account)
    known = _usage(source, name, account) | _rolls(parts, name, text, account)
    told = Account(account.record)
    feature = feature_of(ids, name, text, cost, told, known)
    damage = _damage(listed(parts.get("damage")), name, account)
    feature = placed(feature, damage, account, name) if damage else feature
    passed_on(feature, told, account)
    return feature


def _text(value: Any) -> str:
    return "\n".join(text_of(line) for line in value) if isinstance(value, list) else text_of(value)


def _one_of(source: Mapping[str, Any], name: str, account: Account) -> Mapping[str, Any]:
    """Return what the figures of a feature stand in: itself, or the first of several that it lets one choose from."""
    choices = listed(mapping(mapping(source.get("options")).get("from")).get("options")) or listed(
        source.get("attacks")
    )
    named: list[Mapping[str, Any]] = [choice for choice in choices if isinstance(choice, dict)]
    if not named or "dc" in source or "attack_bonus" in source:
        return source
    for choice in named[1:]:
        account.tell(
            f"{name}: options",
            text_of(choice.get("name")),
            "is a further choice; only the first one's figures were taken",
        )
    return named[0]


def _usage(source: Mapping[str, Any], name: str, account: Account) -> dict[str, Any]:
    usage = mapping(source.get("usage"))
    kind, times = text_of(usage.get("type")).lower(), whole(usage.get("times"))
    known: dict[str, Any] = {}
    if kind == "recharge on roll":
        face = whole(usage.get("min_value"))
        if face is not None and 2 <= face <= 6 and text_of(usage.get("dice") or "1d6") == "1d6":
            known["recharge"] = face
        else:
            account.tell(f"{name}: usage", usage, "is a way to recharge that is not known here")
    elif kind == "recharge after rest":
        known = {"uses": times or 1, "per": "rest" if "short" in listed(usage.get("rest_types")) else "long-rest"}
    elif kind in _PERIODS and times:
        known = {"uses": times, "per": _PERIODS[kind]}
    elif usage and kind != "at will":
        account.tell(f"{name}: usage", usage, "is a way to limit uses that is not known here")
    if usage.get("times_in_lair"):
        account.tell(f"{name}: usage", f"{usage['times_in_lair']} in its lair", "only the uses elsewhere are kept")
    return known


def _rolls(parts: Mapping[str, Any], name: str, text: str, account: Account) -> dict[str, Any]:
    """Return the attack, the saving throw and what spells are cast with."""
    known: dict[str, Any] = {}
    bonus = whole(parts.get("attack_bonus"))
    if bonus is not None and (bonus or _ROLLS.search(text)):
        known["attack"] = bonus
    spells = mapping(parts.get("spellcasting"))
    for key, field in (("dc", "dc"), ("modifier", "attack")):
        figure = whole(spells.get(key))
        if figure is not None:
            known[field] = figure
    save = mapping(parts.get("dc"))
    if not save:
        return known
    ability, dc = text_of(mapping(save.get("dc_type")).get("index")).lower(), whole(save.get("dc_value"))
    if ability not in ABILITIES or dc is None:
        account.tell(f"{name}: dc", save, "is no saving throw with a DC that is known here")
    elif "escape DC" in text and not re.search(r"saving throw", text, re.IGNORECASE):
        account.tell(f"{name}: dc", f"{ability} {dc}", "is what it takes to escape, by its prose, and no saving throw")
    else:
        known |= {"save": ability, "dc": dc, "half": text_of(save.get("success_type")) == "half"}
    return known


def _damage(damages: list[Any], name: str, account: Account) -> list[str]:
    return [part for part in (_part(mapping(one), name, account) for one in damages) if part]


def _part(damage: Mapping[str, Any], name: str, account: Account) -> str:
    """Return one part of damage; of a choice its first, which the text tells with the others."""
    if "from" in damage:
        choices = [mapping(one) for one in listed(mapping(damage["from"]).get("options"))]
        return _part(choices[0], name, account) if choices else ""
    dice = dice_of(text_of(damage.get("damage_dice")))
    if not dice:
        account.tell(f"{name}: damage", damage, "has no dice")
        return ""
    kind = mapping(damage.get("damage_type"))
    return f"{dice} {text_of(kind.get('index') or kind.get('name')).lower()}".strip()


def spellcasting_of(found: list[tuple[Feature, Mapping[str, Any]]]) -> Iterator[Mapping[str, Any]]:
    """Yield what a creature's features say of casting spells."""
    for _feature_read, source in found:
        if mapping(source.get("spellcasting")):
            yield source["spellcasting"]
