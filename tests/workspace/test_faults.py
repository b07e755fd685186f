"""What may go wrong around files that no other test has: two state folders, hard links, odd headers, odd text, quick hands."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest
from msgspec.structs import replace

from turnwright import __version__
from turnwright.bootstrap import RuleSystems
from turnwright.encounter.field_specs import MAX_COMBATANTS
from turnwright.encounter.prepared import Scene
from turnwright.play.kernel.transaction import Refused
from turnwright.play.setup.encounter_course import StartEncounter
from turnwright.play.setup.prepared_records import Edit
from turnwright.storage.atomic import back_up, backups_of, replace_atomically
from turnwright.storage.encounters import parse_encounter
from turnwright.workspace.document import Document, open_document
from turnwright.workspace.files import FileChangedError
from turnwright.workspace.quick_add import QuickAddError, read_quick_add

TEXT = """\
# mine
format = 3
system = "a5e"
title = "One"

[ creatures . owl ] # kept
name = "Owl"
hp = 3
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "share" / "one.toml"
    path.parent.mkdir()
    path.write_text(TEXT, encoding="utf-8")
    return path


def opened(path: Path, state: Path) -> Document:
    return open_document(path, RuleSystems(), state)


def rename(document: Document, title: str) -> None:
    document.do(Edit(replace(document.encounter.need(Scene, "scene"), title=title)))


def test_of_two_people_with_a_folder_of_state_each_the_second_save_is_refused_and_says_so(file: Path, tmp_path: Path):
    """No lock tells them apart, so the content does: what the other has saved is never replaced unasked."""
    one, other = opened(file, tmp_path / "one"), opened(file, tmp_path / "other")
    assert not one.read_only
    assert not other.read_only
    rename(one, "Hers")
    rename(other, "His")
    one.save()
    with pytest.raises(FileChangedError):
        other.save()
    assert 'title = "Hers"' in file.read_text(encoding="utf-8")
    other.save(overwrite=True)
    assert 'title = "His"' in file.read_text(encoding="utf-8")
    assert any('title = "Hers"' in copy.read_text("utf-8") for copy in backups_of(file, tmp_path / "other" / "backups"))
    for document in (one, other):
        document.close(discard=True)


@pytest.mark.skipif(not hasattr(os, "link"), reason="there are no hard links here")
def test_a_hard_link_is_a_file_of_its_own_once_it_is_saved(file: Path, tmp_path: Path):
    """A save puts a new file in the place of the old: the other name keeps the content that it had."""
    link = file.with_name("link.toml")
    link.hardlink_to(file)
    document, beside = opened(file, tmp_path / "state"), opened(link, tmp_path / "state")
    rename(document, "Elsewhere")
    document.save()
    assert link.read_text(encoding="utf-8") == TEXT
    rename(beside, "Beside")
    beside.save()
    assert 'title = "Elsewhere"' in file.read_text(encoding="utf-8")
    assert 'title = "Beside"' in link.read_text(encoding="utf-8")
    for one in (document, beside):
        one.close()


def test_odd_headers_keep_their_spaces_and_an_undone_rename_leaves_no_trace(file: Path, tmp_path: Path):
    document = opened(file, tmp_path / "state")
    rename(document, "Two")
    document.save()
    assert file.read_text(encoding="utf-8") == TEXT.replace('"One"\n', f'"Two"\nmade_with = "{__version__}"\n')
    document.undo()
    document.save()
    assert file.read_text(encoding="utf-8") == TEXT
    document.close()


def test_a_title_that_was_added_and_taken_back_leaves_no_trace(file: Path, tmp_path: Path):
    file.write_text(TEXT.replace('title = "One"\n', ""), encoding="utf-8")
    document = opened(file, tmp_path / "state")
    rename(document, "Two")
    document.save()
    document.undo()
    document.save()
    assert file.read_text(encoding="utf-8") == TEXT.replace('title = "One"\n', "")
    document.close()


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (TEXT.encode("utf-16"), "x.toml:1: the file is encoded in UTF-16; save it as UTF-8"),
        (
            TEXT.replace("format = 3", "format = -1").encode(),
            "x.toml:2: format: expected a whole number from 1 to 3, found the number -1",
        ),
    ],
)
def test_text_in_another_form_is_told_in_plain_words(data: bytes, message: str):
    found = parse_encounter(data, Path("x.toml"), {"a5e"})
    assert found.encounter is None
    assert [str(one) for one in found.findings] == [message]


@pytest.mark.parametrize("line", ["9" * 5_000, f"{'9' * 5_000} owl", f"owl hp {'9' * 5_000}"])
def test_a_number_of_thousands_of_digits_is_no_quick_add(line: str):
    with pytest.raises(QuickAddError):
        read_quick_add(line, lambda _name: None)


def test_more_combatants_than_a_fight_has_are_refused_at_its_start(file: Path, tmp_path: Path):
    rows = "".join(f'[roster.r{number}]\ncreature = "owl"\ncount = 500\n' for number in range(200))
    file.write_text(TEXT + rows, encoding="utf-8")
    document = opened(file, tmp_path / "state")
    with pytest.raises(Refused) as refused:
        document.do(StartEncounter())
    assert MAX_COMBATANTS in refused.value.params.values()
    document.close(discard=True)


def test_backups_of_one_second_stay_in_order_and_folders_apart(tmp_path: Path):
    now, backups = datetime(2026, 1, 1, tzinfo=UTC), tmp_path / "backups"
    one, other = tmp_path / "one" / "e.toml", tmp_path / "two" / "e.toml"
    for path in (one, other):
        path.parent.mkdir()
        path.write_bytes(b"0")
    back_up(one, b"new", backups, now=now)
    for number in range(1, 13):
        replace_atomically(other, b"%d" % number, backups, now=now)
    assert [copy.read_bytes() for copy in backups_of(other, backups)] == [b"%d" % number for number in range(2, 12)]
    assert [copy.read_bytes() for copy in backups_of(one, backups)] == [b"0"]


@pytest.mark.skipif(os.name != "posix", reason="permissions are another matter there")
def test_folders_of_state_are_private(file: Path, tmp_path: Path):
    before = os.umask(0o022)
    try:
        document = opened(file, tmp_path / "state")
        rename(document, "Two")
        document.save()
        document.close()
    finally:
        os.umask(before)
    folders = [tmp_path / "state", *(each for each in (tmp_path / "state").rglob("*") if each.is_dir())]
    assert {each.name for each in folders} >= {"recovery", "backups", "history"}
    assert {each.stat().st_mode & 0o077 for each in folders} == {0}
