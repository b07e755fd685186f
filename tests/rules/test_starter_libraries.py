"""The starter libraries: every creature reads without a finding, and its numbers follow from one another."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from math import floor
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.for_each import for_each
from tests.games import WITH_LIBRARY
from turnwright.bootstrap import RuleSystems
from turnwright.dice.expression import DiceTerm, Expression, parse
from turnwright.encounter.prepared import Creature, Feature, Scene
from turnwright.encounter.state import Encounter
from turnwright.rules.parts.combatants.facts import split_value
from turnwright.rules.parts.preparation.creature_translation import find_unknown_ids
from turnwright.rules.system import RuleSystem
from turnwright.storage.findings import FindingCollector
from turnwright.storage.migrations import FORMAT
from turnwright.storage.resources import resource_path
from turnwright.storage.toml.reader import read_struct

HEAD = frozenset({"format", "kind", "system"})
FILES = {system: sorted(resource_path(f"library/{system}").glob("*.toml")) for system in WITH_LIBRARY}
EVERY = [(system, file) for system in WITH_LIBRARY for file in FILES[system]]
# Games whose abilities are scores and whose bonuses add proficiency by rating.
SCORED = ("a5e", "dnd5e")
HIT_DIE = {"tiny": 4, "small": 6, "medium": 8, "large": 10, "huge": 12, "gargantuan": 20}


class Entry(NamedTuple):
    file: Path
    creature: Creature
    findings: tuple[str, ...]

    @property
    def proficiency(self) -> int:
        return 2 + max(0, floor((Fraction(self.creature.rating) - 1) / 4))

    def modifier(self, ability: str) -> int:
        return (dict(self.creature.abilities).get(ability, 10) - 10) // 2

    @property
    def trained(self) -> set[int]:
        """Every bonus that an ability with proficiency can give."""
        return {self.modifier(ability) + self.proficiency for ability, _ in self.creature.abilities}


def read(file: Path) -> Entry:
    notes = FindingCollector()
    creature = read_struct(Creature, tomllib.loads(file.read_text(encoding="utf-8")), (), notes, foreign_keys=HEAD)
    assert creature is not None, notes.notes
    return Entry(file, creature, tuple(f"{note.path}: {note.message}" for note in notes.notes))


@cache
def library(system: str) -> tuple[Entry, ...]:
    return tuple(read(file) for file in FILES[system])


@cache
def rules_of(system: str) -> RuleSystem:
    return RuleSystems().get(system)


def features(system: str) -> Iterator[tuple[str, Entry, Feature]]:
    for entry in library(system):
        for feature in entry.creature.features:
            yield f"{entry.creature.id}.{feature.id}", entry, feature


def hit_die(expression: Expression) -> DiceTerm:
    return next(term for term in expression.terms if isinstance(term, DiceTerm))


# Of every game ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("system", WITH_LIBRARY)
def test_there_are_enough_to_begin_with_and_no_two_alike(system: str):
    creatures = [entry.creature for entry in library(system)]
    assert len(creatures) >= 15
    assert len({one.name.casefold() for one in creatures}) == len(creatures)
    assert len({one.id for one in creatures}) == len(creatures)
    assert len({one.size for one in creatures}) >= 4
    ratings = [Fraction(one.rating) for one in creatures]
    assert min(ratings) <= 1
    assert max(ratings) >= 7


@for_each(("system", "file"), EVERY, ids=[f"{system}-{file.stem}" for system, file in EVERY])
def test_a_file_reads_without_a_finding_and_is_named_for_its_creature(system: str, file: Path):
    table = tomllib.loads(file.read_text(encoding="utf-8"))
    entry = read(file)
    assert (table["format"], table["kind"], table["system"]) == (FORMAT, "creature", system)
    assert entry.findings == ()
    assert entry.creature.id == file.stem
    assert entry.creature.features


@pytest.mark.parametrize("system", WITH_LIBRARY)
def test_every_id_is_one_of_the_games_own(system: str):
    """A creature may be immune to conditions that no rule of the game inflicts."""
    creatures = [entry.creature for entry in library(system)]
    found = find_unknown_ids(Encounter([Scene(system=system), *creatures]), rules_of(system))
    assert [one for one in found if "condition_immunities" not in one.path] == []
    types = {kind.id for kind in rules_of(system).data.damage_types}
    assert {kind for one in creatures for kind in one.absorptions} <= types


@pytest.mark.parametrize("system", WITH_LIBRARY)
def test_damage_has_dice_and_a_type_in_every_part(system: str):
    types = {kind.id for kind in rules_of(system).data.damage_types}
    rolls = [(where, feature) for where, _, feature in features(system) if feature.damage]
    assert len(rolls) >= len(FILES[system])
    for where, feature in rolls:
        for part in parse(feature.damage).parts:
            assert part.kind in types, f"{where}: {part.kind!r}"
            assert part.dice > 0, where


@pytest.mark.parametrize("system", WITH_LIBRARY)
def test_what_is_saved_against_has_a_figure_and_what_strikes_a_distance(system: str):
    for where, _, feature in features(system):
        assert bool(feature.save) == bool(feature.dc), where
        assert not feature.half or (feature.save and feature.damage), where
        if feature.attack is not None:
            assert feature.reach or feature.range, where
        if feature.dc:
            said = {int(dc) for dc in re.findall(r"\b(?:DC|save against) (\d+)", feature.text)}
            assert feature.dc in said or not said, where


@pytest.mark.parametrize("system", WITH_LIBRARY)
def test_a_library_shows_what_the_rules_can_tell_apart(system: str):
    creatures = [entry.creature for entry in library(system)]
    used = [feature for _, _, feature in features(system)]
    assert any(one.vulnerabilities for one in creatures)
    assert any(one.resistances for one in creatures)
    assert any(one.immunities for one in creatures)
    assert any(one.condition_immunities for one in creatures)
    assert any(len(parse(feature.damage).parts) > 1 for feature in used if feature.damage)
    assert any(feature.recharge for feature in used)
    assert any(feature.uses for feature in used)
    assert {"trait", "action", "reaction"} <= {feature.cost for feature in used}


# Scores, proficiency, hit dice -----------------------------------------------------------------------------------


@pytest.mark.parametrize("system", SCORED)
def test_hit_points_are_the_average_of_the_hit_dice(system: str):
    for entry in library(system):
        creature = entry.creature
        dice = parse(creature.hit_dice)
        assert creature.hp == floor(dice.mean), creature.id
        die = hit_die(dice)
        assert die.sides == HIT_DIE[creature.size], creature.id
        assert dice.minimum == die.count * (1 + entry.modifier("con")), creature.id


@pytest.mark.parametrize("system", SCORED)
def test_attacks_add_proficiency_and_the_ability_that_their_damage_adds(system: str):
    for where, entry, feature in features(system):
        if feature.attack is None:
            continue
        assert feature.attack in entry.trained, where
        if feature.damage and "spell" not in feature.properties:
            first = next(part for part in parse(feature.damage).parts if part.dice)
            assert feature.attack == first.flat + entry.proficiency, where


@pytest.mark.parametrize("system", SCORED)
def test_save_dcs_are_eight_and_a_trained_ability(system: str):
    saves = [found for found in features(system) if found[2].save]
    assert saves
    for where, entry, feature in saves:
        assert feature.dc - 8 in entry.trained, where
        assert f"DC {feature.dc} " in feature.text, where
    for where, entry, feature in features(system):
        for dc in re.findall(r"escape DC (\d+)", feature.text):
            assert int(dc) - 8 in entry.trained, where


@pytest.mark.parametrize("system", SCORED)
def test_saves_and_skills_are_total_bonuses_of_their_abilities(system: str):
    ability_of = {skill.id: skill.ability for skill in rules_of(system).data.skills}
    for entry in library(system):
        for ability, bonus in entry.creature.saves:
            assert bonus == entry.modifier(ability) + entry.proficiency, entry.creature.id
        for skill, bonus in entry.creature.skills:
            assert bonus == entry.modifier(ability_of[skill]) + entry.proficiency, f"{entry.creature.id}.{skill}"


# Each game's own -------------------------------------------------------------------------------------------------


def test_a5e_has_gear_sizes_and_ratings_of_every_sort():
    creatures = [entry.creature for entry in library("a5e")]
    ratings = {"0", "1/8", "1/4", "1/2", "1", "2", "3", "4", "5", "6", "7", "8"}
    assert {one.rating for one in creatures} == ratings
    assert {one.size for one in creatures} == set(HIT_DIE)
    assert {item for one in creatures for item in one.gear} == {"cold-weather-gear", "skin-covered"}
    assert any(one.mundane_immunity for one in creatures)
    assert any(one.hovers for one in creatures)
    assert {"bonus", "legendary"} <= {feature.cost for _, _, feature in features("a5e")}


def test_dnd5e_has_legendary_creatures_with_their_resistance_and_lair():
    legendary = [entry.creature for entry in library("dnd5e") if entry.creature.legendary]
    assert len(legendary) >= 2
    for one in legendary:
        named = {feature.id: feature for feature in one.features}
        assert named["legendary-resistance"].uses == 3, one.id
        prices = [feature.price for feature in one.features if feature.cost == "legendary"]
        assert len(prices) >= 3, one.id
        assert max(prices) > 1, one.id
        lair = ("initiative count 20", "the top of each round")
        assert any(words in feature.text for feature in one.features for words in lair), one.id
    for entry in library("dnd5e"):
        acts = any(feature.cost == "legendary" for feature in entry.creature.features)
        assert acts == bool(entry.creature.legendary), entry.creature.id
    casters = [entry.creature for entry in library("dnd5e") if entry.creature.slots]
    levels = {feature.level for one in casters for feature in one.features if feature.level is not None}
    assert {0, 1} <= levels
    assert any(feature.attacks > 1 for _, _, feature in features("dnd5e"))


def test_action_points_can_be_paid_and_distances_are_metres():
    for where, entry, feature in features("action_points"):
        pools = dict(entry.creature.pools)
        if feature.cost in ("action", "reaction"):
            assert 1 <= feature.price <= pools[feature.cost], where
        for pool, price in feature.spends:
            assert 1 <= price <= pools[pool], where
        assert feature.reach % 2 == 0, where
        assert all(int(metres) <= 60 for metres in feature.range.removeprefix("self").split("/") if metres), where
        if feature.attack is not None:
            assert feature.attack in dict(entry.creature.abilities).values(), where
        if feature.dc:
            assert feature.dc - 6 in dict(entry.creature.abilities).values(), where
    for entry in library("action_points"):
        assert entry.creature.initiative is not None, entry.creature.id
        assert all(metres <= 8 for _, metres in entry.creature.speeds), entry.creature.id


def test_action_points_know_nine_types_of_damage_by_four_statuses():
    creatures = [entry.creature for entry in library("action_points")]
    statuses = [
        {kind for one in creatures for kind in getattr(one, status)}
        for status in ("vulnerabilities", "resistances", "immunities", "absorptions")
    ]
    assert all(len(kinds) >= 5 for kinds in statuses)
    assert set().union(*statuses) == {kind.id for kind in rules_of("action_points").data.damage_types}
    assert len(set().union(*statuses)) == 9
    assert any(feature.spends for _, _, feature in features("action_points"))


def test_pf2e_figures_keep_to_their_level():
    for where, entry, feature in features("pf2e"):
        level = int(entry.creature.rating)
        assert 1 <= feature.price <= 3, where
        if feature.attack is not None:
            assert 6 + level <= feature.attack <= 10 + 1.6 * level, where
        if feature.dc:
            assert 14 + level <= feature.dc <= 18 + 1.2 * level, where
    for entry in library("pf2e"):
        one, level = entry.creature, int(entry.creature.rating)
        assert one.level == max(0, level), one.id
        assert {ability for ability, _ in one.saves} == {"con", "dex", "wis"}, one.id
        assert all(2 + level <= bonus <= 10 + 1.5 * level for _, bonus in one.saves), one.id
        assert "perception" in dict(one.skills), one.id
        assert 14 + level <= one.ac <= 17 + 1.5 * level, one.id


def test_pf2e_weaknesses_and_resistances_have_figures():
    listed = [
        text for entry in library("pf2e") for text in (*entry.creature.vulnerabilities, *entry.creature.resistances)
    ]
    assert len(listed) >= 20
    assert all(split_value(text)[1] > 0 for text in listed)


def test_pf2e_strikes_say_their_traits():
    used = [(where, feature) for where, _, feature in features("pf2e")]
    for where, feature in used:
        said = {word.lower() for word in re.findall(r"\b(?:[Aa]gile|[Dd]eadly d\d+|[Ff]inesse)\b", feature.text)}
        assert said <= {one.replace("deadly-", "deadly ") for one in feature.properties}, where
    assert any("agile" in feature.properties for _, feature in used)
    assert any("deadly-d10" in feature.properties for _, feature in used)
    assert {feature.price for _, feature in used if feature.cost == "action"} == {1, 2, 3}
    assert "free" in {feature.cost for _, feature in used}
    assert any(parse(feature.ongoing).parts[0].kind == "bleed" for _, feature in used if feature.ongoing)
    assert any(feature.half and feature.save == "dex" for _, feature in used)


def test_spells_of_creatures_have_the_traits_of_their_spell() -> None:
    """Creatures can be immune to them."""
    traits = {spell.name: {*spell.properties} for spell in RuleSystems().get("pf2e").data.spells}
    for file in resource_path("library/pf2e").glob("**/*.toml"):
        features = tomllib.loads(file.read_text(encoding="utf-8")).get("features", {}).values()
        for each in (one for one in features if "spell" in one.get("properties", ())):
            assert traits.get(each["name"], set()) <= {*each["properties"]}, (file.name, each["name"])
