"""Legendary actions, lair actions, and features of creatures that recharge.

Legendary actions are offered at the end of other creatures' turns, and lair actions at an initiative count, only to
conscious creatures that can act. A feature recharges with a roll at the start of its owner's turn, if it is spent and the
owner is conscious.
"""

from __future__ import annotations

from turnwright.dice.roll import RollSpec
from turnwright.encounter.field_specs import CombatantId, PositiveOrNone
from turnwright.encounter.lookups import clock_of
from turnwright.encounter.prepared import Creature, Feature
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.asks import MADE, Ask, Option, choice_ask
from turnwright.encounter.procedure_state.attacks import ATTACK, SAVE_EFFECT, AttackInProgress, SaveEffect
from turnwright.encounter.procedure_state.turns import (
    LAIR_ACTION,
    LAIR_ACTIONS,
    LEGENDARY_ACTION,
    RECHARGE,
    LairActions,
    OffTurnAction,
    OffTurnActionKind,
    RechargeRolls,
)
from turnwright.encounter.running import Clock, Combatant, GuestCreature, Slot, Track, track_id
from turnwright.encounter.state import Lookup
from turnwright.play.attacks.attack_request import AttackFailed, attack_vetoes
from turnwright.play.effects.concentration import concentrate
from turnwright.play.kernel.events import Event, journal
from turnwright.play.kernel.scheduler import Answers, Next, ask, begin, choice_of, choices_of, data_of, goto, stages_in
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.state.limited_uses import spend_use
from turnwright.play.turn_order.initiative import has_member_present, remaining_this_round
from turnwright.rules.hooks import Hook, HookContext, run_hooks
from turnwright.rules.parts.attacks.attack_targeting import targeting_vetoes
from turnwright.rules.parts.conditions.condition_rules import is_out_of_play
from turnwright.rules.parts.conditions.predicates import is_there
from turnwright.rules.parts.economy.limited_uses import (
    LEGENDARY,
    affordable_legendary_actions,
    awaiting_recharge,
    remaining_uses,
    use_key,
)
from turnwright.rules.system import RuleSystem, creature_of

PASS = "pass"
LAIR = "lair"


@journal("journal.feature_spent", what="feature")
class FeatureRechargeRolled(Event, frozen=True):
    """The recharge of a spent feature was rolled. `face` is None if the outcome was entered."""

    who: CombatantId
    feature: str
    recharged: bool
    face: int | None = None
    needed: PositiveOrNone = 0

    @property
    def journal_key(self) -> str:
        """Return the journal key, which depends on the result and on whether its numbers are known."""
        key = "journal.feature_back" if self.recharged else "journal.feature_spent"
        return key if self.face and self.needed else f"{key}_unsaid"


def is_conscious(lookup: Lookup, who: str) -> bool:
    """Return whether a combatant is in play and above 0 hit points, so that it can be offered actions."""
    combatant = lookup.get(Combatant, who)
    return combatant is not None and not is_out_of_play(lookup, who) and combatant.hp > 0


def begin_recharges(tx: Transaction, who: str) -> None:
    """Begin the recharge rolls for a creature's spent features at the start of its turn."""
    spent = awaiting_recharge(tx, who) if is_conscious(tx, who) else ()
    if spent:
        begin(tx, RECHARGE.ask_rolls, RechargeRolls(who, tuple(feature.id for feature in spent)))


def ask_rolls(tx: Transaction, procedure: Procedure, data: RechargeRolls, answers: Answers) -> Next:
    """Ask for a die roll for each spent feature."""
    spec = RollSpec(tx.rules.data.turns.recharge_die)
    asks = [
        Ask(feature.id, "roll", "ask.recharge", data.who, feature.name, spec, feature.recharge)
        for feature in _features(tx, data.who)
        if feature.id in data.features
    ]
    if not asks:
        return None
    return ask(tx, goto(procedure, RECHARGE.apply), "prompt.recharge", asks, subject=tx.need(Combatant, data.who).label)


def apply(tx: Transaction, procedure: Procedure, data: RechargeRolls, answers: Answers) -> None:
    """Recharge the features whose rolls were high enough."""
    for feature in _features(tx, data.who):
        answer = answers.get(feature.id)
        if answer is None or answer.skipped:
            continue
        face = answer.roll.total if answer.roll else None
        is_recharged = MADE in answer.chosen or (face is not None and face >= feature.recharge)
        if is_recharged:
            name = f"recharge.{feature.id}"
            tx.put(Track(track_id(data.who, name), data.who, name, 1, 1))
        who, name, needed = data.who, feature.name, feature.recharge
        tx.emit(FeatureRechargeRolled(who=who, feature=name, recharged=is_recharged, face=face, needed=needed))


def _features(lookup: Lookup, who: str) -> tuple[Feature, ...]:
    combatant = lookup.get(Combatant, who)
    return creature_of(lookup, combatant).features if combatant else ()


def can_act(tx: Transaction, who: str) -> bool:
    """Return whether a combatant is conscious and able to act."""
    if not is_conscious(tx, who):
        return False
    return not run_hooks(tx, tx.rules, Hook.ACTION_DECLARED, HookContext(who, "action")).vetoes


def begin_legendary_actions(tx: Transaction, ended: tuple[str, ...], parent: str = "") -> None:
    """Offer legendary actions at the end of a turn to other creatures that have some left."""
    blocks = [*tx.all(Creature), *tx.all(GuestCreature)]
    legendary = {block.id for block in blocks if any(feature.cost == LEGENDARY for feature in block.features)}
    for who in [combatant.id for combatant in tx.all(Combatant) if combatant.creature in legendary]:
        if who not in ended and is_conscious(tx, who) and affordable_legendary_actions(tx, tx.rules, who):
            begin(tx, LEGENDARY_ACTION.ask_action, OffTurnAction(who), parent)


def available_actions(lookup: Lookup, rules: RuleSystem, who: str, kind: str) -> tuple[Feature, ...]:
    """Return the legendary or lair actions that a creature may take now."""
    is_legendary = kind == LEGENDARY_ACTION.name
    return (affordable_legendary_actions if is_legendary else available_lair_actions)(lookup, rules, who)


def ask_action(tx: Transaction, procedure: Procedure, data: OffTurnAction, answers: Answers) -> Next:
    """Ask which legendary or lair action a creature takes, if any."""
    who = data.who
    options = tuple(
        Option(action.id, action.name, action.text) for action in available_actions(tx, tx.rules, who, procedure.kind)
    )
    if not options or not can_act(tx, who):
        return None
    choices = (*options, Option(PASS, "option.pass"))
    question = choice_ask("which", f"ask.{procedure.kind}", choices, who, suggested=PASS)
    ask(tx, procedure, f"prompt.{procedure.kind}", [question], subject=tx.need(Combatant, who).label)
    return goto(procedure, _kind_of(procedure).ask_targets)


def ask_targets(tx: Transaction, procedure: Procedure, data: OffTurnAction, answers: Answers) -> Next:
    """Spend the cost of the chosen action, and ask for its targets."""
    which = choice_of(answers, "which", PASS)
    feature = _available(tx, procedure, data.who, which)
    if feature is None or not can_act(tx, data.who):
        return None
    if feature.attack is None and not feature.save and not feature.damage:
        _do(tx, procedure, feature, ())
        return None
    options = tuple(
        Option(combatant.id, combatant.label)
        for combatant in tx.all(Combatant)
        if combatant.id != data.who and not combatant.dead and _can_reach(tx, procedure, feature, combatant.id)
    )
    if not options:
        tx.emit(AttackFailed(who=data.who, weapon=feature.name, reason="why.nobody_in_reach"))
        return None
    most = 1 if feature.attack is not None else 0
    question = Ask("who", "targets", "ask.targets_one", data.who, options=options, max_choices=most)
    ask(tx, procedure, f"prompt.{procedure.kind}", [question], subject=feature.name)
    return goto(procedure, _kind_of(procedure).resolve, OffTurnAction(data.who, feature.id))


def resolve(tx: Transaction, procedure: Procedure, data: OffTurnAction, answers: Answers) -> None:
    """Carry out the action on the chosen targets. If there are none, the action isn't used."""
    feature = _available(tx, procedure, data.who, data.feature)
    targets = choices_of(answers, "who")
    if feature is not None and targets and can_act(tx, data.who):
        _do(tx, procedure, feature, targets)


def _available(tx: Transaction, procedure: Procedure, who: str, id: str) -> Feature | None:
    available = available_actions(tx, tx.rules, who, procedure.kind)
    return next((action for action in available if action.id == id), None)


def _kind_of(procedure: Procedure) -> OffTurnActionKind:
    return LEGENDARY_ACTION if procedure.kind == LEGENDARY_ACTION.name else LAIR_ACTION


def _can_reach(tx: Transaction, procedure: Procedure, feature: Feature, target: str) -> bool:
    """Return whether an action can target a combatant. Actions without an attack roll can have any target."""
    if feature.attack is None:
        return True
    assault = AttackInProgress(data_of(procedure, OffTurnAction).who, feature, target, purpose=procedure.kind)
    if procedure.kind == LEGENDARY_ACTION.name:
        return not attack_vetoes(tx, tx.rules, assault)
    return not targeting_vetoes(tx, tx.rules, assault)


def _do(tx: Transaction, procedure: Procedure, feature: Feature, targets: tuple[str, ...]) -> None:
    who, parent = data_of(procedure, OffTurnAction).who, procedure.parent
    if procedure.kind == LEGENDARY_ACTION.name:
        spend_use(tx, who, LEGENDARY, feature.name, feature.price)
    else:
        _set_mark(tx, who, f"{LAIR}.{feature.id}")
    spend_use(tx, who, use_key(feature), feature.name)
    if feature.attack is not None and targets:
        begin(tx, ATTACK.declare, AttackInProgress(who, feature, targets[0], purpose=procedure.kind), parent)
        return
    if feature.concentration:
        concentrate(tx, who, feature.name)
    onslaught = SaveEffect((who,), feature, targets, save=feature.save, dc=feature.dc, half_on_save=feature.half)
    begin(tx, SAVE_EFFECT.ask_saves, onslaught, parent)


# Lairs ------------------------------------------------------------------------------------------------------------


def begin_lair_actions(tx: Transaction) -> bool:
    """Offer lair actions at their initiative count, after all combatants at that count. Return whether any is offered.

    A parent procedure waits for their effects, and then continues the turn order.
    """
    count, clock = tx.rules.data.initiative.lair, tx.need(Clock, "clock")
    is_past = any(slot.count < count and (slot.acted or slot.id == clock.active) for slot in tx.all(Slot))
    if not count or is_past:
        return False
    following = next((slot for slot in remaining_this_round(tx) if has_member_present(tx, slot)), None)
    if following is not None and following.count >= count:
        return False
    fresh = [
        combatant.id
        for combatant in tx.all(Combatant)
        if _mark(tx, combatant.id, LAIR) != clock.round and _has_lair(tx, combatant)
    ]
    for who in fresh:
        _set_mark(tx, who, LAIR)
    able = [who for who in fresh if available_lair_actions(tx, tx.rules, who) and can_act(tx, who)]
    if not able:
        return False
    tx.update(clock, active="")
    over = begin(tx, LAIR_ACTIONS.finish, LairActions())
    for who in reversed(able):
        begin(tx, LAIR_ACTION.ask_action, OffTurnAction(who), over.id)
    return True


def available_lair_actions(lookup: Lookup, rules: RuleSystem, who: str) -> tuple[Feature, ...]:
    """Return a creature's lair actions that weren't used in the previous round."""
    before = clock_of(lookup).round - 1
    features = creature_of(lookup, lookup.need(Combatant, who)).features
    unused = (
        feature for feature in features if feature.cost == LAIR and _mark(lookup, who, f"{LAIR}.{feature.id}") != before
    )
    available = (action for action in unused if is_there(lookup, rules, who, action))
    return tuple(action for action in available if not use_key(action) or remaining_uses(lookup, who, use_key(action)))


def _has_lair(lookup: Lookup, combatant: Combatant) -> bool:
    return any(feature.cost == LAIR for feature in creature_of(lookup, combatant).features)


def _mark(lookup: Lookup, who: str, name: str) -> int | None:
    """Return the round stored in a creature's mark, or None if it has no such mark."""
    track = lookup.get(Track, track_id(who, name))
    return track.value if track is not None else None


def _set_mark(tx: Transaction, who: str, name: str) -> None:
    tx.put(Track(track_id(who, name), who, name, tx.need(Clock, "clock").round))


STAGES = stages_in(globals(), RECHARGE, LEGENDARY_ACTION, LAIR_ACTION)
