"""Describes a fight as lines of text, so that two states can be compared."""

from turnwright.encounter.prepared import Countdown
from turnwright.encounter.running import Combatant, CountdownPool, Effect, Slot, Snapshot
from turnwright.encounter.state import Encounter, clock_of, encounter_at
from turnwright.rules.system import creature_of
from turnwright.workspace.document import changed_lines
from turnwright.workspace.text import Phrasebook


def fight_lines(encounter: Encounter, words: Phrasebook) -> list[str]:
    """Return the round and the active turn, each combatant with its visible state, and each countdown."""
    clock = clock_of(encounter)
    slot = encounter.get(Slot, clock.active) if clock.active else None
    turn = [member.label for id in slot.members if (member := encounter.get(Combatant, id)) is not None] if slot else []
    lines = [words.text("snapshot.round", n=clock.round, who=", ".join(turn) or "–")]
    lines += [_combatant(encounter, combatant, words) for combatant in encounter.all(Combatant)]
    for pool in encounter.all(CountdownPool):
        countdown = encounter.get(Countdown, pool.countdown)
        lines.append(words.text("snapshot.pool", what=countdown.name if countdown else pool.countdown, n=pool.dice))
    return lines


def _combatant(encounter: Encounter, combatant: Combatant, words: Phrasebook) -> str:
    parts = [words.text("snapshot.hp", now=combatant.hp, maximum=combatant.hp_max)]
    parts += [words.text("snapshot.temporary", n=combatant.temp_hp)] if combatant.temp_hp else []
    parts += [words.text("snapshot.dead")] if combatant.dead else []
    if combatant.position:
        parts.append(words.text("snapshot.at", column=combatant.position[0], row=combatant.position[1]))
    effects = [effect for effect in encounter.of(Effect, combatant.id) if effect.shown]
    parts += [_effect(effect, words) for effect in effects]
    creature = creature_of(encounter, combatant).name
    who = combatant.label if creature in combatant.label else f"{combatant.label} ({creature})"
    return f"{who}: {', '.join(parts)}"


def _effect(effect: Effect, words: Phrasebook) -> str:
    name = words.expand_keys(f"<condition.{effect.name}>")
    return f"{name} {effect.value}" if effect.value else name


def snapshot_changes(encounter: Encounter, snapshot: Snapshot, words: Phrasebook) -> list[str]:
    """Return the lines that would change if a snapshot is restored, with plus and minus.

    Raise ValueError if the snapshot is unreadable.
    """
    then = encounter_at(encounter, snapshot)
    return changed_lines("\n".join(fight_lines(encounter, words)), "\n".join(fight_lines(then, words)))
