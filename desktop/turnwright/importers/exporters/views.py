"""The values of a creature that templates of export formats show: its fields, totals taken apart, and printed lines."""

import re
from collections.abc import Iterator, Mapping
from hashlib import sha256
from html import escape
from typing import Any, Final

from turnwright.encounter.prepared import Creature, Feature, NamedNumbers, SourceNote
from turnwright.encounter.state import grouped
from turnwright.importers.exporters.printed import (
    ABILITIES,
    Modifier,
    default_modifier,
    feature_text,
    missing_in,
    nonmagical,
    score_there,
    speed_lines,
    type_line,
    usage_words,
)
from turnwright.importers.five_e_tools.tags import proficiency_of
from turnwright.importers.foundry.reading import ORDINALS, SENSES, SKILLS
from turnwright.importers.pf2e.conditions import read_ability
from turnwright.importers.pf2e.markup import SAVES
from turnwright.importers.statblock_text.header_lines import MOVES, legendary_count
from turnwright.importers.vocabulary import Patterns

_RE: Final = Patterns("exporters_views")
_BY_SAVE: Final[Mapping[str, str]] = {ability: save for save, ability in SAVES.items()}
_CODES: Final[Mapping[str, tuple[str, str]]] = {id: (code, ability) for code, (id, ability) in SKILLS.items()}
_IN_TEXT: Final = frozenset({"afflictions", "push", "ongoing", "save_damage"})  # in no data of other programs
_NEAR: Final = 5  # feet
_RARITIES: Final = ("uncommon", "rare", "unique")
_OF_HAZARDS: Final = ("hazard", "simple", "complex")
_IN_FIELDS: Final = frozenset({"weapon", "reach", "thrown", "ranged", "spell"})  # properties that other fields contain
_BESIDE: Final = {"attack-trait": "attack"}
_GROUPS: Final = ("trait", "action", "bonus", "reaction", "legendary", "lair")


def creature_view(creature: Creature, system: str, modifier: Modifier) -> dict[str, Any]:
    """Return the values of a creature of a rule system by name. `modifier` returns an ability score's modifier."""
    average = 10 if modifier(10) == 0 else 0
    scores = {id: dict(creature.abilities).get(id, average) for id in ABILITIES}
    usual = proficiency_of(creature.rating)
    proficiency = creature.proficiency or usual

    def taken_apart(total: int | None, ability: str, most: int) -> dict[str, Any]:
        """Return a total as the modifier of an ability, a number of times the proficiency bonus, and the rest."""
        base = modifier(scores[ability])
        beside = 0 if total is None else total - base
        times = beside // proficiency if beside in (proficiency, most * proficiency) else 0
        rest = beside - times * proficiency or ""
        signed = f"{base + beside:+d}"
        return {"bonus": base + beside, "signed": signed, "times": times, "is_trained": times > 0, "rest": rest}

    saves = dict(creature.saves)
    skills = []
    for id, total in creature.skills:
        code, ability = _CODES.get(id, ("", "int"))
        named = {"skill": id, "words": id.replace("-", " "), "title": _title(id), "code": code, "ability": ability}
        skills.append({**named, "id16": id16(f"{creature.id}/{id}"), **taken_apart(total, ability, 2)})
        skills[-1] |= {"is_lore": id.startswith("lore-"), "is_plain": id != "perception" and not id.startswith("lore-")}
    abilities: list[dict[str, Any]] = [
        {"ability": id, "score": score, "title": title, "short": title[:3], "modifier": f"{modifier(score):+d}"}
        | taken_apart(saves.get(id), id, 1)
        for (id, score), title in zip(scores.items(), ABILITIES.values(), strict=True)
    ]
    there = {id: score_there(score, modifier) for id, score in scores.items()}
    bases = (modifier(scores["dex"]), default_modifier(there["dex"]))
    beside = [0 if creature.initiative is None else creature.initiative - base for base in bases]
    materials = f" that aren't {' or '.join(creature.mundane_except)}" if creature.mundane_except else ""
    senses = [f"{sense} {feet} ft." if feet else sense for sense, feet in creature.senses]
    senses += [each.text for each in creature.remarks if each.about == "senses"]
    passives = [f"passive {_title(skill)} {score}" for skill, score in creature.passives]
    immunities = [*creature.immunities, *nonmagical(creature, given=creature.mundane_immunity)]
    resistances = [*creature.resistances, *nonmagical(creature, given=creature.mundane_resistance)]
    tags = [tag for tag in creature.tags if tag not in ("swarm", "elite", "player")]
    features = [feature_view(feature, creature) for feature in creature.features]
    texts = (creature.description, *(f"{each['name']}. {each['text']}" for each in features))
    return {
        **{field: getattr(creature, field) for field in Creature.__struct_fields__},
        **{f"{name}_html": html(getattr(creature, name)) for name in ("description", "notes", "tactics")},
        **{f"each_{field}": _pairs(getattr(creature, field)) for field in ("speeds", "senses", "slots")},
        "system": system,
        "line": {
            "type": type_line(creature),
            "speed": ", ".join(speed_lines(creature)),
            "senses": ", ".join((*senses, *passives)),
            "immunities": _series(immunities),
            "resistances": _series(resistances),
        },
        "speed_lines": speed_lines(creature),
        "sense_lines": senses,
        "all_sense_lines": [*senses, *passives],
        "immunities_with_clause": immunities,
        "resistances_with_clause": resistances,
        "scores": scores,
        "scores_there": there,
        "abilities": abilities,
        "stated_saves": [each for each in abilities if each["ability"] in saves],
        "saves": {_BY_SAVE.get(id, id): total for id, total in saves.items()},
        "skills": skills,
        "skill": dict(creature.skills),
        "dice": _RE.sign.sub(r" \1 ", creature.hit_dice),
        "dice_parts": [
            {"die": f"d{d}", "count": int(n or 1)} for n, d in re.findall(r"(\d*)d(\d+)", creature.hit_dice)
        ],
        "own_proficiency": proficiency if proficiency != usual else 0,
        "has_initiative": creature.initiative is not None,
        "initiative_rest": beside[0] or "",
        "initiative_there": beside[1],
        "mundane_note": f"from nonmagical attacks{materials}",
        "speed": {**dict.fromkeys(MOVES, 0), **dict(creature.speeds)},
        "sense": dict(creature.senses),
        "passive": dict(creature.passives).get("perception"),
        "kinds": [creature.type, *(tag for tag in creature.tags if tag != "elite")],
        "kind_tags": tags,
        "is_swarm": "swarm" in creature.tags,
        "is_elite": "elite" in creature.tags,
        "is_player": "player" in creature.tags,
        "is_character": "player" in creature.tags and creature.level,
        "is_hazard": creature.type == "hazard",
        "is_complex": "complex" in creature.tags,
        "rarity": next((tag for tag in creature.tags if tag in _RARITIES), "common"),
        "pf2e_traits": [tag for tag in creature.tags if tag not in (*_RARITIES, *_OF_HAZARDS)],
        "all_immunities": (*creature.immunities, *creature.condition_immunities),
        "resistances_apart": list(map(_with_amount, creature.resistances)),
        "vulnerabilities_apart": list(map(_with_amount, creature.vulnerabilities)),
        "languages_apart": [part.strip() for part in creature.languages.split(",") if part.strip()],
        "other_senses": [line for line in senses if line.split()[0] not in SENSES],
        "resistance_uses": next((one["uses"] for one in features if "Legendary Resistance" in one["name"]), 0),
        "rating_number": _number(creature.rating),
        "note": {about: "; ".join(texts) for about, texts in grouped(map(_told, creature.remarks)).items()},
        "legendary_unsaid": 0 if any(map(legendary_count, texts)) else creature.legendary,
        "features": features,
        "by_cost": grouped((each["group"], each) for each in features),
        "strikes": [each for each in features if each["is_strike"]],
        "others": [each for each in features if not each["is_strike"]],
    }


def _told(remark: SourceNote) -> tuple[str, str]:
    return remark.about, remark.text


def _pairs(figures: NamedNumbers) -> list[dict[str, Any]]:
    return [{"key": name, "value": number or None} for name, number in figures]


def _title(id: str) -> str:
    return id.replace("-", " ").title()


def feature_view(feature: Feature, creature: Creature) -> dict[str, Any]:
    """Return the values of a feature by name."""
    near, _, far = feature.range.partition("/")
    usage = usage_words(feature)
    price = f"(Costs {feature.price} Actions)" if feature.cost == "legendary" and feature.price > 1 else ""
    printed = _with_spell_numbers(feature_text(feature, creature), feature, creature)
    way, is_spell = "ranged" if near.isdigit() and not feature.reach else "melee", "spell" in feature.properties
    distances = ("fiveFeet" if feature.reach == _NEAR else feature.reach, feature.range)
    is_unclear = bool(feature.multiattack) or (feature.dc > 0 and not feature.save)
    is_unclear |= not _IN_TEXT.isdisjoint(missing_in(feature.text, feature))
    activities = list[dict[str, Any]]()
    for number, (does, dealt) in enumerate(_activities(feature)):
        parts = damage_parts(dealt)
        on_save = "half" if does == "save" and feature.half else "none"
        id = id16(f"{creature.id}/{feature.id}/{number}")
        activities.append({"activity": id, "does": does, "on_save": on_save, "rolls": parts})
        activities[-1]["rolled"] = "heal" if does == "heal" else "damage"
        activities[-1] |= {"dealt": [], "healed": parts[0]} if does == "heal" and parts else {"dealt": parts}
    rolls: list[dict[str, Any]] = [{"does": "attack"}] if feature.attack is not None else []
    rolls += [{"does": each["rolled"], **part} for each in activities for part in each["rolls"]]
    rolls = [{"roll": id16(f"{creature.id}/{feature.id}/roll {at}"), **roll} for at, roll in enumerate(rolls)]
    return {
        **{field: getattr(feature, field) for field in Feature.__struct_fields__},
        "group": feature.cost if feature.cost in _GROUPS else "trait",
        "id16": id16(f"{creature.id}/{feature.id}"),
        "title": " ".join(filter(None, (feature.name, price, usage))),
        "priced_name": f"{feature.name} {price}".strip(),
        "attack_type": f"{way}{'Spell' if is_spell else 'Weapon'}Attack",
        "rolls": rolls,
        "distances": [{"distance": id16(f"{feature.id}/{text}"), "feet": text} for text in distances if text],
        "printed": printed,
        "paragraphs": printed.replace("\n", "\n\n"),
        "lines": printed.splitlines() or [""],
        "html": html(printed if is_unclear else feature.text),
        "is_attack": feature.attack is not None,
        "is_strike": feature.attack is not None and not feature.is_spell and feature.cost == "action",
        "signed": f"{feature.attack or 0:+d}",
        "way": way,
        "kind": "spell" if is_spell else "weapon",
        "far": int(far) if far.isdigit() else None,
        "reach_or_none": feature.reach or None,
        "activities": activities,
        "is_priced": feature.cost == "legendary",
        "near": int(near) if near.isdigit() else None,
        "parts": damage_parts(feature.damage),
        "area": area_parts(feature.area),
        **_of_pathfinder(feature, creature),
        "is_limited": bool(feature.uses or feature.recharge),
    }


def _of_pathfinder(feature: Feature, creature: Creature) -> dict[str, Any]:
    """Return the values of a feature as Foundry's Pathfinder system has them."""
    near, _, far = feature.range.partition("/")
    thrown = "thrown" in feature.properties
    traits = [each for each in feature.properties if each not in _IN_FIELDS]
    if "reach-0" not in traits and feature.reach not in (0, _NEAR):
        traits.append(f"reach-{feature.reach}")
    said = read_ability(feature.name, feature.text, creature.name, feature.properties, lambda *_: None)
    rolls = [{**part, "category": None} for part in damage_parts(feature.damage)]
    rolls += [{**part, "category": "persistent"} for part in damage_parts(feature.ongoing)]
    return {
        "strike_traits": [*traits, f"thrown-{near}"] if thrown and near else traits,
        "ability_traits": [_BESIDE.get(each, each) for each in feature.properties],
        "ranges": bool(near) and not thrown,
        "increment": int(near) if near.isdigit() and not far else None,
        "max_range": int(far) if far.isdigit() else None,
        "strike_rolls": [{"roll": id16(f"{feature.id}/{at}"), **roll} for at, roll in enumerate(rolls)],
        "is_unsaid": any(said.get(one, "") != getattr(feature, one) for one in ("damage", "save", "area")),
        "text_html": html(feature.text),
        "save_type": _BY_SAVE.get(feature.save, feature.save),
        "save_title": _BY_SAVE.get(feature.save, feature.save).title(),
        "area_text": feature.area,
        "is_action": feature.cost == "action",
    }


def _activities(feature: Feature) -> Iterator[tuple[str, str]]:
    """Yield the rolls of a feature: the kind of each, with its damage or healing."""
    if feature.attack is not None:
        yield "attack", feature.damage
    if feature.save and feature.dc:
        yield "save", feature.save_damage if feature.attack is not None else feature.damage
    elif feature.attack is None and feature.damage:
        yield "damage", feature.damage
    if feature.heals:
        yield "heal", feature.heals
    rolls = feature.attack is not None or (feature.save and feature.dc) or feature.damage or feature.heals
    if feature.cost != "trait" and not rolls:
        yield "utility", ""


def area_parts(area: str) -> dict[str, Any]:
    """Return the shape of an area, its size, and the width of a line or the height of a cylinder."""
    match = _RE.area.match(area)
    if match is None:
        return {}
    other = {"line": "width", "cylinder": "height"}.get(match[2], "")
    return {"shape": match[2], "size": int(match[1]), **({other: int(match[3])} if match[3] and other else {})}


def _with_spell_numbers(text: str, feature: Feature, creature: Creature) -> str:
    """Return the text of a spell list with its DC, and with the levels as books print them."""
    if not feature.dc or feature.save:
        return text
    ability = ABILITIES.get(creature.spellcasting, "")
    text = _RE.level.sub(lambda line: f"{ORDINALS[int(line[1])]} {line[2]}", text)
    own = f"spell save DC {feature.dc}"
    head = f"Its spellcasting ability is {ability} ({own})." if ability else f"The {own}."
    return text if f"DC {feature.dc}" in text else f"{head} {text}"


def damage_parts(damage: str) -> list[dict[str, Any]]:
    """Return the parts of a damage expression as formulas, numbers and types."""
    parts = []
    for part in re.split(r" \+ (?=\d)", damage) if damage else ():
        formula, _, kind = part.partition(" ")
        dice = _RE.dice.match(formula)
        count, sides, added = (dice[1], dice[2], dice[3]) if dice else ("", "", formula)
        named = {"formula": formula, "damage_type": kind, "types": [kind] if kind else [], "bonus": added or ""}
        parts.append({**named, "number": int(count or 1) if sides else None, "sides": int(sides) if sides else None})
    return parts


def _with_amount(entry: str) -> dict[str, Any]:
    """Return a resistance or weakness as its type and its amount, if it ends with one."""
    kind, _, amount = entry.rpartition(" ")
    return {"type": kind, "amount": int(amount)} if kind and amount.isdigit() else {"type": entry, "amount": None}


def _number(rating: str) -> float | int | None:
    top, _, bottom = rating.partition("/")
    return None if not top.lstrip("-").isdigit() else int(top) / int(bottom) if bottom.isdigit() else int(top)


def _series(parts: list[str]) -> str:
    """Return parts as one line. A part that itself contains commas stands after a semicolon."""
    plain = ", ".join(part for part in parts if "," not in part)
    return "; ".join(filter(None, (plain, *(part for part in parts if "," in part))))


def id16(text: str) -> str:
    """Return an id of sixteen letters and digits, as Foundry requires. The same text always has the same id."""
    return sha256(text.encode()).hexdigest()[:16]


def html(text: str) -> str:
    """Return a text as paragraphs of HTML."""
    return "".join(f"<p>{escape(line, quote=False)}</p>" for line in text.splitlines() if line.strip())
