"""The spell list: the spells of each caster in columns, with its numbers and slots."""

from __future__ import annotations

import msgspec
import pytest

from tests.handouts import samples
from tests.handouts.kinds.test_spell_cards import mage
from tests.handouts.printed_creatures import pdf, text_of, words_on
from turnwright.encounter.prepared import Scene
from turnwright.encounter.state import Encounter
from turnwright.handouts.kinds.spell_list import KIND
from turnwright.handouts.page_input import PAPERS, PrintOptions


def table(**options):
    first = msgspec.structs.replace(mage("one", "Fireball", "Fly"), slots=(("3", 2), ("4", 1)))
    second = mage("two", "Fireball", "Summon the Tide")
    return samples.packet(Encounter([Scene(system="dnd5e"), first, second]), KIND.id, options=PrintOptions(**options))


def test_a_caster_has_its_numbers_slots_and_spells_and_refers_to_an_earlier_one():
    (section,) = table().sections
    one, two = section.data["casters"]
    assert one["numbers"] == two["numbers"] == ["DC 15", "+7 to hit"]
    assert (list(one["slots"]), list(two["slots"])) == ([("3", 2), ("4", 1)], [])
    assert [spell["name"] for spell in two["spells"]] == ["Summon the Tide", "Fireball"]
    (page,) = text_of(pdf(table()))
    assert "as for one" in " ".join(page.split())
    assert "See your rule book." in " ".join(page.split())


def test_without_casters_there_are_no_pages():
    assert samples.packet(Encounter([Scene()]), KIND.id).sections == ()


@pytest.mark.parametrize("paper", PAPERS)
def test_nothing_leaves_the_paper(paper):
    width, height = PAPERS[paper]
    words = words_on(pdf(table(paper=paper)))
    assert all(12 < word.left < word.right < width - 12 and 0 < word.top < word.bottom < height for word in words)


def test_the_columns_of_each_caster_are_even_and_begin_under_its_name():
    names = ("Fireball", "Fly", "Haste", "Slow", "Web", "Shield", "Sleep", "Light", "Invisibility")
    casters = [mage("one", *names), mage("two", *names[:6], "Blur")]
    words = words_on(pdf(samples.packet(Encounter([Scene(system="dnd5e"), *casters]), KIND.id)))
    heads = {word.text: word for word in words if word.text in ("one", "two") and round(word.left) == 13}
    assert heads.keys() == {"one", "two"}
    below = [word for word in words if word.bottom < heads["one"].top - 1 or word.top > heads["one"].bottom + 1]
    assert {int((word.left - 12) // 62) for word in below} >= {0, 1, 2}
    assert abs(heads["one"].top - heads["two"].top) > 15
