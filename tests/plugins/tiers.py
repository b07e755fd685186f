"""The tiers of the tests: `make quick` shows the rules, `make test` a sample of everything, `make soak` all the rest.

- `@pytest.mark.soak`: the test takes long, and cheaper tests in its module find the same kinds of faults.
- `@pytest.mark.sampled(n)`: `make test` runs `n` of the test's cases, spread over all of them; `make soak` runs the others.
- `--quick`: collect only modules that mark tests with `rule`. Others are not even imported.

No tier leaves out a rule: a sample includes a case of each rule that the cases are marked with.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.plugins.rules import rules_of

RULE_MARK = b"mark.rule("


def spread(count: int, total: int) -> set[int]:
    """Return `count` of the numbers below `total`, evenly spread, with the first and, of several, the last."""
    if count >= total:
        return set(range(total))
    return {0} if count == 1 else {number * (total - 1) // (count - 1) for number in range(count)}


def sample(count: int, rules: Sequence[Sequence[str]]) -> set[int]:
    """Return which cases to keep, given the rules that each case shows: `count` of them, and one for each rule."""
    kept = spread(count, len(rules))
    shown = {rule for number in kept for rule in rules[number]}
    for number, of_case in enumerate(rules):
        if not shown.issuperset(of_case):
            kept.add(number)
            shown.update(of_case)
    return kept


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.getgroup("tiers").addoption("--quick", action="store_true", help="run only modules that show ledger rules")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave out, with `--quick`, test modules without a rule's test."""
    if not config.option.quick or collection_path.suffix != ".py":
        return None
    return True if RULE_MARK not in collection_path.read_bytes() else None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what a sample leaves out as `soak`, before tests are selected by their marks."""
    functions: dict[str, list[pytest.Item]] = {}
    for item in items:
        if item.get_closest_marker("sampled") and not item.get_closest_marker("soak"):
            functions.setdefault(item.nodeid.partition("[")[0], []).append(item)
    for cases in functions.values():
        mark = cases[0].get_closest_marker("sampled")
        assert mark is not None
        kept = sample(mark.args[0], [rules_of(case) for case in cases])
        for number, case in enumerate(cases):
            if number not in kept:
                case.add_marker("soak")
