"""The forecast of small fights in every game, against chances worked out from its rule book alone.

The sheets are those that the rules make of a whole encounter, so that a figure asked wrongly of them shows, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pytest
from msgspec import structs

from tests.forecast.small_fights import GAMES, SYSTEMS, fighter, sheet_of_fight, small_fight
from turnwright.encounter.data_rules import DataRule
from turnwright.encounter.prepared import (
    AddWave,
    Countdown,
    Creature,
    DealDamage,
    Environment,
    EnvironmentEntry,
    Feature,
    InflictedCondition,
    RosterEntry,
    SavingThrow,
    StartCountdown,
    TriggerEntry,
    Wave,
)
from turnwright.encounter.state import Change, Record, key_of
from turnwright.forecast import sheet as columns
from turnwright.forecast.compiled import fight_loop
from turnwright.forecast.estimate import packed_sheet
from turnwright.forecast.layout import LOST, WON, FightResult
from turnwright.forecast.sheet import Sheet
from turnwright.workspace.kernel_library import await_kernels

COUNTS = [100_000, pytest.param(1_000_000, marks=pytest.mark.soak)]
at_each_count = pytest.mark.parametrize("count", COUNTS)
in_each_game = pytest.mark.parametrize("game", GAMES)
ADVANTAGES = ("a5e", "dnd5e", "action_points")  # Pathfinder has no advantage
FACES = range(1, 21)
CERTAIN = 60  # a DC that nobody reaches
SEEDS = {game: 1000 * place for place, game in enumerate(GAMES, 1)}  # each case has a seed of its own
Damage = dict[int, float]


@pytest.fixture(scope="module", autouse=True)
def loop() -> None:
    assert await_kernels()


def play(sheet: Sheet, seed: int, count: int) -> np.ndarray:
    return fight_loop().play(packed_sheet(sheet), seed, 0, count)[0]


def fights_of(
    game: str, party: Iterable[Creature], foes: Iterable[Creature], *others: Record, seed: int, count: int
) -> np.ndarray:
    """Play so many fights of an encounter; each game has seeds of its own."""
    return play(sheet_of_fight(small_fight(game, party, foes, *others), game)[0], SEEDS[game] + seed, count)


def is_chance(happened: np.ndarray, chance: float) -> None:
    """Hold how often something happened to its chance: within three standard errors, or exactly where it is certain."""
    count, found = len(happened), int(np.count_nonzero(happened))
    assert abs(found - count * chance) <= 3 * (count * chance * (1 - chance)) ** 0.5 + 1e-6, (found / count, chance)


def won_in(fights: np.ndarray, number: int) -> np.ndarray:
    return (fights[:, FightResult.outcome] == WON) & (fights[:, FightResult.rounds] == number)


def blade(game: str, **fields: Any) -> Feature:
    """Return a sword that adds 5 to hit and deals 1d8+3: an action, or two of six points."""
    kind, price = ("sharp", 2) if game == "action_points" else ("slashing", 1)
    return Feature("blade", "Blade", "action", **({"attack": 5, "damage": f"1d8+3 {kind}", "price": price} | fields))


def spell(game: str, damage: str, **fields: Any) -> Feature:
    """Return an action against which one target saves with its quickness, once a turn."""
    ability, price = ("agi", 6) if game == "action_points" else ("dex", 3 if game == "pf2e" else 1)
    return Feature("spell", "Spell", "action", range="60", damage=damage, save=ability, price=price, **fields)


def person(game: str, id: str, *features: Feature, **fields: Any) -> Creature:
    return fighter(id, *features, system=game, **fields)


# Chances by the rule books ------------------------------------------------------------------------------------------


def rolled(dice: Iterable[int], adds: int = 0, times: int = 1) -> Damage:
    """Return the chances of a sum of dice and a number, taken so many times."""
    found: Damage = {}
    dice = tuple(dice)
    for faces in product(*(range(1, sides + 1) for sides in dice)):
        total = times * (sum(faces) + adds)
        found[total] = found.get(total, 0) + 1 / float(np.prod(dice)) if dice else 1.0
    return found


def mixed(*parts: tuple[float, Damage]) -> Damage:
    found: Damage = {}
    for chance, damage in parts:
        for amount, share in damage.items():
            found[amount] = found.get(amount, 0) + chance * share
    return found


def degree_of(face: int, total: int, dc: int) -> int:
    """Return the degree of a check in Pathfinder, from 0 (critical failure) to 3."""
    degree = 3 if total >= dc + 10 else 2 if total >= dc else 1 if total > dc - 10 else 0
    return min(3, degree + 1) if face == 20 else max(0, degree - 1) if face == 1 else degree


def struck(game: str, face: int, bonus: int, ac: int, dice: tuple[int, ...], adds: int) -> Damage:
    """Return the damage of an attack whose die shows a face."""
    plain = rolled(dice, adds)
    if game == "pf2e":
        degree = degree_of(face, face + bonus, ac)
        return {0: 1.0} if degree < 2 else plain if degree == 2 else rolled(dice, adds, 2)
    if game == "action_points":  # which knows no sure hits, misses or critical ones
        return plain if face + bonus >= ac else {0: 1.0}
    if face == 20:  # twice the dice in one, twice the damage in the other
        return rolled(dice * 2, adds) if game == "dnd5e" else rolled(dice, adds, 2)
    return plain if face > 1 and face + bonus >= ac else {0: 1.0}


def attack(
    game: str, bonus: int, ac: int, dice: tuple[int, ...], adds: int, keeps: Callable[..., int] | None = None
) -> Damage:
    """Return the damage of an attack; `keeps` chooses of two dice."""
    faces = [keeps(one, two) for one in FACES for two in FACES] if keeps else list(FACES)
    return mixed(*((1 / len(faces), struck(game, face, bonus, ac, dice, adds)) for face in faces))


def turn(hp: int, strikes: Iterable[Damage]) -> Damage:
    """Return the chances of the hit points that the strikes of a turn leave."""
    left: Damage = {hp: 1.0}
    for strike in strikes:
        after: Damage = {}
        for now, chance in left.items():
            for amount, share in strike.items() if now > 0 else [(0, 1.0)]:
                then = max(0, now - amount)
                after[then] = after.get(then, 0) + chance * share
        left = after
    return left


def duel(one: int, other: int, first: Iterable[Damage], second: Iterable[Damage]) -> float:
    """Return the chance that who acts first wins: by dynamic programming over the hit points of both."""
    first, second = tuple(first), tuple(second)
    mine = {hp: turn(hp, second) for hp in range(1, one + 1)}
    theirs = {hp: turn(hp, first) for hp in range(1, other + 1)}

    @cache
    def value(own: int, their: int) -> float:
        stays = theirs[their].get(their, 0) * mine[own].get(own, 0)
        found = theirs[their].get(0, 0)
        for left, chance in theirs[their].items():
            for kept, share in mine[own].items() if left else ():
                if kept and (kept, left) != (own, their):
                    found += chance * share * value(kept, left)
        return found / (1 - stays)

    return value(one, other)


def strikes_of(game: str, bonus: int, ac: int, dice: tuple[int, ...], adds: int, penalty: int = 5) -> list[Damage]:
    """Return the damage of each attack of a turn: three in the games of three actions and of six points, else one."""
    later = penalty if game == "pf2e" else 0
    number = 3 if game in ("pf2e", "action_points") else 1
    return [attack(game, bonus - later * count, ac, dice, adds) for count in range(number)]


# Attacks ------------------------------------------------------------------------------------------------------------


@pytest.mark.sampled(4)
@at_each_count
@in_each_game
@pytest.mark.parametrize(("hp", "bonus", "seed"), [(30, 5, 1), (17, -2, 2), (9, 15, 3)])
def test_a_duel_is_won_as_often_as_the_dice_have_it(game, hp, bonus, seed, count):
    ann = person(game, "ann", blade(game), hp=hp, ac=14)
    orc = person(game, "orc", blade(game, attack=bonus), hp=31, ac=13)
    first, second = strikes_of(game, 5, 13, (8,), 3), strikes_of(game, bonus, 14, (8,), 3)
    fights = fights_of(game, [ann], [orc], seed=seed, count=count)
    is_chance(fights[:, FightResult.outcome] == WON, duel(hp, 31, first, second))
    assert np.all((fights[:, FightResult.outcome] == WON) | (fights[:, FightResult.outcome] == LOST))


@at_each_count
@pytest.mark.parametrize(("face", "seed"), [(19, 7), (18, 8)])
def test_a_wider_critical_range_counts_from_its_face_on(face: int, seed: int, count: int) -> None:
    """Only a critical hit takes both hit points at once; the AC lets each of its faces hit."""
    wide = Feature("wide", "Wide", rules=(DataRule("critical", "attack", least=face),))
    ann = person("dnd5e", "ann", blade("dnd5e", damage="1d1 slashing"), wide)
    orc = person("dnd5e", "orc", hp=2, ac=16)
    is_chance(won_in(fights_of("dnd5e", [ann], [orc], seed=seed, count=count), 1), (21 - face) / 20)


@at_each_count
@pytest.mark.parametrize(("properties", "penalty", "seed"), [((), 5, 5), (("agile",), 4, 6)])
def test_further_strikes_have_the_penalty_of_their_weapon(properties, penalty, seed, count):
    ann = person("pf2e", "ann", blade("pf2e", properties=properties))
    orc = person("pf2e", "orc", hp=12, ac=16)
    left = turn(12, strikes_of("pf2e", 5, 16, (8,), 3, penalty))
    is_chance(won_in(fights_of("pf2e", [ann], [orc], seed=seed, count=count), 1), left[0])


@pytest.mark.sampled(3)
@at_each_count
@pytest.mark.parametrize("game", ADVANTAGES)
@pytest.mark.parametrize(("kind", "keeps", "seed"), [("advantage", max, 11), ("disadvantage", min, 12)])
def test_advantage_keeps_the_better_of_two_dice(game, kind, keeps, seed, count):
    lucky = Feature("lucky", "Lucky", rules=(DataRule(kind, "attack"),))
    ann, orc = person(game, "ann", blade(game), lucky), person(game, "orc", hp=9, ac=16)
    strikes = [attack(game, 5, 16, (8,), 3, keeps)] * (3 if game == "action_points" else 1)
    is_chance(won_in(fights_of(game, [ann], [orc], seed=seed, count=count), 1), turn(9, strikes)[0])


# Saves --------------------------------------------------------------------------------------------------------------


def failure(game: str, dc: int) -> float:
    """Return the chance that a bare die fails a save."""
    return sum(degree_of(face, face, dc) < 2 if game == "pf2e" else face < dc for face in FACES) / len(FACES)


def saved(game: str, face: int, dc: int, damage: Damage) -> Damage:
    """Return the damage that a save leaves of some that it halves."""
    halves = mixed(*((share, {amount // 2: 1.0}) for amount, share in damage.items()))
    if game == "pf2e":
        doubled = {2 * amount: share for amount, share in damage.items()}
        return (doubled, damage, halves, {0: 1.0})[degree_of(face, face, dc)]
    return halves if face >= dc else damage


@pytest.mark.sampled(4)
@at_each_count
@in_each_game
@pytest.mark.parametrize(("dc", "hp", "seed"), [(12, 5, 21), (18, 9, 22), (5, 3, 23)])
def test_a_save_halves_damage_as_its_game_does(game, dc, hp, seed, count):
    ann, orc = person(game, "ann", spell(game, "2d6 fire", dc=dc, half=True)), person(game, "orc", hp=hp)
    taken = mixed(*((1 / 20, saved(game, face, dc, rolled((6, 6)))) for face in FACES))
    chance = sum(share for amount, share in taken.items() if amount >= hp)
    is_chance(won_in(fights_of(game, [ann], [orc], seed=seed, count=count), 1), chance)


@at_each_count
@in_each_game
def test_a_save_that_does_not_halve_spares(game, count):
    ann, orc = person(game, "ann", spell(game, "5 fire", dc=12)), person(game, "orc", hp=5)
    is_chance(won_in(fights_of(game, [ann], [orc], seed=26, count=count), 1), failure(game, 12))


@at_each_count
@in_each_game
def test_what_recharges_is_back_with_its_face(game, count):
    """Two hit points, of which each use takes one; the second use comes after the face has been rolled."""
    ann, orc = person(game, "ann", spell(game, "1 fire", dc=CERTAIN, recharge=5)), person(game, "orc", hp=2)
    fights = fights_of(game, [ann], [orc], seed=31, count=count)
    for later in (1, 2, 5):
        is_chance(won_in(fights, 1 + later), (2 / 3) ** (later - 1) / 3)


# Types of damage ----------------------------------------------------------------------------------------------------

BY_AMOUNT: dict[str, Callable[[int], int]] = {
    "resistances": lambda amount: max(0, amount - 3),
    "vulnerabilities": lambda amount: amount + 4,
}


TYPES: tuple[tuple[str, Callable[[int], int], int], ...] = (
    ("resistances", lambda amount: amount // 2, 41),
    ("vulnerabilities", lambda amount: 2 * amount, 42),
    ("immunities", lambda amount: 0, 43),
    ("absorptions", lambda amount: -amount, 44),
)
NO_ABSORPTION = ("pf2e",)


@pytest.mark.sampled(4)
@at_each_count
@pytest.mark.parametrize(
    ("game", "kind", "changed", "seed"),
    [
        pytest.param(game, *one, id=f"{game}-{one[0]}")
        for game in GAMES
        for one in TYPES
        if one[0] != "absorptions" or game not in NO_ABSORPTION
    ],
)
def test_a_type_of_damage_arrives_as_its_target_takes_it(game, kind, changed, seed, count):
    """2d6 fire, which it takes in its own way, and 1d10 cold; in Pathfinder as much less or more as is said."""
    taken = {"resistances": ("fire 3",), "vulnerabilities": ("fire 4",)} if game == "pf2e" else {}
    change = BY_AMOUNT.get(kind, changed) if game == "pf2e" else changed
    ann = person(game, "ann", spell(game, "2d6 fire + 1d10 cold", dc=CERTAIN))
    orc = person(game, "orc", hp=9, **{kind: taken.get(kind, ("fire",))})
    net = [change(one + two) + cold for one in range(1, 7) for two in range(1, 7) for cold in range(1, 11)]
    chance = sum(amount >= 9 for amount in net) / len(net)
    is_chance(won_in(fights_of(game, [ann], [orc], seed=seed, count=count), 1), chance)


# Dying --------------------------------------------------------------------------------------------------------------


@at_each_count
@pytest.mark.parametrize(("level", "turns", "seed"), [(3, 4, 51), (1, 10, 52), (5, 2, 53)])
def test_who_bleeds_dies_when_the_blood_is_gone(level, turns, seed, count):
    """Twice its level a turn, down to less than nothing by its maximum of 20: unless a friend has won before that."""
    game = "action_points"
    bob = person(game, "bob", spell(game, "4 fire", dc=17))
    ann, orc = person(game, "ann", hp=20, level=level), person(game, "orc", hp=4)
    built, legend = sheet_of_fight(small_fight(game, [bob, ann], [orc]), game)
    place = legend.combatants.index("ann")
    built.combatants[place, columns.FighterRow.hp] = 0
    built.combatants[place, columns.FighterRow.state] = built.drops[built.combatants[place, columns.FighterRow.drop], 0]
    fights = play(built, SEEDS[game] + seed, count)
    is_chance(fights[:, FightResult.party_dead] == 1, (4 / 20) ** turns)  # bob acts first in each of those rounds


# Countdowns, waves, the world ----------------------------------------------------------------------------------------


def ticks(game: str) -> tuple[Creature, Creature]:
    """One who takes one hit point a turn of an enemy who has four: it is over in round 4."""
    return person(game, "ann", spell(game, "1 fire", dc=CERTAIN), hp=5), person(game, "orc", hp=4)


def in_time(dice: int, lowest: int, rounds: int) -> float:
    """Return the chance that a pool has ended after so many rolls."""
    return float((1 - ((lowest - 1) / 6) ** rounds) ** dice)


@pytest.mark.sampled(4)
@at_each_count
@in_each_game
@pytest.mark.parametrize(("speed", "lowest", "seed"), [("slow", 6, 61), ("medium", 5, 62), ("fast", 4, 63)])
def test_a_countdown_runs_against_the_clock_of_the_fight(game, speed, lowest, seed, count):
    """It is rolled as each round begins, and kills as it ends."""
    pool = Countdown("tide", "Tide", dice=2, speed=speed, outcomes=(DealDamage("9 cold", "party"),))
    ann, orc = ticks(game)
    fights = fights_of(game, [ann], [orc], pool, seed=seed, count=count)
    is_chance(won_in(fights, 4), 1 - in_time(2, lowest, 4))
    for number in (1, 2, 3):
        ends = in_time(2, lowest, number) - in_time(2, lowest, number - 1)
        is_chance((fights[:, FightResult.outcome] == LOST) & (fights[:, FightResult.rounds] == number), ends)


@at_each_count
@in_each_game
def test_a_countdown_starts_the_next(game, count):
    first = Countdown("lull", "Lull", dice=1, speed="fast", outcomes=(StartCountdown("tide"),))
    then = Countdown("tide", "Tide", dice=1, speed="fast", starts=0, outcomes=(DealDamage("9 cold", "party"),))
    ann, orc = ticks(game)
    fights = fights_of(game, [ann], [orc], first, then, seed=66, count=count)
    lost = fights[:, FightResult.outcome] == LOST
    for number in (2, 3, 4):  # the sum of two waits
        is_chance(lost & (fights[:, FightResult.rounds] == number), (number - 1) / 2**number)


@at_each_count
@in_each_game
def test_a_wave_arrives_in_its_round(game, count):
    """Who hits half the time has three rounds before somebody comes who kills at once."""
    ann = person(game, "ann", spell(game, "9 fire", dc=11), hp=5)
    orc, ogre = person(game, "orc", hp=9), person(game, "ogre", spell(game, "40 fire", dc=CERTAIN), hp=99)
    encounter = small_fight(game, [ann], [orc, ogre], Wave("late", round=4), waves={"ogre": "late"})
    fights = play(sheet_of_fight(encounter, game)[0], SEEDS[game] + 71, count)
    fails = failure(game, 11)
    for number in (1, 2, 3):
        is_chance(won_in(fights, number), fails * (1 - fails) ** (number - 1))
    is_chance((fights[:, FightResult.outcome] == LOST) & (fights[:, FightResult.rounds] == 4), (1 - fails) ** 3)


@at_each_count
@in_each_game
def test_a_countdown_brings_a_wave(game, count):
    ann, orc = ticks(game)
    ogre = person(game, "ogre", spell(game, "40 fire", dc=CERTAIN), hp=99)
    pool = Countdown("horn", "Horn", dice=2, speed="fast", outcomes=(AddWave("late"),))
    encounter = small_fight(game, [ann], [orc, ogre], Wave("late"), pool, waves={"ogre": "late"})
    fights = play(sheet_of_fight(encounter, game)[0], SEEDS[game] + 76, count)
    is_chance(won_in(fights, 4), 1 - in_time(2, 4, 4))
    is_chance(
        (fights[:, FightResult.outcome] == LOST) & (fights[:, FightResult.rounds] == 2),
        in_time(2, 4, 2) - in_time(2, 4, 1),
    )


def pit(game: str, *, dc: int = 0, damage: str = "1d6 fire", **fields: Any) -> Environment:
    """Return surroundings with one world action."""
    save = SavingThrow("agi" if game == "action_points" else "dex", dc) if dc else None
    return Environment("pit", "Pit", actions=(EnvironmentEntry("burst", "Burst", save=save, damage=damage, **fields),))


def one_round(
    game: str, seed: int, count: int, *others: Record, hp: tuple[int, int] = (6, 6), **bob: Any
) -> np.ndarray:
    """Play fights of one round, which a friend who does not mind fire ends; ann and bob only stand there."""
    carl = person(game, "carl", spell(game, "99 cold", dc=CERTAIN), immunities=("fire",))
    party = [carl, person(game, "ann", hp=hp[0]), person(game, "bob", hp=hp[1], **bob)]
    fights = fights_of(game, party, [person(game, "orc", immunities=("fire",))], *others, seed=seed, count=count)
    assert np.all(won_in(fights, 1))
    return fights


@at_each_count
@in_each_game
def test_a_world_action_reaches_each_with_one_roll_and_saves_apart(game, count):
    fights = one_round(game, 81, count, pit(game, affects="each", dc=13))
    fails = failure(game, 13)
    is_chance(fights[:, FightResult.party_down] == 2, fails**2 / 6)
    is_chance(fights[:, FightResult.party_down] == 1, 2 * fails * (1 - fails) / 6)


@at_each_count
@in_each_game
def test_a_world_action_reaches_one_of_them(game, count):
    """Anyone of the four who fight; two of them mind fire."""
    fights = one_round(game, 82, count, pit(game, affects="one", dc=13))
    is_chance(fights[:, FightResult.party_down] == 1, 2 / 4 * failure(game, 13) / 6)
    assert not np.any(fights[:, FightResult.party_down] == 2)


@at_each_count
@in_each_game
def test_a_world_action_spares_in_part_or_whole(game, count):
    """Whoever is dressed for it takes 1d4 in place of 1d6, or nothing at all."""
    dressed = {"gear": ("cold-weather-gear",)}
    lesser = {"reduced": "cold-weather-gear", "reduced_damage": "1d4 fire"}
    fights = one_round(game, 83, count, pit(game, affects="each", **lesser), hp=(6, 4), **dressed)
    is_chance(fights[:, FightResult.party_down] == 2, 1 / 24)
    is_chance(fights[:, FightResult.party_down] == 1, 1 / 6 + 1 / 4 - 2 / 24)
    fights = one_round(
        game, 84, count, pit(game, affects="each", unaffected=("cold-weather-gear",)), hp=(6, 4), **dressed
    )
    is_chance(fights[:, FightResult.party_down] == 1, 1 / 6)


@at_each_count
@in_each_game
def test_a_world_action_is_ready_again_with_its_face(game, count):
    """Its face is rolled once it has acted, and again as each round begins; the second time is the end of ann."""
    ann, orc = person(game, "ann", hp=7), person(game, "orc", immunities=("fire",))
    place = pit(game, affects="each", damage="4 fire", recharge=5)
    fights = fights_of(game, [ann], [orc], place, seed=86, count=count)
    again = 1 / 3 + 2 / 3 * 1 / 3
    lost = fights[:, FightResult.outcome] == LOST
    is_chance(lost & (fights[:, FightResult.rounds] == 2), again)
    is_chance(lost & (fights[:, FightResult.rounds] == 3), (1 - again) / 3)


@at_each_count
@in_each_game
def test_a_countdown_sets_off_an_entry_of_its_place(game, count):
    burst = EnvironmentEntry(
        "burst", "Burst", trigger="disturbed", affects="each", damage="2d6 fire",
        save=SavingThrow("agi" if game == "action_points" else "dex", 13),
    )  # fmt: skip
    place = Environment("pit", "Pit", features=(burst,))
    pool = Countdown("fuse", "Fuse", dice=1, speed="fast", outcomes=(TriggerEntry("pit", "burst"),))
    fights = one_round(game, 88, count, place, pool, hp=(9, 9))
    hurt = failure(game, 13) * sum(one + two >= 9 for one in range(1, 7) for two in range(1, 7)) / 36
    is_chance(fights[:, FightResult.party_down] >= 1, 1 / 2 * (2 * hurt - failure(game, 13) * hurt))


@in_each_game
@pytest.mark.parametrize("first", ["entry", "wave"])
def test_a_countdown_calls_a_wave_in_the_order_of_its_outcomes(game, first):
    """A fire that only the wave minds kills it where the wave is there before the fire; else it kills ann before her third round."""
    ann = person(game, "ann", spell(game, "3 cold", dc=CERTAIN), hp=9, immunities=("fire",))
    orc = person(game, "orc", hp=9, immunities=("fire",))
    ogre = person(game, "ogre", spell(game, "40 cold", dc=CERTAIN), hp=9)
    place = Environment(
        "pit",
        "Pit",
        features=(EnvironmentEntry("burst", "Burst", trigger="disturbed", affects="each", damage="99 fire"),),
    )
    both = (TriggerEntry("pit", "burst"), AddWave("late"))
    pool = Countdown("fuse", "Fuse", dice=1, speed="fast", starts=1, outcomes=both if first == "entry" else both[::-1])
    encounter = small_fight(game, [ann], [orc, ogre], Wave("late"), place, pool, waves={"ogre": "late"})
    fights = play(sheet_of_fight(encounter, game)[0], SEEDS[game] + 90, 400)
    lost = float(np.mean(fights[:, FightResult.outcome] == LOST))
    assert lost < 0.05 if first == "wave" else lost > 0.65, lost  # some that are down get up again


@at_each_count
@in_each_game
def test_a_bear_bites_once_it_holds_its_prey(game, count):
    """Ann falls in the round after the first grip that takes hold."""
    held = InflictedCondition(SYSTEMS.get(game).role("grappled"), ends="owner-gone")
    grip = structs.replace(spell(game, "", dc=11), id="grip", name="Grip", afflictions=(held,))
    bite = structs.replace(spell(game, "200 cold", dc=CERTAIN), id="bite", name="Bite", when="holds")
    fights = fights_of(game, [person(game, "ann")], [person(game, "bear", grip, bite, hp=99)], seed=61, count=count)
    holds = failure(game, 11)
    for number in (2, 3, 4):
        fallen = (fights[:, FightResult.outcome] == LOST) & (fights[:, FightResult.rounds] == number)
        is_chance(fallen, holds * (1 - holds) ** (number - 2))


@at_each_count
@pytest.mark.parametrize(("condition", "value", "less"), [("frightened", 2, 2), ("sickened", 1, 1), ("clumsy", 2, 0)])
def test_a_condition_of_its_owner_lowers_the_dc_of_a_feature(condition, value, less, count):
    """Ann weakens the orc, which then has one turn to bring her down."""
    weakens = structs.replace(
        spell("pf2e", "", dc=CERTAIN), id="weaken", afflictions=(InflictedCondition(condition, value=value),)
    )
    ann, orc = person("pf2e", "ann", weakens), person("pf2e", "orc", spell("pf2e", "200 cold", dc=14))
    fights = fights_of("pf2e", [ann], [orc], seed=71, count=count)
    fallen = (fights[:, FightResult.outcome] == LOST) & (fights[:, FightResult.rounds] == 1)
    is_chance(fallen, failure("pf2e", 14 - less))


@at_each_count
@pytest.mark.parametrize(("condition", "misses"), [("dazzled", 4), ("clumsy", 0)])
def test_attacks_of_a_dazzled_creature_need_a_flat_check(condition, misses, count):
    """The orc always hits. It has three attacks to bring Ann down."""
    blow = spell("pf2e", "", dc=CERTAIN)
    blow = structs.replace(blow, id="dazzle", afflictions=(InflictedCondition(condition, lasts="1 round"),))
    fights = fights_of(
        "pf2e",
        [person("pf2e", "ann", blow)],
        [person("pf2e", "orc", blade("pf2e", attack=40, damage="60 slashing"))],
        seed=72,
        count=count,
    )
    fallen = (fights[:, FightResult.outcome] == LOST) & (fights[:, FightResult.rounds] == 1)
    is_chance(fallen, 1 - (misses / 20) ** 3)


@at_each_count
@pytest.mark.parametrize(("game", "hp"), [("a5e", 10), ("a5e", 5), ("dnd5e", 10), ("dnd5e", 5)])
def test_one_roll_of_who_sneaks_decides_about_all_others(game, hp, count):
    """The lurker falls in the first round if both strike, or with 5 hit points, if one does.

    Everyone rolls in one game. In the other, passive scores of 10 count, so that both are surprised or neither.
    """
    blow = spell(game, "5 cold", dc=CERTAIN)
    encounter = small_fight(
        game, [person(game, "ann", blow), person(game, "ben", blow)], [person(game, "lurker", hp=hp)]
    )
    lurker = encounter.need(RosterEntry, "lurker")
    sneaking = Change(key_of(lurker), lurker, structs.replace(lurker, sneaking=True))
    sheet, _ = sheet_of_fight(encounter.with_changes([sneaking]), game)
    fights = play(sheet, SEEDS[game] + 80 + hp, count)

    def acts(face: int) -> float:
        one = (21 - face) / 20 if game == "a5e" else float(face <= 10)
        both = one**2 if game == "a5e" else one
        return both if hp == 10 else 2 * one - both

    chance = sum(map(acts, FACES)) / 20
    is_chance(won_in(fights, 1), chance)
    is_chance(won_in(fights, 2), 1 - chance)
