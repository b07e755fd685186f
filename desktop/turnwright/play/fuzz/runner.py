"""The runner of random play: it plays an encounter with random commands and answers, and checks it after each of them.

It finds cases that the other tests miss. The same seed plays the same fight in the same encounter.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

import msgspec

from turnwright.encounter.running import Clock
from turnwright.encounter.state import Encounter
from turnwright.play.asking.answer import Answer, DismissPrompt
from turnwright.play.fuzz.answers import RandomAnswers
from turnwright.play.fuzz.invariants import all_undone_and_redone, problems, undo_and_redo_agree
from turnwright.play.fuzz.random_commands import RandomCommands
from turnwright.play.kernel.commands import Command
from turnwright.play.kernel.transaction import Refused
from turnwright.play.queries.queries import open_prompts, waiting_asks
from turnwright.play.session import Session
from turnwright.play.setup.encounter_course import AdvanceSetup, StartEncounter
from turnwright.play.table.dice import SetDice
from turnwright.play.turns.turns import EndTurn

MAX_TRIES = 40
MAX_COMMANDS_PER_ROUND = 400
RoundCheck = Callable[[Session], Sequence[str]]


class FuzzReport(msgspec.Struct):
    """The result of a run: the numbers of rounds, executed and refused commands, the problems, and the last command."""

    rounds: int = 0
    commands: int = 0
    refused: int = 0
    problems: tuple[str, ...] = ()
    last: str = ""


class FuzzRun:
    """One encounter played at random. `round_check` is called after every round and returns further problems."""

    def __init__(self, session: Session, seed: int, round_check: RoundCheck | None = None) -> None:
        self.session = session
        self.report = FuzzReport()
        self._first = session.encounter
        self._chance = random.Random(seed)
        self._each_round = round_check
        self._this_turn = 0
        self._commands = RandomCommands(session, self._chance)
        self._answers = RandomAnswers(self._chance)

    @property
    def encounter(self) -> Encounter:
        """Return the current encounter."""
        return self.session.encounter

    # Playing -----------------------------------------------------------------------------------------------

    def play(self, rounds: int) -> FuzzReport:
        """Play until `rounds` rounds are over, the fight ends or a problem is found. Return the report."""
        self._open()
        round_number = 0
        while not self.report.problems and self.report.commands < rounds * MAX_COMMANDS_PER_ROUND:
            clock = self._clock()
            if clock.phase != "rounds" and not open_prompts(self.encounter):
                break
            if clock.round > round_number:
                self._check_round(round_number)
                if clock.round > rounds:
                    break
                round_number = clock.round
                self.report.rounds = round_number
            if not self._go_on():
                self._found(["no command can be carried out"], None)
        if self._clock().round == round_number:
            self._check_round(round_number)
        return self.report

    def _open(self) -> None:
        seed = self._chance.randrange(10**9)
        self._try(SetDice(self._chance.choice(("roll", "roll", "ask")), seed=seed))
        if self._clock().phase != "rounds":
            self._try(StartEncounter())
        for _ in range(200):
            if self._clock().phase != "set-up" or self.report.problems:
                return
            if open_prompts(self.encounter):
                self._answer()
            else:
                drawn = self._commands.before_rounds() if self._chance.random() < 0.6 else None
                self._try(drawn or AdvanceSetup())

    def _go_on(self) -> bool:
        """Answer a prompt, give a command or end the turn. Return whether this succeeded."""
        if open_prompts(self.encounter):
            return self._answer()
        if self._chance.random() < 0.1 + 0.06 * self._this_turn:
            self._this_turn = 0
            if self._try(EndTurn()):
                return True
        for _ in range(MAX_TRIES):
            command = self._commands.next_command()
            if command is not None and self._try(command):
                self._this_turn += 1
                return True
        return self._try(EndTurn(), override=True)

    def _try(self, command: Command, *, override: bool = False) -> bool:
        """Carry out a command and check the invariants. Return False if the command was refused."""
        before = self.encounter
        try:
            self.session.do(command, override=override, strict=True)
        except Refused:
            self.report.refused += 1
            if self.encounter is not before:
                self._found(["a refused command changed the state"], command)
            return False
        self.report.commands += 1
        self._found([*problems(self.encounter, self.session.rules), *undo_and_redo_agree(self.session)], command)
        return True

    def _check_round(self, number: int) -> None:
        if number and not self.report.problems:
            differences = all_undone_and_redone(self.session, self._first)
            self._found([*differences, *(self._each_round(self.session) if self._each_round else ())], None)

    def _found(self, wrong: Sequence[str], command: Command | None) -> None:
        self.report.last = repr(command) if command else self.report.last
        self.report.problems = (*self.report.problems, *wrong)

    def _clock(self) -> Clock:
        return self.encounter.get(Clock, "clock") or Clock()

    # Answering ---------------------------------------------------------------------------------------------

    def _answer(self) -> bool:
        """Answer a random prompt with random replies, or dismiss it. Return whether this succeeded."""
        prompt = self._chance.choice(open_prompts(self.encounter))
        for _ in range(MAX_TRIES):
            replies = tuple(self._answers.reply(ask) for ask in waiting_asks(prompt))
            if self._try(Answer(prompt.id, replies, prompt.revision)):
                return True
        return self._try(DismissPrompt(prompt.id))
