"""The parser of scripts: a line becomes a command, or one of the few statements that are more than one command.

docs/scripts.md describes it. A line is read against the present encounter, because it names things in it.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal

import msgspec

from turnwright.cli.script import actions, attacks, groups, movement
from turnwright.cli.script.lexer import ScriptError, Word, WordReader
from turnwright.cli.script.resolve import NameResolver
from turnwright.cli.script.statements import (
    PickStatement,
    RedoStatement,
    ReplyStatement,
    RollStatement,
    SaveStatement,
    SkipStatement,
    Statement,
    StatementParser,
    UndoStatement,
)
from turnwright.encounter.running import Dice
from turnwright.play.damage.commands.rest import Rest
from turnwright.play.effects.commands.end_effect import EndEffect
from turnwright.play.environment.commands.adjust_pool import AdjustPool
from turnwright.play.environment.commands.set_entry_ready import SetEntryReady
from turnwright.play.environment.commands.set_pool_unstoppable import SetPoolUnstoppable
from turnwright.play.environment.commands.start_pool import StartPool
from turnwright.play.environment.commands.stop_pool import StopPool
from turnwright.play.environment.commands.use_entry import UseEntry
from turnwright.play.setup.commands.advance_setup import AdvanceSetup
from turnwright.play.setup.commands.reset_to_prepared import ResetToPrepared
from turnwright.play.setup.commands.start_encounter import StartEncounter
from turnwright.play.spawning.commands.bring_wave import BringWave
from turnwright.play.table.commands.add_note import AddNote
from turnwright.play.table.commands.correct_line import CorrectLine
from turnwright.play.table.commands.set_dice import SetDice
from turnwright.play.turn_order.commands.act_before_initiative import ActBeforeInitiative
from turnwright.play.turn_order.commands.call_for_checks import CallForChecks
from turnwright.play.turn_order.commands.mark_sneaking import MarkSneaking
from turnwright.play.turn_order.commands.roll_initiative import RollInitiative
from turnwright.play.turn_order.commands.set_first_actor import SetFirstActor
from turnwright.play.turn_order.commands.set_initiative import SetInitiative
from turnwright.play.turn_order.commands.set_initiative_check import SetInitiativeCheck
from turnwright.play.turn_order.commands.set_surprised import SetSurprised
from turnwright.play.turns.commands.end_encounter import EndEncounter
from turnwright.play.turns.commands.end_turn import EndTurn
from turnwright.play.turns.commands.go_to_turn import GoToTurn


class ScriptLine(msgspec.Struct, frozen=True):
    """The statement of a line. `anyway` overrides a rule; `attempt` goes on after a refusal."""

    statement: Statement
    anyway: bool = False
    attempt: bool = False


def split_prefixes(words: list[Word]) -> tuple[list[Word], bool, bool]:
    """Return the words without `try` and `!`, and whether each was there."""
    attempt = bool(words) and words[0] == Word("try")
    words = words[1:] if attempt else words
    anyway = bool(words) and not words[0].quoted and words[0].text.startswith("!")
    if anyway:
        rest = words[0].text[1:]
        words = [Word(rest), *words[1:]] if rest else words[1:]
    return words, attempt, anyway


def parse(words: list[Word], names: NameResolver) -> ScriptLine:
    """Return the statement of a line. ScriptError for unknown words or names."""
    words, attempt, anyway = split_prefixes(words)
    read = WordReader(words)
    if read.at_end:
        raise ScriptError("a command is missing")
    verb = read.expect("a command")
    parser = VERBS.get(verb)
    if parser is None or words[0].quoted:
        raise ScriptError(f"{verb} is no command")
    order = parser(read, names)
    read.expect_end()
    return ScriptLine(order, anyway, attempt)


# The encounter's course ------------------------------------------------------------------------------------------


def _start(read: WordReader, names: NameResolver) -> Statement:
    return StartEncounter(read.rest())


def _end(read: WordReader, names: NameResolver) -> Statement:
    if read.accept("turn"):
        return EndTurn()
    if read.accept("effect"):
        return EndEffect(actions.effect(read, names))
    return EndEncounter()


def _go(read: WordReader, names: NameResolver) -> Statement:
    read.accept("to")
    return GoToTurn(names.slot(read.expect("a combatant")))


def _rest(read: WordReader, names: NameResolver) -> Statement:
    if read.accept("short"):
        return Rest("short")
    if read.accept("long"):
        return Rest("long", haven=read.accept("haven"))
    raise ScriptError("say rest short, rest long or rest long haven")


# Set-up ----------------------------------------------------------------------------------------------------------


def _sneaking(read: WordReader, names: NameResolver) -> Statement:
    sneaking = not read.accept("not")
    return MarkSneaking(names.combatants(read.until()), sneaking)


def _checks(read: WordReader, names: NameResolver) -> Statement:
    check = names.check(read.expect("a check such as dex:stealth"))
    who = names.combatants(read.until("for"))
    return CallForChecks(who, check, "surprise" if read.accept("for", "surprise") else "")


def _surprised(read: WordReader, names: NameResolver) -> Statement:
    return SetSurprised(names.combatants(read.until()))


def _nobody(read: WordReader, names: NameResolver) -> Statement:
    if not read.accept("surprised"):
        raise ScriptError("say nobody surprised")
    return SetSurprised(())


def _sudden(read: WordReader, names: NameResolver) -> Statement:
    return ActBeforeInitiative(() if read.at_end else names.combatants(read.until()))


def _opener(read: WordReader, names: NameResolver) -> Statement:
    return SetFirstActor("" if read.accept("nobody") else names.combatant(read.expect("a combatant, or nobody")))


def _initiative(read: WordReader, names: NameResolver) -> Statement:
    if read.accept("check"):
        who = names.combatant(read.expect("a combatant"))
        check = "" if read.next_is("usual") else names.check(read.expect("a check such as str:athletics"))
        read.accept("usual")
        edge: Literal["", "advantage", "disadvantage"] = ""
        if read.accept("advantage"):
            edge = "advantage"
        elif read.accept("disadvantage"):
            edge = "disadvantage"
        return SetInitiativeCheck((who,), check, edge)
    totals = []
    while not read.at_end:
        totals.append((names.combatant(read.expect("a combatant")), read.expect_number("an initiative")))
    if not totals:
        raise ScriptError("say whose initiative, and how much")
    return SetInitiative(tuple(totals))


# The world -----------------------------------------------------------------------------------------------------------


def _use(read: WordReader, names: NameResolver) -> Statement:
    environment, entry = names.entry(read.expect("a row such as frigid.cold-chill"))
    actor, attack, level = "", None, 0
    targets: tuple[str, ...] = ()
    while not read.at_end:
        if read.accept("on"):
            targets = names.combatants(read.until("by", "attack", "level"))
        elif read.accept("by"):
            actor = names.combatant(read.expect("a combatant"))
        elif read.accept("attack"):
            attack = read.expect_number("the attack's total")
        elif read.accept("level"):
            level = read.expect_number("the spell's level")
        else:
            break
    return UseEntry(environment, entry, actor, targets, attack, level)


def _ready(ready: bool) -> StatementParser:
    return lambda read, names: SetEntryReady(*names.entry(read.expect("a row such as frigid.cold-chill")), ready)


def _count(read: WordReader, names: NameResolver) -> Statement:
    return StartPool(names.countdown(read.expect("a countdown")))


def _wave(read: WordReader, names: NameResolver) -> Statement:
    return BringWave("" if read.at_end else names.wave(read.expect("a wave")))


def _dice_by(sign: int) -> StatementParser:
    def parsed(read: WordReader, names: NameResolver) -> Statement:
        if not (read.accept("die") or read.accept("dice")):
            raise ScriptError("say die and which countdown")
        pool = names.pool(read.expect("a countdown"))
        return AdjustPool(pool, sign * read.number_or_default(1), read.rest())

    return parsed


def _stop(read: WordReader, names: NameResolver) -> Statement:
    return StopPool(names.pool(read.expect("a countdown")))


def _unstoppable(read: WordReader, names: NameResolver) -> Statement:
    pool = names.pool(read.expect("a countdown"))
    no = read.accept("no")
    read.accept("yes")
    return SetPoolUnstoppable(pool, not no)


# Dice, prompts, journal ------------------------------------------------------------------------------------------------


def _dice(read: WordReader, names: NameResolver) -> Statement:
    if read.accept("ask"):
        return SetDice("ask")
    if read.accept("roll"):
        return SetDice("roll")
    if read.accept("seed"):
        dice = names.encounter.get(Dice, "dice") or Dice()
        return SetDice("roll" if dice.mode == "script" else dice.mode, read.expect_number("a seed"))
    faces = [read.expect_number("a face")]
    while not read.at_end:
        faces.append(read.expect_number("a face"))
    return SetDice("script", script=tuple(faces))


def _answer(read: WordReader, names: NameResolver) -> Statement:
    ask = read.expect("what or whom is answered for")
    values = tuple(read.until())
    if not values:
        raise ScriptError("say the answer")
    return ReplyStatement(ask, values)


def _roll(read: WordReader, names: NameResolver) -> Statement:
    if read.accept("initiative"):
        return RollInitiative()
    return RollStatement(tuple(read.until()))


def _pick(read: WordReader, names: NameResolver) -> Statement:
    options = tuple(read.until())
    if not options:
        raise ScriptError("say whom or what; all and none are answers too")
    return PickStatement(options)


def _steps(read: WordReader) -> int:
    steps = read.number_or_default(1)
    if steps < 1:
        raise ScriptError(f"say how many steps, 1 or more; found {steps}")
    return steps


def _note(read: WordReader, names: NameResolver) -> Statement:
    return AddNote(read.rest())


def _correct(read: WordReader, names: NameResolver) -> Statement:
    return CorrectLine(read.expect_number("the step's number"), read.expect_number("the line's number"), read.rest())


VERBS: Mapping[str, StatementParser] = MappingProxyType(
    {
        "start": _start,
        "next": lambda read, names: AdvanceSetup(),
        "end": _end,
        "go": _go,
        "rest": _rest,
        "reset": lambda read, names: ResetToPrepared(),
        "sneaking": _sneaking,
        "checks": _checks,
        "surprised": _surprised,
        "nobody": _nobody,
        "sudden": _sudden,
        "opener": _opener,
        "initiative": _initiative,
        "act": actions.act,
        "attack": attacks.attack,
        "feature": groups.feature,
        "group": groups.group,
        "direct": groups.direct,
        "relate": groups.relate,
        "supply": groups.supply,
        "ongoing": groups.ongoing,
        "concentrate": groups.concentrate,
        "hours": groups.hours,
        "spend": actions.spend,
        "regain": actions.regain,
        "move": movement.move,
        "travel": movement.travel,
        "shift": movement.shift,
        "wall": movement.wall,
        "ride": movement.ride,
        "dismount": movement.dismount,
        "mount": movement.mount,
        "stand": movement.stand,
        "drop": movement.drop,
        "break": actions.break_free,
        "plan": actions.plan,
        "damage": actions.damage,
        "heal": actions.heal,
        "temp": actions.temp_hp,
        "hp": actions.hit_points,
        "condition": actions.condition,
        "kill": actions.set_dead(True),
        "revive": actions.set_dead(False),
        "track": actions.track,
        "join": actions.join,
        "remove": actions.remove,
        "place": actions.place,
        "enter": actions.set_inside_area(True),
        "leave": actions.set_inside_area(False),
        "rename": actions.rename,
        "hide": actions.set_hidden(True),
        "reveal": actions.set_hidden(False),
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
        "skip": lambda read, names: SkipStatement(),
        "targets": _pick,
        "choose": _pick,
        "note": _note,
        "correct": _correct,
        "undo": lambda read, names: UndoStatement(_steps(read)),
        "redo": lambda read, names: RedoStatement(_steps(read)),
        "save": lambda read, names: SaveStatement(),
    }
)
