"""One law says which files are valid: TOML 1.0 as `tomllib` reads it, whichever parser is faster."""

import random
import tomllib
from pathlib import Path

import pytest

from tests.effort import steps
from tests.for_each import for_each
from turnwright.storage.encounters import parse_encounter
from turnwright.storage.library.entries import read_library_file
from turnwright.storage.toml.parser import parse_tables

ONLY_IN_1_1 = [
    "a = { b = 1,\n c = 2 }",
    "a = { b = 1, }",
    'a = { b = "x",\t}',
    "a = {\n}",
    "a = { # why\n}",
    "a = { b = { c = 1 }\n}",
    "a = { b = { c = 1, }, d = 2 }",
    'a = { b = "}"\n}',
    "a = { b = '}' # }\n}",
    "a = [1, { b = 2,\n c = 3 }]",
    'a = ["""\n""", { b = 1\n }]',
    "a = ['''\n{ ''', { b = 1, }]",
    'a = { b = """ " } """,\n c = 1 }',
    "a = { b = ''' ' } ''',\n c = 1 }",
    'a = "\\e[0m"',
    'a = """\n\\x41"""',
    "a = 07:32",
    "a = [ # at\n07:32 ]",
    "a = 1979-05-27T07:32",
    "a = 1979-05-27 07:32Z",
    "a = 1979-05-27 07:32-07:00",
]
BEYOND_BOTH = ["\ufeffa = 1", "a = 1\r\r\n", 'a = """\r\r\n"""', "a = 1 # x\rb = 2", 'a = "\x7f"', "é = 1"]
SOUND = [
    'a = { b = "{", c = "}" } # don\'t',
    "a = { b = [\n 1,\n 2, ] }",
    "a = { b.c = 1, b.d = { e = '' } }",
    'a = """ { """',
    "# { 12:30",
    'a = "at 12:30"',
    "a = 07:32:00.5",
    "a = 1979-05-27T07:32:00-07:00",
    'a = "C:\\\\exe"',
    "a = 99999999999999999999",
    "a = 1e400",
    "a = " + "[" * 100 + "]" * 100,
    'a = """\r\n b\r\n"""\r\n',
]
KEYS = ["a", "b", "c.d", '"e f"', "'g'", "h . i", "3", "''", "é"]
SCALARS = [
    *("1", "0x1F", "1_0", "-0.5", "1e3", "true", "inf", "nan", "99999999999999999999", "01", "1__0"),
    *("1979-05-27", "1979-05-27 07:32:00Z", "07:32:15", "07:32", "1979-05-27T07:32"),
    *('""', '"x # y"', '"{"', '"}"', "'}'", "'\"'", '"\\e"', '"\\x41"', '"\\\\e"', '"\\u00e9"', '"say \\"hi\\""'),
    *('"""\n{ x\n"""', '""" " } """', "''' ' } '''", "'''\n}'''", '"""x""""', '"12:30"', '"""a\\\n  b"""'),
]
GAPS = ["", " ", "  ", "\t", "\n", " # } {\n", " # don't\n", ' # "\n', "\r\n"]
NOISE = ["{", "}", ",", '"', "'", '"""', "\\", "\r", "\n", "#", "[", "]", "=", "\ufeff", ":30", "\\e"]


def value(draw: random.Random, depth: int = 0) -> str:
    kind = draw.random()
    if depth > 3 or kind < 0.5:
        return draw.choice(SCALARS)
    gap = lambda: draw.choice(GAPS) if draw.random() < 0.15 else draw.choice(GAPS[:3])  # noqa: E731
    comma = "," if draw.random() < 0.08 else ""
    if kind < 0.75:
        parts = [f"{gap()}{value(draw, depth + 1)}{gap()}" for _ in range(draw.randrange(4))]
        return f"[{','.join(parts)}{comma}{gap()}]"
    pairs = [f"{gap()}{name} = {value(draw, depth + 1)}{gap()}" for name in draw.sample(KEYS[:8], draw.randrange(4))]
    return f"{{{','.join(pairs)}{comma}{gap()}}}"


def odd_file(seed: int) -> str:
    """A text that is nearly TOML: some of it is 1.0, some 1.1, some neither."""
    draw = random.Random(seed)
    lines = []
    for _ in range(draw.randrange(1, 7)):
        kind = draw.random()
        name = draw.choice(KEYS)
        if kind < 0.12:
            lines.append(draw.choice(["# 'a' { 12:30", "", f"[{name}]", f"[[{name}]]", f"[ {name} ] # x"]))
        else:
            lines.append(f"{name} = {value(draw)}")
    text = draw.choice(["\n", "\n", "\n", "\r\n"]).join(lines)
    if draw.random() < 0.2:
        at = draw.randrange(len(text) + 1)
        text = text[:at] + draw.choice(NOISE) + text[at:]
    return text


def read(parse, text):
    """What a parser makes of a text: values in their order and kind, None where it refuses it."""
    try:
        return repr(comparable(parse(text)))
    except ValueError:
        return None


def comparable(found):
    """Values as they are told apart: moments of time by what they are, not by the class of their zone."""
    if isinstance(found, dict):
        return {name: comparable(inner) for name, inner in found.items()}
    if isinstance(found, list):
        return [comparable(inner) for inner in found]
    return (type(found), found.isoformat()) if hasattr(found, "isoformat") else found


@for_each("text", [*ONLY_IN_1_1, *BEYOND_BOTH, *SOUND])
def test_a_picked_construct_is_taken_or_refused_as_tomllib_does(text):
    assert read(parse_tables, text) == read(tomllib.loads, text)


def test_generated_files_are_taken_or_refused_as_tomllib_does():
    taken = 0
    for seed in range(2000):
        text = odd_file(seed)
        wanted = read(tomllib.loads, text)
        assert read(parse_tables, text) == wanted, text
        taken += wanted is not None
    assert 400 < taken < 1600


@pytest.mark.skipif(read(tomllib.loads, ONLY_IN_1_1[0]) is not None, reason="this Python's tomllib reads TOML 1.1")
@pytest.mark.parametrize("text", ONLY_IN_1_1)
def test_what_saving_would_refuse_does_not_open(text, tmp_path):
    head = 'format = 3\nsystem = "a5e"\n'
    loaded = parse_encounter((head + text).encode(), Path("x.toml"), {"a5e"})
    assert loaded.encounter is None
    assert loaded.findings[0].line >= 3
    path = tmp_path / "x.toml"
    path.write_bytes((head + 'kind = "creature"\nid = "a"\nname = "A"\n' + text).encode())
    record, findings = read_library_file(path)
    assert record is None
    assert findings[0].severity == "error"


def test_many_small_tables_on_one_line_are_looked_at_once():
    text = "a = [" + "{ b = {} }, " * 2000 + "]"
    assert parse_tables(text) == tomllib.loads(text)
    assert steps(lambda: parse_tables(text)) < 100
