"""Initiative tents: strips of an exact size with a fold; a name alone towards the players, numbers and attacks behind it."""

from __future__ import annotations

import re

import msgspec
import pytest

from tests.handouts.sample_pages import (
    PAPERS,
    Word,
    data_of,
    fight,
    printed,
    sample,
    source,
    words_of,
)
from tests.handouts.samples import ON_A_PAPER
from turnwright.encounter.prepared import (
    Countdown,
    Creature,
    Environment,
    EnvironmentEntry,
    Feature,
    RosterEntry,
    Scene,
)
from turnwright.encounter.roles import is_character
from turnwright.encounter.running import Combatant, KnownName, kind_id
from turnwright.encounter.state import Encounter
from turnwright.handouts.kinds.initiative_tents import KIND
from turnwright.handouts.typesetter import Typesetter

MM = 72 / 25.4
WIDE, TOP = 97 * MM, {"a4": 4.5 * MM, "letter": 7.7 * MM}
OF_CHARACTERS, OF_FOES = {"a4": 36 * MM, "letter": 33 * MM}, {"a4": 48 * MM, "letter": 44 * MM}
OGRE = Creature(
    "ogre", "Ogre", ac=11, hp=59, speeds=(("walk", 40), ("climb", 20)), abilities=(("str", 19), ("dex", 8)),
    saves=(("con", 5),), senses=(("darkvision", 60),), passives=(("perception", 8),), notes="A coward.",
)  # fmt: skip
CLUB = Feature("club", "Great club", attack=6, damage="2d8+4 bludgeoning", reach=5)
STENCH = Feature("stench", "Stench", save="con", dc=12, damage="2d6 poison")
CLUB_OGRE = msgspec.structs.replace(OGRE, features=(CLUB, STENCH, Feature("slow", "Slow", text="It never dashes.")))


def is_front(word: Word, half: float, paper: str = "a4") -> bool:
    """Whether a word stands above the fold of its tent, on a page with tents of one height."""
    return ((word.top + word.bottom) / 2 - TOP[paper]) % (2 * half) < half


def told(*texts: str) -> set[str]:
    return {word for text in texts for word in text.split()}


@pytest.mark.sampled(4)
@ON_A_PAPER
@pytest.mark.parametrize("of_foes", [False, True])
def test_every_sample_has_a_tent_for_each_group_in_the_order(name: str, paper: str, of_foes: bool, press: Typesetter):
    whole = sample(name)
    left_out = [one for one in whole.all(RosterEntry) if is_character(whole, one) == of_foes]
    records = [one for one in whole if one not in left_out and not isinstance(one, (Environment, Countdown))]
    origin = source(Encounter(records), paper=paper)
    tents = data_of(KIND, origin)["tents"]
    assert len(tents) == len([one for one in records if isinstance(one, RosterEntry) and not one.bystander])
    half = (OF_FOES if of_foes else OF_CHARACTERS)[paper]
    words = words_of(press.typeset(printed(KIND, origin)).pages[0])
    fronts = [one.text for one in words if is_front(one, half, paper)]
    backs = {one.text for one in words if not is_front(one, half, paper)}
    for tent in tents:
        assert told(*(one["value"] for one in tent["figures"]), tent["initiative"], tent["name"]) <= backs
    outside = told(*(text for tent in tents for text in (tent["outside"], tent["beside"])))
    assert all(any(word.strip("-\u00ad") in whole for whole in outside) for word in fronts)


def test_nothing_but_the_name_and_its_player_stands_on_the_front(press: Typesetter):
    entry = RosterEntry("brute", "ogre", "Brute", player="Nina", place="behind the door", notes="Flees.", hidden=True)
    for character, half in ((entry, OF_CHARACTERS), (msgspec.structs.replace(entry, player=""), OF_FOES)):
        words = words_of(press.typeset(printed(KIND, fight(Scene(), CLUB_OGRE, character))).pages[0])
        fronts = sorted(one.text for one in words if is_front(one, half["a4"]))
        assert fronts == sorted(told("Brute", character.player))


def test_the_back_of_a_foe_has_its_saves_its_attacks_and_a_box_for_each(press: Typesetter):
    origin = fight(Scene(), CLUB_OGRE, RosterEntry("brutes", "ogre", "Brute", count=3))
    (tent,) = data_of(KIND, origin)["tents"]
    assert tent["members"] == ["1", "2", "3"]
    words = [one.text for one in words_of(press.typeset(printed(KIND, origin)).pages[0])]
    assert "Slow" not in words
    assert {"club", "+6", "(2d8+4)", "Stench", "DC", "12", "Con", "+5"} <= {word.strip(":;") for word in words}
    assert [words.count(number) for number in tent["members"]] == [1, 1, 1]
    for one in (origin, fight(Scene(), CLUB_OGRE, RosterEntry("brute", "ogre", "Brute"))):
        assert "conditions" in [word.text for word in words_of(press.typeset(printed(KIND, one)).pages[0])]


def test_only_casters_have_a_dc_on_their_tents():
    stench = Feature("stench", "Stench", save="con", dc=12)
    casting = Feature("casting", "Spellcasting", text="It casts spells.", dc=14)
    for owned, dc in (((stench,), ""), ((stench, casting), "14")):
        ogre = Creature("ogre", "Ogre", features=owned)
        (tent,) = data_of(KIND, fight(Scene(), ogre, RosterEntry("ogre", "ogre")))["tents"]
        assert {one["name"]: one["value"] for one in tent["figures"]}["spell DC"] == dc


def test_lines_have_the_signs_of_their_costs_where_the_game_has_them():
    bite = Feature("bite", "Bite", "action", attack=5, damage="1d8 piercing", reach=2, price=3)
    eel = Creature("eel", "Eel", ac=12, hp=10, features=(bite,))
    for system, style, signed in (
        ("action_points", "points", True),
        ("pf2e", "traits", True),
        ("a5e", "classic", False),
    ):
        data = data_of(KIND, fight(Scene(system=system), eel, RosterEntry("eel", "eel")))
        (line,) = data["tents"][0]["lines"]
        assert (data["style"], line["signed"], line["price"]) == (style, signed, 3)


def test_a_breath_comes_before_attacks(press: Typesetter):
    claws = [Feature(f"claw-{n}", f"Claw {n}", "action", attack=5, damage="1d8 slashing", reach=5) for n in range(8)]
    again = Feature("roar", "Roar", "action", save="wis", dc=15, text="It roars.")
    breath = Feature("breath", "Breath", "action", recharge=5, save="dex", dc=15, damage="6d6 fire", half=True)
    drake = Creature("drake", "Drake", ac=12, hp=40, features=(*claws, again, breath))
    page = press.typeset(printed(KIND, fight(Scene(system="dnd5e"), drake, RosterEntry("drake", "drake")))).pages[0]
    words = " ".join(one.text for one in words_of(page))
    assert words.index("Breath") < words.index("Claw 0") < words.index("Also:") < words.index("Roar")


def test_a_casters_spells_are_named_and_long_speeds_are_whole(press: Typesetter):
    known = ("Bless", "Fly", "Blur", "Light", "Haste", "Slow", "Command", "Sleep", "Web")
    spells = [Feature(name.lower(), name, "action", properties=("spell",)) for name in known]
    speeds = (("walk", 50), ("fly", 200), ("swim", 50), ("climb", 30))
    mage = Creature("mage", "Mage", ac=12, hp=40, features=tuple(spells), speeds=speeds)
    page = press.typeset(printed(KIND, fight(Scene(system="dnd5e"), mage, RosterEntry("mage", "mage")))).pages[0]
    words = [one.text for one in words_of(page)]
    assert {"Spells:", "Bless,", "Web,", "3"} <= set(words)  # those with dice come first
    assert "Web" not in words
    assert {"200", "climb", "30"} <= set(words)
    assert not any("…" in word for word in words)


def test_attacks_without_room_are_named_or_counted(press: Typesetter):
    scary = Feature("s", "Scary", save="wis", dc=15)
    many = [scary] + [
        Feature(f"c{at}", f"Swing {at}", attack=6, damage="2d8+4 bludgeoning", reach=5) for at in range(20)
    ]
    ogre = msgspec.structs.replace(CLUB_OGRE, features=tuple(many))
    words = words_of(press.typeset(printed(KIND, fight(Scene(), ogre, RosterEntry("brute", "ogre")))).pages[0])
    texts = [one.text for one in words]
    shown = texts[: texts.index("Also:")].count("Swing")
    assert 3 <= shown < 20
    assert texts.count("Swing") == shown + 10
    assert texts[texts.index("+", texts.index("Also:")) + 1] == str(21 - shown - 10)
    assert "Scary" not in texts  # what deals damage comes first
    assert all(one.bottom <= TOP["a4"] + 2 * OF_FOES["a4"] for one in words)


def test_characters_have_boxes_for_the_initiative_of_eight_fights(press: Typesetter):
    hero = RosterEntry("hero", "ogre", "Mira", side="party", player="Nina")
    page = press.typeset(printed(KIND, fight(Scene(), OGRE, hero)), "svg").pages[0].decode()
    assert len(re.findall(r'<path[^>]*stroke-width="0\.8"', page)) == 8


def test_the_name_for_players_stands_outside_and_the_real_one_inside():
    records = (Scene(), OGRE, RosterEntry("b", "ogre", "Brute", count=2), RosterEntry("c", "ogre", "Chief"))
    fighting = (Combatant("c-1", "ogre", "Chief", "enemies", "c"), KnownName("c-1", "Tall one"))
    brutes, chief = data_of(KIND, fight(*records, *fighting, KnownName(kind_id("ogre"), "Shape")))["tents"]
    assert (brutes["name"], brutes["outside"]) == ("Brute 1–2", "Shape 1–2")
    assert (chief["name"], chief["outside"]) == ("Chief", "Tall one")
    met = data_of(KIND, fight(*records, KnownName(kind_id("ogre"))))["tents"]
    assert [one["outside"] for one in met] == ["Brute 1–2", "Chief"]


def test_allies_are_told_from_the_party():
    hero = RosterEntry("hero", "ogre", "Mira", side="party", player="Nina")
    guide = RosterEntry("guide", "ogre", "Guide", side="party")
    tents = data_of(KIND, fight(Scene(), OGRE, hero, guide, RosterEntry("foe", "ogre", "Foe")))["tents"]
    assert [(one["tone"], one["beside"]) for one in tents] == [("party", "Nina"), ("allies", "Ally"), ("enemies", "")]


def test_those_out_of_sight_at_first_are_on_sheets_of_their_own(press: Typesetter):
    entries = [RosterEntry("a", "ogre", "Alpha"), RosterEntry("b", "ogre", "Beta", wave="boat")]
    entries += [RosterEntry("c", "ogre", "Gamma", hidden=True), RosterEntry("d", "ogre", "Delta")]
    words = words_of(press.typeset(printed(KIND, fight(Scene(), OGRE, *entries))).pages[0])
    sheets = [{one.text for one in words if one.page == page} & {"Alpha", "Beta", "Gamma", "Delta"} for page in (1, 2)]
    assert sheets == [{"Alpha", "Delta"}, {"Beta", "Gamma"}]
    party = [RosterEntry(f"r{number}", "ogre", f"Hero {number}", player="Nina") for number in range(4)]
    world = Environment("race", "Race", actions=(EnvironmentEntry("wheel", "The wheel turns"),))
    sheets_of_all = press.typeset(printed(KIND, fight(Scene(), OGRE, *entries, *party, world)), "svg").pages
    assert len(sheets_of_all) == 2  # not three


def figures_of(*records: object) -> list[str]:
    tent = data_of(KIND, fight(*records))["tents"][0]
    return [one["value"] for one in tent["figures"]]


def test_the_back_has_armor_a_passive_score_the_dc_of_spells_points_and_speeds():
    brute = RosterEntry("brute", "ogre", "Brute")
    assert figures_of(Scene(), OGRE, brute) == ["11", "59", "8", "", "40 ft., climb 20 ft."]
    hexing = (Feature("a", "Hex", save="wis", dc=17), Feature("b", "Spellcasting", dc=15))
    shaman = msgspec.structs.replace(OGRE, features=hexing, passives=())
    assert figures_of(Scene(), shaman, brute)[2:4] == ["10", "15"]


def test_the_back_goes_by_the_game():
    hare = Creature("hare", "Hare", ac=15, hp=8, skills=(("perception", 6),))
    weak = RosterEntry("hare", "hare", adjustment="weak")
    assert figures_of(Scene(system="pf2e"), hare, weak)[:3:2] == ["13", "14"]  # weak: 2 less on everything
    assert figures_of(Scene(system="action_points"), hare, RosterEntry("hare", "hare"))[:2] == ["15", "8"]


def test_a_figure_that_nobody_has_takes_no_room():
    shaman = msgspec.structs.replace(OGRE, id="shaman", features=(Feature("b", "Spellcasting", dc=15),))
    tents = data_of(KIND, fight(Scene(), OGRE, shaman, RosterEntry("a", "ogre"), RosterEntry("b", "shaman")))["tents"]
    assert [[one["value"] for one in tent["figures"]][3] for tent in tents] == ["", "15"]


def test_a_group_has_one_tent_for_all_and_the_world_one_where_it_acts():
    band, more = RosterEntry("band", "ogre", count=4), RosterEntry("more", "ogre", count=2)
    places = [
        Environment("mill", "Mill", features=(EnvironmentEntry("dust", "Dust"),)),
        Environment("race", "Race", actions=(EnvironmentEntry("wheel", "The wheel turns"),)),
    ]
    named = [one["name"] for one in data_of(KIND, fight(Scene(), OGRE, band, more, places[0]))["tents"]]
    assert named == ["Ogre 1–4", "Ogre 5–6"]
    flood = Countdown("flood", "The flood")
    world = data_of(KIND, fight(Scene(), OGRE, band, *places, flood))["tents"][-1]
    assert (world["tone"], world["text"]) == ("world", "The wheel turns · The flood")


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize(("player", "count", "halves"), [("Nina", 8, OF_CHARACTERS), ("", 6, OF_FOES)])
def test_tents_of_an_exact_size_share_a_page_and_fold_in_the_middle(paper, player, count, halves, press: Typesetter):
    half = halves[paper]
    entries = [RosterEntry(f"r{number}", "ogre", f"Ogre of hill {number}x", player=player) for number in range(count)]
    page = press.typeset(printed(KIND, fight(Scene(), OGRE, *entries, paper=paper)), "svg")
    assert len(page.pages) == 1
    drawn = page.pages[0].decode()
    boxes = re.findall(r"M 0 0v ([\d.]+) ?h ([\d.]+) ?v -", drawn)
    strips = [
        (float(tall), float(wide)) for tall, wide in boxes if abs(float(wide) - WIDE) < 1 and float(tall) > MM * 50
    ]
    assert len(strips) == count
    assert all((tall, wide) == pytest.approx((2 * half, WIDE), abs=0.1 * MM) for tall, wide in strips)
    folds = re.findall(r'stroke-dasharray="[^"]*" transform="translate\(0 ([\d.]+)\)', drawn)
    assert [float(down) for down in folds] == pytest.approx([half] * count, abs=0.1 * MM)


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("player", "count", "shares"),
    [("Nina", 2, [2]), ("Nina", 8, [8]), ("Nina", 9, [6, 3]), ("Nina", 17, [6, 6, 5]), ("", 6, [6]), ("", 7, [4, 3])],
)
def test_tents_are_shared_evenly_among_sheets(player: str, count: int, shares: list[int], press: Typesetter):
    entries = [RosterEntry(f"r{number}", "ogre", f"Ogre of hill {number}x", player=player) for number in range(count)]
    pages = press.typeset(printed(KIND, fight(Scene(), OGRE, *entries)), "svg").pages
    assert [len(re.findall('stroke-dasharray="', page.decode())) for page in pages] == shares


@pytest.mark.parametrize("name", ["W" * 300, "many words " * 80, "Rindfleischetikettierungsüberwachung " * 5, "\n"])
def test_a_name_of_any_length_stays_on_its_tent(name: str, press: Typesetter):
    records = (Scene(), OGRE, RosterEntry("a", "ogre", name), RosterEntry("b", "ogre"))
    found = words_of(press.typeset(printed(KIND, fight(*records))).pages[0])
    middle, edge = 595.28 / 2, 595.28 / 2 - WIDE
    long = [one for one in found if one.left < middle]
    assert len(long) > 3
    assert all(edge <= one.left and one.right <= middle for one in long)
    assert all(one.top >= TOP["a4"] and one.bottom <= TOP["a4"] + 2 * OF_FOES["a4"] for one in long)


def test_bystanders_have_none_and_a_person_chooses_creatures():
    entries = (RosterEntry("a", "ogre", "A"), RosterEntry("b", "ogre", "B", bystander=True), RosterEntry("c", "hare"))
    records = (Scene(), OGRE, Creature("hare", "Hare"), *entries)
    assert [one["name"] for one in data_of(KIND, fight(*records))["tents"]] == ["A", "Hare"]
    assert [one["name"] for one in data_of(KIND, fight(*records, creatures=("hare",)))["tents"]] == ["Hare"]
    assert data_of(KIND, fight(Scene())) is None


def test_one_whose_stat_block_is_gone_has_a_tent_without_figures():
    tent = data_of(KIND, fight(Scene(), RosterEntry("a", "gone", "Ghost")))["tents"][0]
    assert (tent["name"], tent["initiative"]) == ("Ghost", "")
    assert not any(one["value"] for one in tent["figures"])
