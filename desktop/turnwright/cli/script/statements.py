"""The statements of a script that aren't commands of `play`, and their grammar."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import msgspec

from turnwright.cli.script.lexer import ScriptError
from turnwright.cli.script.resolve import ExpectStatement, ShowStatement
from turnwright.encounter.field_specs import Positive
from turnwright.encounter.prepared import Map, Point, Strictness
from turnwright.encounter.state import Lookup, scene_of
from turnwright.play.kernel.transaction import Command
from turnwright.play.setup.prepared_records import Edit


class UndoStatement(msgspec.Struct, frozen=True):
    """Undo a number of steps (default: 1)."""

    steps: Positive = 1


class RedoStatement(msgspec.Struct, frozen=True):
    """Redo a number of steps (default: 1)."""

    steps: Positive = 1


class SaveStatement(msgspec.Struct, frozen=True):
    """Save the prepared encounter, and save the fight in a separate file in the same folder."""


class RollStatement(msgspec.Struct, frozen=True):
    """Answer the open rolls in order with these results. By default, Turnwright rolls them."""

    typed: tuple[str, ...] = ()


class PickStatement(msgspec.Struct, frozen=True):
    """Answer the most urgent open choice of options or targets."""

    options: tuple[str, ...]


class ReplyStatement(msgspec.Struct, frozen=True):
    """Answer one question, chosen by its id or by the combatant it asks."""

    ask: str
    values: tuple[str, ...]


class SkipStatement(msgspec.Struct, frozen=True):
    """Skip the most urgent question and all its parts."""


class WallStatement(msgspec.Struct, frozen=True):
    """Draw a wall on the map from one corner of a square to another, or remove it."""

    here: Point
    there: Point
    gone: bool = False

    def edit(self, lookup: Lookup) -> Edit:
        """Return the command that draws or removes the wall. Raise ScriptError if there is no map or wall."""
        battle_map, line = lookup.get(Map, "map"), (*self.here, *self.there)
        if battle_map is None:
            raise ScriptError("can't draw a wall: the encounter has no map")
        walls = tuple(wall for wall in battle_map.walls if wall != line)
        if self.gone and walls == battle_map.walls:
            corners = f"{self.here[0]},{self.here[1]} to {self.there[0]},{self.there[1]}"
            raise ScriptError(f"can't remove the wall: the map has none from {corners}")
        return Edit(msgspec.structs.replace(battle_map, walls=walls if self.gone else (*walls, line)))


class StrictnessStatement(msgspec.Struct, frozen=True):
    """Set whether breaches of rules are marked in the journal (`warn`), refused (`enforce`) or ignored (`off`)."""

    strictness: Strictness

    def edit(self, lookup: Lookup) -> Edit:
        """Return the command that sets how the encounter's rules are checked."""
        return Edit(msgspec.structs.replace(scene_of(lookup), strictness=self.strictness))


EDITS = (WallStatement, StrictnessStatement)  # statements that edit a record
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
