"""What a command costs at 200 combatants: 10,000 commands, then 10,000 undos, each part first against last.

The cost must not grow with the history: the median of the last thousand is set against that of the first
thousand in the same run. Run: python benchmarks/bench_commands.py
"""

from __future__ import annotations

import statistics
import sys
import time

from turnwright.bootstrap import RuleSystems
from turnwright.encounter.prepared import Creature, RosterEntry, Scene
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Encounter
from turnwright.play.damage.commands.apply_damage import ApplyDamage
from turnwright.play.damage.commands.heal import Heal
from turnwright.play.kernel.commands import Command
from turnwright.play.session import Session
from turnwright.play.setup.commands.advance_setup import AdvanceSetup
from turnwright.play.setup.commands.start_encounter import StartEncounter
from turnwright.play.table.commands.set_dice import SetDice
from turnwright.play.turns.commands.end_turn import EndTurn

COMBATANTS, COMMANDS, SPAN, TARGET = 200, 10_000, 1_000, 1.2


def crowded_session() -> Session:
    """Return a fight of 200 in round 1, dice rolling by themselves."""
    creature = Creature(id="raider", name="Raider", hp=500)
    entry = RosterEntry(id="raiders", creature="raider", count=COMBATANTS)
    session = Session(Encounter([Scene(), creature, entry]), RuleSystems().get("a5e"))
    for command in (SetDice("roll", seed=1), StartEncounter(), AdvanceSetup(), AdvanceSetup(), AdvanceSetup()):
        session.do(command)
    return session


def commands(session: Session) -> list[Command]:
    """Return the same mix all along: damage with dice, a plain number, healing, and the end of a turn."""
    ids = [combatant.id for combatant in session.encounter.all(Combatant)]
    mix: list[Command] = []
    for number in range(COMMANDS):
        who = ids[number * 7 % len(ids)]
        mix.append(
            (
                ApplyDamage((who,), "2d6+3 fire"),
                ApplyDamage((who,), "4 cold"),
                Heal((who,), 9),
                EndTurn(),
            )[number % 4]
        )
    return mix


def timed(acts: list) -> list[float]:
    """Return the seconds of each act."""
    seconds = []
    for act in acts:
        start = time.perf_counter()
        act()
        seconds.append(time.perf_counter() - start)
    return seconds


def main() -> int:
    """Print both medians and their ratio for doing and for undoing; 1 where a ratio misses the target."""
    session = crowded_session()
    before = session.encounter
    done = timed([lambda command=command: session.do(command) for command in commands(session)])
    undone = timed([session.undo] * COMMANDS)
    if session.encounter != before:
        print("undoing everything did not lead back to the start")
        return 1
    worst = 0.0
    for name, seconds in (("commands", done), ("undos", undone)):
        first, last = (statistics.median(part) * 1e6 for part in (seconds[:SPAN], seconds[-SPAN:]))
        worst = max(worst, last / first)
        print(
            f"{name}: median of first {SPAN}: {first:.0f} µs, of last {SPAN}: {last:.0f} µs, ratio {last / first:.2f}"
        )
    print(f"target: at most {TARGET}")
    return int(worst > TARGET)


if __name__ == "__main__":
    sys.exit(main())
