"""The words of stat blocks and spell lists are those of a book: no leftovers of files, records or the engine.

Each kind of leftover is counted over every creature that ships and, in the soak, over those of other programs. A creature
whose source has a mistake that no rule repairs is listed with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import pytest
from msgspec.structs import replace

from tests.handouts.printed_creatures import OF_EACH_GAME, shipped
from tests.handouts.printed_numbers import block_of, lines_of_block
from tests.handouts.test_printed_numbers import source_of
from turnwright.encounter.prepared import Creature, Feature, FeatureStep, InflictedCondition, OtherDamage, SourceNote
from turnwright.handouts.kinds import running_sheet
from turnwright.handouts.spell_texts import SpellTexts
from turnwright.importers.files.import_files import read_paths
from turnwright.importers.results import ImportedRecord

KINDS: Final[Mapping[str, str]] = {
    "a word twice": r"(?i)(?<![\w'’-])([a-z]{2,}) \1(?![\w'’-])",
    "a small abbreviation": r"\b(?:dc|ac) \d",
    "a name of a field": r"\b[a-z]+[A-Z][a-z]+|[a-z]_[a-z]|\d/long-?[rR]est\b",
    "miles in feet": r"\b\d*(?:5280|26400|528000) ?(?:feet|foot|ft)",
    "a word of the engine": r"\bthe source's next\b|\buntyped\b|\badv\b|handout\.|ui\.[a-z]|\bCast it without\b|\bWithout a map\b",
    "markup": r"[<>{}]|&\w+;|@\w+\[|\[\[|\]\]|\*\*",
    "a stray stop": r"(?<![.…])\.\.(?!\.)|  |\(\)| [,;.](?!\d)|[;,]\.|: \.|,,|:;",
    "a number of uses without its word": r":: [×x]\d|[.:;] [×x]\d+\.",
    "the edition of a spell": r"\(20\d\d\)",
    "a DC of nothing": r"\bDC 0\b|(?:^|(?<=\. ))Is elsewhere\.",
    "a number between dice": r"d\d+\+\d+\+\d+d",
    "an average without parentheses": r"(?<![Ss]tage )(?<![-+.,/(\d])\b\d+ \d+d\d+\b(?! to )",
    "a list of spells twice": r"(?<=[:,] )([A-Z][\w’' ]+), \1(?=[,.;\n]|$)",
    "a kind of damage twice": r"\b(slashing|piercing|bludgeoning|fire|cold) \1\b",
}
# Mistakes of single files: text that a program fills in, words run together, and signs that are missing or too many.
SOURCES: Final[Mapping[str, frozenset[str]]] = {
    "a name of a field": frozenset({"Tidal Master", "Titanic Flytrap"}),
    "a stray stop": frozenset(
        {
            "Aboleth",
            "Adult Brass Dragon",
            "Adult Earth Dragon",
            "Ancient Black Dragon",
            "Grimlock Technical",
            "Quasit",
            "Jackalope",
            "Imp",
            "Giant Seahorse",
            "Giant Goat",
            "Ancient Shadow Dragon",
            "Ancient Sapphire Dragon",
            "Ancient Gold Dragon",
            "Ancient Bronze Dragon",
            "Kobold Sorcerer",
            "Barbed Devil",
            "Pixie",
            "Revilock",
            "Young Brass Dragon",
        }
    ),
}


def printed(creature: Creature, system: str) -> Iterator[str]:
    """Yield the texts of a creature's stat block, of its lines on the running sheet, and of its spells."""
    source = source_of(creature, system)
    (group,) = running_sheet.make(source).sections[0].data["sides"][0]["groups"]
    yield from (
        part for line in group["lines"] for part in (line["name"], *line["limits"], *line["figures"], line["text"])
    )
    yield from (text for line in lines_of_block(block_of(creature, source)) for text in line["text"])
    for caster in SpellTexts(source).casters():
        for spell in caster["spells"]:
            yield from (*spell["text"], *spell["higher"])


def leftovers(creatures: Iterable[Creature], system: str) -> list[tuple[str, str, str]]:
    """Return the leftovers in print: the creature, the kind and the text."""
    found = [(creature.name, text) for creature in creatures for text in printed(creature, system)]
    kinds = [(kind, re.compile(pattern)) for kind, pattern in KINDS.items()]
    return [
        (name, kind, text)
        for name, text in found
        for kind, pattern in kinds
        if pattern.search(text) and name not in SOURCES.get(kind, ())
    ]


@OF_EACH_GAME
def test_nothing_of_the_program_is_printed_for_creatures_that_ship(system: str, step: int) -> None:
    assert leftovers(shipped(system)[:: 4 * step - 3], system) == []


@pytest.mark.soak
def test_nothing_of_files_is_printed_for_creatures_of_other_programs(real_data: Path) -> None:
    read = [result for _, result in read_paths([real_data]) if isinstance(result, ImportedRecord)]
    creatures = [(result.system, result.record) for result in read if isinstance(result.record, Creature)]
    assert len(creatures) > 4000
    assert [found for system, creature in creatures for found in leftovers([creature], system)] == []
    assert [found for system, creature in creatures for found in told_twice([creature], system)] == []


def told_twice(creatures: Iterable[Creature], system: str, *, on_tents: bool = False) -> list[tuple[str, str, str]]:
    """Return the lines of running sheets that aren't attacks with a save, dice or uses before the text and in it.

    Tents have no texts, so their lines have all numbers.
    """
    found = []
    for creature in creatures:
        source = source_of(creature, system)
        (group,) = running_sheet.make(source).sections[0].data["sides"][0]["groups"]
        for line in (each for each in group["lines"] if not each["to_hit"]):
            figures = "; ".join(line["brief"]["figures"] if on_tents else line["figures"])
            dice = [
                each for each in re.findall(r"\d+d\d+(?:[+−]\d+)?", figures) if each in line["text"].replace(" ", "")
            ]
            save = re.search(r"(Str|Dex|Con|Int|Wis|Cha|Fort|Ref|Will) DC (\d+)", figures)
            is_asked = save and re.search(rf"\bDC {save[2]} (?:basic )?{save[1]}\w* sav", line["text"])
            often = {"1/day", "1/round", "1/hour", "1/turn"}.intersection(line["limits"])
            is_limited = often and re.search(
                r"(?i)Frequency:? once per (?:day|round|hour|turn)(?:[.;]|$)", line["text"]
            )
            if is_asked or is_limited or (dice and save):
                found.append((creature.name, line["name"], f"{figures}: {line['text']}"))
    return found


@OF_EACH_GAME
def test_no_number_is_told_twice_for_creatures_that_ship(system: str, step: int) -> None:
    assert told_twice(shipped(system)[:: 4 * step - 3], system) == []


def test_numbers_that_are_told_twice_are_found() -> None:
    roar = Feature(
        "roar", "Roar", "action", save="wis", dc=13, text="Each foe makes a DC 13 Wisdom save, or flees until it rests."
    )
    assert told_twice([Creature("ogre", "Ogre", features=(roar,))], "dnd5e") == []
    assert told_twice([Creature("ogre", "Ogre", features=(roar,))], "dnd5e", on_tents=True) != []


def lines(system: str, *features: Feature) -> dict[str, str]:
    """Return the lines of a stat block by the names of their features."""
    block = block_of(Creature("ogre", "Ogre", features=features), source_of(Creature("ogre", "Ogre"), system))
    return {line["name"]: "\n".join(line["text"]) for group in block["features"] for line in group["lines"]}


def test_each_kind_of_leftover_is_found_and_mended() -> None:
    held = InflictedCondition("grabbed", ends="owner-end", escape_dc=21, degree="failure")
    sword = Feature(
        "sword", "Long Sword", "action", attack=9, damage="1d8+4 slashing", properties=("versatile-p", "weapon"), price=1,
        other_damage=(OtherDamage("piercing", "1d8+4 piercing"),),
    )  # fmt: skip
    grab = Feature("grab", "Seize", "action", save="con", dc=21, afflictions=(held,), price=1)
    far = Feature("far", "Far Thoughts", "trait", range="528000", damage="1d6 untyped", text="It hears others")
    told = lines("pf2e", sword, grab, far)
    assert told["Long Sword"].startswith("long sword +9")
    assert "(versatile P), Damage 1d8+4 slashing, or 1d8+4 piercing." in told["Long Sword"]
    assert "Failure: grabbed (ends at the end of this creature's next turn, escape DC 21)." in told["Seize"]
    assert told["Far Thoughts"] == "Range 100 miles: 1d6. It hears others."
    assert leftovers([Creature("ogre", "Ogre", features=(sword, grab, far))], "pf2e") == []
    torn = Feature("torn", "Torn", text="It takes fire fire damage .. from a {count} dc 12")
    assert {kind for _, kind, _ in leftovers([Creature("ogre", "Ogre", features=(torn,))], "dnd5e")} == {
        "a word twice", "a kind of damage twice", "a small abbreviation", "markup", "a stray stop",
    }  # fmt: skip


def test_a_multiattack_that_its_text_explains_is_told_once() -> None:
    bite, claw = (
        Feature(name.lower(), name, "action", attack=5, damage="1d6") for name in ("Bite (Wolf Form Only)", "Claw")
    )
    bite = Feature("bite", "Bite (Wolf Form Only)", "action", attack=5, damage="1d6")
    text = "The ogre bites once with its bite, and then makes two claw attacks against others."
    both = Feature("multiattack", "Multiattack", "action", text=text, multiattack=((("bite", 1), ("claw", 2)),))
    short = Feature("multiattack", "Multiattack", "action", multiattack=((("bite", 1), ("claw", 2)),))
    creature = Creature("ogre", "Ogre", features=(both, bite, claw))
    line = next(iter(block_of(creature, source_of(creature, "dnd5e"))["features"]))["lines"][0]
    assert (line["limits"], line["text"]) == ("", [text])
    creature = Creature("ogre", "Ogre", features=(short, bite, claw))
    line = next(iter(block_of(creature, source_of(creature, "dnd5e"))["features"]))["lines"][0]
    assert line["limits"] == "1 × Bite (Wolf Form Only), 2 × Claw"


def test_an_attack_of_a_rank_that_its_text_gives_ends_in_one_stop() -> None:
    ray = Feature("ray", "Ray of the weir", "action", attack=9, range="60", damage="2d4 cold", text="Rank 3.", price=2,
                  properties=("spell",))  # fmt: skip
    assert lines("pf2e", ray)["Ray of the weir"] == "Attack +9, range 60 feet. Damage 2d4 cold."


def sheet_lines(system: str, *features: Feature) -> dict[str, Any]:
    """Return the lines of a running sheet by the names of their features."""
    source = source_of(Creature("ogre", "Ogre", features=features), system)
    (group,) = running_sheet.make(source).sections[0].data["sides"][0]["groups"]
    return {line["name"]: line for line in group["lines"]}


def test_nameless_parts_of_a_feature_are_in_its_text() -> None:
    """A part with a text of its own keeps its line, and so does one whose feature has no text."""
    bite = Feature("bite", "Bite", "action", attack=5, damage="1d6", text="A creature that dies is cursed.")
    dies = Feature("bite-death", "Bite (death)", "free", short="Its corpse rises.")
    hybrid = Feature("bite-hybrid", "Bite (Hybrid Form)", "action", attack=5, damage="2d6", text="It holds on.")
    throw = Feature("club-thrown", "Club (thrown)", "action", attack=5, damage="1d6")
    club = Feature("club", "Club", "action", attack=5, damage="1d6")
    assert [*sheet_lines("dnd5e", bite, dies, hybrid, throw, club)] == [
        "Bite",
        "Bite (Hybrid Form)",
        "Club (thrown)",
        "Club",
    ]
    parry = Feature("parry", "Parry", "reaction", trigger="hit", text="It parries.")
    turn = Feature("parry-turn", "Parry (turn)", "free", short="It turns.")
    parry = replace(parry, short="It parries it.")
    assert [*sheet_lines("dnd5e", bite, dies, parry, turn)] == ["Bite", "Parry"]
    assert sheet_lines("dnd5e", parry, turn)["Parry"]["text"] == "It parries it. It turns."
    short = replace(bite, short="The dead are cursed.")
    assert sheet_lines("dnd5e", short, dies)["Bite"]["text"] == "The dead are cursed. Its corpse rises."


@pytest.mark.parametrize(
    ("ways", "told"),
    [
        (((("a", 2),), (("a", 1), ("b", 1)), (("b", 2),)), "2 × Axe or Bow in any combination"),
        (((("a", 2),), (("b", 2),)), "2 × Axe or 2 × Bow"),
        (((("a", 2),), (("a", 1), ("b", 2)), (("b", 2),)), "2 × Axe or 1 × Axe, 2 × Bow or 2 × Bow"),
        (((("a", 1), ("b", 1)),), "1 × Axe, 1 × Bow"),
    ],
)
def test_a_multiattack_of_any_combination_is_told_in_short(ways: Any, told: str) -> None:
    axe, bow = (Feature(name[0].lower(), name, "action", attack=5, damage="1d6") for name in ("Axe", "Bow"))
    both = Feature("multiattack", "Multiattack", "action", multiattack=ways)
    assert sheet_lines("dnd5e", both, axe, bow)["Multiattack"]["limits"] == [told]


def test_spells_stand_under_the_ranks_of_their_list_without_its_dc() -> None:
    text = """Its spellcasting ability is Charisma (save DC 16, +8 to hit). It can cast Blur at will and knows the following:
At will: *light*, mending
1/day each: bane (self only), fireball (2024)"""
    known = (("Light", 0, ""), ("Bane", 1, "cha"), ("Fireball", 1, "dex"), ("Blur", 0, ""), ("Fly", 1, ""))
    spells = [
        Feature(name.lower(), name, "action", uses=uses, save=save, dc=16 if save else 0, properties=("spell",))
        for name, uses, save in known
    ]
    casting = Feature("casting", "Innate Spellcasting", dc=16, text=text, does=(FeatureStep(use="light"),))
    lines = sheet_lines("dnd5e", casting, *spells)
    assert [*lines] == ["Innate Spellcasting", "Blur", "Fly", "At will", "Light", "1/day each", "Bane", "Fireball"]
    assert lines["Innate Spellcasting"]["limits"] == ["DC 16", "+8 to hit"]
    assert lines["Innate Spellcasting"]["text"] == "It can cast Blur at will."
    assert lines["At will"]["text"] == "mending"
    assert lines["Bane"]["limits"] == ["self only"]
    assert "DC" not in lines["Fireball"]["text"]
    assert lines["Fly"]["limits"] == ["1/day"]


def test_another_type_of_damage_is_named_once_and_another_case_after_the_damage() -> None:
    ways = (OtherDamage("piercing", "1d8 piercing + 1d6 evil"), OtherDamage("if prone", "2d8 slashing"))
    hook = Feature("hook", "Hook", "action", attack=5, reach=5, damage="1d8 slashing + 1d6 evil", other_damage=ways)
    told = sheet_lines("pf2e", hook)["Hook"]["figures"][0]
    assert told == "4 (1d8) slashing + 3 (1d6) evil, or 4 (1d8) piercing + 3 (1d6) evil, or 9 (2d8) slashing if prone"


def test_spells_that_a_remark_marks_keep_their_marks_on_running_sheets() -> None:
    text = """Its spellcasting ability is Charisma (save DC 16).
• At will: light, *bane*
• 1/day: mage armor*, blur
• It casts these spells on itself before combat."""
    spells = (
        Feature(id, name, "action", properties=("spell",))
        for id, name in (("bane", "Bane"), ("mage-armor", "Mage Armor"))
    )
    lines = sheet_lines(
        "dnd5e", Feature("casting", "Casting", dc=16, text=text, does=(FeatureStep(use="bane"),)), *spells
    )
    assert [*lines] == ["Casting", "At will", "Bane", "1/day", "Mage Armor*"]
    assert lines["Casting"]["text"] == "* It casts these spells on itself before combat."


def test_uses_that_features_share_have_one_box() -> None:
    fire = Feature("fire", "Fire Breath", "action", recharge=5, save="dex", dc=15, damage="6d6 fire", half=True)
    sleep = Feature("sleep", "Sleep Breath", "action", recharge=5, save="con", dc=15, shares="fire")
    told = sheet_lines("dnd5e", fire, sleep)
    assert [(line["boxes"], line["limits"]) for line in told.values()] == [
        (1, ["recharge 5–6"]),
        (0, ["recharge 5–6", "shared with Fire Breath"]),
    ]


def test_a_save_without_half_says_or_and_degrees_say_it_themselves() -> None:
    spit = Feature("spit", "Spit", "action", save="dex", dc=15, damage="2d6 acid")
    assert sheet_lines("dnd5e", spit)["Spit"]["figures"] == ["Dex DC 15 or 7 (2d6) acid"]
    assert sheet_lines("dnd5e", replace(spit, half=True))["Spit"]["figures"] == [
        "Dex DC 15", "7 (2d6) acid", "half on a success",
    ]  # fmt: skip
    assert sheet_lines("pf2e", spit)["Spit"]["figures"] == ["Ref DC 15", "7 (2d6) acid"]


def test_armour_with_a_number_and_spells_prepared_several_times_are_printed() -> None:
    rite = Feature("rite", "Divine Spells", text="DC 21\n1st: Harm, Harm, Harm, Bless, Fear", properties=("divine",))
    fighter = Creature("ogre", "Ogre", ac=20, ac_note="22 with shield raised", features=(rite,), gear=("shield",))
    items = "chain mail, steel shield (Hardness 5)"
    fighter = replace(fighter, remarks=(SourceNote("gear", items),))
    source = source_of(fighter, "pf2e")
    (group,) = running_sheet.make(source).sections[0].data["sides"][0]["groups"]
    assert "22 with shield raised" in [fact["text"] for fact in group["facts"]]
    texts = {line["about"]: line["text"] for line in lines_of_block(block_of(fighter, source))}
    assert texts["gear"] == [items]
    assert texts["feature:rite"] == ["(divine) DC 21", "1st: Harm ×3, Bless, Fear"]
    plain = replace(fighter, ac_note="hide coat", remarks=(SourceNote("gear", "a rope"),))
    (group,) = running_sheet.make(source_of(plain, "pf2e")).sections[0].data["sides"][0]["groups"]
    assert "hide coat" not in [fact["text"] for fact in group["facts"]]
    told = {line["about"]: line["text"] for line in lines_of_block(block_of(plain, source_of(plain, "pf2e")))}
    assert told["gear"] == ["shield (a rope)"]
    bare = replace(plain, gear=(), remarks=(SourceNote("gear", "a rope"), SourceNote("gear", "a boat")))
    told = {line["about"]: line["text"] for line in lines_of_block(block_of(bare, source_of(bare, "pf2e")))}
    assert told["gear"] == ["a rope; a boat"]
