"""Many cases in one test: all run, with the test's fixtures, and each that fails is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.for_each import for_each


def test_every_case_runs_and_those_that_fail_are_named() -> None:
    tried = []

    @for_each(("first", "second"), [(1, 1), (2, 3), (4, 4), (5, 7)])
    def check(first: int, second: int) -> None:
        tried.append(first)
        assert first == second

    with pytest.raises(ExceptionGroup, match="2 of 4 cases fail: 2 3; 5 7") as failed:
        check()
    assert tried == [1, 2, 4, 5]
    assert [error.__notes__ for error in failed.value.exceptions] == [["case: 2 3"], ["case: 5 7"]]


@for_each("name", ["a", "b"])
def test_a_case_has_the_fixtures_of_its_test(tmp_path: Path, name: str) -> None:
    assert tmp_path.is_dir()
    assert name in "ab"


def test_names_are_given_or_made() -> None:
    for ids, named in ((None, "print"), (["own"], "own"), (id, str(id(print)))):

        @for_each("value", [print], ids=ids)
        def check(value: object) -> None:
            assert value is None

        with pytest.raises(ExceptionGroup, match=f"1 of 1 cases fail: {named}"):
            check()


@pytest.mark.parametrize("cases", [[], [pytest.param(1, marks=pytest.mark.soak)]])
def test_no_cases_or_cases_with_marks_are_refused(cases: list[object]) -> None:
    with pytest.raises(AssertionError):
        for_each("one", cases)
