"""Parses the text of files: JSON, JSON5, TOML, CSV, XML and YAML.

Limits on size, depth and references keep any file from taking long.
"""

import csv
import io
import json
from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from io import BytesIO
from itertools import chain, islice
from typing import Any, Final, NamedTuple
from xml.etree.ElementTree import Element
from xml.etree.ElementTree import ParseError as XmlError

import msgspec
import rtoml

from turnwright.importers.vocabulary import Patterns

MAX_DEPTH: Final = 64
MAX_ITEMS: Final = 20_000  # per list or mapping; far more than any collection of creatures has
MAX_BRANCHES: Final = 1_000_000
MAX_KEYS: Final = 3_000_000
MAX_CELLS: Final = 4_000_000
MAX_JSON5: Final = 8_000_000
MAX_TOML: Final = 3_000_000
MAX_COLUMNS: Final = 200
MAX_NOTES: Final = 20
_TOO_DEEP: Final = f"nested deeper than {MAX_DEPTH} levels"
_MAX_DIGITS: Final = 300
_HOLDERS: Final = frozenset({dict, list})

_RE: Final = Patterns("files_parsers")
_encode = msgspec.json.Encoder().encode
MAX_TAGS: Final = 1_000_000
KEPT: Final = frozenset({"monster"})
ROOTS: Final = ("compendium", "root", "module", "data", "campaign", "encounters", "content", "charsheet", "character")
MAX_YAML: Final = 4_000_000
MAX_NODES: Final = 150_000
_MAX_YAML_DIGITS: Final = 40
_TAG: Final = "tag:yaml.org,2002:"
_PLAIN_TAGS: Final = frozenset({None, "!", f"{_TAG}str", f"{_TAG}seq", f"{_TAG}map"})
_MERGE: Final = "<<"


class ParseError(ValueError):
    """The reason why a text can't be parsed."""


class YamlError(ParseError):
    """The reason why a text isn't YAML, which it may never have been meant to be."""


class ParsedText(NamedTuple):
    """The data of a text, and notes on its ignored parts.

    `duplicate_keys` are keys that occur twice in one table (the last value is used); `broken_lines` describes the
    invalid lines of a text with one record per line.
    """

    data: Any
    duplicate_keys: tuple[str, ...] = ()
    broken_lines: tuple[str, ...] = ()


def parse_json(text: str, plain: bytes = b"") -> ParsedText:
    """Return the data of JSON, JSON lines or JSON5; `plain` is the text in UTF-8, if available."""
    plain = plain or text.encode("utf-8", "surrogatepass")
    if len(text) > 2 * MAX_BRANCHES and text.count("[") + text.count("{") > MAX_BRANCHES:  # each takes two characters
        raise ParseError(f"more than {MAX_BRANCHES:,} lists and tables")
    if len(text) > 3 * MAX_KEYS:
        _limit(text.count('":'), MAX_KEYS, "values")
    try:
        data = msgspec.json.decode(plain)
    except RecursionError:
        raise ParseError(_TOO_DEEP) from None
    except (msgspec.DecodeError, ValueError) as error:
        if "out of range" in str(error) or "Exceeds the limit" in str(error):
            return _any_numbers(text)
        return _lines(text) or parse_json5(text)
    check_size(data)
    return ParsedText(data, _keys_twice(text) if _may_hold_twice(plain, data) else ())


def parse_json5(text: str) -> ParsedText:
    """Return the data of a JSON5 text: with comments, unquoted keys and trailing commas."""
    import pyjson5  # slow to import, and most files are plain JSON

    if len(text) > MAX_JSON5:
        raise ParseError(f"not valid JSON; JSON5 is read up to {MAX_JSON5 // 1_000_000} MB")

    try:
        data = pyjson5.decode(text, maxdepth=MAX_DEPTH)
    except pyjson5.Json5NestingTooDeep:
        raise ParseError(_TOO_DEEP) from None
    except pyjson5.Json5EOF as error:
        at, _ = _place(text, error)
        raise ParseError(f"unexpected end of file; the part that starts in line {at} is not closed") from None
    except pyjson5.Json5ExtraData as error:
        at, _ = _place(text, error, first=0)
        raise ParseError(f"line {at}: unexpected text after the end of the data") from None
    except (pyjson5.Json5Exception, ValueError) as error:
        at, unexpected = _place(text, error)
        expected = _RE.expected.match(str(error.args[0]) if error.args else "")
        words = f"expected {_named(expected[1])}" if expected else "not valid JSON"
        raise ParseError(f"line {at}: {words}{unexpected}") from None
    return ParsedText(check_size(data))


def parse_toml_text(text: str) -> ParsedText:
    """Return the data of a TOML text."""
    if len(text) > MAX_TOML:
        raise ParseError(f"{len(text) / 1e6:.0f} MB of TOML; the limit is {MAX_TOML // 1_000_000} MB")
    try:
        data = rtoml.loads(text)
    except ValueError as error:
        words = str(error)
        if "recursion" in words or "recurse" in words:
            raise ParseError(_TOO_DEEP) from None
        at = _RE.at_line.search(words)
        raise ParseError(f"line {at[1]}: {words[: at.start()]}" if at else words) from None
    return ParsedText(check_size(data))


def parse_csv(text: str) -> ParsedText | None:
    """Return the rows of a table with a heading line, or None if the text isn't one."""
    head = text.lstrip().partition("\n")[0].rstrip("\r")
    delimiter = next((mark for mark in (",", ";", "\t") if head.count(mark) >= 2), "")
    if not delimiter or ":" in head:
        return None
    _limit(head.count(delimiter) + 1, MAX_COLUMNS, "columns")
    _limit(text.count(delimiter), MAX_CELLS, "cells")
    try:
        reader = csv.DictReader(io.StringIO(text.lstrip()), delimiter=delimiter, restval="", skipinitialspace=True)
        rows = list(islice(reader, MAX_ITEMS + 1))
    except csv.Error as error:
        raise ParseError(f"not a valid table: {error}") from None
    _limit(len(rows), MAX_ITEMS, "rows")
    cells = [{str(key or "").strip(): value for key, value in row.items() if isinstance(value, str)} for row in rows]
    return ParsedText(cells)


def check_size(data: Any) -> Any:
    """Return the data. Raise ParseError if it is nested too deep or contains too long a list."""
    level = [data] if type(data) in _HOLDERS else []
    depth = 0
    while level:
        depth += 1
        if depth > MAX_DEPTH:
            raise ParseError(_TOO_DEEP)
        longest = max(map(len, level))
        if longest > MAX_ITEMS:
            raise ParseError(f"a list of {longest:,} items; the limit is {MAX_ITEMS:,}")
        values = chain.from_iterable([holder.values() if type(holder) is dict else holder for holder in level])
        level = [value for value in values if type(value) in _HOLDERS]
    return data


def line_of(text: str, at: int) -> int:
    """Return the number of the line that contains a character."""
    return text.count("\n", 0, max(at, 0)) + 1


def too_deep_error() -> ParseError:
    """Return the error for data that is nested too deep."""
    return ParseError(_TOO_DEEP)


def _limit(count: int, most: int, what: str) -> None:
    if count > most:
        raise ParseError(f"more than {most:,} {what}")


def _lines(text: str) -> ParsedText | None:
    """Parse a text with one JSON record per line, or return None for any other text. Broken lines are reported."""
    start = len(text) - len(text.lstrip())
    end = text.find("\n", start)
    first = (text[start:end] if end >= 0 else text[start:]).strip()
    if not first.endswith("}") or _decoded(first) is None:
        return None
    _limit(text.count("\n", start), MAX_ITEMS, "lines of records")
    lines = [(number, _decoded(line)) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    records = [record for _, record in lines if record is not None]
    broken = [f"line {number}: not valid JSON; ignored" for number, record in lines if record is None]
    if len(broken) >= len(records):
        return None
    return ParsedText(check_size(records), broken_lines=tuple(broken[:MAX_NOTES]))


def _decoded(line: str) -> Any:
    try:
        return msgspec.json.decode(line)
    except (msgspec.DecodeError, ValueError, RecursionError):
        return None


def _any_numbers(text: str) -> ParsedText:
    """Parse a JSON text that contains extremely large numbers, which become infinite."""
    try:
        data = json.loads(text, parse_int=lambda digits: (int if len(digits) <= _MAX_DIGITS else float)(digits))
    except RecursionError:
        raise ParseError(_TOO_DEEP) from None
    except ValueError:
        return parse_json5(text)
    return ParsedText(check_size(data))


def _may_hold_twice(text: bytes, data: Any) -> bool:
    """Whether a JSON text may contain duplicate keys, because it has more colons than the data parsed from it."""
    try:
        return text.count(b":") != _encode(data).count(b":")
    except (OverflowError, ValueError):  # some data can be decoded but not encoded
        return True


def _keys_twice(text: str) -> tuple[str, ...]:
    """Return the keys that occur more than once in the same table, without duplicates."""
    twice: dict[str, None] = {}

    def noted(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        table: dict[str, Any] = {}
        for key, value in pairs:
            if key in table:
                twice[key] = None
            table[key] = value
        return table

    json.loads(text, object_pairs_hook=noted)
    return tuple(islice(twice, MAX_NOTES))


def _place(text: str, error: Exception, first: int = 1) -> tuple[int, str]:
    """Return the line of a JSON5 error and the unexpected character. `first` is the index of the first character."""
    match = _RE.near.search(str(error.args[0])) if error.args else None
    if not match:
        return 1, ""
    letter = chr(int(match[2], 16)) if match[2] else ""
    return line_of(text, int(match[1]) - first), f", found {letter}" if letter.isprintable() and letter.strip() else ""


def _named(token: str) -> str:
    """Return the readable name of an expected token; a code point becomes its character."""
    if token.startswith("U+"):
        return chr(int(token[2:].partition(" ")[0], 16))
    names = {"comma": "a comma", "colon": "a colon", "JSON5Value": "a value", "IdentifierStart": "a key"}
    return names.get(token, token)


def parse_xml_text(text: str) -> ParsedText:
    """Return the data of an XML text: the name of its `root`, its `records`, and the number of `others` by name.

    An element becomes a mapping. Each child's name is a key with a list of texts or mappings, `@name` is an attribute,
    and `#text` is the element's own text.
    """
    from defusedxml.common import DefusedXmlException  # loaded only for XML files
    from defusedxml.ElementTree import iterparse

    _limit(text.count("<"), MAX_TAGS, "tags")
    root: Element | None = None
    records: list[dict[str, Any]] = []
    others: dict[str, int] = {}
    depth = 0
    try:
        events = iterparse(BytesIO(_without_encoding(text)), events=("start", "end"), forbid_dtd=True)
        for event, element in events:
            if event == "start":
                depth += 1
                if depth > MAX_DEPTH:
                    raise too_deep_error()
                root = element if root is None else root
                continue
            depth -= 1
            if depth != 1 or root is None:
                continue
            if element.tag in KEPT:
                records.append(_plain(element))
            else:
                others[str(element.tag)] = others.get(str(element.tag), 0) + 1
            _limit(len(records), MAX_ITEMS, "records")
            root.clear()
    except DefusedXmlException:
        raise ParseError("declares entities or a document type, which are not supported") from None
    except XmlError as error:
        line = getattr(error, "position", (1, 0))[0]
        raise ParseError(f"line {line}: not valid XML") from None
    if root is None:
        raise ParseError("empty file")
    return ParsedText({"root": str(root.tag), "records": records, "others": others})


def _without_encoding(text: str) -> bytes:
    """Return a decoded text as UTF-8 bytes, without the declaration that may name another encoding."""
    stripped = text.lstrip()
    if stripped.startswith("<?xml"):
        stripped = stripped.partition("?>")[2]
    return stripped.encode("utf-8", "replace")


def _plain(element: Element) -> dict[str, Any]:
    record: dict[str, Any] = {f"@{name}": value for name, value in element.attrib.items()}
    for child in element:
        has_more = len(child) or child.attrib
        record.setdefault(str(child.tag), []).append(_plain(child) if has_more else (child.text or ""))
    if element.text and element.text.strip():
        record["#text"] = element.text
    return record


def parse_yaml_text(text: str) -> ParsedText:
    """Return the data of a YAML text, or a list if it contains several documents."""
    import yaml  # slow to import; only needed for YAML

    if len(text) > MAX_YAML:
        raise ParseError(f"{len(text) / 1e6:.0f} MB of YAML; the limit is {MAX_YAML // 1_000_000} MB")
    builder = _Builder()
    parser = getattr(yaml, "CSafeLoader", yaml.SafeLoader)(text)
    try:
        builder.build(parser.get_event)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        where = f"line {mark.line + 1}: " if mark else ""
        raise YamlError(f"{where}{error.problem or error.context or 'not valid YAML'}") from None
    except ParseError:
        raise
    except (yaml.YAMLError, ValueError, OverflowError) as error:
        raise YamlError(f"not valid YAML: {error}") from None
    finally:
        parser.dispose()
    documents = builder.documents
    check_size(documents)
    return ParsedText(documents[0] if len(documents) == 1 else documents, tuple(builder.twice)[:MAX_NOTES])


class _Open(msgspec.Struct):
    """An incomplete list or table. `key` is waiting for its value; `merged` are the tables to merge into it."""

    data: list[Any] | dict[Any, Any]
    anchor: str | None
    before: int
    key: Any = None
    has_key: bool = False
    merged: list[Mapping[Any, Any]] = []


class _Builder(msgspec.Struct):
    """Builds the documents of a text from the parser's events. `twice` collects duplicate keys."""

    documents: list[Any] = []
    twice: dict[Any, None] = {}
    open: list[_Open] = []
    anchors: dict[str, Any] = {}
    weights: dict[str, int] = {}
    count: int = 0

    def build(self, next_event: Callable[[], Any]) -> None:
        """Build all documents."""
        import yaml  # slow to import; only needed for YAML

        scalar, starts_table, starts_list = yaml.ScalarEvent, yaml.MappingStartEvent, yaml.SequenceStartEvent
        ends, alias, starts_document = yaml.CollectionEndEvent, yaml.AliasEvent, yaml.DocumentStartEvent
        while (event := next_event()) is not None:
            kind = type(event)
            self.count += 1
            if kind is scalar:
                value = event.value
                if event.implicit[0]:
                    value = plain_scalar(value)
                elif event.tag not in _PLAIN_TAGS:
                    value = _tagged(event)
                if event.anchor:
                    self.anchors[event.anchor] = value
                self._add(value, event, is_merge=event.value == _MERGE and event.implicit[0])
            elif kind is starts_table or kind is starts_list:
                if event.tag not in _PLAIN_TAGS:
                    raise _tag_error(event)
                self.open.append(_Open({} if kind is starts_table else [], event.anchor, self.count - 1))
                if len(self.open) > MAX_DEPTH:
                    raise ParseError(f"line {event.start_mark.line + 1}: nested deeper than {MAX_DEPTH} levels")
            elif issubclass(kind, ends):
                self._close(event)
            elif kind is alias:
                self._refer(event)
            elif kind is starts_document:
                self.anchors.clear()
                self.weights.clear()
            if self.count > MAX_NODES:
                raise ParseError(
                    f"line {event.start_mark.line + 1}: more than {MAX_NODES:,} values, references included"
                )

    def _add(self, value: Any, event: Any, *, is_merge: bool = False) -> None:
        """Add a value to the innermost list or table, or as a document."""
        if not self.open:
            self.documents.append(value)
            return
        top = self.open[-1]
        data = top.data
        if type(data) is list:
            data.append(value)
        elif top.has_key:
            top.has_key = False
            if top.key is _MERGING:
                top.merged += _tables_in(value, event)
            else:
                data[top.key] = value
        else:
            top.has_key = True
            top.key = _MERGING if is_merge else value
            try:
                if not is_merge and value in data:
                    self.twice[value] = None
            except TypeError:
                raise ParseError(
                    f"line {event.start_mark.line + 1}: expected a text as key, found a list or a table"
                ) from None

    def _close(self, event: Any) -> None:
        top = self.open.pop()
        data = top.data
        if top.merged and type(data) is dict:
            own = dict(data)
            data.clear()
            for other in reversed(top.merged):
                data.update(other)
            data.update(own)
        if top.anchor:
            self.anchors[top.anchor] = data
            self.weights[top.anchor] = self.count - top.before + 1
        self._add(data, event)

    def _refer(self, event: Any) -> None:
        name = event.anchor
        where = f"line {event.start_mark.line + 1}"
        if any(holder.anchor == name for holder in self.open):
            raise ParseError(f"{where}: a reference to the value that contains it")
        if name not in self.anchors:
            raise ParseError(f"{where}: reference to {name!r}, which isn't defined before it")
        self.count += self.weights.get(name, 1)
        self._add(self.anchors[name], event)


_MERGING: Final = object()


def _tables_in(value: Any, event: Any) -> list[Mapping[Any, Any]]:
    """Return the tables that the key `<<` merges. If there are several, the first takes precedence."""
    tables = value if isinstance(value, list) else [value]
    if not all(isinstance(table, dict) for table in tables):
        raise ParseError(f"line {event.start_mark.line + 1}: expected a table after `<<`")
    return tables


def _tag_error(event: Any) -> ParseError:
    return ParseError(f"line {event.start_mark.line + 1}: unsupported tag {event.tag!r}")


def _tagged(event: Any) -> Any:
    """Return a scalar with a stated type: a number, a truth value, None, or a date as text."""
    kind = event.tag.removeprefix(_TAG)
    if kind == "timestamp":
        return event.value
    if kind not in ("int", "float", "bool", "null"):
        raise _tag_error(event)
    try:
        return _constructed(event.tag, event.value)
    except (ValueError, KeyError, IndexError):
        raise ParseError(f"line {event.start_mark.line + 1}: {event.value!r} is not a valid {kind}") from None


@lru_cache(maxsize=8_192)
def plain_scalar(text: str) -> Any:
    """Return the value of an unquoted scalar: None, a truth value, a number, or a text."""
    for tag, pattern in _resolvers().get(text[:1], ()):
        if pattern.match(text):
            return _constructed(tag, text)
    return text


def _constructed(tag: str, text: str) -> Any:
    import yaml  # slow to import; only needed for YAML

    kind = tag.removeprefix(_TAG)
    if kind not in ("int", "float", "bool", "null"):
        return text
    if kind in ("int", "float") and (":" in text or len(text) > _MAX_YAML_DIGITS):
        return text
    return getattr(_constructor(), f"construct_yaml_{kind}")(yaml.ScalarNode(tag, text))


@cache
def _constructor() -> Any:
    import yaml  # slow to import; only needed for YAML

    return yaml.constructor.SafeConstructor()


@cache
def _resolvers() -> Mapping[str, Any]:
    """Return the patterns of numbers and other values, keyed by the first character that they match."""
    import yaml  # slow to import; only needed for YAML

    return yaml.SafeLoader.yaml_implicit_resolvers
