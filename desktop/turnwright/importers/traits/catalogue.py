"""The trait catalogue of a rule system: the sentences it recognises and the feature fields they set.

It is read from `systems/<system>/traits.toml`. An entry matches a feature that contains the sentence in `matches`, and a
sentence in `then` if there are any. `also` lists additional sentences. If a feature has no text, or if `by_name` is
true, the name is enough. `gives` are fields of a feature with slots, which are filled with the matched words and
checked. Facts, rules and fields with an unmatched slot are left out.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import msgspec

from turnwright.encounter.field_specs import FieldSpec, nearest_hint
from turnwright.encounter.prepared import ANY_ATTACKS, Feature
from turnwright.importers.traits.templates import MAX_TEMPLATE, SentenceTemplate, TemplateError, compile_template
from turnwright.importers.vocabulary import Patterns, terms
from turnwright.rules.system_data.known_ids import KnownIds
from turnwright.rules.system_data.references import STATEMENT, ids_in, problems
from turnwright.rules.system_data.statements import BARE, StatementError, parse_statement
from turnwright.storage.findings import Finding, FindingCollector, located_findings
from turnwright.storage.migrations import FORMAT, OLDEST, Migrator, changed_names
from turnwright.storage.resources import resource_root, shipped_folders
from turnwright.storage.toml.reader import read_struct, type_name
from turnwright.storage.toml.source import read_toml
from turnwright.storage.toml.values import KeyPath

NOTHING: Final = object()
SLOT: Final = re.compile(r"\{([a-z][a-z_-]*[0-9]?)([+-][0-9]{1,2})?\}")  # `{n+1}` adds 1 to the value
_RE: Final = Patterns("traits_catalogue")
SAMPLES: Final[Mapping[str, str]] = terms("traits", "samples")
_PLAIN: Final = Feature("a", "a")


def default_of(field: str) -> Any:
    """Return the default value of a feature's field."""
    return getattr(_PLAIN, field)


def feature_fields(fields: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    """Return filled fields as a table. Numbers in fields for text become text."""
    return {
        field: str(value) if isinstance(value, int) and isinstance(default_of(field), str) else value
        for field, value in fields
    }


def problems_of_given(
    gives: Mapping[str, Any], values: Mapping[str, str], known: KnownIds | None
) -> Iterator[tuple[KeyPath, str]]:
    """Yield the key path and a message for each mistake in an entry's fields, once their slots are filled.

    Without the `known` ids of the rule system, only the form of the fields and statements is checked.
    """
    notes = FindingCollector()
    table = feature_fields((field, filled(value, values)) for field, value in gives.items())
    feature = read_struct(Feature, {"id": "sample", "name": "Sample", **table}, (), notes)
    yield from ((note.path, note.message) for note in notes.notes)
    for path, kind, text in ids_in(feature) if feature is not None else ():
        if known is not None:
            found = (message for _, _, message in problems(kind, text, known))
            yield from ((path, message) for message in found if not _may_be_gear(message))
        elif kind == STATEMENT and (wrong := _statement_problem(text)):
            yield path, wrong
    for number, step in enumerate(feature.does if feature is not None else ()):
        if step.use not in ANY_ATTACKS and (hint := nearest_hint(step.use, ANY_ATTACKS)):
            yield ("does", number, "use"), f"unknown attack {step.use!r}{hint}"


def _may_be_gear(message: str) -> bool:
    """Whether a message is about a word that may be gear of a creature: it is unlike any known word."""
    return message.startswith(f"unknown {BARE} ") and "did you mean" not in message


def _statement_problem(text: str) -> str:
    try:
        parse_statement(text)
    except StatementError as error:
        return str(error)
    return ""


def filled(stated: Any, values: Mapping[str, str]) -> Any:
    """Fill the slots in a value of an entry. Return `NOTHING` if no slot was matched."""
    if isinstance(stated, str):
        return _filled_text(stated, values)
    if isinstance(stated, Mapping):
        if SLOT.search(repr(stated)) is None:
            return stated
        inner = {key: value for key, part in stated.items() if (value := filled(part, values)) is not NOTHING}
        return inner if stated.keys() - inner.keys() <= {"when"} else NOTHING
    if isinstance(stated, list):
        items = [value for part in stated if (value := filled(part, values)) is not NOTHING]
        return items if items or not stated else NOTHING
    return stated


def _filled_text(stated: str, values: Mapping[str, str]) -> Any:
    slots = [slot.replace("-", "_") for slot, _ in SLOT.findall(stated)]
    if not slots:
        return stated
    if SLOT.fullmatch(stated):
        if slots[0] not in values:
            return NOTHING
        value = _put(stated, values)
        return int(value) if value.isdecimal() and not slots[0].startswith("dice") else value
    parts = [
        " | ".join(_put(fact, values) for fact in part.split(" | ") if _is_known(fact, values))
        for part in stated.split(", ")
    ]
    text = ", ".join(filter(None, parts))
    return int(text) if _RE.penalty.fullmatch(text) else text or NOTHING


def filled_prose(text: str, words: Mapping[str, str]) -> str:
    """Fill the slots in an entry's own text with the matched words. Return an empty string if one wasn't matched."""

    def value(slot: re.Match[str]) -> str:
        word = words.get(slot[1].lower().replace("-", "_"), "\0")
        return word.title() if slot[1][0].isupper() else word

    def kept(part: re.Match[str]) -> str:
        inner = _RE.told.sub(value, part[1])
        return "" if "\0" in inner else inner

    told = _RE.told.sub(value, _RE.optional.sub(kept, text))
    return "" if "\0" in told else told


def _is_known(text: str, values: Mapping[str, str]) -> bool:
    return all(slot.replace("-", "_") in values for slot, _ in SLOT.findall(text))


def _put(text: str, values: Mapping[str, str]) -> str:
    def value(slot: re.Match[str]) -> str:
        number = values[slot[1].replace("-", "_")]
        return str(int(number) + int(slot[2])) if slot[2] else number

    return SLOT.sub(value, text)


TRAITS_FILE: Final = "traits.toml"
AREA: Final = "area"  # a slot of `gives`: the size of the feature's area
ITSELF: Final = "itself"  # a slot of `gives`: the id of the feature
MAX_ENTRIES: Final = 2_000
_HEAD: Final = frozenset({"format", "kind", "system"})
_APART: Final = frozenset({"words", "parts"})
_GIVES: Final = frozenset({"gives"})
_GIVEN: Final = frozenset(Feature.__struct_fields__) - {"id", "name", "text", "read"}

Cost = Literal["trait", "action", "bonus", "reaction", "legendary", "lair", "free"]


class TraitEntry(msgspec.Struct, frozen=True, omit_defaults=True):
    """An entry of the trait catalogue: the sentences it recognises, and the feature fields in `gives`."""

    id: str
    """The id. In a file, it is the key of its table, as in `[traits.regeneration]`."""
    names: tuple[str, ...] = ()
    """Names that identify a feature without text. Example: `["Regeneration"]`."""
    matches: tuple[str, ...] = ()
    """Templates, one of which must match a sentence."""
    then: tuple[str, ...] = ()
    """Templates, one of which must match a second sentence."""
    also: tuple[str, ...] = ()
    """Templates for further sentences that add to the result."""
    unapplied: tuple[str, ...] = ()
    """Templates for further sentences with effects that Turnwright doesn't apply. The feature then counts as partly
    understood.
    """
    beside: tuple[str, ...] = ()
    """Templates, one of which must match a sentence of any feature in the same stat block."""
    costs: tuple[Cost, ...] = ()
    """The costs of features that the entry applies to. Empty means any."""
    brackets: tuple[str, ...] = ()
    """Words in brackets after a name, such as `While Bloodied`. The entry adds to the fields from other entries. With
    `apart`, the further feature needs one of them.
    """
    by_name: bool = False
    """Whether a name in `names` is enough even if the feature has text."""
    named: bool = False
    """Whether its sentences only count for features with one of the `names`."""
    fallback: bool = False
    """Whether it is only used for texts without any other matching entry."""
    partial: bool = False
    """Whether the feature runs automatically even if it has unknown sentences, unless these seem to restrict it."""
    adds: bool = False
    """Whether it adds its fields to a feature with one of its sentences, even an attack, whatever the others say."""
    apart: str = ""
    """The name of a further feature of the creature, which gets the fields instead of the feature with the sentence. In
    it, `{itself}` is that feature's name. Example: `{itself} (Bonus Action)`.
    """
    text: str = ""
    """The rules text in your own words, for features that the entry explains completely. It has the slots of `gives`,
    filled with the matched words; a slot with a capital letter gets capitalised words. Text in square brackets is
    omitted if a slot in it matched nothing. Example: `Regains {n} hit points at the start of its turn[, unless {type}
    hurt it].`
    """
    samples: tuple[str, ...] = ()
    """Example sentences in your own words, which a test checks against the fields in `gives`."""


class TraitFile(msgspec.Struct, frozen=True, omit_defaults=True):
    """A file of the trait catalogue."""

    extends: Annotated[str, FieldSpec(ids=("game",))] = ""
    """The rule system whose entries, words and parts come after its own. Example: `dnd5e`."""
    without_effect: tuple[str, ...] = ()
    """Templates for sentences without effects."""
    traits: tuple[TraitEntry, ...] = ()
    """The entries, keyed by id."""


class CompiledEntry(msgspec.Struct, frozen=True):
    """An entry with its compiled templates and the fields it sets."""

    entry: TraitEntry
    names: frozenset[str]
    matches: tuple[SentenceTemplate, ...]
    then: tuple[SentenceTemplate, ...]
    also: tuple[SentenceTemplate, ...]
    unapplied: tuple[SentenceTemplate, ...]
    beside: tuple[SentenceTemplate, ...]
    gives: Mapping[str, Any]


class Catalogue(msgspec.Struct, frozen=True):
    """The entries of a rule system, in the order in which they are tried, and the sentences without effect."""

    entries: tuple[CompiledEntry, ...] = ()
    without_effect: tuple[SentenceTemplate, ...] = ()
    words: Mapping[str, Mapping[str, str]] = {}
    parts: Mapping[str, str] = {}


class TraitsError(ValueError):
    """Raised for errors in a file of traits, each with file, line and key."""

    def __init__(self, findings: tuple[Finding, ...]) -> None:
        self.findings = findings
        super().__init__("\n".join(map(str, findings)))


@lru_cache(maxsize=8)
def shipped_catalogue(system: str, root: Path | None = None) -> Catalogue:
    """Return the catalogue of a shipped rule system, or an empty one if it has none. Raise TraitsError."""
    files = [folder / TRAITS_FILE for folder in shipped_folders(system, root)] if system else []
    return next((read_catalogue(file, root) for file in reversed(files) if file.is_file()), Catalogue())


def read_catalogue(
    file: Path, root: Path | None = None, before: Catalogue | None = None, known: KnownIds | None = None
) -> Catalogue:
    """Read the catalogue in a file. Raise TraitsError.

    The entries of `before`, or of the system in `extends`, come after its own. `known` are the ids of the rule system, if
    they have to be checked.
    """
    source = read_toml(file)
    if source.tables is None:
        raise TraitsError(source.findings)
    notes, tables = FindingCollector(), source.tables
    if tables.get("format") == OLDEST:
        tables = _migrated(tables)
    head = {key: value for key, value in tables.items() if key not in ("traits", *_APART)}
    stated = read_struct(TraitFile, head, (), notes, foreign_keys=_HEAD)
    _check_head(head, notes, root)
    if any(note.path == ("extends",) for note in notes.notes):  # the entries rely on the words and parts of that system
        raise TraitsError(located_findings(notes, str(file), source.text))
    if before is None:
        before = shipped_catalogue(stated.extends, root) if stated and stated.extends else Catalogue()
    words = {**before.words, **_words(tables.get("words", {}), notes)}
    parts = {**before.parts, **_parts(tables.get("parts", {}), notes)}
    compiler = _Compiler(words, parts, notes, known, tables.get("words", {}))
    without_effect = compiler.templates(stated.without_effect if stated else (), ("without_effect",))
    entries = compiler.entries(tables.get("traits", {}))
    if notes.notes:
        raise TraitsError(located_findings(notes, str(file), source.text))
    own = {each.entry.id for each in entries}
    rest = tuple(each for each in before.entries if each.entry.id not in own)
    return Catalogue((*entries, *rest), (*without_effect, *before.without_effect), words, parts)


def _migrated(tables: dict[str, Any]) -> dict[str, Any]:
    migrator = Migrator(changed_names(OLDEST))
    tables = dict(migrator.record(TraitFile, tables))
    for entry in tables["traits"].values() if isinstance(tables.get("traits"), dict) else ():
        if isinstance(entry, dict) and "gives" in entry:
            entry["gives"] = migrator.record(Feature, entry["gives"])
    return tables


def _check_head(head: Mapping[str, Any], notes: FindingCollector, root: Path | None) -> None:
    """Report a wrong format or kind, and rule systems that don't exist."""
    systems = [folder.name for folder in (root or resource_root()).glob("systems/*")]
    stated = (("format", (OLDEST, FORMAT)), ("kind", ("traits",)), ("system", systems), ("extends", systems))
    for key, expected in stated:
        if key in head and head[key] not in expected:
            listed, hint = ", ".join(map(repr, sorted(expected))), notes.hint(str(head[key]), tuple(map(str, expected)))
            notes.error((key,), f"expected {listed}, found {head[key]!r}{hint}")


class _Compiler:
    """Compiles the templates of one file, and collects all errors."""

    def __init__(
        self, words: Mapping[str, Mapping[str, str]], parts: Mapping[str, str], notes: FindingCollector,
        known: KnownIds | None, own_words: Mapping[str, Any],
    ) -> None:  # fmt: skip
        self.words, self.parts, self.notes, self.known, self.own_words = words, parts, notes, known, own_words
        self._checked: set[tuple[str, str]] = set()

    def templates(self, texts: Iterable[str], path: KeyPath) -> tuple[SentenceTemplate, ...]:
        """Compile the texts at a key path."""
        templates: list[SentenceTemplate] = []
        for at, text in enumerate(texts):
            try:
                if len(text) > MAX_TEMPLATE:
                    raise TemplateError(f"longer than {MAX_TEMPLATE} characters")
                templates.append(compile_template(text, self.words, self.parts))
            except TemplateError as error:
                self.notes.error((*path, at), str(error))
        return tuple(templates)

    def entries(self, tables: Any) -> tuple[CompiledEntry, ...]:
        """Return the compiled entries of the table `traits`."""
        if not isinstance(tables, dict) or len(tables) > MAX_ENTRIES:
            self.notes.error(("traits",), f"expected a table of at most {MAX_ENTRIES:,} entries")
            return ()
        return tuple(entry for id, table in tables.items() if (entry := self._entry(id, table)) is not None)

    def _entry(self, id: str, table: Any) -> CompiledEntry | None:
        path = ("traits", id)
        entry = read_struct(TraitEntry, table, path, self.notes, id=id, foreign_keys=_GIVES)
        if entry is None:
            return None
        matches, then, also, unapplied, beside = (
            self.templates(getattr(entry, field), (*path, field))
            for field in ("matches", "then", "also", "unapplied", "beside")
        )
        if not (entry.names or entry.matches or entry.brackets or entry.fallback):
            why = "expected `names`, `matches`, `brackets` or `fallback`; without them the entry never matches"
            self.notes.error(path, why)
        gives = table.get("gives")
        kinds = {slot: kind for each in (*matches, *then, *also, *beside) for slot, kind in each.kinds.items()}
        if gives is None and entry.text:
            gives = {}
        else:
            self._check_given(gives, (*path, "gives"), kinds)
        for slot in _RE.told.findall(entry.text):
            if slot.lower() != AREA and slot.lower().replace("-", "_") not in kinds:
                self.notes.error((*path, "text"), f"{{{slot}}} isn't in any of the entry's sentences")
        names = frozenset(map(str.casefold, entry.names))
        return CompiledEntry(entry, names, matches, then, also, unapplied, beside, gives)

    def _check_given(self, gives: Any, path: KeyPath, kinds: Mapping[str, str]) -> None:
        """Report fields that features don't have, slots that no sentence contains, and mistakes in the fields.

        `kinds` are the kinds of the slots in the entry's sentences.
        """
        before = len(self.notes.notes)
        if gives is None:
            self.notes.error(path[:-1], "missing key `gives` (a table of feature fields)")
            return
        if not isinstance(gives, dict) or not gives:
            self.notes.error(path, f"expected a table of feature fields, found {type_name(gives)}")
            return
        for field, value in gives.items():
            if field not in _GIVEN:
                self.notes.error((*path, field), f"unknown feature field{self.notes.hint(field, _GIVEN)}")
            for slot, _ in SLOT.findall(repr(value)):
                if slot not in (AREA, ITSELF) and slot.replace("-", "_") not in kinds:
                    self.notes.error((*path, field), f"{{{slot}}} isn't in any of the entry's sentences")
        if len(self.notes.notes) > before:
            return
        values = {AREA: "10", ITSELF: "weapon"}  # also a property
        for slot, kind in kinds.items():
            values[slot] = next(iter(self.words.get(kind, {}).values()), "") or SAMPLES.get(kind, "")
        for inner, message in problems_of_given(gives, values, self.known):
            self.notes.error((*path, *inner), message)
        if self.known is not None and len(self.notes.notes) == before:
            self._check_words(gives, values, kinds)

    def _check_words(self, gives: Mapping[str, Any], values: Mapping[str, str], kinds: Mapping[str, str]) -> None:
        """Report words of the file's lists that are wrong in an entry's fields, once for each word."""
        for slot, kind in kinds.items():
            marked = f"{{{slot.replace('_', '-')}"
            used = frozenset(text for text in _texts_in(gives) if marked in text.replace("_", "-"))
            if kind not in self.own_words or not used or (kind, repr(sorted(used))) in self._checked:
                continue
            self._checked.add((kind, repr(sorted(used))))
            for word, value in self.words[kind].items():
                for _, message in problems_of_given(gives, {**values, slot: value}, self.known):
                    self.notes.error(("words", kind, word), message)


def _texts_in(value: Any) -> Iterator[str]:
    """Yield the texts in a value, those of nested tables and lists too."""
    if isinstance(value, str):
        yield value
    for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _texts_in(part)


def _words(tables: Any, notes: FindingCollector) -> dict[str, dict[str, str]]:
    """Return the words of each slot, mapped to their values. In a list, each word is its own value."""
    words: dict[str, dict[str, str]] = {}
    for name, table in tables.items() if isinstance(tables, dict) else ():
        pairs = dict.fromkeys(table) if isinstance(table, list) else table
        if not isinstance(pairs, dict) or not all(isinstance(each, str) for each in pairs):
            notes.error(("words", name), "expected a table of words, or a list")
            continue
        words[name] = {str(word).lower(): str(word if value is None else value) for word, value in pairs.items()}
    return words


def _parts(table: Any, notes: FindingCollector) -> dict[str, str]:
    """Return the parts of templates, keyed by name."""
    if not isinstance(table, dict) or not all(isinstance(each, str) for each in table.values()):
        notes.error(("parts",), "expected a table of parts of templates")
        return {}
    return dict(table)
