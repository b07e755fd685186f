"""Resolves 5etools creatures that copy another (`_copy`), with templates and changes (`_mod`) applied to the copy.

The record library looks for the original in all files of an import. A change that is unknown, or whose pattern could
take long to match, is reported and not applied.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from copy import deepcopy
from functools import partial
from typing import Any, ClassVar, Final

from turnwright.importers.common import as_list, as_mapping, as_text
from turnwright.importers.five_e_tools.tags import Formulas
from turnwright.importers.statblock_text.damage import as_int
from turnwright.importers.statblock_text.markup import MAX_MARKED
from turnwright.importers.vocabulary import terms
from turnwright.storage.fights import ConversionReport, UnreadableError

Record = dict[str, Any]
Change = Mapping[str, Any]
_DEEPEST: Final = 12  # maximum depth of copies that copy other creatures
_MAX_CHANGES: Final = 400
_MAX_COPIED: Final = 3_000_000  # total values in the copies of an import
# Fields that a copy inherits only if its `_preserve` lists them.
_LEFT_BEHIND: Final[frozenset[str]] = frozenset(terms("five_e_tools_copies", "left_behind"))
_LISTS: Final[tuple[str, ...]] = terms("five_e_tools_copies", "lists")
_TEXT_KEYS: Final = ("entries", "headerEntries", "footerEntries", "entry", "items", "rows", "name")
_FLAGS: Final = {"i": re.IGNORECASE, "g": re.NOFLAG, "u": re.NOFLAG, "m": re.MULTILINE, "s": re.DOTALL}


class RecordLibrary:
    """All creatures, templates and legendary groups of an import, keyed by lower-case name and source."""

    def __init__(self, documents: Iterable[Mapping[str, Any]]) -> None:
        kinds = ("monster", "monsterTemplate", "legendaryGroup", "creature")
        self._found: dict[str, dict[tuple[str, str], Record]] = {kind: {} for kind in kinds}
        self._whole: dict[tuple[str, str, str], Record] = {}
        self._copied = 0
        for data in documents:
            for kind, records in self._found.items():
                for record in as_list(data.get(kind)):
                    if isinstance(record, dict) and record.get("name"):
                        records.setdefault(_key(record), record)

    def legendary_group(self, reference: Any) -> Record | None:
        """Return a creature's legendary group, after resolving its own copy, or None if it isn't in these files."""
        group = self._found["legendaryGroup"].get(_key(as_mapping(reference)))
        return None if group is None else self._merged(group, "legendaryGroup", ConversionReport(""), 0)

    def resolved(self, record: Record, report: ConversionReport, kind: str = "monster") -> Record:
        """Return a creature with everything that it copies. Raise UnreadableError if the original is missing."""
        return self._merged(record, kind, report, 0) if "_copy" in record else record

    def _merged(self, record: Record, kind: str, report: ConversionReport, depth: int) -> Record:
        copy = as_mapping(record.get("_copy"))
        if not copy:
            return record
        if depth > _DEEPEST:
            raise UnreadableError(f"more than {_DEEPEST} creatures copied from one another")
        key = _key(copy)
        base = self._found[kind].get(key)
        if base is None or base is record:
            original = f"{as_text(copy.get('name'))!r} ({as_text(copy.get('source'))})"
            raise UnreadableError(
                f"copy of {original}, which isn't in these files; import its file together with this one"
            )
        place = (kind, *key)
        if place not in self._whole:
            self._whole[place] = self._merged(base, kind, report, depth + 1)
        whole = self._whole[place]
        self._copied += _size(whole)
        if self._copied > _MAX_COPIED:
            raise UnreadableError("too many copied creatures in one import; import fewer files at once")
        preserve = as_mapping(copy.get("_preserve"))
        left = set() if "*" in preserve else _LEFT_BEHIND - preserve.keys()
        merged = {field: deepcopy(value) for field, value in whole.items() if field not in left}
        _lay_over(merged, {field: value for field, value in record.items() if field != "_copy"})
        changes = _Changes(merged, report)
        for reference in as_list(copy.get("_templates")):
            changes.lay_over(self._template(reference, report))
        changes.apply(as_mapping(copy.get("_mod")))
        return merged

    def _template(self, reference: Any, report: ConversionReport) -> Record:
        template = self._found["monsterTemplate"].get(_key(as_mapping(reference)))
        if template is not None:
            with suppress(UnreadableError):  # the template that it copies isn't in these files
                return self._merged(template, "monsterTemplate", report, 0)
        name = as_text(as_mapping(reference).get("name"))
        report.add_note("_templates", name, "template not in these files; its changes are missing")
        return {}


def _lay_over(record: Record, fields: Mapping[str, Any]) -> None:
    """Override the fields of a record. A field without a value is removed."""
    record |= deepcopy(dict(fields))
    for field in [field for field, value in fields.items() if value is None]:
        del record[field]


def _key(record: Mapping[str, Any]) -> tuple[str, str]:
    return as_text(record.get("name")).strip().lower(), as_text(record.get("source")).strip().lower()


def _size(value: Any) -> int:
    """Return the number of values nested in a value, including itself."""
    inner: Iterable[Any] = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return 1 + sum(map(_size, inner))


class _Changes:
    """Applies the changes of a copy to its record."""

    def __init__(self, record: Record, report: ConversionReport) -> None:
        self._record = record
        self._account = report
        self._formulas = Formulas(record)
        self._count = 0

    def lay_over(self, template: Mapping[str, Any]) -> None:
        """Apply a template: the fields of its root, then its changes."""
        apply = as_mapping(template.get("apply"))
        _lay_over(self._record, as_mapping(apply.get("_root")))
        self.apply(as_mapping(apply.get("_mod")))

    def apply(self, changes: Mapping[str, Any]) -> None:
        """Apply the changes of every field, those of `*` and `_` first."""
        for field in sorted(changes, key=lambda name: (name not in ("*", "_"), list(changes).index(name))):
            for change in changes[field] if isinstance(changes[field], list) else [changes[field]]:
                self._count += 1
                if self._count > _MAX_CHANGES:
                    raise UnreadableError(f"more than {_MAX_CHANGES} changes to the copied creature")
                for list_name in _LISTS if field == "*" else [field]:
                    self._carry_out(list_name, change)

    def _carry_out(self, field: str, change: Any) -> None:
        if change == "remove":
            self._record.pop(field, None)
            return
        mapping = as_mapping(change)
        mode = as_text(mapping.get("mode"))
        if mode in self._modes:
            self._modes[mode](self, field, mapping, mode)
        else:
            self._unknown(field, mapping)

    def _unknown(self, field: str, change: Any) -> None:
        why = "unsupported change to the copied creature; not applied"
        self._account.add_note(f"_mod: {field}", repr(change)[:300], why)

    def _variables(self, value: Any) -> Any:
        """Return a value in a change, with its variables (`<$name$>`) filled in."""
        if isinstance(value, str):
            return self._formulas.filled(value) if "<$" in value else value
        if isinstance(value, list):
            return [self._variables(inner) for inner in value]
        if isinstance(value, dict):
            return {key: self._variables(inner) for key, inner in value.items()}
        return value

    def _items(self, change: Mapping[str, Any]) -> list[Any]:
        items = self._variables(deepcopy(change.get("items")))
        return items if isinstance(items, list) else [items]

    def _add_items(self, field: str, change: Change, mode: str) -> None:
        items = self._items(change)
        known = self._record.get(field)
        known = known if isinstance(known, list) else []
        if mode == "prependArr":
            self._record[field] = [*items, *known]
        elif mode == "insertArr":
            at = as_int(change.get("index")) or 0
            self._record[field] = [*known[:at], *items, *known[at:]] if at >= 0 else [*known, *items]
        else:
            added = items if mode == "appendArr" else [item for item in items if item not in known]
            self._record[field] = [*known, *added]

    def _change_items(self, field: str, change: Change, mode: str) -> None:
        known = self._record.get(field)
        if not isinstance(known, list):
            if mode == "replaceOrAppendArr":
                self._record[field] = self._items(change)
            elif field not in _LISTS or not change.get("force"):
                self._unknown(field, change)
            return
        if mode == "renameArr":
            renames = change.get("renames")
            for entry in renames if isinstance(renames, list) else [renames]:
                at = _place_in(known, as_mapping(entry).get("rename"))
                if at is None:
                    self._unknown(field, change)
                else:
                    known[at]["name"] = as_text(as_mapping(entry).get("with"))
            return
        if mode == "removeArr":
            named = change.get("names", change.get("items"))
            for entry in named if isinstance(named, list) else [named]:
                at = _place_in(known, entry)
                if at is not None:
                    del known[at]
                elif not change.get("force"):
                    self._unknown(field, change)
            return
        at = _place_in(known, change.get("replace"))
        if at is not None:
            known[at : at + 1] = self._items(change)
        elif mode == "replaceOrAppendArr":
            known.extend(self._items(change))
        else:
            self._unknown(field, change)

    def _replace_text(self, field: str, change: Change, mode: str) -> None:
        names = mode == "replaceName"
        pattern = safe_pattern(as_text(change.get("replace")), as_text(change.get("flags")))
        if pattern is None:
            self._unknown(field, change)
            return
        put = _replacement(self._variables(as_text(change.get("with"))), pattern.groups)

        def replaced(text: str) -> str:
            changed = pattern.sub(put, text)
            if len(changed) > MAX_MARKED:
                raise UnreadableError("a text becomes too long when it is copied")
            return changed

        props = [*_TEXT_KEYS[:-1], None] if not isinstance(change.get("props"), list) else change["props"]
        keys = ("name",) if names else tuple(prop for prop in props if isinstance(prop, str))
        bare = not names and None in props
        values = self._record if field == "_" else {field: self._record.get(field)}
        for name, value in list(values.items()):
            if name in ("name", "source") and field == "_":
                continue
            entries = value if isinstance(value, list) else [value] if isinstance(value, str) else []
            changed = [_with_texts(entry, keys, replaced) for entry in entries]
            changed = [replaced(entry) if isinstance(entry, str) and bare else entry for entry in changed]
            if isinstance(value, str | list):
                self._record[name] = changed if isinstance(value, list) else changed[0]

    def _append_text(self, field: str, change: Change, _mode: str) -> None:
        joiner = as_text(change.get("joiner")) if self._record.get(field) else ""
        self._record[field] = f"{as_text(self._record.get(field))}{joiner}{as_text(change.get('str'))}"[:MAX_MARKED]

    def _put_around(self, field: str, change: Change, _mode: str) -> None:
        name = as_text(change.get("prop")) or field
        if isinstance(self._record.get(name), str):
            self._record[name] = f"{as_text(change.get('prefix'))}{self._record[name]}{as_text(change.get('suffix'))}"

    def _set_property(self, field: str, change: Change, mode: str) -> None:
        value = deepcopy(change.get("value"))
        if mode == "calculateProp":
            value = self._formulas.calculated(as_text(change.get("formula")))
            if value is None:
                self._unknown(field, change)
                return
        head = [] if field in ("_", "") else [field]
        path = [part for part in (*head, *as_text(change.get("prop")).split(".")) if part and part != "*"]
        target = self._record
        for name in path[:-1]:
            inner = target.get(name)
            if not isinstance(inner, dict):
                inner = target[name] = {}
            target = inner
        if path:
            target[path[-1]] = value

    def _scale(self, field: str, change: Change, mode: str) -> None:
        scalar = change.get("scalar")
        target, prop = self._record.get(field), as_text(change.get("prop"))
        if not isinstance(scalar, int | float) or not abs(scalar) < 1_000 or not isinstance(target, dict):
            self._unknown(field, change)
            return
        for key in list(target) if prop == "*" else [prop]:
            value = target.get(key)
            number = as_int(value)
            if number is None:
                self._unknown(field, change)
                continue
            changed = int(number * scalar) if mode == "scalarMultProp" else int(number + scalar)
            target[key] = f"{changed:+d}" if isinstance(value, str) else changed

    def _add_to_tags(self, field: str, change: Change, mode: str) -> None:
        tag, scalar = "hit" if mode == "scalarAddHit" else "dc", as_int(change.get("scalar")) or 0
        pattern = re.compile(rf"\{{@{tag} ([+-]?\d{{1,3}})\}}")
        added = partial(pattern.sub, lambda match: f"{{@{tag} {int(match[1]) + scalar}}}")
        self._record[field] = _deep_text(self._record.get(field), added)
        if self._record[field] is None:
            del self._record[field]

    def _add_senses(self, _field: str, change: Change, _mode: str) -> None:
        senses = change.get("senses")
        known = [as_text(entry) for entry in as_list(self._record.get("senses"))]
        for added in map(as_mapping, senses if isinstance(senses, list) else [senses]):
            name, feet = as_text(added.get("type")), as_int(added.get("range")) or 0
            at = next((at for at, sense in enumerate(known) if name and name in sense.lower()), -1)
            if at < 0:
                known.append(f"{name} {feet} ft.")
            elif feet > int((re.search(r"\d{1,5}", known[at]) or ["0"])[0]):
                known[at] = f"{name} {feet} ft."
        self._record["senses"] = known

    def _add_proficiencies(self, _field: str, change: Change, mode: str) -> None:
        saves = mode.endswith("Saves")
        field = "save" if saves else "skill"
        stated = change.get("saves" if saves else "skills")
        every = dict.fromkeys(self._formulas.known(field), stated)
        names = every if mode.startswith("addAll") else as_mapping(stated)
        bonuses = dict(as_mapping(self._record.get(field)))
        for name, times in names.items():
            bonus = self._formulas.bonus(field, str(name), as_int(times) or 1)
            if bonus is None:
                self._unknown(field, change)
            elif (as_int(bonuses.get(name)) or -100) < bonus:
                bonuses[name] = f"{bonus:+d}"
        self._record[field] = bonuses

    def _limit_size(self, _field: str, change: Change, _mode: str) -> None:
        most = as_text(change.get("max"))
        place = "FDTSMLHGCV".find
        sizes = [entry for entry in as_list(self._record.get("size")) if isinstance(entry, str)]
        if place(most) >= 0 and sizes:
            self._record["size"] = list(dict.fromkeys(min(size, most, key=place) for size in sizes))

    def _change_spells(self, _field: str, change: Change, mode: str) -> None:
        casting = self._record.get("spellcasting")
        block = casting[0] if isinstance(casting, list) and casting else None
        if not isinstance(block, dict):
            self._unknown("spellcasting", change)
            return
        for key, value in change.items():
            if key == "mode":
                continue
            if not isinstance(value, dict):
                block[key] = _changed_spells(mode, as_list(block.get(key)), as_list(value))
                continue
            inner = block.setdefault(key, {})
            for level, entries in value.items() if isinstance(inner, dict) else ():
                present = inner.get(level)
                if key == "spells":
                    listed = as_mapping(entries).get("spells") if isinstance(entries, dict) else entries
                    spells = _changed_spells(mode, as_list(as_mapping(present).get("spells")), as_list(listed))
                    inner[level] = {**as_mapping(present), "spells": spells}
                else:
                    inner[level] = _changed_spells(mode, as_list(present), as_list(entries))

    def _leave(self, _field: str, _change: Change, _mode: str) -> None:
        """Ignore a change to experience points, which follow from the challenge rating."""

    _modes: ClassVar[Mapping[str, Callable[[_Changes, str, Change, str], None]]] = {
        **dict.fromkeys(("replaceTxt", "replaceName"), _replace_text),
        "appendStr": _append_text,
        "prefixSuffixStringProp": _put_around,
        **dict.fromkeys(("prependArr", "appendArr", "appendIfNotExistsArr", "insertArr"), _add_items),
        **dict.fromkeys(("replaceArr", "replaceOrAppendArr", "removeArr", "renameArr"), _change_items),
        **dict.fromkeys(("setProp", "calculateProp"), _set_property),
        **dict.fromkeys(("scalarAddProp", "scalarMultProp"), _scale),
        **dict.fromkeys(("scalarAddHit", "scalarAddDc"), _add_to_tags),
        "addSenses": _add_senses,
        **dict.fromkeys(("addSaves", "addSkills", "addAllSaves", "addAllSkills"), _add_proficiencies),
        "maxSize": _limit_size,
        **dict.fromkeys(("addSpells", "removeSpells", "replaceSpells"), _change_spells),
        "scalarMultXp": _leave,
    }  # fmt: skip


def _changed_spells(mode: str, spells: list[Any], entries: list[Any]) -> list[Any]:
    if mode == "addSpells":
        return [*spells, *(entry for entry in entries if entry not in spells)]
    if mode == "removeSpells":
        return [spell for spell in spells if spell not in entries]
    swaps = {as_text(as_mapping(entry).get("replace")): as_text(as_mapping(entry).get("with")) for entry in entries}
    return [swaps.get(spell, spell) if isinstance(spell, str) else spell for spell in spells]


def _place_in(items: list[Any], named: Any) -> int | None:
    """Return the index of an item that is given by name, index, pattern or full content, or None if there isn't one."""
    if isinstance(named, dict):
        if (at := as_int(named.get("index"))) is not None:
            return at if 0 <= at < len(items) else None
        pattern = safe_pattern(as_text(named.get("regex")), as_text(named.get("flags")))
        return next((at for at, item in enumerate(items) if pattern and pattern.search(_name(item))), None)
    return next(
        (at for at, item in enumerate(items) if item == named or (isinstance(item, dict) and _name(item) == named)),
        None,
    )


def _name(item: Any) -> str:
    return as_text(as_mapping(item).get("name")) if isinstance(item, dict) else as_text(item)


def safe_pattern(text: str, flags: str = "") -> re.Pattern[str] | None:
    """Compile the pattern of a change, or return None if it is invalid or could be slow (several unbounded repeats)."""
    repeats = len(re.findall(r"(?<!\\)(?:[*+]|\{\d*,\})", text))
    if not text or len(text) > 300 or repeats > 1 or re.search(r"\\[1-9k]|\(\?[^:!=]|\)[*+{]", text):
        return None
    combined = re.NOFLAG
    for flag in flags:
        combined |= _FLAGS.get(flag, re.NOFLAG)
    try:
        return re.compile(text, combined)
    except (re.error, OverflowError):
        return None


def _replacement(text: str, groups: int) -> Any:
    """Return a replacement function for matches: `$1` becomes the first group, anything else stays."""
    parts = re.split(r"\$(\d)", text)
    return lambda match: "".join(
        part if at % 2 == 0 else (match[int(part)] or "") if int(part) <= groups else f"${part}"
        for at, part in enumerate(parts)
    )


def _with_texts(value: Any, keys: Iterable[str], changed: Any) -> Any:
    """Return an entry after changing the texts under the given keys at any depth."""
    if not isinstance(value, dict):
        return value
    return {key: _deep_text(inner, changed) if key in keys else inner for key, inner in value.items()}


def _deep_text(value: Any, changed: Any) -> Any:
    if isinstance(value, str):
        return changed(value)
    if isinstance(value, list):
        return [_deep_text(inner, changed) for inner in value]
    if isinstance(value, dict):
        return {key: inner if key in ("type", "source") else _deep_text(inner, changed) for key, inner in value.items()}
    return value


def versions_of(record: Mapping[str, Any]) -> Iterator[str]:
    """Yield the names of a creature's versions, which are nested in its record."""
    for version in map(as_mapping, as_list(record.get("_versions"))):
        name = as_text(version.get("name")) or as_text(as_mapping(version.get("_abstract")).get("name"))
        if name:
            yield name
