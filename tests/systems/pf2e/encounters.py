"""Encounters by the rules of Pathfinder 2e: people who act in the order named, and what is left to them."""

from __future__ import annotations

from typing import Any

from tests.table import Table, creature, pf2e
from turnwright.encounter.prepared import Creature, RosterEntry, Scene
from turnwright.encounter.procedure_state.asks import Ask
from turnwright.encounter.running import Effect
from turnwright.play.actions.action import TakeAction
from turnwright.play.effects.conditions import ApplyCondition
from turnwright.play.kernel.events import Event
from turnwright.play.queries import queries
from turnwright.play.setup.encounter_course import AdvanceSetup, StartEncounter
from turnwright.rules.system import RuleSystem


class Encounter(Table):
    """Ready to be set up; everybody is played by somebody but the foes. Those only named have a Perception of 0."""

    def __init__(
        self, *people: str | Creature, foes: tuple[str, ...] = (), rules: RuleSystem | None = None, **given: Any
    ) -> None:
        blocks = [creature(one, skills=(("perception", 0),)) if isinstance(one, str) else one for one in people]
        given.setdefault("scene", Scene(system="pf2e", strictness=given.pop("strictness", "enforce")))
        roster = given.pop("roster", None) or [
            RosterEntry(
                one.id, one.id, side="enemies" if one.id in foes else "party", player="" if one.id in foes else "Kim"
            )
            for one in blocks
        ]
        super().__init__(*blocks, foes=foes, roster=roster, rules=rules or pf2e(), **given)

    def begins(self) -> None:
        """Go on to the step of initiative."""
        for command in (StartEncounter(), AdvanceSetup()):
            self.does(command)

    def takes(self, who: str, *actions: str) -> None:
        """Take some actions one after another; the card that they end the turn with is put aside."""
        for action in actions:
            self.does(TakeAction(who, action))
        if self.prompts and self.prompt.title == "prompt.turn_over":
            self.chooses("linger")

    def casts(self, by: str, on: str, name: str, **what: Any) -> str:
        """Put an effect that lasts for a while on somebody, and return its id."""
        self.does(ApplyCondition((on,), "spell", source=name, by=by, **what))
        return self.called(name).id

    def called(self, name: str) -> Effect:
        """The effect from a source of this name."""
        return next(one for one in self.encounter.all(Effect) if name in (one.source, one.name))

    def lasts(self, name: str) -> bool:
        """Whether an effect from a source of this name still holds."""
        return any(name in (one.source, one.name) for one in self.encounter.all(Effect))

    def asked(self) -> list[tuple[str, str]]:
        """The titles of all open cards with the labels of what they ask."""
        return [(prompt.title, ask.label) for prompt in self.prompts for ask in queries.waiting_asks(prompt)]

    def ask(self) -> Ask:
        """The only thing that the most urgent card asks."""
        (ask,) = queries.waiting_asks(self.prompt)
        return ask

    def types(self, said: str) -> None:
        """Type the result of the only roll asked."""
        self.answers(**{self.ask().id.replace(".", "__").replace("-", "_"): said})

    def rule_of(self, kind: type[Event]) -> str:
        """The rule of the last event of a kind."""
        return self.happened(kind)[-1].rule


def pair(**given: Any) -> Encounter:
    """Mira's turn in round 1; an ogre after her."""
    table = Encounter("mira", "ogre", foes=("ogre",), **given)
    table.start(mira=20, ogre=10)
    return table
