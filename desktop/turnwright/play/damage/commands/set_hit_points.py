"""The command `SetHitPoints`: correct hit points by hand."""

from __future__ import annotations

from turnwright.encounter.field_specs import CombatantId, Natural, Positive, Signed
from turnwright.encounter.running import Combatant
from turnwright.play.damage.manual_hit_points import begin_drop_to_zero, restore_to_life
from turnwright.play.damage.phases import begin_phases
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.refusals import Refused
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.state.events import HitPointsSet
from turnwright.play.state.hit_points import regain_consciousness
from turnwright.rules.system import RuleSystem, label_of


@command(script="hp {who} [{hp}] [of {hp_max}] [temp {temp_hp}]+")
class SetHitPoints(Command, frozen=True):
    """Correct hit points by hand. Omitted values stay the same."""

    who: CombatantId
    hp: Signed | None = None
    temp_hp: Natural | None = None
    hp_max: Positive | None = None

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Correct hit points within the system's limits. Refuse dead combatants, and drop combatants set to 0."""
        combatant = tx.need(Combatant, self.who)
        if combatant.dead and ((self.hp or 0) > 0 or (self.temp_hp or 0) > 0):
            tx.forbid("refused.dead", rules.rule_id("heal.dead"), who=label_of(tx, self.who))
            restore_to_life(tx, rules, combatant, 0)
            combatant = tx.need(Combatant, self.who)
        most = combatant.hp_max if self.hp_max is None else self.hp_max
        hp = combatant.hp if self.hp is None else self.hp
        temp = combatant.temp_hp if self.temp_hp is None else self.temp_hp
        if most < 1 or temp < 0:
            raise Refused("refused.hp", params={"what": combatant.label})
        hp = max(rules.data.health.lowest(most), min(hp, most))
        limit = rules.data.health.most_temporary(most)
        temp = temp if limit is None else min(temp, limit)
        after = tx.update(combatant, hp=hp, hp_max=most, temp_hp=temp)
        if after != combatant:
            tx.emit(HitPointsSet(who=self.who, hp=hp, temp_hp=temp, hp_max=most, rule=rules.rule_id("hp.range")))
        if combatant.hp <= 0 < hp:
            regain_consciousness(tx, rules, self.who)
        elif hp <= 0 < combatant.hp:
            begin_drop_to_zero(tx, self.who, combatant.hp)
        else:
            begin_phases(tx, self.who, combatant.hp)
