"""Random commands of the game master: damage and healing, effects, combatants, positions, time and rests."""

from __future__ import annotations

import random
from collections.abc import Callable

from turnwright.encounter.prepared import Environment
from turnwright.encounter.running import Combatant, Duration, Effect, Track
from turnwright.encounter.state import Encounter
from turnwright.play.damage.commands.apply_damage import ApplyDamage
from turnwright.play.damage.commands.grant_temp_hp import GrantTempHp
from turnwright.play.damage.commands.heal import Heal
from turnwright.play.damage.commands.pass_time import PassTime
from turnwright.play.damage.commands.rest import Rest
from turnwright.play.damage.commands.set_dead import SetDead
from turnwright.play.damage.commands.set_hit_points import SetHitPoints
from turnwright.play.damage.commands.set_track import SetTrack
from turnwright.play.effects.commands.apply_condition import ApplyCondition
from turnwright.play.effects.commands.apply_persistent_damage import ApplyPersistentDamage
from turnwright.play.effects.commands.end_effect import EndEffect
from turnwright.play.kernel.commands import Command
from turnwright.play.session import Session
from turnwright.play.state.commands.set_position import SetPosition
from turnwright.play.state.commands.set_stat import SetStat
from turnwright.play.table.commands.set_dice import SetDice
from turnwright.play.table.commands.set_hidden import SetHidden
from turnwright.play.table.commands.set_plan import SetPlan
from turnwright.play.turns.commands.remove_combatant import RemoveCombatant

DICE = ("3", "2d6", "1d8+2", "4d10", "60")


class RandomGmCommands:
    """Random commands that affect combatants by the game master's hand; `makers` pairs each maker with its weight."""

    def __init__(self, session: Session, rng: random.Random) -> None:
        self._session = session
        self._chance = rng
        self.makers: tuple[tuple[int, Callable[[], Command | None]], ...] = (
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
            (1, self._gm_note),
        )

    @property
    def _encounter(self) -> Encounter:
        return self._session.encounter

    def _any_combatant(self) -> str:
        return self._chance.choice([one.id for one in self._encounter.all(Combatant)] or [""])

    def _some_combatants(self) -> tuple[str, ...]:
        all_ids = [one.id for one in self._encounter.all(Combatant)]
        return tuple(self._chance.sample(all_ids, min(len(all_ids), self._chance.randint(1, 3))))

    def _damage_text(self) -> str:
        kinds = ["", *(one.id for one in self._session.rules.data.damage_types)]
        return f"{self._chance.choice(DICE)} {self._chance.choice(kinds)}".strip()

    def _damage(self) -> Command:
        return ApplyDamage(
            self._some_combatants(),
            self._damage_text(),
            share=self._chance.choice(("full", "full", "half", "double")),
            mundane=self._chance.random() < 0.2,
            critical=self._chance.random() < 0.1,
        )

    def _heal(self) -> Command:
        return Heal(self._some_combatants(), self._chance.randint(0, 20))

    def _temporary(self) -> Command:
        return GrantTempHp(self._some_combatants(), self._chance.randint(0, 12))

    def _condition(self) -> Command:
        condition = self._chance.choice(self._session.rules.data.conditions)
        ends = self._chance.choice(
            (
                Duration(),
                Duration("turn-start", self._any_combatant()),
                Duration("turn-end", self._any_combatant()),
                Duration("turn"),
            )
        )
        value = self._chance.randint(0, 3) if condition.valued else 0
        rounds = self._chance.choice((0, 0, 0, 2))
        return ApplyCondition(
            self._some_combatants(), condition.id, value=value, ends=ends, by=self._any_combatant(), rounds=rounds
        )

    def _end_effect(self) -> Command | None:
        effects = [*self._encounter.all(Effect)]
        return EndEffect(self._chance.choice(effects).id) if effects else None

    def _ongoing(self) -> Command:
        return ApplyPersistentDamage(self._some_combatants(), self._damage_text(), until="somebody puts it out")

    def _by_hand(self) -> Command:
        return SetHitPoints(self._any_combatant(), hp=self._chance.randint(0, 15))

    def _track(self) -> Command | None:
        tracks = [*self._encounter.all(Track)]
        if not tracks:
            return None
        track = self._chance.choice(tracks)
        return SetTrack(track.owner, track.name, self._chance.randint(0, track.maximum or 3))

    def _life(self) -> Command:
        fallen = [one.id for one in self._encounter.all(Combatant) if one.dead]
        if fallen and self._chance.random() < 0.8:
            return SetDead(self._chance.choice(fallen), dead=False, hp=self._chance.choice((0, 1, 5)))
        return SetDead(self._any_combatant())

    def _dice(self) -> Command:
        return SetDice(self._chance.choice(("roll", "ask")))

    def _place(self) -> Command:
        places = [one.id for one in self._encounter.all(Environment)]
        outside = tuple(self._chance.sample(places, self._chance.randint(0, len(places))))
        return self._chance.choice(
            (SetPosition(self._any_combatant(), outside=outside), SetPosition(self._any_combatant(), elevation=10))
        )

    def _remove(self) -> Command | None:
        all_ids = [*self._encounter.all(Combatant)]
        return RemoveCombatant(self._any_combatant()) if len(all_ids) > 3 else None

    def _time(self) -> Command:
        return self._chance.choice((Rest("short"), Rest("long"), PassTime(1)))

    def _gm_note(self) -> Command:
        who = self._any_combatant()
        return self._chance.choice(
            (
                SetPlan(who, "something else"),
                SetHidden(who, hidden=self._chance.random() < 0.5),
                SetStat(who, "passive.perception", self._chance.randint(5, 20)),
            )
        )
