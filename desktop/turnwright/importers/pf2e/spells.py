"""Reads the numbers of the spells that a creature of Foundry's Pathfinder 2e system holds as items."""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

import msgspec

from turnwright.encounter.prepared import InflictedCondition
from turnwright.importers.common import as_mapping, int_at, list_at, nested_value, text_at
from turnwright.importers.pf2e import foundry
from turnwright.importers.pf2e.conditions import conditions_in, degrees_of, sentence_around
from turnwright.importers.pf2e.markup import CONDITIONS, SAVES, damage_id
from turnwright.importers.pf2e.stat_block import DamagePart
from turnwright.importers.pf2e.strikes import expression
from turnwright.importers.statblock_text.spell_lists import with_text
from turnwright.importers.vocabulary import Patterns
from turnwright.rules.system_data.numbers import Spell
from turnwright.rules.system_data.rounds import length_of_time
from turnwright.storage.atomic import slug

_RE: Final = Patterns("pf2e_spells")
_REWRITTEN = re.compile(rf"\b(?:fail|success|{'|'.join(sorted(CONDITIONS))})", re.IGNORECASE)
_FADES: Final = frozenset({"dazzled", *("doomed", "drained", "dying", "frightened", "prone", "sickened", "stunned")})
_SHAPES: Final = {"burst": "radius", **{shape: shape for shape in ("cone", "emanation", "line")}}


def spells_of(items: Iterable[Mapping[str, Any]], plain: Callable[[str], str]) -> tuple[Spell, ...]:
    """Return the spells among items, with the numbers that their fields state. Conditions are read from their texts."""
    return tuple(_spell(item, plain) for item in items if text_at(item, "type") == "spell")


def _spell(item: Mapping[str, Any], plain: Callable[[str], str]) -> Spell:
    """Return a spell as cast at the rank of its item."""
    body = foundry.system_data_of(item)
    own, traits = int_at(body, "level", "value") or 0, foundry.traits(body)
    rank = int_at(body, "location", "heightenedLevel") or own
    for least, changes in sorted(as_mapping(nested_value(body, "heightening", "levels")).items()):
        body = {**body, **changes} if least.isdigit() and int(least) <= rank else body
    text = plain(text_at(body, "description", "value"))
    higher = _RE.heightened.findall(text)
    text = _RE.heightened.sub("", text)
    time = text_at(body, "time", "value").strip()
    actions = _RE.time.fullmatch(time)
    save, half = _save(body, text)
    spell = Spell(
        slug(foundry.name_of(item)),
        foundry.name_of(item),
        level=own,
        cost="reaction" if time.lower() == "reaction" else "action",
        price=int(actions["actions"]) if actions else int(time.lower() == "reaction"),
        casting_time=time if _RE.long.search(time) else "",
        save=save,
        area=_area(body),
        range=_range(body),
        **_amounts(body, text, rank - own, save, half, traits),
    )
    spell = msgspec.structs.replace(spell, half=half and bool(spell.damage))
    spell = msgspec.structs.replace(spell, **_lasting(body, spell))
    rewritten = any(
        int(at[1]) <= rank and _REWRITTEN.search(line) for line in higher if (at := _RE.at_rank.match(line))
    )
    if save and not rewritten:
        inflicted = conditions_in(_RE.conditional.sub(r"\1", text), lambda *_: None)
        if not degrees_of(text) and "critical" in text.lower():
            inflicted = tuple(one for one in inflicted if one.degree == "critical-failure")
        afflictions = tuple(_ending(one, spell.lasts) for one in inflicted)
        spell = msgspec.structs.replace(spell, afflictions=afflictions, lasts="" if afflictions else spell.lasts)
    return with_text(spell, text.strip())


def _save(body: Mapping[str, Any], text: str) -> tuple[str, bool]:
    """Return the ability of the save, and whether it is basic. Older items may state it only in their text."""
    said = _RE.bare_save.search(text)
    if said and _RE.later.match(sentence_around(text, said.start())):
        return "", False  # not when it is cast
    stated = as_mapping(nested_value(body, "defense", "save")) or as_mapping(body.get("save"))
    save = SAVES.get((text_at(stated, "statistic") or text_at(stated, "value")).lower(), "")
    half = stated.get("basic") in (True, "basic")
    degrees = degrees_of(text)
    if not save and (degrees or text_at(body, "spellType", "value") == "save"):
        found = {(SAVES[match["save"].lower()], match["basic"] is not None) for match in _RE.bare_save.finditer(text)}
        save, half = found.pop() if len(found) == 1 else ("", False)
    doubled = "half damage" in degrees.get("success", "") and "double damage" in degrees.get("critical-failure", "")
    return save, half or (bool(save) and doubled)


def _area(body: Mapping[str, Any]) -> str:
    shape, feet = text_at(body, "area", "type") or text_at(body, "area", "areaType"), int_at(body, "area", "value")
    return f"{feet}-foot {_SHAPES[shape]}" if feet and shape in _SHAPES else ""


def _range(body: Mapping[str, Any]) -> str:
    feet = _RE.feet.fullmatch(text_at(body, "range", "value").strip())
    if feet:
        return feet[1] if int(feet[1]) else ""
    return "self" if text_at(body, "target", "value").strip().lower() in ("self", "you") else ""


def _amounts(
    body: Mapping[str, Any], text: str, above: int, save: str, half: bool, traits: tuple[str, ...]
) -> dict[str, Any]:
    """Return the fields for damage or healing, with what each step of ranks adds, and for the attack that deals it.

    Damage of a spell without an attack or a save may be dealt later, and is omitted.
    """
    is_attack = "attack" in traits or text_at(body, "spellType", "value") == "attack"
    is_attack = is_attack and not save and not _RE.bare_save.search(text)
    is_attack = is_attack and not _RE.other_dc.search(text) and not nested_value(body, "defense", "passive")
    parts, adds, kinds = _parts(body)
    if "value" in as_mapping(body.get("damage")) and any(not _said(part.formula, text, kinds) for part in parts):
        parts = []  # an older item's only number may be a count, or that of another version
    lasting = [part for part in parts if part.category == "persistent"]
    amount = expression(part for part in parts if part.category in ("", "precision"))
    steps = [higher for higher in adds if higher.strip() not in ("", "0")]
    scaled = {"higher": steps[0]} if len(steps) == 1 and adds[0] == steps[0] and _RE.formula.fullmatch(steps[0]) else {}
    every = 1
    if scaled:
        interval = int_at(body, "heightening", "interval")
        every = interval or int(text_at(body, "scaling", "mode").removeprefix("level") or 1)
    figures: dict[str, Any] = {}
    if is_attack:
        figures["attack"] = "melee" if text_at(body, "range", "value") == "touch" else "ranged"
    if amount and above > 0 and steps and not scaled:
        amount = ""  # its number at this rank isn't known
    if amount and kinds == {"healing"}:
        return {"heals": expression(DamagePart(part.formula, "") for part in parts), **scaled, "every": every}
    degrees = degrees_of(text)
    failed = degrees.get("failure", "") if degrees else text
    fails = save and "damage" in failed and "damage" not in degrees.get("success", "")
    if amount and "healing" not in kinds and (is_attack or half or fails):
        figures |= {"damage": amount, **scaled, "every": every}
        if lasting:
            words = " and ".join(f"{part.formula} persistent {part.type}" for part in lasting)
            figures["text"] = f"It can also deal {words} damage."
    return figures


def _said(formula: str, text: str, kinds: set[str]) -> bool:
    """Return whether a text states an amount as damage or healing."""
    what = "Hit Points" if "healing" in kinds else "damage"
    return re.search(rf"(?<![\d+]){re.escape(formula)}(?![\d+]) [^.]{{0,40}}\b{what}", text) is not None


def _parts(body: Mapping[str, Any]) -> tuple[list[DamagePart], list[str], set[str]]:
    """Return the parts of an item's damage, what heightening adds to each, and the kinds (damage or healing)."""
    damage = as_mapping(body.get("damage"))
    if "value" in damage:
        listed = {"0": {"formula": text_at(damage, "value"), "type": text_at(body, "damageType", "value")}}
        adds: Mapping[str, Any] = {"0": text_at(body, "scaling", "formula")}
        kinds = {"healing" if text_at(body, "spellType", "value") == "heal" else "damage"}
    else:
        listed, adds = dict(damage), as_mapping(nested_value(body, "heightening", "damage"))
        kinds = {kind for part in listed.values() for kind in list_at(part, "kinds")}
    formulas = {key: text_at(part, "formula").replace(" ", "") for key, part in listed.items()}
    if any(not _RE.formula.fullmatch(formula) or listed[key].get("applyMod") for key, formula in formulas.items()):
        return [], [], kinds
    parts = [
        DamagePart(formulas[key], damage_id(text_at(part, "type")), text_at(part, "category"))
        for key, part in listed.items()
    ]
    return parts, [text_at(adds, key) for key in listed], kinds


def _lasting(body: Mapping[str, Any], spell: Spell) -> dict[str, Any]:
    """Return the fields for the number of targets, and for the time that the spell lasts on them."""
    target, duration = text_at(body, "target", "value").strip().lower(), text_at(body, "duration", "value").strip()
    counted, time = _RE.count.match(target), _RE.duration.fullmatch(duration)
    figures: dict[str, Any] = {}
    if counted and not spell.area:
        figures["targets"] = int(counted["count"]) if counted["count"].isdigit() else 1
    if "sustained" in duration.lower() or nested_value(body, "duration", "sustained") is True:
        figures["concentration"] = True
    if (
        time
        and (spell.save or (not spell.area and (counted or spell.range == "self")))
        and not (spell.heals or spell.damage)
    ):
        figures["lasts"] = length_of_time(time["number"], time["unit"])
    return figures


def _ending(inflicted: InflictedCondition, lasts: str) -> InflictedCondition:
    """Return a condition that ends with its spell, unless it ends earlier or by itself."""
    stays = inflicted.ends != "never" or inflicted.lasts or inflicted.condition in _FADES
    return inflicted if stays or not lasts else msgspec.structs.replace(inflicted, lasts=lasts)
