"""`turnwright play`: scripts with seeded, scripted and typed dice, and messages for invalid lines."""

from __future__ import annotations

import json
import runpy
from pathlib import Path

import pytest

from tests.cli.conftest import TEXT
from turnwright.storage.fights import fight_path

SET_UP = "start\nnext\nnext\n"
FIGHT = f"""\
{SET_UP}
roll initiative          # whoever has no total yet
next
targets all
try end turn
damage "Raider 1" 2d6+3 fire from "Flame Burst" half
note "It is getting late."
"""
TYPED = f"""\
dice ask
{SET_UP}
initiative mira 18 raiders-1 9
roll initiative
answer "Raider 2" 20!
next
roll "6 3"
targets mira
roll 4 7 2
"""


def events(ran):
    return [json.loads(line) for line in ran.lines]


def named(ran, *names):
    return [one for one in events(ran) if one["event"] in names]


def test_the_same_seed_gives_the_same_journal_and_another_seed_another(play):
    first, second, other = (play(FIGHT, "--seed", seed) for seed in (4, 4, 5))
    assert first.code == 0, first.err
    assert len(first.lines) > 15
    assert first == second
    assert first.out != other.out


def test_a_script_leaves_the_file_alone(play, file):
    assert play(FIGHT, "--seed", 4).code == 0
    assert file.read_text(encoding="utf-8") == TEXT
    assert not fight_path(file).exists()


def test_scripted_dice_decide_every_roll_in_order(play):
    ran = play(
        f"dice 3 10 10 7 16 6 2 4\n{SET_UP}roll initiative\nnext\nskip\ndamage mira 2d6 cold\n", "--json"
    )  # raiders tie on 11 with 10 + 1, and roll again; the pool shows 6 and 2
    order = named(ran, "InitiativeOrderSet")[-1]["who"]
    (pool,) = named(ran, "PoolRolled")
    assert [(one["who"], one["total"]) for one in named(ran, "InitiativeSet")] == [
        ("mira", 5),
        ("raiders-1", 11),
        ("raiders-2", 11),
    ]
    assert order == ["raiders-2", "raiders-1", "mira"]
    assert (pool["faces"], pool["left"]) == ([6, 2], 1)
    assert "still open" in ran.err, "the script has run out of dice, so the damage is asked"


def test_typed_dice_play_the_fight_by_answering(play):
    ran = play(TYPED, "--json")
    assert ran.code == 0, ran.err
    totals = {one["who"]: one["total"] for one in named(ran, "InitiativeSet")}
    assert totals == {"mira": 18, "raiders-1": 9, "raiders-2": 21}
    assert [one["left"] for one in named(ran, "PoolRolled")] == [1]
    assert [(one["target"], one["taken"]) for one in named(ran, "DamageTaken")] == [("mira", 3)]
    assert ran.err == ""


def test_undo_takes_lines_out_of_the_journal_and_redo_brings_them_back(play):
    written = play("start\nnote one\nnote two\nnote three\nundo 2\nredo\n")
    assert written.code == 0
    assert ["one" in written.out, "two" in written.out, "three" in written.out] == [True, True, False]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("damage grak 3", "unknown combatant 'grak'"),
        ("damage raider 3", "'raider' is ambiguous; expected raiders-1 or raiders-2"),
        ("dance mira", "unknown command 'dance'"),
        ("initiative mira high", "expected a whole number, found 'high'"),
        ("initiative mira", "initiative: expected a number after mira, for example `initiative mira 17`"),
        ("condition mira sleepy", "unknown condition 'sleepy'"),
        ("condition mira prone until later", "unknown moment 'later'; expected never, turn-start"),
        ("use frigid.lava", "unknown environment feature 'lava'"),
        ("take die fire 1", "unknown running countdown 'fire'"),
        ('note "no end', "unclosed quote"),
        ("undo 40", "nothing to undo"),
        ("roll 3", "no roll is pending for '3'"),
        ("targets all", "no choice is pending"),
        ("answer mira 3", "no question is open"),
        ("nobody cares", "expected 'nobody surprised'"),
        ("end turn now", "unexpected 'now'"),
        ("try", "expected a command, for example `try end turn`"),
    ],
)
def test_a_line_that_is_not_understood_stops_with_its_place(play, line, said):
    ran = play(f"start\n# a comment\n\n{line}\nnote never\n")
    assert ran.code == 1
    assert "script.txt:4: " in ran.err
    assert said in ran.err
    assert "never" not in ran.out


def test_a_face_that_no_such_die_has_stops_with_its_place(play):
    ran = play(f"{SET_UP}dice 18\ndamage mira 2d6\n")
    assert (ran.code, "script.txt:5: " in ran.err) == (1, True)


def test_a_name_before_the_start_is_told_so(play):
    ran = play("kill mira\n")
    assert (ran.code, "the fight hasn't been started" in ran.err) == (1, True)


def test_a_refusal_names_line_and_rule_and_stops(play):
    ran = play("start\nend turn\nnote never\n")
    assert ran.code == 1
    assert "script.txt:2: " in ran.err
    assert "a5e.phase.two" in ran.err
    assert "never" not in ran.out


def test_try_goes_on_after_a_refusal_and_a_mark_does_it_anyway(play):
    begun = f"dice roll\n{SET_UP}roll initiative\nnext\nskip\n"
    tried = play(f"{begun}try move mira 500\nnote after\n", "--seed", 4, "--json")
    assert tried.code == 0
    assert "script.txt:8: " in tried.err
    assert named(tried, "Moved") == []
    assert named(tried, "NoteAdded")
    forced = play(f"{begun}!move mira 500\n", "--seed", 4, "--json")
    assert forced.code == 0, forced.err
    assert [one["feet"] for one in named(forced, "Moved")] == [500]
    assert named(forced, "RuleOverridden")


def test_a_group_stands_for_its_members(play):
    ran = play("start\nsneaking raiders\nsneaking not raiders-1\n", "--json")
    assert [(one["who"], one["sneaking"]) for one in named(ran, "SneakingMarked")] == [
        ("raiders-1", True),
        ("raiders-2", True),
        ("raiders-1", False),
    ]


def test_what_happens_to_combatants(play):
    ran = play(
        f"""{SET_UP}
initiative mira 20 raiders-1 10 raiders-2 5
next
skip
damage mira 10 cold from "a wave"
heal mira 3
temp mira 5 from "a song"
condition mira prone until turn-end
end effect prone on mira
hp raiders-1 7 of 20
kill raiders-2
join late 30
plan mira "Hold the line"
act mira dodge
spend raiders-1 reaction "a shove"
track mira fatigue 2
add die ice 3 "shouting"
take dice ice 1
unstoppable ice yes
try stop ice
unstoppable ice no
stop ice
rest short
""",
        "--seed", 1, "--json",
    )  # fmt: skip
    assert ran.code == 0, ran.err
    (hurt,) = named(ran, "DamageTaken")
    assert (hurt["taken"], hurt["hp_after"], hurt["source"]) == (5, 35, "a wave")
    assert [one["hp_after"] for one in named(ran, "Healed")] == [38]
    assert [one["after"] for one in named(ran, "TempHpGained")] == [5]
    assert [one["name"] for one in named(ran, "EffectEnded")] == ["prone"]
    assert [(one["hp"], one["hp_max"]) for one in named(ran, "HitPointsSet")] == [(7, 20)]
    assert [one["who"] for one in named(ran, "Died")] == ["raiders-2"]
    assert [one["who"] for one in named(ran, "CombatantAdded")] == ["late"]
    assert [one["text"] for one in named(ran, "Planned")] == ["Hold the line"]
    assert [one["by"] for one in named(ran, "PoolAdjusted")] == [3, -1]
    assert [one["unstoppable"] for one in named(ran, "PoolUnstoppableSet")] == [True, False]
    assert len(named(ran, "PoolStopped")) == 1
    assert "a5e.countdown.unstoppable" in ran.err


def test_a_world_action_is_used_on_those_named(play):
    ran = play(
        f"dice 4 3\n{SET_UP}initiative mira 20 raiders-1 10 raiders-2 5\nnext\nskip\n"
        'dice 2 18 3 4\nuse "cold chill" on mira raiders-1\n',
        "--json",
    )
    assert ran.code == 0, ran.err
    assert [(one["who"], one["passed"]) for one in named(ran, "Rolled") if one["purpose"] == "ask.save"] == [
        ("mira", False),
        ("raiders-1", True),
    ]
    (hurt,) = named(ran, "DamageTaken")
    assert (hurt["target"], hurt["taken"]) == ("mira", 3)


def test_a_fight_is_saved_and_gone_on_with(play, file):
    assert play(FIGHT + "save\n", "--seed", 4).code == 0
    assert file.read_text(encoding="utf-8") == TEXT
    resumed = play("note resumed\n", "--resume")
    assert resumed.code == 0, resumed.err
    assert resumed.lines[:-1] == play(FIGHT, "--seed", 4).lines
    assert "resumed" in resumed.lines[-1]


def test_a_fresh_fight_is_not_saved_over_one_that_is_there(play, file):
    assert play("start\nsave\n").code == 0
    kept = fight_path(file).read_bytes()
    ran = play("start\nnext\nsave\n")
    assert ran.code == 1
    assert "script.txt:3: " in ran.err
    assert fight_path(file).read_bytes() == kept


def test_reset_and_save_remove_the_fight(play, file):
    assert play("start\nsave\nreset\nsave\n").code == 0
    assert not fight_path(file).exists()


def test_what_is_still_open_is_listed(play):
    ran = play(f"dice ask\n{SET_UP}roll initiative\n")
    assert ran.code == 0
    assert [
        line.endswith(f"({who})")
        for who, line in zip(("mira", "raiders-1", "raiders-2"), ran.err.splitlines(), strict=True)
    ]
    assert all("still open" in line for line in ran.err.splitlines())


def test_what_is_still_open_names_what_it_is_about(play):
    ran = play(f"{SET_UP}roll initiative\nnext\nskip\ncondition mira unconscious\n")
    assert "Falls prone and drops what it holds?" in ran.err
    assert "{" not in ran.err


def test_a_broken_file_is_said_with_its_line(run, file, tmp_path):
    file.write_text(TEXT.replace("hp = 12", 'hp = "many"'), encoding="utf-8")
    script = tmp_path / "script.txt"
    script.write_text("start\n")
    ran = run("play", file, "--script", script)
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.startswith(f"{file}:7: creatures.raider.hp: ")


def test_a_script_that_is_not_there_is_said(run, file, tmp_path):
    ran = run("play", file, "--script", tmp_path / "none.txt")
    assert (ran.code, ran.err.startswith(f"{tmp_path / 'none.txt'}:1: ")) == (1, True)


def test_the_manual_is_made_from_the_grammars(repository: Path):
    maker = runpy.run_path(str(repository / "packaging" / "document_scripts.py"))
    written = maker["DOCUMENT"].read_text(encoding="utf-8")
    assert maker["document"](written) == written, "write it anew: make documents"
    with pytest.raises(ValueError, match="Heal"):
        maker["document"](written.replace(" Heal ", " "))


def test_the_manual_s_example_runs(run, repository: Path, tmp_path):
    manual = (repository / "docs" / "scripts.md").read_text(encoding="utf-8")
    example = tmp_path / "fight.txt"
    example.write_text(manual.partition("```text\n")[2].partition("```")[0], encoding="utf-8")
    ran = run("play", repository / "encounters" / "cold-ford-bridge.toml", "--script", example, "--seed", 4)
    assert ran.code == 0, ran.err
    assert ran.lines[-1] == "  Osk", "Raider 2 is first on 17, and Osk next on 15"
    assert "still open" not in ran.err


def test_where_somebody_stands_decides_whom_the_world_may_strike(play):
    set_up = f"dice 4 3\n{SET_UP}initiative mira 20 raiders-1 10 raiders-2 5\n"
    left = play(f"{set_up}leave mira frigid\nnext\ndice 2 2 3 4 1\ntargets all\n", "--json")
    back = play(f"{set_up}leave mira frigid\nenter mira frigid\nnext\ndice 2 2 2 3 4 1\ntargets all\n", "--json")
    assert left.code == back.code == 0, left.err + back.err
    assert [one["targets"] for one in named(left, "EntryUsed")] == [["raiders-1", "raiders-2"]]
    assert [one["targets"] for one in named(back, "EntryUsed")] == [["mira", "raiders-1", "raiders-2"]]


def test_what_the_journal_leaves_out_is_among_the_events_all_the_same(play):
    ran = play("dice roll\nstart\nnext\nnext\nroll initiative\nnext\nskip\nend turn\n", "--seed", 4, "--json")
    assert ran.code == 0, ran.err
    ended = named(ran, "TurnEnded")
    assert [event["round"] for event in ended] == [1]


def test_a_wave_comes_when_it_is_called(play):
    ran = play("start\nwave\nwave late\nwave la\n", "--json")
    assert ran.code == 0, ran.err
    assert [(one["wave"], one["why"]) for one in named(ran, "WaveJoined")] == [("late", "hand")] * 3
    assert "unknown wave 'cavalry'; expected late" in play("start\nwave cavalry\n").err


def test_the_journal_is_of_play_and_with_all_of_bookkeeping_too(play):
    script = f"dice roll\n{SET_UP}roll initiative\nnext\nskip\nact mira dash\nend turn\n"
    plain, whole = play(script, "--seed", 4), play(script, "--seed", 4, "--all")
    left_out = [line.strip() for line in whole.lines if line not in plain.lines]
    assert [line for line in whole.lines if line in plain.lines] == plain.lines
    assert "The world acts" in left_out
    assert "Dashing ends for Mira" in left_out
    assert any(line == "Mira" for line in map(str.strip, plain.lines))
