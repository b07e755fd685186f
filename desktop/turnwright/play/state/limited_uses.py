"""Limited uses: spending, setting and restoring them, and reasons why a feature can't be used."""

from __future__ import annotations

from turnwright.encounter.field_specs import CombatantId
from turnwright.encounter.prepared import ALL_FEATURES, Feature, UsesPeriod
from turnwright.encounter.running import Combatant, Track
from turnwright.encounter.state import Lookup
from turnwright.play.kernel.events import Event, journal
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.state.events import UsesSpent
from turnwright.rules.hooks import Veto
from turnwright.rules.parts.actions.action_options import feature_rule
from turnwright.rules.parts.conditions.predicates import is_there
from turnwright.rules.parts.economy.limited_uses import USES, maximum_uses, remaining_uses, use_key, use_track
from turnwright.rules.system import RuleSystem, creature_of
from turnwright.rules.system_data.statements import readable_statement

NOT_THERE = "refused.not_there"


@journal("journal.supply_set", kind="warn", level="level")
class UsesSet(Event, frozen=True):
    """The remaining uses were set by hand. `what` is the feature's name, or empty for slots and legendary actions."""

    who: CombatantId
    use_key: str
    what: str
    before: int
    left: int

    @property
    def journal_key(self) -> str:
        """Return the journal key for spell slots, legendary actions or other uses."""
        keys = {"slots": "journal.slots_set", "legendary": "journal.legendary_set"}
        return keys.get(self.use_key.partition(".")[0], "journal.supply_set")

    @property
    def level(self) -> str:
        """The level of a spell slot."""
        return self.use_key.partition(".")[2]


@journal("journal.feature_ready", kind="world")
class FeatureReady(Event, frozen=True):
    """A combatant's feature can be used again, because another feature recharged it."""

    who: CombatantId
    feature: str


def use_vetoes(
    lookup: Lookup, rules: RuleSystem, who: str, feature: Feature, level: int | None = None
) -> tuple[Veto, ...]:
    """Return the reasons why a feature can't be used: it isn't available, or no slot, use or recharge is left."""
    if not is_there(lookup, rules, who, feature):
        params = (("what", feature.name), ("when", readable_statement(feature.only, "<ui.plays.or>")))
        return (Veto(NOT_THERE, feature_rule(lookup, rules, who, feature), params),)
    name = use_key(feature, level)
    if not name or remaining_uses(lookup, who, name) > 0:
        return ()
    word = name.partition(".")[0]
    if word == "slots" and not maximum_uses(lookup, who, name):
        return ()  # if the stat block lists no slots, the player counts them
    return (Veto(f"refused.no_{word}", feature_rule(lookup, rules, who, feature), (("what", feature.name),)),)


def spend_use(tx: Transaction, who: str, name: str, what: str, count: int = 1) -> None:
    """Spend uses from a track, at most those left, and report it. Do nothing if the uses aren't limited."""
    most = maximum_uses(tx, who, name)
    remaining = max(0, remaining_uses(tx, who, name) - count)
    if not name or not most:
        return
    tx.put(use_track(tx, who, name, remaining))
    tx.emit(UsesSpent(who=who, use_key=name, what=what, left=remaining, maximum=most))


def set_uses(tx: Transaction, who: str, name: str, left: int) -> None:
    """Set the remaining uses of a track by hand and report it. Exceeding the maximum requires an override."""
    before = remaining_uses(tx, who, name)
    if left == before:
        return
    combatant, most = tx.need(Combatant, who), maximum_uses(tx, who, name)
    if left > max(before, most):
        tx.forbid("refused.more_than_all", feature_rule(tx, tx.rules, who), who=combatant.label, most=most)
    features = creature_of(tx, combatant).features
    feature_name = next((feature.name for feature in features if feature.id == name.partition(".")[2]), "")
    tx.put(use_track(tx, who, name, left))
    tx.emit(UsesSet(who=who, use_key=name, what=feature_name, before=before, left=left))


def restore_uses(tx: Transaction, who: str, *words: str) -> None:
    """Restore uses of the given kinds (`slots`, `uses`, `recharge`, `legendary`) to their maximum."""
    for track in tx.of(Track, who):
        if track.name.partition(".")[0] in words:
            tx.put(use_track(tx, who, track.name, maximum_uses(tx, who, track.name)))


def reset_uses(tx: Transaction, who: str, *spans: UsesPeriod) -> None:
    """Restore the uses of a combatant's features whose period, such as `round`, begins again."""
    spent = [track for track in tx.of(Track, who) if track.name.startswith(USES)]
    if not spent:
        return
    features = {feature.id: feature for feature in creature_of(tx, tx.need(Combatant, who)).features}
    for track in spent:
        feature = features.get(track.name.partition(".")[2])
        if feature is not None and feature.per in spans:
            tx.put(use_track(tx, who, track.name, maximum_uses(tx, who, track.name)))


def reset_all_uses(tx: Transaction, *spans: UsesPeriod) -> None:
    """Restore the uses of all combatants' features whose period begins again."""
    for who in dict.fromkeys(track.owner for track in tx.all(Track) if track.name.startswith(USES)):
        reset_uses(tx, who, *spans)


def recharge_features(tx: Transaction, who: str, id: str, apart_from: str = "") -> None:
    """Recharge a feature, or all features (`*`) except `apart_from`."""
    for feature in creature_of(tx, tx.need(Combatant, who)).features:
        name = use_key(feature)
        is_own = name.partition(".")[2] == feature.id
        is_selected = id == feature.id or (id == ALL_FEATURES and feature.id != apart_from)
        if is_selected and is_own and remaining_uses(tx, who, name) < maximum_uses(tx, who, name):
            tx.put(use_track(tx, who, name, maximum_uses(tx, who, name)))
            tx.emit(FeatureReady(who=who, feature=feature.name))
