"""Floors of a map: taken out and put together again, in the file, and in the rules of a fight."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from tests.games import GAMES
from tests.play.map_table import BOW, Field
from tests.systems.action_points.fights import Fight
from turnwright.bootstrap import RuleSystems
from turnwright.encounter.floors import GAP, borders_of, floors_of, is_on_floor, map_of, moved_square, stacked
from turnwright.encounter.prepared import (
    Area,
    Door,
    Map,
    MapBarrier,
    MapFloor,
    MapLight,
    MapPicture,
    Obstacle,
)
from turnwright.encounter.running import Combatant, Fog, LastingArea
from turnwright.play.attacks.attack_request import Attack
from turnwright.play.environment.map_changes import ArrangeFloors, LayArea, SetFog, SetRoomFog, ShowSight
from turnwright.play.kernel.transaction import Refused
from turnwright.play.state.position_changes import SetPosition, SetRelation
from turnwright.rules.parts.positions import geometry, sight
from turnwright.rules.parts.positions.geometry import ANOTHER_FLOOR, distance_on_floor, is_in_area, lasting_squares
from turnwright.rules.parts.positions.sight import levels_now, party_sight
from turnwright.storage.encounters import EncounterFile, parse_encounter

HALL = Map(
    columns=8,
    rows=6,
    ground="#\n..,\n",
    fog="++\n",
    walls=((4, 0, 4, 6),),
    windows=((0, 6, 8, 6),),
    obstacles=(Obstacle("crate", "Crate", (7, 5)),),
    areas=(Area("mud", feature="mud", squares=((0, 0, 1, 1),)),),
    doors=(Door("door-1", (4.0, 2.0, 4.0, 3.0)),),
    lights=(MapLight((1.5, 5.5)),),
    picture=MapPicture("hall.png", (0.0, -1.0), (8.0, 8.0)),
)
CELLAR = Map(
    columns=5,
    rows=4,
    ground=".\n~\n",
    heights="A\n",
    curtains=((0, 0, 0, 4),),
    barriers=(MapBarrier("rail", ((0.5, 0.0), (4.0, 4.0))),),
    areas=(Area("mud", feature="mud", squares=((1, 1, 1, 1),)),),
    doors=(Door("door-1", (2.0, 2.0, 3.0, 2.0)),),
    picture=MapPicture("cellar.png"),
)
GROUND, BELOW = MapFloor("ground", "Ground floor"), MapFloor("cellar", "Cellar")
HOUSE = stacked(((GROUND, HALL), (BELOW, CELLAR)))
TOP = 6 + GAP  # the first row of the cellar


def test_floors_are_put_together_and_taken_out_again() -> None:
    assert (HOUSE.columns, HOUSE.rows) == (8, TOP + 4)
    assert [(each.row, each.rows, each.columns) for each in HOUSE.floors] == [(0, 6, 0), (TOP, 4, 5)]
    assert [door.id for door in HOUSE.doors] == ["door-1", "door-1-2"]
    assert [(area.id, area.squares) for area in HOUSE.areas] == [
        ("mud", ((0, 0, 1, 1),)),
        ("mud-2", ((1, TOP + 1, 1, 1),)),
    ]
    ground, cellar = (map_of(HOUSE, floor) for floor in HOUSE.floors)
    assert ground == HALL
    door, mud = (msgspec.structs.replace(each, id=f"{each.id}-2") for each in (CELLAR.doors[0], CELLAR.areas[0]))
    picture = MapPicture("cellar.png", size=(5.0, 4.0))
    assert cellar == msgspec.structs.replace(CELLAR, doors=(door,), areas=(mud,), picture=picture, fog=".")
    again = stacked([(floor, map_of(HOUSE, floor)) for floor in HOUSE.floors])
    assert again == stacked([(floor, map_of(again, floor)) for floor in again.floors])
    assert msgspec.structs.replace(stacked(((BELOW, CELLAR),)), floors=(), picture=CELLAR.picture) == CELLAR


def test_a_map_without_floors_is_a_single_one() -> None:
    assert [map_of(HALL, floor) for floor in floors_of(HALL)] == [HALL]
    assert borders_of(HALL) == ()


def test_squares_move_with_their_floor() -> None:
    swapped = stacked([(floor, map_of(HOUSE, floor)) for floor in reversed(HOUSE.floors)])
    assert moved_square(HOUSE, swapped, (1, TOP)) == (1, 0)
    assert moved_square(HOUSE, swapped, (1, 0)) == (1, 4 + GAP)
    assert moved_square(HOUSE, HALL, (1, TOP)) is None
    assert moved_square(HOUSE, swapped, (6, TOP)) is None  # beside the cellar
    assert [is_on_floor(HOUSE, (0, row)) for row in (5, 6, 7)] == [True, False, True]
    assert not is_on_floor(HOUSE, (0, 5), 2)


# The file --------------------------------------------------------------------------------------------------------

TEXT = """\
format = 3
system = "a5e"

[map]
columns = 8
rows = 11

[map.floors.ground]
name = "Ground floor"
rows = 6

[map.floors.cellar]  # below the hall
name = "Cellar"
row = 7
rows = 4
columns = 5
"""


def read(text: str) -> tuple[Map | None, list[tuple[int, str]]]:
    loaded = parse_encounter(text.encode(), Path("house.toml"), ("a5e",))
    found = loaded.encounter.get(Map, "map") if loaded.encounter is not None else None
    if found is not None and loaded.encounter is not None and not loaded.findings:
        assert EncounterFile(text).render(loaded.encounter) == text
    return found, [(finding.line, finding.message) for finding in loaded.findings]


def test_floors_are_read_and_keep_their_comments() -> None:
    field, findings = read(TEXT)
    assert not findings
    assert field is not None
    assert field.floors == (MapFloor("ground", "Ground floor", 0, 6), MapFloor("cellar", "Cellar", 7, 4, 5))


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ("row = 7", "row = 6", 14, "expected a row from 7 on, after a free row, found 6"),
        ("row = 7", "row = 8", 15, "outside the map (8 columns, 11 rows)"),
        ("columns = 5", "columns = 9", 16, "outside the map"),
        ('name = "Cellar"\n', "", 12, "needs a name"),
        ("rows = 6", "rows = 0", 10, "must be from 1 to 500"),
    ],
)
def test_bad_floors_are_reported(old: str, new: str, line: int, words: str) -> None:
    _, findings = read(TEXT.replace(old, new, 1))
    assert any(at == line and words in message for at, message in findings), findings


# The rules -------------------------------------------------------------------------------------------------------

FLOORS = stacked(((GROUND, Map(columns=8, rows=6)), (BELOW, Map(columns=8, rows=6))))


def above_and_below(system: str = "a5e", *, field: Map = FLOORS) -> Field:
    """Return Ada and Bob over an orc in the cellar: in the nearest squares, but on another floor."""
    people, rules = ("ada", "bob", "orc"), RuleSystems().get(system)
    if system == "action_points":
        table: Field = Fight(*people, foes=("orc",), field=field)
    else:
        table = Field(*people, foes=("orc",), field=field, rules=rules)
    return table.puts(ada=(1, 5), bob=(2, 5), orc=(1, TOP))


@pytest.mark.parametrize("system", GAMES)
def test_nobody_reaches_or_sees_another_floor(system: str) -> None:
    table = above_and_below(system)
    lookup, rules = table.encounter, table.rules
    assert geometry.distance(lookup, rules, "ada", "orc") == ANOTHER_FLOOR
    assert geometry.distance(lookup, rules, "ada", "bob") == 5
    assert geometry.in_reach(lookup, rules, "orc", "ada") is False
    assert geometry.is_within(lookup, rules, "ada", "orc", 600) is False
    assert sight.line_of_sight(lookup, rules, "ada", "orc") is False
    assert sight.line_of_effect(lookup, rules, "ada", "orc") is False
    with pytest.raises(Refused) as refused:
        table.does(Attack("ada", "orc", given=BOW))
    assert refused.value.key == "refused.other_floor"
    table.does(SetRelation("ada", "orc", distance=5))  # linked by stairs, says the game master
    assert geometry.distance(table.encounter, rules, "ada", "orc") == 5


def test_areas_light_and_sight_stay_on_their_floor() -> None:
    lamps = msgspec.structs.replace(FLOORS, lights=(MapLight((1.5, 5.5), 20),))
    table = above_and_below(field=lamps)
    table.does(LayArea("Fear", owner="ada", radius=30))
    area = next(iter(table.encounter.all(LastingArea)))
    squares = lasting_squares(table.encounter, table.rules, area)
    assert (1, 0) in squares
    assert all(row < 6 for _, row in squares)
    assert not is_in_area(table.encounter, table.rules, "orc", area)
    levels = levels_now(table.encounter, table.rules)
    assert levels is not None
    assert levels[5, 1] == 2
    assert all(row < 6 for _, row in party_sight(table.encounter, table.rules, ("ada", "bob")))
    table.does(SetFog("hidden"))
    table.does(ShowSight())
    table.does(SetRoomFog((0, TOP)))
    assert table.encounter.need(Fog, "fog").squares.splitlines() == [*["+" * 8] * 6, "", *["+" * 8] * 6]


def test_going_to_another_floor_is_told_and_undone() -> None:
    table = above_and_below()
    step = table.session.do(SetPosition("ada", position=(4, TOP)))
    assert [line.phrase.key for line in step.lines] == ["journal.floor_changed"]
    assert geometry.distance(table.encounter, table.rules, "ada", "orc") == 15
    table.session.undo()
    assert geometry.distance(table.encounter, table.rules, "ada", "orc") == ANOTHER_FLOOR


def test_everything_moves_with_its_floor_and_back() -> None:
    table = above_and_below()
    for command in (LayArea("Web", squares=((3, TOP + 1),)), SetFog("hidden"), SetFog("shown", ((0, TOP), (0, 0)))):
        table.does(command)
    before = table.encounter
    higher = msgspec.structs.replace(map_of(FLOORS, FLOORS.floors[0]), rows=8)
    grown = stacked(((FLOORS.floors[0], higher), (FLOORS.floors[1], map_of(FLOORS, FLOORS.floors[1]))))
    table.does(ArrangeFloors(grown))
    assert table.encounter.need(Combatant, "orc").position == (1, TOP + 2)
    assert table.encounter.need(Combatant, "ada").position == (1, 5)
    assert [area.squares for area in table.encounter.all(LastingArea)] == [((3, TOP + 3, 1, 1),)]
    assert table.encounter.need(Fog, "fog").squares.splitlines() == ["+", *[""] * (TOP + 1), "+"]
    table.does(ArrangeFloors(stacked(((GROUND, higher),))))  # without the cellar
    assert table.encounter.need(Combatant, "orc").position is None
    table.session.undo()
    table.session.undo()
    assert table.encounter == before


def test_no_distance_is_shown_to_another_floor() -> None:
    table = above_and_below()
    assert distance_on_floor(table.encounter, table.rules, "ada", "orc") is None
    assert distance_on_floor(table.encounter, table.rules, "ada", "bob") == 5
