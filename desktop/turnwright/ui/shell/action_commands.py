"""Commands of the window actions that need no further input."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from turnwright.play.damage.rest import Rest
from turnwright.play.kernel.commands import Command
from turnwright.play.spawning.waves import BringWave
from turnwright.play.table.dice import SetDice
from turnwright.play.turn_order.initiative_commands import RollInitiative
from turnwright.play.turns.encounter_end import EndEncounter

COMMANDS: Mapping[str, Command] = MappingProxyType(
    {
        "roll-initiative": RollInitiative(),
        "bring-wave": BringWave(),
        "dice-ask": SetDice("ask"),
        "dice-roll": SetDice("roll"),
        "rest-short": Rest("short"),
        "rest-long": Rest("long"),
        "rest-haven": Rest("long", haven=True),
        "end-encounter": EndEncounter(),
    }
)
