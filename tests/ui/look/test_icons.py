"""Icons from the font, each with a character."""

import subprocess
import sys

import pytest
from PySide6.QtGui import QRawFont

from turnwright.storage.resources import read_text, resource_path
from turnwright.ui.look.icons import FONT, TONE_ICONS, UNKNOWN, icon, icon_font
from turnwright.ui.look.style import theme_source
from turnwright.ui.widgets.records.resource_pips import STATE_ICONS


def inked(drawn) -> bool:
    image = drawn.toImage()
    return any(image.pixelColor(x, y).alpha() > 128 for x in range(image.width()) for y in range(image.height()))


def test_the_icons_that_widgets_name_are_in_the_font(qapp):
    font = icon_font()
    named = {UNKNOWN, *TONE_ICONS.values(), *(name for _, name in STATE_ICONS)}
    assert [name for name in named if font.character(name) is None] == []


def test_each_name_has_a_glyph_of_its_own(qapp):
    names = [line.split(" ")[0] for line in read_text("icon_font/names.txt").splitlines()]
    raw = QRawFont(str(resource_path(FONT)), 24)
    glyphs = [raw.glyphIndexesForString(icon_font().character(name)) for name in names]
    assert len(names) == len(set(names)) > 7000
    assert [name for name, indexes in zip(names, glyphs, strict=True) if indexes in ([], [0])] == []


@pytest.mark.parametrize("name", ["sword", "dice-6", "timer-sand", "weather-snowy-heavy", "abacus", "no such icon"])
def test_an_icon_is_drawn(qapp, name):
    assert inked(icon(name).pixmap(24, 24))


def test_an_icon_takes_the_colour_of_the_theme_in_force(qapp):
    drawn = icon("checkbox-blank-circle", "world")
    source = theme_source()
    colours = []
    for choice in ("light", "dark"):
        source.choose(choice)
        colours.append(drawn.pixmap(24, 24).toImage().pixelColor(12, 12).name().upper())
        assert colours[-1] == source.theme.hex("world").upper()
    source.choose("system")
    assert len(set(colours)) == 2


def test_icons_load_no_other_library(repository):
    code = (
        "import sys; from PySide6.QtWidgets import QApplication; app = QApplication([]);"
        "from turnwright.ui.look.icons import icon; icon('sword').pixmap(24, 24);"
        "assert not {'pyqtgraph', 'numpy', 'tomlkit'} & set(sys.modules)"
    )
    environment = {"QT_QPA_PLATFORM": "offscreen", "PYTHONPATH": str(repository / "desktop"), "PATH": ""}
    ran = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
