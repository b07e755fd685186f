"""A library as one file and back: a .zip restores nothing that a library may not hold, and loses nothing."""

from __future__ import annotations

import stat
import zipfile
from datetime import UTC, datetime
from pathlib import Path

import pytest

from turnwright.storage.backup import RestoreError, back_up_library, restore_library

NOW = datetime(2026, 11, 5, 20, 15, tzinfo=UTC)


@pytest.fixture
def library(tmp_path: Path) -> Path:
    folder = tmp_path / "data" / "library"
    for name, text in {"goblin.toml": "a", "mine/deep/ogre.toml": "b", "mine/\N{DRAGON} x.toml": "c"}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def tree(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def zipped(path: Path, *names: str | zipfile.ZipInfo, data: bytes = b"x") -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in names:
            archive.writestr(name, data)
    return path


def test_what_was_backed_up_comes_back_in_the_place_of_what_is_there(tmp_path: Path, library: Path) -> None:
    before = tree(library)
    assert back_up_library(library, tmp_path / "out.zip") == 3
    (library / "goblin.toml").write_text("changed", encoding="utf-8")
    (library / "new.toml").write_text("new", encoding="utf-8")
    changed = tree(library)
    restored = restore_library(tmp_path / "out.zip", library, now=NOW)
    assert restored.files == 3
    assert tree(library) == before
    assert restored.previous_library == library.with_name("library.2026-11-05T201500")
    assert restored.previous_library is not None
    assert tree(restored.previous_library) == changed
    assert sorted(path.name for path in library.parent.iterdir()) == ["library", "library.2026-11-05T201500"]
    again = restore_library(tmp_path / "out.zip", library, now=NOW)
    assert again.previous_library == library.with_name("library.2026-11-05T201500-2")


def test_a_backup_comes_back_where_no_library_is(tmp_path: Path, library: Path) -> None:
    back_up_library(library, tmp_path / "out.zip")
    elsewhere = tmp_path / "new" / "library"
    assert restore_library(tmp_path / "out.zip", elsewhere).previous_library is None
    assert tree(elsewhere) == tree(library)
    assert stat.S_IMODE(elsewhere.stat().st_mode) == stat.S_IMODE(library.stat().st_mode)


def test_links_and_hidden_things_are_not_backed_up(tmp_path: Path, library: Path) -> None:
    (tmp_path / "secret").write_text("s", encoding="utf-8")
    (library / "link.toml").symlink_to(tmp_path / "secret")
    (library / "again").symlink_to(library, target_is_directory=True)
    (library / ".import-1-x").mkdir()
    (library / ".import-1-x" / "half.toml").write_text("h", encoding="utf-8")
    back_up_library(library, library / "out.zip")
    with zipfile.ZipFile(library / "out.zip") as archive:
        assert sorted(archive.namelist()) == ["goblin.toml", "mine/deep/ogre.toml", "mine/\N{DRAGON} x.toml"]


def test_an_empty_library_makes_an_empty_backup(tmp_path: Path) -> None:
    assert back_up_library(tmp_path / "none", tmp_path / "out.zip") == 0
    with pytest.raises(RestoreError, match="is empty"):
        restore_library(tmp_path / "out.zip", tmp_path / "library")
    assert not (tmp_path / "library").exists()


def test_whoever_cancels_leaves_everything_as_it_was(tmp_path: Path, library: Path) -> None:
    back_up_library(library, tmp_path / "out.zip")
    held, before = (tmp_path / "out.zip").read_bytes(), tree(library)

    def stop(done: int, _what: str) -> None:
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        back_up_library(library, tmp_path / "out.zip", stop)
    with pytest.raises(KeyboardInterrupt):
        restore_library(tmp_path / "out.zip", library, stop)
    assert (tmp_path / "out.zip").read_bytes() == held
    assert tree(library) == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["data", "out.zip"]
    assert [path.name for path in library.parent.iterdir()] == ["library"]


def test_a_library_that_cannot_be_swapped_stays(tmp_path: Path, library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    back_up_library(library, tmp_path / "out.zip")
    before = tree(library)
    rename = Path.rename

    def refuse(self: Path, target: Path) -> Path:
        if self.name.startswith(".restore-"):
            raise PermissionError(13, "Permission denied")
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", refuse)
    with pytest.raises(PermissionError):
        restore_library(tmp_path / "out.zip", library)
    assert tree(library) == before
    assert [path.name for path in library.parent.iterdir()] == ["library"]


def link(name: str) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name)
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    return info


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        ("../evil.toml", "points outside"),
        ("a/../../evil.toml", "points outside"),
        ("/etc/evil.toml", "not a valid name for a file"),
        ("a//b.toml", "not a valid name for a file"),
        ("C:/evil.toml", "points outside"),
        ("a\\..\\evil.toml", "points outside"),
        ("CON.toml", "points outside"),
        (".hidden/x.toml", "points outside"),
        ("x.toml.", "points outside"),
        ("x\n.toml", "points outside"),
        ("x" * 300, "not a valid name for a file"),
        ("a/" * 30 + "x.toml", "not a valid name for a file"),
        (link("link.toml"), "not a regular file"),
    ],
    ids=lambda each: str(getattr(each, "filename", each))[:14],
)
def test_names_that_lead_elsewhere_are_refused(
    tmp_path: Path, library: Path, entry: str | zipfile.ZipInfo, words: str
) -> None:
    before = tree(tmp_path)
    backup = zipped(tmp_path / "evil.zip", "good.toml", entry)
    with pytest.raises(RestoreError, match=words):
        restore_library(backup, library)
    backup.unlink()
    assert tree(tmp_path) == before


def test_an_entry_without_a_name_is_refused(tmp_path: Path, library: Path) -> None:
    backup = zipped(tmp_path / "evil.zip", "nameless.toml")
    backup.write_bytes(backup.read_bytes().replace(b"nameless", b"\0ameless"))  # Python cuts it there
    with pytest.raises(RestoreError, match="not a valid name for a file"):
        restore_library(backup, library)


def test_two_names_that_are_one_on_other_systems_are_refused(tmp_path: Path, library: Path) -> None:
    with pytest.raises(RestoreError, match="appears twice"):
        restore_library(zipped(tmp_path / "x.zip", "a.toml", "A.TOML"), library)


def test_bombs_are_refused(tmp_path: Path, library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = tree(library)
    large = zipped(tmp_path / "large.zip", "a.toml", data=b"0" * 9_000_000)
    assert large.stat().st_size < 20_000
    with pytest.raises(RestoreError, match="MB; the limit is"):
        restore_library(large, library)
    many = zipped(tmp_path / "many.zip", *(f"{n}.toml" for n in range(30)), data=b"0" * 1_000)
    monkeypatch.setattr("turnwright.storage.backup.MAX_TOTAL", 20_000)
    with pytest.raises(RestoreError, match="have more than"):
        restore_library(many, library)
    monkeypatch.setattr("turnwright.storage.backup.MAX_FILES", 20)
    with pytest.raises(RestoreError, match="has 30 files"):
        restore_library(many, library)
    monkeypatch.setattr("turnwright.storage.backup.MAX_LISTING", 100)
    with pytest.raises(RestoreError, match="lists too many files"):
        restore_library(many, library)
    monkeypatch.setattr("turnwright.storage.backup.MAX_ZIP", 100)
    with pytest.raises(RestoreError, match=r"many\.zip has .* MB; the limit is"):
        restore_library(many, library)
    assert tree(library) == before


def test_a_file_that_is_larger_than_it_says_is_refused(tmp_path: Path, library: Path) -> None:
    backup = zipped(tmp_path / "lies.zip", "a.toml", data=b"0" * 9_000_000)
    data = backup.read_bytes().replace((9_000_000).to_bytes(4, "little"), (90).to_bytes(4, "little"))
    backup.write_bytes(data)
    before = tree(library)
    with pytest.raises(RestoreError):
        restore_library(backup, library)
    assert tree(library) == before


def test_what_is_no_whole_zip_is_refused_in_words(tmp_path: Path, library: Path) -> None:
    before = tree(library)
    back_up_library(library, tmp_path / "out.zip")
    data = (tmp_path / "out.zip").read_bytes()
    for part in (b"", b"x" * 100, data[: len(data) // 2], data[40:]):
        (tmp_path / "cut.zip").write_bytes(part)
        with pytest.raises(RestoreError, match="zip"):
            restore_library(tmp_path / "cut.zip", library)
    with pytest.raises(RestoreError, match="is not a file"):
        restore_library(tmp_path, library)
    assert tree(library) == before
    assert [path.name for path in library.parent.iterdir()] == ["library"]
