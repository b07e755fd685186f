"""Offers of reactions: a choice for each combatant who could react. Declining is suggested."""

from __future__ import annotations

from collections.abc import Iterable

from turnwright.encounter.procedure_state.asks import Ask, Option
from turnwright.play.kernel.scheduler import Answers

PASS = "pass"


def reaction_ask(who: str, options: Iterable[Option], *, rule: str = "", detail: str = "") -> Ask:
    """Return the ask whether and how a combatant reacts. Its id is the combatant's id."""
    choices = (*options, Option(PASS, "option.pass"))
    return Ask(who, "choice", "ask.reaction", who=who, detail=detail, options=choices, suggested=(PASS,), rule=rule)


def accepted_reactions(answers: Answers) -> list[tuple[str, str]]:
    """Return pairs of each combatant who reacts and the chosen reaction."""
    return [
        (who, answer.chosen[0])
        for who, answer in answers.items()
        if not answer.skipped and answer.chosen and answer.chosen[0] != PASS
    ]
