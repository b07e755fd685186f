"""The licences of what is shipped: complete, those of the pinned versions, and readable by the program."""

import importlib.util
import re

import pytest

from tests.conftest import ROOT
from tests.for_each import for_each
from turnwright.storage.library.search import components, licence_text
from turnwright.storage.resources import resource_path


@pytest.fixture(scope="module")
def collector():
    spec = importlib.util.spec_from_file_location("licences", ROOT / "packaging" / "licences.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def pinned(collector) -> dict[str, str]:
    lines = (ROOT / "packaging" / "constraints.txt").read_text(encoding="utf-8").splitlines()
    return {collector.normal(name): version for name, _, version in (line.partition("==") for line in lines)}


def test_every_package_that_the_program_depends_on_is_told_with_its_pinned_version(collector, pinned):
    told = {component.package: component.version for component in components() if component.package}
    assert told.keys() == collector.runtime_packages().keys()
    assert told == {name: pinned[name] for name in told}


def test_the_files_are_those_that_the_collector_makes(collector, pinned):
    if any(package.version != pinned[name] for name, package in collector.runtime_packages().items()):
        pytest.skip("other versions are installed than those that are pinned")
    for path, text in collector.collect().items():
        assert resource_path(f"licences/{path}").read_text(encoding="utf-8") == text, "run packaging/licences.py"


@for_each("component", components(), ids=lambda component: component.title)
def test_a_part_comes_with_its_licence(component):
    text = licence_text(component)
    assert component.title in text
    assert component.licence
    assert component.texts or component.copyright
    for path in component.texts:
        assert len(resource_path(path).read_text(encoding="utf-8")) > 300


def test_no_text_is_left_over():
    used = {path for component in components() for path in component.texts}
    held = resource_path("licences").rglob("*.txt")
    assert {path.relative_to(resource_path("")).as_posix() for path in held} == {
        path for path in used if path.startswith("licences/")
    }


def test_what_no_metadata_tells_is_there():
    names = [component.name for component in components()]
    assert {"Turnwright", "Python", "Qt", "PySide6", "Icons: Material Design Icons"} <= set(names)
    assert len(names) == len(set(names))


def test_what_is_compiled_into_a_package_is_named():
    typst = next(component for component in components() if component.package == "typst")
    text = licence_text(typst)
    assert "typst-library" in text
    assert not re.search(r"<[^>]+@[^>]+>", text.partition("Apache-2.0\n===")[0].partition("Compiled into it")[2])
