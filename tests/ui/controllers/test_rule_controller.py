"""From a number to the rule behind it and back: `?`, Enter, Esc, in the real window."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel

from tests.ui.shell.test_window import fight, open_dialog, seen, settle
from turnwright.encounter.prepared import Countdown, RosterEntry
from turnwright.play.damage.damage_roll import ApplyDamage
from turnwright.play.effects.conditions import ApplyCondition
from turnwright.play.table.game_master import SetDice
from turnwright.play.turns.turns import EndTurn
from turnwright.ui.controllers.palette_controller import PaletteController
from turnwright.ui.dialogs.palette import CommandPalette
from turnwright.ui.docks.turn_order.foot import countdown_pools, world_actions
from turnwright.ui.models.roster import RosterColumn
from turnwright.ui.models.turn_order import TurnOrderColumn
from turnwright.ui.widgets.rules.why import WhyCard

ARRANGEMENT = "run"

CONTROL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier


def card():
    """Return the why-card that is open, None where none is."""
    cards = [each for each in QApplication.topLevelWidgets() if isinstance(each, WhyCard) and each.isVisible()]
    assert len(cards) <= 1
    return cards[0] if cards else None


def said(opened):
    return [label.text() for label in opened.findChildren(QLabel)]


def rules_dock(window):
    return window.content.docks.dock("rules")


def press(qtbot, key, modifier=Qt.KeyboardModifier.NoModifier):
    qtbot.keyClick(QApplication.focusWidget(), key, modifier)


@pytest.fixture
def running(qtbot, window):
    """The window in the run arrangement, in the first round: Mira acts, Tam is hurt and poisoned."""
    fight(window)
    window.content.services.layout.arrange("run")
    qtbot.waitUntil(lambda: "turn" in seen(window))
    window.document.execute(ApplyDamage(("tam",), "2d6 fire", "Osk"))
    window.document.execute(ApplyCondition(("tam",), "poisoned"))
    window.activateWindow()
    return window


# There and back --------------------------------------------------------------------------------------------------


def test_one_key_searches_all_rules_and_escape_goes_back_to_where_one_was(qtbot, running):
    label = running.content.docks.dock("turn").header.armor
    label.setFocus()
    press(qtbot, Qt.Key.Key_F, CONTROL)
    dock = rules_dock(running)
    assert dock.search.hasFocus()
    qtbot.waitUntil(lambda: {"rules"} == seen(running) & {"rules", "stat-block"})
    qtbot.keyClicks(dock.search, "expires with the last die")
    assert dock.current_rule == "a5e.countdown.expire"
    press(qtbot, Qt.Key.Key_Escape)
    assert label.hasFocus()
    qtbot.waitUntil(lambda: {"stat-block"} == seen(running) & {"rules", "stat-block"})


def test_enter_on_a_why_card_opens_the_rule_and_escape_goes_back_to_the_number(qtbot, running):
    label = running.content.docks.dock("turn").header.movement
    label.setFocus()
    press(qtbot, "?")
    assert card().chosen() == "a5e.turn.speed"
    press(qtbot, Qt.Key.Key_Return)
    assert card() is None
    assert (rules_dock(running).current_rule, rules_dock(running).text.hasFocus()) == ("a5e.turn.speed", True)
    press(qtbot, Qt.Key.Key_Escape)
    assert label.hasFocus()


def test_arrows_choose_among_the_rules_of_a_card_and_a_click_opens_one(qtbot, running):
    pips = running.content.docks.dock("turn").header.pips.group("reaction")
    pips.setFocus()
    press(qtbot, "?")
    first, second = (line.rule for line in card().rules()[:2])
    press(qtbot, Qt.Key.Key_Down)
    assert card().chosen() == second
    press(qtbot, Qt.Key.Key_Up)
    assert card().chosen() == first
    qtbot.mouseClick(card().rules()[1], Qt.MouseButton.LeftButton)
    assert rules_dock(running).current_rule == second


def test_a_card_opened_by_the_pointer_leaves_the_keys_to_the_prompt(qtbot, running):
    running.document.execute(SetDice("ask"))
    running.document.execute(ApplyDamage(("tam",), "1d4 fire"))
    dock = running.content.docks.dock("turn")
    dock.focus_prompt()
    line = QApplication.focusWidget()
    dock.header.armor.open_card(hovered=True)
    assert card().chosen() == ""
    shown = rules_dock(running).current_rule
    press(qtbot, Qt.Key.Key_Return)
    assert rules_dock(running).current_rule == shown
    assert QApplication.focusWidget() is not line or not line.isVisible()


def test_a_dock_that_was_closed_is_closed_again(qtbot, window):
    window.content.services.layout.arrange("prepare")
    assert not window.content.docks.is_open("rules")
    window.setFocus()
    press(qtbot, Qt.Key.Key_F, CONTROL)
    qtbot.waitUntil(lambda: "rules" in seen(window))
    press(qtbot, Qt.Key.Key_Escape)
    assert not window.content.docks.is_open("rules")
    qtbot.waitUntil(lambda: seen(window) == {"library", "roster", "creature"})


def test_a_card_in_a_floating_dock_finds_the_rules_too(qtbot, running):
    dock = running.content.docks.dock("turn")
    dock.setFloating(True)
    dock.header.movement.open_card()
    qtbot.mouseClick(card().rules()[0], Qt.MouseButton.LeftButton)
    assert rules_dock(running).current_rule == "a5e.turn.speed"


def test_the_palette_finds_rules_by_their_titles_once_something_is_typed(qtbot, window):
    window.content.services.controller(PaletteController).open_palette()
    palette = open_dialog(window, CommandPalette)
    assert "Dash doubles speed for the turn" not in palette.texts()
    assert len(palette.texts()) < 200
    qtbot.keyClicks(palette.line, "doubles speed")
    assert palette.texts() == ["Dash doubles speed for the turn"]
    qtbot.keyClick(palette.line, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: rules_dock(window).current_rule == "a5e.action.dash.double")
    assert "rules" in seen(window)


# Every number answers ----------------------------------------------------------------------------------------------


def ask(qtbot, widget, key="?", modifier=Qt.KeyboardModifier.NoModifier):
    """Give a widget the focus, ask why, and return what the card says with the rules it leads to."""
    widget.setFocus()
    qtbot.waitUntil(widget.hasFocus)
    qtbot.keyClick(widget, key, modifier)
    opened = card()
    assert opened is not None
    return said(opened), [line.rule for line in opened.rules()]


def test_the_head_of_the_turn_answers(qtbot, running):
    head = running.content.docks.dock("turn").header
    for which, words, rule in (
        (head.armor, "mail and shield", "a5e.attack.ac-source"),
        (head.points, "maximum hit points", "a5e.hp.range"),
        (head.movement, "30", "a5e.turn.speed"),
        (head.pips.group("action"), "1 / 1", "a5e.turn.one-action"),
        (head.pips.group("reaction"), "1 / 1", "a5e.turn.reaction-refresh"),
    ):
        texts, rules = ask(qtbot, which)
        assert words in texts
        assert rule in rules
        press(qtbot, Qt.Key.Key_Escape)


def test_a_field_answers_by_shift_and_f1_since_it_takes_a_question_mark(qtbot, running):
    dock = running.content.docks.dock("turn")
    dock.toggle_move()
    line = dock.form_host.move_card.field("feet").box.lineEdit()
    assert "a5e.turn.speed" in ask(qtbot, line, Qt.Key.Key_F1, SHIFT)[1]


def test_an_attack_on_its_button_answers_with_bonus_and_damage(qtbot, running):
    button = running.content.docks.dock("turn").action_bar.button(1)
    texts, rules = ask(qtbot, button)
    assert "+7" in texts
    assert {"a5e.attack.modifier.monster", "a5e.attack.hit", "a5e.damage.form"} <= set(rules)


def test_a_prompt_answers_for_its_roll_and_for_its_rule(qtbot, running):
    document = running.document
    document.execute(SetDice("ask"))
    document.execute(EndTurn())
    document.execute(ApplyDamage(("tam",), "2d6 fire"))
    prompts = running.content.docks.dock("turn").prompts
    field = next(iter(prompts.cards.values())).prompt_input.first_field()
    texts, _rules = ask(qtbot, field, Qt.Key.Key_F1, SHIFT)
    assert "2d6 fire" in " ".join(texts)


def test_a_row_of_the_order_answers_with_its_count_its_hit_points_and_what_lies_on_it(qtbot, running):
    dock = running.content.docks.dock("order")
    dock.view.setCurrentIndex(dock.model.index(dock.model.row_of("tam"), TurnOrderColumn.WHO))
    texts, rules = ask(qtbot, dock.view)
    assert {"Tam: initiative 29 (entered by hand)", "Hit points", "Armor Class", "Poisoned"} <= set(texts)
    assert {"a5e.initiative.order", "a5e.hp.range", "a5e.external.poisoned"} <= set(rules)


def test_a_world_action_answers_with_its_recharge_and_its_save(qtbot, running):
    world = running.content.docks.dock("order").world
    texts, rules = ask(qtbot, world.action(world_actions(running.document)[0].id))
    assert {"recharges on a d6", "DC 15", "4–6"} <= set(texts)
    assert {"a5e.env.frigid.cold-chill", "a5e.world.recharge.after-use"} <= set(rules)


def test_a_pool_answers_with_the_faces_that_go_and_how_long_it_lasts(qtbot, running):
    world = running.content.docks.dock("order").world
    texts, rules = ask(qtbot, world.pool(countdown_pools(running.document)[0].id))
    assert {"5–6", "average rolls, calculated exactly"} <= set(texts)
    assert {"a5e.countdown.medium", "a5e.countdown.roll"} <= set(rules)


def test_the_stat_block_answers_for_all_its_figures_and_for_each_roll(qtbot, running):
    dock = running.content.docks.dock("stat-block")
    texts, rules = ask(qtbot, dock.view)
    assert {"Armor Class", "Hit points", "Walk"} <= set(texts)
    assert {"a5e.attack.ac-source", "a5e.hp.range", "a5e.turn.speed"} <= set(rules)
    press(qtbot, Qt.Key.Key_Escape)
    answered = {}
    for _ in dock.view.rolls():
        qtbot.keyClick(dock.view, Qt.Key.Key_Tab)
        about = dock.view.focused_stat()
        answered[about] = ask(qtbot, dock.view)
        press(qtbot, Qt.Key.Key_Escape)
    assert {"ability:str", "save:con", "skill:athletics", "feature:sword"} <= set(answered)
    assert all(len(texts) > 2 for texts, _ in answered.values())
    assert not [about for about, (_, rules) in answered.items() if not rules and about != "feature:second-breath"]


def test_levels_of_a_track_answer_with_what_they_mean_and_a_save_with_the_rule_of_its_bonus(qtbot, running):
    strip = running.content.docks.dock("stat-block").strip
    for track in ("fatigue", "strife"):
        line = strip.fields[track].lineEdit()
        assert any(track in rule for rule in ask(qtbot, line, Qt.Key.Key_F1, SHIFT)[1])
        press(qtbot, Qt.Key.Key_Escape)
    texts, rules = ask(qtbot, strip.saves["con"])
    assert "Constitution" in texts
    assert "a5e.external.ability-proficiency" in rules


def test_a_line_of_the_journal_answers_in_the_window_too(qtbot, running):
    view = running.content.docks.dock("journal").view
    settle(running.document)
    row = next(row for row in range(view.model().rowCount() - 1, -1, -1) if view.model().line_at(row).kind == "harm")
    view.setCurrentIndex(view.model().index(row))
    assert "a5e.hp.damage" in ask(qtbot, view)[1]


def test_a_number_of_the_roster_answers(qtbot, window):
    dock = window.content.docks.dock("roster")
    entry = next(iter(window.document.encounter.all(RosterEntry)))
    for column, rule in (
        (RosterColumn.AC, "a5e.attack.ac-source"),
        (RosterColumn.HP, "a5e.hp.range"),
        (RosterColumn.NAME, "a5e.hp.range"),
    ):
        dock.roster_view.setCurrentIndex(dock.roster.index_of(entry.id, column))
        assert rule in ask(qtbot, dock.roster_view)[1]
        press(qtbot, Qt.Key.Key_Escape)


def test_a_prepared_countdown_answers_in_the_roster_and_in_its_inspector(qtbot, window):
    countdown = next(iter(window.document.encounter.all(Countdown)))
    dock = window.content.docks.dock("roster")
    dock.world_view.setCurrentIndex(dock.world.index(dock.world.row_of((Countdown.table, countdown.id)), 0))
    assert "a5e.countdown.roll" in ask(qtbot, dock.world_view)[1]
    press(qtbot, Qt.Key.Key_Escape)
    window.document.select((Countdown.table, countdown.id))
    inspector = window.content.docks.show("countdown")
    inspector.prepare()
    assert f"a5e.countdown.{countdown.speed}" in ask(qtbot, inspector.form.fields["dice"].dice)[1]


def test_the_stat_block_of_a_prepared_creature_answers(qtbot, window):
    window.document.select((RosterEntry.table, next(iter(window.document.encounter.all(RosterEntry))).id))
    dock = window.content.docks.dock("creature")
    dock.show_part("block")
    qtbot.waitUntil(lambda: bool(dock.stat_block.rolls()))
    assert "a5e.hp.range" in ask(qtbot, dock.stat_block)[1]


def test_a_creature_of_the_library_answers_for_its_rating(qtbot, window):
    dock = window.content.docks.dock("library")
    qtbot.waitUntil(lambda: dock.model.shown_count > 0)
    dock.view.setCurrentIndex(dock.model.index(dock.model.first_row(), 0))
    texts, _rules = ask(qtbot, dock.view)
    assert "challenge rating, from the stat block" in texts
