"""What a mount is told to do for its rider's bonus action: one attack, or a check."""

from __future__ import annotations

import msgspec

from turnwright.encounter.pending import Ask, Assault, Checks, Option, Order, Procedure
from turnwright.encounter.running import Combatant
from turnwright.play.procedures.attack_costs import ORDERED
from turnwright.play.procedures.loop import Answers, Stage, ask, at, begin
from turnwright.play.transaction import Transaction
from turnwright.rules.parts.means import is_attack
from turnwright.rules.system import RuleSystem, creature_of, label_of


def means(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """Ask with which of its attacks a mount strikes, where it has several and nobody has said."""
    data = _data(procedure)
    mount = tx.get(Combatant, data.mount)
    if mount is None:
        return None
    if data.action != "attack":
        begin(tx, "checks", "called", Checks((data.mount,), data.check or "str"))
        return None
    attacks = [one for one in creature_of(tx, mount).features if is_attack(one)]
    if data.means or len(attacks) < 2:
        return at(procedure, "strikes", msgspec.structs.replace(data, means=data.means or _first(attacks)))
    rule = rules.cite("mount.one-attack")
    options = tuple(Option(one.id, one.name) for one in attacks)
    asked = Ask("means", "choice", "ask.mount_attack", options=options, suggested=(options[0].id,), rule=rule)
    ask(tx, procedure, "prompt.mount_attack", [asked], subject=label_of(tx, data.mount), rule=rule)
    return at(procedure, "strikes")


def _first(attacks: list) -> str:  # type: ignore[type-arg]
    return attacks[0].id if attacks else ""


def strikes(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> None:
    """Let the mount make the one attack."""
    data = _data(procedure)
    mount, answer = tx.get(Combatant, data.mount), answers.get("means")
    chosen = answer.chosen[0] if answer is not None and answer.chosen else data.means
    if mount is None or tx.get(Combatant, data.target) is None:
        return
    feature = next((one for one in creature_of(tx, mount).features if one.id == chosen), None)
    if feature is not None:
        begin(tx, "attack", "declare", Assault(mount.id, feature, data.target, purpose="commanded", tags=(ORDERED,)))


def _data(procedure: Procedure) -> Order:
    assert isinstance(procedure.data, Order)
    return procedure.data


STAGES: dict[tuple[str, str], Stage] = {
    ("mount-order", "means"): means,
    ("mount-order", "strikes"): strikes,
}
