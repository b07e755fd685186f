"""Parses YAML within limits. Deep nesting, circular references and excessive expansion of references are refused.

The data is built in one pass from the parser's events (libyaml's if PyYAML has it), because PyYAML's own builder takes
three times as long. Scalars are read as their authors meant them, not according to YAML 1.1: `1:30` and dates remain
text, and so does a number with more digits than any stat has.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from typing import Any, Final

from turnwright.importers.files.text_parsers import MAX_DEPTH, MAX_NOTES, ParsedText, ParseError, check_size

MAX_YAML: Final = 4_000_000
MAX_NODES: Final = 150_000
_MAX_DIGITS: Final = 40
_TAG: Final = "tag:yaml.org,2002:"
_PLAIN_TAGS: Final = frozenset({None, "!", f"{_TAG}str", f"{_TAG}seq", f"{_TAG}map"})
_MERGE: Final = "<<"


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
        raise ParseError(f"{where}{error.problem or error.context or 'not valid YAML'}") from None
    except ParseError:
        raise
    except (yaml.YAMLError, ValueError, OverflowError) as error:
        raise ParseError(f"not valid YAML: {error}") from None
    finally:
        parser.dispose()
    documents = builder.documents
    check_size(documents)
    return ParsedText(documents[0] if len(documents) == 1 else documents, tuple(builder.twice)[:MAX_NOTES])


class _Open:
    """An incomplete list or table. `key` is waiting for its value; `merged` are the tables to merge into it."""

    __slots__ = ("anchor", "before", "data", "has_key", "key", "merged")

    def __init__(self, data: list[Any] | dict[Any, Any], anchor: str | None, before: int) -> None:
        self.data = data
        self.anchor = anchor
        self.before = before
        self.key: Any = None
        self.has_key = False
        self.merged: list[Mapping[Any, Any]] = []


class _Builder:
    """Builds the documents of a text from the parser's events. `twice` collects duplicate keys."""

    __slots__ = ("anchors", "count", "documents", "open", "twice", "weights")

    def __init__(self) -> None:
        self.documents: list[Any] = []
        self.twice: dict[Any, None] = {}
        self.open: list[_Open] = []
        self.anchors: dict[str, Any] = {}
        self.weights: dict[str, int] = {}
        self.count = 0

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
    if kind in ("int", "float") and (":" in text or len(text) > _MAX_DIGITS):
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
