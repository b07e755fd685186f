"""Statements with missing words: the message names each argument in words, with an example."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from tests.cli.script.test_mistakes import FIGHT
from tests.cli.script.test_templates import values_in
from turnwright.bootstrap import RuleSystems
from turnwright.cli.script.arguments import BY_FIELD, BY_KIND, BY_STATEMENT
from turnwright.cli.script.grammar import UNTYPED, Template, examples
from turnwright.cli.script.lexer import ScriptError, split_words
from turnwright.cli.script.parser import parse, templates
from turnwright.cli.script.resolve import NameResolver
from turnwright.play.session import Session
from turnwright.storage.encounters import parse_encounter

MISSING = re.compile(r"(?P<statement>[a-z -]+): expected (?P<names>.+), for example `(?P<line>.+)`")


@pytest.fixture(scope="module")
def message(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], str]:
    """Return the error of a line in a started fight, or an empty string."""
    systems = RuleSystems()
    loaded = parse_encounter(FIGHT.encode(), tmp_path_factory.mktemp("fight") / "x.toml", systems.ids)
    assert loaded.encounter is not None
    session = Session(loaded.encounter, systems.get("a5e"))

    def message(line: str) -> str:
        try:
            statement = parse(split_words(line), NameResolver(session.encounter, session.rules)).statement
        except ScriptError as error:
            return str(error)
        if line == "start":
            session.do(statement)
        return ""

    assert message("start") == ""
    return message


def test_every_argument_has_a_name_and_an_example() -> None:
    for statement, value in ((" ".join(each.verb), value) for each in templates() for value in values_in(each.nodes)):
        listed = (
            f"{statement}.{value.fields[0]}" in BY_STATEMENT or value.kind in BY_KIND or value.fields[0] in BY_FIELD
        )
        assert listed or value.kind in UNTYPED, (statement, value.label)
        argument = value.argument(statement)
        assert argument.name[0].islower() or argument.name.startswith("DC"), (statement, argument)
        assert split_words(argument.example), (statement, argument)


def test_missing_words_are_named_with_an_example_of_the_line(message) -> None:
    """Each beginning of a statement's shortest form is complete, or its error shows the form with the next word."""
    for template in templates():
        check_missing_words(template, message)


def check_missing_words(template: Template, message: Callable[[str], str]) -> None:
    verb = " ".join(template.verb)
    words = [word.typed for word in split_words(" ".join([verb, *examples(template.nodes, verb)]))]
    fields = {field for value in values_in(template.nodes) for field in value.fields if "_" in field}
    for count in range(len(template.verb), len(words)):
        error = message(" ".join(words[:count]))
        assert "missing" not in error
        found = MISSING.fullmatch(error)
        if count == len(template.verb):
            assert found is not None, (verb, error)
        if found is not None:
            assert found["statement"] == verb
            assert found["line"].startswith(f"{verb} ")
            assert MISSING.fullmatch(message(found["line"])) is None
            assert fields.isdisjoint(found["names"].split())


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ("wall 1,1", "wall: expected a second corner, for example `wall 1,1 1,5`"),
        ("answer 5", "answer: expected a question and its answer, for example `answer mira 17`"),
        ("add-area", "add-area: expected 'called', for example `add-area called Fog`"),
        ("add-area called", "add-area: expected a name for the area, for example `add-area called Fog`"),
        ("stop", "stop: expected a countdown, for example `stop ice`"),
        ("heal 3", "heal: expected one or more combatants, for example `heal mira 3`"),
        ("condition mira prone until", "condition: expected 'never', 'turn-start', "),
        ("condition mira prone until turn-end of", "condition: expected a combatant, for example "),
        (
            "condition mira prone until turn-end skipping",
            "condition: expected a number of moments to skip, for example ",
        ),
        (
            "condition mira raiders-1 prone until turn-end",
            "condition: expected 'of' and a combatant, because there are",
        ),
        (
            'damage "Raider 1" 3 from',
            'damage: expected a source, for example `damage "Raider 1" 3 from "falling rocks"`',
        ),
        ("hp mira temp", "hp: expected a number of temporary hit points, for example `hp mira temp 5`"),
        ("group check mira", "group check: expected one or more combatants and an ability check, for example "),
        ("direct mira raiders-1", "direct: expected 'to', for example `direct mira raiders-1 to dodge`"),
    ],
)
def test_the_example_completes_the_line(message, line: str, error: str) -> None:
    assert message(line).startswith(error)


def test_a_value_out_of_bounds_is_named_in_words(message) -> None:
    assert message("forecast 65 percent rounds many") == "number of rounds: expected a whole number, found 'many'"
    assert message("undo 0") == "the number of steps must be at least 1, not 0"
