"""Chips of the unknown facts that decide a rule about an attack, without a map."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.running import Clock
from turnwright.play.attacks.attack import FactAssumed
from turnwright.play.effects.conditions import ApplyCondition
from turnwright.play.queries.queries import open_prompts, waiting_asks
from turnwright.play.setup.encounter_course import AdvanceSetup, StartEncounter
from turnwright.play.state.position_changes import SetRelation
from turnwright.play.turn_order.surprise import SetInitiative
from turnwright.ui.docks.turn.dock import TurnDock
from turnwright.ui.shell.window_actions import action_table
from turnwright.workspace.document import open_document

from tests.ui.docks.running_fight import settle  # isort: skip

ROAD = """\
format = 3
system = "{system}"
title = "The road"
[creatures.ann]
name = "Ann"
hp = 30
ac = 15
features.bow = {{ name = "Bow", cost = "action", attack = 6, range = "150/600", damage = "1d8+3 piercing" }}
features.pike = {{ name = "Pike", cost = "action", attack = 5, reach = 10, damage = "1d10+3 piercing" }}
features.pack = {{ name = "Pack Tactics", rules = [{{ kind = "advantage", what = "attack", when = "ally-at-target:5" }}] }}
[creatures.bob]
name = "Bob"
hp = 30
ac = 15
[creatures.orc]
name = "Orc"
hp = 30
ac = 13
[roster.ann]
creature = "ann"
side = "party"
[roster.bob]
creature = "bob"
side = "party"
[roster.orc]
creature = "orc"
side = "enemies"
"""


@pytest.fixture(params=["dnd5e", "a5e"])
def road(request, qapp, tmp_path, systems, shared_docks):
    path = tmp_path / "road.toml"
    path.write_text(ROAD.format(system=request.param), encoding="utf-8")
    source = open_document(path, systems, tmp_path / "state", seed=7)
    document = shared_docks.document_of(source)
    for command in (StartEncounter(), AdvanceSetup(), AdvanceSetup()):
        document.execute(command)
    document.execute(SetInitiative((("ann", 20), ("bob", 15), ("orc", 10))))
    document.execute(AdvanceSetup())
    settle(document)
    assert document.encounter.need(Clock, "clock").active == "ann"
    document.execute(ApplyCondition(("orc",), "prone"))
    yield document
    source.close()


@pytest.fixture
def dock(road, show):
    dock = show(TurnDock)
    dock.live.setFocus()
    return dock


@pytest.fixture
def card(dock):
    dock.open_attack()
    dock.form_host.attack_card.open_for("ann", "bow", "orc")
    return dock.form_host.attack_card


def deciding(card):
    return [chip.text() for id, chip in card.facts.chips.items() if id.startswith("once:")]


def press(qtbot, key, modifier=Qt.KeyboardModifier.NoModifier):
    qtbot.keyClick(QApplication.focusWidget(), key, modifier)


def edges(card):
    return {edge.kind for edge in card.preview.roll.edges}


def test_each_unknown_that_decides_has_a_chip_with_its_consequence(card):
    assert deciding(card)[0] == "Prone: disadvantage · farther than 5 ft, assumed"
    assert "no disadvantage · within normal range, assumed" in deciding(card)
    assert "Pack Tactics: no advantage · no ally within 5 ft of the target, assumed" in deciding(card)
    assert "farther than 5 ft" in card.facts.chips["once:within:5"].toolTip()


def test_x_turns_the_first_chip_and_shift_x_the_next(card, qtbot):
    press(qtbot, Qt.Key.Key_X)
    assert deciding(card)[0] == "Prone: advantage · within 5 ft"
    assert edges(card) == {"advantage"}
    assert card.command().facts == ("within:5",)
    press(qtbot, Qt.Key.Key_X)
    assert deciding(card)[0] == "Prone: disadvantage · farther than 5 ft, assumed"
    before = deciding(card)[1]
    press(qtbot, Qt.Key.Key_X, Qt.KeyboardModifier.ShiftModifier)
    assert len(card.command().facts) == 1
    assert card.command().facts != ("within:5",)
    assert before not in deciding(card)


def test_a_click_turns_a_chip_too(card):
    card.facts.chips["once:ally-at-target:5"].click()
    assert card.command().facts == ("ally-at-target:5",)
    assert "Pack Tactics: advantage · an ally within 5 ft of the target" in deciding(card)


def test_no_key_of_the_window_is_x():
    taken = {shortcut for spec in action_table().specs for shortcut in spec.look.shortcuts}
    assert "N" in taken
    assert not taken & {"X", "Shift+X"}


def test_a_fact_without_an_assumption_is_asked_on_the_card_or_before_the_roll(road, dock, qtbot):
    dock.open_attack()
    dock.form_host.attack_card.open_for("ann", "pike", "orc")
    card = dock.form_host.attack_card
    chip = card.facts.chips["once:within:5"]
    assert chip.text() == "Prone: advantage / disadvantage? · within 5 ft?"
    card.attack()
    assert "fact:within:5" in [ask.id for ask in waiting_asks(open_prompts(road.encounter)[0])]
    road.undo()
    dock.open_attack()
    dock.form_host.attack_card.open_for("ann", "pike", "orc")
    chip = card.facts.chips["once:within:5"]
    chip.click()
    assert (chip.text(), edges(card)) == ("Prone: advantage · within 5 ft", {"advantage"})
    chip.click()
    assert (chip.text(), edges(card)) == ("Prone: disadvantage · farther than 5 ft", {"disadvantage"})
    chip.click()
    assert chip.text() == "Prone: advantage / disadvantage? · within 5 ft?"


def test_an_entered_distance_leaves_no_chip(road, card):
    road.execute(SetRelation("ann", "orc", distance=5))
    card.refresh()
    assert not any("Prone" in text or "range" in text for text in deciding(card))
    assert "advantage" in edges(card)


def test_the_roll_keeps_what_the_card_assumed(road, card):
    card.attack()
    settle(road)
    assert not list(road.encounter.all(Procedure))
    events = [event for step in road.source.session.history.applied for event in step.events]
    assert [event.fact for event in events if isinstance(event, FactAssumed)] == ["not within:5"]
