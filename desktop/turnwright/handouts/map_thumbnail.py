"""A small map for the game master's sheets: shapes, possible square sizes, and a key."""

from __future__ import annotations

from typing import Any, Final

from turnwright.encounter.prepared import Map
from turnwright.handouts.environment_data import one_line
from turnwright.handouts.map_shapes import PrintedMap
from turnwright.handouts.page_input import PageInput
from turnwright.handouts.print_document import Picture

MAX_WIDTH: Final = 103.0  # millimetres
MAX_HEIGHT: Final = 78.0
SQUARES: Final = (3.95, 3.3, 2.9)  # sizes of a square to try, in millimetres
SMALLEST: Final = 2.2


def map_thumbnail(source: PageInput) -> tuple[dict[str, Any] | None, tuple[Picture, ...]]:
    """Return an encounter's map with its key, and its images. The map is None if it would be too small to read."""
    field = source.encounter.get(Map, Map.table)
    if field is None or field.columns <= 0 or field.rows <= 0:
        return None, ()
    fit = min(MAX_WIDTH / field.columns, MAX_HEIGHT / field.rows)
    units = [unit for unit in SQUARES if unit <= fit] or ([fit] if fit >= SMALLEST else [])
    if not units:
        return None, ()
    ground = PrintedMap(field, source)
    obstacles = dict.fromkeys(
        (obstacle.mark, obstacle.name, obstacle.statistics) for obstacle in ground.obstacles if obstacle.name
    )
    data = {
        "columns": ground.columns,
        "rows": ground.rows,
        "units": [round(unit, 2) for unit in units],
        "part": ground.whole,
        "things": [{"mark": mark, "name": one_line(name), "figures": figures} for mark, name, figures in obstacles],
        "regions": [{"mark": area.mark, "name": one_line(area.name), "secret": area.secret} for area in ground.areas],
    }
    return data, ground.pictures
