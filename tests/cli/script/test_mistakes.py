"""Mistyped lines: each stops the script with its line and the nearest known word, and nothing is taken as free text."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import READY, SPEAR, TEXT, Run

FIGHT = (
    TEXT
    + SPEAR
    + """
[creatures.mira.features.axe]
name = "Hand axe"
cost = "action"
attack = 5
reach = 5
damage = "1d6+3 slashing"

[creatures.mira.features.breath]
name = "Breath"
cost = "bonus"
damage = "1d6 fire"
save = "dex"
dc = 12

[map]
columns = 12
rows = 12

[map.obstacles.crate]
name = "Crate"
at = [1, 1]
"""
)
MISTAKES = {
    # the command
    "atack mira raiders-1": "attack",
    "dammage mira 3": "damage",
    "conditon mira prone": "condition",
    "end trun": "turn",
    "end efect prone on mira": "effect",
    "roll iniative": "initiative",
    "group atack raiders on mira": "group attack",
    "tyr end turn": "try",
    "join trun": "turn",
    # a name
    "kill mria": "mira",
    "damage raders-1 3": "raiders-1",
    "use frigid.cold-chlil": "cold-chill",
    "leave mira frigit": "frigid",
    "wave lat3": "late",
    "join lte": "late",
    "countdown ise": "ice",
    "stop icd": "ice",
    # what the game knows
    "condition mira porne": "prone",
    "condition mira prone until turn-stat": "turn-start",
    "condition mira prone until hurtt": "hurt",
    "damage mira 3 fier": "fire",
    "damage mira 2d6 slashing + 3 colt": "cold",
    "ongoing mira 3 colf": "cold",
    "damage mira 2d6 advantge": "advantage",
    "act mira dosge": "dodge",
    "act mira breth": "breath",
    "act mira help on raiders-1 how chekc": "check",
    "act mira dash cost acton": "action",
    "spend mira reacton": "reaction",
    "regain mira bonsu": "bonus",
    "checks stealthy mira": "stealth",
    "checks dex:stelth mira": "stealth",
    "checks dx mira": "dex",
    "move mira 5 clmb": "climb",
    "track mira fatige 2": "fatigue",
    "stat mira passive.perceptoin 12": "passive.perception",
    "relate mira raiders-1 cover hafl": "half",
    # how an attack or a feature is used
    "attack mira raiders-1 with ax3": "axe",
    "attack mira raiders-1 as oportunity": "opportunity",
    "attack mira raiders-1 if advantge": "advantage",
    'attack mira raiders-1 if "not target.sess"': "sees",
    "attack mira raiders-1 if cover:hlaf": "half",
    "attack mira craet": "crate",
    "feature mira braeth": "breath",
    "feature mira breath as comanded": "commanded",
    "feature mira breath burning cart": "crate",
    # a word of the language, and what is left over
    "attack mira raiders-1 wiht axe": "with",
    "damage mira 3 fire form Flame": "from",
    "damage mira 3 fire hafl": "half",
    "heal mira 3 frm prayer": "from",
    "temp mira 3 frmo song": "from",
    "hp mira 12 off 40": "of",
    "condition mira prone untill turn-end": "until",
    "move mira 5 thorugh frigid": "through",
    "move mira 5 sidways": "sideways",
    "force move mira 3,4 teleprot": "teleport",
    "travel mira 3,2 drgas raiders-1": "drags",
    "relate mira raiders-1 distnce 5": "distance",
    "checks stealth mira fro surprise": "for",
    "unstoppable ice yess": "yes",
    "add dye ice": "die",
    "initiative check mira str advantagee": "advantage",
    "use frigid.cold-chill onn mira": "on",
    "group attack raiders onn mira": "on",
    "dice rol": "roll",
    # what is asked, shown and expected
    "show raiders-1 hpp": "hp",
    "show rond": "round",
    "expect mira conditons prone": "conditions",
    "show countdown ice dies": "dice",
    "show mria": "mira",
}
LEFT_OVER = {
    "break fre prone on mira": "expected 'break free'",
    "drop prnoe mira": "expected 'drop prone'",
    "nobody suprised": "expected 'nobody surprised'",
    "rest shrt": "expected 'rest short' or 'rest long'",
    "take die ice tow": "unexpected 'tow'",
    "spend mira bonus lift": "unexpected 'lift'; put a text in quotes here",
    "act mira dodge carefully": "unexpected 'carefully'",
    "add die ice 1 2": "unexpected '2'",
    "rest long inn": "unexpected 'inn'",
    "rest short haven": "unexpected 'haven'",
    "heal mira 3 from the priest": "unexpected 'priest'",
    "attack mira raiders-1 thrown thrown": "unexpected 'thrown'",
    "roll 1l2": "'1l2' is not the result of a roll",
    "damage mira 3 fire cold": "unknown damage type 'fire cold'",
    "hours 1_0": "number of hours: expected a whole number, found '1_0'",
    "act mira juggle": "unknown action 'juggle' (for any other activity, write: other juggle); expected ",
    "save now": "unexpected 'now'",
    # taken before, but without any effect
    "attack mira raiders-1 if critical": "'critical' follows from the roll and can't be entered",
    "place mira 3,3": "'3,3' is a square, but `place` takes words; expected `force move mira 3,3 teleport`",
    "track mira prone 3": "'prone' is a condition, not a track; expected `condition mira prone`",
}
MISSING = {
    "relate mira raiders-1": "relate: expected 'distance', 'height', 'cover', 'sees', 'unseen'",
    "hp mira": "hp: expected a number of hit points, 'of' or 'temp', for example `hp mira 12`",
    "damage mira": "damage: expected damage, for example `damage mira 2d6+3 fire`",
    "heal 3": "heal: expected one or more combatants, for example `heal mira 3`",
    "condition mira": "condition: expected one or more combatants and a condition, for example `condition mira prone`",
    "attack": "attack: expected a combatant, for example `attack mira`",
    "place mira": "place: expected a place, for example `place mira behind the bar`",
    "attack mira with": "attack: expected a weapon, for example `attack mira with spear`",
    "initiative mira": "initiative: expected a number after mira, for example `initiative mira 17`",
    "expect mira hp": "expect: expected a value, for example `expect mira hp 7`",
    "mount mira": "mount: expected 'attack', 'check' or an order for the mount, for example `mount mira attack",
}


@pytest.fixture
def stopped(play: Run, file: Path):
    """Return the message of a script that the last of some lines stops, without its place."""

    def stopped(*lines: str) -> str:
        file.write_text(FIGHT, encoding="utf-8")
        script = READY + "\n".join(lines)
        ran = play(f"{script}\nnote never\n")
        place = f"script.txt:{len(script.splitlines())}: "
        assert ran.code == 1
        assert "never" not in ran.out
        (message,) = (one for one in ran.err.splitlines() if "still open" not in one)
        assert place in message, message
        return message.partition(place)[2]

    return stopped


@pytest.mark.sampled(20)
@pytest.mark.parametrize(("line", "meant"), MISTAKES.items())
def test_a_mistyped_word_stops_with_the_nearest_known(stopped, line, meant):
    assert f"(did you mean '{meant}'?)" in stopped(line)


@pytest.mark.parametrize(("line", "said"), [*LEFT_OVER.items(), *MISSING.items()])
def test_words_too_many_or_too_few_stop(stopped, line, said):
    assert said in stopped(line)


@pytest.mark.parametrize(
    ("question", "line", "meant"),
    [
        ("checks con mira", "answer mria 11", "mira"),
        ("use frigid.cold-chill", "targets raders-1", "raiders-1"),
        ("act mira help", "choose chekc", "check"),
    ],
)
def test_a_mistyped_answer_stops_with_the_nearest_too(stopped, question, line, meant):
    assert f"(did you mean '{meant}'?)" in stopped("dice ask", question, line)


def test_a_word_that_resembles_none_is_told_some_that_there_are(stopped):
    assert "unknown damage type 'xyzzy'; expected acid, bludgeoning, cold" in stopped("damage mira 3 xyzzy")


def test_a_quoted_word_is_no_keyword(stopped):
    assert "unexpected 'from prayer'" in stopped('heal mira 3 "from" prayer')
