"""Tokens and maps for virtual tabletops: sizes, names, transparency, and nothing that players may not know."""

from __future__ import annotations

import struct
from pathlib import Path

import msgspec
import pytest
from PySide6.QtGui import QImage

from tests.handouts import samples
from tests.handouts.sample_pages import fight
from turnwright.encounter.prepared import (
    Area,
    Creature,
    Door,
    Environment,
    EnvironmentEntry,
    Map,
    MapFloor,
    RosterEntry,
    Scene,
)
from turnwright.encounter.running import KnownName, kind_id
from turnwright.handouts.page_input import MAX_PIXELS, PageInput
from turnwright.workspace.tabletop_pictures import PPI, tabletop_pictures, taken_names, write_tabletop_pictures

OGRE = Creature("ogre", "Ogre", size="large", type="giant")
BARE = Map("map", columns=6, rows=4, walls=((2, 0, 2, 1),))
PIT = Environment("e", "Mill", features=(EnvironmentEntry("pit", "Pit", secret=True),))
FIELD = msgspec.structs.replace(
    BARE, doors=(Door("d", (2, 0, 2, 1), kind="secret"),), areas=(Area("a", "e", "pit", ((0, 0, 2, 2),)),)
)


def pictures(origin: PageInput) -> dict[str, bytes]:
    """The pictures by name."""
    made = [
        (sheet, samples.typesetter().typeset(sheet.document, "png", sheet.ppi).pages)
        for sheet in tabletop_pictures(origin)
    ]
    return {name: page for sheet, pages in made for name, page in zip(sheet.names, pages, strict=True)}


def size_of(picture: bytes) -> tuple[int, int]:
    return QImage.fromData(picture).size().toTuple()


def chunks_of(picture: bytes) -> set[bytes]:
    """The kinds of chunks in a PNG file."""
    kinds, at = set(), 8
    while at < len(picture):
        (length,) = struct.unpack(">I", picture[at : at + 4])
        kinds.add(picture[at + 4 : at + 8])
        at += 12 + length
    return kinds


def test_each_combatant_has_a_token_of_its_size_and_the_map_a_picture():
    rat = Creature("rat", "Rat", size="small")
    records = (Scene(), OGRE, rat, RosterEntry("a", "ogre"), RosterEntry("b", "rat", count=2), FIELD)
    found = pictures(fight(*records))
    assert {name: size_of(picture) for name, picture in found.items()} == {
        "ogre.png": (2 * PPI, 2 * PPI), "rat-1.png": (PPI, PPI), "rat-2.png": (PPI, PPI), "map.png": (6 * PPI, 4 * PPI),
    }  # fmt: skip
    assert found["rat-1.png"] != found["rat-2.png"]


def test_a_token_is_transparent_outside_its_ring_and_has_no_metadata():
    token = pictures(fight(Scene(), OGRE, RosterEntry("a", "ogre")))["ogre.png"]
    image = QImage.fromData(token)
    assert [image.pixelColor(*at).alpha() for at in ((1, 1), (278, 1), (1, 278), (140, 140))] == [0, 0, 0, 255]
    assert chunks_of(token) <= {b"IHDR", b"IDAT", b"IEND", b"pHYs", b"sRGB", b"gAMA"}


def test_the_name_for_players_names_the_file_and_gives_the_letters():
    records = (Scene(), OGRE, RosterEntry("a", "ogre", count=2))
    (sheet,) = tabletop_pictures(fight(*records, KnownName(kind_id("ogre"), "Tall shape")))
    assert sheet.names == ("tall-shape-1.png", "tall-shape-2.png")
    assert [mini["sign"] for mini in sheet.document.sections[0].data["minis"]] == ["TS1", "TS2"]


@pytest.mark.parametrize("name", ["Con", "../up", "a/b\\c", "?", "Ünïcode", "x" * 300, "map"])
def test_file_names_are_safe_on_every_system(name: str):
    origin = fight(Scene(), Creature("c", name), RosterEntry("a", "c"), RosterEntry("b", "c"), FIELD)
    names = [each for sheet in tabletop_pictures(origin) for each in sheet.names]
    assert len({each.casefold() for each in names}) == 3
    assert all(each.removesuffix(".png").replace("-", "").isascii() and len(each) < 80 for each in names)
    assert not any(set(each) & set('/\\?*:"<>|') or each.split(".")[0] in ("con", "") for each in names)


def test_the_map_for_players_has_no_secrets_and_no_tokens():
    ogre = RosterEntry("a", "ogre", positions=((1, 1),))
    secret = fight(Scene(), OGRE, PIT, ogre, FIELD)
    bare = fight(Scene(), OGRE, PIT, RosterEntry("a", "ogre"), BARE, players_map=True)
    known = msgspec.structs.replace(secret.options, players_map=True)
    told = pictures(PageInput(secret.encounter, secret.rules, secret.text, known))["map.png"]
    assert told == pictures(bare)["map.png"]
    assert told != pictures(secret)["map.png"]


def test_the_grid_can_be_left_out():
    whole, without = (pictures(fight(Scene(), FIELD, map_grid=grid))["map.png"] for grid in (True, False))
    assert whole != without


def test_each_floor_has_a_picture_and_a_large_map_fewer_pixels():
    floors = (MapFloor("a", "Hall", rows=2), MapFloor("b", "Attic", row=3, rows=2))
    high = msgspec.structs.replace(BARE, rows=5, floors=floors)
    assert {name: size_of(picture) for name, picture in pictures(fight(Scene(), high)).items()} == {
        "map.png": (6 * PPI, 2 * PPI), "map-2.png": (6 * PPI, 2 * PPI),
    }  # fmt: skip
    (sheet,) = tabletop_pictures(fight(Scene(), Map("map", columns=200, rows=150)))
    assert 200 * 150 * sheet.ppi**2 == pytest.approx(MAX_PIXELS)


def test_existing_files_are_told(tmp_path: Path):
    sheets = list(tabletop_pictures(fight(Scene(), OGRE, RosterEntry("a", "ogre"))))
    assert taken_names(sheets, tmp_path / "new") == ()
    (file,) = write_tabletop_pictures(samples.typesetter(), sheets, tmp_path / "new")
    assert (file.name, taken_names(sheets, tmp_path / "new")) == ("ogre.png", ("ogre.png",))
