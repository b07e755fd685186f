"""The world's turn for one participant, where everybody moves along: at the start of theirs, and for them alone."""

from __future__ import annotations

import msgspec

from turnwright.encounter.pending import Hazard, Procedure, WorldTurn
from turnwright.encounter.prepared import Environment
from turnwright.play.events import WorldTurnStarted
from turnwright.play.procedures.loop import Answers, Stage, at, begin
from turnwright.play.procedures.rounds import on_offer, world_rows
from turnwright.play.transaction import Transaction
from turnwright.rules.parts.conditions import is_out
from turnwright.rules.parts.surroundings import eligible, entry_in
from turnwright.rules.system import RuleSystem


def start(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """List what the world may do to the next of those whose turn begins; one after another it is offered."""
    data = _data(procedure)
    if not data.rest:
        return None
    data = WorldTurn(data.rest[0], rest=data.rest[1:])
    listed = () if is_out(tx, data.who) else _for_one(tx, rules, data.who)
    if any(world_rows(tx)) or listed:
        tx.emit(WorldTurnStarted(offers=listed, rule=rules.cite("rolling.world")))
    return at(procedure, "offers", msgspec.structs.replace(data, offers=listed))


def _for_one(tx: Transaction, rules: RuleSystem, who: str) -> tuple[tuple[str, str], ...]:
    """Return the rows the world may use on one participant."""
    return tuple((place, row) for place, row in on_offer(tx) if _reaches(tx, rules, place, row, who))


def _reaches(tx: Transaction, rules: RuleSystem, place: str, entry: str, who: str) -> bool:
    environment = tx.need(Environment, place)
    row = entry_in(environment, entry)
    if row is None or row.affects == "nobody":
        return row is not None
    return any(one.id == who for one in eligible(tx, environment, row, rules))


def offers(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure:
    """Offer the next row that the world may still use on whoever's turn begins."""
    data = _data(procedure)
    if not data.offers:
        return at(procedure, "begin")
    environment, entry = data.offers[0]
    if (environment, entry) in on_offer(tx):
        begin(tx, "hazard", "targets", Hazard(environment, entry, world=True, only=data.who), procedure.id)
    return at(procedure, "offers", msgspec.structs.replace(data, offers=data.offers[1:]))


def _data(procedure: Procedure) -> WorldTurn:
    assert isinstance(procedure.data, WorldTurn)
    return procedure.data


STAGES: dict[tuple[str, str], Stage] = {
    ("world-turn", "begin"): start,
    ("world-turn", "offers"): offers,
}
