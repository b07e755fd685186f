"""The experience of a fight, against encounters worked out by hand: 12 for each game that has experience."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tests.for_each import for_each
from tests.table import a5e, action_points, creature, dnd5e, pf2e
from turnwright.encounter.prepared import Creature, CreaturePhase, Environment, RosterEntry, Wave
from turnwright.encounter.running import ArrivedWave, Combatant
from turnwright.encounter.state import Encounter
from turnwright.rules.parts.preparation.experience import (
    ExperienceLine,
    fight_experience,
    prepared_experience,
    shares,
)

ELITE = {"tags": ("elite",)}
HAZARD = {"type": "hazard"}
COMPLEX = {"type": "hazard", "tags": ("complex",)}
ANEW = {"phases": (CreaturePhase("second", at=0),)}


def foe(rating: str, **fields: object) -> Creature:
    return creature("foe", rating=rating, **fields)


# levels of the party, (stat block, how many down, adjustment), XP of each character, points left over
BY_GAME = {
    dnd5e: [
        ((1, 1, 1, 1), [("1/4", 4, {})], 50, 0),  # 200 / 4
        ((1, 1, 1), [("1/4", 4, {})], 66, 2),  # 200 / 3
        ((2, 2, 2, 2), [("1/2", 3, {}), ("1", 1, {})], 125, 0),  # 300 + 200
        ((5, 5, 5, 5), [("2", 3, {})], 337, 2),  # 1,350 / 4
        ((5, 5, 5, 5, 5), [("5", 1, {})], 360, 0),
        ((8, 8), [("0", 7, {})], 35, 0),
        ((3, 3, 3), [("1/8", 10, {})], 83, 1),  # 250 / 3
        ((4, 5, 6, 7), [("1", 2, {"xp": 300})], 150, 0),  # the stat block's own XP
        ((10, 10, 10, 10), [("10", 1, {}), ("1/4", 8, {})], 1575, 0),  # 5,900 + 400
        ((17, 17, 17, 17), [("20", 1, ANEW)], 12500, 0),  # regains its hit points once: twice 25,000
        ((20,), [("30", 1, {})], 155000, 0),
        ((6, 6, 6, 6, 6, 6), [("3", 2, {}), ("1/2", 5, {})], 316, 4),  # 1,900 / 6
    ],
    a5e: [
        ((1, 1, 1, 1), [("1/4", 4, {})], 50, 0),  # by the rating, although the budget counts it a step higher
        ((1, 1, 1), [("1/4", 4, {})], 66, 2),
        ((2, 2, 2, 2), [("1/2", 3, {}), ("1", 1, {})], 125, 0),
        ((5, 5, 5, 5), [("2", 3, {})], 337, 2),
        ((5, 5, 5, 5), [("5", 1, ELITE)], 900, 0),  # an elite counts twice: 3,600
        ((5, 5, 5, 5), [("5", 1, {"xp": 3600, **ELITE})], 1800, 0),
        ((3, 3, 3), [("1/8", 10, {})], 83, 1),
        ((4, 5, 6, 7), [("1", 2, {"xp": 300})], 150, 0),
        ((10, 10, 10, 10), [("10", 1, {}), ("1/4", 8, {})], 1575, 0),
        ((17, 17, 17, 17), [("20", 1, ANEW)], 12500, 0),
        ((20,), [("30", 1, {})], 155000, 0),
        ((6, 6, 6, 6, 6, 6), [("3", 2, {}), ("1/2", 5, {})], 316, 4),
    ],
    pf2e: [
        ((1, 1, 1, 1), [("1", 2, {})], 80, 0),  # two of the party's level: to each of them
        ((1, 1, 1, 1, 1, 1), [("1", 2, {})], 80, 0),  # whatever the party's size
        ((3, 3), [("1", 1, {})], 20, 0),
        ((3, 3, 3, 3), [("-1", 4, {})], 40, 0),
        ((3, 3, 3, 3), [("-2", 4, {})], 0, 0),  # outside the table
        ((5, 5, 5, 5), [("7", 1, {}), ("3", 2, {})], 120, 0),  # 80 + 2 × 20
        ((5, 5, 5, 5), [("9", 1, {})], 160, 0),
        ((5, 5, 5, 5), [("5", 1, {"elite": True})], 60, 0),
        ((5, 5, 5, 5), [("5", 1, {"weak": True})], 30, 0),
        ((4, 4, 4, 4), [("4", 1, HAZARD)], 8, 0),  # a simple hazard: a fifth of 40
        ((4, 4, 4, 4), [("6", 1, COMPLEX)], 80, 0),
        ((2, 3, 3, 4), [("2", 3, {}), ("4", 1, {})], 150, 0),  # the average is level 3
    ],
}
CASES = [(game, *case) for game, cases in BY_GAME.items() for case in cases]


def test_there_are_twelve_for_each_game() -> None:
    assert [len(cases) for cases in BY_GAME.values()] == [12, 12, 12]


def encounter(levels: tuple[int, ...], foes: list[tuple[str, int, dict[str, object]]], *, fought: bool) -> Encounter:
    """An encounter with a party and enemies, all of them down if it was fought."""
    records: list = [creature("hero")]
    records += [RosterEntry(f"p{n}", "hero", side="party", player="Kim", level=one) for n, one in enumerate(levels)]
    for number, (rating, count, fields) in enumerate(foes):
        own = dict(fields)
        adjustment = next((name for name in ("elite", "weak") if own.pop(name, False)), "")
        block = creature(f"foe-{number}", rating=rating, **own)
        records += [block, RosterEntry(block.id, block.id, count=count, adjustment=adjustment)]
        if fought:
            ids = [f"{block.id}-{n}" for n in range(count)]
            records += [Combatant(id, block.id, id, "enemies", roster=block.id, hp=0, hp_max=7) for id in ids]
    return Encounter(records)


@pytest.mark.rule("pf2e.encounter.xp")
@for_each(("game", "levels", "foes", "each", "rest"), CASES)
def test_each_character_gets_as_much_as_by_hand(game, levels, foes, each, rest) -> None:
    rules = game()
    fought = encounter(levels, foes, fought=True)
    total = sum((line.worth for line in fight_experience(fought, rules) if line.counts), Fraction(0))
    assert shares(rules, total, len(levels)) == (each, rest)
    prepared, share = prepared_experience(encounter(levels, foes, fought=False), rules)
    assert (prepared, int(share)) == (total, each)  # page and paper say the same


def lines(*records: object) -> list[tuple[str, int, str, bool]]:
    party = [creature("hero"), RosterEntry("hero", "hero", side="party", player="Kim", level=3)]
    found: tuple[ExperienceLine, ...] = fight_experience(Encounter([*party, *records]), dnd5e())
    return [(line.name, line.count, line.fate, line.counts) for line in found]


def test_the_fallen_and_those_who_left_count_and_those_who_stand_do_not() -> None:
    down, up = (Combatant(id, "foe", id, "enemies", roster="foes", hp=hp, hp_max=7) for id, hp in (("a", 0), ("b", 3)))
    assert lines(foe("1"), RosterEntry("foes", "foe", count=4), down, up) == [
        ("a", 1, "down", True),
        ("Foe", 2, "left", True),
        ("b", 1, "standing", False),
    ]


def test_a_wave_that_never_came_does_not_count() -> None:
    late = (foe("1"), RosterEntry("foes", "foe", count=2, wave="late"), Wave("late", "Late"))
    assert lines(*late) == [("Foe", 2, "waiting", False)]
    assert lines(*late, ArrivedWave("late", 2)) == [("Foe", 2, "left", True)]


def test_late_enemies_count_and_what_they_summoned_does_not() -> None:
    joined = Combatant("x", "foe", "Late one", "enemies", hp=0, hp_max=7)
    summoned = Combatant("y", "foe", "Hound", "enemies", hp=0, hp_max=7, controller="x")
    assert lines(foe("1"), joined, summoned) == [("Late one", 1, "down", True)]


def test_a_rated_place_counts() -> None:
    party = [creature("hero"), RosterEntry("hero", "hero", side="party", player="Kim", level=3)]
    place = Environment("pit", "Pit", rating="3")
    found = fight_experience(Encounter([*party, place]), pf2e())
    assert [(line.name, line.worth, line.fate) for line in found] == [("Pit", 8, "place")]


def test_a_game_without_experience_has_no_lines() -> None:
    fought = encounter((3, 3), [("1", 2, {})], fought=True)
    assert (fight_experience(fought, action_points()), prepared_experience(fought, action_points())) == ((), (0, 0))


def test_the_experience_of_levels_is_that_of_each_game() -> None:
    shared = a5e().data.awards.levels
    assert shared == dnd5e().data.awards.levels
    assert (len(shared), shared[:4], shared[9], shared[-1]) == (19, (300, 900, 2700, 6500), 85000, 355000)
    assert (pf2e().data.awards.every, pf2e().data.awards.levels, action_points().data.awards.every) == (1000, (), 0)
