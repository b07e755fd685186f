"""The vocabulary of the importers: its values can't change, and every list and table in the file is used."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

import turnwright
from turnwright.encounter.prepared import Feature
from turnwright.importers.vocabulary import Patterns, pattern, terms
from turnwright.storage.resources import read_text

USED = re.compile(r'\b(terms|pattern)(?:_text)?\("(\w+)", "(\w+)"\)')
OF_SECTION = re.compile(r'^_RE: Final = (?:vocabulary\.)?Patterns\(\s*"(\w+)"(.*?)\)$', re.MULTILINE | re.DOTALL)


def test_lists_are_tuples_at_any_depth() -> None:
    assert terms("pf2e", "damage")[:2] == ("acid", "bludgeoning")
    assert terms("tetra_cube", "armour")["plate"] == ("heavy", 18)
    with pytest.raises(KeyError):
        terms("pf2e", "no such list")


def test_a_text_is_the_same_object_as_the_default_of_a_field() -> None:
    assert terms("roll20", "sections")["npctrait"] is Feature("x", "X").cost


def test_a_pattern_contains_the_patterns_that_it_names() -> None:
    assert pattern("prose_numbers", "half").flags & re.IGNORECASE
    assert "(?P<list>(?:(?:a single|a|an|one|" in pattern("prose_steps", "attacks").pattern
    found = Patterns("pf2e_strikes", names="fire|cold")
    assert found.persistent.pattern == r"(?i)persistent (?P<type>fire|cold)\b"
    assert found.persistent is found.persistent


def test_all_of_the_file_is_used_and_all_that_is_used_is_in_the_file() -> None:
    used, given = set(), set()
    for path in Path(turnwright.__file__).parent.rglob("*.py"):
        source = path.read_text(encoding="utf-8")
        used |= set(USED.findall(source))
        for section, parts in OF_SECTION.findall(source):
            used |= {("pattern", section, name) for name in re.findall(r"\b_RE\.(\w+)", source)}
            given |= {("pattern", section, name) for name in re.findall(r"\b(\w+)=", parts)}
    sections = tomllib.loads(read_text("importers.toml"))
    held = {("terms", section, name) for section, names in sections.items() for name in names if name != "patterns"}
    held |= {("pattern", section, name) for section, names in sections.items() for name in names.get("patterns", ())}
    used |= {("pattern", "prose_damage", name) for name in sections["prose_damage"]["clauses"]}
    for _, section, name in [one for one in held if one[0] == "pattern"]:
        parts = re.findall(r"\{([a-z]\w*)\}", "".join(sections[section]["patterns"][name]))
        used |= {("pattern", section, part) for part in parts}
    assert used - given == held
