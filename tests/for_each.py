"""Checks many cases in one test: as tests of their own, each would cost every worker some milliseconds."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

import pytest

Test = TypeVar("Test", bound=Callable[..., None])
LENGTH = 80  # of a case's name, in characters


def for_each(
    names: str | tuple[str, ...], cases: Iterable[Any], ids: Callable[[Any], object] | Sequence[str] | None = None
) -> Callable[[Test], Test]:
    """Run a test with each of some cases, given as to `parametrize`. It fails with the names of all cases that do.

    The cases share the test's fixtures, so they may not leave anything in them. An exception of one case ends only that.
    """
    listed = (names,) if isinstance(names, str) else names
    tried = []
    for number, case in enumerate(cases):
        assert not isinstance(case, type(pytest.param())), "cases with marks are tests of their own"
        values = (case,) if isinstance(names, str) else tuple(case)
        shown = [ids(value) for value in values] if callable(ids) else [ids[number]] if ids else map(name_of, values)
        tried.append((" ".join(map(str, shown)), dict(zip(listed, values, strict=True))))
    assert tried, "there are no cases"

    def decorate(test: Test) -> Test:
        @functools.wraps(test)
        def run(**fixtures: Any) -> None:
            failed = {}
            for name, values in tried:
                try:
                    test(**values, **fixtures)
                except Exception as error:  # noqa: BLE001
                    error.add_note(f"case: {name}")
                    failed[name] = error
            if failed:
                raise ExceptionGroup(
                    f"{len(failed)} of {len(tried)} cases fail: {'; '.join(failed)}", [*failed.values()]
                )

        signature = inspect.signature(test)
        fixtures = [parameter for parameter in signature.parameters.values() if parameter.name not in listed]
        run.__signature__ = signature.replace(parameters=fixtures)  # type: ignore[attr-defined]
        return run  # type: ignore[return-value]

    return decorate


def name_of(value: object) -> str:
    """Return a short name of a value of a case."""
    return str(getattr(value, "__name__", value))[:LENGTH]
