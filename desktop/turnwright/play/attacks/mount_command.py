"""A command to a mount that costs the rider's bonus action: one attack, or a check."""

from __future__ import annotations

from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.asks import Option, choice_ask
from turnwright.encounter.procedure_state.attacks import ATTACK, MOUNT_COMMAND, AttackInProgress, MountCommand
from turnwright.encounter.procedure_state.turn_order import CALLED_CHECKS, CalledChecks
from turnwright.encounter.running import Combatant
from turnwright.play.kernel.scheduler import Answers, ask, begin, choice_of, data_of, goto, stages_in
from turnwright.play.kernel.transaction import Transaction
from turnwright.rules.parts.attacks.attack_price import COMMANDED_BY_RIDER
from turnwright.rules.parts.attacks.weapon_kind import is_attack
from turnwright.rules.system import RuleSystem, creature_of, label_of


def ask_weapon(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """Ask for the weapon of a mount's attack, if it has several and the command named none."""
    data = data_of(procedure, MountCommand)
    mount = tx.get(Combatant, data.mount)
    if mount is None:
        return None
    if data.action != "attack":
        begin(tx, CALLED_CHECKS.ask_called_check, CalledChecks((data.mount,), data.check or "str"))
        return None
    attacks = [feature for feature in creature_of(tx, mount).features if is_attack(feature)]
    if data.weapon or len(attacks) < 2:
        return goto(procedure, MOUNT_COMMAND.begin_attack, weapon=data.weapon or (attacks[0].id if attacks else ""))
    rule = rules.rule_id("mount.one-attack")
    options = tuple(Option(attack.id, attack.name) for attack in attacks)
    question = choice_ask("means", "ask.mount_attack", options, rule=rule)
    ask(tx, procedure, "prompt.mount_attack", [question], subject=label_of(tx, data.mount))
    return goto(procedure, MOUNT_COMMAND.begin_attack)


def begin_attack(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> None:
    """Begin the mount's single attack."""
    data = data_of(procedure, MountCommand)
    mount, weapon_id = tx.get(Combatant, data.mount), choice_of(answers, "means", data.weapon)
    if mount is None or tx.get(Combatant, data.target) is None:
        return
    feature = next((candidate for candidate in creature_of(tx, mount).features if candidate.id == weapon_id), None)
    if feature is not None:
        tags = (COMMANDED_BY_RIDER,)
        begin(tx, ATTACK.declare, AttackInProgress(mount.id, feature, data.target, purpose="commanded", tags=tags))


STAGES = stages_in(globals(), MOUNT_COMMAND)
