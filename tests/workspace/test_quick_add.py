"""Quick add: counts, names, numbers, sides, and messages for mistakes in a line."""

import pytest

from tests.for_each import for_each
from tests.table import dnd5e
from turnwright.encounter.prepared import Creature
from turnwright.encounter.state import creature_id
from turnwright.importers.traits.powers import character_rules
from turnwright.workspace.party_table import PartyReader
from turnwright.workspace.quick_add import QuickAddError, read_quick_add

KNOWN = {"wolf": Creature("wolf", "Wolf", hp=11), "mira": Creature("mira", "Mira", ac=18, hp=44)}


def find(name):
    return KNOWN.get(name.casefold())


def read(line):
    return read_quick_add(line, find)


def test_a_line_with_all_its_figures():
    meant = read("3 bandit ac 12 hp 11 init +1")
    assert not meant.found_by_name
    assert (meant.entry.count, meant.name, meant.ac, meant.hp, meant.initiative) == (3, "Bandit", 12, 11, 1)
    assert (meant.entry.side, meant.entry.creature) == ("enemies", "bandit")
    assert (meant.command.creature, meant.command.entry) == (meant.creature, meant.entry)


@pytest.mark.parametrize(
    ("line", "count"), [("wolf", 1), ("2 wolf", 2), ("2x wolf", 2), ("x2 wolf", 2), ("4 × wolf", 4), ("12 wolves", 12)]
)
def test_counts_are_written_in_many_ways(line, count):
    meant = read(line)
    assert (meant.entry.count, meant.creature) == (count, KNOWN["wolf"])


@pytest.mark.parametrize(
    ("line", "side"), [("wolf", "enemies"), ("wolf party", "party"), ("2 wolf allies", "allies"), ("wolf neutral", "neutral")]
)  # fmt: skip
def test_the_side_stands_after_the_name(line, side):
    assert read(line).entry.side == side


def test_figures_of_a_known_creature_are_those_of_its_entry():
    meant = read("Mira party hp 40 level 5")
    assert meant.found_by_name
    assert meant.creature is KNOWN["mira"]
    assert (meant.entry.hp, meant.entry.ac, meant.entry.level) == (40, None, 5)
    assert (meant.hp, meant.ac) == (40, 18)


def test_names_of_several_words_and_minus_signs():
    meant = read("frost wolf pup, hp 4, init −2, speed 20")
    assert (meant.name, meant.creature.id) == ("Frost wolf pup", "frost-wolf-pup")
    assert (meant.creature.initiative, meant.creature.speeds) == (-2, (("walk", 20),))


@for_each(
    ("line", "key"),
    [
        ("", "empty"),
        ("3", "unknown"),
        ("hp 12", "no_name"),
        ("2 hp 12", "no_name"),
        ("ogre", "unknown"),
        ("ogre ac 12", "unknown"),
        ("0 wolf", "count"),
        ("999 wolf", "count"),
        ("wolf 12", "stray_number"),
        ("wolf hp 12 fast", "word"),
        ("wolf hp", "no_number"),
        ("wolf hp many", "no_number"),
        ("wolf hp 0", "range"),
        ("wolf ac 99", "range"),
    ],
)
def test_what_is_wrong_is_named(line, key):
    with pytest.raises(QuickAddError) as caught:
        read(line)
    assert caught.value.key == f"quick-add.{key}"


def test_every_error_has_words():
    from turnwright.storage.word_catalogue import WordCatalogue

    words = WordCatalogue.load()
    keys = ("empty", "no_name", "unknown", "count", "stray_number", "word", "no_number", "range")
    assert [key for key in keys if f"ui.quick-add.{key}" not in words] == []


@pytest.mark.parametrize(("name", "id"), [("Old Pike", "old-pike"), ("  K'thar!", "k-thar"), ("…", "creature")])
def test_ids_are_made_from_names(name, id):
    assert creature_id(name) == id


def test_who_is_new_has_what_is_usual_in_the_game():
    usual = Creature("", "", speeds=(("walk", 10),), reach=2)
    made = read_quick_add("bog eel hp 12", lambda _name: None, usual).creature
    assert (made.id, made.speeds, made.reach, made.hp) == ("bog-eel", (("walk", 10),), 2, 12)


def test_an_object_has_no_turn_and_is_destroyed_at_0():
    read = read_quick_add("gate ac 15 hp 27 object", lambda name: None)
    assert (read.creature.type, read.creature.speeds, read.ac, read.hp) == ("object", (), 15, 27)
    assert (read.entry.side, read.entry.bystander, read.entry.dying) == ("neutral", True, "dies")
    cart = read_quick_add("2 war cart hp 30 speed 40 vehicle foes", lambda name: None)
    assert (cart.entry.count, cart.entry.side, cart.creature.speeds) == (2, "enemies", (("walk", 40),))
    assert read_quick_add("Cart object", lambda name: Creature("cart", "Cart", hp=9)).entry.bystander
    assert not read_quick_add("ogre hp 40", lambda name: None).entry.bystander


def test_effects_follow_with():
    meant = read("2 wolf ac 12 with bless +1d4 attack, saves 1m held with poisoned")
    assert (meant.entry.count, meant.entry.ac) == (2, 12)
    assert meant.entry.effects == ("bless +1d4 attack, saves 1m held", "poisoned")
    assert read('bandit hp 11 with "Bond with fey" 3').entry.effects == ('"Bond with fey" 3',)
    assert (read("man with dog hp 5").name, read("man with dog hp 5").entry.effects) == ("Man with dog", ())
    with pytest.raises(QuickAddError, match=r"quick-add\.unknown"):
        read("nobody with bless")
    with pytest.raises(QuickAddError, match=r"quick-add\.effect"):
        read_quick_add("wolf with mark +1 luck", find, unread=lambda _text: "luck")


def read_character(line, left_out=(), game=dnd5e):
    return read_quick_add(line, find, game().new_creature("", ""), character_rules(game().data), left_out)


def names(meant):
    return {feature.name for feature in meant.creature.features}


def test_a_class_and_a_level_make_a_character_of_the_party_with_its_features():
    meant = read_character("Aria cleric 5")
    assert (meant.name, meant.entry.side, meant.entry.level, meant.entry.player) == ("Aria", "party", 5, "")
    assert read_character("Aria cleric 5 allies").entry.player == ""
    assert read_character("2 guards fighter 1").entry.player == ""
    creature = meant.creature
    assert (creature.level, creature.proficiency, creature.spellcasting, creature.hp) == (5, 3, "wis", 8 + 4 * 5)
    assert {feature.name for feature in meant.offered} == names(meant) == {"Channel Divinity", "Turn Undead"}


def test_a_new_character_has_the_usual_numbers_of_the_table_of_a_party():
    usual = PartyReader(dnd5e(), character_rules(dnd5e().data), find, str).character
    blank, classes = dnd5e().new_creature("", ""), character_rules(dnd5e().data)
    meant = read_quick_add("Aria cleric 5 ac 19", find, blank, classes, {"turn-undead"}, character=usual)
    mace = next(each for each in meant.creature.features if each.name == "Mace")
    assert (meant.ac, meant.hp, mace.attack, mace.assumed) == (19, 38, 5, ("attack", "damage"))
    assert "hp" in meant.creature.assumed
    assert "ac" not in meant.creature.assumed
    assert "Turn Undead" not in names(meant)
    assert read_quick_add("Bo champion 5", find, blank, classes, character=usual).creature.level == 5


def test_several_classes_and_an_ancestry_add_up():
    meant = read_character("Aria halfling fighter 3 rogue 2 ac 16 hp 40 init +3")
    assert (meant.creature.level, meant.ac, meant.hp, meant.initiative) == (5, 16, 40, 3)
    expected = {"Lucky", "Brave", "Second Wind", "Action Surge", "Sneak Attack", "Cunning Action"}
    assert names(meant) == expected
    sneak = next(each for each in meant.creature.features if each.name == "Sneak Attack")
    assert [rule.dice for rule in sneak.rules] == ["1d6"]


def test_a_subclass_brings_its_class_along():
    assert {"Improved Critical", "Second Wind", "Extra Attack"} <= names(read_character("Bo champion 5"))
    assert {"Preserve Life", "Turn Undead"} <= names(read_character("Bo life cleric 5"))


def test_effects_follow_the_class():
    meant = read_character("Aria cleric 5 with bless 1m")
    assert (meant.name, meant.hp, meant.entry.effects) == ("Aria", 28, ("bless 1m",))
    assert {feature.name for feature in meant.offered} == {"Channel Divinity", "Turn Undead"}


def test_features_can_be_left_out():
    meant = read_character("Aria rogue 5", {"uncanny-dodge"})
    assert "Uncanny Dodge" in {feature.name for feature in meant.offered}
    assert names(meant) == {"Sneak Attack", "Cunning Action"}


def test_a_class_is_added_to_a_known_creature():
    meant = read_character("Mira fighter 2")
    assert meant.found_by_name
    assert (meant.creature.hp, meant.creature.ac, meant.entry.hp) == (44, 18, None)
    assert names(meant) == {"Second Wind", "Action Surge"}


@pytest.mark.parametrize("line", ["Elf 3", "Aria cleric", "Aria cleric 21", "Aria cleric 0"])
def test_a_class_needs_a_name_and_a_level(line):
    with pytest.raises(QuickAddError):
        read_character(line)


@pytest.mark.parametrize("line", ["3 bandit ac 12 hp 11 init +1", "wolf party level 5", "2x wolf"])
def test_other_lines_mean_the_same_with_classes(line):
    assert read_character(line) == read_quick_add(line, find, dnd5e().new_creature("", ""))
