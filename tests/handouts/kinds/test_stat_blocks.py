"""Stat-block pages: everything of a creature in the style of its game, and no block cut in two that fits on a page."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.effort import examples
from tests.handouts.printed_creatures import (
    OF_EACH_GAME,
    Word,
    as_printed,
    drawn,
    outside,
    packet,
    pdf,
    shipped,
    squeezed,
    text_of,
    words_on,
)
from tests.table import a5e, action_points, creature, dnd5e, pf2e
from turnwright.bootstrap import RuleSystems
from turnwright.encounter.prepared import Creature, Feature, FeatureStep
from turnwright.handouts.kinds.stat_blocks import KIND
from turnwright.handouts.page_input import PAPERS, Paper, PrintDocument
from turnwright.handouts.typesetter import Typesetter
from turnwright.importers.files.import_files import read_paths
from turnwright.importers.results import ImportedRecord

MARGIN = 13.0
LETTERS = "abcdefghijklmnopqrstuvwxyz"


def told(number: int) -> str:
    """Return a number in letters, which nothing else on the page is made of."""
    return f"zq{LETTERS[number // 26]}{LETTERS[number % 26]}"


def bestiary() -> list[Creature]:
    """Return creatures of very different lengths, each with a word of its own first and last."""
    made = []
    for number in range(30):
        talk = "One more sentence about what it does. " * (number * 7 % 41)
        features = [
            Feature(f"f{one}", f"Trick {one}", cost="action", text=talk or "Short.") for one in range(1 + number % 4)
        ]
        last = Feature("last", "Last", cost="reaction", text=f"end{told(number)}.")
        made.append(creature(f"c{number}", name=f"head{told(number)}", features=(*features, last)))
    return made


def in_a_row(feature: Feature, text: str) -> bool:
    """Whether the row of saves or hit points has a short trait."""
    told = (squeezed(each.lower().strip(" .")) for each in (feature.text, feature.name) if each)
    return feature.cost == "trait" and len(feature.text) < 60 and any(each in text.lower() for each in told)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("paper", get_args(Paper))
@OF_EACH_GAME
def test_every_shipped_creature_has_its_figures_and_every_action_on_paper(system: str, step: int, paper: Paper) -> None:
    rules, creatures = RuleSystems().get(system), shipped(system)[::step]
    assert len(creatures) >= 15
    text = squeezed("".join(text_of(pdf(packet(KIND, creatures, rules, paper=paper)))))
    terms, short = dict(rules.data.terms), ".short" if rules.data.presentation.style == "traits" else ""
    ac, hp = terms[f"ac{short}"], terms[f"hp{short}"]
    lost = [
        (one.name, what)
        for one in creatures
        for what in (
            one.name,
            f"{ac}{one.ac or '–'}",  # a haunting has none
            f"{hp}{one.hp}",
            *(each.name for each in one.features if not in_a_row(each, text)),
        )
        if squeezed(what) not in text
    ]
    assert lost == []


@pytest.mark.sampled(1)
@pytest.mark.parametrize("rules", [a5e, pf2e, action_points], ids=["classic", "traits", "points"])
@pytest.mark.parametrize("paper", get_args(Paper))
def test_no_block_that_fits_on_a_page_is_cut(paper: Paper, rules: Any, tmp_path: Path) -> None:
    found = words_on(pdf(packet(KIND, bestiary(), rules(), paper=paper)))
    assert outside(found, paper, MARGIN) == []
    ends = {word.text.casefold().rstrip("."): word for word in found if re.search("zq[a-z][a-z]", word.text.casefold())}
    for number in range(30):
        head, end = (ends[f"{what}{told(number)}"] for what in ("head", "end"))
        assert head.page == end.page, number
        assert end.top > head.top or end.left > head.left + 60, number


def test_blocks_fill_the_pages_and_hardly_leave_their_order(tmp_path: Path) -> None:
    found = words_on(pdf(packet(KIND, bestiary(), a5e())))
    heads = [word for word in found if word.text.casefold().startswith("headzq")]
    order = [LETTERS.index(word.text[-2].casefold()) * 26 + LETTERS.index(word.text[-1].casefold()) for word in heads]
    assert max(abs(place - number) for place, number in enumerate(order)) <= 12
    lowest: dict[tuple[int, bool], float] = defaultdict(float)
    for word in found:
        lowest[word.page, word.left > 105] = max(lowest[word.page, word.left > 105], word.bottom)
    last = max(page for page, _ in lowest)
    full = [bottom for (page, _), bottom in lowest.items() if page < last]
    assert sum(full) / len(full) > 200  # millimetres from the top


@pytest.mark.sampled(1)
@pytest.mark.parametrize("rules", [a5e, pf2e, action_points], ids=["classic", "traits", "points"])
def test_a_block_longer_than_a_page_goes_on_under_its_head(rules: Any, tmp_path: Path) -> None:
    saga = "\n".join(
        f"line{told(number)} everyone within reach has to think about what they did." for number in range(330)
    )
    one = creature("saga", name="Ancientsaga", features=(Feature("saga", "Saga", cost="action", text=saga),))
    printed = pdf(packet(KIND, [creature("small"), one, creature("after")], rules()))
    pages = [squeezed(page) for page in text_of(printed)]
    with_saga = [number for number, page in enumerate(pages) if "linezq" in page]
    assert len(with_saga) >= 3
    assert [number for number, page in enumerate(pages) if "ancientsaga" in page] == with_saga
    whole = "".join(pages)
    assert [number for number in range(330) if whole.count(f"line{told(number)}") != 1] == []
    assert outside(words_on(printed), "a4", MARGIN) == []


def test_a_long_block_breaks_between_features_and_says_that_it_goes_on(tmp_path: Path) -> None:
    many = tuple(
        Feature(f"f{one}", f"Trick{told(one)}", "action", text=f"{'So it goes on. ' * 30} end{told(one)}")
        for one in range(40)
    )
    printed = pdf(packet(KIND, [creature("wyrm", name="Wyrm", features=many)], a5e()))
    places = {word.text.strip("."): (word.page, word.left > 105) for word in words_on(printed)}
    assert [one for one in range(40) if places[f"Trick{told(one)}"] != places[f"end{told(one)}"]] == []
    first, *others = text_of(printed)
    assert len(others) >= 1
    assert "continued" not in first
    assert [page for page in others if "Wyrm, continued" not in page] == []


def test_a_creature_by_itself_takes_the_width_of_the_page(tmp_path: Path) -> None:
    some = tuple(Feature(f"f{one}", f"Trick{told(one)}", "action", text="Short.") for one in range(12))
    ogre = creature("ogre", features=some)
    sides = {
        number: {word.left > 105 for word in words_on(pdf(packet(KIND, blocks, a5e()))) if "Trickzq" in word.text}
        for number, blocks in enumerate(([ogre], [ogre, creature("toad")]))
    }
    assert sides == {0: {False, True}, 1: {False}}


def test_a_long_description_is_printed_where_it_is_about_the_fight(tmp_path: Path) -> None:
    told = f"DESCRIPTION\nOld and vain. {'Sleeps on coins. ' * 20}\n\nCOMBAT\nIt breathes first.\n\nRed Dragon Lair Features\nDC 15 or blinded."
    dragon = creature("dragon", description=told)
    (page,) = text_of(pdf(packet(KIND, [dragon], a5e())))
    assert "Combat. It breathes first." in page
    assert "Red dragon lair features. DC 15 or blinded." in page
    assert "vain" not in page
    assert "vain" in text_of(pdf(packet(KIND, [dragon], a5e(), lore=True)))[0]
    assert "vain" in text_of(pdf(packet(KIND, [creature("dragon", description="Old and vain.")], a5e())))[0]
    long = creature("dragon", description="Old and vain. " * 20)
    assert "vain" not in text_of(pdf(packet(KIND, [long], a5e())))[0]


def test_a_heading_within_a_feature_begins_a_line(tmp_path: Path) -> None:
    sting = Feature("sting", "Sting", "reaction", text="Trigger A hit\nEffect It stings.\nCritical Success Nothing.")
    (page,) = text_of(pdf(packet(KIND, [creature("wasp", features=(sting,))], pf2e())))
    assert "hitEffect" not in page
    assert ".Critical" not in page.replace("\n", "#")


def test_type_is_a_little_smaller_where_that_saves_a_page(tmp_path: Path) -> None:
    def tall(lines: int) -> list[Creature]:
        made = Feature("f", "Trick", "action", text="\n".join(["So it goes."] * lines))
        return [creature(f"c{number}", name="Tall", features=(made,)) for number in range(8)]

    def size(lines: int) -> tuple[int, float]:
        found = words_on(pdf(packet(KIND, tall(lines), a5e())))
        speed = next(word for word in found if word.text == "Speed")
        return max(word.page for word in found), speed.bottom - speed.top

    pages = {lines: size(lines) for lines in range(2, 12)}
    (usual,) = {height for _, height in (pages[2], pages[3])}
    smaller = [lines for lines, (page, height) in pages.items() if page == 0 and height < usual * 0.99]
    assert smaller
    assert pages[max(smaller) + 1][0] == 1


def test_a_block_of_more_than_a_column_takes_the_width_of_a_page(tmp_path: Path) -> None:
    many = tuple(
        Feature(f"f{one}", f"Trick{told(one)}", cost="action", text="So it goes on. " * 22) for one in range(24)
    )
    found = words_on(pdf(packet(KIND, [creature("wide", features=many)], a5e())))
    tricks = [word for word in found if word.text.startswith("Trickzq")]
    assert {word.page for word in tricks} == {0}
    assert len({word.left > 105 for word in tricks}) == 2


def test_blocks_under_a_wide_one_have_what_is_left_of_the_page(tmp_path: Path) -> None:
    many = tuple(Feature(f"f{one}", f"Trick {one}", cost="action", text="So it goes on. " * 22) for one in range(15))
    talk = "One more sentence about what it does. " * 12
    small = [
        creature(
            f"c{number}",
            name=f"head{told(number)}",
            features=(Feature("f", "Trick", text=f"{talk} end{told(number)}."),),
        )
        for number in range(8)
    ]
    found = words_on(pdf(packet(KIND, [creature("wide", features=many), *small], a5e())))
    places = {word.text.casefold().rstrip("."): (word.page, word.left > 105) for word in found}
    assert [n for n in range(8) if places[f"head{told(n)}"] != places[f"end{told(n)}"]] == []
    assert min(page for page, _ in (places[f"head{told(n)}"] for n in range(8))) == 0


def test_classic_blocks_have_a_grid_of_abilities_with_scores() -> None:
    ogre = creature("ogre", abilities=(("str", 19), ("dex", 8)), rating="2", hit_dice="7d10+21")
    for rules in (a5e(), dnd5e()):
        text = " ".join(text_of(pdf(packet(KIND, [ogre], rules))))
        assert "19 (+4)" in text
        assert "(7d10+21" in text


def test_blocks_with_traits_have_the_level_beside_the_name_and_signs_for_actions(tmp_path: Path) -> None:
    hound = creature(
        "hound",
        name="Hound",
        rating="3",
        level=3,
        type="undead",
        tags=("mindless",),
        skills=(("perception", 8),),
        saves=(("con", 10),),
        features=(
            Feature("jaws", "Jaws", cost="action", attack=11, damage="1d8+4 piercing"),
            Feature("drag", "Drag", cost="action", price=2, text="Strides."),
            Feature("snap", "Snap", cost="reaction", text="Snaps."),
            Feature("wait", "Wait", cost="free", text="Waits.", trigger="starts"),
        ),
    )
    printed = pdf(packet(KIND, [hound], pf2e()))
    found, text = words_on(printed), " ".join(" ".join(text_of(printed)).split())
    (name,), (level,) = ([word for word in found if word.text == said] for said in ("HOUND", "CREATURE"))
    assert abs(name.bottom - level.bottom) < 2
    assert level.left > name.right + 20
    assert "MEDIUM" in text
    assert "MINDLESS" in text
    # The signs of actions are drawn.
    assert re.search(
        r"Perception \+8.*AC 10; Fort \+10 HP 20 Snap Snaps\. .*Wait Waits\. Speed 30 feet "
        r"Melee jaws \+11 \[\+6/\+1\], Damage 1d8\+4 piercing\. Drag Strides\.",
        text,
    )
    assert "Actions" not in text


def test_spells_of_a_list_have_a_heading_after_everything_else() -> None:
    def blocks(rules: Any, spells: tuple[Feature, ...], names: str) -> str:
        listed = Feature("casting", "Spellcasting", text=f"DC 15. 1st: {names}", does=(FeatureStep(spell="light"),))
        others = (
            Feature("bite", "Bite", cost="action", attack=5),
            Feature("roar", "Roar", cost="reaction", text="Roars."),
        )
        caster = creature("caster", level=9, features=(listed, *spells, *others))
        return " ".join(" ".join(text_of(pdf(packet(KIND, [caster], rules)))).split())

    def spell(id: str, name: str, level: int, cost: str = "action") -> Feature:
        return Feature(id, name, cost=cost, level=level, properties=("spell",))  # type: ignore[arg-type]

    drawn = (spell("a", "Fireball", 3), spell("b", "Misty Step", 2, "bonus"), spell("c", "Shield", 1, "reaction"))
    text = blocks(dnd5e(), drawn, "Fireball, Misty Step, Shield")
    assert re.search(
        r"Bite.*Roars\..*S[Pp][Ee][Ll][Ll][Ss] Shield \(reaction, .*Misty Step \(bonus action, .*Fireball \(", text
    )
    twice = (spell("a", "Dispel Magic", 5), spell("b", "Dispel Magic", 3), spell("c", "Feather Fall", 1, "reaction"))
    text = blocks(pf2e(), twice, "Dispel Magic, Feather Fall")
    assert re.search(
        r"Roar Roars\..*Speed.*S[Pp][Ee][Ll][Ll][Ss] .*Dispel Magic \(rank 5\).*Feather Fall \(rank 1\)", text
    )
    assert text.count("Dispel Magic (rank") == 1
    assert text.index("Speed") < text.rindex("Feather Fall")


def test_a_strike_names_its_traits_once() -> None:
    bow = Feature("bow", "Shortbow", cost="action", attack=9, range="60", damage="1d6 piercing")
    bow = msgspec.structs.replace(bow, text="Deadly 1d10, reload 0.", properties=("weapon", "deadly-d10", "reload-0"))
    healing = Feature("regeneration-7", "Regeneration 7", text="regeneration 7 (deactivated by acid)")
    text = " ".join(text_of(pdf(packet(KIND, [creature("one", features=(bow, healing))], pf2e()))))
    assert "eadly 1d10" not in text
    assert "deadly d10" in text
    assert "HP 20; regeneration 7 (deactivated by acid)" in " ".join(text.split())


def test_uses_are_boxes_to_tick_after_signs_of_actions() -> None:
    def strokes(uses: int) -> int:
        bonds = Feature("bonds", "Bonds", cost="action", text="Binds.", uses=uses, per="day")
        return drawn(packet(KIND, [creature("one", features=(bonds,))], pf2e()))[0].count(b"stroke=")

    assert strokes(3) - strokes(1) == 2
    assert strokes(1) - strokes(0) == 1


def test_blocks_with_points_show_them_to_cross_off_and_metres() -> None:
    watch = creature("watch", speeds=(("walk", 4),), pools=(("action", 6), ("reaction", 5), ("willpower", 0)))
    made = packet(KIND, [watch], action_points())
    fewer = packet(KIND, [msgspec.structs.replace(watch, pools=(("action", 6), ("reaction", 2)))], action_points())
    strokes, less = (drawn(each)[0].count(b"stroke=") for each in (made, fewer))
    text = " ".join(text_of(pdf(made)))
    assert strokes - less == 3
    assert "4 m" in text
    assert "Action Points 6" in text
    assert "Willpower" not in text


def test_prices_in_points_are_pips_and_uses_are_boxes_to_tick() -> None:
    def page(**figures: Any) -> tuple[str, int, int]:
        stab = Feature("stab", "Stab", **{"cost": "action", "text": "Stabs.", **figures})
        made = packet(KIND, [creature("watch", abilities=(("str", 2),), features=(stab,))], action_points())
        svg = drawn(made)[0].decode()
        return " ".join(" ".join(text_of(pdf(made))).split()), svg.count('fill="#a0261b"'), svg.count("stroke=")

    (text, pips, strokes), (_, more, _), (_, _, boxes) = page(price=2), page(price=5), page(price=2, uses=3)
    assert "Stab. Stabs." in text
    assert "AP" not in text
    assert (pips, more) == (2, 5)
    assert boxes - strokes == 3
    assert page(price=2, uses=3, per="turn")[2] == strokes
    assert "7 AP Stab." in page(price=7)[0], "more than fit in the gutter"


def test_the_style_is_what_the_games_data_say() -> None:
    styles = {rules().data.id: rules().data.presentation.style for rules in (a5e, dnd5e, pf2e, action_points)}
    assert styles == {"a5e": "classic", "dnd5e": "classic", "pf2e": "traits", "action_points": "points"}


def test_nothing_of_a_stat_block_is_for_the_players() -> None:
    assert packet(KIND, [creature("ogre")], a5e(), edition="players").sections == ()


def test_only_the_creatures_asked_for_are_printed() -> None:
    text = "".join(text_of(pdf(packet(KIND, [creature("ogre"), creature("toad")], a5e(), creatures=("toad",)))))
    assert "Toad" in text
    assert "Ogre" not in text
    assert packet(KIND, [], a5e()).sections == ()


def test_ink_saving_paper_has_no_colour_and_no_fill() -> None:
    for rules in (a5e(), pf2e(), action_points()):
        page = drawn(packet(KIND, [creature("ogre", rating="2")], rules, ink="saving"))[0].decode()
        colours = {each.casefold() for each in re.findall(r'fill="(#[0-9a-fA-F]+)"', page)}
        assert all(len(set(re.findall("..", each[1:7]))) == 1 for each in colours), colours


WORDS_OF_OTHERS = {
    "rtl": creature(
        "rtl", name="שומר הגשר", features=(Feature("a", "מכה", cost="action", text="מכה חזקה עם חרב " * 30),)
    ),
    "arabic": creature(
        "ar", name="حارس الجسر", features=(Feature("a", "ضربة", cost="action", text="نص طويل جدا " * 30),)
    ),
    "cjk": creature(
        "cjk", name="橋の古い番人", features=(Feature("a", "斬撃", cost="action", text="橋を渡る者は全員。" * 40),)
    ),
    "long": creature("long", name="W" * 170, type="w" * 300, rating="9" * 90, tags=("x" * 90,), ac_note="v" * 200),
    "lead": creature("lead", features=(Feature("a", "name of words " * 80, cost="action", text="q" * 2000),)),
    "empty": Creature("empty", "", size="", type="", ac=0, hp=0, speeds=()),
    "code": creature(
        "code", name='#panic("x") $x$ <a> @b *c* `d`', description="= h\n#pagebreak()\n\\ // /* {", notes="]"
    ),
}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("rules", [a5e, pf2e, action_points], ids=["classic", "traits", "points"])
@pytest.mark.parametrize("which", WORDS_OF_OTHERS)
def test_strange_texts_stay_on_the_paper(which: str, rules: Any, tmp_path: Path) -> None:
    one = WORDS_OF_OTHERS[which]
    made = packet(KIND, [one], rules())
    printed = pdf(made)
    found = words_on(printed)
    assert outside(found, "a4", MARGIN) == []
    assert across_the_middle(found) == [] or which in ("long", "lead")
    if which in ("cjk", "code"):
        assert squeezed(as_printed(one.name, made)) in squeezed("".join(text_of(printed)))


def across_the_middle(found: list[Word]) -> list[Word]:
    """Return words that run over the gutter."""
    return [word for word in found if word.left < 103 and word.right > 107]


def anything(**size: int) -> st.SearchStrategy[str]:
    return st.text(**size)


@settings(max_examples=examples(4))
@given(
    system=st.sampled_from(["a5e", "pf2e", "action_points"]),
    texts=st.lists(st.text(max_size=60), min_size=9, max_size=9),
    much=st.text(max_size=900),
)
def test_any_text_in_any_field_prints(press: Typesetter, system: str, texts: list[str], much: str) -> None:
    name, kind, rating, tag, note, lead, languages, alignment, dice = texts
    one = Creature(
        "any", name, type=kind, rating=rating, tags=(tag,), ac_note=note, languages=languages, alignment=alignment,
        hit_dice=dice, notes=much, description=much, gear=(note,), environments=(tag,),
        features=(Feature("f", lead, cost="action", text=much, damage=dice, range=note, area=tag),),
    )  # fmt: skip
    assert press.typeset(packet(KIND, [one], RuleSystems().get(system))).pages[0].startswith(b"%PDF")


def borrowed(data: Path, most: int) -> dict[str, list[Creature]]:
    """Return so many creatures of each of three other programs' files, by their game."""
    found: dict[str, list[Creature]] = defaultdict(list)
    for folder in ("open5e/v1-menagerie", "5e-bits", "pf2-sqlite-yaml/monsters"):
        read = [each for _, each in read_paths([data / folder]) if isinstance(each, ImportedRecord)]
        kept = [each for each in read if isinstance(each.record, Creature)]
        for number, each in enumerate(kept[:: max(1, len(kept) // most)][:most]):
            found[each.system].append(msgspec.structs.replace(each.record, id=f"{folder[:3]}{number}"))
    return found


@pytest.mark.soak
def test_real_creatures_print_without_a_cut_line(real_data: Path, tmp_path: Path) -> None:
    games = borrowed(real_data, 70)
    assert sum(len(creatures) for creatures in games.values()) == 3 * 70
    for system, creatures in games.items():
        made: PrintDocument = packet(KIND, creatures, RuleSystems().get(system), paper="letter")
        printed = pdf(made)
        found = words_on(printed)
        assert outside(found, "letter", MARGIN) == []
        assert [word for word in found if word.bottom > PAPERS["letter"][1] - MARGIN + 0.5] == []
        text = squeezed("".join(text_of(printed)))
        assert [one.name for one in creatures if squeezed(one.name) not in text] == []
        assert [
            (one.name, each.name) for one in creatures for each in one.features if squeezed(each.name) not in text
        ] == []


def test_a_figure_stays_on_the_line_of_the_words_before_it():
    attacks = [
        Feature(f"f{n}", "Bite" + "n" * n, cost="action", attack=4, reach=5, damage="2d6+2 piercing") for n in range(24)
    ]
    made = packet(KIND, [creature("wolf", name="Wolf", features=tuple(attacks))], dnd5e())
    lines = [line for page in text_of(pdf(made)) for line in page.splitlines()]
    assert sum("Hit:" in line for line in lines) == len(attacks)
    assert [line for line in lines if line.rstrip().endswith(("Hit:", "Attack:"))] == []
