"""Statements about features, groups and relations."""

from __future__ import annotations

import pytest

ARMED = """
[creatures.mira.features.breath]
name = "Breath"
cost = "bonus"
damage = "1d6 fire"
save = "dex"
dc = 12

[creatures.mira.features.bolt]
name = "Bolt"
cost = "action"
level = 1
attack = 5
range = "60"
damage = "1d8 cold"

[roster.hounds]
creature = "raider"
name = "Hound"
count = 2
side = "party"
controller = "mira"
group = true
"""


def only(events, name: str):
    (found,) = [one for one in events if one["event"] == name]
    return found


def test_a_feature_is_used_on_whom_the_script_names(done):
    events = done("dice 3 5", "feature mira breath on raiders-1 as free")
    used = only(events, "FeatureUsed")
    assert (used["feature"], used["targets"], used["dc"]) == ("Breath", ["raiders-1"], 12)
    assert only(events, "DamageTaken")["taken"] == 5


def test_a_group_is_commanded_and_attacks_as_one(done):
    events = done(
        "direct mira hounds to attack against raiders-1", "dice 3 5", "group attack hounds on raiders-1 with spear"
    )
    commanded = only(events, "FollowersCommanded")
    assert (commanded["creatures"], commanded["target"]) == (["hounds-1", "hounds-2"], "raiders-1")
    assert only(events, "FeatureUsed")["dc"] == 8 + 4 + 1


def test_a_group_makes_one_check(done):
    checked = only(done("dice 9", "group check hounds str against 12"), "GroupChecked")
    assert (checked["who"], checked["numbers"]) == (["hounds-1", "hounds-2"], 1)


def test_a_relation_says_several_things_at_once(done):
    events = done("relate mira raiders-1 distance 10 height 5 cover half unseen flanks reached")
    said = {one["fact"]: one["value"] for one in events if one["event"] == "RelationSet"}
    assert said == {
        "distance": "10", "height": "5", "cover": "half", "seen": "no", "flanked": "yes", "reached": "yes",
    }  # fmt: skip
    forgotten = done("relate mira raiders-1 sees", "relate mira raiders-1 forget")
    assert [one["fact"] for one in forgotten if one["event"] == "RelationSet"] == ["seen", "forgotten"]


def test_figures_and_what_goes_on_hurting_are_said(done):
    events = done(
        "stat raiders-1 maneuver-dc 13",
        'ongoing mira 2 fire until "it is doused" from "Oil"',
        "dice 1",
        "end turn",
        "choose suffered",
    )
    supplied = only(events, "StatSet")
    assert (supplied["stat"], supplied["value"]) == ("maneuver-dc", 13)
    assert only(events, "DamageTaken")["taken"] == 2


def test_concentration_begins_and_hours_go_by(done):
    events = done('concentrate mira "a wall"', "hours 2")
    assert only(events, "EffectGained")["name"] == "concentrating"
    assert only(events, "TimePassed")["hours"] == 2


def test_a_condition_stays_for_rounds_and_its_note_is_set(done):
    events = done(
        "condition mira prone for 2 by raiders-1", "effect note prone on mira in the slush", "show mira conditions"
    )
    assert events[0]["conditions"] == ["prone for 2 rounds"]


def test_checks_have_a_difficulty_and_the_dead_come_back_with_hit_points(done):
    events = done(
        "dice 11", "checks con mira against 12", "kill mira", "revive mira with 5 from ritual", "show mira hp"
    )
    assert [one["passed"] for one in events if one.get("purpose") == "ask.check"] == [False]
    assert events[0]["hp"] == 5


def test_damage_says_whose_it_was_and_that_it_was_critical(done):
    hurt = only(done("damage mira 6 fire by raiders-1 critical from Oil"), "DamageTaken")
    assert (hurt["taken"], hurt["source"]) == (6, "Oil")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("feature mira teeth", "unknown feature or spell 'teeth'"),
        ("feature mira breath as magic", "unknown cost 'magic'; expected readied"),
        ("group hug hounds", "expected 'group check' or 'group attack'"),
        ("relate mira raiders-1 cover thick", "unknown degree of cover 'thick'; expected none, half"),
        ("relate mira raiders-1 near", "unexpected 'near'"),
        ("ongoing mira", "ongoing: expected damage, for example `ongoing mira 2d6+3 fire`"),
        ("hours many", "expected a whole number"),
    ],
)
def test_words_that_mean_nothing_are_said(done, line, said):
    assert said in done(line, code=1)


def test_only_a_haven_rests_the_very_weary(play):
    ran = play("start\ntrack mira fatigue 3\nrest long\nrest long haven\n")
    assert [line for line in ran.lines if "Fatigue" in line][-1].strip() == "Mira: Fatigue is now 2"
    assert play("start\nrest long inn\n").code == 1


def test_damage_with_a_save_and_its_condition_is_one_statement(done):
    text = "damage-with-save mira raiders-1 6d6 fire save dex 15 half leaves poisoned for 2 by mira from Flame"
    events = done("dice 2 3 4 4 4 4 4 4", text)
    assert [one["passed"] for one in events if one.get("purpose") == "ask.save"] == [False, False]
    assert {one["target"] for one in events if one["event"] == "EffectGained" and one["name"] == "poisoned"} == {
        "mira",
        "raiders-1",
    }


def test_a_condition_behind_damage_ends_with_the_own_turn_or_by_a_save(done):
    events = done("damage-with-save mira 3 fire leaves poisoned for 1 own turns")
    assert [one["name"] for one in events if one["event"] == "EffectGained"] == ["poisoned"]
    assert done("condition mira poisoned ended by con 13")
    assert done("damage-with-save mira 3 fire leaves poisoned ended by con 13")


def test_saves_are_called_for_and_held_against_a_dc(done):
    events = done("dice 2 19", "saves dex mira raiders-1 against 15")
    assert [one["passed"] for one in events if one.get("purpose") == "ask.save"] == [False, True]
    events = done("dice 2 19", "saves dex mira advantage")
    assert [one["roll"]["natural"] for one in events if one.get("purpose") == "ask.save"] == [19]
