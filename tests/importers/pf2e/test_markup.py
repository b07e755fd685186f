"""Lines of a stat block as books print them: lists, numbers with names, skills, traits and spell lists."""

from __future__ import annotations

from turnwright.importers.pf2e.markup import (
    AMOUNT,
    SPEED,
    casting_numbers,
    entries_of,
    numbers_of,
    rank_lines,
    skills_of,
    trait_fields,
    traits_before,
    unmarked_text,
)
from turnwright.importers.pf2e.stat_block import RankedSpell, SourceNumber
from turnwright.importers.pf2e.strikes import parts_of, strike_in


def test_entries_are_split_outside_brackets_and_exceptions_stay_together() -> None:
    assert entries_of("fire (except cold, acid); sleep") == ("fire (except cold, acid)", "sleep")
    assert entries_of("physical 5 except silver, iron, cold 3") == ("physical 5 except silver, iron", "cold 3")
    assert entries_of(("a, b",)) == ("a, b",)


def test_the_general_rule_of_a_changed_shape_is_left_out_after_the_own_one() -> None:
    own, general = "It takes the form of an ogre.", "The monster changes its shape indefinitely. For example, it grows."
    assert unmarked_text(f"<p>{own}</p><hr /><p>{general}</p>") == own
    assert unmarked_text(f"<p>{general}</p>") == general


def test_numbers_have_names_and_notes() -> None:
    assert list(numbers_of("25 feet, fly: 40 ft. (in moonlight); earth glide", SPEED, "land")) == [
        SourceNumber("land", 25),
        SourceNumber("fly", 40, "in moonlight"),
        SourceNumber("earth glide", None),
    ]
    assert list(numbers_of("cold iron 5, physical 10 (except silver)", AMOUNT)) == [
        SourceNumber("cold iron", 5),
        SourceNumber("physical", 10, "except silver"),
    ]
    skills = [SourceNumber("Stealth", 7, "+9 in snow"), SourceNumber("Academia", -1)]
    assert list(skills_of("Stealth +7 (+9 in snow), Lore: Academia -1")) == skills


def test_traits_size_rarity_and_alignment_share_a_line() -> None:
    fields = {"traits": ("fey", "cold"), "size": "small", "rarity": "rare", "alignment": "NE"}
    assert trait_fields(["Rare", "NE", "Small", "Fey", "Cold"]) == fields
    assert traits_before("(fire, magical) It burns.") == (("fire", "magical"), "It burns.")
    assert traits_before("(30 feet) It burns.") == ((), "(30 feet) It burns.")


def test_a_strike_is_read_from_its_line() -> None:
    strike = strike_in(
        "jaws +12 [+7/+2] (agile, reach 10 feet), Damage 2d8+4 piercing plus 1d6 fire and Grab", ranged=False
    )
    assert strike is not None
    assert (strike.name, strike.attack, strike.traits) == ("jaws", 12, ("agile", "reach 10 feet"))
    parts, riders = parts_of(strike.damage)
    assert [(part.formula, part.type) for part in parts] == [("2d8+4", "piercing"), ("1d6", "fire")]
    assert riders == ["Grab"]
    assert strike_in("It gains +2 to its saves.") is None


def test_spell_lists_have_numbers_and_a_line_for_each_rank() -> None:
    assert casting_numbers("Occult Spells DC 24, attack +16") == (24, 16)
    assert casting_numbers("Rituals") == (0, None)
    spells = [RankedSpell("shield", 5, cantrip=True), RankedSpell("charm", 1, "at will"), RankedSpell("fear", 3)]
    assert rank_lines(spells) == ("3rd: fear", "1st: charm (at will)", "Cantrips (5th): shield")
