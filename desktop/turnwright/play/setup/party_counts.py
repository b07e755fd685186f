"""Updates roster counts that depend on the party size while the encounter is being prepared."""

from __future__ import annotations

from turnwright.encounter.lookups import is_encounter_running
from turnwright.encounter.party_counts import with_party_counts
from turnwright.encounter.prepared import RosterEntry
from turnwright.play.kernel.transaction import Transaction
from turnwright.rules.system import RuleSystem


def settle_party_counts(tx: Transaction, rules: RuleSystem) -> bool:
    """Update the counts that depend on the party size, unless the fight has begun. Counts set by hand become fixed."""
    entries = tuple(tx.all(RosterEntry))
    if is_encounter_running(tx) or not any(entry.counts for entry in entries):
        return False
    for entry in entries:
        before = tx.base.get(RosterEntry, entry.id)
        if entry.counts and before is not None and before.counts == entry.counts and before.count != entry.count:
            tx.update(entry, counts="")
    for changed in with_party_counts(tx.all(RosterEntry)).values():
        tx.put(changed)
    return False
