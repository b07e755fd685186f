"""Pictures of the players' window: what is secret changes no pixel of them."""

from __future__ import annotations

from typing import get_args

import msgspec
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter

from tests.for_each import for_each
from tests.players.test_players_view import views_of
from turnwright.players.view import (
    CombatantRow,
    CountdownView,
    PlayersMap,
    PlayersView,
    SentHandout,
    ShownToken,
    ViewMode,
)
from turnwright.ui.look.style import load_theme
from turnwright.ui.players.countdown_panel import leaving_words, shown_dice
from turnwright.ui.players.order_page import clock_text, row_name, visible_rows
from turnwright.ui.players.window import PAGES, paint_view

PAIRS = range(60)
RED = QImage(40, 20, QImage.Format.Format_RGB32)
VIEW = PlayersView(
    "order",
    title="The bridge",
    round=2,
    light="dim",
    actor=0,
    next=1,
    turn_seconds=30,
    order=(CombatantRow("Aria", 0, "party", "hurt"), CombatantRow("Wolf", 1, "enemies", "bloodied", None, ("prone",))),
    countdowns=(CountdownView("Ice", 3, (4, 2, 6), 5),),
    handout=SentHandout("A letter", "Come at noon.", "Hob", b"red"),
    map=PlayersMap(5, fog=("++",), tokens=(ShownToken(CombatantRow("Aria", 0, "party"), (0, 0)),)),
    text="The door opens.",
)


def painted(view: PlayersView, theme: str = "dark", width: int = 640) -> bytes:
    image = QImage(width, width * 9 // 16, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    paint_view(painter, QRectF(image.rect()), view, load_theme(theme), {b"red": RED})
    painter.end()
    return bytes(image.constBits())


@pytest.mark.sampled(8)
@pytest.mark.parametrize("seed", PAIRS)
def test_what_is_secret_changes_no_pixel(qapp, seed: int) -> None:
    for first, second in zip(*views_of(seed), strict=True):
        assert painted(first) == painted(second)


@pytest.mark.soak
def test_three_thousand_fights_that_differ_in_secrets_have_the_same_pictures(qapp) -> None:
    for seed in range(3000):
        for first, second in zip(*views_of(seed), strict=True):
            assert painted(first, width=320) == painted(second, width=320), seed


CHANGES = {
    "title": {"title": "The ford"},
    "round": {"round": 3},
    "light": {"light": "dark"},
    "elapsed_seconds": {"elapsed_seconds": 60},
    "actor": {"actor": 1},
    "next": {"next": None},
    "turn_seconds": {"turn_seconds": 29},
    "order": {"order": VIEW.order[:1], "next": None},
    "countdowns": {"countdowns": ()},
    "handout": {"handout": None},
}


@for_each("field", CHANGES)
def test_what_players_may_know_is_in_the_picture_of_the_order(qapp, field: str) -> None:
    assert painted(msgspec.structs.replace(VIEW, **CHANGES[field])) != painted(VIEW)


@pytest.mark.parametrize("mode", sorted(set(get_args(ViewMode)) & set(PAGES)))
def test_each_page_is_another_picture_in_either_theme(qapp, mode: ViewMode) -> None:
    others = {painted(msgspec.structs.replace(VIEW, mode=other)) for other in PAGES if other != mode}
    view = msgspec.structs.replace(VIEW, mode=mode)
    assert painted(view) not in others
    assert (painted(view) == painted(view, "light")) == (mode == "black")


def test_a_black_page_is_black_all_over(qapp) -> None:
    assert set(painted(PlayersView("black"))) == {0, 255}


def test_every_mode_has_a_page() -> None:
    assert set(get_args(ViewMode)) == set(PAGES)


def test_names_have_a_number_only_where_it_tells_them_apart() -> None:
    assert row_name(CombatantRow("Wolf", 2, "enemies")) == "Wolf 2"
    assert row_name(CombatantRow("Aria", 0, "party")) == "Aria"
    assert row_name(CombatantRow("", 3, "enemies")) == "Creature 3"


@pytest.mark.parametrize(
    ("count", "actor", "room", "rows"),
    [(5, 2, 8, range(5)), (20, None, 8, range(8)), (20, 10, 8, range(9, 17)), (20, 19, 8, range(12, 20))],
)
def test_the_one_who_acts_is_among_the_rows_that_have_room(
    count: int, actor: int | None, room: int, rows: range
) -> None:
    assert visible_rows(count, actor, room) == rows


def test_the_dice_of_the_last_roll_are_marked_that_leave() -> None:
    assert shown_dice(CountdownView("Ice", 2, (4, 5, 6), 5)) == ((4, False), (5, True), (6, True))
    assert shown_dice(CountdownView("Ice", 2, (), 5)) == ((None, False), (None, False))


@pytest.mark.parametrize(
    ("lowest", "words"),
    [(5, "dice showing 5 or more are removed"), (6, "sixes are removed"), (0, "")],
)
def test_a_countdown_says_which_faces_let_a_die_leave(qapp, lowest: int, words: str) -> None:
    assert leaving_words(CountdownView("Ice", 3, (), lowest)) == words


@pytest.mark.parametrize(("seconds", "text"), [(0, "0:00"), (12, "0:12"), (75, "1:15"), (3600, "60:00")])
def test_time_is_in_minutes_and_seconds(seconds: int, text: str) -> None:
    assert clock_text(seconds) == text
