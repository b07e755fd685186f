"""The encounter sheet: every member with its stats, every environment, and for the players no secrets."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from tests.for_each import for_each
from tests.handouts import samples
from tests.handouts.sample_pages import (
    FILES,
    beside,
    data_of,
    fight,
    outside,
    printed,
    sample,
    source,
    strokes,
    text_of,
    words_of,
)
from tests.handouts.samples import IN_EACH_GAME, ON_A_PAPER
from turnwright.encounter.prepared import (
    AddWave,
    Announce,
    Check,
    Countdown,
    Creature,
    DealDamage,
    Environment,
    EnvironmentEntry,
    InflictedCondition,
    Map,
    RosterEntry,
    SavingThrow,
    Scene,
    Spawn,
    StartCountdown,
    TriggerEntry,
    Wave,
)
from turnwright.encounter.state import Change, Encounter, Record, key_of
from turnwright.forecast.sentences import percent
from turnwright.handouts.kinds.encounter_sheet import KIND
from turnwright.handouts.page_input import PrintOptions, template_json
from turnwright.handouts.typesetter import Typesetter
from turnwright.handouts.typography import typographic
from turnwright.workspace.fight_forecast import run_forecast
from turnwright.workspace.kernel_library import await_kernels
from turnwright.workspace.print_job import print_inputs

OGRE = Creature("ogre", "Ogre", ac=11, hp=59, initiative=-1)
ANN = Creature("ann", "Ann", ac=16, hp=30, level=3)
CAVE = Environment("cave", "The cave")


def rows(data: Any) -> list[dict[str, Any]]:
    return [row for group in data["groups"] for row in group["rows"]]


def row_of(entry: EnvironmentEntry, *more: Record, action: bool = False) -> dict[str, Any]:
    """How a row of an environment is printed."""
    place = msgspec.structs.replace(CAVE, **{"actions" if action else "features": (entry,)})
    found = data_of(KIND, fight(Scene(), place, *more))["places"][0]
    return found["actions" if action else "features"][0]


def test_the_heading_of_the_notes_stands_clear_of_what_is_above(press: Typesetter):
    pools = [Countdown(id, "The ice gives way", 3, outcomes=(Announce("Cracks."),)) for id in ("a", "b")]
    words = words_of(press.typeset(printed(KIND, fight(Scene(title="Ice"), *pools))).pages[0])
    heading = next(one for one in words if one.text == "Notes")
    assert heading.top > max(one.bottom for one in words if one.text == "Cracks.")


# Samples ---------------------------------------------------------------------------------------------------------


@pytest.mark.sampled(2)
@ON_A_PAPER
def test_the_sheet_of_every_sample_has_everybody_and_everything(name: str, paper: str, press: Typesetter):
    origin = source(sample(name), paper=paper)
    pdf = press.typeset(printed(KIND, origin)).pages[0]
    words, text = words_of(pdf), text_of(pdf)
    for row in rows(data_of(KIND, origin)):
        figures = {row["ac"], str(row["hp"])}
        assert any(figures <= {*one} for one in beside(words, row["name"], 22)), row["name"]
    for place in sample(name).all(Environment):
        for entry in (*place.features, *place.actions):
            assert entry.name in text or not entry.enabled
    for countdown in sample(name).all(Countdown):
        assert countdown.name in text
    assert outside(pdf) == []


@for_each("name", sorted(FILES))
def test_every_creature_of_a_sample_stands_with_its_own_figures(name: str):
    encounter = sample(name)
    listed = {(row["name"], row["ac"], row["hp"]) for row in rows(data_of(KIND, source(encounter)))}
    for entry in encounter.all(RosterEntry):
        creature = encounter.need(Creature, entry.creature)
        label = (entry.name or creature.name) + (f" 1–{entry.count}" if entry.count > 1 else "")
        ac = str(creature.ac if entry.ac is None else entry.ac)
        assert (label, ac, creature.hp if entry.hp is None else entry.hp) in listed


# The players' edition --------------------------------------------------------------------------------------------


def with_other_secrets(encounter: Encounter) -> Encounter:
    """The same encounter as far as players know: all else has other words, figures and numbers."""
    changed: list[Record] = []
    for record in encounter:
        match record:
            case Scene():
                secrets = {"notes": "?", "treasure": ("?",), "conditions": "?", "light": "dark", "round_seconds": 7}
                changed.append(msgspec.structs.replace(record, **secrets))
            case RosterEntry(player="", side=side) if side != "party":
                changed.append(
                    msgspec.structs.replace(record, name="?", count=9, ac=1, hp=1, place="?", notes="?", effects=("?",))
                )
            case RosterEntry():
                changed.append(msgspec.structs.replace(record, place="?", notes="?", effects=("?",)))
            case Environment():
                changed.append(Environment(record.id, "?", features=(EnvironmentEntry("x", "?"),)))
            case Countdown(secret=False):
                secrets = {"outcomes": (Announce("?"),), "notes": "?", "speed": "slow", "unstoppable": True}
                changed.append(msgspec.structs.replace(record, **secrets))
            case Countdown():
                changed.append(Countdown(record.id, "?", 9, secret=True))
            case Creature() if "player character" not in record.tags:
                changed.append(msgspec.structs.replace(record, name="?", ac=2, hp=3, features=()))
            case Creature():
                changed.append(msgspec.structs.replace(record, notes="?"))
            case _:
                changed.append(record)
    return Encounter([*changed, Countdown("more", "More", 3, secret=True)])


@pytest.mark.sampled(1)
@IN_EACH_GAME
def test_the_players_edition_is_the_same_whatever_the_secrets_are(name: str, press: Typesetter):
    def pages(encounter: Encounter, edition: str) -> tuple[bytes, ...]:
        return press.typeset(printed(KIND, source(encounter, edition=edition)), "svg").pages

    other = with_other_secrets(sample(name))
    assert pages(sample(name), "players") == pages(other, "players")
    assert pages(sample(name), "game-master") != pages(other, "game-master")


def test_players_see_what_is_read_to_them_their_characters_and_open_countdowns():
    party = RosterEntry(
        "ann", "ann", side="party", player="Nina", place="under the table", notes="cursed", effects=("prone",)
    )
    friend = RosterEntry("ogre", "ogre", side="party")
    spy = RosterEntry("spy", "ann", "Spy", side="party", hidden=True)
    late = RosterEntry("late", "ann", "Late", side="party", wave="late")
    double = RosterEntry("double", "ogre", "Double", player="Max", hidden=True, wave="late")
    known = Countdown("ice", "The ice gives way", 3, notes="soon")
    hidden = Countdown("under", "Under the ice", secret=True)
    scene = Scene(title="Ice", read_aloud="It cracks.", notes="Deep.", treasure=("a ring",), conditions="Windy.")
    data = data_of(
        KIND, fight(scene, ANN, OGRE, party, friend, spy, late, double, CAVE, known, hidden, edition="players")
    )
    assert [row["name"] for row in rows(data)] == ["Ann", "Double"]
    assert (rows(data)[0]["place"], rows(data)[0]["notes"]) == ("", "")
    assert data["countdowns"] == [{"name": "The ice gives way", "dice": 3}]
    assert (data["title"], data["read_aloud"]) == ("An encounter", "It cracks.")
    assert {"facts", "places", "notes", "treasure"}.isdisjoint(data)


# Who is there ----------------------------------------------------------------------------------------------------


def test_sides_come_first_then_waves_with_what_brings_them():
    entries = (
        RosterEntry("wolves", "ogre", "Wolf", wave="second-boat"),
        RosterEntry("ogres", "ogre", count=2),
        RosterEntry("ann", "ann", side="party"),
        RosterEntry("beasts", "ogre", "Beast", side="hostile to all"),
    )
    boat = Countdown("boat", "The boat lands", outcomes=(AddWave("second-boat"),))
    data = data_of(KIND, fight(Scene(), ANN, OGRE, *entries, boat, Wave("second-boat", round=4)))
    told = [(group["title"], group["when"], [row["name"] for row in group["rows"]]) for group in data["groups"]]
    assert told == [
        ("Party", "", ["Ann"]),
        ("Enemies", "", ["Ogre 1–2"]),
        ("Hostile to all", "", ["Beast"]),
        ("Later: Second boat", "round 4; when “The boat lands” is empty", ["Wolf"]),
    ]


@pytest.mark.parametrize(
    ("who", "told"),
    [("", "all enemies"), ("ogres", "Ogre"), ("enemies", "enemies")],
)
def test_a_wave_says_whom_it_waits_for(who: str, told: str):
    entries = (RosterEntry("ogres", "ogre"), RosterEntry("late", "ogre", wave="late"))
    data = data_of(KIND, fight(Scene(), OGRE, *entries, Wave("late", when="half", who=who)))
    assert data["groups"][1]["when"] == f"one of {told} is at half HP or less"


def test_figures_of_the_roster_come_before_those_of_the_stat_block():
    entry = RosterEntry("ogre", "ogre", ac=14, hp=40, initiative=5)
    row = rows(data_of(KIND, fight(Scene(), OGRE, entry)))[0]
    assert (row["ac"], row["hp"], row["initiative"]) == ("14", 40, "+5")


def test_somebody_elite_has_the_figures_of_one():
    ghoul = Creature("ghoul", "Ghoul", level=1, ac=16, hp=20)
    plain, elite = RosterEntry("one", "ghoul"), RosterEntry("two", "ghoul", adjustment="elite")
    found = rows(data_of(KIND, fight(Scene(system="pf2e"), ghoul, plain, elite)))
    assert [(row["ac"], row["hp"]) for row in found] == [("16", 20), ("18", 30)]


def test_what_nobody_knows_stays_blank():
    shade = Creature("shade", "Shade", ac=0, hp=0)
    found = rows(data_of(KIND, fight(Scene(), shade, RosterEntry("a", "shade"), RosterEntry("b", "gone"))))
    assert [(row["name"], row["ac"], row["hp"]) for row in found] == [("Shade", "", 0), ("gone", "", 0)]
    assert found[1]["initiative"] == ""


def test_bystanders_have_no_place_to_write_and_five_hundred_rats_no_five_hundred_rows():
    entries = (RosterEntry("a", "ogre", bystander=True), RosterEntry("rats", "ogre", "Rat", 500))
    data = data_of(KIND, fight(Scene(), OGRE, *entries))
    assert [(row["name"], row["ordered"]) for row in rows(data)] == [("Ogre", False), ("Rat 1–500", True)]
    assert len(rows(data)[1]["members"]) + rows(data)[1]["more"] == 500 == data["groups"][0]["count"] - 1


# The surroundings ------------------------------------------------------------------------------------------------


@for_each(
    ("entry", "told"),
    [
        (EnvironmentEntry("x", "X", save=SavingThrow("dex", 13)), "DC 13 Dexterity save"),
        (EnvironmentEntry("x", "X", damage="2d6 cold"), "7 (2d6) cold"),
        (EnvironmentEntry("x", "X", damage="two fists"), "Two fists"),
        (EnvironmentEntry("x", "X", affects="each", within="in the area"), "Everyone there, in the area"),
        (EnvironmentEntry("x", "X", trigger="touch"), "When it is touched"),
        (EnvironmentEntry("x", "X", once="turn"), "Once per turn"),
        (EnvironmentEntry("x", "X", check=Check("wis", 12, "perception")), "Wisdom (Perception) check, DC 12"),
        (EnvironmentEntry("x", "X", check=Check("dex", 12, cost="action")), "Dexterity check, DC 12, costs one action"),
        (
            EnvironmentEntry("x", "X", check=Check("dex", against="spellcasting")),
            "Dexterity check, against the caster's roll",
        ),
        (EnvironmentEntry("x", "X", cost="bonus"), "Costs one bonus action"),
        (
            EnvironmentEntry("x", "X", reduced="skin-covered", reduced_damage="1d4 cold"),
            "2 (1d4) cold for full-body clothing",
        ),
        (EnvironmentEntry("x", "X", unaffected=("resistant:cold", "prone")), "No effect on: resistant to cold, prone"),
        (
            EnvironmentEntry("x", "X", unaffected=("immune:acid", "salt-ring")),
            "No effect on: immune to acid, salt ring",
        ),
        (EnvironmentEntry("x", "X", afflictions=(InflictedCondition("prone"),)), "Prone"),
        (
            EnvironmentEntry("x", "X", afflictions=(InflictedCondition("prone", "turn-end"),)),
            "Prone (ends at the end of their turn)",
        ),
        (
            EnvironmentEntry(
                "x", "X", afflictions=(InflictedCondition("restrained", escape_dc=12, break_free="action", value=2),)
            ),
            "Restrained 2 (escape DC 12, action to break free)",
        ),
        (EnvironmentEntry("x", "X", fatigue=2), "2 levels of fatigue"),
        (EnvironmentEntry("x", "X", push=10), "Pushed 10 ft"),
        (EnvironmentEntry("x", "X", teleport=5), "Teleported 5 ft"),
        (EnvironmentEntry("x", "X", terrain="difficult"), "Difficult terrain"),
        (
            EnvironmentEntry("x", "X", terrain="difficult", redirect=True),
            "Difficult terrain when changing direction",
        ),
        (EnvironmentEntry("x", "X", obscured="heavily"), "Heavily obscured"),
        (EnvironmentEntry("x", "X", cover="half", cover_when="tipped over"), "Half cover (tipped over)"),
        (EnvironmentEntry("x", "X", hearing=15), "Quiet sounds heard within 15 ft"),
        (EnvironmentEntry("x", "X", sound=3), "Sounds carry 3 times as far"),
        (EnvironmentEntry("x", "X", per_die="fire"), "1 extra for each die of fire"),
        (EnvironmentEntry("x", "X", edge="disadvantage", edge_on="ranged"), "Disadvantage on: ranged attacks"),
        (EnvironmentEntry("x", "X", extra_costs=(("dash", 1),)), "Dash costs 1 more"),
        (EnvironmentEntry("x", "X", ac=12), "AC 12 to break it"),
        (EnvironmentEntry("x", "X", range="15/30"), "Range 15/30"),
        (EnvironmentEntry("x", "X", reflects=1), "Reflects spells up to level 1"),
        (EnvironmentEntry("x", "X", breaks=True), "Breaks when used"),
        (EnvironmentEntry("x", "X", delay=1), "Takes effect 1 round later"),
        (EnvironmentEntry("x", "X", size="large"), "Large"),
        (EnvironmentEntry("x", "X", spawn=Spawn("ogre", "Brute")), "Spawns Brute (Ogre), hostile to all"),
        (
            EnvironmentEntry("x", "X", spawn=Spawn("ogre", "", initiative=20)),
            "Spawns Ogre, hostile to all, initiative 20",
        ),
    ],
)
def test_a_row_says_each_of_its_figures(entry: EnvironmentEntry, told: str):
    assert row_of(entry, OGRE)["figures"] == [told]


@pytest.mark.parametrize(("lowest", "faces"), [(0, ""), (6, "6"), (5, "5–6"), (4, "4–6")])
def test_a_world_action_says_on_what_it_comes_back(lowest: int, faces: str):
    assert row_of(EnvironmentEntry("x", "X", recharge=lowest), action=True)["recharge"] == faces


def test_a_world_action_that_recharges_has_boxes_and_another_has_none(press: Typesetter):
    def boxes(recharge: int) -> int:
        place = msgspec.structs.replace(CAVE, actions=(EnvironmentEntry("x", "X", recharge=recharge),))
        return strokes(press, printed(KIND, fight(Scene(), place)))

    assert boxes(5) - boxes(0) == 6


def test_a_row_reads_as_the_table_plays_it():
    boulder = EnvironmentEntry("boulder", "Boulder", damage="2d10 bludgeoning")
    place = Environment("rocks", "Rocks", features=(boulder,), source="rocky")
    data = data_of(KIND, fight(Scene(options=("boulder-untyped",)), place))
    assert data["places"][0]["features"][0]["figures"] == ["11 (2d10)"]


def test_rows_that_are_switched_off_stay_away_and_secret_ones_say_so():
    place = msgspec.structs.replace(
        CAVE, features=(EnvironmentEntry("a", "A", enabled=False), EnvironmentEntry("b", "B", secret=True))
    )
    found = data_of(KIND, fight(Scene(), place))["places"][0]["features"]
    assert [(row["name"], row["secret"]) for row in found] == [("B", True)]


@for_each(
    ("outcome", "told"),
    [
        (Announce("It breaks."), "It breaks."),
        (AddWave("second-boat"), "Wave arrives: Second boat"),
        (StartCountdown("fire"), "Countdown “The fire spreads” starts"),
        (StartCountdown("a-gone-one"), "Countdown “a gone one” starts"),
        (DealDamage("2d6 fire"), "7 (2d6) fire to everyone"),
        (DealDamage("3 fire", "enemies"), "3 fire to enemies"),
        (TriggerEntry("cave", "fall"), "The cave acts: Rocks"),
        (TriggerEntry("gone", "some-row"), "gone acts: some row"),
    ],
)
def test_a_countdown_says_what_comes_of_it(outcome: Any, told: str):
    place = msgspec.structs.replace(CAVE, actions=(EnvironmentEntry("fall", "Rocks"),))
    pool = Countdown("ice", "Ice", outcomes=(outcome,))
    data = data_of(KIND, fight(Scene(), place, pool, Countdown("fire", "The fire spreads")))
    assert data["countdowns"][0]["outcomes"] == [told]


# Little and nothing ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("edition", ["game-master", "players"])
@pytest.mark.parametrize("records", [(), (Scene(),), (Scene(), Environment("a", ""), Countdown("c", ""))])
def test_an_empty_encounter_is_one_page(records: tuple[Record, ...], edition: str, press: Typesetter):
    packet = printed(KIND, fight(*records, edition=edition))
    assert len(press.typeset(packet, "svg").pages) == 1
    assert "An encounter" in template_json(packet)


def test_a_forecast_is_printed_where_it_is_asked_for():
    assert await_kernels()
    encounter, words = sample("cold-ford-bridge"), samples.words()
    rules = source(encounter).rules

    def got(**options: Any) -> Any:
        made = print_inputs(encounter, rules, words, PrintOptions(**options), [KIND.id])
        return made.document.sections[0].data.get("forecast", [])

    assert got() == []
    assert got(forecast=True, edition="players") == []
    [told] = got(forecast=True)
    found = run_forecast(encounter, rules, 4000, seed=1).outlook
    assert told["headline"].endswith("from 4000 fights")
    party = {one.label: one for one in found.combatants if one.party}
    assert {one["name"] for one in told["falls"]} == set(party)
    for one in told["falls"]:
        assert (one["down"], one["dead"]) == tuple(
            percent(chance.value) for chance in (party[one["name"]].down, party[one["name"]].dead)
        )
        assert one["low"] <= one["down"] <= one["high"]
    assert [one["round"] for one in told["rounds"]] == [one.round for one in found.by_round]
    assert all(list(one["shares"]) == sorted(one["shares"]) for one in told["rounds"])
    assert told["marks"] == [
        {"round": 3, "names": "The second boat"},
        {"round": 4, "names": "The ice gives way"},
        {"round": 6, "names": "Under the bridge"},
    ]
    dealt = [one["damage"] for one in told["sources"]]
    assert dealt == sorted(dealt, reverse=True)
    assert {one["world"] for one in told["sources"]} == {True, False}
    assert len(told["courses"]) == 3
    assert len(told["assumed"]) == sum(one.list == "assumed" for one in found.notes)
    assert told["notes"].startswith(f"{sum(one.list == 'left-out' for one in found.notes)} left out, ")
    assert told["sentences"][0].startswith("The party wins ")


@pytest.mark.sampled(1)
@pytest.mark.parametrize("ink", ["colour", "saving"])
@pytest.mark.parametrize("name", ["cold-ford-bridge", "unquenched-works"])
def test_the_charts_of_a_forecast_are_set(name: str, ink: str, press: Typesetter):
    encounter = sample(name)
    options = PrintOptions(forecast=True, ink=ink)
    made = print_inputs(encounter, source(encounter).rules, samples.words(), options, [KIND.id])
    pages = press.typeset(made.document, "svg").pages
    told = made.document.sections[0].data["forecast"][0]
    assert len(pages) <= 4
    assert told["falls"]


def test_without_a_party_there_is_no_forecast_to_print():
    encounter = sample("cold-ford-bridge")
    alone = encounter.with_changes([Change(key_of(one), one, None) for one in encounter.all(RosterEntry) if one.player])
    made = print_inputs(alone, source(alone).rules, samples.words(), PrintOptions(forecast=True), [KIND.id])
    assert made.document.sections[0].data["forecast"] == []


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", sorted(FILES))
def test_an_environment_stands_whole_with_its_name(press: Typesetter, name: str):
    pages: dict[int, str] = {}
    for word in words_of(press.typeset(printed(KIND, source(sample(name)))).pages[0]):
        pages[word.page] = f"{pages.get(word.page, '')} {word.text}".casefold()
    for place in data_of(KIND, source(sample(name)))["places"]:
        names = [
            typographic(one).casefold()
            for one in (place["name"], *(row["name"] for row in place["actions"] + place["features"]))
        ]
        assert any(all(one.split()[-1] in page for one in names) for page in pages.values()), names


def test_an_environment_longer_than_a_page_goes_on_under_its_name(press: Typesetter):
    rows = tuple(EnvironmentEntry(f"row-{number}", f"Row {number}", text="Many words. " * 40) for number in range(30))
    place = Environment("hall", "The hall", features=rows)
    words = words_of(press.typeset(printed(KIND, fight(Scene(), place))).pages[0])
    pages = {word.page for word in words if word.text == "Row"}
    assert len(pages) > 1
    heads = {word.page for word in words if word.text.casefold() == "hall"}
    assert pages <= heads
    assert {word.page for word in words if word.text == "continued"} == pages - {min(pages)}


def test_the_goal_and_turning_points_stand_before_the_notes():
    scene = Scene(goal="Hold the bridge.", turning_points=("The ice breaks.", " "), notes="Be quick.")
    data = data_of(KIND, fight(scene))
    assert (data["goal"], data["turning_points"], data["notes"]) == (
        "Hold the bridge.",
        ["The ice breaks."],
        "Be quick.",
    )
    data = data_of(KIND, fight(scene, edition="players"))
    assert {"goal", "turning_points", "notes"}.isdisjoint(data)


def test_the_map_stands_on_the_sheet_with_its_key_and_for_players_not(press: Typesetter):
    origin = source(sample("cold-ford-bridge"))
    data = data_of(KIND, origin)
    assert (data["map"]["columns"], data["map"]["rows"]) == (26, 19)
    words = words_of(press.typeset(printed(KIND, origin)).pages[0])
    assert {word.page for word in words} == {1, 2}
    (signs,) = [row["members"] for row in rows(data) if row["sign"] == "Ra"]
    assert len(signs) == 4
    for sign in signs:  # in the box for its hit points, and on the map
        assert [word.page for word in words if word.text == sign] == [1, 1]
    assert "map" not in data_of(KIND, source(sample("cold-ford-bridge"), edition="players"))


def test_the_facts_say_how_hard_it_is_where_the_game_has_a_budget():
    facts = {one["lead"]: one["text"] for one in data_of(KIND, source(sample("cold-ford-bridge")))["facts"]}
    assert facts["Difficulty"].startswith("Medium, ")
    assert "4 × level 5" in facts["Difficulty"]
    leads = [one["lead"] for one in data_of(KIND, source(sample("bell-barge")))["facts"]]
    assert "Difficulty" not in leads


def test_everybody_has_speed_and_passive_perception():
    found = rows(data_of(KIND, source(sample("cold-ford-bridge"))))
    assert [(row["name"], row["speed"], row["passive"]) for row in found][1] == ("Tam", "35 ft., climb 20 ft.", "15")


def test_allies_are_apart_from_the_party():
    party = [RosterEntry("ann", "ann", side="party", player="Nina"), RosterEntry("ogre", "ogre", "Guide", side="party")]
    told = [
        (group["title"], [row["name"] for row in group["rows"]])
        for group in data_of(KIND, fight(Scene(), ANN, OGRE, *party))["groups"]
    ]
    assert told == [("Party", ["Ann"]), ("Allies", ["Guide"])]


def test_a_group_has_a_box_for_the_hit_points_of_each(press: Typesetter):
    def drawn(count: int) -> int:
        return strokes(press, printed(KIND, fight(Scene(), OGRE, RosterEntry("a", "ogre", count=count))))

    assert [drawn(count) - drawn(1) for count in (2, 4, 12, 13)] == [1, 3, 11, 0]


@pytest.mark.parametrize("count", [2, 9])
def test_tokens_on_the_small_map_cover_no_other(count: int, press: Typesetter):
    squares = tuple((5 + at % 3, 5 + at // 3) for at in range(count))
    origin = fight(
        Scene(), OGRE, RosterEntry("a", "ogre", count=count, positions=squares), Map("map", columns=40, rows=20)
    )
    pages = press.typeset(printed(KIND, origin)).pages[0]
    spots = [one for one in words_of(pages) if one.text.startswith("Og") and one.text[-1].isdigit()][-count:]
    assert len({one.text for one in spots}) == count
    sides = 3.6 * 72 / 25.4
    for at, one in enumerate(spots):
        for other in spots[at + 1 :]:
            across, down = abs(one.left + one.right - other.left - other.right) / 2, abs(one.top - other.top)
            assert max(across, down) > sides


def test_environments_and_countdowns_share_columns_where_that_takes_less_room(press: Typesetter):
    words = words_of(press.typeset(printed(KIND, source(sample("cold-ford-bridge")))).pages[0])
    heading, last = (
        next(one for one in words if one.page == 2 and one.text == text) for text in ("Countdowns", "Lumps")
    )
    assert heading.left > 250
    assert heading.top < last.top


def test_a_hidden_group_is_marked():
    eels = RosterEntry("eels", "eel", count=3, hidden=True)
    (group,) = data_of(KIND, fight(Scene(), Creature("eel", "Eel"), eels))["groups"]
    assert [row["hidden"] for row in group["rows"]] == [True]


def test_players_do_not_see_countdowns_that_begin_later():
    every = (Countdown("a", "Now", 3), Countdown("b", "Later", 3, starts=2), Countdown("c", "By hand", 3, starts=0))
    assert [one["name"] for one in data_of(KIND, fight(Scene(), *every, edition="players"))["countdowns"]] == ["Now"]
    assert len(data_of(KIND, fight(Scene(), *every))["countdowns"]) == 3
