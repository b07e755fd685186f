"""Reads the items of an actor of Foundry's Pathfinder 2e system: Strikes, abilities, spell lists and equipment."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from turnwright.importers.common import as_text, int_at, named_numbers, nested_value, text_at
from turnwright.importers.pf2e.foundry_actors import system_data_of, texts_of, traits, value_of, values_of
from turnwright.importers.pf2e.stat_block import DamagePart, RankedSpell, SourceAbility, SourceSpells, SourceStrike
from turnwright.importers.statblock_text.header_lines import ABILITIES
from turnwright.importers.statblock_text.numbers import as_int
from turnwright.storage.conversion_report import ConversionReport

PlainText = Callable[[str, str], str]
EQUIPMENT_TYPES: Final = frozenset({
    "weapon", "armor", "shield", "equipment", "consumable", "treasure", "backpack", "container", "ammo", "kit", "book",
})  # fmt: skip
KNOWN_TYPES: Final = frozenset(
    {"melee", "ranged", "action", "feat", "lore", "spell", "spellcastingEntry", *EQUIPMENT_TYPES}
)
_COSTS: Final = {"action": "action", "reaction": "reaction", "free": "free", "passive": "trait"}
_PERS: Final = {
    "day": "day", "P1D": "day", "PT24H": "day", "PT1H": "hour", "hour": "hour", "PT1M": "minute", "minute": "minute",
    "P1W": "week", "week": "week", "round": "round", "turn": "turn",
}  # fmt: skip


def name_of(item: Mapping[str, Any]) -> str:
    """Return the name of an item, without surrounding spaces."""
    return " ".join(text_at(item, "name").split())[:200]


def strikes(items: Sequence[Mapping[str, Any]], plain: PlainText) -> Iterator[SourceStrike]:
    """Yield the Strikes among items. Carried weapons are not Strikes by themselves."""
    for item in items:
        if text_at(item, "type") not in ("melee", "ranged"):
            continue
        body, name = system_data_of(item), name_of(item)
        effects = texts_of(body.get("attackEffects"))
        kind = text_at(body, "weaponType", "value") or ("ranged" if text_at(item, "type") == "ranged" else "")
        yield SourceStrike(
            name,
            int_at(body, "bonus", "value"),
            traits(body),
            tuple(
                DamagePart(text_at(roll, "damage"), text_at(roll, "damageType"), text_at(roll, "category"))
                for roll in values_of(body.get("damageRolls"))
            ),
            tuple(effect.replace("-", " ") if effect.islower() else effect for effect in effects),
            ranged=kind == "ranged" if kind else None,
            increment=int_at(body, "range", "increment") or 0,
            max_range=int_at(body, "range", "max") or 0,
            text=plain(f"Strike {name}", text_at(body, "description", "value")),
        )


def abilities(
    items: Sequence[Mapping[str, Any]], plain: PlainText, report: ConversionReport
) -> Iterator[SourceAbility]:
    """Yield the abilities among items, in order. Unsupported item types are reported."""
    for item in items:
        kind = text_at(item, "type")
        if kind not in KNOWN_TYPES:
            report.add_note("items", f"{name_of(item)} ({kind})", "unsupported item type; ignored")
        if kind not in ("action", "feat"):
            continue
        body, name = system_data_of(item), name_of(item)
        uses, per = _uses(body, name, report)
        yield SourceAbility(
            name,
            _COSTS.get(text_at(body, "actionType", "value"), "trait"),
            _price(body),
            traits(body),
            _whole_text(body, name, plain),
            uses=uses,
            per=per,
        )


def _price(body: Mapping[str, Any]) -> int:
    count = int_at(body, "actions", "value")
    return count if count is not None and 1 <= count <= 3 else 1


def _whole_text(body: Mapping[str, Any], name: str, plain: PlainText) -> str:
    text = plain(name, text_at(body, "description", "value")).lstrip("; ")
    others = ((label, plain(name, text_at(body, label, "value"))) for label in ("trigger", "requirements"))
    missing = (f"{label.title()} {words}" for label, words in others if words and words not in text)
    return "\n".join((*missing, text))


def _uses(body: Mapping[str, Any], name: str, report: ConversionReport) -> tuple[int, str]:
    most, per = int_at(body, "frequency", "max"), text_at(body, "frequency", "per")
    if most and per not in _PERS:
        report.add_note(f"{name}: uses", f"{most} per {per}", "unsupported frequency; ignored")
    return (most, _PERS[per]) if most and per in _PERS else (0, "")


def equipment(items: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield the names of the carried equipment, with quantities above one."""
    for item in items:
        if text_at(item, "type") in EQUIPMENT_TYPES:
            count = as_int(value_of(system_data_of(item).get("quantity")))
            name = name_of(item).lower()
            yield f"{name} ({count})" if count is not None and count > 1 and "(" not in name else name


def spells(items: Sequence[Mapping[str, Any]]) -> Iterator[SourceSpells]:
    """Yield the spell lists, and one more list for the spells that belong to none."""
    by_entry: dict[str, list[RankedSpell]] = {}
    for item in items:
        if text_at(item, "type") == "spell":
            entry_id = as_text(value_of(system_data_of(item).get("location")))
            by_entry.setdefault(entry_id, []).append(_rank(item))
    for item in items:
        if text_at(item, "type") == "spellcastingEntry":
            yield _entry(item, by_entry.pop(text_at(item, "_id"), []))
    rest = [rank for ranks in by_entry.values() for rank in ranks]
    if rest:
        rituals = all(ranked.ritual for ranked in rest)
        yield SourceSpells("Rituals" if rituals else "Spells", spells=tuple(rest))


def _entry(item: Mapping[str, Any], spells: list[RankedSpell]) -> SourceSpells:
    body = system_data_of(item)
    ability, prepared, tradition = (text_at(body, key, "value") for key in ("ability", "prepared", "tradition"))
    slots = named_numbers((f"rank {n}", nested_value(body, "slots", f"slot{n}", "max")) for n in range(1, 11))
    return SourceSpells(
        name_of(item) or " ".join(part.title() for part in (tradition, prepared, "spells")),
        dc=int_at(body, "spelldc", "dc") or 0,
        attack=int_at(body, "spelldc", "value") or None,
        tradition=tradition.lower(),
        ability=ability if ability in ABILITIES else "",
        spells=tuple(spells),
        note=", ".join(f"{rank}: {most} slots" for rank, most in slots if most and prepared.lower() == "spontaneous"),
    )


def _rank(item: Mapping[str, Any]) -> RankedSpell:
    body = system_data_of(item)
    rank = int_at(body, "location", "heightenedLevel")
    if rank is None:
        rank = int_at(body, "level", "value") or 0
    cantrip = "cantrip" in traits(body) or not rank
    uses = int_at(body, "location", "uses", "max")
    note = f"\N{MULTIPLICATION SIGN}{uses}" if uses and uses > 1 else ""
    ritual = bool(body.get("ritual")) or "ritual" in texts_of(nested_value(body, "traditions", "value"))
    return RankedSpell(name_of(item), rank, note, cantrip=cantrip, ritual=ritual)
