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
from typing import Any

import pytest
from msgspec import MsgspecError
from msgspec.msgpack import encode

from tests.fight_description import continue_fight, describe, describe_history, rule_systems
from turnwright.play.commands import AddNote
from turnwright.storage.migrations import FIGHT_FORMAT, FORMAT
from turnwright.storage.migrations.fight_2 import migrate_fight
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
    history = document.session.history
    assert log.read_bytes().startswith(header())
    assert (contents.is_same_version, contents.dropped_bytes) == (True, 0)
    assert [entry.step for entry in contents.history_entries][: history.depth] == list(history.applied)
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
