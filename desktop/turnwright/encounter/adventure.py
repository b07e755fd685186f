"""Records of an adventure: the plan of encounters, scenes and rests, and the progress of the party through it."""

from collections.abc import Mapping
from typing import ClassVar, Final, Literal

import msgspec

from turnwright.encounter.field_specs import Natural, Prose
from turnwright.encounter.state import numbered, unique_id

StepKind = Literal["part", "scene", "encounter", "rest"]
STEP_KINDS: Final[tuple[StepKind, ...]] = ("part", "scene", "encounter", "rest")


class AdventureStep(msgspec.Struct, frozen=True, omit_defaults=True):
    """A step of an adventure: a heading, a scene, an encounter or a rest. A rest may have a scene as its name."""

    part: str = ""
    """A heading for the steps that follow: an evening, a chapter or a level of a dungeon. Example: `Saturday`."""
    scene: str = ""
    """The title of a scene, or of a rest. Example: `Into the wheel house`."""
    encounter: str = ""
    """The name of an encounter file in the adventure's folder or below it. Example: `wheel-house.toml`."""
    rest: Literal["", "short", "long", "haven"] = ""
    """A rest of the party: `short`, `long`, or a long one at a `haven` in games that have them."""
    title: str = ""
    """The title in the list, if it differs from the encounter's."""
    read_aloud: Prose = ""
    """The text to read aloud or to show to the players."""
    notes: Prose = ""
    """Your notes. Players never see them."""
    handouts: tuple[str, ...] = ()
    """Names of image files in the adventure's folder to show or print. Example: `["letter.png"]`."""
    hours: Natural = 0
    """The hours that pass in the world."""
    optional: bool = False
    """Whether the party may pass it by."""
    xp: Natural | None = None
    """The experience points of the encounter, instead of what its enemies are worth."""
    milestone: bool = False
    """Whether the party gains a level here, in groups that don't count experience points."""

    @property
    def kind(self) -> StepKind:
        """The kind of the step. A rest that has a scene is a rest."""
        return next((kind for kind in ("rest", "encounter", "part", "scene") if getattr(self, kind)), "scene")

    @property
    def text(self) -> str:
        """The title in the plan, or the file name of an encounter that has no title there."""
        return self.title or getattr(self, "scene" if self.scene else self.kind)


class Adventure(msgspec.Struct, frozen=True, omit_defaults=True):
    """The plan of an adventure: its steps in order."""

    kind: ClassVar[str] = "adventure"

    system: str = ""
    """The id of the rule system of new encounters. Example: `dnd5e`."""
    title: str = ""
    """The title of the adventure. Example: `The drowned mill`."""
    party: str = ""
    """The id of a party in the library, whose members are added to the encounters. Example: `the-lamplighters`."""
    notes: Prose = ""
    """Your notes about the adventure."""
    steps: tuple[AdventureStep, ...] = ()
    """The steps in order."""

    @property
    def keys(self) -> tuple[str, ...]:
        """The key of each step: its kind and its file or name, such as `encounter:wheel-house.toml`."""
        keys: list[str] = []
        for step in self.steps:
            words = (
                (step.scene or step.rest or step.part).replace("'", "").replace("\N{RIGHT SINGLE QUOTATION MARK}", "")
            )
            name = step.encounter or unique_id(words, (), step.kind)
            keys.append(numbered(f"{step.kind}:{name}", keys))
        return tuple(keys)

    def place_of(self, key: str) -> int:
        """Return the place of the step with a key, or -1."""
        return self.keys.index(key) if key in self.keys else -1

    def beside(self, key: str, direction: int) -> str:
        """Return the key of the next (1) or previous (-1) step that isn't a heading, or an empty string.

        An empty or unknown key is before the first step.
        """
        places = range(self.place_of(key) + direction, len(self.steps) if direction > 0 else -1, direction)
        return next((self.keys[place] for place in places if place >= 0 and self.steps[place].kind != "part"), "")


class StepDone(msgspec.Struct, frozen=True, omit_defaults=True):
    """A step that was played."""

    id: str
    """The key of the step. Example: `encounter:plank-bridge.toml`."""
    at: str = ""
    """The date and time of its end. Example: `2026-11-28T20:31:00`."""
    rounds: Natural = 0
    """The rounds of the fight."""
    seconds: Natural = 0
    """The seconds that the fight took in the world."""
    xp: Natural = 0
    """The experience points that were awarded, for all characters together."""
    skipped: bool = False
    """Whether the step was passed by."""


class AdventureRun(msgspec.Struct, frozen=True, omit_defaults=True):
    """The progress of a party through an adventure. Without it, the adventure hasn't begun."""

    kind: ClassVar[str] = "adventure-run"

    at: str = ""
    """The key of the current step."""
    resting: str = ""
    """The key of a rest that is being given, with a mark of the rested party, until the step is recorded."""
    absent: tuple[str, ...] = ()
    """The roster ids of the party's members who stay away for now. Example: `["fenn"]`."""
    table_seconds: Natural = 0
    """The seconds spent at the table."""
    known: tuple[tuple[str, str], ...] = ()
    """The names known to the players, by the name of the stat block."""
    done: tuple[StepDone, ...] = ()
    """The steps that were played, keyed by step."""

    @property
    def by_key(self) -> Mapping[str, StepDone]:
        """The steps that were played, by key."""
        return {done.id: done for done in self.done}


def with_done(run: AdventureRun, done: StepDone) -> AdventureRun:
    """Return the progress with a step that was played. An earlier record of the same step is replaced."""
    return msgspec.structs.replace(run, done=tuple({**run.by_key, done.id: done}.values()))


def without_done(run: AdventureRun, key: str) -> AdventureRun:
    """Return the progress without a step, so that it can be played again."""
    return msgspec.structs.replace(run, done=tuple(done for done in run.done if done.id != key))
