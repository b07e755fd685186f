"""The command that restores the records from an earlier version of the encounter file."""

from __future__ import annotations

from turnwright.encounter.lookups import clock_of, scene_of
from turnwright.encounter.prepared import Scene
from turnwright.encounter.state import PREPARED, Record
from turnwright.play.kernel.commands import Command
from turnwright.play.kernel.refusals import Refused
from turnwright.play.kernel.transaction import Transaction
from turnwright.rules.system import RuleSystem


class GoBackToVersion(Command, frozen=True):
    """Replace all prepared records with those of an earlier version."""

    records: tuple[Record, ...]

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Replace every prepared record. Refuse this during set-up or a fight, and for a different rule system."""
        if clock_of(tx).phase != "preparing":
            raise Refused("refused.version_while_running")
        games = {record.system for record in self.records if isinstance(record, Scene)}
        if games != {scene_of(tx).system}:
            raise Refused("refused.version_of_other_game")
        for kind in PREPARED:
            for record in list(tx.all(kind)):
                tx.remove(record)
        for record in self.records:
            tx.put(record)
