"""What is true of every encounter after every command, whatever was done: the checks that random play makes.

Each returns what is wrong in plain words, nothing where all is well. They say nothing of what people see.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from turnwright.encounter.pending import Procedure, Prompt
from turnwright.encounter.running import Clock, Combatant, Effect, Slot, Track
from turnwright.encounter.state import Encounter
from turnwright.play.session import Session


def problems(encounter: Encounter) -> list[str]:
    """Return everything that is wrong with an encounter as it stands."""
    return [f"{check.__name__}: {found}" for check in CHECKS for found in check(encounter)]


def nobody_above_maximum(encounter: Encounter) -> Iterator[str]:
    """Hit points lie between 0 and their maximum; whoever is dead has none."""
    for one in encounter.all(Combatant):
        if not 0 <= one.hp <= one.hp_max or one.temp_hp < 0:
            yield f"{one.id} has {one.hp} of {one.hp_max}, {one.temp_hp} temporary"
        if one.dead and one.hp:
            yield f"{one.id} is dead with {one.hp} hit points"


def no_negative_resources(encounter: Encounter) -> Iterator[str]:
    """No track is below 0 or, where it has a maximum, above it."""
    for track in encounter.all(Track):
        if track.value < 0 or (track.maximum and track.value > track.maximum):
            yield f"{track.id} is {track.value} of {track.maximum}"


def one_active_slot(encounter: Encounter) -> Iterator[str]:
    """The clock names one slot that there is, or none; nobody stands in two."""
    clock = encounter.get(Clock, "clock")
    if clock is not None and clock.active and encounter.get(Slot, clock.active) is None:
        yield f"the turn is that of {clock.active}, which is no slot"
    members = [who for slot in encounter.all(Slot) for who in slot.members]
    for who in {who for who in members if members.count(who) > 1}:
        yield f"{who} stands in the order twice"


def nothing_hangs_in_the_air(encounter: Encounter) -> Iterator[str]:
    """Effects, tracks, slots and prompts belong to somebody or something that is there."""
    there = {one.id for one in encounter.all(Combatant)}
    for effect in encounter.all(Effect):
        if effect.target and effect.target not in there:
            yield f"{effect.id} ({effect.name}) is on {effect.target}, who is not there"
    for track in encounter.all(Track):
        if track.owner not in there:
            yield f"{track.id} belongs to nobody there"
    for slot in encounter.all(Slot):
        if not set(slot.members) & there:
            yield f"{slot.id} has no member there"
    procedures = {procedure.id for procedure in encounter.all(Procedure)}
    for prompt in encounter.all(Prompt):
        if prompt.procedure not in procedures:
            yield f"{prompt.id} belongs to no procedure"
    for procedure in encounter.all(Procedure):
        if procedure.parent and procedure.parent not in procedures:
            yield f"{procedure.id} waits under {procedure.parent}, which is gone"


def nobody_rides_in_circles(encounter: Encounter) -> Iterator[str]:
    """Riders and followers have somebody else under or before them, and end at somebody who stands alone."""
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


Check = Callable[[Encounter], Iterator[str]]
CHECKS: tuple[Check, ...] = (
    nobody_above_maximum,
    no_negative_resources,
    one_active_slot,
    nothing_hangs_in_the_air,
    nobody_rides_in_circles,
)


def undo_and_redo_agree(session: Session) -> list[str]:
    """Take the last step back and bring it again; return what then differs."""
    after = session.encounter
    if not session.undo():
        return []
    session.redo()
    return [] if session.encounter == after else ["undo and redo of the last step lead elsewhere"]


def all_undone_and_redone(session: Session, first: Encounter) -> list[str]:
    """Take every step back, then bring all again; return what differs from the beginning or from now."""
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
