"""The program's settings, the folders of the user's files, and the recent files.

The program's settings, stored in one TOML file. Invalid values are ignored.

Invalid values are ignored.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, Literal, cast

import msgspec
import platformdirs
import rtoml

from turnwright.encounter.prepared import DEFAULT_SYSTEM
from turnwright.storage.atomic import replace_atomically

MAX_RECENT = 12
_FILE = "settings.toml"


class Settings(msgspec.Struct, frozen=True, omit_defaults=True):
    """The settings with their defaults.

    `geometry` is the window's geometry, and `layouts` are the panel layouts by arrangement, both in base64.
    `font_scale` is in percent. `big_type`: use larger text while running a fight. `dice`: whether the user enters rolls
    or the program makes them. `recent` are paths, latest first.

    `paper` is the paper size of handouts; if empty, the usual size in the user's country is used. `handouts` are the
    page kinds and options last used, and `handout_presets` are the user's presets by name. `last_game` is the rule
    system of the last encounter. `game_chosen`: whether the user has chosen a rule system on the start page. `map_light`: whether the map is shaded in dim light and darkness.

    `players_screen` is the screen for players, and `players_diagonal` its diagonal in inches. `players_turned` is how
    many quarter turns the map makes on each screen. `players_health` is how
    each side's health is shown there. `players_turn` is the length of a turn in seconds, or 0 if there is no limit.
    `players_effects` are the sides (`own`, `other`) on which the names of effects are shown.
    `forecast_party` and `forecast_enemies` are the sides' policies in forecasts, in the notation of `turnwright forecast`.
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
    paper: Literal["", "a4", "letter", "a5", "half-letter"] = ""
    handouts: dict[str, str] = {}
    handout_presets: dict[str, dict[str, str]] = {}
    last_game: str = DEFAULT_SYSTEM
    game_chosen: bool = False
    map_light: bool = True
    forecast_party: str = ""
    forecast_enemies: str = ""
    players_screen: str = ""
    players_theme: Literal["dark", "light"] = "dark"
    players_title: bool = False
    players_fog_hides: bool = True
    players_countdowns: bool = True
    players_effects: tuple[str, ...] = ("own",)
    players_diagonal: float = 0.0
    players_turned: dict[str, int] = {}
    players_turn: int = 0
    players_health: dict[str, Literal["words", "numbers", "nothing"]] = {}


def read_settings(folder: Path) -> Settings:
    """Read the settings. Missing or invalid ones get their default value. Never raises."""
    return _settings(_tables(folder / _FILE) or {})


def reread_settings(folder: Path, known: Settings) -> Settings:
    """Read the settings again. If the file is missing or can't be read, return the known settings."""
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
    """Write the settings and keep unknown keys. Return whether that worked."""
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


def with_changes(in_file: Settings, before: Settings, own: Settings) -> Settings:
    """Apply the changes from `before` to `own` to the settings in a file, and return the result.

    Several windows use the same file, and must not revert each other's changes.
    """
    names = [field.name for field in msgspec.structs.fields(Settings)]
    changed = {name: getattr(own, name) for name in names if getattr(own, name) != getattr(before, name)}
    if "layouts" in changed:
        changed["layouts"] = {**in_file.layouts, **own.layouts}
    if "handout_presets" in changed:
        known, mine, theirs_now = before.handout_presets, own.handout_presets, in_file.handout_presets
        kept = {name: choices for name, choices in theirs_now.items() if name in mine or name not in known}
        changed["handout_presets"] = kept | {
            preset: values for preset, values in mine.items() if known.get(preset) != values
        }
    if "recent" in changed:
        theirs = (path for path in in_file.recent if path not in own.recent and path not in before.recent)
        changed["recent"] = (*own.recent, *theirs)[:MAX_RECENT]
    return msgspec.structs.replace(in_file, **changed)


def _tables(path: Path) -> dict[str, Any] | None:
    """Return the tables of a file, or None if it is missing or can't be read."""
    try:
        return cast(dict[str, Any], _renamed(rtoml.loads(path.read_text(encoding="utf-8"))))
    except (OSError, ValueError):
        return None


_NEW_NAMES: Final = {"forecast_foes": "forecast_enemies", "foes": "enemies", "narrator": "game-master"}


def _renamed(content: Any) -> Any:
    """Give old names in settings their new name."""
    if isinstance(content, dict):
        return {_NEW_NAMES.get(key, key): _renamed(value) for key, value in content.items()}
    return _NEW_NAMES.get(content, content) if isinstance(content, str) else content


HOME = "TURNWRIGHT_HOME"
_NAME = "turnwright"


class Folders(msgspec.Struct, frozen=True):
    """Folders for the user's files: `state` for logs and backups, `config` for settings, `data` for the library.

    `documents` is the user's folder for documents, if adventures go there. They may not exist yet.
    """

    state: Path
    config: Path
    data: Path
    documents: Path | None = None

    @property
    def recovery(self) -> Path:
        """The folder of recovery logs."""
        return self.state / "recovery"

    @property
    def backups(self) -> Path:
        """The folder of dated backups of replaced files."""
        return self.state / "backups"

    @property
    def adventures(self) -> Path:
        """The folder for new adventures."""
        return self.documents / "Turnwright" if self.documents is not None else self.data / "adventures"

    @property
    def library_index(self) -> Path:
        """The index of the user's library."""
        return self.state / "library.index"

    @property
    def library(self) -> Path:
        """The folder of the user's library."""
        return self.data / "library"


def folders(environment: Mapping[str, str] = os.environ) -> Folders:
    """Return the default folders for this operating system.

    If `TURNWRIGHT_HOME` is set, that folder contains all of them.
    """
    home = environment.get(HOME)
    if home:
        root = Path(home)
        return Folders(root / "state", root / "config", root / "data")
    return Folders(
        platformdirs.user_state_path(_NAME, appauthor=False),
        platformdirs.user_config_path(_NAME, appauthor=False),
        platformdirs.user_data_path(_NAME, appauthor=False),
        platformdirs.user_documents_path(),
    )


def cache_folder(environment: Mapping[str, str] = os.environ) -> Path:
    """Return the folder of the cache, which can be deleted safely."""
    home = environment.get(HOME)
    return Path(home) / "cache" if home else platformdirs.user_cache_path(_NAME, appauthor=False)


def with_recent(settings: Settings, path: Path) -> Settings:
    """Return the settings with a file moved to the top of the recent files."""
    name = str(path.resolve())
    others = (other for other in settings.recent if other != name)
    return msgspec.structs.replace(settings, recent=(name, *others)[:MAX_RECENT])


def without_recent(settings: Settings, path: Path) -> Settings:
    """Return the settings with a file removed from the recent files."""
    name = str(path.resolve())
    return msgspec.structs.replace(settings, recent=tuple(other for other in settings.recent if other != name))


def recent_files(settings: Settings) -> list[Path]:
    """Return the recent files that still exist."""
    return [path for path in map(Path, settings.recent) if path.is_file()]
