"""Reads actors of Foundry's A5E system in any version, one per file or several in a list."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from turnwright.encounter.prepared import NamedNumbers
from turnwright.importers import formats, results, vocabulary
from turnwright.importers.common import as_list, as_mapping, as_text, challenge_rating
from turnwright.importers.documents import ParsedDocument
from turnwright.importers.foundry import a5e_items, characters, formulas
from turnwright.importers.foundry.reading import (
    SENSES,
    Actor,
    ActorReading,
    actor_reading,
    conditions_of,
    convert_actors,
    damage_defences_of,
    distances,
    game_of,
    has_actor_of,
    hit_points,
    initiative_of,
    items_with_link_names,
    language_names,
    mapping_at,
    size_of,
    skills_in,
    slots_of,
    system_of,
    text_at,
    title_from_key,
    value_at,
)
from turnwright.importers.stat_block import StatBlock
from turnwright.importers.statblock_text.damage import as_int
from turnwright.importers.statblock_text.header_lines import ABILITIES, MOVES, legendary_count
from turnwright.importers.statblock_text.markup import plain_text
from turnwright.storage.fights import ConversionReport

_RE: Final = vocabulary.Patterns("foundry_a5e")
_DICE: Final = ("", "1d4", "1d6", "1d8", "1d10", "1d12")
_WORN: Final = 2


def is_a5e_actor(actor: Actor) -> bool:
    """Whether an actor belongs to A5E: it names the system, or has the armour class formula that only A5E uses."""
    game = game_of(actor)
    return game == "a5e" if game else "baseFormula" in mapping_at(system_of(actor), "attributes.ac")


def claims(document: ParsedDocument) -> bool:
    """Return whether a document contains actors of A5E."""
    return has_actor_of(document, is_a5e_actor)


def read(documents: Iterable[ParsedDocument], system: str) -> Iterator[results.ImportedRecord | results.UnreadRecord]:
    """Yield creatures for the rule system `system` if it is a5e or dnd5e, otherwise for A5E."""
    return convert_actors(documents, is_a5e_actor, _block, system)


_TAGS: Final = (("swarm", "isSwarm"), ("squad", "isSquad"), ("elite", "elite"))


def _block(actor: Actor, name: str, report: ConversionReport) -> StatBlock:
    reading = read_totals(actor, name, report)
    figures = reading.system
    attributes, details = mapping_at(figures, "attributes"), mapping_at(figures, "details")
    traits, source = mapping_at(figures, "traits"), as_text(figures.get("source"))
    kinds = [kind for one in as_list(details.get("creatureTypes")) if (kind := as_text(one).strip().lower())]
    speeds = distances(mapping_at(attributes, "movement"), MOVES, "speeds", attributes, reading)
    senses = distances(mapping_at(attributes, "senses"), SENSES, "senses", attributes, reading)
    reading.items = items_with_link_names(reading.items, reading.names_by_link, report)
    legendary = a5e_items.read_items(reading)
    head = head_fields(reading)
    counts = filter(None, (legendary_count(feature.text) for feature in reading.features))
    if reading.level:
        report.take_back_note("hp", text_at(attributes, "hp.value"))  # kept as the state of the character
    return StatBlock(
        name,
        size=size_of(traits.get("size")),
        type=kinds[0] if kinds else "humanoid",
        tags=(*kinds[1:], *(tag for tag, key in _TAGS if details.get(key))),
        rating=challenge_rating(details.get("cr")),
        speeds=speeds,
        hovers=bool(value_at(attributes, "movement.traits.hover")),
        senses=senses,
        condition_immunities=conditions_of(traits.get("conditionImmunities")),
        gear=tuple(reading.gear),
        features=tuple(each for each in reading.features if not _RE.preamble.fullmatch(each.name)),
        notes="\n\n".join(text for key in ("notes", "privateNotes") if (text := plain_text(text_at(details, key)))),
        own_spells=tuple(reading.own_spells),
        program="Foundry A5E",
        source="" if source.startswith("[") else title_from_key(source),
        level=reading.level,
        character=characters.character_of(reading, mapping_at(attributes, "hp")),
        spellcasting=reading.casting if reading.is_caster() else "",
        legendary=legendary or next(counts, 0),
        alignment=" ".join(as_text(word).lower() for word in as_list(traits.get("alignment"))),
        environments=tuple(
            title_from_key(key).lower() for key in as_list(details.get("terrain")) if isinstance(key, str)
        ),
        description=plain_text(text_at(details, "bio")),
        immunities=damage_defences_of(traits.get("damageImmunities"), "immunities", report),
        resistances=damage_defences_of(traits.get("damageResistances"), "resistances", report),
        vulnerabilities=damage_defences_of(traits.get("damageVulnerabilities"), "vulnerabilities", report),
        system="a5e",
        **head,
    )


def read_totals(actor: Actor, name: str, report: ConversionReport) -> ActorReading:
    """Start the reading of an actor: compute the values on which its totals are based."""
    system = system_of(actor)
    casting = text_at(system, "attributes.spellcasting")
    for book in mapping_at(system, "spellBooks").values():
        ability = text_at(book, "ability")
        casting = ability if ability in ABILITIES else casting
    reading = actor_reading(actor, name, casting, report)
    better, casts = max(reading.modifiers["str"], reading.modifiers["dex"]), reading.modifiers[reading.casting]
    values = {"finesse.mod": better, "mod": better, "spellcasting.mod": casts}
    for key, modifier in (("maneuverDC", better), ("spellDC", casts)):
        values[key] = 8 + reading.proficiency + modifier + (as_int(reading.bonuses.get(key)) or 0)
    reading.formulas = formulas.FormulaEvaluator({**reading.formulas.values, **values})
    _note_situational_bonuses(reading)
    return reading


def head_fields(reading: ActorReading) -> dict[str, Any]:
    """Return the computed fields of a creature. Expertise dice and specialties become remarks."""
    system, attributes = reading.system, mapping_at(reading.system, "attributes")
    ac, ac_note = _armor_class(attributes, reading)
    dice, hp = _hit_points(attributes, reading)
    levels = mapping_at(system, "spellResources.slots")
    languages = as_list(value_at(system, "proficiencies.languages"))
    return {
        "ac": ac,
        "ac_note": ac_note,
        "hp": hp,
        "hit_dice": dice,
        "abilities": tuple(reading.scores.items()),
        "saves": _saves(reading),
        "skills": _skills(reading),
        "initiative": initiative_of(as_mapping(attributes.get("initiative")), reading),
        "languages": ", ".join(language_names(as_text(language).strip() for language in languages)),
        "slots": slots_of([levels.get(str(level)) for level in range(1, 10)], "max"),
    }


def _armor_class(attributes: Mapping[str, Any], reading: ActorReading) -> tuple[int, str]:
    """Return the armour class and a note on its source: the better of formula and worn armour, plus carried shields."""
    formula = text_at(attributes, "ac.baseFormula")
    own_ac = reading.formulas.number(formula) if formula else None
    if formula and own_ac is None:
        reading.report.add_note("ac", formula, "unsupported formula; AC from worn armour or Dexterity used")
    usual = own_ac if own_ac is not None else 10 + reading.modifiers["dex"]
    worn: dict[str, list[tuple[int, str]]] = {"armor": [], "shield": []}
    for item in reading.items:
        system = as_mapping(item.get("system"))
        kind = as_text(system.get("objectType"))
        number = reading.formulas.number(value_at(system, "ac.baseFormula")) if kind in worn else None
        if number is not None and system.get("equippedState") in (_WORN, None, True):
            worn[kind].append((number, as_text(item.get("name"))))
    best, note = max(worn["armor"], default=(0, ""))
    if best > usual and note and formula.isdecimal():
        reading.report.add_note("ac", formula, f"{note} would give {best}; the fixed AC is used")
        best = 0
    usual, note = max(usual, best), note if best > usual else ""
    if worn["shield"]:
        added, shield = worn["shield"][0]
        usual += added
        note = ", ".join(filter(None, (note, shield)))
        if formula.isdecimal():
            reading.report.add_note("ac", formula, f"{shield} adds {added}; the total is {usual}")
    return usual, note


def _hit_points(attributes: Mapping[str, Any], reading: ActorReading) -> tuple[str, int]:
    """Return the hit dice as text (`10d8+20`) and the maximum hit points."""
    hp = mapping_at(attributes, "hp")
    most, bonus = hit_points(hp, ("baseMax", "max", "value"), reading.report), as_int(hp.get("bonus")) or 0
    if bonus:
        reading.report.add_note("hp", f"{most} + {bonus}", "bonus hit points included")
    counts = {size: as_int(value_at(data, "total")) for size, data in mapping_at(attributes, "hitDice").items()}
    dice = [(n, size) for size, n in counts.items() if n and n > 0 and size[:1] == "d" and size[1:].isdecimal()]
    added = reading.modifiers["con"] * sum(count for count, _ in dice)
    return "+".join(f"{count}{size}" for count, size in dice) + (f"{added:+d}" if added else ""), most + bonus


def _saves(reading: ActorReading) -> NamedNumbers:
    """Return the total bonuses of saves that are proficient or have a bonus."""
    bonuses = []
    for ability, modifier in reading.modifiers.items():
        save = mapping_at(reading.system, f"abilities.{ability}.save")
        trained = reading.proficiency if save.get("proficient") else 0
        bonus = reading.bonus(save.get("bonus"), f"saves: {ability}")
        if bonus and bonus == trained:
            why = "bonus repeats the proficiency bonus; counted once"
            reading.report.add_note(f"saves: {ability}", f"+{bonus}", why)
            bonus = 0
        if trained or bonus:
            bonuses.append((ability, modifier + trained + bonus))
        _note_expertise(save, "saves", ability, reading)
    return tuple(bonuses)


def _skills(reading: ActorReading) -> NamedNumbers:
    """Return the total bonuses of skills that differ from the plain ability modifier."""
    bonuses = []
    for id, skill, modifier, times, bonus in skills_in(reading, "proficient"):
        twice = times and bonus and bonus == modifier
        if twice:
            reading.report.add_note(f"skills: {id}", f"+{bonus}", "bonus repeats the ability modifier; counted once")
        if times or bonus:
            bonuses.append((id, modifier + int(times * reading.proficiency) + (0 if twice else bonus)))
        _note_expertise(skill, "skills", id, reading)
        for special in as_list(skill.get("specialties")):
            if specialty := title_from_key(as_text(special)):
                reading.report.add_remark("skills", f"{id.replace('-', ' ')}: {specialty}")
    return tuple(sorted(bonuses))


def _note_expertise(record: Mapping[str, Any], about: str, name: str, reading: ActorReading) -> None:
    number = as_int(record.get("expertiseDice"))
    if number and 0 < number < len(_DICE):
        reading.report.add_remark(about, f"{name.replace('-', ' ')}: expertise die {_DICE[number]}")


def _note_situational_bonuses(reading: ActorReading) -> None:
    """Report situational bonuses. Bonuses to one type of attack or to DCs are included in the totals instead."""
    for key, bonuses in reading.bonuses.items():
        for bonus in bonuses.values() if isinstance(bonuses, dict) else ():
            formula = text_at(bonus, "formula") or as_text(bonus)
            if formula and formula != "0":
                reading.report.add_note(f"bonuses: {key}", formula, "situational bonus; not included")


FORMAT = formats.ImportFormat("foundry-a5e", "Foundry VTT actors (A5E)", claims, read)
