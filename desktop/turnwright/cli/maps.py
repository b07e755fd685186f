"""`turnwright map`: imports an encounter's map from another program or from an image, and exports it."""

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
from turnwright.importers.universal_vtt import (
    MAP_PARTS,
    MapCounts,
    MapPart,
    merged_map,
    read_map,
    write_map,
)
from turnwright.play.setup.prepared_records import Add, Edit
from turnwright.storage.atomic import replace_atomically
from turnwright.storage.conversion_report import UnreadableError
from turnwright.storage.pictures.map_pictures import fitted_map, place_picture
from turnwright.storage.pictures.picture_format import picture_ending, picture_size
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
    "walls_outside": "wall segments outside the picture, skipped",
    "doors_outside": "doors outside the picture, skipped",
    "lights_outside": "lights outside the picture, skipped",
    "empty": "parts without a length, skipped",
}


def import_map(
    file: Path,
    into: Path,
    without: Collection[MapPart],
    systems: RuleSystems,
    *,
    dark: bool,
    as_json: bool,
) -> int:
    """Import parts of a Universal VTT map into an encounter. Return 1 if a file can't be read or written."""
    parts = [part for part in MAP_PARTS if part not in without]
    try:
        imported = read_map(file.read_bytes())
        document = open_document(into, systems, folders().state, locked=False)
        name = place_picture(into, imported.picture) if "picture" in parts and imported.picture else ""
        _put(document, merged_map(document.encounter.get(Map, Map.table), imported, parts, name))
        if dark and imported.counts.lights:
            document.do(Edit(msgspec.structs.replace(scene_of(document.encounter), light="dark")))
        document.save()
    except FAILURES as error:
        return _failed("import", error)
    if as_json:
        print(json.dumps({"counts": msgspec.structs.asdict(imported.counts), "picture": name, "parts": sorted(parts)}))
    else:
        print("\n".join([*_count_lines(imported.counts), *([f"picture: {name}"] if name else []), str(into)]))
    return 0


def place_map_picture(
    file: Path, into: Path, systems: RuleSystems, *, squares: float, pixels: float, offset: tuple[float, float]
) -> int:
    """Place an image under the grid of an encounter's map. Return 1 if a file can't be read or written."""
    try:
        data = file.read_bytes()
        if not picture_ending(data):
            raise UnreadableError(f"{file}: not a PNG, JPEG or WebP picture")
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


def export_map(file: Path, output: Path, systems: RuleSystems) -> int:
    """Export an encounter's map as a Universal VTT file. Return 1 if it has no map or the file can't be written."""
    try:
        document = open_document(file, systems, folders().state, locked=False)
        battle_map = document.encounter.get(Map, Map.table)
        if battle_map is None or not battle_map.columns or not battle_map.rows:
            raise UnreadableError(f"{file}: the encounter has no map")
        picture = (file.parent / battle_map.picture.file).read_bytes() if battle_map.picture is not None else b""
        data, left_out = write_map(battle_map, picture)
        replace_atomically(output, data)
    except FAILURES as error:
        return _failed("export", error)
    print("\n".join([*(f"not exported: {part}" for part in left_out), str(output)]))
    return 0


def _put(document: Document, battle_map: Map) -> None:
    """Add the map to a document, or replace its map."""
    has_map = document.encounter.get(Map, Map.table) is not None
    document.do(Edit(battle_map) if has_map else Add((battle_map,)))


def _count_lines(counts: MapCounts) -> list[str]:
    return [f"{number} {_COUNTED[name]}" for name, number in msgspec.structs.asdict(counts).items() if number]


def _failed(verb: str, error: Exception) -> int:
    reason = f"{error.filename}: {error.strerror}" if isinstance(error, OSError) and error.filename else str(error)
    print(one_line(f"turnwright map {verb}: {reason}"), file=sys.stderr)
    return 1
