"""Every module has a test module: at the mirrored path, or the one that `covered_by.toml` names."""

from tests import covered_by


def test_every_module_has_its_test_module_or_is_listed_with_the_one_that_covers_it() -> None:
    missing = set(covered_by.without_mirror()) - covered_by.listed().keys()
    assert sorted(missing) == [], "add a test module at the mirrored path, or an entry in tests/covered_by.toml"


def test_the_list_names_only_what_is_needed_and_true() -> None:
    held = covered_by.listed()
    assert sorted(held.keys() - set(covered_by.without_mirror())) == [], "gone, or tested at the mirrored path"
    assert [(path, test) for path, test in held.items() if not covered_by.covers(test, path)] == []


def test_a_test_covers_what_it_imports_and_little_beyond() -> None:
    assert covered_by.mirror("play/turns/turns.py") == "play/turns/test_turns.py"
    assert covered_by.covers("dice/test_rolling.py", "dice/rolling.py")
    assert not covered_by.covers("dice/test_rolling.py", "ui/shell/window.py")
    assert not covered_by.covers("dice/test_gone.py", "dice/rolling.py")
