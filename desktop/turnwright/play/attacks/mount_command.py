"""Commands of a rider to its mount: movement actions at no cost, or one attack or check for a bonus action."""

from __future__ import annotations

from turnwright.encounter.field_specs import ActionId, CheckId, CombatantId, FeatureId
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.asks import Option, choice_ask
from turnwright.encounter.procedure_state.attacks import ATTACK, MOUNT_COMMAND, AttackInProgress, MountCommand
from turnwright.encounter.procedure_state.turn_order import CALLED_CHECKS, CalledChecks
from turnwright.encounter.running import Combatant, Duration, Effect
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.scheduler import Answers, ask, begin, choice_of, data_of, goto, stages_in
from turnwright.play.kernel.transaction import Refused, Transaction
from turnwright.play.state.action_economy import require_turn, spend
from turnwright.play.state.effect_records import put_action_effect, put_effect
from turnwright.play.state.events import ActionTaken
from turnwright.rules.parts.attacks.attack_price import COMMANDED_BY_RIDER
from turnwright.rules.parts.attacks.weapon_kind import is_attack
from turnwright.rules.parts.movement.riding import HURRIED, ORDERED, controls_mount, mount_command_vetoes, mount_of
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


@command(
    script="mount {who} (attack {action=attack} {target} [with {weapon:mount-feature}] | check {action=check} {check} "
    "| {action:mount-order})"
)
class CommandMount(Command, frozen=True):
    """Command the mount you control to `dash`, `disengage`, `dodge`, make a `check`, or `attack` a target.

    `weapon` is the mount's attack, and `check` is its check (`str:athletics`).
    """

    who: CombatantId
    action: ActionId
    target: CombatantId = ""
    weapon: FeatureId = ""
    check: CheckId = ""

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Command a controlled mount: a movement action at no cost, or another action for the rider's bonus action."""
        require_turn(tx, rules, self.who)
        mount = mount_of(tx, self.who)
        if mount is None or not controls_mount(tx, self.who):
            raise Refused(
                "refused.no_control", rule=rules.rule_id("mount.control"), params={"who": label_of(tx, self.who)}
            )
        numbers = rules.data.movement
        if self.action not in (*numbers.free_orders, *numbers.paid_orders):
            known_orders = (*numbers.free_orders, *numbers.paid_orders)
            orders = ", ".join(
                rules.actions[order_id].name if order_id in rules.actions else order_id for order_id in known_orders
            )
            raise Refused("refused.mount_order", rule=rules.rule_id("mount.orders"), params={"orders": orders})
        tx.forbid_by(mount_command_vetoes(tx, rules, mount.id, self.action))
        if self.action in numbers.free_orders:
            _take_free_action(self, tx, rules, mount)
            return
        if self.action == "attack" and not self.target:
            raise Refused("refused.no_target")
        rule = rules.rule_id("mount.paid-orders")
        spend(tx, rules, self.who, numbers.order_cost)
        _mark(tx, rules, mount, ORDERED)
        note = f"<action.{self.action}>" if self.action in rules.actions else self.check
        tx.emit(ActionTaken(who=mount.id, action=note, cost=numbers.order_cost, rule=rule))
        order = MountCommand(self.who, mount.id, self.action, self.target, self.weapon, self.check)
        begin(tx, MOUNT_COMMAND.ask_weapon, order)


def _take_free_action(command: CommandMount, tx: Transaction, rules: RuleSystem, mount: Combatant) -> None:
    """Apply a mount's Dash, Disengage or Dodge at no cost."""
    option = rules.actions[command.action]
    tx.emit(ActionTaken(who=mount.id, action=option.name, rule=rules.rule_id("mount.orders")))
    _mark(tx, rules, mount, HURRIED)
    if option.effect:
        put_action_effect(tx, rules, option, mount.id, command.who)


def _mark(tx: Transaction, rules: RuleSystem, mount: Combatant, sort: str) -> None:
    """Record which type of command a mount received this turn, because it excludes the other type."""
    put_effect(tx, rules, Effect(tx.next_id("effect"), mount.id, sort, ends=Duration("turn"), shown=False))


STAGES = stages_in(globals(), MOUNT_COMMAND)
