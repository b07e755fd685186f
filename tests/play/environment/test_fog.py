"""Fog on the map: shown by squares, rooms and sight, hidden again, saved, and undone."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from tests.play.map_table import Field
from tests.table import Table, a5e
from turnwright.cli.script.lexer import split_words
from turnwright.cli.script.parser import parse
from turnwright.cli.script.resolve import NameResolver
from turnwright.encounter.prepared import Creature, Door, Map, MapBarrier, MapLight, Scene
from turnwright.encounter.running import Combatant, Fog
from turnwright.encounter.state import Encounter
from turnwright.play.environment.map_changes import LayArea, SetDoor, SetFog, SetRoomFog, ShowSight
from turnwright.play.setup.encounter_course import StartEncounter
from turnwright.play.setup.prepared_records import Edit
from turnwright.play.table.game_master import SetHidden
from turnwright.rules.parts.positions.sight import room_squares
from turnwright.storage.fights import fight_text, parse_fight

# Two rooms of 5 × 4 with a door between, the left one with a nook behind a curtain.
HOUSE = Map(
    columns=10,
    rows=4,
    walls=((5, 0, 5, 1), (5, 2, 5, 4)),
    curtains=((0, 3, 2, 3), (2, 3, 2, 4)),
    doors=(Door("gate", (5.0, 1.0, 5.0, 2.0)),),
)
CAVE = Map(
    columns=8,
    rows=8,
    barriers=(MapBarrier(points=((4.2, 0.0), (4.2, 8.0))), MapBarrier("rail", ((0.0, 4.0), (8.0, 4.0)))),
)


def house(*people: str | Creature, field: Map = HOUSE, **given: object) -> Field:
    return Field(*(people or ("ada", "orc")), foes=("orc",), field=field, **given)


def drawn(table: Field) -> list[str]:
    """Return the fog as it is drawn, without what is hidden at the ends."""
    return table.encounter.need(Fog, "fog").squares.splitlines()


def test_without_fog_there_is_no_record_and_off_takes_it_away() -> None:
    table = house()
    assert table.encounter.get(Fog, "fog") is None
    table.does(SetFog("hidden"))
    assert table.encounter.need(Fog, "fog").squares == ""
    table.does(SetFog("off"))
    assert table.encounter.get(Fog, "fog") is None


def test_squares_are_shown_explored_and_hidden_and_a_stroke_is_one_step() -> None:
    table = house()
    table.does(SetFog("shown", ((1, 1), (2, 1), (99, 0)), merge="stroke 1"))
    table.does(SetFog("shown", ((3, 1),), merge="stroke 1"))
    assert drawn(table) == [".", ".+++"]
    table.does(SetFog("explored", ((2, 1),)))
    table.does(SetFog("hidden", ((3, 1),)))
    assert drawn(table) == [".", ".+-"]
    for _ in range(3):
        table.session.undo()
    assert table.encounter.get(Fog, "fog") is None


def test_the_whole_map_is_shown() -> None:
    table = house()
    table.does(SetFog("shown"))
    assert drawn(table) == ["+" * 10] * 4


def test_a_room_ends_at_walls_curtains_and_doors_open_or_not() -> None:
    table = house()
    table.does(SetDoor("gate", "open"))
    table.does(SetRoomFog((0, 0)))
    assert drawn(table) == ["+++++", "+++++", "+++++", "..+++"]
    table.does(SetRoomFog((0, 3)))
    assert drawn(table) == ["+++++", "+++++", "+++++", "+++++"]
    table.does(SetRoomFog((0, 0), "hidden"))
    assert drawn(table) == [".", "", "", "++"]


def test_a_room_of_a_cave_ends_at_its_wall_and_not_at_a_rail() -> None:
    assert room_squares(CAVE, (0, 0)) == {(column, row) for column in range(4) for row in range(8)}
    assert room_squares(CAVE, (20, 0)) == frozenset()


def test_a_room_shows_the_thick_walls_around_it() -> None:
    thick = Map(columns=5, rows=3, ground="..#..\n..#..\n..#..\n")
    assert room_squares(thick, (0, 0)) == {(column, row) for column in range(3) for row in range(3)}
    assert room_squares(thick, (2, 1)) == {(2, 1)}


def test_the_party_sees_up_to_walls_and_what_it_saw_stays_explored() -> None:
    table = house(field=msgspec.structs.replace(HOUSE, curtains=())).puts(ada=(1, 1), orc=(8, 1))
    table.does(ShowSight())
    assert drawn(table) == ["+++++"] * 4
    table.does(SetDoor("gate", "open"))
    table.puts(ada=(9, 1))
    table.does(ShowSight())
    assert all(line[5:] == "+++++" for line in drawn(table))
    assert drawn(table)[3][:5] == "-----"
    assert drawn(table)[1][:5] == "+++++"  # in line with the door


def test_foes_and_the_fallen_show_nothing() -> None:
    table = house().puts(ada=(1, 1), orc=(8, 1))
    fallen = msgspec.structs.replace(table.encounter.need(Combatant, "ada"), hp=0)
    table.has(fallen)
    table.does(ShowSight())
    assert drawn(table) == []
    table.does(ShowSight(("orc",)))
    assert drawn(table)[0] == ".....+++++"


@pytest.mark.parametrize(("senses", "seen"), [((), 1), ((("darkvision", 10),), 9), ((("darkvision", 60),), 20)])
def test_in_the_dark_only_senses_and_light_show(senses: tuple[tuple[str, int], ...], seen: int) -> None:
    scene = Scene(title="Dark", system="a5e", light="dark")
    viewer = Creature("ada", "Ada", senses=senses)
    table = house(viewer, "orc", field=msgspec.structs.replace(HOUSE, curtains=()), scene=scene).puts(ada=(0, 0))
    table.does(ShowSight())
    assert "".join(drawn(table)).count("+") == seen
    lit = MapLight((4.5, 3.5), bright=5, dim=5)
    table.has(msgspec.structs.replace(table.encounter.need(Map, "map"), lights=(lit,)))
    table.does(ShowSight())
    assert drawn(table)[3][4] == "+"


def test_light_of_areas_that_players_know_nothing_of_shows_nothing() -> None:
    field = msgspec.structs.replace(HOUSE, curtains=())
    table = house(Creature("ada", "Ada"), "orc", field=field, scene=Scene(title="Dark", system="a5e", light="dark"))
    table.puts(ada=(0, 0), orc=(3, 2))
    table.does(LayArea("Torch", "orc", radius=5, light="bright"))
    table.does(SetHidden(("orc",), hidden=True))
    table.does(ShowSight())
    assert "".join(drawn(table)).count("+") == 1
    table.does(SetHidden(("orc",), hidden=False))
    table.does(ShowSight())
    assert drawn(table)[2][3] == "+"
    table.puts(orc=(8, 3))  # behind the wall, but its light may fall through the door
    table.does(SetDoor("gate"))
    table.does(ShowSight())
    assert drawn(table)[2][4] != "+"


def test_fog_is_prepared_and_a_fight_begins_with_it() -> None:
    table = Table("ada", surroundings=[HOUSE])
    table.does(SetFog("hidden"))
    assert table.encounter.need(Map, "map").fog == "."
    table.does(SetRoomFog((8, 1)))
    prepared = table.encounter.need(Map, "map").fog
    assert prepared.splitlines()[0] == ".....+++++"
    table.refuses(ShowSight())
    table.does(StartEncounter())
    assert table.encounter.need(Fog, "fog").squares == prepared
    table.does(SetFog("shown"))
    assert table.encounter.need(Map, "map").fog == prepared
    table.session.undo()
    table.session.undo()
    table.does(SetFog("off"))
    assert (table.encounter.need(Map, "map").fog, table.encounter.get(Fog, "fog")) == ("", None)


def test_fog_survives_saving_and_another_import_of_the_map() -> None:
    table = house()
    table.does(SetFog("shown", ((3, 2), (4, 2))))
    before = table.encounter.need(Fog, "fog")
    text = fight_text(table.encounter, (), "")
    assert '[fog]\nsquares = """' in text
    assert "...++" in text.splitlines()
    prepared = Encounter(
        record for record in table.encounter if record.table in ("scene", "map", "creatures", "roster")
    )
    again = parse_fight(text.encode(), Path("a.fight.toml"), prepared)
    assert again.records is not None
    assert before in again.records
    table.does(Edit(msgspec.structs.replace(HOUSE, columns=4, doors=())))
    assert table.encounter.need(Fog, "fog") == before
    table.does(SetFog("shown", ((0, 0),)))
    assert drawn(table) == ["+", "", "...+"]


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("fog hidden", SetFog("hidden")),
        ("fog shown 1,1 3,2:2,1", SetFog("shown", ((1, 1), (2, 1), (3, 1), (2, 2), (3, 2)))),
        ("fog off", SetFog("off")),
        ("room 2,3", SetRoomFog((2, 3))),
        ("room 2,3 hidden", SetRoomFog((2, 3), "hidden")),
        ("look", ShowSight()),
        ("look ada", ShowSight(("ada",))),
    ],
)
def test_scripts_know_the_fog(line: str, wanted: object) -> None:
    assert parse(split_words(line), NameResolver(house().encounter, a5e())).statement == wanted
