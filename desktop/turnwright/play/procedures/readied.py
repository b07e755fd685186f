"""Readying: a trigger, a response that waits for it, a spell held until then, and what becomes of it.

The response takes the reaction: here for a move or anything in words, in an attack's or a feature's own command for
those (`released`). What is not used by its owner's next turn lapses like any effect.
"""

from __future__ import annotations

from turnwright.encounter.pending import Deed, Procedure
from turnwright.encounter.prepared import Feature
from turnwright.encounter.running import Combatant, Effect, Ends, Track, track_id
from turnwright.encounter.state import Lookup
from turnwright.play.events import Readied, ReadiedWasted
from turnwright.play.harm import concentration_of, end_effect, is_active, put_effect
from turnwright.play.procedures.concentration import concentrate
from turnwright.play.refusals import Refused
from turnwright.play.resources import MOVED, need_turn
from turnwright.play.supplies import lacks, spend_supply, supply_of
from turnwright.play.transaction import Transaction
from turnwright.rules.catalogue.actions import ActionOption
from turnwright.rules.hooks import Veto
from turnwright.rules.parts.actions import ATTACK, MOVE, feature_of
from turnwright.rules.parts.economy import out_of_turn
from turnwright.rules.parts.means import is_spell
from turnwright.rules.parts.statements import effects_on
from turnwright.rules.system import RuleSystem, label_of

READIED, MOVING = "readied", "readied-move"
IGNORE, OTHER = "ignore", "action"


def readied(lookup: Lookup, who: str) -> Effect | None:
    """Return what somebody has readied: its `source` is the response (an action, a feature, `move`), `until` the trigger."""
    return next((one for one in effects_on(lookup, who) if one.name == READIED), None)


def need_move(tx: Transaction, rules: RuleSystem, who: str, payer: str) -> None:
    """Refuse a move out of turn, unless a readied one has just been set off; `payer` is whose turn it takes."""
    bought = rules.actions.get(rules.catalogue.movement.bought)
    if bought is not None:
        tx.forbid_by(out_of_turn(tx, rules, payer, bought.cost))
    elif not any(one.name == MOVING for one in effects_on(tx, who)):
        need_turn(tx, rules, payer)


def release_vetoes(
    lookup: Lookup, rules: RuleSystem, who: str, means: Feature, *, attack: bool = False
) -> tuple[Veto, ...]:
    """Return why somebody can't respond so: nothing is readied, or no longer, or something else; `attack`: by attacking."""
    effect = readied(lookup, who)
    label, rule = lookup.need(Combatant, who).label, rules.cite("ready.reaction")
    if effect is None:
        return (Veto("refused.nothing_readied", rule, (("who", label),)),)
    any_of_its_sort = not is_spell(means) and effect.source == (ATTACK if attack else OTHER)
    if effect.source == means.id or any_of_its_sort:
        return ()
    params = (("who", label), ("what", response_name(lookup, rules, effect)))
    return (Veto("refused.other_readied", rule, params),)


def get_ready(tx: Transaction, rules: RuleSystem, procedure: Procedure, data: Deed, option: ActionOption) -> None:
    """Keep the trigger and the response. A spell is cast now: its slot goes, and it is held by concentration."""
    before = readied(tx, data.who)
    if before is not None:
        tx.remove(before)
    feature = feature_of(tx, data.who, data.choice)
    held = feature is not None and is_spell(feature)
    if feature is not None and held:
        tx.forbid_by(lacks(tx, rules, data.who, feature))
        supply = supply_of(feature)
        if supply:
            spend_supply(tx, data.who, supply, feature.name)
        concentrate(tx, rules, data.who, feature.name)
    effect = Effect(
        tx.next_id("effect"),
        data.who,
        READIED,
        source=data.choice,
        ends=Ends("turn-start", data.who),
        until=data.note,
        held_by=data.who if held else "",
    )
    put_effect(tx, rules, effect)
    rule = option.rule("held") if held else option.rule()
    tx.emit(Readied(who=data.who, response=response_name(tx, rules, effect), trigger=data.note, rule=rule))


def response_name(lookup: Lookup, rules: RuleSystem, effect: Effect) -> str:
    """Return in words what a readied response is."""
    feature = feature_of(lookup, effect.target, effect.source)
    action = rules.actions.get(effect.source)
    ways = {one.id: one.name for each in rules.catalogue.actions if each.done == "ready" for one in each.choices}
    return feature.name if feature else ways.get(effect.source) or (action.name if action else effect.source)


def release_by_hand(tx: Transaction, rules: RuleSystem, procedure: Procedure, data: Deed, option: ActionOption) -> None:
    """Let what was readied happen now, its reaction spent already: a move has its feet until this turn ends."""
    effect = readied(tx, data.who)
    if effect is None:
        return
    _take_out(tx, rules, effect)
    if effect.source == MOVE:
        tx.put(Effect(tx.next_id("effect"), data.who, MOVING, ends=Ends("turn"), shown=False))
        if not is_active(tx, data.who):  # what was moved on their own turn doesn't count against it
            tx.put(Track(track_id(data.who, MOVED), data.who, MOVED))


def let_go_by(tx: Transaction, rules: RuleSystem, who: str, option: ActionOption) -> None:
    """Let the trigger go by: what was readied is wasted, and the reaction kept."""
    effect = readied(tx, who)
    if effect is None:
        raise Refused("refused.nothing_readied", params={"who": label_of(tx, who)})
    _take_out(tx, rules, effect)
    name = response_name(tx, rules, effect)
    tx.emit(ReadiedWasted(who=who, response=name, why="why.let_go_by", rule=option.rule("ignore")))


def released(tx: Transaction, rules: RuleSystem, who: str) -> Effect | None:
    """Take out what somebody had readied, because another command has just carried it out by the reaction."""
    effect = readied(tx, who)
    if effect is not None:
        _take_out(tx, rules, effect)
    return effect


def holds_spell(lookup: Lookup, who: str) -> bool:
    """Return whether what somebody has readied is a spell that is held, its slot spent."""
    effect = readied(lookup, who)
    return effect is not None and bool(effect.held_by)


def released_spell(tx: Transaction, rules: RuleSystem, who: str) -> bool:
    """Take out what somebody had readied, and return whether it was a spell, cast and paid for already."""
    effect = released(tx, rules, who)
    return effect is not None and bool(effect.held_by)


def _take_out(tx: Transaction, rules: RuleSystem, effect: Effect) -> None:
    tx.remove(effect)
    holding = concentration_of(tx, effect.held_by) if effect.held_by else None
    if holding is not None:
        end_effect(tx, rules, holding)
