"""The menu entry that the program makes of itself."""

import subprocess
import sys
from pathlib import Path

import pytest

from turnwright.bootstrap import RuleSystems
from turnwright.cli import main
from turnwright.cli.shortcuts import ID, install_shortcuts, shortcut_files, started_by


@pytest.fixture
def folder(monkeypatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setattr(sys, "platform", "linux")
    return tmp_path / "data"


def test_shortcuts_are_installed_and_removed(folder, capsys):
    assert main(["install-shortcuts"]) == 0
    entry = (folder / "applications" / f"{ID}.desktop").read_text(encoding="utf-8")
    assert f"Icon={ID}\n" in entry
    assert (folder / "icons" / "hicolor" / "48x48" / "apps" / f"{ID}.png").read_bytes()[:4] == b"\x89PNG"
    assert str(folder) in capsys.readouterr().out
    other = folder / "applications" / "other.desktop"
    other.write_text("[Desktop Entry]\n", encoding="utf-8")
    assert main(["install-shortcuts", "--remove"]) == 0
    assert [name for name in shortcut_files() if (folder / name).exists()] == []
    assert other.exists()


def test_a_folder_that_cannot_be_written_is_reported(folder, capsys):
    folder.write_text("a file", encoding="utf-8")
    assert main(["install-shortcuts"]) == 1
    assert str(folder) in capsys.readouterr().err


def test_other_systems_are_told_what_to_do(monkeypatch, capsys):
    monkeypatch.setattr(sys, "platform", "darwin")
    assert install_shortcuts(remove=False, systems=RuleSystems()) == 1
    assert "expected Linux" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["turnwright", "my games/turn wright", 'a "$odd\\ `name` 100%'])
def test_the_entry_starts_a_program_anywhere(name: str, tmp_path: Path):
    program = tmp_path / name
    entry = started_by(program, shortcut_files()[f"applications/{ID}.desktop"]).decode()
    command = next(line for line in entry.splitlines() if line.startswith("Exec="))
    # First the escapes of the file's strings, then those of the quoted argument, which are a shell's; %% is a percent sign.
    argument = command.removeprefix("Exec=").removesuffix(" %f").replace("\\\\", "\\").replace("%%", "%")
    shell = subprocess.run(["sh", "-c", f"printf %s {argument}"], capture_output=True, text=True, check=True)
    assert shell.stdout == str(program)
    assert f"TryExec={program}\n" in entry
