"""The documents for developers name files, rules and terms that exist."""

import re
import tomllib

import pytest

from tests.conftest import ROOT

DOCS = ROOT / "docs"
PACKAGE = ROOT / "desktop" / "turnwright"
LINK = re.compile(r"\]\(([^)#]+)\)")
NAMED = re.compile(r"`((?:[\w.*-]+/)+[\w.*-]*|[\w-]+\.(?:py|toml|md))`")
RULE = re.compile(r"`((?:a5e|dnd5e|action_points|pf2e)\.[a-z][\w.-]*)`")
PLACES = (
    ROOT,
    PACKAGE,
    PACKAGE / "play" / "damage",
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
