"""The statements of a script that are no command of `play`, each with its grammar as commands have it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import msgspec

from turnwright.cli.script.lexer import ScriptError
from turnwright.cli.script.show import ExpectStatement, ShowStatement
from turnwright.encounter.field_specs import Positive
from turnwright.encounter.lookups import scene_of
from turnwright.encounter.prepared import Map, Point, Strictness
from turnwright.encounter.state import Lookup
from turnwright.play.kernel.commands import Command
from turnwright.play.setup.commands.edit import Edit


class UndoStatement(msgspec.Struct, frozen=True):
    """Take back a number of steps."""

    steps: Positive = 1


class RedoStatement(msgspec.Struct, frozen=True):
    """Bring back a number of steps that were taken back."""

    steps: Positive = 1


class SaveStatement(msgspec.Struct, frozen=True):
    """Write what was prepared to the file, and the fight beside it."""


class RollStatement(msgspec.Struct, frozen=True):
    """Answer the open rolls in order with the results typed; with none, the machine rolls them."""

    typed: tuple[str, ...] = ()


class PickStatement(msgspec.Struct, frozen=True):
    """Answer the most urgent open choice of options or targets."""

    options: tuple[str, ...]


class ReplyStatement(msgspec.Struct, frozen=True):
    """Answer one question, by its id or by the combatant that it asks."""

    ask: str
    values: tuple[str, ...]


class SkipStatement(msgspec.Struct, frozen=True):
    """Put the most urgent question aside with everything in it."""


class WallStatement(msgspec.Struct, frozen=True):
    """Draw a wall on the map from one corner of its squares to another, or take it away."""

    here: Point
    there: Point
    gone: bool = False

    def edit(self, lookup: Lookup) -> Edit:
        """Return the command that draws the wall or takes it away. ScriptError where there is none."""
        field, line = lookup.get(Map, "map"), (*self.here, *self.there)
        if field is None:
            raise ScriptError("there is no map to draw a wall on")
        kept = tuple(one for one in field.walls if one != line)
        if self.gone and kept == field.walls:
            raise ScriptError("no such wall is drawn")
        return Edit(msgspec.structs.replace(field, walls=kept if self.gone else (*kept, line)))


class StrictnessStatement(msgspec.Struct, frozen=True):
    """Say what becomes of what a rule forbids: it is marked in the journal, refused, or not looked at."""

    strictness: Strictness

    def edit(self, lookup: Lookup) -> Edit:
        """Return the command that sets the rule checks of the encounter."""
        return Edit(msgspec.structs.replace(scene_of(lookup), strictness=self.strictness))


EDITS = (WallStatement, StrictnessStatement)  # statements that are edits of a record
Statement = (
    Command
    | UndoStatement
    | RedoStatement
    | SaveStatement
    | RollStatement
    | PickStatement
    | ReplyStatement
    | SkipStatement
    | ShowStatement
)
SCRIPTS: Mapping[type[msgspec.Struct], str] = MappingProxyType(
    {
        RollStatement: "roll [{typed:results}]",
        ReplyStatement: "answer {ask} {values}",
        PickStatement: "targets {options} | choose {options}",
        SkipStatement: "skip",
        UndoStatement: "undo [{steps}]",
        RedoStatement: "redo [{steps}]",
        SaveStatement: "save",
        ShowStatement: "show ({encounter} | countdown {countdown} [{fact:word}] | row {row:row} [{fact:word}] "
        "| {who} [{fact:word}])",
        ExpectStatement: "expect ({encounter} | countdown {countdown} {fact:word} | row {row:row} {fact:word} "
        "| {who} {fact:word}) {expected:rest}",
        WallStatement: "wall {here} {there} [gone]",
        StrictnessStatement: "rule checks {strictness}",
    }
)
