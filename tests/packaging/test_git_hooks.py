"""The commit hook refuses long subjects, and its installation keeps a hook that exists."""

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.conftest import ROOT

HOOKS = ROOT / "packaging" / "git-hooks"


def is_accepted(message: str, folder: Path) -> bool:
    """Return whether the hook accepts a commit message."""
    file = folder / "message"
    file.write_text(message, encoding="utf-8")
    return subprocess.run(["sh", HOOKS / "commit-msg", file], capture_output=True, check=False).returncode == 0


@pytest.mark.parametrize(
    ("message", "accepted"),
    [
        ("Add treasure cards\n\n" + "x" * 90, True),
        ("é" * 72, True),
        ("x" * 73, False),
        ("# a comment of Git\n\n" + "x" * 73, False),
        ("fixup! " + "x" * 72, True),
        ("Merge branch " + "x" * 72, True),
    ],
)
def test_a_subject_has_at_most_72_characters(message: str, accepted: bool, tmp_path: Path) -> None:
    assert is_accepted(message, tmp_path) is accepted


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
def test_installing_keeps_an_existing_hook(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "--quiet", tmp_path], check=True)
    shutil.copytree(HOOKS, tmp_path / "packaging" / "git-hooks")
    install = ["sh", tmp_path / "packaging" / "git-hooks" / "install.sh"]
    hook = tmp_path / ".git" / "hooks" / "commit-msg"
    subprocess.run(install, check=True)
    assert hook.read_text(encoding="utf-8") == (HOOKS / "commit-msg").read_text(encoding="utf-8")
    hook.write_text("#!/bin/sh\n", encoding="utf-8")
    subprocess.run(install, check=True)
    assert hook.read_text(encoding="utf-8") == "#!/bin/sh\n"
