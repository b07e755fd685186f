"""Moves from start to end: opportunity attacks, costs, interruptions, and environment effects on the way.

On a grid a move proceeds square by square, so a stopped move costs only the distance actually moved.
"""

import msgspec

from turnwright.battlemap.spaces import share_a_square
from turnwright.dice.expression import Modifier
from turnwright.encounter import field_specs, prepared, state
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.asks import Option, choice_ask, roll_ask
from turnwright.encounter.procedure_state.attacks import ATTACK, FEATURE_TRIGGER, AttackInProgress, FeatureTrigger
from turnwright.encounter.procedure_state.environment import ENVIRONMENT_EFFECT, EnvironmentEffect
from turnwright.encounter.procedure_state.movement import MOVE, THROWN_RIDER, Fall, ForcedDismount, MoveInProgress
from turnwright.encounter.running import Combatant, Duration, Effect
from turnwright.play.kernel.events import CombatantEvent, journal
from turnwright.play.kernel.scheduler import Answers, Next, ask, begin, choices_of, goto
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.state import action_economy, effect_records, events, position_changes
from turnwright.rules.parts.actions.triggered_features import LEAVES, MOVED_AWAY, entered_areas, follows, near_holders
from turnwright.rules.parts.checks.ability_checks import action_check_roll
from turnwright.rules.parts.combatants.facts import CRAWL, WALK, cannot_act, condition_names, waiting_features
from turnwright.rules.parts.conditions.condition_rules import feature_rules_of
from turnwright.rules.parts.environment.entries import current_map
from turnwright.rules.parts.movement import move_legs, routes
from turnwright.rules.parts.positions import geometry
from turnwright.rules.parts.positions.geometry import STRAIGHT_RUN, is_in_area, run_start, space
from turnwright.rules.system import ExplainedNumber, Hook, HookContext, label_of, run_hooks

REACTION = "reaction"
GRAPPLE_TAGS = ("grapple",)
YES, NO = "yes", "no"


@journal("journal.moved_at_cost")
class Moved(CombatantEvent, frozen=True):
    """A combatant moved `feet`, which cost `cost` feet of movement for the reasons given."""

    feet: int
    cost: int
    mode: field_specs.SpeedId
    why: tuple[Modifier, ...] = ()

    @property
    def journal_key(self) -> str:
        """Return the journal key, which depends on the mode and on whether the cost differs from the distance."""
        key = "journal.moved_walking" if self.mode == WALK else "journal.moved"
        return key if self.cost == self.feet else f"{key}_at_cost"


@journal("journal.dragged")
class Dragged(CombatantEvent, frozen=True):
    """A combatant grabbed an ally to drag it along."""

    ally: field_specs.CombatantId


@journal("journal.halted")
class MoveStopped(CombatantEvent, frozen=True):
    """An event during a move stopped it."""


def count_straight_run(tx: Transaction, who: str, here: prepared.Point | None, to: prepared.Point, feet: int) -> None:
    """Add a step to a combatant's straight run, or start a new run with it."""
    if here is None or here == to or "moved-straight" not in feature_rules_of(tx, who).words:
        return
    run = state.find_effect(tx, who, STRAIGHT_RUN)
    if run is not None and _is_continued(run, here, to):
        tx.update(run, value=run.value + feet)
        return
    start = f"{here[0]},{here[1]}"
    if run is not None:
        tx.update(run, value=feet, end_condition=start)
        return
    ends = Duration("turn")
    effect_records.put_effect(
        tx, Effect(tx.next_id("effect"), who, STRAIGHT_RUN, value=feet, ends=ends, shown=False, end_condition=start)
    )


def _is_continued(run: Effect, here: prepared.Point, to: prepared.Point) -> bool:
    """Return whether a step continues a straight run in the same direction."""
    start = run_start(run)
    return routes.is_straight([(0, 0), *((at[0] - start[0], at[1] - start[1]) for at in (here, to))])


def tumbles_in_use(tx: Transaction, who: str) -> list[Effect]:
    """Return the tumble effects that let a combatant share the enemy's space it is in."""
    return [
        one for one in tx.of(Effect, who) if one.name == tx.role("moving-through") and _shares_space(tx, who, one.by)
    ]


def end_tumbles(tx: Transaction, who: str, tumbles: list[Effect]) -> None:
    """Use up the tumble effects for enemy spaces that a combatant has left."""
    effect_records.consume_effects(tx, (tumble.id for tumble in tumbles if not _shares_space(tx, who, tumble.by)))


def _shares_space(tx: Transaction, who: str, other: str) -> bool:
    field, here, there = current_map(tx), space(tx, tx.rules, who), space(tx, tx.rules, other)
    return field is not None and here is not None and there is not None and share_a_square(here, there, field.cell)


def begin_move(tx: Transaction, move: MoveInProgress, parent: str = "") -> Procedure:
    """Begin a move that has passed its checks, and grab an ally who will be dragged."""
    if not move.free and grappler_of(tx, move.who):
        return begin(tx, MOVE.ask_break_grapple, move, parent)
    fresh = bool(move.dragged) and not routes.is_dragging(tx, move.who, move.dragged)
    if fresh and tx.rules.has_option(tx, tx.role("asks-drag-grip")):
        return begin(tx, MOVE.ask_drag_grip, move, parent)
    _take_hold(tx, move)
    return begin(tx, MOVE.step, move, parent)


def grappler_of(tx: Transaction, who: str) -> str:
    """Return the combatant whose grapple must be broken before moving, or an empty string."""
    name = tx.rules.data.movement.held_by
    grapplers = (effect.by for effect in tx.of(Effect, who) if name and effect.name == name)
    return next((by for by in grapplers if tx.get(Combatant, by) is not None), "")


def ask_break_grapple(tx: Transaction, procedure: Procedure, data: MoveInProgress, answers: Answers) -> Next:
    """Ask for the contest that a grappled combatant must win before it can move."""
    holder, check_key = grappler_of(tx, data.who), tx.rules.data.movement.held_roll
    if not holder:
        return goto(procedure, MOVE.step)
    rule = tx.rule_id("move.held")
    sides = ((data.who, holder), (holder, data.who))
    rolled = [(who, action_check_roll(tx, tx.rules, who, check_key, other, GRAPPLE_TAGS)) for who, other in sides]
    asks = [roll_ask(who, "ask.check", f"<{check_key}>", spec, rule=rule) for who, spec in rolled]
    return ask(tx, goto(procedure, MOVE.after_break_grapple), "prompt.held", asks, subject=label_of(tx, data.who))


def after_break_grapple(tx: Transaction, procedure: Procedure, data: MoveInProgress, answers: Answers) -> Next:
    """Continue the move if the mover won the contest. On a tie, the grapple remains. A lost contest costs the move."""
    holder, check_key = grappler_of(tx, data.who), tx.rules.data.movement.held_roll
    rolls = {who: answer.roll for who, answer in answers.items() if answer.roll is not None}
    own_total, holder_total = (rolls[who].total if who in rolls else None for who in (data.who, holder))
    won = own_total is not None and holder_total is not None and own_total > holder_total
    for who, roll in rolls.items():
        check = events.Rolled(
            who=who, purpose="ask.check", roll=roll, detail=f"<{check_key}>", rule=tx.rule_id("move.held")
        )
        won_against = msgspec.structs.replace(check, dc=holder_total or 0, passed=won, opponent=holder)
        tx.emit(won_against if who == data.who else check)
    if won:
        return goto(procedure, MOVE.step)
    action_economy.lose_stride(tx, data.who, data.mode)
    tx.emit(MoveStopped(who=data.who, rule=tx.rule_id("move.held")))
    return None


def _take_hold(tx: Transaction, move: MoveInProgress) -> None:
    """Grab an ally for the turn, at the cost of dragging. The ally can't react until the move ends."""
    if not move.dragged or routes.grapples(tx, tx.rules, move.who, move.dragged):
        return
    if not routes.is_dragging(tx, move.who, move.dragged):
        action_economy.spend(tx, move.who, tx.rules.data.movement.drag_cost)
        hold = Effect(
            tx.next_id("effect"), move.who, routes.DRAGGING, ends=Duration("turn"), shown=False, by=move.dragged
        )
        effect_records.put_effect(tx, hold)
        tx.emit(Dragged(who=move.who, ally=move.dragged, rule=tx.rule_id("drag.start")))
    held = Effect(
        tx.next_id("effect"), move.dragged, tx.role("dragged"), ends=Duration("turn"), shown=False, by=move.who
    )
    effect_records.put_effect(tx, held)


def ask_drag_grip(tx: Transaction, procedure: Procedure, data: MoveInProgress, answers: Answers) -> Procedure:
    """Ask, under a house rule, whether the ally is adjacent and has a hand that can be held."""
    options = (Option(YES, "option.yes"), Option(NO, "option.no"))
    question = choice_ask("grip", "ask.grip", options, detail=label_of(tx, data.dragged), rule=tx.rule_id("drag.grip"))
    return ask(tx, goto(procedure, MOVE.after_drag_grip), "prompt.grip", [question], subject=label_of(tx, data.who))


def after_drag_grip(tx: Transaction, procedure: Procedure, data: MoveInProgress, answers: Answers) -> Next:
    """Continue the move with the ally held. If it can't be held, end the move at no cost."""
    if YES not in choices_of(answers, "grip") or tx.get(Combatant, data.dragged) is None:
        return None
    _take_hold(tx, data)
    return goto(procedure, MOVE.step)


def step(tx: Transaction, procedure: Procedure, data: MoveInProgress, answers: Answers) -> Next:
    """Make pending opportunity attacks, then move until something interrupts the move or it is over."""
    if not data.body:
        data = msgspec.structs.replace(data, body=move_legs.moving_body(tx, data.who))
    if _wait_for_fall(tx, procedure, data):
        return goto(procedure, MOVE.step, data)
    if data.opportunity_attacks:
        (_, target, _), *_ = data.opportunity_attacks
        if _is_stopped(tx, data) or cannot_act(tx, target):
            return goto(procedure, MOVE.step, _withdrawn(data))
        _make_opportunity_attack(tx, procedure, data.opportunity_attacks[0])
        return goto(procedure, MOVE.step, data, opportunity_attacks=data.opportunity_attacks[1:])
    while data.squares_entered < (len(data.path) or 1):
        if data.disrupted:
            action_economy.lose_stride(tx, data.who, data.mode)
        if data.disrupted or _is_stopped(tx, data):
            _report(tx, data)
            tx.emit(MoveStopped(who=data.who, bookkeeping=state.is_out_of_play(tx, data.who)))
            _end(tx, data)
            return None
        leg = move_legs.next_leg(tx, tx.rules, data)
        reacting = _begin_reactions(tx, procedure, data)
        if reacting:
            offered, procedure = (*data.reactions_offered, *reacting), tx.need(Procedure, procedure.id)
            return goto(procedure, MOVE.step, _reported(tx, data), reactions_offered=offered)
        if _offer(tx, procedure, data, leg):
            return goto(procedure, MOVE.after_opportunities, _reported(tx, data))
        before = _distances_to_holders(tx, data)
        data = _move_leg(tx, data, leg)
        near = _begin_near(tx, data, before, procedure.id)
        if _begin_ground_effects(tx, data, leg, procedure.id) or near:
            return goto(procedure, MOVE.step, _reported(tx, data))
    _report(tx, data)
    _end(tx, data)
    return None


def _wait_for_fall(tx: Transaction, procedure: Procedure, data: MoveInProgress) -> bool:
    """Make a walk wait until a mover has fallen or been thrown where it is. Return whether it has to wait."""
    movers = {data.who, *move_legs.moving_with(tx, data.who)} if not data.free else set()
    falls = [fall for fall in tx.all(Procedure) if not fall.parent and _faller(fall) in movers]
    for fall in falls:
        tx.update(fall, parent=procedure.id)
    return bool(falls)


def _faller(procedure: Procedure) -> str:
    """Return the combatant that falls or is thrown in a procedure, or an empty string."""
    data = procedure.data
    return data.rider if isinstance(data, ForcedDismount) else data.who if isinstance(data, Fall) else ""


def after_opportunities(tx: Transaction, procedure: Procedure, data: MoveInProgress, answers: Answers) -> Procedure:
    """Make the first accepted opportunity attack, and store the others: attacker, target and weapon."""
    accepted = [
        (who, weapon_choice.partition(" ")) for who, weapon_choice in action_economy.accepted_reactions(answers)
    ]
    attacks = tuple((who, target, weapon) for who, (target, _, weapon) in accepted)
    offered = (*data.reactions_offered, *answers)
    for attack in attacks[:1]:
        _make_opportunity_attack(tx, procedure, attack)
    return goto(procedure, MOVE.step, opportunity_attacks=attacks[1:], reactions_offered=offered)


def _withdrawn(data: MoveInProgress) -> MoveInProgress:
    """Return a move without its pending opportunity attacks. If it continues, their attackers are asked again."""
    waiting = {attacker for attacker, _, _ in data.opportunity_attacks}
    offered = tuple(who for who in data.reactions_offered if who not in waiting)
    return msgspec.structs.replace(data, opportunity_attacks=(), reactions_offered=offered)


def _begin_reactions(tx: Transaction, procedure: Procedure, data: MoveInProgress) -> tuple[str, ...]:
    """Begin enemies' reactions to movement within their reach, in a game without opportunity attacks.

    Return the asked enemies. Each is asked only once per move, and again after it about following the mover.
    """
    if tx.rules.data.movement.opportunity or data.free:
        return ()
    if move_legs.avoids_opportunity_attacks(tx, tx.rules, data.who, data.mode):
        return ()
    stride = tx.get(Effect, move_legs.stride_id(move_legs.moving_body(tx, data.who)))
    continues = (
        stride is not None and stride.note and move_legs.current_stride(tx, tx.rules, data.who, data.mode).remaining > 0
    )
    action = tx.rules.actions.get(stride.note) if stride and continues else move_legs.stride_action(tx.rules, data.mode)
    if action is None or not action.provokes:
        return ()
    left = (f"{LEAVES}{foe}" for foe in data.leaves_reach_of)
    result = run_hooks(tx, tx.rules, Hook.FOE_ACTED, HookContext(data.who, "move", tags=("moving", MOVED_AWAY, *left)))
    triggers = (started.data for started in result.procedures if isinstance(started.data, FeatureTrigger))
    new = [each for trigger in triggers for each in trigger.waiting if each.who not in data.reactions_offered]
    for parent, later in ((procedure.id, False), (procedure.parent, True)):
        if waiting := tuple(each for each in new if follows(tx, each) == later):
            begun = begin(tx, FEATURE_TRIGGER.ask_use, FeatureTrigger("enemy-acts", waiting), parent)
            tx.update(procedure, parent=begun.id if later else procedure.parent)
    return tuple(each.who for each in new)


def _distances_to_holders(tx: Transaction, data: MoveInProgress) -> dict[tuple[str, str], int]:
    """Return the known distances between combatants with features that react to approaching creatures, and these.

    A combatant also brings its own auras to its enemies.
    """
    if not data.path:
        return {}
    pairs = [(holder.id, data.who) for holder in near_holders(tx, tx.rules, "enters", data.who)]
    if any(feature.immune_after for feature in waiting_features(tx, data.who, "enters")):
        pairs += [(data.who, foe.id) for foe in tx.all(Combatant) if geometry.are_hostile(tx, data.who, foe.id)]
    return {pair: feet for pair in pairs if (feet := geometry.distance(tx, tx.rules, *pair)) is not None}


def _begin_near(tx: Transaction, data: MoveInProgress, before: dict[tuple[str, str], int], parent: str) -> bool:
    """Begin the features triggered by a step into their range. Return whether there are any."""
    has_begun = False
    for (holder, who), feet in before.items():
        result = run_hooks(tx, tx.rules, Hook.CAME_NEAR, HookContext(who, "move", other=holder, amount=feet))
        effect_records.start_followups(tx, result, parent)
        has_begun = has_begun or bool(result.procedures)
    return has_begun


def _offer(tx: Transaction, procedure: Procedure, data: MoveInProgress, leg: move_legs.PricedLeg) -> bool:
    """Offer opportunity attacks against the next step to enemies not yet asked. Return whether there are any."""
    if data.free and not data.leaves_reach_of and not data.rules_overridden:
        return False
    after = move_legs.positions_after(tx, data, leg)
    if after is None and not data.leaves_reach_of:
        return False
    rule = tx.rule_id("opportunity.trigger")
    attacks = move_legs.opportunity_attacks(tx, tx.rules, data.who, after, data.dragged, data.mode)
    asks = [
        action_economy.reaction_ask(attack.attacker, _options(tx, attack), rule=rule, detail=label_of(tx, data.who))
        for attack in attacks
        if attack.attacker not in data.reactions_offered
        and (after is not None or attack.attacker in data.leaves_reach_of)
    ]
    ask(tx, procedure, "prompt.reaction", asks, subject=label_of(tx, data.who))
    return bool(asks)


def _options(tx: Transaction, opportunity: move_legs.OpportunityAttack) -> list[Option]:
    """Return the options of an opportunity attack: one for each combination of weapon and target."""
    several = len(opportunity.targets) > 1
    return [
        Option(f"{target} {weapon.id}", weapon.name, label_of(tx, target) if several else "")
        for target, reaching in opportunity.targets
        for weapon in reaching
    ]


def _make_opportunity_attack(tx: Transaction, procedure: Procedure, attack: tuple[str, str, str]) -> None:
    """Make an opportunity attack, which spends a reaction, if it is still possible."""
    by, target, weapon_id = attack
    target_combatant = tx.get(Combatant, target)
    weapons = move_legs.melee_attacks(tx, tx.rules, by) if tx.get(Combatant, by) else ()
    weapon = next((candidate for candidate in weapons if candidate.id == weapon_id), None)
    if target_combatant is None or target_combatant.dead or weapon is None or not move_legs.can_react(tx, tx.rules, by):
        return
    action_economy.spend(tx, by, REACTION)
    assault = AttackInProgress(by, weapon, target, purpose="opportunity", tags=("opportunity",))
    begin(tx, ATTACK.declare, assault, procedure.id)


def _is_stopped(tx: Transaction, data: MoveInProgress) -> bool:
    """Return whether an event during the move prevents the rest of it."""
    body = tx.get(Combatant, move_legs.moving_body(tx, data.who))
    mover = tx.get(Combatant, data.who)
    if body is None or mover is None or body.dead or mover.dead:
        return True
    if data.free:
        return False
    if data.body and body.id != data.body:
        return True  # the rider has come off its mount
    if cannot_act(tx, body.id) or cannot_act(tx, mover.id):
        return not data.rules_overridden
    if data.mode != CRAWL and tx.role("prone") in condition_names(tx, tx.rules, body.id):
        return not data.rules_overridden
    most = tx.rules.allowance(tx, tx.rules, data.who, data.mode)
    return (most is None or most.total <= 0) and not data.rules_overridden


def _move_leg(tx: Transaction, data: MoveInProgress, leg: move_legs.PricedLeg) -> MoveInProgress:
    """Move one leg, deduct its cost, and reposition carried and dragged combatants."""
    if not data.free:
        if tx.rules.data.movement.bought:
            hard = leg.is_difficult or (bool(data.path) and move_legs.is_on_difficult_ground(tx, tx.rules, data.who))
            action_economy.pay_for_step(tx, data.who, data.mode, (leg.price.total, hard))
        else:
            action_economy.deduct_movement(tx, data.who, leg.price.total)
    if data.path and not data.free:
        here = tx.need(Combatant, move_legs.moving_body(tx, data.who)).position
        count_straight_run(tx, data.who, here, data.path[data.squares_entered], leg.feet)
    separated = _reposition(tx, data, leg)
    return msgspec.structs.replace(
        data,
        relations_cleared=(*data.relations_cleared, *separated),
        squares_entered=data.squares_entered + 1,
        reactions_offered=() if tx.rules.data.movement.opportunity else data.reactions_offered,
        feet=data.feet + leg.feet if data.path else data.feet,
        unreported_cost=data.unreported_cost + leg.price.total,
        unreported_cost_parts=move_legs.sum_prices((ExplainedNumber(0, data.unreported_cost_parts), leg.price)).parts
        if data.path
        else data.unreported_cost_parts,
    )


def _reposition(tx: Transaction, data: MoveInProgress, leg: move_legs.PricedLeg) -> tuple[str, ...]:
    """Put the movers at the end of a leg. Return the combatants whose relations to them are now unknown."""
    tumbles = tumbles_in_use(tx, data.who)
    climbs = any(tx.need(Combatant, moved.id).elevation != moved.elevation for moved in leg.moved)
    for moved in leg.moved:
        tx.update(tx.need(Combatant, moved.id), position=moved.position, elevation=moved.elevation)
    end_tumbles(tx, data.who, tumbles)
    if leg.direction:
        body = move_legs.moving_body(tx, data.who)
        ends = Duration("turn-start", body)
        effect_records.put_effect(
            tx,
            Effect(tx.next_id("effect"), body, move_legs.SLIDING, ends=ends, shown=False, end_condition=leg.direction),
        )
    movers = [moved.id for moved in leg.moved] or [
        *move_legs.moving_with(tx, data.who),
        *((data.dragged,) if data.dragged else ()),
    ]
    position_changes.end_movement_limited_effects(tx, movers)
    separated: tuple[str, ...] = ()
    if data.path or leg.feet:
        on_map = bool(data.path) and current_map(tx) is not None
        separated = position_changes.clear_relations(
            tx, movers, unchanged=data.relations_kept, climbs=climbs, on_map=on_map
        )
    effect_records.release_held_effects(tx, moved=movers, by_itself="" if data.free else data.who)
    return separated


def _begin_ground_effects(tx: Transaction, data: MoveInProgress, leg: move_legs.PricedLeg, parent: str) -> bool:
    """Begin the effects of the ground just entered, and return whether there are any."""
    inside = [area for area in state.standing_areas(tx) if data.path and is_in_area(tx, tx.rules, data.who, area)]
    due = (
        each
        for area in inside
        for each in entered_areas(
            tx, tx.rules, area, data.who, moved=not position_changes.was_in(tx, data.who, area), steps=not data.free
        )
    )
    has_begun = position_changes.begin_entered(tx, due, parent)
    for ground in leg.grounds or (("",) if not data.path else ()):
        for offer in run_hooks(tx, tx.rules, Hook.MOVED, HookContext(data.who, ground)).offers:
            if state.find_entry(tx.need(prepared.Environment, offer.environment), offer.entry) is not None:
                effect = EnvironmentEffect(offer.environment, offer.entry, targets=(data.who,), targets_confirmed=True)
                begin(tx, ENVIRONMENT_EFFECT.ask_targets, effect, parent)
                has_begun = True
    return has_begun


def _reported(tx: Transaction, data: MoveInProgress) -> MoveInProgress:
    """Report the distance moved so far. Return the move with nothing left to report."""
    if data.squares_entered and data.feet:
        _report(tx, data)
        return msgspec.structs.replace(data, feet=0, unreported_cost=0, unreported_cost_parts=(), relations_cleared=())
    return data


def _report(tx: Transaction, data: MoveInProgress) -> None:
    if not data.free and data.squares_entered and (data.feet or data.unreported_cost):
        cost, why = data.unreported_cost, data.unreported_cost_parts
        rule = next((part.rule for part in reversed(why) if part.rule), tx.rule_id("turn.speed"))
        tx.emit(Moved(who=data.who, feet=data.feet, cost=cost, mode=data.mode, why=why, rule=rule))
    position_changes.report_separated(tx, data.who, data.relations_cleared)


def _end(tx: Transaction, data: MoveInProgress) -> None:
    """Release a dragged ally, check for a narrow space, and begin a fall if the combatant is in the air.

    If the combatant was moved away from its mount, it dismounts.
    """
    if data.dragged:
        effect_records.end_condition(tx, data.dragged, tx.role("dragged"))
    body = tx.get(Combatant, move_legs.moving_body(tx, data.who))
    if body is None or body.dead or not data.squares_entered or not data.path:
        return
    _fit(tx, body.id)
    mount = move_legs.mount_of(tx, body.id)
    if mount is not None and space(tx, tx.rules, body.id) != space(tx, tx.rules, mount.id):
        begin(tx, THROWN_RIDER.land_beside, ForcedDismount(body.id))
    elif data.free:
        fall_if_unsupported(tx, body.id)


def fall_if_unsupported(tx: Transaction, who: str) -> bool:
    """Begin the fall of a combatant high in the air that can't fly. Return whether it falls."""
    drop = routes.height_over_ground(tx, tx.rules, who)
    falls = drop >= tx.rules.data.movement.fall_step and not routes.is_flying(tx, tx.rules, who)
    if falls:
        effect_records.put_condition(tx, who, tx.role("falling"), value=drop, rule=tx.rule_id("falling.figures"))
    return falls


def _fit(tx: Transaction, who: str) -> None:
    """Apply Squeezing to a combatant in a space too small for it. End it where there is enough room."""
    squeezes = state.effects_named(tx, who, tx.role("squeezing"))
    if routes.has_room(tx, tx.rules, who):
        for effect in squeezes:
            effect_records.end_effect(tx, effect)
    elif not squeezes:
        effect_records.put_condition(tx, who, tx.role("squeezing"), rule=tx.rule_id("squeeze.speed"))
