"""The forecast of an encounter in words, for its sheet on paper."""

from __future__ import annotations

from typing import Final

from turnwright.encounter.state import Encounter
from turnwright.forecast.sentences import (
    Sentence,
    budget_sentences,
    falls_of_party,
    headline,
    note_parts,
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

    def sentence_text(sentence: Sentence) -> str:
        return say(sentence.key, **dict(sentence.params))

    assumed = [note_parts(begun, one) for one in outlook.notes if one.list == "assumed"]
    left_out = sum(one.list == "left-out" for one in outlook.notes)
    sentences = (*summary(begun, outlook), *pool_sentences(begun, outlook), *budget_sentences(begun, rules, outlook))
    return PrintedForecast(
        say("handout.encounter-sheet.of-fights", headline=sentence_text(headline(outlook)), n=outlook.fights),
        tuple(sentence_text(one) for one in sentences),
        tuple(sentence_text(sentence) for _, sentence in falls_of_party(outlook)),
        say("ui.forecast.notes", out=left_out, assumed=len(assumed)),
        tuple(
            f"{', '.join(parts)}: {sentence_text(reason)}" if parts else sentence_text(reason)
            for parts, reason in assumed
        ),
    )
