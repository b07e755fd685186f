"""The forecast of an encounter as text, for its printed sheet."""

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
    """Return the forecast of an encounter as text, or None if it doesn't have two sides."""
    if obstacle_to_forecast(encounter):
        return None
    set_kernel_cache()
    forecast = run_forecast(encounter, rules, FIGHTS, seed=SEED)
    begun, outlook = forecast.encounter, forecast.outlook

    def sentence_text(sentence: Sentence) -> str:
        return say(sentence.key, **dict(sentence.params))

    assumed = [note_parts(begun, note) for note in outlook.notes if note.list == "assumed"]
    left_out = sum(note.list == "left-out" for note in outlook.notes)
    sentences = (*summary(begun, outlook), *pool_sentences(begun, outlook), *budget_sentences(begun, rules, outlook))
    return PrintedForecast(
        say("handout.encounter-sheet.of-fights", headline=sentence_text(headline(outlook)), n=outlook.fights),
        tuple(sentence_text(item) for item in sentences),
        tuple((name, say(key)) for name, key in WORDS.items()),
        tuple(_fall(combatant) for combatant, _ in falls_of_party(outlook)),
        tuple(
            PrintedFanRow(round_outlook.round, tuple(map(percent, round_outlook.share)))
            for round_outlook in outlook.by_round
        ),
        tuple(_marks(begun, outlook)),
        tuple(
            PrintedSource(
                f"{source_name(begun, main_source.owner, main_source.item)} ({owner_name(begun, main_source.owner)})",
                round(10 * main_source.damage),
                main_source.world,
            )
            for main_source in main_sources(outlook, MOST_SOURCES)
        ),
        tuple(sentence_text(course_sentence) for course_sentence in course_sentences(begun, outlook)),
        say("ui.forecast.notes", out=left_out, assumed=len(assumed)),
        tuple(
            f"{', '.join(parts)}: {sentence_text(reason)}" if parts else sentence_text(reason)
            for parts, reason in assumed
        ),
    )


def _fall(combatant: CombatantOutlook) -> PrintedFall:
    down, dead = combatant.down, combatant.dead
    return PrintedFall(combatant.label, percent(down.value), percent(down.low), percent(down.high), percent(dead.value))


def _marks(lookup: Lookup, outlook: Outlook) -> Iterator[tuple[int, str]]:
    """Yield the rounds in which countdowns will probably end, with their names."""
    ended: dict[int, list[str]] = {}
    for pool in outlook.pools:
        if pool.ends.value > 0:
            ended.setdefault(pool.round[1], []).append(pool_name(lookup, pool.pool))
    yield from ((number, ", ".join(names)) for number, names in sorted(ended.items()))
