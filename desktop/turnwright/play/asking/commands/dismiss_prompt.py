"""The command `DismissPrompt`: dismiss a prompt."""

from __future__ import annotations

from turnwright.encounter.procedure_state.asks import AskResult, Prompt
from turnwright.play.kernel.commands import Command
from turnwright.play.kernel.scheduler import open_asks
from turnwright.play.kernel.transaction import Transaction
from turnwright.rules.system import RuleSystem


class DismissPrompt(Command, frozen=True):
    """Dismiss a prompt and skip its open asks."""

    prompt: str

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Dismiss a prompt by skipping all its open asks."""
        prompt = tx.need(Prompt, self.prompt)
        passed_over = tuple(AskResult(ask.id, skipped=True) for ask in open_asks(prompt))
        tx.update(prompt, answers=(*prompt.answers, *passed_over))
