"""Numbers on stat blocks, creature cards and running sheets are those of the records, for all creatures that ship or can be read."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.handouts import samples
from tests.handouts.printed_creatures import OF_EACH_GAME, packet, pdf, shipped, squeezed, text_of
from tests.handouts.printed_numbers import (
    FEATURE_RULES,
    Unexplained,
    block_of,
    encounter_of,
    lines_of_block,
    lost_areas,
    lost_effects,
    lost_fields,
    lost_on_sheet,
    lost_sentences,
    unexplained_in_block,
    unexplained_on_card,
    unexplained_on_sheet,
)
from turnwright.bootstrap import RuleSystems
from turnwright.encounter.prepared import Creature, Feature, FeatureStep, InflictedCondition, SourceNote
from turnwright.handouts.kinds import running_sheet
from turnwright.handouts.kinds.stat_blocks import KIND
from turnwright.handouts.page_input import PageInput, PrintOptions
from turnwright.handouts.spell_texts import SpellTexts
from turnwright.importers.files.import_files import read_paths
from turnwright.importers.results import ImportedRecord
from turnwright.rules.parts.actions.spell_features import spells_of
from turnwright.rules.parts.stat_block.prose import StatBlockNames
from turnwright.workspace.print_job import translator


def source_of(creature: Creature, system: str) -> PageInput:
    rules = samples.systems().get(system)
    return PageInput(encounter_of(creature, system), rules, translator(samples.words(), rules), PrintOptions(lore=True))


def unexplained(creatures: Iterable[Creature], system: str) -> list[Unexplained]:
    """Return the numbers of all three kinds of pages that no record explains."""
    found: list[Unexplained] = []
    for creature in creatures:
        source = source_of(creature, system)
        block = block_of(creature, source)
        found += unexplained_in_block(creature, block, source.rules)
        found += unexplained_on_card(creature, block, source)
        found += unexplained_on_sheet(creature, source)
    return found


def lost(creatures: Iterable[Creature], system: str) -> list[tuple[str, str, str]]:
    """Return the texts of records that their stat blocks lack."""
    found: list[tuple[str, str, str]] = []
    for creature in creatures:
        source = source_of(creature, system)
        block = block_of(creature, source)
        found += lost_sentences(creature, block)
        found += lost_fields(creature, block, StatBlockNames(source.rules.data, source.text))
        found += lost_areas(creature, block, source)
        found += lost_on_sheet(creature, source)
        found += lost_effects(creature, block, source)
    return found


@OF_EACH_GAME
def test_numbers_and_texts_of_shipped_creatures_are_those_of_their_records(system: str, step: int) -> None:
    creatures = shipped(system)[:: 4 * step - 3]
    assert unexplained(creatures, system) == []
    assert lost(creatures, system) == []


def test_numbers_of_sample_creatures_are_those_of_their_records() -> None:
    for path in samples.SAMPLES:
        encounter = samples.sample(path)
        assert unexplained(encounter.all(Creature), samples.rules_of(encounter).id) == []
        assert lost(encounter.all(Creature), samples.rules_of(encounter).id) == []


@pytest.mark.soak
def test_numbers_of_other_programs_creatures_are_those_of_their_records(real_data: Path) -> None:
    read = [result for _, result in read_paths([real_data]) if isinstance(result, ImportedRecord)]
    creatures = [(result.system, result.record) for result in read if isinstance(result.record, Creature)]
    assert len(creatures) > 4000
    assert [found for system, creature in creatures for found in unexplained([creature], system)] == []
    assert [found for system, creature in creatures for found in lost([creature], system)] == []
    assert [found for system, creature in creatures for found in unexplained_spells([creature], system)] == []


PLAIN = Creature("ogre", "Ogre", rating="2", ac=11, hp=59, abilities=(("str", 18), ("dex", 8)), proficiency=2)
CLUB = Feature("club", "Club", "action", attack=6, reach=5, damage="2d8+4 bludgeoning", properties=("weapon",))


def test_the_rules_explain_what_they_name_and_nothing_else() -> None:
    """A number that is changed on the page only, or a rule that is left out, is found."""
    creature = replace(PLAIN, features=(replace(CLUB, attack=None, damage="2d8 bludgeoning"),))
    source = source_of(creature, "dnd5e")
    block = block_of(creature, source)
    assert [*unexplained_in_block(creature, block, source.rules)] == []
    other = replace(creature, features=(replace(CLUB, attack=5, damage="2d8 bludgeoning"),))
    told = {found.number for found in unexplained_in_block(other, block, source.rules)}
    assert told == {4, 6, 13}  # the ability modifier, the bonus with it, and the average with it
    assert {
        found.number for found in unexplained_on_card(creature, block, source_of(replace(PLAIN, hp=61), "dnd5e"))
    } == {61}
    assert {found.number for found in unexplained_on_sheet(replace(creature, hp=30), source)} == {29, 59}
    assert len(FEATURE_RULES) == len({rule.__doc__ or name for name, rule in FEATURE_RULES.items()})


BOLT = Feature(
    "bolt", "Lightning Bolt", "action", save="dex", dc=15, damage="8d6 lightning", half=True, properties=("spell",)
)


def test_an_area_of_two_numbers_is_printed_whole() -> None:
    """A listed spell, a feature and a game of each layout; and a part that is left out is found."""
    areas = ("100-foot line, 5 feet wide", "10-foot radius, 40 feet high")
    for system in ("dnd5e", "pf2e", "a5e"):
        for area in areas:
            for bolt in (replace(BOLT, area=area), replace(BOLT, name="Bolt of the weir", area=area, properties=())):
                creature = replace(PLAIN, features=(bolt,))
                source = source_of(creature, system)
                block = block_of(creature, source)
                assert [*lost_areas(creature, block, source)] == []
                other = replace(creature, features=(replace(bolt, area="77-foot cone"),))
                assert [place for *_, place in lost_areas(other, block, source)] != []


def test_sentences_with_numbers_and_conditions_are_on_the_sheet() -> None:
    """Sentences of a multiattack, behind a short text, and of a condition that another sentence names; neighbours stay out."""
    both = Feature(
        "both", "Both Fists", "action", multiattack=((("club", 2),),), text="If both hit, the target is prone."
    )
    plain = replace(both, id="plain", name="Two Fists", text="It makes two attacks.")
    hold = Feature(
        "hold",
        "Hold",
        "action",
        afflictions=(InflictedCondition("enfeebled", value=1), InflictedCondition("grabbed")),
        text="A creature that it hits is enfeebled 1 and grabbed. It drags a grabbed creature along.",
    )
    aura = replace(hold, id="aura", name="Aura", cost="trait")
    leap = Feature(
        "leap", "Leap", "action", short="It jumps.", text="It jumps. It lands within 15 feet. It is 7 (2d6) high."
    )
    creature = replace(PLAIN, features=(CLUB, both, plain, hold, aura, leap))
    source = source_of(creature, "pf2e")
    assert [*lost_on_sheet(creature, source)] == []
    (row,) = running_sheet.make(source).sections[0].data["sides"][0]["groups"]
    told = {line["name"]: (line["figures"], line["text"]) for line in row["lines"]}
    assert told["Both Fists"] == ([], "If both hit, the target is prone.")
    assert told["Two Fists"] == ([], "")
    assert told["Hold"] == ([], hold.text)
    assert told["Aura"] == ([], hold.text)
    assert told["Leap"] == ([], "It jumps. It lands within 15 feet. It is 7 (2d6) high.")
    other = replace(
        creature, features=(replace(leap, text="It lands within 20 feet."), replace(both, text="If stunned."))
    )
    assert [name for _, name, _ in lost_on_sheet(other, source)] == ["Leap", "Both Fists"]


SAVED = (
    "The drake breathes. Each creature in the area makes a DC 15 Dexterity saving throw. On a failure, it takes 28 (8d6) "
    "lightning damage, and its speed is 0 until the end of its next turn. On a success, it takes half damage."
)


@pytest.mark.parametrize("system", ["a5e", "dnd5e", "action_points"])
def test_half_damage_is_printed_when_other_sentences_have_the_save(system: str) -> None:
    """Of prose with the save; of the game's own text that halves only the speed; and nothing is added without it."""
    breath = replace(BOLT, name="Breath", text=SAVED, area="90-foot cone", properties=())
    slow = replace(breath, id="slow", text="DC 15 Dexterity save, 28 (8d6) lightning damage. It is at half speed.")
    for feature in (breath, slow):
        creature = replace(PLAIN, features=(feature,))
        source = source_of(creature, system)
        block = block_of(creature, source)
        assert [*lost_effects(creature, block, source)] == []
        (line,) = (line for line in lines_of_block(block) if line["about"] == "feature:bolt" or "slow" in line["about"])
        assert len(re.findall(r"half (?:damage|on)", " ".join(line["text"]))) == (feature is breath)
    (row,) = running_sheet.make(source).sections[0].data["sides"][0]["groups"]
    assert "half on a success" in f"{row['lines'][0]}".lower()
    plain = replace(PLAIN, features=(replace(breath, half=False),))
    assert "half damage" in " ".join(" ".join(line["text"]) for line in lines_of_block(block_of(plain, source)))


def test_damage_that_a_failed_save_does_not_cause_is_not_joined_to_its_dc() -> None:
    """Only a success brings it, every target takes it, or a failure brings it; in a text and as the numbers of a tent."""
    shout = "Each creature within 30 feet makes a DC 15 Dexterity saving throw. Each creature that succeeds on the "
    text = f"{shout}saving throw takes 28 (8d6) lightning damage. Each creature that fails obeys."
    bolt = replace(BOLT, half=False, properties=())
    owned = (
        replace(bolt, id="shout", name="Shout", properties=("hurts-saved",), text=text, range="30"),
        replace(bolt, id="parry", name="Parry", properties=("hurts-all",), cost="trait"),
        bolt,
        replace(bolt, id="water", name="Water", save="", dc=0, cost="trait", range="self", trigger="turn-end"),
    )
    (row,) = running_sheet.make(source_of(replace(PLAIN, features=owned), "a5e")).sections[0].data["sides"][0]["groups"]
    told = {line["name"]: (line["brief"]["figures"], line["text"]) for line in row["lines"]}
    damage = "28 (8d6) lightning"
    assert told["Shout"][0] == ["Dex DC 15", f"{damage} on a success"]
    assert "succeeds on the saving throw takes 28" in told["Shout"][1]
    assert told["Parry"][0] == [damage, "Dex DC 15"]
    assert told["Lightning Bolt"][0] == [f"Dex DC 15 or {damage}"]
    assert told["Water"][0] == []  # neither an attack nor a save: a tent has no room for it


def test_a_list_explains_spells_that_its_prose_casts() -> None:
    steps = (FeatureStep(spell="flame-strike"), FeatureStep(spell="spirit-guardians", alternative=True))
    text = "Its spellcasting ability is Wisdom (save DC 17). It can try to cast flame strike or spirit guardians.\n5th level: contagion"
    flawed = Feature("flawed", "Flawed Spellcasting", "action", dc=17, text=text, does=steps)
    creature = replace(PLAIN, features=(flawed,))
    source = source_of(creature, "a5e")
    assert [*lost_effects(creature, block_of(creature, source), source)] == []
    told = {each.name for each in spells_of(source.rules, creature)}
    assert {"Flame Strike", "Spirit Guardians", "Contagion"} <= told


def test_parts_of_a_feature_are_in_its_text_or_have_lines() -> None:
    """Those of an importer with another name; one with a number of its own, and an attack, keep their lines."""
    whole = Feature("flaws", "Flaws", "trait", text="Running water: 20 acid damage. A stake paralyzes it.")
    water = Feature("flaws-water", "Running Water", "trait", damage="20 acid", short="It costs 20 acid damage.")
    stake = Feature("flaws-stake", "Stake", "free", short="A stake leaves it paralyzed.")
    fire = replace(water, id="flaws-fire", name="Fire", damage="30 fire", short="It costs 30 fire damage.")
    claw = replace(CLUB, id="flaws-claw", name="Claw", short="A stroke.", damage="20 slashing")
    creature = replace(PLAIN, features=(whole, water, stake, fire, claw))
    source = source_of(creature, "dnd5e")
    (row,) = running_sheet.make(source).sections[0].data["sides"][0]["groups"]
    assert {line["name"] for line in row["lines"]} == {"Flaws", "Fire", "Claw"}
    told = {line["about"] for line in lines_of_block(block_of(creature, source)) if "feature" in line["about"]}
    assert told == {"feature:flaws", "feature:flaws-fire", "feature:flaws-claw"}


def test_remarks_of_defences_and_armour_are_on_the_sheet() -> None:
    remarks = (
        SourceNote("resistances", "physical: except adamantine"),
        SourceNote("ac", "15 with a spell"),
        SourceNote("speeds", "Air Walk 25"),
    )
    creature = replace(PLAIN, resistances=("physical 5", "fire 7"), remarks=remarks)
    (row,) = running_sheet.make(source_of(creature, "pf2e")).sections[0].data["sides"][0]["groups"]
    told = {fact["lead"]: fact["text"] for fact in (*row["facts"], *row["defences"])}
    assert told["Resistances"] == "physical 5 (except adamantine), fire 7"
    assert "15 with a spell" in told.values()
    assert "Air Walk 25" in told["Speed"]


def test_nothing_is_worked_out_from_abilities_that_nobody_wrote() -> None:
    snare = Creature("snare", "Snare", type="hazard", ac=15, hp=20, speeds=(), saves=(("con", 9),))
    for system in RuleSystems().ids:
        source = source_of(snare, system)
        assert block_of(snare, source)["abilities"] == []
        assert unexplained([snare], system) == []


@pytest.mark.sampled(2)
@OF_EACH_GAME
def test_every_line_of_the_page_data_is_on_paper(system: str, step: int) -> None:
    rules = RuleSystems().get(system)
    made = packet(KIND, shipped(system)[:: 8 * step], rules)
    printed = squeezed("".join(text_of(pdf(made))))
    blocks = [block for section in made.sections for block in section.data["creatures"]]
    told = [(block["name"], text) for block in blocks for line in lines_of_block(block) for text in line["text"]]
    told += [(block["name"], text) for block in blocks for text in (*block["notes"], *block["tactics"]["text"])]
    assert len(told) > len(blocks) > 1
    assert [(name, text) for name, text in told if not all(part in printed for part in pieces(text))] == []


def pieces(text: str) -> list[str]:
    """Return the sentences of a text as they are compared with paper, without signs that templates draw."""
    return [squeezed(part) for part in re.split(r"[.;:,] |[◆↺◇]", text)]


def unexplained_spells(creatures: Iterable[Creature], system: str) -> list[tuple[str, str]]:
    """Return the spells with an effect in a fight that have no line on their casters' stat blocks."""
    found: list[tuple[str, str]] = []
    for creature in creatures:
        source = source_of(creature, system)
        lines = [*lines_of_block(block_of(creature, source))]
        told = {line["about"].partition(":")[2] for line in lines} | {line.get("name") for line in lines}
        named = filter(SpellTexts(source).is_for_fights, spells_of(source.rules, creature))
        found += [(creature.name, spell.name) for spell in named if not {spell.id, spell.name} & told]
    return found


@OF_EACH_GAME
def test_each_spell_for_fights_is_explained_on_its_casters_block(system: str, step: int) -> None:
    assert unexplained_spells(shipped(system)[:: 4 * step - 3], system) == []


def test_spells_that_a_list_only_names_are_explained_with_their_cost() -> None:
    listing = Feature(
        "list", "Spellcasting", "trait", dc=15, text="At will: mage hand\n1/day: counterspell, wall of force",
        properties=("spell",), does=(FeatureStep(spell="counterspell"),),
    )  # fmt: skip
    mage = replace(PLAIN, features=(listing, CLUB))
    groups = {
        group["cost"]: [line["name"] for line in group["lines"]]
        for group in block_of(mage, source_of(mage, "dnd5e"))["features"]
    }
    assert groups == {"trait": ["Spellcasting"], "action": ["Club"], "spell": ["Wall of Force", "Counterspell"]}
