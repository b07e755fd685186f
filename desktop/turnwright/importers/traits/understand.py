"""Reads a feature's text with the trait catalogue and sets the feature's fields.

Values from the source's data stay. Values read from the text earlier are replaced if a full sentence matches. A feature
is fully understood if all its sentences match. It is partly understood if the remaining sentences don't restrict it.
Otherwise, entries that only show a reminder are tried.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

import msgspec

from turnwright.encounter.prepared import Creature, Feature, FeatureStep
from turnwright.encounter.state import grouped
from turnwright.importers.statblock_text.feature_text import MAX_TEXT_LENGTH
from turnwright.importers.statblock_text.header_lines import speeds
from turnwright.importers.traits.catalogue import (
    AREA,
    ITSELF,
    NOTHING,
    Catalogue,
    CompiledEntry,
    TraitsError,
    default_of,
    feature_fields,
    filled,
    filled_prose,
    read_catalogue,
    shipped_catalogue,
)
from turnwright.importers.traits.grips import with_grips
from turnwright.importers.traits.templates import SentenceTemplate, sentences_of, third_person
from turnwright.importers.vocabulary import Patterns, terms
from turnwright.rules.parts.actions.how_features_play import LEGENDARY_RESISTANCE
from turnwright.rules.system_data.known_ids import known_ids
from turnwright.storage.atomic import slug
from turnwright.storage.findings import Finding, FindingCollector
from turnwright.storage.library.entries import OWN_TRAITS
from turnwright.storage.resources import resource_path
from turnwright.storage.system_data import read_system_data
from turnwright.storage.toml.reader import read_struct

Extent = Literal["whole", "part", "reminder", "off"]

_RE: Final = Patterns("traits")
_SIZES: Final = (("Tiger", "large"), ("Giant rat", "small"))  # forms whose text leaves their size open
_BEASTS: Final = ("Medium ", "Large ", "Huge ")  # sizes of a beast whose text leaves its size open
_BY_AREA: Final = f"{{{AREA}}}"
_ITS_NAME: Final = f"{{{ITSELF}}}"
_SECOND_PERSON: Final = frozenset({"you", "your"})
_ADDED: Final = ("rules", "afflictions", "properties")
_JOINED: Final = frozenset({"effect", *_ADDED})  # list fields to which several matched entries can add


class Understood(NamedTuple):
    """A feature with the fields read from its text, the matched entries, and the extent to which it is understood."""

    feature: Feature
    entries: tuple[str, ...]
    extent: Extent


class _Found(NamedTuple):
    """The values that an entry found in a feature's sentences, and the indexes of those sentences."""

    entry: CompiledEntry
    values: Mapping[str, str]
    taken: frozenset[int]
    unapplied: bool = False
    words: Mapping[str, str] = {}


class CatalogueReader:
    """Reads features with a catalogue, except the entries in `without`."""

    def __init__(self, catalogue: Catalogue, without: Iterable[str] = ()) -> None:
        off = frozenset(without)
        self.entries = tuple(compiled for compiled in catalogue.entries if compiled.entry.id not in off)
        self._without_effect = _Index([(one, None) for one in catalogue.without_effect])
        templates = [(template, entry) for entry in self.entries for template in entry.matches]
        self._matches, self._adding, self._apart = (
            _Index([one for one in templates if (one[1].entry.adds, bool(one[1].entry.apart)) == kind])
            for kind in ((False, False), (True, False), (False, True))
        )
        self._named = grouped((name, entry) for entry in self.entries for name in entry.names)
        self._bracketed = grouped(
            (one.casefold(), entry) for entry in self.entries if not entry.entry.apart for one in entry.entry.brackets
        )
        self._fallbacks = tuple(entry for entry in self.entries if entry.entry.fallback)
        self._rank = {entry.entry.id: at for at, entry in reversed(tuple(enumerate(self.entries)))}
        self._read = lru_cache(maxsize=4096)(self._readings)

    def creature(self, creature: Creature) -> tuple[Creature, tuple[Understood, ...]]:
        """Read a creature's features. Return the new creature, and the features that were understood."""
        creature = with_shared_recharge(with_grips(creature))
        results = tuple(filter(None, (self.feature(each, creature.features) for each in creature.features)))
        by_id = {understood.feature.id: understood.feature for understood in results}
        features = tuple(_with_forms(by_id.get(each.id, each)) for each in creature.features)
        creature = with_grips(msgspec.structs.replace(creature, features=features)) if results else creature
        return _with_losses(with_form_limits(_with_form_numbers(creature))), results

    def with_further(self, creature: Creature) -> Creature:
        """Return a creature with the further features that single sentences give it, such as a second attack."""
        further = [new for each in creature.features for new in self._further(each, creature.features)]
        once = {(each.name, each.short or each.id): each for each in reversed(further)}  # sources repeat sentences
        return msgspec.structs.replace(creature, features=(*creature.features, *reversed(once.values())))

    def _further(self, feature: Feature, others: Sequence[Feature]) -> Iterator[Feature]:
        sentences, known = sentences_of(feature.text[:MAX_TEXT_LENGTH]), {other.id for other in others}
        entries = {each.entry.id: each for sentence in sentences for each in self._apart.of(sentence)}
        for entry in entries.values():
            match, called = _found(entry, sentences, frozenset(range(len(sentences)))), entry.entry.apart
            name = called.replace(_ITS_NAME, _RE.bracket.sub("", feature.name))
            bare = Feature(f"{feature.id}-{slug(called.replace(_ITS_NAME, ''))}", name)
            is_other = entry.entry.brackets and not any(f"({words})" in feature.name for words in entry.entry.brackets)
            if is_other or (entry.entry.named and feature.name.casefold() not in entry.names):
                continue
            if match is None or bare.id in known or not _costs(entry, feature.cost):
                continue
            match = match._replace(values={**match.values, ITSELF: feature.id})
            new = _with_fields(bare, (match,), others, _prose(bare, (match,), others))
            if new is not None:
                known.add(new.id)
                limit = "" if new.only.startswith("form:") else feature.only  # a form that it has taken stays
                yield msgspec.structs.replace(new, only=_all_of(new.only, limit))

    def feature(self, feature: Feature, others: Sequence[Feature] = ()) -> Understood | None:
        """Read one of a creature's features. Return None if nothing is understood."""
        # attacks on its own turn already have their numbers
        attacks = feature.cost == "action" and feature.attack is not None and "(" not in feature.name
        # Whether the user chose to keep only its text
        chosen = feature.automation == "off" and "automation" not in feature.read
        if chosen or len(feature.text) > MAX_TEXT_LENGTH:
            return None
        added = self._added(feature, others)
        feature = added.feature if added is not None else feature
        for extent, matches in self._read(feature.name, feature.text, feature.cost):
            if attacks and not any("{own}" in str(match.entry.gives.get("does")) for match in matches):
                continue
            if extent == "reminder" and not _needs_reminder(feature):
                continue
            prose = "" if extent == "part" else _prose(feature, matches, others)
            read = _with_fields(feature, matches, others, prose)
            if read is not None and not (
                added and (read.automation == "reminds" or read.cost not in (feature.cost, "free"))
            ):
                return Understood(read, tuple(match.entry.entry.id for match in matches), extent)
        return added

    def _added(self, feature: Feature, others: Sequence[Feature]) -> Understood | None:
        """Return a feature with the fields that single sentences add to it, or None if there are none."""
        sentences = sentences_of(feature.text)
        entries = {each.entry.id: each for sentence in sentences for each in self._adding.of(sentence)}
        found = (_found(each, sentences, frozenset(range(len(sentences)))) for each in entries.values())
        matches = tuple(match for match in found if match is not None and _resolved(match, feature, others) is not None)
        prose = _prose(feature, matches, others) if len(sentences) == len(matches) else ""
        read = _with_fields(msgspec.structs.replace(feature, **dict.fromkeys(_ADDED, ())), matches, others, prose)
        if read is None:
            return None
        replaced = any(match.entry.gives.get("afflictions") == [] for match in matches)
        new = {each.condition for each in (feature if replaced else read).afflictions}
        old = tuple(each for each in feature.afflictions if each.condition not in new)
        feature = msgspec.structs.replace(feature, afflictions=old)
        joined: dict[str, Any] = {
            field: tuple(dict.fromkeys((*getattr(feature, field), *getattr(read, field)))) for field in _ADDED
        }
        joined["afflictions"] = tuple(sorted(joined["afflictions"], key=lambda each: bool(each.bound_to)))
        if read.when not in feature.when and any(
            word in feature.when for word in ("other.type", "deafened", "target.sees")
        ):
            joined["when"] = _all_of(feature.when, read.when)  # excluded types, and those that can't hear or see it
        return Understood(msgspec.structs.replace(read, **joined), tuple(one.entry.entry.id for one in matches), "part")

    def _readings(self, name: str, text: str, cost: str) -> tuple[tuple[Extent, tuple[_Found, ...]], ...]:
        """Return the possible readings of a feature's name and text, best first."""
        sentences = sentences_of(_RE.the_creature.sub("It", text) or self._bare(name))
        readings: list[tuple[Extent, tuple[_Found, ...]]] = []
        called = _RE.bracket.sub("", name).strip().casefold()
        has_text = bool(text.strip())
        named = [each for each in self._named.get(called, ()) if _costs(each, cost)]
        acting, single = self._sentence_readings(sentences, cost, called)
        if not acting and any(not _SECOND_PERSON.isdisjoint(sentence.split()) for sentence in sentences):
            acting, reminders = self._sentence_readings([*map(third_person, sentences)], cost, called)
            single = single or reminders
        if acting:
            readings.append(acting)
        named = [each for each in named if each.entry.by_name or not has_text]
        rest = [each for each in self._fallbacks if has_text and _costs(each, cost)]
        matched = {match.entry.entry.id: match for match in single}
        readings += [(_extent_alone(each, "whole"), (matched.get(each.entry.id) or _alone(each),)) for each in named]
        readings += [(_extent_alone(match.entry, "reminder"), (match,)) for match in single]
        readings += [(_extent_alone(each, "reminder"), (_alone(each),)) for each in rest]
        brackets = [words.casefold() for words in _RE.bracketed.findall(name)]
        added = tuple(_alone(each) for words in brackets for each in self._bracketed.get(words, ()))
        if added:
            readings = [*((extent, (*matches, *added)) for extent, matches in readings), ("whole", added)]
        return tuple(readings)

    def _bare(self, name: str) -> str:
        """Return a name without brackets that entries recognise."""
        known = (words for words in _RE.bracketed.findall(name) if words.casefold() in self._bracketed)
        for words in known:
            name = name.replace(f"({words})", "")
        return name

    def _sentence_readings(
        self, sentences: list[str], cost: str, called: str
    ) -> tuple[tuple[Extent, tuple[_Found, ...]] | None, list[_Found]]:
        """Return the reading with an effect, which can combine several entries, and the matches without an effect."""
        if not sentences:
            return None, []
        is_label = len(sentences) > 1  # a name without text is read like a text
        labelled = (is_label and one.removesuffix("/day ").rstrip(" 0123456789") == called for one in sentences)
        remaining = {at for at, label in enumerate(labelled) if not (label or self._without_effect.has(sentences[at]))}
        every = frozenset(remaining)
        tried: dict[str, CompiledEntry] = {}
        for at in sorted(every):
            for entry in self._matches.of(sentences[at]):
                tried.setdefault(entry.entry.id, entry)
        single: list[_Found] = []
        acting: list[_Found] = []
        for entry in sorted(tried.values(), key=lambda one: self._rank[one.entry.id]):
            if not _costs(entry, cost) or (entry.entry.named and called not in entry.names):
                continue
            alone = entry.gives.get("automation") in ("reminds", "off")
            match = _found(entry, sentences, every if alone else remaining)
            if match is None:
                continue
            if alone:
                single.append(match._replace(unapplied=match.unapplied or match.taken < every))
            else:
                acting.append(match)
                remaining -= match.taken
        if acting and (not remaining or _may_stay(acting, [sentences[at] for at in remaining])):
            whole = not remaining and not any(one.unapplied for one in acting)
            return ("whole" if whole else "part", tuple(acting)), single
        return None, single


def with_shared_recharge(creature: Creature) -> Creature:
    """Return a creature whose breaths share the recharge of the heading above them (`one of the following breaths`)."""
    for head in creature.features:
        found = _RE.one_of.search(head.text) if head.recharge and not _has_figures(head) else None
        breaths = [each for each in creature.features if found and each.area and _is_breath(each, found["what"], head)]
        if breaths:
            kept = msgspec.structs.replace(head, cost="trait", automation="off", read=(*head.read, "cost"))
            changed = {each.id: _sharing(each, head) for each in breaths} | {head.id: kept}
            features = tuple(changed.get(each.id, each) for each in creature.features)
            return msgspec.structs.replace(creature, features=features)
    return creature


def _is_breath(feature: Feature, named: str, head: Feature) -> bool:
    return feature.cost == head.cost and feature.name.lower().endswith(named.lower())


def _sharing(feature: Feature, head: Feature) -> Feature:
    read = tuple(dict.fromkeys((*feature.read, "recharge", "shares")))
    return msgspec.structs.replace(feature, recharge=head.recharge, shares=head.id, read=read)


def _with_forms(feature: Feature) -> Feature:
    """Return a feature that changes its owner's shape with a step for each form in its text."""
    gained = feature.does[0] if feature.does and feature.does[0].gains and not feature.does[0].form else None
    if gained is None:
        return feature
    found, summons = _RE.forms.search(feature.text), _RE.summons.search(feature.text)
    parts = _RE.between.split(_RE.bracket.sub("", found["forms"] or found["looks"])) if found else ()
    if summons:
        parts = [f"{part.strip()} ({summons['odds']} percent)" for part in _RE.between.split(summons["forms"]) if part]
    stripped = [part.strip() for part in parts or _RE.form_line.findall(feature.text)]
    names = [_RE.article.sub("", part) for part in stripped if part and not _RE.form_back.match(part)]
    if not names:
        return feature
    sizes = [_RE.two_sizes.match(name) for name in names]
    names = [each for name, two in zip(names, sizes, strict=True) for each in _apart(name, two)]
    if faster := _RE.form_faster.search(feature.text):
        more = ("", *(f", {mode} {faster['feet']}" for mode in ("climb", "fly", "swim")))
        names = [f"{name} (walk +{faster['more']}{mode})" for name in names for mode in more]
    if shorter := _RE.form_shorter.search(feature.text):
        names = [f"{size}{name}" for name in names for size in (_BEASTS if name.lower() == "beast" else ("",))]
        names = [f"{name} (reach {shorter['feet']})" if name[:5] in ("Mediu", "Large") else name for name in names]
    forms = (
        msgspec.structs.replace(
            gained, form=name[:1].upper() + name[1:] + _speeds(name, feature.text), alternative=at > 0
        )
        for at, name in enumerate(names)
    )
    return msgspec.structs.replace(feature, does=(*forms, *feature.does[1:]))


def _apart(name: str, two: re.Match[str] | None) -> tuple[str, ...]:
    """Return a form of either of two sizes as two forms."""
    return (name,) if two is None else (f"{two[1]} {two[3]}", f"{two[2]} {two[3]}")


def _speeds(form: str, text: str) -> str:
    """Return the size and the speeds that a text has after the name of a form, as in ` (tiny, walk 5, fly 30)`."""
    listed = _RE.form_next.split(text.partition(f"\N{BULLET} {form[:1].upper()}{form[1:]}")[2], maxsplit=1)[0]
    bracketed = re.search(rf"{re.escape(form)}\s*\(([^()]*\d\s*f(?:t|eet)\b[^()]*)", text)
    found = bracketed or _RE.form_speed.search(listed)
    line = re.sub(r"(?<=t)\.?,?\s+(?=[a-zA-Z])", ", ", re.sub(r"\[.*|(?i:\bspeed )", "", found[1])) if found else ""
    named = ", ".join(f"{mode} {feet}" for mode, feet in speeds(line).distances)
    named = "fly 0" if _RE.form_grounded.search(text) else named
    size = _RE.form_size.search(listed)
    told = ", ".join(filter(None, (size[1].lower() if size else "", named)))
    return f" ({told})" if told else ""


def _with_form_numbers(creature: Creature) -> Creature:
    """Return a creature whose forms have the Armor Class and the speeds that remarks give them (`11 in bear form`)."""
    lines = (remark.text for remark in creature.remarks if remark.about == "speeds")
    told = [
        *_SIZES,
        *((found["forms"].lower(), f"ac {found['ac']}") for found in _RE.form_ac.finditer(creature.ac_note)),
    ]
    for found in (each for line in lines for each in _RE.form_moves.finditer(line)):
        modes = ", ".join(f"{mode} {feet}" for mode, feet in speeds(found["speeds"]).distances)
        told.append((found["forms"].lower(), modes))

    def numbered(step: FeatureStep) -> FeatureStep:
        words = {"hybrid"} if "hybrid" in step.form else {*step.form.lower().split()}
        own = ", ".join(numbers for forms, numbers in told if step.form == forms or words & {*_RE.words.findall(forms)})
        return msgspec.structs.replace(step, form=f"{step.form} ({own})") if own and "(" not in step.form else step

    features = tuple(msgspec.structs.replace(each, does=tuple(map(numbered, each.does))) for each in creature.features)
    return msgspec.structs.replace(creature, features=features)


def with_form_limits(creature: Creature) -> Creature:
    """Return a creature whose features are limited to the forms in which it has them, as names and texts say."""
    changes = [each for each in creature.features if any(step.form for step in each.does) and each.does[-1].ends]
    if not changes:
        return creature
    change, shapes = changes[0], dict.fromkeys(each.does[0].gains for each in changes)
    named = (step.form.lower().partition(" (")[0] for step in change.does if step.form)
    forms, own = list(dict.fromkeys(named)), _RE.true_form.search(change.text)
    true = {
        "true",
        creature.type,
        *_RE.words.findall(creature.name.lower()),
        (own["true"] or own["also"]).lower() if own else "",
    }
    denies = _RE.form_denies.search(change.text)
    mute = _RE.form_mute.search(change.text)
    denied = {each.id for each in creature.features if denies and each.name.lower() in denies["names"].lower()}
    attacks = {found["form"].lower(): found["names"].lower() for found in _RE.form_attacks.finditer(change.text)}

    def limited(feature: Feature) -> Feature:
        name, named, is_own = feature.name.lower().removesuffix("s"), _RE.form_only.search(feature.name), True
        is_denied = {feature.id, feature.shares} & denied or (mute and "spell" in feature.properties)
        allowed = [] if is_denied else forms
        if named is not None:
            words = set(_RE.words.findall(named["forms"].lower()))
            names = [{"hybrid"} if "hybrid" in form else set(form.split()) for form in forms]
            allowed, is_own = (
                [form for form, each in zip(forms, names, strict=True) if words & each],
                bool(words & true),
            )
        elif feature.attack is not None:
            allowed = [
                form for form in allowed if name in attacks.get(form, attacks.get(form.rpartition(" ")[2], name))
            ]
        is_limited = "form:" in feature.only or "shape" in feature.only
        if is_limited or feature.automation == "reminds" or (is_own and allowed == forms) or not (is_own or allowed):
            return feature
        facts = [", ".join(f"not {shape}" for shape in shapes)] * is_own + [
            f"form:{form.replace(' ', '-')}" for form in allowed
        ]
        only = _all_of(feature.only, " | ".join(facts)) if feature.only else " | ".join(facts)
        return msgspec.structs.replace(feature, only=only, read=(*feature.read, "only"))

    return msgspec.structs.replace(creature, features=tuple(map(limited, creature.features)))


def _with_losses(creature: Creature) -> Creature:
    """Return a creature without the features that its Legendary Resistance takes away, while that effect lasts."""
    for cause in [one for one in creature.features if LEGENDARY_RESISTANCE in one.properties and one.until != "never"]:
        lost = " ".join(found["names"].lower() for found in _RE.lost_features.finditer(cause.text))
        of_kind = _RE.of_lost_kind.search if _RE.lost_kind.search(lost) else lambda _text: None
        limit = f"not form:{slug(_RE.bracket.sub('', cause.name))}"
        features = tuple(
            msgspec.structs.replace(each, only=_all_of(each.only, limit), read=(*each.read, "only"))
            if _RE.bracket.sub("", each.name).lower() in lost or of_kind(each.text)
            else each
            for each in creature.features
        )
        creature = msgspec.structs.replace(creature, features=features)
    return creature


class TraitReaders:
    """The feature readers of all rule systems. User files in `library` take precedence over shipped catalogues.

    User files with errors are skipped; their errors are in `findings`.
    """

    def __init__(self, library: Path | None = None, without: Iterable[str] = ()) -> None:
        self.findings: list[Finding] = []
        self._without = frozenset(without)
        self._readers: dict[str, CatalogueReader] = {}
        self._own: dict[str, Catalogue] = {}
        for file in sorted(library.glob(f"*{OWN_TRAITS}")) if library is not None and library.is_dir() else ():
            system = file.name.removesuffix(OWN_TRAITS)
            try:
                known = known_ids(read_system_data(system)) if (resource_path("systems") / system).is_dir() else None
                self._own[system] = read_catalogue(file, before=shipped_catalogue(system), known=known)
            except TraitsError as error:
                self.findings += error.findings

    def of(self, system: str) -> CatalogueReader:
        """Return the reader of a rule system."""
        if system not in self._readers:
            catalogue = self._own.get(system) or shipped_catalogue(system)
            self._readers[system] = CatalogueReader(catalogue, self._without)
        return self._readers[system]


class _Index:
    """Templates indexed by one of their required words, so that only a few have to be tried for each sentence."""

    def __init__(self, templates: Sequence[tuple[SentenceTemplate, Any]]) -> None:
        common = Counter(word for template, _ in templates for word in frozenset().union(*template.needed))
        self._by_word: dict[str, list[tuple[frozenset[str], SentenceTemplate, Any]]] = {}
        for template, owner in templates:
            for needed in template.needed:
                rarest = min(needed, key=lambda word: (common[word], -len(word), word))
                self._by_word.setdefault(rarest, []).append((needed, template, owner))

    def of(self, sentence: str) -> list[Any]:
        """Return the owners of the templates that match a sentence."""
        words = frozenset(sentence.split())
        return [
            owner
            for word in words & self._by_word.keys()
            for needed, template, owner in self._by_word[word]
            if needed <= words and template.match(sentence) is not None
        ]

    def has(self, sentence: str) -> bool:
        """Whether any template matches a sentence."""
        return bool(self.of(sentence))


def _costs(entry: CompiledEntry, cost: str) -> bool:
    return not entry.entry.costs or cost in entry.entry.costs


def _alone(entry: CompiledEntry) -> _Found:
    return _Found(entry, {}, frozenset())


def _extent_alone(entry: CompiledEntry, extent: Extent) -> Extent:
    automation = entry.gives.get("automation")
    return "off" if automation == "off" else "reminder" if automation == "reminds" else extent


def _found(entry: CompiledEntry, sentences: list[str], remaining: AbstractSet[int]) -> _Found | None:
    """Match an entry with the remaining sentences. Return None if it doesn't match."""
    values: dict[str, str] = {}
    taken: set[int] = set()
    for templates in filter(None, (entry.matches, entry.then)):
        if not _take(templates, sentences, remaining - taken, values, taken):
            return None
    while entry.also and _take(entry.also, sentences, remaining - taken, values, taken):
        pass
    required = len(taken)
    while entry.unapplied and _take(entry.unapplied, sentences, remaining - taken, {}, taken):
        pass
    told = (
        each.match(sentences[at], verbatim=True) for at in taken for each in (*entry.also, *entry.then, *entry.matches)
    )
    words = {slot: word for slots in told for slot, word in (slots or {}).items()} if entry.entry.text else {}
    return _Found(entry, values, frozenset(taken), len(taken) > required, words)


def _take(
    templates: Sequence[SentenceTemplate], sentences: list[str], remaining: AbstractSet[int], values: dict[str, str],
    taken: set[int],
) -> bool:  # fmt: skip
    """Take the first sentence that a template matches. Return whether there was one."""
    for at in sorted(remaining):
        for template in templates:
            match = template.match(sentences[at])
            if match is not None:
                values.update(match)
                taken.add(at)
                return True
    return False


def _may_stay(acting: Sequence[_Found], remaining: Sequence[str]) -> bool:
    """Whether the remaining sentences leave the effects of the matched entries unrestricted."""
    return all(one.entry.entry.partial for one in acting) and not any(_RE.takes_back.search(each) for each in remaining)


def _prose(feature: Feature, matches: Sequence[_Found], others: Sequence[Feature]) -> str:
    """Return the catalogue's own text of a feature that the entries explain completely, or an empty string."""
    whole = [match for match in matches if match.entry.entry.apart or not match.entry.entry.brackets]
    if "." in feature.text and not all(match.taken and not match.unapplied for match in whole):
        return ""
    names, texts = {other.id: _RE.bracket.sub("", other.name) for other in others}, []
    for match in sorted(whole, key=lambda one: min(one.taken, default=0)):
        resolved = (_resolved(match, feature, others) or {}).items()
        own = {slot: names.get(id, id) for slot, id in resolved if slot == AREA or slot.startswith("own")}
        texts.append(filled_prose(match.entry.entry.text, {**match.words, **own}))
    return " ".join(dict.fromkeys(texts)) if all(texts) else ""


def _with_fields(
    feature: Feature, matches: Sequence[_Found], others: Sequence[Feature], prose: str = ""
) -> Feature | None:
    """Set the fields of the matched entries in a feature, and its short text. Return None if no entry applies to it."""
    fields: dict[str, Any] = {"short": prose} if prose else {}
    for match in matches:
        values = _resolved(match, feature, others)
        if values is None or (_BY_AREA in match.entry.gives.values() and AREA not in values):
            return None
        if "trigger" in fields and match.entry.gives.get("trigger", fields["trigger"]) != fields["trigger"]:
            continue  # a feature has only one moment
        for field, stated in match.entry.gives.items():
            value = filled(stated, values)
            if value is not NOTHING and field in fields and field in _JOINED:
                fields[field] = [*fields[field], *value]
            elif value is not NOTHING and field in ("when", "only"):
                fields[field] = _all_of(fields.get(field, ""), value)
            elif value is not NOTHING:
                fields.setdefault(field, value)
    if "properties" in fields:
        fields["properties"] = [*dict.fromkeys((*feature.properties, *fields["properties"]))]
    stated = feature_fields(
        (field, value)
        for field, value in fields.items()
        if not value
        or field in ("properties", *feature.read)
        or getattr(feature, field) == default_of(field)
        or (field == "cost" and value in ("free", "lair"))  # a choice, a part of another feature, or a lair action
    )
    if "does" in stated:
        feature, stated["does"] = _by_steps(feature, stated["does"], others)
    if not stated:
        return None
    reminds = stated.get("automation") == "reminds"
    if reminds and feature.save and feature.cost == "trait" and stated.get("trigger") == "starts":
        stated = {"cost": "free"}  # what happens calls for its save
        reminds = False
    if reminds and _has_figures(feature) and _may_ask(feature, str(stated.get("trigger", ""))):
        stated["automation"] = "asks"
    notes = FindingCollector()
    whole = read_struct(Feature, {"id": feature.id, "name": feature.name, **stated}, (), notes)
    if whole is None or notes.notes:
        return None
    changes = {field: getattr(whole, field) for field in stated if getattr(whole, field) != getattr(feature, field)}
    if not changes:
        return None
    read = tuple(dict.fromkeys((*feature.read, *changes)))
    return msgspec.structs.replace(feature, **changes, read=read)


def _all_of(*statements: str) -> str:
    """Join statements into one that is true if all of them are."""
    return ", ".join(f"({each})" if "|" in each else each for each in dict.fromkeys(statements) if each)


def _by_steps(feature: Feature, steps: list[dict[str, Any]], others: Sequence[Feature]) -> tuple[Feature, list[Any]]:
    """Return a feature without its copy of a feature that its steps use, and the steps, which carry its other effects.

    Without the feature of its attack, the feature keeps its numbers, and the steps use nothing.
    """
    used = next((other for other in others if any(other.id == step.get("use") for step in steps)), None)
    attacks = feature.attack is not None
    if used is None or (attacks and used.attack is None):
        return feature, [step for step in steps if not attacks or "use" not in step]
    copied = {name for name in _CARRIED if getattr(feature, name) == getattr(used, name)}
    copied |= {*_COPIED} if attacks else set()
    copied -= {"save", "dc", "half"} if not attacks and feature.damage not in ("", used.damage) else set()
    copied -= {"reach", "area"} if _RE.own_reach.search(feature.text) else set()
    feature = msgspec.structs.replace(feature, **{name: default_of(name) for name in copied})
    carries = attacks and any(getattr(feature, name) != default_of(name) for name in _CARRIED)
    return feature, [{**step, "carries": True} if carries and "use" in step else step for step in steps]


def _needs_reminder(feature: Feature) -> bool:
    """Whether a feature needs a reminder: it isn't an attack or spell, and has no trigger or effect on its own turn."""
    is_counted = not _COUNTED.isdisjoint(feature.properties) or feature.level is not None
    if is_counted or feature.attack is not None or feature.trigger or feature.does or feature.rules:
        return False
    return feature.cost in ("trait", "reaction") or not _has_figures(feature)


def _may_ask(feature: Feature, moment: str) -> bool:
    """Whether the numbers read from a feature's text apply to the other combatant of its trigger."""
    is_answer = feature.cost in ("reaction", "trait") and moment in _ANSWERED and not feature.area
    return moment in _OTHERS_MOMENTS or (is_answer and _RE.on_whom.search(feature.text.lower()) is not None)


def _has_figures(feature: Feature) -> bool:
    return any(getattr(feature, field) != default_of(field) for field in terms("traits", "effects"))


def has_only_text(feature: Feature) -> bool:
    """Whether a feature has nothing but a name and a text."""
    return all(getattr(feature, field) == default_of(field) for field in _FIGURES)


_COPIED: Final = ("attack", "reach", "range", "damage", "other_damage", "properties")
_CARRIED: Final = ("save", "dc", "half", "area", "damage", "afflictions", "push", "ongoing", "reach")
_COUNTED: Final = frozenset({LEGENDARY_RESISTANCE, "spell"})
_OTHERS_MOMENTS: Final = frozenset({"other-starts", "other-ends", "enters"})
_ANSWERED: Final = frozenset({"hit", "missed", "hurt"})
_NOT_FIGURES: Final = ("id", "name", "cost", "text", "read", "price", "recharge")
_FIGURES: Final = tuple(field for field in Feature.__struct_fields__ if field not in _NOT_FIGURES)


def _resolved(match: _Found, feature: Feature, others: Sequence[Feature]) -> Mapping[str, str] | None:
    """Return an entry's values, with feature names replaced by ids, or None if a feature is missing."""
    values = {ITSELF: feature.id, **match.values}
    if match.entry.beside:
        sentences = (sentence for other in others for sentence in sentences_of(other.text[:MAX_TEXT_LENGTH]))
        found = (template.match(sentence) for sentence in sentences for template in match.entry.beside)
        beside = next((slots for slots in found if slots is not None), None)
        if beside is None:
            return None
        values.update(beside)
    if reach := _RE.reach.match(feature.area):
        values[AREA] = reach[1]
    for slot, words in match.values.items():
        if slot.rstrip("0123456789") == "own":
            named = slug(words)
            known = [other for other in others if other.id != feature.id]
            exact = [other.id for other in known if _is_called(other, named)]
            longer = (other.id for other in known if other.attack is not None and f"-{named}-" in f"-{other.id}-")
            if (id := next(iter((*exact, *longer)), None)) is None:
                return None
            values[slot] = id
    return values


def _is_called(feature: Feature, named: str) -> bool:
    called = slug(_RE.bracket.sub("", feature.name)).replace("-s-", "s-")
    return named in (called, called + "s", called + "es", called.removesuffix("s"))
