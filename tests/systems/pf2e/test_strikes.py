"""Strikes by the rules of Pathfinder 2e: degrees of a hit, the multiple attack penalty, cover, range, being off-guard."""

from __future__ import annotations

import pytest

from tests.play.attack_table import parts, total
from tests.systems.pf2e.frays import BOW, SWORD, Bout, duel
from tests.table import creature
from turnwright.encounter.prepared import Feature, Map, Scene
from turnwright.play.actions.action import TakeAction
from turnwright.play.attacks.attack_request import Attack, Attacked
from turnwright.play.state.events import DamageTaken
from turnwright.play.state.position_changes import SetRelation
from turnwright.play.table.game_master import SetDice
from turnwright.storage.word_catalogue import WordCatalogue
from turnwright.workspace.text import Phrasebook

# How an attack goes ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("face", "outcome", "taken"),
    [(18, "critical", 18), (17, "hit", 9), (8, "hit", 9), (7, "miss", 0), (2, "miss", 0), (1, "fumble", 0)],
)
def test_an_attack_goes_by_degrees(face: int, outcome: str, taken: int) -> None:
    table = duel()
    went = table.strikes("ann", "orc", "longsword", face, 5)
    assert went is not None
    assert (went.outcome, table.lost("orc")) == (outcome, taken)


def test_a_natural_20_only_raises_the_degree() -> None:
    table = duel(orc={"ac": 30})
    went = table.strikes("ann", "orc", "longsword", 20, 5)
    assert went is not None
    assert (went.outcome, table.lost("orc")) == ("hit", 9)


def test_a_natural_1_only_lowers_the_degree() -> None:
    table = duel(SWORD, orc={"ac": 5})
    went = table.strikes("ann", "orc", "longsword", 1, 5)
    assert went is not None
    assert went.outcome == "miss"


def test_of_dice_that_nobody_knows_all_four_outcomes_can_be_said() -> None:
    table = duel()
    table.does(SetDice("ask"))
    table.does(Attack("ann", "orc", "longsword"))
    table.answers(roll="?")
    options = table.prompt.asks[0].options
    assert [one.id for one in options] == ["critical", "hit", "miss", "fumble"]
    speech = Phrasebook(WordCatalogue.load(), table.rules)
    told = [speech.expand_keys(one.label) for one in options]
    assert told == ["A critical hit", "A hit", "A miss", "A critical miss"]
    table.chooses("critical")
    table.answers(damage="10")
    assert table.lost("orc") == 20


# The multiple attack penalty -----------------------------------------------------------------------------------


def penalties(table: Bout, means: str, who: str = "ann", target: str = "orc") -> list[int]:
    """What the conditions of an attack take from it."""
    rule = "pf2e.external.basic_actions"
    return [one.value for one in table.preview(who, target, means).roll.modifiers if one.rule == rule]


@pytest.mark.rule("pf2e.external.basic_actions")
def test_each_further_attack_of_a_turn_is_harder() -> None:
    table = duel()
    assert (penalties(table, "longsword"), penalties(table, "knife")) == ([], [])
    table.strikes("ann", "orc", "longsword", 2)
    assert (penalties(table, "longsword"), penalties(table, "knife")) == ([-5], [-4])
    table.strikes("ann", "orc", "longsword", 2)
    assert (penalties(table, "longsword"), penalties(table, "knife")) == ([-10], [-8])
    table.strikes("ann", "orc", "longsword", 19)
    assert table.last.roll is not None
    assert (table.last.roll.total, penalties(table, "longsword")) == (16, [-10])


@pytest.mark.rule("pf2e.external.basic_actions")
def test_the_penalty_is_suggested_and_may_be_declined() -> None:
    table = duel(scene=Scene(strictness="warn"))
    table.does(SetDice("ask"))
    table.does(Attack("ann", "orc", "longsword"))
    table.answers(roll="2")
    table.does(Attack("ann", "orc", "longsword"))
    assert [(one.rule, one.suggested) for one in table.prompt.asks] == [
        ("pf2e.external.basic_actions", ("always:yes:pf2e.external.basic_actions",))
    ]
    table.chooses("no:pf2e.external.basic_actions")
    spec = table.prompt.asks[0].spec
    assert spec is not None
    assert total(spec) == 7
    table.answers(roll="?")
    table.chooses("hit")
    table.answers(damage="6")
    assert table.lost("orc") == 6


def test_the_count_ends_with_the_turn_and_spares_the_turns_of_others() -> None:
    table = duel(orc={"features": (SWORD,)})
    table.strikes("ann", "orc", "longsword", 2)
    assert table.value("ann", "attacks-made") == 1
    table.ends_turn()
    assert table.value("ann", "attacks-made") == 0
    assert penalties(table, "longsword") == []
    table.dice(2)
    table.does(Attack("ann", "orc", "longsword"), anyway=True)
    assert (len(table.happened(Attacked)), table.value("ann", "attacks-made")) == (2, 0)


def test_a_blow_struck_as_a_reaction_is_not_counted() -> None:
    table = duel()
    table.dice(2)
    table.does(Attack("ann", "orc", "longsword", purpose="opportunity"), anyway=True)
    assert (len(table.happened(Attacked)), table.value("ann", "attacks-made")) == (1, 0)


def test_a_trip_counts_as_an_attack() -> None:
    table = duel(skills=(("athletics", 8),), orc={"saves": (("dex", 4),)})
    table.dice(5)
    table.does(TakeAction("ann", "trip", targets=("orc",)))
    assert table.effects("orc") == set()
    assert table.value("ann", "attacks-made") == 1
    assert penalties(table, "longsword") == [-5]
    table.dice(9)
    table.does(TakeAction("ann", "trip", targets=("orc",)))
    assert "prone" not in table.effects("orc")  # 9 + 8 - 5 against 14
    table.dice(15)
    table.does(TakeAction("ann", "trip", targets=("orc",)))
    assert "prone" not in table.effects("orc")  # 15 + 8 - 10 against 14
    assert table.value("ann", "attacks-made") == 3


# What has to be met --------------------------------------------------------------------------------------------


def ac_of(table: Bout, means: str = "longsword", target: str = "orc") -> int | None:
    """The AC that Ann's attack has to meet."""
    found = table.preview("ann", target, means).defence
    return found.total if found is not None else None


def test_who_is_flanked_is_off_guard_to_the_flankers() -> None:
    ann, bob = creature("ann", features=(SWORD, BOW)), creature("bob", features=(SWORD,))
    table = Bout(ann, bob, creature("orc", ac=15, hp=60), foes=("orc",)).puts(ann=(1, 1), orc=(2, 1), bob=(2, 2))
    assert ac_of(table) == 15
    table.puts(bob=(3, 1))
    assert (ac_of(table), ac_of(table, "bow")) == (13, 15)
    table.puts_on("orc", "prone")  # two penalties of one type don't add up
    assert ac_of(table) == 13


def test_without_a_grid_it_is_asked_who_flanks() -> None:
    table = Bout(creature("ann", features=(SWORD,)), creature("orc", ac=15), foes=("orc",), field=None)
    assert [one.fact for one in table.preview("ann", "orc", "longsword").unknown_facts] == ["flanks"]
    said = table.preview("ann", "orc", "longsword", facts=("flanks",)).defence
    assert said is not None
    assert said.total == 13
    table.does(SetRelation("ann", "orc", flanked=True))
    assert ac_of(table) == 13


def test_a_raised_shield_and_cover_do_not_add_up() -> None:
    table = duel(orc={"gear": ("shield",)})
    table.ends_turn()
    table.does(TakeAction("orc", "raise-shield"))
    assert (table.ac("orc"), ac_of(table)) == (17, 17)
    for grade, armor in (("half", 17), ("three-quarters", 17), ("total", 19)):
        table.does(SetRelation("ann", "orc", cover=grade))
        assert ac_of(table) == armor
    table.ends_turn(2)
    assert "shield-raised" not in table.effects("orc")


@pytest.mark.parametrize(("grade", "armor"), [("none", 15), ("half", 16), ("three-quarters", 17), ("total", 19)])
def test_cover_comes_in_three_grades(grade: str, armor: int) -> None:
    table = duel()
    table.does(SetRelation("ann", "orc", cover=grade))
    assert ac_of(table) == armor


@pytest.mark.parametrize(("far", "penalty"), [(6, []), (7, [-2]), (13, [-4])])
def test_a_shot_loses_2_for_each_further_increment(far: int, penalty: list[int]) -> None:
    table = duel().puts(ann=(0, 1), orc=(far, 1))
    spec = table.preview("ann", "orc", "bow").roll
    assert [value for value, _ in parts(spec)[1:]] == penalty


def test_a_shot_goes_no_further_than_six_increments() -> None:
    long = Map(columns=60, rows=3)
    ann = creature("ann", features=(BOW,))
    table = Bout(ann, creature("orc", ac=15), foes=("orc",), field=long).puts(ann=(0, 1), orc=(36, 1))
    assert [value for value, _ in parts(table.preview("ann", "orc", "bow").roll)[1:]] == [-10]
    table.strikes("ann", "orc", "bow", 2)
    assert len(table.happened(Attacked)) == 1
    table.puts(orc=(37, 1))
    assert table.refuses(Attack("ann", "orc", "bow")).key == "refused.out_of_range"


def test_a_spell_has_one_range() -> None:
    ray = Feature("ray", "Ray", "action", attack=7, range="30", damage="2d4 cold", properties=("spell",))
    table = duel(ray).puts(ann=(0, 1), orc=(7, 1))
    assert [value for value, _ in parts(table.preview("ann", "orc", "ray").roll)] == [7]
    assert table.refuses(Attack("ann", "orc", "ray")).key == "refused.out_of_range"


def test_somebody_between_gives_lesser_cover() -> None:
    ann = creature("ann", features=(BOW,))
    table = Bout(ann, "bob", creature("orc", ac=15), foes=("orc",)).puts(ann=(0, 1), bob=(2, 1), orc=(4, 1))
    assert ac_of(table, "bow") == 16
    table.puts(bob=(2, 4))
    assert ac_of(table, "bow") == 15


def test_a_hidden_attacker_finds_the_target_off_guard() -> None:
    table = duel()
    table.puts_on("ann", "hidden")
    assert (ac_of(table), table.ac("orc")) == (13, 15)


@pytest.mark.parametrize(("answer", "armor"), [("no", 15), ("yes", 13)])
def test_what_lowers_an_ac_is_suggested_and_may_be_declined(answer: str, armor: int) -> None:
    table = duel(scene=Scene(strictness="warn"))
    table.puts_on("orc", "off-guard")
    table.does(SetDice("ask"))
    table.does(Attack("ann", "orc", "longsword"))
    (asked,) = table.prompt.asks
    assert (asked.rule, asked.detail) == ("pf2e.external.frightened", "<condition.off-guard>")
    table.chooses(f"{answer}:pf2e.external.frightened <condition.off-guard>")
    assert table.prompt.asks[0].dc == armor
    table.answers(roll="3")
    assert table.last.ac == armor


# What it does ----------------------------------------------------------------------------------------------------


def test_a_critical_hit_doubles_all_of_it() -> None:
    table = duel()
    table.strikes("ann", "orc", "knife", 18, 3)
    (taken,) = table.happened(DamageTaken)
    assert (taken.taken, taken.critical) == (14, True)


def test_what_weakens_the_arm_lessens_the_damage() -> None:
    table = duel()
    table.puts_on("ann", "enfeebled", 2)
    assert table.strikes("ann", "orc", "longsword", 15, 5) is not None
    assert table.last.roll is not None
    assert (table.last.roll.total, table.lost("orc")) == (20, 7)
