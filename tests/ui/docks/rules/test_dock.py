"""The rules dock over a running fight: rules in play first, search while typing, full text, and the way back."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QApplication

from turnwright.play.effects.conditions import ApplyCondition
from turnwright.play.turns.turns import EndTurn
from turnwright.rules.system_data import SystemData
from turnwright.rules.system_data.dying import Condition
from turnwright.rules.system_data.ledger import LedgerRule
from turnwright.ui.docks.rules.dock import RulesDock, mentioned_rules, rule_view_of, source_text, with_document_names
from turnwright.ui.docks.shared.explainer import explainer
from turnwright.ui.look.style import theme_source
from turnwright.ui.models.row_list_model import HEADING
from turnwright.ui.models.rules import RuleActivity
from turnwright.ui.widgets.rules.rule_text import RuleText, RuleView, text_runs

ALT = Qt.KeyboardModifier.AltModifier


def headings(dock):
    return [dock.model.index(row, 0).data() for row, key in enumerate(dock.model.keys) if key[0] == HEADING]


def title(dock):
    return dock.text.rule().title if dock.text.rule() else ""


def rule_of(id, statement="", check="", kind="compute", source=()):
    return LedgerRule(id, id.rpartition(".")[2].capitalize(), source, kind, statement, check)


@pytest.fixture
def dock(fight, show, qtbot):
    dock = show(RulesDock)
    dock.focus_search()
    return dock


def test_every_rule_of_the_ledger_is_there_and_what_is_in_play_first(dock, fight):
    assert dock.model.shown_count == len(explainer(fight).ledger.rules)
    assert headings(dock)[0] == "Now: active combatant"
    assert "Now: the world" in headings(dock)
    assert headings(dock).index("Now: the world") < headings(dock).index("Turns")


def test_it_keeps_up_with_the_fight(dock, fight, qtbot):
    assert "Now: effects on others" not in headings(dock)
    fight.execute(ApplyCondition(("tam",), "poisoned"))
    qtbot.waitUntil(lambda: "Now: effects on others" in headings(dock))
    fight.undo()
    qtbot.waitUntil(lambda: "Now: effects on others" not in headings(dock))


def test_a_dock_that_nobody_sees_reads_nothing(fight):
    dock = RulesDock(fight, theme_source())
    fight.execute(EndTurn())
    QApplication.processEvents()
    assert dock.model.rowCount() == 0
    dock.deleteLater()


def test_typing_finds_arrows_choose_and_enter_reads(dock, qtbot):
    qtbot.keyClicks(dock.search, "dash speed")
    assert title(dock) == "Dash doubles speed for the turn"
    before = dock.current_rule
    qtbot.keyClick(dock.search, Qt.Key.Key_Down)
    assert dock.current_rule != before
    qtbot.keyClick(dock.search, Qt.Key.Key_Up)
    assert dock.current_rule == before
    qtbot.keyClick(dock.search, Qt.Key.Key_Return)
    assert dock.text.hasFocus()
    qtbot.keyClick(dock.text, Qt.Key.Key_Escape)
    assert dock.view.hasFocus()
    with qtbot.waitSignal(dock.backRequested):
        qtbot.keyClick(dock.view, Qt.Key.Key_Escape)


def test_what_is_not_found_is_said_in_words(dock, qtbot):
    qtbot.keyClicks(dock.search, "zyzzyva")
    assert dock.stack.currentWidget() is dock.empty
    assert "zyzzyva" in dock.empty.accessibleName()
    dock.search.clear()
    assert dock.stack.currentWidget() is dock.view


def test_a_rule_that_the_search_hides_is_shown_all_the_same(dock):
    dock.search.setText("dodge")
    assert dock.show_rule("a5e.hp.range")
    assert dock.search.text() == ""
    assert (title(dock), dock.text.hasFocus()) == ("Hit points run from 0 to the maximum", True)
    assert dock.model.rule_at(dock.view.currentIndex()).id == "a5e.hp.range"


def test_a_rule_that_the_ledger_lacks_is_not_shown(dock):
    assert not dock.show_rule("a5e.no.such.rule")


def test_links_are_followed_and_alt_left_leads_back(dock, qtbot):
    dock.show_rule("a5e.action.dash.double")
    target = dock.text.links()[0]
    qtbot.keyClick(dock.text, Qt.Key.Key_Tab)
    qtbot.keyClick(dock.text, Qt.Key.Key_Return)
    assert dock.current_rule == target
    assert dock.back_button.isEnabled()
    qtbot.keyClick(dock.text, Qt.Key.Key_Left, ALT)
    assert dock.current_rule == "a5e.action.dash.double"
    assert not dock.back_button.isEnabled()


def test_an_id_in_a_statement_is_a_link_by_its_title(dock, fight):
    id, ledger = "a5e.variant.hidden-attacker", explainer(fight).ledger
    speaker = next(one.id for one in ledger.rules.values() if id in one.statement)
    dock.show_rule(speaker)
    assert id in dock.text.links()
    assert id not in dock.text.toPlainText()
    assert ledger.title(id) in dock.text.toPlainText()


def test_a_table_rule_says_whether_it_is_on_in_this_encounter(dock):
    answers = {"a5e.variant.brush": True, "a5e.variant.mirror": False}
    dock.option_state = answers.get
    dock.show_rule("a5e.variant.brush")
    assert "On in this encounter" in dock.text.toPlainText()
    dock.show_rule("a5e.variant.mirror")
    assert "Off in this encounter" in dock.text.toPlainText()
    dock.show_rule("a5e.hp.range")
    assert "in this encounter" not in dock.text.toPlainText()


def test_where_it_is_wide_and_low_the_text_stands_beside_the_list(dock):
    assert dock.splitter.orientation() == Qt.Orientation.Vertical
    dock.window().resize(1200, 260)
    QApplication.processEvents()
    assert dock.splitter.orientation() == Qt.Orientation.Horizontal


# A rule in full --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "word"),
    [("compute", "Automatic"), ("track", "Tracked"), ("data", "Included data"), ("game-master", "Your call")],
)
def test_the_kind_is_said_as_a_word(qapp, kind, word):
    assert rule_view_of(rule_of("x.a.b", kind=kind), {}, SystemData("x", "X")).badges[0].word == word


def test_a_rule_that_the_sources_only_name_says_so_with_what_the_program_has_for_it(qapp):
    rule = rule_of("x.external.slimed", "Named only.")
    catalogue = SystemData(
        "x", "X", conditions=(Condition("slimed", "Slimed", "Slow.", ledger=("x.external.slimed",)),)
    )
    view = rule_view_of(rule, {}, catalogue, RuleActivity("lately", "Tam"))
    assert [mark.word for mark in view.badges] == ["Automatic", "External"]
    assert view.shipped == (("Slimed", "Slow."),)
    assert view.active_through == "In play now: Tam"
    assert rule_view_of(rule_of("x.slimed.a"), {}, catalogue).shipped == ()


def test_sources_are_told_section_by_section(qapp):
    assert source_text(["000:Turn Order", "001:Turn Order", "000:Cover > Walls", "009:Else"]) == (
        "“Turn Order” (the full chapter, the older text); “Cover, Walls” (the full chapter); “Else” (document 009)"
    )


def test_documents_that_a_rule_names_by_number_are_named_in_words(qapp):
    said = with_document_names("000 asks; 001 doesn't (see 001). 001 alone; the mean is 6.000 of 1,000.")
    assert said == (
        "The full chapter asks; the older text doesn't (see the older text). The older text alone; "
        "the mean is 6.000 of 1,000."
    )


def test_rules_on_the_same_thing_and_those_it_speaks_of_are_links(qapp):
    ledger = {
        rule.id: rule
        for rule in (
            rule_of("x.act.dash.one", "As x.act.dodge has it (x.hp.none), and x.hp.range."),
            rule_of("x.act.dash.two"),
            rule_of("x.act.dodge"),
            rule_of("x.hp.range"),
        )
    }
    assert list(mentioned_rules(ledger["x.act.dash.one"], ledger)) == ["x.act.dodge", "x.hp.range"]
    view = rule_view_of(ledger["x.act.dash.one"], ledger, SystemData("x", "X"))
    assert view.related == ("x.act.dash.two",)
    assert dict(view.links) == {"x.act.dodge": "Dodge", "x.hp.range": "Range", "x.act.dash.two": "Two"}
    assert rule_view_of(ledger["x.act.dodge"], ledger, SystemData("x", "X")).related == ()


def test_a_statement_is_cut_at_the_ids_it_knows():
    assert text_runs("as x.hp.range. (x.no.such)", {"x.hp.range": "Range"}) == [
        *(("as ", ""), ("Range", "x.hp.range"), (". (x.no.such)", ""))
    ]


def test_words_of_a_rule_are_never_markup(qtbot):
    text = RuleText()
    qtbot.addWidget(text)
    sly = "<h1>big</h1><a href='x'>y</a>"
    text.set_rule(RuleView("x.a.b", sly, sly, example=sly, source=sly))
    assert text.toPlainText().count(sly) == 4
    assert text.links() == ()


def test_nothing_chosen_says_what_to_do(qtbot):
    text = RuleText()
    qtbot.addWidget(text)
    assert "Choose a rule" in text.toPlainText()
    text.set_rule(RuleView("x.a.b", "T", "S"))
    text.moveCursor(QTextCursor.MoveOperation.End)
    text.set_rule(None)
    assert text.rule() is None


@pytest.mark.rule("a5e.variant.coverage")
def test_what_only_one_of_the_texts_has_says_so(dock):
    dock.show_rule("a5e.action.dash.double")
    assert "Only the full chapter has this rule" in dock.text.rule().source
    dock.show_rule("a5e.initiative.order")
    assert "Only" not in dock.text.rule().source
