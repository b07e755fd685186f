"""The fast reader of a library file: the same record as the thorough reader, or none."""

import copy

import pytest
import rtoml

from turnwright.encounter.bounds import MAX_TEXT
from turnwright.encounter.prepared import Countdown, Creature, Environment
from turnwright.storage.findings import FindingCollector
from turnwright.storage.resources import resource_path
from turnwright.storage.toml.fast_reader import read_struct_fast
from turnwright.storage.toml.reader import read_struct

HEAD = frozenset({"format", "kind", "system"})
KINDS = {"creature": Creature, "environment": Environment, "countdown": Countdown}
SHIPPED = sorted([*resource_path("library").rglob("*.toml"), *resource_path("environments").rglob("*.toml")])
GOBLIN = {
    "id": "goblin",
    "name": "Goblin",
    "ac": 15,
    "hp": 7,
    "speeds": {"walk": 30},
    "tags": ["goblinoid"],
    "remarks": [{"about": "ac", "text": "13 while asleep"}],
    "features": {
        "bow": {"name": "Bow", "cost": "action", "attack": 4, "damage": "1d6+2 piercing", "recharge": 5},
        "fury": {"name": "Fury", "multiattack": [{"bow": 2}]},
    },
}


def thorough(struct, tables):
    notes = FindingCollector()
    record = read_struct(struct, tables, (), notes, foreign_keys=HEAD)
    return record, notes


def test_what_is_shipped_is_read_alike_and_never_thoroughly():
    assert len(SHIPPED) > 100
    for path in SHIPPED:
        text = path.read_text(encoding="utf-8")
        tables = rtoml.loads(text)
        struct = KINDS[tables["kind"]]
        assert read_struct_fast(struct, tables, len(text), HEAD) == thorough(struct, tables)[0] is not None, path


def test_a_creature_with_everything_nested_is_read_alike():
    assert read_struct_fast(Creature, GOBLIN, 400) == thorough(Creature, GOBLIN)[0]


def changed(*path, to):
    tables = copy.deepcopy(GOBLIN)
    inner = tables
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = to
    return tables


@pytest.mark.parametrize(
    "tables",
    [
        changed("colour", to="green"),
        changed("features", "bow", "colour", to="green"),
        changed("features", "bow", "id", to="bow"),
        changed("features", "bow", "recharge", to=1),
        changed("features", "bow", "damage", to="1d6+"),
        changed("features", "bow", "damage", to=["1d6"]),
        changed("features", "bow", "cost", to="free of charge"),
        changed("features", "bow", to="a bow"),
        changed("features", to=[]),
        changed("speeds", to=[30]),
        changed("speeds", "walk", to="30"),
        changed("hp", to=-4),
        changed("hp", to=True),
        changed("hp", to=7.0),
        changed("name", to=7),
        changed("tags", to="goblinoid"),
        changed("remarks", 0, "about", to=None),
        {key: value for key, value in GOBLIN.items() if key != "name"},
    ],
    ids=str,
)
def test_whatever_there_is_to_say_about_is_left_to_the_thorough_way(tables):
    assert read_struct_fast(Creature, tables, 400) is None
    assert thorough(Creature, tables)[1].notes


def test_a_long_text_is_left_to_the_thorough_way():
    assert read_struct_fast(Creature, GOBLIN, MAX_TEXT + 1) is None
