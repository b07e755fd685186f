"""The party sheet: every character of the players with its figures, no foe, and never for the players."""

from __future__ import annotations

import msgspec
import pytest

from tests.handouts.sample_pages import data_of, fight, outside, printed, sample, source, text_of, words_of
from tests.handouts.samples import ON_A_PAPER, packet
from turnwright.encounter.prepared import Creature, Feature, RosterEntry, Scene
from turnwright.handouts.kinds.party_sheet import KIND
from turnwright.handouts.page_input import PrintOptions
from turnwright.handouts.typesetter import Typesetter
from turnwright.handouts.typography import NO_BREAK, typographic

ANN = Creature(
    "ann", "Ann", ac=16, hp=30, level=3, abilities=(("dex", 14), ("wis", 16)), skills=(("perception", 5),),
    languages=("Elvish",), notes="Left-handed.", features=(Feature("light", "Light", save="dex", dc=13), Feature("ray", "Ray", save="con", dc=15)),
)  # fmt: skip
OGRE = Creature("ogre", "Ogre", ac=11, hp=59)
HERE = (
    Scene(system="dnd5e"),
    ANN,
    OGRE,
    RosterEntry("ann", "ann", side="party", player="Nina", level=3),
    RosterEntry("ogre", "ogre"),
)


def test_a_character_has_its_figures_and_no_foe_is_there():
    data = data_of(KIND, fight(*HERE))
    (row,) = data["rows"]
    assert (row["name"], row["player"], row["level"]) == ("Ann", "Nina", 3)
    figures = dict(zip(data["columns"], row["figures"], strict=True))
    assert (figures["AC"], figures["HP"], figures["DC"]) == ("16", "30", "15")
    assert (figures["Perception"], figures["Insight"]) == ("15", "13")
    saves = dict(zip(data["saves"], row["saves"], strict=True))
    assert set(saves) == {"Str", "Dex", "Con", "Int", "Wis", "Cha"}
    assert (saves["Dex"], saves["Wis"]) == ("+2", "+3")
    assert (row["sign"], row["notes"]) == ("An", "Left-handed.")
    assert any("Elvish" in line["text"] for line in row["lines"])


def test_assumed_numbers_have_a_sign_and_the_level_may_be_the_stat_blocks():
    ann = msgspec.structs.replace(ANN, assumed=("hp", "saves"))
    (row,) = data_of(KIND, fight(HERE[0], ann, RosterEntry("ann", "ann", side="party", role="character")))["rows"]
    assert (row["figures"][:2], row["level"]) == (["16", "≈ 30"], 3)


def test_without_a_character_there_is_no_page():
    assert data_of(KIND, fight(Scene(), OGRE, RosterEntry("ogre", "ogre"))) is None


def test_players_do_not_get_it():
    from turnwright.encounter.state import Encounter

    assert packet(Encounter(HERE), KIND.id, options=PrintOptions(edition="players")).sections == ()


@pytest.mark.sampled(4)
@ON_A_PAPER
def test_every_sample_has_its_characters_on_one_page(name: str, paper: str, press: Typesetter):
    origin = source(sample(name), paper=paper)
    pages = press.typeset(printed(KIND, origin)).pages
    text = text_of(pages[0])
    data = data_of(KIND, origin)
    assert all(save in text for save in data["saves"])
    for row in data["rows"]:
        assert typographic(row["name"]).replace(NO_BREAK, " ") in text
    assert outside(pages[0]) == []
    assert len(press.typeset(printed(KIND, origin), "png", 10).pages) == 1


@pytest.mark.sampled(1)
@pytest.mark.parametrize("count", [1, 40])
def test_many_characters_go_on_overleaf(count: int, press: Typesetter):
    entries = [
        RosterEntry(f"ann-{number}", "ann", name="N" * 60, side="party", player="P" * 60) for number in range(count)
    ]
    pages = press.typeset(printed(KIND, fight(Scene(system="dnd5e"), ANN, *entries)), "png", 10).pages
    assert (len(pages) > 1) == (count > 1)


def test_allies_are_under_a_heading_of_their_own(press: Typesetter):
    records = (Scene(), Creature("a", "A"), RosterEntry("guide", "a", "Guide", side="party"))
    origin = fight(*records, RosterEntry("hero", "a", "Mira", side="party", player="Nina"))
    assert [(row["name"], row["ally"]) for row in data_of(KIND, origin)["rows"]] == [("Mira", False), ("Guide", True)]
    words = {one.text.casefold(): one.top for one in words_of(press.typeset(printed(KIND, origin)).pages[0])}
    assert words["mira"] < words["allies"] < words["guide"]
