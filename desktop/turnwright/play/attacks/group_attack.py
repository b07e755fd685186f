"""An attack of a whole group on one target, which makes a save."""

from __future__ import annotations

from turnwright.encounter.field_specs import CombatantId, CombatantIds, FeatureId
from turnwright.encounter.prepared import Feature
from turnwright.encounter.procedure_state.attacks import SAVE_EFFECT, AttackInProgress, SaveEffect
from turnwright.encounter.running import Combatant
from turnwright.play.effects.concentration import concentrate
from turnwright.play.kernel.commands import Command, command, require_targets
from turnwright.play.kernel.scheduler import begin
from turnwright.play.kernel.transaction import Refused, Transaction
from turnwright.play.state.action_economy import require_turn, spend
from turnwright.rules.hooks import Veto
from turnwright.rules.parts.actions.feature_range import out_of_range_vetoes
from turnwright.rules.parts.actions.followers import current_command, group_dc, group_of, moving_group
from turnwright.rules.parts.attacks.attack_targeting import targeting_vetoes
from turnwright.rules.parts.attacks.weapon_kind import is_attack
from turnwright.rules.parts.combatants.controlled_creatures import is_follower
from turnwright.rules.parts.combatants.incapacitation import cannot_act, cannot_act_vetoes
from turnwright.rules.system import RuleSystem, creature_of, label_of


def able_members(tx: Transaction, rules: RuleSystem, members: tuple[str, ...]) -> tuple[str, ...]:
    """Return the members who can act, or all members if the rule is overridden. Refuse the command if none can act."""
    standing = tuple(who for who in members if not cannot_act(tx, who))
    if not standing:
        tx.forbid_by(cannot_act_vetoes(tx, rules, members[0]))
    return standing or members


@command(script="group attack {who} on {target} [with {weapon}]")
class GroupAttack(Command, frozen=True):
    """Attack one target with a whole group. The target makes a save, and the size of the group counts.

    `weapon` works as in `Attack`.
    """

    who: CombatantIds
    target: CombatantId
    weapon: FeatureId = ""
    given: Feature | None = None

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Begin a group attack. The target saves, and each member beyond the first adds to the DC and the damage."""
        members = require_targets(self.who)
        if not rules.data.groups.dc_base:
            raise Refused("refused.no_groups")
        members = able_members(tx, rules, members)
        first = tx.need(Combatant, members[0])
        near = {member.id for member in moving_group(tx, rules, first.id)}
        for who in members:
            if who not in near:
                tx.forbid("refused.not_one_group", rules.rule_id("control.group-move"), feet=rules.data.groups.within)
            tx.forbid_by(command_target_vetoes(tx, rules, who, self.target))
        means = self.given or next(
            (feature for feature in creature_of(tx, first).features if feature.id == self.weapon), None
        )
        if means is None:
            raise Refused("refused.unknown", params={"what": self.weapon or "?"})
        for who in members:
            tx.forbid_by(_target_vetoes(tx, rules, who, self.target, means))
        for who in members:
            if not is_follower(tx, who):
                require_turn(tx, rules, who)
            spend(tx, rules, who, "action")
        if means.concentration:
            concentrate(tx, rules, first.id, means.name)
        dc, more = group_dc(tx, rules, members, means)
        own = bool(means.save) and (bool(means.dc) or not is_attack(means))
        effect = SaveEffect(
            members,
            means,
            targets=(self.target,),
            save=means.save if own else rules.data.groups.save,
            dc=dc + more if means.dc or not own else 0,
            half_on_save=means.half if own else True,
            extra_damage=more,
        )
        begin(tx, SAVE_EFFECT.ask_saves, effect)


def command_target_vetoes(tx: Transaction, rules: RuleSystem, who: str, target: str) -> tuple[Veto, ...]:
    """Return the vetoes against a commanded creature's target: its group must keep to the target of its command."""
    order = current_command(tx, rules, who)
    if order is None or not order.by or not target or order.by == target:
        return ()
    return (Veto("refused.other_target", rules.rule_id("control.same-action"), (("who", label_of(tx, order.by)),)),)


def _target_vetoes(tx: Transaction, rules: RuleSystem, who: str, target: str, means: Feature) -> tuple[Veto, ...]:
    """Return the vetoes against a group member's target: it is out of reach, or is in the group itself."""
    if target in {member.id for member in group_of(tx, who)}:
        params = (("who", label_of(tx, target)),)
        return (Veto("refused.own_group", rules.rule_id("control.attack.save"), params),)
    if is_attack(means):
        return targeting_vetoes(tx, rules, AttackInProgress(who, means, target))
    return () if means.area else out_of_range_vetoes(tx, rules, who, means, target)
