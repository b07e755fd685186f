import shutil

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from tests.ui.docks.running_fight import shown_effects
from tests.ui.rule_checks import check_rules
from turnwright.encounter.running import Clock, Combatant, Duration, Track
from turnwright.encounter.state import effect_value, slot_of
from turnwright.play.actions.action import TakeAction
from turnwright.play.asking.checks import CallForSaves
from turnwright.play.damage.damage_roll import ApplyDamage
from turnwright.play.effects.conditions import ApplyCondition, SetEffectNote
from turnwright.play.queries.queries import active_combatants, open_prompts
from turnwright.play.setup.encounter_course import AdvanceSetup, StartEncounter
from turnwright.play.state.action_economy import SpendResource
from turnwright.play.table.game_master import SetDice
from turnwright.play.turns.turns import EndEncounter, EndTurn, GoToTurn
from turnwright.ui.docks.stat_block.dock import StatBlockDock
from turnwright.ui.docks.turn.dock import TurnDock
from turnwright.ui.widgets.records.effect_chip import EffectChip
from turnwright.ui.widgets.rules.why import WhyLabel
from turnwright.workspace.document import open_document
from turnwright.workspace.print_job import report_of

ENTER = Qt.Key.Key_Return
HALF, DOUBLE = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


def hp(document, who):
    return document.encounter.need(Combatant, who).hp


def left(document, who, name):
    return document.encounter.need(Track, f"{who}.{name}").value


def deal(qtbot, dock, text, modifier=Qt.KeyboardModifier.NoModifier):
    dock.damage.amount.line.clear()
    qtbot.keyClicks(dock.damage.amount.line, text)
    qtbot.keyClick(dock.damage.amount.line, ENTER, modifier)


def test_before_the_start_it_says_what_to_do(document, show, qtbot):
    dock = show(TurnDock)
    assert dock.empty.isVisible()
    qtbot.mouseClick(dock.empty.button, Qt.MouseButton.LeftButton)
    assert document.encounter.need(Clock, "clock").phase == "set-up"
    assert dock.setup_banner.isVisible()
    assert dock.setup_page.isVisible()


def test_who_acts_stands_in_the_banner(fight, show):
    dock = show(TurnDock)
    assert (dock.header.name.text(), dock.header.armor.text(), dock.header.points.text()) == (
        "Mira",
        "AC 18",
        "44 / 44",
    )


def test_ac_and_speed_are_explained(fight, show):
    dock = show(TurnDock)
    fight.execute(ApplyCondition(("mira",), "grappled"))
    dock.header.armor.open_card()
    assert "18" in dock.header.armor.card().accessibleName()
    assert dock.header.movement.text() == "0 / 0 ft"
    dock.header.movement.open_card()
    assert "Grappled" in dock.header.movement.card().accessibleName()


def test_pips_spend_and_give_back_by_key(fight, show, qtbot):
    dock = show(TurnDock)
    group = dock.header.pips.group("bonus")
    group.setFocus()
    qtbot.keyClick(group, Qt.Key.Key_Space)
    assert left(fight, "mira", "bonus") == 0
    qtbot.keyClick(group, Qt.Key.Key_Space)
    assert left(fight, "mira", "bonus") == 1


def test_the_reasons_of_a_chip_give_the_note_of_its_effect(fight, show):
    dock = show(TurnDock)
    fight.execute(ApplyCondition(("mira",), "prone"))
    (effect,) = shown_effects(fight)
    fight.execute(SetEffectNote(effect.id, "Face down in the mud."))
    (chip,) = [chip for chip in dock.findChildren(EffectChip) if not chip.isHidden()]
    name = chip.findChild(WhyLabel)
    name.open_card()
    assert "Face down in the mud." in [label.text() for label in name.card().findChildren(QLabel)]


def test_the_reasons_of_a_chip_give_the_rules_and_the_holder_of_its_effect(fight, show):
    dock = show(TurnDock)
    fight.execute(ApplyCondition(("mira",), "Song", rules="+1d4 attack, saves", held_by="osk", uses=2))
    (chip,) = [chip for chip in dock.findChildren(EffectChip) if not chip.isHidden()]
    name = chip.findChild(WhyLabel)
    name.open_card()
    told = [label.text() for label in name.card().findChildren(QLabel)]
    assert {"+1d4 attack, saves", "Osk concentrates", "2 rolls left"} <= set(told)


def test_number_keys_act_and_what_is_spent_is_greyed_with_its_reason(fight, show, qtbot):
    dock = show(TurnDock)
    number = next(n for n in range(1, 10) if dock.action_bar.button(n).view.id == "dash")
    dock.header.pips.group("action").setFocus()
    qtbot.keyClick(dock.header.pips.group("action"), str(number))
    assert [effect.name for effect in shown_effects(fight) if effect.target == "mira"] == ["dashing"]
    assert dock.header.movement.text() == "60 / 60 ft"
    button = dock.action_bar.buttons["dash"]
    assert (button.property("refused"), button.number) == (True, 0)
    assert "Action" in button.toolTip()
    dock.open_more_actions()
    button.setFocus()
    qtbot.keyClick(button, Qt.Key.Key_Question, Qt.KeyboardModifier.ShiftModifier)
    assert button.card() is not None


def test_a_refused_action_is_refused_by_the_table_not_by_the_button(fight, show, qtbot):
    check_rules(fight)
    dock = show(TurnDock)
    fight.execute(TakeAction("mira", "dash"))
    dock.open_more_actions()
    with qtbot.waitSignal(fight.refused) as refused:
        qtbot.mouseClick(dock.action_bar.buttons["dash"], Qt.MouseButton.LeftButton)
    assert refused.args[0].rule == "a5e.turn.one-action"


def test_digits_typed_into_a_field_stay_in_the_field(fight, show, qtbot):
    dock = show(TurnDock)
    depth = fight.source.session.history.depth
    qtbot.keyClicks(dock.damage.amount.line, "123")
    assert dock.damage.amount.text() == "123"
    assert fight.source.session.history.depth == depth


@pytest.mark.parametrize(("modifier", "taken"), [(Qt.KeyboardModifier.NoModifier, 13), (HALF, 6), (DOUBLE, 26)])
def test_enter_deals_in_full_by_half_and_double(fight, show, qtbot, modifier, taken):
    dock = show(TurnDock)
    fight.select(("combatants", "captain"))
    before = hp(fight, "captain")
    deal(qtbot, dock, "13", modifier)
    assert before - hp(fight, "captain") == taken


def test_healing_temporary_points_and_types(fight, show, qtbot):
    dock = show(TurnDock)
    fight.select(("combatants", "velu"))
    before = hp(fight, "velu")
    deal(qtbot, dock, "10 cold")
    deal(qtbot, dock, "10")
    assert before - hp(fight, "velu") == 15  # resistant to cold, not to damage without a type
    deal(qtbot, dock, "+4")
    assert before - hp(fight, "velu") == 11
    deal(qtbot, dock, "t5")
    assert fight.encounter.need(Combatant, "velu").temp_hp == 5


def test_what_cannot_be_read_is_said_beside_the_box(fight, show, qtbot):
    dock = show(TurnDock)
    depth = fight.source.session.history.depth
    deal(qtbot, dock, "7")
    assert "Choose a target" in dock.damage.amount.error()
    fight.select(("combatants", "captain"))
    deal(qtbot, dock, "7 fir")
    assert "fir" in dock.damage.amount.error()
    assert fight.source.session.history.depth == depth


def test_another_encounter_finds_nothing_of_the_one_before(fight, show, tmp_path, repository, systems):
    dock = show(TurnDock)
    fight.select(("combatants", "captain"))
    dock.fill_damage("7")
    path = tmp_path / "again.toml"
    shutil.copy(repository / "encounters" / "cold-ford-bridge.toml", path)
    again = open_document(path, systems, tmp_path / "state", seed=7)
    fight.open(again)
    assert dock.damage.targets.chosen() == ()
    assert dock.damage.amount.line.text() == ""
    again.close(discard=True)


def test_what_is_hidden_is_brought_up_to_date_when_shown(fight, show):
    dock = show(TurnDock)
    dock.hide()
    fight.execute(EndTurn())
    assert dock.header.name.text() == "Mira"
    dock.show()
    assert dock.header.name.text() != "Mira"


def test_several_targets_are_ticked_in_the_list(fight, show, qtbot):
    dock = show(TurnDock)
    for action in dock.damage.targets.menu().actions():
        if action.data() in ("raiders-1", "raiders-2"):
            action.trigger()
    before = hp(fight, "raiders-2")
    deal(qtbot, dock, "5 fire")
    assert (hp(fight, "raiders-1"), hp(fight, "raiders-2")) == (before - 5, before - 5)


def test_conditions_end_and_are_broken_free_of(fight, show, qtbot):
    dock = show(TurnDock)
    fight.execute(ApplyCondition(("mira",), "prone"))
    fight.execute(ApplyCondition(("mira",), "poisoned", ends=Duration("turn-end", "mira")))
    names = [chip.accessibleName() for chip in dock.findChildren(EffectChip) if not chip.isHidden()]
    assert names == ["Prone", "Poisoned ends this turn"]
    chip = next(chip for chip in dock.findChildren(EffectChip) if chip.accessibleName() == "Prone")
    chip.endRequested.emit(next(effect.id for effect in shown_effects(fight) if effect.name == "prone"))
    assert [effect.name for effect in shown_effects(fight)] == ["poisoned"]


def test_between_turns_the_world_stands_in_the_banner(fight, show):
    dock = show(TurnDock)
    fight.execute(SetDice("roll"))
    ids = fight.encounter.ids(Combatant)
    for _ in ids[:-1]:
        fight.execute(EndTurn())
    fight.execute(SetDice("ask"))
    fight.execute(EndTurn())
    assert dock.setup_banner.isVisible()
    assert not dock.header.isVisible()
    assert dock.setup_banner.title.text() == "The world"
    assert dock.prompts.cards


def test_after_the_end_it_shows_what_can_be_awarded(fight, show):
    dock = show(TurnDock)
    fight.execute(EndEncounter())
    assert dock.end.isVisible()
    assert not dock.empty.isVisible()


def test_nothing_is_cut_off_at_the_width_it_has_beside_the_others(fight, show, qtbot):
    dock = show(TurnDock)
    dock.window().resize(620, 480)
    live = dock.damage.parentWidget()
    assert live.minimumSizeHint().width() <= 620


def test_the_stat_block_is_that_of_who_acts_until_somebody_is_selected(fight, show):
    dock = show(StatBlockDock)
    assert dock.view.accessibleName() == "Stat block: Mira"
    fight.select(("combatants", "captain"))
    assert "captain" in dock.view.accessibleName().lower()
    fight.select(None)
    assert dock.view.accessibleName() == "Stat block: Mira"


def test_a_roll_in_the_stat_block_fills_the_damage_box(fight, show, qtbot):
    block, turn = show(StatBlockDock), show(TurnDock)
    block.rollClicked.connect(lambda roll, *_about: turn.fill_damage(roll))
    roll = next(piece for piece in block.view.rolls() if piece.roll == "1d8+4 slashing")
    block.view.rollClicked.emit(roll.roll, roll.label, roll.about)
    assert turn.damage.amount.text() == "1d8+4 slashing"


def test_levels_of_fatigue_are_set_in_the_stat_block(fight, show, qtbot):
    dock = show(StatBlockDock)
    field = dock.strip.fields["fatigue"]
    field.setFocus()
    qtbot.keyClick(field, Qt.Key.Key_Up)
    assert effect_value(fight.encounter, "mira", "fatigue") == 1
    fight.undo()
    assert field.number() == 0


def test_a_save_bonus_is_explained_with_what_makes_it_worse(fight, show):
    dock = show(StatBlockDock)
    fight.execute(ApplyCondition(("mira",), "restrained"))
    label = dock.strip.saves["dex"]
    assert label.text() == "DEX +1 ▼"
    label.open_card()
    assert "Restrained" in label.card().accessibleName()


def test_spending_from_elsewhere_shows_at_once(fight, show):
    dock = show(TurnDock)
    fight.execute(SpendResource("mira", "reaction"))
    assert "0 of 1" in dock.header.pips.group("reaction").accessibleName()


def test_damage_typed_on_an_opponents_turn_is_credited_only_against_the_party(fight, show, qtbot):
    dock = show(TurnDock)
    fight.execute(GoToTurn(slot_of(fight.encounter, "raiders-1").id))
    for target, amount in (("mira", "4"), ("raiders-2", "3")):
        fight.select_combatants((target,))
        deal(qtbot, dock, amount)
    report = report_of(fight.source.session)
    assert {one.who: one.dealt for one in report.combatants if one.dealt} == {"raiders-1": 4}
    assert report.causes == (("", 3, 1),), "no one is credited for a hit on the acting side"


def test_the_scene_is_read_aloud_while_it_is_set(document, show):
    dock = show(TurnDock)
    document.execute(StartEncounter())
    assert dock.setup_page.read_aloud.text().startswith("The middle of the bridge is gone.")
    for mode, is_rolled in (("roll", True), ("ask", False)):
        document.execute(SetDice(mode))
        assert ("are rolled" in dock.setup_page.totals.text()) is is_rolled
    assert dock.setup_page.conditions.text().startswith("Dusk, and a hard frost.")
    assert dock.damage.isVisible()
    document.execute(SetDice("roll"))
    document.execute(AdvanceSetup(begins=True))
    assert not dock.setup_page.isVisible()


def test_a_bare_plus_waits_for_its_number(fight, show, qtbot):
    dock = show(TurnDock)
    fight.execute(ApplyDamage(("mira",), "10"))
    dock.damage.targets.choose(("mira",))
    before = hp(fight, "mira")
    dock.fill_damage("+")
    qtbot.keyClicks(dock.damage.amount.line, "5")
    qtbot.keyClick(dock.damage.amount.line, ENTER)
    assert hp(fight, "mira") == before + 5


def test_without_a_target_the_way_leads_to_the_list_and_back(fight, show, qtbot):
    dock = show(TurnDock)
    deal(qtbot, dock, "3")
    assert dock.damage.amount.error()
    assert dock.damage.targets.hasFocus()
    dock.damage.targets.choose(("tam",))
    dock.damage.targets.editingFinished.emit()
    assert not dock.damage.amount.error()
    assert dock.damage.amount.line.hasFocus()


def test_a_target_selected_elsewhere_clears_the_error_too(fight, show, qtbot):
    dock = show(TurnDock)
    deal(qtbot, dock, "3")
    assert dock.damage.amount.error()
    fight.select_combatants(("tam",))
    assert not dock.damage.amount.error()


def test_a_prompt_that_a_move_on_the_map_leads_to_is_shown_in_its_place(fight, show):
    dock = show(TurnDock)
    dock.lend_stage(QWidget())
    fight.execute(SetDice("ask"))
    assert dock.is_stage_lent
    fight.execute(CallForSaves(("tam",), "wis", 12))
    assert not dock.is_stage_lent
    assert dock.prompts.isVisible()


def test_after_an_amount_and_after_escape_number_keys_act_again(fight, show, qtbot):
    dock = show(TurnDock)
    dock.damage.targets.choose(("tam",))
    dock.fill_damage("3")
    qtbot.keyClick(dock.damage.amount.line, ENTER)
    assert dock.live.hasFocus()
    dock.fill_damage("")
    qtbot.keyClick(dock.damage.amount.line, Qt.Key.Key_Escape)
    assert dock.live.hasFocus()


def test_a_grip_that_a_check_ends_has_a_button(fight, show, qtbot):
    dock = show(TurnDock)
    fight.execute(ApplyCondition(("mira",), "grappled", value=12))
    fight.execute(ApplyCondition(("mira",), "prone"))
    chips = {chip.accessibleName(): chip for chip in dock.findChildren(EffectChip) if not chip.isHidden()}
    buttons = {name: [one for one in chip.findChildren(QPushButton) if one.text()] for name, chip in chips.items()}
    assert {name: len(found) for name, found in buttons.items()} == {"Grappled 12": 1, "Prone": 0}
    qtbot.mouseClick(buttons["Grappled 12"][0], Qt.MouseButton.LeftButton)
    assert open_prompts(fight.encounter)[0].title == "prompt.escape"


def test_the_button_that_starts_leaves_the_focus_where_keys_act(document, show, qtbot):
    dock = show(TurnDock)
    dock.empty.button.setFocus()
    qtbot.keyClick(dock.empty.button, Qt.Key.Key_Return)
    assert dock.live.hasFocus()


def test_a_damage_type_is_never_carried_over(fight, show, qtbot):
    dock = show(TurnDock)
    for text in ("3 fire", "4", "2d6 cold", "1d4"):
        dock.damage.targets.choose(("raiders-1",))
        submitted = []
        dock.damage.submitted.connect(lambda _ids, amount, _share, to=submitted: to.append(amount.expression))
        deal(qtbot, dock, text)
        assert submitted[-1] == text


def test_the_head_marks_a_maximum_that_effects_change(fight, show):
    dock = show(TurnDock)
    who = active_combatants(fight.encounter)[0]
    fight.execute(ApplyCondition((who.id,), "life-drained", 5))
    bar = dock.header.points
    assert bar.accessibleName().endswith(f"maximum without effects: {who.hp_max}")
    assert bar.text().endswith(f"/ {who.hp_max - 5}")
    bar.grab()
