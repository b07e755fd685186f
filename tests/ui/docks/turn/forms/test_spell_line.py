"""The line of the spell card: a known spell with slot and targets, or any spell with its numbers."""

import pytest

from tests.for_each import for_each
from tests.table import a5e, action_points, creature, dnd5e, pf2e
from turnwright.encounter.prepared import Feature
from turnwright.rules.parts.actions.condition_words import LineWords
from turnwright.ui.docks.turn.forms.spell_line import SpellWords, known_spells, nearest_spell, read_spell

SAVES = (("wis", ("Wisdom", "WIS", "Will")), ("dex", ("Dexterity", "DEX", "Ref")))
PEOPLE = (("a", "ogre-1", "Ogre 1"), ("b", "ogre-2", "Ogre 2"), ("c", "mira", "Mira"))
GAMES = {"dnd5e": dnd5e, "a5e": a5e, "pf2e": pf2e, "action_points": action_points}


def words_of(game="dnd5e", *features):
    rules = GAMES[game]()
    kinds = tuple(kind.id for kind in rules.data.damage_types)
    spells = known_spells(rules, creature("mira", features=features))
    return SpellWords(spells, LineWords(kinds, (), SAVES, ()), PEOPLE, rules)


def own(name, level=1, **more):
    return Feature(name.lower().replace(" ", "-"), name, "action", level=level, properties=("spell",), **more)


@for_each(
    ("line", "name", "number", "targets"),
    [
        ("ho 3 b", "Hold Person", 3, ["ogre-2"]),
        ("fireball, 4, a,b c", "Fireball", 4, ["ogre-1", "ogre-2", "mira"]),
        ("cure mira", "Cure Wounds", 0, ["mira"]),
        ("cure on ogre 2", "Cure Wounds", 0, ["ogre-2"]),
        ("light c", "Light", 0, ["mira"]),
        ("fire b", "Fire Bolt", 0, ["ogre-2"]),
        ("Fire Bolt a", "Fire Bolt", 0, ["ogre-1"]),
        ("det", "Detect Evil and Good", 0, []),
    ],
)
def test_a_known_spell_is_read_with_its_slot_and_targets(line, name, number, targets):
    read = read_spell(line, words_of())
    assert (read.known.name, read.number, list(read.targets), read.unknown) == (name, number, targets, "")


@pytest.mark.parametrize("game", GAMES)
def test_any_other_spell_is_read_with_its_numbers(game):
    kind = "acid" if game in ("dnd5e", "a5e", "pf2e") else words_of(game).line.kinds[0]
    read = read_spell(f"toll the dead wis15 half 2d8 {kind} a", words_of(game))
    assert (read.known, read.name, read.save, read.dc, read.half) == (None, "toll the dead", "wis", 15, True)
    assert (read.damage, read.targets) == (f"2d8 {kind}", ("ogre-1",))
    read = read_spell("hex of ages a b +1d4 attack, saves 1h held", words_of(game))
    assert (read.name, read.rules, read.lasts, read.is_held) == ("hex of ages", "+1d4 attack, saves", "1 hour", True)
    assert read.targets == ("ogre-1", "ogre-2")


def test_a_hex_is_read_with_its_damage_time_and_concentration():
    read = read_spell("hex +1d6 damage-against 1h held a", words_of())
    assert (read.name, read.rules, read.lasts, read.is_held) == ("hex", "+1d6 damage-against", "1 hour", True)
    assert (read.targets, read.unknown) == (("ogre-1",), "")


def test_attacks_healing_and_quoted_names():
    read = read_spell('"Ray 5" 2 attack 7 1d6 cold + 1d4 fire ogre 2', words_of())
    assert (read.name, read.number, read.attacks, read.attack) == ("Ray 5", 2, True, 7)
    assert (read.damage, read.targets) == ("1d6 cold + 1d4 fire", ("ogre-2",))
    assert read_spell("balm heals 2d8+3 c", words_of()).heals == "2d8+3"
    assert read_spell("jolt atk 1d6 a", words_of()).attack is None


def test_the_casters_own_spells_come_first_then_those_that_its_text_names():
    words = words_of("dnd5e", own("Wall of Fire", 4))
    assert read_spell("fire", words).known.feature.name == "Wall of Fire"
    assert read_spell("fire", words_of()).known.name == "Fire Bolt"
    prepared = Feature("spellcasting", "Spellcasting", "trait", text="Level 3: Fireball, Fly.")
    names = [known.name for known in words_of("dnd5e", prepared).spells]
    assert names[:2] == ["Fireball", "Fly"]


@pytest.mark.parametrize(
    ("line", "unknown"),
    [
        ("fireball orge", "orge"),
        ("sparks wis15 2d8 necrotik", "necrotik"),
        ("ward +2 luck", "luck"),
        ("gloom mind18 half 2d6 cold a", "mind18"),
        ("ho 3 4", "4"),
    ],
)
def test_a_word_that_is_not_understood_is_named(line, unknown):
    assert read_spell(line, words_of()).unknown == unknown


def test_a_name_without_numbers_can_be_a_typing_mistake():
    assert read_spell("fireblal", words_of()).known is None
    assert nearest_spell("fireblal", words_of()) == "Fireball"
    assert nearest_spell("winds of change", words_of()) == ""


def test_the_shortest_letters_of_a_spell_are_its_own():
    words = words_of("dnd5e", own("Hold Person"), own("Hold Monster"))
    assert [words.shortest(known) for known in words.spells[:2]] == ["h", "hold m"]
