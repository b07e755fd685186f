import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel

from tests.ui.docks.edits import with_feature
from tests.ui.docks.running_fight import opened_menu, settle
from tests.ui.rule_checks import check_rules
from turnwright.encounter.prepared import OtherDamage
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.asks import Prompt
from turnwright.encounter.running import Combatant, Effect, Relation, Track
from turnwright.play.actions.action import TakeAction
from turnwright.play.damage.damage_roll import ApplyDamage
from turnwright.play.effects.conditions import ApplyCondition
from turnwright.play.queries.queries import open_prompts
from turnwright.play.state.position_changes import SetPosition, SetRelation
from turnwright.play.table.game_master import SetDice, SetStat
from turnwright.play.turns.turns import EndTurn
from turnwright.ui.docks.turn import turn_actions
from turnwright.ui.docks.turn.cards.attack_card import target_picks
from turnwright.ui.docks.turn.dock import TurnDock
from turnwright.ui.widgets.rules.why import WhyLabel

ENTER = Qt.Key.Key_Return
MIRA, RAIDER = "mira", "raiders-1"


def press(qtbot, key, modifier=Qt.KeyboardModifier.NoModifier):
    focused = QApplication.focusWidget()
    if isinstance(key, str):
        qtbot.keyClicks(focused, key)
    else:
        qtbot.keyClick(focused, key, modifier)


def close_by(document):
    document.execute(SetPosition(RAIDER, position=(11, 9)))


@pytest.fixture
def dock(fight, show):
    dock = show(TurnDock)
    dock.live.setFocus()
    return dock


@pytest.fixture
def card(dock):
    return dock.form_host.attack_card


def reason_texts(card):
    return [label.text() for kind in (QLabel, WhyLabel) for label in card.reasons.findChildren(kind)]


def relation(document, one=MIRA, other=RAIDER):
    return document.encounter.get(Relation, f"{one}>{other}")


def test_a_number_key_opens_the_card_and_both_rolls_are_typed_in_it(fight, dock, card, qtbot):
    close_by(fight)
    press(qtbot, "1")
    assert card.isVisible()
    assert not dock.action_bar.isVisible()
    assert card.command().target == RAIDER
    before = fight.encounter.need(Combatant, RAIDER).hp
    press(qtbot, "18")
    assert card.to_hit.line.hasFocus()
    press(qtbot, ENTER)
    assert fight.encounter.need(Track, "mira.action").value == 0
    assert open_prompts(fight.encounter)[0].title == "prompt.damage"
    assert not dock.prompts.cards
    assert card.damage.line.hasFocus()
    press(qtbot, "9")
    press(qtbot, ENTER)
    assert before - fight.encounter.need(Combatant, RAIDER).hp == 9
    assert not card.isVisible()
    assert dock.live.hasFocus()


def test_enter_and_enter_roll_both(fight, dock, card, qtbot):
    close_by(fight)
    fight.execute(SetStat(RAIDER, "ac", 1))
    press(qtbot, "1")
    press(qtbot, ENTER)
    assert card.damage.button.property("kind") == "primary"
    assert card.to_hit.line.isHidden()
    press(qtbot, ENTER)
    assert fight.encounter.need(Combatant, RAIDER).hp < 26
    assert not card.isVisible()


def test_a_miss_closes_the_card_and_its_target_stays_selected(fight, dock, card, qtbot):
    close_by(fight)
    press(qtbot, "1")
    press(qtbot, "2")
    press(qtbot, ENTER)
    assert not open_prompts(fight.encounter)
    assert not card.isVisible()
    assert dock.action_bar.isVisible()
    assert fight.selected_combatants == (RAIDER,)


def test_with_auto_roll_an_attack_takes_two_keys(fight, dock, card, qtbot):
    close_by(fight)
    fight.execute(SetDice("roll"))
    press(qtbot, "1")
    assert card.to_hit.line.isHidden()
    press(qtbot, ENTER)
    assert fight.encounter.need(Track, "mira.action").value == 0
    assert not card.isVisible()


def test_damage_may_be_typed_ahead(fight, dock, card, qtbot):
    close_by(fight)
    press(qtbot, "1")
    card.damage.line.setText("5")
    press(qtbot, "18")
    press(qtbot, ENTER)
    assert card.damage.line.text() == "5"
    press(qtbot, ENTER)
    assert fight.encounter.need(Combatant, RAIDER).hp == 21


def test_nonsense_is_refused_before_the_attack_is_made(fight, dock, card, qtbot):
    close_by(fight)
    press(qtbot, "1")
    press(qtbot, "1")
    press(qtbot, " 8")
    press(qtbot, ENTER)
    assert card.vetoes.text()
    assert not open_prompts(fight.encounter)
    assert fight.encounter.need(Track, "mira.action").value == 1


def test_the_damage_of_a_closed_card_is_asked_by_a_prompt(fight, dock, card, qtbot):
    close_by(fight)
    press(qtbot, "1")
    press(qtbot, "18")
    press(qtbot, ENTER)
    press(qtbot, Qt.Key.Key_Escape)
    assert not card.isVisible()
    (prompt,) = dock.prompts.cards.values()
    assert prompt.isVisible()


def test_undo_closes_the_card_of_an_attack_begun(fight, dock, card, qtbot):
    close_by(fight)
    press(qtbot, "1")
    press(qtbot, "18")
    press(qtbot, ENTER)
    fight.undo()
    fight.undo()
    assert not card.isVisible()


def test_the_row_says_what_hits_and_how_often(fight, dock, card):
    close_by(fight)
    fight.execute(SetRelation(MIRA, RAIDER, distance=5))
    fight.execute(SetDice("ask"))
    dock.open_attack()
    assert card.to_hit.roll.text().startswith("1d20 + 7")
    assert card.to_hit.note.text() == "AC 14 · hits on 7+, 70 %"
    assert card.damage.roll.text().startswith("1d8")


def test_escape_closes_the_card_and_number_keys_act_again(dock, card, qtbot):
    press(qtbot, "1")
    press(qtbot, Qt.Key.Key_Escape)
    assert not card.isVisible()
    assert dock.action_bar.isVisible()
    press(qtbot, "2")
    assert card.command().weapon == "shield-rush"


def test_letters_and_arrows_choose_the_target(dock, card, qtbot):
    press(qtbot, "1")
    press(qtbot, "c")
    assert card.command().target == "raiders-3"
    press(qtbot, Qt.Key.Key_Left)
    assert card.command().target == "raiders-2"


def test_a_letter_that_is_a_key_of_the_window_chooses_too(dock, card, qtbot):
    press(qtbot, "1")
    press(qtbot, "d")
    assert card.command().target == "raiders-4"
    assert not dock.damage.amount.line.hasFocus()


def test_the_nearest_foe_is_suggested_and_then_the_last_one(fight, dock, card, qtbot):
    fight.execute(SetPosition("captain", position=(11, 9)))
    press(qtbot, "1")
    assert card.command().target == "captain"
    press(qtbot, "b")
    press(qtbot, ENTER)
    settle(fight)
    dock.live.setFocus()
    press(qtbot, "1")
    assert card.command().target == "raiders-2"
    fight.execute(SetDice("roll"))
    fight.execute(ApplyDamage(("raiders-2",), "99"))
    card.open_for(MIRA)
    assert card.command().target == "captain"


def test_the_roll_and_the_armor_class_say_their_reasons(fight, dock, card):
    close_by(fight)
    fight.execute(SetRelation(MIRA, RAIDER, cover="half", flanked=True))
    dock.open_attack()
    texts = reason_texts(card)
    assert "+7 stat block" in texts
    assert any(text.startswith("+1d4") for text in texts)
    assert "AC 16" in texts
    assert [pick.note for pick in target_picks(fight, MIRA, include_all=False) if pick.id == RAIDER] == ["AC 16"]
    assert any(text.startswith("+2 Half cover") for text in texts)
    card.reasons.defence.open_card()
    assert "16" in card.reasons.defence.card().accessibleName()


@pytest.mark.parametrize(
    ("strictness", "said", "button"),
    [("enforce", True, "Allow anyway"), ("warn", True, "Roll"), ("off", False, "Roll")],
)
def test_what_speaks_against_it_is_said_and_may_be_overruled(fight, dock, card, qtbot, strictness, said, button):
    check_rules(fight, strictness)
    press(qtbot, "1")
    assert ("has a reach of 5 ft" in card.vetoes.text()) is said
    assert card.button.text() == button
    press(qtbot, "18")
    press(qtbot, ENTER)
    assert [prompt.title for prompt in open_prompts(fight.encounter)] == ["prompt.damage"]


def test_a_fact_cycles_from_unknown_over_yes_to_no_and_is_kept_for_the_pair(fight, dock, card, qtbot):
    close_by(fight)
    fight.execute(SetRelation(MIRA, RAIDER, distance=5))
    dock.open_attack()
    chip = card.facts.chips["seen"]
    assert chip.view.state == "yes"
    chip.setFocus()
    press(qtbot, Qt.Key.Key_Space)
    assert relation(fight).seen is False
    assert card.facts.chips["seen"].view.state == "no"
    assert any("disadvantage" in text for text in reason_texts(card))
    press(qtbot, Qt.Key.Key_Space)
    assert relation(fight).seen is True
    assert "Your ruling" in card.facts.chips["seen"].toolTip()


def test_what_the_map_says_is_shown_as_the_maps(fight, dock, card):
    close_by(fight)
    dock.open_attack()
    assert card.facts.fields["distance"].number() == 5
    assert "map" in card.facts.fields["distance"].toolTip()
    assert "map" in card.facts.chips["flanked"].toolTip()


def test_what_speaks_against_a_second_attack_is_seen_too(fight, dock, card, qtbot):
    check_rules(fight, "enforce")
    for text in ("1", "18", ENTER, "5", ENTER):
        press(qtbot, text)
    assert not card.isVisible()
    dock.open_attack()
    assert card.vetoes.text()
    assert card.vetoes.isVisible()


def test_a_distance_is_kept_and_may_be_forgotten(fight, dock, card, qtbot):
    dock.open_attack()
    card.facts.fields["distance"].setFocus()
    card.facts.fields["distance"].selectAll()
    press(qtbot, "5")
    press(qtbot, Qt.Key.Key_Tab)
    assert relation(fight).distance == 5
    assert card.vetoes.text() == ""
    card.facts.forget_button.click()
    assert relation(fight) is None


def test_cover_goes_through_its_grades(fight, dock, card, qtbot):
    dock.open_attack()
    chip = card.facts.chips["cover"]
    start = chip.view.state
    chip.setFocus()
    press(qtbot, Qt.Key.Key_Space)
    grades = [id for id, _ in chip.view.answers]
    assert relation(fight).cover == grades[(grades.index(start) + 1) % len(grades)]


def test_a_ruling_holds_for_one_attack(fight, dock, card, qtbot):
    close_by(fight)
    dock.open_attack()
    chip = card.facts.chips["advantage"]
    chip.setFocus()
    press(qtbot, Qt.Key.Key_Space)
    assert card.command().facts == ("advantage",)
    assert any(text.startswith("advantage") for text in reason_texts(card))
    press(qtbot, "18")
    press(qtbot, ENTER)
    (attack,) = [one.data for one in fight.encounter.all(Procedure)]
    assert attack.facts == ("advantage",)
    settle(fight)
    dock.open_attack()
    assert card.command().facts == ()


def test_others_are_aimed_at_when_asked_for(dock, card, qtbot):
    press(qtbot, "1")
    assert "tam" not in {button.pick.id for button in card.targets.buttons()}
    card.targets.button("*others").click()
    assert "tam" in {button.pick.id for button in card.targets.buttons()}
    card.targets.button("tam").click()
    assert card.command().target == "tam"


def test_whoever_is_selected_elsewhere_is_aimed_at(fight, dock, card):
    dock.open_attack()
    fight.select(("combatants", "raiders-4"))
    assert card.command().target == "raiders-4"


def test_a_thrown_weapon_is_a_way_of_its_own(fight, dock, card):
    with_feature(fight, "mira", "sword", range="20/60", properties=("thrown",))
    dock.open_attack()
    ids = [button.pick.id for button in card.weapons.buttons()]
    assert "sword thrown" in ids
    card.weapons.button("sword thrown").click()
    assert card.command().thrown


def test_other_damage_is_chosen_by_a_chip(fight, dock, card):
    close_by(fight)
    others = (OtherDamage("with two hands", "1d10+3 slashing"), OtherDamage("while enlarged", "2d8+3 slashing"))
    with_feature(fight, "mira", "sword", other_damage=others)
    dock.open_attack()
    card.facts.chips["deals:with two hands"].click()
    assert card.command().other_damage == "with two hands"
    assert card.preview.damage.dice == "1d10+3 slashing"
    card.facts.chips["deals:while enlarged"].click()
    assert card.command().other_damage == "while enlarged"
    card.facts.chips["deals:while enlarged"].click()
    assert card.command().other_damage == "usual"
    assert card.preview.damage.dice != "1d10+3 slashing"


def test_other_damage_of_the_rules_is_declined_by_its_chip(fight, dock, card):
    close_by(fight)
    with_feature(fight, "mira", "sword", other_damage=(OtherDamage("when hurt", "1d4 slashing", "hurt"),))
    fight.execute(ApplyDamage((MIRA,), "1"))
    dock.open_attack()
    assert card.preview.damage.dice == "1d4 slashing"
    assert card.facts.chips["deals:when hurt"].isChecked()
    card.facts.chips["deals:when hurt"].click()
    assert card.preview.damage.dice != "1d4 slashing"
    assert not card.facts.chips["deals:when hurt"].isChecked()
    card.facts.chips["deals:when hurt"].click()
    assert card.preview.damage.dice == "1d4 slashing"


def test_a_readied_attack_is_released_from_the_strip(fight, dock, card, qtbot):
    close_by(fight)
    fight.execute(TakeAction(MIRA, "ready", note="the horn sounds", choice="attack"))
    assert not any(one.startswith(MIRA) for one in dock.strip.buttons)
    fight.execute(EndTurn())
    settle(fight)
    button = dock.strip.buttons["mira/release-readied"]
    assert "the horn sounds" in button.text()
    button.click()
    assert card.command().purpose == "readied"
    assert card.command().who == MIRA
    card.attack()
    settle(fight)
    assert not [one for one in fight.encounter.all(Effect) if one.name == "readied"]
    assert fight.encounter.need(Track, "mira.reaction").value == 0


def test_a_readied_attack_is_found_by_name_and_aims_at_whoever_its_trigger_names(fight, dock, card):
    close_by(fight)
    fight.execute(TakeAction(MIRA, "ready", note="Raider 3 moves", choice="attack"))
    fight.execute(EndTurn())
    settle(fight)
    (release,) = [run for name, run in dock.choices() if "Raider 3 moves" in name]
    release()
    assert (card.command().purpose, card.command().target) == ("readied", "raiders-3")


def test_breaking_free_and_the_actions_are_found_by_name(fight, dock):
    fight.execute(ApplyCondition((MIRA,), "grappled", by="raiders-1"))
    settle(fight)
    choices = dict(dock.choices())
    assert {"Cast a Spell", "Break free: Grappled"} <= set(choices)
    choices["Break free: Grappled"]()
    assert [*fight.encounter.all(Prompt)]


def test_the_card_goes_with_the_turn(fight, dock, card):
    dock.open_attack()
    fight.execute(EndTurn())
    settle(fight)
    assert not card.isVisible()
    assert dock.action_bar.isVisible()


def test_somebody_strikes_out_of_turn_from_the_strips_menu(fight, dock, card):
    close_by(fight)
    offered = opened_menu(dock.strip.buttons["opportunity"])
    names = [action.text() for action in offered]
    assert "Raider 1" in names
    assert not {"Mira", "Tam"} & set(names)
    next(action for action in offered if action.text() == "Raider 1").trigger()
    command = card.command()
    assert (command.who, command.target, command.purpose) == (RAIDER, MIRA, "opportunity")
    card.attack()
    assert fight.encounter.need(Track, "raiders-1.reaction").value == 0
    assert fight.selected_combatants == ()  # the one whose turn it is doesn't become the target of what comes next
    settle(fight)
    assert "Raider 1" not in [action.text() for action in opened_menu(dock.strip.buttons["opportunity"])]


def test_who_can_take_a_shared_reaction_is_worked_out_when_its_menu_opens(fight, dock, card, monkeypatch):
    asked = []
    known = turn_actions.action_vetoes
    monkeypatch.setattr(turn_actions, "action_vetoes", lambda *args: (asked.append(args[2]), known(*args))[1])
    close_by(fight)
    fight.execute(EndTurn())
    settle(fight)
    assert not dock.strip.buttons["opportunity"].menu().actions()
    assert not asked  # nobody is pressed by a foe, so nobody's cost of falling back is asked
    assert len(opened_menu(dock.strip.buttons["opportunity"])) > 1


def test_a_bonus_by_ruling_may_have_dice(fight, dock, card, qtbot):
    close_by(fight)
    fight.execute(SetDice("ask"))
    dock.open_attack()
    line = card.facts.bonus_line
    qtbot.keyClicks(line, "+1d4")
    assert card.to_hit.roll.text().startswith("1d20 + 7 + 1d4")
    assert (card.command().bonus, card.command().modifiers) == ("1d4", ())
    line.clear()
    qtbot.keyClicks(line, "-2")
    assert [one.value for one in card.command().modifiers] == [-2]
    line.clear()
    qtbot.keyClicks(line, "+1d")
    assert (line.property("wrong"), card.command().bonus) == (True, "")
