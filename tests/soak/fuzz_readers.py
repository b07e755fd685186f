"""Every reader of files, with what must hold whatever a file has in it.

It is refused in words, or opens; and what opens can be saved and opens again as the same. No exception, nothing long.
"""

from __future__ import annotations

import shutil
import zipfile
from collections.abc import Callable, Mapping
from functools import cache
from io import BytesIO
from pathlib import Path
from random import Random
from types import MappingProxyType
from typing import Final

from tests.soak import fuzz_samples
from tests.soak.fuzz_mutations import damaged, damaged_bytes
from turnwright.bootstrap import RuleSystems
from turnwright.encounter.prepared import Map, Scene
from turnwright.encounter.state import Encounter
from turnwright.importers.documents import parse_document
from turnwright.importers.files.import_files import import_paths
from turnwright.importers.files.import_manifest import MANIFEST, past_imports, read_manifest
from turnwright.importers.pasted_text.format import read_text
from turnwright.importers.universal_vtt import MAP_PARTS, merged_map, read_map, write_map
from turnwright.storage.backup import RestoreError, back_up_library, restore_library
from turnwright.storage.encounters import EncounterFile, parse_encounter, read_encounter
from turnwright.storage.fights import UnreadableError, fight_text, parse_fight
from turnwright.storage.library.entries import Library, library_text, read_library_file
from turnwright.storage.library.search import Favourites
from turnwright.workspace.document import open_document
from turnwright.workspace.files import OpenError, find_leftovers
from turnwright.workspace.log_format import encode_log, read_log, saved_length
from turnwright.workspace.quick_add import QuickAddError, read_quick_add
from turnwright.workspace.settings import Settings, read_settings, write_settings

Case = dict[str, bytes]
Sampler = Callable[[Random], Case]
Reader = Callable[[Case, Path], bool]


@cache
def systems() -> RuleSystems:
    """Return the games."""
    return RuleSystems()


def refused(words: object) -> bool:
    """Return that a file did not open, which has to be told in words."""
    assert words, "refused without words"
    return False


def laid_out(case: Case, folder: Path) -> list[Path]:
    """Write the files of a case into an empty folder."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    paths = [folder / name for name in case]
    for path, data in zip(paths, case.values(), strict=True):
        path.write_bytes(data)
    return paths


# ---- this program's own files ----


def encounter_case(random: Random) -> Case:
    return {"e.toml": damaged(random.choice(list(_encounters())), random)}


@cache
def _encounters() -> tuple[bytes, ...]:
    return tuple(fuzz_samples.encounters())


def reads_encounter(case: Case, folder: Path) -> bool:
    """Open a document, as the window does, and save it as another."""
    (path,) = laid_out(case, folder)
    try:
        document = open_document(path, systems(), folder / "state", locked=False)
    except OpenError as error:
        return refused(error.findings)
    assert document.session is not None
    copy = folder / "copy.toml"
    document.save_as(copy)
    again = read_encounter(copy, systems().ids)
    assert again.encounter is not None, again.findings
    prepared = parse_encounter(case["e.toml"], path, systems().ids).encounter
    assert prepared is not None
    assert list(again.encounter) == list(prepared)
    assert EncounterFile(again.text).render(again.encounter) == again.text
    return True


def fight_case(random: Random) -> Case:
    encounter, fight = random.choice(_fights())
    if random.random() < 0.8:
        return {"e.toml": encounter, "e.fight.toml": damaged(fight, random)}
    return {"e.toml": damaged(encounter, random), "e.fight.toml": fight}


@cache
def _fights() -> tuple[tuple[bytes, bytes], ...]:
    return tuple(fuzz_samples.fights())


def reads_fight(case: Case, folder: Path) -> bool:
    """Open a document with a fight, and write the fight anew."""
    path, beside = laid_out(case, folder)
    prepared = parse_encounter(case["e.toml"], path, systems().ids).encounter
    if prepared is None:
        return False
    fight = parse_fight(case["e.fight.toml"], beside, prepared)
    document = open_document(path, systems(), folder / "state", locked=False)
    if fight.records is None:
        return refused(fight.findings)
    assert len([*document.session.journal()]) <= len(fight.journal)
    whole = Encounter((*prepared, *fight.records))
    text = fight_text(whole, fight.journal, fight.prepared_digest)
    again = parse_fight(text.encode(), beside, prepared)
    assert again.records is not None, again.findings
    assert set(map(repr, again.records)) == set(map(repr, fight.records))
    return True


def library_case(random: Random) -> Case:
    return {"one.toml": damaged(random.choice(_library()).read_bytes(), random)}


@cache
def _library() -> tuple[Path, ...]:
    return tuple(fuzz_samples.library_files())


def reads_library_file(case: Case, folder: Path) -> bool:
    """List a library, load its file, and save the record."""
    (path,) = laid_out(case, folder / "library")
    library = Library(folder / "library", index=folder / "index")
    for _ in range(2):  # the second time by the index
        library.entries()
    library.findings()
    record, findings = read_library_file(path)
    if record is None:
        return refused(findings)
    made = folder / "made.toml"
    made.write_text(library_text(record, "a5e"), encoding="utf-8")
    again, findings = read_library_file(made)
    assert again == record, findings
    return True


def log_case(random: Random) -> Case:
    return {"a.log": damaged_bytes(random.choice(_logs()), random)}


@cache
def _logs() -> tuple[bytes, ...]:
    return tuple(fuzz_samples.logs())


def reads_log(case: Case, folder: Path) -> bool:
    """Read a recovery log, write it anew, and look for unsaved work as a start does."""
    data = case["a.log"]
    contents = read_log(data)
    laid_out(case, folder / "state" / "recovery")
    find_leftovers(folder / "state")
    if contents.snapshot is None:
        return False
    again = read_log(encode_log(contents.snapshot, contents.entries))
    assert (again.snapshot, again.entries) == (contents.snapshot, contents.entries)
    saved_length(encode_log(contents.snapshot, contents.entries))
    return True


def settings_case(random: Random) -> Case:
    text = b'theme = "dark"\nfont_scale = 150\nrecent = ["/a", "/b"]\ngeometry = "AAAA"\nlast_game = "a5e"\n[layouts]\nrun = "AAAA"\n[more]\nx = 1\n'
    return {"settings.toml": damaged(text, random)}


def reads_settings(case: Case, folder: Path) -> bool:
    laid_out(case, folder)
    settings = read_settings(folder)
    if write_settings(folder, settings):
        assert read_settings(folder) == settings
    return settings != Settings()


def favourites_case(random: Random) -> Case:
    return {
        "f.json": damaged(
            b'[["creature", "a5e", "owl", "owl.toml", "Book"], ["creature", "a5e", "fox", "fox.toml", ""]]', random
        )
    }


def reads_favourites(case: Case, folder: Path) -> bool:
    (path,) = laid_out(case, folder)
    return len(Favourites(path)) > 0


def manifest_case(random: Random) -> Case:
    text = b'{"format": 1, "imported": "2026-01-01T00:00:00Z", "sources": [{"source": "/a", "records": [["b.json", "creature", "Owl", 0, "owl.toml", "0123"]]}]}'
    return {MANIFEST: damaged(text, random)}


def reads_manifest(case: Case, folder: Path) -> bool:
    laid_out(case, folder / "library" / "x")
    past_imports(folder / "library")
    return read_manifest(folder / "library" / "x") is not None


def backup_case(random: Random) -> Case:
    held = BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.comment = b"Turnwright library"
        for name in ("owl.toml", "more/fox.toml", "handouts/own.typ"):
            archive.writestr(name, b'kind = "creature"\n' * 20)
    return {"backup.zip": damaged_bytes(held.getvalue(), random)}


def reads_backup(case: Case, folder: Path) -> bool:
    """Restore a library, then back it up and restore that; outside of the library nothing is written."""
    (path,) = laid_out(case, folder)
    library = folder / "data" / "library"
    try:
        restore_library(path, library)
    except RestoreError as error:
        return refused(str(error) and not library.exists())
    assert {one.name for one in folder.iterdir()} == {"backup.zip", "data"}
    back_up_library(library, folder / "again.zip")
    restore_library(folder / "again.zip", library)
    return True


# ---- other programs' files, and what is typed ----


@cache
def _foreign() -> Mapping[str, list[fuzz_samples.Files]]:
    return fuzz_samples.foreign()


def foreign_case(random: Random) -> Case:
    """Return files of some format, a part of them damaged."""
    samples = random.choice(list(_foreign().values()))
    files = {name: fuzz_samples.shortened(data, random) for name, data in random.choice(samples).items()}
    hit = random.choice(list(files))
    return {name: damaged(data, random) if name == hit else data for name, data in files.items()}


def imports(case: Case, folder: Path) -> bool:
    """Import files twice into a library, whose new files all open without a mistake."""
    paths = laid_out(case, folder / "from")
    shutil.rmtree(folder / "library", ignore_errors=True)
    out = import_paths(paths, folder / "library")
    for unread in out.unread:
        assert unread.why, "refused without words"
    for one in out.placed:
        path = Path(out.folder) / one.path
        if one.kind == "encounter":
            loaded = read_encounter(path, systems().ids)
            assert loaded.encounter is not None, loaded.findings
        else:
            record, findings = read_library_file(path)
            assert record is not None, findings
            assert not findings, findings
    again = import_paths(paths, folder / "library", again="update", backups=folder / "backups")
    assert {one.state for one in again.placed} <= {"same"}
    return bool(out.placed)


def map_case(random: Random) -> Case:
    return {"tomb.uvtt": damaged(random.choice(_maps()), random)}


@cache
def _maps() -> tuple[bytes, ...]:
    return tuple(fuzz_samples.maps())


def reads_map(case: Case, folder: Path) -> bool:
    """Read a map of another program, save it in an encounter, and write it as a file of that kind again."""
    (data,) = case.values()
    try:
        found = read_map(data)
    except UnreadableError as error:
        return refused(str(error))
    drawn = merged_map(None, found, MAP_PARTS, "tomb.png")
    file = EncounterFile("")
    text = file.render(Encounter((Scene(), drawn)))
    again = parse_encounter(text.encode(), folder / "e.toml", systems().ids)
    assert again.encounter is not None, again.findings
    assert again.encounter.get(Map, drawn.id) == drawn, again.findings
    written, _ = write_map(drawn, found.picture)
    read_map(written)
    return True


def pasted_case(random: Random) -> Case:
    samples = [next(iter(each.values())) for each in _foreign()["pasted text"]]
    return {"text": damaged_bytes(random.choice(samples), random)}


def reads_pasted_text(case: Case, folder: Path) -> bool:
    text = case["text"].decode("utf-8", "replace")
    readings = read_text(text)
    assert readings
    parse_document(case["text"], folder / "text")
    return any(one.creature is not None for one in readings)


def quick_add_case(random: Random) -> Case:
    return {
        "line": damaged_bytes(
            random.choice((b"3x bandit captain ac 12 hp 11 init +1 speed 30 level 2 foes", b"owl hp 3")), random
        )
    }


def reads_quick_add(case: Case, folder: Path) -> bool:
    try:
        return read_quick_add(case["line"].decode("utf-8", "replace"), lambda _name: None) is not None
    except QuickAddError as error:
        return refused(str(error))


READERS: Final[Mapping[str, tuple[int, Sampler, Reader]]] = MappingProxyType(
    {  # the first number is the share of all cases
        "encounters": (10, encounter_case, reads_encounter),
        "fights": (6, fight_case, reads_fight),
        "library files": (12, library_case, reads_library_file),
        "recovery logs": (4, log_case, reads_log),
        "settings": (4, settings_case, reads_settings),
        "favourites": (2, favourites_case, reads_favourites),
        "lists of imports": (2, manifest_case, reads_manifest),
        "backups": (4, backup_case, reads_backup),
        "imports": (40, foreign_case, imports),
        "maps": (6, map_case, reads_map),
        "pasted text": (10, pasted_case, reads_pasted_text),
        "quick add": (4, quick_add_case, reads_quick_add),
    }
)
