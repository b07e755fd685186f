"""Random answers to asks: likely and unlikely ones, each of a kind that the ask accepts."""

from __future__ import annotations

import random

from turnwright.encounter.procedure_state.asks import FAILED, Ask
from turnwright.play.asking.commands.answer import Reply

TYPED = ("?", "1!", "20!")


class RandomAnswers:
    """Random replies from one generator, so that the same seed gives the same replies."""

    def __init__(self, rng: random.Random) -> None:
        self._chance = rng

    def reply(self, ask: Ask) -> Reply:
        """Return a reply of the kind asked for; now and then skip the ask."""
        if self._chance.random() < 0.05:
            return Reply(ask.id, skip=True)
        if ask.kind == "roll":
            return self._roll(ask)
        if ask.kind == "number":
            return Reply(ask.id, number=self._chance.randint(0, min(ask.max_choices or 20, 30)))
        options = [option.id for option in ask.options]
        if ask.kind == "choice":
            return Reply(ask.id, chosen=(self._chance.choice(options),))
        if ask.kind == "order":
            return Reply(ask.id, chosen=self._order(options, ask.must_follow))
        many = self._chance.randint(0, min(ask.max_choices or len(options), len(options)))
        return Reply(ask.id, chosen=tuple(self._chance.sample(options, many)))

    def _roll(self, asked: Ask) -> Reply:
        draw = self._chance.random()
        if draw < 0.7:
            return Reply(asked.id, roll=True)
        if draw < 0.75 and asked.spec is not None and asked.spec.fails:
            return Reply(asked.id, chosen=(FAILED,))
        if draw < 0.8 and asked.options:
            return Reply(asked.id, chosen=(self._chance.choice(asked.options).id,))
        return Reply(asked.id, typed=self._chance.choice((*TYPED, str(self._chance.randint(1, 25)))))

    def _order(self, options: list[str], after: tuple[tuple[str, str], ...]) -> tuple[str, ...]:
        """Return the options in an order where nothing precedes what it must follow (`after`); rarely in any order."""
        if self._chance.random() < 0.1:
            return tuple(self._chance.sample(options, len(options)))
        found: list[str] = []
        while len(found) < len(options):
            left = [one for one in options if one not in found]
            free = [one for one in left if not any(late == one and early in left for late, early in after)]
            found.append(self._chance.choice(free or left))
        return tuple(found)
