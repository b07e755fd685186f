"""Advice on files in unsupported formats, and the trait catalogue for existing creatures.

Describes files in unsupported formats, and what the user can do with them instead.

A file to which the trait catalogue is applied keeps its layout and comments, and its previous version is backed up. A
file unedited since its import still counts as unedited.
"""

import shutil
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any, Final

import msgspec

from turnwright.encounter.prepared import Creature
from turnwright.importers.common import as_list, as_mapping, as_text
from turnwright.importers.files.import_manifest import aside_folder, digest_of, read_manifest, write_manifest
from turnwright.importers.traits.understand import TraitReaders, Understood
from turnwright.importers.vocabulary import terms
from turnwright.storage.atomic import replace_atomically
from turnwright.storage.editor import edited_text
from turnwright.storage.findings import Finding
from turnwright.storage.library.entries import OWN_TRAITS, library_tree, read_library_file
from turnwright.storage.toml.source import read_toml

_PASTE: Final = "copy the text of the stat block and use Paste a creature"
_FROM_FOUNDRY: Final = "in Foundry VTT, export the actors as JSON (Export Data in an actor's menu)"
_BEYOND: Final = f"a D&D Beyond file, which can't be imported; open the creature's page, {_PASTE}"
_GROUNDS: Final = f"a Fantasy Grounds file, which can't be imported; {_PASTE}"
_TEXTS: Final[Mapping[str, str]] = terms("unknown_files", "first_words")
_GAMES: Final[Mapping[str, tuple[str, ...]]] = terms("unknown_files", "games")
_BY_HAND: Final = "add its creatures by hand with Quick add"
_START: Final = 600  # characters at the start of a text that identify it
_NAMES: Final = 6


def describe_folder(names: Collection[str]) -> str:
    """Describe a folder whose files belong together, and a way to import it, or return an empty string."""
    if "CURRENT" in names and any(name.startswith("MANIFEST-") for name in names):
        return f"a compendium database of Foundry VTT; {_FROM_FOUNDRY}"
    return ""


def describe_bytes(head: bytes) -> str:
    """Describe a binary file by its first bytes, and a way to import its content, or return an empty string."""
    text = head.decode("latin-1")
    if text.startswith("PK\x03\x04"):
        descriptions = (words for name, words in terms("unknown_files", "names_in_zip").items() if name in text)
        return next(descriptions, "a zip archive; unpack it and import the folder")
    return next((words for start, words in terms("unknown_files", "first_bytes").items() if text.startswith(start)), "")


def describe_text(text: str) -> str:
    """Describe a text that can't be parsed as data, and a way to import its content, or return an empty string."""
    start = text[:_START].lstrip().lower()
    return next((words for beginning, words in _TEXTS.items() if start.startswith(beginning)), "")


def describe_data(kind: str, data: Any) -> str:
    """Describe the data of an unrecognised document, and a way to import its content."""
    if kind == "xml":
        return _described_xml(as_mapping(data))
    if kind == "markdown":
        return "no stat block found; it needs a name, Armor Class and Hit Points"
    first = as_mapping((as_list(data) or [data])[0])
    inner = next((as_mapping(value[0]) for value in first.values() if isinstance(value, list) and value), {})
    keys = [{str(key).lower() for key in record} for record in (first, inner)]
    game = next((name for name, signs in _GAMES.items() if any(own.issuperset(signs) for own in keys)), "")
    if game:
        return f"a file for {game}, whose rules are not known here; {_BY_HAND}"
    description = _described_record(first) if kind == "json" else ""
    if description or not first:
        return description or "not a supported format"
    names = ", ".join(as_text(name)[:40] for name in list(first)[:_NAMES])
    more = "…" if len(first) > _NAMES else ""
    return f"not a supported format; its keys are {names}{more}"


def _described_xml(data: Mapping[str, Any]) -> str:
    root = as_text(data.get("root"))
    if root in ("root", "charsheet", "character"):
        return _GROUNDS
    if root in ("module", "campaign"):
        return f"an EncounterPlus file without a compendium; {_PASTE}"
    if root.rpartition("}")[2].lower() in ("html", "svg"):
        return f"a web page; open it, {_PASTE}" if "html" in root.lower() else "a picture"
    return f"not a supported XML format; its first element is {root[:40]}"


def _described_record(record: Mapping[str, Any]) -> str:
    data = record.get("data")
    inner = as_mapping(as_list(data)[0] if isinstance(data, list) and data else data)
    if "challengeRatingId" in record or "challengeRatingId" in inner or {"stats", "classes", "race"} <= inner.keys():
        return _BEYOND
    if {"stats", "bonusStats", "overrideStats"} <= record.keys():
        return _BEYOND
    if "pixels_per_grid" in as_mapping(record.get("resolution")) or "line_of_sight" in record:
        return "a Universal VTT map without creatures; open an encounter and use Map › Import a map"
    if "build" in record and "class" in as_mapping(record["build"]):
        return "a Pathbuilder 2e character without its level, six abilities or proficiencies"
    return _described_foundry(record)


def _described_foundry(record: Mapping[str, Any]) -> str:
    if "packs" in record and ("compatibility" in record or "minimumCoreVersion" in record):
        return f"the description of a Foundry VTT module, without creatures; {_FROM_FOUNDRY}"
    if "_stats" not in record and "flags" not in record:
        return ""
    shapes = (("walls", "a scene"), ("pages", "a journal entry"), ("results", "a table"), ("cards", "a stack of cards"))
    kind = next((words for key, words in shapes if key in record), "")
    if not kind and "system" in record and "type" in record and "items" not in record:
        kind = f"an item ({as_text(record['type'])[:40]})"
    return f"{kind} from Foundry VTT, not an actor; {_FROM_FOUNDRY}" if kind else ""


class UnderstoodFile(msgspec.Struct, frozen=True):
    """A creature file that the catalogue changes: the features that it can read further, and the new text."""

    path: Path
    creature: str
    features: tuple[Understood, ...]
    text: str


class UnderstoodFolder(msgspec.Struct, frozen=True):
    """The files of a folder that the catalogue changes, and the errors in the user's own catalogues."""

    files: tuple[UnderstoodFile, ...]
    findings: tuple[Finding, ...] = ()


def read_folder(folder: Path) -> UnderstoodFolder:
    """Return the changes that the trait catalogue would make in a folder, without writing anything."""
    around = [folder.absolute(), *list(folder.absolute().parents)[:3]]
    traits = TraitReaders(next((parent for parent in around if any(parent.glob(f"*{OWN_TRAITS}"))), folder))
    files = tuple(file for path in sorted(folder.rglob("*.toml")) if (file := _read(path, traits)) is not None)
    return UnderstoodFolder(files, tuple(traits.findings))


def write_folder(folder: Path, found: UnderstoodFolder, backups: Path) -> Path | None:
    """Write the changed files, and return the folder with their previous versions.

    Return None if nothing changes. Raise OSError.
    """
    if not found.files:
        return None
    aside = aside_folder(folder, backups)
    for file in found.files:
        copy = aside / file.path.relative_to(folder)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(file.path, copy)
    for file in found.files:
        replace_imported(file.path, file.text)
    return aside


def replace_imported(path: Path, text: str) -> None:
    """Replace a file's text. It still counts as unedited by the user. Raise OSError."""
    before = digest_of(path.read_bytes())
    replace_atomically(path, text.encode())
    _keep_unedited(path, before, digest_of(text.encode()))


def _read(path: Path, traits: TraitReaders) -> UnderstoodFile | None:
    record, _ = read_library_file(path)
    source = read_toml(path)
    if not isinstance(record, Creature) or source.tables is None:
        return None
    system = str(source.tables["system"])
    read, features = traits.of(system).creature(record)
    if read == record:
        return None
    text = edited_text(source.text, source.tables, library_tree(read, system))
    return UnderstoodFile(path, record.name, features, text)


def _keep_unedited(path: Path, before: str, after: str) -> None:
    """Update a file's digest in the manifest of its import if the file was unedited."""
    past = read_manifest(path.parent)
    if past is not None and any((entry.path, entry.digest) == (path.name, before) for entry in past.entries):
        own = {path.name: after}
        entries = [msgspec.structs.replace(one, digest=own.get(one.path, one.digest)) for one in past.entries]
        write_manifest(path.parent, entries, past.imported)
