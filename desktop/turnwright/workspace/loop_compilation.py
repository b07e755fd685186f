"""Compilation of the forecast's loop without holding up the window: in a process of its own, which fills the cache.

A compiler in a thread keeps all others waiting, for up to a third of a second at a time. So where the loop isn't in the
cache yet, the program starts itself with `--compile-fights`, and then loads what that has left there.
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
from turnwright.handouts.template_process import this_program

OPTION: Final = "--compile-fights"
PATIENCE: Final = 600  # seconds
_beside = Lock()


def warm_beside() -> bool:
    """Have the loop compiled, by another process where it must be; False where numba is missing or can't be loaded."""
    loop = fight_loop()
    with _beside:
        if not loop.was_tried and not is_cached() and find_spec("numba") is not None:
            with suppress(OSError, subprocess.TimeoutExpired):  # then it is compiled here
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
    """Return whether compiling will find what it needs in the cache, or keeps none in a folder of its own."""
    folder = os.environ.get("NUMBA_CACHE_DIR")
    entry = f"*.{play_fights.__name__}-{edition_of(MODULES)}-*.nbi"
    return folder is None or any(Path(folder).rglob(entry))


def fill_cache() -> int:
    """Compile the loop into the cache, giving way to others; return the exit code of this process."""
    if hasattr(os, "nice"):
        os.nice(5)
    return 0 if fight_loop().warm() else 1
