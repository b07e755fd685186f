"""The language of scripts: a line becomes a command, or one of the few orders that are more than one command.

docs/scripts.md describes it. A line is read against the encounter as it stands, because it names things in it.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal

import msgspec

from turnwright.cli import blows, company, deeds, moves
from turnwright.cli.lines import Reader, ScriptError, Word
from turnwright.cli.names import Names
from turnwright.cli.orders import BringBack, Order, Parser, Pick, Reply, Roll, Save, Skip, TakeBack
from turnwright.encounter.running import Dice
from turnwright.play import commands


class ScriptLine(msgspec.Struct, frozen=True):
    """A line's order. `anyway` insists against a rule; `attempt` goes on where it is refused."""

    order: Order
    anyway: bool = False
    attempt: bool = False


def attempts(words: list[Word]) -> tuple[list[Word], bool, bool]:
    """Return the words without `try` and `!`, and whether each stood there."""
    attempt = bool(words) and words[0] == Word("try")
    words = words[1:] if attempt else words
    anyway = bool(words) and not words[0].quoted and words[0].text.startswith("!")
    if anyway:
        rest = words[0].text[1:]
        words = [Word(rest), *words[1:]] if rest else words[1:]
    return words, attempt, anyway


def parse(words: list[Word], names: Names) -> ScriptLine:
    """Return what a line orders. ScriptError where it is not understood, or names what is not there."""
    words, attempt, anyway = attempts(words)
    read = Reader(words)
    if read.done:
        raise ScriptError("a command is missing")
    verb = read.next("a command")
    parser = VERBS.get(verb)
    if parser is None or words[0].quoted:
        raise ScriptError(f"{verb} is no command")
    order = parser(read, names)
    read.finish()
    return ScriptLine(order, anyway, attempt)


# The encounter's course ------------------------------------------------------------------------------------------


def _start(read: Reader, names: Names) -> Order:
    return commands.StartEncounter(read.rest())


def _end(read: Reader, names: Names) -> Order:
    if read.takes("turn"):
        return commands.EndTurn()
    if read.takes("effect"):
        return commands.EndEffect(deeds.effect(read, names))
    return commands.EndEncounter()


def _go(read: Reader, names: Names) -> Order:
    read.takes("to")
    return commands.GoToTurn(names.slot(read.next("a combatant")))


def _rest(read: Reader, names: Names) -> Order:
    if read.takes("short"):
        return commands.Rest("short")
    if read.takes("long"):
        return commands.Rest("long", haven=read.takes("haven"))
    raise ScriptError("say rest short, rest long or rest long haven")


# Set-up ----------------------------------------------------------------------------------------------------------


def _sneaking(read: Reader, names: Names) -> Order:
    sneaking = not read.takes("not")
    return commands.MarkSneaking(names.all(read.until()), sneaking)


def _checks(read: Reader, names: Names) -> Order:
    check = names.check(read.next("a check such as dex:stealth"))
    who = names.all(read.until("for"))
    return commands.CallForChecks(who, check, "surprise" if read.takes("for", "surprise") else "")


def _surprised(read: Reader, names: Names) -> Order:
    return commands.SetSurprised(names.all(read.until()))


def _nobody(read: Reader, names: Names) -> Order:
    if not read.takes("surprised"):
        raise ScriptError("say nobody surprised")
    return commands.SetSurprised(())


def _sudden(read: Reader, names: Names) -> Order:
    return commands.SuddenAction(() if read.done else names.all(read.until()))


def _opener(read: Reader, names: Names) -> Order:
    return commands.MarkOpener("" if read.takes("nobody") else names.who(read.next("a combatant, or nobody")))


def _initiative(read: Reader, names: Names) -> Order:
    if read.takes("check"):
        who = names.who(read.next("a combatant"))
        check = "" if read.sees("usual") else names.check(read.next("a check such as str:athletics"))
        read.takes("usual")
        edge: Literal["", "advantage", "disadvantage"] = ""
        if read.takes("advantage"):
            edge = "advantage"
        elif read.takes("disadvantage"):
            edge = "disadvantage"
        return commands.SetInitiativeCheck((who,), check, edge)
    totals = []
    while not read.done:
        totals.append((names.who(read.next("a combatant")), read.number("an initiative")))
    if not totals:
        raise ScriptError("say whose initiative, and how much")
    return commands.SetInitiative(tuple(totals))


# The world -----------------------------------------------------------------------------------------------------------


def _use(read: Reader, names: Names) -> Order:
    environment, entry = names.row(read.next("a row such as frigid.cold-chill"))
    actor, attack, level = "", None, 0
    targets: tuple[str, ...] = ()
    while not read.done:
        if read.takes("on"):
            targets = names.all(read.until("by", "attack", "level"))
        elif read.takes("by"):
            actor = names.who(read.next("a combatant"))
        elif read.takes("attack"):
            attack = read.number("the attack's total")
        elif read.takes("level"):
            level = read.number("the spell's level")
        else:
            break
    return commands.UseEntry(environment, entry, actor, targets, attack, level)


def _ready(ready: bool) -> Parser:
    return lambda read, names: commands.SetReady(*names.row(read.next("a row such as frigid.cold-chill")), ready)


def _count(read: Reader, names: Names) -> Order:
    return commands.StartPool(names.countdown(read.next("a countdown")))


def _wave(read: Reader, names: Names) -> Order:
    return commands.BringWave("" if read.done else names.wave(read.next("a wave")))


def _dice_by(sign: int) -> Parser:
    def parsed(read: Reader, names: Names) -> Order:
        if not (read.takes("die") or read.takes("dice")):
            raise ScriptError("say die and which countdown")
        pool = names.pool(read.next("a countdown"))
        return commands.AdjustPool(pool, sign * read.number_or(1), read.rest())

    return parsed


def _stop(read: Reader, names: Names) -> Order:
    return commands.StopPool(names.pool(read.next("a countdown")))


def _unstoppable(read: Reader, names: Names) -> Order:
    pool = names.pool(read.next("a countdown"))
    no = read.takes("no")
    read.takes("yes")
    return commands.SetUnstoppable(pool, not no)


# Dice, prompts, journal ------------------------------------------------------------------------------------------------


def _dice(read: Reader, names: Names) -> Order:
    if read.takes("ask"):
        return commands.SetDice("ask")
    if read.takes("roll"):
        return commands.SetDice("roll")
    if read.takes("seed"):
        dice = names.encounter.get(Dice, "dice") or Dice()
        return commands.SetDice("roll" if dice.mode == "script" else dice.mode, read.number("a seed"))
    faces = [read.number("a face")]
    while not read.done:
        faces.append(read.number("a face"))
    return commands.SetDice("script", script=tuple(faces))


def _answer(read: Reader, names: Names) -> Order:
    ask = read.next("what or whom is answered for")
    values = tuple(read.until())
    if not values:
        raise ScriptError("say the answer")
    return Reply(ask, values)


def _roll(read: Reader, names: Names) -> Order:
    if read.takes("initiative"):
        return commands.RollInitiative()
    return Roll(tuple(read.until()))


def _pick(read: Reader, names: Names) -> Order:
    options = tuple(read.until())
    if not options:
        raise ScriptError("say whom or what; all and none are answers too")
    return Pick(options)


def _steps(read: Reader) -> int:
    steps = read.number_or(1)
    if steps < 1:
        raise ScriptError(f"say how many steps, 1 or more; found {steps}")
    return steps


def _note(read: Reader, names: Names) -> Order:
    return commands.AddNote(read.rest())


def _correct(read: Reader, names: Names) -> Order:
    return commands.Correct(read.number("the step's number"), read.number("the line's number"), read.rest())


VERBS: Mapping[str, Parser] = MappingProxyType(
    {
        "start": _start,
        "next": lambda read, names: commands.AdvanceSetup(),
        "end": _end,
        "go": _go,
        "rest": _rest,
        "reset": lambda read, names: commands.ResetToPrepared(),
        "sneaking": _sneaking,
        "checks": _checks,
        "surprised": _surprised,
        "nobody": _nobody,
        "sudden": _sudden,
        "opener": _opener,
        "initiative": _initiative,
        "act": deeds.act,
        "attack": blows.attack,
        "feature": company.feature,
        "group": company.group,
        "direct": company.direct,
        "relate": company.relate,
        "supply": company.supply,
        "ongoing": company.ongoing,
        "concentrate": company.concentrate,
        "hours": company.hours,
        "spend": deeds.spend,
        "regain": deeds.regain,
        "move": moves.move,
        "travel": moves.travel,
        "shift": moves.shift,
        "wall": moves.wall,
        "ride": moves.ride,
        "dismount": moves.dismount,
        "mount": moves.mount,
        "stand": moves.stand,
        "drop": moves.drop,
        "break": deeds.break_free,
        "plan": deeds.plan,
        "damage": deeds.damage,
        "heal": deeds.heal,
        "temp": deeds.temp,
        "hp": deeds.hit_points,
        "condition": deeds.condition,
        "kill": deeds.dead(True),
        "revive": deeds.dead(False),
        "track": deeds.track,
        "join": deeds.join,
        "remove": deeds.remove,
        "place": deeds.place,
        "enter": deeds.area(True),
        "leave": deeds.area(False),
        "rename": deeds.rename,
        "hide": deeds.reveal(True),
        "reveal": deeds.reveal(False),
        "use": _use,
        "ready": _ready(True),
        "spent": _ready(False),
        "countdown": _count,
        "wave": _wave,
        "add": _dice_by(1),
        "take": _dice_by(-1),
        "stop": _stop,
        "unstoppable": _unstoppable,
        "dice": _dice,
        "answer": _answer,
        "roll": _roll,
        "skip": lambda read, names: Skip(),
        "targets": _pick,
        "choose": _pick,
        "note": _note,
        "correct": _correct,
        "undo": lambda read, names: TakeBack(_steps(read)),
        "redo": lambda read, names: BringBack(_steps(read)),
        "save": lambda read, names: Save(),
    }
)
