"""The forecast of an encounter in words, for its sheet on paper."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from turnwright.encounter.state import Encounter, Lookup
from turnwright.forecast.outlook import CombatantOutlook, Outlook
from turnwright.forecast.sentences import (
    Sentence,
    budget_sentences,
    course_sentences,
    falls_of_party,
    headline,
    main_sources,
    note_parts,
    owner_name,
    percent,
    pool_name,
    pool_sentences,
    source_name,
    summary,
)
from turnwright.handouts.page_input import PrintedFall, PrintedFanRow, PrintedForecast, PrintedSource
from turnwright.rules.parts.stat_block.text_runs import Translate
from turnwright.rules.system import RuleSystem
from turnwright.workspace.fight_forecast import obstacle_to_forecast, run_forecast
from turnwright.workspace.folders import set_kernel_cache

WORDS: Final = {
    "falls": "ui.forecast.falls-title",
    "falls-summary": "ui.forecast.falls-summary",
    "rounds": "ui.forecast.rounds-title",
    "rounds-summary": "ui.forecast.round-summary",
    "round": "ui.chart.axis-round",
    "sources": "ui.forecast.sources-title",
    "sources-summary": "ui.forecast.source-summary",
    "courses": "ui.forecast.courses-title",
}
MOST_SOURCES: Final = 6
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
        tuple((name, say(key)) for name, key in WORDS.items()),
        tuple(_fall(one) for one, _ in falls_of_party(outlook)),
        tuple(PrintedFanRow(one.round, tuple(map(percent, one.share))) for one in outlook.by_round),
        tuple(_marks(begun, outlook)),
        tuple(
            PrintedSource(
                f"{source_name(begun, one.owner, one.item)} ({owner_name(begun, one.owner)})",
                round(10 * one.damage),
                one.world,
            )
            for one in main_sources(outlook, MOST_SOURCES)
        ),
        tuple(sentence_text(one) for one in course_sentences(begun, outlook)),
        say("ui.forecast.notes", out=left_out, assumed=len(assumed)),
        tuple(
            f"{', '.join(parts)}: {sentence_text(reason)}" if parts else sentence_text(reason)
            for parts, reason in assumed
        ),
    )


def _fall(one: CombatantOutlook) -> PrintedFall:
    down, dead = one.down, one.dead
    return PrintedFall(one.label, percent(down.value), percent(down.low), percent(down.high), percent(dead.value))


def _marks(lookup: Lookup, outlook: Outlook) -> Iterator[tuple[int, str]]:
    """Yield the rounds in which countdowns mostly end, each with their names."""
    ended: dict[int, list[str]] = {}
    for one in outlook.pools:
        if one.ends.value > 0:
            ended.setdefault(one.round[1], []).append(pool_name(lookup, one.pool))
    yield from ((number, ", ".join(names)) for number, names in sorted(ended.items()))
