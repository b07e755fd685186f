"""Running sheets: every foe's figures are on them, they fit their pages, and nothing is too small to read."""

from __future__ import annotations

import re
from typing import Any

import msgspec
import pytest

from tests.for_each import for_each
from tests.handouts.pdf_pages import font_sizes, read_pages
from tests.handouts.sample_pages import data_of, fight, printed, sample, source, text_of, words_of
from tests.handouts.samples import ON_A_PAPER
from tests.table import Table, a5e, creature
from turnwright.encounter.data_rules import DataRule
from turnwright.encounter.prepared import (
    AddWave,
    Announce,
    Check,
    Countdown,
    Creature,
    Environment,
    EnvironmentEntry,
    Feature,
    FeatureStep,
    InflictedCondition,
    RosterEntry,
    SavingThrow,
    Scene,
    SourceNote,
    Spawn,
    StartCountdown,
)
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Encounter
from turnwright.handouts.kinds.running_sheet import KIND, SPAWNS
from turnwright.handouts.page_input import print_document
from turnwright.handouts.typesetter import Typesetter
from turnwright.play.damage.damage_roll import ApplyDamage
from turnwright.play.damage.manual_hit_points import SetDead
from turnwright.play.effects.conditions import ApplyCondition

LEAST = 6.6  # points
AXE = Feature("axe", "Axe", cost="action", attack=4, reach=5, damage="1d8+2 slashing", text="It sticks.")
GUARD = Creature("guard", "Guard", rating="1/2", ac=14, hp=26, features=(AXE,), tactics="Holds the door.")
ours = RosterEntry("ann", "ann", side="party", player="Ann", level=3)


def groups_of(data: Any) -> list[Any]:
    """Every group of a sheet, those of waves as well."""
    return [group for part in (*data["sides"], *data["waves"]) for group in part["groups"]]


def raw_text(pdf: bytes) -> str:
    """The text in the order in which it is set, without spaces; a form feed ends each page."""
    return bare("".join(f"{page.text}\f" for page in read_pages(pdf)))


def bare(text: str) -> str:
    """A text without spaces, with typewriter quotes."""
    return re.sub(r"[^\S\f]|[\u200b\u2060]", "", text).translate(str.maketrans("\u2018\u2019\u201c\u201d", "''\"\""))


@pytest.mark.sampled(1)
@ON_A_PAPER
def test_every_foes_figures_are_on_the_sheet_and_large_enough_to_read(name: str, paper: str, press: Typesetter):
    origin = source(sample(name), paper=paper)
    data = data_of(KIND, origin)
    pdf = press.typeset(printed(KIND, origin)).pages[0]
    told = raw_text(pdf)
    foes = [one for one in sample(name).all(RosterEntry) if not one.player]
    groups = groups_of(data)
    brought = [row for place in sample(name).all(Environment) for row in (*place.features, *place.actions) if row.spawn]
    members = sum(len(group["members"]) + group["unlisted"] for group in groups)
    assert members == sum(one.count for one in foes) + SPAWNS * len(brought)
    for group in groups:
        assert bare(group["name"]) in told
        assert group["same_as"] or group["lines"] or not group["count"]
        for line in group["lines"]:
            for part in (line["name"], line["to_hit"], line["where"], *line["figures"]):
                assert bare(part) in told, (group["name"], part)
        for one in group["members"]:
            assert f"/{one['hp']}" in told
    first, *second = told.removesuffix("\f").split("\f")
    assert len(second) <= 1
    for part in ("Order", "Readaloud." if data["read_aloud"] else "", "Goal." if data["scene"][0]["is_goal"] else ""):
        assert part in first  # nothing is dropped to save a page
    assert bool(data["conditions"]) == ("Conditions." in told)
    if data["map"] is not None:
        assert bare(data["map"]["scale"]) in told
    for page in second:
        assert ("laterwaves" in page) == any(bare(wave["when"]) in page for wave in data["waves"])
    assert min(font_sizes(pdf)) >= LEAST - 0.17


@pytest.mark.sampled(1)
@pytest.mark.parametrize("count", [60, 9])
def test_a_crowd_has_a_box_each_and_nothing_is_cut_off(count: int, press: Typesetter):
    others = tuple(
        Creature(f"g{n}", f"Sort {n}", hp=10 + n, features=tuple(Feature(f"f{k}", f"Power {n}.{k}", cost="action", text="Words. " * 30) for k in range(6)))
        for n in range(count // 3)
    )  # fmt: skip
    entries = (RosterEntry("guards", "guard", count=count), *(RosterEntry(one.id, one.id) for one in others))
    origin = fight(Scene(title="A crowd"), GUARD, *others, *entries)
    data = data_of(KIND, origin)
    text = text_of(press.typeset(printed(KIND, origin)).pages[0])
    for group in groups_of(data):
        assert all(one["sign"] in text for one in group["members"])
        assert all(line["name"] in text for line in group["lines"])


@pytest.mark.parametrize(
    ("system", "trait", "told"),
    [("pf2e", "weapon", ["−1", "−6"]), ("pf2e", "agile", ["+0", "−4"]), ("a5e", "weapon", [])],
)
def test_further_attacks_have_the_penalty_of_their_game(system: str, trait: str, told: list[str]):
    creature = msgspec.structs.replace(GUARD, features=(msgspec.structs.replace(AXE, properties=("weapon", trait)),))
    data = data_of(KIND, fight(Scene(system=system), creature, RosterEntry("guard", "guard")))
    line = groups_of(data)[0]["lines"][0]
    assert (line["to_hit"], line["further"]) == ("+4", told)


def test_alike_creatures_share_a_row_and_later_ones_refer_to_it():
    entries = (RosterEntry("a", "guard", name="Door guard"), RosterEntry("b", "guard", name="Wall guard"))
    later = RosterEntry("c", "guard", name="Relief", count=2, wave="relief")
    data = data_of(KIND, fight(Scene(), GUARD, *entries, later))
    first, second = groups_of(data)
    assert (first["name"], len(first["members"]), first["tactics"]) == ("Guard", 2, "Holds the door.")
    assert (second["same_as"], second["lines"], len(second["members"])) == ("Guard", [], 2)
    assert second["ac"] == "14"


def test_rounds_say_what_falls_due():
    pools = (
        Countdown("one", "First", dice=4, speed="medium", outcomes=(Announce("It goes."), AddWave("relief"))),
        Countdown("two", "Second", dice=2, speed="medium", starts=3),
    )
    data = data_of(KIND, fight(Scene(), GUARD, RosterEntry("guard", "guard", wave="relief"), *pools))
    assert data["rounds"][2] == ["B starts"]
    assert [number + 1 for number, due in enumerate(data["rounds"]) if any("≈ empty" in text for text in due)] == [6]
    assert data["waves"][0]["when"] == "when A, “First”, is empty"
    assert data["world"]["pools"][0]["outcomes"] == ["wave: Relief"]


def test_goal_turning_points_and_texts_in_one_line_are_taken_up():
    entry = EnvironmentEntry(
        "ice",
        "Ice",
        affects="each",
        within="on it",
        save=SavingThrow("dex", 12),
        text="Long words. " * 9,
        short="Each.",
    )
    place = Environment("lake", "Lake", features=(entry,))
    scene = Scene(goal="Cross.", turning_points=("Half down: they run", "Dusk."))
    data = data_of(KIND, fight(scene, GUARD, RosterEntry("guard", "guard"), place))
    assert [one["texts"] for one in data["scene"]] == [["Cross."], ["Half down: they run.", "Dusk."]]
    told = data["world"]["places"][0]["features"][0]
    assert (told["figures"], told["text"]) == (["Dex DC 12"], "Each.")


def test_figures_of_the_ground_go_on_in_small_letters():
    prone, seen = (InflictedCondition("prone"),), Check("wis", 12, "perception")
    fall = EnvironmentEntry("fall", "Fall", save=SavingThrow("dex", 12), check=seen, afflictions=prone)
    place = Environment("a", "A", features=(fall,))
    told = data_of(KIND, fight(Scene(), GUARD, RosterEntry("guard", "guard"), place))["world"]["places"][0]["features"][
        0
    ]
    assert told["figures"] == ["Dex DC 12", "Wisdom (Perception) check, DC 12", "prone"]


def test_gear_that_rules_use_is_on_the_row_of_those_with_it():
    warm = RosterEntry("warm", "guard", gear=("cold-weather-gear",))
    made = fight(Scene(system="a5e"), GUARD, warm, RosterEntry("bare", "guard"))
    first, second = groups_of(data_of(KIND, made))
    assert [row["text"] for row in first["further"] if row["lead"] == "Gear"] == ["cold-weather gear"]
    assert [row for row in second["further"] if row["lead"] == "Gear"] == []


def test_defences_under_one_lead_are_said_together():
    saint = Creature("saint", "Saint", immunities=("void",), condition_immunities=("prone",), resistances=("cold",))
    made = data_of(KIND, fight(Scene(system="pf2e"), saint, RosterEntry("saint", "saint")))
    assert [(one["lead"], one["text"]) for one in groups_of(made)[0]["defences"]] == [
        ("Immunities", "void, prone"),
        ("Resistances", "cold"),
    ]


def test_senses_have_a_label_and_remarks_about_saves_follow_them():
    """Also in the layout whose stat blocks continue the line of Perception with the senses."""
    remark = SourceNote("saves", "+1 status to all saves vs. magic")
    sees = msgspec.structs.replace(GUARD, senses=(("darkvision", 60),), saves=(("con", 9),), remarks=(remark,))
    for system in ("pf2e", "dnd5e"):
        (row,) = groups_of(data_of(KIND, fight(Scene(system=system), sees, RosterEntry("guard", "guard"))))
        assert next(each["text"] for each in row["further"] if each["lead"] == "Senses").startswith("darkvision 60")
        assert row["defences"][0]["lead"].startswith("Sav")
        assert row["defences"][0]["text"] == remark.text
        assert remark.text not in [fact["text"] for fact in row["facts"]]


def test_a_row_has_the_type_and_the_saves_beside_their_modifiers():
    ogre = Creature(
        "ogre", "Ogre", size="large", type="giant", abilities=(("str", 19), ("con", 16)), saves=(("con", 6),)
    )
    (row,) = groups_of(data_of(KIND, fight(Scene(system="dnd5e"), ogre, RosterEntry("ogre", "ogre"))))
    assert row["facts"][0] == {"lead": "Large giant", "text": ""}
    saves = {save["name"]: (save["modifier"], save["bonus"]) for save in row["saves"]}
    assert (saves["Str"], saves["Con"]) == (("", "+4"), ("+3", "+6"))
    fiend = Creature("fiend", "Fiend", type="fiend", level=5, saves=(("con", 12), ("dex", 9), ("wis", 8)))
    (row,) = groups_of(data_of(KIND, fight(Scene(system="pf2e"), fiend, RosterEntry("fiend", "fiend"))))
    assert [save["modifier"] for save in row["saves"]] == ["", "", ""]


def test_traits_that_immunities_and_weaknesses_name_are_printed():
    words = ("incapacitation", "mental", "emotion", "holy", "arcane", "magical", "concentrate")
    howl = Feature("howl", "Howl", "action", save="wis", dc=20, area="30-foot emanation", properties=words)
    eel = Creature("eel", "Eel", level=5, features=(howl,))
    for system, told in (
        ("pf2e", "30-foot emanation, emotion, holy, incapacitation, mental"),
        ("a5e", "30-foot emanation"),
    ):
        (row,) = groups_of(data_of(KIND, fight(Scene(system=system), eel, RosterEntry("eel", "eel"))))
        assert row["lines"][0]["where"] == told


def test_an_attack_against_a_save_says_so():
    grab = Feature("grab", "Grab", "action", attack=12, reach=5, properties=("against-con", "attack"))
    eel = Creature("eel", "Eel", level=5, features=(grab,))
    (row,) = groups_of(data_of(KIND, fight(Scene(system="pf2e"), eel, RosterEntry("eel", "eel"))))
    assert "against Fort DC" in row["lines"][0]["where"]


def test_enemies_outside_the_budget_are_named_instead_of_a_threat():
    """Those far above the party's level and those without any; a budget of all enemies names nobody."""
    foes = [Creature("wolf", "Wolf", level=3), Creature("fiend", "Fiend", level=20), Creature("eel", "Eel")]
    wolf, *others = ([foe, RosterEntry(foe.id, foe.id, side="enemies")] for foe in foes)
    party = (Creature("ann", "Ann", tags=("player character",)), ours, Scene(system="pf2e"))
    counted = data_of(KIND, fight(*party, *wolf))["threat"]
    assert counted["word"]
    assert counted["cells"]
    assert "not counted" not in f"{counted['facts']}"
    threat = data_of(KIND, fight(*party, *wolf, *others[0], *others[1]))["threat"]
    assert (threat["word"], threat["cells"]) == ("", 0)
    assert "not counted: Eel, Fiend" in threat["facts"]
    assert " of " not in threat["facts"][0]
    strong = data_of(KIND, fight(*party, *wolf, *others[0]))["threat"]
    assert (strong["word"], strong["filled"]) == ("Extreme", strong["cells"])
    assert "not counted: Fiend" in strong["facts"]


CONE: dict[str, Any] = {
    "save": "dex",
    "dc": 15,
    "damage": "9d6 fire",
    "half": True,
    "area": "30-foot cone",
    "rests": "1d4",
}


@for_each(
    ("text", "rest"),
    [
        ("A 30-foot cone of white heat: DC 15 Dexterity save, half on a success.", ""),
        ("A 30-foot cone of white heat: DC 16 Dexterity save, half on a success.", None),
        ("A 30-foot cone of white heat: DC 15 Dexterity save, or blinded.", None),
        ("A 30-foot cone: sand as fine as flour.", ""),
        ("It breathes sand in a 30-foot cone (DC 15 Dexterity save) and deals 31 (9d6) fire damage.", ""),
        ("Creatures in the 30-foot cone are also pushed.", None),
        ("Plants in the 30-foot cone wither.", None),
        ("Those within 40 feet hear it.", None),
        ("It can't use Breath again for 1d4 rounds.", ""),
        ("It can't use Breath again for 2d4 rounds.", None),
        ("A 30-foot cone, failed: also flung 15 ft.", None),
        ("In a 30-foot cone, failed: half.", ""),
        ("30-ft cone.", ""),
        ("One.", None),
        ("Everybody in it turns. 30-ft cone.", "Everybody in it turns."),
    ],
)
def test_a_line_says_its_figures_once(text: str, rest: str | None):
    breath = Feature("breath", "Breath", cost="action", short=text, text="It breathes.", **CONE)
    data = data_of(KIND, fight(Creature("guard", "Guard", features=(breath,)), RosterEntry("guard", "guard")))
    (line,) = groups_of(data)[0]["lines"]
    assert line["text"] == (text if rest is None else rest)
    is_told = line["text"].count("DC 15 Dexterity save")
    assert (line["where"], line["figures"].count("Dex DC 15")) == ("30-foot cone", 1 - is_told)
    assert (line["brief"]["where"], line["brief"]["figures"][0]) == ("30-foot cone", "Dex DC 15")


@for_each(
    ("text", "where", "figures"),
    [
        ("Each foe in a 30-foot cone makes a DC 15 Dexterity save for half of 31 (9d6) fire, and falls prone.", "", []),
        ("Each foe in it makes a DC 15 Dexterity save, or falls prone.", "30-foot cone",
            ["31 (9d6) fire", "half on a success"]),
        ("It burns those in the cone for a day.", "30-foot cone", ["Dex DC 15", "31 (9d6) fire", "half on a success"]),
    ],
)  # fmt: skip
def test_figures_of_a_sentence_are_not_before_it_unless_it_is_an_attack(text: str, where: str, figures: list[str]):
    breath = Feature("breath", "Breath", cost="action", text=text, **CONE)
    hit = msgspec.structs.replace(breath, id="hit", name="Hit", attack=5, area="", half=False)
    data = data_of(KIND, fight(Creature("guard", "Guard", features=(breath, hit)), RosterEntry("guard", "guard")))
    lines = {line["name"]: line for line in groups_of(data)[0]["lines"]}
    assert (lines["Breath"]["where"], lines["Breath"]["figures"]) == (where, figures)
    assert lines["Hit"]["figures"][:2] == ["31 (9d6) fire", "Dex DC 15"]


def test_conditions_and_effects_that_an_importer_read_from_words_are_not_before_them():
    bite = Feature(
        "bite", "Bite", cost="action", save="con", dc=12, text="The foe falls asleep, and is slower.",
        read=("afflictions", "effect"),        afflictions=(InflictedCondition("unconscious"),), effect=(DataRule("modifier", "speed", add=-10),),
    )  # fmt: skip
    own = msgspec.structs.replace(bite, id="own", name="Own", read=())
    data = data_of(KIND, fight(Creature("guard", "Guard", features=(bite, own)), RosterEntry("guard", "guard")))
    told = {line["name"]: line["figures"] for line in groups_of(data)[0]["lines"]}
    assert told["Bite"] == ["Con DC 12"]
    assert told["Own"] == ["Con DC 12", "unconscious", "speed −10 ft"]


@pytest.mark.parametrize("read", [("effect", "lasts"), ()])
def test_a_duration_is_not_printed_without_an_effect(read: tuple[str, ...]):
    fewer = DataRule("damage", "poison", set=1, when="immune:poison")
    text = "Its immunity to poison becomes resistance for the next hour."
    breath = Feature("b", "Breath", "action", save="con", dc=12, damage="9 poison", text=text, lasts="1 hour")
    breath = msgspec.structs.replace(breath, effect=(fewer,), read=read)
    data = data_of(KIND, fight(Creature("guard", "Guard", features=(breath,)), RosterEntry("guard", "guard")))
    assert "1 hour" not in " ".join(groups_of(data)[0]["lines"][0]["figures"])


@for_each(
    ("fields", "told"),
    [
        ({"afflictions": (InflictedCondition("blinded"),)}, "on a failure blinded"),
        ({"effect": (DataRule("modifier", "speed", add=-10),)}, "on a failure speed −10 ft"),
        ({"effect": (DataRule("modifier", "speed", add=-10),), "lasts": "1 hour"}, "for 1 hour"),
    ],
)
def test_figures_say_what_a_failure_adds_to_half_of_the_damage(fields: dict[str, Any], told: str):
    breath = msgspec.structs.replace(Feature("breath", "Breath", cost="action", **CONE), **fields)
    whole = msgspec.structs.replace(breath, id="whole", name="Whole", half=False)
    data = data_of(KIND, fight(Creature("guard", "Guard", features=(breath, whole)), RosterEntry("guard", "guard")))
    last = {line["name"]: line["figures"][-1] for line in groups_of(data)[0]["lines"]}
    assert last == {"Breath": told, "Whole": told.removeprefix("on a failure ")}


def test_a_triggered_feature_keeps_the_sentence_that_says_when():
    text = "A hit with a blade makes it spray its neighbours: 21 (6d6) acid, half on a DC 15 Dexterity save."
    spray = Feature("spray", "Spray", "reaction", short=text, damage="6d6 acid", save="dex", dc=15, half=True)
    fields = {"trigger": "hurt", "within": 5}
    both = tuple(
        msgspec.structs.replace(spray, id=each, name=each, **more) for each, more in (("a", {}), ("b", fields))
    )
    data = data_of(KIND, fight(Creature("ooze", "Ooze", features=both), RosterEntry("ooze", "ooze")))
    told = {line["name"]: (line["text"], line["figures"]) for line in groups_of(data)[0]["lines"]}
    assert told["b"] == (text, [])


def test_a_condition_that_a_dropped_text_named_is_among_the_figures():
    bite = Feature("bite", "Bite", "action", attack=4, reach=5, save="str", dc=12, short="Failed: prone.")
    bite = msgspec.structs.replace(bite, afflictions=(InflictedCondition("prone"),))
    data = data_of(KIND, fight(Creature("wolf", "Wolf", features=(bite,)), RosterEntry("wolf", "wolf")))
    (line,) = groups_of(data)[0]["lines"]
    assert (line["text"], line["figures"]) == ("", ["Str DC 12", "prone"])


def test_the_effect_of_a_spell_is_printed_with_its_numbers_and_its_time():
    bless = Feature(
        "bless",
        "Bless",
        cost="action",
        text="For allies.",
        lasts="1 minute",
        effect=(DataRule("modifier", "attack", add=1, when="not source.hostile"), DataRule("modifier", "float", add=5)),
    )
    creature = msgspec.structs.replace(GUARD, features=(bless,))
    (group,) = groups_of(data_of(KIND, fight(Scene(system="pf2e"), creature, RosterEntry("a", "guard"))))
    assert group["lines"][0]["figures"] == ["+1 on attacks", "for 1 minute"]


@for_each(
    ("system", "where"),
    [("pf2e", "reach 5 ft, against Fort DC, deadly d10, sweep, volley 20"), ("dnd5e", "reach 5 ft")],
)
def test_traits_that_change_a_roll_are_on_the_line_of_a_strike(system: str, where: str):
    traits = ("weapon", "magical", "unarmed", "deadly-d10", "sweep", "volley-20", "against-con")
    creature = msgspec.structs.replace(GUARD, features=(msgspec.structs.replace(AXE, properties=traits),))
    (group,) = groups_of(data_of(KIND, fight(Scene(system=system), creature, RosterEntry("a", "guard"))))
    assert group["lines"][0]["where"].replace("\xa0", " ") == where


def test_lines_of_a_list_end_with_a_semicolon():
    casting = Feature("list", "Divine spells", text="2nd: Silence\n1st: Bless, Fear\nIt prefers fear.")
    creature = msgspec.structs.replace(GUARD, features=(casting,))
    (group,) = groups_of(data_of(KIND, fight(Scene(), creature, RosterEntry("a", "guard"))))
    texts = {line["name"]: line["text"] for line in group["lines"]}
    assert texts["Divine spells"] == "2nd: Silence; 1st: Bless, Fear; It prefers fear."
    assert {*texts} == {"Divine spells", "Silence", "Bless", "Fear"}  # what they do, as far as the rule system has it


def test_a_remark_of_a_list_is_not_on_a_line_that_has_it():
    text = "DC 20\n2nd: dim (at will), mute (at will, self only)"
    casting = Feature("casting", "Spells", text=text, dc=20, does=(FeatureStep(use="dim"),))
    spells = [
        Feature(name, name.title(), "action", text=f"Rank 2, {text}", properties=("spell",), save="will", dc=20)
        for name, text in (("dim", "at will. It grows dark."), ("mute", "at will"))
    ]
    block = Creature("imp", "Imp", ac=12, hp=40, features=(casting, *spells))
    (group,) = groups_of(data_of(KIND, fight(Scene(system="pf2e"), block, RosterEntry("imp", "imp"))))
    told = {line["name"]: (line["limits"], line["text"]) for line in group["lines"]}
    assert (told["Dim"][0], told["Mute"][0]) == ([], ["at will, self only"])
    assert "t will. It grows dark." in told["Dim"][1]


def test_a_list_of_spells_leaves_out_those_with_a_line():
    text = (
        "Its ability is Int (spell save DC 14).\n- Cantrips (at will): light\n- 1st level (4 slots): charm, fear, sleep"
    )
    text += "\n- 2nd level (3 slots): fly"
    casting = Feature("casting", "Spellcasting", text=text, does=(FeatureStep(use="fear"),))
    levels = {"light": 0, "charm": 1, "sleep": 1, "fly": 2}
    spells = [
        Feature(name, name.title(), "action", damage="1d6 fire", properties=("spell",), level=level)
        for name, level in levels.items()
    ]
    block = Creature("mage", "Mage", ac=12, hp=40, features=(casting, *spells))
    (group,) = groups_of(data_of(KIND, fight(block, RosterEntry("mage", "mage"))))
    texts = {line["name"]: line["text"] for line in group["lines"]}
    assert texts["Spellcasting"] == "Its ability is Int (spell save DC 14)."
    ranks = [(line["name"], line["text"]) for line in group["lines"] if line["part"] == "rank"]
    assert ranks == [("Cantrips (at will)", ""), ("1st level (4 slots)", ""), ("2nd level (3 slots)", "")]
    names = [line["name"] for line in group["lines"]]
    assert names[:3] == ["Spellcasting", "Cantrips (at will)", "Light"]
    assert names[3:] == ["1st level (4 slots)", "Charm", "Sleep", "Fear", "2nd level (3 slots)", "Fly"]
    assert set(texts) >= {"Light", "Charm", "Sleep", "Fly"}


def test_spells_that_are_never_cast_in_a_fight_have_no_line():
    told = "Its ability is Charisma (spell save DC 20).\n\n1/day each: commune, resurrection, {}"
    for further, lines in (("control weather", ["Innate Spellcasting"]), ("bless", ["Innate Spellcasting", "Bless"])):
        casting = Feature("casting", "Innate Spellcasting", dc=20, text=told.format(further))
        angel = Creature("angel", "Angel", ac=12, hp=40, features=(casting,))
        (group,) = groups_of(data_of(KIND, fight(angel, RosterEntry("angel", "angel"), Scene(system="a5e"))))
        texts = {line["name"]: line["text"] for line in group["lines"]}
        assert sorted(texts) == sorted(lines)
        assert "commune, resurrection" in texts["Innate Spellcasting"]


def test_a_list_states_slots_once_and_texts_of_other_ranks_refer_to_the_first(press: Typesetter):
    text = "DC 31\n5th: dispel magic, fly, identify (3 slots)\n4th: dispel magic, fear (1 slot)"
    ranks = (("Dispel Magic", 5), ("Fly", 5), ("Dispel Magic", 4), ("Fear", 4))
    cast = [
        Feature(f"{name}-{rank}", name, "action", price=2, level=rank, text=f"Rank {rank}", properties=("spell",))
        for name, rank in ranks
    ]
    listing = Feature(
        "list", "Occult Spells", "trait", text=text, properties=("spell",), does=(FeatureStep(use="Fly-5"),)
    )
    raja = Creature("raja", "Raja", features=(listing, *cast))
    made = fight(Scene(system="pf2e"), raja, RosterEntry("raja", "raja"))
    (group,) = groups_of(data_of(KIND, made))
    lines = [(line["name"], line["text"]) for line in group["lines"] if line["part"] != "list"]
    assert [name for name, _ in lines] == [
        "5th (3 slots)",
        "Dispel Magic",
        "Fly",
        "4th (1 slot)",
        "Dispel Magic",
        "Fear",
    ]
    assert lines[0][1] == "identify"
    assert lines[1][1].startswith("120 feet.")
    assert lines[4][1] == "Same as 5th, above."
    printed_text = raw_text(press.typeset(printed(KIND, made)).pages[0])
    assert "slot" not in printed_text
    assert "(3" not in printed_text


def test_the_slots_of_a_level_have_boxes_once_even_if_a_list_has_two_lines_of_it():
    text = "1st level (4 slots): bane\n2nd level: blur\n1st level: sleep"
    cast = [Feature(id, id.title(), "action", properties=("spell",)) for id in ("bane", "blur", "sleep")]
    listing = Feature("list", "Spellcasting", "trait", dc=13, text=text, does=(FeatureStep(use="bane"),))
    mage = Creature("mage", "Mage", features=(listing, *cast), slots=(("1", 4), ("2", 3)))
    (group,) = groups_of(data_of(KIND, fight(Scene(system="a5e"), mage, RosterEntry("mage", "mage"))))
    assert [(line["name"], line["boxes"]) for line in group["lines"] if line["part"] == "rank"] == [
        ("1st level", 4),
        ("2nd level", 3),
        ("1st level", 0),
    ]


def test_half_damage_follows_a_save_in_prose_and_an_own_spell_attack_is_an_action():
    told = "It targets a creature, forcing it to make a DC 15 Dexterity saving throw or take 9 (2d8) cold damage."
    fields = {"damage": "2d8 cold", "save": "dex", "dc": 15, "half": True}
    ice = Feature("ice", "Ice", "action", text=f"{told} On a success, it takes half damage.", **fields)
    sleep = Feature("sleep", "Sleep Touch", "action", attack=5, reach=5, properties=("spell",), text="It falls asleep.")
    hag = Creature("hag", "Hag", features=(ice, sleep, Feature("saves", "Ice (Saves)", short="It is cold.")))
    (group,) = groups_of(data_of(KIND, fight(Scene(system="a5e"), hag, RosterEntry("hag", "hag"))))
    lines = {line["name"]: line for line in group["lines"]}
    assert lines["Ice"]["figures"] == []
    assert lines["Ice"]["text"].endswith("half damage.") or lines["Ice"]["text"].endswith("Half on a success.")
    assert lines["Sleep Touch"]["part"] == "action"
    assert lines["Sleep Touch"]["text"] == "It falls asleep."
    assert "Ice (Saves)" not in lines


def test_each_degree_of_a_line_is_printed_once_from_the_best_to_the_worst():
    names = ("critical-failure", "failure")
    afflictions = tuple(InflictedCondition("sickened", value=at, degree=name) for at, name in enumerate(names, 1))
    vision = Feature("v", "Vision", "action", save="wis", dc=29, text="They last a while.", afflictions=afflictions)
    ghost = Creature("ghost", "Ghost", features=(vision,))
    (group,) = groups_of(data_of(KIND, fight(Scene(system="pf2e"), ghost, RosterEntry("ghost", "ghost"))))
    (line,) = group["lines"]
    assert line["figures"] == ["Will DC 29"]
    assert line["text"] == "They last a while. Failure: sickened 2. Critical failure: sickened 1."


def test_spells_say_all_that_they_do():
    names = {"Fly": 3, "Lesser Restoration": 2, "Barkskin": 2, "Misty Step": 2, "Shield": 1}
    spells = [
        Feature(name.lower(), name, "action", level=level, properties=("spell",)) for name, level in names.items()
    ]
    block = Creature("mage", "Mage", ac=12, hp=40, features=tuple(spells))
    (group,) = groups_of(data_of(KIND, fight(Scene(system="dnd5e"), block, RosterEntry("mage", "mage"))))
    texts = {line["name"]: line["text"] for line in group["lines"]}
    assert "Fly speed 60." in texts["Fly"]
    assert "AC of at least 16." in texts["Barkskin"]
    assert texts["Misty Step"].startswith("Self. Teleports up to 30 ft.")
    assert "+5 AC" in texts["Shield"]
    assert "Ends one of these conditions" in texts["Lesser Restoration"].split("Or one disease")[0]


def test_each_copy_has_its_own_boxes(press: Typesetter):
    breath = Feature("breath", "Breath", "action", recharge=5, text="It breathes.")
    wing = Feature("wing", "Wing", "legendary", text="It beats.")
    block = Creature("drake", "Drake", ac=12, hp=40, features=(breath, wing), legendary=3)
    (group,) = groups_of(data_of(KIND, fight(block, RosterEntry("drake", "drake", count=3))))
    boxes = {line["name"]: line["boxes"] for line in group["lines"]}
    assert boxes["Breath"] == 1
    assert group["legendary"] == 3
    mage = msgspec.structs.replace(block, id="mage", name="Mage", legendary=0, slots=(("1", 4), ("2", 3)))
    origin = fight(block, mage, RosterEntry("drake", "drake", count=3), RosterEntry("mage", "mage", count=2))
    text = " ".join(text_of(press.typeset(printed(KIND, origin)).pages[0]).split())
    assert "Legendary actions (3 a round)" in text
    assert "Spell slots (Ma1)" in text
    assert "Spell slots (Ma2)" in text


def test_a_running_fight_is_printed_as_it_stands():
    table = Table(creature("ann", hp=30), "gob", "wolf", foes=("gob", "wolf"), rules=a5e())
    table.start(ann=20, gob=10, wolf=15)
    table.does(ApplyDamage(("gob",), "5", "Ann"))
    table.does(ApplyCondition(("gob",), "prone"))
    table.does(SetDead("wolf"))
    helper = Combatant("helper", "gob", "Helper", side="party", roster="", hp=3, hp_max=15)
    data = data_of(KIND, source(Encounter([*table.encounter, helper]), now=True))
    shown = {group["name"]: (group["score"], *group["members"][0].values()) for group in groups_of(data)}
    assert shown["Gob"] == ("10", "Go", 20, 10, "15", "prone")
    assert shown["Wolf"][-1] == "dead"
    assert "Helper" in shown
    assert data["order"] == ["Ann", "Wolf", "Gob"]
    assert (data["now"], data["first"]) == (1, 1)
    before = data_of(KIND, source(table.encounter))
    assert (before["now"], before["order"]) == (0, [])
    assert {member["left"] for group in groups_of(before) for member in group["members"]} == {""}


def test_a_countdown_that_another_one_starts_names_it():
    first = Countdown("ice", "Ice", dice=3, outcomes=(StartCountdown("flood"),))
    data = data_of(KIND, fight(GUARD, RosterEntry("g", "guard"), first, Countdown("flood", "Flood", dice=4, starts=0)))
    assert data["world"]["pools"][1]["pace"][-2] == "started by Ice"


def test_there_is_none_for_players():
    origin = source(sample("cold-ford-bridge"), edition="players")
    assert not KIND.for_players
    assert print_document(origin, (KIND,), "A fight", {}).sections == ()


def test_newcomers_of_the_surroundings_have_their_figures():
    entry = EnvironmentEntry("rise", "They rise", spawn=Spawn("guard", "Drowned guard", initiative=20))
    place = Environment("lake", "Lake", actions=(entry,))
    data = data_of(KIND, fight(Scene(), GUARD, RosterEntry("guard", "guard"), place))
    (wave,) = data["waves"]
    assert (wave["name"], wave["when"]) == ("Drowned guard", "triggered by “They rise”")
    assert [(one["same_as"], one["ac"], one["members"][0]["hp"]) for one in wave["groups"]] == [("Guard", "14", 26)]


def test_an_encounter_of_surroundings_alone_has_a_sheet(press: Typesetter):
    wind = EnvironmentEntry("wind", "Cutting wind", recharge=5, text="It cuts.")
    for record in (Environment("pass", "Pass", actions=(wind,)), Countdown("ice", "The ice", dice=3)):
        pages = press.typeset(printed(KIND, fight(Scene(title="The pass"), record))).pages
        assert ("Cutting wind" if isinstance(record, Environment) else "The ice") in text_of(pages[0])


def filled(press: Typesetter, **options: Any) -> str:
    scene = Scene(title="A", read_aloud="Snow falls on the ford.")
    trip = msgspec.structs.replace(AXE, afflictions=(InflictedCondition("restrained"),))
    guard = msgspec.structs.replace(GUARD, features=(trip,))
    origin = fight(scene, guard, RosterEntry("a", "guard"), **options)
    return text_of(press.typeset(printed(KIND, origin)).pages[0])


def test_where_room_is_left_it_holds_the_text_to_read_aloud_and_what_conditions_do(press: Typesetter):
    text = filled(press)
    assert text.index("Snow falls on the ford.") < text.index("Guard")
    assert "Restrained Caught or bound" in text
    assert "Snow falls" not in filled(press, read_aloud=False)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("count", range(20, 32, 2))
def test_a_sheet_longer_than_two_pages_keeps_what_conditions_do(count: int, press: Typesetter):
    ends = [InflictedCondition(name) for name in ("restrained", "poisoned", "stunned", "blinded", "frightened")]
    long = [Feature(f"f{number}", f"Blow {number}", attack=4, text="It tells. " * 40) for number in range(6)]
    grip = Feature("grip", "Grip", attack=4, damage="1d4 force", afflictions=tuple(ends))
    kinds = [Creature(f"c{number}", f"Foe {number}", hp=9, features=(grip, *long)) for number in range(count // 2)]
    rows = [RosterEntry(f"r{number}", kind.id) for number, kind in enumerate(kinds)]
    pages = read_pages(press.typeset(printed(KIND, fight(Scene(), *kinds, *rows))).pages[0])
    text = " ".join(" ".join(page.text for page in pages).split())
    assert len(pages) > 2
    assert all(words in text for words in ("Conditions.", "Restrained Caught or bound", "Stunned"))


def test_a_bystander_has_a_whole_row_after_all_sides():
    bite = Feature("bite", "Bite", attack=4, damage="1d6 piercing")
    encounter = (Creature("dog", "Dog", hp=9, features=(bite,)), RosterEntry("dog", "dog", bystander=True))
    foes, bystanders = data_of(KIND, fight(Scene(), GUARD, RosterEntry("a", "guard"), *encounter))["sides"]
    assert [group["name"] for group in foes["groups"]] == ["Guard"]
    (dog,) = bystanders["groups"]
    assert [(line["name"], line["to_hit"], line["figures"]) for line in dog["lines"]] == [
        ("Bite", "+4", ["3 (1d6) piercing"])
    ]
    assert [member["hp"] for member in dog["members"]] == [9]


def test_entries_stand_under_their_environments_name_place_and_notes(press: Typesetter):
    fire, cold = (EnvironmentEntry(name, name.title(), text=f"It is {name}.") for name in ("fire", "cold"))
    lair = Environment("lair", "The lair", size="rows 1 to 4", actions=(fire, cold), notes="Never the same twice.")
    hall = Environment("hall", "The hall", size="columns A to C", features=(cold,))
    origin = fight(Scene(), GUARD, RosterEntry("a", "guard"), lair, hall)
    text = " ".join(text_of(press.typeset(printed(KIND, origin)).pages[0]).split()).lower()
    parts = (
        "the lair",
        "rows 1 to 4",
        "one each round",
        "never the same twice.",
        "it is fire",
        "the hall",
        "columns a to c",
    )
    assert [text.index(part) for part in parts] == sorted(text.index(part) for part in parts)


def test_a_creature_that_may_come_again_has_several_boxes_and_its_place_in_the_order():
    brings = EnvironmentEntry("rise", "Rise", spawn=Spawn("guard", "Dead guard", initiative=20))
    rolls = EnvironmentEntry("crawl", "Crawl", spawn=Spawn("guard", "Other guard"))
    place = Environment("yard", "Yard", actions=(brings, rolls))
    first, second = data_of(KIND, fight(Scene(), GUARD, RosterEntry("a", "guard"), place))["waves"]
    assert (first["name"], second["name"]) == ("Dead guard", "Other guard")
    (dead,), (other,) = first["groups"], second["groups"]
    assert (dead["initiative"], dead["score"], other["score"]) == ("", "20", "")
    signs = [member["sign"] for group in (dead, other) for member in group["members"]]
    assert len({*signs}) == len(signs) == 8
    assert "" not in signs


def test_squares_of_a_later_wave_are_named():
    late = RosterEntry("b", "guard", wave="late", place="behind the reeds", positions=((19, 1), (21, 2)))
    (wave,) = data_of(KIND, fight(Scene(), GUARD, RosterEntry("a", "guard"), late))["waves"]
    assert wave["groups"][0]["places"] == ["behind the reeds", "T2, V3"]


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "name",
    ["Commoner", "Archmage", "Commoner Mob", "WWWWWWWW", "Wmwmwmwm Wwmmwwmm", "Commissioner"],
)
def test_a_name_never_runs_under_the_box_for_initiative(name: str, press: Typesetter):
    origin = fight(
        Scene(), msgspec.structs.replace(GUARD, name=name, ac=19), RosterEntry("a", "guard", count=2, initiative=88)
    )
    words = read_pages(press.typeset(printed(KIND, origin)).pages[0])[0].words
    box = next(word for word in words if word.text == "+88")
    left = box.right - 8 * 72 / 25.4  # the box is 8 mm wide, with its text in the lower right corner
    over = box.bottom - 5.8 * 72 / 25.4
    parts = [word for word in words if len(word.text) > 2 and word.text.strip("\u200b") in name]
    assert parts
    assert all(word.right <= left or word.bottom <= over or word.top >= box.bottom for word in parts)


def test_an_encounter_without_a_roster_has_none():
    assert data_of(KIND, fight(Scene(), GUARD)) is None


@pytest.mark.soak
def test_saving_ink_leaves_colours_out(press: Typesetter):
    page = press.typeset(printed(KIND, source(sample("last-light"), ink="saving")), "svg").pages[0].decode()
    colours = {found.lower() for found in re.findall(r'(?:fill|stroke)="(#[0-9a-fA-F]{6})"', page)}
    grey = {one for one in colours if one[1:3] == one[3:5] == one[5:7] or one == "#1f1b16"}
    assert colours == grey


def test_a_foe_over_two_pages_has_its_name_again_and_no_text_is_cut(press: Typesetter):
    features = tuple(
        Feature(f"power-{n}", f"Power {n}", "action", text="It does one more of its many things. " * 7)
        for n in range(45)
    )
    foes = [Creature(f"drake-{n}", f"Drake {n}", ac=12, hp=40, features=features) for n in range(5)]
    origin = fight(Scene(), *foes, *(RosterEntry(one.id, one.id) for one in foes))
    told = text_of(press.typeset(printed(KIND, origin)).pages[0])
    assert "continued" in told
    assert "…" not in told


def test_lines_of_a_long_creature_are_read_down_each_column_of_a_page(press: Typesetter):
    features = tuple(
        Feature(f"power-{n}", f"Power{n:02}", "action", text="It does one more of its many things. " * (4 + n % 9))
        for n in range(40)
    )
    foe = Creature("drake", "Drake", ac=12, hp=40, features=features)
    origin = fight(Scene(), foe, RosterEntry("drake", "drake"))
    words = [one for one in words_of(press.typeset(printed(KIND, origin)).pages[0]) if one.text.startswith("Power")]
    middle = (min(one.left for one in words) + max(one.left for one in words)) / 2
    assert len(words) == len(features)
    assert words == sorted(words, key=lambda one: one.text)
    assert words == sorted(words, key=lambda one: (one.page, one.left > middle, one.top))
