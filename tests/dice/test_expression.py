"""Roll expressions: what can be written, what it means, and the errors of other text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.for_each import for_each
from turnwright.dice.expression import DiceError, DiceTerm, FlatTerm, parse

DICE = st.builds(
    lambda count, sides, keep: (count, sides, keep if keep is None else (keep[0], min(keep[1], count))),
    st.integers(1, 12),
    st.integers(1, 100),
    st.none() | st.tuples(st.sampled_from("hl"), st.integers(1, 12)),
)
KINDS = st.sampled_from(["", "fire", "cold", "cold iron", "non-magical slashing"])


@st.composite
def written(draw):
    """Draw text of one to five terms, with the spaces, capitals and signs a person may use."""
    space = st.sampled_from(["", " ", "  "])
    text = draw(st.sampled_from(["", "-", "+", " "]))
    for at in range(draw(st.integers(1, 5))):
        if at:
            text += draw(space) + draw(st.sampled_from("+-\u2212")) + draw(space)
        if draw(st.booleans()):
            count, sides, keep = draw(DICE)
            text += f"{'' if count == 1 and draw(st.booleans()) else count}{draw(st.sampled_from('dD'))}{sides}"
            text += f"k{keep[0]}{keep[1]}" if keep else ""
        else:
            text += str(draw(st.integers(0, 99)))
        kind = draw(KINDS)
        text += f" {kind}" if kind else ""
    return text


@given(written())
def test_reading_back_what_was_written_gives_the_same(text):
    expression = parse(text)
    assert parse(str(expression)) == expression


@given(written())
def test_bounds_hold_the_mean_and_add_up_over_parts(text):
    expression = parse(text)
    assert expression.minimum - 1e-9 <= expression.mean <= expression.maximum + 1e-9
    assert sum(part.minimum for part in expression.parts) == expression.minimum
    assert sum(part.maximum for part in expression.parts) == expression.maximum
    assert sum(part.mean for part in expression.parts) == pytest.approx(expression.mean)
    assert expression.is_constant == all(isinstance(term, FlatTerm) for term in expression.terms)


def refusal(text: str) -> DiceError | None:
    try:
        parse(text)
    except DiceError as error:
        return error
    return None


@given(st.text(max_size=220) | st.text("0123456789dDkKhlp%+- fireadv", max_size=30))
def test_any_text_is_read_or_refused_with_a_place(text):
    error = refusal(text)
    if error:
        assert error.text == text
        assert 0 <= error.position <= len(text)
        assert error.message.endswith(".")
    else:
        assert parse(text).terms


@for_each(
    ("text", "same"),
    [
        ("d6", "1d6"),
        ("2D6 + 3", "2d6+3"),
        ("  2 d 6+3 ", "2d6+3"),
        ("d%", "1d100"),
        ("4d6 KH 3", "4d6kh3"),
        ("2d20kl", "2d20kl1"),
        ("4d6dl1", "4d6kh3"),
        ("4d6ph1", "4d6kl3"),
        ("4d6kh4", "4d6"),
        ("1d20+5 ADVANTAGE", "1d20+5 adv"),
        ("1d20 disadv", "1d20 dis"),
        ("2d6\u22121", "2d6-1"),
        ("1d20+-2", "1d20-2"),
        ("8 fire damage", "8 fire"),
        ("2d6 fire + 3", "2d6+3 fire"),
        ("2d6+3 Fire-d4 cold", "2d6+3 fire - 1d4 cold"),
        ("1d6 dhampir", "1d6 dhampir"),
    ],
)
def test_ways_to_write_the_same(text, same):
    assert str(parse(text)) == same


def test_a_type_belongs_to_all_that_stands_before_it():
    expression = parse("1d8+3 slashing + 1d6 cold")
    assert expression.terms == (
        DiceTerm(1, 8, 1, kind="slashing"),
        FlatTerm(3, "slashing"),
        DiceTerm(1, 6, 1, kind="cold"),
    )
    assert [(part.kind, part.dice, part.flat) for part in expression.parts] == [("slashing", 1, 3), ("cold", 1, 0)]


def test_parts_of_one_type_come_together():
    assert [(part.kind, part.flat) for part in parse("6 fire + 2 cold + 3 fire").parts] == [("fire", 9), ("cold", 2)]


@for_each(
    ("text", "minimum", "maximum", "mean"),
    [
        ("2d6+3", 5, 15, 10.0),
        ("4d6kh3", 3, 18, 15869 / 1296),
        ("4d6kl3", 3, 18, 21 - 15869 / 1296),
        ("1d20 adv", 1, 20, 13.825),
        ("1d20 dis", 1, 20, 7.175),
        ("1d20 adv dis", 1, 20, 10.5),
        ("3-2d4", -5, 1, -2.0),
        ("7", 7, 7, 7.0),
    ],
)
def test_bounds_and_mean(text, minimum, maximum, mean):
    expression = parse(text)
    assert (expression.minimum, expression.maximum) == (minimum, maximum)
    assert expression.mean == pytest.approx(mean)


def test_doubling_throws_the_dice_twice_and_the_numbers_once():
    assert str(parse("2d6+3 fire + 1d4 cold").doubled()) == "4d6+3 fire + 2d4 cold"
    assert str(parse("4d6kh3").doubled()) == "4d6kh3+4d6kh3"


@for_each(
    ("text", "position", "says"),
    [
        ("", 0, "nothing to roll"),
        ("   ", 0, "nothing to roll"),
        ("2d6+", 4, "Expected a number or dice here"),
        ("6 fire 8 cold", 7, "Put + or - before"),
        ("2d6 d4", 4, "Put + or - before"),
        ("fire", 0, "Expected a number or dice before"),
        ("2 + fire", 4, "Expected a number or dice before"),
        ("2*3", 1, "can't be part of a roll"),
        ("(2d6)", 0, "can't be part of a roll"),
        ("4d6k3", 3, "kh3"),
        ("0d6", 0, "at least one die"),
        ("1d0", 0, "sides"),
        ("d1001", 0, "1,000 sides"),
        ("1001d6", 0, "1,000 dice"),
        ("500d6+501d6", 6, "1,000 dice"),
        ("4d6kh5", 0, "can be kept"),
        ("4d6kh0", 0, "can be kept"),
        ("4d6dl4", 0, "can be kept"),
        ("2 + 1000001", 4, "1,000,000"),
        ("1d6+1d8 adv", 0, "a single die that decides"),
        ("1d20+1d20 adv", 0, "a single die that decides"),
        ("2d20kh1 dis", 0, "a single die that decides"),
        ("1" * 201, 200, "200 characters"),
    ],
)
def test_what_is_no_roll_is_refused_where_it_goes_wrong(text, position, says):
    with pytest.raises(DiceError, match=says.replace("+", r"\+")) as caught:
        parse(text)
    assert (caught.value.text, caught.value.position) == (text, position)


@pytest.mark.parametrize("text", ["1000d6", "d1000", "1000000", "500d6+500d6", "0", " " * 197 + "1d6"])
def test_the_bounds_themselves_are_allowed(text):
    assert parse(text).maximum >= 0
