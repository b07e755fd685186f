"""What a file in none of the known formats looks like, and what a person can do with it instead."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Final

from turnwright.storage.importers.common import as_list, as_mapping, as_text

_PASTE: Final = "copy the text of a stat block there and use Paste a creature"
_FROM_FOUNDRY: Final = "in Foundry VTT, export the actors themselves as JSON (Export Data in an actor's menu)"
_BEYOND: Final = f"is of D&D Beyond, whose files are not read; open the creature's page, {_PASTE}"
_GROUNDS: Final = f"is of Fantasy Grounds, whose files are not read; {_PASTE}"
_BINARY: Final = (
    (b"%PDF", f"is a PDF; {_PASTE}"),
    (b"\x89PNG", "is a picture"),
    (b"\xff\xd8\xff", "is a picture"),
    (b"GIF8", "is a picture"),
    (b"RIFF", "is a picture or a sound"),
    (b"SQLite format 3", "is a database of SQLite; export its creatures as JSON with the program it comes from"),
    (b"\x1f\x8b", "is packed with gzip; unpack it and import the file in it"),
    (b"7z\xbc\xaf", "is an archive; unpack it and import the folder"),
    (b"Rar!", "is an archive; unpack it and import the folder"),
    (b"\xd0\xcf\x11\xe0", f"is a document of an office program; {_PASTE}"),
)
_ZIP: Final = (
    ((b"[Content_Types].xml", b"word/", b"mimetype", b"META-INF/"), f"is a document of an office program; {_PASTE}"),
    ((b"definition.xml", b"db.xml", b"client.xml"), _GROUNDS),
    ((b"compendium.xml",), "is an archive of EncounterPlus; unpack it and import the file compendium.xml in it"),
    ((b"module.xml", b"campaign.xml"), f"is an archive of EncounterPlus without a compendium; {_PASTE}"),
)
_START: Final = 600  # letters at a text's start that tell what it is
_NAMES: Final = 6


def describe_folder(names: Collection[str]) -> str:
    """Return what the files of a folder are together, and the way out; empty for ordinary files."""
    if "CURRENT" in names and any(name.startswith("MANIFEST-") for name in names):
        return f"is a compendium in the database of Foundry VTT; {_FROM_FOUNDRY}"
    return ""


def describe_bytes(head: bytes) -> str:
    """Return what a file is whose first bytes are no text that is read, and the way out; empty for any other."""
    if head.startswith(b"PK\x03\x04"):
        found = (words for names, words in _ZIP if any(name in head for name in names))
        return next(found, "is a zip archive; unpack it and import the folder")
    return next((words for start, words in _BINARY if head.startswith(start)), "")


def describe_text(text: str) -> str:
    """Return what a text is that can't be read as data, and the way out; empty for any other."""
    start = text[:_START].lstrip().lower()
    if start.startswith(("<!doctype html", "<html")):
        return f"is a web page; open it, {_PASTE}"
    if start.startswith("{\\rtf"):
        return f"is a document of an office program; {_PASTE}"
    if start.startswith("manifest-0"):
        return f"belongs to a database of Foundry VTT; {_FROM_FOUNDRY}"
    return ""


def describe_data(kind: str, data: Any) -> str:
    """Return what the data of a document of a kind look like, which no format claims, and the way out."""
    if kind == "xml":
        return _described_xml(as_mapping(data))
    if kind == "markdown":
        return "holds no stat block that was recognised; one begins with a name and states Armor Class and Hit Points"
    first = as_mapping((as_list(data) or [data])[0])
    known = _described_record(first) if kind == "json" else ""
    if known or not first:
        return known or "is in none of the formats that are known"
    names = ", ".join(as_text(name)[:40] for name in list(first)[:_NAMES])
    more = "…" if len(first) > _NAMES else ""
    return f"is in none of the formats that are known; it holds {names}{more}"


def _described_xml(data: Mapping[str, Any]) -> str:
    root = as_text(data.get("root"))
    if root == "root":
        return _GROUNDS
    if root in ("module", "campaign"):
        return f"is a file of EncounterPlus without a compendium; {_PASTE}"
    if root.rpartition("}")[2].lower() in ("html", "svg"):
        return f"is a web page; open it, {_PASTE}" if "html" in root.lower() else "is a picture"
    return f"is XML in none of the formats that are known; its first element is {root[:40]}"


def _described_record(record: Mapping[str, Any]) -> str:
    data = record.get("data")
    inner = as_mapping(as_list(data)[0] if isinstance(data, list) and data else data)
    if "challengeRatingId" in record or "challengeRatingId" in inner or {"stats", "classes", "race"} <= inner.keys():
        return _BEYOND
    if {"stats", "bonusStats", "overrideStats"} <= record.keys():
        return _BEYOND
    if "pixels_per_grid" in as_mapping(record.get("resolution")) or "line_of_sight" in record:
        return "is a map of Universal VTT, without creatures; open an encounter and use Import a map, in the menu Map"
    if "build" in record and "class" in as_mapping(record["build"]):
        return "is a character of Pathbuilder 2e, which is not read; enter it in the party by hand"
    return _described_foundry(record)


def _described_foundry(record: Mapping[str, Any]) -> str:
    if "packs" in record and ("compatibility" in record or "minimumCoreVersion" in record):
        return f"describes a module of Foundry VTT and holds no creatures; {_FROM_FOUNDRY}"
    if "_stats" not in record and "flags" not in record:
        return ""
    shapes = (("walls", "a scene"), ("pages", "a journal entry"), ("results", "a table"), ("cards", "a stack of cards"))
    kind = next((words for key, words in shapes if key in record), "")
    if not kind and "system" in record and "type" in record and "items" not in record:
        kind = f"an item ({as_text(record['type'])[:40]})"
    return f"is {kind} of Foundry VTT, not an actor; {_FROM_FOUNDRY}" if kind else ""
