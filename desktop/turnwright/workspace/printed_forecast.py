"""The forecast of an encounter in words, for its sheet on paper."""

from __future__ import annotations

from typing import Final

from turnwright.encounter.state import Encounter
from turnwright.forecast.outlook import Outlook
from turnwright.forecast.sentences import (
    Sentence,
    budget_sentences,
    headline,
    note_parts,
    percent,
    pool_sentences,
    summary,
)
from turnwright.handouts.page_input import PrintedForecast
from turnwright.rules.parts.stat_block.text_runs import Translate
from turnwright.rules.system import RuleSystem
from turnwright.workspace.fight_forecast import obstacle_to_forecast, run_forecast
from turnwright.workspace.folders import set_kernel_cache

FIGHTS: Final = 4000
SEED: Final = 1


def printed_forecast(encounter: Encounter, rules: RuleSystem, say: Translate) -> PrintedForecast | None:
    """Return the forecast of an encounter in words; None for one without two sides."""
    if obstacle_to_forecast(encounter):
        return None
    set_kernel_cache()
    found = run_forecast(encounter, rules, FIGHTS, seed=SEED)
    begun, outlook = found.encounter, found.outlook

    def said(sentence: Sentence) -> str:
        return say(sentence.key, **dict(sentence.params))

    assumed = [note_parts(begun, one) for one in outlook.notes if one.list == "assumed"]
    left_out = sum(one.list == "left-out" for one in outlook.notes)
    sentences = (*summary(begun, outlook), *pool_sentences(begun, outlook), *budget_sentences(begun, rules, outlook))
    return PrintedForecast(
        say("handout.encounter-sheet.of-fights", headline=said(headline(outlook)), n=outlook.fights),
        tuple(said(one) for one in sentences),
        _falls(outlook, say),
        say("ui.forecast.notes", out=left_out, assumed=len(assumed)),
        tuple(f"{', '.join(parts)}: {said(reason)}" if parts else said(reason) for parts, reason in assumed),
    )


def _falls(outlook: Outlook, say: Translate) -> tuple[str, ...]:
    """Return a line for each of the party, the likeliest to fall first."""
    party = sorted((one for one in outlook.combatants if one.party), key=lambda one: -one.down.value)
    return tuple(
        say(
            "ui.forecast.falls-row",
            name=one.label,
            down=percent(one.down.value),
            low=percent(one.down.low),
            high=percent(one.down.high),
            dead=percent(one.dead.value),
            left=one.left[1],
        )
        for one in party
    )
