"""The items of an actor of Foundry's Pathfinder 2e system: Strikes, abilities, lists of spells, things carried."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from turnwright.storage.importers.drafting import mapping, text_of, whole
from turnwright.storage.importers.pf2e.actors import at, body_of, each, traits, words
from turnwright.storage.importers.pf2e.blocks import Ability, Spells, Strike
from turnwright.storage.importers.pf2e.damage import parts_of
from turnwright.storage.importers.pf2e.ranks import Rank, lines
from turnwright.storage.importers.results import Account

Plain = Callable[[str, str], str]
CARRIED: Final = frozenset({
    "weapon", "armor", "shield", "equipment", "consumable", "treasure", "backpack", "container", "ammo", "kit", "book",
})  # fmt: skip
READ: Final = frozenset({"melee", "ranged", "action", "feat", "lore", "spell", "spellcastingEntry", *CARRIED})
_COSTS: Final = {"action": "action", "reaction": "reaction", "free": "free", "passive": "trait"}
_PERS: Final = {
    "day": "day", "P1D": "day", "PT24H": "day", "PT1H": "hour", "hour": "hour", "PT1M": "minute", "minute": "minute",
    "P1W": "week", "week": "week", "round": "round", "turn": "turn",
}  # fmt: skip


def name_of(item: Mapping[str, Any]) -> str:
    """Return what an item is called, without spaces around it."""
    return " ".join(text_of(item.get("name")).split())[:200]


def kind_of(item: Mapping[str, Any]) -> str:
    """Return of what kind an item is."""
    return text_of(item.get("type"))


def strikes(items: Sequence[Mapping[str, Any]], plain: Plain) -> Iterator[Strike]:
    """Yield the Strikes among items. The weapons carried beside them are no Strikes of their own."""
    for item in items:
        if kind_of(item) not in ("melee", "ranged"):
            continue
        body, name = body_of(item), name_of(item)
        rolls = [mapping(one) for one in each(body.get("damageRolls"))]
        parts, riders = parts_of(
            (text_of(one.get("damage")), text_of(one.get("damageType")), text_of(one.get("category"))) for one in rolls
        )
        effects = (one.replace("-", " ") if one.islower() else one for one in words(body.get("attackEffects")))
        reach = mapping(body.get("range"))
        kind = text_of(at(body, "weaponType", "value")) or ("ranged" if kind_of(item) == "ranged" else "")
        yield Strike(
            name or "Strike",
            whole(at(body, "bonus", "value")),
            traits(body),
            parts,
            (*riders, *effects),
            ranged=kind == "ranged" if kind else None,
            increment=whole(reach.get("increment")) or 0,
            farthest=whole(reach.get("max")) or 0,
            text=plain(f"Strike {name}", text_of(at(body, "description", "value"))),
        )


def abilities(items: Sequence[Mapping[str, Any]], plain: Plain, account: Account) -> Iterator[Ability]:
    """Yield the abilities among items, in their order; anything that no stat block has is told."""
    for item in items:
        kind = kind_of(item)
        if kind not in READ:
            account.tell("items", f"{name_of(item)} ({kind})", "is of a kind that no stat block has")
        if kind not in ("action", "feat"):
            continue
        body, name = body_of(item), name_of(item)
        uses, per = _uses(body, name, account)
        yield Ability(
            name or "Ability",
            _COSTS.get(text_of(at(body, "actionType", "value")), "trait"),
            _price(body),
            traits(body),
            _whole_text(body, name, plain),
            uses=uses,
            per=per,
        )


def _price(body: Mapping[str, Any]) -> int:
    count = whole(at(body, "actions", "value"))
    return count if count is not None and 1 <= count <= 3 else 1


def _whole_text(body: Mapping[str, Any], name: str, plain: Plain) -> str:
    text = plain(name, text_of(at(body, "description", "value"))).lstrip("; ")
    before = []
    for label in ("trigger", "requirements"):
        said = plain(name, text_of(at(body, label, "value")))
        if said and said not in text:
            before.append(f"{label.title()} {said}")
    return "\n".join((*before, text)) if before else text


def _uses(body: Mapping[str, Any], name: str, account: Account) -> tuple[int, str]:
    often = mapping(body.get("frequency"))
    most, per = whole(often.get("max")), text_of(often.get("per"))
    if not most:
        return 0, ""
    if per not in _PERS:
        account.tell(f"{name}: uses", f"{most} per {per}", "is how often in a time that the game table doesn't count")
        return 0, ""
    return most, _PERS[per]


def carried(items: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield what is carried, with how many where there are more than one."""
    for item in items:
        if kind_of(item) in CARRIED:
            held = body_of(item).get("quantity")
            count = whole(at(held, "value") if isinstance(held, dict) else held)
            name = name_of(item).lower()
            yield f"{name} ({count})" if count is not None and count > 1 and "(" not in name else name


def spells(items: Sequence[Mapping[str, Any]]) -> Iterator[Spells]:
    """Yield the lists of spells, each with the spells that belong to it, and one of those that belong to none."""
    held: dict[str, list[Rank]] = {}
    for item in items:
        if kind_of(item) == "spell":
            where = at(body_of(item), "location")
            where = at(where, "value") if isinstance(where, dict) else where
            held.setdefault(text_of(where), []).append(_rank(item))
    for item in items:
        if kind_of(item) == "spellcastingEntry":
            yield _entry(item, held.pop(text_of(item.get("_id")), []))
    rest = [rank for ranks in held.values() for rank in ranks]
    if rest:
        rituals = all(one.ritual for one in rest)
        yield Spells("Rituals" if rituals else "Spells", ranks=lines(rest))


def _entry(item: Mapping[str, Any], ranks: list[Rank]) -> Spells:
    body = body_of(item)
    ability, prepared = text_of(at(body, "ability", "value")), text_of(at(body, "prepared", "value"))
    name = name_of(item) or " ".join(
        part.title() for part in (text_of(at(body, "tradition", "value")), prepared, "spells")
    )
    slots = []
    for number in range(1, 11):
        most = whole(at(body, "slots", f"slot{number}", "max"))
        if most and prepared.lower() == "spontaneous":
            slots.append(f"rank {number}: {most} slots")
    return Spells(
        name,
        dc=whole(at(body, "spelldc", "dc")) or 0,
        attack=whole(at(body, "spelldc", "value")) or None,
        tradition=text_of(at(body, "tradition", "value")).lower(),
        ability=ability if ability in ("str", "dex", "con", "int", "wis", "cha") else "",
        ranks=lines(ranks),
        note=", ".join(slots),
    )


def _rank(item: Mapping[str, Any]) -> Rank:
    body = body_of(item)
    rank = whole(at(body, "location", "heightenedLevel"))
    if rank is None:
        rank = whole(at(body, "level", "value")) or 0
    cantrip = "cantrip" in traits(body) or not rank
    uses = whole(at(body, "location", "uses", "max"))
    note = f"\N{MULTIPLICATION SIGN}{uses}" if uses and uses > 1 else ""
    ritual = bool(body.get("ritual")) or "ritual" in words(at(body, "traditions", "value"))
    return Rank(name_of(item), rank, note, cantrip=cantrip, ritual=ritual)
