"""The report of a fight on paper: its figures and charts for both editions, and nothing that players may not know."""

from __future__ import annotations

import pytest

from tests.handouts import samples
from tests.handouts.sample_pages import data_of, outside, printed, text_of
from tests.play.map_table import Field
from tests.table import Table, a5e, creature
from turnwright.encounter.state import Encounter
from turnwright.handouts.kinds.fight_report import KIND, MOST_BARS, ticks
from turnwright.handouts.page_input import Edition, PageInput, PrintedBars, PrintedReport, PrintedRound, PrintOptions
from turnwright.handouts.typesetter import Typesetter
from turnwright.play.damage.damage_roll import ApplyDamage
from turnwright.play.environment.map_changes import SetFog
from turnwright.play.table.game_master import SetHidden, SetKnownName
from turnwright.play.turns.turns import RemoveCombatant
from turnwright.workspace.print_job import printed_report, translator


def begun(*more: str) -> Table:
    """A fighter, a goblin and others in round 1."""
    table = Table(creature("ann", ac=15), creature("gob", hp=7), *more, foes=("gob", *more))
    table.start(ann=20, gob=10, **dict.fromkeys(more, 5))
    table.does(ApplyDamage(("gob",), "7", "Ann"))
    table.does(ApplyDamage(("ann",), "5", "Gob"))
    return table


def page(table: Table, edition: Edition = "game-master", **options: str) -> PageInput:
    """The input of a page of a table's fight."""
    say, session = translator(samples.words(), a5e()), table.session
    report = printed_report(session.encounter, session.rules, tuple(session.journal()), edition, say)
    return PageInput(session.encounter, a5e(), say, PrintOptions(edition=edition, **options), report=report)


def long_fight(combatants: int, rounds: int) -> PageInput:
    """The input of a page of a long fight of many."""
    bars = tuple(PrintedBars(f"Raider of the river {n}", n < 3, 10 * n, 7 * n) for n in range(1, combatants + 1))
    report = PrintedReport(
        summary=("The fight took long.",),
        heads=("Name", "Damage dealt", "Damage taken", "Felled"),
        rows=tuple((one.name, str(one.dealt), str(one.taken), "Raider, Archer") for one in bars),
        party=2,
        bars=bars,
        course=tuple(PrintedRound(n, 500 - 9 * n, 499 - 9 * n, ("Raider", "Archer")) for n in range(rounds + 1)),
        lists=(("Gained", ("200 XP",)),),
    )
    say = translator(samples.words(), a5e())
    return PageInput(Encounter(), a5e(), say, PrintOptions(), report=report)


def test_players_read_nothing_of_those_who_have_always_been_under_the_fog():
    table = Field("ann", "gob", foes=("gob",)).puts(ann=(0, 0), gob=(9, 9))
    for state, rows in (("shown", 2), ("hidden", 1)):
        table.does(SetFog(state))
        report = page(table, "players").report
        assert report is not None
        assert len(report.rows) == rows


def test_before_a_fight_there_is_no_page():
    table = Table(creature("ann"), "gob")
    assert data_of(KIND, page(table)) is None


def test_it_has_the_figures_of_the_report():
    data = data_of(KIND, page(begun()))
    assert [(one["head"], one["kind"]) for one in data["columns"]][:3] == [
        ("Name", "short"),
        ("Damage dealt", "number"),
        ("Damage taken", "number"),
    ]
    assert (data["rows"][0][:3], data["party"]) == (["Ann", "7", "5"], 1)
    assert data["bars"][0] == {"name": "Ann", "party": True, "dealt": 7, "taken": 5}
    assert [(one["round"], one["party"], one["others"], one["fell"]) for one in data["course"]] == [
        (0, 20, 7, ""),
        (1, 15, 0, "Gob"),
    ]


def test_players_get_no_figures_of_others_and_only_the_names_that_they_know():
    table = begun("rat")
    data = data_of(KIND, page(table, "players"))
    assert [row[0] for row in data["rows"]] == ["Ann", "Creature 1", "Creature 2"]
    assert [one["name"] for one in data["bars"]] == ["Ann"]
    assert not data["both"]
    assert data["course"][1]["fell"] == "Creature 1"
    table.does(SetKnownName(("gob",), "The pale lady", alone=True))
    shown = data_of(KIND, page(table, "players"))
    assert [row[0] for row in shown["rows"]] == ["Ann", "The pale lady", "Creature 1"]
    assert "Gob" not in str(shown)


def test_whatever_players_never_saw_does_not_change_their_page():
    plain, with_secret = begun(), begun("spy")
    with_secret.does(SetHidden(("spy",), hidden=True))
    with_secret.does(ApplyDamage(("spy",), "3", "Ann"))
    with_secret.does(ApplyDamage(("ann",), "0", "Spy"))
    one, other = (data_of(KIND, page(table, "players")) for table in (plain, with_secret))
    assert one == other
    assert data_of(KIND, page(plain)) != data_of(KIND, page(with_secret))


def names_for_players(table: Table) -> list[str]:
    """The names of the players' page, each with what became of it."""
    return [f"{row[0]}: {row[-1]}" for row in data_of(KIND, page(table, "players"))["rows"]]


def test_players_are_told_who_left_by_the_names_that_they_know():
    table = begun("rat")
    for who in ("gob", "rat"):
        table.does(SetKnownName((who,), "The pale lady" if who == "gob" else "", alone=True))
    table.does(RemoveCombatant("gob"))
    assert names_for_players(table) == ["Ann: ", "Rat: ", "The pale lady: dead, left"]
    assert "Gob" not in str(data_of(KIND, page(table, "players")))


@pytest.mark.parametrize("case", ["not met", "hidden"])
def test_players_are_told_nothing_of_who_left_unmet_or_unseen(case: str):
    table = begun("spy")
    if case == "hidden":
        table.does(SetKnownName(("spy",), alone=True))
        table.does(SetHidden(("spy",), hidden=True))
    table.does(ApplyDamage(("ann",), "2", "Spy"))
    table.does(ApplyDamage(("spy",), "90", "Ann"))
    table.does(RemoveCombatant("spy"))
    found = str(data_of(KIND, page(table, "players")))
    assert names_for_players(table) == ["Ann: ", "Creature 1: dead"]
    assert "Spy" not in found
    assert "Spy" in str(data_of(KIND, page(table)))


@pytest.mark.parametrize(
    ("highest", "expected"), [(0, [0, 1]), (5, [0, 1, 2, 3, 4, 5]), (7, [0, 2, 4, 6, 8]), (143, [0, 50, 100, 150])]
)
def test_an_axis_has_round_numbers(highest, expected):
    assert ticks(highest) == expected


def test_a_chart_names_how_many_it_leaves_out():
    data = data_of(KIND, long_fight(MOST_BARS + 3, 4))
    assert (len(data["bars"]), data["more"]) == (MOST_BARS, "and 3 more in the table")


@pytest.mark.parametrize("edition", ["game-master", "players"])
def test_it_prints_within_its_margins(press: Typesetter, edition: Edition):
    (pdf,) = press.typeset(printed(KIND, page(begun("rat"), edition))).pages
    text = text_of(pdf)
    assert "Fight report" in text
    assert ("Others" in text) == (edition == "game-master")
    assert outside(pdf) == []


def test_a_long_fight_goes_on_overleaf_within_its_margins(press: Typesetter):
    (pdf,) = press.typeset(printed(KIND, long_fight(30, 40))).pages
    assert outside(pdf) == []
    assert "200 XP" in text_of(pdf)
