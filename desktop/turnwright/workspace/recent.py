"""The recent files, latest first, as stored in the settings."""

from __future__ import annotations

from pathlib import Path

import msgspec

from turnwright.workspace.settings import MAX_RECENT, Settings


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
