"""A check or a save in a few keys."""

from tests.for_each import for_each
from turnwright.rules.parts.actions.condition_words import LineWords
from turnwright.ui.widgets.typed.line_text import EnteredCheck, read_check

WORDS = LineWords(
    saves=(("dex", ("Reflex", "Dexterity", "DEX")), ("con", ("Fortitude", "Constitution", "CON"))),
    checks=(
        ("dex", ("Dexterity", "DEX")),
        ("con", ("Constitution", "CON")),
        ("str", ("Strength", "STR")),
        ("dex:sleight", ("Sleight of Hand",)),
        ("dex:stealth", ("Stealth",)),
    ),
)


@for_each(
    ("text", "entered"),
    [
        ("dex 15", EnteredCheck("dex", dc=15)),
        ("DEX15", EnteredCheck("dex", dc=15)),
        ("dex save 15", EnteredCheck(save="dex", dc=15)),
        ("save dex dc 15 adv", EnteredCheck(save="dex", dc=15, edge="advantage")),
        ("ref 18", EnteredCheck(save="dex", dc=18)),
        ("fort", EnteredCheck(save="con")),
        ("ste 12 dis", EnteredCheck("dex:stealth", dc=12, edge="disadvantage")),
        ("save ste 12", EnteredCheck("dex:stealth", dc=12)),
        ("of hand 12", EnteredCheck("dex:sleight", dc=12)),
        ("sleight of hand", EnteredCheck("dex:sleight")),
        ("str ste 9", EnteredCheck("str:stealth", dc=9)),
        ("save", EnteredCheck()),
        ("zzz 3", EnteredCheck(dc=3, unknown="zzz")),
        ("d 3", EnteredCheck(dc=3, unknown="d")),
    ],
)
def test_what_is_typed_is_understood(text, entered):
    assert read_check(text, WORDS) == entered
    assert entered.is_complete == bool(entered.check or entered.save)
