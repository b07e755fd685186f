"""A script's fight once more, with the table's own dice: every roll is asked for, and typed as a person would.

The faces on a script's `dice` lines are what the table's dice show. They are typed in turn as totals and as naturals, a
countdown's face by face, so a step of the script becomes several here; `undo 3` still means three lines of the script.
Where the table rolls its own dice, it is asked as well whether a monster drops prone before a shot: none does.
"""

from __future__ import annotations

from contextlib import suppress
from itertools import cycle
from typing import NamedTuple

from turnwright.cli.script.answers import open_questions, run_answer
from turnwright.cli.script.lexer import split_words
from turnwright.cli.script.parser import parse
from turnwright.cli.script.resolve import ExpectStatement, NameResolver, RedoStatement, UndoStatement, require_expected
from turnwright.dice.rolling import ScriptedFaces, roll
from turnwright.encounter.procedure_state.asks import Ask, Reply
from turnwright.encounter.running import Combatant
from turnwright.play.asking.answer import Answer
from turnwright.play.kernel.transaction import Command, Refused
from turnwright.play.table.game_master import SetDice
from turnwright.workspace.document import Document


class Moment(NamedTuple):
    """Where the table stands: how many steps are applied, and the faces that still lie there."""

    depth: int
    faces: tuple[int, ...]


class TypedTable:
    """Plays a script on a document by answering what is asked."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._faces: tuple[int, ...] = ()
        self._before: list[Moment] = []
        self._after: list[Moment] = []
        self._manners = cycle(("total", "natural"))
        document.do(SetDice("ask"))

    def plays(self, script: str) -> None:
        for line in script.splitlines():
            words = split_words(line)
            if words and words[0].text == "dice" and words[1].text.isdecimal():
                self._faces = tuple(int(word.text) for word in words[1:])
                self._answers_rolls()
            elif words:
                self._does(words)
                self._answers_rolls()

    def _does(self, words) -> None:
        document = self._document
        parsed = parse(words, NameResolver(document.encounter, document.session.rules))
        order = parsed.statement
        if isinstance(order, UndoStatement | RedoStatement):
            self._travels(order)
            return
        if isinstance(order, ExpectStatement):
            require_expected(order, document.encounter, document.session.rules)
            return
        self._before.append(self._now)
        self._after.clear()
        with suppress(*((Refused,) if parsed.attempt else ())):
            if isinstance(order, Command):
                document.do(order, override=parsed.anyway, strict=parsed.attempt)
            else:
                run_answer(order, lambda: document.encounter, document.do)
        if self._now.depth == self._before[-1].depth:
            self._before.pop()

    @property
    def _now(self) -> Moment:
        return Moment(self._document.session.history.depth, self._faces)

    def _travels(self, order: UndoStatement | RedoStatement) -> None:
        left, go, entered = (
            (self._before, self._document.undo, self._after)
            if isinstance(order, UndoStatement)
            else (self._after, self._document.redo, self._before)
        )
        for _ in range(order.steps):
            wanted = left.pop()
            entered.append(self._now)
            while self._document.session.history.depth != wanted.depth:
                assert go()
            self._faces = wanted.faces

    def _answers_rolls(self) -> None:
        self._lets_monsters_stand()
        while self._faces:
            asked = [(prompt, ask) for prompt, ask in open_questions(self._document.encounter) if _has_dice(ask)]
            if not asked:
                return
            prompt, ask = asked[0]
            typed = self._types(ask)
            self._document.do(Answer(prompt.id, (Reply(ask.id, typed=typed),), prompt.revision))

    def _lets_monsters_stand(self) -> None:
        encounter = self._document.encounter
        for prompt, ask in open_questions(encounter):
            may_drop = any(option.id == "drop-prone" for option in ask.options)
            if may_drop and not encounter.need(Combatant, ask.who).player:
                stays = Reply(ask.id, chosen=("pass",))
                self._document.do(Answer(prompt.id, (stays,), prompt.revision))

    def _types(self, ask: Ask) -> str:
        """Take the faces that an ask needs from the table, and return what a person types for them."""
        assert ask.spec is not None
        source = ScriptedFaces(self._faces)
        fell = roll(ask.spec, source)
        self._faces = self._faces[source.used :]
        if len(fell.parts) > 1:
            return " + ".join(f"{part.total} {part.kind}" for part in fell.parts)
        # With a further die on top the d20's face alone doesn't say how much it was.
        lone = fell.natural is not None and not ask.spec.extra
        if lone and (fell.natural in (1, 20) or next(self._manners) == "natural"):
            return f"{fell.natural}!"
        if ask.label == "ask.countdown":
            return " ".join(str(die.face) for die in fell.dice)
        return str(fell.total)


def _has_dice(ask: Ask) -> bool:
    """Return whether an ask is a roll of dice that the game names; of others a script types the total."""
    return ask.kind == "roll" and ask.spec is not None and bool(ask.spec.dice)
