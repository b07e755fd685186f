"""Doors of the map, opened, closed and found in a running fight."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, get_args

import msgspec
import pytest

from tests.for_each import for_each
from tests.play.map_table import BOW, Field
from tests.table import a5e, action_points, dnd5e, pf2e
from turnwright.encounter.prepared import Door, DoorKind, Map, MapBarrier, Obstacle
from turnwright.encounter.procedure_state.attacks import AttackInProgress
from turnwright.encounter.running import DoorState
from turnwright.play.attacks.attack_request import target_vetoes
from turnwright.play.environment.map_changes import DoorSet, SetDoor
from turnwright.play.movement.commanded_move import MovePath, cheapest_route
from turnwright.rules.parts.environment.entries import current_map
from turnwright.rules.parts.movement.routes import route_veto
from turnwright.rules.parts.positions import sight
from turnwright.rules.system import RuleSystem
from turnwright.storage.word_catalogue import WordCatalogue
from turnwright.workspace.text import Phrasebook

GATE = Map(
    columns=10,
    rows=6,
    walls=((5, 0, 5, 2), (5, 3, 5, 6)),
    doors=(Door("gate", (5.0, 2.0, 5.0, 3.0), name="North Gate"), Door("niche", (2.0, 0.0, 3.0, 0.0), "secret")),
)


def hall() -> Field:
    return Field("ada", "orc", foes=("orc",), field=GATE).puts(ada=(3, 2), orc=(7, 2))


def is_open(table: Field) -> dict[str, bool]:
    battle_map = current_map(table.encounter)
    assert battle_map is not None
    return {door.id: door.open for door in battle_map.doors}


def test_a_door_opens_and_undo_closes_it() -> None:
    table = hall()
    step = table.does(SetDoor("gate"))
    assert step is not None
    assert is_open(table) == {"gate": True, "niche": False}
    assert [(event.name, event.opened) for event in table.happened(DoorSet)] == [("North Gate", True)]
    table.session.undo()
    assert not is_open(table)["gate"]


def test_opening_twice_is_no_step() -> None:
    table = hall()
    table.does(SetDoor("gate"))
    assert table.does(SetDoor("gate")) is None


def test_a_secret_door_is_found_before_or_by_opening() -> None:
    table = hall()
    table.does(SetDoor("niche", "found"))
    assert table.encounter.get(DoorState, "niche") == DoorState("niche", found=True)
    table.does(SetDoor("niche", "open"))
    table.does(SetDoor("niche", "closed"))
    assert table.encounter.get(DoorState, "niche") == DoorState("niche", found=True)


def test_an_unknown_door_is_refused() -> None:
    refused = hall().refuses(SetDoor("gait"))
    assert (refused.key, refused.params["what"]) == ("refused.no_such_door", "gait")


def test_a_closed_door_stops_moves_and_lines_and_an_open_one_neither() -> None:
    table = hall()
    through = MovePath("ada", ((4, 2), (5, 2)), "walk")
    refused = table.refuses(through)
    assert (refused.key, refused.params["door"]) == ("refused.closed_door", "North Gate")
    assert sight.line_of_sight(table.encounter, table.rules, "ada", "orc") is False
    table.does(SetDoor("gate"))
    assert sight.line_of_sight(table.encounter, table.rules, "ada", "orc") is True
    table.does(through)
    assert table.one("ada").position == (5, 2)


@pytest.mark.parametrize("kind", ["door", "secret", "portcullis", "window"])
def test_a_closed_door_is_named_where_it_is_in_the_way(kind: DoorKind) -> None:
    unnamed = msgspec.structs.replace(GATE, doors=(Door("gate", (5.0, 2.0, 5.0, 3.0), kind),))
    table = Field("ada", "orc", foes=("orc",), field=unnamed)
    table.puts(ada=(4, 2), orc=(7, 2))
    refused = table.refuses(MovePath("ada", ((5, 2),), "walk"))
    assert (refused.key, refused.params["door"]) == ("refused.closed_door", f"<door.{kind}>")
    attack = AttackInProgress("ada", BOW, "orc")
    blocked = [one for one in target_vetoes(table.encounter, table.rules, attack) if "door_blocks" in one.reason]
    assert len(blocked) == {"door": 2, "secret": 2, "portcullis": 0, "window": 1}[kind]
    assert all(dict(one.params)["door"] == f"<door.{kind}>" for one in blocked)
    table.does(SetDoor("gate"))
    table.does(MovePath("ada", ((5, 2),), "walk"))


def test_a_wall_beside_a_closed_door_is_no_door() -> None:
    table = hall().puts(ada=(4, 4))
    assert table.refuses(MovePath("ada", ((5, 4),), "walk")).key == "refused.blocked_square"
    attack = AttackInProgress("ada", BOW, "orc")
    table.puts(ada=(4, 5), orc=(5, 5))
    reasons = {one.reason for one in target_vetoes(table.encounter, table.rules, attack)}
    assert reasons >= {"refused.no_line_of_sight", "refused.no_line_of_effect"}
    assert not {reason for reason in reasons if "door" in reason}


@pytest.mark.parametrize("is_open", [False, True])
def test_a_curtain_between_jambs_off_the_grid_is_walked_through(is_open: bool) -> None:
    walls = (MapBarrier("wall", ((0.0, 2.0), (1.5, 2.0))), MapBarrier("wall", ((2.5, 2.0), (8.0, 2.0))))
    curtain = Door("drape", (1.5, 2.0, 2.5, 2.0), "curtain", open=is_open)
    table = Field("ada", field=Map(columns=8, rows=4, barriers=walls, doors=(curtain,))).puts(ada=(1, 1))
    table.does(MovePath("ada", ((1, 2), (2, 2), (2, 1)), "walk"))
    assert table.one("ada").position == (2, 1)
    table.puts(ada=(3, 1))
    assert table.refuses(MovePath("ada", ((3, 2),), "walk")).key == "refused.blocked_square"


@pytest.mark.parametrize("rules", [a5e, dnd5e, action_points, pf2e])
def test_a_door_on_part_of_a_side_is_named_while_closed_and_walked_through_while_open(
    rules: Callable[[], RuleSystem],
) -> None:
    line, edges = {"barriers": (MapBarrier("wall", ((4.0, 0.0), (4.0, 6.0))),)}, {"walls": ((4, 0, 4, 6),)}
    for walls, kind in ((line, "portcullis"), (edges, "door"), (line, "curtain"), (edges, "curtain")):
        gate = Door("gate", (4.0, 1.6, 4.0, 2.0), kind)
        table = Field("ada", field=Map(columns=8, rows=6, doors=(gate,), **walls), rules=rules()).puts(ada=(3, 1))
        through = MovePath("ada", ((4, 1),), "walk")
        if kind != "curtain":
            assert table.refuses(through).params["door"] == f"<door.{kind}>"
            table.does(SetDoor("gate"))
        table.does(through)
        assert table.one("ada").position == (4, 1)


def test_a_door_without_a_name_is_told_by_its_kind() -> None:
    field = Map(columns=10, rows=6, doors=(Door("door-1", (5.0, 2.0, 5.0, 3.0), "portcullis"),))
    table = Field("ada", "orc", foes=("orc",), field=field).puts(ada=(3, 2), orc=(7, 2))
    table.does(SetDoor("door-1"))
    assert [event.name for event in table.happened(DoorSet)] == ["<door.portcullis>"]
    words = WordCatalogue.load()
    assert {words(f"door.{kind}") for kind in get_args(DoorKind)} == {
        "The door",
        "The secret door",
        "The window",
        "The portcullis",
        "The curtain",
    }


@for_each(
    ("changed", "to", "what"),
    [
        ({}, (8, 2), ("refused.closed_door", "North Gate")),
        (
            {"doors": (Door("bars", (5.0, 2.0, 5.0, 3.0), "portcullis"),)},
            (8, 2),
            ("refused.closed_door", "<door.portcullis>"),
        ),
        ({"doors": (), "walls": ((5, 0, 5, 6),)}, (8, 2), ("refused.blocked_square", "<barrier.wall>")),
        (
            {"doors": (), "walls": (), "windows": ((5, 0, 5, 6),)},
            (8, 2),
            ("refused.blocked_square", "<barrier.window>"),
        ),
        (
            {"doors": (), "walls": (), "barriers": (MapBarrier("rail", ((5.2, 0.0), (5.2, 6.0))),)},
            (8, 2),
            ("refused.blocked_square", "<barrier.rail>"),
        ),
        (
            {"doors": (), "obstacles": (Obstacle("tomb", "Tomb", at=(5, 2), blocks="movement"),)},
            (5, 2),
            ("refused.blocked_square", "Tomb"),
        ),
        (  # not the short wall, which can be walked around
            {"doors": (), "walls": ((4, 2, 4, 3),), "barriers": (MapBarrier("rail", ((6.2, 0.0), (6.2, 6.0))),)},
            (8, 2),
            ("refused.blocked_square", "<barrier.rail>"),
        ),
        ({"ground": "..........\n" * 3 + "#.........\n"}, (0, 3), ("refused.blocked_square", "<barrier.wall>")),
    ],
)
def test_a_square_without_a_way_says_what_is_in_the_way(
    changed: dict[str, Any], to: tuple[int, int], what: tuple[str, str]
) -> None:
    table = Field("ada", field=msgspec.structs.replace(GATE, **changed)).puts(ada=(3, 2))
    assert cheapest_route(table.encounter, table.rules, "ada", to) is None
    veto = route_veto(table.encounter, table.rules, "ada", to, "walk")
    assert veto is not None
    params = dict(veto.params)
    assert (veto.reason, params.get("door", params.get("what"))) == what
    assert "<" not in Phrasebook(WordCatalogue.load(), table.rules).text(veto.reason, **params)
