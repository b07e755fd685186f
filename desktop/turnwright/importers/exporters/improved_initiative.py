"""Exports creatures and encounters in the import format of Improved Initiative.

Content that the format has no field for is reported and left out.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final

import msgspec

from turnwright.dice.expression import DiceError, parse
from turnwright.encounter.prepared import (
    Countdown,
    Creature,
    Environment,
    Feature,
    InflictedCondition,
    NamedNumbers,
    RosterEntry,
    Scene,
)
from turnwright.encounter.roles import is_character, present
from turnwright.encounter.state import Encounter, Lookup
from turnwright.importers.statblock_text import header_lines
from turnwright.importers.statblock_text.feature_text import read_prose
from turnwright.importers.statblock_text.multiattacks import read_multiattack
from turnwright.importers.vocabulary import terms
from turnwright.storage.atomic import IdAllocator, slug
from turnwright.storage.fights import ConversionNote, ConversionReport

VERSION: Final = "3.11.8"
LISTS: Final[Mapping[str, str]] = terms("improved_initiative_export", "lists")
_ORDER: Final = ("str", "dex", "con", "cha", "int", "wis")
_NONMAGICAL: Final = "bludgeoning, piercing, and slashing from nonmagical attacks"
_NO_FIELD: Final = ("absorptions", "gear", "specialties", "pools", "environments", "disable")
_NOT_SUPPORTED: Final = "not supported by Improved Initiative; left out"
Modifier = Callable[[int], int]
STATED_FIELDS: Final[tuple[str, ...]] = terms("improved_initiative_export", "stated_fields")
ABILITIES: Final[Mapping[str, str]] = terms("abilities", "titles")
_ENDS: Final[Mapping[str, str]] = terms("improved_initiative_export", "ends")
_SIGN = re.compile(r"[+-]")
_COUNTS: Final = ("no", "one", "two", "three", "four", "five", "six")


class ExportedText(msgspec.Struct, frozen=True):
    """The text of a file, and notes on content that it can't represent."""

    text: str
    reports: tuple[ConversionNote, ...] = ()


def default_modifier(score: int) -> int:
    """Return the 5e modifier of an ability score."""
    return (score - 10) // 2


def creatures_text(creatures: Sequence[Creature], modifier: Modifier = default_modifier) -> ExportedText:
    """Return a file of creatures. `modifier` returns an ability score's modifier in the creatures' rule system."""
    ids, reports = IdAllocator(), list[ConversionNote]()
    data: dict[str, Any] = {"Creatures": []}
    for creature in creatures:
        _add(data, "Creatures", ids.allocate(creature.id), stat_block_table(creature, modifier, reports))
    return ExportedText(_json(data), tuple(reports))


def encounter_text(encounter: Encounter, modifier: Modifier = default_modifier) -> ExportedText:
    """Return a file that contains an encounter and its creatures."""
    ids, reports = IdAllocator(), list[ConversionNote]()
    data: dict[str, Any] = {"Creatures": [], "SavedEncounters": []}
    blocks: dict[str, dict[str, Any]] = {}
    for creature in encounter.all(Creature):
        blocks[creature.id] = stat_block_table(creature, modifier, reports)
        _add(data, "Creatures", ids.allocate(creature.id), blocks[creature.id])
    scene = encounter.get(Scene, "scene") or Scene()
    title = scene.title or "Encounter"
    report = ConversionReport(title)
    combatants: list[dict[str, Any]] = []
    for entry in present(encounter):
        base = encounter.get(Creature, entry.creature)
        if base is not None:
            combatants += _combatants(encounter, entry, base, blocks[base.id], report)
    omitted = [("environments", place.name) for place in encounter.all(Environment)]
    omitted += [("countdowns", countdown.name) for countdown in encounter.all(Countdown)]
    omitted += [(field, text) for field in ("read_aloud", "notes") if (text := getattr(scene, field))]
    for field, text in omitted:
        report.add_note(field, text, _NOT_SUPPORTED)
    saved = {"Name": title, "Path": "", "Combatants": combatants, "ActiveCombatantId": None, "RoundCounter": 0}
    _add(data, "SavedEncounters", slug(title, "encounter"), saved)
    return ExportedText(_json(data), (*reports, *report.notes))


def _json(data: Mapping[str, Any]) -> str:
    return msgspec.json.format(msgspec.json.encode(data), indent=2).decode() + "\n"


def _add(data: dict[str, Any], kind: str, id: str, record: dict[str, Any]) -> None:
    record["Id"] = id
    data[kind].append(id)
    data[f"{kind}.{id}"] = record


def stat_block_table(creature: Creature, modifier: Modifier, reports: list[ConversionNote]) -> dict[str, Any]:
    """Convert a creature to a stat block. Content that can't be represented is reported."""
    report = ConversionReport(creature.name)
    player = "player" in creature.tags
    scores = {id: _score(value, modifier) for id, value in creature.abilities}
    dexterity = default_modifier(scores.get("dex", 10))
    block: dict[str, Any] = {
        "Id": creature.id,
        "Name": creature.name,
        "Path": "",
        "Source": creature.source,
        "Type": _type_line(creature),
        "HP": {"Value": creature.hp, "Notes": f"({creature.hit_dice})" if creature.hit_dice else ""},
        "AC": {"Value": creature.ac, "Notes": f"({creature.ac_note})" if creature.ac_note else ""},
        "InitiativeModifier": 0 if creature.initiative is None else creature.initiative - dexterity,
        "InitiativeAdvantage": False,
        "Speed": _speeds(creature),
        "Abilities": {id.title(): scores.get(id, 10) for id in _ORDER},
        "DamageVulnerabilities": list(creature.vulnerabilities),
        "DamageResistances": [*creature.resistances, *_nonmagical(creature, given=creature.mundane_resistance)],
        "DamageImmunities": [*creature.immunities, *_nonmagical(creature, given=creature.mundane_immunity)],
        "ConditionImmunities": list(creature.condition_immunities),
        "Saves": _named(creature.saves),
        "Skills": _named(creature.skills),
        "Senses": _senses(creature),
        "Languages": [creature.languages] if creature.languages else [],
        "Challenge": str(creature.level) if player and creature.level else creature.rating,
        **{key: [] for key in LISTS.values()},
        "Description": creature.description,
        "Player": "player" if player else "",
        "ImageURL": "",
        "Version": VERSION,
    }
    for feature in creature.features:
        _put(feature, creature, block, report)
    _say_legendary(creature, block)
    _tell_rest(creature, report)
    reports.extend(report.notes)
    return block


def _score(value: int, modifier: Modifier) -> int:
    """Return the ability score with the same 5e modifier as the value has in its own rule system."""
    adds = modifier(value)
    return value if default_modifier(value) == adds else 10 + 2 * adds


def _nonmagical(creature: Creature, *, given: bool) -> list[str]:
    """Return the clause about nonmagical weapons if `given`, or an empty list."""
    materials = " or ".join(creature.mundane_except).replace("-", " ")
    return [f"{_NONMAGICAL} that aren't {materials}" if materials else _NONMAGICAL] if given else []


def _type_line(creature: Creature) -> str:
    kind = creature.type
    tags = [tag for tag in creature.tags if tag not in ("player", "swarm")]
    if "swarm" in creature.tags:
        kind = next((each.text for each in creature.remarks if each.about == "type"), f"swarm of Tiny {kind}s")
    elif kind == "swarm" and len(tags) == 1:  # the members' type is shown
        kind, tags = f"swarm of {tags[0]}", []
    line = f"{creature.size.title()} {kind}"
    if tags and "swarm" not in creature.tags:
        line += f" ({', '.join(tags)})"
    return f"{line}, {creature.alignment}" if creature.alignment else line


def _speeds(creature: Creature) -> list[str]:
    after = {"fly": " (hover)"} if creature.hovers else {}
    feet = ((f"{kind} " if kind != "walk" else "", feet, after.get(kind, "")) for kind, feet in creature.speeds)
    speeds = [f"{kind}{number} ft.{hover}" for kind, number, hover in feet]
    return speeds + [each.text for each in creature.remarks if each.about == "speeds"]


def _named(figures: NamedNumbers) -> list[dict[str, Any]]:
    return [{"Name": id.replace("-", " ").title(), "Modifier": value} for id, value in figures]


def _senses(creature: Creature) -> list[str]:
    senses = [f"{sense} {feet} ft." if feet else sense for sense, feet in creature.senses]
    senses += [f"passive {skill.title()} {score}" for skill, score in creature.passives]
    return senses + [each.text for each in creature.remarks if each.about == "senses"]


def _put(feature: Feature, creature: Creature, block: dict[str, Any], report: ConversionReport) -> None:
    """Add a feature to the list for its cost. Its text includes its numbers."""
    key = LISTS.get(feature.cost, "Traits")
    if feature.cost not in LISTS:
        report.add_note(feature.name, feature.cost, "listed among the traits")
    text = feature_text(feature, creature)
    lost = [(field, "can't be expressed as stat block text; left out") for field in missing_in(text, feature)]
    lost += [(field, _NOT_SUPPORTED) for field in ("level", "concentration") if getattr(feature, field)]
    for field, why in lost:
        report.add_note(f"{feature.name}: {field}", worded(getattr(feature, field)), why)
    if feature.ability and feature.attack is None:
        why = "calculated by the rules; the exported text has no total"
        report.add_note(f"{feature.name}: attack", feature.ability, why)
    price = f"(Costs {feature.price} Actions)" if feature.cost == "legendary" and feature.price > 1 else ""
    name = " ".join(filter(None, (feature.name, price, usage_words(feature))))
    block[key].append({"Name": name, "Content": text, "Usage": ""})


def worded(value: Any) -> str:
    """Convert a value to readable text: `shield, cord`, `1: 4, 2: 3`; `yes` for True."""
    if value is True:
        return "yes"
    if isinstance(value, tuple):
        return ", ".join(": ".join(map(str, item)) if isinstance(item, tuple) else worded(item) for item in value)
    return str(value) if isinstance(value, str | int) else msgspec.json.encode(value).decode()


def usage_words(feature: Feature) -> str:
    """Return the limit of a feature's uses as printed after its name: `(Recharge 5-6)`, `(3/Day)`, or an empty string."""
    if feature.recharge:
        return "(Recharge 6)" if feature.recharge == 6 else f"(Recharge {feature.recharge}-6)"
    per = {"rest": "Short or Long Rest", "long-rest": "Long Rest"}.get(feature.per, feature.per.title())
    return f"({feature.uses}/{per})" if feature.uses else ""


def _say_legendary(creature: Creature, block: dict[str, Any]) -> None:
    """Add the number of legendary actions to the description, unless a text already states it."""
    texts = [f"{entry['Name']}. {entry['Content']}" for key in ("LegendaryActions", "Traits") for entry in block[key]]
    if creature.legendary and not any(map(header_lines.legendary_count, (*texts, creature.description))):
        words = f"The {creature.name.lower()} can take {creature.legendary} legendary actions."
        block["Description"] = f"{creature.description}\n\n{words}".strip()


def _tell_rest(creature: Creature, report: ConversionReport) -> None:
    ability, slots = header_lines.spellcasting_and_slots(each.text for each in creature.features)
    in_texts = {"spellcasting": ability, "slots": slots}
    for field in (*_NO_FIELD, "spellcasting", "slots", "notes"):
        if getattr(creature, field) and not in_texts.get(field):
            report.add_note(field, worded(getattr(creature, field)), _NOT_SUPPORTED)


def _combatants(
    lookup: Lookup, entry: RosterEntry, creature: Creature, block: Mapping[str, Any], report: ConversionReport
) -> list[dict[str, Any]]:
    """Return the combatants of a roster entry, as many as its count."""
    hp, name = entry.hp if entry.hp is not None else creature.hp, entry.name or creature.name
    own: dict[str, Any] = {**block, "HP": {**block["HP"], "Value": hp}}
    if entry.ac is not None:
        own["AC"] = {**block["AC"], "Value": entry.ac}
    if is_character(lookup, entry):
        own["Player"] = entry.player or "player"
        own["Challenge"] = str(entry.level) if entry.level else own["Challenge"]
    elif entry.side != "enemies":
        report.add_note("side", f"{name}: {entry.side}", _NOT_SUPPORTED)
    if entry.wave:
        report.add_note("wave", f"{name}: {entry.wave}", "waves are not supported; there from the start")
    return [
        {
            "Id": f"{entry.id}-{number}",
            "StatBlock": own,
            "CurrentHP": hp,
            "MaxHP": hp,
            "TemporaryHP": 0,
            "Initiative": entry.initiative or 0,
            "Alias": entry.name,
            "IndexLabel": number,
            "Tags": [],
            "Hidden": entry.hidden,
            "RevealedAC": False,
            "CurrentNotes": entry.notes,
            "InterfaceVersion": VERSION,
        }
        for number in range(1, entry.count + 1)
    ]


def feature_text(feature: Feature, creature: Creature) -> str:
    """Return a feature's text with each of its numbers stated once."""
    own = feature.text.strip()
    if feature.multiattack:
        said = _multiattack(feature, creature)
        return next((text for text in (own, f"{said} {own}".strip(), said) if _states(text, feature, creature)), own)
    numbers = _figures(feature)
    return f"{numbers} {own}".strip() if numbers and missing_in(own, feature) else own


def _states(text: str, feature: Feature, creature: Creature) -> bool:
    """Return whether a text states the options of a multiattack."""
    bare = msgspec.structs.replace(feature, text=text, multiattack=(), attacks=0)
    read = read_multiattack(bare, creature.features, ConversionReport(creature.name))
    return set(map(frozenset, read.multiattack)) == set(map(frozenset, feature.multiattack))


def missing_in(text: str, feature: Feature) -> tuple[str, ...]:
    """Return the names of the feature fields that the text doesn't state, or states differently."""
    if feature.multiattack:
        return () if text else ("multiattack",)
    numbers = read_prose(text).numbers if text else {}
    usual = Feature("", "")
    stated = {name: numbers.get(name, getattr(usual, name)) for name in STATED_FIELDS}
    return tuple(name for name, value in stated.items() if _unspaced(value) != _unspaced(getattr(feature, name)))


def _unspaced(value: Any) -> Any:
    return value.replace(" ", "") if isinstance(value, str) else value


def _figures(feature: Feature) -> str:
    """Return the sentences for a feature's attack and saving throw."""
    if feature.attack is not None:
        return _attack(feature, feature.attack)
    if feature.save and feature.dc:
        return _save(feature)
    if feature.damage:
        return f"The target takes {damage_words(feature.damage)} damage."
    return ""


def _attack(feature: Feature, bonus: int) -> str:
    ways = [way for way, distance in (("Melee", feature.reach), ("Ranged", feature.range)) if distance] or ["Melee"]
    kind = "Spell" if "spell" in feature.properties else "Weapon"
    far = [f"reach {feature.reach} ft."] if feature.reach else []
    far += [f"range {feature.range} ft."] if feature.range else []
    head = f"{' or '.join(ways)} {kind} Attack: {bonus:+d} to hit, {' or '.join([*far, ''])[:-4] or 'reach 5 ft.'}, one target."
    befalls = _afflictions(feature.afflictions)
    hit = f"{damage_words(feature.damage)} damage" if feature.damage else ""
    hit += "".join(f", or {damage_words(other.damage)} damage {other.name}" for other in feature.other_damage)
    if feature.save and feature.dc:
        harm = feature.save_damage and f"take {damage_words(feature.save_damage)} damage"
        worse = " and ".join(filter(None, (harm, befalls and f"be {befalls}")))
        throw = f"the target must succeed on a DC {feature.dc} {_ability(feature.save)} saving throw or {worse or 'be affected'}"
        hit = f"{hit}. {throw[0].upper()}{throw[1:]}" if hit else throw
    elif befalls:
        hit = f"{hit}, and the target is {befalls}" if hit else f"the target is {befalls}"
    return f"{head} Hit: {hit}." if hit else head


def _save(feature: Feature) -> str:
    who = f"Each creature in a {feature.area}" if feature.area else "The target"
    throw = f"{who} must make a DC {feature.dc} {_ability(feature.save)} saving throw"
    befalls = _afflictions(feature.afflictions)
    if not feature.damage:
        return f"{throw.replace('must make a', 'must succeed on a')} or be {befalls}." if befalls else f"{throw}."
    words = f"{throw}, taking {damage_words(feature.damage)} damage on a failed save"
    words += ", or half as much damage on a successful one." if feature.half else "."
    return f"{words} On a failed save, the target is also {befalls}." if befalls else words


def _ability(id: str) -> str:
    return ABILITIES.get(id, id.title())


def _afflictions(afflictions: tuple[InflictedCondition, ...]) -> str:
    escapes = (f" (escape DC {one.escape_dc})" if one.escape_dc else "" for one in afflictions)
    ends = (_ENDS.get(one.ends, "") for one in afflictions)
    return " and ".join(map("".join, zip((one.condition for one in afflictions), ends, escapes, strict=True)))


def damage_words(damage: str) -> str:
    """Return damage as worded in stat blocks: `7 (1d8 + 3) slashing plus 3 (1d6) fire`."""
    parts = (part.partition(" ") for part in re.split(r" \+ (?=\d)", damage))
    return " plus ".join(f"{_average(dice)} {kind}".strip() for dice, _, kind in parts)


def _average(dice: str) -> str:
    """Return the average of dice, followed by the dice in brackets. A plain number stays unchanged."""
    spaced = _SIGN.sub(r" \g<0> ", dice)
    with suppress(DiceError):
        return dice if dice.isdecimal() else f"{int(parse(dice).mean)} ({spaced})"
    return dice


def _multiattack(feature: Feature, creature: Creature) -> str:
    """Return a sentence that lists all options of a multiattack."""
    names = {each.id: each.name for each in creature.features}
    ways = []
    for way in feature.multiattack:
        parts = [f"{_count(n)} with its {names.get(id, id).lower()}" for id, n in way]
        total = sum(n for _, n in way)
        ways.append(f"makes {_count(total)} attack{'s' if total != 1 else ''}: {' and '.join(parts)}")
    return f"The {creature.name.lower()} {', or it '.join(ways)}." if ways else ""


def _count(number: int) -> str:
    return _COUNTS[number] if 0 <= number < len(_COUNTS) else str(number)
