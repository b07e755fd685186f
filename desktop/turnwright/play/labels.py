"""What a step is called in the menu, so that undo can say what it takes back."""

from __future__ import annotations

import re

from turnwright.encounter.naming import wave_name
from turnwright.encounter.running import Clock, Combatant, Slot
from turnwright.encounter.state import Lookup
from turnwright.play import commands
from turnwright.play.events import Phrase, phrase

_WORDS = re.compile(r"(?<=[a-z])(?=[A-Z])")


def label_of(command: commands.Command, lookup: Lookup) -> Phrase:
    """Return the word key `step.<command>` with the name of whom or what the command is about, where it has one."""
    key = "step." + _WORDS.sub("_", type(command).__name__).lower()
    return phrase(key, what=_subject(command, lookup))


def _subject(command: commands.Command, lookup: Lookup) -> str:
    if isinstance(command, commands.Edit):
        return str(getattr(command.record, "name", "") or getattr(command.record, "title", "") or command.record.id)
    if isinstance(command, commands.AddToEncounter):
        return command.entry.name or command.creature.name
    if isinstance(command, commands.Add):
        return ", ".join(str(getattr(record, "name", "") or record.id) for record in command.records)
    if isinstance(command, commands.BringParty):
        return command.party.name
    if isinstance(command, commands.BringWave):
        return wave_name(command.wave)
    who = getattr(command, "who", None) or getattr(command, "targets", None)
    if isinstance(command, commands.Relate):
        who = (command.one, command.other)
    if isinstance(command, commands.EndTurn):
        clock = lookup.get(Clock, "clock")
        slot = lookup.get(Slot, clock.active) if clock else None
        who = slot.members if slot else None
    ids = (who,) if isinstance(who, str) else tuple(who or ())
    return ", ".join(one.label if (one := lookup.get(Combatant, id)) else id for id in ids[:3]) + (
        " …" if len(ids) > 3 else ""
    )
