"""Movement other than walking: pushes, teleportation, moves by hand, falls, standing up and dropping prone.

A house rule asks whether a forced move provokes opportunity attacks. The game master chooses whether a fall happens.
"""

import math
from typing import Final, Literal

import msgspec

from turnwright.battlemap import paths, segments
from turnwright.dice.expression import Modifier
from turnwright.encounter import field_specs, prepared, state
from turnwright.encounter.data_rules import DataRule
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.actions import ActionInProgress, FeatureSteps
from turnwright.encounter.procedure_state.asks import Ask, Option, choice_ask
from turnwright.encounter.procedure_state.damage import DAMAGE_ROLL, DamageRoll
from turnwright.encounter.procedure_state.movement import (
    FALL,
    FORCED_MOVEMENT,
    Fall,
    ForcedDismount,
    ForcedMovement,
    MoveInProgress,
)
from turnwright.encounter.running import Combatant, Effect
from turnwright.play.asking.declaration import begin_action
from turnwright.play.kernel.events import CombatantEvent, journal
from turnwright.play.kernel.scheduler import Answers, Next, ask, begin, choice_of, choices_of, goto
from turnwright.play.kernel.transaction import CombatantCommand, Transaction, command, require
from turnwright.play.movement import commanded_move, move
from turnwright.play.state import action_economy, effect_records, position_changes
from turnwright.play.turn_order.initiative import begin_seat_checks
from turnwright.rules.parts.actions.spell_features import listed_spell
from turnwright.rules.parts.combatants.facts import WALK, cannot_act_vetoes
from turnwright.rules.parts.conditions.numbers import changed_number
from turnwright.rules.parts.economy.limited_uses import is_on_turn, spending_vetoes, use_key
from turnwright.rules.parts.environment.entries import current_map, entry_rule
from turnwright.rules.parts.movement import move_legs, routes
from turnwright.rules.parts.positions import geometry
from turnwright.rules.parts.positions.squares import can_stay
from turnwright.rules.system import RuleSystem, Veto, creature_of, label_of
from turnwright.rules.system_data.numbers import ActionOption

PUSHED: Final = "pushed"
PULLED: Final = "pulled"
SHIFTED: Final = "shifted"
MOVED: Final = "moved"
FORCED, PROVOKING = "forced", "provoking"


@journal("journal.shifted_{how}")
class ForceMoved(CombatantEvent, frozen=True):
    """A combatant was moved without walking: `forced`, `teleport` or `provoking`. `elevation` is in feet."""

    to: tuple[int, int]
    how: str
    elevation: int = 0


@journal("journal.{how}")
class Pushed(CombatantEvent, frozen=True):
    """A combatant was `pushed`, `pulled` or `shifted` in any direction without spending movement or provoking opportunity attacks."""

    feet: int
    how: Literal["pushed", "pulled", "shifted"] = "pushed"


def force_move(tx: Transaction, targets: tuple[str, ...], entry: prepared.EnvironmentEntry, parent: str) -> None:
    """Begin the forced movement of an environment entry, if a map or a house rule requires decisions about it."""
    moves: tuple[tuple[int, Literal["pushed", "pulled", "moved"]], ...] = (
        (entry.push, PUSHED),
        (entry.teleport, MOVED),
    )
    for feet, how in moves:
        asks = how == MOVED and tx.rules.has_option(tx, tx.role("moves-for-teleports"))
        concerned = tuple(who for who in targets if feet and (asks or is_on_map(tx, who)))
        if concerned:
            data = ForcedMovement(how, feet, concerned, source=entry.name, rule=entry_rule(entry))
            begin(tx, FORCED_MOVEMENT.next_target, data, parent)


def push(tx: Transaction, data: ForcedMovement, parent: str = "") -> None:
    """Report that the remaining targets of a forced move are pushed, and begin to move those that are on a map.

    With negative feet, they are pulled.
    """
    if not data.feet:
        return
    how: Literal["pushed", "pulled", "shifted"] = (
        PULLED if data.feet < 0 else SHIFTED if data.how == SHIFTED else PUSHED
    )
    data = msgspec.structs.replace(data, how=how, feet=abs(data.feet))
    for who in data.remaining:
        tx.emit(Pushed(who=who, feet=data.feet, how=how, rule=data.rule))
        if how != PULLED:
            forget_positions(tx, who)
    concerned = tuple(who for who in data.remaining if is_on_map(tx, who))
    if concerned:
        begin(tx, FORCED_MOVEMENT.next_target, msgspec.structs.replace(data, remaining=concerned), parent)


def forget_positions(tx: Transaction, who: str) -> None:
    """Clear the relations of a combatant that was moved by force, unless a map shows its new position."""
    if not is_on_map(tx, who):
        position_changes.report_separated(tx, who, position_changes.clear_relations(tx, (who,)))


def next_target(tx: Transaction, procedure: Procedure, data: ForcedMovement, answers: Answers) -> Next:
    """Determine the destination of the next target: a push asks for the square, other moves pick one at random."""
    if not data.remaining:
        return None
    data = msgspec.structs.replace(data, who=data.remaining[0], remaining=data.remaining[1:])
    procedure = goto(procedure, FORCED_MOVEMENT.next_target, data)
    if tx.get(Combatant, data.who) is None:
        return procedure
    if data.how != MOVED:
        asks = _square_asks(tx, data)
    elif tx.rules.has_option(tx, tx.role("moves-for-teleports")):
        asks = _provoking_asks(tx, data)
    else:
        _move_to_random(tx, procedure, data, "teleport")
        return procedure
    ask(tx, procedure, f"prompt.force_{data.how}", asks, subject=label_of(tx, data.who))
    return goto(procedure, FORCED_MOVEMENT.move_target)


def _square_asks(tx: Transaction, data: ForcedMovement) -> list[Ask]:
    """Return the ask for the square that a target is pushed to. A house rule only allows a straight line."""
    straight = not data.away_from and tx.rules.has_option(tx, tx.role("pushes-straight"))
    who, feet = data.who, data.feet
    ends = routes.straight_push_squares(tx, tx.rules, who, feet) if straight else _at_distance(tx, who, feet)
    squares = [square for square in ends if _is_away(tx, data, square)] if data.how == PUSHED else _nearest(tx, data)
    squares = _free_within(tx, who, feet) if data.how == SHIFTED else squares
    options = tuple(Option(f"{column},{row}", segments.square_name((column, row))) for column, row in squares)
    here = tx.need(Combatant, who).position
    if here is not None and data.how == SHIFTED and data.away_from:
        name = segments.square_name(here)
        options += tuple(Option(f"{here[0]},{here[1]}@{up}", f"{name} ↑ {up}") for up in range(5, feet + 1, 5))
    rule = tx.rule_id("gale.straight") if straight else data.rule
    question = Ask("square", "choice", "ask.square", who=data.who, detail=data.source, options=options, rule=rule)
    return [question] if options else []


def _provoking_asks(tx: Transaction, data: ForcedMovement) -> list[Ask]:
    """Return the asks whether the move provokes opportunity attacks and, without a map, which enemies make them."""
    rule = tx.rule_id("haze.moves")
    options = (Option(FORCED, "option.forced"), Option(PROVOKING, "option.provoking"))
    asks = [choice_ask("how", "ask.force_moved", options, data.who, rule=rule)]
    near = () if is_on_map(tx, data.who) else move_legs.opportunity_attacks(tx, tx.rules, data.who)
    if near:
        enemies = tuple(Option(attack.attacker, label_of(tx, attack.attacker)) for attack in near)
        asks.append(Ask("left", "targets", "ask.reaches_left", who=data.who, options=enemies, rule=rule))
    return asks


def move_target(tx: Transaction, procedure: Procedure, data: ForcedMovement, answers: Answers) -> Procedure:
    """Move a target as chosen. If the move is provoking, it allows opportunity attacks."""
    provokes, provoked = PROVOKING in choices_of(answers, "how"), choices_of(answers, "left")
    if tx.get(Combatant, data.who) is None:
        return goto(procedure, FORCED_MOVEMENT.next_target)
    if data.how != MOVED:
        place, _, up = choice_of(answers, "square").partition("@")
        column, _, row = place.partition(",")
        if up:
            grips = state.effects_named(tx, data.who, tx.role("restrained"))
            if held := next((each for each in grips if each.source == data.source), None):
                tx.update(held, rules=(*held.rules, DataRule("modifier", "height", add=int(up))))
            else:
                begin(tx, FALL.start, Fall(data.who), procedure.id)
            tx.update(raised := tx.need(Combatant, data.who), elevation=raised.elevation + int(up))
            tx.emit(effect_records.Lifted(who=data.who, feet=int(up)))
        elif row:
            _move_to(tx, procedure, data, (int(column), int(row)), FORCED)
    elif is_on_map(tx, data.who):
        _move_to_random(tx, procedure, data, PROVOKING if provokes else FORCED)
    elif provokes and provoked:
        move.begin_move(tx, MoveInProgress(data.who, leaves_reach_of=provoked, free=True), procedure.id)
    return goto(procedure, FORCED_MOVEMENT.next_target)


def is_on_map(tx: Transaction, who: str) -> bool:
    """Return whether a combatant has a position on a map."""
    combatant = tx.get(Combatant, who)
    return current_map(tx) is not None and combatant is not None and combatant.position is not None


def _move_to_random(tx: Transaction, procedure: Procedure, data: ForcedMovement, how: str) -> None:
    squares = _free_within(tx, data.who, data.feet)
    if squares:
        _move_to(tx, procedure, data, squares[tx.draw(len(squares))], how)


def _move_to(tx: Transaction, procedure: Procedure, data: ForcedMovement, to: prepared.Point, how: str) -> None:
    height = None if how == "teleport" else routes.landing_height(tx, tx.rules, data.who, to)
    body = move_legs.moved_combatants(tx, tx.rules, data.who, to, height)[0]
    rule = tx.rule_id("haze.moves") if how == PROVOKING else data.rule
    is_reported = how == FORCED and data.how != MOVED
    tx.emit(ForceMoved(who=data.who, to=to, how=how, elevation=body.elevation, rule=rule, bookkeeping=is_reported))
    if how == FORCED:
        begin_seat_checks(tx, data.who, procedure.id)
    move.begin_move(tx, _forced_move(data.who, to, body.elevation, how), procedure.id)


def _forced_move(who: str, to: prepared.Point, elevation: int, how: str) -> MoveInProgress:
    return MoveInProgress(who, path=(to,), elevations=(elevation,), free=True, rules_overridden=how == PROVOKING)


def _free_within(tx: Transaction, who: str, feet: int) -> list[prepared.Point]:
    """Return the free squares within `feet` of a combatant, except its own."""
    field, grid, here = current_map(tx), geometry.map_grid(tx), tx.need(Combatant, who).position
    if field is None or grid is None or here is None:
        return []
    steps = feet // field.cell
    around = range(-steps, steps + 1)
    squares = [(here[0] + right, here[1] + down) for down in around for right in around]
    return [square for square in squares if square != here and has_space(tx, who, square)]


def place_near(tx: Transaction, who: str, other: str, feet: int = 30) -> None:
    """Place a newcomer on the free square nearest to another combatant, within `feet`."""
    here = tx.need(Combatant, other).position
    combatant = tx.update(tx.need(Combatant, who), position=here)
    squares = [(math.dist(square, here), square) for square in _free_within(tx, who, feet) if here is not None]
    tx.update(combatant, position=min(squares)[1] if squares else None)


def _is_away(tx: Transaction, data: ForcedMovement, square: prepared.Point) -> bool:
    """Return whether a square is away from the pusher and farther from it, or True if either position is unknown."""
    field, pusher, here = current_map(tx), tx.get(Combatant, data.away_from), tx.need(Combatant, data.who).position
    if field is None or here is None or pusher is None or pusher.position is None:
        return True
    sides = (geometry.effective_side(tx, tx.rules, data.who), geometry.effective_side(tx, tx.rules, data.away_from))
    middle = (sides[0] - sides[1]) / field.cell / 2  # from corner to corner, in squares
    away = [own - other + middle for own, other in zip(here, pusher.position, strict=True)]
    if any(away) and sum((to - own) * step for to, own, step in zip(square, here, away, strict=True)) <= 0:
        return False
    moved = geometry.MovedLookup(tx, move_legs.moved_combatants(tx, tx.rules, data.who, square, None))
    feet = (geometry.distance(lookup, tx.rules, data.who, pusher.id) or 0 for lookup in (moved, tx))
    return next(feet) > next(feet)


def _nearest(tx: Transaction, data: ForcedMovement) -> list[prepared.Point]:
    """Return the squares within the distance of a pull that are nearest to whoever pulls."""

    def left(square: prepared.Point) -> float:
        moved = geometry.MovedLookup(tx, move_legs.moved_combatants(tx, tx.rules, data.who, square, None))
        return geometry.distance(moved, tx.rules, data.who, data.away_from) or 0

    feet = {square: left(square) for square in _free_within(tx, data.who, data.feet)}
    return [square for square, distance in feet.items() if distance == min(feet.values())]


def _at_distance(tx: Transaction, who: str, feet: int) -> list[prepared.Point]:
    field, here = current_map(tx), tx.need(Combatant, who).position
    if field is None or here is None:
        return []
    steps = feet // field.cell
    free = _free_within(tx, who, feet)
    return [square for square in free if max(abs(square[0] - here[0]), abs(square[1] - here[1])) == steps]


def has_space(tx: Transaction, who: str, square: prepared.Point) -> bool:
    """Return whether a combatant fits on a square and can stay there."""
    grid = geometry.map_grid(tx)
    height = geometry.ground_elevation(tx, square)
    there = geometry.space_at(tx, tx.rules, who, square, height)
    return grid is not None and paths.stands(grid, there) and can_stay(tx, tx.rules, who, square, height)


@command(script="force move {who} {to,elevation} [{how}]")
class ForceMove(CombatantCommand, frozen=True):
    """Move a combatant to another square by force or teleportation, without using movement."""

    to: prepared.Point
    how: Literal["forced", "teleport", "provoking"] = "forced"
    elevation: int | None = None

    def handle(self, tx: Transaction) -> None:
        """Move a combatant to another square. It provokes opportunity attacks only if it is `provoking`."""
        height = self.elevation
        if height is None and self.how != "teleport" and current_map(tx) is not None:
            height = routes.landing_height(tx, tx.rules, self.who, self.to)
        moved = move_legs.moved_combatants(tx, tx.rules, self.who, self.to, height)
        rule = tx.rule_id("opportunity.teleport" if self.how == "teleport" else "opportunity.forced")
        field = current_map(tx)
        for data in [each.data for each in tx.all(Procedure)] if self.how == "teleport" else ():
            if field and isinstance(data, FeatureSteps) and data.who == self.who and data.leap:
                feet = geometry.measured_feet(tx.rules, field, data.leap[1], self.to)
                if feet > data.leap[0]:
                    tx.forbid("refused.leap", rule, who=label_of(tx, self.who), range=data.leap[0], feet=feet)
        tx.emit(ForceMoved(who=self.who, to=self.to, how=self.how, elevation=moved[0].elevation, rule=rule))
        if self.how == "forced":
            begin_seat_checks(tx, self.who)
        move.begin_move(tx, _forced_move(self.who, self.to, moved[0].elevation, self.how))


STANDARD, OTHER, NOTHING, STAYS_UP = "usual", "other", "nothing", "stays"


@journal("journal.fall_began")
class FallBegan(CombatantEvent, frozen=True):
    """A combatant began to fall from `feet` above the ground."""

    feet: int


def start(tx: Transaction, procedure: Procedure, data: Fall, answers: Answers) -> Next:
    """Report the height of a fall and ask for its damage. Except under an open sky, the fall can be cancelled."""
    combatant = tx.get(Combatant, data.who)
    if combatant is None or combatant.dead:
        return None
    feet = routes.height_over_ground(tx, tx.rules, data.who)
    rule = data.rule or tx.rule_id("falling.figures")
    tx.emit(FallBegan(who=data.who, feet=feet, rule=rule))
    if not state.effects_named(tx, data.who, tx.role("falling")):
        effect_records.put_effect(tx, Effect(tx.next_id("effect"), data.who, tx.role("falling"), value=feet))
    dice, slowed = _standard_damage(tx, data.who, feet), _slowing(tx, data.who) is not None
    options = [
        *(Option(f"{who} {feature.id}", feature.name, label_of(tx, who)) for who, feature in _savers(tx, data.who)),
        *([Option(STANDARD, dice)] if dice else []),
        Option(OTHER, "option.other_amount"),
        Option(NOTHING, "option.no_damage"),
        *([] if routes.is_open_sky(tx) else [Option(STAYS_UP, "option.stays_up")]),
    ]
    usual = NOTHING if slowed else STANDARD if dice else OTHER
    figures = tx.rule_id("falling.figures")
    question = choice_ask("fall", "ask.fall", tuple(options), data.who, str(feet), suggested=usual, rule=figures)
    return ask(tx, goto(procedure, FALL.land, feet=feet), "prompt.fall", [question], subject=combatant.label, rule=rule)


def _standard_damage(tx: Transaction, who: str, feet: int) -> str:
    """Return the damage dice for a fall of this height, or an empty string if it is too short to deal damage."""
    feet = max(0, changed_number(tx, tx.rules, who, "fall", Modifier(feet, "")).total)
    settings = tx.rules.data.movement
    steps = min(feet // settings.fall_step, settings.fall_most)
    count, _, faces = settings.fall_die.partition("d")
    return f"{steps * int(count)}d{faces} {settings.fall_kind}" if steps and faces else ""


def land(tx: Transaction, procedure: Procedure, data: Fall, answers: Answers) -> Next:
    """Land a combatant, or cancel its fall. Ask for the damage unless it is standard or none."""
    if tx.get(Combatant, data.who) is None:
        return None
    choice, slowing = choice_of(answers, "fall", NOTHING), _slowing(tx, data.who)
    if choice == STAYS_UP:
        effect_records.end_condition(tx, data.who, tx.role("falling"))
        return None
    if choice == OTHER and slowing is None:
        rule = tx.rule_id("falling.figures")
        question = Ask("damage", "number", "ask.fall_damage", who=data.who, detail=str(data.feet), rule=rule)
        ask(tx, procedure, "prompt.fall", [question], subject=label_of(tx, data.who))
        return goto(procedure, FALL.land_with_damage)
    for who, feature in _savers(tx, data.who):
        if choice == f"{who} {feature.id}":
            action_economy.spend(tx, who, "reaction")
            action_economy.spend_use(tx, who, use_key(feature), feature.name)
            tx.emit(FallSlowed(who=who, target=data.who, what=feature.name))
    _land(tx, data, _standard_damage(tx, data.who, data.feet) if choice == STANDARD and slowing is None else "")
    if slowing is not None and not slowing.rules:
        effect_records.end_effect(tx, slowing)
    return None


@journal("journal.fall_slowed")
class FallSlowed(CombatantEvent, frozen=True):
    """A spell lets a falling combatant land unharmed."""

    target: field_specs.CombatantId
    what: str


def _slowing(tx: Transaction, who: str) -> Effect | None:
    """Return the effect of a spell that lets a combatant land unharmed, or None."""
    names = {spell.name for spell in tx.rules.data.spells if spell.slows_falls}
    names |= {one.name for one in tx.of(Effect, who) for rule in one.rules if rule.what == effect_records.FLOATING}
    return next((effect for effect in tx.of(Effect, who) if effect.name in names), None)


def _savers(tx: Transaction, who: str) -> list[tuple[str, prepared.Feature]]:
    """Return the combatants that can slow a fall now, each with its spell."""
    savers = []
    for one in tx.all(Combatant):
        for feature in creature_of(tx, one).features if not geometry.are_hostile(tx, one.id, who) else ():
            listed = listed_spell(tx.rules, feature)
            if listed is None or not listed.slows_falls or (one.dead or cannot_act_vetoes(tx, tx.rules, one.id)):
                continue
            near = geometry.is_within(tx, tx.rules, one.id, who, int(listed.range))
            lacks = action_economy.use_vetoes(tx, tx.rules, one.id, feature) or spending_vetoes(
                tx, tx.rules, one.id, "reaction", 1
            )
            if near is not False and not lacks:
                savers.append((one.id, feature))
    return savers


def land_with_damage(tx: Transaction, procedure: Procedure, data: Fall, answers: Answers) -> None:
    """Land a combatant and deal the damage entered."""
    answer = answers.get("damage")
    if tx.get(Combatant, data.who) is not None:
        number = answer.number if answer is not None else None
        _land(tx, data, f"{number} {tx.rules.data.movement.fall_kind}" if number else "")


def _land(tx: Transaction, data: Fall, damage: str) -> None:
    effect_records.end_condition(tx, data.who, tx.role("falling"), is_reported=True)
    floor = routes.ground_below(tx, tx.rules, data.who)
    thrown = {other.data.rider for other in tx.all(Procedure) if isinstance(other.data, ForcedDismount)}
    for who in (data.who, *(rider.id for rider in move_legs.riders_of(tx, data.who) if rider.id not in thrown)):
        tx.update(tx.need(Combatant, who), elevation=floor)
    if damage:
        begin(tx, DAMAGE_ROLL.ask_damage, DamageRoll((data.who,), damage, source=f"<condition.{tx.role('falling')}>"))


STAND, DROP = "stand", "drop"


@journal("journal.stood_up_by_action", when={"cost": "journal.stood_up"})
class StoodUp(CombatantEvent, frozen=True):
    """A combatant stood up for `cost` feet of movement."""

    cost: int


def prone_effects(lookup: state.Lookup, rules: RuleSystem, who: str) -> list[Effect]:
    """Return the effects that make a combatant prone."""
    return state.effects_named(lookup, who, rules.role("prone"))


def get_up(tx: Transaction, who: str, rule: str, cost: int = 0, *, is_reported: bool = False) -> None:
    """End a combatant's prone effects, for `cost` feet of movement.

    `is_reported`: the action that does this has its own journal line.
    """
    tx.emit(StoodUp(who=who, cost=cost, rule=rule, bookkeeping=is_reported))
    for effect in prone_effects(tx, tx.rules, who):
        effect_records.end_effect(tx, effect, rule, is_reported=True)


def stand(tx: Transaction, procedure: Procedure, data: ActionInProgress, option: ActionOption) -> None:
    """Stand up with an action that has been paid for."""
    get_up(tx, data.who, tx.rule_id("prone.stand"), is_reported=True)


def drop(tx: Transaction, procedure: Procedure, data: ActionInProgress, option: ActionOption) -> None:
    """Drop prone with an action that has been paid for."""
    effect_records.put_condition(tx, data.who, tx.role("prone"), rule=tx.rule_id("prone.drop-free"))


@command(script="drop prone {who} [reaction {react=true}]")
class DropProne(CombatantCommand, frozen=True):
    """Drop prone, for free or with the system's action. With `reaction`, the cost is a reaction.

    `react`: as a reaction.
    """

    react: bool = False

    def handle(self, tx: Transaction) -> None:
        """Drop a combatant prone: for free on its own turn, with the system's action, or as a reaction."""
        by = tx.rules.data.movement.drop_by
        if by and not self.react:
            action_economy.require_no_open_action(tx, self.who)
            begin_action(tx, ActionInProgress(self.who, by))
            return
        require(not prone_effects(tx, tx.rules, self.who), "refused.prone_already", who=label_of(tx, self.who))
        cost = tx.rules.data.movement.drop_cost
        if self.react and cost:
            action_economy.spend(tx, self.who, cost)
        elif self.react:
            tx.forbid("refused.no_quick_drop", tx.rule_id("prone.drop-free"), who=label_of(tx, self.who))
        else:
            tx.forbid_by(drop_vetoes(tx, self.who))
        rule = tx.rule_id("prone.drop-reaction" if self.react else "prone.drop-free")
        effect_records.put_condition(tx, self.who, tx.role("prone"), rule=rule)


def drop_vetoes(tx: Transaction, who: str) -> tuple[Veto, ...]:
    """Return the reason why a combatant can't drop prone for free: it isn't their turn, or its Speed is 0."""
    most = move_legs.allowance(tx, tx.rules, who, WALK)
    if tx.rules.data.movement.drop_needs_speed and most is not None and most.total <= 0:
        return (Veto("refused.speed_zero", tx.rule_id("prone.drop-free"), (("who", label_of(tx, who)),)),)
    if is_on_turn(tx, move_legs.movement_payer(tx, who)) or tx.rules.has_option(tx, tx.role("drops-prone-any-time")):
        return ()
    return (Veto("refused.not_your_turn", tx.rule_id("prone.drop-free"), (("who", label_of(tx, who)),)),)


@command(script="stand {who}")
class StandUp(CombatantCommand, frozen=True):
    """Stand up from prone, which costs part of the combatant's speed or an action, depending on the system."""

    def handle(self, tx: Transaction) -> None:
        """Stand up with the system's action or for part of the Speed. Refuse it if too little movement is left."""
        who = self.who
        if tx.rules.data.movement.stand_by:
            action_economy.require_no_open_action(tx, who)
            begin_action(tx, ActionInProgress(who, tx.rules.data.movement.stand_by))
            return
        action_economy.require_turn(tx, move_legs.movement_payer(tx, who))
        tx.forbid_by(cannot_act_vetoes(tx, tx.rules, who))
        require(prone_effects(tx, tx.rules, who), "refused.not_prone", who=label_of(tx, who))
        cost = commanded_move.stand_up_cost(tx, tx.rules, who)
        rule = tx.rule_id("prone.stand")
        action_economy.spend_movement(tx, who, cost, "refused.cannot_stand", rule)
        get_up(tx, who, rule, cost)
