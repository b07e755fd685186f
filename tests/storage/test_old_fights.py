"""Fights and recovery logs of older formats open as they stood, and go on as they did.

Each folder of `samples/fight_1` holds an encounter with a fight of format 1, saved with prompts open, and a recovery log
of version 1, all written by a program that knew nothing newer; and in words how they opened, and how they went on with
the steps of `continue.txt`. `TURNWRIGHT_REWRITE_GOLDEN=1` writes the words anew; read what has changed before you keep it.
"""

from __future__ import annotations

import copy
import json
import os
import shutil
import tomllib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, get_args

import pytest
from msgspec import MsgspecError
from msgspec.msgpack import encode

from tests.fight_description import continue_fight, describe, describe_history, rule_systems, words
from turnwright.encounter.procedure_state import ProcedureData
from turnwright.encounter.procedure_state.kinds import Stage
from turnwright.encounter.procedure_state.turns import LAIR_ACTIONS
from turnwright.encounter.state import RECORD_TYPES
from turnwright.play.kernel.history import History
from turnwright.play.registry import stages
from turnwright.play.table.notes import AddNote
from turnwright.play.turns.turn_phases import END_PHASES, START_PHASES
from turnwright.storage.migrations import FIGHT_FORMAT, FORMAT
from turnwright.storage.migrations.fight_2 import migrate_fight, migrate_record
from turnwright.storage.migrations.fight_2_names import fight_names
from turnwright.workspace.document import Document, open_document, recover_document
from turnwright.workspace.log_format import header, read_log
from turnwright.workspace.log_migration import migrate_payload

FOLDERS = sorted((Path(__file__).parent / "samples" / "fight_1").iterdir())
REWRITE = os.environ.get("TURNWRIGHT_REWRITE_GOLDEN") == "1"


@pytest.fixture(params=FOLDERS, ids=lambda folder: folder.name)
def folder(request: pytest.FixtureRequest) -> Path:
    return request.param


@pytest.fixture
def opened(folder: Path, tmp_path: Path) -> Document:
    """The encounter of a folder with its fight, as copies that may be saved."""
    for name in ("encounter.toml", "encounter.fight.toml"):
        shutil.copy(folder / name, tmp_path)
    return open_document(tmp_path / "encounter.toml", rule_systems(), tmp_path, locked=False)


@pytest.fixture
def recovered(folder: Path, tmp_path: Path) -> Callable[[str], Document]:
    """Recovers the document of a folder's log, with a state folder of this name."""

    def recover(name: str) -> Document:
        state = tmp_path / name
        (state / "recovery").mkdir(parents=True)
        log = shutil.copy(folder / "recovery.log", state / "recovery" / "sample.log")
        return recover_document(Path(log), rule_systems(), state)

    return recover


def steps(folder: Path) -> list[str]:
    lines = (folder / "continue.txt").read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def expect(path: Path, description: dict[str, Any]) -> None:
    text = json.dumps(description, indent=1, ensure_ascii=False) + "\n"
    if REWRITE:
        path.write_text(text, encoding="utf-8")
    assert json.loads(text) == json.loads(path.read_text(encoding="utf-8"))


def test_a_fight_of_format_1_opens_as_it_stood_and_goes_on(folder: Path, opened: Document) -> None:
    description = {"opened": describe(opened), "continued": continue_fight(opened, steps(folder))}
    expect(folder / "fight.json", {**description, "after continuing": describe(opened)})


@pytest.mark.sampled(2)
def test_a_log_of_version_1_gives_its_whole_history(folder: Path, recovered: Callable[[str], Document]) -> None:
    document = recovered("history")
    description = describe_history(document)
    document.close(discard=True)
    document = recovered("continued")
    while document.redo():
        pass
    description["continued after redo"] = continue_fight(document, steps(folder))
    document.close(discard=True)
    expect(folder / "log.json", description)


def test_a_recovered_log_of_version_1_goes_on_in_the_newest_version(recovered: Callable[[str], Document]) -> None:
    document = recovered("state")
    (log,) = (document.state_folder / "recovery").glob("*.log")
    contents = read_log(log.read_bytes())
    history, in_log = document.session.history, History()
    for entry in contents.history_entries:
        in_log.apply(entry)
    assert log.read_bytes().startswith(header())
    assert contents.valid_bytes == log.stat().st_size
    assert (list(in_log.applied), in_log.next) == (list(history.applied), history.next)
    assert any(change.index > 0 for step in history.applied for change in step.changes)  # where a record stood
    document.close(discard=True)


def test_saving_writes_the_newest_format_of_fights_and_leaves_the_encounter(folder: Path, opened: Document) -> None:
    opened.do(AddNote("Opened again"))
    opened.save()
    path = opened.path
    assert path is not None
    assert path.read_bytes() == (folder / "encounter.toml").read_bytes()
    assert tomllib.loads(path.read_text(encoding="utf-8"))["format"] == FORMAT
    text = path.with_name("encounter.fight.toml").read_text(encoding="utf-8")
    assert tomllib.loads(text)["format"] == FIGHT_FORMAT
    again = open_document(path, rule_systems(), path.parent, locked=False)
    assert describe(again) == describe(opened)


def test_the_new_names_are_those_of_the_records() -> None:
    """To rename a saved field, kind or stage, write a migration to format 3; format 2 is not to be compared then."""
    tags = {kind.__struct_config__.tag: set(kind.__struct_fields__) for kind in get_args(ProcedureData)}
    new = fight_names()
    for table, names in new.record_fields.items():
        assert set(names.values()) <= set(RECORD_TYPES[table].__struct_fields__)
    for tag, names in new.data_fields.items():
        assert set(names.values()) <= tags[tag]
    for data in (data for kinds in new.data_by_kind.values() for data in kinds.values()):
        assert {*data.fields.values(), *data.required} <= tags[data.tag]
    renamed = {Stage(one.kind, stage) for one in new.procedures.values() for stage in one.stages.values()}
    assert {*renamed, LAIR_ACTIONS.finish} <= set(stages())
    assert {*new.undo_labels.values(), *new.option_labels.values()} <= set(words())
    phases = {**new.phases["turn-start"], **new.phases["turn-end"]}
    assert set(phases.values()) <= START_PHASES.keys() | END_PHASES.keys()


def watch(kind: str, stage: str, **data: Any) -> dict[str, Any]:
    return {"kind": kind, "stage": stage, "data": {"type": "watch", **data}, "parent": "deed-1"}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (
            watch("stack", "react", who="ann", value=1, by="bob"),
            ("reaction-stack", "ask-reaction", {"type": "reaction-stack", "reactor": "bob", "answered": True}),
        ),
        (
            watch("hurled", "next", who="", what="pushed", by="a5e.push"),
            (
                "forced-movement",
                "next-target",
                {"type": "forced-movement", "how": "pushed", "feet": 0, "who": "", "rule": "a5e.push"},
            ),
        ),
        (watch("lair", "over", who=""), ("lair-actions", "finish", {"type": "lair-actions"})),
        (
            {**watch("health", "ask"), "data": {"type": "checks", "who": ["ann"]}},
            ("max-hp", "ask-maximum", {"type": "max-hp-question", "who": "ann"}),
        ),
        (
            {**watch("turn-end", "step"), "data": {"type": "turn-end", "slot": "s", "steps": ["notes", "expire"]}},
            ("turn-end", "next-end-phase", {"type": "turn-end", "slot": "s", "phases": ["reminders", "expire"]}),
        ),
    ],
)
def test_a_procedure_gets_a_kind_a_stage_and_data_of_its_own(old: dict[str, Any], new: tuple[str, str, Any]) -> None:
    kind, stage, data = new
    assert migrate_record("procedures", old) == {"kind": kind, "stage": stage, "data": data, "parent": "deed-1"}


def test_the_options_of_a_card_keep_their_ids_and_get_the_new_labels() -> None:
    option = {"label": "option.step.end.flat"}
    new = {"label": "option.step.end.flat-checks"}
    in_file = {"asks": {"order": {"after": [["flat", "ongoing"]], "options": {"flat": option}}}}
    assert migrate_record("prompts", in_file) == {
        "asks": {"order": {"must_follow": [["flat", "ongoing"]], "options": {"flat": new}}}
    }
    in_log = {"asks": [{"id": "order", "options": [{"id": "flat", **option}]}]}
    assert migrate_record("prompts", in_log) == {"asks": [{"id": "order", "options": [{"id": "flat", **new}]}]}


def test_a_migration_changes_nothing_that_it_is_given(folder: Path) -> None:
    tables = tomllib.loads((folder / "encounter.fight.toml").read_text(encoding="utf-8"))
    before = copy.deepcopy(tables)
    assert migrate_fight(tables) != tables
    assert tables == before


@pytest.mark.parametrize("content", [3, "text", [], [3], {"a": 3}, {"a": {"data": 3}}, {"a": {"data": {"type": []}}}])
@pytest.mark.parametrize("table", ["clock", "procedures", "prompts", "combatants", "unknown"])
def test_what_has_no_shape_of_a_record_is_left_to_the_reader(table: str, content: Any) -> None:
    assert migrate_fight({"format": 1, table: content}) == {"format": 1, table: content}


@pytest.mark.parametrize("body", [3, [], {}, {"records": 3}, {"records": [3]}, {"step": 3}, {"step": {"label": 3}}])
@pytest.mark.parametrize("kind", [b"B", b"A"])
def test_a_payload_of_another_shape_is_refused_or_left(kind: bytes, body: Any) -> None:
    payload = kind + encode(body)
    with suppress(MsgspecError, LookupError, ValueError):
        assert migrate_payload(payload) == payload
