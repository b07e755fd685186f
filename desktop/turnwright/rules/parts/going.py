"""What forbids a move: each reason with its rule, for the one who moves and for the window that shows it beforehand."""

from __future__ import annotations

from turnwright.encounter.prepared import Scene
from turnwright.encounter.running import Combatant, Track
from turnwright.encounter.state import Lookup
from turnwright.rules.figures import Figure
from turnwright.rules.hooks import Veto
from turnwright.rules.parts import positions
from turnwright.rules.parts.fitness import is_unable, unable
from turnwright.rules.parts.movement import MOVED, PRONE, way_of
from turnwright.rules.parts.opportunity import may_react
from turnwright.rules.parts.pieces import Step, vetoes_on_points
from turnwright.rules.parts.riding import body_of, payer_of, seated_vetoes
from turnwright.rules.parts.speeds import CRAWL, JUMP, speeds_of
from turnwright.rules.parts.statements import condition_names, effects_on
from turnwright.rules.parts.surroundings import ground_cost
from turnwright.rules.system import Going, RuleSystem, label_of

DRAGGING, DRAGGED = "dragging", "dragged"


def vetoes_on(
    lookup: Lookup, rules: RuleSystem, who: str, going: Going, price: Figure, steps: tuple[Step, ...] | None = None
) -> tuple[Veto, ...]:
    """Return why somebody can't go like this for this price; `steps` are its parts where it is bought piece by piece."""
    if is_unable(lookup, who):
        return unable(lookup, rules, who)
    if rules.catalogue.movement.bought:
        hard = ground_cost(lookup, going.through, turned=going.turned) is not None
        parts = steps if steps is not None else ((price.total, hard),)
        return (
            *posture_vetoes(lookup, rules, who, going.mode),
            *vetoes_on_points(lookup, rules, who, going.mode, parts, price.total),
            *_too_high(lookup, rules, who, going),
        )
    return (
        *seated_vetoes(lookup, rules, who),
        *posture_vetoes(lookup, rules, who, going.mode),
        *_too_dear(lookup, rules, who, going.mode, price),
        *_ahead(lookup, rules, who, going.heading),
        *drag_vetoes(lookup, rules, who, going.drags),
    )


def posture_vetoes(lookup: Lookup, rules: RuleSystem, who: str, mode: str) -> tuple[Veto, ...]:
    """Return why somebody can't move in a way at all: the prone only crawl, and for some ways one needs a speed."""
    way = way_of(lookup, rules, who, mode)
    if PRONE in condition_names(lookup, rules, body_of(lookup, who)) and way != CRAWL:
        return (Veto("refused.prone_crawls", rules.cite("prone.crawl-only"), (("who", label_of(lookup, who)),)),)
    if rules.movement.allowance(lookup, rules, who, mode) is None:
        params = (("mode", f"<speed.{way}>"), ("who", label_of(lookup, who)))
        return (Veto("refused.no_such_speed", rules.cite(f"move.{way}"), params),)
    return ()


def _too_dear(lookup: Lookup, rules: RuleSystem, who: str, mode: str, price: Figure) -> tuple[Veto, ...]:
    most = rules.movement.allowance(lookup, rules, who, mode)
    if most is None:
        return ()
    moved = spent_of(lookup, who)
    rest = max(0, most.total - moved)
    if price.total <= rest:
        return ()
    rule = next((part.rule for part in reversed(most.parts) if part.rule), rules.cite("turn.speed"))
    if moved and not most.replaced and _has_farther_mode(lookup, rules, who, most.total):
        rule = rules.cite("move.switch" if rest else "move.switch-blocked")
    return (Veto("refused.too_far", rule, (("left", rest), ("cost", price.total), ("who", label_of(lookup, who)))),)


def _too_high(lookup: Lookup, rules: RuleSystem, who: str, going: Going) -> tuple[Veto, ...]:
    """Return why a jump can't lead so far up."""
    most = rules.movement.allowance(lookup, rules, who, JUMP)
    if going.mode != JUMP or most is None or going.up <= most.total // rules.catalogue.movement.leap_height_over:
        return ()
    high = most.total // rules.catalogue.movement.leap_height_over
    return (Veto("refused.too_high", rules.cite("move.jump-height"), (("left", high), ("who", label_of(lookup, who)))),)


def _has_farther_mode(lookup: Lookup, rules: RuleSystem, who: str, feet: int) -> bool:
    """Return whether some other way of moving reaches as far or farther: the turn's movement may have been split."""
    found = [
        rules.movement.allowance(lookup, rules, who, mode) for mode in speeds_of(lookup, rules, body_of(lookup, who))
    ]
    return sum(1 for one in found if one is not None and one.total >= feet) > 1


def _ahead(lookup: Lookup, rules: RuleSystem, who: str, heading: str) -> tuple[Veto, ...]:
    """Return why nobody gets ahead where all move along: that takes more than walking."""
    scene = lookup.get(Scene, "scene") or Scene()
    enough = set(rules.catalogue.movement.forward_after)
    if heading != "forward" or not scene.rolling or enough & condition_names(lookup, rules, body_of(lookup, who)):
        return ()
    return (Veto("refused.no_forward", rules.cite("rolling.no-forward")),)


def drag_vetoes(lookup: Lookup, rules: RuleSystem, who: str, ally: str) -> tuple[Veto, ...]:
    """Return why somebody can't pull another along."""
    if not ally or lookup.get(Combatant, ally) is None:
        return ()
    rule, name = rules.cite("drag.start"), label_of(lookup, ally)
    if rules.catalogue.movement.drag_hold:
        held = holds(lookup, rules, who, ally)
        return () if held else (Veto("refused.drag_not_held", rule, (("what", name), ("who", label_of(lookup, who)))),)
    if positions.hostile(lookup, who, ally) or ally == who:
        return (Veto("refused.drag_unwilling", rule, (("what", name),)),)
    if lookup.need(Combatant, ally).dead:
        return (Veto("refused.drag_dead", rule, (("what", name),)),)
    apart = positions.distance(lookup, rules, who, ally)
    if apart is not None and apart > rules.catalogue.movement.drag_within:
        return (Veto("refused.drag_too_far", rule, (("what", name),)),)
    if not has_hold(lookup, who, ally) and not may_react(lookup, rules, who):
        return (Veto("refused.drag_reaction", rule, (("who", label_of(lookup, who)),)),)
    return ()


def holds(lookup: Lookup, rules: RuleSystem, who: str, other: str) -> bool:
    """Return whether somebody holds another in the way by which the game lets them be pulled along."""
    name = rules.catalogue.movement.drag_hold
    return any(effect.name == name and effect.by == who for effect in effects_on(lookup, other) if name)


def has_hold(lookup: Lookup, who: str, ally: str) -> bool:
    """Return whether somebody has taken hold of an ally on this turn already."""
    return any(effect.name == DRAGGING and effect.by == ally for effect in effects_on(lookup, who))


def spent_of(lookup: Lookup, who: str) -> int:
    """Return the feet of movement spent on this turn."""
    moved = lookup.get(Track, f"{payer_of(lookup, who)}.{MOVED}")
    return moved.value if moved else 0
