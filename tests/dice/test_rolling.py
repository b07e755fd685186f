"""Rolls keep every die, kept or dropped, and every modifier with its reason."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwright.dice.expression import DiceError, Die, Edge, ExtraDice, Modifier, OutOfDice, RollPart, RollSpec, parse
from turnwright.dice.manual_rolls import parse_result
from turnwright.dice.rolling import RandomFaces, ScriptedFaces, roll

ADVANTAGE, DISADVANTAGE = Edge("advantage", "hidden", "a5e.x"), Edge("disadvantage", "prone", "a5e.y")
TERM = st.one_of(
    st.integers(0, 50).map(str),
    st.builds("{}d{}".format, st.integers(1, 9), st.integers(1, 30)),
    st.builds("{}d{}k{}{}".format, st.integers(3, 9), st.integers(2, 30), st.sampled_from("hl"), st.integers(1, 3)),
)
TEXT = st.lists(
    st.tuples(TERM, st.sampled_from(["", " fire", " cold"]), st.sampled_from(" +-")), min_size=1, max_size=5
)


def scripted(*faces: int) -> ScriptedFaces:
    return ScriptedFaces(faces)


@given(TEXT, st.integers(), st.booleans())
def test_the_total_is_the_kept_dice_and_the_modifiers(pieces, seed, doubled):
    text = "".join(f"{'+' if at and sign == ' ' else sign}{term}{kind}" for at, (term, kind, sign) in enumerate(pieces))
    rolled = roll(text, RandomFaces(seed), doubled)
    expression = parse(text).doubled() if doubled else parse(text)
    kept = sum(die.sign * die.face for die in rolled.dice if die.kept)
    assert rolled.total == kept + sum(modifier.value for modifier in rolled.modifiers)
    assert rolled.total == sum(part.total for part in rolled.parts)
    assert expression.minimum <= rolled.total <= expression.maximum
    assert sum(part.dice for part in rolled.parts) == sum(die.kept for die in rolled.dice)
    assert all(1 <= die.face <= die.sides for die in rolled.dice)
    for rolled_part, part in zip(rolled.parts, expression.parts, strict=True):
        assert rolled_part.kind == part.kind
        assert part.minimum <= rolled_part.total <= part.maximum


@given(st.lists(st.integers(1, 6), min_size=4, max_size=4))
def test_keeping_takes_the_highest_or_the_lowest(faces):
    assert roll("4d6kh3", ScriptedFaces(faces)).total == sum(faces) - min(faces)
    assert roll("4d6kl1", ScriptedFaces(faces)).total == min(faces)


def test_a_dropped_die_stays_and_says_why():
    rolled = roll("4d6kh3", scripted(2, 6, 2, 5))
    assert rolled.dice == (Die(6, 2), Die(6, 6), Die(6, 2, kept=False, why="kh3"), Die(6, 5))
    assert rolled.parts == (RollPart(13, "", 3),)
    assert (rolled.total, rolled.text, rolled.origin) == (13, "4d6kh3", "scripted")


def test_a_number_in_the_expression_is_a_modifier_as_written():
    assert roll("2d6+3", scripted(1, 2)).modifiers == (Modifier(3, "as written"),)


def test_dice_taken_away_say_so():
    rolled = roll("10-1d4", scripted(3))
    assert rolled.dice == (Die(4, 3, sign=-1),)
    assert rolled.total == 7


def test_each_damage_type_has_its_own_part():
    assert roll("1d8+3 slashing + 2d6 cold", scripted(5, 1, 6)).parts == (
        RollPart(8, "slashing", 1),
        RollPart(7, "cold", 2),
    )


@pytest.mark.parametrize(
    ("edges", "faces", "natural", "dice"),
    [
        ((), (7,), 7, (Die(20, 7),)),
        ((ADVANTAGE,), (7, 15), 15, (Die(20, 7, kept=False, why="advantage"), Die(20, 15))),
        ((ADVANTAGE, ADVANTAGE), (15, 7), 15, (Die(20, 15), Die(20, 7, kept=False, why="advantage"))),
        ((DISADVANTAGE,), (7, 15), 7, (Die(20, 7), Die(20, 15, kept=False, why="disadvantage"))),
        ((ADVANTAGE, DISADVANTAGE, ADVANTAGE), (7,), 7, (Die(20, 7),)),
    ],
)
def test_edges(edges, faces, natural, dice):
    source = ScriptedFaces(faces)
    rolled = roll(RollSpec("1d20+2", edges=edges), source)
    assert (rolled.natural, rolled.total, rolled.dice, rolled.edges) == (natural, natural + 2, dice, edges)
    assert source.used == len(faces)


def test_an_edge_in_the_text_cancels_one_in_the_spec():
    rolled = roll(RollSpec("1d20 adv", edges=(DISADVANTAGE,)), scripted(9))
    assert rolled.natural == 9
    assert rolled.edges == (Edge("advantage", "as written"), DISADVANTAGE)
    assert rolled.text == "1d20"


def test_edges_need_one_die_that_decides():
    with pytest.raises(DiceError, match="a single die that decides"):
        roll(RollSpec("2d6", edges=(ADVANTAGE,)), scripted(1, 2))


def test_a_game_without_a_d20_has_edges_on_its_own_die():
    rolled = roll(RollSpec("1d10+3", edges=(ADVANTAGE,)), scripted(2, 7))
    assert (rolled.total, rolled.natural) == (10, None)
    assert rolled.dice == (Die(10, 2, kept=False, why="advantage"), Die(10, 7))


@pytest.mark.parametrize(
    ("edges", "faces", "total"),
    [
        ((ADVANTAGE,) * 3, (2, 4, 9, 5), 9),
        ((ADVANTAGE,) * 3 + (DISADVANTAGE,), (2, 4, 9), 9),
        ((ADVANTAGE, DISADVANTAGE), (6,), 6),
        ((DISADVANTAGE,) * 2, (8, 3, 9), 3),
    ],
)
def test_edges_that_add_up_are_each_a_further_die(edges, faces, total):
    source = scripted(*faces)
    rolled = roll(RollSpec("1d10", edges=edges, counted=True), source)
    assert (rolled.total, source.used, rolled.edges) == (total, len(faces), edges)


def test_a_doubled_roll_throws_its_dice_twice_and_adds_its_numbers_once():
    rolled = roll(RollSpec("1d8+3 slashing", (Modifier(2, "rage"),), doubled=True), scripted(5, 6))
    assert (rolled.total, len(rolled.dice)) == (16, 2)


def test_no_dice_is_nothing_to_roll_but_something_to_type():
    spec = RollSpec("", (Modifier(4, "Strength"),))
    with pytest.raises(DiceError, match="don't set dice"):
        roll(spec, scripted(3))
    typed = parse_result("17", spec)
    assert (typed.total, typed.modifiers, typed.dice) == (17, spec.modifiers, ())
    assert parse_result("?", spec).total is None


def test_modifiers_and_extra_dice_join_with_their_reasons():
    spec = RollSpec(
        "1d20+1", (Modifier(4, "Dexterity", "a5e.z"), Modifier(-2, "ice")), extra=(ExtraDice("1d4+1", "expertise"),)
    )
    rolled = roll(spec, scripted(11, 3))
    assert rolled.dice == (Die(20, 11), Die(4, 3, why="expertise"))
    assert rolled.modifiers == (Modifier(1, "as written"), Modifier(1, "expertise"), *spec.modifiers)
    assert (rolled.total, rolled.natural, rolled.text) == (18, 11, "1d20+1+1d4+1+2")


def test_typeless_additions_go_to_the_first_type_and_typed_ones_to_their_own():
    spec = RollSpec(
        "1d8 slashing + 1d6 cold",
        (Modifier(2, "rage"),),
        extra=(ExtraDice("1d4 fire", "oil"), ExtraDice("1d6", "sneak")),
    )
    rolled = roll(spec, scripted(5, 1, 4, 6))
    assert rolled.parts == (RollPart(13, "slashing", 2), RollPart(1, "cold", 1), RollPart(4, "fire", 1))
    assert rolled.text == "1d8+2 slashing + 1d6 cold + 1d4 fire + 1d6 slashing"


def test_doubling_throws_extra_dice_twice_too():
    spec = RollSpec("1d8+3", (Modifier(2, "rage"),), extra=(ExtraDice("1d6", "sneak"),))
    assert roll(spec, scripted(1, 2, 3, 4), doubled=True).total == 15


@pytest.mark.parametrize(
    ("text", "faces", "natural"),
    [
        ("2d20kl1", (4, 9), 4),
        ("1d20+1d4", (17, 2), 17),
        ("2d20", (4, 9), None),
        ("5-1d20", (4,), None),
        ("1d6", (4,), None),
    ],
)
def test_the_natural_is_the_kept_face_of_a_single_d20(text, faces, natural):
    assert roll(text, ScriptedFaces(faces)).natural == natural


def test_nothing_to_roll_is_fixed():
    rolled = roll("6 slashing + 8 fire", scripted())
    assert (rolled.origin, rolled.total, rolled.dice) == ("fixed", 14, ())
    assert rolled.parts == (RollPart(6, "slashing"), RollPart(8, "fire"))


def test_an_expression_rolls_as_its_text_does_however_long():
    text = "d6+" * 66 + "d6"
    assert roll(parse(text), RandomFaces(1)) == roll(text, RandomFaces(1))
    assert len(roll(parse("1000d6").doubled(), RandomFaces(1)).dice) == 2000


def test_running_out_of_faces_is_said():
    with pytest.raises(OutOfDice):
        roll("3d6", scripted(1, 2))
