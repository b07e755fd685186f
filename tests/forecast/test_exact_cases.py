"""The loop against chances that can be worked out: one part of a fight at a time, each with its own seed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache
from itertools import product
from math import prod

import numpy as np
import pytest

from tests.forecast.hand_made import SIDES, Fighter, alias_of, sheet_of
from turnwright.bootstrap import RuleSystems
from turnwright.encounter.state import scene_of
from turnwright.forecast import sheet as columns
from turnwright.forecast.compiled import fight_loop
from turnwright.forecast.estimate import packed_sheet
from turnwright.forecast.layout import LEFT_BINS, LOST, UNDECIDED, WON, FightResult
from turnwright.forecast.sheet import MOST_ROUNDS, Policy, Sheet
from turnwright.forecast.sheet_builder import build_sheet
from turnwright.forecast.tables import alias_columns
from turnwright.storage.encounters import read_encounter
from turnwright.storage.resources import sample_encounters
from turnwright.workspace.fight_forecast import begun_copy
from turnwright.workspace.kernel_library import await_kernels

FIRST, LAST = 60, -60  # initiative
IDLE = {columns.FighterRow.first_action: 0, columns.FighterRow.last_action: 0}
MISSES = -columns.MARGIN
PARRY = [columns.FighterRow.parry, columns.FighterRow.reactions, columns.FighterRow.parry_price]
COUNTS = [100_000, pytest.param(1_000_000, marks=pytest.mark.soak)]
at_each_count = pytest.mark.parametrize("count", COUNTS)


@pytest.fixture(scope="module", autouse=True)
def loop() -> None:
    assert await_kernels()


def idle(side: int, hp: int = 10, initiative: int = LAST, **more: int) -> Fighter:
    """One who does nothing."""
    return Fighter(
        side, hp, initiative=initiative, more={**IDLE, **{getattr(columns.FighterRow, k): v for k, v in more.items()}}
    )


def play(
    sheet: Sheet, seed: int, count: int, policies: tuple[Policy, ...] = ()
) -> tuple[np.ndarray, np.ndarray, Mapping[str, slice]]:
    packed = packed_sheet(sheet, policies)
    fights, sums = fight_loop().play(packed, seed, 0, count)
    return fights, sums, packed.sums


def is_chance(happened: np.ndarray, chance: float) -> None:
    """Hold how often something happened to its chance: within three standard errors, or exactly where it is certain."""
    count, found = len(happened), int(np.count_nonzero(happened))
    assert abs(found - count * chance) <= 3 * (count * chance * (1 - chance)) ** 0.5 + 1e-6


def won_in(fights: np.ndarray, number: int) -> np.ndarray:
    return (fights[:, FightResult.outcome] == WON) & (fights[:, FightResult.rounds] == number)


def hit_chance(margin: int) -> float:
    return sum(face == 20 or (face > 1 and face + margin >= 0) for face in range(1, SIDES + 1)) / SIDES


def at_least(dice: tuple[int, ...], least: Callable[[int], bool]) -> float:
    """The chance that the total of dice is as wanted."""
    totals = [sum(faces) for faces in product(*(range(1, sides + 1) for sides in dice))]
    return sum(map(least, totals)) / len(totals)


def struck_by(one: Fighter, hp: int, kind: int = columns.ATTACK) -> Sheet:
    """The sheet of one who acts first against an idle enemy with so many hit points."""
    sheet = sheet_of((replace(one, initiative=FIRST), idle(1, hp)))
    sheet.sources[0, columns.Source.kind] = kind
    return sheet


@at_each_count
@pytest.mark.parametrize(("strikes", "seed"), [(1, 101), (2, 102), (3, 103)])
def test_further_strikes_of_a_turn_have_their_penalty(strikes, seed, count):
    sheet = replace(struck_by(Fighter(0, 10, -8, (), 1, strikes=strikes), 1), tallies=np.array([[0, -5, -10]] * 2))
    sheet.sources[0, columns.Source.tally] = 1
    chance = 1 - prod(1 - hit_chance(-8 - 5 * number) for number in range(strikes))
    fights, _, _ = play(sheet, seed, count)
    is_chance(won_in(fights, 1), chance)
    is_chance(won_in(fights, 2), (1 - chance) * chance)  # the next turn counts anew


@at_each_count
def test_a_critical_hit_deals_its_own_dice(count):
    fights, _, _ = play(struck_by(Fighter(0, 10, -5, (6,)), 6), 111, count)
    is_chance(won_in(fights, 1), 15 / 20 * 1 / 6 + at_least((6, 6), lambda total: total >= 6) / 20)


@at_each_count
def test_a_critical_hit_deals_normal_damage_to_those_it_does_not_harm_more(count):
    sheet = struck_by(Fighter(0, 10, -5, (6,)), 6)
    sheet.combatants[1, columns.FighterRow.uncritical] = 1
    fights, _, _ = play(sheet, 112, count)
    is_chance(won_in(fights, 1), 16 / 20 * 1 / 6)


@at_each_count
def test_several_further_dice_have_the_chances_of_their_sums(count):
    """A sum of 1d4-1d4, from -3 to 3, on an attack that hits with 13 or higher."""
    sheet = struck_by(Fighter(0, 10, -13, (), 1), 1)
    sums = [first - second for first, second in product(range(1, 5), repeat=2)]
    shares = [sums.count(number) / len(sums) for number in range(-3, 4)]
    sheet = replace(
        sheet,
        parts=np.array([*sheet.parts.tolist(), [len(sheet.alias), 7, -3, -1, 2]], np.int32),
        alias=np.array([*sheet.alias.tolist(), *alias_columns(tuple(shares))], np.int64),
    )
    sheet.cells[0, :, columns.Cell.die] = columns.SEVERAL + len(sheet.parts) - 1
    fights, _, _ = play(sheet, 113, count)
    is_chance(won_in(fights, 1), sum(map(hit_chance, (-13 + number for number in sums))) / len(sums))


@at_each_count
@pytest.mark.parametrize(("halves_up", "seed"), [(0, 121), (1, 122)])
def test_a_save_halves_damage_each_game_rounding_its_own_way(halves_up, seed, count):
    sheet = replace(struck_by(Fighter(0, 10, -12, (6, 6)), 4, columns.SAVE), halves_up=halves_up)
    saves = 9 / 20  # 12 and higher
    chance = (1 - saves) * at_least((6, 6), lambda total: total >= 4)
    chance += saves * at_least((6, 6), lambda total: (total + halves_up) // 2 >= 4)
    fights, _, _ = play(sheet, seed, count)
    is_chance(won_in(fights, 1), chance)


@at_each_count
@pytest.mark.parametrize(("least", "seed"), [(0, 127), (1, 128)])
def test_half_of_1_is_1_in_games_with_a_least_damage(least, seed, count):
    sheet = replace(struck_by(Fighter(0, 10, -12, (), 1), 1, columns.SAVE), least_damage=least)
    fights, _, _ = play(sheet, seed, count)
    is_chance(won_in(fights, 1), 1 if least else 11 / 20)


@at_each_count
def test_a_save_that_spares_leaves_no_damage(count):
    sheet = replace(
        struck_by(Fighter(0, 10, -15, (), 5), 5, columns.SAVE), shares=np.array([[[2, 2, 0, 0]] * 2] * 2, np.int8)
    )
    fights, _, _ = play(sheet, 126, count)
    is_chance(won_in(fights, 1), 14 / 20)


@at_each_count
def test_what_recharges_comes_back_with_its_face(count):
    sheet = struck_by(Fighter(0, 10, 0, (), 1), 2, columns.SURE)
    sheet.actions[0, [columns.Action.supply, columns.Action.takes]] = 0, 1
    supply = np.zeros((1, columns.Supply.width), np.int32)
    supply[0, [columns.Supply.left, columns.Supply.most, columns.Supply.recharge]] = 1, 1, 5
    fights, _, _ = play(replace(sheet, supplies=supply), 131, count)
    for later in (1, 2, 5):
        is_chance(won_in(fights, 1 + later), (2 / 3) ** (later - 1) / 3)


@at_each_count
def test_what_rests_comes_back_after_as_many_rounds_as_a_die_shows(count):
    sheet = struck_by(Fighter(0, 10, 0, (), 1), 2, columns.SURE)
    sheet.actions[0, [columns.Action.supply, columns.Action.takes]] = 0, 1
    supply = np.zeros((1, columns.Supply.width), np.int32)
    supply[0, [columns.Supply.left, columns.Supply.most, columns.Supply.recharge]] = 1, 1, -4
    fights, _, _ = play(replace(sheet, supplies=supply), 133, count)
    for rounds in (1, 2, 3, 4):
        is_chance(won_in(fights, 1 + rounds), 1 / 4)


@at_each_count
def test_uses_run_out(count):
    sheet = struck_by(Fighter(0, 10, 0, (), 1), 4, columns.SURE)
    sheet.actions[0, [columns.Action.supply, columns.Action.takes]] = 0, 2
    supply = np.zeros((1, columns.Supply.width), np.int32)
    supply[0, [columns.Supply.left, columns.Supply.most]] = 7, 7
    assert not np.any(play(replace(sheet, supplies=supply), 132, count // 100)[0][:, FightResult.outcome])
    supply[0, columns.Supply.left] = 8
    assert np.all(won_in(play(replace(sheet, supplies=supply), 132, count // 100)[0], 4))


@at_each_count
@pytest.mark.parametrize(("change", "seed"), [("half", 141), ("weak", 142), ("immune", 143), ("absorbs", 144)])
def test_damage_arrives_as_its_type_does(change, seed, count):
    """Two types: 1d10 that arrives whole, and 2d6 that arrives changed."""
    changed = {"half": lambda n: n // 2, "weak": lambda n: 2 * n, "immune": lambda n: 0, "absorbs": lambda n: -n}
    sheet = struck_by(Fighter(0, 10, 0, (10,)), 9, columns.SURE)
    table, alias = alias_of((6, 6)), sheet.alias.tolist()
    part = [len(alias), len(table), 2, 1, 2]
    amounts = range(columns.MOST_AMOUNT + 1)
    sheet = replace(
        sheet,
        parts=np.array([*sheet.parts[:1].tolist(), part, *sheet.parts[2:].tolist()], np.int32),
        alias=np.array(alias + table, np.int64),
        taken_rows=np.array([[[-1, -1], [-1, 0]]], np.int32),
        taken=np.array([[changed[change](amount) for amount in amounts]], np.int16),
    )
    sheet.sources[0, columns.Source.part_count] = 2
    faces = product(range(1, 11), range(1, 7), range(1, 7))
    net = [one + changed[change](two + three) for one, two, three in faces]
    fights, _, _ = play(sheet, seed, count)
    is_chance(won_in(fights, 1), sum(amount >= 9 for amount in net) / len(net))


def known_states(system: str) -> tuple[Sheet, int]:
    """The sheet of a sample encounter of a game, and the index of one of its characters."""
    systems = RuleSystems()
    for file in sample_encounters():
        encounter = read_encounter(file, systems.ids).encounter
        if encounter is not None and scene_of(encounter).system == system:
            copy = begun_copy(encounter, systems.get(system))
            sheet, _ = build_sheet(copy.encounter, systems.get(system), copy.waiting)
            party = np.flatnonzero(sheet.combatants[:, columns.FighterRow.party])
            if len(party):
                return sheet, int(party[0])
    raise AssertionError(system)


states_of = lru_cache(known_states)


def lying(states: Sheet, drop: int) -> Sheet:
    """One who is down by the tables of a game, a friend and an enemy who do nothing."""
    state = int(states.drops[drop, 0])
    sheet = sheet_of((idle(0, 10, state=state, drop=drop), idle(0), idle(1)))
    sheet.combatants[0, columns.FighterRow.hp] = 0
    return replace(
        sheet, die=states.die, states=states.states, deaths=states.deaths, struck=states.struck, drops=states.drops,
        degrees=states.degrees, outcomes=states.outcomes[: len(states.degrees)],
    )  # fmt: skip


def fates(states: Sheet, state: int) -> dict[int, float]:
    """The chances of a state's ends, by its chain of checks."""
    now = {state: 1.0}
    kinds = states.states[:, columns.Fallen.kind]
    for _ in range(MOST_ROUNDS):
        then: dict[int, float] = {}
        for one, chance in now.items():
            following = states.deaths[one] if kinds[one] == columns.DYING else [one]
            for new in following:
                then[int(new)] = then.get(int(new), 0) + chance / len(following)
        now = then
    found = dict.fromkeys((columns.DYING, columns.STABLE, columns.DEAD, columns.UP), 0.0)
    for one, chance in now.items():
        found[int(kinds[one])] += chance
    return found


# dead and up; the rest is stable
KNOWN = {"dnd5e": (0.405, 0.181), "a5e": (0.365, 0.190), "pf2e": (0.308, None)}


@pytest.mark.sampled(1)
@at_each_count
@pytest.mark.parametrize(("system", "seed"), [("dnd5e", 151), ("a5e", 152), ("pf2e", 153)])
def test_one_who_is_left_alone_dies_as_often_as_the_checks_say(system, seed, count):
    states, one = states_of(system)
    drop = int(states.combatants[one, columns.FighterRow.drop])
    chances = fates(states, int(states.drops[drop, 0]))
    dead, up = KNOWN[system]
    assert chances[columns.DEAD] == pytest.approx(dead, abs=0.0006)
    assert up is None or chances[columns.UP] == pytest.approx(up, abs=0.0006)
    fights, _, _ = play(lying(states, drop), seed, count)
    assert np.all(fights[:, FightResult.outcome] == UNDECIDED)
    is_chance(fights[:, FightResult.party_dead] == 1, chances[columns.DEAD])


@at_each_count
def test_one_who_bleeds_dies_at_its_floor_unless_a_check_stops_it(count):
    sheet = sheet_of((idle(0, 10, state=1, floor=-10), idle(0), idle(1)))
    sheet.combatants[0, columns.FighterRow.hp] = 0
    deaths = np.array([[0] * SIDES, [1] * 19 + [2], [2] * SIDES], np.int32)
    sheet = replace(
        sheet,
        states=np.array([[columns.DEAD, 0, 0, 0], [columns.DYING, 3, 0, 0], [columns.STABLE, 0, 0, 0]], np.int32),
        deaths=deaths, struck=np.array([[0, 0], [1, 1], [1, 1]], np.int32),
    )  # fmt: skip
    fights, _, _ = play(sheet, 161, count)
    is_chance(fights[:, FightResult.party_dead] == 1, (19 / 20) ** 3)  # -3, -6, -9, dead


def pool_row(dice: int, lowest: int, **more: int) -> list[int]:
    row = [0] * columns.Pool.width
    row[columns.Pool.dice], row[columns.Pool.lowest], row[columns.Pool.starts] = dice, lowest, 1
    row[columns.Pool.starts_pool] = row[columns.Pool.calls_wave] = -1
    for name, value in more.items():
        row[getattr(columns.Pool, name)] = value
    return row


@pytest.mark.sampled(1)
@at_each_count
@pytest.mark.parametrize(("dice", "lowest", "seed"), [(5, 5, 171), (4, 4, 172), (3, 6, 173)])
def test_a_pool_ends_in_each_round_as_often_as_it_must(dice, lowest, seed, count):
    sheet = replace(sheet_of((idle(0), idle(1))), pools=np.array([pool_row(dice, lowest)], np.int32))
    _, sums, head = play(sheet, seed, count)
    stays = (lowest - 1) / 6
    ended = np.cumsum(sums[head["sum_pool"]])
    for number in (1, 2, 3, 5, 8):
        chance = (1 - stays**number) ** dice
        assert abs(ended[number] - count * chance) <= 3 * (count * chance * (1 - chance)) ** 0.5


@at_each_count
def test_a_pool_runs_against_the_clock_of_the_fight(count):
    """The enemy has four hit points and loses one a turn: the fight is won in its fourth round unless the pool ends it."""
    sheet = struck_by(Fighter(0, 10, 0, (), 1), 4, columns.SURE)
    fights, _, _ = play(replace(sheet, pools=np.array([pool_row(2, 5, ends_fight=1)], np.int32)), 176, count)
    is_chance(won_in(fights, 4), 1 - (1 - (2 / 3) ** 4) ** 2)
    assert np.all((fights[:, FightResult.first_pool] == 0) == (fights[:, FightResult.outcome] == UNDECIDED))


@at_each_count
def test_a_pool_starts_the_next(count):
    pools = np.array([pool_row(1, 4, starts_pool=1), pool_row(1, 4, starts=0)], np.int32)
    _, sums, head = play(replace(sheet_of((idle(0), idle(1))), pools=pools), 177, count)
    ended = sums[head["sum_pool"]].reshape(2, -1)
    assert ended[1, 1] == 0
    for number in (2, 3, 5):  # the sum of two waits
        chance = (number - 1) / 2**number
        assert abs(ended[1, number] - count * chance) <= 3 * (count * chance * (1 - chance)) ** 0.5


def wave_row(number: int = 0, when: int = columns.NO_TRIGGER, first: int = 0, last: int = 0) -> np.ndarray:
    return np.array([[number, when, first, last]], np.int32)


@at_each_count
def test_a_wave_comes_in_its_round(count):
    """An attacker that hits half the time faces one enemy, until in round 4 another kills it at once."""
    fighters = (
        Fighter(0, 5, -11, (), 1, FIRST), idle(1, 1), Fighter(1, 9, 0, (), 9, FIRST + 40, more={columns.FighterRow.wave: 0}),
    )  # fmt: skip
    sheet = replace(sheet_of(fighters), waves=wave_row(4))
    sheet.sources[2, columns.Source.kind] = columns.SURE
    fights, _, _ = play(sheet, 181, count)
    is_chance(fights[:, FightResult.outcome] == WON, 1 - 0.5**3)
    lost = fights[:, FightResult.outcome] == LOST
    assert np.all(fights[lost, FightResult.rounds] == 4)
    assert np.all(fights[lost, FightResult.first_fallen] == 0)


@pytest.mark.parametrize(
    ("when", "hp", "rounds"),
    [(columns.HALF, 4, 2), (columns.FIRST_DOWN, 4, 4), (columns.ALL_DOWN, 4, 4), (columns.NO_TRIGGER, 4, 0)],
)
def test_a_wave_comes_when_it_is_called(when, hp, rounds):
    """One hit point a turn; what comes acts last, and kills at once."""
    fighters = (
        Fighter(0, 5, 0, (), 1, FIRST), idle(1, hp, 0), Fighter(1, 9, 0, (), 9, LAST, more={columns.FighterRow.wave: 0}),
    )  # fmt: skip
    sheet = replace(sheet_of(fighters), waves=wave_row(0, when, 0, 1), watched=np.array([1], np.int32))
    sheet.sources[[0, 2], columns.Source.kind] = columns.SURE
    fights, _, _ = play(sheet, 186, 200)
    assert set(fights[:, FightResult.outcome]) == {LOST if rounds else WON}
    assert set(fights[:, FightResult.rounds]) == {rounds or hp}


def surroundings(reach: list[int], *, each: bool, recharge: int, ready: int = 1, lesser: bool = False) -> Sheet:
    """Two of the party with 6 hit points, and a world action that deals 1d6, half of it 1d4 where it is less."""
    sheet = sheet_of((idle(0, 6), idle(0, 6), Fighter(1, 9, 0, (6,), more=IDLE), Fighter(1, 9, 0, (4,), more=IDLE)))
    sheet.sources[2:, columns.Source.kind] = columns.SURE
    world = [[0] * columns.World.width]
    world[0][columns.World.ready], world[0][columns.World.recharge] = ready, recharge
    world[0][columns.World.source], world[0][columns.World.lesser] = 2, 3 if lesser else -1
    world[0][columns.World.reaches_each] = int(each)
    return replace(sheet, world=np.array(world, np.int32), world_reach=np.array([reach], np.int8))


@at_each_count
def test_the_world_strikes_each_that_it_reaches(count):
    sheet = surroundings([columns.WHOLE, columns.WHOLE, 0, 0], each=True, recharge=0)
    fights, _, _ = play(sheet, 191, count)
    is_chance(fights[:, FightResult.party_down] == 2, 1 / 6)  # one roll for both, once
    is_chance(fights[:, FightResult.party_down] == 1, 0)


@at_each_count
def test_the_world_strikes_one_of_those_it_reaches(count):
    fights, _, _ = play(surroundings([columns.WHOLE, columns.WHOLE, 0, 0], each=False, recharge=0), 192, count)
    is_chance((fights[:, FightResult.party_down] == 1) & (fights[:, FightResult.first_fallen] == 0), 1 / 12)
    is_chance((fights[:, FightResult.party_down] == 1) & (fights[:, FightResult.first_fallen] == 1), 1 / 12)


@at_each_count
def test_the_world_strikes_less_those_whom_it_spares_in_part(count):
    sheet = surroundings([columns.WHOLE, columns.LESSER, 0, 0], each=True, recharge=0, lesser=True)
    sheet.combatants[1, [columns.FighterRow.hp, columns.FighterRow.hp_max]] = 4
    fights, _, _ = play(sheet, 193, count)
    is_chance(fights[:, FightResult.party_down] == 2, 1 / 24)
    is_chance((fights[:, FightResult.party_down] == 1) & (fights[:, FightResult.first_fallen] == 1), 5 / 24)


@at_each_count
def test_the_world_acts_again_once_it_is_ready(count):
    """It rolls at once, and again at the top of each round, as in play."""
    sheet = surroundings([columns.WHOLE, 0, 0, 0], each=True, recharge=5)
    sheet.combatants[1, [columns.FighterRow.side, columns.FighterRow.party]] = 1, 0  # the first alone is the party
    sheet.combatants[0, columns.FighterRow.hp] = 7
    sheet.parts[4, [columns.Part.alias_count, columns.Part.least]] = 1, 4  # 4 each time: the second ends it
    fights, _, _ = play(sheet, 194, count)
    again = 1 / 3 + 2 / 3 * 1 / 3
    is_chance((fights[:, FightResult.outcome] == LOST) & (fights[:, FightResult.rounds] == 2), again)
    is_chance((fights[:, FightResult.outcome] == LOST) & (fights[:, FightResult.rounds] == 3), (1 - again) / 3)


@at_each_count
@pytest.mark.parametrize(("spends", "again"), [(1, 1 / 3), (0, 1.0)])
def test_an_action_that_a_pool_sets_off_is_spent_and_acts_again_only_once_it_is_back(spends, again, count):
    """The pool ends in the first round, in which the action is ready by itself: 4 by it, 4 more only after its roll."""
    sheet = surroundings([columns.WHOLE, 0, 0, 0], each=True, recharge=5)
    sheet.combatants[1, [columns.FighterRow.side, columns.FighterRow.party]] = 1, 0
    sheet.combatants[0, columns.FighterRow.hp] = 7
    sheet.parts[4, [columns.Part.alias_count, columns.Part.least]] = 1, 4
    set_off = sheet.world.copy()
    set_off[0, [columns.World.ready, columns.World.recharge, columns.World.spends]] = 0, 0, spends
    pool = np.zeros((1, columns.Pool.width), np.int32)
    pool[
        0,
        [
            columns.Pool.dice,
            columns.Pool.lowest,
            columns.Pool.starts,
            columns.Pool.starts_pool,
            columns.Pool.calls_wave,
        ],
    ] = 1, 1, 1, -1, -1
    pool[0, [columns.Pool.sets_off, columns.Pool.sets_count]] = 1, 1
    sheet = replace(
        sheet, pools=pool, world=np.concatenate((sheet.world, set_off)),
        world_reach=np.concatenate((sheet.world_reach, sheet.world_reach)),
    )  # fmt: skip
    fights, _, _ = play(sheet, 195, count)
    is_chance((fights[:, FightResult.outcome] == LOST) & (fights[:, FightResult.rounds] == 1), again)
    is_chance((fights[:, FightResult.outcome] == LOST) & (fights[:, FightResult.rounds] == 2), (1 - again) / 3)


@at_each_count
def test_a_parry_turns_one_hit_a_round_into_a_miss(count):
    """Faces 9 and 10 hit AC but not with the parry; a 20 hits all the same. Of two strikes the reaction stops one."""
    sheet = struck_by(Fighter(0, 10, -9, (), 1, strikes=2), 2)
    sheet.combatants[1, PARRY] = 2, 1, 1
    sure, stopped = 10 / 20, 2 / 20
    fights, _, _ = play(sheet, 201, count)
    is_chance(won_in(fights, 1), sure * sure)  # one that is stopped is one hit too few
    sheet.combatants[1, [columns.FighterRow.hp, columns.FighterRow.hp_max]] = 1
    fights, _, _ = play(sheet, 202, count)
    is_chance(won_in(fights, 1), sure + stopped * (sure + stopped) + (1 - sure - stopped) * sure)


@at_each_count
def test_a_parry_that_lasts_counts_against_later_hits_until_the_next_turn(count):
    """Faces 9 and 10 of the second strike don't hit any more, once the parry has stopped the first."""
    sheet = struck_by(Fighter(0, 10, -9, (), 1, strikes=2), 1)
    sheet.combatants[1, [*PARRY, columns.FighterRow.parry_lasts]] = 2, 1, 1, 1
    sure, stopped = 10 / 20, 2 / 20
    fights, _, _ = play(sheet, 203, count)
    is_chance(won_in(fights, 1), sure + stopped * sure + (1 - sure - stopped) * sure)
    is_chance(won_in(fights, 2), (1 - won_by(sure, stopped)) * won_by(sure, stopped))


def won_by(sure: float, stopped: float) -> float:
    """The chance that one of two strikes of a turn hits, if a parry that lasts stops some."""
    return sure + stopped * sure + (1 - sure - stopped) * sure


@at_each_count
@pytest.mark.parametrize(("price", "stops"), [(2, True), (3, False)])
def test_a_parry_costs_as_many_reactions_as_it_says(price, stops, count):
    """Of two reactions, one parry for two is paid, and none for three."""
    sheet = struck_by(Fighter(0, 10, -9, (), 1), 1)
    sheet.combatants[1, PARRY] = 2, 2, price
    fights, _, _ = play(sheet, 205, count)
    is_chance(won_in(fights, 1), 10 / 20 if stops else 12 / 20)


@at_each_count
def test_a_parry_uses_its_supply(count):
    """The only slot stops a hit in the first round or in the second, not in both."""
    sheet = struck_by(Fighter(0, 10, -9, (), 1), 1)
    sheet = replace(sheet, supplies=np.array([[1, 1, 0, 0, 1]], np.int32))
    sheet.combatants[1, PARRY] = 2, 1, 1
    sheet.combatants[1, [columns.FighterRow.parry_supply, columns.FighterRow.parry_takes]] = 0, 1
    sure, stopped, missed = 10 / 20, 2 / 20, 8 / 20
    fights, _, _ = play(sheet, 204, count)
    is_chance(won_in(fights, 1), sure)
    is_chance(won_in(fights, 2), missed * sure + stopped * (sure + stopped))


@at_each_count
@pytest.mark.parametrize(
    ("when", "near", "edge", "holds", "seed"),
    [
        (columns.ALWAYS, False, 0, True, 211),
        (columns.ALLY_NEAR, True, 0, True, 212),
        (columns.ALLY_NEAR, False, 0, False, 213),
        (columns.WITH_ADVANTAGE, False, 1, True, 214),
        (columns.WITH_ADVANTAGE, True, 0, False, 215),
    ],
)
def test_what_is_added_once_a_turn_is_added_to_the_first_hit(when, near, edge, holds, seed, count):
    """Two strikes of one hit point each, and five more with the first of them that hits."""
    friend = idle(0, 10, -20)
    sheet = sheet_of((Fighter(0, 10, -11, (), 1, FIRST, strikes=2), idle(1, 7), friend))
    if not near:
        sheet.rounds_away[2, 1] = 99
    part = len(sheet.parts)
    more = [[0, 1, 5, 0, 2]] * 2
    sheet = replace(sheet, parts=np.array([*sheet.parts.tolist(), *more], np.int32))
    sheet.sources[0, [columns.Source.extra_parts, columns.Source.extra_count, columns.Source.extra_when]] = (
        part,
        1,
        when,
    )
    sheet.cells[0, :, columns.Cell.edge] = edge
    chance = hit_chance(-11) if edge == 0 else 1 - (1 - hit_chance(-11)) ** 2
    fights, _, _ = play(sheet, seed, count)
    is_chance(won_in(fights, 1), chance**2 if holds else 0)
    never = won_in(fights, 2)
    is_chance(
        never, (1 - chance**2) * chance**2 + 2 * chance * (1 - chance) * 2 * chance * (1 - chance) if holds else 0
    )


@at_each_count
def test_who_is_down_is_healed_and_acts_again(count):
    """A friend gets up again, unless the enemy, who comes before both, kills the healer in the first round."""
    down = Fighter(0, 8, 0, (), 9, LAST, more={columns.FighterRow.state: 1})
    healer, enemy = Fighter(0, 3, 0, (), 4, 0), Fighter(1, 9, -11, (), 3, FIRST)
    sheet = sheet_of((down, healer, enemy))
    sheet.combatants[0, columns.FighterRow.hp] = 0
    sheet = replace(
        sheet, states=np.array([[columns.DEAD, 0, 0, 0], [columns.STABLE, 0, 0, 0]], np.int32),
        deaths=np.zeros((2, SIDES), np.int32), struck=np.zeros((2, 2), np.int32),
    )  # fmt: skip
    sheet.sources[0, columns.Source.kind], sheet.sources[1, columns.Source.kind] = columns.SURE, columns.HEAL
    sheet.actions[1, columns.Action.to] = columns.TO_ALLY
    fights, _, _ = play(sheet, 221, count)
    is_chance(won_in(fights, 1), 1 - hit_chance(-11))
    is_chance(fights[:, FightResult.outcome] == LOST, hit_chance(-11))


@pytest.mark.parametrize(("heals_at", "left"), [(50, 5), (49, 4), (10, 1), (0, 0)])
def test_who_is_below_a_share_of_its_hit_points_is_healed(heals_at, left):
    """Of ten hit points it loses one a round, and regains one by a friend where it has no more than the share."""
    sheet = sheet_of((idle(0, 10, FIRST), Fighter(0, 4, 0, (), 1, 0), Fighter(1, 9, 0, (), 1, LAST)))
    sheet.sources[1, columns.Source.kind], sheet.sources[2, columns.Source.kind] = columns.HEAL, columns.SURE
    sheet.actions[1, columns.Action.to] = columns.TO_ALLY
    sheet.rounds_away[2, 1] = 99  # the enemy reaches the first alone
    policies = (Policy(heals_at=heals_at, moves_up=False), Policy(moves_up=False))
    _, sums, head = play(sheet, 222, 50, policies)
    assert sums[head["sum_left"]][left * (LEFT_BINS - 1) // 10] == 50


@pytest.mark.parametrize(("stop", "outcome"), [(0, UNDECIDED), (1, WON)])
def test_hit_points_come_back_each_turn_unless_their_type_of_damage_stops_it(stop, outcome):
    sheet = struck_by(Fighter(0, 10, 0, (), 3), 10, columns.SURE)
    sheet.combatants[1, [columns.FighterRow.regains, columns.FighterRow.regain_stop]] = 3, stop
    fights, _, _ = play(sheet, 225, 50)
    assert set(fights[:, FightResult.outcome]) == {outcome}


def condition_sheet(fighters: tuple[Fighter, ...], until: int, loss: int = 0, hurts: int = 0) -> Sheet:
    """Source 0 inflicts the second condition when it hits; the first is that of those who are down."""
    sheet, count = sheet_of(fighters), len(fighters)
    conditions = np.zeros((2, columns.ConditionRow.width), np.int16)
    conditions[
        1, [columns.ConditionRow.turn_loss, columns.ConditionRow.hurts_parts, columns.ConditionRow.hurts_count]
    ] = (
        loss,
        len(sheet.parts),
        hurts > 0,
    )
    sheet.sources[0, [columns.Source.first_infliction, columns.Source.last_infliction]] = 0, 1
    inflictions = np.zeros((1, columns.Infliction.width), np.int32)
    inflictions[0, [columns.Infliction.inflicts, columns.Infliction.on_results, columns.Infliction.until]] = (
        1,
        0b1111,
        until,
    )
    changes = np.zeros((2, count, columns.ChangeRow.width), np.int16)
    return replace(
        sheet, conditions=conditions, taken_rows=np.concatenate([sheet.taken_rows] * 3), inflictions=inflictions, immune=np.zeros((count, 2), np.int8),
        holder_changes=changes.copy(), target_changes=changes.copy(),
        ending_cells=np.zeros((1, count, columns.Cell.width), np.int16),
        parts=np.array([*sheet.parts.tolist(), [0, 1, hurts, -1, 2]], np.int32),
    )  # fmt: skip


@at_each_count
def test_a_condition_takes_turns_until_it_is_saved_against(count):
    """The enemy would kill in its first turn; each turn it is stunned, it saves with 11 or higher at its end."""
    one, enemy = Fighter(0, 1, 0, (), 1, FIRST), Fighter(1, 99, 0, (), 9, LAST)
    sheet = condition_sheet((one, enemy), columns.UNTIL_SAVED, loss=99)
    sheet.sources[:, columns.Source.kind] = columns.SURE
    supply = np.zeros((1, columns.Supply.width), np.int32)
    supply[0, [columns.Supply.left, columns.Supply.most]] = 1, 1
    sheet = replace(sheet, supplies=supply)
    sheet.actions[0, [columns.Action.supply, columns.Action.takes]] = 0, 1  # once
    sheet.ending_cells[0, :, columns.Cell.margin] = -11
    fights, _, _ = play(sheet, 231, count)
    for number in (2, 3, 6):
        lost = (fights[:, FightResult.outcome] == LOST) & (fights[:, FightResult.rounds] == number)
        is_chance(lost, 0.5 ** (number - 1))


@at_each_count
def test_a_condition_with_a_margin_needs_a_save_that_fails_by_as_much(count):
    """The enemy would kill in its first turn, and saves with 11 or higher; 6 and lower fail by 5 or more."""
    one, enemy = Fighter(0, 1, 0, (), 1, FIRST), Fighter(1, 99, 0, (), 9, LAST)
    sheet = condition_sheet((one, enemy), columns.UNTIL_NEVER, loss=99)
    sheet.sources[0, columns.Source.kind] = columns.SAVE
    sheet.sources[1, columns.Source.kind] = columns.SURE
    sheet.cells[0, :, columns.Cell.margin] = -11
    sheet.inflictions[0, columns.Infliction.margin] = 5
    fights, _, _ = play(sheet, 232, count)
    lost = (fights[:, FightResult.outcome] == LOST) & (fights[:, FightResult.rounds] == 1)
    is_chance(lost, 14 / 20)


@pytest.mark.sampled(3)
@at_each_count
@pytest.mark.parametrize(
    ("edges", "adds", "certain", "chance", "seed"),
    [
        (1, 0, columns.NOT_CERTAIN, 1 - 0.5**2, 241),
        (2, 0, columns.NOT_CERTAIN, 0.5**2, 242),
        (3, 0, columns.NOT_CERTAIN, 0.5, 243),
        (0, 4, columns.NOT_CERTAIN, 0.7, 244),
        (0, 0, columns.CERTAIN_FAILURE, 0.0, 245),
        (0, 0, columns.CERTAIN_SUCCESS, 1.0, 246),
    ],
)
def test_a_condition_of_the_target_changes_attacks_on_it(edges, adds, certain, chance, seed, count):
    """A friend's first strike makes the target take the condition; then comes the attack, which ends it."""
    fighters = (Fighter(0, 9, 0, (), 0, FIRST), Fighter(0, 9, -11, (), 8, 0), idle(1, 8))
    sheet = condition_sheet(fighters, columns.UNTIL_NEVER)
    sheet.sources[0, columns.Source.kind] = columns.SURE
    sheet.target_changes[1, 1, :3] = edges, adds, certain
    fights, _, _ = play(sheet, seed, count)
    is_chance(won_in(fights, 1), chance)


@pytest.mark.parametrize(
    ("until", "rounds"), [(columns.UNTIL_NEVER, 3), (columns.UNTIL_END, 0), (columns.UNTIL_START, 0)]
)
def test_a_condition_hurts_as_each_turn_of_its_holder_ends(until, rounds):
    """Nine hit points, three a turn. What ends as the turn starts hurts no more; what ends with it hurts first."""
    sheet = condition_sheet((Fighter(0, 9, 0, (), 0, FIRST), idle(1, 9)), until, hurts=3)
    sheet.sources[0, columns.Source.kind] = columns.SURE
    supply = np.zeros((1, columns.Supply.width), np.int32)
    supply[0, [columns.Supply.left, columns.Supply.most]] = 1, 1
    sheet = replace(sheet, supplies=supply)
    sheet.actions[0, [columns.Action.supply, columns.Action.takes]] = 0, 1
    fights, _, _ = play(sheet, 251, 20)
    assert set(fights[:, FightResult.outcome]) == {WON if rounds else UNDECIDED}
    assert set(fights[:, FightResult.rounds]) == {rounds or MOST_ROUNDS}


def test_an_immune_target_takes_no_condition():
    sheet = condition_sheet((Fighter(0, 9, 0, (), 0, FIRST), idle(1, 9)), columns.UNTIL_NEVER, hurts=3)
    sheet.sources[0, columns.Source.kind] = columns.SURE
    sheet.immune[1, 1] = 1
    assert set(play(sheet, 252, 20)[0][:, FightResult.outcome]) == {UNDECIDED}


def test_legendary_actions_follow_the_turns_of_others():
    """Two legendary actions a round, of one hit point each, strike after turns of the three others: the dead have none."""
    sheet = sheet_of((idle(0, 4, FIRST), idle(0, 9, 0), idle(0, 9, -20), Fighter(1, 9, 0, (), 1, LAST)))
    sheet.sources[3, columns.Source.kind] = columns.SURE
    sheet.combatants[3, [columns.FighterRow.amount, columns.FighterRow.legendary]] = 0, 2
    sheet.actions[3, columns.Action.pool] = columns.LEGENDARY_POOL
    fights, _, _ = play(sheet, 255, 20)
    assert set(fights[:, FightResult.party_down]) == {3}
    assert set(fights[:, FightResult.rounds]) == {
        15
    }  # two a round for 14 hit points, then one a round after the last one's turn


def test_those_who_are_away_come_closer_by_a_move_a_turn():
    sheet = struck_by(Fighter(0, 9, 0, (), 9), 9, columns.SURE)
    sheet.rounds_away[:] = 3
    assert set(play(sheet, 256, 20, (Policy(), Policy(moves_up=False)))[0][:, FightResult.rounds]) == {3}
    assert set(play(sheet, 256, 20)[0][:, FightResult.rounds]) == {2}  # the other comes, too
    sheet.actions[0, columns.Action.melee], sheet.sources[0, columns.Source.ranged] = 0, 1
    assert set(play(sheet, 256, 20)[0][:, FightResult.rounds]) == {1}


def test_who_is_surprised_does_nothing_in_the_first_round():
    sheet = struck_by(Fighter(0, 9, 0, (), 9), 9, columns.SURE)
    sheet.combatants[0, columns.FighterRow.surprised] = columns.SURPRISED
    assert set(play(sheet, 257, 20)[0][:, FightResult.rounds]) == {2}


def test_who_is_surprised_parries_only_after_its_turn():
    """The attack hits, but not with the parry. Without a parry, the second hit comes in the same round."""
    sheet = struck_by(Fighter(0, 30, 0, (), 1, strikes=2), 2)
    sheet.outcomes[:] = columns.MISS
    sheet.outcomes[columns.MARGIN :] = columns.HIT
    sheet.combatants[1, PARRY] = 5, 1, 1
    assert set(play(sheet, 259, 20)[0][:, FightResult.rounds]) == {2}
    sheet.combatants[1, columns.FighterRow.surprised] = columns.SURPRISED
    assert set(play(sheet, 259, 20)[0][:, FightResult.rounds]) == {1}


def test_the_party_wins_when_all_who_fight_against_it_are_down():
    """The second side is its friend, the third fights both; then each fights all."""
    fighters = (Fighter(0, 9, 0, (), 1, FIRST), idle(1, 5, 0), Fighter(2, 3, 0, (), 1, LAST))
    sheet = replace(sheet_of(fighters), enmity=np.array([[0, 0, 1], [0, 0, 1], [1, 1, 0]], np.int8))
    sheet.sources[:, columns.Source.kind] = columns.SURE
    fights, _, _ = play(sheet, 258, 20)
    assert np.all(won_in(fights, 3))
    fights, _, _ = play(replace(sheet, enmity=1 - np.eye(3, dtype=np.int8)), 258, 20)
    assert set(fights[:, FightResult.outcome]) == {WON}
    assert set(fights[:, FightResult.rounds]) == {6}  # each of its enemies strikes the weaker one


@pytest.mark.parametrize(("share", "rounds"), [(100, 4), (75, 3), (50, 2), (25, 1)])
def test_either_side_flees_once_so_many_of_it_are_down(share, rounds):
    """One of four falls each round."""
    sheet = sheet_of((Fighter(0, 9, 0, (), 1, FIRST), *[idle(1, 1)] * 4))
    sheet.sources[0, columns.Source.kind] = columns.SURE
    assert np.all(won_in(play(sheet, 261, 20, (Policy(), Policy(flees_at=share)))[0], rounds))
    turned = sheet_of((*[idle(0, 1)] * 4, Fighter(1, 9, 0, (), 1, FIRST)))
    turned.sources[4, columns.Source.kind] = columns.SURE
    fights, _, _ = play(turned, 262, 20, (Policy(flees_at=share), Policy()))
    assert set(fights[:, FightResult.outcome]) == {LOST}
    assert set(fights[:, FightResult.rounds]) == {rounds}


@at_each_count
def test_massive_damage_is_saved_against(count):
    """A hit of ten brings the party's one to 0, and kills it unless it rolls 6 or higher."""
    one = idle(0, 5, LAST, drop=0, massive=10)
    sheet = sheet_of((one, idle(0), Fighter(1, 9, 0, (), 10, FIRST)))
    sheet.massive_cells[0, columns.Cell.margin] = -6
    sheet.sources[2, columns.Source.kind] = columns.SURE
    sheet.rounds_away[2, 1] = 99
    sheet = replace(
        sheet, states=np.array([[columns.DEAD, 0, 0, 0], [columns.STABLE, 0, 0, 0]], np.int32),
        deaths=np.zeros((2, SIDES), np.int32), struck=np.ones((2, 2), np.int32), drops=np.ones((1, 2), np.int32),
    )  # fmt: skip
    stay = (Policy(moves_up=False), Policy(moves_up=False))
    fights, _, _ = play(sheet, 271, count // 10, stay)
    is_chance(fights[:, FightResult.party_dead] == 1, 5 / 20)
    sheet.combatants[0, columns.FighterRow.massive] = 11
    assert not np.any(play(sheet, 272, 100, stay)[0][:, FightResult.party_dead])
    sheet.combatants[0, columns.FighterRow.instant] = 1  # five beyond 0, its maximum
    assert np.all(play(sheet, 273, 100, stay)[0][:, FightResult.party_dead])


def test_who_lies_dying_is_finished_by_those_who_do_so():
    sheet = sheet_of((idle(0, 5, state=1), idle(0, 5), Fighter(1, 9, 0, (), 1, FIRST)))
    sheet.combatants[0, columns.FighterRow.hp] = 0
    sheet.sources[2, columns.Source.kind] = columns.ATTACK
    sheet = replace(
        sheet, states=np.array([[columns.DEAD, 0, 0, 0], [columns.DYING, 0, 0, 0]], np.int32),
        deaths=np.array([[0] * SIDES, [1] * SIDES], np.int32), struck=np.array([[0, 0], [0, 0]], np.int32),
        drops=np.ones((1, 2), np.int32),
    )  # fmt: skip
    assert set(play(sheet, 275, 50)[0][:, FightResult.party_dead]) == {0}
    assert {1, 2} & set(play(sheet, 275, 50, (Policy(), Policy(finishes=True)))[0][:, FightResult.party_dead])


def test_a_fight_goes_on_in_its_midst():
    """In round 45, at the turn of the second: what comes before it in the order waits for the next round."""
    sheet = replace(sheet_of((Fighter(0, 9, 0, (), 9, 0), idle(0, 9), idle(1, 9))), turn=1, round=45)
    sheet.sources[0, columns.Source.kind] = columns.SURE
    sheet.slots[:, columns.SlotRow.rolled] = 0
    sheet.slots[:, columns.SlotRow.count] = 20, 10, 5
    assert np.all(won_in(play(sheet, 281, 20)[0], 46))


@pytest.mark.parametrize("count", COUNTS)
def test_those_who_roll_together_have_one_count(count):
    """Two who roll once act both before their foe, or neither: before, they win by two sure hits; after, one falls first."""
    hero = Fighter(0, 1, 0, (), 1)
    sheet = sheet_of((hero, hero, Fighter(1, 2, 0, (), 1)))
    sheet.sources[:, columns.Source.kind] = columns.SURE
    sheet.slots[:, columns.SlotRow.rank] = 0  # who is later in the table acts after those of the same count
    sheet.slots[1, [columns.SlotRow.rolled, columns.SlotRow.shared]] = 0, 1
    before = sum(mine >= other for mine in range(1, 21) for other in range(1, 21)) / 400
    fights, _, _ = play(sheet, 283, count)
    is_chance(fights[:, FightResult.outcome] == WON, before)
