"""Playing an encounter at random: any legal command, any answer, and a look at whether all is still well.

It finds what nobody thought of trying. The same seed plays the same fight on the same encounter.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence

import msgspec

from turnwright.encounter.pending import Ask
from turnwright.encounter.prepared import Countdown, Environment, Feature, Grade
from turnwright.encounter.running import Clock, Combatant, Effect, EntryState, Pool
from turnwright.encounter.state import Encounter
from turnwright.play import commands as do
from turnwright.play.commands import Purpose
from turnwright.play.inquiries import active_combatants, open_prompts, waiting_asks
from turnwright.play.invariants import all_undone_and_redone, problems, undo_and_redo_agree
from turnwright.play.refusals import Refused
from turnwright.play.session import Session
from turnwright.rules.system import creature_of

MOST_TRIES = 40
MOST_A_ROUND = 400
Maker = Callable[[], do.Command | None]
RoundCheck = Callable[[Session], Sequence[str]]


class Report(msgspec.Struct):
    """How a rehearsal went: rounds begun, commands carried out and refused, and what was found wrong, with the last command."""

    rounds: int = 0
    commands: int = 0
    refused: int = 0
    problems: tuple[str, ...] = ()
    last: str = ""


class Rehearsal:
    """One encounter played at random. `each_round` is asked after every round for anything else that is wrong."""

    def __init__(self, session: Session, seed: int, each_round: RoundCheck | None = None) -> None:
        self.session = session
        self.report = Report()
        self._first = session.encounter
        self._chance = random.Random(seed)
        self._each_round = each_round
        self._this_turn = 0
        self._makers: tuple[tuple[int, Maker], ...] = (
            (8, self._attack),
            (6, self._action),
            (5, self._move),
            (2, self._feature),
            (2, self._damage),
            (2, self._heal),
            (2, self._condition),
            (1, self._end_effect),
            (1, self._temporary),
            (1, self._entry),
            (1, self._pool),
            (1, self._dice),
            (1, self._ride),
            (1, self._relate),
            (1, self._dead),
            (1, self._react),
        )

    @property
    def encounter(self) -> Encounter:
        """The encounter as it stands."""
        return self.session.encounter

    # Playing -----------------------------------------------------------------------------------------------

    def play(self, rounds: int) -> Report:
        """Play so many rounds, or until the fight ends or something is wrong; return how it went."""
        self._open()
        seen = 0
        while not self.report.problems and self.report.commands < rounds * MOST_A_ROUND:
            clock = self._clock()
            if clock.phase != "rounds" and not open_prompts(self.encounter):
                break
            if clock.round > seen:
                self._check_round(seen)
                seen = clock.round
                self.report.rounds = seen
                if seen > rounds:
                    break
            self._go_on()
        self._check_round(seen)
        return self.report

    def _open(self) -> None:
        seed = self._chance.randrange(10**9)
        self._try(do.SetDice(self._chance.choice(("roll", "roll", "ask")), seed=seed))
        if self._clock().phase != "rounds":
            self._try(do.StartEncounter())
        for _ in range(200):
            if self._clock().phase != "set-up" or self.report.problems:
                return
            if open_prompts(self.encounter):
                self._answer()
            else:
                self._try(do.AdvanceSetup())

    def _go_on(self) -> None:
        if open_prompts(self.encounter):
            self._answer()
            return
        if self._chance.random() < 0.1 + 0.06 * self._this_turn:
            self._this_turn = 0
            if self._try(do.EndTurn()):
                return
        for _ in range(MOST_TRIES):
            (maker,) = self._chance.choices(
                [maker for _, maker in self._makers], [weight for weight, _ in self._makers]
            )
            command = maker()
            if command is not None and self._try(command):
                self._this_turn += 1
                return
        self._try(do.EndTurn())

    def _try(self, command: do.Command) -> bool:
        """Carry out a command and look whether all is well; False where it was refused, with nothing changed."""
        before = self.encounter
        try:
            self.session.do(command)
        except Refused:
            self.report.refused += 1
            if self.encounter is not before:
                self._found(["a refused command changed something"], command)
            return False
        self.report.commands += 1
        self._found([*problems(self.encounter), *undo_and_redo_agree(self.session)], command)
        return True

    def _check_round(self, number: int) -> None:
        if number and not self.report.problems:
            found = all_undone_and_redone(self.session, self._first)
            self._found([*found, *(self._each_round(self.session) if self._each_round else ())], None)

    def _found(self, wrong: Sequence[str], command: do.Command | None) -> None:
        self.report.last = repr(command) if command else self.report.last
        self.report.problems = (*self.report.problems, *wrong)

    def _clock(self) -> Clock:
        return self.encounter.get(Clock, "clock") or Clock()

    # Answering ---------------------------------------------------------------------------------------------

    def _answer(self) -> None:
        prompt = self._chance.choice(open_prompts(self.encounter))
        for _ in range(MOST_TRIES):
            replies = tuple(self._reply(each) for each in waiting_asks(prompt))
            if self._try(do.Answer(prompt.id, replies, prompt.revision)):
                return
        self._try(do.Withdraw(prompt.id))

    def _reply(self, asked: Ask) -> do.Reply:
        draw = self._chance.random()
        if draw < 0.05:
            return do.Reply(asked.id, skip=True)
        if asked.kind == "roll":
            if draw < 0.7:
                return do.Reply(asked.id, roll=True)
            return do.Reply(asked.id, typed=self._chance.choice(("?", "1!", "20!", str(self._chance.randint(1, 25)))))
        if asked.kind == "number":
            return do.Reply(asked.id, number=self._chance.randint(0, min(asked.most or 20, 30)))
        options = [option.id for option in asked.options]
        if asked.kind == "choice":
            return do.Reply(asked.id, chosen=(self._chance.choice(options),))
        many = self._chance.randint(0, min(asked.most or len(options), len(options)))
        return do.Reply(asked.id, chosen=tuple(self._chance.sample(options, many)))

    # Making commands ---------------------------------------------------------------------------------------

    def _somebody(self) -> str:
        everybody = [one.id for one in self.encounter.all(Combatant)]
        active = [one.id for one in active_combatants(self.encounter)]
        return self._chance.choice(active if active and self._chance.random() < 0.8 else everybody or [""])

    def _other(self, who: str) -> str:
        others = [one.id for one in self.encounter.all(Combatant) if one.id != who]
        return self._chance.choice(others or [""])

    def _some(self) -> tuple[str, ...]:
        everybody = [one.id for one in self.encounter.all(Combatant)]
        return tuple(self._chance.sample(everybody, min(len(everybody), self._chance.randint(1, 3))))

    def _features(self, who: str) -> list[Feature]:
        one = self.encounter.get(Combatant, who)
        return list(creature_of(self.encounter, one).features) if one else []

    def _attack(self) -> do.Command | None:
        who = self._somebody()
        means = [one for one in self._features(who) if one.attack is not None or one.ability]
        if not means:
            means = [Feature("fist", "Fist", "action", attack=3, reach=5, damage="1d4 bludgeoning")]
        one = self._chance.choice(means)
        purposes: tuple[Purpose, ...] = ("", "", "", "off-hand", "opportunity", "readied")
        purpose = self._chance.choice(purposes)
        thrown = self._chance.random() < 0.1
        return do.Attack(who, self._other(who), one.id, one, purpose, thrown=thrown)

    def _action(self) -> do.Command | None:
        who = self._somebody()
        own = [one.id for one in self._features(who) if one.cost != "trait"]
        action = self._chance.choice([*(one.id for one in self.session.rules.catalogue.actions), *own])
        targets = (self._other(who),) if self._chance.random() < 0.7 else ()
        return do.TakeAction(who, action, targets=targets, about=self._other(who), note="at random")

    def _move(self) -> do.Command | None:
        who = self._somebody()
        one = self.encounter.get(Combatant, who)
        if one is None:
            return None
        mode = self._chance.choice(["walk", "walk", *(speed.id for speed in self.session.rules.catalogue.speeds)])
        if one.position is not None and self._chance.random() < 0.7:
            return do.Travel(who, tuple(self._wander(one.position, self._chance.randint(1, 6))), mode)
        feet = 5 * self._chance.randint(0, 8)
        up = self._chance.choice((0, 0, feet, -feet)) if mode in ("fly", "climb", "swim") else 0
        leaves = (self._other(who),) if self._chance.random() < 0.3 else ()
        return do.Move(who, feet, mode, up=up, leaves=leaves)

    def _wander(self, at: tuple[int, int], steps: int) -> Iterator[tuple[int, int]]:
        column, row = at
        for _ in range(steps):
            column, row = column + self._chance.randint(-1, 1), row + self._chance.randint(-1, 1)
            yield (max(0, column), max(0, row))

    def _feature(self) -> do.Command | None:
        who = self._somebody()
        means = [one for one in self._features(who) if one.attack is None and one.cost != "trait"]
        return do.UseFeature(who, self._chance.choice(means).id, targets=self._some()) if means else None

    def _damage(self) -> do.Command:
        dice = self._chance.choice(("3", "2d6 fire", "1d8+2 slashing", "4d10", "60"))
        return do.ApplyDamage(self._some(), dice, share=self._chance.choice(("full", "half")))

    def _heal(self) -> do.Command:
        return do.Heal(self._some(), self._chance.randint(0, 20))

    def _temporary(self) -> do.Command:
        return do.GrantTemporary(self._some(), self._chance.randint(0, 12))

    def _condition(self) -> do.Command:
        name = self._chance.choice([one.id for one in self.session.rules.catalogue.conditions])
        return do.ApplyCondition(self._some(), name)

    def _end_effect(self) -> do.Command | None:
        effects = [*self.encounter.all(Effect)]
        return do.EndEffect(self._chance.choice(effects).id) if effects else None

    def _entry(self) -> do.Command | None:
        rows = [
            (place.id, row.id) for place in self.encounter.all(Environment) for row in (*place.features, *place.actions)
        ]
        if not rows:
            return None
        place, row = self._chance.choice(rows)
        if self._chance.random() < 0.2 and self.encounter.get(EntryState, f"{place}.{row}"):
            return do.SetReady(place, row, ready=self._chance.random() < 0.5)
        return do.UseEntry(place, row, actor=self._chance.choice(("", self._somebody())))

    def _pool(self) -> do.Command | None:
        pools = [*self.encounter.all(Pool)]
        if pools and self._chance.random() < 0.7:
            return do.AdjustPool(self._chance.choice(pools).id, self._chance.choice((-1, 1)))
        countdowns = [*self.encounter.all(Countdown)]
        return do.StartPool(self._chance.choice(countdowns).id) if countdowns else None

    def _dice(self) -> do.Command:
        return do.SetDice(self._chance.choice(("roll", "ask")))

    def _ride(self) -> do.Command:
        who = self._somebody()
        return do.Ride(who, self._chance.choice(("", self._other(who))), controlled=self._chance.random() < 0.7)

    def _relate(self) -> do.Command:
        who = self._somebody()
        distance = self._chance.choice((None, 5, 10, 30, 200))
        grades: tuple[Grade, ...] = ("", "none", "half", "three-quarters", "total")
        cover = self._chance.choice(grades)
        seen = self._chance.choice((None, True, False))
        return do.Relate(who, self._other(who), distance=distance, cover=cover, seen=seen)

    def _dead(self) -> do.Command | None:
        fallen = [one.id for one in self.encounter.all(Combatant) if one.dead]
        return do.SetDead(self._chance.choice(fallen), dead=False) if fallen else None

    def _react(self) -> do.Command:
        return do.Spend(self._other(""), self._chance.choice(("reaction", "bonus", "action")))
