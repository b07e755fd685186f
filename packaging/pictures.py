"""Takes pictures for `docs/pictures`: the icon, *About* and the players' screen. `make screenshots` runs it."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path
from typing import Literal
from unittest.mock import patch

os.environ["QT_QPA_PLATFORM"] = "offscreen"

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QColor, QImage, QPainter

from icons import FOLDER
from turnwright.bootstrap import RuleSystems
from turnwright.cli.play import ScriptRunner, read_script
from turnwright.encounter.running import Combatant
from turnwright.play.table.game_master import SetDice, SetKnownName
from turnwright.players.map_view import players_view
from turnwright.players.secrets import Showing, with_known_names
from turnwright.storage.word_catalogue import WordCatalogue
from turnwright.ui.application.app import Application
from turnwright.ui.dialogs.help import AboutDialog
from turnwright.ui.look.style import current_theme, load_theme
from turnwright.ui.players.window import paint_view
from turnwright.workspace.settings import Folders
from turnwright.workspace.versions import versions

SAMPLE = Path("encounters/cold-ford-bridge.toml")
SEED = 7
SIZES = (16, 32, 48, 256)
GAP = 32
THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")


def icon_sheet(grounds: list[QColor]) -> QImage:
    """Return the icon in its sizes on each background, with the smallest one also enlarged."""
    wide, high = sum(SIZES) + 128 + GAP * (len(SIZES) + 2), max(SIZES) + 2 * GAP
    sheet = QImage(wide, high * len(grounds), QImage.Format.Format_RGB32)
    painter = QPainter(sheet)
    for number, ground in enumerate(grounds):
        painter.fillRect(0, number * high, wide, high, ground)
        left = GAP
        for size, shown in (*((size, size) for size in SIZES), (16, 128)):
            picture = QImage(str(FOLDER / f"turnwright-{size}.png")).scaled(shown, shown)
            painter.drawImage(left, number * high + (high - shown) // 2, picture)
            left += shown + GAP
    painter.end()
    return sheet


def players_window(application: Application, folder: Path) -> QImage:
    """Return the players' window in round 3 of the sample, with the names that the players know then."""
    document = application.workspace.copy_of(SAMPLE)
    document.do(SetDice("roll", SEED))
    script = folder / "third-round.txt"
    ScriptRunner(document, str(script), WordCatalogue.load()).run(read_script(script))
    encounter, rules = document.session.encounter, document.session.rules
    raiders = [combatant.id for combatant in encounter.all(Combatant) if combatant.label.startswith("Raider")]
    document.do(SetKnownName(tuple(raiders[:1])))
    encounter = document.session.encounter
    view = players_view(encounter, rules, with_known_names(encounter, Showing(has_title=True)))
    image = QImage(QSize(1280, 720), QImage.Format.Format_RGB32)
    painter = QPainter(image)
    paint_view(painter, QRectF(image.rect()), view, load_theme("dark"))
    painter.end()
    document.close(discard=True)
    return image


def main(out: Path) -> None:
    """Save the pictures in a folder."""
    with tempfile.TemporaryDirectory() as home:
        folders = Folders(Path(home) / "state", Path(home) / "config", Path(home) / "data")
        application = Application(RuleSystems(), folders)
        shown = Folders(
            Path("~/.local/state/turnwright"), Path("~/.config/turnwright"), Path("~/.local/share/turnwright")
        )
        known = {name: version for name, version in versions().items() if name in ("turnwright", "Python", "Qt")}
        grounds = []
        for theme in THEMES:
            application.apply_look(theme, 100)
            grounds.append(current_theme().colour("surface"))
            with patch("turnwright.ui.dialogs.help.versions", lambda: {**known, "Linux": "6.1 x86_64"}):
                dialog = AboutDialog(shown)
            dialog.show()
            for page, name in enumerate(("about", "about-licences")):
                dialog.tabs.setCurrentIndex(page)
                application.qt.processEvents()
                dialog.grab().save(str(out / f"{name}-{theme}.png"))
            dialog.close()
        players_window(application, out).save(str(out / "players-dark-1280x720.png"))
        icon_sheet(grounds).save(str(out / "icon.png"))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
