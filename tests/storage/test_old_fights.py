"""Fights and recovery logs of older formats open as they stood, and go on as they did.

Each folder of `samples/format_2` holds an encounter of format 1 with a fight of format 2, saved with prompts open, and a
recovery log of format 2, all written by a program that knew nothing newer; and in words how they opened, and how they went on with
the steps of `continue.txt`. `TURNWRIGHT_REWRITE_GOLDEN=1` writes the words anew; read what has changed before you keep it.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import tomllib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import MsgspecError
from msgspec.msgpack import encode

from tests.fight_description import continue_fight, describe, describe_history, rule_systems
from tests.for_each import for_each
from turnwright.play.kernel.history import History
from turnwright.play.table.game_master import AddNote
from turnwright.storage.encounters import EncounterFile, parse_encounter
from turnwright.storage.migrations import FORMAT, OLDEST, OLDEST_FIGHT, changed_names
from turnwright.workspace.document import Document, open_document, recover_document
from turnwright.workspace.log_format import header, migrate, read_log

FOLDERS = sorted((Path(__file__).parent / "samples" / "format_2").iterdir())
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


def test_a_fight_of_format_2_opens_as_it_stood_and_goes_on(folder: Path, opened: Document) -> None:
    description = {"opened": describe(opened), "continued": continue_fight(opened, steps(folder))}
    expect(folder / "fight.json", {**description, "after continuing": describe(opened)})


@pytest.mark.sampled(2)
def test_a_log_of_format_2_gives_its_whole_history(folder: Path, recovered: Callable[[str], Document]) -> None:
    document = recovered("history")
    description = describe_history(document)
    document.close(discard=True)
    document = recovered("continued")
    while document.redo():
        pass
    description["continued after redo"] = continue_fight(document, steps(folder))
    document.close(discard=True)
    expect(folder / "log.json", description)


def test_a_recovered_log_of_format_2_goes_on_in_the_newest_version(recovered: Callable[[str], Document]) -> None:
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
    text = path.with_name("encounter.fight.toml").read_text(encoding="utf-8")
    assert tomllib.loads(text)["format"] == FORMAT
    again = open_document(path, rule_systems(), path.parent, locked=False)
    assert describe(again) == describe(opened)


@for_each("body", [3, [], {}, {"records": 3}, {"records": [3]}, {"step": 3}, {"step": {"label": 3}}])
@for_each("kind", [b"B", b"A"])
def test_a_payload_of_another_shape_is_refused_or_left(kind: bytes, body: Any) -> None:
    payload = kind + encode(body)
    with suppress(MsgspecError, LookupError, ValueError):
        assert migrate(payload, OLDEST_FIGHT) == payload


def test_saving_a_changed_encounter_writes_the_newest_format_and_keeps_the_rest(folder: Path) -> None:
    text = (folder / "encounter.toml").read_text(encoding="utf-8")
    loaded = parse_encounter(text.encode(), folder, rule_systems().ids)
    assert loaded.encounter is not None
    assert not loaded.findings
    new = EncounterFile(text).render(loaded.encounter)
    changed = [pair for pair in zip(text.splitlines(), new.splitlines(), strict=True) if pair[0] != pair[1]]
    assert changed[0] == ("format = 1", f"format = {FORMAT}")
    words = [zip(*(re.findall(r"[\w-]+", line) for line in pair), strict=True) for pair in changed[1:]]
    assert {(old, new) for pairs in words for old, new in pairs if old != new} <= new_names()


def new_names() -> set[tuple[str, str]]:
    """Every old name in a migration, with its new name."""
    found, waiting = set(), [msgspec.to_builtins(names) for names in changed_names(OLDEST)]
    while waiting:
        for name, content in waiting.pop().items():
            if isinstance(content, str):
                found.add((name, content))
            elif isinstance(content, dict):
                waiting.append(content)
    return found


LOG = Path(__file__).parent / "samples" / "log_of_format_2"


def test_a_log_of_a_saved_document_opens_with_its_whole_history(tmp_path: Path) -> None:
    (tmp_path / "recovery").mkdir()
    log = shutil.copy(LOG / "recovery.log", tmp_path / "recovery" / "sample.log")
    expected = json.loads((LOG / "log.json").read_text(encoding="utf-8"))
    document = recover_document(Path(log), rule_systems(), tmp_path)
    history = document.session.history
    assert {
        "depth": history.depth,
        "labels": [step.label.key for step in history.applied],
        "next": history.next and history.next.label.key,
        "journal": [line.phrase.key for line in document.session.journal()],
    } == expected
    assert document.is_modified
    document.undo()
    assert not document.is_modified
    document.close(discard=True)


OLD_HEADER = (LOG / "recovery.log").read_bytes()[:16]


def test_a_log_is_read_by_its_header_alone() -> None:
    frames = (LOG / "recovery.log").read_bytes()[16:]
    assert len(read_log(OLD_HEADER + frames).entries) == 28
    for unknown in (header()[:-1] + bytes((FORMAT + 1,)), header()[:-1] + b"\0", OLD_HEADER[:8] + b"another!"):
        contents = read_log(unknown + frames)
        assert (contents.snapshot, contents.format) == (None, None)
    for no_log in (b"", header()[:-1], b"TWLAG" + frames):
        assert read_log(no_log).format == 0
