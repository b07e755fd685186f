"""Moves by command, in feet or along a path: their previews, costs and vetoes, and moves resolved later."""

from typing import Literal

import msgspec

from turnwright.battlemap.paths import path, reachable
from turnwright.encounter import field_specs, prepared
from turnwright.encounter.procedure_state import Declaration, Procedure
from turnwright.encounter.procedure_state.asks import Ask, Option, Prompt, choice_ask
from turnwright.encounter.procedure_state.movement import DECLARED_MOVE, MoveInProgress
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Lookup
from turnwright.play.asking import checks, declaration
from turnwright.play.effects.ready_action import require_move
from turnwright.play.kernel.scheduler import Answers, Next, ask, begin, choices_of, close_prompt, data_of, goto
from turnwright.play.kernel.transaction import CombatantCommand, Transaction, command, copy_fields, require
from turnwright.play.movement.move import begin_move
from turnwright.play.state import action_economy, effect_records, events
from turnwright.rules.parts.combatants.facts import WALK, cannot_act
from turnwright.rules.parts.economy import limited_uses
from turnwright.rules.parts.environment.entries import current_map, ground_cost
from turnwright.rules.parts.movement import move_legs, routes
from turnwright.rules.parts.movement.move_legs import step_costs
from turnwright.rules.parts.movement.movement_grid import movement_grid
from turnwright.rules.parts.positions.geometry import MovedLookup
from turnwright.rules.parts.positions.squares import sprawls, stay_veto
from turnwright.rules.system import ExplainedNumber, MoveLeg, RuleSystem, Veto, label_of

AS_ANNOUNCED, NO_FARTHER, FEET = "as-announced", "no-farther", "feet"


@command(
    script="move {who} {feet} [{mode}] [through {through}] [turned] [up {up} | down {up:negative}] [leaves {leaves}] "
    "[keeps {keeps}] [drags {drags}] [squeezing] [{heading}]"
)
class MoveFeet(CombatantCommand, frozen=True):
    """Move a distance in a mode of movement. `through` is the environment with the ground being crossed.

    `turned`: the direction on that ground differs from the previous move. `up` is the number of feet upward (negative:
    downward). `leaves` are creatures whose reach the mover leaves. `drags` is an ally pulled along. `squeezing` is for
    a narrow passage, and `heading` is the direction in a chase. `keeps` are creatures whose relations to the mover
    don't change, because it circles them or they move along.
    """

    feet: int
    mode: field_specs.SpeedId = "walk"
    through: field_specs.EnvironmentId = ""
    turned: bool = False
    up: int = 0
    leaves: field_specs.CombatantIds = ()
    drags: field_specs.CombatantId = ""
    squeezing: bool = False
    heading: Literal["", "forward", "sideways", "back"] = ""
    keeps: field_specs.CombatantIds = ()

    def handle(self, tx: Transaction) -> None:
        """Move a number of feet and deduct the cost. Refuse it if too little movement is left."""
        require(self.feet >= 0, "refused.feet")
        action_economy.require_no_open_action(tx, self.who, moves=True)
        require_move(tx, self.who, move_legs.movement_payer(tx, self.who))
        going = move_leg_of(self)
        price = move_legs.movement_cost(tx, tx.rules, self.who, going)
        vetoes = routes.move_vetoes(tx, tx.rules, self.who, going, price)
        vetoes = vetoes_when_resolving(vetoes) if move_in_progress(tx, self.who) else vetoes
        tx.forbid_by(vetoes)
        journey = MoveInProgress(
            self.who,
            mode=move_legs.effective_mode(tx, tx.rules, self.who, self.mode),
            dragged=self.drags,
            feet=self.feet,
            leaves_reach_of=self.leaves,
            feet_up=self.up,
            cost=price.total,
            unreported_cost_parts=price.parts,
            ground=self.through,
            rules_overridden=bool(vetoes),
            relations_kept=self.keeps,
        )
        hard = ground_cost(tx, self.through, turned=self.turned) is not None
        if not begin_declared_move(tx, journey, ((price.total, hard),)):
            begin_move(tx, journey)


@command(script="travel {who} {path,heights} [by {mode}] [drags {drags}]")
class MovePath(CombatantCommand, frozen=True):
    """Move on the grid, square by square. List the squares in order, without the starting square.

    `heights` are the feet above level 0 at each square (empty: on the ground). Opportunity attacks are offered at the
    square that provokes them. An effect that stops the mover also ends the move.
    """

    path: tuple[prepared.Point, ...]
    mode: field_specs.SpeedId = "walk"
    heights: tuple[int, ...] = ()
    drags: field_specs.CombatantId = ""

    def handle(self, tx: Transaction) -> None:
        """Check the whole path, then move square by square, deducting the cost of each step."""
        mover = tx.need(Combatant, self.who)
        require(current_map(tx) is not None, "refused.no_grid")
        require(mover.position is not None, "refused.no_position", who=mover.label)
        require(self.path, "refused.no_path")
        action_economy.require_no_open_action(tx, self.who, moves=True)
        require_move(tx, self.who, move_legs.movement_payer(tx, self.who))
        journey = planned_move(tx, tx.rules, self)
        bound = (
            *routes.straight_vetoes(tx, tx.rules, self.who, self.path),
            *routes.tumble_vetoes(tx, tx.rules, self.who, self.path),
        )
        plan = routes.plan_move(tx, tx.rules, journey)
        vetoes = (*bound, *path_vetoes(tx, tx.rules, journey, plan))
        vetoes = vetoes_when_resolving(vetoes) if move_in_progress(tx, self.who) else vetoes
        tx.forbid_by(vetoes)
        checks.set_sprint_direction(tx, self.who, self.path)
        journey = msgspec.structs.replace(journey, rules_overridden=bool(vetoes))
        if not begin_declared_move(tx, journey, step_costs(tx, tx.rules, self.who, plan.legs)):
            begin_move(tx, journey)


def move_leg_of(command: MoveFeet) -> MoveLeg:
    """Convert a move without a grid to a leg."""
    other = {"environment": command.through, "turns_aside": command.turned}
    return copy_fields(MoveLeg, command, **other, feet_up=command.up, dragged=command.drags)


def planned_move(lookup: Lookup, rules: RuleSystem, command: MovePath) -> MoveInProgress:
    """Return the procedure data for a move on the grid."""
    body = lookup.need(Combatant, move_legs.moving_body(lookup, command.who))
    return MoveInProgress(
        command.who,
        path=command.path,
        elevations=command.heights,
        mode=move_legs.effective_mode(lookup, rules, command.who, command.mode),
        dragged=command.drags,
        start=body.position,
    )


def path_vetoes(lookup: Lookup, rules: RuleSystem, move: MoveInProgress, plan: routes.MovePlan) -> tuple[Veto, ...]:
    """Return the reasons why a move on the grid can't be made."""
    going = MoveLeg(0, move.mode, dragged=move.dragged)
    forbidden = routes.move_vetoes(
        lookup, rules, move.who, going, plan.cost, step_costs(lookup, rules, move.who, plan.legs)
    )
    narrow = max((number for number, leg in enumerate(plan.legs, start=1) if leg.is_squeezed), default=0)
    if narrow and not forbidden:
        through = move_legs.sum_prices(leg.price for leg in plan.legs[:narrow])
        forbidden = routes.cost_vetoes(lookup, rules, move.who, move.mode, through, squeezed=True)
    if move.elevations and len(move.elevations) != len(move.path):
        return (Veto("refused.no_path", rules.rule_id("turn.speed")),)
    return (*plan.vetoes, *forbidden)


def stand_up_cost(lookup: Lookup, rules: RuleSystem, who: str) -> int:
    """Return the feet of movement that standing up costs: a share of the Speed, plus any extra cost in the rules."""
    movement = rules.data.movement
    return (
        move_legs.fraction_of_speed(lookup, rules, move_legs.base_speed(lookup, rules, who), movement.stand_over)
        + movement.stand_extra
    )


def mount_cost(tx: Transaction, who: str) -> int:
    """Return the feet of movement that mounting or dismounting costs."""
    tx.need(Combatant, who)
    over = tx.rules.data.movement.mount_over
    return move_legs.fraction_of_speed(tx, tx.rules, move_legs.base_speed(tx, tx.rules, who), over) if over else 0


def begin_declared_move(tx: Transaction, move: MoveInProgress, step_costs: tuple[move_legs.StepCost, ...]) -> bool:
    """Declare a move that costs points, or continue a resolving one. Return False if no declaration is needed."""
    points = move_legs.points_for_steps(tx, tx.rules, move.who, move.mode, step_costs)
    resolving = move_in_progress(tx, move.who)
    if resolving is not None:
        _resolve_by_other_path(tx, resolving, move, points)
        return True
    option = move_legs.stride_action_for(tx, tx.rules, move.who, move.mode)
    if not points or option is None or not declaration.needs_declaration(tx, Procedure("", *DECLARED_MOVE.start, move)):
        return False
    waiting = begin(tx, DECLARED_MOVE.start, msgspec.structs.replace(move, unreported_cost=points))
    payer = move_legs.movement_payer(tx, move.who)
    reserved = declaration.reserved_for(tx, payer, option.cost, points)
    own = Declaration("", payer, waiting.id, option.name, "", reserved, (), True, move.rules_overridden)
    tx.put(declaration.declare_action(tx, waiting, own))
    return True


def move_in_progress(lookup: Lookup, who: str) -> Procedure | None:
    """Return a combatant's resolving move if its path can still be chosen, or None."""
    prompting = {prompt.procedure for prompt in lookup.all(Prompt)}
    for procedure in lookup.all(Procedure):
        is_choosable = procedure.kind == DECLARED_MOVE.name and procedure.id in prompting
        if is_choosable and data_of(procedure, MoveInProgress).who == who:
            return procedure
    return None


def _resolve_by_other_path(tx: Transaction, resolving: Procedure, journey: MoveInProgress, points: int) -> None:
    """Resolve a declared move along another path, within the declared points."""
    announced = data_of(resolving, MoveInProgress)
    if points > announced.unreported_cost:
        _forbid_farther(tx, announced, points)
    close_prompt(tx, resolving.id)
    tx.put(goto(resolving, DECLARED_MOVE.resolve, announced, path=(), elevations=(), feet=0))
    begin_move(tx, journey, resolving.id)


def _forbid_farther(tx: Transaction, announced: MoveInProgress, need: int) -> None:
    who, rule = label_of(tx, announced.who), tx.rule_id("move.replanned")
    tx.forbid("refused.farther_than_announced", rule, who=who, n=announced.unreported_cost, need=need)


def start(tx: Transaction, procedure: Procedure, data: MoveInProgress, answers: Answers) -> Next:
    """Deduct the points for one stride, then begin the move. If there were reactions to it, ask for the path first."""
    option, payer = (
        move_legs.stride_action_for(tx, tx.rules, data.who, data.mode),
        move_legs.movement_payer(tx, data.who),
    )
    most = tx.rules.allowance(tx, tx.rules, data.who, data.mode)
    if option is None or most is None:
        return None
    action_economy.deduct(tx, payer, option.cost, option.price)
    resource = limited_uses.paying_resource(tx, tx.rules, payer, option.cost)
    price = limited_uses.counted_price(tx.rules, resource, option.price)
    tx.emit(events.ActionTaken(who=payer, action=option.name, cost=resource, price=price, rule=option.rule()))
    action_economy.remember_stride(tx, payer, option.id, move_legs.Stride(most.total), most.total)
    if not declaration.has_reactions(tx):
        begin_move(tx, msgspec.structs.replace(data, unreported_cost=0), procedure.id)
        return goto(procedure, DECLARED_MOVE.resolve)
    remaining = msgspec.structs.replace(data, unreported_cost=max(0, data.unreported_cost - option.price))
    return ask_path(tx, goto(procedure, DECLARED_MOVE.ask_path, remaining), remaining, answers)


def ask_path(tx: Transaction, procedure: Procedure, data: MoveInProgress, answers: Answers) -> Procedure:
    """Ask whether to follow the declared path, if it is still possible, or stop. A command can give any other path."""
    rule, label = tx.rule_id("move.replanned"), label_of(tx, data.who)
    if tx.need(Combatant, data.who).position is None:
        question = Ask(FEET, "number", "ask.announced_feet", data.who, str(data.feet), rule=rule)
    else:
        ways = [Option(AS_ANNOUNCED, "option.as_announced")] if data.path and not is_prevented(tx, data) else []
        options = (*ways, Option(NO_FARTHER, "option.done_moving"))
        question = choice_ask("way", "ask.announced_way", options, data.who, label, rule=rule)
    return ask(tx, goto(procedure, DECLARED_MOVE.resolve, data), "prompt.announced_way", [question], subject=label)


def is_prevented(tx: Transaction, data: MoveInProgress) -> bool:
    """Return whether the declared path is no longer possible."""
    return not data.rules_overridden and bool(
        vetoes_when_resolving(path_vetoes(tx, tx.rules, data, routes.plan_move(tx, tx.rules, data)))
    )


def vetoes_when_resolving(vetoes: tuple[Veto, ...]) -> tuple[Veto, ...]:
    """Return vetoes without the one about an earlier reaction, which doesn't apply to a resolving move."""
    return tuple(veto for veto in vetoes if veto.reason != declaration.REACTED_ALREADY)


def resolve(tx: Transaction, procedure: Procedure, data: MoveInProgress, answers: Answers) -> None:
    """Begin the move along the chosen path."""
    if FEET in answers:
        feet = answers[FEET].number or 0
        if feet:
            leg = MoveLeg(feet, data.mode, data.ground, feet_up=min(data.feet_up, feet))
            due = move_legs.movement_cost(tx, tx.rules, data.who, leg)
            tx.forbid_by(vetoes_when_resolving(routes.move_vetoes(tx, tx.rules, data.who, leg, due)))
            hard = ground_cost(tx, data.ground, turned=False) is not None
            points = move_legs.points_for_steps(tx, tx.rules, data.who, data.mode, ((due.total, hard),))
            if points > data.unreported_cost:
                _forbid_farther(tx, data, points)
            journey = msgspec.structs.replace(
                data, feet=feet, feet_up=leg.feet_up, cost=due.total, unreported_cost_parts=due.parts, unreported_cost=0
            )
            begin_move(tx, journey, procedure.id)
    elif AS_ANNOUNCED in choices_of(answers, "way"):
        begin_move(tx, msgspec.structs.replace(data, unreported_cost=0), procedure.id)


def begin_path_choice(tx: Transaction, who: str, mode: str, parent: str) -> None:
    """Ask for the path of a combatant that paid for a stride off turn or after reactions."""
    if declaration.has_reactions(tx) or not limited_uses.is_on_turn(tx, who):
        begin(tx, DECLARED_MOVE.ask_path, MoveInProgress(who, mode=mode), parent)


class MovePreview(msgspec.Struct, frozen=True):
    """A preview of a move: its cost, the movement left before and after it, its vetoes, and possible attackers.

    `points` is the cost in points, in games in which movement costs points.
    """

    cost: ExplainedNumber
    left: int
    left_after: int
    vetoes: tuple[Veto, ...] = ()
    provokes: tuple[str, ...] = ()
    points: int = 0


def preview_move(lookup: Lookup, rules: RuleSystem, command: MoveFeet) -> MovePreview:
    """Preview the cost of a move without a grid and the opportunity attacks it provokes."""
    going = move_leg_of(command)
    cost = move_legs.movement_cost(lookup, rules, command.who, going)
    remaining = move_legs.remaining_movement(lookup, rules, command.who, command.mode) or 0
    attacks = move_legs.opportunity_attacks(lookup, rules, command.who, dragged=command.drags, mode=command.mode)
    attackers = tuple(attack.attacker for attack in attacks if attack.attacker in command.leaves)
    vetoes = routes.move_vetoes(lookup, rules, command.who, going, cost)
    hard = ground_cost(lookup, command.through, turned=command.turned) is not None
    points = move_legs.points_for_steps(lookup, rules, command.who, command.mode, ((cost.total, hard),))
    return MovePreview(cost, remaining, max(0, remaining - cost.total), vetoes, attackers, points)


class Route(msgspec.Struct, frozen=True):
    """A route to a square: the squares entered, the cost with its reasons, and the movement left afterwards.

    `provokes` pairs the index of a square in the path with a combatant who may attack before it is entered. `vetoes`
    are the reasons why the move can't be made now.
    """

    path: tuple[prepared.Point, ...]
    cost: ExplainedNumber
    left_after: int
    provokes: tuple[tuple[int, str], ...] = ()
    vetoes: tuple[Veto, ...] = ()
    points: int = 0


def cheapest_route(lookup: Lookup, rules: RuleSystem, who: str, to: prepared.Point, mode: str = WALK) -> Route | None:
    """Return the cheapest route to a square, or None if there is no route or no grid."""
    ground = movement_grid(lookup, rules, who, mode)
    if ground is None:
        return None
    squares = path(ground.grid, ground.space, ground.entry_cost, to, diagonals=ground.diagonals)
    return preview_route(lookup, rules, MovePath(who, squares[1:], mode)) if squares is not None else None


def preview_route(lookup: Lookup, rules: RuleSystem, command: MovePath) -> Route:
    """Preview the cost of a drawn path and the opportunity attacks it provokes."""
    move = planned_move(lookup, rules, command)
    plan = routes.plan_move(lookup, rules, move)
    provokes: list[tuple[int, str]] = []
    at: Lookup = lookup
    for index, leg in enumerate(plan.legs):
        after = MovedLookup(at, leg.moved)
        attackers = {by for _, by in provokes}
        provokes += [
            (index, attack.attacker)
            for attack in move_legs.opportunity_attacks(at, rules, command.who, after, command.drags, command.mode)
            if attack.attacker not in attackers
        ]
        at = after
    remaining = move_legs.remaining_movement(lookup, rules, command.who, command.mode) or 0
    vetoes = path_vetoes(lookup, rules, move, plan)
    steps = step_costs(lookup, rules, command.who, plan.legs)
    points = move_legs.points_for_steps(lookup, rules, command.who, command.mode, steps)
    return Route(command.path, plan.cost, max(0, remaining - plan.cost.total), tuple(provokes), vetoes, points)


class Reachable(msgspec.Struct, frozen=True):
    """Squares that a combatant can reach this turn, with their costs in feet. The current square isn't included.

    `left` is the remaining movement. Squares that cost more require a Dash.
    """

    squares: tuple[tuple[prepared.Point, int], ...]
    left: int


def reachable_squares(lookup: Lookup, rules: RuleSystem, who: str, mode: str = WALK) -> Reachable:
    """Return the squares reachable in a mode of movement, with and without a Dash. Without a grid there are none."""
    most = move_legs.allowance(lookup, rules, who, mode)
    ground = movement_grid(lookup, rules, who, mode)
    vetoes = (*move_legs.rider_vetoes(lookup, rules, who), *routes.mode_vetoes(lookup, rules, who, mode))
    if most is None or ground is None or vetoes:
        return Reachable((), 0)
    remaining = move_legs.remaining_movement(lookup, rules, who, mode) or 0
    is_bought = bool(rules.data.movement.bought)
    unspent = most.total * move_legs.speed_multiplier(lookup, rules, who) - routes.movement_spent(lookup, who)
    dash_feet = remaining if is_bought else max(0, unspent)
    area = reachable(
        ground.grid, ground.space, ground.entry_cost, dash_feet, diagonals=ground.diagonals, may_end=ground.may_end
    )
    squares = tuple(
        (square, int(area.cost[square[1] - area.top, square[0] - area.left]))
        for square in area.squares()
        if square != ground.space.square
    )
    return Reachable(squares, remaining)


def sprawl(tx: Transaction, who: str) -> None:
    """Drop a combatant prone that ends its turn in another's space, if the rules say so."""
    combatant = tx.need(Combatant, who)
    if combatant.position is None or combatant.rides or combatant.dead:
        return
    if sprawls(tx, tx.rules, who, combatant.position, combatant.elevation):
        effect_records.put_condition(tx, who, tx.role("prone"), rule=tx.rule_id("size.no-ending"))


def stay_vetoes(tx: Transaction, who: str) -> tuple[Veto, ...]:
    """Return the reason why a combatant must leave the space it shares before its turn ends, if it can leave."""
    combatant = tx.need(Combatant, who)
    if not tx.rules.data.places.leaves or combatant.position is None or combatant.rides or cannot_act(tx, who):
        return ()
    veto = stay_veto(tx, tx.rules, who, combatant.position, combatant.elevation)
    if veto is None or veto.reason != "refused.occupied":
        return ()
    in_reach = reachable_squares(tx, tx.rules, who)
    can_leave = any(cost <= in_reach.left for _, cost in in_reach.squares)
    params = (("who", combatant.label), ("other", dict(veto.params)["who"]))
    return (Veto("refused.stays_in_space", veto.rule, params),) if can_leave else ()
