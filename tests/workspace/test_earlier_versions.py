"""Earlier versions of a file: one for each save that changed it, the newest first, and what going back changes."""

from pathlib import Path

import pytest

from turnwright.storage.atomic import replace_atomically
from turnwright.workspace.document import MAX_LINES, changed_lines, earlier_versions


def test_each_save_leaves_a_version_the_newest_first(tmp_path: Path) -> None:
    file, backups = tmp_path / "ford.toml", tmp_path / "backups"
    for text in ("one", "two", "three"):
        replace_atomically(file, text.encode(), backups)
    assert [version.path.read_text() for version in earlier_versions(file, backups)] == ["two", "one"]
    assert earlier_versions(tmp_path / "other.toml", backups) == []


def test_the_changes_are_those_that_going_back_makes() -> None:
    now = '[creatures.owl]\nname = "Owl"\nsize = "tiny"\nspeeds = {}\nhp = 7\nac = 12\n'
    assert changed_lines(now, now) == []
    assert changed_lines(now, now.replace("hp = 7", "hp = 9")) == [
        "  [creatures.owl]",
        '  size = "tiny"',
        "  speeds = {}",
        "- hp = 7",
        "+ hp = 9",
        "  ac = 12",
    ]


def test_texts_of_any_length_are_not_compared() -> None:
    with pytest.raises(ValueError, match="more than 20,000 lines"):
        changed_lines("a\n" * (MAX_LINES + 1), "b")
