"""The effects of conditions and features on rolls, numbers, speeds and actions, according to their data rules.

The rules of a stat block's features are collected once for each stat block. Effects that a system's sources name but
don't describe are suggested on rolls, not applied.
"""

from collections.abc import Collection, Iterator, Mapping
from typing import Literal, NamedTuple

import msgspec

from turnwright.dice.expression import DeclinableModifier, Edge, ExtraDice, Modifier
from turnwright.encounter.data_rules import DataRule, DataRuleKind
from turnwright.encounter.prepared import Creature, Feature, InflictedCondition, OtherDamage
from turnwright.encounter.procedure_state.effects import LINGERING_CONDITIONS, LingeringConditions
from turnwright.encounter.running import Combatant, Effect, GuestCreature, Track, track_id
from turnwright.encounter.state import Lookup, is_out_of_play, remembered
from turnwright.rules.parts.combatants.facts import (
    condition_names,
    conditions_with_effects,
    count_sources,
    switched_off,
    wanted_plays,
)
from turnwright.rules.parts.conditions.assumptions import settled, treatment
from turnwright.rules.parts.conditions.predicates import evaluate
from turnwright.rules.parts.environment.entries import space_side
from turnwright.rules.system import (
    NO_RESULT,
    HookContext,
    HookResult,
    OpenModifier,
    RollGrant,
    RuleSystem,
    StartProcedure,
    Veto,
    creature_of,
    label_of,
)
from turnwright.rules.system_data.dying import Condition
from turnwright.rules.system_data.numbers import ActionOption, Requirement
from turnwright.rules.system_data.statements import StatementError, facts_in, parse_statement

_MOST_KEPT = 2048  # maximum number of cached stat blocks, more than any encounter has


class FeatureRules(NamedTuple):
    """The rules of a stat block's traits in order, their subjects, and the words in their statements.

    `auras`: some of the traits also apply to allies nearby. `against`: the rules that traits give enemies nearby.
    """

    rules: tuple[tuple[Feature, DataRule], ...] = ()
    subjects: frozenset[str] = frozenset()
    words: frozenset[str] = frozenset()
    auras: bool = False
    against: tuple[tuple[Feature, DataRule], ...] = ()


Automation = Literal["", "acts", "asks", "reminds", "off"]
# Facts that depend on rules about speed or sight. The statements of these rules can't use them.
_DECIDED_BY: Mapping[str, Collection[str]] = {
    "speed": ("speed-zero",),
    "senses": ("sees", "hidden-from", "source-unseen", "flanks", "covered", "threatened", "ally-seen"),
}
_SIGHT = frozenset({"being-flanked", "being-seen", "being-targeted", "flanking", "sight"})
CHOSEN = "chosen:"  # fact with which the game master decides about each roll
NONE = FeatureRules()
# Keyed by identity, because comparing stat blocks compares all fields, and by the default setting of features.
_kept: dict[tuple[int, str], tuple[Creature, FeatureRules]] = {}
_auras: dict[str, tuple[tuple[Creature, ...], frozenset[str]]] = {}


def feature_rules_of(lookup: Lookup, who: str, automation: Automation = "") -> FeatureRules:
    """Return the rules of a combatant's traits. `automation` applies to features without a setting of their own."""
    combatant = lookup.get(Combatant, who)
    return NONE if combatant is None else compiled_rules(creature_of(lookup, combatant), automation)


def compiled_rules(creature: Creature, automation: Automation = "") -> FeatureRules:
    """Return the rules of a stat block's traits, except those with malformed statements."""
    key = (id(creature), automation)
    cached = _kept.get(key)
    if cached is not None and cached[0] is creature:
        return cached[1]
    pairs = tuple(
        (each, rule) for each in creature.features for rule in rules_in_force(each, automation) if _is_usable(rule)
    )
    words = frozenset(
        fact.word for feature in creature.features for text in _statements(feature) for fact in facts_in(text)
    )
    hampering = (each for each in creature.features if each.within and each.effect and not each.trigger)
    against = tuple(
        (each, rule)
        for each in hampering
        for rule in rules_in_force(msgspec.structs.replace(each, rules=each.effect), automation)
        if _is_usable(rule)
    )
    auras = bool(against) or any(feature.within for feature, _ in pairs)
    subjects = frozenset(rule.what for _, rule in pairs)
    compiled = FeatureRules(pairs, subjects, words, auras, against) if pairs or words or against else NONE
    if len(_kept) >= _MOST_KEPT:
        _kept.clear()
    _kept[key] = creature, compiled
    return compiled


def rules_in_force(feature: Feature, automation: Automation = "") -> tuple[DataRule, ...]:
    """Return the rules that a feature applies automatically. Traits, and attacks on the own turn, apply all of them.

    Other features without a trigger apply those with a condition, such as `holds` for the advantage after a grab. The
    resources of a turn, such as a further reaction, are all applied.
    A trait's rules don't wait for its trigger, except for those that apply to an attack on its owner. They apply only
    while the feature is available. If it `asks` and has no trigger, the game master also has to choose it. A feature
    that `reminds` is mentioned on rolls but changes nothing.
    """
    automation = automation if automation == "off" else feature.automation or automation
    is_attack = feature.attack is not None and feature.trigger in ("", "hits")
    whole = feature.cost == "trait" or is_attack
    if automation == "off":
        return ()
    chosen_fact = f"chosen:{feature.id}" if automation == "asks" and not feature.trigger else ""
    rules = []
    for rule in feature.rules:
        if (feature.trigger == "attacked" or feature.by_slot) and rule.kind != AT_ZERO:
            continue
        if not whole and rule.kind != "resource" and (feature.trigger or not rule.when or rule.kind == "unprovoking"):
            continue
        when = ", ".join(part for part in (_bracketed(feature.only), _bracketed(rule.when), chosen_fact) if part)
        if automation == "reminds":
            rules.append(DataRule("modifier", rule.what, when=when))
        else:
            rules.append(msgspec.structs.replace(rule, when=when) if when != rule.when else rule)
    return tuple(rules)


def _bracketed(text: str) -> str:
    return f"({text})" if "|" in text else text


def _statements(feature: Feature) -> Iterator[str]:
    parts: tuple[DataRule | OtherDamage | InflictedCondition, ...]
    parts = (*feature.rules, *feature.other_damage, *feature.afflictions)
    return (text for text in (feature.when, feature.only, *(part.when for part in parts)) if text)


def _is_usable(rule: DataRule) -> bool:
    """Return whether a rule's statement can be parsed and doesn't depend on the rule's own result."""
    try:
        words = {fact.word for fact in parse_statement(rule.when).facts}
    except StatementError:
        return False
    decides_sight = rule.kind == "senses" or (rule.kind == "deny" and rule.what in _SIGHT)
    return words.isdisjoint(_DECIDED_BY.get("senses" if decides_sight else rule.what, ()))


AT_ZERO: DataRuleKind = "at-zero"  # kind of data rules that change what 0 hit points do
GRANT = "grant"  # kind of data rules with which a condition grants another


class RuleInForce(NamedTuple):
    """A data rule in force for a combatant, with its source and the context in which it applies."""

    source: Condition | Feature | Effect
    rule: DataRule
    context: HookContext

    @property
    def reason(self) -> str:
        """Return the reason to show: the rule's own text, or the name of its condition or feature."""
        return self.rule.text or self.source_name

    @property
    def source_name(self) -> str:
        """Return the name of the rule's condition, feature or effect."""
        return self.source.name if isinstance(self.source, Feature | Effect) else f"<condition.{self.source.id}>"

    @property
    def ledger(self) -> str:
        """Return the ledger id of the rule."""
        return condition_rule_id(self.source, self.rule) if isinstance(self.source, Condition) else self.rule.ledger

    @property
    def amount(self) -> int:
        """Return the amount that the rule adds at the condition's current value."""
        return self.rule.amount_at(self.context.effect.value if self.context.effect is not None else 0)

    @property
    def modifier(self) -> Modifier:
        """Return the rule as a modifier with its reason."""
        return Modifier(self.amount, self.reason, self.ledger, self.rule.type)


def data_rules(
    lookup: Lookup,
    rules: RuleSystem,
    who: str,
    subjects: Collection[str],
    context: HookContext | None = None,
    kind: DataRuleKind | Literal[""] = "",
) -> Iterator[RuleInForce]:
    """Yield a combatant's data rules in force about any of the subjects, optionally only those of one kind.

    The system's standing rules, which apply to every combatant, come first. The rules of effects themselves follow
    those of conditions. Features come last, and at the very end those of others that are known to be near enough.
    """
    for in_force in rules_held(lookup, rules, who, subjects, context or HookContext(who), kind):
        if not in_force.rule.when or evaluate(lookup, rules, who, in_force.rule.when, in_force.context):
            yield in_force
    for aura, unknown in _auras_on(lookup, rules, who, subjects, context or HookContext(who)):
        if not unknown and kind in ("", aura.rule.kind):
            yield aura


def rules_held(
    lookup: Lookup,
    rules: RuleSystem,
    who: str,
    subjects: Collection[str],
    about: HookContext,
    kind: DataRuleKind | Literal[""] = "",
) -> Iterator[RuleInForce]:
    """Yield a combatant's data rules about any of the subjects, including those whose statements aren't true.

    An effect, trait or aura that makes it immune to a condition suppresses the condition's rules while it lasts, and an
    effect that denies magic suppresses those of spells.
    """
    for condition, rule in rules.standing_rules.get(kind, ()):
        if rule.what in subjects:
            yield RuleInForce(condition, rule, about)
    last = ""
    effects = lookup.of(Effect, who)
    is_magic = any(rule.what == "magic" and not rule.when for effect in effects for rule in effect.rules)
    is_about_immunity = not rules.conditions.keys().isdisjoint(subjects)
    if is_magic:
        effects = [each for each in effects if not each.level or any(rule.what == "magic" for rule in each.rules)]
    for name, effect in conditions_with_effects(lookup, rules, who) if effects else ():
        if name in rules.conditions and (not is_magic or effect in effects):
            condition = rules.conditions[name]
            here = None
            again, last = name == last, name
            for rule in condition.rules:
                if rule.what in subjects and kind in ("", rule.kind) and not (again and not is_about_creator(rule)):
                    if here is None and not is_about_immunity and any(data_rules_on(lookup, rules, who, "deny", name)):
                        break
                    here = here or msgspec.structs.replace(about, effect=effect)
                    yield RuleInForce(condition, rule, here)
    for effect in effects:
        for rule in effect.rules:
            if rule.what in subjects and kind in ("", rule.kind):
                yield RuleInForce(effect, rule, msgspec.structs.replace(about, effect=effect))
    if feature_rules_of(lookup, who).subjects.isdisjoint(subjects):
        return
    off = switched_off(lookup, who)
    for feature, rule in feature_rules_of(lookup, who, wanted_plays(lookup, rules)).rules:
        is_meant = rule.what in subjects and kind in ("", rule.kind) and feature.id not in off
        if is_meant and _has_uses(lookup, who, feature):
            yield RuleInForce(feature, rule, about)


def is_about_creator(rule: DataRule) -> bool:
    """Return whether a condition's rule depends on its creator, so that it applies once for each of several."""
    return "source" in rule.when or (rule.kind, rule.what) == ("duration", "held")


def _has_uses(lookup: Lookup, who: str, feature: Feature) -> bool:
    """Return whether a feature with limited uses has one left."""
    track = lookup.get(Track, track_id(who, f"uses.{feature.shares or feature.id}")) if feature.uses else None
    return track is None or track.value > 0


def data_rules_on(
    lookup: Lookup, rules: RuleSystem, who: str, kind: DataRuleKind, what: str, context: HookContext | None = None
) -> Iterator[RuleInForce]:
    """Yield a combatant's data rules in force of one kind about a number or roll."""
    return data_rules(lookup, rules, who, (what,), context, kind)


def condition_rule_id(condition: Condition, rule: DataRule | None = None) -> str:
    """Return the ledger id for a condition's effect: the data rule's own, or else the condition's first."""
    own = rule.ledger if rule is not None else ""
    return own or (condition.ledger[0] if condition.ledger else "")


def on_rolls(lookup: Lookup, rules: RuleSystem, context: HookContext) -> HookResult:
    """Return the contributions of conditions and standing rules to a roll, at CHECK_MADE.

    Initiative counts as a check. A data rule's `what` is the roll itself (`check.dex:stealth`), a broader name
    (`check.dex`, `check`), or `d20` for any roll.
    """
    names = roll_names(context)
    edges: list[Edge] = []
    modifiers: list[Modifier] = []
    grants: list[RollGrant] = []
    dice: list[ExtraDice] = []
    used: list[str] = []
    unsettled: list[OpenModifier] = []
    for aura, unknown in _auras_on(lookup, rules, context.who, names, context):
        if unknown:
            unsettled += _open_modifiers(rules, aura, unknown)
        elif aura.rule.kind in ("advantage", "disadvantage"):
            edges.append(Edge("advantage" if aura.rule.kind == "advantage" else "disadvantage", aura.reason))
        elif aura.rule.kind == "modifier":
            modifiers.append(aura.modifier)
    for held_rule in rules_held(lookup, rules, context.who, names, context):
        _, rule, about = held_rule
        holds = settled(lookup, rules, context.who, rule.when, about) if rule.when else True
        if not holds:
            if holds is None and (_is_offered(held_rule) or treatment(lookup, rules) != "left-out"):
                unsettled += _open_modifiers(rules, held_rule, _unknown_facts(lookup, rules, held_rule))
            continue
        if rule.kind in ("advantage", "disadvantage"):
            edge = Edge("advantage" if rule.kind == "advantage" else "disadvantage", held_rule.reason, held_rule.ledger)
            edges += [edge] * _repetitions(lookup, rules, rule, about)
        elif rule.kind == "modifier":
            modifiers.append(held_rule.modifier)
        elif rule.kind == "extra":
            dice.append(ExtraDice(rule.dice, held_rule.reason, held_rule.ledger))
        elif rule.kind in ("expertise", "critical", "fail", "hit", "ask", "flat", "reroll"):
            steps = (rule.set or 0) if rule.kind in ("flat", "reroll") else rule.least or rule.times
            steps = -rule.least if rule.kind == "reroll" and rule.least else steps
            grants.append(RollGrant(rule.kind, held_rule.reason, held_rule.ledger, steps))
        else:
            continue
        if about.effect is not None and about.effect.uses_left:
            used.append(about.effect.id)
    if not (edges or modifiers or grants or dice or unsettled):
        return NO_RESULT
    return HookResult(
        tuple(modifiers),
        tuple(edges),
        grants=tuple(grants),
        consumed_effects=tuple(used),
        open_modifiers=tuple(unsettled),
        dice=tuple(dice),
    )


def _is_offered(in_force: RuleInForce) -> bool:
    """Whether a rule belongs to an effect whose holder chooses when to use it."""
    return isinstance(in_force.source, Effect) and CHOSEN in in_force.rule.when


def _open_modifiers(rules: RuleSystem, in_force: RuleInForce, depends_on: str) -> Iterator[OpenModifier]:
    """Yield a rule's part of a roll that depends on unknown facts, with the names of these facts."""
    kind = in_force.rule.kind
    if _is_offered(in_force):
        if kind in ("extra", "modifier", "expertise") and isinstance(in_force.source, Effect):
            die = rules.data.expertise[0] if kind == "expertise" else in_force.rule.dice
            dice = ExtraDice(die, in_force.reason, in_force.ledger)
            yield OpenModifier(in_force.modifier if kind == "modifier" else dice, "", in_force.source.id)
        return
    if kind == "modifier":
        yield OpenModifier(in_force.modifier, depends_on)
    elif kind in ("advantage", "disadvantage"):
        edge = Edge("advantage" if kind == "advantage" else "disadvantage", in_force.reason, in_force.ledger)
        yield OpenModifier(edge, depends_on)


def _unknown_facts(lookup: Lookup, rules: RuleSystem, in_force: RuleInForce) -> str:
    """Return the names of the unknown facts in a rule's statement, separated by commas."""
    about = in_force.context
    facts = (fact for fact in facts_in(in_force.rule.when) if evaluate(lookup, rules, about.who, fact, about) is None)
    return ", ".join(dict.fromkeys(fact.name.replace(":", " ").replace("-", " ") for fact in facts))


def _blocks_with_auras(lookup: Lookup) -> frozenset[str]:
    """Return the ids of the stat blocks with traits that apply to others nearby. Remember those of the last encounter."""
    blocks: tuple[Creature, ...] = (*lookup.all(Creature), *lookup.all(GuestCreature))
    known = _auras.get("")
    if known is None or known[0] != blocks:  # the same stat blocks compare at once
        known = _auras[""] = blocks, frozenset(block.id for block in blocks if compiled_rules(block).auras)
    return known[1]


def _auras_on(
    lookup: Lookup, rules: RuleSystem, who: str, subjects: Collection[str], context: HookContext
) -> Iterator[tuple[RuleInForce, str]]:
    """Yield the rules of auras on a combatant: their `rules` on allies of the owner, and their `effect` on its enemies.

    Each rule is paired with the unknown facts on which it depends, such as the distance. Its statement is about the owner.
    """
    blocks = remembered(lookup, "auras", lambda: _blocks_with_auras(lookup))
    near_to = lookup.get(Combatant, who) if blocks else None
    for owner in lookup.all(Combatant) if near_to is not None else ():
        if owner.creature not in blocks or owner.id == who or owner.dead or near_to is None:
            continue
        off, held = switched_off(lookup, owner.id), feature_rules_of(lookup, owner.id, wanted_plays(lookup, rules))
        about = msgspec.structs.replace(context, who=owner.id, other=who, effect=None)
        for feature, rule in held.rules if owner.side == near_to.side else held.against:
            if not feature.within or rule.what not in subjects or feature.id in off:
                continue
            is_near = evaluate(lookup, rules, owner.id, f"within:{feature.within}", HookContext(owner.id, other=who))
            holds = settled(lookup, rules, owner.id, rule.when, about) if rule.when and is_near is not False else True
            if is_near is not False and (holds or (holds is None and treatment(lookup, rules) != "left-out")):
                in_force = RuleInForce(feature, rule, about)
                others = "" if holds else _unknown_facts(lookup, rules, in_force)
                yield in_force, ", ".join(filter(None, ("" if is_near else f"within {feature.within}", others)))


def number_modifiers(
    lookup: Lookup, rules: RuleSystem, who: str, what: str, context: HookContext | None = None
) -> tuple[Modifier, ...]:
    """Return the modifiers of conditions and standing rules to a combatant's damage rolls or a number such as `ac`."""
    return tuple(in_force.modifier for in_force in data_rules_on(lookup, rules, who, "modifier", what, context))


def _repetitions(lookup: Lookup, rules: RuleSystem, rule: DataRule, context: HookContext) -> int:
    """Return the number of times a rule counts for a roll: once, or once per size by which the combatant is larger."""
    if rule.per != "size":
        return 1
    if not context.other:
        return 0
    return max(0, int(space_side(lookup, rules, context.who) - space_side(lookup, rules, context.other)))


def roll_names(context: HookContext) -> set[str]:
    """Return every name that data rules can use for a roll, from `check.dex:stealth` to `d20`."""
    broad = context.subject.partition(":")[0]
    names = {context.subject, broad, broad.partition(".")[0]}
    if not context.subject.endswith("-against"):
        names.add("d20")
    if context.initiative:
        names.add("initiative")
    return names


def on_actions(lookup: Lookup, rules: RuleSystem, context: HookContext) -> HookResult:
    """Return the vetoes of conditions that deny a resource, at ACTION_DECLARED."""
    denials = data_rules_on(lookup, rules, context.who, "deny", context.subject, context)
    vetoes = tuple(
        condition_veto(lookup, context.who, denial.source_name, denial.ledger, denial.context.effect)
        for denial in denials
    )
    return HookResult(vetoes=vetoes) if vetoes else NO_RESULT


def condition_veto(lookup: Lookup, who: str, source: str, rule: str, effect: Effect | None = None) -> Veto:
    """Return the veto of a condition or feature on a combatant's action.

    The veto mentions the end of the effect if that is soon.
    """
    params = (("who", label_of(lookup, who)), ("condition", source))
    if effect is None or effect.ends.moment == "never" or effect.ends.skip:
        return Veto("refused.condition", rule, params)
    own = "own-" if effect.ends.who == who else ""
    return Veto("refused.condition_until", rule, (*params, ("until", f"<ends.{own}{effect.ends.moment}>")))


def on_gained(lookup: Lookup, rules: RuleSystem, context: HookContext) -> HookResult:
    """Return the procedure that applies the lingering conditions of a new condition, at EFFECT_GAINED."""
    condition = rules.conditions.get(context.subject)
    if condition is None or is_out_of_play(lookup, context.who):
        return NO_RESULT
    if not lingering_rules(lookup, rules, context.who, context.subject):
        return NO_RESULT
    data = LingeringConditions(context.who, context.subject, condition_rule_id(condition))
    return HookResult(procedures=(StartProcedure(LINGERING_CONDITIONS, data),))


def lingering_rules(lookup: Lookup, rules: RuleSystem, who: str, name: str) -> tuple[DataRule, ...]:
    """Return a condition's rules that grant other conditions, unless the combatant has them or is immune to them."""
    granted = [rule for rule in rules.conditions[name].rules if rule.kind == GRANT]
    under = condition_names(lookup, rules, who) if granted else set()
    return tuple(rule for rule in granted if rule.what not in under and not is_immune_to(lookup, who, rule.what))


def feature_subjects(
    lookup: Lookup, rules: RuleSystem, who: str, kind: DataRuleKind, subjects: Collection[str]
) -> frozenset[str]:
    """Return the subjects that a combatant's features and effects with rules affect by rules of one kind."""
    given = {rule.what for effect in lookup.of(Effect, who) for rule in effect.rules if rule.kind == kind}
    if given.isdisjoint(subjects) and feature_rules_of(lookup, who).subjects.isdisjoint(subjects):
        return frozenset()  # this runs for all combatants on each attack
    in_force_rules = data_rules(lookup, rules, who, subjects, kind=kind)
    return frozenset(found.rule.what for found in in_force_rules if isinstance(found.source, Feature | Effect))


def spared_share(lookup: Lookup, rules: RuleSystem, who: str, save: str, share: str, *, saved: bool) -> tuple[str, str]:
    """Return the share of damage that a combatant takes after a save, and the reason if a rule reduces it."""
    for name in (f"save.{save}", "save"):
        for in_force in data_rules_on(lookup, rules, who, "evasion", name):
            if saved and share == "half":
                return "none", in_force.reason
            if not saved and (in_force.rule.times, in_force.rule.over) == (1, 2) and share in ("full", "double"):
                return ("half" if share == "full" else "full"), in_force.reason
    return share, ""


def is_immune_to(lookup: Lookup, who: str, condition: str) -> bool:
    """Return whether a combatant is immune to a condition."""
    return count_sources(lookup, who, "immune", condition) > 0


def keeps_out(lookup: Lookup, rules: RuleSystem, who: str, condition: str, by: str, tags: tuple[str, ...] = ()) -> bool:
    """Return whether a combatant is immune to a condition, or to one with this cause."""
    tags = tuple(f"not target.{tag[4:]}" if tag.startswith("not ") else f"target.{tag}" for tag in tags)
    about = HookContext(who, f"{condition}-against", other=by, tags=tags)
    return is_immune_to(lookup, who, condition) or any(data_rules_on(lookup, rules, who, "deny", condition, about))


def suggested_effects(rules: RuleSystem, *results: HookResult) -> tuple[DeclinableModifier, ...]:
    """Return the effects of external rules on a roll as declinable modifiers, one for each rule.

    If several conditions share a rule, each of them has its own modifier.
    """
    offers: dict[str, DeclinableModifier] = {}
    for result in results:
        grants = (grant for grant in result.grants if grant.kind != "flat")  # a flat check has a separate card
        sources: tuple[Modifier | Edge | RollGrant, ...] = (*result.modifiers, *result.edges, *grants)
        for source in sources:
            if source.rule in rules.external_rules:
                is_shared = sum(source.rule in condition.ledger for condition in rules.conditions.values()) > 1
                offered = DeclinableModifier(source.reason, source.rule, is_shared)
                offers[offered.id] = offered
    return tuple(offers.values())


def unmet_requirements(lookup: Lookup, rules: RuleSystem, who: str, option: ActionOption) -> Iterator[Veto]:
    """Yield the vetoes from an action's requirements that concern only its actor, whatever it costs."""
    for requirement in option.requires:
        if not requirement.of and not requirement.only:
            yield from unmet_requirement(lookup, rules, who, requirement, "")


def unmet_requirement(
    lookup: Lookup, rules: RuleSystem, who: str, requirement: Requirement, other: str
) -> Iterator[Veto]:
    """Yield the veto if a requirement isn't met. An unknown fact forbids nothing."""
    if evaluate(lookup, rules, who, requirement.when, HookContext(who, "action", other=other)) is False:
        label = lookup.need(Combatant, who).label
        target = lookup.get(Combatant, other) if other else None
        argument = requirement.when.facts[0].argument  # such as the 5 of `within:5`
        params = (("who", label), ("target", target.label if target else ""), ("figure", argument))
        yield Veto(requirement.reason, requirement.ledger, params)
