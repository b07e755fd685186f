"""Statements are read once: their facts, how these are joined, and what is told of a mistake."""

from __future__ import annotations

import pytest

from tests.for_each import for_each
from tests.table import a5e
from turnwright.rules.system_data.known_ids import known_ids
from turnwright.rules.system_data.statements import (
    ALWAYS,
    Compound,
    Fact,
    StatementError,
    parse_statement,
    readable_statement,
    unknown_names,
)

PRONE, MELEE, NEAR = Fact("", "prone"), Fact("melee"), Fact("within", "5", 5, "attacker", negated=True)


@for_each(
    ("text", "tree"),
    [
        ("prone", PRONE),
        ("not attacker.within:5", NEAR),
        ("track:moved:10", Fact("track", "moved", 10)),
        ("scene:acid.lake", Fact("scene", "acid.lake")),
        ("melee,prone", Compound((MELEE, PRONE))),
        ("melee | prone , not attacker.within:5", Compound((MELEE, Compound((PRONE, NEAR))), either=True)),
        ("(melee | prone), not attacker.within:5", Compound((Compound((MELEE, PRONE), either=True), NEAR))),
        ("not (not melee, not prone)", Compound((MELEE, PRONE), either=True)),
        ("((melee))", MELEE),
    ],
)
def test_a_statement_is_read_into_its_facts(text: str, tree: Fact | Compound) -> None:
    assert parse_statement(text).tree == tree


def test_equal_texts_are_one_statement_and_no_text_is_always_true() -> None:
    assert parse_statement("melee") is parse_statement("melee")
    assert parse_statement(" ") is ALWAYS
    assert not ALWAYS
    assert [fact.name for fact in parse_statement("not (melee | target.track:moved:10), larger").facts] == [
        "melee",
        "track:moved:10",
        "larger",
    ]


@for_each(
    ("text", "message"),
    [
        ("levle:1", "unknown fact 'levle' (did you mean 'level'?)"),
        ("atacker.within:5", "unknown subject 'atacker' (did you mean 'attacker'?)"),
        ("within:five", "'within' needs a whole number, not 'five'"),
        ("within", "'within' needs a number, as in 'within:5'"),
        ("with:", "'with' needs a property, as in 'with:dagger'"),
        ("track:moved:ten", "'track' needs a whole number, not 'ten'"),
        ("melee:5", "'melee' takes no argument, but '5' follows"),
        ("target.", "unknown fact ''"),
        ("melee,", "a fact is missing"),
        ("melee || prone", "a fact is missing"),
        ("not", "a fact is missing"),
        ("(melee", "a closing parenthesis is missing"),
        ("melee) prone", "unexpected ')'"),
        ("(melee) prone", "unexpected 'prone'"),
    ],
)
def test_a_statement_that_cannot_be_read_is_told(text: str, message: str) -> None:
    with pytest.raises(StatementError) as caught:
        parse_statement(text)
    assert str(caught.value) == message


@for_each(
    ("text", "message"),
    [
        ("not proen", "unknown condition, gear or specialty 'proen' (did you mean 'prone'?)"),
        ("mele", "unknown condition, gear or specialty 'mele' (did you mean 'melee'?)"),
        ("sheild", "unknown condition, gear or specialty 'sheild' (did you mean 'shield'?)"),
        ("condition:proen", "unknown condition or mark 'proen' (did you mean 'prone'?)"),
        ("resistant:cld", "unknown damage type or group 'cld' (did you mean 'cold'?)"),
        ("immune:prnoe", "unknown damage type or condition 'prnoe' (did you mean 'prone'?)"),
        ("unspent:bonsu", "unknown resource 'bonsu' (did you mean 'bonus'?)"),
        ("has-speed:swin", "unknown speed 'swin' (did you mean 'swim'?)"),
        ("proficient:acrobatcs", "unknown skill or save 'acrobatcs' (did you mean 'acrobatics'?)"),
        ("specialty:tumblnig", "unknown specialty 'tumblnig' (did you mean 'tumbling'?)"),
        ("option:round-pu", "unknown house rule 'round-pu' (did you mean 'round-up'?)"),
        ("covered:hlaf", "unknown cover grade 'hlaf' (did you mean 'half'?)"),
        ("track:fatgiue:2", "unknown track 'fatgiue' (did you mean 'fatigue'?)"),
        ("scene:watr", "unknown surrounding 'watr' (did you mean 'water'?)"),
        ("with:finese", "unknown property 'finese' (did you mean 'finesse'?)"),
        ("within-half:srt", "unknown ability 'srt' (did you mean 'str'?)"),
    ],
)
def test_a_name_that_the_game_does_not_know_is_told(text: str, message: str) -> None:
    assert list(unknown_names(parse_statement(text).facts, known_ids(a5e().data))) == [message]


def test_a_statement_about_another_is_told_in_words() -> None:
    assert readable_statement("holds, target.up-to:huge", "or") == "holds, target is up to huge"
    assert readable_statement("target.type:beast | target.holds", "or") == "target is beast or target holds"
