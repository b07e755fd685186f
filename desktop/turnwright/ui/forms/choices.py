"""The options of form fields, by field kind, and the names of facts that entries and rules can test, such as gear."""

import re
from collections.abc import Iterable
from typing import Any

from turnwright.encounter import prepared
from turnwright.encounter.field_specs import FieldSpec, Kind
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import RECORD_TYPES, Encounter, entry_name, slots_in_order, wave_name
from turnwright.rules.system import RuleSystem
from turnwright.rules.system_data import SystemData
from turnwright.rules.system_data.statements import facts_in
from turnwright.ui.forms.fields import Options
from turnwright.ui.look.style import tr
from turnwright.ui.look.window_data import window_data
from turnwright.ui.models.row_list_model import id_as_words, pending_waves, side_name, side_order

MANEUVER_DC = "maneuver-dc"
SHIELDS = ("resistant", "immune")
_SQUARE = re.compile(r"\s*\(?\s*(-?\d{1,6})\s*[,/]\s*(-?\d{1,6})\s*\)?\s*")


def named_choices(entries: Iterable[Any]) -> Options:
    """Return options for named entries of a rule system's data."""
    return [(entry.id, entry.name or entry.id) for entry in entries]


OF_SYSTEM = window_data("choices.of_system", dict[Kind, str])
OF_ENCOUNTER = window_data("choices.of_encounter", tuple[Kind, ...])
CHOSEN_KINDS = {*OF_SYSTEM, *OF_ENCOUNTER, "effect", "pool"}


def choices(spec: FieldSpec, rules: RuleSystem, encounter: Encounter, value: Any) -> Options:
    """Return the options of a field. Raise LookupError if fields of its kind have no options."""
    if spec.kind in OF_SYSTEM:
        return named_choices(getattr(rules.data, OF_SYSTEM[spec.kind]))
    match spec.kind:
        case "check":
            return check_options(rules.data, getattr(value, spec.name))
        case "combatant" | "combatants":
            return [(combatant.id, combatant.label) for combatant in combatants_in_order(encounter, rules)]
        case "door":
            battle_map = encounter.get(prepared.Map, prepared.Map.table)
            return named_choices(battle_map.doors) if battle_map else []
        case "entry":
            place = encounter.get(prepared.Environment, value.environment)
            return named_choices((*place.actions, *place.features)) if place is not None else []
        case "countdown" | "creature" | "environment" | "environments":
            return named_choices(encounter.all(RECORD_TYPES[f"{spec.kind.removesuffix('s')}s"]))
        case "gear":
            return gear_ids(encounter, rules.data)
        case "roster":
            return roster_choices(encounter, value, spec.name)
        case "side":
            usual = [spec.default] if spec.default else []
            sides = side_order([*usual, *(roster_entry.side for roster_entry in encounter.all(prepared.RosterEntry))])
            return [(side, side_name(side)) for side in sides]
        case "stat":
            passives = [
                (f"passive.{skill.id}", tr("ui.manual.passive", skill=skill.name)) for skill in rules.data.skills
            ]
            return [(MANEUVER_DC, tr("ui.creature.maneuver-dc")), *passives]
        case "wave":
            own = getattr(value, spec.name)
            return list((dict(pending_waves(encounter)) | ({own: wave_name(own)} if own else {})).items())
    raise LookupError(f"fields of kind {spec.kind} offer no choices")


def combatants_in_order(encounter: Encounter, rules: RuleSystem) -> list[Combatant]:
    """Return the combatants in turn order. Combatants without a place come last."""
    order = [who for slot in slots_in_order(encounter) for who in slot.members]
    ids = dict.fromkeys((*order, *encounter.ids(Combatant)))
    return [combatant for who in ids if (combatant := encounter.get(Combatant, who)) is not None]


def roster_choices(encounter: Encounter, own: prepared.RosterEntry | None, link: str) -> Options:
    """Return the roster entries that an entry can follow or ride, excluding itself and entries that lead back to it."""
    entries = encounter.all(prepared.RosterEntry) if own is not None else ()
    free = [entry for entry in entries if own is not None and not leads_to(encounter, entry, own.id, link)]
    return [(entry.id, entry_name(encounter, entry)) for entry in free]


def watched_choices(encounter: Encounter, wave: prepared.Wave) -> Options:
    """Return the sides and roster entries whose losses can trigger a wave."""
    entries = [roster_entry for roster_entry in encounter.all(prepared.RosterEntry) if roster_entry.wave != wave.id]
    entry_names = [(one.id, entry_name(encounter, one)) for one in entries]
    sides = [side for side in side_order(entry.side for entry in entries) if side not in dict(entry_names)]
    return [*((side, side_name(side)) for side in sides), *entry_names]


def reminded_choices(encounter: Encounter, reminder: prepared.Reminder) -> Options:
    """Return the sides, roster entries and combatants whose turn or hit points can trigger a reminder."""
    names = {
        roster_entry.id: entry_name(encounter, roster_entry) for roster_entry in encounter.all(prepared.RosterEntry)
    }
    names |= {combatant.id: combatant.label for combatant in encounter.all(Combatant)}
    sides = side_order(roster_entry.side for roster_entry in encounter.all(prepared.RosterEntry))
    options = [*((side, side_name(side)) for side in sides if side not in names), *names.items()]
    return options if reminder.who in ("", *dict(options)) else [*options, (reminder.who, reminder.who)]


def leads_to(encounter: Encounter, entry: prepared.RosterEntry, goal: str, link: str) -> bool:
    """Whether following `link` (`controller` or `rides`) from an entry leads to the entry `goal`."""
    seen: set[str] = set()
    at: prepared.RosterEntry | None = entry
    while at is not None and at.id not in seen:
        if at.id == goal:
            return True
        seen.add(at.id)
        at = encounter.get(prepared.RosterEntry, getattr(at, link))
    return False


def check_options(catalogue: SystemData, current: str = "") -> Options:
    """Return the options for an initiative check: the system's usual ones, then all skills and abilities."""
    ability_names = {ability.id: ability.short.capitalize() for ability in catalogue.abilities}
    names = {skill.id: skill.name for skill in catalogue.skills}
    checks = [f"{check.ability}:{check.skill}" for check in catalogue.initiative_checks]
    checks += [f"{skill.ability}:{skill.id}" for skill in catalogue.skills]
    checks += [ability.id for ability in catalogue.abilities]
    checks += [current] if current else []
    options = []
    for check in dict.fromkeys(checks):
        ability, _, skill = check.partition(":")
        name = names.get(skill, id_as_words(skill).capitalize())
        options.append(
            (check, f"{name} ({ability_names.get(ability, ability)})" if skill else ability_names.get(ability, ability))
        )
    return options


def gear_ids(encounter: Encounter, catalogue: SystemData) -> Options:
    """Return the gear mentioned in the rule system and in this encounter's environments and creatures."""
    words = list(catalogue.gear)
    for environment in encounter.all(prepared.Environment):
        for row in (*environment.features, *environment.actions):
            facts = (fact for text in (*row.unaffected, row.reduced) for fact in facts_in(text))
            words += [fact.argument for fact in facts if fact.word in ("", "gear")]
    for creature in encounter.all(prepared.Creature):
        words += creature.gear
    for entry in encounter.all(prepared.RosterEntry):
        words += entry.gear
    conditions = {condition.id for condition in catalogue.conditions}
    return [(word, fact_name(word, catalogue)) for word in dict.fromkeys(words) if word not in conditions]


def specialty_ids(encounter: Encounter, catalogue: SystemData) -> Options:
    """Return the specialties tested by the system's rules, and those of this encounter's creatures."""
    words = list(catalogue.specialties)
    for creature in encounter.all(prepared.Creature):
        words += creature.specialties
    return [(word, id_as_words(word).capitalize()) for word in dict.fromkeys(words)]


def fact_name(fact: str, catalogue: SystemData) -> str:
    """Return the name of a fact."""
    key = f"statement.{fact}"
    if (text := tr(key)) != key:
        return text[:1].upper() + text[1:]
    word, _, kind = fact.partition(":")
    if word in SHIELDS and kind:
        names = {damage_type.id: damage_type.name.lower() for damage_type in catalogue.damage_types}
        names |= {condition.id: condition.name.lower() for condition in catalogue.conditions}
        return tr(f"ui.editing.{word}", what=names.get(kind, id_as_words(kind)))
    name = next((condition.name for condition in catalogue.conditions if condition.id == fact), "")
    return name or id_as_words(fact).capitalize()


def exemption_choices(entry: prepared.EnvironmentEntry | None, encounter: Encounter, catalogue: SystemData) -> Options:
    """Return the facts that can exempt a creature from an environment entry: resistances, gear and conditions."""
    kinds = [kind.id for kind in catalogue.damage_types if entry and kind.id in entry.damage.split()]
    words = [f"{shield}:{kind}" for kind in kinds for shield in SHIELDS]
    words += [word for word, _ in gear_ids(encounter, catalogue)]
    words += [*entry.unaffected, entry.reduced] if entry else []
    words += [condition.id for condition in catalogue.conditions]
    return [(word, fact_name(word, catalogue)) for word in dict.fromkeys(words) if word]


def squares_error(text: str) -> str:
    """Return the error in a list of squares (`column,row`, separated by `;`), or an empty string if it is valid."""
    for piece in text.split(";"):
        if piece.strip() and not _SQUARE.fullmatch(piece):
            return tr("ui.roster-entry.not-squares", what=piece.strip())
    return ""


def parse_squares(text: str) -> tuple[prepared.Point, ...]:
    """Return the squares in a valid list."""
    matches = (_SQUARE.fullmatch(piece) for piece in text.split(";"))
    return tuple((int(match[1]), int(match[2])) for match in matches if match)
