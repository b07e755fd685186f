"""`turnwright screenshot`: a picture of the real window, optionally after a script, without personal settings."""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Literal

from turnwright.bootstrap import RuleSystems
from turnwright.cli.display import use_offscreen_platform
from turnwright.cli.play import ScriptRunner, print_findings, read_script
from turnwright.play.table.commands.set_dice import SetDice
from turnwright.storage.word_catalogue import WordCatalogue
from turnwright.workspace.document import Document
from turnwright.workspace.files import OpenError
from turnwright.workspace.folders import Folders

if TYPE_CHECKING:
    from PySide6.QtCore import QMessageLogContext, QtMsgType

_NOT_DRAWN = "This plugin does not support"  # Qt's message about drawing in memory, which is intended here


def screenshot(
    path: Path,
    out: Path,
    *,
    arrangement: Literal["prepare", "run"],
    theme: Literal["light", "dark"],
    size: tuple[int, int],
    script: Path | None,
    seed: int | None,
    dock: str = "",
    systems: RuleSystems | None = None,
) -> int:
    """Save a picture of an encounter in the window, with `dock` in front where one is named.

    1 where a file, a line of the script or the picture fails, 2 for an unknown dock.
    """
    try:
        lines = read_script(script) if script is not None else ""
    except (OSError, ValueError) as error:
        print(f"{script}:1: {getattr(error, 'strerror', None) or error}", file=sys.stderr)
        return 1
    use_offscreen_platform()
    from PySide6.QtCore import qInstallMessageHandler

    from turnwright.ui import app
    from turnwright.ui.arrangements import DOCKS

    known = [spec.id for spec in DOCKS]
    if dock and dock not in known:
        print(f"turnwright screenshot: error: no dock {dock}; there is {', '.join(known)}", file=sys.stderr)
        return 2
    codes: list[int] = []

    def play(document: Document) -> None:
        document.do(SetDice("roll", seed))
        if script is not None:
            codes.append(ScriptRunner(document, str(script), WordCatalogue.load()).run(lines))

    before = qInstallMessageHandler(_tell)
    with TemporaryDirectory() as home:
        root = Path(home)
        places = Folders(root / "state", root / "config", root / "data")
        try:
            done = app.screenshot(
                path,
                out,
                systems=systems or RuleSystems(),
                folders=places,
                arrangement=arrangement,
                theme=theme,
                size=size,
                dock=dock,
                play=play,
            )
        except OpenError as error:
            print_findings(error.findings)
            return 1
        except OSError as error:
            print(f"{error.filename or path}:1: {error.strerror or error}", file=sys.stderr)
            return 1
        finally:
            qInstallMessageHandler(before)
    if not done:
        print(f"{out}:1: the picture could not be written", file=sys.stderr)
    return max([0 if done else 1, *codes])


def _tell(kind: QtMsgType, context: QMessageLogContext, message: str) -> None:
    """Print a message of Qt, except those of its offscreen plugin."""
    if not message.startswith(_NOT_DRAWN):
        print(message, file=sys.stderr)
