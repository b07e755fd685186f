"""Commands that say where people are and how they stand to each other, and what a stat block leaves out."""

from __future__ import annotations

from typing import Any

import msgspec

from turnwright.encounter.running import Combatant, Relation, relation_id
from turnwright.play.commands import Place, Relate, Supply
from turnwright.play.events import Related, Supplied
from turnwright.play.placing import (
    end_what_moving_ends,
    forget_where,
    ground_under,
    keep_relation,
    tell_parted,
)
from turnwright.play.refusals import Refused
from turnwright.play.transaction import Transaction
from turnwright.rules.parts import positions
from turnwright.rules.system import RuleSystem

FACTS = ("distance", "height", "cover", "seen", "flanked", "reached")
DISTANCE = "distance"


def place(command: Place, tx: Transaction, rules: RuleSystem) -> None:
    """Say where somebody stands. On a square of the map they stand on its ground, unless a height is given."""
    combatant = tx.need(Combatant, command.who)
    if command.position not in (None, combatant.position):
        end_what_moving_ends(tx, rules, command.who)
    elevation = command.elevation
    if elevation is None and command.position is not None and positions.grid(tx) is not None:
        elevation = ground_under(tx, rules, command.who, command.position)
    tx.update(
        combatant,
        place=combatant.place if command.place is None else command.place,
        position=combatant.position if command.position is None else command.position,
        outside=combatant.outside if command.outside is None else command.outside,
        elevation=combatant.elevation if elevation is None else elevation,
    )
    if combatant.position is not None and command.position not in (None, combatant.position):
        tell_parted(tx, rules, command.who, forget_where(tx, (command.who,), on_map=positions.grid(tx) is not None))


def relate(command: Relate, tx: Transaction, rules: RuleSystem) -> None:
    """Say how one stands to another. Distance and height hold both ways; where no more fit around one, it is refused."""
    for who in (command.one, command.other):
        tx.need(Combatant, who)
    if command.one == command.other:
        raise Refused("refused.same_one")
    if command.distance is not None and command.distance < 0:
        raise Refused("refused.feet")
    if command.forget:
        _forget(tx, rules, command)
        return
    said = {name: value for name in FACTS if (value := getattr(command, name)) not in (None, "")}
    near = rules.catalogue.places.near
    if command.distance is not None and command.distance <= near and _was_farther(tx, rules, command, near):
        _need_room(tx, rules, command)
    _drop_turned(tx, command, said)
    id = relation_id(command.one, command.other)
    pair = tx.get(Relation, id) or Relation(id, command.one, command.other)
    if said:
        tx.update(pair, **said)
    for name, value in said.items():
        tx.emit(
            Related(one=command.one, other=command.other, fact=name, value=_as_text(value), rule=_rule(rules, name))
        )


def _was_farther(tx: Transaction, rules: RuleSystem, command: Relate, near: int) -> bool:
    apart = positions.distance(tx, rules, command.one, command.other)
    return apart is None or apart > near


def _need_room(tx: Transaction, rules: RuleSystem, command: Relate) -> None:
    """Refuse to put one more next to somebody who has as many around as fit."""
    for who, target in ((command.one, command.other), (command.other, command.one)):
        veto = positions.may_join(tx, rules, who, target)
        if veto is not None:
            tx.forbid(veto.reason, veto.rule, **dict(veto.params))


def _drop_turned(tx: Transaction, command: Relate, said: dict[str, Any]) -> None:
    """Take what holds both ways out of the relation seen from the other side, where it would contradict."""
    turned = tx.get(Relation, relation_id(command.other, command.one))
    both = {name: None for name in ("distance", "height") if name in said}
    if turned is not None and both:
        keep_relation(tx, msgspec.structs.replace(turned, **both))


def _forget(tx: Transaction, rules: RuleSystem, command: Relate) -> None:
    turned = tx.get(Relation, relation_id(command.other, command.one))
    pair = tx.get(Relation, relation_id(command.one, command.other))
    if pair is not None:
        tx.remove(pair)
    if turned is not None:
        keep_relation(tx, msgspec.structs.replace(turned, distance=None, height=None))
    tx.emit(Related(one=command.one, other=command.other, fact="forgotten", rule=_rule(rules, "")))


def _rule(rules: RuleSystem, fact: str) -> str:
    return rules.cite(f"position.{fact}") or rules.cite("position.told")


def _as_text(value: str | int) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def supply(command: Supply, tx: Transaction, rules: RuleSystem) -> None:
    """Give a figure that a stat block lacks; it stands until another is given."""
    if not command.figure.strip():
        raise Refused("refused.empty")
    combatant = tx.need(Combatant, command.who)
    given = dict(combatant.given) | {command.figure: command.value}
    tx.update(combatant, given=tuple(given.items()))
    rule = rules.cite("passive.scores") if command.figure.startswith("passive.") else ""
    tx.emit(Supplied(who=command.who, figure=command.figure, value=command.value, rule=rule))
