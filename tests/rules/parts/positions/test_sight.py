"""Sight: conditions, walls, fog and darkness, senses other than sight, and sight set by hand."""

from __future__ import annotations

import msgspec
import pytest

from tests.play.map_table import YARD, Field, edges, rolled
from tests.table import creature, environment
from turnwright.encounter.data_rules import DataRule
from turnwright.encounter.prepared import Area, Feature, Map, Scene
from turnwright.encounter.running import Duration
from turnwright.play.effects.conditions import ApplyCondition
from turnwright.play.queries import queries
from turnwright.play.state.position_changes import SetPosition, SetRelation
from turnwright.rules.parts.positions import sight

BAT = creature("bat", senses=(("blindsight", 30),))


def sees(table: Field, one: str = "ann", other: str = "tom") -> bool | None:
    return sight.sees(table.encounter, table.rules, one, other)


def yard(*people: object, field: Map | None = YARD, **more: object) -> Field:
    table = Field("ann", "tom", *people, foes=("tom",), field=field, **more)
    return table.puts(ann=(2, 5), tom=(6, 5)) if field is not None else table


@pytest.mark.rule("a5e.external.invisible")
@pytest.mark.parametrize("field", [YARD, None])
def test_the_invisible_are_unseen_and_hard_to_hit(field: Map | None) -> None:
    table = yard(field=field)
    assert (sees(table), edges(table.attack_roll("ann", "tom"))) == (True, [])
    table.does(ApplyCondition(("tom",), "invisible"))
    assert (sees(table), sees(table, "tom", "ann")) == (False, True)
    assert rolled(table.attack_roll("ann", "tom"), 15, 4).total == 4 + 5
    assert edges(table.attack_roll("tom", "ann")) == ["advantage"]
    condition = table.rules.conditions["invisible"]
    assert condition.external
    assert condition.text


@pytest.mark.rule("a5e.external.blinded")
def test_the_blinded_see_no_creature_until_it_ends() -> None:
    table = yard()
    table.does(ApplyCondition(("ann",), "blinded", ends=Duration("turn-start", "ann")))
    assert (sees(table), sees(table, "tom", "ann")) == (False, True)
    assert edges(table.attack_roll("ann", "tom")) == ["disadvantage"]
    assert edges(table.attack_roll("tom", "ann")) == ["advantage"]
    (listed,) = queries.effects_of(table.encounter, "ann")
    assert (listed.name, listed.ends.moment, listed.ends.who) == ("blinded", "turn-start", "ann")
    assert table.rules.conditions["blinded"].external
    assert table.rules.conditions["blinded"].text
    table.ends_turn(2)
    assert sees(table)


def test_two_who_cannot_see_each_other_have_plain_disadvantage() -> None:
    table = yard()
    table.does(ApplyCondition(("ann", "tom"), "blinded"))
    assert edges(table.attack_roll("ann", "tom")) == edges(table.attack_roll("tom", "ann")) == ["disadvantage"]


@pytest.mark.rule("a5e.unseen.senses", "a5e.external.sight-senses")
@pytest.mark.parametrize(("column", "seen"), [(2 + 4, True), (2 + 6, True), (2 + 8, False)])
def test_blindsight_needs_no_eyes_within_its_range(column: int, seen: bool) -> None:
    table = yard(BAT).puts(bat=(2, 5), ann=(2, 8), tom=(column, 5))
    table.does(ApplyCondition(("tom",), "invisible"))
    assert sees(table, "bat") is seen
    assert edges(table.attack_roll("tom", "bat")) == ([] if seen else ["advantage"])
    assert edges(table.attack_roll("bat", "tom")) == ([] if seen else ["disadvantage"])
    table.does(ApplyCondition(("bat",), "blinded"))
    assert sees(table, "bat") is seen
    assert sees(table) is False


def test_a_trait_takes_a_sense_from_the_deafened() -> None:
    ears = Feature("ears", "Echolocation", rules=(DataRule("deny", "blindsight", when="deafened"),))
    table = yard(msgspec.structs.replace(BAT, features=(ears,))).puts(bat=(2, 5), ann=(2, 8), tom=(6, 5))
    table.does(ApplyCondition(("tom",), "invisible"))
    assert sees(table, "bat") is True
    table.does(ApplyCondition(("bat",), "deafened"))
    assert sees(table, "bat") is False


@pytest.mark.rule("a5e.external.sight-senses")
def test_at_an_unknown_distance_a_sense_leaves_sight_open_to_a_person() -> None:
    table = yard(BAT, field=None)
    table.does(ApplyCondition(("tom",), "invisible"))
    assert sees(table, "bat") is None
    assert edges(table.attack_roll("bat", "tom")) == []
    table.does(SetRelation("bat", "tom", distance=35))
    assert sees(table, "bat") is False
    table.does(SetRelation("bat", "tom", seen=True))
    assert sees(table, "bat") is True
    assert edges(table.attack_roll("bat", "tom")) == []
    table.does(SetRelation("ann", "tom", seen=True))
    assert sees(table) is True


def test_other_senses_overcome_what_they_are_for() -> None:
    seers = [creature(sense, senses=((sense, 60),)) for sense in ("truesight", "darkvision", "tremorsense")]
    table = yard(*seers, scene=Scene(light="dark"))
    table.puts(**{one.id: (2, 5) for one in seers})
    assert sees(table) is None
    assert [sees(table, one.id) for one in seers] == [True, True, True]
    table.does(ApplyCondition(("tom",), "invisible"))
    assert [sees(table, one.id) for one in seers] == [True, False, True]


def test_a_sense_that_ends_nowhere_needs_no_distance() -> None:
    table = yard(creature("owl", senses=(("darkvision", 0),)), field=None, scene=Scene(light="dark"))
    assert (sees(table), sees(table, "owl")) == (None, True)
    table.does(SetRelation("owl", "tom", distance=900))
    assert sees(table, "owl") is True
    table.does(ApplyCondition(("tom",), "invisible"))
    assert sees(table, "owl") is False


@pytest.mark.rule("a5e.external.obscured")
def test_fog_leaves_who_sees_whom_to_be_said() -> None:
    fog = environment("hazy")
    row = next(row for row in fog.features if row.obscured)
    field = Map(columns=16, rows=16, areas=(Area("fog", "hazy", row.id, ((1, 4, 3, 3),)),))
    table = yard("una", field=field, more=(fog,)).puts(una=(6, 12))

    def hinders(one: str, other: str) -> tuple[str, bool | None]:
        return sight.obscured_between(table.encounter, table.rules, one, other), sees(table, one, other)

    assert hinders("ann", "tom") == hinders("tom", "ann") == ("heavily obscured", None)
    assert hinders("tom", "una") == ("clear", True)
    assert edges(table.attack_roll("tom", "ann")) == ["disadvantage"]  # assumed, and said on the card
    table.puts(ann=(0, 5))  # on the far side of it
    assert hinders("tom", "ann") == ("heavily obscured", None)
    table.does(SetRelation("tom", "ann", seen=False))
    assert edges(table.attack_roll("tom", "ann")) == ["disadvantage"]


def test_without_a_grid_fog_lies_over_all_who_are_not_outside() -> None:
    table = yard("una", field=None, more=(environment("hazy"),))
    assert sees(table) is None
    for who in ("ann", "tom"):
        table.does(SetPosition(who, outside=("hazy",)))
    assert sees(table) is True
    assert sees(table, "ann", "una") is None


def test_drawn_light_obscures_and_a_light_haze_does_not_hide() -> None:
    rows = ["................"] * 5
    heavy, light = (Map(columns=16, rows=16, light="\n".join([*rows, f"....{sign}"])) for sign in "%:")
    assert sees(yard(field=heavy)) is None
    table = yard(field=light)
    assert (sees(table), sight.obscured_between(table.encounter, table.rules, "ann", "tom")) == (
        True,
        "lightly obscured",
    )


def test_walls_and_heights_stop_sight() -> None:
    table = yard(field=Map(columns=16, rows=16, walls=((4, 0, 4, 16),)))
    assert sees(table) is False
    assert "behind" in sight.sight_hindrances(table.encounter, table.rules, "ann", "tom")
    hill = Map(columns=16, rows=16, heights="\n".join(["....4"] * 16))
    table = yard(field=hill)
    assert sees(table) is False
    assert sees(table.puts(ann=(2, 5, 40), tom=(6, 5, 40))) is True
    assert table.puts(tom=(4, 5)).one("tom").elevation == 20
    assert sees(table) is True


def test_the_hidden_may_be_in_plain_sight() -> None:
    table = yard()
    table.marks("tom", "hidden", by="ann")
    assert sight.is_hidden_from(table.encounter, table.rules, "tom", "ann")
    assert not sight.is_hidden_from(table.encounter, table.rules, "tom", "tom")
    assert sees(table) is True
