"""A session that keeps every text a table would read of a random fight: cards, refusals, offers and the journal.

The combatants' ids begin with `MARK`, which stands in no name, so that a text with an id in it is found out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

import msgspec

from turnwright.dice.expression import RollSpec
from turnwright.encounter.prepared import Creature
from turnwright.encounter.procedure_state.asks import Ask
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Encounter
from turnwright.play.kernel.history import Step
from turnwright.play.kernel.transaction import Command, Refused
from turnwright.play.queries.queries import actions_for, open_prompts
from turnwright.play.session import Session
from turnwright.rules.system import RuleSystem
from turnwright.storage.word_catalogue import WordCatalogue
from turnwright.workspace.text import Phrasebook

MARK = "zq-"
_NOT_FOR_READERS = re.compile(
    rf"{MARK}\w+|[{{}}_]|<[\w-]|(?<![.\w])[a-z][a-z-]*\.[a-z][a-z-]+(?:\.[a-z-]+)*\b"
    r"|\b(?:effect|slot|prompt|procedure|pool)-?\d+\b|\bNone\b"
)


@cache
def words() -> WordCatalogue:
    """All words of the program."""
    return WordCatalogue.load()


def marked(creatures: Sequence[Creature]) -> list[Creature]:
    """The same creatures under ids that no text may show."""
    return [msgspec.structs.replace(one, id=f"{MARK}{number}") for number, one in enumerate(creatures)]


class Eavesdropper(Session):
    """A session that hears whatever it says."""

    def __init__(self, encounter: Encounter, rules: RuleSystem) -> None:
        super().__init__(encounter, rules)
        self._unfit: dict[tuple[str, str], str] = {}
        self._speech = Phrasebook(words(), rules)
        self._seen: set[tuple[str, int]] = set()

    def do(self, command: Command, *, override: bool = False, strict: bool = False) -> Step | None:
        try:
            step = super().do(command, override=override, strict=strict)
        except Refused as refused:
            self._hear(refused.key, self._speech.refusal_text(refused))
            raise
        for prompt in open_prompts(self.encounter):
            if (prompt.id, prompt.revision) in self._seen:
                continue
            self._seen.add((prompt.id, prompt.revision))
            self._hear(prompt.title, self._speech.text(prompt.title, subject=prompt.subject))
            for ask in prompt.asks:
                for text in self._asked(ask):
                    self._hear(ask.label, text)
        return step

    def unfit_texts(self) -> list[str]:
        """Hear the whole journal and what everybody could do now. Return all texts that aren't for a reader."""
        for line in self.journal():
            self._hear(line.phrase.key, self._speech.phrase_text(line.phrase))
        for combatant in self.encounter.all(Combatant):
            for offer in actions_for(self.encounter, self.rules, combatant.id):
                self._hear("name", self._speech.expand_keys(offer.action.name))
                if offer.refused:
                    self._hear(offer.refused, self._speech.text(offer.refused, **dict(offer.params)))
        return [f"{key}: {text}" for (key, _), text in self._unfit.items()]

    def _asked(self, ask: Ask) -> Iterator[str]:
        yield self._speech.text(ask.label, detail=self._speech.expand_keys(ask.detail))
        for option in ask.options:
            yield self._speech.expand_keys(option.label)
            yield self._speech.expand_keys(option.why)
        yield from map(self._speech.expand_keys, _reasons(ask.spec) if ask.spec is not None else ())

    def _hear(self, key: str, text: str) -> None:
        found = _NOT_FOR_READERS.search(text)
        if found:
            self._unfit.setdefault((key, found[0]), text)


def _reasons(spec: RollSpec) -> Iterator[str]:
    for given in (*spec.modifiers, *spec.edges, *spec.extra, *spec.offered):
        yield given.reason
    yield spec.fails
