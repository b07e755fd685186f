"""Automatic play: runs whole fights in the real engine, with the choices of a `Chooser` and suggested answers.

A fight ends when only one side is left standing, or without a decision after a maximum number of rounds.
"""

from typing import Protocol

from turnwright.encounter.procedure_state.asks import FAILED, Ask, Prompt, Reply
from turnwright.encounter.state import Encounter, active_slot, clock_of
from turnwright.play.asking.answer import Answer, DismissPrompt
from turnwright.play.kernel.transaction import Command, Refused
from turnwright.play.queries.queries import open_prompts, waiting_asks
from turnwright.play.session import Session
from turnwright.play.setup.encounter_course import AdvanceSetup, StartEncounter
from turnwright.play.turn_order.surprise import members_in_turn
from turnwright.play.turns.turns import EndTurn

MOST_COMMANDS_IN_A_TURN = 40


class Chooser(Protocol):
    """Decisions in an automatic fight: commands of the active combatants, and answers to prompts."""

    def command(self, encounter: Encounter, who: str) -> Command | None:
        """Return a combatant's next command on its turn, or None if it has finished."""

    def reply(self, encounter: Encounter, prompt: Prompt, ask: Ask) -> Reply | None:
        """Return the reply to an ask, or None to use the suggested one."""

    def is_over(self, encounter: Encounter) -> bool:
        """Return whether the fight is decided."""


def suggested_reply(ask: Ask) -> Reply:
    """Return the suggested reply to an ask: roll the dice, or enter 0 for a number."""
    if ask.kind == "roll":
        if ask.spec is not None and ask.spec.fails:
            return Reply(ask.id, chosen=(FAILED,))
        if ask.spec is not None and not ask.spec.dice:  # the rules don't define a die, so only a user can enter a total
            return Reply(ask.id, skip=True)
        return Reply(ask.id, roll=True)
    if ask.kind == "number":
        return Reply(ask.id, number=0)
    if ask.kind == "targets":
        return Reply(ask.id, chosen=ask.suggested)
    if ask.kind == "order":
        return Reply(ask.id, chosen=ask.suggested or tuple(option.id for option in ask.options))
    return Reply(ask.id, chosen=(ask.suggested or (ask.options[0].id,))[:1])


class AutoPlayer:
    """Plays a session to its end with a chooser. `refused` counts choices that the rules didn't allow."""

    def __init__(self, session: Session, chooser: Chooser, *, most_rounds: int) -> None:
        self.session = session
        self.refused = 0
        self._chooser = chooser
        self._most_rounds = most_rounds

    def play(self) -> bool:
        """Play from the current state. Return whether the fight was decided within the maximum number of rounds."""
        while not self._is_over():
            phase = clock_of(self.session.encounter).phase
            if phase == "ended" or clock_of(self.session.encounter).round > self._most_rounds:
                return False
            if not self._answer():
                self._go_on(phase)
        return True

    def _is_over(self) -> bool:
        encounter = self.session.encounter
        return clock_of(encounter).phase == "rounds" and self._chooser.is_over(encounter)

    def _go_on(self, phase: str) -> None:
        if phase == "rounds":
            self._play_turn()
        else:
            self.session.do(AdvanceSetup() if phase == "set-up" else StartEncounter())

    def _play_turn(self) -> None:
        """Play the active turn to its end. If the turn ends automatically, don't end the following turn as well."""
        slot = active_slot(self.session.encounter)
        turn = (slot.id if slot is not None else "", clock_of(self.session.encounter).round)
        for who in members_in_turn(self.session.encounter, slot) if slot is not None else ():
            for _ in range(MOST_COMMANDS_IN_A_TURN):
                self._answer_all(turn)
                if self._is_over() or not self._is_turn(*turn):
                    return
                command = self._chooser.command(self.session.encounter, who)
                if command is None or not self._try(command):
                    break
        self._answer_all(turn)
        if self._is_turn(*turn) and not self._is_over():
            self.session.do(EndTurn(), override=True)

    def _answer_all(self, turn: tuple[str, int]) -> None:
        """Answer the open prompts of a turn. Once the fight is decided, answer only prompts that block.

        Otherwise, the answer to the end-of-turn prompt would start the turns of dying combatants after the fight.
        """
        while not self._is_over() or self._is_turn(*turn):
            if not self._answer():
                return

    def _is_turn(self, slot: str, count: int) -> bool:
        clock = clock_of(self.session.encounter)
        return clock.phase == "rounds" and (clock.active, clock.round) == (slot, count)

    def _try(self, command: Command) -> bool:
        try:
            return self.session.do(command, strict=True) is not None
        except Refused:
            self.refused += 1
            return False

    def _open(self) -> list[Prompt]:
        """Return the open prompts, or only those that block once the fight is decided."""
        prompts = open_prompts(self.session.encounter)
        return [prompt for prompt in prompts if prompt.blocks] if self._is_over() else prompts

    def _answer(self) -> bool:
        """Answer the first open prompt, or dismiss it if the answer is refused. Return whether there was one."""
        prompts, encounter = self._open(), self.session.encounter
        if not prompts:
            return False
        prompt, choose = prompts[0], self._chooser.reply
        replies = tuple(choose(encounter, prompt, ask) or suggested_reply(ask) for ask in waiting_asks(prompt))
        try:
            self.session.do(Answer(prompt.id, replies, prompt.revision))
        except Refused:
            self.refused += 1
            self.session.do(DismissPrompt(prompt.id))
        return True
