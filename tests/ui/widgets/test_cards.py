"""Cards, banners and empty places."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton

from turnwright.ui.widgets.cards import Banner, Card, EmptyState, SectionHeader
from turnwright.ui.widgets.layout import ElidedLabel, FlowRow


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
