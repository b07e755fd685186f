"""Waves of reinforcements, which arrive in a round, by a trigger or by hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from turnwright.encounter.field_specs import WaveId
from turnwright.encounter.lookups import clock_of
from turnwright.encounter.prepared import RosterEntry, Wave, WaveTrigger
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.asks import Prompt
from turnwright.encounter.running import Clock, Combatant, WaveArrived
from turnwright.encounter.state import Lookup
from turnwright.encounter.wave_names import wave_name
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.transaction import Refused, Transaction
from turnwright.play.spawning.spawning import WaveJoined, begin_arrival, spawn_entries
from turnwright.play.state.action_economy import require_running
from turnwright.rules.system import RuleSystem

BY_HAND, BY_ROUND = "hand", "round"


def waiting_waves(lookup: Lookup) -> tuple[str, ...]:
    """Return the waves that haven't arrived yet, in roster order."""
    waves = dict.fromkeys(entry.wave for entry in lookup.all(RosterEntry) if entry.wave)
    return tuple(wave for wave in waves if lookup.get(WaveArrived, wave) is None)


def spawn_wave(tx: Transaction, rules: RuleSystem, wave: str, reason: str = "", parent: str = "") -> tuple[str, ...]:
    """Spawn all combatants of a wave, ask for their initiative, and return their ids. Report the `reason` if given."""
    entries = [entry for entry in tx.all(RosterEntry) if entry.wave == wave]
    if entries and reason:
        tx.emit(WaveJoined(wave=wave, why=reason))
    arrived = tuple(spawn_entries(tx, rules, entries))
    if arrived:
        tx.put(WaveArrived(wave, clock_of(tx).round))
        begin_arrival(tx, rules, arrived, parent)
    return arrived


def arrive_at_round(tx: Transaction, rules: RuleSystem, parent: str) -> None:
    """Bring in the waves due in this round. The round doesn't start until their initiative is known."""
    clock = tx.need(Clock, "clock")
    waiting = waiting_waves(tx)
    for wave in [wave for wave in tx.all(Wave) if 0 < wave.round <= clock.round]:
        if wave.id in waiting:
            spawn_wave(tx, rules, wave.id, BY_ROUND, parent)


def arrive_on_trigger(tx: Transaction, rules: RuleSystem) -> bool:
    """Bring in waves whose trigger has fired, unless a procedure is in progress. Return whether any wave arrived."""
    watched = [wave for wave in tx.all(Wave) if wave.when]
    if not watched or clock_of(tx).phase != "rounds" or _is_busy(tx):
        return False
    waiting = waiting_waves(tx)
    due = [wave for wave in watched if wave.id in waiting and is_triggered(tx, wave)]
    arrived = [spawn_wave(tx, rules, wave.id, wave.when) for wave in due]
    return any(arrived)


def _is_busy(tx: Transaction) -> bool:
    """Return whether a procedure is in progress. Procedures with an open prompt that doesn't block are ignored."""
    open_cards = {prompt.procedure for prompt in tx.all(Prompt) if not prompt.blocks}
    return any(procedure.id not in open_cards for procedure in tx.all(Procedure))


def is_triggered(lookup: Lookup, wave: Wave) -> bool:
    """Return whether the watched combatants meet a wave's trigger."""
    combatants = [
        combatant
        for combatant in lookup.all(Combatant)
        if combatant.hp_max > 0 and not combatant.bystander and _is_watched(lookup, wave, combatant)
    ]
    return bool(combatants and wave.when) and _SET_OFF[wave.when](combatants)


def _is_watched(lookup: Lookup, wave: Wave, combatant: Combatant) -> bool:
    if lookup.get(RosterEntry, wave.who) is not None:
        return combatant.roster == wave.who
    if wave.who:
        return combatant.side == wave.who
    return combatant.side not in {other.side for other in lookup.all(Combatant) if other.player}


def _has_fallen(combatant: Combatant) -> bool:
    return combatant.dead or combatant.hp <= 0


_SET_OFF: Mapping[WaveTrigger, Callable[[list[Combatant]], bool]] = MappingProxyType(
    {
        "half": lambda here: any(_has_fallen(one) or 2 * one.hp <= one.hp_max for one in here),
        "first-down": lambda here: any(_has_fallen(one) for one in here),
        "all-down": lambda here: all(_has_fallen(one) for one in here),
    }
)


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
