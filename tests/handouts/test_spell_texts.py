"""The texts of spells: what the rule system's data says about each, in whole words, and nothing for others."""

from __future__ import annotations

import re
from typing import Any

import msgspec
import pytest

from tests.games import WITH_LEDGER
from tests.handouts import samples
from tests.handouts.printed_creatures import shipped
from tests.table import creature
from turnwright.encounter.data_rules import DataRule
from turnwright.encounter.prepared import Creature, Feature, FeatureStep, Scene
from turnwright.encounter.state import Encounter
from turnwright.handouts.spell_texts import SpellTexts
from turnwright.rules.parts.actions.spell_features import spells_of
from turnwright.rules.system_data.numbers import Spell


def texts(system: str, *creatures: Creature) -> SpellTexts:
    return SpellTexts(samples.source(Encounter([Scene(system=system), *creatures])))


def spells(system: str, *features: Feature, **more: Any) -> list[dict[str, Any]]:
    caster = creature("mage", features=features, abilities=(("int", 18),), **more)
    return [spell for one in texts(system, caster).casters() for spell in one["spells"]]


def cast(name: str, level: int | None = None, **more: Any) -> Feature:
    return Feature(name.lower(), name, "action", level=level, properties=("spell",), **more)


LIST = Feature("list", "Spellcasting", "trait", dc=15, attack=7, text="Casts fireball.", properties=("spell",))


def test_a_listed_spell_has_the_casters_numbers_its_facts_and_its_higher_levels() -> None:
    (ball,) = spells("dnd5e", LIST, cast("Fireball", 3))
    assert (ball["name"], ball["rank"], ball["level"]) == ("Fireball", "level 3", 3)
    assert dict(ball["facts"]) == {"Time": "Action", "Range": "150 ft.", "Area": "20-foot radius"}
    assert ball["text"][0].startswith("DC 15 Dexterity save, 28 (8d6) fire, half on a success.")
    assert ball["higher"] == ["For each level above level 3: 1d6 more."]


def test_time_concentration_and_uses_are_facts() -> None:
    (hold,) = spells("dnd5e", LIST, cast("Hold Person", uses=2))
    facts = dict(hold["facts"])
    assert (facts["Lasts"], facts["Uses"], facts["Only"]) == ("concentration, 1 minute", "2/day", "humanoid")
    (ball,) = spells("pf2e", msgspec.structs.replace(LIST, dc=21), cast("Fireball", 3, price=2))
    assert (ball["rank"], dict(ball["facts"])["Time"]) == ("rank 3", "◆◆")
    assert ball["text"] == ["DC 21 basic Reflex save, 6d6 fire."]
    (own,) = spells("action_points", cast("Drown the sun", price=3, spends=(("willpower", 1),), recharge=5))
    assert dict(own["facts"]) == {"Time": "3 AP, 1 WP", "Uses": "recharge 5–6"}


def test_spells_that_actions_and_other_features_cast_are_in_the_list() -> None:
    """A list that is an action, a feature that casts another spell, and a reaction that only has a spell's name."""
    listing = Feature(
        "list", "Spellcasting", "action", dc=15, text="At will: scrying, light", does=(FeatureStep(spell="light"),)
    )
    gaze = Feature("gaze", "Gaze", "legendary", text="It casts Fear.", does=(FeatureStep(spell="fear"),))
    counter = Feature("counter", "Counterspell", "reaction", properties=("spell",), short="It casts Counterspell.")
    told = {spell["name"]: spell["text"] for spell in spells("dnd5e", listing, gaze, counter)}
    assert [*told] == ["Light", "Counterspell", "Fear", "Scrying"]
    assert "It casts" not in str(told)


def test_a_feature_that_casts_the_spell_of_its_name_keeps_its_cost_and_range() -> None:
    vanishes = Feature(
        "invisibility", "Invisibility", "bonus", range="self", does=(FeatureStep(spell="invisibility"),),
        text="The oni casts Invisibility on itself, using the same spellcasting ability as Spellcasting.",
    )  # fmt: skip
    (spell,) = spells("dnd5e", vanishes)
    assert [*dict(spell["facts"]).items()][:2] == [("Time", "Bonus action"), ("Range", "self")]


def test_the_level_that_an_import_notes_is_not_repeated() -> None:
    texts = [spell["text"] for text in ("Rank 5, cantrip. It shines.", "Rank 5, 3 slots", "Range 1 mile. It shines.")
             for spell in spells("pf2e", LIST, cast("Light", text=text, price=2))]  # fmt: skip
    assert texts[0] == ["It shines."]
    listed = next(spell.text for spell in samples.systems().get("pf2e").data.spells if spell.name == "Light")
    assert texts[1] == [listed]
    assert texts[2] == ["Range 1 mile. It shines."]


def test_effects_are_in_whole_words() -> None:
    (bless,) = spells("dnd5e", LIST, cast("Bless", 1))
    assert "+1d4 attack rolls, saves." in bless["text"]
    (blur,) = spells("dnd5e", LIST, cast("Blur", 2))
    assert "Disadvantage on attacks against it." in blur["text"]
    (grasp,) = spells("dnd5e", LIST, cast("Shocking Grasp", 0, damage="4d8 lightning"))
    assert grasp["text"][0].startswith("+7 to hit. Hit: 18 (4d8) lightning.")
    assert any("No reactions" in text for text in grasp["text"])


@pytest.mark.parametrize("game", ["dnd5e", "a5e"])
def test_an_attack_is_printed_as_the_end_of_calm_emotions(game: str) -> None:
    (calm,) = spells(game, LIST, cast("Calm Emotions", 2))
    assert "(until something attacks it)." in calm["text"][-1]


def test_a_spell_without_data_has_no_text() -> None:
    (own,) = spells("dnd5e", LIST, cast("Summon the Tide", 4))
    assert (own["name"], own["rank"], own["text"], own["higher"]) == ("Summon the Tide", "level 4", [], [])


def test_a_spell_that_only_the_stat_block_has_keeps_its_own_text() -> None:
    frost = cast("Breath of frost", 2, damage="3d6 cold", save="con", dc=13, half=True, text="The ground freezes.")
    (own,) = spells("a5e", frost)
    assert own["text"] == ["DC 13 Constitution save, 10 (3d6) cold, half on a success. The ground freezes."]
    (points,) = spells("action_points", cast("Black water", price=2, damage="3d4+3 decay"))
    assert (points["rank"], dict(points["facts"])["Time"]) == ("", "2 AP")


def test_bare_choices_of_a_spell_that_is_never_cast_in_a_fight_are_left_to_its_text() -> None:
    (scrying,) = spells("dnd5e", LIST, cast("Scrying"))
    assert not any(line.startswith("One of") for line in scrying["text"])
    (symbol,) = spells("dnd5e", LIST, cast("Symbol"))
    assert any(line.startswith("One of") for line in symbol["text"])


def test_at_will_is_a_fact_of_a_spell() -> None:
    (fear,) = spells("pf2e", LIST, cast("Fear", text="Rank 1, at will"))
    assert dict(fear["facts"])["Uses"] == "at will"
    assert "At will" not in (text := " ".join(fear["text"]))
    assert text.startswith("DC 15 Will save. Success: frightened 1.")
    (wall,) = spells("pf2e", LIST, cast("Wall", text="Rank 4, at will. It burns."))
    assert (dict(wall["facts"])["Uses"], wall["text"]) == ("at will", ["It burns."])


def test_a_higher_level_is_told_by_its_changes() -> None:
    (person,) = spells("dnd5e", LIST, cast("Dominate Person"))
    assert person["higher"] == ["At level 6: for 10 minutes.", "At level 7: for 1 hour.", "At level 8: for 8 hours."]
    (form,) = spells("a5e", LIST, cast("Gaseous Form"))
    assert form["higher"] == ["At level 4: fly speed 20, rising evenly to 70 at level 9."]
    assert any("fly speed 10" in line and "resistance to all damage" in line for line in form["text"])
    (pest,) = spells("pf2e", msgspec.structs.replace(LIST, dc=21), cast("Pest Form"), tags=("player character",))
    assert [line.count(";") for line in pest["higher"]] == [0]


def test_degrees_stages_and_variants_are_told() -> None:
    every = {spell["name"]: " ".join(spell["text"]) for spell in spells("pf2e", LIST, *map(cast, ("Petrify", "Heal")))}
    assert "Stage 3: petrified." in every["Petrify"]
    assert "Against targets that are undead: basic Fortitude save, 1d8 vitality." in every["Heal"]
    (shield,) = spells("dnd5e", LIST, cast("Fire Shield", 4))
    assert any("resistance to cold" in text for text in shield["text"])


def test_lists_and_attacks_like_those_of_spells_are_no_spells() -> None:
    rules = samples.systems().get("dnd5e")
    flame = Feature("flame", "Hurl Flame", "action", attack=5, range="150", properties=("spell",))
    listing = Feature("cast", "Spellcasting", "action", does=(FeatureStep(spell="fireball"),), properties=("spell",))
    assert spells_of(rules, creature("imp", features=(flame, listing, LIST))) == spells_of(
        rules, creature("imp", features=(LIST,))
    )


def test_spells_that_a_list_names_are_added_to_those_of_the_stat_block() -> None:
    rules = samples.systems().get("dnd5e")
    listing = msgspec.structs.replace(
        LIST, text="Spells: fireball (1/day), counterspell*, wall of force\nIt sees light, and shield walls.", dc=15
    )
    named = [spell.name for spell in spells_of(rules, creature("seer", features=(listing, cast("Fireball", 3))))]
    assert named == ["Fireball", "Counterspell", "Wall of Force"]


def test_a_rank_in_the_text_of_an_import_raises_the_spell() -> None:
    """The numbers of targets of a higher rank, as the rule system has them."""
    fear = Feature(
        "fear", "Fear", "action", range="30", save="wis", dc=20, text="Rank 7, at will", properties=("spell",)
    )
    caster = creature("imp", features=(fear,))
    known = texts("pf2e", caster)
    assert dict(known.spell(caster, fear)["facts"])["Targets"] == "5"
    assert known.spell(caster, fear)["level"] == 7
    assert "up to 5 targets" in known.in_line(caster, fear)
    grasp = Feature(
        "grasp", "Shocking Grasp", "action", attack=5, reach=5, damage="1d8 lightning", properties=("spell",),
        effect=(DataRule("deny", "reaction"),), until="turn-start",
    )  # fmt: skip
    assert "No reactions" in known.in_line(creature("imp", features=(grasp,)), grasp)


def test_a_list_without_spells_of_its_own_names_them_the_longest_names_first() -> None:
    rules = samples.systems().get("dnd5e")
    listing = msgspec.structs.replace(LIST, text="It casts mass cure wounds and greater invisibility, and fireball.")
    named = [spell.name for spell in spells_of(rules, creature("seer", features=(listing,)))]
    assert named == ["Mass Cure Wounds", "Greater Invisibility", "Fireball"]


@pytest.mark.sampled(1)
@pytest.mark.parametrize("system", [*WITH_LEDGER, "dnd5e-2024"])
def test_every_spell_of_every_game_is_told_in_words(system: str) -> None:
    rules = samples.systems().get(system)
    every = [cast(spell.name, spell.level) for spell in rules.data.spells]
    told = [spell for caster in (*shipped(system), creature("all", features=(LIST, *every), level=9))
            for one in texts(system, caster).casters() for spell in one["spells"]]  # fmt: skip
    assert {spell.name for spell in rules.data.spells} <= {spell["name"] for spell in told}
    lines = [line for spell in told for line in (*spell["text"], *spell["higher"], *map(" ".join, spell["facts"]))]
    wrong = re.compile(
        r"handout\.|ui\.|Gains 0 |\badv\b|\bdis\b|being (?:seen|targeted)|\.\.|  |None|\(\)|\{|: \.|: ,|turns in the area: for |<"
    )
    assert [line for line in lines if wrong.search(line)] == []
    bare = Spell("", "")
    known = {spell.name for spell in rules.data.spells if spell.text or spell.damage != bare.damage or spell.effect}
    assert {spell["name"] for spell in told if spell["name"] in known and not spell["text"]} == set()


def told(system: str, name: str) -> str:
    (spell,) = spells(system, LIST, cast(name))
    return "\n".join((*spell["text"], *spell["higher"]))


def test_each_degree_of_success_has_its_own_sentence() -> None:
    text = told("pf2e", "Fear")
    assert (
        "Success: frightened 1.\nFailure: frightened 2.\nCritical failure: frightened 3, fleeing (for 1 round)." in text
    )
    assert "Failure: prone, no damage.\nCritical failure: prone, full damage" in told("pf2e", "Gust of Wind")
    degrees = ("Success: A.", "Failure, critical failure: B.", "Failure: B and C")
    assert [*texts("pf2e").by_degree(degrees)] == ["Success: A.", "Failure: B and C.", "Critical failure: B."]
    assert [*texts("pf2e").by_degree(("Critical failure: B", "It ends. Failure: B"))][1:] == [
        "Failure, critical failure: B."
    ]
    assert [*texts("dnd5e").by_degree(["It ends. Failure: B. Success: A"])] == ["It ends. Failure: B. Success: A"]
    spray = told("pf2e", "Prismatic Spray")
    assert re.search(r"indigo.* \(.*failure: .*critical failure: .*\); 7 violet", spray)
    killer = told("pf2e", "Phantasmal Killer")
    assert killer.count("frightened 4") < 3
    assert "fleeing, fleeing" not in killer


def test_degrees_of_success_are_from_the_best_to_the_worst() -> None:
    order = ("critical-success", "success", "failure", "critical-failure")
    listed = {
        one.name: [order.index(each.degree) for each in one.degrees]
        for one in samples.systems().get("pf2e").data.spells
    }
    assert [name for name, found in listed.items() if found != sorted(found)] == []
    lines = told("pf2e", "Glitterdust").splitlines()
    assert [line.partition(":")[0] for line in lines[2:5]] == ["Success", "Failure", "Critical failure"]


@pytest.mark.parametrize("name", [spell.name for spell in samples.systems().get("pf2e").data.spells][::7])
def test_each_degree_has_one_line_with_all_that_happens(name: str) -> None:
    degree = "critical success|success|failure|critical failure"
    heads = re.findall(rf"^((?:{degree})(?:, (?:{degree}))*):", told("pf2e", name).lower(), re.MULTILINE)
    degrees = ", ".join(heads).split(", ")
    assert len(degrees) == len({*degrees})


def test_texts_do_not_repeat_a_spells_duration_immunity_or_splash() -> None:
    assert "lasts" not in told("pf2e", "Scrying")
    assert "Critical failure: lasts 1 hour." in told("pf2e", "Suggestion")
    assert "immune afterwards" not in told("pf2e", "Scrying")
    assert "immune afterwards" in told("pf2e", "Enthrall")
    assert told("pf2e", "Acid Splash").count("1 persistent acid") == 1
    assert "Critical success: immobilized (for 1 round), −10-foot circumstance penalty" in told("pf2e", "Tanglefoot")


def test_persistent_damage_of_some_degrees_is_told_with_them_alone() -> None:
    text = told("pf2e", "Produce Flame")
    assert "no persistent damage" not in text
    assert text.count("1d4 persistent fire damage") == 1
    assert "Critical success: 1d4 persistent fire damage." in text


@pytest.mark.parametrize(
    ("name", "level", "sentences"),
    [
        ("Breath of Life", 7, ("Regains 6d8.",)),  # and not one less, of which it returns to life with 1
        ("Summon Fey", 4, ("Within 30 feet, of level 3.",)),
        ("Summon Fiend", 10, ("of level 15 or lower.",)),
        ("Shield", 5, ("When it takes damage: 15 less damage.",)),
        ("Shield Other", 2, ("Half of all damage.\nThe caster takes the same damage.",)),
        ("Harm", 4, ("Against targets that are undead: heals 4d8+32.",)),
        ("Glitterdust", 2, ("Success: lasts 2 rounds.",)),
        ("Moonlight Ray", 4, ("Against a target that is unholy: 7d6 cold + 7d6 spirit damage.",)),
        ("Searing Light", 3, ("Against a target that is undead or fiend: 5d6 fire + 5d6 spirit damage.",)),
        ("Shocking Grasp", 1, ("Against metal armor: 1d4 persistent electricity damage.",)),
    ],
)
def test_numbers_are_those_of_the_rank(name: str, level: int, sentences: tuple[str, ...]) -> None:
    (spell,) = spells("pf2e", LIST, cast(name, level, price=2), level=9)
    text = "\n".join((*spell["text"], *spell["higher"]))
    assert all(sentence in text for sentence in sentences), text
    assert "(rank" not in text


def test_neither_counters_nor_unlimited_targets_are_told() -> None:
    for name in ("Prestidigitation", "Thaumaturgy"):
        assert not re.search("Tricks|Wonders", told("dnd5e", name))
    assert "2d10 more maximum and current hit points" in told("a5e", "Heroes' Feast")
    assert "One of" not in told("dnd5e", "Shocking Grasp")
    assert "2d6 more of each type." in told("pf2e", "Moonlight Ray")
    for name in ("Chain Lightning", "Aqueous Orb"):
        (spell,) = spells("pf2e", LIST, cast(name, price=2))
        assert "Targets" not in dict(spell["facts"])
    (shield,) = spells("pf2e", LIST, cast("Shield", price=1))
    assert "immune" not in str(shield["text"])  # without a save nothing succeeds


@pytest.mark.parametrize(
    ("system", "name", "sentence"),
    [
        ("pf2e", "Resist Energy", "One of: acid, cold, electricity, fire, sonic (resistance to it 5)."),
        ("pf2e", "Shillelagh", "; 1 more weapon damage die (melee weapon, staff, club or quarterstaff), another against undead"),
        ("pf2e", "Runic Weapon", "3 more weapon damage dice (weapon)."),
        ("pf2e", "Glitterdust", "Attacks against it need a DC 5 flat check (if it is invisible); can't be invisible."),
        ("pf2e", "Obscuring Mist", "Its attacks and attacks against it need a DC 5 flat check."),
        ("pf2e", "Globe of Invulnerability", "A spell from outside is counteracted as by Dispel Magic"),
        ("pf2e", "Shield", "+1 circumstance bonus to AC (ends at the start of the caster's next turn)."),
        ("pf2e", "Command", "drop what it holds, fall prone, stay (−1 action; no reactions)."),
        ("dnd5e", "Chromatic Orb", "One of: acid, cold, fire, lightning, poison, thunder."),
        ("dnd5e", "Blindness/Deafness", "One of: blinded, deafened (ends on a successful save at the end of their turn, for 1 minute)."),
        ("dnd5e", "Barkskin", "AC of at least 16."),
        ("dnd5e", "Mage Armor", "AC of at least 13 without a shield; AC of at least 15 with a shield."),
        ("dnd5e", "Resurrection", "−4 to attack rolls, saves and checks (1 less after each long rest)"),
        ("a5e", "Reverse Gravity", "Rises 100 feet"),
        ("a5e", "Dispel Magic", "against DC 10 + its level"),
        ("pf2e", "Dispel Magic", "A successful counteract check ends an effect on its target."),
        ("dnd5e", "Dispel Magic", "Ends spells in force on its targets."),
        ("dnd5e", "Slow", "an action or a bonus action each turn, not both"),
    ],
)  # fmt: skip
def test_effects_are_sentences_for_the_table(system: str, name: str, sentence: str) -> None:
    assert sentence in told(system, name)


def test_a_spell_at_a_fixed_rank_has_the_numbers_of_that_rank() -> None:
    """Those of its variants and in its text, at and above its own rank, and without later growth; a player's has its growth."""
    for name, rank, sentences in (
        ("Meteor Swarm", 10, ("16d6 fire + 7d10 bludgeoning", "farther away (16d6 fire damage)")),
        ("Meteor Swarm", 9, ("14d6 fire + 6d10 bludgeoning",)),
        ("Power Word Stun", 10, ("1d6 rounds up to level 17, 1 round up to level 19",)),
        ("Divine Decree", 7, ("creatures of level 10 or lower;",)),
        ("Wall of Force", 8, ("Hardness 30, 80 hit points,",)),
        ("Phantasmal Killer", 6, ("takes 18d6 mental damage,",)),
    ):
        (spell,) = spells("pf2e", LIST, cast(name, rank))
        text = " ".join(spell["text"])
        assert [each for each in sentences if each not in text] == []
        assert (spell["higher"], "for each rank" in text) == ([], False)
    (swarm,) = spells("pf2e", LIST, cast("Meteor Swarm", 9), tags=("player character",))
    assert swarm["higher"] == ["For each rank above rank 9: 2d6 more."]
    (kills,) = spells("pf2e", LIST, cast("Power Word Stun", 10))
    assert "18" not in " ".join(kills["text"])  # the number that stands for all actions of the rounds


def test_variants_with_odds_that_the_text_gives_are_no_list() -> None:
    assert "casting" not in told("a5e", "Divination").partition("Each further casting")[2]
