"""The rules' own example of reactions, played from a script: what the journal says of it, and the choice taken back."""

from __future__ import annotations

from pathlib import Path

import pytest

from turnwright.cli import main

HERE = Path(__file__).parent
TO_THE_CHECK = """
start
next
choose none
next
initiative bob 12
initiative wizard 9
initiative emily 7
next
travel bob 2,1 3,1
answer who "Evil Wizard"
answer how "Stone Wall"
answer who Emily
answer how "Throat Punch"
answer answered suggested
answer whom suggested
answer roll hit
"""
ANNOUNCED = """\
    Evil Wizard announces Stone Wall in response to Bob (Move)
    Emily announces Throat Punch in response to Evil Wizard (Stone Wall)
    Emily hits Evil Wizard with Throat Punch
"""
MADE = """\
    Evil Wizard keeps the action despite Throat Punch: Stone Wall
    Evil Wizard: Stone Wall (3 Reaction Points)
    Bob: Move (1 Action Point)
    Bob moves 4 m
"""
FAILED = """\
    Evil Wizard: Stone Wall fails and its points are lost (cancelled)
    Bob: Move (1 Action Point)
    Bob moves 4 m
"""


@pytest.mark.rule("ap.scenario.bob_emily_wizard", "ap.scenario.interrupted_spell_lost")
@pytest.mark.parametrize(
    ("answers", "told"),
    [
        ("answer keeps made\nchoose as-announced", MADE),
        ("answer keeps failed\nchoose as-announced", FAILED),
        ("answer keeps made\nundo 1\nanswer keeps failed\nchoose as-announced", FAILED),
        ("answer keeps failed\nchoose as-announced\nundo 8\nredo 6\nanswer keeps made\nchoose as-announced", MADE),
    ],
)
def test_the_example_is_told_in_order(
    answers: str, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    script = tmp_path / "script.txt"
    script.write_text(TO_THE_CHECK + answers, encoding="utf-8")
    assert main(["play", str(HERE / "the-wall.toml"), "--script", str(script)]) == 0
    out, _ = capsys.readouterr()
    assert out.partition("  Bob\n")[2] == ANNOUNCED + told
