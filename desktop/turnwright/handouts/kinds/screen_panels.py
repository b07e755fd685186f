"""Landscape panels for the game master's screen, with the rules, DCs and conditions that an encounter needs.

The conditions that it can cause are also printed alone on half pages.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from turnwright.encounter.floors import floors_of, map_of
from turnwright.encounter.prepared import Countdown, Creature, Environment, EnvironmentEntry, Map, SavingThrow
from turnwright.encounter.state import scene_of
from turnwright.handouts.environment_data import EnvironmentData, id_as_words, one_line
from turnwright.handouts.kinds.condition_cards import conditions_in_play
from turnwright.handouts.kinds.reference import ReferenceData
from turnwright.handouts.page_input import PageContent, PageInput, PageKind, Section
from turnwright.handouts.roster_members import RosterMembers
from turnwright.rules.word_keys import system_words

ID: Final = "screen-panels"
NEAR: Final = 2  # levels above and below those in the encounter whose DCs are listed


def make(source: PageInput) -> PageContent:
    """Return the panels. They are full of secrets, so there is no players' edition."""
    reference, data = ReferenceData(source), source.rules.data
    company = RosterMembers(source)
    creatures = {member.creature.id: member.creature for member in company.members}.values()
    others = {each.creature.id: each.creature for each in company.members if not company.is_player_character(each)}
    places = [(place, (*place.features, *place.actions)) for place in source.encounter.all(Environment)]
    rows = [(place, row) for place, entries in places for row in entries if row.enabled]
    battle_map = source.encounter.get(Map, Map.table)
    floors = [map_of(battle_map, floor) for floor in floors_of(battle_map)] if battle_map is not None else []
    terrains = {row.terrain for _, row in rows} | {area.feature for floor in floors for area in floor.areas}
    senses = {sense for creature in creatures for sense, _ in creature.senses}
    levels = {creature.level + more for creature in creatures for more in range(-NEAR, NEAR + 1)}
    whole = reference.data()
    panels = whole | {
        "conditions": [reference.condition(condition) for condition in conditions_in_play(source)],
        "dcs": list(_dcs(source, others.values(), rows)),
        "level_dcs": [(level, dc) for level, dc in enumerate(data.level_dcs) if level in levels],
        "ground": [reference.ground(terrain) for terrain in data.terrains if terrain.extra and terrain.id in terrains],
        "senses": [reference.sense(sense) for sense in data.senses if sense.beats and sense.id in senses],
        "motion": list(_motion(source)),
        "countdowns": whole["countdowns"] if any(True for _ in source.encounter.all(Countdown)) else None,
    }
    return PageContent((Section(ID, panels),))


def _dcs(
    source: PageInput, creatures: Iterable[Creature], rows: list[tuple[Environment, EnvironmentEntry]]
) -> Iterator[dict[str, str]]:
    """Yield the name and the DCs of each environment entry, then of each creature's features."""
    environment_data = EnvironmentData(source)
    for place, row in rows:
        if texts := environment_data.dcs(place, row):
            yield {"name": one_line(row.name) or id_as_words(row.id), "text": "; ".join(texts)}
    for creature in creatures:
        found: dict[str, list[str]] = {}
        for feature in creature.features:
            if feature.save and feature.dc:
                save = environment_data.brief_save(SavingThrow(feature.save, feature.dc))
                found.setdefault(save, []).append(one_line(feature.name))
        if found:
            text = "; ".join(f"{save} ({', '.join(names)})" for save, names in found.items())
            yield {"name": one_line(creature.name), "text": text}


def _motion(source: PageInput) -> Iterator[dict[str, str]]:
    """Yield the game's numbers for movement, falls and light sources, each with its name."""
    data, say, key = source.rules.data, source.text, f"handout.{ID}"
    terms, movement = system_words(data), source.rules.data.movement
    unit = terms.get("unit", "")
    costs: dict[int, list[str]] = {}
    for mode, extra in movement.extra:
        costs.setdefault(extra + 1, []).append(say(f"{key}.mode-{mode}"))
    for times, modes in costs.items():
        yield {"name": ", ".join(modes).capitalize(), "text": say("handout.reference.ground-cost", n=times)}
    if movement.fall_die:
        most = say(f"{key}.fall-most", n=movement.fall_most) if movement.fall_most else ""
        kind = next((kind.name.lower() for kind in data.damage_types if kind.id == movement.fall_kind), "")
        fall = say(f"{key}.fall", dice=movement.fall_die, kind=kind, n=movement.fall_step, unit=unit)
        yield {"name": say(f"{key}.falling"), "text": fall + most}
    if scene_of(source.encounter).light in ("dim", "dark"):
        lights = (f"{light.name} {light.radius} {unit} ({say(f'ui.light.{light.light}')})" for light in data.lights)
        yield {"name": say(f"{key}.light"), "text": ", ".join(lights)}


KIND: Final = PageKind(ID, make)
