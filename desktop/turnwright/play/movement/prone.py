"""Standing up and dropping prone, using movement or an action."""

from __future__ import annotations

from turnwright.encounter.field_specs import CombatantId
from turnwright.encounter.lookups import effects_named
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.actions import ActionInProgress
from turnwright.encounter.running import Effect
from turnwright.encounter.state import Lookup
from turnwright.play.asking.action_parameters import begin_action
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.events import Event, journal
from turnwright.play.kernel.transaction import Refused, Transaction
from turnwright.play.movement.commanded_move import stand_up_cost
from turnwright.play.state.action_economy import require_no_open_action, require_turn, spend, spend_movement
from turnwright.play.state.effect_records import end_effect, put_condition
from turnwright.rules.hooks import Veto
from turnwright.rules.parts.combatants.incapacitation import cannot_act_vetoes
from turnwright.rules.parts.economy.resources import is_on_turn
from turnwright.rules.parts.movement.riding import movement_payer
from turnwright.rules.system import RuleSystem, label_of
from turnwright.rules.system_data.actions import ActionOption

STAND, DROP = "stand", "drop"


@journal("journal.stood_up_by_action", when={"cost": "journal.stood_up"})
class StoodUp(Event, frozen=True):
    """A combatant stood up for `cost` feet of movement."""

    who: CombatantId
    cost: int


def prone_effects(lookup: Lookup, rules: RuleSystem, who: str) -> list[Effect]:
    """Return the effects that make a combatant prone."""
    return effects_named(lookup, who, rules.role("prone"))


def get_up(
    tx: Transaction, rules: RuleSystem, who: str, rule: str, cost: int = 0, *, is_reported: bool = False
) -> None:
    """End a combatant's prone effects, for `cost` feet of movement.

    `is_reported`: the action that does this has its own journal line.
    """
    tx.emit(StoodUp(who=who, cost=cost, rule=rule, bookkeeping=is_reported))
    for effect in prone_effects(tx, rules, who):
        end_effect(tx, rules, effect, rule, is_reported=True)


def stand(
    tx: Transaction, rules: RuleSystem, procedure: Procedure, data: ActionInProgress, option: ActionOption
) -> None:
    """Stand up with an action that has been paid for."""
    get_up(tx, rules, data.who, rules.rule_id("prone.stand"), is_reported=True)


def drop(
    tx: Transaction, rules: RuleSystem, procedure: Procedure, data: ActionInProgress, option: ActionOption
) -> None:
    """Drop prone with an action that has been paid for."""
    put_condition(tx, rules, data.who, rules.role("prone"), rule=rules.rule_id("prone.drop-free"))


@command(script="drop prone {who} [reaction {react=true}]")
class DropProne(Command, frozen=True):
    """Drop prone, for free or with the system's action. With `reaction`, the cost is a reaction.

    `react`: as a reaction.
    """

    who: CombatantId
    react: bool = False

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Drop a combatant prone: for free on its own turn, with the system's action, or as a reaction."""
        by = rules.data.movement.drop_by
        if by and not self.react:
            require_no_open_action(tx, rules, self.who)
            begin_action(tx, rules, ActionInProgress(self.who, by))
            return
        if prone_effects(tx, rules, self.who):
            raise Refused("refused.prone_already", params={"who": label_of(tx, self.who)})
        cost = rules.data.movement.drop_cost
        if self.react and cost:
            spend(tx, rules, self.who, cost)
        elif self.react:
            tx.forbid("refused.no_quick_drop", rules.rule_id("prone.drop-free"), who=label_of(tx, self.who))
        else:
            tx.forbid_by(drop_vetoes(tx, rules, self.who))
        rule = rules.rule_id("prone.drop-reaction" if self.react else "prone.drop-free")
        put_condition(tx, rules, self.who, rules.role("prone"), rule=rule)


def drop_vetoes(tx: Transaction, rules: RuleSystem, who: str) -> tuple[Veto, ...]:
    """Return the reason why a combatant can't drop prone for free: it isn't their turn."""
    if is_on_turn(tx, movement_payer(tx, who)) or rules.has_option(tx, rules.role("drops-prone-any-time")):
        return ()
    return (Veto("refused.not_your_turn", rules.rule_id("prone.drop-free"), (("who", label_of(tx, who)),)),)


@command(script="stand {who}")
class StandUp(Command, frozen=True):
    """Stand up from prone, which costs part of the combatant's speed or an action, depending on the system."""

    who: CombatantId

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Stand up with the system's action or for part of the Speed. Refuse it if too little movement is left."""
        who = self.who
        if rules.data.movement.stand_by:
            require_no_open_action(tx, rules, who)
            begin_action(tx, rules, ActionInProgress(who, rules.data.movement.stand_by))
            return
        require_turn(tx, rules, movement_payer(tx, who))
        tx.forbid_by(cannot_act_vetoes(tx, rules, who))
        if not prone_effects(tx, rules, who):
            raise Refused("refused.not_prone", params={"who": label_of(tx, who)})
        cost = stand_up_cost(tx, rules, who)
        rule = rules.rule_id("prone.stand")
        spend_movement(tx, rules, who, cost, "refused.cannot_stand", rule)
        get_up(tx, rules, who, rule, cost)
