"""Plain text from marked-up text, and names with figures in brackets."""

from __future__ import annotations

import pytest

from tests.storage.importers import hostile
from turnwright.storage.statblock_text.feature_names import read_feature_name, read_usage
from turnwright.storage.statblock_text.markup import plain_text


@pytest.mark.parametrize(
    ("marked", "plain"),
    [
        ("as it was; 1d6 + 2", "as it was; 1d6 + 2"),
        ("<p>One</p><p>Two<br/>Three</p>", "One\n\nTwo\nThree"),
        ("<ul><li>first</li>\n  <li>second</li></ul>", "\N{BULLET} first\n\N{BULLET} second"),
        ("a &amp; b &lt;c&gt; &mdash; &#233;&nbsp;d", "a & b <c> \N{EM DASH} \N{LATIN SMALL LETTER E WITH ACUTE} d"),
        ("<script>alert('<p>x</p>')</script>tail<style>p{}</style>", "tail"),
        ("kept<!-- not this -->whole", "keptwhole"),
        ("1 < 2 and 3 > 1", "1 < 2 and 3 > 1"),
        ('<a href="x>y">label</a>', "label"),
        ("**bold** and _thin_, but a_b_c and 2 * 3 * 4", "bold and thin, but a_b_c and 2 * 3 * 4"),
        ("# Head\n> said\n- one\n* two", "Head\nsaid\n\N{BULLET} one\n\N{BULLET} two"),
        ("[label](https://example.org/x) and [kept]", "label and [kept]"),
        ("@UUID[Compendium.pf2e.conditionitems.Item.Prone]{fallen}", "fallen"),
        ("@UUID[Compendium.pf2e.conditionitems.Item.Prone]", "Prone"),
        ("@Check[type:reflex|dc:20] or @Check[fortitude|dc:18|basic]", "DC 20 Reflex or DC 18 basic Fortitude"),
        ("@Damage[2d6[fire]] and @Damage[(2d6+4)[cold],1d4[persistent,bleed]|options:x]", "2d6 fire and 2d6+4 cold plus 1d4 persistent bleed"),
        ("[[/r 1d4 #rounds]], [[/r 1d4 #Recharge]]{1d4 turns}, [[/r {2d6}[fire]]]", "1d4 rounds, 1d4 turns, 2d6 fire"),
        ("a @Template[type:cone|distance:30]", "a 30-foot cone"),
        ("[[Poisoned|the poison]] of [[Spiders]]", "the poison of Spiders"),
        ("&Reference[prone] {@creature goblin|MM|goblins} {@damage 2d6} {@dc 12}", "prone goblins 2d6 DC 12"),
        ("lead\N{NO-BREAK SPACE}trail\u200b\x07\ud800", "lead trail"),
        ("@ home, a@b.org, [[open", "@ home, a@b.org, [[open"),
    ],
)  # fmt: skip
def test_marks_become_what_a_person_reads(marked: str, plain: str) -> None:
    assert plain_text(marked) == plain


@pytest.mark.parametrize("text", hostile.MARKS)
def test_hostile_text_is_read_to_its_end(text: str) -> None:
    many = text * (50_000 // len(text))
    for one in (many, many + ">]]}"):
        assert len(plain_text(one)) <= len(one)
    read_feature_name(many)


@pytest.mark.parametrize(
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
        ("Bolt (1/Day, While Bloodied)", ("Bolt (While Bloodied)", 0, 1, "day", 1, "While Bloodied")),
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
