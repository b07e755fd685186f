"""Features in the words of their game: where they work, DCs, Strikes with later bonuses, and each figure once."""

from __future__ import annotations

from typing import Any

import pytest

from tests.for_each import for_each
from turnwright.bootstrap import RuleSystems
from turnwright.encounter.prepared import Creature, Feature, InflictedCondition, SourceNote
from turnwright.rules.parts.stat_block.features import later_bonuses
from turnwright.rules.parts.stat_block.prose import joined_runs, runs_of_text, true_minus
from turnwright.rules.parts.stat_block.sections import StatSections, experience_points, stat_sections
from turnwright.storage.word_catalogue import WordCatalogue

SYSTEMS = RuleSystems()


def block(system: str, *features: Feature, **fields: Any) -> StatSections:
    data = SYSTEMS.get(system).data
    creature = Creature("it", "It", features=features, **fields)
    return stat_sections(creature, data, WordCatalogue.load().with_terms(dict(data.terms)))


def lines_of(sections: StatSections) -> list[str]:
    parts = (sections.vital, sections.further, *(lines for _, lines in sections.features))
    return [f"{line.lead} {''.join(run.text for run in runs)}" for part in parts for line, runs in joined_runs(part)]


def said(system: str, **figures: Any) -> list[str]:
    """Return the lines of a feature that has these figures."""
    found = block(system, Feature("it", "It", **{"cost": "action", **figures}))
    return [line for line in lines_of(found) if line.startswith(("It", "Melee", "Ranged"))]


@for_each(
    ("system", "figures", "line"),
    [
        ("dnd5e", {"range": "60", "text": "Shatters."}, "It. Range 60 ft. Shatters."),
        ("dnd5e", {"reach": 10, "text": "Holds."}, "It. Reach 10 ft. Holds."),
        ("dnd5e", {"reach": 10, "short": "Holds."}, "It. Reach 10 ft. Holds."),
        ("dnd5e", {"range": "30", "area": "30-foot cone", "save": "dex", "dc": 15}, "It. 30-foot cone: DC 15 Dexterity save."),
        ("dnd5e", {"range": "90", "area": "20-foot square"}, "It. Range 90 ft., 20-foot square."),
        ("dnd5e", {"cost": "reaction", "within": 10, "text": "Crackles."}, "It. Within 10 ft. Crackles."),
        ("dnd5e", {"cost": "trait", "dc": 17, "properties": ("spell",)}, "It. Spell save DC 17."),
        ("dnd5e", {"level": 3, "range": "sight"}, "It (level 3 spell). Range sight."),
        ("action_points", {"range": "12", "save": "agi", "dc": 14, "price": 3}, "It (3 AP). Range 12 m: Agility save against 14."),
        ("action_points", {"price": 2, "spends": (("willpower", 1),), "recharge": 5}, "It (2 AP, 1 WP; recharge 5–6). "),
        ("pf2e", {"level": 3, "range": "60", "save": "con", "dc": 25, "half": True, "damage": "6d6 void", "price": 2},
         "It ◆◆ (rank 3) Range 60 feet: DC 25 basic Fortitude save, 6d6 void."),
    ],
)  # fmt: skip
def test_ranges_reaches_areas_and_dcs_are_never_left_out(system: str, figures: dict[str, Any], line: str) -> None:
    assert said(system, **figures) == [line]


BURST: dict[str, Any] = {"damage": "6d6 fire", "save": "dex", "dc": 14, "half": True, "area": "10 feet around it"}


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (
            "Everybody within 10 feet: DC 14 Dexterity save, half on a success. The floor burns.",
            "It. 10 feet around it: DC 14 Dexterity save, 21 (6d6) fire damage, half on a success. The floor burns.",
        ),
        (
            "Those in the pit within 10 feet: DC 14 Dexterity save, half on a success.",
            "It. 21 (6d6) fire damage. Those in the pit within 10 feet: DC 14 Dexterity save, half on a success.",
        ),
        (
            "Everybody within 15 feet: DC 14 Dexterity save.",
            "It. 10 feet around it: 21 (6d6) fire damage, half on a success. Everybody within 15 feet: DC 14 Dexterity save.",
        ),
        (
            "Everybody within 10 feet takes 6d6 fire damage, and is prone on a failed DC 14 save; half otherwise.",
            "It. Everybody within 10 feet takes 6d6 fire damage, and is prone on a failed DC 14 save; half otherwise.",
        ),
    ],
)
def test_a_figure_is_given_once(text: str, line: str) -> None:
    assert said("dnd5e", text=text, **BURST) == [line]


def test_dice_in_prose_roll_with_their_type_where_they_stand_for_the_figure() -> None:
    found = block(
        "dnd5e", Feature("it", "It", "action", text="Takes 6d6 fire damage.", save="dex", dc=9, damage="6d6 fire")
    )
    ((_, (line,)),) = found.features
    assert [run.roll for run in line.runs if run.roll] == ["6d6 fire"]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("It is prone.", "It. DC 11 Wisdom save. It is prone."),
        ("It is slow.", "It. DC 11 Wisdom save. Failure: prone (ends at the end of their turn). It is slow."),
        ("Failure: also deaf.", "It. DC 11 Wisdom save. Failure: prone (ends at the end of their turn). Also deaf."),
    ],
)
def test_conditions_are_named_once(text: str, line: str) -> None:
    fall = (InflictedCondition("prone", "turn-end"),)
    assert said("dnd5e", save="wis", dc=11, afflictions=fall, text=text) == [line]


def test_a_push_is_that_of_a_failure_if_there_is_a_save() -> None:
    """With and without a condition; a hit pushes without a save."""
    fall = (InflictedCondition("prone"),)
    assert said("dnd5e", save="str", dc=11, push=10) == ["It. DC 11 Strength save. Failure: pushed 10 ft."]
    told = said("dnd5e", save="str", dc=11, push=-10, afflictions=fall)
    assert told == ["It. DC 11 Strength save. Failure: prone, pulled 10 ft."]
    assert said("dnd5e", attack=3, reach=5, push=10)[0].endswith("one target. Pushed 10 ft.")


def test_fifth_edition_attacks_are_worded_as_published() -> None:
    hit = {"attack": 8, "damage": "2d6+5 slashing + 2d6 fire"}
    dealt = "Hit: 12 (2d6+5) slashing damage plus 7 (2d6) fire damage."
    assert said("dnd5e", reach=10, **hit) == [f"It. Melee Weapon Attack: +8 to hit, reach 10 ft., one target. {dealt}"]
    assert said("a5e", range="60/180", **hit) == [
        f"It. Ranged Weapon Attack: +8 to hit, range 60/180 ft., one target. {dealt}"
    ]
    assert said("dnd5e", reach=5, range="20/60", **hit) == [
        f"It. Melee or Ranged Weapon Attack: +8 to hit, reach 5 ft. or range 20/60 ft., one target. {dealt}"
    ]
    assert said("dnd5e", range="120", level=0, **hit) == [
        f"It (cantrip). Ranged Spell Attack: +8 to hit, range 120 ft., one target. {dealt}"
    ]


@pytest.mark.parametrize(("properties", "later"), [((), (6, 1)), (("agile",), (7, 3))])
def test_strikes_get_worse_by_five_and_ten_agile_ones_by_four_and_eight(
    properties: tuple[str, ...], later: tuple[int, ...]
) -> None:
    jaws = Feature("jaws", "Jaws", "action", attack=11, properties=properties)
    assert later_bonuses(SYSTEMS.get("pf2e").data, jaws, 11) == later
    assert later_bonuses(SYSTEMS.get("dnd5e").data, jaws, 11) == ()


def test_a_strike_is_a_line_and_a_thrown_weapon_is_two() -> None:
    hatchet = {
        "attack": 12,
        "reach": 5,
        "range": "10",
        "damage": "1d6+6 slashing",
        "properties": ("weapon", "agile", "thrown"),
    }
    assert said("pf2e", text="Agile, thrown 10 feet.", **hatchet) == [
        "Melee ◆ it +12 [+8/+4] (agile, thrown 10 feet), Damage 1d6+6 slashing.",
        "Ranged ◆ it +12 [+8/+4] (agile, thrown 10 feet), Damage 1d6+6 slashing.",
    ]
    bow: dict[str, Any] = {
        "attack": 9,
        "range": "60",
        "damage": "1d8 piercing",
        "ongoing": "1d4 bleed",
        "properties": ("deadly-d10",),
    }
    bow["properties"] += ("against-con", "doubles-push")  # for the engine alone
    assert said("pf2e", text="Deadly d10.", **bow) == [
        "Ranged ◆ it +9 [+4/−1] (deadly d10, range increment 60 feet), Damage 1d8 piercing plus 1d4 persistent bleed."
    ]
    assert said("pf2e", attack=9, reach=10, damage="1d8-1 piercing") == [
        "Melee ◆ it +9 [+4/−1] (reach 10 feet), Damage 1d8−1 piercing."
    ]


def test_a_creature_of_traits_has_its_rarity_first_and_reactions_before_its_speed() -> None:
    found = block(
        "pf2e",
        Feature("tail", "Tail", "action", attack=7, reach=5, damage="1d4 bludgeoning"),
        Feature("snap", "Snap", "reaction", text="Snaps."),
        Feature("sly", "Sly", text="Is sly."),
        rating="-1", tags=("rare", "mindless"), type="undead", ac=17, hp=32, saves=(("con", 10),),
        skills=(("perception", 8),), senses=(("darkvision", 60),), immunities=("void",),
        condition_immunities=("paralyzed",), vulnerabilities=("vitality 5",), resistances=("fire 3",), speeds=(("walk", 40),),
    )  # fmt: skip
    assert (found.rating, found.traits) == ("Creature −1", ("rare", "Medium", "undead", "mindless"))
    assert lines_of(found) == [
        "Perception +8; darkvision 60 feet",
        "AC 17; Fort +10",
        "HP 32; Immunities void, paralyzed; Weaknesses vitality 5; Resistances fire 3",
        "Snap ↺ Snaps.",
        "Speed 40 feet",
        "Melee ◆ tail +7 [+2/−3], Damage 1d4 bludgeoning.",
        "Sly Is sly.",
    ]
    assert block("pf2e", type="hazard", rating="4").rating == "Hazard 4"
    assert block("pf2e", tags=("player character",), rating="4").rating == "Level 4"


def test_an_a5e_block_has_the_bloodied_value_maneuver_dc_worth_and_tactics() -> None:
    abilities = (("str", 17), ("dex", 14))
    found = block("a5e", rating="3", hp=75, hit_dice="10d8+30", abilities=abilities, tactics="Leaves early.")
    assert found.rating == "Challenge 3 (700 XP)"
    assert "Hit points 75 (10d8+30; bloodied 37)" in lines_of(found)
    assert "Maneuver DC 13" in lines_of(found)
    assert found.tactics == "Leaves early."
    assert found.notes == ""
    assert "Maneuver DC 15" in lines_of(block("a5e", rating="3", maneuver_dc=15))
    assert not [line for line in lines_of(block("a5e")) if line.startswith("Maneuver")]


def test_worth_is_the_blocks_own_or_that_of_its_rating() -> None:
    data = SYSTEMS.get("dnd5e").data
    assert experience_points(Creature("it", "It", rating="7"), data) == 2900
    assert experience_points(Creature("it", "It", rating="7", xp=3000), data) == 3000
    assert experience_points(Creature("it", "It", rating="odd"), data) == 0
    assert block("dnd5e", rating="7").rating == "Challenge 7 (2,900 XP)"


def test_a_minus_is_a_true_one_and_a_hyphen_stays() -> None:
    assert true_minus("-1 on AC, (-2), 5-6, 40-foot, d20-1, level-5") == "−1 on AC, (−2), 5-6, 40-foot, d20-1, level-5"
    (dice,) = [run for run in runs_of_text("takes 1d4-1 here", "") if run.roll]
    assert (dice.text, dice.roll) == ("1d4−1", "1d4-1")


def test_assumed_numbers_have_a_sign_and_are_listed() -> None:
    axe = Feature("axe", "Axe", "action", attack=5, damage="1d8 slashing", assumed=("attack",))
    bow = Feature("bow", "Bow", "action", attack=5, range="80", damage="1d8 piercing")
    for game in ("dnd5e", "pf2e"):
        lines = lines_of(
            block(game, axe, bow, ac=17, saves=(("con", 5),), assumed=("ac", "saves", "passives"), classes="fighter 5")
        )
        assert [line for line in lines if "≈" in line and "17" in line], game
        assert len([line for line in lines if "≈" in line and "slashing" in line]) == 1
        assert not [line for line in lines if "≈" in line and "piercing" in line]
        assert "Classes fighter 5" in lines
        listed = next(line for line in lines if line.startswith("Assumed "))
        assert listed.endswith(", Passive scores")
        assert listed.count(",") == 2
        assert ", ," not in listed


def test_an_activity_says_what_it_requires_before_its_numbers() -> None:
    figures = {"requires": "It is burrowed.", "save": "dex", "dc": 20, "text": "Bursts out."}
    (line,) = said("pf2e", **figures)
    assert line.endswith("Requirements It is burrowed. DC 20 Reflex save. Bursts out.")
    (line,) = said("pf2e", **figures | {"text": "Requirements It is burrowed. Effect It bursts out."})
    assert line.count("burrowed") == 1
    rend = {"requires": "Its last two hits were with its Claw, against this creature", "damage": "2d8 slashing"}
    (line,) = said("pf2e", **rend | {"text": "Claw"})
    assert line.count("Claw") == 1
    (line,) = said("pf2e", **rend | {"text": "Claws tear."})
    assert line.endswith("Claws tear.")


def test_the_name_of_a_property_stays_above_its_text() -> None:
    (line,) = said("a5e", attack=3, properties=("finesse", "loading"), text="Finesse. It is light. Loading.")
    assert line.endswith("Finesse. It is light.")


def test_degrees_that_inflict_the_same_share_a_sentence() -> None:
    both = [InflictedCondition("prone", degree=degree) for degree in ("failure", "critical-failure")]  # type: ignore[arg-type]
    (text,) = said("pf2e", save="dex", dc=20, afflictions=tuple(both), area="30-foot cone")
    assert "Failure, critical failure: prone." in text


def remarked(*texts: str, about: str = "senses", **fields: Any) -> str:
    """Return a creature's row with remarks on it."""
    magic = Feature("all", "+1 Status to All Saves vs. Magic")
    sections = block("pf2e", magic, remarks=tuple(SourceNote(about, text) for text in texts), **fields)
    rows = (line for line in (*sections.vital, *sections.further) if line.about == about)
    return "".join(run.text for row in rows for run in row.runs)


def test_a_remark_that_says_more_about_a_sense_stands_in_its_place() -> None:
    assert remarked("scent (imprecise) 30 feet", senses=(("scent", 30),)) == "scent (imprecise) 30 feet"
    assert remarked("can't see colours", senses=(("scent", 30),)) == "scent 30 feet (can't see colours)"
    assert remarked("(blind beyond this radius)", senses=(("scent", 30),)) == "scent 30 feet (blind beyond this radius)"


def test_a_remark_about_a_skill_follows_its_bonus() -> None:
    skills = (("stealth", 4), ("arcana", 7))
    assert remarked("stealth: in snow", about="skills", skills=skills) == "Stealth +4 (in snow), Arcana +7"
    assert remarked("nature: in snow", about="skills", skills=skills) == "Stealth +4, Arcana +7 (nature: in snow)"


def test_a_remark_that_is_the_name_of_a_feature_is_left_out() -> None:
    told = remarked("+1 status to all saves vs magic", about="saves", saves=(("con", 3),))
    assert told == "Fort +3; +1 status to all saves vs. magic"


def test_short_traits_are_in_the_rows_of_saves_and_hit_points() -> None:
    """Longer texts, actions and other layouts keep their lines."""
    traits = (
        Feature("magic", "Saves against magic", text="+1 status to all saves vs. magic."),
        Feature("fast", "Fast Healing 5"),
        Feature("void", "Void Healing", text="negative healing"),
        Feature(
            "long", "Regeneration 9", text="It regains 9 hit points each round, unless acid or fire has hurt it since."
        ),
        Feature("act", "Fast Healing 7", "action"),
    )
    told = block("pf2e", *traits, hp=20, saves=(("con", 3),))
    rows = {line.about: "".join(run.text for run in line.runs) for line in (*told.vital, *told.further)}
    assert (rows["saves"], rows["hp"]) == (
        "Fort +3; +1 status to all saves vs. magic",
        "20; fast healing 5; negative healing",
    )
    assert [line.about for _, lines in told.features for line in lines] == ["feature:long", "feature:act"]
    assert len([line for _, lines in block("dnd5e", *traits).features for line in lines]) == len(traits)


def test_a_check_instead_of_a_save_is_called_a_check() -> None:
    text = "On a hit, the target makes a DC 13 Strength check. On a failure it falls."
    (line,) = said("a5e", save="str", dc=13, properties=("by-check",), text=text)
    assert "save" not in line
    assert line.count("DC 13 Strength check") >= 1
