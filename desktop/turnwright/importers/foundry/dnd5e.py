"""Reads actors and their items of Foundry's D&D 5e system, as JSON or YAML, in any version of its records."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any, Final

import msgspec

from turnwright.encounter.prepared import Feature, NamedNumbers, OtherDamage
from turnwright.importers import formats, results, stat_block, vocabulary
from turnwright.importers.characters import Assumptions
from turnwright.importers.common import as_list, as_mapping, as_text, challenge_rating, comma_parts
from turnwright.importers.documents import ParsedDocument
from turnwright.importers.foundry import characters, dnd5e_actions, dnd5e_enrichers, formulas, spells
from turnwright.importers.foundry.reading import (
    SENSES,
    SIZES,
    SKILLS,
    Actor,
    ActorReading,
    actor_reading,
    add_carried,
    add_feature,
    add_worn,
    armor_kind,
    convert_actors,
    effects_on,
    game_of,
    has_actor_of,
    hit_points,
    in_feet,
    initiative_of,
    item_name,
    language_names,
    mapping_at,
    name_spells,
    proficiency_multiplier,
    refill_period,
    size_of,
    skills_in,
    slots_of,
    spell_entry,
    system_of,
    text_at,
    title_from_key,
    value_at,
    values_of,
    with_long_activation,
    with_preface,
)
from turnwright.importers.statblock_text import header_lines, markup, spell_lists
from turnwright.importers.statblock_text.damage import TWO_HANDS, as_int
from turnwright.rules.system_data.numbers import Spell
from turnwright.storage.fights import ConversionReport

Record = Mapping[str, Any]
_COSTS: Final[Mapping[str, str]] = vocabulary.terms("foundry_dnd5e", "costs")
_GEAR: Final = frozenset({"loot", "consumable", "tool", "container", "backpack"})
_SILENT: Final = frozenset({"class", "subclass", "race", "background", "facility"})


def read_items(reading: ActorReading) -> None:
    """Read the items of a creature as features and gear. Dropped content is reported."""
    for item in reading.items:
        kind, name = as_text(item.get("type")), item_name(item) or "Nameless"
        if kind in ("feat", "weapon"):
            _add(item, name, dnd5e_actions.item_numbers(item, name, reading), reading)
        elif kind == "spell":
            if not value_at(item, "flags.dnd5e.cachedFor"):  # otherwise another feature casts it
                reading.spells.append(_spell(item))
            reading.own_spells.append(_own_spell(item, name, reading))
        elif kind == "equipment" or kind in _GEAR:
            _gear(item, name, kind, reading)
        elif kind not in _SILENT:
            reading.report.add_note(f"items: {name}", kind, "unsupported item type; ignored")
    name_spells(reading, _slots(reading), reading.formulas.values.get("spell.dc", 0))


def _add(item: Record, name: str, numbers: dnd5e_actions.ItemNumbers, reading: ActorReading) -> None:
    known, activation = numbers.known, numbers.activation
    text = with_preface(as_text(activation.get("condition")), _prose(item, numbers, reading))
    kind = as_text(activation.get("type"))
    number = as_int(activation.get("value")) or as_int(activation.get("cost"))
    text = with_long_activation(text, number, kind, name, reading.report)
    if kind == "mythic":
        reading.report.add_note(f"{name}: activation", kind, "mythic action; imported as a legendary action")
    if numbers.two_handed and not any(words in text for words in ("two hands", "saving throw")):
        _, *more = stat_block.split_damage(as_text(known.get("damage")))
        known = {**known, "other_damage": (OtherDamage(TWO_HANDS, " + ".join((numbers.two_handed, *more))),)}
    if known.get("half") and "damage" in text.lower() and "half" not in text.lower():
        known = {**known, "half": None}  # only the default of the data
    usual = "action" if item.get("type") == "weapon" and "attack" in known else "trait"
    add_feature(name, text, _COSTS.get(kind, usual), known, reading)


def _prose(item: Record, numbers: dnd5e_actions.ItemNumbers, reading: ActorReading) -> str:
    description = system_of(item).get("description")
    html = as_text(description.get("value")) if isinstance(description, dict) else as_text(description)
    return markup.plain_text(dnd5e_enrichers.expand_enrichers(html, item, numbers, reading))


def described(html: str, reading: ActorReading) -> str:
    """Return an actor's own description without markup. Text from other documents is omitted and reported."""
    expanded = dnd5e_enrichers.expand_enrichers(
        html, {"name": "Description"}, dnd5e_actions.ItemNumbers({}, {}), reading
    )
    text = markup.plain_text(expanded.replace(dnd5e_enrichers.ELSEWHERE, ""))
    return "" if text.casefold() == reading.name.casefold() else text  # the description is only a heading


def _gear(item: Record, name: str, kind: str, reading: ActorReading) -> None:
    system = system_of(item)
    if kind == "equipment" and system.get("equipped") is not False:
        add_worn(armor_kind(system), reading)
    numbers = dnd5e_actions.item_numbers(item, name, reading)
    if numbers.activation.get("type") in _COSTS and not numbers.known.keys().isdisjoint(("attack", "save", "uses")):
        _add(item, name, numbers, reading)
    else:
        add_carried(item, name, _prose(item, numbers, reading) if kind != "equipment" else "", reading)


def _slots(reading: ActorReading) -> NamedNumbers:
    if reading.level:
        return characters.slots_by_class(reading)
    levels = mapping_at(reading.system, "spells")
    return slots_of([levels.get(f"spell{level}") for level in range(1, 10)], "override", "max", "value")


def _spell(spell: Record) -> tuple[str, str, int]:
    """Return a spell's name, its use limit and its level."""
    uses = mapping_at(system_of(spell), "uses")
    most, recovery = as_text(uses.get("max")), [*as_list(uses.get("recovery")), None][0]
    per = refill_period(as_mapping(recovery).get("period")) or refill_period(uses.get("per"))
    name, limit, level = spell_entry(spell, most if most != "0" else "", per)
    mode = text_at(system_of(spell), "preparation.mode") or text_at(system_of(spell), "method")
    return name, limit or (" (at will)" if mode == "atwill" and level else ""), level


def _own_spell(item: Record, name: str, reading: ActorReading) -> Spell:
    """Return the spell of an item. The numbers of a spell with several activities that act are left out."""
    system = system_of(item)
    quiet = msgspec.structs.replace(reading, report=ConversionReport(reading.name))
    numbers = dnd5e_actions.item_numbers(item, name, quiet)
    acting = [each for each in values_of(system.get("activities")) if as_text(each.get("type")) in _ACTING]
    known = numbers.known if len(acting) < 2 else {}
    healing = [
        dnd5e_actions.healing_of(each, reading.modifiers[reading.casting], name, quiet)
        for each in acting
        if each.get("type") == "heal"
    ]
    if text_at(system, "range.units") == "self" and known.keys().isdisjoint(("area", "save", "attack")):
        known = {**known, "range": "self"}
    parts = values_of(value_at(acting[0], "damage.parts")) if len(acting) == 1 else []
    more = mapping_at(parts[0], "scaling") if len(parts) == 1 else {}
    count, sides = as_int(more.get("number")), as_int(parts[0].get("denomination")) if more else None
    higher = f"{count}d{sides}" if more.get("mode") == "whole" and count and sides else text_at(more, "formula")
    words = (
        *as_list(system.get("properties")),
        *(["concentration"] if value_at(system, "components.concentration") else []),
    )
    duration, stated = mapping_at(system, "duration"), mapping_at(system, "activation")
    spell = spells.spell_of(
        item,
        known,
        stated if stated.get("type") else numbers.activation,
        (duration.get("value"), duration.get("units")),
        concentration="concentration" in words,
        higher=higher,
        heals=healing[0] if len(healing) == 1 and len(acting) == 1 else "",
    )
    return msgspec.structs.replace(
        spell_lists.with_text(spell, _prose(item, numbers, quiet)), revised=text_at(system, "source.rules") == "2024"
    )


_ACTING: Final = frozenset({"attack", "save", "damage", "heal"})
_WEAPONS: Final = ("bludgeoning", "piercing", "slashing")
_MUNDANE: Final = "bludgeoning, piercing, and slashing from nonmagical attacks"
_MATERIALS: Final = {"sil": "silvered", "ada": "adamantine"}
_CALCULATIONS: Final[Mapping[str, tuple[str, ...]]] = vocabulary.terms("foundry_dnd5e", "calculations")


def is_dnd5e_actor(actor: Actor) -> bool:
    """Whether an actor belongs to D&D 5e: it names the system, or its abilities and traits have that structure."""
    if game := game_of(actor):
        return game == "dnd5e"
    figures = system_of(actor)
    ability, traits = mapping_at(figures, "abilities.str"), as_mapping(figures.get("traits"))
    shaped = "value" in ability and isinstance(ability.get("proficient"), int | float)
    others = "baseFormula" in mapping_at(figures, "attributes.ac") or "mod" in mapping_at(figures, "saves.fortitude")
    return shaped and not others and not traits.keys().isdisjoint({"di", "dr", "ci", "size"})


def claims(document: ParsedDocument) -> bool:
    """Return whether a document contains actors of D&D 5e."""
    return has_actor_of(document, is_dnd5e_actor)


def read(documents: Iterable[ParsedDocument], system: str) -> Iterator[results.ImportedRecord | results.UnreadRecord]:
    """Yield creatures for the rule system `system` if it is a5e or dnd5e, otherwise for D&D 5e."""
    return convert_actors(documents, is_dnd5e_actor, _block, system)


def _block(actor: Actor, name: str, report: ConversionReport) -> stat_block.StatBlock:
    reading = read_totals(actor, name, report)
    details, resources = mapping_at(reading.system, "details"), mapping_at(reading.system, "resources")
    kind, tags = _type(details, report)
    head = head_fields(reading)
    count = as_int(value_at(resources, "lair.initiative"))
    if value_at(resources, "lair.value") and count:
        report.add_remark("lair", f"initiative count {count}")
    read_items(reading)
    for damage, amount in mapping_at(reading.system, "traits.dm.amount").items():
        if amount:
            why = "damage modifications aren't supported; ignored"
            report.add_note("damage modification", f"{damage} {amount}", why)
    return stat_block.StatBlock(
        name,
        size=size_of(value_at(reading.system, "traits.size")),
        type=kind,
        tags=tags,
        rating=challenge_rating(details.get("cr")),
        gear=tuple(reading.gear),
        features=_with_resistance(reading.features, resources),
        own_spells=tuple(reading.own_spells),
        program="Foundry D&D 5e",
        source=_source(reading.system, details),
        level=reading.level,
        spellcasting=reading.casting if reading.is_caster() else "",
        legendary=_count(value_at(resources, "legact.max") or value_at(resources, "legact.value")),
        alignment=as_text(details.get("alignment")).lower(),
        xp=_count(value_at(details, "xp.value"), 1_000_000) if reading.level == 0 else 0,
        environments=_habitats(details),
        description=described(text_at(details, "biography.value") or as_text(details.get("biography")), reading),
        licence=text_at(reading.system, "source.license") or text_at(details, "source.license"),
        **head,
    )


def _type(details: Mapping[str, Any], report: ConversionReport) -> tuple[str, tuple[str, ...]]:
    """Return a creature's type and its tags. The description of a swarm becomes a remark."""
    stated = details.get("type")
    if isinstance(stated, str):
        read = header_lines.type_line(f"medium {stated}")
        kind, tags, swarm = read.type, read.tags, read.remark
    else:
        value, custom, words, size = (text_at(stated, key).lower() for key in ("value", "custom", "subtype", "swarm"))
        kind = custom if value in ("", "custom") else value
        tags = comma_parts(words)
        tags = ("swarm", *tags) if size else tags
        swarm = f"swarm of {SIZES.get(size, size)} creatures of this type" if size else ""
    report.add_remark("type", swarm)
    return kind or "humanoid", tags


def _with_resistance(features: list[Feature], resources: Mapping[str, Any]) -> tuple[Feature, ...]:
    """Return the features. Legendary Resistance gets its number of uses from the creature's resources."""
    uses = _count(value_at(resources, "legres.max") or value_at(resources, "legres.value"))
    open_ones = [one for one in features if uses and not one.uses and one.name.startswith("Legendary Resistance")]
    limited = {
        one.id: msgspec.structs.replace(one, uses=uses, per="day", properties=("legendary-resistance",))
        for one in open_ones
    }
    return tuple(limited.get(feature.id, feature) for feature in features)


def _count(value: Any, most: int = 100) -> int:
    number = as_int(value) or 0
    return number if 0 <= number <= most else 0


def _habitats(details: Mapping[str, Any]) -> tuple[str, ...]:
    listed = as_list(value_at(details, "habitat.value"))
    names = [text_at(habitat, "subtype") or text_at(habitat, "type") for habitat in listed]
    names += comma_parts(f"{text_at(details, 'habitat.custom')},{as_text(details.get('environment'))}")
    return tuple(dict.fromkeys(part.strip().lower() for part in names if part.strip()))


def _source(figures: Mapping[str, Any], details: Mapping[str, Any]) -> str:
    source = figures.get("source") or details.get("source")
    rules, page = text_at(source, "rules"), text_at(source, "page")
    usual = f"rules of {title_from_key(rules)}" if rules else ""
    title = text_at(source, "book") or text_at(source, "custom") or usual
    return source.strip() if isinstance(source, str) else f"{title}, page {page}" if title and page else title


def read_totals(actor: Actor, name: str, report: ConversionReport) -> ActorReading:
    """Start the reading of an actor: compute the values on which its totals are based."""
    reading = actor_reading(actor, name, value_at(system_of(actor), "attributes.spellcasting"), report)
    casts = reading.modifiers[reading.casting]
    values = {f"{key}.dc": 8 + reading.proficiency + n for key, n in reading.modifiers.items()}
    values |= {**reading.formulas.values, "mod": casts, "spell.mod": casts, "spell.attack": reading.proficiency + casts}
    more = formulas.FormulaEvaluator(values).number(value_at(reading.bonuses, "spell.dc")) or 0
    values |= dict.fromkeys(("spell.dc", "spelldc"), 8 + reading.proficiency + casts + more)
    values |= _skill_values(reading) | _class_levels(reading)
    reading.formulas = formulas.FormulaEvaluator(values)
    return reading


def _skill_values(reading: ActorReading) -> dict[str, int]:
    """Return skill totals and passive scores, keyed by the paths that formulas and texts use for them."""
    values: dict[str, int] = {}
    for code, ability in ((code, ability) for code, (_, ability) in SKILLS.items()):
        skill = mapping_at(reading.system, f"skills.{code}")
        own_ability = skill.get("ability")
        modifier = reading.modifiers[own_ability if own_ability in reading.modifiers else ability]
        bonus = reading.formulas.number(value_at(skill, "bonuses.check")) or 0
        total = modifier + int(proficiency_multiplier(skill.get("value")) * reading.proficiency) + bonus
        passive = 10 + total + (reading.formulas.number(value_at(skill, "bonuses.passive")) or 0)
        values |= {f"skills.{code}.total": total, f"skills.{code}.mod": modifier, f"skills.{code}.passive": passive}
    return values


def _class_levels(reading: ActorReading) -> dict[str, int]:
    classes = [system_of(item) for item in reading.items if item.get("type") == "class"]
    return {f"classes.{text_at(class_, 'identifier')}.levels": as_int(class_.get("levels")) or 0 for class_ in classes}


def head_fields(reading: ActorReading) -> dict[str, Any]:
    """Return the computed fields of a creature."""
    hp, assumed = mapping_at(reading.system, "attributes.hp"), Assumptions(reading.report)
    ac, ac_note = _armor_class(reading)
    if reading.level:
        most = as_int(hp.get("max")) or characters.maximum_hit_points(reading, hp, assumed)
    else:
        most = hit_points(hp, ("max", "value"), reading.report)
    return {
        "ac": ac,
        "ac_note": ac_note,
        "hp": most,
        "character": characters.character_of(reading, hp, assumed),
        "hit_dice": as_text(hp.get("formula")).replace(" ", ""),
        "abilities": tuple(reading.scores.items()),
        "saves": _saves(reading),
        "initiative": initiative_of(mapping_at(reading.system, "attributes.init"), reading),
        "condition_immunities": _conditions(reading),
        "languages": _languages(reading),
        "slots": _slots(reading),
        **_speeds(reading),
        **_senses_and_skills(reading),
        "immunities": _defences("immunities", reading),
        "resistances": _defences("resistances", reading),
        "vulnerabilities": _defences("vulnerabilities", reading),
    }


def _armor_class(reading: ActorReading) -> tuple[int, str]:
    """Calculate the armour class, including active effects, and return it with a note on its source."""
    data, bonus = _with_effects(mapping_at(reading.system, "attributes.ac"), reading)
    ac, note = _by_calculation(data, reading)
    return ac + bonus, note


def _with_effects(data: Record, reading: ActorReading) -> tuple[Record, int]:
    """Apply effects to the armour class data, and return the result and the sum of their bonuses."""
    changed, bonus = dict(data), 0
    for effect, change in effects_on(reading, "attributes.ac."):
        key, value = as_text(change.get("key")).rpartition(".")[2], change.get("value")
        number = reading.formulas.number(value)
        if effect.get("disabled") is True:
            text = f"{as_text(effect.get('name') or effect.get('label'))}: {key} {as_text(value)}"
            reading.report.add_note("ac", text, "disabled effect; not included")
        elif key in ("calc", "formula", "flat"):
            changed[key] = number if key == "flat" else value
        elif key == "bonus" and number is not None:
            bonus += number
        else:
            reading.report.add_note("ac", f"{key}: {as_text(value)}", "unsupported effect; not included")
    return changed, bonus


def _by_calculation(data: Record, reading: ActorReading) -> tuple[int, str]:
    dexterity = reading.modifiers["dex"]
    flat = as_int(data.get("flat"))
    how = as_text(data.get("calc")) or ("flat" if flat is not None or "value" in data else "default")
    fixed = as_int(data.get("value")) if flat is None else flat
    if how in ("flat", "natural") and fixed is not None:
        return fixed, "natural armor" if how == "natural" else ""
    number = reading.formulas.number(data.get("formula")) if how == "custom" else None
    if number is not None:
        return number, ""
    base, *abilities = _CALCULATIONS.get(how, _CALCULATIONS["default"])
    if how not in _CALCULATIONS:
        custom = (as_text(data.get("formula")), "unsupported formula")
        text, wrong = custom if how == "custom" else (how, "unknown calculation")
        reading.report.add_note("ac", text, f"{wrong}; AC from worn armour or Dexterity used")
    unarmoured = int(base) + sum(reading.modifiers[ability] for ability in abilities)
    ac, worn = _worn(unarmoured, reading.items, dexterity)
    if flat and flat != ac and how == "default":
        taken = ac if worn else flat
        reading.report.add_note("ac", str(flat), f"the fixed AC differs from the calculated {ac}; {taken} is used")
        return taken, worn
    return ac, worn


def _worn(base: int, items: list[Record], dex: int) -> tuple[int, str]:
    """Return the armour class from worn armour (or `base` without armour) and a shield, and the names of both."""
    armours: list[tuple[int, str]] = []
    shields: list[tuple[int, str]] = []
    for item in items:
        system = system_of(item)
        value = as_int(value_at(system, "armor.value"))
        if item.get("type") != "equipment" or not value or system.get("equipped") is not True:
            continue
        kind = armor_kind(system)
        value += as_int(value_at(system, "armor.magicalBonus")) or 0
        if kind == "shield":
            shields.append((value, as_text(item.get("name"))))
        elif kind in ("light", "medium", "heavy", "natural"):
            stated = as_int(value_at(system, "armor.dex"))
            most = stated if stated is not None else 2 if kind == "medium" else dex
            armours.append((value + (0 if kind == "heavy" else min(dex, most)), as_text(item.get("name"))))
    best = max(armours, default=(base, ""))
    shield = max(shields, default=(0, ""))
    return best[0] + shield[0], ", ".join(name for _, name in (best, shield) if name).lower()


def _saves(reading: ActorReading) -> NamedNumbers:
    """Return the total bonuses of saves that are proficient or have a bonus."""
    bonuses = []
    general = reading.bonus(value_at(reading.bonuses, "abilities.save"), "saves")
    for ability, modifier in reading.modifiers.items():
        data = mapping_at(reading.system, f"abilities.{ability}")
        times = proficiency_multiplier(data.get("proficient"))
        bonus = reading.bonus(value_at(data, "bonuses.save"), f"saves: {ability}") + general
        if times or bonus:
            bonuses.append((ability, modifier + int(times * reading.proficiency) + bonus))
    return tuple(bonuses)


def _speeds(reading: ActorReading) -> dict[str, Any]:
    """Return speeds in feet, keyed by movement mode, and whether the creature hovers. Other text becomes a remark."""
    movement = characters.movement_of(reading)
    old = mapping_at(reading.system, "attributes.speed")  # one text for walking and one for the other modes
    if old and not movement:
        read = header_lines.speeds([as_text(old.get("value")), as_text(old.get("special"))])
        reading.report.add_remark("speeds", read.rest, "not understood; kept as a remark")
        return {"speeds": read.distances, "hovers": read.hovers}
    reading.report.add_remark("speeds", text_at(movement, "special"))
    distances: list[tuple[str, int]] = []
    for name in header_lines.MOVES:
        value = movement.get(name)
        feet = in_feet(value, movement.get("units"))
        if value not in (None, "", 0, "0") and (feet is None or feet < 0):
            reading.report.add_note(f"speeds: {name}", as_text(value), "not a distance; ignored")
        elif feet or (name == "walk" and feet == 0):
            distances.append((name, feet))
    return {"speeds": tuple(distances), "hovers": bool(movement.get("hover"))}


def _senses_and_skills(reading: ActorReading) -> dict[str, Any]:
    """Return senses in feet, skill bonuses that differ from the plain ability modifier, and passive scores."""
    data = mapping_at(reading.system, "attributes.senses")
    ranges = mapping_at(data, "ranges") or data
    distances = {name: feet for name in SENSES if (feet := in_feet(ranges.get(name), data.get("units")))}
    read = header_lines.senses(text_at(data, "special") or text_at(reading.system, "traits.senses"))
    for name, feet in read.distances:
        distances.setdefault(name, feet)
    reading.report.add_remark("senses", read.rest)
    skills, passives = list[tuple[str, int]](), list[tuple[str, int]]()
    for id, skill, modifier, times, bonus in skills_in(reading, "value"):
        more = reading.bonus(value_at(skill, "bonuses.passive"), f"passives: {id}")
        total = modifier + int(times * reading.proficiency) + bonus
        skills += [(id, total)] if times or bonus else []
        passives += [(id, 10 + total + more)] if more else []
    all_passives = tuple(dict((*sorted(passives), *read.passives)).items())
    return {"senses": tuple(distances.items()), "skills": tuple(sorted(skills)), "passives": all_passives}


def _defences(kind: str, reading: ActorReading) -> stat_block.Defence:
    """Return damage types, and the exceptions to an immunity or resistance to nonmagical weapons.

    Other clauses about weapons are kept as text and reported.
    """
    data = mapping_at(reading.system, f"traits.d{kind[0]}")
    values = [word for entry in as_list(data.get("value")) if (word := as_text(entry).lower()) not in ("", "custom")]
    bypasses = [word for word in as_list(data.get("bypasses")) if isinstance(word, str)]
    clause = ""
    if "physical" in values:
        values.remove("physical")
        clause = _MUNDANE
    elif bypasses and all(weapon in values for weapon in _WEAPONS):
        values = [value for value in values if value not in _WEAPONS]
        materials = [_MATERIALS[word] for word in bypasses if word in _MATERIALS]
        clause = _MUNDANE + (f" that aren't {' or '.join(materials)}" if materials else "")
        if "mgc" not in bypasses:
            clause = clause.replace("nonmagical attacks", "attacks")
    custom = header_lines.damage_types(as_text(data.get("custom")))
    clauses = list(filter(None, (clause, *custom.clauses)))
    exceptions = [one for one in (header_lines.damage_types(clause).weapons, custom.weapons) if one is not None]
    mundane = None
    if exceptions and kind != "vulnerabilities":
        mundane = tuple(chain(*exceptions))
        clauses = [part for part in clauses if part != clause and "nonmagical" not in part.lower()]
    for part in clauses:
        reading.report.add_note(kind, part, "not a damage type; kept as worded")
    return tuple(dict.fromkeys((*values, *custom.kinds, *clauses))), mundane


def _conditions(reading: ActorReading) -> tuple[str, ...]:
    """Return the conditions to which an actor is immune."""
    data = mapping_at(reading.system, "traits.ci")
    custom = header_lines.condition_list(as_text(data.get("custom")))
    for part in custom.clauses:
        reading.report.add_note("condition immunities", part, "not a condition; kept as worded")
    values = (word for entry in as_list(data.get("value")) if (word := as_text(entry).lower()) != "custom")
    return tuple(dict.fromkeys(filter(None, (*values, *custom.kinds, *custom.clauses))))


def _languages(reading: ActorReading) -> str:
    """Return languages as a line of text."""
    data = mapping_at(reading.system, "traits.languages")
    named = language_names(word for entry in as_list(data.get("value")) if (word := as_text(entry)).lower() != "custom")
    named += [part.strip() for part in as_text(data.get("custom")).split(";") if part.strip()]
    telepathy = mapping_at(data, "communication.telepathy")
    feet = in_feet(telepathy.get("value"), telepathy.get("units"))
    return ", ".join([*named, *([f"telepathy {feet} ft."] if feet else [])])


FORMAT = formats.ImportFormat("foundry-dnd5e", "Foundry VTT actors (D&D 5e)", claims, read)
