"""`turnwright screenshot`: saves an image of the window with default settings, optionally after running a script."""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from turnwright.bootstrap import RuleSystems
from turnwright.cli.play import ScriptRunner, read_script
from turnwright.cli.terminal import USAGE, Failed, failing, print_findings, use_offscreen_platform
from turnwright.play.table.game_master import SetDice
from turnwright.storage.word_catalogue import WordCatalogue
from turnwright.workspace.document import Document
from turnwright.workspace.files import OpenError
from turnwright.workspace.settings import Folders

if TYPE_CHECKING:
    from PySide6.QtCore import QMessageLogContext, QtMsgType

_NOT_DRAWN = "This plugin does not support"  # Qt warns about drawing in memory, which is intended here


def screenshot(
    file: Path, output: Path, *, script: Path | None, seed: int | None, dock: str, systems: RuleSystems, **look: Any
) -> int:
    """Save an image of the window with an encounter. If `dock` is given, that panel is in front.

    `look` are the arrangement, the theme and the size. Return 1 if a file, a script line or the image causes an error, or 2 if the panel is unknown.
    """
    with failing(f"{script}:1", (OSError, ValueError)):
        lines = read_script(script) if script is not None else ""
    use_offscreen_platform()
    from PySide6.QtCore import qInstallMessageHandler

    from turnwright.ui.application import app
    from turnwright.ui.docks.arrangements import DOCKS

    panels = list(DOCKS)
    if dock and dock not in panels:
        raise Failed(f"turnwright screenshot: unknown panel '{dock}'; expected one of {', '.join(panels)}", USAGE)
    codes: list[int] = []

    def play(document: Document) -> None:
        document.do(SetDice("roll", seed))
        if script is not None:
            codes.append(ScriptRunner(document, str(script), WordCatalogue.load()).run(lines))

    previous_handler = qInstallMessageHandler(_print_message)
    with TemporaryDirectory() as home:
        root = Path(home)
        temporary = Folders(root / "state", root / "config", root / "data")
        try:
            is_saved = app.screenshot(file, output, play, systems=systems, folders=temporary, dock=dock, **look)
        except OpenError as error:
            print_findings(error.findings)
            return 1
        except OSError as error:
            print(f"{error.filename or file}:1: {error.strerror or error}", file=sys.stderr)
            return 1
        finally:
            qInstallMessageHandler(previous_handler)
    if not is_saved:
        print(f"{output}:1: the picture could not be written", file=sys.stderr)
    return max([0 if is_saved else 1, *codes])


def _print_message(kind: QtMsgType, context: QMessageLogContext, message: str) -> None:
    """Print a message from Qt, except from its offscreen plugin."""
    if not message.startswith(_NOT_DRAWN):
        print(message, file=sys.stderr)
