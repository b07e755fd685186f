"""The players' map: painted in a worker, black where it is hidden, and the same pixels whatever lies under the fog."""

from __future__ import annotations

from random import Random

import msgspec
import pytest
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QImage, QPainter

from tests.for_each import for_each
from tests.players.test_players_map import pair_of, view_of
from turnwright.players.view import (
    CombatantRow,
    ComposedPicture,
    MapCamera,
    PlayersMap,
    PlayersView,
    ShownLine,
    ShownRuler,
    ShownToken,
)
from turnwright.ui.look.style import load_theme
from turnwright.ui.players.map_page import MapPart, PicturePlace, looked_at, on_page, paint_part, part_for, sign_of
from turnwright.ui.players.window import paint_view

PAGE = QRectF(0, 0, 640, 360)
ROOM = PlayersMap(5, fog=("++--", "+..-", "++++"), has_picture=True)


def painted(view: PlayersMap | None, picture: PicturePlace | None = None) -> bytes:
    """Return the pixels of the page, with its painted part."""
    assert view is not None
    part, theme = part_for(view, PAGE), load_theme("dark")
    pictures = {}
    if part is not None:
        pictures[b"part"] = paint_part(view, part, theme, picture)
        view = msgspec.structs.replace(view, picture=ComposedPicture(b"part", part.at, part.size))
    image = QImage(640, 360, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    paint_view(painter, PAGE, PlayersView("map", map=view), theme, pictures)
    painter.end()
    return bytes(image.constBits())


@pytest.mark.sampled(8)
@pytest.mark.parametrize("seed", range(60))
def test_what_is_hidden_changes_no_pixel(qapp, seed: int) -> None:
    first, second = pair_of(seed)
    assert painted(view_of(*first)) == painted(view_of(*second))


def noise(random: Random, side: int, rows: int, columns: int, fog: tuple[str, ...], hidden: Random) -> QImage:
    """Return a picture of noise in which what is hidden is drawn from another source."""
    image = QImage(columns * side, rows * side, QImage.Format.Format_RGB32)
    for y in range(image.height()):
        for x in range(image.width()):
            row, column = y // side, x // side
            source = hidden if fog[row][column] == "." else random
            image.setPixelColor(x, y, QColor(source.randrange(256), source.randrange(256), source.randrange(256)))
    return image


@pytest.mark.parametrize(("across", "side"), [(0.0, 12), (7.3, 12), (3.1, 9), (23.0, 11)])
def test_the_hidden_part_of_a_picture_changes_no_pixel(qapp, across: float, side: int) -> None:
    view = msgspec.structs.replace(ROOM, camera=MapCamera((2.0, 1.5), across))
    images = []
    for seed in (1, 2):
        image = noise(Random(0), side, 3, 4, ROOM.fog, Random(seed))
        halves = image.scaled(image.size() / 2), image.scaled(image.size() / 4)
        images.append(painted(view, PicturePlace((image, *halves), (0.0, 0.0), (4.0, 3.0))))
    assert images[0] == images[1]
    assert len(set(images[0])) > 40  # the rest of the picture is there


def test_the_lines_between_squares_have_the_look_that_the_map_gives_them(qapp) -> None:
    part, theme = MapPart((0, 0), (4, 3), 40), load_theme("dark")
    plain = msgspec.structs.replace(ROOM, has_picture=False)
    looks = ((True, "", 0), (False, "", 0), (True, "#ff0000", 100), (True, "", 100))
    images = [paint_part(msgspec.structs.replace(plain, grid=look), part, theme, None) for look in looks]
    usual, none, red, strong = (image.pixelColor(40, 20) for image in images)
    ground = images[0].pixelColor(20, 20)
    assert none == ground
    assert red.red() - ground.red() > 90 > ground.green()
    assert strong.lightness() < usual.lightness() < ground.lightness()
    assert images[2].pixelColor(80, 60) == images[0].pixelColor(80, 60)  # between squares under the fog


def test_a_lasting_area_tints_its_squares_alone(qapp) -> None:
    part, theme = MapPart((0, 0), (4, 3), 40), load_theme("dark")
    plain = msgspec.structs.replace(ROOM, has_picture=False)
    with_area = msgspec.structs.replace(plain, areas=("*   ", "    ", "    "))
    before, after = (paint_part(one, part, theme, None) for one in (plain, with_area))
    assert before.pixelColor(20, 20) != after.pixelColor(20, 20)
    for x, y in ((60, 20), (60, 60), (100, 20), (20, 100)):
        assert before.pixelColor(x, y) == after.pixelColor(x, y)


def test_dim_squares_are_shaded_and_dark_ones_more(qapp) -> None:
    part, theme = MapPart((0, 0), (4, 3), 40), load_theme("light")
    plain = msgspec.structs.replace(ROOM, has_picture=False)
    with_darkness = msgspec.structs.replace(plain, darkness=(":#  ", "    ", "    "))
    before, after = (paint_part(one, part, theme, None) for one in (plain, with_darkness))
    bright, dim, dark = before.pixelColor(20, 20), after.pixelColor(20, 20), after.pixelColor(60, 20)
    assert bright.lightness() > dim.lightness() + 40 > dark.lightness() + 80
    for x, y in ((100, 20), (20, 60), (60, 100)):
        assert before.pixelColor(x, y) == after.pixelColor(x, y)


@pytest.mark.parametrize("name", ["light", "dark"])
def test_an_area_of_darkness_looks_no_lighter_than_dim_light_without_it(qapp, name) -> None:
    part, theme = MapPart((0, 0), (4, 3), 40), load_theme(name)
    shown = msgspec.structs.replace(ROOM, has_picture=False, areas=("*   ",) * 3, darkness=("#:# ",) * 3)
    image = paint_part(msgspec.structs.replace(shown, fog=("++++",) * 3), part, theme, None)
    area, dim, dark = (image.pixelColor(x, 60).lightness() for x in (20, 60, 100))
    assert dim + 8 >= area > dark


def test_the_outline_of_an_area_is_whole_over_the_lines_of_the_grid(qapp) -> None:
    part, theme = MapPart((0, 0), (4, 3), 40), load_theme("dark")
    shown = msgspec.structs.replace(ROOM, has_picture=False, fog=("++++",) * 3, areas=("    ", " *  ", "    "))
    image = paint_part(shown, part, theme, None)
    assert all(image.pixelColor(x, 40) == theme.colour("world") for x in range(50, 70))


def test_hidden_squares_are_black_and_those_seen_before_dim(qapp) -> None:
    white = QImage(40, 30, QImage.Format.Format_RGB32)
    white.fill(QColor("white"))
    part = MapPart((0, 0), (4, 3), 40)
    image = paint_part(ROOM, part, load_theme("dark"), PicturePlace((white,), (0.0, 0.0), (4.0, 3.0)))
    assert (image.width(), image.height()) == (160, 120)
    now, before, hidden = (image.pixelColor(x, y).lightness() for x, y in ((20, 20), (100, 20), (60, 60)))
    assert now == 255
    assert 60 < before < 160
    assert hidden == 0


def test_a_page_shows_all_that_is_explored_or_what_the_camera_says() -> None:
    whole = looked_at(ROOM, PAGE)
    assert whole.contains(QRectF(0, 0, 4, 3))
    assert whole.width() / whole.height() == pytest.approx(640 / 360)
    near = looked_at(msgspec.structs.replace(ROOM, camera=MapCamera((1.0, 1.0), 2.0)), PAGE)
    assert (near.center().x(), near.center().y(), near.width()) == (1.0, 1.0, 2.0)


def test_only_the_part_on_the_page_is_painted() -> None:
    wide = PlayersMap(5, fog=("+" * 100,) * 100, camera=MapCamera((50.0, 50.0), 16.0))
    part = part_for(wide, QRectF(0, 0, 1600, 900))
    assert part == MapPart((42, 45), (16, 10), 100.0)
    assert part_for(PlayersMap(5), PAGE) is None


@pytest.mark.parametrize(
    ("row", "sign"),
    [
        (CombatantRow("Goblin Boss", 2, "enemies"), "GB2"),
        (CombatantRow("Aria", 0, "party"), "Ar"),
        (CombatantRow("", 3, "enemies"), "3"),
    ],
)
def test_a_token_has_a_sign_of_what_is_shown(row: CombatantRow, sign: str) -> None:
    assert sign_of(row) == sign


@for_each("kind", ["wall", "window", "curtain", "rail", "door"])
@for_each("is_open", [False, True])
def test_lines_of_every_kind_are_painted(qapp, kind: str, is_open: bool) -> None:
    view = PlayersMap(5, fog=("++", "++"), ground=("..", ".."))
    part = MapPart((0, 0), (2, 2), 60)
    plain = paint_part(view, part, load_theme("light"), None)
    view = msgspec.structs.replace(view, lines=(ShownLine(kind, (0.3, 1.0, 1.7, 1.0), is_open),))
    assert paint_part(view, part, load_theme("light"), None) != plain


def test_a_token_has_its_face_and_how_high_it_is(qapp) -> None:
    face = QImage(64, 64, QImage.Format.Format_ARGB32_Premultiplied)
    face.fill(QColor("magenta"))

    def page(token: ShownToken) -> QImage:
        view = msgspec.structs.replace(ROOM, tokens=(token,))
        image = QImage(640, 360, QImage.Format.Format_RGB32)
        painter = QPainter(image)
        paint_view(painter, PAGE, PlayersView("map", map=view), load_theme("dark"), {b"face": face})
        painter.end()
        return image

    def magenta(image: QImage) -> int:
        return sum(image.pixelColor(x, y) == QColor("magenta") for x in range(0, 640, 4) for y in range(0, 360, 4))

    plain = ShownToken(CombatantRow("Ada", 0, "party"), (1, 1))
    assert magenta(page(plain)) == 0
    assert magenta(page(msgspec.structs.replace(plain, portrait=b"face"))) > 100
    assert page(msgspec.structs.replace(plain, portrait=b"not read")) == page(plain)
    high, low = (page(msgspec.structs.replace(plain, elevation=feet)) for feet in (20, -20))
    assert high != page(plain)
    assert high != low


def test_tokens_lie_over_the_map(qapp) -> None:
    view = PlayersMap(5, fog=("++", "++"), ground=("..", ".."))
    token = ShownToken(CombatantRow("Aria", 0, "party", "hurt"), (0, 0), acts=True)
    assert painted(view) != painted(msgspec.structs.replace(view, tokens=(token,)))


@for_each("turned", range(4))
@for_each("page", [PAGE, QRectF(10, 20, 360, 640)])
def test_a_turned_map_fills_the_page_and_is_moved_as_it_is_seen(qapp, turned: int, page: QRectF) -> None:
    room = msgspec.structs.replace(ROOM, at=(2, 3), camera=MapCamera(turned=turned))
    seen = on_page(room, page).mapRect(looked_at(room, page))
    assert [*seen.getRect()] == pytest.approx([*page.getRect()])
    corner = on_page(room, page).map(QPointF(2, 3)) - on_page(room, page).map(QPointF(6, 6))
    assert (corner.x() < 0, corner.y() < 0) == [(True, True), (False, True), (False, False), (True, False)][turned]
    assert part_for(room, page) == MapPart((1, 2), (6, 5), pytest.approx(abs(corner.x()) / (3 if turned % 2 else 4)))


def test_only_places_turn_with_the_map_and_no_letters(qapp) -> None:
    token = ShownToken(CombatantRow("", 7, "party"), (1, 1))
    pages = set()
    for turned in range(4):
        room = PlayersMap(5, fog=("+++",) * 3, tokens=(token,), camera=MapCamera(turned=turned))
        image = QImage(640, 360, QImage.Format.Format_RGB32)
        painter = QPainter(image)
        paint_view(painter, PAGE, PlayersView("map", map=room), load_theme("dark"))
        painter.end()
        pages.add(bytes(image.constBits()))
    assert len(pages) == 1


def test_a_shown_distance_and_a_square_pointed_at_are_drawn(qapp) -> None:
    room = PlayersMap(5, fog=("+++",) * 3)
    pages = [
        painted(msgspec.structs.replace(room, ruler=ruler))
        for ruler in (None, ShownRuler((0.5, 0.5, 2.5, 0.5), 10), ShownRuler((0.5, 0.5, 0.5, 0.5), 0))
    ]
    assert len(set(pages)) == 3
