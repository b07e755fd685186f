"""Facts that environment entries and rules test, for example gear and resistances, by name and as choices."""

from __future__ import annotations

from turnwright.encounter.prepared import Creature, Environment, EnvironmentEntry, RosterEntry
from turnwright.encounter.state import Encounter
from turnwright.rules.system_data import SystemData
from turnwright.ui.docks.editing.fields import Options
from turnwright.ui.models.display_names import id_as_words
from turnwright.ui.translations import tr

SHIELDS = ("resistant", "immune")


def gear_ids(encounter: Encounter, catalogue: SystemData) -> Options:
    """Return the gear that environments and creatures of this encounter name."""
    words = list(catalogue.gear)
    for environment in encounter.all(Environment):
        for row in (*environment.features, *environment.actions):
            words += [word for word in (*row.spared, row.reduced) if word and ":" not in word and " " not in word]
    for creature in encounter.all(Creature):
        words += creature.gear
    for entry in encounter.all(RosterEntry):
        words += entry.gear
    conditions = {condition.id for condition in catalogue.conditions}
    return [(word, fact_name(word, catalogue)) for word in dict.fromkeys(words) if word not in conditions]


def specialty_ids(encounter: Encounter, catalogue: SystemData) -> Options:
    """Return the specialties that the system's rules test, and those of creatures in this encounter."""
    words = list(catalogue.specialties)
    for creature in encounter.all(Creature):
        words += creature.specialties
    return [(word, id_as_words(word).capitalize()) for word in dict.fromkeys(words)]


def fact_name(fact: str, catalogue: SystemData) -> str:
    """Return the name of a fact."""
    key = f"statement.{fact}"
    said = tr(key)
    if said != key:
        return said[:1].upper() + said[1:]
    word, _, kind = fact.partition(":")
    if word in SHIELDS and kind:
        names = {one.id: one.name.lower() for one in catalogue.damage_types}
        names |= {each.id: each.name.lower() for each in catalogue.conditions}
        return tr(f"ui.editing.{word}", what=names.get(kind, id_as_words(kind)))
    condition = next((one.name for one in catalogue.conditions if one.id == fact), "")
    return condition or id_as_words(fact).capitalize()


def exemption_choices(entry: EnvironmentEntry | None, encounter: Encounter, catalogue: SystemData) -> Options:
    """Return the facts that may exempt a creature from an environment entry: resistances, gear, conditions."""
    kinds = [one.id for one in catalogue.damage_types if entry and one.id in entry.damage.split()]
    words = [f"{shield}:{kind}" for kind in kinds for shield in SHIELDS]
    words += [word for word, _ in gear_ids(encounter, catalogue)]
    words += [*entry.spared, entry.reduced] if entry else []
    words += [condition.id for condition in catalogue.conditions]
    return [(word, fact_name(word, catalogue)) for word in dict.fromkeys(words) if word]
