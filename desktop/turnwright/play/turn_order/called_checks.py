"""Ability checks that the game master calls for, before or during the fight."""

from __future__ import annotations

from typing import Literal

from turnwright.encounter.field_specs import CheckId, CombatantIds, PositiveOrNone
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.asks import Ask, Option, choice_ask, roll_ask
from turnwright.encounter.procedure_state.turn_order import CALLED_CHECKS, CalledChecks
from turnwright.encounter.running import Combatant, Effect
from turnwright.play.asking.checks import result_of
from turnwright.play.kernel.commands import Command, command, require_check
from turnwright.play.kernel.scheduler import Answers, ask, begin, choices_of, goto, stages_in
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.state.effect_records import consume_effects
from turnwright.play.state.events import Rolled, Skipped
from turnwright.play.turn_order.surprise import store_totals
from turnwright.rules.parts.checks.ability_checks import roll_with_edge
from turnwright.rules.parts.checks.action_checks import action_check_roll
from turnwright.rules.system import RuleSystem

YES, NO = "yes", "no"


def ask_called_check(tx: Transaction, procedure: Procedure, data: CalledChecks, answers: Answers) -> Procedure:
    """Ask each combatant for a check. If no task is given, first ask whether help that they received applies."""
    rule = tx.rule_id("surprise.checks") if data.purpose == "surprise" else ""
    members = [who for who in data.who if tx.get(Combatant, who)]
    if not (data.task or data.purpose or answers):
        help_asks = [_help_ask(tx.rules, effect) for who in members for effect in _helped_with(tx, who)]
        if help_asks:
            ask(tx, procedure, "prompt.checks", help_asks, subject=f"<check.{data.check}>")
            return goto(procedure, CALLED_CHECKS.ask_called_check)
    asks: list[Ask] = []
    used: list[str] = []
    for who in members:
        task = data.task or next(
            (effect.end_condition for effect in _helped_with(tx, who) if YES in choices_of(answers, effect.id)), ""
        )
        tags = data.tags if data.purpose else (*data.tags, f"task:{task}")
        rolled = action_check_roll(tx, tx.rules, who, f"check.{data.check}", tags=tags)
        used += rolled.consumed_effects
        detail, dc = f"<check.{data.check}>", data.dc
        asks.append(roll_ask(who, "ask.check", detail, roll_with_edge(rolled.spec, data.edge), dc, rule=rule))
    ask(tx, procedure, "prompt.checks", asks, subject=f"<check.{data.check}>")
    return goto(procedure, CALLED_CHECKS.finish_called_check, consumed_effects=tuple(used))


def _helped_with(tx: Transaction, who: str) -> list[Effect]:
    """Return the effects of help with a particular task on a combatant."""
    return [effect for effect in tx.of(Effect, who) if effect.name == tx.role("helped-check") and effect.end_condition]


def _help_ask(rules: RuleSystem, effect: Effect) -> Ask:
    options, rule = (Option(YES, "option.yes"), Option(NO, "option.no")), rules.rule_id("help.check")
    return choice_ask(effect.id, "ask.helped_task", options, effect.target, effect.end_condition, rule=rule)


def finish_called_check(tx: Transaction, procedure: Procedure, data: CalledChecks, answers: Answers) -> None:
    """Report the results of the checks. The results of surprise checks become initiative totals."""
    consume_effects(tx, data.consumed_effects)
    if data.purpose == "surprise":
        store_totals(tx, answers, f"<check.{data.check}>")
        return
    for who, answer in answers.items():
        if data.dc and not answer.skipped:
            result_of(tx, answer, "ask.check", who, f"<check.{data.check}>", data.dc, "")
        elif answer.roll is not None:
            tx.emit(Rolled(who=who, purpose="ask.check", roll=answer.roll, detail=f"<check.{data.check}>"))
        else:
            tx.emit(Skipped(who=who, purpose="ask.check", detail=f"<check.{data.check}>"))


@command(script="checks {check} {who} [for surprise {purpose=surprise}] [against {dc}] [{edge}]")
class CallForChecks(Command, frozen=True):
    """Ask each combatant for an ability check, such as `dex:stealth` or `dex`. `surprise` keeps the totals.

    `task` describes the purpose, so that help with the task counts. `tags` classify it for the rules (`leap-off`,
    `throw-rider`). `dc` is the difficulty class (0: none), and `edge` is advantage or disadvantage on all of the
    checks.
    """

    who: CombatantIds
    check: CheckId
    purpose: Literal["", "surprise"] = ""
    task: str = ""
    tags: tuple[str, ...] = ()
    dc: PositiveOrNone = 0
    edge: Literal["", "advantage", "disadvantage"] = ""

    def handle(self, tx: Transaction) -> None:
        """Begin a check for each combatant. Refuse an unknown check."""
        require_check(tx.rules, self.check)
        members, task = tuple(dict.fromkeys(self.who)), self.task.strip()
        checks = CalledChecks(members, self.check, self.purpose, self.dc, task, tags=self.tags, edge=self.edge)
        begin(tx, CALLED_CHECKS.ask_called_check, checks)


STAGES = stages_in(globals(), CALLED_CHECKS)
