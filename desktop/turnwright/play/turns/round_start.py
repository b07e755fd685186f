"""The start of a round, in stages, and the environment's turns.

The round number increases, effects that last until now end, countdowns roll and have their outcomes, spent world
actions recharge, ready ones are offered, and turns begin.
"""

import msgspec

from turnwright.dice.expression import RollSpec
from turnwright.encounter.field_specs import ConditionId, Places
from turnwright.encounter.prepared import Countdown, Environment, EnvironmentEntry
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.asks import Ask, Option, choice_ask
from turnwright.encounter.procedure_state.environment import ENVIRONMENT_EFFECT, EnvironmentEffect
from turnwright.encounter.procedure_state.turns import ROUND, WORLD_TURN, RoundStart, WorldTurn
from turnwright.encounter.running import Clock, Combatant, CountdownPool, Effect, Slot
from turnwright.encounter.state import find_entry, is_out_of_play, scene_of
from turnwright.play.effects.ready_action import readied_effect
from turnwright.play.environment.countdown_pools import begin_outcomes, pool_name, roll_pool, set_dice_left
from turnwright.play.environment.entry_readiness import apply_recharge, recharge_ask
from turnwright.play.kernel.events import CombatantEvent, Event, journal
from turnwright.play.kernel.scheduler import Answers, Next, ask, begin, goto
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.spawning.spawning import arrive_at_round
from turnwright.play.state.action_economy import refill
from turnwright.play.state.effect_records import end_effects_at, reminds_each_round, start_followups
from turnwright.play.state.events import Skipped
from turnwright.play.turn_order import initiative
from turnwright.play.turns.own_reminders import begin_round_reminders
from turnwright.play.turns.turns import RoundStarted, WorldTurnStarted, begin_next_turn
from turnwright.rules.parts.actions.action_options import action_vetoes
from turnwright.rules.parts.environment.entries import eligible_targets, entry_state, is_active
from turnwright.rules.system import Hook, HookContext, labels_of, run_hooks

BEGIN_TURN, RELEASE = "begin-turn", "release"


@journal("journal.scene_set", seconds="round_seconds")
class SceneDescribed(Event, frozen=True):
    """The scene at the beginning of round 1: places and environment features, as text."""

    places: Places = ()
    features: tuple[str, ...] = ()
    round_seconds: int = 6

    @property
    def journal_key(self) -> str:
        """Return the journal key, which depends on whether there are places and features."""
        suffixes = {(True, True): "", (True, False): "_features", (False, True): "_places", (False, False): "_bare"}
        return "journal.scene_set" + suffixes[bool(self.features), bool(self.places)]


@journal("journal.reminded_bare", kind="warn", when={"since": "journal.reminded"}, what="name", round="since")
class Reminded(CombatantEvent, frozen=True):
    """An effect that has been on a combatant since the round `since` was shown at the start of a round."""

    name: ConditionId
    since: int


def begin_round(tx: Transaction, procedure: Procedure, _: object, answers: Answers) -> Procedure:
    """Increase the round number, and bring in waves due in this round."""
    clock = tx.need(Clock, "clock")
    for slot in list(tx.all(Slot)):
        if slot.acted:
            tx.update(slot, acted=False)
    tx.update(clock, round=clock.round + 1, active="")
    rule = tx.rule_id("round.sequence" if clock.round == 0 else "endround.loop")
    tx.emit(RoundStarted(round=clock.round + 1, elapsed=clock.elapsed_seconds, rule=rule))
    if clock.round == 0:
        tx.emit(start_scene(tx))
    else:
        initiative.reroll_initiative(tx, procedure.id)
    for combatant in tx.all(Combatant):
        refill(tx, combatant.id, "round-start")
    start_followups(tx, run_hooks(tx, tx.rules, Hook.ROUND_STARTED, HookContext()), procedure.id)
    remind_of_effects(tx)
    arrive_at_round(tx, procedure.id)
    return goto(procedure, ROUND.expire_effects)


def remind_of_effects(tx: Transaction) -> None:
    """Report effects that have a note for each round, with their target and first round."""
    for effect in tx.all(Effect):
        condition = tx.rules.conditions.get(effect.name)
        if condition is not None and reminds_each_round(condition) and not is_out_of_play(tx, effect.target):
            rule = condition.ledger[0] if condition.ledger else ""
            tx.emit(Reminded(who=effect.target, name=effect.name, since=effect.since_round, rule=rule))


def start_scene(tx: Transaction) -> SceneDescribed:
    """Return the event that describes the scene in the first round: positions, features and the length of a round."""
    seconds, rule = scene_of(tx).round_seconds, tx.rule_id("setup.scene")
    places = tuple((each.id, each.place or _square(each)) for each in tx.all(Combatant) if each.place or each.position)
    features = tuple(
        row.name for place in tx.all(Environment) for row in place.features if row.enabled and not row.secret
    )
    return SceneDescribed(places=places, features=features, round_seconds=seconds, rule=rule)


def _square(combatant: Combatant) -> str:
    return "{}, {}".format(*combatant.position) if combatant.position else ""


def expire_effects(tx: Transaction, procedure: Procedure, _: object, answers: Answers) -> Procedure:
    """End effects that last until the environment's next turn, then show reminders."""
    end_effects_at(tx, "world", rule=tx.rule_id("world.own-turn"))
    end_effects_at(tx, "turn")
    begin_round_reminders(tx, procedure.id)
    return goto(procedure, ROUND.roll_countdowns)


def roll_countdowns(tx: Transaction, procedure: Procedure, _: object, answers: Answers) -> Procedure:
    """Start the pools due in this round, and roll all dice of every running pool."""
    clock = tx.need(Clock, "clock")
    for waiting in list(tx.all(CountdownPool)):
        countdown = tx.get(Countdown, waiting.countdown)
        if waiting.status == "waiting" and countdown and 0 < countdown.starts <= clock.round:
            tx.update(waiting, status="running")
    rule = tx.rule_id("countdown.roll")
    die = tx.rules.data.turns.countdown_die
    asks = [
        Ask(pool.id, "roll", "ask.countdown", "", pool_name(tx, pool), RollSpec(f"{pool.dice}d{die}"), rule=rule)
        for pool in tx.all(CountdownPool)
        if pool.status == "running"
    ]
    return ask(tx, goto(procedure, ROUND.after_countdown_rolls), "prompt.countdowns", asks)


def after_countdown_rolls(tx: Transaction, procedure: Procedure, data: RoundStart, answers: Answers) -> Procedure:
    """Remove dice from each pool according to its speed. If only a total was entered, ask how many dice are left."""
    expired = []
    unknown = []
    for id, answer in answers.items():
        pool = tx.get(CountdownPool, id)
        if pool is None or pool.status != "running":
            continue
        if answer.roll is not None and len(answer.roll.dice) == pool.dice:
            dice_left = roll_pool(tx, pool, tuple(die.face for die in answer.roll.dice))
        elif answer.number is not None:
            dice_left = set_dice_left(tx, pool, answer.number)
        elif answer.skipped:
            tx.emit(Skipped(purpose="ask.countdown", detail=pool_name(tx, pool)))
            continue
        else:
            unknown.append(pool)
            continue
        if dice_left == 0:
            expired.append(id)
    data = msgspec.structs.replace(data, expired_pools=(*data.expired_pools, *expired))
    if unknown:
        asks = (
            Ask(pool.id, "number", "ask.dice_left_pool", detail=pool_name(tx, pool), max_choices=pool.dice)
            for pool in unknown
        )
        ask(tx, procedure, "prompt.countdowns", asks, rule=tx.rule_id("countdown.roll"))
        return goto(procedure, ROUND.after_countdown_rolls, data)
    return goto(procedure, ROUND.run_outcomes, data)


def run_outcomes(tx: Transaction, procedure: Procedure, data: RoundStart, answers: Answers) -> Procedure:
    """Run the outcomes of the first expired pool. This stage is repeated for each pool."""
    if not data.expired_pools:
        return goto(procedure, ROUND.roll_recharges)
    begin_outcomes(tx, data.expired_pools[0], parent=procedure.id)
    return goto(procedure, ROUND.run_outcomes, expired_pools=data.expired_pools[1:], eventful=True)


def roll_recharges(tx: Transaction, procedure: Procedure, _: object, answers: Answers) -> Procedure:
    """Ask for a recharge roll for each spent world action."""
    clock = tx.need(Clock, "clock")
    rule = tx.rule_id("world.recharge.repeat")
    asks = [
        recharge_ask(tx.rules, environment, row, rule)
        for environment, row in world_actions(tx)
        if not (state := entry_state(tx, environment.id, row.id)).ready and state.recharge_rolled < clock.round
    ]
    return ask(tx, goto(procedure, ROUND.after_recharge_rolls), "prompt.recharge", asks)


def after_recharge_rolls(tx: Transaction, procedure: Procedure, _: object, answers: Answers) -> Procedure:
    """Recharge the world actions whose rolls were high enough."""
    for environment, row in list(world_actions(tx)):
        answer = answers.get(f"{environment.id}.{row.id}")
        if answer is not None:
            apply_recharge(tx, environment, row, answer, tx.rule_id("world.recharge.repeat"))
    return goto(procedure, ROUND.begin_world_actions)


def world_actions(tx: Transaction) -> list[tuple[Environment, EnvironmentEntry]]:
    """Return the world actions that are enabled and not broken."""
    return [(place, row) for place in tx.all(Environment) for row in place.actions if is_active(tx, place, row)]


def begin_world_actions(tx: Transaction, procedure: Procedure, data: RoundStart, answers: Answers) -> Procedure:
    """Begin the environment's turn: list the entries that are ready or due, which are then offered one by one.

    In encounters with rolling movement, the environment has a turn before each participant's turn instead.
    """
    if scene_of(tx).rolling:
        return goto(procedure, ROUND.begin_turns)
    offers = offered_entries(tx)
    if any(world_actions(tx)) or offers:
        tx.emit(WorldTurnStarted(offers=offers, rule=tx.rule_id("world.start-of-round")))
    return goto(procedure, ROUND.offer_world_actions, data, offers=offers, eventful=data.eventful or bool(offers))


def offered_entries(tx: Transaction) -> tuple[tuple[str, str], ...]:
    """Return the entries that can be used now (environment and entry): ready actions, and entries that are due."""
    rows = [
        (environment.id, row.id)
        for environment, row in world_actions(tx)
        if entry_state(tx, environment.id, row.id).ready
        and (row.affects in ("nobody", "actor") or eligible_targets(tx, environment, row))
    ]
    due = [
        (environment.id, row.id)
        for environment in tx.all(Environment)
        for row in environment.features
        if row.enabled and entry_state(tx, environment.id, row.id).due_round
    ]
    return (*rows, *due)


def offer_world_actions(tx: Transaction, procedure: Procedure, data: RoundStart, answers: Answers) -> Procedure:
    """Offer the next entry that can still be used. If none are left, turns begin."""
    if not data.offers:
        return goto(procedure, ROUND.begin_turns)
    environment, entry = data.offers[0]
    if (environment, entry) in offered_entries(tx):  # the action may have been spent or disabled since
        begin(tx, ENVIRONMENT_EFFECT.ask_targets, EnvironmentEffect(environment, entry, by_world=True), procedure.id)
    return goto(procedure, ROUND.offer_world_actions, offers=data.offers[1:])


def begin_turns(tx: Transaction, procedure: Procedure, data: RoundStart, answers: Answers) -> Next:
    """Begin the first turn of the round. First, let its combatants release readied responses."""
    asks = _readied_asks(tx) if data.eventful else []
    if not asks:
        begin_next_turn(tx)
        return None
    subject = labels_of(tx, [pending.who for pending in asks])
    return ask(tx, goto(procedure, ROUND.begin_turns, eventful=False), "prompt.readied", asks, subject=subject)


def _readied_asks(tx: Transaction) -> list[Ask]:
    """Return an ask for each readied response that would end with the first turn of the round unless released."""
    first = next((due for due in initiative.remaining_this_round(tx) if initiative.has_member_present(tx, due)), None)
    release = next((action for action in tx.rules.data.actions if action.done == RELEASE), None)
    if first is None or release is None:
        return []
    slots = initiative.choosable_slots(tx, tx.rules) or [first]
    rule, options = release.rule(), (Option(BEGIN_TURN, "option.begin_turn"),)
    readied = {who: readied_effect(tx, tx.rules, who) for slot in slots for who in slot.members}
    return [
        choice_ask(who, "ask.readied", options, who, effect.end_condition, rule=rule)
        for who, effect in readied.items()
        if effect is not None and not action_vetoes(tx, tx.rules, who, release)
    ]


def next_combatant(tx: Transaction, procedure: Procedure, data: WorldTurn, answers: Answers) -> Next:
    """List the environment entries for the next combatant whose turn begins, which are then offered one by one."""
    if not data.remaining:
        return None
    data = WorldTurn(data.remaining[0], remaining=data.remaining[1:])
    offers = () if is_out_of_play(tx, data.who) else _for_one(tx, data.who)
    if any(world_actions(tx)) or offers:
        tx.emit(WorldTurnStarted(offers=offers, rule=tx.rule_id("rolling.world")))
    return goto(procedure, WORLD_TURN.offer_next, data, offers=offers)


def _for_one(tx: Transaction, who: str) -> tuple[tuple[str, str], ...]:
    """Return the environment entries that can be used on one participant."""
    return tuple((place, row) for place, row in offered_entries(tx) if _reaches(tx, place, row, who))


def _reaches(tx: Transaction, place: str, entry: str, who: str) -> bool:
    environment = tx.need(Environment, place)
    row = find_entry(environment, entry)
    if row is None or row.affects == "nobody":
        return row is not None
    return any(eligible_target.id == who for eligible_target in eligible_targets(tx, environment, row, tx.rules))


def offer_next(tx: Transaction, procedure: Procedure, data: WorldTurn, answers: Answers) -> Procedure:
    """Offer the next entry that can still be used on the combatant whose turn begins."""
    if not data.offers:
        return goto(procedure, WORLD_TURN.next_combatant)
    environment, entry = data.offers[0]
    if (environment, entry) in offered_entries(tx):
        effect = EnvironmentEffect(environment, entry, by_world=True, only_target=data.who)
        begin(tx, ENVIRONMENT_EFFECT.ask_targets, effect, procedure.id)
    return goto(procedure, WORLD_TURN.offer_next, offers=data.offers[1:])
