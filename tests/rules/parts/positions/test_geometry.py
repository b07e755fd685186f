"""Relative positions: flanking, heights, back to back, and relations set by hand."""

from __future__ import annotations

import pytest

from tests.play.map_table import BOW, SWORD, YARD, Field, bonus, edges, extra
from tests.table import creature
from turnwright.encounter.prepared import Map, RosterEntry, Scene
from turnwright.encounter.running import Effect, Relation
from turnwright.play.actions.action import TakeAction
from turnwright.play.damage.manual_hit_points import SetHitPoints
from turnwright.play.effects.conditions import ApplyCondition, EndEffect
from turnwright.play.state.events import EffectEnded, StatSet
from turnwright.play.state.position_changes import RelationSet, SetPosition, SetRelation
from turnwright.play.table.game_master import SetStat
from turnwright.rules.parts.checks.ability_checks import passive_score, save_roll
from turnwright.rules.parts.positions import geometry, sight
from turnwright.rules.system import Hook, HookContext, run_hooks


def trio(**given: object) -> Field:
    """Return Ann and Bob, and against them Tom and Una."""
    return Field("ann", "bob", "tom", "una", foes=("tom", "una"), **given).puts(
        ann=(4, 5), bob=(6, 5), tom=(5, 5), una=(12, 12)
    )


def flanking(table: Field, who: str, other: str = "tom") -> bool | None:
    return sight.flanks(table.encounter, table.rules, who, other)


# Flanking -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("a5e.tactic.flank.grid")
@pytest.mark.parametrize(
    ("ann", "bob", "flank"),
    [
        ((4, 5), (6, 5), True),
        ((5, 4), (5, 6), True),
        ((4, 4), (6, 6), True),
        ((4, 5), (5, 6), False),
        ((4, 5), (6, 6), False),
        ((4, 5), (4, 6), False),
        ((3, 5), (6, 5), False),  # one of them can't reach
    ],
)
def test_allies_on_opposite_sides_flank(ann: tuple[int, int], bob: tuple[int, int], flank: bool) -> None:
    table = trio().puts(ann=ann, bob=bob)
    assert (flanking(table, "ann"), flanking(table, "bob")) == (flank, flank)
    assert bool(extra(table.attack_roll("ann", "tom"))) == flank


def test_a_large_target_is_flanked_across_its_whole_space() -> None:
    table = Field("ann", "bob", creature("ogre", size="large"), foes=("ogre",)).puts(
        ogre=(5, 5), ann=(4, 5), bob=(7, 5)
    )
    assert flanking(table, "ann", "ogre")
    assert not flanking(table.puts(bob=(5, 7)), "ann", "ogre")


@pytest.mark.rule("a5e.tactic.flank.die")
def test_flankers_gain_a_die_on_attacks_and_checks_against_the_flanked_alone() -> None:
    table = trio()
    for who in ("ann", "bob"):
        assert extra(table.attack_roll(who, "tom")) == ["1d4"]
        assert extra(table.attack_roll(who, "tom", BOW)) == ["1d4"]
        assert extra(table.trial(who, "check.wis:insight", "tom")) == ["1d4"]
        assert extra(table.attack_roll(who, "una")) == []
        assert extra(table.trial(who, "check.wis:insight", "una")) == []
        assert extra(table.trial(who, "save.dex", "tom")) == []
    assert table.attack_roll("ann", "tom").extra[0].rule == "a5e.tactic.flank.die"
    assert extra(table.attack_roll("tom", "ann")) == []


@pytest.mark.rule("a5e.tactic.flank.incapacitated", "a5e.external.incapacitated")
@pytest.mark.parametrize("condition", ["incapacitated", "unconscious"])
@pytest.mark.parametrize("who", ["ann", "bob"])
def test_the_incapacitated_do_not_flank(condition: str, who: str) -> None:
    table = trio()
    table.does(ApplyCondition((who,), condition))
    assert extra(table.attack_roll("ann", "tom")) == []
    table.does(EndEffect(next(one.id for one in table.encounter.all(Effect) if one.target == who)))
    assert extra(table.attack_roll("ann", "tom")) == ["1d4"]


@pytest.mark.rule("a5e.external.incapacitated")
def test_an_ally_who_is_down_does_not_flank() -> None:
    table = trio()
    table.does(SetHitPoints("bob", hp=0))
    assert extra(table.attack_roll("ann", "tom")) == []
    assert "incapacitated" in table.rules.conditions["unconscious"].implies


@pytest.mark.rule("a5e.tactic.flank.gridless")
def test_without_a_grid_three_in_melee_flank() -> None:
    table = Field("ann", "bob", "cat", "tom", "una", foes=("tom", "una"), field=None)
    for who in ("ann", "bob"):
        table.does(SetRelation(who, "tom", reached=True))
    table.does(SetRelation("cat", "tom", distance=40))
    assert [extra(table.attack_roll(who, "tom")) for who in ("ann", "bob", "cat")] == [[], [], []]
    assert flanking(table, "ann") is False
    table.does(SetRelation("una", "tom", distance=5))
    assert flanking(table, "ann") is False  # Una is no ally
    table.does(SetRelation("cat", "tom", distance=5))
    assert [extra(table.attack_roll(who, "tom")) for who in ("ann", "bob", "cat")] == [["1d4"], ["1d4"], ["1d4"]]
    table.does(ApplyCondition(("cat",), "unconscious"))
    assert flanking(table, "ann") is False


def test_without_a_grid_melee_is_unknown_until_entered() -> None:
    table = Field("ann", "bob", "cat", "tom", foes=("tom",), field=None)
    assert flanking(table, "ann") is None
    assert extra(table.attack_roll("ann", "tom")) == []
    table.does(SetRelation("ann", "tom", flanked=True))
    assert extra(table.attack_roll("ann", "tom")) == ["1d4"]
    table.does(SetRelation("ann", "tom", flanked=False))
    assert flanking(table, "ann") is False


@pytest.mark.rule("a5e.variant.flanking-scope")
def test_whether_flanking_helps_a_reaction_is_asked_where_the_table_has_it_so() -> None:
    asked = trio(scene=Scene(strictness="enforce", options=("flanking-own-actions",)))
    plain = trio()

    def grants(table: Field, *tags: str) -> list[tuple[str, str]]:
        moment = HookContext("ann", "attack", other="tom", tags=("melee", *tags))
        said = run_hooks(table.encounter, table.rules, Hook.CHECK_MADE, moment)
        return [(one.kind, one.rule) for one in said.grants]

    assert grants(plain, "opportunity") == [("expertise", "a5e.tactic.flank.die")]
    assert grants(plain) == grants(asked) == [("expertise", "a5e.tactic.flank.die")]
    assert grants(asked, "opportunity") == [("ask", "a5e.variant.flanking-scope")]


# Above and below ------------------------------------------------------------------------------------------------


def heights(ann: int, *, tom: int = 0, tom_size: str = "medium", **given: object) -> Field:
    people = ("ann", creature("tom", size=tom_size))
    return Field(*people, foes=("tom",), **given).puts(ann=(4, 5, ann), tom=(5, 5, tom))


@pytest.mark.rule("a5e.tactic.above.die")
def test_five_feet_above_gives_a_die_in_melee() -> None:
    assert extra(heights(5).attack_roll("ann", "tom")) == ["1d4"]
    assert heights(5).attack_roll("ann", "tom").extra[0].rule == "a5e.tactic.above.die"
    assert extra(heights(4).attack_roll("ann", "tom")) == []
    assert extra(heights(5).attack_roll("ann", "tom", BOW)) == []
    assert extra(heights(5, tom=10).attack_roll("ann", "tom")) == []


def test_without_a_grid_the_height_is_what_was_said() -> None:
    table = Field("ann", "tom", foes=("tom",), field=None)
    assert extra(table.attack_roll("ann", "tom")) == []
    table.does(SetRelation("ann", "tom", height=5))
    assert extra(table.attack_roll("ann", "tom")) == ["1d4"]
    table.does(SetRelation("tom", "ann", height=0))  # the same thing, said from the other side
    assert extra(table.attack_roll("ann", "tom")) == []


@pytest.mark.rule("a5e.tactic.above.exclusions")
@pytest.mark.parametrize("condition", ["grappled", "restrained"])
def test_the_die_from_above_is_lost_while_held(condition: str) -> None:
    table = heights(10)
    table.does(ApplyCondition(("tom",), condition))
    assert extra(table.attack_roll("ann", "tom")) == ["1d4"]
    table.does(ApplyCondition(("ann",), condition))
    assert extra(table.attack_roll("ann", "tom")) == []


@pytest.mark.rule("a5e.tactic.below.die")
def test_five_feet_below_gives_a_die_on_strength() -> None:
    table = heights(0, tom=5)
    for what in ("check.str:athletics", "check.str", "save.str"):
        assert extra(table.trial("ann", what, "tom")) == ["1d4"], what
    assert extra(save_roll(table.encounter, table.rules, "ann", "str", "tom")) == ["1d4"]
    for what in ("check.dex:acrobatics", "save.dex"):
        assert extra(table.trial("ann", what, "tom")) == [], what
    assert extra(table.trial("ann", "check.str")) == []
    assert extra(heights(0, tom=4).trial("ann", "check.str:athletics", "tom")) == []


@pytest.mark.rule("a5e.tactic.below.size")
@pytest.mark.parametrize(("size", "dice"), [("large", []), ("medium", ["1d4"]), ("small", ["1d4"])])
def test_larger_creatures_are_not_pulled_down(size: str, dice: list[str]) -> None:
    table = heights(0, tom=10, tom_size=size)
    assert extra(table.trial("ann", "check.str:athletics", "tom")) == dice
    assert extra(table.trial("ann", "save.str", "tom")) == dice


@pytest.mark.rule("a5e.tactic.below.exclusions")
@pytest.mark.parametrize("condition", ["grappled", "restrained"])
def test_the_die_from_below_is_lost_while_held(condition: str) -> None:
    table = heights(0, tom=10)
    table.does(ApplyCondition(("tom",), condition))
    assert extra(table.trial("ann", "check.str:athletics", "tom")) == ["1d4"]
    table.does(ApplyCondition(("ann",), condition))
    assert extra(table.trial("ann", "check.str:athletics", "tom")) == []
    assert extra(table.trial("ann", "save.str", "tom")) == []


@pytest.mark.rule("a5e.variant.below-scope")
def test_a_table_may_keep_the_die_from_below_to_plain_strength() -> None:
    plain, older = heights(0, tom=5), heights(0, tom=5, scene=Scene(options=("pull-without-skill",)))
    assert extra(plain.trial("ann", "check.str", "tom")) == extra(older.trial("ann", "check.str", "tom")) == ["1d4"]
    assert extra(plain.trial("ann", "check.str:athletics", "tom")) == ["1d4"]
    assert extra(older.trial("ann", "check.str:athletics", "tom")) == []


# Back to back ---------------------------------------------------------------------------------------------------


def pair() -> Field:
    """Return Ann and Bob back to back, each with a foe on either side."""
    watch = {"passives": (("perception", 13),)}
    table = Field(
        creature("ann", **watch), creature("bob", passives=(("perception", 11),)), "tom", "una", foes=("tom", "una")
    ).puts(ann=(5, 5), bob=(5, 6), tom=(4, 5), una=(6, 5))
    table.does(TakeAction("ann", "back-to-back", targets=("bob",)))
    return table


def scores(table: Field) -> list[int]:
    found = [passive_score(table.encounter, table.rules, who, "perception") for who in ("ann", "bob")]
    return [figure.total for figure in found if figure is not None]


@pytest.mark.rule("a5e.tactic.back-to-back.no-flank")
def test_those_back_to_back_are_not_flanked() -> None:
    table = pair()
    assert extra(table.attack_roll("tom", "ann")) == []
    table.puts(tom=(4, 6), una=(6, 6))
    assert extra(table.attack_roll("tom", "bob")) == []
    table.puts(ann=(5, 4))
    assert extra(table.attack_roll("tom", "bob")) == ["1d4"]


@pytest.mark.rule("a5e.tactic.back-to-back.passive")
def test_those_back_to_back_notice_more() -> None:
    table = pair()
    assert scores(table) == [15, 13]
    figure = passive_score(table.encounter, table.rules, "ann", "perception")
    assert figure is not None
    assert figure.parts[1].rule == "a5e.tactic.back-to-back.passive"
    assert passive_score(table.encounter, table.rules, "ann", "insight") is None


@pytest.mark.rule("a5e.tactic.back-to-back.ends")
@pytest.mark.parametrize("mover", ["ann", "bob"])
def test_it_is_over_for_both_once_either_moves(mover: str) -> None:
    table = pair()
    table.puts(tom=(4, 7))
    assert scores(table) == [15, 13]
    table.puts(**{mover: (5, 7)})
    assert scores(table) == [13, 11]
    assert [event.rule for event in table.happened(EffectEnded)] == ["a5e.tactic.back-to-back.ends"] * 2
    table.puts(ann=(5, 7), tom=(4, 7), una=(6, 7))
    assert extra(table.attack_roll("tom", "ann")) == ["1d4"]


def test_back_to_back_ends_for_both_at_its_beginner_s_next_turn() -> None:
    table = pair()
    table.ends_turn(3)
    assert scores(table) == [15, 13]
    table.ends_turn()
    assert scores(table) == [13, 11]


@pytest.mark.rule("a5e.variant.back-to-back-distance")
def test_without_a_grid_an_older_table_has_to_say_that_two_are_adjacent() -> None:
    plain, older = (Scene(strictness="enforce", options=options) for options in ((), ("adjacent-allies",)))
    back = TakeAction("ann", "back-to-back", targets=("bob",))
    for scene in (plain, older):
        Field("ann", "bob", scene=scene).puts(ann=(5, 5), bob=(5, 6)).does(back)
    gridless = Field("ann", "bob", field=None, scene=plain)
    gridless.does(SetRelation("ann", "bob", distance=5))
    gridless.does(back)
    table = Field("ann", "bob", field=None, scene=older)
    table.does(SetRelation("ann", "bob", distance=5))
    refused = table.refuses(back)
    assert (refused.key, refused.rule) == ("refused.say_beside", "a5e.variant.back-to-back-distance")
    table.does(SetRelation("bob", "ann", reached=True))
    table.does(back)


# Said by hand -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("a5e.external.passive-scores")
def test_a_passive_score_that_is_missing_is_asked_for_and_kept() -> None:
    table = Field("ann", "bob")
    assert passive_score(table.encounter, table.rules, "ann", "perception") is None
    table.does(SetStat("ann", "passive.perception", 15))
    figure = passive_score(table.encounter, table.rules, "ann", "perception")
    assert figure is not None
    assert (figure.total, figure.parts[0].rule) == (15, "a5e.external.passive-scores")
    assert passive_score(table.encounter, table.rules, "bob", "perception") is None
    table.does(SetStat("ann", "passive.perception", 12))
    assert table.one("ann").supplied_numbers == (("passive.perception", 12),)
    assert [event.value for event in table.happened(StatSet)] == [15, 12]
    assert table.refuses(SetStat("ann", " ", 1)).key == "refused.empty"


def test_what_is_said_overrules_the_squares_until_it_is_forgotten() -> None:
    table = trio()

    def apart() -> int | None:
        return geometry.distance(table.encounter, table.rules, "ann", "tom")

    assert apart() == 5
    table.does(SetRelation("tom", "ann", distance=30, seen=False))
    assert apart() == 30
    assert geometry.in_reach(table.encounter, table.rules, "ann", "tom") is False
    assert sight.sees(table.encounter, table.rules, "tom", "ann") is False
    assert sight.sees(table.encounter, table.rules, "ann", "tom") is True
    table.does(SetRelation("ann", "tom", distance=10))
    assert apart() == 10
    assert table.encounter.need(Relation, "tom>ann").distance is None
    table.does(SetRelation("ann", "tom", forget=True))
    assert apart() == 5
    assert sight.sees(table.encounter, table.rules, "tom", "ann") is False
    table.does(SetRelation("tom", "ann", forget=True))
    assert list(table.encounter.all(Relation)) == []
    assert [(event.fact, event.value) for event in table.happened(RelationSet)] == [
        ("distance", "30"),
        ("seen", "no"),
        ("distance", "10"),
        ("forgotten", ""),
        ("forgotten", ""),
    ]
    assert table.refuses(SetRelation("ann", "ann", distance=5)).key == "refused.same_one"
    assert table.refuses(SetRelation("ann", "tom", distance=-5)).key == "refused.feet"


@pytest.mark.parametrize(
    ("diagonals", "ann", "tom", "feet"),
    [
        ("equal", (0, 0), (3, 3), 15),
        ("alternating", (0, 0), (3, 3), 20),
        ("equal", (0, 0), (0, 4), 20),
        ("equal", (2, 2, 0), (2, 3, 30), 30),
        ("equal", (2, 2, 0), (2, 2, 5), 5),
    ],
)
def test_distances_count_squares_and_height(
    diagonals: str, ann: tuple[int, ...], tom: tuple[int, ...], feet: int
) -> None:
    field = Map(columns=16, rows=16, diagonals=diagonals)  # type: ignore[arg-type]
    table = Field("ann", "tom", field=field).puts(ann=ann, tom=tom)
    assert geometry.distance(table.encounter, table.rules, "ann", "tom") == feet


def test_a_combatant_put_on_a_square_stands_on_its_ground() -> None:
    field = Map(columns=4, rows=3, heights="..2\n..2b\n.B")
    table = Field("ann", creature("ogre", size="large"), field=field).puts(ann=(2, 0), ogre=(2, 0))
    assert (table.one("ann").elevation, table.one("ogre").elevation) == (10, 55)
    assert geometry.height_above(table.encounter, "ogre", "ann") == 45
    assert table.puts(ann=(1, 2)).one("ann").elevation == -10
    assert table.puts(ann=(0, 0)).one("ann").elevation == 0
    assert table.puts(ann=(2, 0, 40)).one("ann").elevation == 40
    table.does(SetPosition("ann", elevation=15))
    assert (table.one("ann").position, table.one("ann").elevation) == ((2, 0), 15)


def test_the_fight_begins_on_the_ground_of_the_squares_prepared() -> None:
    field = Map(columns=4, rows=3, heights="..2\n..2b\n.B")
    roster = (
        RosterEntry("ann", "ann", positions=((2, 0),)),
        RosterEntry("tom", "tom", positions=((2, 0),), elevation=30),
    )
    table = Field("ann", "tom", field=field, roster=roster)
    assert [table.one(who).elevation for who in ("ann", "tom")] == [10, 30]


def test_a_combatant_off_the_map_is_as_without_a_grid() -> None:
    table = Field("ann", "tom", foes=("tom",), field=YARD)
    assert geometry.distance(table.encounter, table.rules, "ann", "tom") is None
    assert geometry.in_reach(table.encounter, table.rules, "ann", "tom") is None
    assert sight.cover_of(table.encounter, table.rules, "ann", "tom") == "none"
    assert (edges(table.attack_roll("ann", "tom")), bonus(table.attack_roll("ann", "tom"))) == ([], SWORD.attack)


def test_undo_names_the_relation_and_reverts_it() -> None:
    table = Field("ann", "tom", foes=("tom",), field=None)
    step = table.does(SetRelation("ann", "tom", distance=20))
    assert step is not None
    assert (step.label.key, dict(step.label.params)["what"]) == ("step.set_relation", "Ann, Tom")
    table.session.undo()
    assert geometry.distance(table.encounter, table.rules, "ann", "tom") is None
    table.session.redo()
    assert geometry.distance(table.encounter, table.rules, "ann", "tom") == 20
    *_, line = table.session.journal()
    assert (line.phrase.key, dict(line.phrase.params)["value"]) == ("journal.related_distance", "20")
