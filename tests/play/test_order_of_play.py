"""`docs/order-of-play.md` is held to the code: a rich fight is recorded, and the recording followed through the text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from msgspec.structs import replace as replace_fields

from tests.conftest import ROOT
from tests.table import Table, a5e, creature, environment
from turnwright.encounter.data_rules import DataRule
from turnwright.encounter.prepared import (
    AddWave,
    Announce,
    Countdown,
    CreaturePhase,
    DealDamage,
    Feature,
    FeatureStep,
    InflictedCondition,
    Map,
    Reminder,
    RosterEntry,
    Scene,
    TriggerEntry,
)
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.asks import Ask, Reply
from turnwright.encounter.procedure_state.kinds import Stage
from turnwright.encounter.procedure_state.turns import ROUND_START
from turnwright.encounter.running import Combatant, CountdownPool, Duration, Effect
from turnwright.encounter.state import Lookup
from turnwright.play.actions.action import TakeAction
from turnwright.play.actions.contest import BreakFree, Wake
from turnwright.play.actions.use_feature import CommandFollowers, UseFeature
from turnwright.play.asking.answer import Answer
from turnwright.play.asking.checks import CallForSaves, GroupCheck
from turnwright.play.attacks.attack_request import Attack
from turnwright.play.attacks.group_attack import CommandMount, GroupAttack
from turnwright.play.damage.damage_roll import ApplyDamage, DealDamageWithSave, GrantTempHp
from turnwright.play.damage.manual_hit_points import Heal, PassTime, SetDead, SetHitPoints, SetTrack
from turnwright.play.effects.concentration import Concentrate
from turnwright.play.effects.conditions import ApplyCondition, ApplyPersistentDamage, EndEffect
from turnwright.play.environment.countdown_pools import AdjustPool, StartPool
from turnwright.play.environment.environment_effect import UseEntry
from turnwright.play.kernel.scheduler import Answers, StageFunction
from turnwright.play.kernel.transaction import Command, Transaction
from turnwright.play.movement.commanded_move import MoveFeet, MovePath
from turnwright.play.movement.forced_movement import DropProne, ForceMove, StandUp
from turnwright.play.movement.mounting import MountOrDismount
from turnwright.play.queries import queries
from turnwright.play.registry import command_types, stages
from turnwright.play.setup.encounter_course import AdvanceSetup, StartEncounter
from turnwright.play.setup.prepared_records import Add, Edit, Remove
from turnwright.play.spawning.spawning import AddCombatants
from turnwright.play.state.position_changes import SetPosition
from turnwright.play.table.game_master import SetDice
from turnwright.play.turn_order.surprise import CallForChecks
from turnwright.play.turns.turns import EndEncounter, EndTurn, GoToTurn
from turnwright.rules.system import NO_RESULT, Hook, HookContext, HookFunction, HookResult, RuleSystem

DOCUMENT = ROOT / "docs" / "order-of-play.md"
STAGE_NAMES = {".".join(stage) for stage in stages()}
HOOK_NAMES = {hook.name for hook in Hook}
COMMAND_NAMES = set(command_types())
MOST_PROMPTS = 100
BLADE = Feature(
    "blade",
    "Blade",
    "action",
    attack=40,
    reach=5,
    damage="1d8 slashing",
    save="con",
    dc=50,
    afflictions=(InflictedCondition("prone"), InflictedCondition("poisoned", when="hp:0")),
    save_damage="1 poison",
)
BREATH = Feature(
    "breath",
    "Breath",
    "action",
    save="dex",
    dc=13,
    damage="1d6 fire",
    half=True,
    recharge=6,
    afflictions=(InflictedCondition("prone"),),
)
TAIL = Feature("tail", "Tail", "legendary", save="dex", dc=13, damage="1d6 bludgeoning")
REGENERATION = Feature("regeneration", "Regeneration", trigger="turn-start", heals="1")
UNDYING = replace_fields(REGENERATION, rules=(DataRule("at-zero", "down"),))
DEED = Feature(
    "deed",
    "Deed",
    "action",
    does=(
        FeatureStep(use="any-melee"),
        FeatureStep(use="breath", alternative=True),
        FeatureStep(move="half"),
        FeatureStep(roll="wis:perception"),
        FeatureStep(action="dodge"),
        FeatureStep(use="both"),
    ),
)
BOTH = Feature("both", "Both", "action", does=(FeatureStep(recharges="breath"), FeatureStep(use="breath")))
HEAT = Feature("heat", "Heat", trigger="hit", save="dex", dc=5, damage="1 fire")
STENCH = Feature("stench", "Stench", trigger="other-starts", when="down", save="con", dc=10)
RISE = Feature("rise", "Rise", "free", trigger="turn-start")
SNARL = Feature("snarl", "Snarl", "free", trigger="turn-end")
LOOM = Feature("loom", "Loom", trigger="starts")
WARD = Feature(
    "ward", "Ward", trigger="attacked", rules=(DataRule("disadvantage", "attack-against"),), uses=1, per="round"
)
BLOCK = Feature("block", "Block", trigger="damage", reduces="1")
NEAR = Feature("near", "Near", trigger="enters", within=5, save="dex", dc=5)
DEFIANCE = Feature("defiance", "Defiance", trigger="dropping", heals="1", uses=1)
RISEN = CreaturePhase("risen", "Risen", at=0, hp=5)
RAGING = CreaturePhase("raging", "Raging", hp=500)
YAWN = Feature("yawn", "Yawn", "free", rests="1d4", afflictions=(InflictedCondition("poisoned", wakes="free"),))
DRAIN = InflictedCondition("drained-strength", value_dice="1d4")
CLAW = Feature("claw", "Claw", "legendary", attack=40, reach=5, damage="1d6 slashing", afflictions=(DRAIN,))
MOST_TURNS = 200  # more than enough for a die to leave its pool


# The document's grammar -----------------------------------------------------------------------------------------


@dataclass
class Line:
    """A line of the pseudocode with what is indented below it; `word` is its first word."""

    word: str
    rest: str
    below: list[Line] = field(default_factory=list)


def pseudocode(document: Path, system: str = "a5e") -> Mapping[str, list[Line]]:
    """The parts of the document's code block for a system by name: the whole for A5E, for others where they differ."""
    block = blocks(document)[system]
    top = Line("", "")
    open_lines: list[tuple[int, Line]] = [(-1, top)]
    for text in filter(str.strip, block.splitlines()):
        depth = len(text) - len(text.lstrip())
        word, _, rest = text.strip().partition(" ")
        line = Line(word, rest.strip())
        while open_lines[-1][0] >= depth:
            open_lines.pop()
        open_lines[-1][1].below.append(line)
        open_lines.append((depth, line))
    return {line.word.removesuffix(":"): line.below for line in top.below}


def blocks(document: Path) -> dict[str, str]:
    """The document's code blocks: the first is A5E's, each of the others that of the system its heading names last."""
    text = document.read_text(encoding="utf-8")
    first = re.search(r"^```\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert first is not None
    others = re.findall(r"^## [^\n]*`(\w+)`\n(?:(?!^## ).)*?^```\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    return {"a5e": first.group(1), **dict(others)}


def words_of(lines: Iterable[Line]) -> set[str]:
    """Every stage, hook and command that stands in some lines."""
    found: set[str] = set()
    for line in lines:
        if line.word not in ("do", "for", "while", "if", "either", "or"):
            found.add(line.word)
        found |= words_of(line.below)
    return found


class Follower:
    """Follows a recording through the pseudocode; `furthest` is how much of it could be followed at best."""

    def __init__(self, parts: Mapping[str, list[Line]], recording: list[str]) -> None:
        self.parts = parts
        self.recording = recording
        self.furthest = 0

    def after_all(self, lines: list[Line], places: set[int]) -> set[int]:
        """Where some lines, one after another, may lead from any of these places in the recording."""
        if not places:
            return set()
        index = 0
        while index < len(lines):
            line = lines[index]
            index += 1
            if line.word == "either":
                choices = [line]
                while index < len(lines) and lines[index].word == "or":
                    choices.append(lines[index])
                    index += 1
                places = set().union(*(self.after_all(choice.below, places) for choice in choices))
            else:
                places = self.after(line, places)
        return places

    def after(self, line: Line, places: set[int]) -> set[int]:
        """Where a line with all below it may lead."""
        if line.word == "do":
            return self.after_all(self.parts[line.rest.split("  ")[0]], places)
        if line.word == "if":
            return places | self.after_all(line.below, places)
        if line.word in ("for", "while"):
            reached, fresh = set(places), set(places)
            while fresh:
                fresh = self.after_all(line.below, fresh) - reached
                reached |= fresh
            return reached
        met = {place + 1 for place in places if self.recording[place : place + 1] == [line.word]}
        self.furthest = max([self.furthest, *met])
        return self.after_all(line.below, met)


# The recording --------------------------------------------------------------------------------------------------


def recording_hooks(system: RuleSystem, recording: list[str]) -> RuleSystem:
    """A system with every hook recorded."""

    def recorder(hook: Hook) -> HookFunction:
        def record(lookup: Lookup, rules: RuleSystem, moment: HookContext) -> HookResult:
            recording.append(hook.name)
            return NO_RESULT

        return record

    return replace(system, hooks={hook: (recorder(hook), *system.hooks.get(hook, ())) for hook in Hook})


def recording_stages(recording: list[str]) -> Mapping[Stage, StageFunction]:
    """All stages, each recorded as it is reached."""

    def recorded(name: str, function: StageFunction) -> StageFunction:
        def run(tx: Transaction, procedure: Procedure, data: object, answers: Answers) -> Procedure | None:
            recording.append(name)
            return function(tx, procedure, data, answers)

        return run

    return {stage: recorded(".".join(stage), function) for stage, function in stages().items()}


class RecordedTable(Table):
    """A table that records the commands that the document names."""

    def __init__(self, recording: list[str], named: set[str]) -> None:
        self.recording = recording
        self.named = named
        super().__init__(
            creature("ann", hp=900, skills=(("athletics", 30),)),
            creature("bob", hp=900, saves=(("con", 30),)),
            creature("orc", hp=900, saves=(("str", -30),), features=(HEAT, RISE, SNARL, WARD, BLOCK, LOOM)),
            creature("late", hp=900),
            creature("fiend", hp=5, features=(DEFIANCE,), phases=(RISEN,)),
            creature("horse", hp=900, size="large", features=(BLADE, NEAR)),
            creature("drake", hp=900, features=(BREATH, TAIL, REGENERATION, DEED, BOTH, YAWN), legendary=1),
            creature("wyrm", hp=900, features=(CLAW,), legendary=1, phases=(RAGING,)),
            creature("hound", hp=900, features=(BLADE, UNDYING)),
            foes=("orc",),
            roster=[
                RosterEntry("bob", "bob", side="party", sneaking=True, player="Kim"),
                RosterEntry("fiend", "fiend", side="enemies", dying="doomed"),
                RosterEntry("late", "late", wave="second"),
                RosterEntry("hound", "hound", count=2, side="party", controller="ann", group=True),
                RosterEntry("more", "late", count=2, wave="by hand"),
            ],
            surroundings=[environment(id) for id in ("swampy", "rocky", "furnished", "hazy", "stormy")],
            countdowns=[
                Countdown("fuse", "Fuse", dice=1, speed="fast", outcomes=(Announce("now"), AddWave("second"))),
                Countdown(
                    "slide",
                    "Slide",
                    dice=1,
                    starts=0,
                    outcomes=(TriggerEntry("rocky", "falling-rocks"), DealDamage("1d6 cold")),
                ),
            ],
            scene=Scene(strictness="off", options=("adjacent-allies", "haze-moves", "rubble-ends-suffocation")),
            rules=recording_hooks(a5e(), recording),
        )

    def does(self, command: Command, *, anyway: bool = False) -> None:
        """Record and carry out a command, then answer whatever it asks with what is suggested."""
        if type(command).__name__ in self.named:
            self.recording.append(type(command).__name__)
        super().does(command, anyway=anyway)
        for _ in range(MOST_PROMPTS):
            if not self.prompts:
                break
            prompt = self.prompt
            replies = tuple(reply_to(ask) for ask in queries.waiting_asks(prompt))
            super().does(Answer(prompt.id, replies, prompt.revision))

    def everything_once(self, who: str, other: str) -> None:
        """Do on somebody's turn all that the document lists."""
        self.does(TakeAction(who, "communicate"))
        self.does(TakeAction(who, "dash"))
        self.does(SetDice("script", script=(5,) * 40))
        self.does(Attack(who, other, given=BLADE))
        self.does(Attack(who, "furnished.chandelier", given=BLADE))
        self.does(SetDice("roll"))
        self.does(MoveFeet(who, 10))
        self.does(MoveFeet(who, 10, through="furnished"))
        self.does(ApplyDamage((who, other), "2d6 fire + 1d4 cold"))
        self.does(Heal((who, other), 2))
        self.does(GrantTempHp((who, other), 3))
        self.does(GrantTempHp((who, other), 5))
        self.does(ApplyCondition((who, other), "blinded", ends=Duration("turn-start", who)))
        self.does(ApplyCondition((other,), "prone", ends=Duration("world")))
        self.does(ApplyCondition((other,), "poisoned", ends=Duration("encounter")))
        self.does(ApplyCondition((other,), "grappled"))
        (held,) = [effect.id for effect in self.encounter.all(Effect) if effect.name == "grappled"]
        self.does(EndEffect(held))
        self.does(CallForChecks((who, other), "dex:stealth"))
        self.does(CallForSaves((who, other), "dex", 12))
        self.does(UseEntry("furnished", "mirror", actor=who))
        self.does(UseEntry("furnished", "chandelier", actor=who))
        self.does(UseEntry("rocky", "boulder", actor=who))
        self.does(AddCombatants("more"))
        self.does(StartPool("slide"))
        self.does(AdjustPool("slide", 1))
        self.does(AdjustPool("slide", -2))

    def acts(self) -> None:
        """Do actions that take a trial, a person's word, or a response."""
        self.does(SetTrack("orc", "reaction", 1))
        for action, targets, choice in (
            ("help", (), ""),
            ("tumble", ("orc",), ""),
            ("basic-maneuver", ("orc",), "disarm"),
            ("hide", (), ""),
            ("search", (), ""),
            ("sprint", (), "burdened"),
            ("improvise", (), "impossible"),
            ("press-the-attack", ("orc",), ""),
        ):
            self.does(TakeAction("ann", action, targets=targets, choice=choice))
        self.does(TakeAction("orc", "fall-back"))
        self.does(TakeAction("ann", "ready", choice="action"))
        self.does(SetTrack("ann", "reaction", 1))
        self.does(TakeAction("ann", "release-readied", choice="respond"))
        self.does(SetTrack("ann", "reaction", 1))
        for effect in [each for each in self.encounter.all(Effect) if each.name == "sprinting"]:
            self.does(EndEffect(effect.id))

    def moves_about(self) -> None:
        """Let people walk, drag and be moved, ride, drop and stand up, fall, and be thrown about, on a map and off it."""
        for effect in [each for each in self.encounter.all(Effect) if each.name in ("surprised", "blinded", "hidden")]:
            self.does(EndEffect(effect.id))
        self.does(SetTrack("orc", "reaction", 1))
        self.does(MoveFeet("ann", 5, leaves=("orc",), drags="bob"))
        self.does(UseEntry("hazy", "twisting-haze", targets=("ann",)))
        self.does(DropProne("ann"))
        self.does(StandUp("ann"))
        self.does(ApplyCondition(("orc",), "falling"))
        self.does(ApplyCondition(("orc",), "polymorphed"))
        self.does(Add((Map(columns=12, rows=12),)))
        for who, square in (("ann", (2, 2)), ("orc", (1, 2)), ("horse", (4, 2))):
            self.does(SetPosition(who, position=square))
        self.does(MovePath("ann", ((3, 2),)))
        self.does(ForceMove("ann", (3, 4)))
        self.does(SetDice("script", script=(1,) * 30))
        self.does(UseEntry("stormy", "forceful-gale", targets=("orc",)))
        for order in (("attack", "orc"), ("check", "")):
            self.does(SetTrack("ann", "reaction", 1))
            self.does(MountOrDismount("ann", "horse"))
            self.does(CommandMount("ann", "dash"))
            self.does(CommandMount("ann", *order))
            self.does(ApplyCondition(("ann" if order[1] else "horse",), "prone"))
        self.does(SetDice("roll"))
        self.does(Remove((("map", "map"),)))

    def acts_together(self) -> None:
        """Let features be used that take saves, and a group act as one."""
        self.does(TakeAction("drake", "deed"))
        self.does(UseFeature("drake", "breath", targets=("orc",)))
        self.does(UseFeature("drake", "yawn", targets=("orc",)))
        self.does(Wake(next(effect.id for effect in self.encounter.all(Effect) if effect.wakes), "ann"))
        self.does(UseFeature("ann", spell="fire-storm", targets=("orc",)))
        self.does(UseFeature("ann", spell="fireball", targets=("orc",)))
        ward = Feature(
            "ward", "Ward", "free", level=5, properties=("spell",), effect=(DataRule("modifier", "ac", add=1),)
        )
        self.does(UseFeature("ann", given=ward, targets=("orc",)))
        self.does(UseFeature("ann", spell="dispel-magic", targets=("orc",)))
        self.does(CommandFollowers("ann", ("hound-1", "hound-2"), "attack"))
        self.does(GroupAttack(("hound-1", "hound-2"), "orc", "blade"))
        self.does(GroupCheck(("hound-1", "hound-2"), "str:athletics"))

    def comes_to_zero(self) -> None:
        """Let somebody be hurt while concentrating, fall, be struck there, be brought round, and fall again."""
        self.does(Concentrate("bob", "a spell"))
        self.does(ApplyDamage(("bob",), "12"))
        self.does(ApplyCondition(("bob",), "doomed"))
        self.does(SetHitPoints("bob", hp=1))
        self.does(ApplyDamage(("bob",), "80", by="orc", attack="melee"))
        self.does(ApplyDamage(("bob",), "3", by="orc", attack="ranged"))
        self.does(Heal(("bob",), 1, source="Regeneration"))
        scene = self.encounter.need(Scene, "scene")
        self.does(Edit(replace_fields(scene, options=(*scene.options, "features-ask"))))
        self.does(ApplyDamage(("wyrm",), "600"))
        self.does(Edit(scene))
        self.does(ApplyDamage(("hound-1",), "900"))
        self.does(ApplyDamage(("fiend",), "5"))
        self.does(ApplyDamage(("bob", "fiend"), "5"))
        self.does(ApplyCondition(("ann",), "grappled", value=12))
        (held,) = [effect.id for effect in self.encounter.all(Effect) if effect.name == "grappled"]
        self.does(BreakFree(held))
        for condition, value in (("suffocating", 0), ("grappled", 1)):
            self.does(ApplyCondition(("ann",), condition, value=value))
        self.does(SetDice("script", script=(20,) * 9))
        (held,) = [effect.id for effect in self.encounter.all(Effect) if effect.name == "grappled"]
        self.does(BreakFree(held))
        self.does(SetDice("roll"))
        self.does(ApplyPersistentDamage(("orc",), "1d4 fire", "somebody douses it"))
        self.does(DealDamageWithSave(("bob", "fiend"), "2", "dex", 40, condition="prone"))
        self.does(ApplyCondition(("orc",), "poisoned", save="con", dc=10))

    def breaks_free(self) -> bool:
        """Let whoever is active spend an action to be rid of an effect that allows it; False where there is none."""
        for effect in self.encounter.all(Effect):
            if effect.break_free and effect.target == self.active:
                self.does(BreakFree(effect.id))
                return True
        return False

    def fight(self) -> None:
        """Play until the fuse has burned down, and a round longer; then nobody is left."""
        self.does(Add((Reminder("tide", "The tide turns.", round=1),)))
        self.does(SetDice("roll", seed=13))
        self.does(StartEncounter())
        for _ in range(3):
            self.does(AdvanceSetup())
        self.everything_once(self.active, "orc" if self.active != "orc" else "ann")
        self.acts()
        self.moves_about()
        self.acts_together()
        self.comes_to_zero()
        scene = self.encounter.need(Scene, "scene")
        self.does(Edit(replace_fields(scene, rolling=True)))
        self.does(GoToTurn([who for who in self.order if not self.one(who).dead][-1]))
        self.does(Edit(replace_fields(scene, options=(*scene.options, "no-initiative"))))
        self.does(EndTurn())
        self.does(Edit(scene))
        burned, freed = 0, False
        for _ in range(MOST_TURNS):
            freed = self.breaks_free() or freed
            if not burned and self.encounter.need(CountdownPool, "fuse").status == "expired":
                burned = self.clock.round
            if burned and freed and self.clock.round > burned:
                break
            self.does(EndTurn())
        alive = next(one.id for one in self.encounter.all(Combatant) if not one.dead)
        self.does(Concentrate(alive, "a call"))
        self.does(AddCombatants("more", summoner=alive))
        self.does(Concentrate(alive, "another spell"))
        self.does(ApplyCondition((alive,), "life-drained", value=999))
        for one in list(self.encounter.all(Combatant)):
            self.does(SetDead(one.id))
        self.does(EndTurn())
        self.does(EndEncounter())
        self.does(SetDead("ann", dead=False, hp=1))
        self.does(ApplyCondition(("ann",), "stable"))
        self.does(PassTime(4))


def reply_to(ask: Ask) -> Reply:
    """The likely answer: a roll, what is suggested, or else the first that may be chosen."""
    if ask.kind == "roll":
        return Reply(ask.id, roll=True)
    if ask.kind == "number":
        return Reply(ask.id, number=1)
    if ask.label == "ask.legendary":
        return Reply(ask.id, chosen=(ask.options[0].id,))
    return Reply(ask.id, chosen=ask.suggested or tuple(option.id for option in ask.options[:1]))


# ----------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def parts() -> Mapping[str, list[Line]]:
    return pseudocode(DOCUMENT)


@pytest.fixture
def recording(parts: Mapping[str, list[Line]], monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A fight in which everything that the document names happens, as stages, hooks and commands in their order."""
    recorded: list[str] = []
    recorded_stages = recording_stages(recorded)
    monkeypatch.setattr("turnwright.play.registry.stages", lambda: recorded_stages)
    named = set().union(*map(words_of, parts.values())) & COMMAND_NAMES
    RecordedTable(recorded, named).fight()
    return recorded


def test_the_document_names_every_hook_and_every_stage_and_nothing_else(parts: Mapping[str, list[Line]]) -> None:
    every = (words_of(part) for system in blocks(DOCUMENT) for part in pseudocode(DOCUMENT, system).values())
    named = set().union(*every)
    assert named & HOOK_NAMES == HOOK_NAMES
    assert {word for word in named if word.isupper()} == HOOK_NAMES
    assert {word for word in named if "." in word} == STAGE_NAMES
    assert named - HOOK_NAMES - STAGE_NAMES <= COMMAND_NAMES
    for stage in ROUND_START:
        assert ".".join(stage) in named


def test_a_fight_goes_by_the_document(parts: Mapping[str, list[Line]], recording: list[str]) -> None:
    follower = Follower(parts, recording)
    reached = follower.after_all(parts["encounter"], {0})
    lost = follower.furthest
    assert len(recording) in reached, f"after {recording[max(0, lost - 8) : lost]} not {recording[lost : lost + 3]}"


def test_the_fight_comes_to_everything_that_the_document_names(
    parts: Mapping[str, list[Line]], recording: list[str]
) -> None:
    assert set(recording) == set().union(*map(words_of, parts.values()))


@pytest.mark.sampled(1)
@pytest.mark.parametrize("change", ["exchanged", "left out", "doubled"])
def test_a_fight_in_another_order_does_not_go_by_the_document(
    parts: Mapping[str, list[Line]], recording: list[str], change: str
) -> None:
    pairs = {
        "ROUND_STARTED": "round.expire-effects",
        "round.roll-recharges": "round.after-recharge-rolls",
        "save-effect.ask-damage": "save-effect.finish",
    }
    for word, after in pairs.items():
        place = next(at for at, each in enumerate(recording) if each == word and recording[at + 1] == after)
        other = {"exchanged": [after, word], "left out": [after], "doubled": [word, word, after]}[change]
        wrong = [*recording[:place], *other, *recording[place + 2 :]]
        assert len(wrong) not in Follower(parts, wrong).after_all(parts["encounter"], {0})
