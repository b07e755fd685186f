"""Nothing secret reaches the players: encounters that differ in secrets alone give the same view."""

from __future__ import annotations

import random
from functools import cache

import msgspec
import pytest

from tests.players.twins import Twins
from turnwright.bootstrap import RuleSystems
from turnwright.encounter.lookups import scene_of
from turnwright.encounter.prepared import Countdown
from turnwright.encounter.running import Combatant, Effect, Slot
from turnwright.encounter.state import RECORD_TYPES, Encounter
from turnwright.play.fuzz.runner import FuzzRun
from turnwright.play.session import Session
from turnwright.players.compose import players_view
from turnwright.players.secrets import FIELDS
from turnwright.players.showing import Showing
from turnwright.storage.encounters import read_encounter
from turnwright.storage.resources import sample_encounters

SYSTEMS = RuleSystems()
FILES = {file.stem: file for file in sample_encounters()}
SAMPLES = ("cold-ford-bridge", "unquenched-works", "last-light", "bell-barge")


@cache
def fought(name: str, seed: int) -> Encounter:
    """A sample after some rounds of anything."""
    encounter = read_encounter(FILES[name], SYSTEMS.ids).encounter
    assert encounter is not None
    run = FuzzRun(Session(encounter, SYSTEMS.get(scene_of(encounter).system)), seed)
    run.play(1 + seed % 3)
    return run.encounter


def shown(name: str, seed: int) -> tuple[Encounter, Showing]:
    """A fight with some combatants hidden at random, and what is shown of it."""
    chance, encounter = random.Random(seed), fought(name, seed % 5)
    people = [one.id for one in encounter.all(Combatant)]
    records = [
        msgspec.structs.replace(one, hidden=chance.random() < 0.4)
        if isinstance(one, Combatant) and not one.player
        else one
        for one in encounter
    ]
    slots = [one.id for one in encounter.all(Slot)]
    if slots:
        records = [
            msgspec.structs.replace(one, phase="rounds", round=max(1, one.round), active=chance.choice([*slots, ""]))
            if one.table == "clock"
            else one
            for one in records
        ]
    if people:
        extra = [
            Effect(f"seen-{number}", who, "prone")
            for number, who in enumerate(chance.sample(people, min(3, len(people))))
        ]
        records += extra
    showing = Showing(
        known=frozenset(who for who in people if chance.random() < 0.5),
        names=tuple((who, f"The pale {number}") for number, who in enumerate(people) if chance.random() < 0.1),
        countdowns=frozenset(id for id in encounter.ids(Countdown) if chance.random() < 0.5),
        initiative=chance.random() < 0.5,
        health_of_others="words" if chance.random() < 0.8 else "nothing",
    )
    return Encounter(records), showing


def assert_alike(name: str, seed: int) -> None:
    encounter, showing = shown(name, seed)
    rules = SYSTEMS.get(scene_of(encounter).system)
    twin, shown_of_it = Twins(encounter, showing, seed).twin()
    for mode in ("order", "black", "dice"):
        one = players_view(encounter, rules, msgspec.structs.replace(showing, mode=mode))
        other = players_view(twin, rules, msgspec.structs.replace(shown_of_it, mode=mode))
        assert one == other, (name, seed, mode)
        assert "ZZ" not in repr(other)
        assert msgspec.json.encode(one) == msgspec.json.encode(other)


@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.parametrize("seed", range(15))
def test_secrets_change_nothing_that_players_see(name, seed):
    assert_alike(name, seed)


@pytest.mark.soak
def test_secrets_change_nothing_in_three_thousand_pairs():
    for seed in range(750):
        for name in SAMPLES:
            assert_alike(name, seed)


def test_the_pairs_show_something():
    views = [players_view(*_composed(name, seed)) for name in SAMPLES for seed in range(15)]
    rows = [row for view in views for row in view.order]
    assert len(rows) > 200
    assert any(row.active for row in rows)
    assert any(row.conditions for row in rows)
    assert {row.health for row in rows} >= {"", "unhurt", "hurt", "bloodied", "down"}
    assert any(view.countdowns for view in views)
    assert any(not row.name for row in rows)


def _composed(name: str, seed: int):
    encounter, showing = shown(name, seed)
    return encounter, SYSTEMS.get(scene_of(encounter).system), showing


def test_every_field_of_every_record_is_classified_once():
    for table, kind in RECORD_TYPES.items():
        names = FIELDS[table].names()
        assert sorted(names) == sorted(kind.__struct_fields__), (
            f"name each field of `{table}` once in players/secrets.py: under `never`, unless players may know it"
        )


@pytest.mark.parametrize(
    "table", [table for table in RECORD_TYPES if table not in ("dice", "ids", "clock", "map", "scene")]
)
def test_a_leaked_record_is_caught(table):
    """A view that held the secret fields of a kind of record would differ between twins."""
    if table in ("relations", "prompts", "procedures", "tracks", "announcements"):
        return  # taken away as a whole
    different = False
    for name in SAMPLES:
        for seed in range(15):
            encounter, showing = shown(name, seed)
            twin, _ = Twins(encounter, showing, seed).twin()
            kind = RECORD_TYPES[table]
            held = [[getattr(one, field) for field in FIELDS[table].never.split()] for one in encounter.all(kind)]
            other = [[getattr(one, field) for field in FIELDS[table].never.split()] for one in twin.all(kind)]
            different = different or (bool(held) and held != other)
        if different:
            break
    if any(fought(name, 0).ids(RECORD_TYPES[table]) for name in SAMPLES):
        assert different
