"""The page of ids is up to date."""

import runpy

from tests.conftest import ROOT

MAKER = runpy.run_path(str(ROOT / "packaging" / "document_ids.py"))


def test_the_page_of_ids_is_up_to_date():
    assert MAKER["PAGE"].read_text(encoding="utf-8") == MAKER["page"](), "run make documents"


def test_every_game_has_its_abilities_and_names_of_saves():
    page = MAKER["page"]()
    assert page.count("| ability id | ") == page.count("| condition id | ") == page.count("\n## ") >= 4
    assert "`dex` (Ref)" in page
