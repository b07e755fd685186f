"""Stat blocks pasted as text: many styles of print give one creature, and each line is marked as read or kept."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from tests.for_each import for_each
from turnwright.encounter.prepared import Creature, Feature
from turnwright.importers.files.import_files import read_paths
from turnwright.importers.pasted_text.format import read_text
from turnwright.importers.pasted_text.reading import PastedReading, joined_lines, text_lines
from turnwright.importers.results import ImportedRecord, SkippedFile, UnreadRecord

HEAD = [
    ("Armor Class", "15 (natural armor)"), ("Hit Points", "52 (7d10 + 14)"), ("Speed", "30 ft., climb 20 ft., fly 40 ft. (hover)"),
]  # fmt: skip
LINES = [
    ("Saving Throws", "Dex +5, Wis +3"), ("Skills", "Perception +5, Sleight of Hand +5, Stealth +7"), ("Damage Vulnerabilities", "fire"),
    ("Damage Resistances", "cold; bludgeoning, piercing, and slashing from nonmagical attacks"), ("Damage Immunities", "poison"),
    ("Condition Immunities", "poisoned, prone"), ("Senses", "darkvision 60 ft., passive Perception 15"), ("Languages", "Sylvan"),
    ("Challenge", "4 (1,100 XP)"),
]  # fmt: skip
SCORES = (18, 14, 14, 7, 12, 6)
TRAITS = [("Moss Cloak", "The moth has advantage on Dexterity (Stealth) checks made in forests."), ("Legendary Resistance (2/Day)", "If the moth fails a saving throw, it can choose to succeed instead.")]  # fmt: skip
ACTIONS = [
    ("Multiattack", "The moth makes one proboscis attack and two claw attacks."),
    ("Proboscis", "Melee Weapon Attack: +6 to hit, reach 10 ft., one target. Hit: 13 (2d8 + 4) piercing damage plus 7 (2d6) poison damage, and the target is grappled (escape DC 14)."),
    ("Claw", "Melee Weapon Attack: +6 to hit, reach 5 ft., one target. Hit: 7 (1d6 + 4) slashing damage."),
    ("Dust Cloud (Recharge 5-6)", "Each creature in a 20-foot cone must make a DC 13 Constitution saving throw, taking 14 (4d6) poison damage on a failed save, or half as much damage on a successful one."),
]  # fmt: skip
REACTIONS = [("Flutter", "The moth moves 10 feet when a creature within 5 feet of it is hit.")]
LEGENDARY = [("Sweep (Costs 2 Actions)", "The moth makes a claw attack.")]
PREAMBLE = "The moth can take 3 legendary actions, choosing from the options below."
NAME, KIND = "Moss Moth", "Large monstrosity (insect), chaotic neutral"
ABILITIES = ("STR", "DEX", "CON", "INT", "WIS", "CHA")


def modifier(score: int) -> str:
    return f"{(score - 10) // 2:+d}"


def table() -> str:
    return " ".join(f"{score} ({modifier(score)})" for score in SCORES)


def sections() -> list[tuple[str, list[tuple[str, str]]]]:
    return [("", TRAITS), ("Actions", ACTIONS), ("Reactions", REACTIONS), ("Legendary Actions", LEGENDARY)]


def plain(gap: str = "\n") -> str:
    lines = [
        NAME,
        KIND,
        *(f"{name} {text}" for name, text in HEAD),
        " ".join(ABILITIES),
        table(),
        *(f"{name} {text}" for name, text in LINES),
    ]
    for title, features in sections():
        lines += [title] if title else []
        lines += [PREAMBLE] if title.startswith("Legendary") else []
        lines += [f"{name}. {text}" for name, text in features]
    return gap.join(lines)


def pdf() -> str:
    return "\n".join(line for whole in plain().split("\n") for line in textwrap.wrap(whole, 46)).replace(
        "fails", "\ufb01ails".replace("\ufb01", "f")
    )


def copied_from_the_web() -> str:
    scores = "\n\n".join(f"{name}\n{score} ({modifier(score)})" for name, score in zip(ABILITIES, SCORES, strict=True))
    return (
        plain("\n\n")
        .replace(" ".join(ABILITIES), scores)
        .replace(f"\n\n{table()}", "")
        .replace("passive", "\u00a0passive")
    )


def marked(quote: str, item: str, between: str, name_end: str = ".") -> str:
    lines = [
        "___",
        f"## {NAME}",
        f"*{KIND}*",
        "___",
        *(f"{item}**{name}**{between}{text}" for name, text in HEAD),
        "___",
    ]
    lines += [
        "|STR|DEX|CON|INT|WIS|CHA|",
        "|:---:|:---:|:---:|:---:|:---:|:---:|",
        f"|{table().replace(') ', ')|')}|",
        "___",
    ]
    lines += [f"{item}**{name}**{between}{text}" for name, text in LINES]
    for title, features in sections():
        lines += ["___"] if not title else [f"### {title}"]
        lines += [PREAMBLE, ""] if title.startswith("Legendary") else []
        for name, text in features:
            lines += [
                f"***{name}{name_end}*** {text.replace('Hit:', '*Hit:*').replace('Melee Weapon Attack:', '*Melee Weapon Attack:*')}",
                "",
            ]
    return "\n".join(f"{quote}{line}" for line in lines)


def homebrewery() -> str:
    return (
        "{{monster,frame,wide\n"
        + marked("", "", " :: ").replace("1,100 XP)", "1,100 XP) {{bonus **Proficiency Bonus** +2}}")
        + "\n}}\n\\page"
    )


def html() -> str:
    return marked("", "- ", " ").replace("**Armor Class**", "<b>Armor Class</b>").replace("|", " | ") + "<br>"


STYLES = {
    "plain text": plain,
    "a line apart": lambda: plain("\n\n"),
    "lines broken as in a PDF": pdf,
    "copied from a web page": copied_from_the_web,
    "Homebrewery": homebrewery,
    "GM Binder": lambda: marked("> ", "- ", " "),
    "Markdown": lambda: marked("", "- ", " "),
    "colons": lambda: marked("", "", ": ", ":"),
    "some HTML": html,
    "head in one line": lambda: plain().replace("\nHit Points", " Hit Points").replace("\nSpeed", " Speed").replace("\nLanguages", " Languages"),
    "capitals": lambda: plain().replace(NAME, NAME.upper()).replace("Armor Class", "ARMOR CLASS").replace("\nActions", "\nACTIONS"),
    "small capitals": lambda: plain().replace("\nActions", "\nA CTIONS").replace("\nLegendary Actions", "\nL EGENDARY A CTIONS"),
    "minus signs": lambda: plain().replace("(-2)", "(\u22122)").replace("5-6", "5\u20136"),
}  # fmt: skip


def reading(text: str, system: str = "") -> PastedReading:
    (found,) = read_text(text, system)
    return found


def creature(text: str, system: str = "") -> Creature:
    found = reading(text, system).creature
    assert found is not None, reading(text, system).problem
    return found


def feature(found: Creature, name: str) -> Feature:
    return next(one for one in found.features if one.name == name)


@for_each("style", STYLES)
def test_every_style_gives_the_same_figures(style: str) -> None:
    moth = creature(STYLES[style]())
    assert (moth.name, moth.size, moth.type, moth.tags, moth.alignment) == (
        NAME,
        "large",
        "monstrosity",
        ("insect",),
        "chaotic neutral",
    )
    assert (moth.ac, moth.ac_note, moth.hp, moth.hit_dice) == (15, "natural armor", 52, "7d10+14")
    assert (moth.speeds, moth.hovers) == ((("walk", 30), ("climb", 20), ("fly", 40)), True)
    assert tuple(score for _, score in moth.abilities) == SCORES
    assert (moth.saves, moth.skills) == (
        (("dex", 5), ("wis", 3)),
        (("perception", 5), ("sleight-of-hand", 5), ("stealth", 7)),
    )
    assert (moth.vulnerabilities, moth.resistances, moth.mundane_resistance, moth.immunities) == (
        ("fire",),
        ("cold",),
        True,
        ("poison",),
    )
    assert (moth.condition_immunities, moth.senses, moth.passives) == (
        ("poisoned", "prone"),
        (("darkvision", 60),),
        (("perception", 15),),
    )
    assert (moth.languages, moth.rating, moth.xp, moth.legendary) == ("Sylvan", "4", 1100, 3)
    assert [(one.cost, one.name) for one in moth.features if one.name != "Legendary Actions"] == [
        ("trait", "Moss Cloak"), ("trait", "Legendary Resistance"), ("action", "Multiattack"), ("action", "Proboscis"), ("action", "Claw"),
        ("action", "Dust Cloud"), ("reaction", "Flutter"), ("legendary", "Sweep"),
    ]  # fmt: skip
    assert feature(moth, "Multiattack").multiattack == ((("proboscis", 1), ("claw", 2)),)
    proboscis = feature(moth, "Proboscis")
    assert (proboscis.attack, proboscis.reach, proboscis.damage) == (6, 10, "2d8+4 piercing + 2d6 poison")
    assert proboscis.afflictions[0].escape_dc == 14
    dust = feature(moth, "Dust Cloud")
    assert (dust.recharge, dust.save, dust.dc, dust.damage, dust.half, dust.area) == (
        5,
        "con",
        13,
        "4d6 poison",
        True,
        "20-foot cone",
    )
    assert (feature(moth, "Sweep").price, feature(moth, "Legendary Resistance").uses) == (2, 2)


@for_each("style", STYLES)
def test_no_line_is_left_out_and_each_has_a_mark(style: str) -> None:
    text = STYLES[style]()
    lines = text_lines(text)
    found = reading(text)
    assert [one.number for one in found.lines] == [line.number for line in lines]
    assert {one.number for one in found.lines if not one.mark} == {line.number for line in lines if not line.text}
    assert not [lines[one.number - 1].text for one in found.lines if one.mark == "left"]
    kept = " ".join(lines[one.number - 1].text for one in found.lines if one.mark == "kept")
    assert "10 feet when" in kept, "a distance that nothing was made of is not marked as read"
    read = " ".join(lines[one.number - 1].text for one in found.lines if one.mark == "read")
    assert "Armor Class" in read.title()
    assert "+6 to hit" in read


def test_a_figure_that_is_not_understood_is_marked_with_the_reason() -> None:
    found = reading(plain().replace("15 (natural armor)", "as its rider").replace("Sylvan", "Sylvan\nMood 12 of 20"))
    by_text = dict(
        zip(
            (line.text for line in text_lines(plain().replace("15 (natural armor)", "as its rider"))),
            found.lines,
            strict=False,
        )
    )
    armour = by_text["Armor Class as its rider"]
    assert (armour.mark, "Armor Class" in armour.why) == ("kept", True)


def test_the_newer_rules_have_saves_in_the_table_and_immunities_in_one_line() -> None:
    newer = creature(
        """Bog Sage
Medium Fey (Druid), Neutral
AC 13 Initiative +4 (14)
HP 33 (6d8 + 6)
Speed 30 ft., Swim 20 ft.
MOD SAVE MOD SAVE MOD SAVE
Str 8 \u20131 \u22121 Dex 14 +2 +4 Con 12 +1 +1
Int 10 +0 +0 Wis 16 +3 +5 Cha 11 +0 +0
Skills Nature +4
Immunities Poison; Charmed, Poisoned
Senses Darkvision 60 ft.; Passive Perception 13
Languages Common, Sylvan
CR 3 (XP 700; PB +2)
Actions
Mire Bolt. Ranged Attack Roll: +5, range 60 ft. Hit: 12 (2d8 + 3) Acid damage.
Quicksand (2/Day). Strength Saving Throw: DC 13, each creature in a 10-foot Emanation. Failure: 9 (2d8) Bludgeoning damage. Success: Half damage.
Legendary Actions
Legendary Action Uses: 2 (3 in Lair). Immediately after another creature's turn, the sage can expend a use.
Sink. The sage swims."""
    )
    assert (newer.ac, newer.initiative, newer.hp, newer.rating, newer.xp, newer.proficiency) == (13, 4, 33, "3", 700, 2)
    assert newer.saves == (("dex", 4), ("wis", 5))
    assert (newer.immunities, newer.condition_immunities, newer.legendary) == (("poison",), ("charmed", "poisoned"), 2)
    bolt, sand = feature(newer, "Mire Bolt"), feature(newer, "Quicksand")
    assert (bolt.attack, bolt.range, bolt.damage) == (5, "60", "2d8+3 acid")
    assert (sand.uses, sand.save, sand.dc, sand.damage, sand.half) == (2, "str", 13, "2d8 bludgeoning", True)


def test_a_stat_block_of_a5e_is_recognised() -> None:
    text = """Marsh Warden   Challenge 6
Large Giant 2,300 XP
AC 14 (natural armor)
HP 105 (10d10 + 50; bloodied 52)
Speed 40 ft.
STR DEX CON INT WIS CHA
20 (+5) 9 (-1) 20 (+5) 7 (-2) 12 (+1) 8 (-1)
Proficiency +3; Maneuver DC 16
Skills Perception +4 (+1d4)
Damage Resistances damage from nonmagical weapons
Senses darkvision 60 ft., passive Perception 16
Languages Giant
Actions
Club. Melee Weapon Attack: +8 to hit, reach 10 ft., one target. Hit: 16 (2d10 + 5) bludgeoning damage.
"""
    found = reading(text)
    warden = found.creature
    assert warden is not None
    assert (found.system, reading(text, "dnd5e").system) == ("a5e", "dnd5e")
    assert (warden.name, warden.rating, warden.xp, warden.hp, warden.hit_dice) == (
        "Marsh Warden",
        "6",
        2300,
        105,
        "10d10+50",
    )
    assert (warden.proficiency, warden.maneuver_dc, warden.skills, warden.mundane_resistance) == (
        3,
        16,
        (("perception", 4),),
        True,
    )
    assert [one.text for one in warden.remarks] == ["Perception +4 (+1d4)"]


PATHFINDER = """Reed Stalker     Creature \u20131
N Small Plant
Source Own Notes pg. 3
Perception +4; low-light vision, scent (imprecise) 30 feet
Languages Sylvan
Skills Acrobatics +5, Nature \u20131,
Stealth +7
Str +0, Dex +3, Con +1, Int \u20132, Wis +1, Cha \u20131
Items shortbow (10 arrows)
AC 16; Fort +5, Ref +7, Will +3; +1 status to all saves vs. magic
HP 9; Immunities sleep; Weaknesses fire 2; Resistances physical 3 (except slashing)
Reed Bed The stalker is concealed in reeds.
Snap Back [reaction] Trigger A creature hits the stalker. Effect The stalker
Steps.
Speed 25 feet, swim 15 feet
Melee [one-action] thorn +8 [+4/+0] (agile, finesse,
reach 10 feet), Damage 1d6+2 piercing plus 1d4 persistent bleed
Ranged \u25c6 shortbow +8 [+3/\u20132] (deadly d10, range increment 60 feet, reload 0), Damage 1d6 piercing
Primal Innate Spells DC 17, attack +9; 2nd entangle (at will); Cantrips (1st) light
Spore Burst [two-actions] (poison) The stalker bursts in a 15-foot cone that deals 2d6 poison damage (DC 16 basic Fortitude save).
"""


@pytest.mark.parametrize("text", [PATHFINDER, PATHFINDER.replace("Reed Stalker     Creature", "REED STALKER\nCREATURE"), "> " + PATHFINDER.replace("\n", "\n> ").replace("Perception", "**Perception**")])  # fmt: skip
def test_a_stat_block_of_pathfinder_is_read(text: str) -> None:
    found = reading(text)
    stalker = found.creature
    assert stalker is not None, found.problem
    assert (found.system, stalker.name, stalker.level, stalker.size, stalker.type, stalker.alignment) == (
        "pf2e",
        "Reed Stalker",
        -1,
        "small",
        "plant",
        "N",
    )
    assert (stalker.ac, stalker.hp, stalker.saves) == (16, 9, (("con", 5), ("dex", 7), ("wis", 3)))
    assert stalker.skills == (("perception", 4), ("acrobatics", 5), ("nature", -1), ("stealth", 7))
    assert stalker.abilities == (("str", 0), ("dex", 3), ("con", 1), ("int", -2), ("wis", 1), ("cha", -1))
    assert (stalker.speeds, dict(stalker.senses)["scent"]) == ((("walk", 25), ("swim", 15)), 30)
    assert (stalker.condition_immunities, stalker.vulnerabilities) == (("sleep",), ("fire 2",))
    assert set(stalker.resistances) == {"bludgeoning 3", "piercing 3"}
    thorn, bow, burst = feature(stalker, "Thorn"), feature(stalker, "Shortbow"), feature(stalker, "Spore Burst")
    assert (thorn.attack, thorn.reach, thorn.damage, thorn.ongoing) == (8, 10, "1d6+2 piercing", "1d4 bleed")
    assert (bow.range, bow.damage, "deadly-d10" in bow.properties) == ("60", "1d6 piercing", True)
    assert (burst.price, burst.save, burst.dc, burst.damage, burst.half, burst.area) == (
        2,
        "con",
        16,
        "2d6 poison",
        True,
        "15-foot cone",
    )
    assert (feature(stalker, "Snap Back").cost, feature(stalker, "Primal Innate Spells").dc) == ("reaction", 17)
    assert feature(stalker, "Reed Bed").text == "The stalker is concealed in reeds."
    assert not [one for one in found.lines if one.mark == "left"]


def test_a_book_and_page_below_the_name_is_the_source() -> None:
    moth = creature(plain().replace(NAME, f"{NAME}\nMM p217"))
    assert (moth.name, moth.source) == (NAME, "Pasted text: MM p217")


@pytest.mark.parametrize("kind", ["| **Challenge 6** | 2,300 XP", "\nChallenge 6\n2,300 XP", "2,300 XP\nCR 6"])
def test_challenge_and_experience_stand_behind_the_kind_or_by_themselves(kind: str) -> None:
    lines = [line for line in plain().split("\n") if not line.startswith("Challenge")]
    found = reading("\n".join(lines).replace(KIND, f"Large monstrosity {kind}"))
    assert found.creature is not None
    assert (found.creature.type, found.creature.rating, found.creature.xp) == ("monstrosity", "6", 2300)
    assert not [one for one in found.lines if one.mark == "left"]


@pytest.mark.parametrize("dash", ["--", "\u2013", "\u2014", " - "])
def test_a_recharge_is_read_with_any_dash(dash: str) -> None:
    assert feature(creature(marked("", "", " ").replace("5-6", f"5{dash}6")), "Dust Cloud").recharge == 5


def test_damage_for_two_hands_is_no_text_only() -> None:
    text = plain().replace(
        "slashing damage.", "slashing damage, or 8 (1d8 + 4) slashing damage if used with two hands."
    )
    marks = {one.number: one.mark for one in reading(text).lines}
    claw = next(line.number for line in text_lines(text) if line.text.startswith("Claw"))
    assert marks[claw] == "read"


BRUTE = """Siege Brute Creature 11
RARE LARGE ANIMAL
Perception +19; darkvision
Skills Athletics +26
Str +9, Dex +1, Con +7, Int -5, Wis +3, Cha -2
AC 31; Fort +24, Ref +16, Will +18
HP 220 (fast healing 10); Hardness 10
Speed 30 feet
Melee :a: jaws +24 (reach 10 feet), Damage 3d8+13 slashing plus 1d6 persistent bleed and Knockdown
Melee \u25c6 fist +24, Damage 2d10+13 bludgeoning, 1d10 electricity, and Improved Push 10 feet
Constrict [one-action] 2d8+9 bludgeoning, DC 26
Mire Fever (disease) Saving Throw DC 26 For-
titude; Stage 1 drained 1 (1 day)
Trample :aaa: Medium or smaller, fist, DC 30
Hold Still :r: Trigger A creature moves; Effect The brute makes a jaws Strike."""


def test_what_stands_behind_a_pathfinder_type_of_damage_is_no_part_of_it() -> None:
    brute = creature(BRUTE)
    jaws, fist = feature(brute, "Jaws"), feature(brute, "Fist")
    assert (jaws.damage, jaws.ongoing, feature(brute, "Knockdown").when) == (
        "3d8+13 slashing",
        "1d6 bleed",
        "with:jaws, not target.condition:prone",
    )
    assert (fist.damage, feature(brute, "Improved Push").push) == ("2d10+13 bludgeoning + 1d10 electricity", 10)


def test_a_choice_between_types_of_damage_is_marked() -> None:
    text = BRUTE.replace("1d10 electricity, and", "1d10 fire or cold, and")
    why = {one.number: one.why for one in reading(text).lines if one.mark == "kept"}
    fist = next(line.number for line in text_lines(text) if "fist +24" in line.text)
    assert "1d10 untyped" in why[fist]


def test_abilities_that_the_rules_describe_end_with_their_dc() -> None:
    brute = creature(BRUTE)
    constrict, fever = feature(brute, "Constrict"), feature(brute, "Mire Fever")
    assert (constrict.damage, constrict.save, constrict.dc, constrict.half) == ("2d8+9 bludgeoning", "con", 26, True)
    assert (fever.save, fever.dc, fever.properties) == ("con", 26, ("disease",))
    trample, still = feature(brute, "Trample"), feature(brute, "Hold Still")
    assert (trample.price, trample.damage, trample.save) == (3, "2d10+13 bludgeoning + 1d10 electricity", "dex")
    assert (still.cost, feature(brute, "Fast healing 10").heals) == ("reaction", "10")


def test_a_hazard_has_its_stealth_and_its_hit_points_behind_its_hardness() -> None:
    text = """Weeping Gate    Hazard 5
Uncommon Complex Magical Trap
Stealth {} (expert)
Description An iron gate weeps rust.
Disable Thievery DC 24 (expert) to jam the winch
AC 22; Fort +15, Ref +9
Hardness 14; HP 56 (BT 28); Immunities critical hits
Rust Fall [reaction] Trigger A creature passes; Effect The gate deals 3d8+6 bludgeoning damage (DC 22 basic Reflex save).
Routine (2 actions) The gate sprays rust."""
    gate = creature(text.format("+15"))
    assert (gate.type, gate.level, gate.ac, gate.hp, gate.skills) == ("hazard", 5, 22, 56, (("stealth", 15),))
    assert (dict(gate.pools), feature(gate, "Rust Fall").dc) == ({"action": 2}, 22)
    assert creature(text.format("DC 25")).skills == (("stealth", 15),)
    bare = "\n".join(line for line in text.split("\n") if not line.startswith(("AC", "Hardness")))
    assert (creature(bare.format("DC 25")).hp, creature(bare.format("DC 25")).ac) == (0, 0)


def test_several_stat_blocks_in_one_text_are_told_apart() -> None:
    text = (
        "# My bestiary\n\n"
        + homebrewery()
        + "\n\nSome words.\n\n"
        + homebrewery().replace(NAME, "Ash Moth").replace("52 (7d10", "60 (8d10")
    )
    found = read_text(text)
    assert [(one.creature.name, one.creature.hp) for one in found if one.creature] == [(NAME, 52), ("Ash Moth", 60)]
    numbers = [line.number for one in found for line in one.lines]
    assert numbers == [line.number for line in text_lines(text)]


@pytest.mark.parametrize("text", ["", "Dear diary,\ntoday we fought a moth.", "Hit Points 3", "name: Moth\nhp: 3"])
def test_other_text_is_no_stat_block(text: str) -> None:
    found = reading(text)
    assert found.creature is None
    assert "no stat block found" in found.problem


def test_what_lacks_hit_points_says_so() -> None:
    found = reading(plain().replace("Hit Points 52 (7d10 + 14)\n", ""))
    assert (found.creature, found.problem) == (None, "no hit points")


def test_a_file_of_text_is_imported_and_others_are_not(tmp_path: Path) -> None:
    (tmp_path / "moth.txt").write_text(pdf())
    (tmp_path / "stalker.md").write_text(PATHFINDER)
    (tmp_path / "README.md").write_text("# My creatures\n\nAll of them are mine. HP 3.\n")
    found = {type(one).__name__: one for _, one in read_paths([tmp_path])}
    names = sorted(one.name for _, one in read_paths([tmp_path]) if isinstance(one, ImportedRecord))
    assert names == [NAME, "Reed Stalker"]
    assert not any(isinstance(one, UnreadRecord) for one in found.values())
    assert isinstance(found.get("SkippedFile"), SkippedFile)


def test_broken_words_are_whole_again() -> None:
    assert (
        joined_lines(["non-", "magical dam-", "age in a 20-", "foot-", "radius half-", "elf"])
        == "non-magical damage in a 20-foot-radius half-elf"
    )
    assert joined_lines(["spells:", "At will: light", "2/day: fog"]) == "spells:\nAt will: light\n2/day: fog"


@pytest.mark.sampled(1)
@pytest.mark.parametrize("text", ["*" * 200_000, "_a " * 60_000, "> " * 90_000, "Hit Points 3\n" * 20_000, "A " * 90_000, "Str 1 " * 30_000, "(" * 100_000, "Melee a +1 (" * 9_000, "Name. " * 30_000])  # fmt: skip
def test_hostile_texts_end(text: str) -> None:
    assert read_text(f"{plain()}\n{text}")
    assert read_text(f"{PATHFINDER}\n{text}")


def test_a_file_that_begins_with_homebrewerys_frame_is_text(tmp_path: Path) -> None:
    path = tmp_path / "toad.txt"
    path.write_text(
        "{{monster,frame\n## Reed Toad\n*Tiny beast, unaligned*\n___\n**Armor Class** :: 12\n**Hit Points** :: 3 (1d4 + 1)\n"
        "**Speed** :: 20 ft.\n___\n### Actions\n***Bite.*** *Melee Weapon Attack:* +3 to hit, reach 5 ft., one target. "
        "*Hit:* 1 piercing damage.\n}}\n",
        "utf-8",
    )
    ((form, found),) = read_paths([path])
    assert (form, isinstance(found, ImportedRecord)) == ("pasted_text", True)


DWARF = """\
Thieving Dwarf
{kind}
{scores}
Armor Class 14 (mail)
Hit Points 45 (6d8+18)
Speed 25 ft.
{below}
Senses passive Perception 11
Challenge 1 (200 XP)
Actions
Shortsword. Melee Weapon Attack: +4 to hit, reach 5 ft., one target. Hit: 5 (1d6 + 2) piercing damage.
"""
ONE_BY_ONE = "STR\n14 (+2)\nDEX\n13 (+1)\nCON\n16 (+3)\nINT\n11 (+0)\nWIS\n12 (+1)\nCHA\n8 (-1)"
IN_A_TABLE = "STR DEX CON INT WIS CHA\n14 (+2) 13 (+1) 16 (+3) 11 (+0) 12 (+1) 8 (-1)"


@for_each("scores", [ONE_BY_ONE, IN_A_TABLE], ids=["one by one", "table"])
@for_each("above", [True, False])
@for_each(
    ("kind", "size", "type"),
    [("Medium Dwarf", "medium", "dwarf"), ("Large hill folk", "large", "hill folk"), ("", "medium", "")],
)
def test_a_type_line_without_a_comma_or_none_at_all(scores: str, above: bool, kind: str, size: str, type: str) -> None:
    text = DWARF.format(kind=kind, scores=scores if above else "", below="" if above else scores)
    made = creature(text)
    assert (made.name, made.size, made.type) == ("Thieving Dwarf", size, type)
    assert [score for _, score in made.abilities] == [14, 13, 16, 11, 12, 8]


def test_a_name_that_begins_with_a_size_stays_the_name() -> None:
    text = DWARF.replace("Thieving Dwarf\n{kind}", "Large Puppet").format(scores=ONE_BY_ONE, below="")
    assert creature(text).name == "Large Puppet"


@pytest.mark.parametrize(
    "end", ["moves against", "uses its", "moves, and then uses the", "attacks with", "makes one attack with its"]
)
def test_a_broken_line_that_goes_on_with_a_features_name_begins_no_feature(end: str) -> None:
    text = "\n".join([NAME, KIND, *(f"{label} {value}" for label, value in (*HEAD, *LINES)), " ".join(ABILITIES), table(), "Actions", f"Claw. {ACTIONS[2][1]}", "Legendary Actions", PREAMBLE, f"Sweep. The moth {end}", "Claw. It then rests."])  # fmt: skip
    found = read_text(text)[0].creature
    assert found is not None
    assert [each.name for each in found.features if each.cost == "legendary"] == ["Sweep"]


def test_a_pasted_text_may_be_data_of_another_format() -> None:
    (found,) = read_text("```statblock\nname: Reed Imp\nac: 13\nhp: 9\nstats: [8, 16, 10, 12, 8, 10]\n```")
    assert found.creature is not None
    assert (found.creature.name, found.creature.hp, len(found.lines)) == ("Reed Imp", 9, 6)
    (broken,) = read_text('{"name": "Reed Imp", "hp": ')
    assert (broken.creature, "no stat block found" in broken.problem) == (None, True)


def test_only_labels_are_joined() -> None:
    text = "A RMOR C LASS 15, D ex 14, area C on the map, W is a letter, S TR D EX, A Class act"
    assert text_lines(text)[0].text == "ARMOR CLASS 15, Dex 14, area C on the map, W is a letter, STR DEX, A Class act"
