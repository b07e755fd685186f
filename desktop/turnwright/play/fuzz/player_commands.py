"""Random commands of players while rounds run: by and for any combatant, legal or not."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

from turnwright.encounter.prepared import Countdown, CoverLevel, Environment, Feature, RosterEntry
from turnwright.encounter.running import Combatant, CountdownPool, Effect, EntryState, Slot
from turnwright.encounter.state import Encounter
from turnwright.play.actions.commands.break_free import BreakFree
from turnwright.play.actions.commands.command_followers import CommandFollowers
from turnwright.play.actions.commands.take_action import TakeAction
from turnwright.play.actions.commands.use_feature import UseFeature
from turnwright.play.asking.commands.group_check import GroupCheck
from turnwright.play.attacks.commands.attack import Attack, AttackPurpose
from turnwright.play.attacks.commands.command_mount import CommandMount
from turnwright.play.attacks.commands.group_attack import GroupAttack
from turnwright.play.effects.commands.concentrate import Concentrate
from turnwright.play.environment.commands.adjust_pool import AdjustPool
from turnwright.play.environment.commands.set_entry_ready import SetEntryReady
from turnwright.play.environment.commands.set_pool_unstoppable import SetPoolUnstoppable
from turnwright.play.environment.commands.start_pool import StartPool
from turnwright.play.environment.commands.stop_pool import StopPool
from turnwright.play.environment.commands.use_entry import UseEntry
from turnwright.play.fuzz.gm_commands import RandomGmCommands
from turnwright.play.kernel.commands import Command
from turnwright.play.movement.commands.drop_prone import DropProne
from turnwright.play.movement.commands.force_move import ForceMove
from turnwright.play.movement.commands.mount_or_dismount import MountOrDismount
from turnwright.play.movement.commands.move_feet import MoveFeet
from turnwright.play.movement.commands.move_path import MovePath
from turnwright.play.movement.commands.stand_up import StandUp
from turnwright.play.queries.queries import active_combatants
from turnwright.play.session import Session
from turnwright.play.spawning.commands.add_combatants import AddCombatants
from turnwright.play.spawning.commands.bring_wave import BringWave
from turnwright.play.state.commands.restore_resource import RestoreResource
from turnwright.play.state.commands.set_relation import SetRelation
from turnwright.play.state.commands.spend_resource import SpendResource
from turnwright.play.turns.commands.go_to_turn import GoToTurn
from turnwright.play.turns.commands.join_turn import JoinTurn
from turnwright.rules.system import creature_of

Maker = Callable[[], Command | None]
FIST = Feature("fist", "Fist", "action", attack=3, reach=5, damage="1d4 bludgeoning")


class RandomPlayerCommands:
    """Random commands for a session from one generator; a maker returns None where it finds no subject."""

    def __init__(self, session: Session, rng: random.Random) -> None:
        self._session = session
        self._chance = rng
        gm_commands = RandomGmCommands(session, rng)
        makers: tuple[tuple[int, Maker], ...] = (
            (16, self._attack),
            (12, self._action),
            (10, self._move),
            (5, self._feature),
            (2, self._ride),
            (2, self._order_mount),
            (2, self._relate),
            (2, self._rise),
            (2, self._shift),
            (2, self._break_free),
            (2, self._direct),
            (1, self._group_attack),
            (1, self._group_check),
            (1, self._concentrate),
            (2, self._spend),
            (2, self._entry),
            (2, self._pool),
            (1, self._turn),
            *gm_commands.makers,
        )
        self._makers = [maker for _, maker in makers]
        self._weights = [weight for weight, _ in makers]

    def next_command(self) -> Command | None:
        """Return a random command, or None where the chosen maker finds no subject."""
        (maker,) = self._chance.choices(self._makers, self._weights)
        return maker()

    @property
    def _encounter(self) -> Encounter:
        return self._session.encounter

    # Who and what ------------------------------------------------------------------------------------------

    def _all_ids(self) -> list[str]:
        return [one.id for one in self._encounter.all(Combatant)] or [""]

    def _actor(self) -> str:
        active = [one.id for one in active_combatants(self._encounter)]
        return self._chance.choice(active if active and self._chance.random() < 0.8 else self._all_ids())

    def _other(self, who: str) -> str:
        return self._chance.choice([one for one in self._all_ids() if one != who] or [""])

    def some_combatants(self) -> tuple[str, ...]:
        """Return one to three combatants of the fight."""
        all_ids = self._all_ids()
        return tuple(self._chance.sample(all_ids, min(len(all_ids), self._chance.randint(1, 3))))

    def _features(self, who: str) -> list[Feature]:
        one = self._encounter.get(Combatant, who)
        return list(creature_of(self._encounter, one).features) if one else []

    def _weapon(self, who: str) -> Feature:
        return self._chance.choice(
            [one for one in self._features(who) if one.attack is not None or one.ability] or [FIST]
        )

    def _check(self) -> str:
        rules = self._session.rules.data
        skill = self._chance.choice(rules.skills) if rules.skills and self._chance.random() < 0.6 else None
        return f"{skill.ability}:{skill.id}" if skill else self._chance.choice(rules.abilities).id

    # What is done ------------------------------------------------------------------------------------------

    def _attack(self) -> Command:
        who = self._actor()
        weapon = self._weapon(who)
        purposes: tuple[AttackPurpose, ...] = (
            "",
            "",
            "",
            "",
            "off-hand",
            "opportunity",
            "readied",
            "legendary",
            "free",
        )
        facts = self._chance.choice(((), (), ("advantage",), ("flanks",), ("cover:half",)))
        thrown = self._chance.random() < 0.1
        return Attack(
            who, self._other(who), weapon.id, weapon, self._chance.choice(purposes), thrown=thrown, facts=facts
        )

    def _action(self) -> Command:
        who = self._actor()
        own = [one.id for one in self._features(who) if one.cost != "trait"]
        options = {one.id: one for one in self._session.rules.data.actions}
        action = self._chance.choice([*options, *own])
        targets = (self._other(who),) if self._chance.random() < 0.7 else ()
        option = options.get(action)
        sets_choices = self._chance.random() < 0.5
        return TakeAction(
            who,
            action,
            targets=targets,
            about=self._other(who),
            note="at random" if self._chance.random() < 0.5 else "",
            cost=self._chance.choice(option.costs) if option and option.costs and sets_choices else "",
            choice=self._chance.choice(option.choices).id if option and option.choices and sets_choices else "",
            points=self._chance.choice((None, 0, 1, 2, 4)) if option and not option.price else None,
        )

    def _move(self) -> Command | None:
        who = self._actor()
        one = self._encounter.get(Combatant, who)
        if one is None:
            return None
        mode = self._chance.choice(["walk", "walk", *(speed.id for speed in self._session.rules.data.speeds)])
        drags = self._other(who) if self._chance.random() < 0.05 else ""
        if one.position is not None and self._chance.random() < 0.7:
            return MovePath(who, tuple(self._wander(one.position, self._chance.randint(1, 6))), mode, drags=drags)
        feet = 5 * self._chance.randint(0, 8)
        up = self._chance.choice((0, 0, feet, -feet)) if mode in ("fly", "climb", "swim") else 0
        leaves = (self._other(who),) if self._chance.random() < 0.3 else ()
        return MoveFeet(who, feet, mode, up=up, leaves=leaves, drags=drags)

    def _wander(self, at: tuple[int, int], steps: int) -> Iterator[tuple[int, int]]:
        column, row = at
        for _ in range(steps):
            column, row = column + self._chance.randint(-1, 1), row + self._chance.randint(-1, 1)
            yield (max(0, column), max(0, row))

    def _feature(self) -> Command | None:
        who = self._actor()
        spells = self._session.rules.data.spells
        if spells and self._chance.random() < 0.1:
            spell = self._chance.choice(spells)
            cubes = tuple((number, 0, 0) for number in range(spell.cubes))
            return UseFeature(who, spell=spell.id, targets=self.some_combatants(), cubes=cubes)
        features = [one for one in self._features(who) if one.attack is None and one.cost != "trait"]
        if not features:
            return None
        one = self._chance.choice(features)
        level = self._chance.choice((None, None, one.level, 1))
        return UseFeature(who, one.id, targets=self.some_combatants(), level=level)

    def _ride(self) -> Command:
        who = self._actor()
        return MountOrDismount(who, self._chance.choice(("", self._other(who))), controlled=self._chance.random() < 0.7)

    def _order_mount(self) -> Command | None:
        riders = [one for one in self._encounter.all(Combatant) if one.rides]
        movement = self._session.rules.data.movement
        orders = [*movement.free_orders, *movement.paid_orders]
        if not riders or not orders:
            return None
        rider = self._chance.choice(riders)
        weapon = self._weapon(rider.rides).id
        return CommandMount(
            rider.id, self._chance.choice(orders), target=self._other(rider.id), weapon=weapon, check=self._check()
        )

    def _relate(self) -> Command:
        who = self._actor()
        grades: tuple[CoverLevel, ...] = ("", "none", "half", "three-quarters", "total")
        return SetRelation(
            who,
            self._other(who),
            distance=self._chance.choice((None, 5, 10, 30, 200)),
            cover=self._chance.choice(grades),
            seen=self._chance.choice((None, True, False)),
            reached=self._chance.choice((None, None, True, False)),
            forget=self._chance.random() < 0.1,
        )

    def _rise(self) -> Command:
        who = self._actor()
        return self._chance.choice((StandUp(who), DropProne(who), DropProne(self._other(who), react=True)))

    def _shift(self) -> Command:
        who = self._actor()
        one = self._encounter.get(Combatant, who)
        at = one.position if one is not None and one.position is not None else (3, 3)
        to = next(self._wander(at, 1))
        return self._chance.choice(
            (ForceMove(who, to), ForceMove(who, to, "teleport"), ForceMove(who, to, "provoking"))
        )

    def _break_free(self) -> Command | None:
        grappled = self._session.rules.role("grappled")
        held = [one.id for one in self._encounter.all(Effect) if one.break_free or one.name == grappled]
        return BreakFree(self._chance.choice(held)) if held else None

    def _direct(self) -> Command | None:
        led = [one for one in self._encounter.all(Combatant) if one.controller]
        if not led:
            return None
        one = self._chance.choice(led)
        members = [each.id for each in led if each.group and each.group == one.group] or [one.id]
        action = self._chance.choice(("attack", "dash", "dodge"))
        return CommandFollowers(
            one.controller, tuple(members), action, target=self._chance.choice(("", self._other(one.id)))
        )

    def _group_attack(self) -> Command | None:
        grouped = [one for one in self._encounter.all(Combatant) if one.group]
        if not grouped:
            return None
        first = self._chance.choice(grouped)
        members = tuple(one.id for one in grouped if one.group == first.group)
        weapon = self._weapon(first.id)
        return GroupAttack(members, self._other(first.id), weapon.id, weapon)

    def _group_check(self) -> Command:
        return GroupCheck(self.some_combatants(), self._check(), dc=self._chance.choice((0, 12)))

    def _concentrate(self) -> Command:
        return Concentrate(self._actor(), self._chance.choice(("", "a light in the dark")))

    def _spend(self) -> Command:
        resource = self._chance.choice(self._session.rules.data.resources).id
        who = self._chance.choice((self._actor(), self._other("")))
        return self._chance.choice(
            (SpendResource(who, resource), SpendResource(who, resource), RestoreResource(who, resource))
        )

    # The world and the order -------------------------------------------------------------------------------

    def _entry(self) -> Command | None:
        entries = [
            (place.id, row.id)
            for place in self._encounter.all(Environment)
            for row in (*place.features, *place.actions)
        ]
        if not entries:
            return None
        place, row = self._chance.choice(entries)
        if self._chance.random() < 0.2 and self._encounter.get(EntryState, f"{place}.{row}"):
            return SetEntryReady(place, row, ready=self._chance.random() < 0.5)
        return UseEntry(place, row, actor=self._chance.choice(("", self._actor())))

    def _pool(self) -> Command | None:
        pools = [*self._encounter.all(CountdownPool)]
        if pools and self._chance.random() < 0.7:
            pool = self._chance.choice(pools).id
            return self._chance.choice(
                (
                    *(AdjustPool(pool, 1), AdjustPool(pool, -1), AdjustPool(pool, 1)),
                    *(StopPool(pool), SetPoolUnstoppable(pool, unstoppable=self._chance.random() < 0.5)),
                )
            )
        waves = {entry.wave for entry in self._encounter.all(RosterEntry) if entry.wave}
        if waves and self._chance.random() < 0.1:
            return BringWave(self._chance.choice(sorted(waves)))
        countdowns = [*self._encounter.all(Countdown)]
        return StartPool(self._chance.choice(countdowns).id) if countdowns else None

    def _turn(self) -> Command | None:
        slots = [one.id for one in self._encounter.all(Slot)]
        entries = [one.id for one in self._encounter.all(RosterEntry)]
        draw = self._chance.random()
        if draw < 0.3 and entries:
            return AddCombatants(self._chance.choice(entries), self._chance.choice((None, 12)))
        if not slots:
            return None
        slot = self._chance.choice(slots)
        return JoinTurn(self._chance.choice(("", slot))) if draw < 0.6 else GoToTurn(slot)
