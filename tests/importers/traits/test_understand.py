"""Reading features by a catalogue: what gives way, what stays, and when nothing is understood."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.for_each import for_each
from tests.importers.traits.readers import shipped_readers
from tests.table import Table, creature, pf2e
from turnwright.encounter.prepared import Creature, Feature, FeatureStep, InflictedCondition, Map
from turnwright.encounter.running import Effect
from turnwright.importers.traits.catalogue import TraitsError, read_catalogue, shipped_catalogue
from turnwright.importers.traits.understand import CatalogueReader, TraitReaders, Understood
from turnwright.play.actions.use_feature import UseFeature
from turnwright.play.attacks.attack_request import Attack
from turnwright.play.movement.commanded_move import MovePath
from turnwright.play.setup.prepared_records import Add
from turnwright.play.state.position_changes import SetPosition
from turnwright.rules.parts.conditions.predicates import is_there

HEAD = 'format = 3\nkind = "traits"\nsystem = "dnd5e"\n'
BURNS = """
[words]
type = ["cold", "fire"]

[traits.burns]
names = ["Flames"]
matches = ["{it} burns whoever hits it for {dice} {type} damage"]
also = ["it burns {type2} too"]
unapplied = ["smoke rises"]
gives = { trigger = "hit", damage = "{dice} {type}", when = "melee, not suffered:{type2}" }
samples = ["It burns whoever hits it for 2d6 fire damage."]
"""
TEXT = "The imp burns whoever hits it for 7 (2d6) fire damage."


def reader(tmp_path: Path, text: str) -> CatalogueReader:
    file = tmp_path / "traits.toml"
    file.write_text(HEAD + text, encoding="utf-8")
    return CatalogueReader(read_catalogue(file))


def of(tmp_path: Path, feature: Feature, text: str = BURNS) -> Understood | None:
    return reader(tmp_path, text).feature(feature, (feature,))


def test_a_whole_sentence_gives_its_fields_and_names_them_as_read(tmp_path: Path) -> None:
    found = of(tmp_path, Feature("a", "Heat", text=TEXT))
    assert found is not None
    assert (found.entries, found.extent) == (("burns",), "whole")
    assert (found.feature.trigger, found.feature.damage, found.feature.when) == ("hit", "2d6 fire", "melee")
    assert found.feature.read == ("trigger", "damage", "when")


def test_a_further_sentence_adds_the_facts_that_hold_its_words(tmp_path: Path) -> None:
    found = of(tmp_path, Feature("a", "Heat", text=f"{TEXT} It burns cold too."))
    assert found is not None
    assert found.feature.when == "melee, not suffered:cold"


def test_a_known_sentence_without_fields_makes_it_understood_in_part(tmp_path: Path) -> None:
    found = of(tmp_path, Feature("a", "Heat", text=f"{TEXT} Smoke rises."))
    assert found is not None
    assert found.extent == "part"


@pytest.mark.parametrize("more", ["It is quenched by water.", "x" * 700])
def test_a_sentence_that_nobody_knows_keeps_all_of_it_text(tmp_path: Path, more: str) -> None:
    assert of(tmp_path, Feature("a", "Heat", text=f"{TEXT} {more}")) is None


def test_what_a_source_states_stays_and_what_was_read_before_gives_way(tmp_path: Path) -> None:
    stated = of(tmp_path, Feature("a", "Heat", text=TEXT, damage="1d4 fire"))
    assert stated is not None
    assert stated.feature.damage == "1d4 fire"
    assert stated.feature.trigger == "hit"
    loose = of(tmp_path, Feature("a", "Heat", text=TEXT, damage="1d4 fire", read=("damage",)))
    assert loose is not None
    assert loose.feature.damage == "2d6 fire"
    assert loose.feature.read[0] == "damage"


def test_properties_join_those_of_the_source(tmp_path: Path) -> None:
    text = BURNS.replace('damage = "{dice} {type}"', 'damage = "{dice} {type}", properties = ["kills"]')
    found = of(tmp_path, Feature("a", "Heat", text=TEXT, properties=("magic",)), text)
    assert found is not None
    assert found.feature.properties == ("magic", "kills")
    assert of(tmp_path, found.feature, text) is None


def test_reading_again_changes_nothing(tmp_path: Path) -> None:
    once = of(tmp_path, Feature("a", "Heat", text=TEXT))
    assert once is not None
    assert of(tmp_path, once.feature) is None


def test_a_name_alone_counts_without_text_only_unless_the_entry_says_so(tmp_path: Path) -> None:
    named = '[traits.flames]\nnames = ["Flames"]\ngives = { damage = "1d6" }\n'
    bare = of(tmp_path, Feature("a", "Flames (Recharge 5)"), named)
    assert bare is not None
    assert bare.feature.damage == "1d6"
    assert of(tmp_path, Feature("a", "Flames", text="They burn."), named) is None
    named += "by_name = true\n"
    assert of(tmp_path, Feature("a", "Flames", text="They burn."), named) is not None


def test_costs_and_features_of_its_own_that_are_not_there_keep_an_entry_away(tmp_path: Path) -> None:
    own = """
[traits.again]
matches = ["{it} makes a {own} attack"]
costs = ["bonus"]
gives = { when = "with:{own}" }
"""
    made = reader(tmp_path, own)
    bite, again = (
        Feature("bite", "Bite (Wolf Form)"),
        Feature("again", "Again", "bonus", text="It makes a bite attack."),
    )
    found = made.feature(again, (bite, again))
    assert found is not None
    assert found.feature.when == "with:bite"
    assert made.feature(again, (again,)) is None
    assert made.feature(Feature("again", "Again", "action", text=again.text), (bite,)) is None


def test_a_creature_gets_its_features_in_their_order(tmp_path: Path) -> None:
    creature = Creature("imp", "Imp", features=(Feature("a", "A"), Feature("b", "B", text=TEXT), Feature("c", "C")))
    read, found = reader(tmp_path, BURNS).creature(creature)
    assert [one.id for one in read.features] == ["a", "b", "c"]
    assert read.features[1].trigger == "hit"
    assert [one.feature.id for one in found] == ["b"]
    again, nothing = reader(tmp_path, BURNS).creature(Creature("imp", "Imp"))
    assert again.features == ()
    assert nothing == ()


def test_a_tables_own_file_comes_before_what_is_shipped_and_may_replace_an_entry(tmp_path: Path) -> None:
    (tmp_path / "dnd5e.traits.toml").write_text(HEAD + BURNS, encoding="utf-8")
    own, theirs = TraitReaders(tmp_path), shipped_readers()
    feature = Feature("a", "Heat", text=TEXT)
    found, usual = own.of("dnd5e").feature(feature), theirs.of("dnd5e").feature(feature)
    assert found is not None
    assert found.entries == ("burns",)
    assert usual is None or usual.extent == "reminder"
    assert own.of("dnd5e").entries[0].entry.id == "burns"
    assert len(own.of("dnd5e").entries) > 1
    less = TraitReaders(tmp_path, without={"burns"}).of("dnd5e")
    assert "burns" not in {one.entry.id for one in less.entries}


@pytest.mark.parametrize(
    ("text", "line", "why"),
    [
        ('[traits.a]\nmatches = ["{it} burns {tipe}"]\ngives = { damage = "1d6" }', 5, "unknown slot"),
        ('[traits.a]\nmatches = ["{it} burns"]\ngives = { damige = "1d6" }', 6, "did you mean 'damage'"),
        (
            '[traits.a]\nmatches = ["{it} burns"]\ngives = { damage = "{dice}" }',
            6,
            "isn't in any of the entry's sentences",
        ),
        ('[traits.a]\nmatches = ["{it} burns"]', 4, "missing key `gives`"),
        ('[traits.a]\ngives = { damage = "1d6" }', 4, "the entry never matches"),
        ('[traits.a]\nmatches = ["{it} burns"]\nsay = 1\ngives = { damage = "1d6" }', 6, "unknown key"),
        (
            'extends = "dnd5"\n[traits.a]\nmatches = ["{it} burns {type}"]\ngives = { damage = "1d6" }',
            4,
            "^[^\n]*did you mean 'dnd5e'[^\n]*$",
        ),
        ("[words]\ntype = 3", 5, "expected a table of words"),
        ("traits = 3", 4, "expected a table of at most"),
    ],
)
def test_a_mistake_is_told_with_its_line(tmp_path: Path, text: str, line: int, why: str) -> None:
    with pytest.raises(TraitsError, match=why) as caught:
        reader(tmp_path, text)
    assert caught.value.findings[0].line == line


def test_a_file_of_format_1_gets_the_newest_names(tmp_path: Path) -> None:
    old = HEAD.replace("format = 3", "format = 1") + BURNS.replace("matches", "says").replace("unapplied", "beside")
    file = tmp_path / "traits.toml"
    file.write_text(old.replace('"hit"', '"hit", plays = "asks"'), encoding="utf-8")
    (entry,) = read_catalogue(file).entries
    assert [each.text for each in entry.unapplied] == ["smoke rises"]
    assert (entry.gives["automation"], len(entry.matches)) == ("asks", 1)
    for traits in ("traits = 3", "[traits]\na = 3", "[traits.a]\nmatches = 3\ngives = 3"):
        file.write_text(HEAD.replace("format = 3", "format = 1") + traits, encoding="utf-8")
        with pytest.raises(TraitsError):
            read_catalogue(file)


def test_an_own_file_with_mistakes_is_told_and_left_out(tmp_path: Path) -> None:
    (tmp_path / "dnd5e.traits.toml").write_text("x = [", encoding="utf-8")
    readers = TraitReaders(tmp_path)
    assert [one.file for one in readers.findings] == [str(tmp_path / "dnd5e.traits.toml")]
    assert readers.of("dnd5e").entries == shipped_readers().of("dnd5e").entries


# ---- the shipped catalogues ----


def shipped(system: str, name: str, text: str, cost: str = "trait", *others: Feature, **fields: object) -> Feature:
    """Return a feature as the catalogue of a game reads it."""
    found = CatalogueReader(shipped_catalogue(system)).feature(Feature("it", name, cost, text=text, **fields), others)
    assert found is not None
    return found.feature


@pytest.mark.parametrize(
    ("immunity", "immune_after"),
    [
        (" On a successful saving throw, the creature is immune to the toad's Stench for 24 hours.", "success"),
        (" On a success, it is immune to this toad's Stench for 24 hours.", "success"),
        ("", ""),
    ],
)
@pytest.mark.parametrize("system", ["dnd5e", "a5e"])
def test_an_aura_spares_those_who_are_immune_after_a_save(system: str, immunity: str, immune_after: str) -> None:
    stench = (
        "Any creature that starts its turn within 10 feet of the toad must succeed on a DC 12 Constitution saving throw "
        "or be poisoned until the start of its next turn."
    )
    found = shipped(system, "Stench", stench + immunity)
    assert (found.trigger, found.automation, found.immune_after) == ("other-starts", "", immune_after)


@pytest.mark.parametrize(("named", "type"), [("aberrations", "aberration"), ("undead", "undead")])
def test_an_aura_spares_a_type_of_creature(named: str, type: str) -> None:
    text = f"20 feet. All creatures, except {named}, that begin their turn in the area take 5d6 mental damage."
    found = shipped("pf2e", "Static", text)
    assert (found.trigger, found.when) == ("other-starts", f"not other.type:{type}")


def test_a_presence_spares_those_who_have_tried() -> None:
    text = """A creature that first enters the area must attempt a Will save. Regardless of the result of the saving throw, the creature is temporarily immune to this monster's Frightful Presence for 1 minute.
Success The creature is frightened 1.
Failure The creature is frightened 2.
Critical Failure The creature is frightened 4.
Saving Throw DC 35"""
    found = shipped("pf2e", "Frightful Presence", text, area="90-foot emanation")
    assert (found.trigger, found.within, found.automation, found.immune_after) == ("enters", 90, "", "save")


@pytest.mark.parametrize("only", ["Jaws only.\n{}", "{}\nJaws only."])
def test_a_reactive_strike_with_one_attack_is_made_with_that(only: str) -> None:
    strike = (
        "Trigger A creature within the monster's reach uses a manipulate action or a move action, makes a ranged attack, "
        "or leaves a square during a move action it's using.\n"
        "Effect The monster attempts a melee Strike against the triggering creature."
    )
    jaws = Feature("jaws", "Jaws", "action", attack=9)
    assert shipped("pf2e", "Attack of Opportunity", only.format(strike), "reaction", jaws).does == (
        FeatureStep("jaws"),
    )
    assert shipped("pf2e", "Attack of Opportunity", strike, "reaction", jaws).does == (FeatureStep("any-melee"),)


def test_a_reaction_with_a_copy_of_an_attack_uses_that_attack() -> None:
    text = "When a creature the drake can see within 10 feet hits it with a melee attack, the drake makes a tail attack against it."
    tail = Feature("tail", "Tail", "action", attack=9)
    assert shipped("a5e", "Tail Attack", text, "reaction", tail).does == (FeatureStep("tail"),)
    own = shipped("a5e", "Tail Attack", text, "reaction", tail, attack=9, damage="2d8+5 bludgeoning")
    assert (own.trigger, own.does, own.attack, own.damage) == ("hit", (FeatureStep("tail"),), None, "")


def test_a_copy_of_an_attack_carries_only_its_other_effects() -> None:
    fists = Feature("fists", "Fists", "action", attack=5, damage="1d6+3 bludgeoning", reach=5)
    text = "The brawler attacks with their fists. On a hit, the target makes a DC 13 Constitution saving throw. On a failure, it is stunned until the end of the brawler's next turn."
    stunned = (InflictedCondition("stunned", "owner-end"),)
    copy = {"attack": 5, "damage": "1d6+3 bludgeoning", "reach": 5, "save": "con", "dc": 13, "afflictions": stunned}
    read = shipped("a5e", "Head Shot", text, "bonus", fists, **copy)
    assert read.does == (FeatureStep("fists", carries=True),)
    assert (read.attack, read.damage, read.reach, read.save, read.afflictions) == (None, "", 0, "con", stunned)
    plain = shipped("a5e", "Jab", "The brawler attacks with their fists.", "bonus", fists, attack=5, reach=5)
    assert plain.does == (FeatureStep("fists"),)
    longer = shipped(
        "a5e",
        "Jab",
        "The brawler makes a fists attack with a range of 15 feet. On a hit, the target makes a DC 13 Strength saving throw.",
        "bonus",
        fists,
        attack=5,
        reach=15,
        save="str",
        dc=13,
    )
    assert (longer.reach, longer.does) == (15, (FeatureStep("fists", carries=True),))
    kick = Feature("kick-melee-attack", "Kick: Melee Attack", "action", attack=5, damage="1d6 bludgeoning")
    hit = "When a creature the brawler can see scores a critical hit against the brawler with a melee weapon attack"
    answer = f"{hit}, the brawler makes a kick attack against it."
    assert shipped("a5e", "Reply", answer, "reaction", kick).does == (FeatureStep("kick-melee-attack"),)


def test_a_part_of_another_feature_costs_nothing() -> None:
    assert shipped("a5e", "Surrender!", "The creature drops anything it is holding.", "legendary").cost == "free"


def test_a_use_of_an_area_is_not_also_its_own_area() -> None:
    area = {"save": "wis", "dc": 19, "damage": "3d10 psychic", "half": True, "area": "20-foot radius"}
    wave = Feature("wave", "Psionic Wave", "action", **area)
    used = shipped("a5e", "Psionic Wave", "The dragon uses Psionic Wave.", "legendary", wave, **area)
    assert (used.does, used.save, used.damage, used.area) == ((FeatureStep("wave"),), "", "", "")


def test_what_a_person_left_to_its_text_is_not_read_again(tmp_path: Path) -> None:
    assert of(tmp_path, Feature("a", "Heat", text=TEXT, automation="off")) is None
    assert of(tmp_path, Feature("a", "Heat", text=TEXT, automation="off", read=("automation",))) is not None


CLASS_TEXTS = [
    ("Brave", "You have advantage on saving throws against being frightened.", "rules"),
    (
        "Fey Ancestry",
        "You have advantage on saving throws against being charmed, and magic can't put you to sleep.",
        "rules",
    ),
    (
        "Evasion",
        (
            "Beginning at 7th level, you can nimbly dodge out of the way of certain area effects. When you are subjected to "
            "an effect that allows you to make a Dexterity saving throw to take only half damage, you instead take no damage "
            "if you succeed on the saving throw, and only half damage if you fail."
        ),
        "rules",
    ),
    (
        "Uncanny Dodge",
        (
            "Starting at 5th level, when an attacker that you can see hits you with an attack, you can use your reaction to "
            "halve the attack's damage against you."
        ),
        "reduces",
    ),
    (
        "Cunning Action",
        (
            "Your quick thinking and agility allow you to move and act quickly. You can take a bonus action on each of your "
            "turns in combat. This action can be used only to take the Dash, Disengage, or Hide action."
        ),
        "does",
    ),
    (
        "Pack Tactics",
        (
            "You have advantage on attack rolls against a creature if at least one of your allies is within 5 feet of the "
            "creature and the ally isn't incapacitated."
        ),
        "rules",
    ),
    ("Gnome Cunning", "You have advantage on saving throws against spells and magical effects.", "rules"),
    (
        "Reliable Talent",
        (
            "Whenever you make an ability check that uses one of your skill or tool proficiencies, you can treat a d20 "
            "roll of 9 or lower as a 10. Foundry Note"
        ),
        "rules",
    ),
    (
        "Extra Attack",
        "You can attack twice instead of once whenever you take the Attack action on your turn.",
        "attacks",
    ),
    (
        "Relentless Endurance",
        (
            "When you are reduced to 0 Hit Points but not killed outright, you can drop to 1 Hit Point instead. Once you "
            "use this trait, you can't do so again until you finish a Long Rest."
        ),
        "heals",
    ),
]


@for_each(("name", "text", "field"), CLASS_TEXTS)
def test_class_texts_about_you_act_like_texts_about_creatures(name: str, text: str, field: str) -> None:
    found = shipped_readers().of("dnd5e").feature(Feature("a", name, text=text))
    assert found is not None
    assert found.extent in ("whole", "part")
    assert field in found.feature.read


def test_breaths_below_a_heading_share_its_recharge() -> None:
    head = Feature(
        "breaths", "Breath Weapons", "action", recharge=5, text="It uses one of the following breath weapons:"
    )
    breath = Feature("fire-breath", "Fire Breath", "action", save="dex", dc=12, damage="2d6 fire", area="15-foot cone")
    claw = Feature("claw", "Claw", "action", attack=5, damage="1d6 slashing")
    found = shipped_readers().of("a5e").creature(Creature("c", "C", features=(head, breath, claw)))[0].features
    assert [(each.cost, each.recharge, each.shares) for each in found] == [
        ("trait", 5, ""),
        ("action", 5, "breaths"),
        ("action", 0, ""),
    ]


@for_each(
    ("text", "forms"),
    [
        ("The cat changes its form to a Large tiger, a hybrid, or into its true form.", ["Large tiger", "Hybrid"]),
        ("It magically changes its form into a rat (speed 20 ft.)  raven (fly 60 ft.)  or toad or back into its true form.", ["Rat (walk 20)", "Raven (fly 60)", "Toad"]),
        ("The mage takes the shape of any Medium or Small humanoid or changes back into its true form.", ["Medium humanoid", "Small humanoid"]),
        ("It can use its action to polymorph into a beast form that resembles a rat (speed 20 ft.) or a raven, or back into its true form.", ["Rat (walk 20)", "Raven"]),
        ("It can take on the appearance of any Medium or Large humanoid creature. Its speed stays.", ["Medium humanoid creature", "Large humanoid creature"]),
        ("It shape-shifts into a Tiny bat (Speed 5 ft., Fly Speed 30 ft.) or returns to its vampire form.", ["Tiny bat (walk 5, fly 30)"]),
        ("It polymorphs into a crow or back into its true form. Without wings, it loses its flying speed.", ["Crow (fly 0)"]),
        ("It changes its form to a bear, or into its true form. Its Speed increases by 10 feet, and it gains a climb, fly, or swim speed of 40 feet.", ["Bear (walk +10)", "Bear (walk +10, climb 40)", "Bear (walk +10, fly 40)", "Bear (walk +10, swim 40)"]),
        ("It becomes a cat.", []),
    ],
)  # fmt: skip
def test_each_form_of_a_shapeshifter_is_a_step(text: str, forms: list[str]) -> None:
    shift = Feature("shift", "Shapeshift", "action", text=text)
    found = shipped_readers().of("a5e").creature(Creature("c", "C", features=(shift,)))[0].features[0]
    assert [step.form for step in found.does if step.form] == forms
    assert [step.ends for step in found.does if step.ends] == ["changed-shape"]
    table = Table(Creature("c", "C", hp=9, features=(found,)), "brand")
    table.start(c=12, brand=5)
    table.does(UseFeature("c", "shift"))
    if len(forms) > 1:
        table.chooses(f"gains changed-shape {forms[-1]}")
    (effect,) = table.encounter.of(Effect, "c")
    assert (effect.name, effect.source) == ("changed-shape", (forms or ["Shapeshift"])[-1])


def test_each_kind_that_may_be_summoned_is_a_step() -> None:
    text = "The fiend has a 50 percent chance of summoning 1d8 imps, 1d6 hags, or one ogre."
    call = Feature("call", "Summon Fiend", "action", text=text)
    bite = Feature("bite", "Bite", "action", attack=5, reach=5, damage="1d6 piercing")
    found, other = shipped_readers().of("dnd5e").creature(Creature("c", "C", features=(call, bite)))[0].features
    forms = ["1d8 imps (50 percent)", "1d6 hags (50 percent)", "One ogre (50 percent)"]
    assert ([(step.gains, step.form) for step in found.does], other.only) == ([("summoning", one) for one in forms], "")


def test_a_list_of_forms_states_their_sizes_and_speeds() -> None:
    text = (
        "The monster changes its shape indefinitely.\n\u2022 Bat: echolocation 40 feet; Speed 15 feet, fly Speed 30 feet; Melee fangs +7\n"
        "\u2022 Fish swim Speed 30 feet\n\u2022 Wolf\n\u2022 Size Medium\n\u2022 Speed 40 feet\n\u2022 Melee jaws +7"
    )
    shift = Feature("shift", "Change Shape", "action", text=text)
    found = TraitReaders().of("pf2e").creature(Creature("c", "C", features=(shift,)))[0].features[0]
    forms = ["Bat (walk 15, fly 30)", "Fish (swim 30)", "Wolf (medium, walk 40)"]
    assert [step.form for step in found.does if step.form] == forms


def test_a_form_that_casts_nothing_has_no_spells() -> None:
    text = "It changes its form to a bear, or into its true form. As a bear, it can't cast spells."
    spark = Feature("spark", "Spark", "action", attack=5, range="60", damage="1d8 fire", properties=("spell",))
    own = Creature("c", "C", features=(Feature("shift", "Shapeshift", "action", text=text), spark))
    assert [each.only for each in shipped_readers().of("a5e").creature(own)[0].features] == ["", "not changed-shape"]


@pytest.mark.parametrize(
    ("cost", "lost"),
    [
        ("It loses its Flowing Grace and Shimmering Scales traits until the beginning of its next turn.", {"grace", "scales"}),
        ("When it does, its scales dull, and it can't use telepathy or psionic abilities until the end of its next turn.", {"wave"}),
    ],
)  # fmt: skip
def test_resisting_takes_away_the_features_that_its_text_names(cost: str, lost: set[str]) -> None:
    text = f"When the eel fails a saving throw, it can choose to succeed instead. {cost}"
    resists = Feature("resists", "Legendary Resistance", text=text, uses=3, properties=("legendary-resistance",))
    wave = Feature("wave", "Wave", "action", text="It psionically emits a wave.", save="wis", dc=12)
    others = Feature("grace", "Flowing Grace"), Feature("scales", "Shimmering Scales"), wave, Feature("bite", "Bite")
    eel = shipped_readers().of("a5e").creature(Creature("e", "Eel", features=(resists, *others)))[0]
    assert {each.id for each in eel.features if each.only == "not form:legendary-resistance"} == lost


def test_a_shapeshifter_has_a_feature_only_in_the_forms_that_texts_name() -> None:
    change = "The cat takes the shape of a humanoid or beast or changes back into its true form. It can't use Spit Frost or Breath Weapons except in dragon form. In beast form, it can attack only with its bite and claws. In humanoid form, it can attack only with its rapier."
    shift = Feature("shift", "Change Shape", "action", text=change)
    names = ("Bite", "Tail", "Rapier (Humanoid Form Only)", "Scare (True Form Only)")
    attacks = (Feature(name, name, "action", attack=5, damage="1 cold") for name in names)
    spit = Feature("spit", "Spit Frost", "action", save="con", dc=12)
    cat = (
        shipped_readers()
        .of("a5e")
        .creature(Creature("c", "C", type="dragon", hp=9, features=(shift, spit, *attacks)))[0]
    )
    own, beast, humanoid = "not changed-shape", "form:beast", "form:humanoid"
    assert [each.only for each in cat.features] == ["", own, f"{own} | {beast}", own, humanoid, own]
    table = Table(cat, "brand")
    table.start(c=12, brand=5)
    table.does(UseFeature("c", "shift"))
    table.chooses("gains changed-shape Beast")
    there = [is_there(table.encounter, table.rules, "c", each) for each in cat.features]
    assert there == [True, False, True, False, False, False]


@pytest.mark.parametrize(
    ("text", "field", "given"),
    [
        ("Hit: 5 cold damage. This attack is made at disadvantage against targets within 5 feet.", "rules", ["with:lance, within:5"]),
        ("Hit: 5 cold damage, and the target is grappled if it's Medium or smaller (escape DC 14), and until the grapple ends, it can't grab another target.", "afflictions", ["up-to:medium"]),
        ("Melee Weapon Attack: +5 to hit, reach 5 ft., one creature grappled by the cat. Hit: 5 cold damage.", "rules", []),
    ],
)  # fmt: skip
def test_an_attack_gets_the_rules_and_conditions_of_single_sentences(text: str, field: str, given: list[str]) -> None:
    lance = Feature("lance", "Lance", "action", attack=5, reach=5, damage="5 cold", text=text)
    found = shipped_readers().of("a5e").creature(Creature("c", "C", features=(lance,)))[0].features[0]
    assert [each.when for each in getattr(found, field)] == given
    assert bool(found.when) is (not given or "up-to" in given[0])


TOLD = BURNS + 'text = "Fire in melee: {dice}[ (not after {type2})]. {Type}!"\n'


@pytest.mark.parametrize(
    ("text", "short"),
    [
        (TEXT, "Fire in melee: 2d6. Fire!"),
        (f"{TEXT} It burns cold too.", "Fire in melee: 2d6 (not after cold). Fire!"),
        (f"{TEXT} Smoke rises.", ""),  # more than its text would state
        ("It burns.", ""),
    ],
)
def test_a_feature_that_is_explained_completely_has_the_text_of_its_entry(
    tmp_path: Path, text: str, short: str
) -> None:
    found = of(tmp_path, Feature("a", "Heat", text=text), TOLD)
    assert (found.feature.short if found is not None else "") == short
    if found is not None and short:
        assert "short" in found.feature.read
        assert of(tmp_path, found.feature, TOLD) is None, "read again, it stays as it is"


def test_a_text_of_the_source_stays(tmp_path: Path) -> None:
    found = of(tmp_path, Feature("a", "Heat", text=TEXT, short="It burns."), TOLD)
    assert found is not None
    assert found.feature.short == "It burns."


def test_an_entry_may_have_only_a_text_and_a_name_alone_is_enough_for_it(tmp_path: Path) -> None:
    entry = '[traits.grab]\nnames = ["Grab"]\nby_name = true\ntext = "It grabs."\n'
    found = of(tmp_path, Feature("grab", "Grab", "action"), entry)
    assert found is not None
    assert (found.feature.short, found.feature.rules_text, found.feature.read) == ("It grabs.", "It grabs.", ("short",))
    assert of(tmp_path, Feature("grab", "Grab", "action", text="It grabs whom it likes. And more."), entry) is None


def test_a_slot_of_a_text_is_one_of_its_sentences(tmp_path: Path) -> None:
    with pytest.raises(TraitsError, match=r"\{own\} isn't in any"):
        reader(tmp_path, BURNS + 'text = "With its {own}."\n')


def test_a_save_that_somebody_has_to_call_for_can_be_used() -> None:
    text = "To refuse a queen, it must succeed at a DC 25 Will save."
    found = (
        shipped_readers()
        .of("pf2e")
        .feature(Feature("pride", "Pride", text=text, save="wis", dc=25, read=("save", "dc")))
    )
    assert found is not None
    assert (found.feature.cost, found.feature.trigger, found.feature.automation) == ("free", "", "")


def test_a_beast_of_open_size_has_a_form_for_each_size_and_a_shorter_reach_in_the_small_ones() -> None:
    text = (
        "The dragon magically takes the shape of a humanoid or beast, or changes back into its true form. "
        "If the beast form is Large or smaller, the reach of these attacks is reduced to 5 feet."
    )
    creature, _ = (
        shipped_readers()
        .of("a5e")
        .creature(
            Creature("dragon", "Dragon", features=(Feature("change-shape", "Change Shape", "action", text=text),))
        )
    )
    forms = [step.form for step in creature.features[0].does if step.form]
    assert forms == ["Humanoid", "Medium beast (reach 5)", "Large beast (reach 5)", "Huge beast"]


def test_a_feature_with_damage_of_its_own_keeps_its_save_if_it_uses_another() -> None:
    """The save is the same as that of the other feature, but it halves other damage."""
    numbers: dict[str, Any] = {"save": "con", "dc": 20, "half": True}
    poison = Feature("venom", "Venom", "free", damage="1d6 poison", **numbers)
    text = "Creatures inside the ink cloud are exposed to venom poison and are undetected while inside the cloud."
    for damage, save in (("4d6 cold", "con"), ("1d6 poison", "")):
        read = shipped("pf2e", "Ink Cloud", text, "action", poison, damage=damage, **numbers)
        assert (read.save, [step.use for step in read.does]) == (save, ["venom"])


@pytest.mark.parametrize(
    ("text", "when"),
    [
        ("Strength Saving Throw: DC 12, one Medium or smaller creature the snake can see within 5 feet.", "sees, target.up-to:medium"),
        ("Wisdom Saving Throw: DC 12, one creature the snake can see within 60 feet.", "sees"),
        (
            "Dexterity Saving Throw: DC 21, one creature the angel can see within 600 feet. Failure: If the creature has 100 Hit Points or fewer, it dies. It otherwise takes 24 (4d8 + 6) Piercing damage plus 36 (8d8) Radiant damage.",
            "sees, not target.hp:100",
        ),
    ],
)  # fmt: skip
def test_all_limits_of_the_sentences_of_a_feature_hold_for_its_target(text: str, when: str) -> None:
    assert shipped("dnd5e", "Grip", text, "action", save="str", dc=12, targets=1).when == when


def test_types_that_a_sentence_leaves_out_stay_left_out() -> None:
    text = "Each non-undead creature within 60 feet that can see the ghost makes a DC 13 Wisdom saving throw."
    read = shipped(
        "a5e", "Visage", text, "action", save="wis", dc=13, when="not other.type:undead", read=("when", "save", "dc")
    )
    assert read.when == "not other.type:undead, target.sees"


def test_a_creature_that_does_not_hear_stays_unaffected_if_a_sentence_adds_another_limit() -> None:
    text = "A creature immune to being charmed is immune to this ability. One creature within 60 feet who can hear it saves."
    limits = {"when": "not other.deafened", "read": ("when", "save", "dc")}
    read = shipped("a5e", "Honeyed Words", text, "action", save="wis", dc=17, targets=1, **limits)
    assert read.when == "not other.deafened, not target.immune:charmed"


@pytest.mark.parametrize(("name", "more"), [("Flames", ["Flames (Smoke)"]), ("Frost", [])])
def test_a_further_feature_for_a_name_is_only_given_to_a_feature_with_it(
    tmp_path: Path, name: str, more: list[str]
) -> None:
    entry = '[traits.smoke]\nnames = ["Flames"]\nnamed = true\napart = "{itself} (Smoke)"\nmatches = ["{it} smokes"]\ngives = { damage = "1" }\n'
    imp = Creature("imp", "Imp", features=(Feature("a", name, text="It smokes."),))
    assert [each.name for each in reader(tmp_path, entry).with_further(imp).features[1:]] == more


def test_a_creature_on_another_plane_is_out_of_reach_until_it_comes_back() -> None:
    text = "It shifts to either the Ethereal Plane or the Material Plane."
    found = shipped_readers().of("pf2e").feature(Feature("step", "Step", "action", text=text))
    assert found is not None
    claw = Feature("claw", "Claw", "action", attack=20, reach=5, damage="1 slashing")
    both = creature("ann", features=(claw,)), creature("spider", features=(claw, found.feature))
    table = Table(*both, foes=("spider",), rules=pf2e())
    table.start(spider=20, ann=10)
    table.does(UseFeature("spider", "step"))
    assert table.refuses(Attack("spider", "ann", "claw"))
    table.does(UseFeature("spider", "step"))
    table.does(Attack("spider", "ann", "claw"))


@pytest.mark.parametrize("uses", [False, True])
def test_who_engulfs_stops_in_the_spaces_of_its_foes(uses: bool) -> None:
    text = "DC 20 Reflex, 2d6 acid damage, Escape DC 20, Rupture 10"
    found = shipped_readers().of("pf2e").feature(Feature("engulf", "Engulf", "action", text=text))
    assert found is not None
    table = Table(creature("ann"), creature("cube", features=(found.feature,)), foes=("cube",), rules=pf2e())
    table.start(cube=20, ann=10)
    table.does(Add((Map(columns=20, rows=20),)))
    for who, square in {"cube": (1, 1), "ann": (2, 1)}.items():
        table.does(SetPosition(who, position=square))
    if uses:
        table.does(UseFeature("cube", "engulf"))
        table.chooses()
        table.does(MovePath("cube", ((2, 1),)))
    else:
        assert table.refuses(MovePath("cube", ((2, 1),))).key == "refused.occupied"
