"""A file is replaced whole or not at all, and its earlier content is kept for a while."""

import os
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from turnwright.storage.atomic import backups_of, replace_atomically

NOON = datetime(2026, 11, 20, 12, 0, 0, tzinfo=UTC)


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "ice.toml"
    path.write_bytes(b"old")
    return path


def test_the_new_content_stands_there_and_nothing_beside_it(file):
    replace_atomically(file, b"new")
    assert file.read_bytes() == b"new"
    assert [path.name for path in file.parent.iterdir()] == ["ice.toml"]


@pytest.mark.parametrize("failing", ["replace", "fsync", "chmod"])
def test_a_failure_leaves_the_old_file_whole_and_nothing_beside_it(file, monkeypatch, failing):
    def fail(*args, **kwargs):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, failing, fail)
    with pytest.raises(OSError, match="No space left"):
        replace_atomically(file, b"new")
    assert file.read_bytes() == b"old"
    assert [path.name for path in file.parent.iterdir()] == ["ice.toml"]


def test_a_folder_that_lets_nothing_be_written_leaves_the_old_file(file, monkeypatch):
    def refuse(*args, **kwargs):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(PermissionError):
        replace_atomically(file, b"new")
    monkeypatch.undo()
    assert file.read_bytes() == b"old"
    assert [path.name for path in file.parent.iterdir()] == ["ice.toml"]


def test_permissions_stay(file):
    file.chmod(0o640)
    replace_atomically(file, b"new")
    assert file.stat().st_mode & 0o777 == 0o640


def test_a_link_stays_a_link(file, tmp_path):
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    link = folder / "link.toml"
    link.symlink_to(file)
    replace_atomically(link, b"new")
    assert link.is_symlink()
    assert file.read_bytes() == b"new"
    assert [path.name for path in folder.iterdir()] == ["link.toml"]


def test_backups_are_dated_and_the_oldest_go(file, tmp_path):
    backups = tmp_path / "backups"
    for number in range(13):
        replace_atomically(file, b"content %d" % number, backups, keep=10, now=NOON + timedelta(minutes=number))
    kept = backups_of(file, backups)
    assert [copy.read_bytes() for copy in kept] == [b"content %d" % number for number in range(2, 12)]
    assert re.fullmatch(r"ice\.[0-9a-f]{8}\.2026-11-20T121200\.toml", kept[-1].name)


def test_several_backups_of_one_second_keep_their_order(file, tmp_path):
    backups = tmp_path / "backups"
    for number in range(12):
        replace_atomically(file, b"content %d" % number, backups, keep=20, now=NOON)
    contents = [copy.read_bytes() for copy in backups_of(file, backups)]
    assert contents == [b"old", *(b"content %d" % number for number in range(11))]


def test_backups_of_one_second_keep_their_order_when_the_oldest_go(file, tmp_path):
    backups = tmp_path / "backups"
    for number in range(12):
        replace_atomically(file, b"content %d" % number, backups, keep=3, now=NOON)
    assert [copy.read_bytes() for copy in backups_of(file, backups)] == [
        b"content %d" % number for number in (8, 9, 10)
    ]


def test_files_of_one_name_in_two_folders_have_backups_of_their_own(file, tmp_path):
    backups, other = tmp_path / "backups", tmp_path / "two" / file.name
    other.parent.mkdir()
    other.write_bytes(b"theirs")
    replace_atomically(other, b"theirs again", backups, now=NOON)
    for number in range(4):
        replace_atomically(file, b"content %d" % number, backups, keep=2, now=NOON + timedelta(minutes=number))
    assert [copy.read_bytes() for copy in backups_of(other, backups)] == [b"theirs"]
    assert len(backups_of(file, backups)) == 2


def test_what_does_not_change_is_not_backed_up(file, tmp_path):
    backups = tmp_path / "backups"
    replace_atomically(file, b"old", backups, now=NOON)
    assert backups_of(file, backups) == []


def test_another_files_backups_are_left_alone(file, tmp_path):
    backups = tmp_path / "backups"
    backups.mkdir()
    others = [backups / "ice.notes.toml", backups / "ice age.2026-11-20T120000.toml"]
    for other in others:
        other.write_bytes(b"mine")
    for number in range(4):
        replace_atomically(file, b"content %d" % number, backups, keep=2, now=NOON + timedelta(minutes=number))
    assert [Path(other).read_bytes() for other in others] == [b"mine", b"mine"]
    assert len(backups_of(file, backups)) == 2


def test_a_backup_that_cannot_be_made_does_not_stop_the_saving(file, tmp_path):
    in_the_way = tmp_path / "backups"
    in_the_way.write_bytes(b"a file, not a folder")
    replace_atomically(file, b"new", in_the_way)
    assert file.read_bytes() == b"new"


def test_links_in_a_circle_are_an_error_of_the_system(tmp_path):
    one, two = tmp_path / "one", tmp_path / "two"
    one.symlink_to(two)
    two.symlink_to(one)
    with pytest.raises(OSError, match=r"[Ss]ymbolic links"):
        replace_atomically(one, b"new")
