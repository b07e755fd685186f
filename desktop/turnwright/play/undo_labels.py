"""Labels of steps for the menu, so that undo can name the step it takes back."""

from __future__ import annotations

import re

from turnwright.encounter.running import Clock, Combatant, Slot
from turnwright.encounter.state import Lookup
from turnwright.encounter.wave_names import wave_name
from turnwright.play.kernel.commands import Command
from turnwright.play.kernel.events import Phrase, phrase
from turnwright.play.setup.commands.add import Add
from turnwright.play.setup.commands.add_to_encounter import AddToEncounter
from turnwright.play.setup.commands.bring_party import BringParty
from turnwright.play.setup.commands.edit import Edit
from turnwright.play.spawning.commands.bring_wave import BringWave
from turnwright.play.state.commands.set_relation import SetRelation
from turnwright.play.turns.commands.end_turn import EndTurn

_WORDS = re.compile(r"(?<=[a-z])(?=[A-Z])")


def label_of(command: Command, lookup: Lookup) -> Phrase:
    """Return the word key `step.<command>` with the name of the command's subject, where it has one."""
    key = "step." + _WORDS.sub("_", type(command).__name__).lower()
    return phrase(key, what=_subject(command, lookup))


def _subject(command: Command, lookup: Lookup) -> str:
    if isinstance(command, Edit):
        return str(getattr(command.record, "name", "") or getattr(command.record, "title", "") or command.record.id)
    if isinstance(command, AddToEncounter):
        return command.entry.name or command.creature.name
    if isinstance(command, Add):
        return ", ".join(str(getattr(record, "name", "") or record.id) for record in command.records)
    if isinstance(command, BringParty):
        return command.party.name
    if isinstance(command, BringWave):
        return wave_name(command.wave)
    who = getattr(command, "who", None) or getattr(command, "targets", None)
    if isinstance(command, SetRelation):
        who = (command.who, command.other)
    if isinstance(command, EndTurn):
        clock = lookup.get(Clock, "clock")
        slot = lookup.get(Slot, clock.active) if clock else None
        who = slot.members if slot else None
    ids = (who,) if isinstance(who, str) else tuple(who or ())
    return ", ".join(one.label if (one := lookup.get(Combatant, id)) else id for id in ids[:3]) + (
        " …" if len(ids) > 3 else ""
    )
