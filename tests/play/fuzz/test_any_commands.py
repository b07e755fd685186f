"""Any commands in any order: nothing raises but a refusal, undo and redo lead back and forth, saving keeps all."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from tests.effort import examples
from tests.table import a5e, creature, environment
from turnwright.encounter.prepared import (
    AddWave,
    Announce,
    Area,
    Countdown,
    DealDamage,
    Environment,
    Feature,
    InflictedCondition,
    Map,
    Obstacle,
    RosterEntry,
    Scene,
    StartCountdown,
    TriggerEntry,
)
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.asks import Ask, Prompt, Reply
from turnwright.encounter.running import Clock, Combatant, CountdownPool, Duration, Effect, Slot, Track
from turnwright.encounter.state import Encounter, Record
from turnwright.play.actions.action import TakeAction
from turnwright.play.actions.contest import BreakFree
from turnwright.play.asking.answer import Answer, DismissPrompt
from turnwright.play.attacks.attack_request import Attack
from turnwright.play.attacks.group_attack import CommandMount
from turnwright.play.damage.damage_roll import ApplyDamage, GrantTempHp
from turnwright.play.damage.manual_hit_points import Heal, PassTime, Rest, SetDead, SetHitPoints, SetTrack
from turnwright.play.effects.concentration import Concentrate
from turnwright.play.effects.conditions import ApplyCondition, ApplyPersistentDamage, EndEffect, SetEffectNote
from turnwright.play.environment.countdown_pools import AdjustPool, SetPoolUnstoppable, StartPool, StopPool
from turnwright.play.environment.entry_readiness import SetEntryReady
from turnwright.play.environment.environment_effect import UseEntry
from turnwright.play.kernel.transaction import Command, Refused
from turnwright.play.movement.commanded_move import MoveFeet, MovePath
from turnwright.play.movement.forced_movement import DropProne, ForceMove, StandUp
from turnwright.play.movement.mounting import MountOrDismount
from turnwright.play.queries import queries
from turnwright.play.session import Session
from turnwright.play.setup.encounter_course import AdvanceSetup, ResetToPrepared, StartEncounter
from turnwright.play.setup.prepared_records import Edit, Remove, Reorder
from turnwright.play.setup.roster import AddToEncounter
from turnwright.play.spawning.spawning import AddCombatants
from turnwright.play.state.action_economy import RestoreResource, SpendResource
from turnwright.play.state.position_changes import SetPosition, SetRelation
from turnwright.play.table.game_master import Rename, SetDice, SetHidden, SetPlan, SetStat
from turnwright.play.turn_order.surprise import (
    ActBeforeInitiative,
    CallForChecks,
    MarkSneaking,
    RollInitiative,
    SetFirstActor,
    SetInitiative,
    SetInitiativeCheck,
    SetSurprised,
)
from turnwright.play.turns.turns import EndEncounter, EndTurn, GoToTurn, JoinTurn, RemoveCombatant
from turnwright.storage.encounters import EncounterFile, parse_encounter
from turnwright.storage.fights import fight_text, parse_fight

PATH = Path("any.toml")
DAMAGE = ("7", "2d6+3 fire", "6 slashing + 8 cold", "1d4-3", "8d6 thunder", "0")
BLADES = (
    Feature(
        "axe",
        "Axe",
        "action",
        reach=5,
        damage="1d8 slashing",
        properties=("weapon",),
        afflictions=(InflictedCondition("prone"),),
    ),
    Feature(
        "knife",
        "Knife",
        "action",
        reach=5,
        range="20/60",
        damage="1d4 piercing",
        properties=("dual-wielding", "thrown"),
    ),
    Feature("sting", "Sting", "action", attack=9, reach=5, damage="1d6 poison", save="con", dc=13, half=True),
)
WAYS = (
    "",
    "attack",
    "move",
    "shove",
    "grapple",
    "burdened",
    "unburdened",
    "ignore",
    "respond",
    "roll",
    "perception",
    "let",
)
CHECKS = ("dex", "dex:stealth", "wis:perception", "str:athletics")


def start() -> Encounter:
    """A small fight with everything in it that the rules so far can touch."""
    return Encounter(
        [
            Scene(),
            creature(
                "ann", resistances=("cold",), skills=(("stealth", 5),), features=BLADES, attacks=2, gear=("shield",)
            ),
            creature("bob", hp=9, vulnerabilities=("fire",), condition_immunities=("poisoned",)),
            creature("mob", hp=12, mundane_immunity=True, features=BLADES),
            RosterEntry("ann", "ann", side="party", sneaking=True),
            RosterEntry("bobs", "bob", count=3, dying="saves"),
            RosterEntry("late", "mob", count=2, wave="second"),
            Map(
                columns=8,
                rows=8,
                ground="..,,\n.#~",
                heights="...1",
                walls=((4, 0, 4, 5),),
                obstacles=(Obstacle("cart", at=(2, 4), hp=5, ac=12),),
                areas=(Area("fog", "hazy", squares=((0, 5, 8, 2),)),),
            ),
            *(environment(id) for id in ("frigid", "hazy", "swampy", "cavernous", "furnished", "stormy")),
            Countdown(
                "one",
                "One",
                dice=2,
                speed="fast",
                outcomes=(Announce("time"), AddWave("second"), StartCountdown("two")),
            ),
            Countdown(
                "two",
                "Two",
                dice=1,
                starts=0,
                outcomes=(DealDamage("2d6 cold"), TriggerEntry("cavernous", "loose-foundation")),
            ),
        ]
    )


class AnyCommands(RuleBasedStateMachine):
    """Commands over whatever ids there are at the moment, sensible and not."""

    @initialize(seed=st.integers(0, 10_000), mode=st.sampled_from(["roll", "ask"]))
    def open(self, seed: int, mode: str) -> None:
        self.first = start()
        self.session = Session(self.first, a5e())
        self.attempt(SetDice(mode, seed=seed))  # type: ignore[arg-type]

    @property
    def encounter(self) -> Encounter:
        return self.session.encounter

    def attempt(self, command: Command, *, anyway: bool = False) -> None:
        """Do it, or be refused with nothing changed; either way undo and redo lead back and forth."""
        before, depth = self.encounter, self.session.history.depth
        try:
            step = self.session.do(command, override=anyway)
        except Refused:
            assert self.encounter is before
            return
        if step is None or self.session.history.depth != depth + 1:
            return
        after = self.encounter
        self.session.undo()
        assert self.encounter == before
        self.session.redo()
        assert self.encounter == after

    def some(self, data: st.DataObject, kind: type[Record], *, most: int = 3) -> tuple[str, ...]:
        ids = [*self.encounter.ids(kind), "nobody"]
        return tuple(data.draw(st.lists(st.sampled_from(ids[-9:]), min_size=1, max_size=most, unique=True)))

    def one(self, data: st.DataObject, kind: type[Record]) -> str:
        return self.some(data, kind, most=1)[0]

    @rule(command=st.sampled_from([StartEncounter(), AdvanceSetup(), AdvanceSetup(), RollInitiative()]))
    def sets_up(self, command: Command) -> None:
        self.attempt(command)

    @rule()
    def begins(self) -> None:
        for command in (StartEncounter(), AdvanceSetup(), AdvanceSetup(), AdvanceSetup()):
            self.attempt(command)

    @rule(times=st.integers(1, 4))
    def ends_turns(self, times: int) -> None:
        for _ in range(times):
            self.attempt(EndTurn())

    @rule(command=st.sampled_from([EndEncounter(), ResetToPrepared(), Rest("short"), Rest("long")]))
    def moves_on(self, command: Command) -> None:
        self.attempt(command)

    @rule(data=st.data(), check=st.sampled_from(CHECKS), kind=st.integers(0, 8))
    def settles_who_is_first(self, data: st.DataObject, check: str, kind: int) -> None:
        who = self.some(data, Combatant)
        commands: tuple[Command, ...] = (
            MarkSneaking(who, sneaking=data.draw(st.booleans())),
            CallForChecks(who, check, data.draw(st.sampled_from(["", "surprise"]))),
            SetSurprised(who),
            ActBeforeInitiative(who),
            SetFirstActor(next(iter(who), "")),
            JoinTurn(),
            SetInitiativeCheck(who, check, data.draw(st.sampled_from(["", "advantage", "disadvantage"]))),
            SetInitiative(tuple((each, data.draw(st.integers(-2, 30))) for each in who)),
            GoToTurn(self.one(data, Slot)),
        )
        self.attempt(commands[kind])

    @rule(data=st.data(), anyway=st.booleans(), action=st.sampled_from(["dash", "dodge", "press-the-attack", "sing"]))
    def acts(self, data: st.DataObject, anyway: bool, action: str) -> None:
        who = self.one(data, Combatant)
        resource = data.draw(st.sampled_from(["action", "bonus", "reaction", "free", "luck"]))
        feet = data.draw(st.integers(-5, 60))
        ground = data.draw(st.sampled_from(["", "frigid", "furnished", "swampy"]))
        mode = data.draw(st.sampled_from(["walk", "climb", "fly"]))
        deed = data.draw(st.sampled_from([*a5e().actions, "blade"]))
        way = data.draw(st.sampled_from(WAYS))
        targets = self.some(data, Combatant, most=2)
        command = data.draw(
            st.sampled_from(
                [
                    TakeAction(who, action),
                    TakeAction(who, deed, "it" if feet > 20 else "", targets, choice=way, about=targets[0]),
                    TakeAction(who, deed),
                    SpendResource(who, resource, "it"),
                    RestoreResource(who, resource),
                    MoveFeet(who, feet, mode, ground, turned=feet > 20),
                    SetPlan(who, "run"),
                    SetTrack(who, "fatigue", feet),
                ]
            )
        )
        self.attempt(command, anyway=anyway)

    @rule(
        data=st.data(),
        means=st.sampled_from(["", "axe", "knife", "sting"]),
        purpose=st.sampled_from(["", "", "off-hand", "opportunity", "free"]),
        how=st.sampled_from(["", "thrown", "at", "row", "advantage", "cover:total"]),
        anyway=st.booleans(),
    )
    def attacks(self, data: st.DataObject, means: str, purpose: str, how: str, anyway: bool) -> None:
        target = "cavernous.stalactites" if how == "row" else self.one(data, Combatant)
        facts = (how,) if how in ("advantage", "cover:total") else ()
        command = Attack(
            self.one(data, Combatant),
            target,
            means,
            purpose=purpose,  # type: ignore[arg-type]
            at=(2, 2) if how == "at" else None,
            thrown=how == "thrown",
            facts=facts,
        )
        self.attempt(command, anyway=anyway)

    @rule(
        data=st.data(), anyway=st.booleans(), across=st.integers(-1, 8), down=st.integers(0, 8), kind=st.integers(0, 9)
    )
    def moves_about(self, data: st.DataObject, anyway: bool, across: int, down: int, kind: int) -> None:
        who, other = self.one(data, Combatant), self.one(data, Combatant)
        here = self.encounter.get(Combatant, who)
        column, row = (here.position if here is not None else None) or (across, down)
        mode = data.draw(st.sampled_from(["walk", "fly", "swim"]))
        commands: tuple[Command, ...] = (
            SetPosition(who, position=(max(0, across), down), elevation=5 * down),
            MovePath(who, ((column + 1, row), (column + 1, row + 1)), mode, drags=other if down > 6 else ""),
            MovePath(who, ((column, row),), mode, heights=(5 * across,)),
            ForceMove(who, (across, down), data.draw(st.sampled_from(["forced", "teleport", "provoking"]))),
            MountOrDismount(who, other, controlled=down > 3),
            MountOrDismount(who),
            CommandMount(who, data.draw(st.sampled_from(["dash", "attack", "check", "sing"])), other, check="str"),
            StandUp(who),
            DropProne(who, react=down > 3),
            MoveFeet(who, 5 * down, mode, up=across, leaves=(other,), drags=other if down > 6 else ""),
        )
        self.attempt(commands[kind], anyway=anyway)

    @rule(data=st.data(), damage=st.sampled_from(DAMAGE), share=st.sampled_from(["full", "half", "double"]))
    def harms(self, data: st.DataObject, damage: str, share: str) -> None:
        self.attempt(ApplyDamage(self.some(data, Combatant), damage, "test", share=share))  # type: ignore[arg-type]

    @rule(data=st.data(), amount=st.integers(-1, 30), kind=st.integers(0, 7), anyway=st.booleans())
    def helps(self, data: st.DataObject, amount: int, kind: int, anyway: bool) -> None:
        who = self.some(data, Combatant)
        commands: tuple[Command, ...] = (
            Heal(who, amount, "spell"),
            GrantTempHp(who, amount),
            SetHitPoints(who[0], hp=amount, temp_hp=amount // 2),
            SetDead(who[0], dead=amount % 2 == 0),
            ApplyCondition(who, "poisoned", ends=Duration("turn-end", who[0], skip=amount % 2)),
            ApplyCondition(who, "restrained", ends=Duration("turn-start", who[0])),
            ApplyCondition(who, "prone"),
            ApplyCondition(who, "speed:fly", value=60),
        )
        self.attempt(commands[kind], anyway=anyway)

    @rule(data=st.data(), damage=st.sampled_from(DAMAGE), kind=st.integers(0, 5), attack=st.sampled_from(["melee", ""]))
    def wears_down(self, data: st.DataObject, damage: str, kind: int, attack: str) -> None:
        who, by = self.some(data, Combatant), self.one(data, Combatant)
        commands: tuple[Command, ...] = (
            ApplyDamage(who, damage, by=by, attack=attack, critical=kind % 2 == 0),  # type: ignore[arg-type]
            ApplyPersistentDamage(who, damage, "it is doused" if attack else ""),
            Concentrate(by, "it"),
            SetEffectNote(self.one(data, Effect), attack),
            PassTime(kind),
            Rest("long", haven=bool(attack)),
        )
        self.attempt(commands[kind])

    @rule(data=st.data(), feet=st.sampled_from([None, 0, 5, 30, -5]), kind=st.integers(0, 4), told=st.booleans())
    def places(self, data: st.DataObject, feet: int | None, kind: int, told: bool) -> None:
        one, other = self.one(data, Combatant), self.one(data, Combatant)
        square = (data.draw(st.integers(-1, 8)), data.draw(st.integers(0, 8)))
        commands: tuple[Command, ...] = (
            SetRelation(one, other, distance=feet, height=feet),
            SetRelation(one, other, cover="half" if told else "total", seen=told, flanked=told, reached=told),
            SetRelation(one, other, forget=True),
            SetStat(one, "passive.perception", feet or 0),
            SetPosition(one, position=square, elevation=feet),
        )
        self.attempt(commands[kind], anyway=told)

    @rule(data=st.data(), anyway=st.booleans())
    def ends_an_effect(self, data: st.DataObject, anyway: bool) -> None:
        effect = self.one(data, Effect)
        self.attempt(data.draw(st.sampled_from([EndEffect(effect), BreakFree(effect)])), anyway=anyway)

    @rule(data=st.data(), anyway=st.booleans(), attack=st.sampled_from([None, 11, 12]), level=st.integers(0, 2))
    def sets_a_row_off(self, data: st.DataObject, anyway: bool, attack: int | None, level: int) -> None:
        place = self.encounter.get(Environment, self.one(data, Environment))
        row = data.draw(st.sampled_from([*place.features, *place.actions])) if place else None
        if place is None or row is None:
            return
        actor = data.draw(st.sampled_from(["", *self.encounter.ids(Combatant)[:4]]))
        targets = self.some(data, Combatant) if data.draw(st.booleans()) else ()
        use = UseEntry(place.id, row.id, actor, targets, attack=attack, level=level)
        ready = SetEntryReady(place.id, row.id, ready=level > 0)
        self.attempt(data.draw(st.sampled_from([use, use, ready])), anyway=anyway)

    @rule(data=st.data(), by=st.integers(-3, 3), kind=st.integers(0, 3))
    def counts_down(self, data: st.DataObject, by: int, kind: int) -> None:
        pool = self.one(data, CountdownPool)
        commands: tuple[Command, ...] = (
            AdjustPool(pool, by, "a deed"),
            StopPool(pool),
            SetPoolUnstoppable(pool, unstoppable=by > 0),
            StartPool(self.one(data, Countdown)),
        )
        self.attempt(commands[kind])

    @precondition(lambda self: queries.open_prompts(self.encounter))
    @rule(data=st.data(), how=st.sampled_from(["roll", "typed", "skip", "chosen", "stale"]))
    def answers(self, data: st.DataObject, how: str) -> None:
        prompt = data.draw(st.sampled_from(queries.open_prompts(self.encounter)))
        asks = queries.waiting_asks(prompt)
        chosen = asks if data.draw(st.booleans()) else asks[:1]
        revision = prompt.revision + (how == "stale")
        self.attempt(Answer(prompt.id, tuple(_reply(data, ask, how) for ask in chosen), revision))

    @precondition(lambda self: queries.open_prompts(self.encounter))
    @rule()
    def takes_the_likely_answers(self) -> None:
        for prompt in queries.open_prompts(self.encounter):
            current = self.encounter.get(Prompt, prompt.id)
            if current is not None:
                replies = tuple(_likely(ask) for ask in queries.waiting_asks(current))
                self.attempt(Answer(current.id, replies, current.revision))

    @rule(data=st.data())
    def puts_a_prompt_aside(self, data: st.DataObject) -> None:
        self.attempt(DismissPrompt(self.one(data, Prompt)))

    @rule(data=st.data(), kind=st.integers(0, 5), number=st.integers(0, 3))
    def changes_who_is_there(self, data: st.DataObject, kind: int, number: int) -> None:
        who = self.one(data, Combatant)
        newcomer = creature("cat", hp=4)
        commands: tuple[Command, ...] = (
            AddCombatants(self.one(data, RosterEntry), initiative=number or None),
            RemoveCombatant(who),
            SetPosition(who, place="there", outside=("frigid",) if number else ()),
            Rename(who, "Zed" * number),
            SetHidden((who,), hidden=bool(number)),
            AddToEncounter(newcomer, RosterEntry("cat", "cat", count=number)),
        )
        self.attempt(commands[kind])

    @rule(data=st.data(), number=st.integers(0, 4))
    def edits(self, data: st.DataObject, number: int) -> None:
        kind = data.draw(st.sampled_from([RosterEntry, Environment, Countdown]))
        record = self.encounter.get(kind, self.one(data, kind))
        if record is None:
            return
        changed = msgspec.structs.replace(record, notes="x" * number)
        if isinstance(changed, Countdown):
            changed = msgspec.structs.replace(changed, dice=number)
        choices = [Edit(changed), Edit(changed, merge="notes"), Reorder((kind.table, record.id), number)]
        self.attempt(data.draw(st.sampled_from([*choices, Remove(((kind.table, record.id),))])))

    @rule(back=st.integers(1, 6), forth=st.integers(0, 6))
    def goes_back_and_forth(self, back: int, forth: int) -> None:
        for _ in range(back):
            self.session.undo()
        for _ in range(forth):
            self.session.redo()

    @invariant()
    def nothing_is_out_of_bounds(self) -> None:
        for one in self.encounter.all(Combatant):
            assert 0 <= one.hp <= one.hp_max
            assert one.temp_hp >= 0
        for track in self.encounter.all(Track):
            assert track.value >= 0
            assert not track.maximum or track.value <= track.maximum
        clock = self.encounter.get(Clock, "clock")
        if clock is not None and clock.active:
            assert self.encounter.get(Slot, clock.active) is not None
        procedures = {procedure.id for procedure in self.encounter.all(Procedure)}
        waited_for = {procedure.parent for procedure in self.encounter.all(Procedure)}
        for prompt in self.encounter.all(Prompt):
            assert prompt.procedure in procedures
            assert queries.waiting_asks(prompt) or prompt.procedure in waited_for

    def teardown(self) -> None:
        if not hasattr(self, "session"):
            return
        self._saves_and_loads()
        after = self.encounter
        steps = self.session.history.depth
        for _ in range(steps):
            assert self.session.undo()
        assert self.encounter == self.first
        assert not self.session.undo()
        for _ in range(steps):
            assert self.session.redo()
        assert self.encounter == after

    def _saves_and_loads(self) -> None:
        text = EncounterFile().render(self.encounter)
        loaded = parse_encounter(text.encode(), PATH, {"a5e"})
        assert loaded.encounter is not None, loaded.findings
        fight = parse_fight(fight_text(self.encounter, (), "").encode(), PATH, loaded.encounter)
        assert fight.records is not None, fight.findings
        assert Encounter((*loaded.encounter, *fight.records)) == self.encounter


def _reply(data: st.DataObject, ask: Ask, how: str) -> Reply:
    if how == "skip":
        return Reply(ask.id, skip=True)
    if how == "roll":
        return _likely(ask)
    if ask.kind == "roll" or how == "typed":
        return Reply(ask.id, typed=data.draw(st.sampled_from(["17", "20!", "?", "3 4", "x", "6", ""])))
    if ask.kind == "number":
        return Reply(ask.id, number=data.draw(st.integers(-1, 5)))
    options = [option.id for option in ask.options]
    return Reply(ask.id, chosen=tuple(data.draw(st.lists(st.sampled_from([*options, "?"]), max_size=3, unique=True))))


def _likely(ask: Ask) -> Reply:
    answer: dict[str, Callable[[], Reply]] = {
        "roll": lambda: Reply(ask.id, roll=True),
        "number": lambda: Reply(ask.id, number=0),
        "choice": lambda: Reply(ask.id, chosen=(ask.suggested or (ask.options[0].id,))[:1]),
        "targets": lambda: Reply(ask.id, chosen=ask.suggested),
    }
    return answer[ask.kind]()


PHASES = (Phase.explicit, Phase.reuse, Phase.generate, Phase.shrink)  # explaining a failure takes minutes
TestAnyCommands = AnyCommands.TestCase
TestAnyCommands.settings = settings(max_examples=examples(15), stateful_step_count=50, deadline=None, phases=PHASES)
