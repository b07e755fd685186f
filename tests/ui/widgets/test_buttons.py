"""Buttons with an icon or a key: their gaps, and their size with other type."""

from turnwright.ui.look.style import base_font, refresh_roles, scaled
from turnwright.ui.widgets.fields import KeyButton, KeyCap
from turnwright.ui.widgets.paint import key_cap_size
from turnwright.ui.widgets.text import push_button


def test_an_icon_stands_eight_pixels_before_the_text(qtbot):
    plain, button = (
        push_button("Add to encounter", lambda: None),
        push_button("Add to encounter", lambda: None, icon_name="plus"),
    )
    for each in (plain, button):
        qtbot.addWidget(each)
    assert button.sizeHint().width() - plain.sizeHint().width() == scaled(16 + 8)


def test_the_icon_itself_stays_square_and_at_the_left(qtbot):
    wide, square = (
        push_button(text, lambda: None, icon_name="square").icon().pixmap(size, 16)
        for text, size in (("a", 40), ("", 16))
    )
    assert wide.toImage().copy(0, 0, 16, 16) == square.toImage()
    assert not any(wide.toImage().pixelColor(x, 8).alpha() for x in range(17, 40))


def test_a_key_cap_stands_apart_from_the_words(qtbot):
    plain, button = KeyButton("Damage", lambda: None), KeyButton("Damage", lambda: None, "D")
    for each in (plain, button):
        qtbot.addWidget(each)
    assert button.sizeHint().width() - plain.sizeHint().width() == round(key_cap_size("D").width()) + scaled(4)


def test_a_key_cap_has_room_for_larger_type(qtbot):
    cap = KeyCap("Ctrl+I")
    qtbot.addWidget(cap)
    cap.show()
    before, base = cap.width(), base_font()
    base.scale = 2.0
    try:
        refresh_roles([cap])
        qtbot.waitUntil(lambda: cap.sizeHint().width() > before)
    finally:
        base.scale = 1.0
        refresh_roles([cap])
