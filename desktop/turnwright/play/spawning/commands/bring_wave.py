"""The command `BringWave`: bring in a wave by hand."""

from __future__ import annotations

from turnwright.encounter.field_specs import WaveId
from turnwright.encounter.state import Lookup
from turnwright.encounter.wave_names import wave_name
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.refusals import Refused
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.spawning.waves import BY_HAND, spawn_wave, waiting_waves
from turnwright.play.state.action_economy import require_running
from turnwright.rules.system import RuleSystem


@command(script="wave [{wave}]")
class BringWave(Command, frozen=True):
    """Bring in a wave of the roster now. Default: the first waiting wave."""

    wave: WaveId = ""

    def subject(self, _lookup: Lookup, /) -> str:
        """Return the wave's name."""
        return wave_name(self.wave)

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Bring in a wave, even if it has arrived before. By default, bring in the first waiting wave."""
        require_running(tx)
        wave = self.wave or next(iter(waiting_waves(tx)), "")
        if not wave:
            raise Refused("refused.no_wave")
        if not spawn_wave(tx, rules, wave, BY_HAND):
            raise Refused("refused.no_such_wave", params={"what": wave})
