"""The names of the icons in the Material Design font of the qtawesome package, which is located without importing it."""

import importlib.util
import json
from pathlib import Path


def icon_folder() -> Path | None:
    """Return the folder of icon fonts in the qtawesome package, or None if the package is missing."""
    spec = importlib.util.find_spec("qtawesome")
    if spec is None or not spec.submodule_search_locations:
        return None
    return Path(spec.submodule_search_locations[0]) / "fonts"


def package_table() -> dict[str, str]:
    """Return the package's whole table of icon names and characters.

    It has about 7000 entries and takes 10 ms to read.
    """
    folder = icon_folder()
    files = sorted(folder.glob("materialdesignicons6-webfont-charmap-*.json")) if folder else []
    if not files:
        return {}
    table = json.loads(files[-1].read_text(encoding="utf-8"))
    return {name: chr(int(code, 16)) for name, code in table.items()}
