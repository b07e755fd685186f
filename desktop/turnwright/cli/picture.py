"""`turnwright screenshot`: a picture of the real window, perhaps after a script, with nobody's own settings in it."""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

from turnwright.bootstrap import RuleSystems
from turnwright.cli.playing import Player, print_findings, read_script
from turnwright.play.commands import SetDice
from turnwright.storage.words import Words
from turnwright.workspace.document import CannotOpen, Document
from turnwright.workspace.folders import Folders


def screenshot(
    path: Path,
    out: Path,
    *,
    arrangement: Literal["prepare", "run"],
    theme: Literal["light", "dark"],
    size: tuple[int, int],
    script: Path | None,
    seed: int | None,
) -> int:
    """Save a picture of an encounter in the window. 1 where a file, a line of the script or the picture fails."""
    from turnwright.ui import app

    codes: list[int] = []

    def play(document: Document) -> None:
        document.do(SetDice("roll", seed))
        if script is not None:
            codes.append(Player(document, str(script), Words.load()).run(read_script(script)))

    with TemporaryDirectory() as home:
        root = Path(home)
        places = Folders(root / "state", root / "config", root / "data")
        try:
            done = app.screenshot(
                path,
                out,
                systems=RuleSystems(),
                places=places,
                arrangement=arrangement,
                theme=theme,
                size=size,
                play=play,
            )
        except CannotOpen as error:
            print_findings(error.findings)
            return 1
        except (OSError, ValueError) as error:
            print(
                f"{getattr(error, 'filename', None) or path}:1: {getattr(error, 'strerror', None) or error}",
                file=sys.stderr,
            )
            return 1
    if not done:
        print(f"{out}:1: the picture could not be written", file=sys.stderr)
    return max([0 if done else 1, *codes])
