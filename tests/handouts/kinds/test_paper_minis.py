"""Paper minis: standees and tokens of exact inches, told apart as on the map, and of the players' own alone for them."""

from __future__ import annotations

import re

import pytest

from tests.for_each import for_each
from tests.handouts.sample_pages import PAPERS, data_of, fight, printed, sample, source, words_of
from tests.handouts.samples import IN_EACH_GAME
from turnwright.encounter.prepared import Creature, RosterEntry, Scene
from turnwright.handouts.kinds.paper_minis import KIND, MOST_INCHES
from turnwright.handouts.typesetter import Typesetter

INCH = 72.0
MM = 72 / 25.4
TALL = {1: 80, 2: 105, 3: 150, 4: 200}  # mm of a standee by inches across
SIZES = {1: "medium", 2: "large", 3: "huge", 4: "gargantuan"}
HERO = RosterEntry("hero", "mira", "Mira", side="party", player="Nina")
MIRA = Creature("mira", "Mira")


def cut_boxes(press: Typesetter, origin: object) -> list[tuple[float, float]]:
    """The widths and heights of all that is cut, in points."""
    found = []
    for page in press.typeset(printed(KIND, origin), "svg").pages:
        boxes = re.findall(r'd="M 0 0v ([\d.]+) ?h ([\d.]+) ?v -', page.decode())
        found += [(float(wide), float(tall)) for tall, wide in boxes if float(wide) >= INCH - 0.1]
    return found


@for_each("paper", PAPERS)
@for_each("inches", SIZES)
def test_a_standee_and_a_token_are_exactly_as_many_inches_as_the_creature_has_squares(press, paper, inches):
    ogre = Creature("ogre", "Ogre", size=SIZES[inches])
    found = cut_boxes(press, fight(Scene(), ogre, RosterEntry("a", "ogre"), paper=paper))
    wide = inches * INCH
    for tall in (TALL[inches] * MM, wide):
        assert any(box == pytest.approx((wide, tall), abs=0.01 * MM) for box in found), (found, wide, tall)


@pytest.mark.parametrize(("size", "space", "inches"), [("tiny", 0, 1), ("medium", 10, 2), ("medium", 500, MOST_INCHES)])
def test_a_space_of_its_own_goes_before_the_size(size, space, inches):
    ogre = Creature("ogre", "Ogre", size=size, space=space)
    (mini,) = data_of(KIND, fight(Scene(), ogre, RosterEntry("a", "ogre")))["minis"]
    assert mini["inches"] == inches


def test_everybody_has_one_with_a_sign_of_its_own_as_on_the_map():
    hidden = RosterEntry("b", "ogre", count=2, hidden=True)
    records = (Scene(), MIRA, Creature("ogre", "Ogre"), HERO, RosterEntry("a", "ogre"), hidden)
    minis = data_of(KIND, fight(*records, party=True))
    told = [(one["name"], one["sign"], one["tone"]) for one in minis["minis"]]
    assert told == [("Mira", "Mi", "party"), *(("Ogre", f"Og{number}", "enemies") for number in (1, 2, 3))]


def test_players_get_their_own_characters_whose_numbers_tell_of_nobody_else():
    double = RosterEntry("double", "ogre", "Mira", hidden=True)
    records = (Scene(), MIRA, Creature("ogre", "Ogre"), double, RosterEntry("a", "ogre"), HERO)
    (mini,) = data_of(KIND, fight(*records, edition="players"))["minis"]
    assert (mini["name"], mini["sign"]) == ("Mira", "Mi")
    assert data_of(KIND, fight(Scene(), double, edition="players")) is None


@IN_EACH_GAME
def test_every_sample_names_everybody_twice_on_a_standee_and_once_on_a_token(name: str, press: Typesetter):
    for ink in ("colour", "saving"):
        origin = source(sample(name), ink=ink)
        minis = data_of(KIND, origin)["minis"]
        words = [one.text for one in words_of(press.typeset(printed(KIND, origin)).pages[0])]
        signs = [one["sign"] for one in minis]
        assert len(set(signs)) == len(signs)
        assert {sign: words.count(sign) for sign in signs} == dict.fromkeys(signs, 3)


@pytest.mark.parametrize(
    ("side", "name"), [("party", "Mother Benedikta"), ("enemies", "Something from below the slipway")]
)
def test_a_long_name_stands_in_two_lines_and_is_not_shortened(side: str, name: str, press: Typesetter):
    origin = fight(Scene(), Creature("eel", name), RosterEntry("a", "eel", side=side))
    words = [one.text for one in words_of(press.typeset(printed(KIND, origin)).pages[0])]
    assert {word: words.count(word) for word in name.split()} == dict.fromkeys(name.split(), 3)
    assert not any("…" in word for word in words)


def test_more_of_a_group_than_are_drawn_are_told():
    made = KIND.make(fight(Scene(), Creature("rat", "Rat"), RosterEntry("a", "rat", count=75)))
    assert len(made.sections[0].data["minis"]) == 60
    assert made.problems == ("15 more in large groups have no paper mini.",)


def test_the_party_is_left_out_unless_it_is_asked_for_or_alone():
    ogre, enemy = Creature("ogre", "Ogre"), RosterEntry("a", "ogre")
    names = [
        [one["name"] for one in data_of(KIND, fight(Scene(), MIRA, ogre, HERO, *others, **options))["minis"]]
        for others, options in (((enemy,), {}), ((enemy,), {"party": True}), ((enemy,), {"creatures": ("mira",)}))
    ]
    assert names == [["Ogre"], ["Mira", "Ogre"], ["Mira"]]
    assert [one["name"] for one in data_of(KIND, fight(Scene(), MIRA, HERO))["minis"]] == ["Mira"]


@pytest.mark.parametrize(("sizes", "pages"), [("large" + " medium" * 9, 1), ("huge large" + " medium" * 4, 1)])
def test_small_ones_fill_the_room_beside_large_ones(sizes: str, pages: int, press: Typesetter):
    creatures = [Creature(f"c{at}", f"Ogre {at}x", size=size) for at, size in enumerate(sizes.split())]
    origin = fight(Scene(), *creatures, *(RosterEntry(one.id, one.id) for one in creatures))
    assert len(press.typeset(printed(KIND, origin), "svg").pages) == pages
    boxes = cut_boxes(press, origin)
    assert sum(round(wide * tall / MM**2) > 600 for wide, tall in boxes) >= 2 * len(creatures)


def figures_of(press: Typesetter, creatures: list[Creature], ink: str = "colour") -> int:
    """Return the number of different silhouettes printed for these creatures."""
    origin = fight(Scene(), *creatures, *(RosterEntry(one.id, one.id) for one in creatures), ink=ink)
    pages = press.typeset(printed(KIND, origin), "svg").pages
    found = (re.findall(r'href="(data:image/svg[^"]*)"', page.decode()) for page in pages)
    return len({picture for pictures in found for picture in pictures})


@pytest.mark.parametrize("ink", ["colour", "saving"])
def test_each_type_has_its_silhouette(press, ink):
    types = (
        "humanoid", "giant", "beast", "dragon", "undead", "spirit", "construct", "vehicle", "object", "ooze", "plant",
        "fungus", "swarm", "hazard", "elemental", "celestial", "fiend", "fey", "aberration",
    )  # fmt: skip
    assert figures_of(press, [Creature(f"c{at}", "One", type=kind) for at, kind in enumerate(types)], ink) == len(types)


def test_names_and_speeds_make_a_silhouette_more_exact(press: Typesetter):
    names = (
        "Kraken",
        "Spirit naga",
        "Giant shark",
        "Wolf",
        "Owl",
        "Warhorse",
        "Cave bear",
        "Toads",
        "Spider",
        "Lizard",
    )
    beasts = [Creature(f"c{at}", name, type="monstrosity") for at, name in enumerate(names)]
    assert figures_of(press, beasts) == len(names)
    moving = [
        Creature(f"m{at}", "Zyx", type="beast", speeds=((way, 30),)) for at, way in enumerate(("walk", "fly", "swim"))
    ]
    assert figures_of(press, moving) == 3
    assert figures_of(press, [Creature("a", "Snake cultist"), Creature("b", "Guard")]) == 1
    assert (
        figures_of(press, [Creature("a", "Wolves", type="beast", tags=("swarm",)), Creature("b", "Wolf", type="beast")])
        == 2
    )


def test_one_of_an_unknown_type_has_its_letters_alone(press: Typesetter):
    origin = fight(Scene(), Creature("a", "Shining child", type="astral"), RosterEntry("a", "a"))
    (pdf,) = press.typeset(printed(KIND, origin)).pages
    assert [one.text for one in words_of(pdf)].count("SC") == 3


@for_each("inches", SIZES)
def test_large_creatures_have_lower_standees_on_small_paper(press: Typesetter, inches: int) -> None:
    giant = Creature("giant", "Giant", size=SIZES[inches])
    found = cut_boxes(press, fight(Scene(), giant, RosterEntry("a", "giant"), paper="a5"))
    room = 148 - 18
    tall = min(TALL[inches], room) * MM
    assert any(box == pytest.approx((inches * INCH, tall), abs=0.01 * MM) for box in found), found
