"""Every sample plays itself to round 10 with the likely answers and random deeds, and loses nothing on the way."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from tests.automatic import BareHands, acts, next_likely
from turnwright.bootstrap import RuleSystems
from turnwright.encounter.prepared import Scene
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.asks import Prompt
from turnwright.encounter.running import Clock, Combatant, CountdownPool, Slot, Track
from turnwright.encounter.state import Encounter, clock_of
from turnwright.play.session import Session
from turnwright.play.setup.encounter_course import StartEncounter
from turnwright.rules.system import RuleSystem
from turnwright.storage.resources import sample_encounters
from turnwright.workspace.document import Document, open_document

FILES = {file.stem: file for file in sample_encounters()}
SYSTEMS = RuleSystems()
SEEDS = range(7)
ROUNDS = 10
MOST_STEPS = 3_000


def opened(name: str, seed: int, folder: Path) -> Document:
    path = folder / f"{name}.toml"
    path.write_bytes(FILES[name].read_bytes())
    return open_document(path, RuleSystems(), folder / "state", seed=seed, dice="roll", locked=False)


def rules_of(encounter: Encounter) -> RuleSystem:
    return SYSTEMS.get(encounter.need(Scene, "scene").system)


def round_of(encounter: Encounter) -> int:
    return clock_of(encounter).round


def nothing_is_out_of_bounds(encounter: Encounter) -> None:
    for one in encounter.all(Combatant):
        assert rules_of(encounter).data.health.lowest(one.hp_max) <= one.hp <= one.hp_max
        assert one.temp_hp >= 0
    assert all(track.value >= 0 for track in encounter.all(Track))
    assert all((pool.dice > 0) == (pool.status in ("waiting", "running")) or pool.status == "stopped"
               for pool in encounter.all(CountdownPool))  # fmt: skip
    clock = encounter.need(Clock, "clock")
    assert not clock.active or encounter.get(Slot, clock.active) is not None
    procedures = set(encounter.ids(Procedure))
    assert all(prompt.procedure in procedures for prompt in encounter.all(Prompt))


def undone_and_had_again(session: Session, first: Encounter) -> None:
    ended, steps = session.encounter, session.history.depth
    for _ in range(steps):
        assert session.undo()
    assert session.encounter == first
    assert not session.undo()
    for _ in range(steps):
        assert session.redo()
    assert session.encounter == ended


def saved_and_loaded(document: Document, state: Path) -> None:
    document.save()
    assert document.path is not None
    again = open_document(document.path, RuleSystems(), state, locked=False)
    assert again.findings == ()
    assert again.encounter == document.encounter
    assert list(again.session.journal()) == list(document.session.journal())


# Turn and turn about, one sample goes by likely answers alone and the next by whatever comes to mind.
@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("name", "seed"),
    [
        pytest.param(name, seed, marks=() if seed == at % 2 else pytest.mark.soak)
        for at, name in enumerate(sorted(FILES))
        for seed in SEEDS
    ],
)
def test_a_fight_of_likely_answers_and_random_deeds_reaches_round_10(name, seed, tmp_path):
    document = opened(name, seed, tmp_path)
    session = document.session
    first, random, hands = session.encounter, Random(seed), BareHands(session)
    for _ in range(MOST_STEPS):
        if round_of(session.encounter) >= ROUNDS:
            break
        # Every other seed only goes on; the rest do whatever comes to mind.
        if seed % 2:
            acts(hands, random)
        else:
            session.do(next_likely(session.encounter))
        if any(True for _ in session.encounter.all(Clock)):
            nothing_is_out_of_bounds(session.encounter)
    assert round_of(session.encounter) == ROUNDS
    saved_and_loaded(document, tmp_path / "state")
    undone_and_had_again(session, first)


@pytest.mark.sampled(1)
@pytest.mark.parametrize("name", sorted(FILES))
def test_the_same_generator_does_the_same_again(name, tmp_path):
    def played() -> Session:
        encounter, random = opened(name, 3, tmp_path).session.encounter, Random(8)
        session = Session(encounter, rules_of(encounter))  # without the clock of the table, which the journal tells
        session.do(StartEncounter())
        for _ in range(120):
            acts(BareHands(session), random, least=1)
        return session

    first, second = played(), played()
    assert first.encounter == second.encounter
    assert list(first.journal()) == list(second.journal())
