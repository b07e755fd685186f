"""The lists of a sheet: everything of an encounter stands in just one of them, with a reason that can be read."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from tests.for_each import for_each
from tests.forecast.small_fights import fighter, sheet_of_fight, small_fight
from turnwright.bootstrap import RuleSystems
from turnwright.encounter.data_rules import DataRule
from turnwright.encounter.prepared import Countdown, Creature, Environment, Feature, FeatureStep
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Encounter, scene_of
from turnwright.forecast import building
from turnwright.forecast.sheet import SheetNote
from turnwright.forecast.sheet_builder import build_sheet
from turnwright.rules.system import creature_of
from turnwright.storage.encounters import read_encounter
from turnwright.storage.library.entries import read_library_file
from turnwright.storage.resources import resource_path, sample_encounters
from turnwright.storage.word_catalogue import WordCatalogue
from turnwright.workspace.fight_forecast import begun_copy

SYSTEMS = RuleSystems()
FILES = {file.stem: file for file in sample_encounters()}
WORDS = WordCatalogue.load()


def notes_of(name: str) -> tuple[Encounter, tuple[SheetNote, ...]]:
    loaded = read_encounter(FILES[name], SYSTEMS.ids).encounter
    assert loaded is not None
    rules = SYSTEMS.get(scene_of(loaded).system)
    begun = begun_copy(loaded, rules)
    _, legend = build_sheet(begun.encounter, rules, begun.waiting)
    return begun.encounter, legend.notes


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", sorted(FILES))
def test_every_feature_entry_and_outcome_stands_in_one_list(name: str):
    encounter, notes = notes_of(name)
    lists: dict[tuple[str, str, str], set[str]] = {}
    for note in notes:
        lists.setdefault((note.table, note.subject, note.item), set()).add(note.list)
    fighting = [one for one in encounter.all(Combatant) if not one.bystander]
    creatures = {one.creature: creature_of(encounter, one) for one in fighting}
    wanted = [("creatures", one.id, feature.id) for one in creatures.values() for feature in one.features]
    for environment in encounter.all(Environment):
        wanted += [("environments", environment.id, one.id) for one in (*environment.features, *environment.actions)]
    for countdown in encounter.all(Countdown):
        wanted += [("countdowns", countdown.id, f"outcome-{n}") for n in range(len(countdown.outcomes))]
    assert {each: lists.get(each, set()) for each in wanted if len(lists.get(each, set())) != 1} == {}


@pytest.mark.soak
def test_every_feature_of_the_library_stands_in_one_list():
    """Each creature of each game has a sheet, in a fight against somebody who does nothing."""
    count, wrong = 0, list[tuple[str, str]]()
    for file in sorted(resource_path("library").rglob("*.toml")):
        creature, _ = read_library_file(file)
        if not isinstance(creature, Creature):
            continue
        count += 1
        system = file.relative_to(resource_path("library")).parts[0]
        _, legend = sheet_of_fight(small_fight(system, [fighter("somebody-else", system=system)], [creature]), system)
        notes = {(note.item, note.list) for note in legend.notes if note.subject == creature.id}
        lists = Counter(item for item, _ in notes)
        wrong += [(creature.id, feature.id) for feature in creature.features if lists[feature.id] != 1]
    assert count > 400
    assert wrong == []


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", sorted(FILES))
def test_every_reason_has_words_with_all_that_they_name(name: str):
    for note in notes_of(name)[1]:
        text = WORDS(note.reason, **dict(note.params))
        assert text != note.reason
        assert not re.search(r"\{(?!ac\})", text), text


@for_each(
    ("feature", "where", "reason"),
    [
        (Feature("nap", "Nap", "action"), "left-out", "text"),
        (Feature("dart", "Dart", "legendary", does=(FeatureStep(move="half"),)), "left-out", "steps"),
        (Feature("dart", "Dart", "bonus", does=(FeatureStep(action="hide"),)), "left-out", "steps"),
        (Feature("dart", "Dart", "bonus", does=(FeatureStep(move="full"),), automation="reminds"), "left-out", "text"),
        (Feature("chants", "Chants", does=(FeatureStep(use="claw"),)), "left-out", "list"),
        (Feature("spells", "Spells", does=(FeatureStep(spell="fireball"),)), "left-out", "steps"),
        (Feature("swipe", "Swipe", "legendary", does=(FeatureStep(use="claw"),)), "used", "used"),
        (Feature("flurry", "Flurry", "action", attacks=2), "used", "used"),
        (Feature("charm", "Charm", "action", save="wis", dc=12), "left-out", "not_simulated"),
        (Feature("sure", "Sure", rules=(DataRule("terrain", "ice"),)), "left-out", "not_simulated"),
    ],
)
def test_a_feature_is_text_only_if_the_engine_does_nothing_with_it(feature: Feature, where: str, reason: str):
    claw = Feature("claw", "Claw", "action", attack=4, reach=5, damage="1d6 slashing")
    foe = fighter("foe", claw, feature, legendary=3)
    _, legend = sheet_of_fight(small_fight("dnd5e", [fighter("hero")], [foe]), "dnd5e")
    notes = [(note.list, note.reason) for note in legend.notes if (note.subject, note.item) == ("foe", feature.id)]
    assert notes == [(where, f"forecast.note.{reason}")]


def test_every_reason_is_given_somewhere():
    root = Path(building.__file__).parent.parent
    code = "\n".join(file.read_text(encoding="utf-8") for file in root.rglob("*.py"))
    keys = [key for key in WORDS if key.startswith("forecast.note.")]
    assert keys
    assert [key for key in keys if f'"{key.rpartition(".")[2]}"' not in code and f'"{key}"' not in code] == []
