"""The steps of a turn's start and of its end, by the names in which a system lists them.

A step is done for the members of the slot whose turn it is; what it begins `parent` waits for. `is_due` says whether it
has something to do that somebody might want before or after the others; the rest happens in its place, unasked.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

import msgspec

from turnwright.encounter.pending import Hazard, Procedure, TurnEnd, WorldTurn
from turnwright.encounter.prepared import Scene
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Lookup
from turnwright.play.procedures.besides import begin_legendary
from turnwright.play.procedures.exertion import recover_all
from turnwright.play.procedures.lasting import begin_falling, count_down, counted_down, expire, expiring, falling
from turnwright.play.procedures.loop import begin
from turnwright.play.procedures.ongoing import begin_ongoing
from turnwright.play.procedures.perils import begin_perils
from turnwright.play.procedures.recharges import begin_recharges
from turnwright.play.procedures.regaining import give_back
from turnwright.play.procedures.turn_checks import afflicting, begin_flat_checks, begin_saves, hurting
from turnwright.play.procedures.turn_moments import begin_notes, begin_triggers, due_notes, triggered
from turnwright.play.resources import lapse
from turnwright.play.supplies import LEGENDARY, renew_uses, restore, spent_recharges
from turnwright.play.transaction import Transaction
from turnwright.rules.hooks import Hook, Moment, contributions
from turnwright.rules.parts.conditions import is_out
from turnwright.rules.parts.statements import effects_on
from turnwright.rules.system import RuleSystem

Members = tuple[str, ...]
Do = Callable[[Transaction, RuleSystem, Members, str], None]
Due = Callable[[Lookup, RuleSystem, Members], bool]
DYING = "dying"


def _never(lookup: Lookup, rules: RuleSystem, who: Members) -> bool:
    return False


class Step(NamedTuple):
    """One step: what it does, and whether it has anything to do that belongs on the card."""

    do: Do
    is_due: Due = _never


def living(lookup: Lookup, who: Members) -> Members:
    """Return those who are alive."""
    return tuple(one for one in who if not is_out(lookup, one))


def _surroundings(tx: Transaction, rules: RuleSystem, who: Members, parent: str) -> None:
    """See which surroundings have something to say to those whose turn ends."""
    rows: list[tuple[str, str, str]] = []
    for one in living(tx, who):
        said = contributions(tx, rules, Hook.TURN_ENDING, Moment(one))
        rows += [(offer.environment, offer.entry, offer.who) for offer in said.offers]
    procedure, data = _end(tx, parent)
    tx.update(procedure, data=msgspec.structs.replace(data, rows=tuple(rows)))


def _rows(tx: Transaction, rules: RuleSystem, who: Members, parent: str) -> None:
    """Let the next such row concern whoever ends a turn in it; the step comes again until there is none."""
    procedure, data = _end(tx, parent)
    if data.rows:
        environment, entry, one = data.rows[0]
        tx.update(procedure, data=msgspec.structs.replace(data, rows=data.rows[1:], steps=("rows", *data.steps)))
        begin(tx, "hazard", "targets", Hazard(environment, entry, targets=(one,), agreed=True), parent)


def _end(tx: Transaction, id: str) -> tuple[Procedure, TurnEnd]:
    procedure = tx.need(Procedure, id)
    assert isinstance(procedure.data, TurnEnd)
    return procedure, procedure.data


def _begun(tx: Transaction, rules: RuleSystem, who: Members, parent: str) -> None:
    for one in living(tx, who):
        contributions(tx, rules, Hook.TURN_STARTED, Moment(one))
        restore(tx, one, LEGENDARY)
        renew_uses(tx, one, "round")
    for combatant in list(tx.all(Combatant)):
        renew_uses(tx, combatant.id, "turn")


def _recharges(tx: Transaction, rules: RuleSystem, who: Members, parent: str) -> None:
    for one in living(tx, who):
        begin_recharges(tx, one)


def _breath(tx: Transaction, rules: RuleSystem, who: Members, parent: str) -> None:
    for one in living(tx, who):
        recover_all(tx, rules, one)


def _world(tx: Transaction, rules: RuleSystem, who: Members, parent: str) -> None:
    """Where everybody moves along, let the world do to each what it may."""
    if (tx.get(Scene, "scene") or Scene()).rolling:
        begin(tx, "world-turn", "begin", WorldTurn(rest=living(tx, who)), parent)


def _perils(tx: Transaction, rules: RuleSystem, who: Members, parent: str) -> None:
    """Let those without hit points go through it before the world does anything to them."""
    world = next((one.id for one in tx.all(Procedure) if isinstance(one.data, WorldTurn) and one.stage == "begin"), "")
    begin_perils(tx, rules, living(tx, who), world or parent)


def _is_dying(lookup: Lookup, rules: RuleSystem, who: Members) -> bool:
    return any(effect.name == DYING for one in living(lookup, who) for effect in effects_on(lookup, one))


START: Mapping[str, Step] = MappingProxyType(
    {
        "regain": Step(lambda tx, rules, who, parent: give_back(tx, rules, living(tx, who), parent)),
        "expire": Step(
            lambda tx, rules, who, _: expire(tx, rules, who, "turn-start"),
            lambda lookup, _, who: expiring(lookup, who, "turn-start"),
        ),
        "rounds": Step(
            lambda tx, rules, who, _: count_down(tx, rules, who, "creator"),
            lambda lookup, _, who: bool(counted_down(lookup, who, "creator")),
        ),
        "begun": Step(_begun),
        "trigger": Step(
            lambda tx, rules, who, parent: begin_triggers(tx, rules, living(tx, who), "turn-start", parent),
            lambda lookup, rules, who: any(triggered(lookup, rules, one, "turn-start") for one in living(lookup, who)),
        ),
        "recharges": Step(
            _recharges, lambda lookup, _, who: any(spent_recharges(lookup, one) for one in living(lookup, who))
        ),
        "breath": Step(_breath),
        "notes": Step(
            lambda tx, _, who, parent: begin_notes(tx, who, "turn-start", parent),
            lambda lookup, _, who: bool(due_notes(lookup, who, "turn-start")),
        ),
        "world": Step(_world),
        "dying": Step(_perils, _is_dying),
    }
)
END: Mapping[str, Step] = MappingProxyType(
    {
        "expire": Step(
            lambda tx, rules, who, _: expire(tx, rules, who, "turn-end"),
            lambda lookup, _, who: expiring(lookup, who, "turn-end"),
        ),
        "turns": Step(
            lambda tx, rules, who, _: count_down(tx, rules, who, "affected"),
            lambda lookup, _, who: bool(counted_down(lookup, who, "affected")),
        ),
        "surroundings": Step(_surroundings),
        "ongoing": Step(
            lambda tx, _, who, parent: begin_ongoing(tx, who, parent),
            lambda lookup, _, who: any(one.damage for each in living(lookup, who) for one in effects_on(lookup, each)),
        ),
        "flat": Step(begin_flat_checks, lambda lookup, rules, who: bool(hurting(lookup, rules, who))),
        "afflictions": Step(begin_saves, lambda lookup, _, who: bool(afflicting(lookup, who))),
        "conditions": Step(begin_falling, lambda lookup, rules, who: bool(falling(lookup, rules, who))),
        "trigger": Step(
            lambda tx, rules, who, parent: begin_triggers(tx, rules, living(tx, who), "turn-end", parent),
            lambda lookup, rules, who: any(triggered(lookup, rules, one, "turn-end") for one in living(lookup, who)),
        ),
        "notes": Step(
            lambda tx, _, who, parent: begin_notes(tx, who, "turn-end", parent),
            lambda lookup, _, who: bool(due_notes(lookup, who, "turn-end")),
        ),
        "rows": Step(_rows),
        "legendary": Step(lambda tx, _, who, parent: begin_legendary(tx, who, parent)),
        "lapse": Step(lambda tx, rules, who, _: lapse(tx, rules, who)),
    }
)


# Their order ----------------------------------------------------------------------------------------------------


def due(lookup: Lookup, rules: RuleSystem, table: Mapping[str, Step], listed: Members, who: Members) -> Members:
    """Return the steps that belong on a card, in the order suggested: none where there is no choice."""
    rounds = rules.rounds
    found = tuple(name for name in listed if table[name].is_due(lookup, rules, who))
    return found if rounds.chosen and len(found) > 1 else ()


def bound(rules: RuleSystem, steps: Members) -> tuple[tuple[str, str], ...]:
    """Return which step can't precede which."""
    chain = [name for name in rules.rounds.chain if name in steps]
    return tuple((later, earlier) for n, later in enumerate(chain) for earlier in chain[:n])


def in_order(listed: Members, chosen: Members) -> Members:
    """Return all steps listed, with those that somebody put in order in the places of those that they were."""
    following = iter(chosen)
    return tuple(next(following) if name in chosen else name for name in listed)
