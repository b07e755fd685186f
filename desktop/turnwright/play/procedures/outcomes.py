"""What an action does besides the effects that its data names: by the word under `done`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from turnwright.encounter.pending import Ask, Deed, Option, Procedure
from turnwright.encounter.running import Combatant, Effect, Track, track_id
from turnwright.play.events import EffectGained, ManeuverSettled
from turnwright.play.harm import id_for, put_effect
from turnwright.play.procedures.announced_moves import opened
from turnwright.play.procedures.attack_costs import ATTACKS, attacks_of_action
from turnwright.play.procedures.catching import thrown
from turnwright.play.procedures.dying import stabilise
from turnwright.play.procedures.escapes import ESCAPE_DC
from turnwright.play.procedures.hurled import push
from turnwright.play.procedures.lasting import sustain
from turnwright.play.procedures.loop import Answers, ask, at
from turnwright.play.procedures.opposed import brought_about
from turnwright.play.procedures.postures import DROP, STAND, drop, stand
from turnwright.play.procedures.readied import get_ready, release_by_hand
from turnwright.play.procedures.responses import fall_back
from turnwright.play.procedures.stopping import disable
from turnwright.play.spending import keep_piece
from turnwright.play.transaction import Transaction
from turnwright.rules.catalogue.actions import ActionOption
from turnwright.rules.parts.action_rolls import known_figure
from turnwright.rules.parts.actions import option_of
from turnwright.rules.parts.announced import is_asked
from turnwright.rules.parts.conditions import is_immune_to
from turnwright.rules.parts.devices import DISABLE
from turnwright.rules.parts.pieces import Piece, buyer, mode_of
from turnwright.rules.system import RuleSystem, creature_of

Outcome = Callable[[Transaction, RuleSystem, Procedure, Deed, ActionOption], Procedure | None]
STRIDE = "stride"
NOTHING, PUSHED, DISARMED = "nothing", "pushed", "disarmed"


def attack(tx: Transaction, rules: RuleSystem, procedure: Procedure, data: Deed, option: ActionOption) -> None:
    """Let the attacks of the Attack action be counted from now on; its action is spent already."""
    count_attacks(tx, data.who, attacks_of_action(creature_of(tx, tx.need(Combatant, data.who))))


def count_attacks(tx: Transaction, who: str, count: int) -> None:
    """Have so many attacks left to somebody that are paid for."""
    tx.put(Track(track_id(who, ATTACKS), who, ATTACKS, count))


def aid(tx: Transaction, rules: RuleSystem, procedure: Procedure, data: Deed, option: ActionOption) -> None:
    """Make those who were helped stable."""
    for target in data.targets:
        if tx.get(Combatant, target) is not None:
            stabilise(tx, rules, target, option.rule("result"))


def maneuver(tx: Transaction, rules: RuleSystem, procedure: Procedure, data: Deed, option: ActionOption) -> Procedure:
    """Ask the game master what came of a maneuver against each target; how it is decided stands in no rule here."""
    way = next((one for one in option.choices if one.id == data.choice), None)
    likely = way.outcome if way else NOTHING
    known = list(dict.fromkeys((NOTHING, *(one.outcome for one in option.choices if one.outcome))))
    options = tuple(Option(one, f"<condition.{one}>" if one in rules.conditions else f"option.{one}") for one in known)
    rule = option.rule("outcome")
    asks = [
        Ask(
            target,
            "choice",
            "ask.outcome",
            target,
            way.name if way else "",
            options=options,
            suggested=(likely,),
            rule=rule,
        )
        for target in data.targets
        if tx.get(Combatant, target) is not None
    ]
    ask(tx, procedure, "prompt.maneuver", asks, subject=way.name if way else option.name, rule=rule)
    return at(procedure, "outcome", data)


def maneuver_settled(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> None:
    """Let happen what the game master said."""
    data = procedure.data
    assert isinstance(data, Deed)
    option = option_of(tx, rules, data.who, data.action)
    way = next((one for one in option.choices if one.id == data.choice), None)
    rule = option.rule()
    for target, answer in answers.items():
        outcome = next(iter(answer.chosen), NOTHING)
        if tx.get(Combatant, target) is None:
            continue
        said = f"condition.{outcome}" if outcome in rules.conditions else f"option.{outcome}"
        name = way.name if way else option.name
        tx.emit(ManeuverSettled(who=data.who, target=target, maneuver=name, outcome=said, rule=rule))
        if outcome in rules.conditions and not is_immune_to(tx, target, outcome):
            _bring_about(tx, rules, data.who, target, outcome, name, rule)
        elif outcome == PUSHED and way is not None and way.value:
            push(tx, rules, (target,), way.value, source=name, by=data.who, rule=rule, parent=procedure.id)


def _bring_about(
    tx: Transaction, rules: RuleSystem, who: str, target: str, outcome: str, source: str, rule: str
) -> None:
    """Put a condition on whom a maneuver was done to; out of one that holds fast leads a check, against its maker's DC."""
    holds = outcome in dict(rules.catalogue.escapes)
    by = who if holds else ""
    dc = known_figure(tx, rules, who, ESCAPE_DC) or 0 if holds else 0
    put_effect(tx, rules, Effect(id_for(tx, target, outcome, by), target, outcome, source=source, value=dc, by=by))
    tx.emit(EffectGained(target=target, name=outcome, value=dc, source=source, rule=rule))


def stride(tx: Transaction, rules: RuleSystem, procedure: Procedure, data: Deed, option: ActionOption) -> None:
    """Open the piece of movement that has been paid for, be it with the usual action or with one that does more."""
    mode = mode_of(rules, option.id)
    most, usual = rules.movement.allowance(tx, rules, data.who, mode), buyer(rules, mode)
    if most is not None and usual is not None:
        far = min(option.feet or most.total, most.total)
        keep_piece(tx, data.who, usual.id, Piece(far), most.total)
        if is_asked(tx, rules):
            opened(tx, rules, data.who, mode, procedure.id)


DONE: Mapping[str, Outcome] = MappingProxyType(
    {
        "attack": attack,
        "stabilise": aid,
        "maneuver": maneuver,
        "ready": get_ready,
        "release": release_by_hand,
        "fall-back": fall_back,
        "opposed": brought_about,
        "sustain": sustain,
        STRIDE: stride,
        "thrown": thrown,
        STAND: stand,
        DISABLE: disable,
        DROP: drop,
    }
)
