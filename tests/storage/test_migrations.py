"""An older file gets the newest names wherever its records are, and is saved with its comments."""

import copy
import tomllib
import zlib
from base64 import b85decode, b85encode
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from msgspec import Struct
from msgspec.structs import replace

from tests.for_each import for_each
from turnwright.encounter.prepared import AddWave, Countdown, Creature, EnvironmentEntry, Feature, Outcome, RosterEntry
from turnwright.encounter.procedure_state import ProcedureData
from turnwright.encounter.procedure_state.asks import Prompt
from turnwright.encounter.running import Snapshot
from turnwright.encounter.state import RECORD_TYPES, Change
from turnwright.importers.traits.catalogue import TraitEntry, TraitFile
from turnwright.play.kernel.events import Phrase
from turnwright.play.registry import event_types
from turnwright.storage import migrations
from turnwright.storage.encounters import EncounterFile, parse_encounter
from turnwright.storage.findings import FindingCollector
from turnwright.storage.library.entries import read_library_file
from turnwright.storage.migrations import (
    FORMAT,
    OLDEST,
    OLDEST_FIGHT,
    ChangedNames,
    Migrator,
    changed_names,
    migrate_file,
)
from turnwright.storage.toml.reader import (
    ArrayShape,
    KeyedTablesShape,
    OptionalShape,
    StructShape,
    UnionShape,
    fields_of,
    tag_of,
)
from turnwright.workspace import log_format

OLD = """\
format = 1
system = "a5e" # ours
[creatures.raider]
name = "Raider"
[roster.raiders] # three of them
creature = "raider"
wave = "late"
count = 3
[countdowns.ice]
name = "Ice"
outcomes = [
    { kind = "wave", wave = "late" }, # as agreed
]
[mine]
kept = true
"""
NEW = OLD.replace("format = 1", "format = 3").replace('kind = "wave"', 'kind = "add-wave"')
SAMPLES = sorted((Path(__file__).parent / "samples" / "format_2").iterdir())

EXAMPLE = ChangedNames(
    tables={"visitors": "guest_creatures"},
    tags={"type": {"harm": "damage-roll"}},
    events={"Shifted": "ForceMoved"},
    fields={"Creature": {"armour": "ac"}, "Feature": {"words": "text"}, "Ask": {"after": "must_follow"}},
    values={
        "Creature": {"size": {"big": "large"}, "tags": {"elfin": "elf"}},
        "Phrase": {"key": {"step.old": "step.new"}},
        "Ask": {"id": {"said": "outcome"}},
        "ForceMoved": {"how": {"shoved": "pushed"}},
    },
    statements={"hits-by": "misses-with"},
    words={"side.foes": "side.enemies"},
)


def test_an_old_file_is_read_and_saved_in_the_newest_format() -> None:
    loaded = parse_encounter(OLD.encode(), Path("x.toml"), {"a5e"})
    assert loaded.encounter is not None
    assert [finding.key for finding in loaded.findings] == ["mine"]
    assert loaded.encounter.need(Countdown, "ice").outcomes == (AddWave("late"),)
    raiders = loaded.encounter.need(RosterEntry, "raiders")
    change = Change(("roster", "raiders"), raiders, replace(raiders, count=4))
    text = EncounterFile(OLD).render(loaded.encounter.with_changes([change]))
    assert text == NEW.replace("count = 3", "count = 4")


def test_names_are_changed_in_tables_by_id_and_in_lists() -> None:
    migrator = Migrator((EXAMPLE,))
    old = {"armour": 3, "size": "big", "tags": ["elfin", "old"]}
    new = {"ac": 3, "size": "large", "tags": ["elf", "old"]}
    features = {"bite": {"words": "Bites.", "armour": 1}}
    assert migrator.tables({"creatures": {"wolf": {**old, "features": features}}}) == {
        "creatures": {"wolf": {**new, "features": {"bite": {"text": "Bites.", "armour": 1}}}}
    }
    assert migrator.record(Creature, {**old, "features": [{"id": "bite", "words": "Bites."}]}) == {
        **new,
        "features": [{"id": "bite", "text": "Bites."}],
    }
    assert migrator.record(Prompt, {"asks": {"order": {"after": [["a", "b"]]}}}) == {
        "asks": {"order": {"must_follow": [["a", "b"]]}}
    }
    assert migrator.record(Prompt, {"asks": {"said": {}, "a": {}}}) == {"asks": {"outcome": {}, "a": {}}}
    assert migrator.record(Prompt, {"asks": [{"id": "said"}]}) == {"asks": [{"id": "outcome"}]}
    assert migrator.tables({"procedures": {"p-1": {"data": {"type": "harm", "targets": ["ann"]}}}}) == {
        "procedures": {"p-1": {"data": {"type": "damage-roll", "targets": ["ann"]}}}
    }
    assert migrator.tables({"visitors": {"owl": {"armour": 3}}}) == {"guest_creatures": {"owl": {"armour": 3}}}
    assert migrator.record(Phrase, {"key": "step.old"}) == {"key": "step.new"}
    assert migrator.event({"type": "Shifted", "how": "shoved"}) == {"type": "ForceMoved", "how": "pushed"}


def test_records_in_a_snapshot_are_migrated() -> None:
    old = [("visitors", {"id": "owl", "features": [{"words": "Bites."}]}), ("gone", {"a": 1})]
    state = b85encode(zlib.compress(msgspec.json.encode(old))).decode()
    found = Migrator((EXAMPLE,)).record(Snapshot, {"id": "a", "name": "A", "state": state})
    new = [["guest_creatures", {"id": "owl", "features": [{"text": "Bites."}]}], ["gone", {"a": 1}]]
    assert msgspec.json.decode(zlib.decompress(b85decode(found["state"]))) == new
    for broken in ("", "?", state[:-9], 3):
        assert Migrator((EXAMPLE,)).record(Snapshot, {"state": broken}) == {"state": broken}


def test_keys_of_words_are_changed_in_journals() -> None:
    journal = [{"params": [["side", "<side.foes>"], ["who", "<side.foes.x> foes"]]}]
    new = [{"params": [["side", "<side.enemies>"], ["who", "<side.foes.x> foes"]]}]
    assert Migrator((EXAMPLE,)).tables({"journal": journal}) == {"journal": new}


def test_words_of_statements_are_changed() -> None:
    migrator = Migrator((EXAMPLE,))
    for old, new in (("melee, hits-by:2", "melee, misses-with:2"), ("hits-by-far", "hits-by-far"), (3, 3)):
        assert migrator.record(Feature, {"name": "hits-by", "when": old}) == {"name": "hits-by", "when": new}
        assert migrator.record(EnvironmentEntry, {"unaffected": [old]}) == {"unaffected": [new]}


def test_tracks_of_levels_are_now_values_of_conditions() -> None:
    migrator = Migrator(changed_names(OLDEST_FIGHT))
    tracks = {"ada.fatigue": {"owner": "ada", "name": "fatigue", "value": 2}, "ada.action": {"owner": "ada"}}
    effects = {"e": {"target": "ada", "name": "fatigue", "value": 2}}
    fight = migrator.tables({"tracks": tracks, "effects": effects})
    assert fight == {"tracks": {"ada.action": {"owner": "ada"}}, "effects": effects}
    packed = [("tracks", {"id": "ada.strife", "value": 1}), ("tracks", {"id": "ada.moved", "value": 1})]
    state = b85encode(zlib.compress(msgspec.json.encode(packed))).decode()
    found = migrator.record(Snapshot, {"id": "a", "name": "A", "state": state})
    assert msgspec.json.decode(zlib.decompress(b85decode(found["state"]))) == [
        ["tracks", {"id": "ada.moved", "value": 1}]
    ]
    assert migrator.is_gone("tracks", "ada.fatigue")
    assert not migrator.is_gone("effects", "ada.fatigue")


def test_prompts_for_rewards_are_gone() -> None:
    migrator = Migrator(changed_names(OLDEST_FIGHT))
    rewards = {"kind": "rewards", "stage": "record-rewards", "data": {"type": "rewards"}}
    other = {"kind": "round", "stage": "begin-round", "data": {"type": "round"}}
    asked = {"procedure": "p", "title": "prompt.awards"}
    fight = migrator.tables({"procedures": {"p": rewards, "q": other}, "prompts": {"a": asked}})
    assert (list(fight["procedures"]), fight["prompts"]) == (["q"], {})
    change = {"key": ("prompts", "a"), "before": None, "after": asked}
    step = {"label": {"key": "step.end_encounter", "params": {}}, "changes": [change], "events": []}
    entry = log_format.migrate(log_format.ENTRY + msgspec.msgpack.encode({"step": step}), OLDEST_FIGHT)
    assert msgspec.msgpack.decode(entry[1:])["step"]["changes"] == []


@pytest.mark.parametrize("shape", [dict, list])
def test_levels_of_a_saved_character_are_conditions(shape: type) -> None:
    migrator = Migrator(changed_names(OLDEST))
    old = {"hp": 7, "tracks": shape([("slots.1", 1), ("fatigue", 2)]), "conditions": [{"name": "poisoned"}]}
    roster = migrator.record(RosterEntry, {"state": old})
    conditions = [{"name": "poisoned"}, {"name": "fatigue", "value": 2}]
    assert roster == {"state": {"hp": 7, "tracks": shape([("slots.1", 1)]), "conditions": conditions}}
    for tracks in (3, {"slots.1": 1}, [["fatigue"]], None):
        assert migrator.record(RosterEntry, {"state": {"tracks": tracks}}) == {"state": {"tracks": tracks}}


def test_rules_about_speed_are_modifiers() -> None:
    migrator = Migrator(changed_names(OLDEST))
    rules = [{"kind": "speed", "what": "speed", "set": 0}]
    feature = migrator.record(Feature, {"rules": rules})
    assert feature == {"rules": [{"kind": "modifier", "what": "speed", "set": 0}]}


def test_an_event_gets_its_tag_and_the_fields_of_that_event() -> None:
    migrator = Migrator(changed_names(OLDEST_FIGHT))
    assert migrator.event({"type": "FellBack", "who": "ann", "presser": "bob"}) == {
        "type": "Withdrew",
        "who": "ann",
        "pursuer": "bob",
    }
    assert migrator.event({"type": "Attacked", "means": "bow"}) == {"type": "Attacked", "weapon": "bow"}


def test_formats_are_migrated_in_order() -> None:
    steps = (ChangedNames(fields={"Creature": {"a": "b"}}), ChangedNames(fields={"Creature": {"b": "ac"}}))
    assert Migrator(steps).record(Creature, {"a": 3}) == {"ac": 3}
    assert changed_names(FORMAT) == ()
    assert len(changed_names(OLDEST)) == len(changed_names(OLDEST_FIGHT)) == 1


def test_a_library_file_is_migrated_by_its_kind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "wolf.toml"
    file.write_text('format = 1\nkind = "creature"\nsystem = "a5e"\nid = "wolf"\nname = "Wolf"\narmour = 3\n')
    monkeypatch.setattr(migrations, "changed_names", lambda format: (EXAMPLE,))
    record, findings = read_library_file(file)
    assert not findings
    assert isinstance(record, Creature)
    assert record.ac == 3


@for_each("folder", SAMPLES, ids=lambda folder: folder.name)
@for_each("name", ["encounter.toml", "encounter.fight.toml"])
def test_a_migration_changes_nothing_that_it_is_given(folder: Path, name: str) -> None:
    tables = tomllib.loads((folder / name).read_text(encoding="utf-8"))
    before = copy.deepcopy(tables)
    assert migrate_file(tables, FindingCollector()) != tables
    assert tables == before


@for_each("content", [3, "text", [], [3], {"a": 3}, {"a": {"data": 3}}, {"a": {"data": {"type": []}}}])
@for_each("table", ["clock", "procedures", "prompts", "combatants", "creatures", "unknown"])
def test_what_has_no_shape_of_a_record_is_left_to_the_reader(table: str, content: Any) -> None:
    assert Migrator(changed_names(OLDEST)).tables({table: content}) == {table: content}


@pytest.mark.parametrize("found", [0, -1, "1", True, 1.0, 4])
def test_a_format_that_nothing_leads_from_is_an_error(found: object) -> None:
    notes = FindingCollector()
    assert migrate_file({"format": found}, notes) is None
    assert notes.has_errors


def test_fights_of_format_1_are_refused() -> None:
    notes = FindingCollector()
    assert migrate_file({"format": 1}, notes, OLDEST_FIGHT) is None
    assert notes.has_errors


def records() -> dict[str, type[Struct]]:
    """All records of files and logs, and the events, by class name."""
    found: dict[str, type[Struct]] = {kind.__name__: kind for kind in (*event_types(), Phrase, TraitEntry, TraitFile)}
    waiting: list[Any] = [StructShape(kind) for kind in RECORD_TYPES.values()]
    while waiting:
        match waiting.pop():
            case OptionalShape(inner) | ArrayShape(inner):
                waiting.append(inner)
            case UnionShape(_, structs):
                waiting += [StructShape(struct) for _, struct in structs]
            case StructShape(struct) | KeyedTablesShape(struct) if struct.__name__ not in found:
                found[struct.__name__] = struct
                waiting += [field.shape for field in fields_of(struct)]
    return found


def test_the_new_names_are_those_of_the_records() -> None:
    """To rename something again, write its newest name here too: all changes since a format are made in one walk."""
    known = records()
    tags = {
        "type": {tag_of(kind) for kind in get_args(ProcedureData)},
        "kind": {tag_of(kind) for kind in get_args(Outcome)},
    }
    for names in changed_names(OLDEST):
        assert all(set(new.values()) <= tags[field] for field, new in names.tags.items())
        assert set(names.events.values()) <= known.keys()
        for kind, new in names.fields.items():
            assert set(new.values()) <= set(known[kind].__struct_fields__)
        assert set(names.tables.values()) <= RECORD_TYPES.keys()
        for kind, fields in names.values.items():
            assert fields.keys() <= set(known[kind].__struct_fields__)
