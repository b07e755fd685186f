"""The data of A5E, against numbers written out here by hand from the ledger."""

from __future__ import annotations

from typing import Any

import pytest

from turnwright.dice.distributions import countdown_odds
from turnwright.encounter.prepared import Scene
from turnwright.rules.system_data import SystemData
from turnwright.rules.system_data.known_ids import known_ids
from turnwright.rules.system_data.ledger import LedgerRule
from turnwright.storage.system_data import read_ledger, read_system_data

# dice, rolls by the table (slow, medium, fast), exact means
COUNTDOWNS = (
    (1, (6, 3, 2), (6.000, 3.000, 2.000)),
    (2, (9, 4, 3), (8.727, 4.200, 2.667)),
    (3, (11, 5, 3), (10.555, 5.021, 3.143)),
    (4, (12, 6, 4), (11.927, 5.638, 3.505)),
    (5, (13, 6, 4), (13.024, 6.131, 3.794)),
    (6, (14, 7, 4), (13.938, 6.542, 4.035)),
    (7, (15, 7, 4), (14.721, 6.895, 4.241)),
    (8, (15, 7, 4), (15.407, 7.203, 4.421)),
    (9, (16, 7, 5), (16.016, 7.477, 4.581)),
    (10, (17, 8, 5), (16.565, 7.724, 4.726)),
)


def ruled(rule: str, *values: Any) -> Any:
    return pytest.param(*values, marks=pytest.mark.rule(rule), id=rule)


@pytest.fixture(scope="module")
def catalogue() -> SystemData:
    return read_system_data("a5e")


@pytest.fixture(scope="module")
def ledger() -> dict[str, LedgerRule]:
    return {rule.id: rule for rule in read_ledger("a5e")}


# Set-up -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ability", "skill", "word"),
    [
        ruled("a5e.initiative.type.perception", "wis", "perception", "hidden threat"),
        ruled("a5e.initiative.type.athletics", "str", "athletics", "landslide"),
        ruled("a5e.initiative.type.deception", "cha", "deception", "sudden act"),
        ruled("a5e.initiative.type.insight", "wis", "insight", "unassuming"),
        ruled("a5e.initiative.type.land-vehicles", "dex", "land-vehicles", "wagon race"),
    ],
)
def test_five_checks_may_stand_for_initiative(catalogue: SystemData, ability: str, skill: str, word: str) -> None:
    assert len(catalogue.initiative_checks) == 5
    row = next(check for check in catalogue.initiative_checks if check.skill == skill)
    assert row.ability == ability
    assert word in row.suits
    assert row.ledger == (f"a5e.initiative.type.{skill}",)
    assert skill in {known.id for known in catalogue.skills}


@pytest.mark.parametrize(
    ("length", "rounds", "elapsed", "usual"),
    [
        ruled("a5e.round.length.combat", "combat", 1, 6, "combat"),
        ruled("a5e.round.length.ten-seconds", "ten-seconds", 6, 60, ""),
        ruled("a5e.round.length.one-minute", "one-minute", 3, 180, ""),
        ruled("a5e.round.length.ten-minutes", "ten-minutes", 6, 3600, ""),
    ],
)
def test_round_lengths_on_offer(catalogue: SystemData, length: str, rounds: int, elapsed: int, usual: str) -> None:
    row = next(each for each in catalogue.round_lengths if each.id == length)
    assert rounds * row.seconds == elapsed
    assert row.default_for == usual
    assert [each.id for each in catalogue.round_lengths if each.default_for == Scene().purpose] == ["combat"]
    assert Scene().round_seconds == 6


@pytest.mark.rule("a5e.damage.types")
def test_thirteen_damage_types_in_alphabetical_order(catalogue: SystemData) -> None:
    assert " ".join(damage.id for damage in catalogue.damage_types) == (
        "acid bludgeoning cold fire force lightning necrotic piercing poison psychic radiant slashing thunder"
    )


@pytest.mark.rule("a5e.turn.free-action-examples")
def test_three_free_actions(catalogue: SystemData) -> None:
    free = [action for action in catalogue.actions if action.free]
    assert [action.id for action in free] == ["communicate", "dismiss-thaumaturgy", "interact-object"]
    assert {action.cost for action in free} == {"free"}


# Countdowns ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("dice", "rolls", "means"),
    [ruled(f"a5e.countdown.table.{dice}d6", dice, rolls, means) for dice, rolls, means in COUNTDOWNS],
)
def test_table_of_expected_rolls(
    catalogue: SystemData, dice: int, rolls: tuple[int, ...], means: tuple[float, ...]
) -> None:
    row = next(each for each in catalogue.countdown_table if each.dice == dice)
    assert (row.slow, row.medium, row.fast) == rolls
    faces = dict(catalogue.countdown_faces)
    exact = [countdown_odds(dice, faces[speed]).mean for speed in ("slow", "medium", "fast")]
    assert exact == pytest.approx(means, abs=0.0005)
    assert tuple(round(mean) for mean in exact) == rolls


@pytest.mark.parametrize(
    ("speed", "face", "chance"),
    [
        ruled("a5e.countdown.slow", "slow", 6, 1 / 6),
        ruled("a5e.countdown.medium", "medium", 5, 2 / 6),
        ruled("a5e.countdown.fast", "fast", 4, 3 / 6),
    ],
)
def test_faces_that_remove_a_die(catalogue: SystemData, speed: str, face: int, chance: float) -> None:
    faces = dict(catalogue.countdown_faces)
    assert faces[speed] == face
    assert countdown_odds(1, faces[speed]).pmf[0] == pytest.approx(chance)
    assert len(faces) == 3


# The rest of the catalogue ------------------------------------------------------------------------------------


def test_sizes_have_their_spaces(catalogue: SystemData) -> None:
    assert [(size.id, size.space) for size in catalogue.sizes] == [
        ("tiny", 2.5),
        ("small", 5),
        ("medium", 5),
        ("large", 10),
        ("huge", 15),
        ("gargantuan", 20),
        ("titanic", 25),
    ]


def test_resources_of_a_turn(catalogue: SystemData) -> None:
    assert [(each.id, each.amount, each.refill, each.off_turn) for each in catalogue.resources] == [
        ("action", 1, "turn-start", False),
        ("bonus", 1, "turn-start", False),
        ("reaction", 1, "turn-start", True),
        ("inspiration", 0, "never", False),
        ("free", 0, "turn-start", False),
    ]


@pytest.mark.parametrize(
    ("condition", "effects"),
    [
        ("blinded", {("deny", "sight")}),
        ("invisible", {("deny", "being-seen")}),
        ("grappled", {("modifier", "speed", 0), ("duration", "held")}),
        (
            "restrained",
            {
                ("modifier", "speed", 0),
                ("disadvantage", "attack"),
                ("advantage", "attack-against"),
                ("disadvantage", "save.dex"),
            },
        ),
        ("poisoned", {("disadvantage", "attack"), ("disadvantage", "check")}),
        ("surprised", {("modifier", "speed", 0), ("deny", "action"), ("deny", "bonus"), ("deny", "reaction")}),
        ("incapacitated", {("deny", "action"), ("deny", "bonus"), ("deny", "reaction"), ("deny", "flanking")}),
    ],
)
def test_what_conditions_do(catalogue: SystemData, condition: str, effects: set[tuple[Any, ...]]) -> None:
    row = next(each for each in catalogue.conditions if each.id == condition)
    shipped = {
        (rule.kind, rule.what) if rule.set is None else (rule.kind, rule.what, rule.set)
        for rule in row.rules
        if rule.kind != "note"
    }
    assert shipped == effects
    assert all(rule.when == ("incapacitated" if rule.what == "held" else "") for rule in row.rules)


def test_dash_doubles_speed_for_this_turn(catalogue: SystemData) -> None:
    dash = next(action for action in catalogue.actions if action.id == "dash")
    dashing = next(each for each in catalogue.conditions if each.id == dash.effect)
    assert dash.ends == "turn"
    assert [(rule.kind, rule.set, rule.times) for rule in dashing.rules] == [("modifier", None, 2)]


def test_topics_that_the_ledger_has_a_rule_of_the_name_for_cite_it(
    catalogue: SystemData, ledger: dict[str, LedgerRule]
) -> None:
    wanted = {topic: f"a5e.{topic}" for topic in known_ids(catalogue)["topic"] if f"a5e.{topic}" in ledger}
    assert len(wanted) > 150
    assert wanted.items() <= dict(catalogue.cites).items()
