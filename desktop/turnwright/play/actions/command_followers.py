"""Commands of a controller to the creatures it controls."""

from __future__ import annotations

from turnwright.encounter.field_specs import ActionId, CombatantId, CombatantIds
from turnwright.encounter.running import Combatant, Duration, Effect
from turnwright.play.attacks.group_attack import able_members
from turnwright.play.kernel.commands import Command, command, require_targets
from turnwright.play.kernel.events import Event, journal
from turnwright.play.kernel.transaction import Refused, Transaction
from turnwright.play.state.action_economy import spend
from turnwright.play.state.effect_records import put_effect
from turnwright.rules.parts.actions.followers import group_of
from turnwright.rules.system import RuleSystem, label_of


@command(script="direct {who} {creatures} to {action:order} [against {target}]")
class CommandFollowers(Command, frozen=True):
    """Command controlled creatures to act, usually with the controller's bonus action."""

    who: CombatantId
    creatures: CombatantIds
    action: ActionId
    target: CombatantId = ""

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Command one controlled creature or one group. Its actions this turn follow as separate commands."""
        if not rules.data.groups.command_cost:
            raise Refused("refused.no_commands")
        members = tuple(tx.need(Combatant, who) for who in require_targets(self.creatures))
        rule = rules.rule_id("control.command")
        for controlled in members:
            if controlled.controller != self.who:
                tx.forbid("refused.not_yours", rule, who=controlled.label, by=label_of(tx, self.who))
        together = {group_member.id for group_member in group_of(tx, members[0].id)} | {members[0].id}
        if any(member.id not in together and not member.dead for member in members):
            tx.forbid("refused.not_one_group", rule, feet=rules.data.groups.within)
        members = tuple(
            tx.need(Combatant, who) for who in able_members(tx, rules, tuple(member.id for member in members))
        )
        spend(tx, rules, self.who, rules.data.groups.command_cost)
        for follower in members:
            order = Effect(
                tx.next_id("effect"),
                follower.id,
                rules.role("commanded"),
                source=label_of(tx, self.who),
                ends=Duration("turn"),
                by=self.target,
                end_condition=self.action,
            )
            put_effect(tx, rules, order)
        who, action, target = self.who, self.action, self.target
        creatures = tuple(member.id for member in members)
        tx.emit(FollowersCommanded(who=who, creatures=creatures, action=action, target=target, rule=rule))


@journal("journal.commanded", when={"target": "journal.commanded_against"})
class FollowersCommanded(Event, frozen=True):
    """A controller commanded creatures to act."""

    who: CombatantId
    creatures: CombatantIds
    action: str
    target: CombatantId = ""
