"""Facts about a single combatant: its effects, conditions, gear, resistances, speeds and phases.

An effect named `speed:fly` with the value 60 grants a fly speed of 60 ft while it lasts. Features are indexed by the
moment that triggers them, once for each stat block. Some combatants are controlled by another one and share its turn.
Devices such as traps are in the turn order too; `play.actions.action_effects` carries out attempts to disable them.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache
from typing import Any, Final, Literal, NamedTuple

import msgspec

from turnwright.dice.expression import Modifier
from turnwright.encounter.data_rules import DataRule
from turnwright.encounter.prepared import Creature, CreaturePhase, Feature, RosterEntry
from turnwright.encounter.procedure_state.damage import PHASE, PhaseBeginning
from turnwright.encounter.running import Combatant, Effect
from turnwright.encounter.state import Lookup, clock_of, find_effect, grouped, scene_of, track_value
from turnwright.rules.system import NO_RESULT, HookContext, HookResult, RuleSystem, StartProcedure, Veto, creature_of
from turnwright.rules.system_data.numbers import ActionCheck, ActionOption
from turnwright.rules.system_data.statements import facts_in


def conditions_with_effects(lookup: Lookup, rules: RuleSystem, who: str) -> list[tuple[str, Effect]]:
    """Return a combatant's conditions, including implied ones, each with the effect that causes it.

    Effects with the same name are in the order of their values, the greatest first.
    """
    causes: dict[str, Effect] = {}
    pairs: list[tuple[str, Effect]] = []
    for effect in lookup.of(Effect, who):
        waiting = [effect.name]
        while waiting:
            name = waiting.pop()
            if name == effect.name or name not in causes:
                pairs.append((name, effect))
                condition = rules.conditions.get(name)
                waiting += [implied for implied in condition.implies if implied not in causes] if condition else ()
                causes[name] = effect
    return sorted(pairs, key=lambda pair: (pair[0], -pair[1].value))


def condition_names(lookup: Lookup, rules: RuleSystem, who: str) -> set[str]:
    """Return the ids of a combatant's conditions, including implied ones."""
    names: set[str] = set()
    waiting = [effect.name for effect in lookup.of(Effect, who)]
    while waiting:
        name = waiting.pop()
        if name not in names:
            names.add(name)
            condition = rules.conditions.get(name)
            waiting += condition.implies if condition else ()
    return names


def count_sources(lookup: Lookup, who: str, word: str, kind: str) -> int:
    """Return the number of sources of a combatant's resistance, vulnerability or immunity to a type or condition.

    Rules of effects can deny a condition, here without a statement about its source. `word` is `resistant`, `vulnerable` or `immune`.
    """
    combatant = lookup.get(Combatant, who)
    if combatant is None:
        return 0
    creature = creature_of(lookup, combatant)
    entries = {
        "resistant": creature.resistances,
        "vulnerable": creature.vulnerabilities,
        "immune": (*creature.immunities, *creature.condition_immunities),
    }[word]
    effect_name = f"{word}:{kind}"
    return sum(1 for entry in entries if kind in (entry, split_value(entry)[0])) + sum(
        effect.name == effect_name
        or (word == "immune" and any((rule.kind, rule.what, rule.when) == ("deny", kind, "") for rule in effect.rules))
        for effect in lookup.of(Effect, who)
    )


def is_immune(lookup: Lookup, rules: RuleSystem, who: str, word: str) -> bool:
    """Return whether a combatant is immune to a damage type, a condition or a trait. Its own traits can make it immune."""
    tags = {tag for tag, immunity in rules.data.attack.tag_immunities if immunity == word}
    combatant = lookup.get(Combatant, who) if tags else None
    held = (effect.name for effect in lookup.of(Effect, who)) if tags else ()
    has_tag = combatant is not None and tags & {*creature_of(lookup, combatant).tags, *held}
    return bool(has_tag) or count_sources(lookup, who, "immune", word) > 0


def is_immune_to_traits(
    lookup: Lookup, rules: RuleSystem, who: str, traits: Collection[str], alone: Collection[str] = ()
) -> bool:
    """Return whether a combatant is immune to effects with these traits, or (`alone`) to such effects on single targets.

    A swarm, for example, is immune to mental effects on single targets.
    """
    word, combatant = rules.data.attack.single_immunity, lookup.get(Combatant, who)
    if not word or combatant is None:
        return False
    traits = (*traits, word) if {*rules.data.attack.single_effects} & {*alone} else traits
    has_feature = word in traits and any(each.id == word for each in creature_of(lookup, combatant).features)
    return has_feature or any(
        is_immune(lookup, rules, who, name) for each in traits for name in (each, f"{each}-effects")
    )


@lru_cache(4096)
def split_value(text: str) -> tuple[str, int]:
    """Split a text such as `fire 5` into a damage type and its number, which is 0 if missing."""
    name, _, number = text.rpartition(" ")
    return (name, int(number)) if name and number.isdigit() else (text, 0)


def gear_of(lookup: Lookup, who: str) -> tuple[str, ...]:
    """Return a combatant's gear, with its stat block's gear and specialties, and a shield with which it blocks."""
    combatant = lookup.get(Combatant, who)
    if combatant is None:
        return ()
    creature = creature_of(lookup, combatant)
    used = (word for feature in creature.features if feature.reduces for word in feature.properties)
    return (*combatant.gear, *creature.gear, *creature.specialties, *used)


def followers_of(lookup: Lookup, who: str) -> tuple[Combatant, ...]:
    """Return the creatures that a combatant controls, in the order in which they joined."""
    return tuple(combatant for combatant in lookup.all(Combatant) if combatant.controller == who)


def is_follower(lookup: Lookup, who: str) -> bool:
    """Return whether a combatant is controlled by another one in the fight."""
    combatant = lookup.get(Combatant, who)
    return combatant is not None and lookup.get(Combatant, combatant.controller) is not None


def cannot_act(lookup: Lookup, who: str) -> bool:
    """Return whether a combatant can't act because it is dead, removed, or at 0 hit points without being kept up."""
    combatant = lookup.get(Combatant, who)
    if combatant is None or combatant.dead:
        return True
    return combatant.hp <= 0 < combatant.hp_max and find_effect(lookup, who, KEPT_UP) is None


def cannot_act_vetoes(lookup: Lookup, rules: RuleSystem, who: str) -> tuple[Veto, ...]:
    """Return the veto on every action of a combatant that can't act, whatever the action costs."""
    if not cannot_act(lookup, who):
        return ()
    combatant = lookup.get(Combatant, who)
    return (Veto("refused.down", rules.rule_id("attack.down"), (("who", combatant.label if combatant else who),)),)


LENT_PREFIX = "speed:"
WALK, CRAWL, FLY, HOVER, JUMP = "walk", "crawl", "fly", "hover", "jump"


def speeds_of(lookup: Lookup, rules: RuleSystem, who: str) -> dict[str, Modifier]:
    """Return the base speed in feet for each mode, with its source. If a mode has two speeds, the better one counts."""
    creature = creature_of(lookup, lookup.need(Combatant, who))
    speeds = {mode: Modifier(feet, f"<speed.{mode}>", rules.rule_id("turn.speed")) for mode, feet in creature.speeds}
    for effect in lookup.of(Effect, who):
        if effect.name.startswith(LENT_PREFIX):
            reason = effect.source or f"<condition.{effect.name}>"
            lent = Modifier(effect.value, reason, rules.rule_id("move.additional-speeds"))
            _offer(speeds, effect.name.removeprefix(LENT_PREFIX), lent)
        for rule in effect.rules:
            mode = rule.what.removeprefix("speed.") if rule.kind == "modifier" else rule.what
            if mode != rule.what and rule.set == 0:
                speeds.pop(mode, None)
            elif mode != rule.what and (feet := max(rule.least or 0, rule.set or dict(creature.speeds).get(WALK, 0))):
                _offer(speeds, mode, Modifier(feet, effect.name, rule.ledger))
    if "astral" in scene_of(lookup).suspended:
        _offer(speeds, FLY, _thought_speed(rules, creature))
    leap = max((rules.modifier_of(creature, ability) for ability in rules.data.movement.leaps), default=0)
    if leap:
        feet = leap // rules.data.movement.leap_over
        _offer(speeds, JUMP, Modifier(feet, "why.leap", rules.rule_id("move.jump-speed")))
    if creature.hovers and FLY in speeds:
        _offer(speeds, HOVER, speeds[FLY])
    return {mode: speed for mode, speed in speeds.items() if speed.value > 0}


def form_rules(lookup: Lookup, rules: RuleSystem, who: str, form: str) -> tuple[DataRule, ...]:
    """Return the data rules for the size and the speeds of a form such as `Tiny bat (walk 5, fly 30)`."""
    sizes, words = [size.id for size in rules.data.sizes], re.findall(r"[a-z]+", form.lower())
    named = [
        DataRule("modifier", "size", set=sizes.index(word)) for word in words if word in sizes and "or" not in words
    ]
    own = dict(creature_of(lookup, lookup.need(Combatant, who)).speeds)
    changed = [(mode, 0) for mode in own if re.search(r"[(,] ?walk \d", form)]
    for mode, plus, feet in re.findall(r"(\w+) (\+?)(\d+)", form):
        changed.append((mode, int(feet) + (own.get(mode, 0) if plus else 0)))
    numbers = ((mode if mode in ("ac", "reach") else f"speed.{mode}", feet) for mode, feet in changed)
    return (*named, *(DataRule("modifier", what, set=feet) for what, feet in numbers))


def _offer(speeds: dict[str, Modifier], mode: str, speed: Modifier) -> None:
    current = speeds.get(mode)
    if current is None or current.value < speed.value:
        speeds[mode] = speed


def _thought_speed(rules: RuleSystem, creature: Creature) -> Modifier:
    """Return the speed of movement by thought on the astral plane."""
    settings = rules.data.movement
    by = settings.thought_step * rules.modifier_of(creature, settings.thought_ability)
    return Modifier(settings.thought_base + by, "why.thought", rules.rule_id("suspended.astral-speed"))


def phases_due(lookup: Lookup, who: str, hp_before: int) -> tuple[CreaturePhase, ...]:
    """Return the phases that start because a combatant's hit points have dropped from `hp_before`."""
    combatant = lookup.get(Combatant, who)
    if combatant is None or combatant.dead or combatant.bystander or combatant.hp >= hp_before:
        return ()
    reached = (phase for phase in _phases_left(lookup, combatant) if _is_reached(combatant, phase, combatant.hp))
    return tuple(phase for phase in reached if not (phase.reverts and _is_reached(combatant, phase, hp_before)))


def on_damage_taken(lookup: Lookup, rules: RuleSystem, context: HookContext) -> HookResult:
    """Return the phases that damage starts. Phases at 0 hit points start with the other effects of dropping to 0."""
    if context.amount <= 0 or lookup.need(Combatant, context.who).hp <= 0:
        return NO_RESULT
    due = phases_due(lookup, context.who, context.hp_before)
    if not due:
        return NO_RESULT
    beginning = PhaseBeginning(context.who, tuple(phase.id for phase in due))
    return HookResult(procedures=(StartProcedure(PHASE, beginning),))


def phase_due(lookup: Lookup, who: str, id: str) -> CreaturePhase | None:
    """Return a combatant's phase that is about to start, or None if its hit points have risen too high."""
    combatant = lookup.get(Combatant, who)
    if combatant is None or combatant.dead:
        return None
    candidates = (phase for phase in _phases_left(lookup, combatant) if phase.id == id)
    return next((phase for phase in candidates if _is_reached(combatant, phase, combatant.hp)), None)


def phases_in_force(lookup: Lookup, who: str) -> Iterator[CreaturePhase]:
    """Yield the phases of a combatant that have started and aren't over, in order."""
    combatant = lookup.get(Combatant, who)
    if combatant is None:
        return
    for phase in creature_of(lookup, combatant).phases:
        if _is_reached(combatant, phase, combatant.hp) if phase.reverts else phase.id in combatant.phases:
            yield phase


def legendary_actions(lookup: Lookup, who: str) -> int:
    """Return a combatant's current number of legendary actions per round."""
    changed = [phase.legendary for phase in phases_in_force(lookup, who) if phase.legendary]
    return changed[-1] if changed else creature_of(lookup, lookup.need(Combatant, who)).legendary


def _phases_left(lookup: Lookup, combatant: Combatant) -> tuple[CreaturePhase, ...]:
    """Return the phases of a combatant after the last one that has started, and all phases that revert."""
    phases = creature_of(lookup, combatant).phases
    last_started = max((place for place, phase in enumerate(phases) if phase.id in combatant.phases), default=-1)
    return tuple(phase for place, phase in enumerate(phases) if phase.reverts or place > last_started)


def _is_reached(combatant: Combatant, phase: CreaturePhase, hp: int) -> bool:
    """Return whether `hp` is low enough for a phase. At 0, only phases at 0 are reached."""
    if phase.reverts:
        return hp * 100 <= phase.at * combatant.hp_max
    return hp <= 0 if phase.at == 0 else 0 < hp * 100 <= phase.at * combatant.hp_max


USED: Final = ("struck-with", "struck-with-both-hands")  # marks: weapons used in the Attack action, by their grip
ATTACKED_WITH: Final = "attacked-with"  # mark: an attack on its creator with the weapon `source` this turn; 1: a hit
SUFFERED: Final = "suffered"  # mark: damage of this type (its source) was taken since the last turn started
DEALT_IN_TURN: Final = "dealt-in-turn"  # mark: the damage taken this turn, if a feature's statement counts it
# Mark: its creator has attacked `source` in melee since its turn began, from an unknown place.
ENGAGED: Final = "engaged"
KEPT_UP: Final = "kept-up"  # mark: one of its rules keeps the combatant conscious at 0 hit points
HEARD: Final = "heard"  # mark: up to its value in feet, it commands the creatures of the entry in the note together
SUMMONED: Final = "summoned"  # mark: it concentrates on the spell that brought the creatures of the entry in the note
NO_SUNLIGHT: Final = "no-sunlight"  # mark of the encounter: the game master said that its bright light isn't sunlight
JUST_HIT: Final = "just-hit"  # mark: its creator hit the combatant with the attack in its source, and then did nothing
SWITCHED_OFF: Final = "feature-off"  # mark: the feature in its source is switched off
MOST_INDEXES: Final = 4096
NO_FEATURES: Final[tuple[Feature, ...]] = ()


class TriggerIndex(NamedTuple):
    """The features of a stat block by trigger, and the damage types that their statements ask about."""

    features: Mapping[str, tuple[Feature, ...]]
    suffered: frozenset[str]


_INDEXES: dict[int, tuple[Creature, TriggerIndex]] = {}  # keyed by identity, because comparing stat blocks is slower


def trigger_index(creature: Creature) -> TriggerIndex:
    """Return the index of a stat block."""
    cached = _INDEXES.get(id(creature))
    if cached is not None and cached[0] is creature:
        return cached[1]
    if len(_INDEXES) >= MOST_INDEXES:
        _INDEXES.clear()
    index = _made(creature)
    _INDEXES[id(creature)] = creature, index
    return index


def features_at(creature: Creature, moment: str) -> tuple[Feature, ...]:
    """Return the features of a stat block that a moment triggers."""
    return trigger_index(creature).features.get(moment, NO_FEATURES)


def waiting_features(lookup: Lookup, who: str, moment: str) -> tuple[Feature, ...]:
    """Return the features of a combatant that a moment triggers, including those that effects left on it."""
    left = tuple(feature for feature in left_features(lookup, who) if feature.trigger == moment)
    return (*features_at(creature_of(lookup, lookup.need(Combatant, who)), moment), *left)


OF_OTHERS: Final = ("other-starts", "other-ends")  # moments of other combatants
LEFT: Final = "left-"  # begins the ids of features that effects left
# fields of a left feature that other features don't have
_OWN: Final = ("shares", "enters", "deflects", "deflects_on", "double_ac", "double_by", "kills", "inside", "higher")


def left_features(lookup: Lookup, who: str) -> Iterator[Feature]:
    """Yield the features that effects left on a combatant."""
    for effect in lookup.of(Effect, who):
        if (left := effect.leaves) is not None and not (left.deflects and left.save):
            fields: dict[str, Any] = {name: getattr(left, name) for name in left.__struct_fields__ if name not in _OWN}
            if left.deflects or left.does or left.deflects_on:
                fields |= {"automation": "asks" if left.does or not left.deflects_on else "", "text": effect.note}
            if left.trigger in OF_OTHERS:  # what a spell does to others, with its caster's concentration
                asks = "" if left.within else "asks"
                fields |= {"concentration": bool(effect.concentrator), "properties": ("spell",), "automation": asks}
            yield Feature(f"{LEFT}{effect.id}", effect.name, **fields)


def switched_off(lookup: Lookup, who: str) -> frozenset[str]:
    """Return the ids of a combatant's features that the game master has switched off for this encounter."""
    return frozenset(effect.source for effect in lookup.of(Effect, who) if effect.name == SWITCHED_OFF)


def wanted_plays(lookup: Lookup, rules: RuleSystem) -> Literal["", "asks", "reminds", "off"]:
    """Return the encounter's default for playing features: automatically (""), by asking, or as a reminder.

    `off` overrides the settings of all features.
    """
    if rules.has_option(lookup, rules.role("silences-features")):
        return "off"
    if rules.has_option(lookup, rules.role("reminds-of-features")):
        return "reminds"
    return "asks" if rules.has_option(lookup, rules.role("asks-for-features")) else ""


def _made(creature: Creature) -> TriggerIndex:
    by_moment = grouped((feature.trigger, feature) for feature in creature.features if feature.trigger)
    facts = (fact for feature in creature.features for fact in facts_in(feature.when))
    return TriggerIndex(
        {moment: tuple(features) for moment, features in by_moment.items()},
        frozenset(fact.argument for fact in facts if fact.word == SUFFERED),
    )


DISABLE = "disable"
PROGRESS = "disabling"  # the track that counts successes


def is_working_device(lookup: Lookup, rules: RuleSystem, who: str) -> bool:
    """Return whether a combatant is a device that hasn't been disabled yet."""
    settings = rules.data.dying.devices
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
    return tuple(pair for pair in creature_of(lookup, lookup.need(Combatant, who)).disable if pair[0] in skills)


def disable_progress(lookup: Lookup, who: str) -> tuple[int, int]:
    """Return the number of successes at disabling a device, and the number needed."""
    return track_value(lookup, who, PROGRESS), max(1, creature_of(lookup, lookup.need(Combatant, who)).disable_needs)


def is_surprise_open(lookup: Lookup, rules: RuleSystem) -> bool:
    """Return whether surprise isn't settled yet: some combatants sneak, and others may notice them."""
    if not rules.has_surprise or clock_of(lookup).surprise_settled:
        return False
    return len({combatant.sneaking for combatant in lookup.all(Combatant)}) > 1


LEVEL: Final = "level"
_HIT_DICE = re.compile(r"\s*(\d+)\s*d\s*\d+", re.IGNORECASE)


def level_or_hit_dice(lookup: Lookup, who: str) -> int | None:
    """Return a combatant's level, or else the number of its Hit Dice (8 for `8d8+8`)."""
    combatant = lookup.need(Combatant, who)
    entry = lookup.get(RosterEntry, combatant.roster)
    creature = creature_of(lookup, combatant)
    entered = entry.level if entry is not None else 0
    level = entered or creature.level or dict(combatant.supplied_numbers).get(LEVEL, 0)
    if level:
        return level
    hit_dice = _HIT_DICE.match(creature.hit_dice)
    return int(hit_dice[1]) if hit_dice else None
