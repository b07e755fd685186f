"""A fight in lines of text, to compare how it stood and stands."""

from __future__ import annotations

from turnwright.encounter.lookups import clock_of
from turnwright.encounter.prepared import Countdown
from turnwright.encounter.running import Combatant, CountdownPool, Effect, Slot, Snapshot
from turnwright.encounter.snapshots import encounter_at
from turnwright.encounter.state import Encounter
from turnwright.rules.system import creature_of
from turnwright.workspace.earlier_versions import changed_lines
from turnwright.workspace.text import Phrasebook


def fight_lines(encounter: Encounter, words: Phrasebook) -> list[str]:
    """Return the round and whose turn it is, each combatant with what can be seen of it, and each countdown."""
    clock = clock_of(encounter)
    slot = encounter.get(Slot, clock.active) if clock.active else None
    turn = [one.label for id in slot.members if (one := encounter.get(Combatant, id)) is not None] if slot else []
    lines = [words.text("snapshot.round", n=clock.round, who=", ".join(turn) or "–")]
    lines += [_combatant(encounter, one, words) for one in encounter.all(Combatant)]
    for pool in encounter.all(CountdownPool):
        countdown = encounter.get(Countdown, pool.countdown)
        lines.append(words.text("snapshot.pool", what=countdown.name if countdown else pool.countdown, n=pool.dice))
    return lines


def _combatant(encounter: Encounter, one: Combatant, words: Phrasebook) -> str:
    parts = [words.text("snapshot.hp", now=one.hp, maximum=one.hp_max)]
    parts += [words.text("snapshot.temporary", n=one.temp_hp)] if one.temp_hp else []
    parts += [words.text("snapshot.dead")] if one.dead else []
    parts += [words.text("snapshot.at", column=one.position[0], row=one.position[1])] if one.position else []
    shown = [effect for effect in encounter.of(Effect, one.id) if effect.shown]
    parts += [_effect(effect, words) for effect in shown]
    creature = creature_of(encounter, one).name
    who = one.label if creature in one.label else f"{one.label} ({creature})"
    return f"{who}: {', '.join(parts)}"


def _effect(effect: Effect, words: Phrasebook) -> str:
    name = words.expand_keys(f"<condition.{effect.name}>")
    return f"{name} {effect.value}" if effect.value else name


def snapshot_changes(encounter: Encounter, snapshot: Snapshot, words: Phrasebook) -> list[str]:
    """Return the lines that going back to a snapshot changes, marked with plus and minus; ValueError where it is unreadable."""
    then = encounter_at(encounter, snapshot)
    return changed_lines("\n".join(fight_lines(encounter, words)), "\n".join(fight_lines(then, words)))
