"""Reads the items of an A5E actor as features of a stat block: traits, weapons, legendary actions, spell lists."""

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec

from turnwright.encounter.prepared import Feature, OtherDamage
from turnwright.encounter.state import grouped
from turnwright.importers.common import as_list, as_mapping, as_text
from turnwright.importers.foundry.formulas import (
    DamageByTiming,
    DamageRollPart,
    is_dealt_later,
    is_extra,
    position_in_prose,
    sort_damage,
)
from turnwright.importers.foundry.reading import (
    ActorReading,
    add_carried,
    add_feature,
    add_worn,
    first_number,
    in_feet,
    item_name,
    limited_uses,
    mapping_at,
    name_spells,
    slots_of,
    spell_entry,
    text_at,
    value_at,
    values_of,
    with_long_activation,
    with_preface,
)
from turnwright.importers.foundry.spells import spell_of
from turnwright.importers.pf2e.conditions import sentence_around
from turnwright.importers.statblock_text.damage import TWO_HANDS, as_int
from turnwright.importers.statblock_text.feature_text import area_of
from turnwright.importers.statblock_text.features import read_feature_name
from turnwright.importers.statblock_text.header_lines import ABILITIES
from turnwright.importers.statblock_text.markup import plain_text
from turnwright.importers.statblock_text.spell_lists import with_text
from turnwright.importers.vocabulary import Patterns, terms
from turnwright.rules.system_data.numbers import Spell
from turnwright.storage.fights import ConversionReport

Record = Mapping[str, Any]
_RE: Final = Patterns("foundry_a5e")
_KINDS: Final = {"legendary": "legendary", "bonus": "bonus", "re": "reaction", "lair": "lair"}
_NAMED: Final = {"fiveFeet": 5, "touch": 5, "short": 30, "medium": 60, "long": 120}
_CHOSEN: Final = frozenset({"Radiant", "Necrotic"})  # rolls of which a spell deals one
_ROUND: Final = frozenset({"sphere", "emanation", "circle"})
_PROPERTIES: Final[Mapping[str, str]] = terms("foundry_a5e", "properties")
_USUAL_REACH: Final = 5
_USES: Final = (  # pattern of a roll's label, name of that use of the attack, its condition
    (re.compile(r"two[- ]hand|\b2h\b|versatile"), TWO_HANDS, ""),
    (re.compile(r"(?<!dis)advantage\b"), "with advantage", "rolls-with:advantage"),
    (re.compile(r"\bbloodied\b"), "while bloodied", "bloodied"),
    (re.compile(r"\bsurprised?\b"), "against a surprised target", "target.surprised"),
    (re.compile(r"\bprone\b"), "against a prone target", "target.prone"),
    (re.compile(r"\bcharge\b|\b20 ?(?:ft|feet)\b(?! above)"), "after a run of 20 feet", "moved-straight:20"),
)
FAR_RANGE: Final = 50  # in feet; an unmarked distance up to this is a reach


def read_items(reading: ActorReading) -> int:
    """Read a creature's items as features, and return the number of its legendary actions, or 0 if it isn't stated.

    Dropped content is reported once per type.
    """
    legendary = 0
    basic: list[str] = []
    named = {
        _key(as_text(item.get("name"))): plain_text(description_of(item))
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
            reading.own_spells.append(_own_spell(item, name, reading))
        else:
            reading.report.add_note(f"items: {name}", as_text(kind), "unsupported item type; ignored")
    if basic:
        why = "basic maneuvers, which every creature can use; not added"
        reading.report.add_note("items: maneuvers", ", ".join(basic), why)
    levels = mapping_at(reading.system, "spellResources.slots")
    slots = slots_of([levels.get(str(level)) for level in range(1, 10)], "max")
    name_spells(reading, slots, reading.formulas.values["spellDC"])
    return min(legendary, 100)


def _own_spell(item: Record, name: str, reading: ActorReading) -> Spell:
    """Return the spell of an item. The numbers of a spell with several ways to use it, or with named rolls, are left out."""
    actions = values_of(value_at(item, "system.actions"))
    action = actions[0] if actions else {}
    saves = [save for save in values_of(action.get("prompts")) if save.get("type") == "savingThrow"]
    rolls = values_of(action.get("rolls"))
    damage = [roll for roll in rolls if roll.get("type") == "damage"]
    named = [one for one in (*saves, *damage) if as_text(one.get("label")) or as_text(one.get("name")) in _CHOSEN]
    clear = len(actions) == 1 and not named and len(saves) <= 1 and len(damage) <= 1
    spared = " ".join(as_text(save.get("onSave")) for save in saves)
    prose = plain_text(description_of(item))
    quiet = msgspec.structs.replace(reading, report=ConversionReport(reading.name))
    known = action_numbers(action, item, prose, name, quiet).known if action else {}
    saved = sentence_around(prose, prose.find("saving throw")) if "saving throw" in prose else ""
    if "half as much" in saved:
        known |= {"half": True}
    if not clear or "object" in spared or "pecial" in spared or _RE.later.match(saved):
        known = {field: value for field, value in known.items() if field in ("area", "range")}
    elif "self" in (text_at(range_, "range") for range_ in values_of(action.get("ranges"))) and known.keys().isdisjoint(
        ("area", "save", "attack")
    ):
        known["range"] = "self"
    stated = [text_at(range_, "range") for range_ in values_of(action.get("ranges"))]
    doubtful = [*(["range"] if not all(one in _NAMED or _RE.in_feet.fullmatch(one) for one in stated) else [])]
    doubtful += ["area"] if as_text(known.get("area")).endswith("wall") else []
    known = {field: value for field, value in known.items() if field not in doubtful or value == "self"}
    scaling = mapping_at(damage[0], "scaling") if clear and damage else {}
    duration = mapping_at(action, "duration")
    spell = spell_of(
        item,
        known,
        mapping_at(action, "activation"),
        (duration.get("value"), duration.get("unit")),
        concentration=value_at(item, "system.concentration") is True,
        higher=as_text(scaling.get("formula")) if scaling.get("mode") == "spellLevel" else "",
    )
    return with_text(spell, prose)


def _feature(item: Record, name: str, reading: ActorReading, named: Mapping[str, str]) -> int:
    """Read a feature, and return the number of legendary actions that it grants."""
    system = as_mapping(item.get("system"))
    html = description_of(item)
    actions = values_of(system.get("actions"))
    usage = usage_of(as_mapping(system.get("uses")), name, reading)
    legendary = 0
    rolls = len(actions) == 1 and values_of(actions[0].get("rolls"))
    if name.lower().startswith(("legendary action", "elite legendary action")) and ":" not in name and not rolls:
        legendary, usage = int(usage.get("uses", 0)), {}
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
    pairs = ((plain_text(lead[2]).rstrip(".: "), plain_text(lead[3])) for lead in _RE.lead.finditer(html))
    return {_key(name): (name, text) for name, text in pairs if name and text}


def _intro(html: str) -> str:
    """Return the text before the first paragraph with a heading."""
    lead = _RE.lead.search(html)
    return plain_text(html[: lead.start()] if lead else html)


def _several(
    item: Record, name: str, html: str, usage: dict[str, Any], actions: list[Record], reading: ActorReading
) -> None:
    """Convert a feature with several actions: one feature for the text, and one for each action."""
    leads = _leads(html)
    names = [item_name(action) or name for action in actions]
    own_texts = [plain_text(as_text(action.get("description"))) for action in actions]
    led = [leads.get(_key(action_name), ("", ""))[1] for action_name in names]
    texts = [own or other for own, other in zip(own_texts, led, strict=True)]
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
    if limit := _RE.limit.match(text):
        name, text = f"{name} ({limit['limit'] or 'While Bloodied'})", text[limit.end() :]
    if value_at(item, "system.requiresBloodied") is True and "bloodied" not in name.lower():
        name = f"{name} (While Bloodied)"
    text = _RE.preface.sub("", text)
    if led := re.match(rf"({re.escape(name)}(?: \([^()]*\))?)\.\s+", text, re.IGNORECASE):
        name, text = led[1], text[led.end() :]
    figures = action_numbers(action, item, text, name, reading) if action else ActionNumbers()
    activation = as_mapping(action.get("activation"))
    text = with_preface(as_text(activation.get("reactionTrigger")), text)
    if figures.extra_rolls:
        text = f"{text}\n{'; '.join(figures.extra_rolls)}.".strip()
    unit = as_text(activation.get("type"))
    text = with_long_activation(text, as_int(activation.get("cost")), unit, name, reading.report)
    cost = _cost(action, item, name)
    priced = _RE.price.search(name) if cost == "legendary" else None
    price = int(priced[1]) if priced else as_int(activation.get("cost")) if cost == "legendary" else None
    if price:
        figures.known["price"] = price
    bare = _bare(_RE.price.sub("", name) if priced else name)
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
    if match := _RE.cost_in_name.search(name):
        return _KINDS[(match["kind"] or "legendary").lower()]
    attacks = any(roll.get("type") == "attack" for roll in values_of(action.get("rolls")))
    acts = attacks or name.lower().startswith("multiattack") or _RE.acts.search(plain_text(description_of(item)))
    usual = "action" if acts else "trait"
    legendary = value_at(item, "system.featureType") == "legendaryAction"
    cost = terms("foundry_a5e", "costs").get(as_text(value_at(action, "activation.type")), "trait")
    return cost or ("legendary" if legendary else usual)


def _bare(name: str) -> str:
    """Return a name without its cost and reach, which are separate fields of the feature."""
    return _RE.reach.sub("", _RE.cost_in_name.sub("", name)).strip().rstrip(".:").strip() or name


def _key(name: str) -> str:
    """Return a form of a name that is the same in an item and in the text above the legendary actions."""
    return _bare(_RE.price.sub("", name)).lower().replace("’", "'")


def _object(item: Record, name: str, reading: ActorReading) -> None:
    system = as_mapping(item.get("system"))
    kind = as_text(system.get("objectType"))
    actions = values_of(system.get("actions"))
    text = _RE.glossary.sub("", plain_text(description_of(item))).strip()
    if kind == "armor":
        add_worn(as_text(system.get("armorCategory")), reading)
    elif kind == "shield" and as_int(system.get("equippedState")) != 0:
        add_worn(kind, reading)
    usage = usage_of(as_mapping(system.get("uses")), name, reading) if actions else {}
    usable = [entry for entry in actions if values_of(entry.get("rolls")) or values_of(entry.get("prompts"))]
    if kind not in ("armor", "shield") and len(actions) == 1:
        usable = actions
    elif any(item_name(entry) == name for entry in usable):  # the attack has the range of its throw
        usable = [entry for entry in usable if item_name(entry) != f"{name} (Throw)"]
    for action in usable:
        called = (item_name(action) if len(usable) > 1 else "") or name
        named = called if name.lower() in called.lower() else f"{name}: {called}"
        _add(item, named, f"{plain_text(as_text(action.get('description')))}\n{text}".strip(), action, usage, reading)
    if not usable:
        add_carried(item, name, text if kind not in ("armor", "shield", "ammunition") else "", reading)


def _maneuver(item: Record, name: str, reading: ActorReading) -> list[str]:
    """Read a maneuver as a feature. Skip a basic maneuver (no degree, no exertion), and return its name."""
    system = as_mapping(item.get("system"))
    price = as_int(system.get("exertionCost")) or 0
    if not price and not as_int(system.get("degree")):
        return [name]
    actions = values_of(system.get("actions"))
    spends = {"shares": "exertion", "uses": price} if price else {}
    _add(item, name, plain_text(description_of(item)), actions[0] if actions else {}, spends, reading)
    return []


class ActionNumbers(msgspec.Struct):
    """The numbers of an action, keyed by feature field, guesses with their reasons, and rolls that fit no field.

    `later` are rolls at the start or end of later turns, for creatures caught by the action.
    """

    known: dict[str, Any] = {}
    guessed: dict[str, tuple[Any, str]] = {}
    extra_rolls: list[str] = []
    later: list[DamageRollPart] = []


def action_numbers(action: Record, item: Record, prose: str, name: str, reading: ActorReading) -> ActionNumbers:
    """Return the numbers of an action, keyed by feature field. Dropped content is reported."""
    system = as_mapping(item.get("system"))
    rolls, prompts = values_of(action.get("rolls")), values_of(action.get("prompts"))
    numbers = ActionNumbers()
    attack = next((roll for roll in rolls if roll.get("type") == "attack"), None)
    if attack is not None:
        _attack(attack, rolls, as_list(system.get("weaponProperties")), name, reading, numbers)
    _ranges(values_of(action.get("ranges")), attack, name, prose, reading, numbers)
    numbers.known |= _area(as_mapping(action.get("area")), name, reading) | _save(prompts, prose, name, reading)
    _damage(rolls, prompts, prose, name, reading, numbers, attacked=attack is not None)
    numbers.known |= usage_of(as_mapping(action.get("uses")), name, reading)
    if system.get("concentration") is True:
        numbers.known["concentration"] = True
    for roll in rolls:
        if roll is not attack and roll.get("type") != "damage":
            text, kind = _joined(roll, "ability", "skill", "tool", "formula"), as_text(roll.get("type")) or "roll"
            reading.report.add_note(f"{name}: {kind}", text, "unsupported roll; kept as text only")
    return numbers


def usage_of(uses: Record, name: str, reading: ActorReading) -> dict[str, Any]:
    """Return the fields for an item's uses and their recharge, or an empty dictionary if its use is unlimited."""
    most, per = uses.get("max"), uses.get("per")
    if per == "recharge":
        face = as_int(value_at(uses, "recharge.threshold"))
        formula = text_at(uses, "recharge.formula").replace(" ", "") or "1d6"
        if face and 2 <= face <= 6 and formula in ("1d6", "d6"):
            return {"recharge": face}
        why = "recharge isn't on a six-sided die; ignored"
        reading.report.add_note(f"{name}: recharge", f"{formula}, {face} or more", why)
        return {}
    number = reading.formulas.number(most)
    if most in (None, "", "0", 0) or (number is not None and not per):
        return {}
    return limited_uses(number, f"{most}", as_text(per), name, reading.report)


def _joined(record: Record, *keys: str) -> str:
    return " ".join(text for key in keys if (text := as_text(record.get(key))))


def _dc_of(prompt: Record, reading: ActorReading) -> int:
    """Return the DC of a prompt, or 0 if it has none.

    The DC is a formula, which may be added to the DC of spells, maneuvers or an ability.
    """
    kind, values = value_at(prompt, "saveDC.type"), reading.formulas.values
    base = 8 + reading.proficiency + reading.modifiers[kind] if kind in ABILITIES else 0
    if kind in ("spellcasting", "maneuver"):
        base = values["spellDC" if kind == "spellcasting" else "maneuverDC"]
    return base + (reading.formulas.number(value_at(prompt, "saveDC.bonus")) or 0)


def _attack(
    roll: Record, rolls: list[Record], words: list[Any], name: str, reading: ActorReading, numbers: ActionNumbers
) -> None:
    kind = as_text(roll.get("attackType")) or "meleeWeaponAttack"
    ability, sure = _ability(roll, rolls, kind, words, reading)
    bonus = reading.modifiers.get(ability, 0) + (reading.proficiency if roll.get("proficient") is not False else 0)
    for formula in (roll.get("bonus"), reading.bonuses.get(kind)):
        number = reading.formulas.number(formula)
        if number is None and as_text(formula).strip():
            why = "unsupported formula; not added to the attack bonus"
            reading.report.add_note(f"{name}: attack", as_text(formula), why)
        bonus += number or 0
    if sure:
        numbers.known["attack"] = bonus
    else:
        numbers.guessed["attack"] = (bonus, f"no ability given; {ability.title()} used")
    properties = [_PROPERTIES[word] for word in words if isinstance(word, str) and word in _PROPERTIES]
    numbers.known["properties"] = ("spell" if "Spell" in kind else "weapon", *properties)


def _ability(roll: Record, rolls: list[Record], kind: str, words: list[Any], reading: ActorReading) -> tuple[str, bool]:
    """Return the ability of an attack, chosen as in Foundry, and whether the source states it."""
    stated = roll.get("ability")
    if stated in ABILITIES or stated == "none":
        return str(stated), True
    ranged = kind == "rangedWeaponAttack"
    usual = "dex" if ranged else "str"
    if "Spell" in kind or stated == "spellcasting":
        usual = reading.casting
    elif "finesse" in words or ("thrown" in words and ranged):
        usual = max(("str", "dex"), key=lambda ability: reading.modifiers[ability])
    if stated in ("default", "spellcasting"):
        return usual, True
    formulas = " ".join(as_text(other_roll.get("formula")) for other_roll in rolls)
    return next((ability for ability in ABILITIES if f"@{ability}.mod" in formulas), usual), False


def _ranges(
    ranges: list[Record], attack: Record | None, name: str, prose: str, reading: ActorReading, numbers: ActionNumbers
) -> None:
    """Store reach and range in feet. The attack type, or the distance itself, decides which of the two it is."""
    reach, pair, far = _said_ranges(ranges)
    for range_ in ranges:
        text = as_text(range_.get("range")).strip()
        if text and text not in _NAMED and text != "self" and not _RE.number.search(text):
            reading.report.add_note(f"{name}: range", text, "not a distance; ignored")
    kind = as_text(attack.get("attackType")) or "melee" if attack else ""
    if attack and not (reach or pair or far):
        told = (*_RE.bracketed.findall(name), *_RE.told_range.findall(prose))
        reach, pair, far = _said_ranges([{"range": part} for part in told])
    if len(far) > 1 and not pair:
        pair = f"{far[0]}/{far[1]}"
    single = far[0] if far and not pair else 0
    if kind.startswith("ranged"):
        single = single or (0 if pair else reach)
    if kind and not kind.startswith("ranged"):
        if not reach and single <= FAR_RANGE:
            reach, single = single, 0
        if reach:
            numbers.known["reach"] = reach
        elif not single:
            numbers.guessed["reach"] = (_USUAL_REACH, "no reach given; default melee reach used")
    if pair or single:
        numbers.known["range"] = pair or str(single)


def _said_ranges(ranges: list[Record]) -> tuple[int, str, list[int]]:
    """Return the reach, the first pair of ranges, and the single distances, in feet."""
    reach, pair, far = 0, "", []
    for range_ in ranges:
        stated = range_.get("range")
        if isinstance(stated, str) and stated in _NAMED:
            is_reach = _NAMED[stated] == _USUAL_REACH
            reach = reach or (_USUAL_REACH if is_reach else 0)
            far += [] if is_reach else [_NAMED[stated]]
            continue
        text = as_text(stated)
        if pair_match := _RE.pair.search(text):
            pair = pair or f"{pair_match[1]}/{pair_match[2]}"
        elif number := _RE.number.search(text):
            feet = in_feet(int(number[0]), range_.get("unit") or ("mile" if "mile" in text.lower() else "ft")) or 0
            is_reach = "reach" in text.lower()
            reach = feet if is_reach else reach
            far += [feet] if feet and not is_reach else []
    return reach, pair, far


def _area(area: Record, name: str, reading: ActorReading) -> dict[str, Any]:
    shape, size_text = area.get("shape"), as_text(area.get("size"))
    if not isinstance(shape, str) or not shape:
        return {}
    size = _RE.number.search(size_text) if "mile" not in size_text.lower() else None
    feet = first_number(area, "length", "radius", "width") or (int(size[0]) if size else 0)
    if not feet:
        why = "area has no size in feet; kept as text only"
        reading.report.add_note(f"{name}: area", f"{shape} {size_text}".strip(), why)
        return {}
    if shape == "cylinder":
        return {"area": area_of(shape, as_int(area.get("radius")) or feet, as_int(area.get("height")) or 0)}
    word = "radius" if shape in _ROUND else shape
    return {"area": area_of(word, feet, (as_int(area.get("width")) or 0) if shape == "line" else 0)}


def _save(prompts: list[Record], prose: str, name: str, reading: ActorReading) -> dict[str, Any]:
    known: dict[str, Any] = {}
    for prompt in prompts:
        ability, dc = prompt.get("ability"), _dc_of(prompt, reading)
        text, why = f"{ability} save, DC {dc}", ""
        if prompt.get("type") == "effect":
            continue
        if prompt.get("type") != "savingThrow" or ability not in ABILITIES or not dc:
            text = _joined(prompt, "type", "ability", "skill", "formula")
            why = "not a saving throw with a DC; kept as text only"
        elif "saving throw" not in prose and re.search(rf"escape\s*DC\s*{dc}\b", prose):
            continue  # this is the check to escape a grapple, which the text states
        elif "saving throw" not in prose and re.search(rf"DC {dc} [A-Z]\w+(?: \([A-Z]\w+\))? check", prose):
            why = "the text asks for a check instead; kept as text only"
        elif known:
            why = "additional saving throw; kept as text only"
        else:
            half = {"half": True} if _RE.half.search(as_text(prompt.get("onSave"))) else {}
            known = {"save": ability, "dc": dc, **half}
        if why:
            reading.report.add_note(f"{name}: prompt", text, why)
    return known


def _damage(
    rolls: list[Record], prompts: list[Record], prose: str, name: str, reading: ActorReading, numbers: ActionNumbers,
    *, attacked: bool,
) -> None:  # fmt: skip
    """Store the damage of an action, and any rolls that its text doesn't mention."""
    parts = [part for roll in rolls if roll.get("type") == "damage" and (part := _part(roll, name, reading))]
    on_save = " ".join(as_text(prompt.get("onSave")) for prompt in prompts)
    texts = {_RE.bracket_at_end.sub("", as_text(one.get("name"))).lower(): description_of(one) for one in reading.items}
    saves = "save" in numbers.known
    sorted_parts = sort_damage(parts, prose, on_save, save=saves and attacked, other_features=texts.keys())
    if not attacked:
        sorted_parts.hit += sorted_parts.saved
    elif not saves:
        sorted_parts.beside += sorted_parts.saved
    sorted_parts.beside += sorted_parts.ongoing[1:]
    _take(sorted_parts.beside, lambda part: position_in_prose(texts.get(part.label.lower(), ""), part) >= 0)
    if attacked and not (sorted_parts.hit or sorted_parts.saved):  # named rolls only: the first is the usual one
        unstated = [part for part in sorted_parts.beside if position_in_prose(prose, part) < 0]
        sorted_parts.hit += _take(sorted_parts.beside, unstated[:1].__contains__)
    if attacked:
        numbers.later = _take(sorted_parts.beside, lambda roll_part: is_dealt_later(prose, roll_part))
        if other_damage := _other_damage(sorted_parts, prose):
            numbers.known["other_damage"] = other_damage
    for part in sorted_parts.beside:
        reading.report.add_note(f"{name}: damage", part.labelled, "conditional damage; kept as text only")
    saved = sorted_parts.saved if attacked and saves else []
    by_field = {"damage": sorted_parts.hit, "save_damage": saved, "ongoing": sorted_parts.ongoing[:1]}
    numbers.known |= {field: " + ".join(part.text for part in own) for field, own in by_field.items() if own}
    numbers.extra_rolls = [part.labelled for part in sorted_parts.beside if position_in_prose(prose, part) < 0]


def description_of(item: Record) -> str:
    """Return the text of an item, including the part that only the game master reads."""
    description, secret = value_at(item, "system.description"), value_at(item, "system.secretDescription")
    if isinstance(secret, str) and secret.strip():
        return f"{as_text(description)}\n{secret}"
    return as_text(description.get("value")) if isinstance(description, dict) else as_text(description)


def _take(parts: list[DamageRollPart], is_wanted: Callable[[DamageRollPart], bool]) -> list[DamageRollPart]:
    """Remove the matching rolls from a list and return them."""
    taken = [part for part in parts if is_wanted(part)]
    parts[:] = [part for part in parts if part not in taken]
    return taken


def _other_damage(sorted_parts: DamageByTiming, prose: str) -> tuple[OtherDamage, ...]:
    """Remove the rolls for other uses of the attack from `beside`, and return the damage of each use.

    They replace rolls of the same type. Extra rolls, and rolls of a type that a hit doesn't deal, are added.
    """
    by_use = grouped((use, part) for part in sorted_parts.beside if (use := _use_of(part, sorted_parts, prose)))
    damages = []
    for (name, when), parts in by_use.items():
        usual = {part.kind: part.text for part in sorted_parts.hit}  # its bare dice are added to it
        whole = (part for part in parts if not usual.get(part.kind, "").startswith(part.text.split()[0]))
        instead = {part.kind: part for part in whole if not is_extra(prose, part)}
        dealt = [instead.get(hit_part.kind, hit_part) for hit_part in sorted_parts.hit]
        more = [part for part in parts if part not in dealt]
        damages.append(OtherDamage(name, " + ".join(part.text for part in (*dealt, *more)), when))
        _take(sorted_parts.beside, parts.__contains__)
    return tuple(damages)


def _use_of(part: DamageRollPart, sorted_parts: DamageByTiming, prose: str) -> tuple[str, str] | None:
    """Return the name and the condition of the other use that a roll belongs to, or None if there isn't one."""
    label = " ".join(_RE.roll_number.sub("", part.label).lower().split())
    if use := next(((name, fact) for pattern, name, fact in _USES if pattern.search(label)), None):
        return use
    if is_extra(prose, part):
        return f"with {label or f'another {part.text}'}", ""
    if position_in_prose(prose, part) >= 0 or all(part.kind != hit_part.kind for hit_part in sorted_parts.hit):
        return None
    return label or "at other times", ""


def _part(roll: Record, name: str, reading: ActorReading) -> DamageRollPart | None:
    formula = roll.get("formula")
    if formula in (None, ""):
        return None
    amount = reading.formulas.amount(formula)
    if amount is None:
        reading.report.add_note(f"{name}: damage", as_text(formula), "unsupported formula; ignored")
        return None
    if scaled := text_at(roll, "scaling.formula"):
        reading.report.add_note(f"{name}: damage", scaled, "extra damage at higher levels; ignored")
    label = " ".join((as_text(roll.get("label")) or as_text(roll.get("name"))).split())
    first = f"{amount.dice[0][0]}d{amount.dice[0][1]}" if amount.dice else ""
    added = "@" in str(formula) or bool(amount.dice and amount.flat)
    usual = roll.get("default", roll.get("defaultSelection", True)) is not False
    kind = roll.get("damageType")
    typed = kind.strip().lower() if isinstance(kind, str) else ""
    return DamageRollPart(amount.text, typed, first, amount.flat, added, label, usual)
