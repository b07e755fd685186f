"""Cards, banners and empty places."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton

from turnwright.ui.widgets.layout import Banner, Card, ElidedLabel, EmptyState, FlowRow, PartsLabel, SectionHeader
from turnwright.ui.widgets.records.effect_chip import EffectChip, EffectRow, EffectView


def test_a_banner_says_something_until_it_is_dismissed(qtbot):
    banner = Banner()
    qtbot.addWidget(banner)
    assert banner.isHidden()
    taken = []
    banner.show_message("Somebody else has it open.", "warn", [("Open a copy", lambda: taken.append("copy"))])
    assert banner.text() == banner.accessibleName() == "Somebody else has it open."
    button = next(b for b in banner.findChildren(QPushButton) if b.text() == "Open a copy")
    with qtbot.waitSignal(banner.dismissed):
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert taken == ["copy"]
    assert banner.isHidden()


def test_a_second_message_replaces_the_first_and_its_buttons(qtbot):
    banner = Banner()
    qtbot.addWidget(banner)
    banner.show_message("One", actions=[("First", lambda: None)])
    banner.show_message("Two", actions=[("Second", lambda: None)])
    assert banner.text() == "Two"
    qtbot.waitUntil(lambda: [b.text() for b in banner.findChildren(QPushButton) if b.isVisible()] == ["Second"])


def test_an_empty_place_offers_the_first_step(qtbot):
    place = EmptyState("timer-sand", "No countdowns yet.", "Add one")
    qtbot.addWidget(place)
    assert place.accessibleName() == "No countdowns yet."
    with qtbot.waitSignal(place.clicked):
        qtbot.mouseClick(place.button, Qt.MouseButton.LeftButton)


def test_a_card_shows_its_tone(qtbot):
    cards = [Card(), Card("world")]
    for card in cards:
        qtbot.addWidget(card)
        card.resize(200, 60)
    plain, world = (card.grab().toImage() for card in cards)
    assert world != plain


def test_a_header_has_buttons_with_names(qtbot):
    header = SectionHeader("Foes", "sword")
    qtbot.addWidget(header)
    pressed = []
    button = header.add_button("plus", "Add foes", lambda: pressed.append(1))
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert (button.accessibleName(), pressed) == ("Add foes", [1])


def test_a_row_wraps_where_it_is_narrow(qtbot):
    row = FlowRow()
    qtbot.addWidget(row)
    for _ in range(6):
        row.add(QLabel("difficult terrain"))
    assert row.heightForWidth(150) > 3 * row.heightForWidth(5000)


def test_text_that_does_not_fit_is_shortened_and_stands_in_the_tooltip(qtbot):
    label = ElidedLabel("Captain <b>Grak</b> of the Cold Ford")
    qtbot.addWidget(label)
    label.resize(60, 20)
    label.show()
    assert label.is_elided()
    assert "&lt;b&gt;" in label.toolTip()
    label.resize(900, 20)
    assert not label.is_elided()
    assert label.toolTip() == ""


def test_text_that_does_not_fit_is_written_smaller_then_in_lines_and_elided_last(qtbot):
    label = ElidedLabel("Raider 1 hits Mira with Boarding axe", "strong", smaller="caption", lines=2)
    qtbot.addWidget(label)
    label.show()
    whole = label.fontMetrics().horizontalAdvance(label.text())
    label.resize(whole - 1, 60)
    assert (label.elided(), label.is_elided()) == (label.text(), False)
    one_line = label.sizeHint().height()
    label.resize(whole // 2, 60)
    assert label.elided().replace("\n", " ") == label.text()
    assert label.elided().count("\n") == 1
    assert label.sizeHint().height() > one_line
    assert not label.is_elided()
    label.resize(whole // 5, 60)
    assert label.is_elided()
    assert label.toolTip()


@pytest.mark.parametrize(
    ("room", "shown"),
    [
        ("Medium humanoid (player character, scout), level 5", "Medium humanoid (player character, scout), level 5"),
        ("Medium humanoid (player character, scout)", "Medium humanoid (player character, scout)"),
        ("Medium humanoid (player character, sc", "Medium humanoid"),
        ("Medium huma", ""),
    ],
)
def test_what_matters_least_is_shown_in_whole_parts(qtbot, room, shown):
    label = PartsLabel("Medium humanoid (player character, scout), level 5", "caption")
    qtbot.addWidget(label)
    label.resize(label.fontMetrics().horizontalAdvance(room), 20)
    assert label.elided() == shown


def test_conditions_that_fit_in_one_line_without_their_ends_say_these_in_tooltips(qtbot):
    row = EffectRow()
    qtbot.addWidget(row)
    chips = [EffectChip(EffectView(name, name, "circle-medium", "until the start of the next turn")) for name in "ab"]
    for chip in chips:
        row.add(chip)
        chip.show()
    wide = sum(chip.sizeHint().width() for chip in chips) + row.gap
    row.resize(wide, 40)
    row.show()
    row.fit()
    assert [chip.toolTip() for chip in chips] == ["", ""]
    row.resize(wide - 20, 40)
    row.fit()
    assert all("until the start" in chip.toolTip() for chip in chips)
    assert row.heightForWidth(row.width()) < 2 * chips[0].sizeHint().height()
