"""Reads one action of an A5E item as numbers: attack bonus, reach or range, damage, saving throw, area, uses."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec

from turnwright.encounter.prepared import OtherDamage
from turnwright.storage.importers.common import as_list, as_mapping, as_text
from turnwright.storage.importers.foundry.actors import text_at, value_at, values_of
from turnwright.storage.importers.foundry.damage_rolls import (
    DamageByTiming,
    DamageRollPart,
    is_dealt_later,
    is_extra,
    position_in_prose,
    sort_damage,
)
from turnwright.storage.importers.foundry.reading import ActorReading, first_number, limited_uses
from turnwright.storage.importers.foundry.units import ABILITIES, in_feet
from turnwright.storage.statblock_text.areas import area_of
from turnwright.storage.statblock_text.damage import TWO_HANDS
from turnwright.storage.statblock_text.numbers import as_int

Found = Mapping[str, Any]
_NAMED: Final = {"fiveFeet": 5, "touch": 5, "short": 30, "medium": 60, "long": 120}
_NUMBER = re.compile(r"\d{1,5}")
_PAIR = re.compile(r"(\d{1,4})(?:\s*(?:ft|feet)\.?)?\s*/\s*(\d{1,5})", re.IGNORECASE)
_HALF = re.compile(r"\bhal(?:f|ve|ves|ved)\b", re.IGNORECASE)
_ROUND: Final = frozenset({"sphere", "emanation", "circle"})
_PROPERTIES: Final = {
    "heavy": "heavy", "thrown": "thrown", "finesse": "finesse", "twoHanded": "two-handed",
    "dualWielding": "dual-wielding",
}  # fmt: skip
_BRACKETED = re.compile(r"\(([^()]*\d ?(?:ft|feet)\b[^()]*)\)", re.IGNORECASE)
_BRACKET_AT_END = re.compile(r"\s*\([^()]*\)$")
_USUAL_REACH: Final = 5
_ROLL_NUMBER = re.compile(r"\s+\d$")
_USES: Final = (  # what a roll's label says, and the use of an attack that it is: its name, and the statement where it is that
    (re.compile(r"two[- ]hand|\b2h\b|versatile"), TWO_HANDS, ""),
    (re.compile(r"\bbloodied\b"), "while bloodied", "bloodied"),
    (re.compile(r"\bsurprised?\b"), "against somebody surprised", "target.surprised"),
)
FAR_RANGE: Final = 40  # feet: an unmarked distance up to this is a reach


class ActionNumbers(msgspec.Struct):
    """The numbers of an action: by field of a feature, guesses with their reasons, and rolls kept beside them.

    `later` are rolls of the owner's later turns, made for whoever the action has caught.
    """

    known: dict[str, Any] = {}
    guessed: dict[str, tuple[Any, str]] = {}
    extra_rolls: list[str] = []
    later: list[DamageRollPart] = []


def action_numbers(action: Found, item: Found, prose: str, name: str, reading: ActorReading) -> ActionNumbers:
    """Return the numbers of an action by field of a feature. Dropped content is reported."""
    system = as_mapping(item.get("system"))
    rolls, prompts = values_of(action.get("rolls")), values_of(action.get("prompts"))
    found = ActionNumbers()
    attack = next((roll for roll in rolls if roll.get("type") == "attack"), None)
    if attack is not None:
        _attack(attack, rolls, as_list(system.get("weaponProperties")), name, reading, found)
    _ranges(values_of(action.get("ranges")), attack, name, reading, found)
    found.known |= _area(as_mapping(action.get("area")), name, reading) | _save(prompts, prose, name, reading)
    _damage(rolls, prompts, prose, name, reading, found, attacked=attack is not None)
    found.known |= usage_of(as_mapping(action.get("uses")), name, reading)
    if system.get("concentration") is True:
        found.known["concentration"] = True
    for roll in rolls:
        if roll is not attack and roll.get("type") != "damage":
            said = _joined(roll, "ability", "skill", "tool", "formula")
            reading.report.add_note(f"{name}: {as_text(roll.get('type')) or 'roll'}", said, "stays as text only")
    return found


def usage_of(uses: Found, name: str, reading: ActorReading) -> dict[str, Any]:
    """Return the number of uses of an item and their recharge; nothing for unlimited use."""
    most, per = uses.get("max"), uses.get("per")
    if per == "recharge":
        face = as_int(value_at(uses, "recharge.threshold"))
        formula = text_at(uses, "recharge.formula").replace(" ", "") or "1d6"
        if face and 2 <= face <= 6 and formula in ("1d6", "d6"):
            return {"recharge": face}
        why = "is no recharge on a six-sided die; not kept"
        reading.report.add_note(f"{name}: recharge", f"{formula}, {face} or more", why)
        return {}
    number = reading.formulas.number(most)
    if most in (None, "", "0", 0) or (number is not None and not per):
        return {}
    return limited_uses(number, f"{most}", as_text(per), name, reading.report)


def _joined(found: Found, *keys: str) -> str:
    return " ".join(said for key in keys if (said := as_text(found.get(key))))


def _dc_of(prompt: Found, reading: ActorReading) -> int:
    """Return the DC of a prompt: a formula alone, or added to the DC of spells, maneuvers, an ability; 0 for none."""
    given = as_mapping(prompt.get("saveDC"))
    kind, bonus = given.get("type"), given.get("bonus")
    base = 0
    if kind in ("spellcasting", "maneuver"):
        base = reading.formulas.values["spellDC" if kind == "spellcasting" else "maneuverDC"]
    elif kind in ABILITIES:
        base = 8 + reading.proficiency + reading.modifiers[kind]
    return base + (reading.formulas.number(bonus) or 0)


def _attack(
    roll: Found, rolls: list[Found], words: list[Any], name: str, reading: ActorReading, found: ActionNumbers
) -> None:
    kind = as_text(roll.get("attackType")) or "meleeWeaponAttack"
    ability, sure = _ability(roll, rolls, kind, words, reading)
    bonus = reading.modifiers.get(ability, 0) + (reading.proficiency if roll.get("proficient") is not False else 0)
    for formula in (roll.get("bonus"), reading.bonuses.get(kind)):
        number = reading.formulas.number(formula)
        if number is None and as_text(formula).strip():
            why = "can't be worked out; it is left out of the bonus"
            reading.report.add_note(f"{name}: attack", as_text(formula), why)
        bonus += number or 0
    if sure:
        found.known["attack"] = bonus
    else:
        found.guessed["attack"] = (bonus, f"no ability is named for it; it is read as one with {ability}")
    kept = [_PROPERTIES[word] for word in words if isinstance(word, str) and word in _PROPERTIES]
    found.known["properties"] = ("spell" if "Spell" in kind else "weapon", *kept)


def _ability(roll: Found, rolls: list[Found], kind: str, words: list[Any], reading: ActorReading) -> tuple[str, bool]:
    """Return the ability of an attack, chosen as Foundry chooses it, and whether the source names it."""
    said = roll.get("ability")
    if said in ABILITIES or said == "none":
        return str(said), True
    ranged = kind == "rangedWeaponAttack"
    usual = "dex" if ranged else "str"
    if "Spell" in kind or said == "spellcasting":
        usual = reading.casting
    elif "finesse" in words or ("thrown" in words and ranged):
        usual = max(("str", "dex"), key=lambda one: reading.modifiers[one])
    if said in ("default", "spellcasting"):
        return usual, True
    formulas = " ".join(as_text(one.get("formula")) for one in rolls)
    return next((one for one in ABILITIES if f"@{one}.mod" in formulas), usual), False


def _ranges(ranges: list[Found], attack: Found | None, name: str, reading: ActorReading, found: ActionNumbers) -> None:
    """Put reach and range in feet. A melee attack's own words, or the distance, decide which of the two a number is."""
    reach, pair, far = _said_ranges(ranges)
    for one in ranges:
        said = as_text(one.get("range")).strip()
        if said and said not in _NAMED and said != "self" and not _NUMBER.search(said):
            reading.report.add_note(f"{name}: range", said, "is no distance; it isn't kept")
    kind = as_text(attack.get("attackType")) or "melee" if attack else ""
    if attack and not (reach or pair or far):
        reach, pair, far = _said_ranges([{"range": part} for part in _BRACKETED.findall(name)])
    if len(far) > 1 and not pair:
        pair = f"{far[0]}/{far[1]}"
    single = far[0] if far and not pair else 0
    if kind.startswith("ranged"):
        single = single or (0 if pair else reach)
    if kind and not kind.startswith("ranged"):
        if not reach and single <= FAR_RANGE:
            reach, single = single, 0
        if not reach and not single:
            found.guessed["reach"] = (_USUAL_REACH, "isn't said; it is the usual one of melee attacks")
        elif reach:
            found.known["reach"] = reach
    if pair or single:
        found.known["range"] = pair or str(single)


def _said_ranges(ranges: list[Found]) -> tuple[int, str, list[int]]:
    """Return a reach, the first pair of ranges, and single distances, in feet."""
    reach, pair, far = 0, "", []
    for one in ranges:
        said = one.get("range")
        if isinstance(said, str) and said in _NAMED:
            if _NAMED[said] == _USUAL_REACH:
                reach = reach or _USUAL_REACH
            else:
                far.append(_NAMED[said])
            continue
        text = as_text(said)
        if found := _PAIR.search(text):
            pair = pair or f"{found[1]}/{found[2]}"
        elif number := _NUMBER.search(text):
            feet = in_feet(int(number[0]), one.get("unit") or ("mile" if "mile" in text.lower() else "ft")) or 0
            if "reach" in text.lower():
                reach = feet
            elif feet:
                far.append(feet)
    return reach, pair, far


def _area(area: Found, name: str, reading: ActorReading) -> dict[str, Any]:
    shape, said = area.get("shape"), as_text(area.get("size"))
    if not isinstance(shape, str) or not shape:
        return {}
    size = _NUMBER.search(said)
    feet = first_number(area, "length", "radius", "width") or (
        int(size[0]) if size and "mile" not in said.lower() else 0
    )
    if not feet:
        reading.report.add_note(f"{name}: area", f"{shape} {said}".strip(), "has no size in feet; text only")
        return {}
    if shape == "cylinder":
        return {"area": area_of(shape, as_int(area.get("radius")) or feet, as_int(area.get("height")) or 0)}
    word = "radius" if shape in _ROUND else shape
    return {"area": area_of(word, feet, (as_int(area.get("width")) or 0) if shape == "line" else 0)}


def _save(prompts: list[Found], prose: str, name: str, reading: ActorReading) -> dict[str, Any]:
    known: dict[str, Any] = {}
    for prompt in prompts:
        ability, dc = prompt.get("ability"), _dc_of(prompt, reading)
        said, why = f"{ability} save, DC {dc}", ""
        if prompt.get("type") == "effect":
            continue
        if prompt.get("type") != "savingThrow" or ability not in ABILITIES or not dc:
            said = _joined(prompt, "type", "ability", "skill", "formula")
            why = "is no saving throw with a DC; it stays as text only"
        elif "saving throw" not in prose and re.search(rf"escape\s*DC\s*{dc}\b", prose):
            continue  # the escape check of a grapple, which the prose states
        elif "saving throw" not in prose and re.search(rf"DC {dc} [A-Z]\w+(?: \([A-Z]\w+\))? check", prose):
            why = "the text has a check; it stays as text only"
        elif known:
            why = "is a second save; it stays as text only"
        else:
            known = {"save": ability, "dc": dc}
            if _HALF.search(as_text(prompt.get("onSave"))):
                known["half"] = True
        if why:
            reading.report.add_note(f"{name}: prompt", said, why)
    return known


def _damage(
    rolls: list[Found],
    prompts: list[Found],
    prose: str,
    name: str,
    reading: ActorReading,
    numbers: ActionNumbers,
    *,
    attacked: bool,
) -> None:
    """Put the damage of an action, and rolls beside it that its prose doesn't have."""
    made = [part for one in rolls if one.get("type") == "damage" and (part := _part(one, name, reading))]
    on_save = " ".join(as_text(prompt.get("onSave")) for prompt in prompts)
    texts = {_BRACKET_AT_END.sub("", as_text(one.get("name"))).lower(): description_of(one) for one in reading.items}
    saves = "save" in numbers.known
    found = sort_damage(made, prose, on_save, save=saves and attacked, other_features=texts.keys())
    if not attacked:
        found.hit += found.saved
    elif not saves:
        found.beside += found.saved
    found.beside += found.ongoing[1:]
    found.beside = [one for one in found.beside if position_in_prose(texts.get(one.label.lower(), ""), one) < 0]
    if attacked:
        numbers.later = _take(found.beside, lambda one: is_dealt_later(prose, one))
        if others := _other_damage(found, prose):
            numbers.known["other_damage"] = others
    for part in found.beside:
        reading.report.add_note(f"{name}: damage", part.labelled, "isn't dealt every time; it stays as text only")
    saved = found.saved if attacked and saves else []
    for field, some in (("damage", found.hit), ("save_damage", saved), ("ongoing", found.ongoing[:1])):
        if some:
            numbers.known[field] = " + ".join(part.text for part in some)
    numbers.extra_rolls = [part.labelled for part in found.beside if position_in_prose(prose, part) < 0]


def description_of(item: Found) -> str:
    """Return the text of an item, with the part that only the game master reads."""
    said, secret = value_at(item, "system.description"), value_at(item, "system.secretDescription")
    if isinstance(secret, str) and secret.strip():
        return f"{as_text(said)}\n{secret}"
    return as_text(said.get("value")) if isinstance(said, dict) else as_text(said)


def _take(parts: list[DamageRollPart], wanted: Callable[[DamageRollPart], bool]) -> list[DamageRollPart]:
    """Take the wanted rolls out of a list, and return them."""
    found = [one for one in parts if wanted(one)]
    parts[:] = [one for one in parts if one not in found]
    return found


def _other_damage(found: DamageByTiming, prose: str) -> tuple[OtherDamage, ...]:
    """Take the rolls of another use out of those beside the hit, and return the damage of each use.

    They replace the rolls of their type; those that are extra, and those of a type that no hit deals, are added.
    """
    others: dict[tuple[str, str], list[DamageRollPart]] = {}
    for part in found.beside:
        if use := _use_of(part, found, prose):
            others.setdefault(use, []).append(part)
    made = []
    for (name, when), parts in others.items():
        instead = {part.kind: part for part in parts if not is_extra(prose, part)}
        usual = [instead.get(one.kind, one) for one in found.hit]
        more = [one for one in parts if one not in usual]
        made.append(OtherDamage(name, " + ".join(one.text for one in (*usual, *more)), when))
        _take(found.beside, parts.__contains__)
    return tuple(made)


def _use_of(part: DamageRollPart, found: DamageByTiming, prose: str) -> tuple[str, str] | None:
    """Return the name of the use of an attack that a roll belongs to, and the statement where it is that use; or None."""
    label = " ".join(_ROLL_NUMBER.sub("", part.label).lower().split())
    if use := next(((name, fact) for pattern, name, fact in _USES if pattern.search(label)), None):
        return use
    if is_extra(prose, part):
        return f"with {label or f'another {part.text}'}", ""
    if position_in_prose(prose, part) >= 0 or all(part.kind != one.kind for one in found.hit):
        return None
    return label or "at other times", ""


def _part(one: Found, name: str, reading: ActorReading) -> DamageRollPart | None:
    formula = one.get("formula")
    if formula in (None, ""):
        return None
    amount = reading.formulas.amount(formula)
    if amount is None:
        reading.report.add_note(f"{name}: damage", as_text(formula), "can't be worked out; it isn't kept")
        return None
    if scaled := text_at(one, "scaling.formula"):
        reading.report.add_note(f"{name}: damage", scaled, "is more of it at higher levels; it isn't kept")
    label = " ".join((as_text(one.get("label")) or as_text(one.get("name"))).split())
    first = f"{amount.dice[0][0]}d{amount.dice[0][1]}" if amount.dice else ""
    added = "@" in str(formula) or bool(amount.dice and amount.flat)
    usual = one.get("default", one.get("defaultSelection", True)) is not False
    kind = one.get("damageType")
    typed = kind.strip().lower() if isinstance(kind, str) else ""
    return DamageRollPart(amount.text, typed, first, amount.flat, added, label, usual)
