"""The map on paper: exactly an inch to the square, tiles that make up the whole, and no secrets for the players."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from xml.etree import ElementTree as ET

import pytest
from msgspec.structs import replace

from tests.for_each import for_each
from tests.handouts.pdf_pages import read_pages
from tests.handouts.samples import SAMPLES, packet, png, sample, source, typesetter
from turnwright.battlemap.segments import column_name, merged_segments, rectangles_of
from turnwright.encounter.floors import stacked
from turnwright.encounter.prepared import (
    Area,
    Check,
    Creature,
    Door,
    Environment,
    EnvironmentEntry,
    Map,
    MapBarrier,
    MapFloor,
    MapPicture,
    Obstacle,
    RosterEntry,
    Scene,
)
from turnwright.encounter.state import Encounter
from turnwright.handouts.kinds.map_sheets import KIND
from turnwright.handouts.map_tiles import roman
from turnwright.handouts.page_input import PAPERS, PrintOptions

LARGE = ("a4", "letter")  # on half a sheet, a map takes more tiles
MM = 72 / 25.4  # points
INCH = 25.4
PLAYERS = PrintOptions(edition="players")
MAPPED = [path for path in SAMPLES if sample(path).get(Map, "map")]
GRID = "#b9ab92"


def of(field: Map, *more, system: str = "a5e") -> Encounter:
    return Encounter([Scene(system=system), field, *more])


def pages(encounter: Encounter, options: PrintOptions | None = None) -> list[dict]:
    leaf = KIND.make(source(encounter, options))
    return [page for section in leaf.sections for page in section.data["pages"]]


def tiles(encounter: Encounter, options: PrintOptions | None = None) -> list[dict]:
    return [page for page in pages(encounter, options) if page["sort"] == "tile"]


def strokes(svg: bytes, colour: str) -> Iterator[tuple[float, float, str]]:
    """Yield where every line of a colour begins (millimetres from the page's corner), and its path."""

    def walk(element: ET.Element, x: float, y: float) -> Iterator[tuple[float, float, str]]:
        found = re.match(r"translate\(([-\d.]+) ?([-\d.]+)?\)", element.get("transform", ""))
        if found:
            x, y = x + float(found[1]), y + float(found[2] or 0)
        if element.get("stroke") == colour:
            yield x / MM, y / MM, element.get("d", "")
        for inner in element:
            yield from walk(inner, x, y)

    yield from walk(ET.fromstring(svg), 0, 0)


def grid_of(svg: bytes) -> tuple[list[float], list[float]]:
    """Return where the upright lines of the grid stand, and where those across."""
    found = [*strokes(svg, GRID)]
    upright = sorted(x for x, _, path in found if re.fullmatch(r"M 0 0v [\d.]+", path))
    across = sorted(y for _, y, path in found if re.fullmatch(r"M 0 0h [\d.]+", path))
    return upright, across


# ---- an inch is an inch ----


@pytest.mark.parametrize("paper", LARGE)
def test_a_square_of_a_tile_is_an_inch(press, paper):
    encounter = of(Map(columns=23, rows=17, cell=7))
    printed = press.typeset(packet(encounter, "map-sheets", options=PrintOptions(paper=paper)), "svg")
    assert len(printed.pages) > 4
    for page in printed.pages[1:]:
        for lines in grid_of(page):
            assert len(lines) > 2
            assert all(abs(after - before - INCH) < 0.1 for before, after in pairwise(lines))


def test_what_fits_on_one_page_is_an_inch_there_and_never_larger(press):
    (page,) = press.typeset(packet(of(Map(columns=2, rows=3)), "map-sheets"), "svg").pages
    upright, across = grid_of(page)
    assert [len(upright), len(across)] == [3, 4]
    assert all(abs(after - before - INCH) < 0.1 for before, after in [*pairwise(upright), *pairwise(across)])


def test_the_whole_on_one_page_states_how_wide_a_square_is(press):
    one = packet(of(Map(columns=40, rows=30)), "map-sheets", options=PrintOptions(map="one-page"))
    (page,) = press.typeset(one, "svg").pages
    unit = one.sections[0].data["pages"][0]["unit"]
    upright, _ = grid_of(page)
    assert all(abs(after - before - unit) < 0.1 for before, after in pairwise(upright))
    assert f"{unit:.4g} mm" in one.sections[0].data["pages"][0]["scale"]


@pytest.mark.parametrize(("columns", "rows", "beside"), [(24, 18, True), (40, 8, False)])
def test_the_key_stands_beside_the_map_or_below_wherever_the_squares_are_larger(columns, rows, beside):
    who = (Creature("ogre", "Ogre"), RosterEntry("o", "ogre", positions=((3, 2),)))
    (page,) = pages(of(Map(columns=columns, rows=rows), *who), PrintOptions(map="one-page"))
    assert (page["width"], page["height"], page["beside"]) == (297, 210, beside)
    room = 297 - 26 - (65 if beside else 10)
    assert room - columns * 0.05 <= columns * page["unit"] <= room


@pytest.mark.sampled(3)
@pytest.mark.parametrize("path", MAPPED, ids=lambda path: path.stem)
@pytest.mark.parametrize("paper", LARGE)
@pytest.mark.parametrize("edition", ["game-master", "players"])
def test_the_whole_map_of_a_sample_and_its_key_share_a_page_with_large_squares(press, path, paper, edition):
    options = PrintOptions(map="one-page", paper=paper, edition=edition)
    found = packet(sample(path), "map-sheets", options=options)
    assert len(press.typeset(found, "png", 10).pages) == 1
    (section,) = KIND.make(source(sample(path), options)).sections
    assert section.form == KIND.form == "page"  # with a running head and a foot
    assert found.sections[0].data["pages"][0]["unit"] >= 7


def test_squares_are_told_in_the_unit_of_the_game():
    assert "2 m" in pages(of(Map(columns=3, rows=3, cell=2), system="action_points"))[0]["scale"]
    assert "5 ft" in pages(of(Map(columns=3, rows=3)))[0]["scale"]


# ---- tiles make up the whole ----


@for_each("paper", LARGE)
@for_each(("columns", "rows"), [(1, 40), (22, 14), (30, 11), (100, 80)])
def test_tiles_hold_every_square_once_and_lie_within_the_paper(paper, columns, rows):
    found = tiles(of(Map(columns=columns, rows=rows)), PrintOptions(paper=paper, map_part="1-200"))
    seen = [(letter, number) for one in found for letter in one["letters"] for number in one["numbers"]]
    assert len(seen) == len(set(seen)) == columns * rows
    for one in found:
        right = one["x"] + (one["columns"] + one["beyond"][0]) * one["unit"]
        below = one["y"] + (one["rows"] + one["beyond"][1]) * one["unit"]
        assert right <= one["width"] - 9
        assert below <= one["height"] - 7.9
        assert max(one["columns"], one["rows"]) <= 10
        assert min(one["columns"], one["rows"]) <= 7
        assert sorted((one["width"], one["height"])) == sorted(PAPERS[paper])


@for_each("paper", LARGE)
@for_each(("columns", "rows", "sheets"), [(26, 19, 8), (22, 13, 6), (10, 7, 1), (11, 8, 2)])
def test_the_direction_is_taken_that_needs_fewer_sheets(paper, columns, rows, sheets):
    made = tiles(of(Map(columns=columns, rows=rows)), PrintOptions(paper=paper))
    assert len(made) == sheets


def test_tiles_overlap_by_five_millimetres_and_name_what_comes_next():
    found = {one["label"]: one for one in tiles(of(Map(columns=14, rows=20)))}
    assert list(found) == ["I", "II", "III", "IV"]
    assert found["I"]["next"] == ["II", "III"]
    assert found["IV"]["next"] == ["", ""]
    assert found["I"]["beyond"] == pytest.approx((5 / INCH, 5 / INCH))
    assert found["IV"]["beyond"] == (0, 0)
    assert [found[label]["before"] for label in found] == [[False, False], [True, False], [False, True], [True, True]]


def test_tiles_have_roman_figures():
    assert [roman(number) for number in (1, 4, 9, 14, 40, 90, 444, 3999, 4000)] == [
        *("I", "IV", "IX", "XIV", "XL", "XC", "CDXLIV", "MMMCMXCIX", "4000")
    ]


@pytest.mark.parametrize("path", MAPPED, ids=lambda path: path.stem)
def test_the_name_of_a_tile_lies_on_nobody_and_there_are_as_few_tiles_as_can_be(path):
    key = pages(sample(path))[0]
    if key["sort"] != "key":
        return
    assert len(key["labels"]) == (len(key["across"]) - 1) * (len(key["down"]) - 1)
    wide, high = 9 / key["unit"], 5.5 / key["unit"]
    for label in key["labels"]:
        x, y = label["at"]
        for one in key["part"]["tokens"]:
            left, top = one["at"]
            assert (
                x + wide / 2 <= left
                or x - wide / 2 >= left + one["across"]
                or y + high / 2 <= top
                or y - high / 2 >= top + one["across"]
            )


def test_the_letter_of_a_place_stands_on_it_beside_those_who_stand_there():
    reeds = Area("a", "marsh", "reeds", ((2, 2, 3, 1),))
    foe = (Creature("ogre", "Ogre"), RosterEntry("o", "ogre", positions=((3, 2),)))
    places = [pages(of(Map(columns=20, rows=20, areas=(reeds,)), MARSH, *who))[0]["regions"] for who in ((), foe)]
    assert [(one["mark"], one["at"], one["to"]) for one in places[0]] == [("a", [3.5, 2.5], None)]
    assert [(one["at"], one["to"]) for one in places[1]] == [([2.5, 2.5], None)]


def test_the_letter_of_a_full_place_stands_beside_it_with_a_line():
    reeds = Area("a", "marsh", "reeds", ((2, 2, 1, 1),))
    foe = (Creature("ogre", "Ogre"), RosterEntry("o", "ogre", positions=((2, 2),)))
    (region,) = pages(of(Map(columns=20, rows=20, areas=(reeds,)), MARSH, *foe))[0]["regions"]
    assert region["to"] == [2.5, 2.5]
    assert max(abs(region["at"][0] - 2.5), abs(region["at"][1] - 2.5)) == 1


def test_an_obstacle_is_named_where_nobody_stands_on_it():
    boat = Obstacle("boat", "Boat", at=(2, 2), size=(2, 4))
    foe = (Creature("ogre", "Ogre"), RosterEntry("o", "ogre", positions=((2, 3),)))
    crowd = (Creature("ogre", "Ogre"), RosterEntry("o", "ogre", count=2, positions=((4, 4), (5, 4))))
    bench = Obstacle("bench", "Bench", at=(4, 4), size=(2, 1))
    found = {
        name: pages(of(Map(columns=8, rows=6, obstacles=(thing,)), *who))[0]["part"]["obstacles"][0]["said_in"]
        for name, thing, who in (("empty", boat, ()), ("beside", boat, foe), ("full", bench, crowd))
    }
    assert found == {"empty": [2, 2, 2, 4], "beside": [3, 2, 1, 4], "full": [4, 4, 2, 1]}


def test_an_obstacle_on_two_tiles_is_named_on_each_but_not_in_the_strip_between():
    boats = (
        Obstacle("a", "Barge", at=(8, 1), size=(4, 2)),
        Obstacle("b", "Buoy", at=(10, 4), size=(1, 1)),
    )
    first, second = tiles(of(Map(columns=20, rows=7, obstacles=boats)))
    assert [one["said_in"][2:] for one in first["part"]["obstacles"]] == [[2, 2], [0, 0]]
    assert [one["said_in"] for one in second["part"]["obstacles"]] == [[0, 1, 2, 2], [0, 4, 1, 1]]


def test_very_many_places_have_their_letters_in_their_corners():
    areas = tuple(Area(str(n), "marsh", "reeds", ((n % 20, n // 20, 1, 1),)) for n in range(61))
    found = pages(of(Map(columns=20, rows=20, areas=areas), MARSH))[0]["regions"]
    assert {one["at"] for one in found} == {None}


def test_the_key_names_everybody_who_stands_on_the_map():
    foe = Creature("ogre", "Ogre")
    entries = (
        RosterEntry("o", "ogre", count=4, positions=((1, 1), (3, 3), (4, 4)), place="by the gate"),
        RosterEntry("m", "mage", name="Mage", side="party", positions=((2, 2),)),
    )
    (page,) = pages(of(Map(columns=6, rows=6), foe, Creature("mage", "Mage"), *entries))
    assert [(one["mark"], one["name"], one["look"], one["place"]) for one in page["company"]] == [
        ("Og1–Og3", "Ogre 1–3", 1, "by the gate"),
        ("Ma", "Mage", 0, ""),
    ]


def test_the_lines_of_the_grid_have_the_look_of_the_map():
    looks = ({}, {"grid_shown": False}, {"grid_colour": "#ff0000", "grid_strength": 50}, {"grid_colour": "red"})
    printed = [pages(of(Map(columns=4, rows=4, **look)), PLAYERS)[0]["part"] for look in looks]
    assert [(part["grid"], part["grid_colour"]) for part in printed] == [
        (True, ""),
        (False, ""),
        (True, "#ff00007f"),
        (True, ""),
    ]
    document = packet(of(Map(columns=4, rows=4, grid_colour="#2f6fd0")), "map-sheets", options=PLAYERS)
    assert any(b"#2f6fd0" in page for page in typesetter().typeset(document, "svg").pages)


def test_tokens_grid_names_and_ground_are_left_out_where_they_are_not_wanted():
    field = Map(
        columns=4, rows=4, ground=",~#^", heights="1", light=":", areas=(Area("a", "marsh", "reeds", ((1, 1, 2, 2),)),)
    )
    foe = (Creature("ogre", "Ogre"), RosterEntry("o", "ogre", positions=((3, 3),)))
    whole = pages(of(field, MARSH, *foe))[0]["part"]
    assert all((whole["tokens"], whole["grid"], whole["keys"], whole["areas"], whole["told"], whole["ground"]["wall"]))
    bare = pages(
        of(field, MARSH, *foe), PrintOptions(map_tokens=False, map_grid=False, map_keys=False, map_ground=False)
    )[0]
    part = bare["part"]
    assert (part["tokens"], part["grid"], part["keys"], part["areas"], part["told"]) == ([], False, False, [], [])
    assert not any([*part["ground"].values(), *part["light"].values(), part["heights"]])
    assert (bare["company"], bare["regions"], bare["signs"]) == ([], [], [])


def test_what_lies_in_the_strip_beyond_is_printed_twice():
    field = Map(columns=14, rows=9, ground=".......~\n", walls=((7, 1, 7, 3),))
    first, second = tiles(of(field))
    assert first["part"]["ground"]["water"] == [[7, 0, 1, 1]]
    assert second["part"]["ground"]["water"] == [[0, 0, 1, 1]]
    assert first["part"]["walls"] == [[7, 1, 7, 3]]
    assert second["part"]["walls"] == [[0, 1, 0, 3]]


# ---- what stands on it ----


def test_drawings_become_shapes():
    field = Map(
        columns=4,
        rows=3,
        ground=",,~\n,,#\n^",
        heights="\n\n..1A",
        light="...:\n...%",
        obstacles=(Obstacle("o", "Altar", at=(2, 1), size=(9, 9), ac=10), Obstacle("p", "Afar", at=(90, 1))),
        walls=((0, 1, 10**12, 1), (0, 0, 1, 1)),
    )
    part = pages(of(field))[0]["part"]
    assert part["ground"] == {
        "difficult": [[0, 0, 2, 2]],
        "water": [[2, 0, 1, 1]],
        "climb": [[0, 2, 1, 1]],
        "wall": [[2, 1, 1, 1]],
    }
    assert part["light"] == {"lightly": [[3, 0, 1, 1]], "heavily": [[3, 1, 1, 1]]}
    assert part["heights"] == [[2, 2, 1, 1, 1], [3, 2, 1, 1, -1]]
    assert part["told"] == [[2, 2, "+5"], [3, 2, "\N{MINUS SIGN}5"]]
    assert [one["box"] for one in part["obstacles"]] == [[2, 1, 2, 2]]
    assert part["walls"] == [[0, 1, 4, 1]]


def test_rectangles_cover_just_the_squares():
    squares = {(0, 0), (1, 0), (0, 1), (1, 1), (3, 1), (0, 2)}
    found = rectangles_of(squares)
    covered = [(x + a, y + b) for x, y, w, h in found for a in range(w) for b in range(h)]
    assert sorted(covered) == sorted(squares)
    assert (0, 0, 2, 2) in found


def test_edges_in_line_become_one_line():
    assert merged_segments([(0, 0, True), (1, 0, True), (3, 0, True), (2, 1, False)]) == (
        (0, 0, 2, 0),
        (3, 0, 4, 0),
        (2, 1, 2, 2),
    )


def test_columns_go_on_after_z():
    assert [column_name(n) for n in (0, 25, 26, 51, 52, 701, 702)] == ["A", "Z", "AA", "AZ", "BA", "ZZ", "AAA"]


def test_the_narrator_sees_who_stands_where():
    foe = Creature("ogre", "Ogre", size="large")
    entries = (RosterEntry("o", "ogre", count=2, positions=((1, 1), (3, 3)), hidden=True),)
    (page,) = pages(of(Map(columns=6, rows=6), foe, *entries))
    assert [(one["name"], one["at"], one["across"], one["unseen"]) for one in page["part"]["tokens"]] == [
        ("Ogre 1", [1, 1], 2, True),
        ("Ogre 2", [3, 3], 2, True),
    ]


# ---- what players may know ----


SECRET = EnvironmentEntry("pit", "Covered pit", secret=True, terrain="difficult")
KNOWN = EnvironmentEntry("reeds", "Reeds", terrain="difficult")
NOTICED = EnvironmentEntry("soft", "Soft ground", check=Check("wis", 12, "perception"))
CLIMBED = EnvironmentEntry("rail", "Rail", check=Check("str", 12, "athletics"))
GONE = EnvironmentEntry("fire", "Fire", enabled=False)
FIELD = Map(
    columns=8,
    rows=8,
    obstacles=(Obstacle("o", "Altar", at=(1, 1), ac=13, hp=31),),
    areas=(
        Area("1", "marsh", "pit", ((0, 0, 2, 2),)),
        Area("2", "marsh", "reeds", ((4, 4, 2, 2),)),
        Area("3", "marsh", "fire", ((6, 0, 1, 1),)),
        Area("4", "marsh", "", ((0, 0, 8, 8),)),
        Area("5", "nowhere", "lost", ((0, 7, 1, 1),)),
    ),
)
MARSH = Environment("marsh", "The drowned king's marsh", features=(SECRET, KNOWN, GONE))
CAST = (Creature("ogre", "Ogre"), RosterEntry("o", "ogre", positions=((5, 5),)))


@pytest.mark.parametrize("kind", ["wall", "window", "curtain"])
@pytest.mark.parametrize("ends", [((1.0, 1.0), (2.0, 1.0), (3.0, 1.0), (4.0, 1.0)), ((1, 1), (2, 2), (3, 3), (4, 4))])
def test_a_secret_door_leaves_no_joints_on_players_paper(kind, ends):
    a, b, c, d = ends
    cut = Map(
        columns=8,
        rows=8,
        barriers=(MapBarrier(kind, (a, b)), MapBarrier(kind, (c, d))),
        doors=(Door("s", (*b, *c), "secret"),),
    )
    whole = Map(columns=8, rows=8, barriers=(MapBarrier(kind, (a, d)),))
    for_players = [pages(of(each, *CAST), replace(PLAYERS, map="one-page"))[-1]["part"] for each in (cut, whole)]
    assert for_players[0] == for_players[1]
    assert pages(of(cut, *CAST), PrintOptions(map="one-page"))[-1]["part"]["doors"]


def test_players_see_only_what_lies_open():
    encounter = of(FIELD, MARSH, *CAST)
    told = pages(encounter, replace(PLAYERS, map="one-page"))
    (area,) = told[-1]["part"]["areas"]
    assert area["name"] == "Reeds"
    assert told[-1]["part"]["tokens"] == []
    assert told[-1]["part"]["ground"]["difficult"] == [[4, 4, 2, 2]]
    assert [(one["name"], one["mark"]) for one in told[-1]["part"]["obstacles"]] == [("", "")]
    assert told[-1]["things"] == []
    narrators = pages(encounter, PrintOptions(map="one-page"))[-1]["part"]
    assert {one["name"] for one in narrators["areas"]} == {"Covered pit", "Reeds", MARSH.name, "lost"}
    assert [one["figures"] for one in narrators["obstacles"]] == ["AC 13 · HP 31"]
    assert [one["name"] for one in narrators["tokens"]] == ["Ogre"]


def test_players_do_not_see_what_takes_a_check_to_notice():
    place = Environment("marsh", "Marsh", features=(NOTICED, CLIMBED))
    field = Map(
        columns=6,
        rows=6,
        areas=(Area("1", "marsh", "soft", ((0, 0, 2, 2),)), Area("2", "marsh", "rail", ((4, 4, 1, 1),))),
    )
    assert [one["name"] for one in pages(of(field, place), PLAYERS)[0]["part"]["areas"]] == ["Rail"]
    assert [one["name"] for one in pages(of(field, place))[0]["part"]["areas"]] == ["Soft ground", "Rail"]


def test_the_players_page_is_the_same_whatever_the_secret(press):
    other = replace(MARSH, name="Elsewhere", features=(replace(SECRET, name="A trapdoor", terrain=""), KNOWN, GONE))
    field = replace(
        FIELD,
        obstacles=(replace(FIELD.obstacles[0], ac=20, hp=1),),
        areas=(replace(FIELD.areas[0], squares=((5, 0, 1, 1),)), *FIELD.areas[1:3]),
    )
    cast = (Creature("ogre", "Dragon", size="huge"), RosterEntry("o", "ogre", positions=((1, 5),), count=9))
    both = [
        press.typeset(packet(encounter, "map-sheets", options=PLAYERS), "png", 60).pages
        for encounter in (of(FIELD, MARSH, *CAST), of(field, other, *cast))
    ]
    assert both[0] == both[1]


# ---- every map there is ----


@pytest.mark.sampled(3)
@pytest.mark.parametrize("path", MAPPED, ids=lambda path: path.stem)
@pytest.mark.parametrize("way", ["tiled", "one-page"])
def test_every_sample_with_a_map_prints(press, path, way):
    options = PrintOptions(map=way, ink="saving", paper="letter", bleed=3)
    found = packet(sample(path), "map-sheets", options=options)
    printed = press.typeset(found)
    assert printed.missing_characters == ()
    assert printed.pages[0].startswith(b"%PDF")


def test_names_on_tiles_can_be_read_at_the_table(press):
    who = (Creature("ogre", "Ogre"), RosterEntry("o", "ogre", positions=((1, 1),)))
    boat = Obstacle("boat", "Boat", at=(4, 1), size=(3, 3))
    reeds = Area("a", "marsh", "reeds", ((0, 4, 3, 2),))
    encounter = of(Map(columns=9, rows=6, obstacles=(boat,), areas=(reeds,)), MARSH, *who)
    tile = read_pages(press.typeset(packet(encounter, "map-sheets")).pages[0])[1]
    sizes = {word.text: word.size for word in tile.words}
    assert [name for name in ("Ogre", "Boat", "Reeds") if sizes[name] < 8.2] == []


def test_an_encounter_without_a_map_gives_nothing():
    assert KIND.make(source(Encounter([Scene()]))).sections == ()
    assert KIND.make(source(of(Map(columns=3)))).sections == ()


@pytest.mark.sampled(1)
@pytest.mark.parametrize("columns", [1, 100])
def test_words_without_end_stay_in_their_box(press, columns):
    things = tuple(
        Obstacle(f"o{n}", name, at=(0, n))
        for n, name in enumerate(("x" * 400, "", "Sarcophagus of the twice-drowned abbot", "鳥居" * 90))
    )
    place = Environment("e", "y" * 300, features=(EnvironmentEntry("f", "z" * 200),))
    areas = (Area("a", "e", "", ((0, 0, 1, 2),)), Area("b", "e", "f", ((0, 2, 1, 1),)))
    encounter = of(Map(columns=columns, rows=5, obstacles=things, areas=areas), place)
    pdf = press.typeset(packet(encounter, "map-sheets"))
    pages = read_pages(pdf.pages[0])
    assert pages
    for page in pages:
        assert [word for word in page.words if word.left <= 3 * MM or word.right >= page.width - 9 * MM] == []


# ---- maps larger than anybody prints at once ----


LARGE = Map(columns=120, rows=120, cell=5)


def problems(part: str) -> tuple[str, ...]:
    return KIND.make(source(of(LARGE), PrintOptions(map_part=part))).problems


def test_a_large_map_is_counted_and_no_tile_of_it_laid_out(monkeypatch):
    monkeypatch.setattr("turnwright.handouts.map_tiles.tile_pages", lambda _ground, _cut, part, _scale: [part])
    made = KIND.make(source(of(LARGE)))
    assert made.sections[0].data["pages"][1:] == [()]
    (told,) = made.problems
    assert told.startswith("216 sheets at one inch per square; at most 200 can be printed at once. Choose some")


def test_more_than_sixty_sheets_are_printed_only_where_they_are_named():
    large = of(replace(LARGE, columns=70, rows=61))
    asked = KIND.make(source(large))
    assert len(asked.sections[0].data["pages"]) == 1
    assert asked.problems[0].startswith("63 sheets at one inch per square. Choose which to print: ")
    named = KIND.make(source(large, PrintOptions(map_part="1-63")))
    assert (len(named.sections[0].data["pages"]), named.problems) == (64, ())
    assert len(tiles(of(replace(LARGE, columns=70, rows=60)))) == 60


@pytest.mark.parametrize(
    ("part", "numbers"),
    [
        ("3", [3]),
        ("3-5, 9", [3, 4, 5, 9]),
        (" 5 – 3 ,4", [3, 4, 5]),
        ("2:21", [2, 3, 20, 21]),
        ("21 : 2", [2, 3, 20, 21]),
        ("215-999", [215, 216]),
    ],
)
def test_those_sheets_are_printed_that_are_named(part, numbers):
    made = tiles(of(LARGE), PrintOptions(map_part=part))
    assert [one["number"] for one in made] == numbers
    assert [one["label"] for one in made] == [roman(number) for number in numbers]
    assert problems(part) == ()


@pytest.mark.parametrize("part", ["everything", "0", "217", "1:", "A1:C4", "1,,2"])
def test_what_names_no_sheets_is_told_with_how_many_there_are(part):
    assert problems(part) == (
        f"“{part}” isn't a valid choice of sheets. Use 3-5, 9, or 3:15 for a rectangle; there are 216.",
    )
    assert tiles(of(LARGE), PrintOptions(map_part=part)) == []


def test_a_part_that_is_too_large_is_told():
    assert problems("1-999")[0].startswith("216 sheets at one inch per square; at most 200")


def test_a_tile_among_very_many_shows_its_place_without_drawing_them_all(press):
    few, many = (
        press.typeset(packet(of(one), "map-sheets", options=PrintOptions(map_part="14")), "svg").pages[1]
        for one in (replace(LARGE, columns=60, rows=60), LARGE)
    )
    assert len(many) < 2 * len(few)


# ---- areas ----


@pytest.mark.soak
def test_areas_beyond_what_is_laid_out_are_told():
    whole = [Area(id=f"a{number}", feature=f"Rubble {number}", squares=((0, 0, 500, 500),)) for number in range(5)]
    dots = tuple((2 * number % 500, number // 250, 1, 1) for number in range(10_000))
    for areas, shown in ((whole, 3), (whole[:1] * 2, 2), ([replace(whole[0], squares=dots)] * 8, 4)):
        leaf = KIND.make(source(of(Map(columns=500, rows=500, areas=tuple(areas))), PrintOptions(map="one-page")))
        assert len(leaf.sections[0].data["pages"][0]["part"]["areas"]) == shown
        assert len(leaf.problems) == (shown < len(areas))
    (told,) = leaf.problems
    assert told == "The last 4 areas are not printed: all areas together cover too many squares."


def test_barriers_and_doors_are_printed_and_a_secret_door_is_a_wall_to_players():
    field = Map(
        columns=6,
        rows=4,
        barriers=(
            MapBarrier("wall", ((1.5, 1.0), (2.5, 2.25), (3.0, 2.25))),
            MapBarrier("rail", ((0.0, 3.5), (9.0, 3.5))),
        ),
        doors=(Door("gate", (3.0, 2.5, 3.0, 3.5)), Door("niche", (4.0, 0.5, 5.0, 0.5), "secret")),
    )
    part = pages(of(field))[0]["part"]
    assert part["walls"] == [[1.5, 1.0, 2.5, 2.25], [2.5, 2.25, 3.0, 2.25]]
    assert part["doors"] == [[3.0, 2.5, 3.0, 3.5], [4.0, 0.5, 5.0, 0.5]]
    assert part["curtains"] == []
    shown = pages(of(field), PLAYERS)[0]["part"]
    assert [4.0, 0.5, 5.0, 0.5] in shown["walls"]
    assert shown["doors"] == [[3.0, 2.5, 3.0, 3.5]]


# ---- the picture under the map ----


def _yard(shown: str = "both", **more) -> Encounter:
    picture = MapPicture("yard.png", at=(-1.0, 0.5), size=(40.0, 20.0), shown=shown)
    return of(Map(columns=30, rows=20, picture=picture, **more))


def _with_picture(tmp_path) -> None:
    (tmp_path / "yard.png").write_bytes(png(80, 40))


def test_a_picture_lies_in_its_place_on_every_tile(tmp_path):
    _with_picture(tmp_path)
    leaf = KIND.make(source(_yard(), folder=tmp_path))
    (kept,) = leaf.pictures
    for page in leaf.sections[0].data["pages"]:
        if page["sort"] == "tile":
            left, top = (int(page["letters"][0] != "A") and 30 - page["columns"], int(page["numbers"][0]) - 1)
            assert page["part"]["picture"]["file"] == kept.name
            if not left:
                assert page["part"]["picture"]["box"] == [-1.0, 0.5 - top, 40.0, 20.0]
    svg = typesetter().typeset(packet(_yard(), "map-sheets", folder=tmp_path), "svg").pages
    assert all(b"<image" in page for page in svg[1:])


def test_players_and_savers_of_ink_get_no_picture_that_is_not_for_them(tmp_path):
    _with_picture(tmp_path)
    for encounter, options, has_picture in (
        (_yard(), PLAYERS, True),
        (_yard("game-master"), PLAYERS, False),
        (_yard("game-master"), PrintOptions(), True),
        (_yard(), PrintOptions(ink="saving"), False),
    ):
        leaf = KIND.make(source(encounter, options, tmp_path))
        assert bool(leaf.pictures) is has_picture
        assert bool(leaf.sections[0].data["pages"][0]["part"]["picture"]) is has_picture


def test_a_picture_that_is_missing_leaves_the_map(tmp_path):
    leaf = KIND.make(source(_yard(), folder=tmp_path))
    assert leaf.sections
    assert leaf.pictures == ()


def test_objects_are_outlined_only_where_no_picture_shows_them(tmp_path):
    crate = MapBarrier("object", ((1.0, 1.0), (2.0, 1.0), (2.0, 2.0), (1.0, 1.0)))
    assert pages(of(Map(columns=5, rows=5, barriers=(crate,))))[0]["part"]["curtains"]
    assert (
        not KIND.make(source(_yard(barriers=(crate,)), folder=tmp_path))
        .sections[0]
        .data["pages"][0]["part"]["curtains"]
    )


# ---- portraits and rings ----


def test_portraits_and_rings_are_printed_for_the_game_master_alone(tmp_path):
    (tmp_path / "gob.png").write_bytes(png(40, 40))
    band = RosterEntry("band", "gob", count=3, positions=((1, 1), (3, 1), (5, 1)), rings=("red", "", "blue"))
    encounter = of(Map(columns=8, rows=4), Creature("gob", "Goblin", portrait="gob.png"), band)
    leaf = KIND.make(source(encounter, folder=tmp_path))
    (page,) = leaf.sections[0].data["pages"]
    assert [(one["name"], one["ring"], bool(one["portrait"])) for one in page["part"]["tokens"]] == [
        ("Goblin, red", "red", True),
        ("Goblin 2", "", True),
        ("Goblin, blue", "blue", True),
    ]
    assert [(one["mark"], one["name"], one["ring"]) for one in page["company"]] == [
        ("Go", "Goblin, red", "red"),
        ("Go2", "Goblin 2", ""),
        ("Go1", "Goblin, blue", "blue"),
    ]
    assert len(leaf.pictures) == 1
    (printed,) = typesetter().typeset(packet(encounter, "map-sheets", folder=tmp_path), "svg").pages
    assert printed.count(b"<image") >= 1
    assert b"#2f6fd0" in printed
    hidden = KIND.make(source(encounter, PLAYERS, tmp_path))
    assert hidden.pictures == ()
    assert hidden.sections[0].data["pages"][0]["company"] == []
    saving = KIND.make(source(encounter, PrintOptions(ink="saving"), tmp_path))
    assert saving.pictures == ()
    assert typesetter().typeset(packet(encounter, "map-sheets", options=PrintOptions(ink="saving")), "svg").pages


def test_each_floor_is_on_a_page_for_itself():
    floors = (
        (MapFloor("hall", "Hall"), Map(columns=6, rows=4)),
        (MapFloor("cellar", "Cellar"), Map(columns=4, rows=3)),
    )
    house = of(stacked(floors), Creature("orc", "Orc"), RosterEntry("orc", "orc", count=2, positions=((5, 3), (3, 6))))
    for edition, names in (("game-master", ["Hall", "Cellar"]), ("players", ["", ""])):
        found = pages(house, PrintOptions(map="one-page", edition=edition))
        assert [(page["columns"], page["rows"]) for page in found] == [(6, 4), (4, 3)]
        assert [page["scale"].partition(" · ")[0] if " · " in page["scale"] else "" for page in found] == names
    tokens = [page["part"]["tokens"] for page in pages(house)]
    assert [[token["at"] for token in part] for part in tokens] == [[[5, 3]], [[3, 1]]]


# ---- for screen readers ----


def test_the_alternative_text_of_a_part_names_its_squares_and_everything_named_on_it():
    chest, bog = Obstacle("chest", "Chest", (20, 2)), Area("bog", feature="mud", squares=((6, 0, 9, 2),))
    field = Map(columns=24, rows=8, obstacles=(chest,), areas=(bog,))
    band = (Creature("owl", "Owl"), RosterEntry("owl", "owl", positions=((1, 1),)))
    (whole,) = pages(of(field, *band), PrintOptions(map="one-page"))
    head, *named = whole["part"]["alternative"].split("; ")
    assert head.replace("\N{NO-BREAK SPACE}", " ") == "Map, squares A1 to X8"
    assert named[:2] == ["Owl B2", "Chest U3"]
    assert [name.rpartition(" ")[2] for name in named[2:]] == ["G1"]
    told = [tile["part"]["alternative"].split("; ")[1:] for tile in tiles(of(field, *band))]
    assert ["Owl B2" in tile for tile in told] == [True, *[False] * (len(told) - 1)]
    assert [tile[-1].rpartition(" ")[2] for tile in told[:3]] == ["G1", "G1", "M1"]
    (players,) = pages(of(field, *band), PrintOptions(edition="players", map="one-page"))
    assert "Owl" not in players["part"]["alternative"]
