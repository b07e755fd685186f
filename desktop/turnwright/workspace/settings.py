"""The program's settings, in one TOML file. An invalid value counts as not set."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any, Literal

import msgspec
import rtoml

from turnwright.encounter.prepared import DEFAULT_SYSTEM
from turnwright.storage.atomic import replace_atomically

MAX_RECENT = 12
_FILE = "settings.toml"


class Settings(msgspec.Struct, frozen=True, omit_defaults=True):
    """Settings with their default values.

    `geometry` is the window's, base64; `layouts` that of the docks by arrangement. `font_scale` is in percent; `big_type`: larger
    while running.
    `dice`: whether rolls are entered by people or made by the machine. `recent` are paths, the latest first.
    `paper`: the paper of handouts; empty for the usual paper of the person's country. `handouts`: the kinds of pages and
    the options chosen last; `handout_presets` such choices of a person's own, by name. `last_game` is that of the last
    encounter. `map_light`: whether the map is shaded where it is dim or dark. `players_screen` is the screen that players see, `players_health` how the health of each side is shown there,
    `players_diagonal` its diagonal in inches, `players_turn` the seconds of a turn, 0 for no limit. `forecast_party` and `forecast_foes`: how the sides fight in forecasts, as `turnwright forecast` takes it.
    """

    theme: Literal["system", "light", "dark"] = "system"
    arrangement: Literal["prepare", "run"] = "prepare"
    geometry: str = ""
    layouts: dict[str, str] = {}
    recent: tuple[str, ...] = ()
    dice: Literal["ask", "roll"] = "ask"
    reduced_motion: bool = False
    font_scale: int = 100
    big_type: bool = False
    paper: Literal["", "a4", "letter"] = ""
    handouts: dict[str, str] = {}
    handout_presets: dict[str, dict[str, str]] = {}
    last_game: str = DEFAULT_SYSTEM
    map_light: bool = True
    forecast_party: str = ""
    forecast_foes: str = ""
    players_screen: str = ""
    players_theme: Literal["dark", "light"] = "dark"
    players_title: bool = True
    players_countdowns: bool = True
    players_diagonal: float = 0.0
    players_turn: int = 0
    players_health: dict[str, Literal["words", "numbers", "nothing"]] = {}


def read_settings(folder: Path) -> Settings:
    """Read the settings; each that is missing or invalid has its default value. Never raises."""
    return _settings(_tables(folder / _FILE) or {})


def reread_settings(folder: Path, known: Settings) -> Settings:
    """Read the settings once more; those that are known where the file is gone or can't be read."""
    tables = _tables(folder / _FILE)
    return known if tables is None else _settings(tables)


def _settings(tables: dict[str, Any]) -> Settings:
    fields: dict[str, Any] = {}
    for field in msgspec.structs.fields(Settings):
        if field.encode_name in tables:
            with suppress(msgspec.ValidationError):
                fields[field.name] = msgspec.convert(tables[field.encode_name], field.type)
    settings = Settings(**fields)
    return msgspec.structs.replace(settings, font_scale=max(50, min(300, settings.font_scale)))


def write_settings(folder: Path, settings: Settings) -> bool:
    """Write the settings, keeping unknown keys; return whether that worked."""
    known = {field.encode_name for field in msgspec.structs.fields(Settings)}
    path = folder / _FILE
    kept = {key: value for key, value in (_tables(path) or {}).items() if key not in known}
    try:
        text = rtoml.dumps({**kept, **msgspec.to_builtins(settings)})
        folder.mkdir(parents=True, exist_ok=True)
        replace_atomically(path, text.encode("utf-8"))
    except (OSError, ValueError):
        return False
    return True


def with_changes(held: Settings, before: Settings, own: Settings) -> Settings:
    """Return the settings that a file holds with what was changed from `before` to `own`.

    Several windows have the same file: none takes back what another one has changed.
    """
    names = [field.name for field in msgspec.structs.fields(Settings)]
    changed = {name: getattr(own, name) for name in names if getattr(own, name) != getattr(before, name)}
    if "layouts" in changed:
        changed["layouts"] = {**held.layouts, **own.layouts}
    if "handout_presets" in changed:
        known, mine, theirs_now = before.handout_presets, own.handout_presets, held.handout_presets
        kept = {name: choices for name, choices in theirs_now.items() if name in mine or name not in known}
        changed["handout_presets"] = kept | {one: made for one, made in mine.items() if known.get(one) != made}
    if "recent" in changed:
        theirs = (path for path in held.recent if path not in own.recent and path not in before.recent)
        changed["recent"] = (*own.recent, *theirs)[:MAX_RECENT]
    return msgspec.structs.replace(held, **changed)


def _tables(path: Path) -> dict[str, Any] | None:
    """Return the tables of a file; None where it is missing or can't be read."""
    try:
        return rtoml.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
