"""The code of each room stays within the number that `code_lines.toml` holds for it."""

from __future__ import annotations

from pathlib import Path

from tests.code_lines import code_lines, lines_by_room, numbers, with_lower_numbers


def test_no_room_grows_beyond_its_number() -> None:
    held, counted = numbers(), lines_by_room()
    grown = {
        room: f"{count} lines, at most {held.get(room, 0)}"
        for room, count in counted.items()
        if count > held.get(room, 0)
    }
    assert grown == {}, "raise the number in tests/code_lines.toml and give a reason beside it"
    assert sorted(held.keys() - counted.keys()) == [], "these rooms are gone: python -m tests.code_lines --write"


def test_lines_without_code_count_for_nothing() -> None:
    source = '"""A module."""\n\n# A comment\nx = [\n    1,\n]  # the end\n\n\ndef f():\n    """Return one."""\n    return x\n'
    assert code_lines(source) == 5


def test_a_room_is_a_package_and_in_the_window_a_package_below(tmp_path: Path) -> None:
    for name in ("cli/a.py", "cli/script/b.py", "ui/docks/map/c.py", "d.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x = 1\n", encoding="utf-8")
    assert lines_by_room(tmp_path) == {".": 1, "cli": 2, "ui/docks": 1}


def test_numbers_are_lowered_and_keep_their_reasons() -> None:
    text = '# Lines.\n"cli" = 20  # two verbs more\n"gone" = 3\n"play" = 10  # why\n'
    assert with_lower_numbers(text, {"cli": 12, "play": 11, "ui/docks": 5}) == (
        '# Lines.\n"cli" = 12  # two verbs more\n"play" = 10  # why\n"ui/docks" = 5\n'
    )
