"""The difficulty beside the title, in rule systems with budgets."""

from __future__ import annotations

from fractions import Fraction

import msgspec
import pytest

from tests.for_each import for_each
from turnwright.encounter.prepared import Creature, RosterEntry, Scene
from turnwright.play.setup.prepared_records import Edit
from turnwright.rules.parts.preparation.encounter_budgets import encounter_budget
from turnwright.rules.word_keys import amount_text
from turnwright.ui.docks.roster.dock import RosterDock


@pytest.fixture
def dock(show):
    return show(RosterDock, width=632)


def play(document, system, *options):
    scene = document.encounter.need(Scene, "scene")
    document.execute(Edit(msgspec.structs.replace(scene, system=system, options=options)))


def level_all(document, foes):
    """Give every player character level 5, and every creature of the foes a rating."""
    for entry in list(document.encounter.all(RosterEntry)):
        document.execute(Edit(msgspec.structs.replace(entry, level=5 if entry.player else 0)))
        creature = document.encounter.get(Creature, entry.creature)
        if not entry.player and creature is not None:
            document.execute(Edit(msgspec.structs.replace(creature, rating=foes, level=0)))


def foes_and_size(document):
    sides = {one.side for one in document.encounter.all(RosterEntry) if one.player}
    roster = list(document.encounter.all(RosterEntry))
    foes = [one for one in roster if one.side not in sides and not one.player and not one.bystander]
    return foes, sum(one.count for one in roster if one.player)


def card_of(dock):
    assert dock.difficulty.explain()
    said = dock.difficulty.label.card().accessibleName()
    dock.difficulty.label.close_card()
    return said


def test_a_game_without_figures_has_no_such_line(dock, document):
    assert dock.difficulty.isVisible()
    play(document, "action_points")
    assert not dock.difficulty.isVisible()


def test_without_a_level_in_the_party_the_line_says_what_is_missing(dock, document, qtbot):
    for entry in list(document.encounter.all(RosterEntry)):
        document.execute(Edit(msgspec.structs.replace(entry, player="", level=0)))
    assert dock.difficulty.label.text() == "No difficulty yet"
    assert not dock.difficulty.bar.isVisible()
    assert "set the level of each" in dock.difficulty.toolTip()
    with qtbot.waitSignal(dock.partyRequested):
        dock.difficulty.add_button.click()
    assert not dock.difficulty.explain()


def test_the_line_follows_the_roster(dock, document, qtbot):
    play(document, "pf2e")
    level_all(document, "5")
    foes, size = foes_and_size(document)
    xp = 40 * sum(one.count for one in foes)
    qtbot.waitUntil(dock.difficulty.isVisible)
    assert dock.difficulty.label.text().endswith(f" · {xp}")
    document.execute(Edit(msgspec.structs.replace(foes[0], count=foes[0].count + 1)))
    assert dock.difficulty.label.text().endswith(f" · {xp + 40}")
    assert f" for {size} characters of level 5" in card_of(dock)
    level_all(document, "20")
    assert dock.difficulty.label.text() == "Extreme · 0"


def test_the_bar_shows_how_much_of_the_threat_is_used_up(dock, document):
    level_all(document, "1/4")
    foes, _ = foes_and_size(document)
    for extra in foes[1:]:
        document.execute(Edit(msgspec.structs.replace(extra, bystander=True)))
    document.execute(Edit(msgspec.structs.replace(foes[0], count=4)))
    bar, label = dock.difficulty.bar, dock.difficulty.label
    limit = dict(encounter_budget(document.encounter, document.rules).steps)["easy"]
    assert label.text() == f"Easy · 1 of {amount_text(limit)}"
    assert (bar.share, bar.tone) == (pytest.approx(float(1 / limit)), "heal")
    document.execute(Edit(msgspec.structs.replace(foes[0], count=400)))
    assert (bar.share, bar.tone) == (1.0, "harm")


def test_the_card_adds_up_the_foes_and_says_what_the_next_threat_would_take(dock, document):
    play(document, "pf2e")
    level_all(document, "1")
    foes, size = foes_and_size(document)
    said = card_of(dock)
    many = next(one for one in foes if one.count > 1)
    assert f"{10 * many.count} {many.count} × " in said
    assert "10 XP each" in said
    assert f"{40 + 10 * (size - 4)} or less: trivial" in said
    assert f"{60 + 20 * (size - 4)} or less: low" in said
    assert "before it becomes" in said
    assert "publisher's public numbers (Threat)" in said
    level_all(document, "20")
    assert "Not counted, outside the table: " in card_of(dock)


def test_a_table_rule_weighs_by_other_figures(dock, document):
    play(document, "dnd5e")
    level_all(document, "1")
    foes, _ = foes_and_size(document)
    count = sum(one.count for one in foes)
    assert f" · {200 * count:,} of" not in dock.difficulty.label.text()
    assert "for the number of enemies against a party of" in card_of(dock)
    play(document, "dnd5e", "budget-2024")
    assert f" · {200 * count:,} of" in dock.difficulty.label.text()
    assert "for so many foes" not in card_of(dock)


def test_ratings_are_added_up_as_fractions(dock, document):
    level_all(document, "1/4")
    foes, _ = foes_and_size(document)
    for extra in foes[1:]:
        document.execute(Edit(msgspec.structs.replace(extra, bystander=True)))
    document.execute(Edit(msgspec.structs.replace(foes[0], count=5)))
    assert dock.difficulty.label.text().startswith("Easy · 1¼ of ")


@for_each(
    ("value", "text"),
    [("0", "0"), ("7", "7"), ("1/2", "½"), ("13/2", "6½"), ("3/4", "¾"), ("11/4", "2¾"), ("75/2", "37½"), ("101/10", "10.1"), ("22125/2", "11,062"), ("4500", "4,500")],
)  # fmt: skip
def test_sums_read_as_people_write_them(value, text):
    assert amount_text(Fraction(value)) == text
