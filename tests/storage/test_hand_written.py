"""Files written by hand in many styles: what is not changed keeps its bytes, a changed value changes its line, undo leaves no trace."""

import copy
import random
from pathlib import Path

import pytest

from tests.storage.hand_written import hand_written
from turnwright.storage.encounters import EncounterFile, encounter_of, parse_encounter
from turnwright.storage.findings import FindingCollector
from turnwright.storage.toml.parser import parse_tables

FILES, USUAL = 2000, 150
UNKNOWN = {"format", "system", "weather", "favourite_food", "colour", "creature", "kind", "damage", "environments"}


def read(text):
    loaded = parse_encounter(text.encode(), Path("x.toml"), {"a5e"})
    assert loaded.encounter is not None, loaded.findings
    return loaded.encounter


def leaves(found, path=()):
    """The paths of the numbers, and of the texts on one line, that records hold."""
    if isinstance(found, dict | list):
        inner = found.items() if isinstance(found, dict) else enumerate(found)
        for key, value in inner:
            if key not in UNKNOWN and path[:1] != ("map",):
                yield from leaves(value, (*path, key))
    elif isinstance(found, int) or "\n" not in found:
        yield path


def with_change(tables, path):
    changed = copy.deepcopy(tables)
    inner = changed
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] += 1 if isinstance(inner[path[-1]], int) else " and more"
    return encounter_of(changed, FindingCollector())


def reshaped(tables, draw):
    """An encounter with tables renamed, taken out, added and in another order."""
    changed = copy.deepcopy(tables)
    creatures = list(changed["creatures"].items())
    draw.shuffle(creatures)
    if draw.random() < 0.5:
        creatures[0] = ("new name", creatures[0][1])
    if draw.random() < 0.5:
        creatures.append(("wolf", {"name": "Wolf", "hp": 11, "features": {"bite": {"name": "Bite", "attack": 4}}}))
    if draw.random() < 0.3:
        creatures.pop(draw.randrange(len(creatures)))
    changed["creatures"] = dict(creatures)
    roster = list(changed["roster"].items())
    draw.shuffle(roster)
    changed["roster"] = dict([*roster[draw.randrange(2) :], ("pack", {"creature": "wolf", "count": 3})])
    for countdown in changed.get("countdowns", {}).values():
        countdown["outcomes"].insert(draw.randrange(3), {"kind": "announce", "text": "Crack!"})
    if draw.random() < 0.3:
        changed.pop("map", None)
    return encounter_of(changed, FindingCollector())


def try_file(seed):
    text = hand_written(seed)
    encounter = read(text)
    file = EncounterFile(text)
    assert file.render(encounter) == text
    tables, draw = parse_tables(text.removeprefix("\ufeff")), random.Random(seed)

    after = with_change(tables, draw.choice(list(leaves(tables))))
    saved = file.render(after)
    assert read(saved) == after
    lines = list(zip(text.split("\n"), saved.split("\n"), strict=True))
    assert sum(before != now for before, now in lines) == 1
    assert file.render(encounter) == text

    after = reshaped(tables, draw)
    saved = file.render(after)
    assert list(read(saved)) == list(after)
    assert file.render(encounter) == text


@pytest.mark.sampled(1)
@pytest.mark.parametrize("start", range(0, USUAL, 50))
def test_a_file_by_hand_keeps_what_is_not_changed(start):
    for seed in range(start, start + 50):
        try_file(seed)


@pytest.mark.soak
@pytest.mark.parametrize("start", range(USUAL, FILES, 50))
def test_many_more_files_keep_what_is_not_changed(start):
    for seed in range(start, start + 50):
        try_file(seed)
