"""Occupied squares: spaces, numbers around a target, passing and staying, squeezing, and difficult ground."""

from __future__ import annotations

import pytest

from tests.play.map_table import SWORD, YARD, Field, bonus, edges, rolled
from tests.table import a5e, creature, environment
from turnwright.encounter.data_rules import DataRule
from turnwright.encounter.prepared import Area, Feature, Map, Scene
from turnwright.encounter.running import Combatant, Effect
from turnwright.play.damage.manual_hit_points import SetDead
from turnwright.play.effects.conditions import ApplyCondition
from turnwright.play.movement.commanded_move import MovePath
from turnwright.play.queries import queries
from turnwright.play.state.position_changes import SetRelation
from turnwright.rules.parts.checks.ability_checks import save_roll
from turnwright.rules.parts.positions import geometry, sight, squares

SIZES = (
    ("tiny", 2.5, 8),
    ("small", 5, 8),
    ("medium", 5, 8),
    ("large", 10, 12),
    ("huge", 15, 16),
    ("gargantuan", 20, 20),
    ("titanic", 25, 24),
)
RINGS = ((4, 5), (4, 4), (5, 4), (6, 4), (7, 4), (7, 5), (7, 6), (7, 7), (6, 7), (5, 7), (4, 7), (4, 6))


def limit(table: Field, side: float = 5, target: str = "tom") -> int | None:
    return squares.max_around(table.encounter, table.rules, target, side)


@pytest.mark.parametrize(
    ("size", "space", "around"), [pytest.param(*row, marks=pytest.mark.rule(f"a5e.size.{row[0]}")) for row in SIZES]
)
def test_the_table_of_sizes(size: str, space: float, around: int) -> None:
    table = Field(creature("tom", size=size))
    assert geometry.effective_side(table.encounter, table.rules, "tom") == space
    assert limit(table) == around
    row = next(one for one in a5e().data.sizes if one.id == size)
    assert row.ledger == (f"a5e.size.{size}",)
    assert row.or_more == (size == "titanic")


@pytest.mark.rule("a5e.size.titanic")
def test_a_titan_may_be_bigger_still() -> None:
    table = Field(creature("tom", size="titanic", space=40))
    assert geometry.effective_side(table.encounter, table.rules, "tom") == 40
    assert limit(table) == 36
    assert limit(Field(creature("tom", size="titanic", space=20))) == 24


@pytest.mark.rule("a5e.variant.size-table")
def test_the_older_table_has_the_same_spaces_and_no_counts() -> None:
    assert [(size.id, size.space) for size in a5e().data.sizes] == [row[:2] for row in SIZES]
    older = Field("tom", scene=Scene(options=("no-surround-limit",)))
    assert limit(older) is None
    assert not squares.fully_surrounded(older.encounter, older.rules, "tom")


@pytest.mark.rule("a5e.size.surround-medium-by-large")
def test_eight_medium_or_four_large_stand_around_one() -> None:
    table = Field("tom")
    assert (limit(table, 5), limit(table, 10)) == (8, 4)


@pytest.mark.rule("a5e.size.surround-limit")
def test_a_thirteenth_finds_no_room_around_a_large_one() -> None:
    crowd = [f"foe{number}" for number in range(13)]
    table = Field(creature("tom", size="large"), *crowd, foes=("tom",))
    table.puts(tom=(5, 5), **dict(zip(crowd, RINGS, strict=False)))
    assert len(RINGS) == limit(table) == 12
    assert squares.fully_surrounded(table.encounter, table.rules, "tom", "foe12")
    veto = squares.stay_veto(table.encounter, table.rules, "foe12", (4, 4), 0)
    assert veto is not None
    assert (veto.reason, veto.rule) == ("refused.surrounded", "a5e.size.surround-limit")
    assert squares.join_veto(table.encounter, table.rules, "foe12", "tom") == veto
    table.puts(foe3=(12, 12))
    assert squares.join_veto(table.encounter, table.rules, "foe12", "tom") is None
    assert squares.stay_veto(table.encounter, table.rules, "foe12", RINGS[3], 0) is None


@pytest.mark.rule("a5e.size.surround-limit")
def test_without_a_grid_the_count_alone_is_the_limit() -> None:
    crowd = [f"foe{number}" for number in range(9)]
    table = Field("tom", *crowd, foes=("tom",), field=None)
    for who in crowd[:8]:
        table.does(SetRelation(who, "tom", distance=5))
    refused = table.refuses(SetRelation("foe8", "tom", distance=5))
    assert (refused.key, refused.rule) == ("refused.surrounded", "a5e.size.surround-limit")
    table.does(SetRelation("foe8", "tom", distance=10))
    table.does(SetRelation("foe0", "tom", distance=5))  # stands there already
    table.does(SetRelation("foe0", "tom", distance=15))
    table.does(SetRelation("foe8", "tom", distance=5))


# Occupied squares ------------------------------------------------------------------------------------------------


def meeting(size: str = "medium", other: str = "medium", **given: object) -> Field:
    people = (creature("ann", size=size), creature("tom", size=other), "bob")
    return Field(*people, foes=("tom",), **given).puts(ann=(2, 5), tom=(8, 5), bob=(8, 8))


def enters(table: Field, who: str, square: tuple[int, int], elevation: int = 0) -> str:
    veto = squares.enter_veto(table.encounter, table.rules, who, square, elevation)
    assert veto is None or veto.rule == "a5e.size.pass-through"
    return veto.reason if veto is not None else ""


def ends(table: Field, who: str, square: tuple[int, int], elevation: int = 0) -> str:
    veto = squares.stay_veto(table.encounter, table.rules, who, square, elevation)
    return veto.reason if veto is not None else ""


OCCUPIED = "refused.occupied"


@pytest.mark.parametrize(
    ("what", "stays", "others"), [("creatures", "", OCCUPIED), ("shared", "", ""), ("enemies", OCCUPIED, OCCUPIED)]
)
def test_a_feature_opens_the_spaces_of_foes_but_not_always_its_own(what: str, stays: str, others: str) -> None:
    airy = Feature("airy", "Airy", rules=(DataRule("terrain", what),))
    table = Field(creature("ann", features=(airy,)), "tom", foes=("tom",)).puts(ann=(2, 5), tom=(8, 5))
    assert (enters(table, "ann", (8, 5)), ends(table, "ann", (8, 5))) == ("", stays)
    assert (enters(table, "tom", (2, 5)), ends(table, "tom", (2, 5))) == (others, others)


@pytest.mark.rule("a5e.size.pass-through")
def test_a_foe_of_like_size_blocks_the_way() -> None:
    table = meeting()
    assert enters(table, "ann", (8, 5)) == "refused.occupied"
    assert enters(table, "tom", (8, 8)) == "refused.occupied"
    table.marks("ann", "tumbling", by="tom")
    assert enters(table, "ann", (8, 5)) == ""
    assert ends(table, "ann", (8, 5)) == "refused.occupied"


@pytest.mark.rule("a5e.size.pass-through")
def test_friends_of_any_size_let_one_pass_but_not_stay() -> None:
    for size in ("tiny", "huge"):
        table = meeting(size)
        assert enters(table, "ann", (8, 8)) == ""
        assert ends(table, "ann", (8, 8)) == "refused.occupied"


@pytest.mark.parametrize(
    ("size", "other", "reason"),
    [
        ("large", "medium", "refused.occupied"),
        ("huge", "medium", ""),
        ("gargantuan", "medium", ""),
        ("small", "gargantuan", "refused.occupied"),
        ("medium", "tiny", ""),
    ],
)
def test_only_the_much_larger_walk_through_a_foe(size: str, other: str, reason: str) -> None:
    table = meeting(size, other)
    assert enters(table, "ann", (8, 5)) == reason
    assert ends(table, "ann", (8, 5)) == "refused.occupied"


def test_the_dead_hold_no_square_and_what_flies_above_is_no_hindrance() -> None:
    table = meeting()
    assert (enters(table, "ann", (8, 5), 5), ends(table, "ann", (8, 5), 5)) == ("", "")
    assert enters(table, "ann", (8, 5), 4) == "refused.occupied"
    table.does(SetDead("tom"))
    assert (enters(table, "ann", (8, 5)), ends(table, "ann", (8, 5))) == ("", "")


def test_the_whole_space_of_a_large_one_counts() -> None:
    table = meeting("large")
    assert [enters(table, "ann", square) for square in ((7, 4), (7, 5), (6, 5), (9, 5))] == [
        "refused.occupied",
        "refused.occupied",
        "",
        "",
    ]


def test_four_tiny_ones_share_a_square() -> None:
    swarm = [creature(f"bat{number}", size="tiny") for number in range(5)]
    table = Field(*swarm).puts(bat0=(3, 3), bat1=(3, 3), bat2=(3, 3), bat3=(8, 8), bat4=(9, 9))
    assert ends(table, "bat3", (3, 3)) == ""
    table.puts(bat3=(3, 3))
    assert ends(table, "bat4", (3, 3)) == "refused.occupied"


# Squeezing -----------------------------------------------------------------------------------------------------------


def wedged() -> Field:
    """Return Ann, who squeezes, and Tom."""
    table = Field(creature("ann", abilities=(("dex", 12),), speeds=(("walk", 40),), ac=18), "tom", foes=("tom",))
    table.puts(ann=(4, 5), tom=(5, 5))
    table.does(ApplyCondition(("ann",), "squeezing"))
    return table


@pytest.mark.rule("a5e.squeeze.speed")
def test_squeezing_halves_speed() -> None:
    figure = queries.speed(wedged().encounter, a5e(), "ann")
    assert figure is not None
    assert (figure.total, figure.parts[-1].rule) == (20, "a5e.squeeze.speed")


@pytest.mark.rule("a5e.squeeze.own-checks")
def test_squeezing_worsens_checks() -> None:
    roll = rolled(wedged().trial("ann", "check.dex"), 17, 6)
    assert (roll.total, [edge.rule for edge in roll.edges]) == (7, ["a5e.squeeze.own-checks"])


@pytest.mark.rule("a5e.squeeze.own-attacks")
def test_squeezing_worsens_attacks() -> None:
    roll = rolled(wedged().attack_roll("ann", "tom"), 18, 5)
    assert (roll.total, [edge.rule for edge in roll.edges]) == (5 + 5, ["a5e.squeeze.own-attacks"])


@pytest.mark.rule("a5e.squeeze.own-dex-saves")
def test_squeezing_worsens_dexterity_saves_alone() -> None:
    table = wedged()
    assert rolled(table.trial("ann", "save.dex"), 12, 5).total == 6
    assert rolled(table.trial("ann", "save.wis"), 12).total == 12
    assert rolled(save_roll(table.encounter, table.rules, "ann", "dex"), 12, 5).total == 6


@pytest.mark.rule("a5e.squeeze.attacks-against")
def test_attacks_on_the_squeezing_have_advantage() -> None:
    table = wedged()
    roll = rolled(table.attack_roll("tom", "ann"), 3, 14)
    assert (roll.total, [edge.rule for edge in roll.edges]) == (19, ["a5e.squeeze.attacks-against"])
    assert table.armor_class("tom", "ann", SWORD) <= 19


@pytest.mark.rule("a5e.squeeze.checks-against")
def test_checks_against_the_squeezing_have_advantage() -> None:
    table = wedged()
    spec = table.trial("tom", "check.str:athletics", "ann")
    assert (edges(spec), [edge.rule for edge in spec.edges]) == (["advantage"], ["a5e.squeeze.checks-against"])
    assert rolled(spec, 4, 16).total == 16 + bonus(spec)
    assert edges(table.trial("tom", "check.str:athletics")) == []


@pytest.mark.rule("a5e.variant.squeeze-example")
@pytest.mark.parametrize("options", [(), ("squeezing-example",)])
def test_one_squeezes_through_what_is_fit_for_one_size_smaller(options: tuple[str, ...]) -> None:
    tunnel = Map(columns=8, rows=8, walls=((2, 2, 8, 2), (2, 3, 8, 3)))
    people = (creature("ogre", size="large"), creature("giant", size="huge"), "ann")
    table = Field(*people, field=tunnel, scene=Scene(options=options))

    def into(who: str) -> str:
        return squares.fit_at(table.encounter, table.rules, who, (4, 2))

    assert [into(who) for who in ("ogre", "giant", "ann")] == ["squeezes", "no", "fits"]
    text = next(one.text for one in a5e().data.options if one.id == "squeezing-example")
    assert "tunnel" in text


def test_creatures_that_fit_through_every_gap_never_squeeze() -> None:
    tunnel = Map(columns=8, rows=8, walls=((2, 2, 8, 2), (2, 3, 8, 3)))
    seeps = Feature("seeps", "Seeps", "trait", rules=(DataRule("terrain", "narrow"),))
    people = (creature(size, size=size, features=(seeps,)) for size in ("huge", "large"))
    table = Field(*people, creature("ogre", size="large"), field=tunnel)
    fit = [squares.fit_at(table.encounter, table.rules, who, (4, 2)) for who in ("large", "huge", "ogre")]
    assert fit == ["seeps", "seeps", "squeezes"]
    table.puts(huge=(1, 2))
    table.does(MovePath("huge", ((2, 2), (3, 2), (4, 2))), anyway=True)
    huge = table.encounter.need(Combatant, "huge")
    assert (huge.position, list(table.encounter.of(Effect, "huge"))) == ((4, 2), [])


def test_squeezing_takes_the_space_of_one_size_smaller() -> None:
    table = Field(creature("ogre", size="large"))
    table.does(ApplyCondition(("ogre",), "squeezing"))
    assert geometry.effective_side(table.encounter, table.rules, "ogre") == 5


# Hard ground ---------------------------------------------------------------------------------------------------------


def ground(field: Map, square: tuple[int, int], *places: object, **how: bool) -> tuple[int, str] | None:
    table = Field(creature("ogre", size="large"), "ann", field=field, more=places)
    found = squares.ground_cost_at(table.encounter, table.rules, "ann", square, **how)
    return (found.value, found.rule) if found is not None else None


@pytest.mark.rule("a5e.terrain.examples")
def test_three_sorts_of_hard_ground_are_shipped_each_a_foot_more() -> None:
    kinds = [one for one in a5e().data.terrains if one.ledger == ("a5e.terrain.examples",)]
    assert [one.id for one in kinds] == ["thick-bramble", "treacherous-steps", "clinging-mud"]
    for kind in kinds:
        field = Map(columns=9, rows=9, areas=(Area("a", feature=kind.id, squares=((2, 2, 1, 1),)),))
        assert ground(field, (2, 2)) == (1, "a5e.terrain.examples")
        assert ground(field, (3, 2)) is None


@pytest.mark.rule("a5e.terrain.no-stack")
def test_several_reasons_make_a_square_hard_once() -> None:
    areas = (
        Area("a", feature="thick-bramble", squares=((0, 0, 3, 3),)),
        Area("b", feature="clinging-mud", squares=((1, 1, 3, 3),)),
        Area("c", "swampy", "", ((0, 0, 9, 9),)),
    )
    field = Map(columns=9, rows=9, ground=",,,\n,,,\n,,,", areas=areas)
    found = ground(field, (1, 1), environment("swampy"))
    assert found is not None
    assert found[0] == 1


def test_the_ground_is_hard_where_it_was_drawn_so() -> None:
    field = Map(columns=4, rows=2, ground=".,..\n....")
    table = Field(creature("ogre", size="large"), "ann", field=field)
    assert ground(field, (1, 0)) == (1, "a5e.terrain.cost")
    assert ground(field, (1, 1)) is None

    def under(who: str) -> object:
        return squares.ground_cost_at(table.encounter, table.rules, who, (0, 0))

    assert (under("ann"), under("ogre") is not None) == (None, True)


def test_ice_is_hard_for_those_who_turn_on_it() -> None:
    frozen = environment("frigid")
    row = next(row for row in frozen.features if row.redirect)
    field = Map(columns=9, rows=9, areas=(Area("ice", "frigid", row.id, ((0, 0, 2, 2),)),))
    assert ground(field, (1, 1), frozen) is None
    assert ground(field, (1, 1), frozen, turned=True) == (1, row.rules[0])
    assert ground(field, (5, 5), frozen, turned=True) is None


@pytest.mark.rule("a5e.variant.wording-only")
@pytest.mark.parametrize("older", [False, True])
def test_wording_changes_no_figure(older: bool) -> None:
    options = tuple(one.id for one in a5e().data.options if one.id != "no-surround-limit") if older else ()
    table = Field(creature("tom", size="tiny", ac=14), "ann", field=YARD, scene=Scene(options=options))
    assert geometry.effective_side(table.encounter, table.rules, "tom") == 2.5
    assert limit(table) == 8
    table.does(SetRelation("ann", "tom", cover="half"))
    assert table.armor_class("ann", "tom", SWORD) == 16
    table.does(SetRelation("ann", "tom", cover="total"))
    veto = sight.total_cover_vetoes(table.encounter, table.rules, "ann", "tom")
    assert veto is not None
    table.does(ApplyCondition(("ann",), "prone"))
    assert edges(table.attack_roll("ann", "tom")) == ["disadvantage"]
