"""The end of conditions that prose imposes, where it is a save at the end of each turn."""

from __future__ import annotations

import pytest

from tests.for_each import for_each
from turnwright.encounter.prepared import OtherDamage
from turnwright.importers.statblock_text.damage import afflictions_in
from turnwright.importers.statblock_text.feature_text import read_prose


@for_each(
    ("text", "ends"),
    [
        ("or be paralyzed for 1 minute. The target can repeat the saving throw at the end of each of its turns, ending the effect on itself on a success.", "saved"),
        ("or have the Frightened condition. It repeats the save at the end of each of its turns, ending the effect on itself on a success.", "saved"),
        ("or be paralyzed for 1 minute repeating the saving throw at the end of each of its turns ending the effect on a success.", "saved"),
        ("or be frightened for 1 minute. A creature repeats the saving throw at the end of its turns, ending the effect on itself.", "saved"),
        ("or have the Frightened condition. At the end of each of its turns, the target repeats the save, ending the effect on itself.", "saved"),
        ("or become paralyzed. It can attempt a new save at the end of each of its turns.", "saved"),
        ("or be frightened for 1 minute. The target can repeat the saving throw at the end of each of its turns, with disadvantage if the imp is in sight, ending the effect on itself on a success.", "saved"),
        ("or be poisoned for 1 minute. It repeats the saving throw at the end of each of its turns taking 11 (2d10) poison damage on a failure and ending the effect on a success.", "saved"),
        ("or be poisoned for 1 minute.", "never"),
        ("or be knocked prone. It can repeat the saving throw at the end of each of its turns, ending the effect on a success.", "never"),
    ],
)  # fmt: skip
def test_a_save_at_the_end_of_each_turn_ends_what_failing_imposed(text: str, ends: str) -> None:
    said = f"The target must succeed on a DC 12 Constitution saving throw {text}"
    save = said.index("DC"), said.index("throw") + 5
    assert [one.ends for one in afflictions_in(said, 0, save, hit=False).afflictions] == [ends]


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ("the target is poisoned until the end of the devils next turn.", "owner-end"),
        ("the target has the Poisoned condition until the start of the bearded devil's next turn.", "owner-start"),
        ("the target is stunned until the end of the adult dragon\u2019s next turn.", "owner-end"),
        ("the target is stunned until the end of the target's next turn.", "turn-end"),
        ("the target is stunned until the end of its next turn.", "turn-end"),
        ("the target is stunned until the end of the affected creature's next turn.", "never"),
        ("the target is stunned until the end of the day.", "never"),
    ],
)
def test_the_end_is_at_the_turn_that_is_named(text: str, ends: str) -> None:
    said = f"Hit: 5 piercing damage, and {text}"
    assert [one.ends for one in afflictions_in(said, 0, None, hit=True).afflictions] == [ends]


@pytest.mark.parametrize(
    ("text", "value_of", "ends"),
    [
        ("The target must succeed on a DC 14 Constitution saving throw or its hit point maximum is reduced by an amount equal to the damage taken. This reduction lasts until the target finishes a long rest. The target dies if this effect reduces its hit point maximum to 0.", "damage", "long-rest"),
        ("The target must succeed on a DC 15 Constitution saving throw or have its hit point maximum is reduced by an amount equal to the damage taken. The reduction lasts until removed by the greater restoration spell or other magic.", "damage", "never"),
        ("The target's hit point maximum is reduced by an amount equal to the necrotic damage taken, and the vampire regains hit points equal to that amount. The reduction lasts until the target finishes a long rest.", "necrotic", "long-rest"),
        ("If the target is a creature, its Hit Point maximum decreases by an amount equal to the Necrotic damage taken.", "necrotic", "long-rest"),
    ],
)  # fmt: skip
def test_drained_life_is_the_damage_taken(text: str, value_of: str, ends: str) -> None:
    said = f"Hit: 21 (4d8 + 3) necrotic damage. {text}"
    save = (said.index("DC"), said.index("throw") + 5) if "DC" in said else None
    (imposed,) = afflictions_in(said, 0, save, hit=True).afflictions
    assert (imposed.condition, imposed.value_of, imposed.ends) == ("life-drained", value_of, ends)


def test_drained_life_on_a_condition_is_kept_as_text() -> None:
    said = "Hit: 5 damage. If the target is asleep, its hit point maximum is reduced by the damage taken."
    found = afflictions_in(said, 0, None, hit=True)
    assert (found.afflictions, len(found.unread)) == ((), 1)


@pytest.mark.parametrize(
    ("text", "condition", "fields"),
    [
        (
            "The target must succeed on a DC 11 Constitution saving throw or become poisoned for 1 hour. If the saving throw fails by 5 or more, the target falls unconscious for the same duration, or until it takes damage or another creature uses an action to shake it awake.",
            "unconscious",
            {"wakes": "action", "ends": "hurt"},
        ),
        (
            "Each creature in the area makes a DC 18 Constitution saving throw. On a failure, a creature falls unconscious for 10 minutes or until it takes damage or someone uses an action to wake it.",
            "unconscious",
            {"wakes": "action", "ends": "hurt", "lasts": "10 minutes"},
        ),
        (
            "Strength Saving Throw: DC 18, one Large or smaller creature the behir can see within 5 feet. Failure: 28 (5d8 + 6) Bludgeoning damage. The target has the Grappled condition (escape DC 16), and it has the Restrained condition until the grapple ends.",
            "grappled",
            {"escape_dc": 16, "when": "up-to:large"},
        ),
        (
            "Strength Saving Throw: DC 18, one Large or smaller creature the behir can see within 5 feet. Failure: 28 (5d8 + 6) Bludgeoning damage. The target has the Grappled condition (escape DC 16), and it has the Restrained condition until the grapple ends.",
            "restrained",
            {"bound_to": "grappled"},
        ),
        (
            "Strength Saving Throw: DC 15, one creature within 5 feet that the gladiator can see. Failure: 9 (2d4 + 4) Bludgeoning damage. If the target is a Medium or smaller creature, it has the Prone condition.",
            "prone",
            {"when": "up-to:medium"},
        ),
        (
            "Melee Weapon Attack: +7 to hit, reach 5 ft., one Large or smaller creature. Hit: 17 (2d12 + 4) bludgeoning damage and the target is grappled (escape DC 15).",
            "grappled",
            {"escape_dc": 15, "when": "up-to:large"},
        ),
    ],
)  # fmt: skip
def test_further_ends_and_limits_are_read(text: str, condition: str, fields: dict[str, object]) -> None:
    (imposed,) = (one for one in read_prose(text).numbers["afflictions"] if one.condition == condition)
    assert {name: getattr(imposed, name) for name in fields} == fields


@pytest.mark.parametrize(
    "text",
    [
        "Strength Saving Throw: DC 15, one creature. Failure: 9 (2d4 + 4) damage. Success: Half damage. The target has the Prone condition.",
        "Constitution Saving Throw: DC 13, each creature in a Cone. First Failure: 3 (1d6) damage. The target has the Incapacitated condition.",
    ],
)  # fmt: skip
def test_what_follows_another_result_is_not_that_of_a_failure(text: str) -> None:
    assert "afflictions" not in read_prose(text).numbers


@pytest.mark.parametrize(
    ("text", "when", "acid"),
    [
        (
            "The toad makes one bite attack against a Medium or smaller target it is grappling. If the attack hits, the target is swallowed, and the grapple ends. The swallowed target is blinded and restrained, it has total cover against attacks and other effects outside the toad, and it takes 10 (3d6) acid damage at the start of each of the toad's turns.",
            "up-to:medium, grappled",
            "3d6 acid",
        ),
        (
            "Strength Saving Throw: DC 19, one Large or smaller creature Grappled by the worm. Failure: The target is swallowed by the worm, and the Grappled condition ends. A swallowed creature has the Blinded and Restrained conditions, has Total Cover against attacks, and takes 17 (5d6) Acid damage at the start of each of the worm's turns.",
            "up-to:large, grappled",
            "5d6 acid",
        ),
    ],
)  # fmt: skip
def test_the_swallowed_take_damage_each_turn(text: str, when: str, acid: str) -> None:
    numbers = read_prose(text).numbers
    assert (numbers["ongoing"], numbers["ongoing_at"], numbers["ongoing_while"]) == (acid, "owner-start", "blinded")
    found = [(one.condition, one.ends, one.when) for one in numbers["afflictions"]]
    assert found == [("blinded", "owner-gone", when), ("restrained", "owner-gone", when), ("swallowed", "never", "")]


@pytest.mark.parametrize(
    ("text", "ongoing", "at", "holder"),
    [
        ("Each creature in the area must succeed on a DC 14 Constitution saving throw or become poisoned. While poisoned in this way, a target takes 5 (1d10) poison damage at the start of each of its turns.", "1d10 poison", "turn-start", "poisoned"),
        ("Each creature in the area makes a DC 14 Constitution saving throw, becoming poisoned for 1 minute on a failure. While poisoned in this way, the target takes ongoing 5 (1d10) poison damage.", "1d10 poison", "", "poisoned"),
        ("Melee Weapon Attack: +8 to hit, reach 5 ft., one target. Hit: The target is grappled (escape DC 14). Until this grapple ends, the target is restrained and takes 7 (2d6) piercing damage plus 3 (1d6) fire damage at the start of each of the fiend's turns.", "2d6 piercing + 1d6 fire", "owner-start", "grappled"),
        ("Melee Weapon Attack: +5 to hit, reach 5 ft., one creature. Hit: The creature is grappled (escape DC 13). In addition, at the start of each of the target's turns, the target takes 10 (2d6 + 3) bludgeoning damage.", "2d6+3 bludgeoning", "turn-start", "grappled"),
    ],
)  # fmt: skip
def test_damage_each_turn_lasts_as_long_as_the_condition(text: str, ongoing: str, at: str, holder: str) -> None:
    numbers = read_prose(text).numbers
    assert (numbers["ongoing"], numbers.get("ongoing_at", ""), numbers["ongoing_while"]) == (ongoing, at, holder)


@pytest.mark.parametrize(
    "text",
    [
        "Each creature must succeed on a DC 14 Constitution saving throw or become poisoned. While frightened, a target takes 5 (1d10) poison damage at the start of each of its turns.",
        "Each creature must succeed on a DC 14 Constitution saving throw or become poisoned. While poisoned, a target takes 5 (1d10) poison damage when it moves.",
    ],
)  # fmt: skip
def test_damage_under_another_condition_or_at_another_time_is_none_of_each_turn(text: str) -> None:
    assert "ongoing" not in read_prose(text).numbers


@pytest.mark.parametrize(
    ("text", "damage", "prone"),
    [
        ("Melee Attack Roll: +5, reach 5 ft. 10 (2d6 + 3) Piercing damage. If the target is a Large or smaller creature and the boar moved 20+ feet straight toward it immediately before the hit, the target takes an extra 7 (2d6) Piercing damage and has the Prone condition.", "2d6+3 piercing + 2d6 piercing", "up-to:large, other.moved-straight:20"),
        ("Melee Weapon Attack: +5 to hit, reach 5 ft., one target. Hit: 10 (2d6+3) slashing damage. If the boar moves at least 20 feet straight towards the target before the attack, the attack deals an extra 7 (2d6) damage and the target makes a DC 13 Strength saving throw, falling prone on a failure.", "2d6+3 slashing + 2d6 slashing", "other.moved-straight:20"),
        ("Melee Weapon Attack: +5 to hit, reach 5 ft., one target. Hit: 7 (1d8+3) slashing damage. If the lion moves at least 20 feet straight towards the target before the attack, the target makes a DC 13 Strength saving throw, falling prone on a failure.", "", "other.moved-straight:20"),
        ("Melee Attack Roll: +2, reach 5 ft. 1 Bludgeoning damage, or 2 (1d4) Bludgeoning damage if the goat moved 20+ feet straight toward the target immediately before the hit.", "1d4 bludgeoning", ""),
    ],
)  # fmt: skip
def test_a_straight_run_adds_damage_and_a_fall(text: str, damage: str, prone: str) -> None:
    numbers = read_prose(text).numbers
    others = [(one.damage, one.when) for one in numbers.get("other_damage", ())]
    size = "target.up-to:large, " if prone.startswith("up-to") else ""
    assert others == ([(damage, f"{size}moved-straight:20")] if damage else [])
    assert [one.when for one in numbers.get("afflictions", ())] == ([prone] if prone else [])


@pytest.mark.parametrize(
    ("clause", "when"), [("while enlarged", "not up-to:medium"), ("in Small or Medium form", "up-to:medium")]
)
def test_the_size_of_its_owner_decides_between_two_amounts_of_damage(clause: str, when: str) -> None:
    text = f"Melee Weapon Attack: +4 to hit, reach 5 ft., one target. Hit: 6 (1d8 + 2) piercing damage, or 11 (2d8 + 2) piercing damage {clause}."
    assert [(one.damage, one.when) for one in read_prose(text).numbers["other_damage"]] == [("2d8+2 piercing", when)]


def test_a_part_under_a_condition_is_other_damage() -> None:
    text = "Melee Attack Roll: +4, reach 5 ft. 5 (1d6 + 2) Slashing damage, plus 2 (1d4) Slashing damage if the attack roll had Advantage."
    numbers = read_prose(text).numbers
    other = OtherDamage("if the attack roll had Advantage", "1d6+2 slashing + 1d4 slashing", "rolls-with:advantage")
    assert (numbers["damage"], numbers["other_damage"]) == ("1d6+2 slashing", (other,))


@pytest.mark.parametrize(
    ("text", "stages", "at_once"),
    [
        (
            "The target must succeed on a DC 11 Constitution saving throw against being magically petrified. On a failed save, the creature begins to turn to stone and is restrained. It must repeat the saving throw at the end of its next turn. On a success, the effect ends. On a failure, the creature is petrified for 24 hours.",
            [("restrained", "saved", ""), ("petrified", "never", "24 hours")],
            [],
        ),
        (
            "Constitution Saving Throw: DC 12, each creature in a 30-foot Cone. First Failure: The target has the Restrained condition and repeats the save at the end of its next turn if it is still Restrained, ending the effect on itself on a success. Second Failure: The target has the Petrified condition instead of the Restrained condition.",
            [("restrained", "saved", ""), ("petrified", "never", "")],
            [],
        ),
        (
            "Constitution Saving Throw: DC 14, each creature in a 30-foot Cone. Failure: The target has the Incapacitated condition until the end of its next turn, at which point it repeats the save. Second Failure The target has the Unconscious condition for 1 minute.",
            [("incapacitated", "saved", ""), ("unconscious", "never", "1 minute")],
            [],
        ),
        (
            "Constitution Saving Throw: DC 20. First Failure The target has the Incapacitated condition until the end of its next turn, when it repeats the save. Second Failure The target has the Paralyzed condition, and it repeats the save at the end of each of its turns, ending the effect on itself on a success. After 1 minute, it succeeds automatically.",
            [("incapacitated", "saved", ""), ("paralyzed", "saved", "1 minute")],
            [],
        ),
        (
            "The medusa can force it to make a DC 14 Constitution saving throw. If the saving throw fails by 5 or more, the creature is instantly petrified. Otherwise, a creature that fails the save begins to turn to stone and is restrained. The restrained creature must repeat the saving throw at the end of its next turn, becoming petrified on a failure or ending the effect on a success.",
            [("restrained", "saved", ""), ("petrified", "never", "")],
            ["petrified"],
        ),
    ],
)  # fmt: skip
def test_a_second_failure_is_the_last_stage(text: str, stages: list[tuple[str, str, str]], at_once: list[str]) -> None:
    numbers = read_prose(text).numbers
    imposed = [(stage.final, stage.afflictions[0]) for stage in numbers["stages"]]
    assert [(one.condition, one.ends, one.lasts) for _, one in imposed] == stages
    assert [final for final, _ in imposed] == [False, True]
    assert [one.condition for one in numbers["afflictions"] if one.margin == 5] == at_once
