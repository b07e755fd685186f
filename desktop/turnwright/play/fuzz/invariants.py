"""Invariants of every encounter after every command, checked by random play.

Each check yields the problems it finds in plain words. They say nothing of what people see.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from turnwright.encounter.procedure_state import Declaration, Procedure
from turnwright.encounter.procedure_state.asks import Prompt
from turnwright.encounter.procedure_state.turns import TurnEnd
from turnwright.encounter.running import Clock, Combatant, Effect, Slot, Track
from turnwright.encounter.state import Encounter
from turnwright.play.session import Session
from turnwright.rules.parts.economy.resources import is_finite, maximum
from turnwright.rules.system import RuleSystem


def problems(encounter: Encounter, rules: RuleSystem | None = None) -> list[str]:
    """Return all problems of an encounter as it stands; with a system's rules, also violations of them."""
    found = [f"{check.__name__}: {wrong}" for check in CHECKS for wrong in check(encounter)]
    if rules is not None:
        found += [f"{check.__name__}: {wrong}" for check in SYSTEM_CHECKS for wrong in check(encounter, rules)]
    return found


def hit_points_are_bounded(encounter: Encounter) -> Iterator[str]:
    """Check that hit points lie between minus their maximum and it, and that the dead have none."""
    for one in encounter.all(Combatant):
        if not -one.hp_max <= one.hp <= one.hp_max or one.temp_hp < 0:
            yield f"{one.id} has {one.hp} of {one.hp_max}, {one.temp_hp} temporary"
        if one.dead and one.hp > 0:
            yield f"{one.id} is dead with {one.hp} hit points"


def no_negative_resources(encounter: Encounter) -> Iterator[str]:
    """Check that no track is below 0 or, where it has a maximum, above it."""
    for track in encounter.all(Track):
        if track.value < 0 or (track.maximum and track.value > track.maximum):
            yield f"{track.id} is {track.value} of {track.maximum}"


def one_active_slot(encounter: Encounter) -> Iterator[str]:
    """Check that the clock names an existing slot or none, and that no combatant is in two slots."""
    clock = encounter.get(Clock, "clock")
    if clock is not None and clock.active and encounter.get(Slot, clock.active) is None:
        yield f"the turn is that of {clock.active}, which is no slot"
    members = [who for slot in encounter.all(Slot) for who in slot.members]
    for who in {who for who in members if members.count(who) > 1}:
        yield f"{who} stands in the order twice"


def owners_exist(encounter: Encounter) -> Iterator[str]:
    """Check that effects, tracks, slots, prompts and procedures belong to records that exist.

    A slot whose last member has left on its own turn stays until that turn has ended.
    """
    there = {one.id for one in encounter.all(Combatant)}
    for effect in encounter.all(Effect):
        if effect.target and effect.target not in there:
            yield f"{effect.id} ({effect.name}) is on {effect.target}, who is not there"
    for track in encounter.all(Track):
        if track.owner not in there:
            yield f"{track.id} belongs to nobody there"
    ending = {one.data.slot for one in encounter.all(Procedure) if isinstance(one.data, TurnEnd)}
    for slot in encounter.all(Slot):
        if not set(slot.members) & there and slot.id not in ending:
            yield f"{slot.id} has no member there"
    procedures = {procedure.id for procedure in encounter.all(Procedure)}
    for prompt in encounter.all(Prompt):
        if prompt.procedure not in procedures:
            yield f"{prompt.id} belongs to no procedure"
    for procedure in encounter.all(Procedure):
        if procedure.parent and procedure.parent not in procedures:
            yield f"{procedure.id} waits under {procedure.parent}, which is gone"


def mounts_are_acyclic(encounter: Encounter) -> Iterator[str]:
    """Check that riders and followers form no circles."""
    for one in encounter.all(Combatant):
        for field in ("rides", "controller"):
            seen, at = {one.id}, getattr(one, field)
            while at:
                if at in seen:
                    yield f"{one.id} {field} in a circle"
                    break
                seen.add(at)
                following = encounter.get(Combatant, at)
                at = getattr(following, field) if following else ""


def waits_have_reasons(encounter: Encounter) -> Iterator[str]:
    """Check that every procedure waits for a prompt, a child or a declaration, and every prompt for an answer."""
    parents = {one.parent for one in encounter.all(Procedure)}
    waiting = {prompt.procedure for prompt in encounter.all(Prompt)} | parents
    waiting |= {one.procedure for one in encounter.all(Declaration)}
    for procedure in encounter.all(Procedure):
        if procedure.id not in waiting:
            yield f"{procedure.id} ({procedure.kind}, {procedure.stage}) waits for nothing"
    for prompt in encounter.all(Prompt):
        answered = {one.ask for one in prompt.answers}
        if prompt.procedure not in parents and all(one.id in answered for one in prompt.asks):
            yield f"{prompt.id} asks nothing any more"


def declarations_are_in_progress(encounter: Encounter) -> Iterator[str]:
    """Check that every declaration waits for an unfinished procedure."""
    under_way = {procedure.id for procedure in encounter.all(Procedure)}
    for one in encounter.all(Declaration):
        if one.procedure not in under_way:
            yield f"{one.id} is still announced, and nothing is under way for it"


def effect_values_are_valid(encounter: Encounter, rules: RuleSystem) -> Iterator[str]:
    """Check that conditions with a value have a value of at least 1."""
    for effect in encounter.all(Effect):
        condition = rules.conditions.get(effect.name)
        if condition is not None and condition.valued and effect.value < 1:
            yield f"{effect.id} ({effect.name}) stands at {effect.value}"


def hit_points_fit_system(encounter: Encounter, rules: RuleSystem) -> Iterator[str]:
    """Check that hit points and temporary hit points are within the system's limits."""
    health = rules.data.health
    for one in encounter.all(Combatant):
        most = health.most_temporary(one.hp_max)
        if one.hp < health.lowest(one.hp_max):
            yield f"{one.id} has {one.hp} hit points of {one.hp_max}"
        if most is not None and one.temp_hp > most:
            yield f"{one.id} has {one.temp_hp} temporary hit points, of {most} at most"


def resources_fit_system(encounter: Encounter, rules: RuleSystem) -> Iterator[str]:
    """Check that no combatant has more of a resource than its maximum."""
    for one in encounter.all(Combatant):
        for resource in rules.data.resources:
            if not is_finite(resource):
                continue
            track = encounter.get(Track, f"{one.id}.{resource.id}")
            if track is not None and track.value > max(maximum(encounter, one.id, resource), track.maximum):
                yield f"{one.id} has {track.value} of {resource.id}"


Check = Callable[[Encounter], Iterator[str]]
CHECKS: tuple[Check, ...] = (
    hit_points_are_bounded,
    no_negative_resources,
    one_active_slot,
    owners_exist,
    mounts_are_acyclic,
    waits_have_reasons,
    declarations_are_in_progress,
)
SYSTEM_CHECKS: tuple[Callable[[Encounter, RuleSystem], Iterator[str]], ...] = (
    effect_values_are_valid,
    hit_points_fit_system,
    resources_fit_system,
)


def undo_and_redo_agree(session: Session) -> list[str]:
    """Undo the last step and redo it; return any difference."""
    after = session.encounter
    if not session.undo():
        return []
    session.redo()
    return [] if session.encounter == after else ["undo and redo of the last step lead elsewhere"]


def all_undone_and_redone(session: Session, first: Encounter) -> list[str]:
    """Undo every step, then redo all; return any difference from the beginning or from now."""
    after, found = session.encounter, []
    steps = 0
    while session.undo():
        steps += 1
    if session.encounter != first:
        found.append("undoing everything does not lead to the beginning")
    for _ in range(steps):
        session.redo()
    if session.encounter != after:
        found.append("redoing everything does not lead back")
    return found
