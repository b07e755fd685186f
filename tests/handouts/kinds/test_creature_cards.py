"""Creature cards: cut exactly to size, backs behind their fronts, and all of a text on them at a legible size."""

from __future__ import annotations

import itertools
import re
from collections import defaultdict
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.effort import examples
from tests.handouts import samples
from tests.handouts.pdf_pages import bold_text, font_sizes
from tests.handouts.printed_creatures import (
    OF_EACH_GAME,
    POINT,
    Word,
    as_printed,
    drawn,
    packet,
    pdf,
    shipped,
    squeezed,
    text_of,
    words_on,
)
from tests.table import a5e, action_points, creature, pf2e
from turnwright.bootstrap import RuleSystems
from turnwright.encounter.prepared import Creature, Feature, FeatureStep, RosterEntry, Scene
from turnwright.encounter.state import Encounter
from turnwright.handouts.kinds.creature_cards import KIND
from turnwright.handouts.page_input import CARDS, PAPERS, Card, Paper, PrintDocument, PrintOptions
from turnwright.handouts.typesetter import Typesetter
from turnwright.importers.files.import_files import read_paths
from turnwright.importers.results import ImportedRecord

SHOWN_SIZES = {"poker": (63.5, 88.9), "tarot": (70.0, 120.0), "index": (76.2, 127.0)}
NEAR = 0.1  # millimetres
LEAST = 5  # points
RUNNING = 2.4  # millimetres from the top of a line of text to its bottom, at 6 points
_MARK = re.compile(r'<path [^>]*stroke-width="0.35"[^>]*transform="translate\(([-\d.]+) ([-\d.]+)\)" d="M 0 0([hv])')


def cuts(page: bytes) -> tuple[list[float], list[float]]:
    """Return where the marks of a page (as SVG) say to cut: from the left, and from the top, in millimetres."""
    across, down = set(), set()
    for x, y, way in _MARK.findall(page.decode()):
        (across if way == "v" else down).add(round(float(x if way == "v" else y) * POINT, 3))
    return sorted(across), sorted(down)


def off_their_cards(found: list[Word], made: PrintDocument) -> list[Word]:
    """Return the words that don't stand whole within the frame of one card."""
    pages = [cuts(page) for page in drawn(made)]
    rim = 1.8
    return [
        word
        for word in found
        if not any(
            left + rim < word.left and word.right < right - rim
            for left, right in zip(pages[word.page][0], pages[word.page][0][1:], strict=False)
        )
        or not any(
            top + rim < word.top + 1 and word.bottom - 1 < bottom - rim
            for top, bottom in zip(pages[word.page][1], pages[word.page][1][1:], strict=False)
        )
    ]


def pack(count: int, words: int = 180) -> list[Creature]:
    """Creatures with so much to say that it goes on on the back."""
    return [
        creature(
            f"c{number}",
            name=f"Beast{number}x",
            features=(Feature("p", "P", text="pace " * words + f"Behind{number}x."),),
        )
        for number in range(count)
    ]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("bleed", [0.0, 3.0])
@pytest.mark.parametrize("paper", get_args(Paper))
@pytest.mark.parametrize("card", get_args(Card))
def test_cards_are_cut_to_their_size(card: Card, paper: Paper, bleed: float) -> None:
    assert dict(CARDS) == SHOWN_SIZES
    width, height = SHOWN_SIZES[card]
    if "5" in paper or "half" in paper:  # two large cards lie on their sides on the small papers
        width, height = (width, height) if card == "poker" else (height, width)
    for page in drawn(packet(KIND, pack(11), a5e(), card=card, paper=paper, bleed=bleed)):
        across, down = cuts(page)
        assert len(across) + len(down) >= 5
        assert all(abs(two - one - width) < NEAR for one, two in itertools.pairwise(across)), across
        assert all(abs(two - one - height) < NEAR for one, two in itertools.pairwise(down)), down
        full = PAPERS[paper]
        assert (
            abs(across[0] + across[-1] - full[0] - 2 * bleed) < NEAR
        )  # in the middle, so that backs fall behind fronts
        assert abs(down[0] + down[-1] - full[1] - 2 * bleed) < NEAR
        assert across[0] - bleed >= 5  # a printer's margin, with the marks in it
        assert down[0] - bleed >= 5


@pytest.mark.sampled(1)
@pytest.mark.parametrize("card", get_args(Card))
def test_each_back_lies_behind_its_front_when_the_paper_is_turned_over_its_long_edge(
    card: Card, tmp_path: Path
) -> None:
    count = 9 if card == "poker" else 4  # a full sheet
    made = packet(KIND, pack(count, 180 if card == "poker" else 300), a5e(), card=card)
    found = words_on(pdf(made))
    across, down = cuts(drawn(made)[0])
    width = PAPERS["a4"][0]

    def place(word: Word, *, turned: bool) -> tuple[int, int]:
        middle = (word.left + 2) if not turned else width - (word.left + 2)
        return sum(middle > cut for cut in across), sum(word.top > cut for cut in down)

    fronts = {word.text: word for word in found if word.text.startswith("Beast") and word.page % 2 == 0}
    backs = {word.text: word for word in found if word.text.startswith("Behind")}
    assert len(fronts) == len(backs) == count
    for number in range(count):
        front, back = fronts[f"Beast{number}x"], backs[f"Behind{number}x."]
        assert back.page == front.page + 1
        assert place(back, turned=True) == place(front, turned=False), number


@pytest.mark.sampled(1)
@OF_EACH_GAME
@pytest.mark.parametrize("card", get_args(Card))
def test_every_shipped_creature_is_on_its_cards(system: str, step: int, card: Card, tmp_path: Path) -> None:
    creatures, rules = shipped(system)[::step], RuleSystems().get(system)
    made = packet(KIND, creatures, rules, card=card, paper="letter")
    printed = pdf(made)
    found = words_on(printed)
    assert off_their_cards(found, made) == []
    text = squeezed("".join(text_of(printed)))
    lost = [(one.name, what) for one in creatures for what in (one.name, *(each.name for each in one.features))
            if squeezed(what) not in text]  # fmt: skip
    assert lost == []
    assert all(f"{word}" in text for one in creatures for word in (one.ac, one.hp))


def ogre(trait: str) -> Creature:
    return creature(
        "ogre",
        ac=14,
        ac_note="hides",
        hp=59,
        hit_dice="7d10+21",
        saves=(("con", 5),),
        senses=(("darkvision", 60),),
        features=(
            Feature("club", "Greatclub", cost="action", attack=6, damage="2d8+4 bludgeoning"),
            Feature("breath", "Reek", cost="action", save="con", dc=13, damage="2d6 poison"),
            Feature("thick", "Thickskull", text=trait),
            Feature("duck", "Ducks", cost="reaction", text="Gets out of the way."),
        ),
    )


FRONT = ("Ogre", "14", "hides", "59", "30 ft", "Con +5", "Greatclub", "Reek", "+6 to hit")
BACK = ("Ogre", "Thickskull", "Ducks")


def test_the_front_has_everything_where_that_fits() -> None:
    (front,) = (" ".join(page.split()) for page in text_of(pdf(packet(KIND, [ogre("Feels little.")], a5e()))))
    assert [said for said in (*FRONT, *BACK, "darkvision") if said not in front] == []


def test_the_front_has_what_is_looked_up_in_every_turn_and_the_back_the_rest() -> None:
    long = ogre("Feels 1 of it. " * 45)
    front, back = (" ".join(page.split()) for page in text_of(pdf(packet(KIND, [long], a5e()))))
    assert [said for said in FRONT if said not in front] == []
    assert [said for said in BACK if said not in front + back] == []
    assert "Ducks" not in front
    assert "over" in front
    assert "Greatclub" not in back


def test_all_cards_are_set_in_one_size_and_each_individual_has_a_box(tmp_path: Path) -> None:
    few, many = with_lines(2), msgspec.structs.replace(with_lines(17), id="other", name="Other")
    found = words_on(pdf(packet(KIND, [few, many], a5e())))
    assert len({round(word.bottom - word.top, 2) for word in found if word.text == "everyone"}) == 1
    rats = Encounter([Scene(), creature("rat", name="Rat", hp=7), RosterEntry("pack", "rat", count=5)])
    card = samples.packet(rats, KIND.id).sections[0].data["cards"][0]
    assert card["count"] == 5
    assert card["boxes"] == [(f"Rat {number}", 7) for number in range(1, 6)]
    (text,) = text_of(pdf(samples.packet(rats, KIND.id)))
    assert "Rat × 5" in text
    assert text.count("/ 7") == 5


def test_characters_of_players_have_cards_only_where_they_are_selected() -> None:
    hero = RosterEntry("hero", "hero", player="Nina", side="party")
    table = Encounter([Scene(), creature("hero"), creature("rat"), hero, RosterEntry("rat", "rat")])

    def counts(*selected: str) -> list[int]:
        made = samples.packet(table, KIND.id, options=PrintOptions(creatures=selected))
        return [len(section.data["cards"]) for section in made.sections]

    assert (counts(), counts("hero"), counts("hero", "rat")) == ([1], [1], [2])


def test_only_a_sheet_with_something_on_backs_is_followed_by_them() -> None:
    short = [creature(f"c{number}", name=f"Beast{number}x") for number in range(10)]
    assert len(text_of(pdf(packet(KIND, short, a5e())))) == 2
    pages = text_of(pdf(packet(KIND, [*short, *pack(18)[10:]], a5e())))
    assert ["Behind17x" in page for page in pages] == [False, True, False]
    assert len(text_of(pdf(packet(KIND, short, a5e(), sides="two")))) == 3  # the second sheet begins on a front


def test_backs_are_further_cards_in_free_places_if_that_saves_a_printed_side() -> None:
    short = [creature(f"c{number}", name=f"Beast{number}x") for number in range(7)]
    (page,) = text_of(pdf(packet(KIND, [*short, *pack(12)[11:]], a5e())))
    assert "Behind11x" in page
    assert page.count("Card 2/2") == 1
    assert "over" not in page
    assert "Card" not in "".join(text_of(pdf(packet(KIND, pack(1), a5e()))))


def test_notes_alone_have_no_back() -> None:
    made = packet(KIND, [creature("wolf", name="Wolf", notes="It howls. " * 200)], a5e())
    (front,) = text_of(pdf(made))
    assert "howls" not in front


def test_defences_stand_above_the_attacks_and_languages_come_last() -> None:
    bite = Feature("bite", "Bite", cost="action", attack=4, reach=5)
    told = {"resistances": ("cold",), "condition_immunities": ("prone",), "languages": ("Giant",)}
    (page,) = text_of(pdf(packet(KIND, [creature("wolf", features=(bite,), **told)], a5e())))
    order = [page.index(word) for word in ("resistances", "immunities", "Bite", "Giant")]
    assert order == sorted(order)


def test_limited_features_have_boxes_and_listed_spells_only_their_names() -> None:
    told = {"text": "Casts light and fire bolt.", "properties": ("spell",), "dc": 13}
    light = Feature("light", "Light", cost="action", level=0, properties=("spell",), text="Bright light.")
    bolt = Feature("bolt", "Fire Bolt", cost="action", level=0, properties=("spell",), attack=5, damage="1d10 fire")
    steps = (FeatureStep(use="light"), FeatureStep(use="bolt", alternative=True))
    features = (Feature("spells", "Spellcasting", cost="trait", does=steps, **told), light, bolt)
    features += (
        Feature("surge", "Surge", cost="bonus", uses=2, text="Acts."),
        Feature("rush", "Rush", cost="legendary"),
    )
    mage = creature("mage", features=features, legendary=3)
    (card,) = packet(KIND, [mage], a5e()).sections[0].data["cards"]
    items = {one["lead"].partition(" (")[0].rstrip("."): one for one in (*card["front"], *card["back"])}
    assert "Light" not in items
    assert "Fire Bolt" not in items
    assert [one["lead"] for one in card["spells"]] == ["Fire Bolt (cantrip)."]
    assert (items["Surge"]["boxes"], items["Rush"]["heading_boxes"]) == (2, 3)


def test_a_list_of_spells_on_a_card_has_its_numbers_instead_of_sentences() -> None:
    text = """It is an old caster. Its spellcasting ability is Wisdom (spell save DC 15, +7 to hit). It has these spells prepared:
• At will: light
• 1st level (4 slots): bane"""
    spells = tuple(Feature(id, id.title(), "action", properties=("spell",)) for id in ("light", "bane"))
    casting = Feature("spells", "Spellcasting", text=text, does=(FeatureStep(use="light"),))
    (card,) = packet(KIND, [creature("mage", features=(casting, *spells))], a5e()).sections[0].data["cards"]
    (told,) = (one["text"] for one in (*card["front"], *card["back"]) if one["lead"] == "Spellcasting.")
    assert told == "It is an old caster. DC 15, +7 to hit.\nAt will: light\n1st level (4 slots): bane"


def test_each_individual_has_boxes_for_its_uses_and_for_legendary_actions() -> None:
    def strokes(count: int, *owned: Feature, legendary: int = 0) -> int:
        beast = creature("beast", features=owned, legendary=legendary)
        made = samples.packet(Encounter([Scene(), beast, RosterEntry("a", "beast", count=count)]), KIND.id)
        return sum(page.count(b"stroke=") for page in drawn(made))

    steals, rush = Feature("steals", "Steals", "reaction", uses=3, per="day"), Feature("rush", "Rush", "legendary")
    for count, boxes in ((1, 3), (3, 9), (4, 12)):
        assert strokes(count, steals) - strokes(count, msgspec.structs.replace(steals, uses=0)) == boxes
        assert strokes(count, rush, legendary=3) - strokes(count, rush) == boxes
    assert strokes(5, steals) == strokes(5, msgspec.structs.replace(steals, uses=0))
    assert strokes(5, rush, legendary=3) - strokes(5, rush) == 3


def test_a_long_lead_is_bold_and_signs_of_actions_are_drawn() -> None:
    many = Feature("all", "Multiattack of the many-armed, " + "and another hand " * 12, cost="action", text="Strikes.")
    printed = pdf(packet(KIND, [creature("hydra", features=(many,))], pf2e()))
    assert squeezed(many.name) in squeezed(bold_text(printed))
    assert "strikes" not in squeezed(bold_text(printed))
    assert "◆" not in "".join(text_of(printed))


def test_headings_of_imported_features_are_bold_and_saves_have_a_line_of_their_own() -> None:
    told = "Frequency once per day\nEffect The spirit fades. Its effect ends at dawn."
    ghost = creature("ghost", saves=(("con", 9),), features=(Feature("fade", "Fade", cost="action", text=told),))
    printed = pdf(packet(KIND, [ghost], pf2e()))
    assert "FrequencyEffect" in "".join(bold_text(printed).split())
    assert "effect" not in bold_text(printed)
    (page,) = text_of(printed)
    assert any(line.startswith("Fort +9") for line in page.splitlines())


def test_a_little_more_than_a_front_holds_needs_no_back_even_if_another_card_has_one() -> None:
    slight = msgspec.structs.replace(with_lines(6), id="slight", name="Slight")
    (page,) = text_of(pdf(packet(KIND, [with_lines(18), slight], a5e())))
    assert page.count("Slight") == 1
    assert page.count("Saga") == 2
    assert page.count("Card") == 1


def test_the_box_of_a_named_individual_has_its_name() -> None:
    rows = RosterEntry("a", "rat", count=2), RosterEntry("b", "rat", name="Aldo")
    rats = Encounter([Scene(), creature("rat", name="Rat", hp=7), *rows])
    boxes = samples.packet(rats, KIND.id).sections[0].data["cards"][0]["boxes"]
    assert [label for label, _ in boxes] == ["Rat 1", "Rat 2", "Aldo"]
    assert "Aldo" in text_of(pdf(samples.packet(rats, KIND.id)))[0]


def test_a_figure_that_stands_large_is_not_said_again() -> None:
    (front,) = text_of(pdf(packet(KIND, [creature("ogre", ac=14, hp=59)], a5e())))
    assert front.count("14") == 1
    assert front.replace("/ 59", "").count("59") == 1


def test_what_goes_on_under_one_lead_is_one_line_on_a_card() -> None:
    saint = creature("saint", immunities=("void", "poison"), condition_immunities=("blinded", "prone"))
    (page,) = text_of(pdf(packet(KIND, [saint], pf2e())))
    assert page.count("Immunities") == 1
    assert "Immunities void, poison, blinded, prone" in page.replace("\n", " ")


def test_armor_follows_the_kind_and_hit_dice_are_left_out() -> None:
    raider = creature("raider", ac=14, ac_note="hide coat", hp=26, hit_dice="4d8+8")
    (page,) = text_of(pdf(packet(KIND, [raider], a5e())))
    assert "; hide coat; bloodied 13" in " ".join(page.split())
    assert "4d8+8" not in page


def test_cards_have_short_texts_and_of_multiattacks_only_what_the_list_lacks() -> None:
    club = Feature("club", "Club", "action", attack=4, damage="1d6+2 bludgeoning")
    twice = Feature(
        "twice",
        "Multiattack",
        "action",
        multiattack=((("club", 2),),),
        text="It smites with force. If both hit, it falls.",
    )
    long = "It lifts the stone with a groan that the valley has heard for years. " * 4 + "It throws it 40 feet."
    stone = Feature("stone", "Stone", "bonus", short="It throws a stone.", text=long)
    made = packet(KIND, [Creature("ogre", "Ogre", features=(club, twice, stone))], a5e())
    page = " ".join(text_of(pdf(made))[0].split())
    assert "If both hit, it falls." in page
    assert "smites with force" not in page
    assert "It throws a stone. It throws it 40 feet." in page
    assert "valley" not in page


def test_a_card_has_one_version_of_a_text_without_counting_averages_as_numbers() -> None:
    told = "It bursts when it dies, and each creature in 30 feet takes 52 (15d6) fire damage, or 22 (4d10) if it hides."
    bursts = Feature("bursts", "Bursts", short="It bursts: 15d6 fire in 30 feet, or 4d10 hidden.", text=told)
    whole = "A bolt 100 feet long and 5 feet wide springs from its sword with a roar. It deals 42 (12d6) damage."
    bolt = Feature("bolt", "Bolt", short="A line of 100 feet: 12d6 damage.", text=whole)
    page = " ".join(text_of(pdf(packet(KIND, [Creature("ogre", "Ogre", features=(bursts, bolt))], a5e())))[0].split())
    long = "It has a long tail. " * 60
    far = Feature("far", "Far", text=long, short="It has a long tail.")
    brief = " ".join(text_of(pdf(packet(KIND, [Creature("o", "O", features=(bursts, bolt, far))], a5e())))[0].split())
    assert told in page
    assert bursts.short in brief
    assert "when it dies" not in brief
    assert whole in brief
    assert bolt.short not in brief


def test_a_bonus_stays_on_the_line_of_its_attack() -> None:
    bites = [Feature(f"f{n}", "Bite" + "n" * n, cost="action", attack=4, reach=5) for n in range(20)]
    made = packet(KIND, [creature("wolf", features=tuple(bites))], a5e())
    lines = [line for page in text_of(pdf(made)) for line in page.splitlines()]
    assert sum("+4" in line for line in lines) == len(bites)
    assert [line for line in lines if line.lstrip().startswith("+4")] == []


def with_lines(count: int) -> Creature:
    saga = "\n".join(f"line{number}z everyone within reach has to think about it." for number in range(count))
    return creature("saga", name="Saga", features=(Feature("saga", "Tells", cost="action", text=saga),))


def heights(found: list[Word]) -> float:
    """Return how high the words of a text are set, in millimetres."""
    return max(word.bottom - word.top for word in found if word.text == "everyone")


def test_text_is_set_smaller_before_it_takes_another_card(tmp_path: Path) -> None:
    sizes, pages = [], []
    for count in (2, 6, 9, 17, 19, 21):  # smaller on its front, and then larger again with a back
        printed = pdf(packet(KIND, [with_lines(count)], a5e()))
        assert "card" not in "".join(text_of(printed)).casefold()
        sizes.append(heights(words_on(printed)))
        pages.append(len(text_of(printed)))
    assert pages == [1, 1, 1, 2, 2, 2]
    assert sizes[0] > sizes[1] > sizes[2] < sizes[3] > sizes[4] > sizes[5]
    more = pdf(packet(KIND, [with_lines(100)], a5e()))
    assert heights(words_on(more)) <= sizes[3]
    assert "Card 2/" in "".join(text_of(more))


def test_skills_and_languages_alone_open_no_further_card() -> None:
    saga = with_lines(29)
    known = msgspec.structs.replace(
        saga, skills=(("stealth", 3),), languages="Common, Draconic and the tongue of rivers " * 3
    )
    assert "2/" not in "".join(text_of(pdf(packet(KIND, [saga], a5e()))))
    text = " ".join("".join(text_of(pdf(packet(KIND, [known], a5e())))).split())
    assert "2/" not in text
    assert "line28z" in text
    few = msgspec.structs.replace(known, features=with_lines(20).features)
    assert "tongue of rivers" in " ".join("".join(text_of(pdf(packet(KIND, [few], a5e())))).split())


def test_results_of_saves_stay_in_cut_texts() -> None:
    lore = "Nobody has seen it eat, and the old songs have no word for that. " * 6
    results = (
        "On a failure, the creature takes 40 necrotic damage.",
        "Otherwise, it is moved up to 30 feet.",
        "It is frightened until then.",
        "A success makes it immune for a day.",
    )
    fears = tuple(
        Feature(f"fear-{n}", f"Fear {n}", "action", text=f"It roars. {lore}{' Then it sings. '.join(results)}")
        for n in range(6)
    )
    text = " ".join("".join(text_of(pdf(packet(KIND, [creature("dread", features=fears)], a5e())))).split())
    assert [text.count(said) for said in results] == [6, 6, 6, 6]
    assert "Nobody" not in text


def test_skills_and_languages_alone_take_no_back() -> None:
    for count, is_told in ((4, True), (9, False)):
        saga = msgspec.structs.replace(with_lines(count), languages="Common, Draconic and the tongue of rivers " * 7)
        (page,) = text_of(pdf(packet(KIND, [saga], a5e())))
        assert f"line{count - 1}z" in page
        assert ("tongue of rivers" in page) == is_told


def test_stages_and_triggers_of_long_texts_are_on_cards() -> None:
    lore = "Nobody has seen it eat, and the old songs have no word for that. " * 6
    venom = f"It aches. {lore}\nStage 1 1d6 poison damage\nStage 2 clumsy 1"
    absorb = f"It grows. {lore}{lore}\nTrigger A creature dies.\nEffect It absorbs the corpse."
    told = (("Venom", venom), ("Absorb", absorb), *((f"Power {n}", f"It roars. {lore}") for n in range(9)))
    features = tuple(Feature(name.lower(), name, "trait", text=text) for name, text in told)
    text = " ".join("".join(text_of(pdf(packet(KIND, [creature("dread", features=features)], pf2e())))).split())
    assert all(said in text for said in ("Stage 2", "Trigger A creature dies. Effect It absorbs the corpse."))
    assert text.count("Nobody") == 6  # those of the venom


def test_a_hundred_lines_go_on_from_card_to_card_and_none_is_lost(tmp_path: Path) -> None:
    made = packet(KIND, [with_lines(100), creature("after")], a5e())
    printed = pdf(made)
    text = "".join(text_of(printed))
    assert [number for number in range(100) if text.count(f"line{number}z") != 1] == []
    assert off_their_cards(words_on(printed), made) == []


@pytest.mark.sampled(3)
@pytest.mark.parametrize("filler", range(0, 60, 6))
def test_a_short_feature_stays_whole_and_a_long_one_goes_on_under_its_name(filler: int) -> None:
    blasts = [
        Feature(
            f"b{number}", f"Blast{number}z", "action", damage="6d6 fire", save="dex", dc=13, area=f"1{number}-foot cone"
        )
        for number in range(3)
    ]
    saga = Feature("saga", "Sagaz", text="\n".join(f"verse{number}z sung aloud" for number in range(80)))
    features = (Feature("a", "A", text="pace " * filler), *blasts, saga)
    found = words_on(made := pdf(packet(KIND, [creature("bard", notes="", features=features)], a5e())))
    across, down = cuts(drawn(packet(KIND, [creature("bard", notes="", features=features)], a5e()))[0])
    face = {
        word.text.strip(".,"): (word.page, sum(word.left > cut for cut in across), sum(word.top > cut for cut in down))
        for word in found
    }
    assert [number for number in range(3) if face[f"Blast{number}z"] != face[f"1{number}-foot"]] == []
    text = " ".join(text_of(made))
    parts = len({face[f"verse{number}z"] for number in range(80)})
    assert parts > 1
    assert text.count("Sagaz, continued.") == parts - 1


@pytest.mark.sampled(1)
@pytest.mark.parametrize("filler", range(0, 60, 4))
def test_no_name_in_a_list_is_parted_and_no_head_from_its_first_item(filler: int) -> None:
    ranks = [
        f"rank{rank}z: "
        + ", ".join(f"Call{rank}{spell}z of the{rank}{spell}z Night{rank}{spell}z" for spell in range(4))
        for rank in range(30)
    ]
    lists = Feature("lists", "Spells", text="\n".join(ranks))
    made = packet(KIND, [creature("mage", notes="", features=(Feature("a", "A", text="pace " * filler), lists))], a5e())
    found = words_on(pdf(made))
    across, down = cuts(drawn(made)[0])
    face = {
        word.text.rstrip(",:."): (
            word.page,
            sum(word.left > cut for cut in across),
            sum(word.top > cut for cut in down),
        )
        for word in found
        if "z" in word.text
    }
    assert len(set(face.values())) > 3
    names = [[f"{part}{rank}{spell}z" for part in ("Call", "the", "Night")] for rank in range(30) for spell in range(4)]
    heads = [[f"rank{rank}z", f"Call{rank}0z"] for rank in range(30)]
    assert [words for words in (*names, *heads) if len({face[word] for word in words}) > 1] == []


@pytest.mark.sampled(1)
@pytest.mark.parametrize("paper", get_args(Paper))
def test_nothing_is_set_smaller_than_can_be_read(paper: Paper, tmp_path: Path) -> None:
    printed = pdf(packet(KIND, [*shipped("pf2e")[::16], with_lines(100)], pf2e(), paper=paper))
    assert min(font_sizes(printed)) >= LEAST
    found = words_on(printed)
    running = [word.bottom - word.top for word in found if word.text in ("everyone", "about", "within", "the")]
    assert min(running) >= RUNNING


STRANGE = {
    "rtl": creature(
        "rtl", name="שומר הגשר", features=(Feature("a", "מכה", cost="action", text="מכה חזקה עם חרב " * 30),)
    ),
    "arabic": creature(
        "ar", name="حارس الجسر", features=(Feature("a", "ضربة", cost="action", text="نص طويل جدا " * 30),)
    ),
    "cjk": creature(
        "cjk", name="橋の古い番人", features=(Feature("a", "斬撃", cost="action", text="橋を渡る者は全員。" * 60),)
    ),
    "long": creature("long", name="W" * 170, type="w" * 300, rating="9" * 90, tags=("x" * 90,), ac_note="v" * 200),
    "lead": creature("lead", features=(Feature("a", "name of words " * 80, cost="action", text="q" * 3000),)),
    "figures": creature("figures", ac=10**9, hp=10**9, abilities=(("str", 10**6),), features=()),
    "empty": Creature("empty", "", size="", type="", ac=0, hp=0, speeds=()),
    "code": creature("code", name='#panic("x") $x$ <a>', notes="= h\n#pagebreak()\n\\ // /* {]"),
}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("rules", [a5e, pf2e, action_points], ids=["a5e", "pf2e", "action_points"])
@pytest.mark.parametrize("which", STRANGE)
def test_strange_texts_stay_on_their_cards(which: str, rules: Any, tmp_path: Path) -> None:
    one = STRANGE[which]
    made = packet(KIND, [one], rules())
    printed = pdf(made)
    assert off_their_cards(words_on(printed), made) == []
    if which not in ("rtl", "arabic"):
        assert squeezed(as_printed(one.name, made)) in squeezed("".join(text_of(printed)))


@settings(max_examples=examples(4))
@given(
    system=st.sampled_from(["a5e", "pf2e", "action_points"]),
    texts=st.lists(st.text(max_size=60), min_size=7, max_size=7),
    much=st.text(max_size=900),
)
def test_any_text_in_any_field_prints(press: Typesetter, system: str, texts: list[str], much: str) -> None:
    name, kind, rating, tag, note, lead, dice = texts
    one = Creature(
        "any", name, type=kind, rating=rating, tags=(tag,), ac_note=note, languages=note, alignment=tag,
        hit_dice=dice, notes=much, description=much, gear=(note,), environments=(tag,),
        features=(Feature("f", lead, cost="action", text=much, damage=dice, range=note, area=tag),),
    )  # fmt: skip
    assert press.typeset(packet(KIND, [one], RuleSystems().get(system))).pages[0].startswith(b"%PDF")


def test_players_get_cards_of_their_own_characters_alone_without_notes() -> None:
    ann = creature("ann", ac=17, notes="Doesn't know.", tactics="Runs.", description="Tall.")
    cast = (ann, creature("wolf"), creature("sage"), RosterEntry("ann", "ann", side="party", player="Ann"))
    encounter = Encounter(
        [Scene(), *cast, RosterEntry("wolf", "wolf"), RosterEntry("s", "sage", side="party", hidden=True)]
    )
    for options, names in (
        (PrintOptions(edition="players"), ["Ann"]),
        (PrintOptions(edition="players", creatures=("wolf",)), []),
    ):
        made = samples.packet(encounter, KIND.id, options=options)
        assert [card["name"] for one in made.sections for card in one.data["cards"]] == names
        assert not re.search(r"know|Runs|wolf|sage", str([one.data for one in made.sections]), re.IGNORECASE)


@pytest.mark.soak
def test_real_creatures_have_cards(real_data: Path, tmp_path: Path) -> None:
    games: dict[str, list[Creature]] = defaultdict(list)
    most = 100
    for folder in ("open5e/v1-menagerie", "pf2-sqlite-yaml/monsters"):
        read = (each for _, each in read_paths([real_data / folder]) if isinstance(each, ImportedRecord))
        kept = [each for each in read if isinstance(each.record, Creature)]
        for number, each in enumerate(kept[1 :: len(kept) // most][:most]):
            games[each.system].append(msgspec.structs.replace(each.record, id=f"{folder[:3]}{number}"))
    assert sum(len(creatures) for creatures in games.values()) == 2 * most
    for system, creatures in games.items():
        made = packet(KIND, creatures, RuleSystems().get(system))
        printed = pdf(made)
        assert off_their_cards(words_on(printed), made) == []
        text = squeezed("".join(text_of(printed)))
        assert [one.name for one in creatures if squeezed(one.name) not in text] == []
        assert [(one.name, each.name) for one in creatures for each in one.features
                if squeezed(each.name) not in text] == []  # fmt: skip


def test_points_have_circles_to_fill_and_attacks_come_before_other_actions() -> None:
    hook = Feature("hook", "Hook", "action", attack=5, reach=2, damage="1d6 sharp", price=2)
    throw = Feature("throw", "Throw", "action", price=1, text="It throws a line.")
    for features, heading in (((throw, hook), "Other actions"), ((throw,), "Actions")):
        rower = Creature("rower", "Rower", ac=9, hp=16, features=features)
        (card,) = packet(KIND, [rower], action_points()).sections[0].data["cards"]
        assert [item["lead"] for item in card["front"] if item["tone"] == "points"] == ["Points"]
        assert [item["heading"] for item in card["back"] if item["lead"].startswith("Throw")] == [heading]


@pytest.mark.parametrize("rules", [a5e, action_points])
def test_tactics_are_among_the_notes(rules: Any) -> None:
    brute = msgspec.structs.replace(creature("brute"), tactics="Goes for the smallest.")
    assert "Goes for the smallest." in " ".join("".join(text_of(pdf(packet(KIND, [brute], rules())))).split())


def test_a_card_with_more_than_two_faces_has_the_first_words_and_the_rolls_of_long_texts() -> None:
    lore = "Nobody has seen it eat. The old songs say that it drinks the light of lamps and of stars instead. " * 4
    fears = tuple(
        Feature(
            f"fear-{n}", f"Fear {n}", "action", text=f"It roars {n}. {lore}Each foe makes a DC {10 + n} Wisdom save."
        )
        for n in range(9)
    )
    text = "".join(text_of(pdf(packet(KIND, [creature("dread", features=fears)], a5e()))))
    assert all(text.count(f"It roars {n}.") == 1 == text.count(f"DC {10 + n}") for n in range(9))
    assert "Nobody" not in text
    assert "2/" not in text
    few = "".join(text_of(pdf(packet(KIND, [creature("dread", features=fears[:2])], a5e()))))
    assert few.count("Nobody") == 8
