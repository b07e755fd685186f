"""Where shipped data are found: in a checkout, in a wheel (tests/packaging), in a frozen program."""

import importlib
import sys

import pytest

from turnwright.storage import resources


@pytest.fixture
def frozen(tmp_path):
    """Return the folder of a frozen program, for which the module was loaded."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "_MEIPASS", str(tmp_path), raising=False)
        importlib.reload(resources)
        yield tmp_path
    importlib.reload(resources)


def test_a_checkout_has_its_data_at_the_top(repository):
    assert resources.resource_root() == repository / "resources"
    assert resources.sample_encounters()[0].parent == repository / "encounters"


def test_a_frozen_program_has_them_where_it_was_unpacked(frozen):
    data = frozen / "turnwright" / "_resources"
    (data / "encounters").mkdir(parents=True)
    (data / "words").mkdir()
    (data / "words" / "en.toml").write_text("a word")
    (data / "encounters" / "ford.toml").write_text("")
    assert resources.read_text("words/en.toml") == "a word"
    assert resources.sample_encounters() == [data / "encounters" / "ford.toml"]


def test_places_are_words_without_double():
    assert len(resources.habitats()) == len(set(resources.habitats())) == 30
