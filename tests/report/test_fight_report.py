"""Reports of fights, from commands and scripted dice: who did and took what, round by round, as numbers and as text."""

from __future__ import annotations

from tests.table import Table, a5e, creature
from turnwright.encounter.facts import FightFact
from turnwright.encounter.prepared import Feature
from turnwright.play.attacks.attack_request import Attack
from turnwright.play.damage.damage_roll import ApplyDamage, GrantTempHp
from turnwright.play.damage.manual_hit_points import Heal, SetHitPoints
from turnwright.play.session import Session
from turnwright.play.table.game_master import KeepForecast
from turnwright.play.turns.awards import AwardExperience, AwardMilestone, AwardTreasure
from turnwright.play.turns.turns import EndTurn, RemoveCombatant
from turnwright.report.fight_report import FightReport, ForecastReport, fight_report, players_edition
from turnwright.report.markdown import markdown
from turnwright.storage.word_catalogue import WordCatalogue
from turnwright.workspace.text import Phrasebook

SWORD = Feature("sword", "Sword", "action", attack=5, reach=5, damage="1d8+3 slashing")


def facts_of(session: Session) -> list[tuple[int, FightFact]]:
    """The facts of a session with their rounds."""
    return [(line.round, fact) for line in session.journal() for fact in line.facts]


def report_of(session: Session) -> FightReport:
    """The report of a session."""
    return fight_report(session.encounter, facts_of(session))


def begun() -> Table:
    """A fighter and two goblins in round 1, the fighter's turn."""
    table = Table(creature("ann", features=(SWORD,), ac=15), creature("gob", hp=7, ac=12), "rat", foes=("gob", "rat"))
    table.start(ann=20, gob=10, rat=5)
    return table


def row(report: FightReport, who: str):
    """What one combatant did."""
    return next(one for one in report.combatants if one.who == who)


def test_an_attack_counts_for_who_made_it_and_who_took_it():
    table = begun()
    table.dice(15, 4)
    table.does(Attack("ann", "gob", "sword"))
    found = report_of(table.session)
    ann, gob = row(found, "ann"), row(found, "gob")
    assert (ann.dealt, ann.attacks, ann.hits, ann.criticals) == (7, 1, 1, 0)
    assert (gob.taken, gob.fell, ann.felled) == (7, 1, ("Gob",))


def test_a_miss_is_an_attack_without_a_hit():
    table = begun()
    table.dice(2)
    table.does(Attack("ann", "gob", "sword"))
    ann = row(report_of(table.session), "ann")
    assert (ann.attacks, ann.hits, ann.dealt) == (1, 0, 0)


def test_damage_entered_by_hand_is_that_of_the_combatant_named_as_its_source():
    table = begun()
    table.does(ApplyDamage(("rat",), "4", "Ann"))
    table.does(ApplyDamage(("ann",), "5", "Falling rocks"))
    found = report_of(table.session)
    assert (row(found, "ann").dealt, row(found, "ann").taken, row(found, "rat").taken) == (4, 5, 4)
    assert found.causes == (("Falling rocks", 5, 1),)


def test_healing_counts_what_came_back():
    table = begun()
    table.does(ApplyDamage(("ann",), "5"))
    table.does(Heal(("ann",), 9, "Rat"))
    found = report_of(table.session)
    assert (row(found, "ann").regained, row(found, "rat").healed) == (5, 5)


def test_what_is_taken_back_is_in_no_report():
    table = begun()
    table.does(ApplyDamage(("gob",), "7", "Ann"))
    table.session.undo()
    found = report_of(table.session)
    assert (row(found, "ann").dealt, row(found, "gob").fell) == (0, 0)


def test_rounds_show_the_hit_points_left_of_both_sides():
    table = begun()
    table.does(ApplyDamage(("gob",), "3"))
    for _ in range(3):
        table.does(EndTurn())
    table.does(SetHitPoints("ann", 11))
    found = report_of(table.session)
    assert (found.rounds, found.start.party, found.start.others) == (2, 20, 27)
    assert [(one.party, one.others) for one in found.course] == [(20, 24), (11, 24)]


def test_a_combatant_who_left_keeps_its_name():
    table = begun()
    table.does(ApplyDamage(("ann",), "2", "Rat"))
    table.does(RemoveCombatant("rat"))
    assert row(report_of(table.session), "rat").label == "Rat"
    assert row(report_of(table.session), "rat").dealt == 2


def test_a_combatant_who_left_is_told_as_left_and_on_its_side():
    table = begun()
    table.does(ApplyDamage(("gob",), "7", "Ann"))
    table.does(RemoveCombatant("gob"))
    found = report_of(table.session)
    assert [(one.label, one.gone, one.party) for one in found.combatants] == [
        ("Ann", False, True),
        ("Rat", False, False),
        ("Gob", True, False),
    ]
    assert "| Gob |" in markdown(found, "T", text())
    assert "dead, left |" in markdown(found, "T", text())
    table.session.undo()
    assert not row(report_of(table.session), "gob").gone


def test_one_of_the_party_who_left_stays_of_the_party():
    table = Table(creature("ann"), creature("bo"), "rat", foes=("rat",))
    table.start(ann=20, bo=10, rat=5)
    table.does(RemoveCombatant("bo"))
    assert row(report_of(table.session), "bo").party


def test_turns_are_timed_by_the_clock_of_the_table():
    seconds = [0]
    table = begun()
    table.session = Session(table.encounter, a5e(), clock=lambda: seconds[0])
    for took in (40, 20, 10, 80, 20):
        seconds[0] += took
        table.does(EndTurn())
    gob = row(report_of(table.session), "gob")
    assert gob.turn_seconds == (20, 20)
    assert row(report_of(table.session), "ann").turn_seconds == (80, 80)


def test_the_players_edition_has_no_figures_of_the_others_and_no_one_unseen():
    table = begun()
    table.does(ApplyDamage(("gob",), "7", "Ann"))
    table.does(ApplyDamage(("ann",), "5", "Secret trap"))
    shown = players_edition(report_of(table.session), ["rat"])
    assert [one.label for one in shown.combatants] == ["Ann", "Gob"]
    assert (row(shown, "gob").taken, row(shown, "gob").fell, row(shown, "ann").felled) == (0, 1, ("Gob",))
    assert (shown.start.others, shown.course[0].others, shown.causes) == (None, None, ())
    assert "Secret" not in markdown(shown, "T", text())


def text():
    """The words of a report in A5E."""
    return Phrasebook(WordCatalogue.load(), a5e()).text


def test_a_report_is_a_table_in_markdown_and_names_are_text():
    table = begun()
    table.does(ApplyDamage(("gob",), "7", "Ann"))
    found = markdown(report_of(table.session), "The <b>ford</b>", text())
    assert found.startswith(
        "# The \\<b\\>ford\\</b\\>\n\nThe fight took 1 round.\n1 of 2 combatants outside the party fell.\n"
    )
    assert "| Ann | 7 | – | Gob | – |" in found
    assert "- Round 1: the party has 20 hit points left, the others have 20. Gob fell." in found


def test_what_was_foreseen_stands_beside_what_came_of_it():
    table = begun()
    table.does(ApplyDamage(("ann",), "90", "Gob"))
    assert report_of(table.session).initial_forecast is None
    table.does(KeepForecast(82, 41, (("ann", 18), ("gone", 3))))
    found = report_of(table.session)
    assert found.initial_forecast == ForecastReport(82, 41, (("Ann", 18),))
    lines = markdown(found, "T", text())
    assert "victory in 82 of 100 fights, after 4.1 rounds on average. The fight took 1." in lines
    assert "Expected to fall: Ann 18 %, and did." in lines
    assert players_edition(found, ()).initial_forecast is None
    table.session.undo()
    assert report_of(table.session).initial_forecast is None


def test_damage_is_what_was_really_lost():
    table = begun()
    table.does(ApplyDamage(("gob",), "99", "Ann"))
    table.does(GrantTempHp(("ann",), 5))
    table.does(ApplyDamage(("ann",), "8", "Rat"))
    found = report_of(table.session)
    assert (row(found, "ann").dealt, row(found, "gob").taken) == (7, 7)  # 99 of 7 hit points
    assert (row(found, "rat").dealt, row(found, "ann").taken) == (8, 8)  # 5 temporary ones and 3


def test_nobody_is_credited_for_damage_without_a_source():
    table = begun()
    table.does(ApplyDamage(("gob", "rat"), "3"))
    found = report_of(table.session)
    assert [one.dealt for one in found.combatants] == [0, 0, 0]
    assert found.causes == (("", 6, 2),)


def test_awards_are_listed():
    table = begun()
    table.does(AwardExperience(275, ("ann",), "the door"))
    table.does(AwardTreasure("grey cloak", ("ann", "rat")))
    table.does(AwardTreasure("purse"))
    table.does(AwardMilestone("over the bridge"))
    written = markdown(report_of(table.session), "Test", text())
    for line in (
        "- 275 XP each for the door (Ann)",
        "- grey cloak (Ann, Rat)",
        "- purse",
        "- Milestone: over the bridge",
    ):
        assert line in written
