"""Massive damage: so much at once, bringing to 0, that a save decides between death and dying."""

from __future__ import annotations

import pytest

from tests.play.dying_table import ZERO, Wounded, hero
from turnwright.encounter.prepared import Creature, RosterEntry
from turnwright.play.damage.damage_roll import GrantTempHp
from turnwright.play.damage.manual_hit_points import Heal, SetHitPoints
from turnwright.play.damage.zero_hit_points import Died
from turnwright.play.state.events import Rolled, Skipped

SAVE = "ask.massive_save"


def struck(damage: str, hp: int = 20, ada: Creature | None = None, **more: object) -> Wounded:
    """A table where Ada at so many hit points has taken damage at once."""
    table = Wounded(ada=ada or hero("ada", hp=90), **more)
    table.does(SetHitPoints("ada", hp=hp))
    table.hurts(damage)
    return table


def labels(table: Wounded) -> list[str]:
    return [ask.label for ask in table.asked()]


@pytest.mark.rule("a5e.massive.threshold")
@pytest.mark.parametrize(
    ("damage", "hp", "asked"), [("35", 20, [SAVE]), ("34", 20, []), ("40", 50, []), ("35", 35, [SAVE])]
)
def test_massive_damage_grows_with_the_level_and_must_bring_to_zero(damage: str, hp: int, asked: list[str]) -> None:
    table = struck(damage, hp)
    assert labels(table) == asked
    if asked:
        assert (table.prompt.rule, table.asked()[0].dc) == ("a5e.massive.threshold", 15)


@pytest.mark.rule("a5e.massive.threshold-creature")
@pytest.mark.parametrize(("damage", "asked"), [("44", [SAVE]), ("43", [])])
@pytest.mark.parametrize("dice", ["8d8", "8d10+16", "8 d 6"])
def test_hit_dice_stand_for_the_level_of_creatures(dice: str, damage: str, asked: list[str]) -> None:
    assert labels(struck(damage, ada=hero("ada", hp=90, level=0, hit_dice=dice))) == asked


def test_the_level_of_the_roster_comes_before_that_of_the_stat_block() -> None:
    roster = [RosterEntry("ada", "ada", side="party", level=10)]
    assert labels(struck("49", roster=roster)) == []
    assert labels(struck("50", roster=roster)) == [SAVE]


def test_what_temporary_hit_points_take_does_not_count() -> None:
    table = Wounded(ada=hero("ada", hp=90))
    table.does(SetHitPoints("ada", hp=10))
    table.does(GrantTempHp(("ada",), 6))
    table.hurts("40")
    assert (labels(table), table.effects("ada")) == ([], ZERO)


def test_what_resistance_halves_counts_by_half() -> None:
    assert labels(struck("68 fire", ada=hero("ada", hp=90, resistances=("fire",)))) == []
    assert labels(struck("70 fire", ada=hero("ada", hp=90, resistances=("fire",)))) == [SAVE]


@pytest.mark.rule("a5e.massive.save")
@pytest.mark.parametrize(("total", "dead"), [("14", True), ("15", False)])
def test_a_failed_save_is_instant_death(total: str, dead: bool) -> None:
    table = struck("35")
    table.answers(save=total)
    assert table.one("ada").dead is dead
    (rolled,) = [event for event in table.happened(Rolled) if event.purpose == SAVE]
    assert (rolled.dc, rolled.passed, rolled.rule) == (15, not dead, "a5e.massive.save")
    if dead:
        assert (table.effects("ada"), table.levels()) == (set(), (0, 0, 0))
        assert [event.rule for event in table.happened(Died)] == ["a5e.massive.save"]


@pytest.mark.rule("a5e.massive.save")
def test_the_save_is_one_with_constitution() -> None:
    table = Wounded(ada=hero("ada", hp=90, saves=(("con", 5), ("dex", 9))))
    table.dice(10)
    table.does(SetHitPoints("ada", hp=20))
    table.hurts("35")
    assert [event.roll.total for event in table.happened(Rolled) if event.purpose == SAVE] == [15]
    assert not table.one("ada").dead


@pytest.mark.rule("a5e.massive.success")
def test_a_save_made_costs_fatigue_and_strife_and_the_fall_a_level_more() -> None:
    table = struck("35")
    table.answers(save="18")
    assert table.gained("a5e.massive.success") == [("fatigue-pending", 1), ("strife", 1)]
    assert table.levels() == (0, 2, 1)
    assert table.effects("ada") >= ZERO
    assert table.one("ada").hp == 0


def test_a_save_passed_over_leaves_dying() -> None:
    table = struck("35")
    table.skips()
    assert (table.effects("ada"), table.levels()) == (ZERO, (0, 1, 0))
    assert [event.purpose for event in table.happened(Skipped)] == [SAVE]


def test_whoever_is_healed_meanwhile_neither_saves_nor_falls() -> None:
    table = struck("35")
    table.does(Heal(("ada",), 5))
    assert (table.prompts, table.one("ada").hp, table.effects("ada")) == ([], 5, set())


def test_a_monster_makes_no_save() -> None:
    table = Wounded()
    table.hurts("200", "orc")
    assert (table.one("orc").dead, table.prompts) == (True, [])


@pytest.mark.rule("a5e.external.level-hit-dice")
@pytest.mark.parametrize(("level", "asked"), [(13, [SAVE]), (14, [])])
def test_who_has_neither_is_asked_about_first(level: int, asked: list[str]) -> None:
    table = struck("60", ada=hero("ada", hp=90, level=0))
    (ask,) = table.asked()
    assert (ask.kind, ask.rule) == ("number", "a5e.external.level-hit-dice")
    assert table.effects("ada") == set()
    table.answers(level=level)
    assert labels(table) == asked
    if not asked:
        assert table.effects("ada") == ZERO


def test_the_figure_is_asked_once_and_not_for_little_damage() -> None:
    table = struck("19", 5, ada=hero("ada", hp=90, level=0))
    assert table.effects("ada") == ZERO
    table.does(SetHitPoints("ada", hp=5))
    table.hurts("60")
    table.answers(level=20)
    table.does(SetHitPoints("ada", hp=5))
    table.hurts("60")
    assert table.prompts == []
    assert table.one("ada").supplied_numbers == (("level", 20),)


def test_a_figure_that_nobody_gives_judges_nothing() -> None:
    table = struck("60", ada=hero("ada", hp=90, level=0))
    table.skips()
    assert (table.effects("ada"), table.prompts) == (ZERO, [])
