"""YAML within bounds: texts nested too deep, with circular references, or that grow by references are refused unbuilt.

Scalars are read as their authors meant them and not as YAML 1.1 would: `1:30` and dates stay text, and so does a number
of more digits than any stat has.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from turnwright.storage.importers.text_parsers import MAX_DEPTH, MAX_NOTES, ParsedText, ParseError, check_size

MAX_YAML: Final = 4_000_000
MAX_NODES: Final = 150_000
_MAX_DIGITS: Final = 40
_TAG = "tag:yaml.org,2002:"


def parse_yaml_text(text: str) -> ParsedText:
    """Return the data of a YAML text: a list of its documents where there are several."""
    import yaml  # a heavy library, loaded with the first YAML text

    if len(text) > MAX_YAML:
        raise ParseError(f"holds {len(text) / 1e6:.0f} MB of YAML; at most {MAX_YAML // 1_000_000} MB are read")
    loader = _loader()
    twice: dict[str, None] = {}
    try:
        _check(yaml, text, loader)
        found = []
        reader = loader(text)
        reader.twice = twice
        try:
            while reader.check_data():
                found.append(reader.get_data())
        finally:
            reader.dispose()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        where = f"line {mark.line + 1}: " if mark else ""
        raise ParseError(f"{where}{error.problem or error.context or 'is no YAML'}") from None
    except ParseError:
        raise
    except (yaml.YAMLError, ValueError, OverflowError) as error:
        raise ParseError(f"is no YAML: {error}") from None
    check_size(found)
    return ParsedText(found[0] if len(found) == 1 else found, tuple(twice)[:MAX_NOTES])


@cache
def _loader() -> Any:
    """Return the class that builds the data of a YAML text; made when the first is read."""
    import yaml  # a heavy library, loaded with the first YAML text

    class Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]  # which one is there is known only here
        """Reads plain data. `twice` takes the keys that occur twice in one table."""

        twice: dict[str, None]

        def construct_mapping(self, node: Any, deep: bool = False) -> Any:
            seen: set[Any] = set()
            for key, _ in node.value:
                name = key.value if isinstance(key.value, str) else None
                if name is not None and name != "<<" and name in seen:
                    self.twice[name] = None
                seen.add(name)
            return super().construct_mapping(node, deep)

        def whole(self, node: Any) -> Any:
            text = self.construct_scalar(node)
            return text if ":" in text or len(text) > _MAX_DIGITS else self.construct_yaml_int(node)

        def fraction(self, node: Any) -> Any:
            text = self.construct_scalar(node)
            return text if ":" in text or len(text) > _MAX_DIGITS else self.construct_yaml_float(node)

    Loader.add_constructor(f"{_TAG}int", Loader.whole)
    Loader.add_constructor(f"{_TAG}float", Loader.fraction)
    Loader.add_constructor(f"{_TAG}timestamp", Loader.construct_scalar)
    return Loader


def _check(yaml: Any, text: str, loader: Any) -> None:
    """Refuse texts nested too deep, before anything is built, and references that would grow when followed."""
    depth = count = 0
    weights: dict[str, int] = {}
    open_ones: list[tuple[str, int]] = []
    for event in yaml.parse(text, loader):
        if isinstance(event, yaml.AliasEvent):
            if any(anchor == event.anchor for anchor, _ in open_ones):
                raise ParseError(f"line {event.start_mark.line + 1}: refers to what it stands in")
            count += weights.get(event.anchor, 1)
        elif isinstance(event, yaml.CollectionStartEvent):
            depth += 1
            open_ones.append((event.anchor or "", count))
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
            anchor, before = open_ones.pop()
            if anchor:
                weights[anchor] = count - before + 1
        count += 1
        if depth > MAX_DEPTH:
            raise ParseError(f"line {event.start_mark.line + 1}: is nested deeper than {MAX_DEPTH} levels")
        if count > MAX_NODES:
            raise ParseError(
                f"line {event.start_mark.line + 1}: holds more than {MAX_NODES:,} values, references followed"
            )
