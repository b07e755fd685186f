"""Compiles the forecast's loop in a separate process that fills the cache, so that the window doesn't freeze.

A compiler in a thread blocks all other threads for up to a third of a second at a time. If the loop isn't cached yet,
the program therefore starts itself with `--compile-fights`, and then loads the result from the cache.
"""

from __future__ import annotations

import os
import subprocess
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import Final

from turnwright.compilation import edition_of
from turnwright.forecast.compiled import MODULES, fight_loop
from turnwright.forecast.kernel import play_fights
from turnwright.handouts.typesetter import this_program

OPTION: Final = "--compile-fights"
PATIENCE: Final = 600  # seconds
_beside = Lock()


def warm_beside() -> bool:
    """Compile the loop, in another process if necessary. Return False if numba is missing or can't be loaded."""
    loop = fight_loop()
    with _beside:
        if not loop.was_tried and not is_cached() and find_spec("numba") is not None:
            with suppress(OSError, subprocess.TimeoutExpired):  # the loop is then compiled in this process
                subprocess.run(  # noqa: S603 - this program itself
                    [*this_program(), OPTION],
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    timeout=PATIENCE,
                    check=False,
                    creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
                )
        return loop.warm()


def is_cached() -> bool:
    """Whether the compiled loop is cached, or there is no separate cache folder."""
    folder = os.environ.get("NUMBA_CACHE_DIR")
    return folder is None or any(Path(folder).rglob(f"*.{play_fights.__name__}-{edition_of(MODULES)}-*.nbi"))


def fill_cache() -> int:
    """Compile the loop into the cache with low priority. Return the exit code of this process."""
    if hasattr(os, "nice"):
        os.nice(5)
    return 0 if fight_loop().warm() else 1
