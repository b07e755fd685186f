"""Commands about who is on the table and where, about prompts and dice, and about the journal."""

from __future__ import annotations

from turnwright.encounter.procedure_state.asks import AskResult, Prompt
from turnwright.play.kernel.commands import Command
from turnwright.play.kernel.scheduler import open_asks
from turnwright.play.kernel.transaction import Transaction
from turnwright.rules.system import RuleSystem


class DismissPrompt(Command, frozen=True):
    """Put a prompt aside with everything that waits for it."""

    prompt: str


def dismiss_prompt(command: DismissPrompt, tx: Transaction, rules: RuleSystem) -> None:
    """Put a prompt aside: all that it still asks is passed over."""
    prompt = tx.need(Prompt, command.prompt)
    passed_over = tuple(AskResult(ask.id, skipped=True) for ask in open_asks(prompt))
    tx.update(prompt, answers=(*prompt.answers, *passed_over))
