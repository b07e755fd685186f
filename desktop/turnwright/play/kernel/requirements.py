"""Requirements shared by several commands: no open prompt, known checks, targets, dice expressions, amounts."""

from __future__ import annotations

from turnwright.dice.errors import DiceError
from turnwright.dice.expression import parse
from turnwright.encounter.field_specs import specs_of
from turnwright.encounter.procedure_state.asks import Prompt
from turnwright.encounter.running import Combatant
from turnwright.play.kernel.commands import Command
from turnwright.play.kernel.refusals import Refused
from turnwright.play.kernel.transaction import Transaction
from turnwright.rules.system import RuleSystem


def require_no_open_prompt(tx: Transaction) -> None:
    """Refuse the command while a prompt that blocks the turn order is open."""
    blocking = next((prompt for prompt in tx.all(Prompt) if prompt.blocks), None)
    if blocking is not None:
        raise Refused("refused.prompt_open", params={"what": blocking.subject or f"<{blocking.title}>"})


def require_check(rules: RuleSystem, check: str) -> None:
    """Refuse an ability or skill check that the system doesn't have. The refusal lists the known checks."""
    ability, colon, skill = check.partition(":")
    abilities = [ability_data.id for ability_data in rules.data.abilities]
    skills = [skill_data.id for skill_data in rules.data.skills]
    if ability not in abilities or (colon and skill not in skills):
        available = {"abilities": ", ".join(abilities), "skills": ", ".join(skills)}
        raise Refused("refused.no_such_check", params={"what": check, **available})


def require_combatants(tx: Transaction, command: Command) -> None:
    """Refuse a command if any of its combatant fields names a combatant that doesn't exist."""
    for spec in specs_of(type(command)):
        ids = getattr(command, spec.name) if spec.kind in ("combatant", "combatants") else ()
        for who in (ids,) if isinstance(ids, str) else ids:
            if who or spec.required:
                tx.need(Combatant, who)


def require_targets(targets: tuple[str, ...]) -> tuple[str, ...]:
    """Return the targets without duplicates. Raise Refused if there are none."""
    if not targets:
        raise Refused("refused.no_target")
    return tuple(dict.fromkeys(targets))


def require_dice_expression(expression: str) -> None:
    """Refuse text that isn't a dice expression, with the parser's reason."""
    try:
        parse(expression)
    except DiceError as error:
        raise Refused("refused.dice_expression", params={"what": expression, "why": str(error)}) from error


def require_amount(amount: int) -> None:
    """Refuse a negative amount."""
    if amount < 0:
        raise Refused("refused.negative")
