"""The form of a condition: one line, for those selected or whoever acts."""

import pytest
from PySide6.QtCore import Qt

from tests.ui.docks.running_fight import settle
from turnwright.encounter.running import Effect
from turnwright.encounter.state import effect_value
from turnwright.play.effects.conditions import ApplyCondition, EndEffect
from turnwright.play.queries.queries import active_combatants
from turnwright.play.turns.turns import EndTurn
from turnwright.ui.docks.turn.cards.result_strip import LatestResults
from turnwright.ui.docks.turn.dock import TurnDock
from turnwright.ui.models.turn_order import TurnOrderModel
from turnwright.ui.widgets.records.effect_chip import EffectChip


@pytest.fixture
def dock(show, fight):
    return show(TurnDock)


@pytest.fixture
def card(dock):
    dock.open_condition()
    return dock.form_host.condition_card


@pytest.fixture
def line(card):
    return card.field("line").line


@pytest.fixture
def chips(card):
    return card.field("line").chips


def button(card, field, id):
    return card.field(field).segments.buttons[id]


def conditions(document):
    return {(one.target, one.name, one.rounds_left, one.by) for one in document.encounter.all(Effect) if one.shown}


def test_poisoned_for_three_rounds(fight, dock, card, line, chips, qtbot):
    fight.select_combatants(("raiders-1", "raiders-2"))
    assert (line.hasFocus(), dock.action_bar.isVisible()) == (True, False)
    qtbot.keyClicks(line, "poi 3")
    assert chips.texts[:2] == ["Poisoned", "3 rounds"]
    qtbot.keyClick(line, Qt.Key.Key_Return)
    wanted = {("raiders-1", "poisoned", 3, "mira"), ("raiders-2", "poisoned", 3, "mira")}
    assert wanted <= conditions(fight)
    assert not dock.form_host.is_open


def test_it_is_for_whoever_acts_where_nobody_is_selected(fight, card, line, qtbot):
    assert "Mira, whose turn it is" in card.accessibleName()
    qtbot.keyClicks(line, "pro")
    qtbot.keyClick(line, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert ("mira", "prone", 0, "") in conditions(fight)
    assert (card.is_open, line.text()) == (True, "")


def test_a_word_that_is_not_understood_is_named_and_nothing_is_added(fight, card, line, chips, qtbot):
    before = conditions(fight)
    qtbot.keyClicks(line, "poisned 3")
    assert chips.texts == ["poisned: did you mean Poisoned?"]
    qtbot.keyClick(line, Qt.Key.Key_Return)
    assert (card.is_open, conditions(fight)) == (True, before)


def test_letters_of_common_conditions_stand_on_buttons_and_esc_puts_the_card_aside(dock, card, line, chips, qtbot):
    assert chips.texts == []
    chips.layout().itemAt(0).widget().click()
    assert card.command.condition == "prone"
    qtbot.keyClick(line, Qt.Key.Key_Escape)
    assert (dock.form_host.is_open, dock.action_bar.isVisible()) == (False, True)


def test_how_long_is_chosen_by_button_too(fight, card, line, chips, qtbot):
    fight.select_combatants(("raiders-1",))
    qtbot.keyClicks(line, "poi 3")
    button(card, "moment", "turn-end").click()
    command = card.command
    assert (command.ends.moment, command.ends.who, command.ends.skip) == ("turn-end", "mira", 3)
    button(card, "whose", "bearer").click()
    assert (card.command.rounds, card.command.counted) == (3, "affected")
    button(card, "lasts", "removed").click()
    assert card.command.rounds == 0
    button(card, "lasts", "save").click()
    assert card.command is None
    qtbot.keyClicks(line, " con 13")
    assert (card.command.save, card.command.dc) == ("con", 13)
    assert chips.texts[-1] == "Constitution save, DC 13"


def test_states_that_only_rules_bring_are_not_offered(fight, card, line, qtbot):
    qtbot.keyClicks(line, "hearing")
    assert card.command is None


def test_rounds_count_down_on_the_row_and_in_the_head_and_the_end_is_a_result(fight, dock, card, line, qtbot):
    model = TurnOrderModel(fight)

    def tags():
        return [tag.text for tag in model.row_at(model.row_of("mira")).tags]

    qtbot.keyClicks(line, "poi 2")
    button(card, "moment", "turn-end").click()
    button(card, "whose", "active").click()
    qtbot.keyClick(line, Qt.Key.Key_Return)
    assert ("poisoned · 2 r" in tags(), dock.header.effects.findChildren(EffectChip)[-1].accessibleName()) == (
        True,
        "Poisoned 2 r",
    )
    for text in ("poisoned · 2 r", "poisoned · 1 r"):
        fight.execute(EndTurn())
        settle(fight)
        assert text in tags()
        while active_combatants(fight.encounter)[0].id != "mira":
            fight.execute(EndTurn())
            settle(fight)
    assert "poisoned · ends this turn" in tags()
    fight.execute(EndTurn())
    assert not any("poisoned" in tag for tag in tags())
    result = next(one for one in LatestResults(fight).read() if one.kind == "ended")
    assert (result.word, result.outcome) == ("Ended", "Mira: Poisoned")
    assert (result.headline, result.explanation) == ("", "Mira: Poisoned")  # what ended is told once


def test_a_number_behind_a_condition_with_levels_is_its_level(fight, card, line, chips, qtbot):
    qtbot.keyClicks(line, "fat 2")
    assert chips.texts == ["Fatigue 2"]
    assert (card.field("level").box.number(), card.command.value, card.command.rounds) == (2, 2, 0)
    line.clear()
    qtbot.keyClicks(line, "pro 2")
    assert card.command.rounds == 2
    with pytest.raises(KeyError):
        card.field("level")


def test_a_condition_with_levels_proposes_one_more_than_the_targets_have(fight, card, line, chips, qtbot):
    fight.execute(ApplyCondition(("raiders-1",), "fatigue", 3))
    fight.select_combatants(("raiders-1",))
    qtbot.keyClicks(line, "fat")
    assert (chips.texts, card.command.value) == (["Fatigue 3 → 4"], 4)
    qtbot.keyClicks(line, " 2")
    assert (chips.texts, card.command.value) == (["Fatigue 3 → 2"], 2)


@pytest.mark.parametrize(("typed", "condition"), [("fat", "fatigue"), ("str", "strife")])
def test_targets_with_different_levels_get_one_more_each(fight, card, line, chips, qtbot, typed, condition):
    fight.execute(ApplyCondition(("raiders-1",), condition, 3))
    fight.select_combatants(("raiders-1", "raiders-2"))
    qtbot.keyClicks(line, typed)
    assert (chips.texts, card.command.value) == ([fight.rules.conditions[condition].name], 0)
    qtbot.keyClick(line, Qt.Key.Key_Return)
    assert [effect_value(fight.encounter, who, condition) for who in ("raiders-1", "raiders-2")] == [4, 1]


def test_end_means_the_end_of_the_bearer_s_next_turn_unless_another_is_chosen(fight, card, line, chips, qtbot):
    fight.select_combatants(("raiders-1",))
    qtbot.keyClicks(line, "poi end")
    assert chips.texts == ["Poisoned", "end of turn", "ends at the end of the target's next turn"]
    assert (card.command.rounds, card.command.counted) == (1, "affected")
    button(card, "whose", "active").click()
    assert (card.command.ends.moment, card.command.ends.who) == ("turn-end", "mira")
    line.clear()
    qtbot.keyClicks(line, "poi 3")
    assert (card.command.rounds, card.command.by) == (3, "mira")


def test_a_word_for_an_end_is_suggested_behind_a_condition(card, line, chips, qtbot):
    qtbot.keyClicks(line, "poi edn")
    assert chips.texts[-1] == "edn: did you mean end?"


def test_any_name_with_rules_is_an_effect(fight, card, line, chips, qtbot):
    qtbot.keyClicks(line, "Bless +1d4 attack, saves 1m held")
    assert chips.texts[:3] == ["Bless", "+1d4 attack, saves", "Mira concentrates"]
    assert "10 rounds" in chips.texts
    qtbot.keyClick(line, Qt.Key.Key_Return)
    assert {("mira", "Bless", 10, "mira"), ("mira", "concentrating", 0, "")} <= conditions(fight)
    effect = next(one for one in fight.encounter.all(Effect) if one.name == "Bless")
    assert ([rule.what for rule in effect.rules], effect.concentrator) == (["attack", "save"], "mira")
    model = TurnOrderModel(fight)
    assert any(tag.text.startswith("Bless") for tag in model.row_at(model.row_of("mira")).tags)


def test_a_word_that_is_no_rule_is_named_and_nothing_is_added(card, line, chips, qtbot):
    qtbot.keyClicks(line, "mark +1 luck")
    assert chips.texts[-1].startswith("“luck” isn't a rule, such as “+2 ac”")
    assert card.command is None


def test_a_name_alone_has_no_rules(card, line, chips, qtbot):
    qtbot.keyClicks(line, '"Plan 9" 3 once')
    assert chips.texts[:4] == ["Plan 9", "no rules", "one roll", "3 rounds"]
    assert (card.command.condition, card.command.rounds, card.command.uses) == ("Plan 9", 3, 1)


def test_a_name_used_before_brings_its_rules_and_its_end_even_after_it_ended(fight, dock, line, qtbot):
    qtbot.keyClicks(line, "Ward +1 ac 2")
    qtbot.keyClick(line, Qt.Key.Key_Return)
    fight.execute(EndEffect(next(one.id for one in fight.encounter.all(Effect) if one.name == "Ward")))
    dock.open_condition()
    card = dock.form_host.condition_card
    qtbot.keyClicks(card.field("line").line, "ward")
    assert card.field("line").chips.texts[:3] == ["Ward", "+1 ac", "2 rounds"]
    assert (card.command.condition, card.command.rules, card.command.rounds) == ("Ward", "+1 ac", 2)


def test_tab_corrects_a_name_and_a_second_enter_takes_it_as_it_is(fight, card, line, chips, qtbot):
    qtbot.keyClicks(line, "poisned 3")
    qtbot.keyClick(line, Qt.Key.Key_Tab)
    assert (line.text(), card.command.condition) == ("Poisoned 3 ", "poisoned")
    line.clear()
    qtbot.keyClicks(line, "poisned 3")
    qtbot.keyClick(line, Qt.Key.Key_Return)
    assert (chips.texts[0], card.command.condition) == ("poisned", "poisned")
    qtbot.keyClick(line, Qt.Key.Key_Return)
    assert ("mira", "poisned", 3, "mira") in conditions(fight)


def test_an_effect_can_last_until_a_rest(fight, card, line, chips, qtbot):
    qtbot.keyClicks(line, "armor +3 ac long rest")
    assert chips.texts == ["armor", "+3 ac", "until a long rest"]
    assert card.command.ends.moment == "long-rest"
    button(card, "lasts", "removed").click()
    assert (card.command.ends.moment, "rest" in card.field("lasts").segments.buttons) == ("never", False)


def test_the_name_of_a_spell_is_enough(fight, dock, card, line, chips, qtbot):
    fight.select_combatants(("mira", "tam"))
    qtbot.keyClicks(line, "bless")
    assert chips.texts[:4] == ["Bless", "+1d4 attack, saves", "Mira concentrates", "10 rounds"]
    qtbot.keyClick(line, Qt.Key.Key_Return)
    assert {("mira", "Bless", 10, "mira"), ("tam", "Bless", 10, "mira")} <= conditions(fight)
    assert not dock.form_host.is_open
    dock.open_condition()
    card = dock.form_host.condition_card
    qtbot.keyClicks(card.field("line").line, "bless held osk")
    assert "Osk concentrates" in card.field("line").chips.texts
    button(card, "lasts", "removed").click()
    assert (card.command.held_by, card.command.ends.moment) == ("osk", "encounter")
