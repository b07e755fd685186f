"""Results that people enter for dice rolled by hand."""

from __future__ import annotations

import pytest

from tests.for_each import for_each
from turnwright.dice.expression import DiceError, Die, Edge, ExtraDice, Modifier, Roll, RollPart, RollSpec, parse
from turnwright.dice.manual_rolls import parse_faces, parse_result

SAVE = RollSpec("1d20", (Modifier(3, "Dexterity", "a5e.x"),), (Edge("advantage", "cover"),))


def test_a_total_says_nothing_of_the_die():
    assert parse_result(" 17 ", SAVE) == Roll(
        modifiers=SAVE.modifiers,
        parts=(RollPart(17, "", 1),),
        edges=SAVE.edges,
        total=17,
        text="1d20+3 adv",
        origin="typed",
    )


@pytest.mark.parametrize(("text", "natural"), [("20!", 20), ("1!", 1), (" 7 ! ", 7)])
def test_a_natural_brings_the_modifiers_along(text, natural):
    rolled = parse_result(text, SAVE)
    assert (rolled.natural, rolled.total, rolled.dice) == (natural, natural + 3, (Die(20, natural),))
    assert (rolled.modifiers, rolled.origin) == (SAVE.modifiers, "typed")


def test_a_natural_without_known_modifiers_is_the_total():
    rolled = parse_result("20!", "1d20")
    assert (rolled.natural, rolled.total, rolled.parts) == (20, 20, (RollPart(20, "", 1),))


def test_a_natural_counts_numbers_in_the_expression():
    assert parse_result("20!", "1d20+5 adv").total == 25


def test_a_natural_beside_unseen_extra_dice_leaves_the_total_unknown():
    rolled = parse_result("20!", RollSpec("1d20", extra=(ExtraDice("1d4", "expertise"),)))
    assert (rolled.natural, rolled.total, rolled.parts) == (20, None, ())


@pytest.mark.parametrize("text", ["?", " ? ", "unknown", "Unknown"])
def test_dice_may_be_unknown(text):
    rolled = parse_result(text, SAVE)
    assert (rolled.total, rolled.natural, rolled.dice, rolled.parts) == (None, None, (), ())
    assert rolled.modifiers == SAVE.modifiers


@pytest.mark.parametrize(
    ("text", "spec", "parts"),
    [
        ("12", "2d6+3 fire", (RollPart(12, "fire", 2),)),
        ("8+4", "2d6+3", (RollPart(12, "", 2),)),
        ("-1", "1d4-3", (RollPart(-1, "", 1),)),
        ("6 slashing + 8 fire", "1d8 slashing + 2d6 fire", (RollPart(6, "slashing", 1), RollPart(8, "fire", 2))),
        ("6 cold", "2d6 fire", (RollPart(6, "cold"),)),
        ("30", "2d6", (RollPart(30, "", 2),)),
    ],
)
def test_damage_goes_to_its_types(text, spec, parts):
    rolled = parse_result(text, parse(spec))
    assert (rolled.parts, rolled.total) == (parts, sum(part.total for part in parts))


@for_each(
    ("text", "spec", "says"),
    [
        ("", "1d20", "Type the total"),
        ("2d6", "2d6", "Type the result of the dice, such as 17"),
        ("21!", "1d20", "1 to 20"),
        ("0!", "1d20", "1 to 20"),
        ("6!", "2d6", "Only the face of a d20"),
        ("20!!", "1d20", "can't be part of a roll"),
        ("well", "1d20", "Expected a number or dice before"),
        ("14", "1d8 slashing + 2d6 fire", "6 slashing \\+ 8 fire"),
    ],
)
def test_what_cannot_be_meant_is_refused(text, spec, says):
    with pytest.raises(DiceError, match=says) as caught:
        parse_result(text, spec)
    assert caught.value.text == text


def test_faces_can_be_typed_one_by_one():
    rolled = parse_faces("6, 5 6;1", "4d6+2")
    assert rolled.dice == (Die(6, 6), Die(6, 5), Die(6, 6), Die(6, 1))
    assert (rolled.total, rolled.parts, rolled.origin) == (20, (RollPart(20, "", 4),), "typed")
    assert parse_faces("19", "1d20").natural == 19


@pytest.mark.parametrize(
    ("text", "spec", "position"),
    [
        ("6 5", "4d6", 3),
        ("6 5 7 1", "4d6", 4),
        ("6 x", "2d6", 2),
        ("0", "1d6", 0),
        ("1 2", "1d6", 3),
        ("1 2 3 4", "4d6kh3", 0),
        ("5", "5", 0),
    ],
)
def test_faces_must_be_as_many_as_the_dice_and_fit_them(text, spec, position):
    with pytest.raises(DiceError) as caught:
        parse_faces(text, spec)
    assert caught.value.position == position


def test_a_total_and_the_face_it_was_made_with():
    spec = RollSpec("1d20", (Modifier(3, "x"),), extra=(ExtraDice("1d4", "y"),))
    roll = parse_result("27 20!", spec)
    assert (roll.total, roll.natural, [die.face for die in roll.dice]) == (27, 20, [20])
    assert parse_result("20!", spec).total is None
    with pytest.raises(DiceError, match="shows 1 to 20"):
        parse_result("27 21!", spec)
    with pytest.raises(DiceError, match="Only the face of a d20"):
        parse_result("9 6!", "2d6")
