"""Grammars compiled from templates: all that ship, and what each part of a template reads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Literal

import msgspec
import pytest

from tests.for_each import for_each
from turnwright.cli.script.grammar import Constant, Group, Line, Node, Value, compile_templates
from turnwright.cli.script.lexer import ScriptError, WordReader, split_words
from turnwright.cli.script.parser import templates
from turnwright.cli.script.resolve import NameResolver
from turnwright.cli.script.values import LISTS, PHRASES, WORDS
from turnwright.encounter.field_specs import Positive, specs_of
from turnwright.encounter.state import Encounter


class Brew(msgspec.Struct, frozen=True):
    """A record of a made-up statement."""

    herbs: tuple[str, ...] = ()
    minutes: Positive = 1
    heat: Literal["", "low", "high"] = ""
    stirred: bool = False
    cold: bool = False
    note: str = ""


def values_in(nodes: Sequence[Node]) -> Iterator[Value]:
    for node in nodes:
        if isinstance(node, Value):
            yield node
        elif isinstance(node, Group):
            for branch in node.branches:
                yield from values_in(branch)


def fields_in(nodes: Sequence[Node]) -> set[str]:
    """The fields that every reading of a sequence sets."""
    found: set[str] = set()
    for node in nodes:
        if isinstance(node, Value):
            found |= set(node.fields)
        elif isinstance(node, Constant):
            found.add(node.field)
        elif isinstance(node, Group) and not node.optional:
            found |= set.intersection(*(fields_in(branch) for branch in node.branches))
    return found


def test_every_template_reads_known_kinds_and_sets_what_its_record_needs():
    for template in templates():
        assert {value.kind for value in values_in(template.nodes)} <= {*WORDS, *LISTS, *PHRASES}, template.verb
        needed = {spec.name for spec in specs_of(template.record) if spec.required}
        assert needed <= fields_in(template.nodes), template.verb


def test_no_two_templates_begin_alike():
    assert [verb for verb, count in Counter(one.verb for one in templates()).items() if count > 1] == []


def brewed(script: str, line: str) -> Brew:
    (template,) = compile_templates(Brew, script)
    words = split_words(line)[len(template.verb) :]
    return Line(template, WordReader(words), NameResolver(Encounter(), None), frozenset()).record()  # type: ignore[arg-type] # no names


FULL = "brew {herbs} {minutes} ({heat} | raw) [stirred] [chilled {cold=true}] [with {note} | {note}]"


@pytest.mark.parametrize(
    ("script", "line", "brew"),
    [
        (FULL, "brew mint sage 3 low", Brew(("mint", "sage"), 3, "low")),
        (FULL, "brew mint 3 raw chilled stirred", Brew(("mint",), 3, stirred=True, cold=True)),
        (FULL, 'brew mint 3 raw "a cup"', Brew(("mint",), 3, note="a cup")),
        (FULL, 'brew "with" 3 raw with care stirred', Brew(("with",), 3, note="care", stirred=True)),
        ("brew {note:rest}", "brew with a # spoon", Brew(note="with a")),
        ("brew [slowly {minutes=60}] {herbs}", "brew slowly mint", Brew(("mint",), 60)),
        ("brew {herbs} {note:word}", "brew mint sage cup", Brew(("mint", "sage"), note="cup")),
    ],
)
def test_a_template_reads_a_line(script, line, brew):
    assert brewed(script, line) == brew


@for_each(
    ("script", "line", "said"),
    [
        (FULL, "brew 3 raw", "brew: expected herbs, for example `brew herbs 3 raw`"),
        (FULL, "brew mint raw", "brew: expected minutes, for example `brew mint minutes raw`"),
        (FULL, "brew mint 3", "brew: expected 'low', 'high' or 'raw', for example `brew mint 3 low`"),
        (FULL, "brew mint 0 raw", "the minutes must be at least 1"),
        (FULL, "brew mint 3 hihg", "unexpected 'hihg' (did you mean 'high'?)"),
        (FULL, "brew mint 3 raw strired", "unexpected 'strired' (did you mean 'stirred'?)"),
        (FULL, "brew mint 3 raw stirred stirred", "unexpected 'stirred'"),
        (FULL, "brew mint 3 raw spoon", "unexpected 'spoon'"),
        ("brew [stirred] [cold]+", "brew", "brew: expected 'stirred' or 'cold', for example `brew stirred`"),
        ("brew {note:rest}", "brew", 'brew: expected a note, for example `brew "under the table"`'),
    ],
)
def test_a_line_that_does_not_fit_is_told_what_it_lacks(script, line, said):
    with pytest.raises(ScriptError) as raised:
        brewed(script, line)
    assert str(raised.value).startswith(said)
