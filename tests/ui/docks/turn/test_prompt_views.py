"""A save that fails automatically by a rule: a button beside Roll takes it as failed, a key shows the rule."""

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from turnwright.dice.expression import Edge, ExtraDice, Modifier, RollSpec
from turnwright.encounter.prepared import Feature
from turnwright.encounter.procedure_state.asks import Ask, Prompt, Reply
from turnwright.encounter.running import Combatant
from turnwright.play.actions.use_feature import UseFeature
from turnwright.play.queries.queries import open_prompts
from turnwright.play.setup.prepared_records import Edit
from turnwright.play.table.game_master import SetDice
from turnwright.rules.system import creature_of
from turnwright.ui.docks.shared.why_stat_block import explain_stat
from turnwright.ui.docks.turn.prompt_views import prompt_view
from turnwright.ui.widgets.prompts.prompt_card import PromptCard
from turnwright.ui.widgets.prompts.prompt_roll_input import RollInput

FAILS = RollSpec(fails="<condition.unconscious>")
TAKEN = Reply("tam", chosen=("failed",))


@pytest.fixture
def asked(fight, qtbot):
    """Show a card for saves, of which Tam's fails by a rule, and collect the answers."""

    held = []

    def made(*who):
        asks = tuple(
            Ask(one, "roll", "ask.save", one, spec=FAILS if one == "tam" else RollSpec(), dc=10) for one in who
        )
        card = PromptCard(prompt_view(fight, Prompt("prompt-1", "none", "prompt.save", "Breath", asks)))
        answers = []
        card.answered.connect(lambda _id, replies, _revision: answers.extend(replies))
        qtbot.addWidget(card)
        held.append(card)
        card.show()
        card.activateWindow()
        qtbot.waitUntil(card.isActiveWindow)
        return card.prompt_input, answers

    return made


def test_a_click_takes_the_save_as_failed(asked, qtbot):
    body, answers = asked("tam")
    row = body.first_row()
    assert row.fail.button.text() == "Fails: Unconscious"
    assert row.button.isVisible()
    assert row.fail.button.isVisible()
    qtbot.mouseClick(row.fail.button, Qt.MouseButton.LeftButton)
    assert answers == [TAKEN]


def test_it_is_reached_by_tab_and_pressed_by_enter(asked, qtbot):
    body, answers = asked("tam")
    body.first_field().setFocus()
    for _ in range(8):
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
        if body.first_row().fail.button.hasFocus():
            break
    assert QApplication.focusWidget() is body.first_row().fail.button
    qtbot.keyClick(body.first_row().fail.button, Qt.Key.Key_Return)
    assert answers == [TAKEN]


def test_question_mark_opens_the_rule_behind_it(asked, qtbot):
    fail = asked("tam")[0].first_row().fail
    fail.button.setFocus()
    qtbot.keyClick(fail.button, Qt.Key.Key_Question, Qt.KeyboardModifier.ShiftModifier)
    card = fail.rule.card()
    assert card is not None
    assert card.accessibleName().startswith("Fails: Unconscious")
    assert card.chosen() == "a5e.external.unconscious"


def test_the_word_beside_it_opens_the_rule_by_mouse(asked, qtbot):
    fail = asked("tam")[0].first_row().fail
    qtbot.mouseClick(fail.rule, Qt.MouseButton.LeftButton)
    assert fail.rule.card().chosen() == "a5e.external.unconscious"


def test_among_many_only_those_it_holds_for_have_the_button(asked, qtbot):
    rows, answers = asked("tam", "osk", "velu")
    assert isinstance(rows, RollInput)
    assert rows.rows["tam"].fail.isVisible()
    assert rows.rows["osk"].fail.isHidden()
    assert rows.rows["velu"].fail.isHidden()
    qtbot.mouseClick(rows.rows["tam"].fail.button, Qt.MouseButton.LeftButton)
    assert answers == [TAKEN]


def test_the_key_for_why_explains_it_where_it_has_the_focus(asked):
    rows, _ = asked("tam", "osk")
    rows.rows["tam"].fail.button.setFocus()
    assert rows.explain()
    assert rows.rows["tam"].fail.rule.card() is not None


def test_where_the_dice_decide_there_is_no_such_button(asked):
    assert asked("osk")[0].first_row().fail.isHidden()


@pytest.mark.parametrize(
    ("spec", "figure", "note"),
    [
        (RollSpec(modifiers=(Modifier(2, "<ability.con>"), Modifier(3, "why.proficiency"))), "+5", "needs 8"),
        (RollSpec(edges=(Edge("disadvantage", "Poisoned"),)), "+0", "needs 13 · disadvantage · poisoned"),
        (RollSpec(modifiers=(Modifier(-2, "Cold"),)), "−2", "needs 15 · cold"),
        (RollSpec(extra=(ExtraDice("1d4", "Bless"),)), "+1d4", "needs 13 with 1d4 · bless"),
        (RollSpec(modifiers=(Modifier(12, "<ability.con>"),)), "+12", "any roll"),
        (RollSpec("2d6", (Modifier(3, "<ability.str>"),)), "2d6 + 3", "vs DC 13"),
    ],
)
def test_a_row_says_what_the_die_must_show_and_why(fight, spec, figure, note):
    prompt = Prompt(
        "prompt-1", "none", "prompt.save", "Breath", (Ask("tam", "roll", "ask.save", "tam", spec=spec, dc=13),)
    )
    (view,) = prompt_view(fight, prompt).asks
    assert (view.figure, view.note) == (figure, note)


def test_the_dc_of_a_spell_is_explained(fight):
    mira = creature_of(fight.encounter, fight.encounter.need(Combatant, "mira"))
    numbers = {"spellcasting": "wis", "abilities": (("wis", 18),), "proficiency": 3, "level": 5, "features": ()}
    fight.execute(Edit(replace(mira, slots=(("3", 2),), **numbers)))
    fight.execute(SetDice("ask"))
    fight.execute(UseFeature("mira", spell="fireball", targets=("raiders-1",)))
    (prompt,) = open_prompts(fight.encounter)
    lines = [(line.value, line.reason) for line in prompt_view(fight, prompt).asks[0].why().lines]
    parts = [("DC 15", "Spell save DC"), ("8", "base of a spell's DC"), ("+3", "proficiency bonus"), ("+4", "Wisdom")]
    assert lines[-4:] == parts
    stat = explain_stat(fight, mira, "", fight.encounter.need(Combatant, "mira"))
    assert [line.value for line in stat.lines if line.reason == "Spell attack bonus"] == ["+7"]


def test_an_entered_dc_is_explained(fight):
    fight.execute(SetDice("ask"))
    given = Feature("toll", "Toll", "action", save="wis", dc=17, damage="1d8", properties=("spell",))
    fight.execute(UseFeature("mira", given=given, targets=("raiders-1",)))
    (prompt,) = open_prompts(fight.encounter)
    lines = [(line.value, line.reason) for line in prompt_view(fight, prompt).asks[0].why().lines]
    assert lines[-2:] == [("DC 17", "Spell save DC"), ("17", "entered by hand")]
