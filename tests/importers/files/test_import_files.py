"""Whole imports: all of it or nothing, never over existing files, and every mistake reported by file and record."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.importers import hostile
from tests.importers.hostile import goblin
from turnwright.encounter.prepared import Creature
from turnwright.importers.files.import_files import MAX_RECORDS, import_paths
from turnwright.importers.files.pending_import import PREFIX, StagingFolder
from turnwright.importers.results import ImportedRecord, ImportOutcome
from turnwright.storage.library.entries import Library, read_library_file


def written(folder: Path, data: object, name: str = "mine.json") -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(data if isinstance(data, str) else json.dumps(data), encoding="utf-8")
    return path


def imported(tmp_path: Path, data: object, name: str = "mine.json") -> ImportOutcome:
    return import_paths([written(tmp_path, data, name)], tmp_path / "library")


def tree(folder: Path) -> Mapping[str, bytes]:
    """Return every file below a folder, hidden ones too."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def records(outcome: ImportOutcome) -> list[Creature]:
    found = []
    for one in outcome.placed:
        record, findings = read_library_file(Path(one.path))
        assert not findings
        assert isinstance(record, Creature)
        found.append(record)
    return found


@pytest.fixture
def library(tmp_path: Path) -> Path:
    """Return a person's folder with something of their own in it."""
    folder = tmp_path / "library"
    for name in ("goblin.toml", "mine/goblin.toml"):
        written(folder, 'name = "mine"', name)
    return folder


# What comes in -------------------------------------------------------------------------------------------------------


def test_what_was_read_stands_in_a_new_folder_and_says_where(tmp_path: Path) -> None:
    outcome = imported(tmp_path, [goblin(), goblin("Boss")])
    assert Path(outcome.folder) == tmp_path / "library" / "mine"
    assert [(one.name, one.kind, one.system, Path(one.path).name, one.format) for one in outcome.placed] == [
        ("Goblin", "creature", "dnd5e", "goblin.toml", "improved_initiative"),
        ("Boss", "creature", "dnd5e", "boss.toml", "improved_initiative"),
    ]
    assert outcome.placed[0].file == str(tmp_path / "mine.json")
    assert [one.name for one in Library(tmp_path / "library").entries()] == ["Boss", "Goblin"]
    assert not outcome.unread


def test_nothing_that_is_there_is_written_over(tmp_path: Path, library: Path) -> None:
    before = tree(library)
    path = written(tmp_path, [goblin()])
    folders = [Path(import_paths([path], library).folder).name for _ in range(3)]
    assert folders == ["mine-2", "mine-3", "mine-4"]
    assert {name: data for name, data in tree(library).items() if name in before} == before
    assert not list(library.glob(".*"))


@pytest.mark.parametrize(
    "name",
    [
        "../../etc/x",
        "..\\..\\x",
        "CON",
        "con.toml",
        "a/b",
        "x" * 300,
        "\N{RIGHT-TO-LEFT OVERRIDE}lmot.nilbog",
        "-rf",
        ".hidden",
        "~",
        "C:\\x",
        "\N{DRAGON}",
        "a\x00b",
        "a\x1b[31mb",
        "name\nwith lines",
    ],
)
def test_no_name_leads_anywhere_but_into_the_folder(tmp_path: Path, name: str) -> None:
    outcome = imported(tmp_path, [goblin(name), goblin(name), goblin("CON")])
    folder = Path(outcome.folder)
    assert len(outcome.placed) == 3
    for one in outcome.placed:
        path = Path(one.path)
        assert path.parent == folder
        assert path.suffix == ".toml"
        assert path.stem.replace("-", "").isalnum()
        assert path.stem not in ("con", "nul")
        assert len(path.name) < 90
    assert len({Path(one.path).name.casefold() for one in outcome.placed}) == 3
    assert {record.name for record in records(outcome)} == {" ".join(name.split())[:200], "CON"}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["library", "mine.json"]


def test_an_id_in_a_file_of_our_own_leads_nowhere_else(tmp_path: Path) -> None:
    own = 'format = 3\nkind = "creature"\nsystem = "a5e"\nid = "../../../evil"\nname = "Evil"\n'
    outcome = imported(tmp_path, own, "own.toml")
    assert [Path(one.path).relative_to(outcome.folder).as_posix() for one in outcome.placed] == ["evil.toml"]


@pytest.mark.parametrize("source", ["../..", "CON", "a" * 240, "\N{DRAGON}", "a b"])
def test_the_folder_is_named_safely_too(tmp_path: Path, source: str) -> None:
    path = tmp_path / "in" / ("x" if source == "../.." else source)
    path.mkdir(parents=True)
    written(path, [goblin()])
    given = path / ".." / ".." / "in" if source == "../.." else path
    folder = Path(import_paths([given], tmp_path / "library").folder)
    assert folder.parent == tmp_path / "library"
    assert folder.name.replace("-", "").isalnum()
    assert folder.name not in ("con", "..")


EVIL = "<script>alert(1)</script><b onclick='x()'>Bite</b> <img src=x onerror=y> {{7*7}} ${x} `rm` {% x %} \x1b[31m"


def test_markup_ends_as_plain_text(tmp_path: Path) -> None:
    block = goblin(Description=EVIL, Traits=[{"Name": EVIL, "Content": EVIL}], Source=EVIL)
    (record,) = records(imported(tmp_path, [block]))
    for text in (record.description, record.features[0].text):
        assert "<script" not in text
        assert "<b" not in text
        assert "<img" not in text
        assert "Bite" in text
        assert "{{7*7}}" in text


def test_halves_of_letters_are_refused_and_the_others_read(tmp_path: Path) -> None:
    outcome = imported(tmp_path, '[{"Name": "\\ud800", "HP": {"Value": 1}}, ' + json.dumps(goblin()) + "]")
    assert [one.name for one in outcome.placed] == ["Goblin"] or not outcome.placed
    assert len(outcome.unread) == 1


def test_records_that_cannot_be_read_are_told_and_the_others_read(tmp_path: Path) -> None:
    odd: list[Any] = [goblin("A"), goblin("No points", HP={"Value": "many"}), 7, None, [], {}, goblin("B")]
    odd += [
        goblin("Too many", Actions=[{"Name": "Bite", "Content": "x"}] * 501),
        goblin("Infinite", HP={"Value": 1e400}),
    ]
    outcome = imported(tmp_path, odd)
    assert [one.name for one in outcome.placed] == ["A", "B"]
    assert {"No points", "Too many", "Infinite"} <= {one.record for one in outcome.unread}
    assert all(one.file == str(tmp_path / "mine.json") and one.why for one in outcome.unread)


def test_what_of_a_file_itself_is_not_kept_is_told(tmp_path: Path) -> None:
    outcome = imported(tmp_path, '[{"Name": "X", "Name": "Y", "HP": {"Value": 3}, "AC": {"Value": 12}}]')
    assert [one.name for one in outcome.placed] == ["Y"]
    assert ("mine.json", "Name") in {(each.record, each.field) for each in outcome.reports}


# What is no collection -----------------------------------------------------------------------------------------------


def test_a_folder_may_hold_other_things(tmp_path: Path) -> None:
    box = tmp_path / "box"
    written(box, [goblin()])
    written(box, "MIT License\n\nCopyright (c): all of it\n: x", "LICENSE")
    written(box, "# Notes: these\n\n- a: b: c", "README.md")
    written(box, {"version": 2}, "package.json")
    (box / "token.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + os.urandom(50))
    written(box, '[{"Name": "cut of', "broken.json")
    outcome = import_paths([box], tmp_path / "library")
    assert [one.name for one in outcome.placed] == ["Goblin"]
    assert sorted(Path(each).name for each in outcome.skipped) == ["LICENSE", "README.md", "package.json", "token.png"]
    assert [(Path(each.file).name, each.record) for each in outcome.unread] == [("broken.json", "")]


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("x.json", b'{"version": 2}', "not a supported format"),
        ("x.txt", b"MIT: License: x", "no stat block found"),
        ("x.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "a picture"),
        ("x.bin", b"\0\1\2\3\4", "not a text file"),
        ("x.json", b"", "empty file"),
    ],
)
def test_a_file_that_somebody_named_is_told_whatever_it_is(tmp_path: Path, name: str, data: bytes, words: str) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    outcome = import_paths([path], tmp_path / "library")
    assert [one.file for one in outcome.unread] == [str(path)]
    assert words in outcome.unread[0].why
    assert outcome.folder == ""
    assert not (tmp_path / "library").exists()


def test_what_holds_nothing_leaves_the_library_as_it_was(tmp_path: Path, library: Path) -> None:
    before = tree(tmp_path)
    for paths in ([], [tmp_path / "gone"], [written(tmp_path / "in", "[" * 100_000)]):
        outcome = import_paths(paths, library)
        assert (outcome.folder, outcome.placed) == ("", ())
        assert {name: data for name, data in tree(tmp_path).items() if not name.startswith("in")} == before


def test_a_million_records_are_refused_before_any_is_read(tmp_path: Path) -> None:
    outcome = imported(tmp_path, "[" + ",".join(['{"Name":"G","HP":{"Value":5}}'] * 600_000) + "]")
    assert "more than 1,000,000 lists and tables" in outcome.unread[0].why
    outcome = imported(tmp_path, "[" + ",".join(['{"Name":"G","HP":{"Value":5}}'] * 20_001) + "]")
    assert outcome.unread[0].why.startswith("a list of 20,001 items")
    assert not (tmp_path / "library").exists()


def test_no_more_records_than_a_library_can_show_come_in_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert MAX_RECORDS >= 20_000
    monkeypatch.setattr("turnwright.importers.files.import_files.MAX_RECORDS", 3)
    outcome = imported(tmp_path, [goblin(f"G{n}") for n in range(9)])
    assert len(outcome.placed) == 3
    assert "not imported: at most 3 records" in outcome.unread[0].why


def test_no_more_files_are_read_at_once_than_anyone_has(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("turnwright.importers.files.import_files.MAX_FILES", 2)
    for number in range(5):
        written(tmp_path / "in", [goblin(f"G{number}")], f"{number}.json")
    outcome = import_paths([tmp_path / "in"], tmp_path / "library")
    assert len(outcome.placed) == 2
    assert [each.why for each in outcome.unread] == ["not imported: at most 2 files are read at once"]


def test_a_file_that_is_named_twice_is_read_once(tmp_path: Path) -> None:
    path = written(tmp_path / "in", [goblin()])
    assert len(import_paths([path, tmp_path / "in", path], tmp_path / "library").placed) == 1


# All of it or nothing ------------------------------------------------------------------------------------------------


def test_whoever_cancels_leaves_the_library_as_it_was(tmp_path: Path, library: Path) -> None:
    before = tree(library)
    path = written(tmp_path, [goblin(f"G{n}") for n in range(20)])

    def progress(done: int, _what: str) -> None:
        if done == 7:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        import_paths([path], library, progress=progress)
    assert tree(library) == before
    assert not list(library.glob(".*"))


def test_progress_names_files_and_then_counts_records(tmp_path: Path) -> None:
    path = written(tmp_path, [goblin("A"), goblin("B")])
    told: list[tuple[int, str]] = []
    import_paths([path], tmp_path / "library", progress=lambda done, what: told.append((done, what)))
    assert told == [(0, "mine.json"), (1, "A"), (2, "B")]


def test_a_full_disk_leaves_the_library_as_it_was(
    tmp_path: Path, library: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = tree(library)
    path = written(tmp_path, [goblin(f"G{n}") for n in range(20)])
    put = StagingFolder.add

    def full(stage: StagingFolder, found: ImportedRecord) -> tuple[str, str, str]:
        if found.name == "G9":
            raise OSError(28, "No space left on device")
        return put(stage, found)

    monkeypatch.setattr(StagingFolder, "add", full)
    with pytest.raises(OSError, match="No space left"):
        import_paths([path], library)
    assert tree(library) == before
    assert not list(library.glob(".*"))


KILLED = """
import os, signal, sys
from pathlib import Path
from turnwright.importers.files.import_files import import_paths
def progress(done, what):
    if done == 7:
        os.kill(os.getpid(), signal.SIGKILL)
import_paths([Path(sys.argv[1])], Path(sys.argv[2]), progress=progress)
"""


@pytest.mark.skipif(os.name == "nt", reason="no such signal there")
def test_a_killed_import_leaves_nothing_in_sight_and_the_next_clears_it_away(tmp_path: Path, library: Path) -> None:
    path = written(tmp_path, [goblin(f"G{n}") for n in range(20)])
    end = subprocess.run([sys.executable, "-c", KILLED, str(path), str(library)], env=_environment(), check=False)
    assert end.returncode == -signal.SIGKILL
    (left,) = library.glob(f"{PREFIX}*")
    assert len(list(left.iterdir())) == 7
    assert not any(left.name in finding.file for finding in Library(library).findings())
    outcome = import_paths([path], library)
    assert len(outcome.placed) == 20
    assert not list(library.glob(".*"))


def test_two_imports_at_once_do_not_meet(tmp_path: Path) -> None:
    path = written(tmp_path, [goblin(f"G{n}") for n in range(30)])
    with ThreadPoolExecutor(6) as threads:
        outcomes = list(threads.map(lambda _: import_paths([path], tmp_path / "library"), range(6)))
    assert {Path(outcome.folder).name for outcome in outcomes} == {"mine", *(f"mine-{n}" for n in range(2, 7))}
    for outcome in outcomes:
        assert sorted(one.name for one in records(outcome)) == sorted(f"G{n}" for n in range(30))
    assert not list((tmp_path / "library").glob(".*"))


def test_a_library_that_cannot_be_written_says_so(tmp_path: Path) -> None:
    path = written(tmp_path, [goblin()])
    (tmp_path / "library").write_text("in the way", encoding="utf-8")
    with pytest.raises(OSError, match="exists"):
        import_paths([path], tmp_path / "library")


def test_truncated_anywhere_a_file_ends_in_words_or_in_sound_records(tmp_path: Path, real_data: Path) -> None:
    """The first file of each collection, cut at odd places."""
    firsts = {path.parent.parent.name + path.parent.name: path for path in sorted(real_data.rglob("*.*"))[::-1]}
    for source in firsts.values():
        data = source.read_bytes()[:40_000]
        for part in (0.13, 0.5, 0.97):
            cut = tmp_path / f"cut{source.suffix}"
            cut.write_bytes(data[: int(len(data) * part)])
            outcome = import_paths([cut], tmp_path / "library")
            assert outcome.unread or records_of_any_kind(outcome), source


def records_of_any_kind(outcome: ImportOutcome) -> bool:
    return all(read_library_file(Path(one.path))[0] is not None for one in outcome.placed if one.kind == "creature")


@pytest.mark.parametrize(("name", "text"), [pytest.param(*one, id=one[0]) for one in hostile.files(0.1)])
def test_a_hostile_file_is_refused_in_words_or_gives_sound_records(tmp_path: Path, name: str, text: str) -> None:
    outcome = import_paths([written(tmp_path, text, name)], tmp_path / "library")
    assert outcome.unread or records_of_any_kind(outcome)


def _environment() -> Mapping[str, str]:
    return {**os.environ, "PYTHONPATH": os.pathsep.join(each for each in sys.path if each)}
