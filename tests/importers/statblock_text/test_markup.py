"""Plain text from marked-up text."""

from __future__ import annotations

from tests.for_each import for_each
from tests.importers import hostile
from turnwright.importers.statblock_text.features import read_feature_name
from turnwright.importers.statblock_text.markup import plain_text


@for_each(
    ("marked", "plain"),
    [
        ("as it was; 1d6 + 2", "as it was; 1d6 + 2"),
        ("<p>One</p><p>Two<br/>Three</p>", "One\n\nTwo\nThree"),
        ("<p>It seems<br>to flicker.<br />Then it goes:<br>out</p><p>now</p>", "It seems to flicker.\nThen it goes:\nout\n\nnow"),
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
        ("13 [[/r 2d12]] piercing damage, DC 15 [[/r 1d20]]", "13 (2d12) piercing damage, DC 15 1d20"),
        ("[[/r 1d4 #rounds]], [[/r 1d4 #Recharge]]{1d4 turns}, [[/r {2d6}[fire]]]", "1d4 rounds, 1d4 turns, 2d6 fire"),
        ("a @Template[type:cone|distance:30]", "a 30-foot cone"),
        ("[[Poisoned|the poison]] of [[Spiders]]", "the poison of Spiders"),
        ("&Reference[prone] {@creature goblin|MM|goblins} {@damage 2d6} {@dc 12}", "prone goblins 2d6 DC 12"),
        ("lead\N{NO-BREAK SPACE}trail\u200b\x07\ud800", "lead trail"),
        ("Recall Knowledge : DC 20, 25 ft.. It hits , or misses .", "Recall Knowledge: DC 20, 25 ft. It hits, or misses."),
        ("a Sphere [Area of Effect]|XPHB|Sphere centered; a flat check check", "a Sphere centered; a flat check"),
        ("It has Cover|XPHB|Total Cover and finishes a Short Rest|XPHB|Short or Long Rest.", "It has Total Cover and finishes a Short or Long Rest."),
        ("reach 5 ft., one; range 20/60 feet., one; and so on ...", "reach 5 ft., one; range 20/60 feet, one; and so on ..."),
        ("@ home, a@b.org, [[open", "@ home, a@b.org, [[open"),
    ],
)  # fmt: skip
def test_marks_become_what_a_person_reads(marked: str, plain: str) -> None:
    assert plain_text(marked) == plain


@for_each("text", hostile.MARKS)
def test_hostile_text_is_read_to_its_end(text: str) -> None:
    many = text * (50_000 // len(text))
    for one in (many, many + ">]]}"):
        assert len(plain_text(one)) <= len(one)
    read_feature_name(many)


@for_each(("text", "shown"), [
    ("dice: d20+5 (+5) to hit", "+5 to hit"),
    ("dice: d20+7 (+7 to hit), reach", "+7 to hit, reach"),
    ("`dice: d20-1` (-1 to hit), reach", "-1 to hit, reach"),
    ("dice:1d20+9|noform|noparens|text(+9) to hit", "+9 to hit"),
    ("`dice:1d20+4|noform|noparens|text(+4)`, reach", "+4, reach"),
    ("dice:2d8 + 3|text(12) (2d8 + 3) fire", "12 (2d8 + 3) fire"),
    ("`dice: 1d4 - 1|avg` (`1d4 - 1`) cold", "1 (1d4 - 1) cold"),
    ("takes `dice:12d8|noform|noparens|avg` (`12d8`) cold", "takes 54 (12d8) cold"),
    ("or 14 (`dice: 2d10 + 3` (`2d10 + 3`)) fire", "or 14 (2d10 + 3) fire"),
    ("roll a `dice:d20|noform|noparens|avg` (`d20`).", "roll a d20."),
    ("gains `dice:1d6+4|avg` hit points", "gains 7 (1d6+4) hit points"),
    ("the dice: they fall", "the dice: they fall"),
])  # fmt: skip
def test_a_roll_of_obsidian_is_what_a_book_prints(text: str, shown: str) -> None:
    assert plain_text(text) == shown
