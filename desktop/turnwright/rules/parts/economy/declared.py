"""Declared actions: the order in which they resolve, and the combatants that can react to them."""

from __future__ import annotations

from turnwright.encounter.procedure_state import Declaration
from turnwright.encounter.running import Combatant, Effect
from turnwright.encounter.state import Lookup
from turnwright.rules.parts.combatants.incapacitation import cannot_act
from turnwright.rules.parts.economy import resources
from turnwright.rules.system import RuleSystem


def can_be_reacted_to(lookup: Lookup, rules: RuleSystem) -> bool:
    """Return whether actions are declared first, and every combatant is asked for a reaction."""
    figures = rules.data.reactions
    return figures.stack and not (figures.on_call and rules.has_option(lookup, figures.on_call))


def pending_declarations(lookup: Lookup) -> tuple[Declaration, ...]:
    """Return the declarations not yet resolved, in the order of declaration."""
    return tuple(lookup.all(Declaration))


def resolution_order(lookup: Lookup) -> tuple[Declaration, ...]:
    """Return the declarations in the order in which they resolve: the newest first, moves last."""
    newest_first = pending_declarations(lookup)[::-1]
    return (*(one for one in newest_first if not one.is_movement), *(one for one in newest_first if one.is_movement))


def newest_declaration(lookup: Lookup, who: str) -> Declaration | None:
    """Return the newest declaration of a combatant."""
    return next((one for one in reversed(pending_declarations(lookup)) if one.who == who), None)


def reactors(lookup: Lookup, rules: RuleSystem) -> tuple[str, ...]:
    """Return the ids of combatants that can react: able to act, off their turn, with something to pay."""
    return tuple(one.id for one in lookup.all(Combatant) if can_respond(lookup, rules, one.id))


def can_respond(lookup: Lookup, rules: RuleSystem, who: str) -> bool:
    """Return whether a combatant can react now. What is unknown forbids nothing."""
    one = lookup.get(Combatant, who)
    if one is None or one.bystander or cannot_act(lookup, who) or resources.is_on_turn(lookup, who):
        return False
    if lookup.get(Effect, resources.reaction_mark_id(who)) is not None:
        return False
    stand_ins = {resource.instead for resource in rules.data.resources if resource.instead}
    return any(
        resources.remaining(lookup, who, name) > 0 and not resources.denial_vetoes(lookup, rules, who, name)
        for name in stand_ins
    )
