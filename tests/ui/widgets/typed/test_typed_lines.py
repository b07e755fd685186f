import pytest

from turnwright.dice.expression import DiceError
from turnwright.ui.widgets.typed.typed_lines import dice_of


@pytest.mark.parametrize(
    ("text", "dice"),
    [
        ("2d20kh+5", "2d20kh1+5"),
        ("d20a+5", "1d20+5 adv"),
        ("d20 d", "1d20 dis"),
        ("d20+5 A", "1d20+5 adv"),
        ("2d6 + d8", "2d6+1d8"),
    ],
)
def test_letters_after_a_d20_are_advantage_and_disadvantage(text, dice):
    assert dice_of(text) == dice


@pytest.mark.parametrize("text", ["", "abc", "d", "2d6a"])
def test_other_texts_are_no_dice(text):
    with pytest.raises(DiceError):
        dice_of(text)
