"""A fifth game for a test: one folder of data and one record, and nothing anywhere else."""

from __future__ import annotations

from pathlib import Path

from turnwright.bootstrap import RuleSystems
from turnwright.rules.parts import d20_family
from turnwright.storage.system_data import read_system_data

DATA = Path(__file__).parent / "data"
SYSTEMS = RuleSystems({"toy": lambda: d20_family.d20_system(read_system_data("toy", folder=DATA))})
