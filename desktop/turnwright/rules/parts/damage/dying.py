"""Rules for death saves, massive damage and fatigue."""

from __future__ import annotations

import re
from typing import Final

from turnwright.dice.roll import RollSpec
from turnwright.encounter.lookups import track_value
from turnwright.encounter.prepared import RosterEntry
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Lookup
from turnwright.rules.hooks import Hook, HookContext, HookResult, run_hooks
from turnwright.rules.system import RuleSystem, creature_of

FATIGUE: Final = "fatigue"  # tracks whose levels are cumulative
STRIFE: Final = "strife"
LEVEL_TRACKS: Final = (FATIGUE, STRIFE)
PENDING_FATIGUE, SPRINT_FATIGUE = "fatigue-pending", "fatigue-sprint"
DEATH_SAVE = "save.death"
SUCCESSES, FAILURES = "death-successes", "death-failures"
LEVEL = "level"
_HIT_DICE = re.compile(r"\s*(\d+)\s*d\s*\d+", re.IGNORECASE)


def makes_saves(lookup: Lookup, rules: RuleSystem, who: str) -> bool:
    """Return whether a combatant at 0 hit points is dying instead of dead, by its settings or as a character."""
    combatant = lookup.need(Combatant, who)
    return combatant.dying == "saves" if combatant.dying else is_character(lookup, rules, who)


def is_character(lookup: Lookup, rules: RuleSystem, who: str) -> bool:
    """Return whether a combatant is a character: it has a player, a level, a tag, or a level in the party."""
    combatant = lookup.need(Combatant, who)
    entry = lookup.get(RosterEntry, combatant.roster)
    creature = creature_of(lookup, combatant)
    has_level = rules.data.dying.leveled and (creature.level > 0 or (entry is not None and entry.level > 0))
    is_tagged = bool({*creature.tags} & {*rules.data.dying.saves_tags})
    is_member = entry is not None and entry.side == "party" and entry.level > 0
    return bool(combatant.player) or has_level or is_tagged or is_member


def level_conditions(rules: RuleSystem) -> dict[str, str]:
    """Map each track of levels to the condition that lasts while the track is above 0."""
    return {FATIGUE: rules.role("fatigue"), STRIFE: rules.role("strife")}


def zero_hp_conditions(rules: RuleSystem) -> tuple[str, ...]:
    """Return the conditions at 0 hit points: dying, stable and unconscious."""
    return rules.role("dying"), rules.role("stable"), rules.role("unconscious")


def death_save_modifiers(lookup: Lookup, rules: RuleSystem, who: str) -> HookResult:
    """Return the modifiers of a combatant's death save, including those to all saving throws."""
    return run_hooks(lookup, rules, Hook.CHECK_MADE, HookContext(who, DEATH_SAVE, tags=("death",)))


def death_save(lookup: Lookup, rules: RuleSystem, who: str) -> RollSpec:
    """Return the roll for a death save, which adds no ability modifier."""
    result = death_save_modifiers(lookup, rules, who)
    return rules.roll_spec(lookup, result.modifiers, result.edges, rules.expertise_dice(result.grants))


def massive_damage_threshold(lookup: Lookup, rules: RuleSystem, who: str) -> int | None:
    """Return a combatant's massive damage threshold, or None if both its level and its Hit Dice are unknown."""
    steps = level_or_hit_dice(lookup, who)
    settings = rules.data.dying.massive
    return None if steps is None else settings.base + settings.per_level * steps


def level_or_hit_dice(lookup: Lookup, who: str) -> int | None:
    """Return a combatant's level, or else the number of its Hit Dice (8 for `8d8+8`)."""
    combatant = lookup.need(Combatant, who)
    entry = lookup.get(RosterEntry, combatant.roster)
    creature = creature_of(lookup, combatant)
    level = (
        (entry.level if entry is not None else 0) or creature.level or dict(combatant.supplied_numbers).get(LEVEL, 0)
    )
    if level:
        return level
    hit_dice = _HIT_DICE.match(creature.hit_dice)
    return int(hit_dice[1]) if hit_dice else None


def effective_fatigue(lookup: Lookup, who: str) -> int:
    """Return the current levels of fatigue: those from before this encounter, and those from sprinting."""
    return track_value(lookup, who, FATIGUE) + track_value(lookup, who, SPRINT_FATIGUE)
