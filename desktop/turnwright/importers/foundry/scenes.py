"""Reads scenes of Foundry VTT, of versions before and after 10, into the form of a Universal VTT map.

Foundry measures in pixels of a canvas that is larger than the picture: the padding around the picture is rounded up to
whole squares, and the picture may be shifted against the grid.
"""

from collections import defaultdict
from collections.abc import Mapping
from math import ceil
from typing import Any, Final

from turnwright.importers.common import as_list, as_mapping, lenient_number
from turnwright.storage.fights import UnreadableError

HEXAGONS: Final = range(2, 6)  # types of grids
SECRET: Final = 2  # type of doors
OPEN: Final = 1  # state of doors
BLOCKING: Final = frozenset({1, 2, 10, 20})  # restrictions of sight; the others let some creatures see through
KINDS: Final = {(True, True): "wall", (True, False): "window", (False, True): "curtain"}  # by movement and sight
NEAR: Final = 1 / 64  # in squares
UNUSABLE: Final = (None, None)  # no point, so that the line is counted and left out


def is_scene(raw: object) -> bool:
    """Whether a file is a scene."""
    return isinstance(raw, dict) and {"grid", "width", "height"} <= raw.keys() and "resolution" not in raw


def universal_form(scene: Mapping[str, Any]) -> dict[str, Any]:
    """Return a scene in the form of Universal VTT. Raise UnreadableError if its grid isn't made of squares.

    Points are in pixels. Windows and curtains are listed like walls, doors have a `kind` and lights a `bright` radius.
    """
    levels = [as_mapping(level).get("background") for level in as_list(scene.get("levels"))]  # from version 14
    picture = next((each for each in (scene.get("background"), *levels) if as_mapping(each)), None)
    grid = scene["grid"]
    if not isinstance(grid, dict):  # before version 10
        grid = {"size": grid, "type": scene.get("gridType"), "distance": scene.get("gridDistance")}
    if not isinstance(picture, dict):
        picture = {"src": scene.get("img"), "offsetX": scene.get("shiftX"), "offsetY": scene.get("shiftY")}
    if lenient_number(grid.get("type")) in HEXAGONS:
        raise UnreadableError("the scene has a hex grid, but maps here have squares; give it a square grid in Foundry")
    size, feet = max(1.0, lenient_number(grid.get("size"), 100)), lenient_number(grid.get("distance"), 0) or 5
    resolution: dict[str, Any] = {"map_size": [], "map_origin": [], "picture_at": [], "units_per_square": size}
    for side, shift in (("width", "offsetX"), ("height", "offsetY")):
        length = lenient_number(scene[side], 0)
        padding = ceil(lenient_number(scene.get("padding"), 0.25) * length / size)
        corner = padding - lenient_number(picture.get(shift), 0) / size
        origin = ceil(corner - NEAR)
        resolution["map_origin"].append(origin)
        resolution["map_size"].append(corner + length / size - origin)
        resolution["picture_at"].append(round(corner - origin, 4))
    lines, doors = defaultdict[str, list[Any]](list), []
    for wall in map(as_mapping, as_list(scene.get("walls"))):
        ends = as_list(wall.get("c"))
        hides = lenient_number(wall.get("sight", wall.get("sense")), 1) in BLOCKING
        kind = KINDS.get((lenient_number(wall.get("move"), 1) > 0, hides), "")
        if door := lenient_number(wall.get("door"), 0):
            kind = "secret" if door == SECRET else kind
            closed = lenient_number(wall.get("ds"), 0) != OPEN
            doors.append({"bounds": [ends[:2], ends[2:]], "closed": closed, "kind": kind})
        else:
            lines[kind].append([ends[:2], ends[2:]] if kind else UNUSABLE)
    return {
        "resolution": resolution,
        "image": picture.get("src"),
        "line_of_sight": lines["wall"] + lines[""],
        "window": lines["window"],
        "curtain": lines["curtain"],
        "portals": doors,
        "lights": [_light(as_mapping(light), feet) for light in as_list(scene.get("lights"))],
    }


def _light(light: Mapping[str, Any], feet: float) -> Mapping[str, Any]:
    """Return a light with its radii in squares. One that spreads darkness can't be used."""
    config = as_mapping(light.get("config")) or light
    bright, dim = (lenient_number(config.get(key), 0) / feet for key in ("bright", "dim"))
    if config.get("negative") is True or max(bright, dim) <= 0:
        return {}
    colour, is_out = config.get("color") or light.get("tintColor"), light.get("hidden") is True
    return {"position": light, "range": max(bright, dim), "bright": max(bright, 0), "color": colour, "lit": not is_out}
