"""The reader of records: shipped files have no findings, and each mistake in a table has one."""

import copy

import rtoml

from tests.for_each import for_each
from turnwright.encounter.field_specs import MAX_TEXT
from turnwright.encounter.prepared import Countdown, Creature, Environment, SourceNote
from turnwright.storage.findings import FindingCollector
from turnwright.storage.resources import resource_path
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


def test_shipped_files_are_read_without_findings():
    assert len(SHIPPED) > 100
    for path in SHIPPED:
        tables = rtoml.loads(path.read_text(encoding="utf-8"))
        record, notes = thorough(KINDS[tables["kind"]], tables)
        assert record is not None, path
        assert notes.notes == [], path


def test_a_creature_with_everything_nested_is_read():
    record, notes = thorough(Creature, GOBLIN)
    assert notes.notes == []
    assert record is not None
    assert (record.speeds, record.remarks) == ((("walk", 30),), (SourceNote("ac", "13 while asleep"),))
    bow, fury = record.features
    assert (bow.id, bow.recharge, fury.multiattack) == ("bow", 5, ((("bow", 2),),))


def changed(*path, to):
    tables = copy.deepcopy(GOBLIN)
    inner = tables
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = to
    return tables


@for_each(
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
def test_each_mistake_has_a_finding(tables):
    assert thorough(Creature, tables)[1].notes


def test_a_long_text_has_a_finding():
    record, notes = thorough(Creature, changed("notes", to="x" * (MAX_TEXT + 1)))
    assert record is None
    assert notes.notes
