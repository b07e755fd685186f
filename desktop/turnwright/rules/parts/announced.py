"""What has been announced and can still be answered: in which order it is going to be done, and who may answer it."""

from __future__ import annotations

from turnwright.encounter.pending import Announcement
from turnwright.encounter.running import Combatant, Effect
from turnwright.encounter.state import Lookup
from turnwright.rules.parts import economy
from turnwright.rules.parts.fitness import is_unable
from turnwright.rules.system import RuleSystem


def is_asked(lookup: Lookup, rules: RuleSystem) -> bool:
    """Return whether what is done is announced first, and everybody asked who answers it."""
    figures = rules.catalogue.reactions
    return figures.stack and not (figures.on_call and rules.option(lookup, figures.on_call))


def pending(lookup: Lookup) -> tuple[Announcement, ...]:
    """Return what has been announced and not yet done, in the order of announcement."""
    return tuple(lookup.all(Announcement))


def in_turn(lookup: Lookup) -> tuple[Announcement, ...]:
    """Return what has been announced in the order in which it is going to be done: the newest first, moves last."""
    newest_first = pending(lookup)[::-1]
    return (*(one for one in newest_first if not one.moves), *(one for one in newest_first if one.moves))


def announced_by(lookup: Lookup, who: str) -> Announcement | None:
    """Return the newest thing that somebody has announced."""
    return next((one for one in reversed(pending(lookup)) if one.who == who), None)


def reactors(lookup: Lookup, rules: RuleSystem) -> tuple[str, ...]:
    """Return who may answer what is announced: all who can act, on nobody's turn but others', with something to pay it."""
    return tuple(one.id for one in lookup.all(Combatant) if may_answer(lookup, rules, one.id))


def may_answer(lookup: Lookup, rules: RuleSystem, who: str) -> bool:
    """Return whether somebody may react now. What nobody knows forbids nothing."""
    one = lookup.get(Combatant, who)
    if one is None or one.bystander or is_unable(lookup, who) or economy.on_turn(lookup, who):
        return False
    if lookup.get(Effect, economy.reacted_id(who)) is not None:
        return False
    stand_ins = {resource.instead for resource in rules.catalogue.resources if resource.instead}
    return any(
        economy.left(lookup, who, name) > 0 and not economy.denied(lookup, rules, who, name) for name in stand_ins
    )
