"""The folders of the user's files: settings, the library, and the program's state."""

from __future__ import annotations

import os
from collections.abc import Mapping, MutableMapping
from contextlib import suppress
from pathlib import Path

import msgspec
import platformdirs

from turnwright.storage.atomic import make_private

HOME = "TURNWRIGHT_HOME"
_NAME = "turnwright"


class Folders(msgspec.Struct, frozen=True):
    """Folders for the user's files: `state` for logs and backups, `config` for settings, `data` for the library.

    They may not exist yet.
    """

    state: Path
    config: Path
    data: Path

    @property
    def recovery(self) -> Path:
        """The folder of recovery logs."""
        return self.state / "recovery"

    @property
    def backups(self) -> Path:
        """The folder of dated backups of replaced files."""
        return self.state / "backups"

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
    )


def cache_folder(environment: Mapping[str, str] = os.environ) -> Path:
    """Return the folder of the cache, which can be deleted safely."""
    home = environment.get(HOME)
    return Path(home) / "cache" if home else platformdirs.user_cache_path(_NAME, appauthor=False)


def set_kernel_cache(environment: MutableMapping[str, str] = os.environ) -> None:
    """Set numba's cache folder to one in the user's cache. Call this before numba is imported."""
    folder = cache_folder(environment) / "numba"
    with suppress(OSError):
        make_private(folder)
        environment.setdefault("NUMBA_CACHE_DIR", str(folder))
