"""Random answers to asks, likely and unlikely, each of a type that the ask accepts."""

from __future__ import annotations

import random

from turnwright.encounter.procedure_state.asks import FAILED, Ask
from turnwright.play.asking.answer import Reply

TYPED = ("?", "1!", "20!")


class RandomAnswers:
    """Random replies from a random generator; the same seed gives the same replies."""

    def __init__(self, rng: random.Random) -> None:
        self._chance = rng

    def reply(self, ask: Ask) -> Reply:
        """Return a random reply of the type that the ask needs, or occasionally skip the ask."""
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

    def _roll(self, ask: Ask) -> Reply:
        draw = self._chance.random()
        if draw < 0.7:
            return Reply(ask.id, roll=True)
        if draw < 0.75 and ask.spec is not None and ask.spec.fails:
            return Reply(ask.id, chosen=(FAILED,))
        if draw < 0.8 and ask.options:
            return Reply(ask.id, chosen=(self._chance.choice(ask.options).id,))
        return Reply(ask.id, typed=self._chance.choice((*TYPED, str(self._chance.randint(1, 25)))))

    def _order(self, options: list[str], after: tuple[tuple[str, str], ...]) -> tuple[str, ...]:
        """Return the options in an order allowed by `after` (pairs of option and predecessor), rarely in any order."""
        if self._chance.random() < 0.1:
            return tuple(self._chance.sample(options, len(options)))
        order: list[str] = []
        while len(order) < len(options):
            remaining = [option for option in options if option not in order]
            free = [
                option
                for option in remaining
                if not any(late == option and early in remaining for late, early in after)
            ]
            order.append(self._chance.choice(free or remaining))
        return tuple(order)
