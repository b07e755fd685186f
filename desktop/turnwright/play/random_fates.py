"""Anything that befalls somebody at the game master's word: harm and help, effects, who is there, and rests."""

from __future__ import annotations

import random
from collections.abc import Callable

from turnwright.encounter.prepared import Environment
from turnwright.encounter.running import Combatant, Effect, Ends, Track
from turnwright.encounter.state import Encounter
from turnwright.play import commands as do
from turnwright.play.session import Session

DICE = ("3", "2d6", "1d8+2", "4d10", "60")


class RandomFates:
    """Makes commands by which something happens to somebody; `makers` pairs each kind with its weight."""

    def __init__(self, session: Session, chance: random.Random) -> None:
        self._session = session
        self._chance = chance
        self.makers: tuple[tuple[int, Callable[[], do.Command | None]], ...] = (
            (4, self._damage),
            (3, self._heal),
            (4, self._condition),
            (2, self._end_effect),
            (1, self._temporary),
            (1, self._ongoing),
            (1, self._by_hand),
            (1, self._track),
            (1, self._life),
            (1, self._dice),
            (1, self._place),
            (1, self._remove),
            (1, self._time),
            (1, self._said),
        )

    @property
    def _encounter(self) -> Encounter:
        return self._session.encounter

    def _one(self) -> str:
        return self._chance.choice([one.id for one in self._encounter.all(Combatant)] or [""])

    def _some(self) -> tuple[str, ...]:
        everybody = [one.id for one in self._encounter.all(Combatant)]
        return tuple(self._chance.sample(everybody, min(len(everybody), self._chance.randint(1, 3))))

    def _hurt(self) -> str:
        kinds = ["", *(one.id for one in self._session.rules.catalogue.damage_types)]
        return f"{self._chance.choice(DICE)} {self._chance.choice(kinds)}".strip()

    def _damage(self) -> do.Command:
        return do.ApplyDamage(
            self._some(),
            self._hurt(),
            share=self._chance.choice(("full", "full", "half", "double")),
            mundane=self._chance.random() < 0.2,
            critical=self._chance.random() < 0.1,
        )

    def _heal(self) -> do.Command:
        return do.Heal(self._some(), self._chance.randint(0, 20))

    def _temporary(self) -> do.Command:
        return do.GrantTemporary(self._some(), self._chance.randint(0, 12))

    def _condition(self) -> do.Command:
        condition = self._chance.choice(self._session.rules.catalogue.conditions)
        ends = self._chance.choice(
            (Ends(), Ends("turn-start", self._one()), Ends("turn-end", self._one()), Ends("turn"))
        )
        value = self._chance.randint(0, 3) if condition.valued else 0
        rounds = self._chance.choice((0, 0, 0, 2))
        return do.ApplyCondition(self._some(), condition.id, value=value, ends=ends, by=self._one(), rounds=rounds)

    def _end_effect(self) -> do.Command | None:
        effects = [*self._encounter.all(Effect)]
        return do.EndEffect(self._chance.choice(effects).id) if effects else None

    def _ongoing(self) -> do.Command:
        return do.ApplyOngoing(self._some(), self._hurt(), until="somebody puts it out")

    def _by_hand(self) -> do.Command:
        return do.SetHitPoints(self._one(), hp=self._chance.randint(0, 15))

    def _track(self) -> do.Command | None:
        tracks = [*self._encounter.all(Track)]
        if not tracks:
            return None
        track = self._chance.choice(tracks)
        return do.SetTrack(track.owner, track.name, self._chance.randint(0, track.maximum or 3))

    def _life(self) -> do.Command:
        fallen = [one.id for one in self._encounter.all(Combatant) if one.dead]
        if fallen and self._chance.random() < 0.8:
            return do.SetDead(self._chance.choice(fallen), dead=False, hp=self._chance.choice((0, 1, 5)))
        return do.SetDead(self._one())

    def _dice(self) -> do.Command:
        return do.SetDice(self._chance.choice(("roll", "ask")))

    def _place(self) -> do.Command:
        places = [one.id for one in self._encounter.all(Environment)]
        outside = tuple(self._chance.sample(places, self._chance.randint(0, len(places))))
        return self._chance.choice((do.Place(self._one(), outside=outside), do.Place(self._one(), elevation=10)))

    def _remove(self) -> do.Command | None:
        everybody = [*self._encounter.all(Combatant)]
        return do.RemoveCombatant(self._one()) if len(everybody) > 3 else None

    def _time(self) -> do.Command:
        return self._chance.choice((do.Rest("short"), do.Rest("long"), do.PassTime(1)))

    def _said(self) -> do.Command:
        who = self._one()
        return self._chance.choice(
            (
                do.SetPlan(who, "something else"),
                do.Reveal(who, hidden=self._chance.random() < 0.5),
                do.Supply(who, "passive.perception", self._chance.randint(5, 20)),
            )
        )
