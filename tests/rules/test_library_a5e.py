"""The starter library for A5E: every creature reads without a finding, and its figures follow from one another."""

from __future__ import annotations

import re
import tomllib
from fractions import Fraction
from functools import cache
from math import floor
from pathlib import Path
from typing import NamedTuple

import pytest

from turnwright.dice.expression import DiceTerm, Expression, parse
from turnwright.encounter.prepared import Creature, Feature
from turnwright.storage.findings import Notes
from turnwright.storage.reader import read_struct
from turnwright.storage.resources import resource_path
from turnwright.storage.systems import read_catalogue

FILES = sorted(resource_path("library/a5e").glob("*.toml"))
HEAD = frozenset({"format", "kind", "system"})
HIT_DIE = {"tiny": 4, "small": 6, "medium": 8, "large": 10, "huge": 12, "gargantuan": 20}
RATINGS = frozenset({"0", "1/8", "1/4", "1/2", "1", "2", "3", "4", "5", "6", "7", "8"})
# Conditions of the field that no rule of the ledger names, so that the catalogue ships no effects for them.
OTHER_CONDITIONS = frozenset({"charmed", "deafened", "frightened", "paralyzed", "petrified", "stunned"})


class Entry(NamedTuple):
    file: Path
    creature: Creature
    findings: tuple[str, ...]

    @property
    def proficiency(self) -> int:
        return 2 if Fraction(self.creature.rating) < 5 else 3

    def modifier(self, ability: str) -> int:
        return (getattr(self.creature.abilities, {"str": "str_", "int": "int_"}.get(ability, ability)) - 10) // 2

    @property
    def trained(self) -> set[int]:
        """Every bonus that an ability with proficiency can give."""
        return {self.modifier(ability) + self.proficiency for ability in ("str", "dex", "con", "int", "wis", "cha")}


def read(file: Path) -> Entry:
    notes = Notes()
    table = tomllib.loads(file.read_text(encoding="utf-8"))
    creature = read_struct(Creature, table, (), notes, known=HEAD)
    assert creature is not None, notes.found
    return Entry(file, creature, tuple(f"{note.path}: {note.message}" for note in notes.found))


@cache
def library() -> tuple[Entry, ...]:
    return tuple(read(file) for file in FILES)


def features() -> list[tuple[Entry, Feature]]:
    return [(entry, feature) for entry in library() for feature in entry.creature.features]


def hit_die(expression: Expression) -> DiceTerm:
    return next(term for term in expression.terms if isinstance(term, DiceTerm))


def test_there_are_enough_to_begin_with():
    assert len(FILES) >= 28
    assert {entry.creature.rating for entry in library()} == RATINGS
    assert {entry.creature.size for entry in library()} == set(HIT_DIE)


def test_names_and_ids_are_unique():
    names = [entry.creature.name.casefold() for entry in library()]
    ids = [entry.creature.id for entry in library()]
    assert len(set(names)) == len(names)
    assert len(set(ids)) == len(ids)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_file_reads_without_a_finding_and_is_named_for_its_creature(file: Path):
    table = tomllib.loads(file.read_text(encoding="utf-8"))
    entry = read(file)
    assert (table["format"], table["kind"], table["system"]) == (1, "creature", "a5e")
    assert entry.findings == ()
    assert entry.creature.id == file.stem
    assert entry.creature.features


def test_hit_points_are_the_average_of_the_hit_dice():
    for entry in library():
        creature = entry.creature
        dice = parse(creature.hit_dice)
        assert creature.hp == floor(dice.mean), creature.id
        die = hit_die(dice)
        assert die.sides == HIT_DIE[creature.size], creature.id
        assert dice.minimum == die.count * (1 + entry.modifier("con")), creature.id


def test_attacks_add_proficiency_and_the_ability_that_their_damage_adds():
    attacks = [(entry, feature) for entry, feature in features() if feature.attack is not None]
    assert len(attacks) >= len(FILES)
    for entry, feature in attacks:
        where = f"{entry.creature.id}.{feature.id}"
        assert feature.attack in entry.trained, where
        if feature.damage:
            first = next(part for part in parse(feature.damage).parts if part.dice)
            assert feature.attack == first.flat + entry.proficiency, where


def test_save_dcs_are_eight_and_a_trained_ability():
    saves = [(entry, feature) for entry, feature in features() if feature.save]
    assert saves
    for entry, feature in saves:
        where = f"{entry.creature.id}.{feature.id}"
        assert feature.save in {"str", "dex", "con", "int", "wis", "cha"}, where
        assert feature.dc - 8 in entry.trained, where
        assert f"DC {feature.dc} " in feature.text, where


def test_no_dc_stands_in_a_text_alone_that_differs_from_the_figures():
    for entry, feature in features():
        for dc in re.findall(r"escape DC (\d+)", feature.text):
            assert int(dc) - 8 in entry.trained, f"{entry.creature.id}.{feature.id}"


def test_damage_has_dice_and_a_known_type_in_every_part():
    known = {kind.id for kind in read_catalogue("a5e").damage_types}
    rolls = [(entry, feature) for entry, feature in features() if feature.damage]
    assert rolls
    for entry, feature in rolls:
        for part in parse(feature.damage).parts:
            assert part.kind in known, f"{entry.creature.id}.{feature.id}: {part.kind!r}"
            assert part.dice > 0, f"{entry.creature.id}.{feature.id}"


def test_saves_and_skills_are_total_bonuses_of_their_abilities():
    ability_of = {skill.id: skill.ability for skill in read_catalogue("a5e").skills}
    for entry in library():
        for ability, bonus in entry.creature.saves:
            assert bonus == entry.modifier(ability) + entry.proficiency, entry.creature.id
        for skill, bonus in entry.creature.skills:
            assert bonus == entry.modifier(ability_of[skill]) + entry.proficiency, f"{entry.creature.id}.{skill}"


def test_words_that_rules_ask_about_are_the_catalogues():
    catalogue = read_catalogue("a5e")
    types = {kind.id for kind in catalogue.damage_types}
    conditions = {condition.id for condition in catalogue.conditions} | OTHER_CONDITIONS
    sizes = {size.id for size in catalogue.sizes}
    speeds = {speed.id for speed in catalogue.speeds}
    for entry in library():
        creature = entry.creature
        adjusted = {*creature.resistances, *creature.vulnerabilities, *creature.immunities}
        assert adjusted <= types, creature.id
        assert set(creature.condition_immunities) <= conditions, creature.id
        assert creature.size in sizes, creature.id
        assert {name for name, _feet in creature.speeds} <= speeds, creature.id
        assert set(creature.gear) <= {"cold-weather-gear", "skin-covered"}, creature.id


def test_the_library_shows_what_the_rules_can_tell_apart():
    creatures = [entry.creature for entry in library()]
    assert any("cold" in creature.resistances for creature in creatures)
    assert any("cold-weather-gear" in creature.gear for creature in creatures)
    assert any("poisoned" in creature.condition_immunities for creature in creatures)
    assert any(creature.mundane_immunity for creature in creatures)
    assert any(creature.vulnerabilities for creature in creatures)
    assert any(creature.hovers for creature in creatures)
    assert any(len(parse(feature.damage).parts) > 1 for _entry, feature in features() if feature.damage)
    assert {feature.cost for _entry, feature in features()} == {"trait", "action", "bonus", "reaction", "legendary"}
