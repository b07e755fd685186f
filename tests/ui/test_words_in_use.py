"""Every key of play, rules and the window has words: prompts, asks, options, refusals, reasons, journal lines."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import rtoml

from turnwright.bootstrap import RuleSystems
from turnwright.rules.parts.conditions.predicates import PAIR_PREDICATES
from turnwright.storage.resources import resource_path
from turnwright.storage.word_catalogue import WordCatalogue

KEY = re.compile(r"(?:prompt|ask|option|journal|step|refused|why|fact)\.[a-z][a-z0-9_.-]*")
UI_KEY = re.compile(r"ui\.[a-z_-]+\.[a-z0-9_.-]+")


@pytest.fixture(scope="module")
def words() -> WordCatalogue:
    return WordCatalogue.load()


def constants(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield every whole text constant in a folder's modules with the module's name; pieces of f-strings left out."""
    for path in sorted(folder.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        pieces = {id(value) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for value in node.values}
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in pieces:
                yield path.name, node.value


def package(repository: Path, *names: str) -> list[Path]:
    return [repository / "desktop" / "turnwright" / name for name in names]


def test_every_key_of_play_and_rules_has_words(words: WordCatalogue, repository: Path) -> None:
    found = {
        (text, name)
        for folder in package(repository, "play", "rules")
        for name, text in constants(folder)
        if KEY.fullmatch(text) and not text.endswith((".", "_", "-"))
    }
    assert len(found) > 300
    assert sorted((text, name) for text, name in found if text not in words) == []


def test_every_key_of_the_window_has_words(words: WordCatalogue, repository: Path) -> None:
    found = {
        (text, name)
        for folder in package(repository, "ui")
        for name, text in constants(folder)
        if UI_KEY.fullmatch(text) and not text.endswith((".", "_", "-"))
    }
    assert sorted((text, name) for text, name in found if text not in words) == []


def test_every_key_in_the_systems_data_has_words(words: WordCatalogue) -> None:
    found = {
        (value, path.name)
        for path in sorted(resource_path("systems").rglob("*.toml"))
        for value in texts_in(rtoml.loads(path.read_text(encoding="utf-8")))
        if KEY.fullmatch(value)
    }
    assert found
    assert sorted((text, name) for text, name in found if text not in words) == []


def texts_in(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from texts_in(each)
    elif isinstance(value, list):
        for each in value:
            yield from texts_in(each)


def test_what_an_action_asks_has_words_made_from_its_data(words: WordCatalogue) -> None:
    rules = RuleSystems().get("a5e")
    for option in rules.data.actions:
        if "choice" in option.asks and option.choices:
            assert f"ask.how_{option.id}" in words, option.id
        for cost in option.payable:
            known = cost in rules.resources or cost in ("attack", "free")
            assert known or f"option.cost_{cost}" in words, (option.id, cost)
    for word in ("slots", "uses", "recharge"):
        assert f"refused.no_{word}" in words


def test_every_fact_that_may_be_asked_of_an_attack_has_words(words: WordCatalogue) -> None:
    asked = {"sees", "flanks", "within", "higher", "lower", "reaches", "hidden-from"}
    assert asked <= set(PAIR_PREDICATES)
    for fact in asked:
        assert f"fact.{fact}" in words
        assert f"fact.target-{fact}" in words


def test_no_text_names_a_parameter_twice_by_different_braces(words: WordCatalogue) -> None:
    for key in words:
        text = words(key)
        assert text.count("{") == text.count("}"), key
