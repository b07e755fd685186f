"""Themes: tokens, palettes and contrasts."""

import pytest
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QLabel

from tests.for_each import for_each
from tests.ui.contrast import contrast
from turnwright.ui.look.style import (
    ThemeSource,
    base_font,
    current_theme,
    load_theme,
    role_font,
    set_role,
    theme_source,
)

TONES = ("harm", "heal", "warn", "world")
GROUNDS = ("surface", "raised", "sunken")


@pytest.fixture
def source(qapp) -> ThemeSource:
    source = theme_source()
    yield source
    source.choose("system")
    source.set_scale(1.0)


def text_pairs() -> list[tuple[str, str]]:
    inks = ("text", "muted", "accent", *TONES)
    pairs = [(ink, ground) for ink in inks for ground in GROUNDS]
    pairs += [(ink, f"{tone}_soft") for tone in (*TONES, "accent") for ink in ("text", tone)]
    return [*pairs, ("accent_text", "accent"), ("accent_text", "focus"), ("selection_text", "selection")]


def graphic_pairs() -> list[tuple[str, str]]:
    return [(ink, ground) for ink in ("edge", "focus", "accent", *TONES) for ground in GROUNDS]


@for_each("name", ["light", "dark"])
@for_each(("ink", "ground"), text_pairs())
def test_text_can_be_read_on_every_ground(name, ink, ground):
    theme = load_theme(name)
    assert contrast(theme.colour(ink), theme.colour(ground)) >= 4.5


@for_each("name", ["light", "dark"])
@for_each(("ink", "ground"), graphic_pairs())
def test_outlines_and_pips_can_be_seen_on_every_ground(name, ink, ground):
    theme = load_theme(name)
    assert contrast(theme.colour(ink), theme.colour(ground)) >= 3.0


def test_both_themes_have_the_same_colours():
    assert load_theme("light").colours.keys() == load_theme("dark").colours.keys()


def test_the_grounds_are_paper_and_slate():
    assert (load_theme("light").hex("surface"), load_theme("light").hex("text")) == ("#FBF8F1", "#23201C")
    assert (load_theme("dark").hex("surface"), load_theme("dark").hex("text")) == ("#1E2126", "#E9E6DF")


def test_choosing_a_theme_changes_the_palette_at_once(qtbot, source, qapp):
    source.choose("light")
    with qtbot.waitSignal(source.changed):
        source.choose("dark")
    assert current_theme().dark
    assert qapp.palette().color(QPalette.ColorRole.Window) == current_theme().colour("surface")


def test_a_role_follows_the_scale(qtbot, source):
    label = QLabel("41")
    qtbot.addWidget(label)
    set_role(label, "number")
    before = label.font().pointSizeF()
    source.set_scale(2.0)
    assert label.font().pointSizeF() == pytest.approx(before * 2, rel=0.02)
    assert role_font("number").pointSizeF() == pytest.approx(role_font("body").pointSizeF() * 1.6, rel=0.02)


def test_the_scale_stays_within_its_bounds(source):
    source.set_scale(7)
    assert base_font().scale == 2.0
    source.set_scale(0.2)
    assert base_font().scale == 1.0
