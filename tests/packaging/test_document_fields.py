"""Every field of a record that people write is described where it is declared, and the reference is up to date."""

import re
import runpy
from collections import Counter
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.for_each import for_each
from turnwright.bootstrap import RuleSystems
from turnwright.cli import main
from turnwright.cli.check import checked_file
from turnwright.encounter.data_rules import DataRule
from turnwright.encounter.field_specs import fields_of_struct
from turnwright.rules.system_data.known_ids import known_ids
from turnwright.rules.system_data.references import NOT_IN_FEATURES, WHAT_IDS, kinds_in, problems
from turnwright.rules.system_data.statements import FACTS
from turnwright.storage.field_texts import field_text
from turnwright.workspace.fight_forecast import obstacle_to_forecast

MAKER = runpy.run_path(str(ROOT / "packaging" / "document_fields.py"))
RECORDS = MAKER["public_records"]()
MARKER = re.compile(r"<!-- fields (\w+) -->")
BROKEN = re.compile(r"(?<!, )`[^`\n]*[a-z]- [^`\n]*`")  # code that a line break in the source cut at a hyphen
EXAMPLE = re.compile(r"```toml\n(.*?)```", re.DOTALL)


@for_each("record", RECORDS, ids=lambda record: record.__name__)
def test_every_field_of_a_record_has_a_description(record):
    described = MAKER["field_docs"](record)
    assert [field.name for field in fields_of_struct(record) if field.name not in described] == []
    assert [name for name, text in described.items() if text[-1] not in ".`"] == []
    assert [name for name, text in described.items() if BROKEN.search(text)] == []


def test_the_names_of_the_records_are_unique():
    assert len({record.__name__ for record in RECORDS}) == len(RECORDS)


def test_the_texts_of_fields_are_up_to_date():
    assert MAKER["TEXTS"].read_text(encoding="utf-8") == MAKER["texts"](), "run make documents"


@pytest.mark.parametrize("path", MAKER["PAGES"], ids=lambda path: path.stem)
def test_a_page_of_the_reference_is_up_to_date(path: Path):
    written = path.read_text(encoding="utf-8")
    assert MAKER["page"](written) == written, "run make documents"


def test_every_record_is_on_one_page():
    on_pages = Counter(name for path in MAKER["PAGES"] for name in MARKER.findall(path.read_text(encoding="utf-8")))
    assert on_pages == Counter(record.__name__ for record in RECORDS)


def test_every_kind_of_rule_is_described_with_ids_that_exist():
    kinds, known = MAKER["WORDS"]["kinds"], known_ids(RuleSystems().get("a5e").data)
    assert kinds.keys() == WHAT_IDS.keys() == set(DataRule.__annotations__["kind"].__args__)
    assert kinds.keys() > NOT_IN_FEATURES
    assert set(WHAT_IDS.values()) <= known.keys()
    assert {field for rule in kinds.values() for field in rule["fields"]} <= set(DataRule.__struct_fields__)


def test_every_fact_and_every_word_of_a_rule_is_described():
    facts, known = MAKER["WORDS"]["facts"], known_ids(RuleSystems().get("a5e").data)
    assert {(word, about) for about, words in facts.items() for word in words} == {
        (word, fact.about) for word, fact in FACTS.items()
    }
    assert {kind: known[kind] for kind in MAKER["WORDS"]["words"]} == {
        kind: words.keys() for kind, words in MAKER["WORDS"]["words"].items()
    }


def test_every_kind_of_rule_has_an_example_in_the_shipped_data():
    page = (ROOT / "docs" / "reference" / "rule-language.md").read_text(encoding="utf-8")
    assert [kind for kind in WHAT_IDS if f'`{{ kind = "{kind}", ' not in page] == []


def test_a_description_is_plain_text():
    text = "The statement under which the rule applies. Empty means always. Example: melee, not sees."
    assert field_text(DataRule, "when") == text
    assert field_text(DataRule, "nothing") == ""


def test_the_example_has_no_mistake_and_can_be_played(tmp_path, capsys):
    page = (ROOT / "docs" / "reference" / "encounter-file.md").read_text(encoding="utf-8")
    file = tmp_path / "lair.toml"
    file.write_text(EXAMPLE.findall(page)[0], encoding="utf-8")
    checked = checked_file(file, RuleSystems())
    assert checked.findings == ()
    assert checked.encounter is not None
    assert obstacle_to_forecast(checked.encounter) == ""
    assert main(["play", str(file), "--random", "1", "--seed", "3"]) == 0
    assert "Round 2" in capsys.readouterr().out


def test_the_examples_name_ids_of_the_games():
    known: dict[str, frozenset[str]] = {}
    for game in RuleSystems().ids:
        for kind, ids in known_ids(RuleSystems().get(game).data).items():
            known[kind] = known.get(kind, frozenset()) | ids
    unknown = []
    for record in RECORDS:
        described = MAKER["field_docs"](record)
        for field, (kind, *others) in kinds_in(record).items():
            examples = re.findall(r"`([^`]*)`", described[field].partition("Example: ")[2])
            words = [word for text in examples for word in re.findall(r'"([^"]+)"', text) or [text] if "=" not in text]
            if not others:
                unknown += [
                    (record.__name__, field, *problem) for word in words for problem in problems(kind, word, known)
                ]
    assert unknown == []
