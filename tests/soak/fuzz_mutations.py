"""Damage to files: to their bytes, to their text, and to the structure of the data in them."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from random import Random
from typing import Any, Final
from xml.etree import ElementTree as ET

import yaml

from turnwright.storage.toml.parser import parse_tables
from turnwright.storage.toml.record_tree import dump

ODD: Final[tuple[Any, ...]] = (
    None, True, False, 0, -1, 1, 2**31, -(2**63), 2**63, 10**30, 1e308, -1e-308, 0.1, float("inf"), float("nan"), "", " ", "\n", "\0", "-",
    "1d", "2d6+", "99999d99999", "1" * 400, "1e999", "½", "٣", "²", "+5 to hit", "5 (1d10) fire", "DC 10", "/", "\u202e", "\ud800", "[", "{{", "{@dc", "@UUID[",
    "<p>", "&#0;", "&#x110000;", "```", "---", "null", "NaN", "x" * 5_000, "(" * 500, "\t" * 300, [], {}, [[]], [None], {"": None}, [{}] * 40, ["a"] * 40,
    {"value": []}, {"value": "x"}, {"name": 3}, {"a": {"a": {"a": {}}}},
)  # fmt: skip
TOKENS: Final = (
    b"\0", b"\r", b"\n", b"\t", b'"', b"'", b"\\", b"[", b"]", b"{", b"}", b"<", b">", b"&", b"#", b"=", b":", b",", b"-", b"--", b"---\n", b"```\n", b"&a ", b"*a ",
    b"!!python/object:os.system", b"<!ENTITY a \"b\">", b"<!DOCTYPE a>", b"\xff", b"\xef\xbb\xbf", b"\xff\xfe", b"\\u0000", b"\\ud800", b"1e999", b"9" * 400, b"0x", b"1_0",
    b"nan", b"2020-01-01", b"07:32", b'"""', b"'''", b"[[", b"]]", b"%", b"~", b"|", b"  ", b"\xe2\x80\xae", b"(" * 60, b"[" * 200, b"1d6", b"DC ", b"true", b"null",
)  # fmt: skip
PLAIN: Final = (dict, list, str, int, float, bool, type(None))


def damaged_bytes(data: bytes, random: Random) -> bytes:
    """Return a file with one to eight pieces of it changed, cut, doubled or put elsewhere."""
    for _ in range(random.choice((1, 1, 2, 3, 8))):
        at = random.randrange(len(data) + 1)
        end = min(len(data), at + random.choice((1, 1, 2, 5, 20, 100, 2_000)))
        kind = random.randrange(7)
        if kind == 0:
            data = data[:at] + bytes(random.randrange(256) for _ in range(end - at)) + data[end:]
        elif kind == 1:
            data = data[:at] + data[end:]
        elif kind == 2:
            data = data[:at] + data[at:end] * random.choice((2, 2, 3, 30)) + data[end:]
        elif kind == 3:
            data = data[:at] + random.choice(TOKENS) + data[at:]
        elif kind == 4:
            data = data[:at] + random.choice(TOKENS) + data[end:]
        elif kind == 5 and random.random() < 0.3:
            data = data[:at]
        else:
            there = random.randrange(len(data) + 1)
            data = data[:there] + data[at:end] + data[there:]
    return data


def damaged_tree(tree: Any, random: Random) -> Any:
    """Return plain data with one to six of its values, keys and items changed."""
    tree = copy.deepcopy(tree)
    for _ in range(random.choice((1, 1, 1, 2, 6))):
        places = _places(tree)
        if not places:
            return random.choice(ODD)
        parent, key = random.choice(places)
        _damage(parent, key, random, places)
    return tree


def _places(tree: Any) -> list[tuple[Any, Any]]:
    """Return every place of a tree: a mapping and a key, or a list and an index."""
    places: list[tuple[Any, Any]] = []
    left = [tree]
    while left:
        node = left.pop()
        inner = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
        for key, value in inner:
            places.append((node, key))
            left.append(value)
    return places


def _damage(parent: Any, key: Any, random: Random, places: list[tuple[Any, Any]]) -> None:
    value, kind = parent[key], random.randrange(10)
    if kind <= 3:
        parent[key] = copy.deepcopy(random.choice(ODD))
    elif kind == 4:
        del parent[key]
    elif kind == 5:
        other, name = random.choice(places)
        parent[key] = copy.deepcopy(other[name]) if _has(other, name) else None
    elif kind == 6:
        parent[key] = random.choice(
            (lambda: [value], lambda: {"value": value}, lambda: str(value), lambda: [value] * 3)
        )()
    elif kind == 7 and isinstance(parent, dict):
        parent[
            random.choice(("", "x", str(key).upper(), f"{key}2", "__proto__", "\u202e", "a.b", "id", "name", "kind"))
        ] = parent.pop(key)
    elif kind == 8 and isinstance(value, str):
        parent[key] = damaged_bytes(value.encode("utf-8", "surrogatepass"), random).decode("utf-8", "replace")
    elif isinstance(value, int | float) and not isinstance(value, bool):
        parent[key] = random.choice((lambda: -value, lambda: value * 10**6, lambda: str(value), lambda: value + 0.5))()
    else:
        deep: Any = value
        for _ in range(random.choice((3, 40, 400))):
            deep = [deep] if random.random() < 0.5 else {"x": deep}
        parent[key] = deep


def _has(node: Any, key: Any) -> bool:
    return key in node if isinstance(node, dict) else key < len(node)


def damaged(data: bytes, random: Random) -> bytes:
    """Return a damaged file; of data of a known kind, half of the time the structure is damaged."""
    kind = _kind_of(data) if random.random() < 0.6 else None
    if kind is not None:
        try:
            return kind(data, random)
        except (ValueError, RecursionError, TypeError, OverflowError, yaml.YAMLError, ET.ParseError):
            pass  # what can't be written this way
    return damaged_bytes(data, random)


def _kind_of(data: bytes) -> Callable[[bytes, Random], bytes] | None:
    start = data.lstrip()[:1]
    if start in b"{[" and start:
        return _json if b'"' in data[:200] else _toml
    if start == b"<":
        return _xml
    if b" = " in data[:400]:
        return _toml
    return _yaml if b": " in data[:400] and b"```" not in data else None


def _json(data: bytes, random: Random) -> bytes:
    return json.dumps(damaged_tree(json.loads(data), random)).encode()


def _toml(data: bytes, random: Random) -> bytes:
    tree = damaged_tree(parse_tables(data.decode()), random)
    return dump(_told(tree)).encode("utf-8", "surrogatepass")


def _told(value: Any) -> Any:
    """Return plain data as TOML has it: without nothing."""
    if isinstance(value, dict):
        return {str(key): _told(inner) for key, inner in value.items() if inner is not None}
    return [_told(inner) for inner in value if inner is not None] if isinstance(value, list) else value


def _yaml(data: bytes, random: Random) -> bytes:
    tree = yaml.load(data, getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    return yaml.safe_dump(damaged_tree(tree, random), allow_unicode=True).encode("utf-8", "surrogatepass")


def _xml(data: bytes, random: Random) -> bytes:
    root = ET.fromstring(data)
    for _ in range(random.choice((1, 1, 3))):
        nodes = list(root.iter())
        node, kind = random.choice(nodes), random.randrange(6)
        if kind == 0:
            node.text = str(random.choice(ODD)).replace("\0", "")
        elif kind == 1:
            node.tag = random.choice(nodes).tag
        elif kind == 2:
            node.append(copy.deepcopy(random.choice(nodes)))
        elif kind == 3 and len(node):
            node.remove(random.choice(list(node)))
        elif kind == 4:
            node.attrib[random.choice(("category", "name", "x"))] = str(random.choice(ODD)).replace("\0", "")
        elif node.text:
            node.text = damaged_bytes(node.text.encode(), random).decode("utf-8", "replace")
    return ET.tostring(root)
