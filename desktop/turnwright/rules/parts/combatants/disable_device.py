"""Devices in the turn order, such as traps: the checks that disable them, and the progress so far.

`play.actions.disable_device` carries out the attempt.
"""

from __future__ import annotations

import msgspec

from turnwright.encounter.lookups import track_value
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Lookup
from turnwright.rules.parts.combatants.facts import condition_names
from turnwright.rules.system import RuleSystem, creature_of
from turnwright.rules.system_data.actions import ActionCheck, ActionOption

DISABLE = "disable"
PROGRESS = "disabling"  # the track that counts successes


def is_working_device(lookup: Lookup, rules: RuleSystem, who: str) -> bool:
    """Return whether a combatant is a device that hasn't been disabled yet."""
    settings = rules.data.dying.things
    tags = creature_of(lookup, lookup.need(Combatant, who)).tags
    return bool({*tags} & {*settings.tags}) and settings.condition not in condition_names(lookup, rules, who)


def disable_action(
    lookup: Lookup, rules: RuleSystem, option: ActionOption, targets: tuple[str, ...], check: str, dc: int
) -> ActionOption:
    """Return an action to disable a device, with the check that this device requires.

    The stat block lists checks and their DCs. If it lists none, the game master has chosen one.
    """
    target = lookup.get(Combatant, targets[0]) if targets else None
    if option.done != DISABLE or target is None:
        return option
    abilities = {entry.id: entry.ability for entry in rules.data.skills}
    dcs = {f"check.{abilities[skill]}:{skill}": dc for skill, dc in disable_skills(lookup, rules, target.id)}
    rolls = tuple(dcs) or ((check,) if check else ())
    chosen_check = check or (rolls[0] if len(rolls) == 1 else "")
    return msgspec.structs.replace(option, trial=ActionCheck(rolls, dcs.get(chosen_check, dc), ledger=option.rule()))


def disable_skills(lookup: Lookup, rules: RuleSystem, who: str) -> tuple[tuple[str, int], ...]:
    """Return the skills that disable a device, each with its DC, as listed in the stat block."""
    skills = {skill.id for skill in rules.data.skills}
    own = creature_of(lookup, lookup.need(Combatant, who)).disable
    return tuple(pair for pair in own if pair[0] in skills)


def disable_progress(lookup: Lookup, who: str) -> tuple[int, int]:
    """Return the number of successes at disabling a device, and the number needed."""
    needed = creature_of(lookup, lookup.need(Combatant, who)).disable_needs
    return track_value(lookup, who, PROGRESS), max(1, needed)
