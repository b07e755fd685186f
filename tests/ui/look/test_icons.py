"""Icons from the font, each with a character."""

import subprocess
import sys
import tomllib

import pytest

from turnwright.storage.icon_names import package_table
from turnwright.storage.resources import read_text
from turnwright.ui.look.icons import TONE_ICONS, UNKNOWN, icon, icon_font
from turnwright.ui.look.style import theme_source
from turnwright.ui.widgets.records.resource_pips import STATE_ICONS


def table() -> dict[str, str]:
    return tomllib.loads(read_text("themes/icons.toml"))["icons"]


def inked(drawn) -> bool:
    image = drawn.toImage()
    return any(image.pixelColor(x, y).alpha() > 128 for x in range(image.width()) for y in range(image.height()))


def test_our_code_points_are_those_of_the_icon_font():
    whole = package_table()
    assert {name: whole.get(name) for name in table()} == {name: chr(int(code, 16)) for name, code in table().items()}


def test_the_icons_that_widgets_name_are_in_our_table():
    assert {UNKNOWN, *TONE_ICONS.values(), *(name for _, name in STATE_ICONS)} <= set(table())


@pytest.mark.parametrize("name", ["sword", "dice-6", "timer-sand", "weather-snowy-heavy", "abacus", "no such icon"])
def test_an_icon_is_drawn(qapp, name):
    assert inked(icon(name).pixmap(24, 24))


def test_an_icon_outside_our_table_comes_from_the_package(qapp):
    assert "abacus" not in table()
    assert icon_font().character("abacus") == package_table()["abacus"]
    assert icon_font().character("no such icon") is None


def test_an_icon_takes_the_colour_of_the_theme_in_force(qapp):
    drawn = icon("checkbox-blank-circle", "world")
    source = theme_source()
    colours = []
    for choice in ("light", "dark"):
        source.choose(choice)
        colours.append(drawn.pixmap(24, 24).toImage().pixelColor(12, 12).name().upper())
        assert colours[-1] == source.theme.world.upper()
    source.choose("system")
    assert len(set(colours)) == 2


def test_icons_do_not_import_their_package(repository):
    code = (
        "import sys; from PySide6.QtWidgets import QApplication; app = QApplication([]);"
        "from turnwright.ui.look.icons import icon; icon('sword').pixmap(24, 24);"
        "assert not {'qtawesome', 'qtpy', 'pyqtgraph', 'numpy', 'tomlkit'} & set(sys.modules)"
    )
    environment = {"QT_QPA_PLATFORM": "offscreen", "PYTHONPATH": str(repository / "desktop"), "PATH": ""}
    ran = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
