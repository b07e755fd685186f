"""The data of the window: its icons are in the font, and its tones are those of the themes."""

import pytest

from turnwright.storage.icon_names import icon_codes
from turnwright.ui.look.style import load_theme
from turnwright.ui.look.window_data import icons, window_data


@pytest.mark.parametrize("part", ["prompts", "results", "journal"])
def test_icons_are_in_the_font_and_tones_in_the_themes(part: str) -> None:
    names, tones = zip(*icons(part).values(), strict=True)
    assert set(names) <= icon_codes().keys()
    assert {*tones} - {""} <= set(load_theme("light").colours)


def test_a_value_has_the_expected_type() -> None:
    assert window_data("handouts.default", tuple[str, ...]) == ("running-sheet", "encounter-sheet", "stat-blocks")
    with pytest.raises(ValueError, match="Expected"):
        window_data("handouts.default", int)
