"""A forecast of more fights takes no more memory: they are played in batches, of which sums alone are kept."""

from __future__ import annotations

from turnwright.bootstrap import RuleSystems
from turnwright.encounter.state import scene_of
from turnwright.forecast.compiled import FightLoop
from turnwright.storage.encounters import read_encounter
from turnwright.storage.resources import sample_encounters
from turnwright.workspace.fight_forecast import BATCHES, run_forecast
from turnwright.workspace.kernel_library import await_kernels


def test_fights_are_played_in_batches_and_summed_up(monkeypatch):
    assert await_kernels()
    systems, real, played = RuleSystems(), FightLoop.play, []

    def noted(self, packed, seed, first, count):
        fights, sums = real(self, packed, seed, first, count)
        played.append((first, count, sums.size))
        return fights, sums

    monkeypatch.setattr(FightLoop, "play", noted)
    file = next(file for file in sample_encounters() if file.stem == "lantern-climb")
    encounter = read_encounter(file, systems.ids).encounter
    assert encounter is not None
    fights = 2 * BATCHES[-1] + 10
    found = run_forecast(encounter, systems.get(scene_of(encounter).system), fights, seed=1)
    assert found.outlook.fights == fights
    assert [(first, count) for first, count, _ in played] == [
        (0, BATCHES[-1]),
        (BATCHES[-1], BATCHES[-1]),
        (2 * BATCHES[-1], 10),
    ]
    assert len({size for *_, size in played}) == 1
