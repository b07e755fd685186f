"""The generator of bestiaries, on two made-up sources: decisions, texts of ours, and nothing of a source in the result."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tools.bestiary import generating
from tools.bestiary.generating import Bestiary
from tools.bestiary.spell_lists import cast_levels, spell_list
from tools.bestiary.wording import sentence_of, six_words

from tests.table import creature
from turnwright.encounter.prepared import Creature
from turnwright.storage.library.entries import read_library_file

BITE = "Melee Weapon Attack: +4 to hit, reach 5 ft., one target. Hit: 6 (1d8 + 2) piercing damage. The moss wolf howls at {n} moons."
SET = """
game = "dnd5e"
folder = "made-up"
source = "Made up"
licence = "None"
base = "first"
other = "second"

[drop]
moss-wolf = { names = ["Lore"], reason = "no feature" }
[add]
moss-wolf = { names = ["Keen Nose"], reason = "left out" }
[policy.creature]
ac = { take = "base", reason = "printed" }
senses = { take = "both", reason = "a gap" }
[policy.feature]
damage = { take = "other", reason = "recalculated" }
text = { take = "base", reason = "printed" }
[creatures]
moss-wolf = { hp = { take = "other", reason = "agrees with its hit dice" } }
"""
COVERED = r"""
[parts]
n = '\d+'
[[covered]]
matches = '^Melee Weapon Attack: \+{n} to hit, reach {n} ft\., one target\. Hit: [^.]* damage\. ?'
needs = ["attack", "damage"]
"""


def source(folder: Path, *, hp: int, ac: int, die: str, senses: str, more: str) -> None:
    folder.mkdir()
    monster = {
        "name": "Moss Wolf", "size": "Medium", "type": "beast", "alignment": "unaligned", "armor_class": ac,
        "hit_points": hp, "hit_dice": "2d8+2", "challenge_rating": "1/4", "strength": 14, "dexterity": 12,
        "constitution": 12, "intelligence": 3, "wisdom": 12, "charisma": 6, "senses": senses, "languages": "",
        "speed_json": '{"walk": 40}',
        "special_abilities_json": json.dumps([{"name": more, "desc": "The moss wolf smells moss a mile off."}]),
        "actions_json": json.dumps([{"name": "Bite", "desc": BITE.replace("{n}", "3").replace("1d8", die)}]),
    }  # fmt: skip
    rows = [{"model": "api.monster", "pk": "moss-wolf", "fields": monster}]
    (folder / "Monster.json").write_text(json.dumps(rows), encoding="utf-8")


@pytest.fixture
def sources(tmp_path, monkeypatch) -> Path:
    source(tmp_path / "first", hp=12, ac=13, die="1d8", senses="darkvision 60 ft.", more="Lore")
    source(tmp_path / "second", hp=11, ac=14, die="1d8", senses="blindsight 10 ft.", more="Keen Nose")
    (tmp_path / "wolves.toml").write_text(SET, encoding="utf-8")
    (tmp_path / "wolves.covered.toml").write_text(COVERED, encoding="utf-8")
    (tmp_path / "wolves.tsv").write_text(
        "name\trole\tenvironments\nMoss Wolf\tbrute\tforest, swamp\n", encoding="utf-8"
    )
    (tmp_path / "texts").mkdir()
    monkeypatch.setattr(generating, "HERE", tmp_path)
    return tmp_path


def digests(sources: Path) -> dict[str, str]:
    """The digests of the sentences that want a text, by their features."""
    rows = [line.split("\t") for line in Bestiary.read("wolves", sources).todo().splitlines()[1:]]
    return {row[3]: row[0] for row in rows}


def test_a_creature_is_written_once_each_of_its_sentences_has_a_text_of_ours(sources):
    out = sources / "out"
    wanted = digests(sources)
    assert set(wanted) == {"Bite", "Keen Nose"}
    count, lacking = Bestiary.read("wolves", sources).write(out)
    assert (count, lacking) == (0, [f"Moss Wolf: Keen Nose: {wanted['Keen Nose']}; Bite: {wanted['Bite']}; note"])
    lines = [f'"{wanted["Bite"]}" = "It sees {{1}} moons."', f'"{wanted["Keen Nose"]}" = "Finds moss."']
    text = "\n".join([*lines, "[notes]", 'moss-wolf = "Green all over."'])
    (sources / "texts" / "wolves-1.toml").write_text(text, encoding="utf-8")
    (out / "old.toml").touch()
    bestiary = Bestiary.read("wolves", sources)
    assert bestiary.write(out) == (1, [])
    assert [file.name for file in out.iterdir()] == ["moss-wolf.toml"]
    wolf, findings = read_library_file(out / "moss-wolf.toml")
    assert isinstance(wolf, Creature)
    assert not findings
    assert {each.name: each.text for each in wolf.features} == {"Keen Nose": "Finds moss.", "Bite": "It sees 3 moons."}
    assert (wolf.hp, wolf.ac, dict(wolf.senses)) == (11, 13, {"blindsight": 10, "darkvision": 60})
    assert (wolf.role, wolf.environments, wolf.xp, wolf.proficiency) == ("brute", ("forest", "swamp"), 50, 2)
    assert "hp" in {row.field for row in bestiary.merger.differences}


def test_a_difference_without_a_decision_is_an_error_and_so_is_a_decision_without_one(sources):
    (sources / "wolves.toml").write_text(
        SET.replace('ac = { take = "base", reason = "printed" }', ""), encoding="utf-8"
    )
    with pytest.raises(ValueError, match="ac 13 or 14 isn't decided"):
        Bestiary.read("wolves", sources)
    (sources / "wolves.toml").write_text(SET + 'other-wolf = { hp = { take = "base" } }\n', encoding="utf-8")
    with pytest.raises(ValueError, match=r"creatures\.other-wolf"):
        Bestiary.read("wolves", sources)


def test_one_digest_for_sentences_that_differ_in_names_and_numbers():
    wolf, bull = creature("moss-wolf", name="Moss Wolf"), creature("bull", name="Thunder Bull")
    one = sentence_of(wolf, "The wolf runs 30 feet, and the moss wolf's bite deals 5 (2d4) damage.")
    other = sentence_of(bull, "The thunder bull runs 20 feet, and the bull's bite deals 9 (2d8) damage.")
    assert one.digest == other.digest
    assert (one.values, other.values) == (("30", "2d4"), ("20", "2d8"))
    assert one.shown == "The wolf runs {1=30} feet, and the moss wolf's bite deals {2=2d4} damage."


def test_a_spell_list_keeps_names_and_numbers_only():
    text = (
        "Its spellcasting ability is Wisdom (spell save DC 13, +5 to hit). It can cast:\n• Cantrips (at will): Light\n"
    )
    assert spell_list(text + "• 1st-level (4 slots): Bless, Guiding Bolt", {}) == (
        "Casts with Wisdom (+5 to hit).\nCantrips: light.\nLevel 1 (4 slots): guiding bolt, bless."
    )


def test_a_spell_that_is_cast_at_a_level_has_it_in_the_list():
    levels = cast_levels(["It can replace one attack with a use of Spellcasting to cast Mind Spike (level 4 version)."])
    text = "using Charisma as the spellcasting ability\n• At Will: Mind Spike, Light"
    assert spell_list(text, levels) == "Casts with Charisma.\nAt will: light, mind spike (level 4)."


def test_six_words_in_a_row_are_counted_without_signs():
    assert list(six_words("One, two; three four FIVE six seven.")) == [
        "one two three four five six",
        "two three four five six seven",
    ]
