from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication, QLabel

from tests.ui.conftest import model_of
from tests.ui.docks.running_fight import end_turns, settle, shown_effects
from turnwright.encounter.procedure_state.asks import Prompt
from turnwright.encounter.running import Clock, Combatant, CountdownPool
from turnwright.play.damage.damage_roll import ApplyDamage, GrantTempHp
from turnwright.play.damage.manual_hit_points import SetDead
from turnwright.play.environment.entry_readiness import SetEntryReady
from turnwright.play.environment.environment_effect import UseEntry
from turnwright.play.queries.queries import open_prompts, waiting_asks
from turnwright.play.setup.encounter_course import AdvanceSetup, StartEncounter
from turnwright.play.state.position_changes import SetPosition
from turnwright.play.table.game_master import SetDice
from turnwright.play.turn_order.surprise import MarkSneaking, RollInitiative, SetInitiative
from turnwright.play.turns.turns import EndTurn
from turnwright.ui.docks.turn.dock import TurnDock
from turnwright.ui.docks.turn.prompt_views import prompt_view
from turnwright.ui.models.turn_order import roll_tag
from turnwright.ui.shell.tool_bar import run_status
from turnwright.ui.widgets.prompts.prompt_input import ChoiceInput, TargetsInput
from turnwright.ui.widgets.prompts.prompt_roll_input import RollInput
from turnwright.workspace.document import open_document


def hp(document, who):
    return document.encounter.need(Combatant, who).hp


def press(qtbot, key, modifier=Qt.KeyboardModifier.NoModifier):
    qtbot.keyClick(QApplication.focusWidget(), key, modifier)


def write(qtbot, text):
    qtbot.keyClicks(QApplication.focusWidget(), text)
    press(qtbot, Qt.Key.Key_Return)


def write_only(qtbot, text):
    qtbot.keyClicks(QApplication.focusWidget(), text)


def everybody_saves(document, *who):
    """Break the ice under some combatants: one card, a save each."""
    document.execute(UseEntry("ice", "ice-gives-way", targets=who))
    return open_prompts(document.encounter)[0]


def test_enter_in_the_empty_field_rolls(fight, show, qtbot):
    dock = show(TurnDock)
    fight.execute(ApplyDamage(("tam",), "2d6+3 slashing"))
    (card,) = dock.prompts.cards.values()
    assert isinstance(card.prompt_input, RollInput)
    assert QApplication.focusWidget() is not card.prompt_input.first_field()  # nothing takes the focus by itself
    dock.focus_prompt()
    assert QApplication.focusWidget() is card.prompt_input.first_field()
    before = hp(fight, "tam")
    press(qtbot, Qt.Key.Key_Return)
    assert not dock.prompts.cards
    assert 5 <= before - hp(fight, "tam") <= 15


def test_a_typed_total_is_taken_as_it_is(fight, show, qtbot):
    dock = show(TurnDock)
    before = hp(fight, "tam")
    fight.execute(ApplyDamage(("tam",), "2d6+3 slashing"))
    dock.focus_prompt()
    write(qtbot, "11")
    assert before - hp(fight, "tam") == 11
    assert not dock.prompts.cards


def test_nonsense_is_refused_beside_the_field_and_nothing_happens(fight, show, qtbot):
    dock = show(TurnDock)
    before = hp(fight, "tam")
    fight.execute(ApplyDamage(("tam",), "2d6+3 slashing"))
    dock.focus_prompt()
    refused = []
    fight.refused.connect(lambda *what: refused.append(what))
    depth = fight.source.session.history.depth
    write(qtbot, "5 5")
    (card,) = dock.prompts.cards.values()
    assert card.prompt_input.error()
    assert (hp(fight, "tam"), fight.source.session.history.depth, refused) == (before, depth, [])
    card.prompt_input.first_field().selectAll()
    write(qtbot, "9")
    assert before - hp(fight, "tam") == 9


def test_skip_by_keyboard(fight, show, qtbot):
    dock = show(TurnDock)
    before = hp(fight, "tam")
    fight.execute(ApplyDamage(("tam",), "2d6"))
    dock.focus_prompt()
    (card,) = dock.prompts.cards.values()
    press(qtbot, Qt.Key.Key_Tab)
    press(qtbot, Qt.Key.Key_Tab)
    assert QApplication.focusWidget() is card.prompt_input.first_row().skip
    press(qtbot, Qt.Key.Key_Space)
    assert (hp(fight, "tam"), [*dock.prompts.cards.values()]) == (before, [])


def test_the_newest_card_is_on_top_and_the_focus_goes_on_to_the_next(fight, show, qtbot):
    dock = show(TurnDock)
    fight.execute(ApplyDamage(("tam",), "2d6"))
    fight.execute(ApplyDamage(("osk",), "1d8"))
    cards = [*dock.prompts.cards.values()]
    assert [card.view.id for card in cards] == [prompt.id for prompt in open_prompts(fight.encounter)]
    assert [card.isVisible() for card in cards] == [True, False]
    assert "1 of 2" in [label.text() for label in cards[0].findChildren(QLabel)]
    cards[0].take_focus()
    write(qtbot, "4")
    assert [*dock.prompts.cards.values()] == [cards[1]]
    assert QApplication.focusWidget() is cards[1].prompt_input.first_field()
    write(qtbot, "5")
    assert QApplication.focusWidget() is dock.live


def test_a_save_each_in_rows_with_typed_naturals_and_the_rest_rolled(fight, show, qtbot):
    dock = show(TurnDock)
    prompt = everybody_saves(fight, "tam", "osk", "velu")
    card = next(iter(dock.prompts.cards.values()))
    rows = card.prompt_input
    assert isinstance(rows, RollInput)
    rows.field("tam").setFocus()
    qtbot.keyClicks(rows.field("tam"), "20!")
    rows.field("osk").setFocus()
    write(qtbot, "3")
    assert [ask.id for ask in waiting_asks(fight.encounter.need(Prompt, prompt.id))] == ["velu"]
    answers = {answer.ask: answer.roll for answer in fight.encounter.need(Prompt, prompt.id).answers}
    assert (answers["tam"].natural, answers["osk"].total, answers["osk"].origin) == (20, 3, "typed")
    rows.field("velu").setFocus()
    press(qtbot, Qt.Key.Key_Return)
    assert prompt.id not in fight.encounter.ids(Prompt)


def test_a_bonus_typed_for_one_save_is_added_to_its_roll_alone(fight, show, qtbot):
    dock = show(TurnDock)
    prompt = everybody_saves(fight, "tam", "osk", "velu")
    rows = next(iter(dock.prompts.cards.values())).prompt_input
    qtbot.keyClicks(rows.field("tam"), "+1d4")
    rows.field("osk").setFocus()
    write(qtbot, "+2")
    answers = {answer.ask: answer.roll for answer in fight.encounter.need(Prompt, prompt.id).answers}
    assert [die.sides for die in answers["tam"].dice] == [20, 4]
    assert [die.sides for die in answers["osk"].dice] == [20]
    assert (answers["osk"].modifiers[-1].value, answers["osk"].modifiers[-1].reason) == (2, "why.narrator")


def test_what_is_typed_stays_while_another_row_is_rolled(fight, show, qtbot):
    dock = show(TurnDock)
    everybody_saves(fight, "tam", "osk", "velu")
    rows = next(iter(dock.prompts.cards.values())).prompt_input
    qtbot.keyClicks(rows.field("osk"), "12")
    rows.roll_one("tam")
    assert rows.field("osk").text() == "12"


def test_a_wrong_row_is_said_and_the_others_wait(fight, show, qtbot):
    dock = show(TurnDock)
    prompt = everybody_saves(fight, "tam", "osk")
    rows = next(iter(dock.prompts.cards.values())).prompt_input
    qtbot.keyClicks(rows.field("tam"), "12")
    rows.field("osk").setFocus()
    write(qtbot, "25!")
    assert rows.error()
    assert not fight.encounter.need(Prompt, prompt.id).answers
    assert QApplication.focusWidget() is rows.field("osk")


def test_twelve_rows_fit_their_place(fight, show):
    dock = show(TurnDock)
    ids = fight.encounter.ids(Combatant)
    everybody_saves(fight, *ids)
    card = next(iter(dock.prompts.cards.values()))
    QApplication.processEvents()
    viewport = card.parentWidget().parentWidget()
    assert card.width() <= viewport.width()
    assert card.height() <= viewport.height()


def test_head_and_damage_box_stay_where_they_are_when_a_prompt_comes_or_goes(fight, show):
    dock = show(TurnDock)

    def places():
        QApplication.processEvents()
        return [*(each.geometry() for each in (dock.header, dock.damage)), dock.prompts.pos()]

    before = places()
    everybody_saves(fight, *fight.encounter.ids(Combatant))
    assert places() == before
    settle(fight)
    assert places() == before


def test_a_choice_is_a_button_each_with_the_suggested_first(fight, show, qtbot):
    dock = show(TurnDock)
    fight.execute(GrantTempHp(("tam",), 5))
    fight.execute(GrantTempHp(("tam",), 8))
    (card,) = dock.prompts.cards.values()
    assert isinstance(card.prompt_input, ChoiceInput)
    dock.focus_prompt()
    assert QApplication.focusWidget() is card.prompt_input.first_field()
    press(qtbot, Qt.Key.Key_Space)
    assert fight.encounter.need(Combatant, "tam").temp_hp == 8


def test_targets_are_ticked_as_suggested(fight, show, qtbot):
    dock = show(TurnDock)
    fight.execute(SetPosition("osk", position=(10, 10)))  # on the rubble under the span
    fight.execute(SetEntryReady("broken-span", "falling-rocks"))
    fight.execute(UseEntry("broken-span", "falling-rocks"))
    (card,) = dock.prompts.cards.values()
    body = card.prompt_input
    assert isinstance(body, TargetsInput)
    assert body.chosen() == ("osk",)
    qtbot.keyClick(body.none_button, Qt.Key.Key_Space)
    assert (body.take.hasFocus(), body.take.text()) == (True, "No target")  # the next Enter hands it in
    body.tick("osk").setFocus()
    press(qtbot, Qt.Key.Key_Space)
    assert body.chosen() == ("osk",)
    qtbot.keyClick(body.take, Qt.Key.Key_Space)
    (saves,) = open_prompts(fight.encounter)
    assert [ask.who for ask in waiting_asks(saves)] == ["osk"]


def test_which_checks_decide_surprise_are_chosen_from_lists(document, show, qtbot):
    dock = show(TurnDock)
    document.execute(StartEncounter())
    document.execute(MarkSneaking(("captain",)))
    document.execute(AdvanceSetup())
    (card,) = dock.prompts.cards.values()
    dock.focus_prompt()
    assert card.prompt_input.box("sneaking").currentData() == "dex:stealth"
    others = card.prompt_input.box("others")
    others.setCurrentIndex(others.findData("none"))
    press(qtbot, Qt.Key.Key_Space)
    (rolls,) = dock.prompts.cards.values()
    assert [ask.id for ask in rolls.view.asks] == ["captain"]
    write(qtbot, "15")
    (targets,) = dock.prompts.cards.values()
    assert isinstance(targets.prompt_input, TargetsInput)


def test_unknown_dice_leave_what_depends_on_them_to_be_asked(fight, show, qtbot):
    dock = show(TurnDock)
    fight.execute(SetDice("roll"))
    end_turns(fight, len(fight.encounter.ids(Combatant)) - 1)
    fight.execute(SetDice("ask"))
    fight.execute(EndTurn())
    card = next(iter(dock.prompts.cards.values()))
    assert card.view.asks[0].kind == "roll"
    pool = card.view.asks[0].id
    for ask in card.view.asks[1:]:
        card.prompt_input.skip_one(ask.id)
    field = (
        card.prompt_input.field(pool) if isinstance(card.prompt_input, RollInput) else card.prompt_input.first_field()
    )
    field.setFocus()
    write(qtbot, "?")
    (number,) = dock.prompts.cards.values()
    assert number.view.asks[0].kind == "number"
    number.take_focus()
    write(qtbot, "99")
    assert pool in {ask.id for prompt in open_prompts(fight.encounter) for ask in prompt.asks}
    write(qtbot, "2")
    assert pool not in {ask.id for prompt in open_prompts(fight.encounter) for ask in prompt.asks}


def test_letters_that_no_result_has_are_left_to_the_window(fight, show, qtbot):
    dock = show(TurnDock)
    fight.execute(ApplyDamage(("tam",), "2d6"))
    dock.focus_prompt()
    line = next(iter(dock.prompts.cards.values())).prompt_input.first_field()
    pressed = []
    shortcut = QShortcut(QKeySequence("N"), dock.window())
    shortcut.activated.connect(lambda: pressed.append("N"))
    write_only(qtbot, "1nn2 agx!")
    assert (line.text(), pressed) == ("12 !", ["N", "N"])
    shortcut.setEnabled(False)


def test_s_skips_what_waits(fight, show, qtbot):
    dock = show(TurnDock)
    before = hp(fight, "tam")
    fight.execute(ApplyDamage(("tam",), "2d6"))
    dock.focus_prompt()
    press(qtbot, Qt.Key.Key_S)
    assert (hp(fight, "tam"), [*dock.prompts.cards.values()]) == (before, [])


def test_an_undone_prompt_goes_and_comes_back(fight, show):
    dock = show(TurnDock)
    fight.execute(ApplyDamage(("tam",), "2d6"))
    fight.undo()
    assert not dock.prompts.cards
    fight.redo()
    assert len(dock.prompts.cards) == 1


def test_escape_leaves_the_prompt_open(fight, show, qtbot):
    dock = show(TurnDock)
    fight.execute(ApplyDamage(("tam",), "2d6"))
    press(qtbot, Qt.Key.Key_Escape)
    assert len(dock.prompts.cards) == 1
    assert QApplication.focusWidget() is dock.live


def test_a_card_explains_its_roll_and_its_rule(fight, show):
    dock = show(TurnDock)
    everybody_saves(fight, "tam", "osk")
    ask = next(iter(dock.prompts.cards.values())).view.asks[0]
    why = ask.why()
    assert ("+4", "Dexterity") in [(line.value, line.reason) for line in why.lines]
    assert why.total == "DC 13"


def test_ending_is_offered_when_one_side_is_left(fight, show):
    dock = show(TurnDock)
    foes = [one.id for one in fight.encounter.all(Combatant) if one.side != "party"]
    for who in foes:
        fight.execute(SetDead(who))
    assert fight.encounter.need(Clock, "clock").phase == "rounds"
    shown = [label.text() for label in dock.findChildren(QLabel) if label.isVisible()]
    assert any("one side" in text for text in shown)
    status = run_status(fight.encounter, fight.rules)
    assert (status.next, status.words) == ("answer", "End fight")
    assert dock.focus_prompt()
    assert dock.prompts.end_button.hasFocus()
    fight.undo()
    QApplication.processEvents()
    shown = [label.text() for label in dock.findChildren(QLabel) if label.isVisible()]
    assert not any("one side" in text for text in shown)
    assert not list(shown_effects(fight))


def test_enter_presses_the_button_that_has_the_focus(document, show, qtbot):
    dock = show(TurnDock)
    document.execute(StartEncounter())
    document.execute(MarkSneaking(("tam",)))
    document.execute(AdvanceSetup())
    (card,) = dock.prompts.cards.values()
    dock.focus_prompt()
    assert isinstance(card.prompt_input, ChoiceInput)
    press(qtbot, Qt.Key.Key_Return)
    assert all(isinstance(each.prompt_input, RollInput) for each in dock.prompts.cards.values())


def test_enter_in_a_list_of_choices_takes_them_all(document, show, qtbot):
    dock = show(TurnDock)
    document.execute(StartEncounter())
    document.execute(MarkSneaking(("tam",)))
    document.execute(AdvanceSetup())
    (card,) = dock.prompts.cards.values()
    asked = waiting_asks(open_prompts(document.encounter)[0])
    card.prompt_input.box(asked[0].id).setFocus()
    press(qtbot, Qt.Key.Key_Return)
    assert all(isinstance(each.prompt_input, RollInput) for each in dock.prompts.cards.values())


def test_enter_on_a_tick_hands_in_who_is_ticked(fight, show, qtbot):
    dock = show(TurnDock)
    fight.execute(UseEntry("frigid", "cold-chill"))
    (card,) = dock.prompts.cards.values()
    assert isinstance(card.prompt_input, TargetsInput)
    card.prompt_input.tick("mira").setFocus()
    press(qtbot, Qt.Key.Key_Return)
    assert not any(isinstance(each.prompt_input, TargetsInput) for each in dock.prompts.cards.values())


def test_one_enter_too_many_does_nothing(fight, show, qtbot):
    dock = show(TurnDock)
    fight.execute(ApplyDamage(("tam",), "2d6"))
    dock.focus_prompt()
    press(qtbot, Qt.Key.Key_Return)
    depth = fight.source.session.history.depth
    press(qtbot, Qt.Key.Key_Return)
    assert fight.source.session.history.depth == depth
    press(qtbot, Qt.Key.Key_1)
    assert dock.form_host.attack_card.who == "mira"


def test_a_pool_is_typed_face_by_face(document, show, qtbot):
    dock = show(TurnDock)
    for command in (StartEncounter(), AdvanceSetup(), AdvanceSetup()):
        document.execute(command)
    ids = document.encounter.ids(Combatant)
    document.execute(SetInitiative(tuple((who, 30 - place) for place, who in enumerate(ids))))
    document.execute(AdvanceSetup())
    (card,) = dock.prompts.cards.values()
    assert card.prompt_input.first_field().placeholderText() == "faces"
    card.take_focus()
    write(qtbot, "17")
    assert card.prompt_input.error() == "“17” isn't a face of a d6."
    QApplication.focusWidget().selectAll()
    write(qtbot, "6 5 4 3 1")
    assert document.encounter.need(CountdownPool, "ice-gives-way").dice == 3


def test_a_damage_prompt_names_whom_it_strikes(fight, show):
    dock = show(TurnDock)
    fight.execute(ApplyDamage(("tam", "osk"), "2d6"))
    (card,) = dock.prompts.cards.values()
    assert card.view.title == "Damage to Tam, Osk"
    assert card.view.asks[0].figure == "2d6"


def test_prompts_below_never_push_the_damage_box_away(fight, show):
    dock = show(TurnDock)
    before = dock.damage.mapTo(dock, dock.damage.rect().topLeft())
    everybody_saves(fight, *fight.encounter.ids(Combatant))
    assert dock.prompts.cards
    assert dock.damage.mapTo(dock, dock.damage.rect().topLeft()) == before


def test_questions_say_what_they_are_about(tmp_path, repository, systems):
    source = open_document(repository / "encounters" / "unquenched-works.toml", systems, tmp_path / "state", seed=7)
    document = model_of(source)
    for command in (StartEncounter(), AdvanceSetup(), AdvanceSetup(), SetDice("ask"), RollInitiative()):
        document.execute(command)
    (prompt,) = open_prompts(document.encounter)
    told = [ask.text for ask in prompt_view(document, prompt).asks]
    assert "(group of 3, one roll)" in told
    tags = [roll_tag(document, ask).text for ask in prompt.asks]
    assert "Group of 3, one roll" in tags  # a row may leave out the end, so there are no brackets
    source.close()


def test_a_number_typed_at_a_question_is_no_act(fight, show, qtbot):
    dock = show(TurnDock)
    fight.execute(SetEntryReady("broken-span", "falling-rocks"))
    fight.execute(UseEntry("broken-span", "falling-rocks"))
    (card,) = dock.prompts.cards.values()
    dodge = dock.action_bar.buttons["dodge"].number
    card.prompt_input.take.setFocus()
    qtbot.keyClick(card.prompt_input.take, str(dodge))
    assert not shown_effects(fight)
    qtbot.keyClick(card.prompt_input.take, Qt.Key.Key_Escape)
    press(qtbot, str(dodge))
    assert not shown_effects(fight)  # the actions are back when the question is answered
    settle(fight)
    press(qtbot, str(dodge))
    assert "dodging" in [one.name for one in shown_effects(fight)]


def test_saves_say_how_many_what_follows_and_what_each_die_must_show(fight, show):
    dock = show(TurnDock)
    everybody_saves(fight, "tam", "osk", "velu")
    (card,) = dock.prompts.cards.values()
    assert card.view.title == "The ice gives way: three saves"
    assert card.view.consequence == "Fail: 2d6 cold, restrained."
    rows = card.prompt_input.rows
    assert (rows["tam"].roll.text(), rows["tam"].note.text()) == ("+7", "needs 6")


def test_a_number_key_takes_an_answer(fight, show, qtbot):
    dock = show(TurnDock)
    fight.execute(GrantTempHp(("tam",), 5))
    fight.execute(GrantTempHp(("tam",), 8))
    dock.focus_prompt()
    (card,) = dock.prompts.cards.values()
    assert [button.keys for button in card.prompt_input.buttons] == ["Enter", "2"]
    press(qtbot, Qt.Key.Key_2)
    assert fight.encounter.need(Combatant, "tam").temp_hp == 5
