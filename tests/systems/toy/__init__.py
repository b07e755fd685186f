"""A fifth game for a test: one folder of data and one record, and nothing anywhere else."""

from __future__ import annotations

from pathlib import Path

from turnwright.bootstrap import RuleSystems
from turnwright.rules.parts import family
from turnwright.storage.systems import read_catalogue

DATA = Path(__file__).parent / "data"
SYSTEMS = RuleSystems({"toy": lambda: family.system(read_catalogue("toy", folder=DATA))})
