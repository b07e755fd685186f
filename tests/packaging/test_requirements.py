"""The packages that the tree requires: each has a version for `make setup`, and none a place to get it from."""

import re
import tomllib

import pytest

from tests.conftest import ROOT


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


@pytest.fixture
def project() -> dict:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


@pytest.fixture
def constraints() -> list[str]:
    lines = (ROOT / "packaging" / "constraints.txt").read_text(encoding="utf-8").splitlines()
    return [line for line in lines if not line.startswith("#")]


def test_constraints_are_names_with_exact_versions(constraints):
    assert [line for line in constraints if not re.fullmatch(r"[A-Za-z0-9._-]+==[0-9][0-9a-z.]*", line)] == []


def test_every_requirement_has_a_version(project, constraints):
    asked = [*project["dependencies"], *project["optional-dependencies"]["dev"]]
    names = {normal(re.match(r"[A-Za-z0-9._-]+", requirement).group()) for requirement in asked}
    assert names <= {normal(line.partition("==")[0]) for line in constraints}


def test_the_qt_that_aborts_on_the_oldest_python_is_shut_out(project, constraints):
    assert project["requires-python"] == ">=3.11"
    assert "PySide6-Essentials>=6.10,<6.12" in project["dependencies"]
    versions = dict(line.split("==") for line in constraints)
    assert (6, 10) <= tuple(map(int, versions["PySide6_Essentials"].split(".")[:2])) < (6, 12)
