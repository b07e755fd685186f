"""Opens the window, unless the system lacks a display or libraries."""

import gc
import sys
from collections.abc import Sequence
from pathlib import Path

from turnwright.bootstrap import RuleSystems
from turnwright.cli.qt_libraries import window_problem
from turnwright.cli.terminal import FINDING, USAGE, has_display
from turnwright.workspace.locks import ask_window
from turnwright.workspace.settings import folders
from turnwright.workspace.versions import LogFile


def open_window(files: Sequence[Path], epilog: str, systems: RuleSystems, *, quit_when_shown: bool) -> int:
    """Open each file in a window, and bring windows that already have one to the front. Return the exit code.

    `epilog` lists the verbs that need no display; it is printed on a system without one.
    """
    if not has_display():
        print(f"turnwright: the window can't open, because there is no display\n{epilog}", end="", file=sys.stderr)
        return USAGE
    state = folders().state
    closed = [path for path in files if not ask_window(state, path)]
    if files and not closed:
        return 0  # they were already open; their windows are now in front
    gc.disable()  # the start creates no garbage; the window enables collection again when its content is complete
    if problem := window_problem():
        print(problem, file=sys.stderr)
        LogFile(state).write(problem)
        return FINDING
    from turnwright.ui.application.app import run

    return run(closed, systems=systems, quit_when_shown=quit_when_shown)
