"""Hiding from those who might notice, and searching for whoever is hidden."""

from __future__ import annotations

from typing import Any

import pytest

from tests.play.attack_table import AXE, STRONG, Fray
from tests.table import Table, creature
from turnwright.encounter.prepared import Scene
from turnwright.encounter.running import Duration, Effect
from turnwright.play.actions.action import TakeAction
from turnwright.play.actions.contest import HideResolved, SearchResolved
from turnwright.play.attacks.attack_request import GUESSED_RIGHT, Attack
from turnwright.play.effects.conditions import ApplyCondition
from turnwright.play.state.events import Rolled
from turnwright.play.table.game_master import SetDice


def watched(*scores: int | None, options: tuple[str, ...] = (), **a: Any) -> Table:
    """A among foes T, U, … with these passive Perception scores; A's turn."""
    foes = tuple(
        creature(name, **({} if score is None else {"passives": (("perception", score),)}))
        for name, score in zip("tuv", scores, strict=False)
    )
    names = tuple(one.id for one in foes)
    table = Table(creature("a", **a), *foes, foes=names, scene=Scene(strictness="enforce", options=options))
    table.start(a=20, **{name: 10 - at for at, name in enumerate(names)})
    return table


def hides(table: Table, *faces: int) -> None:
    """Hide with these faces."""
    table.dice(*faces)
    table.does(TakeAction("a", "hide"))


def hidden(table: Table) -> dict[str, int]:
    """From whom A is hidden, with the total kept."""
    return {one.by: one.value for one in table.encounter.all(Effect) if one.name == "hidden" and one.target == "a"}


# Hiding -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("a5e.action.hide.check")
def test_hiding_is_stealth_against_each_passive_perception() -> None:
    table = watched(12, 16, skills=(("stealth", 4),))
    hides(table, 10)
    rolled = table.happened(Rolled)[-1]
    assert (rolled.detail, rolled.roll.total, rolled.rule) == ("<check.dex:stealth>", 14, "a5e.action.hide.check")
    assert hidden(table) == {"t": 14}
    compared = [(one.observer, one.score, one.hidden, one.rule) for one in table.happened(HideResolved)]
    assert compared == [("t", 12, True, "a5e.action.hide.check"), ("u", 16, False, "a5e.action.hide.check")]


@pytest.mark.rule("a5e.action.hide.benefit")
def test_who_is_hidden_strikes_and_is_struck_like_somebody_unseen() -> None:
    seer = creature("t", passives=(("perception", 10),), features=(AXE,), abilities=STRONG, hp=60)
    table = Fray(creature("a", features=(AXE,), abilities=STRONG), seer, foes=("t",)).puts(a=(1, 1), t=(2, 1))
    hides(table, 12)
    table.ends_turn()
    table.dice(3, 14, 4)
    table.does(Attack("t", "a", "axe"))
    while table.prompts:
        table.chooses(GUESSED_RIGHT)
    assert (table.last.outcome, table.last.guessed) == ("miss", True)  # the 3: with the 14 it would have hit
    assert [kind for kind, _ in table.edges("t", "a", "axe")] == ["disadvantage"]
    table.ends_turn()
    struck = table.strikes("a", "t", "axe", 3, 14, 4)
    assert struck is not None
    assert struck.roll is not None
    assert struck.roll.natural == 14
    assert "a5e.action.hide.benefit" in table.rules.conditions["hidden"].ledger


@pytest.mark.rule("a5e.external.contests")
@pytest.mark.parametrize("against", [False, True])
def test_a_tie_goes_to_who_hides_unless_the_table_says_otherwise(against: bool) -> None:
    table = watched(14, options=("ties-against",) if against else ())
    hides(table, 14)
    assert bool(hidden(table)) is not against
    (compared,) = table.happened(HideResolved)
    assert (compared.total, compared.score, compared.rule) == (14, 14, "a5e.external.contests")
    line = [line.phrase.key for line in table.session.journal()][-1]
    assert line == ("journal.noticed_by_tie" if against else "journal.hid_from_tie")


def test_a_passive_score_that_nobody_gave_is_asked_once_for_each_kind() -> None:
    table = Table("a", creature("t"), creature("u", passives=(("perception", 10),)), foes=("t", "u"))
    table.start(a=20, t=10, u=5)
    table.dice(14)
    table.does(TakeAction("a", "hide"))
    (asked,) = table.prompt.asks
    assert (asked.kind, asked.who) == ("number", "t")
    table.answers(figure__t=15)
    assert hidden(table) == {"u": 14}
    table.ends_turn(3)
    hides(table, 16)
    assert (table.prompts, hidden(table)) == ([], {"t": 16, "u": 16})


def test_an_observer_nobody_knows_the_score_of_is_left_out() -> None:
    table = watched(None, 10)
    table.dice(14)
    table.does(TakeAction("a", "hide"))
    table.skips()
    assert hidden(table) == {"u": 14}


def test_hiding_worse_than_before_gives_one_away() -> None:
    table = watched(12)
    hides(table, 15)
    table.ends_turn(2)
    hides(table, 5)
    assert hidden(table) == {}


def test_hiding_with_dice_that_nobody_saw_asks_the_total() -> None:
    table = watched(12)
    table.does(SetDice("ask"))
    table.does(TakeAction("a", "hide"))
    table.answers(roll="?")
    table.answers(roll=13)
    assert hidden(table) == {"t": 13}


# Searching ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("a5e.action.search.passive")
@pytest.mark.parametrize(("stealth", "noticed"), [(13, True), (15, False)])
def test_without_a_search_passive_scores_decide(stealth: int, noticed: bool) -> None:
    table = watched(14)
    hides(table, stealth)
    assert (hidden(table) == {}) is noticed
    assert table.happened(HideResolved)[-1].hidden is not noticed
    assert "a5e.action.search.passive" in table.rules.actions["search"].ledger


@pytest.mark.rule("a5e.action.search.extra-chance")
@pytest.mark.parametrize(("face", "found"), [(17, True), (12, False), (15, True)])
def test_searching_is_one_more_chance(face: int, found: bool) -> None:
    table = watched(14, 14)
    hides(table, 15)
    table.ends_turn()
    table.dice(face)
    table.does(TakeAction("t", "search", choice="wis:perception"))
    (search,) = table.happened(SearchResolved)
    assert (search.hider, search.score, search.found) == ("a", 15, found)
    tie = face == 15
    assert search.rule == ("a5e.external.contests" if tie else "a5e.action.search.extra-chance")
    assert hidden(table) == ({"u": 15} if found else {"t": 15, "u": 15})


@pytest.mark.rule("a5e.action.search.check")
def test_the_narrator_says_which_check_a_search_is() -> None:
    table = Table(creature("t", skills=(("perception", 5), ("investigation", 1))), creature("a"), foes=("t",))
    table.start(t=20, a=10)
    table.does(TakeAction("t", "search"))
    (asked,) = table.prompt.asks
    assert [option.id for option in asked.options] == ["check.wis:perception", "check.int:investigation"]
    assert (asked.who, asked.rule) == ("", "a5e.action.search.check")
    table.dice(10)
    table.answers(check="check.int:investigation")
    assert table.happened(Rolled)[-1].roll.total == 11


def test_who_hides_from_everybody_is_found_by_the_searcher_alone() -> None:
    table = watched(10, 10)
    table.does(ApplyCondition(("a",), "hidden", value=12, ends=Duration()))
    table.ends_turn()
    table.dice(15)
    table.does(TakeAction("t", "search", choice="perception"))
    assert hidden(table) == {"u": 12}


def test_a_hiders_total_that_nobody_rolled_is_asked() -> None:
    table = watched(10)
    table.does(ApplyCondition(("a",), "hidden"))
    table.ends_turn()
    table.dice(15)
    table.does(TakeAction("t", "search", choice="perception"))
    (asked,) = table.prompt.asks
    assert asked.who == "a"
    table.answers(**{asked.id.replace(".", "__").replace("-", "_"): 16})
    assert hidden(table) == {"": 16}
