"""The top of a round, stage by stage in the order that the system lists.

The number rises, what lasted until now ends, countdowns roll and their outcomes happen, spent world actions
recharge, ready ones are offered, and turns begin.
"""

from __future__ import annotations

import msgspec

from turnwright.dice.roll import RollSpec
from turnwright.encounter.pending import Ask, Hazard, Procedure, RoundStart
from turnwright.encounter.prepared import Countdown, Entry, Environment, Scene
from turnwright.encounter.running import Clock, Combatant, Effect, Pool, Slot
from turnwright.play.events import (
    PoolRolled,
    Reminded,
    RoundStarted,
    SceneSet,
    Skipped,
    WorldTurnStarted,
)
from turnwright.play.harm import end_effects_at, is_told_each_round
from turnwright.play.procedures.expiry import expire
from turnwright.play.procedures.hazards import recharge_ask, take_recharge
from turnwright.play.procedures.loop import Answers, Stage, ask, at, begin, pass_over
from turnwright.play.procedures.turns import begin_next_turn
from turnwright.play.procedures.waves import bring_by_round
from turnwright.play.resources import refill
from turnwright.play.transaction import Transaction
from turnwright.rules.hooks import Hook, Moment, contributions
from turnwright.rules.parts.conditions import is_out
from turnwright.rules.parts.surroundings import eligible, is_there, state_of
from turnwright.rules.system import RuleSystem


def following(rules: RuleSystem, procedure: Procedure, stage: str, data: RoundStart | None = None) -> Procedure:
    """Return the procedure at the stage that this system puts after the one named."""
    top = rules.rounds.top
    return at(procedure, top[top.index(stage) + 1], data)


def rise(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure:
    """Count the round, and let those waves come that it brings."""
    clock = tx.need(Clock, "clock")
    for slot in list(tx.all(Slot)):
        if slot.acted:
            tx.update(slot, acted=False)
    tx.update(clock, round=clock.round + 1, active="")
    rule = rules.cite("round.sequence" if clock.round == 0 else "endround.loop")
    tx.emit(RoundStarted(round=clock.round + 1, elapsed=clock.elapsed, rule=rule))
    if clock.round == 0:
        tx.emit(scene_set(tx, rules))
    for one in tx.all(Combatant):
        refill(tx, rules, one.id, "round-start")
    contributions(tx, rules, Hook.ROUND_STARTED, Moment())
    remind(tx, rules)
    bring_by_round(tx, rules, procedure.id)
    return following(rules, procedure, "rise")


def remind(tx: Transaction, rules: RuleSystem) -> None:
    """Say of whom something that is told each round still holds, and since when."""
    for effect in tx.all(Effect):
        condition = rules.conditions.get(effect.name)
        if condition is not None and is_told_each_round(condition) and not is_out(tx, effect.target):
            rule = condition.ledger[0] if condition.ledger else ""
            tx.emit(Reminded(who=effect.target, name=effect.name, since=effect.since, rule=rule))


def scene_set(tx: Transaction, rules: RuleSystem) -> SceneSet:
    """Return the scene as it was set: who stands where, what is about, and how long a round is."""
    scene = tx.get(Scene, "scene") or Scene()
    places = tuple((one.id, one.place or _square(one)) for one in tx.all(Combatant) if one.place or one.position)
    features = tuple(
        row.name for place in tx.all(Environment) for row in place.features if row.enabled and not row.secret
    )
    return SceneSet(places=places, features=features, round_seconds=scene.round_seconds, rule=rules.cite("setup.scene"))


def _square(combatant: Combatant) -> str:
    return "{}, {}".format(*combatant.position) if combatant.position else ""


def endings(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure:
    """End what lasts until the environment's next turn, before anything else happens."""
    end_effects_at(tx, rules, "world", rule=rules.cite("world.own-turn"))
    end_effects_at(tx, rules, "turn")
    return following(rules, procedure, "endings")


def countdowns(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure:
    """Start the pools whose round has come, and roll every running one, all its dice at once."""
    clock = tx.need(Clock, "clock")
    for waiting in list(tx.all(Pool)):
        countdown = tx.get(Countdown, waiting.countdown)
        if waiting.status == "waiting" and countdown and 0 < countdown.starts <= clock.round:
            tx.update(waiting, status="running")
    rule = rules.cite("countdown.roll")
    die = rules.world.countdown_die
    asks = [
        Ask(
            id=pool.id,
            kind="roll",
            label="ask.countdown",
            detail=pool_name(tx, pool),
            spec=RollSpec(f"{pool.dice}d{die}"),
            rule=rule,
        )
        for pool in tx.all(Pool)
        if pool.status == "running"
    ]
    ask(tx, procedure, "prompt.countdowns", asks, rule=rule)
    return at(procedure, "counted")


def counted(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure:
    """Take from each pool the dice that its speed removes. A total alone can't say which: then dice are asked for."""
    expired = []
    unknown = []
    for id, answer in answers.items():
        pool = tx.get(Pool, id)
        if pool is None or pool.status != "running":
            continue
        if answer.roll is not None and len(answer.roll.dice) == pool.dice:
            left = roll_pool(tx, rules, pool, tuple(die.face for die in answer.roll.dice))
        elif answer.number is not None:
            left = remove_from_pool(tx, rules, pool, answer.number)
        elif answer.skipped:
            tx.emit(Skipped(purpose="ask.countdown", detail=pool_name(tx, pool)))
            continue
        else:
            unknown.append(pool)
            continue
        if left == 0:
            expired.append(id)
    data = msgspec.structs.replace(_data(procedure), expired=(*_data(procedure).expired, *expired))
    if unknown:
        asks = (
            Ask(id=pool.id, kind="number", label="ask.dice_left_pool", detail=pool_name(tx, pool), most=pool.dice)
            for pool in unknown
        )
        ask(tx, procedure, "prompt.countdowns", asks, rule=rules.cite("countdown.roll"))
        return at(procedure, "counted", data)
    return following(rules, procedure, "countdowns", data)


def roll_pool(tx: Transaction, rules: RuleSystem, pool: Pool, faces: tuple[int, ...]) -> int:
    """Take the dice a roll removes out of a pool, and return how many are left."""
    countdown = tx.get(Countdown, pool.countdown)
    speed = countdown.speed if countdown else "slow"
    lowest = rules.countdown_faces[speed]
    left = sum(1 for face in faces if face < lowest)
    tx.update(pool, dice=left, faces=faces, rolls=pool.rolls + 1, status="running" if left else "expired")
    tx.emit(
        PoolRolled(countdown=pool.countdown, faces=faces, face=lowest, left=left, rule=rules.cite(f"countdown.{speed}"))
    )
    contributions(tx, rules, Hook.COUNTDOWN_ROLLED, Moment(what=pool.countdown))
    return left


def remove_from_pool(tx: Transaction, rules: RuleSystem, pool: Pool, left: int) -> int:
    """Take a person's word for how many dice of a pool are left."""
    countdown = tx.get(Countdown, pool.countdown)
    speed = countdown.speed if countdown else "slow"
    left = max(0, min(left, pool.dice))
    tx.update(pool, dice=left, faces=(), rolls=pool.rolls + 1, status="running" if left else "expired")
    rule = rules.cite(f"countdown.{speed}")
    tx.emit(PoolRolled(countdown=pool.countdown, faces=(), face=rules.countdown_faces[speed], left=left, rule=rule))
    contributions(tx, rules, Hook.COUNTDOWN_ROLLED, Moment(what=pool.countdown))
    return left


def outcomes(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure:
    """Let the first expired pool run out; come back here for the next when what it set off is over."""
    data = _data(procedure)
    if not data.expired:
        return following(rules, procedure, "outcomes")
    expire(tx, rules, data.expired[0], parent=procedure.id)
    return at(procedure, "outcomes", msgspec.structs.replace(data, expired=data.expired[1:]))


def recharges(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure:
    """Roll for every world action that is spent."""
    clock = tx.need(Clock, "clock")
    rule = rules.cite("world.recharge.repeat")
    asks = [
        recharge_ask(rules, environment, row, rule)
        for environment, row in world_rows(tx)
        if not (state := state_of(tx, environment.id, row.id)).ready and state.rolled < clock.round
    ]
    ask(tx, procedure, "prompt.recharge", asks, rule=rule)
    return at(procedure, "recharged")


def recharged(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure:
    """Give back the world actions whose roll reached their figure."""
    for environment, row in list(world_rows(tx)):
        answer = answers.get(f"{environment.id}.{row.id}")
        if answer is not None:
            take_recharge(tx, environment, row, answer, rules.cite("world.recharge.repeat"))
    return following(rules, procedure, "recharges")


def world_rows(tx: Transaction) -> list[tuple[Environment, Entry]]:
    """Return the world actions that are switched on and whole."""
    return [(place, row) for place in tx.all(Environment) for row in place.actions if is_there(tx, place, row)]


def world(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure:
    """Give the world its turn: list what is ready or due, to be offered one after another.

    Where everybody moves along it has none here, but one at the start of each participant's.
    """
    if (tx.get(Scene, "scene") or Scene()).rolling:
        return following(rules, procedure, "world")
    listed = on_offer(tx)
    if any(world_rows(tx)) or listed:
        tx.emit(WorldTurnStarted(offers=listed, rule=rules.cite("world.start-of-round")))
    return at(procedure, "offers", msgspec.structs.replace(_data(procedure), offers=listed))


def on_offer(tx: Transaction) -> tuple[tuple[str, str], ...]:
    """Return the rows (environment, entry) that the world may use now: actions that are ready, and what is due."""
    rows = [
        (environment.id, row.id)
        for environment, row in world_rows(tx)
        if state_of(tx, environment.id, row.id).ready
        and (row.affects in ("nobody", "actor") or eligible(tx, environment, row))
    ]
    due = [
        (environment.id, row.id)
        for environment in tx.all(Environment)
        for row in environment.features
        if row.enabled and state_of(tx, environment.id, row.id).due
    ]
    return (*rows, *due)


def offers(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure:
    """Offer the next row that the world may still use; when none is left, turns begin."""
    data = _data(procedure)
    if not data.offers:
        return following(rules, procedure, "world")
    environment, entry = data.offers[0]
    if (environment, entry) in on_offer(tx):  # somebody may have spent it or switched it off meanwhile
        begin(tx, "hazard", "targets", Hazard(environment, entry, world=True), procedure.id)
    return at(procedure, "offers", msgspec.structs.replace(data, offers=data.offers[1:]))


def turns(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> None:
    """Begin the first turn of the round."""
    begin_next_turn(tx, rules)


def withdraw_pool(tx: Transaction, id: str) -> None:
    """Withdraw what is asked about a pool that rolls no more."""
    pass_over(tx, lambda ask: ask.label in ("ask.countdown", "ask.dice_left_pool") and ask.id == id)


def pool_name(tx: Transaction, pool: Pool) -> str:
    """Return the name of a pool's countdown."""
    countdown = tx.get(Countdown, pool.countdown)
    return countdown.name if countdown else pool.countdown


def _data(procedure: Procedure) -> RoundStart:
    assert isinstance(procedure.data, RoundStart)
    return procedure.data


STAGES: dict[tuple[str, str], Stage] = {
    ("round", "rise"): rise,
    ("round", "endings"): endings,
    ("round", "countdowns"): countdowns,
    ("round", "counted"): counted,
    ("round", "outcomes"): outcomes,
    ("round", "recharges"): recharges,
    ("round", "recharged"): recharged,
    ("round", "world"): world,
    ("round", "offers"): offers,
    ("round", "turns"): turns,
}
