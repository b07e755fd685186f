"""Notes of an import for people: sentences, grouped by what to do, and equal ones joined with the names of records."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import msgspec

from turnwright.encounter.state import grouped
from turnwright.importers.vocabulary import Patterns, terms
from turnwright.storage.fights import ConversionNote

GROUPS: Final = ("lost", "check", "kept", "fine")
_RE: Final = Patterns("notices")
_IS: Final = {"fine": _RE.fine, "kept": _RE.kept, "lost": _RE.lost}
_PROBLEMS: Final = [(re.compile(rule), words) for rule, words in terms("notices", "problems")]
_OUTCOMES: Final = [(re.compile(rule), words) for rule, words in terms("notices", "outcomes")]
TITLES: Final[Mapping[str, str]] = terms("notices", "titles")
_NAMES: Final = 3
_LONGEST: Final = 80  # characters of a note's text


class Notice(msgspec.Struct, frozen=True):
    """A sentence for equal notes, with their number of records and first names, as in `2 records: … (Ape, Bear)`."""

    text: str
    notes: tuple[ConversionNote, ...]


def notices(notes: Iterable[ConversionNote]) -> dict[str, list[Notice]]:
    """Return the notices on notes by group, the most frequent first. Groups without notices are left out."""
    alike = grouped(((group_of(note), _field(note), kind_of(note)), note) for note in notes)
    joined = sorted(alike.items(), key=lambda item: -len(item[1]))
    return {
        group: [Notice(_joined(field, why, some), tuple(some)) for (own, field, why), some in joined if own == group]
        for group in GROUPS
        if any(own == group for (own, _, _), _ in joined)
    }


def group_of(note: ConversionNote) -> str:
    """Return the group of a note: `fine`, `kept` as text, `lost`, or `check`."""
    return next((group for group, words in _IS.items() if words.search(note.why)), "check")


def kind_of(note: ConversionNote) -> str:
    """Return the reason of a note with its numbers and values replaced by "…", so that similar notes can be grouped."""
    return _RE.figure.sub("…", note.why)


def sentence(field: str, why: str) -> str:
    """Return a reason as a sentence about a field, such as `The speed is missing; it is set to 0`."""
    problem, _, outcome = why.partition("; ")
    parts = [f"{field} {_worded(problem, _PROBLEMS)}", *([_worded(outcome, _OUTCOMES)] if outcome else [])]
    text = "; ".join(parts)
    return f"{text[:1].upper()}{text[1:]}."


def _worded(text: str, rules: Iterable[tuple[re.Pattern[str], str]]) -> str:
    return next((rule.sub(words, text, count=1) for rule, words in rules if rule.search(text)), text)


def _field(note: ConversionNote) -> str:
    """Return the field of a note without the feature that it belongs to."""
    word = _RE.figure.sub("…", note.field.rpartition(": ")[2])
    return f'the entry "{word.replace("_", " ")}"' if word[:1].islower() else "an entry"


def first_names(names: Sequence[str]) -> str:
    """Return the first of some names, and how many more there are."""
    more = f" and {len(names) - _NAMES} more" if len(names) > _NAMES else ""
    return ", ".join(names[:_NAMES]) + more


def _joined(field: str, why: str, notes: Sequence[ConversionNote]) -> str:
    names = list(dict.fromkeys(note.record for note in notes))
    first = first_names(names)
    if len(names) == 1 and len(notes) == 1:
        (note,) = notes
        told = sentence(f'the entry "{note.field}"', note.why)[:-1]
        return f'{first}: {told} ("{note.text[:_LONGEST]}").' if note.text else f"{first}: {told}."
    records = f"{len(names)} records" if len(names) > 1 else f"{len(notes)} times"
    return f"{records}: {sentence(field, why)[:-1]} ({first})."
