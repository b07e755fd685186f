"""Spell cards: one for each spell of the chosen casters, on sheets with other cards, and no text without data."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from tests.handouts import samples
from tests.handouts.kinds.test_creature_cards import off_their_cards
from tests.handouts.printed_creatures import OF_EACH_GAME, packet, pdf, shipped, squeezed, text_of, words_on
from tests.handouts.test_spell_texts import LIST, cast
from tests.table import a5e, creature
from turnwright.bootstrap import RuleSystems
from turnwright.encounter.prepared import Creature, RosterEntry, Scene
from turnwright.encounter.state import Encounter
from turnwright.handouts.kinds.spell_cards import KIND
from turnwright.handouts.page_input import CUT_SHEET, PrintOptions


def mage(id: str, *names: str, dc: int = 15, name: str = "") -> Creature:
    return creature(id, name=name or id, features=(msgspec.structs.replace(LIST, dc=dc), *map(cast, names)))


def cards(*records: Any, **options: Any) -> list[dict[str, Any]]:
    made = samples.packet(
        Encounter([Scene(system="dnd5e"), *records]), KIND.id, options=PrintOptions(**options)
    ).sections
    return [card for section in made for card in section.data["cards"]]


def test_casters_with_the_same_numbers_share_a_card() -> None:
    found = cards(mage("one", "Fireball"), mage("two", "Fireball", "Fly"), mage("three", "Fireball", dc=17))
    assert [(card["name"], card["casters"]) for card in found] == [
        ("Fireball", ["one", "two"]),
        ("Fireball", ["three"]),
        ("Fly", ["two"]),
    ]


def test_casters_with_other_numbers_or_uses_share_a_printed_card() -> None:
    """Each DC and number of uses is after the name of its caster, unless all have the same."""
    often = creature("often", name="often", features=(LIST, cast("Fireball", uses=2), cast("Fly")))
    encounter = Encounter([Scene(system="dnd5e"), mage("one", "Fireball"), mage("two", "Fireball", dc=17), often])
    (page,) = text_of(pdf(samples.packet(encounter, KIND.id)))
    text = " ".join(page.split())
    assert text.count("Fireball") == 1
    assert "often (DC 15, 2/day)" in text
    assert "two (DC 17)" in text
    assert "Dexterity save, 28 (8d6) fire" in text
    assert "DC 15 Dexterity" not in text
    (page,) = text_of(pdf(samples.packet(Encounter([Scene(system="dnd5e"), mage("one", "Fireball")]), KIND.id)))
    assert "DC 15 Dexterity save" in " ".join(page.split())


def test_foes_are_the_default_and_players_get_only_their_own() -> None:
    party = RosterEntry("ann", "ann", side="party", player="Ann")
    both = (mage("ann", "Fly"), mage("lich", "Fireball"), party, RosterEntry("lich", "lich"))
    assert [card["name"] for card in cards(*both)] == ["Fireball"]
    assert [card["name"] for card in cards(*both, party=True)] == ["Fireball", "Fly"]
    assert [card["name"] for card in cards(*both, edition="players")] == ["Fly"]
    assert cards(creature("rat")) == []


def test_a_spell_without_data_refers_to_the_rule_book() -> None:
    encounter = Encounter([Scene(system="dnd5e"), mage("one", "Summon the Tide", "Fireball")])
    (page,) = text_of(pdf(samples.packet(encounter, KIND.id)))
    assert page.count("See your rule book.") == 1
    assert page.index("Summon the Tide") < page.index("See your rule book.")


def test_spells_share_the_sheet_of_their_casters() -> None:
    encounter = Encounter([Scene(system="dnd5e"), mage("one", "Fireball", "Fly")])
    made = samples.packet(encounter, KIND.id, "creature-cards")
    assert [section.kind for section in made.sections] == [CUT_SHEET]
    (page,) = text_of(pdf(made))
    assert "Fireball" in page


def test_a_spell_with_much_to_say_continues_on_the_back() -> None:
    saga = "\n".join(
        f"Line{number}z of a long spell, with more words than a card has room for." for number in range(70)
    )
    made = packet(KIND, [creature("bard", features=(cast("Saga", 9, text=saga),))], a5e())
    pages = text_of(pdf(made))
    assert len(pages) > 1
    assert [number for number in range(70) if "".join(pages).count(f"Line{number}z") != 1] == []
    assert off_their_cards(words_on(pdf(made)), made) == []


@pytest.mark.sampled(1)
@OF_EACH_GAME
@pytest.mark.parametrize("card", ["poker", "index"])
def test_every_spell_of_a_shipped_caster_is_on_its_cards(system: str, step: int, card: str) -> None:
    made = packet(KIND, shipped(system)[:: 3 * step], RuleSystems().get(system), card=card, paper="letter")
    printed = pdf(made)
    assert off_their_cards(words_on(printed), made) == []
    text = squeezed("".join(text_of(printed)))
    every = [card for section in made.sections for card in section.data["cards"]]
    assert every
    assert [card["name"] for card in every if squeezed(card["name"]) not in text] == []
