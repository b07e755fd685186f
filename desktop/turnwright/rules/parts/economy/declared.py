"""Declared actions: the order in which they resolve, and the combatants that can react to them."""

from __future__ import annotations

from turnwright.encounter.procedure_state import Declaration
from turnwright.encounter.running import Combatant, Effect
from turnwright.encounter.state import Lookup
from turnwright.rules.parts.combatants.incapacitation import cannot_act
from turnwright.rules.parts.economy import resources
from turnwright.rules.system import RuleSystem


def can_be_reacted_to(lookup: Lookup, rules: RuleSystem) -> bool:
    """Return whether actions are declared first, so that every combatant is asked for a reaction."""
    settings = rules.data.reactions
    return settings.stack and not (settings.on_call and rules.has_option(lookup, settings.on_call))


def pending_declarations(lookup: Lookup) -> tuple[Declaration, ...]:
    """Return the unresolved declarations, in the order in which they were made."""
    return tuple(lookup.all(Declaration))


def resolution_order(lookup: Lookup) -> tuple[Declaration, ...]:
    """Return the declarations in the order in which they resolve: the newest first, moves last."""
    newest_first = pending_declarations(lookup)[::-1]
    return (
        *(declaration for declaration in newest_first if not declaration.is_movement),
        *(declaration for declaration in newest_first if declaration.is_movement),
    )


def newest_declaration(lookup: Lookup, who: str) -> Declaration | None:
    """Return a combatant's newest declaration."""
    return next(
        (declaration for declaration in reversed(pending_declarations(lookup)) if declaration.who == who),
        None,
    )


def reactors(lookup: Lookup, rules: RuleSystem) -> tuple[str, ...]:
    """Return the ids of combatants that can react: they can act, it isn't their turn, and they can pay for it."""
    return tuple(combatant.id for combatant in lookup.all(Combatant) if can_respond(lookup, rules, combatant.id))


def can_respond(lookup: Lookup, rules: RuleSystem, who: str) -> bool:
    """Return whether a combatant can react now. An unknown fact forbids nothing."""
    combatant = lookup.get(Combatant, who)
    if combatant is None or combatant.bystander or cannot_act(lookup, who) or resources.is_on_turn(lookup, who):
        return False
    if lookup.get(Effect, resources.reaction_mark_id(who)) is not None:
        return False
    stand_ins = {resource.instead for resource in rules.data.resources if resource.instead}
    return any(
        resources.remaining(lookup, who, name) > 0 and not resources.denial_vetoes(lookup, rules, who, name)
        for name in stand_ins
    )
