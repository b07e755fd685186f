"""The man page and the completions name all that the parsers know, and shells read them."""

import contextlib
import io
import re
import shutil
import subprocess

import pytest

import shell_texts
from turnwright.cli import main
from turnwright.cli.commands import SUBCOMMANDS


def help_of(*words: str) -> str:
    """Return what the program itself answers to `--help` behind these words."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        main([*words, "--help"])
    return said.getvalue()


def everything():
    kinds = [("odds", "countdown"), ("odds", "roll")]
    texts = [help_of(), *(help_of(verb) for verb in SUBCOMMANDS), *(help_of(*words) for words in kinds)]
    words = {flag for text in texts for flag in re.findall(r"(?<![\w-])--[a-z][a-z-]*", text)}
    assert {"--script", "--dice", "--edition", "--quit-when-shown"} <= words
    return words | SUBCOMMANDS.keys() | {word for words in kinds for word in words}


def man_as_typed():
    return shell_texts.man_page(0).replace("\\-", "-")


@pytest.mark.parametrize("make", [shell_texts.bash_completion, shell_texts.zsh_completion, man_as_typed])
def test_every_verb_and_option_is_named(make):
    text = make()
    assert [word for word in everything() if word not in text] == []


def test_every_verb_and_option_is_named_for_fish():
    text = shell_texts.fish_completion()
    wanted = [f"-l {word[2:]}" if word.startswith("--") else f"-a {word}" for word in everything()]
    assert [word for word in wanted if word not in text] == []


def test_the_man_page_is_dated_by_the_build():
    assert '"1970-01-01"' in shell_texts.man_page(0).splitlines()[0]


@pytest.mark.parametrize(
    ("shell", "make"),
    [
        ("bash", shell_texts.bash_completion),
        ("zsh", shell_texts.zsh_completion),
        ("fish", shell_texts.fish_completion),
    ],
)
def test_the_shell_reads_its_completions(shell, make, tmp_path):
    if shutil.which(shell) is None:
        pytest.skip(f"no {shell} here")
    file = tmp_path / "completions"
    file.write_text(make(), "utf-8")
    done = subprocess.run([shell, "-n", str(file)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def completed(tmp_path, *words):
    """Return what bash offers for the last of the words."""
    file = tmp_path / "turnwright.bash"
    file.write_text(shell_texts.bash_completion(), "utf-8")
    typed = " ".join(f"'{word}'" for word in ("turnwright", *words))
    script = f"source {file}; COMP_WORDS=({typed}); COMP_CWORD={len(words)}; _turnwright; printf '%s\\n' \"${{COMPREPLY[@]}}\""
    done = subprocess.run(["bash", "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stderr == ""
    return done.stdout.split("\n")[:-1]


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash here")
def test_bash_offers_what_comes_next(tmp_path):
    (tmp_path / "my fight.toml").touch()
    (tmp_path / "folder").mkdir()
    assert completed(tmp_path, "ha") == ["handout"]
    assert completed(tmp_path, "my") == ["my fight.toml"]
    assert completed(tmp_path, "handout", "--ed") == ["--edition"]
    assert completed(tmp_path, "handout", "--edition", "") == ["game-master", "players"]
    assert completed(tmp_path, "handout", "my") == ["my fight.toml"]
    assert completed(tmp_path, "odds", "") == ["countdown", "roll"]
    assert completed(tmp_path, "odds", "countdown", "--sp") == ["--speed"]
    assert completed(tmp_path, "import", "--into", "") == ["folder"]
