"""Names of features with numbers in brackets."""

from __future__ import annotations

from tests.for_each import for_each
from turnwright.importers.statblock_text.features import read_feature_name, read_usage


@for_each(
    ("name", "expected"),
    [
        ("Bite", ("Bite", 0, 0, "day", 1, "")),
        ("Breath (Recharge 5-6)", ("Breath", 5, 0, "day", 1, "")),
        ("Breath (Recharge 5\N{EN DASH}6)", ("Breath", 5, 0, "day", 1, "")),
        ("Breath (Recharge 6)", ("Breath", 6, 0, "day", 1, "")),
        ("Roar (3/Day)", ("Roar", 0, 3, "day", 1, "")),
        ("Roar (3/Day Each)", ("Roar", 0, 3, "day", 1, "")),
        ("Ward (Recharges after a Short or Long Rest)", ("Ward", 0, 1, "rest", 1, "")),
        ("Ward (Recharges after a Long Rest)", ("Ward", 0, 1, "long-rest", 1, "")),
        ("Ward (2/Long Rest)", ("Ward", 0, 2, "long-rest", 1, "")),
        ("Wings (Costs 2 Actions)", ("Wings", 0, 0, "day", 2, "")),
        ("Gavel (Costs 2)", ("Gavel", 0, 0, "day", 2, "")),
        ("Bolt (1/Day, While Bloodied)", ("Bolt (While Bloodied)", 0, 1, "day", 1, "While Bloodied")),
        ("Legendary Resistance (3/Day or 4/Day in Lair)", ("Legendary Resistance (or 4/Day in Lair)", 0, 3, "day", 1, "or 4/Day in Lair")),
        ("Howl (2/Day in This Form)", ("Howl (in This Form)", 0, 2, "day", 1, "in This Form")),
        ("Gust (Recharge 5-6 in Bat Form)", ("Gust (in Bat Form)", 5, 0, "day", 1, "in Bat Form")),
        ("Ram (1/Turn if mounted)", ("Ram (if mounted)", 0, 1, "turn", 1, "if mounted")),
        ("Entomb (While Bloodied", ("Entomb (While Bloodied)", 0, 0, "day", 1, "While Bloodied")),
        ("Maul (Bear or Hybrid Form Only)", ("Maul (Bear or Hybrid Form Only)", 0, 0, "day", 1, "Bear or Hybrid Form Only")),
        ("Fireball (3rd-Level; V, S)", ("Fireball (3rd-Level; V, S)", 0, 0, "day", 1, "3rd-Level; V, S")),
        ("Legendary Resistance (4/Day, or 5/Day in Lair)", ("Legendary Resistance (or 5/Day in Lair)", 0, 4, "day", 1, "or 5/Day in Lair")),
    ],
)  # fmt: skip
def test_names_are_read_and_nothing_of_them_is_lost(name: str, expected: tuple[str, int, int, str, int, str]) -> None:
    named = read_feature_name(name)
    assert (named.name, named.recharge, named.uses, named.per, named.price, named.rest) == expected


def test_a_usage_by_itself() -> None:
    assert read_usage("Recharge 5\N{EN DASH}6").recharge == 5
    assert (read_usage("(2/Day)").uses, read_usage("2/Week").per) == (2, "week")
    assert read_usage("").name == ""
    assert read_usage("at dawn").rest == "at dawn"
