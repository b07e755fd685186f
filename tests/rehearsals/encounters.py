"""Encounters at random in any game: its creatures of the library and of the samples, in odd places, under odd rules."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import msgspec

from turnwright.bootstrap import RuleSystems
from turnwright.encounter.prepared import (
    AddWave,
    Announce,
    Area,
    Countdown,
    Creature,
    DealDamage,
    Map,
    Obstacle,
    RosterEntry,
    Scene,
    StartCountdown,
    TriggerEntry,
)
from turnwright.encounter.state import Encounter, Record
from turnwright.rules.system import RuleSystem
from turnwright.storage.encounters import read_encounter
from turnwright.storage.library.entries import read_library_file
from turnwright.storage.resources import resource_root

ROOT = Path(__file__).parents[2]
SIDES = ("party", "enemies", "beasts")
GAMES = RuleSystems()
GEAR = ("shield", "heavy-armor", "unencumbered")


@cache
def game(id: str) -> RuleSystem:
    """A game's rules over the shipped data."""
    return GAMES.get(id)


@cache
def creatures(system: str) -> tuple[Creature, ...]:
    """Every creature of a game that ships, in the library and in the samples."""
    found: list[Creature] = []
    for path in sorted((resource_root() / "library" / system).rglob("*.toml")):
        record, _ = read_library_file(path)
        assert isinstance(record, Creature), path
        found.append(record)
    for path in sorted((ROOT / "encounters").glob("*.toml")):
        encounter = read_encounter(path, set(GAMES.ids)).encounter
        assert encounter is not None, path
        if encounter.need(Scene, "scene").system != system:
            continue
        found += [msgspec.structs.replace(one, id=f"{path.stem}-{one.id}") for one in encounter.all(Creature)]
    return tuple(found)


def random_encounter(seed: int, system: str = "a5e", most: int = 6, bestiary: Sequence[Creature] = ()) -> Encounter:
    """An encounter of a game, with at most so many kinds of creatures, that this seed makes; the same one each time.

    The creatures are drawn from those that ship, or are all those of a `bestiary`.
    """
    chance = random.Random(seed)
    rules = game(system)
    field = _map(chance) if chance.random() < 0.6 else None
    drawn = bestiary or chance.sample(creatures(system), chance.randint(3, most))
    blocks = [_changed(chance, one, rules) for one in drawn]
    places = chance.sample(rules.data.environments, chance.randint(1, 3))
    if field is not None:
        areas = (Area("here", places[0].id, squares=((0, 0, 5, 5),)),)
        field = msgspec.structs.replace(field, areas=areas)
    records: list[Record] = [_scene(chance, rules), *blocks, *_roster(chance, blocks, field, rules), *places]
    records += [field] if field else []
    records += _countdowns(
        chance, places[0].id, places[0].actions[0].id if places[0].actions else places[0].features[0].id
    )
    return Encounter(records)


def _scene(chance: random.Random, rules: RuleSystem) -> Scene:
    options = [
        option.id if not option.default else f"not {option.id}"
        for option in rules.data.options
        if chance.random() < 0.25
    ]
    return Scene(
        title="At random",
        system=rules.data.id,
        strictness=chance.choice(("off", "warn", "enforce")),
        options=tuple(options),
        suspended=chance.choice(((), (), (), ("water",), ("sky",), ("astral",), ("water", "astral"), ("a mist",))),
        rolling=chance.random() < 0.15,
    )


def _changed(chance: random.Random, one: Creature, rules: RuleSystem) -> Creature:
    """A creature with some figures that its stat block need not have."""
    return msgspec.structs.replace(
        one,
        attacks=chance.randint(1, 3),
        extra_attack=chance.random() < 0.2,
        maneuver_dc=chance.choice((0, 12)),
        level=chance.choice((0, 0, 3)),
        passives=chance.choice(((), (("perception", 12),))),
        slots=chance.choice(((), (("1", 2), ("2", 1)))),
        legendary=chance.choice((0, 0, 0, 2)),
        gear=(*one.gear, *chance.sample(GEAR, 1)),
        specialties=chance.choice(((), ("tumbling",))),
        size=chance.choice((one.size, one.size, "tiny", "huge")),
        pools=one.pools or tuple((each.id, chance.randint(1, 4)) for each in rules.data.resources if each.own),
    )


def _roster(chance: random.Random, blocks: list[Creature], field: Map | None, rules: RuleSystem) -> list[RosterEntry]:
    entries = []
    ways = [one.id for one in rules.data.adjustments]
    for index, block in enumerate(blocks):
        count = chance.randint(1, 3)
        leader = blocks[0].id if index and chance.random() < 0.2 else ""
        entries.append(
            RosterEntry(
                block.id,
                block.id,
                count=count,
                side=SIDES[min(index % 3, chance.randint(0, 2))],
                player="Somebody" if chance.random() < 0.4 else "",
                sneaking=chance.random() < 0.2,
                wave="second" if index and chance.random() < 0.1 else "",
                positions=_squares(chance, field, count),
                elevation=chance.choice((0, 0, 0, 10)),
                controller=leader,
                group=bool(leader) and chance.random() < 0.6,
                rides=blocks[0].id if index and chance.random() < 0.1 else "",
                dying=chance.choice(("", "", "saves", "dies")),
                bystander=index > 1 and chance.random() < 0.1,
                adjustment=chance.choice(["", "", *ways]) if ways else "",
            )
        )
    return entries


def _squares(chance: random.Random, field: Map | None, count: int) -> tuple[tuple[int, int], ...]:
    if field is None:
        return ()
    return tuple((chance.randrange(field.columns), chance.randrange(field.rows)) for _ in range(count))


def _map(chance: random.Random) -> Map:
    columns, rows = chance.randint(6, 16), chance.randint(6, 16)

    def drawn(signs: str) -> str:
        return "\n".join("".join(chance.choice(signs) for _ in range(columns)) for _ in range(rows))

    return Map(
        columns=columns,
        rows=rows,
        diagonals=chance.choice(("equal", "alternating")),
        ground=drawn("......,,#~^"),
        heights=drawn("0000012"),
        light=drawn(".....:%"),
        walls=((2, 2, 2, 5), (4, 1, 7, 1)),
        windows=((5, 5, 5, 6),),
        curtains=((1, 4, 3, 4),),
        obstacles=(
            Obstacle("rock", "Rock", (3, 3), cover="three-quarters"),
            Obstacle("crate", "Crate", (5, 2), cover="half", ac=12, hp=5, flammable=True),
        ),
    )


def _countdowns(chance: random.Random, place: str, row: str) -> list[Countdown]:
    outcomes = [
        Announce("Time is up"),
        AddWave("second"),
        DealDamage("2d6 cold"),
        TriggerEntry(place, row),
        StartCountdown("later"),
    ]
    return [
        Countdown("soon", "Soon", dice=chance.randint(1, 4), speed="fast", outcomes=tuple(chance.sample(outcomes, 3))),
        Countdown("later", "Later", dice=2, starts=0, outcomes=(Announce("Later"),)),
    ]
