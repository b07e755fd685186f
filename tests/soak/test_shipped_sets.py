"""Every creature of the generated sets fights three random rounds, and is the same after saving and loading."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rehearsals.eavesdropping import Eavesdropper, marked
from tests.rehearsals.encounters import game, random_encounter
from turnwright.cli.play import round_trip_problems
from turnwright.encounter.prepared import Creature
from turnwright.play.fuzz.runner import FuzzRun
from turnwright.storage.library.entries import library_text, read_library_file
from turnwright.storage.resources import resource_path

pytestmark = pytest.mark.soak

SETS = {"a5e/srd": 299, "dnd5e-2024/srd": 299, "pf2e/core": 299, "pf2e/hazards": 20}  # each with its least number
ROUNDS, KINDS = 3, 4


def creatures(folder: str) -> list[Creature]:
    records = (read_library_file(file)[0] for file in sorted(resource_path(f"library/{folder}").glob("*.toml")))
    return [one for one in records if isinstance(one, Creature)]


@pytest.mark.parametrize("folder", SETS)
def test_each_creature_fights_three_random_rounds(folder: str) -> None:
    system, bestiary = folder.partition("/")[0], creatures(folder)
    assert len(bestiary) >= SETS[folder]
    wrong: dict[str, object] = {}
    for at in range(0, len(bestiary), KINDS):
        drawn = bestiary[at : at + KINDS]
        session = Eavesdropper(random_encounter(at, system, KINDS, marked(drawn)), game(system))
        run = FuzzRun(session, at, lambda played: round_trip_problems(played.encounter, (system,)))
        report = run.play(ROUNDS)
        if found := (*report.problems, *session.unfit_texts()):
            wrong[", ".join(one.id for one in drawn)] = (found, report.last)
        if report.rounds != ROUNDS:
            wrong[", ".join(one.id for one in drawn)] = f"{report.rounds} rounds"
    assert wrong == {}


@pytest.mark.parametrize("folder", SETS)
def test_each_creature_is_the_same_after_saving_and_loading(folder: str, tmp_path: Path) -> None:
    system, file = folder.partition("/")[0], tmp_path / "creature.toml"
    for one in creatures(folder):
        file.write_text(library_text(one, system), encoding="utf-8")
        assert read_library_file(file) == (one, ()), one.id
