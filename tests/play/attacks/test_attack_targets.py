"""Whom an attack can be aimed at: reach and range, lines and cover, and those whom nobody sees."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from tests.play.attack_table import AXE, SHORTBOW, SLING, Fray
from tests.table import creature
from turnwright.encounter.prepared import Creature, Feature, Map, Obstacle, Scene
from turnwright.encounter.running import Effect
from turnwright.play.attacks.attack import AttackGuessed
from turnwright.play.attacks.attack_request import Attack, Attacked
from turnwright.play.damage.manual_hit_points import SetDead
from turnwright.play.effects.conditions import ApplyCondition
from turnwright.play.kernel.events import RuleOverridden
from turnwright.play.state.position_changes import SetPosition, SetRelation
from turnwright.play.table.game_master import SetDice

BITE = Feature("bite", "Bite", "action", attack=5, reach=5, damage="1d6 piercing")
TAIL = Feature("tail", "Tail", "action", attack=5, reach=10, damage="1d6 bludgeoning")
FAIR = {"attacks": 9}


def field(*features: Feature, orc: Creature | None = None, grid: Map | None = None, **more: Any) -> Fray:
    """Ann at the map's left edge and an orc of AC 12, Ann's turn; attacks enough for all of a test."""
    ann = creature("ann", features=features or (BITE, TAIL, SHORTBOW, SLING), **FAIR)
    foe = orc or creature("orc", ac=12, hp=90)
    table = Fray(
        ann, foe, *more.pop("others", ()), foes=("orc", "troll"), field=grid or Map(columns=80, rows=8), **more
    )
    return table.puts(ann=(1, 1), orc=(2, 1))


def refusal(table: Fray, means: str, **squares: tuple[int, int]) -> tuple[str, str] | None:
    """Why Ann can't attack the orc with it from there, None where she can."""
    table.puts(**squares)
    vetoes = table.preview("ann", "orc", means).vetoes
    return (vetoes[0].reason, vetoes[0].rule) if vetoes else None


# Reach and range ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("a5e.melee.reach-default")
def test_without_an_entry_the_reach_is_five_feet() -> None:
    fist = Feature("fist", "Fist", "action", attack=5, damage="2 bludgeoning")
    table = field(fist)
    assert refusal(table, "fist", orc=(2, 1)) is None
    assert refusal(table, "fist", orc=(3, 1)) == ("refused.out_of_reach", "a5e.melee.reach-default")


@pytest.mark.rule("a5e.melee.reach-larger")
def test_reach_is_that_of_the_attack_entry() -> None:
    table = field()
    assert refusal(table, "tail", orc=(3, 1)) is None
    assert refusal(table, "bite", orc=(3, 1)) == ("refused.out_of_reach", "a5e.melee.reach-default")
    assert refusal(table, "tail", orc=(4, 1)) == ("refused.out_of_reach", "a5e.melee.reach-larger")
    giant = field(BITE, orc=creature("orc", size="huge"))
    assert refusal(giant, "bite", orc=(3, 1)) == ("refused.out_of_reach", "a5e.melee.reach-default")


@pytest.mark.rule("a5e.ranged.in-range", "a5e.ranged.single")
def test_with_one_range_figure_nothing_beyond_it_is_hit() -> None:
    table = field()
    assert refusal(table, "sling", orc=(13, 1)) is None
    assert refusal(table, "sling", orc=(14, 1)) == ("refused.out_of_range", "a5e.ranged.single")
    table.dice(20)
    assert table.refuses(Attack("ann", "orc", "sling")).params["range"] == 60


@pytest.mark.rule("a5e.ranged.long-disadvantage", "a5e.ranged.beyond-long")
def test_beyond_normal_range_there_is_disadvantage_and_beyond_long_range_nothing() -> None:
    table = field()
    table.puts(orc=(17, 1))
    assert table.edges("ann", "orc", "shortbow") == []
    table.puts(orc=(18, 1))
    assert table.edges("ann", "orc", "shortbow") == [("disadvantage", "a5e.ranged.long-disadvantage")]
    roll = table.strikes("ann", "orc", "shortbow", 15, 4).roll
    assert [(die.face, die.kept) for die in roll.dice] == [(15, False), (4, True)]
    assert refusal(table, "shortbow", orc=(65, 1)) is None
    assert refusal(table, "shortbow", orc=(66, 1)) == ("refused.out_of_range", "a5e.ranged.beyond-long")


def test_without_a_grid_the_distance_that_a_person_gave_counts() -> None:
    table = Fray(creature("ann", features=(SHORTBOW, BITE), **FAIR), "orc", foes=("orc",), field=None)
    assert not table.preview("ann", "orc", "bite").vetoes
    table.does(SetRelation("ann", "orc", distance=85, reached=False))
    assert [one.reason for one in table.preview("ann", "orc", "bite").vetoes] == ["refused.out_of_reach"]
    assert ("disadvantage", "a5e.ranged.long-disadvantage") in table.edges("ann", "orc", "shortbow")
    table.does(SetRelation("ann", "orc", distance=10, reached=True))
    assert not table.preview("ann", "orc", "bite").vetoes


@pytest.mark.rule("a5e.ranged.close-combat")
@pytest.mark.parametrize(("reach", "close"), [(10, True), (5, False)])
def test_a_shot_from_within_a_foe_s_reach_has_disadvantage(reach: int, close: bool) -> None:
    troll = creature("troll", reach=reach)
    table = field(others=(troll,)).puts(troll=(3, 1), orc=(9, 1))
    rules = [rule for _, rule in table.edges("ann", "orc", "shortbow")]
    assert ("a5e.ranged.close-combat" in rules) is close
    assert ("a5e.ranged.close-combat" in [rule for _, rule in table.edges("ann", "troll", "shortbow")]) is close


def test_a_foe_who_is_down_crowds_nobody() -> None:
    table = field()
    assert [rule for _, rule in table.edges("ann", "orc", "shortbow")] == ["a5e.ranged.close-combat"]
    table.has(msgspec.structs.replace(table.one("orc"), hp=0))
    assert table.edges("ann", "orc", "shortbow") == []


# What may be aimed at ------------------------------------------------------------------------------------------------


@pytest.mark.rule("a5e.attack.target")
def test_a_creature_a_thing_or_a_square_within_reach_may_be_attacked() -> None:
    table = field(grid=Map(columns=20, rows=8, obstacles=(Obstacle("door", "Door", at=(1, 2), ac=12),)))
    table.puts(orc=(3, 1))
    assert refusal(table, "bite") == ("refused.out_of_reach", "a5e.melee.reach-default")
    assert table.strikes("ann", "door", "bite", 10).outcome == "hit"
    assert table.strikes("ann", "", "bite", 15, at=(1, 0)).outcome == "miss"
    assert table.refuses(Attack("ann", "", "bite", at=(4, 4))).key == "refused.out_of_reach"
    assert table.refuses(Attack("ann", "nothing", "bite")).key == "refused.unknown"
    assert table.refuses(Attack("ann", "", "bite")).key == "refused.no_target"
    assert table.refuses(Attack("ann", "orc", "beak")).key == "refused.unknown"


def test_a_square_with_somebody_or_something_in_it_is_an_attack_on_that() -> None:
    table = field(grid=Map(columns=20, rows=8, obstacles=(Obstacle("door", "Door", at=(1, 2), ac=12),)))
    assert table.strikes("ann", "", "bite", 2, at=(2, 1)).target == "orc"
    assert table.strikes("ann", "", "bite", 2, at=(1, 2)).target == "door"


@pytest.mark.rule("a5e.attack.line-of-sight")
def test_a_wall_takes_both_lines_and_a_window_one() -> None:
    behind = ("refused.no_line_of_sight", "a5e.attack.line-of-sight")
    solid = ("refused.no_line_of_effect", "a5e.attack.line-of-sight")
    between = (4, 0, 4, 8)
    table = field(grid=Map(columns=20, rows=8, walls=(between,))).puts(orc=(7, 1))
    missing = [(one.reason, one.rule) for one in table.preview("ann", "orc", "shortbow").vetoes]
    assert missing[:2] == [behind, solid]
    pane = field(grid=Map(columns=20, rows=8, windows=(between,))).puts(orc=(7, 1))
    missing = [(one.reason, one.rule) for one in pane.preview("ann", "orc", "shortbow").vetoes]
    assert missing[0] == solid
    assert behind not in missing


@pytest.mark.rule("a5e.attack.line-exceptions")
def test_a_missing_line_may_be_waived() -> None:
    table = field(grid=Map(columns=20, rows=8, windows=((4, 0, 4, 8),))).puts(orc=(5, 1))
    table.dice(18, 3)
    assert table.refuses(Attack("ann", "orc", "shortbow")).rule == "a5e.attack.line-of-sight"
    table.does(Attack("ann", "orc", "shortbow"), anyway=True)
    assert table.last.outcome == "hit"
    assert "refused.no_line_of_effect" in [one.reason for one in table.happened(RuleOverridden)]


@pytest.mark.rule("a5e.attack.cover-judgement")
@pytest.mark.parametrize(("grade", "ac"), [("none", 14), ("half", 16), ("three-quarters", 19)])
def test_the_narrator_says_what_cover_the_target_has(grade: str, ac: int) -> None:
    table = field(orc=creature("orc", ac=14))
    defence = table.preview("ann", "orc", "bite", facts=(f"cover:{grade}",)).defence
    assert defence is not None
    assert defence.total == ac


@pytest.mark.rule("a5e.attack.cover-judgement")
def test_total_cover_bars_the_attack() -> None:
    table = field()
    assert table.refuses(Attack("ann", "orc", "bite", facts=("cover:total",))).key == "refused.total_cover"


# Those whom nobody sees ----------------------------------------------------------------------------------------------


def faces(attack: Attacked | None) -> list[tuple[int, bool]]:
    assert attack is not None
    assert attack.roll is not None
    return [(die.face, die.kept) for die in attack.roll.dice]


@pytest.mark.rule("a5e.unseen.target-known")
def test_a_target_that_can_t_be_seen_is_attacked_at_disadvantage() -> None:
    table = field()
    table.does(ApplyCondition(("orc",), "invisible"))
    assert ("disadvantage", "a5e.unseen.target-known") in table.edges("ann", "orc", "bite")
    assert faces(table.strikes("ann", "orc", "bite", 17, 6))[1] == (6, True)


@pytest.mark.rule("a5e.unseen.attacker")
def test_an_attacker_that_the_target_can_t_see_has_advantage() -> None:
    table = field()
    table.does(ApplyCondition(("ann",), "invisible"))
    assert table.edges("ann", "orc", "bite") == [("advantage", "a5e.unseen.attacker")]
    assert faces(table.strikes("ann", "orc", "bite", 3, 12, 1))[1] == (12, True)


@pytest.mark.rule("a5e.unseen.mutual")
def test_two_who_can_t_see_each_other_simply_have_disadvantage() -> None:
    table = field()
    table.does(ApplyCondition(("ann", "orc"), "invisible"))
    said = table.edges("ann", "orc", "bite")
    assert ("disadvantage", "a5e.unseen.mutual") in said
    assert {kind for kind, _ in said} == {"disadvantage"}
    assert faces(table.strikes("ann", "orc", "bite", 18, 5)) == [(18, False), (5, True)]
    blind = field()
    blind.does(ApplyCondition(("ann", "orc"), "blinded"))
    assert {kind for kind, _ in blind.edges("ann", "orc", "bite")} == {"disadvantage"}


@pytest.mark.rule("a5e.unseen.senses")
@pytest.mark.parametrize(("column", "advantage"), [(5, False), (9, True)])
def test_a_sense_beyond_sight_finds_the_unseen_within_its_range(column: int, advantage: bool) -> None:
    table = field(orc=creature("orc", senses=(("blindsight", 30),))).puts(orc=(column, 1))
    table.does(ApplyCondition(("ann",), "invisible"))
    rules = [rule for _, rule in table.edges("ann", "orc", "shortbow")]
    assert ("a5e.unseen.attacker" in rules) is advantage


def test_a_thing_is_neither_seen_nor_unseen() -> None:
    table = field(grid=Map(columns=20, rows=8, obstacles=(Obstacle("door", "Door", at=(1, 2), ac=12),)))
    table.puts(orc=(9, 1))
    assert table.edges("ann", "door", "bite") == []


@pytest.mark.rule("a5e.unseen.not-hidden")
def test_being_unseen_is_not_being_hidden() -> None:
    table = field()
    table.does(ApplyCondition(("orc",), "invisible"))
    assert not table.preview("ann", "orc", "bite").must_guess_square
    assert table.strikes("ann", "orc", "bite", 17, 2) is not None
    table.has(hidden("orc", by="ann"))
    assert table.preview("ann", "orc", "bite").must_guess_square


def hidden(who: str, by: str = "") -> Effect:
    return Effect(f"hidden-{who}", who, "hidden", by=by)


def stalking(**more: Any) -> Fray:
    """An orc that has hidden from Ann in the square next to her."""
    table = field(**more)
    table.has(hidden("orc", by="ann"))
    return table


@pytest.mark.rule("a5e.unseen.guess")
def test_a_wrong_guess_at_a_hidden_target_s_square_misses() -> None:
    table = stalking()
    assert table.strikes("ann", "orc", "bite", 19, 20, at=(1, 2)).outcome == "miss"
    assert table.strikes("ann", "", "bite", 19, 20, at=(0, 1)).outcome == "miss"
    assert table.lost("orc") == 0
    right = table.strikes("ann", "orc", "bite", 18, 9, 4, at=(2, 1))
    assert (right.outcome, faces(right)[1], table.lost("orc")) == ("hit", (9, True), 4)
    assert ("disadvantage", "a5e.unseen.guess") in [(edge.kind, edge.rule) for edge in right.roll.edges]


@pytest.mark.rule("a5e.unseen.guess")
@pytest.mark.parametrize(("said", "outcome"), [("guess:right", "hit"), ("guess:wrong", "miss")])
def test_where_no_square_is_named_the_narrator_says_whether_the_guess_is_right(said: str, outcome: str) -> None:
    table = stalking()
    table.dice(18, 17, 4)
    table.does(Attack("ann", "orc", "bite"))
    table.chooses(said)
    assert table.last.outcome == outcome


@pytest.mark.rule("a5e.unseen.guess-secret")
def test_a_miss_at_a_guessed_square_gives_nothing_away() -> None:
    logs, secrets = [], []
    for square, first, second in (((1, 2), 20, 20), ((2, 1), 4, 4)):
        table = stalking()
        table.strikes("ann", "orc", "bite", first, second, at=square)
        lines = [
            line for line in table.session.journal() if line.serial == max(x.serial for x in table.session.journal())
        ]
        logs.append([(line.phrase, line.roll, line.rule) for line in lines if line.kind != "secret"])
        secrets.append([event.right for event in table.happened(AttackGuessed)])
    assert logs[0] == logs[1]
    assert [phrase.key for phrase, _, _ in logs[0]] == ["journal.attack_missed_place"]
    assert secrets == [[False], [True]]


def test_a_guess_gives_no_distance_and_no_wall_away() -> None:
    table = stalking(grid=Map(columns=20, rows=8, walls=((4, 0, 4, 8),)))
    table.puts(orc=(9, 1))
    assert table.preview("ann", "orc", "bite").vetoes == ()
    through = table.preview("ann", "orc", "shortbow", at=(6, 1)).vetoes
    assert [one.reason for one in through] == ["refused.no_line_of_sight", "refused.no_line_of_effect"]
    assert table.preview("ann", "orc", "shortbow", at=(3, 1)).vetoes == ()


def ambush(*options: str, **more: Any) -> Fray:
    """Ann is hidden from the orc, with more than one attack."""
    table = field(scene=Scene(strictness="enforce", options=options), **more)
    table.has(hidden("ann", by="orc"))
    return table


@pytest.mark.rule("a5e.unseen.reveal", "a5e.variant.hidden-attacker")
def test_a_hidden_attacker_is_found_out_by_its_first_attack() -> None:
    table = ambush()
    rules = [rule for _, rule in table.edges("ann", "orc", "bite")]
    assert "a5e.variant.hidden-attacker" in rules
    assert table.strikes("ann", "orc", "bite", 2, 3).outcome == "miss"
    assert table.effects("ann") == set()
    assert table.edges("ann", "orc", "bite") == []


@pytest.mark.rule("a5e.variant.hidden-attacker", "a5e.unseen.reveal")
@pytest.mark.parametrize(("options", "still"), [((), True), (("not hidden-attacker",), False)])
def test_one_who_stays_unseen_stays_hidden_unless_the_table_plays_otherwise(
    options: tuple[str, ...], still: bool
) -> None:
    table = ambush(*options)
    table.does(ApplyCondition(("ann",), "invisible"))
    table.strikes("ann", "orc", "bite", 2, 3)
    assert ("hidden" in table.effects("ann")) is still
    assert ("advantage", "a5e.unseen.attacker") in table.edges("ann", "orc", "bite")


def test_without_a_grid_a_guess_at_a_square_finds_nobody() -> None:
    table = Fray(creature("ann", features=(AXE,)), "orc", foes=("orc",), field=None)
    table.does(SetPosition("orc", position=(3, 3)))
    table.does(SetDice("script", script=(12,)))
    table.does(Attack("ann", "", "axe", at=(3, 3)))
    assert table.last.outcome == "miss"


def test_the_dead_are_no_target() -> None:
    table = field()
    assert refusal(table, "bite") is None
    table.does(SetDead("orc"))
    assert refusal(table, "bite") == ("refused.target_dead", "")
