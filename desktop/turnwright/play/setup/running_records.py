"""Removes the records of a running fight."""

from __future__ import annotations

from turnwright.encounter.state import RUNNING
from turnwright.play.kernel.transaction import Transaction


def remove_running_records(tx: Transaction) -> None:
    """Remove all records of the running fight. Prepared records stay."""
    for kind in RUNNING:
        for record in list(tx.all(kind)):
            tx.remove(record)
