"""Converts phrases, refusals and names to text, using the word catalogue and a rule system's terms."""

import re
from collections.abc import Mapping

from turnwright.encounter.prepared import CharacterState, Creature, Feature, RosterEntry
from turnwright.encounter.running import SLOTS, USES
from turnwright.play.kernel.events import Phrase, number_text
from turnwright.play.kernel.transaction import Refused
from turnwright.rules.system import RuleSystem
from turnwright.rules.word_keys import system_words
from turnwright.storage.word_catalogue import WordCatalogue

_SPACES = re.compile(r" {2,}")
# parameters that are missing from journal lines of older fights
LATER_PARAMETERS: Mapping[str, str | int] = {"detail": "", "n": 1, "spent": "", "result": ""}
_KEY = re.compile(r"<([\w-]+\.[^<>]+)>")


class Phrasebook:
    """Converts phrases to text.

    A parameter may contain further keys in angle brackets. Unknown keys aren't changed.
    """

    def __init__(self, words: WordCatalogue, rules: RuleSystem) -> None:
        self._words = words.with_terms(dict(rules.data.terms))
        self._terms: Mapping[str, str] = system_words(rules.data)

    def phrase_text(self, phrase: Phrase) -> str:
        """Return the text of a phrase. Parameters that are missing from older fights are left empty."""
        return self.text(phrase.key, **{**LATER_PARAMETERS, **dict(phrase.params)})

    def refusal_text(self, refusal: Refused) -> str:
        """Return the text of a refusal."""
        return self.text(refusal.key, **dict(refusal.params))

    def text(self, key: str, **params: str | int) -> str:
        """Return the text of a key."""
        spoken = {
            name: self._spoken(value, params) if isinstance(value, str) else _number(value)
            for name, value in params.items()
        }
        if f" {spoken.get('detail') or '  '} " in f" {spoken.get('purpose')} ":
            spoken["detail"] = ""  # the purpose already names it
        return _SPACES.sub(" ", self._words(key, **spoken)).strip()

    def expand_keys(self, text: str) -> str:
        """Replace all keys in angle brackets in a text. If the text itself is a key, it is also replaced."""
        return self._spoken(text, {})

    def _spoken(self, text: str, params: Mapping[str, str | int]) -> str:
        """Return a parameter's text. If it contains reasons, the other parameters are filled in."""
        if text in self._words:
            return self._words(text)
        return _KEY.sub(lambda match: self._term(match[1], params), text)

    def _term(self, key: str, params: Mapping[str, str | int]) -> str:
        if key in self._terms or key not in self._words:
            return self._terms.get(key) or key.partition(".")[2]
        plain = {name: self.expand_keys(value) if isinstance(value, str) else value for name, value in params.items()}
        return self._words(key, **plain)


def _number(value: int) -> int | str:
    """Format a number for texts. Negative numbers get a true minus sign."""
    return number_text(value) if value < 0 else value


def state_text(state: CharacterState | None, creature: Creature | None, entry: RosterEntry, words: Phrasebook) -> str:
    """Return a line that describes a character's state."""
    if state is None:
        return words.text("ui.party.fresh")
    most = entry.hp if entry.hp is not None else creature.hp if creature is not None else state.hp
    parts = [words.text("ui.party.dead")] if state.dead else [words.text("ui.party.hp", now=state.hp, maximum=most)]
    if state.temp_hp:
        parts.append(words.text("ui.party.temporary", n=state.temp_hp))
    features = {feature.id: feature for feature in creature.features} if creature is not None else {}
    parts += [_track_text(name, value, creature, features, words) for name, value in state.tracks]
    for condition in state.conditions:
        name = words.expand_keys(f"<condition.{condition.name}>")
        parts.append(f"{name} {condition.value}" if condition.value else name)
    return ", ".join(parts)


def _track_text(
    name: str, left: int, creature: Creature | None, features: Mapping[str, Feature], words: Phrasebook
) -> str:
    """Describe the remaining value of a track."""
    if name.startswith(SLOTS):
        level = name.removeprefix(SLOTS)
        most = dict(creature.slots).get(level, left) if creature is not None else left
        return words.text("ui.party.slots", level=level, left=left, most=most)
    feature = features.get(name.removeprefix(USES)) if name.startswith(USES) else None
    if feature is not None:
        return words.text("ui.party.uses", what=feature.name, left=left, most=feature.uses)
    return words.text("ui.party.track", what=words.expand_keys(f"<track.{name}>"), n=left)
