"""Vetoes on moves, each with its rule, for the move itself and for the window that previews it."""

from __future__ import annotations

from turnwright.encounter.lookups import scene_of, track_value
from turnwright.encounter.running import Combatant, Effect
from turnwright.encounter.state import Lookup
from turnwright.rules.explained_number import ExplainedNumber
from turnwright.rules.hooks import Veto
from turnwright.rules.parts import positions
from turnwright.rules.parts.combatants.facts import condition_names
from turnwright.rules.parts.combatants.incapacitation import cannot_act, cannot_act_vetoes
from turnwright.rules.parts.combatants.speeds import CRAWL, JUMP, speeds_of
from turnwright.rules.parts.environment.entries import ground_cost
from turnwright.rules.parts.movement.allowance import MOVED, effective_mode
from turnwright.rules.parts.movement.opportunity_attacks import can_react
from turnwright.rules.parts.movement.riding import movement_payer, moving_body, rider_vetoes
from turnwright.rules.parts.movement.strides import StepCost, point_vetoes
from turnwright.rules.system import MoveLeg, RuleSystem, label_of

DRAGGING = "dragging"


def move_vetoes(
    lookup: Lookup,
    rules: RuleSystem,
    who: str,
    leg: MoveLeg,
    price: ExplainedNumber,
    steps: tuple[StepCost, ...] | None = None,
) -> tuple[Veto, ...]:
    """Return the vetoes on a combatant's move at this cost.

    `steps` are the parts of the cost if movement is bought.
    """
    if cannot_act(lookup, who):
        return cannot_act_vetoes(lookup, rules, who)
    if rules.data.movement.bought:
        hard = ground_cost(lookup, leg.environment, turned=leg.turns_aside) is not None
        parts = steps if steps is not None else ((price.total, hard),)
        return (
            *mode_vetoes(lookup, rules, who, leg.mode),
            *point_vetoes(lookup, rules, who, leg.mode, parts, price.total),
            *_jump_height_vetoes(lookup, rules, who, leg),
        )
    return (
        *rider_vetoes(lookup, rules, who),
        *mode_vetoes(lookup, rules, who, leg.mode),
        *_cost_vetoes(lookup, rules, who, leg.mode, price),
        *_forward_vetoes(lookup, rules, who, leg.heading),
        *drag_vetoes(lookup, rules, who, leg.dragged),
    )


def mode_vetoes(lookup: Lookup, rules: RuleSystem, who: str, mode: str) -> tuple[Veto, ...]:
    """Return the vetoes on a mode of movement: prone combatants only crawl, and some modes need a speed."""
    way = effective_mode(lookup, rules, who, mode)
    if rules.role("prone") in condition_names(lookup, rules, moving_body(lookup, who)) and way != CRAWL:
        return (Veto("refused.prone_crawls", rules.rule_id("prone.crawl-only"), (("who", label_of(lookup, who)),)),)
    if rules.allowance(lookup, rules, who, mode) is None:
        params = (("mode", f"<speed.{way}>"), ("who", label_of(lookup, who)))
        return (Veto("refused.no_such_speed", rules.rule_id(f"move.{way}"), params),)
    return ()


def _cost_vetoes(lookup: Lookup, rules: RuleSystem, who: str, mode: str, price: ExplainedNumber) -> tuple[Veto, ...]:
    most = rules.allowance(lookup, rules, who, mode)
    if most is None:
        return ()
    spent = movement_spent(lookup, who)
    rest = max(0, most.total - spent)
    if price.total <= rest:
        return ()
    rule = next((part.rule for part in reversed(most.parts) if part.rule), rules.rule_id("turn.speed"))
    if spent and not most.replaced and _has_farther_mode(lookup, rules, who, most.total):
        rule = rules.rule_id("move.switch" if rest else "move.switch-blocked")
    return (Veto("refused.too_far", rule, (("left", rest), ("cost", price.total), ("who", label_of(lookup, who)))),)


def _jump_height_vetoes(lookup: Lookup, rules: RuleSystem, who: str, leg: MoveLeg) -> tuple[Veto, ...]:
    """Return the veto on a jump that goes too high."""
    most = rules.allowance(lookup, rules, who, JUMP)
    if leg.mode != JUMP or most is None or leg.feet_up <= most.total // rules.data.movement.leap_height_over:
        return ()
    high = most.total // rules.data.movement.leap_height_over
    return (
        Veto("refused.too_high", rules.rule_id("move.jump-height"), (("left", high), ("who", label_of(lookup, who)))),
    )


def _has_farther_mode(lookup: Lookup, rules: RuleSystem, who: str, feet: int) -> bool:
    """Return whether more than one mode reaches this far, so that the turn's movement may have been split."""
    allowances = [
        rules.allowance(lookup, rules, who, mode) for mode in speeds_of(lookup, rules, moving_body(lookup, who))
    ]
    return sum(1 for allowance in allowances if allowance is not None and allowance.total >= feet) > 1


def _forward_vetoes(lookup: Lookup, rules: RuleSystem, who: str, heading: str) -> tuple[Veto, ...]:
    """Return the veto on moving forward in a scene that moves itself, unless a condition such as dashing allows it."""
    scene = scene_of(lookup)
    enough = set(rules.data.movement.forward_after)
    if heading != "forward" or not scene.rolling or enough & condition_names(lookup, rules, moving_body(lookup, who)):
        return ()
    return (Veto("refused.no_forward", rules.rule_id("rolling.no-forward")),)


def drag_vetoes(lookup: Lookup, rules: RuleSystem, who: str, ally: str) -> tuple[Veto, ...]:
    """Return the vetoes on dragging a combatant."""
    if not ally or lookup.get(Combatant, ally) is None:
        return ()
    rule, name = rules.rule_id("drag.start"), label_of(lookup, ally)
    if rules.data.movement.drag_hold:
        is_held = grapples(lookup, rules, who, ally)
        return (
            () if is_held else (Veto("refused.drag_not_held", rule, (("what", name), ("who", label_of(lookup, who)))),)
        )
    if positions.are_hostile(lookup, who, ally) or ally == who:
        return (Veto("refused.drag_unwilling", rule, (("what", name),)),)
    if lookup.need(Combatant, ally).dead:
        return (Veto("refused.drag_dead", rule, (("what", name),)),)
    feet = positions.distance(lookup, rules, who, ally)
    if feet is not None and feet > rules.data.movement.drag_within:
        params = (("what", name), ("feet", feet), ("near", rules.data.movement.drag_within))
        return (Veto("refused.drag_too_far", rule, params),)
    if not is_dragging(lookup, who, ally) and not can_react(lookup, rules, who):
        return (Veto("refused.drag_reaction", rule, (("who", label_of(lookup, who)),)),)
    return ()


def grapples(lookup: Lookup, rules: RuleSystem, who: str, other: str) -> bool:
    """Return whether a combatant holds another with the condition that dragging requires."""
    name = rules.data.movement.drag_hold
    return any(effect.name == name and effect.by == who for effect in lookup.of(Effect, other) if name)


def is_dragging(lookup: Lookup, who: str, ally: str) -> bool:
    """Return whether a combatant is already dragging an ally this turn."""
    return any(effect.name == DRAGGING and effect.by == ally for effect in lookup.of(Effect, who))


def movement_spent(lookup: Lookup, who: str) -> int:
    """Return the movement in feet that a combatant has spent this turn."""
    return track_value(lookup, movement_payer(lookup, who), MOVED)
