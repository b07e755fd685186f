import pytest

from turnwright.ui.widgets.amount_text import AmountError, EnteredAmount, apply_share, read_amount

KINDS = ("cold", "fire", "slashing")


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        ("12", EnteredAmount("damage", expression="12")),
        ("-7", EnteredAmount("damage", expression="7")),
        ("−7", EnteredAmount("damage", expression="7")),
        ("+5", EnteredAmount("heal", 5)),
        (" + 5 ", EnteredAmount("heal", 5)),
        ("t5", EnteredAmount("temporary", 5)),
        ("T 12", EnteredAmount("temporary", 12)),
        ("temp 8", EnteredAmount("temporary", 8)),
        ("2d6+3 fire", EnteredAmount("damage", expression="2d6+3 fire", kind="fire")),
        ("6 slashing + 8 fire", EnteredAmount("damage", expression="6 slashing + 8 fire", kind="fire")),
    ],
)
def test_what_people_write_is_read(text, amount):
    assert read_amount(text, kinds=KINDS) == amount


def test_a_bare_number_takes_the_last_type_and_a_named_one_does_not():
    assert read_amount("12", "cold", KINDS).expression == "12 cold"
    assert read_amount("2d6", "cold", KINDS).expression == "2d6 cold"
    assert read_amount("3 fire", "cold", KINDS) == EnteredAmount("damage", expression="3 fire", kind="fire")


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("", "ui.turn.amount-empty"),
        ("+", "ui.turn.amount-heal"),
        ("+2d6", "ui.turn.amount-heal"),
        ("t", "ui.turn.amount-temporary"),
        ("t2d4", "ui.turn.amount-temporary"),
        ("2d6+", "ui.turn.amount-dice"),
        ("fire", "ui.turn.amount-dice"),
        ("7 fir", "ui.turn.amount-kind"),
        ("2-9", "ui.turn.amount-negative"),
    ],
)
def test_what_means_nothing_is_said_in_words(text, key):
    with pytest.raises(AmountError) as caught:
        read_amount(text, kinds=KINDS)
    assert caught.value.key == key


def test_any_type_will_do_where_a_system_names_none():
    assert read_amount("7 shadow").kind == "shadow"


def test_half_is_rounded_down():
    assert [apply_share(7, share) for share in ("full", "half", "double")] == [7, 3, 14]
