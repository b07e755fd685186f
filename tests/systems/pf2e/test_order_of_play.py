"""`docs/order-of-play.md` is held to Pathfinder 2e too: where it differs, what it says is followed through an encounter."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import msgspec
import pytest

from tests.play.test_order_of_play import (
    DOCUMENT,
    MOST_PROMPTS,
    Follower,
    Line,
    pseudocode,
    recording_hooks,
    recording_stages,
    reply_to,
    words_of,
)
from tests.systems.pf2e.encounters import Encounter
from tests.table import creature, pf2e
from turnwright.encounter.data_rules import DataRule
from turnwright.encounter.prepared import Feature, RosterEntry, Scene
from turnwright.encounter.procedure_state.asks import Reply
from turnwright.encounter.running import Duration
from turnwright.play.actions.action import TakeAction
from turnwright.play.asking.answer import Answer
from turnwright.play.attacks.attack_request import Attack
from turnwright.play.damage.damage_roll import ApplyDamage
from turnwright.play.damage.manual_hit_points import Heal, SetDead
from turnwright.play.effects.conditions import ApplyCondition, ApplyPersistentDamage
from turnwright.play.kernel.optional_modifiers import ALWAYS_PREFIX
from turnwright.play.kernel.transaction import Command
from turnwright.play.queries import queries
from turnwright.play.registry import command_types
from turnwright.play.setup.encounter_course import AdvanceSetup, StartEncounter
from turnwright.play.table.game_master import SetDice
from turnwright.play.turn_order.surprise import SetInitiative
from turnwright.play.turns.turns import EndEncounter, EndTurn, GoToTurn
from turnwright.rules.system_data.dying import Condition

RISE = Feature("rise", "Rise Up", "free", trigger="turn-start")
SNARL = Feature("snarl", "Snarl", "reaction", trigger="turn-end")
HASTED = (
    Condition("fast", "Fast", rules=(DataRule("resource", "action", add=1),)),
    Condition("slow", "Slow", rules=(DataRule("resource", "action", add=-1),)),
)


class Recorded(Encounter):
    """An encounter of two players who are level and an ogre, with everything recorded that the document names."""

    def __init__(self, recording: list[str], named: set[str]) -> None:
        self.recording, self.named = recording, named
        rules = recording_hooks(pf2e(), recording)
        catalogue = msgspec.structs.replace(rules.data, conditions=(*rules.data.conditions, *HASTED))
        super().__init__(
            creature("mira", features=(RISE, SNARL), hp=500),
            creature("tor", hp=500),
            creature("ogre", hp=500),
            roster=[
                RosterEntry("mira", "mira", side="party", player="Kim"),
                RosterEntry("tor", "tor", side="party", player="Kim"),
                RosterEntry("ogre", "ogre", side="enemies"),
            ],
            scene=Scene(system="pf2e", strictness="warn", treasure=("a silver ring",)),
            rules=replace(rules, data=catalogue),
        )

    def does(self, command: Command, *, anyway: bool = False) -> None:
        if type(command).__name__ in self.named:
            self.recording.append(type(command).__name__)
        super().does(command, anyway=anyway)
        for _ in range(MOST_PROMPTS):
            if not self.prompts:
                break
            prompt = self.prompt
            replies = [for_once(reply_to(ask)) for ask in queries.waiting_asks(prompt)]
            if prompt.title == "prompt.triggered":
                replies = [Reply("which", chosen=(queries.waiting_asks(prompt)[0].options[0].id,))]
            super().does(Answer(prompt.id, tuple(replies), prompt.revision))

    def plays(self) -> None:
        """Let everything befall Mira that a turn's start and end know of, and go round three times."""
        self.does(SetDice("roll", seed=3))
        self.does(StartEncounter())
        self.does(AdvanceSetup())
        self.does(SetInitiative((("mira", 15), ("tor", 15), ("ogre", 20))))
        self.does(AdvanceSetup())
        for name in ("fast", "slow"):
            self.does(ApplyCondition(("mira",), name))
        self.does(ApplyCondition(("mira",), "frightened", value=3))
        self.does(ApplyCondition(("mira",), "spell", source="Bless", by="mira", rounds=2))
        self.does(ApplyCondition(("mira",), "spell", source="Curse", rounds=2, counted="affected"))
        for name in ("Wall", "Dance"):
            self.does(ApplyCondition(("mira",), "spell", source=name, by="mira", sustained=True))
        self.does(ApplyCondition(("mira",), "concealed", ends=Duration("turn-end", "mira")))
        self.does(ApplyCondition(("mira",), "affliction", source="Venom", save="con", dc=18))
        self.does(ApplyCondition(("mira",), "reminder", due="turn-start", note="smoke"))
        self.does(ApplyCondition(("mira",), "reminder", due="turn-end", source="again", note="smoke"))
        self.does(ApplyPersistentDamage(("mira",), "1"))
        for _ in range(7):
            if self.active == "mira":
                self.does(TakeAction("mira", "sustain"))
            self.does(EndTurn())
        self.strikes_and_fells()
        for _ in range(3):
            self.does(TakeAction(self.active, "interact"))
        other = next(one for one in self.order if one != self.active)
        slot = next(one for one in queries.slots_in_order(self.encounter) if other in one.members)
        self.does(GoToTurn(slot.id))
        for who in ("mira", "tor", "ogre"):
            self.does(SetDead(who))
        self.does(EndTurn())
        self.does(EndEncounter())

    def strikes_and_fells(self) -> None:
        """Let the ogre strike Mira, who is concealed, and Tor come near death and be healed in his turn."""
        claw = Feature("claw", "Claw", "action", attack=9, damage="1d6 slashing")
        self.does(ApplyCondition(("mira",), "concealed"))
        while self.active != "ogre":
            self.does(EndTurn())
        self.does(SetDice("script", script=(15, 19, 3)))
        self.does(Attack("ogre", "mira", given=claw))
        self.does(SetDice("roll", seed=3))
        self.does(ApplyDamage(("tor",), "500"))
        for _ in range(3):
            self.does(EndTurn())
        self.does(Heal(("tor",), 500))


def for_once(reply: Reply) -> Reply:
    """The same reply, for this time only."""
    chosen = reply.chosen and tuple(id.removeprefix(ALWAYS_PREFIX) for id in reply.chosen)
    return msgspec.structs.replace(reply, chosen=chosen)


@pytest.fixture(scope="module")
def parts() -> Mapping[str, list[Line]]:
    return {**pseudocode(DOCUMENT), **pseudocode(DOCUMENT, "pf2e")}


@pytest.fixture
def recording(parts: Mapping[str, list[Line]], monkeypatch: pytest.MonkeyPatch) -> list[str]:
    recorded: list[str] = []
    recorded_stages = recording_stages(recorded)
    monkeypatch.setattr("turnwright.play.registry.stages", lambda: recorded_stages)
    named = set().union(*map(words_of, parts.values())) & command_types().keys()
    Recorded(recorded, named).plays()
    return recorded


def test_an_encounter_goes_by_the_document(parts: Mapping[str, list[Line]], recording: list[str]) -> None:
    follower = Follower(parts, recording)
    reached = follower.after_all(parts["encounter"], {0})
    lost = follower.furthest
    assert len(recording) in reached, f"after {recording[max(0, lost - 12) : lost]} not {recording[lost : lost + 6]}"


def test_it_comes_to_everything_in_which_the_game_differs(recording: list[str]) -> None:
    assert set().union(*map(words_of, pseudocode(DOCUMENT, "pf2e").values())) <= set(recording)
