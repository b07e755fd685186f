"""Settings, recent files and folders: broken ones never keep the program from starting."""

from __future__ import annotations

import pytest

from turnwright.workspace.settings import (
    HOME,
    MAX_RECENT,
    Settings,
    folders,
    read_settings,
    recent_files,
    reread_settings,
    with_changes,
    with_recent,
    without_recent,
    write_settings,
)

CHOSEN = Settings(
    theme="dark", arrangement="run", geometry="AdnQ", layouts={"run": "AAAA"}, recent=("a.toml",), dice="roll",
    reduced_motion=True, font_scale=125,
)  # fmt: skip


def test_settings_come_back_as_they_were_written(tmp_path):
    assert read_settings(tmp_path / "new") == Settings()
    assert write_settings(tmp_path / "new", CHOSEN)
    assert read_settings(tmp_path / "new") == CHOSEN


@pytest.mark.parametrize("text", ["theme = ", "\0", "theme = 3\ndice = []\nrecent = 7\nfont_scale = true\n"])
def test_broken_settings_count_as_not_set(tmp_path, text):
    (tmp_path / "settings.toml").write_text(text, encoding="utf-8")
    assert read_settings(tmp_path) == Settings()


def test_one_broken_setting_leaves_the_others(tmp_path):
    (tmp_path / "settings.toml").write_text('theme = "pink"\nfont_scale = 9000\ndice = "roll"\nlater = 1\n')
    settings = read_settings(tmp_path)
    assert (settings.theme, settings.font_scale, settings.dice) == ("system", 300, "roll")
    assert write_settings(tmp_path, settings)
    assert "later = 1" in (tmp_path / "settings.toml").read_text()


def test_old_names_in_settings_are_still_read(tmp_path):
    text = 'forecast_foes = "flees-at=50"\n[players_health]\nfoes = "nothing"\n[handouts]\nedition = "game-master"\n'
    (tmp_path / "settings.toml").write_text(text, encoding="utf-8")
    found = read_settings(tmp_path)
    assert (found.forecast_enemies, found.players_health) == ("flees-at=50", {"enemies": "nothing"})
    assert found.handouts == {"edition": "game-master"}


def test_settings_that_cannot_be_written_are_no_disaster(tmp_path):
    (tmp_path / "file").write_text("")
    assert not write_settings(tmp_path / "file", CHOSEN)
    assert read_settings(tmp_path / "file") == Settings()


def test_recent_files_are_few_and_the_last_comes_first(tmp_path):
    settings = Settings()
    files = [tmp_path / f"{number}.toml" for number in range(MAX_RECENT + 3)]
    for file in [*files, files[5]]:
        file.touch()
        settings = with_recent(settings, file)
    assert recent_files(settings)[:2] == [files[5], files[-1]]
    assert len(settings.recent) == MAX_RECENT
    files[-1].unlink()
    assert files[-1] not in recent_files(settings)
    assert files[5] not in recent_files(without_recent(settings, files[5]))


def test_no_window_takes_back_what_another_has_changed():
    before = Settings(theme="dark", recent=("a", "b", "c"), layouts={"run": "1"})
    theirs = Settings(theme="light", recent=("d", "a", "b", "c"), layouts={"run": "1", "run-wide": "2"}, paper="a4")
    own = Settings(theme="dark", recent=("e", "a", "c"), layouts={"run": "3"}, dice="roll")
    merged = with_changes(theirs, before, own)
    assert (merged.theme, merged.paper, merged.dice) == ("light", "a4", "roll")
    assert merged.recent == ("e", "a", "c", "d")  # b was forgotten here
    assert merged.layouts == {"run": "3", "run-wide": "2"}
    assert with_changes(theirs, before, before) == theirs


def test_settings_whose_file_is_gone_or_broken_stay_as_they_are_known(tmp_path):
    assert reread_settings(tmp_path, CHOSEN) == CHOSEN
    (tmp_path / "settings.toml").write_text("theme = ")
    assert reread_settings(tmp_path, CHOSEN) == CHOSEN
    write_settings(tmp_path, Settings())
    assert reread_settings(tmp_path, CHOSEN) == Settings()


def test_one_variable_moves_all_folders(tmp_path):
    found = folders({HOME: str(tmp_path)})
    assert (found.state, found.config, found.library) == (
        tmp_path / "state",
        tmp_path / "config",
        tmp_path / "data" / "library",
    )
    usual = folders({})
    assert usual.recovery.parent == usual.state
    assert "turnwright" in str(usual.config)


def test_presets_of_two_windows_are_all_kept_and_deleted_ones_stay_away():
    before = Settings(handout_presets={"old": {"ink": "saving"}, "gone": {}})
    theirs = Settings(handout_presets={"old": {"ink": "colour"}, "gone": {}, "theirs": {}})
    own = Settings(handout_presets={"old": {"ink": "saving"}, "mine": {"card": "tarot"}})
    merged = with_changes(theirs, before, own).handout_presets
    assert merged == {"old": {"ink": "colour"}, "theirs": {}, "mine": {"card": "tarot"}}


def test_presets_come_back_as_they_were_written(tmp_path):
    presets = {"Friday & Co": {"kinds": "running-sheet map-sheets", "card": "tarot"}}
    assert write_settings(tmp_path, Settings(handout_presets=presets))
    assert read_settings(tmp_path).handout_presets == presets
