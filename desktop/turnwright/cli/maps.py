"""`turnwright map`: the map of an encounter from a file of another program, from a plain picture, and as a file."""

from __future__ import annotations

import json
import sys
from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from turnwright.cli.import_files import one_line
from turnwright.encounter.lookups import scene_of
from turnwright.encounter.prepared import Map
from turnwright.play.setup.commands.add import Add
from turnwright.play.setup.commands.edit import Edit
from turnwright.storage.atomic import replace_atomically
from turnwright.storage.conversion_report import UnreadableError
from turnwright.storage.importers.universal_vtt import (
    MapCounts,
    MapPart,
    merged_map,
    read_map,
    write_map,
)
from turnwright.storage.map_pictures import fitted_map, place_picture
from turnwright.storage.picture_format import picture_ending, picture_size
from turnwright.workspace.document import Document, open_document
from turnwright.workspace.files import FileChangedError, OpenError
from turnwright.workspace.folders import folders
from turnwright.workspace.open_state import DocumentInUseError

if TYPE_CHECKING:
    from turnwright.bootstrap import RuleSystems

FAILURES = (OSError, UnreadableError, OpenError, FileChangedError, DocumentInUseError)
_COUNTED = {
    "exact": "wall segments along the grid",
    "free": "wall segments off the grid",
    "doors": "doors",
    "objects": "objects",
    "lights": "lights",
    "walls_outside": "wall segments outside the picture, left out",
    "doors_outside": "doors outside the picture, left out",
    "lights_outside": "lights outside the picture, left out",
    "empty": "parts without a length, left out",
}


def import_map(
    file: Path,
    into: Path,
    parts: Collection[MapPart],
    systems: RuleSystems,
    *,
    dark: bool = False,
    as_json: bool = False,
) -> int:
    """Put the parts of a Universal VTT map into an encounter's file; 1 where either can't be read or written."""
    try:
        found = read_map(file.read_bytes())
        document = open_document(into, systems, folders().state, locked=False)
        name = place_picture(into, found.picture) if "picture" in parts and found.picture else ""
        _put(document, merged_map(document.encounter.get(Map, Map.table), found, parts, name))
        if dark and found.counts.lights:
            document.do(Edit(msgspec.structs.replace(scene_of(document.encounter), light="dark")))
        document.save()
    except FAILURES as error:
        return _failed("import", error)
    if as_json:
        print(json.dumps({"counts": msgspec.structs.asdict(found.counts), "picture": name, "parts": sorted(parts)}))
    else:
        print("\n".join([*_count_lines(found.counts), *([f"picture: {name}"] if name else []), str(into)]))
    return 0


def place_map_picture(
    file: Path, into: Path, systems: RuleSystems, *, squares: float, pixels: float, offset: tuple[float, float]
) -> int:
    """Put a plain picture under the grid of an encounter's map, fitted to it; 1 where either can't be read or written."""
    try:
        data = file.read_bytes()
        if not picture_ending(data):
            raise UnreadableError(f"{file}: is no PNG, JPEG or WebP picture")
        document = open_document(into, systems, folders().state, locked=False)
        old, size = document.encounter.get(Map, Map.table), picture_size(data)
        fitted_map(old, size, pixels or size[0] / squares, offset)
        name = place_picture(into, data)
        battle_map = fitted_map(old, size, pixels or size[0] / squares, offset, name)
        _put(document, battle_map)
        document.save()
    except FAILURES as error:
        return _failed("picture", error)
    print(f"{battle_map.columns} columns, {battle_map.rows} rows\npicture: {name}\n{into}")
    return 0


def export_map(file: Path, out: Path, systems: RuleSystems) -> int:
    """Write an encounter's map with its picture as a Universal VTT file; 1 where there is none or it can't be written."""
    try:
        document = open_document(file, systems, folders().state, locked=False)
        battle_map = document.encounter.get(Map, Map.table)
        if battle_map is None or not battle_map.columns or not battle_map.rows:
            raise UnreadableError(f"{file}: has no map")
        picture = (file.parent / battle_map.picture.file).read_bytes() if battle_map.picture is not None else b""
        data, left_out = write_map(battle_map, picture)
        replace_atomically(out, data)
    except FAILURES as error:
        return _failed("export", error)
    print("\n".join([*(f"left out: {each}" for each in left_out), str(out)]))
    return 0


def _put(document: Document, battle_map: Map) -> None:
    """Replace the document's map, or add it."""
    known = document.encounter.get(Map, Map.table) is not None
    document.do(Edit(battle_map) if known else Add((battle_map,)))


def _count_lines(counts: MapCounts) -> list[str]:
    return [f"{number} {_COUNTED[name]}" for name, number in msgspec.structs.asdict(counts).items() if number]


def _failed(verb: str, error: Exception) -> int:
    named = f"{error.filename}: {error.strerror}" if isinstance(error, OSError) and error.filename else str(error)
    print(one_line(f"turnwright map {verb}: {named}"), file=sys.stderr)
    return 1
