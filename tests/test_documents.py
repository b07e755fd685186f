"""Documents link to files and headings that exist, name files, rules and terms that exist, and cover the command line."""

import argparse
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.for_each import for_each
from turnwright.cli.commands import SUBCOMMANDS
from turnwright.handouts.kinds import MODULES

DOCS = ROOT / "docs"
PACKAGE = ROOT / "desktop" / "turnwright"
DOCUMENTS = (*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "packaging").glob("*.md"))
LINK = re.compile(r"\]\(([^)#]+)\)")
TARGET = re.compile(r"\]\((?!\w+:)([^)#\s]*)#?([^)\s]*)\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
CODE = re.compile(r"```.*?```", re.DOTALL)
README_WORDS = 700
NAMED = re.compile(r"`((?:[\w.*-]+/)+[\w.*-]*|[\w-]+\.(?:py|toml|md))`")
RULE = re.compile(r"`((?:a5e|dnd5e|action_points|pf2e)\.[a-z][\w.-]*)`")
PLACES = (
    ROOT,
    PACKAGE,
    PACKAGE / "play" / "state",
    PACKAGE / "storage" / "importers",
    ROOT / "resources" / "systems" / "a5e",
)


def exists(path: str) -> bool:
    """Return whether a path that a document names is there; `<…>` in it was replaced by an example before."""
    return any(any(place.glob(path.rstrip("/"))) for place in PLACES)


@pytest.mark.parametrize("name", ["architecture.md", "glossary.md"])
def test_documents_name_places_that_exist(name: str) -> None:
    text = (DOCS / name).read_text(encoding="utf-8")
    links = [link for link in LINK.findall(text) if not (DOCS / link).exists()]
    plain = text.replace("<id>", "a5e")
    named = [path for path in NAMED.findall(plain) if "<" not in path and not exists(path)]
    assert (links, named) == ([], [])


def test_the_glossary_cites_rules_of_the_ledgers() -> None:
    cited = set(RULE.findall((DOCS / "glossary.md").read_text(encoding="utf-8")))
    known = set()
    for file in (ROOT / "resources" / "systems").glob("*/ledger.toml"):
        known |= {rule["id"] for rule in tomllib.loads(file.read_text(encoding="utf-8"))["rule"]}
    assert cited
    assert cited <= known


def anchors(document: Path) -> set[str]:
    """Return the anchors of a document's headings, as code hosts make them."""
    headings = HEADING.findall(CODE.sub("", document.read_text(encoding="utf-8")))
    return {re.sub(r"[^\w -]", "", heading).strip().lower().replace(" ", "-") for heading in headings}


@for_each("document", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_links_lead_to_files_and_headings_that_exist(document: Path) -> None:
    text = CODE.sub("", document.read_text(encoding="utf-8"))
    broken = []
    for path, anchor in TARGET.findall(text):
        target = document.parent / path if path else document
        if not target.exists() or (anchor and anchor not in anchors(target)):
            broken.append(f"{path}#{anchor}")
    assert broken == []


def test_the_readme_is_short_and_shows_its_picture_first() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert len(text.split()) <= README_WORDS
    blocks = text.split("\n\n")
    assert blocks[0].startswith("# ")
    assert blocks[2].startswith("![")


def options(parser: argparse.ArgumentParser) -> Iterator[str]:
    """Yield the long options of a verb and of the verbs below it, `--no-…` for those that are on by default."""
    for action in parser._actions:  # noqa: SLF001 - argparse shows them to nobody else
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001
            for below in action.choices.values():
                yield from options(below)
        elif isinstance(action, argparse.BooleanOptionalAction):
            yield action.option_strings[-1]
        elif action.dest != "help" and action.help != argparse.SUPPRESS:
            yield from (option for option in action.option_strings if option.startswith("--"))


@for_each("verb", SUBCOMMANDS)
def test_the_reference_covers_every_verb_and_option(verb: str) -> None:
    text = (DOCS / "reference" / "command-line.md").read_text(encoding="utf-8")
    assert f"`{verb}`" in text
    parser, _ = SUBCOMMANDS[verb]()
    own = text.partition(f"\n## {verb}")[2].partition("\n## ")[0]
    if verb == "handout":
        own = (DOCS / "reference" / "handouts.md").read_text(encoding="utf-8")
    everywhere = {"--json", "--output"}  # at the top of the page, and -o in the examples
    assert [option for option in options(parser) if option not in everywhere and option not in own] == []


def test_the_reference_lists_every_kind_of_handout() -> None:
    text = (DOCS / "reference" / "handouts.md").read_text(encoding="utf-8")
    table = text.partition("## Kinds of pages")[2].partition("\n## ")[0]
    listed = re.findall(r"^\| `(\w[\w-]+)` \|", table, re.MULTILINE)
    assert listed == [name.replace("_", "-") for name in MODULES]
