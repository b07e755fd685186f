"""Reads one action of an A5E item as numbers: attack bonus, reach or range, damage, saving throw, area, uses."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any, Final

import msgspec

from turnwright.storage.conversion_report import ConversionReport
from turnwright.storage.importers.common import as_list, as_mapping, as_text
from turnwright.storage.importers.foundry.actors import nested_value, values_of
from turnwright.storage.importers.foundry.damage_rolls import (
    DamageByTiming,
    DamageRollPart,
    position_in_prose,
    sort_damage,
)
from turnwright.storage.importers.foundry.formulas import FormulaEvaluator
from turnwright.storage.importers.foundry.units import ABILITIES, in_feet, refill_period
from turnwright.storage.statblock_text.areas import area_of
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
_USUAL_REACH: Final = 5
FAR_RANGE: Final = 40  # feet: an unmarked distance up to this is a reach


class ActionNumbers(msgspec.Struct):
    """The numbers of an action: by field of a feature, guesses with their reasons, and rolls kept beside them."""

    known: dict[str, Any] = {}
    guessed: dict[str, tuple[Any, str]] = {}
    extra_rolls: list[str] = []


class A5eActionContext(msgspec.Struct):
    """The actor whose actions are read: formulas, spellcasting ability, names of features, and the report."""

    formulas: FormulaEvaluator
    modifiers: Mapping[str, int]
    proficiency: int
    casting: str
    names: Collection[str]
    bonuses: Found
    report: ConversionReport

    def dc_of(self, prompt: Found) -> int | None:
        """Return the DC of a prompt: a formula alone, or added to the DC of spells, maneuvers, an ability."""
        given = as_mapping(prompt.get("saveDC"))
        kind, bonus = given.get("type"), given.get("bonus")
        added = self.formulas.number(bonus) if bonus not in (None, "") else 0
        base = 0
        if kind in ("spellcasting", "maneuver"):
            base = self.formulas.number("@spellDC" if kind == "spellcasting" else "@maneuverDC") or 0
        elif kind in ABILITIES:
            base = 8 + self.proficiency + self.modifiers[kind]
        if added is None:
            return base or None
        return base + added or None


def action_numbers(action: Found, item: Found, prose: str, name: str, context: A5eActionContext) -> ActionNumbers:
    """Return the numbers of an action by field of a feature. Dropped content is reported."""
    system = as_mapping(item.get("system"))
    rolls = values_of(action.get("rolls"))
    prompts = values_of(action.get("prompts"))
    found = ActionNumbers()
    attack = next((roll for roll in rolls if roll.get("type") == "attack"), None)
    if attack is not None:
        _attack(attack, rolls, system, name, context, found)
    _ranges(action, attack, name, context, found)
    found.known |= _area(as_mapping(action.get("area")), name, context)
    save = _save(prompts, prose, name, context)
    found.known |= save
    harm, found.extra_rolls = _damage(
        rolls, prompts, prose, name, context, attacked=attack is not None, saves=bool(save)
    )
    found.known |= harm | usage_of(as_mapping(action.get("uses")), name, context)
    if system.get("concentration") is True:
        found.known["concentration"] = True
    for roll in rolls:
        if roll is not attack and roll.get("type") != "damage":
            _tell_roll(roll, name, context)
    return found


def usage_of(uses: Found, name: str, context: A5eActionContext) -> dict[str, Any]:
    """Return the number of uses of an item and their recharge; nothing for unlimited use."""
    most, per = uses.get("max"), uses.get("per")
    recharge = as_mapping(uses.get("recharge"))
    if per == "recharge":
        face = as_int(recharge.get("threshold"))
        formula = as_text(recharge.get("formula")).replace(" ", "") or "1d6"
        if face and 2 <= face <= 6 and formula in ("1d6", "d6"):
            return {"recharge": face}
        context.report.add_note(
            f"{name}: recharge", f"{formula}, {face} or more", "is no recharge on a six-sided die; not kept"
        )
        return {}
    if most in (None, "", "0", 0):
        return {}
    number = context.formulas.number(most)
    stretch = refill_period(per)
    if number is None or number < 1 or not stretch:
        if per or number is None:
            context.report.add_note(
                f"{name}: uses", f"{most} per {per or '?'}", "is no limit that is known; it isn't kept"
            )
        return {}
    return {"uses": number, "per": stretch}


def _attack(
    roll: Found, rolls: list[Found], system: Found, name: str, maker: A5eActionContext, found: ActionNumbers
) -> None:
    kind = as_text(roll.get("attackType")) or "meleeWeaponAttack"
    ability, sure = _ability(roll, rolls, kind, system, maker)
    flat = maker.formulas.number(roll.get("bonus")) if as_text(roll.get("bonus")).strip() else 0
    general = maker.formulas.number(maker.bonuses.get(kind)) if as_text(maker.bonuses.get(kind)).strip() else 0
    if flat is None or general is None:
        said = as_text(roll.get("bonus")) or as_text(maker.bonuses.get(kind))
        maker.report.add_note(f"{name}: attack", said, "can't be worked out; it is left out of the bonus")
    proficient = maker.proficiency if roll.get("proficient") is not False else 0
    bonus = maker.modifiers.get(ability, 0) + proficient + (flat or 0) + (general or 0)
    if sure:
        found.known["attack"] = bonus
    else:
        found.guessed["attack"] = (bonus, f"no ability is named for it; it is read as one with {ability}")
    words = as_list(system.get("weaponProperties"))
    kept = [_PROPERTIES[word] for word in words if isinstance(word, str) and word in _PROPERTIES]
    found.known["properties"] = ("spell" if "Spell" in kind else "weapon", *kept)


def _ability(roll: Found, rolls: list[Found], kind: str, system: Found, maker: A5eActionContext) -> tuple[str, bool]:
    """Return the ability of an attack, chosen as Foundry chooses it, and whether the source names it."""
    said = roll.get("ability")
    if said in ABILITIES or said == "none":
        return str(said), True
    spell = "Spell" in kind
    words = as_list(system.get("weaponProperties"))
    free = "finesse" in words or ("thrown" in words and kind == "rangedWeaponAttack")
    better = max(("str", "dex"), key=lambda one: maker.modifiers.get(one, 0))
    usual = maker.casting if spell else better if free else "dex" if kind == "rangedWeaponAttack" else "str"
    if said == "spellcasting":
        return maker.casting, True
    if said == "default":
        return usual, True
    formulas = " ".join(as_text(one.get("formula")) for one in rolls)
    return next((one for one in ABILITIES if f"@{one}.mod" in formulas), usual), False


def _ranges(action: Found, attack: Found | None, name: str, maker: A5eActionContext, found: ActionNumbers) -> None:
    """Put reach and range in feet. A melee attack's own words, or the distance, decide which of the two a number is."""
    ranges = values_of(action.get("ranges"))
    reach, pair, far = _said_ranges(ranges)
    for one in ranges:
        said = as_text(one.get("range")).strip()
        if said and said not in _NAMED and said != "self" and not _NUMBER.search(said):
            maker.report.add_note(f"{name}: range", said, "is no distance; it isn't kept")
    kind = as_text(attack.get("attackType")) or "melee" if attack else ""
    if attack and not (reach or pair or far):
        reach, pair, far = _said_ranges([{"range": part} for part in _BRACKETED.findall(name)])
    if len(far) > 1 and not pair:
        pair = f"{far[0]}/{far[1]}"
    single = str(far[0]) if far and not pair else ""
    if kind.startswith("ranged"):
        single = single or (str(reach) if reach and not pair else "")
        reach = 0
    elif kind:
        if single and not reach and far[0] <= FAR_RANGE:
            reach, single = far[0], ""
        if not reach and not single:
            found.guessed["reach"] = (_USUAL_REACH, "isn't said; it is the usual one of melee attacks")
    else:
        reach = 0
    found.known |= {key: value for key, value in (("reach", reach), ("range", pair or single)) if value}


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


def _area(area: Found, name: str, maker: A5eActionContext) -> dict[str, Any]:
    shape = area.get("shape")
    if not isinstance(shape, str) or not shape:
        return {}
    size = _NUMBER.search(as_text(area.get("size")))
    feet = next((n for n in map(as_int, (area.get("length"), area.get("radius"), area.get("width"))) if n), 0)
    feet = feet or (int(size[0]) if size and "mile" not in as_text(area.get("size")).lower() else 0)
    if not feet:
        maker.report.add_note(
            f"{name}: area", f"{shape} {as_text(area.get('size'))}".strip(), "has no size in feet; text only"
        )
        return {}
    if shape == "cylinder":
        return {"area": area_of(shape, as_int(area.get("radius")) or feet, as_int(area.get("height")) or 0)}
    word = "radius" if shape in _ROUND else shape
    return {"area": area_of(word, feet, (as_int(area.get("width")) or 0) if shape == "line" else 0)}


def _save(prompts: list[Found], prose: str, name: str, maker: A5eActionContext) -> dict[str, Any]:
    known: dict[str, Any] = {}
    for prompt in prompts:
        kind = prompt.get("type")
        if kind == "effect":
            continue
        ability, dc = prompt.get("ability"), maker.dc_of(prompt)
        if kind != "savingThrow" or ability not in ABILITIES or not dc:
            said = [as_text(part) for part in (kind, ability, prompt.get("skill"), prompt.get("formula"))]
            line = " ".join(part for part in said if part)
            maker.report.add_note(f"{name}: prompt", line, "is no saving throw with a DC; it stays as text only")
        elif "saving throw" not in prose and re.search(rf"escape\s*DC\s*{dc}\b", prose):
            continue  # the escape check of a grapple, which the prose states
        elif "saving throw" not in prose and re.search(rf"DC {dc} [A-Z]\w+(?: \([A-Z]\w+\))? check", prose):
            maker.report.add_note(
                f"{name}: prompt", f"{ability} save, DC {dc}", "the text has a check; it stays as text only"
            )
        elif known:
            maker.report.add_note(
                f"{name}: prompt", f"{ability} save, DC {dc}", "is a second save; it stays as text only"
            )
        else:
            known = {"save": ability, "dc": dc}
            if _HALF.search(as_text(prompt.get("onSave"))):
                known["half"] = True
    return known


def _damage(
    rolls: list[Found],
    prompts: list[Found],
    prose: str,
    name: str,
    maker: A5eActionContext,
    *,
    attacked: bool,
    saves: bool,
) -> tuple[dict[str, Any], list[str]]:
    made = [roll for one in rolls if one.get("type") == "damage" and (roll := _roll(one, name, maker))]
    if not made:
        return {}, []
    on_save = " ".join(as_text(prompt.get("onSave")) for prompt in prompts)
    found = sort_damage(made, prose, on_save, save=saves and attacked, other_features=maker.names)
    if not attacked:
        found = DamageByTiming([*found.hit, *found.saved], [], found.ongoing, found.beside)
    elif not saves and found.saved:
        found.beside += found.saved
        found.saved = []
    if len(found.ongoing) > 1:
        found.beside += found.ongoing[1:]
    for roll in found.beside:
        maker.report.add_note(f"{name}: damage", _called(roll), "isn't dealt every time; it stays as text only")
    known: dict[str, Any] = {}
    for field, some in (("damage", found.hit), ("save_damage", found.saved), ("ongoing", found.ongoing[:1])):
        if some:
            known[field] = " + ".join(roll.text for roll in some)
    return known, [_called(roll) for roll in found.beside if position_in_prose(prose, roll) < 0]


def _called(roll: DamageRollPart) -> str:
    return f"{roll.label}: {roll.text}" if roll.label else roll.text


def _roll(one: Found, name: str, maker: A5eActionContext) -> DamageRollPart | None:
    formula = one.get("formula")
    if formula in (None, ""):
        return None
    amount = maker.formulas.amount(formula)
    if amount is None:
        maker.report.add_note(f"{name}: damage", as_text(formula), "can't be worked out; it isn't kept")
        return None
    if scaled := as_text(nested_value(one, "scaling.formula")):
        maker.report.add_note(f"{name}: damage", scaled, "is more of it at higher levels; it isn't kept")
    label = " ".join((as_text(one.get("label")) or as_text(one.get("name"))).split())
    first = f"{amount.dice[0][0]}d{amount.dice[0][1]}" if amount.dice else ""
    added = "@" in str(formula) or bool(amount.dice and amount.flat)
    usual = one.get("default", one.get("defaultSelection", True)) is not False
    kind = one.get("damageType")
    typed = kind.strip().lower() if isinstance(kind, str) else ""
    return DamageRollPart(amount.text, typed, first, amount.flat, added, label, usual)


def _tell_roll(roll: Found, name: str, maker: A5eActionContext) -> None:
    said = [as_text(roll.get(key)) for key in ("ability", "skill", "tool", "formula")]
    kind = as_text(roll.get("type")) or "roll"
    maker.report.add_note(f"{name}: {kind}", " ".join(part for part in said if part), "stays as text only")
