"""Group attacks, switching features off, and commands to mounts.

An attack of a whole group on one target, which makes a save.

The target of a group attack makes a save. A mount is ordered to move at no cost, or to make one attack or check for a
bonus action. A feature is switched off for all combatants with the same stat block.
"""

from turnwright.encounter import field_specs, prepared
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.asks import Option, choice_ask
from turnwright.encounter.procedure_state.attacks import (
    ATTACK,
    MOUNT_COMMAND,
    SAVE_EFFECT,
    AttackInProgress,
    MountCommand,
    SaveEffect,
)
from turnwright.encounter.procedure_state.turn_order import CALLED_CHECKS, CalledChecks
from turnwright.encounter.running import Combatant, Duration, Effect
from turnwright.play.effects.concentration import concentrate
from turnwright.play.kernel.events import CombatantEvent, journal
from turnwright.play.kernel.scheduler import Answers, Next, ask, begin, choice_of, goto
from turnwright.play.kernel.transaction import (
    CombatantCommand,
    Command,
    Refused,
    Transaction,
    command,
    require,
    require_targets,
)
from turnwright.play.state import action_economy, effect_records, events
from turnwright.rules.parts.actions import action_options, triggered_features
from turnwright.rules.parts.attacks.attack_targeting import COMMANDED_BY_RIDER, is_attack, targeting_vetoes
from turnwright.rules.parts.combatants import facts
from turnwright.rules.parts.movement.move_legs import HURRIED, ORDERED, controls_mount, mount_command_vetoes, mount_of
from turnwright.rules.system import Veto, creature_of, label_of


def able_members(tx: Transaction, members: tuple[str, ...]) -> tuple[str, ...]:
    """Return the members who can act, or all members if the rule is overridden. Refuse the command if none can act."""
    standing = tuple(who for who in members if not facts.cannot_act(tx, who))
    if not standing:
        tx.forbid_by(facts.cannot_act_vetoes(tx, tx.rules, members[0]))
    return standing or members


@command(script="group attack {who} on {target} [with {weapon}]")
class GroupAttack(Command, frozen=True):
    """Attack one target with a whole group. The target makes a save, and the size of the group counts.

    `weapon` works as in `Attack`.
    """

    who: field_specs.CombatantIds
    target: field_specs.CombatantId
    weapon: field_specs.FeatureId = ""
    given: prepared.Feature | None = None

    def handle(self, tx: Transaction) -> None:
        """Begin a group attack. The target saves, and each member beyond the first adds to the DC and the damage."""
        members = require_targets(self.who)
        require(tx.rules.data.groups.dc_base, "refused.no_groups")
        members = able_members(tx, members)
        first = tx.need(Combatant, members[0])
        near = {member.id for member in action_options.moving_group(tx, tx.rules, first.id)}
        for who in members:
            if who not in near:
                tx.forbid("refused.not_one_group", tx.rule_id("control.group-move"), feet=tx.rules.data.groups.within)
            tx.forbid_by(command_target_vetoes(tx, who, self.target))
        means = self.given or next((one for one in creature_of(tx, first).features if one.id == self.weapon), None)
        if means is None:
            raise Refused("refused.unknown", params={"what": self.weapon or "?"})
        for who in members:
            tx.forbid_by(_target_vetoes(tx, who, self.target, means))
        for who in members:
            if not facts.is_follower(tx, who):
                action_economy.require_turn(tx, who)
            action_economy.spend(tx, who, "action")
        if means.concentration:
            concentrate(tx, first.id, means.name)
        dc, more = action_options.group_dc(tx, tx.rules, members, means)
        own = bool(means.save) and (bool(means.dc) or not is_attack(means))
        effect = SaveEffect(
            members,
            means,
            targets=(self.target,),
            save=means.save if own else tx.rules.data.groups.save,
            dc=dc + more if means.dc or not own else 0,
            half_on_save=means.half if own else True,
            extra_damage=more,
        )
        begin(tx, SAVE_EFFECT.ask_saves, effect)


def command_target_vetoes(tx: Transaction, who: str, target: str) -> tuple[Veto, ...]:
    """Return the vetoes against a commanded creature's target: its group must keep to the target of its command."""
    order = action_options.current_command(tx, tx.rules, who)
    if order is None or not order.by or not target or order.by == target:
        return ()
    return (Veto("refused.other_target", tx.rule_id("control.same-action"), (("who", label_of(tx, order.by)),)),)


def _target_vetoes(tx: Transaction, who: str, target: str, means: prepared.Feature) -> tuple[Veto, ...]:
    """Return the vetoes against a group member's target: it is out of reach, or is in the group itself."""
    if target in {member.id for member in action_options.group_of(tx, who)}:
        return (Veto("refused.own_group", tx.rule_id("control.attack.save"), (("who", label_of(tx, target)),)),)
    if is_attack(means):
        return targeting_vetoes(tx, tx.rules, AttackInProgress(who, means, target))
    return triggered_features.out_of_range_vetoes(tx, tx.rules, who, means, target)


@journal("journal.feature_switched_off", kind="warn")
class FeatureSwitchedOff(CombatantEvent, frozen=True):
    """A triggered feature was switched off for this encounter."""

    feature: str


@journal("journal.feature_switched_on", kind="warn")
class FeatureSwitchedOn(CombatantEvent, frozen=True):
    """A feature was switched on again."""

    feature: str


def switch_off(tx: Transaction, who: str, feature: prepared.Feature) -> None:
    """Switch a feature off for the rest of the encounter."""
    owner = tx.need(Combatant, who)
    for combatant in list(tx.all(Combatant)):
        if combatant.creature == owner.creature and feature.id not in facts.switched_off(tx, combatant.id):
            id, ends = tx.next_id("effect"), Duration("encounter")
            tx.put(Effect(id, combatant.id, facts.SWITCHED_OFF, feature.id, ends=ends, shown=False))
    tx.emit(
        FeatureSwitchedOff(who=who, feature=feature.name, rule=action_options.feature_rule(tx, tx.rules, who, feature))
    )


def switch_on(tx: Transaction, who: str, feature: prepared.Feature) -> None:
    """Switch a feature on again."""
    owner = tx.need(Combatant, who)
    alike = {combatant.id for combatant in tx.all(Combatant) if combatant.creature == owner.creature}
    for effect in list(tx.all(Effect)):
        if (effect.name, effect.source) == (facts.SWITCHED_OFF, feature.id) and effect.target in alike:
            tx.remove(effect)
    tx.emit(
        FeatureSwitchedOn(who=who, feature=feature.name, rule=action_options.feature_rule(tx, tx.rules, who, feature))
    )


@command(script="switch {who} {feature} [off | on {off=false}]")
class SwitchFeature(CombatantCommand, frozen=True):
    """Switch a feature off for the rest of the encounter, or on again, for all combatants with the same stat block."""

    feature: field_specs.FeatureId
    off: bool = True

    def handle(self, tx: Transaction) -> None:
        """Switch a feature off or on. Refuse a feature that the combatant doesn't have."""
        combatant = tx.need(Combatant, self.who)
        feature = action_options.feature_of(tx, self.who, self.feature)
        if feature is None:
            raise Refused("refused.no_feature", params={"who": combatant.label, "what": self.feature})
        (switch_off if self.off else switch_on)(tx, self.who, feature)


def ask_weapon(tx: Transaction, procedure: Procedure, data: MountCommand, answers: Answers) -> Next:
    """Ask for the weapon of a mount's attack, if it has several and the command named none."""
    mount = tx.get(Combatant, data.mount)
    if mount is None:
        return None
    if data.action != "attack":
        begin(tx, CALLED_CHECKS.ask_called_check, CalledChecks((data.mount,), data.check or "str"))
        return None
    attacks = [feature for feature in creature_of(tx, mount).features if is_attack(feature)]
    if data.weapon or len(attacks) < 2:
        return goto(procedure, MOUNT_COMMAND.begin_attack, weapon=data.weapon or (attacks[0].id if attacks else ""))
    options = tuple(Option(attack.id, attack.name) for attack in attacks)
    question = choice_ask("means", "ask.mount_attack", options, rule=tx.rule_id("mount.one-attack"))
    ask(tx, procedure, "prompt.mount_attack", [question], subject=label_of(tx, data.mount))
    return goto(procedure, MOUNT_COMMAND.begin_attack)


def begin_attack(tx: Transaction, procedure: Procedure, data: MountCommand, answers: Answers) -> None:
    """Begin the mount's single attack."""
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
class CommandMount(CombatantCommand, frozen=True):
    """Command the mount you control to `dash`, `disengage`, `dodge`, make a `check`, or `attack` a target.

    `weapon` is the mount's attack, and `check` is its check (`str:athletics`).
    """

    action: field_specs.ActionId
    target: field_specs.CombatantId = ""
    weapon: field_specs.FeatureId = ""
    check: field_specs.CheckId = ""

    def handle(self, tx: Transaction) -> None:
        """Command a controlled mount: a movement action at no cost, or another action for the rider's bonus action."""
        action_economy.require_turn(tx, self.who)
        mount, numbers = mount_of(tx, self.who), tx.rules.data.movement
        if mount is None or not controls_mount(tx, self.who):
            key = "refused.mount_acts" if mount is not None and numbers.mount_actions else "refused.no_control"
            raise Refused(key, rule=tx.rule_id("mount.control"), params={"who": label_of(tx, self.who)})
        known_orders = (*numbers.free_orders, *numbers.paid_orders)
        orders = ", ".join(tx.rules.actions[id].name if id in tx.rules.actions else id for id in known_orders)
        require(self.action in known_orders, "refused.mount_order", rule=tx.rule_id("mount.orders"), orders=orders)
        tx.forbid_by(mount_command_vetoes(tx, tx.rules, mount.id, self.action))
        if self.action in numbers.free_orders:
            _take_free_action(self, tx, mount)
            return
        require(self.action != "attack" or self.target, "refused.no_target")
        action_economy.spend(tx, self.who, numbers.order_cost)
        _mark(tx, mount, ORDERED)
        note = f"<action.{self.action}>" if self.action in tx.rules.actions else self.check
        tx.emit(
            events.ActionTaken(who=mount.id, action=note, cost=numbers.order_cost, rule=tx.rule_id("mount.paid-orders"))
        )
        order = MountCommand(self.who, mount.id, self.action, self.target, self.weapon, self.check)
        begin(tx, MOUNT_COMMAND.ask_weapon, order)


def _take_free_action(command: CommandMount, tx: Transaction, mount: Combatant) -> None:
    """Apply a mount's Dash, Disengage or Dodge at no cost."""
    option = tx.rules.actions[command.action]
    tx.emit(events.ActionTaken(who=mount.id, action=option.name, rule=tx.rule_id("mount.orders")))
    _mark(tx, mount, HURRIED)
    if option.effect:
        effect_records.put_action_effect(tx, option, mount.id, command.who)


def _mark(tx: Transaction, mount: Combatant, sort: str) -> None:
    """Record which type of command a mount received this turn, because it excludes the other type."""
    effect_records.put_effect(tx, Effect(tx.next_id("effect"), mount.id, sort, ends=Duration("turn"), shown=False))
