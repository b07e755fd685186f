"""The list of rules: chapters, active rules and search."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester

from turnwright.rules.system_data.ledger import LedgerRule
from turnwright.ui.models.row_list_model import DETAIL_ROLE, HEADING
from turnwright.ui.models.rules import RuleActivity, RuleIndex, RulesModel, chapter_name

FATAL = QAbstractItemModelTester.FailureReportingMode.Fatal


def rule(id, title, statement="", check=""):
    return LedgerRule(id, title, ("000:Somewhere",), "compute", statement, check)


RULES = (
    rule("x.turn.speed", "Move up to Speed", "A creature may move its Speed."),
    rule("x.action.dash.double", "Dash doubles speed", "The action doubles it for the turn."),
    rule("x.action.dodge", "Dodge", "Attackers have disadvantage.", "Given Tam dodges on a bridge, …"),
    rule("x.hp.range", "Hit points", "From 0 to the maximum, whatever the speed."),
    rule("x.odd-place", "Odd", "Stands nowhere else."),
)


@pytest.fixture
def model(qapp):
    made = RulesModel()
    made.set_rules(RULES)
    return made


def shown(model):
    """Return the rows as texts, headings in brackets."""
    texts = [(key[0], model.index(row, 0).data()) for row, key in enumerate(model.keys)]
    return [f"[{text}]" if kind == HEADING else text for kind, text in texts]


def test_without_a_search_rules_stand_by_chapter_in_the_ledgers_order(model):
    assert shown(model) == [
        *("[Turns]", "Move up to Speed"),
        *("[Actions]", "Dash doubles speed", "Dodge"),
        *("[Hit points]", "Hit points"),
        *("[Odd place]", "Odd"),
    ]


def test_what_is_in_play_stands_first_by_group_and_only_once(model):
    model.set_active_rules(
        {
            "x.hp.range": RuleActivity("asked", "a save"),
            "x.action.dodge": RuleActivity("lately", "Tam dodges"),
            "y.elsewhere": RuleActivity("lately", "nothing we know"),
        }
    )
    assert shown(model)[:4] == ["[Now: current prompt]", "Hit points", "[Now: recent events]", "Dodge"]
    assert sorted(text for text in shown(model) if text[0] != "[") == sorted(each.title for each in RULES)
    assert model.index(1, 0).data(DETAIL_ROLE) == "a save"
    model.set_active_rules({})
    assert shown(model)[0] == "[Turns]"


def test_a_rule_that_stays_in_play_for_another_reason_says_so(model, qtbot):
    model.set_active_rules({"x.hp.range": RuleActivity("asked", "a save")})
    with qtbot.waitSignal(model.dataChanged):
        model.set_active_rules({"x.hp.range": RuleActivity("asked", "a check")})
    assert model.index(1, 0).data(Qt.ItemDataRole.AccessibleTextRole) == "Hit points (a check)"


def test_titles_come_before_words_of_the_text(model):
    model.search("speed")
    assert shown(model) == ["[3 rules]", "Move up to Speed", "Dash doubles speed", "Hit points"]
    model.search("SPEED dash")
    assert shown(model) == ["[1 rule]", "Dash doubles speed"]


@pytest.mark.parametrize(
    ("query", "titles"),
    [
        ("x.action", ["Dash doubles speed", "Dodge"]),
        ("disadvantage", ["Dodge"]),
        ("bridge", ["Dodge"]),
        ("Maximum HIT", ["Hit points"]),
        ("dragon", []),
    ],
)
def test_every_word_is_sought_in_id_title_statement_and_example(model, query, titles):
    model.search(query)
    assert [text for text in shown(model) if text[0] != "["] == titles
    assert model.shown_count == len(titles)


def test_while_searching_a_row_says_its_chapter_or_that_it_is_in_play(model):
    model.set_active_rules({"x.action.dodge": RuleActivity("lately", "Tam dodges")})
    model.search("d")
    details = {model.rule_at(model.index(row, 0)).id: model.index(row, 0).data(DETAIL_ROLE) for row in (1, 2)}
    assert details == {"x.action.dash.double": "Actions", "x.action.dodge": "In play now"}


def test_a_search_for_nothing_finds_nothing():
    assert RuleIndex(RULES).search("  ") == []


def test_a_chapter_that_has_no_words_is_written_as_it_is(qapp):
    assert chapter_name(rule("x.odd-place", "")) == "Odd place"
    assert chapter_name(rule("lonely", "")) == ""


@given(
    steps=st.lists(
        st.one_of(
            st.text("dospeh ", max_size=4),
            st.lists(st.sampled_from([each.id for each in RULES]), max_size=4, unique=True),
        ),
        max_size=12,
    )
)
def test_searching_and_playing_in_any_order_keep_every_rule_once(qapp, steps):
    model = RulesModel()
    tester = QAbstractItemModelTester(model, FATAL)
    model.set_rules(RULES)
    query = ""
    for step in steps:
        if isinstance(step, str):
            query = step
            model.search(step)
        else:
            model.set_active_rules({id: RuleActivity("lately", id) for id in step})
        ids = [key[1] for key in model.keys if key[0] != HEADING]
        assert len(ids) == len(set(ids))
        assert set(ids) == (set(RuleIndex(RULES).search(query)) if query.split() else {each.id for each in RULES})
        assert all(model.index(row, 0).data() for row in range(model.rowCount()))
    assert tester.model() is model
