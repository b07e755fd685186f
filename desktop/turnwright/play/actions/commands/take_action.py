"""The command `TakeAction`: take an action of the rule system or a feature."""

from __future__ import annotations

from turnwright.encounter.field_specs import ActionId, CombatantId, CombatantIds
from turnwright.encounter.procedure_state.actions import ActionInProgress
from turnwright.play.asking.action_parameters import begin_action
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.state.action_economy import require_no_open_action
from turnwright.rules.system import RuleSystem


@command(
    script="act {who} (other {action:text} | {action}) [on {targets}] [about {about}] [cost {cost:cost}] "
    "[how {choice:variant}] [points {points}] [note {note:rest} | {note}]"
)
class TakeAction(Command, frozen=True):
    """Take an action, such as `dash`, and pay its cost. Out of turn, the cost is a reaction.

    `cost` is the chosen cost if there are several. `choice` is the chosen variant of the action (a basic maneuver, a
    skill). `about` is the enemy against whom an ally is helped. `points` is the cost if the action leaves it open.
    """

    who: CombatantId
    action: ActionId
    note: str = ""
    targets: CombatantIds = ()
    cost: str = ""
    choice: str = ""
    about: CombatantId = ""
    points: int | None = None

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Take an action of the rule system, a feature, or anything else that costs an action."""
        require_no_open_action(tx, rules, self.who)
        action = ActionInProgress(
            who=self.who,
            action=self.action,
            targets=tuple(dict.fromkeys(self.targets)),
            cost=self.cost,
            choice=self.choice,
            about=self.about,
            note=self.note,
            points=self.points,
        )
        begin_action(tx, rules, action)
