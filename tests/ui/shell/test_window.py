"""The window in use: its contents, and the effects of its actions, all from the keyboard."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import QApplication, QDialog, QLineEdit, QMenu, QMessageBox, QPushButton, QStyle

from tests.ui.conftest import unseen
from tests.ui.dialogs.key_rows import shown_rows
from tests.ui.rule_checks import check_rules
from turnwright.encounter.prepared import Countdown, Creature, Environment, RosterEntry, Scene
from turnwright.encounter.procedure_state.asks import Reply
from turnwright.encounter.running import Award, Clock, Combatant, Dice, Slot
from turnwright.play.asking.answer import Answer
from turnwright.play.damage.damage_roll import ApplyDamage
from turnwright.play.damage.manual_hit_points import SetHitPoints
from turnwright.play.effects.conditions import ApplyCondition
from turnwright.play.queries.queries import active_combatants, open_prompts, waiting_asks
from turnwright.play.setup.encounter_course import AdvanceSetup, StartEncounter
from turnwright.play.setup.prepared_records import Edit
from turnwright.play.table.game_master import SetDice
from turnwright.play.turn_order.surprise import MarkSneaking, SetInitiative
from turnwright.play.turns.turns import EndEncounter
from turnwright.ui.controllers.run_controller import RunController
from turnwright.ui.controllers.view_controller import ViewController
from turnwright.ui.dialogs.manual_commands import ManualCommandDialog
from turnwright.ui.dialogs.palette import CommandPalette
from turnwright.ui.dialogs.quick_add import InitiativeDialog, QuickAddLine
from turnwright.ui.shell.window import initial_geometry


def seen(window):
    """Return the docks that a person sees now."""
    return {id for id, dock in window.content.docks.all.items() if not dock.visibleRegion().isEmpty()}


def phase(window):
    return (window.document.encounter.get(Clock, "clock") or Clock()).phase


def settle(document):
    """Answer all that waits."""
    for _ in range(100):
        prompt = next(iter(open_prompts(document.encounter)), None)
        if prompt is None:
            return
        asks = waiting_asks(prompt)
        replies = tuple(Reply(ask.id, roll=True) if ask.kind == "roll" else Reply(ask.id, skip=True) for ask in asks)
        assert document.execute(Answer(prompt.id, replies, prompt.revision))


def fight(window):
    """Run the set-up to the first turn of round 1; the window shows what came of it."""
    document = window.document
    with unseen(document):
        document.execute(SetDice("roll", seed=3))
        document.execute(StartEncounter())
        document.execute(AdvanceSetup())
        document.execute(AdvanceSetup())
        ids = document.encounter.ids(Combatant)
        document.execute(SetInitiative(tuple((who, 30 - place) for place, who in enumerate(ids))))
        document.execute(AdvanceSetup())
        settle(document)
    assert document.encounter.need(Clock, "clock").active


def open_dialog(window, kind):
    """Return the open dialog of a kind."""
    return next(dialog for dialog in window.findChildren(kind) if dialog.isVisible())


def button_of(widget, words):
    """Return the button of these words that is there to click, None where there is none."""
    buttons = (each for each in widget.findChildren(QPushButton) if not each.isHidden())
    return next((each for each in buttons if words in each.text()), None)


# Actions -----------------------------------------------------------------------------------------------------------


def test_undo_says_what_it_takes_back(window):
    inside = window.content
    assert not inside.window_actions.action("undo").isEnabled()
    scene = window.document.encounter.need(Scene, "scene")
    from msgspec.structs import replace

    window.document.execute(Edit(replace(scene, title="Elsewhere")))
    assert window.windowTitle().startswith("Elsewhere")
    assert inside.window_actions.action("undo").text() != "&Undo"
    inside.window_actions.run("undo")
    assert window.document.encounter.need(Scene, "scene") == scene
    assert not inside.window_actions.action("undo").isEnabled()
    assert inside.window_actions.action("redo").isEnabled()


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("action", "kind", "dock"),
    [("add-creature", Creature, "creature"), ("add-environment", Environment, "environment"),
     ("add-countdown", Countdown, "countdown")],
)  # fmt: skip
def test_adding_opens_what_was_added(qtbot, window, action, kind, dock):
    before = set(window.document.encounter.ids(kind))
    window.content.window_actions.run(action)
    (new,) = set(window.document.encounter.ids(kind)) - before
    assert window.document.selection == (kind.table, new)
    qtbot.waitUntil(lambda: dock in seen(window))


def test_what_may_be_done_follows_the_encounter(window):
    actions = window.content.window_actions
    assert actions.action("start").isEnabled()
    assert not actions.action("end-turn").isEnabled()
    actions.run("start")
    assert window.content.services.layout.arrangement == "run"
    assert actions.action("begin").isEnabled()
    assert not actions.action("start").isEnabled()
    fight_goes_on = ("end-turn", "go-to-turn", "end-encounter", "reset")
    assert [actions.action(id).isEnabled() for id in fight_goes_on] == [False, False, True, True]


def test_dice_are_asked_for_or_rolled_by_themselves(window):
    actions = window.content.window_actions
    assert actions.action("dice-ask").isChecked()
    actions.run("dice-roll")
    assert window.document.encounter.need(Dice, "dice").mode == "roll"
    assert actions.action("dice-roll").isChecked()
    assert not actions.action("dice-ask").isChecked()


def test_resetting_asks_first(monkeypatch, window):
    window.content.window_actions.run("start")
    clicked = []
    monkeypatch.setattr(QMessageBox, "exec", lambda box: clicked.append(box.text()))
    monkeypatch.setattr(QMessageBox, "clickedButton", lambda box: button_of(box, "Cancel"))
    window.content.window_actions.run("reset")
    assert phase(window) == "set-up"
    monkeypatch.setattr(QMessageBox, "clickedButton", lambda box: button_of(box, "Reset fight"))
    window.content.window_actions.run("reset")
    assert phase(window) == "preparing"
    assert len(clicked) == 2


def test_the_palette_finds_and_does(qtbot, window):
    qtbot.keyClick(window, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    palette = open_dialog(window, CommandPalette)
    qtbot.keyClicks(palette.line, "add countd")
    assert palette.texts()[0] == "Add countdown"
    before = len(window.document.encounter.ids(Countdown))
    qtbot.keyClick(palette.line, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: len(window.document.encounter.ids(Countdown)) == before + 1)


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("typed", "dock", "name"),
    [
        ("captain", "creature", "River captain"),
        ("frigid", "environment", "Frigid"),
        ("boat", "countdown", "The second boat"),
    ],
)
def test_the_palette_goes_to_what_was_prepared(qtbot, window, typed, dock, name):
    window.content.services.layout.arrange("run")
    window.content.window_actions.action("palette").trigger()
    palette = open_dialog(window, CommandPalette)
    qtbot.keyClicks(palette.line, typed)
    row = palette.texts().index(name)
    for _ in range(row):
        qtbot.keyClick(palette.line, Qt.Key.Key_Down)
    qtbot.keyClick(palette.line, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: getattr(window.focusWidget(), "text", str)() == name)
    assert dock in seen(window)
    assert window.content.docks.dock(dock).isAncestorOf(window.focusWidget())


# Running -----------------------------------------------------------------------------------------------------------


def test_a_fight_is_begun_and_goes_on_by_keys_alone(qtbot, window):
    window.document.execute(SetDice("roll", seed=3))
    qtbot.keyClick(window, Qt.Key.Key_F9)
    assert phase(window) == "set-up"
    for _ in range(20):
        if phase(window) == "rounds" and not list(open_prompts(window.document.encounter)):
            break
        if list(open_prompts(window.document.encounter)):
            settle(window.document)
        else:
            qtbot.keyClick(window, Qt.Key.Key_F10)
    assert phase(window) == "rounds"
    first = window.document.encounter.need(Clock, "clock").active
    window.setFocus()
    qtbot.keyClick(window, Qt.Key.Key_N)
    assert window.document.encounter.need(Clock, "clock").active != first


def test_the_line_over_the_fight_says_where_it_stands(window):
    line = window.content.tool_bar
    window.content.services.layout.arrange("run")
    assert line.texts() == ("The bridge at Cold Ford", "not started")
    fight(window)
    headline, facts = line.texts()
    assert headline == "Round 1"
    active = window.document.encounter.need(Clock, "clock").active
    assert facts == "0:00  ·  dim light"
    assert (line.button.text(), line.button.keys) == ("End turn", "N")
    line.button.click()
    assert window.document.encounter.need(Clock, "clock").active != active


def test_going_to_a_turn_offers_everybody_in_order(qtbot, window):
    fight(window)
    window.content.window_actions.run("go-to-turn")
    palette = open_dialog(window, CommandPalette)
    assert len(palette.texts()) == len(window.document.encounter.ids(Slot))
    target = palette.texts()[3]
    qtbot.keyClicks(palette.line, target)
    qtbot.keyClick(palette.line, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: active_combatants(window.document.encounter)[0].label in target)


def test_checks_are_called_for_by_side(qtbot, window):
    fight(window)
    window.document.execute(SetDice("ask"))
    window.content.window_actions.run("call-for-checks")
    palette = open_dialog(window, CommandPalette)
    qtbot.keyClicks(palette.line, "perception party")
    qtbot.keyClick(palette.line, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: bool(list(open_prompts(window.document.encounter))))
    prompt = next(iter(open_prompts(window.document.encounter)))
    party = [one.id for one in window.document.encounter.all(Combatant) if one.side == "party"]
    assert [ask.who for ask in waiting_asks(prompt)] == party


def test_all_players_initiatives_are_one_step(qtbot, window):
    window.document.execute(StartEncounter())
    window.document.execute(AdvanceSetup())
    window.document.execute(AdvanceSetup())
    qtbot.keyClick(window, Qt.Key.Key_I, Qt.KeyboardModifier.ControlModifier)
    form = open_dialog(window, InitiativeDialog)
    assert len(form.fields.lines) == 4
    depth = window.document.source.session.history.depth
    for field, total in zip(form.fields.lines, ("17", "9", "", "21"), strict=True):
        qtbot.keyClicks(field, total)
        qtbot.keyClick(field, Qt.Key.Key_Return)
    assert form.result() == QDialog.DialogCode.Accepted
    players = [one for one in window.document.encounter.all(Combatant) if one.player]
    assert [one.initiative for one in players] == [17, 9, None, 21]
    assert window.document.source.session.history.depth == depth + 1


# Commands ------------------------------------------------------------------------------------------------------------


def commands(qtbot, window, typed):
    window.content.window_actions.run("palette")
    palette = open_dialog(window, CommandPalette)
    qtbot.keyClicks(palette.line, typed)
    return palette


def test_commands_find_combatants(qtbot, window):
    fight(window)
    window.content.services.layout.arrange("run")
    palette = commands(qtbot, window, "raider 2")
    assert "Raider 2" in palette.texts()
    palette.list.setCurrentRow([entry.hint for entry in palette.shown].index("Combatant"))
    qtbot.keyClick(palette.line, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.document.selection == ("combatants", "raiders-2"))
    assert "stat-block" in seen(window)


def test_commands_add_creatures_of_the_library(qtbot, window):
    palette = commands(qtbot, window, "fen wyrm")
    assert palette.texts()[0] == "Fen wyrm"
    qtbot.keyClick(palette.line, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.document.selection == ("roster", "fen-wyrm"))


def test_commands_find_other_games(qtbot, window):
    palette = commands(qtbot, window, "pathfinder")
    assert palette.texts()[0] == "Switch to Pathfinder 2e"
    assert "Switch to Level Up: Advanced 5th Edition" not in palette.texts()
    palette.close()


def test_rolling_initiative_comes_before_its_rules(qtbot, window):
    window.document.execute(StartEncounter())
    palette = commands(qtbot, window, "initiative")
    assert palette.texts()[0].endswith("initiative")
    assert [entry.only_on_search for entry in palette.shown] == sorted(entry.only_on_search for entry in palette.shown)
    palette.close()


@pytest.mark.parametrize(
    ("action", "dock", "name"), [("add-environment", "environment", "place"), ("add-countdown", "countdown", "form")]
)
def test_the_name_of_what_was_added_is_typed_at_once(qtbot, window, action, dock, name):
    window.content.window_actions.run(action)
    editor = window.content.docks.dock(dock)
    qtbot.waitUntil(getattr(editor, name).fields["name"].line.hasFocus)


# Quick add -----------------------------------------------------------------------------------------------------------


def quick_add(qtbot, window):
    qtbot.keyClick(window, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    return open_dialog(window, QuickAddLine)


def test_quick_add_brings_in_what_one_line_says(qtbot, window):
    dialog = quick_add(qtbot, window)
    qtbot.keyClicks(dialog.line, "3 brigand ac 12 hp 11 init +1")
    assert dialog.preview.text().startswith("3 × Brigand")
    qtbot.keyClick(dialog.line, Qt.Key.Key_Return)
    entry = list(window.document.encounter.all(RosterEntry))[-1]
    creature = window.document.encounter.need(Creature, entry.creature)
    assert (entry.count, creature.name, creature.ac, creature.hp, creature.initiative) == (3, "Brigand", 12, 11, 1)
    assert not dialog.isVisible()


def test_quick_add_offers_class_features_that_can_be_unticked(qtbot, window):
    dialog = quick_add(qtbot, window)
    qtbot.keyClicks(dialog.line, "Aria rogue 2")
    assert [button.pick.label for button in dialog.features.buttons()] == [
        "Exertion", "Sneak Attack", "Cunning Action", "Sniper", "Carver",
    ]  # fmt: skip
    for id in ("exertion", "sneak-attack", "sniper", "carver"):
        dialog.features.button(id).click()
    qtbot.keyClicks(dialog.line, " hp 15")
    assert dialog.features.chosen() == ("cunning-action",)
    qtbot.keyClick(dialog.line, Qt.Key.Key_Return)
    entry = list(window.document.encounter.all(RosterEntry))[-1]
    creature = window.document.encounter.need(Creature, entry.creature)
    assert (creature.name, creature.hp, entry.side) == ("Aria", 15, "party")
    assert {feature.name for feature in creature.features} == {"Cunning Action", "Rapier", "Shortbow"}
    dialog = quick_add(qtbot, window)
    assert dialog.features.isHidden()


def test_quick_add_takes_creatures_of_the_library_by_name(qtbot, window):
    dialog = quick_add(qtbot, window)
    qtbot.keyClicks(dialog.line, "2 bramble boars allies")
    qtbot.keyClick(dialog.line, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    entry = list(window.document.encounter.all(RosterEntry))[-1]
    assert (entry.creature, entry.count, entry.side) == ("bramble-boar", 2, "allies")
    assert dialog.isVisible()
    assert dialog.line.text() == ""


def test_quick_add_says_what_it_does_not_understand(qtbot, window):
    dialog = quick_add(qtbot, window)
    qtbot.keyClicks(dialog.line, "2 bramble bores")
    assert dialog.parsed is None
    assert "Nothing in the library is called bramble bores" in dialog.preview.text()
    depth = window.document.source.session.history.depth
    qtbot.keyClick(dialog.line, Qt.Key.Key_Return)
    assert window.document.source.session.history.depth == depth


def test_quick_add_writes_out_the_likest_name_and_selects_what_came(qtbot, window):
    dialog = quick_add(qtbot, window)
    qtbot.keyClicks(dialog.line, "2 causeway")
    assert "Did you mean Causeway toad" in dialog.preview.text()
    qtbot.keyClick(dialog.line, Qt.Key.Key_Tab)
    assert dialog.line.text() == "2 Causeway toad"
    assert dialog.line.hasFocus()
    qtbot.keyClick(dialog.line, Qt.Key.Key_Return)
    entry = list(window.document.encounter.all(RosterEntry))[-1]
    assert (entry.creature, entry.count) == ("causeway-toad", 2)
    assert window.document.selection == ("roster", entry.id)


def test_adding_to_the_fight_leads_to_the_library(qtbot, window):
    fight(window)
    window.content.services.layout.arrange("run")
    window.content.window_actions.run("manual-bring-in")
    form = open_dialog(window, ManualCommandDialog)
    button_of(form, "From the library").click()
    assert not form.isVisible()
    dialog = open_dialog(window, QuickAddLine)
    qtbot.keyClicks(dialog.line, "2 bramble boars")
    qtbot.keyClick(dialog.line, Qt.Key.Key_Return)
    assert sum(one.label.startswith("Bramble boar") for one in window.document.encounter.all(Combatant)) == 2


def test_quick_add_copies_from_another_game(qtbot, window):
    dialog = quick_add(qtbot, window)
    qtbot.keyClicks(dialog.line, "3 duergars")
    assert dialog.preview.text().endswith("Duergar is from D&D 5e. Duergar is converted to A5E.")
    assert dialog.copy_button.text() == "Convert to A5E"
    assert dialog.copy_button.isVisible()
    dialog.copy_button.click()
    entry = list(window.document.encounter.all(RosterEntry))[-1]
    assert (entry.creature, entry.count) == ("duergar", 3)
    duergar = window.document.encounter.need(Creature, "duergar")
    assert (duergar.name, duergar.source) == ("Duergar", "D&D 5e: System Reference Document 5.1")


@pytest.mark.sampled(1)
@pytest.mark.parametrize("converts", [True, False])
def test_quick_add_switches_an_empty_encounter_to_the_game_of_a_creature(qtbot, window, converts):
    window.content.file_controller.choose_game("a5e")
    dialog = quick_add(qtbot, window)
    assert not dialog.switch_button.isVisible()
    qtbot.keyClicks(dialog.line, "3 duergars")
    assert dialog.switch_button.text() == "Switch this encounter to D&&D 5e"
    if converts:
        dialog.copy_button.click()
    else:
        qtbot.keyClick(dialog.line, Qt.Key.Key_Return)
    (entry,) = window.document.encounter.all(RosterEntry)
    duergar = window.document.encounter.need(Creature, entry.creature)
    assert (window.document.rules.id, entry.count) == ("a5e" if converts else "dnd5e", 3)
    assert duergar.source.startswith("D&D 5e") is converts


def test_quick_add_names_only_creatures_of_the_game(qtbot, window):
    dialog = quick_add(qtbot, window)
    qtbot.keyClicks(dialog.line, "duerg")
    assert "Did you mean" not in dialog.preview.text()
    assert not dialog.copy_button.isVisible()


# Undo by key ---------------------------------------------------------------------------------------------------------


def test_undo_means_the_document_in_an_empty_field_of_a_prompt(qtbot, window):
    fight(window)
    document = window.document
    document.execute(SetDice("ask"))
    document.execute(ApplyDamage(("tam",), "2d6"))
    window.content.services.layout.arrange("run")
    window.content.services.controller(RunController).answer()
    line = QApplication.focusWidget()
    assert isinstance(line, QLineEdit)
    qtbot.keyClicks(line, "7")
    undo(qtbot)
    assert line.text() == ""
    assert open_prompts(document.encounter)
    undo(qtbot)
    assert not open_prompts(document.encounter)


def test_undo_means_the_document_in_the_field_of_a_form(qtbot, window):
    window.content.services.controller(ViewController).edit_record(("creatures", "river-captain"))
    editor = window.content.docks.dock("creature")
    qtbot.waitUntil(lambda: editor.isAncestorOf(QApplication.focusWidget()))
    QApplication.focusWidget().end(False)
    qtbot.keyClicks(QApplication.focusWidget(), "!!")
    name = lambda: window.document.encounter.need(Creature, "river-captain").name  # noqa: E731
    assert name().endswith("!!")
    undo(qtbot)
    assert name() == "River captain"
    assert QApplication.focusWidget().text() == "River captain"


def test_undo_means_what_was_added_not_the_letters_that_found_it(qtbot, window):
    library = window.content.docks.dock("library")
    qtbot.waitUntil(lambda: library.model.shown_count > 0)
    library.search.setFocus()
    qtbot.keyClicks(library.search, "fen wyrm")
    qtbot.keyClick(library.search, Qt.Key.Key_Return)
    assert window.document.encounter.get(Creature, "fen-wyrm") is not None
    undo(qtbot)
    assert window.document.encounter.get(Creature, "fen-wyrm") is None
    assert library.search.text() == "fen wyrm"
    qtbot.keyClicks(library.search, "s")
    undo(qtbot)
    assert library.search.text() != "fen wyrms"


def test_undo_after_quick_add_takes_the_creature_back(qtbot, window):
    library = window.content.docks.dock("library")
    library.search.setFocus()
    qtbot.keyClicks(library.search, "fen")
    dialog = quick_add(qtbot, window)
    qtbot.keyClicks(dialog.line, "2 bandit hp 11")
    qtbot.keyClick(dialog.line, Qt.Key.Key_Return)
    assert window.document.encounter.get(Creature, "bandit") is not None
    library.search.setFocus()
    undo(qtbot)
    assert window.document.encounter.get(Creature, "bandit") is None
    assert library.search.text() == "fen"


def undo(qtbot):
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)


# Saying no -----------------------------------------------------------------------------------------------------------


def test_what_is_done_against_a_rule_is_said_and_may_be_taken_back(qtbot, window):
    window.document.execute(StartEncounter())
    window.document.execute(MarkSneaking(("mira",)))
    totals = tuple((who, 10) for who in window.document.encounter.ids(Combatant))
    assert window.document.execute(SetInitiative(totals))
    bar = window.messages()
    assert "Allowed despite the rules: Settle or skip surprise before initiative" in bar.text()
    button_of(bar, "Undo").click()
    assert not bar.isVisible()
    assert all(one.initiative is None for one in window.document.encounter.all(Combatant))


def test_a_refusal_is_said_with_its_rule_and_may_be_overridden(qtbot, window):
    check_rules(window.document)
    window.document.execute(StartEncounter())
    window.document.execute(MarkSneaking(("mira",)))
    totals = tuple((who, 10) for who in window.document.encounter.ids(Combatant))
    assert not window.document.execute(SetInitiative(totals))
    bar = window.messages()
    assert bar.isVisible()
    assert bar.rule == "a5e.setup.order"
    bar.why()
    assert QApplication.activeModalWidget() is None
    button_of(bar, "anyway").click()
    assert not bar.isVisible()
    assert all(one.initiative == 10 for one in window.document.encounter.all(Combatant))


def test_a_refusal_without_a_rule_cannot_be_overridden(qtbot, window):
    window.document.execute(StartEncounter())
    assert not window.document.execute(StartEncounter())
    bar = window.messages()
    assert bar.rule == ""
    assert button_of(bar, "anyway") is None
    qtbot.keyClick(window, Qt.Key.Key_Escape)
    assert not bar.isVisible()


def test_asking_why_without_a_number_says_how_to_ask(qtbot, window):
    window.setFocus()
    qtbot.keyClick(window, "?")
    assert "?" in window.messages().text()


def test_help_lists_the_keys_of_the_table(qtbot, window):
    from turnwright.ui.dialogs.help import KeyListDialog

    qtbot.keyClick(window, Qt.Key.Key_F1)
    shown = dict(shown_rows(open_dialog(window, KeyListDialog)))
    assert shown["End turn"] == "N"
    assert shown["Quick add"] == "Ctrl+Shift+A"


def test_a_new_window_leaves_room_for_its_title_bar():
    assert initial_geometry(QRect(0, 0, 1280, 800)).top() >= 30


def test_alt_alone_leaves_the_menu_bar_alone(window):
    bar = window.menuBar()
    assert not bar.style().styleHint(QStyle.StyleHint.SH_MenuBar_AltKeyNavigation, None, bar)


@pytest.mark.parametrize("title", ["Map", "Players"])
def test_no_letter_opens_two_entries_of_a_menu(window, title):
    (menu,) = (menu for menu in window.menuBar().findChildren(QMenu) if menu.title() == f"&{title}")
    letters = [entry.text().partition("&")[2][:1].lower() for entry in menu.actions() if "&" in entry.text()]
    assert sorted(set(letters)) == sorted(letters)


def test_a_save_that_ends_a_turn_takes_the_focus(qtbot, window):
    fight(window)
    who = active_combatants(window.document.encounter)[0].id
    window.document.execute(SetDice("ask"))
    window.document.execute(ApplyCondition((who,), "frightened", by=who, rounds=10, save="wis", dc=30, due="turn-end"))
    window.content.services.actions.run("end-turn")
    qtbot.waitUntil(window.content.docks.dock("turn").prompts.has_focus)


def test_after_a_fight_the_tool_bar_leads_to_the_awards_and_a_new_fight_asks_first(monkeypatch, qtbot, window):
    actions, bar = window.content.window_actions, window.content.tool_bar
    actions.run("start")
    window.document.execute(AdvanceSetup(begins=True))
    window.document.execute(SetHitPoints("raiders-1", 0))
    window.document.execute(EndEncounter())
    assert bar.button.text() == "Award XP"
    qtbot.keyClick(window, Qt.Key.Key_A)
    page = window.content.docks.all["turn"].end
    qtbot.waitUntil(page.award_button.hasFocus)
    qtbot.keyClick(page.award_button, Qt.Key.Key_Return)
    assert [award.kind for award in window.document.encounter.all(Award)] == ["xp"]
    asked = []
    monkeypatch.setattr(QMessageBox, "exec", lambda box: asked.append(box.text()))
    monkeypatch.setattr(QMessageBox, "clickedButton", lambda box: button_of(box, "Cancel"))
    actions.run("start")
    assert (phase(window), len(asked)) == ("ended", 1)
    monkeypatch.setattr(QMessageBox, "clickedButton", lambda box: button_of(box, "Play again"))
    actions.run("start")
    assert (phase(window), list(window.document.encounter.all(Award))) == ("set-up", [])
