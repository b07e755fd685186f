from itertools import pairwise

import msgspec
import pytest
from PySide6.QtGui import QColor, QImage

from tests.for_each import for_each
from turnwright.encounter.prepared import Creature, Map, RosterEntry
from turnwright.encounter.running import Combatant
from turnwright.play.damage.manual_hit_points import SetDead, SetHitPoints
from turnwright.play.effects.conditions import ApplyCondition
from turnwright.play.setup.prepared_records import Add, Edit
from turnwright.play.state.position_changes import SetPosition
from turnwright.play.table.game_master import SetHidden
from turnwright.ui.docks.map.drawing.token_pixmaps import (
    RINGS,
    TokenLook,
    TokenPixmaps,
    margin_of,
    outline_of,
    token_set_of,
)
from turnwright.ui.look.style import load_theme

LOOK = TokenLook(
    "Raider 1", "R1", "square", "harm", share=0.5, state="bloodied", veil="hidden", elevation=20, linked=True
)


def crowd(document):
    return token_set_of(document.encounter, document.rules)


def of(document, who):
    return crowd(document).for_record(("combatants", who))


def test_no_two_tokens_have_the_same_monogram(document):
    shown = [one.look.short for one in crowd(document).tokens]
    assert len(set(shown)) == len(shown) > 3


@pytest.mark.parametrize(
    ("size", "across"),
    [("small", 1), ("medium", 1), ("large", 2), ("huge", 3), ("gargantuan", 4), ("titanic", 5)],
)
def test_a_size_takes_its_squares(empty, size, across):
    empty.execute(Add((Map(columns=9, rows=9), Creature("one", "One", size=size))))
    empty.execute(Add((RosterEntry("one", "one", positions=((1, 1),)),)))
    token = crowd(empty).for_record(("roster", "one"))
    assert (token.size, token.scale) == (across, 1.0)


def test_a_space_of_its_own_overrules_the_size(empty):
    empty.execute(Add((Map(columns=9, rows=9), Creature("one", "One", size="medium", space=15))))
    empty.execute(Add((RosterEntry("one", "one", positions=((1, 1),)),)))
    assert crowd(empty).for_record(("roster", "one")).size == 3


@pytest.mark.parametrize("count", [1, 4, 5, 8])
def test_tiny_ones_share_a_square_without_covering_each_other(empty, count):
    empty.execute(Add((Map(columns=9, rows=9), Creature("rat", "Rat", size="tiny"))))
    empty.execute(Add((RosterEntry("rats", "rat", count=count, positions=((1, 1),) * count),)))
    tokens = list(crowd(empty).placed())
    assert len({one.offset for one in tokens}) == count
    assert all(one.offset[0] + one.scale <= 1.001 and one.offset[1] + one.scale <= 1.001 for one in tokens)
    assert all(one.scale <= 0.5 for one in tokens)


def test_sides_differ_by_shape_and_by_colour(empty):
    empty.execute(Add((Map(columns=9, rows=9), Creature("one", "One"))))
    for n, side in enumerate(("party", "enemies", "hostile to all", "rivals")):
        empty.execute(Add((RosterEntry(f"one-{n}", "one", side=side, positions=((n, 0),)),)))
    looks = [one.look for one in crowd(empty).placed()]
    assert len({one.shape for one in looks}) == 4
    assert len({one.tone for one in looks}) == 4


def test_a_token_tells_how_somebody_is(fight):
    fight.execute(SetHitPoints("mira", hp=5))
    fight.execute(SetDead("tam"))
    fight.execute(SetDead("tam", dead=False))
    fight.execute(SetDead("raiders-1"))
    fight.execute(SetHidden(("raiders-2",), hidden=True))
    fight.execute(ApplyCondition(("ogre",), "invisible"))
    fight.execute(SetPosition("mira", elevation=20))
    mira = of(fight, "mira")
    assert (mira.look.state, mira.look.share, mira.look.elevation, mira.active) == ("bloodied", 0.25, 20, True)
    assert [of(fight, who).look.state for who in ("tam", "raiders-1", "ogre")] == ["down", "dead", ""]
    assert [of(fight, who).look.veil for who in ("raiders-2", "ogre", "tam")] == ["hidden", "invisible", ""]


def test_a_rider_is_small_on_its_mount_and_both_are_linked(document):
    entry = document.encounter.need(RosterEntry, "tam")
    document.execute(Edit(RosterEntry("tam", "hero", "Tam", side=entry.side, positions=((4, 5),), rides="ogre")))
    rider, mount = crowd(document).for_record(("roster", "tam")), crowd(document).for_record(("roster", "ogre"))
    assert rider.scale < 1
    assert rider.offset[0] + rider.scale <= mount.size
    assert rider.look.linked


def test_who_stands_nowhere_waits_beside_the_map(document):
    assert [one.label for one in crowd(document).unplaced()] == ["Raider 3"]
    assert crowd(document).at((5, 6))[0].label == "Ogre"
    assert crowd(document).at((6, 6)) == []


@for_each("theme", ["light", "dark"])
@for_each("side", [8, 20, 48, 240])
def test_a_picture_is_as_large_as_its_space_and_the_same_each_time(qapp, theme, side):
    one, other = (TokenPixmaps(load_theme(theme)).pixmap(LOOK, side, shows_name=side > 40) for _ in range(2))
    assert one.width() == one.height() == side + 2 * margin_of(side)
    assert one.toImage() == other.toImage()


def test_a_picture_is_painted_once(qapp):
    atlas = TokenPixmaps(load_theme("light"))
    assert atlas.pixmap(LOOK, 32).cacheKey() == atlas.pixmap(LOOK, 32).cacheKey()
    assert atlas.pixmap(LOOK, 32).cacheKey() != atlas.pixmap(LOOK, 33).cacheKey()


@for_each(
    "other",
    [
        {"shape": "circle"}, {"tone": "accent"}, {"share": 0.2}, {"state": "down"}, {"veil": ""}, {"elevation": 0},
        {"linked": False}, {"short": "R2"},
    ],
)  # fmt: skip
def test_whatever_differs_is_seen(qapp, other):
    import msgspec

    atlas = TokenPixmaps(load_theme("light"))
    differing = msgspec.structs.replace(LOOK, **other)
    assert atlas.pixmap(LOOK, 48).toImage() != atlas.pixmap(differing, 48).toImage()


def test_a_device_with_more_pixels_gets_them(qapp):
    picture = TokenPixmaps(load_theme("light")).pixmap(LOOK, 40, 2.0)
    assert picture.width() == 2 * (40 + 2 * margin_of(40))
    assert picture.deviceIndependentSize().width() == 40 + 2 * margin_of(40)


@pytest.mark.parametrize("shape", ["circle", "square", "diamond", "hexagon"])
def test_an_outline_stays_in_its_box(qapp, shape):
    from PySide6.QtCore import QRectF

    box = QRectF(10, 10, 40, 40)
    assert box.adjusted(-0.01, -0.01, 0.01, 0.01).contains(outline_of(shape, box).boundingRect())


def test_combatants_stand_where_the_roster_put_them(fight):
    assert fight.encounter.need(Combatant, "mira").position == (2, 2)
    assert of(fight, "mira").square == (2, 2)


def test_a_portrait_fills_the_token_and_the_monogram_gives_way(qapp):
    face = QImage(64, 64, QImage.Format.Format_RGB32)
    face.fill(QColor("#10c0c0"))
    asked = []

    def portrait(file):
        asked.append(file)
        return face if file else None

    pixmaps = TokenPixmaps(load_theme("light"), portrait)
    look = TokenLook("Mira", "Mi", "circle", "accent", portrait="mira.png")
    image = pixmaps.pixmap(look, 60).toImage()
    middle = image.pixelColor(image.rect().center())
    assert (middle.red() < 60, middle.green() > 150) == (True, True)
    pixmaps.pixmap(look, 60)
    assert asked == ["mira.png"]
    pixmaps.forget_portrait("mira.png")
    pixmaps.pixmap(look, 60)
    assert asked == ["mira.png"] * 2
    dead = pixmaps.pixmap(msgspec.structs.replace(look, state="dead"), 60).toImage()
    grey = dead.pixelColor(dead.rect().center())
    assert max(grey.red(), grey.green(), grey.blue()) - min(grey.red(), grey.green(), grey.blue()) < 40


def test_rings_tell_identical_miniatures_apart(document):
    plain = TokenLook("Goblin", "Go", "square", "harm")
    pixmaps = TokenPixmaps(load_theme("dark"))
    images = [pixmaps.pixmap(msgspec.structs.replace(plain, ring=ring), 48).toImage() for ring in ("", *RINGS)]
    assert all(one != other for one, other in pairwise(images))
    entry = next(one for one in document.encounter.all(RosterEntry) if one.count > 1)
    document.execute(Edit(msgspec.structs.replace(entry, rings=("red", "blue"))))
    shown = [one for one in crowd(document).tokens if one.key == ("roster", entry.id)]
    assert [one.look.ring for one in shown[:2]] == ["red", "blue"]
    assert [one.label.rpartition(", ")[2] for one in shown[:2]] == ["red", "blue"]


def test_small_tokens_show_letters_instead_of_a_face(qapp):
    face = QImage(64, 64, QImage.Format.Format_RGB32)
    face.fill(QColor("#10c0c0"))
    pixmaps = TokenPixmaps(load_theme("light"), lambda _file: face)
    plain = TokenPixmaps(load_theme("light"))
    look = TokenLook("Mira", "Mi", "circle", "accent", portrait="mira.png")
    assert pixmaps.pixmap(look, 20).toImage() == plain.pixmap(look, 20).toImage()
    assert pixmaps.pixmap(look, 24).toImage() != plain.pixmap(look, 24).toImage()
