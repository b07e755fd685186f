"""Counts that follow the size of the party, kept up to date while the encounter is prepared."""

from __future__ import annotations

from turnwright.encounter.lookups import is_encounter_running
from turnwright.encounter.party_counts import with_party_counts
from turnwright.encounter.prepared import RosterEntry
from turnwright.play.kernel.transaction import Transaction
from turnwright.rules.system import RuleSystem


def settle_party_counts(tx: Transaction, rules: RuleSystem) -> bool:
    """Set the counts that follow the party, unless the fight has begun; a count set by hand no longer follows it."""
    entries = tuple(tx.all(RosterEntry))
    if is_encounter_running(tx) or not any(one.counts for one in entries):
        return False
    for one in entries:
        before = tx.base.get(RosterEntry, one.id)
        if one.counts and before is not None and before.counts == one.counts and before.count != one.count:
            tx.update(one, counts="")
    for changed in with_party_counts(tx.all(RosterEntry)).values():
        tx.put(changed)
    return False
