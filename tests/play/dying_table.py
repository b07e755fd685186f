"""Tables with characters who make death saves, and the ways in which they are hurt."""

from __future__ import annotations

from typing import Any

from tests.table import Table, creature
from turnwright.encounter.prepared import Creature, Scene
from turnwright.encounter.procedure_state.asks import Ask
from turnwright.encounter.running import Effect
from turnwright.encounter.state import Encounter, Record
from turnwright.play.damage.damage_roll import ApplyDamage
from turnwright.play.damage.manual_hit_points import SetHitPoints, SetTrack
from turnwright.play.effects.conditions import EffectUpdated
from turnwright.play.queries import queries
from turnwright.play.session import Session
from turnwright.play.state.events import EffectEnded, EffectGained, TrackSet

MOST_TURNS = 10
ZERO = {"unconscious", "dying", "prone"}
OUT_COLD = {"unconscious", "stable", "prone"}


def hero(id: str, **fields: Any) -> Creature:
    """A player character with 20 hit points and level 5, unless fields say otherwise."""
    return creature(id, **({"tags": ("player character",), "level": 5} | fields))


class Wounded(Table):
    """A table with Ada, a character, and Brand against an orc, in round 1; the order is Ada, Brand, orc."""

    def __init__(self, *others: Creature, ada: Creature | None = None, **more: Any) -> None:
        people = (ada or hero("ada"), hero("brand"), creature("orc"), *others)
        super().__init__(*people, **({"foes": ("orc",)} | more))
        self.start(ada=20, brand=15, orc=10, **{one.id: 5 - turn for turn, one in enumerate(others)})

    def hurts(self, damage: str = "30", who: str = "ada", **how: Any) -> None:
        """Damage somebody, by no attack unless `attack` says so."""
        self.does(ApplyDamage((who,), damage, **how))

    def strikes(self, damage: str = "30", who: str = "ada", *, by: str = "orc", **how: Any) -> None:
        """Let somebody hit somebody, in melee unless `attack` says otherwise."""
        self.hurts(damage, who, by=by, **({"attack": "melee"} | how))

    def puts(self, *records: Record) -> None:
        """Put records on the table that something else would leave there."""
        self.session = Session(Encounter((*self.encounter, *records)), self.rules)

    def fells(self, who: str = "ada") -> None:
        """Bring somebody to 0 without an attack, and without so much damage that it is massive."""
        self.does(SetHitPoints(who, hp=1))
        self.hurts("1", who)

    def comes_to_turn_of(self, who: str) -> None:
        """End turns until it is somebody's, passing over what is asked on the way."""
        self.ends_turn()
        for _ in range(MOST_TURNS):
            if self.active == who:
                return
            while self.prompts:
                self.skips()
            self.ends_turn()
        raise AssertionError(f"{who} has no turn any more")

    def saves(self, *faces: int, who: str = "ada") -> None:
        """Let somebody who is dying roll these death saves, turn by turn."""
        for face in faces:
            self.comes_to_turn_of(who)
            self.answers(**{who: f"{face}!"})

    def has_levels(self, track: str, levels: int, who: str = "ada") -> None:
        """Set levels by hand, as of earlier encounters."""
        self.does(SetTrack(who, track, levels))

    def counts(self, who: str = "ada") -> tuple[int, int]:
        """Death saves made and failed."""
        return self.track(who, "death-successes"), self.track(who, "death-failures")

    def levels(self, who: str = "ada") -> tuple[int, int, int]:
        """Fatigue felt, fatigue not felt yet, and strife."""
        return self.track(who, "fatigue"), self.track(who, "fatigue-pending"), self.track(who, "strife")

    def effect(self, name: str, who: str = "ada") -> Effect:
        """The one effect of a name on somebody."""
        (effect,) = [one for one in self.encounter.all(Effect) if (one.target, one.name) == (who, name)]
        return effect

    def asked(self) -> list[Ask]:
        """All that is still asked, of the most urgent card first."""
        return [ask for prompt in self.prompts for ask in queries.waiting_asks(prompt)]

    def gained(self, rule: str) -> list[tuple[str, int]]:
        """What tracks and levels rose by a rule, and by how much."""
        levels: dict[str, int] = {}
        found = []
        for one in self.events:
            name, after, before = "", 0, 0
            if isinstance(one, TrackSet):
                name, after, before = one.track, one.after, one.before
            elif isinstance(one, EffectGained | EffectUpdated | EffectEnded) and one.target == "ada":
                name, after = one.name, 0 if isinstance(one, EffectEnded) else one.value
                before, levels[name] = levels.get(name, 0), after
            if name and one.rule == rule:
                found.append((name, after - before))
        return found


def lax(**fields: Any) -> Scene:
    """A scene that is not played by the letter: suggestions are asked."""
    return Scene(strictness="warn", **fields)
