"""Every key of play, rules and the window has words: prompts, asks, options, refusals, reasons, journal lines."""

import ast
import re
from collections.abc import Iterator

import pytest
import rtoml

from tests.syntax import sources
from turnwright.bootstrap import RuleSystems
from turnwright.rules.parts.conditions.predicates import PAIR_PREDICATES
from turnwright.storage.resources import resource_path
from turnwright.storage.word_catalogue import WordCatalogue

KEY = re.compile(r"(?:prompt|ask|option|journal|step|refused|why|fact)\.[a-z][a-z0-9_.-]*")
UI_KEY = re.compile(r"ui\.[a-z_-]+\.[a-z0-9_.-]+")


@pytest.fixture(scope="module")
def words() -> WordCatalogue:
    return WordCatalogue.load()


def constants(room: str) -> Iterator[tuple[str, str]]:
    """Yield every whole text constant in a room's modules with the module's name; pieces of f-strings left out."""
    for name, text in sources():
        if not name.startswith(f"{room}/"):
            continue
        nodes = [*ast.walk(ast.parse(text))]
        pieces = {id(value) for node in nodes if isinstance(node, ast.JoinedStr) for value in node.values}
        for node in nodes:
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in pieces:
                yield name, node.value


def test_every_key_of_play_and_rules_has_words(words: WordCatalogue) -> None:
    found = {
        (text, name)
        for room in ("play", "rules")
        for name, text in constants(room)
        if KEY.fullmatch(text) and not text.endswith((".", "_", "-"))
    }
    assert len(found) > 300
    assert sorted((text, name) for text, name in found if text not in words) == []


def test_every_key_of_the_window_has_words(words: WordCatalogue) -> None:
    found = {
        (text, name) for name, text in constants("ui") if UI_KEY.fullmatch(text) and not text.endswith((".", "_", "-"))
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


def test_a_question_is_filled_with_its_detail_and_the_games_terms_alone() -> None:
    texts = rtoml.loads(resource_path("words/en.toml").read_text(encoding="utf-8"))
    known = {"detail", *texts["usual"]}
    named = {(key, name) for key, text in texts["ask"].items() for name in re.findall(r"\{([a-z_]+)", text)}
    assert {key for key, name in named if name not in known} == set()
