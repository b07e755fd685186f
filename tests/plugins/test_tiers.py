"""The tiers of the tests: which cases a sample keeps, and which modules the quick tier collects."""

from __future__ import annotations

import pytest

from tests.plugins.tiers import sample, spread


@pytest.mark.parametrize(
    ("count", "total", "kept"),
    [(1, 9, {0}), (2, 9, {0, 8}), (3, 9, {0, 4, 8}), (4, 4, {0, 1, 2, 3}), (5, 2, {0, 1}), (3, 0, set())],
)
def test_cases_are_spread_over_all(count: int, total: int, kept: set[int]) -> None:
    assert spread(count, total) == kept


def test_a_sample_has_a_case_of_each_rule() -> None:
    rules = [["a"], ["a"], ["b"], ["b", "c"], [], ["a"]]
    assert sample(1, rules) == {0, 2, 3}
    assert sample(6, rules) == {0, 1, 2, 3, 4, 5}


SUITE = """
import pytest

@pytest.mark.sampled(2)
@pytest.mark.parametrize("number", range(5))
def test_number(number): pass

@pytest.mark.soak
def test_long(): pass
"""


@pytest.mark.parametrize(
    ("options", "passed"), [(("-m", "not soak"), 2), (("-m", "soak"), 4), ((), 6), (("--quick", "-m", "not soak"), 1)]
)
def test_each_tier_runs_its_part(pytester: pytest.Pytester, options: tuple[str, ...], passed: int) -> None:
    pytester.makepyprojecttoml('[tool.pytest.ini_options]\nmarkers = ["rule(id)", "sampled(n)", "soak"]\n')
    pytester.makeconftest('pytest_plugins = ["tests.plugins.rules", "tests.plugins.tiers"]')
    pytester.makepyfile(test_numbers=SUITE, test_rule="import pytest\n@pytest.mark.rule('a.b')\ndef test_it(): pass\n")
    if "--quick" not in options:
        pytester.path.joinpath("test_rule.py").unlink()
    pytester.runpytest_inprocess(*options, "-p", "no:cacheprovider").assert_outcomes(
        passed=passed, deselected=(0 if not options or "--quick" in options else 6 - passed)
    )
